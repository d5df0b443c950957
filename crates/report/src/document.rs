//! All that is known of a model that was asked about.

use mazurka_checker::{
    Error, Report, ReportedDiagnostic, ReportedProperty, ReportedSeverity, ReportedViolation,
    Unreached, UnreachedPart, Verdict,
};
use mazurka_scenario::{Position, PropertyKind};
use serde::Serialize;

use crate::human::VACUOUS;

/// What the field `format` says of the results of several models.
const SEVERAL: &str = "mazurka-reports";

/// All that is known of a model that was asked about.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
pub enum Document {
    /// It was checked.
    Checked(Box<Report>),
    /// It was not.
    Refused(Box<Refused>),
}

/// A model that was not checked. Its fields are among those of a [`Report`].
#[derive(Clone, Debug, Serialize)]
pub struct Refused {
    format: &'static str,
    version: u32,
    verdict: &'static str,
    complete: bool,
    reason: String,
    /// Why it was not checked.
    pub error: Trouble,
    properties: Vec<ReportedProperty>,
    violations: Vec<ReportedViolation>,
    /// What is wrong with it.
    pub diagnostics: Vec<ReportedDiagnostic>,
    unreached: Vec<Unreached>,
    options: Named,
}

/// Why a model was not checked.
#[derive(Clone, Debug, Serialize)]
pub struct Trouble {
    /// Whose fault it is.
    pub kind: TroubleKind,
    /// One sentence.
    pub message: String,
}

/// Whose fault it is that a model was not checked.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum TroubleKind {
    /// Something was asked for that cannot be.
    Usage,
    /// The model is wrong; the diagnostics say how.
    Model,
    /// Another member of a cluster was lost.
    Lost,
    /// Mazurka is wrong.
    Internal,
}

#[derive(Clone, Debug, Serialize)]
struct Named {
    model: String,
}

impl Document {
    /// Of a model that was checked.
    pub fn checked(report: Report) -> Document {
        Document::Checked(Box::new(report))
    }

    /// Of a model that was not.
    pub fn refused(model: &str, error: &Error) -> Document {
        let diagnostics = match error {
            Error::Diagnostics(wrong) => {
                ReportedDiagnostic::all(&wrong.sources, &wrong.diagnostics)
            }
            _ => Vec::new(),
        };
        let trouble = match error {
            Error::Usage(message) => (TroubleKind::Usage, message.clone()),
            Error::Lost(message) => (TroubleKind::Lost, message.clone()),
            Error::Internal(_) => (TroubleKind::Internal, error.to_string()),
            Error::Diagnostics(_) => {
                let errors = diagnostics.iter();
                let errors = errors.filter(|known| known.severity == ReportedSeverity::Error);
                let count = mazurka_scenario::figures::counted(errors.count() as u64, "error");
                (TroubleKind::Model, format!("the model has {count}"))
            }
        };
        Document::Refused(Box::new(Refused {
            format: Report::FORMAT,
            version: Report::VERSION,
            verdict: "error",
            complete: false,
            reason: trouble.1.clone(),
            error: Trouble {
                kind: trouble.0,
                message: trouble.1,
            },
            properties: Vec::new(),
            violations: Vec::new(),
            diagnostics,
            unreached: Vec::new(),
            options: Named {
                model: model.into(),
            },
        }))
    }

    /// The path of the model.
    pub fn model(&self) -> &str {
        match self {
            Document::Checked(report) => &report.options.model,
            Document::Refused(refused) => &refused.options.model,
        }
    }

    /// Where the model begins: the place of what has no other.
    pub(crate) fn beginning(&self) -> Position {
        Position {
            file: self.model().into(),
            line: 1,
            column: 1,
        }
    }

    /// A place and a sentence for each statement that was not come to.
    pub(crate) fn unreached(&self) -> Vec<(Position, String)> {
        let Some(report) = self.report() else {
            return Vec::new();
        };
        let of_process = |process: &Unreached| {
            let name = process.name.clone();
            let told = move |part: &UnreachedPart| {
                let text = &part.text;
                let message = match report.complete {
                    true => format!("no execution of {name} comes to: {text}"),
                    false => {
                        format!("in the part that was searched, {name} does not come to: {text}")
                    }
                };
                (part.at.clone(), message)
            };
            process.missed.iter().map(told).collect::<Vec<_>>()
        };
        report.unreached.iter().flat_map(of_process).collect()
    }

