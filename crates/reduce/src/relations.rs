//! Which operations of other processes have to do with an operation, in the present state.
//!
//! The relations of `mazurka_objects` say when two operations on one object interact; here is added
//! which object each operation of each process means. Almost everything is the same from state to
//! state, so it is kept: the objects that a process names by what never changes while it lives, the
//! pairs of operations that may meet there, and the answers of `mazurka_objects` for a value that
//! was asked about before. What is left to do in a state is intersecting sets of operations.

use std::collections::HashMap;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use mazurka_model::{ExpressionId, Interpreter, Step};
use mazurka_objects::{self as objects, View, fifo, population, rendezvous, variable};

use crate::bits::Bits;
use crate::bounds;
use crate::constancy::{Constancy, Writes};
use crate::footprint::Footprints;
use crate::mixer::Mixer;
use crate::operation::{Action, NEWBORN, Object, Operation};
use crate::place::{Place, meet};
use crate::state_view::StateView;

/// This many answers of `mazurka_objects` are kept.
const ANSWERS: usize = 1 << 14;
/// Sets of operations that may meet are kept up to this many words for all pairs of processes.
const MEETING_WORDS: usize = 1 << 23;

/// What operations mean in the present state, and which interact.
#[derive(Debug)]
pub(crate) struct Relations {
    pub footprints: Arc<Footprints>,
    pub refined: bool,
    /// For each process type, the bytes of its frame that stay the same as long as it lives.
    constant_bytes: Vec<Vec<u32>>,
    writes: Writes,
    /// For each operation on a channel, all that it may be performed on, if so much is known; worked out in the first state.
    channels: Vec<Option<Vec<i32>>>,
    /// For each process of the state.
    rows: Vec<Row>,
    /// For each two processes, what may meet.
    pairs: Vec<Pair>,
    versions: u64,
    /// For each operation of each process, the processes among the first 64 that may meet it, as of which version.
    partners: Vec<(u64, u64)>,
    /// Places of operations performed now, worked out in this state, by process and operation.
    places: Vec<(u64, Place)>,
    /// Counts states, so that what was worked out in another one is not taken for this one's.
    stamp: u64,
    answers: Answers,
    /// The operation that is asked about.
    asked: Asked,
    /// Operations of another process that interact with the one that is asked about.
    found: Vec<u64>,
}

/// What the operations of a process are performed on, now or later.
#[derive(Clone, Debug, Default)]
struct Row {
    /// Changes whenever the rest does.
    version: u64,
    process_type: u32,
    /// What tells which channels exist, and of which kind.
    channels: usize,
    constants: Vec<u8>,
    places: Vec<Place>,
}

/// For two processes, the operations of the second that may meet one of the first.
#[derive(Clone, Debug, Default)]
struct Pair {
    versions: (u64, u64),
    known: Vec<Known>,
    sets: Vec<u64>,
    /// The same for what each transition of the first does in states not known yet, with only those
    /// that interact.
    known_after: Vec<bool>,
    sets_after: Vec<u64>,
}

/// What is known of the operations that may meet one.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Known {
    Nothing,
    /// There are none, as with most: then nothing has to be looked at.
    Never,
    Set,
}

/// An operation that is asked about and another process, as far as they decide what interacts: the same in many states.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Subject {
    /// Of the rows of both processes.
    versions: (u64, u64),
    operation: u32,
    /// Which answer, and how many other ones were in its place before.
    answer: (u32, u64),
}

impl Subject {
    pub fn hash(&self) -> u64 {
        let mut mixer = Mixer(0);
        mixer.write_u64(self.versions.0 << 32 ^ self.versions.1);
        mixer.write_u64(u64::from(self.operation) << 32 | u64::from(self.answer.0));
        mixer.write_u64(self.answer.1);
        mixer.finish()
    }
}

/// Where the operations of another process are that may meet the one asked about.
#[derive(Clone, Copy, PartialEq)]
enum Meeting {
    Never,
    /// In the sets of this pair.
    Pair(usize),
    /// Too many processes to keep them.
    NotKept,
}

