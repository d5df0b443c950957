//! `mazurka check`: searches a model and reports the verdict.

use std::path::PathBuf;
use std::time::Instant;

use mazurka_model::{Interpreter, Step};
use mazurka_scenario::{Claim, Run, Scenario, ViolationRecord, describe, replay_tail};
use mazurka_search::{
    Defect, Options, Report, StopReason, deepening, depth_first_sleeping, guided, weighted_walk,
};

use crate::arguments::{CheckArguments, Dependency, Order, Property, Reduction, Store, Switch};
use crate::availability::refuse_unavailable;
use crate::checkpoint::{FileKeeper, Saved};
use crate::forecast::Forecast;
use crate::json::{self, Verdict};
use crate::limits::default_memory;
use crate::load::{Loaded, load_guided};
use crate::output::human;
use crate::progress::Progress;
use crate::reduction::{Chosen, needs_proviso, optimised, refuse_unknown};
use crate::temporal::{self, Outcome};
use crate::terminal::{complain, print, style_of_output};
use crate::trouble::Trouble;
use crate::watched::Watched;
use crate::weights::Weights;
use crate::{Exit, interrupt, kernel, simultaneous};

/// So many steps of a violation are kept to be printed.
const STEPS_SHOWN: usize = 25;
/// With `--all` there may be many violations, each with a long scenario. Once so many steps are
/// written, the rest is not.
const STEPS_WRITTEN: usize = 5_000_000;

/// Everything about a check that is over.
pub struct Checked<'a> {
    pub arguments: &'a CheckArguments,
    pub loaded: &'a Loaded,
    pub report: Report<Watched<'a>>,
    pub violations: Vec<Confirmed>,
    pub verdict: Verdict,
    /// The safety property, unless only temporal ones are asked for.
    pub property: Option<&'static str>,
    /// What became of the safety property.
    pub safety: Verdict,
    pub temporal: Vec<Outcome>,
    pub memory: u64,
    /// The reduction used.
    pub reduce: &'static str,
}

/// A violation that the interpreter has repeated.
pub struct Confirmed {
    pub record: ViolationRecord,
    pub steps: usize,
    /// The end of the scenario, or all of it.
    pub run: Run,
    /// Where the scenario was written.
    pub scenario: Option<PathBuf>,
}

/// Runs the command.
pub fn check(arguments: &CheckArguments) -> Result<Exit, Trouble> {
    check_or_go_on(arguments, None)
}

/// Runs the command from the beginning, or from where it was saved.
pub fn check_or_go_on(arguments: &CheckArguments, saved: Option<Saved>) -> Result<Exit, Trouble> {
    refuse_unavailable(arguments)?;
    let loaded = load_guided(
        &arguments.model.file,
        &arguments.model.define,
        arguments.ltl.as_deref(),
        arguments.guide.as_deref(),
    )?;
    if !arguments.quiet {
        complain(&loaded.warnings);
    }
    refuse_unknown(arguments, &loaded.interpreter)?;
    let memory = arguments.memory.unwrap_or_else(default_memory);
    let deadline = arguments
        .time
        .and_then(|time| Instant::now().checked_add(time));
    if temporal::is_asked_for(arguments) {
        let outcomes = temporal::check(arguments, &loaded, memory, deadline)?;
        let checked = Checked::of_temporal(arguments, &loaded, memory, outcomes)?;
        return checked.show();
    }
    let optimised = optimised(arguments, &loaded.interpreter);
    let interpreter = optimised.as_ref().unwrap_or(&loaded.interpreter);
    let jobs = 0..arguments.jobs();
    let reductions: Result<Vec<Chosen>, Trouble> =
        jobs.map(|_| Chosen::of(arguments, interpreter)).collect();
    let mut reductions = reductions?;
    let mut keeper = FileKeeper::new(arguments, &loaded, interpreter, saved)?;
    let crew = (&mut reductions[..], &mut keeper);
    let limits = (memory, deadline);
    let report = search(arguments, interpreter, &loaded, limits, crew)?;
    if !matches!(report.stop, StopReason::Complete | StopReason::Violation) && !arguments.quiet {
        keeper.announce();
    }
    let property = match arguments.property {
        Property::All => Property::Safety.name(),
        other => other.name(),
    };
    let mut violations = confirm(arguments, &loaded, &report, property)?;
    let safety = match report.stop {
        _ if !violations.is_empty() => Verdict::Violated,
        StopReason::Complete if is_lossless(arguments) => Verdict::Holds,
        _ => Verdict::Inconclusive,
    };
    let temporal = match arguments.property {
        Property::All if report.stop != StopReason::Interrupted => {
            temporal::check(arguments, &loaded, memory, deadline)?
        }
        _ => Vec::new(),
    };
    confirm_temporal(arguments, &loaded, &temporal, &mut violations)?;
    let verdict = overall(std::iter::once(safety).chain(temporal.iter().map(|t| t.verdict)));
    let checked = Checked {
        arguments,
        loaded: &loaded,
        report,
        violations,
        verdict,
        property: Some(property),
        safety,
        temporal,
        memory,
        reduce: match arguments.reduce {
            Reduction::Simultaneous => Reduction::Simultaneous.name(),
            _ => reductions[0].name(),
        },
    };
    checked.show()
}

