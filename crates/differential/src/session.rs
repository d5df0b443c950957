//! One model before Mazurka, asked again and again: in process, or by the command as a user would type it.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use mazurka_checker::{Checker, Config, Error, Loaded, Outcome, Report, Supervisor, Written};
use mazurka_model::Program as Ready;
use mazurka_search::StopReason;
use mazurka_search::checkpoint::{Sink, Source};
use serde_json::{Map, Value, json};

use crate::ast::Program;
use crate::combination::{Asked, Combination, Course, judge};
use crate::features::{Feature, Features};
use crate::print::{print, print_marked};
use crate::process::run;
use crate::spin;

/// What Mazurka said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    Holds,
    Violated(BTreeSet<String>),
    /// A run-time error keeps a temporal property from being decided.
    NotDecided,
    /// For a reason that is none of the others.
    Inconclusive(String),
    /// The options do not go together, or not with this model.
    Refused(String),
    /// The model is not accepted.
    Rejected(String),
    /// An internal error, a panic, no answer at all.
    Broken(String),
    Timeout,
    /// Some paths were too long for the search.
    PathsCut(String),
    /// The search did not fit into the memory that all searches are given here.
    OutOfMemory,
}

impl Answer {
    /// Must the same be said under all options?
    pub fn is_decisive(&self) -> bool {
        matches!(
            self,
            Answer::Holds | Answer::Violated(_) | Answer::NotDecided
        )
    }
}

/// An answer with the counts and the verdicts of single properties.
#[derive(Clone, Debug)]
pub struct Said {
    pub answer: Answer,
    pub states: u64,
    pub properties: BTreeMap<String, String>,
    /// Is there a scenario of a violation?
    pub scenario: bool,
}

/// A folder with a model in it, and how Mazurka is asked about it.
pub struct Session<'s> {
    pub mazurka: &'s Path,
    pub folder: &'s Path,
    /// By the command, and not in process.
    pub by_command: bool,
}

const LIMIT: Duration = Duration::from_secs(20);

/// Where the command saves a search.
const SAVED: &str = "model.saved";

/// What stands for the verdict of a property whose search ended by its time limit.
const OUT_OF_TIME: &str = "out of time";
const OUT_OF_MEMORY: &str = "out of memory";
const PATHS_CUT: &str = "some paths are";

