//! Expressions, by precedence climbing.

use mazurka_span::Diagnostic;

use super::{Parsed, Parser, Reported};
use crate::ast::{
    BinaryOperator, Expr, ExprKind, MAXIMUM_HEIGHT, Name, Probe, Segment, UnaryOperator,
    VariableRef,
};
use crate::codes;
use crate::keyword::Keyword;
use crate::token::{Punctuation, TokenKind};

/// An expression under construction.
pub(super) struct Term {
    pub expr: Expr,
    /// How high the tree is; a long chain of operators makes a high tree without any recursion here.
    pub height: u32,
    /// It is `empty(q)` or the like, or a combination of such by `&&` and `||`. SPIN allows nothing else to be done with
    /// them, because its reduction relies on it.
    pub probe: bool,
}

impl Term {
    fn leaf(expr: Expr) -> Term {
        Term {
            expr,
            height: 1,
            probe: false,
        }
    }
}

impl Parser<'_> {
    /// An expression without `empty` and its kin.
    pub(super) fn expression(&mut self) -> Parsed<Expr> {
        let term = self.binary(0)?;
        self.refuse_probe(&term);
        self.inner_height = self.inner_height.max(term.height);
        Ok(term.expr)
    }

    /// An expression in which `empty` and its kin may be combined by `&&` and `||`.
    pub(super) fn full_expression(&mut self) -> Parsed<Expr> {
        Ok(self.binary(0)?.expr)
    }

    pub(super) fn binary(&mut self, minimum: u8) -> Parsed<Term> {
        self.enter()?;
        let term = self
            .unary()
            .and_then(|left| self.binary_rest(left, minimum));
        self.leave();
        term
    }

    /// Continues with the operators that follow an operand; all are left associative.
    pub(super) fn binary_rest(&mut self, mut left: Term, minimum: u8) -> Parsed<Term> {
        while let TokenKind::Punctuation(punctuation) = self.peek().kind {
            let Some((operator, precedence)) = binary_operator(punctuation) else {
                break;
            };
            if precedence < minimum {
                break;
            }
            if punctuation == Punctuation::Assign {
                self.assignment_in_expression();
            }
            self.bump();
            let right = self.binary(precedence + 1)?;
            left = self.combine(operator, left, right)?;
        }
        Ok(left)
    }

    fn combine(&mut self, operator: BinaryOperator, left: Term, right: Term) -> Parsed<Term> {
        let logical = matches!(operator, BinaryOperator::And | BinaryOperator::Or);
        if !logical {
            self.refuse_probe(&left);
            self.refuse_probe(&right);
        }
        let height = left.height.max(right.height) + 1;
        self.check_height(height)?;
        Ok(Term {
            probe: logical && (left.probe || right.probe),
            height,
            expr: self.binary_expr(operator, left.expr, right.expr),
        })
    }

    pub(super) fn binary_expr(&self, operator: BinaryOperator, left: Expr, right: Expr) -> Expr {
        let span = self.map.join(left.span, right.span);
        let (left, right) = (Box::new(left), Box::new(right));
        Expr {
            kind: ExprKind::Binary {
                operator,
                left,
                right,
            },
            span,
        }
    }

    pub(super) fn check_height(&mut self, height: u32) -> Parsed<()> {
        if height > MAXIMUM_HEIGHT {
            Err(self.too_deep())
        } else {
            Ok(())
        }
    }

    /// Reports the common slip and reads on as if it were `==`.
    pub(super) fn assignment_in_expression(&mut self) {
        let span = self.peek().span;
        self.report(
            Diagnostic::error(
                codes::ASSIGNMENT_IN_EXPRESSION,
                span,
                "`=` is an assignment, not a comparison",
            )
            .hint("to compare, write `==`"),
        );
    }

    pub(super) fn refuse_probe(&mut self, term: &Term) {
        if !term.probe {
            return;
        }
        let mut diagnostic = Diagnostic::error(
            codes::MISPLACED_PROBE,
            term.expr.span,
            "`empty`, `nempty`, `full` and `nfull` can only be combined by `&&` and `||`",
        );
        if let ExprKind::Probe { probe, .. } = &term.expr.kind {
            let opposite = match probe {
                Probe::Empty => "nempty",
                Probe::NotEmpty => "empty",
                Probe::Full => "nfull",
                Probe::NotFull => "full",
            };
            diagnostic = diagnostic.hint(format!(
                "to negate it, use `{opposite}`; to count messages, `len`"
            ));
        }
        self.report(diagnostic);
    }

    fn unary(&mut self) -> Parsed<Term> {
        let start = self.peek().span;
        let operator = match self.peek().kind {
            TokenKind::Punctuation(Punctuation::Bang) => UnaryOperator::Not,
            TokenKind::Punctuation(Punctuation::Minus) => UnaryOperator::Minus,
            TokenKind::Punctuation(Punctuation::Tilde) => UnaryOperator::Complement,
            _ => return self.primary(),
        };
        self.bump();
        self.enter()?;
        let operand = self.unary();
        self.leave();
        let operand = operand?;
        self.refuse_probe(&operand);
        self.check_height(operand.height + 1)?;
        Ok(Term {
            expr: Expr {
                kind: ExprKind::Unary {
                    operator,
                    operand: Box::new(operand.expr),
                },
                span: self.since(start),
            },
            height: operand.height + 1,
            probe: false,
        })
    }

    /// An operand. Its height comes from the expressions inside its brackets, which tell by `inner_height`.
    pub(super) fn primary(&mut self) -> Parsed<Term> {
        let outside = std::mem::take(&mut self.inner_height);
        let mut term = self.primary_inner()?;
        term.height = term.height.max(self.inner_height + 1);
        self.inner_height = outside;
        self.check_height(term.height)?;
        Ok(term)
    }

    fn primary_inner(&mut self) -> Parsed<Term> {
        let token = self.peek();
        if let Some(number) = self.number() {
            return Ok(Term::leaf(number));
        }
        match token.kind {
            TokenKind::Punctuation(Punctuation::LeftParen) => self.bracketed(),
            TokenKind::Ident(_) => self.named(),
            TokenKind::Keyword(keyword) => self.keyword_expression(keyword),
            TokenKind::EmbeddedC => {
                self.bump();
                Ok(Term::leaf(Expr {
                    kind: ExprKind::Error,
                    span: token.span,
                }))
            }
            _ => Err(self.unexpected("an expression")),
        }
    }

    /// `(e)` or `(condition -> yes : no)`.
    fn bracketed(&mut self) -> Parsed<Term> {
        let start = self.bump().span;
        let mut term = self.binary(0)?;
        if self.eat(Punctuation::Arrow) {
            self.refuse_probe(&term);
            let yes = self.binary(0)?;
            self.refuse_probe(&yes);
            self.expect(Punctuation::Colon)?;
            let no = self.binary(0)?;
            self.refuse_probe(&no);
            let height = term.height.max(yes.height).max(no.height) + 1;
            self.check_height(height)?;
            let kind = ExprKind::Conditional {
                condition: Box::new(term.expr),
                yes: Box::new(yes.expr),
                no: Box::new(no.expr),
            };
            term = Term {
                expr: Expr { kind, span: start },
                height,
                probe: false,
            };
        }
        self.expect(Punctuation::RightParen)?;
        term.expr.span = self.since(start);
        Ok(term)
    }

    fn keyword_expression(&mut self, keyword: Keyword) -> Parsed<Term> {
        let start = self.bump().span;
        let mut probe = false;
        let kind = match keyword {
            Keyword::Timeout => ExprKind::Timeout,
            Keyword::Np => ExprKind::NonProgress,
            Keyword::Run => self.run()?,
            Keyword::Len => ExprKind::Length(self.bracketed_variable()?),
            Keyword::Empty | Keyword::Nempty | Keyword::Full | Keyword::Nfull => {
                probe = true;
                let probe = match keyword {
                    Keyword::Empty => Probe::Empty,
                    Keyword::Nempty => Probe::NotEmpty,
                    Keyword::Full => Probe::Full,
                    _ => Probe::NotFull,
                };
                ExprKind::Probe {
                    probe,
                    channel: self.bracketed_variable()?,
                }
            }
            Keyword::Enabled => ExprKind::Enabled(self.bracketed_expression()?),
            Keyword::PcValue => ExprKind::PcValue(self.bracketed_expression()?),
            Keyword::GetPriority => ExprKind::GetPriority(self.bracketed_expression()?),
            Keyword::Eval => {
                let message = "`eval` stands only among the arguments of a receive";
                return Err(self.error(Diagnostic::error(codes::UNEXPECTED_TOKEN, start, message)));
            }
            _ => {
                // Not taken after all: it may be what the caller waits for.
                self.cursor.go_to(self.cursor.position() - 1);
                return Err(self.unexpected("an expression"));
            }
        };
        Ok(Term {
            expr: Expr {
                kind,
                span: self.since(start),
            },
            height: 1,
            probe,
        })
    }

    fn bracketed_variable(&mut self) -> Parsed<VariableRef> {
        self.expect(Punctuation::LeftParen)?;
        let variable = self.variable_ref()?;
        self.expect(Punctuation::RightParen)?;
        Ok(variable)
    }

    fn bracketed_expression(&mut self) -> Parsed<Box<Expr>> {
        self.expect(Punctuation::LeftParen)?;
        let expr = self.expression()?;
        self.expect(Punctuation::RightParen)?;
        Ok(Box::new(expr))
    }

    fn run(&mut self) -> Parsed<ExprKind> {
        let proctype = self.name("the name of a proctype")?;
        self.expect(Punctuation::LeftParen)?;
        let arguments = self.arguments()?;
        let priority = if self.eat_keyword(Keyword::Priority) {
            Some(Box::new(self.constant("a priority")?))
        } else {
            None
        };
        Ok(ExprKind::Run {
            proctype,
            arguments,
            priority,
        })
    }

    /// Expressions up to the closing bracket; the opening one is taken.
    pub(super) fn arguments(&mut self) -> Parsed<Vec<Expr>> {
        let mut arguments = Vec::new();
        if self.eat(Punctuation::RightParen) {
            return Ok(arguments);
        }
        loop {
            arguments.push(self.expression()?);
            if self.eat(Punctuation::RightParen) {
                return Ok(arguments);
            }
            if !self.eat(Punctuation::Comma) {
                return Err(self.unexpected("`,` or `)`"));
            }
        }
    }

    /// Whatever starts with a name: a variable, a poll, or a look into another process.
    fn named(&mut self) -> Parsed<Term> {
        if self.at_remote_reference() {
            return self.remote_reference().map(Term::leaf);
        }
        if let Some(symbol) = self
            .peek_symbol(0)
            .filter(|symbol| self.inlines.contains_key(symbol))
        {
            return Err(self.inline_in_expression(symbol));
        }
        let variable = self.variable_ref()?;
        self.after_variable(variable)
    }

    fn inline_in_expression(&mut self, symbol: crate::token::Symbol) -> Reported {
        let message = format!(
            "inline `{}` can only be called as a statement",
            self.interner.text(symbol)
        );
        let diagnostic = Diagnostic::error(codes::UNEXPECTED_TOKEN, self.peek().span, message);
        self.error(
            diagnostic.hint("or as the whole right side of an assignment, if it has a `return`"),
        )
    }

    /// What a variable becomes together with what follows it, other than an operator.
    pub(super) fn after_variable(&mut self, variable: VariableRef) -> Parsed<Term> {
        let random = self.at(Punctuation::DoubleQuestion);
        if (random || self.at(Punctuation::Question))
            && self.peek_at(1).is(Punctuation::LeftBracket)
        {
            return self.poll(variable, random).map(Term::leaf);
        }
        if self.at(Punctuation::At) && variable.segments.len() == 1 {
            self.warn_not_in_spin(
                variable.name().span,
                "SPIN wants a proctype to be defined before it is used in a remote reference",
            );
            let span = variable.span;
            let Some(segment) = variable.segments.into_iter().next() else {
                return Err(Reported);
            };
            return self.remote_label(segment, span).map(Term::leaf);
        }
        let span = variable.span;
        Ok(Term::leaf(Expr {
            kind: ExprKind::Variable(variable),
            span,
        }))
    }

    /// `p@…`, `p:…` or `p[…` with `p` the name of a proctype seen before: only then is it not a variable or a label.
    pub(super) fn at_remote_reference(&self) -> bool {
        let is_proctype = self
            .peek_symbol(0)
            .is_some_and(|symbol| self.proctypes.contains(&symbol));
        let next = self.peek_at(1);
        is_proctype
            && [
                Punctuation::At,
                Punctuation::Colon,
                Punctuation::LeftBracket,
            ]
            .iter()
            .any(|p| next.is(*p))
    }

    fn remote_reference(&mut self) -> Parsed<Expr> {
        let start = self.peek().span;
        let segment = self.segment("the name of a proctype")?;
        if self.at(Punctuation::At) {
            return self.remote_label(segment, start);
        }
        if !self.eat(Punctuation::Colon) {
            return Err(self.unexpected("`@` and a label, or `:` and a variable"));
        }
        let Segment {
            name: proctype,
            index: process,
        } = segment;
        let inner = self.peek().span;
        let segments = vec![self.segment("the name of a variable")?];
        let variable = VariableRef {
            segments,
            span: self.since(inner),
        };
        Ok(Expr {
            kind: ExprKind::RemoteVariable {
                proctype,
                process,
                variable,
            },
            span: self.since(start),
        })
    }

    fn remote_label(&mut self, segment: Segment, start: mazurka_span::Span) -> Parsed<Expr> {
        self.expect(Punctuation::At)?;
        let label = self.name("the name of a label")?;
        let Segment {
            name: proctype,
            index: process,
        } = segment;
        Ok(Expr {
            kind: ExprKind::RemoteLabel {
                proctype,
                process,
                label,
            },
            span: self.since(start),
        })
    }

    pub(super) fn variable_ref(&mut self) -> Parsed<VariableRef> {
        let start = self.peek().span;
        let mut segments = vec![self.segment("the name of a variable")?];
        while self.eat(Punctuation::Dot) {
            segments.push(self.segment("the name of a field")?);
        }
        Ok(VariableRef {
            segments,
            span: self.since(start),
        })
    }

    fn segment(&mut self, what: &str) -> Parsed<Segment> {
        let name: Name = self.name(what)?;
        let mut index = None;
        if self.eat(Punctuation::LeftBracket) {
            index = Some(Box::new(self.expression()?));
            self.expect(Punctuation::RightBracket)?;
        }
        Ok(Segment { name, index })
    }
}

