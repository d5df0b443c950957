//! Processes that are alike: what is found is what the full search finds, and each orbit is met once.
//!
//! `SYMMETRY_MODELS` says how many random models are tried, `SYMMETRY_SEED` from which on.

use std::collections::{BTreeSet, HashSet};
use std::time::Duration;

use mazurka_checker::{
    Besides, Checker, Config, ModelText, Order, Outcome, Property, Reduction, Share, Store, Switch,
    Verdict,
};
use mazurka_differential::features::Feature;
use mazurka_differential::random::Random;
use mazurka_differential::{Features, generate, print};
use mazurka_model::Interpreter;
use mazurka_reduce::{Symmetry, forget_ends};
use mazurka_scenario::ViolationKind;
use mazurka_search::{StopReason, settled_steps};

/// Larger models are left out.
const MOST_STATES: u64 = 20_000;
const TIME_TO_TRY: Duration = Duration::from_millis(400);

/// What keeps processes from being alike; models without it are what is looked for here.
const TELLS_APART: &[Feature] = &[
    Feature::RemoteVariables,
    Feature::RemoteLabels,
    Feature::RemoteDead,
    Feature::RemoteParts,
    Feature::Enabled,
    Feature::PcValue,
    Feature::Priorities,
    Feature::SetPriority,
    Feature::Last,
];

fn number(name: &str, usual: u64) -> u64 {
    let given = std::env::var(name).ok();
    given.and_then(|text| text.parse().ok()).unwrap_or(usual)
}

/// A random model of which most processes have a twin.
fn model(seed: u64) -> String {
    let mut random = Random::new(seed);
    let mut features = Features::all().draw(&mut random);
    TELLS_APART
        .iter()
        .for_each(|feature| features.set(*feature, false));
    let seldom = [
        Feature::Timeout,
        Feature::TimeoutParts,
        Feature::ProcessCount,
        Feature::LocalChannels,
        Feature::LocalChannelArrays,
    ];
    if random.chance(75) {
        seldom
            .iter()
            .for_each(|feature| features.set(*feature, false));
    }
    let text = print::print(&generate::generate(seed, features));
    let copies = 2 + random.below(2);
    let text = text.replace("active proctype", &format!("active [{copies}] proctype"));
    match random.chance(85) {
        true => text.replace("_pid", "1").replace("_nr_pr", "2"),
        false => text,
    }
}

fn check(text: &str, config: Config) -> Option<Outcome> {
    let checker = Checker::from_source("alike.pml", text.to_string()).ok()?;
    checker.config(config).run().ok()
}

fn plain() -> Config {
    Config {
        property: Property::Safety,
        reduce: Reduction::None,
        optimize: Switch::Off,
        jobs: Some(1),
        all: true,
        audit: None,
        time: Some(TIME_TO_TRY),
        ..Config::default()
    }
}

/// Each violation by its kind and where it is; a deadlock may be of one process or of its twin.
fn kinds(outcome: &Outcome) -> BTreeSet<(&'static str, u32)> {
    let place = |violation: &mazurka_checker::Violation| match violation.kind() {
        ViolationKind::Deadlock | ViolationKind::NonprogressState => 0,
        _ => violation.record.at.as_ref().map_or(0, |at| at.line),
    };
    let safety = outcome.safety().unwrap();
    let violations = safety.violations.iter();
    violations
        .map(|violation| (violation.kind().name(), place(violation)))
        .collect()
}

fn some_config(random: &mut Random) -> Config {
    let search = match random.chance(12) {
        true => Order::BreadthFirst,
        false => Order::DepthFirst,
    };
    Config {
        property: Property::Safety,
        search,
        store: random.chance(20).then_some(Store::Compact),
        reduce: *random.pick(&[
            Reduction::Auto,
            Reduction::Auto,
            Reduction::None,
            Reduction::Stubborn,
            Reduction::Ample,
            Reduction::Persistent,
        ]),
        symmetry: Some(mazurka_checker::Symmetry::Auto),
        optimize: *random.pick(&[Switch::On, Switch::On, Switch::Off]),
        jobs: Some(1 + random.below(2) as u32),
        all: random.chance(60),
        audit: Some(if random.chance(50) {
            Share::ALL
        } else {
            Share::USUAL
        }),
        memory: Some(64 << 20),
        ..Config::default()
    }
}

