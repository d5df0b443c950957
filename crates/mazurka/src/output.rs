//! The result of a check as people read it.

use std::collections::BTreeMap;

use mazurka_model::{Origin, Program};
use mazurka_scenario::{Columns, Position, Style, loop_text, position, step_text, text_of_start};
use mazurka_search::StopReason;
use mazurka_span::{Code, Diagnostic, RenderOptions, SourceMap, Span, render};

use crate::arguments::Property;
use crate::check::{Checked, Confirmed};
use crate::json::Verdict;
use crate::reduction::needs_proviso;
use crate::temporal::Outcome;
use mazurka_vfsm::Coverage;

/// A scenario with at most so many steps is printed as a whole.
const SHORT_SCENARIO: usize = 25;
/// Of a longer one, so many of its last steps.
const LAST_STEPS: usize = 20;
/// With `--all`, so many violations are described.
const VIOLATIONS_SHOWN: usize = 10;
/// Unreached statements listed for each process.
const UNREACHED_SHOWN: usize = 12;

/// The whole report.
pub fn human(checked: &Checked<'_>, style: Style) -> String {
    let mut text = verdict_line(checked, style);
    if let Some(reason) = checked.reason() {
        text += &format!(
            "{}: {reason}\n",
            style.warning("the search is not complete")
        );
    }
    for outcome in &checked.temporal {
        text += &property_line(outcome, style);
    }
    for (index, violation) in checked.violations.iter().take(VIOLATIONS_SHOWN).enumerate() {
        text += &violation_text(checked, violation, index == 0, style);
    }
    let rest = checked.violations.len().saturating_sub(VIOLATIONS_SHOWN);
    if rest > 0 {
        text += &format!("\n… and {rest} more violations\n");
    }
    if !checked.arguments.quiet && checked.property.is_some() {
        text += &unreached(checked, style);
    }
    text
}

/// What became of a temporal property.
fn property_line(outcome: &Outcome, style: Style) -> String {
    let verdict = match outcome.verdict {
        Verdict::Holds if outcome.vacuous => style.warning("holds, but vacuously"),
        Verdict::Holds => style.success("holds"),
        Verdict::Violated => style.error("violated"),
        Verdict::Inconclusive => style.warning("inconclusive"),
    };
    let why = match outcome.vacuous {
        true => " (the left side of an implication is never true)",
        false => "",
    };
    let kind = match outcome.kind {
        kind if kind == outcome.name => String::new(),
        kind => format!("{kind} "),
    };
    let statistics = &outcome.statistics;
    let mut text = format!(
        "  {kind}{}: {verdict}{why} — {}, {}, {:.1} s\n",
        outcome.name,
        counted(statistics.states, "state"),
        counted(statistics.transitions(), "transition"),
        statistics.elapsed.as_secs_f64(),
    );
    for note in &outcome.notes {
        text += &format!("    note: {note}\n");
    }
    text
}

fn verdict_line(checked: &Checked<'_>, style: Style) -> String {
    let statistics = &checked.report.statistics;
    let verdict = match checked.verdict {
        Verdict::Holds => style.success("holds"),
        Verdict::Violated => style.error("violated"),
        Verdict::Inconclusive => style.warning("inconclusive"),
    };
    let only = match checked.arguments.property {
        Property::All | Property::Safety => String::new(),
        // Without a proviso a step that fails may be left out for ever.
        Property::Deadlock if statistics.reduced > 0 => " (only deadlocks were looked for)".into(),
        other => format!(
            " (only {} and run-time errors were looked for)",
            other.name()
        ),
    };
    let found = match (statistics.violations, checked.violations.first()) {
        (0, _) | (_, None) => String::new(),
        (1, Some(first)) => format!("{} after {}, ", first.record.kind, steps(first.steps)),
        (count, Some(_)) => format!("{} violations, ", grouped(count)),
    };
    let reduced = match statistics.reduced {
        0 => String::new(),
        count => format!(", {} sets in {}", checked.reduce, counted(count, "state")),
    };
    format!(
        "{}: {verdict}{only} — {found}{}, {}, depth {}{reduced}, {:.1} s, {}\n",
        checked.loaded.model.file,
        counted(statistics.states, "state"),
        counted(statistics.transitions(), "transition"),
        grouped(statistics.depth),
        statistics.elapsed.as_secs_f64(),
        bytes(statistics.store_bytes),
    )
}

