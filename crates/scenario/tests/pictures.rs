//! Scenarios as people see them: text and charts of small models, from their violation back to
//! what is printed.

use std::sync::atomic::AtomicBool;

use mazurka_model::{Interpreter, Step};
use mazurka_promela::{MemoryLoader, compile};
use mazurka_scenario::{
    Ending, Model, ReplayError, Run, Scenario, Style, Symptom, ViolationRecord, chart, describe,
    fingerprint, replay, replay_tail, text,
};
use mazurka_search::{Defect, Options, breadth_first};
use mazurka_span::SourceMap;

const RELAY: &str = r#"
mtype = { msg, ack };
chan queue = [2] of { mtype, byte };
chan direct = [0] of { byte };
byte count;

active proctype source() {
    queue!msg(1);
    atomic { count++; queue!msg(2); count++ }
    direct!7;
    queue!ack(3)
}

active proctype sink() {
    byte n;
    queue?msg(n);
    queue?msg(n);
    direct?n;
    printf("got %d\n", n);
    queue?ack(n);
    assert(n != 3)
}
"#;

const CHILDREN: &str = r#"
byte cells[2];
proctype child(byte id; chan back) { cells[id] = id + 1; back!id }
init {
    chan own = [1] of { byte };
    byte who;
    run child(1, own);
    own?who;
    (_nr_pr == 1);
    run child(0, own);
    false
}
"#;

fn interpreter(source: &str) -> Interpreter {
    let mut map = SourceMap::new();
    let loader = MemoryLoader::default();
    let compiled = compile(&mut map, "model.pml", source.as_bytes(), &[], &loader);
    Interpreter::new(compiled.expect("the model is right").program)
}

/// The shortest way to the first violation.
fn violation(interpreter: &Interpreter) -> (Symptom, Vec<Step>) {
    let interrupt = AtomicBool::new(false);
    let options = Options {
        deadlock: true,
        failures: true,
        proviso: true,
        all: false,
        depth: None,
        memory: 1 << 30,
        deadline: None,
        alone: Options::ALONE,
        interrupt: &interrupt,
    };
    let report = breadth_first(interpreter, &mut (), &options, &mut ());
    let found = report.violations.into_iter().next().expect("a violation");
    let symptom = match found.defect {
        Defect::Deadlock => Symptom::Deadlock,
        Defect::Failure(failure) => Symptom::Failure(failure),
        Defect::Cycle(_) => unreachable!("no cycles are looked for"),
    };
    (symptom, found.steps)
}

fn violated(source: &str) -> (Run, ViolationRecord) {
    let interpreter = interpreter(source);
    let (symptom, steps) = violation(&interpreter);
    let run = replay(&interpreter, &steps).expect("it replays");
    assert!(symptom.is_shown_by(&run));
    let record = describe(&interpreter, "safety", symptom, &run, steps.last().copied());
    (run, record)
}

#[test]
fn text_of_messages_and_atomic_sequences() {
    let (run, record) = violated(RELAY);
    insta::assert_snapshot!(text(&run, Some(&record), Style::default()));
}

#[test]
fn chart_of_messages_and_atomic_sequences() {
    let (run, record) = violated(RELAY);
    insta::assert_snapshot!(chart(
        &run,
        Some(&record),
        Style {
            colour: false,
            width: 60
        }
    ));
}

#[test]
fn text_of_processes_that_come_and_go() {
    let (run, record) = violated(CHILDREN);
    insta::assert_snapshot!(text(&run, Some(&record), Style::default()));
}

#[test]
fn chart_of_processes_that_come_and_go() {
    let (run, record) = violated(CHILDREN);
    insta::assert_snapshot!(chart(&run, Some(&record), Style::default()));
}

