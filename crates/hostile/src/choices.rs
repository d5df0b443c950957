//! Any bytes as what to explore of a real program, and how.

use std::time::Duration;

use mazurka_actors::Explorer;
use mazurka_explore::Config;

use crate::explorations::program;
use crate::models::Fate;

/// However much is asked for.
const TIME: Duration = Duration::from_millis(300);
const EXECUTIONS: u64 = 500;
const JOBS: u32 = 2;

/// Reads the choices, and explores a small program by them if they go together.
pub fn choices(bytes: &[u8]) -> Fate {
    let Ok(config) = serde_json::from_slice::<Config>(bytes) else {
        return Fate::Refused;
    };
    let again = serde_json::to_string(&config).expect("choices can be written");
    let again = serde_json::from_str::<Config>(&again).expect("what is written can be read");
    assert_eq!(again, config);
    let config = Config {
        time: Some(config.time.unwrap_or(TIME).min(TIME)),
        executions: Some(config.executions.unwrap_or(EXECUTIONS).min(EXECUTIONS)),
        jobs: config.jobs.min(JOBS),
        ..config
    };
    match Explorer::with(config).run_with(program, None, &mut ()) {
        Ok(outcome) => Fate::Ran(outcome.statistics.executions as usize),
        Err(reason) => {
            assert!(!reason.to_string().is_empty());
            Fate::Refused
        }
    }
}

/// Valid choices.
pub fn valid() -> Vec<Vec<u8>> {
    let plain = serde_json::to_value(Config::default()).expect("choices can be written");
    let mut all = vec![plain.to_string().into_bytes()];
    for change in [
        r#"{"search": "random", "seed": 3, "executions": 20}"#,
        r#"{"search": "pct", "pct_depth": 2, "seed": 7, "time": 0.1}"#,
        r#"{"reduce": "sleep", "dependency": "refined", "all": true}"#,
        r#"{"reduce": "none", "preemptions": 1, "strict": true, "audit": null}"#,
        r#"{"deepen": 4, "livelock": false, "jobs": 2, "audit": 1.0}"#,
        r#"{"depth": 5, "livelock": true, "left_behind": "locks", "divergence": 1.5}"#,
    ] {
        all.push(change.as_bytes().to_vec());
    }
    all
}
