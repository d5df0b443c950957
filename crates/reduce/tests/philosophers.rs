//! Whoever waits for a fork that is taken draws nobody in: the states that the reduction leaves grow with the square of
//! the number of philosophers, not exponentially.

mod support;

use mazurka_model::Interpreter;
use mazurka_promela::{MemoryLoader, compile};
use mazurka_reduce::{Chooser, Stubborn};
use mazurka_span::SourceMap;
use support::{Order, search};

const PHILOSOPHERS: &str = "
byte fork[N];
active [N] proctype philosopher() {
    do
    :: atomic { fork[_pid] == 0 -> fork[_pid] = 1 };
       atomic { fork[(_pid + 1) % N] == 0 -> fork[(_pid + 1) % N] = 1 };
       fork[_pid] = 0;
       fork[(_pid + 1) % N] = 0
    od
}";

#[test]
fn deadlock_among_philosophers_is_found_in_few_states() {
    for (count, full) in [(5, 242), (7, 2_186), (8, 6_560)] {
        let text = format!("#define N {count}\n{PHILOSOPHERS}");
        let mut map = SourceMap::new();
        let loader = MemoryLoader::default();
        let compiled = compile(&mut map, "model.pml", text.as_bytes(), &[], &loader);
        let interpreter = Interpreter::new(compiled.expect("a right model").program);
        let plain = search(&interpreter, Order::Depth, None, false);
        assert_eq!(plain.states, full);
        let stubborn = Stubborn::new(&interpreter, true).expect("nothing unusual");
        let mut chooser = Chooser::Stubborn(Box::new(stubborn));
        let reduced = search(&interpreter, Order::Depth, Some(&mut chooser), false);
        assert!(
            reduced.states <= 3 * count * count,
            "{count}: {}",
            reduced.states
        );
        assert_eq!(reduced.deadlocks, plain.deadlocks);
    }
}
