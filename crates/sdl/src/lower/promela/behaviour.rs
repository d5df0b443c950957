//! Processes: states, what sets transitions off, and transitions.

use mazurka_promela::ast::{
    Expr, ExprKind, Probe, ReceiveArgumentKind, Statement, StatementKind, TypeKind, Unit,
};
use mazurka_promela::build;

use super::super::{Type, key};
use super::{Export, anything, aside};
use crate::ast::{
    Action, ActionKind, Answer, BinaryOperator, ExpressionKind, Name, Output, Question, Range,
    States, Trigger, TriggerKind,
};
use crate::routing;

impl Export<'_, '_> {
    pub(super) fn proctype(&mut self, process: usize) -> Unit {
        let lowerer = self.lowerer;
        let ast = lowerer.processes[process].ast;
        self.process = process;
        self.segments.clear();
        self.state = None;
        let mut body = self.declarations(process);
        if let Some(start) = &ast.start {
            let steps = self.actions(&start.actions, None);
            body.push(build::atomic(first_skip(steps)));
        }
        for state in 0..lowerer.processes[process].states.len() {
            let statement = self.state(state);
            body.push(statement);
        }
        self.joined_elsewhere();
        let mut passed: Vec<Vec<Statement>> = Vec::new();
        for signal in lowerer.expected(process) {
            passed.push(self.pass_over(signal, "stopped"));
        }
        passed.push(vec![build::condition(build::truth(false))]);
        let labels = [build::name("end_stopped"), build::name("stopped")];
        body.push(build::labelled(labels, build::select(passed)));
        let mut done = 0;
        while done < self.segments.len() {
            let (label, released, mut steps) = self.segments[done].clone();
            done += 1;
            if joins(&steps, &label) {
                let same = build::assign(build::variable("sender"), build::value("sender"));
                steps.insert(0, same);
            } else {
                steps = first_skip(steps);
            }
            let label = build::name(&label);
            let atomic = build::atomic(steps);
            match released {
                true => {
                    body.push(build::labelled([label], build::skip()));
                    body.push(atomic);
                }
                false => body.push(build::labelled([label], atomic)),
            }
        }
        let name = self.proctype_name(process);
        let me = build::declare(TypeKind::Byte, "me", None, None);
        build::proctype(&name, false, vec![me], None, body)
    }

    /// Lays down what is joined but stands behind a signal that nobody sends: its state has no option for it.
    fn joined_elsewhere(&mut self) {
        let lowerer = self.lowerer;
        let ast = lowerer.processes[self.process].ast;
        let joins = routing::actions(ast).into_iter();
        let joined: Vec<String> = joins
            .filter_map(|action| match &action.kind {
                ActionKind::Join(label) => Some(self.join_label(label)),
                _ => None,
            })
            .collect();
        for (number, (_, name)) in lowerer.processes[self.process].states.iter().enumerate() {
            let of = ast.states.iter().filter(|state| applies(&state.of, name));
            for trigger in of.flat_map(|state| &state.triggers) {
                let missing = routing::actions_of(&trigger.body).iter().any(|action| {
                    let label = action.label.as_ref().map(|label| self.join_label(label));
                    label.is_some_and(|label| joined.contains(&label) && !self.is_laid_down(&label))
                });
                if missing {
                    self.state = Some(number);
                    self.actions(&trigger.body.actions, None);
                }
            }
        }
    }

    fn join_label(&mut self, label: &Name) -> String {
        let process = self.process.to_string();
        self.names.given("J", &key(label), &process)
    }

    fn is_laid_down(&self, label: &str) -> bool {
        self.segments.iter().any(|(known, ..)| known == label)
    }

    fn state_label(&mut self, state: usize) -> String {
        let name = &self.lowerer.processes[self.process].states[state].1;
        self.names.given("S", &name.clone(), "")
    }

    fn fresh_label(&mut self) -> String {
        self.labels += 1;
        format!("L_{}", self.labels)
    }

