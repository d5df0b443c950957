//! Loops that wait: an actor that has come to a place a second time with nothing changed, in its own
//! memory or by it, would go round for ever. It waits until one of the places that it looked at on
//! the way is changed by somebody else.
//!
//! What an actor is like at a place is told by its registers and its stack; whatever else it writes
//! counts as a change.

use mazurka_runtime::{Kernel, ObjectId, ObjectKind, Operation};

use super::state::{self, perform_after};
use super::switch::MAZURKA_REGISTERS;

/// How many visits are remembered.
const VISITS: usize = 16;
/// How many objects an actor can wait for.
pub const WATCHED: usize = 2;
/// Deeper stacks are not compared.
const DEEPEST: usize = 64 << 10;

/// What an actor has looked at since something changed.
#[derive(Clone, Copy)]
pub struct Window {
    /// Whether the actor has written anything.
    pub has_changed: bool,
    visits: [u64; VISITS],
    count: usize,
    /// What it has looked at, and which version it saw.
    looked: [(ObjectId, u32); WATCHED],
    watched: usize,
    /// Whether it looked at more than can be waited for.
    has_more: bool,
}

impl Window {
    fn clear(&mut self) {
        self.has_changed = false;
        self.count = 0;
        self.watched = 0;
        self.has_more = false;
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
    let known = window.looked[..window.watched]
        .iter()
        .position(|(other, _)| *other == id);
    match known {
        Some(at) if window.looked[at].1 == version => {}
        Some(_) => {
            window.clear();
            looked(id);
        }
        None if window.watched < WATCHED => {
            window.looked[window.watched] = (id, version);
            window.watched += 1;
        }
        None => window.has_more = true,
    }
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
    let here = fingerprint(from, operation.object);
    let window = window();
    let known = here != 0 && window.visits[..window.count].contains(&here);
    if known && !window.has_more && window.watched > 0 {
        let watched = window.looked;
        let count = window.watched;
        let is_own = watched[..count]
            .iter()
            .any(|(id, _)| *id == operation.object);
        // Only an atomic can be waited for together with something else.
        let is_cell = state::kernel().object(operation.object).kind == ObjectKind::VARIABLE;
        if is_own && (count == 1 || is_cell) {
            window.clear();
            return perform_awaiting(operation, &watched[..count], refresh);
        }
    }
    if here != 0 && !known {
        if window.count == VISITS {
            window.visits.copy_within(1.., 0);
            window.count -= 1;
        }
        window.visits[window.count] = here;
        window.count += 1;
    }
    perform_after(operation, refresh)
}

/// Performs an operation once one of these objects has another version, and gives its result.
pub fn perform_awaiting(
    operation: Operation,
    watched: &[(ObjectId, u32)],
    refresh: impl FnOnce(&mut Kernel, usize),
) -> i64 {
    let own = watched.iter().find(|(id, _)| *id == operation.object);
    let other = watched.iter().find(|(id, _)| *id != operation.object);
    let mut operation = operation;
    if let Some((id, _)) = other {
        operation = operation.beside(*id);
    }
    let versions = [own.map_or(0, |own| own.1), other.map_or(0, |other| other.1)];
    state::kernel().await_change(state::current(), versions);
    perform_after(operation, refresh)
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

/// What tells the present state of the running actor from others: where it is, its registers and its
/// stack. Zero if that is not known.
fn fingerprint(from: usize, object: ObjectId) -> u64 {
    // SAFETY: written by the function that the running actor has called, and nobody else runs.
    let registers = unsafe { (&raw const MAZURKA_REGISTERS).read() };
    let (low, high) = (registers[0], state::stack_top());
    // On a stack that the program has made for itself, nobody knows where it begins.
    if low > high || high - low > DEEPEST {
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
        mix(unsafe { (at as *const u64).read_volatile() });
        at += 8;
    }
    hash | 1
}