impl Session<'_> {
    pub fn write(&self, text: &str) -> io::Result<()> {
        fs::write(self.folder.join("model.pml"), text)
    }

    /// Asks about the model that was written.
    pub fn ask(&self, asked: &Asked, combination: &Combination, more: &[&str]) -> io::Result<Said> {
        let mut options = asked.options();
        options.extend(combination.options.iter().cloned());
        options.extend(more.iter().map(|word| word.to_string()));
        if !self.by_command {
            let text = fs::read(self.folder.join("model.pml"))?;
            return Ok(ask_here(
                "model.pml",
                &text,
                &options,
                &[],
                combination.course,
            ));
        }
        match combination.course {
            Course::Whole => self.ask_command(&options),
            Course::Resumed => self.ask_and_resume(&options),
            Course::Sharded => self.ask_parts(&options),
        }
    }

    fn ask_command(&self, options: &[String]) -> io::Result<Said> {
        let mut command = self.check(options);
        if !options.iter().any(|word| word == "--time") {
            command.args(["--time", "10s"]);
        }
        self.said(&mut command)
    }

    fn check(&self, options: &[String]) -> Command {
        let mut command = Command::new(self.mazurka);
        command.args(["check", "model.pml", "--json", "--quiet"]);
        command.args(options);
        command
    }

    /// Stops the search after a moment, and resumes it for ever longer moments until it is done.
    fn ask_and_resume(&self, options: &[String]) -> io::Result<Said> {
        let saved = self.folder.join(SAVED);
        if saved.exists() {
            fs::remove_file(&saved)?;
        }
        let mut command = self.check(options);
        command.args(["--checkpoint", SAVED, "--time", "1ms"]);
        let mut said = self.said(&mut command)?;
        let mut moment = Duration::from_millis(2);
        while said.is_out_of_time() && saved.exists() && moment < LIMIT {
            let mut command = Command::new(self.mazurka);
            command.args(["resume", SAVED, "--json", "--quiet", "--time"]);
            command.arg(format!("{}ms", moment.as_millis()));
            said = self.said(&mut command)?;
            moment *= 2;
        }
        Ok(said)
    }

    /// Each part by itself, then what they say together.
    fn ask_parts(&self, options: &[String]) -> io::Result<Said> {
        let mut parts = Vec::new();
        for part in ["1/2", "2/2"] {
            let mut command = self.check(options);
            command.args(["--shard", part]).current_dir(self.folder);
            let Some(finished) = run(&mut command, self.folder, LIMIT)? else {
                return Ok(Said::of(Answer::Timeout));
            };
            if !matches!(finished.code, Some(0 | 1 | 3)) {
                return self.said(&mut command);
            }
            let name = format!("part-{}.json", parts.len());
            fs::write(self.folder.join(&name), &finished.stdout)?;
            parts.push(name);
        }
        let mut command = Command::new(self.mazurka);
        self.said(command.arg("merge").args(parts))
    }

    /// What a command says.
    fn said(&self, command: &mut Command) -> io::Result<Said> {
        command.current_dir(self.folder);
        let Some(finished) = run(command, self.folder, LIMIT)? else {
            return Ok(Said::of(Answer::Timeout));
        };
        let complaint = finished.stderr.trim();
        match finished.code {
            Some(0 | 1 | 3) => {}
            Some(2) if complaint.contains("internal error") => {
                return Ok(Said::of(Answer::Broken(complaint.into())));
            }
            Some(2) if complaint.starts_with("error: ") => {
                return Ok(Said::of(Answer::Refused(complaint.into())));
            }
            Some(2) => return Ok(Said::of(Answer::Rejected(complaint.into()))),
            code => {
                let text = format!("ended with {code:?}: {complaint}");
                return Ok(Said::of(Answer::Broken(text)));
            }
        }
        let Ok(value) = serde_json::from_str::<Value>(&finished.stdout) else {
            let text = format!("unexpected output: {}", finished.stdout);
            return Ok(Said::of(Answer::Broken(text)));
        };
        Ok(Said::read(&value))
    }

    /// Shows the scenario of the last violation; what is wrong with it.
    pub fn not_shown(&self) -> io::Result<Option<String>> {
        // In process a scenario was replayed with the answer.
        if !self.by_command {
            return Ok(None);
        }
        // Many go into a folder.
        let places = ["model.scenario.json", "model.scenarios/001.scenario.json"];
        let mut places = places.into_iter();
        let place = places.find(|place| self.folder.join(place).exists());
        let Some(place) = place else {
            return Ok(Some("it has no scenario".into()));
        };
        let mut command = Command::new(self.mazurka);
        command.args(["show", place]).current_dir(self.folder);
        Ok(match run(&mut command, self.folder, LIMIT)? {
            Some(finished) if finished.code == Some(0) => None,
            Some(finished) => Some(format!("its scenario: {}", finished.stderr.trim())),
            None => Some("its scenario takes too long".into()),
        })
    }

    pub fn is_broken(&self, candidate: &Program, asked: &Asked, combination: &Combination) -> bool {
        let result = self
            .write(&print(candidate))
            .and_then(|()| self.ask(asked, combination, &[]));
        result.is_ok_and(|said| matches!(said.answer, Answer::Broken(_)))
    }

    /// Does a smaller model show a difference between the full search and a combination?
    pub fn differs(&self, candidate: &Program, asked: &Asked, combination: &Combination) -> bool {
        let compared = || -> io::Result<bool> {
            self.write(&print(candidate))?;
            if asked.is_temporal() {
                let truth = self.ask(asked, &judge(), &[])?.answer;
                if !truth.is_decisive() {
                    return Ok(false);
                }
                let found = self.ask(asked, combination, &[])?.answer;
                return Ok(same(&truth, &found).is_some());
            }
            let kinds = match self.ask(&Asked::Safety, &judge(), &["--all"])?.answer {
                Answer::Holds => BTreeSet::new(),
                Answer::Violated(kinds) => kinds,
                _ => return Ok(false),
            };
            let said = self.ask(asked, combination, &[])?;
            Ok(judged(asked, combination, &kinds, &said).is_some())
        };
        compared().unwrap_or(false)
    }

    pub fn differs_from_spin(
        &self,
        candidate: &Program,
        question: &spin::Question,
        limits: &spin::Limits,
    ) -> bool {
        let asked = match (&question.claim, question.progress) {
            (Some(name), _) => Asked::Claim {
                name: name.clone(),
                fair: false,
            },
            (None, true) => Asked::Progress { fair: false },
            (None, false) => Asked::Acceptance { fair: false },
        };
        let text = print(candidate);
        let Ok(said) = self
            .write(&text)
            .and_then(|()| self.ask(&asked, &judge(), &[]))
        else {
            return false;
        };
        let used = print_marked(candidate).all();
        let Some(question) = self::question(&asked, &said.answer, used) else {
            return false;
        };
        let answers = spin::judge(
            &for_spin(&text, used),
            std::slice::from_ref(&question),
            limits,
        );
        let first = answers
            .ok()
            .and_then(|answers| answers.first().copied().flatten());
        first.is_some_and(|holds| holds != question.expected)
    }
}

