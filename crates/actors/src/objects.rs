//! The objects that `std` does not have: shared variables, semaphores, queues of numbers; and
//! the choice.

use mazurka_runtime::clocks::Order;
use mazurka_runtime::{Kind, Object, ObjectId, ObjectKind, Operation};

use crate::coroutine::{make, name_object, perform, text, with_kernel};

/// An object of this kind, all else zero.
pub(crate) fn blank(kind: ObjectKind) -> Object {
    Object {
        kind,
        senders: Object::UNCOUNTED,
        ..Object::default()
    }
}

/// A number from 0 up to, not including, `choices`; all are explored.
#[track_caller]
pub fn toss(choices: u32) -> u32 {
    perform(Operation::new(Kind::TOSS).with(choices.max(1).into())) as u32
}

/// Asserts something; if it is false, the execution is a violation, and goes on if others are
/// looked for.
#[track_caller]
pub fn check(holds: bool, message: &str) {
    let extra = if holds { 0 } else { text(message).into() };
    perform(Operation::new(Kind::ASSERT).with(holds.into()).and(extra));
}

/// A shared variable.
#[derive(Debug)]
pub struct Variable(ObjectId);

impl Variable {
    /// A variable with this value.
    #[track_caller]
    pub fn new(value: i64) -> Variable {
        Variable(make(Object {
            value,
            ..blank(ObjectKind::VARIABLE)
        }))
    }

    /// The same with a name.
    #[track_caller]
    pub fn named(name: &str, value: i64) -> Variable {
        let variable = Variable::new(value);
        name_object(variable.0, name);
        variable
    }

    /// Its value.
    #[track_caller]
    pub fn read(&self) -> i64 {
        perform(self.on(Kind::READ))
    }

    /// Gives it a value.
    #[track_caller]
    pub fn write(&self, value: i64) {
        perform(self.on(Kind::WRITE).with(value));
    }

    /// Adds to it, without looking: additions commute.
    #[track_caller]
    pub fn add(&self, value: i64) {
        perform(self.on(Kind::ADD).with(value));
    }

    /// Adds to it and tells the value before.
    #[track_caller]
    pub fn fetch_add(&self, value: i64) -> i64 {
        perform(self.on(Kind::FETCH_ADD).with(value))
    }

    /// Gives it a value and tells the one before.
    #[track_caller]
    pub fn swap(&self, value: i64) -> i64 {
        perform(self.on(Kind::SWAP).with(value))
    }

    /// Replaces one value by another, if it has the first; tells the value before.
    #[track_caller]
    pub fn compare_exchange(&self, expected: i64, new: i64) -> i64 {
        perform(self.on(Kind::COMPARE_EXCHANGE).with(expected).and(new))
    }

    /// The variable that is this object.
    pub(crate) fn at(id: ObjectId) -> Variable {
        Variable(id)
    }

    /// Whoever reads it knows what its writer knew.
    fn on(&self, kind: Kind) -> Operation {
        Operation::on(kind, self.0).ordered(Order::SEQUENTIAL, Order::SEQUENTIAL)
    }
}

/// A counting semaphore.
#[derive(Debug)]
pub struct Semaphore(ObjectId);

impl Semaphore {
    /// A semaphore with this count.
    #[track_caller]
    pub fn new(count: u32) -> Semaphore {
        Semaphore(make(Object {
            value: count.into(),
            ..blank(ObjectKind::SEMAPHORE)
        }))
    }

    /// Dijkstra's P.
    #[track_caller]
    pub fn take(&self) {
        perform(Operation::on(Kind::TAKE, self.0));
    }

    /// P, if it need not wait; tells whether it was done.
    #[track_caller]
    pub fn try_take(&self) -> bool {
        perform(Operation::on(Kind::TRY_TAKE, self.0)) != 0
    }

    /// Dijkstra's V.
    #[track_caller]
    pub fn release(&self) {
        perform(Operation::on(Kind::RELEASE, self.0));
    }
}

/// A bounded queue of numbers that anybody may send to and receive from.
#[derive(Debug)]
pub struct Queue(ObjectId);

impl Queue {
    /// An empty queue.
    ///
    /// # Panics
    ///
    /// If the capacity is zero.
    #[track_caller]
    pub fn new(capacity: u32) -> Queue {
        assert!(capacity > 0, "a queue holds at least one message");
        Queue(make(Object {
            bound: capacity,
            width: 1,
            ..blank(ObjectKind::QUEUE)
        }))
    }

    /// Appends a message, when there is room.
    #[track_caller]
    pub fn send(&self, message: i64) {
        perform(Operation::on(Kind::SEND, self.0).with(message));
    }

    /// Appends a message if there is room; tells whether it was done.
    #[track_caller]
    pub fn try_send(&self, message: i64) -> bool {
        perform(Operation::on(Kind::TRY_SEND, self.0).with(message)) != 0
    }

    /// Takes the first message, when there is one.
    #[track_caller]
    pub fn receive(&self) -> i64 {
        let number = perform(Operation::on(Kind::RECEIVE, self.0));
        self.message(number).unwrap_or_default()
    }

    /// Takes the first message if there is one.
    #[track_caller]
    pub fn try_receive(&self) -> Option<i64> {
        let number = perform(Operation::on(Kind::TRY_RECEIVE, self.0));
        self.message(number)
    }

    /// How many messages there are.
    #[track_caller]
    pub fn length(&self) -> usize {
        perform(Operation::on(Kind::LENGTH, self.0)) as usize
    }

    fn message(&self, number: i64) -> Option<i64> {
        let number = u32::try_from(number - 1).ok()?;
        with_kernel(|kernel| {
            kernel
                .message(self.0, number)
                .first()
                .map(|&word| word as i64)
        })
    }
}
