//! Why a process cannot move: what it waits for, who could give it, and who waits for whom in a circle.
//!
//! Who could give something is read off the text (`givers.rs`): a process that, from where it is, may come to a statement that sends,
//! receives or writes what is waited for. A write counts only if it may make the condition true, and if the process need not wait for the
//! same on its way there. Whether it will is another matter; in a deadlock it will not.

use std::cell::OnceCell;
use std::ops::Range;

use mazurka_model::{
    Base, BinaryOperator, ChannelTest, Expression, ExpressionId, Handshake, Interpreter, Origin,
    PlaceId, ProcessTypeId, Program, ReceiveId, SendId, TransitionId, UnaryOperator,
};
use serde::{Deserialize, Serialize};

use crate::givers::written;
use crate::names::{Names, name_of_process};
use crate::snapshot::{NamedValue, contents};
use crate::walk::{Position, position};
use crate::wish::{Wish, turned};

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
    /// What they could do for it, such as `send`; empty if that is no help.
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
pub(crate) enum Need {
    /// Somebody who sends on this channel what can be received there.
    Sender(i32, Option<ReceiveId>),
    /// Somebody who receives from this channel, or at a rendezvous what is sent there.
    Receiver(i32, Option<SendId>),
    /// Somebody who makes of this variable what is wished.
    Writer(Shared, Wish),
    /// A step of this process.
    Step(usize),
    /// The end of a younger process.
    Younger,
    /// The end of any other process.
    Others,
}

/// What is at this offset of the shared variables, or of the hidden ones.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Shared {
    pub is_hidden: bool,
    pub offset: u32,
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
        written: OnceCell::new(),
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

/// A shortest circle of processes each of which waits for the next, if there is one. Who could be helped by several waits for none of
/// them in particular.
pub fn cycle(waiting: &[Waiting]) -> Vec<u32> {
    let after = |process: u32| {
        let found = waiting.iter().find(|waiting| waiting.process == process);
        let wants = found.into_iter().flat_map(|waiting| &waiting.wants);
        let mut givers = wants.flat_map(|want| &want.givers);
        let first = givers.next().map(|giver| giver.process);
        first.filter(|first| givers.all(|giver| giver.process == *first))
    };
    let circle_from = |start: &Waiting| {
        let mut circle = vec![start.process];
        while circle.len() <= waiting.len() {
            match after(circle[circle.len() - 1])? {
                next if next == start.process => return Some(circle),
                next => circle.push(next),
            }
        }
        None
    };
    let circles = waiting.iter().filter_map(circle_from);
    circles.min_by_key(Vec::len).unwrap_or_default()
}

/// A message that cannot be sent or received.
#[derive(Clone, Copy)]
enum Message {
    Sent(SendId),
    Received(ReceiveId),
}

impl Message {
    fn channel(self, program: &Program) -> ExpressionId {
        match self {
            Message::Sent(send) => program.sends[send.index()].channel,
            Message::Received(receive) => program.receives[receive.index()].channel,
        }
    }
}

/// Who asks, and in which state.
pub(crate) struct Question<'a> {
    pub interpreter: &'a Interpreter,
    pub program: &'a Program,
    names: &'a Names,
    pub state: &'a [u8],
    pub process: usize,
    process_type: ProcessTypeId,
    written: OnceCell<[Vec<Range<u32>>; 2]>,
}

