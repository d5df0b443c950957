//! Visible operations: what an actor can ask of the kernel.

use bytemuck::Zeroable;

/// What an operation does. A byte rather than an enumeration, because it is read from memory that
/// the explored program shares and may overwrite.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Zeroable)]
#[repr(transparent)]
pub struct Kind(pub u8);

/// Declares the kinds with their names and whether they may wait.
macro_rules! kinds {
    ($($(#[$doc:meta])* $constant:ident = $code:literal, $name:literal, $waits:literal;)*) => {
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
        }
    };
}

kinds! {
    /// Let others go first; changes nothing.
    YIELD = 0, "yield", false;
    /// Choose a number below the argument.
    TOSS = 1, "toss", false;
    /// Claim that the argument is not zero.
    ASSERT = 2, "assert", false;
    /// Start an actor; the result is its number.
    SPAWN = 3, "spawn", false;
    /// Wait for the end of the actor whose number is the argument.
    JOIN = 4, "join", true;
    /// Read a variable.
    READ = 5, "read", false;
    /// Write the argument to a variable.
    WRITE = 6, "write", false;
    /// Add the argument to a variable and do not look.
    ADD = 7, "add", false;
    /// Add the argument to a variable; the result is its value before.
    FETCH_ADD = 8, "fetch-add", false;
    /// Write the argument to a variable; the result is its value before.
    SWAP = 9, "swap", false;
    /// Write the second argument if the variable has the value of the first; the result is its
    /// value before.
    COMPARE_EXCHANGE = 10, "compare-exchange", false;
    /// Append a message to a queue.
    SEND = 11, "send", true;
    /// Append a message if there is room; the result tells.
    TRY_SEND = 12, "try-send", false;
    /// Take the first message of a queue.
    RECEIVE = 13, "receive", true;
    /// Take the first message if there is one; the result tells.
    TRY_RECEIVE = 14, "try-receive", false;
    /// Count the messages of a queue.
    LENGTH = 15, "length", false;
    /// End one of the senders of a queue.
    CLOSE_SENDER = 16, "close-sender", false;
    /// End the receiver of a queue.
    CLOSE_RECEIVER = 17, "close-receiver", false;
    /// Take one from a semaphore.
    TAKE = 18, "take", true;
    /// Take one if there is one; the result tells.
    TRY_TAKE = 19, "try-take", false;
    /// Give one back to a semaphore.
    RELEASE = 20, "release", false;
    /// Acquire a mutex.
    LOCK = 21, "lock", true;
    /// Acquire a mutex if it is free; the result tells.
    TRY_LOCK = 22, "try-lock", false;
    /// Free a mutex.
    UNLOCK = 23, "unlock", false;
    /// Acquire a read-write lock for reading.
    READ_LOCK = 24, "read-lock", true;
    /// Acquire it for reading if no writer holds it; the result tells.
    TRY_READ_LOCK = 25, "try-read-lock", false;
    /// Give back a read-write lock held for reading.
    READ_UNLOCK = 26, "read-unlock", false;
    /// Acquire a read-write lock for writing.
    WRITE_LOCK = 27, "write-lock", true;
    /// Acquire it for writing if nobody holds it; the result tells.
    TRY_WRITE_LOCK = 28, "try-write-lock", false;
    /// Give back a read-write lock held for writing.
    WRITE_UNLOCK = 29, "write-unlock", false;
    /// Free the mutex (second object) and begin to wait for a condition variable.
    WAIT = 30, "wait", false;
    /// Once notified, acquire the mutex again; the condition variable is the second object.
    REACQUIRE = 31, "reacquire", true;
    /// Notified or not, acquire the mutex again; the result is one if notified.
    REACQUIRE_TIMED = 32, "reacquire-timed", true;
    /// Wake one of those who wait.
    NOTIFY_ONE = 33, "notify-one", false;
    /// Wake all who wait.
    NOTIFY_ALL = 34, "notify-all", false;
    /// Arrive at a barrier; the result is one for the last to arrive.
    ARRIVE = 35, "arrive", false;
    /// Go on once all have arrived; the argument is the generation of the arrival.
    PASS = 36, "pass", true;
    /// Keep the bits of a variable that are in the argument too; the result is its value before.
    FETCH_AND = 37, "fetch-and", false;
    /// Add the bits of the argument to a variable; the result is its value before.
    FETCH_OR = 38, "fetch-or", false;
    /// Turn the bits of a variable that are in the argument; the result is its value before.
    FETCH_XOR = 39, "fetch-xor", false;
    /// Write the argument to a variable that is less; the result is its value before.
    FETCH_MAX = 40, "fetch-max", false;
    /// Write the argument to a variable that is greater; the result is its value before.
    FETCH_MIN = 41, "fetch-min", false;
}

/// The number of an object: the actor that made it and how many it had made before, so that it
/// does not depend on who came first.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Zeroable)]
#[repr(transparent)]
pub struct ObjectId(pub u16);

impl ObjectId {
    /// No object.
    pub const NONE: ObjectId = ObjectId(u16::MAX);
    /// How many objects one actor can make.
    pub const PER_ACTOR: usize = 1 << Self::SHIFT;
    const SHIFT: u32 = 10;

    /// The object made by an actor that had made `count` before.
    pub fn new(actor: usize, count: usize) -> ObjectId {
        ObjectId((actor << Self::SHIFT | count) as u16)
    }

    /// The actor that made it.
    pub fn maker(self) -> usize {
        usize::from(self.0 >> Self::SHIFT)
    }

    /// How many objects its maker had made before.
    pub fn count(self) -> usize {
        usize::from(self.0) & (Self::PER_ACTOR - 1)
    }

    /// Its place in the table of objects.
    #[inline]
    pub fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// A visible operation, ready to be performed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Zeroable)]
#[repr(C)]
pub struct Operation {
    /// What to do.
    pub kind: Kind,
    _padding: u8,
    /// The object it is about.
    pub object: ObjectId,
    /// The mutex of a wait, the condition variable of a reacquisition.
    pub second: ObjectId,
    /// Where it stands in the source: a number in the table of places.
    pub place: u16,
    /// The first argument.
    pub argument: i64,
    /// The second argument.
    pub extra: i64,
}

impl Operation {
    /// An operation without object and arguments.
    #[inline]
    pub fn new(kind: Kind) -> Operation {
        Operation {
            kind,
            _padding: 0,
            object: ObjectId::NONE,
            second: ObjectId::NONE,
            place: 0,
            argument: 0,
            extra: 0,
        }
    }

    /// An operation on an object.
    #[inline]
    pub fn on(kind: Kind, object: ObjectId) -> Operation {
        Operation {
            object,
            ..Operation::new(kind)
        }
    }

    /// The same with this argument.
    #[inline]
    pub fn with(self, argument: i64) -> Operation {
        Operation { argument, ..self }
    }

    /// The same with this second argument.
    #[inline]
    pub fn and(self, extra: i64) -> Operation {
        Operation { extra, ..self }
    }

    /// The same with this second object.
    #[inline]
    pub fn beside(self, second: ObjectId) -> Operation {
        Operation { second, ..self }
    }

    /// The same at this place.
    #[inline]
    pub fn at(self, place: u16) -> Operation {
        Operation { place, ..self }
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
    fn an_object_knows_its_maker() {
        let object = ObjectId::new(63, 1022);
        assert_eq!((object.maker(), object.count()), (63, 1022));
        assert_ne!(object, ObjectId::NONE);
    }
}
