//! The plan as a table: every combination of choices is either refused with its reason, or finds the same as a search that leaves
//! nothing out.
//!
//! `TABLE_ROUNDS` says how often, each time with other random models.

use std::collections::HashMap;
use std::time::Duration;

use mazurka_checker::{
    Besides, Checker, Choice, Config, Emptiness, Error, ModelText, Order, Plan, Property,
    Reduction, Store, Switch, Symmetry, Verdict,
};
use mazurka_differential::formula::formula;
use mazurka_differential::machines::System;
use mazurka_differential::random::Random;
use mazurka_differential::{Features, generate, network, print, sdl};
use mazurka_model::Meaning;
use mazurka_scenario::ViolationKind;
use mazurka_search::StopReason;

/// A search that has no end of its own is given this time.
const TIME: Duration = Duration::from_millis(2);
/// A random model may have at most this many states, or the table takes too long.
const MOST_STATES: u64 = 400;
/// A random model that takes longer is not small.
const TIME_TO_TRY: Duration = Duration::from_millis(200);
/// Random models are drawn from this many seeds in each round.
const SEEDS: u64 = 200;

const COUNTER: &str = "byte x; active [2] proctype P() { byte y; do :: x < 4 -> y = x; x = y + 1 :: x >= 4 -> break od; assert(x != 5) }";
const PHILOSOPHERS: &str = "bit a = 1, b = 1, x;
    active proctype P() { atomic { a -> a = 0 }; x = 1; atomic { b -> b = 0 }; a = 1; b = 1 }
    active proctype Q() { atomic { b -> b = 0 }; atomic { a -> a = 0 }; x = 0; b = 1; a = 1 }";
const QUIET: &str = "byte x; chan c = [1] of { byte };
    active proctype P() { byte i; do :: i < 3 -> i++; c!i :: else -> break od }
    active proctype Q() { byte j; do :: c?j -> x = j :: timeout -> break od }";
const ENDLESS: &str = "byte x; active proctype P() { do :: x = 1 - x od } active proctype Q() { do :: x == 1 -> progress: x = 0 :: accept: x = 1 od }";

/// A model by name, with what a search that leaves nothing out finds for each property.
struct Case {
    name: String,
    text: String,
}

fn rounds() -> u64 {
    let given = std::env::var("TABLE_ROUNDS").ok();
    given.and_then(|text| text.parse().ok()).unwrap_or(1)
}

fn cases(round: u64) -> Vec<Case> {
    let mut cases: Vec<Case> = [
        ("counter.pml", COUNTER),
        ("philosophers.pml", PHILOSOPHERS),
        ("quiet.pml", QUIET),
    ]
    .map(|(name, text)| Case {
        name: name.into(),
        text: text.into(),
    })
    .into();
    let mut add = |ending: &str, make: &dyn Fn(u64) -> String, wanted: usize| {
        let first = 1 + round * SEEDS;
        let fitting = (first..first + SEEDS).map(|seed| Case {
            name: format!("random-{seed}.{ending}"),
            text: make(seed),
        });
        cases.extend(fitting.filter(is_small).take(wanted));
    };
    add(
        "pml",
        &|seed| print::print(&generate::generate(seed, Features::default())),
        2,
    );
    add("efsm", &|seed| System::random(seed).text(), 1);
    add("vfsm", &|seed| network::generate(seed).text(), 1);
    add("sdl", &|seed| sdl::system(seed).text, 1);
    cases
}

fn is_small(case: &Case) -> bool {
    let config = Config {
        all: true,
        time: Some(TIME_TO_TRY),
        ..plain(Property::Safety)
    };
    let checker = Checker::from_source(&case.name, case.text.clone()).unwrap();
    match checker.config(config).run() {
        Ok(outcome) => {
            let safety = outcome.safety().unwrap();
            safety.stop == StopReason::Complete
                && (10..MOST_STATES).contains(&safety.statistics.states)
        }
        Err(_) => false,
    }
}

