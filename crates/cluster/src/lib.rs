//! Searches over many machines: who takes part, how they speak with each other, what happens when one of them is lost.
//!
//! What is searched, and how, is in [`mazurka_search::divided`]; this crate lets its messages travel, on timely dataflow. Threads of one
//! process are [`Threads`]; processes, each a [`Member`], [meet](Member::meet) for each search on connections of their own, once they
//! have made sure that all know the same secret and want the same. A [`Folder`] keeps a search, so that it can be resumed. [`Joined`] is
//! all of that for a check. Whoever starts members has them [`Launched`].

#![forbid(unsafe_code)]
#![deny(missing_docs)]

mod exchange;
mod folder;
mod handshake;
mod health;
mod hosts;
mod joined;
mod launched;
mod mac;
mod members;
mod side;
mod stream;
mod threads;

pub use folder::{About, Folder};
pub use handshake::Agreement;
pub use hosts::{addresses, hosts, new_secret};
pub use joined::{Joined, Kept, resume_command};
pub use launched::{Launched, stop_with_launcher};
pub use members::{Meeting, Member};
pub use threads::Threads;
