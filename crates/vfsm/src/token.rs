//! Bytes to tokens. What the lexer does not know is reported and skipped.

use std::rc::Rc;

use mazurka_span::{Diagnostic, SourceFile, Span};

use crate::codes;

/// A token and where it stands.
#[derive(Clone, Debug)]
pub(crate) struct Token {
    pub kind: TokenKind,
    pub span: Span,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum TokenKind {
    /// A name or a word of the notation; which of the two is for the parser to say.
    Word(Rc<str>),
    Number(u32),
    /// One of [`MARKS`].
    Mark(&'static str),
    End,
}

/// Longer ones first, so that the first that fits is the one meant.
const MARKS: &[&str] = &[
    "<->", "->", "&&", "||", "[]", "<>", "==", "!=", "{", "}", "(", ")", ":", ";", ",", "?", ">",
    "|", "&", "!", "+", "-", "*", ".", "=",
];

/// All tokens of a file, with an end marker.
pub(crate) fn tokenize(file: &SourceFile, diagnostics: &mut Vec<Diagnostic>) -> Vec<Token> {
    let text = file.text();
    let span =
        |start: usize, end: usize| Span::new(file.base() + start as u32, file.base() + end as u32);
    let mut tokens = Vec::new();
    let mut at = 0;
    while let Some(first) = text[at..].chars().next() {
        let rest = &text[at..];
        let start = at;
        if first.is_whitespace() {
            at += first.len_utf8();
        } else if rest.starts_with("//") {
            at += rest.find('\n').unwrap_or(rest.len());
        } else if rest.starts_with("/*") {
            match rest.find("*/") {
                Some(length) => at += length + 2,
                None => {
                    let message = "this comment is never closed";
                    let place = span(at, at + 2);
                    diagnostics.push(Diagnostic::error(
                        codes::UNTERMINATED_COMMENT,
                        place,
                        message,
                    ));
                    at = text.len();
                }
            }
        } else if first.is_ascii_alphabetic() || first == '_' {
            at += length_of(rest, |c| c.is_ascii_alphanumeric() || c == '_');
            let kind = TokenKind::Word(text[start..at].into());
            tokens.push(Token {
                kind,
                span: span(start, at),
            });
        } else if first.is_ascii_digit() {
            at += length_of(rest, |c| c.is_ascii_digit());
            let kind = TokenKind::Number(text[start..at].parse().unwrap_or(u32::MAX));
            tokens.push(Token {
                kind,
                span: span(start, at),
            });
        } else if let Some(mark) = MARKS.iter().find(|mark| rest.starts_with(**mark)) {
            at += mark.len();
            tokens.push(Token {
                kind: TokenKind::Mark(mark),
                span: span(start, at),
            });
        } else {
            at += first.len_utf8();
            let message = format!("`{}` is not part of the notation", first.escape_debug());
            diagnostics.push(Diagnostic::error(
                codes::UNKNOWN_CHARACTER,
                span(start, at),
                message,
            ));
        }
    }
    tokens.push(Token {
        kind: TokenKind::End,
        span: span(text.len(), text.len()),
    });
    tokens
}

fn length_of(text: &str, belongs: impl Fn(char) -> bool) -> usize {
    text.find(|c| !belongs(c)).unwrap_or(text.len())
}
