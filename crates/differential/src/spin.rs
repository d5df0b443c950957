//! SPIN as the outside judge: `spin -a`, a C compiler, and the verifier `pan` they make.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::Path;
use std::process::Command;
use std::sync::OnceLock;
use std::time::Duration;

use crate::outcome::{Counts, Outcome};
use crate::process::{Finished, Folder, run};

/// How far SPIN may go.
#[derive(Clone, Debug)]
pub struct Limits {
    /// For `spin -a` and for the compiler, each.
    pub compile: Duration,
    pub search: Duration,
    /// In megabytes.
    pub memory: u32,
    pub depth: u32,
    /// May the system end only with empty channels?
    pub empty_at_end: bool,
    /// The hash table has 2 to this many slots. It changes no count; a small one makes pan start quickly.
    pub hash_bits: u32,
    /// Prefer optimised code: slow to compile, quick to run.
    pub optimise: bool,
}

impl Limits {
    /// For the many small models of a campaign.
    pub fn small() -> Limits {
        Limits {
            compile: Duration::from_secs(10),
            search: Duration::from_secs(5),
            memory: 512,
            depth: 200_000,
            empty_at_end: false,
            hash_bits: 16,
            optimise: false,
        }
    }

    /// For a model written by someone.
    pub fn large() -> Limits {
        Limits {
            compile: Duration::from_secs(60),
            search: Duration::from_secs(60),
            memory: 8192,
            depth: 2_000_000,
            empty_at_end: false,
            hash_bits: 24,
            optimise: true,
        }
    }
}

/// Whether `spin` is there to be asked.
pub fn is_installed() -> bool {
    answers("spin", "-V")
}

fn answers(program: &str, argument: &str) -> bool {
    Command::new(program)
        .arg(argument)
        .output()
        .is_ok_and(|output| output.status.success())
}

/// Verifies the model in `text`. With `near`, that folder is where SPIN runs and finds included files.
pub fn verify(text: &str, near: Option<&Path>, limits: &Limits) -> Outcome {
    match verify_in_folder(text, near, limits) {
        Ok(outcome) => outcome,
        Err(error) => Outcome::Crash(error.to_string()),
    }
}

/// Does a formula of the model hold? Assertions, end states and marks of acceptance do not count. None if that takes too long.
pub fn holds(text: &str, formula: &str, limits: &Limits) -> Result<Option<bool>, String> {
    let judged = || -> io::Result<Result<Option<bool>, String>> {
        let folder = Folder::new()?;
        let path = folder.path();
        let text = without_acceptance(&without_assertions(text));
        fs::write(path.join("model.pml"), text)?;
        let mut spin = Command::new("spin");
        spin.args(["-a", "-o1", "-o2", "-o3", "model.pml"]);
        let mut compiler = compiler(limits);
        compiler.args(["-w", "-DNOREDUCE", "-o", "pan", "pan.c"]);
        let mut pan = Command::new(path.join("pan"));
        let depth = format!("-m{}", limits.depth);
        let hash = format!("-w{}", limits.hash_bits);
        pan.args(["-a", "-E", "-n", "-N", formula, &depth, &hash]);
        let mut output = String::new();
        let times = [limits.compile, limits.compile, limits.search];
        for (mut command, time) in [spin, compiler, pan].into_iter().zip(times) {
            match run(command.current_dir(path), path, time)? {
                None => return Ok(Ok(None)),
                Some(finished) if finished.code == Some(0) => output = finished.stdout,
                Some(finished) => return Ok(Err(complaints(&finished))),
            }
        }
        let truncated = output.contains("max search depth") || output.contains("not completed");
        let errors = output
            .lines()
            .find_map(|line| number_after(line, "errors: "));
        Ok(match errors {
            Some(0) if truncated => Ok(None),
            Some(errors) => Ok(Some(errors == 0)),
            None => Err(first_lines(&output)),
        })
    };
    judged().map_err(|error| error.to_string())?
}

/// A question about the executions of a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    /// The name of a formula or never claim; without it, about acceptance or progress labels.
    pub claim: Option<String>,
    pub progress: bool,
    /// Whether it should hold.
    pub expected: bool,
}

/// A model without its assertions. `pan -A` is not enough: it ignores those, too, by which a claim that SPIN makes of a formula says that it is
/// violated.
pub fn without_assertions(text: &str) -> String {
    text.replace("assert(", "(1 || ")
}

/// An exported model without its marks of acceptance: beside a claim, pan counts them too.
fn without_acceptance(text: &str) -> String {
    let words = text.split_inclusive(char::is_whitespace);
    let kept = words.filter(|word| !(word.starts_with("accept_") && word.ends_with(": ")));
    kept.collect()
}

