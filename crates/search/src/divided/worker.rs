//! One worker: leaves its states, sends, receives, and agrees with the others on when a level is over.

use std::collections::VecDeque;
use std::io;
use std::time::{Duration, Instant};

use super::archive::{Archive, Log, Offer};
use super::part::Part;
use super::part::kept::Written;
use super::summary::{Summary, number_of, reason_of};
use super::trace::{Found, Kind};
use super::{
    ANSWERS, COVERED, DOUBTS, Exchange, FAILED, FOUND, Figures, HALT, KEPT, LAST, LAST_SWEEP,
    LINKS, Lost, OFFERS, STATES, SUMMARY, Trouble, garbled, read_level, write_level,
};
use crate::bookkeeping::is_worth_keeping;
use crate::checkpoint::{MOST_COUNTED, Sink};
use crate::frontier::{read_number, write_number};
use crate::report::{Defect, Report, Statistics, StopReason, Violation};
use crate::store::Store;
use crate::system::{Reduction, System};

/// A worker that has sent this many bytes waits until others have taken most of what was sent: what is under way stays bounded.
const ROUND_BYTES: u64 = 4 << 20;
/// It may be ahead of the slowest by this many rounds.
const ROUNDS_AHEAD: u64 = 2;
/// The rounds of a level, and of each of its sweeps, in the last of which questions are answered.
const LEVEL: u64 = SWEEP << 8;
const SWEEP: u64 = 1 << 24;
const ANSWERING: u64 = SWEEP - 1;
/// How often the observer is told.
const BETWEEN_TELLING: Duration = Duration::from_millis(200);

/// Is told how far all are.
pub(super) type Watch<'w> = dyn FnMut(&Figures, &Statistics) + 'w;

/// How a state on the way to something that was found was reached.
struct Link {
    /// The round in which it was sent.
    round: u64,
    /// The number of what was found.
    found: usize,
    owner: usize,
    parent: u64,
    choices: Vec<u32>,
}

/// A worker and what it knows of the others.
pub(super) struct Worker<'w, 'a, Y: System, R, S: Store> {
    part: Part<'a, Y, R, S>,
    exchange: &'w mut dyn Exchange,
    watch: Option<&'w mut Watch<'w>>,
    told: Instant,
    /// When somebody who waited last looked at the clock.
    looked: Instant,
    /// The first round of the level at hand, and the round at hand.
    level: u64,
    round: u64,
    /// States of the next level that arrived before it began.
    early: VecDeque<(usize, Vec<u8>)>,
    /// Why the search has to end, by what is known here.
    reason: Option<StopReason>,
    has_told_failure: bool,
    /// The levels and sweeps after which somebody has doubts.
    doubts: Vec<(usize, u8)>,
    /// What all said at the end of the last level.
    summaries: Vec<Summary>,
    /// How many of them have said it of this one.
    heard: usize,
    /// The bytes sent, in all and in the round at hand.
    sent: u64,
    sent_in_round: u64,
    /// What all found, and links that lead there: who is ahead may have sent those of the next round already.
    found: Vec<Found>,
    links: Vec<Link>,
    /// Where the search is kept, and the log of this worker while it can be written.
    archive: Option<&'w dyn Archive>,
    log: Option<Box<dyn Log>>,
    /// What each worker could resume, as far as they have said it.
    offers: Vec<Vec<Offer>>,
    /// The last numbers of searches, as far as they have said them.
    numbers: Vec<u64>,
    /// Has the first level begun here?
    has_begun: bool,
    /// How many have said that they wrote a level, and could all of them?
    kept: usize,
    could_keep: bool,
    /// Is the search kept? All go by what they knew when the last level was committed: who is ahead may have said more already.
    is_kept: bool,
}

impl<'w, 'a, Y: System, R: Reduction<Y>, S: Store> Worker<'w, 'a, Y, R, S> {
    pub fn new(
        part: Part<'a, Y, R, S>,
        exchange: &'w mut dyn Exchange,
        watch: Option<&'w mut Watch<'w>>,
    ) -> Self {
        let workers = exchange.workers();
        Worker {
            part,
            exchange,
            watch,
            told: Instant::now(),
            looked: Instant::now(),
            level: 0,
            round: 0,
            early: VecDeque::new(),
            reason: None,
            has_told_failure: false,
            doubts: Vec::new(),
            summaries: vec![Summary::default(); workers],
            heard: 0,
            sent: 0,
            sent_in_round: 0,
            found: Vec::new(),
            links: Vec::new(),
            archive: None,
            log: None,
            offers: Vec::new(),
            numbers: Vec::new(),
            has_begun: false,
            kept: 0,
            could_keep: true,
            is_kept: true,
        }
    }

