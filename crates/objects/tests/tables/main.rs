//! Every table of the library against its object's executable semantics, in all values.

mod exact;

mod barrier;
mod cell;
mod channel;
mod history;
mod lossy;
mod mutex;
mod paper;
mod population;
mod rendezvous;
mod rwlock;
mod semaphore;
mod table;
mod timer;
mod variable;
