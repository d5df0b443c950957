//! The Promela front end.
//!
//! [`parse`] takes a file through the stages of the syntax half, each in a module of its own: the lexer cuts it into tokens,
//! the preprocessor expands macros and includes, the layout adds the `;` that SPIN reads at line ends, and the parser builds
//! the tree of [`ast`], expanding `inline`s on the way. It never fails: there is always a tree, and diagnostics about what is
//! wrong with it.
#![forbid(unsafe_code)]
#![deny(missing_docs)]

pub mod annotation;
pub mod ast;
pub mod build;
pub mod codes;
mod despite;
mod keyword;
mod layout;
mod lexer;
mod lint;
mod loader;
mod lower;
mod names;
mod parser;
mod preprocess;
mod pretty;
mod print;
mod scope;
mod spelled;
mod token;

pub use lint::LINTS;
pub use loader::{DiskLoader, FileLoader, MemoryLoader};
pub use lower::problem::ALL as MEANINGS;
pub use names::Names;
pub use scope::Scope;
pub use spelled::spelled_out;

use ast::Model;
use mazurka_span::{Diagnostic, FileId, Snippets, SourceMap, Span, has_errors, tidy};
use mazurka_syntax::add_source;
use scope::Words;
use token::Interner;

/// Parses a model. `name` is the path of the file: includes are found relative to it, diagnostics mention it. `defines` are
/// macros, `NAME` or `NAME=VALUE`. All text read is added to the source map, which the spans of the result refer to.
///
/// ```
/// use mazurka_promela::{MemoryLoader, parse};
/// use mazurka_span::SourceMap;
///
/// let mut map = SourceMap::new();
/// let source = b"init { printf(\"hello\\n\") }";
/// let (model, diagnostics) = parse(&mut map, "hello.pml", source, &[], &MemoryLoader::default());
/// assert!(diagnostics.is_empty());
/// assert_eq!(model.units.len(), 1);
/// ```
pub fn parse(
    map: &mut SourceMap,
    name: &str,
    source: &[u8],
    defines: &[String],
    loader: &dyn FileLoader,
) -> (Model, Vec<Diagnostic>) {
    let (model, diagnostics, _) =
        parse_with(map, name, source, defines, loader, &Snippets::default());
    (model, diagnostics)
}

/// The same, with what is said about the model besides; it becomes the last units of the tree.
fn parse_with(
    map: &mut SourceMap,
    name: &str,
    source: &[u8],
    defines: &[String],
    loader: &dyn FileLoader,
    besides: &Snippets<'_>,
) -> (Model, Vec<Diagnostic>, Words) {
    let mut diagnostics = Vec::new();
    let too_large = codes::SOURCE_TOO_LARGE;
    let Some(file) = add_source(map, name, source, too_large, &mut diagnostics) else {
        return (Model::default(), diagnostics, Words::default());
    };
    let formula = besides
        .formula
        .map(|snippet| (parser::Form::Formula, snippet));
    let expression = (besides.expression).map(|snippet| (parser::Form::Expression, snippet));
    let snippets = formula.into_iter().chain(expression);
    let added = snippets.filter_map(|(form, snippet)| {
        let file = map.add(snippet.name, snippet.text.as_bytes()).ok()?;
        Some((form, file))
    });
    let (forms, files): (Vec<parser::Form>, Vec<FileId>) = added.unzip();
    let mut interner = Interner::default();
    let (tokens, snippets, macros) = preprocess::preprocess(
        map,
        &mut interner,
        &mut diagnostics,
        loader,
        defines,
        file,
        &files,
    );
    let mut lay_out = |file: FileId, tokens| {
        let end = map.file(file).end();
        let end = Span::new(end, end);
        layout::lay_out(tokens, &interner, map, &mut diagnostics, end)
    };
    let tokens = lay_out(file, tokens);
    let snippets = files.iter().zip(snippets);
    let snippets: Vec<_> = snippets
        .map(|(file, tokens)| lay_out(*file, tokens))
        .collect();
    let snippets = forms.into_iter().zip(snippets).collect();
    let (model, proctypes) = parser::parse(tokens, snippets, &interner, map, &mut diagnostics);
    tidy(map, &mut diagnostics);
    let words = Words {
        interner,
        macros,
        proctypes,
    };
    (model, diagnostics, words)
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
    /// Its never claims, in the order of the text.
    pub claims: Vec<mazurka_model::Claim>,
    /// The expression that was asked for besides.
    pub expression: Option<mazurka_model::ExpressionId>,
    /// What is known in it.
    pub scope: Scope,
}

/// A formula over expressions of the program.
pub type Property = mazurka_ltl::Property<mazurka_model::ExpressionId>;

/// Makes a program of a model, or says what is wrong with it. The arguments are those of [`parse`].
pub fn compile(
    map: &mut SourceMap,
    name: &str,
    source: &[u8],
    defines: &[String],
    loader: &dyn FileLoader,
) -> Result<Compiled, Vec<Diagnostic>> {
    compile_with(map, name, source, defines, loader, &Snippets::default())
}

/// The same, with a formula called `formula`, or an expression, that knows the names and the macros of the model.
pub fn compile_with(
    map: &mut SourceMap,
    name: &str,
    source: &[u8],
    defines: &[String],
    loader: &dyn FileLoader,
    besides: &Snippets<'_>,
) -> Result<Compiled, Vec<Diagnostic>> {
    let (model, mut diagnostics, words) = parse_with(map, name, source, defines, loader, besides);
    if has_errors(&diagnostics) {
        despite::add_names(map, &model, &mut diagnostics);
        tidy(map, &mut diagnostics);
        return Err(diagnostics);
    }
    let lowered = lower::lower(map, &model, &mut diagnostics);
    if lowered.is_some() {
        lint::lint(&model, &mut diagnostics);
    }
    tidy(map, &mut diagnostics);
    let Some(lowered) = lowered else {
        return Err(diagnostics);
    };
    debug_assert_eq!(mazurka_model::verify(&lowered.program), Vec::new());
    Ok(Compiled {
        program: lowered.program,
        warnings: diagnostics,
        formulas: lowered.formulas,
        claims: lowered.claims,
        expression: lowered.expression,
        scope: Scope {
            words,
            names: lowered.names,
        },
    })
}
