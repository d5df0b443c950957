//! Data types in ASN.1, as models of OpenGEODE have them: numbers with a range, truth values, enumerations, sequences, alternatives, and
//! sequences and strings with a size. A type that is not supported is refused where it is used.

use std::collections::HashMap;

use mazurka_span::{Diagnostic, SourceFile, Span};

use crate::ast::{Expression, ExpressionKind, Name, Synonym, System, TypeDefinition, TypeKind};
use crate::codes;

/// Adds the types and constants of a file to a system.
pub(crate) fn read(file: &SourceFile, system: &mut System, diagnostics: &mut Vec<Diagnostic>) {
    let mut reader = Reader {
        tokens: tokens(file),
        at: 0,
        made: Vec::new(),
        refused: Vec::new(),
        synonyms: Vec::new(),
        choices: Vec::new(),
        constants: Vec::new(),
        defaults: Vec::new(),
        numbers: Vec::new(),
        named: Vec::new(),
        cut: Vec::new(),
        sizes: HashMap::new(),
        depth: 0,
    };
    reader.sizes = sizes(&reader.tokens);
    if let Err(span) = reader.modules() {
        let message = "this is not the ASN.1 that models use: `NAME DEFINITIONS ::= BEGIN … END` with types and constants";
        diagnostics.push(Diagnostic::error(codes::UNEXPECTED_TOKEN, span, message));
    }
    reader.name_numbers();
    system.synonyms.extend(reader.synonyms);
    system.choices.extend(reader.choices);
    system.constants.extend(reader.constants);
    system.defaults.extend(reader.defaults);
    system.numbers.extend(reader.numbers);
    system.cut.extend(reader.cut);
    system.refused.extend(reader.refused);
    system.types.extend(in_order(reader.made));
}

/// Types behind those that they are made of.
pub(crate) fn in_order(made: Vec<TypeDefinition>) -> Vec<TypeDefinition> {
    let names: HashMap<String, usize> = made
        .iter()
        .enumerate()
        .map(|(number, definition)| (definition.name.text.to_ascii_lowercase(), number))
        .collect();
    let parts = |definition: &TypeDefinition| -> Vec<usize> {
        let names_of = definition.kind.parts();
        let known = names_of.iter().map(|name| name.text.to_ascii_lowercase());
        known.filter_map(|name| names.get(&name).copied()).collect()
    };
    let mut placed = vec![false; made.len()];
    let mut order = Vec::new();
    while order.len() < made.len() {
        let before = order.len();
        for number in 0..made.len() {
            let mut of = parts(&made[number]).into_iter();
            if !placed[number] && of.all(|part| placed[part]) {
                placed[number] = true;
                order.push(number);
            }
        }
        if order.len() == before {
            // Some are parts of themselves; that is told later.
            order.extend((0..made.len()).filter(|number| !placed[*number]));
        }
    }
    order
        .into_iter()
        .map(|number| made[number].clone())
        .collect()
}

