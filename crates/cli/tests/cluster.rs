//! Members of a cluster, as processes of this machine: one verdict, and what happens when they differ or one is lost.

#![cfg(feature = "cluster")]

use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;
use std::process::{Child, Command, Output, Stdio};

const SECRET: &str = "a secret of the test, long enough";

/// 16 million states, so that it is still searched when somebody is killed.
const LARGE: &str = "active [3] proctype P() { byte a; do :: a++ od }\n";
/// Dynamic processes, in an order that depends on the path: members number populations differently.
const HOLDS: &str = "byte n;\nproctype A() { byte i; do :: i < 4 -> i++ :: i == 4 -> break od; n++ }\n\
    proctype B() { byte i; do :: i < 3 -> i++ :: i == 3 -> break od; n++ }\n\
    active proctype Main() { do :: n < 2 -> if :: run A() :: run B() fi; n++ :: n >= 2 -> break od }\n\
    active proctype Other() { run B(); run A() }\n";
const VIOLATED: &str = "byte x;\nactive [3] proctype P() { byte i; do :: i < 5 -> i++; x++ :: i == 5 -> break od; assert(x < 15) }\n";

/// Free addresses of this machine, with commas between them.
fn addresses(count: usize) -> String {
    let listeners: Vec<TcpListener> = (0..count)
        .map(|_| TcpListener::bind("127.0.0.1:0").expect("a free port"))
        .collect();
    let address = |listener: &TcpListener| listener.local_addr().expect("an address").to_string();
    let addresses: Vec<String> = listeners.iter().map(address).collect();
    addresses.join(",")
}

struct Folder(std::path::PathBuf);

impl Folder {
    fn new(name: &str, model: &str) -> Folder {
        let folder = format!("mazurka-cluster-{name}-{}", std::process::id());
        let path = std::env::temp_dir().join(folder);
        std::fs::create_dir_all(&path).expect("a folder");
        std::fs::write(path.join("model.pml"), model).expect("a model");
        Folder(path)
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_mazurka"));
        command
            .args(arguments)
            .current_dir(&self.0)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command
    }

    /// Starts a member, which gets its secret by standard input.
    fn member(&self, addresses: &str, number: usize, secret: &str, options: &[&str]) -> Child {
        let number = number.to_string();
        let mut arguments = vec![
            "check",
            "model.pml",
            "--search",
            "bfs",
            "--cluster",
            addresses,
        ];
        arguments.extend(["--member", &number, "--cluster-secret", "-"]);
        arguments.extend(options);
        let mut child = self.command(&arguments).spawn().expect("mazurka runs");
        let mut input = child.stdin.take().expect("a pipe");
        writeln!(input, "{secret}").expect("it reads");
        child
    }