    fn state(&mut self, number: usize) -> Statement {
        let lowerer = self.lowerer;
        let process = self.process;
        self.state = Some(number);
        let ast = lowerer.processes[process].ast;
        let label = self.state_label(number);
        let name = &lowerer.processes[process].states[number].1;
        let of: Vec<_> = ast
            .states
            .iter()
            .filter(|state| applies(&state.of, name))
            .collect();
        let triggers: Vec<&Trigger> = of.iter().flat_map(|state| &state.triggers).collect();
        let mut options: Vec<Vec<Statement>> = Vec::new();
        for signal in lowerer.expected(process) {
            let named = |trigger: &&&Trigger| match &trigger.kind {
                TriggerKind::Input(stimuli) => {
                    let mut stimuli = stimuli.iter();
                    stimuli.any(|s| self.is_signal(&s.signal, signal))
                }
                TriggerKind::Save(members) => {
                    let signals = routing::signals_of(lowerer.system, members);
                    signals.contains(&lowerer.signals[signal].name.to_ascii_lowercase())
                }
                _ => false,
            };
            let found = triggers.iter().find(named).or_else(|| {
                triggers.iter().find(|trigger| {
                    matches!(trigger.kind, TriggerKind::AnyInput | TriggerKind::SaveAll)
                })
            });
            match found.copied() {
                None => options.push(self.pass_over(signal, &label)),
                Some(trigger) => match trigger.kind {
                    TriggerKind::Save(_) | TriggerKind::SaveAll => {
                        options.push(self.save(signal, None, &label));
                    }
                    _ => {
                        let mut guard = self.is_first(signal);
                        if let Some(condition) = &trigger.provided {
                            let condition = self.value(condition);
                            let closed = build::not(condition.clone());
                            options.push(self.save(signal, Some(closed), &label));
                            guard = build::all([guard, condition]);
                        }
                        let mut steps = vec![build::condition(guard)];
                        steps.extend(self.take(signal, trigger));
                        steps.extend(self.actions(&trigger.body.actions, None));
                        options.push(vec![build::atomic(steps)]);
                    }
                },
            }
        }
        for trigger in &triggers {
            let condition = trigger
                .provided
                .as_ref()
                .map(|condition| self.value(condition));
            let mut guards: Vec<Expr> = condition.into_iter().collect();
            match trigger.kind {
                TriggerKind::Spontaneous => {}
                TriggerKind::Continuous(priority) => {
                    guards.insert(0, build::probe(Probe::Empty, self.own()));
                    for other in &triggers {
                        if let (TriggerKind::Continuous(before), Some(condition)) =
                            (&other.kind, &other.provided)
                            && *before < priority
                        {
                            guards.push(build::not(self.value(condition)));
                        }
                    }
                }
                _ => continue,
            }
            let pid = build::binary(BinaryOperator::Add, build::value("me"), build::number(1));
            // SPIN refuses a way back to the same place that begins with `true`.
            guards.retain(|guard| !is_true(guard));
            let guard = (!guards.is_empty()).then(|| build::condition(build::all(guards)));
            let mut steps: Vec<Statement> = guard.into_iter().collect();
            steps.push(build::assign(build::variable("sender"), pid));
            steps.extend(self.actions(&trigger.body.actions, None));
            options.push(vec![build::atomic(steps)]);
        }
        let statement = match options.is_empty() {
            true => build::condition(build::truth(false)),
            false => build::select(options),
        };
        let mut labels = Vec::new();
        let marks: Vec<&str> = of
            .iter()
            .flat_map(|s| &s.marks)
            .map(String::as_str)
            .collect();
        for mark in ["end", "accept", "progress"] {
            if marks.contains(&mark) {
                labels.push(build::name(&format!("{mark}_{label}")));
            }
        }
        labels.push(build::name(&label));
        build::labelled(labels, statement)
    }

    fn is_signal(&self, name: &Name, signal: usize) -> bool {
        let described = &self.lowerer.signals[signal];
        described.name.eq_ignore_ascii_case(&name.text)
    }

    /// Takes a signal with its parameters.
    fn take(&mut self, signal: usize, trigger: &Trigger) -> Vec<Statement> {
        let lowerer = self.lowerer;
        let sender = build::variable("sender");
        let mut rest = vec![build::argument(ReceiveArgumentKind::Variable(sender))];
        rest.resize(lowerer.head() - 1, anything());
        let mut checks = Vec::new();
        if let TriggerKind::Input(stimuli) = &trigger.kind {
            let stimulus = stimuli.iter().find(|s| self.is_signal(&s.signal, signal));
            let targets = stimulus.map_or(&[][..], |stimulus| &stimulus.targets);
            let types = lowerer.signals[signal].parameters.clone();
            for (target, type_) in targets.iter().zip(types) {
                rest.push(match target {
                    None => anything(),
                    Some(target) => {
                        let variable = build::variable(&self.variable_name(&target.text));
                        let local = lowerer.processes[self.process].variables[&key(target)];
                        if local.type_ != type_ {
                            checks.extend(in_range(build::read(variable.clone()), local.type_));
                        }
                        build::argument(ReceiveArgumentKind::Variable(variable))
                    }
                });
            }
        }
        let mut steps = vec![build::receive(self.own(), self.arguments(signal, rest))];
        steps.extend(checks);
        steps
    }

