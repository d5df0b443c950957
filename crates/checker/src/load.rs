//! From text to a program that can be run.

use std::io::Read;
use std::path::Path;
use std::time::Instant;

use mazurka_model::{Claim, ExpressionId, Interpreter, Program, verify};
use mazurka_promela::{DiskLoader, FileLoader, MemoryLoader};
use mazurka_scenario::{Model, Position, PropertyKind, fingerprint, position};
use mazurka_span::{Diagnostic, Snippet, Snippets, SourceFile, SourceMap, Span};
use mazurka_syntax::Scope;
use mazurka_temporal::{Property, without_reports};
use mazurka_vfsm::Coverage;

use crate::error::Error;
use crate::notation::{Notation, Text};
use crate::recognize::recognize;
use crate::unreadable::{no_file, no_model};
use crate::weights::Weights;

/// What a formula that is given besides a model is called in diagnostics.
pub(crate) const FORMULA: &str = "--ltl";
/// What the cost of a state is called in diagnostics.
const GUIDE: &str = "--guide";
/// What another expression that is given besides a model is called there.
pub(crate) const EXPRESSION: &str = "expression";

/// How the one macro of SDL that has a word for its value is given.
const REPORTING: &str = "UNEXPECTED=report";

/// A longer text is not a model.
const LARGEST_TEXT: u64 = 256 << 20;

/// The text of a model and its notation.
#[derive(Clone, Debug)]
pub struct ModelText {
    path: String,
    source: Vec<u8>,
    notation: &'static dyn Notation,
    /// The files that it may include; none if those on the disk.
    given: Option<MemoryLoader>,
}

/// What is read together with a model.
#[derive(Clone, Copy, Debug, Default)]
pub struct Besides<'a> {
    /// Macros, `NAME` or `NAME=VALUE`.
    pub define: &'a [String],
    /// A further formula, which knows what formulas of the model know.
    pub formula: Option<&'a str>,
    /// An expression of the model whose value is asked for.
    pub expression: Option<&'a str>,
    /// The cost of a state in a guided search, which takes the place of such an expression.
    pub guide: Option<&'a str>,
    /// Are the weights of steps wanted?
    pub weights: bool,
}

/// A model that is ready to run.
#[derive(Debug)]
pub struct Loaded {
    /// Its meaning.
    pub interpreter: Interpreter,
    /// Its text.
    pub sources: SourceMap,
    /// Its notation.
    pub notation: &'static dyn Notation,
    /// What a scenario must know to find and recognize it.
    pub model: Model,
    /// What is odd about it, but not wrong.
    pub warnings: Vec<Diagnostic>,
    /// The formulas of the model; one that was given besides is the last.
    pub properties: Vec<Property>,
    /// Its never claims.
    pub claims: Vec<Claim>,
    /// The expression that was given besides.
    pub expression: Option<ExpressionId>,
    /// What transitions exercise, in a notation whose statements do not tell.
    pub coverage: Option<Coverage>,
    /// What each transition chooses, in a notation where one may leave that open: the numbers of the alternatives that it takes.
    pub choices: Option<Vec<Vec<u32>>>,
    /// How likely each transition is, if that was asked for.
    pub weights: Option<Weights>,
    /// What is known in the model, if expressions can be read there later.
    pub(crate) scope: Option<Box<dyn Scope>>,
    /// How long it took to read it.
    pub compile_seconds: f64,
}

impl ModelText {
    /// Reads a file. Its ending tells the notation, or else its first words.
    pub fn open(path: impl AsRef<Path>) -> Result<ModelText, Error> {
        ModelText::open_as(path, None)
    }

    /// Reads a file whose notation may be known.
    pub fn open_as(
        path: impl AsRef<Path>,
        notation: Option<&'static dyn Notation>,
    ) -> Result<ModelText, Error> {
        let file = path.as_ref();
        let name = file.display();
        let unreadable = |reason: &str| Error::Usage(format!("cannot read {name}: {reason}"));
        if let Some(reason) = no_file(file) {
            return Err(unreadable(&reason));
        }
        let path = file.to_str();
        let path = path.ok_or_else(|| unreadable("its name is not valid Unicode"))?;
        let source = DiskLoader
            .load(path)
            .map_err(|reason| unreadable(&reason))?;
        if let Some(reason) = no_model(file, &source) {
            return Err(unreadable(reason));
        }
        Ok(ModelText {
            path: path.into(),
            notation: notation.unwrap_or_else(|| recognize(file, &source)),
            source,
            given: None,
        })
    }