#[derive(Clone, Copy, Debug)]
struct Asked {
    process: usize,
    operation: u32,
    place: Place,
    /// Is the place narrower than what the operation may mean later?
    narrow: bool,
    /// Which answer.
    answer: usize,
    view: View,
}

/// Answers of `mazurka_objects`: for an operation and a value, the operations it interacts with.
#[derive(Debug)]
struct Answers {
    keys: Vec<Option<(u32, bool, View)>>,
    /// How many others were there before.
    generations: Vec<u64>,
    sets: Vec<u64>,
}

impl Relations {
    pub fn new(interpreter: &Interpreter, footprints: Arc<Footprints>, refined: bool) -> Relations {
        let program = interpreter.program();
        let writes = Writes::of(program);
        let constant_bytes = program
            .process_types
            .iter()
            .enumerate()
            .map(|(number, process)| {
                let variables = process.variables.iter().flat_map(|variable| {
                    let bytes = variable.kind.bytes() * variable.length.unwrap_or(1);
                    variable.offset..variable.offset + bytes
                });
                variables
                    .filter(|byte| !writes.may_change(number, *byte, byte + 1))
                    .collect()
            })
            .collect();
        let words = footprints.operations.len().div_ceil(64);
        Relations {
            footprints,
            refined,
            constant_bytes,
            writes,
            channels: Vec::new(),
            rows: Vec::new(),
            pairs: Vec::new(),
            versions: 0,
            partners: Vec::new(),
            places: Vec::new(),
            stamp: 0,
            answers: Answers {
                keys: vec![None; ANSWERS],
                generations: vec![0; ANSWERS],
                sets: vec![0; ANSWERS * words],
            },
            asked: Asked {
                process: 0,
                operation: 0,
                place: Place::Other,
                narrow: false,
                answer: 0,
                view: View::Unknown,
            },
            found: vec![0; words],
        }
    }

    /// Turns to another state.
    pub fn enter(&mut self, view: &StateView<'_>) {
        self.stamp += 1;
        let shape = view.system.shape(view.state);
        let count = shape.processes.len();
        let operations = self.footprints.operations.len();
        if self.channels.len() < operations {
            self.channels = self.find_channels(view);
        }
        if self.places.len() < count * operations {
            self.places.resize(count * operations, (0, Place::Other));
            self.partners.resize(count * operations, (0, 0));
        }
        if self.rows.len() < count {
            self.rows.resize(count, Row::default());
            self.pairs.clear();
            let sets = operations + self.footprints.transitions.len();
            if count * count * sets * self.found.len() <= MEETING_WORDS {
                self.pairs.resize(count * count, Pair::default());
            }
        }
        // Where there are two kinds of channel, a number may come to mean one of the other kind.
        let channels = match view.system.program().features.rendezvous {
            true => usize::from(u16::from_le_bytes([view.state[0], view.state[1]])),
            false => shape.channels.len(),
        };
        for (process, entry) in shape.processes.iter().enumerate() {
            let constants = &self.constant_bytes[entry.process_type.index()];
            let constant = |byte: &u32| view.state[(entry.offset + byte) as usize];
            let row = &self.rows[process];
            let is_same = row.version != 0
                && row.process_type == entry.process_type.0
                && row.channels == channels
                && row
                    .constants
                    .iter()
                    .zip(constants)
                    .all(|(kept, byte)| *kept == constant(byte));
            if is_same {
                continue;
            }
            self.versions += 1;
            let places = (0..operations as u32)
                .map(|operation| self.find_place(view, process, operation, Constancy::Instance))
                .collect();
            self.rows[process] = Row {
                version: self.versions,
                process_type: entry.process_type.0,
                channels,
                constants: constants.iter().map(constant).collect(),
                places,
            };
        }
    }

    #[cold]
    fn find_channels(&self, view: &StateView<'_>) -> Vec<Option<Vec<i32>>> {
        let mut known: HashMap<ExpressionId, Option<Vec<i32>>> = HashMap::new();
        let of = |operation: &Operation| match operation.object {
            Object::Channel { name, constancy } | Object::Readiness { name, constancy }
                if constancy != Constancy::Instance =>
            {
                let channels = || bounds::channels(view.system, view.state, &self.writes, name);
                known.entry(name).or_insert_with(channels).clone()
            }
            _ => None,
        };
        self.footprints.operations.iter().map(of).collect()
    }

