//! Many models and what is expected of them.
//!
//! A [`Suite`] is a file `mazurka.toml` beside the models: options and expected verdicts. [`Expected::run`] checks a model and says
//! what is not as expected. A [`Watcher`] tells when files change.

#![forbid(unsafe_code)]
#![deny(missing_docs)]

mod file;
mod places;
mod run;
mod watch;

pub use file::{Expect, Expected, FILE, Suite};
pub use run::{Judged, junit, table};
pub use watch::{Snapshot, Watcher};
