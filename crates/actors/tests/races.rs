//! Races about plain memory, by the memory orders as they are written.

use std::sync::Arc;

use mazurka_actors::cell::UnsafeCell;
use mazurka_actors::sync::atomic::{AtomicBool, AtomicUsize, Ordering, fence};
use mazurka_actors::sync::{Barrier, Condvar, Mutex, OnceLock, RwLock, mpsc};
use mazurka_actors::{Dependency, Explorer, Outcome, Semaphore, StopReason, Variable, thread};

use Ordering::{AcqRel, Acquire, Relaxed, Release, SeqCst};

/// A cell that actors share.
#[derive(Default)]
struct Data(UnsafeCell<u32>);

// SAFETY: who uses it is checked.
unsafe impl Sync for Data {}

impl Data {
    #[track_caller]
    fn set(&self, value: u32) {
        // SAFETY: actors run one at a time.
        self.0.with_mut(|place| unsafe { *place = value });
    }

    #[track_caller]
    fn get(&self) -> u32 {
        // SAFETY: actors run one at a time.
        self.0.with(|place| unsafe { *place })
    }
}

#[track_caller]
fn races(outcome: &Outcome) {
    let first = outcome.violations.first().map(|found| found.kind().name());
    assert_eq!(first, Some("data-race"), "{outcome}");
}

#[track_caller]
fn holds(outcome: &Outcome) {
    assert!(outcome.holds(), "{outcome}");
}

/// Two actors, one of which publishes what the other waits for.
fn two<T: Send + Sync + 'static>(
    make: impl Fn() -> T + Sync,
    one: fn(&Data, &T),
    other: fn(&Data, &T),
) -> Outcome {
    Explorer::new().run(|| {
        let shared = Arc::new((Data::default(), make()));
        let child = shared.clone();
        let child = thread::spawn(move || one(&child.0, &child.1));
        other(&shared.0, &shared.1);
        child.join().unwrap();
    })
}

#[test]
fn nothing_orders_two_accesses() {
    let outcome = two(|| (), |data, ()| data.set(1), |data, ()| _ = data.get());
    races(&outcome);
    let message = &outcome.violations[0].record.message;
    assert!(message.contains("of the cell made at"), "{message}");
    assert_eq!(message.matches("races.rs:").count(), 3, "{message}");
    assert!(outcome.violations[0].record.at.is_some());
    holds(&two(
        || (),
        |data, ()| _ = data.get(),
        |data, ()| _ = data.get(),
    ));
}

#[test]
fn the_order_of_a_publication_decides() {
    fn published(store: Ordering, load: Ordering) -> Outcome {
        Explorer::new().run(|| {
            let shared = Arc::new((Data::default(), AtomicBool::new(false)));
            let child = shared.clone();
            let child = thread::spawn(move || {
                child.0.set(1);
                child.1.store(true, store);
            });
            if shared.1.load(load) {
                assert_eq!(shared.0.get(), 1);
            }
            child.join().unwrap();
        })
    }
    for store in [Release, SeqCst] {
        for load in [Acquire, SeqCst] {
            let outcome = published(store, load);
            holds(&outcome);
            let weak = (store, load) != (SeqCst, SeqCst);
            assert_eq!(outcome.is_under_sequential_consistency(), weak);
            races(&published(Relaxed, load));
        }
        races(&published(store, Relaxed));
    }
}

#[test]
fn a_strict_exploration_is_not_satisfied_by_sequential_consistency() {
    let program = || {
        let flag = Arc::new(AtomicBool::new(false));
        let other = flag.clone();
        thread::spawn(move || other.store(true, Relaxed));
        flag.load(Relaxed);
    };
    holds(&Explorer::new().run(program));
    let outcome = Explorer::new().strict().run(program);
    assert_eq!(outcome.stop, StopReason::WeakOrders);
}

