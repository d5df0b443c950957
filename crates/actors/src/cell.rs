//! Plain memory that actors share, and the races about it.
//!
//! An access is no step. Each is checked against those before it, by what happens before what according to the memory orders that were
//! written: two that nothing orders, one of them a write, are a `data-race`, in whatever order they came.
//!
//! The methods are those of loom, so that an access has a beginning and an end: both are checked, because what is written after a
//! store with release inside of the closure is not passed on by that store.
//!
//! **Why it is sound.** The cell hands out pointers, as that of `std` does; who uses them says why that is right. The list of accesses is
//! used between two hand-overs only.

use std::cell::RefCell;
use std::fmt;
use std::panic::Location;

use mazurka_runtime::accesses::{Access, FREE, Found, WRITE, judge};
use mazurka_runtime::{Ending, Failure, FailureKind, Kernel};

use crate::coroutine::{Running, doubt, is_refined, place, with_memory};

/// A cell of plain memory. Like that of `std`, but each access is checked.
///
/// ```
/// use mazurka_actors::cell::UnsafeCell;
/// use mazurka_actors::thread;
/// use std::sync::Arc;
///
/// struct Shared(UnsafeCell<u32>);
/// unsafe impl Sync for Shared {}
///
/// let outcome = mazurka_actors::Explorer::new().run(|| {
///     let shared = Arc::new(Shared(UnsafeCell::new(0)));
///     let other = shared.clone();
///     thread::spawn(move || other.0.with_mut(|value| unsafe { *value = 1 }));
///     shared.0.with(|value| unsafe { *value });
/// });
/// assert_eq!(outcome.violations[0].kind().name(), "data-race");
/// ```
pub struct UnsafeCell<T: ?Sized> {
    accesses: Accesses,
    value: std::cell::UnsafeCell<T>,
}

/// The accesses to a cell that a later one could be in a race with.
struct Accesses {
    kept: RefCell<Kept>,
    is_empty: bool,
    /// Where the cell was made.
    made: &'static Location<'static>,
}

struct Kept {
    execution: u64,
    accesses: Vec<Access>,
}

/// A pointer to what is in a cell, for reading. The access lasts as long as it lives.
pub struct ConstPtr<'c, T: ?Sized> {
    accesses: &'c Accesses,
    value: *const T,
}

/// A pointer to what is in a cell, for writing. The access lasts as long as it lives.
pub struct MutPtr<'c, T: ?Sized> {
    accesses: &'c Accesses,
    value: *mut T,
}

impl<T> UnsafeCell<T> {
    /// A cell with this value.
    #[track_caller]
    pub const fn new(value: T) -> UnsafeCell<T> {
        UnsafeCell {
            accesses: Accesses {
                kept: RefCell::new(Kept {
                    execution: 0,
                    accesses: vec![],
                }),
                is_empty: size_of::<T>() == 0,
                made: Location::caller(),
            },
            value: std::cell::UnsafeCell::new(value),
        }
    }

    /// Its value at last.
    #[track_caller]
    pub fn into_inner(self) -> T {
        self.accesses.note(WRITE);
        let UnsafeCell { accesses, value } = self;
        // That it is gone has been noted.
        std::mem::forget(accesses);
        value.into_inner()
    }
}

impl<T: ?Sized> UnsafeCell<T> {
    /// Reads: the closure may use the pointer, and must not write.
    #[track_caller]
    pub fn with<R>(&self, look: impl FnOnce(*const T) -> R) -> R {
        self.accesses.note(0);
        let result = look(self.value.get());
        self.accesses.note(0);
        result
    }

    /// Writes: the closure may use the pointer.
    #[track_caller]
    pub fn with_mut<R>(&self, change: impl FnOnce(*mut T) -> R) -> R {
        self.accesses.note(WRITE);
        let result = change(self.value.get());
        self.accesses.note(WRITE);
        result
    }

    /// A pointer for reading.
    #[track_caller]
    pub fn get(&self) -> ConstPtr<'_, T> {
        self.accesses.note(0);
        ConstPtr {
            accesses: &self.accesses,
            value: self.value.get(),
        }
    }

    /// A pointer for writing.
    #[track_caller]
    pub fn get_mut(&self) -> MutPtr<'_, T> {
        self.accesses.note(WRITE);
        MutPtr {
            accesses: &self.accesses,
            value: self.value.get(),
        }
    }
}

impl<T: ?Sized> ConstPtr<'_, T> {
    /// What is in the cell.
    ///
    /// # Safety
    ///
    /// Nobody writes to it meanwhile.
    pub unsafe fn deref(&self) -> &T {
        // SAFETY: the caller's promise.
        unsafe { &*self.value }
    }

    /// Uses the pointer.
    pub fn with<R>(&self, look: impl FnOnce(*const T) -> R) -> R {
        look(self.value)
    }
}

