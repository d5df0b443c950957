//! How a caller watches a verification, saves it and stops it.

use std::fmt;
use std::io;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use mazurka_model::Program;
use mazurka_scenario::PropertyKind;
use mazurka_search::checkpoint::{Keeper, Sink, Source};
use mazurka_search::{Observer, Statistics, StopReason};
use mazurka_span::{Diagnostic, SourceMap};

use crate::choice::Order;
use crate::config::Config;
use crate::load::Loaded;
use crate::memory::available_memory;
use crate::saved::Identity;
use crate::store::Store;

/// Watches a verification, saves it and stops it. Everything has a default that does nothing, so `()` is one.
pub trait Supervisor: Send {
    /// The model is odd, but not wrong.
    fn warn(&mut self, _sources: &SourceMap, _warnings: &[Diagnostic]) {}

    /// A search begins. A property may need several, one after the other.
    fn begin(&mut self, _stage: &Stage<'_>) {}

    /// Called now and then while a search goes on. `Break` stops the whole verification.
    fn progress(&mut self, _statistics: &Statistics) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    /// A search has ended.
    fn end(&mut self, _stop: StopReason) {}

    /// A flag that stops the verification when it is set, from any thread.
    fn stop(&self) -> Arc<AtomicBool> {
        Arc::default()
    }

    /// The search to resume, if it is not a new one. Asked once, for safety properties only, if [`Config::checkpoint`] says that the
    /// search will be saved. A search of another model, or with other choices that decide about the verdict, is refused.
    fn resume(&mut self, _model: &Loaded, _searched: &Program) -> Result<Option<Source>, String> {
        Ok(None)
    }

    /// When to save the search next; never if there is no time.
    fn checkpoint_due(&self) -> Option<Instant> {
        None
    }

    /// Saves the search: `write` writes it. It goes on whether or not that succeeds.
    fn checkpoint(&mut self, _write: &mut dyn FnMut(&mut Sink<'_>) -> io::Result<()>) {}
}

impl Supervisor for () {}

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
}

impl Limits {
    /// As the config says, from now on.
    pub fn new(config: &Config, stop: Arc<AtomicBool>) -> Limits {
        Limits {
            memory: config.memory.unwrap_or_else(available_memory),
            deadline: config
                .time
                .and_then(|time| Instant::now().checked_add(time)),
            stop,
        }
    }

    /// Is there no time left, or did somebody ask to stop?
    pub fn are_over(&self) -> bool {
        self.stop.load(Ordering::Relaxed) || self.deadline.is_some_and(|at| Instant::now() >= at)
    }
}

/// The caller's supervisor, for those who look at a search and those who save it. It is asked seldom, so that a lock is no burden.
pub(crate) struct Supervised<'s>(Mutex<&'s mut dyn Supervisor>);

impl<'s> Supervised<'s> {
    pub fn new(supervisor: &'s mut dyn Supervisor) -> Supervised<'s> {
        Supervised(Mutex::new(supervisor))
    }

    pub fn lock(&self) -> MutexGuard<'_, &'s mut dyn Supervisor> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn begin(&self, stage: &Stage<'_>) {
        self.lock().begin(stage);
    }

    pub fn end(&self, stop: StopReason) {
        self.lock().end(stop);
    }

    /// What a search tells how far it is.
    pub fn observer<'a>(&'a self, limits: &'a Limits) -> impl Observer + 'a {
        Watching {
            supervised: self,
            stop: &limits.stop,
        }
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

struct Watching<'a, 's> {
    supervised: &'a Supervised<'s>,
    stop: &'a AtomicBool,
}

impl Observer for Watching<'_, '_> {
    fn progress(&mut self, statistics: &Statistics) {
        if self.supervised.lock().progress(statistics).is_break() {
            self.stop.store(true, Ordering::Relaxed);
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
        self.supervised.lock().checkpoint_due()
    }

    fn keep(&mut self, write: &mut dyn FnMut(&mut Sink<'_>) -> io::Result<()>) {
        let identity = self.identity.as_ref();
        self.supervised.lock().checkpoint(&mut |sink| {
            identity.map_or(Ok(()), |identity| identity.save(sink))?;
            write(sink)
        });
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
