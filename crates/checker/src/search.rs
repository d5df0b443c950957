//! From a plan to a search: which order with which store.

use std::sync::Arc;

use mazurka_audit::{Audited, Proviso, Tally, finish};
use mazurka_model::{Failure, Interpreter, Program, Step};
use mazurka_reduce::{SetsFirst, Symmetry, forget_ends, with_ends};
use mazurka_search::checkpoint::Keeper;
use mazurka_search::divided::breadth_first_divided;
use mazurka_search::{
    Defect, Observer, Options, Ordered, Preference, Reduction, Report, StopReason, Swarm,
    Violation, breadth_first, breadth_first_kept, deepening, depth_first, depth_first_kept,
    depth_first_sleeping, guided, random_walk, swarm, weighted_walk,
};

use crate::audit::walks;
use crate::choice::{self, Order, Switch};
use crate::config::Config;
use crate::error::Error;
use crate::load::Loaded;
use crate::plan::{Chosen, SafetyPlan, simultaneous_of};
use crate::store::{Store, WithStore};
use crate::supervisor::{Limits, Supervised};
use crate::watched::Watched;

/// What the program takes without states.
const PROGRAM: u64 = 20 << 20;
/// Without `--memory`, an arena does not take more than this.
const USUAL_ARENA: u64 = 1 << 30;
/// The arena of a member of a swarm.
const LARGEST_MEMBER: u64 = 64 << 20;

/// What a search found, and its audit, if it was audited.
pub(crate) type Searched<'i> = (Report<Watched<'i>>, Option<Tally>);

/// A reduction, looked after or not.
type Worker<R> = Audited<R, Step>;

/// Searches for violations of safety as the plan says.
pub(crate) fn search<'i>(
    config: &Config,
    (plan, choosers): (&'i SafetyPlan, Vec<Chosen>),
    (interpreter, loaded): (&'i Interpreter, &Loaded),
    (limits, supervised): (&Limits, &Supervised<'_>),
    keeper: &mut dyn Keeper,
) -> Result<Searched<'i>, Error> {
    let system = Watched::new(interpreter, plan.property).with_symmetry(plan.symmetry.as_ref());
    let options = Options {
        deadlock: plan.deadlock,
        failures: true,
        proviso: plan.proviso,
        all: config.all,
        depth: match config.search.is_walk() {
            // Walks of no steps would never come to look at the clock.
            true => config.depth.map(|depth| depth.max(1)),
            false => config.depth,
        },
        memory: limits.memory,
        deadline: limits.deadline,
        alone: Options::ALONE,
        interrupt: &limits.stop,
    };
    let observer = &mut supervised.observer();
    let is_changed = plan.structured.is_some();
    if config.cluster {
        let report = together(&system, choosers, &options, observer, (supervised, loaded))?;
        let tally = (is_changed && config.audit.is_some()).then(|| walks(interpreter, loaded));
        return Ok((unfolded(plan, interpreter, loaded, report), tally));
    }
    let crew = Crew {
        plan,
        model: match is_changed && plan.audit.unaudited().is_none() {
            true => interpreter.beside(model(plan, loaded)).map(Arc::new),
            false => None,
        },
    };
    let unaudited = |report| {
        let tally = (is_changed && config.audit.is_some()).then(|| walks(interpreter, loaded));
        (report, tally)
    };
    if plan.reduction == choice::Reduction::Simultaneous {
        return simultaneous(config, &system, &crew, &options, observer);
    }
    if config.sleep == Some(Switch::On) {
        let mut workers = crew.of(choosers, plan.guardian());
        let report = depth_first_sleeping(&system, &mut workers[0], &options, observer);
        return Ok(audited(&system, report, &mut workers));
    }
    if let Some(guide) = loaded.expression {
        let value = |state: &[u8]| interpreter.value(state, usize::MAX, guide);
        // What has no value looks worst.
        let cost = |state: &[u8]| value(state).map_or(i64::MAX, i64::from);
        Ok(unaudited(guided(&system, &cost, &options, observer)))
    } else if let Some(weights) = &loaded.weights {
        let weight = |state: &[u8], step: Step| weights.of(interpreter, state, step);
        let seed = config.seed.unwrap_or(1);
        let report = weighted_walk(&system, &weight, seed, &options, observer);
        Ok(unaudited(report))
    } else if let Some(step) = config.deepen {
        let report = deepening(&system, step as usize, &options, observer);
        Ok(unaudited(report))
    } else if let Some(report) = walk_or_swarm(config, &system, &options, observer) {
        Ok(unaudited(report))
    } else if let Some(preference) = preference(config) {
        let seed = config.seed.unwrap_or(1);
        let ordered = |worker| Ordered::new(preference, seed.wrapping_add(worker));
        let orders = (0..choosers.len() as u64).map(ordered).collect();
        let mut workers = crew.of(orders, Proviso::Nobody);
        let report = exhaustive(config, &system, &mut workers, &options, observer, keeper)?;
        Ok(audited(&system, report, &mut workers))
    } else {
        let mut workers = crew.of(choosers, plan.guardian());
        let report = exhaustive(config, &system, &mut workers, &options, observer, keeper)?;
        let (report, tally) = audited(&system, report, &mut workers);
        Ok((unfolded(plan, interpreter, loaded, report), tally))
    }
}

/// Searches together with other processes.
fn together<'i>(
    system: &Watched<'i>,
    mut choosers: Vec<Chosen>,
    options: &Options<'_>,
    observer: &mut dyn Observer,
    (supervised, loaded): (&Supervised<'_>, &Loaded),
) -> Result<Report<Watched<'i>>, Error> {
    let company = supervised.company(loaded).map_err(Error::Usage)?;
    let report = breadth_first_divided(system, &mut choosers, options, observer, &*company);
    report.map_err(|lost| Error::Lost(lost.0))
}

