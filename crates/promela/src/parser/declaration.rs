//! Declarations of variables, and of `mtype` constants.

use mazurka_span::{Diagnostic, Span};

use super::{Parsed, Parser};
use crate::annotation::{self, Annotation, Object};
use crate::ast::{
    ChannelInitializer, Declaration, Expr, ExprKind, Initializer, MtypeDeclaration, Name, TypeKind,
    TypeName, UnaryOperator, Variable, Visibility,
};
use crate::codes;
use crate::keyword::Keyword;
use crate::token::{Punctuation, Symbol, TokenKind};
use mazurka_span::nearest;

/// `mtype` starts both.
pub(super) enum Declared {
    Variables(Declaration),
    Mtype(MtypeDeclaration),
}

impl Parser<'_> {
    /// Whether a declaration starts here. Two names in a row are one: the first should be a type.
    pub(super) fn at_declaration(&self) -> bool {
        match self.peek().kind {
            TokenKind::Keyword(keyword) => keyword.starts_declaration(),
            TokenKind::Annotation(_) => true,
            TokenKind::Ident(symbol) => {
                self.types.contains(&symbol) || self.peek_symbol(1).is_some()
            }
            _ => false,
        }
    }

    pub(super) fn declaration(&mut self) -> Parsed<Declared> {
        let start = self.peek().span;
        let annotation = self.annotation();
        let visibility = match self.peek().kind {
            TokenKind::Keyword(Keyword::Hidden) => Some(Visibility::Hidden),
            TokenKind::Keyword(Keyword::Show) => Some(Visibility::Show),
            TokenKind::Keyword(Keyword::Local) => Some(Visibility::Local),
            _ => None,
        };
        if visibility.is_some() {
            self.bump();
        }
        let type_name = self.type_name()?;
        if let TypeKind::Mtype(set) = &type_name.kind
            && (self.at(Punctuation::Assign) || (set.is_none() && self.at(Punctuation::LeftBrace)))
        {
            if visibility.is_some() {
                let message = "`mtype` constants cannot be hidden, shown or local";
                self.report(Diagnostic::error(codes::UNEXPECTED_TOKEN, start, message));
            }
            if annotation.is_some() {
                self.report(no_channel(start));
            }
            return self
                .mtype_constants(set.clone(), start)
                .map(Declared::Mtype);
        }
        let mut variables = vec![self.variable()?];
        while self.at(Punctuation::Comma) {
            let next = self.peek_at(1).kind;
            let starts_type =
                matches!(next, TokenKind::Keyword(keyword) if keyword.starts_declaration());
            if self.in_parameters && starts_type {
                break;
            }
            if self.cursor.previous().is(Punctuation::RightBrace) {
                self.warn_not_in_spin(self.peek().span, "SPIN ends a declaration at `}`");
            }
            self.bump();
            variables.push(self.variable()?);
        }
        Ok(Declared::Variables(Declaration {
            annotation,
            visibility,
            type_name,
            variables,
            span: self.since(start),
        }))
    }

    /// A declaration where no constants can be declared.
    pub(super) fn variables(&mut self, place: &str) -> Parsed<Declaration> {
        if !self.at_declaration() {
            return Err(self.unexpected("a declaration"));
        }
        match self.declaration()? {
            Declared::Variables(declaration) => {
                if declaration.annotation.is_some() {
                    self.report(no_channel(declaration.span));
                }
                Ok(declaration)
            }
            Declared::Mtype(constants) => {
                let message = format!("`mtype` constants cannot be declared in {place}");
                let diagnostic =
                    Diagnostic::error(codes::NOT_AT_TOP_LEVEL, constants.span, message);
                Err(self.error(diagnostic.hint("move the declaration to the top level")))
            }
        }
    }

    /// What a comment says about the channels declared behind it.
    fn annotation(&mut self) -> Option<Annotation> {
        let TokenKind::Annotation(symbol) = self.peek().kind else {
            return None;
        };
        let span = self.bump().span;
        let text = self.interner.text(symbol).clone();
        match annotation::read(&text) {
            // To SPIN it is a comment as well, and what is done is the same.
            Ok(annotation) if annotation.object.is_some() => Some(annotation),
            Ok(annotation) => {
                let message = "to SPIN this is a comment and the channel an ordinary one, so verdicts may differ";
                self.report(Diagnostic::warning(codes::ANNOTATION, span, message));
                Some(annotation)
            }
            Err(message) => {
                let hint = "what a channel can be: lossy, duplicating, sorted; what a variable can be: mutex, semaphore, counter, barrier, object";
                let diagnostic = Diagnostic::error(codes::ANNOTATION, span, message);
                self.report(diagnostic.hint(hint));
                None
            }
        }
    }

    /// What is annotated must be channels that are made with the model, or variables of few values.
    pub(super) fn check_annotation(&mut self, declaration: &Declaration) {
        let said = declaration.annotation.and_then(|said| said.object);
        if let Some(object) = said {
            let is_small = match declaration.type_name.kind {
                TypeKind::Bit | TypeKind::Bool => true,
                TypeKind::Byte => object != Object::Mutex,
                _ => false,
            };
            if !is_small || declaration.visibility.is_some() {
                self.report(no_object(declaration.span));
            }
            return;
        }
        let is_channel =
            |variable: &Variable| matches!(variable.initializer, Some(Initializer::Channel(_)));
        let are_channels = matches!(declaration.type_name.kind, TypeKind::Chan)
            && declaration.variables.iter().all(is_channel);
        if declaration.annotation.is_some() && !are_channels {
            self.report(no_channel(declaration.span));
        }
    }

    fn mtype_constants(&mut self, set: Option<Name>, start: Span) -> Parsed<MtypeDeclaration> {
        self.eat(Punctuation::Assign);
        let names = self.braced(|parser| {
            let mut names = vec![parser.name("the name of a constant")?];
            // The commas are optional.
            while !parser.at(Punctuation::RightBrace) {
                if !parser.eat(Punctuation::Comma) {
                    names.push(parser.name("the name of a constant, or `}`")?);
                }
            }
            Ok(names)
        })?;
        Ok(MtypeDeclaration {
            set,
            names,
            span: self.since(start),
        })
    }

    pub(super) fn type_name(&mut self) -> Parsed<TypeName> {
        let start = self.peek().span;
        let kind = match self.peek().kind {
            TokenKind::Keyword(keyword) => match keyword {
                Keyword::Bit => TypeKind::Bit,
                Keyword::Bool => TypeKind::Bool,
                Keyword::Byte => TypeKind::Byte,
                Keyword::Pid => TypeKind::Pid,
                Keyword::Short => TypeKind::Short,
                Keyword::Int => TypeKind::Int,
                Keyword::Unsigned => TypeKind::Unsigned,
                Keyword::Chan => TypeKind::Chan,
                Keyword::Mtype => TypeKind::Mtype(None),
                _ => return Err(self.unexpected("a type")),
            },
            TokenKind::Ident(symbol) => {
                if !self.types.contains(&symbol) {
                    self.unknown_type(symbol);
                    // A function, as other languages have it: more is not to be said.
                    if self.peek_at(2).is(Punctuation::LeftParen) {
                        return Err(super::Reported);
                    }
                }
                let name = self.name("a type")?;
                return Ok(TypeName {
                    span: name.span,
                    kind: TypeKind::User(name),
                });
            }
            _ => return Err(self.unexpected("a type")),
        };
        self.bump();
        let kind = match kind {
            TypeKind::Mtype(_) if self.eat(Punctuation::Colon) => {
                TypeKind::Mtype(Some(self.name("the name of an `mtype` set")?))
            }
            other => other,
        };
        Ok(TypeName {
            kind,
            span: self.since(start),
        })
    }

    fn unknown_type(&mut self, symbol: Symbol) {
        let span = self.peek().span;
        let name = self.interner.text(symbol);
        let types: Vec<&str> = self
            .types
            .iter()
            .map(|known| &**self.interner.text(*known))
            .collect();
        let words = Keyword::ALL
            .iter()
            .map(|keyword| keyword.text())
            .chain(types);
        let mut diagnostic = Diagnostic::error(
            codes::UNKNOWN_TYPE,
            span,
            format!("there is no type `{name}`"),
        );
        if let Some(hint) = elsewhere(name) {
            diagnostic = diagnostic.hint(hint);
        } else if let Some(near) = nearest(name, words) {
            diagnostic = diagnostic.hint(format!("did you mean `{near}`?"));
        } else if self.defined.contains(&(Keyword::Typedef, symbol)) {
            diagnostic =
                diagnostic.hint("it is defined below; a type must be defined before it is used");
        }
        self.report(diagnostic);
    }

    fn variable(&mut self) -> Parsed<Variable> {
        let start = self.peek().span;
        let name = self.name("the name of a variable")?;
        let (mut width, mut array, mut initializer) = (None, None, None);
        if self.eat(Punctuation::Colon) {
            width = match self.number() {
                Some(number) => Some(number),
                None => return Err(self.unexpected("the number of bits")),
            };
        } else if self.eat(Punctuation::LeftBracket) {
            array = Some(self.expression()?);
            self.expect(Punctuation::RightBracket)?;
        }
        if self.eat(Punctuation::Assign) {
            initializer = Some(self.initializer()?);
        }
        Ok(Variable {
            name,
            width,
            array,
            initializer,
            span: self.since(start),
        })
    }

    fn initializer(&mut self) -> Parsed<Initializer> {
        let start = self.peek().span;
        if self.eat(Punctuation::LeftBracket) {
            let capacity = self.expression()?;
            self.expect(Punctuation::RightBracket)?;
            if !self.eat_keyword(Keyword::Of) {
                return Err(self.unexpected("`of` and the types of the message fields"));
            }
            let fields = self.braced(|parser| parser.comma_separated(Self::type_name))?;
            let span = self.since(start);
            return Ok(Initializer::Channel(ChannelInitializer {
                capacity,
                fields,
                span,
            }));
        }
        if self.at(Punctuation::LeftBrace) {
            let elements = self.braced(|parser| parser.comma_separated(Self::element))?;
            return Ok(Initializer::List {
                elements,
                span: self.since(start),
            });
        }
        Ok(Initializer::Expression(self.expression()?))
    }

    /// A list between braces. After an error in it, its end is found here, lest it be taken for the end of a body.
    fn braced<T>(&mut self, content: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        self.expect(Punctuation::LeftBrace)?;
        let result = content(self).and_then(|content| {
            self.expect(Punctuation::RightBrace)?;
            Ok(content)
        });
        if result.is_err() {
            while !self.at_separator() && !self.at_sequence_end() {
                self.bump();
            }
            self.eat(Punctuation::RightBrace);
        }
        result
    }

    fn comma_separated<T>(&mut self, item: impl Fn(&mut Self) -> Parsed<T>) -> Parsed<Vec<T>> {
        let mut items = vec![item(self)?];
        while self.eat(Punctuation::Comma) {
            items.push(item(self)?);
        }
        Ok(items)
    }

    /// A constant in a list of initial values.
    fn element(&mut self) -> Parsed<Expr> {
        let start = self.peek().span;
        if !self.eat(Punctuation::Minus) {
            return self.constant("a constant");
        }
        let operand = Box::new(self.constant("a number")?);
        let span = self.since(start);
        self.warn_not_in_spin(
            span,
            "SPIN takes no negative numbers in a list of initial values",
        );
        Ok(Expr {
            kind: ExprKind::Unary {
                operator: UnaryOperator::Minus,
                operand,
            },
            span,
        })
    }
}