    /// Reads a model that has no file, such as standard input. It may include files of the current folder.
    pub fn read(
        name: &str,
        from: impl Read,
        notation: Option<&'static dyn Notation>,
    ) -> Result<ModelText, Error> {
        let mut source = Vec::new();
        let read = from.take(LARGEST_TEXT + 1).read_to_end(&mut source);
        let reason = match read {
            Ok(length) if length as u64 <= LARGEST_TEXT => {
                no_model(Path::new(name), &source).map(String::from)
            }
            Ok(_) => Some("it is too large".to_string()),
            Err(error) => Some(error.to_string()),
        };
        match reason {
            Some(reason) => Err(Error::Usage(format!("cannot read {name}: {reason}"))),
            None => Ok(ModelText {
                path: name.into(),
                notation: notation.unwrap_or_else(|| recognize(Path::new(name), &source)),
                source,
                given: None,
            }),
        }
    }

    /// A model that is given as text. The ending of its name tells the notation, or else its first words. It cannot include files.
    pub fn from_source(name: &str, source: impl Into<Vec<u8>>) -> Result<ModelText, Error> {
        let source = source.into();
        Ok(ModelText {
            path: name.into(),
            notation: recognize(Path::new(name), &source),
            source,
            given: Some(MemoryLoader::default()),
        })
    }

