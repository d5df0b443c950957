//! Limits that make little sense end a verification all the same, and cost nobody a panic.

use std::time::Duration;

use mazurka_checker::{
    Besides, Checker, CheckpointFile, ModelText, Order, Property, Reduction, Store, Switch,
    Symmetry, Verdict,
};

const LAMP: &str = "bit on; active proctype P() { do :: on = 1 - on od }";

#[test]
fn walks_of_no_steps_end_with_their_time() {
    let orders = [
        Order::Random,
        Order::Biased,
        Order::Scatter,
        Order::Probabilistic,
        Order::Swarm,
    ];
    for order in orders {
        let checker = Checker::from_source("lamp.pml", LAMP).unwrap();
        let checker = checker.search(order).property(Property::Safety);
        let checker = checker.time(Duration::from_millis(20));
        let outcome = checker.with(|config| config.depth = Some(0)).run().unwrap();
        assert_eq!(outcome.verdict(), Verdict::Inconclusive, "{order}");
    }
}

#[test]
fn a_time_that_no_clock_reaches_is_no_limit() {
    let checker = Checker::from_source("lamp.pml", LAMP).unwrap();
    assert!(checker.time(Duration::MAX).run().unwrap().holds());
    let model = ModelText::from_source("lamp.pml", LAMP).unwrap();
    let loaded = model.load(&Besides::default()).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("save");
    let about = (&loaded, loaded.program());
    let mut file = CheckpointFile::new(&path, Duration::MAX, 1, Vec::new(), about).unwrap();
    file.save(&mut |_| Ok(())).unwrap();
    assert!(file.due() > std::time::Instant::now());
}

#[test]
fn what_somebody_writes_meanwhile_is_not_replaced_by_a_saved_search() {
    let model = ModelText::from_source("lamp.pml", LAMP).unwrap();
    let loaded = model.load(&Besides::default()).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("save");
    let about = (&loaded, loaded.program());
    let begun = || CheckpointFile::new(&path, Duration::MAX, 1, Vec::new(), about).unwrap();
    let (mut first, mut second, mut third) = (begun(), begun(), begun());
    first.save(&mut |_| Ok(())).unwrap();
    let saved = std::fs::read(&path).unwrap();
    assert!(second.save(&mut |_| Ok(())).is_err());
    assert_eq!(std::fs::read(&path).unwrap(), saved);
    first.save(&mut |_| Ok(())).unwrap();
    std::fs::write(&path, "my own notes").unwrap();
    assert!(first.save(&mut |_| Ok(())).is_err() && third.save(&mut |_| Ok(())).is_err());
    assert_eq!(std::fs::read(&path).unwrap(), b"my own notes");
}

#[test]
fn no_memory_at_all_is_inconclusive() {
    for store in [Store::Exact, Store::Compact, Store::Cache, Store::Bitstate] {
        let checker = Checker::from_source("lamp.pml", LAMP).unwrap().store(store);
        let checker = checker.memory(0).time(Duration::from_secs(5));
        let verdict = checker.run().map(|outcome| outcome.verdict());
        assert!(!matches!(verdict, Ok(Verdict::Violated)), "{store}");
    }
}

/// The automaton of a formula may take longer than any search of a small model.
#[test]
fn a_formula_is_given_up_in_time() {
    let boxes: Vec<String> = (0..13).map(|value| format!("[] (x == {value})")).collect();
    let checker = Checker::from_source("m.pml", "byte x; active proctype P() { x = 1 }").unwrap();
    let checker = checker.with(|config| config.ltl = Some(boxes.join(" || ")));
    let outcome = checker.time(Duration::from_millis(20)).run().unwrap();
    assert_eq!(outcome.verdict().name(), "inconclusive");
    let formula = &outcome.properties[0];
    assert_eq!(formula.stop, mazurka_search::StopReason::Time);
    assert_eq!(formula.statistics.states, 0, "{:?}", formula.notes);
}

