//! Expressions as code, in a language that has the operators of C.

use mazurka_model::{
    BinaryOperator, ChannelTest, Expression, ExpressionId, Field, PlaceId, ReceiveId, UnaryOperator,
};

use super::layout::{Layout, range};

/// How a language writes what expressions are made of.
pub(super) trait Writer {
    fn layout(&self) -> &Layout<'_>;
    /// A variable or an element of one.
    fn place(&self, scope: Option<usize>, place: PlaceId) -> Value;
    /// An operation that a function of the run-time does.
    fn call(&self, function: &str, arguments: &[&str]) -> String;
    /// What is true or false, as a number, and the other way round.
    fn number_of_truth(&self, truth: &str) -> String;
    fn conditional(&self, condition: &str, yes: &str, no: &str) -> String;
    /// The first message of a port: does it have this name? And a field of it.
    fn begins(&self, scope: Option<usize>, receive: ReceiveId, channel: &str, tag: i32) -> String;
    fn field(&self, channel: &str, field: usize) -> String;
}

/// An expression as code.
pub(super) struct Value {
    pub text: String,
    /// Is it a truth value, not a number?
    pub is_truth: bool,
    /// Does it need parentheses as an operand?
    pub is_compound: bool,
    /// The least and the greatest value that it can have.
    pub least: i64,
    pub greatest: i64,
    /// Can it have no value at all?
    pub faults: bool,
}

impl Value {
    pub fn number(text: impl Into<String>, least: i64, greatest: i64) -> Value {
        Value {
            text: text.into(),
            is_truth: false,
            is_compound: false,
            least,
            greatest,
            faults: false,
        }
    }

    pub fn truth(text: impl Into<String>) -> Value {
        Value {
            is_truth: true,
            ..Value::number(text, 0, 1)
        }
    }

    pub fn faulting(self, faults: bool) -> Value {
        Value {
            faults: self.faults || faults,
            ..self
        }
    }

    /// The number, if it is written as one.
    pub fn literal(&self) -> Option<i32> {
        let is_one = self.least == self.greatest
            && self
                .text
                .ends_with(|c: char| c == ')' || c.is_ascii_digit());
        let text = self.text.trim_start_matches('(').trim_end_matches(')');
        match is_one {
            true => text.parse().ok(),
            false => None,
        }
    }

    /// Its truth, if it is known.
    fn known(&self) -> Option<bool> {
        match self.text.as_str() {
            "true" => Some(true),
            "false" => Some(false),
            _ => None,
        }
    }

    fn compound(self) -> Value {
        Value {
            is_compound: true,
            ..self
        }
    }

    fn operand(&self) -> String {
        match self.is_compound {
            true => format!("({})", self.text),
            false => self.text.clone(),
        }
    }
}

const WIDEST: (i64, i64) = (i32::MIN as i64, i32::MAX as i64);

/// An expression as a number.
pub(super) fn number(writer: &impl Writer, scope: Option<usize>, id: ExpressionId) -> Value {
    let value = value(writer, scope, id);
    match value.is_truth {
        true => {
            Value::number(writer.number_of_truth(&value.operand()), 0, 1).faulting(value.faults)
        }
        false => value,
    }
}

/// An expression as a condition.
pub(super) fn truth(writer: &impl Writer, scope: Option<usize>, id: ExpressionId) -> Value {
    let value = value(writer, scope, id);
    match value.is_truth {
        true => value,
        false => match value.text.as_str() {
            "0" => Value::truth("false"),
            "1" => Value::truth("true"),
            _ => Value::truth(format!("{} != 0", value.operand()))
                .compound()
                .faulting(value.faults),
        },
    }
}

