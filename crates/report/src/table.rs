//! Several results at a glance.

use mazurka_checker::Verdict;
use mazurka_scenario::figures::{counted, grouped};
use mazurka_scenario::{Style, clean};
use unicode_width::UnicodeWidthStr;

use crate::Document;
use crate::human::verdict_text;

/// A line for each model: verdict, states, time, and what went wrong; then how many there are of each verdict.
pub fn table(documents: &[Document], style: Style) -> String {
    let known: Vec<&Document> = documents.iter().collect();
    let names: Vec<&str> = documents.iter().map(Document::model).collect();
    let lines = lines(&known, &names, style).into_iter();
    let lines: String = lines.map(|line| line + "\n").collect();
    lines + &format!("{}\n", totals(documents))
}

/// A line for each model, under a name for each.
pub fn lines(documents: &[&Document], names: &[&str], style: Style) -> Vec<String> {
    // A name may be anything, and must not command the terminal.
    let names: Vec<String> = names.iter().map(|name| clean(name)).collect();
    let widest = names.iter().map(|name| name.width()).max().unwrap_or(0);
    let lines = documents.iter().zip(&names).map(|(document, name)| {
        let pad = " ".repeat(widest - name.width());
        // `inconclusive` is the longest.
        let gap = " ".repeat(12usize.saturating_sub(document.verdict_name().len()));
        let verdict = match document.verdict() {
            Some(verdict) => verdict_text(verdict, style),
            None => style.error("error"),
        };
        let line = format!("{name}{pad}  {verdict}{gap}  {}", details(document));
        line.trim_end().to_string()
    });
    lines.collect()
}

fn details(document: &Document) -> String {
    match document {
        Document::Refused(refused) => refused.error.message.clone(),
        Document::Checked(report) => {
            let (states, seconds) = (document.states(), document.seconds());
            let what = match report.verdict {
                Verdict::Violated => {
                    let violated = report.properties.iter();
                    let violated = violated.filter(|known| known.verdict == Verdict::Violated);
                    let names: Vec<&str> = violated.map(|known| known.name.as_str()).collect();
                    names.join(", ")
                }
                _ => document.why_open().unwrap_or_default(),
            };
            let word = if states == 1 { "state " } else { "states" };
            let figures = format!("{:>12} {word} {seconds:>7.1} s", grouped(states));
            format!("{figures}  {what}")
        }
    }
}

fn totals(documents: &[Document]) -> String {
    let known = ["holds", "violated", "inconclusive", "error"];
    let counts = known.into_iter().map(|name| {
        let named = documents
            .iter()
            .filter(|known| known.verdict_name() == name);
        (named.count(), name)
    });
    let counts = counts.filter(|(count, _)| *count > 0);
    let counts: Vec<String> = counts
        .map(|(count, name)| match name {
            "error" => counted(count as u64, name),
            "holds" if count != 1 => format!("{count} hold"),
            _ => format!("{count} {name}"),
        })
        .collect();
    let models = counted(documents.len() as u64, "model");
    format!("{models}: {}", counts.join(", "))
}
