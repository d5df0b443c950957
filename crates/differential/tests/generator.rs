//! The generator and the shrinker, with SPIN as judge where it is installed.

use std::time::Duration;

use mazurka_differential::ast::{Program, Statement};
use mazurka_differential::execution::execute;
use mazurka_differential::generate::generate;
use mazurka_differential::print::{print, print_marked};
use mazurka_differential::shrink::{Effort, shrink};
use mazurka_differential::{Campaign, Feature, Features, spin};

#[test]
fn a_seed_names_one_model() {
    for seed in 0..50 {
        let features = Features::default();
        assert_eq!(
            print(&generate(seed, features)),
            print(&generate(seed, features))
        );
    }
    assert_ne!(
        generate(1, Features::default()),
        generate(2, Features::default())
    );
}

fn parsed(text: &str) -> mazurka_promela::ast::Model {
    let mut map = mazurka_span::SourceMap::new();
    let loader = mazurka_promela::MemoryLoader::default();
    let (model, told) = mazurka_promela::parse(&mut map, "m.pml", text.as_bytes(), &[], &loader);
    assert!(!mazurka_span::has_errors(&told), "{told:#?}\n{text}");
    model
}

/// A tree without places in the source and without what was an `inline`; of formulas the text is left out, which has the spaces of
/// the source.
fn shape(mut model: mazurka_promela::ast::Model) -> String {
    use mazurka_promela::ast::Unit;
    model.units.retain(|unit| !matches!(unit, Unit::Inline(_)));
    for unit in &mut model.units {
        if let Unit::Ltl(ltl) = unit {
            ltl.text.clear();
        }
    }
    let text = format!("{model:?}");
    let words = text.split_inclusive(|c: char| !(c.is_ascii_digit() || c == '.' || c == '#'));
    let words = words.map(|word| match word.contains("..") {
        true => &word[word.len() - 1..],
        false => word,
    });
    words.collect()
}

#[test]
fn what_promela_prints_is_read_as_the_same_tree() {
    for seed in 0..400 {
        // Calls of an `inline` are printed as blocks.
        let features = match seed % 2 {
            0 => Features::all().without(Feature::Inlines),
            _ => Features::all(),
        };
        let model = parsed(&print(&generate(seed, features)));
        let printed = model.to_string();
        let again = parsed(&printed);
        assert_eq!(again.to_string(), printed, "seed {seed}");
        if seed % 2 == 0 {
            assert_eq!(shape(again), shape(model), "seed {seed}\n{printed}");
        }
    }
}

#[test]
fn a_feature_that_is_off_does_not_occur() {
    let features = Features::default()
        .without(Feature::Atomic)
        .without(Feature::Unless)
        .without(Feature::Mtypes);
    for seed in 0..300 {
        let model = print(&generate(seed, features));
        for word in ["atomic", "unless", "mtype"] {
            assert!(!model.contains(word), "seed {seed} has {word}:\n{model}");
        }
    }
}

#[test]
fn spin_accepts_nearly_every_model() {
    if !spin::is_installed() {
        eprintln!("skipped: there is no `spin` to ask");
        return;
    }
    let report = Campaign::default().run(1..41, |_| ());
    assert!(report.rejected.len() <= 1, "{:#?}", report.rejected);
    assert!(report.unfinished.len() <= 2, "{:#?}", report.unfinished);
}

#[test]
fn shrinking_leaves_only_what_the_predicate_wants() {
    let has_unless = |program: &Program| print(program).contains(" unless ");
    let program = (0..)
        .map(|seed| generate(seed, Features::default()))
        .find(has_unless)
        .unwrap();
    let small = shrink(&program, Effort::default(), has_unless);
    assert_eq!(small, shrink(&program, Effort::default(), has_unless));
    assert_eq!(
        small.processes.len() + small.inlines.len(),
        1,
        "{}",
        print(&small)
    );
    assert!(small.globals.is_empty() && small.macros.is_empty());
    let body = small
        .processes
        .first()
        .map(|process| &process.body)
        .unwrap_or_else(|| &small.inlines[0].body);
    assert!(
        matches!(body[..], [Statement::Unless(..)]),
        "{}",
        print(&small)
    );
}

#[test]
fn shrinking_stops_when_told() {
    let program = generate(7, Features::default());
    let mut attempts = 0;
    let effort = Effort {
        attempts: 10,
        time: Duration::from_secs(60),
    };
    shrink(&program, effort, |_| {
        attempts += 1;
        true
    });
    assert!(attempts <= 10);
}

#[test]
fn every_feature_is_used_and_executed() {
    let (mut used, mut executed) = (Features::none(), Features::none());
    for seed in 0..600 {
        let marked = print_marked(&generate(seed, Features::all()));
        used = used.union(marked.all());
        let Some(met) = execute(&marked, seed) else {
            panic!("seed {seed} is not accepted:\n{}", marked.text)
        };
        executed = met.paths.into_iter().fold(executed, Features::union);
    }
    for (feature, name) in Feature::ALL {
        assert!(used.has(*feature), "no model uses {name}");
        assert!(executed.has(*feature), "no path executes {name}");
    }
}
