//! Where the parts of a search are kept, so that it can be resumed when a member is lost.
//!
//! Each worker appends every level to a log of its own before it leaves a state of it. Now and then all make sure that their logs are
//! on disk, and only when all have said so does each of them note that the level is *committed*. So whatever one of them has
//! committed, all have written; and since nobody commits a level before all have committed the one before, the last two levels
//! that a worker has committed contain one that all have.

use std::io;

use crate::checkpoint::Source;

/// A search that was kept: which one in its archive, by how many workers, and the level at which it can be resumed. Later searches
/// and later levels are greater.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Offer {
    /// The searches of an archive are numbered. One that is divided anew is another search.
    pub search: u64,
    /// How many workers there were.
    pub workers: usize,
    /// The last level that was committed.
    pub level: u64,
}

/// Where the workers of a process keep their parts.
pub trait Archive: Sync {
    /// Is an earlier search to be resumed?
    fn resumes(&self) -> bool;

    /// The searches that this worker, one of that number, could take its part in. A search by another number of workers has to be there
    /// in all its parts.
    fn offers(&self, worker: usize, workers: usize) -> io::Result<Vec<Offer>>;

    /// What a worker had written when the level was committed: the records of its log, and what was noted with the commit.
    fn read(&self, offer: &Offer, worker: usize) -> io::Result<(Box<dyn Records>, Vec<u8>)>;

    /// The greatest number that a search here has.
    fn last(&self) -> io::Result<u64>;

    /// A log for this worker in the search with this number: behind what it had written when the level was committed, if that is the search
    /// that is resumed, or a new one. Once the new one is committed, the resumed one is not needed any more.
    fn write(
        &self,
        number: u64,
        resumed: Option<&Offer>,
        of: (usize, usize),
    ) -> io::Result<Box<dyn Log>>;

    /// Is it time to commit?
    fn is_due(&self) -> bool;

    /// The search cannot be kept any more.
    fn give_up(&self, reason: &str);
}

/// The log of one worker.
pub trait Log {
    /// Appends a record.
    fn append(&mut self, record: &[u8]) -> io::Result<()>;

    /// Makes sure that everything is on disk.
    fn sync(&mut self) -> io::Result<()>;

    /// Notes that all have written this level.
    fn commit(&mut self, level: u64, note: &[u8]) -> io::Result<()>;
}

/// The records of a log, in the order in which they were written.
pub trait Records {
    /// The next one; an error if there is none.
    fn next(&mut self) -> io::Result<Source>;
}
