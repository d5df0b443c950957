//! What bounds its own effort, where a step takes as long as a hundred thousand others: a long loop inside a step that nobody can interrupt.

use std::sync::atomic::{AtomicU64, Ordering};

use mazurka_search::emptiness::{along, nearest, shorten};
use mazurka_search::{Acceptance, Effort, End, Goal, Outcome, System, shorter};

/// A tree without end, with a way back to its root from everywhere.
#[derive(Default)]
struct Costly {
    taken: AtomicU64,
}

const WORK: u64 = 100_000;

impl System for Costly {
    type Step = u32;
    type Failure = ();
    type Scratch = ();

    fn initial(&self, state: &mut Vec<u8>) -> Result<(), ()> {
        state.clear();
        state.extend_from_slice(&[0; 4]);
        Ok(())
    }

    fn enabled(&self, _: &[u8], steps: &mut Vec<u32>) -> bool {
        steps.extend(0..3);
        true
    }

    fn execute(&self, (): &mut (), state: &[u8], step: u32, next: &mut Vec<u8>) -> Outcome<()> {
        self.taken.fetch_add(1, Ordering::Relaxed);
        let number = u32::from_le_bytes(state.try_into().expect("four bytes"));
        let number = match step {
            2 => 0,
            step => number.wrapping_mul(2).wrapping_add(1 + step),
        };
        next.clear();
        next.extend_from_slice(&number.to_le_bytes());
        Outcome {
            failure: None,
            complete: true,
        }
    }

    fn work(&self) -> u64 {
        self.taken.load(Ordering::Relaxed) * WORK
    }

    fn is_passing(&self, _: &[u8]) -> bool {
        false
    }

    fn settle(&self, _: &mut [u8]) {}

    fn ignored_suffix(&self) -> usize {
        0
    }

    fn is_valid_end(&self, _: &[u8]) -> bool {
        true
    }

    fn transitions(&self) -> usize {
        0
    }

    fn cover(&self, _: &[u8], _: u32, _: &mut [bool]) {}
}

impl Acceptance for Costly {
    /// One that is far away.
    fn is_accepting(&self, state: &[u8]) -> bool {
        state == (1u32 << 20).to_le_bytes()
    }
}

/// For about ten steps.
fn effort() -> Effort<'static> {
    Effort {
        steps: 10 * WORK,
        bytes: 1 << 30,
        is_over: Box::new(|| false),
    }
}

/// The steps to a number of the tree, and back.
fn lasso(mut number: u32) -> Vec<u32> {
    let mut steps = vec![2];
    while number > 0 {
        steps.push((number - 1) % 2);
        number = (number - 1) / 2;
    }
    steps.reverse();
    steps
}

#[test]
fn effort_is_what_steps_cost() {
    let system = Costly::default();
    assert_eq!(nearest(&system, 100, &mut effort()), None);
    assert!(system.taken.load(Ordering::Relaxed) < 20);

    let system = Costly::default();
    let goal = Goal {
        end: End::Stop(&|_| true),
        distance: &|_| 0,
        may_fail: false,
    };
    assert_eq!(shorter(&system, &[0; 50], &goal, &mut effort()), None);
    assert!(system.taken.load(Ordering::Relaxed) < 20);

    let system = Costly::default();
    let known = lasso(1 << 20);
    assert_eq!(shorten(&system, &known, 0, 1_000_000, &|| false), None);
    // What is known is followed once.
    assert!(system.taken.load(Ordering::Relaxed) < known.len() as u64 + 50);

    let system = Costly::default();
    let is_taken = |_, _| true;
    assert_eq!(along(&system, 1000, 0, is_taken, &|| false), None);
    assert!(system.taken.load(Ordering::Relaxed) < 100);
}

/// However much effort there is, it is asked after each such step whether that is enough.
#[test]
fn whoever_has_enough_is_heard() {
    let system = Costly::default();
    let mut effort = Effort {
        steps: u64::MAX,
        bytes: 1 << 30,
        is_over: Box::new(|| system.taken.load(Ordering::Relaxed) >= 5),
    };
    assert_eq!(nearest(&system, 100, &mut effort), None);
    drop(effort);
    assert!(system.taken.load(Ordering::Relaxed) < 20);
}