/// Violated if anything is, else inconclusive if anything is.
fn overall(verdicts: impl Iterator<Item = Verdict>) -> Verdict {
    verdicts.fold(Verdict::Holds, |all, one| match (all, one) {
        (Verdict::Violated, _) | (_, Verdict::Violated) => Verdict::Violated,
        (Verdict::Inconclusive, _) | (_, Verdict::Inconclusive) => Verdict::Inconclusive,
        _ => Verdict::Holds,
    })
}

/// Adds the violations of temporal properties, which have been repeated already.
fn confirm_temporal(
    arguments: &CheckArguments,
    loaded: &Loaded,
    outcomes: &[Outcome],
    violations: &mut Vec<Confirmed>,
) -> Result<(), Trouble> {
    for outcome in outcomes {
        for found in &outcome.found {
            let steps = &found.steps;
            let (record, mut run) = match (&found.record, found.failure) {
                (None, Some(failure)) => {
                    let mut claim = Claim::Failure(failure);
                    let run = confirm_one(loaded, &mut claim, steps)?;
                    let last = steps.last().copied();
                    let interpreter = &loaded.interpreter;
                    (describe(interpreter, &outcome.name, claim, &run, last), run)
                }
                (record, _) => {
                    let run = replay_tail(&loaded.interpreter, steps, STEPS_SHOWN);
                    let run = run.map_err(|error| Trouble::Internal(error.to_string()))?;
                    let record = record.clone().ok_or_else(|| {
                        Trouble::Internal("a violation without a description".into())
                    })?;
                    (record, run)
                }
            };
            run.loop_from = found.loop_from;
            let path = scenario_path(arguments, violations.len());
            let scenario = write_scenario(loaded, &record, steps, found.loop_from, path);
            violations.push(Confirmed {
                record,
                steps: steps.len(),
                run,
                scenario,
            });
        }
    }
    Ok(())
}

