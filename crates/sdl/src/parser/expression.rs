//! Expressions, and formulas of temporal logic over them.

use mazurka_span::Span;
use mazurka_syntax::{Climb, Infix, Kind, Parse, Parsed};

use super::Parser;
use crate::ast::{
    Binary, BinaryOperator, Expression, ExpressionKind, Instance, Unary, UnaryOperator,
};
use crate::codes;

/// What is said of a number with a fraction.
pub(super) const FRACTION: &str = "numbers with a fraction are not supported (Real)";

impl<'t, 'd> Climb<'t, 'd, Expression> for Parser<'t, 'd> {
    type Operator = Binary;

    /// Z.100 clause 5.3.3.1: `=>` binds weakest, then `or`, `and`, comparisons, sums, products.
    fn infix(&self) -> Option<Infix<Binary>> {
        use BinaryOperator as Value;
        let word = self.keyword();
        let sign = match self.peek() {
            Kind::Sign(sign) => sign,
            Kind::Word(_) => &*word,
            _ => return None,
        };
        let (operator, strength) = match sign {
            "<->" if self.temporal => (Binary::Equivalent, 1),
            "->" if self.temporal => (Binary::Implies, 2),
            "u" | "until" if self.temporal => (Binary::Until, 3),
            "w" | "weakuntil" if self.temporal => (Binary::WeakUntil, 3),
            "v" | "r" | "release" if self.temporal => (Binary::Release, 3),
            "||" if self.temporal => (Binary::Value(Value::Or), 5),
            "&&" if self.temporal => (Binary::Value(Value::And), 6),
            "=>" => (Binary::Implies, 4),
            "or" if self.peek_after_is("else") => (Binary::OrElse, 5),
            "and" if self.peek_after_is("then") => (Binary::AndThen, 6),
            "in" if !self.temporal => (Binary::In, 7),
            "or" => (Binary::Value(Value::Or), 5),
            "xor" => (Binary::Value(Value::BitXor), 5),
            "and" => (Binary::Value(Value::And), 6),
            "=" => (Binary::Value(Value::Equal), 7),
            "/=" => (Binary::Value(Value::NotEqual), 7),
            "<" => (Binary::Value(Value::Less), 7),
            "<=" => (Binary::Value(Value::LessEqual), 7),
            ">" => (Binary::Value(Value::Greater), 7),
            ">=" => (Binary::Value(Value::GreaterEqual), 7),
            "//" => (Binary::Append, 8),
            "+" => (Binary::Value(Value::Add), 8),
            "-" => (Binary::Value(Value::Subtract), 8),
            "*" => (Binary::Value(Value::Multiply), 9),
            "/" => (Binary::Value(Value::Divide), 9),
            "rem" => (Binary::Value(Value::Remainder), 9),
            "mod" => (Binary::Modulo, 9),
            _ => return None,
        };
        let temporal = matches!(
            operator,
            Binary::Until | Binary::WeakUntil | Binary::Release
        );
        Some(Infix {
            operator,
            strength,
            groups_to_the_right: strength == 2 || temporal,
        })
    }

    fn operand(&mut self) -> Parsed<Expression> {
        // The second word of `or else` and `and then`.
        for (first, second) in [("or", "else"), ("and", "then")] {
            if matches!(self.previous(), Kind::Word(word) if word.eq_ignore_ascii_case(first)) {
                self.eat_word(second);
            }
        }
        let start = self.span();
        let word = self.keyword();
        let operator = match self.peek() {
            Kind::Sign("-") => Unary::Value(UnaryOperator::Minus),
            Kind::Sign("!") if self.temporal => Unary::Value(UnaryOperator::Not),
            Kind::Sign("[]") if self.temporal => Unary::Always,
            Kind::Sign("<>") if self.temporal => Unary::Eventually,
            Kind::Word(_) => match &*word {
                "not" => Unary::Value(UnaryOperator::Not),
                "always" | "g" if self.temporal => Unary::Always,
                "eventually" | "f" if self.temporal => Unary::Eventually,
                "next" | "x" if self.temporal && !self.is_reference() => Unary::Next,
                _ => return self.primary(),
            },
            _ => return self.primary(),
        };
        self.advance();
        // The least number of all has no positive counterpart.
        let is_least = matches!(self.peek(), Kind::Number("2147483648"));
        if is_least && operator == Unary::Value(UnaryOperator::Minus) {
            self.advance();
            return Ok(Expression {
                span: self.since(start),
                kind: ExpressionKind::Number(i32::MIN),
            });
        }
        let operand = self.deeper(Self::operand)?;
        Ok(Expression {
            span: Span::new(start.start, operand.span.end),
            kind: ExpressionKind::Unary(operator, Box::new(operand)),
        })
    }

