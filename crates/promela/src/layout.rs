//! Between preprocessor and parser: what SPIN's lexer does beyond cutting words.
//!
//! - Words become keywords.
//! - Inside a body, the end of a line after a token that can end a statement counts as `;` ([`TokenKind::LineEnd`]), unless it
//!   stands between round brackets.
//! - Embedded C is skipped, with a diagnostic.
//! - Text that is no token is reported and dropped.

use std::collections::HashSet;

use mazurka_span::{Diagnostic, NOT_UTF8, SourceMap, Span};

use crate::codes;
use crate::keyword::Keyword;
use crate::token::{Interner, Punctuation, Symbol, Token, TokenKind, Unknown};

/// Rewrites preprocessed tokens for the parser; the result ends with `EndOfInput` at the place `end`.
pub(crate) fn lay_out(
    tokens: Vec<Token>,
    interner: &Interner,
    map: &SourceMap,
    diagnostics: &mut Vec<Diagnostic>,
    end: Span,
) -> Vec<Token> {
    let mut layout = Layout {
        input: tokens,
        position: 0,
        output: Vec::new(),
        interner,
        map,
        diagnostics,
        braces: 0,
        brackets: 0,
        body_announced: false,
        in_body: false,
        names: HashSet::new(),
    };
    while layout.position < layout.input.len() {
        layout.step();
    }
    let mut output = layout.output;
    output.push(Token::end_of_input(end));
    output
}

struct Layout<'a> {
    input: Vec<Token>,
    position: usize,
    output: Vec<Token>,
    interner: &'a Interner,
    map: &'a SourceMap,
    diagnostics: &'a mut Vec<Diagnostic>,
    braces: u32,
    brackets: u32,
    /// A word such as `proctype` was met; the next `{` opens its body.
    body_announced: bool,
    in_body: bool,
    /// Names of types, proctypes and inlines: after them the end of a line means nothing.
    names: HashSet<Symbol>,
}

