//! A model as Promela, so that SPIN can judge it as well.
//!
//! Made from the syntax tree, not from the program: a process is a proctype, a state a label, a transition a row of atomic sequences
//! between which others may move, each timer a process of its own. Errors become failed assertions.

mod behaviour;

use mazurka_promela::ast::{
    Expr, ExprKind, Initializer, Model, ReceiveArgument, ReceiveArgumentKind, Statement,
    StatementKind, TypeKind, Unit, VariableRef,
};
use mazurka_promela::{Names, build};

use super::{Lowerer, Type, key};
use crate::ast::{Binary, BinaryOperator, Expression, ExpressionKind, Unary};

/// The tree of a model that was lowered without an error.
pub(super) fn export(lowerer: &Lowerer<'_>) -> Model {
    let mut export = Export {
        lowerer,
        names: Names::without(&[
            "queues", "saved", "me", "sender", "from", "tag", "to_whom", "stopped",
        ]),
        segments: Vec::new(),
        process: 0,
        state: None,
        labels: 0,
    };
    export.model()
}

struct Export<'e, 'a> {
    lowerer: &'e Lowerer<'a>,
    names: Names,
    /// Parts of the process at hand that begin at a label: the label, whether others may move before, what is done.
    segments: Vec<(String, bool, Vec<Statement>)>,
    process: usize,
    state: Option<usize>,
    labels: usize,
}

impl Export<'_, '_> {
    fn model(&mut self) -> Model {
        let lowerer = self.lowerer;
        let mut units = Vec::new();
        let instances: u32 = lowerer.processes.iter().map(|process| process.count).sum();
        let fields = |export: &Self| {
            let fields = export.lowerer.building.program.channel_types[0]
                .fields
                .clone();
            let kinds: Vec<TypeKind> = fields.iter().map(|field| type_of(field.kind)).collect();
            kinds
        };
        for name in ["queues", "saved"] {
            let fields = fields(self);
            let capacity = lowerer.capacity;
            let declared = build::declare_channel(name, Some(instances), capacity, fields);
            units.push(Unit::Declaration(declared));
        }
        for line in 0..lowerer.lines.len() {
            let name = self.line_name(line);
            let declared = build::declare_channel(&name, None, lowerer.capacity, fields(self));
            units.push(Unit::Declaration(declared));
        }
        for (number, signal) in lowerer.signals.iter().enumerate() {
            if signal.timer_of.is_some() {
                let name = self.timer_name(number);
                let length = lowerer.processes[signal.timer_of.unwrap_or(0)].count;
                let declared = build::declare(TypeKind::Bit, &name, Some(length), None);
                units.push(Unit::Declaration(declared));
            }
        }
        let mut runs = Vec::new();
        for process in 0..lowerer.processes.len() {
            units.push(self.proctype(process));
            let described = &lowerer.processes[process];
            let name = self.proctype_name(process);
            for number in 0..described.count {
                let me = build::number((described.first + number) as i32);
                runs.push(build::run(&name, vec![me]));
            }
        }
        for (number, signal) in lowerer.signals.iter().enumerate() {
            if let Some(process) = signal.timer_of {
                let name = format!("expires_{}", self.timer_name(number));
                units.push(self.timer_process(&name, process, number));
                for instance in 0..lowerer.processes[process].count {
                    let me = (lowerer.processes[process].first + instance) as i32;
                    runs.push(build::run(&name, vec![build::number(me)]));
                }
            }
        }
        for line in 0..lowerer.lines.len() {
            let name = format!("carries_{}", self.line_name(line));
            units.push(self.line_process(&name, line));
            runs.push(build::run(&name, vec![]));
        }
        units.push(build::init(vec![build::atomic(runs)]));
        Model { units }
    }

    fn proctype_name(&mut self, process: usize) -> String {
        let name = &self.lowerer.processes[process].ast.name;
        self.names.given("P", &key(name), "")
    }

    fn timer_name(&mut self, signal: usize) -> String {
        let described = &self.lowerer.signals[signal];
        let process = described
            .timer_of
            .map(|process| self.proctype_name(process));
        let process = process.unwrap_or_default();
        let name = described.name.to_ascii_lowercase();
        self.names.given("timer", &process, &name)
    }

