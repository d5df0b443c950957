//! The notations that models are written in: one trait, one list.

use std::cell::RefCell;
use std::collections::HashSet;
use std::fmt;

use mazurka_model::{Claim, ExpressionId, Program};
use mazurka_promela::FileLoader;
use mazurka_span::{Diagnostic, Snippets, SourceMap};
use mazurka_syntax::Scope;
use mazurka_temporal::Property;
use mazurka_vfsm::Coverage;

use crate::weights::{Annotations, Weights};

/// A notation: how its models are recognized, read and written.
pub trait Notation: fmt::Debug + Sync {
    /// As scenarios name it.
    fn name(&self) -> &'static str;

    /// The endings of its files, without the dot.
    fn extensions(&self) -> &'static [&'static str];

    /// Can places of a model be marked as accepting?
    fn has_acceptance_marks(&self) -> bool {
        true
    }

    /// Makes a program of a model. All text that is read is added to the source map.
    fn compile(
        &self,
        sources: &mut SourceMap,
        model: &Text<'_>,
    ) -> Result<Compiled, Vec<Diagnostic>>;

    /// The model as Promela as SPIN has it; nothing if it is that already.
    fn export(
        &self,
        _sources: &mut SourceMap,
        _model: &Text<'_>,
    ) -> Option<Result<String, Vec<Diagnostic>>> {
        None
    }
}

/// All notations.
pub const NOTATIONS: [&dyn Notation; 4] = [&Promela, &Vfsm, &EFSM, &SDL];

/// The notation of a file, by its ending.
pub fn notation_of(extension: &str) -> Option<&'static dyn Notation> {
    let mut all = NOTATIONS.into_iter();
    all.find(|notation| notation.extensions().contains(&extension))
}

/// The notation of this name.
pub fn notation_named(name: &str) -> Option<&'static dyn Notation> {
    let mut all = NOTATIONS.into_iter();
    all.find(|notation| notation.name() == name)
}

/// The endings of all notations, as people list them: `.pml, .vfsm or .efsm`.
pub fn known_extensions() -> String {
    let all = NOTATIONS.iter().flat_map(|notation| notation.extensions());
    let mut all: Vec<String> = all.map(|extension| format!(".{extension}")).collect();
    let last = all.pop().unwrap_or_default();
    format!("{} or {last}", all.join(", "))
}

/// What is to be compiled.
pub struct Text<'a> {
    /// The path of the file, or a name for it.
    pub path: &'a str,
    /// Its bytes.
    pub source: &'a [u8],
    /// Macros `NAME` or `NAME=VALUE`.
    pub defines: &'a [String],
    /// Where included files come from.
    pub loader: &'a dyn FileLoader,
    /// What is said about the model besides: a formula called `formula`, an expression.
    pub snippets: Snippets<'a>,
    /// Are the weights of steps wanted?
    pub weights: bool,
}

/// A model that was compiled.
#[derive(Debug, Default)]
pub struct Compiled {
    /// The program.
    pub program: Program,
    /// What is odd about the model, but not wrong.
    pub warnings: Vec<Diagnostic>,
    /// Its formulas; one that was given besides is the last.
    pub properties: Vec<Property>,
    /// Its never claims.
    pub claims: Vec<Claim>,
    /// The expression that was given besides.
    pub expression: Option<ExpressionId>,
    /// What transitions exercise, in a notation whose statements do not tell.
    pub coverage: Option<Coverage>,
    /// What each transition chooses, in a notation where one may leave that open.
    pub choices: Option<Vec<Vec<u32>>>,
    /// How likely each transition is, if that was asked for.
    pub weights: Option<Weights>,
    /// What is known in the model, if expressions can be read there later.
    pub scope: Option<Box<dyn Scope>>,
}

/// The Promela of SPIN.
#[derive(Debug)]
pub struct Promela;

/// Virtual finite state machines.
#[derive(Debug)]
pub struct Vfsm;

/// A notation whose models are one file, perhaps with others beside it.
#[derive(Debug)]
pub struct OneFile {
    name: &'static str,
    extensions: &'static [&'static str],
    /// Makes a program of a text and what is said besides.
    compile: Compile,
    /// Makes Promela of the same.
    export: fn(&mut SourceMap, &Text<'_>) -> Made<String>,
}