/// Asks in process, by the library that the command is made of.
pub fn ask_here(
    name: &str,
    text: &[u8],
    options: &[String],
    defines: &[String],
    course: Course,
) -> Said {
    let config = match config_of(options) {
        Ok(config) => Config {
            define: defines.to_vec(),
            checkpoint: course == Course::Resumed,
            ..config
        },
        Err(reason) => return Said::of(Answer::Broken(reason)),
    };
    let checker = || Ok::<_, Error>(Checker::from_source(name, text)?.config(config.clone()));
    let checked = catch_unwind(AssertUnwindSafe(|| match course {
        Course::Whole => conclude(checker()?.run()?),
        Course::Resumed => resumed(&checker()?).and_then(conclude),
        Course::Sharded => in_parts(&checker()?),
    }));
    match checked {
        Ok(Ok(said)) => said,
        Ok(Err(Error::Usage(reason))) => Said::of(Answer::Refused(reason)),
        Ok(Err(error @ Error::Diagnostics(_))) => Said::of(Answer::Rejected(error.to_string())),
        Ok(Err(error)) => Said::of(Answer::Broken(error.to_string())),
        Err(_) => Said::of(Answer::Broken("a panic".into())),
    }
}

/// What an outcome says; all of its scenarios can be repeated.
fn conclude(outcome: Outcome) -> Result<Said, Error> {
    for violation in outcome.with_scenarios() {
        outcome.run(violation)?;
    }
    Ok(Said::from(&outcome))
}

/// A search is stopped so often: it gets a few hundred steps further each time.
const MOST_STOPS: u32 = 10;

/// Stops the search whenever it can be saved, and resumes it, until it is done.
fn resumed(checker: &Checker) -> Result<Outcome, Error> {
    let mut saved = None;
    let mut stops_left = MOST_STOPS;
    loop {
        let mut stops = Stops {
            from: saved.take(),
            is_patient: stops_left == 0,
            ..Stops::default()
        };
        let outcome = checker.run_with(&mut stops)?;
        if stops.saved.is_none() || stops.is_patient {
            return Ok(outcome);
        }
        saved = stops.saved;
        stops_left -= 1;
    }
}

/// Stops a search as soon as it is saved.
#[derive(Default)]
struct Stops {
    from: Option<Vec<u8>>,
    saved: Option<Vec<u8>>,
    stop: Arc<AtomicBool>,
    /// Is the search left alone?
    is_patient: bool,
}

