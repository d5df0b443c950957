//! Processes: what they declare, their states and transitions.

use mazurka_span::Span;
use mazurka_syntax::{Kind, Parse, Parsed};

use super::Parser;
use crate::ast::{
    Action, ActionKind, Answer, BinaryOperator, Body, Expression, Output, Parameter, Procedure,
    Process, Question, Range, State, States, Stimulus, System, Timer, Trigger, TriggerKind,
    Variable,
};
use crate::codes;

impl Parser<'_, '_> {
    pub(super) fn process(&mut self, system: &mut System) -> Parsed<Process> {
        self.advance();
        if self.is_word("type") {
            return Err(self.refuse("a name"));
        }
        self.qualifier();
        let mut process = new_process(self.name("the name of a process")?);
        if self.eat("(") {
            if !self.is_sign(",") {
                process.count = Some(self.expression()?);
            }
            if self.eat(",") && !self.is_sign(")") {
                process.most = Some(self.expression()?);
            }
            self.expect(")")?;
        }
        if self.eat_word("referenced") {
            self.end()?;
            process.referenced = true;
            return Ok(process);
        }
        if self.end().is_err() {
            self.recover();
        }
        if self.eat_word("fpar") {
            let parameters = self.parameters()?;
            self.end()?;
            process.parameters = parameters.len();
            let variables = parameters.into_iter().map(|parameter| parameter.variable);
            process.variables.extend(variables);
        }
        self.parts(system, &mut process, "endprocess")?;
        Ok(process)
    }

    /// What stands in a process or a procedure.
    fn parts(&mut self, system: &mut System, process: &mut Process, end: &str) -> Parsed<()> {
        while !self.is_word(end) {
            if self.at_end() || self.is_word("endblock") || self.is_word("endsystem") {
                return Err(self.unexpected(&format!("`{end}`")));
            }
            if self.in_process(system, process).is_err() {
                self.recover();
            }
        }
        let name = process.name.clone();
        self.closing(&name)
    }

    pub(super) fn procedure(&mut self, system: &mut System) -> Parsed<Procedure> {
        self.advance();
        self.qualifier();
        let mut inside = new_process(self.name("the name of a procedure")?);
        if self.is_word("referenced") {
            let (span, message) = (
                self.span(),
                "procedures that are `referenced` are not supported",
            );
            return Err(self.error(codes::NOT_TAKEN, span, message));
        }
        self.end()?;
        let (mut parameters, mut returns) = (Vec::new(), None);
        if self.eat_word("fpar") {
            parameters = self.parameters()?;
            self.end()?;
        }
        if self.eat_word("returns") {
            let first = self.name("the type of the value")?;
            returns = Some(match self.peek() {
                Kind::Word(text) if !text.eq_ignore_ascii_case("comment") => {
                    (Some(first), self.name("the type of the value")?)
                }
                _ => (None, first),
            });
            self.end()?;
        }
        let external = self.eat_word("external");
        if external {
            self.end()?;
            if self.is_word("endprocedure") {
                self.closing(&inside.name)?;
            }
        } else {
            self.deeper(|parser| parser.parts(system, &mut inside, "endprocedure"))?;
        }
        if let Some(timer) = inside.timers.first() {
            let (span, message) = (timer.name.span, "a procedure has no timers of its own");
            return Err(self.error(codes::NOT_TAKEN, span, message));
        }
        Ok(Procedure {
            name: inside.name,
            parameters,
            returns,
            variables: inside.variables,
            procedures: inside.procedures,
            start: inside.start,
            states: inside.states,
            connections: inside.connections,
            external,
        })
    }

    /// `in x, y Integer, in/out z Boolean`
    fn parameters(&mut self) -> Parsed<Vec<Parameter>> {
        let mut all = Vec::new();
        loop {
            let mut out = false;
            if self.eat_word("in") {
                out = self.eat("/");
                if out {
                    self.expect_word("out")?;
                }
            } else if self.is_word("out") {
                self.advance();
                out = true;
            }
            let names = self.separated(|parser| parser.name("a parameter"))?;
            let type_name = self.name("a type")?;
            all.extend(names.into_iter().map(|name| Parameter {
                variable: Variable {
                    name,
                    type_name: type_name.clone(),
                    length: None,
                    initial: None,
                },
                out,
            }));
            if !self.eat(",") {
                return Ok(all);
            }
        }
    }

