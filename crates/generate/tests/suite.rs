//! Suites of tests: every part that can be reached is exercised, and the code passes.

mod support;

use mazurka_generate::{Target, follow, script, suite};
use mazurka_model::TransitionId;

use support::{Model, build, examples, place};

#[test]
fn suites_of_machines_exercise_every_transition_and_the_code_passes() {
    for path in examples("efsm") {
        let model = Model::open(&path);
        let program = model.interpreter.program();
        let is_written = |number: u32| {
            let statement = program.transitions[number as usize].statement;
            program.statements[statement.index()].reported
        };
        let meets = |transition: TransitionId| match is_written(transition.0) {
            true => vec![transition.0],
            false => Vec::new(),
        };
        let found = suite(
            &model.interpreter,
            program.transitions.len(),
            &meets,
            200_000,
        );
        let stem = path.file_stem().unwrap().to_string_lossy();
        assert!(found.is_complete, "{stem}");
        let mut taken = vec![false; program.transitions.len()];
        for step in found.tests.iter().flatten() {
            taken[step.transition.index()] = true;
        }
        for number in 0..program.transitions.len() as u32 {
            let is_missing = found.missing.contains(&number);
            let is_goal = is_written(number);
            assert_eq!(
                taken[number as usize] && is_goal,
                !is_missing,
                "{stem} {number}"
            );
        }
        let built = build(&model, Target::C, &place(&format!("suite-{stem}")));
        for run in &found.tests {
            let script = script(&model.interpreter, None, run);
            let trace = built.run(&["--script"], &script);
            let followed = follow(&model.interpreter, &trace).unwrap();
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
