//! What is found, how it is told, and that it can be repeated.

mod programs;

use std::cell::Cell;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use mazurka_actors::sync::{Barrier, Condvar, Mutex, mpsc};
use mazurka_actors::{
    Explorer, Observer, Reduction, Statistics, StopReason, Strategy, Style, Variable,
    ViolationKind, text, thread, toss,
};

fn opposite_locks() {
    let a = Arc::new(Mutex::new(()));
    let b = Arc::new(Mutex::new(()));
    for (first, second) in [(&a, &b), (&b, &a)] {
        let (first, second) = (first.clone(), second.clone());
        thread::spawn(move || {
            let _first = first.lock().unwrap();
            let _second = second.lock().unwrap();
        });
    }
}

#[test]
fn a_deadlock_tells_who_waits_for_what_and_where() {
    let report = Explorer::new().run(opposite_locks);
    assert_eq!(report.stop, StopReason::Violation);
    let violation = &report.violations[0];
    assert_eq!(violation.kind(), ViolationKind::Deadlock);
    let message = &violation.record.message;
    // The place is that of who waits.
    for (who, what) in [
        ("actor 1, at ", ", waits for mutex 1, held by actor 2"),
        ("actor 2, at ", ", waits for mutex 0, held by actor 1"),
    ] {
        let (_, told) = message.split_once(who).unwrap();
        let (place, _) = told.split_once(what).unwrap();
        assert!(place.contains("detection.rs:"), "{message}");
        assert!(!place.contains("waits"), "{message}");
    }
    // Two spawns and two locks: nothing to leave out.
    assert_eq!(violation.schedule.len(), 4);
    let replayed = Explorer::new().replay(opposite_locks, &violation.schedule);
    assert_eq!(replayed.differs, None);
    assert_eq!(replayed.violations[0].message, violation.record.message);
    assert!(replayed.text.contains("lock mutex 1"), "{}", replayed.text);
}

/// The place that is named is that of an actor in the circle, not of one who waits for its work.
#[test]
fn a_deadlock_is_where_the_circle_is() {
    let report = Explorer::new().run(|| {
        let (sender, receiver) = mpsc::channel::<u32>();
        let a = Arc::new(Mutex::new(()));
        let b = Arc::new(Mutex::new(()));
        for (first, second) in [(&a, &b), (&b, &a)] {
            let (first, second, sender) = (first.clone(), second.clone(), sender.clone());
            thread::spawn(move || {
                let _first = first.lock().unwrap();
                let _second = second.lock().unwrap(); // here
                sender.send(1).unwrap();
            });
        }
        receiver.recv().unwrap();
        receiver.recv().unwrap();
    });
    let violation = &report.violations[0];
    assert_eq!(violation.kind(), ViolationKind::Deadlock);
    let line = violation.record.at.as_ref().unwrap().line as usize;
    let text = include_str!("detection.rs").lines().nth(line - 1).unwrap();
    assert!(text.ends_with("// here"), "{line}: {text}");
}

#[test]
fn a_panic_of_several_lines_is_told_in_one() {
    let report = Explorer::new().run(|| {
        thread::spawn(|| assert_eq!(toss(2), 0, "no other"));
    });
    let message = &report.violations[0].record.message;
    assert!(
        message.ends_with("`left == right` failed: no other; left: 1; right: 0"),
        "{message}"
    );
}

#[test]
fn a_violation_is_shortened() {
    let program = || {
        let x = Arc::new(Variable::new(0));
        for _ in 0..3 {
            let x = x.clone();
            thread::spawn(move || {
                let seen = x.read();
                x.write(seen + 1);
            });
        }
        let noise = thread::spawn(|| {
            let own = Variable::new(0);
            (0..5).for_each(|_| own.add(1));
        });
        noise.join().unwrap();
        assert!(x.read() < 3);
    };
    let random = Explorer::new()
        .strategy(Strategy::Random)
        .executions(1_000_000)
        .seed(3);
    let report = random.run(program);
    let violation = &report.violations[0];
    assert_eq!(violation.kind(), ViolationKind::Assertion);
    let replayed = Explorer::new().replay(program, &violation.schedule);
    assert_eq!(replayed.violations[0].message, violation.record.message);
    // Four spawns, three updates, the noise, the join and the read; no preemption is needed.
    assert_eq!(violation.schedule.len(), 4 + 6 + 5 + 2);
}

