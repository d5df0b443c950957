//! Objects of real programs: every kind is one unit.
//!
//! A file of `real/` has all that there is to know of a kind of object: its operations, what they
//! do ([`Shared::perform`]), what they are to the others on the object afterwards ([`Shared::past`],
//! [`Shared::order`]), and what is known of them where another order is tried. The tables below name
//! the kinds, the [`Kind`]s of calls that actors make and the [`Role`]s that these play; from them
//! follows which file answers. Who runs programs and who explores them ask here and know no more.
//!
//! A call has one object, or two: to wait for a condition variable is to free a mutex as well. Then
//! it is one operation on each.

pub mod barrier;
pub mod cell;
pub mod condition;
pub mod mutex;
mod object;
pub mod queue;
pub mod rwlock;
pub mod semaphore;
mod shared;

pub use object::Object;
pub use shared::{Call, Effect, Outlook, Shared, Wording};

use bytemuck::Zeroable;

use crate::history::{Order, Past};

/// Declares the kinds of object with their codes, names and files.
macro_rules! objects {
    ($($(#[$doc:meta])* $constant:ident = $code:literal, $name:literal, $kind:ty;)*) => {
        impl ObjectKind {
            $($(#[$doc])* pub const $constant: ObjectKind = ObjectKind($code);)*

            /// All kinds.
            pub const ALL: &'static [ObjectKind] = &[$(ObjectKind::$constant,)*];

            /// As reports name it.
            pub fn name(self) -> &'static str {
                match self {
                    $(ObjectKind::$constant => $name,)*
                    _ => "object",
                }
            }
        }

        /// Whether two calls of different actors, both possible and each on this object alone,
        /// tell the same and leave the same in either order, here and now.
        pub fn commute_now(a: &Call, b: &Call, object: &Object) -> bool {
            match object.kind {
                $(ObjectKind::$constant => <$kind>::commute_now(a, b, object),)*
                _ => false,
            }
        }
    };
}

/// Declares the kinds of call: code, name, whether they may wait, how they are told, and the kind
/// of their object, and of their second one.
macro_rules! calls {
    (
        $($(#[$doc:meta])* $constant:ident = $code:literal, $name:literal, $waits:literal, $wording:ident
            $(, $kind:ty $(, beside $second:ty)?)?;)*
    ) => {
        impl Kind {
            $($(#[$doc])* pub const $constant: Kind = Kind($code);)*

            /// All kinds, in the order of their codes.
            pub const ALL: &'static [Kind] = &[$(Kind::$constant,)*];

            /// As reports and scenarios name it.
            pub fn name(self) -> &'static str {
                match self {
                    $(Kind::$constant => $name,)*
                    _ => "unknown operation",
                }
            }

            /// Whether it may have to wait.
            #[inline]
            pub fn waits(self) -> bool {
                const WAITS: [bool; Kind::ALL.len()] = [$($waits,)*];
                WAITS.get(usize::from(self.0)).copied().unwrap_or(false)
            }

            /// The kinds of its objects.
            pub fn objects(self) -> (Option<ObjectKind>, Option<ObjectKind>) {
                match self {
                    $($(Kind::$constant => {
                        (Some(<$kind>::KIND), None$(.or(Some(<$second>::KIND)))?)
                    })?)*
                    _ => (None, None),
                }
            }

            /// How it is told.
            pub fn wording(self) -> Wording {
                match self {
                    $(Kind::$constant => Wording::$wording,)*
                    _ => Wording::Plain,
                }
            }
        }

        /// Whether a call is possible as its objects are now.
        #[inline]
        pub fn is_possible(call: &Call, object: &Object, second: &Object) -> bool {
            let _ = second;
            match call.kind {
                $($(Kind::$constant => {
                    <$kind>::is_possible(call, object) $(&& <$second>::is_possible(call, second))?
                })?)*
                _ => true,
            }
        }

        /// Whether nothing but its first object keeps a call waiting.
        pub fn waits_for_first(call: &Call, second: &Object) -> bool {
            match call.kind {
                $($($(Kind::$constant => <$second>::is_possible(call, second),)?)?)*
                _ => true,
            }
        }

        /// What a call would be if it were performed now; `refined` if dependency looks at values.
        #[inline]
        pub fn effect(call: &Call, object: &Object, second: &Object, refined: bool) -> Effect {
            let _ = second;
            let mut effect = Effect::default();
            match call.kind {
                $($(Kind::$constant => {
                    <$kind>::look(call, object, refined, &mut effect);
                    $(effect.second = Past::beside(<$second>::role_beside(call, second));)?
                })?)*
                _ => {}
            }
            effect.past.blocking = call.kind.waits();
            effect
        }

        /// Performs a call on its object; what it tells.
        #[inline]
        pub fn perform(call: &Call, object: &mut Object) -> Option<i64> {
            match call.kind {
                $($(Kind::$constant => <$kind>::perform_on(call, object),)?)*
                _ => None,
            }
        }

        /// Performs a call on its second object; what it tells.
        #[inline]
        pub fn perform_beside(call: &Call, second: &mut Object) -> Option<i64> {
            match call.kind {
                $($($(Kind::$constant => <$second>::perform_on(call, second),)?)?)*
                _ => None,
            }
        }

        impl Outlook {
            /// The outlook of a call of this kind that was this to its object.
            pub fn of(kind: Kind, role: Role) -> Outlook {
                match kind {
                    $($(Kind::$constant => <$kind>::outlook(kind, role),)?)*
                    _ => Outlook::Same,
                }
            }
        }

        /// What a call of this kind will be to its object when it is possible, if it would be this
        /// now. Nothing if that is not for others who use the object to decide.
        pub fn wish(kind: Kind, role: Role) -> Option<Role> {
            match kind {
                $($(Kind::$constant => <$kind>::wish(kind, role),)?)*
                _ => None,
            }
        }

        /// Whether a call is possible only after one certain event on its first object, and
        /// whether after one on its second, in every interleaving.
        #[inline]
        pub fn awaits(kind: Kind) -> (bool, bool) {
            match kind {
                $($(Kind::$constant => {
                    (<$kind>::awaits(kind), false $(|| <$second>::awaits(kind))?)
                })?)*
                _ => (false, false),
            }
        }

        /// Whether a call awaited the event of this kind that told this and was this to the object.
        pub fn is_cause(call: &Call, kind: Kind, told: i64, past: &Past) -> bool {
            match call.kind {
                $($(Kind::$constant => {
                    <$kind>::is_cause(call, kind, told, past)
                        $(|| <$second>::is_cause(call, kind, told, past))?
                })?)*
                _ => false,
            }
        }
    };
}

/// Declares the roles with their codes, per file that knows how they are ordered; `total` are those
/// that are ordered with every other operation on the object, the order within a `family` never
/// matters.
macro_rules! roles {
    ($($kind:ty { $($(#[$doc:meta])* $role:ident = $code:literal $(, $property:ident $($family:ident)?)?;)* })*) => {
        /// What a call was to the object it was performed on.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
        #[repr(u8)]
        pub enum Role {
            /// It has no object, or does not matter to it.
            #[default]
            None = 0,
            /// It looked at a semaphore, a mutex or a read-write lock and changed nothing.
            Look = 8,
            $($($(#[$doc])* $role = $code,)*)*
        }

        impl Role {
            /// The role with this code; a code that is none is that of no role.
            #[inline]
            pub fn from_code(code: u8) -> Role {
                match code {
                    8 => Role::Look,
                    $($($code => Role::$role,)*)*
                    _ => Role::None,
                }
            }

            /// Whether it is ordered with every other operation on its object, so that all that is
            /// ordered with an earlier one is ordered through it.
            #[inline]
            pub fn is_total(self) -> bool {
                match self {
                    $($($(Role::$role => stringify!($property) == "total",)?)*)*
                    _ => false,
                }
            }

            /// The family of roles among which order never matters, whatever the values: one of
            /// them stands for all. None where it may.
            #[inline]
            pub fn family(self) -> Option<Role> {
                match self {
                    Role::Look => Some(Role::Look),
                    $($($($(Role::$role => Some(Role::$family),)?)?)*)*
                    _ => None,
                }
            }
        }

        /// See [`crate::history::order`].
        #[inline]
        pub(crate) fn order(first: &Past, second: &Past) -> Order {
            let telling = match first.role {
                Role::Look => second.role,
                role => role,
            };
            match telling {
                Role::None | Role::Look => Order::None,
                $($(Role::$role)|* => <$kind>::order(first, second),)*
            }
        }
    };
}

/// What it is to an object to be watched for a change: what is tried with a lock or a semaphore, and fails, is a look at it.
pub fn watching(object: &Object) -> Past {
    let attempt = match object.kind {
        ObjectKind::VARIABLE => return Past::READ,
        ObjectKind::SEMAPHORE => Kind::TRY_TAKE,
        ObjectKind::RWLOCK => Kind::TRY_READ_LOCK,
        _ => Kind::TRY_LOCK,
    };
    let call = Call {
        kind: attempt,
        actor: 0,
        choice: 0,
        argument: 0,
        extra: 0,
    };
    Past {
        role: Role::Look,
        ..effect(&call, object, object, false).past
    }
}

/// What an object is. A byte, for the reason given at [`Kind`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Zeroable)]
#[repr(transparent)]
pub struct ObjectKind(pub u8);

/// What a call asks for. A byte rather than an enumeration, because it is read from memory that
/// the explored program shares and may overwrite.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Zeroable)]
#[repr(transparent)]
pub struct Kind(pub u8);

objects! {
    /// A shared variable.
    VARIABLE = 1, "variable", cell::Cell;
    /// A bounded queue.
    QUEUE = 2, "queue", queue::Queue;
    /// A counting semaphore.
    SEMAPHORE = 3, "semaphore", semaphore::Semaphore;
    /// A mutex.
    MUTEX = 4, "mutex", mutex::Mutex;
    /// A read-write lock.
    RWLOCK = 5, "read-write lock", rwlock::RwLock;
    /// A condition variable.
    CONDITION = 6, "condition variable", condition::Condition;
    /// A barrier.
    BARRIER = 7, "barrier", barrier::Barrier;
}

calls! {
    /// Let others go first; changes nothing.
    YIELD = 0, "yield", false, Plain;
    /// Choose a number below the argument.
    TOSS = 1, "toss", false, Own;
    /// Assert that the argument is not zero.
    ASSERT = 2, "assert", false, Own;
    /// Start an actor; the result is its number.
    SPAWN = 3, "spawn", false, Own;
    /// Wait for the end of the actor whose number is the argument.
    JOIN = 4, "join", true, Own;
    /// Read a variable.
    READ = 5, "read", false, Result, cell::Cell;
    /// Write the argument to a variable.
    WRITE = 6, "write", false, Argument, cell::Cell;
    /// Add the argument to a variable and do not look.
    ADD = 7, "add", false, Argument, cell::Cell;
    /// Add the argument to a variable; the result is its value before.
    FETCH_ADD = 8, "fetch-add", false, Before, cell::Cell;
    /// Write the argument to a variable; the result is its value before.
    SWAP = 9, "swap", false, Before, cell::Cell;
    /// Write the second argument if the variable has the value of the first; the result is its
    /// value before.
    COMPARE_EXCHANGE = 10, "compare-exchange", false, Exchange, cell::Cell;
    /// Append a message to a queue.
    SEND = 11, "send", true, Plain, queue::Queue;
    /// Append a message if there is room; the result tells.
    TRY_SEND = 12, "try-send", false, Success, queue::Queue;
    /// Take the first message of a queue.
    RECEIVE = 13, "receive", true, Plain, queue::Queue;
    /// Take the first message if there is one; the result tells.
    TRY_RECEIVE = 14, "try-receive", false, Success, queue::Queue;
    /// Count the messages of a queue.
    LENGTH = 15, "length", false, Result, queue::Queue;
    /// End one of the senders of a queue.
    CLOSE_SENDER = 16, "close-sender", false, Plain, queue::Queue;
    /// End the receiver of a queue.
    CLOSE_RECEIVER = 17, "close-receiver", false, Plain, queue::Queue;
    /// Take one from a semaphore.
    TAKE = 18, "take", true, Plain, semaphore::Semaphore;
    /// Take one if there is one; the result tells.
    TRY_TAKE = 19, "try-take", false, Success, semaphore::Semaphore;
    /// Give one back to a semaphore.
    RELEASE = 20, "release", false, Plain, semaphore::Semaphore;
    /// Acquire a mutex.
    LOCK = 21, "lock", true, Plain, mutex::Mutex;
    /// Acquire a mutex if it is free; the result tells.
    TRY_LOCK = 22, "try-lock", false, Success, mutex::Mutex;
    /// Free a mutex.
    UNLOCK = 23, "unlock", false, Plain, mutex::Mutex;
    /// Acquire a read-write lock for reading.
    READ_LOCK = 24, "read-lock", true, Plain, rwlock::RwLock;
    /// Acquire it for reading if no writer holds it; the result tells.
    TRY_READ_LOCK = 25, "try-read-lock", false, Success, rwlock::RwLock;
    /// Give back a read-write lock held for reading.
    READ_UNLOCK = 26, "read-unlock", false, Plain, rwlock::RwLock;
    /// Acquire a read-write lock for writing.
    WRITE_LOCK = 27, "write-lock", true, Plain, rwlock::RwLock;
    /// Acquire it for writing if nobody holds it; the result tells.
    TRY_WRITE_LOCK = 28, "try-write-lock", false, Success, rwlock::RwLock;
    /// Give back a read-write lock held for writing.
    WRITE_UNLOCK = 29, "write-unlock", false, Plain, rwlock::RwLock;
    /// Free the mutex (second object) and begin to wait for a condition variable.
    WAIT = 30, "wait", false, Plain, condition::Condition, beside mutex::Mutex;
    /// Once notified, acquire the mutex again; the condition variable is the second object.
    REACQUIRE = 31, "reacquire", true, Plain, mutex::Mutex, beside condition::Condition;
    /// Notified or not, acquire the mutex again; the result is one if notified.
    REACQUIRE_TIMED = 32, "reacquire-timed", true, Own, mutex::Mutex, beside condition::Condition;
    /// Wake one of those who wait.
    NOTIFY_ONE = 33, "notify-one", false, Own, condition::Condition;
    /// Wake all who wait.
    NOTIFY_ALL = 34, "notify-all", false, Plain, condition::Condition;
    /// Arrive at a barrier; the result is one for the last to arrive.
    ARRIVE = 35, "arrive", false, Plain, barrier::Barrier;
    /// Go on once all have arrived; the argument is the generation of the arrival.
    PASS = 36, "pass", true, Plain, barrier::Barrier;
    /// Keep the bits of a variable that are in the argument too; the result is its value before.
    FETCH_AND = 37, "fetch-and", false, Before, cell::Cell;
    /// Add the bits of the argument to a variable; the result is its value before.
    FETCH_OR = 38, "fetch-or", false, Before, cell::Cell;
    /// Turn the bits of a variable that are in the argument; the result is its value before.
    FETCH_XOR = 39, "fetch-xor", false, Before, cell::Cell;
    /// Write the argument to a variable that is less; the result is its value before.
    FETCH_MAX = 40, "fetch-max", false, Before, cell::Cell;
    /// Write the argument to a variable that is greater; the result is its value before.
    FETCH_MIN = 41, "fetch-min", false, Before, cell::Cell;
    /// Keep the bits of a variable that are in the argument too, and turn all; the result is its value before.
    FETCH_NAND = 42, "fetch-nand", false, Before, cell::Cell;
    /// Tell the state of the whole program: the arguments are a fingerprint of it.
    STATE = 43, "state", false, Own;
    /// Say something to whoever reads the execution; the second argument is the number of a text.
    NOTE = 44, "note", false, Own;
}

roles! {
    cell::Cell {
        /// It read a variable; so does a comparison-and-swap that fails.
        Read = 1, family Read;
        /// It added to a variable and nobody sees the sum.
        Add = 2, family Add;
        /// It changed a variable.
        Update = 3, total;
        /// It gave a variable a value that is known, and saw nothing.
        Write = 25;
    }
    semaphore::Semaphore {
        /// It took from a semaphore.
        Take = 4, total;
        /// It gave back to a semaphore.
        Release = 5, total;
    }
    mutex::Mutex {
        /// It acquired a mutex.
        Lock = 6, total;
        /// It freed a mutex.
        Unlock = 7, total;
    }
    rwlock::RwLock {
        /// It acquired a read-write lock for reading.
        ReadLock = 9, family ReadLock;
        /// It gave back a read-write lock held for reading.
        ReadUnlock = 10, family ReadLock;
        /// It acquired a read-write lock for writing.
        WriteLock = 11, total;
        /// It gave back a read-write lock held for writing.
        WriteUnlock = 12, total;
    }
    queue::Queue {
        /// It put a message into a queue.
        Send = 13;
        /// It took a message from a queue.
        Receive = 14;
        /// It found a queue full, or without a receiver.
        SendMiss = 15;
        /// It found a queue empty.
        ReceiveMiss = 16;
        /// It counted the messages of a queue.
        Length = 17, family Length;
        /// It ended a sender of a queue.
        SenderClose = 18;
        /// It ended the receiver of a queue.
        ReceiverClose = 19;
    }
    condition::Condition {
        /// It began to wait for a condition variable.
        Wait = 20, family Wait;
        /// It woke those who wait for a condition variable.
        Notify = 21, total;
        /// It notified a condition variable for which nobody waited.
        NotifyNobody = 22, family NotifyNobody;
        /// It stopped waiting for a condition variable with a time limit, woken or not.
        EndWait = 23, family Wait;
    }
    barrier::Barrier {
        /// It arrived at a barrier.
        Arrive = 24, total;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_positions() {
        for (code, kind) in Kind::ALL.iter().enumerate() {
            assert_eq!(usize::from(kind.0), code, "{}", kind.name());
        }
    }

    #[test]
    fn a_role_is_its_code() {
        for code in 0..=25 {
            assert_eq!(Role::from_code(code) as u8, code);
        }
        assert_eq!(Role::from_code(99), Role::None);
    }
}
