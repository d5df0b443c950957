//! Tables that grow: places, expressions and code of the program in the making.

use std::collections::HashMap;

use mazurka_model::{
    Base, BinaryOperator, Breach, BreachId, BreachKind, ChannelType, ChannelTypeId, Expression,
    ExpressionId, Instruction, Kind, Meaning, Origin, Place, PlaceId, ProcessType, ProcessTypeId,
    Program, Statement, StatementId, UnaryOperator, Variable,
};

pub(super) struct Builder {
    pub program: Program,
    constants: HashMap<i32, ExpressionId>,
    breaches: HashMap<(BreachKind, String), BreachId>,
    /// What runs before everything else; put at the end of the code when all is known.
    start: Vec<Instruction>,
    /// Jumps to places where the effect under way stops, which are not known yet.
    stops: Vec<(u32, BreachId)>,
}

impl Builder {
    pub fn new(name: &str) -> Builder {
        Builder {
            program: Program {
                name: name.into(),
                files: vec![name.into()],
                ..Program::default()
            },
            constants: HashMap::new(),
            breaches: HashMap::new(),
            start: Vec::new(),
            stops: Vec::new(),
        }
    }

    pub fn finish(mut self) -> Program {
        let first = self.here();
        self.program.code.append(&mut self.start);
        self.program.start = first..self.here();
        self.program
    }

    /// The number of the next instruction.
    pub fn here(&self) -> u32 {
        self.program.code.len() as u32
    }

    pub fn next_location(&self) -> u32 {
        self.program.locations.len() as u32
    }

    pub fn emit(&mut self, instruction: Instruction) {
        self.program.code.push(instruction);
    }

    /// The effect goes on only if the condition holds.
    pub fn emit_or_stop(&mut self, condition: ExpressionId, breach: BreachId) {
        self.stops.push((self.here(), breach));
        self.emit(Instruction::JumpUnless(condition, 0));
    }

    /// Ends an effect: where it stops comes behind.
    pub fn end_effect(&mut self) {
        if self.stops.is_empty() {
            return;
        }
        let end = self.here() + 1 + self.stops.len() as u32;
        self.emit(Instruction::Jump(end));
        for (jump, breach) in std::mem::take(&mut self.stops) {
            let here = self.here();
            if let Instruction::JumpUnless(_, target) = &mut self.program.code[jump as usize] {
                *target = here;
            }
            self.emit(Instruction::Stop(breach));
        }
    }

    pub fn expression(&mut self, expression: Expression) -> ExpressionId {
        self.program.expressions.push(expression);
        ExpressionId(self.program.expressions.len() as u32 - 1)
    }

    pub fn constant(&mut self, value: i32) -> ExpressionId {
        if let Some(known) = self.constants.get(&value) {
            return *known;
        }
        let made = self.expression(Expression::Constant(value));
        self.constants.insert(value, made);
        made
    }

    pub fn not(&mut self, operand: ExpressionId) -> ExpressionId {
        self.expression(Expression::Unary(UnaryOperator::Not, operand))
    }

    pub fn load(&mut self, place: PlaceId) -> ExpressionId {
        self.expression(Expression::Load(place))
    }

    pub fn is_equal(&mut self, place: PlaceId, value: i32) -> ExpressionId {
        let load = self.expression(Expression::Load(place));
        let value = self.constant(value);
        self.expression(Expression::Binary(BinaryOperator::Equal, load, value))
    }

    /// All conditions at once; none if there are none.
    pub fn all(&mut self, conditions: Vec<ExpressionId>) -> Option<ExpressionId> {
        conditions
            .into_iter()
            .reduce(|left, right| self.expression(Expression::And(left, right)))
    }

    pub fn place(&mut self, base: Base, offset: u32, kind: Kind) -> PlaceId {
        self.program.places.push(Place {
            base,
            offset,
            kind,
            indices: 0..0,
        });
        PlaceId(self.program.places.len() as u32 - 1)
    }

    pub fn shared(&mut self, name: String, kind: Kind, meaning: Meaning) -> PlaceId {
        let offset = self.program.shared_bytes;
        self.program.shared_bytes += kind.bytes();
        self.program.shared.push(Variable {
            name,
            offset,
            kind,
            length: None,
            meaning,
        });
        self.place(Base::Shared, offset, kind)
    }

    /// Makes a channel at the start, and gives its number. A hidden variable gives it its name.
    pub fn channel(&mut self, channel_type: ChannelType) -> i32 {
        let offset = self.program.hidden_bytes;
        self.program.hidden_bytes += Kind::Byte.bytes();
        self.program.hidden.push(Variable {
            name: channel_type.name.clone(),
            offset,
            kind: Kind::Byte,
            length: None,
            meaning: Meaning::Channel,
        });
        let place = self.place(Base::Hidden, offset, Kind::Byte);
        let id = ChannelTypeId(self.program.channel_types.len() as u32);
        self.program.channel_types.push(channel_type);
        self.start.push(Instruction::NewChannel(place, id));
        self.program.channel_types.len() as i32
    }

    pub fn run_at_start(&mut self, process_type: ProcessTypeId) {
        self.start.push(Instruction::Run {
            process_type,
            arguments: 0..0,
            priority: 1,
            result: None,
        });
    }

    pub fn process_type(&mut self, process_type: ProcessType) {
        self.program.process_types.push(process_type);
    }

    pub fn statement(&mut self, statement: Statement) -> StatementId {
        self.program.statements.push(statement);
        StatementId(self.program.statements.len() as u32 - 1)
    }

    pub fn breach(&mut self, kind: BreachKind, message: String, origin: Origin) -> BreachId {
        let fresh = BreachId(self.program.breaches.len() as u32);
        let id = *self
            .breaches
            .entry((kind, message.clone()))
            .or_insert(fresh);
        if id == fresh {
            self.program.breaches.push(Breach {
                kind,
                message,
                origin,
            });
        }
        id
    }
}
