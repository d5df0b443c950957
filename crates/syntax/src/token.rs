//! Text to tokens, for notations of words, numbers and signs.
//!
//! Comments are white space, `/* … */` and in most notations `//` to the end of the line. What the lexer does not know is
//! reported and skipped.

use mazurka_span::{Diagnostic, NOT_UTF8, SourceFile, Span};

use crate::ParseCodes;

/// A word, number or sign of the text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Token<'t> {
    /// What it is.
    pub kind: Kind<'t>,
    /// Where it stands.
    pub span: Span,
}

/// What a token is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind<'t> {
    /// A name or a keyword.
    Word(&'t str),
    /// A number as written, with the letters behind it, if any.
    Number(&'t str),
    /// A sign.
    Sign(&'static str),
    /// What stands between quotes, in a notation that has them.
    Quoted(&'t str),
    /// After the last token.
    End,
}

/// What the words and signs of a notation look like.
#[derive(Clone, Copy, Debug)]
pub struct Style {
    /// All signs, longer ones before their beginnings.
    pub signs: &'static [&'static str],
    /// Does `//` begin a comment?
    pub line_comments: bool,
    /// Does `--` begin a comment, which ends at the next `--` or with the line?
    pub dashes: bool,
    /// What text stands between, if there is any. The quote around it is written twice inside it.
    pub quotes: &'static [char],
}

/// The tokens of a file, with an end marker.
pub fn tokenize<'t>(
    file: &'t SourceFile,
    style: &Style,
    codes: &ParseCodes,
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<Token<'t>> {
    let text = file.text();
    let span =
        |start: usize, end: usize| Span::new(file.base() + start as u32, file.base() + end as u32);
    let mut tokens = Vec::new();
    let mut at = 0;
    loop {
        at = skip_blanks(text, at, style).unwrap_or_else(|start| {
            let message = "this comment is never closed";
            let place = span(start, start + 2);
            diagnostics.push(Diagnostic::error(codes.open_comment, place, message));
            text.len()
        });
        let rest = &text[at..];
        let Some(first) = rest.chars().next() else {
            let (kind, span) = (Kind::End, span(at, at));
            tokens.push(Token { kind, span });
            return tokens;
        };
        let length = word_length(rest);
        let (kind, length) = if length > 0 && !first.is_ascii_digit() {
            (Some(Kind::Word(&rest[..length])), length)
        } else if length > 0 {
            (Some(Kind::Number(&rest[..length])), length)
        } else if style.quotes.contains(&first) {
            let length = quoted_length(rest, first);
            let ends = length > 1 && rest[..length].ends_with(first);
            let inside = ends.then(|| Kind::Quoted(&rest[1..length - 1]));
            (inside, length)
        } else {
            match style.signs.iter().find(|sign| rest.starts_with(**sign)) {
                Some(sign) => (Some(Kind::Sign(sign)), sign.len()),
                None => (None, first.len_utf8()),
            }
        };
        let span = span(at, at + length);
        match kind {
            Some(kind) => tokens.push(Token { kind, span }),
            None => {
                let message = match first {
                    NOT_UTF8 => "this is not UTF-8, the encoding of models".to_string(),
                    _ => format!("`{}` is not part of the notation", first.escape_debug()),
                };
                diagnostics.push(Diagnostic::error(codes.unknown_character, span, message));
            }
        }
        at += length;
    }
}

fn word_length(text: &str) -> usize {
    text.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_'))
        .unwrap_or(text.len())
}

/// How long the text between quotes is, with them; it may go over lines. Without a second one it is the first alone.
fn quoted_length(text: &str, quote: char) -> usize {
    let mut at = 1;
    while let Some(found) = text[at..].find(quote) {
        at += found + 1;
        if !text[at..].starts_with(quote) {
            return at;
        }
        at += 1;
    }
    1
}

/// Where the next token begins, or where a comment begins that does not end.
fn skip_blanks(text: &str, mut at: usize, style: &Style) -> Result<usize, usize> {
    loop {
        let rest = &text[at..];
        at += rest.len() - rest.trim_start().len();
        let rest = &text[at..];
        let line = &rest[..rest.find('\n').unwrap_or(rest.len())];
        if style.line_comments && rest.starts_with("//") {
            at += line.len();
        } else if style.dashes && rest.starts_with("--") {
            let dashes_only = line.trim_end().bytes().all(|byte| byte == b'-');
            let second = line[2..].find("--").filter(|_| !dashes_only);
            at += second.map_or(line.len(), |length| length + 4);
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
