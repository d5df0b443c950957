//! Bytes to tokens, one file at a time.
//!
//! The lexer reports nothing: what it does not know becomes an `Unknown` token, because the text may yet turn out to be
//! skipped by an `#if` or to be embedded C. Comments and continued lines are white space.

use mazurka_span::{SourceFile, Span};

use crate::annotation::{is_annotation, is_misspelt};
use crate::token::{Interner, Punctuation, Token, TokenKind, Unknown};

/// All tokens of a file, without an end marker.
pub(crate) fn tokenize(file: &SourceFile, interner: &mut Interner) -> Vec<Token> {
    let mut lexer = Lexer {
        text: file.text(),
        position: 0,
    };
    let mut tokens = Vec::new();
    let mut newline_before = true;
    // As for a C preprocessor, a comment of several lines does not end a directive.
    let mut in_directive = false;
    loop {
        let before = lexer.position;
        match lexer.skip_blanks() {
            Blanks::Skipped { newline, comment } => {
                newline_before |= newline || comment && !in_directive;
            }
            Blanks::UnterminatedComment { start } => {
                tokens.push(Token {
                    kind: TokenKind::Unknown(Unknown::Comment),
                    // Only the opening: the rest may be the whole file.
                    span: Span::new(file.base() + start as u32, file.base() + start as u32 + 2),
                    newline_before,
                    space_before: true,
                    painted: false,
                });
                return tokens;
            }
        }
        let start = lexer.position;
        if start == lexer.text.len() {
            return tokens;
        }
        let kind = lexer.token(interner);
        if newline_before {
            in_directive = kind == TokenKind::Punctuation(Punctuation::Hash);
        }
        tokens.push(Token {
            kind,
            span: Span::new(
                file.base() + start as u32,
                file.base() + lexer.position as u32,
            ),
            newline_before,
            space_before: start > before || newline_before,
            painted: false,
        });
        newline_before = false;
    }
}

/// The one token that a text is, if it is one. Used for `##`.
pub(crate) fn single_token(text: &str, interner: &mut Interner) -> Option<TokenKind> {
    let mut lexer = Lexer { text, position: 0 };
    if text.is_empty() {
        return None;
    }
    let kind = lexer.token(interner);
    let whole = lexer.position == text.len() && !matches!(kind, TokenKind::Unknown(_));
    whole.then_some(kind)
}

struct Lexer<'a> {
    text: &'a str,
    position: usize,
}

enum Blanks {
    /// Was there the end of a line, and one in a comment?
    Skipped {
        newline: bool,
        comment: bool,
    },
    UnterminatedComment {
        start: usize,
    },
}

