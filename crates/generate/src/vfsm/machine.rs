//! What a machine does: the code of its type, as far as languages differ in their words only.

use std::marker::PhantomData;

use mazurka_vfsm::network::{Condition, InputAlternative, Operation, OutputAlternative, State};

use super::ids::Ids;
use super::plan::{Plan, is_always};
use super::words;
use crate::code::{Code, add};

/// The words of a language.
pub(super) trait Language {
    /// The end of a case.
    const END_OF_CASE: &'static str;
    /// The end of a case in which the function has returned.
    const END_AFTER_ANSWER: &'static str;
    /// The last case, for whatever is not among the others: a function of the person chose what is not there.
    const WRONG_CHOICE: &'static str;
    /// The last case, if whatever is not among the others does nothing.
    const OTHERWISE_NOTHING: &'static str;
    /// A variable for what is chosen, 0 at first.
    const CHOSEN: &'static str;

    fn comment(text: &str) -> String;
    /// The beginning of a function of the network.
    fn function(name: &str, parameters: &[&str], returns: Returns) -> String;
    /// Calls a function of the network.
    fn call(function: &str, arguments: &str) -> String;
    /// Calls a function that the person fills in.
    fn ask(function: &str) -> String;
    /// A call whose value nobody needs.
    fn ignore(call: &str) -> String;
    /// The beginning of what is done under a condition.
    fn only_if(condition: &str) -> String;
    /// The beginning of the cases of a value.
    fn cases_of(value: &str) -> String;
    fn case(value: &str, comment: Option<&str>) -> String;
    /// The state of the machine.
    const STATE: &'static str;
    /// Returns from a function, as its last statement or before.
    fn answer(value: &str, is_last: bool) -> String;
}

/// What a function returns.
#[derive(Clone, Copy)]
pub(super) enum Returns {
    Nothing,
    Truth,
    Number,
}

/// A network that is written in a language.
pub(super) struct Export<'p, 'n, L> {
    pub plan: &'p Plan<'n>,
    pub ids: Ids,
    language: PhantomData<L>,
}

impl<'p, 'n, L: Language> Export<'p, 'n, L> {
    /// With names other than those that are taken.
    pub fn new(plan: &'p Plan<'n>, taken: &[&str]) -> Export<'p, 'n, L> {
        Export {
            plan,
            ids: Ids::new(plan, taken),
            language: PhantomData,
        }
    }

    /// The input mapper: what an event does to the register. Says which alternative it was.
    pub fn mapper(&self, code: &mut Code, number: usize) {
        let (plan, ids) = (self.plan, &self.ids.types[number]);
        let described = &plan.network.types[number];
        let events = described.events.iter().enumerate();
        let events: Vec<_> = events
            .filter(|(event, _)| {
                plan.is_heard(number, *event) || plan.is_fed_back(described, *event)
            })
            .collect();
        if events.is_empty() {
            return;
        }
        code.add(L::comment(
            "An event changes the register. Returns which alternative it took.",
        ));
        code.add(L::function(&ids.map, &["me", "event"], Returns::Number));
        code.add(L::CHOSEN);
        code.add(L::cases_of("event"));
        for (event, mapped) in events {
            code.add(L::case(&ids.events[event], None));
            if let [only] = &mapped.alternatives[..] {
                code.add_if_any(&self.change(number, only));
            } else {
                add!(code, "chosen = {};", L::ask(&ids.maps[event]));
                let alternatives = mapped.alternatives.iter();
                let alternatives = alternatives.map(|changes| {
                    let told = words::changes(described, changes);
                    (told, self.change(number, changes))
                });
                Self::alternatives(code, "chosen", alternatives);
            }
            code.add(L::END_OF_CASE);
        }
        code.add(L::WRONG_CHOICE);
        code.add(L::answer("chosen", true));
        code.add("}\n");
    }

