//! Which features a network of virtual finite state machines has, and where.

use mazurka_span::{SourceMap, Span};
use mazurka_vfsm::ast::*;

use super::marks::Marks;

/// Everything that the notation has, as the table names it.
pub const FEATURES: &[&str] = &[
    "several-initial",
    "end",
    "progress",
    "timer",
    "duration",
    "entry",
    "exit",
    "several-outputs",
    "input-action",
    "next-state",
    "true",
    "not",
    "and",
    "or",
    "event-alternatives",
    "insert",
    "delete",
    "pulse",
    "nothing-in",
    "anywhere",
    "also-in",
    "unexpected-possible",
    "spontaneous",
    "spontaneous-anywhere",
    "spontaneous-alternatives",
    "output-alternatives",
    "send",
    "send-to-role",
    "send-to-itself",
    "one-place",
    "start-timer",
    "stop-timer",
    "feedback",
    "clear",
    "nothing-out",
    "several-operations",
    "queue",
    "queue-unsaid",
    "high",
    "low",
    "several-processors",
    "priorities",
    "shared-process",
    "shared-type",
    "start-states",
    "invariant",
    "invariant-input",
    "ltl",
    "ltl-next",
    "ltl-until",
    "ltl-input",
    "written-once",
];

/// Why two features do not meet.
pub fn known_reason(one: &str, other: &str, column: &str) -> Option<&'static str> {
    let has = |feature: &str| one == feature || other == feature;
    if column == "spin" && has("ltl-next") {
        return Some("SPIN is usually built without next");
    }
    if has("queue") && has("queue-unsaid") {
        return Some("a network says it or does not");
    }
    if has("one-place") && has("queue-unsaid") {
        return Some("a queue of which nothing is said has four places");
    }
    None
}

/// The features of a text and where they are.
pub fn marks(text: &str) -> Marks {
    let mut map = SourceMap::new();
    let (model, _) = mazurka_vfsm::parse(&mut map, "model.vfsm", text.as_bytes());
    let mut reader = Reader {
        marks: Marks::new(FEATURES, text),
        part: None,
    };
    reader.model(&model);
    // The tree has what constants, tables and repetitions stand for.
    reader.add("written-once", text.contains("table COMMON"));
    reader.marks
}

struct Reader {
    marks: Marks,
    /// What is read; outside of states and mappings, everywhere.
    part: Option<Span>,
}

impl Reader {
    fn add(&mut self, feature: &str, when: bool) {
        if when {
            self.marks.add(feature, self.part);
        }
    }

    fn within(&mut self, part: Span, read: impl FnOnce(&mut Reader)) {
        let before = self.part.replace(part);
        read(self);
        self.part = before;
    }

    fn model(&mut self, model: &Model) {
        for machine in &model.machines {
            self.machine(model, machine);
        }
        for network in &model.networks {
            self.network(network);
        }
        for invariant in &model.invariants {
            self.add("invariant", true);
            self.claim(&invariant.claim);
        }
        for formula in &model.formulas {
            self.add("ltl", true);
            self.formula(&formula.formula);
            let is_input = |(_, name): &(Name, Name)| name.text.starts_with('I');
            self.add("ltl-input", formula.atoms.iter().any(is_input));
        }
    }

