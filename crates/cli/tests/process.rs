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
    // `timeout` and shells signal a program and then its group: that is one request.
    let process = child.id();
    let twice = format!("kill -INT {process}; kill -TERM {process}");
    let killed = Command::new("sh").args(["-c", &twice]).status();
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

/// A folder of its own for a test.
fn folder(name: &str) -> std::path::PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder");
    folder
}

/// Runs to the end and gives the exit code, what was printed and what was complained about.
fn run(folder: &Path, arguments: &[&str]) -> (Option<i32>, String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_mazurka"))
        .args(arguments)
        .current_dir(folder)
        .stdin(Stdio::null())
        .output()
        .expect("mazurka runs");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (
        output.status.code(),
        text(&output.stdout),
        text(&output.stderr),
    )
}

/// The numbers of a result that must not depend on whether the search was disturbed.
fn numbers(result: &str) -> Vec<String> {
    let wanted = [
        "\"verdict\"",
        "\"states\"",
        "\"matched\"",
        "\"transitions\"",
    ];
    let lines = result.lines().map(str::trim);
    lines
        .filter(|line| wanted.iter().any(|name| line.starts_with(name)))
        .map(String::from)
        .collect()
}

/// Four processes that count, so that there is something to do for a second or so.
const COUNTERS: &str = "byte a, b, c, d;
active proctype A() { do :: a = (a + 1) % N od }
active proctype B() { do :: b = (b + 1) % N od }
active proctype C() { do :: c = (c + 1) % N od }
active proctype D() { do :: d = (d + 1) % N od }
";

#[cfg(unix)]
#[test]
fn a_killed_search_goes_on_from_its_last_checkpoint() {
    let folder = folder("killed");
    std::fs::write(folder.join("counters.pml"), COUNTERS).expect("a model");
    for search in ["dfs", "bfs"] {
        for jobs in ["1", "2"] {
            let common = [
                "check",
                "counters.pml",
                "--define",
                "N=20",
                "--reduce",
                "none",
                "--search",
                search,
                "--jobs",
                jobs,
            ];
            let whole = run(&folder, &[&common[..], &["--json"]].concat());
            assert_eq!(whole.0, Some(0), "{}", whole.2);
            let name = format!("{search}-{jobs}.checkpoint");
            let kept = ["--checkpoint", &name, "--checkpoint-every", "1ms"];
            let mut child = Command::new(env!("CARGO_BIN_EXE_mazurka"))
                .args(common)
                .args(kept)
                .current_dir(&folder)
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .spawn()
                .expect("mazurka runs");
            while !folder.join(&name).exists() && child.try_wait().expect("a child").is_none() {
                std::thread::sleep(Duration::from_millis(1));
            }
            child.kill().expect("it is killed");
            child.wait().expect("it ends");
            let rest = run(&folder, &["resume", &name, "--format", "json"]);
            assert_eq!(rest.0, Some(0), "{}", rest.2);
            assert_eq!(numbers(&rest.1), numbers(&whole.1), "{search}, {jobs} jobs");
        }
    }
}

#[test]
fn a_checkpoint_is_whole_and_of_the_same_model_or_it_is_refused() {
    let folder = folder("refused");
    std::fs::write(folder.join("counters.pml"), COUNTERS).expect("a model");
    let limited = run(
        &folder,
        &[
            "check",
            "counters.pml",
            "-D",
            "N=60",
            "--time",
            "200ms",
            "--checkpoint",
            "saved",
        ],
    );
    assert_eq!(limited.0, Some(3), "{}", limited.1);
    assert!(limited.2.contains("mazurka resume saved"), "{}", limited.2);
    // A new search does not take the place of one that is saved.
    let again = ["check", "counters.pml", "--checkpoint", "saved"];
    let (code, _, complaint) = run(&folder, &again);
    assert_eq!(code, Some(2), "{complaint}");
    assert!(
        complaint.contains("it has a saved search in it: resume it with `mazurka resume saved`")
    );
    let refused = |file: &str, reason: &str| {
        let (code, _, complaint) = run(&folder, &["resume", file]);
        assert_eq!(code, Some(2), "{file}: {complaint}");
        assert!(complaint.contains(reason), "{file}: {complaint}");
    };
    let saved = std::fs::read(folder.join("saved")).expect("a checkpoint");
    for length in [19, 100, saved.len() / 2, saved.len() - 1] {
        std::fs::write(folder.join("cut"), &saved[..length]).expect("a file");
        refused("cut", "cut short or damaged");
    }
    let mut damaged = saved.clone();
    damaged[saved.len() / 2] ^= 0x40;
    std::fs::write(folder.join("damaged"), damaged).expect("a file");
    refused("damaged", "cut short or damaged");
    refused("counters.pml", "not a checkpoint");
    refused("missing", "cannot read missing");
    let (code, text, _) = run(&folder, &["resume", "saved", "--time", "1ms"]);
    assert_eq!(code, Some(3), "{text}");
    std::fs::write(folder.join("counters.pml"), COUNTERS.replace("+ 1", "+ 2")).expect("a model");
    refused("saved", "not what it was");
}

