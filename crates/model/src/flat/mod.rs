//! Expressions as flat code: what is known before a search begins is settled, and nothing is looked up twice.
//!
//! A node is an operator and two operands. An operand is a constant, a field at a known offset and of a known width, an element of
//! an array, or another node. Flat code has no faults: where there would be one, it has no answer, and whoever asked asks the definition
//! ([`crate::evaluate`]), which says what is wrong. It has no answer either where the definition needs more than the state, the
//! frame and the population. An answer is always that of the definition.

mod compile;
mod receive;
#[cfg(test)]
mod tests;

use crate::kind::Kind;
use crate::program::{ExpressionId, PlaceId, Program, ReceiveId};
use crate::shape::{ChannelEntry, Shape};

use receive::{FlatReceive, Layout};

/// The expressions and places of a program.
#[derive(Debug)]
pub(crate) struct Flat {
    /// By number of the expression.
    nodes: Vec<Node>,
    /// By number of the place.
    places: Vec<FlatPlace>,
    /// Arrays that are read.
    arrays: Vec<Array>,
    /// Indices of arrays after the first.
    indices: Vec<Index>,
    /// By number of the receive.
    receives: Vec<FlatReceive>,
    /// What the receives ask of the fields of a message: the position, and what it must equal.
    matches: Vec<(u32, Operand)>,
    /// By number of the channel type.
    channels: Vec<FlatChannel>,
    layouts: Vec<Layout>,
}

/// Who asks about a state.
#[derive(Clone, Copy)]
pub(crate) struct Seat<'a> {
    /// The offset of the frame of the process that asks.
    pub frame: usize,
    pub process: usize,
    pub shape: &'a Shape,
    /// Is the state seen between the halves of a rendezvous?
    pub is_midway: bool,
}

/// An operator and its operands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Node {
    operator: Operator,
    /// Is it arithmetic on fields and constants, with no node or element below?
    is_plain: bool,
    left: Operand,
    right: Operand,
}

