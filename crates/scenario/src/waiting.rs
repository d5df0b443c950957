//! Why a process cannot move: what it waits for, who could give it, and who waits for whom in a circle.
//!
//! Who could give something is read off the text: a process that, from where it is, may come to a statement that sends, receives or
//! writes what is waited for. Whether it will is another matter; in a deadlock it will not.

use std::collections::VecDeque;

use mazurka_model::{
    Base, ChannelTest, Expression, ExpressionId, Field, Handshake, Instruction, Interpreter,
    Origin, PlaceId, ProcessTypeId, Program, TransitionId,
};
use serde::{Deserialize, Serialize};

use crate::names::{Names, name_of_process};
use crate::snapshot::{NamedValue, contents};
use crate::walk::{Position, position};

/// A process that cannot move.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Waiting {
    /// Its number.
    pub process: u32,
    /// Its name.
    pub name: String,
    /// Where it is.
    pub at: Position,
    /// What would let it go on: any of these.
    pub wants: Vec<Want>,
}

/// Something that a process waits for.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Want {
    /// The statement that cannot be executed.
    pub statement: String,
    /// Where it is.
    pub at: Position,
    /// Why it cannot, such as `c is empty`.
    pub reason: String,
    /// The values of what its condition reads.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub values: Vec<NamedValue>,
    /// The processes that could give it, by their text.
    pub givers: Vec<Giver>,
    /// What they could do for it, such as `send`.
    pub deed: String,
}

/// A process that could give what another waits for.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Giver {
    /// Its number.
    pub process: u32,
    /// Its name.
    pub name: String,
}

/// What is needed for a statement.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Need {
    /// Somebody who sends on this channel.
    Sender(i32),
    /// Somebody who receives from this channel.
    Receiver(i32),
    /// Somebody who writes what is at this offset of the shared variables, or of the hidden ones.
    Writer(bool, u32),
    /// A step of this process.
    Step(usize),
    /// The end of a younger process.
    Younger,
}

/// Why each of some processes cannot move. A process that can is left out, and so is one that may stop where it is.
pub(crate) fn waiting(interpreter: &Interpreter, names: &Names, state: &[u8]) -> Vec<Waiting> {
    let processes = 0..interpreter.shape(state).processes.len();
    let may_end = |process: &usize| {
        let location = interpreter.location(state, *process);
        !interpreter.program().locations[location.index()].end
    };
    let blocked = processes.filter(may_end);
    blocked
        .filter_map(|process| why(interpreter, names, state, process))
        .collect()
}

/// Why a process cannot move; nothing if it can.
pub(crate) fn why(
    interpreter: &Interpreter,
    names: &Names,
    state: &[u8],
    process: usize,
) -> Option<Waiting> {
    let mut steps = Vec::new();
    interpreter.enabled(state, &mut steps);
    let moves = |step: &mazurka_model::Step| {
        step.process as usize == process
            || step
                .partner()
                .is_some_and(|(partner, _)| partner == process)
    };
    if steps.iter().any(moves) {
        return None;
    }
    let question = Question {
        interpreter,
        program: interpreter.program(),
        names,
        state,
        process,
        process_type: interpreter.shape(state).processes[process].process_type,
    };
    let location = &question.program.locations[interpreter.location(state, process).index()];
    let mut wants: Vec<Want> = Vec::new();
    for number in location.transitions.clone() {
        let want = question.want(TransitionId(number));
        if !wants.contains(&want) {
            wants.push(want);
        }
    }
    let is_machine = question.is_machine();
    if is_machine {
        // To put a signal aside is not what anybody waits for.
        let is_saving = |want: &Want| want.statement.starts_with("save ");
        if !wants.iter().all(is_saving) {
            wants.retain(|want| !is_saving(want));
        }
    }
    if let [state, awaited, ..] = location.labels.as_slice()
        && is_machine
    {
        wants = vec![in_words(
            state,
            awaited,
            wants,
            question.place(location.origin),
        )];
    }
    Some(Waiting {
        process: process as u32,
        name: name_of_process(interpreter, state, process),
        at: question.place(location.origin),
        wants,
    })
}

