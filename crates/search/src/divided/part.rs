//! The part of a search that one worker does: the states that it owns.
//!
//! It leaves the states of its level, keeps those of their successors that are its own, and puts the others into packets. What
//! arrives for it is looked up in the same way. It knows nothing of how packets travel.

mod doubtful;
pub(super) mod kept;

use doubtful::Doubtful;

use super::arrivals::Arrivals;
use super::owner::{Names, owner};
use super::packet::{Incoming, Outgoing};
use super::sent::Sent;
use super::trace::{Found, Kind};
use super::{LAST_SWEEP, Trouble, garbled};
use crate::bookkeeping::{Bookkeeping, Control};
use crate::frontier::Batch;
use crate::report::{Defect, StopReason};
use crate::sequence::Long;
use crate::store::{Crowded, Folded, Insertion, Store};
use crate::successors::{Event, Successors};
use crate::system::{Reduction, System};

/// This many states are looked up together.
const LOOKED_UP_TOGETHER: usize = 32;
/// A mark of states that have been left. The others, if they are stored, are still to be explored.
const LEFT: u8 = 1;

/// What one worker knows of a search.
pub(super) struct Part<'a, Y: System, R, S: Store> {
    pub system: &'a Y,
    reduction: &'a mut R,
    pub book: Bookkeeping<'a, Y>,
    look_is_due: bool,
    pub store: S,
    /// Its number among all workers.
    me: usize,
    workers: usize,
    /// Does it matter which states have been left?
    marks: bool,
    /// The level at hand: how far its states are from the initial one.
    pub depth: usize,
    /// The level of the states that are met.
    next_depth: usize,
    /// Its states that are still to be left, the first ones last, and the number of the next one.
    work: Vec<Batch>,
    next_number: u64,
    /// The states met for the first time, which are the next level.
    met: Vec<Batch>,
    met_bytes: u64,
    /// How they were reached.
    arrivals: Arrivals,
    /// The same for the levels before.
    pub levels: Vec<Arrivals>,
    link_bytes: u64,
    /// Did a step from the level at hand fail, here or elsewhere? Then it is the last one; a deadlock in it is nearer still.
    pub has_failed: bool,
    /// What was found.
    pub found: Vec<Found>,
    /// Is an atomic sequence that never ends among it?
    has_endless: bool,

    /// Own states that are still to be looked up.
    own: Pending<S::Key>,
    /// States that arrived and are still to be looked up.
    received: Pending<S::Key>,
    parent: Parent,
    /// Did a step from the state at hand lead to an own state that is still to be explored?
    leads_away: bool,
    /// Successors of the state at hand that belong to others, while it is not known whether something is to be asked about them.
    held: Held,
    successors: Successors<Y, (), Long<'a>>,
    /// The steps of the state at hand before a reduction changed their order.
    order: Vec<Y::Step>,
    nodes: Vec<u32>,
    choices: Vec<u32>,

    /// Packets that are being filled, one for each worker.
    outgoing: Vec<Outgoing>,
    sent: Sent,
    /// Packets that are ready to go.
    pub ready: Vec<(usize, Vec<u8>)>,
    names: Names,

    /// States whose steps were left out in part, while others are asked whether that was right.
    doubtful: Doubtful<Y::Step>,
    /// Those of the sweep before, which are left again as far as it was not.
    leaving: Doubtful<Y::Step>,
    /// For each worker, the doubtful states that it was asked about, in the order of the questions.
    questions: Vec<Vec<u64>>,
    /// For each worker, what it asked: was the state still to be explored?
    answers: Vec<Vec<bool>>,
    /// How often the level at hand was gone through before.
    sweep: u8,
    /// How much of the context was written down.
    written: usize,
}

/// The state at hand.
#[derive(Default)]
struct Parent {
    number: u64,
    state: Vec<u8>,
    nodes: Vec<u32>,
}

/// States that were met and are still to be looked up.
struct Pending<K> {
    keys: Vec<K>,
    /// Each state's parent, whether something is asked about it, and where it ends in `states` and its choices end in `choices`.
    ends: Vec<(u64, bool, usize, usize)>,
    states: Vec<u8>,
    choices: Vec<u32>,
}