#[test]
fn random_models_agree() {
    let (models, first) = (number("SYMMETRY_MODELS", 120), number("SYMMETRY_SEED", 1));
    let (mut compared, mut alike, mut held) = (0, 0, 0);
    for seed in first..first + models {
        let text = model(seed);
        let Some(full) = check(&text, plain()) else {
            continue;
        };
        let safety = full.safety().unwrap();
        if safety.stop != StopReason::Complete || safety.statistics.states > MOST_STATES {
            continue;
        }
        let expected = kinds(&full);
        held += u64::from(expected.is_empty());
        let mut random = Random::new(seed);
        for _ in 0..4 {
            let config = some_config(&mut random);
            let Some(outcome) = check(&text, config.clone()) else {
                continue;
            };
            let safety = outcome.safety().unwrap();
            let told = format!("seed {seed}, {config:?}\n{text}\n{:?}", safety.reason);
            alike += u64::from(safety.notes.iter().any(|note| note.contains("count once")));
            compared += 1;
            let is_violated = !safety.violations.is_empty();
            assert_eq!(is_violated, !expected.is_empty(), "{told}");
            assert!(!outcome.has_failed_audit(), "{told}");
            if config.store.is_none() && !is_violated {
                assert_eq!(safety.verdict, Verdict::Holds, "{told}");
            }
            let found = kinds(&outcome);
            match config.all {
                true => assert_eq!(found, expected, "{told}"),
                false => assert!(found.is_subset(&expected), "{told}"),
            }
        }
    }
    println!("{compared} comparisons, {alike} with processes that are alike, {held} models hold");
    // How many are small enough depends on the machine.
    assert!(
        alike * 3 > compared && compared > 40,
        "{alike} of {compared}"
    );
}

/// All states of a program without ends, and what stands for them.
fn orbits(text: &str) -> (usize, usize) {
    let model = ModelText::from_source("alike.pml", text.to_string()).unwrap();
    let mut program = model.load(&Besides::default()).unwrap().program().clone();
    let symmetry = Symmetry::of(&program, true)
        .unwrap()
        .expect("processes that are alike");
    forget_ends(&mut program);
    let interpreter = Interpreter::new(program);
    let (mut state, mut next, mut message) = (Vec::new(), Vec::new(), Vec::new());
    interpreter.initial(&mut state, &mut ()).unwrap();
    let mut seen = HashSet::from([state.clone()]);
    let mut orbits = HashSet::new();
    let mut open = vec![state];
    while let Some(mut state) = open.pop() {
        let mut steps = Vec::new();
        settled_steps(&interpreter, &mut state, &mut steps);
        if interpreter.controller(&state).is_none() {
            let mut state = state.clone();
            symmetry.represent(&interpreter, &mut state);
            orbits.insert(interpreter.identity(&state).to_vec());
        }
        for step in steps {
            let outcome = interpreter.execute(&state, step, &mut next, &mut message, &mut ());
            if outcome.complete && seen.insert(next.clone()) {
                open.push(next.clone());
            }
        }
    }
    let whole = |state: &&Vec<u8>| interpreter.controller(state).is_none();
    (seen.iter().filter(whole).count(), orbits.len())
}

const WORKERS: &str = "byte free = 2, done;
    active [4] proctype worker() { byte x; atomic { free > 0 -> free-- }; x = 1; x = 2; done++; free++ }";
const MEETING: &str = "chan c = [0] of { byte }; byte sum;
    active [3] proctype S() { byte x; do :: x < 2 -> x++; c!x :: x == 2 -> break od }
    active [2] proctype R() { byte y; do :: c?y -> sum = sum + y od }";
const STARTED: &str = "byte a = 1, b = 1;
    proctype left() { atomic { a > 0 -> a-- }; atomic { b > 0 -> b-- }; a++; b++ }
    proctype right() { atomic { b > 0 -> b-- }; atomic { a > 0 -> a-- }; a++; b++ }
    init { byte i; for (i : 1 .. 2) { run left(); run right() } }";
const PARAMETERS: &str = "byte x;
    proctype P(byte step) { x = x + step; x > 3; x = x - step }
    init { atomic { run P(1); run P(2); run P(1); run P(2) } }";