#[cfg(unix)]
#[test]
fn a_checkpoint_replaces_nothing_but_a_file() {
    let folder = folder("places");
    std::fs::write(folder.join("counters.pml"), COUNTERS).expect("a model");
    std::fs::create_dir(folder.join("inner")).expect("a folder");
    let pipe = Command::new("mkfifo").arg(folder.join("pipe")).status();
    assert!(pipe.expect("mkfifo runs").success());
    std::os::unix::fs::symlink("/dev/null", folder.join("link")).expect("a link");
    let model = ["check", "counters.pml", "-D", "N=3"];
    let program = ["explore", "--", "/bin/true"];
    for (place, reason) in [
        ("inner", "it is a folder"),
        ("pipe", "it is not a regular file"),
        ("link", "it is not a regular file"),
        ("missing/", "it ends in a slash"),
        ("missing/saved", "No such file or directory"),
    ] {
        let kept = ["--checkpoint", place];
        for command in [
            [&model[..], &kept].concat(),
            [&program[..1], &kept, &program[1..]].concat(),
        ] {
            let (code, text, complaint) = run(&folder, &command);
            assert_eq!(code, Some(2), "{command:?}: {text}");
            let expected = format!("error: --checkpoint {place}: {reason}");
            assert!(complaint.starts_with(&expected), "{command:?}: {complaint}");
        }
    }
    let kept = [&model[..], &["--checkpoint", "saved"]].concat();
    std::fs::write(folder.join("saved"), "my own").expect("a file");
    let (code, _, complaint) = run(&folder, &kept);
    assert_eq!(code, Some(2), "{complaint}");
    assert!(
        complaint.contains("Mazurka did not write it"),
        "{complaint}"
    );
    let text = std::fs::read_to_string(folder.join("saved")).expect("a file");
    assert_eq!(text, "my own");
    std::fs::write(folder.join("saved"), "").expect("a file");
    for _ in 0..2 {
        let (code, _, complaint) = run(&folder, &kept);
        assert_eq!(code, Some(0), "{complaint}");
    }
}

#[test]
fn there_is_a_most_of_jobs() {
    let folder = folder("jobs");
    for command in [
        &["check", "model.pml", "--jobs", "257"][..],
        &["explore", "--jobs", "257", "--", "/bin/true"],
    ] {
        let (code, _, complaint) = run(&folder, command);
        assert_eq!(code, Some(2), "{complaint}");
        assert!(complaint.contains("257 is not in 1..=256"), "{complaint}");
    }
}

#[test]
fn a_checkpoint_of_a_real_program_is_known_as_one() {
    let folder = folder("exploration");
    let refused = |content: &str, reason: &str| {
        std::fs::write(folder.join("saved"), content).expect("a file");
        let (code, _, complaint) = run(&folder, &["resume", "saved"]);
        assert_eq!(code, Some(2), "{complaint}");
        let expected = format!("error: cannot resume saved: {reason}\n");
        assert_eq!(complaint, expected);
    };
    refused(
        r#"{"format": "mazurka-exploration", "version": 0}"#,
        "it belongs to a real program; resume it with: mazurka explore --from saved -- PROGRAM",
    );
    let another = r#"{"format": "something-else", "command": []}"#;
    refused(another, "it is not a checkpoint of Mazurka");
}