impl Question<'_> {
    /// The shared variables that processes write, and the hidden ones.
    pub fn written(&self) -> &[Vec<Range<u32>>; 2] {
        self.written.get_or_init(|| written(self.program))
    }

    fn want(&self, transition: TransitionId) -> Want {
        let transition = &self.program.transitions[transition.index()];
        let statement = &self.program.statements[transition.statement.index()];
        let message = match transition.handshake {
            Handshake::Sends(send) => Some(Message::Sent(send)),
            Handshake::Receives(receive) => Some(Message::Received(receive)),
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
        } else if let Some(message) = message {
            self.channel(message)
        } else if self.program.expressions[transition.guard.index()] == Expression::Timeout {
            let reason = "others can still move".to_string();
            (reason, Vec::new(), "", Vec::new())
        } else {
            let (needs, values) = self.condition(transition.guard);
            let (reason, deed) = match (needs.as_slice(), self.queue(transition.guard)) {
                ([Need::Younger, ..], _) => {
                    let reason = "processes that started after it have not ended";
                    (reason.to_string(), "end")
                }
                // Whoever started them.
                ([Need::Others, ..], _) => {
                    let reason = "all processes that have not ended count";
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
        Some(self.channel(Message::Received(receive)).0)
    }

    pub fn value(&self, expression: ExpressionId) -> Option<i32> {
        self.value_for(self.process, expression)
    }

    pub fn value_for(&self, process: usize, expression: ExpressionId) -> Option<i32> {
        self.interpreter.value(self.state, process, expression).ok()
    }

    /// Why a message cannot be sent or received.
    fn channel(&self, message: Message) -> (String, Vec<Need>, &'static str, Vec<NamedValue>) {
        let channel = message.channel(self.program);
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
        let meets = channel_type.capacity == 0;
        let (reason, needs, deed) = match message {
            Message::Sent(send) if meets => {
                let reason = match self.other_at(number, message) {
                    Some(other) => format!("{other} receives from {name}, but not this message"),
                    None => format!("nobody receives from {name}"),
                };
                (reason, vec![Need::Receiver(number, Some(send))], "receive")
            }
            Message::Received(receive) if meets => {
                let reason = match self.other_at(number, message) {
                    Some(other) => format!("{other} sends on {name}, but not such a message"),
                    None => format!("nobody sends on {name}"),
                };
                (reason, vec![Need::Sender(number, Some(receive))], "send")
            }
            Message::Sent(_) => {
                let reason = format!("{name} is full");
                (reason, vec![Need::Receiver(number, None)], "receive")
            }
            Message::Received(receive) if messages.is_empty() => {
                let (need, deed) = self.need_of_receive(number, receive);
                (format!("{name} is empty"), vec![need], deed)
            }
            Message::Received(receive) => {
                let texts = messages.iter();
                let texts = texts
                    .map(|message| (self.names).message(self.program, entry.channel_type, message));
                let held = texts.collect::<Vec<_>>().join(", ");
                let which = match self.program.receives[receive.index()].random {
                    true => "of which none matches",
                    false => "which does not match",
                };
                let (need, deed) = self.need_of_receive(number, receive);
                (format!("{name} holds [{held}], {which}"), vec![need], deed)
            }
        };
        (reason, needs, deed, Vec::new())
    }

    /// What is needed so that a message can be received from a channel that keeps messages, and cannot now.
    fn need_of_receive(&self, number: i32, receive: ReceiveId) -> (Need, &'static str) {
        let index = usize::try_from(number.wrapping_sub(1)).unwrap_or(usize::MAX);
        let shape = self.interpreter.shape(self.state);
        let held = shape.channels.get(index).map_or((0, 1), |entry| {
            let channel_type = &self.program.channel_types[entry.channel_type.index()];
            let count = contents(self.program, *entry, self.state).len() as u32;
            (count, channel_type.capacity)
        });
        let helps = match (held, self.program.receives[receive.index()].random) {
            ((0, _), _) => true,
            // It looks at all messages, so one more helps, and there must be room for that.
            ((count, capacity), true) => count < capacity,
            // It looks at the first.
            (_, false) => false,
        };
        match helps {
            true => (Need::Sender(number, Some(receive)), "send"),
            false => (Need::Receiver(number, None), "receive"),
        }
    }

    /// Who is at a rendezvous, ready for another message than this one.
    fn other_at(&self, number: i32, message: Message) -> Option<String> {
        let others = 0..self.interpreter.shape(self.state).processes.len();
        let is_there = |process: &usize| {
            let location = self.interpreter.location(self.state, *process);
            let mut transitions = self.program.locations[location.index()].transitions.clone();
            let own = |expression: ExpressionId| self.value(expression);
            let others = |expression: ExpressionId| self.value_for(*process, expression);
            *process != self.process
                && transitions.any(|transition| {
                    let handshake = self.program.transitions[transition as usize].handshake;
                    let (other, fits) = match (message, handshake) {
                        (Message::Sent(send), Handshake::Receives(receive)) => {
                            let fits = self.fits(number, (send, &own), (receive, &others));
                            (Message::Received(receive), fits)
                        }
                        (Message::Received(receive), Handshake::Sends(send)) => {
                            let fits = self.fits(number, (send, &others), (receive, &own));
                            (Message::Sent(send), fits)
                        }
                        _ => return false,
                    };
                    let channel = self.value_for(*process, other.channel(self.program));
                    channel == Some(number) && !fits
                })
        };
        let found = others.into_iter().find(is_there);
        found.map(|process| name_of_process(self.interpreter, self.state, process))
    }

    /// What a condition reads, and what is needed to make it true.
    fn condition(&self, condition: ExpressionId) -> (Vec<Need>, Vec<NamedValue>) {
        let program = self.program;
        let mut needs = Vec::new();
        self.needs(condition, true, &mut needs);
        let mut values = Vec::new();
        for leaf in program.leaves(condition) {
            if program.expressions[leaf.index()] == Expression::Youngest {
                continue;
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

    /// What is needed so that a condition is as wanted.
    fn needs(&self, condition: ExpressionId, truth: bool, needs: &mut Vec<Need>) {
        match self.program.expressions[condition.index()] {
            Expression::Unary(UnaryOperator::Not, inner) => self.needs(inner, !truth, needs),
            Expression::CanReceive(receive) if truth => {
                let channel = self.program.receives[receive.index()].channel;
                let number = self.value(channel).unwrap_or(0);
                needs.push(self.need_of_receive(number, receive).0);
            }
            Expression::And(left, right) | Expression::Or(left, right) => {
                let is_and = matches!(
                    self.program.expressions[condition.index()],
                    Expression::And(..)
                );
                for side in [left, right] {
                    // Where both sides have to be as wanted, one that is needs nobody.
                    let is_done = self.value(side).is_some_and(|it| (it != 0) == truth);
                    if !(is_and == truth && is_done) {
                        self.needs(side, truth, needs);
                    }
                }
            }
            _ => match self.comparison(self.process, condition, truth) {
                Some((place, shared, wish)) => {
                    needs.push(Need::Writer(shared, wish));
                    for index in self.program.places[place.index()].indices.clone() {
                        let index = self.program.indices[index as usize].expression;
                        self.needs_of_leaves(index, needs);
                    }
                }
                None => self.needs_of_leaves(condition, needs),
            },
        }
    }

    /// A change of anything that an expression reads.
    fn needs_of_leaves(&self, expression: ExpressionId, needs: &mut Vec<Need>) {
        let program = self.program;
        for leaf in program.leaves(expression) {
            let number = |channel: ExpressionId| self.value(channel).unwrap_or(0);
            match program.expressions[leaf.index()] {
                Expression::Youngest => needs.insert(0, Need::Younger),
                Expression::Load(place) => needs.extend(self.writer(place)),
                Expression::Channel(_, channel) => {
                    let number = number(channel);
                    needs.extend([Need::Sender(number, None), Need::Receiver(number, None)]);
                }
                Expression::CanReceive(receive) => {
                    let number = number(program.receives[receive.index()].channel);
                    needs.extend([Need::Sender(number, None), Need::Receiver(number, None)]);
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
                Expression::ProcessCount => needs.push(Need::Others),
                _ => {}
            }
        }
    }

    /// The shared variable that a condition of a process compares with what no other process changes, and what it has to become.
    pub fn comparison(
        &self,
        process: usize,
        condition: ExpressionId,
        truth: bool,
    ) -> Option<(PlaceId, Shared, Wish)> {
        let expressions = &self.program.expressions;
        let shared = |side: ExpressionId| match expressions[side.index()] {
            Expression::Load(place) => Some((place, self.shared(process, place)?)),
            _ => None,
        };
        let fixed = |side: ExpressionId| {
            let mut leaves = self.program.leaves(side).into_iter();
            let is_fixed = leaves.all(|leaf| match expressions[leaf.index()] {
                Expression::Load(place) => self.program.places[place.index()].base == Base::Local,
                Expression::SelfProcess => true,
                _ => false,
            });
            is_fixed.then(|| self.value_for(process, side)).flatten()
        };
        let kind = |place: PlaceId| self.program.places[place.index()].kind;
        let (place, shared, operator, number) = match expressions[condition.index()] {
            Expression::Binary(operator, left, right) => {
                match (shared(left), fixed(right), shared(right), fixed(left)) {
                    (Some((place, it)), Some(number), ..) => (place, it, operator, number),
                    (.., Some((place, it)), Some(number)) => (place, it, turned(operator), number),
                    _ => return None,
                }
            }
            Expression::Load(_) => {
                let (place, it) = shared(condition)?;
                (place, it, BinaryOperator::NotEqual, 0)
            }
            _ => return None,
        };
        let wish = Wish::of(kind(place), operator, number, truth);
        (wish != Wish::Another).then_some((place, shared, wish))
    }

    /// The shared variable that a place is for a process, with indices as they are now.
    fn shared(&self, process: usize, place: PlaceId) -> Option<Shared> {
        let is_hidden = match self.program.places[place.index()].base {
            Base::Shared => false,
            Base::Hidden => true,
            Base::Local | Base::Remote(..) => return None,
        };
        let offset = self.offset(process, place)?;
        Some(Shared { is_hidden, offset })
    }

    /// Whose writing a place would help; a process writes its own variables itself, which it cannot do now.
    fn writer(&self, place: PlaceId) -> Option<Need> {
        match self.program.places[place.index()].base {
            Base::Shared | Base::Hidden => {
                let shared = self.shared(self.process, place)?;
                Some(Need::Writer(shared, Wish::Another))
            }
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
}
