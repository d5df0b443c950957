//! Sequences of statements: bodies, blocks and options.

use mazurka_span::{Diagnostic, Span};

use super::Parser;
use crate::ast::{Sequence, Statement, StatementKind};
use crate::codes;
use crate::keyword::Keyword;
use crate::token::{Punctuation, Token, TokenKind};

/// Something that waits for its end.
#[derive(Clone, Copy)]
pub(super) struct Opening {
    pub kind: OpeningKind,
    pub span: Span,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum OpeningKind {
    If,
    Do,
    Brace,
}

impl OpeningKind {
    fn opener(self) -> &'static str {
        match self {
            OpeningKind::If => "if",
            OpeningKind::Do => "do",
            OpeningKind::Brace => "{",
        }
    }

    fn closer(self) -> &'static str {
        match self {
            OpeningKind::If => "fi",
            OpeningKind::Do => "od",
            OpeningKind::Brace => "}",
        }
    }

    fn is_closed_by(self, token: Token) -> bool {
        match self {
            OpeningKind::If => token.is_keyword(Keyword::Fi),
            OpeningKind::Do => token.is_keyword(Keyword::Od),
            OpeningKind::Brace => token.is(Punctuation::RightBrace),
        }
    }
}

/// No condition of more tokens is looked through for its end.
const LONGEST_CONDITION: usize = 200;

