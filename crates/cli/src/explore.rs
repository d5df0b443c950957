//! `mazurka explore`: verifies a real program that is linked with the library.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use mazurka_checker::figures::{counted, grouped};
use mazurka_checker::{PropertyKind, Share, Verdict};
use mazurka_explore::{
    Checkpoint, Dependency, Engine, EngineError, Judgement, LeftBehind, Options, Reduction, Report,
    StopReason, Strategy, Violation, ViolationKind, account, explore as search,
    explore_deeper_and_deeper, explore_in_parallel, go_on, go_on_in_parallel, record_of, replay,
    scenario, shorten,
};
use mazurka_processes::{Processes, Settings};
use mazurka_scenario::{Columns, Run, Style, step_text};
use serde::Serialize;

use crate::Exit;
use crate::arguments::{ExploreArguments, ExploreOrder, ExploreReduction, Leftover};
use crate::exploration::{Keeper, refuse_lost_checkpoint, used_command};
use crate::interrupt;
use crate::json::{Property, Violation as ShownViolation};
use crate::limits::Audited;
use crate::shell;
use crate::terminal::{complain, print, style_of_output};
use crate::trouble::Trouble;

/// How long a shorter execution is looked for.
const SHORTENING: Duration = Duration::from_secs(5);
/// How many of the last steps of a violation are printed.
const STEPS_SHOWN: usize = 25;
/// The time that an actor has for its next operation, unless the user says otherwise.
const DIVERGENCE: Duration = Duration::from_secs(2);

/// A violation that has been repeated.
struct Confirmed {
    violation: Violation,
    run: Run,
    scenario: Option<PathBuf>,
}

/// Runs the command.
pub fn explore(arguments: &ExploreArguments) -> Result<Exit, Trouble> {
    let options = options_of(arguments)?;
    refuse_lost_checkpoint(arguments)?;
    let checkpoint = arguments.resume.as_deref().map(read).transpose()?;
    let used = used_command(arguments, &options);
    if let (Some(checkpoint), Some(path)) = (&checkpoint, &arguments.resume) {
        if checkpoint.command != used {
            return Err(Trouble::Usage(format!(
                "{} is of another search, which was: mazurka explore {}",
                path.display(),
                shell::command(checkpoint.command.iter().map(OsStr::new))
            )));
        }
        checkpoint.check(&options).map_err(|reason| {
            let path = path.display();
            Trouble::Usage(format!("cannot read the checkpoint {path}: {reason}"))
        })?;
    }
    let began = Instant::now();
    let strays = Arc::new(AtomicU32::new(0));
    let mut keeper = Keeper::new(arguments, used);
    let make = |number: usize| start(arguments, Some(&strays), Some(number));
    let is_shared = checkpoint.as_ref().is_some_and(Checkpoint::is_shared);
    let mut report = if arguments.jobs > 1 || is_shared {
        // What cannot be run at all is told before there are several of it.
        make(0).map_err(|error| Trouble::Usage(error.0))?;
        let jobs = arguments.jobs as usize;
        match &checkpoint {
            Some(checkpoint) => go_on_in_parallel(make, &options, jobs, &mut keeper, checkpoint),
            None => explore_in_parallel(make, &options, jobs, &mut keeper),
        }
    } else {
        let engine = start(arguments, Some(&strays), None);
        let mut engine = engine.map_err(|error| Trouble::Usage(error.0))?;
        match (&checkpoint, arguments.deepen) {
            (Some(checkpoint), _) => go_on(&mut engine, &options, &mut keeper, checkpoint),
            (None, Some(steps)) => {
                explore_deeper_and_deeper(&mut engine, &options, steps, &mut keeper)
            }
            (None, None) => search(&mut engine, &options, &mut keeper),
        }
    };
    keeper.clear();
    let elapsed = began.elapsed();
    if let StopReason::Engine(reason) = &report.reason {
        return Err(Trouble::Usage(reason.clone()));
    }
    let violations = confirm(arguments, &options, &mut report)?;
    let strays = strays.load(Ordering::Relaxed);
    if strays > 0 && !arguments.quiet {
        complain(&format!(
            "warning: {} left behind by the program were ended; processes are made with \
             mazurka_spawn\n",
            counted(strays.into(), "process")
        ));
    }
    let verdict = match (&report.reason, violations.is_empty()) {
        (_, false) => Verdict::Violated,
        (StopReason::Complete, true) => Verdict::Holds,
        _ => Verdict::Inconclusive,
    };
    let told = Told {
        arguments,
        options: &options,
        report: &report,
        violations: &violations,
        verdict,
        elapsed,
        resume: keeper.finish(&report.reason),
    };
    print(&if arguments.json {
        told.json()?
    } else {
        told.human(style_of_output())
    })?;
    Ok(Exit::of(verdict))
}