/// A search that leaves nothing out.
fn plain(property: Property) -> Config {
    Config {
        reduce: Reduction::None,
        optimize: Switch::Off,
        jobs: Some(1),
        all: true,
        property,
        ..Config::default()
    }
}

/// Is a violation of this kind what the property is about? Others may be met on the way, or not.
fn is_about(property: Property, kind: ViolationKind) -> bool {
    match property {
        Property::All | Property::Safety => true,
        Property::Deadlock => matches!(
            kind,
            ViolationKind::Deadlock | ViolationKind::NonprogressState
        ),
        Property::Assertion => {
            matches!(
                kind,
                ViolationKind::Assertion | ViolationKind::TraceAssertion
            )
        }
        Property::Overflow => kind == ViolationKind::Overflow,
        Property::UnexpectedInput => kind == ViolationKind::UnexpectedInput,
        Property::Invariant => kind == ViolationKind::Invariant,
    }
}

/// What was found: the verdict, and whether there is a violation that the property is about.
fn found(case: &Case, config: &Config) -> Result<(Verdict, bool), Error> {
    let checker = Checker::from_source(&case.name, case.text.clone())?;
    let outcome = checker.config(config.clone()).run()?;
    let safety = outcome.safety().expect("a safety property");
    let is_violated = safety
        .violations
        .iter()
        .any(|violation| is_about(config.property, violation.kind()));
    Ok((safety.verdict, is_violated))
}

#[test]
fn every_combination_is_refused_or_right() {
    for round in 0..rounds() {
        table_of_round(round);
    }
}

fn table_of_round(round: u64) {
    let cases = cases(round);
    assert_eq!(cases.len(), 8);
    let mut truth = HashMap::new();
    for (number, case) in cases.iter().enumerate() {
        for property in Property::ALL {
            truth.insert(
                (number, *property),
                found(case, &plain(*property)).unwrap().1,
            );
        }
    }
    assert!(truth.values().any(|is_violated| *is_violated));
    assert!(truth.values().any(|is_violated| !*is_violated));
    let (mut refused, mut checked) = (0, 0);
    for (index, config) in combinations().enumerate() {
        if let Err(refusal) = Plan::refuse_contradictions(&config) {
            assert!(refusal.reason.contains("--"), "{refusal}");
            refused += 1;
            continue;
        }
        // Every combination meets one model, and over all of them every model. What remembers nothing goes every way, so its model is a
        // small one.
        let number = match config.search {
            Order::Guided => 0,
            _ if matches!(config.store(), Store::None | Store::Cache) => 1,
            _ => (index + round as usize) % cases.len(),
        };
        let case = &cases[number];
        let (verdict, is_violated) = match found(case, &config) {
            Ok(found) => found,
            Err(Error::Usage(reason)) => {
                let has_reason = reason.contains("not sound") || reason.contains("does not go");
                assert!(has_reason, "{reason}");
                refused += 1;
                continue;
            }
            Err(error) => panic!("{} with {config:?}: {error}", case.name),
        };
        let expected = truth[&(number, config.property)];
        let told = format!("{} with {config:?}: {verdict}", case.name);
        assert!(expected || !is_violated, "{told}, but it holds");
        assert!(
            verdict != Verdict::Holds || !expected,
            "{told}, but it is violated"
        );
        let is_lossless = !matches!(config.store(), Store::Compact | Store::Bitstate);
        if is_lossless && config.time.is_none() {
            assert_eq!(is_violated, expected, "{told}");
            assert_ne!(verdict, Verdict::Inconclusive, "{told}");
        }
        checked += 1;
    }
    assert!(
        refused > 1000 && checked > 500,
        "{refused} refused, {checked} checked"
    );
}