#[test]
fn every_orbit_is_met_once() {
    for text in [WORKERS, MEETING, STARTED, PARAMETERS] {
        let config = Config {
            symmetry: Some(mazurka_checker::Symmetry::Auto),
            ..plain()
        };
        let outcome = check(text, config).unwrap();
        let (states, orbits) = orbits(text);
        assert!(orbits < states, "{orbits} of {states}");
        let met = outcome.safety().unwrap().statistics.states;
        assert_eq!(met as usize, orbits, "{text}");
    }
}

/// A scenario has the processes of the model, not those that stood for them.
#[test]
fn a_scenario_is_one_of_the_model() {
    let outcome = check(STARTED, Config::default()).unwrap();
    let safety = outcome.safety().unwrap();
    assert_eq!(safety.verdict, Verdict::Violated);
    let config = Config {
        shorten: Switch::Off,
        ..Config::default()
    };
    let outcome = check(STARTED, config).unwrap();
    let kinds = kinds(&outcome);
    assert_eq!(kinds, BTreeSet::from([("deadlock", 0)]));
}

/// What tells processes apart keeps them from being exchanged, and the reason is told if somebody asked.
#[test]
fn the_reason_is_a_note() {
    let cases = [
        ("byte x; active [2] proctype P() { x = _pid }", "_pid"),
        (
            "byte x; active [2] proctype P() { x++; _nr_pr == 1 }",
            "_nr_pr",
        ),
        (
            "byte x; active [2] proctype P() { x++; timeout }",
            "timeout",
        ),
        (
            "byte x; active [2] proctype P() { chan c = [1] of { byte }; x++; c!1 }",
            "channels",
        ),
        (
            "byte x; active [2] proctype P() { L: x++; P[0]@L -> x = 0 }",
            "look at another process",
        ),
    ];
    for (text, word) in cases {
        let config = Config {
            symmetry: Some(mazurka_checker::Symmetry::Auto),
            ..Config::default()
        };
        let outcome = check(text, config).unwrap();
        let notes = &outcome.safety().unwrap().notes;
        assert!(
            notes
                .iter()
                .any(|note| note.contains("not used") && note.contains(word)),
            "{text}: {notes:?}"
        );
        let outcome = check(text, Config::default()).unwrap();
        assert!(outcome.safety().unwrap().notes.is_empty(), "{text}");
    }
    let printed = "byte x; active [2] proctype P() { x++; printf(\"%d\", _pid) }";
    let outcome = check(printed, Config::default()).unwrap();
    assert!(outcome.safety().unwrap().notes[0].contains("process of P"));
}

