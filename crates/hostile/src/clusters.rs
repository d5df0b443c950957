//! Any bytes as what the workers of a divided search leave behind, and as what they send each other.
//!
//! The sums over what is kept are left out, and so is the secret of the members: who knows both can forge the rest. What has to be
//! believed is which states were explored; a violation is replayed.

use std::collections::VecDeque;
use std::io::{self, Cursor};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};

use mazurka_model::Interpreter;
use mazurka_reduce::{Chooser, Stubborn};
use mazurka_search::Report;
use mazurka_search::checkpoint::Source;
use mazurka_search::divided::{
    Archive, Company, Exchange, Log, Lost, Offer, Records, breadth_first_divided,
};

use crate::checkpoints::{MODELS, interpreter, options, replays};
use crate::models::Fate;

/// Before each part of what is kept stands whose it is; with this bit, it is the note.
const NOTE: u8 = 0x80;
/// The bytes of a sum.
const SUM: usize = 8;

/// Which search it is of.
#[derive(Clone, Copy, Debug)]
struct Setting {
    model: usize,
    /// How many workers there were.
    workers: usize,
    reduced: bool,
}

impl Setting {
    const COUNT: u8 = 4 * MODELS.len() as u8;

    fn of(number: u8) -> Setting {
        let number = usize::from(number % Setting::COUNT);
        let rest = number / MODELS.len();
        Setting {
            model: number % MODELS.len(),
            workers: 1 + rest % 2,
            reduced: rest / 2 == 1,
        }
    }
}

/// A search that was kept, resumed by one worker. The first byte says which search it is, the second the level, and then come notes and
/// records, each behind its length and whose it is.
pub fn kept(bytes: &[u8]) -> Fate {
    let [number, level, rest @ ..] = bytes else {
        return Fate::Refused;
    };
    let setting = Setting::of(*number);
    let mut written: Vec<Written> = (0..setting.workers).map(|_| Written::default()).collect();
    for (whose, part) in parts(rest) {
        let worker = &mut written[usize::from(whose & !NOTE) % setting.workers];
        match whose & NOTE {
            0 => worker.records.push_back(part),
            _ => worker.note = part,
        }
    }
    let offer = Offer {
        search: 1,
        workers: setting.workers,
        level: (*level).into(),
    };
    let archive = Kept {
        resumed: Some((offer, written)),
        ..Kept::new(1, u64::MAX)
    };
    let room = Room::new(1, Some(&archive));
    told(setting, search(setting, 1, &archive.log.end, &room))
}

/// A search by two workers, one of which sends these messages. The first byte says which search it is. Each message stands behind its
/// length and how many rounds after the one before it was sent.
pub fn member(bytes: &[u8]) -> Fate {
    let Some((number, rest)) = bytes.split_first() else {
        return Fate::Refused;
    };
    let setting = Setting::of(*number);
    let mut round = 0;
    let messages = parts(rest).map(|(rounds, message)| {
        round += u64::from(rounds);
        (round, message)
    });
    let company = Forged(Mutex::new(messages.collect()));
    told(
        setting,
        search(setting, 1, &AtomicBool::new(false), &company),
    )
}

fn told(setting: Setting, found: Result<Report<Interpreter>, Lost>) -> Fate {
    match found {
        Err(lost) => {
            assert!(!lost.0.is_empty());
            Fate::Refused
        }
        Ok(report) => {
            let interpreter = interpreter(setting.model);
            for violation in &report.violations {
                replays(&interpreter, &violation.defect, &violation.steps);
            }
            Fate::Ran(report.violations.len())
        }
    }
}

fn search(
    setting: Setting,
    workers: usize,
    end: &AtomicBool,
    company: &dyn Company,
) -> Result<Report<Interpreter>, Lost> {
    let interpreter = interpreter(setting.model);
    let options = options(setting.reduced, end);
    if setting.reduced {
        let stubborn = || Stubborn::new(&interpreter, true).expect("a model that can be reduced");
        let mut crew: Vec<Chooser> = Vec::new();
        crew.resize_with(workers, || Chooser::Stubborn(Box::new(stubborn())));
        return breadth_first_divided(&interpreter, &mut crew, &options, &mut (), company);
    }
    let mut crew = vec![(); workers];
    breadth_first_divided(&interpreter, &mut crew, &options, &mut (), company)
}

/// Pieces behind their lengths, two bytes, and a byte of their own. The last one is as long as it can be.
fn parts(mut bytes: &[u8]) -> impl Iterator<Item = (u8, Vec<u8>)> {
    std::iter::from_fn(move || {
        let [low, high, own, rest @ ..] = bytes else {
            return None;
        };
        let length = usize::from(u16::from_le_bytes([*low, *high])).min(rest.len());
        let (part, rest) = rest.split_at(length);
        bytes = rest;
        Some((*own, part.to_vec()))
    })
}

