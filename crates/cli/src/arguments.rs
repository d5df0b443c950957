//! What can be typed on the command line.
//!
//! The choices of a verification are those of [`Config`], which `check` fills; what goes together is not decided here.

#[cfg(target_os = "linux")]
mod programs;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, CommandFactory, FromArgMatches, Parser, Subcommand};
use mazurka_checker::{
    Config, Dependency, Emptiness, Footprint, Notation, Order, Property, Reduction, Share,
    ShareOrOff, Store, Switch, Symmetry,
};
use mazurka_draw::GraphForm;
use mazurka_generate::TestForm;
use mazurka_report::Format;
use mazurka_scenario::choices;
use mazurka_scenario::figures::{parse_duration, parse_size};

#[cfg(target_os = "linux")]
pub use programs::*;

use crate::hints::with_hint;
use crate::trouble::Trouble;
use crate::values::{choice, model_help, notation, parse_width, whole};

/// The most threads or copies of a program.
const MOST_JOBS: i64 = mazurka_checker::MOST_JOBS as i64;

const NOTATION_HELP: &str =
    "The notation, if neither the name of the file nor its first words tell it";

const EXAMPLES: &str = "\
Examples:
  mazurka check model.pml                    verify it: deadlocks, assertions, formulas
  mazurka check *.pml --format junit         all of them, for a build server
  mazurka show model.scenario.json           what goes wrong, step by step
  mazurka simulate -i model.pml              choose the steps yourself
  mazurka explain P0101                      what a message means

Exit code: 0 holds, 1 violated, 2 bad usage or bad input, 3 inconclusive.";

const CHECK_EXAMPLES: &str = "\
Examples:
  mazurka check model.pml                    deadlocks, assertions, formulas of the model
  mazurka check model.pml --ltl '[] (x < 3)' this formula
  mazurka check model.pml --search bfs --reduce none
                                             a shortest scenario of all
  mazurka check *.pml --format sarif         several models, for other tools

-h shows what matters most, --help everything.
Exit code: 0 holds, 1 violated, 2 bad usage or bad input, 3 inconclusive; of several models, the worst.";

/// Verifies concurrent systems: every interleaving, once.
#[derive(Parser, Debug)]
#[command(name = "mazurka", version, max_term_width = 100)]
#[command(after_help = EXAMPLES)]
pub struct Arguments {
    #[command(subcommand)]
    pub command: Command,
}

impl Arguments {
    /// What was typed. What is wrong with it, or the help that was asked for, is told, and the exit code is left.
    pub fn of_command_line() -> Result<Arguments, ExitCode> {
        // `--depth -1` is a wrong number, not an unknown option.
        let with_negative = |option: clap::Arg| match option.get_action().takes_values() {
            true if !option.is_positional() => option.allow_negative_numbers(true),
            _ => option,
        };
        let mut command =
            Arguments::command().mut_subcommands(|command| command.mut_args(with_negative));
        let matches = command.try_get_matches_from_mut(std::env::args_os());
        let matches = matches.map_err(|error| told(&with_hint(error, &command)))?;
        Arguments::from_arg_matches(&matches).map_err(|error| told(&error))
    }
}

/// Prints what the parser of the command line has to say. Help that cannot be printed is no success.
fn told(error: &clap::Error) -> ExitCode {
    match error.print() {
        Err(failed) if !error.use_stderr() => Trouble::Output(failed).report(),
        _ => ExitCode::from(error.exit_code() as u8),
    }
}

