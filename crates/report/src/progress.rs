//! How far a search is, as one line.

use std::time::Duration;

use mazurka_checker::Course;
use mazurka_scenario::figures::{bytes, counted, grouped, rough};
use mazurka_search::Statistics;

/// How far the search over a model is and, from what a state has taken so far, how far it can come. Of several properties, the one that is
/// checked is named, with how many are still to come.
pub(crate) fn progress_of_check(
    statistics: &Statistics,
    memory: u64,
    course: Option<Course<'_>>,
) -> String {
    let seconds = statistics.elapsed.as_secs_f64().max(0.001);
    // What matters least comes last: where the terminal is narrow, it is left out.
    let (store, each) = match statistics.store_bytes {
        0 => Default::default(),
        taken => (
            format!(", {} of {}", bytes(taken), bytes(memory)),
            format!(
                ", {:.1} bytes a state",
                taken as f64 / statistics.states.max(1) as f64
            ),
        ),
    };
    let what = course.map_or(String::new(), |Course { now, later }| match later.len() {
        0 => format!("{now}: "),
        more => format!("{now} ({more} more to come): "),
    });
    format!(
        "{what}{}, {} per second, depth {}{store}, {:.0} s{each}",
        counted(statistics.states, "state"),
        grouped((statistics.states as f64 / seconds) as u64),
        grouped(statistics.depth),
        seconds,
    )
}

/// How far the search over the executions of a program is. Those `before` it began took none of its time.
pub fn progress_of_exploration(
    statistics: &mazurka_explore::Statistics,
    before: u64,
    elapsed: Duration,
) -> String {
    let seconds = elapsed.as_secs_f64().max(0.001);
    let rate = statistics.executions.saturating_sub(before) as f64 / seconds;
    let estimate = match statistics.estimate as u64 {
        0 => String::new(),
        estimate => format!(" of about {}", rough(estimate)),
    };
    let executions = counted(statistics.executions, "execution");
    let rate = grouped(rate as u64);
    format!("{executions}{estimate}, {rate} per second, {seconds:.0} s")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_has_states_rate_depth_and_memory() {
        let statistics = Statistics {
            states: 1_500_000,
            depth: 2345,
            store_bytes: 64 << 20,
            elapsed: Duration::from_secs(3),
            ..Statistics::default()
        };
        let expected = "1,500,000 states, 500,000 per second, depth 2,345, 64 MB of 4096 MB, 3 s, 44.7 bytes a state";
        assert_eq!(progress_of_check(&statistics, 4 << 30, None), expected);
        let walk = Statistics {
            store_bytes: 0,
            ..statistics
        };
        let expected = "1,500,000 states, 500,000 per second, depth 2,345, 3 s";
        assert_eq!(progress_of_check(&walk, 4 << 30, None), expected);
        let later = ["ltl live".to_string()];
        let course = |now, later| Some(Course { now, later });
        let first = progress_of_check(&walk, 4 << 30, course("safety", &later));
        assert_eq!(first, format!("safety (1 more to come): {expected}"));
        let last = progress_of_check(&walk, 4 << 30, course("ltl live", &[]));
        assert_eq!(last, format!("ltl live: {expected}"));
    }
}
