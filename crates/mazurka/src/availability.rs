//! Refuses options that contradict each other. Those without effect are listed in the reference.

use crate::arguments::{CheckArguments, Order, Property, Reduction, Store, Switch};
use crate::checkpoint::refuse_other_than_file;
use crate::trouble::Trouble;

/// Is everything that was asked for available?
pub fn refuse_unavailable(arguments: &CheckArguments) -> Result<(), Trouble> {
    if let Some(reason) = reason(arguments) {
        return Err(Trouble::Usage(reason));
    }
    match &arguments.checkpoint {
        Some(path) => refuse_other_than_file(path),
        None => Ok(()),
    }
}

fn reason(arguments: &CheckArguments) -> Option<String> {
    if arguments.guide.is_some() != (arguments.search == Order::Guided) {
        return Some("--search guided and --guide EXPR go together".into());
    }
    let sleeps = arguments.sleep == Some(Switch::On);
    if sleeps && arguments.search != Order::DepthFirst {
        return Some(
            "--sleep on goes with --search dfs: other orders do not finish what sleeps".into(),
        );
    }
    if sleeps && arguments.reduce == Reduction::Simultaneous {
        return Some(
            "--sleep on does not go with --reduce simultaneous: its edges are sets of steps".into(),
        );
    }
    if arguments.deepen.is_some()
        && let Some(reason) = not_with_deepening(arguments)
    {
        return Some(format!("--deepen {reason}"));
    }
    if arguments.footprint.is_some() && arguments.reduce != Reduction::Persistent {
        return Some("--footprint goes with --reduce persistent".into());
    }
    if arguments.checkpoint.is_some() && !can_be_saved(arguments) {
        return Some(
            "--checkpoint goes with --search dfs or bfs and --store exact, compact or bitstate, \
             for safety properties, without --sleep on and --reduce simultaneous"
                .into(),
        );
    }
    // Temporal properties have searches of their own.
    match crate::temporal::is_asked_for(arguments) {
        true => not_for_claims(arguments),
        false => contradiction(arguments),
    }
}

/// What iterative depth bounding does not go with.
fn not_with_deepening(arguments: &CheckArguments) -> Option<&'static str> {
    let is_on = |switch: Option<Switch>| switch == Some(Switch::On);
    let reduces = !matches!(arguments.reduce, Reduction::Auto | Reduction::None);
    Some(match arguments.search {
        _ if crate::temporal::is_asked_for(arguments) => {
            "is for safety properties: a cycle may be longer than any bound"
        }
        Order::BreadthFirst => "is of no use with --search bfs, which finds a shortest scenario",
        search if search != Order::DepthFirst => "goes with --search dfs",
        _ if arguments.store() != Store::Exact => {
            "goes with --store exact: the least depth of every state has to be known"
        }
        _ if arguments.jobs() > 1 => "goes with one job",
        _ if reduces || is_on(arguments.sleep) => {
            "does not go with a reduction: what is left out may be on every shortest path"
        }
        _ if is_on(arguments.merge) || is_on(arguments.collapse) => {
            "does not go with --merge on and --collapse on, which make a run of local steps one step"
        }
        _ if arguments.all => "ends with one shortest scenario: it does not go with --all",
        _ if arguments.checkpoint.is_some() => "cannot be saved by --checkpoint",
        _ => return None,
    })
}

/// What a search for cycles has no use for. (Where safety is checked too, options are for that; the temporal
/// properties then say what they do not use.)
fn not_for_claims(arguments: &CheckArguments) -> Option<String> {
    if !matches!(arguments.property, Property::All | Property::Safety) {
        return Some(format!(
            "--property {} is about safety: a temporal property is checked alone",
            arguments.property.name()
        ));
    }
    let (search, store) = (arguments.search.name(), arguments.store().name());
    let reason = match arguments.reduce {
        _ if !matches!(arguments.search, Order::DepthFirst | Order::BreadthFirst) => {
            format!("--search {search} does not find cycles: temporal properties need dfs or bfs")
        }
        _ if arguments.search == Order::BreadthFirst && arguments.jobs() > 1 => {
            "--search bfs with more than one job is not available yet".into()
        }
        _ if arguments.store() != Store::Exact => {
            format!("--store {store} is not for temporal properties: every state has to be known")
        }
        _ if arguments.sleep == Some(Switch::On) => {
            "--sleep on is not sound for temporal properties: it leaves out steps that close cycles"
                .into()
        }
        Reduction::Persistent
        | Reduction::Ample
        | Reduction::Simultaneous
        | Reduction::Stubborn
            if arguments.fair =>
        {
            let reduce = arguments.reduce.name();
            format!("--reduce {reduce} has not been proved sound together with --fair")
        }
        _ => return None,
    };
    Some(reason)
}

fn can_be_saved(arguments: &CheckArguments) -> bool {
    matches!(arguments.search, Order::DepthFirst | Order::BreadthFirst)
        && !matches!(arguments.store(), Store::Cache | Store::None)
        && arguments.sleep != Some(Switch::On)
        && arguments.reduce != Reduction::Simultaneous
        && !crate::temporal::is_asked_for(arguments)
}

