//! Files and options that are wrong on purpose, given to the command: a message and exit code 2, or a verdict; never a panic,
//! never a hang, never much memory.

#[path = "../../hostile/src/mutate.rs"]
mod mutate;
/// What `mutate` needs of its crate.
mod models {
    pub(crate) fn draw(random: &mut u64, bound: usize) -> usize {
        *random ^= *random << 13;
        *random ^= *random >> 7;
        *random ^= *random << 17;
        (*random % bound as u64) as usize
    }
}

use std::io::{Cursor, Read};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use mazurka_search::checkpoint::{Sink, Source};
use mutate::Mutator;

const MODEL: &str = "
byte x; chan c = [2] of { byte };
active [2] proctype P() { byte turns; do :: turns < 9 -> atomic { c ! turns; turns++ } :: c ? x :: turns == 9 -> break od }
active proctype Q() { do :: x == 7 -> assert(len(c) < 2) :: x != 7 -> skip :: timeout -> break od }
";
/// Each mutant is a process, so only a few are tried here; the fuzz targets try many.
const CASES: u64 = 12;

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"))
        .join("hostile")
        .join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder");
    std::fs::write(folder.join("model.pml"), MODEL).expect("a model");
    folder
}

/// Runs the command with little memory and little time, and gives its exit code and what it says.
fn run(folder: &Path, arguments: &[&str]) -> (i32, String) {
    let limits = "ulimit -v 4000000; ulimit -t 20; exec \"$0\" \"$@\"";
    let mut child = Command::new("sh")
        .args(["-c", limits, env!("CARGO_BIN_EXE_mazurka")])
        .args(arguments)
        .current_dir(folder)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("mazurka runs");
    let mut text = Vec::new();
    let mut stderr = child.stderr.take().expect("a pipe");
    stderr.read_to_end(&mut text).expect("text");
    let text = String::from_utf8_lossy(&text).into_owned();
    let code = child.wait().expect("it ends").code();
    let code = code.unwrap_or_else(|| panic!("{arguments:?} ended by a signal: {text}"));
    assert!((0..=3).contains(&code), "{arguments:?}: {code}: {text}");
    assert!(!text.contains("panicked"), "{arguments:?}: {text}");
    assert!(
        code != 2 || !text.is_empty(),
        "{arguments:?}: refused without a word"
    );
    (code, text)
}

/// The parts of a checkpoint: the number of its form, the header, and the search.
fn parts(file: &[u8]) -> (u64, Vec<u8>, Vec<u8>) {
    let mut source = Source::new(Cursor::new(file.to_vec()), file.len() as u64);
    let magic = source.bytes().expect("what it is");
    let form = source.number().expect("its form");
    let header = source.bytes().expect("a header");
    let mut start = Vec::new();
    let mut sink = Sink::new(&mut start);
    sink.bytes(&magic)
        .and_then(|()| sink.number(form))
        .expect("room");
    sink.bytes(&header)
        .and_then(|()| sink.finish())
        .expect("room");
    (form, header, file[start.len() - 8..file.len() - 8].to_vec())
}

/// A checkpoint with a sum that fits. Up to seven zeros are added: what is behind the end of a search is not looked at.
fn forged(form: u64, header: &[u8], search: &[u8]) -> Vec<u8> {
    let mut file = Vec::new();
    let mut sink = Sink::new(&mut file);
    sink.bytes(b"Mazurka checkpoint").expect("room");
    sink.number(form).expect("room");
    sink.bytes(header).expect("room");
    for part in search.chunks(8) {
        let mut word = [0; 8];
        word[..part.len()].copy_from_slice(part);
        sink.word(u64::from_le_bytes(word)).expect("room");
    }
    sink.finish().expect("room");
    file
}

#[test]
fn checkpoints_that_are_forged() {
    let folder = folder("checkpoints");
    for search in ["dfs", "bfs"] {
        let words = [
            "check",
            "model.pml",
            "--search",
            search,
            "--jobs",
            "1",
            "--all",
        ];
        let kept = [
            "--checkpoint",
            "saved",
            "--checkpoint-every",
            "1ms",
            "--quiet",
        ];
        run(&folder, &[&words[..], &kept].concat());
        let saved = std::fs::read(folder.join("saved")).expect("a checkpoint");
        let (form, header, search) = parts(&saved);
        // A forged one is one, if nothing is wrong with it.
        std::fs::write(folder.join("forged"), forged(form, &header, &search)).expect("a file");
        assert_ne!(run(&folder, &["resume", "forged"]).0, 2);
        let text = String::from_utf8(header.clone()).expect("JSON");
        for (from, to) in [
            ("\"jobs\":1", "\"jobs\":0"),
            ("\"jobs\":1", "\"jobs\":4294967295"),
            ("\"jobs\":1", "\"jobs\":2"),
            ("\"words\":[", "\"words\":[\"--help\","),
            ("\"words\":[", "\"words\":[\"--memory\",\"1\","),
            ("\"words\":[", "\"words\":[\"\\u001b[2J\","),
        ] {
            let header = text.replace(from, to);
            assert_ne!(header, text, "{from}");
            std::fs::write(
                folder.join("forged"),
                forged(form, header.as_bytes(), &search),
            )
            .expect("a file");
            let (_, complaint) = run(&folder, &["resume", "forged"]);
            assert!(!complaint.contains('\u{1b}'), "{complaint:?}");
        }
        for case in 0..CASES {
            let spoiled = Mutator::new(case).spoil(&search, &[]);
            std::fs::write(folder.join("forged"), forged(form, &header, &spoiled)).expect("a file");
            run(
                &folder,
                &["resume", "forged", "--time", "2s", "--memory", "200M"],
            );
        }
    }
}

