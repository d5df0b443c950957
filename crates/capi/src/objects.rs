//! Objects: making them, and the operations on them.

use std::ffi::{c_char, c_int, c_uint, c_void};

use mazurka_processes::actor;
use mazurka_runtime::{Kind, Object, ObjectId, ObjectKind, Operation};

use crate::{Handle, QueueHandle, misuse, object, place, text};

fn make(name: *const c_char, kind: ObjectKind, object: Object) -> Handle {
    let name = text(name);
    let object = Object {
        kind,
        name,
        senders: Object::UNCOUNTED,
        ..object
    };
    Handle {
        id: actor::make(object).0,
    }
}

#[unsafe(no_mangle)]
pub extern "C" fn mazurka_variable_create(name: *const c_char, value: i64) -> Handle {
    let object = Object {
        value,
        ..Object::default()
    };
    make(name, ObjectKind::VARIABLE, object)
}

#[unsafe(no_mangle)]
pub extern "C" fn mazurka_semaphore_create(name: *const c_char, count: c_uint) -> Handle {
    let object = Object {
        value: count.into(),
        ..Object::default()
    };
    make(name, ObjectKind::SEMAPHORE, object)
}

#[unsafe(no_mangle)]
pub extern "C" fn mazurka_mutex_create(name: *const c_char) -> Handle {
    make(name, ObjectKind::MUTEX, Object::default())
}

#[unsafe(no_mangle)]
pub extern "C" fn mazurka_rwlock_create(name: *const c_char) -> Handle {
    make(name, ObjectKind::RWLOCK, Object::default())
}

#[unsafe(no_mangle)]
pub extern "C" fn mazurka_condition_create(name: *const c_char) -> Handle {
    make(name, ObjectKind::CONDITION, Object::default())
}

#[unsafe(no_mangle)]
pub extern "C" fn mazurka_barrier_create(name: *const c_char, size: c_uint) -> Handle {
    if size == 0 {
        text(name);
        misuse(0, "a barrier is for at least one actor");
    }
    let object = Object {
        bound: size,
        ..Object::default()
    };
    make(name, ObjectKind::BARRIER, object)
}

#[unsafe(no_mangle)]
pub extern "C" fn mazurka_queue_create(
    name: *const c_char,
    capacity: c_uint,
    size: usize,
) -> QueueHandle {
    if capacity == 0 || size > 1 << 20 {
        text(name);
        misuse(
            0,
            "a queue holds at least one message, of at most a megabyte",
        );
    }
    let object = Object {
        bound: capacity,
        width: size.div_ceil(8).max(1) as u32,
        ..Object::default()
    };
    QueueHandle {
        id: make(name, ObjectKind::QUEUE, object).id,
        size: size as u32,
    }
}

/// Declares functions that perform one operation on an object: its name, the kind of object, the
/// operation, the arguments and what is made of the result.
macro_rules! operations {
    ($($name:ident($object:ident, $kind:ident $(, $argument:ident: $as:ident)*) -> $result:ty;)*) => {$(
        #[unsafe(no_mangle)]
        pub extern "C" fn $name(
            handle: Handle,
            $($argument: i64,)*
            file: *const c_char,
            line: c_int,
        ) -> $result {
            let place = place(file, line);
            let object = object(handle.id, ObjectKind::$object, place);
            let operation = Operation::on(Kind::$kind, object)$(.$as($argument))*;
            actor::perform(operation.at(place)) as $result
        }
    )*};
}

