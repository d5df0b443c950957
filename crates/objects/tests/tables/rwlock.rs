use mazurka_objects::real::rwlock::{Operation, View, apply, dependent_in};

use Operation::*;

fn held_for_reading(processes: &[u32]) -> View {
    View {
        writer: None,
        readers: processes.iter().fold(0, |set, process| set | 1 << process),
        count: processes.len() as u32,
    }
}

/// Process 0 and process 1 ask; 2 may hold the lock.
#[test]
fn read_write_lock() {
    let views = [
        held_for_reading(&[]),
        held_for_reading(&[0]),
        held_for_reading(&[2]),
        held_for_reading(&[0, 1]),
        held_for_reading(&[0, 2]),
        View {
            writer: Some(2),
            ..View::default()
        },
        View {
            writer: Some(0),
            ..View::default()
        },
    ];
    let of = |p| {
        [
            ReadLock(p),
            TryReadLock(p),
            ReadUnlock(p),
            WriteLock(p),
            TryWriteLock(p),
            WriteUnlock(p),
        ]
    };
    for view in views {
        for a in of(0) {
            for b in of(1) {
                assert_eq!(
                    dependent_in(a, b, view),
                    by_cases(a, b, view),
                    "{a:?} {b:?} {view:?}"
                );
                assert_eq!(
                    dependent_in(b, a, view),
                    by_cases(a, b, view),
                    "{b:?} {a:?} {view:?}"
                );
            }
        }
    }
}

/// The same in words: one of two changes what the other finds.
fn by_cases(a: Operation, b: Operation, view: View) -> bool {
    let alters = |first: Operation, second: Operation| {
        let Some((_, after)) = apply(first, view) else {
            return false;
        };
        let finds = |view: View| match second {
            ReadLock(_) | TryReadLock(_) => view.writer.is_none(),
            WriteLock(_) | TryWriteLock(_) => view.writer.is_none() && view.count == 0,
            ReadUnlock(_) => view.count > 0,
            WriteUnlock(process) => view.writer == Some(process),
        };
        finds(view) != finds(after)
    };
    alters(a, b) || alters(b, a)
}

/// What looking at values gains: a writer that tries and fails does not mind one reader more.
#[test]
fn a_try_that_fails_anyway() {
    let view = held_for_reading(&[2]);
    assert!(!dependent_in(TryWriteLock(0), ReadLock(1), view));
    assert!(!dependent_in(
        TryWriteLock(0),
        ReadUnlock(1),
        held_for_reading(&[1, 2])
    ));
    assert!(dependent_in(TryWriteLock(0), ReadUnlock(2), view));
    assert!(dependent_in(TryWriteLock(0), ReadLock(1), View::default()));
}
