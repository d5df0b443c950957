//! How a caller watches a verification, saves it and stops it.

use std::any::Any;
use std::fmt;
use std::io;
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use mazurka_model::Program;
use mazurka_scenario::PropertyKind;
use mazurka_search::checkpoint::{Keeper, Sink, Source};
use mazurka_search::divided::Company;
use mazurka_search::{Observer, Statistics, StopReason};
use mazurka_span::{Diagnostic, SourceMap};

use crate::choice::Order;
use crate::config::Config;
use crate::load::Loaded;
use crate::memory::available_memory;
use crate::outcome::PropertyOutcome;
use crate::saved::Identity;
use crate::store::Store;

/// Watches a verification, saves it and stops it. Everything has a default that does nothing, so `()` is one.
///
/// A supervisor that panics stops the verification, and the panic goes on to whoever asked for it.
///
/// ```
/// use std::ops::ControlFlow;
///
/// use mazurka_checker::{Checker, Statistics, Supervisor, Verdict};
///
/// /// Has seen enough after a thousand states.
/// struct Impatient;
///
/// impl Supervisor for Impatient {
///     fn progress(&mut self, statistics: &Statistics) -> ControlFlow<()> {
///         match statistics.states < 1000 {
///             true => ControlFlow::Continue(()),
///             false => ControlFlow::Break(()),
///         }
///     }
/// }
///
/// let model = "int x; active proctype P() { do :: x++ od }";
/// let outcome = Checker::from_source("endless.pml", model)?.run_with(&mut Impatient)?;
/// assert_eq!(outcome.verdict(), Verdict::Inconclusive);
/// # Ok::<(), mazurka_checker::Error>(())
/// ```
pub trait Supervisor: Send {
    /// The model is odd, but not wrong.
    fn warn(&mut self, _sources: &SourceMap, _warnings: &[Diagnostic]) {}

