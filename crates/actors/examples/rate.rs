//! Executions per second of processor time, exhaustive and at random: three actors that each add
//! ten times to one variable and use the result.

use std::sync::Arc;
use std::time::Duration;

use mazurka_actors::{Explorer, Strategy, Variable, thread};

fn main() {
    for strategy in [Strategy::Exhaustive, Strategy::Random, Strategy::Pct(3)] {
        let start = processor_time();
        let explorer = Explorer::new()
            .strategy(strategy)
            .executions(400_000)
            .time(Duration::from_secs(20));
        let report = explorer.run(|| {
            let x = Arc::new(Variable::new(0));
            for _ in 0..3 {
                let x = x.clone();
                thread::spawn(move || {
                    for _ in 0..10 {
                        x.fetch_add(1);
                    }
                });
            }
        });
        let executions = report.statistics.executions;
        let rate = executions as f64 / (processor_time() - start).as_secs_f64();
        println!("{strategy:?}: {rate:.0} executions per second, {executions} in all");
    }
}

/// The processor time of this thread, which other work on the machine does not change.
fn processor_time() -> Duration {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let nanoseconds = text.split_whitespace().next().unwrap_or_default();
    Duration::from_nanos(
        nanoseconds
            .parse()
            .expect("the system tells processor time"),
    )
}
