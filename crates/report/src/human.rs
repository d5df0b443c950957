//! The result of a check as people read it.

use std::path::{Path, PathBuf};

use mazurka_checker::figures::{bytes, counted, grouped};
use mazurka_checker::{Config, Outcome, PropertyOutcome, Verdict, Violation, Written};
use mazurka_scenario::{
    Columns, PropertyKind, Style, clean, is_device, left_out, loop_text, shell_command, step_text,
    text_of_start,
};
use mazurka_search::{Statistics, StopReason};
use mazurka_span::{Code, Diagnostic, RenderOptions, render};

/// A scenario with at most this many steps is printed as a whole.
const SHORT_SCENARIO: usize = 25;
/// Of a longer one, this many of its last steps.
const LAST_STEPS: usize = 20;
/// Of a longer one in which a formula fails before these, this many steps until then, and this many at the end.
const STEPS_BEFORE_FAILURE: usize = 12;
const STEPS_AT_END: usize = 8;
/// With `--all`, this many violations are described.
const VIOLATIONS_SHOWN: usize = 10;
/// Unreached statements listed for each process.
const UNREACHED_SHOWN: usize = 12;

/// Why a formula holds vacuously.
pub(crate) const VACUOUS: &str = "it holds even if the right side of every implication is false";

/// A check that is over, and how much is told of it.
#[derive(Clone, Copy, Debug)]
pub struct Human<'a> {
    /// What came of it.
    pub outcome: &'a Outcome,
    /// What was asked for.
    pub config: &'a Config,
    /// The files that were written.
    pub written: &'a Written,
    /// Only verdicts, and where scenarios are?
    pub quiet: bool,
    /// Was the audit asked for by name?
    pub audited: bool,
}

impl Human<'_> {
    /// The violations, or else what keeps a property from being decided, and where their scenarios are.
    fn violations(&self) -> impl Iterator<Item = (&Violation, Option<&PathBuf>)> {
        // A model from standard input has no file, so its scenarios have none either.
        let paths = self.written.scenarios.iter().map(Option::as_ref);
        let paths = paths.chain(std::iter::repeat(None));
        self.outcome.with_scenarios().zip(paths)
    }
}

/// The whole report, as text.
pub fn human(checked: &Human<'_>, style: Style) -> String {
    let mut text = verdict_line(checked, style);
    // Safety alone is what the first line is about.
    let lists_properties = checked.outcome.temporal().next().is_some();
    let main = checked
        .outcome
        .main()
        // Why a property is not decided stands in its own line.
        .filter(|main| main.stopped_by.is_none() || main.kind == PropertyKind::Safety)
        .filter(|main| !main.audit.has_failed())
        .filter(|main| main.defect.is_none())
        .filter(|main| !lists_properties || main.verdict != Verdict::Inconclusive);
    if let Some(reason) = main.and_then(|main| main.reason.as_ref()) {
        text += &format!(
            "{}: {reason}\n",
            style.warning("the search is not complete")
        );
    }
    if lists_properties {
        for outcome in &checked.outcome.properties {
            text += &property_line(outcome, style);
            for note in outcome.notes.iter().filter(|_| !checked.quiet) {
                text += &format!("    note: {note}\n");
            }
        }
    } else if let Some(safety) = checked.outcome.safety()
        && !checked.quiet
    {
        for note in &safety.notes {
            text += &format!("  note: {note}\n");
        }
    }
    text += &audit_text(checked, style);
    text += &defect_text(checked, style);
    for (index, violation) in checked.violations().take(VIOLATIONS_SHOWN).enumerate() {
        text += &match checked.quiet {
            true => where_it_is(violation.1),
            false => violation_text(checked, violation, index == 0, style),
        };
    }
    let rest = checked
        .violations()
        .count()
        .saturating_sub(VIOLATIONS_SHOWN);
    if rest > 0 {
        let rest = counted(rest as u64, "more violation");
        let last = checked.written.scenarios.iter().flatten().next_back();
        let place = last.map_or(String::new(), |path| {
            format!(", the last in {}", path.display())
        });
        let gap = if checked.quiet { "" } else { "\n" };
        text += &format!("{gap}… and {rest}{place}\n");
    }
    if !checked.quiet {
        text += &unreached(checked, style);
    }
    text
}

/// What the audit found, and what it did if that was asked for.
fn audit_text(checked: &Human<'_>, style: Style) -> String {
    let mut text = String::new();
    for outcome in &checked.outcome.properties {
        for finding in &outcome.audit.tally.findings {
            text += &format!(
                "{}: inconclusive: {}: the audit of the search failed: {}\n",
                style.error("internal error"),
                outcome.name,
                finding.message
            );
        }
        if checked.audited && !checked.quiet {
            text += &format!("  audit of {}: {}\n", outcome.name, outcome.audit);
        }
    }
    if checked.outcome.has_failed_audit() {
        text += "This is a defect of Mazurka, not of the model. ";
        text += &match &checked.written.audit_report {
            Some(path) => {
                let path = path.display();
                format!(
                    "Please report it where you got Mazurka, with {path}; `mazurka check {path}` checks once more.\n"
                )
            }
            None => "Please report it where you got Mazurka, with the model.\n".into(),
        };
    }
    text
}

