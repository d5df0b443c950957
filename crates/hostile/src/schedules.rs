//! Any bytes as a schedule, as the variable `MAZURKA_SCHEDULE` has one.

use mazurka_actors::{Explorer, read_schedule};

use crate::explorations::program;
use crate::models::Fate;

/// Repeats the execution that a schedule names, as far as there is one.
pub fn schedule(bytes: &[u8]) -> Fate {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return Fate::Refused;
    };
    let Some(schedule) = read_schedule(text) else {
        return Fate::Refused;
    };
    let replayed = Explorer::new().replay(program, &schedule);
    if let Some(step) = replayed.differs {
        assert!(step as usize <= schedule.len());
        assert!(replayed.violations.is_empty());
    }
    Fate::Ran(schedule.len())
}

/// Valid schedules, some of executions that there are.
pub fn valid() -> Vec<Vec<u8>> {
    let long = "0 1 2 ".repeat(2_000);
    let schedules = [
        "",
        "0",
        "0 0 0 0 0 1 1 1 1 2 2 2 2 0 0 0",
        "0 0 1 1 2 0 2 1 2 2 1 0 0 0 0",
        "0 0.1 1.2 63 0.4294967295",
        &long,
    ];
    schedules
        .map(|schedule| schedule.as_bytes().to_vec())
        .to_vec()
}