#[derive(Clone, PartialEq, Debug)]
enum Token {
    Word(String),
    Number(i64),
    /// `"text"`
    Text(String),
    /// `'0A1B'H`
    Octets(Vec<u8>),
    Sign(&'static str),
    End,
}

struct Reader {
    tokens: Vec<(Token, Span)>,
    at: usize,
    made: Vec<TypeDefinition>,
    refused: Vec<(Name, String)>,
    synonyms: Vec<Synonym>,
    /// Types that are one of several.
    choices: Vec<Name>,
    /// Constants of several values.
    constants: Vec<(Name, Name, Expression)>,
    defaults: Vec<(Name, Expression)>,
    numbers: Vec<(Name, Vec<i32>)>,
    /// `INTEGER { one(1) }`: names of numbers.
    named: Vec<(Name, i32)>,
    cut: Vec<Name>,
    /// Constants that are numbers, wherever they stand.
    sizes: HashMap<String, i64>,
    depth: u32,
}

type Read<T> = Result<T, Span>;

/// What a type is, or why it cannot be one here.
enum Found {
    Kind(TypeKind),
    Refused(String),
}

fn tokens(file: &SourceFile) -> Vec<(Token, Span)> {
    let text = file.text();
    let mut at = 0;
    let mut found = Vec::new();
    let signs = [
        "::=", "...", "..", "{", "}", "(", ")", ",", ";", ":", "[", "]", "-", "|", "\"", "'", ".",
    ];
    while let Some(first) = text[at..].chars().next() {
        let rest = &text[at..];
        let span =
            |length: usize| Span::new(file.base() + at as u32, file.base() + (at + length) as u32);
        if first.is_whitespace() {
            at += first.len_utf8();
        } else if let Some(comment) = rest.strip_prefix("--") {
            // To the end of the line, or to the next two dashes in it.
            let line = comment.find('\n').unwrap_or(comment.len());
            let end = comment[..line].find("--").map_or(line, |end| end + 2);
            at += 2 + end;
        } else if rest.starts_with("/*") {
            at += rest.find("*/").map_or(rest.len(), |end| end + 2);
        } else if first.is_ascii_alphabetic() {
            let is_part = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
            let mut length = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
            length = rest[..length].find("--").unwrap_or(length);
            let word = rest[..length].trim_end_matches('-');
            found.push((Token::Word(word.replace('-', "_")), span(word.len())));
            at += word.len();
        } else if first.is_ascii_digit() {
            let length = rest
                .find(|c: char| !c.is_ascii_digit())
                .unwrap_or(rest.len());
            let value = rest[..length].parse().unwrap_or(i64::MAX);
            found.push((Token::Number(value), span(length)));
            at += length;
        } else if let Some((token, length)) = quoted(rest) {
            found.push((token, span(length)));
            at += length;
        } else {
            match signs.iter().find(|sign| rest.starts_with(**sign)) {
                Some(sign) => {
                    found.push((Token::Sign(sign), span(sign.len())));
                    at += sign.len();
                }
                None => at += first.len_utf8(),
            }
        }
    }
    let end = file.base() + text.len() as u32;
    found.push((Token::End, Span::new(end, end)));
    found
}

/// `name TYPE ::= 5`: a size may be named before that.
fn sizes(tokens: &[(Token, Span)]) -> HashMap<String, i64> {
    let mut found = HashMap::new();
    for four in tokens.windows(4) {
        if let [
            (Token::Word(name), _),
            (Token::Word(_), _),
            (Token::Sign("::="), _),
            (Token::Number(value), _),
        ] = four
        {
            found.insert(name.to_ascii_lowercase(), *value);
        }
    }
    found
}

/// Text in quotes, or octets by their digits.
fn quoted(rest: &str) -> Option<(Token, usize)> {
    let quote = rest.chars().next().filter(|c| matches!(c, '"' | '\''))?;
    let inside = &rest[1..];
    let end = inside.find(quote)?;
    let text = &inside[..end];
    if quote == '"' {
        return Some((Token::Text(text.into()), end + 2));
    }
    if !inside[end + 1..].starts_with('H') {
        return None;
    }
    let mut digits: Vec<u32> = Vec::new();
    for c in text.chars().filter(|c| !c.is_whitespace()) {
        digits.push(c.to_digit(16)?);
    }
    let octets = digits.chunks(2);
    let octets = octets.map(|pair| (pair[0] * 16 + pair.get(1).unwrap_or(&0)) as u8);
    Some((Token::Octets(octets.collect()), end + 3))
}

impl Reader {
    fn peek(&self) -> &Token {
        &self.tokens[self.at].0
    }

    fn span(&self) -> Span {
        self.tokens[self.at].1
    }

    fn advance(&mut self) {
        self.at = (self.at + 1).min(self.tokens.len() - 1);
    }

    fn eat(&mut self, sign: &str) -> bool {
        let found = matches!(self.peek(), Token::Sign(known) if *known == sign);
        if found {
            self.advance();
        }
        found
    }

    fn expect(&mut self, sign: &str) -> Read<()> {
        match self.eat(sign) {
            true => Ok(()),
            false => Err(self.span()),
        }
    }

    fn eat_word(&mut self, word: &str) -> bool {
        let found = matches!(self.peek(), Token::Word(known) if known == word);
        if found {
            self.advance();
        }
        found
    }

    fn name(&mut self) -> Read<Name> {
        let span = self.span();
        match self.peek() {
            Token::Word(text) => {
                let text = text.as_str().into();
                self.advance();
                Ok(Name { text, span })
            }
            _ => Err(span),
        }
    }