/// What a machine waits for, in the words of its notation.
fn in_words(state: &str, awaited: &str, wants: Vec<Want>, at: Position) -> Want {
    let mut givers: Vec<Giver> = Vec::new();
    let mut values: Vec<NamedValue> = Vec::new();
    for want in wants {
        for giver in want.givers {
            if !givers.contains(&giver) {
                givers.push(giver);
            }
        }
        for value in want.values {
            if !values.contains(&value) {
                values.push(value);
            }
        }
    }
    givers.sort_by_key(|giver| giver.process);
    let deed = match values.is_empty() {
        true => "send it",
        false => "change that",
    };
    Want {
        statement: awaited.into(),
        at,
        reason: format!("in {state}"),
        values,
        givers,
        deed: deed.into(),
    }
}

/// A shortest circle of processes each of which waits for the next, if there is one.
pub fn cycle(waiting: &[Waiting]) -> Vec<u32> {
    let after = |process: u32| {
        let found = waiting.iter().find(|waiting| waiting.process == process);
        let wants = found.into_iter().flat_map(|waiting| &waiting.wants);
        let givers = wants.flat_map(|want| &want.givers);
        givers.map(|giver| giver.process)
    };
    let mut shortest: Vec<u32> = Vec::new();
    for start in waiting.iter().map(|waiting| waiting.process) {
        // Breadth-first, with who led to whom.
        let mut from: Vec<(u32, Option<usize>)> = vec![(start, None)];
        let mut open = VecDeque::from([0]);
        'search: while let Some(at) = open.pop_front() {
            for next in after(from[at].0) {
                if next == start {
                    let mut circle = Vec::new();
                    let mut back = Some(at);
                    while let Some(number) = back {
                        circle.push(from[number].0);
                        back = from[number].1;
                    }
                    circle.reverse();
                    if shortest.is_empty() || circle.len() < shortest.len() {
                        shortest = circle;
                    }
                    break 'search;
                }
                let is_waiting = waiting.iter().any(|waiting| waiting.process == next);
                if is_waiting && !from.iter().any(|(known, _)| *known == next) {
                    open.push_back(from.len());
                    from.push((next, Some(at)));
                }
            }
        }
    }
    shortest
}

/// Who asks, and in which state.
struct Question<'a> {
    interpreter: &'a Interpreter,
    program: &'a Program,
    names: &'a Names,
    state: &'a [u8],
    process: usize,
    process_type: ProcessTypeId,
}