fn search<'a>(
    arguments: &CheckArguments,
    interpreter: &'a Interpreter,
    loaded: &Loaded,
    (memory, deadline): (u64, Option<Instant>),
    (reductions, keeper): (&mut [Chosen], &mut FileKeeper),
) -> Result<Report<Watched<'a>>, Trouble> {
    let system = Watched {
        interpreter,
        property: arguments.property,
    };
    let weights = match arguments.search {
        Order::Probabilistic => Some(Weights::read(loaded)?),
        _ => None,
    };
    let options = Options {
        deadlock: matches!(
            arguments.property,
            Property::All | Property::Safety | Property::Deadlock
        ),
        failures: true,
        proviso: needs_proviso(arguments),
        all: arguments.all,
        depth: arguments.depth,
        memory,
        deadline,
        alone: Options::ALONE,
        interrupt: interrupt::watch(),
    };
    let forecast = Forecast::new(arguments, memory);
    let mut progress = Progress::new(arguments.quiet || arguments.json, forecast);
    let report = if arguments.reduce == Reduction::Simultaneous {
        simultaneous::search(arguments, &system, &options, &mut progress)
    } else if arguments.sleep == Some(Switch::On) {
        let reduction = &mut reductions[0];
        Ok(depth_first_sleeping(
            &system,
            reduction,
            &options,
            &mut progress,
        ))
    } else if let Some(guide) = loaded.guide {
        let value = |state: &[u8]| interpreter.value(state, usize::MAX, guide);
        // What has no value looks worst.
        let cost = |state: &[u8]| value(state).map_or(i64::MAX, i64::from);
        Ok(guided(&system, &cost, &options, &mut progress))
    } else if let Some(weights) = &weights {
        let weight = |state: &[u8], step: Step| weights.of(interpreter, state, step);
        let seed = arguments.seed.unwrap_or(1);
        Ok(weighted_walk(
            &system,
            &weight,
            seed,
            &options,
            &mut progress,
        ))
    } else if let Some(step) = arguments.deepen {
        Ok(deepening(&system, step as usize, &options, &mut progress))
    } else {
        let progress = &mut progress;
        kernel::search(arguments, &system, reductions, &options, progress, keeper)
    };
    progress.clear();
    report
}

/// Replays each violation and writes its scenario. Nothing is reported that does not replay.
fn confirm(
    arguments: &CheckArguments,
    loaded: &Loaded,
    report: &Report<Watched<'_>>,
    property: &str,
) -> Result<Vec<Confirmed>, Trouble> {
    let mut confirmed: Vec<Confirmed> = Vec::new();
    let mut steps_written = 0;
    let mut unwritten = 0;
    for violation in &report.violations {
        let mut claim = match violation.defect {
            Defect::Deadlock => Claim::Deadlock,
            Defect::Failure(failure) => Claim::Failure(failure),
            Defect::Cycle(_) => continue,
        };
        let run = confirm_one(loaded, &mut claim, &violation.steps)?;
        let last = violation.steps.last().copied();
        let record = describe(&loaded.interpreter, property, claim, &run, last);
        steps_written += violation.steps.len();
        let scenario = if steps_written <= STEPS_WRITTEN || confirmed.is_empty() {
            let path = scenario_path(arguments, confirmed.len());
            write_scenario(loaded, &record, &violation.steps, None, path)
        } else {
            unwritten += 1;
            None
        };
        confirmed.push(Confirmed {
            record,
            steps: violation.steps.len(),
            run,
            scenario,
        });
    }
    if unwritten > 0 {
        complain(&format!(
            "warning: {unwritten} scenarios are not written: they are too long\n"
        ));
    }
    Ok(confirmed)
}

/// Replays a violation; a deadlock may turn out to be a nonprogress state.
fn confirm_one(loaded: &Loaded, claim: &mut Claim, steps: &[Step]) -> Result<Run, Trouble> {
    let kind = claim.kind();
    let run = replay_tail(&loaded.interpreter, steps, STEPS_SHOWN).map_err(|error| {
        Trouble::Internal(format!(
            "the search found a violation ({kind}) that does not replay: {error}"
        ))
    })?;
    if *claim == Claim::Deadlock && Claim::Nonprogress.is_shown_by(&run) {
        *claim = Claim::Nonprogress;
    }
    if !claim.is_shown_by(&run) {
        return Err(Trouble::Internal(format!(
            "the search found a violation ({kind}) whose replay ends otherwise: {:?}, {:?}",
            run.ending, run.failure
        )));
    }
    Ok(run)
}