    fn modules(&mut self) -> Read<()> {
        while *self.peek() != Token::End {
            self.name()?;
            // An object identifier, tags.
            while !self.eat_word("BEGIN") {
                if *self.peek() == Token::End {
                    return Err(self.span());
                }
                self.advance();
            }
            while !self.eat_word("END") {
                if self.eat_word("IMPORTS") || self.eat_word("EXPORTS") {
                    while !self.eat(";") {
                        if *self.peek() == Token::End {
                            return Err(self.span());
                        }
                        self.advance();
                    }
                    continue;
                }
                self.assignment()?;
            }
        }
        Ok(())
    }

    fn assignment(&mut self) -> Read<()> {
        let name = self.name()?;
        if self.eat("::=") {
            let found = self.type_of(&name)?;
            self.make(name, found);
            return Ok(());
        }
        // A constant: its type, then its value.
        let own = Name {
            text: format!("{}.type", name.text).as_str().into(),
            span: self.span(),
        };
        let found = self.type_of(&own)?;
        let type_name = match found {
            Found::Kind(TypeKind::Range { of, bounds: None }) => of,
            found => {
                self.make(own.clone(), found);
                own
            }
        };
        self.expect("::=")?;
        let span = self.span();
        let Some(value) = self.value()? else {
            self.refused
                .push((name, "a constant of another kind".into()));
            return Ok(());
        };
        let several = matches!(
            value,
            ExpressionKind::Aggregate(_)
                | ExpressionKind::Record(_)
                | ExpressionKind::Tagged(..)
                | ExpressionKind::Text(_)
                | ExpressionKind::Null
        );
        if several {
            let value = Expression { kind: value, span };
            self.constants.push((name, type_name, value));
            return Ok(());
        }
        let plain = matches!(&*type_name.text, "Integer" | "Boolean");
        let type_name = match plain {
            true => None,
            false => Some(type_name),
        };
        self.synonyms.push(Synonym {
            name,
            type_name,
            value: Some(Expression { kind: value, span }),
        });
        Ok(())
    }

    fn value(&mut self) -> Read<Option<ExpressionKind>> {
        if self.eat("{") {
            self.depth += 1;
            if self.depth > 50 {
                return Err(self.span());
            }
            let found = self.values();
            self.depth -= 1;
            return found;
        }
        let minus = self.eat("-");
        let kind = match self.peek().clone() {
            Token::Number(value) => {
                let value = if minus { -value } else { value };
                i32::try_from(value).ok().map(ExpressionKind::Number)
            }
            Token::Word(word) if self.after() == &Token::Sign(":") => {
                let name = self.name()?;
                debug_assert_eq!(&*name.text, word);
                self.advance();
                let span = self.span();
                let value = self.value()?;
                let value = value.map(|kind| Box::new(Expression { kind, span }));
                return Ok(value.map(|value| ExpressionKind::Tagged(name, value)));
            }
            Token::Text(text) => Some(ExpressionKind::Text(text)),
            Token::Octets(octets) => {
                let span = self.span();
                let number = |octet: &u8| Expression {
                    kind: ExpressionKind::Number(i32::from(*octet)),
                    span,
                };
                Some(ExpressionKind::Aggregate(
                    octets.iter().map(number).collect(),
                ))
            }
            Token::Word(word) => Some(match &*word {
                "NULL" => ExpressionKind::Null,
                "TRUE" => ExpressionKind::Truth(true),
                "FALSE" => ExpressionKind::Truth(false),
                _ => ExpressionKind::Name(Name {
                    text: word.as_str().into(),
                    span: self.span(),
                }),
            }),
            Token::Sign("\"" | "'") => {
                let quote = self.peek().clone();
                self.advance();
                while *self.peek() != quote && *self.peek() != Token::End {
                    self.advance();
                }
                None
            }
            _ => return Err(self.span()),
        };
        self.advance();
        Ok(kind)
    }

    fn after(&self) -> &Token {
        &self.tokens[(self.at + 1).min(self.tokens.len() - 1)].0
    }

    /// `1, 2 }` or `x 1, y 2 }`; nothing if some of it is not supported.
    fn values(&mut self) -> Read<Option<ExpressionKind>> {
        let (mut parts, mut fields, mut known) = (Vec::new(), Vec::new(), true);
        while !self.eat("}") {
            let named = matches!(self.peek(), Token::Word(_))
                && !matches!(self.after(), Token::Sign("," | "}" | ":"));
            let name = match named {
                true => Some(self.name()?),
                false => None,
            };
            let span = self.span();
            match (self.value()?, name) {
                (None, _) => known = false,
                (Some(kind), Some(name)) => fields.push((name, Expression { kind, span })),
                (Some(kind), None) => parts.push(Expression { kind, span }),
            }
            if !self.eat(",") {
                self.expect("}")?;
                break;
            }
        }
        Ok(match (known, parts.is_empty(), fields.is_empty()) {
            (false, ..) | (_, false, false) => None,
            (_, _, true) => Some(ExpressionKind::Aggregate(parts)),
            (_, true, false) => Some(ExpressionKind::Record(fields)),
        })
    }

