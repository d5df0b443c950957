//! Breadth-first search by workers that share nothing: threads, processes or machines.
//!
//! Each worker owns the states whose hash falls to it, keeps them in a store of its own, and sends what it meets of others to them. All
//! go level by level, so paths are as short as those of [`breadth_first`](crate::breadth_first). How messages travel, and when all of
//! them have arrived, an [`Exchange`] knows: this module counts on it and knows no network.
//!
//! Without a reduction the states, the transitions and the lengths are those of one worker. A reduction that needs a proviso leaves
//! steps of a state out only if one of the others leads to a state that has not been left yet (as in [`breadth_first`]). If that state
//! belongs to another worker, its owner is asked, and answers at the end of the sweep; where the answer is no, the state is left
//! once more in the next sweep of the level, by more of its steps, and in the last one by all of them. A state is marked as left before
//! a question is sent, and the answer is given before the state asked about is left: so along such steps the moments at which states are
//! left first go on, in the order of causes and effects, and the last of them is that of a state that was left by all of its steps.

mod archive;
mod arrivals;
mod cycles;
mod owner;
mod packet;
mod part;
mod sent;
mod summary;
mod trace;
mod worker;

use std::fmt;
use std::sync::Mutex;

use crate::bookkeeping::{Bookkeeping, Control};
use crate::report::{Observer, Options, Report, Statistics, StopReason};
use crate::sample::sample;
use crate::store::{Store, Tree};
use crate::system::{Reduction, System};

use part::Part;
use worker::{Watch, Worker};

pub use archive::{Archive, Log, Offer, Records};
pub use cycles::cycles_divided;

/// The first byte of a message says what it is.
const STATES: u8 = 0;
const ANSWERS: u8 = 1;
const SUMMARY: u8 = 2;
const HALT: u8 = 3;
const FAILED: u8 = 4;
const FOUND: u8 = 5;
const LINKS: u8 = 6;
const COVERED: u8 = 7;
const OFFERS: u8 = 8;
const KEPT: u8 = 9;
const LAST: u8 = 10;
const DOUBTS: u8 = 11;

/// A level is gone through at most this often; the last time, states are left by all of their steps.
const SWEEPS: u64 = 8;
const LAST_SWEEP: u8 = SWEEPS as u8 - 1;

/// How one worker exchanges messages with the others.
///
/// Messages are sent in rounds, whose numbers only increase. A worker that has [advanced](Exchange::advance) to a round sends no more
/// in earlier ones; once all have, and all that they sent has arrived, the earlier rounds [are over](Exchange::is_over). Messages
/// from one worker to another arrive in the order in which they were sent.
pub trait Exchange {
    /// The number of this worker among all.
    fn index(&self) -> usize;

    /// How many workers there are.
    fn workers(&self) -> usize;

    /// Sends a message in the round at hand.
    fn send(&mut self, to: usize, message: Vec<u8>);

    /// Goes to a later round.
    fn advance(&mut self, round: u64);

    /// Have all messages of the rounds before this one arrived, at every worker?
    fn is_over(&self, round: u64) -> bool;

    /// Lets messages move. Who has nothing else to do may wait a little.
    fn step(&mut self, may_wait: bool) -> Result<(), Lost>;

    /// The next message that has arrived, and who sent it.
    fn receive(&mut self) -> Option<(usize, Vec<u8>)>;
}

/// Those who search together, seen from one process.
pub trait Company: Sync {
    /// How many workers this process has.
    fn workers(&self) -> usize;

    /// Calls `work` with the exchange of one of them. All are entered at the same time, each in a thread of its own.
    fn enter(
        &self,
        worker: usize,
        work: &mut dyn FnMut(&mut dyn Exchange) -> Result<(), Lost>,
    ) -> Result<(), Lost>;

    /// Is told how far all are, by the first worker of each process.
    fn tell(&self, _figures: &Figures) {}

    /// Where the search is kept, if it is. All processes keep it, or none does.
    fn archive(&self) -> Option<&dyn Archive> {
        None
    }
}

/// How far a search is, over all.
#[derive(Clone, Default, Debug)]
pub struct Figures {
    /// The states of each worker.
    pub states: Vec<u64>,
    /// The bytes that each worker takes.
    pub bytes: Vec<u64>,
    /// The states that are to be left in the level at hand.
    pub frontier: u64,
    /// The bytes of messages between workers.
    pub sent: u64,
}

/// The others cannot be reached any more, or say what makes no sense.
#[derive(Clone, Debug)]
pub struct Lost(pub String);

impl fmt::Display for Lost {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.0)
    }
}

impl std::error::Error for Lost {}

/// What keeps a worker from going on.
#[derive(Debug)]
enum Trouble {
    Stop(StopReason),
    Lost(Lost),
}

