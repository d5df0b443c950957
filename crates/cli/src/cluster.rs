//! Checks on several machines: a member of a cluster, and `mazurka cluster run`, which starts all of them.

use std::net::{TcpListener, ToSocketAddrs};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use clap::Parser;
use mazurka_cluster::{Folder, Joined, Kept, Launched, addresses, new_secret, stop_with_launcher};

use crate::Exit;
use crate::arguments::{
    Arguments, ClusterArguments, ClusterCommand, RunArguments, SearchArguments,
};
use crate::check::refuse;
use crate::interrupt;
use crate::resume::of_folder;
use crate::supervision::words_typed;
use crate::terminal::complain;
use crate::trouble::Trouble;

/// Stands for the exit code of a member that was killed.
const LOST: i32 = -1;

/// The member of a cluster that this process is, as its options say.
pub fn joined(how: &SearchArguments) -> Result<Joined, String> {
    let given = &how.member;
    let kept = match (&how.checkpoint, how.resumes) {
        (Some(path), resumes) => {
            let words = (!resumes).then(words_typed).transpose();
            Some(Kept {
                path: path.clone(),
                every: how.checkpoint_every,
                words: words.map_err(|error| error.to_string())?,
            })
        }
        (None, _) => None,
    };
    let joined = Joined::new(
        given.cluster.as_deref().unwrap_or_default(),
        given.member.unwrap_or(1) as usize - 1,
        given.cluster_secret.as_deref(),
        given.cluster_wait,
        kept,
    )?;
    if given.cluster_secret.as_deref() == Some(Path::new("-")) {
        stop_with_launcher(interrupt::shared());
    }
    Ok(joined)
}

/// Runs the command.
pub fn cluster(arguments: &ClusterArguments) -> Result<Exit, Trouble> {
    let ClusterCommand::Run(arguments) = &arguments.command;
    run(arguments)
}

/// Starts all members and waits for them.
fn run(arguments: &RunArguments) -> Result<Exit, Trouble> {
    let addresses = addresses(&arguments.hosts, arguments.port).map_err(Trouble::Usage)?;
    let is_here = addresses.iter().any(|address| is_here(address));
    let kept = refuse_once(&arguments.arguments, is_here)?;
    if arguments.auto_resume.is_some() && kept.is_none() {
        let message = "--auto-resume needs `check` with --checkpoint, or `resume`";
        return Err(Trouble::Usage(message.into()));
    }
    let mut words = arguments.arguments.clone();
    for left in (0..=arguments.auto_resume.unwrap_or(0)).rev() {
        let codes = run_once(arguments, &addresses, &words)?;
        // Who ends by itself says how.
        let is_lost = codes.iter().any(|code| !(0..=3).contains(code));
        match &kept {
            Some(folder)
                if is_lost
                    && left > 0
                    && !interrupt::requested()
                    && Folder::has_commits(folder) =>
            {
                complain("a member is lost; the search is resumed\n");
                words = vec!["resume".into(), folder.display().to_string()];
            }
            _ => return Ok(exit_of(&codes)),
        }
    }
    Ok(Exit::Inconclusive)
}

/// What every member would say about its command is said once, before any of them is started; if none is on this machine, only what is wrong
/// with the words. Gives the folder in which the search is kept.
fn refuse_once(words: &[String], is_here: bool) -> Result<Option<PathBuf>, Trouble> {
    if !matches!(words.first().map(String::as_str), Some("check" | "resume")) {
        let message =
            "a cluster runs `check` or `resume` and its arguments, such as -- check model.pml";
        return Err(Trouble::Usage(message.into()));
    }
    let member = ["--cluster", "localhost:1", "--member", "1"].map(String::from);
    let all = [&["mazurka".to_string()], words, &member].concat();
    let command = match Arguments::try_parse_from(all) {
        Ok(arguments) => arguments.command,
        // The help, which the first member prints.
        Err(error) if !error.use_stderr() => return Ok(None),
        Err(error) => return Err(Trouble::Diagnostics(error.to_string())),
    };
    let (arguments, kept) = match command {
        crate::arguments::Command::Check(arguments) => {
            let kept = arguments.how.checkpoint.clone();
            (is_here.then_some(arguments), kept)
        }
        crate::arguments::Command::Resume(given) => {
            let arguments = is_here.then(|| of_folder(&given)).transpose()?;
            (arguments, Some(given.checkpoint))
        }
        _ => return Ok(None),
    };
    arguments.map_or(Ok(()), |arguments| refuse(&arguments))?;
    Ok(kept)
}

