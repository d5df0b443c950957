//! `differential`: random models and SPIN's examples, SPIN against Mazurka.

#![forbid(unsafe_code)]

use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use clap::{Args, Parser, Subcommand};
use mazurka_differential::campaign::{Campaign, Event, Report};
use mazurka_differential::compare::Comparison;
use mazurka_differential::drive::Drive;
use mazurka_differential::features::Features;
use mazurka_differential::notations::{self, Notation, Settings};
use mazurka_differential::pairs;
use mazurka_differential::shrink::Effort;
use mazurka_differential::spin::{self, Limits};
use mazurka_differential::{examples, generate, print};

#[derive(Parser)]
#[command(about = "Compares Mazurka with SPIN, on random models and on SPIN's examples")]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Generate models, let both verify them, shrink those on which they differ
    Random(Random),
    /// Generate models and compare combinations of options with the full search, and with SPIN
    Combinations(Combinations),
    /// The same for models in the other notations, and which of their features meet
    Notations(Notations),
    /// Count which features meet in the models of a range of seeds
    Pairs {
        #[arg(long, default_value_t = 1)]
        seed: u64,
        #[arg(long, default_value_t = 1000)]
        count: u64,
        /// Add a table that was written before, such as one of `combinations --pairs`
        #[arg(long)]
        add: Vec<PathBuf>,
        /// Write a line for each pair to this file
        #[arg(long)]
        out: Option<PathBuf>,
    },
    /// Print the model that a seed names
    Print {
        #[arg(long)]
        seed: u64,
        #[command(flatten)]
        choice: Choice,
    },
    /// Run SPIN over its own examples and write the list of its results
    Examples {
        #[arg(long)]
        out: PathBuf,
        #[arg(long, default_value = examples::FOLDER)]
        folder: PathBuf,
    },
    /// Compare Mazurka with such a list
    CheckExamples {
        #[arg(long)]
        list: PathBuf,
        #[arg(long)]
        mazurka: PathBuf,
        #[arg(long, default_value = examples::FOLDER)]
        folder: PathBuf,
        /// Seconds for each model
        #[arg(long, default_value_t = 120)]
        limit: u64,
    },
}

#[derive(Args)]
struct Random {
    /// The first seed; model number i has seed S + i
    #[arg(long, default_value_t = 1)]
    seed: u64,
    #[arg(long, default_value_t = 100)]
    count: u64,
    #[arg(long, default_value_t = 2)]
    jobs: usize,
    /// The binary to test; without it SPIN runs alone
    #[arg(long)]
    mazurka: Option<PathBuf>,
    #[command(flatten)]
    choice: Choice,
    /// Where to put the models on which the two differ
    #[arg(long)]
    keep: Option<PathBuf>,
    /// Attempts to shrink each of them
    #[arg(long, default_value_t = 4000)]
    attempts: usize,
    /// Print a line for every model
    #[arg(long)]
    verbose: bool,
}

#[derive(Args)]
struct Combinations {
    /// The first seed; model number i has seed S + i
    #[arg(long, default_value_t = 1)]
    seed: u64,
    #[arg(long, default_value_t = 100)]
    count: u64,
    /// Stop after this many minutes
    #[arg(long)]
    minutes: Option<f64>,
    /// The binary to test
    #[arg(long)]
    mazurka: PathBuf,
    /// Ask about one model in this many by the binary, about the others in process; 0 for none
    #[arg(long, default_value_t = 10)]
    by_command: u64,
    /// Combinations of options for the safety of each model; claims have half as many each
    #[arg(long, default_value_t = 10)]
    combinations: usize,
    /// Ask SPIN about one in this many of the models that it can judge; 0 for none
    #[arg(long, default_value_t = 1)]
    spin: u64,
    /// Leave out models with more states
    #[arg(long, default_value_t = 20_000)]
    states: u64,
    /// Where to put the models on which two differ
    #[arg(long)]
    keep: Option<PathBuf>,
    /// Attempts to shrink each of them
    #[arg(long, default_value_t = 1000)]
    attempts: usize,
    /// Write the table of pairs of features to this file
    #[arg(long)]
    pairs: Option<PathBuf>,
    /// Go on with this table, and only with models that have two features which have not met in it yet
    #[arg(long)]
    fill: Option<PathBuf>,
}