#[test]
fn fences_order() {
    fn fenced(first: bool, second: bool) -> Outcome {
        Explorer::new().run(|| {
            let shared = Arc::new((Data::default(), AtomicBool::new(false)));
            let child = shared.clone();
            let child = thread::spawn(move || {
                child.0.set(1);
                if first {
                    fence(Release);
                }
                child.1.store(true, Relaxed);
            });
            if shared.1.load(Relaxed) {
                if second {
                    fence(Acquire);
                }
                shared.0.get();
            }
            child.join().unwrap();
        })
    }
    holds(&fenced(true, true));
    races(&fenced(false, true));
    races(&fenced(true, false));
}

/// A release sequence goes on through operations that read and write, and not, as in C11, through later stores of its own thread.
#[test]
fn release_sequences() {
    fn sequence(between: fn(&AtomicUsize)) -> Outcome {
        Explorer::new().run(|| {
            let shared = Arc::new((Data::default(), AtomicUsize::new(0)));
            let (one, other) = (shared.clone(), shared.clone());
            let one = thread::spawn(move || {
                one.0.set(1);
                one.1.store(1, Release);
            });
            let other = thread::spawn(move || between(&other.1));
            if shared.1.load(Acquire) == 2 {
                shared.0.get();
            }
            one.join().unwrap();
            other.join().unwrap();
        })
    }
    holds(&sequence(|atomic| _ = atomic.fetch_add(1, Relaxed)));
    holds(&sequence(|atomic| {
        _ = atomic.compare_exchange(1, 2, Relaxed, Relaxed);
    }));
    races(&sequence(|atomic| {
        if atomic.load(Relaxed) == 1 {
            atomic.store(2, Relaxed);
        }
    }));
    let outcome = two(
        || AtomicUsize::new(0),
        |data, atomic| {
            data.set(1);
            atomic.store(1, Release);
            atomic.store(2, Relaxed);
        },
        |data, atomic| {
            if atomic.load(Acquire) == 2 {
                data.get();
            }
        },
    );
    races(&outcome);
}

/// Writes of one value do not commute if they pass on different things.
#[test]
fn of_two_stores_of_one_value_the_last_counts() {
    let program = || {
        let shared = Arc::new((Data::default(), AtomicUsize::new(0)));
        let (one, other) = (shared.clone(), shared.clone());
        let one = thread::spawn(move || {
            one.0.set(1);
            one.1.store(1, Release);
        });
        let other = thread::spawn(move || other.1.store(1, Relaxed));
        if shared.1.load(Acquire) == 1 {
            shared.0.get();
        }
        one.join().unwrap();
        other.join().unwrap();
    };
    races(&Explorer::new().run(program));
    let refined = Explorer::new().dependency(Dependency::Refined).run(program);
    assert!(!refined.holds(), "{refined}");
}

#[test]
fn dependency_by_value_proves_nothing_about_cells() {
    let program = || {
        let data = Data::default();
        data.set(1);
    };
    let refined = Explorer::new().dependency(Dependency::Refined);
    let outcome = refined.run(program);
    assert!(
        matches!(outcome.stop, StopReason::Uncontrolled(_)),
        "{outcome}"
    );
    holds(&Explorer::new().run(program));
}

#[test]
fn locks_order() {
    holds(&two(
        || Mutex::new(()),
        |data, mutex| {
            let _held = mutex.lock();
            data.set(1);
        },
        |data, mutex| {
            let _held = mutex.lock();
            data.set(2);
        },
    ));
    holds(&two(
        || RwLock::new(()),
        |data, lock| {
            let _held = lock.write();
            data.set(1);
        },
        |data, lock| {
            let _held = lock.read();
            data.get();
        },
    ));
    // Two readers are not ordered.
    races(&two(
        || RwLock::new(()),
        |data, lock| {
            let _held = lock.read();
            data.set(1);
        },
        |data, lock| {
            let _held = lock.read();
            data.get();
        },
    ));
}

#[test]
fn a_writer_comes_after_the_readers_before() {
    holds(&two(
        || RwLock::new(()),
        |data, lock| {
            let _held = lock.read();
            data.get();
        },
        |data, lock| {
            let _held = lock.write();
            data.set(1);
        },
    ));
}