    /// Keeps its part there.
    pub fn kept_in(mut self, archive: Option<&'w dyn Archive>) -> Self {
        self.archive = archive;
        self
    }

    /// Level after level, until one is empty; then what was found is put together.
    pub fn work(mut self) -> Result<Report<Y>, Lost> {
        self.begin()?;
        self.has_begun = true;
        let stop = loop {
            self.leave_level()?;
            if let Some(reason) = self.end()? {
                break reason;
            }
            self.part.next_level();
            self.keep()?;
            self.receive()?;
        };
        self.report(stop)
    }

    /// The initial state, or what was kept.
    fn begin(&mut self) -> Result<(), Lost> {
        if let Some(archive) = self.archive.filter(|archive| archive.resumes()) {
            let offer = self.agree(archive)?;
            return match self.resume(archive, &offer) {
                Err(Trouble::Stop(reason)) => {
                    self.halt(reason);
                    Ok(())
                }
                Err(Trouble::Lost(lost)) => Err(lost),
                Ok(()) => Ok(()),
            };
        }
        if let Err(reason) = self.part.start() {
            self.halt(reason);
        }
        if let Some(archive) = self.archive {
            let number = self.next_search(archive)?;
            let of = (self.exchange.index(), self.exchange.workers());
            self.open(archive.write(number, None, of));
            self.keep()?;
        }
        Ok(())
    }

    /// The number of a new search, which all agree on and nobody has used yet.
    fn next_search(&mut self, archive: &dyn Archive) -> Result<u64, Lost> {
        let mut bytes = vec![LAST];
        write_number(&mut bytes, archive.last().unwrap_or(0));
        self.send_to_all(&bytes);
        self.go_to_next_level()?;
        if self.numbers.len() != self.exchange.workers() {
            return Err(Lost("a member does not keep the search".into()));
        }
        let last = self.numbers.iter().copied().max();
        Ok(last.unwrap_or(0) + 1)
    }

    /// The search that all can resume, as late as possible.
    fn agree(&mut self, archive: &dyn Archive) -> Result<Offer, Lost> {
        let workers = self.exchange.workers();
        let offers = archive.offers(self.exchange.index(), workers);
        let offers = offers.map_err(|error| Lost(format!("the search cannot be read: {error}")))?;
        let mut bytes = vec![OFFERS];
        for offer in &offers {
            for number in [offer.search, offer.workers as u64, offer.level] {
                write_number(&mut bytes, number);
            }
        }
        self.send_to_all(&bytes);
        self.go_to_next_level()?;
        if self.offers.len() != workers {
            return Err(Lost("a member does not resume the search".into()));
        }
        let all_have = |offer: &&Offer| self.offers.iter().all(|all| all.contains(offer));
        let last = offers.iter().filter(all_have).max();
        last.copied().ok_or_else(|| {
            let reason = "the members have no level in common that was committed";
            Lost(format!("the search cannot be resumed: {reason}"))
        })
    }

    /// Takes up its part of a search.
    fn resume(&mut self, archive: &dyn Archive, offer: &Offer) -> Result<(), Trouble> {
        let unreadable = |error: io::Error| Lost(format!("the search cannot be resumed: {error}"));
        let (me, workers) = (self.exchange.index(), self.exchange.workers());
        let divides = offer.workers != workers;
        let of = match divides {
            true => 0..offer.workers,
            false => me..me + 1,
        };
        let written: io::Result<Vec<Written>> = of
            .map(|worker| {
                let (records, note) = archive.read(offer, worker)?;
                Written::new(records, &note)
            })
            .collect();
        let mut written = written.map_err(unreadable)?;
        // One that is divided anew is another search, and is written from its beginning.
        let number = match divides {
            true => self.next_search(archive)?,
            false => offer.search,
        };
        let log = archive.write(number, Some(offer), (me, workers));
        let mut log = log.map_err(unreadable)?;
        self.part
            .restore(&mut written, (offer.level, divides), |part| match divides {
                true => log.append(&record(|sink| part.save_level(sink))?),
                false => Ok(()),
            })?;
        self.log = Some(log);
        Ok(())
    }

