//! The state-transition graph of each machine type, as figure 6 of the paper (Godefroid, Peled and Staskauskas 1996) draws it: next to a state
//! the operations that may be performed in it, and below them those in it or in states that can follow.

use std::collections::BTreeSet;
use std::fmt::Write;

use mazurka_checker::{Error, Loaded, ModelText};
use mazurka_vfsm::network::{Condition, Operation, Type};

use crate::Machines;
use crate::tables::condition;

/// The diagrams of the machine types of a model, as one graph for Graphviz.
pub fn diagrams(model: &ModelText, loaded: &Loaded) -> Result<String, Error> {
    if Machines::of(loaded) != Some(Machines::Network) {
        let reason = "there are diagrams of machine types of .vfsm models only; `mazurka graph` draws others";
        return Err(Error::Usage(format!("{}: {reason}", model.path())));
    }
    let network = model.network(&loaded.model.defines)?.network;
    let mut text = String::from("digraph {\n    node [shape=box, style=rounded];\n");
    for described in &network.types {
        diagram(&mut text, described);
    }
    Ok(text + "}\n")
}

fn diagram(text: &mut String, described: &Type) {
    let name = &described.name;
    let _ = write!(
        text,
        "    subgraph \"cluster_{name}\" {{\n        label=\"{name}\";\n"
    );
    let performed: Vec<BTreeSet<String>> = (0..described.states.len())
        .map(|state| performed_in(described, state))
        .collect();
    for (number, state) in described.states.iter().enumerate() {
        let mut later = BTreeSet::new();
        for reached in reachable(described, number) {
            later.extend(performed[reached].iter().cloned());
        }
        // Whoever comes here goes on in the same transition.
        let is_transient = state
            .next
            .iter()
            .any(|next| matches!(next.condition, Condition::Always));
        let mut style = vec!["rounded"];
        style.extend(is_transient.then_some("dashed"));
        style.extend(described.initial.contains(&number).then_some("bold"));
        let peripheries = if state.end { 2 } else { 1 };
        let _ = writeln!(
            text,
            "        \"{name}.{0}\" [label=<{0}<br/><b>{1}</b><br/>{2}>, style=\"{3}\", peripheries={peripheries}];",
            state.name,
            listed(&performed[number]),
            listed(&later),
            style.join(",")
        );
        for next in &state.next {
            let target = &described.states[next.target].name;
            let label = condition(described, &next.condition);
            let _ = writeln!(
                text,
                "        \"{name}.{}\" -> \"{name}.{target}\" [label=\"{label}\"];",
                state.name
            );
        }
    }
    *text += "    }\n";
}

/// `{send E to m, start T}`, in a label.
fn listed(operations: &BTreeSet<String>) -> String {
    let operations: Vec<&str> = operations.iter().map(String::as_str).collect();
    format!("{{{}}}", operations.join(", "))
}

/// The states that can follow a state, and the state itself.
fn reachable(described: &Type, from: usize) -> BTreeSet<usize> {
    let mut reached = BTreeSet::from([from]);
    let mut open = vec![from];
    while let Some(state) = open.pop() {
        for next in &described.states[state].next {
            if reached.insert(next.target) {
                open.push(next.target);
            }
        }
    }
    reached
}

/// What the specification of a state may do to queues and timers.
fn performed_in(described: &Type, state: usize) -> BTreeSet<String> {
    let state = &described.states[state];
    let actions = state.actions.iter().flat_map(|action| &action.outputs);
    let outputs = state.entry.iter().chain(&state.exit).chain(actions);
    let alternatives = outputs.flat_map(|output| &described.outputs[*output].alternatives);
    let operations = alternatives.flat_map(|alternative| &alternative.operations);
    let told = operations.filter_map(|operation| match operation {
        Operation::Send { role, event } => {
            Some(format!("send {event} to {}", described.roles[*role].name))
        }
        Operation::Start(timer) => Some(format!("start {}", described.timers[*timer].name)),
        Operation::Stop(timer) => Some(format!("stop {}", described.timers[*timer].name)),
        Operation::Feedback(_) | Operation::Clear(_) => None,
    });
    told.collect()
}
