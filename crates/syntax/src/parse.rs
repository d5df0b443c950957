//! Recursive descent over words and signs.

use mazurka_span::{Code, Diagnostic, SourceFile, Span};

use crate::{Cursor, Kind, Name, Nesting, Style, Token, tokenize};

/// Something could not be read, and a diagnostic says why.
#[derive(Clone, Copy, Debug)]
pub struct Reported;

/// What was read, unless it was reported that it could not be.
pub type Parsed<T> = Result<T, Reported>;

/// The codes of what every parser may have to report.
#[derive(Clone, Copy, Debug)]
pub struct ParseCodes {
    /// A character that means nothing.
    pub unknown_character: Code,
    /// A comment that is never closed.
    pub open_comment: Code,
    /// Something else was expected.
    pub unexpected: Code,
    /// Nested too deeply.
    pub too_deep: Code,
}

/// Where a parser is.
#[derive(Debug)]
pub struct Reading<'t, 'd> {
    cursor: Cursor<Token<'t>>,
    nesting: Nesting,
    diagnostics: &'d mut Vec<Diagnostic>,
    /// Where a character was dropped because it means nothing.
    dropped: Vec<Span>,
}

impl Reading<'_, '_> {
    /// Was anything dropped just before the next token? What is odd there has been explained already.
    fn is_after_dropped(&self) -> bool {
        let (before, after) = (self.cursor.previous().span, self.cursor.peek().span);
        let mut dropped = self.dropped.iter();
        dropped.any(|span| before.end <= span.start && span.end <= after.start)
    }
}

