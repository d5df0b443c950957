//! Mazurka Studio: one local page for models and real programs.
//!
//! A [`Session`] is a simulation with branches, watched expressions, a chart and a check; it decides nothing about meaning, which is
//! the checker's. [`serve`] puts it behind a web server that listens on this machine only, knows its page by a token in the address,
//! and asks nobody else for anything.
//!
//! Start reading at [`Session`], then `requests.rs` and `server.rs`. The page itself is in `page/`, and built in `assets/`.

#![forbid(unsafe_code)]
#![deny(missing_docs)]

mod assets;
mod branch;
mod charting;
mod checking;
mod editing;
mod explain;
mod exploring;
mod guard;
mod history;
mod live;
mod opened;
mod program;
mod replace;
mod requests;
mod server;
mod session;
mod space;
mod view;
mod waiting;
mod watch;

pub use opened::{Opened, Subject, open};
pub use requests::SharedSession;
pub use server::{Address, Bound, bind, serve};
pub use session::Session;
