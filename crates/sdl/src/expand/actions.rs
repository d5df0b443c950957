//! Actions: assignments of several values, and what an expression asks for before it can be computed.

use mazurka_span::Span;

use super::rows::choose;
use super::types::{Shape, exists};
use super::values::{Access, Context, Value, at, binary, number};
use super::{Expander, key};
use crate::ast::{
    Action, ActionKind, Answer, BinaryOperator, Body, Expression, ExpressionKind, Name, Output,
    Question, Range,
};
use crate::codes;

pub(super) fn action(kind: ActionKind, span: Span) -> Action {
    Action {
        label: None,
        kind,
        span,
    }
}

impl Expander<'_> {
    pub(super) fn actions(&mut self, context: &Context, actions: &[Action]) -> Vec<Action> {
        let mut all = Vec::new();
        for one in actions {
            let begin = all.len();
            self.action(context, one, &mut all);
            if let Some(label) = &one.label {
                let label = context.label(label);
                // A call may begin with an action that has a label of its own.
                if all.get(begin).is_none_or(|first| first.label.is_some()) {
                    all.insert(begin, action(ActionKind::Nothing, one.span));
                }
                all[begin].label = Some(label);
            }
        }
        all
    }

    fn action(&mut self, context: &Context, one: &Action, all: &mut Vec<Action>) {
        let span = one.span;
        let mut gone = Vec::new();
        match &one.kind {
            ActionKind::Assign(target, value) => {
                let value = self.hoist(context, value, all, &mut gone);
                self.assign(context, target, &value, span, all);
            }
            ActionKind::Output(output) => {
                let types = self.signals.get(&key(&output.signal)).cloned();
                let values = self.hoist_all(context, &output.values, all, &mut gone);
                let to = output.to.as_ref().map(|to| self.plain(context, to));
                let values = match types {
                    Some(types) => self.arguments(context, &values, &types),
                    None => values
                        .iter()
                        .map(|value| self.plain(context, value))
                        .collect(),
                };
                if output.all && output.via.is_empty() {
                    let message = "`via all` needs the names of channels or routes";
                    self.error(codes::UNEXPECTED_TOKEN, span, message);
                }
                let ways: Vec<Vec<Name>> = match output.all {
                    true => output.via.iter().map(|way| vec![way.clone()]).collect(),
                    false => vec![output.via.clone()],
                };
                for via in ways {
                    let output = Output {
                        signal: output.signal.clone(),
                        values: values.clone(),
                        to: to.clone(),
                        via,
                        all: false,
                        everybody: output.everybody,
                    };
                    all.push(action(ActionKind::Output(output), span));
                }
            }
            ActionKind::Set(timer, values) | ActionKind::Reset(timer, values) => {
                let values = self.hoist_all(context, values, all, &mut gone);
                let values = values
                    .iter()
                    .map(|value| self.plain(context, value))
                    .collect();
                let kind = match one.kind {
                    ActionKind::Set(..) => ActionKind::Set(timer.clone(), values),
                    _ => ActionKind::Reset(timer.clone(), values),
                };
                all.push(action(kind, span));
            }
            ActionKind::Create(process, values) => {
                let values = self.hoist_all(context, values, all, &mut gone);
                let types = self.parameters.get(&key(process)).cloned();
                let values = match types {
                    Some(types) => self.arguments(context, &values, &types),
                    None => Vec::new(),
                };
                all.push(action(ActionKind::Create(process.clone(), values), span));
            }
            ActionKind::Call(name, values) => {
                self.call(context, name, values, None, span, all);
            }
            ActionKind::Return(value) => {
                let value = value.as_ref();
                let value = value.map(|value| self.hoist(context, value, all, &mut gone));
                self.give_back(context, value.as_ref(), span, all);
            }
            ActionKind::Decision(Question::Value(value), answers)
                if self.is_several(context, value) =>
            {
                let value = self.hoist(context, value, all, &mut gone);
                let nested = self.one_by_one(context, &value, answers, span);
                all.extend(nested);
            }
            ActionKind::Decision(question, answers) => {
                let question = match question {
                    Question::Any | Question::Only => Question::Any,
                    Question::Value(value) => {
                        let value = self.hoist(context, value, all, &mut gone);
                        Question::Value(self.plain(context, &value))
                    }
                };
                let asked = match &one.kind {
                    ActionKind::Decision(Question::Value(value), _) => self.type_of(context, value),
                    _ => None,
                };
                let answers = answers.iter();
                let answers = answers.map(|answer| self.answer(context, answer, asked.as_ref()));
                let answers = answers.collect();
                all.push(action(ActionKind::Decision(question, answers), span));
            }
            ActionKind::For(variable, over, body) => {
                self.for_loop(context, variable, over, body, span, all);
            }
            ActionKind::Clear(target) => {
                if let Some(access) = self.access(context, target) {
                    self.forget(&access, span, all);
                }
            }
            ActionKind::Enter(state, _) => {
                let message = format!("`{state}` is not a state that has states: `via` needs one");
                self.error(codes::UNKNOWN_NAME, state.span, message);
            }
            ActionKind::NextState(name) => {
                let name = name.as_ref().map(|name| context.state(name));
                all.push(action(ActionKind::NextState(name), span));
            }
            ActionKind::Join(label) => {
                all.push(action(ActionKind::Join(context.label(label)), span));
            }
            ActionKind::Stop if !context.is_process() => {
                let message = "a procedure ends with `return`, not with `stop`";
                self.error(codes::UNFINISHED, span, message);
            }
            _ => all.push(action(one.kind.clone(), span)),
        }
        // What was needed once only is forgotten, so that it does not tell states apart.
        if matches!(
            one.kind,
            ActionKind::Assign(..) | ActionKind::Set(..) | ActionKind::Reset(..)
        ) {
            for access in gone {
                self.forget(&access, span, all);
            }
        }
    }

    /// Is a decision about a value of several parts?
    fn is_several(&mut self, context: &Context, value: &Expression) -> bool {
        let before = self.diagnostics.len();
        let found = !matches!(
            value.kind,
            ExpressionKind::Call(..) | ExpressionKind::AnyOf(_)
        ) && matches!(
            self.value(context, value),
            Value::Several(..) | Value::Row(_)
        );
        self.diagnostics.truncate(before);
        found
    }

    /// A decision about a value of several parts: one question after the other.
    fn one_by_one(
        &mut self,
        context: &Context,
        value: &Expression,
        answers: &[Answer],
        span: Span,
    ) -> Vec<Action> {
        let otherwise = answers.iter().find(|answer| answer.ranges.is_none());
        let mut rest: Option<Vec<Action>> =
            otherwise.map(|answer| self.actions(context, &answer.body.actions));
        for answer in answers.iter().rev() {
            let Some(ranges) = &answer.ranges else {
                continue;
            };
            let mut any: Option<Expression> = None;
            for range in ranges {
                let Range::Compared(operator, known) = range else {
                    let message = "values of several parts have no ranges";
                    self.error(codes::WRONG_TYPE, answer.span, message);
                    continue;
                };
                let compared = binary(*operator, value.clone(), known.clone());
                let compared = self.plain(context, &compared);
                any = Some(match any {
                    None => compared,
                    Some(before) => binary(BinaryOperator::Or, before, compared),
                });
            }
            let Some(any) = any else {
                continue;
            };
            let truth = |value| {
                let kind = ExpressionKind::Truth(value);
                Range::Compared(BinaryOperator::Equal, at(kind, answer.span))
            };
            let body = |actions| Body { actions, span };
            let mut both = vec![Answer {
                ranges: Some(vec![truth(true)]),
                body: body(self.actions(context, &answer.body.actions)),
                span: answer.span,
            }];
            if let Some(rest) = rest {
                both.push(Answer {
                    ranges: Some(vec![truth(false)]),
                    body: body(rest),
                    span: answer.span,
                });
            }
            let decision = ActionKind::Decision(Question::Value(any), both);
            rest = Some(vec![action(decision, span)]);
        }
        rest.unwrap_or_default()
    }

    pub(super) fn forget(&mut self, access: &Access, span: Span, all: &mut Vec<Action>) {
        let types = self.flat_types(&access.type_name);
        for (element, type_) in self.elements(access, span).into_iter().zip(types) {
            let kind = match self.types.default_of(&type_) {
                Some(first) => ActionKind::Assign(element, at(first.clone(), span)),
                None => ActionKind::Clear(element),
            };
            all.push(action(kind, span));
        }
    }

    fn answer(&mut self, context: &Context, answer: &Answer, asked: Option<&Name>) -> Answer {
        let ranges = answer.ranges.as_ref().map(|ranges| {
            let mut side = |value: &Expression| {
                let mut value = self.plain(context, value);
                if let Some(asked) = asked {
                    self.settle(context, &mut value, asked);
                }
                value
            };
            let ranges = ranges.iter().map(|range| match range {
                Range::Between(low, high) => Range::Between(side(low), side(high)),
                Range::Compared(operator, value) => Range::Compared(*operator, side(value)),
            });
            ranges.collect()
        });
        Answer {
            ranges,
            body: Body {
                actions: self.actions(context, &answer.body.actions),
                span: answer.body.span,
            },
            span: answer.span,
        }
    }

    /// The values of parameters of these types, as single ones.
    fn arguments(
        &mut self,
        context: &Context,
        values: &[Expression],
        types: &[Name],
    ) -> Vec<Expression> {
        let mut all = Vec::new();
        for (number, value) in values.iter().enumerate() {
            match types.get(number) {
                Some(type_) => all.extend(self.values_of(context, value, type_)),
                // One too many, which is told later.
                None => all.push(self.plain(context, value)),
            }
        }
        all
    }

    /// Gives each part of a variable its value. Where parts of it are read too, all are read before.
    pub(super) fn assign(
        &mut self,
        context: &Context,
        target: &Expression,
        value: &Expression,
        span: Span,
        all: &mut Vec<Action>,
    ) {
        let before = self.diagnostics.len();
        let Some(access) = self.access(context, target) else {
            if self.diagnostics.len() == before {
                self.target(context, target, None);
            }
            return;
        };
        let values = self.values_of(context, value, &access.type_name);
        self.on_the_way(context, target, span, all);
        let targets = self.elements(&access, target.span);
        self.assign_elements(&access.type_name, targets, values, span, all);
    }

    /// What gets a value is there from then on, if it is optional; an alternative must be the one that is present.
    fn on_the_way(
        &mut self,
        context: &Context,
        target: &Expression,
        span: Span,
        all: &mut Vec<Action>,
    ) {
        let (ExpressionKind::Field(base, _) | ExpressionKind::Applied(base, _)) = &target.kind
        else {
            return;
        };
        self.on_the_way(context, base, span, all);
        let ExpressionKind::Field(_, field) = &target.kind else {
            return;
        };
        let Some(access) = self.access_quietly(context, base) else {
            return;
        };
        let Shape::Structure(fields) = self.types.shape(&access.type_name) else {
            return;
        };
        if let Some((name, type_)) = (fields.iter()).find(|(f, _)| key(f) == exists(&key(field))) {
            let flag = access.part(&format!("!{}", key(name)), type_);
            let flag = self.elements(&flag, span).remove(0);
            let there = at(ExpressionKind::Truth(true), span);
            all.push(action(ActionKind::Assign(flag, there), span));
        }
        if self.types.is_choice(&access.type_name)
            && let Some((present, which)) = fields.first()
        {
            let present = access.part(&format!("!{}", key(present)), which);
            let present = self.elements(&present, span).remove(0);
            let literal = Name {
                text: format!("{}.{}", key(which), key(field)).as_str().into(),
                span,
            };
            let literal = at(ExpressionKind::Name(literal), span);
            let is_it = binary(BinaryOperator::Equal, present.clone(), literal.clone());
            let wrong = self.failure(&which.text, span);
            let kept = choose(is_it, literal, wrong);
            all.push(action(ActionKind::Assign(present, kept), span));
        }
    }

    /// Is there an optional field or an alternative on the way to a part of a variable?
    pub(super) fn has_conditions(&mut self, context: &Context, target: &Expression) -> bool {
        let (ExpressionKind::Field(base, _) | ExpressionKind::Applied(base, _)) = &target.kind
        else {
            return false;
        };
        let mut found = Vec::new();
        let before = self.diagnostics.len();
        self.on_the_way(context, target, target.span, &mut found);
        self.diagnostics.truncate(before);
        !found.is_empty() || self.has_conditions(context, base)
    }

    pub(super) fn assign_elements(
        &mut self,
        type_: &Name,
        targets: Vec<Expression>,
        values: Vec<Expression>,
        span: Span,
        all: &mut Vec<Action>,
    ) {
        let copied = values.iter().all(|value| {
            matches!(value.kind, ExpressionKind::Name(_) | ExpressionKind::Number(_) | ExpressionKind::Truth(_))
                || matches!(&value.kind, ExpressionKind::Element(_, index) if matches!(index.kind, ExpressionKind::Number(_)))
        });
        if targets.len() <= 1 || copied && self.is_one_row(&targets) {
            for (target, value) in targets.into_iter().zip(values) {
                all.push(action(ActionKind::Assign(target, value), span));
            }
            return;
        }
        let access = self.temporary(type_, span);
        let between = self.elements(&access, span);
        for (target, value) in between.iter().cloned().zip(values) {
            all.push(action(ActionKind::Assign(target, value), span));
        }
        for (target, value) in targets.into_iter().zip(between) {
            all.push(action(ActionKind::Assign(target, value), span));
        }
        self.forget(&access, span, all);
    }

    /// Do the targets not move while they are given values?
    fn is_one_row(&self, targets: &[Expression]) -> bool {
        let mut targets = targets.iter();
        targets.all(|target| match &target.kind {
            ExpressionKind::Name(_) => true,
            ExpressionKind::Element(_, index) => matches!(index.kind, ExpressionKind::Number(_)),
            _ => false,
        })
    }

    /// A new variable of a type.
    pub(super) fn temporary(&mut self, type_: &Name, span: Span) -> Access {
        self.sites += 1;
        let path = format!("value.{}", self.sites);
        let access = Access::whole(path, type_);
        let name = Name {
            text: "value".into(),
            span,
        };
        let added = self.flat_variables(&name, &access);
        self.added.extend(added);
        access
    }

    fn hoist_all(
        &mut self,
        context: &Context,
        values: &[Expression],
        all: &mut Vec<Action>,
        gone: &mut Vec<Access>,
    ) -> Vec<Expression> {
        let values = values.iter();
        values
            .map(|value| self.hoist(context, value, all, gone))
            .collect()
    }

    /// Puts the calls and free choices of an expression before it, each into a variable of its own.
    pub(super) fn hoist(
        &mut self,
        context: &Context,
        expression: &Expression,
        all: &mut Vec<Action>,
        gone: &mut Vec<Access>,
    ) -> Expression {
        let span = expression.span;
        let kind = match &expression.kind {
            ExpressionKind::AnyOf(type_) => {
                let access = self.temporary(type_, span);
                self.choose(&access, span, all);
                gone.push(access.clone());
                return Expression {
                    kind: self.name_of(access),
                    span,
                };
            }
            ExpressionKind::Call(name, values) => {
                let result = self.call(context, name, values, Some(span), span, all);
                let Some(access) = result else {
                    return Expression {
                        kind: ExpressionKind::Wrong,
                        span,
                    };
                };
                gone.push(access.clone());
                return Expression {
                    kind: self.name_of(access),
                    span,
                };
            }
            ExpressionKind::Unary(operator, inner) => {
                ExpressionKind::Unary(*operator, Box::new(self.hoist(context, inner, all, gone)))
            }
            ExpressionKind::Binary(operator, left, right) => {
                let left = self.hoist(context, left, all, gone);
                let right = self.hoist(context, right, all, gone);
                ExpressionKind::Binary(*operator, Box::new(left), Box::new(right))
            }
            ExpressionKind::Conditional(condition, yes, no) => {
                let condition = self.hoist(context, condition, all, gone);
                let yes = self.hoist(context, yes, all, gone);
                let no = self.hoist(context, no, all, gone);
                ExpressionKind::Conditional(Box::new(condition), Box::new(yes), Box::new(no))
            }
            ExpressionKind::Aggregate(parts) => {
                ExpressionKind::Aggregate(self.hoist_all(context, parts, all, gone))
            }
            ExpressionKind::Record(parts) => {
                let parts = parts.iter();
                let parts = parts
                    .map(|(name, value)| (name.clone(), self.hoist(context, value, all, gone)));
                ExpressionKind::Record(parts.collect())
            }
            ExpressionKind::Applied(base, values)
                if matches!(&base.kind, ExpressionKind::Name(name)
                    if !context.scope.contains_key(&key(name))
                        && (self.knows_operator(name) || context.knows_procedure(name))) =>
            {
                let ExpressionKind::Name(name) = &base.kind else {
                    return expression.clone();
                };
                let call = ExpressionKind::Call(name.clone(), values.clone());
                let call = Expression { kind: call, span };
                return self.hoist(context, &call, all, gone);
            }
            ExpressionKind::Tagged(name, value) => {
                let value = self.hoist(context, value, all, gone);
                ExpressionKind::Tagged(name.clone(), Box::new(value))
            }
            ExpressionKind::View(name, Some(of)) => {
                let of = self.hoist(context, of, all, gone);
                ExpressionKind::View(name.clone(), Some(Box::new(of)))
            }
            ExpressionKind::Applied(base, values) => {
                let values = self.hoist_all(context, values, all, gone);
                ExpressionKind::Applied(base.clone(), values)
            }
            other => other.clone(),
        };
        Expression { kind, span }
    }

    /// A name that is known everywhere for a variable that nobody wrote.
    fn name_of(&self, access: Access) -> ExpressionKind {
        ExpressionKind::Temporary(Box::new(access.type_name.clone()), access.into_path())
    }

    /// Every part of a variable gets any of the values of its type.
    pub(super) fn choose(&mut self, access: &Access, span: Span, all: &mut Vec<Action>) {
        let types = self.flat_types(&access.type_name);
        let presence = self.types.presence(&access.type_name);
        let elements = self.elements(access, span);
        for ((element, type_), presence) in elements.iter().zip(types).zip(presence) {
            match self.types.shape(&type_) {
                Shape::Single(Some((low, high))) if i64::from(high) - i64::from(low) < 256 => {
                    let element = element.clone();
                    let chosen = action(ActionKind::Choose(element.clone(), low, high), span);
                    let there = presence.iter().map(|one| {
                        let part = elements[one.part].clone();
                        let part = ExpressionKind::Applied(Box::new(part), Vec::new());
                        let part = at(part, span);
                        let low = number(one.low, span);
                        let low = binary(BinaryOperator::GreaterEqual, part.clone(), low);
                        let high = number(one.high, span);
                        let high = binary(BinaryOperator::LessEqual, part, high);
                        binary(BinaryOperator::And, low, high)
                    });
                    let there = there.reduce(|all, one| binary(BinaryOperator::And, all, one));
                    let Some(there) = there else {
                        all.push(chosen);
                        continue;
                    };
                    // What is not there is as at the start.
                    let first = at(self.types.first_value(&type_), span);
                    let cleared = action(ActionKind::Assign(element, first), span);
                    all.push(either(there, chosen, cleared, span));
                }
                _ if ["real", "charstring"].contains(&&*key(&type_)) => {
                    let message = format!("the type `{type_}` is not supported");
                    self.error(codes::NOT_TAKEN, span, message);
                }
                _ => {
                    let message = format!(
                        "a free choice needs a type of at most 256 values: `{type_}` has more"
                    );
                    self.error(codes::OUT_OF_RANGE, span, message);
                }
            }
        }
    }
}

/// One of two actions, by a condition.
fn either(condition: Expression, yes: Action, no: Action, span: Span) -> Action {
    let answer = |value, action| Answer {
        ranges: Some(vec![Range::Compared(
            BinaryOperator::Equal,
            at(ExpressionKind::Truth(value), span),
        )]),
        body: Body {
            actions: vec![action],
            span,
        },
        span,
    };
    let answers = vec![answer(true, yes), answer(false, no)];
    let decision = ActionKind::Decision(Question::Value(condition), answers);
    action(decision, span)
}
