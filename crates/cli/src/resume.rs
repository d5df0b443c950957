//! `mazurka resume`: a check that was saved.

use std::ffi::OsStr;
use std::path::Path;

use clap::Parser;
use mazurka_checker::SavedSearch;
use mazurka_explore::CheckpointFile;
use mazurka_scenario::shell_command;

use crate::Exit;
use crate::arguments::{Arguments, Command, ResumeArguments};
use crate::check;
use crate::trouble::Trouble;

/// Runs the command.
pub fn resume(given: &ResumeArguments) -> Result<Exit, Trouble> {
    let path = &given.checkpoint;
    let refused = |reason: &str| {
        let path = path.display();
        Trouble::Usage(format!("cannot resume {path}: {reason}"))
    };
    if let Some(reason) = of_a_program(path) {
        return Err(refused(&reason));
    }
    let saved = SavedSearch::open(path)?;
    let words = ["mazurka", "check"].into_iter().map(String::from);
    let words = words.chain(saved.note().iter().cloned());
    let mut arguments = match Arguments::try_parse_from(words).map(|known| known.command) {
        Ok(Command::Check(arguments)) => arguments,
        _ => return Err(refused("its options are not understood")),
    };
    let [file] = arguments.files.as_mut_slice() else {
        return Err(refused("its options are not understood"));
    };
    if file.is_relative() {
        let is_elsewhere = std::env::current_dir().map_or(true, |folder| folder != saved.folder());
        if is_elsewhere {
            *file = saved.folder().join(&*file);
        }
    }
    arguments.how.jobs = Some(saved.jobs());
    arguments.how.checkpoint = Some(path.clone());
    arguments.common.memory = given.memory.or(arguments.common.memory);
    arguments.common.time = given.time;
    arguments.output.json |= given.json;
    arguments.output.quiet |= given.quiet;
    check::resume(&arguments, saved)
}

/// Which command resumes it, if it is an exploration of a real program.
fn of_a_program(path: &Path) -> Option<String> {
    let command = CheckpointFile::command_of(path)?;
    let command = resume_command(path, &[], &command);
    Some(format!(
        "it belongs to a real program; resume it with: {command}"
    ))
}

/// What resumes an exploration that was saved; `command` says what was explored, and how.
pub fn resume_command(saved: &Path, options: &[&OsStr], command: &[String]) -> String {
    let mut words: Vec<&OsStr> = ["mazurka", "explore", "--from"].map(OsStr::new).into();
    words.push(saved.as_os_str());
    words.extend(options);
    match command.is_empty() {
        true => words.extend(["--", "PROGRAM"].map(OsStr::new)),
        false => words.extend(command.iter().map(OsStr::new)),
    }
    shell_command(words)
}
