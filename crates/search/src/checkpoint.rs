//! Searches that go on where they were stopped.
//!
//! A search with a [`Keeper`] stops now and then, all workers at once, and is written down: the store,
//! what is still to be explored, what was counted and found. Read back, it goes on as if nothing had
//! happened. Steps are written as numbers among the steps that are possible in their state, which the
//! system repeats; what states mean beyond their bytes, [`System::context`] says.
//!
//! A file that is damaged is refused, by the sum over it. One that is forged has a sum that fits, so nothing in it is trusted
//! more than it has to be: what follows from something else is worked out again and not written at all, sizes are held
//! against the bytes that are there, numbers against what they number. What has to be trusted is which states were explored
//! already: to find that out would be to search again.

use std::io::{self, Read, Write};
use std::time::{Duration, Instant};

use rapidhash::v3::{RapidSecrets, rapidhash_v3_seeded};

use crate::bookkeeping::Bookkeeping;
use crate::report::{Defect, Violation};
use crate::sequence::{settle, settled_steps};
use crate::system::System;

/// This many bytes are checked together.
const BLOCK: usize = 1 << 20;
/// No search counts further. It leaves room for what is counted from there on.
pub(crate) const MOST_COUNTED: u64 = 1 << 56;

/// Decides when a search is saved, and where.
pub trait Keeper {
    /// When to stop and save next; never if there is no time.
    fn due(&self) -> Option<Instant>;

