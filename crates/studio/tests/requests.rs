//! What a session answers, whoever asks, and whatever happens to its files in the meantime.

use std::fs;
use std::path::Path;

use mazurka_studio::{Session, SharedSession, Subject, open};
use serde_json::{Value, json};

fn asked(session: &SharedSession, question: &str, body: Value) -> Result<Value, String> {
    let answer = session.answer(question, body.to_string().as_bytes());
    let read = |bytes: Vec<u8>| -> Value { serde_json::from_slice(&bytes).unwrap() };
    answer
        .map(read)
        .map_err(|bytes| read(bytes)["error"].as_str().unwrap().to_string())
}

fn act(session: &SharedSession, body: Value) -> Value {
    asked(session, "act", body).unwrap()
}

fn simulated(source: &str) -> SharedSession {
    SharedSession::new(Session::from_source("model.pml", source).unwrap())
}

fn opened(path: &Path) -> Result<SharedSession, String> {
    let session = open(Subject {
        path,
        define: &[],
        model: None,
        arguments: &[],
    });
    session
        .map(SharedSession::new)
        .map_err(|error| error.to_string())
}

/// The value of a variable.
fn value(view: &Value, name: &str) -> String {
    let variables = view["state"]["variables"].as_array().unwrap();
    let variable = variables.iter().find(|one| one["name"] == name).unwrap();
    variable["value"].as_str().unwrap().to_string()
}

/// The verdict of a check that has come to its end.
fn checked(session: &SharedSession) -> Value {
    asked(session, "check/start", json!({})).unwrap();
    loop {
        let check = asked(session, "check", json!({})).unwrap();
        if check["running"] == false {
            return check;
        }
        std::thread::yield_now();
    }
}

const CHOICE: &str = "byte x; active proctype P() { do :: x = 1 :: x = 2 :: x = 3 od }";

#[test]
fn where_no_more_runs_are_kept_the_state_is_still_that_of_the_trace() {
    let session = simulated(CHOICE);
    act(&session, json!({"do": "take", "choice": 0}));
    act(&session, json!({"do": "take", "choice": 0}));
    let mut refused = 0;
    for number in 0..1_000 {
        act(&session, json!({"do": "go", "position": number % 2}));
        let choice = number % 3;
        let taken = asked(&session, "act", json!({"do": "take", "choice": choice}));
        refused += usize::from(taken.is_err());
        // Before that, each answer would only be long.
        if refused == 0 {
            continue;
        }
        let view = act(&session, json!({"do": "look"}));
        let position = view["position"].as_u64().unwrap() as usize;
        if let Some(last) = position.checked_sub(1) {
            let statement = view["steps"][last]["statement"].as_str().unwrap();
            assert_eq!(statement, format!("x = {}", value(&view, "x")));
        }
    }
    assert!(refused > 0);
}

#[test]
fn each_page_goes_on_from_where_it_stands() {
    let session = simulated(CHOICE);
    let first = act(&session, json!({"do": "take", "choice": 0}));
    let have = |view: &Value| {
        json!({
            "revision": view["revision"], "branch": view["branch"],
            "steps": view["length"], "position": view["position"],
        })
    };
    // Another page goes back and takes another way.
    act(&session, json!({"do": "reset"}));
    let second = act(&session, json!({"do": "take", "choice": 2}));
    assert_eq!(value(&second, "x"), "3");
    let go_on = json!({"do": "take", "choice": 1, "have": have(&first)});
    let first = act(&session, go_on);
    assert_eq!(first["branch"], 0);
    assert_eq!(
        (first["length"].as_u64(), value(&first, "x")),
        (Some(2), "2".into())
    );
    let look = json!({"do": "look", "have": have(&second)});
    let second = act(&session, look);
    assert_eq!(
        (second["branch"].as_u64(), value(&second, "x")),
        (Some(1), "3".into())
    );
    let first = json!({"text": "text", "have": have(&first)});
    let text = asked(&session, "export", first).unwrap();
    assert!(text["text"].as_str().unwrap().contains("x = 2"), "{text}");
}