    /// An output: the function of the person, then what the alternative does.
    pub fn output(&self, code: &mut Code, number: usize, output: usize) {
        let ids = &self.ids.types[number];
        let described = &self.plan.network.types[number];
        let asked = L::ask(&ids.outputs[output]);
        code.add(L::function(&ids.makes[output], &["me"], Returns::Nothing));
        match &described.outputs[output].alternatives[..] {
            [only] => {
                add!(code, "{asked};");
                code.add_if_any(&self.operations(number, only));
            }
            alternatives => {
                let alternatives = alternatives.iter().map(|operations| {
                    let told = words::operations(described, operations);
                    (told, self.operations(number, operations))
                });
                Self::alternatives(code, &asked, alternatives);
            }
        }
        code.add("}\n");
    }

    /// Cases for alternatives: what each is, and what is done then.
    pub fn alternatives(
        code: &mut Code,
        chosen: &str,
        alternatives: impl Iterator<Item = (String, String)>,
    ) {
        code.add(L::cases_of(chosen));
        for (number, (told, done)) in alternatives.enumerate() {
            code.add(L::case(&number.to_string(), Some(&told)));
            code.add_if_any(&done);
            code.add(L::END_OF_CASE);
        }
        code.add(L::WRONG_CHOICE);
    }

    fn operations(&self, number: usize, alternative: &OutputAlternative) -> String {
        let ids = &self.ids.types[number];
        let operations = alternative.operations.iter();
        let timer = |word: &str, timer: usize| {
            let timer = format!("first_timer[me] + {}", ids.timers[timer]);
            L::call(&format!("{word}_timer"), &timer) + ";"
        };
        let operations = operations.map(|operation| match operation {
            Operation::Start(started) => timer("start", *started),
            Operation::Stop(stopped) => timer("stop", *stopped),
            Operation::Feedback(event) => {
                let arguments = format!("me, {}", ids.events[*event]);
                L::ignore(&L::call(&ids.map, &arguments))
            }
            Operation::Clear(input) => self.changed(number, [1 << input, 0, 0]),
            Operation::Send { role, event } => self.send(number, *role, event),
        });
        operations.collect::<Vec<_>>().join("\n")
    }

    /// A send, to whoever plays the role for this machine.
    fn send(&self, number: usize, role: usize, event: &str) -> String {
        let machines = self.plan.machines_of(number);
        let sent = |machine: usize| {
            let (to, event) = self.plan.receiver(machine, role, event);
            let of_receiver = &self.ids.types[self.plan.network.machines[to].machine_type];
            let (to, event) = (&self.ids.machines[to], &of_receiver.events[event]);
            L::call("send", &format!("me, {to}, {event}")) + ";"
        };
        let sends: Vec<String> = machines.iter().map(|machine| sent(*machine)).collect();
        if sends.iter().all(|other| *other == sends[0]) {
            return sends[0].clone();
        }
        let mut lines = vec![L::cases_of("me")];
        for (machine, send) in machines.iter().zip(sends) {
            let case = L::case(&self.ids.machines[*machine], None);
            lines.extend([case, send, L::END_OF_CASE.into()]);
        }
        lines.push(L::OTHERWISE_NOTHING.into());
        lines.join("\n")
    }

    /// A state block, executed once. Says whether there is a new state.
    pub fn round(&self, code: &mut Code, number: usize) {
        let ids = &self.ids.types[number];
        let described = &self.plan.network.types[number];
        code.add(L::comment(
            "Executes the present state: input actions, then the first next state that holds. Returns whether there is one.",
        ));
        code.add(L::function(&ids.round, &["me"], Returns::Truth));
        code.add(L::cases_of(L::STATE));
        for (state, block) in described.states.iter().enumerate() {
            if !block.actions.is_empty() || !block.next.is_empty() {
                code.add(L::case(&ids.states[state], None));
                match self.block(code, number, block) {
                    true => code.add_if_any(L::END_AFTER_ANSWER),
                    false => code.add(L::END_OF_CASE),
                }
            }
        }
        code.add(L::OTHERWISE_NOTHING);
        code.add(L::answer("false", true));
        code.add("}\n");
    }

