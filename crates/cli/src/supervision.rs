//! A check while it runs: progress on the terminal, checkpoints in a file, Ctrl-C.

use std::io;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use mazurka_checker::{
    CheckpointFile, Config, Course, Error, Loaded, PropertyKind, PropertyOutcome, SavedSearch,
    Stage, Supervisor,
};
use mazurka_draw::Samples;
use mazurka_model::Program;
use mazurka_report::Format;
use mazurka_search::checkpoint::{Sink, Source};
use mazurka_search::{Statistics, StopReason};
use mazurka_span::{Diagnostic, SourceMap};

use crate::arguments::CheckArguments;
use crate::interrupt;
use crate::progress::Progress;
use crate::terminal::{complain, style_of_errors, warn};

/// Watches a check for the user.
pub struct Attendant<'a> {
    arguments: &'a CheckArguments,
    config: &'a Config,
    saved: Option<SavedSearch>,
    file: Option<CheckpointFile>,
    progress: Progress,
    /// What is checked now.
    kind: PropertyKind,
    /// How far the searches were, if that is asked for.
    pub samples: Samples,
    /// What this process is in a cluster, once it has been asked.
    #[cfg(feature = "cluster")]
    member: Option<mazurka_cluster::Joined>,
}

impl<'a> Attendant<'a> {
    /// Nothing has happened yet. What was saved is resumed.
    pub fn new(
        arguments: &'a CheckArguments,
        config: &'a Config,
        saved: Option<SavedSearch>,
    ) -> Attendant<'a> {
        let is_silent = arguments.output.quiet || arguments.format() != Format::Human;
        Attendant {
            arguments,
            config,
            saved,
            file: None,
            progress: Progress::new(is_silent),
            kind: PropertyKind::Safety,
            samples: Samples::default(),
            #[cfg(feature = "cluster")]
            member: None,
        }
    }

    /// Says how a search that did not come to its end is resumed.
    #[cfg(feature = "cluster")]
    pub fn tell_kept(&self) {
        if let Some(kept) = self.member.as_ref().and_then(mazurka_cluster::Joined::kept)
            && !self.arguments.output.quiet
        {
            complain(&kept);
        }
    }

    /// Are files written here? Of the members of a cluster, the first one does it.
    pub fn writes(&self) -> bool {
        #[cfg(feature = "cluster")]
        return self
            .arguments
            .how
            .member
            .member
            .is_none_or(|member| member == 1);
        #[cfg(not(feature = "cluster"))]
        true
    }
}

impl Supervisor for Attendant<'_> {
    fn warn(&mut self, sources: &SourceMap, warnings: &[Diagnostic]) {
        if !self.arguments.output.quiet {
            warn(sources, warnings);
        }
    }

    fn next(&mut self, course: &Course<'_>) {
        self.progress.said.next(course);
    }

    fn decided(&mut self, outcome: &PropertyOutcome) {
        complain(&self.progress.said.decided(outcome, style_of_errors()));
    }

    fn begin(&mut self, stage: &Stage<'_>) {
        self.progress.said.begin(stage);
        self.kind = stage.kind;
    }

    fn progress(&mut self, statistics: &Statistics) -> ControlFlow<()> {
        #[cfg(feature = "cluster")]
        let others = self.member.as_mut().map(mazurka_cluster::Joined::figures);
        #[cfg(not(feature = "cluster"))]
        let others = None;
        self.progress.progress(statistics, others);
        if self.arguments.output.report.is_some() {
            self.samples.add(statistics);
        }
        ControlFlow::Continue(())
    }

    fn end(&mut self, stop: StopReason) {
        self.progress.clear();
        complain(&self.progress.said.came_no_further(stop).unwrap_or_default());
        #[cfg(feature = "cluster")]
        if let Some(member) = self.member.as_ref().filter(|_| self.writes())
            && !self.arguments.output.quiet
            && self.arguments.format() == Format::Human
        {
            complain(&format!("{}\n", member.said()));
        }
        #[cfg(feature = "cluster")]
        if !matches!(stop, StopReason::Complete | StopReason::Violation) && self.writes() {
            self.tell_kept();
        }
        let is_over = matches!(stop, StopReason::Complete | StopReason::Violation);
        if self.kind == PropertyKind::Safety
            && !is_over
            && !self.arguments.output.quiet
            && let Some(file) = self.file.as_ref().filter(|file| file.is_saved())
        {
            let path = file.path().display();
            complain(&format!(
                "the search is saved; resume it with: mazurka resume {path}\n"
            ));
        }
    }

    fn stop(&self) -> Arc<AtomicBool> {
        interrupt::shared()
    }

    fn resume(&mut self, model: &Loaded, searched: &Program) -> Result<Option<Source>, String> {
        let Some(path) = &self.arguments.how.checkpoint else {
            return Ok(None);
        };
        let every = self.arguments.how.checkpoint_every;
        let about = (model, searched);
        let opened = match self.saved.take() {
            Some(saved) => {
                self.progress.said.resumes();
                CheckpointFile::resume(path, every, saved, about)
                    .map(|(file, source)| (file, Some(source)))
            }
            None => words_typed().and_then(|words| {
                let file = CheckpointFile::new(path, every, self.config.jobs(), words, about)?;
                Ok((file, None))
            }),
        };
        let (file, source) = opened.map_err(|error| error.to_string())?;
        self.file = Some(file);
        Ok(source)
    }

    #[cfg(feature = "cluster")]
    fn company(
        &mut self,
        model: &Loaded,
    ) -> Result<Arc<dyn mazurka_search::divided::Company + Send>, String> {
        let member = match self.member.take() {
            Some(member) => member,
            None => crate::cluster::joined(&self.arguments.how)?,
        };
        let member = self.member.insert(member);
        let may_be_kept = self.kind == PropertyKind::Safety;
        member.meet(self.config, model, may_be_kept)
    }

    fn checkpoint_due(&self) -> Option<Instant> {
        self.file.as_ref().map(CheckpointFile::due)
    }

    fn checkpoint(&mut self, write: &mut dyn FnMut(&mut Sink<'_>) -> io::Result<()>) {
        if let Some(file) = &mut self.file
            && let Err(error) = file.save(write)
        {
            let path = file.path().display();
            complain(&format!(
                "warning: cannot save the search in {path}: {error}\n"
            ));
        }
    }
}

/// What was typed after `mazurka check`.
pub fn words_typed() -> Result<Vec<String>, Error> {
    let words = std::env::args_os().skip(2).map(|word| word.into_string());
    words.collect::<Result<_, _>>().map_err(|word| {
        let word = word.to_string_lossy();
        Error::Usage(format!("--checkpoint: {word} is not valid Unicode"))
    })
}
