//! Random models under random combinations of options, with the full search and SPIN as judges.
//!
//! Everything goes through the command itself, as a user would type it: the plan that it makes of the options is part of what is
//! tested. For each model the full search (`--reduce none --optimize off`) says what is true; the same question under other options
//! must be answered the same. An answer that is refused with a reason is counted; an internal error is a disagreement, and so is a
//! violation whose scenario cannot be shown.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::ast::{Claim, Program};
use crate::combination::{Asked, Combination, judge, of_claim, of_safety};
use crate::compare::{Comparison, compare};
use crate::execution::{Executed, execute};
use crate::features::{Feature, Features};
use crate::generate::generate;
use crate::pairs::Pairs;
use crate::print::{print, print_marked};
use crate::process::{Folder, run};
use crate::random::Random;
use crate::shrink::{Effort, shrink};
use crate::{mazurka, spin};

/// How models are compared.
#[derive(Clone, Debug)]
pub struct Drive {
    pub mazurka: PathBuf,
    /// How many combinations of options for each property.
    pub combinations: usize,
    /// Ask SPIN about one in so many of the models it can judge; 0 for none.
    pub spin: u64,
    pub keep: Option<PathBuf>,
    pub effort: Effort,
    /// Models with more states are left out.
    pub states: u64,
}

/// What was compared, and with what result.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    pub models: u64,
    /// Models that were too large, or not accepted.
    pub left_out: u64,
    pub combinations: u64,
    pub holding: u64,
    pub violated: u64,
    pub refused: u64,
    /// Searches that are allowed not to decide, and did not.
    pub undecided: u64,
    pub spin: u64,
    pub disagreements: u64,
    /// Comparisons of each kind of property, and violations of each kind.
    pub kinds: BTreeMap<String, u64>,
}

impl Tally {
    pub fn to_json(&self) -> Value {
        json!({
            "models": self.models,
            "left_out": self.left_out,
            "combinations": self.combinations,
            "holding": self.holding,
            "violated": self.violated,
            "refused": self.refused,
            "undecided": self.undecided,
            "spin": self.spin,
            "disagreements": self.disagreements,
            "kinds": self.kinds,
        })
    }

    fn count(&mut self, kind: &str) {
        *self.kinds.entry(kind.to_string()).or_default() += 1;
    }
}

/// What the command said.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Answer {
    Holds,
    Violated(BTreeSet<String>),
    Inconclusive,
    /// The options do not go together, or not with this model.
    Refused(String),
    /// The model is not accepted.
    Rejected(String),
    /// An internal error, a panic, no answer at all.
    Broken(String),
    Timeout,
}

/// An answer with the counts and the verdicts of single properties.
struct Result {
    answer: Answer,
    states: u64,
    properties: BTreeMap<String, String>,
    scenario: bool,
}

/// The features from which the model of a seed is drawn: for every third those that SPIN can judge.
pub fn features_of(seed: u64) -> Features {
    match seed % 3 {
        0 => Features::default(),
        _ => Features::all(),
    }
}

const LIMIT: Duration = Duration::from_secs(20);

