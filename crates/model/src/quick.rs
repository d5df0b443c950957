//! What is asked of a program for every step, in small.
//!
//! A program is written to be read: names, origins and rare features stand beside what every step
//! needs. Here the latter stands alone: flat code, and
//! of processes, locations and transitions what says which steps are possible. It is derived from the program when it
//! is made ready to run, and says nothing that the program does not say.

use crate::expression::Expression;
use crate::flat::Flat;
use crate::kind::Kind;
use crate::moves::Moves;
use crate::program::{ExpressionId, Handshake, Program, Transition};
use crate::reads::Reads;

/// A program, as far as every step needs it.
#[derive(Debug)]
pub(crate) struct Quick {
    /// Expressions and places.
    pub flat: Flat,
    /// Transitions that flat code can carry out.
    pub moves: Moves,
    /// Has nobody a say in whether a process may move but itself? No priorities, no conditions on execution.
    pub is_free: bool,
    /// By number of the process type.
    pub process_types: Vec<QuickProcessType>,
    /// By number of the location, the numbers of its first transition and of the one after its last.
    pub locations: Vec<(u32, u32)>,
    /// By number of the transition.
    pub transitions: Vec<QuickTransition>,
    /// By number of the location, what the guards of its transitions read besides the own frame.
    pub reads: Vec<Reads>,
    /// Do the guards of its location alone say which steps a process has?
    pub is_local: bool,
}

/// A process type.
#[derive(Clone, Copy, Debug)]
pub(crate) struct QuickProcessType {
    /// Where the number of the location is in a frame, and how it is packed.
    pub offset: u32,
    pub kind: Kind,
    /// What to add to it.
    pub first_location: u32,
    pub is_deterministic: bool,
}

/// A transition.
#[derive(Clone, Copy, Debug)]
pub(crate) struct QuickTransition {
    pub guard: ExpressionId,
    pub group: u32,
    /// Is the guard nothing but true?
    pub is_open: bool,
    pub otherwise: bool,
    pub sends: bool,
}

impl Quick {
    pub fn new(program: &Program) -> Quick {
        let features = &program.features;
        let process_type = |described: &crate::program::ProcessType| QuickProcessType {
            offset: described.location.offset,
            kind: described.location.kind,
            first_location: described.locations.start,
            is_deterministic: described.deterministic,
        };
        let location = |described: &crate::program::Location| {
            (described.transitions.start, described.transitions.end)
        };
        let transition = |described: &Transition| QuickTransition {
            guard: described.guard,
            group: described.group,
            is_open: matches!(
                program.expressions[described.guard.index()],
                Expression::Constant(value) if value != 0
            ),
            otherwise: described.otherwise,
            sends: matches!(described.handshake, Handshake::Sends(_)),
        };
        let flat = Flat::new(program);
        Quick {
            moves: Moves::new(program, &flat),
            flat,
            is_free: !(features.priority || features.provided),
            process_types: program.process_types.iter().map(process_type).collect(),
            locations: program.locations.iter().map(location).collect(),
            transitions: program.transitions.iter().map(transition).collect(),
            reads: (program.locations.iter())
                .map(|location| Reads::of_location(program, location))
                .collect(),
            is_local: !(features.timeout
                || features.priority
                || features.provided
                || features.rendezvous),
        }
    }
}