/// Order x store x reduction x sleep sets x structure x property x threads.
fn combinations() -> impl Iterator<Item = Config> {
    let of = |order: Order| {
        let is_random = !matches!(
            order,
            Order::DepthFirst | Order::BreadthFirst | Order::Stack | Order::Guided
        );
        Config {
            search: order,
            guide: (order == Order::Guided).then(|| "x".into()),
            time: is_random.then_some(TIME),
            all: true,
            // The arenas of lossy stores are as large as this allows.
            memory: Some(24 << 20),
            ..Config::default()
        }
    };
    let orders = Order::ALL.iter().map(move |order| of(*order));
    let stores = |config: Config| {
        let stores = Store::ALL.iter().copied().map(Some);
        stores.map(move |store| Config {
            store,
            ..config.clone()
        })
    };
    let reductions = |config: Config| {
        let reductions = Reduction::ALL.iter().copied();
        reductions.flat_map(move |reduce| {
            let config = config.clone();
            [None, Some(Switch::On)].map(move |sleep| Config {
                reduce,
                sleep,
                ..config.clone()
            })
        })
    };
    let structures = |config: Config| {
        let switches = [Switch::On, Switch::Off];
        switches.map(move |optimize| Config {
            optimize,
            // By itself it would go only with structural reductions.
            symmetry: (optimize == Switch::Off).then_some(Symmetry::Auto),
            ..config.clone()
        })
    };
    let properties = |config: Config| {
        let properties = Property::ALL.iter().copied();
        properties.flat_map(move |property| {
            let config = config.clone();
            [1, 2].map(move |jobs| Config {
                property,
                jobs: Some(jobs),
                ..config.clone()
            })
        })
    };
    orders
        .flat_map(stores)
        .flat_map(reductions)
        .flat_map(structures)
        .flat_map(properties)
}

/// A temporal property, alone.
#[derive(Clone, Copy)]
enum Temporal<'a> {
    Ltl(&'a str),
    Acceptance,
    Progress,
}

/// A model with a formula about it.
struct TemporalCase {
    case: Case,
    formula: String,
}

fn temporal_cases(rounds: u64) -> Vec<TemporalCase> {
    let known = [
        ("counter.pml", COUNTER, "<> [] (x >= 4)"),
        ("counter.pml", COUNTER, "[] (x < 5)"),
        ("quiet.pml", QUIET, "[] (x == 1 -> <> (x == 3))"),
        ("endless.pml", ENDLESS, "[] <> (x == 1)"),
        ("endless.pml", ENDLESS, "<> (x == 2)"),
    ];
    let known = known.map(|(name, text, formula)| TemporalCase {
        case: Case {
            name: name.into(),
            text: text.into(),
        },
        formula: formula.into(),
    });
    let mut cases: Vec<TemporalCase> = known.into();
    type Make = fn(u64) -> Option<(String, Vec<String>)>;
    let makers: [(&str, Make, usize); 3] = [
        ("pml", random_promela, 2),
        ("efsm", random_machines, 1),
        ("vfsm", random_network, 1),
    ];
    for round in 0..rounds {
        for (ending, make, wanted) in makers {
            let first = 1 + round * SEEDS;
            let fitting = (first..first + SEEDS).filter_map(|seed| {
                let (text, atoms) = make(seed)?;
                let case = Case {
                    name: format!("random-{seed}.{ending}"),
                    text,
                };
                let mut random = Random::new(seed);
                let size = 2 + random.below(6);
                let formula = formula(&mut random, size, &atoms);
                is_sane(&case).then_some(TemporalCase { case, formula })
            });
            cases.extend(fitting.take(wanted));
        }
    }
    cases
}

fn random_promela(seed: u64) -> Option<(String, Vec<String>)> {
    let text = print::print(&generate::generate(seed, Features::default()));
    let model = ModelText::from_source("random.pml", text.clone()).ok()?;
    let loaded = model.load(&Besides::default()).ok()?;
    let shared = loaded.program().shared.iter();
    let numbers = shared.filter(|variable| {
        let is_name = |c: char| c.is_ascii_alphanumeric();
        variable.length.is_none()
            && variable.meaning == Meaning::Number
            && variable.name.chars().all(is_name)
    });
    let atoms: Vec<String> = numbers
        .flat_map(|variable| [1, 2].map(|value| format!("{} == {value}", variable.name)))
        .collect();
    (!atoms.is_empty()).then_some((text, atoms))
}