/// The path of the first scenario, and of the further ones with a number.
fn scenario_path(arguments: &CheckArguments, index: usize) -> PathBuf {
    let first = arguments.scenario.clone().unwrap_or_else(|| {
        let mut name = arguments
            .model
            .file
            .file_stem()
            .unwrap_or_default()
            .to_os_string();
        name.push(".scenario.json");
        PathBuf::from(name)
    });
    if index == 0 {
        return first;
    }
    let name = first
        .file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned();
    let (stem, extension) = match name.strip_suffix(".scenario.json") {
        Some(stem) => (stem.to_string(), ".scenario.json".to_string()),
        None => match name.rsplit_once('.') {
            Some((stem, extension)) if !stem.is_empty() => (stem.into(), format!(".{extension}")),
            _ => (name, String::new()),
        },
    };
    first.with_file_name(format!("{stem}-{}{extension}", index + 1))
}

/// Writes a scenario and says where. That it cannot be written does not make a violation undone.
fn write_scenario(
    loaded: &Loaded,
    record: &ViolationRecord,
    steps: &[Step],
    loop_from: Option<usize>,
    path: PathBuf,
) -> Option<PathBuf> {
    let mut model = loaded.model.clone();
    // A relative path in a scenario counts from the scenario's folder.
    let is_here = path
        .parent()
        .is_none_or(|folder| folder.as_os_str().is_empty());
    if !is_here {
        let absolute = std::path::absolute(&model.file).ok();
        model.file = absolute.map_or(model.file, |path| path.to_string_lossy().into_owned());
    }
    let mut scenario = Scenario::new(model, record.clone(), &loaded.interpreter, steps);
    scenario.loop_from = loop_from;
    match std::fs::write(&path, scenario.to_json()) {
        Ok(()) => Some(path),
        Err(error) => {
            let path = path.display();
            complain(&format!(
                "warning: cannot write the scenario {path}: {error}\n"
            ));
            None
        }
    }
}

/// Does the store tell all states apart?
fn is_lossless(arguments: &CheckArguments) -> bool {
    !matches!(arguments.store(), Store::Compact | Store::Bitstate)
}