    fn join(operator: Binary, left: Expression, right: Expression) -> Expression {
        Expression {
            span: Span::new(left.span.start, right.span.end),
            kind: ExpressionKind::Binary(operator, Box::new(left), Box::new(right)),
        }
    }
}

impl Parser<'_, '_> {
    pub(super) fn expression(&mut self) -> Parsed<Expression> {
        self.climb(0)
    }

    /// A time that does not matter: a timer that is set may expire at any moment.
    pub(super) fn time(&mut self) -> Parsed<Expression> {
        self.in_time = true;
        let time = self.expression();
        self.in_time = false;
        time
    }

    /// Is the word that comes next the name of a process rather than an operator?
    fn is_reference(&self) -> bool {
        matches!(self.peek_after(), Kind::Sign("."))
            || matches!(self.peek_after(), Kind::Word(w) if w.eq_ignore_ascii_case("at"))
    }

    fn primary(&mut self) -> Parsed<Expression> {
        let start = self.span();
        let word = self.keyword();
        let kind = match self.peek() {
            Kind::Number(text) => {
                self.advance();
                let fraction = self.is_sign(".") && matches!(self.peek_after(), Kind::Number(_));
                if fraction {
                    self.advance();
                    self.advance();
                    if !self.in_time {
                        let span = self.since(start);
                        self.error(codes::NOT_TAKEN, span, FRACTION);
                    }
                    return Ok(Expression {
                        kind: ExpressionKind::Wrong,
                        span: self.since(start),
                    });
                }
                match text.parse() {
                    Ok(value) => ExpressionKind::Number(value),
                    Err(_) => {
                        let message = "a number must be a whole one and fit into 32 bits";
                        self.error(codes::MALFORMED_NUMBER, start, message);
                        ExpressionKind::Wrong
                    }
                }
            }
            Kind::Sign("(") => {
                self.advance();
                let in_range = std::mem::take(&mut self.in_range);
                let inner = self.deeper(Self::expression)?;
                self.in_range = in_range;
                self.expect(")")?;
                inner.kind
            }
            Kind::Quoted(text) => {
                let end = self.advance().span.end;
                match self.peek() {
                    Kind::Word("H" | "h") if self.span().start == end => {
                        self.octets(text, start)?
                    }
                    Kind::Word("B" | "b") if self.span().start == end => {
                        let message = "strings of bits are not supported";
                        return Err(self.error(codes::NOT_TAKEN, start, message));
                    }
                    _ => ExpressionKind::Text(text.replace("''", "'")),
                }
            }
            Kind::Sign("{") => {
                self.advance();
                if self.eat("}") {
                    return Ok(Expression {
                        kind: ExpressionKind::Aggregate(Vec::new()),
                        span: self.since(start),
                    });
                }
                let operators = ["and", "or", "xor", "mod", "rem", "in"];
                let named = match (self.peek(), self.peek_after()) {
                    (Kind::Word(first), Kind::Word(next)) => {
                        let is = |text: &str, known: &str| text.eq_ignore_ascii_case(known);
                        !["not", "call", "if"].iter().any(|known| is(first, known))
                            && !operators.iter().any(|known| is(next, known))
                    }
                    (Kind::Word(_), next) => {
                        matches!(next, Kind::Number(_) | Kind::Quoted(_) | Kind::Sign("{"))
                    }
                    _ => false,
                };
                let kind = match named {
                    true => ExpressionKind::Record(self.deeper(|parser| {
                        parser.separated(|parser| {
                            let name = parser.name("a field")?;
                            Ok((name, parser.expression()?))
                        })
                    })?),
                    false => ExpressionKind::Aggregate(
                        self.deeper(|parser| parser.separated(Self::expression))?,
                    ),
                };
                self.expect("}")?;
                kind
            }
            Kind::Sign("(.") => {
                self.advance();
                let values = self.deeper(|parser| parser.separated(Self::expression))?;
                self.expect(".)")?;
                ExpressionKind::Aggregate(values)
            }
            Kind::Word(_) => match &*word {
                "true" | "false" | "null" | "self" | "sender" | "parent" | "offspring" => {
                    self.advance();
                    match &*word {
                        "parent" => ExpressionKind::Parent,
                        "offspring" => ExpressionKind::Offspring,
                        "null" => ExpressionKind::Null,
                        "self" => ExpressionKind::Own,
                        "sender" => ExpressionKind::Sender,
                        _ => ExpressionKind::Truth(word == "true"),
                    }
                }
                "active" => {
                    self.advance();
                    self.expect("(")?;
                    let timer = self.name("a timer")?;
                    let values = self.list(Self::expression)?;
                    self.expect(")")?;
                    ExpressionKind::Active(timer, values)
                }
                "if" => {
                    self.advance();
                    let condition = Box::new(self.deeper(Self::expression)?);
                    self.expect_word("then")?;
                    let yes = Box::new(self.deeper(Self::expression)?);
                    self.expect_word("else")?;
                    let no = Box::new(self.deeper(Self::expression)?);
                    self.expect_word("fi")?;
                    ExpressionKind::Conditional(condition, yes, no)
                }
                "len" if self.temporal && self.peek_after() == Kind::Sign("(") => {
                    self.advance();
                    self.advance();
                    let process = self.name("a process")?;
                    let process = self.instance(process)?;
                    self.expect(")")?;
                    ExpressionKind::Length(process)
                }
                "length" if self.temporal && self.peek_after() == Kind::Sign("(") => {
                    // Of a formula: how many elements a variable of a process has.
                    self.advance();
                    self.advance();
                    let process = self.name("a process")?;
                    let process = self.instance(process)?;
                    self.expect(".")?;
                    let from = self.span();
                    let variable = self.name("a variable")?;
                    let variable = self.selected(variable, from)?;
                    self.expect(")")?;
                    let length = Expression {
                        kind: ExpressionKind::Name(crate::ast::Name {
                            text: "length".into(),
                            span: start,
                        }),
                        span: start,
                    };
                    let asked = Expression {
                        kind: ExpressionKind::Applied(Box::new(length), vec![variable]),
                        span: self.since(start),
                    };
                    ExpressionKind::Member(process, Box::new(asked))
                }
                "any" if self.peek_after() == Kind::Sign("(") => {
                    self.advance();
                    self.advance();
                    let of = self.name("a type")?;
                    self.expect(")")?;
                    ExpressionKind::AnyOf(of)
                }
                "view" | "import" => {
                    self.advance();
                    self.expect("(")?;
                    let name = self.name("a variable")?;
                    let of = match self.eat(",") {
                        true => Some(Box::new(self.deeper(Self::expression)?)),
                        false => None,
                    };
                    self.expect(")")?;
                    match &*word {
                        "view" => ExpressionKind::View(name, of),
                        _ => ExpressionKind::Import(name, of),
                    }
                }
                "call" => {
                    self.advance();
                    let name = self.name("a procedure")?;
                    let values = self.list(Self::expression)?;
                    ExpressionKind::Call(name, values)
                }
                "input" | "output" | "state" => {
                    let message = format!("`{word}` as a value is not supported (observers)");
                    return Err(self.error(codes::NOT_TAKEN, start, message));
                }
                "unhandled" if self.peek_after_is("input") => {
                    let message = "`unhandled` is not supported (observers)";
                    return Err(self.error(codes::NOT_TAKEN, start, message));
                }
                "now" => {
                    let message = "`now` is taken only when a timer is set: time is abstract";
                    return Err(self.error(codes::NOT_TAKEN, start, message));
                }
                _ => self.reference()?,
            },
            _ => return Err(self.refuse("a value")),
        };
        Ok(Expression {
            kind,
            span: self.since(start),
        })
    }