#[derive(Subcommand, Debug)]
pub enum Command {
    /// Verify a model
    Check(Box<CheckArguments>),
    /// Verify models again whenever they change
    Watch(Box<CheckArguments>),
    /// Verify the models of a `mazurka.toml` and compare the results with what it expects
    Suite(SuiteArguments),
    /// Say what a diagnostic or a violation means
    Explain(ExplainArguments),
    /// Run a model at random, interactively or along a scenario
    Simulate(SimulateArguments),
    /// Print a scenario
    Show(ShowArguments),
    /// Resume a search that was saved
    Resume(ResumeArguments),
    /// Join the results of the parts of a swarm
    Merge(MergeArguments),
    /// Start a check on several machines
    #[cfg(feature = "cluster")]
    Cluster(ClusterArguments),
    /// Print the graph of a process, or of all states
    Graph(GraphArguments),
    /// Put a model in .efsm together from parts that are reduced first
    Compose(ComposeArguments),
    /// Print a model in another notation, or write it as code that runs
    Export(ExportArguments),
    /// Write short runs that together exercise every part of a machine
    Tests(TestsArguments),
    /// Print the Büchi automaton of a formula
    Ltl(LtlArguments),
    /// Compile and link a threaded C program, unchanged, so that `explore` can control it
    #[command(after_help = COMPILE_EXAMPLES)]
    #[cfg(target_os = "linux")]
    Cc(CompileArguments),
    /// Compile and link a threaded C++ program, unchanged, so that `explore` can control it
    #[command(name = "c++", after_help = COMPILE_CPP_EXAMPLES)]
    #[cfg(target_os = "linux")]
    Cpp(CompileArguments),
    /// Verify a real program that is built with `mazurka cc` or linked with Mazurka's library
    #[cfg(target_os = "linux")]
    Explore(Box<ExploreArguments>),
    /// Repeat one execution of a real program
    #[cfg(target_os = "linux")]
    Replay(ReplayArguments),
    /// Open a model, a scenario or a program in a local web page: step, inspect, check
    #[cfg(feature = "studio")]
    Studio(StudioArguments),
    /// Print a completion script for a shell
    Completions { shell: clap_complete::Shell },
    /// Print the manual page
    Man,
}

/// Which model, and how to read it.
#[derive(Args, Debug)]
pub struct ModelArguments {
    #[arg(help = model_help("The model"))]
    pub file: PathBuf,
    /// Define a macro of the model; may be repeated
    #[arg(short = 'D', long, value_name = "NAME[=VALUE]")]
    pub define: Vec<String>,
    #[arg(long, value_name = "NAME", value_parser = notation(), help = NOTATION_HELP)]
    pub notation: Option<&'static dyn Notation>,
}

#[derive(Args, Debug)]
#[command(after_help = CHECK_EXAMPLES, after_long_help = CHECK_EXAMPLES, mut_args = shown_in_help)]
pub struct CheckArguments {
    #[arg(required = true, value_name = "FILE", help = model_help("The models"))]
    pub files: Vec<PathBuf>,
    #[command(flatten, next_help_heading = COMMON)]
    pub common: CommonArguments,
    #[command(flatten, next_help_heading = "Properties")]
    pub properties: PropertyArguments,
    #[command(flatten, next_help_heading = "Search")]
    pub how: SearchArguments,
    #[command(flatten, next_help_heading = "Reduction")]
    pub reduction: ReductionArguments,
    /// The length of the longest path to search
    #[arg(long, value_name = "N", value_parser = whole::<usize>, help_heading = "Limits")]
    pub depth: Option<usize>,
    #[command(flatten, next_help_heading = "Input")]
    pub input: InputArguments,
    #[command(flatten, next_help_heading = "Output")]
    pub output: OutputArguments,
}

/// The heading of what `-h` shows.
const COMMON: &str = "Common";

/// Leaves what is rarely needed to `--help`.
fn shown_in_help(argument: clap::Arg) -> clap::Arg {
    match argument.get_help_heading() {
        None | Some(COMMON) => argument,
        Some(_) => argument.hide_short_help(true),
    }
}