#[test]
fn a_panic_is_a_failed_assertion() {
    let report = Explorer::new().run(|| {
        thread::spawn(|| {
            if toss(3) == 2 {
                panic!("no third way");
            }
        });
    });
    let violation = &report.violations[0];
    assert_eq!(violation.kind(), ViolationKind::Assertion);
    assert_eq!(violation.record.message, "actor 1 panicked: no third way");
    assert!(
        violation
            .record
            .at
            .as_ref()
            .unwrap()
            .file
            .ends_with("detection.rs")
    );
}

#[test]
fn choices_are_all_explored() {
    let report = Explorer::new().run(|| {
        toss(3);
        toss(4);
    });
    assert_eq!(report.statistics.executions, 12);
}

#[test]
fn a_depth_that_cuts_gives_no_proof() {
    let endless = || {
        let x = Arc::new(Variable::new(0));
        let other = x.clone();
        thread::spawn(move || other.write(1));
        while x.read() == 0 {}
    };
    let report = Explorer::new().depth(8).run(endless);
    assert_eq!(report.stop, StopReason::Depth(8));
    let enough = Explorer::new().depth(100).run(|| {
        Variable::new(0).read();
    });
    assert_eq!(enough.stop, StopReason::Complete);
}

/// The first actor alone uses up the depth; what the others do must be seen all the same.
#[test]
fn a_depth_that_cuts_loses_nothing_before_it() {
    let report = Explorer::new().depth(12).run(|| {
        thread::spawn(|| {
            let own = Variable::new(0);
            loop {
                own.add(1);
            }
        });
        let x = Arc::new(Variable::new(0));
        let other = x.clone();
        thread::spawn(move || other.write(1));
        assert!(x.read() == 0);
    });
    assert_eq!(report.stop, StopReason::Violation);
}

#[test]
fn preemptions_are_bounded() {
    let program = || {
        let x = Arc::new(Variable::new(0));
        for _ in 0..2 {
            let x = x.clone();
            thread::spawn(move || x.write(x.read() + 1));
        }
    };
    let counts: Vec<u64> = (0..3)
        .map(|bound| {
            Explorer::new()
                .preemptions(bound)
                .run(program)
                .statistics
                .executions
        })
        .collect();
    let all = Explorer::new()
        .reduction(Reduction::None)
        .run(program)
        .statistics
        .executions;
    assert!(
        counts[0] < counts[1] && counts[1] <= counts[2] && counts[2] <= all,
        "{counts:?}"
    );
    assert_eq!(
        Explorer::new()
            .preemptions(9)
            .run(program)
            .statistics
            .executions,
        all
    );
}

#[test]
fn a_program_that_does_not_repeat_itself_is_found_out() {
    thread_local! {
        static RUNS: Cell<u32> = const { Cell::new(0) };
    }
    let report = Explorer::new().audit(None).run(|| {
        let x = Arc::new(Variable::new(0));
        let other = x.clone();
        thread::spawn(move || other.write(1));
        if RUNS.replace(RUNS.get() + 1) > 0 {
            x.write(2);
        }
        x.read();
    });
    assert!(
        matches!(report.stop, StopReason::Nondeterminism(2)),
        "{:?}",
        report.stop
    );
}

/// Actors share memory that is not under control: the order of what looks independent matters.
#[test]
fn memory_without_visible_operations_is_found_by_the_audit() {
    use std::sync::atomic::{AtomicU32, Ordering};
    for reduction in [Reduction::Sleep, Reduction::Dpor] {
        let report = Explorer::new()
            .reduction(reduction)
            .audit(Some(1.0))
            .run(|| {
                let hidden = Arc::new(AtomicU32::new(0));
                let (x, y) = (Variable::new(0), Arc::new(Variable::new(0)));
                let (other, seen) = (y.clone(), hidden.clone());
                let spawned = thread::spawn(move || {
                    for _ in 0..4 {
                        other.write(seen.load(Ordering::Relaxed) as i64);
                    }
                });
                for value in 1..5 {
                    x.write(1);
                    hidden.store(value, Ordering::Relaxed);
                }
                spawned.join().unwrap();
            });
        let is_found = matches!(report.stop, StopReason::Audit(_));
        assert!(is_found, "{reduction:?}: {:?}", report.stop);
    }
    let report = Explorer::new().audit(Some(1.0)).run(|| {
        let x = Arc::new(Variable::new(0));
        let other = x.clone();
        let spawned = thread::spawn(move || other.write(1));
        x.write(2);
        spawned.join().unwrap();
    });
    assert_eq!(report.stop, StopReason::Complete);
    assert_eq!(report.statistics.audited, report.statistics.executions);
}