    /// Names of numbers are constants, as far as nothing else has their name.
    fn name_numbers(&mut self) {
        let same = |a: &Name, b: &Name| a.text.eq_ignore_ascii_case(&b.text);
        for (name, value) in std::mem::take(&mut self.named) {
            let literal = self.made.iter().any(|made| match &made.kind {
                TypeKind::Literals(literals) => literals.iter().any(|one| same(one, &name)),
                _ => false,
            });
            if literal || self.synonyms.iter().any(|one| same(&one.name, &name)) {
                continue;
            }
            let kind = ExpressionKind::Number(value);
            let span = name.span;
            self.synonyms.push(Synonym {
                name,
                type_name: None,
                value: Some(Expression { kind, span }),
            });
        }
    }

    /// `one(1), two(2) }`
    fn numbered(&mut self) -> Read<()> {
        loop {
            let name = self.name()?;
            self.expect("(")?;
            if let Some(ExpressionKind::Number(value)) = self.value()? {
                self.named.push((name, value));
            }
            self.expect(")")?;
            if !self.eat(",") {
                break;
            }
        }
        self.expect("}")
    }

    /// Behind the sign that closes what is open.
    fn skip(&mut self, open: &str, close: &str) -> Read<()> {
        let mut depth = 1;
        while depth > 0 {
            if *self.peek() == Token::End {
                return Err(self.span());
            }
            if self.eat(open) {
                depth += 1;
            } else if self.eat(close) {
                depth -= 1;
            } else {
                self.advance();
            }
        }
        Ok(())
    }

    fn make(&mut self, name: Name, found: Found) {
        match found {
            Found::Kind(kind) => self.made.push(TypeDefinition { name, kind }),
            Found::Refused(reason) => self.refused.push((name, reason)),
        }
    }

    /// The type of a part gets a name of its own, unless it has one.
    fn part(&mut self, of: &Name, field: &str) -> Read<Name> {
        let name = Name {
            text: format!("{}.{field}", of.text).as_str().into(),
            span: self.span(),
        };
        let found = self.type_of(&name)?;
        if let Found::Kind(TypeKind::Range { of, bounds: None }) = found {
            return Ok(of);
        }
        self.make(name.clone(), found);
        Ok(name)
    }

    fn type_of(&mut self, name: &Name) -> Read<Found> {
        self.depth += 1;
        if self.depth > 50 {
            return Err(self.span());
        }
        let found = self.type_inside(name);
        self.depth -= 1;
        found
    }

    fn type_inside(&mut self, name: &Name) -> Read<Found> {
        let word = self.name()?;
        Ok(match &*word.text {
            "BOOLEAN" => alias("Boolean", word.span),
            "INTEGER" => {
                if self.eat("{") {
                    self.numbered()?;
                }
                self.range(name, "Integer", word.span)?
            }
            "ENUMERATED" => {
                self.expect("{")?;
                let mut literals = Vec::new();
                let mut numbers: Vec<Option<i32>> = Vec::new();
                let mut extended = false;
                loop {
                    if self.eat("...") {
                        extended = true;
                    } else {
                        literals.push(self.name()?);
                        let mut number = None;
                        if self.eat("(") {
                            if let Some(ExpressionKind::Number(value)) = self.value()? {
                                number = Some(value);
                            }
                            self.expect(")")?;
                        }
                        numbers.push(number);
                    }
                    if !self.eat(",") {
                        break;
                    }
                }
                self.expect("}")?;
                match extended {
                    true => Found::Refused("an enumeration that can be extended".into()),
                    false => {
                        self.number_literals(name, &numbers);
                        Found::Kind(TypeKind::Literals(literals))
                    }
                }
            }
            "SEQUENCE" | "SET" if self.eat("{") => self.fields(name)?,
            "SEQUENCE" | "SET" => {
                let size = self.size()?;
                if !self.eat_word("OF") {
                    return Err(self.span());
                }
                let element = self.part(name, "element")?;
                self.row(name, size, element)
            }
            "OCTET" => {
                if !self.eat_word("STRING") {
                    return Err(self.span());
                }
                let size = self.size()?;
                let element = self.bounded(name, "octet", 0, 255);
                self.row(name, size, element)
            }
            "IA5String" | "NumericString" | "PrintableString" | "VisibleString" => {
                let size = self.size()?;
                let element = Name {
                    text: "Character".into(),
                    span: word.span,
                };
                self.row(name, size, element)
            }
            "NULL" => Found::Kind(TypeKind::Structure(Vec::new())),
            "CHOICE" => {
                self.expect("{")?;
                self.alternatives(name)?
            }
            "REAL" | "BIT" | "UTF8String" | "OBJECT" => {
                let what = word.text.to_string();
                self.eat_word("STRING");
                if self.eat("{") {
                    self.skip("{", "}")?;
                }
                while self.eat("(") {
                    self.skip("(", ")")?;
                }
                Found::Refused(what)
            }
            other => {
                let other = other.to_string();
                self.range(name, &other, word.span)?
            }
        })
    }

