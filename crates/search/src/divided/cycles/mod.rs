//! Cycles through accepting states, by workers that share nothing.
//!
//! First all states are met, level by level, as in the [search for violations of safety](super::breadth_first_divided). The owner of a
//! state notes from where each step comes that leads to it: the graph, backwards. Then the workers take away what is on no accepting cycle
//! (Černá and Pelánek 2003, "one way catch them young", here against the direction of the steps):
//!
//! 1. States without a successor that is left go, and so do those that lead only to such states, and so on.
//! 2. States from which no accepting state is reached go.
//!
//! This is repeated until nothing goes any more. What survives has a successor that survives, and reaches an accepting state that does: so
//! there is an accepting cycle exactly if something survives. Messages are numbers of states then, not states.
//!
//! To show a cycle, each survivor notes a step towards the nearest accepting state ahead of it. Whoever follows these steps from an accepting state
//! comes to one where it has been before. The states on the way, and those on the way there from the initial one, are told to
//! all, and every worker repeats the steps between them.
//!
//! A cycle among some of the states is one, so it is looked for now and then while states are still met. The search knows no proviso: a
//! reduction has to choose by the state alone.

mod graph;
mod lasso;
mod survivors;
mod turns;

use std::time::{Duration, Instant};

use super::owner::{Names, owner};
use super::packet::{Incoming, Outgoing};
use super::summary::Summary;
use super::trace::{Kind, numbers};
use super::worker::Watch;
use super::{Company, Figures, Given, Lost, by_all, garbled_message};
use crate::bookkeeping::Bookkeeping;
use crate::emptiness::crowd::Ways;
use crate::emptiness::table::Table;
use crate::report::{Defect, Observer, Options, Report, Statistics, StopReason};
use crate::successors::Event;
use crate::system::{Acceptance, Reduction};

use graph::Predecessors;
use lasso::Violated;
use turns::Turns;

/// This many states are left between two looks at what has arrived.
const LEFT_AT_ONCE: u32 = 256;
/// A cycle is looked for among this many states, and again each time there are this many times more: most cycles are found long before
/// all states are met, and all these looks cost less than half of the last one.
const FIRST_LOOK: u64 = 1 << 12;
const BETWEEN_LOOKS: u64 = 4;
/// How often the observer is told.
const BETWEEN_TELLING: Duration = Duration::from_millis(200);

/// Looks for an execution that comes to accepting states again and again, and for steps that fail; this process has as many workers as
/// there are reductions, which choose by the state alone. Every process gets the same report, but for the time taken.
pub fn cycles_divided<Y: Acceptance, R: Reduction<Y> + Send>(
    system: &Y,
    reductions: &mut [R],
    options: &Options<'_>,
    observer: &mut dyn Observer,
    company: &dyn Company,
) -> Result<Report<Y>, Lost> {
    let work = |given: Given<'_, Y, R>| Worker::new(given).work();
    by_all(system, reductions, options, observer, company, work)
}

/// A state of all.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
struct Node {
    /// Who owns it.
    worker: u32,
    /// Its number there.
    number: u32,
}

impl Node {
    fn packed(self) -> u64 {
        u64::from(self.worker) << 32 | u64::from(self.number)
    }

    fn unpacked(packed: u64) -> Node {
        Node {
            worker: (packed >> 32) as u32,
            number: packed as u32,
        }
    }
}

/// Something that goes wrong behind a state, after steps that are numbers among those possible.
#[derive(Clone, PartialEq, Debug)]
struct Found {
    level: u64,
    node: Node,
    kind: Kind,
    tail: Vec<u32>,
}

/// One worker and its states.
struct Worker<'a, Y: Acceptance, R> {
    system: &'a Y,
    reduction: &'a mut R,
    book: Bookkeeping<'a, Y>,
    turns: Turns<'a>,
    watch: Option<&'a mut Watch<'a>>,
    told: Instant,
    ways: Ways<Y>,
    me: u32,
    workers: usize,
    names: Names,
    outgoing: Vec<Outgoing>,
    /// The own states, in the order in which they were met.
    table: Table,
    accepting: Vec<bool>,
    /// For each, how many steps lead on from it.
    degrees: Vec<u32>,
    graph: Predecessors,
    level: u64,
    found: Vec<Found>,
    has_failed: bool,
    /// Is the search over, and only its report to be made?
    ends: bool,
}

