//! From a path to a session: a model, a scenario of a model or of a real program, or a real program.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use mazurka_checker::{Error, ModelText};
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
    /// The formula that is not in the model but in the scenario, and is checked alone.
    pub formula: Option<String>,
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

/// What is opened, and how.
#[derive(Clone, Copy, Debug)]
pub struct Subject<'a> {
    /// A model, a scenario, or a program that is linked with the library.
    pub path: &'a Path,
    /// Macros from outside.
    pub define: &'a [String],
    /// Where the model of a scenario is, if it is not where that says.
    pub model: Option<&'a Path>,
    /// The arguments of a program.
    pub arguments: &'a [String],
}

/// Opens a model, a scenario or a program. A program is run; that of a scenario is not, until somebody wants it.
pub fn open(subject: Subject<'_>) -> Result<Session, Error> {
    let Subject {
        path,
        define,
        model,
        arguments,
    } = subject;
    let beginning = beginning(path);
    if beginning.starts_with(EXECUTABLE) {
        return program::running(path, arguments).map_err(|trouble| Error::Usage(trouble.error));
    }
    if !arguments.is_empty() {
        let path = path.display();
        let message = format!("{path} is no program: arguments are for programs only");
        return Err(Error::Usage(message));
    }
    let kind = path.extension().and_then(|kind| kind.to_str());
    if kind.is_some_and(|kind| COMPILED.contains(&kind)) && path.is_file() {
        let path = path.display();
        let message = format!(
            "{path} is the source of a program: build it, with mazurka cc if it has threads, and open the program"
        );
        return Err(Error::Usage(message));
    }
    // A scenario is JSON, which no model is.
    if !beginning.trim_ascii_start().starts_with(b"{") {
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

/// What is compiled, and then opened.
const COMPILED: [&str; 5] = ["c", "cc", "cpp", "cxx", "rs"];

/// How a program begins (ELF).
const EXECUTABLE: &[u8] = b"\x7fELF";

/// The first bytes of a file, or none if it cannot be read.
fn beginning(path: &Path) -> Vec<u8> {
    let mut beginning = [0; 16];
    // A pipe would be waited for.
    if !std::fs::metadata(path).is_ok_and(|kind| kind.is_file()) {
        return Vec::new();
    }
    let read = File::open(path).and_then(|mut file| file.read(&mut beginning));
    beginning[..read.unwrap_or(0)].to_vec()
}

/// A model whose file has just been read.
fn part(
    text: ModelText,
    defines: Vec<String>,
    formula: Option<String>,
) -> Result<ModelPart, Error> {
    let saved = text.source().to_vec();
    ModelPart::new(text, defines, formula, saved)
}

impl Session {
    /// A session over a model that is given as text. It has no file to be saved to.
    pub fn from_source(name: &str, source: &str) -> Result<Session, Error> {
        let part = part(ModelText::from_source(name, source)?, Vec::new(), None)?;
        Ok(Session::of_model(name.into(), part))
    }

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
            formula: None,
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
        opened.unsaved = model.text.source() != model.saved;
        let kinds = loaded.program().process_types.iter();
        opened.kinds = kinds.map(|kind| kind.name.clone()).collect();
        let formulas = loaded.properties.iter();
        opened.formulas = formulas
            .map(|formula| (formula.name.clone(), formula.text.clone()))
            .collect();
        opened.formula = model.formula.clone();
        opened.warnings = crate::editing::views(&loaded.sources, &loaded.warnings);
        opened
    }

    /// The source files in which the steps of a real program are.
    fn sources_of_steps(&mut self) -> Vec<SourceView> {
        let mut files: Vec<String> = Vec::new();
        let view = self.view(Default::default(), None);
        let of_steps = view.steps.into_iter().map(|step| step.file);
        let about_to_be = self.program.as_ref().map(|program| program.files());
        for file in of_steps.chain(about_to_be.unwrap_or_default()) {
            if !file.is_empty() && !files.contains(&file) {
                files.push(file);
            }
        }
        let known = files.into_iter().filter_map(|file| {
            let text = program::source(&file)?;
            Some(SourceView { file, text })
        });
        known.collect()
    }
}