/// What went wrong in Mazurka itself, and where to report it.
fn defect_text(checked: &Human<'_>, style: Style) -> String {
    let mut text = String::new();
    for outcome in &checked.outcome.properties {
        if let Some(defect) = &outcome.defect {
            let name = &outcome.name;
            let error = style.error("internal error");
            text += &format!("{error}: inconclusive: {name}: {}\n", clean(defect));
        }
    }
    if checked.outcome.has_defect() {
        text += "This is a defect of Mazurka, not of the model; the other verdicts stand. ";
        text += &match &checked.written.defect_report {
            Some(path) => format!(
                "Please report it where you got Mazurka, with {0}; `mazurka check {0}` checks once more.\n",
                path.display()
            ),
            None => "Please report it where you got Mazurka, with the model.\n".into(),
        };
    }
    text
}

/// A verdict in its colour.
pub fn verdict_text(verdict: Verdict, style: Style) -> String {
    match verdict {
        Verdict::Holds => style.success(verdict.name()),
        Verdict::Violated => style.error(verdict.name()),
        Verdict::Inconclusive | Verdict::NotDecided => style.warning(verdict.name()),
    }
}

/// What became of a property.
fn property_line(outcome: &PropertyOutcome, style: Style) -> String {
    let verdict = match outcome.verdict {
        Verdict::Holds if outcome.vacuous => style.warning("holds, but vacuously"),
        verdict => verdict_text(verdict, style),
    };
    // What is wrong in Mazurka itself has lines of its own.
    let is_defect = outcome.defect.is_some() || outcome.audit.has_failed();
    let is_open = matches!(outcome.verdict, Verdict::NotDecided | Verdict::Inconclusive);
    let why = match (&outcome.reason, outcome.vacuous) {
        (Some(reason), _) if is_open && !is_defect => format!(": {reason}"),
        (_, true) => format!(" ({VACUOUS})"),
        (_, false) => String::new(),
    };
    let statistics = &outcome.statistics;
    format!(
        "  {}: {verdict}{why} — {}, {}, {:.1} s\n",
        outcome.kind.title(&outcome.name),
        counted(statistics.states, "state"),
        counted(statistics.transitions(), "transition"),
        statistics.elapsed.as_secs_f64(),
    )
}

/// A property that is decided while others are still to come: its verdict, what violates it, and what is checked next.
pub fn decided(outcome: &PropertyOutcome, next: &str, style: Style) -> String {
    let mut text = property_line(outcome, style).trim().to_string();
    if let Some(first) = outcome.violations.first() {
        let after = steps(first.steps.len());
        text += &format!("; {} after {after}", first.kind());
    }
    format!("{text}; next: {next}\n")
}

fn verdict_line(checked: &Human<'_>, style: Style) -> String {
    let outcome = checked.outcome;
    let verdict = verdict_text(outcome.verdict(), style);
    let scope = outcome.scope(checked.config);
    let only = scope.map_or(String::new(), |scope| format!(" ({scope})"));
    let searches = outcome.properties.iter().map(|known| &known.statistics);
    let sum = |of: fn(&Statistics) -> u64| searches.clone().map(of).sum::<u64>();
    let most = |of: fn(&Statistics) -> u64| searches.clone().map(of).max().unwrap_or(0);
    let seconds = searches.clone().map(|known| known.elapsed.as_secs_f64());
    let searched = match outcome.properties.len() {
        0 | 1 => String::new(),
        several => format!(" in {several} searches"),
    };
    let reduced = match outcome.main().map_or(0, |main| main.statistics.reduced) {
        0 => String::new(),
        count => format!(
            ", {} sets in {}",
            outcome.reduction(),
            counted(count, "state")
        ),
    };
    format!(
        "{}: {verdict}{only} — {}{}, {}{searched}, depth {}{reduced}, {:.1} s, {}\n",
        outcome.model.model.file,
        found(outcome, sum(|known| known.violations)),
        counted(sum(|known| known.states), "state"),
        counted(sum(Statistics::transitions), "transition"),
        grouped(most(|known| known.depth)),
        seconds.sum::<f64>(),
        bytes(most(|known| known.store_bytes)),
    )
}

/// The violations of all properties, in a few words. Searches have met this many.
fn found(outcome: &Outcome, met: u64) -> String {
    let reported = outcome.violations().count() as u64;
    match (outcome.violations().next(), reported) {
        (None, _) => String::new(),
        (Some(first), 1) if met <= 1 => {
            let after = steps(first.steps.len());
            format!("{} after {after}{}, ", first.kind(), shortened(first))
        }
        (_, 1) => format!("the same violation met {}, ", counted(met, "time")),
        _ if reported >= met => format!("{} violations, ", grouped(reported)),
        _ => format!(
            "violations met {}, of which {} that differ are reported, ",
            counted(met, "time"),
            grouped(reported)
        ),
    }
}