    fn pass_over(&mut self, signal: usize, label: &str) -> Vec<Statement> {
        let first = build::condition(self.is_first(signal));
        let mut steps = vec![first];
        if self.lowerer.reports_unexpected && label != "stopped" {
            steps.push(build::assert(build::truth(false)));
        }
        steps.push(build::receive(
            self.own(),
            self.arguments(signal, Vec::new()),
        ));
        steps.push(build::go_to(label));
        vec![build::atomic(steps)]
    }

    fn all_fields(&self) -> Vec<mazurka_promela::ast::ReceiveArgument> {
        let fields = (0..self.lowerer.width()).map(|number| {
            let variable = build::variable(&aside(number));
            build::argument(ReceiveArgumentKind::Variable(variable))
        });
        fields.collect()
    }

    fn all_values(&self) -> Vec<Expr> {
        (0..self.lowerer.width())
            .map(|number| build::value(&aside(number)))
            .collect()
    }

    fn forget(&self) -> Vec<Statement> {
        let fields = 0..self.lowerer.width();
        fields
            .map(|number| build::assign(build::variable(&aside(number)), build::number(0)))
            .collect()
    }

    fn save(&mut self, signal: usize, condition: Option<Expr>, label: &str) -> Vec<Statement> {
        let mut guards = vec![self.is_first(signal)];
        guards.extend(condition);
        let mut steps = vec![
            build::condition(build::all(guards)),
            build::receive(self.own(), self.all_fields()),
            build::send(self.put_aside(), self.all_values()),
        ];
        steps.extend(self.forget());
        steps.push(build::go_to(label));
        vec![build::atomic(steps)]
    }

    /// What was put aside comes before the rest again.
    fn restore(&self) -> Vec<Statement> {
        if !self.lowerer.processes[self.process].saves {
            return Vec::new();
        }
        let mut steps = Vec::new();
        for (from, to) in [
            (self.own(), self.put_aside()),
            (self.put_aside(), self.own()),
        ] {
            let some = build::probe(Probe::NotEmpty, from.clone());
            let none = build::probe(Probe::Empty, from.clone());
            steps.push(build::repeat(vec![
                vec![
                    build::condition(some),
                    build::receive(from, self.all_fields()),
                    build::send(to, self.all_values()),
                ],
                vec![build::condition(none), build::leave()],
            ]));
        }
        steps.extend(self.forget());
        steps
    }

    /// Actions, up to a jump. `after` is the label of what comes behind them.
    fn actions(&mut self, actions: &[Action], after: Option<&str>) -> Vec<Statement> {
        let Some((action, rest)) = actions.split_first() else {
            return vec![build::go_to(after.unwrap_or("stopped"))];
        };
        if let Some(label) = &action.label {
            let name = self.join_label(label);
            if !self.is_laid_down(&name) {
                let place = self.segments.len();
                self.segments.push((name.clone(), false, Vec::new()));
                let plain = Action {
                    label: None,
                    ..action.clone()
                };
                let all: Vec<Action> = std::iter::once(plain).chain(rest.iter().cloned()).collect();
                let steps = self.actions(&all, after);
                self.segments[place].2 = steps;
            }
            return vec![build::go_to(&name)];
        }
        match &action.kind {
            ActionKind::NextState(_) | ActionKind::Stop | ActionKind::Join(_) => self.end(action),
            ActionKind::Output(output) => {
                let mut steps = self.output(output);
                let ends = matches!(
                    rest.first(),
                    Some(Action {
                        label: None,
                        kind: ActionKind::NextState(_) | ActionKind::Stop,
                        ..
                    })
                );
                if ends {
                    steps.extend(self.actions(rest, after));
                } else {
                    let label = self.fresh_label();
                    let place = self.segments.len();
                    self.segments.push((label.clone(), true, Vec::new()));
                    let more = self.actions(rest, after);
                    self.segments[place].2 = more;
                    steps.push(build::go_to(&label));
                }
                steps
            }
            ActionKind::Decision(question, answers) => {
                let mut label = after.map(String::from);
                if !rest.is_empty() {
                    let fresh = self.fresh_label();
                    let place = self.segments.len();
                    self.segments.push((fresh.clone(), false, Vec::new()));
                    let more = self.actions(rest, after);
                    self.segments[place].2 = more;
                    label = Some(fresh);
                }
                vec![self.decision(question, answers, label.as_deref())]
            }
            _ => {
                let mut steps = self.simple(action);
                steps.extend(self.actions(rest, after));
                steps
            }
        }
    }

