//! A check while it runs: progress on the terminal, checkpoints in a file, Ctrl-C.

use std::io;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use mazurka_checker::{Config, Loaded, PropertyKind, Stage, Supervisor};
use mazurka_draw::Sample;
use mazurka_model::Program;
use mazurka_search::checkpoint::{Sink, Source};
use mazurka_search::{Statistics, StopReason};
use mazurka_span::{Diagnostic, SourceMap};

use crate::arguments::CheckArguments;
use crate::checkpoint::{Place, Saved};
use crate::forecast::Forecast;
use crate::interrupt;
use crate::progress::Progress;
use crate::terminal::warn;
use crate::trouble::Trouble;

/// A plot has no more points.
const SAMPLES: usize = 500;

/// Watches a check for the user.
pub struct Attendant<'a> {
    arguments: &'a CheckArguments,
    config: &'a Config,
    saved: Option<Saved>,
    place: Option<Place>,
    progress: Option<Progress>,
    /// What is checked now.
    kind: PropertyKind,
    began: Instant,
    /// How far the searches were, if that is asked for.
    pub samples: Vec<Sample>,
}

impl<'a> Attendant<'a> {
    /// Nothing has happened yet. What was saved is resumed.
    pub fn new(
        arguments: &'a CheckArguments,
        config: &'a Config,
        saved: Option<Saved>,
    ) -> Attendant<'a> {
        Attendant {
            arguments,
            config,
            saved,
            place: None,
            progress: None,
            kind: PropertyKind::Safety,
            began: Instant::now(),
            samples: Vec::new(),
        }
    }

    /// Keeps how far a search is, and of many such only every second.
    fn sample(&mut self, statistics: &Statistics) {
        self.samples.push(Sample {
            seconds: self.began.elapsed().as_secs_f64(),
            states: statistics.states,
            bytes: statistics.store_bytes,
            depth: statistics.depth,
        });
        if self.samples.len() > SAMPLES {
            let mut number = 0;
            self.samples.retain(|_| {
                number += 1;
                number % 2 == 0
            });
        }
    }
}

impl Supervisor for Attendant<'_> {
    fn warn(&mut self, sources: &SourceMap, warnings: &[Diagnostic]) {
        if !self.arguments.quiet {
            warn(sources, warnings);
        }
    }

    fn begin(&mut self, stage: &Stage<'_>) {
        let is_silent = self.arguments.quiet || self.arguments.json;
        let forecast = Forecast::new(stage);
        self.progress = Some(Progress::new(is_silent, forecast));
        self.kind = stage.kind;
    }

    fn progress(&mut self, statistics: &Statistics) -> ControlFlow<()> {
        if let Some(progress) = &mut self.progress {
            progress.progress(statistics);
        }
        if self.arguments.report.is_some() {
            self.sample(statistics);
        }
        ControlFlow::Continue(())
    }

    fn end(&mut self, stop: StopReason) {
        if let Some(mut progress) = self.progress.take() {
            progress.clear();
        }
        let is_over = matches!(stop, StopReason::Complete | StopReason::Violation);
        if self.kind == PropertyKind::Safety
            && !is_over
            && !self.arguments.quiet
            && let Some(place) = &self.place
        {
            place.announce();
        }
    }

    fn stop(&self) -> Arc<AtomicBool> {
        interrupt::shared()
    }

    fn resume(&mut self, model: &Loaded, searched: &Program) -> Result<Option<Source>, String> {
        let Some(path) = &self.arguments.checkpoint else {
            return Ok(None);
        };
        let every = self.arguments.checkpoint_every;
        let jobs = self.config.jobs();
        let place = Place::new(path, every, jobs, (model, searched), self.saved.take());
        let (place, source) = place.map_err(|trouble| match trouble {
            Trouble::Usage(message) => message,
            other => format!("{other:?}"),
        })?;
        self.place = Some(place);
        Ok(source)
    }

    fn checkpoint_due(&self) -> Option<Instant> {
        self.place.as_ref().map(Place::due)
    }

    fn checkpoint(&mut self, write: &mut dyn FnMut(&mut Sink<'_>) -> io::Result<()>) {
        if let Some(place) = &mut self.place {
            place.keep(write);
        }
    }
}