impl Supervisor for Stops {
    fn stop(&self) -> Arc<AtomicBool> {
        self.stop.clone()
    }

    fn resume(&mut self, _: &Loaded, _: &Ready) -> Result<Option<Source>, String> {
        Ok(self.from.take().map(|saved| {
            let length = saved.len() as u64;
            Source::new(io::Cursor::new(saved), length)
        }))
    }

    fn checkpoint_due(&self) -> Option<Instant> {
        (!self.is_patient).then(Instant::now)
    }

    fn checkpoint(&mut self, write: &mut dyn FnMut(&mut Sink<'_>) -> io::Result<()>) {
        let mut saved = Vec::new();
        let mut sink = Sink::new(&mut saved);
        write(&mut sink)
            .and_then(|()| sink.finish())
            .expect("a search can be saved");
        self.saved = Some(saved);
        self.stop.store(true, Ordering::Relaxed);
    }
}

/// Both parts of a swarm, as one.
fn in_parts(checker: &Checker) -> Result<Said, Error> {
    let part = |shard: &str| {
        let mut config = None;
        let checker = checker.clone().with(|given| {
            given.shard = Some(shard.into());
            config = Some(given.clone());
        });
        let outcome = checker.run()?;
        let config = config.unwrap_or_default();
        Ok::<_, Error>(Report::of(&outcome, &config, &Written::default()))
    };
    let merged = part("1/2")?.merge(&part("2/2")?);
    let value = merged.and_then(|report| {
        let text = report.to_json();
        serde_json::from_str::<Value>(&text).map_err(|error| error.to_string())
    });
    Ok(match value {
        Ok(value) => Said::read(&value),
        Err(reason) => Said::of(Answer::Broken(reason)),
    })
}

/// The options of the command as the library has them: they have the same names.
fn config_of(options: &[String]) -> Result<Config, String> {
    let mut given = Map::new();
    let mut words = options.iter().peekable();
    while let Some(word) = words.next() {
        let Some(name) = word.strip_prefix("--") else {
            return Err(format!("{word} is not an option"));
        };
        let value = words.next_if(|value| !value.starts_with("--"));
        let value = match (name, value) {
            (_, None) => Value::Bool(true),
            ("memory", Some(size)) => {
                let (number, unit) = size.split_at(size.len() - 1);
                let number = number.parse::<u64>().map_err(|error| error.to_string())?;
                json!(number << if unit == "K" { 10 } else { 20 })
            }
            ("time", Some(time)) => {
                let milliseconds = time.trim_end_matches("ms").parse::<f64>();
                json!(milliseconds.map_err(|error| error.to_string())? / 1000.0)
            }
            ("audit", Some(share)) => json!(share.parse::<f64>().ok()),
            (_, Some(value)) => match value.parse::<u64>() {
                Ok(number) => json!(number),
                Err(_) => json!(value),
            },
        };
        given.insert(name.to_string(), value);
    }
    given.entry("time").or_insert(json!(10.0));
    // Large stores take longer to make than small models to search.
    given.entry("memory").or_insert(json!(32 << 20));
    serde_json::from_value(Value::Object(given)).map_err(|error| error.to_string())
}

/// The model as SPIN is asked about its claims. Assertions of the model do not count; those of a claim are violations of it.
pub fn for_spin(text: &str, used: Features) -> String {
    match used.has(Feature::ClaimAssertions) {
        true => text.into(),
        false => spin::without_assertions(text),
    }
}

/// What SPIN can be asked: not where it is known to mean something else (`docs/spin-differences.md`).
pub fn question(asked: &Asked, answer: &Answer, used: Features) -> Option<spin::Question> {
    let expected = match answer {
        Answer::Holds => true,
        Answer::Violated(kinds) => {
            // Assertions of the system are not asked for.
            let own = ["ltl", "never", "acceptance-cycle", "non-progress-cycle"];
            if !kinds.iter().all(|kind| own.contains(&kind.as_str())) {
                return None;
            }
            false
        }
        _ => return None,
    };
    let (claim, progress) = match asked {
        Asked::Claim { name, .. } => (Some(name.clone()), false),
        Asked::Acceptance { .. } => (None, false),
        Asked::Progress { .. } => (None, true),
        _ => return None,
    };
    // Marks in atomic sequences do not count there, those of processes count beside a formula too, and a fair system never stops.
    let marks = match &claim {
        Some(_) => used.has(Feature::AcceptLabels),
        None => used.has(Feature::InnerLabels),
    };
    // A claim, and what looks for livelocks, is one more process there.
    let counts = used.has(Feature::ProcessCount) && (claim.is_some() || progress);
    (!marks && !counts && !asked.is_fair()).then_some(spin::Question {
        claim,
        progress,
        expected,
    })
}

/// What is wrong with the answer to a question of safety, where the full search found violations of these kinds.
pub fn judged(
    asked: &Asked,
    combination: &Combination,
    kinds: &BTreeSet<String>,
    said: &Said,
) -> Option<String> {
    let failures = kinds.iter().any(|kind| kind != "deadlock");
    // What must be found, and what may be.
    let (must, may) = match asked {
        Asked::Deadlock => (kinds.contains("deadlock"), !kinds.is_empty()),
        Asked::Assertion => (failures, failures),
        Asked::Only(kind) => (kinds.contains(*kind), !kinds.is_empty()),
        _ => (!kinds.is_empty(), !kinds.is_empty()),
    };
    let answer = match asked {
        Asked::All => match said.properties.get("safety").map(String::as_str) {
            Some("holds") => Answer::Holds,
            Some("violated") => Answer::Violated(BTreeSet::new()),
            Some(OUT_OF_TIME) => Answer::Timeout,
            Some(OUT_OF_MEMORY) => Answer::OutOfMemory,
            Some(PATHS_CUT) => Answer::PathsCut(PATHS_CUT.into()),
            Some(verdict) => Answer::Inconclusive(verdict.into()),
            None => said.answer.clone(),
        },
        _ => said.answer.clone(),
    };
    let undecided = combination.lossy || combination.bounded;
    match answer {
        Answer::Holds if must => Some("holds, but the full search finds a violation".into()),
        Answer::Violated(_) if !may => Some("violated, but the full search finds nothing".into()),
        Answer::Inconclusive(_) | Answer::PathsCut(_) if combination.bounded => None,
        // The memory of such a store was the limit.
        Answer::PathsCut(_) if combination.never_grows() => None,
        Answer::PathsCut(reason) => Some(format!("inconclusive: {reason}")),
        Answer::Inconclusive(_) if undecided && !must => None,
        Answer::Inconclusive(reason) => Some(format!("inconclusive: {reason}")),
        Answer::Broken(text) => Some(text),
        Answer::Rejected(text) => Some(format!("now it rejects the model: {text}")),
        _ => None,
    }
}

pub fn same(truth: &Answer, answer: &Answer) -> Option<String> {
    match (truth, answer) {
        (Answer::Holds, Answer::Holds)
        | (Answer::NotDecided, Answer::NotDecided)
        | (Answer::Violated(_), Answer::Violated(_))
        | (_, Answer::Refused(_) | Answer::Timeout | Answer::OutOfMemory) => None,
        (_, Answer::Broken(text)) => Some(text.clone()),
        (truth, answer) => Some(format!("{answer:?}, but the full search says {truth:?}")),
    }
}

impl From<&Outcome> for Said {
    fn from(outcome: &Outcome) -> Said {
        let kinds = outcome
            .violations()
            .map(|violation| violation.kind().to_string())
            .collect();
        let audits = outcome.properties.iter().map(|property| &property.audit);
        let stops: Vec<StopReason> = outcome
            .properties
            .iter()
            .map(|property| property.stop)
            .collect();
        let mut failed = audits.flat_map(|audit| &audit.tally.findings);
        let answer = match outcome.verdict().name() {
            _ if outcome.has_failed_audit() => {
                let message = failed.next().map(|finding| finding.message.as_str());
                Answer::Broken(format!("audit: {}", message.unwrap_or_default()))
            }
            "holds" => Answer::Holds,
            "violated" => Answer::Violated(kinds),
            // On a busy machine.
            _ if stops.contains(&StopReason::Time) => Answer::Timeout,
            _ if outcome.stopped_by().next().is_some() => Answer::NotDecided,
            _ if stops.contains(&StopReason::Memory) => Answer::OutOfMemory,
            _ if stops.contains(&StopReason::Depth) => Answer::PathsCut(format!("{stops:?}")),
            _ => Answer::Inconclusive(format!("{stops:?}")),
        };
        let first = outcome.properties.first();
        Said {
            answer,
            states: first.map_or(0, |property| property.statistics.states),
            properties: outcome
                .properties
                .iter()
                .map(|property| {
                    let verdict = match (property.verdict.name(), property.stop) {
                        ("inconclusive", StopReason::Time) => OUT_OF_TIME,
                        ("inconclusive", StopReason::Memory) => OUT_OF_MEMORY,
                        ("inconclusive", StopReason::Depth) => PATHS_CUT,
                        (verdict, _) => verdict,
                    };
                    (property.name.clone(), verdict.to_string())
                })
                .collect(),
            scenario: outcome.violations().next().is_some(),
        }
    }
}

impl Said {
    fn of(answer: Answer) -> Said {
        Said {
            answer,
            states: 0,
            properties: BTreeMap::new(),
            scenario: false,
        }
    }

