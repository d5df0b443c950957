//! Notices an actor that never comes to its next visible operation: an endless loop, or a lock of
//! `std` that another actor holds. Actors are coroutines of one thread, so nothing but another thread
//! can notice, and nothing can be done but to say which execution it is and to end the process.
//!
//! **Why it is sound.** A [`Pulse`] belongs to an engine, which outlives its registration. The
//! watchdog reads numbers of the kernel only where the engine's thread has not moved for a long time,
//! as plain volatile loads, and then ends the process.

use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, Once, PoisonError};
use std::time::{Duration, Instant};

use mazurka_runtime::{Kernel, STEPS};

/// How much processor time an actor has for its next visible operation, unless told otherwise.
pub const DIVERGENCE: Duration = Duration::from_secs(10);
/// An actor that uses no processor time at all waits this many times as long.
const PATIENCE: u32 = 3;
/// How often the watchdog looks.
const LOOK: Duration = Duration::from_millis(250);

/// What an engine shows of itself.
pub(crate) struct Pulse {
    /// Changes with every operation and every execution.
    pub beat: AtomicU64,
    /// Whether an execution is under way.
    pub runs: AtomicBool,
    /// In milliseconds; zero for none.
    pub limit: AtomicU64,
    thread: AtomicU64,
    kernel: AtomicUsize,
}

static PULSES: Mutex<Vec<Arc<Pulse>>> = Mutex::new(vec![]);

fn pulses() -> std::sync::MutexGuard<'static, Vec<Arc<Pulse>>> {
    PULSES.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Pulse {
    /// The pulse of an engine over this kernel, watched from now on.
    pub fn of(kernel: *mut Kernel) -> Arc<Pulse> {
        static WATCHDOG: Once = Once::new();
        WATCHDOG.call_once(|| {
            // Without it an endless loop is endless, which is no reason to refuse work.
            let _ = std::thread::Builder::new()
                .name("mazurka watchdog".into())
                .spawn(watch);
        });
        let pulse = Arc::new(Pulse {
            beat: AtomicU64::new(0),
            runs: AtomicBool::new(false),
            limit: AtomicU64::new(DIVERGENCE.as_millis() as u64),
            thread: AtomicU64::new(0),
            kernel: AtomicUsize::new(kernel as usize),
        });
        pulses().push(pulse.clone());
        pulse
    }

    /// An execution begins on this thread.
    pub fn begin(&self) {
        // SAFETY: cannot fail.
        let thread = unsafe { libc::pthread_self() } as u64;
        self.thread.store(thread, Ordering::Relaxed);
        self.beat();
        self.runs.store(true, Ordering::Release);
    }

    /// Something happens.
    #[inline]
    pub fn beat(&self) {
        let beat = self.beat.load(Ordering::Relaxed);
        self.beat.store(beat.wrapping_add(1), Ordering::Relaxed);
    }

    /// The engine is gone.
    pub fn end(self: &Arc<Pulse>) {
        pulses().retain(|other| !Arc::ptr_eq(self, other));
    }

    /// How much processor time its thread has used.
    fn processor_time(&self) -> Duration {
        // SAFETY: the thread runs an execution, so it is there; the numbers live.
        unsafe {
            let (mut clock, mut time) = (0, std::mem::zeroed::<libc::timespec>());
            let thread = self.thread.load(Ordering::Relaxed) as libc::pthread_t;
            libc::pthread_getcpuclockid(thread, &mut clock);
            libc::clock_gettime(clock, &mut time);
            Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
        }
    }

    fn tell(&self) -> ! {
        let kernel = self.kernel.load(Ordering::Relaxed) as *const Kernel;
        // SAFETY: see the module.
        let (actor, schedule) = unsafe {
            let length = (&raw const (*kernel).length).read_volatile() as usize;
            let records = (0..length.min(STEPS)).map(|step| {
                let record = (&raw const (*kernel).records[step]).read_volatile();
                (record.actor, record.choice)
            });
            let schedule: Vec<_> = records.collect();
            ((&raw const (*kernel).current).read_volatile(), schedule)
        };
        eprintln!(
            "divergence: after {}, actor {actor} does not come to its next visible operation: it \
             loops, or it waits for something that is not one of Mazurka's objects, such as a lock of std.\n\
             To repeat it: {}='{}'",
            mazurka_scenario::figures::counted(schedule.len() as u64, "step"),
            crate::explorer::SCHEDULE,
            crate::explorer::print_schedule(&schedule)
        );
        std::process::abort()
    }
}

fn watch() {
    /// Since when a pulse has not changed, and the processor time then and a moment ago.
    struct Seen {
        beat: u64,
        since: Instant,
        used: Duration,
        last: Duration,
        is_idle: bool,
    }
    let mut seen: Vec<(Arc<Pulse>, Seen)> = vec![];
    loop {
        std::thread::sleep(LOOK);
        let present = pulses().clone();
        seen.retain(|(pulse, _)| present.iter().any(|other| Arc::ptr_eq(pulse, other)));
        for pulse in present {
            let limit = Duration::from_millis(pulse.limit.load(Ordering::Relaxed));
            if limit.is_zero() || !pulse.runs.load(Ordering::Acquire) {
                seen.retain(|(other, _)| !Arc::ptr_eq(&pulse, other));
                continue;
            }
            let beat = pulse.beat.load(Ordering::Relaxed);
            // An engine that is dropped waits for the registry, so its thread is still there.
            let guard = pulses();
            if !guard.iter().any(|other| Arc::ptr_eq(&pulse, other)) {
                continue;
            }
            let used = pulse.processor_time();
            drop(guard);
            let known = seen
                .iter_mut()
                .find(|(other, _)| Arc::ptr_eq(&pulse, other));
            match known {
                Some((_, seen)) if seen.beat == beat => {
                    seen.is_idle = used == seen.last;
                    seen.last = used;
                    let spent = used.saturating_sub(seen.used) >= limit;
                    let idle = seen.is_idle && seen.since.elapsed() >= limit * PATIENCE;
                    if spent || idle {
                        pulse.tell();
                    }
                }
                known => {
                    let now = Seen {
                        beat,
                        since: Instant::now(),
                        used,
                        last: used,
                        is_idle: false,
                    };
                    match known {
                        Some((_, seen)) => *seen = now,
                        None => seen.push((pulse, now)),
                    }
                }
            }
        }
    }
}
