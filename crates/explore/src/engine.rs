//! The seam between the search and the two ways of running a program.

use std::fmt;
use std::time::Instant;

use mazurka_runtime::Kernel;

/// Runs a program, again and again, under the control of a [`Kernel`].
///
/// The search writes into the kernel what to do (`schedule`, `planned`, `policy`, `depth`), calls
/// [`Engine::run`], and reads `records`, `length` and `ending`. An engine begins the execution
/// with [`Kernel::begin`], and must leave nothing of it behind.
pub trait Engine {
    /// The kernel, between two executions.
    fn kernel(&mut self) -> &mut Kernel;

    /// Runs one execution to its end.
    fn run(&mut self) -> Result<(), EngineError>;

    /// No execution goes on after this moment: [`Engine::run`] then gives up.
    fn stop_at(&mut self, _deadline: Option<Instant>) {}

    /// What executions did so far that the kernel does not see: as long as there is any, that all
    /// executions have been seen is not known.
    fn uncontrolled(&mut self) -> Option<String> {
        None
    }

    /// Puts into words what the last execution has left as addresses, because somebody will look at it.
    fn put_into_words(&mut self) {}
}

/// Why a program cannot be run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EngineError(pub String);

impl fmt::Display for EngineError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.0)
    }
}

impl std::error::Error for EngineError {}
