//! A verification, from a model to its outcome.

use std::path::Path;
use std::time::{Duration, Instant};

use mazurka_audit::{Most, Sought, whole_graph};
use mazurka_model::Expression;
use mazurka_scenario::figures::{bytes, counted};
use mazurka_scenario::{PropertyKind, Verdict, ViolationKind};
use mazurka_search::{Statistics, StopReason};

use crate::audit::{Audit, is_small};
use crate::choice::{Order, Property, Reduction, Switch};
use crate::config::Config;
use crate::confirm::{confirm_limit, confirm_safety, confirm_stopped, confirm_temporal};
use crate::defect::guarded;
use crate::error::Error;
use crate::lints;
use crate::load::{Besides, Loaded, ModelText};
use crate::outcome::{Outcome, PropertyOutcome, Violation};
use crate::plan::{Plan, SafetyPlan};
use crate::saved::Identity;
use crate::search::search;
use crate::shorten::Shortener;
use crate::store::Store;
use crate::supervisor::{Limits, Stage, Supervised, Supervisor};
use crate::temporal::{self, Searched, Wanted};
use crate::watched::Watched;

/// A verification that is about to run.
///
/// ```
/// use mazurka_checker::Checker;
///
/// let model = "byte x; active [2] proctype P() { x++; assert(x < 2) }";
/// let outcome = Checker::from_source("race.pml", model)?.jobs(1).run()?;
/// for violation in outcome.violations() {
///     println!("{violation}\n{}", outcome.scenario(violation).to_json());
/// }
/// assert!(!outcome.holds());
/// # Ok::<(), mazurka_checker::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Checker {
    model: ModelText,
    config: Config,
}

impl Checker {
    /// Reads a model from a file. Its ending tells the notation.
    pub fn open(path: impl AsRef<Path>) -> Result<Checker, Error> {
        Ok(Checker::of(ModelText::open(path)?))
    }

    /// Takes a model that is given as text. The ending of its name tells the notation: `.pml`, `.vfsm`, `.efsm`, `.sdl`.
    pub fn from_source(name: &str, text: impl Into<Vec<u8>>) -> Result<Checker, Error> {
        Ok(Checker::of(ModelText::from_source(name, text)?))
    }

    /// A verification of a model.
    pub fn of(model: ModelText) -> Checker {
        Checker {
            model,
            config: Config::default(),
        }
    }

    /// All choices at once.
    pub fn config(mut self, config: Config) -> Checker {
        self.config = config;
        self
    }

    /// Changes choices that have no method of their own.
    pub fn with(mut self, change: impl FnOnce(&mut Config)) -> Checker {
        change(&mut self.config);
        self
    }

    /// The number of threads.
    pub fn jobs(self, jobs: u32) -> Checker {
        self.with(|config| config.jobs = Some(jobs))
    }

    /// The order of the search.
    pub fn search(self, order: Order) -> Checker {
        self.with(|config| config.search = order)
    }

    /// How states are remembered.
    pub fn store(self, store: Store) -> Checker {
        self.with(|config| config.store = Some(store))
    }

    /// How equivalent interleavings are left out.
    pub fn reduce(self, reduction: Reduction) -> Checker {
        self.with(|config| config.reduce = reduction)
    }

    /// What to look for.
    pub fn property(self, property: Property) -> Checker {
        self.with(|config| config.property = property)
    }

    /// Checks this formula alone.
    pub fn ltl(self, formula: impl Into<String>) -> Checker {
        self.with(|config| config.ltl = Some(formula.into()))
    }

    /// Gives a macro of the model a value, `NAME` or `NAME=VALUE`.
    pub fn define(self, definition: impl Into<String>) -> Checker {
        self.with(|config| config.define.push(definition.into()))
    }

    /// Finds all violations instead of stopping at the first.
    pub fn all(self) -> Checker {
        self.with(|config| config.all = true)
    }

    /// The time for the verification. Compiling the model counts, but is not cut short; what is not decided in time is inconclusive.
    pub fn time(self, time: Duration) -> Checker {
        self.with(|config| config.time = Some(time))
    }

    /// The bytes for states.
    pub fn memory(self, bytes: u64) -> Checker {
        self.with(|config| config.memory = Some(bytes))
    }

    /// Compiles the model and what is said about it.
    pub fn load(&self) -> Result<Loaded, Error> {
        lints::refuse_unknown(&self.config)?;
        let guide = self.config.guide.as_deref();
        let loaded = self.model.load(&Besides {
            define: &self.config.define,
            formula: self.config.ltl.as_deref(),
            guide,
            weights: self.config.search == Order::Probabilistic,
            ..Besides::default()
        })?;
        if let (Some(text), Some(guide)) = (guide, loaded.expression)
            && let Expression::Constant(_) = loaded.program().expressions[guide.index()]
        {
            let message = format!("--guide {text}: its value is the same in every state");
            return Err(Error::Usage(message));
        }
        lints::judge(&self.config, loaded)
    }

