//! Tokens, and the table of their spellings.

use std::collections::HashMap;
use std::sync::Arc;

use mazurka_span::Span;

use crate::keyword::Keyword;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Token {
    pub kind: TokenKind,
    pub span: Span,
    /// The end of a line stands between this token and the one before. SPIN reads that as `;` in many places.
    pub newline_before: bool,
    /// White space stands before; what is not separated can be one operator of a formula (`[` and `]`).
    pub space_before: bool,
    /// The name of a macro met during its own expansion, never to be expanded again.
    pub painted: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum TokenKind {
    Ident(Symbol),
    Keyword(Keyword),
    /// Digits, and letters if someone wrote them.
    Number(Symbol),
    Character(i32),
    /// The text between the quotes.
    String(Symbol),
    Punctuation(Punctuation),
    /// A `;` that SPIN reads at the end of a line.
    LineEnd,
    /// A skipped piece of embedded C, reported already.
    EmbeddedC,
    /// A comment that says what a channel is like: the text between `/*@` and `*/`.
    Annotation(Symbol),
    Unknown(Unknown),
    EndOfInput,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Unknown {
    /// `*/` outside a comment.
    CommentEnd,
    Character,
    Comment,
    String,
    CharacterConstant,
}

macro_rules! punctuation {
    ($($name:ident $text:literal)*) => {
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub(crate) enum Punctuation { $($name),* }

        impl Punctuation {
            pub fn text(self) -> &'static str {
                match self { $(Punctuation::$name => $text),* }
            }
        }

        /// Longest first, so that the first match is the right one.
        const BY_LENGTH: &[(&str, Punctuation)] = &[$(($text, Punctuation::$name)),*];
    };
}

// SPIN reads `-->` as `->`, so a loop written that way must work here too.
punctuation! {
    LongArrow "-->"
    Arrow "->" Increment "++" Decrement "--" DoubleColon "::" DotDot ".." Equal "==" NotEqual "!=" LessEqual "<="
    GreaterEqual ">=" ShiftLeft "<<" ShiftRight ">>" DoubleAmpersand "&&" DoublePipe "||" DoubleBang "!!"
    DoubleQuestion "??" DoubleHash "##"
    LeftParen "(" RightParen ")" LeftBracket "[" RightBracket "]" LeftBrace "{" RightBrace "}" Semicolon ";" Comma ","
    Colon ":" Dot "." Assign "=" Less "<" Greater ">" Plus "+" Minus "-" Star "*" Slash "/" Percent "%" Tilde "~"
    Ampersand "&" Pipe "|" Caret "^" Bang "!" Question "?" At "@" Hash "#"
}

impl Punctuation {
    /// The longest punctuation a text starts with, and its length.
    pub fn longest(text: &[u8]) -> Option<(Punctuation, usize)> {
        let (spelling, punctuation) = BY_LENGTH
            .iter()
            .find(|(spelling, _)| text.starts_with(spelling.as_bytes()))?;
        let punctuation = match punctuation {
            Punctuation::LongArrow => Punctuation::Arrow,
            other => *other,
        };
        Some((punctuation, spelling.len()))
    }
}

impl Token {
    /// What stands behind the last token.
    pub fn end_of_input(span: Span) -> Token {
        Token {
            kind: TokenKind::EndOfInput,
            span,
            newline_before: true,
            space_before: true,
            painted: false,
        }
    }

    pub fn is(self, punctuation: Punctuation) -> bool {
        self.kind == TokenKind::Punctuation(punctuation)
    }

    pub fn is_keyword(self, keyword: Keyword) -> bool {
        self.kind == TokenKind::Keyword(keyword)
    }
}

/// An interned spelling.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Symbol(u32);

#[derive(Clone, Default, Debug)]
pub(crate) struct Interner {
    spellings: Vec<Arc<str>>,
    symbols: HashMap<Arc<str>, Symbol>,
}

impl Interner {
    pub fn intern(&mut self, text: &str) -> Symbol {
        if let Some(&symbol) = self.symbols.get(text) {
            return symbol;
        }
        let symbol = Symbol(self.spellings.len() as u32);
        let text: Arc<str> = text.into();
        self.spellings.push(text.clone());
        self.symbols.insert(text, symbol);
        symbol
    }

    pub fn text(&self, symbol: Symbol) -> &Arc<str> {
        &self.spellings[symbol.0 as usize]
    }

    /// The token as it could be written in a source.
    pub fn spelling(&self, kind: TokenKind) -> String {
        match kind {
            TokenKind::Ident(symbol) | TokenKind::Number(symbol) => self.text(symbol).to_string(),
            TokenKind::Keyword(keyword) => keyword.text().to_string(),
            TokenKind::Character(value) => crate::print::character(value),
            TokenKind::String(symbol) => format!("\"{}\"", self.text(symbol)),
            TokenKind::Punctuation(punctuation) => punctuation.text().to_string(),
            TokenKind::LineEnd => ";".to_string(),
            TokenKind::EmbeddedC => "c_code { }".to_string(),
            TokenKind::Annotation(symbol) => format!("/*@{}*/", self.text(symbol)),
            TokenKind::Unknown(_) | TokenKind::EndOfInput => String::new(),
        }
    }

    /// Tokens as text, with a space wherever there was one.
    pub fn join(&self, tokens: &[Token]) -> String {
        let mut text = String::new();
        for token in tokens {
            if token.space_before && !text.is_empty() {
                text.push(' ');
            }
            text += &self.spelling(token.kind);
        }
        text
    }
}
