//! Many random models, each judged by SPIN and by Mazurka.

use std::fmt;
use std::fs;
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use crate::compare::{Comparison, compare};
use crate::features::Features;
use crate::generate::generate;
use crate::outcome::{Counts, Outcome};
use crate::print::print;
use crate::shrink::{Effort, shrink};
use crate::{mazurka, spin};

/// Runs the models named by `seeds` through SPIN and the given binary, two at a time, and shrinks what differs.
pub fn campaign(seeds: Range<u64>, mazurka: &Path, features: Features) -> Report {
    Campaign {
        mazurka: Some(mazurka.to_path_buf()),
        features,
        ..Campaign::default()
    }
    .run(seeds, |_| ())
}

/// How a campaign is run.
#[derive(Clone, Debug)]
pub struct Campaign {
    /// `None`: SPIN alone, to see what the generator makes.
    pub mazurka: Option<PathBuf>,
    pub features: Features,
    pub jobs: usize,
    pub limits: spin::Limits,
    pub mazurka_limit: Duration,
    pub effort: Effort,
}

impl Default for Campaign {
    fn default() -> Campaign {
        Campaign {
            mazurka: None,
            features: Features::default(),
            jobs: 2,
            limits: spin::Limits::small(),
            mazurka_limit: Duration::from_secs(20),
            effort: Effort::default(),
        }
    }
}

/// What came out of a campaign. Lists are in the order of seeds.
#[derive(Clone, Debug, Default)]
pub struct Report {
    pub models: u64,
    /// SPIN's counts where both agree (or, without Mazurka, where SPIN finished).
    pub agreed: Vec<(u64, Counts)>,
    pub disagreements: Vec<Disagreement>,
    pub rejected: Vec<(u64, String)>,
    /// SPIN ran out of time, memory or depth, or crashed.
    pub unfinished: Vec<(u64, Outcome)>,
}

/// A model on which Mazurka and SPIN differ, before and after shrinking.
#[derive(Clone, Debug)]
pub struct Disagreement {
    pub seed: u64,
    pub original: Finding,
    pub shrunk: Finding,
}

#[derive(Clone, Debug)]
pub struct Finding {
    pub model: String,
    pub difference: String,
    pub spin: Outcome,
    pub mazurka: Outcome,
}

/// What became of one seed; handed to the observer of a campaign as it goes.
#[derive(Clone, Debug)]
pub enum Event {
    Agreed(Counts),
    Disagreed(Box<Disagreement>),
    Rejected(String),
    Unfinished(Outcome),
}

impl Campaign {
    /// Runs the campaign; `observe` is called after each model, from several threads.
    pub fn run(&self, seeds: Range<u64>, observe: impl Fn(&(u64, Event)) + Sync) -> Report {
        let next = AtomicU64::new(seeds.start);
        let results = Mutex::new(Vec::new());
        std::thread::scope(|scope| {
            for _ in 0..self.jobs.max(1) {
                scope.spawn(|| {
                    loop {
                        let seed = next.fetch_add(1, Ordering::Relaxed);
                        if seed >= seeds.end {
                            break;
                        }
                        let result = (seed, self.judge(seed));
                        observe(&result);
                        results.lock().unwrap().push(result);
                    }
                });
            }
        });
        let mut results = results.into_inner().unwrap();
        results.sort_by_key(|(seed, _)| *seed);
        let mut report = Report {
            models: results.len() as u64,
            ..Report::default()
        };
        for (seed, event) in results {
            match event {
                Event::Agreed(counts) => report.agreed.push((seed, counts)),
                Event::Disagreed(disagreement) => report.disagreements.push(*disagreement),
                Event::Rejected(text) => report.rejected.push((seed, text)),
                Event::Unfinished(outcome) => report.unfinished.push((seed, outcome)),
            }
        }
        report
    }

    /// Generates one model and has it judged.
    pub fn judge(&self, seed: u64) -> Event {
        let program = generate(seed, self.features);
        let (spin, mazurka, comparison) = self.ask(&print(&program));
        let difference = match comparison {
            Comparison::Agree => match spin {
                Outcome::Counts(counts) => return Event::Agreed(counts),
                other => return Event::Unfinished(other),
            },
            Comparison::Rejected(text) => return Event::Rejected(text),
            Comparison::Unfinished => return Event::Unfinished(spin),
            Comparison::Differ(difference) => difference,
        };
        let original = Finding {
            model: print(&program),
            difference,
            spin,
            mazurka,
        };
        let mut shrunk = original.clone();
        shrink(&program, self.effort, |candidate| {
            let model = print(candidate);
            let (spin, mazurka, comparison) = self.ask(&model);
            let Comparison::Differ(difference) = comparison else {
                return false;
            };
            if !same_fault(&original, &difference, &mazurka) {
                return false;
            }
            shrunk = Finding {
                model,
                difference,
                spin,
                mazurka,
            };
            true
        });
        Event::Disagreed(Box::new(Disagreement {
            seed,
            original,
            shrunk,
        }))
    }

    fn ask(&self, model: &str) -> (Outcome, Outcome, Comparison) {
        let spin = spin::verify(model, None, &self.limits);
        let done = matches!(&spin, Outcome::Counts(counts) if !counts.truncated);
        // Where SPIN has no answer there is nothing to compare, and no reason to spend Mazurka's time.
        let mazurka = match &self.mazurka {
            Some(binary) if done => mazurka::verify(binary, model, self.mazurka_limit),
            _ => spin.clone(),
        };
        let comparison = compare(&spin, &mazurka);
        (spin, mazurka, comparison)
    }
}

/// Whether a smaller model shows the fault that was found, as far as one can tell from outside: a crash must not become
/// a mere rejection, nor a wrong count a wrong verdict.
fn same_fault(original: &Finding, difference: &str, mazurka: &Outcome) -> bool {
    let same_kind = std::mem::discriminant(mazurka) == std::mem::discriminant(&original.mazurka);
    let no_other =
        |aspect: &str| !difference.contains(aspect) || original.difference.contains(aspect);
    same_kind && no_other("violations:") && no_other("completed:")
}

impl Disagreement {
    /// Writes the two models and a note on what differs into `folder`.
    pub fn keep(&self, folder: &Path) -> io::Result<()> {
        fs::create_dir_all(folder)?;
        let path = |suffix: &str| folder.join(format!("seed-{}{suffix}", self.seed));
        fs::write(path(".pml"), &self.original.model)?;
        fs::write(path(".shrunk.pml"), &self.shrunk.model)?;
        fs::write(
            path(".txt"),
            format!("original\n{}\nshrunk\n{}", self.original, self.shrunk),
        )
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        writeln!(
            f,
            "  {}\n  spin    {}\n  mazurka {}",
            self.difference, self.spin, self.mazurka
        )
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(
            f,
            "{} models: {} agreed, {} disagreed, {} rejected by spin, {} timed out",
            self.models,
            self.agreed.len(),
            self.disagreements.len(),
            self.rejected.len(),
            self.unfinished.len()
        )
    }
}
