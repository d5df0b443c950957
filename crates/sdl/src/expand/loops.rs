//! `for` loops in tasks, of OpenGEODE: a variable that counts, and a way back.

use std::rc::Rc;

use mazurka_span::Span;

use super::actions::action;
use super::context::{Access, Context};
use super::types::Shape;
use super::values::{binary, number};
use super::{Expander, key};
use crate::ast::{
    Action, ActionKind, Answer, BinaryOperator, Body, Expression, ExpressionKind, Name, Over,
    Question, Range,
};
use crate::codes;

impl Expander<'_> {
    /// The bounds are computed once. The variable is known inside the loop only.
    pub(super) fn for_loop(
        &mut self,
        context: &Context,
        variable: &Name,
        over: &Over,
        body: &Body,
        span: Span,
        all: &mut Vec<Action>,
    ) {
        let integer = Name {
            text: super::NUMBER.into(),
            span,
        };
        let counter = self.temporary(&integer, span);
        let count = self.elements(&counter, span).remove(0);
        let mut gone = vec![counter.clone()];
        let mut inside = context.clone();
        let mut scope = (*context.scope).clone();
        let (first, last, step, element) = match over {
            Over::Range(first, last, step) => {
                scope.insert(key(variable), counter);
                let first = self.hoist(context, first, all, &mut gone);
                let first = self.plain(context, &first);
                let last = self.hoist(context, last, all, &mut gone);
                let mut last = self.plain(context, &last);
                if self.types.constant(&last).is_none() {
                    let bound = self.temporary(&integer, span);
                    let kept = self.elements(&bound, span).remove(0);
                    all.push(action(ActionKind::Assign(kept.clone(), last), span));
                    gone.push(bound);
                    last = kept;
                }
                (first, last, *step, None)
            }
            Over::Elements(array) => {
                let mut array = array.clone();
                if self.access_quietly(context, &array).is_none() {
                    // No variable: what it is now is kept in one.
                    let value = self.value(context, &array);
                    let Some(row) = self.as_row(&value) else {
                        let message =
                            "a loop goes over `range(…)` or over the elements of an array";
                        self.error(codes::WRONG_TYPE, array.span, message);
                        return;
                    };
                    let type_ = self.types.row(&row.element, row.items.len().max(1) as u32);
                    let kept = self.temporary(&type_, span);
                    let values = self.row_as_type(row, &type_, span);
                    let targets = self.elements(&kept, span);
                    for (target, value) in targets.into_iter().zip(values) {
                        all.push(action(ActionKind::Assign(target, value), span));
                    }
                    gone.push(kept.clone());
                    let kind = ExpressionKind::Temporary(Box::new(type_), kept.into_path());
                    array = Expression { kind, span };
                }
                let Some(access) = self.access(context, &array) else {
                    return;
                };
                let (first, last, element) = match self.types.shape(&access.type_name) {
                    Shape::Array {
                        first,
                        length,
                        element,
                    } => {
                        let last = number(first + length as i32, span);
                        (number(first, span), last, element)
                    }
                    Shape::Row {
                        first,
                        length,
                        element,
                        ..
                    } => {
                        let bound = self.temporary(&integer, span);
                        let kept = self.elements(&bound, span).remove(0);
                        let length = self.length_of(&access, &length, span);
                        let behind = binary(BinaryOperator::Add, length, number(first, span));
                        all.push(action(ActionKind::Assign(kept.clone(), behind), span));
                        gone.push(bound);
                        (number(first, span), kept, element)
                    }
                    _ => {
                        let message =
                            "a loop goes over `range(…)` or over the elements of an array";
                        self.error(codes::WRONG_TYPE, array.span, message);
                        return;
                    }
                };
                let copy = self.temporary(&element, span);
                scope.insert(key(variable), copy.clone());
                (first, last, 1, Some((array, copy)))
            }
        };
        inside.scope = Rc::new(scope);
        self.sites += 1;
        // A label is that of one transition, unless the loop waits for signals.
        let (open, close) = match context.has_states || self.waits(&body.actions) {
            true => ('[', ']'),
            false => ('<', '>'),
        };
        let label = Name {
            text: format!("{open}for {}{close}", self.sites).as_str().into(),
            span,
        };
        all.push(action(ActionKind::Assign(count.clone(), first), span));
        let mut round = Vec::new();
        if let Some((array, copy)) = &element {
            let index = ExpressionKind::Temporary(Box::new(integer), gone[0].clone().into_path());
            let index = Expression { kind: index, span };
            let one = ExpressionKind::Applied(Box::new(array.clone()), vec![index]);
            let one = Expression { kind: one, span };
            let values = self.values_of(context, &one, &copy.type_name);
            let targets = self.elements(copy, span);
            self.assign_elements(&copy.type_name, targets, values, span, &mut round);
        }
        round.extend(self.actions(&inside, &body.actions));
        let ends = round.last().is_some_and(|last| {
            matches!(
                last.kind,
                ActionKind::Join(_) | ActionKind::NextState(_) | ActionKind::Stop
            )
        });
        if !ends {
            let next = binary(BinaryOperator::Add, count.clone(), number(step, span));
            round.push(action(ActionKind::Assign(count.clone(), next), span));
            round.push(action(ActionKind::Join(label.clone()), span));
        }
        let more = binary(BinaryOperator::Less, count, last);
        let truth = |value| {
            Range::Compared(
                BinaryOperator::Equal,
                Expression {
                    kind: ExpressionKind::Truth(value),
                    span,
                },
            )
        };
        let answer = |value, actions| Answer {
            ranges: Some(vec![truth(value)]),
            body: Body { actions, span },
            span,
        };
        let answers = vec![answer(true, round), answer(false, Vec::new())];
        let mut decision = action(ActionKind::Decision(Question::Value(more), answers), span);
        decision.label = Some(label);
        all.push(decision);
        let copy: Vec<Access> = element.into_iter().map(|(_, copy)| copy).collect();
        for access in gone.into_iter().chain(copy) {
            self.forget(&access, span, all);
        }
        let behind = action(ActionKind::Nothing, span);
        all.push(behind);
    }
}
