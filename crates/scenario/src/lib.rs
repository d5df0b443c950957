//! Counterexamples: what is kept of them, and how people read them.
//!
//! Here is also what verifications of models and of real programs have in common: [`Verdict`], [`ViolationKind`], choices by name,
//! and how files are written without destroying others.
//!
//! A [`Scenario`] is the file: a model, a claimed violation, and steps. [`replay`] runs the steps
//! through the interpreter and gives a [`Run`], in which every number has become a name: who
//! moved, where in the source, what was sent and received, what changed. [`text`], [`chart`] and
//! the JSON of a `Run` only print; nothing is worked out twice. A [`Walk`] is a run under way,
//! which is what a simulator needs.
//!
//! Start reading at [`Scenario`], then [`Walk`].

#![forbid(unsafe_code)]
#![deny(missing_docs)]

mod accesses;
mod chart;
mod choice;
mod explanation;
pub mod figures;
mod format;
mod givers;
mod kind;
mod messages;
mod names;
mod output;
mod placing;
mod reported;
mod run;
pub mod seconds;
mod shell;
mod snapshot;
mod style;
mod text;
mod told;
mod verdict;
mod view;
mod violation;
mod waiting;
mod walk;
mod wish;

pub use chart::{chart, chart_of};
pub use choice::{Choice, UnknownName};
pub use explanation::{AtomAlong, Blamed, Explanation};
pub use format::{
    FORMAT, FormatError, Model, Scenario, ScenarioStep, VERSION, ViolationRecord, fingerprint,
};
pub use kind::ViolationKind;
pub use output::{Mark, refuse_foreign, refuse_same, refuse_unwritable, replace_file, write_text};
pub use placing::{ScenarioFiles, is_device, removed_words};
pub use reported::{ReportedAudit, ReportedFigures, ReportedProperty, ReportedViolation};
pub use run::{Ending, ReplayError, Run, replay, replay_tail};
pub use shell::shell_command;
pub use snapshot::{Change, ChannelContents, NamedValue, ProcessAt, Snapshot};
pub use style::Style;
pub use text::{
    Columns, clean, clean_lines, left_out, loop_text, race_text, state_text, step_text, text,
    text_of, text_of_end, text_of_start,
};
pub use verdict::{PropertyKind, Refusal, Verdict};
pub use view::View;
pub use violation::{Symptom, describe};
pub use waiting::{Giver, Waiting, Want, cycle};
pub use walk::{Happening, Message, Partner, Position, Standing, StepRecord, Walk, position};