fn value(writer: &impl Writer, scope: Option<usize>, id: ExpressionId) -> Value {
    let program = writer.layout().program;
    match program.expressions[id.index()] {
        Expression::Constant(value) => {
            let text = match value {
                i32::MIN => "(-2147483647 - 1)".to_string(),
                _ if value < 0 => format!("({value})"),
                _ => value.to_string(),
            };
            Value::number(text, value.into(), value.into())
        }
        Expression::Load(place) => writer.place(scope, place),
        Expression::Unary(operator, operand) => unary(writer, scope, operator, operand),
        Expression::Binary(operator, left, right) => {
            let (left, right) = (number(writer, scope, left), number(writer, scope, right));
            binary(writer, operator, &left, &right)
        }
        Expression::And(left, right) => match between(writer, left, right) {
            Some((value, count)) => below(writer, &number(writer, scope, value), count),
            None => joined(writer, scope, true, left, right),
        },
        Expression::Or(left, right) => joined(writer, scope, false, left, right),
        Expression::Conditional(condition, yes, no) => {
            let condition = truth(writer, scope, condition);
            let (yes, no) = (number(writer, scope, yes), number(writer, scope, no));
            match condition.known() {
                Some(true) => return yes,
                Some(false) => return no,
                None => {}
            }
            let text = writer.conditional(&condition.operand(), &yes.operand(), &no.operand());
            let (least, greatest) = (yes.least.min(no.least), yes.greatest.max(no.greatest));
            let faults = condition.faults || yes.faults || no.faults;
            Value::number(text, least, greatest)
                .compound()
                .faulting(faults)
        }
        Expression::Channel(test, channel) => {
            let channel = number(writer, scope, channel);
            let function = match test {
                ChannelTest::Length => "length",
                ChannelTest::NotFull => "has_room",
                ChannelTest::Empty => "is_empty",
                ChannelTest::NotEmpty => "has_message",
                ChannelTest::Full => "is_full",
            };
            let text = writer.call(function, &["net", &channel.text, "fault"]);
            let faults = channel.faults || !is_port_number(writer, &channel);
            match test {
                ChannelTest::Length => Value::number(text, 0, i32::MAX.into()).faulting(faults),
                _ => Value::truth(text).faulting(faults),
            }
        }
        Expression::CanReceive(receive) => can_receive(writer, scope, receive),
        _ => unreachable!("machines do not ask for it"),
    }
}

/// `0 <= v && v < n`, which is how the lowering asks whether there is an instance of a number.
fn between(
    writer: &impl Writer,
    left: ExpressionId,
    right: ExpressionId,
) -> Option<(ExpressionId, i32)> {
    let expressions = &writer.layout().program.expressions;
    let constant = |id: ExpressionId| match expressions[id.index()] {
        Expression::Constant(value) => Some(value),
        _ => None,
    };
    match (&expressions[left.index()], &expressions[right.index()]) {
        (
            Expression::Binary(BinaryOperator::GreaterEqual, value, zero),
            Expression::Binary(BinaryOperator::Less, same, count),
        ) if value == same && constant(*zero) == Some(0) => Some((*value, constant(*count)?)),
        _ => None,
    }
}

fn below(writer: &impl Writer, value: &Value, count: i32) -> Value {
    if value.least >= 0 && value.greatest < count.into() && !value.faults {
        return Value::truth("true");
    }
    let count = count.to_string();
    Value::truth(writer.call("below", &[&value.text, &count])).faulting(value.faults)
}

/// Is it sure that there is a port of this number?
pub(super) fn is_port_number(writer: &impl Writer, channel: &Value) -> bool {
    channel.least >= 1 && channel.greatest <= writer.layout().ports.len() as i64
}

fn can_receive(writer: &impl Writer, scope: Option<usize>, receive: ReceiveId) -> Value {
    let program = writer.layout().program;
    let described = &program.receives[receive.index()];
    let channel = number(writer, scope, described.channel);
    let fields = &program.fields[described.fields.start as usize..described.fields.end as usize];
    let mut parts = Vec::new();
    let mut faults = false;
    for (position, field) in fields.iter().enumerate() {
        let Field::Match(expected) = field else {
            continue;
        };
        let expected = number(writer, scope, *expected);
        faults |= expected.faults;
        parts.push(match position {
            0 => writer.begins(scope, receive, &channel.text, expected.least as i32),
            _ => format!(
                "{} == {}",
                writer.field(&channel.text, position),
                expected.operand()
            ),
        });
    }
    let value = Value::truth(parts.join(" && ")).faulting(faults);
    match parts.len() {
        0 | 1 => value,
        _ => value.compound(),
    }
}

fn unary(
    writer: &impl Writer,
    scope: Option<usize>,
    operator: UnaryOperator,
    of: ExpressionId,
) -> Value {
    if operator == UnaryOperator::Not {
        let inner = truth(writer, scope, of);
        if let Some(known) = inner.known() {
            return Value::truth(if known { "false" } else { "true" });
        }
        return Value::truth(format!("!{}", inner.operand())).faulting(inner.faults);
    }
    let inner = number(writer, scope, of);
    let value = match operator {
        UnaryOperator::Negate if inner.least > WIDEST.0 => Value::number(
            format!("-{}", inner.operand()),
            -inner.greatest,
            -inner.least,
        )
        .compound(),
        UnaryOperator::Negate => {
            Value::number(writer.call("negate", &[&inner.text]), WIDEST.0, WIDEST.1)
        }
        _ => Value::number(
            writer.call("complement", &[&inner.text]),
            WIDEST.0,
            WIDEST.1,
        ),
    };
    value.faulting(inner.faults)
}

