//! What names and selections mean, and what is computed of several values at once.

use mazurka_span::Span;

use super::context::{Access, Context};
use super::rows::{Row, choose};
use super::types::{LENGTH, Shape, exists};
use super::{Expander, key};
use crate::ast::{
    Binary, BinaryOperator, Expression, ExpressionKind, Name, Unary, UnaryOperator, Variable,
};
use crate::codes;

/// An index that is outside of every array.
const FAR: i32 = -1_000_000;

/// A single value, or the single values that one of another type is made of.
#[derive(Clone)]
pub(super) enum Value {
    Single(Expression),
    /// The type, the single values, and the variable that they are.
    Several(Name, Vec<Expression>, Option<Access>),
    /// Elements, in a number that may change.
    Row(Row),
    /// What the parts of the value are; its type is not known.
    Aggregate(Vec<Expression>, Span),
    /// The same by the names of fields.
    Record(Vec<(Name, Expression)>, Span),
    /// One of several, and its value.
    Tagged(Name, Expression, Span),
}

pub(super) fn at(kind: ExpressionKind, span: Span) -> Expression {
    Expression { kind, span }
}

pub(super) fn number(value: i32, span: Span) -> Expression {
    at(ExpressionKind::Number(value), span)
}

pub(super) fn binary(operator: BinaryOperator, left: Expression, right: Expression) -> Expression {
    let span = Span::new(left.span.start, right.span.end.max(left.span.start));
    let kind = ExpressionKind::Binary(Binary::Value(operator), Box::new(left), Box::new(right));
    at(kind, span)
}

