//! Parts of a system reduced first, and then put together.
//!
//! A *part* is some of the machines, with their ports and with the shared variables that only they use. It is explored with its ports open:
//! whatever the other parts may ever send can come at any time ([`open`]). Its graph is made as small as an equivalence allows that
//! nobody can notice ([`minimise`]), and two such graphs are put together, step by step ([`lts`]), each time with less that is visible from
//! outside. What is left in the end has the deadlocks and the visible traces of the system; each deadlock is led back to steps of the
//! system ([`path`]). `docs/book/compositional.md` has the argument.
//!
//! For programs whose processes are all there from the beginning, look at no channels but their own, and send to those of others without
//! meeting: those of `.efsm`, compiled by `mazurka_efsm::compile_open`.
//!
//! Start reading at [`compose()`].

#![forbid(unsafe_code)]
#![deny(missing_docs)]

mod compose;
mod lts;
mod minimise;
mod open;
mod parts;
mod path;
mod plain;

pub use compose::{Composed, Finding, Options, PartSizes, Stage, Stuck, Trouble, compose};
pub use lts::{ERROR, Lts, TAU};
pub use minimise::{are_equivalent, minimise};
pub use plain::{Plain, plain};