impl Drive {
    /// Compares the model of one seed.
    pub fn model(&self, seed: u64, tally: &mut Tally, pairs: &mut Pairs) -> io::Result<()> {
        let program = generate(seed, features_of(seed));
        let mut random = Random::new(seed ^ 0x636f_6d62);
        let folder = Folder::new()?;
        let marked = print_marked(&program);
        let session = Session {
            mazurka: &self.mazurka,
            folder: folder.path(),
        };
        session.write(&marked.text)?;
        tally.models += 1;
        let safety = session.ask(&Asked::Safety, &judge(), &["--all"])?;
        let kinds = match &safety.answer {
            Answer::Holds => BTreeSet::new(),
            Answer::Violated(kinds) => kinds.clone(),
            Answer::Broken(text) => {
                self.found(
                    seed,
                    &program,
                    "the full search",
                    text,
                    tally,
                    |candidate| session.is_broken(candidate, &Asked::Safety, &judge()),
                )?;
                return Ok(());
            }
            _ => {
                tally.left_out += 1;
                return Ok(());
            }
        };
        if safety.states > self.states {
            tally.left_out += 1;
            return Ok(());
        }
        if kinds.is_empty() {
            tally.count("models-holding");
        }
        for kind in &kinds {
            tally.count(&format!("models-{kind}"));
        }
        for _ in 0..self.combinations {
            let asked = match random.below(10) {
                0..=4 => Asked::Safety,
                5 | 6 => Asked::Deadlock,
                7 => Asked::Assertion,
                _ => Asked::All,
            };
            let combination = of_safety(&mut random, safety.states);
            let result = session.ask(&asked, &combination, &[])?;
            let complaint = judged(&asked, &combination, &kinds, &result);
            self.conclude(
                seed,
                &program,
                &session,
                (&asked, &combination, &result),
                complaint,
                tally,
            )?;
        }
        let mut temporal: Vec<Asked> = Vec::new();
        for claim in &program.claims {
            let (Claim::Formula { name, .. } | Claim::Never { name, .. }) = claim;
            for fair in [false, true] {
                let name = name.clone();
                temporal.push(Asked::Claim { name, fair });
            }
        }
        let used = marked.all();
        if used.has(Feature::AcceptLabels) {
            let fair = random.chance(50);
            temporal.push(Asked::Acceptance { fair });
        }
        if used.has(Feature::ProgressLabels) || random.chance(20) {
            let fair = random.chance(50);
            temporal.push(Asked::Progress { fair });
        }
        let mut truths = BTreeMap::new();
        for asked in temporal {
            let truth = session.ask(&asked, &judge(), &[])?;
            match &truth.answer {
                Answer::Holds | Answer::Violated(_) => {}
                Answer::Broken(text) => {
                    self.found(
                        seed,
                        &program,
                        "the full search",
                        text,
                        tally,
                        |candidate| session.is_broken(candidate, &asked, &judge()),
                    )?;
                    session.write(&marked.text)?;
                    continue;
                }
                _ => continue,
            }
            let count = match asked.is_fair() {
                true => 1,
                false => (self.combinations / 2).max(1),
            };
            for _ in 0..count {
                let combination = of_claim(&mut random, asked.is_fair());
                let result = session.ask(&asked, &combination, &[])?;
                let complaint = same(&truth.answer, &result.answer);
                let found = (&asked, &combination, &result);
                self.conclude(seed, &program, &session, found, complaint, tally)?;
            }
            truths.insert(asked, truth.answer);
        }
        let for_spin = used.are_for_spin() && self.spin > 0 && seed % (3 * self.spin) == 0;
        let by_spin = for_spin && self.ask_spin(seed, &program, &truths, tally)?;
        let executed = execute(&marked, seed).unwrap_or_else(|| Executed { paths: Vec::new() });
        pairs.note(used, &executed, by_spin, true, !truths.is_empty());
        Ok(())
    }

    /// Counts an answer, and keeps the model if it is not what it must be.
    fn conclude(
        &self,
        seed: u64,
        program: &Program,
        session: &Session<'_>,
        (asked, combination, result): (&Asked, &Combination, &Result),
        complaint: Option<String>,
        tally: &mut Tally,
    ) -> io::Result<()> {
        tally.combinations += 1;
        tally.count(asked.kind());
        match &result.answer {
            Answer::Holds => tally.holding += 1,
            Answer::Violated(_) => tally.violated += 1,
            Answer::Refused(_) => tally.refused += 1,
            _ => tally.undecided += 1,
        }
        let complaint = match complaint {
            None if result.scenario && tally.combinations % 8 == 0 => session.not_shown()?,
            complaint => complaint,
        };
        let Some(complaint) = complaint else {
            return Ok(());
        };
        let typed = [asked.options(), combination.options.clone()].concat();
        let what = format!("check {}: {complaint}", typed.join(" "));
        self.found(seed, program, &what, "", tally, |candidate| {
            session.differs(candidate, asked, combination)
        })?;
        session.write(&print(program))
    }

    /// Shrinks a model that shows something wrong, says so, and keeps it.
    fn found(
        &self,
        seed: u64,
        program: &Program,
        what: &str,
        text: &str,
        tally: &mut Tally,
        mut fails: impl FnMut(&Program) -> bool,
    ) -> io::Result<()> {
        tally.disagreements += 1;
        let small = shrink(program, self.effort, &mut fails);
        let note = format!("seed {seed}: {what} {text}");
        println!("/* {note} */\n{}", print(&small));
        if let Some(folder) = &self.keep {
            fs::create_dir_all(folder)?;
            let number = tally.disagreements;
            let path = |suffix: &str| folder.join(format!("seed-{seed}-{number}{suffix}"));
            fs::write(path(".pml"), print(program))?;
            fs::write(path(".shrunk.pml"), print(&small))?;
            fs::write(path(".txt"), note)?;
        }
        Ok(())
    }

