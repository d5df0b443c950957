//! Loops that wait: an actor that yields twice in the same state, having only looked at objects in between, would go round for ever. It
//! waits until one of the objects that it looked at is changed by somebody else.
//!
//! What an actor is like is told by its registers, its stack and what its closure has captured. A loop that counts its rounds in other
//! memory is taken to be in the same state: the book says so.
//!
//! **Why it is sound.** Registers and the stack of the running actor are read as bytes, from where it stands to where its stack begins; so is
//! its closure, which lives as long as the actor runs it.

use mazurka_runtime::{Kernel, Kind, ObjectId, Operation};

/// How many objects an actor can wait for.
const WATCHED: usize = Operation::OBJECTS;
/// Deeper stacks are not compared.
const DEEPEST: usize = 64 << 10;

/// What an actor has looked at since it last yielded.
#[derive(Clone, Copy, Default)]
pub(crate) struct Window {
    /// What the actor was like when it yielded last; zero if that is not known, or if it has changed something since.
    state: u64,
    looked: [Option<(ObjectId, u32)>; WATCHED],
    /// Whether it looked at more than can be waited for.
    has_more: bool,
    /// Whether its next look waits for a change.
    waits: bool,
}

impl Window {
    /// The actor yields in this state.
    pub fn pass(&mut self, state: u64) {
        self.waits =
            state != 0 && state == self.state && !self.has_more && self.looked[0].is_some();
        if !self.waits {
            self.looked = [None; WATCHED];
        }
        self.has_more = false;
        self.state = state;
    }

    /// Whether the next look of the actor waits for a change.
    #[inline]
    pub fn waits(&self) -> bool {
        self.waits
    }

    /// The operation that the actor is about to perform, and the versions of its objects that it waits to see changed, if it waits.
    pub fn before(&mut self, operation: Operation) -> (Operation, Option<[u32; WATCHED]>) {
        if operation.kind == Kind::YIELD {
            return (operation, None);
        }
        self.waits = false;
        let looked = std::mem::take(&mut self.looked);
        let known = || looked.iter().flatten();
        let is_own = known().any(|(id, _)| *id == operation.object);
        if !is_own || !may_look(operation.kind) {
            return (operation, None);
        }
        let others = known().filter(|(id, _)| *id != operation.object);
        let operation = operation.beside_all(others.map(|(id, _)| *id));
        let mut versions = [0; WATCHED];
        for (version, id) in versions.iter_mut().zip(operation.objects()) {
            let seen = known().find(|(other, _)| *other == id);
            *version = seen.map_or(0, |(_, version)| *version);
        }
        (operation, Some(versions))
    }

    /// The actor has performed an operation, with this result.
    #[inline]
    pub fn after(&mut self, kernel: &Kernel, operation: &Operation, result: i64) {
        if operation.kind == Kind::YIELD {
            return;
        }
        let object = || kernel.object(operation.object);
        let is_look = match operation.kind {
            Kind::READ => true,
            Kind::COMPARE_EXCHANGE => object().cell_width().wrap(operation.argument) != result,
            _ => false,
        };
        if !is_look {
            *self = Window::default();
            return;
        }
        let seen = (operation.object, object().version);
        let is_same = |place: &&mut Option<(ObjectId, u32)>| {
            place.is_none_or(|(id, _)| id == operation.object)
        };
        match self.looked.iter_mut().find(is_same) {
            Some(place) => *place = Some(seen),
            None => self.has_more = true,
        }
    }
}

/// Whether an operation may tell that nothing has changed.
fn may_look(kind: Kind) -> bool {
    matches!(kind, Kind::READ | Kind::COMPARE_EXCHANGE)
}

/// The registers that the caller still needs, the stack pointer first.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
pub(crate) fn registers() -> [u64; 7] {
    let mut kept = [0; 7];
    // SAFETY: writes to the array alone. All that the caller still needs is in its frame or in these registers, because a call may
    // change all others.
    unsafe {
        std::arch::asm!(
            "mov [rdi], rsp",
            "mov [rdi + 8], rbx",
            "mov [rdi + 16], rbp",
            "mov [rdi + 24], r12",
            "mov [rdi + 32], r13",
            "mov [rdi + 40], r14",
            "mov [rdi + 48], r15",
            inlateout("rdi") kept.as_mut_ptr() => _,
            clobber_abi("C"),
            options(nostack),
        );
    }
    kept
}

/// Elsewhere it is not known what an actor is like, and no loop waits.
#[cfg(not(target_arch = "x86_64"))]
#[inline(always)]
pub(crate) fn registers() -> [u64; 7] {
    [0; 7]
}

/// What tells the present state of the running actor from others: its registers, its stack up to where that begins, and its closure. Zero if
/// that is not known.
///
/// # Safety
///
/// The registers are those of a function that has not returned, on a stack that begins there; the closure lives.
pub(crate) unsafe fn fingerprint(
    registers: &[u64; 7],
    base: usize,
    closure: (usize, usize),
) -> u64 {
    let low = registers[0] as usize & !7;
    if low == 0 || base.saturating_sub(low) > DEEPEST || base < low {
        return 0;
    }
    let mut hash = 0u64;
    let mut mix = |word: u64| {
        hash = (hash ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        hash ^= hash >> 29;
    };
    registers.iter().for_each(|&word| mix(word));
    let mut at = low;
    while at + 8 <= base {
        // SAFETY: a word of the running actor's stack.
        mix(unsafe { (at as *const u64).read_volatile() });
        at += 8;
    }
    let (start, size) = closure;
    for at in start..start + size {
        // SAFETY: a byte of the closure.
        mix(unsafe { (at as *const u8).read_volatile() }.into());
    }
    hash | 1
}
