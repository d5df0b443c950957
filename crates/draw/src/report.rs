//! A report of a verification: one page that stands alone.

use std::fmt::Write;
use std::path::Path;

use mazurka_checker::figures::{bytes, counted, grouped};
use mazurka_checker::{Config, Outcome, PropertyOutcome, Reached, Verdict, Violation};
use mazurka_scenario::{Mark, Run, Style, refuse_foreign, refuse_unwritable, write_text};
use serde_json::Value;

use crate::html::{MARK, chart_section, document};
use crate::samples::Sample;
use crate::svg::escape;

/// A report has the charts of this many violations.
const CHARTS: usize = 20;
/// And of each the last this many steps.
const STEPS: usize = 2_000;
const PLOT: (f64, f64) = (360.0, 90.0);

/// Verdicts, options, figures, counterexamples and the source with what was never reached.
pub fn report(outcome: &Outcome, config: &Config, samples: &[Sample]) -> String {
    let file = &outcome.model.model.file;
    let verdict = outcome.verdict();
    let mut body = format!(
        "<h1>{}</h1>\n<p class=\"{}\">{} {verdict}</p>\n",
        escape(file),
        class(verdict),
        mark(verdict)
    );
    body += &properties(outcome);
    body += &plots(samples);
    body += &violations(outcome);
    body += &coverage(outcome);
    body += &options(config);
    let version = env!("CARGO_PKG_VERSION");
    body += &format!("<p class=\"quiet\">Mazurka {version}</p>\n");
    document(&format!("{file}: {verdict}"), &body)
}

/// Refuses, before anything is searched, a place at which a report could not be written or would replace what is not a report.
pub fn refuse_lost_report(path: &Path) -> Result<(), String> {
    let folder = path.parent();
    let folder = folder.filter(|folder| !folder.as_os_str().is_empty());
    let reason = match folder.is_some_and(|folder| !folder.is_dir()) {
        true => Err("there is no such folder".to_string()),
        false => refuse_foreign(path, Mark::Words(MARK)).and_then(|()| refuse_unwritable(path)),
    };
    reason.map_err(|reason| format!("--report {}: {reason}", path.display()))
}

/// Writes a report, or says why it cannot be written: somebody may have put another file there while the search ran.
pub fn write_report(path: &Path, drawn: Result<String, String>) -> Result<(), String> {
    refuse_lost_report(path)?;
    let written = write_text(path, &drawn?);
    written.map_err(|error| format!("--report {}: {error}", path.display()))
}

fn class(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Holds => "holds",
        Verdict::Violated => "wrong",
        Verdict::Inconclusive | Verdict::NotDecided => "open",
    }
}

fn mark(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Holds => "✓",
        Verdict::Violated => "✗",
        Verdict::Inconclusive | Verdict::NotDecided => "?",
    }
}

fn properties(outcome: &Outcome) -> String {
    let mut text = String::from(
        "<h2>Properties</h2>\n<div class=\"wide\"><table><tr><th>property</th><th>verdict</th><th class=\"n\">states</th><th class=\"n\">transitions</th>\
         <th class=\"n\">depth</th><th class=\"n\">memory</th><th class=\"n\">seconds</th></tr>\n",
    );
    for property in &outcome.properties {
        let statistics = &property.statistics;
        let _ = writeln!(
            text,
            "<tr><td>{}{}</td><td><span class=\"{}\">{} {}</span>{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td><td class=\"n\">{:.2}</td></tr>",
            escape(&property.name),
            formula(outcome, &property.name),
            class(property.verdict),
            mark(property.verdict),
            property.verdict,
            remarks(property),
            grouped(statistics.states),
            grouped(statistics.transitions()),
            grouped(statistics.depth),
            bytes(statistics.store_bytes),
            statistics.elapsed.as_secs_f64(),
        );
    }
    text + "</table></div>\n"
}

fn formula(outcome: &Outcome, name: &str) -> String {
    let mut formulas = outcome.model.properties.iter();
    match formulas.find(|formula| formula.name == name) {
        Some(formula) => format!("<br><code>{}</code>", escape(&formula.text)),
        None => String::new(),
    }
}

fn remarks(property: &PropertyOutcome) -> String {
    let mut remarks: Vec<String> = Vec::new();
    if property.vacuous {
        remarks.push(
            "vacuously: it holds even if the right side of every implication is false".into(),
        );
    }
    remarks.extend(property.reason.clone());
    remarks.extend(property.notes.iter().cloned());
    if property.statistics.reduced > 0 {
        let states = counted(property.statistics.reduced, "state");
        let name = property.reduction.name();
        remarks.push(format!("{name} sets left steps out in {states}"));
    }
    let remarks = remarks.iter();
    remarks
        .map(|remark| format!("<br><span class=\"quiet\">{}</span>", escape(remark)))
        .collect()
}

fn plots(samples: &[Sample]) -> String {
    if samples.len() < 3 {
        return String::new();
    }
    let of = |name: &str, value: fn(&Sample) -> f64, last: String| {
        let points: Vec<(f64, f64)> = samples.iter().map(|s| (s.seconds, value(s))).collect();
        plot(name, &points, &last)
    };
    let last = samples[samples.len() - 1];
    format!(
        "<h2>The search</h2>\n<p class=\"plots\">{}{}{}</p>\n",
        of("states", |s| s.states as f64, grouped(last.states)),
        of("memory", |s| s.bytes as f64, bytes(last.bytes)),
        of("depth", |s| s.depth as f64, grouped(last.depth)),
    )
}