    /// The same model in another notation, with other files that it may include, each a name and a text.
    pub(crate) fn with_files<'f>(
        self,
        notation: &'static dyn Notation,
        files: impl Iterator<Item = (&'f str, &'f str)>,
    ) -> ModelText {
        let files = files.map(|(name, text)| (name.into(), text.into()));
        ModelText {
            notation,
            given: Some(MemoryLoader {
                files: files.collect(),
            }),
            ..self
        }
    }

    /// The same model with another text, such as one that is being edited. Other files are found where they were.
    pub fn with_source(&self, source: impl Into<Vec<u8>>) -> ModelText {
        ModelText {
            source: source.into(),
            ..self.clone()
        }
    }

    /// The same model with the files that it includes as they were when it was loaded, whatever has become of them since.
    pub fn as_loaded(&self, loaded: &Loaded) -> ModelText {
        let included = model_files(&loaded.sources).skip(1);
        let included = included.map(|file| (file.name(), file.text()));
        self.clone().with_files(self.notation, included)
    }

    /// Where it is, as it was opened.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// Its text.
    pub fn source(&self) -> &[u8] {
        &self.source
    }

    /// Makes a program of it.
    pub fn load(&self, besides: &Besides<'_>) -> Result<Loaded, Error> {
        let started = Instant::now();
        let mut sources = SourceMap::new();
        self.check_defines(besides.define)?;
        let compiled = self.with_text(besides, |text| {
            let compiled = self.notation.compile(&mut sources, text);
            compiled.map_err(|wrong| Error::diagnostics(std::mem::take(&mut sources), wrong))
        })?;
        let path = &self.path;
        if let Some(flaw) = verify(&compiled.program).first() {
            let message =
                format!("{path} was lowered to a program that is not well formed: {flaw}");
            return Err(Error::Internal(message));
        }
        Ok(Loaded {
            interpreter: Interpreter::new(compiled.program),
            model: Model {
                file: path.clone(),
                language: self.notation.name().into(),
                defines: besides.define.to_vec(),
                formula: besides.formula.map(str::to_string),
                hash: fingerprint(model_files(&sources).map(SourceFile::text)),
                optimize: false,
                racing: Vec::new(),
                spurious: false,
                preload: false,
            },
            warnings: compiled.warnings,
            properties: with_own_names(compiled.properties, |property| &mut property.name),
            claims: with_own_names(compiled.claims, |claim| &mut claim.name),
            expression: compiled.expression,
            coverage: compiled.coverage,
            choices: compiled.choices,
            scope: compiled.scope,
            weights: compiled.weights,
            notation: self.notation,
            sources,
            compile_seconds: started.elapsed().as_secs_f64(),
        })
    }

    /// The model as Promela.
    pub fn export(&self, define: &[String]) -> Result<String, Error> {
        self.check_defines(define)?;
        let mut sources = SourceMap::new();
        let besides = Besides {
            define,
            ..Besides::default()
        };
        let exported = self.with_text(&besides, |text| self.notation.export(&mut sources, text));
        match exported {
            Some(text) => text.map_err(|errors| Error::diagnostics(sources, errors)),
            None => Err(Error::Usage(format!(
                "{}: it is a model in Promela already",
                self.path
            ))),
        }
    }

    /// A model in SDL as machines with ports.
    pub fn export_machines(&self, define: &[String]) -> Result<String, Error> {
        self.check_defines(define)?;
        let mut sources = SourceMap::new();
        let besides = Besides {
            define,
            ..Besides::default()
        };
        if self.notation.name() != "sdl" {
            let message = format!("{}: --as efsm takes models in SDL", self.path);
            return Err(Error::Usage(message));
        }
        let exported = self.with_text(&besides, |text| {
            let (path, source) = (text.path, text.source);
            mazurka_sdl::efsm_with(&mut sources, path, source, text.defines, text.loader)
        });
        exported.map_err(|errors| Error::diagnostics(sources, errors))
    }

    /// The machines of a network of virtual finite state machines, which its program does not have any more.
    pub fn network(&self, define: &[String]) -> Result<mazurka_vfsm::Resolved, Error> {
        let mut sources = SourceMap::new();
        let besides = Besides {
            define,
            ..Besides::default()
        };
        let resolved = self.with_text(&besides, |text| {
            let extras = crate::notation::network_extras(text);
            mazurka_vfsm::resolve(&mut sources, text.path, text.source, &extras)
        });
        resolved.map_err(|errors| Error::diagnostics(sources, errors))
    }

    /// The drawing of a process of a system in SDL; nothing if the model is none, or has no such process.
    pub fn flow(&self, process: &str) -> Result<Option<mazurka_sdl::flow::Flow>, Error> {
        if self.notation.name() != "sdl" {
            return Ok(None);
        }
        let mut sources = SourceMap::new();
        let drawn = self.with_text(&Besides::default(), |text| {
            let (path, source) = (text.path, text.source);
            mazurka_sdl::flow_with(&mut sources, path, source, process, text.loader)
        });
        drawn.map_err(|errors| Error::diagnostics(sources, errors))
    }

    /// The program of machines that can be looked at alone, without steps that only report an unexpected input.
    pub(crate) fn open_machines(&self, define: &[String]) -> Result<Interpreter, Error> {
        if self.notation.name() != "efsm" {
            let message = "only a model in .efsm can be put together from parts: there a machine looks at no ports but its own";
            return Err(Error::Usage(message.into()));
        }
        let mut sources = SourceMap::new();
        let compiled = mazurka_efsm::compile_open(&mut sources, &self.path, &self.source, define);
        let program = match compiled {
            Ok(compiled) => compiled.program,
            Err(errors) => return Err(Error::diagnostics(sources, errors)),
        };
        let silent = without_reports(&program);
        Ok(Interpreter::new(silent.unwrap_or(program)))
    }

    fn with_text<T>(&self, besides: &Besides<'_>, work: impl FnOnce(&Text<'_>) -> T) -> T {
        let loader: &dyn FileLoader = match &self.given {
            None => &DiskLoader,
            Some(files) => files,
        };
        work(&Text {
            path: &self.path,
            source: &self.source,
            defines: besides.define,
            loader,
            snippets: Snippets {
                formula: besides.formula.map(|text| Snippet {
                    name: FORMULA,
                    text,
                }),
                expression: match (besides.guide, besides.expression) {
                    (Some(text), _) => Some(Snippet { name: GUIDE, text }),
                    (None, asked) => asked.map(|text| Snippet {
                        name: EXPRESSION,
                        text,
                    }),
                },
            },
            weights: besides.weights,
        })
    }

    /// A macro that cannot be named in the model would be silently useless.
    fn check_defines(&self, defines: &[String]) -> Result<(), Error> {
        for define in defines {
            let name = define.split('=').next().unwrap_or_default();
            let is_name = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
                && name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
            if !is_name {
                let message = format!("--define {define}: `{name}` cannot be the name of a macro");
                return Err(Error::Usage(message));
            }
            if self.notation.name() == "sdl" && name == "UNEXPECTED" && define != REPORTING {
                let message = format!(
                    "--define {define}: the one value of UNEXPECTED is `report`; \
                     with it, a signal that a state says nothing about is an error"
                );
                return Err(Error::Usage(message));
            }
        }
        Ok(())
    }
}

