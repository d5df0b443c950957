//! Atomic operations, in place of which the compiler calls these functions.
//!
//! The value is where the program has it; the kernel is told of it right before an operation, and what
//! the operation makes of it is written back. Under control all orders are explored as if they were
//! sequentially consistent; what was asked for decides what happens before what.

use std::sync::atomic::{AtomicU8, AtomicU16, AtomicU32, AtomicU64, Ordering};

use mazurka_processes::shared::untried;
use mazurka_runtime::accesses::{ATOMIC, WRITE};
use mazurka_runtime::clocks::Order;
use mazurka_runtime::{Kernel, Kind, ObjectId, ObjectKind, Operation};

use super::beyond::leave_untried;
use super::foreign;
use super::spurious;
use super::state::{
    access, carried, current, is_active, is_on_own_stack, kernel, object, perform_after, place,
    population, thread,
};
use super::switch::looks;
use super::waiting::{changed, looked, perform_looking};

/// The object of an atomic variable.
pub fn cell(address: usize, size: usize) -> ObjectId {
    let id = object(address, ObjectKind::VARIABLE);
    let cell = &mut kernel().objects[id.index()];
    cell.bound = cell.bound.max(size as u32 * 8);
    cell.deaf = 1;
    id
}

/// Reads what a compare-and-swap expects to find, which is plain memory that others may use. The compiler announces neither this nor what is
/// written there if something else was found.
///
/// # Safety
///
/// The caller's promise: there is such a value.
pub unsafe fn expectation<T: Copy>(expected: *mut T, from: usize) -> T {
    if is_active() {
        access(expected as usize, size_of::<T>(), 0, from);
    }
    // SAFETY: the caller's promise.
    unsafe { *expected }
}

/// Writes what was found in the place of what was expected.
///
/// # Safety
///
/// The same.
pub unsafe fn correct<T>(expected: *mut T, seen: T, from: usize) {
    if is_active() {
        access(expected as usize, size_of::<T>(), WRITE, from);
    }
    // SAFETY: the caller's promise.
    unsafe { *expected = seen };
}

/// Tells the kernel what memory holds.
pub fn refresh(kernel: &mut Kernel, id: ObjectId, address: usize) {
    let cell = &mut kernel.objects[id.index()];
    // SAFETY: the program uses this address as an atomic of this size.
    let value = unsafe {
        match cell.bound {
            8 => (*(address as *const u8)).into(),
            16 => (address as *const u16).read_unaligned().into(),
            32 => (address as *const u32).read_unaligned().into(),
            _ => (address as *const i64).read_unaligned(),
        }
    };
    let value = cell.cell_width().wrap(value);
    cell.version += u32::from(cell.value != value);
    cell.value = value;
}

/// Writes to memory what the kernel has made of it.
pub fn write_back(id: ObjectId, address: usize) {
    let cell = kernel().object(id);
    // SAFETY: the program uses this address as an atomic of this size.
    unsafe {
        match cell.bound {
            8 => *(address as *mut u8) = cell.value as u8,
            16 => (address as *mut u16).write_unaligned(cell.value as u16),
            32 => (address as *mut u32).write_unaligned(cell.value as u32),
            _ => (address as *mut i64).write_unaligned(cell.value),
        }
    }
}

pub fn note_order(order: Order) {
    // What the first actor does alone happens before all that others do.
    if order.is_weak() && population() > 1 {
        kernel().weak = 1;
    }
}

