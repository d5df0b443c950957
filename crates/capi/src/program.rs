//! What is not about an object: choices, assertions, actors.

use std::ffi::{c_char, c_int, c_uint, c_void};

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