impl From<StopReason> for Trouble {
    fn from(reason: StopReason) -> Trouble {
        Trouble::Stop(reason)
    }
}

impl From<Lost> for Trouble {
    fn from(lost: Lost) -> Trouble {
        Trouble::Lost(lost)
    }
}

fn garbled() -> Trouble {
    Trouble::Lost(garbled_message())
}

fn garbled_message() -> Lost {
    Lost("a member sent what makes no sense".into())
}

/// Writes the level that a packet comes from, and in which sweep its states were left.
fn write_level(bytes: &mut Vec<u8>, level: usize, sweep: u8) {
    crate::frontier::write_number(bytes, level as u64 * SWEEPS + u64::from(sweep));
}

fn read_level(bytes: &mut &[u8]) -> Option<(usize, u8)> {
    let number = crate::frontier::read_number(bytes)?;
    Some(((number / SWEEPS) as usize, (number % SWEEPS) as u8))
}

/// Explores with an exact store in each worker; this process has as many workers as there are reductions. Every process gets the
/// same report, but for the time taken.
///
/// The system must be able to tell other processes what it numbers ([`System::names`]), if it numbers anything. Memory is what this
/// process may take, shared out among its workers.
pub fn breadth_first_divided<Y: System, R: Reduction<Y> + Send>(
    system: &Y,
    reductions: &mut [R],
    options: &Options<'_>,
    observer: &mut dyn Observer,
    company: &dyn Company,
) -> Result<Report<Y>, Lost> {
    let typical = sample(system);
    let work = |given: Given<'_, Y, R>| {
        let mut store = Tree::new();
        store.prepare(typical.clone());
        let of = (given.exchange.index(), given.exchange.workers());
        let part = Part::new((given.system, given.reduction, store), given.book, of);
        Worker::new(part, given.exchange, given.watch)
            .kept_in(given.company.archive())
            .work()
    };
    by_all(system, reductions, options, observer, company, work)
}

/// What a worker is given.
struct Given<'a, Y: System, R> {
    system: &'a Y,
    reduction: &'a mut R,
    book: Bookkeeping<'a, Y>,
    company: &'a dyn Company,
    exchange: &'a mut dyn Exchange,
    /// Only one of them watches.
    watch: Option<&'a mut Watch<'a>>,
}

/// Lets each worker of this process do its part, in a thread of its own.
fn by_all<Y: System, R: Reduction<Y> + Send>(
    system: &Y,
    reductions: &mut [R],
    options: &Options<'_>,
    observer: &mut dyn Observer,
    company: &dyn Company,
    work: impl Fn(Given<'_, Y, R>) -> Result<Report<Y>, Lost> + Sync,
) -> Result<Report<Y>, Lost> {
    if system.names() == 0 && !system.context().is_empty() {
        let reason = "the states of this system mean nothing to another process";
        return Err(Lost(reason.into()));
    }
    let options = Options {
        memory: options.memory / reductions.len().max(1) as u64,
        ..options.clone()
    };
    let mut observer = Some(observer);
    let reports = Mutex::new(Vec::new());
    let lost = Mutex::new(None);
    std::thread::scope(|scope| {
        for (number, reduction) in reductions.iter_mut().enumerate() {
            let observer = observer.take();
            let (options, work, reports, lost) = (&options, &work, &reports, &lost);
            scope.spawn(move || {
                let mut given = Some((reduction, observer));
                let result = company.enter(number, &mut |exchange| {
                    let (reduction, observer) = given.take().expect("work is called once");
                    let control = Control::new(options, 1);
                    let book = Bookkeeping::new(system, &control, 0, None);
                    let mut watch = observer.map(|observer| {
                        move |figures: &Figures, statistics: &Statistics| {
                            company.tell(figures);
                            observer.progress(statistics);
                        }
                    });
                    let watch = watch.as_mut().map(|watch| watch as &mut Watch<'_>);
                    let report = work(Given {
                        system,
                        company,
                        reduction,
                        book,
                        exchange,
                        watch,
                    })?;
                    let mut reports = reports.lock().unwrap_or_else(|lock| lock.into_inner());
                    reports.push(report);
                    Ok(())
                });
                if let Err(error) = result {
                    let mut lost = lost.lock().unwrap_or_else(|lock| lock.into_inner());
                    lost.get_or_insert(error);
                }
            });
        }
    });
    if let Some(lost) = lost.into_inner().unwrap_or_else(|lock| lock.into_inner()) {
        return Err(lost);
    }
    let mut reports = reports
        .into_inner()
        .unwrap_or_else(|lock| lock.into_inner());
    reports.pop().ok_or_else(|| Lost("nobody searched".into()))
}
