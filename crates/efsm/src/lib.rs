//! The front end for systems of multi-port extended finite state machines (`.efsm`).
//!
//! Machines have states, local variables and ports; a transition is a predicate, a receive from a port,
//! a computation and sends, all in one atomic step (Karaçalı and Tai 2000, section 3). [`parse`]
//! makes a syntax tree and never fails; [`compile`] checks it and lowers it to the common program
//! form. The notation is described in `docs/book/efsm.md`.
#![forbid(unsafe_code)]

pub mod ast;
pub mod codes;
mod lower;
mod parser;

use mazurka_span::{Diagnostic, FileId, Snippet, Snippets, SourceMap, has_errors, tidy};
use mazurka_syntax::add_source;

use ast::{Formula, Model, Name};

/// Parses a model. All text is added to the source map, which the spans of the result refer to.
pub fn parse(map: &mut SourceMap, name: &str, source: &[u8]) -> (Model, Vec<Diagnostic>) {
    let mut diagnostics = Vec::new();
    let model = match add(map, name, source, &mut diagnostics) {
        Some(file) => parser::parse(map.file(file), &mut diagnostics),
        None => Model::default(),
    };
    tidy(map, &mut diagnostics);
    (model, diagnostics)
}

fn add(
    map: &mut SourceMap,
    name: &str,
    source: &[u8],
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<FileId> {
    add_source(map, name, source, codes::SOURCE_TOO_LARGE, diagnostics)
}

/// The model as Promela, or what is wrong with it. The arguments are those of [`compile`].
pub fn promela(
    map: &mut SourceMap,
    name: &str,
    source: &[u8],
    defines: &[String],
) -> Result<String, Vec<Diagnostic>> {
    let (model, mut diagnostics) = parse(map, name, source);
    if has_errors(&diagnostics) {
        return Err(diagnostics);
    }
    let text = lower::export(map, &model, defines, &mut diagnostics);
    tidy(map, &mut diagnostics);
    text.ok_or(diagnostics)
}

/// A model that can be run.
#[derive(Debug)]
pub struct Compiled {
    /// The program.
    pub program: mazurka_model::Program,
    /// What is odd about the model, but not wrong.
    pub warnings: Vec<Diagnostic>,
    /// The formulas of its `ltl` blocks, in the order of the text.
    pub formulas: Vec<Property>,
    /// The expression that was asked for besides.
    pub expression: Option<mazurka_model::ExpressionId>,
}

/// A formula over expressions of the program.
pub type Property = mazurka_ltl::Property<mazurka_model::ExpressionId>;

/// Makes a program of a model, or says what is wrong with it. `defines` are `NAME=VALUE` and give
/// constants of the model another value.
///
/// ```
/// use mazurka_span::SourceMap;
///
/// let source = b"machine Lamp { start state Off; state On; Off -> On; On -> Off; } system { lamp: Lamp; }";
/// let mut map = SourceMap::new();
/// let compiled = mazurka_efsm::compile(&mut map, "lamp.efsm", source, &[]).unwrap();
/// assert_eq!(compiled.program.process_types.len(), 1);
/// assert_eq!(compiled.program.locations.len(), 2);
/// ```
pub fn compile(
    map: &mut SourceMap,
    name: &str,
    source: &[u8],
    defines: &[String],
) -> Result<Compiled, Vec<Diagnostic>> {
    compile_with(map, name, source, defines, &Snippets::default())
}

/// The same, with a formula called `formula`, or an expression, that knows the names of the model.
pub fn compile_with(
    map: &mut SourceMap,
    name: &str,
    source: &[u8],
    defines: &[String],
    besides: &Snippets<'_>,
) -> Result<Compiled, Vec<Diagnostic>> {
    let (mut model, mut diagnostics) = parse(map, name, source);
    let mut read = |snippet: Snippet<'_>| {
        let file = add(map, snippet.name, snippet.text.as_bytes(), &mut diagnostics)?;
        parser::parse_snippet(map.file(file), &mut diagnostics)
    };
    if let Some(body) = besides.formula.and_then(&mut read) {
        let name = Name {
            text: "formula".into(),
            span: body.span,
        };
        model.formulas.push(Formula { name, body });
    }
    model.asked_for = besides.expression.and_then(&mut read);
    tidy(map, &mut diagnostics);
    if has_errors(&diagnostics) {
        return Err(diagnostics);
    }
    let lowered = lower::lower(map, &model, defines, &mut diagnostics);
    tidy(map, &mut diagnostics);
    let Some((program, formulas, expression)) = lowered else {
        return Err(diagnostics);
    };
    debug_assert_eq!(mazurka_model::verify(&program), Vec::new());
    Ok(Compiled {
        program,
        warnings: diagnostics,
        formulas,
        expression,
    })
}
