//! Values whose number of elements changes, of OpenGEODE: sequences and strings, parts of them, and several put together.
//!
//! A variable of such a type is the number of its elements and room for the most that there can be. What is behind the last element is
//! always as at the start, so that equal values are equal states.

use mazurka_span::Span;

use super::Expander;
use super::context::{Access, Context};
use super::types::Shape;
use super::values::{Value, at, binary, number};
use crate::ast::{BinaryOperator, Expression, ExpressionKind, Name};
use crate::codes;

/// Elements one after the other.
#[derive(Clone)]
pub(super) struct Row {
    /// The type of the elements.
    pub element: Name,
    /// The index of the first.
    first: i32,
    pub length: Expression,
    /// The single values of each element that there can be.
    pub items: Vec<Vec<Expression>>,
    /// The variable that they are, so that an element can be found by a computed index.
    of: Option<Access>,
    /// Is what is behind the last element as at the start?
    clean: bool,
}

/// More elements than that are not put together.
const MOST_ELEMENTS: usize = 2000;

pub(super) fn choose(condition: Expression, yes: Expression, no: Expression) -> Expression {
    let span = yes.span;
    let parts = (Box::new(condition), Box::new(yes), Box::new(no));
    at(ExpressionKind::Conditional(parts.0, parts.1, parts.2), span)
}

fn constant(expression: &Expression) -> Option<i32> {
    match expression.kind {
        ExpressionKind::Number(value) => Some(value),
        _ => None,
    }
}

fn less(left: Expression, right: Expression) -> Expression {
    binary(BinaryOperator::Less, left, right)
}

/// A sum or difference; of numbers, a number.
fn computed(operator: BinaryOperator, left: Expression, right: Expression) -> Expression {
    let known = constant(&left).zip(constant(&right));
    let known = known.and_then(|(a, b)| match operator {
        BinaryOperator::Add => a.checked_add(b),
        _ => a.checked_sub(b),
    });
    match known {
        Some(value) => number(value, left.span),
        None if constant(&right) == Some(0) => left,
        None => binary(operator, left, right),
    }
}

/// Counts the parts of an expression down from how many there may be.
fn fits_into(expression: &Expression, room: &mut u32) -> bool {
    if *room == 0 {
        return false;
    }
    *room -= 1;
    match &expression.kind {
        ExpressionKind::Unary(_, inner) | ExpressionKind::Element(_, inner) => {
            fits_into(inner, room)
        }
        ExpressionKind::Applied(inner, values) => {
            fits_into(inner, room) && values.iter().all(|value| fits_into(value, room))
        }
        ExpressionKind::Binary(_, left, right) => fits_into(left, room) && fits_into(right, room),
        ExpressionKind::Conditional(condition, yes, no) => [condition, yes, no]
            .into_iter()
            .all(|part| fits_into(part, room)),
        _ => true,
    }
}

