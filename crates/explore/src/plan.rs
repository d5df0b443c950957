//! What is sound together in an exploration: the one place that decides it.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use mazurka_scenario::Refusal;

use crate::config::{Config, Leftover, Order, Races};
use crate::options::{Dependency, Judgement, LeftBehind, Options, Reduction, Strategy};

/// An exploration that is sound.
///
/// ```
/// use mazurka_explore::{Config, Plan, Reduction};
///
/// let config = Config { preemptions: Some(2), reduce: Some(Reduction::Dpor), ..Config::default() };
/// let refusal = Plan::new(&config, None).unwrap_err();
/// assert!(refusal.reason.contains("--reduce none"));
/// ```
#[derive(Clone, Debug)]
pub struct Plan {
    /// What a search does.
    pub options: Options,
    /// The number of threads.
    pub jobs: usize,
    /// Bound the length of executions by this many steps, then by twice as many, and so on.
    pub deepen: Option<u32>,
}

impl Plan {
    /// Makes a plan, or says why what is asked for is not sound. The search stops when the flag is set.
    pub fn new(config: &Config, interrupt: Option<Arc<AtomicBool>>) -> Result<Plan, Refusal> {
        if let Some(reason) = contradiction(config) {
            return Err(Refusal::new(reason));
        }
        let left_behind = |what| {
            matches!(config.left_behind, Some(Leftover::All)) || config.left_behind == Some(what)
        };
        Ok(Plan {
            options: Options {
                strategy: strategy(config),
                reduction: reduction(config),
                dependency: config.dependency.unwrap_or_default(),
                depth: config.depth,
                judgement: Judgement {
                    livelock: config.livelock,
                    left_behind: LeftBehind {
                        locks: left_behind(Leftover::Locks),
                        messages: left_behind(Leftover::Messages),
                    },
                },
                preemptions: config.preemptions,
                all: config.all,
                executions: config.executions,
                time: config.time,
                seed: config.seed.unwrap_or(0),
                // Equivalent executions of a program whose memory is not seen may well differ.
                audit: config.audit.filter(|_| !config.preload),
                interrupt,
            },
            jobs: config.jobs as usize,
            deepen: config.deepen,
        })
    }

    /// Refuses what makes no sense for a program whose actors are not threads of `mazurka cc`.
    pub fn refuse_for_processes(config: &Config) -> Result<(), Refusal> {
        match config.races {
            Races::Report => Ok(()),
            Races::Ignore => Err(Refusal::new(
                "--races ignore is for programs of mazurka cc: the memory of others is not looked at",
            )),
        }
    }

    /// Refuses what is not sound, or not possible, for a program whose actors are threads that use memory as they like. Whether
    /// they are is known only when the program was started.
    pub fn refuse_for_threads(config: &Config) -> Result<(), Refusal> {
        if config.preload && config.races == Races::Ignore {
            return Err(Refusal::new(
                "--races ignore does not go with --preload: races are not seen, so there is nothing to ignore",
            ));
        }
        if config.checkpoint {
            return Err(Refusal::new(
                "the search of a threaded program cannot be saved: no --checkpoint, no --from",
            ));
        }
        if config.left_behind.is_some() {
            return Err(Refusal::new(
                "--left-behind is not for programs of mazurka cc: a mutex or a semaphore may be left as it is in C",
            ));
        }
        if config.dependency == Some(Dependency::Refined) {
            return Err(Refusal::new(
                "--dependency refined is not sound here: of two stores of the same value, the last decides what is \
                 passed on, and so which accesses race",
            ));
        }
        Ok(())
    }
}

/// Is something lost if executions are cut, or end with a failure of one actor where another could go on? What the representative of a class
/// would have shown may lie beyond the cut, or in races with what lies there.
///
/// Sleep sets alone lose nothing. Equivalent executions have the same length, so a bound cuts all of a class or none. And a failure that
/// ends an execution happens at the end of one that has nothing but what happens before it: among those that are equivalent to that
/// one no other failure comes earlier, and sleep sets keep one of them as it is, step by step.
pub(crate) fn loses_by_cuts(reduction: Reduction) -> bool {
    matches!(reduction, Reduction::Dpor | Reduction::Persistent)
}

