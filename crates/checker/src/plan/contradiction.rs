//! Choices that do not go together, whatever the model is. Those without effect are listed in the reference.

use mazurka_scenario::figures::bytes;

use crate::choice::{Order, Property, Reduction, Switch};
use crate::config::{Config, MOST_JOBS};
use crate::memory::all_memory;
use crate::store::Store;

/// The first reason why choices contradict each other.
pub fn reason(config: &Config) -> Option<String> {
    if !matches!(config.fingerprint, 40..=64 | 128) {
        let bits = config.fingerprint;
        return Some(format!(
            "--fingerprint {bits}: expected a number of bits from 40 to 64, or 128"
        ));
    }
    if !(1..=MOST_JOBS).contains(&config.jobs.unwrap_or(1)) {
        return Some(format!("--jobs: expected a number from 1 to {MOST_JOBS}"));
    }
    if config.guide.is_some() != (config.search == Order::Guided) {
        return Some("--search guided and --guide EXPR go together".into());
    }
    let sleeps = config.sleep == Some(Switch::On);
    if sleeps && config.search != Order::DepthFirst {
        return Some(
            "--sleep on needs --search dfs: other orders do not return to sleeping steps".into(),
        );
    }
    if sleeps && config.reduce == Reduction::Simultaneous {
        return Some(
            "--sleep on does not go with --reduce simultaneous: its edges are sets of steps".into(),
        );
    }
    if config.deepen.is_some()
        && let Some(reason) = not_with_deepening(config)
    {
        return Some(format!("--deepen {reason}"));
    }
    if let (Some(asked), Some(all)) = (config.memory, all_memory())
        && matches!(config.store(), Store::Bitstate | Store::Cache)
        && asked > all
    {
        let (store, asked, all) = (config.store().name(), bytes(asked), bytes(all));
        return Some(format!(
            "--store {store} takes its memory at the start: --memory {asked} is more than this machine has ({all})"
        ));
    }
    if config.footprint.is_some() && config.reduce != Reduction::Persistent {
        return Some("--footprint needs --reduce persistent".into());
    }
    if config.cluster
        && let Some(reason) = not_together(config)
    {
        return Some(format!("--cluster {reason}"));
    }
    if config.checkpoint && !can_be_saved(config) {
        return Some(
            "--checkpoint needs --search dfs or bfs, --store exact, compact or bitstate, and a safety property; \
             it does not go with --sleep on or --reduce simultaneous"
                .into(),
        );
    }
    // Temporal properties have searches of their own.
    match config.is_temporal() {
        true => not_for_claims(config),
        false => contradiction(config),
    }
}

/// What iterative depth bounding does not go with.
fn not_with_deepening(config: &Config) -> Option<&'static str> {
    let is_on = |switch: Option<Switch>| switch == Some(Switch::On);
    let reduces = !matches!(config.reduce, Reduction::Auto | Reduction::None);
    Some(match config.search {
        _ if config.is_temporal() => {
            "is for safety properties: a cycle may be longer than any bound"
        }
        Order::BreadthFirst => "is of no use with --search bfs, which finds a shortest scenario",
        search if search != Order::DepthFirst => "needs --search dfs",
        _ if config.store() != Store::Exact => {
            "needs --store exact: the least depth of every state has to be known"
        }
        _ if config.jobs() > 1 => "needs --jobs 1",
        _ if reduces || is_on(config.sleep) => {
            "does not go with a reduction: what is left out may be on every shortest path"
        }
        _ if is_on(config.merge) || is_on(config.collapse) => {
            "does not go with --merge-steps on or --collapse on, which make a run of local steps one step"
        }
        _ if config.all => "ends with one shortest scenario: it does not go with --all",
        _ if config.checkpoint => "cannot be saved by --checkpoint",
        _ => return None,
    })
}

/// What a search for cycles has no use for. (Where safety is checked too, options are for that; the temporal
/// properties then say what they do not use.)
fn not_for_claims(config: &Config) -> Option<String> {
    if !matches!(config.property, Property::All | Property::Safety) {
        return Some(format!(
            "--property {} is for safety; it does not go with a temporal property",
            config.property.name()
        ));
    }
    let (search, store) = (config.search.name(), config.store().name());
    let reason = match config.reduce {
        _ if !matches!(config.search, Order::DepthFirst | Order::BreadthFirst) => {
            format!("--search {search} does not find cycles: temporal properties need dfs or bfs")
        }
        _ if config.search == Order::BreadthFirst && config.jobs() > 1 && !config.cluster => {
            "--search bfs with more than one job is not available yet".into()
        }
        _ if config.store() != Store::Exact => {
            format!("--store {store} is not for temporal properties: every state has to be known")
        }
        _ if config.sleep == Some(Switch::On) => {
            "--sleep on is not sound for temporal properties: it leaves out steps that close cycles"
                .into()
        }
        reduce if config.fair && !matches!(reduce, Reduction::Auto | Reduction::None) => {
            let reduce = config.reduce.name();
            format!("--reduce {reduce} has not been proved sound together with --fair")
        }
        _ => return None,
    };
    Some(reason)
}

