//! Transitions: actions up to what ends them.

use mazurka_span::Span;
use mazurka_syntax::{Kind, Parse, Parsed};

use super::Parser;
use super::recovery::begins_action;
use crate::ast::{
    Action, ActionKind, Answer, BinaryOperator, Body, Expression, ExpressionKind, Name, Output,
    Over, Question, Range,
};
use crate::codes;

impl Parser<'_, '_> {
    /// Actions up to what cannot be one.
    pub(super) fn body(&mut self) -> Parsed<Body> {
        self.deeper(|parser| {
            let start = parser.span();
            let mut actions = Vec::new();
            loop {
                let label = parser.label();
                let word = parser.keyword();
                // Of OpenGEODE: an assignment, informal text or a loop without `task`.
                let bare = parser.is_word("for")
                    || matches!(parser.peek(), Kind::Quoted(_))
                    || !super::is_reserved(&word) && parser.peek_after() == Kind::Sign(":=")
                    || !Self::KEYWORDS.contains(&&*word)
                        && matches!(
                            (parser.peek(), parser.peek_after()),
                            (Kind::Word(_), Kind::Sign("!" | "." | "("))
                        );
                if bare {
                    let begin = parser.span();
                    match parser.task(&mut actions, label, begin) {
                        Ok(()) => while parser.eat(";") {},
                        Err(_) => parser.recover_action(&word),
                    }
                    continue;
                }
                let begins = begins_action(&word);
                if !begins {
                    let refused = super::NOT_TAKEN.iter().any(|(known, _)| *known == word);
                    if let (Some(label), true) = (&label, parser.ends_body()) {
                        // A place to join at the end.
                        let (kind, span) = (ActionKind::Nothing, label.span);
                        let label = Some(label.clone());
                        actions.push(Action { label, kind, span });
                        let span = parser.since(start);
                        return Ok(Body { actions, span });
                    }
                    if label.is_some()
                        || refused
                        || !parser.is_sign("(")
                            && !parser.ends_body()
                            && (actions.is_empty()
                                || !word.is_empty() && !super::is_reserved(&word))
                    {
                        parser.refuse("an action");
                        if parser.at_end() || parser.ends_body() {
                            let span = parser.since(start);
                            return Ok(Body { actions, span });
                        }
                        parser.advance();
                        parser.recover_action("");
                        continue;
                    }
                    let span = parser.since(start);
                    return Ok(Body { actions, span });
                }
                let begin = parser.span();
                if parser.action(&word, &mut actions, label, begin).is_err() {
                    parser.recover_action(&word);
                }
            }
        })
    }

    /// Does something come next that cannot belong to a transition?
    pub(super) fn ends_body(&self) -> bool {
        matches!(
            &*self.keyword(),
            "input"
                | "save"
                | "provided"
                | "priority"
                | "connect"
                | "start"
                | "state"
                | "endstate"
                | "endprocess"
                | "endprocedure"
                | "endoperator"
                | "endsubstructure"
                | "endalternative"
                | "endfor"
                | "endconnection"
                | "connection"
                | "procedure"
                | "enddecision"
                | "else"
        )
    }

    /// `name:` before an action.
    pub(super) fn label(&mut self) -> Option<Name> {
        let named = self.peek_after() == Kind::Sign(":");
        if !named || !matches!(self.peek(), Kind::Word(_)) || self.is_word("else") {
            return None;
        }
        let label = self.name("a label").ok()?;
        self.advance();
        Some(label)
    }

