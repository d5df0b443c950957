//! Values that are known before a model runs: numbers, constants and counters, with `+ - * / %`.

use super::{DEEPEST, Expander, Piece, PieceKind, Wrong};
use crate::codes;

impl Expander<'_> {
    /// A value that begins at a place, and where it ends.
    pub(super) fn value(&mut self, pieces: &[Piece], at: usize) -> Result<(i64, usize), Wrong> {
        self.sum(pieces, at, 0)
    }

    fn sum(&mut self, pieces: &[Piece], at: usize, depth: usize) -> Result<(i64, usize), Wrong> {
        let (mut value, mut end) = self.product(pieces, at, depth)?;
        while let Some(sign) = sign_of(pieces, end, &["+", "-"]) {
            let (right, after) = self.product(pieces, end + 1, depth)?;
            let result = match sign {
                "+" => value.checked_add(right),
                _ => value.checked_sub(right),
            };
            value = self.bounded(result, pieces, end)?;
            end = after;
        }
        Ok((value, end))
    }

    fn product(
        &mut self,
        pieces: &[Piece],
        at: usize,
        depth: usize,
    ) -> Result<(i64, usize), Wrong> {
        let (mut value, mut end) = self.factor(pieces, at, depth)?;
        while let Some(sign) = sign_of(pieces, end, &["*", "/", "%"]) {
            let (right, after) = self.factor(pieces, end + 1, depth)?;
            let result = match sign {
                "*" => value.checked_mul(right),
                "/" => value.checked_div(right),
                // Around a ring, the one before the first is the last.
                _ => value.checked_rem_euclid(right),
            };
            value = self.bounded(result, pieces, end)?;
            end = after;
        }
        Ok((value, end))
    }

    fn factor(&mut self, pieces: &[Piece], at: usize, depth: usize) -> Result<(i64, usize), Wrong> {
        let piece = pieces.get(at);
        let span = piece
            .or(pieces.last())
            .map_or_else(Default::default, |piece| piece.span);
        match piece.map(|piece| &piece.kind) {
            _ if depth > DEEPEST => {
                Err(self.error(codes::TOO_DEEP, span, "a value is nested too deeply"))
            }
            Some(PieceKind::Sign("-")) => {
                let (value, end) = self.factor(pieces, at + 1, depth + 1)?;
                Ok((-value, end))
            }
            Some(PieceKind::Sign("(")) => {
                let (value, end) = self.sum(pieces, at + 1, depth + 1)?;
                self.expect(pieces, end, ")")?;
                Ok((value, end + 1))
            }
            Some(PieceKind::Number(text)) => match text.parse::<i32>() {
                Ok(value) => Ok((value.into(), at + 1)),
                Err(_) => {
                    let message = format!("`{text}` is not a number that is possible here");
                    Err(self.error(codes::BAD_NUMBER, span, message))
                }
            },
            Some(PieceKind::Word(name)) => match self.named(name) {
                Some(value) => Ok((value, at + 1)),
                None => {
                    let message = format!("there is no constant or counter `{name}` here");
                    Err(self.error(codes::UNDECLARED, span, message))
                }
            },
            _ => Err(self.error(codes::UNEXPECTED_TOKEN, span, "expected a number here")),
        }
    }

    /// No value is larger than what a model can do with it.
    fn bounded(&mut self, value: Option<i64>, pieces: &[Piece], at: usize) -> Result<i64, Wrong> {
        match value {
            Some(value) if i32::try_from(value).is_ok() => Ok(value),
            _ => {
                let message = "this has no value, or one that is too large";
                Err(self.error(codes::BAD_NUMBER, pieces[at].span, message))
            }
        }
    }
}

fn sign_of(pieces: &[Piece], at: usize, signs: &[&'static str]) -> Option<&'static str> {
    let piece = pieces.get(at)?;
    signs.iter().copied().find(|sign| piece.is(sign))
}