impl<K> Pending<K> {
    fn new() -> Pending<K> {
        Pending {
            keys: Vec::new(),
            ends: Vec::new(),
            states: Vec::new(),
            choices: Vec::new(),
        }
    }

    fn push(&mut self, key: K, parent: u64, asks: bool, state: &[u8]) {
        self.keys.push(key);
        self.states.extend_from_slice(state);
        self.ends
            .push((parent, asks, self.states.len(), self.choices.len()));
    }

    fn clear(&mut self) {
        self.keys.clear();
        self.ends.clear();
        self.states.clear();
        self.choices.clear();
    }
}

/// States that are held back.
#[derive(Default)]
struct Held {
    /// The owner and the hash of each, and where it ends in `states` and its choices end in `choices`.
    ends: Vec<(usize, u64, usize, usize)>,
    states: Vec<u8>,
    choices: Vec<u32>,
}

impl<'a, Y: System, R: Reduction<Y>, S: Store> Part<'a, Y, R, S> {
    pub fn new(
        (system, reduction, store): (&'a Y, &'a mut R, S),
        book: Bookkeeping<'a, Y>,
        (me, workers): (usize, usize),
    ) -> Self {
        let control = book.control;
        Part {
            system,
            marks: book.options.proviso && reduction.reduces(),
            reduction,
            book,
            store,
            me,
            workers,
            depth: 0,
            next_depth: 0,
            look_is_due: false,
            work: Vec::new(),
            next_number: 0,
            met: Vec::new(),
            met_bytes: 0,
            arrivals: Arrivals::default(),
            levels: Vec::new(),
            link_bytes: 0,
            has_failed: false,
            found: Vec::new(),
            has_endless: false,
            own: Pending::new(),
            received: Pending::new(),
            parent: Parent::default(),
            leads_away: false,
            held: Held::default(),
            successors: Successors::new(Long::new(control), None),
            order: Vec::new(),
            nodes: Vec::new(),
            choices: Vec::new(),
            outgoing: (0..workers).map(|_| Outgoing::default()).collect(),
            sent: Sent::new(),
            ready: Vec::new(),
            names: Names::new(workers),
            doubtful: Doubtful::new(),
            leaving: Doubtful::new(),
            questions: vec![Vec::new(); workers],
            answers: vec![Vec::new(); workers],
            sweep: 0,
            written: 0,
        }
    }

    /// The first level: the initial state, if this worker owns it.
    pub fn start(&mut self) -> Result<(), StopReason> {
        if let Err(failure) = self.system.initial(&mut self.successors.next) {
            // All workers see it, and one of them reports it.
            if self.me == 0 {
                let state = Vec::new();
                self.violation(Defect::Failure(failure), None, &state)?;
            }
            return Ok(());
        }
        let next = std::mem::take(&mut self.successors.next);
        if self.owner(self.identity(&next)).0 == self.me {
            let key = self.fold(&next)?;
            self.own.push(key, 0, false, &next);
            self.look_up_own()?;
        }
        self.successors.next = next;
        self.next_level();
        // Nothing leads to the initial state.
        self.levels.clear();
        self.link_bytes = 0;
        Ok(())
    }

    /// What was met is what is to be left now. Says how much that is.
    pub fn next_level(&mut self) -> u64 {
        if let Some(last) = self.met.last_mut() {
            last.close();
        }
        self.work = std::mem::take(&mut self.met);
        self.work.reverse();
        self.met_bytes = 0;
        self.next_number = 0;
        let mut arrivals = std::mem::take(&mut self.arrivals);
        arrivals.close();
        let count = arrivals.count();
        self.link_bytes += arrivals.bytes();
        self.levels.push(arrivals);
        self.depth = self.next_depth;
        self.next_depth += 1;
        self.sweep = 0;
        count
    }

    /// How many states of the next level have arrived here.
    pub fn met(&self) -> u64 {
        self.arrivals.count()
    }

