//! Operators of OpenGEODE that turn one value into another: numbers of literals, powers, fields that may be there.

use mazurka_span::Span;

use super::rows::choose;
use super::types::{Shape, exists};
use super::values::{Context, Value, at, binary, number};
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

    /// A shift by 0 to 31 places; by more, nothing is left.
    pub(super) fn shifted(
        &mut self,
        operator: BinaryOperator,
        value: Expression,
        by: Expression,
    ) -> Value {
        let span = value.span;
        if self.is_large(&by) {
            return self.too_large(span);
        }
        let low = binary(BinaryOperator::GreaterEqual, by.clone(), number(0, span));
        let high = binary(BinaryOperator::Less, by.clone(), number(32, span));
        let fits = binary(BinaryOperator::And, low, high);
        let shifted = binary(operator, value, by);
        Value::Single(choose(fits, shifted, number(0, span)))
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
