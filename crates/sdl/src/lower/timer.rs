//! Timers: one that runs may expire at any moment (Z.100 clause 2.8, with time abstracted).

use mazurka_model::{Expression, Instruction, Kind};
use mazurka_syntax::Lower;

use super::graph::Edge;
use super::process::Work;
use super::{Lowerer, QUEUE, SAVED, Timer};

impl Lowerer<'_> {
    /// A timer that runs may expire whenever others can move.
    pub(super) fn expiries(&mut self, work: &mut Work, node: usize) {
        for timer in self.processes[work.process].timers.clone() {
            for number in 0..timer.count() {
                self.expiry(work, node, &timer, number);
            }
        }
    }

    pub(super) fn expiry(&mut self, work: &mut Work, node: usize, timer: &Timer, number: u32) {
        let offset = timer.offset + number;
        let guard = self.load(offset, Kind::Bit);
        let begin = self.here();
        let running = self.local(offset, Kind::Bit);
        let zero = self.constant(0);
        self.emit(Instruction::Assign(running, zero));
        let queue = self.load(QUEUE, Kind::Byte);
        let mut name = self.signals[timer.signal].name.clone();
        let span = self.processes[work.process].ast.name.span;
        let saved = self.processes[work.process]
            .saves
            .then(|| self.load(SAVED, Kind::Byte));
        self.room(queue, saved, &name, span);
        let own = self.node(Expression::SelfProcess);
        let one = self.constant(1);
        let own = self.both(crate::ast::BinaryOperator::Add, own, one);
        let tag = self.constant(timer.signal as i32 + 1);
        let mut values = vec![tag, own];
        values.resize(self.head(), zero);
        let named = timer.values(number);
        if !named.is_empty() {
            let named: Vec<String> = named.iter().map(i32::to_string).collect();
            name = format!("{name}({})", named.join(", "));
        }
        for value in named {
            values.push(self.constant(value));
        }
        values.resize(self.width(), zero);
        self.send_values(queue, values);
        let statement =
            self.add_statement(work.process, format!("timer {name} expires"), span, false);
        work.graph.nodes[node].edges.push(Edge {
            guard,
            effect: begin..self.here(),
            target: node,
            otherwise: false,
            statement,
        });
    }
}
