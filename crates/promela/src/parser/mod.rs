//! A recursive-descent parser that goes on after errors.
//!
//! A function that cannot make sense of the text reports it and gives `Err(Reported)`; the nearest sequence of statements, or
//! the top level, then skips to where something new can start. The split into files follows the grammar.

mod declaration;
mod expression;
mod formula;
mod inline;
mod message;
mod recovery;
mod sequence;
mod statement;
mod unit;

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use mazurka_span::{Diagnostic, SourceMap, Span};
use mazurka_syntax::{Cursor, Nesting, Parsed, Reported};

use crate::ast::{Expr, ExprKind, Model, Name, Number, NumberSpelling, Unit};
use crate::codes;
use crate::keyword::Keyword;
use crate::token::{Interner, Punctuation, Symbol, Token, TokenKind};
use inline::{ActiveInline, Inline};
use mazurka_span::nearest;
use sequence::Opening;

/// How deep the parser may recurse. A thread with 2 MiB of stack must survive this in a build without optimisation, where an
/// expression takes at most 8 KiB per level and a statement 16.
const NESTING: u32 = 256;
/// What a statement inside a statement adds to the nesting; an expression adds one.
const STATEMENT: u32 = 3;
/// After this many errors the text is not a model, and reading on is of no use to anyone.
const ERRORS: usize = 500;

/// What a snippet is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Form {
    Formula,
    Expression,
}

/// The tree of a model. `tokens` come from the layout and end with `EndOfInput`, and so do those of each snippet, which is read after
/// everything else. Besides, the names of its proctypes.
pub(crate) fn parse(
    tokens: Vec<Token>,
    snippets: Vec<(Form, Vec<Token>)>,
    interner: &Interner,
    map: &mut SourceMap,
    diagnostics: &mut Vec<Diagnostic>,
) -> (Model, HashSet<Symbol>) {
    let defined = tokens
        .windows(2)
        .filter_map(|pair| match (pair[0].kind, pair[1].kind) {
            (TokenKind::Keyword(keyword), TokenKind::Ident(symbol)) => Some((keyword, symbol)),
            _ => None,
        })
        .filter(|(keyword, _)| matches!(keyword, Keyword::Typedef | Keyword::Inline))
        .collect();
    let lexical = [
        codes::UNKNOWN_CHARACTER,
        codes::UNTERMINATED_COMMENT,
        codes::UNTERMINATED_STRING,
        codes::MALFORMED_CHARACTER,
    ];
    let bad_text = diagnostics
        .iter()
        .filter(|diagnostic| lexical.contains(&diagnostic.code))
        .map(|diagnostic| diagnostic.primary.span)
        .collect();
    let mut parser = Parser::new(tokens, interner, map, diagnostics);
    parser.defined = defined;
    parser.bad_text = bad_text;
    let mut model = parser.model();
    for (form, tokens) in snippets {
        if !parser.given_up {
            parser.cursor = cursor(tokens);
            model.units.extend(parser.snippet(form).ok());
        }
    }
    (model, parser.proctypes)
}

/// The tree of an expression that is read after a model with these proctypes.
pub(crate) fn parse_expression(
    tokens: Vec<Token>,
    proctypes: &HashSet<Symbol>,
    interner: &Interner,
    map: &mut SourceMap,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<Expr> {
    let mut parser = Parser::new(tokens, interner, map, diagnostics);
    parser.proctypes = proctypes.clone();
    match parser.snippet(Form::Expression) {
        Ok(Unit::Expression(expr)) => Some(expr),
        _ => None,
    }
}

fn cursor(tokens: Vec<Token>) -> Cursor<Token> {
    let previous = Token {
        span: Span::default(),
        ..tokens[0]
    };
    Cursor::new(tokens, previous)
}

struct Parser<'a> {
    cursor: Cursor<Token>,
    interner: &'a Interner,
    map: &'a mut SourceMap,
    diagnostics: &'a mut Vec<Diagnostic>,
    /// Types and inlines defined anywhere, for hints.
    defined: HashSet<(Keyword, Symbol)>,
    errors: usize,
    /// Where the layout dropped text.
    bad_text: Vec<Span>,
    /// Names defined so far: as in SPIN, they decide what a name means.
    types: HashSet<Symbol>,
    proctypes: HashSet<Symbol>,
    inlines: HashMap<Symbol, Rc<Inline>>,
    /// The inlines being expanded, outermost first.
    active_inlines: Vec<ActiveInline>,
    /// Tokens that all calls of inlines have made so far.
    inlined_tokens: usize,
    /// What is open around the current statement, outermost first.
    openings: Vec<Opening>,
    /// Between the brackets of a proctype, a comma may also start a new declaration.
    in_parameters: bool,
    nesting: Nesting,
    /// The height of the highest expression inside the operand being parsed.
    inner_height: u32,
    /// Everything that is left is skipped in silence.
    given_up: bool,
    /// What is read stands beside the model.
    in_snippet: bool,
}

