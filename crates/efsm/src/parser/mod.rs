//! Tokens to the syntax tree, by recursive descent.
//!
//! The parser never gives up: how it goes on after an error is in [`Parse`].

mod expression;
mod machine;
mod object;

use mazurka_span::{Diagnostic, SourceFile};
use mazurka_syntax::{Climb, Kind, Parse, ParseCodes, Parsed, Reading, Reported, Style};

use crate::ast::{Constant, Enumeration, Expression, Formula, Instance, Model, Variable};
use crate::codes;

/// Parses a file. There is always a tree.
pub(crate) fn parse(file: &SourceFile, diagnostics: &mut Vec<Diagnostic>) -> Model {
    let mut parser = Parser {
        reading: Parser::start(file, diagnostics),
        temporal: false,
    };
    let mut model = Model::default();
    parser.items(|parser| parser.item(&mut model));
    model
}

/// Parses a formula, or an expression, that is given besides a model.
pub(crate) fn parse_snippet(
    file: &SourceFile,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<Expression> {
    let mut parser = Parser {
        reading: Parser::start(file, diagnostics),
        temporal: true,
    };
    parser.whole(Parser::expression).ok()
}

struct Parser<'t, 'd> {
    reading: Reading<'t, 'd>,
    /// Is a formula being read?
    temporal: bool,
}

impl<'t, 'd> Parse<'t, 'd> for Parser<'t, 'd> {
    const STYLE: Style = Style {
        signs: &[
            "<->", "->", ":=", "==", "!=", "<=", ">=", "<<", ">>", "&&", "||", "..", "[]", "<>",
            "{", "}", "(", ")", "[", "]", ",", ";", ":", ".", "?", "!", "=", "<", ">", "+", "-",
            "*", "/", "%", "&", "|", "^", "~",
        ],
        line_comments: true,
        dashes: false,
        quotes: &[],
    };
    const KEYWORDS: &'static [&'static str] = &[
        "const", "enum", "var", "machine", "system", "ltl", "port", "waits", "state", "start",
        "final", "progress", "accept", "when", "if", "else", "while", "for", "assert", "true",
        "false", "len", "at",
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
}

impl Parser<'_, '_> {
    fn expression(&mut self) -> Parsed<Expression> {
        let expression = self.climb(0)?;
        match self.is_sign("=") {
            true => Err(self.no_operator("for equality, write `==`")),
            false => Ok(expression),
        }
    }

    /// Reports a `=` where it means nothing, and what does.
    fn no_operator(&mut self, hint: &str) -> Reported {
        let (code, span) = (codes::UNEXPECTED_TOKEN, self.span());
        let diagnostic = Diagnostic::error(code, span, "`=` is not an operator here");
        self.report(diagnostic.hint(hint))
    }

    fn item(&mut self, model: &mut Model) -> Parsed<()> {
        match self.peek() {
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
            Kind::Word("mutex" | "semaphore" | "counter" | "barrier") => {
                self.objects(&mut model.objects)?;
            }
            Kind::Word("shared") => self.shared(&mut model.objects)?,
            Kind::Word("object") => self.kind(model)?,
            Kind::Word("machine") => self.machine(model)?,
            Kind::Word("system") => self.system(model)?,
            Kind::Word("ltl") => model.formulas.push(self.formula()?),
            _ => {
                let known = "`const`, `enum`, `var`, an object, `machine`, `system` or `ltl`";
                return Err(self.unexpected(known));
            }
        }
        Ok(())
    }

    fn enumeration(&mut self) -> Parsed<Enumeration> {
        self.advance();
        let name = self.name("the name of an enumeration")?;
        self.expect("{")?;
        let values = self.separated(|parser| parser.name("a value"))?;
        self.expect("}")?;
        self.eat(";");
        Ok(Enumeration { name, values })
    }

    /// `var a, b: byte[2] = 1;`
    fn variables(&mut self, variables: &mut Vec<Variable>) -> Parsed<()> {
        self.advance();
        let names = self.separated(|parser| parser.name("the name of a variable"))?;
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

    fn system(&mut self, model: &mut Model) -> Parsed<()> {
        let start = self.advance().span;
        model.system = Some(start);
        self.block(|parser| {
            let instance = parser.instance()?;
            model.instances.push(instance);
            Ok(())
        })?;
        self.eat(";");
        Ok(())
    }

    /// `node[i < N]: Node(i);`
    fn instance(&mut self) -> Parsed<Instance> {
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

    fn formula(&mut self) -> Parsed<Formula> {
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