    /// Asks about an operation of a process, performed in this state or later.
    pub fn ask(&mut self, view: &StateView<'_>, process: usize, operation: u32, now: bool) {
        let later = self.rows[process].places[operation as usize];
        let place = match now {
            true => self.place_now(view, process, operation),
            false => later,
        };
        let value = self.view(view, process, operation, place, now);
        let rendezvous = match place {
            Place::Channel(Some(number)) => view.is_rendezvous(number),
            _ => false,
        };
        self.asked = Asked {
            process,
            operation,
            place,
            narrow: place != later,
            answer: self.answer(operation, rendezvous, value),
            view: value,
        };
    }

    /// Which of the first 64 processes, a bit for each, may ever do something to the object of the operation asked about.
    #[inline]
    pub fn partners(&mut self) -> u64 {
        let Asked {
            process, operation, ..
        } = self.asked;
        let slot = process * self.footprints.operations.len() + operation as usize;
        let (version, known) = self.partners[slot];
        if version == self.versions {
            return known;
        }
        let mut partners = 0;
        for other in 0..self.rows.len().min(64) {
            let meets = self.meeting(process, operation, other) != Meeting::Never;
            partners |= u64::from(meets) << other;
        }
        self.partners[slot] = (self.versions, partners);
        partners
    }

    /// What decides which operations of another process interact with the one asked about, unless
    /// that is different from state to state.
    #[inline]
    pub fn subject(&self, other: usize) -> Option<Subject> {
        let asked = &self.asked;
        (!asked.narrow).then(|| Subject {
            versions: (self.rows[asked.process].version, self.rows[other].version),
            operation: asked.operation,
            answer: (asked.answer as u32, self.answers.generations[asked.answer]),
        })
    }

    /// Finds those of some operations, which are of another process, that interact with the one asked
    /// about. Says whether there are any.
    pub fn find(&mut self, other: usize, among: &Bits, wanted: Option<&Bits>) -> bool {
        let words = self.found.len();
        let asked = self.asked;
        let meeting = self.meeting(asked.process, asked.operation, other);
        let row = asked.operation as usize * words;
        let met = match meeting {
            Meeting::Never => return false,
            Meeting::Pair(pair) => &self.pairs[pair].sets[row..row + words],
            Meeting::NotKept => self.footprints.rivals[asked.operation as usize].words(),
        };
        let answer = &self.answers.sets[asked.answer * words..][..words];
        let sets = answer.iter().zip(met).zip(among.words());
        let mut any = 0;
        for (found, ((answered, met), among)) in self.found.iter_mut().zip(sets) {
            *found = answered & met & among;
            any |= *found;
        }
        if let Some(wanted) = wanted.filter(|_| any != 0) {
            any = 0;
            for (found, wanted) in self.found.iter_mut().zip(wanted.words()) {
                *found &= wanted;
                any |= *found;
            }
        }
        if any == 0 {
            return false;
        }
        let a = self.footprints.operations[asked.operation as usize].action;
        let by_number = matches!(a, Action::Population(_));
        if !asked.narrow && !by_number && meeting != Meeting::NotKept {
            return true;
        }
        let mut any = 0;
        for word in 0..words {
            let mut rest = self.found[word];
            while rest != 0 {
                let bit = rest.trailing_zeros();
                rest &= rest - 1;
                let b = word as u32 * 64 + bit;
                let meets = meet(asked.place, self.rows[other].places[b as usize])
                    && (!by_number || self.ends_interact(a, asked.process, b, other));
                if !meets {
                    self.found[word] &= !(1 << bit);
                }
            }
            any |= self.found[word];
        }
        any != 0
    }