    fn machine(&mut self, model: &Model, machine: &MachineType) {
        self.add("several-initial", machine.initial.len() > 1);
        self.add("end", !machine.end.is_empty());
        self.add("progress", !machine.progress.is_empty());
        self.add("timer", !machine.timers.is_empty());
        let mut timers = machine.timers.iter();
        self.add("duration", timers.any(|timer| timer.duration.is_some()));
        for state in &machine.states {
            self.within(state.name.span, |reader| {
                reader.add("entry", !state.entry.is_empty());
                reader.add("exit", !state.exit.is_empty());
                let several = state.entry.len() > 1 || state.exit.len() > 1;
                reader.add("several-outputs", several);
            });
            for action in &state.actions {
                self.within(action.span, |reader| {
                    reader.add("input-action", true);
                    reader.add("several-outputs", action.outputs.len() > 1);
                    reader.condition(&action.condition);
                });
            }
            for next in &state.next {
                self.within(next.span, |reader| {
                    reader.add("next-state", true);
                    reader.condition(&next.condition);
                });
            }
        }
        for event in &machine.events {
            for alternative in &event.alternatives {
                self.within(alternative.span, |reader| {
                    reader.add("event-alternatives", event.alternatives.len() > 1);
                    reader.add("anywhere", matches!(event.tolerance, Tolerance::Anywhere));
                    reader.add("also-in", matches!(event.tolerance, Tolerance::Also(_)));
                    let nowhere = matches!(event.tolerance, Tolerance::Nowhere);
                    reader.add("unexpected-possible", nowhere);
                    reader.changes(alternative);
                });
            }
        }
        for spontaneous in &machine.spontaneous {
            for alternative in &spontaneous.alternatives {
                self.within(alternative.span, |reader| {
                    reader.add("spontaneous", true);
                    reader.add("spontaneous-anywhere", spontaneous.states.is_empty());
                    let several = spontaneous.alternatives.len() > 1;
                    reader.add("spontaneous-alternatives", several);
                    reader.changes(alternative);
                });
            }
        }
        let own = instances(model, &machine.name);
        let single = model.networks.iter().any(|known| known.queue == Some(1));
        for output in &machine.outputs {
            for alternative in &output.alternatives {
                self.within(alternative.span, |reader| {
                    reader.add("output-alternatives", output.alternatives.len() > 1);
                    reader.add("nothing-out", alternative.operations.is_empty());
                    reader.add("several-operations", alternative.operations.len() > 1);
                    for operation in &alternative.operations {
                        match operation {
                            Operation::Send { to, .. } => {
                                let is_role = &*to.text == "partner";
                                reader.add("send-to-role", is_role);
                                reader.add("send", !is_role);
                                let itself = own.iter().any(|name| **name == *to.text);
                                reader.add("send-to-itself", itself);
                                reader.add("one-place", itself && single);
                            }
                            Operation::Start(_) => reader.add("start-timer", true),
                            Operation::Stop(_) => reader.add("stop-timer", true),
                            Operation::Feedback(_) => reader.add("feedback", true),
                            Operation::Clear(_) => reader.add("clear", true),
                        }
                    }
                });
            }
        }
    }

    fn changes(&mut self, alternative: &InputAlternative) {
        self.add("nothing-in", alternative.changes.is_empty());
        for change in &alternative.changes {
            let feature = match change.how {
                How::Insert => "insert",
                How::Delete => "delete",
                How::Pulse => "pulse",
            };
            self.add(feature, true);
        }
    }

    fn condition(&mut self, condition: &Condition) {
        match condition {
            Condition::Always => self.add("true", true),
            Condition::Input(_) => {}
            Condition::Not(inner) => {
                self.add("not", true);
                self.condition(inner);
            }
            Condition::And(all) => {
                self.add("and", true);
                all.iter().for_each(|one| self.condition(one));
            }
            Condition::Or(all) => {
                self.add("or", true);
                all.iter().for_each(|one| self.condition(one));
            }
        }
    }

    fn network(&mut self, network: &Network) {
        self.add("queue", network.queue.is_some());
        self.add("queue-unsaid", network.queue.is_none());
        self.add("several-processors", network.processors.len() > 1);
        self.add("start-states", !network.starts.is_empty());
        let mut types = Vec::new();
        for processor in &network.processors {
            self.add("priorities", processor.processes.len() > 1);
            for process in &processor.processes {
                self.add("high", process.high.is_some());
                self.add("low", process.low.is_some());
                self.add("shared-process", process.machines.len() > 1);
                for machine in &process.machines {
                    let name = machine.machine_type.text.to_string();
                    self.add("shared-type", types.contains(&name));
                    types.push(name);
                }
            }
        }
    }

    fn formula(&mut self, formula: &mazurka_ltl::Formula) {
        use mazurka_ltl::Formula as F;
        self.add("ltl-next", matches!(formula, F::Next(_)));
        match formula {
            F::Constant(_) | F::Atom(_) => {}
            F::Not(inner) | F::Next(inner) | F::Always(inner) | F::Eventually(inner) => {
                self.formula(inner);
            }
            F::And(one, other)
            | F::Or(one, other)
            | F::Implies(one, other)
            | F::Equivalent(one, other) => {
                self.formula(one);
                self.formula(other);
            }
            F::Until(one, other) | F::WeakUntil(one, other) | F::Release(one, other) => {
                self.add("ltl-until", true);
                self.formula(one);
                self.formula(other);
            }
        }
    }

    fn claim(&mut self, claim: &Claim) {
        match claim {
            Claim::Always(_) => {}
            Claim::Atom(_, name) => self.add("invariant-input", name.text.starts_with('I')),
            Claim::Not(inner) => self.claim(inner),
            Claim::And(all) | Claim::Or(all) => all.iter().for_each(|one| self.claim(one)),
        }
    }
}

/// The machines of a type.
fn instances(model: &Model, of: &Name) -> Vec<String> {
    let processors = model
        .networks
        .iter()
        .flat_map(|network| &network.processors);
    let processes = processors.flat_map(|processor| &processor.processes);
    let machines = processes.flat_map(|process| &process.machines);
    let own = machines.filter(|machine| machine.machine_type.text == of.text);
    own.map(|machine| machine.name.text.to_string()).collect()
}
