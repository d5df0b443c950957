//! What is asked of a program for every step, in small.
//!
//! A program is written to be read: names, origins and rare features stand beside what every step
//! needs. Here the latter stands alone: expressions whose operands are settled where they can be, and
//! of processes, locations and transitions what says which steps are possible. It is derived from the program when it
//! is made ready to run, and says nothing that the program does not say.

use crate::expression::{BinaryOperator, Expression, UnaryOperator};
use crate::kind::Kind;
use crate::program::{Base, ExpressionId, Handshake, Place, PlaceId, Program, Transition};
use crate::reads::Reads;
use crate::shape::HEADER_BYTES;

/// A program, as far as every step needs it.
#[derive(Debug)]
pub(crate) struct Quick {
    /// By number of the expression.
    pub expressions: Vec<QuickExpression>,
    /// By number of the process type.
    pub process_types: Vec<QuickProcessType>,
    /// By number of the location, the numbers of its first transition and of the one after its last.
    pub locations: Vec<(u32, u32)>,
    /// By number of the transition.
    pub transitions: Vec<QuickTransition>,
    /// By number of the place.
    pub places: Vec<QuickPlace>,
    /// By number of the location, what the guards of its transitions read besides the own frame.
    pub reads: Vec<Reads>,
    /// Do the guards of its location alone say which steps a process has?
    pub is_local: bool,
}

/// An expression whose operands are at hand.
#[derive(Clone, Copy, Debug)]
pub(crate) enum QuickExpression {
    /// A constant or a variable.
    Operand(Operand),
    /// An element of an array.
    Element(Element),
    Unary(UnaryOperator, Operand),
    Binary(BinaryOperator, Operand, Operand),
    And(Operand, Operand),
    Or(Operand, Operand),
    /// What the program says.
    Other,
}

/// A variable to write to.
#[derive(Clone, Copy, Debug)]
pub(crate) enum QuickPlace {
    /// It is always at the same offset, from the start of the frame or of the state.
    Fixed {
        is_local: bool,
        offset: u32,
        kind: Kind,
    },
    /// It is an element of an array.
    Element(Element),
    /// What the program says.
    Other,
}

/// A value, or where it is found.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Operand {
    Constant(i32),
    /// A byte without sign, at this offset from the start of the state.
    SharedByte(u32),
    /// A byte without sign, at this offset from the start of the frame.
    LocalByte(u32),
    /// A field of another kind, at this offset from the start of the state.
    Shared(u32, Kind),
    /// A field of another kind, at this offset from the start of the frame.
    Local(u32, Kind),
    /// What has to be evaluated.
    Expression(ExpressionId),
}

/// An element of an array, chosen by one index.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Element {
    pub index: Operand,
    /// Is it in the frame, or among the shared variables?
    pub is_local: bool,
    pub kind: Kind,
    pub offset: u32,
    pub length: u32,
    pub stride: u32,
}

/// A process type.
#[derive(Clone, Copy, Debug)]
pub(crate) struct QuickProcessType {
    /// Where the number of the location is in a frame, and how it is packed.
    pub offset: u32,
    pub kind: Kind,
    /// What to add to it.
    pub first_location: u32,
    pub is_deterministic: bool,
}

/// A transition.
#[derive(Clone, Copy, Debug)]
pub(crate) struct QuickTransition {
    pub guard: ExpressionId,
    pub group: u32,
    /// Is the guard nothing but true?
    pub is_open: bool,
    pub otherwise: bool,
    pub sends: bool,
}