    /// Finds those of some operations, which are of another process, that interact with what a
    /// transition does in states that are not known yet. Says whether there are any; none if that
    /// has to be asked of each operation.
    pub fn find_after(
        &mut self,
        view: &StateView<'_>,
        process: usize,
        transition: u32,
        other: usize,
        among: &Bits,
    ) -> Option<bool> {
        let number = self.pair(process, other)?;
        let words = self.found.len();
        let row = transition as usize * words;
        if !std::mem::replace(
            &mut self.pairs[number].known_after[transition as usize],
            true,
        ) {
            self.pairs[number].sets_after[row..row + words].fill(0);
            let footprints = self.footprints.clone();
            let everything = &footprints.everything;
            for operation in footprints.transitions[transition as usize].after() {
                self.ask(view, process, operation, false);
                if self.find(other, everything, None) {
                    let set = &mut self.pairs[number].sets_after[row..row + words];
                    for (word, more) in set.iter_mut().zip(&self.found) {
                        *word |= more;
                    }
                }
            }
        }
        let set = &self.pairs[number].sets_after[row..row + words];
        let mut any = 0;
        for (word, found) in self.found.iter_mut().enumerate() {
            *found = set[word] & among.words()[word];
            any |= *found;
        }
        Some(any != 0)
    }

    /// Is one of the operations found in this set?
    #[inline]
    pub fn found_in(&self, set: &Bits) -> bool {
        let pairs = self.found.iter().zip(set.words());
        pairs.into_iter().any(|(a, b)| a & b != 0)
    }

    /// Is one of the operations found in this set of operations that the process performs now?
    pub fn found_now(&mut self, view: &StateView<'_>, other: usize, set: &Bits) -> bool {
        for word in 0..self.found.len() {
            let mut rest = self.found[word] & set.words()[word];
            while rest != 0 {
                let b = word as u32 * 64 + rest.trailing_zeros();
                rest &= rest - 1;
                if meet(self.asked.place, self.place_now(view, other, b)) {
                    return true;
                }
            }
        }
        false
    }

    /// Does the order of two possible steps make no difference in this state?
    pub fn independent(&mut self, view: &StateView<'_>, first: Step, second: Step) -> bool {
        let halves = |step: Step| {
            let partner = view.system.partner(view.state, step);
            let own = (step.process as usize, step.transition.0);
            [Some(own), partner.map(|(process, t)| (process, t.0))]
        };
        let (ours, theirs) = (halves(first), halves(second));
        // A timeout hangs on everything, and what is wrong with a guard is no step.
        let special = |step: Step| {
            step.choice == Step::FAULT
                || self.footprints.transitions[step.transition.index()].timeout
        };
        if special(first) || special(second) {
            return false;
        }
        self.enter(view);
        ours.into_iter().flatten().all(|(p, t)| {
            theirs
                .into_iter()
                .flatten()
                .all(|(q, u)| p != q && !self.depend(view, (p, t), (q, u)))
        })
    }

    /// Do two transitions of different processes depend on each other in this state?
    fn depend(&mut self, view: &StateView<'_>, (p, t): (usize, u32), (q, u): (usize, u32)) -> bool {
        let footprints = self.footprints.clone();
        let (ours, theirs) = (
            &footprints.transitions[t as usize],
            &footprints.transitions[u as usize],
        );
        for (position, a) in ours.own.iter().enumerate() {
            if !footprints.rivals[*a as usize].meets(&theirs.all) {
                continue;
            }
            for (other, b) in theirs.own.iter().enumerate() {
                let a = (p, *a, position < ours.first);
                let b = (q, *b, other < theirs.first);
                if self.dependent(view, a, b) {
                    return true;
                }
            }
        }
        false
    }

