//! Generated code, built and run beside its model.

#![allow(dead_code)]

use std::collections::BTreeSet;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use mazurka_checker::{Besides, Loaded, ModelText};
use mazurka_generate::{Folder, State, Target, code, follow};
use mazurka_model::{Interpreter, Step};
use mazurka_scenario::Walk;

/// A model, and what drives its code.
pub struct Model {
    pub name: String,
    text: ModelText,
    pub loaded: Loaded,
}

impl Model {
    /// Compiles a model, if it can be compiled.
    pub fn new(name: &str, text: &str) -> Option<Model> {
        let text = ModelText::from_source(name, text).ok()?;
        let loaded = text.load(&Besides::default()).ok()?;
        Some(Model {
            name: name.into(),
            text,
            loaded,
        })
    }

    pub fn open(path: &Path) -> Model {
        let text = fs::read_to_string(path).unwrap();
        let name = path.file_name().unwrap().to_string_lossy();
        Model::new(&name, &text).unwrap()
    }

    pub fn interpreter(&self) -> &Interpreter {
        &self.loaded.interpreter
    }

    pub fn folder(&self, target: Target) -> Folder {
        code(&self.text, &self.loaded, target).unwrap()
    }

    /// What the code has to choose to take a step.
    fn script(&self, possible: &[Step], step: Step) -> Vec<u32> {
        if let Some(choices) = &self.loaded.choices {
            return choices[step.transition.index()].clone();
        }
        let mut own = possible
            .iter()
            .filter(|other| other.process == step.process);
        match own.clone().count() {
            1 => Vec::new(),
            _ => vec![own.position(|other| *other == step).unwrap() as u32],
        }
    }
}

/// A program made from a model.
pub struct Built {
    pub folder: PathBuf,
    pub program: PathBuf,
}

/// A place for the files of a test.
pub fn place(name: &str) -> PathBuf {
    let place = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&place);
    fs::create_dir_all(&place).unwrap();
    place
}

/// Writes and compiles the code of a model; warnings are errors.
pub fn build(model: &Model, target: Target, place: &Path) -> Built {
    model.folder(target).write(place).unwrap();
    compile(place, target)
}

/// Compiles what is in a folder.
pub fn compile(folder: &Path, target: Target) -> Built {
    let program = folder.join("run");
    let mut command = match target {
        Target::C => {
            let mut command = Command::new("gcc");
            let flags = "-O1 -std=c99 -Wall -Wextra -Wconversion -pedantic -Werror";
            command.args(flags.split(' '));
            command.args(["main.c", "trace.c", "network.c", "mapping.c"]);
            command
        }
        Target::Rust => {
            let mut command = Command::new("clippy-driver");
            command.args(["--edition", "2021", "-Copt-level=1", "-Dwarnings"]);
            command.arg("src/main.rs");
            command
        }
    };
    let output = command
        .args(["-o", "run"])
        .current_dir(folder)
        .output()
        .unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{}:\n{errors}", folder.display());
    Built {
        folder: folder.into(),
        program,
    }
}