/// Performs an operation on an atomic that may read, write, or both; gives the value before.
fn operate(
    address: usize,
    size: usize,
    operation: Operation,
    order: Order,
    failure: Order,
    from: usize,
) -> i64 {
    let id = cell(address, size);
    let place = place(from);
    let releases = order.releases() || thread().knowledge.has_fence;
    let mut operation = operation.at(place);
    operation.object = id;
    if !matches!(operation.kind, Kind::COMPARE_EXCHANGE) {
        // What changes nothing and passes nothing on is a look.
        operation.extra = if releases { 0 } else { Operation::QUIET };
    }
    note_order(order);
    let mut version = 0;
    let before = perform_looking(operation, from, |kernel, _| {
        refresh(kernel, id, address);
        version = kernel.object(id).version;
    });
    let actors = population();
    let me = current();
    let (reads, writes) = match operation.kind {
        Kind::READ => (true, false),
        Kind::WRITE => (false, true),
        Kind::COMPARE_EXCHANGE => {
            let width = kernel().object(id).cell_width();
            (true, width.wrap(before) == width.wrap(operation.argument))
        }
        _ => (true, true),
    };
    if writes {
        foreign::about_to_write(address, size, is_on_own_stack(address));
        write_back(id, address);
    }
    if kernel().object(id).version != version && writes {
        changed();
    } else {
        looked(id);
    }
    let what = if writes { ATOMIC | WRITE } else { ATOMIC };
    access(address, size, what, from);
    let knowledge = &mut thread().knowledge;
    let order = if writes { order } else { failure };
    if reads {
        knowledge.load(carried(id), order, actors);
    }
    match (reads, writes) {
        (true, true) => knowledge.update(me, carried(id), order, actors),
        (false, true) => knowledge.store(me, carried(id), order, actors),
        _ => {}
    }
    before
}

macro_rules! atomics {
    ($($type:ident $atomic:ident $size:literal: $load:ident $store:ident $swap:ident $add:ident $sub:ident $and:ident $or:ident $xor:ident $nand:ident $cas:ident $cas_weak:ident $cas_value:ident $cas_any:ident;)*) => {$(
        #[unsafe(no_mangle)]
        unsafe extern "C" fn $load(address: *const $atomic, order: i32, from: usize) -> $type {
            if !is_active() {
                // SAFETY: the caller's promise.
                return unsafe { (*address).load(Ordering::SeqCst) };
            }
            let order = Order(order);
            operate(address as usize, $size, Operation::new(Kind::READ), order, order, from) as $type
        }

        #[unsafe(no_mangle)]
        unsafe extern "C" fn $store(address: *const $atomic, value: $type, order: i32, from: usize) {
            if !is_active() {
                // SAFETY: the caller's promise.
                return unsafe { (*address).store(value, Ordering::SeqCst) };
            }
            let order = Order(order);
            let store = Operation::new(Kind::WRITE).with(value as i64);
            operate(address as usize, $size, store, order, order, from);
        }

        atomics!(@update $type $atomic $size $swap SWAP swap |value: $type| value);
        atomics!(@update $type $atomic $size $add FETCH_ADD fetch_add |value: $type| value);
        atomics!(@update $type $atomic $size $sub FETCH_ADD fetch_sub |value: $type| value.wrapping_neg());
        atomics!(@update $type $atomic $size $and FETCH_AND fetch_and |value: $type| value);
        atomics!(@update $type $atomic $size $or FETCH_OR fetch_or |value: $type| value);
        atomics!(@update $type $atomic $size $xor FETCH_XOR fetch_xor |value: $type| value);

        #[unsafe(no_mangle)]
        unsafe extern "C" fn $nand(address: *const $atomic, value: $type, order: i32, from: usize) -> $type {
            if !is_active() {
                // SAFETY: the caller's promise.
                return unsafe { (*address).fetch_nand(value, Ordering::SeqCst) };
            }
            let order = Order(order);
            let id = cell(address as usize, $size);
            // What it becomes depends on what it is when its turn comes.
            let nand = Operation::on(Kind::SWAP, id).and(1).at(place(from));
            note_order(order);
            let before = perform_after(nand, |kernel, actor| {
                refresh(kernel, id, address as usize);
                let now = kernel.object(id).value as $type;
                kernel.actors[actor].pending.argument = !(now & value) as i64;
            });
            write_back(id, address as usize);
            changed();
            access(address as usize, $size, ATOMIC | WRITE, from);
            let knowledge = &mut thread().knowledge;
            knowledge.load(carried(id), order, population());
            knowledge.update(current(), carried(id), order, population());
            before as $type
        }

        #[unsafe(no_mangle)]
        unsafe extern "C" fn $cas(address: *const $atomic, expected: *mut $type, value: $type, order: i32, failure: i32, from: usize) -> i32 {
            // SAFETY: the caller's promise.
            unsafe {
                let wanted = expectation(expected, from);
                let seen = $cas_value(address, wanted, value, order, failure, from);
                if seen != wanted {
                    correct(expected, seen, from);
                }
                (seen == wanted).into()
            }
        }

        #[unsafe(no_mangle)]
        unsafe extern "C" fn $cas_weak(address: *const $atomic, expected: *mut $type, value: $type, order: i32, failure: i32, from: usize) -> i32 {
            // SAFETY: the caller's promise.
            unsafe {
                if !is_active() || !spurious::fails(from) {
                    return $cas(address, expected, value, order, failure, from);
                }
                let wanted = expectation(expected, from);
                let seen = $load(address, failure, from);
                if seen != wanted {
                    correct(expected, seen, from);
                }
                // A loop that comes here again is not where it was: this happens once.
                changed();
                0
            }
        }

        #[unsafe(no_mangle)]
        unsafe extern "C" fn $cas_value(address: *const $atomic, expected: $type, value: $type, order: i32, failure: i32, from: usize) -> $type {
            if !is_active() {
                // SAFETY: the caller's promise.
                let result = unsafe { (*address).compare_exchange(expected, value, Ordering::SeqCst, Ordering::SeqCst) };
                return result.unwrap_or_else(|seen| seen);
            }
            let exchange = Operation::new(Kind::COMPARE_EXCHANGE).with(expected as i64).and(value as i64);
            operate(address as usize, $size, exchange, Order(order), Order(failure), from) as $type
        }

        /// Clang does not tell whether it is a weak one.
        #[unsafe(no_mangle)]
        unsafe extern "C" fn $cas_any(address: *const $atomic, expected: $type, value: $type, order: i32, failure: i32, from: usize) -> $type {
            if is_active() {
                leave_untried(untried::EXCHANGE);
            }
            // SAFETY: the caller's promise.
            unsafe { $cas_value(address, expected, value, order, failure, from) }
        }
    )*};
    (@update $type:ident $atomic:ident $size:literal $name:ident $kind:ident $method:ident $argument:expr) => {
        #[unsafe(no_mangle)]
        unsafe extern "C" fn $name(address: *const $atomic, value: $type, order: i32, from: usize) -> $type {
            if !is_active() {
                // SAFETY: the caller's promise.
                return unsafe { (*address).$method(value, Ordering::SeqCst) };
            }
            let order = Order(order);
            let argument: $type = ($argument)(value);
            let update = Operation::new(Kind::$kind).with(argument as i64);
            operate(address as usize, $size, update, order, order, from) as $type
        }
    };
}

