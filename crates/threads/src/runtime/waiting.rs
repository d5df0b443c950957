//! Loops that wait: an actor that has come to a place a second time with nothing changed, in its own
//! memory or by it, would go round for ever. It waits until one of the places that it looked at on
//! the way is changed by somebody else.
//!
//! What an actor is like at a place is told by its registers and its stack; whatever else it writes
//! counts as a change. An atomic variable on its own stack that it looks at is no part of that: others write it, and when they do
//! is a matter of steps. Nor is what others write there ([`foreign`](super::foreign)).

use mazurka_runtime::{Kernel, ObjectId, ObjectKind, Operation};

use super::state::{self, perform_after};
use super::switch::MAZURKA_REGISTERS;

/// How many visits, and how many looks, are remembered.
const VISITS: usize = 16;
const LOOKS: usize = 32;
/// How many objects an actor can wait for.
pub const WATCHED: usize = Operation::OBJECTS;
/// How many atomic variables on its own stack an actor can look at.
const OWN: usize = 8;
/// Deeper stacks are not compared.
const DEEPEST: usize = 64 << 10;

/// What an actor has looked at since something changed.
#[derive(Clone, Copy)]
pub struct Window {
    /// Whether the actor has written anything.
    pub has_changed: bool,
    /// What it was like where it looked, and how many looks there had been before.
    visits: [(u64, usize); VISITS],
    count: usize,
    /// What it has looked at, one look after the other, and which version it saw.
    looked: [(ObjectId, u32); LOOKS],
    looks: usize,
    /// Atomic variables on its own stack that it has looked at: address and size.
    own: [(usize, usize); OWN],
    owned: usize,
}

impl Window {
    fn clear(&mut self) {
        self.has_changed = false;
        self.count = 0;
        self.looks = 0;
    }

    /// Whether memory holds an atomic variable on the actor's own stack that it has looked at.
    #[inline]
    pub fn is_looked_at(&self, address: usize, size: usize) -> bool {
        let own = &self.own[..self.owned.min(OWN)];
        own.iter()
            .any(|&(start, length)| address < start + length && start < address + size)
    }

    /// Notes a look at an atomic variable on the actor's own stack.
    fn note_own(&mut self, address: usize, size: usize) {
        let own = &self.own[..self.owned.min(OWN)];
        if own.contains(&(address, size)) {
            return;
        }
        if let Some(place) = self.own.get_mut(self.owned) {
            *place = (address, size);
        }
        self.owned = (self.owned + 1).min(OWN + 1);
    }

    /// Forgets the older half of the looks, and visits before them.
    fn forget(&mut self) {
        const HALF: usize = LOOKS / 2;
        self.looked.copy_within(HALF.., 0);
        self.looks -= HALF;
        let mut kept = 0;
        for at in 0..self.count {
            let (here, before) = self.visits[at];
            if before >= HALF {
                self.visits[kept] = (here, before - HALF);
                kept += 1;
            }
        }
        self.count = kept;
    }

    /// What it has looked at since there had been this many looks; nothing if that is more than can be waited for.
    fn since(&self, before: usize) -> Option<([(ObjectId, u32); WATCHED], usize)> {
        let (mut all, mut count) = ([(ObjectId::NONE, 0); WATCHED], 0);
        for look in &self.looked[before..self.looks] {
            if all[..count].contains(look) {
                continue;
            }
            *all.get_mut(count)? = *look;
            count += 1;
        }
        Some((all, count))
    }
}

fn window() -> &'static mut Window {
    &mut state::thread().window
}

/// The running actor has changed something that others see.
pub fn changed() {
    window().clear();
}

/// The running actor has looked at an object.
pub fn looked(id: ObjectId) {
    let version = state::kernel().object(id).version;
    let window = window();
    let mut before = window.looked[..window.looks].iter();
    if before.any(|(other, seen)| *other == id && *seen != version) {
        window.clear();
    }
    if window.looks == LOOKS {
        window.forget();
    }
    window.looked[window.looks] = (id, version);
    window.looks += 1;
}

/// Performs an operation that may only look. If the actor has been here before and nothing has changed,
/// it waits until something does.
pub fn perform_looking(
    operation: Operation,
    from: usize,
    refresh: impl FnOnce(&mut Kernel, usize),
) -> i64 {
    if std::mem::take(&mut window().has_changed) {
        window().clear();
    }
    note_own(operation.object);
    let here = fingerprint(from, operation.object);
    let window = window();
    let mut visits = window.visits[..window.count].iter_mut();
    let known = visits.find(|(other, _)| here != 0 && *other == here);
    let before = known.as_ref().map(|(_, before)| *before);
    if let Some(known) = known {
        known.1 = window.looks;
    }
    if let Some((watched, count)) = before.and_then(|before| window.since(before))
        && can_await(&operation, &watched[..count])
    {
        window.clear();
        return perform_awaiting(operation, &watched[..count], refresh);
    }
    if here != 0 && before.is_none() {
        if window.count == VISITS {
            window.visits.copy_within(1.., 0);
            window.count -= 1;
        }
        window.visits[window.count] = (here, window.looks);
        window.count += 1;
    }
    perform_after(operation, refresh)
}