/// What a search over several members does not go with.
fn not_together(config: &Config) -> Option<&'static str> {
    Some(match config.search {
        search if search != Order::BreadthFirst => {
            "needs --search bfs: the members go level by level"
        }
        _ if config.store() != Store::Exact => {
            "needs --store exact: a member has to tell all states apart"
        }
        _ if config.reduce == Reduction::Simultaneous => {
            "does not go with --reduce simultaneous: its edges are sets of steps"
        }
        _ => return None,
    })
}

fn can_be_saved(config: &Config) -> bool {
    matches!(config.search, Order::DepthFirst | Order::BreadthFirst)
        && config.store().remembers()
        && config.sleep != Some(Switch::On)
        && config.reduce != Reduction::Simultaneous
        && !config.is_temporal()
}

/// Options that do not go together, with the reason.
fn contradiction(config: &Config) -> Option<String> {
    let (search, store) = (config.search.name(), config.store().name());
    let reduces = !matches!(config.reduce, Reduction::Auto | Reduction::None);
    let forgets = !config.store().remembers();
    let is_walk = matches!(
        config.search,
        Order::Random | Order::Biased | Order::Scatter | Order::Probabilistic
    ) && config.store() == Store::None;
    let is_on = |switch: Option<Switch>| switch == Some(Switch::On);
    let never_ends = is_walk || config.search == Order::Swarm;
    let reason = match config.search {
        _ if never_ends && config.time.is_none() => {
            format!("--search {search} never ends by itself: give --time")
        }
        Order::BreadthFirst if forgets => {
            format!("--search bfs has to remember states, and --store {store} forgets them")
        }
        Order::BreadthFirst if is_on(config.merge) || is_on(config.collapse) => {
            "--merge-steps on or --collapse on makes a run of local steps one step, \
             so --search bfs would not find a shortest scenario"
                .into()
        }
        Order::Probabilistic if is_on(config.merge) || is_on(config.collapse) => {
            "--merge-steps on or --collapse on makes a run of local steps one step, \
             so --search probabilistic would not weigh the steps in between"
                .into()
        }
        Order::Guided if config.store() != Store::Exact => {
            format!("--search guided with --store {store} is not available yet")
        }
        Order::Guided if config.jobs() > 1 => "--search guided needs --jobs 1".into(),
        Order::Stack | Order::Probabilistic if config.store() != Store::None => {
            format!("--search {search} remembers nothing, so --store {store} is of no use")
        }
        Order::Swarm if config.store() != Store::Bitstate => {
            "--search swarm is a swarm of bitstate searches".into()
        }
        Order::Random
        | Order::Biased
        | Order::Scatter
        | Order::Guided
        | Order::Probabilistic
        | Order::Swarm
            if reduces =>
        {
            format!("--search {search} has not been proved sound with a reduction")
        }
        _ if reduces
            && (forgets || config.reduce == Reduction::Simultaneous)
            && config.store() != Store::Exact =>
        {
            format!("--store {store} has not been proved sound with a reduction")
        }
        _ if config.sleep == Some(Switch::On)
            && (config.store() != Store::Exact || config.jobs() > 1) =>
        {
            "--sleep on needs --store exact and --jobs 1".into()
        }
        _ if config.reduce == Reduction::Simultaneous && config.jobs() > 1 => {
            "--reduce simultaneous needs --jobs 1".into()
        }
        _ if (forgets || is_walk) && config.jobs() > 1 => {
            format!(
                "--store {store} needs --jobs 1: without a full store, workers do not know what others have explored"
            )
        }
        _ if config.shard.is_some() && config.search != Order::Swarm => {
            "--shard splits a swarm: it needs --search swarm".into()
        }
        _ if config.shard().is_none() => {
            let text = config.shard.as_deref().unwrap_or_default();
            format!("--shard {text}: expected a part and the number of parts, such as 2/8")
        }
        _ => return None,
    };
    Some(reason)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A config by the names of its fields, as options of the command line are given.
    fn reason_of(options: &[&str]) -> Option<String> {
        let mut fields = serde_json::Map::new();
        let mut options = options.iter().peekable();
        while let Some(option) = options.next() {
            let name = option.strip_prefix("--").expect("an option");
            let value = options.next_if(|next| !next.starts_with("--"));
            let value = match (name, value) {
                ("checkpoint", _) | (_, None) => true.into(),
                ("jobs" | "fingerprint" | "deepen" | "depth" | "seed", Some(number)) => {
                    number.parse::<u64>().expect("a number").into()
                }
                ("time", Some(_)) => 1.into(),
                (_, Some(text)) => (*text).into(),
            };
            fields.insert(name.into(), value);
        }
        reason(&serde_json::from_value(fields.into()).expect("a config"))
    }

    #[test]
    fn what_is_built_is_not_refused() {
        assert_eq!(reason_of(&[]), None);
        let options = [
            "--search",
            "bfs",
            "--reduce",
            "none",
            "--optimize",
            "off",
            "--jobs",
            "1",
        ];
        assert_eq!(reason_of(&options), None);
        assert_eq!(
            reason_of(&["--sleep", "off", "--property", "deadlock"]),
            None
        );
    }

    #[test]
    fn what_does_not_go_together_is_refused() {
        for (options, reason) in [
            (&["--fingerprint", "39"][..], "40 to 64"),
            (&["--fingerprint", "65"], "or 128"),
            (&["--jobs", "0"], "from 1 to 256"),
            (&["--jobs", "257"], "from 1 to 256"),
            (&["--search", "random"], "give --time"),
            (&["--search", "swarm"], "give --time"),
            (&["--search", "probabilistic"], "give --time"),
            (
                &["--search", "probabilistic", "--store", "exact"],
                "of no use",
            ),
            (&["--search", "stack", "--jobs", "2"], "--jobs 1"),
            (&["--store", "cache", "--jobs", "2"], "--jobs 1"),
            (&["--search", "stack", "--store", "exact"], "of no use"),
            (&["--reduce", "simultaneous", "--jobs", "2"], "--jobs 1"),
            (&["--reduce", "stubborn", "--store", "cache"], "sound"),
            (&["--shard", "1/2"], "--search swarm"),
            (
                &["--search", "swarm", "--time", "1s", "--shard", "3/2"],
                "such as 2/8",
            ),
            (&["--guide", "x"], "go together"),
            (&["--search", "guided"], "go together"),
            (
                &["--search", "guided", "--guide", "x", "--jobs", "2"],
                "--jobs 1",
            ),
            (
                &["--search", "guided", "--guide", "x", "--ltl", "p"],
                "cycles",
            ),
            (&["--checkpoint", "f", "--store", "cache"], "needs"),
            (&["--checkpoint", "f", "--acceptance"], "needs"),
            (&["--search", "bfs", "--store", "cache"], "forgets"),
            (&["--deepen", "5", "--search", "bfs"], "of no use"),
            (&["--deepen", "5", "--search", "stack"], "--search dfs"),
            (&["--deepen", "5", "--store", "compact"], "--store exact"),
            (&["--deepen", "5", "--jobs", "2"], "--jobs 1"),
            (&["--deepen", "5", "--reduce", "stubborn"], "a reduction"),
            (&["--deepen", "5", "--sleep", "on"], "a reduction"),
            (&["--deepen", "5", "--collapse", "on"], "local steps"),
            (&["--deepen", "5", "--all"], "--all"),
            (&["--deepen", "5", "--ltl", "[] p"], "safety"),
            (&["--deepen", "5", "--checkpoint", "f"], "--checkpoint"),
            (&["--cluster"], "--search bfs"),
            (
                &["--cluster", "--search", "bfs", "--store", "compact"],
                "--store exact",
            ),
            (
                &["--cluster", "--search", "bfs", "--reduce", "simultaneous"],
                "sets of steps",
            ),
            (&["--search", "bfs", "--merge", "on"], "shortest"),
            (&["--search", "bfs", "--collapse", "on"], "shortest"),
        ] {
            let given = reason_of(options).unwrap_or_default();
            assert!(given.contains(reason), "{options:?}: {given}");
        }
        for options in [
            &["--store", "bitstate", "--jobs", "2"][..],
            &["--store", "compact"],
            &["--search", "bfs", "--store", "compact", "--jobs", "3"],
            &["--search", "bfs", "--merge", "off"],
            &["--cluster", "--search", "bfs", "--jobs", "2"],
            &["--cluster", "--search", "bfs", "--checkpoint", "f"],
            &["--deepen", "5", "--depth", "100", "--jobs", "1"],
            &["--search", "stack"],
            &["--search", "probabilistic", "--time", "1s"],
            &["--search", "scatter", "--store", "exact"],
            &[
                "--search", "swarm", "--time", "1s", "--shard", "1/2", "--seed", "4",
            ],
        ] {
            assert_eq!(reason_of(options), None, "{options:?}");
        }
    }

    #[test]
    fn temporal_properties_refuse_what_they_have_no_use_for() {
        for (options, reason) in [
            (&["--search", "random", "--time", "1s"][..], "cycles"),
            (&["--search", "bfs", "--jobs", "2"], "not available"),
            (&["--store", "bitstate"], "every state"),
            (&["--sleep", "on"], "sound"),
            (&["--property", "deadlock"], "for safety"),
            (&["--reduce", "simultaneous", "--fair"], "--fair"),
            (&["--reduce", "stubborn", "--fair"], "--fair"),
        ] {
            let options = [&["--progress"], options].concat();
            let given = reason_of(&options).unwrap_or_default();
            assert!(given.contains(reason), "{options:?}: {given}");
        }
        for options in [
            &["--progress", "--reduce", "stubborn"][..],
            &["--ltl", "<> x", "--reduce", "simultaneous"],
            &["--acceptance", "--fair", "--jobs", "2"],
            &["--ltl", "[] x", "--search", "bfs"],
            &["--cluster", "--search", "bfs", "--fair", "--jobs", "2"],
        ] {
            assert_eq!(reason_of(options), None, "{options:?}");
        }
    }
}
