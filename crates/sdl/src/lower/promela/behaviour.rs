//! Processes: states, what sets transitions off, and transitions.

use mazurka_promela::ast::{Expr, ExprKind, Probe, ReceiveArgumentKind, Statement, TypeKind, Unit};
use mazurka_promela::build;

use super::super::process::{default_of, is_of_one_state};
use super::super::{Type, key};
use super::turns::turns;
use super::{Export, anything, aside, plain_name};
use crate::ast::{
    Action, ActionKind, Answer, BinaryOperator, Expression, ExpressionKind, Name, Question, Range,
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
            body.extend(self.start(steps));
        }
        for state in 0..lowerer.processes[process].states.len() {
            let statement = self.state(state);
            body.push(statement);
        }
        self.joined_elsewhere();
        for connection in &ast.connections {
            self.state = None;
            self.actions(&connection.actions, None);
        }
        let mut options = vec![vec![build::condition(build::truth(false))]];
        if lowerer.reuses && lowerer.processes[process].created_by.is_some() {
            let mut steps = self.again();
            steps.push(build::go_to("born"));
            options.push(vec![build::atomic(steps)]);
        }
        let labels = [build::name("end_stopped"), build::name("stopped")];
        body.push(build::labelled(labels, build::select(options)));
        let parts = self.segments.iter().filter(|(_, released, _)| !released);
        let parts: Vec<_> = parts
            .map(|(label, _, steps)| (&**label, &**steps))
            .collect();
        let turns = turns(&parts);
        for (label, released, steps) in &self.segments {
            let name = build::name(label);
            let mut steps = steps.clone();
            if *released {
                body.push(build::labelled([name], build::skip()));
                body.push(build::atomic(first_skip(steps)));
            } else if turns.contains(&**label) {
                // SPIN refuses to go round by what it takes for one statement.
                let same = build::assign(build::variable("sender"), build::value("sender"));
                steps.insert(0, same);
                body.push(build::labelled([name], build::atomic(steps)));
            } else {
                // Who jumps to the beginning of an atomic sequence leaves his own for a moment; who jumps behind it does not.
                steps.insert(0, build::labelled([name], build::skip()));
                body.push(build::atomic(first_skip(steps)));
            }
        }
        let name = self.proctype_name(process);
        let me = build::declare(TypeKind::Byte, "me", None, None);
        build::proctype(&name, false, vec![me], None, body)
    }

    /// What comes first: those who are there at the start go on, the others wait until somebody creates them.
    fn start(&mut self, steps: Vec<Statement>) -> Vec<Statement> {
        let described = &self.lowerer.processes[self.process];
        if described.created_by.is_none() {
            return vec![build::atomic(first_skip(steps))];
        }
        let first = build::number((described.first + described.count) as i32);
        let at_start = build::binary(BinaryOperator::Less, build::value("me"), first);
        let not_yet = build::select(vec![
            vec![build::condition(at_start)],
            vec![build::atomic(self.born())],
        ]);
        let not_yet = build::labelled([build::name("end_not_created")], not_yet);
        let begin = build::labelled([build::name("born")], build::atomic(first_skip(steps)));
        vec![not_yet, begin]
    }

    /// Takes what somebody creates this instance with.
    fn born(&mut self) -> Vec<Statement> {
        let lowerer = self.lowerer;
        let described = &lowerer.processes[self.process];
        let Some(signal) = described.created_by else {
            return Vec::new();
        };
        let mut rest = vec![match described.parent {
            Some(_) => build::argument(ReceiveArgumentKind::Variable(build::variable("parent"))),
            None => anything(),
        }];
        rest.resize(lowerer.head() - 1, anything());
        let mut left = described.ast.parameters as u32;
        for variable in &described.ast.variables {
            let name = self.variable_name(&variable.name.text);
            for element in 0..variable.length.unwrap_or(1).min(left) {
                let place = match variable.length {
                    Some(_) => build::element(&name, build::number(element as i32)),
                    None => build::variable(&name),
                };
                rest.push(build::argument(ReceiveArgumentKind::Variable(place)));
                left -= 1;
            }
        }
        vec![build::receive(self.own(), self.arguments(signal, rest))]
    }

    /// A new instance in the place of one that has stopped.
    fn again(&mut self) -> Vec<Statement> {
        let lowerer = self.lowerer;
        let described = &lowerer.processes[self.process];
        let created = described.created_by.unwrap_or(0);
        let mut steps = vec![build::condition(self.is_first(created))];
        for variable in &described.ast.variables {
            let type_ = described.variables[&key(&variable.name)].type_;
            let name = self.variable_name(&variable.name.text);
            let initial = self.initial(variable, type_).unwrap_or(build::number(0));
            for element in 0..variable.length.unwrap_or(1) {
                let index = variable.length.map(|_| build::number(element as i32));
                let place = match (self.revealed(&variable.name, index.clone()), index) {
                    (Some(place), _) => place,
                    (None, Some(index)) => build::element(&name, index),
                    (None, None) => build::variable(&name),
                };
                steps.push(build::assign(place, initial.clone()));
            }
        }
        let offspring = described.offspring.map(|_| "offspring");
        for name in [Some("sender"), offspring].into_iter().flatten() {
            steps.push(build::assign(build::variable(name), build::number(0)));
        }
        steps.extend(self.born());
        steps
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
                self.state = Some(number);
                let missing = routing::actions_of(&trigger.body).iter().any(|action| {
                    let label = action.label.as_ref();
                    let label = label.filter(|label| !is_of_one_state(&label.text));
                    let label = label.map(|label| self.join_label(label));
                    label.is_some_and(|label| joined.contains(&label) && !self.is_laid_down(&label))
                });
                if missing {
                    self.actions(&trigger.body.actions, None);
                }
            }
        }
    }

    fn join_label(&mut self, label: &Name) -> String {
        let mut process = self.process.to_string();
        if let (true, Some(state)) = (is_of_one_state(&label.text), self.state) {
            process = format!("{process}_{state}");
        }
        let (name, positions) = plain_name(&key(label));
        self.names
            .given("J", &name, &format!("{process}{positions}"))
    }

    fn is_laid_down(&self, label: &str) -> bool {
        self.segments.iter().any(|(known, ..)| known == label)
    }

    fn state_label(&mut self, state: usize) -> String {
        let (name, positions) = plain_name(&self.lowerer.processes[self.process].states[state].1);
        self.names.given("S", &name, &positions)
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
        let mut first: Vec<(usize, &Trigger)> = Vec::new();
        let is_before = |trigger: &Trigger| match &trigger.kind {
            TriggerKind::PriorityInput(stimuli) => Some(stimuli.clone()),
            _ => None,
        };
        let before: Vec<_> = triggers
            .iter()
            .copied()
            .filter_map(is_before)
            .flatten()
            .collect();
        let expected = lowerer.expected(process);
        let before: Vec<usize> = expected
            .iter()
            .copied()
            .filter(|signal| before.iter().any(|s| self.is_signal(&s.signal, *signal)))
            .collect();
        let anywhere = before.iter().map(|signal| self.is_there(*signal, true));
        let anywhere: Vec<Expr> = anywhere.collect();
        self.closed = (!before.is_empty()).then(|| build::not(build::any(anywhere.clone())));
        for signal in expected {
            let named = |trigger: &&&Trigger| match &trigger.kind {
                TriggerKind::Input(stimuli) | TriggerKind::PriorityInput(stimuli) => {
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
                    TriggerKind::PriorityInput(_) => first.push((signal, trigger)),
                    _ => {
                        let mut guard = self.is_first(signal);
                        if let Some(condition) = &trigger.provided {
                            let condition = self.value(condition);
                            let closed = build::not(condition.clone());
                            options.push(self.save(signal, Some(closed), &label));
                            guard = build::all([guard, condition]);
                        }
                        let mut steps = vec![build::condition(guard)];
                        steps.extend(self.taken(signal, trigger));
                        options.push(vec![build::atomic(steps)]);
                    }
                },
            }
        }
        self.closed = None;
        if !before.is_empty() {
            let heads = before.iter().map(|signal| self.is_there(*signal, false));
            let heads = build::any(heads.collect::<Vec<_>>());
            let mut picks = Vec::new();
            for (signal, trigger) in first {
                let mut steps = vec![build::condition(self.is_first(signal))];
                steps.extend(self.taken(signal, trigger));
                picks.push(steps);
            }
            let aside = build::repeat(vec![
                vec![build::condition(heads), build::leave()],
                vec![
                    build::otherwise(),
                    build::receive(self.own(), self.all_fields()),
                    build::send(self.put_aside(), self.all_values()),
                ],
            ]);
            let mut steps = vec![build::condition(build::any(anywhere)), aside];
            steps.extend(self.forget());
            steps.push(build::select(picks));
            options.push(vec![build::atomic(steps)]);
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

    /// Takes a signal and goes on.
    fn taken(&mut self, signal: usize, trigger: &Trigger) -> Vec<Statement> {
        let mut steps = self.take(signal, trigger);
        let shared = match &trigger.kind {
            TriggerKind::Input(all) | TriggerKind::PriorityInput(all) => {
                let mut targets = all.iter().flat_map(|one| one.targets.iter().flatten());
                targets.any(|target| self.lowerer.is_revealed(self.process, target))
            }
            _ => false,
        };
        steps.extend(match shared {
            true => self.rested(&trigger.body.actions, None),
            false => self.actions(&trigger.body.actions, None),
        });
        steps
    }

    /// Takes a signal with its parameters.
    fn take(&mut self, signal: usize, trigger: &Trigger) -> Vec<Statement> {
        let lowerer = self.lowerer;
        let sender = build::variable("sender");
        let mut rest = vec![build::argument(ReceiveArgumentKind::Variable(sender))];
        rest.resize(lowerer.head() - 1, anything());
        let mut checks = Vec::new();
        if let TriggerKind::Input(stimuli) | TriggerKind::PriorityInput(stimuli) = &trigger.kind {
            let stimulus = stimuli.iter().find(|s| self.is_signal(&s.signal, signal));
            let targets = stimulus.map_or(&[][..], |stimulus| &stimulus.targets);
            let types = lowerer.signals[signal].parameters.clone();
            for (target, type_) in targets.iter().zip(types) {
                rest.push(match target {
                    None => anything(),
                    Some(target) => {
                        let variable = self.variable(target);
                        let own = self.type_of_variable(target);
                        if own != type_ {
                            checks.extend(in_range(build::read(variable.clone()), own));
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
    pub(super) fn restore(&self) -> Vec<Statement> {
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
                steps.extend(self.rested(rest, after));
                steps
            }
            ActionKind::Decision(question, answers) => {
                let shared = matches!(question, Question::Value(value) if sees(value));
                let mut label = after.map(String::from);
                if !rest.is_empty() {
                    let fresh = self.fresh_label();
                    let place = self.segments.len();
                    self.segments.push((fresh.clone(), false, Vec::new()));
                    let more = self.actions(rest, after);
                    self.segments[place].2 = more;
                    label = Some(fresh);
                }
                vec![self.decision(question, answers, label.as_deref(), shared)]
            }
            kind if self.lowerer.is_shared(self.process, kind) => {
                let mut steps = self.simple(action);
                steps.extend(self.rested(rest, after));
                steps
            }
            _ => {
                let mut steps = self.simple(action);
                steps.extend(self.actions(rest, after));
                steps
            }
        }
    }

    /// Actions before which others may move, unless they only end the transition.
    fn rested(&mut self, actions: &[Action], after: Option<&str>) -> Vec<Statement> {
        let ends = matches!(
            actions.first(),
            Some(Action {
                label: None,
                kind: ActionKind::NextState(_) | ActionKind::Stop,
                ..
            })
        );
        if ends {
            return self.actions(actions, after);
        }
        let label = self.fresh_label();
        let place = self.segments.len();
        self.segments.push((label.clone(), true, Vec::new()));
        let more = self.actions(actions, after);
        self.segments[place].2 = more;
        vec![build::go_to(&label)]
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
                for timer in self.lowerer.processes[self.process].timers.clone() {
                    for number in 0..timer.count() {
                        let which = build::number(number as i32);
                        let running = self.running_of(self.process, &timer, which);
                        steps.push(build::assign(running, build::number(0)));
                    }
                }
                let alive = build::element("alive", build::value("me"));
                steps.push(build::assign(alive, build::number(super::super::STOPPED)));
                for queue in [self.own(), self.put_aside()] {
                    let fields = vec![anything(); self.lowerer.width()];
                    let some = build::probe(Probe::NotEmpty, queue.clone());
                    let none = build::probe(Probe::Empty, queue.clone());
                    steps.push(build::repeat(vec![
                        vec![build::condition(some), build::receive(queue, fields)],
                        vec![build::condition(none), build::leave()],
                    ]));
                }
                steps.push(build::go_to("stopped"));
                steps
            }
        }
    }

    fn simple(&mut self, action: &Action) -> Vec<Statement> {
        match &action.kind {
            ActionKind::Assign(target, value) => {
                let type_ = self.type_of_variable(target);
                let value = self.value(value);
                let mut steps: Vec<Statement> =
                    in_range(value.clone(), type_).into_iter().collect();
                let variable = self.variable(target);
                steps.push(build::assign(variable, value));
                steps
            }
            ActionKind::Clear(target) => {
                let first = default_of(self.type_of_variable(target));
                vec![build::assign(self.variable(target), build::number(first))]
            }
            ActionKind::Unexpected(_) if self.lowerer.reports_unexpected => {
                vec![build::assert(build::truth(false))]
            }
            ActionKind::Choose(target, low, high) => {
                let variable = self.variable(target);
                let values = *low..=*high;
                let options =
                    values.map(|value| vec![build::assign(variable.clone(), build::number(value))]);
                vec![build::select(options.collect())]
            }
            ActionKind::Create(name, values) => self.create(name, values),
            ActionKind::Set(timer, values) | ActionKind::Reset(timer, values) => {
                let Some(timer) = self.timer(timer) else {
                    return Vec::new();
                };
                let mut steps = Vec::new();
                let mut rest = vec![anything(); self.lowerer.head() - 1];
                let types = self.lowerer.signals[timer.signal].parameters.clone();
                for (value, type_) in values.iter().zip(types) {
                    let value = self.value(value);
                    steps.extend(in_range(value.clone(), type_));
                    rest.push(build::argument(ReceiveArgumentKind::Eval(value)));
                }
                for queue in [self.own(), self.put_aside()] {
                    let arguments = self.arguments(timer.signal, rest.clone());
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
                let runs = i32::from(matches!(action.kind, ActionKind::Set(..)));
                let running = self.running(&timer, values);
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
        shared: bool,
    ) -> Statement {
        let mut options = Vec::new();
        for answer in answers {
            let guard = match (question, &answer.ranges) {
                (Question::Any | Question::Only, _) => build::skip(),
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
            option.extend(match shared {
                true => self.rested(&answer.body.actions, after),
                false => self.actions(&answer.body.actions, after),
            });
            options.push(option);
        }
        let closed = answers.iter().any(|answer| answer.ranges.is_none());
        if !closed {
            let wrong = build::assert(build::truth(false));
            options.push(vec![build::otherwise(), wrong, build::go_to("stopped")]);
        }
        build::select(options)
    }
}

/// Does an expression see what another process reveals?
fn sees(expression: &Expression) -> bool {
    let seen = |part: &ExpressionKind| matches!(part, ExpressionKind::Seen(..));
    super::super::uses::has(expression, seen)
}

fn is_true(condition: &Expr) -> bool {
    matches!(&condition.kind, ExprKind::Number(number) if number.value == 1)
}

/// An atomic sequence must be able to begin.
fn first_skip(mut steps: Vec<Statement>) -> Vec<Statement> {
    steps.insert(0, build::skip());
    steps
}

pub(super) fn in_range(value: Expr, type_: Type) -> Option<Statement> {
    let Type::Integer(Some((low, high))) = type_ else {
        return None;
    };
    let compared = |operator, bound| build::binary(operator, value.clone(), build::number(bound));
    let least = (low != i32::MIN).then(|| compared(BinaryOperator::GreaterEqual, low));
    let most = (high != i32::MAX).then(|| compared(BinaryOperator::LessEqual, high));
    let claims: Vec<Expr> = [least, most].into_iter().flatten().collect();
    (!claims.is_empty()).then(|| build::assert(build::all(claims)))
}

fn applies(states: &States, name: &str) -> bool {
    match states {
        States::Named(names) => names.iter().any(|known| key(known) == name),
        States::AllBut(names) => !names.iter().any(|known| key(known) == name),
    }
}
