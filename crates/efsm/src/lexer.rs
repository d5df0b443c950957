//! Text to tokens.
//!
//! Comments are white space. What the lexer does not know becomes an `Unknown` token, so that the
//! parser reports it where it stands.

use mazurka_span::{SourceFile, Span};

/// A word, number or sign of the text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Token<'t> {
    pub kind: Kind<'t>,
    pub span: Span,
}

/// What a token is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind<'t> {
    /// A name or a keyword.
    Word(&'t str),
    /// A number as written.
    Number(&'t str),
    /// A sign.
    Sign(&'static str),
    /// A character that means nothing.
    Unknown,
    /// The opening of a comment that is never closed.
    OpenComment,
    /// After the last token.
    End,
}

/// All signs, longer ones before their beginnings.
const SIGNS: &[&str] = &[
    "<->", "->", ":=", "==", "!=", "<=", ">=", "<<", ">>", "&&", "||", "..", "[]", "<>", "{", "}",
    "(", ")", "[", "]", ",", ";", ":", ".", "?", "!", "=", "<", ">", "+", "-", "*", "/", "%", "&",
    "|", "^", "~",
];

/// The tokens of a file, with an end marker.
pub(crate) fn tokenize(file: &SourceFile) -> Vec<Token<'_>> {
    let text = file.text();
    let span =
        |start: usize, end: usize| Span::new(file.base() + start as u32, file.base() + end as u32);
    let mut tokens = Vec::new();
    let mut at = 0;
    loop {
        match skip_blanks(text, at) {
            Ok(next) => at = next,
            Err(start) => {
                tokens.push(Token {
                    kind: Kind::OpenComment,
                    span: span(start, start + 2),
                });
                at = text.len();
            }
        }
        let Some(first) = text[at..].chars().next() else {
            tokens.push(Token {
                kind: Kind::End,
                span: span(at, at),
            });
            return tokens;
        };
        let rest = &text[at..];
        let (kind, length) = if first.is_ascii_alphabetic() || first == '_' {
            let length = word_length(rest);
            (Kind::Word(&rest[..length]), length)
        } else if first.is_ascii_digit() {
            let length = word_length(rest);
            (Kind::Number(&rest[..length]), length)
        } else {
            match SIGNS.iter().find(|sign| rest.starts_with(**sign)) {
                Some(sign) => (Kind::Sign(sign), sign.len()),
                None => (Kind::Unknown, first.len_utf8()),
            }
        };
        tokens.push(Token {
            kind,
            span: span(at, at + length),
        });
        at += length;
    }
}

fn word_length(text: &str) -> usize {
    text.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_'))
        .unwrap_or(text.len())
}

/// Where the next token begins, or where a comment begins that does not end.
fn skip_blanks(text: &str, mut at: usize) -> Result<usize, usize> {
    loop {
        let rest = &text[at..];
        let blanks = rest.len() - rest.trim_start().len();
        at += blanks;
        let rest = &text[at..];
        if rest.starts_with("//") {
            at += rest.find('\n').unwrap_or(rest.len());
        } else if let Some(comment) = rest.strip_prefix("/*") {
            match comment.find("*/") {
                Some(length) => at += length + 4,
                None => return Err(at),
            }
        } else {
            return Ok(at);
        }
    }
}