    /// The bytes that this worker takes without its store.
    pub fn bytes(&self) -> u64 {
        let work: u64 = self.work.iter().map(Batch::bytes).sum();
        self.link_bytes
            + self.met_bytes
            + self.arrivals.bytes()
            + work
            + self.sent.bytes()
            + self.doubtful.bytes()
            + self.leaving.bytes()
            + self.successors.inside.bytes()
    }

    /// Leaves some states of the level at hand. Says whether there are more.
    pub fn leave_some(&mut self) -> Result<bool, StopReason> {
        let Some(batch) = self.work.pop() else {
            return Ok(false);
        };
        let mut state = Vec::new();
        let mut reader = batch.read();
        for _ in 0..batch.count() {
            reader.next(&mut state);
            self.look_if_due()?;
            self.parent.number = self.next_number;
            self.next_number += 1;
            self.enter(&state)?;
            if self.has_failed {
                continue;
            }
            self.expand_or_fail(&state, None)?;
        }
        self.look_up_own()?;
        Ok(!self.work.is_empty())
    }

    /// Is it asked of others whether enough steps of some states were taken?
    pub fn has_doubts(&self) -> bool {
        self.doubtful.count() > 0
    }

    /// The level is gone through once more: all questions have been answered.
    pub fn next_sweep(&mut self) -> Result<(), Trouble> {
        self.sweep += 1;
        std::mem::swap(&mut self.leaving, &mut self.doubtful);
        self.leaving.turn_round();
        match self.questions.iter().all(Vec::is_empty) {
            true => Ok(()),
            false => Err(garbled()),
        }
    }

    /// Leaves some of the states again whose steps turned out not to be enough, by more of them. Says whether there are more states.
    pub fn leave_doubtful(&mut self) -> Result<bool, StopReason> {
        let Some(batch) = self.leaving.next_states() else {
            self.look_up_own()?;
            return Ok(false);
        };
        let (mut state, mut steps) = (Vec::new(), Vec::new());
        let mut reader = batch.read();
        for _ in 0..batch.count() {
            reader.next(&mut state);
            let Some(entry) = self.leaving.next(&mut steps) else {
                break;
            };
            if entry.is_enough {
                self.book.statistics.reduced += 1;
                continue;
            }
            self.look_if_due()?;
            self.parent.number = entry.number;
            if self.has_failed {
                continue;
            }
            self.successors.clear();
            std::mem::swap(&mut self.successors.path.steps, &mut steps);
            self.expand_or_fail(&state, Some(entry.taken))?;
        }
        self.look_up_own()?;
        Ok(true)
    }

    /// As [`Part::expand`]; a violation is the nearest one but for a deadlock.
    fn expand_or_fail(&mut self, state: &[u8], taken: Option<usize>) -> Result<(), StopReason> {
        match self.expand(state, taken) {
            Err(StopReason::Violation) => {
                self.look_up_own()?;
                self.release(false);
                self.has_failed = true;
                Ok(())
            }
            result => result,
        }
    }

    fn look_if_due(&mut self) -> Result<(), StopReason> {
        if self.book.is_look_due() || self.look_is_due {
            self.look_up_own()?;
            self.look_is_due = false;
            return self.look();
        }
        Ok(())
    }

    /// Looks at the limits.
    #[cold]
    pub fn look(&mut self) -> Result<(), StopReason> {
        let (bytes, store) = (self.bytes(), self.store.bytes());
        self.book.look(bytes, store)
    }

    /// Finds the steps of a state, and a deadlock if there are none.
    fn enter(&mut self, state: &[u8]) -> Result<(), StopReason> {
        self.successors.clear();
        let path = &mut self.successors.path;
        let leads_on = self.system.enabled(state, &mut path.steps);
        if leads_on || self.system.is_valid_end(state) {
            return Ok(());
        }
        self.violation(Defect::Deadlock, None, state)
    }

