//! A network as a Promela model, so that SPIN can cross-check it.
//!
//! The translation goes from the network, not from the automata or the program: registers are
//! bits, a transition is an atomic sequence with a loop inside, mappings are selections. So SPIN
//! judges the unfolding as well. Errors become assertions; that nothing can happen any more shows
//! as a `timeout` in a process of its own, which asserts that every machine may end where it is.

use std::fmt::Write;

use mazurka_ltl::formula_text;

use crate::network::{
    Atom, Claim, Condition, InputAlternative, Network, Operation, Register, State, Type,
};

/// A transition that goes through more states than this never settles.
const MOST_ROUNDS: u32 = 200;

/// The text of the model.
pub(crate) fn promela(network: &Network, name: &str) -> String {
    let mut export = Export {
        network,
        text: String::new(),
        depth: 0,
        watched: watched(network),
    };
    export.line(&format!("/* Translated by mazurka from {name}. */"));
    export.declarations();
    export.beginning();
    for machine in 0..network.machines.len() {
        export.machine(machine);
    }
    export.timers();
    export.ending();
    export.formulas();
    export.text
}

struct Export<'n> {
    network: &'n Network,
    text: String,
    depth: usize,
    /// What formulas ask about.
    watched: Vec<Atom>,
}

fn watched(network: &Network) -> Vec<Atom> {
    let mut watched = Vec::new();
    for atom in network.formulas.iter().flat_map(|formula| &formula.atoms) {
        if !watched.contains(atom) {
            watched.push(*atom);
        }
    }
    watched
}

impl<'n> Export<'n> {
    fn line(&mut self, text: &str) {
        let _ = writeln!(self.text, "{}{text}", "    ".repeat(self.depth));
    }

