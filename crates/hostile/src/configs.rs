//! Any bytes as what to check and how.

use std::time::Duration;

use mazurka_checker::{Checker, Config, Error};

use crate::models::Fate;

/// What is checked: small enough for every search.
const MODEL: &str = "
chan c = [1] of { byte };
byte x;
active proctype P() { c ! 1; x = 1 }
active proctype Q() { byte y; c ? y; end: x == 2 }
ltl p { <> (x == 1) }
";
/// However much is asked for.
const MEMORY: u64 = 64 << 20;
const TIME: Duration = Duration::from_millis(300);
const JOBS: u32 = 2;

/// Reads the choices, and checks a small model by them if they go together.
pub fn config(bytes: &[u8]) -> Fate {
    let Ok(config) = serde_json::from_slice::<Config>(bytes) else {
        return Fate::Refused;
    };
    let again = serde_json::to_string(&config).expect("choices can be written");
    let again = serde_json::from_str::<Config>(&again).expect("what is written can be read");
    assert_eq!(again, config);
    check(config)
}

/// Checks a small model by some choices, if they go together.
pub(crate) fn check(config: Config) -> Fate {
    let checker = Checker::from_source("any.pml", MODEL).expect("a model");
    match checker.config(bounded(config)).run() {
        Ok(outcome) => Fate::Ran(outcome.properties.len()),
        Err(Error::Internal(reason)) => panic!("{reason}"),
        Err(reason) => {
            assert!(!reason.to_string().is_empty());
            Fate::Refused
        }
    }
}

/// The same choices, with no more time, memory and workers than a case may have.
pub(crate) fn bounded(config: Config) -> Config {
    Config {
        memory: Some(config.memory.unwrap_or(MEMORY).min(MEMORY)),
        time: Some(config.time.unwrap_or(TIME).min(TIME)),
        jobs: Some(config.jobs().min(JOBS)),
        ..config
    }
}

/// Valid choices.
pub fn valid() -> Vec<Vec<u8>> {
    let plain = serde_json::to_value(Config::default()).expect("choices can be written");
    let mut all = vec![plain.to_string().into_bytes()];
    for change in [
        r#"{"search": "bfs", "store": "compact", "fingerprint": 48}"#,
        r#"{"search": "swarm", "shard": "1/2", "seed": 3}"#,
        r#"{"search": "guided", "guide": "x + len(c)"}"#,
        r#"{"reduce": "persistent", "sleep": "on", "dependency": "constant"}"#,
        r#"{"ltl": "[] (x < 2)", "fair": true, "emptiness": "scc", "audit": null}"#,
        r#"{"property": "deadlock", "all": true, "depth": 5, "audit": 1.0}"#,
        r#"{"define": ["A=1"], "deepen": 2, "optimize": "off", "merge": "on"}"#,
    ] {
        all.push(change.as_bytes().to_vec());
    }
    all
}