    pub(super) fn action(
        &mut self,
        word: &str,
        actions: &mut Vec<Action>,
        mut label: Option<Name>,
        start: Span,
    ) -> Parsed<()> {
        self.advance();
        let mut add = |parser: &Self, kind, from: Span| {
            let span = parser.since(from);
            let label = label.take();
            actions.push(Action { label, kind, span });
        };
        match word {
            "task" => {
                let label = label.take();
                if self.is_sign(";") || self.is_word("comment") {
                    let kind = ActionKind::Nothing;
                    actions.push(Action {
                        label,
                        kind,
                        span: start,
                    });
                } else {
                    let from = self.span();
                    self.task(actions, label, from)?;
                }
            }
            "output" => {
                let outputs = self.separated(|parser| {
                    let from = parser.span();
                    if parser.is_word("priority") {
                        let (span, message) =
                            (parser.span(), "`priority` outputs are not supported");
                        return Err(parser.error(codes::NOT_TAKEN, span, message));
                    }
                    let signal = parser.name("a signal")?;
                    let values = parser.list(Self::expression)?;
                    Ok((signal, values, from))
                })?;
                let (mut to, mut everybody) = (None, false);
                let addressed = self.eat_word("to");
                if addressed {
                    everybody = self.eat_word("all");
                }
                if addressed && !everybody {
                    self.not_this()?;
                    to = Some(self.expression()?);
                }
                let (mut via, mut all) = (Vec::new(), false);
                if self.eat_word("via") {
                    all = self.eat_word("all");
                    via = self.separated(|parser| parser.way_name("a channel or a route"))?;
                }
                for (signal, values, from) in outputs {
                    let (to, via) = (to.clone(), via.clone());
                    let output = Output {
                        signal,
                        values,
                        to,
                        via,
                        all,
                        everybody,
                    };
                    add(self, ActionKind::Output(output), from);
                }
            }
            "set" => loop {
                let from = self.span();
                self.expect("(")?;
                // The time is read and does not matter: a timer that is set may expire at any moment from then on.
                let timed = self.eat_word("now");
                if timed {
                    if self.eat("+") {
                        self.time()?;
                    }
                } else if let (Kind::Word(_), Kind::Sign("," | "+" | "-" | "*" | "!"))
                | (Kind::Number(_), _) = (self.peek(), self.peek_after())
                {
                    self.time()?;
                    if !self.is_sign(",") {
                        return Err(self.unexpected("`,`"));
                    }
                }
                if timed || self.is_sign(",") {
                    self.expect(",")?;
                }
                let timer = self.name("a timer")?;
                let values = self.list(Self::expression)?;
                self.expect(")")?;
                add(self, ActionKind::Set(timer, values), from);
                if !self.eat(",") {
                    break;
                }
            },
            "reset" => loop {
                self.expect("(")?;
                loop {
                    let from = self.span();
                    let timer = self.name("a timer")?;
                    let values = self.list(Self::expression)?;
                    add(self, ActionKind::Reset(timer, values), from);
                    if !self.eat(",") {
                        break;
                    }
                }
                self.expect(")")?;
                if !self.eat(",") {
                    break;
                }
            },
            "create" | "call" => {
                let what = ["a process", "a procedure"][usize::from(word == "call")];
                self.not_this()?;
                let name = self.name(what)?;
                let values = self.list(Self::expression)?;
                if self.is_word("to") || self.is_word("via") {
                    let message = format!(
                        "`{}` behind a call is not supported (remote procedures)",
                        self.keyword()
                    );
                    let span = self.span();
                    return Err(self.error(codes::NOT_TAKEN, span, message));
                }
                let kind = match word {
                    "create" => ActionKind::Create(name, values),
                    _ => ActionKind::Call(name, values),
                };
                add(self, kind, start);
            }
            "return" => {
                let value = match self.is_sign(";") || self.is_word("comment") {
                    true => None,
                    false => Some(self.expression()?),
                };
                add(self, ActionKind::Return(value), start);
            }
            "export" => {
                let names = self.list(|parser| parser.name("an exported variable"))?;
                add(self, ActionKind::Export(names), start);
            }
            "decision" | "alternative" => {
                let (question, answers) = self.decision(&format!("end{word}"))?;
                add(self, ActionKind::Decision(question, answers), start);
            }
            "nextstate" => {
                let kind = if self.eat("-") {
                    match self.eat("*") {
                        true => ActionKind::History,
                        false => ActionKind::NextState(None),
                    }
                } else {
                    let state = self.name("a state or `-`")?;
                    if self.is_sign(":") {
                        let message = "instances of state types are not supported";
                        return Err(self.error(codes::NOT_TAKEN, state.span, message));
                    }
                    match self.eat_word("via") {
                        true => ActionKind::Enter(state, self.name("an entry point")?),
                        false => ActionKind::NextState(Some(state)),
                    }
                };
                add(self, kind, start);
            }
            "stop" => add(self, ActionKind::Stop, start),
            _ => {
                let label = self.name("a label")?;
                add(self, ActionKind::Join(label), start);
            }
        }
        self.end()?;
        Ok(())
    }

    fn not_this(&mut self) -> Parsed<()> {
        if self.is_word("this") {
            let (span, message) = (self.span(), "`this` is not supported (types of processes)");
            return Err(self.error(codes::NOT_TAKEN, span, message));
        }
        Ok(())
    }