#[test]
fn a_guide_is_an_expression_of_the_model() {
    let folder = folder("guided");
    let model = COUNTERS.replace("do :: a", "do :: assert(a < N - 1); a");
    std::fs::write(folder.join("counters.pml"), model).expect("a model");
    let common = ["check", "counters.pml", "-D", "N=9", "--search", "guided"];
    let guided = |guide: &str| {
        run(
            &folder,
            &[&common[..], &["--quiet", "--guide", guide]].concat(),
        )
    };
    let (code, text, complaint) = guided("N - a");
    assert_eq!(code, Some(1), "{complaint}");
    // Straight to the assertion: no other counter moves.
    assert!(text.contains("assertion after 17 steps"), "{text}");
    for (guide, reason) in [
        ("a) && (b", "expected an operator or the end"),
        ("7", "the same in every state"),
        ("[] a", "temporal operator"),
        ("nonsense", "nonsense"),
    ] {
        let (code, _, complaint) = guided(guide);
        assert_eq!(code, Some(2), "{guide}: {complaint}");
        assert!(complaint.contains(reason), "{guide}: {complaint}");
    }
}

#[test]
fn deepening_finds_a_scenario_as_short_as_breadth_first() {
    let folder = folder("deepening");
    let model = COUNTERS.replace("do :: a", "do :: assert(a < 4 || b < 3); a");
    std::fs::write(folder.join("counters.pml"), model).expect("a model");
    let common = [
        "check",
        "counters.pml",
        "-D",
        "N=9",
        "--quiet",
        "--shorten",
        "off",
    ];
    let steps = |options: &[&str]| {
        let (code, text, complaint) = run(&folder, &[&common[..], options].concat());
        assert_eq!(code, Some(1), "{complaint}");
        let (_, after) = text.split_once("assertion after ").expect("an assertion");
        after.split(' ').next().map(str::to_string)
    };
    let shortest = steps(&["--search", "bfs", "--reduce", "none"]);
    assert_ne!(steps(&["--reduce", "none", "--jobs", "1"]), shortest);
    for step in ["1", "7", "1000"] {
        assert_eq!(steps(&["--deepen", step]), shortest);
    }
    let cut = [&common[..], &["--deepen", "4", "--depth", "6"]].concat();
    let (code, text, _) = run(&folder, &cut);
    assert_eq!(code, Some(3), "{text}");
}

/// A formula is read for itself: what is wrong with it is shown in it, and it cannot end early and say something else.
#[test]
fn an_error_in_a_formula_points_into_it() {
    let folder = folder("formula-error");
    let promela = "byte x; active proctype P() { x = 1 }\n#define big (x > 3)\n";
    std::fs::write(folder.join("a.pml"), promela).unwrap();
    let efsm = "machine M { start state A; state B; A -> B; } system { m: M; }";
    std::fs::write(folder.join("a.efsm"), efsm).unwrap();
    for (file, formula, place) in [
        ("a.pml", "[] (nonsense < 3)", "--ltl:1:5"),
        ("a.pml", "[] x } ltl other { <> x", "--ltl:1:6"),
        ("a.pml", "[] (x <", "--ltl:1:8"),
        ("a.efsm", "[] (m at Nowhere)", "--ltl:1:"),
        ("a.efsm", "[] (m at A) }", "--ltl:1:13"),
    ] {
        let (code, text, complaint) = run(&folder, &["check", file, "--ltl", formula]);
        assert_eq!(
            (code, text.as_str()),
            (Some(2), ""),
            "{formula}: {complaint}"
        );
        assert!(complaint.contains(place), "{formula}: {complaint}");
    }
    // It knows the macros of the model.
    let (code, _, complaint) = run(&folder, &["check", "a.pml", "--ltl", "[] !big", "--quiet"]);
    assert_eq!(code, Some(0), "{complaint}");
}

#[test]
fn a_guide_may_be_about_a_network_of_machines() {
    let folder = folder("guided-machines");
    let model = "machine Counter {
    var up, aside: byte;
    start final state Counting;
    Counting -> Counting when up < 20 { assert up < 9; up := up + 1; }
    Counting -> Counting when aside < 200 { aside := aside + 1; }
}
system { counter: Counter; }
";
    std::fs::write(folder.join("counter.efsm"), model).expect("a model");
    let common = ["check", "counter.efsm", "--search", "guided", "--quiet"];
    let guided = |guide: &str| run(&folder, &[&common[..], &["--guide", guide]].concat());
    let (code, text, complaint) = guided("0 - counter.up");
    assert_eq!(code, Some(1), "{complaint}");
    assert!(text.contains("after 10 steps, 19 states"), "{text}");
    let (code, _, complaint) = guided("counter.nonsense");
    assert_eq!(code, Some(2), "{complaint}");
    assert!(complaint.contains("nonsense"), "{complaint}");
}

