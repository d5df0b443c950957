//! Any bytes as a scenario: read, replayed, shown.

use mazurka_explore::{run_of, schedule_of};
use mazurka_model::Interpreter;
use mazurka_promela::{MemoryLoader, compile};
use mazurka_runtime::Kind;
use mazurka_scenario::{
    FORMAT, Model, Run, Scenario, ScenarioStep, Style, Symptom, VERSION, ViolationKind,
    ViolationRecord, Walk, chart, fingerprint, replay, text,
};
use mazurka_span::SourceMap;
use mazurka_temporal::Lasso;

use crate::models::Fate;

/// The model that scenarios are about, whatever they say.
pub const MODEL: &str = include_str!("../../../examples/promela/alternating-bit.pml");

/// A scenario of [`MODEL`], or of a real program. A real program is not run.
pub fn scenario(bytes: &[u8]) -> Fate {
    let scenario = match Scenario::from_json(bytes) {
        Ok(scenario) => scenario,
        Err(reason) => {
            assert!(!reason.to_string().is_empty());
            return Fate::Refused;
        }
    };
    let again = Scenario::from_json(scenario.to_json().as_bytes());
    assert_eq!(
        again.ok(),
        Some(scenario.clone()),
        "it is not what was read"
    );
    if scenario.model.is_program() {
        let _ = schedule_of(&scenario);
        show(&run_of(&scenario), scenario.violation.as_ref());
        return Fate::Ran(scenario.steps.len());
    }
    let model = match &scenario.model.formula {
        Some(formula) => format!("{MODEL}\nltl formula {{ {formula} }}\n"),
        None => MODEL.into(),
    };
    let mut map = SourceMap::new();
    let defines = &scenario.model.defines;
    let loader = MemoryLoader::default();
    let Ok(compiled) = compile(&mut map, "any.pml", model.as_bytes(), defines, &loader) else {
        return Fate::Refused;
    };
    let interpreter = Interpreter::new(compiled.program);
    let Ok(mut run) = replay(&interpreter, &scenario.steps()) else {
        return Fate::Refused;
    };
    let _ = Symptom::all_shown_by(&run);
    if Lasso::replay(&interpreter, &scenario.steps(), scenario.loop_from).is_ok() {
        run.loop_from = scenario.loop_from;
    }
    show(&run, scenario.violation.as_ref());
    Fate::Ran(run.steps.len())
}

/// Nothing that is shown may command the terminal.
fn show(run: &Run, violation: Option<&ViolationRecord>) {
    for width in [0, 40, 100, usize::MAX] {
        let style = Style {
            colour: false,
            width,
        };
        for shown in [text(run, violation, style), chart(run, violation, style)] {
            let command = shown.chars().find(|c| c.is_control() && *c != '\n');
            assert_eq!(command, None, "{shown:?}");
        }
    }
    assert!(serde_json::to_string(run).is_ok());
}

/// Scenarios of the model and of a program.
pub fn valid() -> Vec<Vec<u8>> {
    let mut map = SourceMap::new();
    let compiled = compile(
        &mut map,
        "any.pml",
        MODEL.as_bytes(),
        &[],
        &MemoryLoader::default(),
    );
    let interpreter = Interpreter::new(compiled.expect("an example").program);
    let violation = |kind: ViolationKind| ViolationRecord {
        property: "safety".into(),
        kind,
        message: format!("{kind} of something"),
        at: None,
    };
    let model = |language: &str| Model {
        file: "any.pml".into(),
        language: language.into(),
        defines: vec!["N=3".into()],
        formula: Some("[] (1 == 1)".into()),
        hash: fingerprint([MODEL]),
        optimize: false,
        racing: vec![(3, 24)],
        spurious: true,
        preload: false,
    };
    let mut all = Vec::new();
    for (length, kind) in [
        (0, ViolationKind::Deadlock),
        (3, ViolationKind::Assertion),
        (12, ViolationKind::Ltl),
        (40, ViolationKind::Overflow),
    ] {
        let (mut walk, _) = Walk::start(&interpreter).expect("an initial state");
        let mut steps = Vec::new();
        for number in 0..length {
            let enabled = walk.enabled();
            let Some(step) = enabled.get(number % enabled.len().max(1)) else {
                break;
            };
            steps.push(*step);
            walk.advance(*step);
        }
        let mut scenario = Scenario::new(model("promela"), violation(kind), &interpreter, &steps);
        scenario.loop_from = (kind == ViolationKind::Ltl).then_some(length);
        all.push(scenario.to_json().into_bytes());
    }
    let told = |kind: Kind, process: u32, object: &str| ScenarioStep {
        process,
        transition: kind.0.into(),
        choice: 0,
        name: Some(format!("actor {process}")),
        file: Some("program.c".into()),
        line: Some(7),
        statement: Some(format!("{} {object}", kind.name())),
    };
    let scenario = Scenario {
        format: FORMAT.into(),
        version: VERSION,
        written_as: None,
        model: model(Model::PROGRAM),
        violation: Some(violation(ViolationKind::Deadlock)),
        loop_from: None,
        steps: vec![
            told(Kind::SPAWN, 0, "worker"),
            told(Kind::SEND, 0, "queue 0"),
            told(Kind::RECEIVE, 1, "queue 0"),
            told(Kind::LOCK, 1, "mutex 1"),
        ],
    };
    all.push(scenario.to_json().into_bytes());
    all
}