    /// `'0A1B'H`: octets by their digits.
    fn octets(&mut self, digits: &str, start: Span) -> Parsed<ExpressionKind> {
        self.advance();
        let span = self.since(start);
        let digits: Option<Vec<u32>> = digits.chars().map(|digit| digit.to_digit(16)).collect();
        let Some(digits) = digits else {
            let message = "octets are written with the digits 0 to 9 and A to F";
            return Err(self.error(codes::MALFORMED_NUMBER, span, message));
        };
        let octets = digits.chunks(2).map(|pair| Expression {
            kind: ExpressionKind::Number((pair[0] * 16 + pair.get(1).unwrap_or(&0)) as i32),
            span,
        });
        Ok(ExpressionKind::Aggregate(octets.collect()))
    }

    /// A name; in a formula also what is said of a process.
    fn reference(&mut self) -> Parsed<ExpressionKind> {
        let name = self.name("a value")?;
        if !self.temporal && !self.in_range && self.is_sign(":") {
            self.advance();
            let value = self.deeper(Self::expression)?;
            return Ok(ExpressionKind::Tagged(name, Box::new(value)));
        }
        if !self.temporal {
            let start = name.span;
            return Ok(self.selected(name, start)?.kind);
        }
        let instance = self.instance(name)?;
        if self.eat_word("at") {
            // A state inside one is named by both.
            let mut state = self.name("a state")?;
            while self.eat(".") {
                let inner = self.name("a state")?;
                state = crate::ast::Name {
                    text: format!("{state}.{inner}").as_str().into(),
                    span: Span::new(state.span.start, inner.span.end),
                };
            }
            return Ok(ExpressionKind::At(instance, state));
        }
        if self.eat(".") {
            let start = self.span();
            let variable = self.name("a variable")?;
            let variable = self.selected(variable, start)?;
            return Ok(ExpressionKind::Member(instance, Box::new(variable)));
        }
        Ok(ExpressionKind::Name(instance.process))
    }

