//! Values and variables of machines with ports. What C has no expression for is computed before, into variables of its own.

use super::super::bounds::may_overflow;
use super::super::promela::plain_name;
use super::super::{Type, key, uses};
use super::Export;
use crate::ast::{Binary, BinaryOperator, Expression, ExpressionKind, Range, Unary, UnaryOperator};

impl Export<'_, '_> {
    /// A condition, which nothing can be computed before.
    pub(super) fn guard(&mut self, expression: &Expression) -> String {
        let mut block = Vec::new();
        let text = self.value(expression, &mut block);
        if !block.is_empty() {
            let what =
                "a condition with a value that is computed in steps (`if`, `mod`, a division)";
            self.refuse(expression.span, what);
        }
        text
    }

    pub(super) fn value(&mut self, expression: &Expression, block: &mut Vec<String>) -> String {
        let span = expression.span;
        match &expression.kind {
            ExpressionKind::Number(value) => constant(*value, Type::Integer(None)),
            ExpressionKind::Truth(value) => value.to_string(),
            ExpressionKind::Own => "me".into(),
            ExpressionKind::Sender => "sender".into(),
            ExpressionKind::Null | ExpressionKind::Parent | ExpressionKind::Offspring => "0".into(),
            ExpressionKind::Text(text) => text.chars().next().map_or(0, |c| c as u32).to_string(),
            ExpressionKind::Applied(inner, _) => self.value(inner, block),
            ExpressionKind::Element(..) => self.variable(expression, block),
            ExpressionKind::Name(name) => {
                let known = &self.lowerer.processes[self.process].variables;
                if known.contains_key(&key(name)) {
                    return self.variable(expression, block);
                }
                let known = self.lowerer.constants.get(&key(name));
                known.map_or("0".into(), |(value, type_)| constant(*value, *type_))
            }
            ExpressionKind::Unary(Unary::Value(UnaryOperator::Minus), operand) => {
                let bounds = self.lowerer.bounds(Some(self.process), operand);
                if may_overflow(BinaryOperator::Subtract, (0, 0), bounds) {
                    self.refuse(span, "a result that may not fit into 32 bits");
                }
                format!("(-{})", self.value(operand, block))
            }
            ExpressionKind::Unary(Unary::Value(_), operand) => {
                format!("(!{})", self.value(operand, block))
            }
            ExpressionKind::Binary(operator, left, right) => {
                self.binary(expression, *operator, left, right, block)
            }
            ExpressionKind::Conditional(condition, yes, no) => {
                let condition = self.value(condition, block);
                let is_truth = self.is_truth(yes);
                let kept = self.temporary();
                let branch = |export: &mut Self, value: &Expression| {
                    let mut inner = Vec::new();
                    let text = export.value(value, &mut inner);
                    inner.push(assigned(&kept, &text, is_truth));
                    inner.join(" ")
                };
                let yes = branch(self, yes);
                let no = branch(self, no);
                block.push(format!("if {condition} {{ {yes} }} else {{ {no} }}"));
                read(&kept, is_truth)
            }
            ExpressionKind::Seen(..) => {
                self.refuse(span, "`view`");
                "0".into()
            }
            _ => {
                self.refuse(span, "this value");
                "0".into()
            }
        }
    }

    fn binary(
        &mut self,
        whole: &Expression,
        operator: Binary,
        left: &Expression,
        right: &Expression,
        block: &mut Vec<String>,
    ) -> String {
        let process = Some(self.process);
        if let Binary::Value(operator) = operator {
            let (a, b) = (
                self.lowerer.bounds(process, left),
                self.lowerer.bounds(process, right),
            );
            if may_overflow(operator, a, b) {
                self.refuse(whole.span, "a result that may not fit into 32 bits");
            }
        }
        let may_fail = uses::has(right, |part| {
            matches!(
                part,
                ExpressionKind::Element(..)
                    | ExpressionKind::Binary(
                        Binary::Modulo
                            | Binary::Value(BinaryOperator::Divide | BinaryOperator::Remainder),
                        ..
                    )
            )
        });
        let (mut a, mut b) = (self.value(left, block), self.value(right, block));
        let sign = match operator {
            Binary::Modulo => {
                let rest = self.temporary();
                block.push(format!("{rest} := {a} % {b};"));
                block.push(format!(
                    "if {rest} < 0 {{ if {b} > 0 {{ {rest} := {rest} + {b}; }} else {{ {rest} := {rest} - {b}; }} }}"
                ));
                return rest;
            }
            Binary::Value(BinaryOperator::And | BinaryOperator::Or) if may_fail => {
                // Both sides are evaluated: SDL's `and` and `or` are functions.
                for side in [&mut a, &mut b] {
                    let kept = self.temporary();
                    block.push(assigned(&kept, side, true));
                    *side = read(&kept, true);
                }
                match operator {
                    Binary::Value(BinaryOperator::And) => "&&",
                    _ => "||",
                }
            }
            Binary::Value(BinaryOperator::BitXor) => "!=",
            Binary::Value(operator) => operator.text(),
            _ => return format!("(!{a} || {b})"),
        };
        format!("({a} {sign} {b})")
    }