fn violation_text(
    checked: &Checked<'_>,
    violation: &Confirmed,
    with_steps: bool,
    style: Style,
) -> String {
    let record = &violation.record;
    let sources = &checked.loaded.sources;
    let code = Code {
        id: record.kind.name(),
        summary: "",
    };
    let span = record
        .at
        .as_ref()
        .and_then(|at| span_of(sources, checked.loaded.interpreter.program(), at));
    let mut text = String::from("\n");
    match span {
        Some(span) => {
            let diagnostic = Diagnostic::error(code, span, record.message.clone());
            let options = RenderOptions {
                colour: style.colour,
                width: style.width,
                ..Default::default()
            };
            text += &render(sources, &[diagnostic], options);
        }
        None => text += &format!("{}: {}\n", style.error(record.kind.name()), record.message),
    }
    if with_steps && violation.steps > 0 {
        text += &format!("\n{}", last_steps(violation, style));
    }
    if let Some(path) = &violation.scenario {
        text += &format!("\nfor more: mazurka show {}\n", path.display());
    }
    text
}

fn last_steps(violation: &Confirmed, style: Style) -> String {
    let run = &violation.run;
    let columns = Columns::of_run(run);
    let shown = if violation.steps <= SHORT_SCENARIO {
        run.steps.len()
    } else {
        LAST_STEPS
    };
    let first = run.steps.len() - shown;
    let mut text = match run.skipped + first {
        0 => text_of_start(&run.start, columns, style),
        hidden => style.faint(&format!("  … {} before\n", steps(hidden))),
    };
    for (index, step) in run.steps.iter().enumerate().skip(first) {
        text += &loop_text(run, run.skipped + index, style);
        text += &step_text(run.skipped + index + 1, step, columns, style);
    }
    text + &loop_text(run, run.skipped + run.steps.len(), style)
}

/// Statements that no execution came to, for each process type.
fn unreached(checked: &Checked<'_>, style: Style) -> String {
    let so_far = match checked.report.stop {
        StopReason::Complete => "",
        StopReason::Violation => return String::new(),
        _ => " so far",
    };
    if checked.report.statistics.reduced > 0 && !needs_proviso(checked.arguments) {
        // Without the proviso a statement may be left out of every path.
        return String::new();
    }
    let program = checked.loaded.interpreter.program();
    let mut text = String::new();
    let (unreached, word) = match &checked.loaded.coverage {
        None => (
            unreached_statements(program, &checked.report.covered),
            "unreached",
        ),
        Some(coverage) => (
            unexercised_parts(coverage, &checked.report.covered),
            "never exercised",
        ),
    };
    for (name, (missed, total)) in unreached {
        if missed.is_empty() {
            continue;
        }
        let heading = format!("{word}{so_far} in {name}");
        text += &format!(
            "\n{} ({} of {} {})\n",
            style.heading(&heading),
            missed.len(),
            total,
            if checked.loaded.coverage.is_some() {
                "parts"
            } else {
                "statements"
            },
        );
        for (origin, statement) in missed.iter().take(UNREACHED_SHOWN) {
            let at = position(program, *origin);
            text += &format!("  {}:{}  {statement}\n", at.file, at.line);
        }
        if missed.len() > UNREACHED_SHOWN {
            text += &format!("  … and {} more\n", missed.len() - UNREACHED_SHOWN);
        }
    }
    text
}

type Unreached<'p> = BTreeMap<&'p str, (Vec<(Origin, &'p str)>, usize)>;

fn unreached_statements<'p>(program: &'p Program, covered: &[bool]) -> Unreached<'p> {
    let mut exists = vec![false; program.statements.len()];
    let mut reached = vec![false; program.statements.len()];
    for (transition, covered) in program.transitions.iter().zip(covered) {
        exists[transition.statement.index()] = true;
        reached[transition.statement.index()] |= covered;
    }
    let mut unreached = Unreached::new();
    for (number, statement) in program.statements.iter().enumerate() {
        if !exists[number] || !statement.reported {
            continue;
        }
        let name = program.process_types[statement.process_type.index()]
            .name
            .as_str();
        let (missed, total) = unreached.entry(name).or_default();
        *total += 1;
        if !reached[number] {
            missed.push((statement.origin, statement.text.as_str()));
        }
    }
    for (missed, _) in unreached.values_mut() {
        missed.sort_by_key(|(origin, _)| (origin.file, origin.line, origin.column));
    }
    unreached
}

