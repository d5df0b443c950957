//! Explores a closure in process.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use mazurka_explore::{
    Checkpoint, Config, Dependency, Engine, EngineError, Error, Launcher, Leftover, Observer,
    Order, Outcome, Reduction, Session, StopReason, Strategy, account, record_of, replay as repeat,
    run,
};
use mazurka_scenario::figures::counted;
use mazurka_scenario::{Style, ViolationRecord, text};

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
///
/// ```
/// use mazurka_actors::{Explorer, toss};
///
/// let outcome = Explorer::new().run(|| assert!(toss(3) < 2));
/// assert!(!outcome.holds());
/// println!("{outcome}{}", outcome.violations[0].scenario.to_json());
/// ```
#[derive(Clone, Debug, Default)]
pub struct Explorer {
    config: Config,
    stack: Option<usize>,
    interrupt: Option<Arc<AtomicBool>>,
}

impl Explorer {
    /// Exhaustively, with optimal dynamic partial-order reduction.
    pub fn new() -> Explorer {
        Explorer::default()
    }

    /// With all choices at once.
    pub fn with(config: Config) -> Explorer {
        Explorer {
            config,
            ..Explorer::default()
        }
    }

    /// How equivalent interleavings are left out.
    pub fn reduction(mut self, reduction: Reduction) -> Explorer {
        self.config.reduce = Some(reduction);
        self
    }

    /// What depends on what.
    pub fn dependency(mut self, dependency: Dependency) -> Explorer {
        self.config.dependency = Some(dependency);
        self
    }

    /// Which executions are tried. A random strategy never ends by itself: it needs [`Explorer::executions`] or [`Explorer::time`].
    pub fn strategy(mut self, strategy: Strategy) -> Explorer {
        self.config.search = match strategy {
            Strategy::Exhaustive => Order::DepthFirst,
            Strategy::Random => Order::Random,
            Strategy::Pct(depth) => {
                self.config.pct_depth = depth;
                Order::Pct
            }
        };
        self
    }

    /// Go on after a violation.
    pub fn all(mut self) -> Explorer {
        self.config.all = true;
        self
    }

    /// Cut executions after this many steps.
    pub fn depth(mut self, steps: u32) -> Explorer {
        self.config.depth = Some(steps);
        self
    }

    /// Only executions with at most this many preemptions; without other reduction.
    pub fn preemptions(mut self, bound: u32) -> Explorer {
        self.config.preemptions = Some(bound);
        self.config.reduce = None;
        self
    }

    /// Stop after this many executions.
    pub fn executions(mut self, limit: u64) -> Explorer {
        self.config.executions = Some(limit);
        self
    }

    /// Stop after this time.
    pub fn time(mut self, limit: Duration) -> Explorer {
        self.config.time = Some(limit);
        self
    }

    /// Of this share of the executions, from 0 to 1, an equivalent one is run too and must show the same; none for no audit. Some
    /// of the first ones are audited however small the share is.
    pub fn audit(mut self, share: Option<f64>) -> Explorer {
        self.config.audit = share;
        self
    }

    /// The seed of random strategies.
    pub fn seed(mut self, seed: u64) -> Explorer {
        self.config.seed = Some(seed);
        self
    }

    /// Cut executions after this many steps, then after twice as many, and so on until none is cut.
    pub fn deeper_by(mut self, steps: u32) -> Explorer {
        self.config.deepen = Some(steps);
        self
    }

    /// A cut execution is a livelock, and that a violation.
    pub fn livelock(mut self, steps: u32) -> Explorer {
        self.config.depth = Some(steps);
        self.config.livelock = true;
        self
    }

    /// Locks that are still held, or messages that nobody has received, when all actors have ended
    /// are a violation.
    pub fn nothing_left_behind(mut self, which: Leftover) -> Explorer {
        self.config.left_behind = Some(which);
        self
    }

    /// What holds only as far as memory is sequentially consistent, while the program uses weaker orders, is inconclusive.
    pub fn strict(mut self) -> Explorer {
        self.config.strict = true;
        self
    }

    /// Use this many threads; with random strategies, each has a seed of its own. Not with persistent
    /// sets nor with [`Explorer::deeper_by`].
    pub fn jobs(mut self, jobs: u32) -> Explorer {
        self.config.jobs = jobs;
        self
    }

    /// How much processor time an actor has for its next visible operation; zero for any. Whoever
    /// takes longer, or waits for something that is no object, ends the process with a message:
    /// actors share a thread, and nothing else can end them. Ten seconds unless told otherwise.
    pub fn divergence(mut self, limit: Duration) -> Explorer {
        self.config.divergence = Some(limit);
        self
    }

    /// The search will be saved, or is resumed. What cannot be saved is refused.
    pub fn saved(mut self) -> Explorer {
        self.config.checkpoint = true;
        self
    }

