//! Machines: parameters, ports, variables, states, transitions and what is in them.

use mazurka_syntax::{Kind, Parse, Parsed};

use super::Parser;
use crate::ast::{
    Expression, ExpressionKind, Machine, Message, Model, Order, Parameter, Pattern, Place, Port,
    Receive, Send, State, Statement, Transition, Use,
};
use crate::codes;

impl Parser<'_, '_> {
    pub(super) fn machine(&mut self, model: &mut Model) -> Parsed<()> {
        let start = self.advance().span;
        let name = self.name("the name of a machine")?;
        let parameters = self.list(|parser| {
            let name = parser.name("the name of a parameter")?;
            parser.expect(":")?;
            let type_name = parser.name("a type")?;
            Ok(Parameter { name, type_name })
        })?;
        let mut machine = Machine {
            name,
            parameters,
            ports: Vec::new(),
            variables: Vec::new(),
            states: Vec::new(),
            transitions: Vec::new(),
            span: self.since(start),
        };
        let result = self.block(|parser| parser.member(&mut machine));
        self.eat(";");
        model.machines.push(machine);
        result
    }

    fn member(&mut self, machine: &mut Machine) -> Parsed<()> {
        match self.peek() {
            Kind::Word("port") => machine.ports.push(self.port()?),
            Kind::Word("var") => self.variables(&mut machine.variables)?,
            Kind::Word("state" | "start" | "final" | "progress" | "accept") => {
                self.states(&mut machine.states)?;
            }
            Kind::Word(_) if self.peek_after() == Kind::Sign("->") => {
                machine.transitions.push(self.transition()?);
            }
            _ => return Err(self.unexpected("`port`, `var`, `state` or a transition `FROM -> TO`")),
        }
        Ok(())
    }

    fn port(&mut self) -> Parsed<Port> {
        self.advance();
        let name = self.name("the name of a port")?;
        let mut capacity = None;
        if self.eat("[") {
            capacity = Some(self.expression()?);
            self.expect("]")?;
        }
        let waits = self.eat_word("waits");
        // Nobody waits for room in a port that loses what it has no room for.
        let loses = !waits && self.eat_word("loses");
        let duplicates = self.eat_word("duplicates");
        let order = match self.eat_word("sorted") {
            true => Order::Sorted,
            false if self.eat_word("reorders") => Order::Any,
            false => Order::Sent,
        };
        self.expect("{")?;
        let messages = self.separated(Self::message)?;
        self.expect("}")?;
        self.eat(";");
        Ok(Port {
            name,
            capacity,
            waits,
            loses,
            duplicates,
            order,
            messages,
        })
    }

    fn message(&mut self) -> Parsed<Message> {
        let name = self.name("the name of a message")?;
        let fields = self.list(|parser| parser.name("a type"))?;
        Ok(Message { name, fields })
    }

    /// `slots[1].take`
    fn use_of_object(&mut self) -> Parsed<Use> {
        let start = self.span();
        let object = self.place()?;
        self.expect(".")?;
        let operation = self.name("what is done with the object")?;
        Ok(Use {
            object,
            operation,
            span: self.since(start),
        })
    }

    pub(super) fn states(&mut self, states: &mut Vec<State>) -> Parsed<()> {
        let (mut start, mut last, mut progress, mut accept) = (false, false, false, false);
        loop {
            match self.peek() {
                Kind::Word("start") => start = true,
                Kind::Word("final") => last = true,
                Kind::Word("progress") => progress = true,
                Kind::Word("accept") => accept = true,
                Kind::Word("state") => break,
                _ => return Err(self.unexpected("`state`")),
            }
            self.advance();
        }
        self.advance();
        let names = self.separated(|parser| parser.name("the name of a state"))?;
        states.extend(names.into_iter().map(|name| State {
            name,
            start,
            last,
            progress,
            accept,
        }));
        self.expect(";")
    }

