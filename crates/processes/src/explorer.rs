//! Explores an executable that is linked with the library.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use mazurka_explore::{
    Checkpoint, Config, DIVERGENCE, EngineError, Error, Launcher, Observer, Outcome, Plan, Session,
    run,
};

use crate::engine::{Processes, Settings};

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
        }
    }

    /// All choices at once.
    pub fn config(mut self, config: Config) -> Explorer {
        self.config = config;
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

    fn settings(&self) -> Settings {
        let divergence = self.config.divergence.unwrap_or(DIVERGENCE);
        Settings {
            divergence: Some(divergence).filter(|limit| !limit.is_zero()),
            judge_exit_codes: self.config.exit_codes,
            show_output: self.show_output,
            ..Settings::default()
        }
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
            ..self.settings()
        };
        let engine = Processes::start(&self.program, settings)?;
        if engine.has_threads() {
            Plan::refuse_for_threads(&self.config)
                .map_err(|refusal| EngineError(refusal.reason))?;
        }
        Ok(engine)
    }

    /// Without the flag that stops the search: what was found is repeated also after the user has had enough.
    fn relaunch(&self) -> Result<Processes, EngineError> {
        Processes::start(&self.program, self.settings())
    }

    fn notes(&self) -> Vec<String> {
        let notes = self.notes.lock().unwrap_or_else(PoisonError::into_inner);
        notes.iter().cloned().collect()
    }

    fn command(&self) -> Vec<String> {
        let words = self.program.iter();
        words
            .map(|word| word.to_string_lossy().into_owned())
            .collect()
    }
}