/// Each execution by itself is fine; what an actor wants at the parting tells.
#[test]
fn a_program_that_does_something_else_every_other_time_is_found_out() {
    for reduction in [Reduction::None, Reduction::Sleep, Reduction::Dpor] {
        thread_local! {
            static RUNS: Cell<u32> = const { Cell::new(0) };
        }
        let report = Explorer::new().reduction(reduction).run(|| {
            let (x, y) = (Arc::new(Variable::new(0)), Variable::new(0));
            let other = x.clone();
            thread::spawn(move || other.write(1));
            match RUNS.replace(RUNS.get() + 1) % 2 {
                0 => x.write(2),
                _ => y.write(2),
            }
        });
        assert!(
            matches!(report.stop, StopReason::Nondeterminism(_)),
            "{reduction:?}: {:?}",
            report.stop
        );
    }
}

#[test]
fn a_lost_wakeup_is_a_deadlock() {
    let report = Explorer::new().run(|| {
        let pair = Arc::new((Mutex::new(()), Condvar::new()));
        let other = pair.clone();
        thread::spawn(move || other.1.notify_one());
        let guard = pair.0.lock().unwrap();
        drop(pair.1.wait(guard));
    });
    assert_eq!(report.violations[0].kind(), ViolationKind::Deadlock);
    let message = &report.violations[0].record.message;
    assert!(
        message.contains(", waits for condition variable 1"),
        "{message}"
    );
}

#[test]
fn channels_end_with_their_senders() {
    mazurka_actors::explore(|| {
        let (sender, receiver) = mpsc::channel();
        for value in 0..2 {
            let sender = sender.clone();
            thread::spawn(move || sender.send(value).unwrap());
        }
        drop(sender);
        let mut values: Vec<i32> = receiver.iter().collect();
        values.sort_unstable();
        assert_eq!(values, [0, 1]);
    });
}

#[test]
fn a_barrier_has_one_leader() {
    mazurka_actors::explore(|| {
        let barrier = Arc::new(Barrier::new(3));
        let wait = |barrier: Arc<Barrier>| move || u32::from(barrier.wait().is_leader());
        let others: Vec<_> = (0..2)
            .map(|_| thread::spawn(wait(barrier.clone())))
            .collect();
        let mine = wait(barrier)();
        let leaders: u32 = others.into_iter().map(|other| other.join().unwrap()).sum();
        assert_eq!(leaders + mine, 1);
    });
}

#[test]
fn a_time_limit_runs_out_or_not() {
    let seen = std::sync::Mutex::new([false; 2]);
    mazurka_actors::explore(|| {
        let pair = Arc::new((Mutex::new(()), Condvar::new()));
        let other = pair.clone();
        thread::spawn(move || other.1.notify_one());
        let guard = pair.0.lock().unwrap();
        let (guard, result) = pair.1.wait_timeout(guard, Duration::from_secs(1)).unwrap();
        drop(guard);
        seen.lock().unwrap()[usize::from(result.timed_out())] = true;
    });
    assert_eq!(*seen.lock().unwrap(), [true, true]);
}

#[test]
fn a_time_that_no_clock_reaches_is_no_limit() {
    let outcome = Explorer::new().time(Duration::MAX).run(opposite_locks);
    assert_eq!(outcome.violations[0].kind(), ViolationKind::Deadlock);
}

#[test]
fn no_steps_and_no_changes_of_priority_are_refused() {
    for explorer in [
        Explorer::new().depth(0),
        Explorer::new().deeper_by(0),
        Explorer::new().strategy(Strategy::Pct(0)).executions(5),
    ] {
        let refused = explorer.run_with(|| {}, None, &mut ()).unwrap_err();
        assert!(refused.to_string().contains("from 1 on"), "{refused}");
    }
}

