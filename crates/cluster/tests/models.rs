//! Random models of all notations: several members find what one process finds.
//!
//! `CLUSTER_MODELS` says how many models of each notation are tried, `CLUSTER_SEED` from which on.

mod together;

use std::time::Duration;

use mazurka_checker::{Checker, Config, Order, Outcome, Reduction, Switch, Verdict};
use mazurka_differential::notations::Notation;
use mazurka_differential::random::Random;
use mazurka_differential::{Features, generate, print};
use mazurka_scenario::ViolationKind;

use mazurka_search::{System, settle};
use together::{Way, all_of, number, together};

/// Larger models are left out.
const MOST_STATES: u64 = 30_000;
const TIME_TO_TRY: Duration = Duration::from_millis(1500);

/// The name and the text of a model.
fn model(notation: Option<Notation>, seed: u64) -> (String, String, Vec<String>) {
    match notation {
        None => {
            let features = Features::all().draw(&mut Random::new(seed));
            let program = generate::generate(seed, features);
            ("model.pml".into(), print::print(&program), Vec::new())
        }
        Some(notation) => {
            let model = notation.model(seed);
            let name = format!("model.{}", notation.name());
            (name, model.text(), model.defines().to_vec())
        }
    }
}

fn compare(notation: Option<Notation>) {
    let (first, count) = (number("CLUSTER_SEED", 1), number("CLUSTER_MODELS", 14));
    let (mut compared, mut violated, mut reduced, mut whole) = (0, 0, (0, 0), 0);
    for seed in first..first + count {
        let (name, text, define) = model(notation, seed);
        let Ok(checker) = Checker::from_source(&name, text.as_str()) else {
            continue;
        };
        let config = Config {
            search: Order::BreadthFirst,
            jobs: Some(1),
            property: mazurka_checker::Property::Safety,
            shorten: Switch::Off,
            audit: None,
            define,
            ..Config::default()
        };
        let none = Config {
            reduce: Reduction::None,
            optimize: match seed % 2 {
                0 => Switch::Off,
                _ => Switch::On,
            },
            ..config.clone()
        };
        let limited = Config {
            time: Some(TIME_TO_TRY),
            ..none.clone()
        };
        let Ok(expected) = checker.clone().config(limited).run() else {
            continue;
        };
        let states = expected.properties[0].statistics.states;
        if expected.verdict() == Verdict::Inconclusive || states > MOST_STATES {
            continue;
        }
        compared += 1;
        violated += u64::from(expected.verdict() == Verdict::Violated);
        let way = match seed % 4 {
            0 => Way::Threads(2 + seed as usize % 3),
            1 => Way::Members(2, 1),
            2 => Way::Members(3, 1),
            _ => Way::Members(2, 2),
        };
        let about = format!("{name}, seed {seed}, {way:?}\n{text}");
        for found in together(&checker, &none, way) {
            same(&expected, &found.expect(&about), &about);
        }
        let Ok(alone) = checker.clone().config(config.clone()).run() else {
            continue;
        };
        for found in all_of(together(&checker, &config, way), &about) {
            assert_eq!(alone.verdict(), found.verdict(), "{about}");
            assert_eq!(expected.verdict(), found.verdict(), "{about}");
            let of = |outcome: &Outcome| outcome.properties[0].statistics.states;
            if found.verdict() == Verdict::Holds {
                reduced.0 += of(&alone);
                reduced.1 += of(&found);
                whole += of(&expected);
            }
        }
    }
    println!("{compared} compared, {violated} violated, states of {whole} reduced {reduced:?}");
    assert!(compared * 3 > count, "{compared} of {count}");
}

/// How many steps before what goes wrong others can see, an atomic sequence being one, and whether it is a deadlock.
fn length(outcome: &Outcome) -> Option<(usize, bool)> {
    let violation = outcome.violations().next()?;
    let system = &outcome.model.interpreter;
    let (mut state, mut next, mut steps) = (Vec::new(), Vec::new(), Vec::new());
    let mut scratch = Default::default();
    System::initial(system, &mut state).ok()?;
    let mut length = 0;
    let is_deadlock = matches!(
        violation.kind(),
        ViolationKind::Deadlock | ViolationKind::NonprogressState
    );
    let before = violation
        .steps
        .len()
        .saturating_sub(usize::from(!is_deadlock));
    for step in &violation.steps[..before] {
        let taken = System::execute(system, &mut scratch, &state, *step, &mut next);
        std::mem::swap(&mut state, &mut next);
        length += usize::from(!taken.complete || !settle(system, &mut state, &mut steps));
    }
    Some((length, is_deadlock))
}

/// The same states, transitions, verdict and length.
fn same(expected: &Outcome, found: &Outcome, about: &str) {
    assert_eq!(expected.verdict(), found.verdict(), "{about}");
    let (one, other) = (&expected.properties[0], &found.properties[0]);
    if expected.verdict() == Verdict::Violated {
        assert_eq!(length(expected), length(found), "{about}");
    } else {
        let (one, other) = (one.statistics, other.statistics);
        assert_eq!(one.states, other.states, "{about}");
        assert_eq!(one.matched, other.matched, "{about}");
        assert_eq!(one.depth, other.depth, "{about}");
        assert_eq!(one.atomic_steps, other.atomic_steps, "{about}");
    }
    if expected.verdict() == Verdict::Holds {
        assert_eq!(one.covered, other.covered, "{about}");
    }
}

#[test]
fn promela() {
    compare(None);
}

#[test]
fn machines_with_ports() {
    compare(Some(Notation::Efsm));
}

#[test]
fn virtual_machines() {
    compare(Some(Notation::Vfsm));
}

#[test]
fn sdl() {
    compare(Some(Notation::Sdl));
}

/// The states of each loop belong to several members, and whichever loop comes first could put the others off for ever.
#[test]
fn no_step_is_put_off_for_ever() {
    let config = Config {
        search: Order::BreadthFirst,
        jobs: Some(1),
        property: mazurka_checker::Property::Safety,
        audit: None,
        ..Config::default()
    };
    // One way of many, and one loop of several, is wrong.
    for (wrong, way_there) in (0..3).flat_map(|wrong| (0..6).map(move |way| (wrong, way))) {
        let text = format!(
            "byte a[3], v = 9; active proctype First() {{ select(v : 0 .. 5) }} \
             active [3] proctype Loop() {{ v < 9; do :: a[_pid - 1] < 3 -> a[_pid - 1]++ \
             :: a[_pid - 1] == 3 -> assert(_pid - 1 != {wrong} || v != {way_there}); a[_pid - 1] = 0 od }}"
        );
        let checker = Checker::from_source("model.pml", text.as_str()).expect("a model");
        let members = [Way::Members(2, 1), Way::Members(3, 1)];
        let ways = match way_there {
            0 => &members[..],
            _ => &[Way::Threads(2)],
        };
        for way in ways {
            for found in all_of(together(&checker, &config, *way), &text) {
                assert_eq!(found.verdict(), Verdict::Violated, "{wrong}, {way:?}");
            }
        }
    }
}
