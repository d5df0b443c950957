//! From a program to flat code.

use super::receive::{FlatReceive, Layout};
use super::{Array, Flat, FlatChannel, FlatPlace, Index, Node, Operand, Operator, Source, Target};
use crate::expression::{BinaryOperator, ChannelTest, Expression, UnaryOperator};
use crate::instruction::{Field, Receive};
use crate::kind::Kind;
use crate::program::{Base, ExpressionId, Place, Program};
use crate::shape::HEADER_BYTES;

const NOTHING: Operand = Operand {
    source: Source::Constant,
    number: 0,
};
const HARD: Node = Node::new(Operator::Hard, NOTHING, NOTHING);

pub(super) fn compile(program: &Program) -> Flat {
    let channel = |described: &crate::program::ChannelType| FlatChannel {
        capacity: described.capacity,
        length_kind: described.length_kind(),
    };
    let layout = |described: &crate::program::ChannelType| Layout {
        message_bytes: described.message_bytes,
        fields: (described.fields.iter())
            .map(|field| (field.offset, field.kind))
            .collect(),
    };
    let mut compiler = Compiler {
        program,
        flat: Flat {
            nodes: Vec::with_capacity(program.expressions.len()),
            places: Vec::with_capacity(program.places.len()),
            arrays: Vec::new(),
            indices: Vec::new(),
            receives: vec![FlatReceive::UNKNOWN; program.receives.len()],
            matches: Vec::new(),
            channels: program.channel_types.iter().map(channel).collect(),
            layouts: program.channel_types.iter().map(layout).collect(),
        },
    };
    for expression in &program.expressions {
        let node = compiler.node(*expression).unwrap_or(HARD);
        let node = compiler.folded(node);
        compiler.flat.nodes.push(node);
    }
    for place in &program.places {
        let place = compiler.place(place).unwrap_or(FlatPlace {
            is_known: false,
            target: Target {
                is_local: false,
                bytes: 0,
                mask: 0,
                offset: 0,
            },
            first: 0,
            end: 0,
        });
        compiler.flat.places.push(place);
    }
    for (number, receive) in program.receives.iter().enumerate() {
        if !compiler.flat.receives[number].is_known
            && let Some(known) = compiler.receive(receive)
        {
            compiler.flat.receives[number] = known;
        }
    }
    compiler.flat
}

struct Compiler<'p> {
    program: &'p Program,
    flat: Flat,
}

