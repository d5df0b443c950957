//! Executions per second, exhaustive and at random: three actors that each add ten times to one
//! variable and use the result.

use std::sync::Arc;
use std::time::{Duration, Instant};

use mazurka::{Explorer, Strategy, Variable, thread};

fn main() {
    for strategy in [Strategy::Exhaustive, Strategy::Random, Strategy::Pct(3)] {
        let start = Instant::now();
        let explorer = Explorer::new()
            .strategy(strategy)
            .time(Duration::from_secs(2));
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
        let rate = report.statistics.executions as f64 / start.elapsed().as_secs_f64();
        println!("{strategy:?}: {rate:.0} executions per second");
    }
}
