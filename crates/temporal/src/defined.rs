//! Conditions that have no value.
//!
//! A condition divides by zero, indexes an array out of range, asks about a channel that is gone, or refers to a process of
//! another type: then it is neither true nor false. What that means is said here, once.
//!
//! - A **formula** holds if each of its atoms has a value in every reachable state that a claim sees, and the formula is true of every
//!   execution. An atom without a value in such a state is an error of the property, whatever the formula says about
//!   that atom there, and whatever automaton is made of it. A counterexample is an execution on which every atom has a
//!   value everywhere.
//! - A **claim** written by hand is a program, and asks for what it says: the conditions of the transitions that leave its present state, all of them. One
//!   without a value is an error.
//!
//! So the product asks, for a formula, in every state for all atoms that may lack a value, not only for those that the automaton needs. An automaton may
//! give up a whole execution, and then nothing is asked there any more: what it did not come to is looked through for the atoms alone ([`watcher`]).

use mazurka_model::{
    Base, BinaryOperator, Claim, ClaimState, ClaimTransition, Expression, ExpressionId, Field,
    Interpreter, PlaceId, Program,
};
use mazurka_reduce::is_never_written;

/// Which conditions may have no value in some state, as bits. Those that certainly have one are not among them; some that
/// always have one may be.
pub fn fallible(interpreter: &Interpreter, conditions: &[ExpressionId]) -> u64 {
    let mut initial = Vec::new();
    let started = interpreter.initial(&mut initial, &mut ()).is_ok();
    let weighing = Weighing {
        interpreter,
        program: interpreter.program(),
        initial: started.then_some(&initial),
    };
    let numbered = conditions.iter().enumerate();
    let fallible = numbered.filter(|(_, condition)| weighing.may_fail(**condition));
    fallible.fold(0, |bits, (bit, _)| bits | 1 << bit)
}

/// A claim that asks for some conditions in every reachable state, and for nothing else.
pub fn watcher(name: &str, conditions: Vec<ExpressionId>) -> Claim {
    let stay = ClaimTransition {
        positive: 0,
        negative: 0,
        assertion: None,
        target: 0,
    };
    Claim {
        name: name.into(),
        conditions,
        states: vec![ClaimState {
            accepting: false,
            violated: false,
            transitions: vec![stay],
        }],
        sees_inside: false,
    }
}

/// Does a claim follow every execution to its end, unless it is violated? Then no reachable state escapes it.
pub fn follows_everything(claim: &Claim) -> bool {
    let stays = |transition: &ClaimTransition| {
        transition.positive | transition.negative == 0 && transition.target == 0
    };
    claim.states[0].transitions.iter().any(stays)
}

struct Weighing<'i> {
    interpreter: &'i Interpreter,
    program: &'i Program,
    initial: Option<&'i Vec<u8>>,
}

impl Weighing<'_> {
    fn may_fail(&self, id: ExpressionId) -> bool {
        match self.program.expressions[id.index()] {
            Expression::Constant(_)
            | Expression::SelfProcess
            | Expression::ProcessCount
            | Expression::LastProcess
            | Expression::Youngest
            | Expression::Timeout
            | Expression::NoProgress => false,
            Expression::Load(place) => self.place_may_fail(place),
            Expression::Unary(_, operand)
            | Expression::LocationOf(operand)
            | Expression::PriorityOf(operand)
            | Expression::Marked {
                process: operand, ..
            } => self.may_fail(operand),
            Expression::At { process, .. } => process.is_some_and(|process| self.may_fail(process)),
            Expression::Binary(operator, left, right) => {
                let divides =
                    matches!(operator, BinaryOperator::Divide | BinaryOperator::Remainder);
                divides && self.settled(right).is_none_or(|divisor| divisor == 0)
                    || self.may_fail(left)
                    || self.may_fail(right)
            }
            Expression::And(left, right) | Expression::Or(left, right) => {
                self.may_fail(left) || self.may_fail(right)
            }
            Expression::Conditional(condition, yes, no) => {
                self.may_fail(condition) || self.may_fail(yes) || self.may_fail(no)
            }
            Expression::Channel(_, channel) => self.fields_of(channel).is_none(),
            Expression::CanReceive(receive) => {
                let receive = &self.program.receives[receive.index()];
                let fields = receive.fields.start as usize..receive.fields.end as usize;
                let matched_may_fail = |field: &Field| match field {
                    Field::Match(value) => self.may_fail(*value),
                    Field::Bind(_) | Field::Discard => false,
                };
                self.fields_of(receive.channel) != Some((false, fields.len()))
                    || self.program.fields[fields].iter().any(matched_may_fail)
            }
            Expression::Enabled(_) => true,
        }
    }

    fn place_may_fail(&self, place: PlaceId) -> bool {
        let place = &self.program.places[place.index()];
        let indices = place.indices.start as usize..place.indices.end as usize;
        matches!(place.base, Base::Remote(_, Some(_)))
            || self.program.indices[indices].iter().any(|index| {
                let value = self.settled(index.expression);
                value.is_none_or(|value| value < 0 || value as u32 >= index.length)
            })
    }

    /// The value of an expression that is the same in every state.
    fn settled(&self, id: ExpressionId) -> Option<i32> {
        self.is_settled(id).then_some(())?;
        let nobody = usize::MAX;
        self.interpreter.value(self.initial?, nobody, id).ok()
    }

    fn is_settled(&self, id: ExpressionId) -> bool {
        match self.program.expressions[id.index()] {
            Expression::Constant(_) => true,
            Expression::Unary(_, operand) => self.is_settled(operand),
            Expression::Binary(_, left, right) => self.is_settled(left) && self.is_settled(right),
            Expression::Load(place) => {
                let described = &self.program.places[place.index()];
                let indices = described.indices.start as usize..described.indices.end as usize;
                is_never_written(self.program, place)
                    && self.program.indices[indices]
                        .iter()
                        .all(|index| self.is_settled(index.expression))
            }
            _ => false,
        }
    }

    /// Whether the channel that an expression always means is a rendezvous, and how many fields its messages have. A channel that a
    /// shared variable has named since the start lasts for ever.
    fn fields_of(&self, channel: ExpressionId) -> Option<(bool, usize)> {
        let number = self.settled(channel)?;
        let index = usize::try_from(number.checked_sub(1)?).ok()?;
        let entry = self.interpreter.shape(self.initial?).channels.get(index)?;
        let channel_type = &self.program.channel_types[entry.channel_type.index()];
        Some((channel_type.capacity == 0, channel_type.fields.len()))
    }
}
