//! Any bytes as the checkpoint of an exploration of a real program.

use std::time::Duration;

use mazurka_actors::sync::atomic::{AtomicU32, Ordering};
use mazurka_actors::sync::{Arc, Condvar, Mutex};
use mazurka_actors::{Checkpoint, Coroutines, Observer, Options, Reduction, STACK, thread};
use mazurka_explore::{explore, explore_in_parallel, go_on, go_on_in_parallel};

use crate::models::Fate;

/// However long a search might take.
const TIME: Duration = Duration::from_millis(500);
const REDUCTIONS: [Reduction; 4] = [
    Reduction::Dpor,
    Reduction::Sleep,
    Reduction::Persistent,
    Reduction::None,
];

/// The program that checkpoints and schedules are about: something of everything.
pub(crate) fn program() {
    let shared = Arc::new((Mutex::new(0), Condvar::new(), AtomicU32::new(0)));
    let workers: Vec<_> = (0..2)
        .map(|number| {
            let shared = shared.clone();
            thread::spawn(move || {
                shared.2.fetch_add(number, Ordering::SeqCst);
                *shared.0.lock().unwrap() += 1;
                shared.1.notify_one();
                shared.2.load(Ordering::SeqCst)
            })
        })
        .collect();
    let mut count = shared.0.lock().unwrap();
    while *count < 1 {
        count = shared.1.wait(count).unwrap();
    }
    drop(count);
    for worker in workers {
        let _ = worker.join();
    }
}

fn options(reduction: Reduction) -> Options {
    Options {
        reduction,
        all: true,
        executions: Some(2_000),
        time: Some(TIME),
        ..Options::default()
    }
}

/// A search that is resumed from the bytes, if they are a checkpoint.
pub fn exploration(bytes: &[u8]) -> Fate {
    let checkpoint = match Checkpoint::from_json(bytes) {
        Ok(checkpoint) => checkpoint,
        Err(reason) => {
            assert!(!reason.is_empty());
            return Fate::Refused;
        }
    };
    let again = Checkpoint::from_json(checkpoint.to_json().as_bytes());
    let again = again.expect("what is written can be read");
    assert_eq!(again.to_json(), checkpoint.to_json());
    let options = options(Reduction::Dpor);
    let report = if checkpoint.is_shared() {
        let make = |_| Ok(Coroutines::new(&program, STACK));
        go_on_in_parallel(make, &options, 2, &mut (), &checkpoint)
    } else {
        let mut engine = Coroutines::new(&program, STACK);
        go_on(&mut engine, &options, &mut (), &checkpoint)
    };
    Fate::Ran(report.statistics.executions as usize)
}

/// Valid checkpoints, of searches that were stopped at different places.
pub fn valid() -> Vec<Vec<u8>> {
    #[derive(Default)]
    struct Keeper(Option<Checkpoint>);
    impl Observer for Keeper {
        fn wants_checkpoint(&mut self, is_stopping: bool) -> bool {
            is_stopping
        }

        fn checkpoint(&mut self, checkpoint: Checkpoint) {
            self.0 = Some(checkpoint);
        }
    }
    let mut all = Vec::new();
    for reduction in REDUCTIONS {
        for executions in [1, 2, 7, 20] {
            let options = Options {
                executions: Some(executions),
                ..options(reduction)
            };
            for shared in [false, true] {
                let mut keeper = Keeper::default();
                if shared {
                    let make = |_| Ok(Coroutines::new(&program, STACK));
                    explore_in_parallel(make, &options, 2, &mut keeper);
                } else {
                    let mut engine = Coroutines::new(&program, STACK);
                    explore(&mut engine, &options, &mut keeper);
                }
                all.extend(keeper.0.map(|checkpoint| checkpoint.to_json().into_bytes()));
            }
        }
    }
    all
}
