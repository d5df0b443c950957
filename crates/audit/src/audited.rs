//! A reduction that is looked after.

use std::collections::HashSet;
use std::sync::Arc;

use mazurka_model::{Interpreter, Step};
use mazurka_search::{Lookup, Reduction};

use crate::auditable::Auditable;
use crate::commute::commute;
use crate::exchange::{Swap, check_exchange, with_frames_exchanged};
use crate::finding::{Finding, Kind, Tally, identity};
use crate::lockstep::{Pair, Way, check_structure};
use crate::proviso::{Met, Record, follow, left_out, possible};
use crate::random::Random;
use crate::run::{Broken, repeat, take};
use crate::sample::{Sampler, Share};
use crate::walk::{Effort, check_set};

/// Who sees to it that no step is left out for ever.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Proviso {
    /// Nobody: only deadlocks are looked for, or nothing is reduced.
    Nobody,
    /// The search, which widens sets.
    Search,
    /// The reduction, whose choice is a function of the state.
    Choice,
}

/// Stands between a search and its reduction, and audits some of the states; without an auditor it is the reduction. `S` is a step.
#[derive(Debug)]
pub struct Audited<R, S> {
    /// The reduction.
    pub inner: R,
    auditor: Option<Box<Auditor<S>>>,
}

impl<R, S> Audited<R, S> {
    /// A reduction, looked after or not.
    pub fn new(inner: R, auditor: Option<Auditor<S>>) -> Audited<R, S> {
        Audited {
            inner,
            auditor: auditor.map(Box::new),
        }
    }
}

/// Audits the states of one worker.
#[derive(Debug)]
pub struct Auditor<S> {
    sampler: Sampler,
    is_thorough: bool,
    /// Are queues taken to be long enough, so that a full one is none of its business?
    long_queues: bool,
    tally: Tally,
    /// What was to be searched, if it is not what is searched.
    model: Option<Arc<Interpreter>>,
    proviso: Proviso,
    /// What the search took in the first states.
    record: Record<S>,
    /// States of the record in which a step was left out.
    reduced: Vec<Vec<u8>>,
    /// States that must be in the store.
    remembered: Vec<Box<[u8]>>,
    /// How many of their bytes are not the interpreter's.
    prefix: usize,
    steps: Vec<Step>,
    set: Vec<Step>,
}

/// Bounds, where a sample is audited and where all states are.
struct Bounds {
    /// States of which is noted what the search took.
    recorded: usize,
    /// Those of them in which steps were left out, and from which it is followed.
    followed: usize,
    /// It is followed so far from each of them, and from all of them together.
    states: usize,
    all_states: usize,
    /// How far a choice that is a function of the state is followed.
    choices: usize,
    /// States to be looked up in the store at the end.
    remembered: usize,
    /// Pairs that are asked about in one state.
    pairs: usize,
    /// Walks of two programs, and the length of one.
    walks: usize,
    walk: usize,
    /// Orders in which the steps of a set are taken.
    orders: usize,
}

const SAMPLE: Bounds = Bounds {
    recorded: 2048,
    followed: 64,
    states: 256,
    all_states: 2048,
    choices: 16,
    remembered: 4096,
    pairs: 4,
    walks: 1,
    walk: 8,
    orders: 2,
};

const THOROUGH: Bounds = Bounds {
    recorded: 1 << 20,
    followed: 1 << 14,
    states: 4096,
    all_states: 1 << 22,
    choices: 1024,
    remembered: 1 << 17,
    pairs: 64,
    walks: 2,
    walk: 24,
    orders: 4,
};

/// From the first states this many times as many walks are taken.
const FEW_STATES: u64 = 16;
const WALKS_FROM_FEW: usize = 2;
/// From this many on, there is one short walk from each state, in turn of each kind: a walk costs as much as several states of a search, so that
/// most of what a small search takes would be its audit.
const MANY_STATES: u64 = 32;
const SHORT_WALK: usize = 4;

