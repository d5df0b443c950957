//! Operators of OpenGEODE that turn one value into another: numbers of literals, powers, fields that may be there.

use mazurka_span::Span;

use super::context::Context;
use super::rows::choose;
use super::types::{Shape, exists};
use super::values::{Value, at, binary, number};
use super::{Expander, key};
use crate::ast::{BinaryOperator, Expression, ExpressionKind, Name};
use crate::codes;

impl Expander<'_> {
    /// The number of a literal: where it stands in its type, or the number that ASN.1 gives it.
    pub(super) fn number_of(
        &mut self,
        value: Expression,
        type_: Option<&Name>,
        span: Span,
    ) -> Expression {
        let literal = match (&value.kind, type_) {
            (ExpressionKind::Name(name), None) => self.types.type_of_literal(name),
            _ => None,
        };
        let numbers = type_.cloned().or(literal);
        let numbers = numbers.and_then(|type_| self.types.numbers(&type_));
        let place = at(ExpressionKind::Applied(Box::new(value), Vec::new()), span);
        let Some(numbers) = numbers else {
            return place;
        };
        let mut found = number(numbers.last().copied().unwrap_or(0), span);
        for (at, value) in numbers.iter().enumerate().rev().skip(1) {
            let is_it = binary(
                BinaryOperator::Equal,
                place.clone(),
                number(at as i32, span),
            );
            found = choose(is_it, number(*value, span), found);
        }
        found
    }

    /// `exist(s.f)`: is an optional field there?
    pub(super) fn exist(&mut self, context: &Context, value: &Expression, span: Span) -> Value {
        if let ExpressionKind::Field(base, field) = &value.kind
            && let Some(base) = self.access(context, base)
            && let Shape::Structure(fields) = self.types.shape(&base.type_name)
            && let Some((name, type_)) =
                (fields.iter()).find(|(f, _)| key(f) == exists(&key(field)))
        {
            let flag = base.part(&format!("!{}", key(name)), type_);
            return Value::Single(self.elements(&flag, span).remove(0));
        }
        let message = "`exist` is asked of an optional field of a variable";
        self.error(codes::WRONG_TYPE, span, message);
        Value::Single(at(ExpressionKind::Wrong, span))
    }

    /// `power(b, e)` of whole numbers; an exponent below 0 or above 31 is an error.
    pub(super) fn power(
        &mut self,
        context: &Context,
        base: &Expression,
        exponent: &Expression,
        span: Span,
    ) -> Value {
        let base = self.plain(context, base);
        let exponent = self.plain(context, exponent);
        if self.is_large(&base) || self.is_large(&exponent) {
            return self.too_large(span);
        }
        let times = |count: i32| {
            let all = (0..count).map(|_| base.clone());
            let all = all.reduce(|all, one| binary(BinaryOperator::Multiply, all, one));
            all.unwrap_or(number(1, span))
        };
        if let Some(known) = self.known(context, &exponent) {
            if !(0..32).contains(&known) {
                let message = "the exponent is from 0 to 31";
                self.error(codes::OUT_OF_RANGE, exponent.span, message);
                return Value::Single(at(ExpressionKind::Wrong, span));
            }
            return Value::Single(times(known));
        }
        let mut found = self.failure(super::NUMBER, span);
        for count in (0..32).rev() {
            let is_it = binary(BinaryOperator::Equal, exponent.clone(), number(count, span));
            found = choose(is_it, times(count), found);
        }
        Value::Single(found)
    }

    /// A shift to the left is a product, and one that does not fit is an error; to the right, by more than there is, nothing is left
    /// but the sign. A shift by less than nothing is an error.
    pub(super) fn shifted(&mut self, left: bool, value: Expression, by: Expression) -> Value {
        let span = value.span;
        if self.is_large(&by) || self.is_large(&value) {
            return self.too_large(span);
        }
        let failure = self.failure(super::NUMBER, span);
        let whole = |number_: i32| number(number_, span);
        let compared = |operator, part: &Expression, other| binary(operator, part.clone(), other);
        let fits = compared(
            BinaryOperator::LessEqual,
            &by,
            whole(if left { 30 } else { 31 }),
        );
        let (shifted, beyond) = match left {
            true => {
                let factor = binary(BinaryOperator::ShiftLeft, whole(1), by.clone());
                let product = |a, b| binary(BinaryOperator::Multiply, a, b);
                // The factor itself does not fit. By four, nothing fits but zero.
                let is_next = compared(BinaryOperator::Equal, &by, whole(31));
                let rest = choose(is_next, whole(2), whole(4));
                (
                    product(value.clone(), factor),
                    product(product(value, whole(1 << 30)), rest),
                )
            }
            false => {
                let is_negative = compared(BinaryOperator::Less, &value, whole(0));
                (
                    binary(BinaryOperator::ShiftRight, value, by.clone()),
                    choose(is_negative, whole(-1), whole(0)),
                )
            }
        };
        let forwards = compared(BinaryOperator::GreaterEqual, &by, whole(0));
        let shifted = choose(fits, shifted, beyond);
        Value::Single(choose(forwards, shifted, failure))
    }

    /// `to_selector(e, Choice)`, `to_enum(present(c), Enumeration)` and `val(1, Enumeration)`.
    pub(super) fn converted(
        &mut self,
        context: &Context,
        operator: &Name,
        value: &Expression,
        type_: &Expression,
        span: Span,
    ) -> Value {
        let wrong = Value::Single(at(ExpressionKind::Wrong, span));
        let ExpressionKind::Name(type_) = &type_.kind else {
            let message = format!("`{operator}` needs the name of a type");
            self.error(codes::WRONG_TYPE, type_.span, message);
            return wrong;
        };
        let to = match self.types.is_choice(type_) {
            true => Name {
                text: format!("{type_}_selection").as_str().into(),
                span: type_.span,
            },
            false => type_.clone(),
        };
        let targets = self.types.literals(&to);
        if targets.is_empty() {
            let message = format!("`{type_}` is not an enumeration");
            self.error(codes::WRONG_TYPE, type_.span, message);
            return wrong;
        }
        let literal = |name: &str| {
            let name = Name {
                text: format!("{}.{name}", key(&to)).as_str().into(),
                span,
            };
            at(ExpressionKind::Name(name), span)
        };
        let from = self.type_of(context, value);
        let asked = self.plain(context, value);
        if self.is_large(&asked) {
            return self.too_large(span);
        }
        // Which value stands for which literal.
        let pairs: Vec<(i32, String)> = match &*key(operator) {
            "val" => {
                let count = targets.len() as i32;
                let numbers = self.types.numbers(&to);
                let numbers = numbers.unwrap_or_else(|| (0..count).collect());
                numbers.into_iter().zip(targets).collect()
            }
            _ => {
                let Some(from) = from.map(|from| self.types.literals(&from)) else {
                    let message = "a value of an enumeration is needed here";
                    self.error(codes::WRONG_TYPE, value.span, message);
                    return wrong;
                };
                let pairs = from.into_iter().enumerate();
                let pairs = pairs.map(|(place, name)| (place as i32, name));
                pairs.filter(|(_, name)| targets.contains(name)).collect()
            }
        };
        let place = at(ExpressionKind::Applied(Box::new(asked), Vec::new()), span);
        let mut found = self.failure(&to.text, span);
        for (known, name) in pairs.iter().rev() {
            let is_it = binary(BinaryOperator::Equal, place.clone(), number(*known, span));
            found = choose(is_it, literal(name), found);
        }
        Value::Single(found)
    }
}
