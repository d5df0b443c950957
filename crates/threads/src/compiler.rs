//! The compiler, with thread instrumentation and our library behind it.
//!
//! The compiler does all the work and is told where to find the library that it links programs with when
//! it instruments them: ours, under the name of its own. So a command line that works for the compiler
//! works here, and `CC="mazurka cc"` is all that a Makefile needs.

use std::ffi::{OsStr, OsString};
use std::process::Command;

use crate::LIBRARY;
use crate::assembler::PROGRAM;
use crate::unpacked::unpack;

/// The language that is compiled.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Language {
    /// C.
    C,
    /// C++.
    Cpp,
}

impl Language {
    /// The variable that names a compiler, and those that are tried.
    fn compilers(self) -> (&'static str, [&'static str; 3]) {
        match self {
            Language::C => ("MAZURKA_CC", ["gcc", "clang", "cc"]),
            Language::Cpp => ("MAZURKA_CXX", ["g++", "clang++", "c++"]),
        }
    }
}

/// The command that compiles: what the user would tell the compiler, and what it has to know of us. The library is unpacked for it.
pub fn compiler(language: Language, words: &[OsString]) -> Result<Command, String> {
    if LIBRARY.is_empty() {
        let reason = "threaded programs can be explored on Linux with x86-64 processors only";
        return Err(reason.into());
    }
    if words.iter().any(|word| word == "-static") {
        return Err("-static: a program that is explored needs the shared C library".into());
    }
    if words.iter().any(|word| word == "-masm=intel") {
        return Err("-masm=intel: assembly of this kind is not understood".into());
    }
    let directory = unpack()?;
    let (variable, candidates) = language.compilers();
    let compiler = std::env::var_os(variable).or_else(|| {
        let found = candidates.iter().find(|name| is_on_path(name));
        found.map(OsString::from)
    });
    let Some(compiler) = compiler else {
        let candidates = candidates.join(", ");
        return Err(format!(
            "there is no compiler: none of {candidates} is installed; {variable} can name another"
        ));
    };
    let is_shared = words.iter().any(|word| word == "-shared");
    let program = std::env::current_exe();
    let program = program.map_err(|error| format!("cannot tell what program this is: {error}"))?;
    let mut command = Command::new(&compiler);
    command.env(PROGRAM, program);
    // In DWARF 5 of GCC, some versions of addr2line take the first header for the source file itself.
    command
        .args(["-fsanitize=thread", "-gdwarf-4", "-include"])
        .arg(directory.join("names.h"));
    if is_clang(&compiler) {
        command.arg("-fno-integrated-as");
        command.arg("-B").arg(directory.join("program"));
        command.arg("-fno-sanitize-link-runtime").args(words);
        // Of `x++`, the read is to be seen too. What only links has no use for that.
        command.args(["-mllvm", "-tsan-instrument-read-before-write=1"]);
        command.arg("-Wno-unused-command-line-argument");
        let links = !words
            .iter()
            .any(|word| word == "-c" || word == "-S" || word == "-E");
        if links && !is_shared {
            let library = directory.join("program/libtsan.a");
            command.arg("-Wl,--whole-archive").arg(library);
            command.args(["-Wl,--no-whole-archive", "-ldl", "-lpthread", "-lm"]);
        }
    } else {
        // A shared library uses the library of the program that it becomes a part of.
        let whose = if is_shared { "none" } else { "program" };
        command
            .arg("-static-libtsan")
            .arg("-L")
            .arg(directory.join(whose));
        command.arg("-B").arg(directory.join(whose)).args(words);
    }
    Ok(command)
}

fn is_on_path(name: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|directory| directory.join(name).is_file())
}

fn is_clang(compiler: &OsStr) -> bool {
    let output = Command::new(compiler).arg("--version").output();
    output.is_ok_and(|output| String::from_utf8_lossy(&output.stdout).contains("clang"))
}
