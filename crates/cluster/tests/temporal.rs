//! Random models with formulas, claims and marks: several members say of each what one process says.
//!
//! `CLUSTER_CLAIMS` says how many models of each notation are tried, `CLUSTER_SEED` from which on.

mod together;

use std::time::Duration;

use mazurka_checker::{
    Checker, Config, Emptiness, Order, Outcome, Property, Reduction, StopReason, Switch, Verdict,
};
use mazurka_differential::combination::Asked;
use mazurka_differential::notations::Notation;
use mazurka_differential::random::Random;
use mazurka_differential::{Features, features::Feature, generate, print};

use together::{Way, all_of, number, together};

/// Larger products are left out.
const MOST_STATES: u64 = 20_000;
const TIME_TO_TRY: Duration = Duration::from_millis(1500);
const TIME_TO_COMPARE: Duration = Duration::from_secs(20);

/// A model, and what is asked about it.
fn model(notation: Option<Notation>, seed: u64) -> (String, String, Vec<String>, Asked) {
    let random = &mut Random::new(seed ^ 0x5eed);
    let fair = random.chance(35);
    let marks = match random.below(6) {
        0 => Some(Asked::Progress { fair }),
        1 if notation != Some(Notation::Vfsm) => Some(Asked::Acceptance { fair }),
        _ => None,
    };
    match notation {
        None => {
            let mut features = Features::all().draw(&mut Random::new(seed));
            features.set(Feature::Formulas, true);
            let program = generate::generate(seed, features);
            let name = match program.claims.len() {
                2.. if random.chance(50) => "formula1",
                _ => "formula0",
            };
            let name = name.into();
            let asked = marks.unwrap_or(Asked::Claim { name, fair });
            let text = print::print(&program);
            ("model.pml".into(), text, Vec::new(), asked)
        }
        Some(notation) => {
            let model = notation.model(seed);
            let name = format!("model.{}", notation.name());
            let claims = model.claims();
            let claim = claims.get(random.below(claims.len().max(1)));
            let asked = marks.or(claim.cloned());
            let asked = asked.unwrap_or(Asked::Progress { fair });
            (name, model.text(), model.defines().to_vec(), asked)
        }
    }
}

/// The configuration that asks for it.
fn asking(asked: &Asked, config: Config) -> Config {
    let config = Config {
        fair: asked.is_fair(),
        ..config
    };
    match asked {
        Asked::Claim { name, .. } => Config {
            claim: Some(name.clone()),
            ..config
        },
        Asked::Formula { text, .. } => Config {
            ltl: Some(text.clone()),
            ..config
        },
        Asked::Acceptance { .. } => Config {
            acceptance: true,
            ..config
        },
        _ => Config {
            progress: true,
            ..config
        },
    }
}

