//! The command line of Mazurka.
//!
//! [`arguments`] says what can be typed; each command has a module of its own. Results go to
//! standard output, everything else to standard error. The exit code is the verdict: 0 holds,
//! 1 violated, 2 bad usage or bad input, 3 inconclusive.

#![forbid(unsafe_code)]

mod arguments;
mod check;
#[cfg(feature = "cluster")]
mod cluster;
#[cfg(target_os = "linux")]
mod compile;
mod compose;
mod explain;
#[cfg(target_os = "linux")]
mod exploration;
#[cfg(target_os = "linux")]
mod explore;
mod export;
mod graph;
mod hints;
mod interrupt;
mod ltl;
mod merge;
mod model;
mod progress;
#[cfg(target_os = "linux")]
mod replay;
mod resume;
mod show;
mod simulate;
#[cfg(feature = "studio")]
mod studio;
mod suite;
mod supervision;
mod terminal;
mod tests;
mod trouble;
mod values;
mod watch;

use std::io;
use std::process::ExitCode;

use clap::CommandFactory;
use mazurka_checker::{Verdict, contained};

use arguments::{Arguments, Command};
use trouble::Trouble;

fn main() -> ExitCode {
    #[cfg(target_os = "linux")]
    if let Some(code) = compile::assembler() {
        return code.into();
    }
    let arguments = match Arguments::of_command_line() {
        Ok(arguments) => arguments,
        Err(code) => return code,
    };
    // Whatever breaks ends as any trouble does: with a sentence and its exit code.
    let result = contained("mazurka", || run(arguments.command));
    match result.map_err(Trouble::from).and_then(|result| result) {
        Ok(exit) => exit.into(),
        Err(trouble) => trouble.report(),
    }
}

fn run(command: Command) -> Result<Exit, Trouble> {
    match command {
        Command::Check(arguments) => check::check(&arguments),
        Command::Watch(arguments) => watch::watch(&arguments),
        Command::Suite(arguments) => suite::suite(&arguments),
        Command::Explain(arguments) => explain::explain(&arguments),
        Command::Simulate(arguments) => simulate::simulate(&arguments),
        Command::Show(arguments) => show::show(&arguments),
        Command::Resume(arguments) => resume::resume(&arguments),
        Command::Merge(arguments) => merge::merge(&arguments),
        #[cfg(feature = "cluster")]
        Command::Cluster(arguments) => cluster::cluster(&arguments),
        Command::Ltl(arguments) => ltl::ltl(&arguments),
        Command::Graph(arguments) => graph::graph(&arguments),
        Command::Compose(arguments) => compose::compose(&arguments),
        Command::Export(arguments) => export::export(&arguments),
        Command::Tests(arguments) => tests::tests(&arguments),
        #[cfg(target_os = "linux")]
        Command::Cc(arguments) => compile::compile(mazurka_threads::Language::C, &arguments),
        #[cfg(target_os = "linux")]
        Command::Cpp(arguments) => compile::compile(mazurka_threads::Language::Cpp, &arguments),
        #[cfg(target_os = "linux")]
        Command::Explore(arguments) => explore::explore(&arguments),
        #[cfg(target_os = "linux")]
        Command::Replay(arguments) => replay::replay(&arguments),
        #[cfg(feature = "studio")]
        Command::Studio(arguments) => studio::studio(&arguments),
        Command::Completions { shell } => completions(shell),
        Command::Man => manual(),
    }
}

fn completions(shell: clap_complete::Shell) -> Result<Exit, Trouble> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Arguments::command(), "mazurka", &mut script);
    terminal::print_bytes(&script)?;
    Ok(Exit::Holds)
}

/// The manual page: one for all commands, since none is long enough for its own.
fn manual() -> Result<Exit, Trouble> {
    let mut command = Arguments::command().disable_help_subcommand(true);
    command.build();
    let page = manual_of(&command).map_err(Trouble::Output)?;
    terminal::print_bytes(&page)?;
    Ok(Exit::Holds)
}

fn manual_of(command: &clap::Command) -> io::Result<Vec<u8>> {
    let mut page = Vec::new();
    let overview = clap_mangen::Man::new(command.clone());
    overview.render_title(&mut page)?;
    overview.render_name_section(&mut page)?;
    overview.render_synopsis_section(&mut page)?;
    for subcommand in command.get_subcommands() {
        let heading = format!("mazurka {}", subcommand.get_name()).to_uppercase();
        let mut part = Vec::new();
        let manual = clap_mangen::Man::new(subcommand.clone());
        manual.render_synopsis_section(&mut part)?;
        manual.render_description_section(&mut part)?;
        manual.render_options_section(&mut part)?;
        let part = String::from_utf8_lossy(&part).replace(".SH ", ".SS ");
        page.extend(format!(".SH \"{heading}\"\n{part}").bytes());
    }
    overview.render_extra_section(&mut page)?;
    overview.render_version_section(&mut page)?;
    Ok(page)
}

/// What the exit code says.
/// The better comes first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Exit {
    /// The property holds, or what was asked is done.
    Holds,
    /// Nothing is decided.
    Inconclusive,
    /// A violation was found.
    Violated,
    /// A model could not be checked, and it was said why.
    Refused,
}

impl Exit {
    /// The verdict of a verification.
    fn of(verdict: Verdict) -> Exit {
        match verdict {
            Verdict::Holds => Exit::Holds,
            Verdict::Violated => Exit::Violated,
            Verdict::Inconclusive | Verdict::NotDecided => Exit::Inconclusive,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(match exit {
            Exit::Holds => 0,
            Exit::Violated => 1,
            Exit::Inconclusive => 3,
            Exit::Refused => 2,
        })
    }
}
