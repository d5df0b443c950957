//! What may fail for no reason: a wait for a condition variable ends without a notification, a weak compare-and-swap fails although the
//! value is the expected one. If that is to be tried, it may happen to each thread once in an execution: a program whose loops are
//! right goes round once more, and one whose loops are missing shows it.

use std::sync::atomic::Ordering;

use mazurka_processes::shared::untried;
use mazurka_runtime::{Kind, Operation};

use super::beyond::leave_untried;
use super::state::{control, place, thread};
use super::waiting::pass_with;

/// Whether something may still happen for no reason to the running actor; if that is not tried, it is noted.
fn may_happen(what: u32) -> bool {
    let is_tried = control().spurious.load(Ordering::Relaxed) != 0;
    if !is_tried {
        leave_untried(what);
    }
    is_tried && !thread().was_spurious
}

/// Whether a wait for a condition variable may end for no reason.
pub fn may_wake() -> bool {
    may_happen(untried::WAKEUP)
}

/// It has.
pub fn woke() {
    thread().was_spurious = true;
}

/// Whether a weak compare-and-swap fails for no reason here.
pub fn fails(from: usize) -> bool {
    if !may_happen(untried::EXCHANGE) {
        return false;
    }
    let fails = pass_with(Operation::new(Kind::TOSS).with(2).at(place(from))) == 1;
    thread().was_spurious |= fails;
    fails
}