#[test]
fn notifications_barriers_and_semaphores_order() {
    holds(&two(
        || (Mutex::new(false), Condvar::new()),
        |data, (mutex, condition)| {
            data.set(1);
            *mutex.lock().unwrap() = true;
            condition.notify_one();
        },
        |data, (mutex, condition)| {
            let ready = mutex.lock().unwrap();
            drop(condition.wait_while(ready, |ready| !*ready));
            data.get();
        },
    ));
    holds(&two(
        || Barrier::new(2),
        |data, barrier| {
            data.set(1);
            barrier.wait();
        },
        |data, barrier| {
            barrier.wait();
            data.get();
        },
    ));
    races(&two(
        || Barrier::new(2),
        |data, barrier| {
            barrier.wait();
            data.set(1);
        },
        |data, barrier| {
            barrier.wait();
            data.get();
        },
    ));
    holds(&two(
        || Semaphore::new(0),
        |data, semaphore| {
            data.set(1);
            semaphore.release();
        },
        |data, semaphore| {
            semaphore.take();
            data.get();
        },
    ));
    holds(&two(
        || Variable::new(0),
        |data, variable| {
            data.set(1);
            variable.write(1);
        },
        |data, variable| {
            if variable.read() == 1 {
                data.get();
            }
        },
    ));
    holds(&two(
        OnceLock::<u32>::new,
        |data, once| {
            once.get_or_init(|| {
                data.set(1);
                1
            });
            data.get();
        },
        |data, once| {
            once.get_or_init(|| {
                data.set(2);
                2
            });
            data.get();
        },
    ));
}

/// A message passes on what its sender knew, and no other sender.
#[test]
fn messages_order() {
    let program = |second: bool| {
        Explorer::new().run(move || {
            let data = Arc::new(Data::default());
            let (sender, receiver) = mpsc::channel();
            let (other, writer) = (sender.clone(), data.clone());
            let one = thread::spawn(move || {
                writer.set(1);
                other.send(1).unwrap();
            });
            let two = thread::spawn(move || sender.send(2).unwrap());
            let first = receiver.recv().unwrap();
            if first == 1 || second {
                if second {
                    receiver.recv().unwrap();
                }
                data.get();
            } else {
                // Only the message of the other has come.
                receiver.recv().unwrap();
            }
            one.join().unwrap();
            two.join().unwrap();
        })
    };
    holds(&program(false));
    holds(&program(true));
    let outcome = Explorer::new().run(|| {
        let data = Arc::new(Data::default());
        let (sender, receiver) = mpsc::channel();
        let (other, writer) = (sender.clone(), data.clone());
        let one = thread::spawn(move || {
            writer.set(1);
            other.send(1).unwrap();
        });
        let two = thread::spawn(move || sender.send(2).unwrap());
        receiver.recv().unwrap();
        data.get();
        one.join().unwrap();
        two.join().unwrap();
    });
    races(&outcome);
}

#[test]
fn a_channel_that_is_closed_or_full_orders() {
    let outcome = Explorer::new().run(|| {
        let data = Arc::new(Data::default());
        let (sender, receiver) = mpsc::channel::<()>();
        let writer = data.clone();
        let child = thread::spawn(move || {
            writer.set(1);
            drop(sender);
        });
        assert!(receiver.recv().is_err());
        data.get();
        child.join().unwrap();
    });
    holds(&outcome);
    let outcome = Explorer::new().run(|| {
        let data = Arc::new(Data::default());
        let (sender, receiver) = mpsc::sync_channel(1);
        let writer = data.clone();
        let child = thread::spawn(move || {
            writer.set(1);
            receiver.recv().unwrap();
            receiver.recv().unwrap();
        });
        sender.send(1).unwrap();
        sender.send(2).unwrap();
        data.get();
        child.join().unwrap();
    });
    holds(&outcome);
}

