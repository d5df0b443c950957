//! Tokens to syntax tree, by recursive descent.
//!
//! Parsing never fails: after an error the parser goes on behind the next semicolon of the same
//! block, or behind the block.

mod cost;
mod formula;
mod machine;
mod network;
mod property;

use mazurka_span::{Diagnostic, Span};

use crate::ast::{Cost, Formula, Model, Name};
use crate::codes;
use crate::token::{Token, TokenKind};

/// Conditions nested deeper than this are refused, so that recursion over them is safe.
const DEEPEST: usize = 200;

pub(crate) fn parse(tokens: Vec<Token>, diagnostics: &mut Vec<Diagnostic>) -> Model {
    let mut parser = Parser {
        tokens,
        at: 0,
        depth: 0,
        diagnostics,
    };
    parser.model()
}

/// Reads the cost of a state, if there is nothing wrong with it.
pub(crate) fn parse_cost(tokens: Vec<Token>, diagnostics: &mut Vec<Diagnostic>) -> Option<Cost> {
    let mut parser = Parser {
        tokens,
        at: 0,
        depth: 0,
        diagnostics,
    };
    parser.whole_cost().ok()
}

/// Reads a formula that is given besides a model, if there is nothing wrong with it.
pub(crate) fn parse_formula(
    tokens: Vec<Token>,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<Formula> {
    let mut parser = Parser {
        tokens,
        at: 0,
        depth: 0,
        diagnostics,
    };
    parser.whole_formula().ok()
}

struct Parser<'d> {
    tokens: Vec<Token>,
    at: usize,
    depth: usize,
    diagnostics: &'d mut Vec<Diagnostic>,
}

/// An error that has been reported.
struct Reported;

type Parsed<T> = Result<T, Reported>;

