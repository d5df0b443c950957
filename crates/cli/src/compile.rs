//! `mazurka cc` and `mazurka c++`: the compiler, with thread instrumentation and our library behind it.

use std::os::unix::process::CommandExt;

use mazurka_threads::{Language, compiler};

use crate::trouble::Trouble;
use crate::{Exit, arguments::CompileArguments};

/// Runs the command: becomes the compiler.
pub fn compile(language: Language, arguments: &CompileArguments) -> Result<Exit, Trouble> {
    let mut command = compiler(language, &arguments.words).map_err(Trouble::Usage)?;
    let error = command.exec();
    let name = command.get_program().to_string_lossy();
    Err(Trouble::Usage(format!("cannot run {name}: {error}")))
}