    /// A property is checked next. What is told of it is [`Supervisor::decided`].
    fn next(&mut self, _course: &Course<'_>) {}

    /// What became of a property, as soon as it is known.
    fn decided(&mut self, _outcome: &PropertyOutcome) {}

    /// A search begins. A property may need several, one after the other.
    fn begin(&mut self, _stage: &Stage<'_>) {}

    /// Called now and then while a search goes on. `Break` stops the whole verification.
    fn progress(&mut self, _statistics: &Statistics) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    /// A search has ended.
    fn end(&mut self, _stop: StopReason) {}

    /// A flag that stops the verification when it is set, from any thread. It is set too when [`Supervisor::progress`] breaks, so
    /// verifications that share a flag stop together.
    fn stop(&self) -> Arc<AtomicBool> {
        Arc::default()
    }

    /// The search to resume, if it is not a new one. Asked once, for safety properties only, if [`Config::checkpoint`] says that the
    /// search will be saved. A search of another model, or with other choices that decide about the verdict, is refused.
    fn resume(&mut self, _model: &Loaded, _searched: &Program) -> Result<Option<Source>, String> {
        Ok(None)
    }

    /// Those with whom a search is done together, if [`Config::cluster`] says that there are some. Asked once for each such search, after
    /// [`Supervisor::begin`].
    fn company(&mut self, _model: &Loaded) -> Result<Arc<dyn Company + Send>, String> {
        Err("there is nobody to search with".into())
    }

    /// When to save the search next; never if there is no time.
    fn checkpoint_due(&self) -> Option<Instant> {
        None
    }

    /// Saves the search: `write` writes it. It goes on whether or not that succeeds.
    fn checkpoint(&mut self, _write: &mut dyn FnMut(&mut Sink<'_>) -> io::Result<()>) {}
}

impl Supervisor for () {}

/// Which property is checked, and which are not yet: `safety`, `ltl mutex`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Course<'a> {
    /// The one that is checked now.
    pub now: &'a str,
    /// Those still to come, in their order.
    pub later: &'a [String],
}

/// A search that begins.
#[derive(Clone, Copy, Debug)]
pub struct Stage<'a> {
    /// The property that it is for.
    pub property: &'a str,
    /// The kind of the property.
    pub kind: PropertyKind,
    /// Its order.
    pub order: Order,
    /// Its store.
    pub store: Store,
    /// The bytes that everything may take together.
    pub memory: u64,
}

/// When a verification has to end.
#[derive(Debug)]
pub(crate) struct Limits {
    pub memory: u64,
    pub deadline: Option<Instant>,
    pub stop: Arc<AtomicBool>,
    /// How many properties the time until then was for.
    pub shared_by: u32,
}

impl Limits {
    /// As the config says, for a verification that began at this time.
    pub fn new(config: &Config, began: Instant, stop: Arc<AtomicBool>) -> Limits {
        Limits {
            memory: config.memory.unwrap_or_else(available_memory),
            deadline: config.time.and_then(|time| began.checked_add(time)),
            stop,
            shared_by: 1,
        }
    }

    /// For the next of some properties, which share the time that is left. What one does not need is there for those after it.
    pub fn share(&self, waiting: u32) -> Limits {
        let now = Instant::now();
        let own = |at: Instant| now + at.saturating_duration_since(now) / waiting.max(1);
        Limits {
            memory: self.memory,
            deadline: self.deadline.map(own),
            stop: self.stop.clone(),
            shared_by: waiting,
        }
    }

    /// Is there no time left, or did somebody ask to stop?
    pub fn are_over(&self) -> bool {
        self.stop.load(Ordering::Relaxed) || self.deadline.is_some_and(|at| Instant::now() >= at)
    }
}

/// The caller's supervisor, for those who look at a search and those who save it. It is asked seldom, so that a lock is no burden.
///
/// If it panics, that is no error of Mazurka: the verification stops, the supervisor is not asked again, and the panic goes on where the
/// caller can catch it.
pub(crate) struct Supervised<'s> {
    asked: Mutex<Asked<'s>>,
    /// Stops the verification.
    stop: Arc<AtomicBool>,
}

enum Asked<'s> {
    Supervisor(&'s mut dyn Supervisor),
    Panicked(Box<dyn Any + Send>),
}

impl<'s> Supervised<'s> {
    pub fn new(supervisor: &'s mut dyn Supervisor, stop: Arc<AtomicBool>) -> Supervised<'s> {
        Supervised {
            asked: Mutex::new(Asked::Supervisor(supervisor)),
            stop,
        }
    }

    /// The first of these properties is checked now, the others later.
    pub fn next(&self, titles: &[String]) {
        if let [now, later @ ..] = titles {
            self.ask(|supervisor| supervisor.next(&Course { now, later }));
        }
    }

    pub fn decided(&self, outcome: &PropertyOutcome) {
        self.ask(|supervisor| supervisor.decided(outcome));
    }

    pub fn begin(&self, stage: &Stage<'_>) {
        self.ask(|supervisor| supervisor.begin(stage));
    }

    pub fn end(&self, stop: StopReason) {
        self.ask(|supervisor| supervisor.end(stop));
    }

    /// The search to resume, if there is one.
    pub fn resume(&self, model: &Loaded, searched: &Program) -> Result<Option<Source>, String> {
        self.ask(|supervisor| supervisor.resume(model, searched))
            .unwrap_or(Ok(None))
    }

    /// Those with whom a search is done together.
    pub fn company(&self, model: &Loaded) -> Result<Arc<dyn Company + Send>, String> {
        self.ask(|supervisor| supervisor.company(model))
            .unwrap_or_else(|| Err("the supervisor is gone".into()))
    }

    /// The verification is over: if the supervisor has panicked, the panic goes on.
    pub fn finish(self) {
        let asked = self.asked.into_inner();
        if let Asked::Panicked(panic) = asked.unwrap_or_else(PoisonError::into_inner) {
            resume_unwind(panic);
        }
    }

    /// What the supervisor says; nothing if it has panicked.
    fn ask<T>(&self, question: impl FnOnce(&mut dyn Supervisor) -> T) -> Option<T> {
        let mut asked = self.asked.lock().unwrap_or_else(PoisonError::into_inner);
        let Asked::Supervisor(supervisor) = &mut *asked else {
            return None;
        };
        // It is not asked again after a panic, so nobody sees what that left half done.
        match catch_unwind(AssertUnwindSafe(|| question(*supervisor))) {
            Ok(answer) => Some(answer),
            Err(panic) => {
                *asked = Asked::Panicked(panic);
                self.stop.store(true, Ordering::Relaxed);
                None
            }
        }
    }

    /// What a search tells how far it is.
    pub fn observer<'a>(&'a self) -> impl Observer + 'a {
        Watching(self)
    }

    /// What a search is saved by.
    pub fn keeper(&self, source: Option<Source>, identity: Option<Identity>) -> impl Keeper {
        Keeping {
            supervised: self,
            source,
            identity,
        }
    }
}

struct Watching<'a, 's>(&'a Supervised<'s>);

impl Observer for Watching<'_, '_> {
    fn progress(&mut self, statistics: &Statistics) {
        let answer = self.0.ask(|supervisor| supervisor.progress(statistics));
        if answer.is_some_and(|answer| answer.is_break()) {
            self.0.stop.store(true, Ordering::Relaxed);
        }
    }
}

struct Keeping<'a, 's> {
    supervised: &'a Supervised<'s>,
    source: Option<Source>,
    /// What stands before the search.
    identity: Option<Identity>,
}

impl Keeper for Keeping<'_, '_> {
    fn due(&self) -> Option<Instant> {
        self.supervised
            .ask(|supervisor| supervisor.checkpoint_due())
            .flatten()
    }

    fn keep(&mut self, write: &mut dyn FnMut(&mut Sink<'_>) -> io::Result<()>) {
        let identity = self.identity.as_ref();
        let mut write = |sink: &mut Sink<'_>| {
            identity.map_or(Ok(()), |identity| identity.save(sink))?;
            write(sink)
        };
        self.supervised
            .ask(|supervisor| supervisor.checkpoint(&mut write));
    }

    fn source(&mut self) -> Option<&mut Source> {
        self.source.as_mut()
    }
}

impl fmt::Debug for Supervised<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("Supervised")
    }
}