type Made<T> = Result<T, Vec<Diagnostic>>;
type Compile = fn(&mut SourceMap, &Text<'_>) -> Made<mazurka_syntax::Compiled>;

/// Multi-port extended finite state machines.
pub const EFSM: OneFile = OneFile {
    name: "efsm",
    extensions: &["efsm"],
    compile: |sources, model| {
        let (path, source) = (model.path, model.source);
        mazurka_efsm::compile_with(sources, path, source, model.defines, &model.snippets)
    },
    export: |sources, model| {
        mazurka_efsm::promela(sources, model.path, model.source, model.defines)
    },
};

/// SDL/PR, the textual form of SDL-92.
pub const SDL: OneFile = OneFile {
    name: "sdl",
    extensions: &["sdl"],
    compile: |sources, model| {
        let (path, source, defines) = (model.path, model.source, model.defines);
        mazurka_sdl::compile_with(
            sources,
            path,
            source,
            defines,
            &model.snippets,
            model.loader,
        )
    },
    export: |sources, model| {
        let (path, source, defines) = (model.path, model.source, model.defines);
        mazurka_sdl::promela_with(sources, path, source, defines, model.loader)
    },
};

impl Notation for Promela {
    fn name(&self) -> &'static str {
        "promela"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["pml", "prom", "promela"]
    }

    fn compile(
        &self,
        sources: &mut SourceMap,
        model: &Text<'_>,
    ) -> Result<Compiled, Vec<Diagnostic>> {
        let compiled = mazurka_promela::compile_with(
            sources,
            model.path,
            model.source,
            model.defines,
            model.loader,
            &model.snippets,
        )?;
        let compiled = Compiled {
            program: compiled.program,
            warnings: compiled.warnings,
            properties: compiled.formulas,
            claims: compiled.claims,
            expression: compiled.expression,
            scope: Some(Box::new(compiled.scope)),
            ..Compiled::default()
        };
        compiled.weighed(sources, model)
    }

    fn export(
        &self,
        sources: &mut SourceMap,
        model: &Text<'_>,
    ) -> Option<Result<String, Vec<Diagnostic>>> {
        let (path, source, defines) = (model.path, model.source, model.defines);
        mazurka_promela::spelled_out(sources, path, source, defines, model.loader)
    }
}

impl Notation for Vfsm {
    fn name(&self) -> &'static str {
        "vfsm"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["vfsm"]
    }

    fn has_acceptance_marks(&self) -> bool {
        false
    }

    fn compile(
        &self,
        sources: &mut SourceMap,
        model: &Text<'_>,
    ) -> Result<Compiled, Vec<Diagnostic>> {
        let annotations = RefCell::new(Annotations::default());
        let weigh = |sources: &SourceMap, offsets: &HashSet<u32>| {
            let read = Annotations::at_offsets(sources, offsets);
            let weights = read.by_offset(sources, offsets);
            annotations.replace(read);
            weights
        };
        let extras = mazurka_vfsm::Extras {
            weigh: match model.weights {
                true => Some(&weigh),
                false => None,
            },
            ..network_extras(model)
        };
        let compiled = mazurka_vfsm::compile_with(sources, model.path, model.source, &extras)?;
        let mut warnings = compiled.warnings;
        warnings.extend(annotations.into_inner().into_warnings()?);
        Ok(Compiled {
            program: compiled.program,
            warnings,
            properties: compiled.formulas,
            expression: compiled.guide,
            coverage: Some(compiled.coverage),
            choices: Some(compiled.choices),
            scope: Some(Box::new(compiled.scope)),
            // In a network a transition takes several alternatives, so its weight is worked out with it.
            weights: model.weights.then(|| Weights::new(compiled.weights)),
            ..Compiled::default()
        })
    }

    fn export(
        &self,
        sources: &mut SourceMap,
        model: &Text<'_>,
    ) -> Option<Result<String, Vec<Diagnostic>>> {
        Some(mazurka_vfsm::export_promela(
            sources,
            model.path,
            model.source,
            &network_extras(model),
        ))
    }
}

/// What is read together with a network.
pub(crate) fn network_extras<'a>(model: &Text<'a>) -> mazurka_vfsm::Extras<'a> {
    mazurka_vfsm::Extras {
        snippets: model.snippets,
        weigh: None,
        defines: model.defines,
        loader: Some(model.loader),
    }
}

impl Notation for OneFile {
    fn name(&self) -> &'static str {
        self.name
    }

    fn extensions(&self) -> &'static [&'static str] {
        self.extensions
    }

    fn compile(
        &self,
        sources: &mut SourceMap,
        model: &Text<'_>,
    ) -> Result<Compiled, Vec<Diagnostic>> {
        let compiled = (self.compile)(sources, model)?;
        let compiled = Compiled {
            program: compiled.program,
            warnings: compiled.warnings,
            properties: compiled.formulas,
            expression: compiled.expression,
            scope: Some(compiled.scope),
            ..Compiled::default()
        };
        compiled.weighed(sources, model)
    }

    fn export(
        &self,
        sources: &mut SourceMap,
        model: &Text<'_>,
    ) -> Option<Result<String, Vec<Diagnostic>>> {
        Some((self.export)(sources, model))
    }
}

impl Compiled {
    /// The same with the weights of its statements, if they are wanted.
    fn weighed(
        mut self,
        sources: &SourceMap,
        model: &Text<'_>,
    ) -> Result<Compiled, Vec<Diagnostic>> {
        if model.weights {
            let read = Annotations::of_statements(sources, &self.program);
            self.weights = Some(read.of_transitions(&self.program));
            self.warnings.extend(read.into_warnings()?);
        }
        Ok(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_ending_belongs_to_one_notation() {
        let mut seen = HashSet::new();
        for notation in NOTATIONS {
            for extension in notation.extensions() {
                assert!(seen.insert(extension), "{extension}");
                assert_eq!(
                    notation_of(extension).map(Notation::name),
                    Some(notation.name())
                );
            }
        }
        assert!(notation_of("txt").is_none());
        assert_eq!(
            known_extensions(),
            ".pml, .prom, .promela, .vfsm, .efsm or .sdl"
        );
    }
}
