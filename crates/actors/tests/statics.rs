//! Statics: their objects are the same whoever comes first, and all begins anew in each execution.

use std::sync::Arc;

use mazurka_actors::sync::atomic::{AtomicU32, Ordering::*};
use mazurka_actors::sync::{Condvar, Mutex, OnceLock, RwLock};
use mazurka_actors::{Explorer, Outcome, Reduction, statics, thread};

statics! {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    static OTHER: AtomicU32 = AtomicU32::new(0);
    static LIST: Mutex<Vec<u32>> = Mutex::new(Vec::new());
    static ONCE: OnceLock<u32> = OnceLock::new();
    static ROWS: [AtomicU32; 2] = [AtomicU32::new(1), AtomicU32::new(2)];
    /// Several objects in one.
    pub static DOOR: (Mutex<bool>, Condvar, RwLock<u8>) = (Mutex::new(false), Condvar::new(), RwLock::new(0));
}

const REDUCTIONS: [Reduction; 4] = [
    Reduction::None,
    Reduction::Sleep,
    Reduction::Persistent,
    Reduction::Dpor,
];

fn explore(reduction: Reduction, program: impl Fn() + Send + Sync + 'static) -> Outcome {
    Explorer::new().reduction(reduction).run(program)
}

/// As many executions as with objects that somebody makes.
#[test]
fn the_objects_of_statics_are_like_others() {
    fn steps(first: &AtomicU32, second: &AtomicU32) {
        first.store(1, SeqCst);
        second.load(SeqCst);
        second.fetch_add(1, SeqCst);
    }
    for reduction in REDUCTIONS {
        let with_statics = explore(reduction, || {
            let child = thread::spawn(|| steps(&COUNT, &OTHER));
            steps(&OTHER, &COUNT);
            child.join().unwrap();
        });
        let with_others = explore(reduction, || {
            let both = Arc::new((AtomicU32::new(0), AtomicU32::new(0)));
            let others = both.clone();
            let child = thread::spawn(move || steps(&others.0, &others.1));
            steps(&both.1, &both.0);
            child.join().unwrap();
        });
        assert!(with_statics.holds(), "{with_statics}");
        assert_eq!(
            with_statics.statistics.executions,
            with_others.statistics.executions
        );
    }
}

#[test]
fn a_lost_update_is_found() {
    for reduction in REDUCTIONS {
        let outcome = explore(reduction, || {
            let add = || COUNT.store(COUNT.load(SeqCst) + 1, SeqCst);
            let child = thread::spawn(add);
            add();
            child.join().unwrap();
            assert_eq!(COUNT.load(SeqCst), 2);
        });
        assert_eq!(outcome.violations.len(), 1, "{outcome}");
    }
}

#[test]
fn a_static_begins_anew() {
    for reduction in REDUCTIONS {
        let outcome = explore(reduction, || {
            assert!(LIST.lock().unwrap().is_empty());
            assert_eq!(ONCE.get(), None);
            let child = thread::spawn(|| {
                LIST.lock().unwrap().push(1);
                *ONCE.get_or_init(|| 1)
            });
            LIST.lock().unwrap().push(2);
            let mine = *ONCE.get_or_init(|| 2);
            assert_eq!(mine, child.join().unwrap());
            assert_eq!(LIST.lock().unwrap().len(), 2);
        });
        assert!(outcome.holds(), "{outcome}");
        assert!(outcome.statistics.executions > 1);
    }
}

#[test]
fn a_static_of_several_objects() {
    for reduction in REDUCTIONS {
        let outcome = explore(reduction, || {
            let child = thread::spawn(|| {
                ROWS[1].fetch_add(1, Relaxed);
                *DOOR.2.write().unwrap() += 1;
                *DOOR.0.lock().unwrap() = true;
                DOOR.1.notify_one();
            });
            let mut is_open = DOOR.0.lock().unwrap();
            while !*is_open {
                is_open = DOOR.1.wait(is_open).unwrap();
            }
            drop(is_open);
            assert_eq!(*DOOR.2.read().unwrap(), 1);
            assert_eq!(ROWS[0].load(Relaxed) + ROWS[1].load(Relaxed), 4);
            child.join().unwrap();
        });
        assert!(outcome.holds(), "{outcome}");
    }
}