    /// Stops when this becomes true, from any thread.
    pub fn interrupt(mut self, flag: Arc<AtomicBool>) -> Explorer {
        self.interrupt = Some(flag);
        self
    }

    /// How many bytes of stack each actor has.
    pub fn stack(mut self, bytes: usize) -> Explorer {
        self.stack = Some(bytes);
        self
    }

    /// Explores a program.
    ///
    /// # Panics
    ///
    /// If what is asked for is not sound together.
    #[track_caller]
    pub fn run(&self, program: impl Fn() + Sync) -> Outcome {
        let outcome = self.run_with(program, None, &mut ());
        outcome.unwrap_or_else(|error| panic!("{error}"))
    }

    /// Explores a program, or resumes a search that was saved, while an observer looks on, saves it or stops it. What is asked for may
    /// not be sound together, and what was saved may be of another search: then there is an error.
    ///
    /// A search that is to be saved says so beforehand, by [`Explorer::saved`]. What is resumed must be the same program.
    ///
    /// ```
    /// use mazurka_actors::{Checkpoint, Explorer, Observer, Variable, thread};
    /// use std::sync::Arc;
    ///
    /// /// Keeps the search when it stops.
    /// #[derive(Default)]
    /// struct Keeper(Option<Checkpoint>);
    ///
    /// impl Observer for Keeper {
    ///     fn wants_checkpoint(&mut self, is_stopping: bool) -> bool {
    ///         is_stopping
    ///     }
    ///
    ///     fn checkpoint(&mut self, checkpoint: Checkpoint) {
    ///         self.0 = Some(checkpoint);
    ///     }
    /// }
    ///
    /// let program = || {
    ///     let x = Arc::new(Variable::new(0));
    ///     for value in 1..4 {
    ///         let x = x.clone();
    ///         thread::spawn(move || x.write(value));
    ///     }
    /// };
    /// let (explorer, mut keeper) = (Explorer::new().saved(), Keeper::default());
    /// let outcome = explorer.clone().executions(2).run_with(program, None, &mut keeper)?;
    /// assert!(!outcome.holds());
    /// let outcome = explorer.run_with(program, keeper.0.as_ref(), &mut ())?;
    /// assert!(outcome.holds());
    /// assert_eq!(outcome.statistics.executions, 6);
    /// # Ok::<(), mazurka_actors::Error>(())
    /// ```
    pub fn run_with(
        &self,
        program: impl Fn() + Sync,
        saved: Option<&Checkpoint>,
        observer: &mut dyn Observer,
    ) -> Result<Outcome, Error> {
        let interrupt = self.interrupt.clone();
        run(
            &self.closure(&program),
            &self.config,
            saved,
            interrupt,
            observer,
        )
    }

    /// Explores a program and panics if it goes wrong; see [`explore`].
    #[track_caller]
    pub fn check(&self, program: impl Fn() + Sync) {
        let stop = self.check_for_violations(program);
        let is_random = self.config.search != Order::DepthFirst;
        assert!(
            is_random || stop == StopReason::Complete,
            "the exploration is not complete: {stop}"
        );
    }

    /// The same where the caller has set bounds, and what is beyond them does not matter.
    #[track_caller]
    pub(crate) fn check_within_bounds(&self, program: impl Fn() + Sync) {
        let stop = self.check_for_violations(program);
        assert!(
            matches!(
                stop,
                StopReason::Complete
                    | StopReason::Preemptions(_)
                    | StopReason::Executions
                    | StopReason::Time
            ),
            "the exploration is not complete: {stop}"
        );
    }

    /// Explores a program and panics if it goes wrong; tells why the search ended.
    #[track_caller]
    fn check_for_violations(&self, program: impl Fn() + Sync) -> StopReason {
        if let Ok(text) = std::env::var(SCHEDULE) {
            let schedule = read_schedule(&text)
                .unwrap_or_else(|| panic!("{SCHEDULE} is not a schedule: {text}"));
            let replayed = self.replay(&program, &schedule);
            println!("{}", replayed.text);
            if let Some(violation) = replayed.violations.first() {
                panic!("{}", violation.message);
            }
            // A variable that somebody left set must not make a test pass: what follows is the usual exploration.
            match replayed.differs {
                Some(step) => eprintln!(
                    "{SCHEDULE} does not fit here: it differs at step {}",
                    step + 1
                ),
                None => eprintln!("{SCHEDULE} repeats an execution in which nothing goes wrong"),
            }
        }
        let outcome = self.run(&program);
        if let Some(violation) = outcome.violations.first() {
            let steps = text(&violation.run, Some(&violation.record), Style::default());
            let schedule = print_schedule(&violation.schedule);
            let test = std::thread::current()
                .name()
                .unwrap_or_default()
                .to_string();
            panic!(
                "{}: {}\n\n{steps}\n{} explored. To repeat this one:\n\n    \
                 {SCHEDULE}='{schedule}' cargo test {test} -- --nocapture\n",
                violation.kind(),
                violation.record.message,
                counted(outcome.statistics.executions, "execution")
            );
        }
        outcome.stop
    }