impl<S: Copy> Auditor<S> {
    /// Audits a share of the states. `model` is what was to be searched, beside what is; none if they are the same.
    pub fn new(share: Share, model: Option<Arc<Interpreter>>, proviso: Proviso) -> Auditor<S> {
        let is_thorough = share.is_all();
        let bounds = if is_thorough { &THOROUGH } else { &SAMPLE };
        Auditor {
            sampler: Sampler::new(share),
            is_thorough,
            long_queues: false,
            tally: Tally::default(),
            model,
            proviso,
            record: Record::new(bounds.recorded),
            reduced: Vec::new(),
            remembered: Vec::new(),
            prefix: 0,
            steps: Vec::new(),
            set: Vec::new(),
        }
    }

    /// The same, where the reduction takes queues to be long enough: an overflow may then be met in one order of two steps and not in the other.
    pub fn with_long_queues(self) -> Auditor<S> {
        Auditor {
            long_queues: true,
            ..self
        }
    }

    fn bounds(&self) -> &'static Bounds {
        if self.is_thorough { &THOROUGH } else { &SAMPLE }
    }

    /// Notes what the search takes in a state, and audits it if it is in the sample.
    #[inline(never)]
    fn look<Y: Auditable<Step = S>, R: Reduction<Y>>(
        &mut self,
        system: &Y,
        inner: &mut R,
        state: &[u8],
        steps: &[S],
        chosen: usize,
    ) {
        let sampled = self.sampler.takes(told_apart(system, state));
        if self.proviso == Proviso::Search && self.record.has_room() {
            self.record.note(told_apart(system, state), steps, chosen);
            if chosen < steps.len() && self.reduced.len() < self.bounds().followed {
                self.reduced.push(state.to_vec());
            }
        }
        if let Some(hash) = sampled {
            self.audit(system, inner, state, (steps, chosen), hash);
        }
    }

    /// Audits a state, of whose steps the first `chosen` are to be taken.
    #[cold]
    fn audit<Y: Auditable<Step = S>, R: Reduction<Y>>(
        &mut self,
        system: &Y,
        inner: &mut R,
        state: &[u8],
        (steps, chosen): (&[S], usize),
        hash: u64,
    ) {
        let random = &mut Random::new(hash);
        let interpreter = system.interpreter();
        self.prefix = system.prefix();
        let own = &state[self.prefix..];
        self.tally.states += 1;
        // A small model has few states to walk from.
        let more = match self.tally.states <= FEW_STATES {
            true => WALKS_FROM_FEW,
            false => 1,
        };
        if self.remembered.len() < self.bounds().remembered {
            let told_apart = state.len() - system.ignored_suffix();
            self.remembered.push(state[..told_apart].into());
        }
        let is_light = !self.is_thorough && self.tally.states > MANY_STATES;
        let turn = is_light.then(|| random.below(3));
        self.pairs(system, inner, state, steps, random);
        let mut set = std::mem::take(&mut self.set);
        self.find_set(system, own, &steps[..chosen], &mut set);
        let is_reduced = !set.is_empty() && set.len() < self.steps.len();
        if is_reduced {
            let mut effort = match self.is_thorough {
                true => Effort::THOROUGH,
                false if is_light => Effort::LIGHT,
                false => Effort::SAMPLE,
            };
            effort.walks *= more;
            effort.long_queues = self.long_queues;
            let is_due = turn.is_none_or(|turn| turn == 0 || self.model.is_none());
            if is_due && stands_for_others(interpreter, &set) {
                check_set(system, own, &set, effort, random, &mut self.tally);
            }
            self.visibility(system, own, &set, random);
            if self.proviso == Proviso::Choice {
                self.choice(system, inner, state, &set);
            }
        }
        self.set = set;
        for step in &steps[..chosen] {
            if let Some(members) = system.members(*step) {
                self.orders(system, own, &members, random);
            }
        }
        if let Some(two) = random.pick(&system.alike(own)) {
            let swap = Swap {
                processes: &[two],
                exchanged: &|state| with_frames_exchanged(interpreter, state, two),
            };
            check_exchange(interpreter, own, &swap, random, &mut self.tally);
        }
        let all = system.identities(own);
        if !all.is_empty() {
            let exchange = &all[random.below(all.len())];
            let swap = Swap {
                processes: &exchange.processes,
                exchanged: &|state| system.exchanged(state, exchange),
            };
            check_exchange(interpreter, own, &swap, random, &mut self.tally);
        }
        if let Some(model) = self.model.clone() {
            let pair = Pair {
                searched: interpreter,
                model: &model,
            };
            let labels = |state: &[u8]| {
                let mut labels = Vec::new();
                system.labels(state, &mut labels);
                labels
            };
            let length = match is_light {
                true => SHORT_WALK,
                false => self.bounds().walk,
            };
            let ways = match turn {
                None => &Way::ALL[..],
                // That was the turn of the set.
                Some(0) if is_reduced => &[],
                Some(turn) => &Way::ALL[turn % 2..][..1],
            };
            for _ in 0..self.bounds().walks * more {
                check_structure(pair, own, (ways, length), &labels, random, &mut self.tally);
            }
        }
    }

    /// Are pairs of steps that the reduction calls independent so?
    fn pairs<Y: Auditable<Step = S>, R: Reduction<Y>>(
        &mut self,
        system: &Y,
        inner: &mut R,
        state: &[u8],
        steps: &[S],
        random: &mut Random,
    ) {
        let interpreter = system.interpreter();
        let own = &state[system.prefix()..];
        let mut pairs: Vec<(usize, usize)> = (0..steps.len().min(64))
            .flat_map(|second| (0..second).map(move |first| (first, second)))
            .collect();
        random.shuffle(&mut pairs);
        let mut asked = 0;
        for (first, second) in pairs {
            let singles = (system.single(steps[first]), system.single(steps[second]));
            let (Some(a), Some(b)) = singles else {
                continue;
            };
            if a.process == b.process {
                continue;
            }
            if asked == self.bounds().pairs {
                break;
            }
            asked += 1;
            if !inner.independent(system, state, steps[first], steps[second]) {
                continue;
            }
            let runs = (
                take(interpreter, own, a, random),
                take(interpreter, own, b, random),
            );
            let (Some(a), Some(b)) = runs else {
                self.tally.undecided += 1;
                continue;
            };
            self.tally.count(Kind::Pair);
            if let Err(difference) = commute(interpreter, (&a, &b), self.long_queues) {
                self.tally.fail(Finding {
                    kind: Kind::Pair,
                    message: format!("two steps that are called independent are not: {difference}"),
                    state: identity(interpreter, own),
                    walk: Vec::new(),
                    about: vec![a.steps, b.steps],
                });
            }
        }
    }

    /// The single steps that are taken, or that sets begin with; all that is possible is in `steps` then.
    fn find_set<Y: Auditable<Step = S>>(
        &mut self,
        system: &Y,
        own: &[u8],
        chosen: &[S],
        set: &mut Vec<Step>,
    ) {
        self.steps.clear();
        system.interpreter().enabled(own, &mut self.steps);
        system.keep_own(&mut self.steps);
        set.clear();
        // A step that is an error comes once for each partner of a rendezvous with whom it is one.
        let mut known = HashSet::new();
        self.steps.retain(|step| known.insert(*step));
        // There may be very many.
        known.clear();
        let mut add = |step: Step| {
            if known.insert(step) {
                set.push(step);
            }
        };
        for step in chosen {
            if let Some(step) = system.single(*step) {
                add(step);
            }
            let members = system.members(*step).unwrap_or_default();
            for (position, step) in members.iter().enumerate() {
                let is_first = members[..position]
                    .iter()
                    .all(|other| other.process != step.process);
                if is_first && self.steps.contains(step) {
                    add(*step);
                }
            }
        }
    }

    /// Does no step of a reduced set change what the claim sees?
    fn visibility<Y: Auditable>(
        &mut self,
        system: &Y,
        own: &[u8],
        set: &[Step],
        random: &mut Random,
    ) {
        let interpreter = system.interpreter();
        let (mut before, mut after) = (Vec::new(), Vec::new());
        system.labels(own, &mut before);
        if before.is_empty() {
            return;
        }
        for step in set {
            let Some(run) = take(interpreter, own, *step, random) else {
                self.tally.undecided += 1;
                continue;
            };
            let Some(end) = &run.end else {
                continue;
            };
            self.tally.count(Kind::Visibility);
            after.clear();
            system.labels(end, &mut after);
            if before != after {
                self.tally.fail(Finding {
                    kind: Kind::Visibility,
                    message: "a step that is called invisible changes what the claim sees".into(),
                    state: identity(interpreter, own),
                    walk: Vec::new(),
                    about: vec![run.steps],
                });
            }
        }
    }

    /// Do the steps of a set lead to the same state in other orders?
    fn orders<Y: Auditable>(
        &mut self,
        system: &Y,
        own: &[u8],
        members: &[Step],
        random: &mut Random,
    ) {
        let interpreter = system.interpreter();
        let mut parts = parts_of(interpreter, own, members);
        let mut first: Option<Vec<u8>> = None;
        for _ in 0..=self.bounds().orders {
            let mut current = own.to_vec();
            let mut difference = None;
            for part in &parts {
                match repeat(interpreter, &current, part) {
                    Ok(run) => match run.end {
                        Some(end) => current = end,
                        None => difference = Some("a step leads nowhere"),
                    },
                    Err(broken) => difference = Some(broken.text()),
                }
                if difference.is_some() {
                    break;
                }
            }
            let end = identity(interpreter, &current);
            if difference.is_none() && first.as_ref().is_some_and(|first| *first != end) {
                difference = Some("it leads to another state");
            }
            self.tally.count(Kind::Simultaneous);
            if let Some(difference) = difference {
                self.tally.fail(Finding {
                    kind: Kind::Simultaneous,
                    message: format!("a set of steps taken in another order: {difference}"),
                    state: identity(interpreter, own),
                    walk: Vec::new(),
                    about: parts.iter().map(|part| part.to_vec()).collect(),
                });
                return;
            }
            first.get_or_insert(end);
            random.shuffle(&mut parts);
        }
    }

    /// Is what was left out taken in some state that the same choice leads to?
    fn choice<Y: Auditable<Step = S>, R: Reduction<Y>>(
        &mut self,
        system: &Y,
        inner: &mut R,
        state: &[u8],
        set: &[Step],
    ) {
        let (prefix, own) = state.split_at(system.prefix());
        let mut left = self.steps.clone();
        let inside: HashSet<Step> = set.iter().copied().collect();
        left.retain(|step| !inside.contains(step));
        let mut whole = prefix.to_vec();
        let chosen = |state: &[u8], all: &[Step]| {
            whole.truncate(prefix.len());
            whole.extend_from_slice(state);
            let mut lifted: Vec<S> = all.iter().map(|step| system.lift(*step)).collect();
            let kept = inner.select(system, &whole, &mut lifted);
            Some(
                lifted[..kept]
                    .iter()
                    .filter_map(|step| system.single(*step))
                    .collect(),
            )
        };
        let most = self.bounds().choices;
        let met = follow(system.interpreter(), own, left, most, chosen);
        self.judge(system, met, own);
    }

    fn judge<Y: Auditable>(&mut self, system: &Y, met: Met, own: &[u8]) {
        match met {
            Met::All => self.tally.count(Kind::Proviso),
            Met::Undecided => self.tally.undecided += 1,
            Met::Not(step) => {
                self.tally.count(Kind::Proviso);
                self.tally.fail(Finding {
                    kind: Kind::Proviso,
                    message: "a step that was left out is taken nowhere".into(),
                    state: identity(system.interpreter(), own),
                    walk: Vec::new(),
                    about: vec![vec![step]],
                });
            }
        }
    }
}

