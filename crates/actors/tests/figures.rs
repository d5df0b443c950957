//! Executions are as many as there are inequivalent ones, and none is explored in vain.

mod programs;

use mazurka_actors::{Dependency, Explorer, Outcome, Reduction, StopReason};
use programs::*;

fn constant(program: impl Fn() + Sync) -> Outcome {
    Explorer::new().all().run(program)
}

/// Dependency by value.
fn refined(reduction: Reduction, program: impl Fn() + Sync) -> Outcome {
    let explorer = Explorer::new().dependency(Dependency::Refined);
    explorer.all().reduction(reduction).run(program)
}

#[track_caller]
fn expect(report: &Outcome, executions: u64) {
    assert_eq!(report.stop, StopReason::Complete);
    assert_eq!(
        (
            report.statistics.executions,
            report.statistics.redundant_executions
        ),
        (executions, 0)
    );
}

#[test]
fn adding_and_using_the_result() {
    for (actors, executions) in [(1, 1), (2, 2), (3, 6), (4, 24), (5, 120)] {
        expect(&constant(|| adders(actors, 1)), executions);
    }
}

#[test]
fn adding_without_using_the_result() {
    expect(&constant(|| blind_adders(5)), 1);
    expect(&refined(Reduction::Dpor, || blind_adders(5)), 1);
    for reduction in [Reduction::Sleep, Reduction::Persistent] {
        let report = refined(reduction, || blind_adders(5));
        assert_eq!(report.stop, StopReason::Complete);
        assert_eq!(report.statistics.executions, 1);
    }
}

#[test]
fn lost_updates() {
    for (actors, executions) in [(2, 4), (3, 36), (4, 576)] {
        expect(&constant(|| lost_update(actors)), executions);
    }
}

/// By value, as far as that is fixed per class: writes of the same value commute.
#[test]
fn refined_lost_updates_by_dynamic_reduction() {
    for (actors, executions) in [(2, 3), (3, 25), (4, 363)] {
        expect(
            &refined(Reduction::Dpor, || lost_update(actors)),
            executions,
        );
    }
}

/// Three who give to a semaphore that suffices, and three who take from it, do not care who of
/// the others comes first, only who of their own does.
#[test]
fn a_semaphore_that_suffices() {
    expect(&constant(|| giving_and_taking(3)), 720);
    expect(&refined(Reduction::Dpor, || giving_and_taking(3)), 36);
}

#[test]
fn one_writer_and_three_readers() {
    expect(&constant(one_writer_three_readers), 8);
}

#[test]
fn a_read_write_lock() {
    expect(&constant(read_write_lock), 8);
}

#[test]
fn dining_philosophers() {
    for (philosophers, executions) in [(3, 6), (4, 14), (5, 30)] {
        expect(&constant(|| dining(philosophers, true)), executions);
    }
    let report = constant(|| dining(5, false));
    expect(&report, 31);
    assert_eq!(report.violations.len(), 1, "{:?}", report.violations);
    assert_eq!(report.violations[0].kind().name(), "deadlock");
}

#[test]
fn opposite_locks_beside_noise() {
    for noise in [0, 1, 3, 6] {
        expect(&constant(|| opposite_locks(noise)), 3);
    }
}

#[test]
fn last_zero() {
    expect(&constant(|| lastzero(10)), 3328);
}

/// What loom misses.
#[test]
fn a_read_before_the_write_of_the_same_thread() {
    let seen = std::sync::Mutex::new(std::collections::BTreeSet::new());
    let report = constant(|| {
        let x = std::sync::Arc::new(mazurka_actors::Variable::new(0));
        let other = {
            let x = x.clone();
            mazurka_actors::thread::spawn(move || {
                x.read();
                x.write(1);
            })
        };
        let r = x.read();
        other.join().unwrap();
        seen.lock().unwrap().insert(r);
    });
    assert_eq!(report.stop, StopReason::Complete);
    assert_eq!(*seen.lock().unwrap(), [0, 1].into());
}

/// Looking at values never explores more, and merges the updates that write the same.
#[test]
fn refined_lost_update() {
    for (actors, at_best) in [(2, 3), (3, 19), (4, 231)] {
        for reduction in [Reduction::Sleep, Reduction::Persistent] {
            let program = || lost_update(actors);
            let report = refined(reduction, program);
            assert_eq!(report.stop, StopReason::Complete);
            let runs = |report: &Outcome| {
                report.statistics.executions + report.statistics.redundant_executions
            };
            println!("{actors} {reduction:?}: {:?}", report.statistics);
            assert_eq!(report.statistics.executions, at_best);
            let constant = Explorer::new().all().reduction(reduction).run(program);
            assert!(runs(&report) <= runs(&constant));
        }
    }
}

#[test]
fn other_reductions_explore_at_least_as_much() {
    for reduction in [Reduction::None, Reduction::Sleep] {
        let report = Explorer::new().reduction(reduction).run(|| lost_update(2));
        assert_eq!(report.stop, StopReason::Complete);
        println!("{reduction:?}: {:?}", report.statistics);
        assert!(report.statistics.executions >= 4);
    }
}

/// Several jobs find as many executions, and the same deadlock.
#[test]
fn in_parallel() {
    let explorer = Explorer::new().all().jobs(3);
    let report = explorer.run(|| lastzero(7));
    let alone = Explorer::new().all().run(|| lastzero(7));
    assert_eq!(report.stop, StopReason::Complete);
    assert_eq!(report.statistics.executions, alone.statistics.executions);
    let report = explorer.run(|| dining(5, false));
    assert_eq!(
        (report.statistics.executions, report.violations.len()),
        (31, 1)
    );
    let report = Explorer::new().jobs(2).run(|| dining(4, false));
    assert_eq!(report.stop, StopReason::Violation);
}

/// A race whose reversal takes more steps than a word has bits: what comes late among them counts
/// as much as what comes early.
#[test]
fn long_sequences() {
    for noise in [3, 61, 62, 63, 64, 80] {
        let explorer = Explorer::new().all();
        let ends = |reduction| {
            let ends = std::sync::Mutex::new(std::collections::BTreeSet::new());
            let report = explorer
                .clone()
                .reduction(reduction)
                .run(|| ends_of_a_long_race(noise, &ends));
            assert_eq!(report.stop, StopReason::Complete);
            (ends.into_inner().unwrap(), report.statistics)
        };
        let (dpor, of_dpor) = ends(Reduction::Dpor);
        let (sleep, of_sleep) = ends(Reduction::Sleep);
        assert_eq!(dpor, sleep, "{noise}");
        assert_eq!(of_dpor.executions, of_sleep.executions, "{noise}");
        assert_eq!(of_dpor.redundant_executions, 0, "{noise}");
    }
}
