//! A model as machines with ports (`.efsm`), made from the syntax tree as the export to Promela is.
//!
//! A process is a machine, its input queue a port, a state a state; between the actions of a transition there are states too. A signal
//! without an address goes to any one of those who can get it: one transition for each. What a port cannot do is refused by name:
//! to leave a message and take one behind it (save, enabling conditions, priority inputs) or to take one back (timers).

mod actions;
mod output;
mod value;

use std::collections::HashSet;
use std::fmt::Write;

use mazurka_span::{Diagnostic, Span};

use self::value::{constant, plain, type_name, variable_name};
use super::process::default_of;
use super::{Lowerer, key};
use crate::ast::{Expression, State, Trigger, TriggerKind};
use crate::codes;

/// The text of a model that was lowered without an error, or what it has that machines with ports do not.
pub(super) fn export(lowerer: &Lowerer<'_>) -> Result<String, Box<Diagnostic>> {
    let mut export = Export {
        lowerer,
        process: 0,
        state: None,
        places: 0,
        temporaries: 0,
        transitions: Vec::new(),
        resting: HashSet::new(),
        labels: HashSet::new(),
        refused: None,
    };
    let text = export.system();
    match export.refused {
        None => Ok(text),
        Some((span, what)) => {
            let message = format!("{what}: machines with ports (.efsm) cannot express this");
            Err(Box::new(Diagnostic::error(codes::NOT_TAKEN, span, message)))
        }
    }
}

/// A transition of a machine; what is empty is not there.
#[derive(Default)]
struct Step<'s> {
    from: &'s str,
    to: &'s str,
    when: &'s str,
    receive: &'s str,
    block: &'s [String],
    send: &'s str,
}

struct Export<'e, 'a> {
    lowerer: &'e Lowerer<'a>,
    process: usize,
    state: Option<usize>,
    /// States between the actions of transitions, and variables for values on the way, so far in this machine.
    places: usize,
    temporaries: usize,
    transitions: Vec<String>,
    /// States between the actions of a transition where others may move.
    resting: HashSet<String>,
    /// The labels whose actions have been written.
    labels: HashSet<String>,
    /// The first thing that cannot be expressed.
    refused: Option<(Span, String)>,
}

impl Export<'_, '_> {
    fn refuse(&mut self, span: Span, what: &str) {
        self.refused.get_or_insert((span, what.to_string()));
    }

    fn system(&mut self) -> String {
        let lowerer = self.lowerer;
        let name = &lowerer.building.program.name;
        let mut text = format!("// {name} as machines with ports.\n\n");
        if lowerer.has_environment() {
            self.refuse(Span::default(), "signals from the environment");
        }
        let instances: u32 = lowerer.processes.iter().map(|process| process.slots).sum();
        if self.has_turns() {
            let _ = writeln!(text, "var stopped: bool[{instances}];");
            text += "var turn: byte; // Who is between two outputs, if anybody.\n\n";
        }
        for process in 0..lowerer.processes.len() {
            text += &self.machine(process);
        }
        for line in 0..lowerer.lines.len() {
            text += &self.line(line);
        }
        text += "system {\n";
        for (number, process) in lowerer.processes.iter().enumerate() {
            let (instance, machine) = (self.instances(number), self.machine_name(number));
            let _ = writeln!(
                text,
                "    {instance}[i < {}]: {machine}(i + {});",
                process.slots,
                process.first + 1
            );
        }
        for line in 0..lowerer.lines.len() {
            let _ = writeln!(text, "    line_{line}: Line_{line};");
        }
        text + "}\n"
    }

    fn machine_name(&self, process: usize) -> String {
        format!(
            "M_{}",
            plain(&self.lowerer.processes[process].ast.name.text)
        )
    }

    fn instances(&self, process: usize) -> String {
        format!(
            "p_{}",
            plain(&self.lowerer.processes[process].ast.name.text)
        )
    }

    fn signal_name(&self, signal: usize) -> String {
        format!("s_{}", plain(&self.lowerer.signals[signal].name))
    }

