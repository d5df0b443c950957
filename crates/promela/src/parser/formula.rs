//! Formulas of linear temporal logic.
//!
//! Temporal and ordinary operators share one table of precedences. So everything is parsed as a formula, and turned back into
//! an expression when an arithmetic operator or a comparison is applied to it.

use mazurka_span::{Diagnostic, Span};

use super::expression::{Term, binary_operator};
use super::{Form, Parsed, Parser};
use crate::ast::{
    BinaryOperator, Expr, ExprKind, Formula, FormulaKind, FormulaOperator, Ltl, Name,
    UnaryOperator, Unit,
};
use crate::codes;
use crate::token::{Punctuation, TokenKind};

struct FormulaTerm {
    formula: Formula,
    height: u32,
}

#[derive(Clone, Copy)]
enum Operator {
    Formula(FormulaOperator),
    Expression(BinaryOperator),
}

#[derive(Clone, Copy)]
enum Prefix {
    Not,
    Next,
    Always,
    Eventually,
    Expression(UnaryOperator),
}

impl Parser<'_> {
    /// A formula or an expression that is given besides the model.
    pub(super) fn snippet(&mut self, form: Form) -> Parsed<Unit> {
        self.in_snippet = true;
        let start = self.peek().span;
        let formula = self.formula(0)?.formula;
        let span = self.since(start);
        let text = self.interner.join(self.cursor.taken_since(0));
        while self.at_separator() {
            self.bump();
        }
        if !self.at_end() {
            return Err(self.unexpected("an operator or the end"));
        }
        Ok(match form {
            Form::Expression => Unit::Expression(self.expression_of(formula)?),
            Form::Formula => Unit::Ltl(Ltl {
                name: Some(Name {
                    text: "formula".into(),
                    span: start,
                }),
                formula,
                text,
                formula_span: span,
                is_given: true,
                span,
            }),
        })
    }

    /// The block after `ltl name`.
    pub(super) fn ltl_body(&mut self, name: Option<Name>, start: Span) -> Parsed<Ltl> {
        self.expect(Punctuation::LeftBrace)?;
        let first = self.cursor.position();
        let formula = self.formula(0)?.formula;
        let formula_span = self.since(self.cursor.token(first).span);
        let text = self.interner.join(self.cursor.taken_since(first));
        while self.at_separator() {
            self.bump();
        }
        if !self.at(Punctuation::RightBrace) {
            return Err(self.unexpected("an operator or `}`"));
        }
        self.bump();
        Ok(Ltl {
            name,
            formula,
            text,
            formula_span,
            is_given: false,
            span: self.since(start),
        })
    }

    fn formula(&mut self, minimum: u8) -> Parsed<FormulaTerm> {
        self.enter()?;
        let term = self
            .formula_prefix()
            .and_then(|left| self.formula_rest(left, minimum));
        self.leave();
        term
    }

    fn formula_rest(&mut self, mut left: FormulaTerm, minimum: u8) -> Parsed<FormulaTerm> {
        while let Some((operator, precedence, length)) = self.formula_operator() {
            if precedence < minimum {
                break;
            }
            if self.at(Punctuation::Assign) {
                self.assignment_in_expression();
            }
            for _ in 0..length {
                self.bump();
            }
            let right = self.formula(precedence + 1)?;
            let height = left.height.max(right.height) + 1;
            self.check_height(height)?;
            let span = self.map.join(left.formula.span, right.formula.span);
            let kind = match operator {
                Operator::Formula(operator) => FormulaKind::Binary {
                    operator,
                    left: Box::new(left.formula),
                    right: Box::new(right.formula),
                },
                Operator::Expression(operator) => {
                    let left = self.expression_of(left.formula)?;
                    let right = self.expression_of(right.formula)?;
                    FormulaKind::Atom(self.binary_expr(operator, left, right))
                }
            };
            left = FormulaTerm {
                formula: Formula { kind, span },
                height,
            };
        }
        Ok(left)
    }

    /// The operator that is next, how tightly it binds, and how many tokens it is.
    fn formula_operator(&self) -> Option<(Operator, u8, usize)> {
        use FormulaOperator::*;
        let formula = |operator, precedence| Some((Operator::Formula(operator), precedence, 1));
        match self.peek().kind {
            TokenKind::Ident(symbol) => match &**self.interner.text(symbol) {
                "implies" => formula(Implies, 0),
                "equivalent" => formula(Equivalent, 0),
                "U" | "until" | "stronguntil" => formula(Until, 3),
                "W" | "weakuntil" => formula(WeakUntil, 3),
                "V" | "release" => formula(Release, 3),
                _ => None,
            },
            TokenKind::Punctuation(Punctuation::Arrow) => formula(Implies, 0),
            TokenKind::Punctuation(Punctuation::Less) if self.touches(Punctuation::Arrow) => {
                Some((Operator::Formula(Equivalent), 0, 2))
            }
            TokenKind::Punctuation(Punctuation::Less) if self.touches(Punctuation::Greater) => None,
            TokenKind::Punctuation(Punctuation::DoublePipe) => formula(Or, 1),
            TokenKind::Punctuation(Punctuation::DoubleAmpersand) => formula(And, 2),
            TokenKind::Punctuation(punctuation) => binary_operator(punctuation)
                .map(|(operator, precedence)| (Operator::Expression(operator), precedence, 1)),
            _ => None,
        }
    }

    /// Whether the token after the next one is this, with no space between.
    fn touches(&self, punctuation: Punctuation) -> bool {
        let second = self.peek_at(1);
        second.is(punctuation) && !second.space_before
    }

    fn prefix_operator(&self) -> Option<(Prefix, usize)> {
        match self.peek().kind {
            TokenKind::Ident(symbol) => match &**self.interner.text(symbol) {
                "X" | "next" => Some((Prefix::Next, 1)),
                "always" => Some((Prefix::Always, 1)),
                "eventually" => Some((Prefix::Eventually, 1)),
                _ => None,
            },
            TokenKind::Punctuation(Punctuation::Bang) => Some((Prefix::Not, 1)),
            TokenKind::Punctuation(Punctuation::Minus) => {
                Some((Prefix::Expression(UnaryOperator::Minus), 1))
            }
            TokenKind::Punctuation(Punctuation::Tilde) => {
                Some((Prefix::Expression(UnaryOperator::Complement), 1))
            }
            TokenKind::Punctuation(Punctuation::LeftBracket)
                if self.touches(Punctuation::RightBracket) =>
            {
                Some((Prefix::Always, 2))
            }
            TokenKind::Punctuation(Punctuation::Less) if self.touches(Punctuation::Greater) => {
                Some((Prefix::Eventually, 2))
            }
            _ => None,
        }
    }

    fn formula_prefix(&mut self) -> Parsed<FormulaTerm> {
        let start = self.peek().span;
        let Some((prefix, length)) = self.prefix_operator() else {
            return self.formula_operand();
        };
        for _ in 0..length {
            self.bump();
        }
        self.enter()?;
        let operand = self.formula_prefix();
        self.leave();
        let FormulaTerm { formula, height } = operand?;
        self.check_height(height + 1)?;
        let span = self.since(start);
        let kind = match prefix {
            Prefix::Not => FormulaKind::Not(Box::new(formula)),
            Prefix::Next => FormulaKind::Next(Box::new(formula)),
            Prefix::Always => FormulaKind::Always(Box::new(formula)),
            Prefix::Eventually => FormulaKind::Eventually(Box::new(formula)),
            Prefix::Expression(operator) => {
                let operand = Box::new(self.expression_of(formula)?);
                FormulaKind::Atom(Expr {
                    kind: ExprKind::Unary { operator, operand },
                    span,
                })
            }
        };
        Ok(FormulaTerm {
            formula: Formula { kind, span },
            height: height + 1,
        })
    }

    fn formula_operand(&mut self) -> Parsed<FormulaTerm> {
        let start = self.peek().span;
        if self.eat(Punctuation::LeftParen) {
            let mut term = self.formula(0)?;
            self.expect(Punctuation::RightParen)?;
            term.formula.span = self.since(start);
            if let FormulaKind::Atom(expr) = &mut term.formula.kind {
                expr.span = term.formula.span;
            }
            return Ok(term);
        }
        if let Some(hint) = self.foreign_operator() {
            let operator = self.bump().span;
            let message = format!("`{}` is no operator here", self.map.text(operator));
            let diagnostic = Diagnostic::error(codes::UNEXPECTED_TOKEN, operator, message);
            return Err(self.error(diagnostic.hint(hint)));
        }
        let Term { expr, height, .. } = self.primary()?;
        let span = expr.span;
        Ok(FormulaTerm {
            formula: Formula {
                kind: FormulaKind::Atom(expr),
                span,
            },
            height,
        })
    }

    /// What to write instead of an operator of other tools that is next: a name with an operand behind it.
    fn foreign_operator(&self) -> Option<&'static str> {
        let TokenKind::Ident(symbol) = self.peek().kind else {
            return None;
        };
        let hint = match &**self.interner.text(symbol) {
            "G" | "globally" => "write `[]` or `always`",
            "F" | "finally" => "write `<>` or `eventually`",
            "GF" => "write `[] <>`",
            "FG" => "write `<> []`",
            "AG" | "AF" | "EF" | "EG" | "A" | "E" => {
                "formulas are about every execution: write `[]` for AG, `<>` for AF"
            }
            _ => return None,
        };
        let is_operand = match self.peek_at(1).kind {
            TokenKind::Ident(next) => !matches!(
                &**self.interner.text(next),
                "U" | "W"
                    | "V"
                    | "until"
                    | "stronguntil"
                    | "weakuntil"
                    | "release"
                    | "implies"
                    | "equivalent"
            ),
            TokenKind::Number(_) => true,
            TokenKind::Punctuation(Punctuation::LeftParen | Punctuation::Bang) => true,
            _ => false,
        };
        is_operand.then_some(hint)
    }

    /// A formula without temporal operators, as an expression.
    fn expression_of(&mut self, formula: Formula) -> Parsed<Expr> {
        let span = formula.span;
        match formula.kind {
            FormulaKind::Atom(expr) => Ok(expr),
            FormulaKind::Not(operand) => {
                let operand = Box::new(self.expression_of(*operand)?);
                Ok(Expr {
                    kind: ExprKind::Unary {
                        operator: UnaryOperator::Not,
                        operand,
                    },
                    span,
                })
            }
            FormulaKind::Binary {
                operator,
                left,
                right,
            } if operator <= FormulaOperator::Equivalent => {
                let left = self.expression_of(*left)?;
                let right = self.expression_of(*right)?;
                let negation = |expr: Expr| Expr {
                    span: expr.span,
                    kind: ExprKind::Unary {
                        operator: UnaryOperator::Not,
                        operand: Box::new(expr),
                    },
                };
                Ok(match operator {
                    FormulaOperator::And => self.binary_expr(BinaryOperator::And, left, right),
                    FormulaOperator::Or => self.binary_expr(BinaryOperator::Or, left, right),
                    FormulaOperator::Implies => {
                        self.binary_expr(BinaryOperator::Or, negation(left), right)
                    }
                    // Equal truth values, whatever the numbers.
                    _ => self.binary_expr(BinaryOperator::Equal, negation(left), negation(right)),
                })
            }
            _ => {
                let message =
                    "a temporal operator cannot be under an arithmetic operator or a comparison";
                let diagnostic = Diagnostic::error(codes::MISPLACED_TEMPORAL, span, message);
                let hint = "`<> p == 2` means `(<> p) == 2`: add parentheses, as in `<> (p == 2)`";
                Err(self.error(diagnostic.hint(hint)))
            }
        }
    }
}