    /// Verifies the model.
    pub fn run(&self) -> Result<Outcome, Error> {
        self.run_with(&mut ())
    }

    /// Verifies the model while a supervisor looks on, saves the search or stops it.
    pub fn run_with(&self, supervisor: &mut dyn Supervisor) -> Result<Outcome, Error> {
        let config = &self.config;
        let began = Instant::now();
        let loaded = self.load_to_check()?;
        supervisor.warn(&loaded.sources, &loaded.warnings);
        let plan = Plan::new(config, &loaded.interpreter)?;
        let stop = supervisor.stop();
        let limits = Limits::new(config, began, stop.clone());
        let supervised = Supervised::new(supervisor, stop);
        let properties = check(config, plan, &loaded, &limits, &supervised);
        supervised.finish();
        Ok(Outcome {
            properties: properties?,
            model: loaded,
            memory: limits.memory,
        })
    }
}

impl Checker {
    /// Refuses what a run would refuse before it searches.
    pub fn refuse(&self) -> Result<(), Error> {
        let loaded = self.load_to_check()?;
        let plan = Plan::new(&self.config, &loaded.interpreter)?;
        if plan.temporal {
            temporal::wanted(&self.config, &loaded)?;
        }
        Ok(())
    }

    fn load_to_check(&self) -> Result<Loaded, Error> {
        Plan::refuse_contradictions(&self.config)?;
        let mut loaded = self.load()?;
        // What is looked for decides what happens after an unexpected input, so it is decided here, for all reductions and for the replay.
        if !self.config.property.asks_for_unexpected_input()
            && let Some(interpreter) = loaded.after_unexpected_inputs()
        {
            loaded.interpreter = interpreter;
        }
        Ok(loaded)
    }
}

/// Checks the properties that the plan names, one after the other.
fn check(
    config: &Config,
    plan: Plan,
    loaded: &Loaded,
    limits: &Limits,
    supervised: &Supervised<'_>,
) -> Result<Vec<PropertyOutcome>, Error> {
    let mut properties = Vec::new();
    let mut is_interrupted = false;
    // What cannot be asked is refused before anything is searched.
    let wanted = match plan.temporal {
        true => temporal::wanted(config, loaded)?,
        false => Vec::new(),
    };
    let safety = plan.safety.iter();
    let safety = safety.map(|_| (safety_name(config), PropertyKind::Safety));
    let others = wanted.iter().map(Wanted::name);
    let titles = safety.chain(others);
    let titles: Vec<String> = titles.map(|(name, kind)| kind.title(name)).collect();
    let mut left = titles.as_slice();
    let mut next = || {
        supervised.next(left);
        left = left.get(1..).unwrap_or_default();
    };
    let mut waiting = titles.len() as u32;
    if let Some(plan) = plan.safety {
        next();
        let own = limits.share(waiting);
        waiting -= 1;
        let check = || check_safety(config, plan, loaded, &own, supervised);
        let safety = guarded(safety_name(config), PropertyKind::Safety, check)?;
        is_interrupted = safety.stop == StopReason::Interrupted && safety.defect.is_none();
        supervised.decided(&safety);
        properties.push(safety);
    }
    let has_safety = !properties.is_empty();
    for wanted in wanted {
        if is_interrupted {
            properties.push(not_decided(
                &wanted,
                "interrupted before it was checked".into(),
            ));
            continue;
        }
        next();
        let (name, kind) = wanted.name();
        let own = limits.share(waiting);
        waiting -= 1;
        let mut outcome = guarded(name, kind, || {
            match temporal::check(config, loaded, &wanted, &own, supervised) {
                Ok(searched) => of_temporal(config, loaded, &own, searched),
                // Members that do not want the same have nothing to search together.
                Err(Error::Usage(reason)) if config.cluster && properties.is_empty() => {
                    Err(Error::Usage(reason))
                }
                // Whatever is the matter with it, the others are not to wait for it.
                Err(Error::Usage(reason)) => Ok(not_decided(&wanted, reason)),
                Err(error) => Err(error),
            }
        })?;
        if let Wanted::Never(_) = wanted {
            outcome.notes.push(beside_a_claim(has_safety).into());
        }
        supervised.decided(&outcome);
        properties.push(outcome);
    }
    Ok(properties)
}

