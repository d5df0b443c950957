//! The front end for SDL/PR, the textual form of SDL-92 (ITU-T Z.100, 1993).
//!
//! Processes with input queues, states and timers send signals to each other over routes and channels. [`parse`] makes a
//! syntax tree and never fails; [`compile`] checks it and lowers it to the common program form. What is taken, and which clause of
//! Z.100 each rule follows, is in `docs/book/sdl.md`; everything else is refused by name.
#![forbid(unsafe_code)]
#![deny(missing_docs)]

mod asn1;
pub mod ast;
pub mod codes;
mod expand;
mod files;
pub mod flow;
mod lower;
mod parser;
mod routing;
mod walk;

use mazurka_promela::{FileLoader, MemoryLoader};
use mazurka_span::{Diagnostic, Snippets, SourceMap};
pub use mazurka_syntax::Compiled;
use mazurka_syntax::FrontEnd;

use ast::{Expression, System};

/// A formula over expressions of the program.
pub type Property = mazurka_ltl::Property<mazurka_model::ExpressionId>;

/// Parses a model. All text is added to the source map, which the spans of the result refer to.
pub fn parse(map: &mut SourceMap, name: &str, source: &[u8]) -> (System, Vec<Diagnostic>) {
    SDL.parse(map, name, source)
}

/// The model as Promela, or what is wrong with it. The arguments are those of [`compile`].
pub fn promela(
    map: &mut SourceMap,
    name: &str,
    source: &[u8],
    defines: &[String],
) -> Result<String, Vec<Diagnostic>> {
    promela_with(map, name, source, defines, &MemoryLoader::default())
}

/// The same, with the files beside the model.
pub fn promela_with(
    map: &mut SourceMap,
    name: &str,
    source: &[u8],
    defines: &[String],
    loader: &dyn FileLoader,
) -> Result<String, Vec<Diagnostic>> {
    let (system, diagnostics) = parse_whole(map, name, source, loader);
    SDL.export_tree(map, &system, diagnostics, defines)
}

/// The model as machines with ports (`.efsm`), or what is wrong with it, or what such machines cannot do.
pub fn efsm_with(
    map: &mut SourceMap,
    name: &str,
    source: &[u8],
    defines: &[String],
    loader: &dyn FileLoader,
) -> Result<String, Vec<Diagnostic>> {
    let (system, diagnostics) = parse_whole(map, name, source, loader);
    let machines = FrontEnd {
        export: lower::export_efsm,
        ..SDL
    };
    machines.export_tree(map, &system, diagnostics, defines)
}

/// The drawing of a process, or what is wrong with the text; nothing if there is no such process.
pub fn flow_with(
    map: &mut SourceMap,
    name: &str,
    source: &[u8],
    process: &str,
    loader: &dyn FileLoader,
) -> Result<Option<flow::Flow>, Vec<Diagnostic>> {
    let (system, diagnostics) = parse_whole(map, name, source, loader);
    match mazurka_span::has_errors(&diagnostics) {
        true => Err(diagnostics),
        false => Ok(flow::flow(map, &system, process)),
    }
}

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
    let (snippets, loader) = (Snippets::default(), MemoryLoader::default());
    compile_with(map, name, source, defines, &snippets, &loader)
}

/// The same, with a formula called `formula`, or an expression, that knows the names of the model, and with the files beside the model:
/// definitions that are `referenced`, packages, data types.
pub fn compile_with(
    map: &mut SourceMap,
    name: &str,
    source: &[u8],
    defines: &[String],
    besides: &Snippets<'_>,
    loader: &dyn FileLoader,
) -> Result<Compiled, Vec<Diagnostic>> {
    let (system, diagnostics) = parse_whole(map, name, source, loader);
    SDL.compile_tree(map, system, diagnostics, defines, besides)
}

/// Parses a model with the files beside it.
fn parse_whole(
    map: &mut SourceMap,
    name: &str,
    source: &[u8],
    loader: &dyn FileLoader,
) -> (System, Vec<Diagnostic>) {
    let (mut system, mut diagnostics) = SDL.parse(map, name, source);
    files::complete(map, name, &mut system, loader, &mut diagnostics);
    (system, diagnostics)
}

const SDL: FrontEnd<System, Expression> = FrontEnd {
    too_large: codes::SOURCE_TOO_LARGE,
    parse: parser::parse,
    parse_snippet: parser::parse_snippet,
    span: |expression| expression.span,
    add_formula: |system, name, body| system.formulas.push((name, body)),
    ask_for: |system, expression| system.asked_for = Some(expression),
    lower: lower::lower,
    export: lower::export,
};