    fn read(value: &Value) -> Said {
        let text = |value: &Value, name: &str| {
            let found = value.get(name).and_then(Value::as_str);
            found.unwrap_or_default().to_string()
        };
        let list = |name: &str| {
            let found = value.get(name).and_then(Value::as_array);
            found.cloned().unwrap_or_default()
        };
        let violations = list("violations");
        let properties = list("properties");
        let stopped = properties
            .iter()
            .any(|property| property.get("stopped_by").is_some());
        let failed = properties.iter().find_map(|property| {
            let failures = property.pointer("/audit/failures")?.as_array()?;
            failures.first().map(Value::to_string)
        });
        let reason = text(value, "reason");
        let answer = match text(value, "verdict").as_str() {
            _ if failed.is_some() => {
                Answer::Broken(format!("audit: {}", failed.unwrap_or_default()))
            }
            "holds" => Answer::Holds,
            "violated" => {
                Answer::Violated(violations.iter().map(|found| text(found, "kind")).collect())
            }
            "inconclusive" if reason.starts_with(OUT_OF_TIME) => Answer::Timeout,
            "inconclusive" if stopped => Answer::NotDecided,
            "inconclusive" if reason.starts_with(OUT_OF_MEMORY) => Answer::OutOfMemory,
            "inconclusive" if reason.starts_with(PATHS_CUT) => Answer::PathsCut(reason),
            "inconclusive" => Answer::Inconclusive(reason),
            other => Answer::Broken(format!("the verdict `{other}`")),
        };
        let states = value.pointer("/stats/states").and_then(Value::as_u64);
        Said {
            answer,
            states: states.unwrap_or(0),
            properties: properties
                .iter()
                .map(|property| {
                    let reason = text(property, "reason");
                    let limits = [OUT_OF_TIME, OUT_OF_MEMORY, PATHS_CUT].into_iter();
                    let verdict = match limits.into_iter().find(|limit| reason.starts_with(limit)) {
                        Some(limit) => limit.to_string(),
                        None => text(property, "verdict"),
                    };
                    (text(property, "name"), verdict)
                })
                .collect(),
            scenario: !violations.is_empty(),
        }
    }

    /// Did the search of a property end by its time limit?
    fn is_out_of_time(&self) -> bool {
        let mut verdicts = self.properties.values();
        self.answer == Answer::Timeout || verdicts.any(|verdict| verdict == OUT_OF_TIME)
    }
}