    fn line_name(&mut self, line: usize) -> String {
        let described = &self.lowerer.lines[line];
        let way = described.of.1.to_string();
        self.names
            .given("line", &described.name.to_ascii_lowercase(), &way)
    }

    fn variable_name(&mut self, name: &str) -> String {
        self.names.given("v", &name.to_ascii_lowercase(), "")
    }

    /// The queue of the process itself.
    fn own(&self) -> VariableRef {
        build::element("queues", build::value("me"))
    }

    fn put_aside(&self) -> VariableRef {
        build::element("saved", build::value("me"))
    }

    /// `queue?[signal, …]` and `queue?signal, …`
    fn arguments(&self, signal: usize, rest: Vec<ReceiveArgument>) -> Vec<ReceiveArgument> {
        let tag = build::number(signal as i32 + 1);
        let mut arguments = vec![build::argument(ReceiveArgumentKind::Constant(tag))];
        arguments.extend(rest);
        arguments.resize(self.lowerer.width(), anything());
        arguments
    }

    fn is_first(&self, signal: usize) -> Expr {
        build::poll(self.own(), self.arguments(signal, Vec::new()))
    }

    /// Sends, if there is room; else that is an error.
    fn send_to(
        &self,
        receiver: Expr,
        queue: VariableRef,
        line: bool,
        message: Vec<Expr>,
    ) -> Statement {
        let mut length = build::length(queue.clone());
        if !line {
            let saved = build::length(build::element("saved", receiver));
            length = build::binary(BinaryOperator::Add, length, saved);
        }
        let most = build::number(self.lowerer.capacity as i32);
        let full = build::binary(BinaryOperator::GreaterEqual, length, most);
        build::select(vec![
            vec![build::condition(full), build::assert(build::truth(false))],
            vec![build::otherwise(), build::send(queue, message)],
        ])
    }

    /// The fields of a message of a process with its own PId as sender.
    fn message(&self, signal: usize, sender: Expr, receiver: Expr, values: Vec<Expr>) -> Vec<Expr> {
        let mut message = vec![build::number(signal as i32 + 1), sender];
        if self.lowerer.head() == 3 {
            message.push(receiver);
        }
        message.extend(values);
        message.resize(self.lowerer.width(), build::number(0));
        message
    }

    /// A process for a timer, so that it may expire whenever anything can happen.
    fn timer_process(&mut self, name: &str, process: usize, signal: usize) -> Unit {
        let running = self.running(process, signal);
        let me = || build::value("me");
        let pid = build::binary(BinaryOperator::Add, me(), build::number(1));
        let message = self.message(signal, pid, build::number(0), Vec::new());
        let mut steps = vec![
            build::condition(build::read(running.clone())),
            build::assign(running, build::number(0)),
            self.send_to(me(), self.own(), false, message),
        ];
        steps.push(build::skip());
        let wait = build::repeat(vec![vec![build::atomic(steps)]]);
        let wait = build::labelled([build::name("end")], wait);
        let parameter = build::declare(TypeKind::Byte, "me", None, None);
        build::proctype(name, false, vec![parameter], None, vec![wait])
    }

    fn running(&mut self, process: usize, signal: usize) -> VariableRef {
        let first = build::number(self.lowerer.processes[process].first as i32);
        let number = build::binary(BinaryOperator::Subtract, build::value("me"), first);
        build::element(&self.timer_name(signal), number)
    }

    fn line_process(&mut self, name: &str, line: usize) -> Unit {
        let lowerer = self.lowerer;
        let width = lowerer.width();
        let field = |number: usize| format!("field_{number}");
        let mut body = Vec::new();
        for number in 0..width {
            let kind = lowerer.building.program.channel_types[0].fields[number].kind;
            let declared = build::declare(type_of(kind), &field(number), None, None);
            body.push(build::statement(StatementKind::Declaration(declared)));
        }
        let queue = build::variable(&self.line_name(line));
        let taken = (0..width).map(|number| {
            build::argument(ReceiveArgumentKind::Variable(build::variable(&field(
                number,
            ))))
        });
        let receiver = build::binary(
            BinaryOperator::Subtract,
            build::value(&field(2)),
            build::number(1),
        );
        let sent = (0..width)
            .map(|number| build::value(&field(number)))
            .collect();
        let to = build::element("queues", receiver.clone());
        let mut steps = vec![
            build::receive(queue, taken.collect()),
            self.send_to(receiver, to, false, sent),
        ];
        for number in 0..width {
            steps.push(build::assign(
                build::variable(&field(number)),
                build::number(0),
            ));
        }
        let wait = build::repeat(vec![vec![build::atomic(steps)]]);
        body.push(build::labelled([build::name("end")], wait));
        build::proctype(name, false, vec![], None, body)
    }