/// Why a worker does not go on by itself.
enum Trouble {
    /// All have agreed to end.
    Stop(StopReason),
    Lost(Lost),
}

impl From<Lost> for Trouble {
    fn from(lost: Lost) -> Trouble {
        Trouble::Lost(lost)
    }
}

impl<'a, Y: Acceptance, R: Reduction<Y>> Worker<'a, Y, R> {
    fn new(given: Given<'a, Y, R>) -> Self {
        let Given {
            system,
            reduction,
            book,
            exchange,
            watch,
            ..
        } = given;
        let turns = Turns::new(exchange);
        let (me, workers) = (turns.me() as u32, turns.workers());
        Worker {
            system,
            reduction,
            book,
            turns,
            watch,
            told: Instant::now(),
            ways: Ways::of(system),
            me,
            workers,
            names: Names::new(workers),
            outgoing: (0..workers).map(|_| Outgoing::default()).collect(),
            table: Table::new(system.ignored_suffix()),
            accepting: Vec::new(),
            degrees: Vec::new(),
            graph: Predecessors::default(),
            level: 0,
            found: Vec::new(),
            has_failed: false,
            ends: false,
        }
    }

    fn work(mut self) -> Result<Report<Y>, Lost> {
        let (stop, cycle) = match self.explore() {
            Ok(found) => found,
            Err(Trouble::Stop(reason)) => (reason, None),
            Err(Trouble::Lost(lost)) => return Err(lost),
        };
        self.report(stop, cycle)
    }

    /// Meets all states, level by level, and looks for a cycle now and then. Says why there are no more.
    fn explore(&mut self) -> Result<(StopReason, Option<Violated<Y>>), Trouble> {
        self.begin()?;
        let mut left = 0;
        let mut looks_at = FIRST_LOOK;
        loop {
            let end = self.degrees.len() as u32;
            self.leave(left..end)?;
            left = end;
            // What was sent may be new to whoever gets it.
            // What was sent may be new to whoever gets it.
            let summary = |worker: &mut Self| Summary {
                met: (worker.degrees.len() as u64 - u64::from(end))
                    + u64::from(worker.turns.has_sent()),
                ..worker.summary()
            };
            self.finish_turn(summary, Self::take_states)?;
            self.level += 1;
            let summaries = || self.turns.summaries.iter();
            if summaries().any(|summary| summary.has_failed) {
                return Ok((StopReason::Violation, None));
            }
            let stop = match summaries().all(|summary| summary.met == 0) {
                true if summaries().any(|summary| summary.cut) => Some(StopReason::Depth),
                true => Some(StopReason::Complete),
                false => None,
            };
            let met: u64 = summaries().map(|summary| summary.statistics.states).sum();
            let all = self.book.options.all;
            if stop.is_some() || met >= looks_at && !all {
                looks_at = met * BETWEEN_LOOKS;
                let cycle = self.lasso()?;
                match stop {
                    _ if cycle.is_some() && !all => return Ok((StopReason::Violation, cycle)),
                    Some(stop) => return Ok((stop, cycle)),
                    None => {}
                }
            }
        }
    }

    fn begin(&mut self) -> Result<(), Trouble> {
        let mut state = Vec::new();
        if let Err(failure) = self.system.initial(&mut state) {
            // All workers see it, and one of them reports it.
            if self.me == 0 {
                let defect = Defect::Failure(failure);
                self.has_failed = self.book.violation(defect, None, Vec::new).is_err();
                self.note(Kind::Failure, 0, Vec::new());
            }
            return Ok(());
        }
        if self.owner(&state) == self.me as usize
            && let Err(reason) = self.meet(&state, None)
        {
            self.turns.halt(reason);
        }
        Ok(())
    }

    fn owner(&self, state: &[u8]) -> usize {
        let identity = &state[..state.len() - self.system.ignored_suffix()];
        owner(self.system, identity, self.workers).0
    }

    /// Leaves states of the level at hand.
    fn leave(&mut self, states: std::ops::Range<u32>) -> Result<(), Trouble> {
        for number in states {
            if self.turns.reason.is_some() || self.has_failed {
                break;
            }
            if let Err(reason) = self.expand(number) {
                match reason {
                    StopReason::Violation => self.has_failed = true,
                    reason => self.turns.halt(reason),
                }
            }
            if number % LEFT_AT_ONCE == 0 {
                self.turns.breathe()?;
                self.take(Self::take_states)?;
                self.tell();
            }
        }
        for to in 0..self.workers {
            self.pass_on(to);
        }
        Ok(())
    }

