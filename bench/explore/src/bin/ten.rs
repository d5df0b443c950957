//! Ten programs under Mazurka, loom and shuttle, in one run: found or not, executions, time.
//!
//! And a test that was written for loom (`ported.rs`), which Mazurka runs by a change of imports.

use std::process::Command;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// How long a tool may look.
const TIME: Duration = Duration::from_secs(60);
/// How many executions shuttle tries.
const TRIED: usize = 10_000;

mod with_mazurka {
    use mazurka_actors as api;
    include!("../programs.rs");
}

mod with_loom {
    use loom as api;
    include!("../programs.rs");
}

mod with_shuttle {
    use super::shuttle_api as api;
    include!("../programs.rs");
}

/// Shuttle has no cells of its own.
mod shuttle_api {
    pub use shuttle::{sync, thread};

    pub mod cell {
        pub struct UnsafeCell<T>(std::cell::UnsafeCell<T>);

        impl<T> UnsafeCell<T> {
            pub fn new(value: T) -> UnsafeCell<T> {
                UnsafeCell(std::cell::UnsafeCell::new(value))
            }

            pub fn with<R>(&self, look: impl FnOnce(*const T) -> R) -> R {
                look(self.0.get())
            }

            pub fn with_mut<R>(&self, change: impl FnOnce(*mut T) -> R) -> R {
                change(self.0.get())
            }
        }
    }
}

mod ported_to_mazurka {
    use mazurka_actors as loom;
    include!("../ported.rs");
}

mod ported {
    include!("../ported.rs");
}

/// The executions that the tool of this process has begun.
static BEGUN: AtomicU64 = AtomicU64::new(0);

fn mazurka(program: fn()) -> String {
    let outcome = mazurka_actors::Explorer::new().time(TIME).run(program);
    BEGUN.store(outcome.statistics.executions, Ordering::Relaxed);
    match outcome.violations.first() {
        Some(violation) => violation.kind().name().to_string(),
        None if outcome.is_under_sequential_consistency() => "holds under SC".into(),
        None => outcome.verdict().to_string(),
    }
}

fn loom(program: fn()) -> String {
    let mut builder = loom::model::Builder::new();
    builder.max_duration = Some(TIME);
    builder.check(move || {
        BEGUN.fetch_add(1, Ordering::Relaxed);
        program();
    });
    "nothing".into()
}

fn shuttle(program: fn()) -> String {
    let scheduler = shuttle::scheduler::RandomScheduler::new(TRIED);
    let mut config = shuttle::Config::new();
    config.max_time = Some(TIME);
    config.failure_persistence = shuttle::FailurePersistence::None;
    shuttle::Runner::new(scheduler, config).run(move || {
        BEGUN.fetch_add(1, Ordering::Relaxed);
        program();
    });
    "nothing".into()
}

/// Runs one program under one tool. loom and shuttle panic when they find something, and cannot be used again in the same process.
fn run_one(tool: &str, number: usize) {
    let began = Instant::now();
    let tell = move |found: &str| {
        let milliseconds = began.elapsed().as_secs_f64() * 1000.0;
        let executions = BEGUN.load(Ordering::Relaxed);
        println!("{found}, {executions}, {milliseconds:.1} ms");
    };
    if tool != "mazurka" {
        std::panic::set_hook(Box::new(move |info| {
            tell("found");
            eprintln!("{info}");
            std::process::exit(0);
        }));
    }
    let found = match tool {
        "mazurka" => mazurka(with_mazurka::ALL[number].1),
        "loom" => loom(with_loom::ALL[number].1),
        _ => shuttle(with_shuttle::ALL[number].1),
    };
    tell(&found);
}

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    if let [_, tool, number] = &arguments[..] {
        return run_one(tool, number.parse().expect("a number"));
    }
    println!("| program | Mazurka | loom | shuttle, at random |\n|---|---|---|---|");
    for (number, (name, _)) in with_mazurka::ALL.iter().enumerate() {
        let cells = ["mazurka", "loom", "shuttle"].map(|tool| {
            let output = Command::new(&arguments[0])
                .args([tool, &number.to_string()])
                .output()
                .expect("this program runs");
            String::from_utf8_lossy(&output.stdout).trim().to_string()
        });
        println!("| {name} | {} |", cells.join(" | "));
    }
    ported::a_channel_of_one_slot();
    ported_to_mazurka::a_channel_of_one_slot();
    println!("\nthe test that was written for loom passes under both");
}