#[derive(Args, Debug)]
pub struct CommonArguments {
    /// Define a macro of the model; may be repeated
    #[arg(short = 'D', long, value_name = "NAME[=VALUE]")]
    pub define: Vec<String>,
    /// Check this formula, such as '[] (request -> <> reply)'
    #[arg(long, value_name = "FORMULA")]
    pub ltl: Option<String>,
    /// The order of the search; bfs finds a shortest scenario (with a reduction, of those it leaves) [default: dfs; bfs in a cluster]
    #[arg(long, value_parser = choice::<Order>())]
    pub search: Option<Order>,
    /// Do not stop at the first violation
    #[arg(long)]
    pub all: bool,
    /// Time for all searches, shared by the properties, such as 30s, 5m or 1h30m
    #[arg(long, value_name = "DURATION", value_parser = parse_duration)]
    pub time: Option<std::time::Duration>,
    /// Memory for states, such as 200M or 4G [default: three quarters of what is available]
    #[arg(long, value_name = "SIZE", value_parser = parse_size)]
    pub memory: Option<u64>,
    /// How the result is printed
    #[arg(long, value_parser = choice::<Format>(), default_value = "human")]
    pub format: Format,
}

#[derive(Args, Debug)]
pub struct PropertyArguments {
    /// What to look for; run-time errors are reported too, but with deadlock and a reduction only those met on the way
    #[arg(long, value_parser = choice::<Property>(), default_value = "all")]
    pub property: Property,
    /// Check the named ltl block or never claim
    #[arg(long, value_name = "NAME")]
    pub claim: Option<String>,
    /// Look for acceptance cycles
    #[arg(long)]
    pub acceptance: bool,
    /// Look for cycles without progress
    #[arg(long = "livelock", alias = "progress")]
    pub progress: bool,
    /// Consider only executions in which no process is ignored for ever
    #[arg(long)]
    pub fair: bool,
    /// How cycles are looked for [default: nested; scc with several jobs]
    #[arg(long, value_parser = choice::<Emptiness>())]
    pub emptiness: Option<Emptiness>,
}

#[derive(Args, Debug)]
pub struct SearchArguments {
    /// How states are remembered [default: exact; none for walks and stack; bitstate for swarm]
    #[arg(long, value_parser = choice::<Store>())]
    pub store: Option<Store>,
    /// The number of bits of a fingerprint in the compact store: 40 to 64, or 128
    #[arg(long, value_name = "BITS", default_value_t = 64)]
    pub fingerprint: u32,
    /// The number of threads [default: all cores; 1 in a cluster and where the search cannot use
    /// more]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=MOST_JOBS))]
    pub jobs: Option<u32>,
    /// Seed of a randomized search [default: 1]
    #[arg(long, value_name = "N", value_parser = whole::<u64>)]
    pub seed: Option<u64>,
    /// The cost of a state in a guided search, as an expression of the model; the lowest cost goes first
    #[arg(long, value_name = "EXPR", allow_hyphen_values = true)]
    pub guide: Option<String>,
    /// Search depth-first within a depth of N, then 2N, and so on, for a shortest scenario
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub deepen: Option<u32>,
    /// Do only this part of a swarm, such as 2/8
    #[arg(long, value_name = "I/N")]
    pub shard: Option<String>,
    #[cfg(feature = "cluster")]
    #[command(flatten)]
    pub member: MemberArguments,
    /// Save the search in this file at intervals and when it is interrupted; see `mazurka resume`. In a cluster: a folder, at intervals
    #[arg(long, value_name = "FILE")]
    pub checkpoint: Option<PathBuf>,
    /// Is the search in that folder to be resumed?
    #[cfg(feature = "cluster")]
    #[arg(skip)]
    pub resumes: bool,
    /// How often to save the search
    #[arg(long, value_name = "DURATION", default_value = "10m", requires = "checkpoint", value_parser = parse_duration)]
    pub checkpoint_every: std::time::Duration,
    /// Check what the search relies on in this share of its states, from 0 to 1, or off [default: a small share]
    #[arg(long, value_name = "SHARE|off")]
    pub audit: Option<ShareOrOff>,
}

