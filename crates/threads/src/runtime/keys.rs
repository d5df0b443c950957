//! What each thread keeps for itself: POSIX keys, and destructors of `thread_local` variables of C++.

use std::ffi::{c_int, c_uint, c_void};

use mazurka_processes::library;
use mazurka_runtime::ACTORS;
use mazurka_runtime::accesses::WRITE;

use super::outside;
use super::state::{self, current, is_active, population};
use super::threads::real;

const KEYS: usize = 128;
/// How often destructors are called for values that destructors have set.
const ROUNDS: usize = 4;

type Destructor = unsafe extern "C" fn(*mut c_void);

struct Keys {
    /// Which keys there are, and their destructors.
    used: [Option<Option<Destructor>>; KEYS],
    values: [[*mut c_void; KEYS]; ACTORS],
    locals: Vec<(usize, Destructor, *mut c_void)>,
}

struct Cell(std::cell::UnsafeCell<Keys>);

// SAFETY: see the module `runtime`.
unsafe impl Sync for Cell {}

static TABLE: Cell = Cell(std::cell::UnsafeCell::new(Keys {
    used: [None; KEYS],
    values: [[std::ptr::null_mut(); KEYS]; ACTORS],
    locals: vec![],
}));

fn keys() -> &'static mut Keys {
    // SAFETY: see the module `runtime`.
    unsafe { &mut *TABLE.0.get() }
}

/// The running actor ends.
pub fn destroy() {
    let me = current();
    if keys().values[me].iter().any(|value| !value.is_null()) {
        outside::look(library::KEYS, 0);
    }
    while let Some(place) = keys().locals.iter().rposition(|(actor, ..)| *actor == me) {
        let (_, destructor, value) = keys().locals.remove(place);
        // SAFETY: as the program asked for.
        unsafe { destructor(value) };
    }
    for _ in 0..ROUNDS {
        let mut any = false;
        for key in 0..KEYS {
            let value = std::mem::replace(&mut keys().values[me][key], std::ptr::null_mut());
            if let (false, Some(Some(destructor))) = (value.is_null(), keys().used[key]) {
                any = true;
                // SAFETY: as the program asked for.
                unsafe { destructor(value) };
            }
        }
        if !any {
            return;
        }
    }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn pthread_key_create(key: *mut c_uint, destructor: Option<Destructor>) -> c_int {
    if !is_active() {
        let create = real!(
            "pthread_key_create" as unsafe extern "C" fn(*mut c_uint, Option<Destructor>) -> c_int
        );
        // SAFETY: the caller's promise.
        return unsafe { create(key, destructor) };
    }
    change();
    let Some(free) = keys().used.iter().position(Option::is_none) else {
        return libc::EAGAIN;
    };
    keys().used[free] = Some(destructor);
    keys()
        .values
        .iter_mut()
        .for_each(|of| of[free] = std::ptr::null_mut());
    state::access(key as usize, size_of::<c_uint>(), WRITE, 0);
    // SAFETY: the caller's promise. Keys made before the exploration keep theirs.
    unsafe { *key = (FIRST + free) as c_uint };
    0
}

/// Whether there are others who could notice.
fn are_several() -> bool {
    is_active() && population() > 1
}

/// A step that makes or deletes a key.
fn change() {
    if are_several() {
        outside::change(library::KEYS, 0);
    }
}

/// The key of this number, if it is one of those made here, and whether there is one: a step that looks.
fn find(key: c_uint) -> Option<(usize, bool)> {
    let key = (key as usize)
        .checked_sub(FIRST)
        .filter(|&key| key < KEYS)?;
    if are_several() {
        outside::look(library::KEYS, 0);
    }
    Some((key, keys().used[key].is_some()))
}

/// Keys of the C library have smaller numbers.
const FIRST: usize = 1 << 16;

#[unsafe(no_mangle)]
unsafe extern "C" fn pthread_key_delete(key: c_uint) -> c_int {
    let known = (key as usize).checked_sub(FIRST).filter(|&key| key < KEYS);
    match known {
        Some(key) => {
            change();
            match keys().used[key].take() {
                Some(_) => 0,
                None => libc::EINVAL,
            }
        }
        None => {
            let delete = real!("pthread_key_delete" as unsafe extern "C" fn(c_uint) -> c_int);
            // SAFETY: the caller's promise.
            unsafe { delete(key) }
        }
    }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn pthread_setspecific(key: c_uint, value: *mut c_void) -> c_int {
    match find(key) {
        Some((_, false)) => libc::EINVAL,
        Some((key, true)) => {
            keys().values[current()][key] = value;
            0
        }
        None => {
            let set =
                real!("pthread_setspecific" as unsafe extern "C" fn(c_uint, *mut c_void) -> c_int);
            // SAFETY: the caller's promise.
            unsafe { set(key, value) }
        }
    }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn pthread_getspecific(key: c_uint) -> *mut c_void {
    match find(key) {
        Some((_, false)) => std::ptr::null_mut(),
        Some((key, true)) => keys().values[current()][key],
        None => {
            let get = real!("pthread_getspecific" as unsafe extern "C" fn(c_uint) -> *mut c_void);
            // SAFETY: the caller's promise.
            unsafe { get(key) }
        }
    }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn tss_create(key: *mut c_uint, destructor: Option<Destructor>) -> c_int {
    // SAFETY: the caller's promise.
    unsafe { pthread_key_create(key, destructor) }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn tss_delete(key: c_uint) {
    // SAFETY: the caller's promise.
    unsafe { pthread_key_delete(key) };
}

#[unsafe(no_mangle)]
unsafe extern "C" fn tss_set(key: c_uint, value: *mut c_void) -> c_int {
    // SAFETY: the caller's promise.
    unsafe { pthread_setspecific(key, value) }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn tss_get(key: c_uint) -> *mut c_void {
    // SAFETY: the caller's promise.
    unsafe { pthread_getspecific(key) }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn __cxa_thread_atexit_impl(
    destructor: Destructor,
    value: *mut c_void,
    library: *mut c_void,
) -> c_int {
    if is_active() && current() != 0 {
        keys().locals.push((current(), destructor, value));
        return 0;
    }
    let at_exit = real!(
        "__cxa_thread_atexit_impl"
            as unsafe extern "C" fn(Destructor, *mut c_void, *mut c_void) -> c_int
    );
    // SAFETY: the caller's promise.
    unsafe { at_exit(destructor, value, library) }
}
