//! Explores a program and counts: `run PROGRAM [ARGUMENT]...`. For measuring: executions per
//! second of processor time of all processes together.

use std::time::{Duration, Instant};

use mazurka_explore::{Options, explore};
use mazurka_processes::{Processes, Settings};

fn main() {
    let program: Vec<_> = std::env::args_os().skip(1).collect();
    let mut engine = Processes::start(&program, Settings::default()).expect("a program");
    let options = Options {
        time: Some(Duration::from_secs(5)),
        ..Options::default()
    };
    let began = Instant::now();
    let report = explore(&mut engine, &options, &mut ());
    let elapsed = began.elapsed().as_secs_f64();
    drop(engine);
    let processor = processor_time();
    let executions = report.statistics.executions as f64;
    println!("{:?} {:?}", report.reason, report.statistics);
    for violation in &report.violations {
        println!("{}", violation.message);
    }
    println!(
        "{:.0} executions per second, {:.0} per second of processor time",
        executions / elapsed,
        executions / processor
    );
}

/// Seconds that this process and its descendants have used; those are all reaped.
fn processor_time() -> f64 {
    let of = |who| {
        // SAFETY: plain numbers, filled in by the call.
        let usage = unsafe {
            let mut usage: libc::rusage = std::mem::zeroed();
            libc::getrusage(who, &mut usage);
            usage
        };
        let seconds = |time: libc::timeval| time.tv_sec as f64 + time.tv_usec as f64 / 1e6;
        seconds(usage.ru_utime) + seconds(usage.ru_stime)
    };
    of(libc::RUSAGE_SELF) + of(libc::RUSAGE_CHILDREN)
}
