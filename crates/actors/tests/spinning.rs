//! Loops that wait for others.

use std::sync::Arc;

use mazurka_actors::cell::UnsafeCell;
use mazurka_actors::sync::atomic::{AtomicBool, AtomicUsize, Ordering::*};
use mazurka_actors::{Explorer, Outcome, Reduction, hint, thread};

struct Shared {
    flag: AtomicBool,
    data: UnsafeCell<u32>,
}

// SAFETY: who uses the cell is checked.
unsafe impl Sync for Shared {}

fn publication(store: std::sync::atomic::Ordering) -> Outcome {
    Explorer::new().run(move || {
        let shared = Arc::new(Shared {
            flag: AtomicBool::new(false),
            data: UnsafeCell::new(0),
        });
        let other = shared.clone();
        let child = thread::spawn(move || {
            // SAFETY: nobody else may use it yet.
            other.data.with_mut(|data| unsafe { *data = 1 });
            other.flag.store(true, store);
        });
        while !shared.flag.load(Acquire) {
            thread::yield_now();
        }
        // SAFETY: it was written before the flag was set.
        assert_eq!(shared.data.with(|data| unsafe { *data }), 1);
        child.join().unwrap();
    })
}

#[test]
fn a_loop_that_waits_ends() {
    let outcome = publication(Release);
    assert!(outcome.holds(), "{outcome}");
    assert!(outcome.statistics.executions <= 4, "{outcome}");
    let outcome = publication(Relaxed);
    assert_eq!(outcome.violations[0].kind().name(), "data-race");
}

#[test]
fn a_loop_that_nobody_can_end_is_a_livelock() {
    let outcome = Explorer::new().run(|| {
        let flag = Arc::new(AtomicBool::new(false));
        let other = flag.clone();
        thread::spawn(move || other.load(SeqCst));
        while !flag.load(SeqCst) {
            hint::spin_loop();
        }
    });
    assert_eq!(outcome.violations[0].kind().name(), "livelock", "{outcome}");
    // The place is that of the loop, not of who changes nothing.
    let message = &outcome.violations[0].record.message;
    let (place, what) = message.split_once(", loops, reading ").unwrap();
    assert!(place.contains(", at "), "{message}");
    assert!(!what.contains("spinning.rs"), "{message}");
    assert!(what.contains(", which nobody changes"), "{message}");
}

#[test]
fn a_spin_lock() {
    for reduction in [Reduction::Dpor, Reduction::Sleep] {
        let outcome = Explorer::new().reduction(reduction).run(|| {
            let shared = Arc::new((AtomicBool::new(false), AtomicUsize::new(0)));
            let add = |shared: &(AtomicBool, AtomicUsize)| {
                while shared
                    .0
                    .compare_exchange(false, true, Acquire, Relaxed)
                    .is_err()
                {
                    hint::spin_loop();
                }
                let seen = shared.1.load(Relaxed);
                shared.1.store(seen + 1, Relaxed);
                shared.0.store(false, Release);
            };
            let other = shared.clone();
            let child = thread::spawn(move || add(&other));
            add(&shared);
            child.join().unwrap();
            assert_eq!(shared.1.load(SeqCst), 2);
        });
        assert!(outcome.holds(), "{outcome}");
    }
}

/// A loop that counts its rounds is in another state each time: it ends by itself, and what comes then is seen.
#[test]
fn a_loop_that_gives_up_does_not_wait() {
    fn rounds(most: u32, is_captured: bool) -> Outcome {
        Explorer::new().run(move || {
            let flag = Arc::new(AtomicBool::new(false));
            let other = flag.clone();
            let mut captured = 0;
            let child = thread::spawn(move || {
                let mut own = 0;
                while !other.load(SeqCst) {
                    let count = if is_captured { &mut captured } else { &mut own };
                    *count += 1;
                    assert!(*count < most, "it gives up");
                    thread::yield_now();
                }
            });
            flag.store(true, SeqCst);
            child.join().unwrap();
        })
    }
    for is_captured in [false, true] {
        let outcome = rounds(5, is_captured);
        assert_eq!(
            outcome.violations[0].kind().name(),
            "assertion",
            "{outcome}"
        );
    }
}

/// Who looks at two objects waits for either.
#[test]
fn a_loop_about_two_objects() {
    let outcome = Explorer::new().run(|| {
        let shared = Arc::new((AtomicBool::new(false), AtomicBool::new(false)));
        let (one, two) = (shared.clone(), shared.clone());
        let one = thread::spawn(move || one.0.store(true, SeqCst));
        let two = thread::spawn(move || two.1.store(true, SeqCst));
        while !(shared.0.load(SeqCst) && shared.1.load(SeqCst)) {
            thread::yield_now();
        }
        one.join().unwrap();
        two.join().unwrap();
    });
    assert!(outcome.holds(), "{outcome}");
}

/// Memory elsewhere is not looked at, so a verdict that rests on it says so.
#[test]
fn a_verdict_that_rests_on_a_waiting_loop_says_so() {
    fn waits() {
        let flag = Arc::new(AtomicBool::new(false));
        let other = flag.clone();
        let child = thread::spawn(move || {
            while !other.load(SeqCst) {
                thread::yield_now();
            }
        });
        flag.store(true, SeqCst);
        child.join().unwrap();
    }
    let outcome = Explorer::new().run(waits);
    assert!(outcome.holds(), "{outcome}");
    assert!(
        outcome
            .to_string()
            .contains("counts its rounds in other memory")
    );
    let outcome = Explorer::new().strict().run(waits);
    assert_eq!(outcome.verdict().name(), "inconclusive", "{outcome}");
    assert!(
        outcome
            .to_string()
            .contains("counts its rounds in other memory")
    );
    let outcome = Explorer::new().strict().run(|| {
        thread::spawn(|| ()).join().unwrap();
    });
    assert!(outcome.holds() && outcome.notes.is_empty(), "{outcome}");
}

/// Who waits for one of several changes could have come before each of them.
#[test]
fn a_loop_over_several_variables() {
    let run = |reduction| {
        Explorer::new().reduction(reduction).run(|| {
            let all = Arc::new([0, 0, 0].map(AtomicUsize::new));
            let children = [1, 2].map(|which| {
                let all = all.clone();
                thread::spawn(move || all[which].store(1, SeqCst))
            });
            while all[0].load(SeqCst) + all[1].load(SeqCst) + all[2].load(SeqCst) == 0 {
                thread::yield_now();
            }
            for child in children {
                child.join().unwrap();
            }
        })
    };
    let (all, some) = (run(Reduction::Sleep), run(Reduction::Dpor));
    assert!(all.holds() && some.holds(), "{all}\n{some}");
    assert_eq!(all.statistics.executions, some.statistics.executions);
    assert!(some.statistics.executions > 4, "{some}");
}