/// Two free machines that count, `up` and `aside`; `up` must not come to nine.
fn counting_network(going_on: &str) -> String {
    let machine = |name: &str, last: usize| {
        let states = (0..=last).map(|number| match number == last {
            true => format!("S_{number} {{ E: O_PASSED; }}\n"),
            false => format!(
                "S_{number} {{ E: O_PASSED; NS: I_GO > S_{}; }}\n",
                number + 1
            ),
        });
        let names = (0..last).map(|number| format!("S_{number}"));
        let names = names.collect::<Vec<_>>().join(", ");
        format!(
            "machine {name} {{ inputs I_GO; initial S_0; end {names}, S_{last};
            {}spontaneous in {names}: {going_on};
            on PASSED: -I_GO; out O_PASSED: feedback PASSED; }}\n",
            states.collect::<String>()
        )
    };
    let network = "network {
        processor A { process P { up: UP; } }
        processor B { process Q { aside: ASIDE; } }
    }
    invariant low: !up.S_9;\n";
    machine("UP", 9) + &machine("ASIDE", 60) + network
}

#[test]
fn a_guide_may_be_about_virtual_machines() {
    let folder = folder("guided-network");
    std::fs::write(folder.join("up.vfsm"), counting_network("*I_GO")).expect("a model");
    let common = ["check", "up.vfsm", "--search", "guided", "--json"];
    let guided = |guide: &str| run(&folder, &[&common[..], &["--guide", guide]].concat());
    let states = |guide: &str| {
        let (code, text, complaint) = guided(guide);
        assert_eq!(code, Some(1), "{guide}: {complaint}");
        let result: serde_json::Value = serde_json::from_str(&text).expect("JSON");
        assert_eq!(result["violations"][0]["kind"], "invariant");
        result["stats"]["states"].as_u64().expect("a number")
    };
    let height: Vec<String> = (1..=9).map(|n| format!("{n} * up.S_{n}")).collect();
    let (height, none) = (height.join(" + "), "len(P.low) + up.I_GO & !aside.S_3");
    assert!(states(&format!("-({height})")) < 20);
    assert!(states(none) > 50);
    for (guide, reason) in [
        ("up.S_99", "no state and no virtual input `S_99`"),
        ("len(R.low)", "there is no process `R`"),
        ("len(P.middle)", "no queue `middle`"),
        ("up.S_1 +", "expected a machine"),
        ("up.S_1)", "expected an operator or the end"),
        ("[] up.S_1", "expected a machine"),
        ("99999999999", "expected a number"),
    ] {
        let (code, _, complaint) = guided(guide);
        assert_eq!(code, Some(2), "{guide}: {complaint}");
        assert!(complaint.contains(reason), "{guide}: {complaint}");
        assert!(complaint.contains("--guide:1:"), "{guide}: {complaint}");
    }
}

/// Alternatives of a mapping that lead on and that do nothing.
#[test]
fn weights_may_be_about_alternatives_of_mappings() {
    let folder = folder("weighted-network");
    let states = |alternatives: &str| {
        let model = counting_network(alternatives);
        std::fs::write(folder.join("up.vfsm"), model).expect("a model");
        let search = ["check", "up.vfsm", "--search", "probabilistic", "--json"];
        let search = [&search[..], &["--depth", "60", "--time", "5m"]].concat();
        let (code, text, complaint) = run(&folder, &search);
        assert_eq!(code, Some(1), "{complaint}");
        assert!(!complaint.contains("W0001"), "{complaint}");
        let result: serde_json::Value = serde_json::from_str(&text).expect("JSON");
        result["stats"]["states"].as_u64().expect("a number")
    };
    let often = states("/*@ weight 100 */ *I_GO | nothing");
    let seldom = states("*I_GO | /*@ weight 20 */ nothing");
    assert!(often * 10 < seldom, "{often} {seldom}");
}

