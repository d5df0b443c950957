//! Explores an executable that is linked with the library.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use mazurka_explore::{
    Checkpoint, Config, DIVERGENCE, EngineError, Error, Launcher, Model, Observer, Outcome, Plan,
    Races, Scenario, Session, ViolationKind, run,
};

use crate::engine::{Processes, Settings, lock};
use crate::imports::{level, unseen};

/// How to explore an executable that is linked with the library.
///
/// ```no_run
/// use mazurka_processes::Explorer;
///
/// let outcome = Explorer::new(["./server", "--once"]).run()?;
/// for violation in &outcome.violations {
///     println!("{violation}\n{}", violation.scenario.to_json());
/// }
/// assert!(outcome.holds(), "{outcome}");
/// # Ok::<(), mazurka_processes::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Explorer {
    program: Vec<OsString>,
    config: Config,
    show_output: bool,
    interrupt: Option<Arc<AtomicBool>>,
    strays: Arc<AtomicU32>,
    notes: Arc<Mutex<BTreeSet<String>>>,
    /// Whether actors turned out to be threads.
    has_threads: Arc<AtomicBool>,
    racing: Arc<Mutex<BTreeMap<u64, u64>>>,
    /// What is preloaded, if the configuration asks for it.
    library: Option<PathBuf>,
}

impl Explorer {
    /// Explores a program, given with its arguments, exhaustively.
    pub fn new(program: impl IntoIterator<Item = impl Into<OsString>>) -> Explorer {
        Explorer {
            program: program.into_iter().map(Into::into).collect(),
            config: Config::default(),
            show_output: false,
            interrupt: None,
            strays: Arc::default(),
            notes: Arc::default(),
            has_threads: Arc::default(),
            racing: Arc::default(),
            library: None,
        }
    }

    /// Repeats the execution of a scenario: the program that it names, unless another is given, run as it was run then. What was a
    /// crash is one again, what failed for no reason may do so again, and accesses that were in races are steps again.
    pub fn of_scenario(scenario: &Scenario, program: &[OsString]) -> Explorer {
        let model = &scenario.model;
        let explorer = match program {
            [] => Explorer::new([&model.file].into_iter().chain(&model.defines)),
            _ => Explorer::new(program),
        };
        let racing: BTreeMap<u64, u64> = model.racing.iter().copied().collect();
        Explorer {
            config: Config {
                exit_codes: scenario.kind() == Some(ViolationKind::Crash),
                spurious: model.spurious,
                preload: model.preload,
                races: match racing.is_empty() {
                    true => Races::Report,
                    false => Races::Ignore,
                },
                ..Config::default()
            },
            racing: Arc::new(Mutex::new(racing)),
            ..explorer
        }
    }

    /// The library that is preloaded into a program which was not built for it, if the configuration says `preload`, or the scenario was
    /// found that way. The command carries it (`mazurka_threads::preloaded`).
    pub fn library(mut self, library: Option<PathBuf>) -> Explorer {
        self.library = library;
        self
    }

    /// Whether a library is to be preloaded.
    pub fn preloads(&self) -> bool {
        self.config.preload
    }

    /// All choices at once.
    pub fn config(mut self, config: Config) -> Explorer {
        self.config = config;
        self
    }

    /// An actor diverges if it takes this long to reach its next visible operation; zero means never.
    pub fn divergence(mut self, limit: Duration) -> Explorer {
        self.config.divergence = Some(limit);
        self
    }

    /// Lets the program write to standard output and standard error.
    pub fn show_output(mut self, is_shown: bool) -> Explorer {
        self.show_output = is_shown;
        self
    }

    /// Stops when this becomes true.
    pub fn interrupt(mut self, flag: Arc<AtomicBool>) -> Explorer {
        self.interrupt = Some(flag);
        self
    }

    /// Explores the program.
    pub fn run(&self) -> Result<Outcome, Error> {
        self.run_with(None, &mut ())
    }

