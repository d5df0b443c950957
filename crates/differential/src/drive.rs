//! Random models under random combinations of options, with the full search and SPIN as judges.
//!
//! The plan that Mazurka makes of the options is part of what is tested, so everything goes through the library that the command is made
//! of, and a share through the command itself ([`crate::session`]). For each model the full search (`--reduce none --optimize off`) says what is true; the same question under other options
//! must be answered the same. Some searches are stopped, saved and resumed again and again, and some swarms are searched in parts that
//! are merged. An answer that is refused with a reason is counted; an internal error is a disagreement, and so is a
//! violation whose scenario cannot be shown.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::ast::{Claim, Program};
use crate::combination::{Asked, Combination, Course, judge, of_claim, of_safety};
use crate::compare::{Comparison, compare};
use crate::execution::{Executed, execute};
use crate::features::{Feature, Features};
use crate::generate::{generate, generate_with};
use crate::pairs;
use crate::print::{print, print_marked};
use crate::process::Folder;
use crate::random::Random;
use crate::session::{Answer, Said, Session, for_spin, judged, question, same};
use crate::shrink::{Effort, shrink};
use crate::table::Table;
use crate::{mazurka, spin};

/// How models are compared.
#[derive(Clone, Debug)]
pub struct Drive {
    pub mazurka: PathBuf,
    /// One model in this many is asked about by the command, the others in process; 0 for none.
    pub by_command: u64,
    /// How many combinations of options for each property.
    pub combinations: usize,
    /// Ask SPIN about one in this many of the models that it can judge; 0 for none.
    pub spin: u64,
    pub keep: Option<PathBuf>,
    pub effort: Effort,
    /// Models with more states are left out.
    pub states: u64,
    /// Only models with two features that the table has not seen together yet.
    pub fill: bool,
}