    fn machine(&mut self, process: usize) -> String {
        let lowerer = self.lowerer;
        let described = &lowerer.processes[process];
        (self.process, self.places, self.temporaries) = (process, 0, 0);
        self.transitions.clear();
        self.labels.clear();
        self.resting.clear();
        if let Some(timer) = described.ast.timers.first() {
            self.refuse(timer.name.span, "a timer");
        }
        if described.created_by.is_some() {
            self.refuse(described.ast.name.span, "a process that is created");
        }
        let expected = lowerer.expected(process);
        let states: Vec<String> = (described.states.iter())
            .map(|(name, _)| format!("S_{}", plain(name)))
            .collect();
        if let Some(start) = &described.ast.start {
            self.state = None;
            self.actions("Begin", &start.actions, None);
        }
        for (number, state) in states.iter().enumerate() {
            self.state = Some(number);
            self.behaviour(number, state, &expected);
        }
        self.state = None;
        for body in &described.ast.connections {
            let from = self.place();
            self.actions(&from, &body.actions, None);
        }
        for signal in &expected {
            let fields = self.ignored(*signal, 1);
            let name = self.signal_name(*signal);
            self.step(Step {
                from: "Stopped",
                to: "Stopped",
                receive: &format!("?in.{name}{fields}"),
                ..Step::default()
            });
        }
        let mut text = format!("machine {}(me: byte) {{\n", self.machine_name(process));
        if !expected.is_empty() {
            let messages: Vec<String> = (expected.iter())
                .map(|signal| self.message(*signal, &["byte"]))
                .collect();
            let (room, messages) = (lowerer.capacity, messages.join(", "));
            let _ = writeln!(text, "    port in[{room}] {{ {messages} }}");
        }
        text += &self.variables(&expected);
        text += "    start state Begin;\n    final state Stopped;\n";
        for (number, name) in states.iter().enumerate() {
            let marks = self.marks(number);
            let _ = writeln!(text, "    {marks}state {name};");
        }
        for place in 0..self.places {
            let _ = writeln!(text, "    state T_{place};");
        }
        let mut labels: Vec<&String> = self.labels.iter().collect();
        labels.sort();
        for label in labels {
            let _ = writeln!(text, "    state {label};");
        }
        for transition in &self.transitions {
            let _ = writeln!(text, "    {transition}");
        }
        text + "}\n\n"
    }

    /// A signal and what it carries, behind what everybody adds to it.
    fn message(&self, signal: usize, head: &[&str]) -> String {
        let types = self.lowerer.signals[signal].parameters.iter();
        let fields: Vec<&str> = (head.iter().copied())
            .chain(types.map(|type_| type_name(*type_)))
            .collect();
        format!("{}({})", self.signal_name(signal), fields.join(", "))
    }

    /// Patterns for a signal that is only taken.
    fn ignored(&self, signal: usize, head: usize) -> String {
        let count = head + self.lowerer.signals[signal].parameters.len();
        format!("({})", vec!["_"; count].join(", "))
    }

    fn variables(&mut self, expected: &[usize]) -> String {
        let lowerer = self.lowerer;
        let described = &lowerer.processes[self.process];
        let mut text = "    var sender: byte;\n".to_string();
        for variable in &described.ast.variables {
            let local = described.variables[&key(&variable.name)];
            if local.revealed_by.is_some() {
                self.refuse(variable.name.span, "a variable that is revealed");
            }
            let initial = match &variable.initial {
                Some(initial) => self.guard(initial),
                None => constant(default_of(local.type_), local.type_),
            };
            let length = local.length.map_or(String::new(), |n| format!("[{n}]"));
            let (name, type_) = (variable_name(&variable.name.text), type_name(local.type_));
            let _ = writeln!(text, "    var {name}: {type_}{length} = {initial};");
        }
        let mut fields = Vec::new();
        for signal in expected {
            let types = lowerer.signals[*signal].parameters.iter();
            fields.extend(types.map(|type_| type_name(*type_)).enumerate());
        }
        fields.sort();
        fields.dedup();
        for (number, type_) in fields {
            let _ = writeln!(text, "    var f_{type_}_{number}: {type_};");
        }
        for number in 0..self.temporaries {
            let _ = writeln!(text, "    var t_{number}: int;");
        }
        text
    }

    fn marks(&self, number: usize) -> String {
        let lowerer = self.lowerer;
        let states = lowerer.processes[self.process].ast.states.iter();
        let of =
            states.filter(|state| lowerer.states_of(self.process, &state.of).contains(&number));
        let marks: HashSet<&str> = of
            .flat_map(|state| &state.marks)
            .map(|m| m.as_str())
            .collect();
        let known = [
            ("end", "final "),
            ("progress", "progress "),
            ("accept", "accept "),
        ];
        let said = known.iter().filter(|(mark, _)| marks.contains(mark));
        said.map(|(_, word)| *word).collect()
    }

    /// Writes a transition. Where processes stop, it matters who moves when: between two outputs, nobody else does.
    fn step(&mut self, step: Step<'_>) {
        let mut when = step.when.to_string();
        let mut block = step.block.to_vec();
        if self.has_turns() {
            let own = "(turn == 0 || turn == me)";
            when = match when.is_empty() {
                true => own.into(),
                false => format!("{own} && ({when})"),
            };
            let rests = !step.to.starts_with(['T', 'L']) || self.resting.contains(step.to);
            block.push(format!("turn := {};", if rests { "0" } else { "me" }));
        }
        let mut text = format!("{} -> {}", step.from, step.to);
        for (before, part) in [(" when ", &*when), (" ", step.receive)] {
            if !part.is_empty() {
                text += &format!("{before}{part}");
            }
        }
        text += &braces(&block);
        if !step.send.is_empty() {
            text += &format!(" {}", step.send);
        }
        self.transitions.push(format!("{text};"));
    }

    /// Goes from one state to another, and does nothing else.
    fn link(&mut self, from: &str, to: &str) {
        self.compute(from, to, "", &[]);
    }

    /// Does something on the way from one state to another.
    fn compute(&mut self, from: &str, to: &str, when: &str, block: &[String]) {
        self.step(Step {
            from,
            to,
            when,
            block,
            ..Step::default()
        });
    }

