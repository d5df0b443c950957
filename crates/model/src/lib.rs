//! The common program form of all notations, and its reference semantics.
//!
//! A front end makes a [`Program`]; [`verify()`] says whether it is well formed; an
//! [`Interpreter`] gives its initial state, the [`Step`]s that are possible in a state, and the
//! state that a step leads to. States are flat byte strings.
//!
//! Start reading at [`program`], then [`interpreter`].

#![forbid(unsafe_code)]
#![deny(missing_docs)]

mod channel;
mod claim;
mod definite;
mod enabled;
mod evaluate;
mod execute;
mod expression;
mod fault;
mod flat;
mod foreign;
mod instruction;
pub mod interpreter;
mod kind;
mod leaves;
mod monitor;
mod moves;
pub mod program;
mod quick;
mod reads;
mod shape;
mod step;
mod text;
mod verify;
mod witness;

pub use claim::{Claim, ClaimState, ClaimTransition, MOST_CONDITIONS};
pub use expression::{BinaryOperator, ChannelTest, Expression, UnaryOperator};
pub use fault::{Failure, Fault};
pub use instruction::{Field, Instruction, Receive, Send};
pub use interpreter::{ChannelContents, Interpreter, Outcome};
pub use kind::Kind;
pub use monitor::{Monitor, MonitorEvent, MonitorState};
pub use program::*;
pub use shape::{ChannelEntry, HEADER_BYTES, ProcessEntry, Shape};
pub use step::Step;
pub use verify::{Flaw, verify};
pub use witness::{Event, Witness};
