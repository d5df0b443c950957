//! Random small programs over all objects: every reduction ends in the same final states,
//! deadlocks and failed assertions as trying all interleavings, and optimal reduction explores
//! each class of equivalent executions once.
//!
//! `MAZURKA_PROGRAMS=5000 MAZURKA_SEED=7 cargo test -p mazurka-actors --test random` tries more; `MAZURKA_PAIRS=FILE` writes a table of
//! which actions met in how many programs; `MAZURKA_FILL=FILE` resumes one, and looks only at programs that fill an empty place of it.

mod end;
mod filling;
mod program;
#[path = "../../../differential/src/table.rs"]
#[allow(dead_code)]
mod table;

use std::collections::BTreeSet;

use filling::Filling;
use mazurka_actors::{Dependency, Explorer, Observer, Outcome, Reduction, StopReason};
use mazurka_explore::class;
use mazurka_runtime::Kernel;
use program::{Action, Program, Random};
use table::Table;

/// Where executions end, and what classes they are of.
#[derive(Default)]
struct Ends {
    ends: BTreeSet<(u64, u64)>,
    classes: BTreeSet<u64>,
    with_classes: bool,
    /// The kinds of actions that each execution performed.
    performed: BTreeSet<u128>,
}

impl Observer for Ends {
    fn execution(&mut self, kernel: &Kernel) {
        self.ends.insert((end::end(kernel), program::seen()));
        self.performed.insert(program::performed());
        if self.with_classes {
            self.classes.insert(class(kernel));
        }
    }
}

const MOST_EXECUTIONS: u64 = 2_000;

fn variable(name: &str, default: u64) -> u64 {
    std::env::var(name)
        .ok()
        .and_then(|text| text.parse().ok())
        .unwrap_or(default)
}

#[test]
fn reductions_agree_with_all_interleavings() {
    let seed = variable("MAZURKA_SEED", 1);
    let mut random = Random(seed);
    let (mut compared, mut held, mut executions) = (0, 0, 0);
    let mut filling = Filling::new(table());
    while compared < variable("MAZURKA_PROGRAMS", 200) && !filling.is_done() {
        let program = Program::wanted(&mut random, filling.missing());
        if !filling.wants(program.used()) {
            continue;
        }
        if let Some(found) = compare(&program, compared) {
            compared += 1;
            held += u64::from(found.holds);
            executions += found.executions;
            filling.note(program.used(), found.performed);
        }
    }
    println!(
        "{held} of {compared} programs hold; all interleavings of them are {executions} executions"
    );
    filling.write();
}

/// Two of 13 classes were missed.
#[test]
fn a_message_that_is_not_there_yet_is_looked_for_before_and_after_a_sender_is_gone() {
    assert!(compare(&Program::of_a_time_limit(), 1).is_some());
}

fn table() -> Table {
    Table::new(Action::NAMES.to_vec(), filling::COLUMNS, known_reason)
}

/// Why two actions do not meet.
fn known_reason(_one: &str, _other: &str, _column: &str) -> Option<&'static str> {
    None
}

/// The table that is kept has no place that is empty without a reason.
#[test]
fn every_pair_of_actions_met() {
    filling::assert_full(table(), "pairs-actors.tsv");
}

/// The audit alone: of each execution an equivalent one is run, and shows the same.
#[test]
fn equivalent_executions_show_the_same() {
    let mut random = Random(variable("MAZURKA_SEED", 1));
    let mut audited = 0;
    for number in 0..variable("MAZURKA_PROGRAMS", 200) {
        let program = Program::random(&mut random);
        let (reduction, dependency) = match number % 4 {
            0 => (Reduction::Sleep, Dependency::Constant),
            1 => (Reduction::Sleep, Dependency::Refined),
            2 => (Reduction::Dpor, Dependency::Refined),
            _ => (Reduction::Dpor, Dependency::Constant),
        };
        let dependency = match program.has_cells() {
            true => Dependency::Constant,
            false => dependency,
        };
        let report = Explorer::new()
            .reduction(reduction)
            .dependency(dependency)
            .audit(Some(1.0))
            .all()
            .executions(MOST_EXECUTIONS)
            .run(|| program.run());
        let is_right = matches!(report.stop, StopReason::Complete | StopReason::Executions);
        assert!(is_right, "{reduction:?}: {:?}\n{program:?}", report.stop);
        audited += report.statistics.audited;
    }
    assert!(audited > 100);
}

/// An actor that waits for the second time has not been notified by what woke it the first time.
#[test]
fn a_second_wait_needs_another_notification() {
    use program::Action::*;
    let program = Program::of(vec![
        vec![NotifyAll],
        vec![Wait, Wait, NotifyAll],
        vec![NotifyAll, Wait, NotifyAll],
    ]);
    assert!(compare(&program, 0).is_some());
}

/// A writer kept waiting by two readers, one of whom took the lock after a sign from the other, must
/// be made to come before both.
#[test]
fn a_writer_before_two_readers() {
    use program::Action::*;
    let program = Program::of(vec![
        vec![KeepReadLocked, Send(1)],
        vec![Receive, KeepReadLocked],
        vec![WriteLocked(vec![])],
    ]);
    assert!(compare(&program, 0).is_some());
}

/// What a sleeping actor keeps another from being blocked by is in a race all the same.
#[test]
fn who_is_blocked_while_others_sleep() {
    use program::Action::*;
    let program = Program::of(vec![
        vec![Send(0), Send(0), CompareExchange(0, 1, 0), Wait],
        vec![Tell(0), Send(0), Tell(0), Wait, Send(0)],
    ]);
    assert!(compare(&program, 0).is_some());
}