fn joined(
    writer: &impl Writer,
    scope: Option<usize>,
    is_and: bool,
    left: ExpressionId,
    right: ExpressionId,
) -> Value {
    let (left, right) = (truth(writer, scope, left), truth(writer, scope, right));
    // What is true changes nothing in a conjunction, and what is false decides it.
    match (left.known(), right.known()) {
        (Some(known), _) if known == is_and => return right,
        (Some(_), _) => return left,
        (_, Some(known)) if known == is_and => return left,
        (_, Some(_)) if !left.faults => return right,
        _ => {}
    }
    let operator = if is_and { "&&" } else { "||" };
    let text = format!("{} {operator} {}", left.operand(), right.operand());
    Value::truth(text)
        .compound()
        .faulting(left.faults || right.faults)
}

fn binary(writer: &impl Writer, operator: BinaryOperator, left: &Value, right: &Value) -> Value {
    use BinaryOperator as Op;
    let faults = left.faults || right.faults;
    let plain = || {
        format!(
            "{} {} {}",
            left.operand(),
            operator.symbol(),
            right.operand()
        )
    };
    let call = |function: &str| writer.call(function, &[&left.text, &right.text]);
    let corners = |apply: fn(i64, i64) -> i64| {
        let all = [
            apply(left.least, right.least),
            apply(left.least, right.greatest),
            apply(left.greatest, right.least),
            apply(left.greatest, right.greatest),
        ];
        (
            all.iter().copied().min().unwrap_or(0),
            all.iter().copied().max().unwrap_or(0),
        )
    };
    // A sum that fits is written as one; one that may not has to wrap.
    let wrapping = |apply: fn(i64, i64) -> i64, function: &str| {
        let (least, greatest) = corners(apply);
        if operator == Op::Add && (left.least, left.greatest) == (0, 0) {
            return Value {
                text: right.text.clone(),
                ..*right
            };
        }
        match WIDEST.0 <= least && greatest <= WIDEST.1 {
            true => Value::number(plain(), least, greatest).compound(),
            false => Value::number(call(function), WIDEST.0, WIDEST.1),
        }
    };
    // Machines with ports have numbers that wrap.
    let value = match operator {
        Op::Add | Op::AddExactly => wrapping(|a, b| a + b, "add"),
        Op::Subtract | Op::SubtractExactly => wrapping(|a, b| a - b, "subtract"),
        Op::Multiply | Op::MultiplyExactly => wrapping(|a, b| a * b, "multiply"),
        Op::Divide | Op::DivideExactly | Op::Remainder => {
            let most = left.least.abs().max(left.greatest.abs()).min(WIDEST.1);
            if right.least > 0 {
                let (least, greatest) = match operator {
                    Op::Divide => (left.least.min(0), left.greatest.max(0)),
                    _ => {
                        let most = most.min(right.greatest - 1);
                        (if left.least < 0 { -most } else { 0 }, most)
                    }
                };
                Value::number(plain(), least, greatest).compound()
            } else {
                let function = if operator == Op::Divide {
                    "divide"
                } else {
                    "rest_of"
                };
                let text = writer.call(function, &[&left.text, &right.text, "fault"]);
                Value::number(text, WIDEST.0, WIDEST.1).faulting(true)
            }
        }
        Op::BitAnd => Value::number(call("bit_and"), WIDEST.0, WIDEST.1),
        Op::BitOr => Value::number(call("bit_or"), WIDEST.0, WIDEST.1),
        Op::BitXor => Value::number(call("bit_xor"), WIDEST.0, WIDEST.1),
        Op::ShiftLeft => Value::number(call("shift_left"), WIDEST.0, WIDEST.1),
        Op::ShiftRight => Value::number(call("shift_right"), WIDEST.0, WIDEST.1),
        Op::Equal | Op::NotEqual | Op::Less | Op::LessEqual | Op::Greater | Op::GreaterEqual => {
            match decided(operator, left, right) {
                Some(known) if !faults => Value::truth(if known { "true" } else { "false" }),
                _ => Value::truth(plain()).compound(),
            }
        }
    };
    value.faulting(faults)
}

/// What a comparison says, if the values that both sides can have decide it: compilers complain about asking.
fn decided(operator: BinaryOperator, left: &Value, right: &Value) -> Option<bool> {
    use BinaryOperator as Op;
    let below = |a: &Value, b: &Value| match () {
        () if a.greatest < b.least => Some(true),
        () if a.least >= b.greatest => Some(false),
        () => None,
    };
    let apart = left.greatest < right.least || right.greatest < left.least;
    match operator {
        Op::Less => below(left, right),
        Op::Greater => below(right, left),
        Op::LessEqual => below(right, left).map(|less| !less),
        Op::GreaterEqual => below(left, right).map(|less| !less),
        Op::Equal => apart.then_some(false),
        Op::NotEqual => apart.then_some(true),
        _ => None,
    }
}

/// What a variable of a kind can hold.
pub(super) fn of_kind(text: String, kind: mazurka_model::Kind) -> Value {
    let (least, greatest) = range(kind);
    Value::number(text, least, greatest)
}