fn read(path: &Path) -> Result<Checkpoint, Trouble> {
    let unreadable = |reason: String| {
        let path = path.display();
        Trouble::Usage(format!("cannot read the checkpoint {path}: {reason}"))
    };
    let bytes = std::fs::read(path).map_err(|error| unreadable(error.to_string()))?;
    Checkpoint::from_json(&bytes).map_err(unreadable)
}

fn start(
    arguments: &ExploreArguments,
    strays: Option<&Arc<AtomicU32>>,
    number: Option<usize>,
) -> Result<Processes, EngineError> {
    let settings = Settings {
        divergence: Some(arguments.divergence).filter(|limit| !limit.is_zero()),
        judge_exit_codes: arguments.exit_codes,
        show_output: arguments.output,
        // Violations are repeated also after the user has had enough.
        interrupt: strays.map(|_| interrupt::watch()),
        number,
        strays: strays.cloned(),
    };
    Processes::start(&arguments.program, settings)
}

fn options_of(arguments: &ExploreArguments) -> Result<Options, Trouble> {
    let refuse = |reason: &str| Err(Trouble::Usage(reason.into()));
    let strategy = match arguments.search {
        ExploreOrder::DepthFirst => Strategy::Exhaustive,
        ExploreOrder::Random => Strategy::Random,
        ExploreOrder::Pct => Strategy::Pct(3),
    };
    if strategy == Strategy::Exhaustive {
        if arguments.seed.is_some() {
            return refuse("--seed goes with --search random and --search pct");
        }
    } else {
        if arguments.time.is_none() && arguments.executions.is_none() {
            return refuse("a random search never ends: say --time or --executions");
        }
        let left_out = arguments.reduce.is_some() || arguments.dependency.is_some();
        if left_out || arguments.preemptions.is_some() {
            return refuse(
                "a random search leaves nothing out: --reduce, --dependency and --preemptions \
                 go with --search dfs",
            );
        }
    }
    let reduction = match (arguments.reduce, arguments.preemptions) {
        (None, None) | (Some(ExploreReduction::Dpor), None) => Reduction::Dpor,
        (Some(ExploreReduction::Sleep), None) => Reduction::Sleep,
        (Some(ExploreReduction::Persistent), None) => Reduction::Persistent,
        (None | Some(ExploreReduction::None), _) => Reduction::None,
        _ => return refuse("--preemptions goes with --reduce none only: no other is sound there"),
    };
    if arguments.livelock && arguments.depth.is_none() {
        return refuse("--livelock needs --depth: after how many steps is it one?");
    }
    if arguments.jobs > 1 && reduction == Reduction::Persistent {
        return refuse("--reduce persistent goes with --jobs 1: it learns what actors use");
    }
    if arguments.deepen.is_some() {
        if strategy != Strategy::Exhaustive || arguments.jobs > 1 {
            return refuse("--deepen goes with --search dfs and --jobs 1");
        }
        if arguments.depth.is_some() {
            return refuse("--deepen and --depth: which is the bound?");
        }
    }
    if arguments.checkpoint.is_some() || arguments.resume.is_some() {
        if strategy != Strategy::Exhaustive {
            return refuse("a random search is not saved: begin another one with another --seed");
        }
        if arguments.deepen.is_some() {
            return refuse("--checkpoint and --resume do not go with --deepen");
        }
    }
    let left_behind = LeftBehind {
        locks: matches!(arguments.left_behind, Some(Leftover::Locks | Leftover::All)),
        messages: matches!(
            arguments.left_behind,
            Some(Leftover::Messages | Leftover::All)
        ),
    };
    Ok(Options {
        strategy,
        reduction,
        dependency: match arguments.dependency {
            Some(mazurka_checker::Dependency::Constant) | None => Dependency::Constant,
            Some(mazurka_checker::Dependency::Refined) => Dependency::Refined,
        },
        depth: arguments.depth,
        judgement: Judgement {
            livelock: arguments.livelock,
            left_behind,
        },
        preemptions: arguments.preemptions,
        all: arguments.all,
        executions: arguments.executions,
        time: arguments.time,
        seed: arguments.seed.unwrap_or(0),
        audit: match arguments.audit {
            Some(Audited(share)) => share.map(Share::value),
            None => Some(Options::USUAL_AUDIT),
        },
        interrupt: Some(interrupt::watch()),
    })
}

