//! Scenarios as people see them: text and charts of small models, from their violation back to
//! what is printed.

use std::sync::atomic::AtomicBool;

use mazurka_model::{Interpreter, Step};
use mazurka_promela::{MemoryLoader, compile};
use mazurka_scenario::{
    Ending, Explanation, Model, ReplayError, Run, Scenario, Style, Symptom, ViolationRecord, chart,
    describe, fingerprint, replay, replay_tail, text,
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
        preload: false,
    };
    let record = describe(&interpreter, "safety", symptom, &run, steps.last().copied());
    let scenario = Scenario::new(model, record, &interpreter, &steps);
    let read = Scenario::from_json(scenario.to_json().as_bytes()).expect("a scenario");
    assert_eq!(read, scenario);
    assert_eq!(read.steps(), steps);
    insta::assert_snapshot!(scenario.to_json());
}

/// Who is said to be able to help can make the condition true, and need not be helped in the same way before.
#[test]
fn who_could_help_is_who_could_make_the_condition_true() {
    let cases: [(&str, &str, &[u32]); 10] = [
        // The mutex is taken before there is a slot: the consumer cannot come to make one, and another producer never would.
        (
            "byte mutex = 1, slots = 1, items;
             active [2] proctype producer() {
                 do :: atomic { mutex > 0 -> mutex-- }; atomic { slots > 0 -> slots-- }; mutex++; items++ od
             }
             active proctype consumer() {
                 do :: atomic { items > 0 -> items-- }; atomic { mutex > 0 -> mutex-- }; mutex++; slots++ od
             }",
            "slots > 0 (slots = 0; consumer[2] could",
            &[1, 2],
        ),
        // Below zero, a number is not zero either; but who takes one off waits for the same.
        (
            "int s; active proctype A() { s != 0 -> s-- } active proctype B() { s -> s-- }",
            "s != 0 (s = 0; no process can",
            &[],
        ),
        (
            "int s; byte go; active proctype A() { s != 0 } active proctype B() { go == 1 -> s-- }",
            "s != 0 (s = 0; B[1] could",
            &[],
        ),
        // What is assigned does not help, or does.
        (
            "byte x, go; active proctype A() { x == 2 } active proctype B() { go > 0; x = 1 }
             active proctype C() { go > 0; x = 2 }",
            "x == 2 (x = 0; C[2] could",
            &[],
        ),
        (
            "int x; byte go; active proctype A() { 2 <= x } active proctype B() { go > 0; x = x - 1 }
             active proctype C() { go > 0; x = 1 + x }",
            "2 <= x (x = 0; C[2] could",
            &[],
        ),
        // One less than nothing is 255.
        (
            "byte x, go; active proctype A() { 2 <= x } active proctype B() { go > 0; x = x - 1 }
             active proctype C() { go > 0; x = 1 + x }",
            "2 <= x (x = 0; B[1] or C[2] could",
            &[],
        ),
        (
            "bool x = true, go; active proctype A() { !x } active proctype B() { go; x = true }
             active proctype C() { go; x = go }",
            "!x (x = true; C[2] could",
            &[],
        ),
        // What is so already is nobody's affair.
        (
            "bool x, y = true, go; active proctype A() { x && y } active proctype B() { go; x = true }
             active proctype C() { go; y = true }",
            "y = true; B[1] could",
            &[],
        ),
        // Each of two could help: which one is waited for cannot be said.
        (
            "byte a, b; active proctype A() { a > 0; b++ } active proctype B() { b > 0; a++ }
             active proctype C() { b > 0; a++ }",
            "a > 0 (a = 0; B[1] or C[2] could",
            &[],
        ),
        (
            "byte a, b; active proctype A() { a > 0; b++ } active proctype B() { b > 0; a++ }",
            "a > 0 (a = 0; B[1] could",
            &[0, 1],
        ),
    ];
    for (model, told, circle) in cases {
        let (run, _) = violated(model);
        let explanation = Explanation::of_run(&run, None);
        let text = explanation.text(Style::default());
        assert!(text.contains(told), "{told}:\n{text}");
        let mut found = explanation.cycle.clone();
        found.sort();
        assert_eq!(found, circle, "{text}");
    }
}

/// After each message stands what the channel held then, if that is known.
#[test]
fn a_step_of_several_messages_tells_what_is_held_after_each() {
    let cases: [(&str, &[&str]); 3] = [
        (
            "chan c = [3] of { byte }; init { d_step { c!7; c!8; c?7; c!9 }; false }",
            &[
                "sends 7 on c, which holds [7]",
                "sends 8 on c, which holds [7, 8]",
                "receives 7 from c, which holds [8]",
                "sends 9 on c, which holds [8, 9]",
            ],
        ),
        (
            "chan c = [3] of { byte }; init { d_step { c!!8; c!!7 }; false }",
            &["sends 8 on c\n", "sends 7 on c, which holds [7, 8]"],
        ),
        (
            "chan c = [3] of { byte }; init { c!1; d_step { c!2; c?1; c?2 }; false }",
            &[
                "sends 1 on c, which holds [1]",
                "sends 2 on c, which holds [1, 2]",
                "receives 1 from c, which holds [2]",
                "receives 2 from c, which is empty now",
            ],
        ),
    ];
    for (model, lines) in cases {
        let (run, record) = violated(model);
        let text = text(&run, Some(&record), Style::default());
        let mut rest = text.as_str();
        for line in lines {
            let (_, after) = rest
                .split_once(line)
                .unwrap_or_else(|| panic!("{line}: {text}"));
            rest = after;
        }
    }
}
