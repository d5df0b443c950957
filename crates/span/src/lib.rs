//! Source map, spans and diagnostics, shared by every notation.
//!
//! A front end adds its files to a [`SourceMap`], lets every token and tree node carry a [`Span`], and reports problems
//! as [`Diagnostic`]s, which [`render`] turns into text. Nothing here knows a language.
#![forbid(unsafe_code)]
#![deny(missing_docs)]

mod count;
mod diagnostic;
mod render;
mod snippet;
mod source_map;
mod span;
mod suggest;

pub use count::{counted, grouped};
pub use diagnostic::{Code, Diagnostic, Label, Severity, has_errors, tidy};
pub use render::{RenderOptions, render};
pub use snippet::{Snippet, Snippets};
pub use source_map::{
    Expansion, ExpansionKind, FileId, Location, NOT_UTF8, SourceFile, SourceMap, SourceTooLarge,
};
pub use span::{ExpansionId, Span};
pub use suggest::nearest;