operations! {
    mazurka_read_at(VARIABLE, READ) -> i64;
    mazurka_write_at(VARIABLE, WRITE, value: with) -> i64;
    mazurka_add_at(VARIABLE, ADD, value: with) -> i64;
    mazurka_fetch_add_at(VARIABLE, FETCH_ADD, value: with) -> i64;
    mazurka_swap_at(VARIABLE, SWAP, value: with) -> i64;
    mazurka_compare_exchange_at(VARIABLE, COMPARE_EXCHANGE, expected: with, value: and) -> i64;
    mazurka_take_at(SEMAPHORE, TAKE) -> c_int;
    mazurka_try_take_at(SEMAPHORE, TRY_TAKE) -> c_int;
    mazurka_release_at(SEMAPHORE, RELEASE) -> c_int;
    mazurka_lock_at(MUTEX, LOCK) -> c_int;
    mazurka_try_lock_at(MUTEX, TRY_LOCK) -> c_int;
    mazurka_read_lock_at(RWLOCK, READ_LOCK) -> c_int;
    mazurka_try_read_lock_at(RWLOCK, TRY_READ_LOCK) -> c_int;
    mazurka_write_lock_at(RWLOCK, WRITE_LOCK) -> c_int;
    mazurka_try_write_lock_at(RWLOCK, TRY_WRITE_LOCK) -> c_int;
    mazurka_notify_one_at(CONDITION, NOTIFY_ONE) -> c_int;
    mazurka_notify_all_at(CONDITION, NOTIFY_ALL) -> c_int;
}

/// Whether this actor holds a mutex, or a read-write lock for writing.
fn is_mine(id: ObjectId) -> bool {
    actor::with_kernel(|kernel, actor| usize::from(kernel.object(id).owner) == actor + 1)
}

#[unsafe(no_mangle)]
pub extern "C" fn mazurka_unlock_at(handle: Handle, file: *const c_char, line: c_int) {
    let place = place(file, line);
    let mutex = object(handle.id, ObjectKind::MUTEX, place);
    if !is_mine(mutex) {
        misuse(place, "it unlocks a mutex that it does not hold");
    }
    actor::perform(Operation::on(Kind::UNLOCK, mutex).at(place));
}

#[unsafe(no_mangle)]
pub extern "C" fn mazurka_rwlock_unlock_at(handle: Handle, file: *const c_char, line: c_int) {
    let place = place(file, line);
    let lock = object(handle.id, ObjectKind::RWLOCK, place);
    let readers = actor::with_kernel(|kernel, _| {
        let object = kernel.object(lock);
        object.actors != 0 || object.sent != 0
    });
    let kind = if is_mine(lock) {
        Kind::WRITE_UNLOCK
    } else if readers {
        Kind::READ_UNLOCK
    } else {
        misuse(place, "it unlocks a read-write lock that nobody holds");
    };
    actor::perform(Operation::on(kind, lock).at(place));
}

/// Waits for a notification; tells whether there was one.
fn wait(condition: Handle, mutex: Handle, then: Kind, place: u16) -> i64 {
    let condition = object(condition.id, ObjectKind::CONDITION, place);
    let mutex = object(mutex.id, ObjectKind::MUTEX, place);
    if !is_mine(mutex) {
        misuse(place, "it waits without holding the mutex");
    }
    let wait = Operation::on(Kind::WAIT, condition).beside(mutex);
    actor::perform(wait.at(place));
    let reacquire = Operation::on(then, mutex).beside(condition);
    actor::perform(reacquire.at(place))
}

#[unsafe(no_mangle)]
pub extern "C" fn mazurka_wait_at(
    condition: Handle,
    mutex: Handle,
    file: *const c_char,
    line: c_int,
) {
    wait(condition, mutex, Kind::REACQUIRE, place(file, line));
}

#[unsafe(no_mangle)]
pub extern "C" fn mazurka_timed_wait_at(
    condition: Handle,
    mutex: Handle,
    file: *const c_char,
    line: c_int,
) -> c_int {
    wait(condition, mutex, Kind::REACQUIRE_TIMED, place(file, line)) as c_int
}

