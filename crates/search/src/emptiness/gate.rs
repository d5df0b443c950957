//! What workers wait behind until there is enough to do for all.

use std::sync::{Condvar, Mutex};

/// A gate that opens once.
pub(super) struct Gate {
    is_open: Mutex<bool>,
    opened: Condvar,
}

impl Gate {
    pub fn new(is_open: bool) -> Gate {
        Gate {
            is_open: Mutex::new(is_open),
            opened: Condvar::new(),
        }
    }

    pub fn open(&self) {
        *self.is_open.lock().expect("no worker panicked") = true;
        self.opened.notify_all();
    }

    /// Waits until it is open.
    pub fn wait(&self) {
        let is_open = self.is_open.lock().expect("no worker panicked");
        let opened = self.opened.wait_while(is_open, |is_open| !*is_open);
        drop(opened.expect("no worker panicked"));
    }
}