    /// Is a value in one of some ranges?
    pub(super) fn ranges(
        &mut self,
        value: &Expression,
        ranges: &[Range],
        block: &mut Vec<String>,
    ) -> String {
        let value = self.value(value, block);
        let mut parts = Vec::new();
        for range in ranges {
            parts.push(match range {
                Range::Compared(operator, other) => {
                    format!("{value} {} {}", operator.text(), self.value(other, block))
                }
                Range::Between(low, high) => {
                    let (low, high) = (self.value(low, block), self.value(high, block));
                    format!("{low} <= {value} && {value} <= {high}")
                }
            });
        }
        match &parts[..] {
            [] => "false".into(),
            [one] => format!("({one})"),
            _ => format!("(({}))", parts.join(") || (")),
        }
    }

    /// Gives a variable a value, which must lie in its range.
    pub(super) fn store(
        &mut self,
        target: &Expression,
        value: &str,
        from: Type,
        block: &mut Vec<String>,
    ) {
        let type_ = self.type_of(target);
        if from != type_ {
            block.extend(in_range(value, type_));
        }
        let place = self.variable(target, block);
        block.push(format!("{place} := {value};"));
    }

    pub(super) fn type_of(&self, expression: &Expression) -> Type {
        let (ExpressionKind::Name(name) | ExpressionKind::Element(name, _)) = &expression.kind
        else {
            return Type::Unknown;
        };
        let known = &self.lowerer.processes[self.process].variables;
        known
            .get(&key(name))
            .map_or(Type::Unknown, |local| local.type_)
    }

    fn variable(&mut self, expression: &Expression, block: &mut Vec<String>) -> String {
        match &expression.kind {
            ExpressionKind::Element(name, index) => {
                let known = &self.lowerer.processes[self.process].variables;
                let length = known.get(&key(name)).and_then(|local| local.length);
                let index_text = self.value(index, block);
                let place = variable_name(&name.text);
                // An index that is known to be out of range is an error when it is used, not before.
                if let ExpressionKind::Number(value) = index.kind
                    && !(0..length.unwrap_or(1) as i32).contains(&value)
                {
                    block.push("assert false;".into());
                    return format!("{place}[0]");
                }
                format!("{place}[{index_text}]")
            }
            ExpressionKind::Name(name) => variable_name(&name.text),
            _ => "sender".into(),
        }
    }

    fn temporary(&mut self) -> String {
        self.temporaries += 1;
        format!("t_{}", self.temporaries - 1)
    }

    fn is_truth(&self, expression: &Expression) -> bool {
        match &expression.kind {
            ExpressionKind::Truth(_)
            | ExpressionKind::Unary(Unary::Value(UnaryOperator::Not), _)
            | ExpressionKind::Binary(Binary::Implies, ..) => true,
            ExpressionKind::Binary(Binary::Value(operator), ..) => operator.gives_truth(),
            ExpressionKind::Conditional(_, yes, _) => self.is_truth(yes),
            ExpressionKind::Name(name) => match self.lowerer.constants.get(&key(name)) {
                Some((_, type_)) if self.type_of(expression) == Type::Unknown => {
                    *type_ == Type::Boolean
                }
                _ => self.type_of(expression) == Type::Boolean,
            },
            ExpressionKind::Element(..) => self.type_of(expression) == Type::Boolean,
            _ => false,
        }
    }
}

/// Keeps a value in a variable for numbers.
fn assigned(kept: &str, value: &str, is_truth: bool) -> String {
    match is_truth {
        true => format!("if {value} {{ {kept} := 1; }} else {{ {kept} := 0; }}"),
        false => format!("{kept} := {value};"),
    }
}

fn read(kept: &str, is_truth: bool) -> String {
    match is_truth {
        true => format!("({kept} != 0)"),
        false => kept.to_string(),
    }
}

pub(super) fn in_range(value: &str, type_: Type) -> Option<String> {
    let Type::Integer(Some((low, high))) = type_ else {
        return None;
    };
    let (low, high) = (constant(low, type_), constant(high, type_));
    Some(format!("assert {low} <= {value} && {value} <= {high};"))
}

pub(super) fn constant(value: i32, type_: Type) -> String {
    match (type_, value) {
        (Type::Boolean, value) => (value != 0).to_string(),
        // What is written behind its sign does not fit.
        (_, i32::MIN) => "(-2147483647 - 1)".into(),
        (_, ..0) => format!("({value})"),
        _ => value.to_string(),
    }
}

pub(super) fn type_name(type_: Type) -> &'static str {
    use mazurka_model::Kind;
    match type_.kind() {
        Kind::Bit => "bool",
        Kind::Byte => "byte",
        Kind::Short => "short",
        Kind::Int | Kind::Unsigned(_) => "int",
    }
}

/// A name without signs that nobody writes in one.
pub(super) fn plain(name: &str) -> String {
    let (name, positions) = plain_name(&name.to_ascii_lowercase());
    format!("{name}{positions}")
}

pub(super) fn variable_name(name: &str) -> String {
    format!("v_{}", plain(name))
}