    /// Saves a search. It goes on whether or not that succeeds.
    fn keep(&mut self, write: &mut dyn FnMut(&mut Sink<'_>) -> io::Result<()>);

    /// The search to resume, if it is not a new one.
    fn source(&mut self) -> Option<&mut Source>;
}

/// Nothing is kept.
#[derive(Clone, Copy, Debug)]
pub struct NotKept;

impl Keeper for NotKept {
    fn due(&self) -> Option<Instant> {
        None
    }

    fn keep(&mut self, _: &mut dyn FnMut(&mut Sink<'_>) -> io::Result<()>) {}

    fn source(&mut self) -> Option<&mut Source> {
        None
    }
}

/// Where a search is written to. A sum over everything is written behind it.
pub struct Sink<'a> {
    out: &'a mut dyn Write,
    block: Vec<u8>,
    sum: u64,
}

impl<'a> Sink<'a> {
    /// Writes to a file, or to whatever it is.
    pub fn new(out: &'a mut dyn Write) -> Sink<'a> {
        Sink {
            out,
            block: Vec::new(),
            sum: 0,
        }
    }

    /// A number, seven bits to a byte.
    pub fn number(&mut self, mut number: u64) -> io::Result<()> {
        while number >= 0x80 {
            self.block.push(number as u8 | 0x80);
            number >>= 7;
        }
        self.block.push(number as u8);
        self.pass_on(BLOCK)
    }

    /// A number in eight bytes.
    pub fn word(&mut self, word: u64) -> io::Result<()> {
        self.block.extend(word.to_le_bytes());
        self.pass_on(BLOCK)
    }

    /// Some bytes, and how many they are.
    pub fn bytes(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.number(bytes.len() as u64)?;
        for part in bytes.chunks(BLOCK) {
            self.block.extend_from_slice(part);
            self.pass_on(BLOCK)?;
        }
        Ok(())
    }

    /// Writes the sum. Nothing may follow.
    pub fn finish(mut self) -> io::Result<()> {
        self.pass_on(1)?;
        self.out.write_all(&self.sum.to_le_bytes())?;
        self.out.flush()
    }

    /// Writes blocks as long as there are this many bytes.
    fn pass_on(&mut self, least: usize) -> io::Result<()> {
        while self.block.len() >= least {
            let length = self.block.len().min(BLOCK);
            let block = &self.block[..length];
            self.sum = sum(self.sum, block);
            self.out.write_all(block)?;
            self.block.drain(..length);
        }
        Ok(())
    }
}

/// Is everything there that a [`Sink`] wrote, as it was? Reads to the end.
pub fn is_whole(mut from: impl Read, length: u64) -> io::Result<bool> {
    let Some(mut left) = length.checked_sub(8) else {
        return Ok(false);
    };
    let mut known = 0;
    let mut block = vec![0; BLOCK];
    while left > 0 {
        let part = &mut block[..left.min(BLOCK as u64) as usize];
        from.read_exact(part)?;
        known = sum(known, part);
        left -= part.len() as u64;
    }
    let mut written = [0; 8];
    from.read_exact(&mut written)?;
    Ok(known == u64::from_le_bytes(written))
}

fn sum(before: u64, block: &[u8]) -> u64 {
    rapidhash_v3_seeded(block, &RapidSecrets::seed(before))
}

/// Where a search is read from.
pub struct Source {
    from: Box<dyn Read + Send>,
    /// The bytes that are left, so that nobody makes room for more.
    left: u64,
}

impl Source {
    /// Reads this many bytes from a file, or from whatever it is.
    pub fn new(from: impl Read + Send + 'static, length: u64) -> Source {
        Source {
            from: Box::new(from),
            left: length,
        }
    }

    fn read(&mut self, bytes: &mut [u8]) -> io::Result<()> {
        let left = self.left.checked_sub(bytes.len() as u64);
        self.left = left.ok_or(io::ErrorKind::UnexpectedEof)?;
        self.from.read_exact(bytes)
    }

    /// A number, seven bits to a byte.
    pub fn number(&mut self) -> io::Result<u64> {
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            let mut byte = [0];
            self.read(&mut byte)?;
            number |= u64::from(byte[0] & 0x7f) << shift;
            if byte[0] & 0x80 == 0 {
                return Ok(number);
            }
        }
        Err(damaged("a number that is too long"))
    }

    /// How many things follow, each of at least this many bytes.
    pub fn count(&mut self, bytes: u64) -> io::Result<usize> {
        let count = self.size()?;
        match (count as u64).checked_mul(bytes) {
            Some(bytes) if bytes <= self.left => Ok(count),
            _ => Err(damaged("more than there is")),
        }
    }

    /// A number that fits into 32 bits.
    pub fn small(&mut self) -> io::Result<u32> {
        u32::try_from(self.number()?).map_err(|_| damaged("a number that is too large"))
    }

    /// Yes or no.
    pub fn flag(&mut self) -> io::Result<bool> {
        match self.number()? {
            0 => Ok(false),
            1 => Ok(true),
            _ => Err(damaged("neither yes nor no")),
        }
    }

    /// A number that says where.
    pub fn size(&mut self) -> io::Result<usize> {
        usize::try_from(self.number()?).map_err(|_| damaged("a size that is too large"))
    }

    /// A number in eight bytes.
    pub fn word(&mut self) -> io::Result<u64> {
        let mut bytes = [0; 8];
        self.read(&mut bytes)?;
        Ok(u64::from_le_bytes(bytes))
    }

    /// Some bytes.
    pub fn bytes(&mut self) -> io::Result<Vec<u8>> {
        let mut bytes = vec![0; self.count(1)?];
        self.read(&mut bytes)?;
        Ok(bytes)
    }
}

pub(crate) fn damaged(what: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, what)
}

/// Writes steps that are possible in a state.
pub(crate) fn save_steps<Y: System>(
    system: &Y,
    state: &[u8],
    steps: &[Y::Step],
    sink: &mut Sink<'_>,
) -> io::Result<()> {
    let mut possible = Vec::new();
    system.enabled(state, &mut possible);
    sink.number(steps.len() as u64)?;
    for step in steps {
        let number = possible.iter().position(|other| other == step);
        sink.number(number.ok_or_else(|| damaged("a step that is not possible"))? as u64)?;
    }
    Ok(())
}

/// The numbers of steps, as they were written.
pub(crate) fn load_numbers(source: &mut Source) -> io::Result<Vec<usize>> {
    (0..source.count(1)?).map(|_| source.size()).collect()
}

/// The steps with these numbers in a state, none of them twice.
pub(crate) fn numbered_steps<Y: System>(
    system: &Y,
    state: &[u8],
    numbers: &[usize],
) -> io::Result<Vec<Y::Step>> {
    let mut possible = Vec::new();
    system.enabled(state, &mut possible);
    let mut possible: Vec<_> = possible.into_iter().map(Some).collect();
    let take = |number: &usize| possible.get_mut(*number).and_then(Option::take);
    let steps = numbers.iter().map(take);
    let steps = steps.map(|step| step.ok_or_else(|| damaged("a step too many")));
    steps.collect()
}

/// Goes along a path and shows each state on it, the last one too.
pub(crate) fn states_along<Y: System>(
    system: &Y,
    path: &[Y::Step],
    mut show: impl FnMut(usize, &[u8]) -> io::Result<()>,
) -> io::Result<()> {
    let mut scratch = Y::Scratch::default();
    let (mut state, mut next, mut possible) = (Vec::new(), Vec::new(), Vec::new());
    if system.initial(&mut state).is_err() {
        return Err(damaged("a path without a beginning"));
    }
    for (number, step) in path.iter().enumerate() {
        settle(system, &mut state, &mut possible);
        show(number, &state)?;
        if !system
            .execute(&mut scratch, &state, *step, &mut next)
            .complete
        {
            return Err(damaged("a path that leads nowhere"));
        }
        std::mem::swap(&mut state, &mut next);
    }
    settle(system, &mut state, &mut possible);
    show(path.len(), &state)
}

/// Writes steps from the initial state on.
pub(crate) fn save_path<Y: System>(
    system: &Y,
    path: &[Y::Step],
    sink: &mut Sink<'_>,
) -> io::Result<()> {
    sink.number(path.len() as u64)?;
    walk(system, path.len(), |number, possible| {
        let taken = possible.iter().position(|other| *other == path[number]);
        let taken = taken.ok_or_else(|| damaged("a step that is not possible"))?;
        sink.number(taken as u64)?;
        Ok(path[number])
    })
}

pub(crate) fn load_path<Y: System>(system: &Y, source: &mut Source) -> io::Result<Vec<Y::Step>> {
    let length = source.count(1)?;
    let mut path = Vec::new();
    walk(system, length, |_, possible| {
        let step = possible.get(source.size()?).copied();
        let step = step.ok_or_else(|| damaged("a step too many"))?;
        path.push(step);
        Ok(step)
    })?;
    Ok(path)
}

/// Goes this many steps from the initial state, each of which `choose` chooses among those possible.
fn walk<Y: System>(
    system: &Y,
    length: usize,
    mut choose: impl FnMut(usize, &[Y::Step]) -> io::Result<Y::Step>,
) -> io::Result<()> {
    let mut scratch = Y::Scratch::default();
    let (mut state, mut next, mut possible) = (Vec::new(), Vec::new(), Vec::new());
    if length > 0 && system.initial(&mut state).is_err() {
        return Err(damaged("a path without a beginning"));
    }
    for number in 0..length {
        possible.clear();
        settled_steps(system, &mut state, &mut possible);
        let step = choose(number, &possible)?;
        let outcome = system.execute(&mut scratch, &state, step, &mut next);
        if !outcome.complete && number + 1 < length {
            return Err(damaged("a path that leads nowhere"));
        }
        std::mem::swap(&mut state, &mut next);
    }
    Ok(())
}

/// Writes what the workers counted and found, as one.
pub(crate) fn save_books<Y: System>(
    system: &Y,
    books: &[&Bookkeeping<'_, Y>],
    elapsed: Duration,
    sink: &mut Sink<'_>,
) -> io::Result<()> {
    let mut all = crate::report::Statistics::default();
    for book in books {
        all.add(&book.statistics);
    }
    for number in [
        all.states,
        all.matched,
        all.depth,
        all.atomic_steps,
        all.state_bytes,
        all.reduced,
        all.violations,
        elapsed.as_nanos() as u64,
        u64::from(books.iter().any(|book| book.cut)),
    ] {
        sink.number(number)?;
    }
    let covered = |transition: usize| books.iter().any(|book| book.covered[transition]);
    let covered: Vec<u8> = (0..system.transitions())
        .map(|t| covered(t).into())
        .collect();
    sink.bytes(&covered)?;
    // A dead end is told from a violation by what goes wrong there.
    let violations = books.iter();
    let violations = violations.flat_map(|book| book.violations.iter().chain(&book.dead_end));
    let violations: Vec<_> = violations.collect();
    sink.number(violations.len() as u64)?;
    for violation in violations {
        sink.number(u64::from(violation.defect == Defect::Deadlock))?;
        save_path(system, &violation.steps, sink)?;
    }
    Ok(())
}

/// Reads what was counted and found into one worker's book, and gives the time taken.
pub(crate) fn load_book<Y: System>(
    system: &Y,
    book: &mut Bookkeeping<'_, Y>,
    source: &mut Source,
) -> io::Result<Duration> {
    let all = &mut book.statistics;
    for number in [
        &mut all.states,
        &mut all.matched,
        &mut all.depth,
        &mut all.atomic_steps,
        &mut all.state_bytes,
        &mut all.reduced,
        &mut all.violations,
    ] {
        *number = source.number()?;
        if *number > MOST_COUNTED {
            return Err(damaged("more than can be counted"));
        }
    }
    let elapsed = Duration::from_nanos(source.number()?);
    book.cut = source.flag()?;
    let covered = source.bytes()?;
    if covered.len() != book.covered.len() {
        return Err(damaged("another number of transitions"));
    }
    book.covered = covered.iter().map(|byte| *byte != 0).collect();
    for _ in 0..source.number()? {
        let is_deadlock = source.flag()?;
        let steps = load_path(system, source)?;
        let defect = match is_deadlock {
            true if !is_deadlock_at(system, &steps)? => {
                return Err(damaged("a deadlock that is none"));
            }
            true => Defect::Deadlock,
            false => failure(system, &steps).ok_or_else(|| damaged("a failure that is none"))?,
        };
        let is_dead_end = matches!(&defect, Defect::Failure(failure) if Y::is_dead_end(failure));
        let found = Violation { defect, steps };
        match is_dead_end {
            true => book.dead_end = Some(found),
            false => book.violations.push(found),
        }
    }
    Ok(elapsed)
}

/// Does a path end where nothing can move, and not all may end?
fn is_deadlock_at<Y: System>(system: &Y, path: &[Y::Step]) -> io::Result<bool> {
    let mut is_deadlock = false;
    states_along(system, path, |number, state| {
        is_deadlock = number == path.len()
            && !system.enabled(state, &mut Vec::new())
            && !system.is_valid_end(state);
        Ok(())
    })?;
    Ok(is_deadlock)
}

/// What goes wrong in the last step of a path.
fn failure<Y: System>(system: &Y, path: &[Y::Step]) -> Option<Defect<Y::Failure>> {
    let mut scratch = Y::Scratch::default();
    let (mut state, mut next, mut possible) = (Vec::new(), Vec::new(), Vec::new());
    system.initial(&mut state).ok()?;
    let mut last = None;
    for step in path {
        settle(system, &mut state, &mut possible);
        last = system
            .execute(&mut scratch, &state, *step, &mut next)
            .failure;
        std::mem::swap(&mut state, &mut next);
    }
    last.map(Defect::Failure)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_can_be_read_and_every_cut_is_noticed() {
        let mut file = Vec::new();
        let mut sink = Sink::new(&mut file);
        let long = vec![7; 3 * BLOCK / 2];
        sink.number(1 << 40).unwrap();
        sink.bytes(&long).unwrap();
        sink.word(u64::MAX).unwrap();
        sink.finish().unwrap();
        assert!(is_whole(&file[..], file.len() as u64).unwrap());
        for cut in [0, 3, 8, 100, BLOCK, file.len() - 9, file.len() - 1] {
            assert!(
                !is_whole(&file[..cut], cut as u64).unwrap_or(false),
                "{cut}"
            );
        }
        let mut changed = file.clone();
        changed[BLOCK] ^= 1;
        assert!(!is_whole(&changed[..], changed.len() as u64).unwrap());
        let length = file.len() as u64;
        let mut source = Source::new(io::Cursor::new(file), length);
        assert_eq!(source.number().unwrap(), 1 << 40);
        assert_eq!(source.bytes().unwrap(), long);
        assert_eq!(source.word().unwrap(), u64::MAX);
    }
}
