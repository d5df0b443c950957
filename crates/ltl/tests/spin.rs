//! Our automata against those of `spin -f`: the same language, and on patterns no more states.

mod support;

use std::time::Instant;

use mazurka_ltl::{formula_text, parse, translate};
use support::{Random, names, spin, spin_is_installed};

/// `MAZURKA_FORMULAS` says how many formulas to compare; a hundred by default.
fn formulas() -> usize {
    let given = std::env::var("MAZURKA_FORMULAS").ok();
    given.and_then(|count| count.parse().ok()).unwrap_or(100)
}

fn seed() -> u64 {
    let given = std::env::var("MAZURKA_SEED").ok();
    given.and_then(|seed| seed.parse().ok()).unwrap_or(7)
}

#[test]
fn the_same_language_as_spins() {
    if !spin_is_installed() {
        eprintln!("spin is not installed: nothing to compare with");
        return;
    }
    let mut random = Random(seed());
    let (mut compared, mut ours, mut theirs, mut more) = (0, 0, 0, 0);
    while compared < formulas() {
        let atoms = 3 + random.below(3) as u32;
        let size = 3 + random.below(13);
        let formula = random.formula(size, atoms, false);
        let shown = formula_text(&formula, &names());
        let (Some(spin_for), Some(spin_against)) = (spin(&formula), spin(&formula.negation()))
        else {
            continue;
        };
        let own_for = translate(&formula).expect(&shown);
        let own_against = translate(&formula.negation()).expect(&shown);
        assert!(!own_for.intersects(&spin_against), "{shown}");
        assert!(!own_against.intersects(&spin_for), "{shown}");
        // The two alone would let an empty automaton pass.
        for _ in 0..30 {
            let word = random.word(atoms);
            assert_eq!(
                word.is_accepted(&own_for),
                word.is_accepted(&spin_for),
                "{shown} on {word:?}"
            );
        }
        compared += 1;
        ours += own_for.states.len();
        theirs += spin_for.states.len();
        more += usize::from(own_for.states.len() > spin_for.states.len());
    }
    eprintln!(
        "{compared} formulas: {ours} states, spin {theirs}; larger than spin's in {more} cases"
    );
}

/// The usual collections of patterns, each as itself and negated.
#[test]
fn no_more_states_than_spins_on_patterns() {
    let patterns: Vec<&str> = include_str!("patterns.txt")
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
        .collect();
    assert!(patterns.len() > 90);
    let (mut compared, mut more, mut slowest) = (0, Vec::new(), 0.0f64);
    for pattern in patterns {
        let (formula, atoms) = parse(pattern).expect(pattern);
        let renamed: Vec<String> = names().into_iter().take(atoms.len()).collect();
        assert!(atoms.len() <= renamed.len(), "{pattern}");
        for formula in [formula.clone(), formula.negation()] {
            let started = Instant::now();
            let own = translate(&formula).expect(pattern);
            slowest = slowest.max(started.elapsed().as_secs_f64());
            // SPIN as it is usually built does not know X.
            if !spin_is_installed() || formula.has_next() {
                continue;
            }
            let shown = formula_text(&formula, &renamed);
            let Some(theirs) = spin(&formula) else {
                continue;
            };
            compared += 1;
            if own.states.len() > theirs.states.len() {
                more.push(format!(
                    "{shown}: {} states, spin {}",
                    own.states.len(),
                    theirs.states.len()
                ));
            }
        }
    }
    eprintln!(
        "{compared} patterns; the slowest translation took {slowest:.3} s; larger than spin's:\n{}",
        more.join("\n")
    );
    assert!(more.len() * 20 <= compared, "{more:#?}");
}