/// Shortens each violation, repeats it and writes its scenario. One that does not repeat is a
/// sign of a program that does not either.
fn confirm(
    arguments: &ExploreArguments,
    options: &Options,
    report: &mut Report,
) -> Result<Vec<Confirmed>, Trouble> {
    let mut confirmed = vec![];
    if report.violations.is_empty() {
        return Ok(confirmed);
    }
    let failed = |error: EngineError| Trouble::Usage(error.0);
    let mut engine = start(arguments, None, None).map_err(failed)?;
    for (index, violation) in report.violations.iter().enumerate() {
        let mut violation = violation.clone();
        // Each try would take as long as the divergence itself.
        if violation.kind != ViolationKind::Divergence && index == 0 {
            let options = Options {
                time: Some(SHORTENING),
                interrupt: None,
                ..options.clone()
            };
            violation = shorten(&mut engine, &options, violation);
        }
        let judgement = Judgement {
            livelock: violation.kind == ViolationKind::Livelock,
            ..options.judgement
        };
        let repeated = replay(&mut engine, &violation.schedule, &judgement).map_err(failed)?;
        let again = match repeated {
            Err(step) => {
                report.reason = StopReason::Nondeterminism(step);
                continue;
            }
            Ok(violations) => (violations.into_iter()).find(|other| other.kind == violation.kind),
        };
        let Some(again) = again else {
            report.reason = StopReason::Nondeterminism(violation.schedule.len() as u32);
            continue;
        };
        let kernel = engine.kernel();
        let program: Vec<String> = (arguments.program.iter())
            .map(|word| word.to_string_lossy().into_owned())
            .collect();
        let mut run = account(kernel);
        run.steps.truncate(again.schedule.len());
        let path = scenario_path(arguments, index);
        let text = scenario(kernel, &again, &program).to_json();
        let written = match std::fs::write(&path, text) {
            Ok(()) => Some(path),
            Err(error) => {
                let path = path.display();
                complain(&format!(
                    "warning: cannot write the scenario {path}: {error}\n"
                ));
                None
            }
        };
        confirmed.push(Confirmed {
            violation: again,
            run,
            scenario: written,
        });
    }
    Ok(confirmed)
}

/// Where a scenario goes: beside nothing, for the program may lie anywhere, but here.
fn scenario_path(arguments: &ExploreArguments, index: usize) -> PathBuf {
    let number = match index {
        0 => String::new(),
        _ => format!("-{}", index + 1),
    };
    if let Some(path) = &arguments.scenario {
        return match index {
            0 => path.clone(),
            _ => PathBuf::from(format!("{}{number}", path.display())),
        };
    }
    let name = Path::new(&arguments.program[0]).file_name();
    let name = name.map_or_else(|| OsString::from("program"), OsString::from);
    PathBuf::from(format!("{}{number}.scenario.json", name.to_string_lossy()))
}