impl Lexer<'_> {
    fn rest(&self) -> &[u8] {
        &self.text.as_bytes()[self.position..]
    }

    /// White space, comments and continued lines. A comment of several lines ends a line, a continued line does not.
    fn skip_blanks(&mut self) -> Blanks {
        let mut newline = false;
        let mut comment = false;
        loop {
            match self.rest() {
                [b'\n', ..] => {
                    newline = true;
                    self.position += 1;
                }
                [b' ' | b'\t' | b'\r' | 0x0b | 0x0c, ..] => self.position += 1,
                [b'\\', ..] if self.continuation(self.position).is_some() => {
                    self.position = self.continuation(self.position).unwrap_or(self.text.len());
                }
                [b'/', b'/', ..] => self.skip_line_comment(),
                [b'/', b'*', ..] if self.annotation().is_some() => {
                    return Blanks::Skipped { newline, comment };
                }
                [b'/', b'*', ..] => {
                    let start = self.position;
                    let body = &self.text[start + 2..];
                    let Some(length) = body.find("*/") else {
                        return Blanks::UnterminatedComment { start };
                    };
                    comment |= body[..length].contains('\n');
                    self.position = start + 2 + length + 2;
                }
                // The mark that some editors put at the beginning of a file.
                [0xef, 0xbb, 0xbf, ..] if self.position == 0 => self.position += 3,
                _ => return Blanks::Skipped { newline, comment },
            }
        }
    }

    /// The text of the annotation that begins here, if one does. Other comments may look similar.
    fn annotation(&self) -> Option<&str> {
        let body = self.text[self.position..].strip_prefix("/*@")?;
        let (body, behind) = body.split_once("*/")?;
        (is_annotation(body) || is_misspelt(body, behind)).then_some(body)
    }

    /// If a backslash at `at` ends its line: where the next line starts.
    fn continuation(&self, at: usize) -> Option<usize> {
        match self.text.as_bytes().get(at + 1..)? {
            [b'\n', ..] => Some(at + 2),
            [b'\r', b'\n', ..] => Some(at + 3),
            _ => None,
        }
    }

    fn skip_line_comment(&mut self) {
        while let Some(&byte) = self.rest().first() {
            match byte {
                b'\n' => return,
                b'\\' => {
                    self.position = self
                        .continuation(self.position)
                        .unwrap_or(self.position + 1)
                }
                _ => self.position += 1,
            }
        }
    }

    /// The token at the position, which is not white space; always moves on.
    fn token(&mut self, interner: &mut Interner) -> TokenKind {
        let start = self.position;
        match self.rest()[0] {
            b'a'..=b'z' | b'A'..=b'Z' | b'_' => {
                self.skip_word();
                TokenKind::Ident(interner.intern(&self.text[start..self.position]))
            }
            b'/' if self.annotation().is_some() => {
                let body = self.annotation().unwrap_or_default();
                let symbol = interner.intern(body);
                self.position += "/*@".len() + body.len() + "*/".len();
                TokenKind::Annotation(symbol)
            }
            b'0'..=b'9' => {
                self.skip_word();
                TokenKind::Number(interner.intern(&self.text[start..self.position]))
            }
            b'"' => match self.quoted(b'"') {
                Some(text) => TokenKind::String(interner.intern(text)),
                None => TokenKind::Unknown(Unknown::String),
            },
            b'\'' => match self.quoted(b'\'') {
                Some(text) => character_value(text).map_or(
                    TokenKind::Unknown(Unknown::CharacterConstant),
                    TokenKind::Character,
                ),
                None => TokenKind::Unknown(Unknown::CharacterConstant),
            },
            b'*' if self.rest().get(1) == Some(&b'/') => {
                self.position += 2;
                TokenKind::Unknown(Unknown::CommentEnd)
            }
            _ => match Punctuation::longest(self.rest()) {
                Some((punctuation, length)) => {
                    self.position += length;
                    TokenKind::Punctuation(punctuation)
                }
                None => {
                    let character = self.text[start..].chars().next();
                    self.position += character.map_or(1, char::len_utf8);
                    TokenKind::Unknown(Unknown::Character)
                }
            },
        }
    }

    fn skip_word(&mut self) {
        let rest = self.rest();
        let length = rest
            .iter()
            .position(|byte| !(byte.is_ascii_alphanumeric() || *byte == b'_'));
        self.position += length.unwrap_or(rest.len());
    }

    /// The text up to the closing quote on the same line. Without one, an apostrophe stands alone (so that embedded C and
    /// prose do not swallow a line) and a string takes the rest of the line.
    fn quoted(&mut self, quote: u8) -> Option<&str> {
        let start = self.position + 1;
        let bytes = self.text.as_bytes();
        let mut at = start;
        while at < bytes.len() && bytes[at] != b'\n' {
            if bytes[at] == quote {
                self.position = at + 1;
                return Some(&self.text[start..at]);
            }
            if bytes[at] == b'\\' {
                at = self.continuation(at).unwrap_or(at + 2);
            } else {
                at += 1;
            }
        }
        self.position = if quote == b'"' {
            at.min(bytes.len())
        } else {
            start
        };
        while !self.text.is_char_boundary(self.position) {
            self.position += 1;
        }
        None
    }
}

fn character_value(text: &str) -> Option<i32> {
    match text.as_bytes() {
        [b'\\', escaped] => Some(i32::from(match escaped {
            b'n' => b'\n',
            b'r' => b'\r',
            b't' => b'\t',
            b'f' => 0x0c,
            other => *other,
        })),
        [byte] if byte.is_ascii() => Some(i32::from(*byte)),
        _ => None,
    }
}