/// What a changed program is compared with. That ends of processes cannot be noticed is not for it to see.
fn model(plan: &SafetyPlan, loaded: &Loaded) -> Program {
    let mut program = loaded.program().clone();
    if plan.symmetry.as_ref().is_some_and(Symmetry::forgets_ends) {
        forget_ends(&mut program);
    }
    program
}

/// The same report with paths of the model, if states were taken for others.
fn unfolded<'i>(
    plan: &SafetyPlan,
    interpreter: &Interpreter,
    loaded: &Loaded,
    report: Report<Watched<'i>>,
) -> Report<Watched<'i>> {
    let Some(symmetry) = &plan.symmetry else {
        return report;
    };
    let unfolded = |violation: Violation<Step, Failure>| {
        let steps = symmetry.unfold(interpreter, &violation.steps);
        Violation {
            steps: match violation.defect {
                Defect::Deadlock if symmetry.forgets_ends() => {
                    with_ends(&loaded.interpreter, steps)
                }
                _ => steps,
            },
            ..violation
        }
    };
    Report {
        violations: report.violations.into_iter().map(unfolded).collect(),
        dead_end: report.dead_end.map(unfolded),
        ..report
    }
}

/// Who audits the workers of a search.
struct Crew<'p> {
    plan: &'p SafetyPlan,
    /// What was to be searched, if that is not what is.
    model: Option<Arc<Interpreter>>,
}

impl Crew<'_> {
    fn of<R, S: Copy>(&self, reductions: Vec<R>, proviso: Proviso) -> Vec<Audited<R, S>> {
        let auditor = || {
            let plan = &self.plan;
            plan.audit
                .auditor(self.model.as_ref(), proviso, plan.long_queues)
        };
        let reductions = reductions.into_iter();
        let audited = reductions.map(|reduction| Audited::new(reduction, auditor()));
        audited.collect()
    }
}

/// What the workers of a search that is over found, beside its report.
fn audited<'i, R: Reduction<Watched<'i>>>(
    system: &Watched<'i>,
    report: Report<Watched<'i>>,
    workers: &mut [Worker<R>],
) -> Searched<'i> {
    let tally = finish(system, workers, report.stop == StopReason::Complete);
    (report, tally)
}