    /// What all members say.
    fn members(&self, count: usize, options: &[&str]) -> Vec<Output> {
        let addresses = addresses(count);
        let start = |number| self.member(&addresses, number, SECRET, options);
        let members: Vec<Child> = (1..=count).map(start).collect();
        let ended = members.into_iter();
        ended
            .map(|member| member.wait_with_output().expect("it ends"))
            .collect()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn text(output: &Output) -> String {
    let parts = [&output.stdout, &output.stderr];
    parts.map(|bytes| String::from_utf8_lossy(bytes)).join("\n")
}

/// The line that says how many states and transitions there are.
fn counts(output: &Output) -> String {
    let text = text(output);
    let line = text
        .lines()
        .find(|line| line.contains(" states, "))
        .unwrap_or_default();
    line.split(", ").take(2).collect::<Vec<_>>().join(", ")
}

#[test]
fn members_count_what_one_process_counts() {
    let folder = Folder::new("counts", HOLDS);
    for options in [
        &["--reduce", "none"][..],
        &["--reduce", "none", "--jobs", "2"],
    ] {
        let mut alone = vec!["check", "model.pml", "--search", "bfs"];
        alone.extend(&options[..2]);
        alone.extend(["--jobs", "1"]);
        let alone = folder.command(&alone).output().expect("it runs");
        assert_eq!(alone.status.code(), Some(0), "{}", text(&alone));
        assert!(!counts(&alone).is_empty(), "{}", text(&alone));
        for output in folder.members(3, options) {
            assert_eq!(output.status.code(), Some(0), "{}", text(&output));
            assert_eq!(counts(&alone), counts(&output));
        }
    }
}

#[test]
fn a_violation_is_found_by_all() {
    let folder = Folder::new("violated", VIOLATED);
    let mut said = Vec::new();
    for output in folder.members(2, &["--reduce", "none"]) {
        assert_eq!(output.status.code(), Some(1), "{}", text(&output));
        let text = text(&output);
        assert!(text.contains("assert(x < 15)"), "{text}");
        let line = text.lines().find(|line| line.contains(" steps"));
        // Steps, states, transitions and depth; times differ.
        let counts = line.map(|line| line.split(", ").take(4).collect::<Vec<_>>().join(", "));
        said.push(counts);
    }
    assert_eq!(said[0], said[1]);
    // One of them has written it down.
    assert!(std::fs::read_dir(&folder.0).expect("a folder").count() > 1);
}

/// Safety and two formulas, one of which is false by a cycle; only the search for violations of safety is kept.
#[test]
fn formulas_are_checked_by_all() {
    let model = "byte x;\nactive [2] proctype P() { do :: x = (x + 1) % 50 od }\n\
        ltl low { [] (x < 50) }\nltl stops { <> [] (x == 7) }\nltl again { [] <> (x == 7) }\n";
    let folder = Folder::new("formulas", model);
    let options = [
        "--checkpoint",
        "kept",
        "--checkpoint-every",
        "0s",
        "--reduce",
        "none",
    ];
    let said: Vec<String> = folder.members(2, &options).iter().map(text).collect();
    for text in &said {
        assert!(text.contains("violated"), "{text}");
        assert!(text.contains("ltl stops"), "{text}");
        assert!(!text.contains("not decided"), "{text}");
    }
    for options in [&["--ltl", "[] <> (x == 7)"][..], &["--progress", "--fair"]] {
        let codes = folder.members(3, options);
        let codes: Vec<_> = codes.iter().map(|output| output.status.code()).collect();
        let alone = [&["check", "model.pml"][..], options].concat();
        let alone = folder.command(&alone).output().expect("it runs");
        assert_eq!(codes, vec![alone.status.code(); 3], "{options:?}");
    }
}

#[test]
fn who_differs_is_refused() {
    let folder = Folder::new("differs", HOLDS);
    let addresses = addresses(2);
    let one = folder.member(&addresses, 1, SECRET, &["--reduce", "none"]);
    let other = folder.member(&addresses, 2, SECRET, &["--reduce", "stubborn"]);
    for member in [one, other] {
        let output = member.wait_with_output().expect("it ends");
        assert_eq!(output.status.code(), Some(2), "{}", text(&output));
        assert!(
            text(&output).contains("was given other options: \"reduce\""),
            "{}",
            text(&output)
        );
    }
}

#[test]
fn who_does_not_know_the_secret_is_refused() {
    let folder = Folder::new("secret", HOLDS);
    let addresses = addresses(2);
    let wait = ["--cluster-wait", "2s"];
    let one = folder.member(&addresses, 1, SECRET, &wait);
    let other = folder.member(&addresses, 2, "another secret, long enough", &wait);
    for member in [one, other] {
        let output = member.wait_with_output().expect("it ends");
        assert_eq!(output.status.code(), Some(2), "{}", text(&output));
        assert!(
            text(&output).contains("does not know the secret"),
            "{}",
            text(&output)
        );
    }
}

#[test]
fn who_does_not_come_is_named() {
    let folder = Folder::new("late", HOLDS);
    let addresses = addresses(2);
    let member = folder.member(&addresses, 1, SECRET, &["--cluster-wait", "1s"]);
    let output = member.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(2), "{}", text(&output));
    assert!(text(&output).contains("member 2 at "), "{}", text(&output));
    assert!(
        text(&output).contains("did not come within 1 s"),
        "{}",
        text(&output)
    );
}

#[test]
fn the_death_of_a_member_ends_the_others() {
    let folder = Folder::new("death", LARGE);
    let addresses = addresses(3);
    let start = |number| folder.member(&addresses, number, SECRET, &["--reduce", "none"]);
    let mut members: Vec<Child> = (1..=3).map(start).collect();
    // A search that takes longer says what it will need.
    let mut complaints = BufReader::new(members[0].stderr.take().expect("a pipe"));
    let mut line = String::new();
    complaints.read_line(&mut line).expect("a line");
    members[1].kill().expect("it can be killed");
    members[1].wait().expect("it ends");
    let mut rest = String::new();
    while complaints.read_line(&mut rest).expect("text") > 0 {}
    assert!(rest.contains("inconclusive: member 2 at "), "{line}{rest}");
    assert_eq!(
        members[0].wait().expect("it ends").code(),
        Some(3),
        "{rest}"
    );
    let third = members
        .pop()
        .expect("a member")
        .wait_with_output()
        .expect("it ends");
    assert_eq!(third.status.code(), Some(3), "{}", text(&third));
    assert!(
        text(&third).contains("inconclusive: member 2 at "),
        "{}",
        text(&third)
    );
}

#[test]
fn a_search_that_lost_a_member_is_resumed_by_others() {
    let folder = Folder::new(
        "resumed",
        "active [3] proctype P() { byte a; do :: a < 40 -> a++ :: a == 40 -> break od }\n",
    );
    let alone = ["check", "model.pml", "--search", "bfs", "--jobs", "1"];
    let alone = folder.command(&[&alone[..], &["--reduce", "none"]].concat());
    let alone = { alone }.output().expect("it runs");
    assert_eq!(alone.status.code(), Some(0), "{}", text(&alone));
    let options = [
        "--reduce",
        "none",
        "--checkpoint",
        "kept",
        "--checkpoint-every",
        "0s",
    ];
    let hosts = addresses(2);
    let start = |number| folder.member(&hosts, number, SECRET, &options);
    let mut members: Vec<Child> = (1..=2).map(start).collect();
    // Some levels are committed.
    let committed = folder.0.join("kept/search-1-of-2/worker-1.commits");
    while !committed.exists() {
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    members[1].kill().expect("it can be killed");
    members[1].wait().expect("it ends");
    let first = members.remove(0).wait_with_output().expect("it ends");
    assert_eq!(first.status.code(), Some(3), "{}", text(&first));
    let said = text(&first);
    let command = format!("resume it with: mazurka cluster run --hosts {hosts} -- resume kept\n");
    assert!(said.contains(&command), "{said}");
    // A new search does not take its place.
    let hosts = addresses(1);
    let other = folder.member(&hosts, 1, SECRET, &options);
    let other = other.wait_with_output().expect("it ends");
    assert_eq!(other.status.code(), Some(2), "{}", text(&other));
    assert!(text(&other).contains("has a search in it"));
    let resumed = ["resume", "kept", "--json"];
    let alone_again = folder.command(&resumed).output().expect("it runs");
    assert_eq!(alone_again.status.code(), Some(2), "{}", text(&alone_again));
    let said = text(&alone_again);
    assert!(
        said.contains("mazurka cluster run --hosts 127.0.0.1:"),
        "{said}"
    );
    let hosts = addresses(3);
    let run = ["cluster", "run", "--hosts", &hosts, "--", "resume", "kept"];
    let output = folder.command(&run).output().expect("it runs");
    assert_eq!(output.status.code(), Some(0), "{}", text(&output));
    assert_eq!(counts(&alone), counts(&output), "{}", text(&output));
}

#[test]
fn a_search_that_lost_a_member_is_resumed_by_itself() {
    let model = "active [3] proctype P() { byte a; do :: a < 40 -> a++ :: a == 40 -> break od }\n";
    let folder = Folder::new("by-itself", model);
    let alone = ["check", "model.pml", "--search", "bfs", "--reduce", "none"];
    let alone = folder.command(&alone).output().expect("it runs");
    let hosts = addresses(2);
    let run = ["cluster", "run", "--auto-resume", "--hosts", &hosts, "--"];
    let check = ["check", "model.pml", "--reduce", "none"];
    let kept = ["--checkpoint", "kept", "--checkpoint-every", "0s"];
    let command = folder.command(&[&run[..], &check, &kept].concat());
    let launcher = { command }.spawn().expect("it runs");
    let committed = folder.0.join("kept/search-1-of-2/worker-1.commits");
    while !committed.exists() {
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    let children = format!("/proc/{0}/task/{0}/children", launcher.id());
    let children = std::fs::read_to_string(children).expect("its members");
    let last = children.split_whitespace().last().expect("a member");
    let killed = Command::new("kill").args(["-KILL", last]).status();
    assert!(killed.expect("a signal").success());
    let output = launcher.wait_with_output().expect("it ends");
    let said = text(&output);
    assert!(
        said.contains("a member is lost; the search is resumed"),
        "{said}"
    );
    assert_eq!(output.status.code(), Some(0), "{said}");
    let told = String::from_utf8_lossy(&output.stdout);
    let expected = counts(&alone);
    let (_, figures) = expected.split_once("holds").expect("a verdict");
    assert!(told.contains(&format!("holds{figures}")), "{said}");
}

#[test]
fn one_command_starts_all() {
    let folder = Folder::new("run", VIOLATED);
    let addresses = addresses(2);
    let arguments = [
        "cluster",
        "run",
        "--hosts",
        &addresses,
        "--",
        "check",
        "model.pml",
    ];
    let output = folder.command(&arguments).output().expect("it runs");
    assert_eq!(output.status.code(), Some(1), "{}", text(&output));
    assert_eq!(
        text(&output).matches("model.pml: violated").count(),
        1,
        "{}",
        text(&output)
    );
    let wrong = folder.command(&["cluster", "run", "--hosts", "localhost", "--", "show"]);
    let output = { wrong }.output().expect("it runs");
    assert_eq!(output.status.code(), Some(2), "{}", text(&output));
}

#[test]
fn members_end_with_who_started_them() {
    for signal in ["-TERM", "-KILL"] {
        let folder = Folder::new("stopped", LARGE);
        let addresses = addresses(2);
        let run = ["cluster", "run", "--hosts", &addresses, "--"];
        let check = ["check", "model.pml", "--search", "bfs", "--reduce", "none"];
        let command = folder.command(&[&run[..], &check[..]].concat());
        let mut launcher = { command }.spawn().expect("it runs");
        let mut complaints = BufReader::new(launcher.stderr.take().expect("a pipe"));
        let mut said = String::new();
        complaints.read_line(&mut said).expect("a line");
        let number = launcher.id().to_string();
        let killed = Command::new("kill").args([signal, &number]).status();
        assert!(killed.expect("a signal").success());
        // The members hold the other ends of these pipes: both end when they do.
        while complaints.read_line(&mut said).expect("text") > 0 {}
        let output = launcher.wait_with_output().expect("it ends");
        let told = String::from_utf8_lossy(&output.stdout);
        assert!(
            told.contains("inconclusive") && told.contains("interrupted"),
            "{signal}: {said}{told}"
        );
        let expected = (signal == "-TERM").then_some(3);
        assert_eq!(output.status.code(), expected, "{said}{told}");
    }
}

#[test]
fn what_all_members_would_say_is_said_once() {
    let folder = Folder::new("once", "init { assert(x) }\n");
    for (words, said) in [
        (&["check", "model.pml"][..], "error[P0100]"),
        (&["check", "missing.pml"], "cannot read missing.pml"),
        (&["check", "model.pml", "--bogus"], "'--bogus'"),
        (
            &["check", "model.pml", "--search", "dfs"],
            "needs --search bfs",
        ),
        (&["check", "-"], "standard input"),
        (&["resume", "missing"], "has no search in it"),
        (
            &["simulate", "model.pml"],
            "a cluster runs `check` or `resume`",
        ),
    ] {
        let hosts = addresses(2);
        let run = ["cluster", "run", "--hosts", &hosts, "--"];
        let command = folder.command(&[&run[..], words].concat());
        let output = { command }.output().expect("it runs");
        assert_eq!(output.status.code(), Some(2), "{}", text(&output));
        let text = text(&output);
        let errors = text.lines().filter(|line| line.starts_with("error"));
        assert_eq!(errors.count(), 1, "{text}");
        assert!(text.contains(said), "{text}");
    }
    // Who asks for JSON gets it here too.
    let words = ["--", "check", "model.pml", "--json", "--search", "dfs"];
    let hosts = addresses(2);
    let run = [&["cluster", "run", "--hosts", &hosts][..], &words].concat();
    let output = folder.command(&run).output().expect("it runs");
    let answer: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(answer["verdict"], "error", "{answer}");
}

#[test]
fn one_member_is_a_member() {
    let folder = Folder::new("single", HOLDS);
    let [output] = &folder.members(1, &[])[..] else {
        panic!("one member was started");
    };
    assert!(text(output).contains("1 member, "), "{}", text(output));
}

/// Each member has an address of its own; the link between them is cut, and the search resumed.
#[cfg(target_os = "linux")]
#[test]
fn members_in_network_namespaces_survive_a_cut() {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../../scripts/cluster-network");
    let mut command = Command::new(script);
    command
        .args(["0", "40"])
        .env("MAZURKA", env!("CARGO_BIN_EXE_mazurka"));
    let output = command.output().expect("the script runs");
    let said = text(&output);
    // Without the right to make namespaces it says that it was skipped.
    println!("{said}");
    assert!(output.status.success(), "{said}");
    assert!(
        said.contains("skipped:") || said.contains("resumed after a cut"),
        "{said}"
    );
}

#[test]
fn what_does_not_go_with_a_cluster_is_refused() {
    let folder = Folder::new("refused", HOLDS);
    for (options, reason) in [
        (&["--search", "dfs"][..], "needs --search bfs"),
        (
            &["--search", "bfs", "--store", "compact"],
            "needs --store exact",
        ),
        (
            &["--search", "bfs", "--reduce", "simultaneous", "--jobs", "1"],
            "sets of steps",
        ),
    ] {
        let mut arguments = vec![
            "check",
            "model.pml",
            "--cluster",
            "127.0.0.1:1,127.0.0.1:2",
            "--member",
            "1",
        ];
        arguments.extend(options);
        let output = folder.command(&arguments).output().expect("it runs");
        assert_eq!(output.status.code(), Some(2), "{}", text(&output));
        assert!(text(&output).contains(reason), "{}", text(&output));
    }
}
