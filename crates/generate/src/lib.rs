//! Machines as programs: a network becomes a folder of C or Rust that a person can read, fill in and run.
//!
//! A folder has the machines and their run-time, which every export writes anew, and a template with the input mapper and the output
//! functions, which belongs to whoever fills it in: [`Folder::write`] never replaces it. The code takes no memory from a heap and does
//! not call itself. It chooses nothing by itself either: who moves next is up to its `main`, and where a mapping has several
//! alternatives, a function of the template says which. So every run of the code is a run of the model; [`follow`] repeats it there
//! and says where that fails.
//!
//! Start reading at [`vfsm`], then `vfsm/c.rs`; [`efsm`] is the same for machines with ports.

#![forbid(unsafe_code)]
#![deny(missing_docs)]

mod code;
pub mod efsm;
mod folder;
mod follow;
mod names;
mod suite;
pub mod vfsm;

pub use folder::{File, Folder, Kept, MARK, Written};
pub use follow::{Followed, State, follow};
pub use suite::{Suite, script, suite};

/// The language of the code.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Target {
    /// C99.
    C,
    /// Rust, without dependencies.
    Rust,
}