    /// Asks SPIN for its counts and for the claims; false if it has no answer at all.
    fn ask_spin(
        &self,
        seed: u64,
        program: &Program,
        truths: &BTreeMap<Asked, Answer>,
        tally: &mut Tally,
    ) -> io::Result<bool> {
        let text = print(program);
        let limits = spin::Limits::small();
        let expected = spin::verify(&text, None, &limits);
        let found = mazurka::verify(&self.mazurka, &text, LIMIT);
        match compare(&expected, &found) {
            Comparison::Agree => tally.spin += 1,
            Comparison::Differ(difference) => {
                let what = format!("SPIN: {difference}");
                self.found(seed, program, &what, "", tally, |candidate| {
                    let text = print(candidate);
                    let expected = spin::verify(&text, None, &limits);
                    let found = mazurka::verify(&self.mazurka, &text, LIMIT);
                    matches!(compare(&expected, &found), Comparison::Differ(_))
                })?;
            }
            Comparison::Rejected(_) | Comparison::Unfinished => return Ok(false),
        }
        let used = print_marked(program).all();
        let questions: Vec<spin::Question> = truths
            .iter()
            .filter_map(|(asked, answer)| question(asked, answer, used))
            .collect();
        let Ok(answers) = spin::judge(&text, &questions, &limits) else {
            return Ok(true);
        };
        for (question, answer) in questions.iter().zip(answers) {
            match answer {
                None => continue,
                Some(holds) if holds == question.expected => {
                    tally.spin += 1;
                    tally.count("spin-temporal");
                }
                Some(holds) => {
                    let what = format!("SPIN: {question:?} holds: {holds}");
                    let asked = question.clone();
                    self.found(seed, program, &what, "", tally, |candidate| {
                        let folder = Folder::new().ok();
                        folder.is_some_and(|folder| {
                            let session = Session {
                                mazurka: &self.mazurka,
                                folder: folder.path(),
                            };
                            session.differs_from_spin(candidate, &asked, &limits)
                        })
                    })?;
                }
            }
        }
        Ok(true)
    }
}

/// What SPIN can be asked: not where it is known to mean something else (`docs/spin-differences.md`).
fn question(asked: &Asked, answer: &Answer, used: Features) -> Option<spin::Question> {
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
    // Marks in atomic sequences do not count there, and a fair system never stops there.
    let marks =
        used.has(Feature::InnerLabels) && (claim.is_none() || used.has(Feature::AcceptLabels));
    (!marks && !asked.is_fair()).then_some(spin::Question {
        claim,
        progress,
        expected,
    })
}

/// What is wrong with the answer to a question of safety, where the full search found violations of these kinds.
fn judged(
    asked: &Asked,
    combination: &Combination,
    kinds: &BTreeSet<String>,
    result: &Result,
) -> Option<String> {
    let failures = kinds.iter().any(|kind| kind != "deadlock");
    // What must be found, and what may be.
    let (must, may) = match asked {
        Asked::Deadlock => (kinds.contains("deadlock"), !kinds.is_empty()),
        Asked::Assertion => (failures, failures),
        _ => (!kinds.is_empty(), !kinds.is_empty()),
    };
    let answer = match asked {
        Asked::All => match result.properties.get("safety").map(String::as_str) {
            Some("holds") => Answer::Holds,
            Some("violated") => Answer::Violated(BTreeSet::new()),
            Some(_) => Answer::Inconclusive,
            None => result.answer.clone(),
        },
        _ => result.answer.clone(),
    };
    let undecided = combination.lossy || combination.bounded;
    match answer {
        Answer::Holds if must => Some("holds, but the full search finds a violation".into()),
        Answer::Violated(_) if !may => Some("violated, but the full search finds nothing".into()),
        Answer::Inconclusive if combination.bounded => None,
        Answer::Inconclusive if undecided && !must => None,
        Answer::Inconclusive => Some("inconclusive".into()),
        Answer::Broken(text) => Some(text),
        Answer::Rejected(text) => Some(format!("now it rejects the model: {text}")),
        _ => None,
    }
}

fn same(truth: &Answer, answer: &Answer) -> Option<String> {
    match (truth, answer) {
        (Answer::Holds, Answer::Holds)
        | (Answer::Violated(_), Answer::Violated(_))
        | (_, Answer::Refused(_) | Answer::Timeout) => None,
        (_, Answer::Broken(text)) => Some(text.clone()),
        (truth, answer) => Some(format!("{answer:?}, but the full search says {truth:?}")),
    }
}

/// A folder with a model in it, and the command.
struct Session<'s> {
    mazurka: &'s Path,
    folder: &'s Path,
}

