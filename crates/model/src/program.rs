//! The common program form: what every notation is lowered to and every engine runs.
//!
//! A program is a set of process types, each a graph of locations and transitions, over shared
//! variables and channels. A transition is a guard and an effect; it belongs to one process, or
//! to two when it is the sending half of a rendezvous that meets a receiving half.
//!
//! All parts stand in tables and name each other by number. The form carries no behaviour: the
//! interpreter beside it is the reference semantics, [`crate::verify()`] says when a program is
//! well formed, and its `Display` is the text form.

use std::ops::Range;

use crate::expression::Expression;
use crate::instruction::{Field, Instruction, Receive, Send};
use crate::kind::Kind;
use crate::monitor::Monitor;

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident $prefix:literal;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub struct $name(pub u32);

        impl $name {
            /// As an index into its table.
            #[inline]
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                write!(out, concat!($prefix, "{}"), self.0)
            }
        }
    )*};
}

ids! {
    /// A type of process.
    ProcessTypeId "process";
    /// A type of channel.
    ChannelTypeId "channel";
    /// A location, numbered through all process types.
    LocationId "l";
    /// A transition, numbered through all process types.
    TransitionId "t";
    /// A statement of the source, which several transitions may carry out.
    StatementId "s";
    /// An expression.
    ExpressionId "e";
    /// A variable, or an element of one.
    PlaceId "v";
    /// A send.
    SendId "send";
    /// A receive.
    ReceiveId "receive";
    /// A breach of the rules of a notation.
    BreachId "breach";
}

/// A whole system.
#[derive(Clone, Debug, Default)]
pub struct Program {
    /// A name for people, usually that of the file.
    pub name: String,
    /// Source files; [`Origin::file`] counts them.
    pub files: Vec<String>,
    /// The process types.
    pub process_types: Vec<ProcessType>,
    /// The channel types.
    pub channel_types: Vec<ChannelType>,
    /// The shared variables, with offsets from the start of the shared part.
    pub shared: Vec<Variable>,
    /// The bytes of the shared part.
    pub shared_bytes: u32,
    /// Shared variables, from which byte to which, that are objects of few values with operations: what is done with one in a
    /// transition is worth a table.
    pub objects: Vec<(u32, u32)>,
    /// Shared variables that do not tell states apart, with offsets from the start of their part.
    pub hidden: Vec<Variable>,
    /// The bytes of the hidden part.
    pub hidden_bytes: u32,
    /// What makes the initial state: initial values, channels, first processes.
    pub start: Range<u32>,
    /// All locations; each process type has a contiguous range.
    pub locations: Vec<Location>,
    /// All transitions; each location has a contiguous range.
    pub transitions: Vec<Transition>,
    /// Statements of the source.
    pub statements: Vec<Statement>,
    /// All instructions.
    pub code: Vec<Instruction>,
    /// All expressions.
    pub expressions: Vec<Expression>,
    /// All places.
    pub places: Vec<Place>,
    /// Array indices inside places.
    pub indices: Vec<Index>,
    /// All sends.
    pub sends: Vec<Send>,
    /// All receives.
    pub receives: Vec<Receive>,
    /// What receives do with fields.
    pub fields: Vec<Field>,
    /// Lists of expressions: arguments and message values.
    pub lists: Vec<ExpressionId>,
    /// Formats of prints.
    pub formats: Vec<Vec<FormatPart>>,
    /// Names for the values of enumerations.
    pub enumerations: Vec<Enumeration>,
    /// Breaches of the rules of the notation that effects may find, in words.
    pub breaches: Vec<Breach>,
    /// What is asserted about the order of messages.
    pub monitor: Option<Monitor>,
    /// Names of the processes that the start makes, in their order; none if the type and the number
    /// are name enough.
    pub instances: Vec<String>,
    /// What the program makes use of, so that engines can skip the rest.
    pub features: Features,
}

/// A type of process: a graph.
#[derive(Clone, Debug)]
pub struct ProcessType {
    /// Its name.
    pub name: String,
    /// Its locations, a range of the program's.
    pub locations: Range<u32>,
    /// Where a new process starts.
    pub initial: LocationId,
    /// Parameters and local variables, with offsets from the start of the frame. The parameters
    /// come first.
    pub variables: Vec<Variable>,
    /// Where the parameters go, in order.
    pub parameters: Vec<PlaceId>,
    /// Where the number of the location, counted from the first of this type, is in a frame.
    pub location: Slot,
    /// Where the priority is in a frame, if the program has priorities.
    pub priority: Option<Slot>,
    /// The bytes of a frame: variables, location, priority.
    pub frame_bytes: u32,
    /// Gives the variables of a new process their values; run in its context.
    pub start: Range<u32>,
    /// The process can move only while this holds.
    pub provided: Option<ExpressionId>,
    /// A second enabled transition is an error.
    pub deterministic: bool,
    /// Is it a state machine of which there is one only? People then know it by its name alone,
    /// and where it is by the first label of the location instead of a line of text.
    pub machine: bool,
}