impl Expander<'_> {
    /// The types of the single values of a type, one after the other.
    pub(super) fn flat_types(&self, type_: &Name) -> Vec<Name> {
        let mut all = Vec::new();
        for leaf in self.types.leaves(type_) {
            let count: u32 = leaf.lengths.iter().product();
            all.extend(vec![leaf.type_name; count as usize]);
        }
        all
    }

    /// The variables that a variable is made of.
    pub(super) fn flat_variables(&self, name: &Name, access: &Access) -> Vec<Variable> {
        let leaves = self.types.leaves(&access.type_name).into_iter();
        let is_plain = access.path == key(name);
        leaves
            .map(|leaf| Variable {
                name: Name {
                    text: match leaf.suffix.is_empty() && is_plain {
                        true => name.text.clone(),
                        false => leaf.name(&access.path, 0).as_str().into(),
                    },
                    span: name.span,
                },
                initial: self
                    .types
                    .default_of(&leaf.type_name)
                    .map(|kind| at(kind.clone(), name.span)),
                type_name: leaf.type_name,
                length: (!leaf.lengths.is_empty()).then(|| leaf.lengths.iter().product()),
                revealed: false,
                exported: None,
            })
            .collect()
    }

    /// The single values of a variable or a part of one.
    pub(super) fn elements(&self, access: &Access, span: Span) -> Vec<Expression> {
        let mut all = Vec::new();
        for leaf in self.types.leaves(&access.type_name) {
            let name = Name {
                text: leaf
                    .name(&access.path, access.indices.len())
                    .as_str()
                    .into(),
                span,
            };
            let count: u32 = leaf.lengths.iter().product();
            for element in 0..count {
                if leaf.lengths.is_empty() && access.indices.is_empty() {
                    all.push(at(ExpressionKind::Name(name.clone()), span));
                    continue;
                }
                let mut index: Option<Expression> = None;
                let several = access.indices.len() + leaf.lengths.len() > 1;
                for (part, length) in &access.indices {
                    let part = match several {
                        true => inside(part, *length),
                        false => part.clone(),
                    };
                    index = Some(match index {
                        None => part,
                        Some(before) => {
                            let rows = binary(
                                BinaryOperator::Multiply,
                                before,
                                number(*length as i32, span),
                            );
                            binary(BinaryOperator::Add, rows, part)
                        }
                    });
                }
                let last = number(element as i32, span);
                let index = match index {
                    None => last,
                    Some(before) if leaf.lengths.is_empty() => before,
                    Some(before) => {
                        let rows =
                            binary(BinaryOperator::Multiply, before, number(count as i32, span));
                        binary(BinaryOperator::Add, rows, last)
                    }
                };
                all.push(at(
                    ExpressionKind::Element(name.clone(), Box::new(index)),
                    span,
                ));
            }
        }
        all
    }

    /// What an expression selects, if that is a variable or a part of one.
    pub(super) fn access(&mut self, context: &Context, expression: &Expression) -> Option<Access> {
        match &expression.kind {
            ExpressionKind::Name(name) => context.scope.get(&key(name)).cloned(),
            ExpressionKind::Temporary(type_, path) => Some(Access::whole(path.clone(), type_)),
            ExpressionKind::Field(base, field) => {
                let base = self.access(context, base)?;
                let Shape::Structure(fields) = self.types.shape(&base.type_name) else {
                    let message = format!("`{}` has no fields", base.type_name);
                    self.error(codes::WRONG_TYPE, expression.span, message);
                    return None;
                };
                let Some((name, type_name)) =
                    fields.iter().find(|(name, _)| key(name) == key(field))
                else {
                    let message = format!("`{}` has no field `{field}`", base.type_name);
                    self.error(codes::UNKNOWN_NAME, field.span, message);
                    return None;
                };
                Some(base.part(&format!("!{}", key(name)), type_name))
            }
            // A part of a sequence is no variable.
            ExpressionKind::Applied(_, values) if values.len() == 2 => None,
            ExpressionKind::Applied(base, values) => {
                let base = self.access(context, base)?;
                let (first, length, element) = match self.types.shape(&base.type_name) {
                    Shape::Array {
                        first,
                        length,
                        element,
                    } => (first, length, element),
                    Shape::Row {
                        first,
                        most,
                        element,
                        ..
                    } => (first, most, element),
                    _ => {
                        let message = format!("`{}` is not a type of arrays", base.type_name);
                        self.error(codes::WRONG_TYPE, expression.span, message);
                        return None;
                    }
                };
                let [index] = &values[..] else {
                    let message = "an array has one index";
                    self.error(codes::WRONG_COUNT, expression.span, message);
                    return None;
                };
                let span = index.span;
                let value = self.plain(context, index);
                let is_variable = |name: &Name| context.scope.contains_key(&key(name));
                let known = match &value.kind {
                    ExpressionKind::Name(name) if is_variable(name) => None,
                    ExpressionKind::Binary(..) => None,
                    _ => self.types.constant(&value),
                };
                let value = match known {
                    Some(known) => {
                        let from = i64::from(known) - i64::from(first);
                        if !(0..i64::from(length)).contains(&from) {
                            let last = first + length as i32 - 1;
                            let message = format!("the index is from {first} to {last}");
                            self.error(codes::OUT_OF_RANGE, span, message);
                        }
                        number(from as i32, span)
                    }
                    None => {
                        let value = at(ExpressionKind::Applied(Box::new(value), Vec::new()), span);
                        match first {
                            0 => value,
                            _ => binary(BinaryOperator::Subtract, value, number(first, span)),
                        }
                    }
                };
                let value = self.within(&base, value, span)?;
                Some(base.element(value, length, &element))
            }
            _ => None,
        }
    }

    /// An index of a sequence that is not one of an element leads out of everything.
    fn within(&mut self, base: &Access, index: Expression, span: Span) -> Option<Expression> {
        let Shape::Row { length, .. } = self.types.shape(&base.type_name) else {
            return Some(index);
        };
        if self.in_formula {
            return Some(index);
        }
        let length = self.length_of(base, &length, span);
        if self.is_large(&index) || self.is_large(&length) {
            self.too_large(span);
            return None;
        }
        let low = binary(BinaryOperator::GreaterEqual, index.clone(), number(0, span));
        let high = binary(BinaryOperator::Less, index.clone(), length);
        let fits = match index.kind {
            ExpressionKind::Number(_) => high,
            _ => binary(BinaryOperator::And, low, high),
        };
        Some(choose(fits, index, number(FAR, span)))
    }

    /// The number of elements of a variable.
    pub(super) fn length_of(&self, base: &Access, type_: &Name, span: Span) -> Expression {
        let suffix = match base.indices.len() {
            0 => LENGTH.to_string(),
            depth => format!("{LENGTH}{depth}"),
        };
        self.elements(&base.part(&suffix, type_), span).remove(0)
    }

    /// A value of a type that is none: asking for it is an error of the model.
    pub(super) fn failure(&mut self, type_: &str, span: Span) -> Expression {
        let type_ = Name {
            text: type_.into(),
            span,
        };
        if self.in_formula {
            return at(self.types.first_value(&type_), span);
        }
        let name = Name {
            text: format!("index.{}", key(&type_)).as_str().into(),
            span,
        };
        if !self.added.iter().any(|known| known.name.text == name.text) {
            self.added.push(Variable {
                name: name.clone(),
                type_name: type_,
                length: Some(1),
                initial: None,
                revealed: false,
                exported: None,
            });
        }
        let far = Box::new(number(FAR, span));
        at(ExpressionKind::Element(name, far), span)
    }

    /// A variable or a part of one that gets a value; of several values, each.
    pub(super) fn target(
        &mut self,
        context: &Context,
        target: &Expression,
        wanted: Option<&Name>,
    ) -> Vec<Expression> {
        let before = self.diagnostics.len();
        let Some(access) = self.access(context, target) else {
            if self.diagnostics.len() == before {
                self.no_variable(context, target);
            }
            return Vec::new();
        };
        if let Some(wanted) = wanted {
            self.same_type(&access.type_name, wanted, target.span);
        }
        self.elements(&access, target.span)
    }

    /// Types of several values must be the same; those of single ones are compared later.
    pub(super) fn same_type(&mut self, found: &Name, wanted: &Name, span: Span) {
        let compound = self.types.is_compound(found) || self.types.is_compound(wanted);
        if compound && key(found) != key(wanted) {
            let message = format!("a value of type {wanted} is needed here, not {found}");
            self.error(codes::WRONG_TYPE, span, message);
        }
    }

    /// The single values of a value of a type.
    pub(super) fn values_of(
        &mut self,
        context: &Context,
        expression: &Expression,
        wanted: &Name,
    ) -> Vec<Expression> {
        if let ExpressionKind::Conditional(condition, yes, no) = &expression.kind
            && self.types.is_compound(wanted)
        {
            let condition = self.plain(context, condition);
            let yes = self.values_of(context, yes, wanted);
            let no = self.values_of(context, no, wanted);
            let pairs = yes.into_iter().zip(no);
            return pairs
                .map(|(yes, no)| choose(condition.clone(), yes, no))
                .collect();
        }
        let value = self.value(context, expression);
        self.as_type(context, value, wanted, expression.span)
    }

    pub(super) fn as_type(
        &mut self,
        context: &Context,
        value: Value,
        wanted: &Name,
        span: Span,
    ) -> Vec<Expression> {
        match value {
            Value::Single(Expression {
                kind: ExpressionKind::Null,
                ..
            }) if self.types.width(wanted) == 0 => Vec::new(),
            Value::Single(mut value) => {
                let is_text = matches!(value.kind, ExpressionKind::Text(_));
                if let (true, Shape::Array { element, .. } | Shape::Row { element, .. }) =
                    (is_text, self.types.shape(wanted))
                {
                    let value = Value::Single(value);
                    let row = self.row_of(context, &value, &element, span);
                    return row.map_or(Vec::new(), |row| self.row_as_type(row, wanted, span));
                }
                if self.types.is_compound(wanted) {
                    let message = format!("a value of type {wanted} is needed here");
                    self.error(codes::WRONG_TYPE, span, message);
                }
                self.settle(context, &mut value, wanted);
                vec![value]
            }
            Value::Tagged(name, value, span) => self.tagged(context, &name, &value, wanted, span),
            Value::Row(row) => self.row_as_type(row, wanted, span),
            Value::Several(found, values, of) => {
                let differ = key(&found) != key(wanted);
                let value = Value::Several(found.clone(), values.clone(), of);
                if differ
                    && let Shape::Array { .. } | Shape::Row { .. } = self.types.shape(wanted)
                    && let Some(row) = self.as_row(&value)
                {
                    return self.row_as_type(row, wanted, span);
                }
                self.same_type(&found, wanted, span);
                values
            }
            Value::Record(parts, span) => {
                let Shape::Structure(fields) = self.types.shape(wanted) else {
                    let message = format!("`{wanted}` has no fields");
                    self.error(codes::WRONG_TYPE, span, message);
                    return Vec::new();
                };
                let named = |field: &Name| {
                    let mut parts = parts.iter().filter(|(name, _)| key(name) == key(field));
                    parts.next().filter(|_| parts.next().is_none())
                };
                let is_field = |name: &Name| fields.iter().any(|(f, _)| key(f) == key(name));
                let fits = parts
                    .iter()
                    .all(|(name, _)| is_field(name) && named(name).is_some());
                let missing = fields.iter().any(|(name, type_)| {
                    let flag = key(name).ends_with(".exist");
                    let optional = fields.iter().any(|(f, _)| key(f) == exists(&key(name)));
                    let default = self.types.default_of(type_).is_some();
                    named(name).is_none() && !flag && !optional && !default
                });
                if !fits || missing {
                    let message = format!("each field of `{wanted}` needs one value");
                    self.error(codes::WRONG_COUNT, span, message);
                    return Vec::new();
                }
                let mut all = Vec::new();
                for (name, type_) in &fields {
                    let given = |(part, _): &(Name, Expression)| exists(&key(part)) == key(name);
                    if key(name).ends_with(".exist") {
                        let there = ExpressionKind::Truth(parts.iter().any(given));
                        all.push(at(there, span));
                    } else if let Some((_, value)) = named(name) {
                        all.extend(self.values_of(context, value, type_));
                    } else {
                        all.extend(self.first_values(type_, span));
                    }
                }
                all
            }
            Value::Aggregate(parts, span) => {
                // `{ x: 1, y: 2 }` may mean the fields of a structure.
                let named = parts.iter().map(|part| match &part.kind {
                    ExpressionKind::Tagged(name, value) => Some((name.clone(), (**value).clone())),
                    _ => None,
                });
                if let (Some(named), Shape::Structure(_)) =
                    (named.collect::<Option<Vec<_>>>(), self.types.shape(wanted))
                    && !named.is_empty()
                {
                    return self.as_type(context, Value::Record(named, span), wanted, span);
                }
                let types: Vec<Name> = match self.types.shape(wanted) {
                    Shape::Structure(fields) => {
                        let flag = |name: &Name| key(name).ends_with(".exist");
                        if fields.iter().any(|(name, _)| flag(name)) {
                            let written = fields.iter().filter(|(name, _)| !flag(name));
                            let named = written.map(|(name, _)| name.clone()).zip(parts);
                            let record = Value::Record(named.collect(), span);
                            return self.as_type(context, record, wanted, span);
                        }
                        fields.into_iter().map(|(_, type_)| type_).collect()
                    }
                    Shape::Row { element, .. } => {
                        let value = Value::Aggregate(parts, span);
                        let row = self.row_of(context, &value, &element, span);
                        return row.map_or(Vec::new(), |row| self.row_as_type(row, wanted, span));
                    }
                    Shape::Array {
                        length, element, ..
                    } => vec![element; length as usize],
                    Shape::Single(_) => {
                        if let Some(value) = number_of_octets(&parts, span) {
                            return vec![value];
                        }
                        let message = format!("`{wanted}` is a type of single values");
                        self.error(codes::WRONG_TYPE, span, message);
                        return Vec::new();
                    }
                };
                // `(. 0 .)` gives all elements of an array that value.
                let is_array = matches!(self.types.shape(wanted), Shape::Array { .. });
                let parts = match (parts.len(), is_array) {
                    (1, true) => vec![parts[0].clone(); types.len()],
                    _ => parts,
                };
                if parts.len() != types.len() {
                    let message =
                        format!("`{wanted}` has {} parts, not {}", types.len(), parts.len());
                    self.error(codes::WRONG_COUNT, span, message);
                }
                let each = parts.iter().zip(&types);
                let each: Vec<Vec<Expression>> = each
                    .map(|(part, type_)| self.values_of(context, part, type_))
                    .collect();
                match types.first().filter(|_| is_array) {
                    Some(element) => self.by_leaves(element, &each),
                    None => each.into_iter().flatten().collect(),
                }
            }
        }
    }

    /// The single values of elements in the order of those of the array: one part of all elements after the other.
    pub(super) fn by_leaves(&self, element: &Name, each: &[Vec<Expression>]) -> Vec<Expression> {
        let mut all = Vec::new();
        let mut begin = 0;
        for leaf in self.types.leaves(element) {
            let count = leaf.lengths.iter().product::<u32>() as usize;
            for values in each {
                all.extend(values.iter().skip(begin).take(count).cloned());
            }
            begin += count;
        }
        all
    }

    /// An expression that has a single value.
    pub(super) fn plain(&mut self, context: &Context, expression: &Expression) -> Expression {
        let value = self.value(context, expression);
        self.single_of(value, expression.span)
    }

    /// The single value that it has to be.
    fn single_of(&mut self, value: Value, span: Span) -> Expression {
        match value {
            Value::Single(value) => value,
            Value::Row(row) => {
                let message = format!(
                    "a single value is needed here, not several of type {}",
                    row.element
                );
                self.error(codes::WRONG_TYPE, span, message);
                at(ExpressionKind::Wrong, span)
            }
            Value::Several(type_, ..) => {
                let message = format!("a single value is needed here, not one of type {type_}");
                self.error(codes::WRONG_TYPE, span, message);
                at(ExpressionKind::Wrong, span)
            }
            Value::Aggregate(parts, span) => {
                number_of_octets(&parts, span).unwrap_or_else(|| self.of_unknown_type(span))
            }
            Value::Record(_, span) | Value::Tagged(_, _, span) => self.of_unknown_type(span),
        }
    }

    fn of_unknown_type(&mut self, span: Span) -> Expression {
        let message = "what type this is of cannot be told here";
        self.error(codes::WRONG_TYPE, span, message);
        at(ExpressionKind::Wrong, span)
    }

    pub(super) fn value(&mut self, context: &Context, expression: &Expression) -> Value {
        let span = expression.span;
        let single = |kind| Value::Single(at(kind, span));
        match &expression.kind {
            ExpressionKind::Name(name) if !context.scope.contains_key(&key(name)) => {
                match self.constants.get(&key(name)).cloned() {
                    Some((type_, value)) => self.constant(&type_, &value),
                    None => Value::Single(expression.clone()),
                }
            }
            ExpressionKind::Applied(base, values) if self.is_no_variable(context, base, values) => {
                let whole = self.value(context, base);
                match &values[..] {
                    [index] => self.element_of(context, &whole, index, span),
                    bounds => self.slice(context, &whole, bounds, span),
                }
            }
            ExpressionKind::Field(base, field) if self.is_part(context, base) => {
                let whole = self.value(context, base);
                self.field_of(whole, field, span)
            }
            ExpressionKind::Tagged(name, value) => {
                Value::Tagged(name.clone(), (**value).clone(), span)
            }
            ExpressionKind::View(name, of) => self.viewed(context, name, of.as_deref(), span),
            ExpressionKind::Applied(base, values) if matches!(&base.kind, ExpressionKind::Name(name) if !context.scope.contains_key(&key(name))) =>
            {
                let ExpressionKind::Name(name) = &base.kind else {
                    return single(ExpressionKind::Wrong);
                };
                self.built_in(context, name, values, expression)
            }
            ExpressionKind::Name(_)
            | ExpressionKind::Field(..)
            | ExpressionKind::Applied(..)
            | ExpressionKind::Temporary(..) => {
                let before = self.diagnostics.len();
                if let Some(access) = self.access(context, expression) {
                    let mut all = self.elements(&access, span);
                    return match self.types.is_compound(&access.type_name) {
                        true => Value::Several(access.type_name.clone(), all, Some(access)),
                        false => Value::Single(all.remove(0)),
                    };
                }
                if self.diagnostics.len() == before {
                    self.operator(expression);
                }
                single(ExpressionKind::Wrong)
            }
            ExpressionKind::Aggregate(parts) => Value::Aggregate(parts.clone(), span),
            ExpressionKind::Record(parts) => Value::Record(parts.clone(), span),
            ExpressionKind::Unary(operator, inner) => {
                let inner = self.value(context, inner);
                if let Some(value) = self.not_of_elements(*operator, &inner, span) {
                    return value;
                }
                let inner = self.single_of(inner, span);
                single(ExpressionKind::Unary(*operator, Box::new(inner)))
            }
            ExpressionKind::Binary(Binary::In, left, right) => self.among(context, left, right),
            ExpressionKind::Binary(Binary::Append, left, right) => {
                let (left, right) = (self.value(context, left), self.value(context, right));
                self.appended(context, &left, &right, span)
            }
            ExpressionKind::Binary(Binary::AndThen, left, right) => {
                let parts = [self.plain(context, left), self.plain(context, right)];
                let [left, right] = parts.map(Box::new);
                let no = Box::new(at(ExpressionKind::Truth(false), span));
                single(ExpressionKind::Conditional(left, right, no))
            }
            ExpressionKind::Binary(Binary::OrElse, left, right) => {
                let parts = [self.plain(context, left), self.plain(context, right)];
                let [left, right] = parts.map(Box::new);
                let yes = Box::new(at(ExpressionKind::Truth(true), span));
                single(ExpressionKind::Conditional(left, yes, right))
            }
            ExpressionKind::Binary(operator, left, right) => {
                let (mut a, mut b) = (self.value(context, left), self.value(context, right));
                // `x = '0A'H` where `x` is a number.
                match (&a, &b) {
                    (Value::Single(_), Value::Aggregate(parts, span)) => {
                        b = number_of_octets(parts, *span).map_or(b, Value::Single);
                    }
                    (Value::Aggregate(parts, span), Value::Single(_)) => {
                        a = number_of_octets(parts, *span).map_or(a, Value::Single);
                    }
                    _ => {}
                }
                // Which type a literal is of may be seen on the other side.
                if let (Value::Single(a), Value::Single(b)) = (&mut a, &mut b) {
                    if let Some(type_) = self.type_of(context, left) {
                        self.settle(context, b, &type_);
                    }
                    if let Some(type_) = self.type_of(context, right) {
                        self.settle(context, a, &type_);
                    }
                }
                use BinaryOperator::{Equal, NotEqual};
                let compares = matches!(operator, Binary::Value(Equal | NotEqual));
                let rows = match (&a, &b) {
                    (Value::Row(_), _) | (_, Value::Row(_)) => true,
                    (Value::Several(a, ..), Value::Several(b, ..)) => key(a) != key(b),
                    _ => false,
                };
                if rows
                    && compares
                    && let Some(known) = self.as_row(&a).or_else(|| self.as_row(&b))
                    && let Some(a) = self.row_of(context, &a, &known.element, left.span)
                    && let Some(b) = self.row_of(context, &b, &known.element, right.span)
                {
                    let equal = self.equal_rows(&a, &b, span);
                    return match operator {
                        Binary::Value(NotEqual) => single(ExpressionKind::Unary(
                            Unary::Value(UnaryOperator::Not),
                            Box::new(equal),
                        )),
                        _ => Value::Single(at(equal.kind, span)),
                    };
                }
                if let Some(value) = self.by_elements(context, *operator, &a, &b, span) {
                    return value;
                }
                let type_ = match (&a, &b) {
                    (Value::Several(type_, ..), _) | (_, Value::Several(type_, ..)) if compares => {
                        type_.clone()
                    }
                    (Value::Single(a), Value::Single(b)) => {
                        let sides = (Box::new(a.clone()), Box::new(b.clone()));
                        return single(ExpressionKind::Binary(*operator, sides.0, sides.1));
                    }
                    _ => {
                        let message = "values of several parts are compared by `=` and `/=` only";
                        self.error(codes::WRONG_TYPE, span, message);
                        return single(ExpressionKind::Wrong);
                    }
                };
                let a = self.as_type(context, a, &type_, left.span);
                let b = self.as_type(context, b, &type_, right.span);
                let pairs = a.into_iter().zip(b);
                let equal = pairs.map(|(a, b)| binary(Equal, a, b));
                let all = equal.reduce(|all, one| binary(BinaryOperator::And, all, one));
                let all = all.unwrap_or(at(ExpressionKind::Truth(true), span));
                match operator {
                    Binary::Value(NotEqual) => single(ExpressionKind::Unary(
                        Unary::Value(UnaryOperator::Not),
                        Box::new(all),
                    )),
                    _ => Value::Single(at(all.kind, span)),
                }
            }
            ExpressionKind::Conditional(condition, yes, no) => {
                let condition = self.plain(context, condition);
                let (a, b) = (self.value(context, yes), self.value(context, no));
                let choose = |a: Expression, b: Expression| {
                    let parts = (Box::new(condition.clone()), Box::new(a), Box::new(b));
                    at(ExpressionKind::Conditional(parts.0, parts.1, parts.2), span)
                };
                match (a, b) {
                    (Value::Single(a), Value::Single(b)) => Value::Single(choose(a, b)),
                    (Value::Several(type_, a, _), b) => {
                        let b = self.as_type(context, b, &type_, no.span);
                        let all = a.into_iter().zip(b).map(|(a, b)| choose(a, b));
                        Value::Several(type_, all.collect(), None)
                    }
                    (a, Value::Several(type_, b, _)) => {
                        let a = self.as_type(context, a, &type_, yes.span);
                        let all = a.into_iter().zip(b).map(|(a, b)| choose(a, b));
                        Value::Several(type_, all.collect(), None)
                    }
                    _ => {
                        let message = "what type this is of cannot be told here";
                        self.error(codes::WRONG_TYPE, span, message);
                        single(ExpressionKind::Wrong)
                    }
                }
            }
            ExpressionKind::Active(timer, values) => {
                let values = values.iter().map(|value| self.plain(context, value));
                single(ExpressionKind::Active(timer.clone(), values.collect()))
            }
            ExpressionKind::AnyOf(_) | ExpressionKind::Call(..) => {
                let message = "`any(…)` and calls stand only where a transition computes something, not in conditions that set one off";
                self.error(codes::NOT_TAKEN, span, message);
                single(ExpressionKind::Wrong)
            }
            _ => Value::Single(expression.clone()),
        }
    }
}

