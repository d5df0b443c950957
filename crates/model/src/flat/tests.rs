//! Flat code against the definition: random expressions, places and states.

use std::cell::Cell;

use super::Flat;
use crate::evaluate::{Environment, Midway, address, evaluate};
use crate::expression::{BinaryOperator, ChannelTest, Expression, UnaryOperator};
use crate::instruction::{Field, Receive};
use crate::kind::Kind;
use crate::program::{
    Base, ChannelType, ChannelTypeId, ExpressionId, Index, Meaning, MessageField, Place, PlaceId,
    Program, ReceiveId,
};
use crate::quick::Quick;
use crate::shape::Shapes;

const SHARED_BYTES: u32 = 60;
/// The frame of the process that asks lies in the middle of the shared variables.
const FRAME: usize = 30;

struct Random(u64);

impl Random {
    fn below(&mut self, end: u32) -> u32 {
        self.0 = self
            .0
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        ((self.0 >> 33) % u64::from(end)) as u32
    }

    fn of<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len() as u32) as usize]
    }

    fn kind(&mut self) -> Kind {
        let bits = 1 + self.below(32) as u8;
        self.of(&[
            Kind::Bit,
            Kind::Byte,
            Kind::Short,
            Kind::Int,
            Kind::Unsigned(bits),
        ])
    }
}

fn channel_type(capacity: u32, kinds: &[Kind]) -> ChannelType {
    let mut offset = 0;
    let fields = kinds.iter().map(|kind| {
        offset += kind.bytes();
        MessageField {
            kind: *kind,
            offset: offset - kind.bytes(),
            meaning: Meaning::Number,
        }
    });
    ChannelType {
        name: String::new(),
        capacity,
        fields: fields.collect(),
        message_bytes: offset,
        forms: Vec::new(),
    }
}

fn place(random: &mut Random, program: &mut Program) -> PlaceId {
    let kind = random.kind();
    let known = program.expressions.len() as u32;
    let first = program.indices.len() as u32;
    let dimensions = if known == 0 {
        0
    } else {
        random.of(&[0, 0, 1, 1, 2])
    };
    for _ in 0..dimensions {
        program.indices.push(Index {
            expression: ExpressionId(random.below(known)),
            length: 1 + random.below(3),
            stride: kind.bytes(),
        });
    }
    let base = random.of(&[Base::Shared, Base::Shared, Base::Local, Base::Hidden]);
    program.places.push(Place {
        base,
        offset: match base {
            Base::Hidden => random.below(2),
            _ => random.below(10),
        },
        kind,
        indices: first..program.indices.len() as u32,
    });
    PlaceId(program.places.len() as u32 - 1)
}

fn receive(random: &mut Random, program: &mut Program, below: u32) -> ReceiveId {
    let first = program.fields.len() as u32;
    for _ in 0..random.of(&[1, 2, 2, 2, 3]) {
        let field = match random.below(3) {
            0 => Field::Discard,
            _ => Field::Match(ExpressionId(random.below(below))),
        };
        program.fields.push(field);
    }
    program.receives.push(Receive {
        channel: ExpressionId(random.below(below)),
        fields: first..program.fields.len() as u32,
        random: random.below(2) == 0,
        keep: random.below(3) == 0,
    });
    ReceiveId(program.receives.len() as u32 - 1)
}

fn expression(random: &mut Random, program: &mut Program) -> Expression {
    let known = program.expressions.len() as u32;
    let constant = [0, 1, 2, 3, 4, -1, 255, 65_536, i32::MAX, i32::MIN];
    if known < 4 {
        return Expression::Constant(known as i32);
    }
    let one = |random: &mut Random| ExpressionId(random.below(known));
    match random.below(16) {
        0 => Expression::Constant(random.of(&constant)),
        1..=4 => Expression::Load(place(random, program)),
        5 => {
            let operator = random.of(&[
                UnaryOperator::Not,
                UnaryOperator::Negate,
                UnaryOperator::Complement,
            ]);
            Expression::Unary(operator, one(random))
        }
        6..=9 => {
            let operator = random.of(&[
                BinaryOperator::Add,
                BinaryOperator::Subtract,
                BinaryOperator::Multiply,
                BinaryOperator::Divide,
                BinaryOperator::AddExactly,
                BinaryOperator::SubtractExactly,
                BinaryOperator::MultiplyExactly,
                BinaryOperator::DivideExactly,
                BinaryOperator::Remainder,
                BinaryOperator::BitAnd,
                BinaryOperator::BitOr,
                BinaryOperator::BitXor,
                BinaryOperator::ShiftLeft,
                BinaryOperator::ShiftRight,
                BinaryOperator::Equal,
                BinaryOperator::NotEqual,
                BinaryOperator::Less,
                BinaryOperator::LessEqual,
                BinaryOperator::Greater,
                BinaryOperator::GreaterEqual,
            ]);
            Expression::Binary(operator, one(random), one(random))
        }
        10 => Expression::And(one(random), one(random)),
        11 => Expression::Or(one(random), one(random)),
        12 => {
            let test = random.of(&[
                ChannelTest::Length,
                ChannelTest::Empty,
                ChannelTest::NotEmpty,
                ChannelTest::Full,
                ChannelTest::NotFull,
            ]);
            Expression::Channel(test, one(random))
        }
        13 => Expression::CanReceive(receive(random, program, known)),
        14 => Expression::Conditional(one(random), one(random), one(random)),
        _ => random.of(&[
            Expression::SelfProcess,
            Expression::ProcessCount,
            Expression::Youngest,
            Expression::Timeout,
        ]),
    }
}

