//! From options to a search: which order with which store.

use mazurka_search::checkpoint::Keeper;
use mazurka_search::store::{Bitstate, Cache, Compact, Nothing, Store, Tree, Wide};
use mazurka_search::{
    Observer, Options, Ordered, Preference, Reduction, Report, Swarm, breadth_first_kept,
    depth_first_kept, random_walk, swarm,
};

use crate::arguments::{self, CheckArguments, Order};
use crate::reduction::Chosen;
use crate::trouble::Trouble;
use crate::watched::Watched;

/// The bits of a state in the bitstate store.
const BITS_OF_A_STATE: u32 = 3;
/// What the program takes without states.
const PROGRAM: u64 = 20 << 20;
/// Without `--memory`, an arena does not take more than this.
const USUAL_ARENA: u64 = 1 << 30;
/// The arena of a member of a swarm.
const LARGEST_MEMBER: u64 = 64 << 20;

/// Searches as the options say. They go together: `availability` has seen to that.
pub fn search<'i>(
    arguments: &CheckArguments,
    system: &Watched<'i>,
    reductions: &mut [Chosen],
    options: &Options<'_>,
    observer: &mut dyn Observer,
    keeper: &mut dyn Keeper,
) -> Result<Report<Watched<'i>>, Trouble> {
    let seed = arguments.seed.unwrap_or(1);
    let preference = match arguments.search {
        Order::Random => Preference::Random,
        Order::Biased => Preference::Sends,
        Order::Scatter => Preference::Receives,
        Order::Swarm => {
            let (shard, shards) = shard(arguments)?;
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
            return exhaustive(arguments, system, reductions, options, observer, keeper);
        }
    };
    if arguments.store() == arguments::Store::None {
        return Ok(random_walk(system, preference, seed, options, observer));
    }
    let ordered = |worker| Ordered::new(preference, seed.wrapping_add(worker));
    let mut orders: Vec<Ordered> = (0..reductions.len() as u64).map(ordered).collect();
    exhaustive(arguments, system, &mut orders, options, observer, keeper)
}

/// Depth-first or breadth-first, with the store that is asked for.
fn exhaustive<'i, R: Reduction<Watched<'i>> + Send>(
    arguments: &CheckArguments,
    system: &Watched<'i>,
    reductions: &mut [R],
    options: &Options<'_>,
    observer: &mut dyn Observer,
    keeper: &mut dyn Keeper,
) -> Result<Report<Watched<'i>>, Trouble> {
    // Half of what the program itself leaves is for the stack.
    let mut arena = options.memory.saturating_sub(PROGRAM) / 2;
    arena = arena.max(options.memory / 8);
    if arguments.memory.is_none() {
        arena = arena.min(USUAL_ARENA);
    }
    let seed = arguments.seed.unwrap_or(0);
    let mut run = Run {
        breadth: arguments.search == Order::BreadthFirst,
        system,
        reductions,
        options,
        observer,
        keeper,
    };
    match arguments.store() {
        arguments::Store::Exact => run.with(Tree::new()),
        arguments::Store::Compact if arguments.fingerprint == 128 => run.with(Wide::new()),
        arguments::Store::Compact => run.with(Compact::new(arguments.fingerprint)),
        arguments::Store::Bitstate => run.with(Bitstate::new(arena, BITS_OF_A_STATE, seed)),
        arguments::Store::Cache => run.with(Cache::new(arena)),
        arguments::Store::None => run.with(Nothing),
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
    fn with<S: Store>(&mut self, store: S) -> Result<Report<Watched<'i>>, Trouble> {
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
        report.map_err(|error| Trouble::Usage(format!("the checkpoint cannot be read: {error}")))
    }
}

/// `--shard I/N`, counting from 1, as a remainder and a divisor.
pub fn shard(arguments: &CheckArguments) -> Result<(u64, u64), Trouble> {
    let Some(text) = &arguments.shard else {
        return Ok((0, 1));
    };
    let number = |text: &str| text.parse::<u64>().ok();
    let parts = text.split_once('/');
    let numbers = parts.and_then(|(part, parts)| Some((number(part)?, number(parts)?)));
    match numbers {
        Some((part, parts)) if 1 <= part && part <= parts => Ok((part - 1, parts)),
        _ => Err(Trouble::Usage(format!(
            "--shard {text}: expected a part and the number of parts, such as 2/8"
        ))),
    }
}
