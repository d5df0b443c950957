//! `mazurka check`: verifies models and reports the verdicts.

use std::path::{Path, PathBuf};

use mazurka_checker::figures::counted;
use mazurka_checker::{
    Checker, CheckpointFile, Config, Error, Outcome, Report, SavedSearch, Written, contained,
};
use mazurka_draw::{refuse_lost_report, report, write_report};
use mazurka_report::{Document, Format, Human, human, render, table};
use mazurka_scenario::{ScenarioFiles, refuse_same};

use crate::Exit;
use crate::arguments::CheckArguments;
use crate::interrupt;
use crate::model::{is_standard_input, open_model};
use crate::supervision::Attendant;
use crate::terminal::{complain, print, style_of_output, tell_removed};
use crate::trouble::Trouble;

/// A check that is over.
struct Checked {
    config: Config,
    outcome: Outcome,
    written: Written,
}

/// Runs the command.
pub fn check(arguments: &CheckArguments) -> Result<Exit, Trouble> {
    check_all(arguments, &mut Seen::default())
}

/// What came of a check, for whoever repeats it.
#[derive(Default)]
pub struct Seen {
    /// The files that were read.
    pub files: Vec<PathBuf>,
    /// Was something asked for that cannot be?
    pub is_misused: bool,
}

/// The same; what was seen is noted.
pub fn check_all(arguments: &CheckArguments, seen: &mut Seen) -> Result<Exit, Trouble> {
    let is_single = arguments.files.len() == 1;
    if !is_single {
        refuse_one_file_for_several(arguments)?;
    }
    let mut documents = Vec::new();
    let mut worst = Exit::Holds;
    for file in &arguments.files {
        if interrupt::requested() {
            let rest = arguments.files.len() - documents.len();
            let rest = counted(rest as u64, "model");
            complain(&format!("interrupted: {rest} not checked\n"));
            worst = worst.max(Exit::Inconclusive);
            break;
        }
        let checked = contained(&file.display().to_string(), || {
            check_file(arguments, file, None)
        });
        let checked = checked.and_then(|checked| checked);
        documents.push(document_of(file, &checked));
        seen.files.extend(files_read(&checked));
        seen.is_misused |= matches!(checked, Err(Error::Usage(_)));
        worst = worst.max(show(arguments, checked)?);
        if !is_single && arguments.format() == Format::Human {
            print("\n")?;
        }
    }
    match arguments.format() {
        Format::Human if is_single => {}
        Format::Human => print(&table(&documents, style_of_output()))?,
        format => print(&render(&documents, format))?,
    }
    Ok(worst)
}

/// Refuses what a check of one model would refuse before its search begins.
#[cfg(feature = "cluster")]
pub fn refuse(arguments: &CheckArguments) -> Result<(), Trouble> {
    match arguments.files.as_slice() {
        [file] if is_standard_input(file) => {
            let message = "a cluster cannot read its model from standard input: name a file";
            Err(Trouble::Usage(message.into()))
        }
        [file] => {
            let refused = checker_of(arguments, file).and_then(|(checker, _)| checker.refuse());
            if let (Err(error), true) = (&refused, arguments.format() != Format::Human) {
                let document = Document::refused(&file.display().to_string(), error);
                print(&render(&[document], arguments.format()))?;
            }
            Ok(refused?)
        }
        _ => refuse_one_file_for_several(arguments),
    }
}

/// Resumes the check of one model from where it was saved.
pub fn resume(arguments: &CheckArguments, saved: Option<SavedSearch>) -> Result<Exit, Trouble> {
    let file = &arguments.files[0];
    let checked = check_file(arguments, file, saved);
    if arguments.format() != Format::Human {
        let document = document_of(file, &checked);
        print(&render(&[document], arguments.format()))?;
    }
    show(arguments, checked)
}

/// Tells people what came of a model, or why nothing did.
fn show(arguments: &CheckArguments, checked: Result<Checked, Error>) -> Result<Exit, Trouble> {
    match checked {
        Ok(checked) => {
            if arguments.format() == Format::Human {
                print(&match contained("text", || checked.text(arguments)) {
                    Ok(text) => text,
                    // What can be said without it.
                    Err(error) => {
                        Trouble::from(error).report();
                        checked.outcome.to_string()
                    }
                })?;
            }
            Ok(Exit::of(checked.outcome.verdict()))
        }
        Err(error) => {
            let is_lost = matches!(error, Error::Lost(_));
            Trouble::from(error).report();
            Ok(match is_lost {
                true => Exit::Inconclusive,
                false => Exit::Refused,
            })
        }
    }
}

