//! Atomic operations on sixteen bytes. The kernel sees that there is a change, not which.

use std::arch::asm;

use mazurka_runtime::accesses::{ATOMIC, WIDE, WRITE};
use mazurka_runtime::clocks::Order;
use mazurka_runtime::{Kind, Operation};

use super::atomics::{correct, expectation, note_order};
use super::state::{
    access, carried, current, is_active, object, perform, place, population, thread,
};
use mazurka_runtime::ObjectKind;

/// Replaces a value if it is the old one; the value before. By hand: where the compiler forgets which instructions there are, it calls a
/// library that programs are not linked with.
///
/// # Safety
///
/// The address is that of an atomic of this size, and the processor has the instruction.
unsafe fn exchange(address: *mut u128, old: u128, new: u128) -> u128 {
    let (mut low, mut high) = (old as u64, (old >> 64) as u64);
    // SAFETY: the caller's promise. The instruction wants a register that the compiler keeps for itself, which gets back what it held.
    unsafe {
        asm!(
            "xchg rsi, rbx",
            "lock cmpxchg16b [rdi]",
            "mov rbx, rsi",
            in("rdi") address,
            inout("rsi") new as u64 => _,
            in("rcx") (new >> 64) as u64,
            inout("rax") low,
            inout("rdx") high,
            options(nostack),
        );
    }
    u128::from(low) | u128::from(high) << 64
}

/// Replaces a value by what a function makes of it, unless that is nothing; the value before.
///
/// # Safety
///
/// The address is that of an atomic of this size.
unsafe fn update(address: *mut u128, order: i32, new: impl Fn(u128) -> Option<u128>) -> u128 {
    if !is_active() {
        // SAFETY: the caller's promise; all processors of this kind that run Linux today have it.
        unsafe {
            let mut seen = exchange(address, 0, 0);
            while let Some(next) = new(seen) {
                let found = exchange(address, seen, next);
                if found == seen {
                    return seen;
                }
                seen = found;
            }
            return seen;
        }
    }
    let order = Order(order);
    note_order(order);
    let id = object(address as usize, ObjectKind::VARIABLE);
    // Whether there will be a change is known when its turn has come; it counts as one.
    perform(Operation::on(Kind::FETCH_ADD, id).with(1).at(place(0)));
    // SAFETY: the caller's promise.
    let before = unsafe { address.read() };
    let after = new(before);
    let what = if after.is_some() {
        ATOMIC | WIDE | WRITE
    } else {
        ATOMIC | WIDE
    };
    access(address as usize, 16, what, 0);
    let knowledge = &mut thread().knowledge;
    knowledge.load(carried(id), order, population());
    if let Some(after) = after {
        // SAFETY: the caller's promise.
        unsafe { address.write(after) };
        knowledge.update(current(), carried(id), order, population());
    }
    before
}

#[unsafe(no_mangle)]
unsafe extern "C" fn __tsan_atomic128_load(address: *mut u128, order: i32) -> u128 {
    if !is_active() {
        // SAFETY: the caller's promise.
        return unsafe { update(address, order, |_| None) };
    }
    let order = Order(order);
    note_order(order);
    let id = object(address as usize, ObjectKind::VARIABLE);
    perform(Operation::on(Kind::READ, id).at(place(0)));
    access(address as usize, 16, ATOMIC | WIDE, 0);
    thread().knowledge.load(carried(id), order, population());
    // SAFETY: the caller's promise.
    unsafe { address.read() }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn __tsan_atomic128_store(address: *mut u128, value: u128, order: i32) {
    // SAFETY: the caller's promise.
    unsafe { update(address, order, |_| Some(value)) };
}

#[unsafe(no_mangle)]
unsafe extern "C" fn __tsan_atomic128_exchange(
    address: *mut u128,
    value: u128,
    order: i32,
) -> u128 {
    // SAFETY: the caller's promise.
    unsafe { update(address, order, |_| Some(value)) }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn __tsan_atomic128_fetch_add(
    address: *mut u128,
    value: u128,
    order: i32,
) -> u128 {
    // SAFETY: the caller's promise.
    unsafe { update(address, order, |seen| Some(seen.wrapping_add(value))) }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn __tsan_atomic128_fetch_sub(
    address: *mut u128,
    value: u128,
    order: i32,
) -> u128 {
    // SAFETY: the caller's promise.
    unsafe { update(address, order, |seen| Some(seen.wrapping_sub(value))) }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn __tsan_atomic128_compare_exchange_strong(
    address: *mut u128,
    expected: *mut u128,
    value: u128,
    order: i32,
    _failure: i32,
) -> i32 {
    // SAFETY: the caller's promise.
    unsafe {
        let wanted = expectation(expected, 0);
        let seen = update(address, order, |seen| (seen == wanted).then_some(value));
        if seen != wanted {
            correct(expected, seen, 0);
        }
        (seen == wanted).into()
    }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn __tsan_atomic128_compare_exchange_weak(
    address: *mut u128,
    expected: *mut u128,
    value: u128,
    order: i32,
    failure: i32,
) -> i32 {
    // SAFETY: the caller's promise.
    unsafe { __tsan_atomic128_compare_exchange_strong(address, expected, value, order, failure) }
}