    fn in_process(&mut self, system: &mut System, process: &mut Process) -> Parsed<()> {
        match &*self.keyword() {
            "dcl" => {
                self.advance();
                loop {
                    let names = self.separated(|parser| {
                        if !matches!(parser.peek(), Kind::Word(_))
                            || parser.is_word("revealed")
                            || parser.is_word("exported")
                        {
                            return Err(parser.refuse("the name of a variable"));
                        }
                        parser.name("the name of a variable")
                    })?;
                    let type_name = self.name("a type")?;
                    let initial = match self.eat(":=") {
                        true => Some(self.expression()?),
                        false => None,
                    };
                    process
                        .variables
                        .extend(names.into_iter().map(|name| Variable {
                            name,
                            type_name: type_name.clone(),
                            length: None,
                            initial: initial.clone(),
                        }));
                    if !self.eat(",") {
                        break;
                    }
                }
                self.end()?;
            }
            "timer" => {
                self.advance();
                let timers = self.separated(|parser| {
                    let name = parser.name("the name of a timer")?;
                    let parameters = parser.list(|parser| parser.name("a type"))?;
                    // How long it takes does not matter: time is abstract.
                    let has_duration = parser.eat(":=");
                    if has_duration {
                        parser.expression()?;
                    }
                    Ok(Timer {
                        name,
                        parameters,
                        has_duration,
                    })
                })?;
                self.end()?;
                process.timers.extend(timers);
            }
            "procedure" => {
                let procedure = self.procedure(system)?;
                process.procedures.push(procedure);
            }
            "start" => {
                let start = self.advance().span;
                self.end()?;
                let body = self.body()?;
                if process.start.replace(body).is_some() {
                    let message = "a process has one start transition";
                    self.error(codes::NO_START, start, message);
                }
            }
            "state" => {
                let state = self.state()?;
                process.states.push(state);
            }
            "connection" => {
                self.advance();
                let body = self.body()?;
                if body
                    .actions
                    .first()
                    .is_none_or(|action| action.label.is_none())
                {
                    let (span, message) = (body.span, "a `connection` begins with a label");
                    self.error(codes::UNEXPECTED_TOKEN, span, message);
                }
                process.connections.push(body);
                if !self.eat_word("endconnection") {
                    return Err(self.refuse("`endconnection`"));
                }
                if let Kind::Word(text) = self.peek()
                    && !text.eq_ignore_ascii_case("comment")
                {
                    self.name("the label")?;
                }
                self.end()?;
            }
            _ => {
                let expected = "a definition, `dcl`, `timer`, `start`, `state` or `endprocess`";
                return self.definition(system, expected);
            }
        }
        Ok(())
    }

    fn state(&mut self) -> Parsed<State> {
        let start = self.advance().span;
        let of = if self.eat("*") {
            States::AllBut(self.list(|parser| parser.name("a state"))?)
        } else {
            States::Named(self.separated(|parser| parser.name("a state"))?)
        };
        let span = self.since(start);
        let comment = self.end()?;
        let words = comment.unwrap_or_default().split_whitespace();
        let marks = words.map(str::to_ascii_lowercase).collect();
        let mut state = State {
            of,
            marks,
            triggers: Vec::new(),
            span,
        };
        loop {
            match &*self.keyword() {
                "input" | "save" | "provided" | "priority" => match self.trigger() {
                    Ok(trigger) => state.triggers.push(trigger),
                    Err(_) => self.recover_trigger(),
                },
                "endstate" => {
                    self.advance();
                    if let Kind::Word(_) = self.peek()
                        && !self.is_word("comment")
                    {
                        self.name("the name of a state")?;
                    }
                    self.end()?;
                    return Ok(state);
                }
                // `endstate` may be left out.
                "state" | "endprocess" | "endprocedure" | "start" | "connection" => {
                    return Ok(state);
                }
                _ => {
                    return Err(self.refuse(
                        "`input`, `save`, `provided`, `endstate`, `state` or `endprocess`",
                    ));
                }
            }
        }
    }