/// The steps of a set that stay together: what one process does, and what goes on at once. A rendezvous may hand control to its
/// receiver, whose steps are then part of what the sender began.
fn parts_of<'m>(interpreter: &Interpreter, own: &[u8], members: &'m [Step]) -> Vec<&'m [Step]> {
    let mut parts = Vec::new();
    let mut current = own.to_vec();
    let mut rest = members;
    while !rest.is_empty() {
        let goes_on = |length: usize| {
            let run = repeat(interpreter, &current, &rest[..length]);
            rest[length - 1].process == rest[length].process || matches!(run, Err(Broken::Longer))
        };
        let mut length = 1;
        while length < rest.len() && goes_on(length) {
            length += 1;
        }
        let (part, others) = rest.split_at(length);
        if let Ok(Some(end)) = repeat(interpreter, &current, part).map(|run| run.end) {
            current = end;
        }
        parts.push(part);
        rest = others;
    }
    parts
}

/// A timeout does not wait for a step that only says that a guard has no value, so a set of nothing else may be overtaken by one. It stands
/// for nothing: the search takes further steps.
fn stands_for_others(interpreter: &Interpreter, set: &[Step]) -> bool {
    !interpreter.program().features.timeout || set.iter().any(|step| step.choice != Step::FAULT)
}