impl Question<'_> {
    fn want(&self, transition: TransitionId) -> Want {
        let transition = &self.program.transitions[transition.index()];
        let statement = &self.program.statements[transition.statement.index()];
        let channel = match transition.handshake {
            Handshake::Sends(send) => Some((true, self.program.sends[send.index()].channel)),
            Handshake::Receives(receive) => {
                Some((false, self.program.receives[receive.index()].channel))
            }
            Handshake::Apart => None,
        };
        let provided = self.program.process_types[self.process_type.index()].provided;
        let held_by = self.interpreter.controller(self.state);
        let (reason, needs, deed, values) = if let Some(holder) =
            held_by.filter(|holder| *holder != self.process)
        {
            let name = name_of_process(self.interpreter, self.state, holder);
            let reason = format!("{name} is in an atomic sequence");
            (reason, vec![Need::Step(holder)], "leave it", Vec::new())
        } else if let Some(provided) = provided.filter(|provided| self.value(*provided) == Some(0))
        {
            let (needs, values) = self.condition(provided);
            let reason = "its provided clause is false".to_string();
            (reason, needs, "change that", values)
        } else if let Some((sends, channel)) = channel {
            self.channel(sends, channel)
        } else {
            let (needs, values) = self.condition(transition.guard);
            let (reason, deed) = match (needs.as_slice(), self.queue(transition.guard)) {
                ([Need::Younger, ..], _) => {
                    let reason = "processes that it started have not ended";
                    (reason.to_string(), "end")
                }
                (_, Some(reason)) if values.is_empty() => (reason, "send it"),
                (_, Some(reason)) => (reason, "change that"),
                (_, None) => (String::new(), "change that"),
            };
            (reason, needs, deed, values)
        };
        Want {
            statement: statement.text.clone(),
            at: self.place(statement.origin),
            reason,
            values,
            givers: self.givers(&needs),
            deed: deed.into(),
        }
    }

    fn is_machine(&self) -> bool {
        self.program.has_states(self.process_type)
    }

    /// What is in the queue that a machine wants to receive from, in words. How that is asked is not the user's text.
    fn queue(&self, guard: ExpressionId) -> Option<String> {
        let leaves = self.program.leaves(guard).into_iter();
        let mut receives = leaves.filter_map(|leaf| match self.program.expressions[leaf.index()] {
            Expression::CanReceive(receive) => Some(receive),
            _ => None,
        });
        let receive = receives.next().filter(|_| self.is_machine())?;
        let channel = self.program.receives[receive.index()].channel;
        Some(self.channel(false, channel).0)
    }

    fn value(&self, expression: ExpressionId) -> Option<i32> {
        self.value_for(self.process, expression)
    }

    fn value_for(&self, process: usize, expression: ExpressionId) -> Option<i32> {
        self.interpreter.value(self.state, process, expression).ok()
    }

    /// Why a message cannot be sent or received.
    fn channel(
        &self,
        sends: bool,
        channel: ExpressionId,
    ) -> (String, Vec<Need>, &'static str, Vec<NamedValue>) {
        let number = self.value(channel).unwrap_or(0);
        let name = self.names.channel(number);
        let index = usize::try_from(number.wrapping_sub(1)).unwrap_or(usize::MAX);
        let shape = self.interpreter.shape(self.state);
        let Some(entry) = shape.channels.get(index) else {
            let written = self
                .program
                .expression_text(Some(self.process_type), channel);
            let reason = format!("{written} is not a channel");
            return (reason, Vec::new(), "", Vec::new());
        };
        let channel_type = &self.program.channel_types[entry.channel_type.index()];
        let messages = contents(self.program, *entry, self.state);
        let (reason, need, deed) = match (sends, channel_type.capacity) {
            (true, 0) => (
                format!("nobody receives from {name}"),
                Need::Receiver(number),
                "receive",
            ),
            (false, 0) => (
                format!("nobody sends on {name}"),
                Need::Sender(number),
                "send",
            ),
            (true, _) => (format!("{name} is full"), Need::Receiver(number), "receive"),
            (false, _) if messages.is_empty() => {
                (format!("{name} is empty"), Need::Sender(number), "send")
            }
            (false, _) => {
                let texts = messages.iter();
                let texts = texts
                    .map(|message| (self.names).message(self.program, entry.channel_type, message));
                let held = texts.collect::<Vec<_>>().join(", ");
                let reason = format!("{name} holds [{held}], which does not match");
                (reason, Need::Receiver(number), "receive")
            }
        };
        (reason, vec![need], deed, Vec::new())
    }

    /// What a condition reads, and who may change that.
    fn condition(&self, condition: ExpressionId) -> (Vec<Need>, Vec<NamedValue>) {
        let program = self.program;
        let mut needs = Vec::new();
        let mut values = Vec::new();
        for leaf in program.leaves(condition) {
            let number = |channel: ExpressionId| self.value(channel).unwrap_or(0);
            match program.expressions[leaf.index()] {
                Expression::Youngest => {
                    needs.insert(0, Need::Younger);
                    continue;
                }
                Expression::Load(place) => needs.extend(self.writer(place)),
                Expression::Channel(_, channel) => {
                    let number = number(channel);
                    needs.extend([Need::Sender(number), Need::Receiver(number)]);
                }
                Expression::CanReceive(receive) => {
                    let number = number(program.receives[receive.index()].channel);
                    needs.extend([Need::Sender(number), Need::Receiver(number)]);
                }
                Expression::At {
                    process: Some(process),
                    ..
                }
                | Expression::Enabled(process)
                | Expression::LocationOf(process)
                | Expression::PriorityOf(process)
                | Expression::Marked { process, .. } => {
                    let process = self.value(process).and_then(|it| usize::try_from(it).ok());
                    needs.extend(process.map(Need::Step));
                }
                Expression::ProcessCount => needs.push(Need::Younger),
                _ => {}
            }
            let is_own_text = !self.is_machine()
                || match program.expressions[leaf.index()] {
                    Expression::CanReceive(_) => false,
                    Expression::Channel(test, _) => test == ChannelTest::Length,
                    _ => true,
                };
            if let Some(value) = self.value(leaf).filter(|_| is_own_text) {
                let meaning = program.meaning(Some(self.process_type), leaf);
                values.push(NamedValue {
                    name: program.expression_text(Some(self.process_type), leaf),
                    value: self.names.value(program, meaning, value),
                });
            }
        }
        (needs, values)
    }

    /// Whose writing a place would help; a process writes its own variables itself, which it cannot do now.
    fn writer(&self, place: PlaceId) -> Option<Need> {
        let offset = self.offset(self.process, place)?;
        match self.program.places[place.index()].base {
            Base::Shared => Some(Need::Writer(false, offset)),
            Base::Hidden => Some(Need::Writer(true, offset)),
            Base::Local => None,
            Base::Remote(_, process) => {
                let process = self.value(process?)?;
                usize::try_from(process).ok().map(Need::Step)
            }
        }
    }

    fn place(&self, origin: Origin) -> Position {
        position(self.program, origin)
    }

    /// Where a place is in its part of the state, with indices as they are now for a process.
    fn offset(&self, process: usize, place: PlaceId) -> Option<u32> {
        let place = &self.program.places[place.index()];
        let mut offset = place.offset;
        for number in place.indices.clone() {
            let index = &self.program.indices[number as usize];
            let element = u32::try_from(self.value_for(process, index.expression)?).ok()?;
            offset += element.checked_mul(index.stride)?;
        }
        Some(offset)
    }

    /// The processes that could give what is needed, from where they are.
    fn givers(&self, needs: &[Need]) -> Vec<Giver> {
        let processes = 0..self.interpreter.shape(self.state).processes.len();
        let gives = |process: &usize| *process != self.process && self.gives(*process, needs);
        let givers = processes.filter(gives);
        givers
            .map(|process| Giver {
                process: process as u32,
                name: name_of_process(self.interpreter, self.state, process),
            })
            .collect()
    }

    fn gives(&self, process: usize, needs: &[Need]) -> bool {
        let is_step = |need: &Need| match need {
            Need::Step(wanted) => *wanted == process,
            Need::Younger => process > self.process,
            _ => false,
        };
        if needs.iter().any(is_step) {
            return true;
        }
        let program = self.program;
        let entry = self.interpreter.shape(self.state).processes[process];
        let locations = program.process_types[entry.process_type.index()]
            .locations
            .clone();
        let mut reached = vec![false; locations.len()];
        let mut open = vec![self.interpreter.location(self.state, process).0];
        while let Some(location) = open.pop() {
            if std::mem::replace(&mut reached[(location - locations.start) as usize], true) {
                continue;
            }
            for number in program.locations[location as usize].transitions.clone() {
                let transition = &program.transitions[number as usize];
                for number in transition.effect.clone() {
                    let instruction = &program.code[number as usize];
                    if self.is_deed(process, instruction, needs) {
                        return true;
                    }
                }
                open.extend(transition.target.map(|target| target.0));
            }
        }
        false
    }

    /// Does an instruction of a process do something that is needed?
    fn is_deed(&self, process: usize, instruction: &Instruction, needs: &[Need]) -> bool {
        let program = self.program;
        let writes = |place: PlaceId| {
            let is_hidden = match program.places[place.index()].base {
                Base::Shared => false,
                Base::Hidden => true,
                Base::Local | Base::Remote(..) => return false,
            };
            let offset = self.offset(process, place);
            offset.is_some_and(|offset| needs.contains(&Need::Writer(is_hidden, offset)))
        };
        // A channel that a variable does not hold yet may be any.
        let is_on = |channel: ExpressionId, need: fn(i32) -> Need| {
            let number = self.value_for(process, channel);
            number.is_some_and(|number| needs.contains(&need(number)))
        };
        match instruction {
            Instruction::Assign(place, _) | Instruction::NewChannel(place, _) => writes(*place),
            Instruction::Run {
                result: Some(place),
                ..
            } => writes(*place),
            Instruction::Send(send) => is_on(program.sends[send.index()].channel, Need::Sender),
            Instruction::Receive(receive) => {
                let receive = &program.receives[receive.index()];
                let fields = receive.fields.start as usize..receive.fields.end as usize;
                is_on(receive.channel, Need::Receiver)
                    || program.fields[fields].iter().any(|field| match field {
                        Field::Bind(place) => writes(*place),
                        Field::Match(_) | Field::Discard => false,
                    })
            }
            _ => false,
        }
    }
}
