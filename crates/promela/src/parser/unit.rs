//! The top level of a model.

use mazurka_span::{Diagnostic, Span};

use super::declaration::Declared;
use super::{Parsed, Parser};
use crate::ast::{Active, Declaration, Expr, Init, Model, Never, Proctype, Trace, Typedef, Unit};
use crate::codes;
use crate::keyword::Keyword;
use crate::token::{Punctuation, TokenKind};

impl Parser<'_> {
    pub(super) fn model(&mut self) -> Model {
        let mut units: Vec<Option<Unit>> = Vec::new();
        // As in SPIN, formulas are read after everything else, so that they know all names.
        let mut formulas = Vec::new();
        while !self.at_end() {
            if self.at_separator() || self.peek().kind == TokenKind::EmbeddedC {
                self.bump();
                continue;
            }
            let position = self.cursor.position();
            if self.at_keyword(Keyword::Ltl) {
                match self.skip_formula() {
                    Ok(()) => {
                        formulas.push((units.len(), position));
                        units.push(None);
                    }
                    Err(_) => self.recover_unit(position),
                }
                continue;
            }
            match self.unit() {
                Ok(unit) => units.push(Some(unit)),
                Err(_) => self.recover_unit(position),
            }
        }
        for (index, position) in formulas {
            if !self.given_up {
                self.cursor.go_to(position);
                units[index] = self.ltl().ok();
            }
        }
        Model {
            units: units.into_iter().flatten().collect(),
        }
    }

    fn skip_formula(&mut self) -> Parsed<()> {
        self.bump();
        if self.peek_symbol(0).is_some() {
            self.bump();
        }
        if !self.at(Punctuation::LeftBrace) {
            return Err(self.unexpected("a name or `{`"));
        }
        self.balanced_braces().map(|_| ())
    }

    fn ltl(&mut self) -> Parsed<Unit> {
        let start = self.bump().span;
        let name = match self.peek_symbol(0) {
            Some(_) => Some(self.name("the name of a formula")?),
            None => None,
        };
        Ok(Unit::Ltl(self.ltl_body(name, start)?))
    }

    fn unit(&mut self) -> Parsed<Unit> {
        let token = self.peek();
        let TokenKind::Keyword(keyword) = token.kind else {
            let declares = self.at_declaration() && !self.at_misspelt_unit();
            return if declares {
                self.global()
            } else {
                Err(self.no_unit())
            };
        };
        let start = token.span;
        match keyword {
            Keyword::Active | Keyword::Proctype | Keyword::DProctype => self.proctype(start),
            Keyword::Init => {
                self.bump();
                let priority = self.priority()?;
                let body = self.block()?;
                Ok(Unit::Init(Init {
                    priority,
                    body,
                    keyword: start,
                    span: self.since(start),
                }))
            }
            Keyword::Never => {
                self.bump();
                let name = match self.peek_symbol(0) {
                    Some(_) => Some(self.name("the name of a claim")?),
                    None => None,
                };
                let body = self.block()?;
                Ok(Unit::Never(Never {
                    name,
                    body,
                    span: self.since(start),
                }))
            }
            Keyword::Trace | Keyword::Notrace => {
                self.bump();
                let body = self.block()?;
                Ok(Unit::Trace(Trace {
                    negated: keyword == Keyword::Notrace,
                    body,
                    span: self.since(start),
                }))
            }
            Keyword::Typedef => self.typedef(start),
            Keyword::Inline => {
                self.bump();
                Ok(Unit::Inline(self.inline_definition(start)?))
            }
            _ if keyword.starts_declaration() => self.global(),
            _ => Err(self.no_unit()),
        }
    }

    fn global(&mut self) -> Parsed<Unit> {
        Ok(match self.declaration()? {
            Declared::Variables(declaration) => {
                self.check_annotation(&declaration);
                Unit::Declaration(declaration)
            }
            Declared::Mtype(constants) => Unit::Mtype(constants),
        })
    }

    /// Whether the next word is an unknown type that looks like `proctype` or the like.
    fn at_misspelt_unit(&self) -> bool {
        let unknown = self
            .peek_symbol(0)
            .filter(|symbol| !self.types.contains(symbol));
        unknown
            .and_then(|symbol| self.nearest_keyword(symbol))
            .and_then(Keyword::from_text)
            .is_some_and(Keyword::starts_unit)
    }

    fn no_unit(&mut self) -> super::Reported {
        let token = self.peek();
        if token.is(Punctuation::RightBrace) {
            let diagnostic = Diagnostic::error(codes::UNCLOSED, token.span, "`}` without `{`");
            return self.error(diagnostic);
        }
        let mut diagnostic = self.unexpected_diagnostic("a declaration or a proctype");
        let near = match token.kind {
            TokenKind::Ident(symbol) => self.nearest_keyword(symbol),
            _ => None,
        };
        let foreign = match token.kind {
            TokenKind::Ident(symbol) => foreign(self.interner.text(symbol)),
            _ => None,
        };
        if let Some(hint) = foreign {
            diagnostic = diagnostic.hint(hint);
        } else if let Some(near) = near {
            diagnostic = diagnostic.hint(format!("did you mean `{near}`?"));
        } else if matches!(token.kind, TokenKind::Keyword(_))
            || self.peek_at(1).is(Punctuation::Assign)
        {
            diagnostic = diagnostic.hint("statements stand in the body of a proctype or of `init`");
        }
        self.error(diagnostic)
    }

    fn proctype(&mut self, start: Span) -> Parsed<Unit> {
        let active = if self.eat_keyword(Keyword::Active) {
            let mut count = None;
            if self.eat(Punctuation::LeftBracket) {
                count = Some(self.expression()?);
                self.expect(Punctuation::RightBracket)?;
            }
            Some(Active {
                count,
                span: self.since(start),
            })
        } else {
            None
        };
        let deterministic = self.at_keyword(Keyword::DProctype);
        if !deterministic && !self.at_keyword(Keyword::Proctype) {
            return Err(self.unexpected("`proctype`"));
        }
        self.bump();
        self.proctypes.extend(self.peek_symbol(0));
        let name = self.name("the name of a proctype")?;
        self.expect(Punctuation::LeftParen)?;
        let parameters = self.parameters()?;
        let priority = self.priority()?;
        let provided = if self.eat_keyword(Keyword::Provided) {
            self.expect(Punctuation::LeftParen)?;
            let condition = self.full_expression()?;
            self.expect(Punctuation::RightParen)?;
            Some(condition)
        } else {
            None
        };
        let body = self.block()?;
        let span = self.since(start);
        Ok(Unit::Proctype(Proctype {
            name,
            deterministic,
            active,
            parameters,
            priority,
            provided,
            body,
            span,
        }))
    }

    fn priority(&mut self) -> Parsed<Option<Expr>> {
        if !self.eat_keyword(Keyword::Priority) {
            return Ok(None);
        }
        self.constant("a priority").map(Some)
    }

    /// Parameters up to the closing bracket; the opening one is taken.
    fn parameters(&mut self) -> Parsed<Vec<Declaration>> {
        let mut parameters = Vec::new();
        if self.eat(Punctuation::RightParen) {
            return Ok(parameters);
        }
        loop {
            let declaration = self.parameter()?;
            for variable in &declaration.variables {
                if variable.initializer.is_some() {
                    let message = "a parameter cannot have an initial value";
                    self.report(Diagnostic::error(
                        codes::UNEXPECTED_TOKEN,
                        variable.span,
                        message,
                    ));
                }
            }
            parameters.push(declaration);
            if self.eat(Punctuation::RightParen) {
                return Ok(parameters);
            }
            if !self.eat(Punctuation::Semicolon) {
                if !self.eat(Punctuation::Comma) {
                    return Err(self.unexpected("`;` or `)`"));
                }
                self.warn_not_in_spin(
                    self.cursor.previous().span,
                    "SPIN wants `;` between parameters of different declarations",
                );
            }
            if self.at(Punctuation::RightParen) {
                self.warn_not_in_spin(
                    self.cursor.previous().span,
                    "SPIN wants no `;` after the last parameter",
                );
                self.bump();
                return Ok(parameters);
            }
        }
    }

    /// One declaration of a parameter list. `byte a, byte b` is two, though the comma is not SPIN's.
    fn parameter(&mut self) -> Parsed<Declaration> {
        self.in_parameters = true;
        let declaration = self.variables("a parameter list");
        self.in_parameters = false;
        declaration
    }

    fn typedef(&mut self, start: Span) -> Parsed<Unit> {
        self.bump();
        let symbol = self.peek_symbol(0);
        let name = self.name("the name of a type")?;
        self.expect(Punctuation::LeftBrace)?;
        let mut fields = Vec::new();
        loop {
            while self.at_separator() {
                self.bump();
            }
            if self.eat(Punctuation::RightBrace) {
                break;
            }
            fields.push(self.variables("a typedef")?);
            if !self.at_separator() && !self.at(Punctuation::RightBrace) {
                return Err(self.unexpected("`;` or `}`"));
            }
        }
        let span = self.since(start);
        if fields.is_empty() {
            let diagnostic = Diagnostic::error(
                codes::EMPTY_SEQUENCE,
                span,
                format!("type `{name}` has no fields"),
            );
            self.report(diagnostic);
        }
        self.types.extend(symbol);
        Ok(Unit::Typedef(Typedef { name, fields, span }))
    }
}

/// What is written in place of what other languages begin with this word.
fn foreign(word: &str) -> Option<&'static str> {
    Some(match word {
        "const" => "a constant is `#define NAME VALUE`",
        "enum" => "names for values are `mtype = { … }`",
        "struct" => "a structure is `typedef NAME { … }`",
        _ => return None,
    })
}
