//! From a path to a session: a model, or a scenario of a model or of a real program.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use mazurka_checker::{Besides, Error, ModelText, Simulation};
use mazurka_scenario::{Model, Scenario};
use serde::Serialize;

use crate::program;
use crate::session::{ModelPart, Session};
use crate::view::DiagnosticView;

/// What the page is told about the subject of a session.
#[derive(Clone, Debug, Serialize)]
pub struct Opened {
    /// Counts the texts of the model.
    pub revision: u64,
    /// `model` or `program`.
    pub subject: &'static str,
    /// The path of the file.
    pub file: String,
    /// The name of the file.
    pub name: String,
    /// The notation.
    pub language: String,
    /// Macros from outside.
    pub defines: Vec<String>,
    /// The text of the model, and of other files that it is made of, or that steps are in.
    pub sources: Vec<SourceView>,
    /// Is the text another than in the file?
    pub unsaved: bool,
    /// The types of processes.
    pub kinds: Vec<String>,
    /// The formulas, by name and text.
    pub formulas: Vec<(String, String)>,
    /// What is odd about the model.
    pub warnings: Vec<DiagnosticView>,
    /// The version of Mazurka.
    pub version: &'static str,
}

/// A file.
#[derive(Clone, Debug, Serialize)]
pub struct SourceView {
    /// Its path, as steps name it.
    pub file: String,
    /// Its text.
    pub text: String,
}

/// Opens a model or a scenario. `model` says where the model of a scenario is, if it is not where that says.
pub fn open(path: &Path, define: &[String], model: Option<&Path>) -> Result<Session, Error> {
    if !is_json(path) {
        let part = part(ModelText::open(path)?, define.to_vec(), None)?;
        return Ok(Session::of_model(path.into(), part));
    }
    let unreadable = |reason: String| {
        let path = path.display();
        Error::Usage(format!("cannot read {path}: {reason}"))
    };
    let scenario = Scenario::open(path).map_err(Error::Usage)?;
    if scenario.model.is_program() {
        return Ok(program::session(&scenario));
    }
    let text = ModelText::of_scenario(&scenario, path, model)?;
    let file = PathBuf::from(text.path());
    let Model {
        defines, formula, ..
    } = scenario.model.clone();
    let part = part(text, defines, formula)?;
    let run = part.loaded().repeat(&scenario);
    run.map_err(|reason| unreadable(format!("it does not replay: {reason}")))?;
    let mut session = Session::of_model(file, part);
    let followed = session.follow(&scenario.steps(), scenario.violation, scenario.loop_from);
    followed.map_err(|trouble| unreadable(trouble.error))?;
    Ok(session)
}

/// A scenario is JSON, which no model is.
fn is_json(path: &Path) -> bool {
    let mut beginning = [0; 16];
    let read = File::open(path).and_then(|mut file| file.read(&mut beginning));
    let read = read.map_or(0, |count| count);
    beginning[..read].trim_ascii_start().starts_with(b"{")
}

fn part(
    text: ModelText,
    defines: Vec<String>,
    formula: Option<String>,
) -> Result<ModelPart, Error> {
    let besides = Besides {
        define: &defines,
        formula: formula.as_deref(),
        ..Besides::default()
    };
    let simulation = Simulation::new(&text, &besides)?;
    let source = String::from_utf8_lossy(text.source()).into_owned();
    Ok(ModelPart {
        saved: source.clone(),
        source,
        text,
        defines,
        formula,
        simulation,
    })
}

impl Session {
    /// What the page is told about the subject.
    pub(crate) fn opened(&mut self) -> Opened {
        let name = self.path.file_name().unwrap_or_default();
        let mut opened = Opened {
            revision: self.revision,
            subject: "program",
            file: self.path.display().to_string(),
            name: name.to_string_lossy().into_owned(),
            language: Model::PROGRAM.into(),
            defines: Vec::new(),
            sources: Vec::new(),
            unsaved: false,
            kinds: Vec::new(),
            formulas: Vec::new(),
            warnings: Vec::new(),
            version: env!("CARGO_PKG_VERSION"),
        };
        let Some(model) = &self.model else {
            opened.sources = self.sources_of_steps();
            return opened;
        };
        let loaded = model.loaded();
        opened.subject = "model";
        opened.language = loaded.notation.name().into();
        opened.defines = model.defines.clone();
        let files = loaded.sources.files().iter();
        // What is given besides, such as macros, is no file.
        opened.sources = files
            .enumerate()
            .filter(|(number, file)| *number == 0 || Path::new(file.name()).is_file())
            .map(|(_, file)| file)
            .map(|file| SourceView {
                file: file.name().into(),
                text: file.text().into(),
            })
            .collect();
        opened.unsaved = model.source != model.saved;
        let kinds = loaded.program().process_types.iter();
        opened.kinds = kinds.map(|kind| kind.name.clone()).collect();
        let formulas = loaded.properties.iter();
        opened.formulas = formulas
            .map(|formula| (formula.name.clone(), formula.text.clone()))
            .collect();
        opened.warnings = crate::editing::views(&loaded.sources, &loaded.warnings);
        opened
    }

    /// The source files in which the steps of a real program are.
    fn sources_of_steps(&mut self) -> Vec<SourceView> {
        let mut files: Vec<String> = Vec::new();
        let view = self.view(Default::default(), None);
        for step in &view.steps {
            if !step.file.is_empty() && !files.contains(&step.file) {
                files.push(step.file.clone());
            }
        }
        let known = files.into_iter().filter_map(|file| {
            let text = program::source(&file)?;
            Some(SourceView { file, text })
        });
        known.collect()
    }
}
