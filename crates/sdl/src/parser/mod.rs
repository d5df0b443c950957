//! Tokens to the syntax tree, by recursive descent.
//!
//! Words mean the same in capitals and in small letters. What SDL has and this front end does not take is refused by name.

mod behaviour;
mod expression;
mod recovery;
mod structure;
mod transition;

use mazurka_span::{Diagnostic, SourceFile};
use mazurka_syntax::{Kind, Parse, ParseCodes, Parsed, Reading, Reported, Style, tokenize};

use crate::ast::{
    Binary, BinaryOperator, Expression, ExpressionKind, Member, Name, Range, Signal, SignalList,
    Synonym, System, TypeDefinition, TypeKind, Unary, UnaryOperator,
};
use crate::{codes, files};
use expression::FRACTION;

/// Parses a file. There is always a tree.
pub(crate) fn parse(file: &SourceFile, diagnostics: &mut Vec<Diagnostic>) -> System {
    let mut parser = Parser {
        reading: reading(file, diagnostics),
        temporal: false,
        in_range: false,
        in_time: false,
    };
    let mut system = System::default();
    parser.file(&mut system);
    let named = files::asn1_files(file.text(), file.base());
    system.asn1_files.extend(named);
    system
}

/// Parses a formula, or an expression, that is given besides a model.
pub(crate) fn parse_snippet(
    file: &SourceFile,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<Expression> {
    let mut parser = Parser {
        reading: reading(file, diagnostics),
        temporal: true,
        in_range: false,
        in_time: false,
    };
    parser.whole(Parser::expression).ok()
}

/// At the beginning of a file. A name may begin with a digit (Z.100 clause 2.2.1): what has a letter in it is a word.
fn reading<'t, 'd>(file: &'t SourceFile, diagnostics: &'d mut Vec<Diagnostic>) -> Reading<'t, 'd> {
    let mut tokens = tokenize(file, &Parser::STYLE, &Parser::CODES, diagnostics);
    for token in &mut tokens {
        if let Kind::Number(text) = token.kind
            && text.contains(|c: char| c.is_ascii_alphabetic())
        {
            token.kind = Kind::Word(text);
        }
    }
    Parser::start_with(tokens, diagnostics)
}

struct Parser<'t, 'd> {
    reading: Reading<'t, 'd>,
    /// Is a formula being read?
    temporal: bool,
    /// Is what stands before a `:` the beginning of a range?
    in_range: bool,
    /// Is it a time that is being read, which does not matter?
    in_time: bool,
}

impl<'t, 'd> Parse<'t, 'd> for Parser<'t, 'd> {
    const STYLE: Style = Style {
        signs: &[
            "<->", "->", ":=", "=>", "/=", "<=", ">=", "<<", ">>", "(.", ".)", "//", "[]", "<>",
            "&&", "||", "(", ")", "[", "]", "{", "}", ",", ";", ":", ".", "!", "=", "<", ">", "+",
            "-", "*", "/", "^",
        ],
        line_comments: false,
        dashes: true,
        // OpenGEODE has both.
        quotes: &['\'', '"'],
    };
    /// The reserved words of Z.100 (1993), clause 2.2.1.
    const KEYWORDS: &'static [&'static str] = &[
        "active",
        "adding",
        "all",
        "alternative",
        "and",
        "any",
        "as",
        "atleast",
        "axioms",
        "block",
        "call",
        "channel",
        "comment",
        "connect",
        "connection",
        "constant",
        "constants",
        "create",
        "dcl",
        "decision",
        "default",
        "else",
        "endalternative",
        "endblock",
        "endchannel",
        "endconnection",
        "enddecision",
        "endgenerator",
        "endmacro",
        "endnewtype",
        "endoperator",
        "endpackage",
        "endprocedure",
        "endprocess",
        "endrefinement",
        "endselect",
        "endservice",
        "endstate",
        "endsubstructure",
        "endsyntype",
        "endsystem",
        "env",
        "error",
        "export",
        "exported",
        "external",
        "fi",
        "finalized",
        "for",
        "fpar",
        "from",
        "gate",
        "generator",
        "if",
        "import",
        "imported",
        "in",
        "inherits",
        "input",
        "interface",
        "join",
        "literal",
        "literals",
        "macro",
        "macrodefinition",
        "macroid",
        "map",
        "mod",
        "nameclass",
        "newtype",
        "nextstate",
        "nodelay",
        "noequality",
        "none",
        "not",
        "now",
        "offspring",
        "operator",
        "operators",
        "or",
        "ordering",
        "out",
        "output",
        "package",
        "parent",
        "priority",
        "procedure",
        "process",
        "provided",
        "redefined",
        "referenced",
        "refinement",
        "rem",
        "remote",
        "reset",
        "return",
        "returns",
        "revealed",
        "reverse",
        "save",
        "select",
        "self",
        "sender",
        "service",
        "set",
        "signal",
        "signallist",
        "signalroute",
        "signalset",
        "spelling",
        "start",
        "state",
        "stop",
        "struct",
        "substructure",
        "synonym",
        "syntype",
        "system",
        "task",
        "then",
        "this",
        "timer",
        "to",
        "type",
        "use",
        "via",
        "view",
        "viewed",
        "virtual",
        "with",
        "xor",
        "true",
        "false",
        "null",
    ];
    const CODES: ParseCodes = ParseCodes {
        unknown_character: codes::UNKNOWN_CHARACTER,
        open_comment: codes::UNTERMINATED_COMMENT,
        unexpected: codes::UNEXPECTED_TOKEN,
        too_deep: codes::TOO_DEEP,
    };
    const DEEPEST: u32 = 100;

    fn reading(&self) -> &Reading<'t, 'd> {
        &self.reading
    }

    fn reading_mut(&mut self) -> &mut Reading<'t, 'd> {
        &mut self.reading
    }

    fn is_word(&self, word: &str) -> bool {
        self.word()
            .is_some_and(|found| found.eq_ignore_ascii_case(word))
    }

    fn name(&mut self, what: &str) -> Parsed<Name> {
        if self.is_sign("<<") {
            let (span, message) = (self.span(), "`<<…>>` before a name is not supported");
            return Err(self.error(codes::NOT_TAKEN, span, message));
        }
        match self.peek() {
            Kind::Word(text) if !is_reserved(text) => Ok(Name {
                text: text.into(),
                span: self.advance().span,
            }),
            Kind::Word(text)
                if NOT_TAKEN
                    .iter()
                    .all(|(known, _)| !text.eq_ignore_ascii_case(known)) =>
            {
                let expected =
                    format!("{what} (`{text}` is a word of SDL, in capitals or small letters)");
                Err(self.unexpected(&expected))
            }
            _ => Err(self.refuse(what)),
        }
    }

    /// There are no blocks in braces: goes on behind the next `;`.
    fn recover(&mut self) {
        while !self.at_end() && !self.eat(";") {
            self.advance();
        }
    }
}

