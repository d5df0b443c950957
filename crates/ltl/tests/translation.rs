//! Automata against the definition of truth, on random formulas and random words.

mod support;

use mazurka_ltl::{Formula, Strength, formula_text, parse, translate};
use support::{Random, names};

#[test]
fn automata_accept_what_formulas_say() {
    let mut random = Random(1);
    for round in 0..3000 {
        let atoms = 1 + random.below(3) as u32;
        let size = 1 + random.below(12);
        let formula = random.formula(size, atoms, true);
        let shown = formula_text(&formula, &names());
        let automaton = translate(&formula).expect("small");
        let opposite = translate(&formula.negation()).expect("small");
        assert!(!automaton.intersects(&opposite), "{shown}");
        for _ in 0..40 {
            let word = random.word(atoms);
            let truth = word.satisfies(&formula);
            assert_eq!(
                word.is_accepted(&automaton),
                truth,
                "{round}: {shown} on {word:?}: {automaton:#?}"
            );
            assert_eq!(
                word.is_accepted(&opposite),
                !truth,
                "not {shown} on {word:?}"
            );
        }
    }
}

#[test]
fn text_is_read_back() {
    let mut random = Random(2);
    for _ in 0..500 {
        let size = 1 + random.below(15);
        let formula = random.formula(size, 4, true);
        let shown = formula_text(&formula, &names());
        let (again, atoms) = parse(&shown).expect(&shown);
        assert_eq!(formula_text(&again, &atoms), shown);
    }
}

#[test]
fn safety_and_weakness_are_noticed() {
    let strength = |text: &str| {
        let (formula, _) = parse(text).unwrap();
        translate(&formula.negation()).unwrap().strength()
    };
    for safety in [
        "[] p",
        "[] (p -> X q)",
        "p W q",
        "[] (p -> (q V r))",
        "p",
        "p U false",
        "[] <> p || true",
    ] {
        assert_eq!(strength(safety), Strength::Terminal, "{safety}");
    }
    for weak in ["<> p", "p U q", "[] (p -> <> q)"] {
        assert_eq!(strength(weak), Strength::Weak, "{weak}");
    }
    assert_eq!(strength("<> [] p"), Strength::General);
}

#[test]
fn vacuity_replaces_the_right_sides() {
    let (formula, atoms) = parse("[] (p -> <> q) && (r U (s -> p))").unwrap();
    let found: Vec<String> = formula
        .without_consequents()
        .iter()
        .map(|formula| formula_text(formula, &atoms))
        .collect();
    assert_eq!(
        found,
        [
            "([] (! p)) && (r U (s -> p))",
            "([] (p -> (<> q))) && (r U (! s))"
        ]
    );
    let (negative, _) = parse("! (p -> q)").unwrap();
    assert_eq!(negative.without_consequents(), Vec::<Formula>::new());
}
