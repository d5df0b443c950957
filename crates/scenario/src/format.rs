//! The file format of scenarios: versioned JSON, one step per line.
//!
//! A reader needs `model`, `violation` and the three numbers of each step. Everything else in a
//! step is for people who look into the file. New fields may appear in the same version; a
//! change of meaning makes a new one.

use std::fmt;
use std::io::Read;
use std::path::Path;

use mazurka_model::{Interpreter, Step, TransitionId};
use serde::{Deserialize, Serialize};

use crate::kind::ViolationKind;
use crate::run::Run;
use crate::walk::{Position, position};

/// What the field `format` says.
pub const FORMAT: &str = "mazurka-scenario";
/// The version written, and the only one read.
pub const VERSION: u32 = 1;

/// No system has as many, and a chart has a column for each.
const MOST_PROCESSES: u32 = 256;
/// The longest file that is read: what is no file may never end.
const MOST_BYTES: u64 = 1 << 30;
/// A longer scenario is written without what is only for people: nobody reads it as it stands.
const STEPS_DESCRIBED: usize = 10_000;

/// A counterexample as it is kept.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Scenario {
    /// Always [`FORMAT`].
    pub format: String,
    /// Always [`VERSION`].
    pub version: u32,
    /// The name of the file as a check wrote it, which a later check may replace or remove. What somebody saved has none, and a copy
    /// under another name is not called so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub written_as: Option<String>,
    /// What was checked.
    pub model: Model,
    /// What went wrong; nothing if it is only a run that somebody kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub violation: Option<ViolationRecord>,
    /// For a violation that goes on for ever: the step, counted from 0, that follows the last.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub loop_from: Option<usize>,
    /// How to get there from the initial state.
    pub steps: Vec<ScenarioStep>,
}

/// A model and how it was read: all that decides what the numbers of a step mean.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Model {
    /// The path of its file; a relative one counts from the folder of the scenario.
    pub file: String,
    /// Its notation.
    pub language: String,
    /// Macros defined from outside, `NAME` or `NAME=VALUE`.
    #[serde(default)]
    pub defines: Vec<String>,
    /// A formula of the command line, which is read as if it stood at the end of the file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub formula: Option<String>,
    /// The [`fingerprint`] of all its text.
    pub hash: String,
    /// Was the program optimized? That changes what a step is.
    pub optimize: bool,
    /// Of a threaded program whose data races are ignored: the memory that is in races, since accesses to it are steps. Pieces of eight
    /// bytes by their number, each with the address of the object that accesses to it are about.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub racing: Vec<(u64, u64)>,
    /// Of a threaded program: may waits end, and weak compare-and-swaps fail, for no reason?
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub spurious: bool,
    /// Of a program that was not built for it: is a library preloaded?
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub preload: bool,
}

impl Model {
    /// The notation of what is not a model: a real program.
    pub const PROGRAM: &'static str = "program";

    /// Is it a real program?
    pub fn is_program(&self) -> bool {
        self.language == Model::PROGRAM
    }
}

/// A violation, as reports and scenarios describe it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct ViolationRecord {
    /// Which property is violated.
    pub property: String,
    /// What went wrong.
    pub kind: ViolationKind,
    /// One sentence.
    pub message: String,
    /// Where in the source.
    pub at: Option<Position>,
}

impl ViolationRecord {
    /// Which formula is false, by its name, as it stands before the message; nothing if it is about something else.
    pub fn formula(&self) -> String {
        match self.kind {
            ViolationKind::Ltl if self.property.starts_with("formula") => {
                format!("{}: ", self.property)
            }
            ViolationKind::Ltl => format!("formula {}: ", self.property),
            _ => String::new(),
        }
    }
}

/// `deadlock at model.pml:3: invalid end state`
impl fmt::Display for ViolationRecord {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}", self.kind)?;
        if let Some(at) = &self.at {
            write!(out, " at {}:{}", at.file, at.line)?;
        }
        write!(out, ": {}", self.message)
    }
}

/// A step. Only the first three fields count.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct ScenarioStep {
    /// The process that moves.
    pub process: u32,
    /// Its transition.
    pub transition: u32,
    /// Zero, or which partner it meets and how.
    #[serde(default)]
    pub choice: u32,
    /// The name of the process's type.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The file of the statement.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// The line of the statement.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    /// The statement.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub statement: Option<String>,
}