/// Starts all members with these words, and waits for their exit codes.
fn run_once(
    arguments: &RunArguments,
    addresses: &[String],
    words: &[String],
) -> Result<Vec<i32>, Trouble> {
    let secret = new_secret().map_err(Trouble::Usage)?;
    let mut launched = Launched::default();
    for (number, address) in addresses.iter().enumerate() {
        let command = member_command(arguments, (addresses, words), number);
        let started = command.and_then(|command| launched.start(command, &secret));
        started.map_err(|reason| {
            let message = format!("cannot start member {} at {address}: {reason}", number + 1);
            Trouble::Usage(message)
        })?;
    }
    let codes = launched.wait(interrupt::watch());
    for number in (0..codes.len()).filter(|number| codes[*number].is_none()) {
        complain(&format!("member {} was ended\n", number + 1));
    }
    let codes = codes.into_iter();
    Ok(codes.map(|code| code.unwrap_or(LOST)).collect())
}

/// What all members together say: their common word, or that they have none.
fn exit_of(codes: &[i32]) -> Exit {
    let all_say = |code: i32| codes.iter().all(|other| *other == code);
    match codes {
        _ if all_say(0) => Exit::Holds,
        _ if all_say(1) => Exit::Violated,
        _ if codes.contains(&2) => Exit::Refused,
        _ => Exit::Inconclusive,
    }
}

/// Is an address one of this machine?
fn is_here(address: &str) -> bool {
    let mut found = address.to_socket_addrs().into_iter().flatten();
    found.any(|address| TcpListener::bind((address.ip(), 0)).is_ok())
}

/// What starts a member.
fn member_command(
    arguments: &RunArguments,
    (addresses, words): (&[String], &[String]),
    number: usize,
) -> std::io::Result<Command> {
    let address = &addresses[number];
    let mut words = words.to_vec();
    words.extend([
        "--cluster".into(),
        addresses.join(","),
        "--member".into(),
        (number + 1).to_string(),
        "--cluster-secret".into(),
        "-".into(),
    ]);
    // One verdict is enough; what goes wrong is told by all.
    let is_quiet = words.iter().any(|word| word == "--quiet" || word == "-q");
    if number > 0 && !is_quiet {
        words.push("--quiet".into());
    }
    let mut command = match is_here(address) {
        true => {
            let mut command = Command::new(std::env::current_exe()?);
            command.args(&words);
            command
        }
        false => {
            let host = address
                .rsplit_once(':')
                .map_or(&**address, |(host, _)| host);
            let quoted: Vec<String> = words.iter().map(|word| quoted(word)).collect();
            let mut command = Command::new(&arguments.ssh);
            command.arg(host).arg("--");
            command.arg(format!(
                "{} {}",
                quoted_path(&arguments.remote),
                quoted.join(" ")
            ));
            command
        }
    };
    if number > 0 {
        command.stdout(Stdio::null());
    }
    Ok(command)
}

/// A word as a shell takes it.
fn quoted(word: &str) -> String {
    format!("'{}'", word.replace('\'', r"'\''"))
}

/// A path as a shell takes it; `~` stays what it is.
fn quoted_path(path: &str) -> String {
    match path.strip_prefix("~/") {
        Some(rest) => format!("~/{}", quoted(rest)),
        None => quoted(path),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_survive_a_shell() {
        assert_eq!(quoted("it's"), r"'it'\''s'");
        assert_eq!(quoted_path("~/bin/mazurka"), "~/'bin/mazurka'");
    }

    #[test]
    fn one_code_for_all() {
        assert_eq!(exit_of(&[0, 0]), Exit::Holds);
        assert_eq!(exit_of(&[1, 1]), Exit::Violated);
        assert_eq!(exit_of(&[3, 3]), Exit::Inconclusive);
        assert_eq!(exit_of(&[0, 3]), Exit::Inconclusive);
        assert_eq!(exit_of(&[2, 3]), Exit::Refused);
    }
}