#[unsafe(no_mangle)]
pub extern "C" fn mazurka_barrier_wait_at(
    handle: Handle,
    file: *const c_char,
    line: c_int,
) -> c_int {
    let place = place(file, line);
    let barrier = object(handle.id, ObjectKind::BARRIER, place);
    let last = actor::perform(Operation::on(Kind::ARRIVE, barrier).at(place));
    if last == 0 {
        // Nobody can pass before this actor's next operation.
        let generation = actor::with_kernel(|kernel, _| kernel.object(barrier).value);
        let pass = Operation::on(Kind::PASS, barrier).with(generation);
        actor::perform(pass.at(place));
    }
    last as c_int
}

/// The first word of a message, which the kernel itself puts into the queue.
unsafe fn first_word(message: *const c_void, size: usize) -> i64 {
    let mut word = [0; 8];
    // SAFETY: the header asks for a message of this size.
    unsafe { std::ptr::copy_nonoverlapping(message.cast(), word.as_mut_ptr(), size.min(8)) };
    i64::from_ne_bytes(word)
}

unsafe fn send(queue: QueueHandle, message: *const c_void, kind: Kind, place: u16) -> c_int {
    let id = object(queue.id, ObjectKind::QUEUE, place);
    let size = queue.size as usize;
    // SAFETY: the caller's promise.
    let word = unsafe { first_word(message, size) };
    let number = actor::perform(Operation::on(kind, id).with(word).at(place));
    let Some(number) = u32::try_from(number).ok().and_then(|n| n.checked_sub(1)) else {
        return 0;
    };
    actor::with_kernel(|kernel, _| {
        let words = kernel.message(id, number);
        let size = size.min(size_of_val(words));
        // SAFETY: both are at least this long; the kernel is not the program's memory.
        unsafe {
            std::ptr::copy_nonoverlapping(message.cast(), words.as_mut_ptr().cast::<u8>(), size);
        }
    });
    1
}

unsafe fn receive(queue: QueueHandle, message: *mut c_void, kind: Kind, place: u16) -> c_int {
    let id = object(queue.id, ObjectKind::QUEUE, place);
    let number = actor::perform(Operation::on(kind, id).at(place));
    let Some(number) = u32::try_from(number).ok().and_then(|n| n.checked_sub(1)) else {
        return 0;
    };
    actor::with_kernel(|kernel, _| {
        let words = kernel.message(id, number);
        let size = (queue.size as usize).min(size_of_val(words));
        // SAFETY: both are at least this long; the kernel is not the program's memory.
        unsafe { std::ptr::copy_nonoverlapping(words.as_ptr().cast::<u8>(), message.cast(), size) };
    });
    1
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn mazurka_send_at(
    queue: QueueHandle,
    message: *const c_void,
    file: *const c_char,
    line: c_int,
) {
    // SAFETY: the caller's promise.
    unsafe { send(queue, message, Kind::SEND, place(file, line)) };
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn mazurka_try_send_at(
    queue: QueueHandle,
    message: *const c_void,
    file: *const c_char,
    line: c_int,
) -> c_int {
    // SAFETY: the caller's promise.
    unsafe { send(queue, message, Kind::TRY_SEND, place(file, line)) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn mazurka_receive_at(
    queue: QueueHandle,
    message: *mut c_void,
    file: *const c_char,
    line: c_int,
) {
    // SAFETY: the caller's promise.
    unsafe { receive(queue, message, Kind::RECEIVE, place(file, line)) };
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn mazurka_try_receive_at(
    queue: QueueHandle,
    message: *mut c_void,
    file: *const c_char,
    line: c_int,
) -> c_int {
    // SAFETY: the caller's promise.
    unsafe { receive(queue, message, Kind::TRY_RECEIVE, place(file, line)) }
}

#[unsafe(no_mangle)]
pub extern "C" fn mazurka_queue_length_at(
    queue: QueueHandle,
    file: *const c_char,
    line: c_int,
) -> c_uint {
    let place = place(file, line);
    let id = object(queue.id, ObjectKind::QUEUE, place);
    actor::perform(Operation::on(Kind::LENGTH, id).at(place)) as c_uint
}
