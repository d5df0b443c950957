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
    let (mut suites, mut all) = (String::new(), Totals::default());
    for document in documents {
        suites += &suite(document, &mut all);
    }
    whole(&all, &suites)
}

/// What stands in the attributes of a suite, and of all suites together.
#[derive(Clone, Copy, Default)]
struct Totals {
    tests: usize,
    failures: usize,
    errors: usize,
    seconds: f64,
}

impl Totals {
    fn add(&mut self, other: Totals) {
        self.tests += other.tests;
        self.failures += other.failures;
        self.errors += other.errors;
        self.seconds += other.seconds;
    }

    /// Nothing is ever skipped: what has no verdict is an error.
    fn attributes(&self) -> String {
        format!(
            "tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"0\" time=\"{:.3}\"",
            self.tests, self.failures, self.errors, self.seconds
        )
    }
}

fn whole(all: &Totals, suites: &str) -> String {
    let all = all.attributes();
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"mazurka\" {all}>\n{suites}</testsuites>\n"
    )
}

fn suite(document: &Document, all: &mut Totals) -> String {
    let model = escape(document.model());
    let (mut cases, mut totals) = (String::new(), Totals::default());
    match document {
        Document::Refused(refused) => {
            totals.tests = 1;
            totals.errors = 1;
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
                "    <testcase classname=\"{model}\" name=\"model\" time=\"0.000\">\n      \
                 <error type=\"error\" message=\"{message}\">{details}</error>\n    </testcase>\n"
            );
        }
        Document::Checked(report) => {
            for property in &report.properties {
                totals.tests += 1;
                totals.seconds += property.seconds;
                let name = escape(&property.name);
                let inner = match property.verdict {
                    Verdict::Holds if property.vacuous => {
                        let told = format!("holds, but vacuously: {VACUOUS}");
                        format!("      <system-out>{}</system-out>\n", escape(&told))
                    }
                    Verdict::Holds => String::new(),
                    Verdict::Violated => {
                        totals.failures += 1;
                        let violations = report.violations.iter();
                        let violations = violations.filter(|known| known.property == property.name);
                        failure(violations)
                    }
                    Verdict::Inconclusive | Verdict::NotDecided => {
                        totals.errors += 1;
                        let reason = property.reason.as_deref().or(report.reason.as_deref());
                        let reason = escape(reason.unwrap_or("not decided"));
                        let verdict = property.verdict.name();
                        format!("      <error type=\"{verdict}\" message=\"{reason}\"/>\n")
                    }
                };
                let case = format!(
                    "    <testcase classname=\"{model}\" name=\"{name}\" time=\"{:.3}\"",
                    property.seconds
                );
                cases += &match inner.is_empty() {
                    true => format!("{case}/>\n"),
                    false => format!("{case}>\n{inner}    </testcase>\n"),
                };
            }
        }
    }
    all.add(totals);
    let totals = totals.attributes();
    format!("  <testsuite name=\"{model}\" {totals}>\n{cases}  </testsuite>\n")
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
    let totals = Totals {
        tests: cases.len(),
        failures: cases.iter().filter(|case| case.failure.is_some()).count(),
        errors: 0,
        seconds: cases.iter().map(|case| case.seconds).sum(),
    };
    let mut text = format!("  <testsuite name=\"{name}\" {}>\n", totals.attributes());
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
    whole(&totals, &(text + "  </testsuite>\n"))
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