fn plot(name: &str, points: &[(f64, f64)], last: &str) -> String {
    let (width, height) = PLOT;
    let most = |of: fn(&(f64, f64)) -> f64| points.iter().map(of).fold(1e-9, f64::max);
    let (across, up) = (most(|point| point.0), most(|point| point.1));
    let line: Vec<String> = points
        .iter()
        .map(|(x, y)| {
            let x = x / across * width;
            let y = height - y / up * (height - 4.0);
            format!("{x:.1},{y:.1}")
        })
        .collect();
    format!(
        "<svg class=\"plot\" role=\"img\" width=\"{width}\" height=\"{}\" viewBox=\"0 0 {width} {}\"><title>{name} over time</title>\
         <polyline points=\"{}\"/><text x=\"4\" y=\"{}\">{name}: {} after {across:.1} s</text></svg>",
        height + 20.0,
        height + 20.0,
        line.join(" "),
        height + 15.0,
        escape(last),
    )
}

fn violations(outcome: &Outcome) -> String {
    let all: Vec<&Violation> = outcome.violations().collect();
    if all.is_empty() {
        return String::new();
    }
    let mut text = format!("<h2>Violations ({})</h2>\n", all.len());
    for (number, violation) in all.iter().enumerate() {
        let record = &violation.record;
        let steps = counted(violation.steps.len() as u64, "step");
        let words = format!("{}: {} ({steps})", record.kind, record.message);
        if number >= CHARTS {
            let _ = writeln!(text, "<p class=\"wrong\">✗ {}</p>", escape(&words));
            continue;
        }
        let is_first = if number == 0 { " open" } else { "" };
        let chart = match outcome.run(violation) {
            Ok(run) => chart_section(&tail(run), None),
            Err(error) => format!("<p>{}</p>", escape(&error.to_string())),
        };
        let _ = writeln!(
            text,
            "<details{is_first}><summary><span class=\"wrong\">✗ {}</span></summary>\n{}{chart}</details>",
            escape(&words),
            reasons(violation)
        );
    }
    text
}

/// Why it is a violation: who waits for whom, or what a formula is about.
fn reasons(violation: &Violation) -> String {
    let text = violation.explanation.text(Style::default());
    let lines = text.lines().map(str::trim);
    let items: String = lines
        .map(|line| format!("<li>{}</li>\n", escape(line)))
        .collect();
    match items.is_empty() {
        true => items,
        false => format!("<ul class=\"reasons\">\n{items}</ul>\n"),
    }
}

/// The last steps of a run.
fn tail(run: Run) -> Run {
    let first = run.steps.len().saturating_sub(STEPS);
    Run {
        skipped: run.skipped + first,
        steps: run.steps[first..].to_vec(),
        ..run
    }
}

fn coverage(outcome: &Outcome) -> String {
    let Some(reached) = outcome.reached() else {
        return match outcome.safety() {
            Some(_) => "<h2>Coverage</h2>\n<p class=\"quiet\">Not known: no search for safety properties went everywhere.</p>\n".into(),
            None => String::new(),
        };
    };
    let never: Vec<&Reached> = reached.iter().filter(|one| !one.met).collect();
    let mut text = format!(
        "<h2>Coverage</h2>\n<p>Reached: {} of {}.</p>\n",
        grouped((reached.len() - never.len()) as u64),
        counted(reached.len() as u64, "statement")
    );
    for file in outcome.model.sources.files() {
        let own: Vec<&Reached> = reached
            .iter()
            .filter(|one| one.at.file == file.name())
            .collect();
        if own.is_empty() {
            continue;
        }
        let _ = writeln!(
            text,
            "<details{}><summary>{}</summary><div class=\"src\"><code>",
            if never.is_empty() { "" } else { " open" },
            escape(file.name())
        );
        for (number, line) in file.text().lines().enumerate() {
            let here: Vec<&&Reached> = own
                .iter()
                .filter(|one| one.at.line as usize == number + 1)
                .collect();
            let missed: Vec<&str> = here
                .iter()
                .filter(|one| !one.met)
                .map(|one| one.text.as_str())
                .collect();
            let (class, mark) = match (here.is_empty(), missed.is_empty()) {
                (true, _) => ("", ""),
                (false, true) => ("met", "✓"),
                (false, false) => ("never", "✗"),
            };
            let title = match missed.is_empty() {
                true => String::new(),
                false => format!(" title=\"never reached: {}\"", escape(&missed.join("; "))),
            };
            let _ = writeln!(
                text,
                "<div class=\"{class}\"{title}><span class=\"num\">{}</span><span class=\"mark\">{mark}</span>{}</div>",
                number + 1,
                escape(line)
            );
        }
        text += "</code></div></details>\n";
    }
    text
}

/// Those that are not as usual.
fn options(config: &Config) -> String {
    let as_map = |config: &Config| match serde_json::to_value(config) {
        Ok(Value::Object(map)) => map,
        _ => serde_json::Map::new(),
    };
    let usual = as_map(&Config::default());
    let mut rows = String::new();
    for (name, value) in as_map(config) {
        if usual.get(&name) == Some(&value) {
            continue;
        }
        let word = |value: &Value| match value {
            Value::String(text) => text.clone(),
            other => other.to_string(),
        };
        let shown = match &value {
            Value::Array(several) => several.iter().map(word).collect::<Vec<_>>().join(", "),
            other => word(other),
        };
        let _ = writeln!(
            rows,
            "<tr><td>{}</td><td class=\"v\">{}</td></tr>",
            escape(&name),
            escape(&shown)
        );
    }
    let mut text = String::from("<h2>Options</h2>\n");
    text += &match rows.is_empty() {
        true => "<p class=\"quiet\">As usual.</p>\n".to_string(),
        false => format!("<table>{rows}</table>\n"),
    };
    text
}