fn violation_text(
    checked: &Human<'_>,
    (violation, path): (&Violation, Option<&PathBuf>),
    with_steps: bool,
    style: Style,
) -> String {
    let record = &violation.record;
    let sources = &checked.outcome.model.sources;
    let code = Code {
        id: record.kind.name(),
        summary: "",
    };
    let mut text = String::from("\n");
    match violation.span {
        Some(span) => {
            let diagnostic = Diagnostic::error(code, span, record.message.clone());
            let options = RenderOptions {
                colour: style.colour,
                width: style.width,
                ..Default::default()
            };
            text += &render(sources, &[diagnostic], options);
        }
        None => {
            let heading = style.error(&format!("error[{}]", record.kind));
            text += &format!("{heading}: {}{}\n", record.formula(), record.message);
        }
    }
    text += &violation.explanation.text(style);
    if with_steps && !violation.steps.is_empty() {
        let around = around_failure(checked.outcome, violation, style);
        let steps = around.unwrap_or_else(|| last_steps(violation, style));
        text += &format!("\n{steps}");
    }
    let place = where_it_is(path);
    match place.is_empty() {
        true => text,
        false => format!("{text}\n{place}"),
    }
}

/// The command that shows a scenario, if it was written.
fn where_it_is(path: Option<&PathBuf>) -> String {
    let Some(path) = path.filter(|path| !is_device(path)) else {
        return String::new();
    };
    // A name that begins with a sign for options would be taken for one.
    let path = match path.as_os_str().as_encoded_bytes().starts_with(b"-") {
        true => &Path::new(".").join(path),
        false => path,
    };
    let words = ["mazurka".as_ref(), "show".as_ref(), path.as_os_str()];
    format!("for more: {}\n", shell_command(words))
}

fn last_steps(violation: &Violation, style: Style) -> String {
    let run = &violation.tail;
    let columns = Columns::of_run(run);
    let shown = if violation.steps.len() <= SHORT_SCENARIO {
        run.steps.len()
    } else {
        LAST_STEPS
    };
    let first = run.steps.len() - shown;
    let mut text = match run.skipped + first {
        0 => text_of_start(&run.start, columns, style),
        hidden => left_out(run, 0..hidden, style),
    };
    for (index, step) in run.steps.iter().enumerate().skip(first) {
        text += &loop_text(run, run.skipped + index, style);
        text += &step_text(run.skipped + index + 1, step, columns, style);
    }
    text + &loop_text(run, run.skipped + run.steps.len(), style)
}

/// Of a long execution, the steps before a formula fails and those at its end; nothing if the end shows it.
fn around_failure(outcome: &Outcome, violation: &Violation, style: Style) -> Option<String> {
    let (fails, count) = (violation.failing_step()?, violation.steps.len());
    if count <= SHORT_SCENARIO || fails + LAST_STEPS > count {
        return None;
    }
    let run = outcome.run(violation).ok()?;
    let columns = Columns::of_run(&run);
    let first = fails.saturating_sub(STEPS_BEFORE_FAILURE);
    let shown = [first..fails + 1, count - STEPS_AT_END..count];
    let mut text = String::new();
    if first == 0 {
        text += &text_of_start(&run.start, columns, style);
    }
    let mut next = 0;
    for range in shown {
        text += &left_out(&run, next..range.start, style);
        for index in range.clone() {
            text += &loop_text(&run, index, style);
            text += &step_text(index + 1, &run.steps[index], columns, style);
        }
        next = range.end;
    }
    Some(text + &loop_text(&run, count, style))
}

/// What no execution came to, for each process or machine.
fn unreached(checked: &Human<'_>, style: Style) -> String {
    let is_complete = (checked.outcome.safety()).is_some_and(|s| s.stop == StopReason::Complete);
    let so_far = if is_complete { "" } else { " so far" };
    let mut text = String::new();
    for process in checked.outcome.unreached() {
        let (word, parts) = match process.is_machine {
            false => ("unreached", "statements"),
            true => ("never exercised", "parts"),
        };
        let heading = format!("{word}{so_far} in {}", process.name);
        let missed = &process.missed;
        text += &format!(
            "\n{} ({} of {} {parts})\n",
            style.heading(&heading),
            missed.len(),
            process.total,
        );
        for part in missed.iter().take(UNREACHED_SHOWN) {
            text += &format!("  {}:{}  {}\n", part.at.file, part.at.line, part.text);
        }
        if missed.len() > UNREACHED_SHOWN {
            text += &format!("  … and {} more\n", missed.len() - UNREACHED_SHOWN);
        }
    }
    text
}

/// By how much it was shortened.
fn shortened(violation: &Violation) -> String {
    match violation.steps_found > violation.steps.len() {
        true => format!(
            " (shortened from {})",
            grouped(violation.steps_found as u64)
        ),
        false => String::new(),
    }
}

fn steps(count: usize) -> String {
    counted(count as u64, "step")
}