#[derive(Args)]
struct Notations {
    /// efsm, vfsm or sdl
    #[arg(long)]
    notation: String,
    /// The first seed; model number i has seed S + i
    #[arg(long, default_value_t = 1)]
    seed: u64,
    #[arg(long, default_value_t = 100)]
    count: u64,
    /// Stop after this many minutes
    #[arg(long)]
    minutes: Option<f64>,
    /// Combinations of options for the safety of each model; other properties have a third as many each
    #[arg(long, default_value_t = 6)]
    combinations: usize,
    /// Ask SPIN about the export of one model in this many; 0 for none
    #[arg(long, default_value_t = 3)]
    spin: u64,
    /// Leave out models with more states
    #[arg(long, default_value_t = 20_000)]
    states: u64,
    /// Where to put the models on which two differ
    #[arg(long)]
    keep: Option<PathBuf>,
    /// Write the table of pairs of features to this file
    #[arg(long)]
    pairs: Option<PathBuf>,
    /// Go on with this table, and only with models that have two features which have not met in it yet
    #[arg(long)]
    fill: Option<PathBuf>,
}

#[derive(Args)]
struct Choice {
    /// Every feature, also those that SPIN does not judge
    #[arg(long)]
    everything: bool,
    /// Only these features, separated by commas
    #[arg(long, value_name = "NAMES")]
    features: Option<String>,
    /// Without these features
    #[arg(long, value_name = "NAMES")]
    without: Option<String>,
    /// These too, though off by default
    #[arg(long, value_name = "NAMES")]
    with: Option<String>,
}

impl Choice {
    fn features(&self) -> Result<Features, String> {
        let named = |names: &Option<String>| match names {
            Some(names) => Features::parse(names),
            None => Ok(Vec::new()),
        };
        let mut features = if self.features.is_some() {
            Features::none()
        } else if self.everything {
            Features::all()
        } else {
            Features::default()
        };
        for feature in named(&self.features)?.into_iter().chain(named(&self.with)?) {
            features.set(feature, true);
        }
        for feature in named(&self.without)? {
            features.set(feature, false);
        }
        Ok(features)
    }
}

fn main() -> ExitCode {
    let result = match Arguments::parse().command {
        Command::Random(random) => run_random(&random),
        Command::Combinations(asked) => run_combinations(&asked),
        Command::Notations(asked) => run_notations(&asked),
        Command::Pairs {
            seed,
            count,
            add,
            out,
        } => count_pairs(seed..seed + count, &add, out.as_deref()),
        Command::Print { seed, choice } => choice.features().map_err(Into::into).map(|features| {
            print!("{}", print::print(&generate::generate(seed, features)));
            true
        }),
        Command::Examples { out, folder } => write_examples(&out, &folder),
        Command::CheckExamples {
            list,
            mazurka,
            folder,
            limit,
        } => check_examples(&list, &mazurka, &folder, limit),
    };
    match result {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(error) => {
            eprintln!("differential: {error}");
            ExitCode::from(2)
        }
    }
}

/// The last line is the count of everything as JSON.
fn run_combinations(asked: &Combinations) -> Result<bool, Box<dyn Error>> {
    let drive = Drive {
        mazurka: asked.mazurka.canonicalize()?,
        by_command: asked.by_command,
        combinations: asked.combinations,
        spin: if spin::is_installed() { asked.spin } else { 0 },
        keep: asked.keep.clone(),
        effort: Effort {
            attempts: asked.attempts,
            ..Effort::default()
        },
        states: asked.states,
        fill: asked.fill.is_some(),
    };
    let mut table = pairs::table();
    if let Some(path) = &asked.fill {
        table.add_table(&std::fs::read_to_string(path)?)?;
    }
    let time = asked
        .minutes
        .map(|minutes| Duration::from_secs_f64(minutes * 60.0));
    let seeds = asked.seed..asked.seed + asked.count;
    let tally = mazurka_differential::drive::drive(&drive, seeds, time, &mut table)?;
    if let Some(path) = &asked.pairs {
        std::fs::write(path, table.to_text())?;
        eprint!("{}", table.summary());
    }
    println!("{}", tally.to_json());
    Ok(tally.disagreements == 0)
}

