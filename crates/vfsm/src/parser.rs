//! Tokens to syntax tree, by recursive descent.
//!
//! Parsing never fails: how it goes on after an error is in [`Parse`].

mod cost;
mod formula;
mod machine;
mod network;
mod property;

use mazurka_span::{Diagnostic, SourceFile};
use mazurka_syntax::{Kind, Parse, ParseCodes, Parsed, Reading, Style};

use crate::ast::{Cost, Formula, Model, Name};
use crate::codes;
use crate::expand::Piece;

/// Reads what a model was expanded to.
pub(crate) fn parse(pieces: &[Piece], diagnostics: &mut Vec<Diagnostic>) -> Model {
    let mut model = Model::default();
    let tokens = pieces.iter().map(Piece::token).collect();
    let mut parser = Parser {
        reading: Parser::start_with(tokens, diagnostics),
        atoms: Vec::new(),
    };
    parser.items(|parser| parser.item(&mut model));
    model
}

/// Reads the cost of a state, if there is nothing wrong with it.
pub(crate) fn parse_cost(file: &SourceFile, diagnostics: &mut Vec<Diagnostic>) -> Option<Cost> {
    let mut parser = Parser::new(file, diagnostics);
    parser.whole(Parser::cost).ok()
}

/// Reads a formula that is given besides a model, if there is nothing wrong with it.
pub(crate) fn parse_formula(
    file: &SourceFile,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<Formula> {
    let mut parser = Parser::new(file, diagnostics);
    parser.whole(Parser::unnamed_formula).ok()
}

pub(crate) struct Parser<'t, 'd> {
    reading: Reading<'t, 'd>,
    /// The conditions of the formula at hand, in the order in which they are met.
    atoms: Vec<(Name, Name)>,
}

impl<'t, 'd> Parse<'t, 'd> for Parser<'t, 'd> {
    const STYLE: Style = Style {
        signs: &[
            "<->", "->", "&&", "||", "[]", "<>", "==", "!=", "..", "{", "}", "(", ")", "[", "]",
            ":", ";", ",", "?", ">", "|", "&", "!", "+", "-", "*", "/", "%", ".", "=",
        ],
        line_comments: true,
        dashes: false,
        quotes: &['"'],
    };
    /// What a word means depends on where it stands.
    const KEYWORDS: &'static [&'static str] = &[];
    const CODES: ParseCodes = ParseCodes {
        unknown_character: codes::UNKNOWN_CHARACTER,
        open_comment: codes::UNTERMINATED_COMMENT,
        unexpected: codes::UNEXPECTED_TOKEN,
        too_deep: codes::TOO_DEEP,
    };
    const DEEPEST: u32 = 200;

    fn reading(&self) -> &Reading<'t, 'd> {
        &self.reading
    }

    fn reading_mut(&mut self) -> &mut Reading<'t, 'd> {
        &mut self.reading
    }
}

impl<'t, 'd> Parser<'t, 'd> {
    fn new(file: &'t SourceFile, diagnostics: &'d mut Vec<Diagnostic>) -> Parser<'t, 'd> {
        Parser {
            reading: Parser::start(file, diagnostics),
            atoms: Vec::new(),
        }
    }

    fn item(&mut self, model: &mut Model) -> Parsed<()> {
        match self.word() {
            Some("machine") => model.machines.push(self.machine()?),
            Some("network") => model.networks.push(self.network()?),
            Some("invariant") => model.invariants.push(self.invariant()?),
            Some("ltl") => model.formulas.push(self.formula()?),
            _ => {
                return Err(self.unexpected(
                    "`machine`, `network`, `invariant`, `ltl`, `table`, `const`, `include` or `for`",
                ));
            }
        }
        Ok(())
    }

    /// One or more names with commas between them.
    fn names(&mut self, what: &str) -> Parsed<Vec<Name>> {
        self.separated(|parser| parser.name(what))
    }

    /// The length of a queue.
    fn length(&mut self) -> Parsed<u32> {
        let span = self.span();
        let Kind::Number(text) = self.peek() else {
            return Err(self.unexpected("a number"));
        };
        self.advance();
        let number = text.parse().unwrap_or(u32::MAX);
        if !(1..=255).contains(&number) {
            let message = "a queue holds from 1 to 255 messages";
            self.error(codes::BAD_NUMBER, span, message);
        }
        Ok(number.clamp(1, 255))
    }

    /// How long a timer runs.
    fn duration(&mut self) -> Parsed<u32> {
        let span = self.span();
        let Kind::Number(text) = self.peek() else {
            return Err(self.unexpected("a number"));
        };
        self.advance();
        let number = text.parse().ok().filter(|number| *number > 0);
        Ok(number.unwrap_or_else(|| {
            let message = format!("a duration is from 1 to {}", u32::MAX);
            self.error(codes::BAD_NUMBER, span, message);
            1
        }))
    }

    /// One part, or several joined by an operator.
    fn chain<T>(
        &mut self,
        operator: &[&str],
        part: impl Fn(&mut Self) -> Parsed<T>,
        join: impl Fn(Vec<T>) -> T,
    ) -> Parsed<T> {
        let first = part(self)?;
        let mut parts = vec![first];
        while operator.iter().any(|mark| self.eat(mark)) {
            parts.push(part(self)?);
        }
        Ok(match parts.len() {
            1 => parts.remove(0),
            _ => join(parts),
        })
    }
}