/// Does each of these hold? End states do not count. None for what takes too long, or ends with an assertion of the model.
pub fn judge(
    text: &str,
    questions: &[Question],
    limits: &Limits,
) -> Result<Vec<Option<bool>>, String> {
    let judged = || -> io::Result<Result<Vec<Option<bool>>, String>> {
        let folder = Folder::new()?;
        let path = folder.path();
        fs::write(path.join("model.pml"), text)?;
        let mut spin = Command::new("spin");
        spin.args(["-a", "-o1", "-o2", "-o3", "model.pml"]);
        match run(spin.current_dir(path), path, limits.compile)? {
            Some(finished) if finished.code == Some(0) => {}
            Some(finished) => return Ok(Err(complaints(&finished))),
            None => return Ok(Err("takes too long".into())),
        }
        let mut answers = Vec::new();
        let mut compiled = None;
        for question in questions {
            let define = match (question.progress, &question.claim) {
                (true, _) => "-DNP",
                (false, Some(_)) => "-DCLAIMS",
                (false, None) => "-DNOCLAIM",
            };
            if compiled != Some(define) {
                let mut compiler = compiler(limits);
                compiler.args(["-w", "-DNOREDUCE", define, "-o", "pan", "pan.c"]);
                let finished = run(compiler.current_dir(path), path, limits.compile)?;
                if finished.is_none_or(|finished| finished.code != Some(0)) {
                    answers.push(None);
                    compiled = None;
                    continue;
                }
                compiled = Some(define);
            }
            let mut pan = Command::new(path.join("pan"));
            pan.args(["-E", "-n", if question.progress { "-l" } else { "-a" }]);
            pan.arg(format!("-m{}", limits.depth));
            pan.arg(format!("-w{}", limits.hash_bits));
            if let Some(claim) = &question.claim {
                pan.args(["-N", claim]);
            }
            let finished = run(pan.current_dir(path), path, limits.search)?;
            answers.push(finished.and_then(|finished| decided(&finished.stdout)));
        }
        Ok(Ok(answers))
    };
    judged().map_err(|error| error.to_string())?
}

/// Whether pan found a violation, if it got to its end.
fn decided(output: &str) -> Option<bool> {
    let truncated = [
        "max search depth",
        "not completed",
        "aborting",
        "out of memory",
    ];
    let errors = output
        .lines()
        .find_map(|line| number_after(line, "errors: "))?;
    match errors {
        0 if truncated.iter().any(|words| output.contains(words)) => None,
        0 => Some(true),
        _ => {
            // The claim that SPIN makes of a formula asserts that it is not violated.
            let violations = [
                "acceptance cycle",
                "non-progress cycle",
                "claim violated",
                "end state in claim",
                "assertion violated  !",
                "assertion violated !",
            ];
            // Other lines say what is looked for.
            let mut found = output.lines().filter(|line| line.starts_with("pan:"));
            found
                .any(|line| violations.iter().any(|words| line.contains(words)))
                .then_some(false)
        }
    }
}

fn verify_in_folder(text: &str, near: Option<&Path>, limits: &Limits) -> io::Result<Outcome> {
    let folder = Folder::new()?;
    let path = folder.path();
    if let Some(near) = near {
        for entry in fs::read_dir(near)?
            .filter_map(Result::ok)
            .filter(|entry| entry.path().is_file())
        {
            fs::copy(entry.path(), path.join(entry.file_name()))?;
        }
    }
    fs::write(path.join("model.pml"), text)?;

    // -o1 -o2 -o3: no data-flow optimisation, no dead variables, no merging of statements. A step is a step.
    let mut spin = Command::new("spin");
    spin.args(["-a", "-o1", "-o2", "-o3", "model.pml"])
        .current_dir(path);
    let Some(finished) = run(&mut spin, path, limits.compile)? else {
        return Ok(Outcome::Timeout);
    };
    match finished.code {
        Some(0) if path.join("pan.c").exists() => {}
        Some(_) => return Ok(Outcome::Rejected(complaints(&finished))),
        None => return Ok(Outcome::Crash(format!("spin -a: {}", finished.stdout))),
    }

    let mut compiler = compiler(limits);
    let memory = format!("-DMEMLIM={}", limits.memory);
    compiler
        .args(["-w", "-DSAFETY", "-DNOREDUCE", "-DNOCLAIM", &memory])
        .args(["-o", "pan", "pan.c"])
        .current_dir(path);
    let Some(finished) = run(&mut compiler, path, limits.compile)? else {
        return Ok(Outcome::Timeout);
    };
    if finished.code != Some(0) {
        return Ok(Outcome::Crash(format!(
            "the verifier does not compile: {}",
            first_lines(&finished.stderr)
        )));
    }

    let mut pan = Command::new(path.join("pan"));
    pan.args([
        "-c0",
        "-n",
        &format!("-m{}", limits.depth),
        &format!("-w{}", limits.hash_bits),
    ])
    .current_dir(path);
    if limits.empty_at_end {
        pan.arg("-q");
    }
    let Some(finished) = run(&mut pan, path, limits.search)? else {
        return Ok(Outcome::Timeout);
    };
    Ok(match parse(&finished.stdout) {
        Some(counts) => Outcome::Counts(counts),
        None => Outcome::Crash(format!(
            "pan ended with {:?}: {}",
            finished.code,
            first_lines(&finished.stdout)
        )),
    })
}

