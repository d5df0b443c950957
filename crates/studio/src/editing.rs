//! The text of the model: what is wrong with it as somebody types, saving it when asked to, and reading it again when it has changed on disk.

use mazurka_checker::{Error, ModelText};
use mazurka_span::{Diagnostic, Severity, SourceMap};

use crate::program::ProgramPart;
use crate::replace::replace;
use crate::session::{ModelPart, Session};
use crate::view::{DiagnosticView, Trouble};

impl Session {
    /// What is wrong, or odd, with a text that is being edited.
    pub(crate) fn diagnose(&self, text: &str) -> Result<Vec<DiagnosticView>, Trouble> {
        let model = self.simulated()?;
        let edited = model.on_disk.with_source(text);
        Ok(match edited.load(&model.besides()) {
            Ok(loaded) => views(&loaded.sources, &loaded.warnings),
            Err(Error::Diagnostics(wrong)) => views(&wrong.sources, &wrong.diagnostics),
            Err(other) => return Err(Trouble::new(other.to_string())),
        })
    }

    /// Simulates another text from now on.
    pub(crate) fn apply(&mut self, text: &str) -> Result<Option<String>, Trouble> {
        let old = self.simulated()?;
        let saved = old.saved.clone();
        self.simulate(old.on_disk.with_source(text), saved)
    }

    /// Reads the file again, and simulates what is in it from now on; or runs a program as it is built now.
    pub(crate) fn reload(&mut self) -> Result<Option<String>, Trouble> {
        if self.program.is_some() {
            return self.notice_new_build().map(|()| None);
        }
        let path = self.simulated()?.on_disk.path();
        let text = ModelText::open(path).map_err(trouble_of)?;
        let saved = text.source().to_vec();
        self.simulate(text, saved)
    }

    fn simulate(&mut self, text: ModelText, saved: Vec<u8>) -> Result<Option<String>, Trouble> {
        let old = self.simulated()?;
        let (defines, formula) = (old.defines.clone(), old.formula.clone());
        let model = ModelPart::new(text, defines, formula, saved).map_err(trouble_of)?;
        self.checking.stop();
        Ok(self.replace_model(model))
    }

    /// Has somebody changed the model on disk since it was read, or built the program anew? A file that a model includes counts, too.
    pub(crate) fn has_changed_on_disk(&self) -> bool {
        let Some(model) = &self.model else {
            return (self.program.as_ref()).is_some_and(ProgramPart::is_built_anew);
        };
        let present = std::fs::read(&self.path);
        if present.is_ok_and(|present| present != model.saved) {
            return true;
        }
        let loaded = model.on_disk.load(&model.besides());
        loaded.map_or(true, |loaded| {
            loaded.model.hash != model.loaded().model.hash
        })
    }

    /// Two pages may be open on one model. What one of them has typed must not undo what the other has done, which it has never shown.
    pub(crate) fn expect_revision(&self, revision: u64) -> Result<(), Trouble> {
        match revision == self.revision {
            true => Ok(()),
            false => Err(Trouble::new(
                "another page has changed the model since this one read it: copy your text, reload this page, and edit again",
            )),
        }
    }

    /// Writes a text to the file of the model, unless somebody else has changed that.
    pub(crate) fn save(&mut self, text: &str) -> Result<(), Trouble> {
        let path = self.path.clone();
        let missing = || Trouble::new("there is no model to be saved");
        let model = self.model.as_mut().ok_or_else(missing)?;
        let unwritten = |reason: String| {
            let path = path.display();
            Trouble::new(format!("cannot write {path}: {reason}"))
        };
        if std::str::from_utf8(&model.saved).is_err() {
            return Err(unwritten(
                "it has characters that are not UTF-8, which would be lost".into(),
            ));
        }
        let present = std::fs::read(&path).map_err(|error| unwritten(error.to_string()))?;
        if present != model.saved {
            return Err(unwritten(
                "it has been changed by somebody else since it was read".into(),
            ));
        }
        replace(&path, text.as_bytes()).map_err(unwritten)?;
        model.saved = text.into();
        Ok(())
    }
}

/// An error as the page shows it.
pub(crate) fn trouble_of(error: Error) -> Trouble {
    match error {
        Error::Diagnostics(wrong) => {
            let diagnostics = views(&wrong.sources, &wrong.diagnostics);
            let first = diagnostics.first();
            Trouble {
                error: first.map_or_else(
                    || "the model is wrong".into(),
                    |one| format!("line {}: {}", one.line, one.message),
                ),
                diagnostics,
            }
        }
        other => Trouble::new(other.to_string()),
    }
}

pub(crate) fn views(sources: &SourceMap, diagnostics: &[Diagnostic]) -> Vec<DiagnosticView> {
    let all = diagnostics.iter();
    all.map(|diagnostic| view(sources, diagnostic)).collect()
}

fn view(sources: &SourceMap, diagnostic: &Diagnostic) -> DiagnosticView {
    let span = sources.outermost(diagnostic.primary.span);
    let file = sources.file_of(span);
    let is_model = file.is_some_and(|file| {
        let first = sources.files().first();
        first.is_some_and(|first| first.base() == file.base())
    });
    let offset = |byte: u32| {
        file.map_or(0, |file| {
            let end = (byte.saturating_sub(file.base())) as usize;
            let before = file.text().get(..end).unwrap_or_default();
            before.chars().map(char::len_utf16).sum()
        })
    };
    DiagnosticView {
        severity: match diagnostic.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Note => "note",
        },
        code: diagnostic.code.id,
        message: match diagnostic.primary.text.as_str() {
            "" => diagnostic.message.clone(),
            more => format!("{}: {more}", diagnostic.message),
        },
        hint: diagnostic.hint.clone(),
        file: file.filter(|_| !is_model).map(|file| file.name().into()),
        line: sources.location(span).map_or(0, |at| at.line),
        from: if is_model { offset(span.start) } else { 0 },
        to: if is_model { offset(span.end) } else { 0 },
    }
}
