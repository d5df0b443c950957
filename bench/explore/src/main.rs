//! Executions per second of processor time of Mazurka, loom and shuttle, in one run: three actors that each add ten
//! times to one shared variable and use the result. And the number of executions that Mazurka and
//! loom need for programs that they can finish.

use std::time::Duration;

/// How long each tool is given, and how often.
const TIME: Duration = Duration::from_secs(2);
const ROUNDS: usize = 3;

fn main() {
    println!("three actors of ten additions each, executions per second, best of {ROUNDS}");
    rate("mazurka, exhaustive", || {
        mazurka(mazurka_actors::Strategy::Exhaustive)
    });
    rate("mazurka, random", || mazurka(mazurka_actors::Strategy::Random));
    rate("mazurka, PCT of depth 3", || {
        mazurka(mazurka_actors::Strategy::Pct(3))
    });
    rate("loom, exhaustive", loom);
    rate("shuttle, random", || {
        shuttle(shuttle::scheduler::RandomScheduler::new(usize::MAX))
    });
    rate("shuttle, PCT of depth 3", || {
        shuttle(shuttle::scheduler::PctScheduler::new(3, usize::MAX))
    });
    println!("four actors that add once and use the result, executions to completion");
    println!("{:26} {:>12}", "mazurka", mazurka_once());
    println!("{:26} {:>12}", "loom", loom_once());
}

/// The processor time of this thread, which other work on the machine does not change.
fn processor_time() -> Duration {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let first = text
        .split_whitespace()
        .next()
        .and_then(|word| word.parse().ok());
    Duration::from_nanos(first.expect("the system tells processor time"))
}

fn rate(name: &str, run: impl Fn() -> u64) {
    let rates = (0..ROUNDS).map(|_| {
        let start = processor_time();
        let executions = run();
        executions as f64 / (processor_time() - start).as_secs_f64()
    });
    println!("{name:26} {:>12.0}", rates.fold(0.0, f64::max));
}

fn mazurka(strategy: mazurka_actors::Strategy) -> u64 {
    let report = mazurka_actors::Explorer::new()
        .strategy(strategy)
        .time(TIME)
        .run(|| {
            let x = std::sync::Arc::new(mazurka_actors::Variable::new(0));
            for _ in 0..3 {
                let x = x.clone();
                mazurka_actors::thread::spawn(move || {
                    for _ in 0..10 {
                        std::hint::black_box(x.fetch_add(1));
                    }
                });
            }
        });
    report.statistics.executions
}

fn mazurka_once() -> u64 {
    let report = mazurka_actors::Explorer::new().run(|| {
        let x = std::sync::Arc::new(mazurka_actors::Variable::new(0));
        for _ in 0..4 {
            let x = x.clone();
            mazurka_actors::thread::spawn(move || x.fetch_add(1));
        }
    });
    report.statistics.executions
}

fn loom() -> u64 {
    let count = std::sync::Arc::new(std::sync::atomic::AtomicU64::new(0));
    let mut builder = loom::model::Builder::new();
    builder.max_duration = Some(TIME);
    let counted = count.clone();
    builder.check(move || {
        counted.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        let x = loom::sync::Arc::new(loom::sync::atomic::AtomicUsize::new(0));
        let actors: Vec<_> = (0..3)
            .map(|_| {
                let x = x.clone();
                loom::thread::spawn(move || {
                    for _ in 0..10 {
                        std::hint::black_box(x.fetch_add(1, loom::sync::atomic::Ordering::SeqCst));
                    }
                })
            })
            .collect();
        for actor in actors {
            actor.join().unwrap();
        }
    });
    count.load(std::sync::atomic::Ordering::Relaxed)
}

fn loom_once() -> u64 {
    let count = std::sync::Arc::new(std::sync::atomic::AtomicU64::new(0));
    let counted = count.clone();
    loom::model(move || {
        counted.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        let x = loom::sync::Arc::new(loom::sync::atomic::AtomicUsize::new(0));
        // Loom counts the main thread among its four.
        let actors: Vec<_> = (0..3)
            .map(|_| {
                let x = x.clone();
                loom::thread::spawn(move || {
                    x.fetch_add(1, loom::sync::atomic::Ordering::SeqCst);
                })
            })
            .collect();
        x.fetch_add(1, loom::sync::atomic::Ordering::SeqCst);
        for actor in actors {
            actor.join().unwrap();
        }
    });
    count.load(std::sync::atomic::Ordering::Relaxed)
}

fn shuttle(scheduler: impl shuttle::scheduler::Scheduler + 'static) -> u64 {
    let count = std::sync::Arc::new(std::sync::atomic::AtomicU64::new(0));
    let mut config = shuttle::Config::new();
    config.max_time = Some(TIME);
    let counted = count.clone();
    shuttle::Runner::new(scheduler, config).run(move || {
        counted.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        let x = std::sync::Arc::new(shuttle::sync::atomic::AtomicUsize::new(0));
        for _ in 0..3 {
            let x = x.clone();
            shuttle::thread::spawn(move || {
                for _ in 0..10 {
                    std::hint::black_box(x.fetch_add(1, std::sync::atomic::Ordering::SeqCst));
                }
            });
        }
    });
    count.load(std::sync::atomic::Ordering::Relaxed)
}