    /// Assignments, informal text or loops, with commas between them.
    pub(super) fn task(
        &mut self,
        actions: &mut Vec<Action>,
        mut label: Option<Name>,
        mut from: Span,
    ) -> Parsed<()> {
        loop {
            let kind = if let Kind::Quoted(_) = self.peek() {
                self.advance();
                ActionKind::Informal
            } else if self.eat_word("for") {
                self.deeper(Self::for_loop)?
            } else {
                if !matches!(self.peek(), Kind::Word(_)) {
                    return Err(self.refuse("a variable or informal text"));
                }
                let target = self.variable()?;
                if matches!(target.kind, ExpressionKind::Applied(..)) && self.is_sign(";") {
                    let message = "nothing is assigned here; a procedure is called by `call`";
                    return Err(self.error(codes::UNEXPECTED_TOKEN, target.span, message));
                }
                self.expect(":=")?;
                ActionKind::Assign(target, self.expression()?)
            };
            let span = self.since(from);
            let label = label.take();
            actions.push(Action { label, kind, span });
            if !self.eat(",") {
                return Ok(());
            }
            from = self.span();
        }
    }

    /// `x in range(1, 4): … endfor`
    pub(super) fn for_loop(&mut self) -> Parsed<ActionKind> {
        let variable = self.name("the variable of the loop")?;
        self.expect_word("in")?;
        let over = if self.is_word("range") && self.peek_after() == Kind::Sign("(") {
            let start = self.advance().span;
            self.expect("(")?;
            let first = self.expression()?;
            let mut over = Over::Range(
                Expression {
                    kind: ExpressionKind::Number(0),
                    span: start,
                },
                first.clone(),
                1,
            );
            if self.eat(",") {
                let last = self.expression()?;
                let mut step = 1;
                if self.eat(",") {
                    let Kind::Number(text) = self.peek() else {
                        return Err(self.unexpected("a step, which is a number"));
                    };
                    step = text.parse().unwrap_or(0);
                    if step < 1 {
                        return Err(self.unexpected("a step of 1 or more"));
                    }
                    self.advance();
                }
                over = Over::Range(first, last, step);
            }
            self.expect(")")?;
            over
        } else {
            Over::Elements(self.variable()?)
        };
        self.expect(":")?;
        let body = self.body()?;
        self.expect_word("endfor")?;
        Ok(ActionKind::For(variable, over, body))
    }

    pub(super) fn decision(&mut self, end: &str) -> Parsed<(Question, Vec<Answer>)> {
        // What begins with `'a'` or `'1F'H` may be a value.
        let ends = self.peek_after() == Kind::Sign(";") || self.peek_after_is("comment");
        let question = if let (Kind::Quoted(_), true) = (self.peek(), ends) {
            self.advance();
            Question::Any
        } else if self.is_word("any") && self.peek_after() != Kind::Sign("(") {
            self.advance();
            Question::Any
        } else {
            Question::Value(self.expression()?)
        };
        self.end()?;
        let mut answers = Vec::new();
        while !self.eat_word(end) {
            let start = self.span();
            let ranges = if self.eat_word("else") {
                None
            } else {
                if !self.eat("(") {
                    return Err(self.refuse(&format!("an answer, `else` or `{end}`")));
                }
                if let (Question::Any, Kind::Quoted(_)) = (&question, self.peek()) {
                    self.advance();
                    self.expect(")")?;
                    None
                } else if matches!(question, Question::Any) && self.eat(")") {
                    None
                } else {
                    let ranges = self.separated(Self::range)?;
                    self.expect(")")?;
                    Some(ranges)
                }
            };
            self.expect(":")?;
            let span = self.since(start);
            let body = self.body()?;
            answers.push(Answer { ranges, body, span });
        }
        Ok((question, answers))
    }

    pub(super) fn range(&mut self) -> Parsed<Range> {
        let signs = [
            ("=", BinaryOperator::Equal),
            ("/=", BinaryOperator::NotEqual),
            ("<", BinaryOperator::Less),
            ("<=", BinaryOperator::LessEqual),
            (">", BinaryOperator::Greater),
            (">=", BinaryOperator::GreaterEqual),
        ];
        for (sign, operator) in signs {
            if self.eat(sign) {
                return Ok(Range::Compared(operator, self.expression()?));
            }
        }
        self.in_range = true;
        let low = self.expression();
        self.in_range = false;
        let low = low?;
        Ok(match self.eat(":") {
            true => Range::Between(low, self.expression()?),
            false => Range::Compared(BinaryOperator::Equal, low),
        })
    }

    /// A variable, or a part of one.
    pub(super) fn variable(&mut self) -> Parsed<Expression> {
        let start = self.span();
        let name = self.name("a variable")?;
        self.selected(name, start)
    }
}