/// What is looked for besides temporal properties, as reports name it.
fn safety_name(config: &Config) -> &'static str {
    match config.property {
        Property::All => Property::Safety.name(),
        other => other.name(),
    }
}

fn check_safety(
    config: &Config,
    mut plan: SafetyPlan,
    loaded: &Loaded,
    limits: &Limits,
    supervised: &Supervised<'_>,
) -> Result<PropertyOutcome, Error> {
    let name = safety_name(config);
    let choosers = std::mem::take(&mut plan.choosers);
    let searched = plan.structured.as_ref().unwrap_or(&loaded.interpreter);
    // The members of a cluster keep their parts themselves.
    let is_kept = config.checkpoint && !config.cluster;
    let source = match is_kept {
        true => supervised.resume(loaded, searched.program()),
        false => Ok(None),
    };
    let mut source = source.map_err(Error::Usage)?;
    let identity = is_kept.then(|| Identity::new(config, loaded, searched.program()));
    if let (Some(source), Some(identity)) = (&mut source, &identity)
        && let Some(difference) = identity.differs(source)
    {
        let message = format!("cannot resume the search: {difference}");
        return Err(Error::Usage(message));
    }
    let mut keeper = supervised.keeper(source, identity);
    supervised.begin(&Stage {
        property: name,
        kind: PropertyKind::Safety,
        order: plan.order,
        store: plan.store,
        memory: limits.memory,
    });
    let report = search(
        config,
        (&plan, choosers),
        (searched, loaded),
        (limits, supervised),
        &mut keeper,
    );
    let stop = report
        .as_ref()
        .map_or(StopReason::Complete, |(report, _)| report.stop);
    supervised.end(stop);
    let (report, tally) = report?;
    let shortener = (config.shorten == Switch::On).then(|| Shortener::new(limits, config.all));
    let property = (name, plan.property);
    let violations = confirm_safety(loaded, &report, property, config.all, shortener)?;
    let violations = that_differ(violations);
    let stopped_by = match &report.dead_end {
        Some(end) if violations.is_empty() => confirm_limit(loaded, name, end)?,
        _ => None,
    };
    let is_everywhere = report.stop == StopReason::Complete && report.dead_end.is_none();
    let complete = is_everywhere && plan.lossless;
    let statistics = report.statistics;
    let verdict = match complete {
        _ if !violations.is_empty() => Verdict::Violated,
        true => Verdict::Holds,
        false => Verdict::Inconclusive,
    };
    let mut audit = Audit::new(plan.audit.unaudited(), tally.unwrap_or_default());
    let is_compared = config.audit.is_some() && verdict == Verdict::Holds;
    // The whole graph has overflows that a search may miss which takes queues to be long enough.
    if is_compared && is_small(&statistics) && !plan.long_queues {
        let model = Watched::new(&loaded.interpreter, plan.property);
        let sought = Sought {
            deadlocks: plan.deadlock,
            // Without the proviso a step that fails may be put off for ever.
            failures: plan.proviso || statistics.reduced == 0,
        };
        let whole = whole_graph(&model, sought, Most::USUAL);
        let states = plan.meets_every_state().then_some(statistics.states);
        audit.tally.compare(&whole, states);
    }
    audit.locate(searched, limits);
    Ok(PropertyOutcome {
        name: name.into(),
        kind: PropertyKind::Safety,
        verdict: audit.judge(verdict),
        vacuous: false,
        complete: complete && !audit.has_failed(),
        reason: audit.reason().or_else(|| match (report.stop, &stopped_by) {
            (StopReason::Complete, Some(by)) => Some(stopped(by)),
            (StopReason::Complete, None) if !plan.lossless => Some(lossy(plan.store, &statistics)),
            (stop, _) => reason(config, limits, stop, &statistics),
        }),
        defect: None,
        notes: plan.symmetry_note.iter().cloned().collect(),
        stop: report.stop,
        reduction: plan.reduction,
        violations,
        stopped_by,
        // Without the proviso a statement may be left out of every path.
        covered: (statistics.reduced == 0 || plan.proviso).then_some(report.covered),
        statistics,
        audit,
    })
}