/// The operator of a token and how tightly it binds. The levels below and between are for formulas.
pub(super) fn binary_operator(punctuation: Punctuation) -> Option<(BinaryOperator, u8)> {
    use BinaryOperator::*;
    Some(match punctuation {
        Punctuation::DoublePipe => (Or, 1),
        Punctuation::DoubleAmpersand => (And, 2),
        Punctuation::Pipe => (BitOr, 4),
        Punctuation::Caret => (BitXor, 5),
        Punctuation::Ampersand => (BitAnd, 6),
        Punctuation::Equal | Punctuation::Assign => (Equal, 7),
        Punctuation::NotEqual => (NotEqual, 7),
        Punctuation::Less => (Less, 8),
        Punctuation::LessEqual => (LessEqual, 8),
        Punctuation::Greater => (Greater, 8),
        Punctuation::GreaterEqual => (GreaterEqual, 8),
        Punctuation::ShiftLeft => (ShiftLeft, 9),
        Punctuation::ShiftRight => (ShiftRight, 9),
        Punctuation::Plus => (Add, 10),
        Punctuation::Minus => (Subtract, 10),
        Punctuation::Star => (Multiply, 11),
        Punctuation::Slash => (Divide, 11),
        Punctuation::Percent => (Remainder, 11),
        _ => return None,
    })
}
