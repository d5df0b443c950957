//! The text of the model: what is wrong with it as somebody types, and saving it when asked to.

use std::io::Write;
use std::path::Path;

use mazurka_checker::{Error, Simulation};
use mazurka_span::{Diagnostic, Severity, SourceMap};

use crate::session::{ModelPart, Session};
use crate::view::{DiagnosticView, Trouble};

impl Session {
    /// What is wrong, or odd, with a text that is being edited.
    pub(crate) fn diagnose(&self, text: &str) -> Result<Vec<DiagnosticView>, Trouble> {
        let model = self.simulated()?;
        Ok(match model.text.with_source(text).load(&model.besides()) {
            Ok(loaded) => views(&loaded.sources, &loaded.warnings),
            Err(Error::Diagnostics(wrong)) => views(&wrong.sources, &wrong.diagnostics),
            Err(other) => return Err(Trouble::new(other.to_string())),
        })
    }

    /// Simulates another text from now on.
    pub(crate) fn apply(&mut self, text: &str) -> Result<Option<String>, Trouble> {
        let old = self.simulated()?;
        let new = old.text.with_source(text);
        let simulation = Simulation::new(&new, &old.besides()).map_err(trouble_of)?;
        let model = ModelPart {
            text: new,
            source: text.into(),
            saved: old.saved.clone(),
            defines: old.defines.clone(),
            formula: old.formula.clone(),
            simulation,
        };
        self.checking.stop();
        Ok(self.replace_model(model))
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
        let present = std::fs::read(&path).map_err(|error| unwritten(error.to_string()))?;
        if present != model.saved.as_bytes() {
            return Err(unwritten(
                "it has been changed by somebody else since it was read".into(),
            ));
        }
        replace(&path, text.as_bytes()).map_err(|error| unwritten(error.to_string()))?;
        model.saved = text.into();
        Ok(())
    }
}

/// The file has its old text or its new one, whatever happens.
fn replace(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    let path = std::fs::canonicalize(path)?;
    let mut name = path.file_name().unwrap_or_default().to_os_string();
    name.push(".new");
    let new = path.with_file_name(name);
    let mut file = std::fs::OpenOptions::new()
        .write(true)
        .create_new(true)
        .open(&new)?;
    let written = file
        .write_all(bytes)
        .and_then(|()| file.set_permissions(std::fs::metadata(&path)?.permissions()))
        .and_then(|()| file.sync_all())
        .and_then(|()| std::fs::rename(&new, &path));
    if written.is_err() {
        let _ = std::fs::remove_file(&new);
    }
    written
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