    fn has_turns(&self) -> bool {
        self.lowerer
            .processes
            .iter()
            .any(|process| process.exists.is_some())
    }

    fn place(&mut self) -> String {
        self.places += 1;
        format!("T_{}", self.places - 1)
    }

    /// What a state does with signals, and without.
    fn behaviour(&mut self, number: usize, from: &str, expected: &[usize]) {
        let lowerer = self.lowerer;
        let process = self.process;
        let applies = |state: &&State| lowerer.states_of(process, &state.of).contains(&number);
        let states = lowerer.processes[process].ast.states.iter().filter(applies);
        let triggers: Vec<&Trigger> = states.flat_map(|state| &state.triggers).collect();
        let mut handled = Vec::new();
        let mut rest: Option<&Trigger> = None;
        for trigger in &triggers {
            match &trigger.kind {
                TriggerKind::Input(stimuli) => {
                    if trigger.provided.is_some() {
                        self.refuse(trigger.span, "the condition of an input, which saves");
                    }
                    for stimulus in stimuli {
                        let found = lowerer.stimulus_named(process, &stimulus.signal);
                        let Some(signal) = found else { continue };
                        handled.push(signal);
                        self.input(from, signal, &stimulus.targets, trigger, expected);
                    }
                }
                TriggerKind::AnyInput => rest = Some(trigger),
                TriggerKind::Spontaneous => {
                    let guard = trigger
                        .provided
                        .as_ref()
                        .map(|condition| self.guard(condition));
                    self.without_signal(from, guard, trigger);
                }
                TriggerKind::Continuous(priority) => {
                    let mut guards = Vec::new();
                    if !expected.is_empty() {
                        guards.push("len(in) == 0".to_string());
                    }
                    guards.extend(
                        trigger
                            .provided
                            .as_ref()
                            .map(|condition| self.guard(condition)),
                    );
                    for other in &triggers {
                        if let (TriggerKind::Continuous(before), Some(condition)) =
                            (&other.kind, &other.provided)
                            && before < priority
                        {
                            guards.push(format!("!{}", self.guard(condition)));
                        }
                    }
                    self.without_signal(from, Some(guards.join(" && ")), trigger);
                }
                TriggerKind::Save(_) | TriggerKind::SaveAll => self.refuse(trigger.span, "`save`"),
                TriggerKind::PriorityInput(_) => self.refuse(trigger.span, "`priority input`"),
                TriggerKind::Exit(_) | TriggerKind::AnyExit => {}
            }
        }
        let others: Vec<usize> = expected
            .iter()
            .copied()
            .filter(|s| !handled.contains(s))
            .collect();
        if let (Some(trigger), true) = (rest, others.is_empty()) {
            // Nothing is left for it; its labels may still be joined.
            let place = self.place();
            self.actions(&place, &trigger.body.actions, None);
        }
        for signal in others {
            match rest {
                Some(trigger) => self.input(from, signal, &[], trigger, expected),
                None => {
                    let (name, fields) = (self.signal_name(signal), self.ignored(signal, 1));
                    let told = ["assert false;".to_string()];
                    let block = match lowerer.reports_unexpected {
                        true => &told[..],
                        false => &[],
                    };
                    self.step(Step {
                        from,
                        to: from,
                        receive: &format!("?in.{name}{fields}"),
                        block,
                        ..Step::default()
                    });
                }
            }
        }
    }

    fn without_signal(&mut self, from: &str, guard: Option<String>, trigger: &Trigger) {
        let place = self.place();
        let sender = ["sender := me;".to_string()];
        self.compute(from, &place, &guard.unwrap_or_default(), &sender);
        self.actions(&place, &trigger.body.actions, None);
    }

    fn input(
        &mut self,
        from: &str,
        signal: usize,
        targets: &[Option<Expression>],
        trigger: &Trigger,
        expected: &[usize],
    ) {
        let place = self.place();
        if expected.contains(&signal) {
            let types = &self.lowerer.signals[signal].parameters;
            let mut patterns = vec!["sender".to_string()];
            let mut block = Vec::new();
            for (number, type_) in types.iter().enumerate() {
                let Some(Some(target)) = targets.get(number) else {
                    patterns.push("_".into());
                    continue;
                };
                let field = format!("f_{}_{number}", type_name(*type_));
                self.store(target, &field, *type_, &mut block);
                block.push(format!("{field} := {};", constant(0, *type_)));
                patterns.push(field);
            }
            let (name, patterns) = (self.signal_name(signal), patterns.join(", "));
            self.step(Step {
                from,
                to: &place,
                receive: &format!("?in.{name}({patterns})"),
                block: &block,
                ..Step::default()
            });
        }
        self.actions(&place, &trigger.body.actions, None);
    }
}

fn none_of(guards: &[String]) -> String {
    let all: Vec<String> = guards.iter().map(|guard| format!("!({guard})")).collect();
    match all.is_empty() {
        true => "true".into(),
        false => all.join(" && "),
    }
}

fn braces(block: &[String]) -> String {
    match block.is_empty() {
        true => String::new(),
        false => format!(" {{ {} }}", block.join(" ")),
    }
}
