//! An assertion about the order of messages: a deterministic automaton that moves with every message
//! on the channels it names.

use crate::program::{BreachId, ExpressionId, PlaceId};

/// Which messages must follow each other, or must not.
///
/// If an event names a channel, all events of its direction on that channel count. The number of
/// the automaton's state is in a shared variable, so it is part of the system's state.
#[derive(Clone, PartialEq, Debug)]
pub struct Monitor {
    /// Is it wrong to come to an end of the automaton, rather than to leave it? Then only the first try counts: after a message
    /// that does not match nothing is wrong any more.
    pub forbids: bool,
    /// The variable that holds the number of the state.
    pub place: PlaceId,
    /// The states; the first one is the initial one.
    pub states: Vec<MonitorState>,
    /// What is reported.
    pub breach: BreachId,
    /// What is reported if two events match.
    pub ambiguous: BreachId,
}

/// A state of a monitor.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct MonitorState {
    /// Is it an end? There the system may end, or may not be, if the automaton forbids.
    pub end: bool,
    /// What may come next.
    pub events: Vec<MonitorEvent>,
}

/// A message that is sent or received.
#[derive(Clone, PartialEq, Debug)]
pub struct MonitorEvent {
    /// Is it sent?
    pub sends: bool,
    /// The channel.
    pub channel: ExpressionId,
    /// The value of each field, where it matters.
    pub fields: Vec<Option<i32>>,
    /// The next state.
    pub target: u32,
}

impl MonitorEvent {
    /// Is it about a message with these values?
    pub fn matches(&self, message: impl ExactSizeIterator<Item = i32>) -> bool {
        self.fields.len() == message.len()
            && self
                .fields
                .iter()
                .zip(message)
                .all(|(wanted, value)| wanted.is_none_or(|wanted| wanted == value))
    }
}

impl Monitor {
    /// The state in which nothing counts any more: what a forbidding automaton does after a
    /// message that does not match.
    pub fn lost(&self) -> u32 {
        self.states.len() as u32
    }

    /// May the system end while the monitor is in this state?
    pub fn may_end(&self, state: i32) -> bool {
        let state = usize::try_from(state).ok().and_then(|n| self.states.get(n));
        self.forbids || state.is_some_and(|state| state.end)
    }
}