impl Built {
    /// The trace of a run.
    pub fn run(&self, arguments: &[&str], script: &str) -> String {
        let mut child = Command::new(&self.program)
            .args(arguments)
            .args(["--trace", "-"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut input = child.stdin.take().unwrap();
        let script = script.to_string();
        let writer = std::thread::spawn(move || {
            // Whoever fails does not read on.
            let _ = input.write_all(script.as_bytes());
        });
        let output = child.wait_with_output().unwrap();
        writer.join().unwrap();
        let mut text = String::from_utf8(output.stdout).unwrap();
        text += &String::from_utf8_lossy(&output.stderr);
        text
    }
}

/// Runs the code at random and follows it in the model; then takes random steps of the model and lets the code follow.
/// Tells a difference, or how many steps were compared.
pub fn agree(model: &Model, built: &Built, runs: u64, steps: usize) -> Result<usize, String> {
    let mut compared = 0;
    for seed in 0..runs {
        let (seed_text, step_text) = (seed.to_string(), steps.to_string());
        let trace = built.run(&["--random", &seed_text, "--steps", &step_text], "");
        let followed = follow(model.interpreter(), &trace)
            .map_err(|error| format!("seed {seed}: {error}\n{trace}"))?;
        if let Some(difference) = followed.difference {
            return Err(format!("seed {seed}: {difference}"));
        }
        compared += followed.steps.len();
        compared += model_leads(model, built, seed, steps)?;
    }
    Ok(compared)
}

/// A random run of the model, repeated by the code.
fn model_leads(model: &Model, built: &Built, seed: u64, steps: usize) -> Result<usize, String> {
    let mut random = Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
    let (mut walk, _) = Walk::start(model.interpreter()).unwrap();
    let mut script = String::new();
    let mut snapshots = vec![walk.snapshot()];
    let mut has_failed = false;
    let mut able = Vec::new();
    while snapshots.len() <= steps {
        let possible = walk.enabled();
        able.push(
            possible
                .iter()
                .map(|step| step.process)
                .collect::<BTreeSet<u32>>(),
        );
        let Some(step) = random.one_of(&possible) else {
            break;
        };
        // Where a guard has no value, the model has steps that only say so; the code has one.
        if possible.iter().any(|step| step.choice == Step::FAULT) {
            break;
        }
        script += &step.process.to_string();
        for choice in model.script(&possible, *step) {
            script += &format!(" {choice}");
        }
        script.push('\n');
        let outcome = walk.advance(*step);
        if outcome.is_error() {
            has_failed = true;
            break;
        }
        snapshots.push(walk.snapshot());
    }
    let trace = built.run(&["--script"], &script);
    let told = |word: &str| {
        let lines = trace
            .lines()
            .filter_map(|line| line.split_once('\t').or(Some((line, ""))));
        let lines = lines.filter(|(first, _)| *first == word);
        lines.map(|(_, rest)| rest.to_string()).collect::<Vec<_>>()
    };
    let states: Vec<State> = told("state").iter().map(|line| State::read(line)).collect();
    let names: BTreeSet<String> = states.iter().flat_map(|state| state.names()).collect();
    let has = |name: &str| names.contains(name);
    let expected: Vec<State> = snapshots.iter().map(|s| State::of(s, &has)).collect();
    if states != expected {
        let at = states.iter().zip(&expected).position(|(a, b)| a != b);
        let at = at.unwrap_or(states.len().min(expected.len()));
        return Err(format!(
            "script of seed {seed}, after {at} steps: the program has {:?}, the model {:?}\n{script}{trace}",
            states.get(at),
            expected.get(at)
        ));
    }
    if told("fails").is_empty() == has_failed {
        return Err(format!(
            "script of seed {seed}: one fails, the other does not\n{trace}"
        ));
    }
    let program_able = told("can").into_iter().map(|line| {
        let movers = line.split('\t').filter(|text| !text.is_empty());
        movers
            .map(|text| text.parse().unwrap())
            .collect::<BTreeSet<u32>>()
    });
    for (at, (program, model)) in program_able.zip(&able).enumerate() {
        if program != *model {
            return Err(format!(
                "script of seed {seed}, after {at} steps: {program:?} and {model:?} can move"
            ));
        }
    }
    Ok(expected.len() - 1)
}

/// Numbers by xorshift.
pub struct Random(pub u64);

impl Random {
    fn one_of<'a, T>(&mut self, of: &'a [T]) -> Option<&'a T> {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        of.get((self.0 >> 11) as usize % of.len().max(1))
    }
}

/// Examples of a notation, in the folder of the examples and in those below it.
pub fn examples(notation: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../examples")
        .join(notation);
    let mut found = Vec::new();
    let mut folders = vec![folder];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            match path.extension() {
                _ if path.is_dir() => folders.push(path),
                Some(extension) if extension == notation => found.push(path),
                _ => {}
            }
        }
    }
    found.sort();
    assert!(found.len() > 5, "{found:?}");
    found
}

/// A number from outside, for longer campaigns.
pub fn number(name: &str, default: u64) -> u64 {
    let text = std::env::var(name).ok();
    text.and_then(|text| text.parse().ok()).unwrap_or(default)
}