#[test]
fn a_chart_fits_into_a_narrow_terminal() {
    let (run, record) = violated(RELAY);
    let chart = chart(
        &run,
        Some(&record),
        Style {
            colour: false,
            width: 40,
        },
    );
    let widest = chart
        .lines()
        .take(run.steps.len())
        .map(|line| line.chars().count())
        .max();
    assert!(widest <= Some(40), "{widest:?}\n{chart}");
}

#[test]
fn colours_change_nothing_else() {
    let (run, record) = violated(RELAY);
    let coloured = text(
        &run,
        Some(&record),
        Style {
            colour: true,
            width: 100,
        },
    );
    let mut plain = String::new();
    let mut parts = coloured.split('\x1b');
    plain += parts.next().unwrap_or_default();
    for part in parts {
        plain += part.split_once('m').map_or("", |(_, rest)| rest);
    }
    assert_eq!(plain, text(&run, Some(&record), Style::default()));
}

#[test]
fn a_fault_is_the_end() {
    let (run, record) = violated("byte x, zero; init { x = 1; x = x / zero; x = 2 }");
    assert_eq!(
        (record.kind.name(), record.message.as_str()),
        ("runtime-error", "division by zero")
    );
    assert_eq!(run.steps.len(), 2);
    assert_eq!(run.last.expect("a state").variables[0].value, "1");
}

#[test]
fn a_failed_assertion_may_lead_into_a_deadlock() {
    let (run, record) = violated("init { assert(false); false }");
    assert_eq!(record.kind.name(), "assertion");
    assert_eq!(run.ending, Ending::Deadlock);
    let kinds: Vec<&str> = Symptom::all_shown_by(&run)
        .iter()
        .map(|symptom| symptom.kind().name())
        .collect();
    assert_eq!(kinds, ["assertion", "deadlock"]);
}

#[test]
fn steps_that_are_not_possible_do_not_replay() {
    let interpreter = interpreter(RELAY);
    let (_, steps) = violation(&interpreter);
    let mut swapped = steps.clone();
    swapped.swap(0, 1);
    assert!(matches!(
        replay(&interpreter, &swapped),
        Err(ReplayError::Disabled { .. })
    ));
    let mut other = steps.clone();
    other[0].transition.0 = u32::MAX;
    assert!(matches!(
        replay(&interpreter, &other),
        Err(ReplayError::Disabled { number: 1, .. })
    ));
    let fewer = replay(&interpreter, &steps[..3]).expect("a part of a run is a run");
    assert_eq!(fewer.ending, Ending::Open);
}

#[test]
fn only_the_last_steps_may_be_recorded() {
    let interpreter = interpreter(RELAY);
    let (_, steps) = violation(&interpreter);
    let (all, tail) = (
        replay(&interpreter, &steps),
        replay_tail(&interpreter, &steps, 3),
    );
    let (all, tail) = (all.expect("it replays"), tail.expect("it replays"));
    assert_eq!(tail.skipped, steps.len() - 3);
    assert_eq!((tail.ending, &tail.last), (all.ending, &all.last));
    for (left, right) in tail.steps.iter().zip(&all.steps[tail.skipped..]) {
        assert_eq!(
            (&left.statement, &left.changes),
            (&right.statement, &right.changes)
        );
    }
}

#[test]
fn a_file_gives_the_steps_back() {
    let interpreter = interpreter(RELAY);
    let (symptom, steps) = violation(&interpreter);
    let run = replay(&interpreter, &steps).expect("it replays");
    let model = Model {
        file: "model.pml".into(),
        language: "promela".into(),
        defines: Vec::new(),
        hash: fingerprint([RELAY]),
        formula: None,
        optimize: false,
        racing: Vec::new(),
        spurious: false,
    };
    let record = describe(&interpreter, "safety", symptom, &run, steps.last().copied());
    let scenario = Scenario::new(model, record, &interpreter, &steps);
    let read = Scenario::from_json(scenario.to_json().as_bytes()).expect("a scenario");
    assert_eq!(read, scenario);
    assert_eq!(read.steps(), steps);
    insta::assert_snapshot!(scenario.to_json());
}
