//! What is not about an object: choices, assertions, actors.

use std::ffi::{c_char, c_int, c_uint, c_void};
use std::hash::{DefaultHasher, Hasher};

use mazurka_processes::actor;
use mazurka_runtime::{Kind, Operation};

use crate::{misuse, place, text};

#[unsafe(no_mangle)]
pub extern "C" fn mazurka_toss_at(choices: c_uint, file: *const c_char, line: c_int) -> c_uint {
    let place = place(file, line);
    if choices == 0 || choices > 1 << 20 {
        misuse(
            place,
            "a toss has at least one choice, and at most a million",
        );
    }
    let toss = Operation::new(Kind::TOSS).with(choices.into());
    actor::perform(toss.at(place)) as c_uint
}

#[unsafe(no_mangle)]
pub extern "C" fn mazurka_assert_at(
    holds: c_int,
    condition: *const c_char,
    file: *const c_char,
    line: c_int,
) {
    let place = place(file, line);
    let message = if holds == 0 { text(condition) } else { 0 };
    let assertion = Operation::new(Kind::ASSERT)
        .with((holds != 0).into())
        .and(message.into());
    actor::perform(assertion.at(place));
}

#[unsafe(no_mangle)]
pub extern "C" fn mazurka_state_at(
    state: *const c_void,
    size: usize,
    file: *const c_char,
    line: c_int,
) {
    let place = place(file, line);
    let bytes = match size {
        0 => &[][..],
        // SAFETY: the header asks for this many bytes.
        _ => unsafe { std::slice::from_raw_parts(state.cast::<u8>(), size) },
    };
    let fingerprint = |seed: u64| {
        let mut hasher = DefaultHasher::new();
        hasher.write_u64(seed);
        hasher.write(bytes);
        hasher.finish() as i64
    };
    let told = Operation::new(Kind::STATE).with(fingerprint(1));
    actor::perform(told.and(fingerprint(2)).at(place));
}

#[unsafe(no_mangle)]
pub extern "C" fn mazurka_note_at(note: *const c_char, file: *const c_char, line: c_int) {
    let place = place(file, line);
    let note = Operation::new(Kind::NOTE).and(text(note).into());
    actor::perform(note.at(place));
}

#[unsafe(no_mangle)]
pub extern "C" fn mazurka_yield_at(file: *const c_char, line: c_int) {
    actor::perform(Operation::new(Kind::YIELD).at(place(file, line)));
}

#[unsafe(no_mangle)]
pub extern "C" fn mazurka_spawn_at(
    name: *const c_char,
    body: extern "C" fn(*mut c_void),
    argument: *mut c_void,
    file: *const c_char,
    line: c_int,
) -> c_int {
    let place = place(file, line);
    let name = text(name);
    let (child, is_child) = actor::spawn(place, name);
    if is_child {
        body(argument);
        actor::finish();
    }
    child as c_int
}

#[unsafe(no_mangle)]
pub extern "C" fn mazurka_join_at(target: c_int, file: *const c_char, line: c_int) {
    let place = place(file, line);
    let exists = usize::try_from(target).is_ok_and(actor::exists);
    if !exists || target as usize == actor::current() {
        misuse(place, "there is no such actor to wait for");
    }
    actor::perform(Operation::new(Kind::JOIN).with(target.into()).at(place));
}

#[unsafe(no_mangle)]
pub extern "C" fn mazurka_self() -> c_int {
    crate::start::begin();
    actor::current() as c_int
}
