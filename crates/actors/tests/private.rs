//! What belongs to one actor or to one execution: thread-local variables, statics, addresses; and how much there can be of everything.

use std::cell::{Cell, RefCell};
use std::sync::Arc;

use mazurka_actors::sync::atomic::{AtomicPtr, AtomicUsize, Ordering::SeqCst};
use mazurka_actors::sync::{LazyLock, Mutex, mpsc};
use mazurka_actors::{Explorer, Reduction, StopReason, check, explore, thread};

mazurka_actors::thread_local! {
    static COUNT: Cell<u32> = const { Cell::new(0) };
    static LIST: RefCell<Vec<u32>> = RefCell::new(vec![7]);
}

/// With a variable for all actors, the second one would see what the first has written.
#[test]
fn a_thread_local_variable_is_one_for_each_actor() {
    for reduction in [Reduction::Dpor, Reduction::None] {
        let outcome = Explorer::new().reduction(reduction).run(|| {
            let increment = || {
                let before = COUNT.replace(1);
                thread::yield_now();
                LIST.with_borrow_mut(|list| list.push(8));
                assert_eq!((before, LIST.take()), (0, vec![7, 8]));
            };
            let children = [thread::spawn(increment), thread::spawn(increment)];
            increment();
            for child in children {
                child.join().unwrap();
            }
        });
        assert!(outcome.holds(), "{outcome}");
    }
}

/// Its destructor is the last that an actor does, and what it does is seen.
#[test]
fn a_thread_local_variable_is_dropped_when_its_actor_ends() {
    struct Told(RefCell<Option<mpsc::Sender<u32>>>);
    impl Drop for Told {
        fn drop(&mut self) {
            if let Some(sender) = self.0.take() {
                sender.send(1).unwrap();
                assert!(COUNT.try_with(|_| ()).is_ok());
            }
        }
    }
    mazurka_actors::thread_local! {
        static TOLD: Told = const { Told(RefCell::new(None)) };
    }
    let outcome = Explorer::new().run(|| {
        let (sender, receiver) = mpsc::channel();
        let child = thread::spawn(move || TOLD.with(|told| *told.0.borrow_mut() = Some(sender)));
        child.join().unwrap();
        assert_eq!(receiver.recv(), Ok(1));
    });
    assert!(outcome.holds(), "{outcome}");
}

static NEXT: LazyLock<AtomicUsize> = LazyLock::new(|| AtomicUsize::new(0));
static NAMES: LazyLock<Mutex<Vec<usize>>> = LazyLock::new(|| Mutex::new(vec![]));

#[test]
fn a_static_begins_anew_in_each_execution() {
    for jobs in [1, 2] {
        let outcome = Explorer::new().jobs(jobs).run(|| {
            let take = || {
                let number = NEXT.fetch_add(1, SeqCst);
                NAMES.lock().unwrap().push(number);
            };
            let child = thread::spawn(take);
            take();
            child.join().unwrap();
            assert_eq!(NEXT.load(SeqCst), 2);
            let mut names = NAMES.lock().unwrap().clone();
            names.sort_unstable();
            assert_eq!(names, [0, 1]);
        });
        assert!(outcome.holds(), "{outcome}");
        assert!(outcome.statistics.executions > 4);
    }
}

/// Which of several is made first depends on who comes first, so there is no number for it.
#[test]
fn a_lazy_value_that_is_not_static_proves_nothing() {
    let outcome = Explorer::new().run(|| {
        let make = || LazyLock::<u32, fn() -> u32>::new(|| 1);
        let both = [make(), make()];
        assert_eq!(*both[0] + *both[1], 2);
    });
    assert!(
        matches!(outcome.stop, StopReason::Uncontrolled(_)),
        "{outcome}"
    );
}

/// Addresses differ from execution to execution, and what is compared is which one it is.
#[test]
fn addresses_are_compared_within_an_execution() {
    let program = || {
        let top = Arc::new(AtomicPtr::new(std::ptr::null_mut::<u32>()));
        let publish = |top: &AtomicPtr<u32>, value| {
            let mine = Box::into_raw(Box::new(value));
            let found = top.compare_exchange(std::ptr::null_mut(), mine, SeqCst, SeqCst);
            if found.is_err() {
                // SAFETY: nobody else knows it.
                drop(unsafe { Box::from_raw(mine) });
            }
        };
        let child = top.clone();
        let child = thread::spawn(move || publish(&child, 1));
        publish(&top, 2);
        child.join().unwrap();
        let found = top.swap(std::ptr::null_mut(), SeqCst);
        assert!(!found.is_null());
        // SAFETY: it was published, and nobody else has taken it.
        let value = unsafe { *Box::from_raw(found) };
        assert!([1, 2].contains(&value));
        check(value == 2, "it is mine");
    };
    let outcome = Explorer::new().all().audit(Some(1.0)).run(program);
    assert_eq!(outcome.stop, StopReason::Complete, "{outcome}");
    assert_eq!(outcome.violations.len(), 1, "{outcome}");
    let steps = &outcome.violations[0].run.steps;
    let told: Vec<&str> = steps.iter().map(|step| step.statement.as_str()).collect();
    assert!(
        told.contains(&"compare-exchange variable 0 null to &1: was null"),
        "{told:?}"
    );
    assert!(told.contains(&"swap variable 0 null: was &1"), "{told:?}");
}

#[test]
fn a_limit_is_told_and_proves_nothing() {
    let outcome = Explorer::new().run(|| {
        for _ in 0..64 {
            thread::spawn(|| ());
        }
    });
    let reason = outcome.reason().unwrap();
    assert_eq!(reason, "it has more than 64 actors in one execution");
    let outcome = Explorer::new().run(|| {
        for _ in 0..961 {
            Mutex::new(());
        }
    });
    let reason = outcome.reason().unwrap();
    assert_eq!(
        reason,
        "one of its actors makes more than 960 objects in one execution"
    );
}

/// When an actor ends is no step, so not all that can be told of it is explored.
#[test]
fn whether_an_actor_has_ended_proves_nothing() {
    let outcome = Explorer::new().run(|| {
        let child = thread::spawn(|| ());
        child.is_finished();
    });
    assert!(
        matches!(outcome.stop, StopReason::Uncontrolled(_)),
        "{outcome}"
    );
}

#[test]
fn actors_have_names_and_park() {
    explore(|| {
        let main = thread::current();
        assert_eq!(main.name(), Some("main"));
        let builder = thread::Builder::new().name("helper".into());
        let child = builder.spawn(move || {
            assert_eq!(thread::current().name(), Some("helper"));
            assert_ne!(thread::current().id(), main.id());
            main.unpark();
        });
        let child = child.unwrap();
        assert_eq!(child.thread().name(), Some("helper"));
        thread::park();
        child.join().unwrap();
    });
    let outcome = Explorer::new().run(|| {
        thread::current().unpark();
        thread::current().unpark();
        thread::park();
        thread::park();
    });
    assert_eq!(outcome.violations[0].kind().name(), "deadlock");
    assert!(
        outcome.violations[0]
            .record
            .message
            .contains("sign for main")
    );
}