/// Models in which something tells processes apart, or notices that one has ended. Each shows something else if that is forgotten.
const TOLD_APART: &[&str] = &[
    // By their numbers: the first to move, and the one that stands for it.
    "byte x; active [2] proctype P() { end: atomic { x == 0; x = 1 }; assert(_pid == 1); end1: false }",
    "byte x; active [2] proctype P() { end: atomic { x == 0; x = 1 }; assert(_pid == 0); end1: false }",
    "byte x; active [2] proctype P() { byte l; do :: x < 4 -> atomic { x++; l = _last }; atomic { x++; assert(_last == l) } od }",
    // By who looks at them.
    "byte x; active [2] proctype P() { byte v; end: atomic { x == 0; x = 1; v = 5 }; end1: false }
     active proctype Q() { end: x == 1; assert(P[1]:v == 5); end1: false }",
    "byte x; active [2] proctype P() { byte v; end: atomic { x == 0; x = 1; v = 5 }; end1: false }
     active proctype Q() { end: x == 1; assert(P[0]:v == 5); end1: false }",
    "byte x; active [2] proctype P() { end: atomic { x == 0; x = 1 }; end1: false }
     active proctype Q() { end: x == 1; assert(P[1]@end1); end1: false }",
    "byte x; active [2] proctype P() { end: atomic { x == 0; x = 1 }; end1: false }
     active proctype Q() { end: x == 1; assert(P[0]@end1); end1: false }",
    // Ends that are noticed.
    "byte x; active proctype T() { timeout -> assert(x == 1) } active [2] proctype P() { x++ }",
    "byte x; active proctype Q() { end: _nr_pr == 1 -> assert(x == 0) } active [2] proctype P() { x++ }",
    "chan g; byte x; active [2] proctype P() { x++ }
     active proctype Q() { end: x == 2; g!1 }
     active proctype R() { chan c = [1] of { byte }; g = c; x == 2 }",
    "byte x, go; active [2] proctype P() { x++ }
     proctype A() { go = 1 } proctype B() { assert(_pid == 4) }
     init { run A(); go == 1; run B() }",
    // Nothing tells these apart: who meets whom has other names in a scenario.
    "chan c = [0] of { byte }; byte sum;
     active [3] proctype S() { byte x; do :: x < 2 -> x++; c!x :: x == 2 -> break od }
     active [2] proctype R() { byte y; do :: c?y -> sum = sum + y; assert(sum < 7) od }",
    "chan c = [0] of { byte }; byte sum;
     active [3] proctype S() { byte x; do :: x < 2 -> d_step { x++; c!x } :: x == 2 -> break od }
     active [2] proctype R() { byte y, n; do :: d_step { c?y; sum = sum + y } :: d_step { c?n; sum++; n = 0 } :: sum > 3 -> assert(false) od }",
    "chan c = [0] of { byte }; active proctype S() { c!1; end: false }
     proctype R(byte p) { byte y; c?y; assert(p != 2); end: false }
     init { atomic { run R(2); run R(1); run R(3) }; end: false }",
    "chan c = [0] of { byte }; active proctype S() { c!1; end: false }
     proctype R(byte p) { byte y; c?y; assert(p != 1); end: false }
     init { atomic { run R(2); run R(1); run R(3) }; end: false }",
    "byte x; active [3] proctype P() { byte z; atomic { x++; if :: z = 1 :: z = 2 fi; assert(x == 1); x-- } }",
    "byte x; active [3] proctype P() { short a; byte z; a = x * 256; x++; z = x; x < 3; assert(z != 2 || a == 256) }",
];

#[test]
fn what_tells_processes_apart_is_respected() {
    for text in TOLD_APART {
        let Some(full) = check(text, plain()) else {
            continue;
        };
        let expected = kinds(&full);
        for reduce in [Reduction::Auto, Reduction::None] {
            let config = Config {
                reduce,
                symmetry: Some(mazurka_checker::Symmetry::Auto),
                audit: None,
                ..plain()
            };
            let outcome = check(text, config).expect("it is checked");
            assert_eq!(kinds(&outcome), expected, "{reduce:?}\n{text}");
        }
    }
}

/// The same, and random ones with twins, with an audit of every state and compared with nothing else.
#[test]
fn an_audit_finds_nothing() {
    let (models, first) = (number("SYMMETRY_MODELS", 30), number("SYMMETRY_SEED", 1));
    let random = (first..first + models).map(model);
    let told_apart = TOLD_APART.iter().map(|text| text.to_string());
    let mut audited = 0;
    for text in told_apart.chain(random) {
        let config = Config {
            property: Property::Safety,
            symmetry: Some(mazurka_checker::Symmetry::Auto),
            audit: Some(Share::ALL),
            time: Some(Duration::from_secs(2)),
            memory: Some(64 << 20),
            ..Config::default()
        };
        let Ok(checker) = Checker::from_source("alike.pml", text.clone()) else {
            continue;
        };
        match checker.config(config).run() {
            Ok(outcome) => {
                assert!(!outcome.has_failed_audit(), "{text}");
                audited += 1;
            }
            Err(error) => assert!(!error.to_string().contains("internal"), "{error}\n{text}"),
        }
    }
    assert!(audited > TOLD_APART.len(), "{audited}");
}

/// A rendezvous that is an error with each of two partners is one step that is an error, however many partners there are.
#[test]
fn an_error_with_several_partners_is_no_alarm() {
    let text = "chan z = [0] of { byte }; byte a[2];\n\
        proctype P() { byte w = 5; end: do :: z!1; w = 0 :: z?eval(a[w]); w = 1 od }\n\
        init { atomic { run P(); run P(); run P() } }\n";
    let config = Config {
        symmetry: Some(mazurka_checker::Symmetry::Auto),
        audit: Some(Share::ALL),
        ..plain()
    };
    let outcome = check(text, config).unwrap();
    assert!(!outcome.has_failed_audit());
    assert_eq!(outcome.verdict(), Verdict::Violated);
}