    fn end(&mut self, action: &Action) -> Vec<Statement> {
        match &action.kind {
            ActionKind::Join(label) => {
                let name = self.join_label(label);
                vec![build::go_to(&name)]
            }
            ActionKind::NextState(name) => {
                let states = &self.lowerer.processes[self.process].states;
                let named = name.as_ref();
                let found = named.and_then(|n| states.iter().position(|(_, k)| *k == key(n)));
                let state = found.or(self.state).unwrap_or(0);
                let mut steps = self.restore();
                steps.push(build::go_to(&self.state_label(state)));
                steps
            }
            _ => {
                let mut steps = Vec::new();
                for (signal, _) in self.lowerer.processes[self.process].timers.clone() {
                    let running = self.running(self.process, signal);
                    steps.push(build::assign(running, build::number(0)));
                }
                steps.push(build::go_to("stopped"));
                steps
            }
        }
    }

    fn simple(&mut self, action: &Action) -> Vec<Statement> {
        let process = self.process;
        match &action.kind {
            ActionKind::Assign(name, value) => {
                let local = self.lowerer.processes[process].variables[&key(name)];
                let value = self.value(value);
                let mut steps: Vec<Statement> =
                    in_range(value.clone(), local.type_).into_iter().collect();
                let variable = build::variable(&self.variable_name(&name.text));
                steps.push(build::assign(variable, value));
                steps
            }
            ActionKind::Set(timer) | ActionKind::Reset(timer) => {
                let timers = self.lowerer.processes[process].timers.iter();
                let mut timers = timers.map(|(signal, _)| *signal);
                let Some(signal) = timers.find(|signal| self.is_signal(timer, *signal)) else {
                    return Vec::new();
                };
                let mut steps = Vec::new();
                for queue in [self.own(), self.put_aside()] {
                    let arguments = self.arguments(signal, Vec::new());
                    let there = build::expr(mazurka_promela::ast::ExprKind::Poll {
                        channel: queue.clone(),
                        random: true,
                        arguments: arguments.clone(),
                    });
                    let take = mazurka_promela::ast::Receive {
                        channel: queue,
                        random: true,
                        peek: false,
                        arguments,
                        tagged: false,
                    };
                    let take = build::statement(mazurka_promela::ast::StatementKind::Receive(take));
                    steps.push(build::repeat(vec![
                        vec![build::condition(there), take],
                        vec![build::otherwise(), build::leave()],
                    ]));
                }
                let runs = i32::from(matches!(action.kind, ActionKind::Set(_)));
                let running = self.running(process, signal);
                steps.push(build::assign(running, build::number(runs)));
                steps
            }
            _ => Vec::new(),
        }
    }

    fn decision(
        &mut self,
        question: &Question,
        answers: &[Answer],
        after: Option<&str>,
    ) -> Statement {
        let mut options = Vec::new();
        for answer in answers {
            let guard = match (question, &answer.ranges) {
                (Question::Any, _) => build::skip(),
                (Question::Value(_), None) => build::otherwise(),
                (Question::Value(value), Some(ranges)) => {
                    let value = self.value(value);
                    let parts: Vec<Expr> = ranges
                        .iter()
                        .map(|range| match range {
                            Range::Compared(operator, other) => {
                                build::binary(*operator, value.clone(), self.value(other))
                            }
                            Range::Between(low, high) => {
                                let low = self.value(low);
                                let low =
                                    build::binary(BinaryOperator::GreaterEqual, value.clone(), low);
                                let high = self.value(high);
                                let high =
                                    build::binary(BinaryOperator::LessEqual, value.clone(), high);
                                build::all([low, high])
                            }
                        })
                        .collect();
                    build::condition(build::any(parts))
                }
            };
            let mut option = vec![guard];
            option.extend(self.actions(&answer.body.actions, after));
            options.push(option);
        }
        let closed = answers.iter().any(|answer| answer.ranges.is_none());
        if !closed {
            let wrong = build::assert(build::truth(false));
            options.push(vec![build::otherwise(), wrong, build::go_to("stopped")]);
        }
        build::select(options)
    }

