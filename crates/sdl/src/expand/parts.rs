//! Parts of what is no variable: of constants of several values, of parts of sequences, of sequences that were put together.

use mazurka_span::{Diagnostic, Span, nearest};

use super::context::{Context, Scope};
use super::types::Shape;
use super::values::{Value, at, binary};
use super::{Expander, key};
use crate::ast::{Binary, BinaryOperator, Expression, ExpressionKind, Name, Unary, UnaryOperator};
use crate::codes;

impl Expander<'_> {
    /// Reports what should have been a variable, with the nearest that is one.
    pub(super) fn no_variable(&mut self, context: &Context, target: &Expression) {
        let ExpressionKind::Name(name) = &target.kind else {
            let message = "a variable is needed here";
            return self.error(codes::UNKNOWN_NAME, target.span, message);
        };
        let message = format!("there is no variable `{name}`");
        let mut told = Diagnostic::error(codes::UNKNOWN_NAME, target.span, message);
        let mut known: Vec<&str> = context.scope.keys().map(String::as_str).collect();
        known.sort_unstable();
        if let Some(near) = nearest(&key(name), known.into_iter()) {
            let near = self.spelt.get(near).map_or(near, String::as_str);
            told = told.hint(format!("did you mean `{near}`?"));
        }
        self.diagnostics.push(told);
    }

    /// Is what has an index or bounds no variable, or are there bounds?
    pub(super) fn is_no_variable(
        &self,
        context: &Context,
        base: &Expression,
        values: &[Expression],
    ) -> bool {
        if self.is_part(context, base) {
            return !values.is_empty();
        }
        let mut root = base;
        while let ExpressionKind::Field(inner, _) | ExpressionKind::Applied(inner, _) = &root.kind {
            root = inner;
        }
        let known = match &root.kind {
            ExpressionKind::Name(name) => context.scope.contains_key(&key(name)),
            ExpressionKind::Temporary(..) => true,
            _ => false,
        };
        known && values.len() == 2
    }

    /// Is it a constant of several values, a part of a sequence, or a part of such?
    pub(super) fn is_part(&self, context: &Context, base: &Expression) -> bool {
        match &base.kind {
            ExpressionKind::Name(name) => {
                !context.scope.contains_key(&key(name)) && self.constants.contains_key(&key(name))
            }
            ExpressionKind::Applied(inner, values) => {
                self.is_no_variable(context, inner, values) || self.is_part(context, inner)
            }
            ExpressionKind::Field(inner, _) => self.is_part(context, inner),
            ExpressionKind::Binary(Binary::Append, ..) => true,
            _ => false,
        }
    }

    /// A constant of several values.
    pub(super) fn constant(&mut self, type_: &Name, value: &Expression) -> Value {
        let nowhere = Context::of_process(Scope::default(), Vec::new());
        // A constant that is made of itself has no value.
        if self.depth > 20 {
            let message = "a constant that is a part of itself";
            self.error(codes::TOO_DEEP, value.span, message);
            return Value::Single(at(ExpressionKind::Wrong, value.span));
        }
        self.depth += 1;
        let values = self.values_of(&nowhere, value, type_);
        self.depth -= 1;
        match self.types.is_compound(type_) {
            true => Value::Several(type_.clone(), values, None),
            false => Value::Single(values.into_iter().next().unwrap_or(value.clone())),
        }
    }

    /// A field of what is no variable.
    pub(super) fn field_of(&mut self, whole: Value, field: &Name, span: Span) -> Value {
        if let Value::Several(type_, values, _) = &whole
            && let Shape::Structure(fields) = self.types.shape(type_)
        {
            let mut begin = 0;
            for (name, type_) in &fields {
                let width = self.types.width(type_);
                if key(name) == key(field) {
                    let found = values.iter().skip(begin).take(width).cloned();
                    let mut found: Vec<Expression> = found.collect();
                    return match self.types.is_compound(type_) || found.is_empty() {
                        true => Value::Several(type_.clone(), found, None),
                        false => Value::Single(found.remove(0)),
                    };
                }
                begin += width;
            }
        }
        let message = format!("there is no field `{field}`");
        self.error(codes::UNKNOWN_NAME, field.span, message);
        Value::Single(at(ExpressionKind::Wrong, span))
    }

    /// `not` of a sequence of one length, or of `{ true, false }`, element by element.
    pub(super) fn not_of_elements(
        &self,
        operator: Unary,
        value: &Value,
        span: Span,
    ) -> Option<Value> {
        if !matches!(operator, Unary::Value(UnaryOperator::Not)) {
            return None;
        }
        let not = |element: &Expression| {
            at(
                ExpressionKind::Unary(operator, Box::new(element.clone())),
                span,
            )
        };
        match value {
            Value::Several(type_, all, _)
                if matches!(self.types.shape(type_), Shape::Array { .. }) =>
            {
                let all = all.iter().map(not).collect();
                Some(Value::Several(type_.clone(), all, None))
            }
            Value::Aggregate(all, _) => Some(Value::Aggregate(all.iter().map(not).collect(), span)),
            _ => None,
        }
    }

    /// `and`, `or` and `xor` of sequences of one length, element by element.
    pub(super) fn by_elements(
        &mut self,
        context: &Context,
        operator: Binary,
        a: &Value,
        b: &Value,
        span: Span,
    ) -> Option<Value> {
        use BinaryOperator::{And, BitXor, Or};
        let Binary::Value(inner @ (And | Or | BitXor)) = operator else {
            return None;
        };
        let ((Value::Several(type_, ..), _) | (_, Value::Several(type_, ..))) = (a, b) else {
            return None;
        };
        let Shape::Array { .. } = self.types.shape(type_) else {
            return None;
        };
        let a = self.as_type(context, a.clone(), type_, span);
        let b = self.as_type(context, b.clone(), type_, span);
        let pairs = a.into_iter().zip(b);
        let all = pairs.map(|(a, b)| binary(inner, a, b)).collect();
        Some(Value::Several(type_.clone(), all, None))
    }
}