#[test]
fn what_is_included_stays_as_it_was_read_until_it_is_read_again() {
    let folder = tempfile::tempdir().unwrap();
    let model = folder.path().join("model.pml");
    let included = folder.path().join("limit.h");
    fs::write(&included, "#define LIMIT 3\n").unwrap();
    let text = "#include \"limit.h\"\nbyte x; active proctype P() { do :: x < LIMIT -> x++ :: else -> break od }\n";
    fs::write(&model, text).unwrap();
    let session = opened(&model).unwrap();
    for _ in 0..4 {
        act(&session, json!({"do": "take", "choice": 0}));
    }
    let changed = || asked(&session, "disk", json!({})).unwrap()["changed"].clone();
    assert_eq!(changed(), false);
    fs::write(
        &included,
        "#define LIMIT 1\nactive proctype Q() { assert(0) }\n",
    )
    .unwrap();
    assert_eq!(changed(), true);
    // What is watched and what is checked is the model that is simulated.
    let view = asked(&session, "watch", json!({"expressions": ["x + 1"]})).unwrap();
    assert_eq!(view["watches"][0]["value"], 3, "{}", view["watches"]);
    assert_eq!(checked(&session)["verdict"], "holds");
    fs::write(&included, "this is no model").unwrap();
    assert_eq!(checked(&session)["verdict"], "holds");
    assert!(asked(&session, "reload", json!({})).is_err());
    fs::write(
        &included,
        "#define LIMIT 1\nactive proctype Q() { assert(0) }\n",
    )
    .unwrap();
    let reloaded = asked(&session, "reload", json!({})).unwrap();
    assert_eq!(
        (&reloaded["revision"], changed()),
        (&json!(2), json!(false))
    );
    assert_eq!(checked(&session)["verdict"], "violated");
    let shown = act(&session, json!({"do": "violation", "number": 0}));
    assert_eq!(shown["violation"]["kind"], "assertion");
    // So does the model itself.
    fs::write(&model, CHOICE).unwrap();
    assert_eq!(changed(), true);
    asked(&session, "reload", json!({})).unwrap();
    assert_eq!(changed(), false);
    assert_eq!(
        act(&session, json!({"do": "look"}))["choices"]
            .as_array()
            .unwrap()
            .len(),
        3
    );
}

/// Otherwise a run that violates a formula would stand below "safety holds".
#[test]
fn the_formula_of_a_scenario_is_what_is_checked() {
    let folder = tempfile::tempdir().unwrap();
    let model = folder.path().join("lamp.pml");
    fs::write(
        &model,
        "bit on; active proctype P() { do :: on = 1 - on od }",
    )
    .unwrap();
    let session = opened(&model).unwrap();
    act(&session, json!({"do": "random", "steps": 2}));
    let exported = asked(&session, "export", json!({"text": "scenario"})).unwrap();
    let mut scenario: Value = serde_json::from_str(exported["text"].as_str().unwrap()).unwrap();
    scenario["model"]["formula"] = json!("<> [] (on == 1)");
    let file = folder.path().join("lamp.scenario.json");
    fs::write(&file, scenario.to_string()).unwrap();
    let session = opened(&file).unwrap();
    let check = checked(&session);
    assert_eq!(check["verdict"], "violated", "{check}");
    assert_eq!(check["properties"].as_array().unwrap().len(), 1);
}

#[test]
fn a_text_that_would_lose_characters_is_not_saved() {
    let folder = tempfile::tempdir().unwrap();
    let model = folder.path().join("model.pml");
    let bytes = b"/* \xe9t\xe9 */ byte x; active proctype P() { x = 1 }\r\n";
    fs::write(&model, bytes).unwrap();
    let session = opened(&model).unwrap();
    let saved = asked(&session, "save", json!({"text": CHOICE, "revision": 1}));
    assert!(saved.unwrap_err().contains("not UTF-8"));
    assert_eq!(fs::read(&model).unwrap(), bytes);
}

#[test]
fn what_is_no_model_is_told_of_and_not_waited_for() {
    let folder = tempfile::tempdir().unwrap();
    let source = folder.path().join("program.c");
    fs::write(&source, "int main(void) { return 0; }").unwrap();
    let told = opened(&source).unwrap_err();
    assert!(told.contains("mazurka cc"), "{told}");
    let pipe = folder.path().join("pipe.pml");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status();
    if made.is_ok_and(|made| made.success()) {
        let told = opened(&pipe).unwrap_err();
        assert!(told.contains("not a regular file"), "{told}");
    }
}

/// A scenario may name any file. One that never ends is no source.
#[test]
fn a_scenario_that_names_a_pipe_is_opened() {
    let folder = tempfile::tempdir().unwrap();
    let pipe = folder.path().join("pipe.c");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status();
    if !made.is_ok_and(|made| made.success()) {
        return;
    }
    let scenario = folder.path().join("pipe.scenario.json");
    let step = json!({
        "process": 0, "transition": 3, "choice": 0, "name": "main",
        "file": pipe.to_str().unwrap(), "line": 3, "statement": "spawn actor 1",
    });
    let text = json!({
        "format": "mazurka-scenario", "version": 1,
        "model": {"file": "program", "language": "program", "defines": [], "hash": "", "optimize": false},
        "violation": null, "steps": [step],
    });
    fs::write(&scenario, text.to_string()).unwrap();
    let session = opened(&scenario).unwrap();
    let told = asked(&session, "open", json!({})).unwrap();
    assert_eq!(told["sources"], json!([]));
}