/// A walk that may take the way to the assertion once in a thousand or so, or nearly always.
#[test]
fn weights_say_which_way_a_walk_takes() {
    let folder = folder("weights");
    let model = "byte x; active proctype P() {
        do :: x < 100 -> if :: LEFT x++ :: RIGHT x = x; break fi :: x >= 100 -> break od;
        assert(x < 20)
    }";
    let weighted = |left: &str, right: &str| {
        let text = model.replace("LEFT", left).replace("RIGHT", right);
        std::fs::write(folder.join("way.pml"), text).expect("a model");
        let search = ["check", "way.pml", "--search", "probabilistic", "--time"];
        run(&folder, &[&search[..], &["5m", "--json"]].concat())
    };
    let states = |text: &str| {
        let result: serde_json::Value = serde_json::from_str(text).expect("JSON");
        result["stats"]["states"].as_u64().expect("a number")
    };
    let (code, often, _) = weighted("/*@ weight 1000 */", "");
    assert_eq!(code, Some(1), "{often}");
    let (code, seldom, _) = weighted("", "/* as */ /*@ weight 1 */ // usual\n");
    assert_eq!(code, Some(1), "{seldom}");
    // Once in a million walks or so.
    assert!(states(&seldom) > 100 * states(&often), "{seldom} {often}");
    let (code, _, complaint) = weighted("/*@ weight 0 */", "");
    assert_eq!(code, Some(2), "{complaint}");
    assert!(complaint.contains("way.pml:2"), "{complaint}");
    let (_, _, complaint) = weighted("x++; x-- /*@ weight 2 */;", "");
    assert!(complaint.contains("no step of the model"), "{complaint}");
}

/// What `check --json` prints, read.
fn result_of(text: &str) -> serde_json::Value {
    serde_json::from_str(text).expect("JSON")
}

#[test]
fn only_different_parts_of_one_swarm_are_merged() {
    let folder = folder("merged");
    for model in ["one.pml", "two.pml"] {
        std::fs::write(folder.join(model), COUNTERS).expect("a model");
    }
    let part = |model: &str, shard: &[&str], file: &str| {
        let swarm = ["check", model, "-D", "N=3", "--search", "swarm", "--jobs"];
        let limits = ["1", "--time", "50ms", "--memory", "64M", "--json"];
        let (code, text, complaint) = run(&folder, &[&swarm[..], &limits, shard].concat());
        assert_eq!(code, Some(3), "{complaint}");
        std::fs::write(folder.join(file), &text).expect("a file");
        result_of(&text)
    };
    let first = part("one.pml", &["--shard", "1/3"], "first");
    assert_eq!(first["options"]["model"], "one.pml");
    assert_eq!(first["options"]["shard"], "1/3");
    part("one.pml", &["--shard", "02/3"], "second");
    part("two.pml", &["--shard", "3/3"], "other");
    let whole = part("one.pml", &[], "whole");
    assert_eq!(whole["options"]["shard"], "1/1");
    let (code, text, complaint) = run(&folder, &["merge", "first", "second"]);
    assert_eq!(code, Some(3), "{complaint}");
    assert_eq!(result_of(&text)["options"]["shard"], "1/3, 2/3");
    std::fs::write(folder.join("both"), text).expect("a file");
    for (name, shard) in [("model", "old-model"), ("shard", "old-shard")] {
        let mut old = first.clone();
        let options = old["options"].as_object_mut().expect("options");
        options.remove(name);
        std::fs::write(folder.join(shard), old.to_string()).expect("a file");
    }
    for (files, reason) in [
        (
            &["first", "other"][..],
            "cannot merge other: it is a result for the model two.pml, the ones before it are for one.pml",
        ),
        (&["first", "first"], "shard 1/3 is given twice"),
        (&["both", "second"], "shard 2/3 is given twice"),
        (&["second", "both"], "shard 2/3 is given twice"),
        (&["old-model"], "written by an older version of Mazurka"),
        (
            &["second", "old-shard"],
            "written by an older version of Mazurka",
        ),
        (&["one.pml"], "cannot merge one.pml"),
    ] {
        let (code, text, complaint) = run(&folder, &[&["merge"], files].concat());
        assert_eq!((code, text.as_str()), (Some(2), ""), "{files:?}");
        assert!(complaint.contains(reason), "{files:?}: {complaint}");
    }
}