impl Session<'_> {
    fn write(&self, text: &str) -> io::Result<()> {
        fs::write(self.folder.join("model.pml"), text)
    }

    fn ask(&self, asked: &Asked, combination: &Combination, more: &[&str]) -> io::Result<Result> {
        let mut command = Command::new(self.mazurka);
        command
            .args(["check", "model.pml", "--json", "--quiet", "--time", "10s"])
            .args(asked.options())
            .args(&combination.options)
            .args(more)
            .current_dir(self.folder);
        let Some(finished) = run(&mut command, self.folder, LIMIT)? else {
            return Ok(Result::of(Answer::Timeout));
        };
        let complaint = finished.stderr.trim();
        match finished.code {
            Some(0 | 1 | 3) => {}
            Some(2) if complaint.contains("internal error") => {
                return Ok(Result::of(Answer::Broken(complaint.into())));
            }
            Some(2) if complaint.starts_with("error: ") => {
                return Ok(Result::of(Answer::Refused(complaint.into())));
            }
            Some(2) => return Ok(Result::of(Answer::Rejected(complaint.into()))),
            code => {
                let text = format!("ended with {code:?}: {complaint}");
                return Ok(Result::of(Answer::Broken(text)));
            }
        }
        let Ok(value) = serde_json::from_str::<Value>(&finished.stdout) else {
            let text = format!("unexpected output: {}", finished.stdout);
            return Ok(Result::of(Answer::Broken(text)));
        };
        Ok(Result::read(&value))
    }

    /// Shows the scenario of the last violation; what is wrong with it.
    fn not_shown(&self) -> io::Result<Option<String>> {
        let mut command = Command::new(self.mazurka);
        command
            .args(["show", "model.scenario.json"])
            .current_dir(self.folder);
        Ok(match run(&mut command, self.folder, LIMIT)? {
            Some(finished) if finished.code == Some(0) => None,
            Some(finished) => Some(format!("its scenario: {}", finished.stderr.trim())),
            None => Some("its scenario takes too long".into()),
        })
    }

    fn is_broken(&self, candidate: &Program, asked: &Asked, combination: &Combination) -> bool {
        let result = self
            .write(&print(candidate))
            .and_then(|()| self.ask(asked, combination, &[]));
        result.is_ok_and(|result| matches!(result.answer, Answer::Broken(_)))
    }

    /// Does a smaller model show a difference between the full search and a combination?
    fn differs(&self, candidate: &Program, asked: &Asked, combination: &Combination) -> bool {
        let compared = || -> io::Result<bool> {
            self.write(&print(candidate))?;
            if asked.is_temporal() {
                let truth = self.ask(asked, &judge(), &[])?.answer;
                if !matches!(truth, Answer::Holds | Answer::Violated(_)) {
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
            let result = self.ask(asked, combination, &[])?;
            Ok(judged(asked, combination, &kinds, &result).is_some())
        };
        compared().unwrap_or(false)
    }

    fn differs_from_spin(
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
        let Ok(result) = self
            .write(&text)
            .and_then(|()| self.ask(&asked, &judge(), &[]))
        else {
            return false;
        };
        let used = print_marked(candidate).all();
        let Some(question) = self::question(&asked, &result.answer, used) else {
            return false;
        };
        let answers = spin::judge(&text, std::slice::from_ref(&question), limits);
        answers.is_ok_and(|answers| {
            answers
                .first()
                .copied()
                .flatten()
                .is_some_and(|holds| holds != question.expected)
        })
    }
}

impl Result {
    fn of(answer: Answer) -> Result {
        Result {
            answer,
            states: 0,
            properties: BTreeMap::new(),
            scenario: false,
        }
    }

    fn read(value: &Value) -> Result {
        let text = |value: &Value, name: &str| {
            let found = value.get(name).and_then(Value::as_str);
            found.unwrap_or_default().to_string()
        };
        let list = |name: &str| {
            let found = value.get(name).and_then(Value::as_array);
            found.cloned().unwrap_or_default()
        };
        let violations = list("violations");
        let answer = match text(value, "verdict").as_str() {
            "holds" => Answer::Holds,
            "violated" => {
                Answer::Violated(violations.iter().map(|found| text(found, "kind")).collect())
            }
            "inconclusive" => Answer::Inconclusive,
            other => Answer::Broken(format!("the verdict `{other}`")),
        };
        let states = value.pointer("/stats/states").and_then(Value::as_u64);
        Result {
            answer,
            states: states.unwrap_or(0),
            properties: list("properties")
                .iter()
                .map(|property| (text(property, "name"), text(property, "verdict")))
                .collect(),
            scenario: !violations.is_empty(),
        }
    }
}

/// Compares models from `seed` on, until so many are compared or the time is over.
pub fn drive(
    drive: &Drive,
    seeds: std::ops::Range<u64>,
    time: Option<Duration>,
    pairs: &mut Pairs,
) -> io::Result<Tally> {
    let deadline = time.map(|time| Instant::now() + time);
    let mut tally = Tally::default();
    for seed in seeds {
        if deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            break;
        }
        drive.model(seed, &mut tally, pairs)?;
        if tally.models % 100 == 0 {
            eprintln!(
                "{} models, {} combinations, {} disagreements",
                tally.models, tally.combinations, tally.disagreements
            );
        }
    }
    Ok(tally)
}
