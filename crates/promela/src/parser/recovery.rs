//! Finding the place to go on after an error.

use super::Parser;
use crate::token::{Punctuation, TokenKind};

impl Parser<'_> {
    /// Skips to where a statement can start or a sequence ends. `position` is where the statement in error started: at least
    /// one token is taken after it, so that parsing always moves on.
    pub(super) fn recover(&mut self, position: usize) {
        loop {
            let token = self.peek();
            let stop = match token.kind {
                TokenKind::EndOfInput => return,
                TokenKind::LineEnd => true,
                TokenKind::Punctuation(punctuation) => matches!(
                    punctuation,
                    Punctuation::Semicolon | Punctuation::Arrow | Punctuation::LeftBrace
                ),
                TokenKind::Keyword(keyword) => keyword.starts_statement(),
                _ => false,
            };
            // An end is never skipped: something waits for it, or it is reported as stray.
            if self.at_sequence_end() || (stop && self.cursor.position() > position) {
                return;
            }
            self.bump();
        }
    }

    /// Skips to where something new can start at the top level.
    pub(super) fn recover_unit(&mut self, position: usize) {
        let mut braces = 0u32;
        while !self.at_end() {
            let token = self.peek();
            match token.kind {
                TokenKind::Keyword(keyword) if self.cursor.position() > position => {
                    let fresh =
                        token.newline_before || (braces == 0 && !keyword.starts_declaration());
                    if keyword.starts_unit() && fresh {
                        return;
                    }
                    if keyword.starts_declaration() && braces == 0 && token.newline_before {
                        return;
                    }
                }
                TokenKind::Punctuation(Punctuation::LeftBrace) => braces += 1,
                TokenKind::Punctuation(Punctuation::RightBrace) => {
                    braces = braces.saturating_sub(1);
                    if braces == 0 {
                        self.bump();
                        return;
                    }
                }
                TokenKind::Punctuation(Punctuation::Semicolon) if braces == 0 => {
                    self.bump();
                    return;
                }
                _ => {}
            }
            self.bump();
        }
    }
}