fn run_notations(asked: &Notations) -> Result<bool, Box<dyn Error>> {
    let mut known = Notation::ALL.into_iter();
    let Some(notation) = known.find(|notation| notation.name() == asked.notation) else {
        return Err(format!(
            "no notation `{}`; there are efsm, vfsm, sdl",
            asked.notation
        )
        .into());
    };
    let settings = Settings {
        combinations: asked.combinations,
        spin: if spin::is_installed() { asked.spin } else { 0 },
        fill: asked.fill.is_some(),
        states: asked.states,
    };
    let mut table = notation.table();
    if let Some(path) = &asked.fill {
        table.add_table(&std::fs::read_to_string(path)?)?;
    }
    let time = asked
        .minutes
        .map(|minutes| Duration::from_secs_f64(minutes * 60.0));
    let seeds = asked.seed..asked.seed + asked.count;
    let folder = asked.keep.as_deref();
    let tally = notations::drive(notation, &settings, seeds, time, &mut table, folder)?;
    if let Some(path) = &asked.pairs {
        std::fs::write(path, table.to_text())?;
        eprint!("{}", table.summary());
    }
    println!("{}", tally.to_json());
    Ok(tally.disagreements == 0)
}

fn count_pairs(
    seeds: std::ops::Range<u64>,
    tables: &[PathBuf],
    out: Option<&Path>,
) -> Result<bool, Box<dyn Error>> {
    let mut table = pairs::table();
    for path in tables {
        table.add_table(&std::fs::read_to_string(path)?)?;
    }
    pairs::add(&mut table, seeds);
    if let Some(path) = out {
        std::fs::write(path, table.to_text())?;
    }
    print!("{}", table.summary());
    Ok(true)
}

fn run_random(random: &Random) -> Result<bool, Box<dyn Error>> {
    if !spin::is_installed() {
        return Err("there is no `spin` to ask".into());
    }
    let mut campaign = Campaign {
        mazurka: random.mazurka.clone(),
        features: random.choice.features()?,
        jobs: random.jobs,
        ..Campaign::default()
    };
    campaign.effort.attempts = random.attempts;
    let done = AtomicU64::new(0);
    let report = campaign.run(random.seed..random.seed + random.count, |(seed, event)| {
        let done = done.fetch_add(1, Ordering::Relaxed) + 1;
        match event {
            Event::Agreed(counts) if random.verbose => println!("{seed}\t{counts}"),
            Event::Agreed(_) => {}
            Event::Rejected(text) => eprintln!("seed {seed}: spin rejects it: {text}"),
            Event::Unfinished(outcome) => eprintln!("seed {seed}: spin: {outcome}"),
            Event::Disagreed(disagreement) => {
                eprintln!("seed {seed}: {}", disagreement.original.difference);
                println!(
                    "/* seed {seed}, shrunk: {} */\n{}",
                    disagreement.shrunk.difference, disagreement.shrunk.model
                );
                if let Some(Err(error)) = random
                    .keep
                    .as_deref()
                    .map(|folder| disagreement.keep(folder))
                {
                    eprintln!("cannot keep it: {error}");
                }
            }
        }
        if done.is_multiple_of(100) {
            eprintln!("{done} of {}", random.count);
        }
    });
    print_sizes(&report);
    println!("{report}");
    Ok(report.disagreements.is_empty())
}

/// How large the models were, so that one sees whether a campaign is worth its time.
fn print_sizes(report: &Report) {
    let below = |bound: u64| {
        report
            .agreed
            .iter()
            .filter(|(_, counts)| counts.states < bound)
            .count()
    };
    let bounds = [10, 100, 1_000, 10_000, 100_000, u64::MAX];
    let mut previous = 0;
    for bound in bounds {
        let count = below(bound);
        let name = if bound == u64::MAX {
            "more".to_string()
        } else {
            format!("< {bound}")
        };
        println!("states {name:>8}: {}", count - previous);
        previous = count;
    }
}

fn write_examples(out: &Path, folder: &Path) -> Result<bool, Box<dyn Error>> {
    let list = examples::list(folder, &Limits::large(), |line| eprintln!("{line}"))?;
    std::fs::write(out, list)?;
    Ok(true)
}

fn check_examples(
    list: &Path,
    mazurka: &Path,
    folder: &Path,
    limit: u64,
) -> Result<bool, Box<dyn Error>> {
    let examples = examples::parse(&std::fs::read_to_string(list)?)?;
    let mut agreed = 0;
    for example in &examples {
        match examples::check(example, folder, mazurka, Duration::from_secs(limit)) {
            Comparison::Agree => agreed += 1,
            Comparison::Differ(difference) => println!("{}: {difference}", example.path),
            Comparison::Rejected(_) | Comparison::Unfinished => {
                unreachable!("the list holds only what SPIN finished")
            }
        }
    }
    println!(
        "{} examples: {agreed} agreed, {} disagreed",
        examples.len(),
        examples.len() - agreed
    );
    Ok(agreed == examples.len())
}
