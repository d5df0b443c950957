//! The notations that models are written in: one trait, one list.

use std::collections::HashSet;
use std::fmt;

use mazurka_ltl::Formula;
use mazurka_model::{Claim, Expression, ExpressionId, Program};
use mazurka_promela::FileLoader;
use mazurka_span::{Diagnostic, SourceMap};
use mazurka_temporal::Property;
use mazurka_vfsm::Coverage;

use crate::error::Error;

/// A notation: how its models are recognized, read and written.
pub trait Notation: fmt::Debug + Sync {
    /// As scenarios name it.
    fn name(&self) -> &'static str;

    /// The endings of its files, without the dot.
    fn extensions(&self) -> &'static [&'static str];

    /// Can macros or constants of a model be given from outside?
    fn has_defines(&self) -> bool {
        true
    }

    /// Can places of a model be marked as accepting?
    fn has_acceptance_marks(&self) -> bool {
        true
    }

    /// Makes a program of a model. All text that is read is added to the source map.
    fn compile(&self, sources: &mut SourceMap, model: &Text<'_>) -> Result<Compiled, NotCompiled>;

    /// The model as Promela; nothing if it is that already.
    fn export(
        &self,
        _sources: &mut SourceMap,
        _model: &Text<'_>,
    ) -> Option<Result<String, Vec<Diagnostic>>> {
        None
    }
}

/// All notations.
pub const NOTATIONS: [&dyn Notation; 3] = [&Promela, &Vfsm, &Efsm];

/// The notation of a file, by its ending.
pub fn notation_of(extension: &str) -> Option<&'static dyn Notation> {
    let mut all = NOTATIONS.into_iter();
    all.find(|notation| notation.extensions().contains(&extension))
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
    /// A further formula about the model.
    pub formula: Option<&'a str>,
    /// The cost of a state, an expression of the model.
    pub guide: Option<&'a str>,
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
    /// The cost of a state, if one was given.
    pub guide: Option<ExpressionId>,
    /// What transitions exercise, in a notation whose statements do not tell.
    pub coverage: Option<Coverage>,
    /// Where in the source something begins that may be given a weight, in a notation whose statements do not tell.
    pub weighable: Option<HashSet<u32>>,
    /// Text that was read behind that of the model.
    pub appended: String,
}

/// Why there is no program.
#[derive(Debug)]
pub enum NotCompiled {
    /// The model is wrong.
    Diagnostics(Vec<Diagnostic>),
    /// What was given besides is wrong.
    Usage(String),
}

impl NotCompiled {
    pub(crate) fn into_error(self, sources: SourceMap) -> Error {
        match self {
            NotCompiled::Diagnostics(diagnostics) => Error::diagnostics(sources, diagnostics),
            NotCompiled::Usage(message) => Error::Usage(message),
        }
    }
}

impl From<Vec<Diagnostic>> for NotCompiled {
    fn from(diagnostics: Vec<Diagnostic>) -> NotCompiled {
        NotCompiled::Diagnostics(diagnostics)
    }
}

/// What the cost of a guided search is called while it is read.
const GUIDE: &str = "mazurka_guide";

/// The Promela of SPIN.
#[derive(Debug)]
pub struct Promela;

/// Virtual finite state machines.
#[derive(Debug)]
pub struct Vfsm;

/// Multi-port extended finite state machines.
#[derive(Debug)]
pub struct Efsm;

impl Notation for Promela {
    fn name(&self) -> &'static str {
        "promela"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["pml", "prom", "promela"]
    }

    fn compile(&self, sources: &mut SourceMap, model: &Text<'_>) -> Result<Compiled, NotCompiled> {
        let appended = appended(model);
        let text = [model.source, appended.as_bytes()].concat();
        let compiled =
            mazurka_promela::compile(sources, model.path, &text, model.defines, model.loader)?;
        let formulas = compiled.formulas.into_iter();
        let mut properties: Vec<Property> = formulas
            .map(|f| property(f.name, f.formula, f.atoms, f.text))
            .collect();
        let guide = cost(model.guide, &compiled.program, &mut properties)?;
        Ok(Compiled {
            program: compiled.program,
            warnings: compiled.warnings,
            properties,
            claims: compiled.claims,
            guide,
            appended,
            ..Compiled::default()
        })
    }
}