/// Which member of which cluster a process is.
#[cfg(feature = "cluster")]
#[derive(Args, Debug, Clone)]
pub struct MemberArguments {
    /// Search together with other processes: a file with their addresses, one HOST:PORT a line, or the addresses with commas between them
    #[arg(long, value_name = "FILE|HOSTS", requires = "member")]
    pub cluster: Option<String>,
    /// Which member of the cluster this is, counted from 1
    #[arg(long, value_name = "I", requires = "cluster", value_parser = clap::value_parser!(u32).range(1..))]
    pub member: Option<u32>,
    /// A file with the secret that all members know, - for standard input; not needed where all are on this machine
    #[arg(long, value_name = "FILE", requires = "cluster")]
    pub cluster_secret: Option<PathBuf>,
    /// How long to wait for other members
    #[arg(long, value_name = "DURATION", default_value = "60s", requires = "cluster", value_parser = parse_duration)]
    pub cluster_wait: std::time::Duration,
}

#[derive(Args, Debug)]
pub struct ReductionArguments {
    /// How equivalent interleavings are left out; auto takes the best that is sound
    #[arg(long, value_parser = choice::<Reduction>(), default_value = "auto")]
    pub reduce: Reduction,
    /// Sleep sets: take independent steps in one order only (depth-first) [default: off]
    #[arg(long, value_parser = choice::<Switch>(), value_name = "SWITCH")]
    pub sleep: Option<Switch>,
    /// The dependency relation of a reduction [default: refined]
    #[arg(long, value_parser = choice::<Dependency>())]
    pub dependency: Option<Dependency>,
    /// What persistent sets know about processes [default: run]
    #[arg(long, value_parser = choice::<Footprint>())]
    pub footprint: Option<Footprint>,
    /// Treat states as one if they differ only in which of several processes does what, where the processes are proved to be alike (identities: up to their number or a parameter)
    /// [default: auto, but off with --reduce none or --optimize off]
    #[arg(long, value_parser = choice::<Symmetry>())]
    pub symmetry: Option<Symmetry>,
    /// Structural reductions; off counts states as SPIN does after -o1 -o2 -o3
    #[arg(long, value_parser = choice::<Switch>(), value_name = "SWITCH", default_value = "on")]
    pub optimize: Switch,
    /// Merge local statements that follow each other [default: as --optimize]
    #[arg(long = "merge-steps", alias = "merge", value_parser = choice::<Switch>(), value_name = "SWITCH")]
    pub merge: Option<Switch>,
    /// Collapse local chains, with their branches [default: as --optimize]
    #[arg(long, value_parser = choice::<Switch>(), value_name = "SWITCH")]
    pub collapse: Option<Switch>,
    /// Reset variables that nobody reads again [default: as --optimize]
    #[arg(long, value_parser = choice::<Switch>(), value_name = "SWITCH")]
    pub reset: Option<Switch>,
}

#[derive(Args, Debug)]
pub struct InputArguments {
    #[arg(long, value_name = "NAME", value_parser = notation(), help = NOTATION_HELP)]
    pub notation: Option<&'static dyn Notation>,
    /// Do not report this warning, such as P0207; `warnings` stands for all of them; may be repeated
    #[arg(long, value_name = "CODE")]
    pub allow: Vec<String>,
    /// Treat this warning as an error; `warnings` stands for all of them; may be repeated
    #[arg(long, value_name = "CODE")]
    pub deny: Vec<String>,
}

#[derive(Args, Debug)]
pub struct OutputArguments {
    /// The same as --format json
    #[arg(long, conflicts_with = "format")]
    pub json: bool,
    /// Print the verdicts only, and where scenarios are
    #[arg(short, long)]
    pub quiet: bool,
    /// Look for a shorter scenario of what was found, by at most 1,200,000 steps
    #[arg(long, value_parser = choice::<Switch>(), value_name = "SWITCH", default_value = "on")]
    pub shorten: Switch,
    /// Where to write the scenario of a violation; MODEL.scenario.json by default
    #[arg(long, value_name = "FILE")]
    pub scenario: Option<PathBuf>,
    /// Write a report as one self-contained page: verdicts, figures, charts, coverage
    #[arg(long, value_name = "FILE")]
    pub report: Option<PathBuf>,
}

