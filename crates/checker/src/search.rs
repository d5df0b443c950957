//! From a plan to a search: which order with which store.

use mazurka_model::{Interpreter, Step};
use mazurka_reduce::SetsFirst;
use mazurka_search::checkpoint::Keeper;
use mazurka_search::store::{Bitstate, Cache, Compact, Nothing, Store, Tree, Wide};
use mazurka_search::{
    Observer, Options, Ordered, Preference, Reduction, Report, Swarm, Violation, breadth_first,
    breadth_first_kept, deepening, depth_first, depth_first_kept, depth_first_sleeping, guided,
    random_walk, swarm, weighted_walk,
};

use crate::choice::{self, Order, Switch};
use crate::config::Config;
use crate::error::Error;
use crate::load::Loaded;
use crate::plan::{Chosen, SafetyPlan, simultaneous_of};
use crate::supervisor::{Limits, Supervised};
use crate::watched::Watched;

/// The bits of a state in the bitstate store.
const BITS_OF_A_STATE: u32 = 3;
/// What the program takes without states.
const PROGRAM: u64 = 20 << 20;
/// Without `--memory`, an arena does not take more than this.
const USUAL_ARENA: u64 = 1 << 30;
/// The arena of a member of a swarm.
const LARGEST_MEMBER: u64 = 64 << 20;

/// Searches for violations of safety as the plan says.
pub(crate) fn search<'i>(
    config: &Config,
    (plan, choosers): (&SafetyPlan, &mut [Chosen]),
    (interpreter, loaded): (&'i Interpreter, &Loaded),
    (limits, supervised): (&Limits, &Supervised<'_>),
    keeper: &mut dyn Keeper,
) -> Result<Report<Watched<'i>>, Error> {
    let system = Watched::new(interpreter, plan.property);
    let options = Options {
        deadlock: plan.deadlock,
        failures: true,
        proviso: plan.proviso,
        all: config.all,
        depth: config.depth,
        memory: limits.memory,
        deadline: limits.deadline,
        alone: Options::ALONE,
        interrupt: &limits.stop,
    };
    let observer = &mut supervised.observer(limits);
    if plan.reduction == choice::Reduction::Simultaneous {
        simultaneous(config, &system, &options, observer)
    } else if config.sleep == Some(Switch::On) {
        let chooser = &mut choosers[0];
        Ok(depth_first_sleeping(&system, chooser, &options, observer))
    } else if let Some(guide) = loaded.expression {
        let value = |state: &[u8]| interpreter.value(state, usize::MAX, guide);
        // What has no value looks worst.
        let cost = |state: &[u8]| value(state).map_or(i64::MAX, i64::from);
        Ok(guided(&system, &cost, &options, observer))
    } else if let Some(weights) = &loaded.weights {
        let weight = |state: &[u8], step: Step| weights.of(interpreter, state, step);
        let seed = config.seed.unwrap_or(1);
        Ok(weighted_walk(&system, &weight, seed, &options, observer))
    } else if let Some(step) = config.deepen {
        Ok(deepening(&system, step as usize, &options, observer))
    } else {
        ordered(config, &system, choosers, &options, observer, keeper)
    }
}

/// Searches the graph whose edges are sets of independent steps. The violations are paths of single steps.
fn simultaneous<'i>(
    config: &Config,
    watched: &Watched<'i>,
    options: &Options<'_>,
    observer: &mut dyn Observer,
) -> Result<Report<Watched<'i>>, Error> {
    let system = simultaneous_of(watched, watched.interpreter(), config.is_refined())?;
    let report = match config.search {
        Order::BreadthFirst => breadth_first(&system, &mut SetsFirst, options, observer),
        _ => depth_first(&system, &mut SetsFirst, options, observer),
    };
    let violations = report.violations.into_iter().map(|violation| Violation {
        defect: violation.defect,
        steps: system.unfold(&violation.steps),
    });
    Ok(Report {
        stop: report.stop,
        statistics: report.statistics,
        violations: violations.collect(),
        covered: report.covered,
    })
}

/// Searches in the order that is asked for.
fn ordered<'i>(
    config: &Config,
    system: &Watched<'i>,
    reductions: &mut [Chosen],
    options: &Options<'_>,
    observer: &mut dyn Observer,
    keeper: &mut dyn Keeper,
) -> Result<Report<Watched<'i>>, Error> {
    let seed = config.seed.unwrap_or(1);
    let preference = match config.search {
        Order::Random => Preference::Random,
        Order::Biased => Preference::Sends,
        Order::Scatter => Preference::Receives,
        Order::Swarm => {
            let (shard, shards) = config.shard().unwrap_or((0, 1));
            let members = Swarm {
                jobs: reductions.len(),
                arena: (options.memory / 2 / reductions.len() as u64).min(LARGEST_MEMBER),
                seed,
                shard,
                shards,
                members: u64::MAX,
            };
            return Ok(swarm(system, members, options, observer));
        }
        _ => {
            return exhaustive(config, system, reductions, options, observer, keeper);
        }
    };
    if config.store() == choice::Store::None {
        return Ok(random_walk(system, preference, seed, options, observer));
    }
    let ordered = |worker| Ordered::new(preference, seed.wrapping_add(worker));
    let mut orders: Vec<Ordered> = (0..reductions.len() as u64).map(ordered).collect();
    exhaustive(config, system, &mut orders, options, observer, keeper)
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
    let seed = config.seed.unwrap_or(0);
    let mut run = Run {
        breadth: config.search == Order::BreadthFirst,
        system,
        reductions,
        options,
        observer,
        keeper,
    };
    match config.store() {
        choice::Store::Exact => run.with(Tree::new()),
        choice::Store::Compact if config.fingerprint == 128 => run.with(Wide::new()),
        choice::Store::Compact => run.with(Compact::new(config.fingerprint)),
        choice::Store::Bitstate => run.with(Bitstate::new(arena, BITS_OF_A_STATE, seed)),
        choice::Store::Cache => run.with(Cache::new(arena)),
        choice::Store::None => run.with(Nothing),
    }
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

impl<'i, R: Reduction<Watched<'i>> + Send> Run<'_, 'i, '_, R> {
    fn with<S: Store>(&mut self, store: S) -> Result<Report<Watched<'i>>, Error> {
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
