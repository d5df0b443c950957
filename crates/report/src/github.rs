//! Annotations of GitHub's workflows: lines on standard output that the runner shows beside the source.

use std::ffi::OsStr;

use mazurka_checker::ReportedSeverity;
use mazurka_scenario::figures::counted;
use mazurka_scenario::{Position, shell_command};

use crate::Document;

/// An annotation for each violation, property that is not decided, diagnostic and unreached statement, and a line for each model.
pub(crate) fn github(documents: &[Document]) -> String {
    let mut text = String::new();
    for document in documents {
        for known in document.diagnostics() {
            let level = match known.severity {
                ReportedSeverity::Note => "notice",
                other => other.name(),
            };
            let hint = known.hint.iter().map(|hint| format!("\n{hint}"));
            let message = known.message.clone() + &hint.collect::<String>();
            text += &annotation(level, known.at.as_ref(), &known.code, &message);
        }
        match document {
            Document::Refused(refused) if refused.diagnostics.is_empty() => {
                let place = document.beginning();
                text += &annotation("error", Some(&place), "error", &refused.error.message);
            }
            Document::Refused(_) => {}
            Document::Checked(report) => {
                for violation in &report.violations {
                    let title = format!("{} ({})", violation.kind, violation.property);
                    let steps = match &violation.scenario {
                        Some(path) => {
                            let steps = counted(violation.steps as u64, "step");
                            let words = ["mazurka", "show", path].map(OsStr::new);
                            format!("\nafter {steps}: {}", shell_command(words))
                        }
                        None => String::new(),
                    };
                    let message = violation.message.clone() + &steps;
                    let place = violation.at.clone();
                    let place = place.unwrap_or_else(|| document.beginning());
                    text += &annotation("error", Some(&place), &title, &message);
                }
                for (place, message) in document.undecided() {
                    text += &annotation("warning", Some(&place), "not decided", &message);
                }
                for (place, message) in document.vacuous() {
                    text += &annotation("warning", Some(&place), "vacuous", &message);
                }
                for (place, message) in document.unreached() {
                    text += &annotation("notice", Some(&place), "unreached", &message);
                }
            }
        }
        text += &format!("{}: {}\n", plain(document.model()), document.verdict_name());
    }
    text
}

fn annotation(level: &str, at: Option<&Position>, title: &str, message: &str) -> String {
    let place = at.map_or_else(String::new, |at| {
        format!(
            "file={},line={},col={},",
            property(&at.file),
            at.line,
            at.column
        )
    });
    format!(
        "::{level} {place}title={}::{}\n",
        property(title),
        data(message)
    )
}

/// What may stand after the second `::`.
fn data(text: &str) -> String {
    text.replace('%', "%25")
        .replace('\r', "%0D")
        .replace('\n', "%0A")
}

/// What may stand in a property.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

/// A line that is no command, whatever the file is called.
fn plain(text: &str) -> String {
    let text = data(text);
    match text.starts_with("::") {
        true => format!("./{text}"),
        false => text,
    }
}