    /// Notes a violation in the state at hand.
    fn violation(
        &mut self,
        defect: Defect<Y::Failure>,
        last: Option<Y::Step>,
        state: &[u8],
    ) -> Result<(), StopReason> {
        let mut found = None;
        let place = (self.depth, self.parent.number);
        let kind = match defect {
            Defect::Deadlock => Kind::Deadlock,
            Defect::Failure(_) | Defect::Cycle(_) => Kind::Failure,
        };
        let tail = || {
            let tail = self.successors.path.taken();
            found = Some(Found::new(
                self.system,
                kind,
                (self.me, place),
                state,
                &tail,
            ));
            tail
        };
        let result = self.book.violation(defect, last, tail);
        self.found.extend(found);
        result
    }

    /// Takes the steps from a state. Those into atomic sequences are followed, depth-first, to the sequences' ends.
    fn expand(&mut self, state: &[u8], taken: Option<usize>) -> Result<(), StopReason> {
        let all = self.successors.path.steps.len();
        let limit = self.book.options.depth;
        if limit.is_some_and(|limit| self.depth >= limit) {
            self.book.cut |= all > 0;
            return Ok(());
        }
        if all == 0 {
            return Ok(());
        }
        self.fold_parent(state)?;
        self.leads_away = false;
        let Successors { path, inside, .. } = &mut self.successors;
        inside.clear();
        self.order.clear();
        let mut chosen = match taken {
            None => {
                if self.reduction.reduces() {
                    self.order.extend_from_slice(&path.steps);
                }
                self.reduction.select(self.system, state, &mut path.steps)
            }
            Some(taken) => {
                self.system.enabled(state, &mut self.order);
                match self.sweep < LAST_SWEEP {
                    true => (self.reduction).widen(self.system, state, &mut path.steps, taken),
                    false => all,
                }
            }
        };
        path.push(state, 0, chosen, self.order.is_empty(), ());
        if let Some(taken) = taken {
            path.frames[0].next = taken;
            path.frames[0].leads_on = true;
        }
        let mut holds = self.marks && chosen < all;
        loop {
            if self.book.is_look_due() {
                self.book.put_off_look();
                self.look_is_due = true;
                self.book.control.end_if_over()?;
            }
            let event = self.successors.advance(self.system, &mut self.book)?;
            self.note_endless(state);
            match event {
                Event::Exhausted if self.successors.path.frames.len() > 1 => {
                    self.successors.path.pop();
                }
                Event::Exhausted if chosen < all => {
                    self.look_up_own()?;
                    let proviso = self.book.options.proviso;
                    // Steps that only fail stand for nothing.
                    let leads_on = self.successors.path.frames[0].leads_on;
                    if leads_on && (self.leads_away || !proviso) {
                        self.book.statistics.reduced += 1;
                        self.release(false);
                        return Ok(());
                    }
                    if leads_on && !self.held.ends.is_empty() {
                        // Their owners know whether one of them is still to be explored.
                        let steps = &self.successors.path.steps[..all];
                        let number = self.parent.number;
                        self.doubtful.push(state, number, steps, chosen);
                        self.release(true);
                        return Ok(());
                    }
                    let steps = &mut self.successors.path.steps[..all];
                    chosen = self.reduction.widen(self.system, state, steps, chosen);
                    self.successors.path.frames[0].limit = chosen;
                    holds = self.marks && chosen < all;
                }
                Event::Exhausted | Event::Over => {
                    self.release(false);
                    return Ok(());
                }
                Event::Failure(failure, step) => {
                    self.violation(Defect::Failure(failure), Some(step), state)?;
                }
                Event::Nothing | Event::Inside => {}
                Event::State => self.arrive(holds)?,
            }
        }
    }

    /// Notes the first atomic sequence that never ends.
    #[inline]
    fn note_endless(&mut self, state: &[u8]) {
        if let Some(end) = &self.book.dead_end
            && matches!(end.defect, Defect::Cycle(_))
            && !std::mem::replace(&mut self.has_endless, true)
        {
            let place = (self.me, (self.depth, self.parent.number));
            let found = Found::new(self.system, Kind::Endless, place, state, &end.steps);
            self.found.push(found);
        }
    }

