//! Barriers.

use std::ffi::{c_int, c_uint, c_void};

use mazurka_runtime::accesses::LOCK;
use mazurka_runtime::clocks::Clock;
use mazurka_runtime::{Kind, Object, ObjectId, ObjectKind, Operation};

use super::state::{
    self, acquire, begin_or_end, carried, is_active, kernel, misuse, object, perform, place,
    population, release, renew, thread,
};
use super::switch::entries;
use super::threads::real;

entries! {
    "pthread_barrier_init", "rcx", "mazurka_barrier_init";
    "pthread_barrier_wait", "rsi", "mazurka_barrier_wait";
    "pthread_barrier_destroy", "rsi", "mazurka_barrier_destroy";
}

/// What `pthread_barrier_wait` gives to one of those who wait.
const SERIAL: c_int = -1;

struct Cell(std::cell::UnsafeCell<Vec<usize>>);

// SAFETY: see the module `runtime`.
unsafe impl Sync for Cell {}

/// Barriers that were destroyed. Another one at the same address is another object: somebody may still be about to leave the first.
static LIVES: Cell = Cell(std::cell::UnsafeCell::new(vec![]));

fn lives() -> &'static mut Vec<usize> {
    // SAFETY: see the module `runtime`.
    unsafe { &mut *LIVES.0.get() }
}

/// What tells a barrier from those that were at its address before.
fn life_of(barrier: usize) -> usize {
    let before = lives().iter().filter(|&&other| other == barrier).count();
    barrier | (before + 1) << 48
}

/// Carries what happened before somebody left a barrier.
fn left(life: usize) -> ObjectId {
    object(life | 1 << 60, ObjectKind::BARRIER)
}

#[unsafe(no_mangle)]
unsafe extern "C" fn mazurka_barrier_init(
    barrier: usize,
    attributes: *const c_void,
    count: c_uint,
    _: usize,
) -> c_int {
    if !is_active() {
        // SAFETY: the caller's promise.
        return unsafe {
            real!(
                "pthread_barrier_init"
                    as unsafe extern "C" fn(usize, *const c_void, c_uint) -> c_int
            )(barrier, attributes, count)
        };
    }
    if count == 0 {
        return libc::EINVAL;
    }
    begin_or_end(barrier, 0);
    let id = object(life_of(barrier), ObjectKind::BARRIER);
    renew(
        id,
        Object {
            kind: ObjectKind::BARRIER,
            bound: count,
            ..Object::default()
        },
    );
    0
}

#[unsafe(no_mangle)]
unsafe extern "C" fn mazurka_barrier_wait(barrier: usize, from: usize) -> c_int {
    if !is_active() {
        // SAFETY: the caller's promise.
        return unsafe {
            real!("pthread_barrier_wait" as unsafe extern "C" fn(usize) -> c_int)(barrier)
        };
    }
    state::access(barrier, 1, LOCK, from);
    let life = life_of(barrier);
    let id = object(life, ObjectKind::BARRIER);
    let place = place(from);
    let last = perform(Operation::on(Kind::ARRIVE, id).at(place));
    release(id);
    if last == 0 {
        let generation = kernel().object(id).value;
        perform(Operation::on(Kind::PASS, id).with(generation).at(place));
    } else {
        // The next round carries what comes after this one.
        let carried = carried(id);
        carried.other = carried.clock;
        carried.clock = Clock::NONE;
    }
    let all = carried(id).other;
    thread().knowledge.acquire(&all, population());
    // Who has been let go uses the barrier once more. Who destroys it waits for that.
    if life_of(barrier) == life {
        state::access(barrier, 1, LOCK, from);
        release(left(life));
    }
    if last == 0 { 0 } else { SERIAL }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn mazurka_barrier_destroy(barrier: usize, from: usize) -> c_int {
    if is_active() {
        let life = life_of(barrier);
        acquire(left(life));
        begin_or_end(barrier, from);
        let id = object(life, ObjectKind::BARRIER);
        if kernel().object(id).sent > 0 {
            misuse(from, "a barrier is destroyed at which a thread waits");
        }
        lives().push(barrier);
        return 0;
    }
    // SAFETY: the caller's promise.
    unsafe { real!("pthread_barrier_destroy" as unsafe extern "C" fn(usize) -> c_int)(barrier) }
}