    fn open(&mut self, log: io::Result<Box<dyn Log>>) {
        match log {
            Ok(log) => self.log = Some(log),
            Err(error) => self.give_up(&error),
        }
    }

    fn give_up(&mut self, error: &io::Error) {
        self.log = None;
        if let Some(archive) = self.archive {
            archive.give_up(&error.to_string());
        }
    }

    /// Writes the level at hand. If it is to be committed, waits until all have written it.
    fn keep(&mut self) -> Result<(), Lost> {
        if self.archive.is_none() || !self.is_kept {
            return Ok(());
        }
        let commits = self.summaries[0].commits;
        let part = &mut self.part;
        let mut note = Vec::new();
        if let Some(log) = &mut self.log {
            let mut write = || {
                log.append(&record(|sink| part.save_level(sink))?)?;
                if commits {
                    log.sync()?;
                    note = record(|sink| part.save_note(sink))?;
                }
                Ok(())
            };
            if let Err(error) = write() {
                self.give_up(&error);
            }
        }
        if !commits {
            return Ok(());
        }
        self.send_to_all(&[KEPT, self.log.is_some().into()]);
        self.go_to_next_level()?;
        if std::mem::take(&mut self.kept) != self.summaries.len() {
            return Err(lost(garbled()));
        }
        self.is_kept = self.could_keep;
        if !self.is_kept {
            self.give_up(&io::Error::other("another member cannot write its part"));
        }
        let level = self.part.depth as u64;
        if let Some(log) = &mut self.log
            && let Err(error) = log.commit(level, &note)
        {
            // The others hear of it when the next level is to be committed. What was committed before, all have.
            self.give_up(&error);
        }
        Ok(())
    }

    /// Leaves the states of a level, and waits until all have done so. Whoever has doubts says so to all, so that they agree on
    /// whether the level is gone through once more.
    fn leave_level(&mut self) -> Result<(), Lost> {
        for sweep in 0..=LAST_SWEEP {
            let mut is_more = true;
            while is_more && self.reason.is_none() {
                let left = match sweep {
                    0 => self.part.leave_some(),
                    _ => self.part.leave_doubtful(),
                };
                is_more = self.after(left)?;
            }
            let mut bytes = vec![DOUBTS];
            write_level(&mut bytes, self.part.depth, sweep);
            if self.part.has_doubts() {
                self.send_to_all(&bytes);
            }
            let first = u64::from(sweep) * SWEEP;
            self.finish_round(first + ANSWERING)?;
            if !self.doubts.contains(&(self.part.depth, sweep)) {
                break;
            }
            for (to, answers) in self.part.take_answers() {
                self.send(to, answers);
            }
            self.finish_round(first + SWEEP)?;
            let next = self.part.next_sweep();
            if self.reason.is_none() {
                next.map_err(lost)?;
            }
        }
        let depth = self.part.depth;
        self.doubts.retain(|(level, _)| *level > depth);
        Ok(())
    }

    /// Some states were left: sends what came of it and takes what has arrived. Says whether there is more to do.
    fn after(&mut self, left: Result<bool, StopReason>) -> Result<bool, Lost> {
        let is_more = left.unwrap_or_else(|reason| {
            self.halt(reason);
            false
        });
        if self.part.has_failed && !self.has_told_failure {
            self.has_told_failure = true;
            self.send_to_all(&[FAILED]);
        }
        self.send_ready();
        self.exchange.step(false)?;
        self.receive()?;
        if self.sent_in_round >= ROUND_BYTES {
            self.sent_in_round = 0;
            self.round += 1;
            self.exchange.advance(self.level + self.round);
            let least = self.level + self.round.saturating_sub(ROUNDS_AHEAD);
            while !self.exchange.is_over(least) {
                self.wait()?;
            }
        }
        self.tell();
        Ok(is_more)
    }

    /// Sends what is left to be sent, goes to this round of the level, and waits until those before are over.
    fn finish_round(&mut self, round: u64) -> Result<(), Lost> {
        self.part.pass_all_on();
        self.send_ready();
        self.round = round;
        self.exchange.advance(self.level + round);
        while !self.exchange.is_over(self.level + round) {
            self.wait()?;
        }
        self.receive()
    }