/// Searches the graph whose edges are sets of independent steps. The violations are paths of single steps.
fn simultaneous<'i>(
    config: &Config,
    watched: &Watched<'i>,
    crew: &Crew<'_>,
    options: &Options<'_>,
    observer: &mut dyn Observer,
) -> Result<Searched<'i>, Error> {
    let system = simultaneous_of(watched, watched.interpreter(), config.is_refined())?;
    let mut workers = crew.of(vec![SetsFirst], crew.plan.guardian());
    let report = match config.search {
        Order::BreadthFirst => breadth_first(&system, &mut workers[0], options, observer),
        _ => depth_first(&system, &mut workers[0], options, observer),
    };
    let is_complete = report.stop == StopReason::Complete;
    let tally = finish(&system, &mut workers, is_complete);
    let unfolded = |violation: Violation<_, _>| Violation {
        defect: violation.defect,
        steps: system.unfold(&violation.steps),
    };
    let report = Report {
        stop: report.stop,
        statistics: report.statistics,
        violations: report.violations.into_iter().map(unfolded).collect(),
        dead_end: report.dead_end.map(unfolded),
        covered: report.covered,
    };
    Ok((report, tally))
}

/// Which steps go first, if the order says so.
fn preference(config: &Config) -> Option<Preference> {
    match config.search {
        Order::Random => Some(Preference::Random),
        Order::Biased => Some(Preference::Sends),
        Order::Scatter => Some(Preference::Receives),
        _ => None,
    }
}

/// Searches that choose at random, if the order is one of theirs.
fn walk_or_swarm<'i>(
    config: &Config,
    system: &Watched<'i>,
    options: &Options<'_>,
    observer: &mut dyn Observer,
) -> Option<Report<Watched<'i>>> {
    let seed = config.seed.unwrap_or(1);
    if config.search == Order::Swarm {
        let (shard, shards) = config.shard().unwrap_or((0, 1));
        let jobs = config.jobs() as usize;
        let members = Swarm {
            jobs,
            arena: (options.memory / 2 / jobs as u64).min(LARGEST_MEMBER),
            seed,
            shard,
            shards,
            members: u64::MAX,
        };
        return Some(swarm(system, members, options, observer));
    }
    let preference = preference(config)?;
    let is_walk = config.store() == Store::None;
    is_walk.then(|| random_walk(system, preference, seed, options, observer))
}

/// Depth-first or breadth-first, with the store that is asked for.
fn exhaustive<'i, R: Reduction<Watched<'i>> + Send>(
    config: &Config,
    system: &Watched<'i>,
    reductions: &mut [R],
    options: &Options<'_>,
    observer: &mut dyn Observer,
    keeper: &mut dyn Keeper,
) -> Result<Report<Watched<'i>>, Error> {
    // Half of what the program itself leaves is for the stack.
    let mut arena = options.memory.saturating_sub(PROGRAM) / 2;
    arena = arena.max(options.memory / 8);
    if config.memory.is_none() {
        arena = arena.min(USUAL_ARENA);
    }
    let mut run = Run {
        breadth: config.search == Order::BreadthFirst,
        system,
        reductions,
        options,
        observer,
        keeper,
    };
    config.store().make(config, arena, &mut run)
}

/// A search without a store.
struct Run<'r, 'i, 'o, R> {
    breadth: bool,
    system: &'r Watched<'i>,
    reductions: &'r mut [R],
    options: &'r Options<'o>,
    observer: &'r mut dyn Observer,
    keeper: &'r mut dyn Keeper,
}

impl<'i, R: Reduction<Watched<'i>> + Send> WithStore for Run<'_, 'i, '_, R> {
    type Answer = Result<Report<Watched<'i>>, Error>;

    fn with<S: mazurka_search::store::Store>(&mut self, store: S) -> Self::Answer {
        let search = if self.breadth {
            breadth_first_kept
        } else {
            depth_first_kept
        };
        let report = search(
            self.system,
            store,
            self.reductions,
            self.options,
            self.observer,
            self.keeper,
        );
        report.map_err(|error| Error::Usage(format!("the checkpoint cannot be read: {error}")))
    }
}