impl Quick {
    pub fn new(program: &Program) -> Quick {
        let features = &program.features;
        let process_type = |described: &crate::program::ProcessType| QuickProcessType {
            offset: described.location.offset,
            kind: described.location.kind,
            first_location: described.locations.start,
            is_deterministic: described.deterministic,
        };
        let location = |described: &crate::program::Location| {
            (described.transitions.start, described.transitions.end)
        };
        let transition = |described: &Transition| QuickTransition {
            guard: described.guard,
            group: described.group,
            is_open: matches!(
                program.expressions[described.guard.index()],
                Expression::Constant(value) if value != 0
            ),
            otherwise: described.otherwise,
            sends: matches!(described.handshake, Handshake::Sends(_)),
        };
        Quick {
            expressions: (program.expressions.iter())
                .map(|expression| quick_expression(program, *expression))
                .collect(),
            process_types: program.process_types.iter().map(process_type).collect(),
            locations: program.locations.iter().map(location).collect(),
            transitions: program.transitions.iter().map(transition).collect(),
            places: (program.places.iter())
                .map(|place| quick_place(program, place))
                .collect(),
            reads: (program.locations.iter())
                .map(|location| Reads::of_location(program, location))
                .collect(),
            is_local: !(features.timeout
                || features.priority
                || features.provided
                || features.rendezvous),
        }
    }

    /// The value of an expression that is a constant.
    #[inline]
    pub fn constant(&self, expression: ExpressionId) -> Option<i32> {
        match self.expressions[expression.index()] {
            QuickExpression::Operand(Operand::Constant(value)) => Some(value),
            _ => None,
        }
    }
}

fn quick_place(program: &Program, place: &Place) -> QuickPlace {
    let (is_local, before) = match place.base {
        Base::Shared => (false, HEADER_BYTES),
        Base::Local => (true, 0),
        Base::Hidden | Base::Remote(..) => return QuickPlace::Other,
    };
    if !place.indices.is_empty() {
        return element(program, place).map_or(QuickPlace::Other, QuickPlace::Element);
    }
    QuickPlace::Fixed {
        is_local,
        offset: before + place.offset,
        kind: place.kind,
    }
}

fn quick_expression(program: &Program, expression: Expression) -> QuickExpression {
    let operand = |expression| operand(program, expression);
    match expression {
        Expression::Constant(value) => QuickExpression::Operand(Operand::Constant(value)),
        Expression::Load(place) => {
            let place = &program.places[place.index()];
            field(place)
                .map(QuickExpression::Operand)
                .or_else(|| element(program, place).map(QuickExpression::Element))
                .unwrap_or(QuickExpression::Other)
        }
        Expression::Unary(operator, of) => QuickExpression::Unary(operator, operand(of)),
        Expression::Binary(operator, left, right) => {
            QuickExpression::Binary(operator, operand(left), operand(right))
        }
        Expression::And(left, right) => QuickExpression::And(operand(left), operand(right)),
        Expression::Or(left, right) => QuickExpression::Or(operand(left), operand(right)),
        _ => QuickExpression::Other,
    }
}

fn operand(program: &Program, expression: ExpressionId) -> Operand {
    let settled = match program.expressions[expression.index()] {
        Expression::Constant(value) => Some(Operand::Constant(value)),
        Expression::Load(PlaceId(place)) => field(&program.places[place as usize]),
        _ => None,
    };
    settled.unwrap_or(Operand::Expression(expression))
}

/// A place that is always at the same offset. Bytes without sign are most of them.
fn field(place: &Place) -> Option<Operand> {
    if !place.indices.is_empty() {
        return None;
    }
    let is_byte = match place.kind {
        Kind::Bit | Kind::Byte => true,
        Kind::Unsigned(bits) => bits <= 8,
        Kind::Short | Kind::Int => false,
    };
    let shared = HEADER_BYTES + place.offset;
    match place.base {
        Base::Shared if is_byte => Some(Operand::SharedByte(shared)),
        Base::Shared => Some(Operand::Shared(shared, place.kind)),
        Base::Local if is_byte => Some(Operand::LocalByte(place.offset)),
        Base::Local => Some(Operand::Local(place.offset, place.kind)),
        Base::Hidden | Base::Remote(..) => None,
    }
}

fn element(program: &Program, place: &Place) -> Option<Element> {
    let indices = &program.indices[place.indices.start as usize..place.indices.end as usize];
    let ([index], Base::Shared | Base::Local) = (indices, place.base) else {
        return None;
    };
    let is_local = place.base == Base::Local;
    Some(Element {
        index: operand(program, index.expression),
        is_local,
        kind: place.kind,
        offset: place.offset + if is_local { 0 } else { HEADER_BYTES },
        length: index.length,
        stride: index.stride,
    })
}