#[derive(Args, Debug)]
pub struct SuiteArguments {
    /// The file, or the folder that it is in
    #[arg(default_value = ".", hide_default_value = true)]
    pub path: PathBuf,
    /// Only the models whose names contain this; may be repeated
    #[arg(long, value_name = "TEXT")]
    pub only: Vec<String>,
    /// How the result is printed
    #[arg(long, value_parser = choice::<SuiteForm>(), default_value = "human")]
    pub format: SuiteForm,
    /// Print only the models that are not as expected
    #[arg(short, long)]
    pub quiet: bool,
}

#[derive(Args, Debug)]
pub struct ExplainArguments {
    /// A code, such as P0119, or a kind of violation, such as deadlock; without it, all are listed
    pub code: Option<String>,
}

#[derive(Args, Debug)]
#[command(
    override_usage = "mazurka simulate [OPTIONS] <FILE>\n       mazurka simulate [OPTIONS] -- <PROGRAM>..."
)]
pub struct SimulateArguments {
    #[arg(help = model_help("The model"))]
    #[cfg_attr(target_os = "linux", arg(required_unless_present = "program"))]
    #[cfg_attr(not(target_os = "linux"), arg(required = true))]
    pub file: Option<PathBuf>,
    /// Define a macro of the model; may be repeated
    #[arg(short = 'D', long, value_name = "NAME[=VALUE]")]
    pub define: Vec<String>,
    #[arg(long, value_name = "NAME", value_parser = notation(), help = NOTATION_HELP)]
    pub notation: Option<&'static dyn Notation>,
    /// Seed of the random choices
    #[arg(long, value_name = "N", value_parser = whole::<u64>)]
    pub seed: Option<u64>,
    /// Stop after this many steps
    #[arg(long, value_name = "N", value_parser = whole::<usize>, default_value_t = 10_000)]
    pub steps: usize,
    /// Choose each step
    #[arg(short, long)]
    pub interactive: bool,
    /// Begin with the steps of a scenario
    #[arg(long, value_name = "FILE")]
    pub scenario: Option<PathBuf>,
    /// Go on at random where the scenario ends
    #[arg(
        long = "continue",
        requires = "scenario",
        conflicts_with = "interactive"
    )]
    pub go_on: bool,
    /// Take the steps of a trace that exported code wrote, and say where the code does what the model does not
    #[arg(long, value_name = "TRACE", conflicts_with_all = ["scenario", "interactive", "seed"])]
    pub follow: Option<PathBuf>,
    /// Print only what the model prints
    #[arg(short, long, conflicts_with = "interactive")]
    pub quiet: bool,
    /// A program that was not built for it; see `mazurka explore --help`
    #[cfg(target_os = "linux")]
    #[arg(long, requires = "program", conflicts_with = "scenario")]
    pub preload: bool,
    /// A real program and its arguments, instead of a model: its steps are chosen by hand, or at random if a seed is given
    #[cfg(target_os = "linux")]
    #[arg(
        last = true,
        value_name = "PROGRAM",
        conflicts_with_all = ["file", "define", "notation", "go_on", "follow", "quiet"]
    )]
    pub program: Vec<std::ffi::OsString>,
}

