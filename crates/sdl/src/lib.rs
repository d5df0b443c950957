//! The front end for SDL/PR, the textual form of SDL-92 (ITU-T Z.100, 1993).
//!
//! Processes with input queues, states and timers send signals to each other over routes and channels. [`parse`] makes a
//! syntax tree and never fails; [`compile`] checks it and lowers it to the common program form. What is taken, and which clause of
//! Z.100 each rule follows, is in `docs/book/sdl.md`; everything else is refused by name.
#![forbid(unsafe_code)]

pub mod ast;
pub mod codes;
mod lower;
mod parser;
mod routing;

use mazurka_span::{Diagnostic, Snippet, Snippets, SourceMap, has_errors, tidy};
use mazurka_syntax::add_source;

use ast::{Name, System};

/// Parses a model. All text is added to the source map, which the spans of the result refer to.
pub fn parse(map: &mut SourceMap, name: &str, source: &[u8]) -> (System, Vec<Diagnostic>) {
    let mut diagnostics = Vec::new();
    let file = add_source(map, name, source, codes::SOURCE_TOO_LARGE, &mut diagnostics);
    let system = file.map(|file| parser::parse(map.file(file), &mut diagnostics));
    tidy(map, &mut diagnostics);
    (system.unwrap_or_default(), diagnostics)
}

/// The model as Promela, or what is wrong with it. The arguments are those of [`compile`].
pub fn promela(
    map: &mut SourceMap,
    name: &str,
    source: &[u8],
    defines: &[String],
) -> Result<String, Vec<Diagnostic>> {
    let (system, mut diagnostics) = parse(map, name, source);
    if has_errors(&diagnostics) {
        return Err(diagnostics);
    }
    let text = lower::export(map, &system, defines, &mut diagnostics);
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
    /// The formula that was asked for besides.
    pub formulas: Vec<Property>,
    /// The expression that was asked for besides.
    pub expression: Option<mazurka_model::ExpressionId>,
}

/// A formula over expressions of the program.
pub type Property = mazurka_ltl::Property<mazurka_model::ExpressionId>;

/// Makes a program of a model, or says what is wrong with it. `defines` are `NAME=VALUE` and give synonyms another value; `QUEUE` is
/// how many signals a queue holds, `UNEXPECTED=report` makes an error of a signal that a state says nothing about.
///
/// ```
/// use mazurka_span::SourceMap;
///
/// let source = b"system s; block b; process p; start; nextstate idle; state idle; endstate; endprocess; endblock; endsystem;";
/// let mut map = SourceMap::new();
/// let compiled = mazurka_sdl::compile(&mut map, "s.sdl", source, &[]).unwrap();
/// assert_eq!(compiled.program.process_types.len(), 1);
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
    let (mut system, mut diagnostics) = parse(map, name, source);
    let mut read = |snippet: Snippet<'_>| {
        let (name, text) = (snippet.name, snippet.text.as_bytes());
        let too_large = codes::SOURCE_TOO_LARGE;
        let file = add_source(map, name, text, too_large, &mut diagnostics)?;
        parser::parse_snippet(map.file(file), &mut diagnostics)
    };
    if let Some(body) = besides.formula.and_then(&mut read) {
        let name = Name {
            text: "formula".into(),
            span: body.span,
        };
        system.formulas.push((name, body));
    }
    system.asked_for = besides.expression.and_then(&mut read);
    tidy(map, &mut diagnostics);
    if has_errors(&diagnostics) {
        return Err(diagnostics);
    }
    let lowered = lower::lower(map, &system, defines, &mut diagnostics);
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