#[test]
fn a_result_says_which_options_were_used() {
    let folder = folder("options");
    let model = format!("{COUNTERS}ltl low {{ [] (a < N) }}\n");
    std::fs::write(folder.join("counters.pml"), model).expect("a model");
    let common = ["check", "counters.pml", "-D", "N=3", "--json"];
    let options = |given: &[&str]| {
        let (_, text, complaint) = run(&folder, &[&common[..], given].concat());
        assert!(!text.is_empty(), "{given:?}: {complaint}");
        result_of(&text)["options"].clone()
    };
    for (given, name, value) in [
        (&[][..], "model", "counters.pml".into()),
        (&["--ltl", "[] (b < 3)"], "ltl", "[] (b < 3)".into()),
        (&["--claim", "low"], "claim", "low".into()),
        (&["--claim", "low"], "emptiness", "nested".into()),
        (
            &["--progress", "--emptiness", "scc"],
            "emptiness",
            "scc".into(),
        ),
        (&["--acceptance"], "acceptance", true.into()),
        (&["--progress"], "progress", true.into()),
        (&["--progress", "--fair"], "fair", true.into()),
        (&["--sleep", "on", "--jobs", "1"], "sleep", "on".into()),
        (&["--store", "bitstate", "--seed", "7"], "seed", 7.into()),
        (&["--search", "random", "--time", "20ms"], "seed", 1.into()),
    ] {
        let known: serde_json::Value = value;
        assert_eq!(options(given)[name], known, "{given:?}");
    }
    let plain = options(&["--property", "safety"]);
    for name in ["ltl", "claim", "fair", "emptiness", "seed", "sleep"] {
        assert_eq!(plain.get(name), None, "{name}");
    }
}

/// The most memory that a process had until now, in bytes.
#[cfg(target_os = "linux")]
fn most_memory(process: u32) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kilobytes * 1024)
}

#[cfg(target_os = "linux")]
#[test]
fn a_model_that_is_too_large_ends_inconclusive_and_fixed_stores_stay_within_their_memory() {
    let folder = folder("memory");
    std::fs::write(folder.join("counters.pml"), COUNTERS).expect("a model");
    let common = [
        "check",
        "counters.pml",
        "-D",
        "N=200",
        "--reduce",
        "none",
        "--memory",
        "64M",
        "--quiet",
    ];
    for options in [
        &["--store", "exact"][..],
        &["--store", "compact"],
        &[
            "--store",
            "compact",
            "--fingerprint",
            "128",
            "--search",
            "bfs",
        ],
        &["--search", "bfs"],
    ] {
        let (code, text, _) = run(&folder, &[&common[..], options].concat());
        assert_eq!(code, Some(3), "{options:?}: {text}");
        assert!(text.contains("out of memory: the limit is 64 MB"), "{text}");
    }
    for options in [
        &["--store", "bitstate"][..],
        &["--store", "cache"],
        &["--search", "stack"],
    ] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_mazurka"))
            .args(common)
            .args(options)
            .args(["--time", "1s"])
            .current_dir(&folder)
            .stdout(Stdio::null())
            .spawn()
            .expect("mazurka runs");
        let mut most = 0;
        let status = loop {
            most = most.max(most_memory(child.id()).unwrap_or(0));
            if let Some(status) = child.try_wait().expect("a child") {
                break status;
            }
            std::thread::sleep(Duration::from_millis(5));
        };
        assert_eq!(status.code(), Some(3), "{options:?}");
        assert!(most > 1 << 20, "{options:?}: {most}");
        assert!(most <= 64 << 20, "{options:?}: {most}");
    }
}

