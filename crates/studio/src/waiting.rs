//! Why a process cannot move: what each of its statements waits for, with the values that keep it waiting.

use mazurka_model::{
    ChannelTest, Expression, ExpressionId, Handshake, Interpreter, LocationId, ProcessTypeId,
    Program, Transition,
};
use mazurka_scenario::{Walk, position};
use serde::Serialize;

/// A condition names this many values at most.
const VALUES: usize = 4;

/// A process that cannot move.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Waiting {
    /// Its number.
    pub process: u32,
    /// What it would do, and why it cannot.
    pub statements: Vec<Blocked>,
}

/// A statement that is not possible.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Blocked {
    /// The statement.
    pub statement: String,
    /// Its line.
    pub line: u32,
    /// Why it is not possible.
    pub reason: String,
}

/// The processes without a possible step, and why. `able` are those that have one.
pub fn waiting(walk: &Walk<'_>, able: &[u32]) -> Vec<Waiting> {
    let interpreter = walk.interpreter();
    let state = walk.state();
    let count = interpreter.shape(state).processes.len();
    let mut all = Vec::new();
    for process in 0..count {
        if able.contains(&(process as u32)) {
            continue;
        }
        let asking = Asking {
            walk,
            interpreter,
            program: interpreter.program(),
            state,
            process,
            process_type: interpreter.shape(state).processes[process].process_type,
        };
        all.push(Waiting {
            process: process as u32,
            statements: asking.statements(interpreter.location(state, process)),
        });
    }
    all
}

struct Asking<'a> {
    walk: &'a Walk<'a>,
    interpreter: &'a Interpreter,
    program: &'a Program,
    state: &'a [u8],
    process: usize,
    process_type: ProcessTypeId,
}