#[derive(Args, Debug)]
pub struct ShowArguments {
    /// The scenario
    pub scenario: PathBuf,
    /// How to print it
    #[arg(long = "as", value_parser = choice::<ScenarioForm>(), value_name = "FORM", default_value = "text")]
    pub form: ScenarioForm,
    /// The model, if it is not where the scenario says
    #[arg(long, value_name = "FILE")]
    pub model: Option<PathBuf>,
    /// The number of columns to print, at least 40
    #[arg(long, value_name = "N", value_parser = parse_width)]
    pub width: Option<usize>,
    /// Begin with this step (text and msc)
    #[arg(long, value_name = "N", value_parser = whole::<usize>)]
    pub from: Option<usize>,
    /// End with this step (text and msc)
    #[arg(long, value_name = "N", value_parser = whole::<usize>)]
    pub to: Option<usize>,
    /// Only steps of this process: its type, its name or its number; may be repeated (text and msc)
    #[arg(long, value_name = "PROCESS")]
    pub process: Vec<String>,
    /// Only steps that send or receive (text and msc)
    #[arg(long)]
    pub messages: bool,
    /// Only steps that change this variable (text and msc)
    #[arg(long, value_name = "VAR")]
    pub changes: Option<String>,
    /// Print all values after this step instead; 0 is the initial state
    #[arg(long, value_name = "N", value_parser = whole::<usize>, conflicts_with_all = ["from", "to", "process", "messages", "changes"])]
    pub state: Option<usize>,
}

#[cfg(feature = "studio")]
#[derive(Args, Debug)]
pub struct StudioArguments {
    /// The model, the scenario or the program
    pub file: PathBuf,
    /// Define a macro of the model; may be repeated
    #[arg(short = 'D', long, value_name = "NAME[=VALUE]")]
    pub define: Vec<String>,
    /// The model of a scenario, if it is not where the scenario says
    #[arg(long, value_name = "FILE")]
    pub model: Option<PathBuf>,
    /// Open the page in a browser
    #[arg(long)]
    pub open: bool,
    /// The port [default: any free port]
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true)]
    pub port: u16,
    /// The address to listen on; any but a loopback address lets other machines in
    #[arg(long, value_name = "IP", default_value = "127.0.0.1")]
    pub address: std::net::IpAddr,
    /// The arguments of a program
    #[arg(last = true, value_name = "ARGUMENT")]
    pub arguments: Vec<String>,
}

#[cfg(feature = "cluster")]
#[derive(Args, Debug)]
pub struct ClusterArguments {
    #[command(subcommand)]
    pub command: ClusterCommand,
}

#[cfg(feature = "cluster")]
#[derive(Subcommand, Debug)]
pub enum ClusterCommand {
    /// Start one member of a check on each host, by ssh or, on this machine, directly
    #[command(after_help = CLUSTER_EXAMPLES)]
    Run(RunArguments),
}

#[cfg(feature = "cluster")]
const CLUSTER_EXAMPLES: &str = "\
Examples:
  mazurka cluster run --hosts a,b,c -- check model.pml
  mazurka cluster run --hosts localhost,localhost -- check model.pml    two members on this machine
  mazurka cluster run --hosts a,b --auto-resume -- check model.pml --checkpoint DIR
  mazurka cluster run --hosts a,b,c -- resume DIR                       the same search by three";

#[cfg(feature = "cluster")]
#[derive(Args, Debug)]
pub struct RunArguments {
    /// The hosts, each HOST or HOST:PORT; a host may be given more than once
    #[arg(long, value_name = "HOSTS", value_delimiter = ',', required = true)]
    pub hosts: Vec<String>,
    /// The first port, where none is given
    #[arg(long, value_name = "N", default_value_t = 7117)]
    pub port: u16,
    /// The command on other machines
    #[arg(long, value_name = "PATH", default_value = "mazurka")]
    pub remote: String,
    /// What logs in to other machines
    #[arg(long, value_name = "COMMAND", default_value = "ssh")]
    pub ssh: String,
    /// If a member is lost, resume the search from its --checkpoint folder, at most N times [default: 10]
    #[arg(long, value_name = "N", num_args = 0..=1, default_missing_value = "10", require_equals = true)]
    pub auto_resume: Option<u32>,
    /// The command that each member runs: `check` or `resume` and its arguments
    #[arg(last = true, value_name = "ARGUMENT", required = true)]
    pub arguments: Vec<String>,
}