/// A variable that cannot be what is said of it.
fn no_object(span: Span) -> Diagnostic {
    let message = "a mutex is a `bit` or a `bool`, and a semaphore, a counter, a barrier or an object also a `byte`; none is hidden, local or shown";
    Diagnostic::error(codes::ANNOTATION, span, message)
        .hint("write `/*@ semaphore */ byte s = 3;` at the top level")
}

/// An annotation that stands before something else.
fn no_channel(span: Span) -> Diagnostic {
    let message =
        "an annotation is about channels and variables declared outside of processes and types";
    Diagnostic::error(codes::ANNOTATION, span, message)
        .hint("write `/*@ lossy */ chan c = [2] of { byte };` at the top level")
}

/// What there is here for a type of another language.
fn elsewhere(name: &str) -> Option<&'static str> {
    Some(match name {
        "boolean" | "Bool" | "Boolean" | "_Bool" => "the type is called `bool`",
        "char" | "uint8_t" | "u8" => "write `byte`: numbers from 0 to 255",
        "integer" | "Integer" | "long" | "int32_t" | "i32" => "write `int`: numbers of 32 bits",
        "float" | "double" | "real" => "Promela has whole numbers only: write `int`",
        "string" | "String" => "Promela has no strings: name what can be said by `mtype = { … }`",
        "struct" => "a structure is `typedef NAME { … }`, and then `NAME` is its type",
        "enum" => "names for values are `mtype = { … }`",
        "void" | "function" | "def" | "fn" => {
            "a process is `proctype NAME() { … }`; what is only text for other processes is `inline NAME() { … }`"
        }
        "process" | "thread" => "a process is `proctype NAME() { … }`",
        "const" | "constexpr" => "a constant is `#define NAME …`",
        "channel" => "the type is called `chan`",
        _ => return None,
    })
}