/// The files of a model: what was read of it, if anything was.
fn files_read(checked: &Result<Checked, Error>) -> Vec<PathBuf> {
    let sources = match checked {
        Ok(checked) => &checked.outcome.model.sources,
        Err(Error::Diagnostics(wrong)) => &wrong.sources,
        Err(_) => return Vec::new(),
    };
    let files = sources.files().iter();
    let files = files.map(|file| PathBuf::from(file.name()));
    files.filter(|file| file.is_file()).collect()
}

/// Options that name a file would write it again for each model.
fn refuse_one_file_for_several(arguments: &CheckArguments) -> Result<(), Trouble> {
    for (option, file) in [
        ("--scenario", &arguments.output.scenario),
        ("--report", &arguments.output.report),
        ("--checkpoint", &arguments.how.checkpoint),
    ] {
        if file.is_some() {
            let message = format!("{option} names one file, but several models are given");
            return Err(Trouble::Usage(message));
        }
    }
    #[cfg(feature = "cluster")]
    if arguments.how.member.cluster.is_some() {
        let message = "--cluster checks one model at a time, but several are given";
        return Err(Trouble::Usage(message.into()));
    }
    Ok(())
}

fn document_of(file: &Path, checked: &Result<Checked, Error>) -> Document {
    match checked {
        Ok(Checked {
            config,
            outcome,
            written,
        }) => Document::checked(Report::of(outcome, config, written)),
        Err(error) => Document::refused(&file.display().to_string(), error),
    }
}

fn check_file(
    arguments: &CheckArguments,
    file: &Path,
    saved: Option<SavedSearch>,
) -> Result<Checked, Error> {
    let (checker, config) = checker_of(arguments, file)?;
    refuse_same(&[
        ("--scenario", arguments.output.scenario.as_deref()),
        ("--report", arguments.output.report.as_deref()),
        ("--checkpoint", arguments.how.checkpoint.as_deref()),
    ])
    .map_err(Error::Usage)?;
    if let Some(path) = arguments
        .how
        .checkpoint
        .as_ref()
        .filter(|_| !config.cluster)
    {
        match saved {
            None => CheckpointFile::refuse_saved(path)?,
            Some(_) => CheckpointFile::refuse_foreign(path)?,
        }
    }
    let files = ScenarioFiles::of_model(file);
    let files = files
        .named(arguments.output.scenario.as_deref())
        .map_err(|reason| Error::Usage(format!("--scenario {reason}")))?;
    if let Some(path) = &arguments.output.report {
        refuse_lost_report(path).map_err(Error::Usage)?;
    }
    let mut attendant = Attendant::new(arguments, &config, saved);
    let outcome = checker.run_with(&mut attendant);
    #[cfg(feature = "cluster")]
    if matches!(outcome, Err(Error::Lost(_))) {
        attendant.tell_kept();
    }
    let outcome = outcome?;
    if let Some(path) = &arguments.output.report {
        let drawn = contained("report", || {
            report(&outcome, &config, &attendant.samples.kept)
        });
        let drawn = drawn.map_err(|error| error.to_string());
        if let Err(reason) = write_report(path, drawn) {
            complain(&format!("warning: cannot write the report: {reason}\n"));
        }
    }
    let beside = arguments.output.scenario.as_deref().unwrap_or(file);
    // One member of a cluster writes for all.
    let written = match files.have_place() && attendant.writes() {
        false => Written::default(),
        true => contained("files", || {
            Written::write(&outcome, &config, &files, beside)
        })
        .unwrap_or_else(|error| Written {
            warnings: vec![format!("not all files are written: {error}")],
            ..Written::default()
        }),
    };
    for warning in &written.warnings {
        complain(&format!("warning: {warning}\n"));
    }
    tell_removed(&written.removed);
    Ok(Checked {
        config,
        outcome,
        written,
    })
}

/// What is to be checked, and how: what the options say or, for the report of a failed audit or an internal error, what that says.
fn checker_of(arguments: &CheckArguments, file: &Path) -> Result<(Checker, Config), Error> {
    let notation = arguments.input.notation;
    let open = || open_model(file, notation);
    Checker::of_file(file, arguments.config(), notation.is_some(), open)
}

impl Checked {
    fn text(&self, arguments: &CheckArguments) -> String {
        let shown = Human {
            outcome: &self.outcome,
            config: &self.config,
            written: &self.written,
            quiet: arguments.output.quiet,
            audited: arguments.how.audit.is_some(),
        };
        human(&shown, style_of_output())
    }
}
