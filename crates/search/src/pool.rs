//! Work that goes from workers who have too much to workers who have none.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard};
use std::time::Duration;

/// Who waits for work looks up after this time.
const PATIENCE: Duration = Duration::from_millis(100);

/// Work of type `J` for a number of workers.
pub(crate) struct Pool<J> {
    state: Mutex<PoolState<J>>,
    change: Condvar,
    /// Is somebody without work? Looked at without the lock.
    is_hungry: AtomicBool,
    workers: usize,
}

struct PoolState<J> {
    jobs: Vec<J>,
    idle: usize,
    is_over: bool,
}

impl<J> Pool<J> {
    pub fn new(workers: usize) -> Self {
        Pool {
            state: Mutex::new(PoolState {
                jobs: Vec::new(),
                idle: 0,
                is_over: false,
            }),
            change: Condvar::new(),
            is_hungry: AtomicBool::new(false),
            workers,
        }
    }

    /// Waits for work, and calls `waiting` now and then. There will be none if all workers wait, or if the search was ended.
    pub fn take(&self, mut waiting: impl FnMut()) -> Option<J> {
        let mut state = self.lock();
        state.idle += 1;
        loop {
            if state.is_over {
                return None;
            }
            if let Some(job) = state.jobs.pop() {
                state.idle -= 1;
                let is_hungry = state.idle > 0 && state.jobs.is_empty();
                self.is_hungry.store(is_hungry, Ordering::Relaxed);
                return Some(job);
            }
            if state.idle == self.workers {
                state.is_over = true;
                self.change.notify_all();
                return None;
            }
            self.is_hungry.store(true, Ordering::Relaxed);
            let waited = self.change.wait_timeout(state, PATIENCE);
            let (locked, timeout) = waited.unwrap_or_else(|lock| lock.into_inner());
            state = locked;
            if timeout.timed_out() {
                drop(state);
                waiting();
                state = self.lock();
            }
        }
    }

    /// Is somebody without work?
    #[inline]
    pub fn is_hungry(&self) -> bool {
        self.is_hungry.load(Ordering::Relaxed)
    }

    /// Gives work away.
    pub fn give(&self, job: J) {
        let mut state = self.lock();
        state.jobs.push(job);
        self.is_hungry
            .store(state.idle > state.jobs.len(), Ordering::Relaxed);
        self.change.notify_one();
    }

    /// Nobody gets work any more.
    pub fn close(&self) {
        self.lock().is_over = true;
        self.change.notify_all();
    }

    /// After [`Pool::close`]: there is work again.
    pub fn open(&self) {
        let mut state = self.lock();
        state.is_over = false;
        state.idle = 0;
    }

    /// Is there nothing left to do?
    pub fn is_empty(&self) -> bool {
        self.lock().jobs.is_empty()
    }

    /// What is left to do while nobody works.
    pub fn with_jobs<T>(&self, use_jobs: impl FnOnce(&[J]) -> T) -> T {
        use_jobs(&self.lock().jobs)
    }

    fn lock(&self) -> MutexGuard<'_, PoolState<J>> {
        self.state.lock().unwrap_or_else(|lock| lock.into_inner())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whoever tells others how far a search is does so also without work.
    #[test]
    fn who_waits_looks_up() {
        let pool: Pool<()> = Pool::new(2);
        let has_looked = AtomicBool::new(false);
        std::thread::scope(|scope| {
            scope.spawn(|| pool.take(|| has_looked.store(true, Ordering::Relaxed)));
            while !has_looked.load(Ordering::Relaxed) {
                std::thread::yield_now();
            }
            pool.close();
        });
    }
}