    /// Do two operations, each performed by its process in this state or later in the same step,
    /// depend on each other in this state?
    fn dependent(
        &mut self,
        view: &StateView<'_>,
        (p, a, a_now): (usize, u32, bool),
        (q, b, b_now): (usize, u32, bool),
    ) -> bool {
        if !self.footprints.rivals[a as usize].contains(b) {
            return false;
        }
        let place = self.place(view, p, a, a_now);
        if !meet(place, self.place(view, q, b, b_now)) {
            return false;
        }
        let value = self.view(view, p, a, place, a_now && b_now);
        let rendezvous = match place {
            Place::Channel(Some(number)) => view.is_rendezvous(number),
            _ => false,
        };
        let (a, b) = (
            &self.footprints.operations[a as usize],
            &self.footprints.operations[b as usize],
        );
        if a.object == Object::Everything || b.object == Object::Everything {
            return true;
        }
        if let Some(dependent) = self
            .footprints
            .tables
            .dependent(a.action, b.action, known(&value))
        {
            return dependent;
        }
        match (by(a.action, p), by(b.action, q)) {
            (Action::Variable(a), Action::Variable(b)) => objects::dependent_in(
                objects::Operation::Variable(a),
                objects::Operation::Variable(b),
                &value,
            ),
            (Action::Channel(a), Action::Channel(b)) if rendezvous => halves_interact(a, b),
            (Action::Channel(a), Action::Channel(b)) if self.refined => objects::dependent_in(
                objects::Operation::Fifo(a),
                objects::Operation::Fifo(b),
                &value,
            ),
            (Action::Channel(a), Action::Channel(b)) => !(is_test(a) && is_test(b)),
            (Action::Population(a), Action::Population(b)) => objects::dependent_in(
                objects::Operation::Population(a),
                objects::Operation::Population(b),
                &value,
            ),
            _ => true,
        }
    }

    /// What an operation of a process is performed on, if in this state or if later.
    pub fn place(
        &mut self,
        view: &StateView<'_>,
        process: usize,
        operation: u32,
        now: bool,
    ) -> Place {
        match now {
            true => self.place_now(view, process, operation),
            false => self.rows[process].places[operation as usize],
        }
    }

    /// What an operation of a process is performed on in this state, worked out once.
    #[inline]
    fn place_now(&mut self, view: &StateView<'_>, process: usize, operation: u32) -> Place {
        let constancy = match self.footprints.operations[operation as usize].object {
            Object::Memory { constancy, .. }
            | Object::Channel { constancy, .. }
            | Object::Readiness { constancy, .. } => constancy,
            _ => Constancy::Instance,
        };
        if constancy != Constancy::Standing {
            return self.rows[process].places[operation as usize];
        }
        let slot = process * self.footprints.operations.len() + operation as usize;
        let (stamp, known) = self.places[slot];
        if stamp == self.stamp {
            return known;
        }
        let place = self.find_place(view, process, operation, Constancy::Standing);
        self.places[slot] = (self.stamp, place);
        place
    }

    /// What an operation of a process is performed on, as far as it stays the same for so long.
    fn find_place(
        &self,
        view: &StateView<'_>,
        process: usize,
        operation: u32,
        limit: Constancy,
    ) -> Place {
        match self.footprints.operations[operation as usize].object {
            Object::Memory {
                place,
                start,
                end,
                kind,
                hidden,
                constancy,
            } => {
                let base = if hidden { 1 << 24 } else { 0 };
                if constancy <= limit
                    && end - start > kind.bytes()
                    && view.is_of_type(process, self.type_of(operation))
                    && let Some(offset) = view.offset(process, place)
                {
                    return Place::Bytes(base + offset, base + offset + kind.bytes());
                }
                Place::Bytes(base + start, base + end)
            }
            Object::Channel { name, constancy } | Object::Readiness { name, constancy } => {
                let is_known =
                    constancy <= limit && view.is_of_type(process, self.type_of(operation));
                let number = match is_known {
                    true => view.system.value(view.state, process, name).ok(),
                    false => None,
                };
                if let (None, Some(channels)) = (number, &self.channels[operation as usize])
                    && channels.iter().all(|number| view.exists(*number))
                {
                    let bits = channels.iter().map(|number| 1 << (number % 64));
                    return Place::Channels(bits.fold(0, |all, bit| all | bit));
                }
                // One that does not exist may come to be.
                Place::Channel(number.filter(|number| view.exists(*number)))
            }
            Object::Unborn => Place::Unborn,
            Object::Remote { .. }
            | Object::Presence(_)
            | Object::Population
            | Object::Everything => Place::Other,
        }
    }