/// Why a file is not a scenario.
#[derive(Debug)]
pub enum FormatError {
    /// Not JSON, or not of this form.
    Json(serde_json::Error),
    /// Something else.
    NotAScenario,
    /// A scenario of a version this program does not know.
    Version(u32),
    /// A step of a process that cannot be.
    Process(u32),
}

impl Scenario {
    /// A scenario of steps from the initial state.
    pub fn new(
        model: Model,
        violation: impl Into<Option<ViolationRecord>>,
        interpreter: &Interpreter,
        steps: &[Step],
    ) -> Scenario {
        let described = steps.len() <= STEPS_DESCRIBED;
        let steps = steps
            .iter()
            .map(|step| {
                let plain = ScenarioStep::from(*step);
                if described {
                    plain.described(interpreter)
                } else {
                    plain
                }
            })
            .collect();
        Scenario {
            format: FORMAT.into(),
            version: VERSION,
            written_as: None,
            model,
            violation: violation.into(),
            loop_from: None,
            steps,
        }
    }

    /// What kind of violation it shows.
    pub fn kind(&self) -> Option<ViolationKind> {
        self.violation.as_ref().map(|violation| violation.kind)
    }

    /// The steps for the interpreter.
    pub fn steps(&self) -> Vec<Step> {
        self.steps
            .iter()
            .map(|step| Step {
                process: step.process,
                transition: TransitionId(step.transition),
                choice: step.choice,
            })
            .collect()
    }

    /// The text of the file.
    pub fn to_json(&self) -> String {
        let mut text = format!("{{\n\"format\": {},\n", json(&self.format));
        text += &format!("\"version\": {},\n", self.version);
        if let Some(name) = &self.written_as {
            text += &format!("\"written_as\": {},\n", json(name));
        }
        text += &format!("\"model\": {},\n", json(&self.model));
        if let Some(violation) = &self.violation {
            text += &format!("\"violation\": {},\n", json(violation));
        }
        if let Some(step) = self.loop_from {
            text += &format!("\"loop_from\": {step},\n");
        }
        text += "\"steps\": [";
        for (number, step) in self.steps.iter().enumerate() {
            text += if number == 0 { "\n" } else { ",\n" };
            text += &json(step);
        }
        text += "\n]\n}\n";
        text
    }

    /// Its run as a document: every number has become a name.
    pub fn run_json(&self, run: &Run) -> String {
        #[derive(Serialize)]
        struct Shown<'a> {
            format: &'a str,
            version: u32,
            model: &'a Model,
            violation: Option<&'a ViolationRecord>,
            run: &'a Run,
        }
        let shown = Shown {
            format: "mazurka-run",
            version: self.version,
            model: &self.model,
            violation: self.violation.as_ref(),
            run,
        };
        // There is nothing in it that could fail.
        serde_json::to_string_pretty(&shown).unwrap_or_default() + "\n"
    }

    /// Reads a file, or says which one cannot be read and why.
    pub fn open(path: &Path) -> Result<Scenario, String> {
        let unreadable = |reason: &dyn fmt::Display| {
            let path = path.display();
            format!("cannot read the scenario {path}: {reason}")
        };
        let mut bytes = Vec::new();
        std::fs::File::open(path)
            .and_then(|file| file.take(MOST_BYTES + 1).read_to_end(&mut bytes))
            .map_err(|error| unreadable(&error))?;
        if bytes.len() as u64 > MOST_BYTES {
            return Err(unreadable(&"it is longer than 1 GiB"));
        }
        Scenario::from_json(&bytes).map_err(|error| unreadable(&error))
    }

    /// Reads the text of a file.
    pub fn from_json(text: impl AsRef<[u8]>) -> Result<Scenario, FormatError> {
        #[derive(Deserialize)]
        struct Header {
            format: Option<String>,
            version: Option<u32>,
        }
        let bytes = text.as_ref();
        // What a parser of JSON says about a model or a picture helps nobody.
        if !bytes.trim_ascii_start().starts_with(b"{") {
            return Err(FormatError::NotAScenario);
        }
        let header: Header = serde_json::from_slice(bytes).map_err(FormatError::Json)?;
        match (header.format.as_deref(), header.version) {
            (Some(FORMAT), Some(VERSION)) => {}
            (Some(FORMAT), Some(other)) => return Err(FormatError::Version(other)),
            _ => return Err(FormatError::NotAScenario),
        }
        let scenario: Scenario = serde_json::from_slice(bytes).map_err(FormatError::Json)?;
        let mut processes = scenario.steps.iter().map(|step| step.process);
        match processes.find(|process| *process >= MOST_PROCESSES) {
            Some(process) => Err(FormatError::Process(process)),
            None => Ok(scenario),
        }
    }
}