    /// Repeats one execution: the actor and the choice of each step.
    ///
    /// # Panics
    ///
    /// If what is asked for is not sound together.
    #[track_caller]
    pub fn replay(&self, program: impl Fn() + Sync, schedule: &[(u8, u32)]) -> Replayed {
        let plan = mazurka_explore::Plan::new(&self.config, None);
        let judgement = plan.map(|plan| plan.options.judgement);
        let judgement = judgement.unwrap_or_else(|refusal| panic!("{refusal}"));
        let mut engine = self.closure(&program).engine();
        let outcome = repeat(&mut engine, schedule, &judgement);
        let run = account(engine.kernel());
        let style = Style::default();
        match outcome {
            Ok(Ok(violations)) => {
                let violations: Vec<ViolationRecord> = violations.iter().map(record_of).collect();
                Replayed {
                    text: text(&run, violations.first(), style),
                    differs: None,
                    violations,
                }
            }
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

    /// One execution of a program as data, standing before its first step.
    ///
    /// ```
    /// use mazurka_actors::{Explorer, Variable, thread};
    /// use std::sync::Arc;
    ///
    /// let program = || {
    ///     let x = Arc::new(Variable::new(0));
    ///     let other = x.clone();
    ///     thread::spawn(move || other.write(7));
    ///     x.read();
    /// };
    /// let mut session = Explorer::new().session(&program)?;
    /// session.take(0, 0)?; // main spawns the other
    /// let pending = session.pending();
    /// assert_eq!((pending.len(), pending[1].operation.as_str()), (2, "write variable 0 7"));
    /// session.take(1, 0)?;
    /// assert_eq!(session.objects()[0].value, "7");
    /// session.back()?;
    /// assert_eq!(session.objects()[0].value, "0");
    /// # Ok::<(), mazurka_actors::EngineError>(())
    /// ```
    pub fn session<'p>(
        &self,
        program: &'p (dyn Fn() + Sync),
    ) -> Result<Session<Coroutines<'p>>, EngineError> {
        Session::new(&self.closure(program))
    }

    fn closure<'p>(&self, program: &'p (dyn Fn() + Sync)) -> Closure<'p> {
        Closure {
            program,
            stack: self.stack.unwrap_or(STACK),
            divergence: self.config.divergence,
        }
    }
}

/// A closure that is run as coroutines.
struct Closure<'p> {
    program: &'p (dyn Fn() + Sync),
    stack: usize,
    divergence: Option<Duration>,
}

impl<'p> Closure<'p> {
    fn engine(&self) -> Coroutines<'p> {
        let mut engine = Coroutines::new(self.program, self.stack);
        if let Some(limit) = self.divergence {
            engine.diverge_after(limit);
        }
        engine
    }
}

impl<'p> Launcher for Closure<'p> {
    type Engine = Coroutines<'p>;

    fn launch(&self, _number: Option<usize>) -> Result<Coroutines<'p>, EngineError> {
        Ok(self.engine())
    }

    fn about_waiting_loops(&self) -> Option<&'static str> {
        Some(
            "loops that wait were told by registers, stack and closure: one that counts its rounds in other memory was not \
             followed to where it gives up",
        )
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
    pub violations: Vec<ViolationRecord>,
}

/// A schedule as text: the actor of each step, and `.choice` behind it unless that is 0.
pub(crate) fn print_schedule(schedule: &[(u8, u32)]) -> String {
    let step = |&(actor, choice): &(u8, u32)| match choice {
        0 => actor.to_string(),
        _ => format!("{actor}.{choice}"),
    };
    schedule.iter().map(step).collect::<Vec<_>>().join(" ")
}

/// Reads a schedule that a failed test has printed, for [`Explorer::replay`]; none if the text is not one.
///
/// ```
/// use mazurka_actors::read_schedule;
///
/// assert_eq!(read_schedule("0 1.2"), Some(vec![(0, 0), (1, 2)]));
/// assert_eq!(read_schedule("1 by 2"), None);
/// ```
pub fn read_schedule(text: &str) -> Option<Vec<(u8, u32)>> {
    let step = |word: &str| {
        let (actor, choice) = word.split_once('.').unwrap_or((word, "0"));
        Some((
            actor.parse().ok().filter(|&actor| actor < 64)?,
            choice.parse().ok()?,
        ))
    };
    text.split_whitespace().map(step).collect()
}