/// What was compared, and with what result.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    pub models: u64,
    /// Models that were too large, or not accepted.
    pub left_out: u64,
    pub combinations: u64,
    /// Those of them that were asked by the command.
    pub by_command: u64,
    pub holding: u64,
    pub violated: u64,
    /// Temporal properties that a run-time error keeps from being decided.
    pub stopped: u64,
    pub refused: u64,
    /// Searches that are allowed not to decide, and did not.
    pub undecided: u64,
    /// Searches that ended by their time limit: neither agreement nor disagreement.
    pub timeouts: u64,
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
            "by_command": self.by_command,
            "holding": self.holding,
            "violated": self.violated,
            "stopped": self.stopped,
            "refused": self.refused,
            "undecided": self.undecided,
            "timeouts": self.timeouts,
            "spin": self.spin,
            "disagreements": self.disagreements,
            "kinds": self.kinds,
        })
    }

    pub(crate) fn count(&mut self, kind: &str) {
        *self.kinds.entry(kind.to_string()).or_default() += 1;
    }

    /// Counts an answer under some combination of options. One that is bounded ends by its limit, and that is no timeout.
    pub(crate) fn answered(&mut self, asked: &Asked, combination: &Combination, answer: &Answer) {
        self.combinations += 1;
        self.count(asked.kind());
        match combination.course {
            Course::Whole => {}
            Course::Resumed => self.count("resumed"),
            Course::Sharded => self.count("sharded"),
        }
        match answer {
            Answer::Holds => self.holding += 1,
            Answer::Violated(_) => self.violated += 1,
            Answer::NotDecided => self.stopped += 1,
            Answer::Refused(_) => self.refused += 1,
            Answer::Timeout if !combination.bounded => self.timeouts += 1,
            Answer::OutOfMemory => self.count("out of memory"),
            Answer::PathsCut(_) if combination.never_grows() => self.count("paths cut"),
            _ => self.undecided += 1,
        }
    }

    /// Counts a model by what the full search finds in it.
    pub(crate) fn judged(&mut self, kinds: &BTreeSet<String>) {
        self.count(match kinds.is_empty() {
            true => "models-holding",
            false => "models-violated",
        });
        for kind in kinds {
            self.count(&format!("models-{kind}"));
        }
    }
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
    /// Compares a model, which a seed names.
    fn model(
        &self,
        seed: u64,
        program: Program,
        tally: &mut Tally,
        table: &mut Table,
    ) -> io::Result<()> {
        let mut random = Random::new(seed ^ 0x636f_6d62);
        let folder = Folder::new()?;
        let marked = print_marked(&program);
        let session = Session {
            mazurka: &self.mazurka,
            folder: folder.path(),
            by_command: self.by_command > 0 && seed.is_multiple_of(self.by_command),
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
            answer => {
                tally.timeouts += u64::from(*answer == Answer::Timeout);
                tally.left_out += 1;
                return Ok(());
            }
        };
        if safety.states > self.states {
            tally.left_out += 1;
            return Ok(());
        }
        tally.judged(&kinds);
        for _ in 0..self.combinations {
            let asked = match random.below(10) {
                0..=4 => Asked::Safety,
                5 | 6 => Asked::Deadlock,
                7 => match random.below(6) {
                    0 => Asked::Only("overflow"),
                    1 => Asked::Only("unexpected-input"),
                    2 => Asked::Only("invariant"),
                    _ => Asked::Assertion,
                },
                _ => Asked::All,
            };
            let combination = of_safety(&mut random, safety.states, "_nr_pr");
            let said = session.ask(&asked, &combination, &[])?;
            let complaint = judged(&asked, &combination, &kinds, &said);
            self.conclude(
                seed,
                &program,
                &session,
                (&asked, &combination, &said),
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
                answer if answer.is_decisive() => {}
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
                let said = session.ask(&asked, &combination, &[])?;
                let complaint = same(&truth.answer, &said.answer);
                let found = (&asked, &combination, &said);
                self.conclude(seed, &program, &session, found, complaint, tally)?;
            }
            truths.insert(asked, truth.answer);
        }
        let for_spin = used.are_for_spin() && self.spin > 0 && seed.is_multiple_of(3 * self.spin);
        let by_spin = for_spin && self.ask_spin(seed, &program, &truths, tally)?;
        let executed = execute(&marked, seed).unwrap_or_else(|| Executed { paths: Vec::new() });
        let temporal = !truths.is_empty();
        pairs::note(table, used, &executed, by_spin, true, temporal);
        Ok(())
    }

    /// Counts an answer, and keeps the model if it is not what it must be.
    fn conclude(
        &self,
        seed: u64,
        program: &Program,
        session: &Session<'_>,
        (asked, combination, said): (&Asked, &Combination, &Said),
        complaint: Option<String>,
        tally: &mut Tally,
    ) -> io::Result<()> {
        tally.by_command += u64::from(session.by_command);
        tally.answered(asked, combination, &said.answer);
        let complaint = match complaint {
            None if said.scenario && tally.combinations.is_multiple_of(8) => session.not_shown()?,
            complaint => complaint,
        };
        let Some(complaint) = complaint else {
            return Ok(());
        };
        let typed = [asked.options(), combination.words()].concat();
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
            let name = format!("seed-{seed}-{}", tally.disagreements);
            keep(
                folder,
                &name,
                "pml",
                [&print(program), &print(&small)],
                &note,
            )?;
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
        let Ok(answers) = spin::judge(&for_spin(&text, used), &questions, &limits) else {
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
                                by_command: false,
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

/// Keeps a model that shows something wrong: as it was, and made small, with what is wrong.
pub(crate) fn keep(
    folder: &Path,
    name: &str,
    notation: &str,
    [model, small]: [&str; 2],
    note: &str,
) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    fs::write(folder.join(format!("{name}.{notation}")), model)?;
    fs::write(folder.join(format!("{name}.shrunk.{notation}")), small)?;
    fs::write(folder.join(format!("{name}.txt")), note)
}

/// A model with two features that have not met yet, as far as it is drawn so.
fn aimed(seed: u64, gaps: &[(&'static str, &'static str, &'static str)]) -> Program {
    let number = Random::new(seed ^ 0x6761_7073).below(gaps.len());
    let (one, other, _) = gaps[number];
    let mut wanted = Features::none();
    for feature in [one, other].into_iter().filter_map(Feature::from_name) {
        wanted.set(feature, true);
    }
    generate_with(seed, features_of(seed), wanted)
}

/// Has the model of a seed two features that have not met before a judge, or on a path?
fn fills(seed: u64, program: &Program, table: &Table) -> bool {
    let marked = print_marked(program);
    let used = marked.all();
    let lacks = |column: &str| table.lacks(used.bits(), column);
    let is_temporal = !program.claims.is_empty() || used.has(Feature::AcceptLabels);
    let for_spin = seed.is_multiple_of(3) && used.are_for_spin();
    let executes = |path: &Features| table.lacks(path.bits(), "executed");
    lacks("reductions")
        || is_temporal && lacks("temporal")
        || for_spin && lacks("spin")
        || lacks("executed")
            && execute(&marked, seed).is_some_and(|executed| executed.paths.iter().any(executes))
}

/// Compares models from `seed` on, until this many are compared or the time is over.
pub fn drive(
    drive: &Drive,
    seeds: std::ops::Range<u64>,
    time: Option<Duration>,
    table: &mut Table,
) -> io::Result<Tally> {
    let deadline = time.map(|time| Instant::now() + time);
    let mut tally = Tally::default();
    for seed in seeds {
        if deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            break;
        }
        let program = match drive.fill {
            true => {
                let gaps = table.gaps();
                if gaps.is_empty() {
                    break;
                }
                let program = aimed(seed, &gaps);
                if !fills(seed, &program, table) {
                    continue;
                }
                program
            }
            false => generate(seed, features_of(seed)),
        };
        drive.model(seed, program, &mut tally, table)?;
        if tally.models % 100 == 0 {
            eprintln!(
                "{} models, {} combinations, {} disagreements",
                tally.models, tally.combinations, tally.disagreements
            );
        }
    }
    Ok(tally)
}