/// Is something lost where steps can end in several ways, such as tosses? What a branch is opened for may then commute with what sleeps, in
/// all but one of these ways (`by_value.rs`).
pub(crate) fn loses_by_choices(reduction: Reduction, dependency: Dependency) -> bool {
    (reduction, dependency) == (Reduction::Dpor, Dependency::Refined)
}

/// What a search begins anew with once an execution was cut, or a step could end in several ways that the reduction is not sound with.
pub(crate) const WHERE_CUT: Reduction = Reduction::Sleep;

/// What a search begins anew with where steps that commute were expected to come again in another order, and others came: what threads do
/// depends on memory that is not seen. So nothing commutes for certain.
pub(crate) const WHERE_UNSEEN: Reduction = Reduction::None;

fn strategy(config: &Config) -> Strategy {
    match config.search {
        Order::DepthFirst => Strategy::Exhaustive,
        Order::Random => Strategy::Random,
        Order::Pct => Strategy::Pct(config.pct_depth),
    }
}

/// The reduction that was asked for, or the best that is sound.
fn reduction(config: &Config) -> Reduction {
    config.reduce.unwrap_or(match config.preemptions {
        Some(_) => Reduction::None,
        None => Reduction::Dpor,
    })
}

/// Why choices do not go together.
fn contradiction(config: &Config) -> Option<&'static str> {
    let is_exhaustive = config.search == Order::DepthFirst;
    let leaves_out =
        config.reduce.is_some() || config.dependency.is_some() || config.preemptions.is_some();
    let several = config.jobs > 1;
    let cases = [
        (
            !(1..=256).contains(&config.jobs),
            "--jobs: expected a number from 1 to 256",
        ),
        (
            config.depth == Some(0) || config.deepen == Some(0),
            "--depth and --deepen: expected a number of steps from 1 on",
        ),
        (
            config.search == Order::Pct && config.pct_depth == 0,
            "--search pct looks for defects of a depth from 1 on",
        ),
        (
            is_exhaustive && config.seed.is_some(),
            "--seed goes with --search random and --search pct",
        ),
        (
            !is_exhaustive && config.time.is_none() && config.executions.is_none(),
            "a random search never ends: say --time or --executions",
        ),
        (
            !is_exhaustive && leaves_out,
            "a random search leaves nothing out: --reduce, --dependency and --preemptions go with --search dfs",
        ),
        // An execution within the bound may have no equivalent one within it that the reduction keeps.
        (
            config.preemptions.is_some() && reduction(config) != Reduction::None,
            "--preemptions needs --reduce none: no reduction is sound with it",
        ),
        (
            config.livelock && config.depth.is_none(),
            "--livelock needs --depth, the number of steps after which an execution counts as a livelock",
        ),
        (
            several && reduction(config) == Reduction::Persistent,
            "--reduce persistent needs --jobs 1: it learns during the search which objects actors use",
        ),
        (
            config.deepen.is_some() && (!is_exhaustive || several),
            "--deepen needs --search dfs and --jobs 1",
        ),
        (
            config.deepen.is_some() && config.depth.is_some(),
            "--deepen and --depth both bound the depth: give one of them",
        ),
        (
            config
                .audit
                .is_some_and(|share| !(0.0..=1.0).contains(&share)),
            "--audit is a share from 0 to 1, or off",
        ),
        (
            config.checkpoint && !is_exhaustive,
            "a random search is not saved: begin another one with another --seed",
        ),
        (
            config.checkpoint && config.deepen.is_some(),
            "--checkpoint and --from do not go with --deepen",
        ),
    ];
    let wrong = cases.into_iter().find(|(is_wrong, _)| *is_wrong);
    wrong.map(|(_, reason)| reason)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Leftover;

    #[test]
    fn what_threads_leave_behind_is_not_looked_for() {
        let config = Config {
            left_behind: Some(Leftover::Locks),
            ..Config::default()
        };
        let refused = Plan::refuse_for_threads(&config).map_err(|refusal| refusal.to_string());
        assert!(refused.is_err_and(|reason| reason.starts_with("--left-behind is not for")));
    }
}
