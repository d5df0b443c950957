//! How many messages there can be at once.
//!
//! A machine that sends at most as often as it receives, but for a fixed number of times, adds no
//! more than that number to the messages under way, however long it runs. If all machines are so, the
//! sum bounds what any port can ever hold, and a port with room for that many cannot overflow. Most
//! protocols that ask and answer are of this kind. It matters to a reduction: where an overflow is
//! possible, taking a message early may hide it; where it is not, a send and a receive on one port
//! have nothing to do with each other.

use crate::ast;

/// The greatest number of messages that can be under way at once; none if there is no such number.
/// `instances` gives for each machine how many there are.
pub(super) fn messages_under_way(machines: &[ast::Machine], instances: &[u32]) -> Option<u64> {
    let mut sum = 0u64;
    for (machine, count) in machines.iter().zip(instances) {
        if *count > 0 {
            sum += surplus(machine)? * u64::from(*count);
        }
    }
    Some(sum)
}

/// By how much a machine's sends can ever exceed its receives: the longest path from its start,
/// with sends counted up and receives down. None if a cycle makes it endless.
fn surplus(machine: &ast::Machine) -> Option<u64> {
    let number = |name: &ast::Name| {
        let states = &machine.states;
        states.iter().position(|state| state.name.text == name.text)
    };
    let start = machine.states.iter().position(|state| state.start)?;
    let mut best: Vec<Option<i64>> = vec![None; machine.states.len()];
    best[start] = Some(0);
    let mut most = 0;
    for _ in 0..=machine.states.len() {
        let mut changed = false;
        for transition in &machine.transitions {
            let (from, to) = (number(&transition.from)?, number(&transition.to)?);
            let Some(before) = best[from] else { continue };
            // The receive comes first, so a port never holds more than after the sends.
            let gain = transition.sends.len() as i64 - i64::from(transition.receive.is_some());
            let after = before + gain;
            most = most.max(after);
            if best[to].is_none_or(|known| known < after) {
                best[to] = Some(after);
                changed = true;
            }
        }
        if !changed {
            return u64::try_from(most).ok();
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use mazurka_span::SourceMap;

    use super::messages_under_way;

    fn bound(body: &str, instances: u32) -> Option<u64> {
        let text = format!("machine M {{ port p[9] {{ m }} start state A; state B; {body} }}");
        let (model, errors) = crate::parse(&mut SourceMap::new(), "m.efsm", text.as_bytes());
        assert!(errors.is_empty(), "{errors:?}");
        messages_under_way(&model.machines, &[instances])
    }

    #[test]
    fn what_is_sent_is_bounded_by_what_is_received() {
        assert_eq!(bound("A -> B;", 3), Some(0));
        assert_eq!(bound("A -> B !m.p.m;", 3), Some(3));
        assert_eq!(bound("A -> B !m.p.m; B -> A ?p.m;", 3), Some(3));
        assert_eq!(bound("A -> B !m.p.m !m.p.m; B -> A ?p.m;", 3), None);
        assert_eq!(bound("A -> A !m.p.m;", 1), None);
        assert_eq!(bound("A -> B ?p.m; B -> A !m.p.m;", 5), Some(0));
    }
}
