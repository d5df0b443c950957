//! `state aggregation`, of SDL-2000 and OpenGEODE: a state whose parts each are in a state of their own.
//!
//! It becomes one state, `outer.parallel`, and a variable for each part that says in which of its states that is; a part that has
//! returned, or whose state is not the present one, is `ended`. A signal goes to the part that takes or saves it in any of its states,
//! as in the code that OpenGEODE writes: if it says nothing about it at the moment, the signal is passed over. The parts are started one
//! after the other. When all have returned, the state is left.

use std::collections::HashMap;

use mazurka_span::Span;

use super::actions::action;
use super::key;
use super::nested::{Leaf, Level, exit_label, start_label};
use crate::ast::{
    Action, ActionKind, Answer, Binary, BinaryOperator, Body, Composite, Expression,
    ExpressionKind, Name, Process, Question, Range, State, States, Stimulus, Trigger, TriggerKind,
    TypeDefinition, TypeKind, Unary, UnaryOperator, Variable,
};
use crate::{codes, walk};

/// What is known of all states of a system, and what their parts add to it.
#[derive(Default)]
pub(super) struct Made {
    /// The types of the parameters of each signal.
    pub signals: HashMap<String, Vec<Name>>,
    pub types: Vec<TypeDefinition>,
    /// The parts of the process at hand.
    pub parts: Vec<Part>,
}

/// A part of a state.
#[derive(Clone)]
pub(super) struct Part {
    /// The variable that says in which state it is.
    pub variable: Name,
    type_: Name,
    /// Its states, by their full names.
    pub states: Vec<Name>,
}

impl Part {
    /// A state of it, or that it has ended, as a value.
    pub fn value(&self, state: &str, span: Span) -> Expression {
        let text = format!("{}.{}", key(&self.type_), state.to_ascii_lowercase());
        named(&text, span)
    }

    fn is_in(&self, state: &Name) -> Expression {
        let span = state.span;
        let own = named(&self.variable.text, span);
        equal(own, self.value(&state.text, span))
    }

    fn goes_to(&self, state: &str, span: Span) -> Action {
        let own = named(&self.variable.text, span);
        action(ActionKind::Assign(own, self.value(state, span)), span)
    }
}

const ENDED: &str = "ended";

/// What parts take: the state, and what is done there.
struct Taken {
    part: usize,
    states: Vec<Name>,
    targets: Vec<Option<Expression>>,
    provided: Option<Expression>,
    body: Body,
}

fn name(text: &str, span: Span) -> Name {
    Name {
        text: text.into(),
        span,
    }
}

fn named(text: &str, span: Span) -> Expression {
    let kind = ExpressionKind::Name(name(text, span));
    Expression { kind, span }
}

fn number(value: i32, span: Span) -> Expression {
    let kind = ExpressionKind::Number(value);
    Expression { kind, span }
}

fn both(operator: Binary, left: Expression, right: Expression) -> Expression {
    let span = left.span;
    let kind = ExpressionKind::Binary(operator, Box::new(left), Box::new(right));
    Expression { kind, span }
}

fn equal(left: Expression, right: Expression) -> Expression {
    both(Binary::Value(BinaryOperator::Equal), left, right)
}

fn not(inner: Expression) -> Expression {
    let span = inner.span;
    let operator = Unary::Value(UnaryOperator::Not);
    let kind = ExpressionKind::Unary(operator, Box::new(inner));
    Expression { kind, span }
}

fn answer(values: Option<Vec<Expression>>, actions: Vec<Action>, span: Span) -> Answer {
    let ranges = values.map(|values| {
        let values = values.into_iter();
        let ranges = values.map(|value| Range::Compared(BinaryOperator::Equal, value));
        ranges.collect()
    });
    let body = Body { actions, span };
    Answer { ranges, body, span }
}

fn decision(question: Expression, answers: Vec<Answer>, span: Span) -> Action {
    action(
        ActionKind::Decision(Question::Value(question), answers),
        span,
    )
}

