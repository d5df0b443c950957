//! `mazurka watch` checks again when the model or what it includes changes.

use std::fs;
use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};
use std::sync::mpsc::channel;
use std::time::Duration;

#[test]
fn what_cannot_work_ends_it_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let model = "byte x; active proctype P() { x = 1 }";
    fs::write(folder.path().join("m.pml"), model).unwrap();
    for arguments in [
        &["nowhere.pml"][..],
        &["m.pml", "--scenario", "m.pml"],
        &["m.pml", "--store", "cache", "--ltl", "[] (x < 2)"],
    ] {
        let done = Command::new(env!("CARGO_BIN_EXE_mazurka"))
            .arg("watch")
            .args(arguments)
            .current_dir(folder.path())
            .output()
            .unwrap();
        let told = String::from_utf8_lossy(&done.stderr);
        assert_eq!(done.status.code(), Some(2), "{arguments:?}: {told}");
        assert!(told.starts_with("error: "), "{arguments:?}: {told}");
    }
}

#[test]
fn a_change_is_noticed_in_the_model_and_in_what_it_includes() {
    let folder = std::env::temp_dir().join(format!("mazurka-watch-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let write = |name: &str, text: &str| fs::write(folder.join(name), text).unwrap();
    write("bound.h", "#define BOUND 3\n");
    write(
        "model.pml",
        "#include \"bound.h\"\nbyte x;\nactive proctype P() { x = 2; assert(x < BOUND) }\n",
    );
    let mut child = Command::new(env!("CARGO_BIN_EXE_mazurka"))
        .args(["watch", "model.pml", "--quiet", "--jobs", "1"])
        .current_dir(&folder)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let (sender, lines) = channel();
    let outputs: [Box<dyn std::io::Read + Send>; 2] = [
        Box::new(child.stdout.take().unwrap()),
        Box::new(child.stderr.take().unwrap()),
    ];
    for output in outputs {
        let sender = sender.clone();
        std::thread::spawn(move || {
            for line in BufReader::new(output).lines().map_while(Result::ok) {
                let _ = sender.send(line);
            }
        });
    }
    // The two outputs come by different ways, so either may be first.
    let wait_for = |words: &[&str]| {
        let mut left = words.to_vec();
        while !left.is_empty() {
            let line = lines.recv_timeout(Duration::from_secs(60));
            let line = line.unwrap_or_else(|_| panic!("{left:?} does not come"));
            left.retain(|words| !line.contains(words));
        }
    };
    wait_for(&["model.pml: holds", "watching"]);
    write("bound.h", "#define BOUND 2\n");
    wait_for(&["model.pml: violated", "watching"]);
    write("model.pml", "byte x;\nactive proctype P() { x = }\n");
    wait_for(&["error[P0030]", "watching"]);
    write("model.pml", "byte x;\nactive proctype P() { x = 1 }\n");
    wait_for(&["model.pml: holds"]);
    child.kill().unwrap();
    child.wait().unwrap();
    fs::remove_dir_all(&folder).unwrap();
}
