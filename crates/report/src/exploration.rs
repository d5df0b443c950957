//! What came of exploring a real program, for people.

use mazurka_explore::{Outcome, Violation};
use mazurka_scenario::figures::{counted, grouped};
use mazurka_scenario::{Columns, Style, race_text, step_text};

use crate::human::verdict_text;

/// This many of the last steps of a violation are printed.
const STEPS_SHOWN: usize = 25;

/// An outcome and all that is said about it.
pub struct Exploration<'a> {
    /// What was explored.
    pub program: &'a str,
    /// What came of it.
    pub outcome: &'a Outcome,
    /// The command that repeats each violation, if its scenario was written.
    pub replays: &'a [Option<String>],
    /// The command that resumes the search, if it can be resumed.
    pub resume: Option<&'a str>,
    /// Only the verdict, and what repeats violations?
    pub quiet: bool,
}

/// The full text for people.
pub fn exploration(shown: &Exploration<'_>, style: Style) -> String {
    let outcome = shown.outcome;
    let statistics = &outcome.statistics;
    let redundant = match statistics.redundant_executions {
        0 => String::new(),
        count => format!(" ({} more begun in vain)", grouped(count)),
    };
    let found = match &outcome.violations[..] {
        [] => String::new(),
        [only] => format!(
            "{} after {}, ",
            only.kind(),
            counted(only.schedule.len() as u64, "step")
        ),
        more => format!("{} violations, ", more.len()),
    };
    let mut text = format!(
        "{}: {} — {found}{}{redundant}, {}, depth {}, {:.1} s\n",
        shown.program,
        match outcome.is_under_sequential_consistency() {
            true => style.success("holds under sequential consistency"),
            false => verdict_text(outcome.verdict(), style),
        },
        counted(statistics.executions, "execution"),
        counted(statistics.transitions, "transition"),
        grouped(statistics.max_depth.into()),
        outcome.elapsed.as_secs_f64(),
    );
    if let Some(reason) = outcome.reason() {
        let what = style.warning("the search is not complete");
        text += &format!("{what}: {reason}\n");
    }
    let gap = if shown.quiet { "" } else { "\n" };
    for note in outcome.notes.iter().filter(|_| !shown.quiet) {
        text += &format!("{}: {note}\n", style.faint("note"));
    }
    for (violation, replay) in outcome.violations.iter().zip(shown.replays) {
        if !shown.quiet {
            text += &violation_text(violation, style);
        }
        if let Some(command) = replay {
            text += &format!("{gap}to repeat it: {command}\n");
        }
    }
    if let Some(command) = shown.resume {
        text += &format!("{gap}to resume it: {command}\n");
    }
    text
}

fn violation_text(violation: &Violation, style: Style) -> String {
    let record = &violation.record;
    let kind = style.error(record.kind.name());
    let mut text = format!("\n{kind}: {}\n", record.message);
    if let Some(at) = &record.at {
        text += &format!("  at {}:{}\n", at.file, at.line);
    }
    text += "\n";
    let columns = Columns::of_run(&violation.run);
    let steps = &violation.run.steps;
    let hidden = steps.len().saturating_sub(STEPS_SHOWN);
    if hidden > 0 {
        let before = format!("  … {} before\n", counted(hidden as u64, "step"));
        text += &style.faint(&before);
    }
    for (index, step) in steps.iter().enumerate().skip(hidden) {
        text += &step_text(index + 1, step, columns, style);
    }
    text + &race_text(&violation.run, record, columns, style)
}