fn begin(label: Name, mut actions: Vec<Action>, span: Span) -> Body {
    let mut first = action(ActionKind::Nothing, span);
    first.label = Some(label);
    actions.insert(0, first);
    Body { actions, span }
}

fn variable(name: Name, type_name: Name) -> Variable {
    Variable {
        name,
        type_name,
        length: None,
        initial: None,
        revealed: false,
        exported: None,
    }
}

impl Level<'_> {
    /// A state of several parts as a part of what is around it, and its only innermost state.
    pub(super) fn aggregate(&mut self, composite: Composite) -> (Vec<Leaf>, Process) {
        let Composite {
            name: own,
            starts,
            mut inside,
            ..
        } = composite;
        let full = self.full(&own);
        let span = own.span;
        let parallel = name(&format!("{full}.parallel"), span);
        let next = name(&format!("[{}.next]", key(&full)), span);
        if let Some((_, body)) = starts.first() {
            self.refuse(body.span, "a `start` of a `state aggregation` itself");
        }
        for state in std::mem::take(&mut inside.states) {
            if !state.triggers.is_empty() {
                let what = "what is said about a part of a `state aggregation` outside of it";
                self.refuse(state.span, what);
            }
        }
        let has = |what: &str| inside.procedures.iter().any(|p| key(&p.name) == what);
        let call = |what: &str, there: bool| {
            let called = name(&format!("{full}.{what}"), span);
            there.then(|| action(ActionKind::Call(called, Vec::new()), span))
        };
        let (entry, exit) = (call("entry", has("entry")), call("exit", has("exit")));
        let composites = std::mem::take(&mut inside.composites);
        let mut inner = self.inside(&full);
        inner.name_in_full(&mut inside);
        let mut parts: Vec<Part> = Vec::new();
        let mut leaving: Vec<Action> = Vec::new();
        let mut triggers: Vec<Trigger> = Vec::new();
        let mut taken: Vec<(Name, Taken)> = Vec::new();
        let mut saved: Vec<(Name, usize, Name)> = Vec::new();
        let mut all_end = true;
        for composite in composites {
            if composite.aggregation {
                inner.refuse(
                    composite.name.span,
                    "a `state aggregation` directly in another",
                );
                continue;
            }
            let at = walk::inside(&full.text, &composite.name);
            let (leaves, mut flat) = inner.dissolve(composite);
            let part = inner.part(&at, &leaves, &inside.name);
            all_end &= rest_of_part(&mut flat, &part, &at, &next);
            let answers = leaves.iter().filter(|leaf| !leaf.leaving.is_empty());
            let mut answers: Vec<Answer> = answers
                .map(|leaf| {
                    let value = part.value(&leaf.name.text, span);
                    answer(Some(vec![value]), leaf.leaving.clone(), span)
                })
                .collect();
            if !answers.is_empty() {
                answers.push(answer(None, Vec::new(), span));
                leaving.push(decision(named(&part.variable.text, span), answers, span));
            }
            inner.triggers(
                parts.len(),
                &part,
                std::mem::take(&mut flat.states),
                &mut triggers,
                &mut taken,
                &mut saved,
            );
            inside.variables.append(&mut flat.variables);
            inside.timers.append(&mut flat.timers);
            inside.procedures.append(&mut flat.procedures);
            inside.connections.append(&mut flat.connections);
            inside.viewed.append(&mut flat.viewed);
            inside.imported.append(&mut flat.imported);
            parts.push(part);
        }
        inner.inputs(&parts, taken, &saved, &parallel, &mut inside, &mut triggers);
        let clear = |path: &str| action(ActionKind::Clear(named(path, span)), span);
        leaving.extend(exit.clone());
        leaving.extend(parts.iter().map(|part| clear(&part.variable.text)));
        // The parts are started one after the other; then the state is there, or all have ended already.
        let count = parts.len() as i32;
        let starting = name(&format!("{full}.starting"), span);
        let is_starting = || named(&starting.text, span);
        let counted = |value| action(ActionKind::Assign(is_starting(), number(value, span)), span);
        let to = |label: &Name| action(ActionKind::Join(label.clone()), span);
        let mut first: Vec<Action> = entry.into_iter().collect();
        match parts.first() {
            Some(part) => first.extend([counted(1), to(&start_label(&part.variable, None))]),
            None => first.push(action(ActionKind::NextState(Some(parallel.clone())), span)),
        }
        inside
            .connections
            .push(begin(start_label(&full, None), first, span));
        let mut answers: Vec<Answer> = (parts.iter().enumerate().skip(1))
            .map(|(number_of, part)| {
                let number_of = number_of as i32;
                let start = start_label(&part.variable, None);
                let actions = vec![counted(number_of + 1), to(&start)];
                answer(Some(vec![number(number_of, span)]), actions, span)
            })
            .collect();
        let stay = vec![action(ActionKind::NextState(Some(parallel.clone())), span)];
        let mut there = vec![counted(0)];
        match all_end && !parts.is_empty() {
            true => {
                let ended = parts.iter().map(|part| {
                    let own = named(&part.variable.text, span);
                    equal(own, part.value(ENDED, span))
                });
                let and = Binary::Value(BinaryOperator::And);
                let ended = ended.reduce(|all, one| both(and, all, one));
                let truth = |value| {
                    let kind = ExpressionKind::Truth(value);
                    Some(vec![Expression { kind, span }])
                };
                let mut left: Vec<Action> = exit.into_iter().collect();
                let label = exit_label(&full, None, span);
                left.push(action(ActionKind::Leave(label), span));
                let answers = vec![
                    answer(truth(true), left, span),
                    answer(truth(false), stay, span),
                ];
                there.extend(ended.map(|ended| decision(ended, answers, span)));
            }
            false => there.extend(stay),
        }
        answers.push(answer(None, there, span));
        let decided = vec![decision(is_starting(), answers, span)];
        inside.connections.push(begin(next, decided, span));
        let type_ = self.add_type(
            &inside.name,
            &starting,
            TypeKind::Range {
                of: name("Integer", span),
                bounds: Some((number(0, span), number(count, span))),
            },
        );
        inside.variables.push(variable(starting, type_));
        for part in &parts {
            let own = variable(part.variable.clone(), part.type_.clone());
            inside.variables.push(own);
        }
        inside.states = vec![State {
            of: States::Named(vec![parallel.clone()]),
            marks: Vec::new(),
            triggers,
            span,
        }];
        self.made.parts.extend(parts);
        let leaf = Leaf {
            name: parallel,
            leaving,
        };
        (vec![leaf], inside)
    }

    fn refuse(&mut self, span: Span, what: &str) {
        let message = format!("{what} is not supported");
        let told = mazurka_span::Diagnostic::error(codes::NOT_TAKEN, span, message);
        self.diagnostics.push(told);
    }

    fn add_type(&mut self, process: &Name, what: &Name, kind: TypeKind) -> Name {
        let count = self.made.types.len();
        let name = name(
            &format!("{}.{}.{count}", key(process), key(what)),
            what.span,
        );
        self.made.types.push(TypeDefinition {
            name: name.clone(),
            kind,
        });
        name
    }

    fn part(&mut self, at: &Name, leaves: &[Leaf], process: &Name) -> Part {
        let states: Vec<Name> = leaves.iter().map(|leaf| leaf.name.clone()).collect();
        let mut literals = vec![name(ENDED, at.span)];
        literals.extend(states.iter().map(|state| name(&key(state), state.span)));
        let type_ = self.add_type(process, at, TypeKind::Literals(literals));
        Part {
            variable: name(&key(at), at.span),
            type_,
            states,
        }
    }

    /// What sets transitions of a part off.
    fn triggers(
        &mut self,
        number_of: usize,
        part: &Part,
        states: Vec<State>,
        triggers: &mut Vec<Trigger>,
        taken: &mut Vec<(Name, Taken)>,
        saved: &mut Vec<(Name, usize, Name)>,
    ) {
        for state in states {
            let States::Named(names) = &state.of else {
                continue;
            };
            let marks = ["end", "progress", "accept"];
            if (state.marks.iter()).any(|mark| marks.contains(&mark.as_str())) {
                let what = "a mark on a state of a part of a `state aggregation`: mark the state that has the parts";
                let told = mazurka_span::Diagnostic::error(codes::NOT_TAKEN, state.span, what);
                self.diagnostics.push(told);
            }
            for trigger in state.triggers {
                let span = trigger.span;
                let here = names.iter().map(|state| part.is_in(state));
                let or = Binary::Value(BinaryOperator::Or);
                let here = here.reduce(|all, one| both(or, all, one));
                let Some(here) = here else {
                    continue;
                };
                match trigger.kind {
                    TriggerKind::Input(stimuli) => {
                        if stimuli.len() > 1 && has_labels(&trigger.body) {
                            let what = "a label behind several signals of one input in a part of a `state aggregation`";
                            self.refuse(span, what);
                        }
                        for stimulus in stimuli {
                            let one = Taken {
                                part: number_of,
                                states: names.clone(),
                                targets: stimulus.targets,
                                provided: trigger.provided.clone(),
                                body: trigger.body.clone(),
                            };
                            taken.push((stimulus.signal, one));
                        }
                    }
                    TriggerKind::Save(members) => {
                        for member in members {
                            if member.list {
                                let what =
                                    "a list that is saved in a part of a `state aggregation`";
                                self.refuse(span, what);
                            }
                            for state in names {
                                saved.push((member.name.clone(), number_of, state.clone()));
                            }
                        }
                    }
                    TriggerKind::Spontaneous | TriggerKind::Continuous(_) => {
                        let provided = match trigger.provided {
                            Some(provided) => both(Binary::AndThen, here, provided),
                            None => here,
                        };
                        triggers.push(Trigger {
                            provided: Some(provided),
                            ..trigger
                        });
                    }
                    TriggerKind::AnyInput | TriggerKind::SaveAll => {
                        let what = "`*` for all signals in a part of a `state aggregation`";
                        self.refuse(span, what);
                    }
                    TriggerKind::PriorityInput(_) => {
                        let what = "`priority input` in a part of a `state aggregation`";
                        self.refuse(span, what);
                    }
                    TriggerKind::Exit(_) | TriggerKind::AnyExit => {}
                }
            }
        }
    }

    /// One input for each signal that some part takes or saves.
    fn inputs(
        &mut self,
        parts: &[Part],
        taken: Vec<(Name, Taken)>,
        saved: &[(Name, usize, Name)],
        parallel: &Name,
        inside: &mut Process,
        triggers: &mut Vec<Trigger>,
    ) {
        let mut signals: Vec<Name> = Vec::new();
        let all = taken.iter().map(|(signal, _)| signal);
        for signal in all.chain(saved.iter().map(|(signal, ..)| signal)) {
            if !signals.iter().any(|known| key(known) == key(signal)) {
                signals.push(signal.clone());
            }
        }
        for signal in signals {
            let span = signal.span;
            let mine: Vec<&Taken> = taken
                .iter()
                .filter(|(known, _)| key(known) == key(&signal))
                .map(|(_, one)| one)
                .collect();
            let kept = saved
                .iter()
                .filter(|(known, ..)| key(known) == key(&signal));
            let kept: Vec<&(Name, usize, Name)> = kept.collect();
            let of = mine.iter().map(|one| one.part);
            let mut of = of.chain(kept.iter().map(|(_, part, _)| *part));
            let Some(number_of) = of.next() else {
                continue;
            };
            if of.any(|other| other != number_of) {
                let message =
                    format!("two parts of a `state aggregation` say something about `{signal}`");
                let told = mazurka_span::Diagnostic::error(codes::AMBIGUOUS, span, message);
                self.diagnostics.push(told);
                continue;
            }
            let part = &parts[number_of];
            let count = mine.iter().map(|one| one.targets.len()).max().unwrap_or(0);
            let types = self.made.signals.get(&key(&signal)).cloned();
            let types = types.unwrap_or_default();
            if count > types.len()
                && mine
                    .iter()
                    .any(|one| one.targets.iter().any(Option::is_some))
            {
                self.refuse(
                    span,
                    "a timer with parameters in a part of a `state aggregation`",
                );
                continue;
            }
            // The parameters are taken first; which variables they are for depends on the state.
            let mut room = Vec::new();
            for (place, type_) in types.iter().enumerate().take(count) {
                let own = name(&format!("{parallel}.{}.{place}", key(&signal)), span);
                inside.variables.push(variable(own.clone(), type_.clone()));
                room.push(own);
            }
            let clear = |own: &Name| action(ActionKind::Clear(named(&own.text, span)), span);
            let mut conditions: Vec<Expression> = Vec::new();
            let mut answers = Vec::new();
            for one in &mine {
                let mut actions = Vec::new();
                for (target, own) in one.targets.iter().zip(&room) {
                    if let Some(target) = target {
                        let value = named(&own.text, span);
                        actions.push(action(ActionKind::Assign(target.clone(), value), span));
                    }
                }
                actions.extend(room.iter().map(clear));
                actions.extend(one.body.actions.iter().cloned());
                let states = one.states.iter();
                let values = states.map(|state| part.value(&state.text, span)).collect();
                answers.push(answer(Some(values), actions, one.body.span));
                if let Some(provided) = &one.provided {
                    for state in &one.states {
                        let elsewhere = not(part.is_in(state));
                        conditions.push(both(Binary::OrElse, elsewhere, provided.clone()));
                    }
                }
            }
            conditions.extend(kept.iter().map(|(_, _, state)| not(part.is_in(state))));
            let mut lost: Vec<Action> = room.iter().map(clear).collect();
            lost.push(action(ActionKind::Unexpected(signal.clone()), span));
            lost.push(action(ActionKind::NextState(Some(parallel.clone())), span));
            answers.push(answer(None, lost, span));
            let and = Binary::Value(BinaryOperator::And);
            let targets = room.iter().map(|own| Some(named(&own.text, span)));
            let stimulus = Stimulus {
                signal: signal.clone(),
                targets: targets.collect(),
            };
            let question = named(&part.variable.text, span);
            triggers.push(Trigger {
                kind: TriggerKind::Input(vec![stimulus]),
                provided: conditions
                    .into_iter()
                    .reduce(|all, one| both(and, all, one)),
                body: Body {
                    actions: vec![decision(question, answers, span)],
                    span,
                },
                span,
            });
        }
    }
}

fn has_labels(body: &Body) -> bool {
    let mut found = false;
    walk::actions(&mut body.clone(), &mut |action| {
        found |= action.label.is_some()
    });
    found
}

/// Transitions of a part end by saying in which state it is then. Can it end?
fn rest_of_part(flat: &mut Process, part: &Part, at: &Name, next: &Name) -> bool {
    let left = exit_label(at, None, at.span);
    let left = left.text.trim_end_matches(']').to_string();
    let mut ends = false;
    for body in walk::bodies(flat) {
        walk::replace(body, &mut |one| {
            let on = action(ActionKind::Join(next.clone()), one.span);
            match &one.kind {
                ActionKind::NextState(Some(state)) => {
                    Some(vec![part.goes_to(&state.text, one.span), on])
                }
                ActionKind::NextState(None) | ActionKind::History => Some(vec![on]),
                ActionKind::Leave(label) if label.text.starts_with(&left) => {
                    ends = true;
                    Some(vec![part.goes_to(ENDED, one.span), on])
                }
                _ => None,
            }
        });
    }
    ends
}