    /// Explores the program, or resumes a search that was saved, while an observer looks on and saves it.
    pub fn run_with(
        &self,
        saved: Option<&Checkpoint>,
        observer: &mut dyn Observer,
    ) -> Result<Outcome, Error> {
        // What is refused is refused before the program is started.
        Plan::new(&self.config, None)?;
        run(self, &self.config, saved, self.interrupt.clone(), observer)
    }

    /// How many processes that are no actors the program has left behind so far. They were ended.
    pub fn strays(&self) -> u32 {
        self.strays.load(Ordering::Relaxed)
    }

    /// One execution of the program as data, standing before its first step.
    pub fn session(&self) -> Result<Session<Processes>, Error> {
        Ok(Session::new(self)?)
    }

    /// The program, started, to run one execution at a time.
    pub fn engine(&self) -> Result<Processes, EngineError> {
        let settings = Settings {
            interrupt: self.interrupt.clone(),
            ..self.settings()?
        };
        Processes::start(&self.program, settings)
    }

    fn settings(&self) -> Result<Settings, EngineError> {
        let divergence = self.config.divergence.unwrap_or(DIVERGENCE);
        let preload = match (self.config.preload, &self.library) {
            (false, _) => None,
            (true, Some(library)) => Some(library.clone()),
            (true, None) => {
                return Err(EngineError(
                    "it is explored with a preloaded library, which only mazurka explore, replay and simulate have".into(),
                ));
            }
        };
        Ok(Settings {
            preload,
            divergence: Some(divergence).filter(|limit| !limit.is_zero()),
            judge_exit_codes: self.config.exit_codes,
            spurious: self.config.spurious,
            ignore_races: self.config.races == Races::Ignore,
            racing: self.racing.clone(),
            show_output: self.show_output,
            ..Settings::default()
        })
    }
}

impl Launcher for Explorer {
    type Engine = Processes;

    fn launch(&self, number: Option<usize>) -> Result<Processes, EngineError> {
        let settings = Settings {
            interrupt: self.interrupt.clone(),
            number,
            strays: Some(self.strays.clone()),
            notes: Some(self.notes.clone()),
            restart: self.config.restart,
            ..self.settings()?
        };
        let engine = Processes::start(&self.program, settings)?;
        let has_threads = engine.has_threads();
        self.has_threads.store(has_threads, Ordering::Relaxed);
        let refused = match has_threads {
            true => Plan::refuse_for_threads(&self.config),
            false => Plan::refuse_for_processes(&self.config),
        };
        refused.map_err(|refusal| EngineError(refusal.reason))?;
        Ok(engine)
    }

    /// Without the flag that stops the search: what was found is repeated also after the user has had enough.
    fn relaunch(&self) -> Result<Processes, EngineError> {
        Processes::start(&self.program, self.settings()?)
    }

    fn notes(&self) -> Vec<String> {
        let racing = lock(&self.racing).len();
        let ignored = (racing > 0).then(|| {
            let bytes = 8 * racing;
            format!("data races were ignored: accesses to {bytes} bytes of memory that are in races are steps")
        });
        let program = self.program.first();
        let is_seen = self.has_threads.load(Ordering::Relaxed) && !self.config.preload;
        let program = program.filter(|_| is_seen);
        let unseen = program.and_then(|program| unseen(program));
        let level = program.and_then(|program| level(program));
        let notes = lock(&self.notes).clone();
        let notes = notes.into_iter().chain(ignored);
        notes.chain(unseen).chain(level).collect()
    }

    fn complete(&self, model: &mut Model) {
        let racing = lock(&self.racing);
        model.racing = racing
            .iter()
            .map(|(granule, object)| (*granule, *object))
            .collect();
        model.spurious = self.config.spurious;
        model.preload = self.config.preload;
    }

    fn command(&self) -> Vec<String> {
        let words = self.program.iter();
        words
            .map(|word| word.to_string_lossy().into_owned())
            .collect()
    }
}
