//! JUnit's XML: a suite for each model, a case for each property.

use std::ffi::OsStr;
use std::fmt::Write;

use mazurka_checker::{ReportedViolation, Verdict};
use mazurka_scenario::figures::counted;
use mazurka_scenario::shell_command;

use crate::Document;
use crate::human::VACUOUS;

/// A failure is a violation; an error is what has no verdict, so that nobody takes it for a success.
pub(crate) fn junit(documents: &[Document]) -> String {
    let mut text =
        String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"mazurka\">\n");
    for document in documents {
        text += &suite(document);
    }
    text + "</testsuites>\n"
}

fn suite(document: &Document) -> String {
    let model = escape(document.model());
    let (mut cases, mut failures, mut errors, mut seconds) = (String::new(), 0, 0, 0.0);
    let mut count = 0;
    match document {
        Document::Refused(refused) => {
            count = 1;
            errors = 1;
            let mut details = String::new();
            for known in &refused.diagnostics {
                let at = known.at.iter();
                let at: String = at
                    .map(|at| format!("{}:{}:{}: ", at.file, at.line, at.column))
                    .collect();
                let severity = known.severity.name();
                let _ = writeln!(details, "{at}{severity}[{}]: {}", known.code, known.message);
            }
            let message = escape(&refused.error.message);
            let details = escape(&details);
            cases += &format!(
                "    <testcase classname=\"{model}\" name=\"model\">\n      \
                 <error type=\"error\" message=\"{message}\">{details}</error>\n    </testcase>\n"
            );
        }
        Document::Checked(report) => {
            seconds = report.stats.search_seconds;
            for property in &report.properties {
                count += 1;
                let name = escape(&property.name);
                let inner = match property.verdict {
                    Verdict::Holds if property.vacuous => {
                        let told = format!("holds, but vacuously: {VACUOUS}");
                        format!("      <system-out>{}</system-out>\n", escape(&told))
                    }
                    Verdict::Holds => String::new(),
                    Verdict::Violated => {
                        failures += 1;
                        let violations = report.violations.iter();
                        let violations = violations.filter(|known| known.property == property.name);
                        failure(violations)
                    }
                    Verdict::Inconclusive | Verdict::NotDecided => {
                        errors += 1;
                        let reason = property.reason.as_deref().or(report.reason.as_deref());
                        let reason = escape(reason.unwrap_or("not decided"));
                        let verdict = property.verdict.name();
                        format!("      <error type=\"{verdict}\" message=\"{reason}\"/>\n")
                    }
                };
                cases += &match inner.is_empty() {
                    true => format!("    <testcase classname=\"{model}\" name=\"{name}\"/>\n"),
                    false => format!(
                        "    <testcase classname=\"{model}\" name=\"{name}\">\n{inner}    </testcase>\n"
                    ),
                };
            }
        }
    }
    format!(
        "  <testsuite name=\"{model}\" tests=\"{count}\" failures=\"{failures}\" errors=\"{errors}\" time=\"{seconds:.3}\">\n\
         {cases}  </testsuite>\n"
    )
}

/// One failure, as a case may have one: its message is the first violation, its text has all.
fn failure<'a>(violations: impl Iterator<Item = &'a ReportedViolation>) -> String {
    let (mut first, mut text) = (None, String::new());
    for violation in violations {
        first.get_or_insert((violation.kind.name(), violation.message.clone()));
        let at = violation.at.iter();
        let at: String = at.map(|at| format!("{}:{}: ", at.file, at.line)).collect();
        let _ = writeln!(
            text,
            "{at}{}: {}, after {}",
            violation.kind,
            violation.message,
            counted(violation.steps as u64, "step")
        );
        if let Some(path) = &violation.scenario {
            let words = ["mazurka", "show", path].map(OsStr::new);
            let _ = writeln!(text, "{}", shell_command(words));
        }
    }
    let (kind, message) = first.unwrap_or(("violated", String::new()));
    format!(
        "      <failure type=\"{kind}\" message=\"{}\">{}</failure>\n",
        escape(&message),
        escape(&text)
    )
}

/// Something that was tried, such as a model of a suite.
#[derive(Clone, PartialEq, Debug)]
pub struct Case {
    /// What it is called.
    pub name: String,
    /// How long it took.
    pub seconds: f64,
    /// Why it failed, if it did.
    pub failure: Option<String>,
}

/// One suite of these cases.
pub fn junit_of_cases(name: &str, cases: &[Case]) -> String {
    let name = escape(name);
    let failures = cases.iter().filter(|case| case.failure.is_some()).count();
    let mut text = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"mazurka\">\n  \
         <testsuite name=\"{name}\" tests=\"{}\" failures=\"{failures}\" errors=\"0\">\n",
        cases.len()
    );
    for case in cases {
        let heading = format!(
            "    <testcase classname=\"{name}\" name=\"{}\" time=\"{:.3}\"",
            escape(&case.name),
            case.seconds
        );
        text += &match &case.failure {
            None => format!("{heading}/>\n"),
            Some(reason) => format!(
                "{heading}>\n      <failure message=\"{0}\">{0}</failure>\n    </testcase>\n",
                escape(reason)
            ),
        };
    }
    text + "  </testsuite>\n</testsuites>\n"
}

/// Text that is safe in XML. What XML cannot have at all is replaced.
fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => escaped += "&amp;",
            '<' => escaped += "&lt;",
            '>' => escaped += "&gt;",
            '"' => escaped += "&quot;",
            '\n' => escaped += "&#10;",
            '\t' => escaped += "&#9;",
            '\u{0}'..'\u{20}' | '\u{fffe}' | '\u{ffff}' => escaped.push('\u{fffd}'),
            other => escaped.push(other),
        }
    }
    escaped
}
