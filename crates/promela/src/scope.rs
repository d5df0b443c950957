//! What is known in a model, for expressions that are read later.

use std::collections::HashSet;
use std::fmt;

use mazurka_model::{ExpressionId, Program};
use mazurka_span::{Snippet, SourceMap, Span};

use crate::preprocess::{MacroTable, preprocess_snippet};
use crate::token::{Interner, Symbol};
use crate::{layout, lower, parser};

/// The macros, types and variables of a model that was compiled.
pub struct Scope {
    pub(crate) words: Words,
    pub(crate) names: lower::Names,
}

/// What texts are cut into, before names mean anything.
#[derive(Default)]
pub(crate) struct Words {
    pub interner: Interner,
    pub macros: MacroTable,
    pub proctypes: HashSet<Symbol>,
}

impl mazurka_syntax::Scope for Scope {
    /// What the program has not kept: `_last` and `_priority`, unless the model uses them, and labels that nothing refers to.
    fn expression(
        &self,
        map: &SourceMap,
        program: &Program,
        snippet: Snippet<'_>,
    ) -> Option<(Program, ExpressionId)> {
        let (mut map, mut diagnostics) = (map.clone(), Vec::new());
        let file = map.add(snippet.name, snippet.text.as_bytes()).ok()?;
        let mut interner = self.words.interner.clone();
        let macros = self.words.macros.clone();
        let tokens = preprocess_snippet(&mut map, &mut interner, &mut diagnostics, macros, file);
        let end = map.file(file).end();
        let end = Span::new(end, end);
        let tokens = layout::lay_out(tokens, &interner, &map, &mut diagnostics, end);
        let proctypes = &self.words.proctypes;
        let expr =
            parser::parse_expression(tokens, proctypes, &interner, &mut map, &mut diagnostics)?;
        match diagnostics.is_empty() {
            true => lower::lower_expression(&map, &self.names, program, &expr, &mut diagnostics),
            false => None,
        }
    }
}

impl fmt::Debug for Scope {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("Scope")
    }
}