    /// Takes all steps of a state.
    fn expand(&mut self, number: u32) -> Result<(), StopReason> {
        self.ways.next.clear();
        self.ways.next.extend_from_slice(self.table.get(number));
        if let Some(limit) = self.book.options.depth
            && self.level >= limit as u64
        {
            let mut steps = Vec::new();
            self.system.enabled(&self.ways.next, &mut steps);
            self.book.cut |= !steps.is_empty();
            return Ok(());
        }
        let had_dead_end = self.book.dead_end.is_some();
        let leaves_out = self.ways.push(self.system, self.reduction, number, false);
        self.book.statistics.reduced += u64::from(leaves_out);
        let mut failures = Vec::new();
        loop {
            if self.book.is_look_due() {
                let bytes = self.bytes();
                self.book.look(bytes, 0)?;
            }
            match self.ways.advance(self.system, &mut self.book)? {
                Event::Over => break,
                Event::Exhausted => drop(self.ways.pop()),
                Event::Failure(failure, _) => failures.push((failure, self.ways.taken())),
                Event::Nothing | Event::Inside => {}
                Event::State => {
                    let next = std::mem::take(&mut self.ways.next);
                    let result = self.arrive(&next, number);
                    self.ways.next = next;
                    result?;
                }
            }
        }
        let mut result = Ok(());
        for (failure, steps) in failures {
            let mut is_new = false;
            let defect = Defect::Failure(failure);
            let path = || {
                is_new = true;
                steps.clone()
            };
            result = self.book.violation(defect, steps.last().copied(), path);
            if is_new {
                self.note(Kind::Failure, number, steps);
            }
            if result.is_err() {
                break;
            }
        }
        if !had_dead_end
            && let Some(end) = &self.book.dead_end
            && matches!(end.defect, Defect::Cycle(_))
        {
            let steps = end.steps.clone();
            self.note(Kind::Endless, number, steps);
        }
        result
    }

    /// Notes what goes wrong behind a state.
    fn note(&mut self, kind: Kind, number: u32, steps: Vec<Y::Step>) {
        let tail = match steps.is_empty() {
            true => Vec::new(),
            false => numbers(self.system, self.table.get(number), &steps),
        };
        let worker = self.me;
        self.found.push(Found {
            level: self.level,
            node: Node { worker, number },
            kind,
            tail,
        });
    }

    /// Puts a state that a step leads to where it belongs.
    fn arrive(&mut self, state: &[u8], from: u32) -> Result<(), StopReason> {
        self.degrees[from as usize] += 1;
        let owner = self.owner(state);
        if owner == self.me as usize {
            let worker = self.me;
            let number = from;
            return self.meet(state, Some(Node { worker, number }));
        }
        self.outgoing[owner].push(state, u64::from(from), &[], false);
        if self.outgoing[owner].is_full() {
            self.pass_on(owner);
        }
        Ok(())
    }

    /// Notes an own state, and from where it was reached.
    fn meet(&mut self, state: &[u8], from: Option<Node>) -> Result<(), StopReason> {
        let (number, is_new) = self.table.insert(state);
        let statistics = &mut self.book.statistics;
        if is_new {
            statistics.states += 1;
            statistics.state_bytes = statistics.state_bytes.max(state.len() as u64);
            statistics.depth = self.level + u64::from(from.is_some());
            self.accepting.push(self.system.is_accepting(state));
            self.degrees.push(0);
            self.graph.meet(from);
        } else {
            statistics.matched += 1;
        }
        // Numbers of states have 32 bits.
        let has_room = from.is_none_or(|from| self.graph.add(from, number));
        match has_room && number < u32::MAX - 2 {
            true => Ok(()),
            false => Err(StopReason::Memory),
        }
    }

    fn pass_on(&mut self, to: usize) {
        if self.outgoing[to].is_empty() {
            return;
        }
        let news = self.names.news(self.system, to);
        let mut bytes = Vec::new();
        self.outgoing[to].finish(&mut bytes, &news);
        self.turns.send(to, &bytes);
    }

