//! What an index or the name of a channel may be, whatever happens: by the types of what it is made of.
//!
//! An operation on `a[i]`, or a send to `q[i]`, that somebody performs later concerns one of the elements that `i` can name. Nothing is
//! assumed about the values of variables but that they fit their types, and that what is never written stays what it is.

use mazurka_model::{
    Base, BinaryOperator, Expression, ExpressionId, HEADER_BYTES, Interpreter, Kind, PlaceId,
    Program, UnaryOperator,
};

use crate::constancy::{Writes, span};

/// The variables of a name are given at most this many values together.
const MOST_VALUES: i64 = 256;
/// No process has a greater number.
const LAST_PROCESS: i64 = 255;

/// The bytes that a place may be, in its part of the state, by what its indices can be.
pub(crate) fn reach(program: &Program, place: PlaceId) -> (u32, u32) {
    let described = &program.places[place.index()];
    let (mut start, mut end) = (described.offset, described.offset);
    for index in described.indices.clone() {
        let index = &program.indices[index as usize];
        let last = i64::from(index.length) - 1;
        let (low, high) = bounds(program, index.expression).unwrap_or((0, last));
        let (low, high) = (low.max(0), high.min(last));
        if low > high {
            return span(program, place);
        }
        start += low as u32 * index.stride;
        end += high as u32 * index.stride;
    }
    (start, end + described.kind.bytes())
}

/// The least and the greatest value of an expression, if it has one.
fn bounds(program: &Program, expression: ExpressionId) -> Option<(i64, i64)> {
    let of = |e: ExpressionId| bounds(program, e);
    match program.expressions[expression.index()] {
        Expression::Constant(value) => Some((i64::from(value), i64::from(value))),
        Expression::Load(place) => Some(values_of(program.places[place.index()].kind)),
        Expression::SelfProcess => Some((0, LAST_PROCESS)),
        Expression::Unary(UnaryOperator::Not, _) | Expression::And(..) | Expression::Or(..) => {
            Some((0, 1))
        }
        Expression::Binary(operator, left, right) => bounds_of_two(operator, of(left), of(right)),
        Expression::Conditional(_, yes, no) => {
            let (yes, no) = (of(yes)?, of(no)?);
            Some((yes.0.min(no.0), yes.1.max(no.1)))
        }
        _ => None,
    }
}

fn bounds_of_two(
    operator: BinaryOperator,
    left: Option<(i64, i64)>,
    right: Option<(i64, i64)>,
) -> Option<(i64, i64)> {
    use BinaryOperator::*;
    let fits = |value: &i64| i32::try_from(*value).is_ok();
    let found = match operator {
        Equal | NotEqual | Less | LessEqual | Greater | GreaterEqual => (0, 1),
        Add => (left?.0 + right?.0, left?.1 + right?.1),
        Subtract => (left?.0 - right?.1, left?.1 - right?.0),
        Multiply => {
            let ((a, b), (c, d)) = (left?, right?);
            let corners = [a * c, a * d, b * c, b * d];
            (*corners.iter().min()?, *corners.iter().max()?)
        }
        Remainder => match (left, right?) {
            (left, (by, same)) if by == same && by > 0 => {
                let low = if left?.0 >= 0 { 0 } else { 1 - by };
                (low, left?.1.min(by - 1).max(0))
            }
            _ => return None,
        },
        // Of something without sign no more is left than it has.
        BitAnd => match (left?, right?) {
            ((0.., a), (0.., b)) => (0, a.min(b)),
            ((0.., a), _) => (0, a),
            (_, (0.., b)) => (0, b),
            _ => return None,
        },
        _ => return None,
    };
    (fits(&found.0) && fits(&found.1)).then_some(found)
}

/// The values that fit a type.
fn values_of(kind: Kind) -> (i64, i64) {
    match kind {
        Kind::Bit => (0, 1),
        Kind::Byte => (0, 255),
        Kind::Short => (i64::from(i16::MIN), i64::from(i16::MAX)),
        Kind::Unsigned(bits) if bits < 32 => (0, (1 << bits) - 1),
        Kind::Int | Kind::Unsigned(_) => (i64::from(i32::MIN), i64::from(i32::MAX)),
    }
}

/// The channels that an expression may name, whoever evaluates it and whenever; none if too little is known.
pub(crate) fn channels(
    interpreter: &Interpreter,
    state: &[u8],
    writes: &Writes,
    name: ExpressionId,
) -> Option<Vec<i32>> {
    let mut names = Names {
        interpreter,
        state,
        writes,
        free: Vec::new(),
    };
    names.bound_indices(name);
    names.find_free(name)?;
    let mut count: i64 = 1;
    for (_, (low, high), _) in &names.free {
        count *= high - low + 1;
        if count > MOST_VALUES {
            return None;
        }
    }
    let mut found = Vec::new();
    loop {
        match names.value(name) {
            Some(number) if number > 0 => found.push(number),
            Some(_) => {}
            None => return None,
        }
        if !names.advance() {
            break;
        }
    }
    found.sort_unstable();
    found.dedup();
    Some(found)
}

