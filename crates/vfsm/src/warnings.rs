//! What the automata show to be useless: states that cannot be reached and conditions that cannot
//! hold, whatever the other machines do.

use std::collections::HashSet;

use mazurka_span::Diagnostic;

use crate::automaton::Automaton;
use crate::codes;
use crate::network::Network;
use crate::transition::Part;

pub(crate) fn unexercised(
    network: &Network,
    automata: &[Automaton],
    diagnostics: &mut Vec<Diagnostic>,
) {
    for (number, machine_type) in network.types.iter().enumerate() {
        let machines = (0..network.machines.len())
            .filter(|machine| network.machines[*machine].machine_type == number);
        let mut parts: HashSet<Part> = HashSet::new();
        let mut any = false;
        for machine in machines {
            any = true;
            let automaton = &automata[machine];
            parts.extend(
                automaton
                    .configurations
                    .iter()
                    .map(|c| Part::State(c.state)),
            );
            let edges = automaton.edges.iter().flatten();
            parts.extend(edges.flat_map(|edge| edge.way.parts.iter().copied()));
        }
        if !any {
            let message = format!("the network has no machine of type `{}`", machine_type.name);
            let warning = Diagnostic::warning(codes::NEVER_USED, machine_type.span, message);
            diagnostics.push(warning);
            continue;
        }
        for (number, state) in machine_type.states.iter().enumerate() {
            if !parts.contains(&Part::State(number)) {
                let message = format!("state `{}` can never be reached", state.name);
                let warning = Diagnostic::warning(codes::UNREACHABLE_STATE, state.span, message);
                diagnostics.push(warning);
                continue;
            }
            let actions = state.actions.iter().enumerate();
            let actions =
                actions.map(|(n, action)| (Part::Action(number, n), action.span, "input action"));
            let next = state.next.iter().enumerate();
            let next = next.map(|(n, next)| (Part::Next(number, n), next.span, "state transition"));
            for (part, span, what) in actions.chain(next) {
                if !parts.contains(&part) {
                    let message = format!(
                        "this {what} can never be taken: its condition never holds when it is asked"
                    );
                    diagnostics.push(Diagnostic::warning(codes::NEVER_HOLDS, span, message));
                }
            }
        }
    }
}
