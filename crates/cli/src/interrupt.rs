//! Ctrl-C: the first one asks the search to stop, the second one ends the program.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, LazyLock, OnceLock};
use std::time::{Duration, Instant};

static INTERRUPTED: LazyLock<Arc<AtomicBool>> = LazyLock::new(Arc::default);
/// When the first signal came. Others may ask to stop as well, such as whoever started a member of a cluster; Ctrl-C is the first one then, all
/// the same.
static SIGNALLED: OnceLock<Instant> = OnceLock::new();

/// The exit code of a program that a user interrupted.
const KILLED_BY_INTERRUPT: i32 = 130;
/// Signals that follow one another faster than anybody asks twice are one request: `timeout` signals a program, and then the group that it is in.
const ONE_REQUEST: Duration = Duration::from_millis(500);

/// A flag that is set when the user, or the system, asks to stop.
pub fn watch() -> &'static AtomicBool {
    // Without a handler Ctrl-C ends the program at once, which is no reason to refuse work.
    let _ = ctrlc::set_handler(|| {
        INTERRUPTED.store(true, Ordering::Relaxed);
        if SIGNALLED.get_or_init(Instant::now).elapsed() > ONE_REQUEST {
            std::process::exit(KILLED_BY_INTERRUPT);
        }
    });
    &INTERRUPTED
}

/// Did the user ask to stop?
pub fn requested() -> bool {
    INTERRUPTED.load(Ordering::Relaxed)
}

/// The same flag, for those who keep it.
pub fn shared() -> Arc<AtomicBool> {
    watch();
    INTERRUPTED.clone()
}