impl ProcessType {
    /// A type without variables that starts at a location; its locations are still to come.
    pub fn new(name: impl Into<String>, initial: LocationId) -> ProcessType {
        ProcessType {
            name: name.into(),
            locations: initial.0..initial.0,
            initial,
            variables: Vec::new(),
            parameters: Vec::new(),
            location: Slot {
                offset: 0,
                kind: Kind::Byte,
            },
            priority: None,
            frame_bytes: 0,
            start: 0..0,
            provided: None,
            deterministic: false,
            machine: false,
        }
    }
}

/// A field of a frame.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Slot {
    /// Its offset from the start of the frame.
    pub offset: u32,
    /// How it is packed.
    pub kind: Kind,
}

/// A type of channel.
#[derive(Clone, PartialEq, Debug)]
pub struct ChannelType {
    /// A name for people.
    pub name: String,
    /// How many messages it holds; none means that sender and receiver meet.
    pub capacity: u32,
    /// What a message consists of.
    pub fields: Vec<MessageField>,
    /// The bytes of a message.
    pub message_bytes: u32,
    /// Where the first field names the message, from 1 on, and messages differ: what the fields are that
    /// each has behind it. Others are not part of the message.
    pub forms: Vec<Vec<Meaning>>,
}

/// One field of a message.
#[derive(Clone, PartialEq, Debug)]
pub struct MessageField {
    /// How it is packed.
    pub kind: Kind,
    /// Its offset in the message.
    pub offset: u32,
    /// How people read it.
    pub meaning: Meaning,
}

/// A variable as declared, for people and for the analysis; engines use places.
#[derive(Clone, PartialEq, Debug)]
pub struct Variable {
    /// Its name, with the path through structures.
    pub name: String,
    /// Where it is in its part of the state.
    pub offset: u32,
    /// How it is packed.
    pub kind: Kind,
    /// The number of elements of an array.
    pub length: Option<u32>,
    /// How people read it.
    pub meaning: Meaning,
}

/// How people read a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Meaning {
    /// As a number.
    Number,
    /// As true or false.
    Truth,
    /// As a channel.
    Channel,
    /// As a process.
    Process,
    /// As a name of this enumeration.
    Enumeration(u32),
}

/// Names for values.
#[derive(Clone, Debug)]
pub struct Enumeration {
    /// Its own name.
    pub name: String,
    /// The names and their values.
    pub constants: Vec<(String, i32)>,
}

/// A location of a process.
#[derive(Clone, Debug)]
pub struct Location {
    /// The number that the notation gives it.
    pub number: u32,
    /// Its transitions in the order in which they are tried.
    pub transitions: Range<u32>,
    /// May the system end here?
    pub end: bool,
    /// Is it an acceptance mark?
    pub accept: bool,
    /// Is it a progress mark?
    pub progress: bool,
    /// Its labels.
    pub labels: Vec<String>,
    /// Facts that hold there, a bit for each, which [`Expression::Marked`] asks for. What they
    /// mean is the front end's business: for a machine, which inputs its register holds.
    pub marks: u64,
    /// Where it is in the source.
    pub origin: Origin,
}

/// A guarded command of one process.
#[derive(Clone, Debug)]
pub struct Transition {
    /// Must be true for the transition to be enabled.
    pub guard: ExpressionId,
    /// Enabled only if no transition before it in the same location is.
    pub otherwise: bool,
    /// Does its effect begin with a send or a receive, so that it can take part in a rendezvous?
    pub handshake: Handshake,
    /// What it does.
    pub effect: Range<u32>,
    /// Where it leads; a process that dies has no next location.
    pub target: Option<LocationId>,
    /// Does the process keep control of the system after it, as inside an atomic sequence?
    pub holds: bool,
    /// Transitions of a location with the same number form a group; once one of a group other
    /// than 0 is enabled, later groups are not tried.
    pub group: u32,
    /// The statement it carries out.
    pub statement: StatementId,
}

/// The part that a transition can play in a rendezvous.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Handshake {
    /// None.
    Apart,
    /// It may send.
    Sends(SendId),
    /// It may receive.
    Receives(ReceiveId),
}

/// A statement of the source.
#[derive(Clone, Debug)]
pub struct Statement {
    /// Its text on one line.
    pub text: String,
    /// Where it stands.
    pub origin: Origin,
    /// The process type it belongs to.
    pub process_type: ProcessTypeId,
    /// Is it worth a mention when it was never executed?
    pub reported: bool,
}

/// What an effect found wrong, in the words of the notation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Breach {
    /// Which rule was broken.
    pub kind: BreachKind,
    /// One sentence: who, where, and why that is wrong.
    pub message: String,
    /// Where the source says so.
    pub origin: Origin,
}

/// Rules that a notation may have beyond those of the program form.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum BreachKind {
    /// A message came where nothing is said about it.
    UnexpectedInput,
    /// A message was sent to a queue that is full.
    Overflow,
    /// A transition that can go on for ever.
    Unsettled,
    /// A condition on every state does not hold.
    Invariant,
    /// A message came in an order that is forbidden.
    Trace,
}

