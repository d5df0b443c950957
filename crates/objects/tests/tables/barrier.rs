use mazurka_objects::real::barrier::{Operation, View, dependent_in};

use Operation::*;

/// Arrivals commute unless one of them is the last, and whoever waits is reached by the last.
#[test]
fn barrier() {
    for size in 1..=4 {
        for arrived in 0..size {
            for generation in 0..3 {
                let view = View {
                    arrived,
                    generation,
                };
                // Alone at a barrier each is the last.
                let one_is_last = size > 1 && arrived + 2 >= size;
                assert_eq!(
                    dependent_in(Arrive, Arrive, size, view),
                    one_is_last,
                    "{size} {view:?}"
                );
                for waited in 0..4 {
                    let is_freed = generation == waited && arrived + 1 == size;
                    for (a, b) in [(Arrive, Pass(waited)), (Pass(waited), Arrive)] {
                        assert_eq!(dependent_in(a, b, size, view), is_freed, "{size} {view:?}");
                    }
                    assert!(!dependent_in(Pass(waited), Pass(0), size, view));
                }
            }
        }
    }
}
