//! Every table of the library against its object's executable semantics, in all values.

mod exact;

mod channel;
mod lossy;
mod mutex;
mod paper;
mod population;
mod rendezvous;
mod semaphore;
mod timer;
mod variable;