impl BreachKind {
    /// As reports and scenarios name it.
    pub fn name(self) -> &'static str {
        match self {
            BreachKind::UnexpectedInput => "unexpected-input",
            BreachKind::Overflow => "overflow",
            BreachKind::Unsettled => "unsettled",
            BreachKind::Invariant => "invariant",
            BreachKind::Trace => "trace",
        }
    }
}

/// A stretch of source text: lines and columns from 1.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Origin {
    /// Index into the program's files.
    pub file: u32,
    /// First line.
    pub line: u32,
    /// First column.
    pub column: u32,
    /// Last line.
    pub end_line: u32,
    /// The column after the last.
    pub end_column: u32,
}

/// A variable, or an element of an array, that can be read and written.
#[derive(Clone, PartialEq, Debug)]
pub struct Place {
    /// Which part of the state.
    pub base: Base,
    /// The offset of the variable in that part.
    pub offset: u32,
    /// How it is packed.
    pub kind: Kind,
    /// Array indices on the way: a range of the program's.
    pub indices: Range<u32>,
}

/// A part of the state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Base {
    /// The shared variables.
    Shared,
    /// The shared variables that do not tell states apart.
    Hidden,
    /// The frame of the process that executes.
    Local,
    /// The frame of another process of this type; the oldest of the type if none is named.
    Remote(ProcessTypeId, Option<ExpressionId>),
}

/// An array index inside a place.
#[derive(Clone, PartialEq, Debug)]
pub struct Index {
    /// Which element.
    pub expression: ExpressionId,
    /// The number of elements.
    pub length: u32,
    /// The bytes of an element.
    pub stride: u32,
}

/// A part of the format of a print.
#[derive(Clone, PartialEq, Debug)]
pub enum FormatPart {
    /// As it stands.
    Text(String),
    /// The next argument, in decimal.
    Decimal,
    /// The next argument, in decimal, without sign.
    Unsigned,
    /// The next argument, as a character.
    Character,
    /// The next argument, in hexadecimal.
    Hexadecimal,
    /// The next argument, in octal.
    Octal,
    /// The next argument, as a name of an enumeration.
    Name(u32),
}

/// What a program makes use of.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Features {
    /// Timeouts.
    pub timeout: bool,
    /// Priorities.
    pub priority: bool,
    /// The process that made the last step.
    pub last: bool,
    /// Some process type has a condition on its execution.
    pub provided: bool,
    /// Channels without capacity.
    pub rendezvous: bool,
    /// The system may end only when all channels are empty.
    pub quiet_end: bool,
}

impl ChannelType {
    /// How the number of messages is packed.
    #[inline]
    pub fn length_kind(&self) -> Kind {
        match self.capacity {
            0..=255 => Kind::Byte,
            256..=65535 => Kind::Unsigned(16),
            _ => Kind::Int,
        }
    }

    /// The bytes of a channel: its length and its slots. One that never holds a message is nothing.
    pub fn bytes(&self) -> u32 {
        match self.capacity {
            0 => 0,
            capacity => self.length_kind().bytes() + capacity * self.message_bytes,
        }
    }
}

impl Program {
    /// Does a state of the other program mean the same in this one? So it is if their variables, frames, locations and channels are
    /// in the same places.
    pub fn has_layout_of(&self, other: &Program) -> bool {
        let frame = |process: &ProcessType| {
            let slots = (process.location, process.priority, process.frame_bytes);
            (slots, process.locations.clone())
        };
        let is_alike = |(a, b): (&ProcessType, &ProcessType)| {
            frame(a) == frame(b) && a.variables == b.variables
        };
        let types = self.process_types.iter().zip(&other.process_types);
        self.process_types.len() == other.process_types.len()
            && types.into_iter().all(is_alike)
            && self.shared == other.shared
            && self.shared_bytes == other.shared_bytes
            && self.hidden == other.hidden
            && self.hidden_bytes == other.hidden_bytes
            && self.channel_types == other.channel_types
    }

    /// Do people know where a process of this type is by the name of a state? The first label of a location is
    /// that name then, and the second says what the process waits for.
    pub fn has_states(&self, process_type: ProcessTypeId) -> bool {
        self.process_types[process_type.index()].machine || !self.instances.is_empty()
    }

    /// The name of a value.
    pub fn name_of(&self, meaning: Meaning, value: i32) -> String {
        match meaning {
            Meaning::Number | Meaning::Process => value.to_string(),
            Meaning::Truth => match value {
                0 => "false".into(),
                1 => "true".into(),
                other => other.to_string(),
            },
            Meaning::Channel => match value {
                0 => "no channel".into(),
                other => format!("channel {other}"),
            },
            Meaning::Enumeration(which) => self.enumerations[which as usize]
                .constants
                .iter()
                .find(|(_, constant)| *constant == value)
                .map_or_else(|| value.to_string(), |(name, _)| name.clone()),
        }
    }
}