/// A parser of a notation of words and signs: it says what is its own, and gets the rest.
///
/// After an error it goes on behind the next `;`, or before the `}` that closes what was being read, so that one mistake does
/// not hide another.
pub trait Parse<'t, 'd> {
    /// What its words and signs look like.
    const STYLE: Style;
    /// Words that are no names.
    const KEYWORDS: &'static [&'static str];
    /// What the common diagnostics are called.
    const CODES: ParseCodes;
    /// What is nested deeper is refused.
    const DEEPEST: u32;

    /// Where the parser is.
    fn reading(&self) -> &Reading<'t, 'd>;

    /// Where the parser is, to move on.
    fn reading_mut(&mut self) -> &mut Reading<'t, 'd>;

    /// At the beginning of a file.
    fn start(file: &'t SourceFile, diagnostics: &'d mut Vec<Diagnostic>) -> Reading<'t, 'd>
    where
        Self: Sized,
    {
        let tokens = tokenize(file, &Self::STYLE, &Self::CODES, diagnostics);
        Self::start_with(tokens, diagnostics)
    }

    /// At the first of some tokens, the last of which is the end. What was wrong with them has been reported.
    fn start_with(tokens: Vec<Token<'t>>, diagnostics: &'d mut Vec<Diagnostic>) -> Reading<'t, 'd>
    where
        Self: Sized,
    {
        let dropped = diagnostics.iter();
        let dropped = dropped.filter(|told| told.code == Self::CODES.unknown_character);
        let dropped = dropped.map(|told| told.primary.span).collect();
        let nothing = Token {
            span: Span::default(),
            ..tokens[0]
        };
        Reading {
            cursor: Cursor::new(tokens, nothing),
            nesting: Nesting::new(Self::DEEPEST),
            diagnostics,
            dropped,
        }
    }

    /// The next token.
    fn peek(&self) -> Kind<'t> {
        self.reading().cursor.peek().kind
    }

    /// The token after the next one.
    fn peek_after(&self) -> Kind<'t> {
        self.reading().cursor.peek_at(1).kind
    }

    /// The token taken last.
    fn previous(&self) -> Kind<'t> {
        self.reading().cursor.previous().kind
    }

    /// Where the next token is.
    fn span(&self) -> Span {
        self.reading().cursor.peek().span
    }

    /// Takes the next token.
    fn advance(&mut self) -> Token<'t> {
        self.reading_mut().cursor.advance()
    }

    /// The text from a place to the last token taken.
    fn since(&self, start: Span) -> Span {
        let end = self.reading().cursor.previous().span.end;
        Span::new(start.start, end.max(start.end))
    }

    /// Is there nothing left?
    fn at_end(&self) -> bool {
        self.peek() == Kind::End
    }

    /// Does a sign come next?
    fn is_sign(&self, sign: &str) -> bool {
        matches!(self.peek(), Kind::Sign(found) if found == sign)
    }

    /// Does a word come next?
    fn is_word(&self, word: &str) -> bool {
        self.word() == Some(word)
    }

    /// The word that comes next.
    fn word(&self) -> Option<&'t str> {
        match self.peek() {
            Kind::Word(word) => Some(word),
            _ => None,
        }
    }

    /// Takes a sign, if it is next.
    fn eat(&mut self, sign: &str) -> bool {
        let found = self.is_sign(sign);
        if found {
            self.advance();
        }
        found
    }

    /// Takes a word, if it is next.
    fn eat_word(&mut self, word: &str) -> bool {
        let found = self.is_word(word);
        if found {
            self.advance();
        }
        found
    }

    /// Takes a sign that must be next.
    fn expect(&mut self, sign: &str) -> Parsed<()> {
        match self.eat(sign) {
            true => Ok(()),
            false => Err(self.unexpected(&format!("`{sign}`"))),
        }
    }

    /// Takes a word that must be next.
    fn expect_word(&mut self, word: &str) -> Parsed<()> {
        match self.eat_word(word) {
            true => Ok(()),
            false => Err(self.unexpected(&format!("`{word}`"))),
        }
    }

    /// Takes a name, which is no keyword.
    fn name(&mut self, what: &str) -> Parsed<Name> {
        match self.peek() {
            Kind::Word(text) if !Self::KEYWORDS.contains(&text) => Ok(Name {
                text: text.into(),
                span: self.advance().span,
            }),
            _ => Err(self.unexpected(what)),
        }
    }

    /// One or more of something, with commas between.
    fn separated<T>(&mut self, mut item: impl FnMut(&mut Self) -> Parsed<T>) -> Parsed<Vec<T>> {
        let mut items = vec![item(self)?];
        while self.eat(",") {
            items.push(item(self)?);
        }
        Ok(items)
    }

    /// A list in parentheses, if there is one.
    fn list<T>(&mut self, item: impl FnMut(&mut Self) -> Parsed<T>) -> Parsed<Vec<T>> {
        if !self.eat("(") || self.eat(")") {
            return Ok(Vec::new());
        }
        let items = self.separated(item)?;
        self.expect(")")?;
        Ok(items)
    }

    /// `{ items }`; an item that is wrong is skipped.
    fn block(&mut self, mut item: impl FnMut(&mut Self) -> Parsed<()>) -> Parsed<()> {
        self.expect("{")?;
        while !self.eat("}") {
            if self.at_end() {
                return Err(self.unexpected("`}`"));
            }
            if item(self).is_err() {
                self.recover();
            }
        }
        Ok(())
    }

    /// Items to the end of the file; one that is wrong is skipped.
    fn items(&mut self, mut item: impl FnMut(&mut Self) -> Parsed<()>) {
        while !self.at_end() {
            if item(self).is_err() {
                self.recover();
                // What closes a block that was never opened.
                self.eat("}");
            }
        }
    }

    /// What is given besides a model, with nothing behind it.
    fn whole<T>(&mut self, read: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        let found = read(self)?;
        match self.at_end() {
            true => Ok(found),
            false => Err(self.unexpected("an operator or the end")),
        }
    }

    /// Goes on behind the next `;` or the next block, or before a `}` that closes what is being read.
    fn recover(&mut self) {
        let mut open = 0;
        loop {
            match self.peek() {
                Kind::End => return,
                Kind::Sign("{") => open += 1,
                Kind::Sign("}") if open == 0 => return,
                Kind::Sign("}") => open -= 1,
                _ => {}
            }
            let ends = open == 0 && (self.is_sign(";") || self.is_sign("}"));
            self.advance();
            if ends {
                return;
            }
        }
    }

    /// Reads a part one level deeper, unless that is too deep.
    fn deeper<T>(&mut self, part: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if !self.reading_mut().nesting.enter(1) {
            let (code, span) = (Self::CODES.too_deep, self.span());
            return Err(self.error(code, span, "the model is nested too deeply"));
        }
        let parsed = part(self);
        self.reading_mut().nesting.leave(1);
        parsed
    }

    /// Reports that something else was expected.
    fn unexpected(&mut self, expected: &str) -> Reported {
        if self.reading().is_after_dropped() {
            return Reported;
        }
        let found = match self.peek() {
            Kind::Word(text) | Kind::Number(text) => format!("`{text}`"),
            Kind::Sign(text) => format!("`{text}`"),
            Kind::Quoted(_) if Self::STYLE.quotes.contains(&'\'') => {
                "text between apostrophes".into()
            }
            Kind::Quoted(_) => "text between quotes".into(),
            Kind::End => "the end of the file".into(),
        };
        let message = format!("expected {expected}, found {found}");
        let (code, span) = (Self::CODES.unexpected, self.span());
        self.error(code, span, message)
    }

    /// Reports an error.
    fn error(&mut self, code: Code, span: Span, message: impl Into<String>) -> Reported {
        self.report(Diagnostic::error(code, span, message))
    }

    /// Reports anything.
    fn report(&mut self, diagnostic: Diagnostic) -> Reported {
        self.reading_mut().diagnostics.push(diagnostic);
        Reported
    }
}