#[derive(Args, Debug)]
pub struct ResumeArguments {
    /// The file that `check --checkpoint` saved, or the folder of a cluster; it is updated as the search goes on
    pub checkpoint: PathBuf,
    #[cfg(feature = "cluster")]
    #[command(flatten)]
    pub member: MemberArguments,
    /// The number of workers of each member, if not as before
    #[cfg(feature = "cluster")]
    #[arg(long, value_name = "N", requires = "cluster", value_parser = clap::value_parser!(u32).range(1..))]
    pub jobs: Option<u32>,
    /// Memory for states, if not as before
    #[arg(long, value_name = "SIZE", value_parser = parse_size)]
    pub memory: Option<u64>,
    /// Time for the rest of the search
    #[arg(long, value_name = "DURATION", value_parser = parse_duration)]
    pub time: Option<std::time::Duration>,
    /// How the result is printed, if not as before
    #[arg(long, value_parser = choice::<Format>())]
    pub format: Option<Format>,
    /// The same as --format json
    #[arg(long, conflicts_with = "format")]
    pub json: bool,
    /// Print the verdicts only, and where scenarios are
    #[arg(short, long)]
    pub quiet: bool,
}

#[derive(Args, Debug)]
pub struct MergeArguments {
    /// What `check --json` printed for each part
    #[arg(required = true)]
    pub results: Vec<PathBuf>,
}

#[derive(Args, Debug)]
pub struct LtlArguments {
    /// The formula, such as '[] (p -> <> q)'
    pub formula: String,
    /// How to print its automaton
    #[arg(long = "as", value_parser = choice::<AutomatonForm>(), value_name = "FORM", default_value = "text")]
    pub form: AutomatonForm,
}

#[derive(Args, Debug)]
pub struct GraphArguments {
    #[command(flatten)]
    pub model: ModelArguments,
    /// How to print it
    #[arg(long = "as", value_parser = choice::<GraphForm>(), value_name = "FORM", default_value = "dot")]
    pub form: GraphForm,
    /// Print the locations and transitions of this process instead of all states
    #[arg(long, value_name = "P")]
    pub process: Option<String>,
    /// Print only what a reduction leaves when it looks for deadlocks; auto means none
    #[arg(long, value_parser = choice::<Reduction>(), default_value = "none")]
    pub reduce: Reduction,
    /// Draw what the reduction leaves out as well, faintly
    #[arg(long)]
    pub left_out: bool,
    /// Give up on a graph with more states than this
    #[arg(long, value_name = "N", value_parser = whole::<usize>, default_value_t = 100_000)]
    pub states: usize,
}

#[derive(Args, Debug)]
pub struct ComposeArguments {
    #[command(flatten)]
    pub model: ModelArguments,
    /// These machines are one part; may be repeated. Machines that are not named are parts of their own
    #[arg(long = "part", value_name = "A,B")]
    pub parts: Vec<String>,
    /// The steps of these machines are visible in what is left
    #[arg(long, value_name = "A,B", value_delimiter = ',')]
    pub visible: Vec<String>,
    /// Print the graph that is left in the end
    #[arg(long = "as", value_parser = choice::<GraphForm>(), value_name = "FORM")]
    pub form: Option<GraphForm>,
    /// Give up on a graph with more states than this
    #[arg(long, value_name = "N", value_parser = whole::<usize>, default_value_t = 200_000)]
    pub states: usize,
    /// Explore the whole as well, and tell how many states that has
    #[arg(long)]
    pub whole: bool,
    /// Write the scenario of a violation to this file
    #[arg(long, value_name = "FILE")]
    pub scenario: Option<PathBuf>,
}

#[derive(Args, Debug)]
pub struct ExportArguments {
    #[command(flatten)]
    pub model: ModelArguments,
    /// The notation, the language of the code, or how the state tables of a .vfsm model are printed; efsm prints a model in SDL as machines
    /// with ports; vfsm prints the machines of such tables (FILE.csv), or one machine alone; dot prints the diagrams of its machine types
    #[arg(
        long = "as",
        value_parser = choice::<ExportForm>(),
        value_name = "NOTATION",
        default_value = "promela"
    )]
    pub form: ExportForm,
    /// The folder for the code, with --as c or rust; what a person filled in there is kept
    #[arg(long, value_name = "FOLDER")]
    pub to: Option<PathBuf>,
    /// With --as html or csv: mark what no execution came to, by a result of `mazurka check --json`
    #[arg(long, value_name = "RESULT")]
    pub coverage: Option<PathBuf>,
    /// With --as vfsm: this machine of a .vfsm model alone, with an environment that may send it any message
    #[arg(long, value_name = "NAME")]
    pub machine: Option<String>,
}

