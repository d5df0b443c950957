//! The way of a model through a front end: text, tree, program.

use std::fmt;

use mazurka_ltl::Property;
use mazurka_model::{ExpressionId, Program};
use mazurka_span::{
    Code, Diagnostic, Snippet, Snippets, SourceFile, SourceMap, Span, has_errors, tidy,
};

use crate::{Name, add_source};

/// Makes a program, or something else, of a tree with these macros; there is one exactly if no diagnostic is an error.
type Make<T, R> = fn(&SourceMap, &T, &[String], &mut Vec<Diagnostic>) -> Option<R>;

/// A notation whose models are one file: how its text becomes a tree `T` with expressions `E`, and its tree a program.
#[derive(Clone)]
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
    /// What is known in the model.
    pub scope: Box<dyn Scope>,
}

/// What is known in a model that was compiled, for expressions that are read later.
pub trait Scope: fmt::Debug + Send + Sync {
    /// The program of the model together with an expression, which is read by itself. `map` has the text of the model.
    ///
    /// None if the expression is wrong, or asks for what the program has not kept: then it has to be compiled together with the model,
    /// which says what is wrong.
    fn expression(
        &self,
        map: &SourceMap,
        program: &Program,
        snippet: Snippet<'_>,
    ) -> Option<(Program, ExpressionId)>;
}

/// The tree of a model, as a scope.
struct Tree<T, E> {
    front_end: FrontEnd<T, E>,
    tree: T,
    defines: Vec<String>,
}

impl<T: Clone + Send + Sync, E> Scope for Tree<T, E> {
    fn expression(
        &self,
        map: &SourceMap,
        _program: &Program,
        snippet: Snippet<'_>,
    ) -> Option<(Program, ExpressionId)> {
        let (mut map, mut diagnostics) = (map.clone(), Vec::new());
        let file = map.add(snippet.name, snippet.text.as_bytes()).ok()?;
        let expression = (self.front_end.parse_snippet)(map.file(file), &mut diagnostics)?;
        let mut tree = self.tree.clone();
        (self.front_end.ask_for)(&mut tree, expression);
        if has_errors(&diagnostics) {
            return None;
        }
        let lowered = (self.front_end.lower)(&map, &tree, &self.defines, &mut diagnostics)?;
        Some((lowered.program, lowered.expression?))
    }
}

impl<T, E> fmt::Debug for Tree<T, E> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("Tree")
    }
}

impl<T: Clone + Default + Send + Sync + 'static, E: Clone + 'static> FrontEnd<T, E> {
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
        let (tree, diagnostics) = self.parse(map, name, source);
        self.compile_tree(map, tree, diagnostics, defines, besides)
    }

    /// The same of a tree, with what was said about its text.
    pub fn compile_tree(
        &self,
        map: &mut SourceMap,
        mut tree: T,
        mut diagnostics: Vec<Diagnostic>,
        defines: &[String],
        besides: &Snippets<'_>,
    ) -> Result<Compiled, Vec<Diagnostic>> {
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
            scope: Box::new(Tree {
                front_end: self.clone(),
                tree,
                defines: defines.to_vec(),
            }),
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
        let (tree, diagnostics) = self.parse(map, name, source);
        self.export_tree(map, &tree, diagnostics, defines)
    }

    /// The same of a tree, with what was said about its text.
    pub fn export_tree(
        &self,
        map: &mut SourceMap,
        tree: &T,
        mut diagnostics: Vec<Diagnostic>,
        defines: &[String],
    ) -> Result<String, Vec<Diagnostic>> {
        tidy(map, &mut diagnostics);
        if has_errors(&diagnostics) {
            return Err(diagnostics);
        }
        let text = (self.export)(map, tree, defines, &mut diagnostics);
        tidy(map, &mut diagnostics);
        text.ok_or(diagnostics)
    }
}
