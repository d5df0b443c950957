//! What a user sees when Mazurka itself is wrong. Errors are planted, which only development builds do.

#![cfg(debug_assertions)]

use std::path::Path;
use std::process::Command;

use serde_json::Value;

const MODEL: &str = "byte x; active proctype P() { x = 1 }
ltl first { <> (x == 1) }
ltl second { [] (x < 2) }
ltl third { [] (x == 0) }
";

/// A folder with three models, the second of which is violated.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    for model in ["a.pml", "b.pml", "c.pml"] {
        let text = match model {
            "b.pml" => MODEL.to_string(),
            _ => MODEL.replace("ltl third", "// ltl third"),
        };
        std::fs::write(folder.path().join(model), text).expect("a file");
    }
    let suite = "[[model]]\nfile = \"a.pml\"\nexpect = \"holds\"\n\
        [[model]]\nfile = \"b.pml\"\nexpect = { third = \"violated\", second = \"inconclusive\" }\n";
    std::fs::write(folder.path().join("mazurka.toml"), suite).expect("a file");
    folder
}

/// Runs a command with an error planted at a place: the exit code, and both outputs.
fn planted(folder: &Path, place: &str, arguments: &[&str]) -> (Option<i32>, String, String) {
    let done = Command::new(env!("CARGO_BIN_EXE_mazurka"))
        .args(arguments)
        .current_dir(folder)
        .env("MAZURKA_PLANTED", place)
        .output()
        .expect("mazurka runs");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (done.status.code(), text(&done.stdout), text(&done.stderr))
}

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

#[test]
fn an_error_about_a_property_costs_its_verdict() {
    let folder = folder();
    let (code, text, _) = planted(folder.path(), "second", &["check", "b.pml"]);
    assert_eq!(code, Some(1), "{text}");
    for part in [
        "safety: holds",
        "ltl first: holds",
        "ltl second: inconclusive",
        "ltl third: violated",
        "internal error: inconclusive: second: a panic: planted in second\n",
        "Please report it where you got Mazurka, with b.pml.defect.json",
        "mazurka show b.scenario.json",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    // The file is enough to see it again, with the error and without it.
    std::fs::remove_file(folder.path().join("b.pml")).expect("it is there");
    let again = ["check", "b.pml.defect.json"];
    let (code, text, _) = planted(folder.path(), "second", &again);
    assert_eq!(code, Some(1));
    assert!(
        text.contains("internal error: inconclusive: second"),
        "{text}"
    );
    let (_, text, _) = planted(folder.path(), "", &again);
    assert!(text.contains("ltl second: holds"), "{text}");
}

#[test]
fn every_format_says_so() {
    let folder = folder();
    let check = |place: &str, file: &str, format: &str| {
        planted(
            folder.path(),
            place,
            &["check", file, "a.pml", "--format", format],
        )
    };
    let (code, text, _) = check("second", "a.pml", "json");
    assert_eq!(code, Some(3));
    let report = json(&text);
    let property = &report["models"][0]["properties"][2];
    assert_eq!(property["internal_error"], "a panic: planted in second");
    assert_eq!(report["models"][0]["properties"][1]["verdict"], "holds");
    for (place, code) in [("second", 1), ("b.pml", 2)] {
        let (found, text, _) = check(place, "b.pml", "sarif");
        assert_eq!(found, Some(code), "{text}");
        let invocation = &json(&text)["runs"][0]["invocations"][0];
        assert_eq!(invocation["executionSuccessful"], false);
        let told = invocation["toolExecutionNotifications"].to_string();
        assert!(told.contains("internal error: "), "{told}");
        for format in ["junit", "github"] {
            let (found, text, _) = check(place, "b.pml", format);
            assert_eq!(found, Some(code));
            let said = text.matches("internal error: ").count();
            assert!(said > 0, "{format}: {text}");
        }
    }
}

#[test]
fn an_error_about_a_model_costs_that_model() {
    let folder = folder();
    let check = ["check", "a.pml", "b.pml", "c.pml", "--quiet"];
    let (code, text, complaints) = planted(folder.path(), "b.pml", &check);
    assert_eq!(code, Some(2));
    assert!(text.contains("3 models: 2 hold, 1 error"), "{text}");
    assert!(
        complaints.contains("Please report it where you got Mazurka"),
        "{complaints}"
    );
    let (code, text, _) = planted(folder.path(), "./a.pml,second", &["suite"]);
    assert_eq!(code, Some(1));
    for part in [
        "expected holds, found error\n",
        "error         internal error: a panic",
        // That it is inconclusive is expected, but not this.
        "second: internal error: a panic: planted in second",
        "please report it where you got Mazurka, with ./b.pml.defect.json",
        "0 of 2 as expected",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
}

#[test]
fn an_error_after_the_search_leaves_the_verdicts() {
    let folder = folder();
    for place in ["report", "files", "text"] {
        let check = ["check", "b.pml", "--report", "b.html"];
        let (code, text, complaints) = planted(folder.path(), place, &check);
        assert_eq!(code, Some(1), "{place}");
        assert!(text.contains("third: violated"), "{place}: {text}");
        assert!(
            complaints.contains("internal error: a panic"),
            "{complaints}"
        );
    }
    let (code, _, complaints) = planted(folder.path(), "mazurka", &["ltl", "[] p"]);
    assert_eq!(code, Some(2));
    assert!(complaints.contains("defect of Mazurka"), "{complaints}");
}