    fn name(&self, machine: usize) -> &'n str {
        &self.network.machines[machine].name
    }

    fn machine_type(&self, machine: usize) -> &'n Type {
        self.network.type_of(machine)
    }

    fn input(&self, machine: usize, input: u32) -> String {
        let inputs = &self.machine_type(machine).inputs;
        format!("{}_has_{}", self.name(machine), inputs[input as usize])
    }

    fn timer(&self, machine: usize, timer: usize) -> String {
        let timers = &self.machine_type(machine).timers;
        format!("{}_runs_{}", self.name(machine), timers[timer].name)
    }

    fn queue(&self, process: usize, word: &str) -> String {
        format!("{}_{word}", self.network.processes[process].name)
    }

    /// The number of a message in the queues of its process.
    fn message(&self, machine: usize, event: usize) -> usize {
        let process = &self.network.processes[self.network.machines[machine].process];
        let before = process.machines.iter().take_while(|m| **m != machine);
        let events: usize = before.map(|m| self.machine_type(*m).events.len()).sum();
        events + event + 1
    }

    fn declarations(&mut self) {
        let network = self.network;
        for (number, process) in network.processes.iter().enumerate() {
            for (word, length) in [("high", process.high), ("low", process.low)] {
                let queue = self.queue(number, word);
                self.line(&format!("chan {queue} = [{length}] of {{ short }};"));
            }
        }
        for machine in 0..network.machines.len() {
            let name = self.name(machine);
            self.line(&format!("byte {name}_state;"));
            for input in 0..self.machine_type(machine).inputs.len() as u32 {
                let input = self.input(machine, input);
                self.line(&format!("bool {input}, {input}_pulse;"));
            }
            for timer in 0..self.machine_type(machine).timers.len() {
                let timer = self.timer(machine, timer);
                self.line(&format!("bool {timer};"));
            }
        }
        self.line("bool started;");
        for number in 0..self.watched.len() {
            self.line(&format!("bool watched_{number};"));
        }
    }

    /// Formulas see the states between transitions, not those inside: what they ask is noted at the
    /// end of each transition, all of it at once.
    fn watch(&mut self, more: &str) {
        let notes = self.watched.iter().enumerate();
        let notes: Vec<String> = notes
            .map(|(number, atom)| format!("watched_{number} = {}", self.atom(*atom)))
            .collect();
        let notes = format!("{}{more}", notes.join("; "));
        match notes.trim_start_matches("; ") {
            "" => self.line("skip"),
            notes => self.line(&format!("d_step {{ {notes} }}")),
        }
    }

    /// A formula is about executions from an initial global state.
    fn formulas(&mut self) {
        for formula in &self.network.formulas {
            let number = |atom: &Atom| self.watched.iter().position(|known| known == atom);
            let names: Vec<String> = formula
                .atoms
                .iter()
                .map(|atom| format!("watched_{}", number(atom).unwrap_or_default()))
                .collect();
            let text = formula_text(&formula.formula, &names);
            let name = &formula.name;
            self.line(&format!(
                "ltl {name} {{ !started W (started && ({text})) }}"
            ));
        }
    }

    /// The process that chooses an initial global state.
    fn beginning(&mut self) {
        self.line("active proctype network() {");
        self.line("    atomic {");
        self.line("        if");
        for start in &self.network.starts {
            let states = start.iter().enumerate();
            let assignments = states.map(|(m, state)| format!("{}_state = {state}", self.name(m)));
            let assignments: Vec<String> = assignments.collect();
            self.line(&format!("        :: {}", assignments.join("; ")));
        }
        self.line("        fi;");
        self.depth += 2;
        self.assert_invariants();
        self.watch("; started = true");
        self.depth -= 2;
        self.line("    }");
        self.line("}");
    }

    fn assert_invariants(&mut self) {
        for invariant in &self.network.invariants {
            let claim = self.claim(&invariant.claim);
            self.line(&format!("assert({claim}); /* {} */", invariant.name));
        }
    }

    fn claim(&self, claim: &Claim) -> String {
        let join = |parts: &[Claim], operator: &str| {
            let parts: Vec<String> = parts.iter().map(|part| self.claim(part)).collect();
            format!("({})", parts.join(operator))
        };
        match claim {
            Claim::Constant(value) => value.to_string(),
            Claim::Atom(atom) => self.atom(*atom),
            Claim::Not(inner) => format!("!({})", self.claim(inner)),
            Claim::And(parts) => join(parts, " && "),
            Claim::Or(parts) => join(parts, " || "),
        }
    }

    fn atom(&self, atom: Atom) -> String {
        match atom {
            Atom::In { machine, state } => format!("({}_state == {state})", self.name(machine)),
            Atom::Has { machine, input } => self.input(machine, input),
        }
    }

    fn machine(&mut self, machine: usize) {
        let described = self.machine_type(machine);
        self.line(&format!("active proctype {}() {{", self.name(machine)));
        self.depth += 1;
        self.line("byte round; bool again;");
        self.line("end:");
        self.line("do");
        self.line(":: atomic {");
        self.depth += 1;
        self.triggers(machine);
        self.line("again = true;");
        self.line("do");
        self.line(":: !again -> break");
        self.line(":: again ->");
        self.depth += 1;
        self.line(&format!("assert(round < {MOST_ROUNDS}); /* settles */"));
        self.line("round++; again = false;");
        self.line("if");
        for (number, state) in described.states.iter().enumerate() {
            self.line(&format!(
                ":: {}_state == {number} -> /* {} */",
                self.name(machine),
                state.name
            ));
            self.depth += 1;
            self.state(machine, state);
            self.depth -= 1;
        }
        self.line("fi");
        self.depth -= 1;
        self.line("od;");
        for input in 0..described.inputs.len() as u32 {
            let input = self.input(machine, input);
            self.line(&format!(
                "{input} = {input} && !{input}_pulse; {input}_pulse = false;"
            ));
        }
        self.assert_invariants();
        self.line("round = 0;");
        self.watch("");
        self.depth -= 1;
        self.line("}");
        self.line("od");
        self.depth -= 1;
        self.line("}");
    }

    /// The condition that the machine's process has the processor.
    fn scheduled(&self, machine: usize) -> String {
        let own = self.network.machines[machine].process;
        let processor = &self.network.processors[self.network.processes[own].processor];
        let mut parts = vec!["started".to_string()];
        for process in processor
            .processes
            .iter()
            .take_while(|process| **process != own)
        {
            for word in ["high", "low"] {
                parts.push(format!("empty({})", self.queue(*process, word)));
            }
            if let Some(free) = self.network.free_machine(*process) {
                parts.push(format!("!({})", self.is_free(free)));
            }
        }
        parts.join(" && ")
    }

    /// The condition that a free machine may act of its own accord.
    fn is_free(&self, machine: usize) -> String {
        let described = self.machine_type(machine);
        let states = (0..described.states.len()).filter(|state| {
            described
                .spontaneous
                .iter()
                .any(|mapping| mapping.states[*state])
        });
        let states: Vec<String> = states
            .map(|state| format!("{}_state == {state}", self.name(machine)))
            .collect();
        match states.is_empty() {
            true => "false".into(),
            false => states.join(" || "),
        }
    }

    /// What may set a transition off, and what it does to the register.
    fn triggers(&mut self, machine: usize) {
        let described = self.machine_type(machine);
        let process = self.network.machines[machine].process;
        let (high, low) = (self.queue(process, "high"), self.queue(process, "low"));
        let scheduled = self.scheduled(machine);
        self.line("if");
        for (number, event) in described.events.iter().enumerate() {
            let heard = self.network.machines[machine].heard[number];
            let message = self.message(machine, number);
            let queues = [
                (heard.high, &high, String::new()),
                (heard.low, &low, format!(" && empty({high})")),
            ];
            for (_, queue, condition) in queues.into_iter().filter(|(heard, ..)| *heard) {
                self.line(&format!(
                    ":: {scheduled}{condition} && {queue}?[{message}] -> {queue}?{message}; /* {} */",
                    event.name
                ));
                self.depth += 1;
                self.alternatives(machine, &event.alternatives, Some(number));
                self.depth -= 1;
            }
        }
        for mapping in &described.spontaneous {
            let states = (0..described.states.len()).filter(|state| mapping.states[*state]);
            let states: Vec<String> = states
                .map(|state| format!("{}_state == {state}", self.name(machine)))
                .collect();
            self.line(&format!(
                ":: {scheduled} && empty({high}) && empty({low}) && ({}) ->",
                states.join(" || ")
            ));
            self.depth += 1;
            self.alternatives(machine, &mapping.alternatives, None);
            self.depth -= 1;
        }
        // Without anything to wait for, a selection would be empty.
        self.line(":: false -> skip");
        self.line("fi;");
    }

    /// Chooses how the register changes. An event from a queue may be unexpected.
    fn alternatives(&mut self, machine: usize, list: &[InputAlternative], received: Option<usize>) {
        let described = self.machine_type(machine);
        self.line("if");
        for alternative in list {
            self.line("::");
            self.depth += 1;
            if let Some(event) = received {
                let unexpected: Vec<String> = (0..described.states.len())
                    .filter(|state| {
                        alternative.touches() != 0
                            && alternative.touches() & described.states[*state].mentions == 0
                            && !described.events[event].tolerated[*state]
                    })
                    .map(|state| format!("{}_state != {state}", self.name(machine)))
                    .collect();
                if !unexpected.is_empty() {
                    self.line(&format!(
                        "assert({}); /* expected */",
                        unexpected.join(" && ")
                    ));
                }
            }
            self.change(machine, alternative);
            self.line("skip");
            self.depth -= 1;
        }
        self.line("fi;");
    }

    fn change(&mut self, machine: usize, alternative: &InputAlternative) {
        let sets: [(Register, &str, &str); 3] = [
            (alternative.delete, "false", "false"),
            (alternative.insert, "true", "false"),
            (alternative.pulse, "true", "true"),
        ];
        for (set, value, pulse) in sets {
            for input in (0..Register::BITS).filter(|input| set >> input & 1 != 0) {
                let input = self.input(machine, input);
                self.line(&format!("{input} = {value}; {input}_pulse = {pulse};"));
            }
        }
    }

    fn state(&mut self, machine: usize, state: &State) {
        for action in &state.actions {
            let condition = self.condition(machine, &action.condition);
            self.line("if");
            self.line(&format!(":: {condition} ->"));
            self.depth += 1;
            self.outputs(machine, &action.outputs);
            self.line("skip");
            self.depth -= 1;
            self.line(":: else");
            self.line("fi;");
        }
        for next in &state.next {
            let condition = self.condition(machine, &next.condition);
            let target = &self.machine_type(machine).states[next.target];
            self.line("if");
            self.line(&format!(":: !again && {condition} ->"));
            self.depth += 1;
            self.outputs(machine, &state.exit);
            self.line(&format!(
                "{}_state = {}; again = true; /* {} */",
                self.name(machine),
                next.target,
                target.name
            ));
            self.outputs(machine, &target.entry);
            self.line("skip");
            self.depth -= 1;
            self.line(":: else");
            self.line("fi;");
        }
        self.line("skip");
    }

    fn condition(&self, machine: usize, condition: &Condition) -> String {
        let join = |parts: &[Condition], operator: &str| {
            let parts: Vec<String> = parts
                .iter()
                .map(|part| self.condition(machine, part))
                .collect();
            format!("({})", parts.join(operator))
        };
        match condition {
            Condition::Always => "true".into(),
            Condition::Input(input) => self.input(machine, *input),
            Condition::Not(inner) => format!("!({})", self.condition(machine, inner)),
            Condition::And(parts) => join(parts, " && "),
            Condition::Or(parts) => join(parts, " || "),
        }
    }

    fn outputs(&mut self, machine: usize, outputs: &[usize]) {
        for output in outputs {
            let described = &self.machine_type(machine).outputs[*output];
            self.line(&format!("if /* {} */", described.name));
            for alternative in &described.alternatives {
                self.line("::");
                self.depth += 1;
                for operation in &alternative.operations {
                    self.operation(machine, operation);
                }
                self.line("skip");
                self.depth -= 1;
            }
            self.line("fi;");
        }
    }

    fn operation(&mut self, machine: usize, operation: &Operation) {
        match operation {
            Operation::Start(timer) => {
                let timer = self.timer(machine, *timer);
                self.line(&format!("{timer} = true;"));
            }
            Operation::Stop(timer) => {
                let timer = self.timer(machine, *timer);
                self.line(&format!("{timer} = false;"));
            }
            Operation::Feedback(event) => {
                let event = &self.machine_type(machine).events[*event];
                self.alternatives(machine, &event.alternatives, None);
            }
            Operation::Send { role, event } => {
                let to = self.network.machines[machine].partners[*role];
                let events = &self.machine_type(to).events;
                let Some(number) = events.iter().position(|known| known.name == *event) else {
                    return;
                };
                let inside =
                    self.network.machines[to].process == self.network.machines[machine].process;
                self.send(to, number, if inside { "high" } else { "low" });
            }
        }
    }

    fn send(&mut self, to: usize, event: usize, word: &str) {
        let queue = self.queue(self.network.machines[to].process, word);
        let message = self.message(to, event);
        let name = &self.machine_type(to).events[event].name;
        self.line(&format!(
            "assert(nfull({queue})); {queue}!{message}; /* {name} */"
        ));
    }

    fn timers(&mut self) {
        for machine in 0..self.network.machines.len() {
            for (number, timer) in self.machine_type(machine).timers.iter().enumerate() {
                let running = self.timer(machine, number);
                self.line(&format!(
                    "active proctype {}_timer_{}() {{",
                    self.name(machine),
                    timer.name
                ));
                self.line("end:");
                self.line("    do");
                self.line(&format!("    :: atomic {{ {running} -> {running} = false;"));
                self.depth += 2;
                self.send(machine, timer.event, "low");
                self.depth -= 2;
                self.line("      skip }");
                self.line("    od");
                self.line("}");
            }
        }
    }

    /// Nothing can happen any more: may every machine end where it is?
    fn ending(&mut self) {
        self.line("active proctype deadlock() {");
        self.line("    timeout;");
        for machine in 0..self.network.machines.len() {
            let states = self.machine_type(machine).states.iter().enumerate();
            let ends: Vec<String> = states
                .filter(|(_, state)| state.end)
                .map(|(number, _)| format!("{}_state == {number}", self.name(machine)))
                .collect();
            let ends = match ends.is_empty() {
                true => "false".into(),
                false => ends.join(" || "),
            };
            self.line(&format!("    assert({ends});"));
        }
        self.line("    skip");
        self.line("}");
    }
}
