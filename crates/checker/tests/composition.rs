//! A model put together from parts: verdicts, counterexamples, what is refused.

use mazurka_checker::{Composition, CompositionOptions, Error, ModelText, Verdict};
use mazurka_scenario::ViolationKind;

fn relay(define: &[&str], options: &CompositionOptions) -> Result<Composition, Error> {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../examples/efsm/relay.efsm"
    );
    let model = ModelText::open(path).unwrap();
    let define: Vec<String> = define.iter().map(ToString::to_string).collect();
    Composition::of(&model, &define, options, true)
}

#[test]
fn a_chain_is_a_buffer_from_outside() {
    let composition = relay(&["HOPS=2"], &CompositionOptions::default()).unwrap();
    assert_eq!(composition.verdict, Verdict::Holds);
    let whole = composition.whole.unwrap();
    let composed = composition.composed.unwrap();
    assert_eq!((whole.states, composed.largest()), (4515, 73));
    assert_eq!(composed.lts.states(), whole.states_left);
}

#[test]
fn who_does_not_repeat_gets_stuck() {
    let composition = relay(&["REPEAT=0"], &CompositionOptions::default()).unwrap();
    assert_eq!(composition.verdict, Verdict::Violated);
    let kinds = composition
        .violations
        .iter()
        .map(|violation| violation.kind());
    let kinds: Vec<ViolationKind> = kinds.collect();
    let expected = [ViolationKind::Deadlock, ViolationKind::NonprogressState];
    assert_eq!(kinds, expected);
}

#[test]
fn a_limit_decides_nothing() {
    let options = CompositionOptions {
        states: 20,
        ..CompositionOptions::default()
    };
    let composition = relay(&[], &options).unwrap();
    assert_eq!(composition.verdict, Verdict::Inconclusive);
    assert!(composition.reason.is_some() && composition.whole.is_none());
}

#[test]
fn what_is_not_known_to_be_right_is_refused() {
    let machines = "var x: byte;
        machine M { start state A; A -> A { x := x + 1; } }
        system { a: M; b: M; }";
    let model = ModelText::from_source("m.efsm", machines).unwrap();
    let options = CompositionOptions {
        parts: vec![vec!["a".into()], vec!["b".into()]],
        ..CompositionOptions::default()
    };
    let refused = Composition::of(&model, &[], &options, false).unwrap_err();
    assert!(refused.to_string().contains("`x`"), "{refused}");
    let promela = ModelText::from_source("m.pml", "init { skip }").unwrap();
    let refused = Composition::of(&promela, &[], &CompositionOptions::default(), false);
    assert!(matches!(refused, Err(Error::Usage(_))));
}

/// Whether a step waits is decided by two places of a port together, and what it sends goes to another port: the index changes on the way.
#[test]
fn places_of_a_port_are_full_together() {
    let machines = |more: &str| {
        format!(
            "machine M(k: byte) {{ port p[2] waits reorders {{ u }} var x, y: byte; start final state S;
             S -> S when k == 1 {{ y := x; }} !a[y % 2].p.u;
             S -> S {more} }}
             system {{ a[i<2]: M(i); }}"
        )
    };
    for (more, verdict) in [
        ("{ x := (x + 1) % 3; }", Verdict::Holds),
        ("when x == 0 { x := 1; }", Verdict::Violated),
    ] {
        let model = ModelText::from_source("m.efsm", machines(more)).unwrap();
        let options = CompositionOptions::default();
        let composition = Composition::of(&model, &[], &options, true).unwrap();
        assert_eq!(composition.verdict, verdict, "{more}");
        let left = composition.composed.unwrap().lts.states();
        assert_eq!(left, composition.whole.unwrap().states_left, "{more}");
    }
}

#[test]
fn a_step_that_is_not_followed_to_its_end_decides_nothing() {
    let machines = "machine A { start state S; final state T; S -> T { while true { } } }
        machine B { start state S; final state T; S -> T; }
        system { a: A; b: B; }";
    let model = ModelText::from_source("m.efsm", machines).unwrap();
    let options = CompositionOptions::default();
    let composition = Composition::of(&model, &[], &options, false).unwrap();
    assert_eq!(composition.verdict, Verdict::Inconclusive);
    assert!(composition.reason.unwrap().contains("10,000,000"));
}
