//! What a kind of object says of itself.

use super::{Kind, Object, ObjectKind, Role};
use crate::history::{Order, Past, Try};
use crate::outcome::order_matters;

/// What an actor asks of an object.
#[derive(Clone, Copy, Debug)]
pub struct Call {
    /// What to do.
    pub kind: Kind,
    /// Who asks.
    pub actor: u32,
    /// Which of the ways in which it can end is taken.
    pub choice: u32,
    /// The first argument.
    pub argument: i64,
    /// The second argument.
    pub extra: i64,
}

/// What a call would be if it were performed now.
#[derive(Clone, Copy, Debug)]
pub struct Effect {
    /// What it would be to its object.
    pub past: Past,
    /// What it would be to its second object.
    pub second: Past,
    /// In how many ways it can end; at least one.
    pub choices: u32,
}

impl Call {
    /// The second argument of an operation that reads and writes a variable, if it passes nothing on
    /// to those who read it: where it does not change the value, it only looks.
    pub const QUIET: i64 = i64::MIN;
}

impl Default for Effect {
    #[inline]
    fn default() -> Effect {
        Effect {
            past: Past::default(),
            second: Past::default(),
            choices: 1,
        }
    }
}

/// What is known of a step that comes earlier than it did.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outlook {
    /// It will be the same to its objects.
    Same,
    /// What it will be follows from the value that its object has then.
    ByValue,
    /// It succeeds or not, which follows from what comes before it.
    Tries(Try),
    /// It is possible only where this would succeed: it has two objects, and a race on one says
    /// nothing of whether the other is free.
    Needs(Try),
}

/// What is told of a call besides its name and its object.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Wording {
    /// Nothing.
    Plain,
    /// Its argument.
    Argument,
    /// Its result.
    Result,
    /// Its argument, and its result as what was before.
    Before,
    /// Both arguments, and its result as what was before.
    Exchange,
    /// Whether it succeeded.
    Success,
    /// Something of its own.
    Own,
}

/// A kind of object.
pub trait Shared {
    /// What is done to an object of this kind.
    type Operation: Copy;
    /// What an object of this kind is at a time.
    type Value: Copy + PartialEq;

    /// Its name in the table of kinds.
    const KIND: ObjectKind;

    /// Whether dependency may look at its value: two operations that commute as it is now are
    /// independent there.
    const BY_VALUE: bool;

    /// The operation that a call asks for; none if it asks for something else.
    fn operation(call: &Call, object: &Object) -> Option<Self::Operation>;

    /// The value of an object.
    fn value(object: &Object) -> Self::Value;

    /// Gives an object a value.
    fn put(object: &mut Object, value: Self::Value);

    /// Performs an operation: what it tells, and the value after it; nothing where it has to wait.
    /// What never changes is read from the object, all else from the value.
    fn perform(
        operation: Self::Operation,
        object: &Object,
        value: Self::Value,
    ) -> Option<(Option<i64>, Self::Value)>;

    /// What an operation would be to the others on the object; `refined` if dependency looks at
    /// values as far as these are the same in all executions of a class.
    fn past(operation: Self::Operation, object: &Object, refined: bool) -> Past;

    /// How two operations that have been performed, in this order, are ordered.
    fn order(first: &Past, second: &Past) -> Order;

    /// In how many ways an operation can end.
    #[inline]
    fn choices(_operation: Self::Operation, _object: &Object) -> u32 {
        1
    }

    /// What is known of a call that comes earlier than it did, and was this to its object.
    fn outlook(_kind: Kind, _role: Role) -> Outlook {
        Outlook::Same
    }

    /// What a call that waits will be to its object when it is possible, if it would be this now.
    /// Nothing if it awaits one certain event.
    fn wish(_kind: Kind, _role: Role) -> Option<Role> {
        None
    }

    /// Whether a call is possible only after one certain event, in every interleaving.
    fn awaits(_kind: Kind) -> bool {
        false
    }

    /// Whether that is the event of this kind that told this and was this to the object.
    fn is_cause(_call: &Call, _kind: Kind, _told: i64, _past: &Past) -> bool {
        false
    }

    /// Whether a call is possible now.
    #[inline(always)]
    fn is_possible(call: &Call, object: &Object) -> bool {
        Self::operation(call, object)
            .is_none_or(|operation| Self::perform(operation, object, Self::value(object)).is_some())
    }

    /// What a call would be now.
    #[inline(always)]
    fn look(call: &Call, object: &Object, refined: bool, effect: &mut Effect) {
        if let Some(operation) = Self::operation(call, object) {
            effect.past = Self::past(operation, object, refined);
            effect.choices = Self::choices(operation, object);
        }
    }

    /// What a call would be now to an object that is its second.
    #[inline]
    fn role_beside(call: &Call, object: &Object) -> Role {
        Self::operation(call, object).map_or(Role::None, |operation| {
            Self::past(operation, object, false).role
        })
    }

    /// Performs a call: what it tells. One that would have to wait does nothing.
    #[inline(always)]
    fn perform_on(call: &Call, object: &mut Object) -> Option<i64> {
        let operation = Self::operation(call, object)?;
        let before = Self::value(object);
        let (told, value) = Self::perform(operation, object, before)?;
        object.version = object.version.wrapping_add(u32::from(before != value));
        Self::put(object, value);
        told
    }

    /// Whether the order of two calls does not matter as the object is now.
    fn commute_now(a: &Call, b: &Call, object: &Object) -> bool {
        let operations = Self::operation(a, object).zip(Self::operation(b, object));
        Self::BY_VALUE
            && operations.is_some_and(|(a, b)| {
                let perform = |operation, value| Self::perform(operation, object, value);
                !order_matters(perform, a, b, Self::value(object))
            })
    }
}