impl Layout<'_> {
    fn step(&mut self) {
        let mut token = self.input[self.position];
        self.position += 1;
        if let TokenKind::Unknown(unknown) = token.kind {
            return self.unknown(unknown, token.span);
        }
        if let TokenKind::Ident(symbol) = token.kind
            && let Some(keyword) = Keyword::from_text(self.interner.text(symbol))
        {
            token.kind = TokenKind::Keyword(keyword);
        }
        if let TokenKind::Keyword(keyword) = token.kind {
            self.keyword(keyword, token);
        }
        if token.newline_before {
            self.line_end(&token);
        }
        match token.kind {
            TokenKind::Punctuation(Punctuation::LeftParen) => self.brackets += 1,
            TokenKind::Punctuation(Punctuation::RightParen) => {
                self.brackets = self.brackets.saturating_sub(1)
            }
            TokenKind::Punctuation(Punctuation::LeftBrace) => {
                self.in_body |= self.braces == 0 && self.body_announced;
                self.body_announced = false;
                self.braces += 1;
            }
            TokenKind::Punctuation(Punctuation::RightBrace) => {
                self.braces = self.braces.saturating_sub(1);
                self.in_body &= self.braces > 0;
                // A bracket left open in one body must not reach into the next.
                if self.braces == 0 {
                    self.brackets = 0;
                }
            }
            TokenKind::Keyword(
                keyword @ (Keyword::CCode
                | Keyword::CDecl
                | Keyword::CExpr
                | Keyword::CState
                | Keyword::CTrack),
            ) => return self.embedded_c(keyword, token),
            _ => {}
        }
        self.output.push(token);
    }

    fn keyword(&mut self, keyword: Keyword, token: Token) {
        use Keyword::*;
        if !keyword.starts_unit() {
            return;
        }
        // Such a word at the start of a line, inside a body, means that the body was not closed.
        if token.newline_before {
            self.braces = 0;
            self.brackets = 0;
            self.in_body = false;
        }
        if self.braces == 0 {
            self.body_announced = !matches!(keyword, Active | Ltl);
            if matches!(keyword, Proctype | DProctype | Typedef | Inline)
                && let Some(Token {
                    kind: TokenKind::Ident(name),
                    ..
                }) = self.input.get(self.position)
            {
                self.names.insert(*name);
            }
        }
    }

    /// Puts a `;` at the end of a line where SPIN reads one. `next` is the first token of the new line.
    fn line_end(&mut self, next: &Token) {
        let Some(&last) = self.output.last() else {
            return;
        };
        if !self.in_body || self.brackets > 0 || !self.ends_statement(last) {
            return;
        }
        let redundant = match next.kind {
            TokenKind::Punctuation(
                Punctuation::RightBrace | Punctuation::Semicolon | Punctuation::Arrow,
            ) => true,
            TokenKind::Keyword(Keyword::Unless) => last.is(Punctuation::RightBrace),
            _ => false,
        };
        if !redundant {
            self.output.push(Token {
                kind: TokenKind::LineEnd,
                span: last.span.at_end(),
                ..last
            });
        }
    }

    fn ends_statement(&self, token: Token) -> bool {
        use Punctuation::*;
        match token.kind {
            TokenKind::Ident(symbol) => !self.names.contains(&symbol),
            TokenKind::Number(_) | TokenKind::Character(_) | TokenKind::EmbeddedC => true,
            TokenKind::Keyword(keyword) => matches!(
                keyword,
                Keyword::Od
                    | Keyword::Fi
                    | Keyword::Else
                    | Keyword::Break
                    | Keyword::True
                    | Keyword::False
                    | Keyword::Skip
                    | Keyword::Timeout
            ),
            TokenKind::Punctuation(punctuation) => {
                matches!(
                    punctuation,
                    RightBrace | RightParen | RightBracket | Increment | Decrement
                )
            }
            _ => false,
        }
    }

    fn unknown(&mut self, unknown: Unknown, span: Span) {
        let text = self.map.text(span);
        self.diagnostics.push(match unknown {
            Unknown::Character if text.starts_with(NOT_UTF8) => Diagnostic::error(
                codes::UNKNOWN_CHARACTER,
                span,
                "this is not UTF-8, the encoding of models",
            )
            .hint("save the file as UTF-8; outside comments and strings only ASCII means anything"),
            Unknown::Character => {
                let shown: String = text.chars().flat_map(char::escape_debug).collect();
                Diagnostic::error(
                    codes::UNKNOWN_CHARACTER,
                    span,
                    format!("the character `{shown}` means nothing here"),
                )
            }
            Unknown::CommentEnd => {
                Diagnostic::warning(codes::STRAY_COMMENT_END, span, "`*/` without a comment")
            }
            Unknown::Comment => Diagnostic::error(
                codes::UNTERMINATED_COMMENT,
                span,
                "this comment is never closed",
            ),
            Unknown::String => Diagnostic::error(
                codes::UNTERMINATED_STRING,
                span,
                "this string is not closed",
            )
            .hint("a string ends on the line it starts on"),
            Unknown::CharacterConstant => Diagnostic::error(
                codes::MALFORMED_CHARACTER,
                span,
                "a character constant is one character, as in 'a'",
            ),
        });
    }

    /// Skips `c_code { … }`, `c_code [ … ] { … }` or `c_state "…" "…"`, leaving one token.
    fn embedded_c(&mut self, keyword: Keyword, start: Token) {
        let mut end = start.span;
        if matches!(keyword, Keyword::CState | Keyword::CTrack) {
            while let Some(Token {
                kind: TokenKind::String(_),
                span,
                ..
            }) = self.input.get(self.position)
            {
                end = *span;
                self.position += 1;
            }
        } else {
            for (open, close) in [
                (Punctuation::LeftBracket, Punctuation::RightBracket),
                (Punctuation::LeftBrace, Punctuation::RightBrace),
            ] {
                end = self.skip_balanced(open, close).unwrap_or(end);
            }
        }
        let span = self.map.join(start.span, end);
        self.diagnostics.push(
            Diagnostic::error(codes::EMBEDDED_C, start.span, "embedded C is not supported")
                .label(format!("`{}` is skipped", keyword.text()))
                .hint("write it in Promela"),
        );
        self.output.push(Token {
            kind: TokenKind::EmbeddedC,
            span,
            ..start
        });
    }

    fn skip_balanced(&mut self, open: Punctuation, close: Punctuation) -> Option<Span> {
        self.input
            .get(self.position)
            .filter(|token| token.is(open))?;
        let mut nesting = 0;
        while let Some(token) = self.input.get(self.position) {
            self.position += 1;
            if token.is(open) {
                nesting += 1;
            } else if token.is(close) {
                nesting -= 1;
                if nesting == 0 {
                    return Some(token.span);
                }
            }
        }
        None
    }
}