    /// A name, and what is selected of what it means: `a(i)!f`.
    pub(super) fn selected(&mut self, name: crate::ast::Name, start: Span) -> Parsed<Expression> {
        let mut found = Expression {
            span: name.span,
            kind: ExpressionKind::Name(name),
        };
        for _ in 0..Self::DEEPEST {
            let kind = if self.eat("!") || self.eat(".") {
                ExpressionKind::Field(Box::new(found), self.field()?)
            } else if self.is_sign("(") {
                let values = self.deeper(|parser| parser.list(Self::expression))?;
                ExpressionKind::Applied(Box::new(found), values)
            } else {
                return Ok(found);
            };
            found = Expression {
                kind,
                span: self.since(start),
            };
        }
        let span = self.span();
        Err(self.error(codes::TOO_DEEP, span, "the model is nested too deeply"))
    }

    /// `p` or `p(2)`.
    fn instance(&mut self, process: crate::ast::Name) -> Parsed<Instance> {
        let mut number = 1;
        if self.eat("(") {
            let Kind::Number(text) = self.peek() else {
                return Err(self.unexpected("the number of an instance, from 1"));
            };
            let Ok(found) = text.parse() else {
                return Err(self.unexpected("the number of an instance, from 1"));
            };
            number = found;
            self.advance();
            self.expect(")")?;
        }
        Ok(Instance { process, number })
    }
}
