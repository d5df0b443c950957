//! What can be typed about real programs.

use std::path::PathBuf;

use clap::Args;
use mazurka_checker::ShareOrOff;
use mazurka_explore as explore;
use mazurka_scenario::figures::parse_duration;

use super::{MOST_JOBS, ReplayForm};
use crate::values::{choice, whole};

pub const COMPILE_EXAMPLES: &str = "\
Examples:
  mazurka cc race.c -o race                  takes what the compiler takes
  mazurka explore -- ./race                  verify what was built
  make CC='mazurka cc' CXX='mazurka c++'     the same in a Makefile
  mazurka cc -- --help                       the help of the compiler itself";

pub const COMPILE_CPP_EXAMPLES: &str = "\
Examples:
  mazurka c++ -std=c++20 race.cpp -o race    takes what the compiler takes
  mazurka explore -- ./race                  verify what was built
  make CC='mazurka cc' CXX='mazurka c++'     the same in a Makefile
  mazurka c++ -- --help                      the help of the compiler itself";

#[derive(Args, Debug)]
pub struct CompileArguments {
    /// The arguments of the compiler; MAZURKA_CC and MAZURKA_CXX name one other than gcc or clang
    #[arg(
        value_name = "ARGUMENTS",
        trailing_var_arg = true,
        allow_hyphen_values = true
    )]
    pub words: Vec<std::ffi::OsString>,
}

#[derive(Args, Debug)]
pub struct ExploreArguments {
    /// The order of the search
    #[arg(long, value_parser = choice::<explore::Order>(), default_value = "dfs", help_heading = "Search")]
    pub search: explore::Order,
    /// How equivalent executions are left out [default: dpor]
    #[arg(long, value_parser = choice::<explore::Reduction>(), help_heading = "Search")]
    pub reduce: Option<explore::Reduction>,
    /// Whether dependency looks at values; programs of `mazurka cc` take constant only [default: constant]
    #[arg(long, value_parser = choice::<explore::Dependency>(), help_heading = "Search")]
    pub dependency: Option<explore::Dependency>,
    /// Say inconclusive instead of holds if the program uses memory orders weaker than sequential
    /// consistency
    #[arg(long, help_heading = "Output")]
    pub strict: bool,
    /// Programs of `mazurka cc`: report data races, or explore all orders of the accesses that race
    #[arg(long, value_parser = choice::<explore::Races>(), default_value = "report", help_heading = "Properties")]
    pub races: explore::Races,
    /// Programs of `mazurka cc`: a wait for a condition may end, and a weak compare-and-swap fail, for no reason, once in each thread
    #[arg(long, help_heading = "Search")]
    pub spurious: bool,
    /// Explore a program that was not built for it, such as one of the system: its threads are under control, but what they do to
    /// memory is not seen, so that nothing is ever said to hold
    #[arg(long, help_heading = "Search")]
    pub preload: bool,
    /// Programs of `mazurka cc`: run each execution in a process of its own, which is slower
    #[arg(long, help_heading = "Search")]
    pub fresh: bool,
    /// How many copies of the program are explored at once
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=MOST_JOBS), help_heading = "Search")]
    pub jobs: u32,
    /// Cut executions after N steps, then after 2N, and so on until none is cut
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..), help_heading = "Search")]
    pub deepen: Option<u32>,
    /// Only executions with at most this many preemptions
    #[arg(long, value_name = "N", value_parser = whole::<u32>, help_heading = "Search")]
    pub preemptions: Option<u32>,
    /// Seed of a randomized search
    #[arg(long, value_name = "N", value_parser = whole::<u64>, help_heading = "Search")]
    pub seed: Option<u64>,
    /// Check this share of the executions by running an equivalent one: from 0 to 1, or off [default: a small share]
    #[arg(long, value_name = "SHARE|off", help_heading = "Search")]
    pub audit: Option<ShareOrOff>,
    /// An actor diverges if it takes this long to reach its next visible operation; 0 means never
    #[arg(long, value_name = "DURATION", default_value = "2s", value_parser = parse_duration, help_heading = "Properties")]
    pub divergence: std::time::Duration,
    /// Report an execution that is cut by --depth as a violation
    #[arg(long, help_heading = "Properties")]
    pub livelock: bool,
    /// Report an exit code other than zero as a violation
    #[arg(long, help_heading = "Properties")]
    pub exit_codes: bool,
    /// Report what is left behind when all actors have ended; not for programs of `mazurka cc`
    #[arg(long, value_parser = choice::<explore::Leftover>(), value_name = "WHAT", help_heading = "Properties")]
    pub left_behind: Option<explore::Leftover>,
    /// Do not stop at the first violation
    #[arg(long, help_heading = "Properties")]
    pub all: bool,
    /// Save the search in this file once a minute and when it is stopped; see --from; not for programs of `mazurka cc`
    #[arg(long, value_name = "FILE", help_heading = "Limits")]
    pub checkpoint: Option<PathBuf>,
    /// Resume a search that `--checkpoint` saved; give all other options as they were then
    #[arg(
        long = "from",
        alias = "resume",
        value_name = "FILE",
        help_heading = "Limits"
    )]
    pub resume: Option<PathBuf>,
    /// Time for the search, such as 30s, 5m or 1h30m
    #[arg(long, value_name = "DURATION", value_parser = parse_duration, help_heading = "Limits")]
    pub time: Option<std::time::Duration>,
    /// Stop after this many executions
    #[arg(long, value_name = "N", value_parser = whole::<u64>, help_heading = "Limits")]
    pub executions: Option<u64>,
    /// Cut executions after this many steps
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..), help_heading = "Limits")]
    pub depth: Option<u32>,
    /// How the result is printed
    #[arg(long, value_parser = ["human", "json"], default_value = "human", help_heading = "Output")]
    pub format: String,
    /// The same as --format json
    #[arg(long, conflicts_with = "format", help_heading = "Output")]
    pub json: bool,
    /// Print the verdict only, and where scenarios are
    #[arg(short, long, help_heading = "Output")]
    pub quiet: bool,
    /// Let the program write to the terminal
    #[arg(long, help_heading = "Output")]
    pub output: bool,
    /// Where to write the scenario of a violation; PROGRAM.scenario.json by default
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub scenario: Option<PathBuf>,
    /// The program and its arguments
    #[arg(last = true, required = true, value_name = "PROGRAM")]
    pub program: Vec<std::ffi::OsString>,
}

#[derive(Args, Debug)]
pub struct ReplayArguments {
    /// The scenario
    pub scenario: PathBuf,
    /// Before each step, wait until Enter is pressed; q ends the replay
    #[arg(long)]
    pub step: bool,
    /// Attach gdb to this actor, by name or number, before its next operation
    #[arg(long, value_name = "ACTOR", conflicts_with = "step")]
    pub gdb: Option<String>,
    /// How to print it
    #[arg(long = "as", value_parser = choice::<ReplayForm>(), value_name = "FORM", default_value = "text")]
    pub form: ReplayForm,
    /// Do not let the program write to the terminal
    #[arg(short, long)]
    pub quiet: bool,
    /// An actor diverges if it takes this long to reach its next visible operation; 0 means never
    #[arg(long, value_name = "DURATION", default_value = "2s", value_parser = parse_duration)]
    pub divergence: std::time::Duration,
    /// The program and its arguments, if they differ from those in the scenario
    #[arg(last = true, value_name = "PROGRAM")]
    pub program: Vec<std::ffi::OsString>,
}
