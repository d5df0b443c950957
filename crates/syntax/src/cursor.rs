//! A place in a list of tokens.

use std::rc::Rc;

/// Tokens, and how far they have been taken. The last one marks the end and is never passed.
#[derive(Clone, Debug)]
pub struct Cursor<T> {
    tokens: Rc<[T]>,
    position: usize,
    previous: T,
}

impl<T: Copy> Cursor<T> {
    /// At the first of some tokens; `previous` counts as taken before. There is at least one token, the mark of the end.
    pub fn new(tokens: impl Into<Rc<[T]>>, previous: T) -> Cursor<T> {
        let tokens = tokens.into();
        assert!(!tokens.is_empty(), "the mark of the end is missing");
        Cursor {
            tokens,
            position: 0,
            previous,
        }
    }

    /// The next token.
    #[inline]
    pub fn peek(&self) -> T {
        self.tokens[self.position]
    }

    /// The token `ahead` places after the next one.
    #[inline]
    pub fn peek_at(&self, ahead: usize) -> T {
        let last = self.tokens.len() - 1;
        self.tokens[(self.position + ahead).min(last)]
    }

    /// Takes the next token.
    #[inline]
    pub fn advance(&mut self) -> T {
        self.previous = self.peek();
        if self.position + 1 < self.tokens.len() {
            self.position += 1;
        }
        self.previous
    }

    /// The token taken last.
    #[inline]
    pub fn previous(&self) -> T {
        self.previous
    }

    /// How many tokens come before the next one.
    #[inline]
    pub fn position(&self) -> usize {
        self.position
    }

    /// Goes to another place, such as one that was left.
    pub fn go_to(&mut self, position: usize) {
        self.position = position.min(self.tokens.len() - 1);
    }

    /// Goes to the mark of the end.
    pub fn go_to_end(&mut self) {
        self.go_to(usize::MAX);
    }

    /// The token at a place.
    pub fn token(&self, position: usize) -> T {
        self.tokens[position]
    }

    /// The tokens from a place to the next one.
    pub fn taken_since(&self, position: usize) -> &[T] {
        &self.tokens[position..self.position]
    }
}
