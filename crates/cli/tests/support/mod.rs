//! What several tests need.

use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The binary under test.
pub const MAZURKA: &str = env!("CARGO_BIN_EXE_mazurka");

/// A path in this crate.
#[allow(dead_code)] // Not every test needs it.
pub fn here(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// Applies `check` to each item, on all cores, and returns the complaints.
pub fn complaints<T: Sync>(items: &[T], check: impl Fn(&T) -> Vec<String> + Sync) -> Vec<String> {
    let next = AtomicUsize::new(0);
    let found = Mutex::new(Vec::new());
    let threads = std::thread::available_parallelism().map_or(1, |count| count.get());
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while let Some(item) = items.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let complaints = check(item);
                    found.lock().unwrap().extend(complaints);
                }
            });
        }
    });
    let mut found = found.into_inner().unwrap();
    found.sort();
    found
}
