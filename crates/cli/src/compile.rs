//! `mazurka cc` and `mazurka c++`: the compiler, with thread instrumentation and our library behind it.

use std::os::unix::process::CommandExt;

use mazurka_threads::{Language, assemble, compiler, is_assembler};

use crate::trouble::Trouble;
use crate::{Exit, arguments::CompileArguments};

/// Runs the command: becomes the compiler.
pub fn compile(language: Language, arguments: &CompileArguments) -> Result<Exit, Trouble> {
    let mut command = compiler(language, &arguments.words).map_err(Trouble::Usage)?;
    let error = command.exec();
    let name = command.get_program().to_string_lossy();
    Err(Trouble::Usage(format!("cannot run {name}: {error}")))
}

/// If a compiler has called us in place of the assembler: assembles, and gives the exit code.
pub fn assembler() -> Option<u8> {
    if !is_assembler() {
        return None;
    }
    let words: Vec<_> = std::env::args_os().skip(1).collect();
    match assemble(&words) {
        Ok(code) => Some(u8::try_from(code).unwrap_or(1)),
        Err(error) => {
            eprintln!("mazurka: {error}");
            Some(1)
        }
    }
}
