//! Whether the others are still there.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use mazurka_search::divided::Lost;

/// A break may be told in other words by whoever knows its cause; that takes no longer.
const TOLD_WITHIN: Duration = Duration::from_millis(500);

/// What is known of the others. Threads that speak with them note what goes wrong; workers ask.
#[derive(Default, Debug)]
pub(crate) struct Health {
    is_bad: AtomicBool,
    is_closing: AtomicBool,
    reason: Mutex<Option<String>>,
}

impl Health {
    /// Something is wrong. The first thing counts.
    pub fn lose(&self, reason: impl Into<String>) {
        let mut known = self.reason.lock().unwrap_or_else(|lock| lock.into_inner());
        known.get_or_insert(reason.into());
        self.is_bad.store(true, Ordering::Release);
    }

    /// Something is wrong, and somebody may know better what it is.
    pub fn suspect(&self, reason: impl Into<String>) {
        if self.check().is_ok() {
            std::thread::sleep(TOLD_WITHIN);
        }
        self.lose(reason);
    }

    /// Is all well?
    #[inline]
    pub fn check(&self) -> Result<(), Lost> {
        match self.is_bad.load(Ordering::Acquire) {
            false => Ok(()),
            true => Err(Lost(self.reason())),
        }
    }

    /// The search is over here.
    pub fn close(&self) {
        self.is_closing.store(true, Ordering::Release);
    }

    /// Is it?
    pub fn is_closing(&self) -> bool {
        self.is_closing.load(Ordering::Acquire)
    }

    fn reason(&self) -> String {
        let reason = self.reason.lock().unwrap_or_else(|lock| lock.into_inner());
        reason.clone().unwrap_or_default()
    }
}
