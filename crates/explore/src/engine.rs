//! The seam between the search and the two ways of running a program.

use std::fmt;

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
