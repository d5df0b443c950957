//! What the processes of a program look at. Formulas and claims look at more, but they are no part of
//! the system.

use mazurka_model::{
    Base, Expression, ExpressionId, Field, Instruction, PlaceId, Program, ReceiveId, SendId,
};

/// The expressions and places that some process makes use of.
pub(crate) struct Used {
    expressions: Vec<bool>,
    places: Vec<bool>,
}

impl Used {
    /// Finds what the processes that may be started make use of.
    pub fn by(program: &Program) -> Used {
        let mut finder = Finder {
            program,
            used: Used {
                expressions: vec![false; program.expressions.len()],
                places: vec![false; program.places.len()],
            },
            types: vec![false; program.process_types.len()],
            passes_over: None,
        };
        finder.code(program.start.clone());
        finder.used
    }

    /// Finds what the processes of one type make use of, those that they start left out. To print the own number is no use of it.
    pub fn by_type(program: &Program, process_type: usize) -> Used {
        let mut finder = Finder {
            program,
            used: Used {
                expressions: vec![false; program.expressions.len()],
                places: vec![false; program.places.len()],
            },
            types: vec![true; program.process_types.len()],
            passes_over: Some(Expression::SelfProcess),
        };
        finder.types[process_type] = false;
        finder.process(process_type);
        finder.used
    }

    /// Everything, also what only formulas and claims look at.
    pub fn everything(program: &Program) -> Used {
        Used {
            expressions: vec![true; program.expressions.len()],
            places: vec![true; program.places.len()],
        }
    }

    /// The expressions in use.
    pub fn expressions<'p>(&'p self, program: &'p Program) -> impl Iterator<Item = &'p Expression> {
        let all = program.expressions.iter().zip(&self.expressions);
        all.filter(|(_, used)| **used)
            .map(|(expression, _)| expression)
    }

    /// The places in use.
    pub fn places(&self) -> impl Iterator<Item = PlaceId> {
        let used = (0..self.places.len()).filter(|place| self.places[*place]);
        used.map(|place| PlaceId(place as u32))
    }
}

struct Finder<'p> {
    program: &'p Program,
    used: Used,
    types: Vec<bool>,
    /// What does not count if it is printed as it is.
    passes_over: Option<Expression>,
}

impl Finder<'_> {
    fn process(&mut self, number: usize) {
        if std::mem::replace(&mut self.types[number], true) {
            return;
        }
        let program = self.program;
        let process = &program.process_types[number];
        self.code(process.start.clone());
        process
            .provided
            .into_iter()
            .for_each(|e| self.expression(e));
        process.parameters.iter().for_each(|p| self.place(*p));
        for location in process.locations.clone() {
            for transition in program.locations[location as usize].transitions.clone() {
                let transition = &program.transitions[transition as usize];
                self.expression(transition.guard);
                self.code(transition.effect.clone());
                match transition.handshake {
                    mazurka_model::Handshake::Apart => {}
                    mazurka_model::Handshake::Sends(send) => self.send(send),
                    mazurka_model::Handshake::Receives(receive) => self.receive(receive),
                }
            }
        }
    }

    fn code(&mut self, range: std::ops::Range<u32>) {
        let program = self.program;
        for instruction in &program.code[range.start as usize..range.end as usize] {
            match instruction {
                Instruction::Assign(place, value) => {
                    self.place(*place);
                    self.expression(*value);
                }
                Instruction::Send(send) => self.send(*send),
                Instruction::Receive(receive) => self.receive(*receive),
                Instruction::NewChannel(place, _) => self.place(*place),
                Instruction::Run {
                    process_type,
                    arguments,
                    result,
                    ..
                } => {
                    self.list(arguments.clone());
                    result.iter().for_each(|place| self.place(*place));
                    self.process(process_type.index());
                }
                Instruction::Assert(claim) => self.expression(*claim),
                Instruction::Print(_, arguments) => {
                    for position in arguments.clone() {
                        let argument = program.lists[position as usize];
                        if Some(program.expressions[argument.index()]) != self.passes_over {
                            self.expression(argument);
                        }
                    }
                }
                Instruction::SetPriority(process, priority) => {
                    self.expression(*process);
                    self.expression(*priority);
                }
                Instruction::JumpUnless(condition, _) => self.expression(*condition),
                Instruction::Die
                | Instruction::Jump(_)
                | Instruction::Stuck
                | Instruction::Breach(_)
                | Instruction::Stop(_)
                | Instruction::Enter(_) => {}
            }
        }
    }

    fn list(&mut self, range: std::ops::Range<u32>) {
        for position in range {
            self.expression(self.program.lists[position as usize]);
        }
    }

    fn send(&mut self, send: SendId) {
        let send = &self.program.sends[send.index()];
        self.expression(send.channel);
        self.list(send.values.clone());
    }

    fn receive(&mut self, receive: ReceiveId) {
        let program = self.program;
        let receive = &program.receives[receive.index()];
        self.expression(receive.channel);
        for field in &program.fields[receive.fields.start as usize..receive.fields.end as usize] {
            match field {
                Field::Bind(place) => self.place(*place),
                Field::Match(value) => self.expression(*value),
                Field::Discard => {}
            }
        }
    }

    fn place(&mut self, id: PlaceId) {
        if std::mem::replace(&mut self.used.places[id.index()], true) {
            return;
        }
        let place = &self.program.places[id.index()];
        if let Base::Remote(_, Some(process)) = place.base {
            self.expression(process);
        }
        for index in place.indices.clone() {
            self.expression(self.program.indices[index as usize].expression);
        }
    }

    fn expression(&mut self, id: ExpressionId) {
        if std::mem::replace(&mut self.used.expressions[id.index()], true) {
            return;
        }
        match self.program.expressions[id.index()] {
            Expression::Load(place) => self.place(place),
            Expression::Unary(_, operand)
            | Expression::Channel(_, operand)
            | Expression::Enabled(operand)
            | Expression::LocationOf(operand)
            | Expression::PriorityOf(operand)
            | Expression::Marked {
                process: operand, ..
            } => self.expression(operand),
            Expression::Binary(_, left, right)
            | Expression::And(left, right)
            | Expression::Or(left, right) => {
                self.expression(left);
                self.expression(right);
            }
            Expression::Conditional(condition, yes, no) => {
                self.expression(condition);
                self.expression(yes);
                self.expression(no);
            }
            Expression::CanReceive(receive) => self.receive(receive),
            Expression::At { process, .. } => {
                process
                    .into_iter()
                    .for_each(|process| self.expression(process));
            }
            Expression::Constant(_)
            | Expression::SelfProcess
            | Expression::ProcessCount
            | Expression::LastProcess
            | Expression::Youngest
            | Expression::Timeout
            | Expression::NoProgress => {}
        }
    }
}