fn of_temporal(
    config: &Config,
    loaded: &Loaded,
    limits: &Limits,
    searched: Searched,
) -> Result<PropertyOutcome, Error> {
    let found = searched.found.into_iter();
    let violations: Result<_, Error> = found
        .map(|found| confirm_temporal(loaded, &searched.name, found))
        .collect();
    let stopped_by = searched.stopped_by;
    let stopped_by = match (stopped_by, searched.endless) {
        (Some(stopped), _) => Some(confirm_stopped(loaded, &searched.name, stopped)?),
        (None, Some(endless)) => Some(confirm_temporal(loaded, &searched.name, endless)?),
        (None, None) => None,
    };
    let is_complete =
        searched.stop == StopReason::Complete && searched.verdict != Verdict::NotDecided;
    Ok(PropertyOutcome {
        violations: that_differ(violations?),
        name: searched.name,
        kind: searched.kind,
        verdict: searched.audit.judge(searched.verdict),
        vacuous: searched.vacuous,
        complete: is_complete && !searched.audit.has_failed(),
        reason: searched
            .audit
            .reason()
            .or_else(|| reason(config, limits, searched.stop, &searched.statistics))
            .or_else(|| Some(stopped(stopped_by.as_ref()?)))
            .or_else(|| {
                let is_open = searched.verdict == Verdict::NotDecided;
                is_open.then(|| "an atomic sequence may never end".into())
            }),
        stopped_by,
        defect: None,
        notes: searched.notes,
        stop: searched.stop,
        statistics: searched.statistics,
        reduction: searched.reduction,
        audit: searched.audit,
        covered: None,
    })
}

/// Each violation once. Different ones that a search has met may become the same when they are shortened.
fn that_differ(violations: Vec<Violation>) -> Vec<Violation> {
    let mut known: Vec<Violation> = Vec::new();
    for violation in violations {
        let is_same = |other: &Violation| {
            (other.kind(), other.loop_from, &other.steps)
                == (violation.kind(), violation.loop_from, &violation.steps)
        };
        if !known.iter().any(is_same) {
            known.push(violation);
        }
    }
    known
}

/// What keeps a property from being decided: `stopped by division by zero at model.pml:3, after 2 steps`.
fn stopped(by: &Violation) -> String {
    let at = by.record.at.as_ref();
    let at = at.map_or(String::new(), |at| format!(" at {}:{}", at.file, at.line));
    let steps = counted(by.steps.len() as u64, "step");
    let message = &by.record.message;
    let what = match by.kind() {
        ViolationKind::RuntimeError => message.clone(),
        kind => format!("{kind} ({message})"),
    };
    format!("stopped by {what}{at}, after {steps}")
}

/// What else was checked of a model with a never claim, which is not what users of SPIN expect.
fn beside_a_claim(has_safety: bool) -> &'static str {
    match has_safety {
        true => {
            "assertions and end states were checked separately, on all executions; \
             SPIN checks assertions only on executions that the claim follows, and no end states"
        }
        false => {
            "assertions and end states were not checked: only the claim was asked for; \
             SPIN checks assertions along with a claim, and no end states"
        }
    }
}

/// What is said of a property that nobody came to.
fn not_decided(wanted: &Wanted<'_>, reason: String) -> PropertyOutcome {
    let (name, kind) = wanted.name();
    PropertyOutcome {
        name: name.into(),
        kind,
        verdict: Verdict::NotDecided,
        vacuous: false,
        complete: false,
        reason: Some(reason),
        defect: None,
        notes: Vec::new(),
        stop: StopReason::Interrupted,
        statistics: Statistics::default(),
        reduction: Reduction::None,
        audit: Audit::none("nothing was searched"),
        violations: Vec::new(),
        stopped_by: None,
        covered: None,
    }
}

/// Why a search did not see everything.
fn reason(
    config: &Config,
    limits: &Limits,
    stop: StopReason,
    statistics: &Statistics,
) -> Option<String> {
    Some(match stop {
        StopReason::Complete | StopReason::Violation => return None,
        StopReason::Depth => match config.depth {
            Some(depth) => {
                // A state that was met at the end of a long path is not left again.
                let hint = match config.search {
                    Order::DepthFirst if config.deepen.is_none() => {
                        "; --search bfs or --deepen explores everything within them"
                    }
                    _ => "",
                };
                let depth = counted(depth as u64, "step");
                format!("some paths are longer than {depth}{hint}")
            }
            None => "some paths are too long".into(),
        },
        StopReason::Memory => format!(
            "out of memory: the limit is {}; states take {}, paths and the program itself {}",
            bytes(limits.memory),
            bytes(statistics.store_bytes),
            bytes(statistics.other_bytes)
        ),
        StopReason::Time => match config.time {
            Some(time) => {
                let seconds = time.as_secs_f64();
                match limits.shared_by {
                    0 | 1 => format!("out of time: the limit is {seconds} s"),
                    several => format!(
                        "out of time: the limit is {seconds} s, and {several} properties share what is left of it"
                    ),
                }
            }
            None => "out of time".into(),
        },
        StopReason::Interrupted => "interrupted".into(),
    })
}

/// What a store that takes states for others may have missed.
fn lossy(store: Store, statistics: &Statistics) -> String {
    let omission = statistics.omission_probability;
    match store {
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