impl<'a> Parser<'a> {
    fn new(
        tokens: Vec<Token>,
        interner: &'a Interner,
        map: &'a mut SourceMap,
        diagnostics: &'a mut Vec<Diagnostic>,
    ) -> Parser<'a> {
        Parser {
            cursor: cursor(tokens),
            interner,
            map,
            diagnostics,
            defined: HashSet::new(),
            errors: 0,
            bad_text: Vec::new(),
            types: HashSet::new(),
            proctypes: HashSet::new(),
            inlines: HashMap::new(),
            active_inlines: Vec::new(),
            inlined_tokens: 0,
            openings: Vec::new(),
            in_parameters: false,
            nesting: Nesting::new(NESTING),
            inner_height: 0,
            given_up: false,
            in_snippet: false,
        }
    }
}

impl Parser<'_> {
    fn peek(&self) -> Token {
        self.cursor.peek()
    }

    /// The token `ahead` places after the next one.
    fn peek_at(&self, ahead: usize) -> Token {
        self.cursor.peek_at(ahead)
    }

    fn bump(&mut self) -> Token {
        self.cursor.advance()
    }

    fn at(&self, punctuation: Punctuation) -> bool {
        self.peek().is(punctuation)
    }

    fn at_keyword(&self, keyword: Keyword) -> bool {
        self.peek().is_keyword(keyword)
    }

    fn at_end(&self) -> bool {
        self.peek().kind == TokenKind::EndOfInput
    }

    fn eat(&mut self, punctuation: Punctuation) -> bool {
        let found = self.at(punctuation);
        if found {
            self.bump();
        }
        found
    }

    fn eat_keyword(&mut self, keyword: Keyword) -> bool {
        let found = self.at_keyword(keyword);
        if found {
            self.bump();
        }
        found
    }

    fn expect(&mut self, punctuation: Punctuation) -> Parsed<Token> {
        if self.at(punctuation) {
            return Ok(self.bump());
        }
        Err(self.unexpected(&format!("`{}`", punctuation.text())))
    }

    /// A name that is not a keyword.
    fn name(&mut self, what: &str) -> Parsed<Name> {
        let token = self.peek();
        match token.kind {
            TokenKind::Ident(symbol) => {
                self.bump();
                Ok(Name {
                    text: self.interner.text(symbol).clone(),
                    span: token.span,
                })
            }
            TokenKind::Keyword(keyword) => {
                let message = format!("`{}` is a keyword and cannot be {what}", keyword.text());
                Err(self.error(Diagnostic::error(
                    codes::KEYWORD_AS_NAME,
                    token.span,
                    message,
                )))
            }
            _ => Err(self.unexpected(what)),
        }
    }

    fn peek_symbol(&self, ahead: usize) -> Option<Symbol> {
        match self.peek_at(ahead).kind {
            TokenKind::Ident(symbol) => Some(symbol),
            _ => None,
        }
    }

    fn report(&mut self, diagnostic: Diagnostic) {
        let follows = matches!(diagnostic.code, codes::UNEXPECTED_TOKEN | codes::UNCLOSED);
        if self.given_up || (follows && self.after_bad_text()) {
            return;
        }
        self.errors += usize::from(diagnostic.is_error());
        self.diagnostics.push(diagnostic);
        if self.errors >= ERRORS {
            self.give_up();
        }
    }

    /// Whether text that is no token was dropped just before the next token: what is odd there has been explained already.
    fn after_bad_text(&self) -> bool {
        let (before, after) = (self.cursor.previous().span.end, self.peek().span.start);
        self.bad_text
            .iter()
            .any(|span| before <= span.start && span.end <= after)
    }

    fn error(&mut self, diagnostic: Diagnostic) -> Reported {
        self.report(diagnostic);
        Reported
    }

    fn warn_not_in_spin(&mut self, span: Span, message: &str) {
        self.report(Diagnostic::warning(codes::NOT_IN_SPIN, span, message));
    }

    /// Reports that something else was expected at the next token.
    fn unexpected(&mut self, expected: &str) -> Reported {
        let diagnostic = self.unexpected_diagnostic(expected);
        self.error(diagnostic)
    }

    fn unexpected_diagnostic(&self, expected: &str) -> Diagnostic {
        let token = self.peek();
        let calls = token.is(Punctuation::LeftParen) && !token.newline_before;
        if let (true, TokenKind::Ident(symbol)) = (calls, self.cursor.previous().kind) {
            return self.undefined_call(symbol);
        }
        let found = match token.kind {
            TokenKind::EndOfInput if !self.active_inlines.is_empty() => {
                "the end of the inline".to_string()
            }
            TokenKind::EndOfInput if self.in_snippet => "the end".to_string(),
            TokenKind::EndOfInput => "the end of the file".to_string(),
            TokenKind::LineEnd => "the end of the line".to_string(),
            kind => format!("`{}`", self.interner.spelling(kind)),
        };
        let message = format!("expected {expected}, found {found}");
        let diagnostic = Diagnostic::error(codes::UNEXPECTED_TOKEN, token.span, message);
        match self.unexpected_hint(token) {
            Some(hint) => diagnostic.hint(hint),
            None => self.mention_macro(diagnostic, token),
        }
    }

    fn unexpected_hint(&self, token: Token) -> Option<String> {
        let line_rule =
            "in a body, a line ends a statement unless it ends in an operator or inside `( )`";
        match (token.kind, self.cursor.previous().kind) {
            (TokenKind::LineEnd, _) => Some(line_rule.to_string()),
            (TokenKind::Punctuation(punctuation), TokenKind::LineEnd)
                if expression::binary_operator(punctuation).is_some() =>
            {
                Some(line_rule.to_string())
            }
            (
                TokenKind::Punctuation(Punctuation::Assign),
                TokenKind::Punctuation(Punctuation::Colon),
            ) => Some("an assignment is written `=`".to_string()),
            (
                TokenKind::Punctuation(Punctuation::LeftBracket),
                TokenKind::Punctuation(Punctuation::RightBracket),
            ) => Some(
                "an array has one dimension; for more, make an array of a `typedef` with an array in it"
                    .to_string(),
            ),
            (
                TokenKind::Punctuation(Punctuation::LeftBracket),
                TokenKind::Keyword(Keyword::Proctype),
            ) => Some("how many there are is said before: `active [N] proctype`".to_string()),
            (
                TokenKind::Punctuation(Punctuation::LeftParen),
                TokenKind::Keyword(keyword @ (Keyword::Atomic | Keyword::DStep)),
            ) => Some(format!("write `{} {{ … }}`", keyword.text())),
            (TokenKind::Punctuation(Punctuation::Dot), TokenKind::Number(_)) => {
                Some("numbers in Promela are whole".to_string())
            }
            (TokenKind::Punctuation(Punctuation::Question), _) => {
                Some("a choice between values is `(condition -> this : that)`".to_string())
            }
            (TokenKind::Punctuation(Punctuation::DoubleBang), _) => {
                Some("`!!` is the sorted send; for a double negation write `!(!x)`".to_string())
            }
            (
                TokenKind::Ident(_)
                | TokenKind::Number(_)
                | TokenKind::String(_)
                | TokenKind::Punctuation(Punctuation::LeftBrace),
                TokenKind::Ident(symbol),
            ) => {
                let keyword = self.nearest_keyword(symbol)?;
                Some(format!(
                    "is `{}` meant to be `{keyword}`?",
                    self.interner.text(symbol)
                ))
            }
            _ => None,
        }
    }

    /// When the text before comes out of a macro, the reason is there and cannot be seen here.
    fn mention_macro(&self, diagnostic: Diagnostic, token: Token) -> Diagnostic {
        let before = self.cursor.previous().span;
        match self.map.expansion_chain(before).last() {
            Some(expansion) if before.context != token.span.context => {
                let text = format!("the text before comes from `{}`", expansion.name);
                diagnostic.also(expansion.call, text)
            }
            _ => diagnostic,
        }
    }

    fn nearest_keyword(&self, symbol: Symbol) -> Option<&'static str> {
        let words = Keyword::ALL.iter().map(|keyword| keyword.text());
        nearest(self.interner.text(symbol), words)
    }

    /// Enters a level of recursion, to be left by `leave`.
    fn enter(&mut self) -> Parsed<()> {
        self.enter_by(1)
    }

    fn enter_by(&mut self, weight: u32) -> Parsed<()> {
        match self.nesting.enter(weight) {
            true => Ok(()),
            false => Err(self.too_deep()),
        }
    }

    fn leave(&mut self) {
        self.leave_by(1);
    }

    fn leave_by(&mut self, weight: u32) {
        self.nesting.leave(weight);
    }

    fn too_deep(&mut self) -> Reported {
        let span = self.peek().span;
        self.report(
            Diagnostic::error(codes::TOO_DEEP, span, "the model is nested too deeply")
                .label("the rest is skipped")
                .hint("name parts of it: use more statements, an `inline`, or a macro with less in it"),
        );
        self.give_up();
        Reported
    }

    /// Skips everything that is left.
    fn give_up(&mut self) {
        self.given_up = true;
        self.cursor.go_to_end();
    }

    /// From the start of something to the token taken last.
    fn since(&self, start: Span) -> Span {
        self.map.join(start, self.cursor.previous().span)
    }

    /// A constant where the grammar wants just one: a number, or a name that may be one.
    fn constant(&mut self, what: &str) -> Parsed<Expr> {
        match self.peek().kind {
            TokenKind::Ident(_) => {
                let variable = self.variable_ref()?;
                Ok(Expr {
                    span: variable.span,
                    kind: ExprKind::Variable(variable),
                })
            }
            _ => match self.number() {
                Some(expr) => Ok(expr),
                None => Err(self.unexpected(what)),
            },
        }
    }

    /// The number that is next, if it is one.
    fn number(&mut self) -> Option<Expr> {
        let token = self.peek();
        let (value, spelling) = match token.kind {
            TokenKind::Number(symbol) => {
                (self.decimal(symbol, token.span), NumberSpelling::Decimal)
            }
            TokenKind::Character(value) => (value, NumberSpelling::Character),
            TokenKind::Keyword(Keyword::True) => (1, NumberSpelling::True),
            TokenKind::Keyword(Keyword::Skip) => (1, NumberSpelling::Skip),
            TokenKind::Keyword(Keyword::False) => (0, NumberSpelling::False),
            _ => return None,
        };
        self.bump();
        Some(Expr {
            kind: ExprKind::Number(Number { value, spelling }),
            span: token.span,
        })
    }

    fn decimal(&mut self, symbol: Symbol, span: Span) -> i32 {
        let text = self.interner.text(symbol);
        if !text.bytes().all(|byte| byte.is_ascii_digit()) {
            let message = format!("`{text}` is not a number");
            self.report(
                Diagnostic::error(codes::MALFORMED_NUMBER, span, message)
                    .hint("numbers in Promela are decimal"),
            );
            return 0;
        }
        // SPIN reads the number as the nearest of 64 bits and keeps the lower 32, which is how people write the least integer.
        let value = text.parse().unwrap_or(i64::MAX);
        if value > 1 << 31 {
            let shown = match text.len() > 20 {
                true => "this number".to_string(),
                false => format!("`{text}`"),
            };
            let message = format!("{shown} does not fit into an int");
            let diagnostic = Diagnostic::warning(codes::NUMBER_OUT_OF_RANGE, span, message);
            self.report(diagnostic.label(format!("read as {}", value as i32)));
        }
        value as i32
    }
}
