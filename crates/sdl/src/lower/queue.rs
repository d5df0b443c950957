//! Queues: how signals are put into them and taken from them, and the room for one that is moved.

use mazurka_model::{
    BreachKind, ChannelTest, Expression, ExpressionId, Field, Instruction, Kind, Meaning, Receive,
    ReceiveId, Send, SendId, Variable,
};
use mazurka_span::Span;
use mazurka_syntax::Lower;

use super::Lowerer;
use crate::ast::BinaryOperator;

impl Lowerer<'_> {
    /// The receive of a signal from a channel of the process, with what becomes of its fields.
    pub(super) fn receive(
        &mut self,
        offset: u32,
        signal: usize,
        fields: Vec<Field>,
        random: bool,
    ) -> ReceiveId {
        let channel = self.load(offset, Kind::Byte);
        let tag = self.constant(signal as i32 + 1);
        let first = self.building.program.fields.len();
        self.building.program.fields.push(Field::Match(tag));
        self.building.program.fields.extend(fields);
        let end = first + self.width();
        self.building.program.fields.resize(end, Field::Discard);
        self.add_receive(Receive {
            channel,
            fields: first as u32..end as u32,
            random,
            keep: false,
        })
    }

    /// The receive of any signal from a channel, with what becomes of all its fields.
    pub(super) fn receive_any(
        &mut self,
        channel: ExpressionId,
        fields: impl IntoIterator<Item = Field>,
    ) -> ReceiveId {
        let first = self.building.program.fields.len() as u32;
        self.building.program.fields.extend(fields);
        self.add_receive(Receive {
            channel,
            fields: first..self.building.program.fields.len() as u32,
            random: false,
            keep: false,
        })
    }

    pub(super) fn add_receive(&mut self, receive: Receive) -> ReceiveId {
        self.building.program.receives.push(receive);
        ReceiveId(self.building.program.receives.len() as u32 - 1)
    }

    /// The queue of an instance, and what it has put aside.
    pub(super) fn queue_of(
        &mut self,
        process: usize,
        number: u32,
    ) -> (ExpressionId, Option<ExpressionId>) {
        let described = &self.processes[process];
        let saves = described.saves;
        let queue = described.first_channel + number * (1 + u32::from(saves));
        let saved = saves.then(|| self.constant(queue as i32 + 1));
        (self.constant(queue as i32), saved)
    }

    /// A signal for a queue that is full is an error, and there is no next state.
    pub(super) fn room(
        &mut self,
        queue: ExpressionId,
        saved: Option<ExpressionId>,
        signal: &str,
        span: Span,
    ) {
        let room = match saved {
            None if self.longest() == self.capacity => {
                self.node(Expression::Channel(ChannelTest::NotFull, queue))
            }
            saved => {
                let length = self.waiting(queue, saved);
                let most = self.constant(self.capacity as i32);
                self.both(BinaryOperator::Less, length, most)
            }
        };
        let message = format!("no room for {signal} in a queue of {}", self.capacity);
        let breach = self.breach(BreachKind::Overflow, message, span);
        let at = self.here();
        self.emit(Instruction::JumpUnless(room, at + 2));
        self.emit(Instruction::Jump(at + 3));
        self.emit(Instruction::Stop(breach));
    }

    /// How many signals a queue can hold: besides those that count, one that creates a process.
    pub(super) fn longest(&self) -> u32 {
        let created = self
            .processes
            .iter()
            .any(|process| process.created_by.is_some());
        self.capacity + u32::from(created)
    }

    /// How many signals are in a queue; what creates its process is none of them.
    pub(super) fn waiting(
        &mut self,
        queue: ExpressionId,
        saved: Option<ExpressionId>,
    ) -> ExpressionId {
        let mut length = self.node(Expression::Channel(ChannelTest::Length, queue));
        if let Some(saved) = saved {
            let saved = self.node(Expression::Channel(ChannelTest::Length, saved));
            length = self.both(BinaryOperator::Add, length, saved);
        }
        let created: Vec<usize> = self.processes.iter().filter_map(|p| p.created_by).collect();
        for signal in created {
            let tag = self.constant(signal as i32 + 1);
            let mut fields = vec![Field::Match(tag)];
            fields.resize(self.width(), Field::Discard);
            let receive = self.receive_any(queue, fields);
            let first = self.node(Expression::CanReceive(receive));
            length = self.both(BinaryOperator::Subtract, length, first);
        }
        length
    }

    pub(super) fn send_values(&mut self, channel: ExpressionId, values: Vec<ExpressionId>) {
        let first = self.building.program.lists.len() as u32;
        self.building.program.lists.extend(values);
        self.building.program.sends.push(Send {
            channel,
            values: first..self.building.program.lists.len() as u32,
            sorted: false,
        });
        let send = SendId(self.building.program.sends.len() as u32 - 1);
        self.emit(Instruction::Send(send));
    }

    /// Room for one message in the frame of a process that saves: how it is taken there, and its values.
    pub(super) fn scratch(&mut self, process: usize) -> (Vec<Field>, Vec<ExpressionId>) {
        let mut offset = self.processes[process].frame;
        let (mut fields, mut values) = (Vec::new(), Vec::new());
        for number in 0..self.width() {
            let kind = self.building.program.channel_types[self.queue.index()].fields[number].kind;
            let place = self.local(offset, kind);
            fields.push(Field::Bind(place));
            values.push(self.node(Expression::Load(place)));
            offset += kind.bytes();
        }
        (fields, values)
    }

    pub(super) fn clear_scratch(&mut self, process: usize) {
        let (fields, _) = self.scratch(process);
        let zero = self.constant(0);
        for field in fields {
            if let Field::Bind(place) = field {
                self.emit(Instruction::Assign(place, zero));
            }
        }
    }

    /// Declares that room, and gives the end of the frame.
    pub(super) fn declare_scratch(&mut self, process: usize) -> u32 {
        let mut offset = self.processes[process].frame;
        if self.processes[process].saves {
            for number in 0..self.width() {
                let kind =
                    self.building.program.channel_types[self.queue.index()].fields[number].kind;
                self.building.program.process_types[process]
                    .variables
                    .push(Variable {
                        name: format!("aside {number}"),
                        offset,
                        kind,
                        length: None,
                        meaning: Meaning::Number,
                    });
                offset += kind.bytes();
            }
        }
        offset
    }
}