atomics! {
    u8 AtomicU8 1: mazurka_load8 mazurka_store8 mazurka_swap8 mazurka_add8 mazurka_sub8 mazurka_and8 mazurka_or8 mazurka_xor8 mazurka_nand8 mazurka_cas8 mazurka_cas_weak8 mazurka_cas_value8 mazurka_cas_any8;
    u16 AtomicU16 2: mazurka_load16 mazurka_store16 mazurka_swap16 mazurka_add16 mazurka_sub16 mazurka_and16 mazurka_or16 mazurka_xor16 mazurka_nand16 mazurka_cas16 mazurka_cas_weak16 mazurka_cas_value16 mazurka_cas_any16;
    u32 AtomicU32 4: mazurka_load32 mazurka_store32 mazurka_swap32 mazurka_add32 mazurka_sub32 mazurka_and32 mazurka_or32 mazurka_xor32 mazurka_nand32 mazurka_cas32 mazurka_cas_weak32 mazurka_cas_value32 mazurka_cas_any32;
    u64 AtomicU64 8: mazurka_load64 mazurka_store64 mazurka_swap64 mazurka_add64 mazurka_sub64 mazurka_and64 mazurka_or64 mazurka_xor64 mazurka_nand64 mazurka_cas64 mazurka_cas_weak64 mazurka_cas_value64 mazurka_cas_any64;
}