/// Reserved words of Z.100 that OpenGEODE does not know and that may well be names: its models have states called `error` and signals called `reset`. Where a name has
/// to be, they are names.
const NAMES_TOO: &[&str] = &[
    "error",
    "gate",
    "generator",
    "interface",
    "map",
    "operator",
    "operators",
    "package",
    "remote",
    "reset",
    "reverse",
    "select",
    "service",
    "set",
];

/// Can this word not be a name?
fn is_reserved(word: &str) -> bool {
    let word = &*word.to_ascii_lowercase();
    Parser::KEYWORDS.contains(&word) && !NAMES_TOO.contains(&word)
}

/// Words that begin what this front end does not take.
const NOT_TAKEN: &[(&str, &str)] = &[
    ("service", "services"),
    ("substructure", "substructures here"),
    ("remote", "remote procedures"),
    ("exported", "exported procedures"),
    ("imported", "imported procedures"),
    ("literal", "operators of new types without a description"),
    ("interface", "interfaces of packages"),
    ("adding", "operators of new types"),
    ("nameclass", "classes of names"),
    ("spelling", "classes of names"),
    ("error", "error expressions"),
    ("macro", "macros"),
    ("macrodefinition", "macros"),
    ("generator", "generators"),
    ("select", "optional definitions"),
    ("virtual", "types that are inherited"),
    ("redefined", "types that are inherited"),
    ("finalized", "types that are inherited"),
    ("inherits", "types that are inherited"),
    ("gate", "gates"),
    ("type", "block and process types"),
    ("refinement", "the refinement of signals"),
    ("axioms", "axioms"),
    ("monitor", "observers"),
    ("errorstates", "observers"),
    ("ignorestates", "observers"),
    ("successstates", "observers"),
    ("renames", "other names for the same"),
];

