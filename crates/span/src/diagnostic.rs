//! A problem found in the source, as data.

use std::fmt;

use crate::{SourceMap, Span};

/// What is wrong, where, and what may be done about it. See [`render`](crate::render) for how it is shown.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagnostic {
    /// How bad it is.
    pub severity: Severity,
    /// Its stable code.
    pub code: Code,
    /// One sentence, without a full stop.
    pub message: String,
    /// Where it is.
    pub primary: Label,
    /// What else belongs to it.
    pub secondary: Vec<Label>,
    /// What to do about it.
    pub hint: Option<String>,
}

/// Errors come first when diagnostics at the same place are sorted.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Severity {
    /// It cannot be used.
    Error,
    /// It is probably not meant.
    Warning,
    /// For information.
    Note,
}

/// A stable name for a kind of diagnostic, such as `P0012`. Each front end keeps a table of its own.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Code {
    /// The stable name, such as `P0001`.
    pub id: &'static str,
    /// One line for the table of codes.
    pub summary: &'static str,
}

/// A place and what to say about it; the text may be empty.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Label {
    /// Where.
    pub span: Span,
    /// What is said there.
    pub text: String,
}

impl Diagnostic {
    /// An error.
    pub fn error(code: Code, span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic::new(Severity::Error, code, span, message)
    }

    /// A warning.
    pub fn warning(code: Code, span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic::new(Severity::Warning, code, span, message)
    }

    /// A diagnostic without other places and without a hint.
    pub fn new(
        severity: Severity,
        code: Code,
        span: Span,
        message: impl Into<String>,
    ) -> Diagnostic {
        Diagnostic {
            severity,
            code,
            message: message.into(),
            primary: Label {
                span,
                text: String::new(),
            },
            secondary: Vec::new(),
            hint: None,
        }
    }

    /// Says something at the primary place.
    pub fn label(mut self, text: impl Into<String>) -> Diagnostic {
        self.primary.text = text.into();
        self
    }

    /// Points at another place that matters.
    pub fn also(mut self, span: Span, text: impl Into<String>) -> Diagnostic {
        self.secondary.push(Label {
            span,
            text: text.into(),
        });
        self
    }

    /// The same with a hint what to do about it.
    pub fn hint(mut self, text: impl Into<String>) -> Diagnostic {
        self.hint = Some(text.into());
        self
    }

    /// Is it an error?
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }
}

/// Is any of them an error?
pub fn has_errors(diagnostics: &[Diagnostic]) -> bool {
    diagnostics.iter().any(Diagnostic::is_error)
}

/// Sorts by place in the source and drops repetitions: the body of a macro or an `inline` is parsed once per use, but what
/// is wrong with its text needs saying only once.
pub fn tidy(map: &SourceMap, diagnostics: &mut Vec<Diagnostic>) {
    diagnostics.sort_by_cached_key(|diagnostic| {
        let span = diagnostic.primary.span;
        (
            map.outermost(span).start,
            span.start,
            diagnostic.severity,
            diagnostic.code,
        )
    });
    let mut seen = std::collections::HashSet::new();
    diagnostics.retain(|diagnostic| {
        let Span { start, end, .. } = diagnostic.primary.span;
        seen.insert((start, end, diagnostic.code, diagnostic.message.clone()))
    });
}

impl fmt::Debug for Code {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.id)
    }
}

impl fmt::Display for Code {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.id)
    }
}