impl Loaded {
    /// The program.
    pub fn program(&self) -> &Program {
        self.interpreter.program()
    }

    /// The model without steps that do nothing but report an unexpected input, if it has some: what happens to those who do not ask for them.
    pub(crate) fn after_unexpected_inputs(&self) -> Option<Interpreter> {
        without_reports(self.program()).map(Interpreter::new)
    }

    /// What stands at a position: a statement of the program, or else the rest of the line.
    pub(crate) fn span_of(&self, at: Option<&Position>) -> Option<Span> {
        span_of(&self.sources, self.program(), at?)
    }
}

/// Names of properties that are not of the model's making.
const TAKEN: [PropertyKind; 3] = [
    PropertyKind::Safety,
    PropertyKind::Acceptance,
    PropertyKind::Progress,
];

/// How a formula or a claim of this name is called in verdicts: reports, scenarios and expectations tell properties apart by name, so
/// one that is called `safety` gets another.
pub(crate) fn own_name(name: &str) -> String {
    match TAKEN.iter().any(|kind| kind.name() == name) {
        true => format!("{name}_formula"),
        false => name.into(),
    }
}

fn with_own_names<T>(mut properties: Vec<T>, name: fn(&mut T) -> &mut String) -> Vec<T> {
    for property in &mut properties {
        let name = name(property);
        *name = own_name(name);
    }
    properties
}

fn span_of(sources: &SourceMap, program: &Program, at: &Position) -> Option<Span> {
    let file = sources.files().iter().find(|file| file.name() == at.file)?;
    let line = file
        .text()
        .split_inclusive('\n')
        .nth(at.line.checked_sub(1)? as usize)?;
    let line_start = line.as_ptr() as usize - file.text().as_ptr() as usize;
    let text = line.trim_end();
    let offset_of = |column: u32| {
        let nth = text.char_indices().nth(column.saturating_sub(1) as usize);
        nth.map_or(text.len(), |(offset, _)| offset)
    };
    let statements = program.statements.iter().map(|statement| statement.origin);
    let locations = program.locations.iter().map(|location| location.origin);
    let end = statements
        .chain(locations)
        .find(|origin| position(program, *origin) == *at && origin.end_line == origin.line)
        .map_or(text.len(), |origin| offset_of(origin.end_column));
    let base = file.base() as usize + line_start;
    let start = offset_of(at.column);
    Some(Span::new(
        (base + start) as u32,
        (base + end.max(start)) as u32,
    ))
}

/// The files of the model itself.
pub(crate) fn model_files(sources: &SourceMap) -> impl Iterator<Item = &SourceFile> {
    let files = sources.files().iter();
    files.filter(|file| ![FORMULA, GUIDE, EXPRESSION].contains(&file.name()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_become_spans() {
        use mazurka_model::{Origin, ProcessTypeId, Statement};
        let mut sources = SourceMap::new();
        sources.add("a", b"one\n").unwrap();
        sources.add("b", "αβ γδ // x \nlast".as_bytes()).unwrap();
        let mut program = Program {
            files: vec!["a".into(), "b".into()],
            ..Program::default()
        };
        let origin = Origin {
            file: 1,
            line: 1,
            column: 1,
            end_line: 1,
            end_column: 6,
        };
        program.statements.push(Statement {
            text: "αβ γδ".into(),
            origin,
            process_type: ProcessTypeId(0),
            reported: true,
        });
        let text = |file: &str, line, column| {
            let at = Position {
                file: file.into(),
                line,
                column,
            };
            span_of(&sources, &program, &at).map(|span| sources.text(span))
        };
        assert_eq!(text("b", 1, 1), Some("αβ γδ"));
        assert_eq!(text("b", 1, 4), Some("γδ // x"));
        assert_eq!(text("b", 2, 1), Some("last"));
        assert_eq!(text("a", 1, 99), Some(""));
        assert_eq!(text("a", 9, 1), None);
        assert_eq!(text("c", 1, 1), None);
    }
}