looks! {
    "__tsan_atomic8_load", "rdx", "mazurka_load8";
    "__tsan_atomic8_store", "rcx", "mazurka_store8";
    "__tsan_atomic8_exchange", "rcx", "mazurka_swap8";
    "__tsan_atomic8_fetch_add", "rcx", "mazurka_add8";
    "__tsan_atomic8_fetch_sub", "rcx", "mazurka_sub8";
    "__tsan_atomic8_fetch_and", "rcx", "mazurka_and8";
    "__tsan_atomic8_fetch_or", "rcx", "mazurka_or8";
    "__tsan_atomic8_fetch_xor", "rcx", "mazurka_xor8";
    "__tsan_atomic8_fetch_nand", "rcx", "mazurka_nand8";
    "__tsan_atomic8_compare_exchange_strong", "r9", "mazurka_cas8";
    "__tsan_atomic8_compare_exchange_weak", "r9", "mazurka_cas_weak8";
    "__tsan_atomic8_compare_exchange_val", "r9", "mazurka_cas_any8";
    "__tsan_atomic16_load", "rdx", "mazurka_load16";
    "__tsan_atomic16_store", "rcx", "mazurka_store16";
    "__tsan_atomic16_exchange", "rcx", "mazurka_swap16";
    "__tsan_atomic16_fetch_add", "rcx", "mazurka_add16";
    "__tsan_atomic16_fetch_sub", "rcx", "mazurka_sub16";
    "__tsan_atomic16_fetch_and", "rcx", "mazurka_and16";
    "__tsan_atomic16_fetch_or", "rcx", "mazurka_or16";
    "__tsan_atomic16_fetch_xor", "rcx", "mazurka_xor16";
    "__tsan_atomic16_fetch_nand", "rcx", "mazurka_nand16";
    "__tsan_atomic16_compare_exchange_strong", "r9", "mazurka_cas16";
    "__tsan_atomic16_compare_exchange_weak", "r9", "mazurka_cas_weak16";
    "__tsan_atomic16_compare_exchange_val", "r9", "mazurka_cas_any16";
    "__tsan_atomic32_load", "rdx", "mazurka_load32";
    "__tsan_atomic32_store", "rcx", "mazurka_store32";
    "__tsan_atomic32_exchange", "rcx", "mazurka_swap32";
    "__tsan_atomic32_fetch_add", "rcx", "mazurka_add32";
    "__tsan_atomic32_fetch_sub", "rcx", "mazurka_sub32";
    "__tsan_atomic32_fetch_and", "rcx", "mazurka_and32";
    "__tsan_atomic32_fetch_or", "rcx", "mazurka_or32";
    "__tsan_atomic32_fetch_xor", "rcx", "mazurka_xor32";
    "__tsan_atomic32_fetch_nand", "rcx", "mazurka_nand32";
    "__tsan_atomic32_compare_exchange_strong", "r9", "mazurka_cas32";
    "__tsan_atomic32_compare_exchange_weak", "r9", "mazurka_cas_weak32";
    "__tsan_atomic32_compare_exchange_val", "r9", "mazurka_cas_any32";
    "__tsan_atomic64_load", "rdx", "mazurka_load64";
    "__tsan_atomic64_store", "rcx", "mazurka_store64";
    "__tsan_atomic64_exchange", "rcx", "mazurka_swap64";
    "__tsan_atomic64_fetch_add", "rcx", "mazurka_add64";
    "__tsan_atomic64_fetch_sub", "rcx", "mazurka_sub64";
    "__tsan_atomic64_fetch_and", "rcx", "mazurka_and64";
    "__tsan_atomic64_fetch_or", "rcx", "mazurka_or64";
    "__tsan_atomic64_fetch_xor", "rcx", "mazurka_xor64";
    "__tsan_atomic64_fetch_nand", "rcx", "mazurka_nand64";
    "__tsan_atomic64_compare_exchange_strong", "r9", "mazurka_cas64";
    "__tsan_atomic64_compare_exchange_weak", "r9", "mazurka_cas_weak64";
    "__tsan_atomic64_compare_exchange_val", "r9", "mazurka_cas_any64";
}

#[unsafe(no_mangle)]
extern "C" fn __tsan_atomic_thread_fence(order: i32) {
    if is_active() {
        let order = Order(order);
        note_order(order);
        thread().knowledge.fence(current(), order, population());
    } else {
        std::sync::atomic::fence(Ordering::SeqCst);
    }
}

#[unsafe(no_mangle)]
extern "C" fn __tsan_atomic_signal_fence(_: i32) {}
