//! Any bytes as results of `check --json` that are to be merged.

use std::time::Duration;

use mazurka_checker::{Checker, Config, Order, Report, Verdict};

use crate::models::Fate;

/// Between two results; no JSON has it outside of its strings.
const BETWEEN: u8 = 0;

/// Reads the results and merges them, one after the other.
pub fn result(bytes: &[u8]) -> Fate {
    let mut all: Option<Report> = None;
    let mut merged = 0;
    for text in bytes.split(|byte| *byte == BETWEEN) {
        let Ok(text) = std::str::from_utf8(text) else {
            return Fate::Refused;
        };
        let report = match Report::from_json(text) {
            Ok(report) => report,
            Err(reason) => {
                assert!(!reason.is_empty());
                return Fate::Refused;
            }
        };
        let again = Report::from_json(&report.to_json()).expect("what is written can be read");
        assert_eq!(again.to_json(), report.to_json());
        all = Some(match all {
            None => report,
            Some(before) => {
                let was_violated = before.verdict == Verdict::Violated;
                let is_violated = report.verdict == Verdict::Violated;
                match before.merge(&report) {
                    Ok(both) => {
                        assert_ne!(both.verdict, Verdict::Holds, "parts prove nothing");
                        let is_kept = both.verdict == Verdict::Violated;
                        assert_eq!(is_kept, was_violated || is_violated);
                        both
                    }
                    Err(reason) => {
                        assert!(!reason.is_empty());
                        return Fate::Refused;
                    }
                }
            }
        });
        merged += 1;
    }
    Fate::Ran(merged)
}

/// Valid results: parts of swarms, alone and together, of a model that holds and of one that does not.
pub fn valid() -> Vec<Vec<u8>> {
    let part = |model: &str, shard: &str| {
        let config = Config {
            search: Order::Swarm,
            shard: Some(shard.into()),
            time: Some(Duration::from_millis(20)),
            ..Config::default()
        };
        let checker = Checker::from_source("p.pml", model).expect("a model");
        let outcome = checker.config(config.clone()).run().expect("an outcome");
        let report = Report::of(&outcome, &config, &Default::default());
        report.to_json().into_bytes()
    };
    let mut all = Vec::new();
    for model in [
        "byte x; active proctype P() { x++ }",
        "active [2] proctype P() { assert(0) }",
    ] {
        let parts = [part(model, "1/2"), part(model, "2/2")];
        all.push(parts.join(&BETWEEN));
        all.extend(parts);
    }
    all
}