    fn output(&mut self, output: &Output) -> Vec<Statement> {
        let lowerer = self.lowerer;
        let Some(signal) = lowerer.signal_named(&output.signal) else {
            return Vec::new();
        };
        let at = lowerer.processes[self.process].at;
        let mut receivers =
            routing::receivers(lowerer.system, at, &output.signal.text, &output.via);
        let mut pid = None;
        if let Some(to) = &output.to {
            let named = match &to.kind {
                ExpressionKind::Name(name) => lowerer.process_named(name),
                _ => None,
            };
            match named {
                Some(process) => {
                    let wanted = Some(lowerer.processes[process].at);
                    receivers.retain(|receiver| receiver.process == wanted);
                }
                None => pid = Some(self.value(to)),
            }
        }
        let values: Vec<Expr> = output
            .values
            .iter()
            .map(|value| self.value(value))
            .collect();
        let mut steps: Vec<Statement> = Vec::new();
        for (value, type_) in values.iter().zip(&lowerer.signals[signal].parameters) {
            steps.extend(in_range(value.clone(), *type_));
        }
        let own = build::binary(BinaryOperator::Add, build::value("me"), build::number(1));
        let mut options = Vec::new();
        for receiver in receivers {
            let Some(at) = receiver.process else {
                if pid.is_none() {
                    options.push(vec![build::skip()]);
                }
                continue;
            };
            let mut processes = lowerer.processes.iter();
            let Some(to) = processes.position(|process| process.at == at) else {
                continue;
            };
            for number in 0..lowerer.processes[to].count {
                let me = (lowerer.processes[to].first + number) as i32;
                let guard = match &pid {
                    Some(pid) => build::condition(build::equal(pid.clone(), build::number(me + 1))),
                    None => build::skip(),
                };
                let message =
                    self.message(signal, own.clone(), build::number(me + 1), values.clone());
                let line = receiver.delayed.and_then(|way| {
                    let mut lines = lowerer.lines.iter();
                    lines.position(|line| line.of == way)
                });
                let queue = match line {
                    Some(line) => build::variable(&self.line_name(line)),
                    None => build::element("queues", build::number(me)),
                };
                let send = self.send_to(build::number(me), queue, line.is_some(), message);
                options.push(vec![guard, send]);
            }
        }
        if pid.is_some() {
            options.push(vec![build::otherwise()]);
        }
        steps.push(build::select(options));
        steps
    }
}

fn is_true(condition: &Expr) -> bool {
    matches!(&condition.kind, ExprKind::Number(number) if number.value == 1)
}

/// Is the label all that comes behind it? SPIN refuses to go round by `skip` alone.
fn joins(steps: &[Statement], label: &str) -> bool {
    let [only] = steps else { return false };
    matches!(&only.kind, StatementKind::Goto(name) if *name.text == *label)
}

/// An atomic sequence must be able to begin.
fn first_skip(mut steps: Vec<Statement>) -> Vec<Statement> {
    steps.insert(0, build::skip());
    steps
}

fn in_range(value: Expr, type_: Type) -> Option<Statement> {
    let Type::Integer(Some((low, high))) = type_ else {
        return None;
    };
    let mut claim = build::binary(
        BinaryOperator::GreaterEqual,
        value.clone(),
        build::number(low),
    );
    if high != i32::MAX {
        let below = build::binary(BinaryOperator::LessEqual, value, build::number(high));
        claim = build::all([claim, below]);
    }
    Some(build::assert(claim))
}

fn applies(states: &States, name: &str) -> bool {
    match states {
        States::Named(names) => names.iter().any(|known| key(known) == name),
        States::AllBut(names) => !names.iter().any(|known| key(known) == name),
    }
}
