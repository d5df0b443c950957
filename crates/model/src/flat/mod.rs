//! Expressions as flat code: what is known before a search begins is settled, and nothing is looked up twice.
//!
//! A node is an operator and two operands. An operand is a constant, a field at a known offset and of a known width, or another
//! node. Flat code has no faults: where there would be one, it has no answer, and whoever asked asks the definition
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

/// What flat code sees of a state.
#[derive(Clone, Copy)]
pub(crate) struct View<'a> {
    pub state: &'a [u8],
    /// The offset of the frame of the process that asks.
    pub frame: usize,
    pub process: usize,
    pub shape: &'a Shape,
    /// Is it seen between the halves of a rendezvous?
    pub is_midway: bool,
}

/// An operator and its operands.
#[derive(Clone, Copy, Debug)]
struct Node {
    operator: Operator,
    /// Is it arithmetic on fields and constants, with no node below?
    is_plain: bool,
    left: Operand,
    right: Operand,
}

impl Node {
    const fn new(operator: Operator, left: Operand, right: Operand) -> Node {
        let has_below = matches!(left.source, Source::Node) || matches!(right.source, Source::Node);
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
    /// An element: the left operand is the first index, the right one the number of the array.
    Element,
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
struct Operand {
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
    Node,
}

#[derive(Clone, Copy, Debug)]
struct Array {
    /// How its elements are read; the number is the offset of the first one.
    element: Operand,
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

/// A variable to write to.
#[derive(Clone, Copy, Debug)]
struct FlatPlace {
    is_known: bool,
    is_local: bool,
    bytes: u8,
    /// The bits that are kept.
    mask: u32,
    offset: u32,
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
    pub fn value(&self, view: &View<'_>, expression: ExpressionId) -> Option<i32> {
        self.value_below(view, expression.index())
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

    /// Is a place always at the same offset?
    pub fn is_fixed(&self, place: PlaceId) -> bool {
        let place = &self.places[place.index()];
        place.is_known && place.first == place.end
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

    #[inline(always)]
    fn operand(&self, view: &View<'_>, operand: Operand) -> Option<i32> {
        match operand.source {
            Source::Node => self.value_below(view, operand.number as usize),
            _ => leaf(view, operand),
        }
    }

    #[inline]
    fn value_below(&self, view: &View<'_>, number: usize) -> Option<i32> {
        let node = &self.nodes[number];
        match node.is_plain {
            true => plain(view, node),
            false => self.value_of(view, node),
        }
    }

    #[inline(never)]
    fn value_of(&self, view: &View<'_>, node: &Node) -> Option<i32> {
        if node.operator == Operator::Hard {
            return None;
        }
        let left = self.operand(view, node.left)?;
        match node.operator {
            Operator::Element => self.element(view, left, node.right.number),
            Operator::Length
            | Operator::Empty
            | Operator::NotEmpty
            | Operator::Full
            | Operator::NotFull
            | Operator::CanReceive
            | Operator::Youngest
            | Operator::ProcessCount => self.asked(view, node, left),
            operator => arithmetic(operator, left, || self.operand(view, node.right)),
        }
    }

    #[inline]
    fn element(&self, view: &View<'_>, index: i32, array: u32) -> Option<i32> {
        let array = &self.arrays[array as usize];
        if index as u32 >= array.length {
            return None;
        }
        let mut offset = array.element.number + index as u32 * array.stride;
        for further in &self.indices[array.first as usize..array.end as usize] {
            let index = self.operand(view, further.operand)?;
            if index as u32 >= further.length {
                return None;
            }
            offset += index as u32 * further.stride;
        }
        let element = Operand {
            number: offset,
            ..array.element
        };
        self.operand(view, element)
    }

    /// The answer to a question about channels or the population.
    fn asked(&self, view: &View<'_>, node: &Node, channel: i32) -> Option<i32> {
        let processes = view.shape.processes.len();
        match node.operator {
            Operator::Youngest => return Some(i32::from(view.process + 1 == processes)),
            Operator::ProcessCount => return Some(processes as i32),
            _ => {}
        }
        if node.operator == Operator::CanReceive {
            let slot = self.slot(view, ReceiveId(node.right.number), channel)?;
            return Some(i32::from(slot.is_some()));
        }
        let (described, entry) = self.channel(view, channel)?;
        let length = described.length(view.state, entry);
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
    fn channel(&self, view: &View<'_>, number: i32) -> Option<(&FlatChannel, ChannelEntry)> {
        if view.is_midway {
            return None;
        }
        let index = usize::try_from(number.wrapping_sub(1)).ok()?;
        let entry = *view.shape.channels.get(index)?;
        Some((&self.channels[entry.channel_type.index()], entry))
    }

    /// Writes a value, truncated, to a place. Says whether it could; if not, nothing has changed.
    #[inline]
    pub fn store(
        &self,
        state: &mut [u8],
        (frame, process, shape): (usize, usize, &Shape),
        place: PlaceId,
        value: i32,
    ) -> bool {
        let place = &self.places[place.index()];
        if !place.is_known {
            return false;
        }
        let mut offset = place.offset as usize + if place.is_local { frame } else { 0 };
        for index in &self.indices[place.first as usize..place.end as usize] {
            let view = View {
                state,
                frame,
                process,
                shape,
                is_midway: false,
            };
            match self.operand(&view, index.operand) {
                Some(value) if (value as u32) < index.length => {
                    offset += value as usize * index.stride as usize;
                }
                _ => return false,
            }
        }
        let value = value as u32 & place.mask;
        match place.bytes {
            1 => state[offset] = value as u8,
            2 => state[offset..offset + 2].copy_from_slice(&(value as u16).to_le_bytes()),
            _ => state[offset..offset + 4].copy_from_slice(&value.to_le_bytes()),
        }
        true
    }
}

/// An operand that is no node.
#[inline(always)]
fn leaf(view: &View<'_>, operand: Operand) -> Option<i32> {
    let number = operand.number as usize;
    Some(match operand.source {
        Source::Constant => operand.number as i32,
        Source::SharedByte => i32::from(view.state[number]),
        Source::LocalByte => i32::from(view.state[view.frame + number]),
        Source::SharedShort => i32::from(word(view.state, number) as i16),
        Source::LocalShort => i32::from(word(view.state, view.frame + number) as i16),
        Source::SharedWord => i32::from(word(view.state, number)),
        Source::LocalWord => i32::from(word(view.state, view.frame + number)),
        Source::SharedInt => int(view.state, number),
        Source::LocalInt => int(view.state, view.frame + number),
        Source::Process => view.process as i32,
        Source::Node => return None,
    })
}

/// The value of a node without nodes below.
#[inline]
fn plain(view: &View<'_>, node: &Node) -> Option<i32> {
    let left = leaf(view, node.left)?;
    arithmetic(node.operator, left, || leaf(view, node.right))
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
        cannot_fail(self.operator) || divides && by_constant
    }
}

/// Is the value made of the values of the operands alone?
const fn is_arithmetic(operator: Operator) -> bool {
    !matches!(
        operator,
        Operator::Hard
            | Operator::Element
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
            | Operator::Remainder
            | Operator::Element
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