/// tcc compiles pan.c in a hundredth of the time of gcc -O2, which is most of the cost of a small model.
fn compiler(limits: &Limits) -> Command {
    static HAS_TCC: OnceLock<bool> = OnceLock::new();
    if limits.optimise {
        let mut gcc = Command::new("gcc");
        gcc.arg("-O2");
        gcc
    } else if *HAS_TCC.get_or_init(|| answers("tcc", "-v")) {
        Command::new("tcc")
    } else {
        let mut gcc = Command::new("gcc");
        gcc.arg("-O0");
        gcc
    }
}

/// SPIN writes its errors among its warnings, to stdout.
fn complaints(finished: &Finished) -> String {
    let text = format!("{}{}", finished.stdout, finished.stderr);
    let errors: Vec<&str> = text
        .lines()
        .filter(|line| {
            line.to_lowercase().contains("error") && !line.contains("dubious use of 'else'")
        })
        .collect();
    if errors.is_empty() {
        first_lines(&text)
    } else {
        errors.join("; ")
    }
}

fn first_lines(text: &str) -> String {
    text.lines()
        .filter(|line| !line.trim().is_empty())
        .take(4)
        .collect::<Vec<_>>()
        .join("; ")
}

/// Reads what pan printed; `None` if it did not come to its statistics.
fn parse(output: &str) -> Option<Counts> {
    let mut counts = Counts::default();
    let mut complete = false;
    for line in output.lines() {
        if let Some(message) = error_message(line) {
            counts.kinds.insert(kind_of(message).to_string());
            *counts.messages.entry(message.to_string()).or_default() += 1;
        } else if line.starts_with("State-vector") {
            counts.depth = number_after(line, "depth reached ")?;
            counts.errors = number_after(line, "errors: ")?;
        } else if let Some(number) = number_before(line, " states, stored") {
            counts.states = number;
        } else if let Some(number) = number_before(line, " states, matched") {
            counts.matched = number;
        } else if let Some(number) = number_before(line, " transitions (= stored+matched)") {
            counts.transitions = number;
            complete = true;
        }
        counts.truncated |= line.contains("max search depth too small")
            || line.contains("Search not completed")
            || line.contains("memory bound")
            || line.contains("out of memory");
    }
    complete.then_some(counts)
}

/// `pan:1: invalid end state (at depth 5)` gives `invalid end state`.
fn error_message(line: &str) -> Option<&str> {
    let rest = line.strip_prefix("pan:")?;
    let (number, message) = rest.split_once(": ")?;
    number.parse::<u64>().ok()?;
    let end = message.rfind(" (at depth").unwrap_or(message.len());
    Some(&message[..end])
}

/// Mazurka's word for an error of pan. Everything pan can report beyond those named is a fault of execution: a channel
/// that was never made, a wrong number of fields, a d_step that blocks, too many processes.
fn kind_of(message: &str) -> &'static str {
    const KINDS: &[(&str, &str)] = &[
        ("invalid end state", "deadlock"),
        ("assertion violated - invalid array index", "runtime-error"),
        ("assertion violated", "assertion"),
        ("acceptance cycle", "acceptance-cycle"),
        ("non-progress cycle", "non-progress-cycle"),
        ("end state in claim reached", "ltl"),
        ("event_trace error", "trace-assertion"),
    ];
    KINDS
        .iter()
        .find(|(start, _)| message.starts_with(start))
        .map_or("runtime-error", |(_, kind)| kind)
}

fn number_after(line: &str, words: &str) -> Option<u64> {
    let rest = &line[line.find(words)? + words.len()..];
    let end = rest
        .find(|symbol: char| !symbol.is_ascii_digit())
        .unwrap_or(rest.len());
    rest[..end].parse().ok()
}

/// Large numbers are printed as `1.2e+06`; those are read too, though no longer exact.
fn number_before(line: &str, words: &str) -> Option<u64> {
    let text = line[..line.find(words)?].trim();
    text.parse()
        .ok()
        .or_else(|| text.parse::<f64>().ok().map(|number| number as u64))
}

/// The kinds of violation in a set of words, as the list of examples writes them.
pub fn kinds(words: &str) -> BTreeSet<String> {
    words
        .split(',')
        .filter(|word| !matches!(*word, "" | "-"))
        .map(str::to_string)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_the_output_of_pan() {
        let output = "pan:1: assertion violated (x==1) (at depth 3)\npan:2: invalid end state (at depth 5)\n\
            pan:9: assertion violated - invalid array index (at depth 7)\n\
            State-vector 168 byte, depth reached 545, errors: 12\n   251409 states, stored\n   397058 states, matched\n\
            \u{20}  648467 transitions (= stored+matched)\n";
        let counts = parse(output).unwrap();
        assert_eq!(
            (counts.states, counts.matched, counts.transitions),
            (251_409, 397_058, 648_467)
        );
        assert_eq!(
            (counts.depth, counts.errors, counts.truncated),
            (545, 12, false)
        );
        assert_eq!(counts.kinds, kinds("assertion,deadlock,runtime-error"));
        assert_eq!(counts.messages["assertion violated (x==1)"], 1);
    }

    #[test]
    fn output_without_statistics_is_no_result() {
        assert_eq!(parse("pan: out of memory"), None);
    }
}