#[derive(Args, Debug)]
#[command(mut_arg("file", |file| file.help("The model: .vfsm or .efsm")))]
pub struct TestsArguments {
    #[command(flatten)]
    pub model: ModelArguments,
    /// Scenarios for `mazurka show`, or scripts for the code that `mazurka export` writes
    #[arg(long = "as", value_parser = choice::<TestForm>(), value_name = "FORM", default_value = "scenario")]
    pub form: TestForm,
    /// The folder for the tests
    #[arg(long, value_name = "FOLDER")]
    pub to: PathBuf,
    /// Look at no more states than this
    #[arg(long, value_name = "N", value_parser = whole::<usize>, default_value_t = 200_000)]
    pub states: usize,
}

choices! {
    /// How the result of a suite is printed.
    SuiteForm {
        Human "human",
        Junit "junit",
    }

    /// How a repeated execution is printed.
    ReplayForm {
        Text "text",
        Msc "msc",
    }

    /// How a scenario is printed.
    ScenarioForm {
        Text "text",
        Msc "msc",
        Svg "svg",
        Html "html",
        Mermaid "mermaid",
        Plantuml "plantuml",
        Json "json",
    }

    /// What a model is exported as.
    ExportForm {
        Promela "promela",
        Efsm "efsm",
        C "c",
        Rust "rust",
        Html "html",
        Csv "csv",
        Vfsm "vfsm",
        Dot "dot",
    }

    /// How an automaton is printed.
    AutomatonForm {
        Text "text",
        Dot "dot",
        Hoa "hoa",
        Never "never",
    }
}

impl CheckArguments {
    /// How the result is printed.
    pub fn format(&self) -> Format {
        match self.output.json {
            true => Format::Json,
            false => self.common.format,
        }
    }

    /// What to check, and how.
    pub fn config(&self) -> Config {
        let (common, properties, how) = (&self.common, &self.properties, &self.how);
        let (reduction, input) = (&self.reduction, &self.input);
        #[cfg(feature = "cluster")]
        let cluster = how.member.cluster.is_some();
        #[cfg(not(feature = "cluster"))]
        let cluster = false;
        let usual = match cluster {
            true => Order::BreadthFirst,
            false => Order::DepthFirst,
        };
        Config {
            define: common.define.clone(),
            ltl: common.ltl.clone(),
            search: common.search.unwrap_or(usual),
            all: common.all,
            time: common.time,
            memory: common.memory,
            property: properties.property,
            claim: properties.claim.clone(),
            acceptance: properties.acceptance,
            progress: properties.progress,
            fair: properties.fair,
            emptiness: properties.emptiness,
            store: how.store,
            fingerprint: how.fingerprint,
            jobs: how.jobs,
            seed: how.seed,
            guide: how.guide.clone(),
            deepen: how.deepen,
            shard: how.shard.clone(),
            cluster,
            checkpoint: how.checkpoint.is_some(),
            audit: how
                .audit
                .map_or(Some(Share::USUAL), |ShareOrOff(share)| share),
            reduce: reduction.reduce,
            sleep: reduction.sleep,
            dependency: reduction.dependency,
            footprint: reduction.footprint,
            symmetry: reduction.symmetry,
            optimize: reduction.optimize,
            merge: reduction.merge,
            collapse: reduction.collapse,
            reset: reduction.reset,
            depth: self.depth,
            allow: input.allow.clone(),
            deny: input.deny.clone(),
            shorten: self.output.shorten,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_definitions_agree() {
        Arguments::command().debug_assert();
    }
}