impl Compiler<'_> {
    /// Flat code for an expression. Whatever stands below it has a smaller number in all that front ends make; the rest is left to
    /// the definition.
    fn node(&mut self, expression: Expression) -> Option<Node> {
        let unary = |operator, left| Node::new(operator, left, NOTHING);
        Some(match expression {
            Expression::Constant(value) => unary(Operator::Same, constant(value)),
            Expression::SelfProcess => {
                let source = Source::Process;
                unary(Operator::Same, Operand { source, number: 0 })
            }
            Expression::Load(place) => {
                let place = &self.program.places[place.index()];
                let element = field(place)?;
                match self.indices(place)?.split_first() {
                    None => unary(Operator::Same, element),
                    Some((first, further)) => {
                        unary(Operator::Same, self.array(element, first, further))
                    }
                }
            }
            Expression::Unary(operator, of) => {
                let operator = match operator {
                    UnaryOperator::Not => Operator::Not,
                    UnaryOperator::Negate => Operator::Negate,
                    UnaryOperator::Complement => Operator::Complement,
                };
                unary(operator, self.operand(of)?)
            }
            Expression::Binary(operator, left, right) => {
                Node::new(binary(operator), self.operand(left)?, self.operand(right)?)
            }
            Expression::And(left, right) => {
                Node::new(Operator::And, self.operand(left)?, self.operand(right)?)
            }
            Expression::Or(left, right) => {
                Node::new(Operator::Or, self.operand(left)?, self.operand(right)?)
            }
            Expression::Channel(test, channel) => {
                let operator = match test {
                    ChannelTest::Length => Operator::Length,
                    ChannelTest::Empty => Operator::Empty,
                    ChannelTest::NotEmpty => Operator::NotEmpty,
                    ChannelTest::Full => Operator::Full,
                    ChannelTest::NotFull => Operator::NotFull,
                };
                unary(operator, self.operand(channel)?)
            }
            Expression::CanReceive(receive) => {
                let described = &self.program.receives[receive.index()];
                let channel = self.operand(described.channel)?;
                let known = self.receive(described)?;
                self.flat.receives[receive.index()] = known;
                let number = Operand {
                    source: Source::Constant,
                    number: receive.0,
                };
                Node::new(Operator::CanReceive, channel, number)
            }
            Expression::Youngest => unary(Operator::Youngest, NOTHING),
            Expression::ProcessCount => unary(Operator::ProcessCount, NOTHING),
            Expression::Conditional(..)
            | Expression::LastProcess
            | Expression::Timeout
            | Expression::NoProgress
            | Expression::Enabled(_)
            | Expression::LocationOf(_)
            | Expression::PriorityOf(_)
            | Expression::At { .. }
            | Expression::Marked { .. } => return None,
        })
    }

    /// A node whose operands are constants is a constant.
    fn folded(&self, node: Node) -> Node {
        let is_constant = node.left.source == Source::Constant
            && node.right.source == Source::Constant
            && super::cannot_fail(node.operator)
            && !matches!(node.operator, Operator::Youngest | Operator::ProcessCount);
        let value = is_constant.then(|| {
            super::arithmetic(node.operator, node.left.number as i32, || {
                Some(node.right.number as i32)
            })
        });
        match value.flatten() {
            Some(value) => Node::new(Operator::Same, constant(value), NOTHING),
            None => node,
        }
    }

    fn operand(&self, expression: ExpressionId) -> Option<Operand> {
        // None if it comes later.
        let node = self.flat.nodes.get(expression.index())?;
        match node.operator {
            Operator::Hard => None,
            Operator::Same => Some(node.left),
            _ => Some(Operand {
                source: Source::Node,
                number: expression.0,
            }),
        }
    }

    fn indices(&self, place: &Place) -> Option<Vec<Index>> {
        let range = place.indices.start as usize..place.indices.end as usize;
        let index = |index: &crate::program::Index| {
            Some(Index {
                operand: self.operand(index.expression)?,
                length: index.length,
                stride: index.stride,
            })
        };
        self.program.indices[range].iter().map(index).collect()
    }

    fn array(&mut self, element: Operand, index: &Index, further: &[Index]) -> Operand {
        let first = self.flat.indices.len() as u32;
        self.flat.indices.extend_from_slice(further);
        self.flat.arrays.push(Array {
            element,
            index: index.operand,
            length: index.length,
            stride: index.stride,
            first,
            end: self.flat.indices.len() as u32,
        });
        Operand {
            source: Source::Element,
            number: self.flat.arrays.len() as u32 - 1,
        }
    }

    fn place(&mut self, place: &Place) -> Option<FlatPlace> {
        let at = field(place)?;
        let indices = self.indices(place)?;
        let first = self.flat.indices.len() as u32;
        self.flat.indices.extend_from_slice(&indices);
        let mask = match place.kind {
            Kind::Bit => 1,
            Kind::Byte => 0xff,
            Kind::Short => 0xffff,
            Kind::Unsigned(bits) if bits < 32 => (1 << bits) - 1,
            Kind::Int | Kind::Unsigned(_) => u32::MAX,
        };
        Some(FlatPlace {
            is_known: true,
            target: Target {
                is_local: place.base == Base::Local,
                bytes: place.kind.bytes() as u8,
                mask,
                offset: at.number,
            },
            first,
            end: self.flat.indices.len() as u32,
        })
    }

    fn receive(&mut self, receive: &Receive) -> Option<FlatReceive> {
        let first = self.flat.matches.len();
        let range = receive.fields.start as usize..receive.fields.end as usize;
        for (position, field) in self.program.fields[range].iter().enumerate() {
            if let Field::Match(expression) = field {
                let wanted = self.operand(*expression)?;
                self.flat.matches.push((position as u32, wanted));
            }
        }
        Some(FlatReceive {
            is_known: true,
            random: receive.random,
            keep: receive.keep,
            fields: receive.fields.len() as u32,
            first: first as u32,
            end: self.flat.matches.len() as u32,
        })
    }
}

fn constant(value: i32) -> Operand {
    Operand {
        source: Source::Constant,
        number: value as u32,
    }
}

/// How a place is read that is shared or local, and the offset of it or of its first element.
fn field(place: &Place) -> Option<Operand> {
    let (is_local, before) = match place.base {
        Base::Shared => (false, HEADER_BYTES),
        Base::Local => (true, 0),
        Base::Hidden | Base::Remote(..) => return None,
    };
    let (shared, local) = match (place.kind, place.kind.bytes()) {
        (_, 1) => (Source::SharedByte, Source::LocalByte),
        (Kind::Short, _) => (Source::SharedShort, Source::LocalShort),
        (_, 2) => (Source::SharedWord, Source::LocalWord),
        _ => (Source::SharedInt, Source::LocalInt),
    };
    Some(Operand {
        source: if is_local { local } else { shared },
        number: before + place.offset,
    })
}

fn binary(operator: BinaryOperator) -> Operator {
    match operator {
        BinaryOperator::Add => Operator::Add,
        BinaryOperator::Subtract => Operator::Subtract,
        BinaryOperator::Multiply => Operator::Multiply,
        BinaryOperator::Divide => Operator::Divide,
        BinaryOperator::AddExactly => Operator::AddExactly,
        BinaryOperator::SubtractExactly => Operator::SubtractExactly,
        BinaryOperator::MultiplyExactly => Operator::MultiplyExactly,
        BinaryOperator::DivideExactly => Operator::DivideExactly,
        BinaryOperator::Remainder => Operator::Remainder,
        BinaryOperator::BitAnd => Operator::BitAnd,
        BinaryOperator::BitOr => Operator::BitOr,
        BinaryOperator::BitXor => Operator::BitXor,
        BinaryOperator::ShiftLeft => Operator::ShiftLeft,
        BinaryOperator::ShiftRight => Operator::ShiftRight,
        BinaryOperator::Equal => Operator::Equal,
        BinaryOperator::NotEqual => Operator::NotEqual,
        BinaryOperator::Less => Operator::Less,
        BinaryOperator::LessEqual => Operator::LessEqual,
        BinaryOperator::Greater => Operator::Greater,
        BinaryOperator::GreaterEqual => Operator::GreaterEqual,
    }
}
