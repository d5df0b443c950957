//! The front door: run a closure in all interleavings.

use std::time::Duration;

use mazurka_explore::{
    Dependency, Engine, LeftBehind, Observer, Options, Reduction, Report, StopReason, Strategy,
    Violation, account, explore as search, explore_deeper_and_deeper, explore_in_parallel,
    record_of, replay as repeat, shorten,
};
use mazurka_scenario::{Style, text};

use crate::coroutine::{Coroutines, STACK};

/// Explores a program exhaustively and panics if it goes wrong in some interleaving.
///
/// The message tells the steps of a short execution that shows the violation, and ends with the
/// command that repeats it: the schedule goes into the variable `MAZURKA_SCHEDULE`.
///
/// # Panics
///
/// If a violation is found, or if the exploration is not complete.
#[track_caller]
pub fn explore(program: impl Fn() + Sync) {
    Explorer::new().check(program);
}

/// How to explore a program.
#[derive(Clone, Debug, Default)]
pub struct Explorer {
    options: Options,
    stack: Option<usize>,
    jobs: Option<usize>,
    deeper_by: Option<u32>,
    divergence: Option<Duration>,
}

impl Explorer {
    /// Exhaustively, with optimal dynamic partial-order reduction.
    pub fn new() -> Explorer {
        Explorer::default()
    }

    /// With all options at once.
    pub fn with(options: Options) -> Explorer {
        Explorer {
            options,
            ..Explorer::default()
        }
    }

    /// How equivalent interleavings are left out.
    pub fn reduction(mut self, reduction: Reduction) -> Explorer {
        self.options.reduction = reduction;
        self
    }

    /// What depends on what.
    pub fn dependency(mut self, dependency: Dependency) -> Explorer {
        self.options.dependency = dependency;
        self
    }

    /// Which executions are tried.
    pub fn strategy(mut self, strategy: Strategy) -> Explorer {
        self.options.strategy = strategy;
        self
    }

    /// Go on after a violation.
    pub fn all(mut self) -> Explorer {
        self.options.all = true;
        self
    }

    /// Cut executions after this many steps.
    pub fn depth(mut self, steps: u32) -> Explorer {
        self.options.depth = Some(steps);
        self
    }

    /// Only executions with at most this many preemptions; without other reduction.
    pub fn preemptions(mut self, bound: u32) -> Explorer {
        self.options.preemptions = Some(bound);
        self.options.reduction = Reduction::None;
        self
    }

    /// Stop after this many executions.
    pub fn executions(mut self, limit: u64) -> Explorer {
        self.options.executions = Some(limit);
        self
    }

    /// Stop after so much time.
    pub fn time(mut self, limit: Duration) -> Explorer {
        self.options.time = Some(limit);
        self
    }

    /// Of this share of the executions, from 0 to 1, an equivalent one is run too and must show the same; none for no audit. Some
    /// of the first ones are audited however small the share is.
    pub fn audit(mut self, share: Option<f64>) -> Explorer {
        self.options.audit = share;
        self
    }

    /// The seed of random strategies.
    pub fn seed(mut self, seed: u64) -> Explorer {
        self.options.seed = seed;
        self
    }

    /// Cut executions after this many steps, then after twice as many, and so on until none is cut.
    pub fn deeper_by(mut self, steps: u32) -> Explorer {
        self.deeper_by = Some(steps);
        self
    }

    /// A cut execution is a livelock, and that a violation.
    pub fn livelock(mut self, steps: u32) -> Explorer {
        self.options.depth = Some(steps);
        self.options.judgement.livelock = true;
        self
    }

    /// Locks that are still held, or messages that nobody has received, when all actors have ended
    /// are a violation.
    pub fn nothing_left_behind(mut self, which: LeftBehind) -> Explorer {
        self.options.judgement.left_behind = which;
        self
    }

    /// Use this many threads; with random strategies, each has a seed of its own. With persistent
    /// sets and with [`Explorer::deeper_by`] it is one.
    pub fn jobs(mut self, jobs: usize) -> Explorer {
        self.jobs = Some(jobs);
        self
    }

    /// How much processor time an actor has for its next visible operation; zero for any. Whoever
    /// takes longer, or waits for something that is no object, ends the process with a message:
    /// actors share a thread, and nothing else can end them. Ten seconds unless told otherwise.
    pub fn divergence(mut self, limit: Duration) -> Explorer {
        self.divergence = Some(limit);
        self
    }

    /// How many bytes of stack each actor has.
    pub fn stack(mut self, bytes: usize) -> Explorer {
        self.stack = Some(bytes);
        self
    }