struct Names<'a> {
    interpreter: &'a Interpreter,
    state: &'a [u8],
    writes: &'a Writes,
    /// The variables that may have any value of their type, and the value that each is given now.
    free: Vec<(PlaceId, (i64, i64), i64)>,
}

impl Names<'_> {
    /// Is this an array or a variable of all that nobody writes? Then what it holds is known.
    fn is_fixed(&self, place: PlaceId) -> bool {
        let program = self.interpreter.program();
        program.places[place.index()].base == Base::Shared
            && self.writes.is_fixed(reach(program, place))
    }

    /// Where the name is an element of an array, an index out of range is an error, and gives no channel: a variable that is the index need
    /// not be given other values.
    fn bound_indices(&mut self, name: ExpressionId) {
        let program = self.interpreter.program();
        let Expression::Load(array) = program.expressions[name.index()] else {
            return;
        };
        if !self.is_fixed(array) {
            return;
        }
        for index in program.places[array.index()].indices.clone() {
            let index = &program.indices[index as usize];
            let Expression::Load(place) = program.expressions[index.expression.index()] else {
                continue;
            };
            let (low, high) = values_of(program.places[place.index()].kind);
            let values = (low.max(0), high.min(i64::from(index.length) - 1));
            let is_new = self.free.iter().all(|(known, ..)| *known != place);
            if is_new && !self.is_fixed(place) {
                self.free.push((place, values, values.0));
            }
        }
    }

    fn find_free(&mut self, expression: ExpressionId) -> Option<()> {
        let program = self.interpreter.program();
        match program.expressions[expression.index()] {
            Expression::Constant(_) => {}
            Expression::Load(place) if self.is_fixed(place) => {
                for index in program.places[place.index()].indices.clone() {
                    self.find_free(program.indices[index as usize].expression)?;
                }
            }
            Expression::Load(place) => {
                let values = values_of(program.places[place.index()].kind);
                if self.free.iter().all(|(known, ..)| *known != place) {
                    self.free.push((place, values, values.0));
                }
            }
            Expression::Unary(_, operand) => self.find_free(operand)?,
            Expression::Binary(_, left, right)
            | Expression::And(left, right)
            | Expression::Or(left, right) => {
                self.find_free(left)?;
                self.find_free(right)?;
            }
            Expression::Conditional(condition, yes, no) => {
                self.find_free(condition)?;
                self.find_free(yes)?;
                self.find_free(no)?;
            }
            _ => return None,
        }
        Some(())
    }

    /// Gives the free variables their next values; no if these were the last.
    fn advance(&mut self) -> bool {
        for (_, (low, high), value) in &mut self.free {
            if *value < *high {
                *value += 1;
                return true;
            }
            *value = *low;
        }
        false
    }

    /// The value of an expression. What is an error of the model is zero, as it is for the interpreter, which continues.
    fn value(&self, expression: ExpressionId) -> Option<i32> {
        let program = self.interpreter.program();
        let of = |e: ExpressionId| self.value(e);
        let truth = |e: ExpressionId| of(e).map(|value| value != 0);
        match program.expressions[expression.index()] {
            Expression::Constant(value) => Some(value),
            Expression::Load(place) => self.load(place),
            Expression::Unary(operator, operand) => Some(operator.apply(of(operand)?)),
            Expression::Binary(operator, left, right) => {
                Some(operator.apply(of(left)?, of(right)?).unwrap_or(0))
            }
            Expression::And(left, right) => Some(i32::from(truth(left)? && truth(right)?)),
            Expression::Or(left, right) => Some(i32::from(truth(left)? || truth(right)?)),
            Expression::Conditional(condition, yes, no) => {
                of(if truth(condition)? { yes } else { no })
            }
            _ => None,
        }
    }

    fn load(&self, place: PlaceId) -> Option<i32> {
        let known = self.free.iter().find(|(known, ..)| *known == place);
        if let Some((_, _, value)) = known {
            return Some(*value as i32);
        }
        let program = self.interpreter.program();
        let described = &program.places[place.index()];
        let mut offset = described.offset;
        for index in described.indices.clone() {
            let index = &program.indices[index as usize];
            let value = u32::try_from(self.value(index.expression)?);
            match value {
                Ok(value) if value < index.length => offset += value * index.stride,
                _ => return Some(0),
            }
        }
        let offset = (HEADER_BYTES + offset) as usize;
        Some(described.kind.read(self.state, offset))
    }
}