impl<'t> Parser<'t, '_> {
    /// Is that the word behind the next?
    fn peek_after_is(&self, word: &str) -> bool {
        matches!(self.peek_after(), Kind::Word(found) if found.eq_ignore_ascii_case(word))
    }

    /// The word that comes next, in small letters.
    fn keyword(&self) -> String {
        self.word().unwrap_or_default().to_ascii_lowercase()
    }

    /// Reports what comes next: as something that SDL has and this front end does not, or as unexpected.
    fn refuse(&mut self, expected: &str) -> Reported {
        let word = self.keyword();
        if self.is_sign(".") && matches!(self.previous(), Kind::Number(_)) {
            let message = "a number with a point is not supported (Real)";
            let span = self.span();
            return self.error(codes::NOT_TAKEN, span, message);
        }
        if self.is_sign("//") {
            let message = "`//` is not supported (strings)";
            let span = self.span();
            return self.error(codes::NOT_TAKEN, span, message);
        }
        match NOT_TAKEN.iter().find(|(known, _)| *known == word) {
            Some((_, what)) => {
                let (span, message) = (self.span(), format!("`{word}` is not supported ({what})"));
                self.error(codes::NOT_TAKEN, span, message)
            }
            None => self.unexpected(expected),
        }
    }

    /// `;` with a comment before it, if any; the comment is given back.
    fn end(&mut self) -> Parsed<Option<&'t str>> {
        let mut comment = None;
        if self.eat_word("comment") {
            let Kind::Quoted(text) = self.peek() else {
                return Err(self.unexpected("text between apostrophes"));
            };
            self.advance();
            comment = Some(text);
        }
        if !self.eat(";") {
            return Err(self.refuse("`;`"));
        }
        // OpenGEODE takes any number of them.
        while self.eat(";") {}
        Ok(comment)
    }

    /// `endX name;`, where the name may be left out.
    fn closing(&mut self, name: &Name) {
        self.advance();
        if let Kind::Word(_) = self.peek()
            && !self.is_word("comment")
        {
            let Ok(again) = self.name("the name again") else {
                self.recover();
                return;
            };
            self.is_closed(name, &again);
        }
        // Without the `;`, what comes next is still what comes next.
        let _ = self.end();
    }

    fn is_closed(&mut self, name: &Name, again: &Name) {
        if !again.text.eq_ignore_ascii_case(&name.text) {
            let message = format!("this ends `{name}`, not `{again}`");
            self.error(codes::WRONG_END, again.span, message);
        }
    }

    /// What may stand in a system, a block and a process alike.
    fn definition(&mut self, system: &mut System, expected: &str) -> Parsed<()> {
        match &*self.keyword() {
            "" if self.eat(";") => {}
            "use" => self.use_of(system)?,
            // Which signals a process takes is seen in its states.
            "signalset" => {
                self.advance();
                if !self.is_sign(";") {
                    self.members()?;
                }
                self.end()?;
            }
            "procedure" => {
                let procedure = self.procedure(system)?;
                system.procedures.push(procedure);
            }
            "signal" => {
                self.advance();
                let signals = self.separated(|parser| {
                    let name = parser.name("the name of a signal")?;
                    let parameters = parser.list(|parser| parser.name("a type"))?;
                    let parts = Vec::new();
                    Ok(Signal {
                        name,
                        parameters,
                        parts,
                    })
                })?;
                self.end()?;
                system.signals.extend(signals);
            }
            "signallist" => {
                self.advance();
                let name = self.name("the name of a list of signals")?;
                self.expect("=")?;
                let members = self.members()?;
                self.end()?;
                system.lists.push(SignalList { name, members });
            }
            "synonym" => {
                self.advance();
                let synonyms = self.separated(Self::synonym)?;
                self.end()?;
                // A time with a fraction is good for timers, and whoever computes with it is told.
                for synonym in synonyms {
                    let wrong = (synonym.value.as_ref())
                        .is_some_and(|value| matches!(value.kind, ExpressionKind::Wrong));
                    match wrong && is_time(&synonym) {
                        true => system.refused.push((synonym.name, FRACTION.to_string())),
                        false => system.synonyms.push(synonym),
                    }
                }
            }
            "newtype" => {
                self.advance();
                let name = self.name("the name of a type")?;
                let kind = self.new_type(system, &name)?;
                self.eat(";");
                self.initial(system, &name)?;
                self.operators(system)?;
                self.initial(system, &name)?;
                if !self.is_word("endnewtype") {
                    return Err(self.refuse("`endnewtype`"));
                }
                self.closing(&name);
                system.types.push(TypeDefinition { name, kind });
            }
            "exported" if self.peek_after_is("procedure") => {
                let told = self.refuse(expected);
                self.recover();
                while self.is_word("fpar") || self.is_word("returns") {
                    self.recover();
                }
                let end = ["endprocedure", "referenced"][usize::from(self.is_word("referenced"))];
                while !self.at_end() && !self.is_word(end) && !self.is_word("endprocess") {
                    self.advance();
                }
                if self.is_word(end) {
                    self.recover();
                }
                return Err(told);
            }
            "remote" | "imported" if self.peek_after_is("procedure") => {
                let told = self.refuse(expected);
                self.recover();
                while self.is_word("fpar") || self.is_word("returns") {
                    self.recover();
                }
                return Err(told);
            }
            "remote" => {
                self.advance();
                let remotes = self.variables_of_types("a remote variable")?;
                // The signals that ask and answer are never delayed here.
                self.eat_word("nodelay");
                self.end()?;
                system.remotes.extend(remotes);
            }
            "syntype" => {
                self.advance();
                let name = self.name("the name of a type")?;
                self.expect("=")?;
                let of = self.name("a type")?;
                let mut bounds = None;
                self.initial(system, &name)?;
                if self.eat_word("constants") {
                    bounds = Some(self.bounds(&name, &of)?);
                }
                self.eat(";");
                self.initial(system, &name)?;
                if !self.is_word("endsyntype") {
                    return Err(self.refuse("`constants` or `endsyntype`"));
                }
                self.closing(&name);
                let kind = TypeKind::Range { of, bounds };
                system.types.push(TypeDefinition { name, kind });
            }
            _ => return Err(self.refuse(expected)),
        }
        Ok(())
    }

    /// The least and the greatest value of a syntype: one range, several that are one together, or those below a number.
    fn bounds(&mut self, name: &Name, of: &Name) -> Parsed<(Expression, Expression)> {
        let number = |value, span| Expression {
            kind: ExpressionKind::Number(value),
            span,
        };
        let (start, first) = (self.span(), self.range()?);
        let mut all = vec![first];
        while self.eat(",") {
            all.push(self.range()?);
        }
        let span = self.since(start);
        if all.len() > 1 {
            let Some((low, high)) = together(&all) else {
                let message = "a syntype of several ranges is supported only if they are numbers and one range together";
                return Err(self.error(codes::NOT_TAKEN, span, message));
            };
            return Ok((number(low, span), number(high, span)));
        }
        let natural = of.text.eq_ignore_ascii_case("natural");
        match all.remove(0) {
            Range::Between(low, high) => Ok((low, high)),
            Range::Compared(BinaryOperator::Equal, only) => Ok((only.clone(), only)),
            Range::Compared(BinaryOperator::LessEqual, high) if natural => {
                Ok((number(0, high.span), high))
            }
            Range::Compared(BinaryOperator::Less, beyond) if natural => {
                let span = beyond.span;
                let (left, right) = (Box::new(beyond), Box::new(number(1, span)));
                let kind =
                    ExpressionKind::Binary(Binary::Value(BinaryOperator::Subtract), left, right);
                Ok((number(0, span), Expression { kind, span }))
            }
            Range::Compared(..) => {
                let message =
                    "a syntype by a comparison is supported only for `<` and `<=` of Natural";
                Err(self.error(codes::NOT_TAKEN, name.span, message))
            }
        }
    }

    /// `String(t, none) constants size(0:4)`: what is unbounded in Z.100 needs a bound here.
    fn string(&mut self, system: &mut System, name: &Name) -> Parsed<TypeKind> {
        let start = self.advance().span;
        self.expect("(")?;
        let element = self.name("the type of the elements")?;
        let empty = match self.eat(",") {
            true => Some(self.name("a name for the empty string")?),
            false => None,
        };
        self.expect(")")?;
        if !self.eat_word("constants") {
            let message = "the generator `String` is supported with a greatest length only: `constants size(0:4)`";
            return Err(self.error(codes::NOT_TAKEN, start, message));
        }
        if !self.eat_word("size") {
            return Err(self.unexpected("`size(0:4)`"));
        }
        self.expect("(")?;
        self.in_range = true;
        let low = self.expression();
        self.in_range = false;
        let low = low?;
        let high = match self.eat(":") {
            true => self.expression()?,
            false => low.clone(),
        };
        self.expect(")")?;
        let span = name.span;
        let named = |text: &str| Name {
            text: text.into(),
            span,
        };
        let length = named(&format!("{name}.length"));
        system.types.push(TypeDefinition {
            name: length.clone(),
            kind: TypeKind::Range {
                of: named("Integer"),
                bounds: Some((low, high)),
            },
        });
        if let Some(empty) = empty {
            let none = Expression {
                kind: ExpressionKind::Aggregate(Vec::new()),
                span: empty.span,
            };
            system.constants.push((empty, name.clone(), none));
        }
        Ok(TypeKind::Row {
            first: 1,
            length,
            element,
        })
    }

    /// `default 3;` of a type.
    fn initial(&mut self, system: &mut System, name: &Name) -> Parsed<()> {
        if self.eat_word("default") {
            let value = self.expression()?;
            self.eat(";");
            system.initials.push((name.clone(), value));
        }
        Ok(())
    }

    /// A name, which may be a number.
    fn literal(&mut self) -> Parsed<Name> {
        let Kind::Number(number) = self.peek() else {
            return self.name("a literal");
        };
        let text = number.to_string();
        let span = self.advance().span;
        Ok(Name {
            text: text.as_str().into(),
            span,
        })
    }

    fn new_type(&mut self, system: &mut System, name: &Name) -> Parsed<TypeKind> {
        if self.eat_word("literals") {
            let literals = self.separated(Self::literal)?;
            return Ok(TypeKind::Literals(literals));
        }
        if self.eat_word("struct") {
            let mut fields = Vec::new();
            while matches!(self.peek(), Kind::Word(_)) && !self.is_word("endnewtype") {
                if let "operators" | "operator" | "ordering" | "default" = &*self.keyword() {
                    break;
                }
                if Self::KEYWORDS.contains(&&*self.keyword()) {
                    return Err(self.refuse("a field"));
                }
                let names = self.separated(|parser| parser.name("a field"))?;
                let type_name = self.name("a type")?;
                fields.extend(names.into_iter().map(|name| (name, type_name.clone())));
                if !self.eat(";") {
                    break;
                }
            }
            return Ok(TypeKind::Structure(fields));
        }
        if self.is_word("array") {
            self.advance();
            self.expect("(")?;
            let index = self.name("the type of the index")?;
            self.expect(",")?;
            let element = self.name("the type of the elements")?;
            self.expect(")")?;
            return Ok(TypeKind::Array { index, element });
        }
        if self.is_word("string") {
            return self.string(system, name);
        }
        if self.is_word("endnewtype") {
            let message = "a new type of which nothing is said is not supported";
            return Err(self.error(codes::NOT_TAKEN, name.span, message));
        }
        if self.is_word("choice") {
            let message = "`choice` of SDL-2000 is not supported: take the type from ASN.1";
            let span = self.span();
            return Err(self.error(codes::NOT_TAKEN, span, message));
        }
        let is_generator = self.peek_after() == Kind::Sign("(");
        if is_generator && !Self::KEYWORDS.contains(&&*self.keyword()) {
            let message = format!("the generator `{}` is not supported", self.keyword());
            let span = self.span();
            return Err(self.error(codes::NOT_TAKEN, span, message));
        }
        Err(self.refuse("`literals`, `struct` or `array`"))
    }

    /// A field may be called `state` in OpenGEODE.
    fn field(&mut self) -> Parsed<Name> {
        match self.word() {
            Some(text) if text.eq_ignore_ascii_case("state") => Ok(Name {
                text: text.into(),
                span: self.advance().span,
            }),
            _ => self.name("a field"),
        }
    }

    /// `x, y Integer, z Boolean`
    fn variables_of_types(&mut self, what: &str) -> Parsed<Vec<(Name, Name)>> {
        let mut all = Vec::new();
        loop {
            let names = self.separated(|parser| parser.name(what))?;
            let type_name = self.name("a type")?;
            all.extend(names.into_iter().map(|name| (name, type_name.clone())));
            if !self.eat(",") {
                return Ok(all);
            }
        }
    }

    /// Operators of a type: their signatures, and what they do.
    fn operators(&mut self, system: &mut System) -> Parsed<()> {
        if self.is_word("ordering") {
            // Literals are ordered anyhow.
            self.advance();
            self.eat(";");
        }
        if self.eat_word("operators") {
            while matches!(self.peek(), Kind::Word(_)) {
                if self.eat_word("ordering") {
                    self.eat(";");
                    continue;
                }
                if Self::KEYWORDS.contains(&&*self.keyword()) {
                    break;
                }
                let name = self.name("an operator")?;
                self.expect(":")?;
                if !self.is_sign("->") {
                    self.separated(|parser| parser.name("a type"))?;
                }
                self.expect("->")?;
                self.name("a type")?;
                system.signatures.push(name);
                if !self.eat(";") {
                    break;
                }
            }
        }
        while self.is_word("operator") {
            let procedure = self.procedure(system)?;
            system.procedures.push(procedure);
        }
        Ok(())
    }

    fn synonym(&mut self) -> Parsed<Synonym> {
        let name = self.name("the name of a constant")?;
        let mut type_name = None;
        if !self.is_sign("=") {
            type_name = Some(self.name("a type or `=`")?);
        }
        self.expect("=")?;
        let mut synonym = Synonym {
            name,
            type_name,
            value: None,
        };
        if !self.eat_word("external") {
            synonym.value = Some(match is_time(&synonym) {
                true => self.time()?,
                false => self.expression()?,
            });
        }
        Ok(synonym)
    }

    /// Signals and, in brackets, lists of them.
    fn members(&mut self) -> Parsed<Vec<Member>> {
        self.separated(|parser| {
            let list = parser.eat("(");
            let name = match list {
                true => parser.name("the name of a list of signals")?,
                false => parser.name("a signal")?,
            };
            if list {
                parser.expect(")")?;
            }
            Ok(Member { name, list })
        })
    }

    /// `<<system s/block b>>` before a name that is defined elsewhere than it is referenced.
    fn qualifier(&mut self) {
        if self.eat("<<") {
            while !self.at_end() && !self.eat(">>") {
                self.advance();
            }
        }
    }
}

