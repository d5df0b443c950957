//! The front end for systems of multi-port extended finite state machines (`.efsm`).
//!
//! Machines have states, local variables and ports; a transition is a predicate, a receive from a port,
//! a computation and sends, all in one atomic step (Karaçalı and Tai 2000, section 3). [`parse`]
//! makes a syntax tree and never fails; [`compile`] checks it and lowers it to the common program
//! form. The notation is described in `docs/book/efsm.md`.
#![forbid(unsafe_code)]
#![deny(missing_docs)]

pub mod ast;
pub mod codes;
mod lower;
mod parser;

use mazurka_span::{Diagnostic, Snippets, SourceMap};
pub use mazurka_syntax::Compiled;
use mazurka_syntax::FrontEnd;

use ast::{Expression, Formula, Model};

/// A formula over expressions of the program.
pub type Property = mazurka_ltl::Property<mazurka_model::ExpressionId>;

/// Parses a model. All text is added to the source map, which the spans of the result refer to.
pub fn parse(map: &mut SourceMap, name: &str, source: &[u8]) -> (Model, Vec<Diagnostic>) {
    EFSM.parse(map, name, source)
}

/// The model as Promela, or what is wrong with it. The arguments are those of [`compile`].
pub fn promela(
    map: &mut SourceMap,
    name: &str,
    source: &[u8],
    defines: &[String],
) -> Result<String, Vec<Diagnostic>> {
    EFSM.export(map, name, source, defines)
}

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
    EFSM.compile(map, name, source, defines, besides)
}

/// Makes a program of a model whose machines can be taken out of it. The program is that of [`compile`], step for step, but every send looks for
/// room, even where no port can be full in the whole model.
pub fn compile_open(
    map: &mut SourceMap,
    name: &str,
    source: &[u8],
    defines: &[String],
) -> Result<Compiled, Vec<Diagnostic>> {
    let open = FrontEnd {
        lower: lower::lower_open,
        ..EFSM
    };
    open.compile(map, name, source, defines, &Snippets::default())
}

const EFSM: FrontEnd<Model, Expression> = FrontEnd {
    too_large: codes::SOURCE_TOO_LARGE,
    parse: parser::parse,
    parse_snippet: parser::parse_snippet,
    span: |expression| expression.span,
    add_formula: |model, name, body| model.formulas.push(Formula { name, body }),
    ask_for: |model, expression| model.asked_for = Some(expression),
    lower: lower::lower,
    export: lower::export,
};