#[test]
fn no_file_of_the_user_is_lost() {
    let folder = folder("lost");
    let model = "byte x; active [2] proctype P() { x++; assert(x < 2) }";
    std::fs::write(folder.join("m.pml"), model).expect("a model");
    let kept = |name: &str| std::fs::read_to_string(folder.join(name)).expect("a file");
    for option in ["--scenario", "--checkpoint", "--report"] {
        let (code, _, complaint) = run(&folder, &["check", "m.pml", option, "m.pml"]);
        assert_eq!(code, Some(2), "{complaint}");
        assert!(
            complaint.contains("Mazurka did not write it"),
            "{complaint}"
        );
        assert_eq!(kept("m.pml"), model, "{option}");
    }
    // A model that is about Mazurka's files is none of them.
    let about =
        format!("/* see mazurka-scenario, Mazurka checkpoint, content=\"Mazurka\" */ {model}");
    std::fs::write(folder.join("m.pml"), &about).expect("a model");
    for option in ["--scenario", "--checkpoint", "--report"] {
        let (code, _, complaint) = run(&folder, &["check", "m.pml", option, "m.pml"]);
        assert_eq!(code, Some(2), "{complaint}");
        assert_eq!(kept("m.pml"), about, "{option}");
    }
    // Nor is one that only has a number behind the name that was asked for.
    let two = "byte x; active proctype P() { x++; assert(x < 1); assert(x > 1) }";
    std::fs::write(folder.join("two.pml"), two).expect("a model");
    std::fs::write(folder.join("s-2.json"), "my own").expect("a file");
    let all = ["check", "two.pml", "--all", "--scenario", "s.json"];
    let (code, _, complaint) = run(&folder, &all);
    assert_eq!(code, Some(1), "{complaint}");
    assert!(
        complaint.contains("s-2.json: it already exists"),
        "{complaint}"
    );
    assert_eq!(kept("s-2.json"), "my own");
    // Two models of one name, each with a scenario beside it.
    for inner in ["x", "y"] {
        std::fs::create_dir(folder.join(inner)).expect("a folder");
        std::fs::write(folder.join(inner).join("m.pml"), model).expect("a model");
        let file = format!("{inner}/m.pml");
        let (code, text, _) = run(&folder, &["check", &file, "--quiet"]);
        assert_eq!(code, Some(1), "{text}");
        let scenario = format!("{inner}/m.scenario.json");
        assert!(text.contains(&format!("mazurka show {scenario}")), "{text}");
        let (code, text, complaint) = run(&folder, &["show", &scenario]);
        assert_eq!(code, Some(0), "{text}{complaint}");
    }
    // What is mended is not shown any longer; what is not of this model stays.
    std::fs::write(folder.join("x/m.pml"), model.replace("< 2", "< 3")).expect("a model");
    std::fs::write(folder.join("x/n.scenario.json"), kept("x/m.scenario.json")).expect("a file");
    let (code, _, complaint) = run(&folder, &["check", "x/m.pml"]);
    assert_eq!(code, Some(0), "{complaint}");
    assert!(!folder.join("x/m.scenario.json").exists(), "{complaint}");
    assert!(folder.join("x/n.scenario.json").exists());
}

#[cfg(target_os = "linux")]
#[test]
fn help_that_nobody_gets_is_no_success() {
    for arguments in [&["--help"][..], &["check", "-h"], &["--version"], &["man"]] {
        let full = std::fs::OpenOptions::new().write(true).open("/dev/full");
        let done = Command::new(env!("CARGO_BIN_EXE_mazurka"))
            .args(arguments)
            .stdout(full.expect("a device"))
            .output()
            .expect("mazurka runs");
        assert_eq!(done.status.code(), Some(2), "{arguments:?}");
    }
}

#[test]
fn a_file_is_no_folder() {
    let folder = folder("file-no-folder");
    let model = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/vfsm/handshake.vfsm");
    let model = model.to_str().unwrap();
    std::fs::write(folder.join("mine"), "mine").unwrap();
    for words in [
        &["export", model, "--as", "c", "--to", "mine"][..],
        &["tests", model, "--to", "mine"],
    ] {
        let (code, _, error) = run(&folder, words);
        assert_eq!(code, Some(2), "{error}");
        assert!(error.contains("mine: it is not a folder"), "{error}");
    }
    assert_eq!(std::fs::read(folder.join("mine")).unwrap(), b"mine");
}

#[test]
fn a_loop_shows_its_bounds() {
    let folder = folder("loop-bounds");
    let model = "byte n = 1, a[2], i, s;\n\
                 init { for (i : n .. n + 1) { s = i }; for (i in a) { s = a[i] } }\n";
    std::fs::write(folder.join("loop.pml"), model).unwrap();
    let (code, text, error) = run(&folder, &["simulate", "loop.pml", "--seed", "1"]);
    assert_eq!(code, Some(0), "{error}");
    for step in ["i = n\n", "i <= n+1\n", "i = 0\n", "i <= 1\n"] {
        assert!(text.contains(step), "{step}{text}");
    }
}

