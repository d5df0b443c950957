//! One model in a notation: every combination of options says what the full search says, and SPIN says the same of the export.

use std::collections::BTreeSet;
use std::time::Duration;

use mazurka_checker::{Besides, ModelText};

use super::{Model, Notation, Settings};
use crate::combination::{Asked, Combination, judge, of_claim, of_safety};
use crate::drive::Tally;
use crate::outcome::Outcome;
use crate::random::Random;
use crate::session::{Answer, Said, ask_here, judged, same};
use crate::spin::{self, Limits};

/// What became of a model.
#[derive(Clone, Debug, Default)]
pub struct Compared {
    /// It is too large, or not accepted.
    pub is_left_out: bool,
    /// What is wrong.
    pub complaint: Option<String>,
    pub reduced: bool,
    pub temporal: bool,
    /// Did SPIN have an answer?
    pub spin: bool,
}

/// Properties that are about one kind of violation.
const KINDS: [&str; 4] = ["assertion", "overflow", "unexpected-input", "invariant"];

/// How many smaller models are tried.
const ATTEMPTS: usize = 400;

/// Compares a model; the choices of options follow from the seed.
pub fn compare(
    model: &Model,
    settings: &Settings,
    asks_spin: bool,
    seed: u64,
    tally: &mut Tally,
) -> Compared {
    let mut compared = Compared::default();
    let random = &mut Random::new(seed ^ 0x636f_6d62);
    tally.models += 1;
    // Where any model will do, one that is quickly searched does best.
    let more: &[&str] = match settings.fill {
        true => &["--all", "--time", "1500ms"],
        false => &["--all"],
    };
    let full = ask(model, &Asked::Safety, &judge(), more);
    let kinds = match &full.answer {
        Answer::Holds => BTreeSet::new(),
        Answer::Violated(kinds) => kinds.clone(),
        Answer::Broken(text) => {
            compared.complaint = Some(format!("the full search: {text}"));
            return compared;
        }
        // A machine beyond the limit on ways through a transition is refused for its size.
        Answer::Rejected(text) if !text.contains("error[V0018]") => {
            compared.complaint = Some(format!("it is not accepted: {text}"));
            return compared;
        }
        answer => {
            tally.timeouts += u64::from(*answer == Answer::Timeout);
            tally.left_out += 1;
            compared.is_left_out = true;
            return compared;
        }
    };
    if full.states > settings.states {
        tally.left_out += 1;
        compared.is_left_out = true;
        return compared;
    }
    tally.judged(&kinds);
    let mut complain = |asked: &Asked, combination: &Combination, complaint: Option<String>| {
        let typed = [asked.options(), combination.options.clone()].concat();
        let complaint =
            complaint.map(|complaint| format!("check {}: {complaint}", typed.join(" ")));
        if compared.complaint.is_none() {
            compared.complaint = complaint;
        }
    };
    for _ in 0..settings.combinations {
        let asked = match random.below(10) {
            0..=4 => Asked::Safety,
            5 | 6 => Asked::Only(KINDS[random.below(KINDS.len())]),
            7 | 8 => Asked::Deadlock,
            _ => Asked::All,
        };
        let combination = of_safety(random, full.states, model.guide());
        let said = ask(model, &asked, &combination, &[]);
        tally.answered(&asked, &combination, &said.answer);
        complain(
            &asked,
            &combination,
            judged(&asked, &combination, &kinds, &said),
        );
    }
    let mut temporal = model.claims();
    let fair = random.chance(30);
    temporal.push(Asked::Progress { fair });
    if model.notation() != Notation::Vfsm {
        temporal.push(Asked::Acceptance { fair });
    }
    let mut truths = Vec::new();
    for asked in temporal {
        let truth = ask(model, &asked, &judge(), &[]);
        if let Answer::Broken(text) = &truth.answer {
            complain(&asked, &judge(), Some(text.clone()));
        }
        if !matches!(truth.answer, Answer::Holds | Answer::Violated(_)) {
            continue;
        }
        for _ in 0..(settings.combinations / 3).max(1) {
            let combination = of_claim(random, asked.is_fair());
            let said = ask(model, &asked, &combination, &[]);
            tally.answered(&asked, &combination, &said.answer);
            complain(&asked, &combination, same(&truth.answer, &said.answer));
        }
        truths.push((asked, truth.answer));
    }
    compared.reduced = true;
    compared.temporal = !truths.is_empty();
    if asks_spin {
        match by_spin(model, &kinds, &truths, tally) {
            Ok(judged) => {
                tally.spin += u64::from(judged);
                compared.spin = judged;
            }
            Err(complaint) => {
                compared.spin = true;
                compared.complaint = compared.complaint.or(Some(complaint));
            }
        }
    }
    compared
}