    fn transition(&mut self) -> Parsed<Transition> {
        let start = self.span();
        let from = self.name("a state")?;
        self.expect("->")?;
        let to = self.name("a state")?;
        let mut transition = Transition {
            from,
            to,
            predicate: None,
            uses: Vec::new(),
            receive: None,
            block: Vec::new(),
            sends: Vec::new(),
            span: start,
        };
        // The order in which the parts happen: predicate, receive, block, sends.
        let mut stage = 0;
        loop {
            let here = self.span();
            let this = match self.peek() {
                Kind::Word("when") => 1,
                Kind::Word("do") => 2,
                Kind::Sign("?") => 3,
                Kind::Sign("{") => 4,
                Kind::Sign("!") => 5,
                _ => break,
            };
            if this < stage || this == stage && this < 5 {
                let message = "a transition has at most one predicate, one `do`, one receive and \
                               one block, in this order, and then its sends";
                self.error(codes::REPEATED_CLAUSE, here, message);
            }
            stage = this;
            match this {
                1 => {
                    self.advance();
                    transition.predicate = Some(self.expression()?);
                }
                2 => {
                    self.advance();
                    transition.uses = self.separated(Self::use_of_object)?;
                }
                3 => transition.receive = Some(self.receive()?),
                4 => transition.block.extend(self.statements()?),
                _ => transition.sends.push(self.send()?),
            }
        }
        transition.span = self.since(start);
        // A block ends itself.
        if stage != 4 || self.is_sign(";") {
            self.expect(";")?;
        }
        Ok(transition)
    }

    fn receive(&mut self) -> Parsed<Receive> {
        let start = self.advance().span;
        let port = self.name("a port")?;
        self.expect(".")?;
        let message = self.name("a message")?;
        let patterns = self.list(|parser| {
            if parser.eat("=") {
                return Ok(Pattern::Match(parser.expression()?));
            }
            if parser.is_word("_") {
                return Ok(Pattern::Ignore(parser.advance().span));
            }
            Ok(Pattern::Store(parser.place()?))
        })?;
        Ok(Receive {
            port,
            message,
            patterns,
            span: self.since(start),
        })
    }

    fn send(&mut self) -> Parsed<Send> {
        let start = self.advance().span;
        let name = self.name("an instance")?;
        let target = if self.eat("[") {
            let index = Box::new(self.expression()?);
            self.expect("]")?;
            Expression {
                span: self.since(name.span),
                kind: ExpressionKind::Index(name, index),
            }
        } else {
            Expression {
                span: name.span,
                kind: ExpressionKind::Name(name.text),
            }
        };
        self.expect(".")?;
        let port = self.name("a port")?;
        self.expect(".")?;
        let message = self.name("a message")?;
        let values = self.list(Self::expression)?;
        Ok(Send {
            target,
            port,
            message,
            values,
            span: self.since(start),
        })
    }

    fn place(&mut self) -> Parsed<Place> {
        let name = self.name("a variable")?;
        let mut index = None;
        if self.eat("[") {
            index = Some(Box::new(self.expression()?));
            self.expect("]")?;
        }
        Ok(Place { name, index })
    }

    fn statements(&mut self) -> Parsed<Vec<Statement>> {
        self.deeper(|parser| {
            let mut statements = Vec::new();
            parser.block(|parser| {
                let statement = parser.statement()?;
                statements.push(statement);
                Ok(())
            })?;
            Ok(statements)
        })
    }

    fn statement(&mut self) -> Parsed<Statement> {
        match self.peek() {
            Kind::Word("if") => self.conditional(),
            Kind::Word("while") => {
                self.advance();
                let condition = self.expression()?;
                Ok(Statement::While(condition, self.statements()?))
            }
            Kind::Word("for") => {
                self.advance();
                let variable = self.name("a variable")?;
                self.expect_word("in")?;
                let from = self.expression()?;
                self.expect("..")?;
                let to = self.expression()?;
                Ok(Statement::For(variable, from, to, self.statements()?))
            }
            Kind::Word("assert") => {
                self.advance();
                let claim = self.expression()?;
                self.expect(";")?;
                Ok(Statement::Assert(claim))
            }
            _ => {
                let place = self.place()?;
                if self.is_sign("=") {
                    return Err(self.no_operator("to assign, write `:=`"));
                }
                self.expect(":=")?;
                let value = self.expression()?;
                self.expect(";")?;
                Ok(Statement::Assign(place, value))
            }
        }
    }

    fn conditional(&mut self) -> Parsed<Statement> {
        self.advance();
        let condition = self.expression()?;
        let then = self.statements()?;
        let mut otherwise = Vec::new();
        if self.eat_word("else") {
            if self.is_word("if") {
                otherwise.push(self.deeper(Self::conditional)?);
            } else {
                otherwise = self.statements()?;
            }
        }
        Ok(Statement::If(condition, then, otherwise))
    }
}