    /// A place and a sentence for each property that is neither violated nor known to hold.
    pub(crate) fn undecided(&self) -> Vec<(Position, String)> {
        let Some(report) = self.report() else {
            return Vec::new();
        };
        let properties = report.properties.iter();
        let properties = properties.filter(|property| is_open(property));
        let told = properties.map(|property| {
            let reasons = [&property.reason, &report.reason];
            let reason = reasons.into_iter().find_map(Option::as_deref);
            let reason = reason.unwrap_or("the search was not complete");
            let stopped_at = property.stopped_by.as_ref().and_then(|by| by.at.clone());
            (
                stopped_at.unwrap_or_else(|| self.place_of(property)),
                format!("{} is {}: {reason}", property.name, property.verdict),
            )
        });
        told.collect()
    }

    /// Formulas that hold even if the right side of every implication is false, with a place for each.
    pub(crate) fn vacuous(&self) -> Vec<(Position, String)> {
        let properties = self.report().map_or(&[][..], |report| &report.properties);
        let vacuous = properties.iter().filter(|property| property.vacuous);
        let told = vacuous.map(|property| {
            let message = format!("{} holds, but vacuously: {VACUOUS}", property.name);
            (self.place_of(property), message)
        });
        told.collect()
    }

    fn place_of(&self, property: &ReportedProperty) -> Position {
        let at = property.at.clone();
        at.unwrap_or_else(|| self.beginning())
    }

    /// The properties at which Mazurka itself went wrong, and what it says about it.
    pub fn internal_errors(&self) -> impl Iterator<Item = (&str, &str)> {
        let properties = self.report().map_or(&[][..], |report| &report.properties);
        let properties = properties.iter();
        properties.filter_map(|known| Some((&*known.name, known.internal_error.as_deref()?)))
    }

    /// The verdict; none if it was not checked.
    pub fn verdict(&self) -> Option<Verdict> {
        match self {
            Document::Checked(report) => Some(report.verdict),
            Document::Refused(_) => None,
        }
    }

    /// The verdict, or `error`.
    pub fn verdict_name(&self) -> &'static str {
        self.verdict().map_or("error", Verdict::name)
    }

    /// How long its searches took, those of all properties.
    pub fn seconds(&self) -> f64 {
        let properties = self.report().map(|report| report.properties.iter());
        let seconds = properties.into_iter().flatten().map(|known| known.seconds);
        // A sum of nothing is negative zero.
        seconds.sum::<f64>() + 0.0
    }

    /// How many states its searches met, those of all properties.
    pub fn states(&self) -> u64 {
        let Some(report) = self.report() else {
            return 0;
        };
        let figures = report.properties.iter().map(|known| known.stats);
        let figures: Option<Vec<_>> = figures.collect();
        // Where they are not known one by one, those of safety stand for all.
        match figures.filter(|known| !known.is_empty()) {
            Some(figures) => figures.iter().map(|known| known.states).sum(),
            None => report.stats.states,
        }
    }

    /// Why the first property that is not decided is not.
    pub(crate) fn why_open(&self) -> Option<String> {
        let report = self.report()?;
        let mut open = report.properties.iter().filter(|known| is_open(known));
        let Some(first) = open.next() else {
            return report.reason.clone();
        };
        let reason = first.reason.as_ref().or(report.reason.as_ref())?;
        Some(match first.kind {
            PropertyKind::Safety => reason.clone(),
            _ => format!("{}: {reason}", first.name),
        })
    }

    /// The report, if it was checked.
    pub fn report(&self) -> Option<&Report> {
        match self {
            Document::Checked(report) => Some(report),
            Document::Refused(_) => None,
        }
    }

    /// What is wrong with the model or odd about it.
    pub fn diagnostics(&self) -> &[ReportedDiagnostic] {
        match self {
            Document::Checked(report) => &report.diagnostics,
            Document::Refused(refused) => &refused.diagnostics,
        }
    }
}

fn is_open(property: &ReportedProperty) -> bool {
    matches!(
        property.verdict,
        Verdict::Inconclusive | Verdict::NotDecided
    )
}

/// The worst of several results: an error, then violated, then inconclusive.
fn worst(documents: &[Document]) -> &'static str {
    let rank = |document: &&Document| match document.verdict() {
        None => 3,
        Some(Verdict::Violated) => 2,
        Some(Verdict::Inconclusive | Verdict::NotDecided) => 1,
        Some(Verdict::Holds) => 0,
    };
    let worst = documents.iter().max_by_key(rank);
    worst.map_or(Verdict::Holds.name(), Document::verdict_name)
}

/// One model is a document, several are a list of them.
pub(crate) fn json(documents: &[Document]) -> String {
    #[derive(Serialize)]
    struct Several<'a> {
        format: &'static str,
        version: u32,
        verdict: &'static str,
        models: &'a [Document],
    }
    let text = match documents {
        [one] => serde_json::to_string_pretty(one),
        several => serde_json::to_string_pretty(&Several {
            format: SEVERAL,
            version: Report::VERSION,
            verdict: worst(several),
            models: several,
        }),
    };
    // There is nothing in it that could fail.
    text.unwrap_or_default() + "\n"
}