impl Notation for Vfsm {
    fn name(&self) -> &'static str {
        "vfsm"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["vfsm"]
    }

    fn has_defines(&self) -> bool {
        false
    }

    fn has_acceptance_marks(&self) -> bool {
        false
    }

    fn compile(&self, sources: &mut SourceMap, model: &Text<'_>) -> Result<Compiled, NotCompiled> {
        let appended = model.formula.map_or(String::new(), |formula| {
            format!("\nltl formula: {formula};\n")
        });
        let text = [model.source, appended.as_bytes()].concat();
        let extras = mazurka_vfsm::Extras {
            guide: model.guide,
            ..Default::default()
        };
        let compiled = mazurka_vfsm::compile_with(sources, model.path, &text, &extras)?;
        let formulas = compiled.formulas.into_iter();
        Ok(Compiled {
            program: compiled.program,
            warnings: compiled.warnings,
            properties: formulas
                .map(|f| property(f.name, f.formula, f.atoms, f.text))
                .collect(),
            guide: compiled.guide,
            coverage: Some(compiled.coverage),
            weighable: Some(compiled.weighable),
            appended,
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
        ))
    }
}

impl Notation for Efsm {
    fn name(&self) -> &'static str {
        "efsm"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["efsm"]
    }

    fn compile(&self, sources: &mut SourceMap, model: &Text<'_>) -> Result<Compiled, NotCompiled> {
        let appended = appended(model);
        let text = [model.source, appended.as_bytes()].concat();
        let compiled = mazurka_efsm::compile(sources, model.path, &text, model.defines)?;
        let formulas = compiled.formulas.into_iter();
        let mut properties: Vec<Property> = formulas
            .map(|f| property(f.name, f.formula, f.atoms, f.text))
            .collect();
        let guide = cost(model.guide, &compiled.program, &mut properties)?;
        Ok(Compiled {
            program: compiled.program,
            warnings: compiled.warnings,
            properties,
            guide,
            appended,
            ..Compiled::default()
        })
    }

    fn export(
        &self,
        sources: &mut SourceMap,
        model: &Text<'_>,
    ) -> Option<Result<String, Vec<Diagnostic>>> {
        Some(mazurka_efsm::promela(
            sources,
            model.path,
            model.source,
            model.defines,
        ))
    }
}

/// The formula and the cost as the model itself would say them.
fn appended(model: &Text<'_>) -> String {
    let mut text = model.formula.map_or(String::new(), |formula| {
        format!("\nltl formula {{ {formula} }}\n")
    });
    if let Some(guide) = model.guide {
        // Read as a formula, so that it knows what formulas know.
        text += &format!("\nltl {GUIDE} {{ ({guide}) != 0 }}\n");
    }
    text
}

/// A formula as the search knows it, whichever notation it comes from.
fn property(name: String, formula: Formula, atoms: Vec<ExpressionId>, text: String) -> Property {
    Property {
        name,
        formula,
        atoms,
        text,
    }
}

/// The expression that was read as the left side of a comparison with zero.
fn cost(
    guide: Option<&str>,
    program: &Program,
    properties: &mut Vec<Property>,
) -> Result<Option<ExpressionId>, NotCompiled> {
    let Some(text) = guide else {
        return Ok(None);
    };
    let wrong = |what: &str| NotCompiled::Usage(format!("--guide {text}: {what}"));
    let formula = properties.pop().filter(|formula| formula.name == GUIDE);
    let formula = formula.ok_or_else(|| wrong("expected an expression"))?;
    match (&formula.formula, &formula.atoms[..]) {
        (Formula::Atom(0), [atom]) => match program.expressions[atom.index()] {
            Expression::Binary(_, cost, _) => Ok(Some(cost)),
            _ => Err(wrong("expected an expression")),
        },
        (Formula::Constant(_), _) => Err(wrong("it is the same in every state")),
        _ => Err(wrong("expected an expression, not a formula")),
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
        assert_eq!(known_extensions(), ".pml, .prom, .promela, .vfsm or .efsm");
    }
}