/// Is that a constant of a type of times?
fn is_time(synonym: &Synonym) -> bool {
    let is = |known: &str| {
        let name = synonym.type_name.as_ref();
        name.is_some_and(|name| name.text.eq_ignore_ascii_case(known))
    };
    is("duration") || is("time")
}

/// The least and the greatest of numbers and ranges of numbers that leave nothing out between them.
fn together(ranges: &[Range]) -> Option<(i32, i32)> {
    let bounds = ranges.iter().map(|range| match range {
        Range::Between(low, high) => value_of(low).zip(value_of(high)),
        Range::Compared(BinaryOperator::Equal, only) => value_of(only).zip(value_of(only)),
        Range::Compared(..) => None,
    });
    let mut bounds = bounds.collect::<Option<Vec<_>>>()?;
    bounds.sort_unstable();
    let mut bounds = bounds.into_iter();
    let (low, mut high) = bounds.next()?;
    for (next, last) in bounds {
        if i64::from(next) > i64::from(high) + 1 || last < next {
            return None;
        }
        high = high.max(last);
    }
    (low <= high).then_some((low, high))
}

/// A number, which may have a sign.
fn value_of(expression: &Expression) -> Option<i32> {
    match &expression.kind {
        ExpressionKind::Number(value) => Some(*value),
        ExpressionKind::Unary(Unary::Value(UnaryOperator::Minus), inner) => {
            value_of(inner)?.checked_neg()
        }
        _ => None,
    }
}