#[test]
fn every_bit_of_a_checkpoint_counts() {
    let folder = folder("bits");
    run(
        &folder,
        &[
            "check",
            "model.pml",
            "--checkpoint",
            "saved",
            "--checkpoint-every",
            "1ms",
            "--all",
        ],
    );
    let mut saved = std::fs::read(folder.join("saved")).expect("a checkpoint");
    let length = saved.len() as u64;
    let is_whole = |file: &[u8]| mazurka_search::checkpoint::is_whole(file, length).expect("bytes");
    assert!(is_whole(&saved));
    for byte in (0..saved.len()).step_by(saved.len() / 300 + 1) {
        for bit in 0..8 {
            saved[byte] ^= 1 << bit;
            assert!(!is_whole(&saved), "byte {byte}, bit {bit}");
            saved[byte] ^= 1 << bit;
        }
    }
}

#[test]
fn scenarios_that_are_spoiled() {
    let folder = folder("scenarios");
    let (code, _) = run(
        &folder,
        &["check", "model.pml", "--scenario", "found", "--quiet"],
    );
    assert_eq!(code, 1);
    let found = std::fs::read(folder.join("found")).expect("a scenario");
    for case in 0..CASES {
        std::fs::write(
            folder.join("spoiled"),
            Mutator::new(case).spoil(&found, &[]),
        )
        .expect("a file");
        run(&folder, &["show", "spoiled"]);
        run(&folder, &["show", "spoiled", "--as", "msc"]);
        run(&folder, &["simulate", "model.pml", "--scenario", "spoiled"]);
    }
    let text = String::from_utf8(found).expect("JSON");
    for (from, to) in [
        ("\"process\":0", "\"process\":4294967295"),
        ("\"kind\":\"assertion\"", "\"kind\":\"\\u001b[2J\""),
        ("\"language\":\"promela\"", "\"language\":\"\\u001b[2J\""),
        ("\"language\":\"promela\"", "\"language\":\"program\""),
    ] {
        let spoiled = text.replace(from, to);
        assert_ne!(spoiled, text, "{from}");
        std::fs::write(folder.join("spoiled"), spoiled).expect("a file");
        for form in ["text", "msc", "json"] {
            let (_, complaint) = run(&folder, &["show", "spoiled", "--as", form]);
            assert!(!complaint.contains('\u{1b}'), "{complaint:?}");
        }
    }
}

#[test]
fn results_that_are_spoiled() {
    let folder = folder("results");
    let result = |shard: &str| {
        let output = Command::new(env!("CARGO_BIN_EXE_mazurka"))
            .args([
                "check",
                "model.pml",
                "--search",
                "swarm",
                "--shard",
                shard,
                "--json",
            ])
            .args(["--time", "100ms", "--memory", "50M"])
            .current_dir(&folder)
            .output()
            .expect("mazurka runs");
        output.stdout
    };
    let results = [result("1/2"), result("2/2")];
    std::fs::write(folder.join("one"), &results[0]).expect("a file");
    std::fs::write(folder.join("two"), &results[1]).expect("a file");
    assert_ne!(run(&folder, &["merge", "one", "two"]).0, 2);
    for case in 0..2 * CASES {
        std::fs::write(
            folder.join("two"),
            Mutator::new(case).spoil(&results[1], &results),
        )
        .expect("a file");
        run(&folder, &["merge", "one", "two"]);
    }
    // Counters as high as can be are no reason to stop.
    let text = String::from_utf8(results[0].clone()).expect("JSON");
    let high = text.replace("\"matched\": ", "\"matched\": 1844674407370955161");
    std::fs::write(folder.join("two"), high.replace("1/2", "2/2")).expect("a file");
    run(&folder, &["merge", "one", "two"]);
    std::fs::write(folder.join("two"), "[".repeat(100_000)).expect("a file");
    assert_eq!(run(&folder, &["merge", "one", "two"]).0, 2);
}

#[test]
fn options_that_are_spoiled() {
    let folder = folder("options");
    for option in [
        ["--time", "99999999999999999999d"],
        ["--time", "1e400"],
        ["--time", "-1"],
        ["--memory", "1e30T"],
        ["--memory", "€"],
        ["--shard", "0/0"],
        ["--shard", "18446744073709551616/1"],
        ["--shard", "/"],
        ["--jobs", "0"],
        ["--jobs", "4294967295"],
        ["--depth", "18446744073709551615"],
        ["--define", "=1"],
        ["--define", "x=\\"],
        ["--define", "N=(((((((("],
        ["--guide", ") || (1"],
        ["--guide", "x } ltl q { [] x"],
        ["--guide", ""],
        ["--ltl", "[]"],
        ["--ltl", "} active proctype Z() { assert(false) "],
        ["--fingerprint", "0"],
        ["--checkpoint-every", "0s"],
    ] {
        let mut words = vec!["check", "model.pml", "--quiet", "--time", "1s"];
        if option[0] == "--time" {
            words.truncate(3);
        }
        if option[0] == "--shard" {
            words.extend(["--search", "swarm"]);
        }
        words.extend(option);
        run(&folder, &words);
    }
    for (number, weight) in ["", "0", "18446744073709551616", "1 */ /*@ weight 2"]
        .iter()
        .enumerate()
    {
        let name = format!("weights-{number}.pml");
        let model = MODEL.replace(":: c ? x", &format!(":: /*@ weight {weight} */ c ? x"));
        std::fs::write(folder.join(&name), model).expect("a model");
        run(
            &folder,
            &[
                "check",
                &name,
                "--search",
                "probabilistic",
                "--time",
                "300ms",
            ],
        );
    }
}