impl Parser<'_> {
    /// `{ … }`. Always gives a sequence, though it may be empty after errors.
    pub(super) fn block(&mut self) -> super::Parsed<Sequence> {
        let open = self.expect(Punctuation::LeftBrace)?;
        let opening = Opening {
            kind: OpeningKind::Brace,
            span: open.span,
        };
        self.openings.push(opening);
        let mut sequence = self.sequence();
        self.close(opening);
        sequence.span = self.since(open.span);
        Ok(sequence)
    }

    /// The options of an `if` or `do`, after that word, up to `fi` or `od`.
    pub(super) fn options(&mut self, kind: OpeningKind, keyword: Span) -> Vec<Sequence> {
        let opening = Opening {
            kind,
            span: keyword,
        };
        self.openings.push(opening);
        let mut options = Vec::new();
        if let (OpeningKind::If, Some(condition)) = (kind, self.foreign_condition()) {
            self.openings.pop();
            return self.foreign_if(condition);
        }
        if !self.at(Punctuation::DoubleColon) {
            let message = format!("`{}` needs options, each started by `::`", kind.opener());
            let diagnostic = Diagnostic::error(codes::MISSING_OPTION, self.peek().span, message);
            self.report(diagnostic.hint("put `::` before the first statement of each option"));
            // What stands there is read as an option, unless there is nothing.
            if !self.at_sequence_end() {
                options.push(self.sequence());
            }
        }
        while self.at(Punctuation::DoubleColon) {
            let start = self.bump().span;
            let mut sequence = self.sequence();
            sequence.span = match (sequence.statements.first(), sequence.statements.last()) {
                (Some(first), Some(last)) => self.map.join(first.span, last.span),
                _ => start,
            };
            options.push(sequence);
        }
        self.close(opening);
        options
    }

    /// The number of tokens before the `{` of `(condition) {`, if that is what comes.
    fn foreign_condition(&self) -> Option<usize> {
        if !self.at(Punctuation::LeftParen) {
            return None;
        }
        let mut depth = 0;
        for ahead in 0..LONGEST_CONDITION {
            match self.peek_at(ahead).kind {
                TokenKind::Punctuation(Punctuation::LeftParen) => depth += 1,
                TokenKind::Punctuation(Punctuation::RightParen) => depth -= 1,
                TokenKind::Punctuation(Punctuation::LeftBrace) if depth == 0 => return Some(ahead),
                TokenKind::LineEnd => {}
                _ if depth == 0 => return None,
                _ => {}
            }
        }
        None
    }

    fn skip_line_ends(&mut self) {
        while self.peek().kind == TokenKind::LineEnd {
            self.bump();
        }
    }

    /// `if (condition) { … } else { … }`, as C has it: told once, and its blocks are read as options.
    fn foreign_if(&mut self, condition: usize) -> Vec<Sequence> {
        let message = "`if` needs options, each started by `::`";
        let diagnostic = Diagnostic::error(codes::MISSING_OPTION, self.peek().span, message);
        self.report(diagnostic.hint("write `if :: CONDITION -> … :: else -> … fi`"));
        let (mut options, mut condition) = (Vec::new(), Some(condition));
        while let Some(tokens) = condition {
            for _ in 0..tokens {
                self.bump();
            }
            options.extend(self.block());
            condition = None;
            let is_last = match self.peek().kind {
                TokenKind::LineEnd => !self.peek_at(1).is_keyword(Keyword::Else),
                _ => !self.at_keyword(Keyword::Else),
            };
            if !is_last {
                self.skip_line_ends();
                self.bump();
                condition = match self.eat_keyword(Keyword::If) {
                    true => self.foreign_condition(),
                    false => Some(0),
                };
                self.skip_line_ends();
                condition =
                    condition.filter(|tokens| *tokens > 0 || self.at(Punctuation::LeftBrace));
            }
        }
        options
    }

    /// Takes the end of what was opened, or says that it is missing.
    fn close(&mut self, opening: Opening) {
        self.openings.pop();
        let token = self.peek();
        if opening.kind.is_closed_by(token) {
            self.bump();
            return;
        }
        let closer = opening.kind.closer();
        let diagnostic = match token.kind {
            // `if … od`: most likely a slip, if nothing around waits for this end.
            TokenKind::Keyword(Keyword::Fi | Keyword::Od) if !self.is_awaited(token) => {
                self.bump();
                let found = self.interner.spelling(token.kind);
                let message = format!(
                    "this `{}` must end with `{closer}`, not `{found}`",
                    opening.kind.opener()
                );
                Diagnostic::error(codes::UNCLOSED, token.span, message)
            }
            _ => {
                let message = format!("`{}` without its `{closer}`", opening.kind.opener());
                Diagnostic::error(codes::UNCLOSED, token.span, message)
                    .label(format!("`{closer}` is missing before this"))
            }
        };
        self.report(diagnostic.also(opening.span, "opened here"));
    }

    /// Whether something that is still open ends with this token.
    fn is_awaited(&self, token: Token) -> bool {
        self.openings
            .iter()
            .any(|opening| opening.kind.is_closed_by(token))
    }

    pub(super) fn at_separator(&self) -> bool {
        matches!(
            self.peek().kind,
            TokenKind::Punctuation(Punctuation::Semicolon | Punctuation::Arrow)
                | TokenKind::LineEnd
        )
    }

    /// Whether the next token ends every sequence.
    pub(super) fn at_sequence_end(&self) -> bool {
        match self.peek().kind {
            TokenKind::Punctuation(Punctuation::RightBrace | Punctuation::DoubleColon)
            | TokenKind::EndOfInput => true,
            TokenKind::Keyword(Keyword::Fi | Keyword::Od) => true,
            TokenKind::Keyword(keyword) => keyword.starts_unit(),
            _ => false,
        }
    }

    /// Statements up to something that ends them, which is not taken. Where nothing is open, `fi` and the like are stray.
    pub(super) fn sequence(&mut self) -> Sequence {
        let start = self.peek().span;
        let reported = self.diagnostics.len();
        let mut statements = Vec::new();
        if self.at_separator() {
            self.warn_not_in_spin(start, "SPIN wants a statement before the first separator");
        }
        loop {
            while self.at_separator() {
                self.bump();
            }
            if self.at_sequence_end() {
                if self.take_stray() {
                    continue;
                }
                break;
            }
            let position = self.cursor.position();
            match self.step() {
                Ok(statement) => {
                    let separated = self.needs_no_separator(&statement);
                    statements.push(statement);
                    if !separated && !self.at_separator() && !self.at_sequence_end() {
                        self.missing_separator();
                    }
                }
                Err(_) => {
                    self.recover(position);
                    let span = self.map.join(
                        self.cursor.token(position).span,
                        self.cursor.previous().span,
                    );
                    statements.push(Statement {
                        labels: Vec::new(),
                        kind: StatementKind::Error,
                        span,
                    });
                }
            }
        }
        if statements.is_empty() && self.diagnostics.len() == reported {
            let diagnostic = Diagnostic::error(
                codes::EMPTY_SEQUENCE,
                self.peek().span,
                "expected a statement",
            );
            self.report(diagnostic.hint("write `skip` where nothing is to be done"));
        }
        Sequence {
            statements,
            span: self.since(start),
        }
    }

    /// After `}` and `else` SPIN reads a `;` if none is there; the text of an inline ends with `}`.
    fn needs_no_separator(&self, statement: &Statement) -> bool {
        self.cursor.previous().is(Punctuation::RightBrace)
            || self.cursor.previous().is_keyword(Keyword::Else)
            || matches!(statement.kind, StatementKind::Inline(_))
    }

    fn missing_separator(&mut self) {
        let diagnostic = self.unexpected_diagnostic("`;` or `->` after the statement");
        self.report(diagnostic);
        let goes_on = match self.peek().kind {
            TokenKind::Ident(_) | TokenKind::Punctuation(Punctuation::LeftBrace) => true,
            TokenKind::Keyword(keyword) => {
                keyword.starts_statement() || keyword.starts_declaration()
            }
            _ => false,
        };
        if !goes_on {
            self.recover(self.cursor.position());
        }
    }

    /// Reports and takes an end that nothing waits for.
    fn take_stray(&mut self) -> bool {
        let token = self.peek();
        let stray = match token.kind {
            TokenKind::Punctuation(Punctuation::DoubleColon) => !self
                .openings
                .iter()
                .any(|opening| opening.kind != OpeningKind::Brace),
            TokenKind::Keyword(Keyword::Fi | Keyword::Od) => !self
                .openings
                .iter()
                .any(|opening| opening.kind != OpeningKind::Brace),
            _ => false,
        };
        if stray {
            let found = self.interner.spelling(token.kind);
            let opener = match token.kind {
                TokenKind::Keyword(Keyword::Fi) => "`if`",
                TokenKind::Keyword(Keyword::Od) => "`do`",
                _ => "`if` or `do`",
            };
            let message = format!("`{found}` without {opener}");
            self.report(Diagnostic::error(codes::UNCLOSED, token.span, message));
            self.bump();
        }
        stray
    }
}