    /// Literals without a number get the least that is free, from 0 on (X.680 clause 20).
    fn number_literals(&mut self, name: &Name, numbers: &[Option<i32>]) {
        let mut next = 0;
        let mut all = Vec::new();
        for number in numbers {
            let given = |value: i32| numbers.contains(&Some(value));
            let value = number.unwrap_or_else(|| {
                while given(next) {
                    next += 1;
                }
                next += 1;
                next - 1
            });
            all.push(value);
        }
        if all
            .iter()
            .enumerate()
            .any(|(at, value)| at as i32 != *value)
        {
            self.numbers.push((name.clone(), all));
        }
    }

    /// One of several: what says which comes first.
    fn alternatives(&mut self, name: &Name) -> Read<Found> {
        let found = self.fields(name)?;
        let Found::Kind(TypeKind::Structure(mut fields)) = found else {
            return Ok(found);
        };
        let which = Name {
            text: format!("{}_selection", name.text).as_str().into(),
            span: name.span,
        };
        let literals = fields.iter().map(|(field, _)| field.clone()).collect();
        self.made.push(TypeDefinition {
            name: which.clone(),
            kind: TypeKind::Literals(literals),
        });
        let present = Name {
            text: "present".into(),
            span: name.span,
        };
        fields.insert(0, (present, which));
        self.choices.push(name.clone());
        Ok(Found::Kind(TypeKind::Structure(fields)))
    }

    fn fields(&mut self, name: &Name) -> Read<Found> {
        let mut fields = Vec::new();
        let mut reason = None;
        while !self.eat("}") {
            if self.eat("...") {
                reason = Some("a sequence that can be extended");
            } else {
                let field = self.name()?;
                let mut type_name = self.part(name, &field.text)?;
                let span = self.span();
                if self.eat_word("OPTIONAL") {
                    // A field that nobody wrote says whether it is there.
                    let named = |text: &str| Name {
                        text: text.into(),
                        span,
                    };
                    let exists = named(&format!("{}.exist", field.text));
                    fields.push((exists, named("Boolean")));
                } else if self.eat_word("DEFAULT") {
                    let own = Name {
                        text: format!("{}.{}.default", name.text, field.text)
                            .as_str()
                            .into(),
                        span,
                    };
                    match self.value()? {
                        Some(
                            kind @ (ExpressionKind::Number(_)
                            | ExpressionKind::Truth(_)
                            | ExpressionKind::Name(_)),
                        ) => {
                            let of = std::mem::replace(&mut type_name, own.clone());
                            let kind = Expression { kind, span };
                            self.defaults.push((own.clone(), kind));
                            let kind = TypeKind::Range { of, bounds: None };
                            self.made.push(TypeDefinition { name: own, kind });
                        }
                        _ => reason = Some("a default of several values"),
                    }
                }
                fields.push((field, type_name));
            }
            if !self.eat(",") {
                self.expect("}")?;
                break;
            }
        }
        Ok(match reason {
            Some(reason) => Found::Refused(reason.into()),
            None => Found::Kind(TypeKind::Structure(fields)),
        })
    }

