//! Operators that every model has, values that are one of several, and literals that several types have.

use mazurka_span::Span;

use super::context::Context;
use super::types::Shape;
use super::values::{Value, at, binary, number};
use super::{Expander, key};
use crate::ast::{BinaryOperator, Expression, ExpressionKind, Name, Unary, UnaryOperator};
use crate::codes;

impl Expander<'_> {
    /// The type of a variable or of a part of one, and of what is selected by it.
    pub(super) fn type_of(&mut self, context: &Context, expression: &Expression) -> Option<Name> {
        match &expression.kind {
            ExpressionKind::Name(_)
            | ExpressionKind::Field(..)
            | ExpressionKind::Applied(..)
            | ExpressionKind::Temporary(..) => {
                if let ExpressionKind::Applied(base, values) = &expression.kind
                    && let ExpressionKind::Name(name) = &base.kind
                    && let ("present", [of]) = (&*key(name), &values[..])
                {
                    let of = self.type_of(context, of)?;
                    let Shape::Structure(fields) = self.types.shape(&of) else {
                        return None;
                    };
                    let is_choice = self.types.is_choice(&of);
                    return fields
                        .first()
                        .filter(|_| is_choice)
                        .map(|field| field.1.clone());
                }
                let access = self.access_quietly(context, expression);
                access.map(|access| access.type_name)
            }
            ExpressionKind::View(name, _) => context.view_type(name),
            ExpressionKind::Conditional(_, yes, no) => self
                .type_of(context, yes)
                .or_else(|| self.type_of(context, no)),
            _ => None,
        }
    }

    /// What an expression selects; nothing is said if it is no variable.
    pub(super) fn access_quietly(
        &mut self,
        context: &Context,
        expression: &Expression,
    ) -> Option<super::context::Access> {
        let before = self.diagnostics.len();
        let access = self.access(context, expression);
        self.diagnostics.truncate(before);
        access
    }

    /// A literal that several types have is that of the type that is wanted.
    pub(super) fn settle(&mut self, context: &Context, value: &mut Expression, wanted: &Name) {
        match &mut value.kind {
            ExpressionKind::Name(name) if !context.scope.contains_key(&key(name)) => {
                if let Some(literal) = self.types.literal_of(name, wanted) {
                    *name = literal;
                }
            }
            ExpressionKind::Number(number) => {
                if let Some(literal) = self.types.numbered(*number, wanted, value.span) {
                    value.kind = ExpressionKind::Name(literal);
                }
            }
            ExpressionKind::Conditional(_, yes, no) => {
                self.settle(context, yes, wanted);
                self.settle(context, no, wanted);
            }
            _ => {}
        }
    }

    /// `foo: 5` of a type that is one of several: the others are as at the start.
    pub(super) fn tagged(
        &mut self,
        context: &Context,
        name: &Name,
        value: &Expression,
        wanted: &Name,
        span: Span,
    ) -> Vec<Expression> {
        let Shape::Structure(fields) = self.types.shape(wanted) else {
            let message = format!("`{wanted}` is not one of several (CHOICE)");
            self.error(codes::WRONG_TYPE, span, message);
            return Vec::new();
        };
        let known = fields
            .iter()
            .skip(1)
            .any(|(field, _)| key(field) == key(name));
        if !self.types.is_choice(wanted) || !known {
            let message = format!("`{wanted}` has no alternative `{name}`");
            self.error(codes::UNKNOWN_NAME, name.span, message);
            return Vec::new();
        }
        let mut all = Vec::new();
        for (number, (field, type_)) in fields.iter().enumerate() {
            if number == 0 {
                let literal = Name {
                    text: format!("{}.{}", key(type_), key(name)).as_str().into(),
                    span,
                };
                all.push(at(ExpressionKind::Name(literal), span));
            } else if key(field) == key(name) {
                all.extend(self.values_of(context, value, type_));
            } else {
                let types = self.flat_types(type_);
                all.extend(
                    types
                        .iter()
                        .map(|type_| at(self.types.first_value(type_), span)),
                );
            }
        }
        all
    }

    /// The value of a variable that another process reveals.
    pub(super) fn viewed(
        &mut self,
        context: &Context,
        name: &Name,
        of: Option<&Expression>,
        span: Span,
    ) -> Value {
        let of = of.map(|of| Box::new(self.plain(context, of)));
        let Some(type_) = context.view_type(name) else {
            let message = format!("`{name}` is not among the variables that are `viewed` here");
            self.error(codes::UNKNOWN_NAME, name.span, message);
            return Value::Single(at(ExpressionKind::Wrong, span));
        };
        let mut all = Vec::new();
        for leaf in self.types.leaves(&type_) {
            let path = Name {
                text: leaf.name(&key(name), 0).as_str().into(),
                span,
            };
            let count: u32 = leaf.lengths.iter().product();
            for element in 0..count {
                let index = (!leaf.lengths.is_empty()).then_some(element);
                let seen = ExpressionKind::Seen(path.clone(), index, of.clone());
                all.push(at(seen, span));
            }
        }
        match self.types.is_compound(&type_) {
            true => Value::Several(type_, all, None),
            false => Value::Single(all.remove(0)),
        }
    }

    /// Is a value one of several?
    pub(super) fn among(
        &mut self,
        context: &Context,
        left: &Expression,
        right: &Expression,
    ) -> Value {
        let span = Span::new(left.span.start, right.span.end.max(left.span.start));
        let wanted = self.type_of(context, left);
        let several = self.value(context, right);
        let (others, length): (Vec<Value>, Option<Expression>) = match &several {
            Value::Aggregate(parts, _) => {
                let parts = parts.iter();
                (parts.map(|part| self.value(context, part)).collect(), None)
            }
            other => match self.as_row(other) {
                Some(row) => {
                    let items = row.items.into_iter().map(|mut values| {
                        match self.types.is_compound(&row.element) {
                            true => Value::Several(row.element.clone(), values, None),
                            false => Value::Single(values.remove(0)),
                        }
                    });
                    (items.collect(), Some(row.length))
                }
                None => {
                    let message = "`in` needs several values of one type on its right";
                    self.error(codes::WRONG_TYPE, right.span, message);
                    (Vec::new(), None)
                }
            },
        };
        let one = self.value(context, left);
        let mut equal = Vec::new();
        for (place, other) in others.into_iter().enumerate() {
            let mut same = match (&one, other) {
                (Value::Single(one), Value::Single(mut other)) => {
                    let mut one = one.clone();
                    if let Some(wanted) = &wanted {
                        self.settle(context, &mut other, wanted);
                    } else if let Some(element) = self.element_type(&several) {
                        self.settle(context, &mut one, &element);
                    }
                    binary(BinaryOperator::Equal, one, other)
                }
                (one, other) => {
                    let known = match (one, &other) {
                        (Value::Several(type_, ..), _) | (_, Value::Several(type_, ..)) => {
                            type_.clone()
                        }
                        _ => {
                            let message = "what type this is of cannot be told here";
                            self.error(codes::WRONG_TYPE, span, message);
                            continue;
                        }
                    };
                    let a = self.as_type(context, one.clone(), &known, left.span);
                    let b = self.as_type(context, other, &known, right.span);
                    let pairs = a.into_iter().zip(b);
                    let pairs = pairs.map(|(a, b)| binary(BinaryOperator::Equal, a, b));
                    let all = pairs.reduce(|all, one| binary(BinaryOperator::And, all, one));
                    all.unwrap_or(at(ExpressionKind::Truth(true), span))
                }
            };
            if let Some(length) = &length {
                let place = number(place as i32, span);
                let there = binary(BinaryOperator::Less, place, length.clone());
                same = binary(BinaryOperator::And, there, same);
            }
            equal.push(same);
        }
        let any = equal
            .into_iter()
            .reduce(|all, one| binary(BinaryOperator::Or, all, one));
        let any = any.unwrap_or(at(ExpressionKind::Truth(false), span));
        Value::Single(at(any.kind, span))
    }

    /// The type of the elements of a variable.
    fn element_type(&self, value: &Value) -> Option<Name> {
        let Value::Several(type_, ..) = value else {
            return None;
        };
        match self.types.shape(type_) {
            Shape::Array { element, .. } | Shape::Row { element, .. } => Some(element),
            _ => None,
        }
    }

    /// The operators that every model has.
    pub(super) fn built_in(
        &mut self,
        context: &Context,
        name: &Name,
        values: &[Expression],
        whole: &Expression,
    ) -> Value {
        let span = whole.span;
        let single = |kind| Value::Single(at(kind, span));
        match (&*key(name), values) {
            ("abs", [value]) => {
                let value = self.plain(context, value);
                let below = binary(BinaryOperator::Less, value.clone(), number(0, span));
                let minus = Unary::Value(UnaryOperator::Minus);
                let less = at(ExpressionKind::Unary(minus, Box::new(value.clone())), span);
                let parts = (Box::new(below), Box::new(less), Box::new(value));
                single(ExpressionKind::Conditional(parts.0, parts.1, parts.2))
            }
            ("num", [value]) => {
                let type_ = self.type_of(context, value);
                let value = self.plain(context, value);
                Value::Single(self.number_of(value, type_.as_ref(), span))
            }
            ("fix", [value]) => {
                let value = self.plain(context, value);
                single(value.kind)
            }
            ("length", [value]) => match self.value(context, value) {
                Value::Aggregate(parts, _) => single(ExpressionKind::Number(parts.len() as i32)),
                Value::Single(Expression {
                    kind: ExpressionKind::Text(text),
                    ..
                }) => single(ExpressionKind::Number(text.chars().count() as i32)),
                value => match self.as_row(&value) {
                    Some(row) => Value::Single(row.length),
                    None => {
                        let message = "`length` is asked of a sequence or a string";
                        self.error(codes::WRONG_TYPE, span, message);
                        single(ExpressionKind::Wrong)
                    }
                },
            },
            ("mkstring", [value]) => Value::Aggregate(vec![value.clone()], span),
            ("substring", [value, from, count]) => {
                let whole = self.value(context, value);
                let last = binary(BinaryOperator::Add, from.clone(), count.clone());
                let last = binary(BinaryOperator::Subtract, last, number(1, span));
                self.slice(context, &whole, &[from.clone(), last], span)
            }
            ("first" | "last", [value]) => {
                let whole = self.value(context, value);
                self.end_of(context, &whole, &*key(name) == "last", span)
            }
            ("exist", [value]) => self.exist(context, value, span),
            ("power", [base, exponent]) => self.power(context, base, exponent, span),
            ("shift_left" | "shift_right", [value, by]) => {
                let value = self.plain(context, value);
                let by = self.plain(context, by);
                self.shifted(&*key(name) == "shift_left", value, by)
            }
            ("chr", [value]) => {
                let value = self.plain(context, value);
                Value::Single(value)
            }
            ("float" | "ceil" | "floor" | "round" | "trunc" | "sqrt" | "sin" | "cos", [_]) => {
                let message = format!("`{name}` is an operator of Real, which is not supported");
                self.error(codes::NOT_TAKEN, span, message);
                single(ExpressionKind::Wrong)
            }
            ("to_selector" | "to_enum" | "val", [value, type_]) => {
                self.converted(context, name, value, type_, span)
            }
            ("present", [value]) => {
                let which = self.type_of(context, value);
                match (
                    which.is_some_and(|type_| self.types.is_choice(&type_)),
                    self.value(context, value),
                ) {
                    (true, Value::Several(_, mut parts, _)) => Value::Single(parts.remove(0)),
                    _ => {
                        let message =
                            "`present` is asked of a value that is one of several (CHOICE)";
                        self.error(codes::WRONG_TYPE, span, message);
                        single(ExpressionKind::Wrong)
                    }
                }
            }
            _ if self.knows_operator(name) => {
                let message = format!(
                    "`{name}` is computed where a transition does something, not in conditions that set one off"
                );
                self.error(codes::NOT_TAKEN, span, message);
                single(ExpressionKind::Wrong)
            }
            _ => self.no_operator(whole),
        }
    }

    pub(super) fn no_operator(&mut self, whole: &Expression) -> Value {
        self.operator(whole);
        Value::Single(at(ExpressionKind::Wrong, whole.span))
    }

    /// Is there an operator of a type, with a description?
    pub(super) fn knows_operator(&self, name: &Name) -> bool {
        let mut known = self.procedures.iter();
        known.any(|known| known.returns.is_some() && key(&known.name) == key(name))
    }

    /// Something that looks like the use of an operator.
    pub(super) fn operator(&mut self, expression: &Expression) {
        let name = match &expression.kind {
            ExpressionKind::Applied(base, _) | ExpressionKind::Field(base, _) => match &base.kind {
                ExpressionKind::Name(name) => Some(name.clone()),
                _ => None,
            },
            _ => None,
        };
        let message = match name {
            Some(name) if self.signatures.contains(&key(&name)) => {
                format!(
                    "the operator `{name}` has no description (`operator`): axioms are not supported"
                )
            }
            Some(name) => {
                format!("`{name}` is no variable, and operators of types are not supported")
            }
            None => "operators of types are not supported".into(),
        };
        self.error(codes::NOT_TAKEN, expression.span, message);
    }
}