/// Whether an operation can wait for a change of these objects: it is about one of them; and it is about a variable, and so are all
/// others but one, if there are others.
fn can_await(operation: &Operation, watched: &[(ObjectId, u32)]) -> bool {
    let is_cell = |id| state::kernel().object(id).kind == ObjectKind::VARIABLE;
    let others = watched.iter().filter(|(id, _)| !is_cell(*id)).count();
    let is_own = watched.iter().any(|(id, _)| *id == operation.object);
    is_own && (watched.len() == 1 || is_cell(operation.object) && others <= 1)
}

/// Performs an operation once one of these objects has another version, and gives its result.
pub fn perform_awaiting(
    operation: Operation,
    watched: &[(ObjectId, u32)],
    refresh: impl FnOnce(&mut Kernel, usize),
) -> i64 {
    let (operation, versions) = awaiting(operation, watched);
    state::kernel().await_change(state::current(), versions);
    perform_after(operation, refresh)
}

/// The same for an actor that sleeps until somebody wakes it by changing this object.
pub fn perform_sleeping(operation: Operation, version: u32) {
    state::kernel().sleep_until_change(state::current(), version);
    perform_after(operation, |_, _| ());
}

/// An operation that concerns all that is watched, and the versions of these objects.
fn awaiting(operation: Operation, watched: &[(ObjectId, u32)]) -> (Operation, [u32; WATCHED]) {
    let is_cell = |id| state::kernel().object(id).kind == ObjectKind::VARIABLE;
    let others = || watched.iter().filter(|(id, _)| *id != operation.object);
    let locks = others().filter(|(id, _)| !is_cell(*id));
    let cells = others().filter(|(id, _)| is_cell(*id));
    let operation = operation.beside_all(locks.chain(cells).map(|(id, _)| *id));
    let seen = |id: ObjectId| watched.iter().find(|(other, _)| *other == id);
    let mut versions = [0; WATCHED];
    for (version, id) in versions.iter_mut().zip(operation.objects()) {
        *version = seen(id).map_or(0, |(_, version)| *version);
    }
    (operation, versions)
}

/// Tries something; tells whether it succeeded. Where it did not, it was a look.
pub fn attempt(operation: Operation, from: usize) -> bool {
    let succeeded = perform_looking(operation, from, |_, _| ()) != 0;
    match succeeded {
        true => changed(),
        false => looked(operation.object),
    }
    succeeded
}

/// Lets others go first, which changes nothing.
pub fn pass(operation: Operation) {
    pass_with(operation);
}

/// Performs an operation that changes nothing; its result.
pub fn pass_with(operation: Operation) -> i64 {
    perform_after(operation, |_, _| ())
}

/// If an object is an atomic variable on the running actor's stack, notes that it looks at it.
fn note_own(id: ObjectId) {
    let object = state::kernel().object(id);
    let address = state::kernel().addresses.address(id);
    if let Some(address) = address
        && object.kind == ObjectKind::VARIABLE
        && state::is_on_own_stack(address as usize)
    {
        let size = object.bound as usize / 8;
        window().note_own(address as usize, size.max(1));
    }
}

/// What tells the present state of the running actor from others: where it is, its registers and its
/// stack. Zero if that is not known.
fn fingerprint(from: usize, object: ObjectId) -> u64 {
    // SAFETY: written by the function that the running actor has called, and nobody else runs.
    let registers = unsafe { (&raw const MAZURKA_REGISTERS).read() };
    let (low, high) = (registers[0], state::stack_top());
    // On a stack that the program has made for itself, nobody knows where it begins; and what a program does to memory is not always seen.
    if super::preload::is_on() || low > high || high - low > DEEPEST {
        return 0;
    }
    let window = window();
    let foreign = &state::thread().foreign;
    if window.owned > OWN || foreign.is_full() {
        return 0;
    }
    let mut hash = from as u64 ^ u64::from(object.0) << 48;
    let mut mix = |word: u64| {
        hash = (hash ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        hash ^= hash >> 29;
    };
    registers.iter().for_each(|&word| mix(word as u64));
    let mut at = low & !7;
    while at < high {
        // SAFETY: a word of the running actor's stack.
        let word = unsafe { (at as *const u64).read_volatile() };
        let mut word = foreign.without(at, word);
        if window.is_looked_at(at, 8) {
            let is_other = |byte: &usize| !window.is_looked_at(at + byte, 1);
            let others = (0..8).filter(is_other);
            word &= others.fold(0, |mask, byte| mask | 0xff << (8 * byte));
        }
        mix(word);
        at += 8;
    }
    hash | 1
}