/// A result and all that is said about it.
struct Told<'a> {
    arguments: &'a ExploreArguments,
    options: &'a Options,
    report: &'a Report,
    violations: &'a [Confirmed],
    verdict: Verdict,
    elapsed: Duration,
    /// The command that goes on with the search, if it can be gone on with.
    resume: Option<String>,
}

impl Told<'_> {
    /// Why not everything was explored.
    fn reason(&self) -> Option<String> {
        Some(match &self.report.reason {
            StopReason::Complete | StopReason::Violation => return None,
            StopReason::Depth(depth) => format!("executions were cut after {depth} steps"),
            StopReason::Preemptions(bound) => {
                format!("only executions with at most {bound} preemptions were explored")
            }
            StopReason::Executions => "as many executions as allowed were explored".into(),
            StopReason::Time => "time is over".into(),
            StopReason::Interrupted => "interrupted".into(),
            StopReason::Nondeterminism(step) => format!(
                "the program does not repeat itself: it differs at step {}; something other than \
                 its operations decides what it does",
                step + 1
            ),
            StopReason::Uncontrolled(what) => {
                format!("not all that the program does is under control: {what}")
            }
            StopReason::Audit(difference) => format!(
                "two executions that are equivalent by their visible operations are not: {difference}; \
                 either actors share memory without visible operations, or this is a defect of Mazurka"
            ),
            StopReason::Limit => {
                "it has too many steps, actors, objects, messages or processes".into()
            }
            StopReason::Engine(reason) => reason.clone(),
        })
    }

    fn human(&self, style: Style) -> String {
        let statistics = &self.report.statistics;
        let verdict = match self.verdict {
            Verdict::Holds => style.success("holds"),
            Verdict::Violated => style.error("violated"),
            verdict @ (Verdict::Inconclusive | Verdict::NotDecided) => {
                style.warning(verdict.name())
            }
        };
        let redundant = match statistics.redundant_executions {
            0 => String::new(),
            count => format!(" ({} redundant)", grouped(count)),
        };
        let found = match self.violations {
            [] => String::new(),
            [only] => format!(
                "{} after {}, ",
                only.violation.kind.name(),
                counted(only.violation.schedule.len() as u64, "step")
            ),
            more => format!("{} violations, ", more.len()),
        };
        let mut text = format!(
            "{}: {verdict} — {found}{}{redundant}, {}, depth {}, {:.1} s\n",
            self.arguments.program[0].to_string_lossy(),
            counted(statistics.executions, "execution"),
            counted(statistics.transitions, "transition"),
            grouped(statistics.max_depth.into()),
            self.elapsed.as_secs_f64(),
        );
        if let Some(reason) = self.reason() {
            let what = style.warning("the search is not complete");
            text += &format!("{what}: {reason}\n");
        }
        for confirmed in self.violations {
            text += &self.violation_text(confirmed, style);
        }
        if let Some(resume) = &self.resume {
            text += &format!("\nto go on: {resume}\n");
        }
        text
    }

    fn violation_text(&self, confirmed: &Confirmed, style: Style) -> String {
        let Violation {
            kind, message, at, ..
        } = &confirmed.violation;
        let kind = kind.name();
        let what = message
            .strip_prefix(kind)
            .and_then(|rest| rest.strip_prefix(": "));
        let mut text = format!("\n{}: {}\n", style.error(kind), what.unwrap_or(message));
        if let Some((file, line, _)) = at {
            text += &format!("  at {file}:{line}\n");
        }
        text += "\n";
        let columns = Columns::of_run(&confirmed.run);
        let steps = &confirmed.run.steps;
        let hidden = steps.len().saturating_sub(STEPS_SHOWN);
        if hidden > 0 {
            let before = format!("  … {} before\n", counted(hidden as u64, "step"));
            text += &style.faint(&before);
        }
        for (index, step) in steps.iter().enumerate().skip(hidden) {
            text += &step_text(index + 1, step, columns, style);
        }
        if let Some(path) = &confirmed.scenario {
            text += &format!("\nto repeat it: {}\n", self.replay_command(path));
        }
        text
    }

    fn replay_command(&self, scenario: &Path) -> String {
        let divergence = format!("{}ms", self.arguments.divergence.as_millis());
        let mut words = vec![OsStr::new("mazurka"), OsStr::new("replay")];
        words.push(scenario.as_os_str());
        if self.arguments.divergence != DIVERGENCE {
            words.extend([OsStr::new("--divergence"), OsStr::new(&divergence)]);
        }
        words.push(OsStr::new("--"));
        words.extend(self.arguments.program.iter().map(OsString::as_os_str));
        shell::command(words)
    }

    fn json(&self) -> Result<String, Trouble> {
        #[derive(Serialize)]
        struct Shown {
            verdict: Verdict,
            complete: bool,
            reason: Option<String>,
            properties: Vec<Property>,
            violations: Vec<ShownViolation>,
            stats: Stats,
            options: Used,
        }
        #[derive(Serialize)]
        struct Stats {
            executions: u64,
            /// Those of which an equivalent one was run too.
            audited_executions: u64,
            redundant_executions: u64,
            transitions: u64,
            max_depth: u32,
            search_seconds: f64,
            jobs: u32,
        }
        #[derive(Serialize)]
        struct Used {
            search: &'static str,
            reduce: &'static str,
            dependency: &'static str,
            depth: Option<u32>,
            deepen: Option<u32>,
            preemptions: Option<u32>,
            livelock: bool,
            left_behind: Option<&'static str>,
            all: bool,
            executions: Option<u64>,
            /// In seconds.
            time: Option<f64>,
            /// In seconds.
            divergence: f64,
            seed: u64,
            program: Vec<String>,
        }
        let statistics = &self.report.statistics;
        let shown = Shown {
            verdict: self.verdict,
            complete: self.report.reason == StopReason::Complete,
            reason: self.reason(),
            properties: vec![Property {
                name: "safety".into(),
                kind: PropertyKind::Safety,
                verdict: self.verdict,
                vacuous: false,
                audit: None,
            }],
            violations: (self.violations.iter())
                .map(|confirmed| {
                    let record = record_of(&confirmed.violation);
                    ShownViolation {
                        property: record.property,
                        kind: record.kind,
                        message: record.message,
                        at: record.at,
                        steps: confirmed.violation.schedule.len(),
                        scenario: (confirmed.scenario.as_ref())
                            .map(|path| path.display().to_string()),
                    }
                })
                .collect(),
            stats: Stats {
                executions: statistics.executions,
                audited_executions: statistics.audited,
                redundant_executions: statistics.redundant_executions,
                transitions: statistics.transitions,
                max_depth: statistics.max_depth,
                search_seconds: self.elapsed.as_secs_f64(),
                jobs: self.arguments.jobs,
            },
            options: Used {
                search: self.arguments.search.name(),
                reduce: match self.options.reduction {
                    Reduction::None => "none",
                    Reduction::Sleep => "sleep",
                    Reduction::Persistent => "persistent",
                    Reduction::Dpor => "dpor",
                },
                dependency: match self.options.dependency {
                    Dependency::Constant => "constant",
                    Dependency::Refined => "refined",
                },
                depth: self.options.depth,
                deepen: self.arguments.deepen,
                preemptions: self.options.preemptions,
                livelock: self.options.judgement.livelock,
                left_behind: self.arguments.left_behind.map(Leftover::name),
                all: self.options.all,
                executions: self.options.executions,
                time: self.options.time.map(|time| time.as_secs_f64()),
                divergence: self.arguments.divergence.as_secs_f64(),
                seed: self.options.seed,
                program: (self.arguments.program.iter())
                    .map(|word| word.to_string_lossy().into_owned())
                    .collect(),
            },
        };
        let text = serde_json::to_string_pretty(&shown);
        text.map(|text| text + "\n")
            .map_err(|error| Trouble::Internal(error.to_string()))
    }
}