#[test]
fn the_end_of_a_scope_is_no_place_in_the_library_of_rust() {
    let outcome = Explorer::new().run(|| {
        let mutex = Mutex::new(0);
        drop(mutex.lock());
        *mutex.lock().unwrap() += 1;
        panic!("after both");
    });
    let steps = outcome.violations[0].run.steps.iter();
    let unlocked: Vec<_> = steps
        .filter(|step| step.statement.starts_with("unlock"))
        .collect();
    assert_eq!(unlocked.len(), 2);
    for step in unlocked {
        let file = &step.at.file;
        assert!(file.is_empty() || file.ends_with("detection.rs"), "{file}");
    }
    let violation = &outcome.violations[0];
    let told = text(&violation.run, Some(&violation.record), Style::default());
    assert!(!told.contains(":0"), "{told}");
}

#[test]
fn what_goes_wrong_ends_with_the_command_that_repeats_it() {
    let told = std::panic::catch_unwind(|| mazurka_actors::explore(opposite_locks)).unwrap_err();
    let message = told.downcast_ref::<String>().unwrap();
    assert!(message.starts_with("deadlock: actor 1, at "), "{message}");
    assert!(
        message.contains("MAZURKA_SCHEDULE='0 0 1 2' cargo test "),
        "{message}"
    );
}

#[test]
fn deeper_and_deeper_until_nothing_is_cut() {
    let program = || {
        let x = Variable::new(0);
        (0..25).for_each(|_| x.add(1));
    };
    let report = Explorer::new().deeper_by(10).run(program);
    assert_eq!(report.stop, StopReason::Complete);
    assert_eq!(report.statistics.max_depth, 25);
}

#[test]
fn an_endless_loop_is_a_livelock() {
    let report = Explorer::new().livelock(50).run(|| {
        let x = Variable::new(0);
        while x.read() == 0 {
            thread::yield_now();
        }
    });
    assert_eq!(report.violations[0].kind(), ViolationKind::Livelock);
}

#[test]
fn random_jobs_share_the_work() {
    let program = || {
        let x = Arc::new(Variable::new(0));
        for _ in 0..2 {
            let x = x.clone();
            thread::spawn(move || x.write(x.read() + 1));
        }
    };
    let random = Explorer::new().strategy(Strategy::Random).executions(101);
    let report = random.jobs(3).run(program);
    assert_eq!(report.statistics.executions, 101);
    assert_eq!(report.stop, StopReason::Executions);
}

/// What cannot be survived is at least told.
#[test]
fn a_stack_that_is_too_small() {
    const VICTIM: &str = "MAZURKA_TEST_OVERFLOW";
    fn descend(depth: usize) -> usize {
        let room = std::hint::black_box([depth; 1000]);
        match depth {
            0 => 0,
            _ => room[depth % 1000] + descend(depth - 1),
        }
    }
    if std::env::var_os(VICTIM).is_some() {
        Explorer::new().run(|| {
            thread::spawn(|| descend(100_000));
        });
        return;
    }
    let test = std::env::current_exe().unwrap();
    let output = std::process::Command::new(test)
        .args(["--exact", "a_stack_that_is_too_small", "--nocapture"])
        .env(VICTIM, "1")
        .output()
        .unwrap();
    assert!(!output.status.success());
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(told.contains("overflowed its stack"), "{told}");
}

/// Set for a copy of this test that never comes to its next operation.
const STUCK: &str = "MAZURKA_TEST_STUCK";

/// Not a test of its own: what the next one runs.
#[test]
fn stuck() {
    let Ok(how) = std::env::var(STUCK) else {
        return;
    };
    let shared = std::sync::Mutex::new(());
    let explorer = Explorer::new().divergence(std::time::Duration::from_millis(100));
    explorer.run(|| {
        let x = Variable::new(0);
        x.write(1);
        if how == "loop" {
            loop {
                std::hint::spin_loop();
            }
        }
        // An actor that holds a lock of `std` across an operation keeps the thread of all waiting.
        let first = shared.lock();
        x.write(2);
        let second = shared.lock();
        assert!(first.is_ok() && second.is_ok());
    });
}