#[test]
fn nothing_is_mended_by_asking_for_less() {
    let folder = folder("fair");
    let model = "bool done;\nactive proctype Spin() { end: do :: skip od }\n\
        active proctype Work() { done = true }\nltl ends { <> done }\n";
    std::fs::write(folder.join("m.pml"), model).expect("a file");
    let (code, ..) = run(&folder, &["check", "m.pml", "-q"]);
    assert_eq!(code, Some(1));
    let (code, out, error) = run(&folder, &["check", "m.pml", "-q", "--fair"]);
    assert_eq!(code, Some(0), "{out}{error}");
    assert!(folder.join("m.scenario.json").exists(), "{error}");
    let mended = model.replace("<> done", "<> true");
    std::fs::write(folder.join("m.pml"), mended).expect("a file");
    let (code, out, error) = run(&folder, &["check", "m.pml", "-q"]);
    assert_eq!(code, Some(0), "{out}{error}");
    assert!(!folder.join("m.scenario.json").exists());
    // That a file is gone is told in any case.
    assert!(
        error.contains("m.scenario.json was removed"),
        "{out}{error}"
    );
    let _ = std::fs::remove_dir_all(folder);
}

/// A scenario of a formula that is not in the model any more goes when all of the model holds, and not before.
#[test]
fn what_a_formula_showed_goes_with_it() {
    let folder = folder("gone");
    let model = "byte x;\nactive proctype P() { x = 1; assert(x == 1) }\n";
    let write = |text: String| std::fs::write(folder.join("m.pml"), text).expect("a file");
    let check = |options: &[&str]| {
        let all = [&["check", "m.pml", "-q"][..], options].concat();
        run(&folder, &all).0
    };
    let exists = || folder.join("m.scenario.json").exists();
    write(format!("{model}ltl never_one {{ [] (x == 0) }}\n"));
    assert_eq!((check(&[]), exists()), (Some(1), true));
    write(format!("{model}ltl small {{ [] (x < 2) }}\n"));
    assert_eq!((check(&["--claim", "small"]), exists()), (Some(0), true));
    assert_eq!((check(&["--define", "A=1"]), exists()), (Some(0), true));
    assert_eq!((check(&[]), exists()), (Some(0), false));
    let _ = std::fs::remove_dir_all(folder);
}

/// Verdicts, scenarios and expectations tell properties apart by name.
#[test]
fn a_formula_called_safety_is_another_property() {
    let folder = folder("safety");
    let model = "byte x;\nactive proctype P() { x = 1; assert(x == 2); x = 3 }\nltl safety { [] (x < 5) }\n";
    std::fs::write(folder.join("m.pml"), model).expect("a file");
    for options in [&["check", "m.pml"][..], &["check", "m.pml", "-q"]] {
        let (code, out, error) = run(&folder, options);
        assert_eq!(code, Some(1), "{out}{error}");
        assert!(folder.join("m.scenario.json").exists(), "{out}{error}");
    }
    let (code, out, error) = run(&folder, &["check", "m.pml", "--claim", "safety"]);
    assert_eq!(code, Some(0), "{out}{error}");
    assert!(folder.join("m.scenario.json").exists(), "{out}{error}");
    let suite =
        "[[model]]\nfile = 'm.pml'\nexpect = { safety = 'violated', safety_formula = 'holds' }\n";
    std::fs::write(folder.join("mazurka.toml"), suite).expect("a file");
    let (code, out, error) = run(&folder, &["suite"]);
    assert_eq!(code, Some(0), "{out}{error}");
    let _ = std::fs::remove_dir_all(folder);
}

#[test]
fn models_of_a_suite_have_scenarios_of_their_own() {
    let folder = folder("suite");
    let model = "byte x;\nactive proctype P() { do :: x < MAX -> x++ :: x == MAX -> break od; assert(x != MAX) }\n";
    std::fs::write(folder.join("m.pml"), model).expect("a file");
    let entry = |name: &str, most: u32| {
        format!(
            "[[model]]\nfile = 'm.pml'\nname = '{name}'\noptions = {{ define = ['MAX={most}'] }}\nexpect = 'holds'\n"
        )
    };
    let suite = entry("one", 1) + &entry("up to three", 3);
    std::fs::write(folder.join("mazurka.toml"), suite).expect("a file");
    let (code, out, error) = run(&folder, &["suite"]);
    assert_eq!(code, Some(1), "{out}{error}");
    for name in ["m.one.scenario.json", "m.up-to-three.scenario.json"] {
        assert!(out.contains(name), "{out}{error}");
        assert!(folder.join(name).exists());
    }
    std::fs::remove_file(folder.join("m.pml")).expect("it is there");
    let (_, out, _) = run(&folder, &["suite", "--format", "junit"]);
    assert!(!out.contains("\"-0"), "{out}");
    let _ = std::fs::remove_dir_all(folder);
}
