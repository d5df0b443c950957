//! Step by step: before each step the explorer is asked whether to go on.

use std::sync::atomic::Ordering;
use std::time::Duration;

use crate::shared::{Control, STEP_ASKED, STEP_NONE};
use crate::system;

/// Asks the explorer whether to go on.
#[cold]
pub fn ask(control: &Control) {
    control.step.store(STEP_ASKED, Ordering::Release);
    while control.step.load(Ordering::Acquire) != STEP_NONE {
        system::futex_wait(&control.step, STEP_ASKED, Some(Duration::from_millis(100)));
    }
}
