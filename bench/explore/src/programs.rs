// Ten programs, written against `api`: included once for each tool, which supplies it under that name.

use api::cell::UnsafeCell;
use api::sync::atomic::{AtomicBool, AtomicPtr, AtomicUsize, Ordering::*};
use api::sync::{Arc, Condvar, Mutex, RwLock};
use api::thread;

/// All of them, by name.
pub const ALL: [(&str, fn()); 10] = [
    ("relaxed publish in an MPMC ring", ring),
    ("double-checked initialisation", double_checked),
    ("relaxed reference count", reference_count),
    ("plain race", plain_race),
    ("store buffering", store_buffering),
    ("Treiber stack, ABA", treiber),
    ("rwlock, lost update", lost_update),
    ("lost wakeup", lost_wakeup),
    ("lock order", lock_order),
    ("spin with yield (correct)", spin),
];

struct Cell(UnsafeCell<usize>);

// SAFETY: accesses are what is checked.
unsafe impl Sync for Cell {}
// SAFETY: the same.
unsafe impl Send for Cell {}

impl Cell {
    fn new(value: usize) -> Cell {
        Cell(UnsafeCell::new(value))
    }

    fn get(&self) -> usize {
        // SAFETY: the tools run one thread at a time.
        self.0.with(|value| unsafe { *value })
    }

    fn set(&self, new: usize) {
        // SAFETY: the tools run one thread at a time.
        self.0.with_mut(|value| unsafe { *value = new });
    }
}

struct Slot {
    sequence: AtomicUsize,
    value: Cell,
}

struct Ring {
    slots: [Slot; 2],
    head: AtomicUsize,
    tail: AtomicUsize,
}

impl Ring {
    fn new() -> Ring {
        let slot = |number| Slot {
            sequence: AtomicUsize::new(number),
            value: Cell::new(0),
        };
        Ring {
            slots: [slot(0), slot(1)],
            head: AtomicUsize::new(0),
            tail: AtomicUsize::new(0),
        }
    }

    fn push(&self, value: usize) -> bool {
        let place = self.tail.load(Relaxed);
        let slot = &self.slots[place % 2];
        if slot.sequence.load(Acquire) != place {
            return false;
        }
        if self.tail.compare_exchange(place, place + 1, Relaxed, Relaxed).is_err() {
            return false;
        }
        slot.value.set(value);
        // The error: this is what publishes the value.
        slot.sequence.store(place + 1, Relaxed);
        true
    }

    fn pop(&self) -> Option<usize> {
        let place = self.head.load(Relaxed);
        let slot = &self.slots[place % 2];
        if slot.sequence.load(Acquire) != place + 1 {
            return None;
        }
        if self.head.compare_exchange(place, place + 1, Relaxed, Relaxed).is_err() {
            return None;
        }
        let value = slot.value.get();
        slot.sequence.store(place + 2, Release);
        Some(value)
    }
}

fn ring() {
    let ring = Arc::new(Ring::new());
    let producer = {
        let ring = ring.clone();
        thread::spawn(move || ring.push(7))
    };
    ring.push(8);
    ring.pop();
    ring.pop();
    producer.join().unwrap();
}

fn double_checked() {
    let shared = Arc::new((AtomicBool::new(false), Mutex::new(()), Cell::new(0)));
    fn get((is_made, mutex, value): &(AtomicBool, Mutex<()>, Cell)) -> usize {
        if !is_made.load(Relaxed) {
            let _held = mutex.lock().unwrap();
            if !is_made.load(Relaxed) {
                value.set(7);
                is_made.store(true, Relaxed);
            }
        }
        value.get()
    }
    let other = shared.clone();
    let other = thread::spawn(move || get(&other));
    get(&shared);
    other.join().unwrap();
}

fn reference_count() {
    let shared = Arc::new((AtomicUsize::new(2), Cell::new(7)));
    fn release((count, value): &(AtomicUsize, Cell)) {
        value.get();
        if count.fetch_sub(1, Relaxed) == 1 {
            // The last one frees it.
            value.set(0);
        }
    }
    let other = shared.clone();
    let other = thread::spawn(move || release(&other));
    release(&shared);
    other.join().unwrap();
}