impl Parser<'_> {
    fn model(&mut self) -> Model {
        let mut model = Model::default();
        while self.kind() != &TokenKind::End {
            let start = self.at;
            let parsed = match self.word() {
                Some("machine") => self.machine().map(|machine| model.machines.push(machine)),
                Some("network") => self.network().map(|network| model.networks.push(network)),
                Some("invariant") => self.invariant().map(|claim| model.invariants.push(claim)),
                Some("ltl") => self.formula().map(|formula| model.formulas.push(formula)),
                _ => Err(self.unexpected("`machine`, `network`, `invariant` or `ltl`")),
            };
            if parsed.is_err() {
                self.recover();
                // What closes a block that was never opened.
                self.accept("}");
                self.at = self.at.max(start + 1);
            }
        }
        model
    }

    fn kind(&self) -> &TokenKind {
        &self.tokens[self.at].kind
    }

    fn span(&self) -> Span {
        self.tokens[self.at].span
    }

    /// The text from a place to the last token read.
    fn since(&self, start: Span) -> Span {
        let end = self.tokens[self.at.saturating_sub(1)].span;
        Span::new(start.start, end.end.max(start.end))
    }

    fn advance(&mut self) {
        if self.at + 1 < self.tokens.len() {
            self.at += 1;
        }
    }

    /// The word that comes next.
    fn word(&self) -> Option<&str> {
        match self.kind() {
            TokenKind::Word(word) => Some(word),
            _ => None,
        }
    }

    /// Does a mark come next?
    fn is(&self, mark: &str) -> bool {
        matches!(self.kind(), TokenKind::Mark(found) if *found == mark)
    }

    /// Does a mark come after the next token?
    fn is_second(&self, mark: &str) -> bool {
        let second = self.tokens.get(self.at + 1).map(|token| &token.kind);
        matches!(second, Some(TokenKind::Mark(found)) if *found == mark)
    }

    fn accept(&mut self, mark: &str) -> bool {
        let found = self.is(mark);
        if found {
            self.advance();
        }
        found
    }

    fn accept_word(&mut self, word: &str) -> bool {
        let found = self.word() == Some(word);
        if found {
            self.advance();
        }
        found
    }

    fn expect(&mut self, mark: &str) -> Parsed<()> {
        match self.accept(mark) {
            true => Ok(()),
            false => Err(self.unexpected(&format!("`{mark}`"))),
        }
    }

    fn expect_word(&mut self, word: &str) -> Parsed<()> {
        match self.accept_word(word) {
            true => Ok(()),
            false => Err(self.unexpected(&format!("`{word}`"))),
        }
    }

    fn name(&mut self, what: &str) -> Parsed<Name> {
        let span = self.span();
        let TokenKind::Word(text) = self.kind().clone() else {
            return Err(self.unexpected(what));
        };
        self.advance();
        Ok(Name { text, span })
    }

    /// One or more names with commas between them.
    fn names(&mut self, what: &str) -> Parsed<Vec<Name>> {
        let mut names = vec![self.name(what)?];
        while self.accept(",") {
            names.push(self.name(what)?);
        }
        Ok(names)
    }

    /// The length of a queue.
    fn length(&mut self) -> Parsed<u32> {
        let span = self.span();
        let TokenKind::Number(number) = *self.kind() else {
            return Err(self.unexpected("a number"));
        };
        self.advance();
        if !(1..=255).contains(&number) {
            let message = "a queue holds from 1 to 255 messages";
            let diagnostic = Diagnostic::error(codes::BAD_NUMBER, span, message);
            self.diagnostics.push(diagnostic);
        }
        Ok(number.clamp(1, 255))
    }

    fn unexpected(&mut self, expected: &str) -> Reported {
        let found = match self.kind() {
            TokenKind::Word(word) => format!("`{word}`"),
            TokenKind::Number(number) => number.to_string(),
            TokenKind::Mark(mark) => format!("`{mark}`"),
            TokenKind::End => "the end of the file".into(),
        };
        let message = format!("expected {expected}, found {found}");
        let span = self.span();
        self.diagnostics
            .push(Diagnostic::error(codes::UNEXPECTED_TOKEN, span, message));
        Reported
    }

    /// Goes one level deeper into a condition.
    fn deeper<T>(&mut self, inner: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.depth == DEEPEST {
            let message = format!("a condition of more than {DEEPEST} levels");
            let diagnostic = Diagnostic::error(codes::TOO_DEEP, self.span(), message);
            self.diagnostics.push(diagnostic);
            return Err(Reported);
        }
        self.depth += 1;
        let parsed = inner(self);
        self.depth -= 1;
        parsed
    }

    /// One part, or several joined by an operator.
    fn chain<T>(
        &mut self,
        operator: &[&str],
        part: impl Fn(&mut Self) -> Parsed<T>,
        join: impl Fn(Vec<T>) -> T,
    ) -> Parsed<T> {
        let first = part(self)?;
        let mut parts = vec![first];
        while operator.iter().any(|mark| self.accept(mark)) {
            parts.push(part(self)?);
        }
        Ok(match parts.len() {
            1 => parts.remove(0),
            _ => join(parts),
        })
    }

    /// Skips what belongs to a wrong item: up to and with its semicolon or its block.
    fn recover(&mut self) {
        let mut open = 0;
        loop {
            match self.kind() {
                TokenKind::End => return,
                TokenKind::Mark("{") => open += 1,
                TokenKind::Mark("}") if open == 0 => return,
                TokenKind::Mark("}") => open -= 1,
                _ => {}
            }
            let ends = open == 0 && (self.is(";") || self.is("}"));
            self.advance();
            if ends {
                return;
            }
        }
    }

    /// `{ items }`; an item that is wrong is skipped.
    fn block(&mut self, mut item: impl FnMut(&mut Self) -> Parsed<()>) -> Parsed<()> {
        self.expect("{")?;
        while !self.is("}") {
            if self.kind() == &TokenKind::End {
                return Err(self.unexpected("`}`"));
            }
            let start = self.at;
            if item(self).is_err() {
                self.recover();
                if self.at == start && !self.is("}") {
                    self.advance();
                }
            }
        }
        self.advance();
        Ok(())
    }
}