/// Options that do not go together, with the reason.
fn contradiction(arguments: &CheckArguments) -> Option<String> {
    let (search, store) = (arguments.search.name(), arguments.store().name());
    let reduces = !matches!(arguments.reduce, Reduction::Auto | Reduction::None);
    let forgets = matches!(arguments.store(), Store::Cache | Store::None);
    let is_walk = matches!(
        arguments.search,
        Order::Random | Order::Biased | Order::Scatter | Order::Probabilistic
    ) && arguments.store() == Store::None;
    let is_on = |switch: Option<Switch>| switch == Some(Switch::On);
    let never_ends = is_walk || arguments.search == Order::Swarm;
    let reason = match arguments.search {
        _ if never_ends && arguments.time.is_none() => {
            format!("--search {search} never ends by itself: give --time")
        }
        Order::BreadthFirst if forgets => {
            format!("--search bfs has to remember states, and --store {store} forgets them")
        }
        Order::BreadthFirst if is_on(arguments.merge) || is_on(arguments.collapse) => {
            "--merge on and --collapse on make a run of local steps one step, \
             so --search bfs would not find a shortest scenario"
                .into()
        }
        Order::Probabilistic if is_on(arguments.merge) || is_on(arguments.collapse) => {
            "--merge on and --collapse on make a run of local steps one step, \
             so --search probabilistic would not weigh what comes between"
                .into()
        }
        Order::Guided if arguments.store() != Store::Exact => {
            format!("--search guided with --store {store} is not available yet")
        }
        Order::Guided if arguments.jobs() > 1 => "--search guided goes with one job".into(),
        Order::Stack | Order::Probabilistic if arguments.store() != Store::None => {
            format!("--search {search} remembers nothing, so --store {store} is of no use")
        }
        Order::Swarm if arguments.store() != Store::Bitstate => {
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
            && (forgets || arguments.reduce == Reduction::Simultaneous)
            && arguments.store() != Store::Exact =>
        {
            format!("--store {store} has not been proved sound with a reduction")
        }
        _ if arguments.sleep == Some(Switch::On)
            && (arguments.store() != Store::Exact || arguments.jobs() > 1) =>
        {
            "--sleep on goes with --store exact and one job".into()
        }
        _ if arguments.reduce == Reduction::Simultaneous && arguments.jobs() > 1 => {
            "--reduce simultaneous goes with one job".into()
        }
        _ if (forgets || is_walk) && arguments.jobs() > 1 => {
            format!(
                "--store {store} is for one job: what others are at is not known without a store"
            )
        }
        _ if arguments.shard.is_some() && arguments.search != Order::Swarm => {
            "--shard splits a swarm: it needs --search swarm".into()
        }
        _ => return None,
    };
    Some(reason)
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;
    use crate::arguments::{Arguments, Command};

    fn reason_of(options: &[&str]) -> Option<String> {
        let words = ["mazurka", "check", "a.pml"].iter().chain(options);
        match Arguments::parse_from(words).command {
            Command::Check(arguments) => reason(&arguments),
            other => panic!("{other:?} is not a check"),
        }
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
            (&["--search", "random"][..], "give --time"),
            (&["--search", "swarm"], "give --time"),
            (&["--search", "probabilistic"], "give --time"),
            (
                &["--search", "probabilistic", "--store", "exact"],
                "of no use",
            ),
            (&["--search", "stack", "--jobs", "2"], "one job"),
            (&["--store", "cache", "--jobs", "2"], "one job"),
            (&["--search", "stack", "--store", "exact"], "of no use"),
            (&["--reduce", "simultaneous", "--jobs", "2"], "one job"),
            (&["--reduce", "stubborn", "--store", "cache"], "sound"),
            (&["--shard", "1/2"], "--search swarm"),
            (&["--guide", "x"], "go together"),
            (&["--search", "guided"], "go together"),
            (
                &["--search", "guided", "--guide", "x", "--jobs", "2"],
                "one job",
            ),
            (
                &["--search", "guided", "--guide", "x", "--ltl", "p"],
                "cycles",
            ),
            (&["--checkpoint", "f", "--store", "cache"], "goes with"),
            (&["--checkpoint", "f", "--acceptance"], "goes with"),
            (&["--search", "bfs", "--store", "cache"], "forgets"),
            (&["--deepen", "5", "--search", "bfs"], "of no use"),
            (&["--deepen", "5", "--search", "stack"], "--search dfs"),
            (&["--deepen", "5", "--store", "compact"], "--store exact"),
            (&["--deepen", "5", "--jobs", "2"], "one job"),
            (&["--deepen", "5", "--reduce", "stubborn"], "a reduction"),
            (&["--deepen", "5", "--sleep", "on"], "a reduction"),
            (&["--deepen", "5", "--collapse", "on"], "local steps"),
            (&["--deepen", "5", "--all"], "--all"),
            (&["--deepen", "5", "--ltl", "[] p"], "safety"),
            (&["--deepen", "5", "--checkpoint", "f"], "--checkpoint"),
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
            (&["--property", "deadlock"], "alone"),
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
        ] {
            assert_eq!(reason_of(options), None, "{options:?}");
        }
    }
}