#[test]
fn flat_code_says_what_the_definition_says() {
    let (mut answered, mut faults) = (0, 0);
    for seed in 0..3000 {
        let random = &mut Random(seed);
        let kinds = [random.kind(), random.kind()];
        let mut program = Program {
            shared_bytes: SHARED_BYTES,
            hidden_bytes: 40,
            channel_types: vec![
                channel_type(2, &kinds),
                channel_type(0, &kinds),
                channel_type(300, &kinds),
            ],
            ..Program::default()
        };
        for _ in 0..40 {
            let expression = expression(random, &mut program);
            program.expressions.push(expression);
        }
        for _ in 0..5 {
            place(random, &mut program);
        }
        let shapes = Shapes::new(&program);
        let mut shape = shapes.empty();
        for number in 0..3 {
            let grown = shapes.with_channel(shape, ChannelTypeId(number));
            shape = grown.unwrap_or_else(|limit| panic!("{limit:?}"));
        }
        let shape = shapes.get(shape);
        let quick = Quick::new(&program);
        let plain = Quick {
            flat: Flat::nothing(&program),
            ..Quick::new(&program)
        };
        for _ in 0..4 {
            let bytes = shape.visible_bytes + program.hidden_bytes;
            let small = random.below(2) == 0;
            let byte = |random: &mut Random| random.below(if small { 4 } else { 256 }) as u8;
            let mut state: Vec<u8> = (0..bytes).map(|_| byte(random)).collect();
            for entry in &shape.channels {
                let channel_type = &program.channel_types[entry.channel_type.index()];
                if channel_type.capacity > 0 {
                    let length = random.below(3) as i32;
                    let kind = channel_type.length_kind();
                    kind.write(&mut state, entry.offset as usize, length);
                }
            }
            let midway = Midway {
                sender: 0,
                location: 0,
                channel: 1 + random.below(3) as i32,
            };
            let (fault, other) = (Cell::new(None), Cell::new(None));
            let env = Environment {
                program: &program,
                quick: &quick,
                shape,
                state: &state,
                process: 2,
                frame: FRAME,
                timeout: random.below(2) == 0,
                midway: (random.below(4) == 0).then_some(&midway),
                asked: 0,
                fault: &fault,
            };
            let defined = Environment {
                quick: &plain,
                fault: &other,
                ..env
            };
            for number in 0..program.expressions.len() as u32 {
                let number = ExpressionId(number);
                let flat = quick.flat.value(env.state, &env.seat(), number);
                let value = evaluate(&defined, number);
                let expression = &program.expressions[number.index()];
                if let Some(flat) = flat {
                    assert_eq!((flat, None), (value, other.get()), "{seed}: {expression:?}");
                    answered += 1;
                }
                assert_eq!(evaluate(&env, number), value, "{seed}: {expression:?}");
                assert_eq!(fault.take(), other.get(), "{seed}: {expression:?}");
                if quick.flat.is_sure(number) && env.midway.is_none() {
                    assert!(flat.is_some(), "{seed}: {expression:?}");
                }
                faults += u32::from(other.take().is_some());
            }
            // Nothing is written between the halves of a rendezvous.
            let defined = Environment {
                midway: None,
                ..defined
            };
            for (number, place) in program.places.iter().enumerate() {
                let number = PlaceId(number as u32);
                let value = random.below(u32::MAX) as i32;
                let mut written = state.clone();
                let seat = defined.seat();
                let at = address(&defined, place);
                if quick.flat.store(&mut written, &seat, number, value) {
                    let mut expected = state.clone();
                    let at = at.unwrap_or_else(|| panic!("{seed}: {place:?}"));
                    place.kind.write(&mut expected, at, value);
                    let is_same = written == expected && other.take().is_none();
                    assert!(is_same, "{seed}: {place:?}");
                    answered += 1;
                } else {
                    assert_eq!(written, state);
                    assert!(quick.flat.fixed(number).is_none());
                }
                other.take();
            }
        }
    }
    assert!(answered > 100_000 && faults > 1_000, "{answered}, {faults}");
}