/// The other way round, if it is not too long.
fn add_part(bytes: &mut Vec<u8>, own: u8, part: &[u8]) -> Option<()> {
    bytes.extend(u16::try_from(part.len()).ok()?.to_le_bytes());
    bytes.push(own);
    bytes.extend(part);
    Some(())
}

/// What a worker has written.
#[derive(Clone, Default)]
struct Written {
    records: VecDeque<Vec<u8>>,
    note: Vec<u8>,
}

impl Records for Written {
    fn next(&mut self) -> io::Result<Source> {
        let record = self.records.pop_front();
        let record = record.ok_or(io::ErrorKind::UnexpectedEof)?;
        let length = record.len() as u64;
        Ok(Source::new(Cursor::new(record), length))
    }
}

/// An archive in memory.
struct Kept {
    resumed: Option<(Offer, Vec<Written>)>,
    log: Arc<Logs>,
}

/// What the workers write, and the level behind which the search is ended.
struct Logs {
    written: Vec<Mutex<Written>>,
    last_level: u64,
    end: AtomicBool,
}

impl Kept {
    fn new(workers: usize, last_level: u64) -> Kept {
        Kept {
            resumed: None,
            log: Arc::new(Logs {
                written: (0..workers).map(|_| Mutex::default()).collect(),
                last_level,
                end: AtomicBool::new(false),
            }),
        }
    }
}

impl Archive for Kept {
    fn resumes(&self) -> bool {
        self.resumed.is_some()
    }

    fn offers(&self, _: usize, _: usize) -> io::Result<Vec<Offer>> {
        Ok(self.resumed.iter().map(|(offer, _)| *offer).collect())
    }

    fn read(&self, _: &Offer, worker: usize) -> io::Result<(Box<dyn Records>, Vec<u8>)> {
        let written = self.resumed.as_ref().and_then(|(_, all)| all.get(worker));
        let written = written.ok_or(io::ErrorKind::NotFound)?.clone();
        let note = written.note.clone();
        Ok((Box::new(written), note))
    }

    fn last(&self) -> io::Result<u64> {
        Ok(1)
    }

    fn write(
        &self,
        _: u64,
        _: Option<&Offer>,
        (worker, _): (usize, usize),
    ) -> io::Result<Box<dyn Log>> {
        Ok(Box::new(OwnLog(self.log.clone(), worker)))
    }

    fn is_due(&self) -> bool {
        true
    }

    fn give_up(&self, reason: &str) {
        panic!("there is always room: {reason}");
    }
}

/// The log of one worker.
struct OwnLog(Arc<Logs>, usize);

impl Log for OwnLog {
    fn append(&mut self, record: &[u8]) -> io::Result<()> {
        let record = record[..record.len() - SUM].to_vec();
        lock(&self.0.written[self.1]).records.push_back(record);
        Ok(())
    }

    fn sync(&mut self) -> io::Result<()> {
        Ok(())
    }

    fn commit(&mut self, level: u64, note: &[u8]) -> io::Result<()> {
        lock(&self.0.written[self.1]).note = note[..note.len() - SUM].to_vec();
        self.0
            .end
            .fetch_or(level >= self.0.last_level, Ordering::Relaxed);
        Ok(())
    }
}

/// Who sent a message, and the message.
type Sent = (usize, Vec<u8>);

/// Threads that search together, and whatever they have said.
struct Room<'k> {
    /// What each has not received yet, with the one that sent it.
    queues: Vec<Mutex<VecDeque<Sent>>>,
    /// The round of each.
    rounds: Vec<AtomicU64>,
    /// What the second sent to the first: how often it had gone on before, and the message.
    overheard: Mutex<Vec<(u64, Vec<u8>)>>,
    archive: Option<&'k Kept>,
}

impl Room<'_> {
    fn new(workers: usize, archive: Option<&Kept>) -> Room<'_> {
        Room {
            queues: (0..workers).map(|_| Mutex::default()).collect(),
            rounds: (0..workers).map(|_| AtomicU64::new(0)).collect(),
            overheard: Mutex::default(),
            archive,
        }
    }
}

impl Company for Room<'_> {
    fn workers(&self) -> usize {
        self.queues.len()
    }

    fn enter(
        &self,
        worker: usize,
        work: &mut dyn FnMut(&mut dyn Exchange) -> Result<(), Lost>,
    ) -> Result<(), Lost> {
        work(&mut Seat {
            room: self,
            me: worker,
            gone_on: 0,
        })
    }

    fn archive(&self) -> Option<&dyn Archive> {
        self.archive.map(|archive| archive as &dyn Archive)
    }
}