impl Node {
    const fn new(operator: Operator, left: Operand, right: Operand) -> Node {
        let has_below = matches!(left.source, Source::Node | Source::Element)
            || matches!(right.source, Source::Node | Source::Element);
        Node {
            operator,
            is_plain: is_arithmetic(operator) && !has_below,
            left,
            right,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Operator {
    /// There is no flat code for it.
    Hard,
    /// The left operand.
    Same,
    Not,
    Negate,
    Complement,
    And,
    Or,
    Add,
    Subtract,
    Multiply,
    Divide,
    /// Those that say nothing where the result does not fit.
    AddExactly,
    SubtractExactly,
    MultiplyExactly,
    DivideExactly,
    Remainder,
    BitAnd,
    BitOr,
    BitXor,
    ShiftLeft,
    ShiftRight,
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    /// Questions about the channel that the left operand names.
    Length,
    Empty,
    NotEmpty,
    Full,
    NotFull,
    /// Is this receive possible? The left operand is the number of the channel, the right one that of the receive.
    CanReceive,
    Youngest,
    ProcessCount,
}

/// A value, or where it is found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Operand {
    source: Source,
    number: u32,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Source {
    Constant,
    SharedByte,
    LocalByte,
    SharedShort,
    LocalShort,
    /// Sixteen bits without sign.
    SharedWord,
    LocalWord,
    SharedInt,
    LocalInt,
    /// The process that asks.
    Process,
    /// An element of the array with this number.
    Element,
    Node,
}

#[derive(Clone, Copy, Debug)]
struct Array {
    /// How its elements are read; the number is the offset of the first one.
    element: Operand,
    /// The first index.
    index: Operand,
    length: u32,
    stride: u32,
    /// Its other indices, a range.
    first: u32,
    end: u32,
}

#[derive(Clone, Copy, Debug)]
struct Index {
    operand: Operand,
    length: u32,
    stride: u32,
}

/// A variable to write to, or the first element of an array.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Target {
    is_local: bool,
    bytes: u8,
    /// The bits that are kept.
    mask: u32,
    offset: u32,
}

/// A place to write to.
#[derive(Clone, Copy, Debug)]
struct FlatPlace {
    is_known: bool,
    target: Target,
    /// Its indices, a range.
    first: u32,
    end: u32,
}

/// A channel.
#[derive(Clone, Copy, Debug)]
struct FlatChannel {
    capacity: u32,
    length_kind: Kind,
}

impl Flat {
    /// Flat code for a program.
    pub fn new(program: &Program) -> Flat {
        compile::compile(program)
    }

    /// No flat code: the definition alone.
    #[cfg(test)]
    pub fn nothing(program: &Program) -> Flat {
        let mut flat = Flat::new(program);
        for node in &mut flat.nodes {
            *node = Node::new(Operator::Hard, node.left, node.right);
        }
        for place in &mut flat.places {
            place.is_known = false;
        }
        flat
    }

    /// The value of an expression, where flat code has one.
    #[inline]
    pub fn value(&self, state: &[u8], seat: &Seat<'_>, expression: ExpressionId) -> Option<i32> {
        self.value_below(state, seat, expression.index())
    }

    /// An expression as an operand, which is quicker where it is no more than a field.
    pub fn as_operand(&self, expression: ExpressionId) -> Operand {
        let node = &self.nodes[expression.index()];
        match node.operator {
            Operator::Same => node.left,
            _ => Operand {
                source: Source::Node,
                number: expression.0,
            },
        }
    }

    /// An expression that is one operator on fields and constants.
    pub fn as_plain(&self, expression: ExpressionId) -> Option<Node> {
        let node = &self.nodes[expression.index()];
        (node.is_plain && node.operator != Operator::Same).then_some(*node)
    }

    /// What an expression adds to a variable, if that is all it is.
    pub fn as_sum(&self, target: Target, expression: ExpressionId) -> Option<i32> {
        let node = self.as_plain(expression)?;
        let variable = (target.is_local, target.bytes, target.offset);
        let (is_local, bytes) = match node.left.source {
            Source::SharedByte => (false, 1),
            Source::LocalByte => (true, 1),
            Source::SharedShort | Source::SharedWord => (false, 2),
            Source::LocalShort | Source::LocalWord => (true, 2),
            Source::SharedInt => (false, 4),
            Source::LocalInt => (true, 4),
            Source::Constant | Source::Process | Source::Element | Source::Node => return None,
        };
        if (is_local, bytes, node.left.number) != variable || node.right.source != Source::Constant
        {
            return None;
        }
        let constant = node.right.number as i32;
        match node.operator {
            Operator::Add => Some(constant),
            Operator::Subtract => Some(constant.wrapping_neg()),
            _ => None,
        }
    }

    /// The value of an expression that is a constant.
    #[inline]
    pub fn constant(&self, expression: ExpressionId) -> Option<i32> {
        let node = &self.nodes[expression.index()];
        let is_constant = node.operator == Operator::Same && node.left.source == Source::Constant;
        is_constant.then_some(node.left.number as i32)
    }

    /// Is there flat code for an expression?
    pub fn has(&self, expression: ExpressionId) -> bool {
        self.nodes[expression.index()].operator != Operator::Hard
    }

    /// Is there flat code for writing to a place?
    pub fn has_place(&self, place: PlaceId) -> bool {
        self.places[place.index()].is_known
    }

    /// Is there flat code for what a receive asks of a message?
    pub fn has_receive(&self, receive: ReceiveId) -> bool {
        self.receives[receive.index()].is_known
    }

    /// A place that is always at the same offset.
    pub fn fixed(&self, place: PlaceId) -> Option<Target> {
        let place = &self.places[place.index()];
        (place.is_known && place.first == place.end).then_some(place.target)
    }

    /// Has an expression a value in every state? To say no is always right.
    pub fn is_sure(&self, expression: ExpressionId) -> bool {
        let mut left = vec![expression.index()];
        // Larger ones are not worth the time.
        for _ in 0..64 {
            let Some(number) = left.pop() else {
                return true;
            };
            let node = &self.nodes[number];
            if !node.cannot_fail() {
                return false;
            }
            let below = [node.left, node.right].into_iter();
            let below = below.filter(|operand| operand.source == Source::Node);
            left.extend(below.map(|operand| operand.number as usize));
        }
        false
    }

    /// The value of an operand, where flat code has one.
    #[inline(always)]
    pub fn operand(&self, state: &[u8], seat: &Seat<'_>, operand: Operand) -> Option<i32> {
        match operand.source {
            Source::Node => self.value_below(state, seat, operand.number as usize),
            _ => self.leaf(state, seat, operand),
        }
    }

    #[inline]
    fn value_below(&self, state: &[u8], seat: &Seat<'_>, number: usize) -> Option<i32> {
        let node = &self.nodes[number];
        match node.is_plain {
            true => plain(state, seat, node),
            false => self.value_of(state, seat, node),
        }
    }

    #[inline(never)]
    fn value_of(&self, state: &[u8], seat: &Seat<'_>, node: &Node) -> Option<i32> {
        match node.operator {
            Operator::Hard => None,
            Operator::Length
            | Operator::Empty
            | Operator::NotEmpty
            | Operator::Full
            | Operator::NotFull
            | Operator::CanReceive
            | Operator::Youngest
            | Operator::ProcessCount => {
                let left = self.operand(state, seat, node.left)?;
                self.asked(state, seat, node, left)
            }
            operator => {
                let left = self.operand(state, seat, node.left)?;
                arithmetic(operator, left, || self.operand(state, seat, node.right))
            }
        }
    }

    /// An operand that is no node.
    #[inline(always)]
    fn leaf(&self, state: &[u8], seat: &Seat<'_>, operand: Operand) -> Option<i32> {
        match operand.source {
            Source::Element => self.element(state, seat, operand.number),
            _ => field(state, seat, operand),
        }
    }

    /// An element of an array. Mostly there is one index, and that is a variable.
    #[inline(never)]
    fn element(&self, state: &[u8], seat: &Seat<'_>, number: u32) -> Option<i32> {
        let array = &self.arrays[number as usize];
        if array.first < array.end {
            return self.any_element(state, seat, array);
        }
        let Some(index) = field(state, seat, array.index) else {
            return self.any_element(state, seat, array);
        };
        if index as u32 >= array.length {
            return None;
        }
        let element = Operand {
            number: array.element.number + index as u32 * array.stride,
            ..array.element
        };
        field(state, seat, element)
    }

    #[inline(never)]
    fn any_element(&self, state: &[u8], seat: &Seat<'_>, array: &Array) -> Option<i32> {
        let index = self.operand(state, seat, array.index)? as u32;
        if index >= array.length {
            return None;
        }
        let mut offset = array.element.number + index * array.stride;
        for further in &self.indices[array.first as usize..array.end as usize] {
            let index = self.operand(state, seat, further.operand)? as u32;
            if index >= further.length {
                return None;
            }
            offset += index * further.stride;
        }
        let element = Operand {
            number: offset,
            ..array.element
        };
        field(state, seat, element)
    }

    /// The answer to a question about channels or the population.
    fn asked(&self, state: &[u8], seat: &Seat<'_>, node: &Node, channel: i32) -> Option<i32> {
        let processes = seat.shape.processes.len();
        match node.operator {
            Operator::Youngest => return Some(i32::from(seat.process + 1 == processes)),
            Operator::ProcessCount => return Some(processes as i32),
            _ => {}
        }
        if node.operator == Operator::CanReceive {
            let slot = self.slot(state, seat, ReceiveId(node.right.number), channel)?;
            return Some(i32::from(slot.is_some()));
        }
        let (described, entry) = self.channel(seat, channel)?;
        let length = described.length(state, entry);
        Some(match node.operator {
            Operator::Length => length as i32,
            Operator::Empty => i32::from(length == 0),
            Operator::NotEmpty => i32::from(length > 0),
            Operator::Full => i32::from(length == described.capacity.max(1)),
            Operator::NotFull => i32::from(length < described.capacity.max(1)),
            _ => return None,
        })
    }

    /// A channel by its number, unless a message may be on its way through it.
    fn channel(&self, seat: &Seat<'_>, number: i32) -> Option<(&FlatChannel, ChannelEntry)> {
        if seat.is_midway {
            return None;
        }
        let index = usize::try_from(number.wrapping_sub(1)).ok()?;
        let entry = *seat.shape.channels.get(index)?;
        Some((&self.channels[entry.channel_type.index()], entry))
    }

    /// Writes a value, truncated, to a place. Says whether it could; if not, nothing has changed.
    #[inline]
    pub fn store(&self, state: &mut [u8], seat: &Seat<'_>, place: PlaceId, value: i32) -> bool {
        let place = &self.places[place.index()];
        if !place.is_known {
            return false;
        }
        let mut target = place.target;
        for index in &self.indices[place.first as usize..place.end as usize] {
            match self.operand(state, seat, index.operand) {
                Some(value) if (value as u32) < index.length => {
                    target.offset += value as u32 * index.stride;
                }
                _ => return false,
            }
        }
        target.put(state, seat.frame, value);
        true
    }
}

impl Target {
    /// Adds a number to the variable. Whether that has a sign makes no difference to the bits that are kept.
    #[inline(always)]
    pub fn add(self, state: &mut [u8], frame: usize, number: i32) {
        let offset = self.offset as usize + if self.is_local { frame } else { 0 };
        let value = match self.bytes {
            1 => i32::from(state[offset]),
            2 => i32::from(word(state, offset)),
            _ => int(state, offset),
        };
        self.put(state, frame, value.wrapping_add(number));
    }

    /// Writes a value, truncated.
    #[inline(always)]
    pub fn put(self, state: &mut [u8], frame: usize, value: i32) {
        let offset = self.offset as usize + if self.is_local { frame } else { 0 };
        let value = value as u32 & self.mask;
        match self.bytes {
            1 => state[offset] = value as u8,
            2 => state[offset..offset + 2].copy_from_slice(&(value as u16).to_le_bytes()),
            _ => state[offset..offset + 4].copy_from_slice(&value.to_le_bytes()),
        }
    }
}

/// The value of a node without nodes below.
#[inline(always)]
pub(crate) fn plain(state: &[u8], seat: &Seat<'_>, node: &Node) -> Option<i32> {
    let left = field(state, seat, node.left)?;
    arithmetic(node.operator, left, || field(state, seat, node.right))
}

/// An operand that is a constant, a field or the process that asks.
#[inline(always)]
fn field(state: &[u8], seat: &Seat<'_>, operand: Operand) -> Option<i32> {
    let number = operand.number as usize;
    Some(match operand.source {
        Source::Constant => operand.number as i32,
        Source::SharedByte => i32::from(state[number]),
        Source::LocalByte => i32::from(state[seat.frame + number]),
        Source::SharedShort => i32::from(word(state, number) as i16),
        Source::LocalShort => i32::from(word(state, seat.frame + number) as i16),
        Source::SharedWord => i32::from(word(state, number)),
        Source::LocalWord => i32::from(word(state, seat.frame + number)),
        Source::SharedInt => int(state, number),
        Source::LocalInt => int(state, seat.frame + number),
        Source::Process => seat.process as i32,
        Source::Element | Source::Node => return None,
    })
}

/// What an operator makes of its operands. The right one is asked for only where it counts.
#[inline(always)]
fn arithmetic(operator: Operator, left: i32, right: impl FnOnce() -> Option<i32>) -> Option<i32> {
    match operator {
        Operator::Same => return Some(left),
        Operator::Not => return Some(i32::from(left == 0)),
        Operator::Negate => return Some(left.wrapping_neg()),
        Operator::Complement => return Some(!left),
        Operator::And if left == 0 => return Some(0),
        Operator::Or if left != 0 => return Some(1),
        _ => {}
    }
    let right = right()?;
    Some(match operator {
        Operator::And | Operator::Or => i32::from(right != 0),
        Operator::Add => left.wrapping_add(right),
        Operator::Subtract => left.wrapping_sub(right),
        Operator::Multiply => left.wrapping_mul(right),
        Operator::AddExactly => return left.checked_add(right),
        Operator::SubtractExactly => return left.checked_sub(right),
        Operator::MultiplyExactly => return left.checked_mul(right),
        Operator::DivideExactly => return left.checked_div(right),
        Operator::Divide | Operator::Remainder if right == 0 => return None,
        Operator::Divide => left.wrapping_div(right),
        Operator::Remainder => left.wrapping_rem(right),
        Operator::BitAnd => left & right,
        Operator::BitOr => left | right,
        Operator::BitXor => left ^ right,
        Operator::ShiftLeft => left.wrapping_shl(right as u32),
        Operator::ShiftRight => left.wrapping_shr(right as u32),
        Operator::Equal => i32::from(left == right),
        Operator::NotEqual => i32::from(left != right),
        Operator::Less => i32::from(left < right),
        Operator::LessEqual => i32::from(left <= right),
        Operator::Greater => i32::from(left > right),
        Operator::GreaterEqual => i32::from(left >= right),
        // The others are no arithmetic.
        _ => return None,
    })
}

impl Node {
    /// Has it a value in every state, if its operands have?
    fn cannot_fail(&self) -> bool {
        let divides = matches!(self.operator, Operator::Divide | Operator::Remainder);
        let by_constant = self.right.source == Source::Constant && self.right.number != 0;
        // An index may be wrong.
        let has_element = [self.left, self.right]
            .iter()
            .any(|operand| operand.source == Source::Element);
        !has_element && (cannot_fail(self.operator) || divides && by_constant)
    }
}

/// Is the value made of the values of the operands alone?
const fn is_arithmetic(operator: Operator) -> bool {
    !matches!(
        operator,
        Operator::Hard
            | Operator::Length
            | Operator::Empty
            | Operator::NotEmpty
            | Operator::Full
            | Operator::NotFull
            | Operator::CanReceive
            | Operator::Youngest
            | Operator::ProcessCount
    )
}

/// Has an operator a value for all operands?
fn cannot_fail(operator: Operator) -> bool {
    !matches!(
        operator,
        Operator::Hard
            | Operator::Divide
            | Operator::AddExactly
            | Operator::SubtractExactly
            | Operator::MultiplyExactly
            | Operator::DivideExactly
            | Operator::Remainder
            | Operator::Length
            | Operator::Empty
            | Operator::NotEmpty
            | Operator::Full
            | Operator::NotFull
            | Operator::CanReceive
    )
}

impl FlatChannel {
    #[inline]
    fn length(&self, state: &[u8], entry: ChannelEntry) -> u32 {
        match self.capacity {
            0 => 0,
            _ => self.length_kind.read(state, entry.offset as usize) as u32,
        }
    }
}

#[inline]
fn word(state: &[u8], offset: usize) -> u16 {
    u16::from_le_bytes([state[offset], state[offset + 1]])
}

#[inline]
fn int(state: &[u8], offset: usize) -> i32 {
    Kind::Int.read(state, offset)
}