    fn wait(&mut self) -> Result<(), Lost> {
        self.exchange.step(true)?;
        self.receive()?;
        self.tell();
        // Who waits for others looks at the clock as well.
        if self.reason.is_none() && self.looked.elapsed() > BETWEEN_TELLING {
            self.looked = Instant::now();
            if let Err(reason) = self.part.book.control.end_if_over() {
                self.halt(reason);
            }
        }
        Ok(())
    }

    /// Tells all others how far this worker is and hears the same from them. Gives the reason to end, if there is one.
    fn end(&mut self) -> Result<Option<StopReason>, Lost> {
        if self.reason.is_none()
            && let Err(reason) = self.part.look()
        {
            self.reason = Some(reason);
        }
        let summary = self.summary();
        let mut bytes = vec![SUMMARY];
        summary.write(&mut bytes);
        self.send_to_all(&bytes);
        self.go_to_next_level()?;
        if std::mem::take(&mut self.heard) != self.summaries.len() {
            return Err(lost(garbled()));
        }
        self.tell_now();
        let summaries = || self.summaries.iter();
        // A violation is one, whatever else is the matter.
        let is_violated =
            |summary: &Summary| summary.has_failed || summary.reason == Some(StopReason::Violation);
        if summaries().any(is_violated) {
            return Ok(Some(StopReason::Violation));
        }
        let reason = summaries().find_map(|summary| summary.reason);
        let is_over = summaries().all(|summary| summary.met == 0);
        let is_cut = summaries().any(|summary| summary.cut);
        Ok(reason.or(match (is_over, is_cut) {
            (true, true) => Some(StopReason::Depth),
            (true, false) => Some(StopReason::Complete),
            (false, _) => None,
        }))
    }

    fn go_to_next_level(&mut self) -> Result<(), Lost> {
        self.level += LEVEL;
        self.round = 0;
        self.sent_in_round = 0;
        self.exchange.advance(self.level);
        while !self.exchange.is_over(self.level) {
            self.exchange.step(true)?;
            self.receive()?;
        }
        self.receive()
    }

    fn summary(&self) -> Summary {
        let mut statistics = self.part.book.statistics;
        statistics.store_bytes = self.part.store.bytes();
        statistics.other_bytes = self.part.bytes();
        Summary {
            met: self.part.met(),
            reason: self.reason,
            has_failed: self.part.has_failed,
            cut: self.part.book.cut,
            statistics,
            sent: self.sent,
            commits: self.exchange.index() == 0
                && self.archive.is_some_and(|archive| archive.is_due()),
        }
    }

    /// What all have counted, as far as it is known here.
    fn total(&self) -> Statistics {
        // What others have, they said last; what is here is known better, also before anybody has said anything.
        let mut total = self.summary().statistics;
        for (number, summary) in self.summaries.iter().enumerate() {
            if number != self.exchange.index() {
                total.store_bytes += summary.statistics.store_bytes;
                total.other_bytes += summary.statistics.other_bytes;
                total.add(&summary.statistics);
            }
        }
        total.elapsed = self.part.book.control.elapsed();
        total
    }

    fn tell(&mut self) {
        if self.watch.is_some() && self.told.elapsed() > BETWEEN_TELLING {
            self.tell_now();
        }
    }

    fn tell_now(&mut self) {
        self.told = Instant::now();
        let total = self.total();
        if let Some(watch) = &mut self.watch {
            let summaries = || self.summaries.iter();
            let bytes = |of: &Statistics| of.store_bytes + of.other_bytes;
            let figures = Figures {
                states: summaries().map(|of| of.statistics.states).collect(),
                bytes: summaries().map(|of| bytes(&of.statistics)).collect(),
                frontier: summaries().map(|of| of.met).sum(),
                sent: summaries().map(|of| of.sent).sum(),
            };
            watch(&figures, &total);
        }
    }

    /// The search has to end, for all.
    fn halt(&mut self, reason: StopReason) {
        if self.reason.is_none() {
            self.reason = Some(reason);
            self.send_to_all(&[HALT, number_of(reason) as u8]);
        }
    }