/// A formula whose automaton is too large costs its own verdict.
#[test]
fn what_cannot_be_translated_is_not_decided() {
    let parts = (0..14).map(|n| format!("((<> (x == {n})) U ([] (x != {})))", n + 1));
    let huge = parts.collect::<Vec<_>>().join(" && ");
    let model = format!(
        "byte x; active proctype P() {{ do :: x < 3 -> x++ :: x == 3 -> x = 0 od }}
         ltl fine {{ [] (x < 4) }}
         ltl huge {{ !({huge}) }}
         ltl wrong {{ [] (x < 3) }}"
    );
    let checker = Checker::from_source("m.pml", model).expect("a model");
    let outcome = checker.run().expect("an outcome");
    let verdicts = outcome.properties.iter().map(|known| known.verdict.name());
    let expected = ["holds", "holds", "not decided", "violated"];
    assert_eq!(verdicts.collect::<Vec<_>>(), expected);
    let reason = outcome.properties[2].reason.as_deref();
    assert!(reason.is_some_and(|reason| reason.contains("too large")));
}

/// How many different populations an interpreter has met differs between the search and what repeats its steps.
#[test]
fn populations_without_room_are_a_limit() {
    let model = "byte x; proctype A() { end: false } proctype B() { end: false }
        init { byte i; do :: i < 17 -> i++; if :: run A() :: run B() fi :: else -> break od; x == 1 }
        ltl nowhere { [] (x == 0) } ltl later { <> (x == 1) }";
    for order in [Order::DepthFirst, Order::BreadthFirst] {
        let checker = Checker::from_source("m.pml", model).unwrap();
        let outcome = checker.search(order).run().unwrap();
        for property in &outcome.properties {
            assert!(
                property.defect.is_none(),
                "{order} {}: {:?}",
                property.name,
                property.reason
            );
            assert_ne!(
                property.verdict,
                Verdict::Holds,
                "{order} {}",
                property.name
            );
        }
    }
}

/// A start without room fails, and succeeds once somebody has ended: the two are dependent where there is no room, too.
#[test]
fn one_process_too_many_is_found_by_every_reduction() {
    let model = "byte n; proctype P() { n-- } init { do :: n == 0 -> n++; run P() od }";
    for reduction in [Reduction::Auto, Reduction::Stubborn, Reduction::Persistent] {
        let checker = Checker::from_source("m.pml", model).unwrap();
        let checker = checker.property(Property::Safety).with(|config| {
            config.reduce = reduction;
            config.symmetry = Some(Symmetry::Off);
            config.audit = None;
            config.shorten = Switch::Off;
        });
        assert_eq!(
            checker.run().unwrap().verdict(),
            Verdict::Violated,
            "{reduction:?}"
        );
    }
}

/// Whoever compared each alternative with each other, in every state or for every sample of an audit, would not be done in minutes.
#[test]
fn forty_thousand_alternatives_are_no_trouble() {
    let assignments: String = (0..40_000)
        .map(|number| format!(":: x = {}\n", number % 5))
        .collect();
    let conditions: String = (0..40_000)
        .map(|number| format!(":: x == {number} -> break\n"))
        .collect();
    for model in [
        format!(
            "byte x; active proctype P() {{ do\n{assignments}od }} active proctype Q() {{ x == 4; assert(x < 5) }}"
        ),
        format!(
            "int x; active proctype P() {{ do\n{conditions}od }} active proctype Q() {{ x = 7; x = 30000 }}"
        ),
    ] {
        let checker = Checker::from_source("wide.pml", model).unwrap();
        assert!(checker.property(Property::Safety).run().unwrap().holds());
    }
}

/// Whoever went through all steps once for each location of a chain of steps backwards, or compared the receives at a location with
/// each other for each step there, would not be done in minutes.
#[test]
fn long_chains_backwards_and_many_receives_are_no_trouble() {
    let chain: String = (1..6_000)
        .map(|number| format!("l{number}: y = y + {}; goto l{};\n", number % 5, number - 1))
        .collect();
    let receives: String = (0..2_000)
        .map(|number| format!(":: c?{number} -> x = {number}; assert(x != 2000)\n"))
        .collect();
    for model in [
        format!("active proctype P() {{ int y; goto l5999; l0: goto fin;\n{chain}fin: skip }}"),
        format!(
            "chan c = [0] of {{ int }}; int x; active proctype S() {{ c!1999 }} active proctype R() {{ if\n{receives}fi }}"
        ),
    ] {
        let checker = Checker::from_source("long.pml", model).unwrap();
        assert!(checker.property(Property::Safety).run().unwrap().holds());
    }
}
