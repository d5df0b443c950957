//! Single statements.

use mazurka_span::{Diagnostic, Span};

use super::sequence::OpeningKind;
use super::{Parsed, Parser, Reported, STATEMENT};
use crate::ast::{
    Exclusive, Expr, ExprKind, ForRange, Number, NumberSpelling, SelectForm, Statement,
    StatementKind, StringLiteral, VariableRef,
};
use crate::codes;
use crate::keyword::Keyword;
use crate::token::{Punctuation, Symbol, TokenKind};

impl Parser<'_> {
    /// One element of a sequence: a declaration, or a statement with its `unless`.
    pub(super) fn step(&mut self) -> Parsed<Statement> {
        self.enter_by(STATEMENT)?;
        let step = self.step_inner();
        self.leave_by(STATEMENT);
        step
    }

    fn step_inner(&mut self) -> Parsed<Statement> {
        let start = self.peek().span;
        let kind = match self.peek().kind {
            TokenKind::Keyword(keyword @ (Keyword::Xr | Keyword::Xs)) => self.exclusive(keyword)?,
            _ if self.at_declaration() => StatementKind::Declaration(self.variables("a body")?),
            _ => return self.statement_unless(),
        };
        Ok(Statement {
            labels: Vec::new(),
            kind,
            span: self.since(start),
        })
    }

    fn exclusive(&mut self, keyword: Keyword) -> Parsed<StatementKind> {
        self.bump();
        let access = if keyword == Keyword::Xr {
            Exclusive::Receive
        } else {
            Exclusive::Send
        };
        let mut channels = vec![self.variable_ref()?];
        while self.eat(Punctuation::Comma) {
            channels.push(self.variable_ref()?);
        }
        Ok(StatementKind::Exclusive { access, channels })
    }

    fn statement_unless(&mut self) -> Parsed<Statement> {
        let main = self.labelled()?;
        if !self.eat_keyword(Keyword::Unless) {
            return Ok(main);
        }
        let escape = self.labelled()?;
        let span = self.map.join(main.span, escape.span);
        let (main, escape) = (Box::new(main), Box::new(escape));
        Ok(Statement {
            labels: Vec::new(),
            kind: StatementKind::Unless { main, escape },
            span,
        })
    }

    /// A statement with any number of labels before it.
    fn labelled(&mut self) -> Parsed<Statement> {
        let mut labels = Vec::new();
        while self.peek_symbol(0).is_some()
            && self.peek_at(1).is(Punctuation::Colon)
            && !self.at_remote_reference()
        {
            labels.push(self.name("a label")?);
            self.bump();
        }
        if let Some(label) = labels.last() {
            if self.at_separator() || self.at_sequence_end() {
                let span = label.span;
                let skip = ExprKind::Number(Number {
                    value: 1,
                    spelling: NumberSpelling::Skip,
                });
                let kind = StatementKind::Expression(Expr { kind: skip, span });
                return Ok(Statement { labels, kind, span });
            }
            if self.at_declaration() || self.at_keyword(Keyword::Xr) || self.at_keyword(Keyword::Xs)
            {
                let message = format!("label `{label}` stands before a declaration");
                let diagnostic =
                    Diagnostic::error(codes::LABELLED_DECLARATION, label.span, message);
                self.report(
                    diagnostic
                        .hint("a label belongs to a statement; put it behind the declaration"),
                );
                return self.step_inner();
            }
        }
        let start = self.peek().span;
        let kind = self.statement()?;
        Ok(Statement {
            labels,
            kind,
            span: self.since(start),
        })
    }

    fn statement(&mut self) -> Parsed<StatementKind> {
        let token = self.peek();
        match token.kind {
            TokenKind::Keyword(keyword) => self.keyword_statement(keyword, token.span),
            TokenKind::Punctuation(Punctuation::LeftBrace) => {
                Ok(StatementKind::Block(self.block()?))
            }
            TokenKind::EmbeddedC => {
                self.bump();
                Ok(StatementKind::Error)
            }
            TokenKind::Ident(symbol) if self.inlines.contains_key(&symbol) => {
                self.inline_call(symbol, None)
            }
            TokenKind::Ident(_) if !self.at_remote_reference() => self.variable_statement(),
            _ => Ok(StatementKind::Expression(self.full_expression()?)),
        }
    }

    fn keyword_statement(&mut self, keyword: Keyword, span: Span) -> Parsed<StatementKind> {
        match keyword {
            Keyword::If | Keyword::Do | Keyword::Atomic | Keyword::DStep => {
                self.compound(keyword, span)
            }
            Keyword::For => self.for_loop(),
            _ => self.simple(keyword),
        }
    }

    /// Apart from the other statements, because this is where the parser recurses and every byte on the stack counts.
    fn compound(&mut self, keyword: Keyword, span: Span) -> Parsed<StatementKind> {
        self.bump();
        Ok(match keyword {
            Keyword::If => StatementKind::If(self.options(OpeningKind::If, span)),
            Keyword::Do => StatementKind::Do(self.options(OpeningKind::Do, span)),
            Keyword::Atomic => StatementKind::Atomic(self.block()?),
            _ => StatementKind::DStep(self.block()?),
        })
    }

    fn simple(&mut self, keyword: Keyword) -> Parsed<StatementKind> {
        match keyword {
            Keyword::Select => self.select(),
            Keyword::Break => {
                self.bump();
                Ok(StatementKind::Break)
            }
            Keyword::Else => {
                self.bump();
                Ok(StatementKind::Else)
            }
            Keyword::Goto => {
                self.bump();
                Ok(StatementKind::Goto(self.name("the name of a label")?))
            }
            Keyword::Assert => {
                self.bump();
                Ok(StatementKind::Assert(self.full_expression()?))
            }
            Keyword::Printf => self.printf(),
            Keyword::Printm => {
                self.bump();
                self.expect(Punctuation::LeftParen)?;
                let value = self.constant("a variable or a constant")?;
                self.expect(Punctuation::RightParen)?;
                Ok(StatementKind::Printm(value))
            }
            Keyword::SetPriority => {
                self.bump();
                self.expect(Punctuation::LeftParen)?;
                let process = self.expression()?;
                self.expect(Punctuation::Comma)?;
                let priority = self.expression()?;
                self.expect(Punctuation::RightParen)?;
                Ok(StatementKind::SetPriority { process, priority })
            }
            Keyword::Return => self.return_value(),
            Keyword::Unless => {
                let diagnostic = self.unexpected_diagnostic("a statement");
                let hint = "`unless` follows its statement on the same line, or a `}`";
                Err(self.error(diagnostic.hint(hint)))
            }
            _ => Ok(StatementKind::Expression(self.full_expression()?)),
        }
    }

    /// A statement that starts with a variable.
    fn variable_statement(&mut self) -> Parsed<StatementKind> {
        let variable = self.variable_ref()?;
        let next = self.peek();
        let TokenKind::Punctuation(punctuation) = next.kind else {
            return self.condition(variable);
        };
        match punctuation {
            Punctuation::Assign => {
                self.bump();
                if let Some(symbol) = self
                    .peek_symbol(0)
                    .filter(|symbol| self.inlines.contains_key(symbol))
                {
                    return self.inline_call(symbol, Some(variable));
                }
                Ok(StatementKind::Assign {
                    target: variable,
                    value: self.full_expression()?,
                })
            }
            Punctuation::Increment => {
                self.bump();
                Ok(StatementKind::Increment(variable))
            }
            Punctuation::Decrement => {
                self.bump();
                Ok(StatementKind::Decrement(variable))
            }
            Punctuation::Bang | Punctuation::DoubleBang => {
                self.bump();
                self.send(variable, punctuation == Punctuation::DoubleBang)
            }
            Punctuation::Question | Punctuation::DoubleQuestion
                if !self.peek_at(1).is(Punctuation::LeftBracket) =>
            {
                self.bump();
                self.receive(variable, punctuation == Punctuation::DoubleQuestion)
            }
            _ if self.peek_at(1).is(Punctuation::Assign) && is_arithmetic(punctuation) => {
                Err(self.assignment_operator(&variable))
            }
            _ => self.condition(variable),
        }
    }

    /// `x += 1`, as other languages have it.
    fn assignment_operator(&mut self, variable: &VariableRef) -> Reported {
        let operator = self.bump().span;
        let assign = self.bump().span;
        let span = self.map.join(operator, assign);
        let (operator, name) = (self.map.text(operator), self.map.text(variable.span));
        let message = format!("Promela has no operator `{operator}=`");
        let hint = format!("write `{name} = {name} {operator} …`");
        let diagnostic = Diagnostic::error(codes::UNEXPECTED_TOKEN, span, message);
        self.error(diagnostic.hint(hint))
    }

    /// An expression as a statement, of which the first variable has been read.
    fn condition(&mut self, variable: VariableRef) -> Parsed<StatementKind> {
        let first = self.after_variable(variable)?;
        Ok(StatementKind::Expression(self.binary_rest(first, 0)?.expr))
    }

    fn printf(&mut self) -> Parsed<StatementKind> {
        self.bump();
        self.expect(Punctuation::LeftParen)?;
        let token = self.peek();
        let TokenKind::String(symbol) = token.kind else {
            return Err(self.unexpected("a string"));
        };
        self.bump();
        let format = StringLiteral {
            text: self.interner.text(symbol).clone(),
            span: token.span,
        };
        let mut arguments = Vec::new();
        while self.eat(Punctuation::Comma) {
            arguments.push(self.expression()?);
        }
        self.expect(Punctuation::RightParen)?;
        Ok(StatementKind::Printf { format, arguments })
    }

    fn for_loop(&mut self) -> Parsed<StatementKind> {
        self.bump();
        let head = self.for_head().map(Box::new);
        if head.is_err() {
            self.skip_for_head();
        }
        // The brace may stand on a line of its own.
        if self.at_separator() && self.peek_at(1).is(Punctuation::LeftBrace) {
            self.bump();
        }
        let body = self.block()?;
        let (variable, range) = *head?;
        Ok(StatementKind::For {
            variable,
            range,
            body,
        })
    }

    fn for_head(&mut self) -> Parsed<(VariableRef, ForRange)> {
        self.expect(Punctuation::LeftParen)?;
        let variable = self.variable_ref()?;
        let is_in = self
            .peek_symbol(0)
            .is_some_and(|symbol| &**self.interner.text(symbol) == "in");
        let range = if is_in {
            self.bump();
            ForRange::In(self.variable_ref()?)
        } else if self.eat(Punctuation::Colon) {
            let (from, to) = self.interval()?;
            ForRange::Interval { from, to }
        } else {
            let diagnostic = self.unexpected_diagnostic("`:` or `in`");
            let hint = "a loop is `for (i : 1 .. 9) { … }` or `for (i in a) { … }`";
            return Err(self.error(diagnostic.hint(hint)));
        };
        self.expect(Punctuation::RightParen)?;
        Ok((variable, range))
    }

    /// After an error between the brackets of a `for`: goes to its body, if there is one.
    fn skip_for_head(&mut self) {
        let is_over = |parser: &Self| parser.at(Punctuation::LeftBrace) || parser.at_sequence_end();
        while !is_over(self) {
            self.bump();
        }
    }

    /// `a .. b`
    fn interval(&mut self) -> Parsed<(Expr, Expr)> {
        let from = self.expression()?;
        self.expect(Punctuation::DotDot)?;
        let to = self.expression()?;
        Ok((from, to))
    }

    fn select(&mut self) -> Parsed<StatementKind> {
        self.bump();
        self.expect(Punctuation::LeftParen)?;
        let variable = self.variable_ref()?;
        self.expect(Punctuation::Colon)?;
        let (from, to) = self.interval()?;
        self.expect(Punctuation::RightParen)?;
        let form = self.select_form(&variable, &from, &to);
        Ok(StatementKind::Select {
            variable,
            from,
            to,
            form,
        })
    }

    /// SPIN rewrites a `select` whose text is letters, digits and blanks, outside of inlines.
    fn select_form(&self, variable: &VariableRef, from: &Expr, to: &Expr) -> SelectForm {
        let number = |expr: &Expr| match &expr.kind {
            ExprKind::Number(Number {
                value,
                spelling: NumberSpelling::Decimal,
            }) => Some(*value),
            _ => None,
        };
        let plain = variable
            .as_plain_name()
            .is_some_and(|name| name.text.bytes().all(|byte| byte.is_ascii_alphanumeric()));
        match (number(from), number(to)) {
            (Some(from), Some(to)) if plain && self.active_inlines.is_empty() && from <= to => {
                if i64::from(to) - i64::from(from) <= 32 {
                    SelectForm::Options
                } else {
                    SelectForm::Loop
                }
            }
            _ => SelectForm::General,
        }
    }

    /// `return e`, in an inline whose call is the right side of an assignment.
    fn return_value(&mut self) -> Parsed<StatementKind> {
        let keyword = self.bump().span;
        if self.at_separator() || self.at_sequence_end() {
            let message = "`return` needs a value, and an inline that is called as `x = f(…)`";
            let diagnostic = Diagnostic::error(codes::RETURN_OUTSIDE_INLINE, keyword, message);
            let hint = "to leave a process, `goto` a label before its last statement";
            return Err(self.error(diagnostic.hint(hint)));
        }
        let value = self.full_expression()?;
        match self
            .active_inlines
            .last()
            .and_then(|inline| inline.result.clone())
        {
            Some(target) => Ok(StatementKind::Assign { target, value }),
            None => {
                let message = "`return` needs an inline that is called as `x = f(…)`";
                Err(self.error(Diagnostic::error(
                    codes::RETURN_OUTSIDE_INLINE,
                    keyword,
                    message,
                )))
            }
        }
    }

    /// A name followed by `(` where no call can be.
    pub(super) fn undefined_call(&self, symbol: Symbol) -> Diagnostic {
        let name = self.interner.text(symbol);
        let message = format!("`{name}` is not an inline");
        let diagnostic =
            Diagnostic::error(codes::UNDEFINED_CALL, self.cursor.previous().span, message);
        if let Some(hint) = hint_for(name) {
            return diagnostic.hint(hint);
        }
        if self.defined.contains(&(Keyword::Inline, symbol)) {
            return diagnostic
                .hint("it is defined below; an inline must be defined before it is used");
        }
        if self.proctypes.contains(&symbol) {
            return diagnostic.hint(format!("to start the process, write `run {name}(…)`"));
        }
        let inlines: Vec<&str> = self
            .inlines
            .keys()
            .map(|known| &**self.interner.text(*known))
            .collect();
        let words = Keyword::ALL
            .iter()
            .map(|keyword| keyword.text())
            .chain(inlines);
        match mazurka_span::nearest(name, words) {
            Some(near) => diagnostic.hint(format!("did you mean `{near}`?")),
            None => diagnostic,
        }
    }
}

/// May it stand before `=` in other languages?
fn is_arithmetic(punctuation: Punctuation) -> bool {
    matches!(
        punctuation,
        Punctuation::Plus
            | Punctuation::Minus
            | Punctuation::Star
            | Punctuation::Slash
            | Punctuation::Percent
    )
}

/// What to write instead of a word of other languages.
fn hint_for(word: &str) -> Option<&'static str> {
    Some(match word {
        "while" => "Promela has no `while`; write `do :: CONDITION -> … :: else -> break od`",
        "switch" => {
            "Promela has no `switch`; write `if :: x == 1 -> … :: x == 2 -> … :: else -> … fi`"
        }
        "function" | "def" | "void" => "Promela has no functions; see `inline` and `proctype`",
        "print" | "println" | "puts" => "write `printf(\"…\")`",
        "sleep" | "delay" => "Promela has no time; every interleaving is explored anyway",
        _ => return None,
    })
}