    /// Explores a program.
    pub fn run(&self, program: impl Fn() + Sync) -> Report {
        match self.jobs {
            Some(jobs @ 2..) if self.deeper_by.is_none() => {
                let make = |_| Ok(self.engine(&program));
                let report = explore_in_parallel(make, &self.options, jobs, &mut ());
                let mut engine = self.engine(&program);
                self.shortened(report, &mut engine)
            }
            _ => self.run_observed(program, &mut ()),
        }
    }

    /// Explores a program and panics if it goes wrong; see [`explore`].
    #[track_caller]
    pub fn check(&self, program: impl Fn() + Sync) {
        if let Ok(text) = std::env::var(SCHEDULE) {
            let schedule = parse_schedule(&text)
                .unwrap_or_else(|| panic!("{SCHEDULE} is not a schedule: {text}"));
            let replayed = self.replay(&program, &schedule);
            println!("{}", replayed.text);
            if let Some(violation) = replayed.violations.first() {
                panic!("{}", violation.message);
            }
            return;
        }
        let report = self.run(&program);
        if let Some(violation) = report.violations.first() {
            let replayed = self.replay(&program, &violation.schedule);
            let schedule = print_schedule(&violation.schedule);
            let test = std::thread::current()
                .name()
                .unwrap_or_default()
                .to_string();
            panic!(
                "{}\n\n{}\n{} executions were explored. To repeat this one:\n\n    \
                 {SCHEDULE}='{schedule}' cargo test {test} -- --nocapture\n",
                violation.message, replayed.text, report.statistics.executions
            );
        }
        let random = matches!(self.options.strategy, Strategy::Random | Strategy::Pct(_));
        assert!(
            random || report.reason == StopReason::Complete,
            "the exploration is not complete: {:?}",
            report.reason
        );
    }

    /// Repeats one execution: the actor and the choice of each step.
    pub fn replay(&self, program: impl Fn() + Sync, schedule: &[(u8, u32)]) -> Replayed {
        let mut engine = self.engine(&program);
        let outcome = repeat(&mut engine, schedule, &self.options.judgement);
        let run = account(engine.kernel());
        let style = Style::default();
        match outcome {
            Ok(Ok(violations)) => Replayed {
                text: text(&run, violations.first().map(record_of).as_ref(), style),
                differs: None,
                violations,
            },
            Ok(Err(step)) => Replayed {
                text: text(&run, None, style),
                differs: Some(step),
                violations: vec![],
            },
            Err(error) => Replayed {
                text: error.0,
                differs: Some(0),
                violations: vec![],
            },
        }
    }

    /// Explores a program, and tells an observer about it.
    pub fn run_observed(&self, program: impl Fn() + Sync, observer: &mut dyn Observer) -> Report {
        let mut engine = self.engine(&program);
        let report = match self.deeper_by {
            Some(steps) => explore_deeper_and_deeper(&mut engine, &self.options, steps, observer),
            None => search(&mut engine, &self.options, observer),
        };
        self.shortened(report, &mut engine)
    }

    fn engine<'p>(&self, program: &'p (dyn Fn() + Sync)) -> Coroutines<'p> {
        let mut engine = Coroutines::new(program, self.stack.unwrap_or(STACK));
        if let Some(limit) = self.divergence {
            engine.diverge_after(limit);
        }
        engine
    }

    /// The same report with violations made short.
    fn shortened(&self, mut report: Report, engine: &mut Coroutines<'_>) -> Report {
        if !self.options.all {
            let violations = report.violations.into_iter();
            let shorten = |violation| shorten(engine, &self.options, violation);
            report.violations = violations.map(shorten).collect();
        }
        report
    }
}

/// The variable that holds a schedule to repeat.
pub(crate) const SCHEDULE: &str = "MAZURKA_SCHEDULE";

/// What came of repeating an execution.
#[derive(Clone, Debug)]
pub struct Replayed {
    /// The steps, one to a line.
    pub text: String,
    /// The step, from 0, at which the program did something else.
    pub differs: Option<u32>,
    /// The violations that it shows.
    pub violations: Vec<Violation>,
}

/// A schedule as text: the actor of each step, and `.choice` behind it unless that is 0.
pub(crate) fn print_schedule(schedule: &[(u8, u32)]) -> String {
    let step = |&(actor, choice): &(u8, u32)| match choice {
        0 => actor.to_string(),
        _ => format!("{actor}.{choice}"),
    };
    schedule.iter().map(step).collect::<Vec<_>>().join(" ")
}

fn parse_schedule(text: &str) -> Option<Vec<(u8, u32)>> {
    let step = |word: &str| {
        let (actor, choice) = word.split_once('.').unwrap_or((word, "0"));
        Some((
            actor.parse().ok().filter(|&actor| actor < 64)?,
            choice.parse().ok()?,
        ))
    };
    text.split_whitespace().map(step).collect()
}
