//! Results of verifications as people and other programs read them.
//!
//! A [`Document`] is all that is known of one model that was asked about, also of one that could not be read. All formats but the
//! full text for people ([`human`]) are made of documents alone, so none of them knows more than another. [`exploration`] is the full text
//! about a real program. A [`Conversation`] is what somebody types who steps by hand, through a model or a real program, and what is
//! told then.
//!
//! ```
//! use mazurka_checker::{Checker, Config, Report};
//! use mazurka_report::{Document, Format, render};
//!
//! let config = Config::default();
//! let documents = match Checker::from_source("p.pml", "active proctype P() { assert(0) }")?.run() {
//!     Ok(outcome) => [Document::checked(Report::of(&outcome, &config, &Default::default()))],
//!     Err(error) => [Document::refused("p.pml", &error)],
//! };
//! assert!(render(&documents, Format::Junit).contains("<failure"));
//! # Ok::<(), mazurka_checker::Error>(())
//! ```

#![forbid(unsafe_code)]
#![deny(missing_docs)]

mod composed;
mod conversation;
mod document;
mod exploration;
mod github;
mod human;
mod junit;
mod progress;
mod sarif;
mod stepping;
mod table;
mod told;

pub use composed::text_of_composition;
pub use conversation::{Answer, Conversation, Printer, SteppedModel, SteppedProgram, Stopped};
pub use document::{Document, Refused, Trouble, TroubleKind};
pub use exploration::{Exploration, exploration};
pub use human::{Human, decided, human};
pub use junit::{Case, junit_of_cases};
pub use progress::progress_of_exploration;
pub use table::{lines, table};
pub use told::Told;

mazurka_scenario::choices! {
    /// How results are printed.
    Format {
        /// Text for people.
        Human "human",
        /// One JSON document.
        Json "json",
        /// Static Analysis Results Interchange Format 2.1.0.
        Sarif "sarif",
        /// The XML that most build servers read.
        Junit "junit",
        /// Annotations of GitHub's workflows.
        Github "github",
    }
}

/// Results in a format for other programs; for people, the table.
pub fn render(documents: &[Document], format: Format) -> String {
    match format {
        Format::Human => table(documents, mazurka_scenario::Style::default()),
        Format::Json => document::json(documents),
        Format::Sarif => sarif::sarif(documents),
        Format::Junit => junit::junit(documents),
        Format::Github => github::github(documents),
    }
}
