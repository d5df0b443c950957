//! A worker that panics ends the search for all: nobody is to wait for what it will not do.

use crate::bookkeeping::Control;
use crate::report::StopReason;

/// Held by a worker while it works.
pub(crate) struct Alarm<'a, F: Fn()> {
    control: &'a Control<'a>,
    /// Wakes those who wait.
    wake: F,
}

impl<'a, F: Fn()> Alarm<'a, F> {
    pub fn new(control: &'a Control<'a>, wake: F) -> Self {
        Alarm { control, wake }
    }
}

impl<F: Fn()> Drop for Alarm<'_, F> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.control.halt(StopReason::Interrupted);
            (self.wake)();
        }
    }
}