/// What a try will find when it comes first is not what it found.
#[test]
fn tries_to_send_and_to_receive() {
    use program::Action::*;
    let program = Program::of(vec![
        vec![TrySend(0), TrySend(0)],
        vec![TryReceive, TryReceive],
    ]);
    assert!(compare(&program, 0).is_some());
}

/// Whether two steps commute by their values may depend on the outcome of a toss: 5 of 27 classes were missed.
#[test]
fn a_write_that_commutes_for_one_outcome_of_a_toss() {
    use program::Action::*;
    let adds = vec![Add(0, 1), Tell(0)];
    let program = Program::of(vec![adds.clone(), adds, vec![Toss(2), Tell(0)]]);
    assert!(compare(&program, 0).is_some());
}

#[test]
fn what_commutes_as_a_toss_decides() {
    let mut random = Random(variable("MAZURKA_SEED", 1));
    let (mut compared, mut executions) = (0, 0);
    while compared < variable("MAZURKA_PROGRAMS", 60) {
        let mut names = vec!["toss", "write-seen"];
        let more = [
            "read",
            "write",
            "add",
            "compare-exchange",
            "swap",
            "take",
            "release",
            "try-take",
            "check",
            "lock",
        ];
        for _ in 0..random.below(3) {
            names.push(more[random.below(more.len())]);
        }
        let actors = 2 + random.below(3);
        let program = Program::with(&mut random, &names, actors, [4, 3, 2][actors - 2]);
        if let Some(found) = compare(&program, compared) {
            compared += 1;
            executions += found.executions;
        }
    }
    println!("{compared} programs, {executions} interleavings");
}

fn violations(report: &Outcome) -> BTreeSet<(&str, &str)> {
    let violations = report.violations.iter();
    violations
        .map(|violation| {
            let message = violation.record.message.as_str();
            (
                violation.kind().name(),
                end::cell_of(message).unwrap_or(message),
            )
        })
        .collect()
}

struct Compared {
    /// What each execution performed.
    performed: BTreeSet<u128>,
    holds: bool,
    /// How many interleavings there are.
    executions: u64,
}

/// None if the program has too many interleavings.
fn compare(program: &Program, number: u64) -> Option<Compared> {
    let mut all = Ends {
        with_classes: true,
        ..Ends::default()
    };
    let explorer = Explorer::new().all();
    let report = (explorer
        .clone()
        .reduction(Reduction::None)
        .executions(MOST_EXECUTIONS))
    .run_with(|| program.run(), None, &mut all)
    .expect("it is sound");
    if report.stop != StopReason::Complete {
        return None;
    }
    let of_all = violations(&report);
    let mut by_value = Ends {
        with_classes: true,
        ..Ends::default()
    };
    let refined = explorer.clone().dependency(Dependency::Refined);
    let refines = !program.has_cells();
    if refines {
        (refined.clone().reduction(Reduction::None))
            .run_with(|| program.run(), None, &mut by_value)
            .expect("it is sound");
        assert!(by_value.classes.len() <= all.classes.len(), "{program:#?}");
    }
    if number.is_multiple_of(2) {
        let report = explorer.clone().jobs(2).run(|| program.run());
        assert_eq!(report.stop, StopReason::Complete, "two jobs\n{program:#?}");
        let executions = report.statistics.executions;
        assert_eq!(
            executions,
            all.classes.len() as u64,
            "two jobs\n{program:#?}"
        );
        assert_eq!(violations(&report), of_all, "two jobs\n{program:#?}");
        for reduction in [Reduction::Dpor, Reduction::Sleep] {
            if !refines {
                break;
            }
            let refined = refined.clone().reduction(reduction).jobs(2);
            let found = refined.run(|| program.run());
            let what = format!("two jobs by value, {reduction:?}\n{program:#?}");
            assert_eq!(found.stop, StopReason::Complete, "{what}");
            assert_eq!(violations(&found), of_all, "{what}");
            if reduction == Reduction::Dpor && !found.statistics.choices {
                let classes = by_value.classes.len() as u64;
                assert_eq!(found.statistics.executions, classes, "{what}");
            }
        }
    }
    for reduction in [Reduction::Dpor, Reduction::Sleep, Reduction::Persistent] {
        let mut constant = 0;
        for dependency in [Dependency::Constant, Dependency::Refined] {
            if dependency == Dependency::Refined && !refines {
                continue;
            }
            let what = format!("program {number}, {reduction:?}, {dependency:?}\n{program:#?}");
            let mut some = Ends::default();
            let report = (explorer.clone().reduction(reduction).dependency(dependency))
                .run_with(|| program.run(), None, &mut some)
                .expect("it is sound");
            assert_eq!(report.stop, StopReason::Complete, "{what}");
            assert_eq!(some.ends, all.ends, "{what}");
            let statistics = report.statistics;
            let runs = statistics.executions + statistics.redundant_executions;
            let refined = dependency == Dependency::Refined;
            // Where a step can end in several ways, sleep sets take the place of dynamic reduction.
            let is_asleep = refined && statistics.choices;
            if refined {
                let most = if is_asleep { u64::MAX } else { constant };
                assert!(runs <= most, "{runs} > {most} {what}");
                if reduction != Reduction::Dpor || is_asleep {
                    continue;
                }
            }
            constant = runs;
            let classes = if refined {
                &by_value.classes
            } else {
                &all.classes
            };
            assert_eq!(statistics.executions, classes.len() as u64, "{what}");
            if reduction == Reduction::Dpor {
                assert_eq!(statistics.redundant_executions, 0, "{what}");
            }
        }
    }
    Some(Compared {
        performed: all.performed,
        holds: of_all.is_empty(),
        executions: report.statistics.executions,
    })
}