/// Octets by their digits, `'1F00'H`, as the number that OpenGEODE reads where a number is wanted. Each octet stands where all of them do.
pub(super) fn number_of_octets(octets: &[Expression], span: Span) -> Option<Expression> {
    let digits = octets.iter().map(|octet| match octet.kind {
        ExpressionKind::Number(value) if octet.span == span => Some(i64::from(value)),
        _ => None,
    });
    let digits = digits.collect::<Option<Vec<i64>>>()?;
    let whole = (!digits.is_empty() && digits.len() <= 4)
        .then(|| digits.iter().fold(0, |whole, octet| whole * 256 + octet))?;
    // Of an odd number of digits, which stand between `'` and `'H`, the last octet has one only.
    let is_odd = (span.end - span.start).is_multiple_of(2);
    let whole = if is_odd { whole / 16 } else { whole };
    Some(number(i32::try_from(whole).ok()?, span))
}

/// An index that leads out of all rows where it is out of its own.
fn inside(index: &Expression, length: u32) -> Expression {
    if let ExpressionKind::Number(_) = index.kind {
        return index.clone();
    }
    let span = index.span;
    let low = binary(BinaryOperator::GreaterEqual, index.clone(), number(0, span));
    let high = binary(
        BinaryOperator::Less,
        index.clone(),
        number(length as i32, span),
    );
    let fits = binary(BinaryOperator::And, low, high);
    let far = number(FAR, span);
    let parts = (Box::new(fits), Box::new(index.clone()), Box::new(far));
    at(ExpressionKind::Conditional(parts.0, parts.1, parts.2), span)
}
