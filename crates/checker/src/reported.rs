//! What is wrong or odd about a model, as reports have it.

use mazurka_scenario::Position;
use mazurka_span::{Diagnostic, Severity, SourceMap, Span, tidy};
use serde::{Deserialize, Serialize};

/// A diagnostic, as `--format json` has it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct ReportedDiagnostic {
    /// How bad it is.
    pub severity: ReportedSeverity,
    /// Its stable name, such as `P0101`; `mazurka explain` tells more.
    pub code: String,
    /// One sentence.
    pub message: String,
    /// Where it begins.
    pub at: Option<Position>,
    /// Where it ends, in the same file: the first place after it.
    pub to: Option<Position>,
    /// What may be done about it.
    pub hint: Option<String>,
}

/// How bad a diagnostic is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ReportedSeverity {
    /// The model cannot be checked.
    Error,
    /// The model can be checked, but it is probably not what was meant.
    Warning,
    /// Something that is good to know.
    Note,
}

impl ReportedSeverity {
    /// As reports name it.
    pub fn name(self) -> &'static str {
        match self {
            ReportedSeverity::Error => "error",
            ReportedSeverity::Warning => "warning",
            ReportedSeverity::Note => "note",
        }
    }
}

impl ReportedDiagnostic {
    /// Diagnostics in the order of the source, without repetitions.
    pub fn all(sources: &SourceMap, diagnostics: &[Diagnostic]) -> Vec<ReportedDiagnostic> {
        let mut diagnostics = diagnostics.to_vec();
        tidy(sources, &mut diagnostics);
        let reported = diagnostics.iter();
        reported.map(|known| of(sources, known)).collect()
    }
}

/// The place of a byte of the sources.
pub(crate) fn place_in(sources: &SourceMap, offset: u32) -> Option<Position> {
    let location = sources.location(Span::new(offset, offset))?;
    Some(Position {
        file: location.file.into(),
        line: location.line,
        column: location.column,
    })
}

fn of(sources: &SourceMap, diagnostic: &Diagnostic) -> ReportedDiagnostic {
    // What a macro made is reported where the macro is used: that is a place in the user's text.
    let Span { start, end, .. } = sources.outermost(diagnostic.primary.span);
    let place = |offset| place_in(sources, offset);
    ReportedDiagnostic {
        severity: match diagnostic.severity {
            Severity::Error => ReportedSeverity::Error,
            Severity::Warning => ReportedSeverity::Warning,
            Severity::Note => ReportedSeverity::Note,
        },
        code: diagnostic.code.id.into(),
        message: diagnostic.message.clone(),
        at: place(start),
        to: place(end),
        hint: diagnostic.hint.clone(),
    }
}