    fn send(&mut self, to: usize, message: Vec<u8>) {
        self.sent += message.len() as u64;
        self.sent_in_round += message.len() as u64;
        self.exchange.send(to, message);
    }

    fn send_ready(&mut self) {
        for (to, packet) in std::mem::take(&mut self.part.ready) {
            self.send(to, packet);
        }
    }

    fn send_to_all(&mut self, message: &[u8]) {
        for to in 0..self.exchange.workers() {
            self.exchange.send(to, message.to_vec());
        }
    }

    /// Takes what has arrived.
    fn receive(&mut self) -> Result<(), Lost> {
        let mut early = std::mem::take(&mut self.early);
        while let Some((from, message)) = early.pop_front() {
            self.take(from, message).map_err(lost)?;
        }
        while let Some((from, message)) = self.exchange.receive() {
            self.take(from, message).map_err(lost)?;
        }
        Ok(())
    }

    fn take(&mut self, from: usize, message: Vec<u8>) -> Result<(), Trouble> {
        let (kind, mut rest) = message.split_first().ok_or_else(garbled)?;
        match *kind {
            STATES => {
                let (level, sweep) = read_level(&mut rest).ok_or_else(garbled)?;
                // Others may have begun while this worker still reads what it resumes.
                if level == self.part.depth + 1 || !self.has_begun {
                    self.early.push_back((from, message));
                    return Ok(());
                }
                if level != self.part.depth {
                    return Err(garbled());
                }
                // Once the search has to end, what is new does not matter any more.
                if matches!(self.reason, None | Some(StopReason::Violation)) {
                    match self.part.receive(from, sweep, rest) {
                        Err(Trouble::Stop(reason)) => self.halt(reason),
                        result => result?,
                    }
                }
            }
            DOUBTS => {
                let doubts = read_level(&mut rest).ok_or_else(garbled)?;
                let depth = self.part.depth;
                if self.has_begun && !(depth..=depth + 1).contains(&doubts.0) {
                    return Err(garbled());
                }
                if !self.doubts.contains(&doubts) {
                    self.doubts.push(doubts);
                }
            }
            ANSWERS if self.reason.is_none() => self.part.take_answer(from, rest)?,
            ANSWERS => {}
            SUMMARY => {
                self.summaries[from] = Summary::read(&mut rest).ok_or_else(garbled)?;
                self.heard += 1;
            }
            HALT => {
                let number = *rest.first().ok_or_else(garbled)?;
                let reason = reason_of(number.into()).ok_or_else(garbled)?;
                self.reason.get_or_insert(reason);
            }
            FAILED => {
                self.part.has_failed = true;
                self.has_told_failure = true;
            }
            FOUND => {
                while !rest.is_empty() {
                    let found = Found::read(&mut rest).ok_or_else(garbled)?;
                    self.found.push(found);
                }
            }
            LINKS => {
                while !rest.is_empty() {
                    let link = read_found_link(&mut rest).ok_or_else(garbled)?;
                    self.links.push(link);
                }
            }
            COVERED => {
                let covered = &mut self.part.book.covered;
                if rest.len() != covered.len() {
                    return Err(garbled());
                }
                for (covered, other) in covered.iter_mut().zip(rest) {
                    *covered |= *other != 0;
                }
            }
            OFFERS => {
                let mut offers = Vec::new();
                while !rest.is_empty() {
                    let mut next = || read_number(&mut rest).ok_or_else(garbled);
                    let (search, workers, level) = (next()?, next()? as usize, next()?);
                    offers.push(Offer {
                        search,
                        workers,
                        level,
                    });
                }
                self.offers.push(offers);
            }
            LAST => {
                let number = read_number(&mut rest).filter(|number| *number <= MOST_COUNTED);
                self.numbers.push(number.ok_or_else(garbled)?);
            }
            KEPT => {
                self.kept += 1;
                self.could_keep &= rest == [1];
            }
            _ => return Err(garbled()),
        }
        Ok(())
    }

