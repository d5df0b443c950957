//! Inlines: a call is replaced by the tokens of the body, with the tokens of the arguments in place of the parameters.

use std::collections::HashMap;
use std::rc::Rc;

use mazurka_span::{Diagnostic, Expansion, ExpansionId, ExpansionKind, Span};
use mazurka_syntax::Cursor;

use super::{Parsed, Parser};
use crate::ast::{InlineCall, InlineDefinition, Name, StatementKind, VariableRef};
use crate::codes;
use crate::token::{Punctuation, Symbol, Token, TokenKind};

/// Tokens that all calls of a model may make together.
const BUDGET: usize = 2_000_000;
/// How deep inlines may call inlines.
const DEPTH: usize = 32;

pub(super) struct Inline {
    pub name: Span,
    parameters: Vec<Symbol>,
    /// With the braces around it.
    body: Vec<Token>,
}

pub(super) struct ActiveInline {
    symbol: Symbol,
    /// The `x` of `x = f(…)`, to which `return` assigns.
    pub result: Option<VariableRef>,
}

impl Parser<'_> {
    /// `inline name(parameters) { body }`, after the first word. The body is kept as it is until a call.
    pub(super) fn inline_definition(&mut self, start: Span) -> Parsed<InlineDefinition> {
        let symbol = self.peek_symbol(0);
        let name = self.name("the name of an inline")?;
        self.expect(Punctuation::LeftParen)?;
        let mut parameters: Vec<Name> = Vec::new();
        let mut symbols = Vec::new();
        while !self.eat(Punctuation::RightParen) {
            if !parameters.is_empty() {
                self.expect(Punctuation::Comma)?;
            }
            symbols.extend(self.peek_symbol(0));
            parameters.push(self.name("the name of a parameter")?);
        }
        if !self.at(Punctuation::LeftBrace) {
            return Err(self.unexpected("`{`"));
        }
        let body = self.balanced_braces()?;
        let span = self.since(start);
        if let Some(symbol) = symbol {
            let inline = Rc::new(Inline {
                name: name.span,
                parameters: symbols,
                body,
            });
            if let Some(previous) = self.inlines.insert(symbol, inline) {
                let message = format!("inline `{name}` is defined again");
                let diagnostic = Diagnostic::error(codes::INLINE_REDEFINED, name.span, message);
                self.report(diagnostic.also(previous.name, "first defined here"));
            }
        }
        Ok(InlineDefinition {
            name,
            parameters,
            span,
        })
    }

    /// Takes `{ … }` and gives its tokens, braces included.
    pub(super) fn balanced_braces(&mut self) -> Parsed<Vec<Token>> {
        let start = self.cursor.position();
        let mut nesting = 0;
        loop {
            let token = self.peek();
            let lost = matches!(token.kind, TokenKind::Keyword(keyword) if keyword.starts_unit());
            if self.at_end() || (lost && token.newline_before) {
                let diagnostic =
                    Diagnostic::error(codes::UNCLOSED, token.span, "`{` without its `}`");
                let open = self.cursor.token(start).span;
                return Err(self.error(
                    diagnostic
                        .label("`}` is missing before this")
                        .also(open, "opened here"),
                ));
            }
            self.bump();
            match token.kind {
                TokenKind::Punctuation(Punctuation::LeftBrace) => nesting += 1,
                TokenKind::Punctuation(Punctuation::RightBrace) => nesting -= 1,
                _ => {}
            }
            if nesting == 0 {
                return Ok(self.cursor.taken_since(start).to_vec());
            }
        }
    }

    /// `f(…)`, expanded. `result` is the `x` of `x = f(…)`.
    pub(super) fn inline_call(
        &mut self,
        symbol: Symbol,
        result: Option<VariableRef>,
    ) -> Parsed<StatementKind> {
        let Some(inline) = self.inlines.get(&symbol).cloned() else {
            return Err(self.unexpected("an inline"));
        };
        let name = self.name("an inline")?;
        let arguments = self.inline_arguments()?;
        let call = self.since(name.span);
        self.check_call(symbol, &name, &inline, arguments.len(), call)?;
        let texts = arguments
            .iter()
            .map(|argument| self.interner.join(argument))
            .collect();
        let body = self.instantiate(&name, &inline, &arguments, call);
        self.inlined_tokens += body.len();
        if self.inlined_tokens > BUDGET {
            let diagnostic = Diagnostic::error(
                codes::INLINE_TOO_LARGE,
                call,
                "inlines expand to too much text",
            );
            let reported = self.error(diagnostic);
            self.give_up();
            return Err(reported);
        }

        // The body is parsed apart from the text around it, so that an error in one cannot upset the other.
        let inner = Cursor::new(body, self.cursor.previous());
        let outer = std::mem::replace(&mut self.cursor, inner);
        let outer_openings = std::mem::take(&mut self.openings);
        self.active_inlines.push(ActiveInline {
            symbol,
            result: result.clone(),
        });
        let body = self.block();
        self.active_inlines.pop();
        self.openings = outer_openings;
        self.cursor = outer;
        if self.given_up {
            self.cursor.go_to_end();
        }

        let body = body?;
        Ok(StatementKind::Inline(InlineCall {
            name,
            arguments: texts,
            result,
            body,
        }))
    }

    fn check_call(
        &mut self,
        symbol: Symbol,
        name: &Name,
        inline: &Inline,
        given: usize,
        call: Span,
    ) -> Parsed<()> {
        if self
            .active_inlines
            .iter()
            .any(|active| active.symbol == symbol)
        {
            let message = format!("inline `{name}` calls itself");
            let diagnostic = Diagnostic::error(codes::RECURSIVE_INLINE, call, message);
            let hint =
                "an inline is copied into its caller; for recursion, use a proctype and `run`";
            return Err(self.error(diagnostic.also(inline.name, "defined here").hint(hint)));
        }
        if self.active_inlines.len() >= DEPTH {
            let message = "inlines call each other too deeply";
            return Err(self.error(Diagnostic::error(codes::INLINE_TOO_LARGE, call, message)));
        }
        let expected = inline.parameters.len();
        if given != expected {
            let message = format!(
                "inline `{name}` takes {expected} argument{}, but {given} {} given here",
                if expected == 1 { "" } else { "s" },
                if given == 1 { "is" } else { "are" },
            );
            let diagnostic = Diagnostic::error(codes::INLINE_ARGUMENTS, call, message);
            return Err(self.error(diagnostic.also(inline.name, "defined here")));
        }
        Ok(())
    }

    /// The tokens of each argument. They are parsed as expressions only to see that they are such and where they end.
    fn inline_arguments(&mut self) -> Parsed<Vec<Vec<Token>>> {
        self.expect(Punctuation::LeftParen)?;
        let mut arguments = Vec::new();
        if self.eat(Punctuation::RightParen) {
            return Ok(arguments);
        }
        loop {
            let start = self.cursor.position();
            self.expression()?;
            arguments.push(self.cursor.taken_since(start).to_vec());
            if self.eat(Punctuation::RightParen) {
                return Ok(arguments);
            }
            if !self.eat(Punctuation::Comma) {
                return Err(self.unexpected("`,` or `)`"));
            }
        }
    }

    /// The body for one call, ending with `EndOfInput`.
    fn instantiate(
        &mut self,
        name: &Name,
        inline: &Inline,
        arguments: &[Vec<Token>],
        call: Span,
    ) -> Vec<Token> {
        let context = self.map.add_expansion(Expansion {
            kind: ExpansionKind::Inline,
            name: name.text.clone(),
            call,
            definition: Some(inline.name),
        });
        let mut contexts = HashMap::from([(ExpansionId::NONE, context)]);
        let mut output = Vec::with_capacity(inline.body.len() + 1);
        for token in &inline.body {
            let parameter = match token.kind {
                TokenKind::Ident(symbol) => inline
                    .parameters
                    .iter()
                    .position(|parameter| *parameter == symbol),
                _ => None,
            };
            match parameter {
                Some(index) => {
                    let first = output.len();
                    output.extend_from_slice(&arguments[index]);
                    if let Some(first) = output.get_mut(first) {
                        first.space_before = token.space_before;
                        first.newline_before = token.newline_before;
                    }
                }
                None => {
                    let context = self.recontext(token.span.context, &mut contexts);
                    output.push(Token {
                        span: token.span.in_context(context),
                        ..*token
                    });
                }
            }
            if self.inlined_tokens + output.len() > BUDGET {
                break;
            }
        }
        let end = inline.body.last().map_or(call, |last| last.span.at_end());
        output.push(Token::end_of_input(end));
        output
    }

    /// The expansion that a token of the body came through, as seen from the call: a macro used in the body is used again for
    /// each call of the inline.
    fn recontext(
        &mut self,
        context: ExpansionId,
        known: &mut HashMap<ExpansionId, ExpansionId>,
    ) -> ExpansionId {
        let mut chain = Vec::new();
        let mut at = context;
        while !known.contains_key(&at) {
            chain.push(at);
            at = self
                .map
                .expansion(at)
                .map_or(ExpansionId::NONE, |expansion| expansion.call.context);
        }
        let mut outer = known[&at];
        for id in chain.into_iter().rev() {
            if let Some(mut expansion) = self.map.expansion(id).cloned() {
                expansion.call = expansion.call.in_context(outer);
                outer = self.map.add_expansion(expansion);
                known.insert(id, outer);
            }
        }
        outer
    }
}
