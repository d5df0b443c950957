//! `mazurka resume`: a check that was saved.

use std::ffi::OsStr;
use std::path::Path;

use clap::Parser;
use mazurka_checker::SavedSearch;
use mazurka_explore::CheckpointFile;
use mazurka_scenario::shell_command;

use crate::Exit;
use crate::arguments::{Arguments, CheckArguments, Command, ResumeArguments};
use crate::check;
use crate::trouble::Trouble;

/// Runs the command.
pub fn resume(given: &ResumeArguments) -> Result<Exit, Trouble> {
    let path = &given.checkpoint;
    #[cfg(feature = "cluster")]
    if path.is_dir() || given.member.cluster.is_some() {
        let arguments = of_folder(given)?;
        return check::resume(&arguments, None);
    }
    if let Some(reason) = of_a_program(path) {
        return Err(refused(path, &reason));
    }
    let saved = SavedSearch::open(path)?;
    let arguments = typed(given, saved.note(), saved.folder());
    let mut arguments = arguments.ok_or_else(|| refused(path, "its options are not understood"))?;
    arguments.how.jobs = Some(saved.jobs());
    check::resume(&arguments, Some(saved))
}

/// What a member does that resumes the search in a folder.
#[cfg(feature = "cluster")]
pub fn of_folder(given: &ResumeArguments) -> Result<Box<CheckArguments>, Trouble> {
    let path = &given.checkpoint;
    let about = mazurka_cluster::About::of(path).map_err(|reason| refused(path, &reason))?;
    let arguments = typed(given, &about.words, &about.folder);
    let mut arguments = arguments.ok_or_else(|| refused(path, "its options are not understood"))?;
    if given.member.cluster.is_none() {
        let hosts = arguments.how.member.cluster.as_deref();
        let hosts = hosts.and_then(|hosts| mazurka_cluster::hosts(hosts).ok());
        let hosts = hosts.unwrap_or_else(|| vec!["HOSTS".into()]);
        let command = mazurka_cluster::resume_command(&hosts, path);
        return Err(refused(
            path,
            &format!("its members are several processes: {command}"),
        ));
    }
    arguments.how.jobs = given.jobs.or(arguments.how.jobs);
    arguments.how.member = given.member.clone();
    arguments.how.resumes = true;
    Ok(arguments)
}

fn refused(path: &Path, reason: &str) -> Trouble {
    Trouble::Usage(format!("cannot resume {}: {reason}", path.display()))
}

/// What was typed, in this folder, when the search began, and what is different now.
fn typed(given: &ResumeArguments, words: &[String], folder: &Path) -> Option<Box<CheckArguments>> {
    let check = ["mazurka", "check"].into_iter().map(String::from);
    let words = check.chain(words.iter().cloned());
    let Ok(Command::Check(mut arguments)) =
        Arguments::try_parse_from(words).map(|known| known.command)
    else {
        return None;
    };
    let [file] = arguments.files.as_mut_slice() else {
        return None;
    };
    if file.is_relative() {
        let is_elsewhere = std::env::current_dir().map_or(true, |current| current != folder);
        if is_elsewhere {
            *file = folder.join(&*file);
        }
    }
    arguments.how.checkpoint = Some(given.checkpoint.clone());
    arguments.common.memory = given.memory.or(arguments.common.memory);
    arguments.common.time = given.time;
    arguments.output.json = given.json || arguments.output.json && given.format.is_none();
    arguments.common.format = given.format.unwrap_or(arguments.common.format);
    arguments.output.quiet |= given.quiet;
    Some(arguments)
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