    fn trigger(&mut self) -> Parsed<Trigger> {
        let start = self.span();
        let word = self.keyword();
        let kind = match &*word {
            "save" => {
                self.advance();
                let kind = match self.eat("*") {
                    true => TriggerKind::SaveAll,
                    false => TriggerKind::Save(self.members()?),
                };
                let span = self.since(start);
                self.end()?;
                return Ok(Trigger {
                    kind,
                    provided: None,
                    body: Body::default(),
                    span,
                });
            }
            "provided" => {
                self.advance();
                let condition = self.expression()?;
                let span = self.since(start);
                self.end()?;
                let mut priority = u32::MAX;
                if self.eat_word("priority") {
                    let Kind::Number(text) = self.peek() else {
                        return Err(self.unexpected("a priority"));
                    };
                    priority = text.parse().unwrap_or(u32::MAX);
                    self.advance();
                    self.end()?;
                }
                return Ok(Trigger {
                    kind: TriggerKind::Continuous(priority),
                    provided: Some(condition),
                    body: self.body()?,
                    span,
                });
            }
            "priority" => {
                self.advance();
                if !self.eat_word("input") {
                    return Err(self.refuse("`input`"));
                }
                TriggerKind::PriorityInput(self.separated(Self::stimulus)?)
            }
            _ => {
                self.advance();
                if self.eat_word("none") {
                    TriggerKind::Spontaneous
                } else if self.eat("*") {
                    TriggerKind::AnyInput
                } else {
                    TriggerKind::Input(self.separated(Self::stimulus)?)
                }
            }
        };
        let span = self.since(start);
        self.end()?;
        let mut provided = None;
        if self.eat_word("provided") {
            provided = Some(self.expression()?);
            self.end()?;
        }
        Ok(Trigger {
            kind,
            provided,
            body: self.body()?,
            span,
        })
    }

    fn stimulus(&mut self) -> Parsed<Stimulus> {
        if self.is_word("virtual") {
            return Err(self.refuse("a signal"));
        }
        let signal = self.name("a signal")?;
        let mut targets = Vec::new();
        if self.eat("(") {
            loop {
                let dropped = self.is_sign(",") || self.is_sign(")");
                targets.push(match dropped {
                    true => None,
                    false => Some(self.variable()?),
                });
                if !self.eat(",") {
                    break;
                }
            }
            self.expect(")")?;
        }
        Ok(Stimulus { signal, targets })
    }

    /// Actions up to what cannot be one.
    fn body(&mut self) -> Parsed<Body> {
        self.deeper(|parser| {
            let start = parser.span();
            let mut actions = Vec::new();
            loop {
                let label = parser.label();
                let word = parser.keyword();
                let begins = matches!(
                    &*word,
                    "task"
                        | "output"
                        | "set"
                        | "reset"
                        | "decision"
                        | "nextstate"
                        | "stop"
                        | "join"
                        | "create"
                        | "call"
                        | "return"
                );
                if !begins {
                    let refused = super::NOT_TAKEN.iter().any(|(known, _)| *known == word);
                    if label.is_some()
                        || refused
                        || actions.is_empty() && !parser.is_sign("(") && !parser.ends_body()
                    {
                        return Err(parser.refuse("an action"));
                    }
                    let span = parser.since(start);
                    return Ok(Body { actions, span });
                }
                let begin = parser.span();
                parser.action(&word, &mut actions, label, begin)?;
            }
        })
    }

    /// Goes on at the next word that cannot belong to a transition.
    fn recover_trigger(&mut self) {
        let ends = [
            "input",
            "save",
            "provided",
            "state",
            "endstate",
            "endprocess",
            "endprocedure",
            "endblock",
            "endsystem",
        ];
        while !self.at_end() && !ends.iter().any(|word| self.is_word(word)) {
            self.advance();
        }
    }

    /// Does something come next that cannot belong to a transition?
    fn ends_body(&self) -> bool {
        matches!(
            &*self.keyword(),
            "input"
                | "save"
                | "provided"
                | "priority"
                | "state"
                | "endstate"
                | "endprocess"
                | "endprocedure"
                | "endconnection"
                | "connection"
                | "procedure"
                | "enddecision"
                | "else"
        )
    }

    /// `name:` before an action.
    fn label(&mut self) -> Option<crate::ast::Name> {
        let named = self.peek_after() == Kind::Sign(":");
        if !named || !matches!(self.peek(), Kind::Word(_)) || self.is_word("else") {
            return None;
        }
        let label = self.name("a label").ok()?;
        self.advance();
        Some(label)
    }

