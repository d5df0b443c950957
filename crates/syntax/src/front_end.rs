//! The way of a model through a front end: text, tree, program.

use mazurka_ltl::Property;
use mazurka_model::{ExpressionId, Program};
use mazurka_span::{
    Code, Diagnostic, Snippet, Snippets, SourceFile, SourceMap, Span, has_errors, tidy,
};

use crate::{Name, add_source};

/// Makes a program, or something else, of a tree with these macros; there is one exactly if no diagnostic is an error.
type Make<T, R> = fn(&SourceMap, &T, &[String], &mut Vec<Diagnostic>) -> Option<R>;

/// A notation whose models are one file: how its text becomes a tree `T` with expressions `E`, and its tree a program.
pub struct FrontEnd<T, E> {
    /// The code of a text that there is no room for.
    pub too_large: Code,
    /// Parses a file. There is always a tree.
    pub parse: fn(&SourceFile, &mut Vec<Diagnostic>) -> T,
    /// Parses a formula, or an expression, that is given besides a model.
    pub parse_snippet: fn(&SourceFile, &mut Vec<Diagnostic>) -> Option<E>,
    /// Where an expression stands.
    pub span: fn(&E) -> Span,
    /// Adds a formula to a model.
    pub add_formula: fn(&mut T, Name, E),
    /// Adds an expression whose value somebody outside asks for.
    pub ask_for: fn(&mut T, E),
    /// Makes a program of a model.
    pub lower: Make<T, Lowered>,
    /// Makes the text of a model in Promela.
    pub export: Make<T, String>,
}

/// What a model is lowered to.
#[derive(Debug)]
pub struct Lowered {
    /// The program.
    pub program: Program,
    /// Its formulas.
    pub formulas: Vec<Property<ExpressionId>>,
    /// The expression that was asked for besides.
    pub expression: Option<ExpressionId>,
}

/// A model that can be run.
#[derive(Debug)]
pub struct Compiled {
    /// The program.
    pub program: Program,
    /// What is odd about the model, but not wrong.
    pub warnings: Vec<Diagnostic>,
    /// The formulas of the model, in the order of the text; one that was given besides is the last.
    pub formulas: Vec<Property<ExpressionId>>,
    /// The expression that was asked for besides.
    pub expression: Option<ExpressionId>,
}

impl<T: Default, E> FrontEnd<T, E> {
    /// Parses a model. All text is added to the source map, which the spans of the result refer to.
    pub fn parse(&self, map: &mut SourceMap, name: &str, source: &[u8]) -> (T, Vec<Diagnostic>) {
        let mut diagnostics = Vec::new();
        let file = add_source(map, name, source, self.too_large, &mut diagnostics);
        let tree = file.map(|file| (self.parse)(map.file(file), &mut diagnostics));
        tidy(map, &mut diagnostics);
        (tree.unwrap_or_default(), diagnostics)
    }

    /// Makes a program of a model, or says what is wrong with it. Besides there may be a formula, which is called `formula`, and an
    /// expression; both know the names of the model.
    pub fn compile(
        &self,
        map: &mut SourceMap,
        name: &str,
        source: &[u8],
        defines: &[String],
        besides: &Snippets<'_>,
    ) -> Result<Compiled, Vec<Diagnostic>> {
        let (mut tree, mut diagnostics) = self.parse(map, name, source);
        let mut read = |snippet: Snippet<'_>| {
            let text = snippet.text.as_bytes();
            let file = add_source(map, snippet.name, text, self.too_large, &mut diagnostics)?;
            (self.parse_snippet)(map.file(file), &mut diagnostics)
        };
        if let Some(body) = besides.formula.and_then(&mut read) {
            let (text, span) = ("formula".into(), (self.span)(&body));
            (self.add_formula)(&mut tree, Name { text, span }, body);
        }
        if let Some(expression) = besides.expression.and_then(&mut read) {
            (self.ask_for)(&mut tree, expression);
        }
        tidy(map, &mut diagnostics);
        if has_errors(&diagnostics) {
            return Err(diagnostics);
        }
        let lowered = (self.lower)(map, &tree, defines, &mut diagnostics);
        tidy(map, &mut diagnostics);
        let Some(lowered) = lowered else {
            return Err(diagnostics);
        };
        debug_assert_eq!(mazurka_model::verify(&lowered.program), Vec::new());
        Ok(Compiled {
            program: lowered.program,
            warnings: diagnostics,
            formulas: lowered.formulas,
            expression: lowered.expression,
        })
    }

    /// The model as Promela, or what is wrong with it.
    pub fn export(
        &self,
        map: &mut SourceMap,
        name: &str,
        source: &[u8],
        defines: &[String],
    ) -> Result<String, Vec<Diagnostic>> {
        let (tree, mut diagnostics) = self.parse(map, name, source);
        if has_errors(&diagnostics) {
            return Err(diagnostics);
        }
        let text = (self.export)(map, &tree, defines, &mut diagnostics);
        tidy(map, &mut diagnostics);
        text.ok_or(diagnostics)
    }
}