impl<'a> Checked<'a> {
    /// A check of temporal properties alone. Its numbers are those of the last one.
    fn of_temporal(
        arguments: &'a CheckArguments,
        loaded: &'a Loaded,
        memory: u64,
        temporal: Vec<Outcome>,
    ) -> Result<Checked<'a>, Trouble> {
        let mut violations = Vec::new();
        confirm_temporal(arguments, loaded, &temporal, &mut violations)?;
        let last = temporal.last();
        let reduce = temporal.iter().map(|outcome| outcome.reduce);
        let reduce = reduce.max_by_key(|name| *name != Reduction::None.name());
        Ok(Checked {
            arguments,
            loaded,
            report: Report {
                stop: last.map_or(StopReason::Complete, |outcome| outcome.stop),
                statistics: last.map_or_else(Default::default, |outcome| outcome.statistics),
                violations: Vec::new(),
                covered: Vec::new(),
            },
            violations,
            verdict: overall(temporal.iter().map(|outcome| outcome.verdict)),
            property: None,
            safety: Verdict::Holds,
            temporal,
            memory,
            reduce: reduce.unwrap_or(Reduction::None.name()),
        })
    }

    /// Prints the result; the verdict is the exit code.
    fn show(&self) -> Result<Exit, Trouble> {
        if self.arguments.json {
            let result = serde_json::to_string_pretty(&self.to_json());
            let text = result.map_err(|error| Trouble::Internal(error.to_string()))?;
            print(&format!("{text}\n"))?;
        } else {
            print(&human(self, style_of_output()))?;
        }
        Ok(match self.verdict {
            Verdict::Holds => Exit::Holds,
            Verdict::Violated => Exit::Violated,
            Verdict::Inconclusive => Exit::Inconclusive,
        })
    }

    fn properties(&self) -> Vec<json::Property> {
        let safety = self.property.map(|name| json::Property {
            name: name.into(),
            kind: "safety",
            verdict: self.safety,
            vacuous: false,
        });
        let temporal = self.temporal.iter().map(|outcome| json::Property {
            name: outcome.name.clone(),
            kind: outcome.kind,
            verdict: outcome.verdict,
            vacuous: outcome.vacuous,
        });
        safety.into_iter().chain(temporal).collect()
    }

    /// Why the search did not see everything.
    pub fn reason(&self) -> Option<String> {
        let limit = match self.report.stop {
            StopReason::Complete if !is_lossless(self.arguments) => self.lossy(),
            StopReason::Complete | StopReason::Violation => return None,
            StopReason::Depth => match self.arguments.depth {
                Some(depth) => {
                    // A state that was met at the end of a long path is not left again.
                    let hint = match self.arguments.search {
                        Order::DepthFirst if self.arguments.deepen.is_none() => {
                            "; --search bfs or --deepen explores everything within them"
                        }
                        _ => "",
                    };
                    format!("some paths are longer than {depth} steps{hint}")
                }
                None => "some paths are too long".into(),
            },
            StopReason::Memory => {
                format!(
                    "out of memory: the limit is {}",
                    crate::output::bytes(self.memory)
                )
            }
            StopReason::Time => match self.arguments.time {
                Some(time) => format!("out of time: the limit is {} s", time.as_secs_f64()),
                None => "out of time".into(),
            },
            StopReason::Interrupted => "interrupted".into(),
        };
        Some(limit)
    }

    /// What a store that takes states for others may have missed.
    fn lossy(&self) -> String {
        let statistics = &self.report.statistics;
        let omission = statistics.omission_probability;
        match self.arguments.store() {
            Store::Bitstate => {
                let bits = statistics.store_bytes as f64 * 8.0;
                format!(
                    "states may be missing: about {:.4} % of them, at a hash factor of {:.1}",
                    omission * 100.0,
                    bits / statistics.states.max(1) as f64
                )
            }
            _ => format!("states may be missing, with a probability of {omission:.1e}"),
        }
    }

    fn to_json(&self) -> json::Result {
        let statistics = &self.report.statistics;
        let violations = self.violations.iter().map(|violation| json::Violation {
            property: violation.record.property.clone(),
            kind: violation.record.kind,
            message: violation.record.message.clone(),
            at: violation.record.at.clone(),
            steps: violation.steps,
            scenario: violation
                .scenario
                .as_ref()
                .map(|path| path.display().to_string()),
        });
        json::Result {
            verdict: self.verdict,
            complete: self.report.stop == StopReason::Complete && is_lossless(self.arguments),
            reason: self.reason(),
            properties: self.properties(),
            violations: violations.collect(),
            stats: json::Stats {
                states: statistics.states,
                matched: statistics.matched,
                reduced: statistics.reduced,
                transitions: statistics.transitions(),
                depth: statistics.depth,
                state_bytes: statistics.state_bytes,
                store_bytes: statistics.store_bytes,
                compile_seconds: self.loaded.compile_seconds,
                search_seconds: statistics.elapsed.as_secs_f64(),
                jobs: self.arguments.jobs(),
                omission_probability: statistics.omission_probability,
            },
            options: json::Options {
                search: self.arguments.search.name(),
                store: self.arguments.store().name(),
                reduce: self.reduce,
                dependency: match self.arguments.dependency {
                    Some(dependency) => dependency.name(),
                    None => Dependency::Refined.name(),
                },
                optimize: self.arguments.optimize.name(),
                property: self.property.unwrap_or(self.arguments.property.name()),
                all: self.arguments.all,
                jobs: self.arguments.jobs(),
                memory: self.memory,
                time: self.arguments.time.map(|time| time.as_secs_f64()),
                depth: self.arguments.depth,
                deepen: self.arguments.deepen,
                define: self.arguments.model.define.clone(),
                given: json::Given::of(self.arguments, !self.temporal.is_empty()),
            },
        }
    }
}
