//! Whether what a scenario shows is mended.

use mazurka_scenario::{Scenario, ViolationKind, ViolationRecord};

use crate::config::{Config, Leftover, Races};
use crate::outcome::Outcome;

/// What is said of an actor whose exit code is held against it.
const EXITED: &str = "exited with code";
/// What is said of messages, and of locks, that are left behind.
const STILL_HAS: &str = "still has";
const STILL_HELD: &str = "is still";
/// What is said of an execution that is longer than was allowed.
pub(crate) const NO_END: &str = "no end within";

impl Outcome {
    /// Does it say that what a scenario shows cannot happen any more? Only if everything was explored, with the same arguments, and what
    /// the scenario shows was looked for. `command` is the program with its arguments.
    pub(crate) fn mends(&self, scenario: &Scenario, config: &Config, command: &[String]) -> bool {
        let model = &scenario.model;
        let steps = scenario.steps.len();
        let looked_for = |violation: &ViolationRecord| {
            is_looked_for(violation.kind, &violation.message, steps, config)
        };
        self.holds()
            && model.is_program()
            && model.defines.iter().eq(command.iter().skip(1))
            && (config.spurious || !model.spurious)
            && scenario.violation.as_ref().is_some_and(looked_for)
    }
}

fn is_looked_for(kind: ViolationKind, message: &str, steps: usize, config: &Config) -> bool {
    match kind {
        // With a greater depth, an execution that is no longer is no livelock.
        ViolationKind::Livelock if message.contains(NO_END) => {
            config.livelock && config.depth.is_some_and(|depth| depth as usize <= steps)
        }
        ViolationKind::DataRace => config.races == Races::Report,
        ViolationKind::Crash => config.exit_codes || !message.contains(EXITED),
        ViolationKind::LeftBehind => match config.left_behind {
            None => false,
            Some(Leftover::Locks) => !message.contains(STILL_HAS),
            Some(Leftover::Messages) => !message.contains(STILL_HELD),
            Some(Leftover::All) => true,
        },
        // Whoever has explored everything has seen every execution come to its end.
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_not_looked_for_is_not_mended() {
        use ViolationKind::*;
        let usual = Config::default();
        let ignoring = Config {
            races: Races::Ignore,
            ..Config::default()
        };
        let locks = Config {
            left_behind: Some(Leftover::Locks),
            exit_codes: true,
            ..Config::default()
        };
        let exited = "actor 1 crashed: it exited with code 3";
        let held = "mutex 1 is still held by main";
        let messages = "queue 1 still has 2 messages";
        let deep = |depth| Config {
            livelock: true,
            depth: Some(depth),
            ..Config::default()
        };
        let (at_three, at_ten) = (deep(3), deep(10));
        let long = "livelock: no end within 3 steps";
        for (kind, message, config, expected) in [
            (Livelock, "livelock: main and actor 1 wait", &usual, true),
            (Livelock, long, &usual, false),
            (Livelock, long, &at_three, true),
            (Livelock, long, &at_ten, false),
            (Deadlock, "", &usual, true),
            (Assertion, "", &ignoring, true),
            (DataRace, "", &usual, true),
            (DataRace, "", &ignoring, false),
            (Crash, "main crashed: it was ended by SIGSEGV", &usual, true),
            (Crash, exited, &usual, false),
            (Crash, exited, &locks, true),
            (LeftBehind, held, &usual, false),
            (LeftBehind, held, &locks, true),
            (LeftBehind, messages, &locks, false),
        ] {
            assert_eq!(
                is_looked_for(kind, message, 3, config),
                expected,
                "{kind} {message}"
            );
        }
    }
}
