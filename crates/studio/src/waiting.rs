//! Why a process cannot move: what each of its statements waits for, with the values that keep it waiting.

use mazurka_model::{
    ChannelTest, Expression, ExpressionId, Handshake, Interpreter, LocationId, Meaning, PlaceId,
    ProcessTypeId, Program, Transition,
};
use mazurka_scenario::{Snapshot, Walk, position};
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
    let snapshot = walk.snapshot();
    let mut all = Vec::new();
    for process in 0..count {
        if able.contains(&(process as u32)) {
            continue;
        }
        let asking = Asking {
            walk,
            snapshot: &snapshot,
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
    /// The state as people read it.
    snapshot: &'a Snapshot,
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
            let is_end = matches!(
                self.program.expressions[transition.guard.index()],
                Expression::Youngest
            );
            let blocked = Blocked {
                // The end of a process is written nowhere in its text.
                statement: match is_end {
                    true => "end".into(),
                    false => statement.text.clone(),
                },
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
            let name = self
                .snapshot
                .processes
                .get(holder)
                .map(|process| &process.name);
            let name = name.map_or("another process", String::as_str);
            return match self.program.has_states(self.process_type) {
                true => format!("{name} is in a transition"),
                false => format!("{name} is in an atomic sequence"),
            };
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
                        let mut channels = self.snapshot.channels.iter();
                        let known = channels.find(|known| known.name == name);
                        let head = known.and_then(|known| known.messages.first());
                        let head = head
                            .map_or(String::new(), |head| format!(", which begins with {head}"));
                        format!("waits for another message on {name}{head}")
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
            Expression::Youngest => {
                "waits until the processes that were started after it have ended".into()
            }
            _ => format!("waits until {}", self.explained(guard)),
        }
    }

    /// A condition, and the values in it.
    fn explained(&self, condition: ExpressionId) -> String {
        let mut values: Vec<String> = Vec::new();
        self.collect(condition, &mut values);
        let text = self.words(condition);
        match values.is_empty() {
            true => text,
            false => format!("{text}, and {}", values.join(", ")),
        }
    }

    /// A condition in which a value that has a name is called by it.
    fn words(&self, condition: ExpressionId) -> String {
        let expressions = &self.program.expressions;
        let side = |one: ExpressionId, other: ExpressionId| match (
            &expressions[one.index()],
            &expressions[other.index()],
        ) {
            (Expression::Constant(value), Expression::Load(place)) => self.named(*place, *value),
            _ => {
                let process_type = Some(self.process_type);
                self.program.expression_text(process_type, one)
            }
        };
        let part = |one: ExpressionId| match expressions[one.index()] {
            Expression::And(..) | Expression::Or(..) => format!("({})", self.words(one)),
            _ => self.words(one),
        };
        match expressions[condition.index()] {
            Expression::Binary(operator, left, right) => {
                let (left, right) = (side(left, right), side(right, left));
                format!("{left} {} {right}", operator.symbol())
            }
            Expression::And(left, right) => format!("{} && {}", part(left), part(right)),
            Expression::Or(left, right) => format!("{} || {}", part(left), part(right)),
            _ => self.text(condition),
        }
    }

    fn collect(&self, expression: ExpressionId, values: &mut Vec<String>) {
        if values.len() >= VALUES {
            return;
        }
        match self.program.expressions[expression.index()] {
            Expression::Load(place) => {
                if let Some(value) = self.value(expression) {
                    let text = format!("{} is {}", self.element(place), self.named(place, value));
                    if !values.contains(&text) {
                        values.push(text);
                    }
                }
            }
            Expression::Channel(ChannelTest::Length, _) => {
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

    /// Which channel it is, whatever the process calls it.
    fn channel(&self, expression: ExpressionId) -> String {
        match self.value(expression) {
            Some(number) if self.interpreter.channel(self.state, number).is_some() => {
                self.walk.channel_name(number)
            }
            _ => self.text(expression),
        }
    }

    /// A variable; of an array, which element it is now: `fork[1]` for `fork[right]`.
    fn element(&self, place: PlaceId) -> String {
        let place_text = self.program.place_text(Some(self.process_type), place);
        let indices = self.program.places[place.index()].indices.clone();
        let indices = &self.program.indices[indices.start as usize..indices.end as usize];
        let written = indices.iter().map(|index| {
            let text = self
                .program
                .expression_text(Some(self.process_type), index.expression);
            format!("[{text}]")
        });
        let present = indices.iter().map(|index| self.value(index.expression));
        let present = present.map(|value| value.map(|value| format!("[{value}]")));
        let name = place_text.strip_suffix(written.collect::<String>().as_str());
        match (name, present.collect::<Option<String>>()) {
            (Some(name), Some(present)) => format!("{name}{present}"),
            _ => place_text,
        }
    }

    /// A value as its variable means it.
    fn named(&self, place: PlaceId, value: i32) -> String {
        let variable = self.program.variable(Some(self.process_type), place);
        match variable.map_or(Meaning::Number, |variable| variable.meaning) {
            Meaning::Channel => self.walk.channel_name(value),
            meaning => self.program.name_of(meaning, value),
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
        all(
            "byte a[2] = 2; active proctype P() { byte i = 1; a[i] == 1 }",
            "waits until a[i] == 1, and a[1] is 2",
        );
        all(
            "mtype = { red, green }; mtype light = red; active proctype P() { light == green }",
            "waits until light == green, and light is red",
        );
        all(
            "chan q[2] = [1] of { byte }; active proctype P() { chan c = q[1]; c?_ }",
            "waits for a message on q[1], which is empty",
        );
    }
}