/// In process, what never comes to its next operation is told, and does not last for ever.
#[test]
fn an_actor_that_never_comes_back_is_told() {
    for how in ["loop", "lock"] {
        let output = std::process::Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "stuck", "--nocapture"])
            .env(STUCK, how)
            .output()
            .unwrap();
        assert!(!output.status.success());
        let told = String::from_utf8_lossy(&output.stderr);
        assert!(
            told.contains("does not come to its next visible operation"),
            "{told}"
        );
        assert!(told.contains("MAZURKA_SCHEDULE='0"), "{told}");
    }
}

/// A panic that is caught may have unwound past operations that did not happen: then nothing is known.
#[test]
fn operations_during_a_panic_that_is_caught_are_not_passed_over() {
    use mazurka_actors::sync::atomic::AtomicI64;
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::sync::atomic::Ordering::SeqCst;

    struct Stores(Arc<AtomicI64>);
    impl Drop for Stores {
        fn drop(&mut self) {
            self.0.store(1, SeqCst);
        }
    }
    let outcome = Explorer::new().run(|| {
        let x = Arc::new(AtomicI64::new(0));
        let y = x.clone();
        let _ = catch_unwind(AssertUnwindSafe(|| {
            let _stores = Stores(y);
            panic!("caught");
        }));
        x.load(SeqCst);
    });
    assert!(outcome.violations.is_empty(), "{outcome}");
    assert!(!outcome.holds(), "{outcome}");
}

/// A panic that leaves an exploration leaves nothing behind that another one would trip over.
#[test]
fn a_stack_that_cannot_be_is_refused() {
    let outcome = Explorer::new()
        .stack(usize::MAX)
        .run_with(|| {}, None, &mut ());
    assert!(outcome.is_err() || !outcome.unwrap().holds());
    let caught = std::panic::catch_unwind(|| panic!("ordinary"));
    assert!(caught.is_err());
}

#[test]
fn a_schedule_that_does_not_fit_is_said_not_to() {
    let replayed = Explorer::new().replay(|| {}, &[(9, 9), (20, 1)]);
    assert!(replayed.differs.is_some());
}

/// Code that catches the unwinding of an execution that has ended goes on without being heard. What was found is told all the same.
#[test]
fn a_deadlock_is_told_to_those_who_catch_everything() {
    use std::panic::{AssertUnwindSafe, catch_unwind};

    for panics in [false, true] {
        let outcome = Explorer::new().run(|| {
            let lock = Arc::new(Mutex::new(0));
            let _held = lock.lock();
            let other = lock.clone();
            let waits = move || {
                for _ in 0..3 {
                    let seen = catch_unwind(AssertUnwindSafe(|| *other.lock().unwrap()));
                    assert!(!panics || seen.is_ok(), "no lock");
                }
            };
            thread::spawn(waits).join().unwrap();
        });
        let violation = &outcome.violations[0];
        assert_eq!(violation.kind(), ViolationKind::Deadlock);
        let message = &violation.record.message;
        assert!(message.contains("actor 1, at "), "{message}");
        assert!(message.contains(", waits for mutex 0"), "{message}");
        assert_eq!(outcome.violations.len(), 1);
    }
}

/// What a panic says does not decide what it is.
#[test]
fn assertions_with_and_without_words_are_of_one_kind() {
    for number in 0..3 {
        let outcome = Explorer::new().run(|| match number {
            0 => assert!(toss(2) == 0),
            1 => assert!(toss(2) == 0, "words of its own"),
            _ => panic!("assertion failed, says a panic"),
        });
        let violation = &outcome.violations[0];
        assert_eq!(violation.kind(), ViolationKind::Assertion);
        let message = &violation.record.message;
        assert!(message.starts_with("main panicked: "), "{message}");
    }
}

/// A flag that another thread may set, and an observer that has seen enough, both stop the search.
#[test]
fn a_search_can_be_stopped() {
    struct Enough;

    impl Observer for Enough {
        fn progress(&mut self, _: &Statistics) -> ControlFlow<()> {
            ControlFlow::Break(())
        }
    }

    // Millions of executions.
    let program = || programs::adders(4, 4);
    for jobs in [1, 2] {
        let explorer = Explorer::new().jobs(jobs);
        let outcome = explorer.run_with(program, None, &mut Enough).unwrap();
        assert_eq!(outcome.stop, StopReason::Interrupted);
        let flag = Arc::new(AtomicBool::new(true));
        let outcome = explorer.interrupt(flag).run(program);
        assert_eq!(outcome.stop, StopReason::Interrupted);
    }
}
