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
mod diagram;
pub mod efsm;
mod exercised;
mod folder;
mod follow;
mod names;
mod suite;
mod tables;
mod text;
pub mod vfsm;

use std::path::Path;

use mazurka_checker::{Error, Loaded, ModelText};

pub use diagram::diagrams;
pub use folder::{File, Folder, Kept, MARK, Written};
pub use follow::{Followed, State, follow};
pub use suite::{Suite, TestForm, script};
pub use tables::{TableForm, tables};
pub use text::{alone, from_tables};

/// The language of the code.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Target {
    /// C99.
    C,
    /// Rust, without dependencies.
    Rust,
}

/// The code of a model, which has been loaded.
///
/// ```
/// use mazurka_checker::{Besides, ModelText};
/// use mazurka_generate::{Target, code};
///
/// let lamp = "machine Lamp { start state Off; state On; Off -> On; On -> Off; } system { lamp: Lamp; }";
/// let model = ModelText::from_source("lamp.efsm", lamp)?;
/// let loaded = model.load(&Besides::default())?;
/// assert!(code(&model, &loaded, Target::C)?.text("main.c").is_some());
/// # Ok::<(), mazurka_checker::Error>(())
/// ```
pub fn code(model: &ModelText, loaded: &Loaded, target: Target) -> Result<Folder, Error> {
    let wrong = |reason: String| Error::Usage(format!("{}: {reason}", model.path()));
    let path = Path::new(model.path());
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    match (Machines::of(loaded), target) {
        (Some(Machines::Network), target) => {
            // The program form of a network does not have its machines any more.
            let resolved = model.network(&loaded.model.defines)?;
            Ok(vfsm::generate(&resolved, &name, target))
        }
        (Some(Machines::WithPorts), target) => Ok(efsm::generate(loaded.program(), &name, target)),
        (None, _) => Err(wrong(format!(
            "there is no code for models in {}, only for .vfsm and .efsm",
            loaded.notation.name()
        ))),
    }
}

/// What code and tests are made of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Machines {
    /// A network of virtual finite state machines.
    Network,
    /// A system of machines with ports.
    WithPorts,
}

impl Machines {
    fn of(model: &Loaded) -> Option<Machines> {
        match model.notation.name() {
            "vfsm" => Some(Machines::Network),
            "efsm" => Some(Machines::WithPorts),
            _ => None,
        }
    }
}
