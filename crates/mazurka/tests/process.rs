//! What a transcript cannot show: signals, and readers that leave.

use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

fn mazurka(arguments: &[&str]) -> Child {
    let models = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/models");
    Command::new(env!("CARGO_BIN_EXE_mazurka"))
        .args(arguments)
        .current_dir(models)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("mazurka runs")
}

#[cfg(unix)]
#[test]
fn an_interrupted_search_says_how_far_it_came() {
    let child = mazurka(&["check", "endless.pml", "--quiet"]);
    std::thread::sleep(Duration::from_millis(500));
    let killed = Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status();
    assert!(killed.expect("kill runs").success());
    let output = child.wait_with_output().expect("it ends");
    let text = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(3), "{text}");
    assert!(text.starts_with("endless.pml: inconclusive — "), "{text}");
    assert!(
        text.contains("the search is not complete: interrupted"),
        "{text}"
    );
}

#[test]
fn a_reader_may_leave() {
    let mut child = mazurka(&[
        "simulate",
        "endless.pml",
        "--seed",
        "1",
        "--steps",
        "100000",
    ]);
    let mut reader = BufReader::new(child.stdout.take().expect("a pipe"));
    let mut line = String::new();
    reader.read_line(&mut line).expect("a line");
    assert_eq!(line, "seed 1\n");
    drop(reader);
    let mut complaints = String::new();
    let mut stderr = child.stderr.take().expect("a pipe");
    stderr.read_to_string(&mut complaints).expect("text");
    assert_eq!(complaints, "");
    assert_eq!(child.wait().expect("it ends").code(), Some(0));
}

#[test]
fn completions_and_manual_are_made_from_the_options() {
    for (arguments, expected) in [
        (&["completions", "bash"][..], "--property"),
        (&["completions", "zsh"], "--property"),
        (&["man"], "MAZURKA CHECK"),
    ] {
        let output = mazurka(arguments).wait_with_output().expect("it ends");
        assert!(output.status.success());
        assert!(
            String::from_utf8_lossy(&output.stdout).contains(expected),
            "{arguments:?}"
        );
    }
}