    /// Takes states that another worker has sent.
    fn take_states(&mut self, from: usize, packet: &[u8]) -> Result<(), Lost> {
        self.unpack(from, packet, |worker, state, parent| {
            let number = u32::try_from(parent).map_err(|_| garbled_message())?;
            let worker_of = Node {
                worker: from as u32,
                number,
            };
            if !matches!(worker.turns.reason, None | Some(StopReason::Violation)) {
                return Ok(());
            }
            if let Err(reason) = worker.meet(state, Some(worker_of)) {
                worker.turns.halt(reason);
            }
            Ok(())
        })
    }

    /// Shows each state of a packet, and the number that stands beside it.
    fn unpack(
        &mut self,
        from: usize,
        packet: &[u8],
        mut show: impl FnMut(&mut Self, &[u8], u64) -> Result<(), Lost>,
    ) -> Result<(), Lost> {
        let mut incoming = Incoming::new(packet).ok_or_else(garbled_message)?;
        if !self.names.learn(self.system, from, incoming.context) {
            return Err(garbled_message());
        }
        let (mut sent, mut state, mut choices) = (Vec::new(), Vec::new(), Vec::new());
        while !incoming.is_empty() {
            let reached = incoming.next(&mut sent, &mut choices);
            let reached = reached.ok_or_else(garbled_message)?;
            state.clone_from(&sent);
            if !self.names.rename(self.system, from, &mut state) {
                return Err(garbled_message());
            }
            show(self, &state, reached.parent)?;
        }
        Ok(())
    }

    /// Takes what has arrived.
    fn take(
        &mut self,
        mut take: impl FnMut(&mut Self, usize, &[u8]) -> Result<(), Lost>,
    ) -> Result<(), Lost> {
        while let Some((from, message)) = self.turns.next() {
            take(self, from, &message)?;
        }
        Ok(())
    }

    /// Waits until the turn is over for all. If somebody has to end, all do.
    fn finish_turn(
        &mut self,
        summary: impl Fn(&mut Self) -> Summary,
        mut take: impl FnMut(&mut Self, usize, &[u8]) -> Result<(), Lost>,
    ) -> Result<(), Trouble> {
        self.take(&mut take)?;
        let summary = summary(self);
        self.turns.close(&summary);
        loop {
            let is_over = self.turns.is_over()?;
            self.take(&mut take)?;
            if is_over {
                break;
            }
            if let Err(reason) = self.book.control.end_if_over() {
                self.turns.halt(reason);
            }
            self.tell();
        }
        self.turns.go_on()?;
        let summaries = || self.turns.summaries.iter();
        let reason = summaries().find_map(|summary| summary.reason);
        // A violation is one, whatever else is the matter.
        match reason.filter(|_| !self.ends && !summaries().any(|summary| summary.has_failed)) {
            None => Ok(()),
            Some(reason) => Err(Trouble::Stop(reason)),
        }
    }

    fn summary(&mut self) -> Summary {
        let mut statistics = self.book.statistics;
        statistics.store_bytes = self.table.bytes();
        statistics.other_bytes = self.bytes() - self.table.bytes();
        Summary {
            met: 0,
            reason: self.turns.reason,
            has_failed: self.has_failed,
            cut: self.book.cut,
            statistics,
            sent: self.turns.sent,
            commits: false,
        }
    }

    /// The bytes that this worker takes.
    fn bytes(&mut self) -> u64 {
        self.table.bytes()
            + self.graph.bytes()
            + (self.degrees.capacity() * 4 + self.accepting.capacity()) as u64
            + self.ways.bytes()
    }

    /// What all have counted, as they last said.
    fn total(&self) -> Statistics {
        let mut total = Statistics::default();
        for summary in &self.turns.summaries {
            total.store_bytes += summary.statistics.store_bytes;
            total.other_bytes += summary.statistics.other_bytes;
            total.add(&summary.statistics);
        }
        total.elapsed = self.book.control.elapsed();
        total
    }

    fn tell(&mut self) {
        if self.told.elapsed() < BETWEEN_TELLING {
            return;
        }
        self.told = Instant::now();
        let mut total = self.total();
        let own = self.book.statistics;
        let said = self.turns.summaries[self.me as usize].statistics;
        total.states += own.states.saturating_sub(said.states);
        total.matched += own.matched.saturating_sub(said.matched);
        if let Some(watch) = &mut self.watch {
            let summaries = || self.turns.summaries.iter();
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
}