fn random_machines(seed: u64) -> Option<(String, Vec<String>)> {
    let system = System::random(seed);
    let atoms = system.atoms(&mut Random::new(seed));
    Some((system.text(), atoms))
}

fn random_network(seed: u64) -> Option<(String, Vec<String>)> {
    let network = network::generate(seed);
    let atoms = network.atoms(&mut Random::new(seed));
    Some((network.text(), atoms))
}

/// Is it small, and does nothing in it fail? What fails ends an execution, and which executions are met is up to the search.
fn is_sane(case: &Case) -> bool {
    let checker = Checker::from_source(&case.name, case.text.clone()).unwrap();
    let outcome = checker
        .config(plain(Property::Safety))
        .time(TIME_TO_TRY)
        .run();
    is_small(case)
        && outcome.is_ok_and(|outcome| {
            let mut violations = outcome.violations();
            violations.all(|violation| violation.kind() == ViolationKind::Deadlock)
        })
}

#[test]
fn every_combination_for_temporal_properties_is_refused_or_right() {
    let rounds = rounds();
    let cases = temporal_cases(rounds);
    assert_eq!(cases.len() as u64, 5 + 4 * rounds);
    let (mut refused, mut checked, mut held, mut violated) = (0, 0, 0, 0);
    for TemporalCase { case, formula } in &cases {
        for wanted in [
            Temporal::Ltl(formula),
            Temporal::Acceptance,
            Temporal::Progress,
        ] {
            for fair in [false, true] {
                let verdict = |config: &Config| {
                    let checker = Checker::from_source(&case.name, case.text.clone()).unwrap();
                    checker.config(config.clone()).run().map(|o| o.verdict())
                };
                let of = |config: Config| Config {
                    ltl: match wanted {
                        Temporal::Ltl(formula) => Some(formula.into()),
                        _ => None,
                    },
                    acceptance: matches!(wanted, Temporal::Acceptance),
                    progress: matches!(wanted, Temporal::Progress),
                    fair,
                    all: false,
                    ..config
                };
                // A notation without marks of acceptance refuses to look for them.
                let expected = verdict(&of(plain(Property::All))).ok();
                match expected {
                    Some(Verdict::Holds) => held += 1,
                    Some(Verdict::Violated) => violated += 1,
                    _ => {}
                }
                for config in temporal_combinations().map(of) {
                    match verdict(&config) {
                        Err(refusal) => {
                            let text = refusal.to_string();
                            assert!(text.contains("--") || expected.is_none(), "{refusal}");
                            refused += 1;
                        }
                        Ok(verdict) => {
                            let told = format!("{} {config:?}\n{}", case.name, case.text);
                            assert_eq!(Some(verdict), expected, "{told}");
                            checked += 1;
                        }
                    }
                }
            }
        }
    }
    assert!(
        refused > 500 && checked > 500,
        "{refused} refused, {checked} checked"
    );
    assert!(
        held > 10 && violated > 10,
        "{held} held, {violated} violated"
    );
}

fn temporal_combinations() -> impl Iterator<Item = Config> {
    let orders = [Order::DepthFirst, Order::BreadthFirst, Order::Random];
    let orders = orders.into_iter().flat_map(|search| {
        [Store::Exact, Store::Bitstate].map(move |store| Config {
            search,
            store: Some(store),
            ..Config::default()
        })
    });
    let reductions = |config: Config| {
        let reductions = Reduction::ALL.iter().copied();
        reductions.flat_map(move |reduce| {
            let config = config.clone();
            [Switch::On, Switch::Off].map(move |optimize| Config {
                reduce,
                optimize,
                ..config.clone()
            })
        })
    };
    let ways = |config: Config| {
        let ways = Emptiness::ALL.iter().copied();
        ways.flat_map(move |emptiness| {
            let config = config.clone();
            [1, 2].map(move |jobs| Config {
                emptiness: Some(emptiness),
                jobs: Some(jobs),
                ..config.clone()
            })
        })
    };
    orders.flat_map(reductions).flat_map(ways)
}