impl Expander<'_> {
    /// A value as elements, if it consists of such.
    pub(super) fn as_row(&mut self, value: &Value) -> Option<Row> {
        match value {
            Value::Row(row) => Some(row.clone()),
            Value::Several(type_, values, of) => {
                let (first, element, length, values) = match self.types.shape(type_) {
                    Shape::Array {
                        first,
                        length,
                        element,
                    } => (
                        first,
                        element,
                        number(length as i32, type_.span),
                        &values[..],
                    ),
                    Shape::Row { first, element, .. } => {
                        (first, element, values.first()?.clone(), values.get(1..)?)
                    }
                    _ => return None,
                };
                let width = self.types.width(&element);
                let count = match (values.len(), width) {
                    (_, 0) => 0,
                    (all, one) => all / one,
                };
                let place = |item, part| self.types.place(&element, count, item, part);
                let items = (0..count).map(|item| {
                    let parts = (0..width).map(|part| values[place(item, part)].clone());
                    parts.collect()
                });
                let items = items.collect();
                Some(Row {
                    element,
                    first,
                    length,
                    items,
                    of: of.clone(),
                    clean: true,
                })
            }
            _ => None,
        }
    }

    /// Parts of unknown type, or text, as elements of a type.
    pub(super) fn row_of(
        &mut self,
        context: &Context,
        value: &Value,
        element: &Name,
        span: Span,
    ) -> Option<Row> {
        let items: Vec<Vec<Expression>> = match value {
            Value::Aggregate(parts, _) => {
                let parts = parts.iter();
                parts
                    .map(|part| self.values_of(context, part, element))
                    .collect()
            }
            Value::Single(text) if matches!(text.kind, ExpressionKind::Text(_)) => {
                let ExpressionKind::Text(text) = &text.kind else {
                    return None;
                };
                let of_characters = super::key(&self.types.root(element)) == "character";
                let one = |c: char| match of_characters {
                    true => at(ExpressionKind::Text(c.to_string()), span),
                    false => number(c as i32, span),
                };
                text.chars().map(|c| vec![one(c)]).collect()
            }
            other => return self.as_row(other),
        };
        Some(Row {
            element: element.clone(),
            first: 0,
            length: number(items.len() as i32, span),
            items,
            of: None,
            clean: true,
        })
    }

    /// What is at the start in the single values of a type.
    pub(super) fn first_values(&self, type_: &Name, span: Span) -> Vec<Expression> {
        let types = self.flat_types(type_);
        let values = types.iter().map(|type_| self.types.first_value(type_));
        values.map(|kind| at(kind, span)).collect()
    }

    /// The single values of elements as those of a type.
    pub(super) fn row_as_type(&mut self, row: Row, wanted: &Name, span: Span) -> Vec<Expression> {
        let (most, element, length) = match self.types.shape(wanted) {
            Shape::Row { most, element, .. } => (most as usize, element, Some(row.length.clone())),
            Shape::Array {
                length, element, ..
            } => {
                if constant(&row.length) != Some(length as i32) {
                    let message = format!(
                        "`{wanted}` has always {length} elements, and this has another number of them or one that changes"
                    );
                    self.error(codes::WRONG_COUNT, span, message);
                    return Vec::new();
                }
                (length as usize, element, None)
            }
            _ => {
                let message = format!("a value of type {wanted} is needed here");
                self.error(codes::WRONG_TYPE, span, message);
                return Vec::new();
            }
        };
        self.same_type(&row.element, &element, span);
        if let (Some(known), Shape::Row { least, .. }) =
            (constant(&row.length), self.types.shape(wanted))
            && !(least as i32..=most as i32).contains(&known)
        {
            let message = format!("`{wanted}` has {least} to {most} elements, not {known}");
            self.error(codes::WRONG_COUNT, span, message);
            return Vec::new();
        }
        let first = self.first_values(&element, span);
        let mut each = Vec::new();
        for item in 0..most {
            let there = less(number(item as i32, span), row.length.clone());
            let values = match (row.items.get(item), constant(&row.length)) {
                (None, _) => first.clone(),
                (Some(_), Some(length)) if item as i32 >= length => first.clone(),
                (Some(values), Some(_)) => values.clone(),
                (Some(values), None) if row.clean => values.clone(),
                (Some(values), None) => {
                    let pairs = values.iter().cloned().zip(first.iter().cloned());
                    let pairs = pairs.map(|(value, first)| choose(there.clone(), value, first));
                    pairs.collect()
                }
            };
            each.push(values);
        }
        let mut all: Vec<Expression> = length.into_iter().collect();
        all.extend(self.by_leaves(&element, &each));
        all
    }

    /// The element with a computed index, if that is the index of one; else any.
    fn pick(&mut self, row: &Row, index: Expression, span: Span) -> Option<Vec<Expression>> {
        if let Some(known) = constant(&index) {
            let found = usize::try_from(known).ok();
            return found
                .and_then(|known| row.items.get(known))
                .or(row.items.first())
                .cloned();
        }
        let last = row.items.len() as i32;
        if let Some(of) = &row.of {
            let low = binary(BinaryOperator::GreaterEqual, index.clone(), number(0, span));
            let high = less(index.clone(), number(last, span));
            let fits = binary(BinaryOperator::And, low, high);
            let index = choose(fits, index, number(0, span));
            let access = of.element(index, last as u32, &row.element);
            return Some(self.elements(&access, span));
        }
        let mut found = row.items.last()?.clone();
        for (item, values) in row.items.iter().enumerate().rev().skip(1) {
            let is_it = binary(
                BinaryOperator::Equal,
                index.clone(),
                number(item as i32, span),
            );
            let pairs = values.iter().cloned().zip(found);
            let pairs = pairs.map(|(value, rest)| choose(is_it.clone(), value, rest));
            found = pairs.collect();
        }
        Some(found)
    }

    /// `a // b`
    pub(super) fn appended(
        &mut self,
        context: &Context,
        left: &Value,
        right: &Value,
        span: Span,
    ) -> Value {
        if let (Value::Aggregate(a, _), Value::Aggregate(b, _)) = (left, right) {
            return Value::Aggregate([&a[..], &b[..]].concat(), span);
        }
        if let (Value::Single(a), Value::Single(b)) = (left, right)
            && let (ExpressionKind::Text(a), ExpressionKind::Text(b)) = (&a.kind, &b.kind)
        {
            return Value::Single(at(ExpressionKind::Text(format!("{a}{b}")), span));
        }
        let known = self.as_row(left).or_else(|| self.as_row(right));
        let both = known.and_then(|known| {
            let left = self.row_of(context, left, &known.element, span)?;
            Some((left, self.row_of(context, right, &known.element, span)?))
        });
        let Some((left, right)) = both else {
            let message = "`//` needs sequences or strings on both sides";
            self.error(codes::WRONG_TYPE, span, message);
            return Value::Single(at(ExpressionKind::Wrong, span));
        };
        self.same_type(&right.element, &left.element, span);
        let total = left.items.len() + right.items.len();
        if total > MOST_ELEMENTS || self.is_large(&left.length) || self.is_large(&right.length) {
            return self.too_large(span);
        }
        let mut items = Vec::new();
        for item in 0..total {
            let here = number(item as i32, span);
            let behind = computed(BinaryOperator::Subtract, here.clone(), left.length.clone());
            let own = left.items.get(item);
            let values = match (constant(&left.length), own) {
                (Some(length), Some(own)) if (item as i32) < length => own.clone(),
                (_, own) => {
                    let next = self.pick(&right, behind, span);
                    match (own, next) {
                        (Some(own), Some(next)) => {
                            let there = less(here, left.length.clone());
                            let pairs = own.iter().cloned().zip(next);
                            let pairs = pairs.map(|(own, next)| choose(there.clone(), own, next));
                            pairs.collect()
                        }
                        (Some(own), None) => own.clone(),
                        (None, Some(next)) => next,
                        (None, None) => Vec::new(),
                    }
                }
            };
            items.push(values);
        }
        Value::Row(Row {
            element: left.element,
            first: left.first,
            length: computed(BinaryOperator::Add, left.length, right.length),
            items,
            of: None,
            clean: false,
        })
    }

    /// `x(a, b)`: the elements from one index to another, both among them. An index that is not one of an element is an error.
    pub(super) fn slice(
        &mut self,
        context: &Context,
        whole: &Value,
        bounds: &[Expression],
        span: Span,
    ) -> Value {
        let Some(row) = self.as_row(whole) else {
            let message = "only sequences and strings have parts";
            self.error(codes::WRONG_TYPE, span, message);
            return Value::Single(at(ExpressionKind::Wrong, span));
        };
        let [from, to] = bounds else {
            let message = "a part of a sequence is from one index to another";
            self.error(codes::WRONG_COUNT, span, message);
            return Value::Single(at(ExpressionKind::Wrong, span));
        };
        let mut bound = |value: &Expression| {
            let plain = self.plain(context, value);
            match self.known(context, &plain) {
                Some(known) => number(known, value.span),
                None => plain,
            }
        };
        let (from, to) = (bound(from), bound(to));
        let first = number(row.first, span);
        let from = computed(BinaryOperator::Subtract, from, first.clone());
        let to = computed(BinaryOperator::Subtract, to, first);
        if self.is_large(&from) || self.is_large(&to) || self.is_large(&row.length) {
            return self.too_large(span);
        }
        let length = computed(BinaryOperator::Subtract, to.clone(), from.clone());
        let length = computed(BinaryOperator::Add, length, number(1, span));
        // From 0, up to the last element, and not less than nothing.
        let first = binary(BinaryOperator::GreaterEqual, from.clone(), number(0, span));
        let last = less(to.clone(), row.length.clone());
        let some = binary(
            BinaryOperator::GreaterEqual,
            length.clone(),
            number(0, span),
        );
        let fits = binary(BinaryOperator::And, first, last);
        let fits = binary(BinaryOperator::And, fits, some);
        let known = constant(&from).zip(constant(&to));
        let inside = known.is_some_and(|(from, to)| {
            let whole = constant(&row.length);
            from >= 0 && from <= to + 1 && whole.is_some_and(|whole| to < whole)
        });
        let length = match inside {
            true => length,
            false => choose(fits, length, self.failure(super::NUMBER, span)),
        };
        let count = match known {
            Some((from, to)) => (i64::from(to) - i64::from(from) + 1).max(0) as usize,
            None => row.items.len(),
        };
        let mut items = Vec::new();
        for item in 0..count.min(row.items.len()) {
            let index = computed(BinaryOperator::Add, from.clone(), number(item as i32, span));
            items.extend(self.pick(&row, index, span));
        }
        Value::Row(Row {
            element: row.element,
            first: row.first,
            length,
            items,
            of: None,
            clean: false,
        })
    }

    /// The element with an index of what is no variable; an index that is not one is an error.
    pub(super) fn element_of(
        &mut self,
        context: &Context,
        whole: &Value,
        index: &Expression,
        span: Span,
    ) -> Value {
        let Some(row) = self.as_row(whole) else {
            let message = "only arrays, sequences and strings have elements";
            self.error(codes::WRONG_TYPE, span, message);
            return Value::Single(at(ExpressionKind::Wrong, span));
        };
        let index = self.plain(context, index);
        let index = match self.known(context, &index) {
            Some(known) => number(known, index.span),
            None => index,
        };
        let index = computed(BinaryOperator::Subtract, index, number(row.first, span));
        if self.is_large(&index) || self.is_large(&row.length) {
            return self.too_large(span);
        }
        let low = binary(BinaryOperator::GreaterEqual, index.clone(), number(0, span));
        let high = less(index.clone(), row.length.clone());
        let fits = binary(BinaryOperator::And, low, high);
        let Some(values) = self.pick(&row, index, span) else {
            let message = "this has no elements";
            self.error(codes::OUT_OF_RANGE, span, message);
            return Value::Single(at(ExpressionKind::Wrong, span));
        };
        let types = self.flat_types(&row.element);
        let mut all = Vec::new();
        for (value, type_) in values.into_iter().zip(types) {
            let wrong = self.failure(&type_.text, span);
            all.push(choose(fits.clone(), value, wrong));
        }
        match self.types.is_compound(&row.element) {
            true => Value::Several(row.element, all, None),
            false => Value::Single(all.remove(0)),
        }
    }

    /// `first(s)` and `last(s)`
    pub(super) fn end_of(
        &mut self,
        context: &Context,
        whole: &Value,
        last: bool,
        span: Span,
    ) -> Value {
        let Some(row) = self.as_row(whole) else {
            let message = "only sequences and strings have a first and a last element";
            self.error(codes::WRONG_TYPE, span, message);
            return Value::Single(at(ExpressionKind::Wrong, span));
        };
        let first = number(row.first, span);
        let behind = computed(BinaryOperator::Add, row.length.clone(), first.clone());
        let index = match last {
            true => computed(BinaryOperator::Subtract, behind, number(1, span)),
            false => first,
        };
        self.element_of(context, &Value::Row(row), &index, span)
    }

    /// Are elements equal, whatever their types are called?
    pub(super) fn equal_rows(&mut self, a: &Row, b: &Row, span: Span) -> Expression {
        self.same_type(&b.element, &a.element, span);
        let mut all = binary(BinaryOperator::Equal, a.length.clone(), b.length.clone());
        for (number_of, (x, y)) in a.items.iter().zip(&b.items).enumerate() {
            let here = number(number_of as i32, span);
            let behind = binary(BinaryOperator::GreaterEqual, here, a.length.clone());
            for (x, y) in x.iter().zip(y) {
                let equal = binary(BinaryOperator::Equal, x.clone(), y.clone());
                let fits = binary(BinaryOperator::Or, behind.clone(), equal);
                all = binary(BinaryOperator::And, all, fits);
            }
        }
        all
    }

    /// The value of what is known before the system runs; a variable is not.
    pub(super) fn known(&self, context: &Context, value: &Expression) -> Option<i32> {
        match &value.kind {
            ExpressionKind::Name(name) if context.scope.contains_key(&super::key(name)) => None,
            ExpressionKind::Name(name) if name.text.contains(['!', '.']) => None,
            ExpressionKind::Binary(_, left, right) => {
                self.known(context, left)?;
                self.known(context, right)?;
                self.types.constant(value)
            }
            ExpressionKind::Unary(_, inner) => {
                self.known(context, inner)?;
                self.types.constant(value)
            }
            _ => self.types.constant(value),
        }
    }

    /// Would what is computed of it be too much?
    pub(super) fn is_large(&self, expression: &Expression) -> bool {
        let mut room = 2000;
        !fits_into(expression, &mut room)
    }

    pub(super) fn too_large(&mut self, span: Span) -> Value {
        let message = "too much is computed here at once: put some of it into a variable before";
        self.error(codes::TOO_LARGE, span, message);
        Value::Single(at(ExpressionKind::Wrong, span))
    }
}
