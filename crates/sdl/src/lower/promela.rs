//! A model as Promela, so that SPIN can judge it as well.
//!
//! Made from the syntax tree, not from the program: a process is a proctype, a state a label, a transition a row of atomic sequences
//! between which others may move, each timer a process of its own. Errors become failed assertions.

mod behaviour;
mod exact;
mod output;
mod revealed;
mod turns;

use mazurka_promela::ast::{
    Expr, ExprKind, Initializer, Model, ReceiveArgument, ReceiveArgumentKind, Statement,
    StatementKind, TypeKind, Unit, VariableRef,
};
use mazurka_promela::{Names, build};
use mazurka_span::{Diagnostic, Span};

use self::exact::{choose, out_of_range};
use super::process::default_of;
use super::{ALIVE, Lowerer, Timer, Type, key};
use crate::ast::{BinaryOperator, Expression, ExpressionKind, Unary, UnaryOperator};
use crate::codes;

/// The tree of a model that was lowered without an error, unless an expression becomes too large.
pub(super) fn export(lowerer: &Lowerer<'_>) -> Result<Model, Box<Diagnostic>> {
    let mut export = Export {
        lowerer,
        names: Names::without(&[
            "queues",
            "saved",
            "alive",
            "me",
            "which",
            "sender",
            "parent",
            "offspring",
            "from",
            "tag",
            "to_whom",
            "stopped",
            "environment",
            "nothing",
        ]),
        segments: Vec::new(),
        process: 0,
        state: None,
        labels: 0,
        closed: None,
        divides: false,
        too_large: None,
    };
    let model = export.model();
    match export.too_large {
        None => Ok(model),
        Some(span) => {
            let message = "the export of this becomes too large, as every result in it is looked at: give its numbers ranges";
            Err(Box::new(Diagnostic::error(codes::TOO_LARGE, span, message)))
        }
    }
}

struct Export<'e, 'a> {
    lowerer: &'e Lowerer<'a>,
    names: Names,
    /// Parts of the process at hand that begin at a label: the label, whether others may move before, what is done.
    segments: Vec<(String, bool, Vec<Statement>)>,
    process: usize,
    state: Option<usize>,
    labels: usize,
    /// What must hold besides for a signal in front to be looked at.
    closed: Option<Expr>,
    /// Is anything divided by what is not known before, or may a result not fit?
    divides: bool,
    /// An expression that is too large.
    too_large: Option<Span>,
}

impl Export<'_, '_> {
    fn model(&mut self) -> Model {
        let lowerer = self.lowerer;
        let mut units = Vec::new();
        let instances: u32 = lowerer.processes.iter().map(|process| process.slots).sum();
        let fields = |export: &Self| {
            let fields = export.lowerer.building.program.channel_types[0]
                .fields
                .clone();
            let kinds: Vec<TypeKind> = fields.iter().map(|field| type_of(field.kind)).collect();
            kinds
        };
        for name in ["queues", "saved"] {
            let fields = fields(self);
            let capacity = lowerer.longest();
            let declared = build::declare_channel(name, Some(instances), capacity, fields);
            units.push(Unit::Declaration(declared));
        }
        for line in 0..lowerer.lines.len() {
            let name = self.line_name(line);
            let declared = build::declare_channel(&name, None, lowerer.capacity, fields(self));
            units.push(Unit::Declaration(declared));
        }
        if lowerer.processes.iter().any(|p| p.exists.is_some()) {
            let declared = build::declare(TypeKind::Byte, "alive", Some(instances), None);
            units.push(Unit::Declaration(declared));
        }
        for process in &lowerer.processes {
            for timer in &process.timers {
                let name = self.timer_name(timer.signal);
                let length = process.slots * timer.count();
                let declared = build::declare(TypeKind::Bit, &name, Some(length), None);
                units.push(Unit::Declaration(declared));
            }
        }
        units.extend(self.revealed_variables());
        let mut runs = Vec::new();
        for process in 0..lowerer.processes.len() {
            units.push(self.proctype(process));
            let described = &lowerer.processes[process];
            let name = self.proctype_name(process);
            for number in 0..described.slots {
                let me = (described.first + number) as i32;
                if described.exists.is_some() && number < described.count {
                    let alive = build::element("alive", build::number(me));
                    runs.push(build::assign(alive, build::number(ALIVE)));
                }
                runs.push(build::run(&name, vec![build::number(me)]));
            }
        }
        for (process, described) in lowerer.processes.iter().enumerate() {
            for timer in &described.timers {
                let name = format!("expires_{}", self.timer_name(timer.signal));
                units.push(self.timer_process(&name, process, timer));
                for instance in 0..described.slots {
                    let me = (described.first + instance) as i32;
                    for which in 0..timer.count() {
                        let arguments = vec![build::number(me), build::number(which as i32)];
                        runs.push(build::run(&name, arguments));
                    }
                }
            }
        }
        for line in 0..lowerer.lines.len() {
            let name = format!("carries_{}", self.line_name(line));
            units.push(self.line_process(&name, line));
            runs.push(build::run(&name, vec![]));
        }
        if lowerer.has_environment() {
            units.push(self.environment_process());
            runs.push(build::run("environment", vec![]));
        }
        units.push(build::init(vec![build::atomic(runs)]));
        if self.divides {
            let declared = build::declare(TypeKind::Bit, "nothing", Some(1), None);
            units.insert(0, Unit::Declaration(declared));
        }
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
        let (channel, way) = self.lowerer.lines[line].of;
        let name = &self.lowerer.system.channels[channel].name;
        let (name, points) = plain_name(&name.text.to_ascii_lowercase());
        self.names.given("line", &name, &format!("{way}{points}"))
    }

