//! Tokens to the syntax tree, by recursive descent.
//!
//! The parser never gives up: after an error it goes on at the next `;` or `}` that may end what it
//! was reading, so that one mistake does not hide another.

mod expression;
mod machine;

use mazurka_span::{Diagnostic, SourceFile, Span};

use crate::ast::{Constant, Enumeration, Expression, Formula, Instance, Model, Name, Variable};
use crate::codes;
use crate::lexer::{Kind, Token, tokenize};

/// Blocks and expressions nested deeper than this are refused, so recursion over the tree is safe.
const MOST_DEPTH: u32 = 100;

const KEYWORDS: &[&str] = &[
    "const", "enum", "var", "machine", "system", "ltl", "port", "waits", "state", "start", "final",
    "progress", "accept", "when", "if", "else", "while", "for", "assert", "true", "false", "len",
    "at",
];

/// Parses a file. There is always a tree.
pub(crate) fn parse(file: &SourceFile, diagnostics: &mut Vec<Diagnostic>) -> Model {
    let mut parser = Parser {
        tokens: tokenize(file),
        next: 0,
        depth: 0,
        temporal: false,
        diagnostics,
    };
    parser.model()
}

/// Parses a formula, or an expression, that is given besides a model.
pub(crate) fn parse_snippet(
    file: &SourceFile,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<Expression> {
    let mut parser = Parser {
        tokens: tokenize(file),
        next: 0,
        depth: 0,
        temporal: true,
        diagnostics,
    };
    let read = parser.expression();
    let read = read.and_then(|read| match parser.peek().kind {
        Kind::End => Ok(read),
        _ => parser.unexpected("an operator or the end"),
    });
    read.ok()
}

struct Parser<'t, 'd> {
    tokens: Vec<Token<'t>>,
    next: usize,
    depth: u32,
    /// Is a formula being read?
    temporal: bool,
    diagnostics: &'d mut Vec<Diagnostic>,
}

/// Something could not be read. It was reported.
struct Failed;

type Result<T> = std::result::Result<T, Failed>;

impl<'t> Parser<'t, '_> {
    fn peek(&self) -> Token<'t> {
        self.tokens[self.next]
    }

    fn peek_after(&self) -> Kind<'t> {
        let last = self.tokens.len() - 1;
        self.tokens[(self.next + 1).min(last)].kind
    }

    fn advance(&mut self) -> Token<'t> {
        let token = self.peek();
        if token.kind != Kind::End {
            self.next += 1;
        }
        token
    }

    /// The span of the token before.
    fn previous(&self) -> Span {
        self.tokens[self.next.saturating_sub(1)].span
    }

    fn since(&self, start: Span) -> Span {
        Span::new(start.start, self.previous().end.max(start.end))
    }

    fn is_sign(&self, sign: &str) -> bool {
        matches!(self.peek().kind, Kind::Sign(found) if found == sign)
    }

    fn is_word(&self, word: &str) -> bool {
        matches!(self.peek().kind, Kind::Word(found) if found == word)
    }

    fn eat(&mut self, sign: &str) -> bool {
        let found = self.is_sign(sign);
        if found {
            self.advance();
        }
        found
    }

    fn eat_word(&mut self, word: &str) -> bool {
        let found = self.is_word(word);
        if found {
            self.advance();
        }
        found
    }

    fn expect(&mut self, sign: &str) -> Result<()> {
        if self.eat(sign) {
            return Ok(());
        }
        self.unexpected(&format!("`{sign}`"))
    }

    fn unexpected<T>(&mut self, wanted: &str) -> Result<T> {
        let token = self.peek();
        let (code, message) = match token.kind {
            Kind::Unknown => (
                codes::UNKNOWN_CHARACTER,
                "a character that is not part of the notation".to_string(),
            ),
            Kind::OpenComment => (
                codes::UNTERMINATED_COMMENT,
                "a comment that is never closed".to_string(),
            ),
            Kind::End => (
                codes::UNEXPECTED_TOKEN,
                format!("expected {wanted}, but the file ends"),
            ),
            Kind::Word(text) | Kind::Number(text) => (
                codes::UNEXPECTED_TOKEN,
                format!("expected {wanted}, found `{text}`"),
            ),
            Kind::Sign(text) => (
                codes::UNEXPECTED_TOKEN,
                format!("expected {wanted}, found `{text}`"),
            ),
        };
        self.error(code, token.span, message);
        Err(Failed)
    }

    fn error(&mut self, code: mazurka_span::Code, span: Span, message: impl Into<String>) {
        self.diagnostics
            .push(Diagnostic::error(code, span, message));
    }

    /// A name, which is no keyword.
    fn name(&mut self, what: &str) -> Result<Name> {
        match self.peek().kind {
            Kind::Word(text) if !KEYWORDS.contains(&text) => {
                let token = self.advance();
                Ok(Name {
                    text: text.into(),
                    span: token.span,
                })
            }
            _ => self.unexpected(what),
        }
    }

    /// Goes on behind the next `;`, or before a `}` that closes what is being read.
    fn recover(&mut self) {
        let mut open = 0;
        loop {
            match self.peek().kind {
                Kind::End => return,
                Kind::Sign("{") => open += 1,
                Kind::Sign("}") if open == 0 => return,
                Kind::Sign("}") => {
                    open -= 1;
                    if open == 0 {
                        self.advance();
                        return;
                    }
                }
                Kind::Sign(";") if open == 0 => {
                    self.advance();
                    return;
                }
                _ => {}
            }
            self.advance();
        }
    }

    /// Reads a list in parentheses, if there is one.
    fn list<T>(&mut self, mut item: impl FnMut(&mut Self) -> Result<T>) -> Result<Vec<T>> {
        let mut items = Vec::new();
        if !self.eat("(") {
            return Ok(items);
        }
        if self.eat(")") {
            return Ok(items);
        }
        loop {
            items.push(item(self)?);
            if !self.eat(",") {
                break;
            }
        }
        self.expect(")")?;
        Ok(items)
    }

    fn model(&mut self) -> Model {
        let mut model = Model::default();
        while self.peek().kind != Kind::End {
            let before = self.next;
            if self.item(&mut model).is_err() {
                self.recover();
                // A `}` that closes nothing.
                if self.next == before || self.is_sign("}") {
                    self.advance();
                }
            }
        }
        model
    }

    fn item(&mut self, model: &mut Model) -> Result<()> {
        match self.peek().kind {
            Kind::Word("const") => {
                self.advance();
                let name = self.name("the name of a constant")?;
                self.expect("=")?;
                let value = self.expression()?;
                self.expect(";")?;
                model.constants.push(Constant { name, value });
            }
            Kind::Word("enum") => model.enumerations.push(self.enumeration()?),
            Kind::Word("var") => self.variables(&mut model.globals)?,
            Kind::Word("machine") => self.machine(model)?,
            Kind::Word("system") => self.system(model)?,
            Kind::Word("ltl") => model.formulas.push(self.formula()?),
            _ => {
                return self.unexpected("`const`, `enum`, `var`, `machine`, `system` or `ltl`");
            }
        }
        Ok(())
    }

    fn enumeration(&mut self) -> Result<Enumeration> {
        self.advance();
        let name = self.name("the name of an enumeration")?;
        self.expect("{")?;
        let mut values = vec![self.name("a value")?];
        while self.eat(",") {
            values.push(self.name("a value")?);
        }
        self.expect("}")?;
        self.eat(";");
        Ok(Enumeration { name, values })
    }

    /// `var a, b: byte[2] = 1;`
    fn variables(&mut self, variables: &mut Vec<Variable>) -> Result<()> {
        self.advance();
        let mut names = vec![self.name("the name of a variable")?];
        while self.eat(",") {
            names.push(self.name("the name of a variable")?);
        }
        self.expect(":")?;
        let type_name = self.name("a type")?;
        let mut length = None;
        if self.eat("[") {
            length = Some(self.expression()?);
            self.expect("]")?;
        }
        let initial = if self.eat("=") {
            Some(self.expression()?)
        } else {
            None
        };
        self.expect(";")?;
        variables.extend(names.into_iter().map(|name| Variable {
            name,
            type_name: type_name.clone(),
            length: length.clone(),
            initial: initial.clone(),
        }));
        Ok(())
    }

    fn system(&mut self, model: &mut Model) -> Result<()> {
        let start = self.advance().span;
        model.system = Some(start);
        self.expect("{")?;
        while !self.eat("}") {
            if self.peek().kind == Kind::End {
                return self.unexpected("`}`");
            }
            match self.instance() {
                Ok(instance) => model.instances.push(instance),
                Err(Failed) => self.recover(),
            }
        }
        self.eat(";");
        Ok(())
    }

    /// `node[i < N]: Node(i);`
    fn instance(&mut self) -> Result<Instance> {
        let name = self.name("the name of an instance")?;
        let mut count = None;
        if self.eat("[") {
            let variable = self.name("a variable that counts the instances")?;
            self.expect("<")?;
            count = Some((variable, self.expression()?));
            self.expect("]")?;
        }
        self.expect(":")?;
        let machine = self.name("the name of a machine")?;
        let arguments = self.list(Self::expression)?;
        self.expect(";")?;
        Ok(Instance {
            name,
            count,
            machine,
            arguments,
        })
    }

    fn formula(&mut self) -> Result<Formula> {
        self.advance();
        let name = self.name("the name of a formula")?;
        self.expect("{")?;
        self.temporal = true;
        let body = self.expression();
        self.temporal = false;
        let body = body?;
        self.expect("}")?;
        self.eat(";");
        Ok(Formula { name, body })
    }
}