    /// What all counted and found, the same for every worker.
    fn report(mut self, stop: StopReason) -> Result<Report<Y>, Lost> {
        let mut bytes = vec![FOUND];
        for found in &self.part.found {
            found.write(&mut bytes);
        }
        self.send_to_all(&bytes);
        let covered = self
            .part
            .book
            .covered
            .iter()
            .map(|covered| (*covered).into());
        let covered: Vec<u8> = std::iter::once(COVERED).chain(covered).collect();
        self.send_to_all(&covered);
        self.go_to_next_level()?;
        // All have the same, and sort it in the same way: a deadlock is nearer than a step that fails.
        self.found.sort_by_key(|found| {
            let place = found.place;
            (
                place.level,
                found.kind != Kind::Deadlock,
                place.owner,
                place.number,
            )
        });
        self.trace()?;
        let mut violations: Vec<Violation<Y::Step, Y::Failure>> = Vec::new();
        let mut dead_end: Option<Violation<Y::Step, Y::Failure>> = None;
        for found in &self.found {
            let Some(violation) = found.repeat(self.part.system) else {
                return Err(Lost("a violation that its steps do not lead to".into()));
            };
            let is_dead_end = match &violation.defect {
                Defect::Failure(failure) => Y::is_dead_end(failure),
                _ => found.kind == Kind::Endless,
            };
            if is_dead_end {
                dead_end.get_or_insert(violation);
            } else if is_worth_keeping(&violations, &violation.defect, violation.steps.last()) {
                violations.push(violation);
            }
        }
        let all = self.part.book.options.all;
        violations.sort_by_key(|violation| {
            let is_farther = violation.defect != Defect::Deadlock && !all;
            (is_farther, violation.steps.len())
        });
        let mut statistics = self.total();
        if !all {
            violations.truncate(1);
            statistics.violations = violations.len() as u64;
        }
        // Nobody takes up another search before all have this one's report.
        self.go_to_next_level()?;
        Ok(Report {
            stop,
            statistics,
            violations,
            dead_end,
            covered: std::mem::take(&mut self.part.book.covered),
        })
    }

    /// Follows all that was found back to the initial state, level by level, all at once.
    fn trace(&mut self) -> Result<(), Lost> {
        let mut found = std::mem::take(&mut self.found);
        for round in 0.. {
            if found.iter().all(|found| found.place.level == 0) {
                break;
            }
            let mut bytes = vec![LINKS];
            for (number, found) in found.iter().enumerate() {
                let place = found.place;
                if place.level == 0 || place.owner != self.exchange.index() {
                    continue;
                }
                let level = self.part.levels.get(place.level - 1);
                let Some((series, parent, choices)) =
                    level.and_then(|level| level.find(place.number))
                else {
                    return Err(Lost("a state that nothing leads to".into()));
                };
                let sender = self.part.sender(series);
                let sender = sender as u64;
                for number in [round, number as u64, sender, parent, choices.len() as u64] {
                    write_number(&mut bytes, number);
                }
                for choice in choices {
                    write_number(&mut bytes, u64::from(choice));
                }
            }
            if bytes.len() > 1 {
                self.send_to_all(&bytes);
            }
            self.go_to_next_level()?;
            let links = std::mem::take(&mut self.links).into_iter();
            let (links, later): (Vec<Link>, _) = links.partition(|link| link.round == round);
            self.links = later;
            let expected = found.iter().filter(|found| found.place.level > 0).count();
            if links.len() != expected {
                return Err(lost(garbled()));
            }
            for link in links {
                let found = found.get_mut(link.found).ok_or_else(|| lost(garbled()))?;
                found.go_back(link.owner, link.parent, link.choices);
            }
        }
        self.found = found;
        Ok(())
    }
}

/// What is written, with a sum over it.
fn record(write: impl FnOnce(&mut Sink<'_>) -> io::Result<()>) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut sink = Sink::new(&mut bytes);
    write(&mut sink)?;
    sink.finish()?;
    Ok(bytes)
}

fn read_found_link(bytes: &mut &[u8]) -> Option<Link> {
    let mut next = || read_number(bytes);
    let (round, found, owner) = (next()?, next()? as usize, next()? as usize);
    let (parent, count) = (next()?, next()?);
    let choices: Option<Vec<u32>> = (0..count).map(|_| Some(next()? as u32)).collect();
    Some(Link {
        round,
        found,
        owner,
        parent,
        choices: choices?,
    })
}

/// Where a search cannot end any more in an orderly way.
fn lost(trouble: Trouble) -> Lost {
    match trouble {
        Trouble::Lost(lost) => lost,
        Trouble::Stop(_) => Lost("a member ran out of memory".into()),
    }
}