#[test]
fn a_sign_passes_on_what_its_giver_knew() {
    let outcome = Explorer::new().run(|| {
        let data = Arc::new(Data::default());
        let writer = data.clone();
        let me = thread::current();
        let child = thread::spawn(move || {
            writer.set(1);
            me.unpark();
        });
        thread::park();
        data.get();
        child.join().unwrap();
    });
    holds(&outcome);
    // The second sign finds the first.
    let outcome = Explorer::new().run(|| {
        let data = Arc::new((Data::default(), AtomicBool::new(false)));
        let child = data.clone();
        let me = thread::current();
        me.unpark();
        let child = thread::spawn(move || {
            child.0.set(1);
            me.unpark();
            child.1.store(true, Relaxed);
        });
        if data.1.load(Relaxed) {
            thread::park();
            data.0.get();
        }
        child.join().unwrap();
    });
    holds(&outcome);
}

/// What is written after a store with release, inside of one access, is not passed on by it.
#[test]
fn an_access_lasts_to_its_end() {
    let outcome = two(
        || AtomicBool::new(false),
        |data, flag| data.0.with_mut(|_| flag.store(true, Release)),
        |data, flag| {
            if flag.load(Acquire) {
                data.get();
            }
        },
    );
    races(&outcome);
    let outcome = two(
        || AtomicBool::new(false),
        |data, flag| {
            let pointer = data.0.get_mut();
            flag.store(true, Release);
            pointer.with(|place| assert!(!place.is_null()));
        },
        |data, flag| {
            if flag.load(Acquire) {
                data.get();
            }
        },
    );
    races(&outcome);
}

/// A reference count whose last decrement does not acquire.
#[test]
fn a_relaxed_reference_count() {
    fn counted(order: Ordering) -> Outcome {
        Explorer::new().run(move || {
            let shared = Arc::new((Data::default(), AtomicUsize::new(2)));
            let release = move |shared: &(Data, AtomicUsize)| {
                shared.0.get();
                if shared.1.fetch_sub(1, order) == 1 {
                    shared.0.set(0);
                }
            };
            let child = shared.clone();
            let child = thread::spawn(move || release(&child));
            release(&shared);
            child.join().unwrap();
        })
    }
    races(&counted(Relaxed));
    races(&counted(Release));
    holds(&counted(AcqRel));
}

/// That a cell is dropped is an access too. A reference count of `std` may order it, which nobody sees.
#[test]
fn a_cell_that_is_dropped_proves_nothing() {
    let outcome = Explorer::new().run(|| {
        let data = Arc::new(Data::default());
        let (one, other) = (data.clone(), data);
        thread::spawn(move || one.get());
        thread::spawn(move || other.get());
    });
    assert!(
        matches!(outcome.stop, StopReason::Uncontrolled(_)),
        "{outcome}"
    );
    assert!(outcome.violations.is_empty());
}

#[test]
fn all_races_are_told_once() {
    let outcome = Explorer::new().all().run(|| {
        let data = Arc::new((Data::default(), Data::default()));
        let child = data.clone();
        let child = thread::spawn(move || {
            child.0.set(1);
            child.1.set(1);
        });
        data.0.set(2);
        data.1.set(2);
        child.join().unwrap();
    });
    assert_eq!(outcome.violations.len(), 2, "{outcome}");
}

/// Values come from sequential consistency, and the verdict says so.
#[test]
fn store_buffering_holds_under_sequential_consistency() {
    let outcome = Explorer::new().run(|| {
        let shared = Arc::new((AtomicUsize::new(0), AtomicUsize::new(0)));
        let other = shared.clone();
        let child = thread::spawn(move || {
            other.0.store(1, Relaxed);
            other.1.load(Relaxed)
        });
        shared.1.store(1, Relaxed);
        let mine = shared.0.load(Relaxed);
        assert!(child.join().unwrap() + mine > 0);
    });
    assert!(outcome.is_under_sequential_consistency(), "{outcome}");
}