/// The place of one of them.
struct Seat<'r, 'k> {
    room: &'r Room<'k>,
    me: usize,
    gone_on: u64,
}

impl Exchange for Seat<'_, '_> {
    fn index(&self) -> usize {
        self.me
    }

    fn workers(&self) -> usize {
        self.room.queues.len()
    }

    fn send(&mut self, to: usize, message: Vec<u8>) {
        if self.me == 1 && to == 0 {
            lock(&self.room.overheard).push((self.gone_on, message.clone()));
        }
        lock(&self.room.queues[to]).push_back((self.me, message));
    }

    fn advance(&mut self, round: u64) {
        self.gone_on += 1;
        self.room.rounds[self.me].store(round, Ordering::SeqCst);
    }

    fn is_over(&self, round: u64) -> bool {
        let mut rounds = self.room.rounds.iter();
        rounds.all(|of| of.load(Ordering::SeqCst) >= round)
    }

    fn step(&mut self, may_wait: bool) -> Result<(), Lost> {
        if may_wait {
            std::thread::yield_now();
        }
        Ok(())
    }

    fn receive(&mut self) -> Option<(usize, Vec<u8>)> {
        lock(&self.room.queues[self.me]).pop_front()
    }
}

/// A worker and one that is not there, but for its messages, each with how often one has to go on before it arrives.
struct Forged(Mutex<VecDeque<(u64, Vec<u8>)>>);

impl Company for Forged {
    fn workers(&self) -> usize {
        1
    }

    fn enter(
        &self,
        _: usize,
        work: &mut dyn FnMut(&mut dyn Exchange) -> Result<(), Lost>,
    ) -> Result<(), Lost> {
        work(&mut Deceived {
            own: VecDeque::new(),
            forged: std::mem::take(&mut lock(&self.0)),
            gone_on: 0,
        })
    }
}

struct Deceived {
    own: VecDeque<Vec<u8>>,
    forged: VecDeque<(u64, Vec<u8>)>,
    gone_on: u64,
}

impl Exchange for Deceived {
    fn index(&self) -> usize {
        0
    }

    fn workers(&self) -> usize {
        2
    }

    fn send(&mut self, to: usize, message: Vec<u8>) {
        if to == 0 {
            self.own.push_back(message);
        }
    }

    fn advance(&mut self, _: u64) {
        self.gone_on += 1;
    }

    fn is_over(&self, _: u64) -> bool {
        true
    }

    fn step(&mut self, _: bool) -> Result<(), Lost> {
        Ok(())
    }

    fn receive(&mut self) -> Option<(usize, Vec<u8>)> {
        if let Some(message) = self.own.pop_front() {
            return Some((0, message));
        }
        let gone_on = self.gone_on;
        self.forged.front().filter(|(after, _)| *after <= gone_on)?;
        let (_, message) = self.forged.pop_front()?;
        Some((1, message))
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(|lock| lock.into_inner())
}

/// Searches that were kept up to some level.
pub fn valid_kept() -> Vec<Vec<u8>> {
    let mut all = Vec::new();
    for number in 0..Setting::COUNT {
        let setting = Setting::of(number);
        for level in [1, 4, 12] {
            let archive = Kept::new(setting.workers, level);
            let room = Room::new(setting.workers, Some(&archive));
            let found = search(setting, setting.workers, &archive.log.end, &room);
            found.expect("nothing is read");
            let mut bytes = vec![number, level as u8];
            let written = archive.log.written.iter().zip(0..);
            let short = written.map(|(written, worker)| {
                let written = lock(written);
                add_part(&mut bytes, worker | NOTE, &written.note)?;
                let mut records = written.records.iter();
                records.try_for_each(|record| add_part(&mut bytes, worker, record))
            });
            if short.collect::<Option<()>>().is_some() {
                all.push(bytes);
            }
        }
    }
    all
}

/// What one of two workers says to the other.
pub fn valid_members() -> Vec<Vec<u8>> {
    let mut all = Vec::new();
    for number in 0..Setting::COUNT {
        let setting = Setting::of(number);
        let room = Room::new(2, None);
        let found = search(setting, 2, &AtomicBool::new(false), &room);
        found.expect("nothing is read");
        let mut bytes = vec![number];
        let mut last = 0;
        let mut messages = std::mem::take(&mut *lock(&room.overheard)).into_iter();
        let short = messages.try_for_each(|(gone_on, message)| {
            let rounds = u8::try_from(gone_on - last).ok()?;
            last = gone_on;
            add_part(&mut bytes, rounds, &message)
        });
        if short.is_some() {
            all.push(bytes);
        }
    }
    all
}
