//! Refuses what is not built yet, so that no option is silently ignored.

use crate::arguments::{CheckArguments, Order, Property, Reduction, Store, Switch};
use crate::trouble::Trouble;

/// Is everything that was asked for available?
pub fn refuse_unavailable(arguments: &CheckArguments) -> Result<(), Trouble> {
    match reason(arguments) {
        Some(reason) => Err(Trouble::Usage(reason)),
        None => Ok(()),
    }
}

fn reason(arguments: &CheckArguments) -> Option<String> {
    let later = |what: String| Some(format!("{what} is not available yet"));
    if !matches!(arguments.search, Order::DepthFirst | Order::BreadthFirst) {
        return later(format!("--search {}", arguments.search.name()));
    }
    if arguments.store != Store::Exact {
        return later(format!("--store {}", arguments.store.name()));
    }
    match arguments.property {
        Property::All | Property::Safety | Property::Deadlock | Property::Assertion => {}
        other => return later(format!("--property {}", other.name())),
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
    if arguments.footprint.is_some() && arguments.reduce != Reduction::Persistent {
        return Some("--footprint goes with --reduce persistent".into());
    }
    if arguments.jobs > 1 {
        return later(format!("--jobs {}", arguments.jobs));
    }
    let given = [
        ("--seed", arguments.seed.is_some()),
        ("--guide", arguments.guide.is_some()),
        ("--shard", arguments.shard.is_some()),
        ("--checkpoint", arguments.checkpoint.is_some()),
        ("--ltl", arguments.ltl.is_some()),
        ("--claim", arguments.claim.is_some()),
        ("--acceptance", arguments.acceptance),
        ("--progress", arguments.progress),
        ("--fair", arguments.fair),
    ];
    let (option, _) = given.into_iter().find(|(_, given)| *given)?;
    later(option.into())
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
    fn what_is_not_built_is_refused_by_name() {
        for options in [
            &["--search", "swarm"][..],
            &["--store", "bitstate"],
            &["--property", "overflow"],
            &["--jobs", "2"],
            &["--seed", "1"],
            &["--guide", "x"],
            &["--shard", "1/2"],
            &["--checkpoint", "f"],
            &["--ltl", "[] p"],
            &["--claim", "p"],
            &["--acceptance"],
            &["--progress"],
            &["--fair"],
        ] {
            let reason = reason_of(options).unwrap_or_default();
            assert!(reason.starts_with(options[0]), "{options:?}: {reason}");
            assert!(
                reason.ends_with("is not available yet"),
                "{options:?}: {reason}"
            );
        }
    }
}
