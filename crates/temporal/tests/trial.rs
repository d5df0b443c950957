//! Whether leaving steps out pays is found out beforehand.

use mazurka_model::Interpreter;
use mazurka_promela::{MemoryLoader, compile};
use mazurka_span::SourceMap;
use mazurka_temporal::{Invisible, Watch, acceptance};

/// Is it worth while to look for acceptance cycles of a model with fewer steps?
fn pays(model: &str) -> bool {
    let mut map = SourceMap::new();
    let loader = MemoryLoader::default();
    let compiled = compile(&mut map, "model.pml", model.as_bytes(), &[], &loader);
    let Ok(compiled) = compiled else {
        panic!("errors in {model}");
    };
    let interpreter = Interpreter::new(compiled.program);
    let watch = Watch {
        marks: true,
        stutter: true,
        fair: false,
        total: true,
    };
    let mut reduction = Invisible::new(&interpreter, &acceptance(), watch, true).unwrap();
    reduction.pays(&interpreter)
}

#[test]
fn processes_that_have_nothing_in_common_make_it_pay() {
    assert!(pays(
        "active [3] proctype p() { byte x; do :: x = 1; x = 2; x = 3 od }"
    ));
}

#[test]
fn processes_that_all_write_one_variable_do_not() {
    assert!(!pays(
        "byte x; active [3] proctype p() { do :: x = _pid; x = 2 * _pid od }"
    ));
}

#[test]
fn nor_does_a_system_that_stops_at_once() {
    assert!(!pays("active proctype p() { skip }"));
}