    fn variable_name(&mut self, name: &str) -> String {
        let (name, positions) = plain_name(&name.to_ascii_lowercase());
        self.names.given("v", &name, &positions)
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

    /// Is a signal in front, and none that comes before others?
    fn is_first(&self, signal: usize) -> Expr {
        let first = self.is_there(signal, false);
        match &self.closed {
            Some(closed) => build::all([first, closed.clone()]),
            None => first,
        }
    }

    /// Is a signal in front, or anywhere?
    fn is_there(&self, signal: usize, anywhere: bool) -> Expr {
        build::expr(ExprKind::Poll {
            channel: self.own(),
            random: anywhere,
            arguments: self.arguments(signal, Vec::new()),
        })
    }

    /// Has a process put a signal aside?
    fn is_saved(&self, signal: usize, receiver: Expr) -> Expr {
        build::expr(ExprKind::Poll {
            channel: build::element("saved", receiver),
            random: true,
            arguments: self.arguments(signal, Vec::new()),
        })
    }

    /// How many signals wait for a process; what creates it is none of them.
    fn waiting(&self, receiver: Expr) -> Expr {
        let saved = build::length(build::element("saved", receiver.clone()));
        build::binary(BinaryOperator::Add, self.waiting_unsaved(receiver), saved)
    }

    /// The same without those that are saved.
    fn waiting_unsaved(&self, receiver: Expr) -> Expr {
        let queue = build::element("queues", receiver);
        let mut length = build::length(queue.clone());
        for process in &self.lowerer.processes {
            if let Some(signal) = process.created_by {
                let first = build::poll(queue.clone(), self.arguments(signal, Vec::new()));
                length = build::binary(BinaryOperator::Subtract, length, first);
            }
        }
        length
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
            length = self.waiting(receiver);
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
    fn timer_process(&mut self, name: &str, process: usize, timer: &Timer) -> Unit {
        let running = self.running_of(process, timer, build::value("which"));
        let me = || build::value("me");
        let pid = build::binary(BinaryOperator::Add, me(), build::number(1));
        let mut values = Vec::new();
        let mut stride = timer.count() as i32;
        for (low, high) in &timer.ranges {
            let length = high - low + 1;
            stride /= length;
            let rows = build::binary(
                BinaryOperator::Divide,
                build::value("which"),
                build::number(stride),
            );
            let place = build::binary(BinaryOperator::Remainder, rows, build::number(length));
            values.push(build::binary(
                BinaryOperator::Add,
                place,
                build::number(*low),
            ));
        }
        let message = self.message(timer.signal, pid, build::number(0), values);
        let mut steps = vec![
            build::condition(build::read(running.clone())),
            build::assign(running, build::number(0)),
            self.send_to(me(), self.own(), false, message),
        ];
        steps.push(build::skip());
        let wait = build::repeat(vec![vec![build::atomic(steps)]]);
        let body = vec![build::labelled([build::name("end")], wait)];
        let parameters =
            ["me", "which"].map(|name| build::declare(TypeKind::Byte, name, None, None));
        build::proctype(name, false, parameters.into(), None, body)
    }

    /// Whether a timer of this process runs, or its signal has not been taken yet.
    fn active(&mut self, timer: &Timer, values: &[Expression]) -> Expr {
        let running = build::read(self.running(timer, values));
        let mut rest = vec![anything(); self.lowerer.head() - 1];
        for value in values {
            let value = self.value(value);
            rest.push(build::argument(ReceiveArgumentKind::Eval(value)));
        }
        let mut active = vec![running];
        for channel in [self.own(), self.put_aside()] {
            active.push(build::expr(ExprKind::Poll {
                channel,
                random: true,
                arguments: self.arguments(timer.signal, rest.clone()),
            }));
        }
        build::any(active)
    }

    /// Whether a timer of this process runs.
    fn running(&mut self, timer: &Timer, values: &[Expression]) -> VariableRef {
        let mut which: Option<Expr> = None;
        for (value, (low, high)) in values.iter().zip(&timer.ranges) {
            let value = self.value(value);
            let place = build::binary(BinaryOperator::Subtract, value, build::number(*low));
            which = Some(match which {
                None => place,
                Some(before) => {
                    let length = build::number(high - low + 1);
                    let rows = build::binary(BinaryOperator::Multiply, before, length);
                    build::binary(BinaryOperator::Add, rows, place)
                }
            });
        }
        self.running_of(self.process, timer, which.unwrap_or(build::number(0)))
    }

    fn running_of(&mut self, process: usize, timer: &Timer, which: Expr) -> VariableRef {
        let first = build::number(self.lowerer.processes[process].first as i32);
        let number = build::binary(BinaryOperator::Subtract, build::value("me"), first);
        let count = build::number(timer.count() as i32);
        let rows = build::binary(BinaryOperator::Multiply, number, count);
        let index = build::binary(BinaryOperator::Add, rows, which);
        build::element(&self.timer_name(timer.signal), index)
    }

    /// A timer of this process by its name.
    fn timer(&self, name: &crate::ast::Name) -> Option<Timer> {
        let mut timers = self.lowerer.processes[self.process].timers.iter();
        let signals = &self.lowerer.signals;
        timers
            .find(|timer| signals[timer.signal].name.eq_ignore_ascii_case(&name.text))
            .cloned()
    }

    /// Whatever may come from outside comes, while few signals wait.
    fn environment_process(&mut self) -> Unit {
        let lowerer = self.lowerer;
        let pid = lowerer.environment_pid();
        let mut options = Vec::new();
        for arrival in lowerer.arrivals().unwrap_or_default() {
            let me = (lowerer.processes[arrival.process].first + arrival.number) as i32;
            let most = lowerer.environment.unwrap_or(1).min(lowerer.capacity);
            let most = build::number(most as i32);
            let less = |length| build::binary(BinaryOperator::Less, length, most.clone());
            let mut few = less(self.waiting(build::number(me)));
            let saves = lowerer.processes[arrival.process].saves;
            if saves {
                let short = less(self.waiting_unsaved(build::number(me)));
                let none = build::not(self.is_saved(arrival.signal, build::number(me)));
                few = build::any([few, build::all([short, none])]);
            }
            let mut guards = vec![few];
            if lowerer.processes[arrival.process].exists.is_some() {
                guards.push(is_alive(build::number(me)));
            }
            let values = arrival
                .values
                .iter()
                .map(|value| build::number(*value))
                .collect();
            let (pid, receiver) = (build::number(pid), build::number(me + 1));
            let message = self.message(arrival.signal, pid, receiver, values);
            let queue = build::element("queues", build::number(me));
            let send = match saves {
                true => self.send_to(build::number(me), queue, false, message),
                false => build::send(queue, message),
            };
            let condition = build::condition(build::all(guards));
            options.push(vec![build::atomic(vec![condition, send])]);
        }
        if options.is_empty() {
            options.push(vec![build::condition(build::truth(false))]);
        }
        let wait = build::labelled([build::name("end")], build::repeat(options));
        build::proctype("environment", false, vec![], None, vec![wait])
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
        let sent: Vec<Expr> = (0..width)
            .map(|number| build::value(&field(number)))
            .collect();
        let to = build::element("queues", receiver.clone());
        let mut deliver = self.send_to(receiver.clone(), to, false, sent.clone());
        let exist = lowerer.processes.iter().any(|p| p.exists.is_some());
        if exist {
            // What is for one that has stopped is lost.
            let mut lost = Vec::new();
            for process in lowerer
                .processes
                .iter()
                .filter(|process| process.exists.is_some())
            {
                let first = build::number(process.first as i32);
                let last = build::number((process.first + process.slots) as i32 - 1);
                lost.push(build::all([
                    build::binary(BinaryOperator::GreaterEqual, receiver.clone(), first),
                    build::binary(BinaryOperator::LessEqual, receiver.clone(), last),
                    build::not(is_alive(receiver.clone())),
                ]));
            }
            deliver = build::select(vec![
                vec![build::condition(build::any(lost))],
                vec![build::otherwise(), deliver],
            ]);
        }
        let hops = lowerer.hops(line);
        if hops.iter().any(|hop| hop.next.is_some()) {
            // Another channel may come on the way.
            let mut options = Vec::new();
            for hop in &hops {
                let described = &lowerer.processes[hop.process];
                let first = build::number(described.first as i32);
                let last = build::number((described.first + described.slots) as i32 - 1);
                let mut guards = vec![
                    build::binary(BinaryOperator::GreaterEqual, receiver.clone(), first),
                    build::binary(BinaryOperator::LessEqual, receiver.clone(), last),
                ];
                if let Some(signals) = &hop.signals {
                    let tags = signals.iter().map(|signal| {
                        build::equal(build::value(&field(0)), build::number(*signal as i32 + 1))
                    });
                    guards.push(build::any(tags));
                }
                let on = match hop.next {
                    None => deliver.clone(),
                    Some(next) => {
                        let queue = build::variable(&self.line_name(next));
                        self.send_to(receiver.clone(), queue, true, sent.clone())
                    }
                };
                options.push(vec![build::condition(build::all(guards)), on]);
            }
            deliver = build::select(options);
        }
        let mut steps = vec![build::receive(queue, taken.collect()), deliver];
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
        if self.too_large.is_some() {
            return build::number(0);
        }
        match &expression.kind {
            ExpressionKind::Number(value) => build::number(*value),
            ExpressionKind::Truth(value) => build::number(i32::from(*value)),
            ExpressionKind::Null => build::number(0),
            ExpressionKind::Own => build::binary(Value::Add, build::value("me"), build::number(1)),
            ExpressionKind::Sender => build::value("sender"),
            ExpressionKind::Active(timer, values) => match self.timer(timer) {
                Some(timer) => self.active(&timer, values),
                None => build::number(0),
            },
            ExpressionKind::Parent | ExpressionKind::Offspring => {
                let described = &self.lowerer.processes[self.process];
                let (name, kept) = match expression.kind {
                    ExpressionKind::Parent => ("parent", described.parent),
                    _ => ("offspring", described.offspring),
                };
                match kept {
                    Some(_) => build::value(name),
                    None => build::number(0),
                }
            }
            ExpressionKind::Text(text) => {
                build::number(text.chars().next().map_or(0, |first| first as i32))
            }
            ExpressionKind::Element(..) => build::read(self.variable(expression)),
            ExpressionKind::Applied(inner, _) => self.value(inner),
            ExpressionKind::Seen(name, index, of) => self.seen(name, *index, of.as_deref()),
            ExpressionKind::Name(name) => {
                let known = &self.lowerer.processes[self.process].variables;
                if known.contains_key(&key(name)) {
                    return build::read(self.variable(expression));
                }
                let constant = self.lowerer.constants.get(&key(name));
                build::number(constant.map_or(0, |(value, _)| *value))
            }
            ExpressionKind::Unary(Unary::Value(UnaryOperator::Minus), operand) => {
                let value = self.negative(operand);
                self.limited(value, expression.span)
            }
            ExpressionKind::Unary(Unary::Value(operator), operand) => {
                build::unary(*operator, self.value(operand))
            }
            ExpressionKind::Binary(operator, left, right) => {
                let value = self.binary(*operator, left, right);
                self.limited(value, expression.span)
            }
            ExpressionKind::Conditional(condition, yes, no) => {
                choose(self.value(condition), self.value(yes), self.value(no))
            }
            // Of formulas, which are not exported, or refused.
            _ => build::number(0),
        }
    }

    /// Where the divisor is zero, an index is out of its range: what SPIN's verifier does of a division by zero depends on the compiler.
    fn divisor(&mut self, divisor: Expr) -> Expr {
        if let ExprKind::Number(_) = divisor.kind {
            return divisor;
        }
        self.divides = true;
        let is_some = build::binary(BinaryOperator::NotEqual, divisor.clone(), build::number(0));
        choose(is_some, divisor, out_of_range())
    }

    /// The first value of a variable, if that is not zero.
    fn initial(&mut self, variable: &crate::ast::Variable, type_: Type) -> Option<Expr> {
        match (&variable.initial, default_of(type_)) {
            (Some(value), _) => Some(self.value(value)),
            (None, 0) => None,
            (None, value) => Some(build::number(value)),
        }
    }

    /// A variable or an element of one.
    fn variable(&mut self, expression: &Expression) -> VariableRef {
        match &expression.kind {
            ExpressionKind::Element(name, index) => {
                let index = self.value(index);
                match self.revealed(name, Some(index.clone())) {
                    Some(place) => place,
                    None => build::element(&self.variable_name(&name.text), index),
                }
            }
            ExpressionKind::Name(name) => match self.revealed(name, None) {
                Some(place) => place,
                None => build::variable(&self.variable_name(&name.text)),
            },
            _ => build::variable("sender"),
        }
    }

    fn type_of_variable(&self, expression: &Expression) -> Type {
        let (ExpressionKind::Name(name) | ExpressionKind::Element(name, _)) = &expression.kind
        else {
            return Type::Unknown;
        };
        let local = self.lowerer.processes[self.process]
            .variables
            .get(&key(name));
        local.map_or(Type::Unknown, |local| local.type_)
    }

    fn declarations(&mut self, process: usize) -> Vec<Statement> {
        let lowerer = self.lowerer;
        let mut body = Vec::new();
        let sender = build::declare(TypeKind::Byte, "sender", None, None);
        body.push(build::statement(StatementKind::Declaration(sender)));
        for (name, kept) in [
            ("parent", lowerer.processes[process].parent),
            ("offspring", lowerer.processes[process].offspring),
        ] {
            if kept.is_some() {
                let declared = build::declare(TypeKind::Byte, name, None, None);
                body.push(build::statement(StatementKind::Declaration(declared)));
            }
        }
        for variable in &lowerer.processes[process].ast.variables {
            let local = lowerer.processes[process].variables[&key(&variable.name)];
            if local.revealed_by.is_some() {
                continue;
            }
            let name = self.variable_name(&variable.name.text);
            let initial = self.initial(variable, local.type_);
            let initial = initial.map(Initializer::Expression);
            let kind = type_of(local.type_.kind());
            let declared = build::declare(kind, &name, variable.length, initial);
            body.push(build::statement(StatementKind::Declaration(declared)));
        }
        if lowerer.processes[process].saves {
            body.extend(self.room_aside());
        }
        body
    }

    /// Room for one message that is moved.
    fn room_aside(&self) -> Vec<Statement> {
        let fields = &self.lowerer.building.program.channel_types[0].fields;
        let declared = fields.iter().enumerate().map(|(number, field)| {
            let declared = build::declare(type_of(field.kind), &aside(number), None, None);
            build::statement(StatementKind::Declaration(declared))
        });
        declared.collect()
    }
}

/// A name without the signs that nobody writes in one, and where they stood.
pub(super) fn plain_name(name: &str) -> (String, String) {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let plain = name.chars().map(|c| if is_part(c) { c } else { '_' });
    let mut signs = name.char_indices().filter(|(_, c)| !is_part(*c)).peekable();
    let positions = match signs.peek() {
        None => String::new(),
        Some(_) => signs.map(|(at, _)| format!("_{at}")).collect(),
    };
    (plain.collect(), positions)
}

fn is_alive(me: Expr) -> Expr {
    let alive = build::element("alive", me);
    build::equal(build::read(alive), build::number(ALIVE))
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
