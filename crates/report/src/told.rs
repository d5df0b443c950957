//! What is told while a check goes on, and when.

use std::time::{Duration, Instant};

use mazurka_checker::{Course, Forecast, PropertyOutcome, Stage};
use mazurka_scenario::Style;
use mazurka_search::Statistics;

use crate::human::decided;
use crate::progress::progress_of_check;

/// A search that takes longer is a long one.
const LONG: Duration = Duration::from_secs(2);

/// What has been told, and what there is still to tell. Of a check that is over soon, nothing is.
#[derive(Debug)]
pub struct Told {
    is_quiet: bool,
    began: Instant,
    /// What states may take.
    memory: u64,
    /// What is to be said of a long search, as long as it has not been said.
    forecast: Option<Forecast>,
    /// What is checked, if there are several properties.
    now: Option<String>,
    /// What is still to come, and whether that was said.
    later: Vec<String>,
    is_announced: bool,
}

impl Told {
    /// Nothing yet; nothing ever, if nobody wants to know.
    pub fn new(is_quiet: bool) -> Told {
        Told {
            is_quiet,
            began: Instant::now(),
            memory: 0,
            forecast: None,
            now: None,
            later: Vec::new(),
            is_announced: false,
        }
    }

    /// A property is checked next.
    pub fn next(&mut self, course: &Course<'_>) {
        if self.now.is_some() || !course.later.is_empty() {
            self.now = Some(course.now.into());
        }
        self.later = course.later.to_vec();
    }

    /// A search begins.
    pub fn begin(&mut self, stage: &Stage<'_>) {
        self.memory = stage.memory;
        self.forecast = (!self.is_quiet).then(|| Forecast::new(stage));
    }

    /// What became of a property, if the user has waited for it and has to wait for others.
    pub fn decided(&mut self, outcome: &PropertyOutcome, style: Style) -> String {
        match self.later.first() {
            Some(next) if !self.is_quiet && self.began.elapsed() >= LONG => {
                self.is_announced = true;
                decided(outcome, next, style)
            }
            _ => String::new(),
        }
    }

    /// What a search that turns out to be a long one will need, and what is checked after it; said once.
    pub fn of_long_search(&mut self, statistics: &Statistics) -> Option<String> {
        let forecast = self.forecast.filter(|_| statistics.elapsed >= LONG)?;
        let said = forecast.say(statistics)?;
        self.forecast = None;
        let order = match (self.now.as_deref(), self.later.is_empty()) {
            (Some(now), false) if !std::mem::replace(&mut self.is_announced, true) => {
                format!("checking {now}; to come: {}\n", self.later.join(", "))
            }
            _ => String::new(),
        };
        Some(format!("{order}{said}\n"))
    }

    /// How far the search is.
    pub fn line(&self, statistics: &Statistics) -> String {
        let later = &self.later;
        let course = self.now.as_deref().map(|now| Course { now, later });
        progress_of_check(statistics, self.memory, course)
    }
}

#[cfg(test)]
mod tests {
    use mazurka_checker::{Order, Store};
    use mazurka_scenario::PropertyKind;

    use super::*;

    fn begun(is_quiet: bool) -> Told {
        let mut told = Told::new(is_quiet);
        let later = ["ltl low".to_string(), "ltl live".to_string()];
        let now = "safety";
        told.next(&Course { now, later: &later });
        told.begin(&Stage {
            property: now,
            kind: PropertyKind::Safety,
            order: Order::DepthFirst,
            store: Store::Exact,
            memory: 1 << 30,
        });
        told
    }

    #[test]
    fn a_long_search_is_announced_once_with_what_follows() {
        let after = |seconds| Statistics {
            states: 1 << 20,
            store_bytes: 16 << 20,
            elapsed: Duration::from_secs(seconds),
            ..Statistics::default()
        };
        let mut told = begun(false);
        assert_eq!(told.of_long_search(&after(1)), None);
        let said = told.of_long_search(&after(3)).unwrap();
        let lines: Vec<&str> = said.lines().collect();
        assert_eq!(lines[0], "checking safety; to come: ltl low, ltl live");
        assert!(lines[1].starts_with("exact store: 16.0 bytes per state"));
        assert_eq!(told.of_long_search(&after(4)), None);
        assert!(
            told.line(&after(4))
                .starts_with("safety (2 more to come): ")
        );
        assert_eq!(begun(true).of_long_search(&after(3)), None);
    }
}