    fn type_of(&self, operation: u32) -> u32 {
        self.footprints.operations[operation as usize].process_type
    }

    /// What is known of the object's value, if the operation happens in this state.
    fn view(
        &self,
        view: &StateView<'_>,
        process: usize,
        operation: u32,
        place: Place,
        now: bool,
    ) -> View {
        if !now || !self.refined {
            return View::Unknown;
        }
        match (self.footprints.operations[operation as usize].object, place) {
            (
                Object::Memory {
                    place,
                    kind,
                    start,
                    end,
                    constancy,
                    ..
                },
                _,
            ) if constancy <= Constancy::Standing || end - start == kind.bytes() => {
                match view.load(process, place) {
                    Some(value) => View::Variable(variable::View {
                        value: i64::from(value),
                        domain: domain(kind),
                    }),
                    None => View::Unknown,
                }
            }
            (Object::Channel { .. }, Place::Channel(Some(number))) => {
                view.channel(number, self.footprints.disorderly)
            }
            (Object::Population, _) => view.population(),
            _ => View::Unknown,
        }
    }

    /// Where the set of operations is that an operation interacts with in this value of its object.
    fn answer(&mut self, operation: u32, rendezvous: bool, value: View) -> usize {
        let key = (operation, rendezvous, value);
        let mut hasher = Mixer(0);
        key.hash(&mut hasher);
        let slot = hasher.finish() as usize % ANSWERS;
        if self.answers.keys[slot] == Some(key) {
            return slot;
        }
        self.answers.keys[slot] = Some(key);
        self.answers.generations[slot] += 1;
        let words = self.found.len();
        let a = self.footprints.operations[operation as usize].action;
        for word in 0..words {
            let mut set = 0;
            let mut rivals = self.footprints.rivals[operation as usize].words()[word];
            while rivals != 0 {
                let bit = rivals.trailing_zeros();
                rivals &= rivals - 1;
                let b = self.footprints.operations[word * 64 + bit as usize].action;
                set |= u64::from(self.interacts(a, b, rendezvous, &value)) << bit;
            }
            self.answers.sets[slot * words + word] = set;
        }
        slot
    }

    /// Might the second action interact with the first? Which ends of processes do is asked later.
    fn interacts(&self, a: Action, b: Action, rendezvous: bool, value: &View) -> bool {
        if let Some(interacts) = self.footprints.tables.might_interact(a, b, known(value)) {
            return interacts;
        }
        match (a, b) {
            (Action::Variable(a), Action::Variable(b)) => objects::might_interact(
                objects::Operation::Variable(a),
                objects::Operation::Variable(b),
                value,
            ),
            (Action::Channel(a), Action::Channel(b)) => {
                if rendezvous {
                    return halves_interact(a, b);
                }
                if !self.refined {
                    // Unrefined: all operations on a channel but two tests are dependent.
                    return !(is_test(a) && is_test(b));
                }
                objects::might_interact(
                    objects::Operation::Fifo(a),
                    objects::Operation::Fifo(b),
                    value,
                )
            }
            // A channel appears or vanishes, or one of them may be anything.
            _ => true,
        }
    }

    fn ends_interact(&self, a: Action, process: usize, b: u32, other: usize) -> bool {
        // The end of whoever it may be.
        let of_anybody = [self.asked.operation, b]
            .map(|number| self.footprints.operations[number as usize].object == Object::Everything);
        if of_anybody.contains(&true) {
            return true;
        }
        let b = self.footprints.operations[b as usize].action;
        match (by(a, process), by(b, other)) {
            (Action::Population(a), Action::Population(b)) => objects::might_interact(
                objects::Operation::Population(a),
                objects::Operation::Population(b),
                &self.asked.view,
            ),
            _ => true,
        }
    }

    /// The number of a pair of processes, if what may meet is kept.
    #[inline]
    fn pair(&mut self, process: usize, other: usize) -> Option<usize> {
        if self.pairs.is_empty() {
            return None;
        }
        let number = process * self.rows.len() + other;
        let versions = (self.rows[process].version, self.rows[other].version);
        if self.pairs[number].versions != versions {
            self.begin_pair(number, versions);
        }
        Some(number)
    }