/// The part of a state that tells it from others.
fn told_apart<'s, Y: Auditable>(system: &Y, state: &'s [u8]) -> &'s [u8] {
    &state[..state.len() - system.ignored_suffix()]
}

impl<Y: Auditable, R: Reduction<Y>> Reduction<Y> for Audited<R, Y::Step> {
    #[inline]
    fn select(&mut self, system: &Y, state: &[u8], steps: &mut [Y::Step]) -> usize {
        let chosen = self.inner.select(system, state, steps);
        if let Some(auditor) = &mut self.auditor {
            auditor.look(system, &mut self.inner, state, steps, chosen);
        }
        chosen
    }

    fn widen(&mut self, system: &Y, state: &[u8], steps: &mut [Y::Step], chosen: usize) -> usize {
        let more = self.inner.widen(system, state, steps, chosen);
        if let Some(auditor) = &mut self.auditor
            && auditor.proviso == Proviso::Search
        {
            let identity = told_apart(system, state);
            auditor.record.revise(identity, steps, more);
        }
        more
    }

    fn independent(&mut self, system: &Y, state: &[u8], a: Y::Step, b: Y::Step) -> bool {
        self.inner.independent(system, state, a, b)
    }

    fn reduces(&self) -> bool {
        self.inner.reduces()
    }