/// A smaller model of which something is wrong too.
pub fn shrink(model: &Model, settings: &Settings, asks_spin: bool, seed: u64) -> Model {
    let mut small = model.clone();
    let mut left = ATTEMPTS;
    'again: loop {
        for candidate in small.smaller() {
            if left == 0 {
                return small;
            }
            left -= 1;
            let tally = &mut Tally::default();
            let compared = compare(&candidate, settings, asks_spin, seed, tally);
            let complaint = compared.complaint.unwrap_or_default();
            if !complaint.is_empty() && !complaint.contains("not accepted") {
                small = candidate;
                continue 'again;
            }
        }
        return small;
    }
}

fn ask(model: &Model, asked: &Asked, combination: &Combination, more: &[&str]) -> Said {
    let mut options = asked.options();
    options.extend(combination.options.iter().cloned());
    options.extend(more.iter().map(|word| word.to_string()));
    let name = format!("model.{}", model.notation().name());
    let text = model.text().into_bytes();
    ask_here(&name, &text, &options, model.defines(), combination.course)
}

/// What SPIN can tell apart: a state in which nothing is possible, and an error on the way.
fn coarse(kinds: &BTreeSet<String>) -> BTreeSet<&'static str> {
    let coarse = kinds.iter().map(|kind| match kind.as_str() {
        "deadlock" | "nonprogress-state" => "stuck",
        _ => "error",
    });
    coarse.collect()
}

fn has_next(asked: &Asked) -> bool {
    matches!(asked, Asked::Formula { text, .. } if text.contains("(X "))
}

/// Asks SPIN about the export; false if it has no answer, or the export not every formula.
fn by_spin(
    model: &Model,
    kinds: &BTreeSet<String>,
    truths: &[(Asked, Answer)],
    tally: &mut Tally,
) -> Result<bool, String> {
    // SPIN is usually built without `next`.
    if model.text().contains("(X ") || model.claims().iter().any(has_next) {
        return Ok(false);
    }
    let name = format!("model.{}", model.notation().name());
    let text = ModelText::from_source(&name, model.text()).map_err(|error| error.to_string())?;
    let exported = match text.export(model.defines()) {
        Ok(exported) => exported,
        // Not everything can be exported.
        Err(_) if text.load(&Besides::default()).is_ok() => return Ok(false),
        Err(error) => return Err(error.to_string()),
    };
    let limits = Limits {
        empty_at_end: model.notation() == Notation::Efsm,
        ..Limits::small()
    };
    let (ours, theirs) = match spin::verify(&exported, None, &limits) {
        Outcome::Counts(counts) if !counts.truncated => (coarse(kinds), coarse(&counts.kinds)),
        Outcome::Counts(_) | Outcome::Timeout => return Ok(false),
        // A division by zero ends pan.
        Outcome::Crash(_) if kinds.contains("runtime-error") => return Ok(false),
        other => return Err(format!("SPIN on the export: {other}\n{exported}")),
    };
    let agree = match model.notation() {
        Notation::Efsm => ours == theirs,
        // A deadlock is a failed assertion in the export.
        Notation::Vfsm => ours.is_empty() == theirs.is_empty(),
        // After an error SPIN's verifier goes on, and may stop somewhere.
        Notation::Sdl if ours.contains("error") => theirs.contains("error"),
        Notation::Sdl => ours == theirs,
    };
    if !agree {
        return Err(format!("{kinds:?}, but SPIN {theirs:?} of the export"));
    }
    let has_errors = match model.notation() {
        Notation::Vfsm => !ours.is_empty(),
        _ => ours.contains("error"),
    };
    if has_errors {
        return Ok(true);
    }
    let limits = Limits {
        depth: 10_000,
        search: Duration::from_secs(2),
        ..Limits::small()
    };
    let (exported, known) = model.for_spin(exported);
    for (asked, answer) in truths {
        let known = known.iter().find(|(_, known)| known == asked);
        let (Some((name, _)), holds) = (known, *answer == Answer::Holds) else {
            continue;
        };
        match spin::holds(&exported, name, &limits)? {
            Some(theirs) if theirs != holds => {
                return Err(format!("{asked:?} holds: {holds}, but SPIN {theirs}"));
            }
            Some(_) => tally.count("spin-claim"),
            None => {}
        }
    }
    Ok(known.len() * 2 == model.claims().len())
}