    fn action(
        &mut self,
        word: &str,
        actions: &mut Vec<Action>,
        mut label: Option<crate::ast::Name>,
        start: Span,
    ) -> Parsed<()> {
        self.advance();
        let mut add = |parser: &Self, kind, from: Span| {
            let span = parser.since(from);
            let label = label.take();
            actions.push(Action { label, kind, span });
        };
        match word {
            "task" => loop {
                let from = self.span();
                if let Kind::Quoted(_) = self.peek() {
                    self.advance();
                    add(self, ActionKind::Informal, from);
                } else {
                    if self.is_word("for") {
                        let (span, message) =
                            (self.span(), "`for` loops in tasks are not supported");
                        return Err(self.error(codes::NOT_TAKEN, span, message));
                    }
                    if !matches!(self.peek(), Kind::Word(_)) {
                        return Err(self.refuse("a variable or informal text"));
                    }
                    let target = self.variable()?;
                    self.expect(":=")?;
                    let value = self.expression()?;
                    add(self, ActionKind::Assign(target, value), from);
                }
                if !self.eat(",") {
                    break;
                }
            },
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
                let mut to = None;
                if self.eat_word("to") {
                    if self.is_word("all") {
                        let (span, message) = (
                            self.span(),
                            "`to all` is not of SDL: `via all` sends along each of some ways",
                        );
                        return Err(self.error(codes::NOT_TAKEN, span, message));
                    }
                    to = Some(self.expression()?);
                }
                let (mut via, mut all) = (Vec::new(), false);
                if self.eat_word("via") {
                    all = self.eat_word("all");
                    via = self.separated(|parser| parser.name("a channel or a route"))?;
                }
                for (signal, values, from) in outputs {
                    let (to, via) = (to.clone(), via.clone());
                    let output = Output {
                        signal,
                        values,
                        to,
                        via,
                        all,
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
                        self.expression()?;
                    }
                } else if let (Kind::Word(_), Kind::Sign("," | "+" | "-" | "*" | "!"))
                | (Kind::Number(_), _) = (self.peek(), self.peek_after())
                {
                    self.expression()?;
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
                let from = self.span();
                self.expect("(")?;
                let timer = self.name("a timer")?;
                let values = self.list(Self::expression)?;
                self.expect(")")?;
                add(self, ActionKind::Reset(timer, values), from);
                if !self.eat(",") {
                    break;
                }
            },
            "create" | "call" => {
                let what = ["a process", "a procedure"][usize::from(word == "call")];
                if self.is_word("this") {
                    let (span, message) =
                        (self.span(), "`this` is not supported (types of processes)");
                    return Err(self.error(codes::NOT_TAKEN, span, message));
                }
                let name = self.name(what)?;
                let values = self.list(Self::expression)?;
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
            "decision" => {
                let (question, answers) = self.decision()?;
                add(self, ActionKind::Decision(question, answers), start);
            }
            "nextstate" => {
                let state = match self.eat("-") {
                    true => None,
                    false => Some(self.name("a state or `-`")?),
                };
                add(self, ActionKind::NextState(state), start);
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

    fn decision(&mut self) -> Parsed<(Question, Vec<Answer>)> {
        let question = if let Kind::Quoted(_) = self.peek() {
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
        while !self.eat_word("enddecision") {
            let start = self.span();
            let ranges = if self.eat_word("else") {
                None
            } else {
                self.expect("(")?;
                if let (Question::Any, Kind::Quoted(_)) = (&question, self.peek()) {
                    self.advance();
                    self.expect(")")?;
                    None
                } else if self.eat(")") {
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

    fn range(&mut self) -> Parsed<Range> {
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
        let low = self.expression()?;
        Ok(match self.eat(":") {
            true => Range::Between(low, self.expression()?),
            false => Range::Compared(BinaryOperator::Equal, low),
        })
    }

    /// A variable, or a part of one.
    fn variable(&mut self) -> Parsed<Expression> {
        let start = self.span();
        let name = self.name("a variable")?;
        self.selected(name, start)
    }
}

fn new_process(name: crate::ast::Name) -> Process {
    Process {
        name,
        count: None,
        most: None,
        parameters: 0,
        variables: Vec::new(),
        timers: Vec::new(),
        procedures: Vec::new(),
        referenced: false,
        start: None,
        states: Vec::new(),
        connections: Vec::new(),
    }
}