    fn is_idle(&self) -> bool {
        self.inner.is_idle()
    }

    fn remembered(&self) -> &[Box<[u8]>] {
        self.auditor
            .as_ref()
            .map_or(&[], |auditor| &auditor.remembered)
    }

    fn looked_up(&mut self, number: usize, found: &Lookup) {
        let Some(auditor) = &mut self.auditor else {
            return;
        };
        let state = &auditor.remembered[number];
        auditor.tally.count(Kind::Store);
        let message = match found {
            Lookup::Lost => "a state that was put into the store is not there",
            Lookup::Unpacked(unpacked) if **unpacked != **state => {
                "the store gives back another state than the one put in"
            }
            Lookup::Known | Lookup::Unpacked(_) => return,
        };
        auditor.tally.fail(Finding {
            kind: Kind::Store,
            message: message.into(),
            state: state[auditor.prefix..].to_vec(),
            walk: Vec::new(),
            about: Vec::new(),
        });
    }
}

/// What the audit of a search found, after the search. `is_complete` says whether all was explored that was to be: only then has everything
/// been taken that was not left out.
pub fn finish<Y: Auditable, R: Reduction<Y>>(
    system: &Y,
    workers: &mut [Audited<R, Y::Step>],
    is_complete: bool,
) -> Option<Tally> {
    let mut tally = Tally::default();
    let mut auditors: Vec<&mut Auditor<Y::Step>> = workers
        .iter_mut()
        .filter_map(|worker| worker.auditor.as_deref_mut())
        .collect();
    let bounds = auditors.first()?.bounds();
    if is_complete {
        let mut budget = bounds.all_states;
        for number in 0..auditors.len() {
            let reduced = std::mem::take(&mut auditors[number].reduced);
            for state in &reduced {
                if budget == 0 {
                    auditors[number].tally.undecided += 1;
                    continue;
                }
                let mut taken = |state: &[u8], all: &[Y::Step]| {
                    budget = budget.saturating_sub(1);
                    let identity = told_apart(system, state);
                    auditors
                        .iter()
                        .find_map(|auditor| auditor.record.taken(identity, all))
                };
                let all = possible(system, state);
                let own = taken(state, &all).unwrap_or_else(|| all.clone());
                let left = left_out(system, &all, &own);
                if left.is_empty() {
                    continue;
                }
                let met = follow(system, state, left, bounds.states, taken);
                let own = &state[system.prefix()..];
                auditors[number].judge(system, met, own);
            }
        }
    }
    for auditor in auditors {
        tally.add(&std::mem::take(&mut auditor.tally));
    }
    Some(tally)
}
