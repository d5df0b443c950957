//! A cycle and the way there, and what else was found, as steps from the initial state that every worker knows.

use std::collections::HashMap;

use super::survivors::Survivors;
use super::{Found, Node, Trouble, Worker, garbled_message};
use crate::bookkeeping::is_worth_keeping;
use crate::divided::Lost;
use crate::divided::trace::{Kind, behind};
use crate::emptiness::way::shortest_way;
use crate::frontier::{read_number, write_number};
use crate::report::{Defect, Report, StopReason, Violation};
use crate::system::{Acceptance, Reduction, System};

/// What a search finds.
pub(super) type Violated<Y> = Violation<<Y as System>::Step, <Y as System>::Failure>;

impl<Y: Acceptance, R: Reduction<Y>> Worker<'_, Y, R> {
    /// An execution that comes to accepting states again and again, if there is one.
    pub(super) fn lasso(&mut self) -> Result<Option<Violated<Y>>, Trouble> {
        let Some(left) = self.survivors()? else {
            return Ok(None);
        };
        let round = self.round(&left)?;
        drop(left);
        let mut nodes = self.way_to(round[0])?;
        let from = nodes.len() - 1;
        nodes.extend(&round[1..]);
        let (steps, ends, _) = self.steps(&nodes)?;
        let defect = Defect::Cycle(ends[from]);
        Ok(Some(Violation { defect, steps }))
    }

    /// Follows survivors from an accepting one on, up to where that has been before: the states of a cycle, the first one also at its end.
    fn round(&mut self, left: &Survivors) -> Result<Vec<Node>, Trouble> {
        let both = left.alive.iter().zip(&self.accepting);
        let first = both.clone().position(|(alive, accepts)| *alive && *accepts);
        let mut bytes = Vec::new();
        if let Some(first) = first {
            write_number(&mut bytes, first as u64);
        }
        let mut starts: Vec<Node> = Vec::new();
        self.tell_all(&bytes, |from, mut said| {
            while !said.is_empty() {
                starts.push(read_node(from, &mut said)?);
            }
            Some(())
        })?;
        // The states of each worker are in the order of their levels.
        starts.sort_by_key(|node| (node.number, node.worker));
        let mut path = vec![*starts.first().ok_or_else(garbled_message)?];
        let mut met: HashMap<Node, usize> = HashMap::from([(path[0], 0)]);
        loop {
            let mut bytes = Vec::new();
            let mut node = path[path.len() - 1];
            // As far as it knows the way.
            while node.worker == self.me {
                let next = left.next.get(node.number as usize).copied().flatten();
                let next = next.ok_or_else(garbled_message)?;
                let accepts = next.worker == self.me && self.accepting[next.number as usize];
                write_number(&mut bytes, u64::from(next.worker));
                write_number(&mut bytes, u64::from(next.number));
                node = next;
                if accepts {
                    break;
                }
            }
            let mut said = Vec::new();
            self.tell_all(&bytes, |_, mut way| {
                while !way.is_empty() {
                    let worker = read_number(&mut way)?;
                    said.push(read_node(worker as usize, &mut way)?);
                }
                Some(())
            })?;
            if said.is_empty() {
                return Err(garbled_message().into());
            }
            for node in said {
                path.push(node);
                if let Some(before) = met.insert(node, path.len() - 1) {
                    return Ok(path.split_off(before));
                }
            }
        }
    }

    /// The states on the way from the initial one to this one, both among them.
    fn way_to(&mut self, node: Node) -> Result<Vec<Node>, Trouble> {
        let mut path = vec![node];
        loop {
            let mut bytes = Vec::new();
            let mut node = path[path.len() - 1];
            let mut is_first = false;
            while node.worker == self.me && !is_first {
                match self.graph.first(node.number) {
                    Some(before) => {
                        write_number(&mut bytes, u64::from(before.worker));
                        write_number(&mut bytes, u64::from(before.number));
                        node = before;
                    }
                    None => is_first = true,
                }
            }
            let mut said = Vec::new();
            self.tell_all(&bytes, |_, mut way| {
                while !way.is_empty() {
                    let worker = read_number(&mut way)?;
                    said.push(read_node(worker as usize, &mut way)?);
                }
                Some(())
            })?;
            if said.is_empty() {
                path.reverse();
                return Ok(path);
            }
            path.extend(said);
        }
    }

    /// The steps along states that lead to each other, how many there are when each is reached, and the last state.
    fn steps(&mut self, nodes: &[Node]) -> Result<(Vec<Y::Step>, Vec<usize>, Vec<u8>), Trouble> {
        let mut states = self.states(nodes)?;
        let suffix = self.system.ignored_suffix();
        let (mut steps, mut ends) = (Vec::new(), vec![0]);
        for pair in states.windows(2) {
            let (from, to) = (&pair[0], &pair[1]);
            let identity = &to[..to.len() - suffix];
            let is_wanted = |state: &[u8]| state[..state.len() - suffix] == *identity;
            let may_go_on = |_| Ok::<(), std::convert::Infallible>(());
            let way = shortest_way(self.system, &mut (), from, is_wanted, |_| false, may_go_on);
            let Ok(Some((way, _))) = way else {
                return Err(Lost("a state that nothing leads to".into()).into());
            };
            steps.extend(way);
            ends.push(steps.len());
        }
        Ok((steps, ends, states.pop().unwrap_or_default()))
    }

    /// These states, in full.
    fn states(&mut self, nodes: &[Node]) -> Result<Vec<Vec<u8>>, Trouble> {
        for (place, node) in nodes.iter().enumerate() {
            if node.worker != self.me {
                continue;
            }
            for to in 0..self.workers {
                let state = self.table.get(node.number);
                self.outgoing[to].push(state, place as u64, &[], false);
                if self.outgoing[to].is_full() {
                    self.pass_on(to);
                }
            }
        }
        for to in 0..self.workers {
            self.pass_on(to);
        }
        let mut states = vec![Vec::new(); nodes.len()];
        self.finish_turn(Self::summary, |worker, from, packet| {
            worker.unpack(from, packet, |_, state, place| {
                let place = states.get_mut(place as usize).ok_or_else(garbled_message)?;
                place.extend_from_slice(state);
                Ok(())
            })
        })?;
        Ok(states)
    }

    /// Tells all something, and hears the same from all.
    fn tell_all(
        &mut self,
        bytes: &[u8],
        mut hear: impl FnMut(usize, &[u8]) -> Option<()>,
    ) -> Result<(), Trouble> {
        if !bytes.is_empty() {
            self.turns.send_to_all(bytes);
        }
        self.finish_turn(Self::summary, |_, from, said| {
            hear(from, said).ok_or_else(garbled_message)
        })
    }

    /// What all counted and found, the same for every worker.
    pub(super) fn report(
        mut self,
        stop: StopReason,
        cycle: Option<Violated<Y>>,
    ) -> Result<Report<Y>, Lost> {
        self.ends = true;
        let result = self.put_together(stop, cycle);
        result.map_err(|trouble| match trouble {
            Trouble::Lost(lost) => lost,
            Trouble::Stop(_) => garbled_message(),
        })
    }

    fn put_together(
        &mut self,
        stop: StopReason,
        cycle: Option<Violated<Y>>,
    ) -> Result<Report<Y>, Trouble> {
        let mut bytes = Vec::new();
        for found in &self.found {
            found.write(&mut bytes);
        }
        let mut all_found = Vec::new();
        self.tell_all(&bytes, |from, mut said| {
            while !said.is_empty() {
                all_found.push(Found::read(from, &mut said)?);
            }
            Some(())
        })?;
        let mut covered: Vec<bool> = std::mem::take(&mut self.book.covered);
        let own: Vec<u8> = covered.iter().map(|covered| (*covered).into()).collect();
        self.tell_all(&own, |_, said| {
            for (covered, other) in covered.iter_mut().zip(said) {
                *covered |= *other != 0;
            }
            Some(())
        })?;
        // All have the same, and sort it in the same way.
        all_found.sort_by_key(|found| (found.level, found.node));
        let (mut violations, mut dead_end) = (Vec::<Violated<Y>>::new(), None);
        for found in &all_found {
            let violation = self.repeat(found)?;
            let is_dead_end = match &violation.defect {
                Defect::Failure(failure) => Y::is_dead_end(failure),
                _ => found.kind == Kind::Endless,
            };
            if is_dead_end {
                dead_end.get_or_insert(violation);
            } else if is_worth_keeping(&violations, &violation.defect, violation.steps.last()) {
                violations.push(violation);
            }
        }
        let mut statistics = self.total();
        statistics.violations += u64::from(cycle.is_some());
        violations.extend(cycle);
        violations.sort_by_key(|violation| violation.steps.len());
        if !self.book.options.all {
            violations.truncate(1);
            statistics.violations = violations.len() as u64;
        }
        // Nobody takes up another search before all have this one's report.
        self.tell_all(&[], |_, _| None)?;
        Ok(Report {
            stop,
            statistics,
            violations,
            dead_end,
            covered,
        })
    }

    /// What was found, with the steps from the initial state.
    fn repeat(&mut self, found: &Found) -> Result<Violated<Y>, Trouble> {
        if let Err(failure) = self.system.initial(&mut Vec::new()) {
            let defect = Defect::Failure(failure);
            let steps = Vec::new();
            return Ok(Violation { defect, steps });
        }
        let nodes = self.way_to(found.node)?;
        let (mut steps, _, mut state) = self.steps(&nodes)?;
        let defect = behind(self.system, &mut state, found.kind, &found.tail, &mut steps);
        let defect =
            defect.ok_or_else(|| Lost("a violation that its steps do not lead to".into()))?;
        Ok(Violation { defect, steps })
    }
}

impl Found {
    fn write(&self, bytes: &mut Vec<u8>) {
        for number in [
            self.level,
            self.node.number.into(),
            self.kind.number(),
            self.tail.len() as u64,
        ] {
            write_number(bytes, number);
        }
        for number in &self.tail {
            write_number(bytes, u64::from(*number));
        }
    }

    fn read(from: usize, bytes: &mut &[u8]) -> Option<Found> {
        let level = read_number(bytes)?;
        let node = read_node(from, bytes)?;
        let kind = Kind::of(read_number(bytes)?)?;
        let length = read_number(bytes)?;
        let tail: Option<Vec<u32>> = (0..length)
            .map(|_| Some(read_number(bytes)? as u32))
            .collect();
        Some(Found {
            level,
            node,
            kind,
            tail: tail?,
        })
    }
}

/// A state of this worker.
fn read_node(worker: usize, bytes: &mut &[u8]) -> Option<Node> {
    Some(Node {
        worker: u32::try_from(worker).ok()?,
        number: u32::try_from(read_number(bytes)?).ok()?,
    })
}