fn plain_race() {
    let shared = Arc::new(Cell::new(0));
    let other = shared.clone();
    let other = thread::spawn(move || other.set(other.get() + 1));
    shared.set(shared.get() + 1);
    other.join().unwrap();
}

fn store_buffering() {
    let shared = Arc::new((AtomicUsize::new(0), AtomicUsize::new(0)));
    let other = shared.clone();
    let other = thread::spawn(move || {
        other.0.store(1, Relaxed);
        other.1.load(Relaxed)
    });
    shared.1.store(1, Relaxed);
    let mine = shared.0.load(Relaxed);
    assert!(other.join().unwrap() + mine > 0, "both read zero");
}

struct Node {
    next: AtomicPtr<Node>,
}

struct Stack {
    top: AtomicPtr<Node>,
    nodes: [Node; 2],
}

impl Stack {
    fn pop(&self) -> *mut Node {
        loop {
            let top = self.top.load(Acquire);
            if top.is_null() {
                return top;
            }
            // SAFETY: nodes live as long as the stack.
            let next = unsafe { (*top).next.load(Acquire) };
            if self.top.compare_exchange(top, next, AcqRel, Acquire).is_ok() {
                return top;
            }
        }
    }

    fn push(&self, node: *mut Node) {
        loop {
            let top = self.top.load(Acquire);
            // SAFETY: nodes live as long as the stack.
            unsafe { (*node).next.store(top, Release) };
            if self.top.compare_exchange(top, node, AcqRel, Acquire).is_ok() {
                return;
            }
        }
    }
}

fn treiber() {
    let node = || Node {
        next: AtomicPtr::new(std::ptr::null_mut()),
    };
    let stack = Arc::new(Stack {
        top: AtomicPtr::new(std::ptr::null_mut()),
        nodes: [node(), node()],
    });
    for node in &stack.nodes {
        stack.push(std::ptr::from_ref(node).cast_mut());
    }
    let other = stack.clone();
    let other = thread::spawn(move || other.pop() as usize);
    let first = stack.pop();
    let second = stack.pop();
    if !first.is_null() {
        stack.push(first);
    }
    let theirs = other.join().unwrap();
    let mut found = vec![theirs, second as usize];
    let mut next = stack.top.load(Acquire);
    while !next.is_null() && found.len() < 8 {
        found.push(next as usize);
        // SAFETY: nodes live as long as the stack.
        next = unsafe { (*next).next.load(Acquire) };
    }
    for node in &stack.nodes {
        let address = std::ptr::from_ref(node) as usize;
        let count = found.iter().filter(|other| **other == address).count();
        assert!(count <= 1, "a node belongs to two");
    }
}

fn lost_update() {
    let shared = Arc::new(RwLock::new(0));
    fn add(shared: &RwLock<usize>) {
        let seen = *shared.read().unwrap();
        *shared.write().unwrap() = seen + 1;
    }
    let other = shared.clone();
    let other = thread::spawn(move || add(&other));
    add(&shared);
    other.join().unwrap();
    assert!(*shared.read().unwrap() == 2, "an update is lost");
}

fn lost_wakeup() {
    let shared = Arc::new((AtomicBool::new(false), Mutex::new(()), Condvar::new()));
    let other = shared.clone();
    let other = thread::spawn(move || {
        other.0.store(true, SeqCst);
        // The error: not under the mutex.
        other.2.notify_one();
    });
    let held = shared.1.lock().unwrap();
    if !shared.0.load(SeqCst) {
        drop(shared.2.wait(held).unwrap());
    }
    other.join().unwrap();
}

fn lock_order() {
    let shared = Arc::new((Mutex::new(()), Mutex::new(())));
    let other = shared.clone();
    let other = thread::spawn(move || {
        let _first = other.0.lock().unwrap();
        let _second = other.1.lock().unwrap();
    });
    {
        let _first = shared.1.lock().unwrap();
        let _second = shared.0.lock().unwrap();
    }
    other.join().unwrap();
}

fn spin() {
    let shared = Arc::new((AtomicBool::new(false), Cell::new(0)));
    let other = shared.clone();
    let other = thread::spawn(move || {
        other.1.set(7);
        other.0.store(true, Release);
    });
    while !shared.0.load(Acquire) {
        thread::yield_now();
    }
    assert_eq!(shared.1.get(), 7);
    other.join().unwrap();
}