    /// `(0..7)` or nothing.
    fn range(&mut self, name: &Name, of: &str, span: Span) -> Read<Found> {
        if !self.eat("(") {
            return Ok(alias(of, span));
        }
        let start = self.span();
        let cut = self.cut.len();
        let low = self.bound(name)?;
        let high = match self.eat("..") {
            true => self.bound(name)?,
            false => low.clone(),
        };
        let is = |kind: &ExpressionKind, bound: i32| matches!(kind, ExpressionKind::Number(known) if *known == bound);
        let beyond = self.cut.len() > cut && (is(&low, i32::MAX) || is(&high, i32::MIN));
        self.cut.truncate(cut + usize::from(!beyond));
        if !self.eat(")") {
            self.skip("(", ")")?;
            return Ok(Found::Refused("a constraint other than one range".into()));
        }
        if beyond {
            return Ok(Found::Refused("no value of it fits into 32 bits".into()));
        }
        let at = |kind| Expression { kind, span: start };
        Ok(Found::Kind(TypeKind::Range {
            of: Name {
                text: of.into(),
                span,
            },
            bounds: Some((at(low), at(high))),
        }))
    }

    /// One end of a range; what is beyond 32 bits is cut.
    fn bound(&mut self, name: &Name) -> Read<ExpressionKind> {
        let minus = self.tokens[self.at].0 == Token::Sign("-");
        if self.eat_word("MIN") {
            return Ok(ExpressionKind::Number(i32::MIN));
        }
        if self.eat_word("MAX") {
            return Ok(ExpressionKind::Number(i32::MAX));
        }
        match self.value()? {
            Some(kind @ (ExpressionKind::Number(_) | ExpressionKind::Name(_))) => Ok(kind),
            None => {
                self.cut.push(name.clone());
                Ok(ExpressionKind::Number(match minus {
                    true => i32::MIN,
                    false => i32::MAX,
                }))
            }
            Some(_) => Err(self.span()),
        }
    }

    /// `(SIZE(3))`, `(SIZE(0..3))` or nothing.
    fn size(&mut self) -> Read<Option<(i64, i64)>> {
        let inside = self.eat("(");
        if !self.eat_word("SIZE") {
            return match inside {
                true => Err(self.span()),
                false => Ok(None),
            };
        }
        self.expect("(")?;
        let bound = |reader: &mut Self| -> Read<i64> {
            let value = match reader.peek() {
                Token::Number(value) => *value,
                Token::Word(word) => match reader.sizes.get(&word.to_ascii_lowercase()) {
                    Some(value) => *value,
                    None => return Err(reader.span()),
                },
                _ => return Err(reader.span()),
            };
            reader.advance();
            Ok(value)
        };
        let low = bound(self)?;
        let high = match self.eat("..") {
            true => bound(self)?,
            false => low,
        };
        self.expect(")")?;
        if inside {
            self.expect(")")?;
        }
        Ok(Some((low, high)))
    }

    fn bounded(&mut self, name: &Name, what: &str, low: i32, high: i32) -> Name {
        let own = Name {
            text: format!("{}.{what}", name.text).as_str().into(),
            span: name.span,
        };
        let at = |value| Expression {
            kind: ExpressionKind::Number(value),
            span: name.span,
        };
        self.made.push(TypeDefinition {
            name: own.clone(),
            kind: TypeKind::Range {
                of: Name {
                    text: "Integer".into(),
                    span: name.span,
                },
                bounds: Some((at(low), at(high))),
            },
        });
        own
    }

    /// Elements of one number, counted from 0.
    fn row(&mut self, name: &Name, size: Option<(i64, i64)>, element: Name) -> Found {
        match size {
            Some((low, high)) if low == high && (1..=1000).contains(&low) => {
                let index = self.bounded(name, "index", 0, low as i32 - 1);
                Found::Kind(TypeKind::Array { index, element })
            }
            Some((low, high)) if (0..=high).contains(&low) && (1..=1000).contains(&high) => {
                let length = self.bounded(name, "length", low as i32, high as i32);
                Found::Kind(TypeKind::Row {
                    first: 0,
                    length,
                    element,
                })
            }
            Some(_) => Found::Refused("a sequence or string of more than 1,000 elements".into()),
            None => Found::Refused("a sequence or string without a size".into()),
        }
    }
}

fn alias(of: &str, span: Span) -> Found {
    Found::Kind(TypeKind::Range {
        of: Name {
            text: of.into(),
            span,
        },
        bounds: None,
    })
}
