//! A suite, run and compared.

use std::path::{Path, PathBuf};

use mazurka_checker::{
    Checker, Error, ModelText, Outcome, Report, Supervisor, Verdict, Written, contained,
};
use mazurka_report::{Case, Document};
use mazurka_scenario::figures::counted;
use mazurka_scenario::{ScenarioFiles, Style, shell_command};

use crate::file::{Expect, Expected};
use crate::places::no_such;

/// A model that was checked, and what is not as expected.
#[derive(Debug)]
pub struct Judged {
    /// What it is called.
    pub name: String,
    /// What came of it.
    pub document: Document,
    /// Why it was not checked, if it was not.
    pub error: Option<Error>,
    /// What is not as expected, a sentence each.
    pub complaints: Vec<String>,
    /// The scenarios that were written of what is not as expected.
    pub scenarios: Vec<PathBuf>,
}

impl Expected {
    /// Checks the model and compares. Scenarios are written only of what is not expected.
    pub fn run(&self, supervisor: &mut dyn Supervisor) -> Judged {
        let outcome = contained(&self.file.display().to_string(), || {
            let model = ModelText::open_as(&self.file, self.notation)?;
            let checker = Checker::of(model).config(self.config.clone());
            checker.run_with(supervisor)
        });
        let outcome = outcome.and_then(|outcome| outcome);
        let (outcome, error) = match outcome {
            Ok(outcome) => (Some(outcome), None),
            Err(error) => (None, Some(error)),
        };
        let document = |written: &Written| match (&outcome, &error) {
            (Some(outcome), _) => Document::checked(Report::of(outcome, &self.config, written)),
            (None, Some(error)) => Document::refused(&self.file.display().to_string(), error),
            (None, None) => unreachable!("a check ends in an outcome or an error"),
        };
        let mut known = document(&Written::default());
        let mut complaints = self.expect.complaints(&known);
        // Nobody expects those, whatever the verdict.
        let defects = known.internal_errors();
        let defects = defects.map(|(name, message)| format!("{name}: internal error: {message}"));
        complaints.extend(defects.collect::<Vec<_>>());
        let mut scenarios = Vec::new();
        if let (Some(outcome), false) = (&outcome, complaints.is_empty()) {
            let written = self.write(outcome);
            known = document(&written);
            if let Some(report) = &written.defect_report {
                let report = report.display();
                complaints.push(format!(
                    "please report it where you got Mazurka, with {report}"
                ));
            }
            let of = outcome.violations().zip(written.scenarios);
            let of =
                of.filter(|(violation, _)| !self.expect.is_violated(&violation.record.property));
            scenarios.extend(of.filter_map(|(_, file)| file));
        }
        Judged {
            scenarios,
            name: self.name.clone(),
            document: known,
            error,
            complaints,
        }
    }

    fn write(&self, outcome: &Outcome) -> Written {
        // One model may be checked in several ways.
        let files = match self.file.ends_with(&self.name) {
            true => ScenarioFiles::of_model(&self.file),
            false => ScenarioFiles::of_variant(&self.file, &self.name),
        };
        Written::write(outcome, &self.config, &files, Path::new(&self.file))
    }
}

impl Judged {
    /// Is everything as expected?
    pub fn is_as_expected(&self) -> bool {
        self.complaints.is_empty()
    }

    /// What is not as expected, and why the model was not checked, if it was not.
    fn failure(&self) -> String {
        let complaints = self.complaints.join("\n");
        match &self.document {
            Document::Refused(refused) => format!("{complaints} ({})", refused.error.message),
            Document::Checked(_) => complaints,
        }
    }
}

impl Expect {
    /// Is it expected, and of this property in particular, that it is violated?
    fn is_violated(&self, property: &str) -> bool {
        match self {
            Expect::Whole(_) => false,
            Expect::Each(expected) => {
                let wanted = expected.get(property);
                wanted.is_some_and(|wanted| wanted == Verdict::Violated.name())
            }
        }
    }

    /// What is not as expected.
    fn complaints(&self, document: &Document) -> Vec<String> {
        let found = document.verdict_name();
        match (self, document.report()) {
            (Expect::Whole(expected), _) if expected == found => Vec::new(),
            (Expect::Whole(expected), report) => {
                let why = report.map_or(String::new(), why);
                vec![format!("expected {expected}, found {found}{why}")]
            }
            (Expect::Each(_), None) => vec![format!("found {found}")],
            (Expect::Each(expected), Some(report)) => {
                let mut complaints = Vec::new();
                for property in &report.properties {
                    let wanted = expected.get(&property.name);
                    let wanted = wanted.map_or(Verdict::Holds.name(), String::as_str);
                    let (name, found) = (&property.name, property.verdict.name());
                    if wanted != found {
                        complaints.push(format!("{name}: expected {wanted}, found {found}"));
                    }
                }
                let names: Vec<&str> = report.properties.iter().map(|p| p.name.as_str()).collect();
                let unknown = expected
                    .keys()
                    .filter(|name| !names.contains(&name.as_str()));
                complaints.extend(unknown.map(|name| no_such("property", name, &names)));
                complaints
            }
        }
    }
}

/// Why a verdict is what it is, in brackets.
fn why(report: &Report) -> String {
    let violations = report.violations.iter();
    let mut violations = violations.map(|known| format!("{}: {}", known.property, known.message));
    let reason = violations.next().or_else(|| report.reason.clone());
    reason.map_or(String::new(), |reason| format!(" ({reason})"))
}

/// A line for each model, or each that is not as expected, and then how many are. The line of a model that was not checked says why.
pub fn table(judged: &[Judged], quiet: bool, style: Style) -> String {
    let documents: Vec<&Document> = judged.iter().map(|known| &known.document).collect();
    let names: Vec<&str> = judged.iter().map(|known| known.name.as_str()).collect();
    let mut text = String::new();
    for (line, known) in mazurka_report::lines(&documents, &names, style)
        .iter()
        .zip(judged)
    {
        if quiet && known.is_as_expected() {
            continue;
        }
        let mark = match known.is_as_expected() {
            true => style.success("ok "),
            false => style.error("NOT"),
        };
        text += &format!("{mark} {line}\n");
        for complaint in &known.complaints {
            text += &format!("      {}\n", mazurka_scenario::clean(complaint));
        }
        if let [first, rest @ ..] = known.scenarios.as_slice() {
            let words = ["mazurka".as_ref(), "show".as_ref(), first.as_os_str()];
            let more = match rest.len() as u64 {
                0 => String::new(),
                more => format!(" (and {})", counted(more, "other scenario")),
            };
            text += &format!("      for more: {}{more}\n", shell_command(words));
        }
    }
    let right = judged.iter().filter(|known| known.is_as_expected()).count();
    text + &format!("{right} of {} as expected\n", judged.len())
}

/// The same as JUnit's XML: a case for each model, which fails if it is not as expected.
pub fn junit(name: &str, judged: &[Judged]) -> String {
    let cases = judged.iter().map(|known| Case {
        name: known.name.clone(),
        seconds: known.document.seconds(),
        failure: (!known.is_as_expected()).then(|| known.failure()),
    });
    mazurka_report::junit_of_cases(name, &cases.collect::<Vec<_>>())
}
