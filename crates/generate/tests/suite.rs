//! Suites of tests: every part that can be reached is exercised, and the code passes.

mod support;

use mazurka_generate::{Suite, Target, follow, script};

use support::{Model, build, examples, place};

#[test]
fn suites_of_machines_exercise_every_transition_and_the_code_passes() {
    for path in examples("efsm") {
        let model = Model::open(&path);
        let program = model.loaded.program();
        let found = Suite::new(&model.loaded, 200_000).unwrap();
        let stem = path.file_stem().unwrap().to_string_lossy();
        assert!(found.is_complete, "{stem}");
        let mut taken = vec![false; program.transitions.len()];
        for step in found.tests.iter().flatten() {
            taken[step.transition.index()] = true;
        }
        let written = program.transitions.iter().zip(taken);
        let written: Vec<(&str, bool)> = written
            .map(|(transition, is_taken)| {
                let statement = &program.statements[transition.statement.index()];
                (statement, is_taken)
            })
            .filter(|(statement, _)| statement.reported)
            .map(|(statement, is_taken)| (statement.text.as_str(), is_taken))
            .collect();
        assert_eq!(written.len(), found.parts.len(), "{stem}");
        for (number, (text, is_taken)) in written.into_iter().enumerate() {
            let is_missing = found.missing.contains(&(number as u32));
            assert_eq!(is_taken, !is_missing, "{stem} {text}");
            assert_eq!(text, found.parts[number], "{stem}");
        }
        let built = build(&model, Target::C, &place(&format!("suite-{stem}")));
        for run in &found.tests {
            let script = script(&model.loaded, run);
            let trace = built.run(&["--script"], &script);
            let followed = follow(model.interpreter(), &trace).unwrap();
            assert_eq!(
                (followed.difference, followed.steps),
                (None, run.clone()),
                "{stem}"
            );
        }
        let steps: usize = found.tests.iter().map(Vec::len).sum();
        eprintln!(
            "{stem}: {} tests, {steps} steps, {} missing",
            found.tests.len(),
            found.missing.len()
        );
    }
}