impl<T: ?Sized> MutPtr<'_, T> {
    /// What is in the cell.
    ///
    /// # Safety
    ///
    /// Nobody else uses it meanwhile.
    #[allow(clippy::mut_from_ref)]
    pub unsafe fn deref(&self) -> &mut T {
        // SAFETY: the caller's promise.
        unsafe { &mut *self.value }
    }

    /// Uses the pointer.
    pub fn with<R>(&self, change: impl FnOnce(*mut T) -> R) -> R {
        change(self.value)
    }
}

impl<T: ?Sized> Drop for ConstPtr<'_, T> {
    #[track_caller]
    fn drop(&mut self) {
        self.accesses.note(0);
    }
}

impl<T: ?Sized> Drop for MutPtr<'_, T> {
    #[track_caller]
    fn drop(&mut self) {
        self.accesses.note(WRITE);
    }
}

impl Drop for Accesses {
    #[track_caller]
    fn drop(&mut self) {
        self.note(WRITE | FREE);
    }
}

impl Accesses {
    /// The running actor accesses the cell.
    #[track_caller]
    fn note(&self, what: u8) {
        let place = place_if_known();
        with_memory(|memory, kernel, running| {
            let Running { actor, execution } = running;
            if kernel.ending != Ending::NONE {
                return;
            }
            let mut kept = self.kept.borrow_mut();
            if kept.execution != execution {
                if kept.execution != 0 && !self.is_empty && what & FREE == 0 {
                    doubt(OUTLIVES);
                }
                kept.execution = execution;
                kept.accesses.clear();
            }
            if is_refined(kernel) {
                doubt(REFINED);
            }
            let now = memory.now(actor);
            let access = Access {
                time: now.0[actor],
                place,
                actor: actor as u8,
                bytes: 1,
                what,
                is_step: false,
            };
            let found = (kept.accesses.iter()).find_map(|other| judge(other, &access, now));
            kept.accesses.retain(|other| !access.stands_for(other, now));
            kept.accesses.push(access);
            match found {
                // Reference counts of `std` are not seen, and they would have ordered the two.
                Some(Found::Race(_)) if what & FREE != 0 => doubt(DROPPED),
                Some(Found::Race(other)) => report(kernel, self.made, &access, &other),
                _ => {}
            }
        });
    }
}

const OUTLIVES: &str = "a cell keeps its contents from one execution to the next";
const REFINED: &str = "where accesses to cells are checked, dependency cannot look at values: of two stores of the same value, \
                       the last decides what is passed on, and so which accesses race";
const DROPPED: &str = "a cell was dropped, and nothing that is seen orders that after an access by another actor: unless a reference \
                       count of std does, it is a race; join the actors first";

#[track_caller]
fn place_if_known() -> u16 {
    match crate::coroutine::is_exploring() {
        true => place(),
        false => 0,
    }
}

#[cold]
fn report(kernel: &mut Kernel, made: &Location<'_>, access: &Access, other: &Access) {
    let at = |access: &Access| {
        let position = kernel.texts.position(access.place);
        let name = mazurka_explore::actor_name(kernel, access.actor.into());
        match position {
            Some((file, line, _)) => format!("{name} ({file}:{line})"),
            None => name,
        }
    };
    let message = format!(
        "{} of the cell made at {}:{} by {} is not ordered with the {} by {}",
        access.words(),
        made.file(),
        made.line(),
        at(access),
        other.words(),
        at(other)
    );
    let message = kernel.texts.name(&message);
    let known = &kernel.failures[..(kernel.failed as usize).min(kernel.failures.len())];
    let is_same =
        |failure: &Failure| (failure.kind, failure.message) == (FailureKind::RACE, message);
    // The end of an access is in the same race as its beginning.
    if known.iter().any(is_same) {
        return;
    }
    kernel.fail(
        access.actor.into(),
        FailureKind::RACE,
        access.place,
        message,
    );
}

impl<T: Default> Default for UnsafeCell<T> {
    #[track_caller]
    fn default() -> UnsafeCell<T> {
        UnsafeCell::new(T::default())
    }
}

impl<T> From<T> for UnsafeCell<T> {
    #[track_caller]
    fn from(value: T) -> UnsafeCell<T> {
        UnsafeCell::new(value)
    }
}

impl<T: ?Sized> fmt::Debug for UnsafeCell<T> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("UnsafeCell").finish_non_exhaustive()
    }
}