    fn value(&mut self, expression: &Expression) -> Expr {
        use BinaryOperator as Value;
        match &expression.kind {
            ExpressionKind::Number(value) => build::number(*value),
            ExpressionKind::Truth(value) => build::number(i32::from(*value)),
            ExpressionKind::Null => build::number(0),
            ExpressionKind::Own => build::binary(Value::Add, build::value("me"), build::number(1)),
            ExpressionKind::Sender => build::value("sender"),
            ExpressionKind::Active(timer) => {
                let timers = &self.lowerer.processes[self.process].timers;
                let mut timers = timers.iter().map(|(signal, _)| *signal);
                let signals = &self.lowerer.signals;
                let found = timers.find(|s| signals[*s].name.eq_ignore_ascii_case(&timer.text));
                let running = self.running(self.process, found.unwrap_or(0));
                build::read(running)
            }
            ExpressionKind::Name(name) => {
                let known = &self.lowerer.processes[self.process].variables;
                if known.contains_key(&key(name)) {
                    return build::value(&self.variable_name(&name.text));
                }
                let constant = self.lowerer.constants.get(&key(name));
                build::number(constant.map_or(0, |(value, _)| *value))
            }
            ExpressionKind::Unary(Unary::Value(operator), operand) => {
                build::unary(*operator, self.value(operand))
            }
            ExpressionKind::Binary(operator, left, right) => {
                let (left, right) = (self.value(left), self.value(right));
                match operator {
                    Binary::Value(operator) => build::binary(*operator, left, right),
                    Binary::Modulo => {
                        let remainder = build::binary(Value::Remainder, left, right.clone());
                        let sum = build::binary(Value::Add, remainder, right.clone());
                        build::binary(Value::Remainder, sum, right)
                    }
                    _ => build::any([build::not(left), right]),
                }
            }
            ExpressionKind::Conditional(condition, yes, no) => build::expr(ExprKind::Conditional {
                condition: Box::new(self.value(condition)),
                yes: Box::new(self.value(yes)),
                no: Box::new(self.value(no)),
            }),
            // Of formulas, which are not exported, or refused.
            _ => build::number(0),
        }
    }

    fn declarations(&mut self, process: usize) -> Vec<Statement> {
        let lowerer = self.lowerer;
        let mut body = Vec::new();
        let sender = build::declare(TypeKind::Byte, "sender", None, None);
        body.push(build::statement(StatementKind::Declaration(sender)));
        for variable in &lowerer.processes[process].ast.variables {
            let local = lowerer.processes[process].variables[&key(&variable.name)];
            let name = self.variable_name(&variable.name.text);
            let initial = match (&variable.initial, local.type_) {
                (Some(value), _) => Some(self.value(value)),
                (None, Type::Integer(Some((low, _)))) if low > 0 => Some(build::number(low)),
                _ => None,
            };
            let initial = initial.map(Initializer::Expression);
            let declared = build::declare(type_of(local.type_.kind()), &name, None, initial);
            body.push(build::statement(StatementKind::Declaration(declared)));
        }
        if lowerer.processes[process].saves {
            for number in 0..lowerer.width() {
                let kind = lowerer.building.program.channel_types[0].fields[number].kind;
                let declared = build::declare(type_of(kind), &aside(number), None, None);
                body.push(build::statement(StatementKind::Declaration(declared)));
            }
        }
        body
    }
}

fn aside(number: usize) -> String {
    format!("aside_{number}")
}

fn anything() -> ReceiveArgument {
    build::argument(ReceiveArgumentKind::Anything)
}

fn type_of(kind: mazurka_model::Kind) -> TypeKind {
    use mazurka_model::Kind;
    match kind {
        Kind::Bit => TypeKind::Bit,
        Kind::Byte => TypeKind::Byte,
        Kind::Short => TypeKind::Short,
        Kind::Int | Kind::Unsigned(_) => TypeKind::Int,
    }
}
