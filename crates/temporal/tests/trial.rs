//! What is found out about a system before a search begins: whether leaving steps out pays, and where all must be taken.

use std::cell::Cell;

use mazurka_model::Interpreter;
use mazurka_promela::{MemoryLoader, compile};
use mazurka_span::SourceMap;
use mazurka_temporal::{Cycles, Invisible, Product, Watch, acceptance};

const WATCH: Watch = Watch {
    marks: true,
    stutter: true,
    fair: false,
    total: true,
};

fn interpreter(model: &str) -> Interpreter {
    let mut map = SourceMap::new();
    let loader = MemoryLoader::default();
    let compiled = compile(&mut map, "model.pml", model.as_bytes(), &[], &loader);
    let Ok(compiled) = compiled else {
        panic!("errors in {model}");
    };
    Interpreter::new(compiled.program)
}

/// Is it worth while to look for acceptance cycles of a model with fewer steps?
fn pays(model: &str) -> bool {
    let interpreter = interpreter(model);
    let mut reduction = Invisible::new(&interpreter, &acceptance(), WATCH, true).unwrap();
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

#[test]
fn no_states_are_looked_for_when_the_time_is_over() {
    let interpreter =
        interpreter("byte x; active [3] proctype p() { byte y; do :: y++ :: x = 1 - x od }");
    let asked = Cell::new(0);
    let is_over = || {
        asked.set(asked.get() + 1);
        asked.get() > 10
    };
    let claim = acceptance();
    let cycles = Cycles::Foreseen;
    let product = Product::simultaneous_within(&interpreter, &claim, WATCH, true, cycles, &is_over);
    assert!(product.is_ok_and(|product| product.has_sets()));
    assert_eq!(asked.get(), 11);
}
