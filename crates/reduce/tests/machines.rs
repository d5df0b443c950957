//! Every reduction against the full search on random systems of multi-port machines, whose queues
//! overflow and whose receptions may be unexpected.

mod support;

use mazurka_differential::machines::System;
use mazurka_span::SourceMap;

#[test]
fn every_reduction_finds_what_the_full_search_finds() {
    let count = 250;
    let mut compared = 0;
    for seed in 1..=count {
        let text = System::random(seed).text();
        let mut map = SourceMap::new();
        let compiled = mazurka_efsm::compile(&mut map, "m.efsm", text.as_bytes(), &[]);
        let program = compiled
            .unwrap_or_else(|errors| panic!("{errors:?}"))
            .program;
        let found = support::compare_program(&format!("seed {seed}\n{text}"), program);
        compared += u64::from(found.is_some());
    }
    assert!(compared * 10 > count * 9, "{compared} of {count}");
}