    /// The part of a state that tells it from others.
    #[inline]
    fn identity<'s>(&self, state: &'s [u8]) -> &'s [u8] {
        &state[..state.len() - self.system.ignored_suffix()]
    }

    /// Who owns a state, and its hash, which is the same in every process.
    #[inline]
    fn owner(&self, identity: &[u8]) -> (usize, u64) {
        owner(self.system, identity, self.workers)
    }

    /// Folds the state at hand, so that those it leads to are folded with less work.
    fn fold_parent(&mut self, state: &[u8]) -> Result<(), StopReason> {
        let identity = &state[..state.len() - self.system.ignored_suffix()];
        let (control, nodes, marks) = (self.book.control, &mut self.nodes, self.marks);
        ask(control, &mut self.store, |store| {
            let from = Folded {
                state: &self.parent.state,
                nodes: &self.parent.nodes,
            };
            let key = store.fold(identity, Some(from), nodes)?;
            if marks {
                store.mark(key, 0, LEFT);
            }
            Ok(())
        })?;
        self.parent.state.clear();
        self.parent.state.extend_from_slice(identity);
        std::mem::swap(&mut self.parent.nodes, &mut self.nodes);
        Ok(())
    }

    /// The key of a state that the one at hand leads to.
    #[inline]
    fn fold(&mut self, state: &[u8]) -> Result<S::Key, StopReason> {
        let identity = &state[..state.len() - self.system.ignored_suffix()];
        let (control, nodes) = (self.book.control, &mut self.nodes);
        ask(control, &mut self.store, |store| {
            let from = Folded {
                state: &self.parent.state,
                nodes: &self.parent.nodes,
            };
            let key = store.fold(identity, Some(from), nodes)?;
            store.prefetch(key);
            Ok(key)
        })
    }

    /// Puts the state just arrived at where it belongs.
    #[inline]
    fn arrive(&mut self, holds: bool) -> Result<(), StopReason> {
        self.find_choices();
        let next = std::mem::take(&mut self.successors.next);
        let (owner, hash) = self.owner(self.identity(&next));
        let result = if owner == self.me {
            self.fold(&next).and_then(|key| {
                self.own.choices.extend_from_slice(&self.choices);
                self.own.push(key, self.parent.number, false, &next);
                match self.own.keys.len() >= LOOKED_UP_TOGETHER {
                    true => self.look_up_own(),
                    false => Ok(()),
                }
            })
        } else if holds {
            let held = &mut self.held;
            held.states.extend_from_slice(&next);
            held.choices.extend_from_slice(&self.choices);
            let (states, choices) = (held.states.len(), held.choices.len());
            held.ends.push((owner, hash, states, choices));
            Ok(())
        } else {
            let suffix = self.system.ignored_suffix();
            if self.sent.note(hash, &next[..next.len() - suffix]) {
                self.book.statistics.matched += 1;
            } else {
                self.outgoing[owner].push(&next, self.parent.number, &self.choices, false);
                self.pass_on_if_full(owner);
            }
            Ok(())
        };
        self.successors.next = next;
        result
    }

    /// The numbers of the steps that led to the state just arrived at, wherever there was a choice.
    #[inline]
    fn find_choices(&mut self) {
        self.choices.clear();
        let path = &self.successors.path;
        for (number, frame) in path.frames.iter().enumerate() {
            let steps = &path.steps[frame.steps..path.steps_end(number)];
            if steps.len() > 1 {
                let taken = frame.next - frame.steps - 1;
                // Of the state at hand, in the order of the system.
                let is_at = |other: &Y::Step| *other == steps[taken];
                let taken = match number == 0 && !self.order.is_empty() {
                    true => self.order.iter().position(is_at),
                    false => Some(taken),
                };
                let taken = taken.expect("a reduction leaves the steps what they are");
                self.choices.push(taken as u32);
            }
        }
    }

    /// Sends the states that were held back. If something is asked about them, they go also if they were sent before.
    fn release(&mut self, asks: bool) {
        let held = std::mem::take(&mut self.held);
        let suffix = self.system.ignored_suffix();
        let (mut start, mut first) = (0, 0);
        for (owner, hash, end, last) in &held.ends {
            let state = &held.states[start..*end];
            let choices = &held.choices[first..*last];
            (start, first) = (*end, *last);
            let was_sent = self.sent.note(*hash, &state[..state.len() - suffix]);
            if was_sent && !asks {
                self.book.statistics.matched += 1;
                continue;
            }
            if asks {
                let doubtful = self.doubtful.count() as u64 - 1;
                self.questions[*owner].push(doubtful);
            }
            self.outgoing[*owner].push(state, self.parent.number, choices, asks);
            self.pass_on_if_full(*owner);
        }
        self.held = held;
        self.held.ends.clear();
        self.held.states.clear();
        self.held.choices.clear();
    }

    #[inline]
    fn pass_on_if_full(&mut self, owner: usize) {
        if self.outgoing[owner].is_full() {
            self.pass_on(owner);
        }
    }

    /// Makes all packets ready to go.
    pub fn pass_all_on(&mut self) {
        for owner in 0..self.workers {
            if !self.outgoing[owner].is_empty() {
                self.pass_on(owner);
            }
        }
    }

    fn pass_on(&mut self, owner: usize) {
        let mut bytes = vec![super::STATES];
        super::write_level(&mut bytes, self.depth, self.sweep);
        let context = self.names.news(self.system, owner);
        self.outgoing[owner].finish(&mut bytes, &context);
        self.ready.push((owner, bytes));
    }

    /// Takes states that another worker has sent.
    pub fn receive(&mut self, from: usize, sweep: u8, packet: &[u8]) -> Result<(), Trouble> {
        let mut incoming = Incoming::new(packet).ok_or_else(garbled)?;
        if !self.names.learn(self.system, from, incoming.context) {
            return Err(garbled());
        }
        let suffix = self.system.ignored_suffix();
        let series = self.series(from, sweep);
        let (mut sent, mut state) = (Vec::new(), Vec::new());
        let (mut last, mut last_nodes) = (Vec::new(), Vec::new());
        while !incoming.is_empty() {
            let reached = incoming.next(&mut sent, &mut self.received.choices);
            let reached = reached.ok_or_else(garbled)?;
            state.clone_from(&sent);
            if !self.names.rename(self.system, from, &mut state) {
                return Err(garbled());
            }
            let identity = &state[..state.len() - suffix];
            let (control, nodes) = (self.book.control, &mut self.nodes);
            let key = ask(control, &mut self.store, |store| {
                let from = Folded {
                    state: &last,
                    nodes: &last_nodes,
                };
                let key = store.fold(identity, Some(from), nodes)?;
                store.prefetch(key);
                Ok(key)
            })?;
            last.clear();
            last.extend_from_slice(identity);
            std::mem::swap(&mut last_nodes, &mut self.nodes);
            self.received
                .push(key, reached.parent, reached.asks, &state);
            if self.received.keys.len() >= LOOKED_UP_TOGETHER {
                self.look_up_received(from, series)?;
            }
        }
        self.look_up_received(from, series)?;
        Ok(())
    }

    /// Each sweep begins anew with the first numbers.
    fn series(&self, from: usize, sweep: u8) -> u32 {
        (from + self.workers * usize::from(sweep)) as u32
    }

    /// The worker that a series of links comes from.
    pub fn sender(&self, series: u32) -> usize {
        series as usize % self.workers
    }

    fn look_up_own(&mut self) -> Result<(), StopReason> {
        let mut own = std::mem::replace(&mut self.own, Pending::new());
        let series = self.series(self.me, self.sweep);
        let parent = self.parent.number;
        let result = self.look_up(&own, series, |part, open, of, _| {
            part.leads_away |= open && of == parent;
        });
        own.clear();
        self.own = own;
        result
    }

    fn look_up_received(&mut self, from: usize, series: u32) -> Result<(), StopReason> {
        let mut received = std::mem::replace(&mut self.received, Pending::new());
        let result = self.look_up(&received, series, |part, open, _, asks| {
            if asks {
                part.answers[from].push(open);
            }
        });
        received.clear();
        self.received = received;
        result
    }

    /// Looks up states, notes those that are new, and tells of each whether it is still to be explored.
    fn look_up(
        &mut self,
        pending: &Pending<S::Key>,
        series: u32,
        mut tell: impl FnMut(&mut Self, bool, u64, bool),
    ) -> Result<(), StopReason> {
        let control = self.book.control;
        let suffix = self.system.ignored_suffix();
        let marks = self.marks;
        let (mut start, mut first) = (0, 0);
        for (key, (parent, asks, end, last)) in pending.keys.iter().zip(&pending.ends) {
            let state = &pending.states[start..*end];
            let choices = &pending.choices[first..*last];
            (start, first) = (*end, *last);
            let identity = &state[..state.len() - suffix];
            let (insertion, is_open) = ask(control, &mut self.store, |store| {
                let insertion = store.insert(*key, identity)?;
                let is_open = insertion == Insertion::New
                    || marks
                        && store
                            .mark(*key, 0, 0)
                            .is_some_and(|marks| marks & LEFT == 0);
                Ok((insertion, is_open))
            })?;
            tell(self, is_open, *parent, *asks);
            let statistics = &mut self.book.statistics;
            if insertion == Insertion::Known {
                statistics.matched += 1;
                continue;
            }
            statistics.states += 1;
            statistics.state_bytes = statistics.state_bytes.max(state.len() as u64);
            statistics.depth = statistics.depth.max(self.next_depth as u64);
            self.arrivals.push(series, *parent, choices);
            self.met_bytes += push(&mut self.met, state);
        }
        Ok(())
    }

    /// What other workers have asked, as bytes for each of them.
    pub fn take_answers(&mut self) -> Vec<(usize, Vec<u8>)> {
        let answers = self.answers.iter_mut().enumerate();
        let answers = answers.filter(|(_, answers)| !answers.is_empty());
        let packed = answers.map(|(to, answers)| {
            let mut bytes = vec![super::ANSWERS];
            bytes.extend(answers.chunks(8).map(|bits| {
                let bits = bits.iter().enumerate();
                bits.fold(0, |byte, (at, bit)| byte | u8::from(*bit) << at)
            }));
            answers.clear();
            (to, bytes)
        });
        packed.collect()
    }

    /// Another worker has answered the questions that it was asked.
    pub fn take_answer(&mut self, from: usize, bits: &[u8]) -> Result<(), Trouble> {
        let questions = std::mem::take(&mut self.questions[from]);
        // Answers come before the doubtful states are left.
        if questions.len().div_ceil(8) != bits.len() {
            return Err(garbled());
        }
        for (number, doubtful) in questions.into_iter().enumerate() {
            let is_open = bits[number / 8] >> (number % 8) & 1 == 1;
            let asked = self.doubtful.answer(doubtful, is_open);
            asked.ok_or_else(garbled)?;
        }
        Ok(())
    }
}

/// Adds a state to the last batch, or to a new one. Says how many bytes were closed off.
#[inline]
fn push(batches: &mut Vec<Batch>, state: &[u8]) -> u64 {
    match batches.last_mut() {
        Some(batch) if !batch.is_full() => {
            batch.push(state);
            0
        }
        last => {
            let closed = last.map_or(0, |batch| {
                batch.close();
                batch.bytes()
            });
            let mut batch = Batch::default();
            batch.push(state);
            batches.push(batch);
            closed
        }
    }
}

/// Asks a store, and asks again when it has grown.
#[inline]
fn ask<S: Store, T>(
    control: &Control<'_>,
    store: &mut S,
    mut question: impl FnMut(&S) -> Result<T, Crowded>,
) -> Result<T, StopReason> {
    loop {
        match question(store) {
            Ok(answer) => return Ok(answer),
            Err(Crowded) if store.grow(control.room()) => {}
            Err(Crowded) => return Err(StopReason::Memory),
        }
    }
}