    /// Forgets what was known of a pair that has become another one.
    #[cold]
    fn begin_pair(&mut self, number: usize, versions: (u64, u64)) {
        let operations = self.footprints.operations.len();
        let transitions = self.footprints.transitions.len();
        let words = self.found.len();
        let pair = &mut self.pairs[number];
        pair.versions = versions;
        pair.known.clear();
        pair.known.resize(operations, Known::Nothing);
        pair.sets.resize(operations * words, 0);
        pair.known_after.clear();
        pair.known_after.resize(transitions, false);
        pair.sets_after.resize(transitions * words, 0);
    }

    /// Which operations of another process may meet an operation, now or later.
    #[inline]
    fn meeting(&mut self, process: usize, operation: u32, other: usize) -> Meeting {
        let Some(number) = self.pair(process, other) else {
            return Meeting::NotKept;
        };
        match self.pairs[number].known[operation as usize] {
            Known::Never => Meeting::Never,
            Known::Set => Meeting::Pair(number),
            Known::Nothing => self.work_out_meeting(process, operation, other, number),
        }
    }

    #[cold]
    fn work_out_meeting(
        &mut self,
        process: usize,
        operation: u32,
        other: usize,
        number: usize,
    ) -> Meeting {
        let words = self.found.len();
        let pair = &mut self.pairs[number];
        let place = self.rows[process].places[operation as usize];
        let machine = &self.footprints.machine[self.rows[other].process_type as usize];
        let mut any = 0;
        for word in 0..words {
            let mut set = 0;
            let mut rivals = self.footprints.rivals[operation as usize].words()[word];
            rivals &= machine.words()[word];
            while rivals != 0 {
                let bit = rivals.trailing_zeros();
                rivals &= rivals - 1;
                let b = word * 64 + bit as usize;
                set |= u64::from(meet(place, self.rows[other].places[b])) << bit;
            }
            pair.sets[operation as usize * words + word] = set;
            any |= set;
        }
        let (known, meeting) = match any {
            0 => (Known::Never, Meeting::Never),
            _ => (Known::Set, Meeting::Pair(number)),
        };
        pair.known[operation as usize] = known;
        meeting
    }
}

/// The value of a variable, if it is known.
fn known(view: &View) -> Option<i64> {
    match view {
        View::Variable(view) => Some(view.value),
        _ => None,
    }
}

/// An action as one of that process.
fn by(action: Action, process: usize) -> Action {
    use population::Operation::End;
    match action {
        Action::Population(End(number)) if number != NEWBORN => {
            Action::Population(End(process as u32))
        }
        action => action,
    }
}

/// Do two operations on a rendezvous channel have to do with each other? A send and a receive
/// that could be its other half do; nothing else, since the channel has no contents.
fn halves_interact(a: fifo::Operation, b: fifo::Operation) -> bool {
    use fifo::Operation::{Receive, Send, SortedSend};
    let half = |operation| match operation {
        Send(message) | SortedSend(message) => Some(rendezvous::Operation::OfferSend(message)),
        Receive(_, pattern) => Some(rendezvous::Operation::OfferReceive(pattern)),
        _ => None,
    };
    match (half(a), half(b)) {
        (Some(a), Some(b)) => rendezvous::dependent(a, b),
        _ => false,
    }
}

/// Does an operation on a channel leave it as it is?
pub(crate) fn is_test(operation: fifo::Operation) -> bool {
    use fifo::Operation::{Receive, Send, SortedSend};
    !matches!(operation, Send(_) | SortedSend(_) | Receive(..))
}

fn domain(kind: mazurka_model::Kind) -> variable::Domain {
    use mazurka_model::Kind;
    let (low, high) = match kind {
        Kind::Bit => (0, 1),
        Kind::Byte => (0, 255),
        Kind::Short => (-32768, 32767),
        Kind::Int | Kind::Unsigned(32) => (i64::from(i32::MIN), i64::from(i32::MAX)),
        Kind::Unsigned(bits) => (0, (1 << bits) - 1),
    };
    variable::Domain { low, high }
}
