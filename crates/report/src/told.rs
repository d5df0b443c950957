//! What is told while a check goes on, and when.

use std::time::{Duration, Instant};

use mazurka_checker::{Course, Forecast, PropertyOutcome, Stage};
use mazurka_scenario::Style;
use mazurka_search::{Statistics, StopReason};

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
    resumed: Option<Resumed>,
}

/// How far a search that was saved has come since it goes on.
#[derive(Debug)]
struct Resumed {
    began: Instant,
    /// How long it took to read what was saved, and the steps that were made until then; none if it was not read in time.
    read: Option<(Duration, u64)>,
    /// The steps made until now.
    steps: u64,
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
            resumed: None,
        }
    }

    /// The search that begins was saved before, and has to be read.
    pub fn resumes(&mut self) {
        self.resumed = Some(Resumed {
            began: Instant::now(),
            read: None,
            steps: 0,
        });
    }

    /// How far the search is now.
    pub fn progress(&mut self, statistics: &Statistics) {
        if let Some(resumed) = &mut self.resumed {
            resumed.steps = statistics.transitions();
            let took = resumed.began.elapsed();
            resumed.read.get_or_insert((took, resumed.steps));
        }
    }

    /// That a resumed search has made no step when its time was over, since nobody would notice otherwise.
    pub fn came_no_further(&self, stop: StopReason) -> Option<String> {
        let resumed = self.resumed.as_ref().filter(|_| !self.is_quiet)?;
        let has_stood = resumed.read.is_none_or(|(_, steps)| steps == resumed.steps);
        let took = resumed
            .read
            .map_or(resumed.began.elapsed(), |(took, _)| took);
        let seconds = took.as_secs_f64();
        (stop == StopReason::Time && has_stood).then(|| {
            format!(
                "the search came no further: --time counts the reading of what was saved too, which took {seconds:.1} s; give it more\n"
            )
        })
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

    #[test]
    fn a_resumed_search_that_makes_no_step_says_so() {
        let with = |states| Statistics {
            states,
            ..Statistics::default()
        };
        let mut told = Told::new(false);
        told.progress(&with(7));
        assert_eq!(told.came_no_further(StopReason::Time), None);
        told.resumes();
        assert!(told.came_no_further(StopReason::Time).is_some());
        told.progress(&with(7));
        let said = told.came_no_further(StopReason::Time).unwrap();
        assert!(said.starts_with("the search came no further: "), "{said}");
        assert_eq!(told.came_no_further(StopReason::Interrupted), None);
        told.progress(&with(8));
        assert_eq!(told.came_no_further(StopReason::Time), None);
    }

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