/// Parts of machines that no transition made use of, for each machine.
fn unexercised_parts<'p>(coverage: &'p Coverage, covered: &[bool]) -> Unreached<'p> {
    let mut unreached = Unreached::new();
    for part in &coverage.parts {
        unreached.entry(&part.machine).or_default().1 += 1;
    }
    for part in coverage.missed(covered) {
        let (missed, _) = unreached.entry(&part.machine).or_default();
        missed.push((part.origin, &part.text));
    }
    unreached
}

/// What stands at a position: a statement of the program, or else the rest of the line.
fn span_of(sources: &SourceMap, program: &Program, at: &Position) -> Option<Span> {
    let file = sources.files().iter().find(|file| file.name() == at.file)?;
    let line = file
        .text()
        .split_inclusive('\n')
        .nth(at.line.checked_sub(1)? as usize)?;
    let line_start = line.as_ptr() as usize - file.text().as_ptr() as usize;
    let text = line.trim_end();
    let offset_of = |column: u32| {
        let nth = text.char_indices().nth(column.saturating_sub(1) as usize);
        nth.map_or(text.len(), |(offset, _)| offset)
    };
    let statements = program.statements.iter().map(|statement| statement.origin);
    let locations = program.locations.iter().map(|location| location.origin);
    let end = statements
        .chain(locations)
        .find(|origin| position(program, *origin) == *at && origin.end_line == origin.line)
        .map_or(text.len(), |origin| offset_of(origin.end_column));
    let base = file.base() as usize + line_start;
    let start = offset_of(at.column);
    Some(Span::new(
        (base + start) as u32,
        (base + end.max(start)) as u32,
    ))
}

fn steps(count: usize) -> String {
    counted(count as u64, "step")
}

fn counted(count: u64, noun: &str) -> String {
    format!(
        "{} {noun}{}",
        grouped(count),
        if count == 1 { "" } else { "s" }
    )
}

/// `1234567` as `1,234,567`.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index) % 3 == 0 {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A number of bytes in a fitting unit.
pub fn bytes(number: u64) -> String {
    match number {
        0..1_024 => format!("{number} B"),
        1_024..1_048_576 => format!("{} kB", number >> 10),
        1_048_576..10_737_418_240 => format!("{} MB", number >> 20),
        _ => format!("{:.1} GB", number as f64 / (1u64 << 30) as f64),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_in_groups() {
        assert_eq!(grouped(0), "0");
        assert_eq!(grouped(999), "999");
        assert_eq!(grouped(1000), "1,000");
        assert_eq!(grouped(251_409), "251,409");
        assert_eq!(grouped(1_234_567_890), "1,234,567,890");
    }

    #[test]
    fn sizes_in_units() {
        assert_eq!(bytes(12), "12 B");
        assert_eq!(bytes(41 << 20), "41 MB");
        assert_eq!(bytes(12 << 30), "12.0 GB");
    }

    #[test]
    fn positions_become_spans() {
        use mazurka_model::{ProcessTypeId, Statement};
        let mut sources = SourceMap::new();
        sources.add("a", b"one\n").unwrap();
        sources.add("b", "αβ γδ // x \nlast".as_bytes()).unwrap();
        let mut program = Program {
            files: vec!["a".into(), "b".into()],
            ..Program::default()
        };
        let origin = Origin {
            file: 1,
            line: 1,
            column: 1,
            end_line: 1,
            end_column: 6,
        };
        program.statements.push(Statement {
            text: "αβ γδ".into(),
            origin,
            process_type: ProcessTypeId(0),
            reported: true,
        });
        let text = |file: &str, line, column| {
            let at = Position {
                file: file.into(),
                line,
                column,
            };
            span_of(&sources, &program, &at).map(|span| sources.text(span))
        };
        assert_eq!(text("b", 1, 1), Some("αβ γδ"));
        assert_eq!(text("b", 1, 4), Some("γδ // x"));
        assert_eq!(text("b", 2, 1), Some("last"));
        assert_eq!(text("a", 1, 99), Some(""));
        assert_eq!(text("a", 9, 1), None);
        assert_eq!(text("c", 1, 1), None);
    }
}