impl ScenarioStep {
    /// With what people read: the process, the statement and where it stands.
    pub fn described(self, interpreter: &Interpreter) -> ScenarioStep {
        let program = interpreter.program();
        let transition = &program.transitions[self.transition as usize];
        let statement = &program.statements[transition.statement.index()];
        let at = position(program, statement.origin);
        ScenarioStep {
            name: Some(
                program.process_types[statement.process_type.index()]
                    .name
                    .clone(),
            ),
            file: Some(at.file),
            line: Some(at.line),
            statement: Some(statement.text.clone()),
            ..self
        }
    }
}

impl From<Step> for ScenarioStep {
    fn from(step: Step) -> ScenarioStep {
        ScenarioStep {
            process: step.process,
            transition: step.transition.0,
            choice: step.choice,
            name: None,
            file: None,
            line: None,
            statement: None,
        }
    }
}

/// Tells texts apart, so that a scenario is not replayed on a model that has changed: FNV-1a of
/// each text and its length.
pub fn fingerprint<'t>(texts: impl IntoIterator<Item = &'t str>) -> String {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for text in texts {
        let length = (text.len() as u64).to_le_bytes();
        for byte in text.bytes().chain(length) {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }
    format!("{hash:016x}")
}

/// Plain data has no map with odd keys and no number that JSON lacks.
fn json<T: Serialize>(value: &T) -> String {
    serde_json::to_string(value).expect("plain data is serializable")
}

impl fmt::Display for FormatError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FormatError::Json(error) => write!(out, "it is not a scenario: {error}"),
            FormatError::NotAScenario => out.write_str(
                "it is not a scenario of Mazurka; `check` and `explore` write one where they find a violation",
            ),
            FormatError::Process(process) => {
                write!(
                    out,
                    "a step is by process {process}, and no system has that many"
                )
            }
            FormatError::Version(version) => write!(
                out,
                "it is a scenario of version {version}, and this Mazurka reads version {VERSION}"
            ),
        }
    }
}

impl std::error::Error for FormatError {}

#[cfg(test)]
mod tests {
    use super::*;

    fn scenario() -> Scenario {
        Scenario {
            format: FORMAT.into(),
            version: VERSION,
            written_as: None,
            model: Model {
                file: "a.pml".into(),
                language: "promela".into(),
                defines: vec!["N=3".into()],
                formula: None,
                hash: fingerprint(["byte x"]),
                optimize: false,
                racing: Vec::new(),
                spurious: false,
                preload: false,
            },
            violation: Some(ViolationRecord {
                property: "safety".into(),
                kind: ViolationKind::Deadlock,
                message: "a \"quoted\" message".into(),
                at: None,
            }),
            loop_from: Some(1),
            steps: [(0, 4), (1, 7)]
                .map(|(process, transition)| Step {
                    process,
                    transition: TransitionId(transition),
                    choice: 0,
                })
                .map(ScenarioStep::from)
                .to_vec(),
        }
    }

    #[test]
    fn what_is_written_is_read_back() {
        let written = scenario().to_json();
        assert_eq!(Scenario::from_json(written.as_bytes()).unwrap(), scenario());
        assert_eq!(written.lines().count(), 11, "one step per line:\n{written}");
    }

    #[test]
    fn other_files_are_refused_with_a_reason() {
        let refusal = |text: &str| {
            Scenario::from_json(text.as_bytes())
                .unwrap_err()
                .to_string()
        };
        assert!(refusal("{}").starts_with("it is not a scenario of Mazurka; "));
        assert_eq!(refusal("byte x;"), refusal("{}"));
        assert!(refusal("{").starts_with("it is not a scenario: "));
        let later = scenario()
            .to_json()
            .replace("\"version\": 1", "\"version\": 9");
        assert!(refusal(&later).contains("version 9"));
    }

    #[test]
    fn a_step_of_a_process_that_cannot_be_is_refused() {
        let with = |process: u32| {
            let mut scenario = scenario();
            scenario.steps[0].process = process;
            Scenario::from_json(scenario.to_json().as_bytes())
        };
        assert!(with(255).is_ok());
        // A chart with a column for each would take all the memory there is.
        assert!(matches!(with(u32::MAX), Err(FormatError::Process(_))));
    }

    #[test]
    fn fingerprints_see_where_one_text_ends() {
        assert_ne!(fingerprint(["ab", "c"]), fingerprint(["a", "bc"]));
        assert_ne!(fingerprint(["a"]), fingerprint(["b"]));
    }
}