fn compare(notation: Option<Notation>) {
    let (first, count) = (number("CLUSTER_SEED", 1), number("CLUSTER_CLAIMS", 12));
    let (mut compared, mut violated, mut cycles, mut undecided, mut too_long) = (0, 0, 0, 0, 0);
    for seed in first..first + count {
        let (name, text, define, asked) = model(notation, seed);
        let Ok(checker) = Checker::from_source(&name, text.as_str()) else {
            continue;
        };
        let config = Config {
            search: Order::BreadthFirst,
            jobs: Some(1),
            shorten: match seed % 3 {
                0 => Switch::On,
                _ => Switch::Off,
            },
            emptiness: Some(Emptiness::Components),
            audit: None,
            define,
            ..Config::default()
        };
        let config = asking(&asked, config);
        let none = Config {
            reduce: Reduction::None,
            ..config.clone()
        };
        let limited = Config {
            time: Some(TIME_TO_TRY),
            ..none.clone()
        };
        let Ok(expected) = checker.clone().config(limited).run() else {
            continue;
        };
        let one = &expected.properties[0];
        if expected.verdict() == Verdict::Inconclusive || one.statistics.states > MOST_STATES {
            continue;
        }
        // One process may find a cycle long before it has met all states; members go level by level.
        let whole = Config {
            property: Property::Safety,
            all: true,
            reduce: Reduction::None,
            time: Some(TIME_TO_TRY),
            define: config.define.clone(),
            audit: None,
            ..Config::default()
        };
        let whole = checker.clone().config(whole).run();
        let is_small = |whole: &Outcome| {
            let of = &whole.properties[0];
            of.stop == StopReason::Complete && of.statistics.states <= MOST_STATES
        };
        if !whole.is_ok_and(|whole| is_small(&whole)) {
            continue;
        }
        compared += 1;
        violated += u64::from(one.verdict == Verdict::Violated);
        undecided += u64::from(one.verdict == Verdict::NotDecided);
        cycles += u64::from(one.violations.iter().any(|found| found.loop_from.is_some()));
        // Members that look for a cycle may meet many more states before they find it.
        let none = Config {
            time: Some(TIME_TO_COMPARE),
            ..none
        };
        let config = Config {
            time: Some(TIME_TO_COMPARE),
            ..config
        };
        let is_over = |found: &Outcome| {
            one.verdict == Verdict::Violated && found.properties[0].stop == StopReason::Time
        };
        let way = match seed % 4 {
            0 => Way::Threads(2 + seed as usize % 3),
            1 => Way::Members(2, 1),
            2 => Way::Members(3, 1),
            _ => Way::Members(2, 2),
        };
        let about = format!("{name}, seed {seed}, {asked:?}, {way:?}\n{text}");
        for found in all_of(together(&checker, &none, way), &about) {
            let other = &found.properties[0];
            if is_over(&found) {
                too_long += 1;
                continue;
            }
            assert_eq!(one.verdict, other.verdict, "{about}");
            assert_eq!(one.vacuous, other.vacuous, "{about}");
            assert_eq!(
                one.stopped_by.is_some(),
                other.stopped_by.is_some(),
                "{about}"
            );
            if one.verdict == Verdict::Holds {
                let (one, other) = (one.statistics, other.statistics);
                assert_eq!(one.states, other.states, "{about}");
                assert_eq!(one.matched, other.matched, "{about}");
            }
        }
        for found in all_of(together(&checker, &config, way), &about) {
            if is_over(&found) {
                too_long += 1;
                continue;
            }
            assert_eq!(expected.verdict(), found.verdict(), "{about}");
        }
    }
    println!(
        "{compared} compared, {violated} violated, {cycles} by a cycle, {undecided} undecided, {too_long} took too long"
    );
    assert!(compared * 6 > count, "{compared} of {count}");
    assert!(too_long * 20 <= compared + 20, "{too_long} of {compared}");
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

/// The cycle goes through states of all members, and most of what is reached is on none.
#[test]
fn a_long_cycle_is_found_and_shown() {
    let text = "byte a, b; bool back; \
        active proctype P() { do :: a < 200 -> a++ :: a == 200 && back -> a = 100 :: a == 200 && !back -> b = 1; break od } \
        active proctype Q() { if :: back = true :: skip fi } \
        ltl ends { <> (b == 1) } ltl low { [] (a < 201) }";
    let checker = Checker::from_source("model.pml", text).expect("a model");
    let config = Config {
        search: Order::BreadthFirst,
        jobs: Some(1),
        audit: None,
        ..Config::default()
    };
    for way in [Way::Members(3, 1), Way::Members(2, 2), Way::Threads(1)] {
        for found in all_of(together(&checker, &config, way), text) {
            let verdicts: Vec<Verdict> = found.properties.iter().map(|of| of.verdict).collect();
            let expected = [Verdict::Holds, Verdict::Violated, Verdict::Holds];
            assert_eq!(verdicts, expected, "{way:?}");
            let violation = &found.properties[1].violations[0];
            let from = violation.loop_from.expect("a cycle");
            assert_eq!(violation.steps.len() - from, 202, "{way:?}");
        }
    }
}
