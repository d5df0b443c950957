//! Processes: what they declare, their states and transitions.

use mazurka_syntax::{Kind, Parse, Parsed};

use super::{Parser, is_reserved};
use crate::ast::{
    Body, Composite, Name, Parameter, Procedure, Process, State, States, Stimulus, System, Timer,
    Trigger, TriggerKind, Variable,
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
        if self.is_sign(":") {
            let (span, message) = (self.span(), "instances of process types are not supported");
            return Err(self.error(codes::NOT_TAKEN, span, message));
        }
        if self.eat_word("referenced") {
            self.end()?;
            process.referenced = true;
            return Ok(process);
        }
        if self.end().is_err() {
            self.recover();
        }
        // Parameters come first; a drawing may have its texts in any order.
        while self.is_word("fpar") || self.is_word("dcl") {
            if !self.eat_word("fpar") {
                self.variables_or_recover(&mut process);
                continue;
            }
            let parameters = self.parameters()?;
            if self.is_sign(";") || self.is_word("comment") {
                self.end()?;
            }
            let before = process.parameters;
            process.parameters += parameters.len();
            let variables = parameters.into_iter().map(|parameter| parameter.variable);
            process.variables.splice(before..before, variables);
        }
        let (types, synonyms) = (system.types.len(), system.synonyms.len());
        let parsed = self.parts(system, &mut process, "endprocess");
        let types = system.types[types..].iter().map(|one| &one.name);
        let synonyms = system.synonyms[synonyms..].iter().map(|one| &one.name);
        process.own = types.chain(synonyms).cloned().collect();
        parsed?;
        Ok(process)
    }

    /// What stands in a process or a procedure.
    fn parts(&mut self, system: &mut System, process: &mut Process, end: &str) -> Parsed<()> {
        while !self.is_word(end) {
            let is_next = self.is_word("process") && end == "endprocess";
            if self.at_end() || is_next || self.is_word("endblock") || self.is_word("endsystem") {
                return Err(self.unexpected(&format!("`{end}`")));
            }
            self.or_behind(|parser| parser.in_process(system, process));
        }
        let name = process.name.clone();
        self.closing(&name);
        Ok(())
    }

    /// A procedure, or an operator of a type, which is like one.
    pub(super) fn procedure(&mut self, system: &mut System) -> Parsed<Procedure> {
        let end = ["endprocedure", "endoperator"][usize::from(self.is_word("operator"))];
        self.advance();
        self.qualifier();
        let mut inside = new_process(self.name("the name of a procedure")?);
        if self.eat_word("referenced") {
            self.end()?;
            return Ok(Procedure {
                referenced: true,
                ..procedure_of(inside)
            });
        }
        self.end()?;
        let (mut parameters, mut returns) = (Vec::new(), None);
        loop {
            if self.eat_word("fpar") {
                parameters.extend(self.parameters()?);
                self.end()?;
            } else if self.eat_word("returns") || self.eat("->") {
                let first = self.name("the type of the value")?;
                returns = Some(match self.peek() {
                    Kind::Word(word) if !is_reserved(word) => {
                        (Some(first), self.name("the type of the value")?)
                    }
                    _ => (None, first),
                });
                // OpenGEODE may leave the `;` out.
                if self.is_sign(";") || self.is_word("comment") {
                    self.end()?;
                }
            } else if self.is_word("dcl") {
                self.variables_or_recover(&mut inside);
            } else {
                break;
            }
        }
        let external = self.eat_word("external");
        let mut referenced = false;
        if external {
            self.end()?;
            if self.is_word(end) {
                self.closing(&inside.name);
            }
        } else if self.eat_word("referenced") {
            self.end()?;
            referenced = true;
        } else {
            self.deeper(|parser| parser.parts(system, &mut inside, end))?;
        }
        if let Some(timer) = inside.timers.first() {
            let (span, message) = (timer.name.span, "a procedure has no timers of its own");
            return Err(self.error(codes::NOT_TAKEN, span, message));
        }
        Ok(Procedure {
            parameters,
            returns,
            external,
            referenced,
            ..procedure_of(inside)
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
                    revealed: false,
                    exported: None,
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
                self.variables(process)?;
            }
            "viewed" => {
                self.advance();
                let viewed = self.variables_of_types("a variable that is viewed")?;
                self.end()?;
                process.viewed.extend(viewed);
            }
            "imported" if !self.peek_after_is("procedure") => {
                self.advance();
                let imported = self.variables_of_types("a variable that is imported")?;
                self.end()?;
                process.imported.extend(imported);
            }
            "timer" => {
                self.advance();
                let timers = self.separated(|parser| {
                    let name = parser.name("the name of a timer")?;
                    let parameters = parser.list(|parser| parser.name("a type"))?;
                    // How long it takes does not matter: time is abstract.
                    let has_duration = parser.eat(":=");
                    if has_duration {
                        parser.time()?;
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
            "state" => self.deeper(|parser| parser.state(system, process))?,
            "signalroute" => {
                let span = self.span();
                let message = "signal routes inside a process are not supported (services)";
                let told = self.error(codes::NOT_TAKEN, span, message);
                self.recover();
                while self.is_word("from") || self.is_word("to") {
                    self.recover();
                }
                return Err(told);
            }
            "signalset" => {
                self.advance();
                if !self.is_sign(";") {
                    process.signals.extend(self.members()?);
                }
                self.end()?;
            }
            "connect" => {
                let message = "entry points of the parts of an aggregation are not supported";
                let span = self.span();
                return Err(self.error(codes::NOT_TAKEN, span, message));
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

    fn variables_or_recover(&mut self, process: &mut Process) {
        self.advance();
        if self.variables(process).is_err() {
            self.recover();
        }
    }

    /// What follows `dcl`.
    fn variables(&mut self, process: &mut Process) -> Parsed<()> {
        let (mut revealed, mut exported) = (false, false);
        loop {
            if self.eat_word("revealed") {
                revealed = true;
            } else if self.eat_word("exported") {
                exported = true;
            } else {
                break;
            }
        }
        loop {
            let names = self.separated(|parser| {
                let name = parser.name("the name of a variable")?;
                let known = match exported && parser.eat_word("as") {
                    true => parser.name("the name of a remote variable")?,
                    false => name.clone(),
                };
                Ok((name, known))
            })?;
            let type_name = self.name("a type")?;
            let initial = match self.eat(":=") {
                true => Some(self.expression()?),
                false => None,
            };
            let variables = names.into_iter().map(|(name, known)| Variable {
                name,
                type_name: type_name.clone(),
                length: None,
                initial: initial.clone(),
                revealed,
                exported: exported.then_some(known),
            });
            process.variables.extend(variables);
            if !self.eat(",") {
                break;
            }
        }
        self.end()?;
        Ok(())
    }

    /// `state s; substructure … endsubstructure;`
    fn composite(&mut self, system: &mut System, name: Name) -> Parsed<Composite> {
        self.advance();
        let mut composite = Composite {
            inside: new_process(name.clone()),
            name,
            entries: Vec::new(),
            exits: Vec::new(),
            starts: Vec::new(),
            aggregation: false,
        };
        while self.is_word("in") || self.is_word("out") {
            let entry = self.is_word("in");
            self.advance();
            let points = self.list(|parser| parser.name("a point"))?;
            self.end()?;
            match entry {
                true => composite.entries.extend(points),
                false => composite.exits.extend(points),
            }
        }
        while !self.is_word("endsubstructure") {
            if self.at_end() || self.is_word("endprocess") || self.is_word("endblock") {
                return Err(self.unexpected("`endsubstructure`"));
            }
            if !self.is_word("start") {
                self.or_behind(|parser| parser.in_process(system, &mut composite.inside));
                continue;
            }
            self.advance();
            let mut entry = None;
            if !self.is_sign(";") && !self.is_word("comment") {
                entry = Some(self.name("an entry point")?);
            }
            self.end()?;
            let body = self.body()?;
            composite.starts.push((entry, body));
        }
        if self.peek_after_is("state") {
            self.advance();
        }
        self.closing(&composite.name.clone());
        if self.is_word("endstate") {
            self.closing(&composite.name.clone());
        }
        Ok(composite)
    }

    fn state(&mut self, system: &mut System, process: &mut Process) -> Parsed<()> {
        let start = self.advance().span;
        let aggregation = self.is_word("aggregation") && matches!(self.peek_after(), Kind::Word(_));
        if aggregation {
            self.advance();
        }
        let of = if self.eat("*") {
            States::AllBut(self.list(|parser| parser.name("a state"))?)
        } else {
            States::Named(self.separated(|parser| parser.name("a state"))?)
        };
        if self.is_sign(":") {
            let (span, message) = (self.span(), "instances of state types are not supported");
            return Err(self.error(codes::NOT_TAKEN, span, message));
        }
        if self.is_word("via") {
            let message = "an entry point of a state is supported in `nextstate` only";
            let span = self.span();
            return Err(self.error(codes::NOT_TAKEN, span, message));
        }
        let span = self.since(start);
        let comment = self.end()?;
        let words = comment.unwrap_or_default().split_whitespace();
        let marks = words.map(str::to_ascii_lowercase).collect();
        if let (true, States::Named(names)) = (self.is_word("substructure"), &of) {
            let mut composite = self.composite(system, names[0].clone())?;
            composite.aggregation = aggregation;
            process.composites.push(composite);
            return Ok(());
        }
        if aggregation {
            return Err(self.unexpected("`substructure`"));
        }
        let mut state = State {
            of,
            marks,
            triggers: Vec::new(),
            span,
        };
        loop {
            match &*self.keyword() {
                "input" | "save" | "provided" | "priority" | "connect" => match self.trigger() {
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
                    process.states.push(state);
                    return Ok(());
                }
                // `endstate` may be left out.
                "state" | "endprocess" | "endprocedure" | "endoperator" | "endsubstructure"
                | "start" | "connection" => {
                    process.states.push(state);
                    return Ok(());
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
                    let Ok(value) = text.parse() else {
                        let message = "a priority is a whole number that fits into 32 bits";
                        let span = self.span();
                        return Err(self.error(codes::MALFORMED_NUMBER, span, message));
                    };
                    priority = value;
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
            "connect" => {
                self.advance();
                if self.eat("*") {
                    TriggerKind::AnyExit
                } else if self.is_sign(";") || self.is_word("comment") {
                    TriggerKind::Exit(Vec::new())
                } else {
                    TriggerKind::Exit(self.separated(|parser| parser.name("an exit point"))?)
                }
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
}

/// A procedure of what stands in it.
fn procedure_of(inside: Process) -> Procedure {
    Procedure {
        name: inside.name,
        parameters: Vec::new(),
        returns: None,
        variables: inside.variables,
        procedures: inside.procedures,
        start: inside.start,
        states: inside.states,
        connections: inside.connections,
        external: false,
        referenced: false,
    }
}

fn new_process(name: Name) -> Process {
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
        composites: Vec::new(),
        viewed: Vec::new(),
        imported: Vec::new(),
        own: Vec::new(),
        signals: Vec::new(),
    }
}
