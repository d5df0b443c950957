//! Why there is no outcome.

use std::fmt;

use mazurka_scenario::Refusal;
use mazurka_span::{Diagnostic, RenderOptions, SourceMap, render};

/// Why there is no outcome.
#[derive(Debug)]
pub enum Error {
    /// Something was asked for that cannot be: a file that is not there, choices that are not sound together.
    Usage(String),
    /// The model is wrong, or an expression about it.
    Diagnostics(Box<Diagnosed>),
    /// Others who searched along cannot be reached any more, so that nobody knows what they would have found.
    Lost(String),
    /// Mazurka is wrong.
    Internal(String),
}

/// What is wrong with a model, and its text.
#[derive(Debug)]
pub struct Diagnosed {
    /// The text.
    pub sources: SourceMap,
    /// What is wrong with it.
    pub diagnostics: Vec<Diagnostic>,
}

impl Error {
    pub(crate) fn diagnostics(sources: SourceMap, diagnostics: Vec<Diagnostic>) -> Error {
        Error::Diagnostics(Box::new(Diagnosed {
            sources,
            diagnostics,
        }))
    }
}

impl Diagnosed {
    /// What is wrong, as text for people.
    pub fn render(&self, options: RenderOptions) -> String {
        render(&self.sources, &self.diagnostics, options)
    }
}

impl From<Refusal> for Error {
    fn from(refusal: Refusal) -> Error {
        Error::Usage(refusal.reason)
    }
}

impl fmt::Display for Error {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Usage(message) | Error::Lost(message) => out.write_str(message),
            Error::Diagnostics(wrong) => out.write_str(&wrong.render(RenderOptions::default())),
            Error::Internal(message) => write!(out, "internal error: {message}"),
        }
    }
}

impl std::error::Error for Error {}