impl Asking<'_> {
    fn statements(&self, location: LocationId) -> Vec<Blocked> {
        let transitions = self.program.locations[location.index()].transitions.clone();
        let mut statements: Vec<Blocked> = Vec::new();
        for number in transitions {
            let transition = &self.program.transitions[number as usize];
            let statement = &self.program.statements[transition.statement.index()];
            let blocked = Blocked {
                statement: statement.text.clone(),
                line: position(self.program, statement.origin).line,
                reason: self.reason(transition),
            };
            if !statements.contains(&blocked) {
                statements.push(blocked);
            }
        }
        statements
    }

    fn reason(&self, transition: &Transition) -> String {
        if let Some(holder) = self.interpreter.controller(self.state)
            && holder != self.process
        {
            return "another process is in an atomic sequence".into();
        }
        let provided = self.program.process_types[self.process_type.index()].provided;
        if let Some(condition) = provided
            && self.value(condition) == Some(0)
        {
            if self.program.has_states(self.process_type) {
                return "waits for its turn on the processor".into();
            }
            return format!("it may run only while {}", self.explained(condition));
        }
        if self.value(transition.guard) == Some(0) {
            return self.guard(transition.guard);
        }
        match transition.handshake {
            Handshake::Sends(send) => {
                let channel = self.channel(self.program.sends[send.index()].channel);
                format!("waits for somebody to receive on {channel}")
            }
            Handshake::Receives(receive) => {
                let channel = self.channel(self.program.receives[receive.index()].channel);
                format!("waits for somebody to send on {channel}")
            }
            Handshake::Apart if self.program.features.priority => {
                "a process of higher priority can move".into()
            }
            Handshake::Apart => "not possible here".into(),
        }
    }

    /// Why a condition is false, in the words of what it asks for.
    fn guard(&self, guard: ExpressionId) -> String {
        match self.program.expressions[guard.index()] {
            Expression::CanReceive(receive) => {
                let receive = &self.program.receives[receive.index()];
                let name = self.channel(receive.channel);
                let number = self.value(receive.channel).unwrap_or(0);
                match self.interpreter.channel(self.state, number) {
                    Some(channel) if channel.capacity == 0 => {
                        format!("waits for somebody to send on {name}")
                    }
                    Some(channel) if channel.length > 0 => {
                        let head = channel.head().map(|head| {
                            let fields = head.iter().map(i32::to_string);
                            fields.collect::<Vec<_>>().join(",")
                        });
                        let head = head.unwrap_or_default();
                        format!("waits for another message on {name}, which begins with {head}")
                    }
                    _ => format!("waits for a message on {name}, which is empty"),
                }
            }
            Expression::Channel(ChannelTest::NotFull, channel) => {
                let name = self.channel(channel);
                let number = self.value(channel).unwrap_or(0);
                let held = self.interpreter.channel(self.state, number);
                let held = held.map_or(0, |channel| channel.length);
                format!("waits for room in {name}, which is full ({held} of {held})")
            }
            Expression::And(left, right) => match self.value(left) {
                Some(0) => self.guard(left),
                _ => self.guard(right),
            },
            Expression::Timeout => "waits until nothing else can move".into(),
            Expression::Youngest => "waits until younger processes have ended".into(),
            _ => format!("waits until {}", self.explained(guard)),
        }
    }

    /// A condition, and the values in it.
    fn explained(&self, condition: ExpressionId) -> String {
        let mut values: Vec<String> = Vec::new();
        self.collect(condition, &mut values);
        let text = self.text(condition);
        match values.is_empty() {
            true => text,
            false => format!("{text}, and {}", values.join(", ")),
        }
    }

    fn collect(&self, expression: ExpressionId, values: &mut Vec<String>) {
        if values.len() >= VALUES {
            return;
        }
        match self.program.expressions[expression.index()] {
            Expression::Load(_) | Expression::Channel(ChannelTest::Length, _) => {
                if let Some(value) = self.value(expression) {
                    let text = format!("{} is {value}", self.text(expression));
                    if !values.contains(&text) {
                        values.push(text);
                    }
                }
            }
            Expression::Unary(_, operand) => self.collect(operand, values),
            Expression::Binary(_, left, right)
            | Expression::And(left, right)
            | Expression::Or(left, right) => {
                self.collect(left, values);
                self.collect(right, values);
            }
            Expression::Conditional(condition, yes, no) => {
                self.collect(condition, values);
                self.collect(yes, values);
                self.collect(no, values);
            }
            _ => {}
        }
    }

    /// A channel as the model calls it, or else as people know it.
    fn channel(&self, expression: ExpressionId) -> String {
        match self.program.expressions[expression.index()] {
            Expression::Constant(number) => self.walk.channel_name(number),
            _ => self.text(expression),
        }
    }

    fn value(&self, expression: ExpressionId) -> Option<i32> {
        let value = self.interpreter.value(self.state, self.process, expression);
        value.ok()
    }

    fn text(&self, expression: ExpressionId) -> String {
        let program = self.program;
        let text = program.expression_text(Some(self.process_type), expression);
        // Parentheses around all of it say nothing.
        let inside = text
            .strip_prefix('(')
            .and_then(|text| text.strip_suffix(')'));
        let depths = |text: &str| {
            text.chars()
                .try_fold(0_i32, |depth, character| match character {
                    '(' => Some(depth + 1),
                    ')' => (depth > 0).then_some(depth - 1),
                    _ => Some(depth),
                })
        };
        match inside {
            Some(inside) if depths(inside) == Some(0) => inside.into(),
            _ => text,
        }
    }
}

#[cfg(test)]
mod tests {
    use mazurka_checker::{ModelText, Simulation};

    use super::waiting;

    fn reasons(text: &str) -> Vec<String> {
        let model = ModelText::from_source("model.pml", text).unwrap();
        let mut simulation = Simulation::new(&model, &Default::default()).unwrap();
        let able: Vec<u32> = simulation.choices().iter().map(|c| c.process).collect();
        let all = waiting(&simulation.walk(), &able);
        let statements = all.into_iter().flat_map(|waiting| waiting.statements);
        statements.map(|blocked| blocked.reason).collect()
    }

    #[test]
    fn what_a_process_waits_for_is_said_with_values() {
        let all = |text: &str, expected: &str| assert_eq!(reasons(text), [expected], "{text}");
        all(
            "chan q = [1] of { byte }; active proctype P() { q?_ }",
            "waits for a message on q, which is empty",
        );
        all(
            "chan q = [0] of { byte }; active proctype P() { q!1 }",
            "waits for somebody to receive on q",
        );
        all(
            "byte x = 2; active proctype P() { x == 1 }",
            "waits until x == 1, and x is 2",
        );
    }
}