    /// What is done in a state. Says whether that always ends with an answer.
    fn block(&self, code: &mut Code, number: usize, block: &State) -> bool {
        let ids = &self.ids.types[number];
        let described = &self.plan.network.types[number];
        let make = |code: &mut Code, outputs: &[usize]| {
            for output in outputs {
                add!(code, "{};", L::call(&ids.makes[*output], "me"));
            }
        };
        let begin = |code: &mut Code, condition: &Condition| {
            let condition = self.condition(number, condition);
            let begun = condition.map(|condition| code.add(L::only_if(&condition)));
            begun.is_some()
        };
        for action in &block.actions {
            let is_conditional = begin(code, &action.condition);
            make(code, &action.outputs);
            if is_conditional {
                code.add("}");
            }
        }
        for next in self.plan.next_of(block) {
            let is_conditional = begin(code, &next.condition);
            make(code, &block.exit);
            add!(code, "{} = {};", L::STATE, ids.states[next.target]);
            make(code, &described.states[next.target].entry);
            code.add(L::answer("true", false));
            match is_conditional {
                true => code.add("}"),
                false => return true,
            }
        }
        false
    }

    /// A condition; none if it always holds.
    fn condition(&self, number: usize, condition: &Condition) -> Option<String> {
        (!is_always(condition)).then(|| self.condition_inside(number, condition, true))
    }

    fn condition_inside(&self, number: usize, condition: &Condition, is_outer: bool) -> String {
        let joined = |parts: &[Condition], operator: &str| {
            let parts = parts.iter().filter(|part| !is_always(part));
            let parts: Vec<&Condition> = parts.collect();
            if let [only] = parts[..] {
                return self.condition_inside(number, only, is_outer);
            }
            let written = parts.iter();
            let written = written.map(|part| self.condition_inside(number, part, false));
            let written: Vec<String> = written.collect();
            match (written.is_empty(), is_outer) {
                (true, _) => "false".into(),
                (false, true) => written.join(operator),
                (false, false) => format!("({})", written.join(operator)),
            }
        };
        match condition {
            Condition::Always => "true".into(),
            Condition::Input(input) => {
                let input = &self.ids.types[number].inputs[*input as usize];
                L::call("has", &format!("me, {input}"))
            }
            Condition::Not(inner) if is_always(inner) => "false".into(),
            Condition::Not(inner) => format!("!{}", self.condition_inside(number, inner, false)),
            Condition::And(parts) => joined(parts, " && "),
            Condition::Or(parts) => joined(parts, " || "),
        }
    }

    /// `A | B` of a register.
    fn inputs(&self, machine_type: usize, set: u64) -> String {
        let inputs = self.ids.types[machine_type].inputs.iter().enumerate();
        let inputs = inputs.filter(|(bit, _)| set >> bit & 1 != 0);
        let inputs: Vec<&str> = inputs.map(|(_, name)| name.as_str()).collect();
        match inputs.is_empty() {
            true => "0".into(),
            false => inputs.join(" | "),
        }
    }

    /// What an alternative does to the register, if anything.
    pub fn change(&self, machine_type: usize, alternative: &InputAlternative) -> String {
        if alternative.touches() == 0 {
            return String::new();
        }
        let sets = [alternative.delete, alternative.insert, alternative.pulse];
        self.changed(machine_type, sets)
    }

    /// Inputs that are removed, inserted, and inserted for the transition.
    fn changed(&self, machine_type: usize, sets: [u64; 3]) -> String {
        let [removed, inserted, pulsed] = sets.map(|set| self.inputs(machine_type, set));
        let arguments = format!("me, {removed}, {inserted}, {pulsed}");
        L::call("change", &arguments) + ";"
    }
}
