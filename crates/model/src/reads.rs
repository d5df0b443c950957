//! What guards read, and what a step has changed.
//!
//! A step changes few bytes, and most processes neither own them nor look at them. Their steps are the
//! same before and after. Both what is read and what is changed are sets of shared variables and
//! channels, larger than the truth where that is simpler.

use crate::expression::Expression;
use crate::instruction::Field;
use crate::program::{Base, ExpressionId, Location, PlaceId, Program, ReceiveId};
use crate::shape::{Owner, Shape};

/// A set of what does not belong to the process that asks: a bit for some of the bytes of shared variables,
/// one for all channels, and one for anything else.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Reads(u64);

const SHARED_BITS: u32 = 62;
const CHANNELS: u64 = 1 << SHARED_BITS;
const ANYTHING: u64 = 1 << (SHARED_BITS + 1);

impl Reads {
    /// What the guards of a location read.
    pub fn of_location(program: &Program, location: &Location) -> Reads {
        let transitions = location.transitions.start as usize..location.transitions.end as usize;
        let guards = program.transitions[transitions].iter().map(|t| t.guard);
        Reads(guards.fold(0, |all, guard| all | of_expression(program, guard)))
    }
}

fn shared_bit(offset: u32) -> u64 {
    1 << (offset % SHARED_BITS)
}

fn of_expression(program: &Program, expression: ExpressionId) -> u64 {
    let of = |expression| of_expression(program, expression);
    match program.expressions[expression.index()] {
        // A population is the same in both states.
        Expression::Constant(_)
        | Expression::SelfProcess
        | Expression::ProcessCount
        | Expression::Youngest => 0,
        Expression::Load(place) => of_place(program, place),
        Expression::Unary(_, operand) => of(operand),
        Expression::Binary(_, left, right)
        | Expression::And(left, right)
        | Expression::Or(left, right) => of(left) | of(right),
        Expression::Conditional(condition, yes, no) => of(condition) | of(yes) | of(no),
        Expression::Channel(_, channel) => of(channel) | CHANNELS,
        Expression::CanReceive(receive) => of_receive(program, receive),
        Expression::LastProcess
        | Expression::Timeout
        | Expression::NoProgress
        | Expression::Enabled(_)
        | Expression::LocationOf(_)
        | Expression::PriorityOf(_)
        | Expression::At { .. }
        | Expression::Marked { .. } => ANYTHING,
    }
}

fn of_receive(program: &Program, receive: ReceiveId) -> u64 {
    let receive = &program.receives[receive.index()];
    let fields = &program.fields[receive.fields.start as usize..receive.fields.end as usize];
    let matched = fields.iter().map(|field| match field {
        Field::Match(expression) => of_expression(program, *expression),
        Field::Bind(_) | Field::Discard => 0,
    });
    matched.fold(
        CHANNELS | of_expression(program, receive.channel),
        |all, one| all | one,
    )
}

/// The variable, all elements of it if it is an array, and what the indices read.
fn of_place(program: &Program, place: PlaceId) -> u64 {
    let place = &program.places[place.index()];
    let indices = &program.indices[place.indices.start as usize..place.indices.end as usize];
    let last = indices
        .iter()
        .map(|index| index.length.saturating_sub(1) * index.stride);
    let bytes = place.offset..place.offset + last.sum::<u32>() + place.kind.bytes();
    let own = match place.base {
        Base::Local => 0,
        Base::Shared => bytes.fold(0, |all, offset| all | shared_bit(offset)),
        Base::Hidden | Base::Remote(..) => ANYTHING,
    };
    let read = indices
        .iter()
        .map(|index| of_expression(program, index.expression));
    read.fold(own, |all, one| all | one)
}

const WORD: usize = 8;

fn word(bytes: &[u8]) -> u64 {
    bytes.try_into().map_or(0, u64::from_le_bytes)
}

/// How two states of the same shape differ.
pub(crate) struct Difference {
    /// The processes whose frames differ.
    processes: u64,
    /// What else differs.
    others: u64,
}

impl Difference {
    pub const MOST_PROCESSES: usize = 64;

    /// The difference of two states of a shape that has not too many processes.
    #[inline]
    pub fn new(shape: &Shape, a: &[u8], b: &[u8]) -> Difference {
        let mut difference = Difference {
            processes: 0,
            others: ANYTHING,
        };
        let (words, others) = (a.chunks_exact(WORD), b.chunks_exact(WORD));
        let rest = (words.remainder(), others.remainder());
        for (number, (a, b)) in words.zip(others).enumerate() {
            let mut differing = word(a) ^ word(b);
            while differing != 0 {
                let byte = differing.trailing_zeros() / 8;
                differing &= !(0xff << (8 * byte));
                difference.add(shape.owner(number * WORD + byte as usize));
            }
        }
        let first = a.len() - rest.0.len();
        for (number, (a, b)) in rest.0.iter().zip(rest.1).enumerate() {
            if a != b {
                difference.add(shape.owner(first + number));
            }
        }
        difference
    }

    #[inline]
    fn add(&mut self, owner: Owner) {
        match owner {
            Owner::Process(process) => self.processes |= 1 << process,
            Owner::Shared(offset) => self.others |= shared_bit(offset),
            Owner::Channel => self.others |= CHANNELS,
            // What reads the header or a hidden variable reads anything.
            Owner::Nobody => {}
        }
    }

    /// Can it make a difference for a process whose guards read that?
    #[inline]
    pub fn concerns(&self, process: usize, reads: Reads) -> bool {
        self.processes >> process & 1 != 0 || self.others & reads.0 != 0
    }
}
