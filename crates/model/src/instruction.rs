//! Instructions: what a transition does once its guard holds.
//!
//! An effect is a range of instructions that runs to its end as one atomic action. Jumps are
//! absolute and stay inside the range; its end is a legal target. Everything that could block is
//! tested before, by the guard or by a conditional jump.

use std::ops::Range;

use crate::program::{
    BreachId, ChannelTypeId, ExpressionId, LocationId, PlaceId, ProcessTypeId, ReceiveId, SendId,
};

/// One instruction.
#[derive(Clone, PartialEq, Debug)]
pub enum Instruction {
    /// Stores a value.
    Assign(PlaceId, ExpressionId),
    /// Appends a message. The guard has seen that there is room.
    Send(SendId),
    /// Takes a message. The guard has seen that there is one that matches.
    Receive(ReceiveId),
    /// Makes a channel and stores its name.
    NewChannel(PlaceId, ChannelTypeId),
    /// Starts a process.
    Run {
        /// What to run.
        process_type: ProcessTypeId,
        /// Values of its parameters: a range of the program's lists.
        arguments: Range<u32>,
        /// Its priority.
        priority: u8,
        /// Where the number of the new process goes.
        result: Option<PlaceId>,
    },
    /// Ends this process, which is the youngest, together with the channels it made.
    Die,
    /// A claim about the state; a failure is reported and the execution goes on.
    Assert(ExpressionId),
    /// Text for the reader of a simulation: index of the format and its arguments.
    Print(u32, Range<u32>),
    /// Gives a process (first operand) a priority (second operand).
    SetPriority(ExpressionId, ExpressionId),
    /// Goes on elsewhere.
    Jump(u32),
    /// Goes on elsewhere if the condition is false.
    JumpUnless(ExpressionId, u32),
    /// The effect cannot go on from here: an error of the model.
    Stuck,
    /// A rule of the notation is broken. That is reported, and the execution goes on.
    Breach(BreachId),
    /// A rule of the notation is broken so that there is no next state.
    Stop(BreachId),
    /// Moves a process that is being started to another location than the initial one.
    Enter(LocationId),
}

/// A send.
#[derive(Clone, PartialEq, Debug)]
pub struct Send {
    /// The channel.
    pub channel: ExpressionId,
    /// The fields of the message: a range of the program's lists.
    pub values: Range<u32>,
    /// Insert by value instead of at the end.
    pub sorted: bool,
}

/// A receive, or the question whether one is possible.
#[derive(Clone, PartialEq, Debug)]
pub struct Receive {
    /// The channel.
    pub channel: ExpressionId,
    /// What to do with each field: a range of the program's fields.
    pub fields: Range<u32>,
    /// Take the first message that matches, wherever it stands, instead of the head only.
    pub random: bool,
    /// Leave the message in the channel.
    pub keep: bool,
}

/// What a receive does with one field of the message.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Field {
    /// Store it.
    Bind(PlaceId),
    /// It must equal this value.
    Match(ExpressionId),
    /// Ignore it.
    Discard,
}
