//! Machine types: states, mappings, timers.

use std::collections::HashSet;

use mazurka_span::Diagnostic;

use crate::ast::{self, How, Model, Tolerance};
use crate::codes;
use crate::network::{
    Action, Condition, Event, InputAlternative, Next, Operation, Output, OutputAlternative,
    Register, Role, Spontaneous, State, Timer, Type,
};

use super::{Names, Resolver};

/// The inputs of a machine fit into one register.
const MOST_INPUTS: usize = Register::BITS as usize;

/// The names that a machine type declares.
struct Scope<'m> {
    states: Names<'m>,
    inputs: Names<'m>,
    events: Names<'m>,
    outputs: Names<'m>,
    timers: Names<'m>,
}

impl Resolver<'_> {
    pub(super) fn types(&mut self, model: &Model) {
        self.number(
            "machine type",
            model.machines.iter().map(|machine| &machine.name),
        );
        for machine in &model.machines {
            let resolved = self.machine_type(machine);
            self.network.types.push(resolved);
        }
    }

    fn machine_type(&mut self, machine: &ast::MachineType) -> Type {
        let mapped: HashSet<&str> = machine.outputs.iter().map(|o| &*o.output.text).collect();
        // An output without a mapping does nothing; it is reported once, where it stands first.
        let mut unmapped = Vec::new();
        let mut seen = mapped;
        for output in used_outputs(machine) {
            if seen.insert(&output.text) {
                unmapped.push(output);
                let message = format!(
                    "virtual output `{}` has no mapping: it does nothing",
                    output.text
                );
                let hint = format!("`out {}: nothing;` says so on purpose", output.text);
                self.diagnostics.push(
                    Diagnostic::warning(codes::OUTPUT_NOT_MAPPED, output.span, message).hint(hint),
                );
            }
        }
        let outputs = machine.outputs.iter().map(|o| &o.output);
        let scope = Scope {
            states: self.number("state", machine.states.iter().map(|state| &state.name)),
            inputs: self.number("virtual input", machine.inputs.iter()),
            events: self.number("event", machine.events.iter().map(|event| &event.event)),
            outputs: self.number("virtual output", outputs.chain(unmapped.iter().copied())),
            timers: self.number("timer", machine.timers.iter().map(|timer| &timer.name)),
        };
        if machine.inputs.len() > MOST_INPUTS {
            let message = format!("more than {MOST_INPUTS} virtual inputs");
            self.error(codes::TOO_MANY, machine.inputs[MOST_INPUTS].span, message);
        }
        if machine.initial.is_empty() {
            let message = format!("machine type `{}` has no initial state", machine.name.text);
            self.error(codes::NO_INITIAL_STATE, machine.name.span, message);
        }
        let mut roles: Vec<Role> = Vec::new();
        let mut resolved_outputs: Vec<Output> = machine
            .outputs
            .iter()
            .map(|mapping| self.output(mapping, &scope, &mut roles))
            .collect();
        resolved_outputs.extend(unmapped.iter().map(|output| Output {
            name: output.text.to_string(),
            alternatives: vec![OutputAlternative {
                operations: Vec::new(),
                span: None,
            }],
        }));
        self.warn_of_unused(machine);
        let states = self.states(machine, &scope);
        Type {
            name: machine.name.text.to_string(),
            span: machine.name.span,
            inputs: machine
                .inputs
                .iter()
                .take(MOST_INPUTS)
                .map(|i| i.text.to_string())
                .collect(),
            events: machine
                .events
                .iter()
                .map(|event| self.event(event, &scope, states.len()))
                .collect(),
            outputs: resolved_outputs,
            timers: machine
                .timers
                .iter()
                .filter_map(|timer| self.timer(timer, &scope))
                .collect(),
            roles,
            initial: self.find_all(&scope.states, &machine.initial),
            spontaneous: machine
                .spontaneous
                .iter()
                .map(|mapping| self.spontaneous(mapping, &scope, states.len()))
                .collect(),
            states,
        }
    }

    fn states(&mut self, machine: &ast::MachineType, scope: &Scope<'_>) -> Vec<State> {
        let end = self.find_all(&scope.states, &machine.end);
        let progress = self.find_all(&scope.states, &machine.progress);
        let mut states = Vec::new();
        for (number, state) in machine.states.iter().enumerate() {
            let mut resolved = State {
                name: state.name.text.to_string(),
                span: state.name.span,
                entry: self.find_all(&scope.outputs, &state.entry),
                exit: self.find_all(&scope.outputs, &state.exit),
                actions: Vec::new(),
                next: Vec::new(),
                end: end.contains(&number),
                progress: progress.contains(&number),
                mentions: 0,
            };
            for action in &state.actions {
                let condition = self.condition(&action.condition, scope);
                resolved.mentions |= condition.mentions();
                let outputs = self.find_all(&scope.outputs, &action.outputs);
                let span = action.span;
                resolved.actions.push(Action {
                    condition,
                    outputs,
                    span,
                });
            }
            for next in &state.next {
                let condition = self.condition(&next.condition, scope);
                resolved.mentions |= condition.mentions();
                let target = self.find(&scope.states, &next.target).unwrap_or(0);
                let span = next.span;
                resolved.next.push(Next {
                    condition,
                    target,
                    span,
                });
            }
            states.push(resolved);
        }
        states
    }

    fn condition(&mut self, condition: &ast::Condition, scope: &Scope<'_>) -> Condition {
        match condition {
            ast::Condition::Always => Condition::Always,
            ast::Condition::Input(name) => {
                let input = self.input(name, scope);
                input.map_or(Condition::Always, Condition::Input)
            }
            ast::Condition::Not(inner) => Condition::Not(Box::new(self.condition(inner, scope))),
            ast::Condition::And(parts) => Condition::And(
                parts
                    .iter()
                    .map(|part| self.condition(part, scope))
                    .collect(),
            ),
            ast::Condition::Or(parts) => Condition::Or(
                parts
                    .iter()
                    .map(|part| self.condition(part, scope))
                    .collect(),
            ),
        }
    }

    fn input(&mut self, name: &ast::Name, scope: &Scope<'_>) -> Option<u32> {
        let input = self.find(&scope.inputs, name)?;
        (input < MOST_INPUTS).then_some(input as u32)
    }

    fn event(&mut self, mapping: &ast::EventMapping, scope: &Scope<'_>, states: usize) -> Event {
        let tolerated = match &mapping.tolerance {
            Tolerance::Nowhere => vec![false; states],
            Tolerance::Anywhere => vec![true; states],
            Tolerance::Also(names) => self.mask(names, scope, states),
        };
        Event {
            name: mapping.event.text.to_string(),
            span: mapping.event.span,
            alternatives: self.alternatives(&mapping.alternatives, scope),
            tolerated,
        }
    }

    fn spontaneous(
        &mut self,
        mapping: &ast::Spontaneous,
        scope: &Scope<'_>,
        states: usize,
    ) -> Spontaneous {
        let states = match mapping.states.is_empty() {
            true => vec![true; states],
            false => self.mask(&mapping.states, scope, states),
        };
        Spontaneous {
            states,
            alternatives: self.alternatives(&mapping.alternatives, scope),
        }
    }

    fn mask(&mut self, names: &[ast::Name], scope: &Scope<'_>, states: usize) -> Vec<bool> {
        let mut mask = vec![false; states];
        for state in self.find_all(&scope.states, names) {
            mask[state] = true;
        }
        mask
    }

    fn alternatives(
        &mut self,
        alternatives: &[ast::InputAlternative],
        scope: &Scope<'_>,
    ) -> Vec<InputAlternative> {
        let mut resolved = Vec::new();
        for alternative in alternatives {
            let mut made = InputAlternative {
                insert: 0,
                delete: 0,
                pulse: 0,
                span: alternative.span,
            };
            for change in &alternative.changes {
                let Some(input) = self.input(&change.input, scope) else {
                    continue;
                };
                if made.touches() >> input & 1 != 0 {
                    let message = format!("`{}` twice in one alternative", change.input.text);
                    self.error(codes::CONTRADICTION, change.input.span, message);
                }
                let set = match change.how {
                    How::Insert => &mut made.insert,
                    How::Delete => &mut made.delete,
                    How::Pulse => &mut made.pulse,
                };
                *set |= 1 << input;
            }
            resolved.push(made);
        }
        resolved
    }

    fn output(
        &mut self,
        mapping: &ast::OutputMapping,
        scope: &Scope<'_>,
        roles: &mut Vec<Role>,
    ) -> Output {
        let mut alternatives = Vec::new();
        for alternative in &mapping.alternatives {
            let mut operations = Vec::new();
            for operation in &alternative.operations {
                let resolved = match operation {
                    ast::Operation::Send { event, to } => Some(Operation::Send {
                        role: role(roles, to),
                        event: event.text.to_string(),
                    }),
                    ast::Operation::Start(timer) => {
                        self.find(&scope.timers, timer).map(Operation::Start)
                    }
                    ast::Operation::Stop(timer) => {
                        self.find(&scope.timers, timer).map(Operation::Stop)
                    }
                    ast::Operation::Feedback(event) => {
                        self.find(&scope.events, event).map(Operation::Feedback)
                    }
                    ast::Operation::Clear(input) => self.input(input, scope).map(Operation::Clear),
                };
                operations.extend(resolved);
            }
            alternatives.push(OutputAlternative {
                operations,
                span: Some(alternative.span),
            });
        }
        Output {
            name: mapping.output.text.to_string(),
            alternatives,
        }
    }

    fn timer(&mut self, timer: &ast::Timer, scope: &Scope<'_>) -> Option<Timer> {
        Some(Timer {
            name: timer.name.text.to_string(),
            span: timer.name.span,
            start: timer.span.start,
            duration: timer.duration,
            event: self.find(&scope.events, &timer.event)?,
        })
    }

    /// Inputs that no condition asks for, outputs that no state makes, timers that nobody starts.
    fn warn_of_unused(&mut self, machine: &ast::MachineType) {
        let mut asked: HashSet<&str> = HashSet::new();
        for state in &machine.states {
            let conditions = state.actions.iter().map(|action| &action.condition);
            for condition in conditions.chain(state.next.iter().map(|next| &next.condition)) {
                collect_inputs(condition, &mut asked);
            }
        }
        let made: HashSet<&str> = used_outputs(machine).map(|output| &*output.text).collect();
        let operations = machine
            .outputs
            .iter()
            .flat_map(|mapping| &mapping.alternatives);
        let started: HashSet<&str> = operations
            .flat_map(|alternative| &alternative.operations)
            .filter_map(|operation| match operation {
                ast::Operation::Start(timer) => Some(&*timer.text),
                _ => None,
            })
            .collect();
        let inputs = machine
            .inputs
            .iter()
            .map(|name| ("virtual input", name, &asked));
        let outputs = machine
            .outputs
            .iter()
            .map(|o| ("virtual output", &o.output, &made));
        let timers = machine.timers.iter().map(|t| ("timer", &t.name, &started));
        for (what, name, used) in inputs.chain(outputs).chain(timers) {
            if !used.contains(&*name.text) {
                let verb = match what {
                    "virtual input" => "no condition asks for it",
                    "virtual output" => "no state makes it",
                    _ => "nobody starts it",
                };
                let message = format!("{what} `{}` is never used: {verb}", name.text);
                let warning = Diagnostic::warning(codes::NEVER_USED, name.span, message);
                self.diagnostics.push(warning);
            }
        }
    }
}

/// Every place where an output is made.
fn used_outputs(machine: &ast::MachineType) -> impl Iterator<Item = &ast::Name> {
    machine.states.iter().flat_map(|state| {
        let actions = state.actions.iter().flat_map(|action| &action.outputs);
        state.entry.iter().chain(&state.exit).chain(actions)
    })
}

fn collect_inputs<'m>(condition: &'m ast::Condition, inputs: &mut HashSet<&'m str>) {
    match condition {
        ast::Condition::Always => {}
        ast::Condition::Input(name) => {
            inputs.insert(&name.text);
        }
        ast::Condition::Not(inner) => collect_inputs(inner, inputs),
        ast::Condition::And(parts) | ast::Condition::Or(parts) => {
            parts.iter().for_each(|part| collect_inputs(part, inputs));
        }
    }
}

/// The number of a role, which is declared by its first use.
fn role(roles: &mut Vec<Role>, name: &ast::Name) -> usize {
    let known = roles.iter().position(|role| role.name == *name.text);
    known.unwrap_or_else(|| {
        roles.push(Role {
            name: name.text.to_string(),
            span: name.span,
        });
        roles.len() - 1
    })
}
