//! A run under way: takes one step after the other and tells what happened.

use mazurka_model::{
    Event, Fault, Interpreter, Meaning, Origin, Outcome, ProcessTypeId, Program, Step, Witness,
};
use serde::{Deserialize, Serialize};

use crate::messages::Messages;
use crate::names::{Names, name_of_process, numbered};
use crate::run::Ending;
use crate::snapshot::{Change, NamedValue, Snapshot, changes, contents};
use crate::violation::describe_failure;
use crate::waiting::{Waiting, waiting, why};

/// A state, and what must be remembered of the way there to give everything its name.
#[derive(Clone, Debug)]
pub struct Walk<'i> {
    interpreter: &'i Interpreter,
    state: Vec<u8>,
    names: Names,
    messages: Messages,
}

/// A place in the source.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Position {
    /// The path of the file.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1.
    pub column: u32,
}

/// A step that was taken.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct StepRecord {
    /// The process that moved.
    pub process: u32,
    /// Its name.
    pub name: String,
    /// Its transition.
    pub transition: u32,
    /// Zero, or which partner it met and how.
    pub choice: u32,
    /// The statement.
    pub statement: String,
    /// Where the statement is.
    pub at: Position,
    /// Who received, in a rendezvous.
    pub partner: Option<Partner>,
    /// What happened, in order.
    pub happenings: Vec<Happening>,
    /// What is different now.
    pub changes: Vec<Change>,
    /// Does the step continue an atomic sequence that an earlier one began?
    pub continues: bool,
    /// Does the process keep control after it?
    pub holds: bool,
    /// What failed.
    pub failure: Option<String>,
    /// The values of what an assertion reads that failed.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub values: Vec<NamedValue>,
}

/// The receiving half of a rendezvous.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Partner {
    /// The process that received.
    pub process: u32,
    /// Its name.
    pub name: String,
    /// Its statement.
    pub statement: String,
    /// Where the statement is.
    pub at: Position,
}

/// Something that happened in a step.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[serde(tag = "happening", rename_all = "lowercase")]
pub enum Happening {
    /// A message was sent.
    Sent(Message),
    /// A message was received, or looked at.
    Received(Message),
    /// A process was started.
    Started {
        /// Its number.
        process: u32,
        /// Its name.
        name: String,
    },
    /// A process ended.
    Died {
        /// Its number.
        process: u32,
        /// Its name.
        name: String,
    },
    /// Text was printed.
    Printed {
        /// The text.
        text: String,
    },
}

/// A message on its way.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Message {
    /// Who sent or received it.
    pub process: u32,
    /// The name of the channel.
    pub channel: String,
    /// The message.
    pub message: String,
    /// Its number, unless sender and receiver meet: the receive has that of the send.
    pub number: Option<u32>,
    /// Do sender and receiver meet?
    pub rendezvous: bool,
}

/// A walk without its interpreter, to be kept and resumed.
#[derive(Clone, Debug)]
pub struct Standing {
    state: Vec<u8>,
    names: Names,
    messages: Messages,
}

impl<'i> Walk<'i> {
    /// Resumes a walk of the same interpreter.
    pub fn at(interpreter: &'i Interpreter, standing: Standing) -> Walk<'i> {
        let Standing {
            state,
            names,
            messages,
        } = standing;
        Walk {
            interpreter,
            state,
            names,
            messages,
        }
    }

    /// Where the walk stands.
    pub fn into_standing(self) -> Standing {
        Standing {
            state: self.state,
            names: self.names,
            messages: self.messages,
        }
    }

    /// Begins in the initial state.
    pub fn start(interpreter: &'i Interpreter) -> Result<(Walk<'i>, Vec<Happening>), Fault> {
        let mut walk = Walk {
            interpreter,
            state: Vec::new(),
            names: Names::default(),
            messages: Messages::default(),
        };
        let mut events = Vec::new();
        interpreter.initial(&mut walk.state, &mut events)?;
        walk.names.follow(interpreter, &walk.state);
        let happenings = walk.happenings(events, &Vec::new());
        Ok((walk, happenings))
    }

    /// The interpreter that takes the steps.
    pub fn interpreter(&self) -> &'i Interpreter {
        self.interpreter
    }

    /// The state as it is.
    pub fn state(&self) -> &[u8] {
        &self.state
    }

    /// The name of a channel by its number, which counts from 1.
    pub fn channel_name(&self, number: i32) -> String {
        self.names.channel(number)
    }

    /// The steps that are possible. A process that holds control and cannot move loses it.
    pub fn enabled(&mut self) -> Vec<Step> {
        self.possible().0
    }

    /// How the run ends if it goes no further. A step that can do no more than fail leads nowhere.
    pub fn ending(&mut self) -> Ending {
        let (_, leads_on) = self.possible();
        if leads_on {
            Ending::Open
        } else if self.interpreter.is_valid_end(&self.state) {
            Ending::ValidEnd
        } else if self.interpreter.program().features.quiet_end
            && self.interpreter.has_messages(&self.state)
        {
            Ending::Nonprogress
        } else {
            Ending::Deadlock
        }
    }

    /// The possible steps, and whether one of them leads on: as a search sees the state.
    fn possible(&mut self) -> (Vec<Step>, bool) {
        let mut steps = Vec::new();
        let mut leads_on = self.interpreter.enabled(&self.state, &mut steps);
        if !leads_on && self.interpreter.controller(&self.state).is_some() {
            steps.clear();
            self.interpreter.release(&mut self.state);
            leads_on = self.interpreter.enabled(&self.state, &mut steps);
        }
        (steps, leads_on)
    }

    /// The state with names.
    pub fn snapshot(&self) -> Snapshot {
        Snapshot::new(self.interpreter, &self.names, &self.state)
    }

    /// A value as people read it: the name of a truth value, of a constant of an enumeration, of a channel.
    pub fn value_text(&self, program: &Program, meaning: Meaning, value: i32) -> String {
        self.names.value(program, meaning, value)
    }

    /// The processes that cannot move and may not stop where they are, and why.
    pub fn waiting(&self) -> Vec<Waiting> {
        waiting(self.interpreter, &self.names, &self.state)
    }

    /// Why a process cannot move; nothing if it can, or is none.
    pub fn why(&self, process: usize) -> Option<Waiting> {
        let is_there = process < self.interpreter.shape(&self.state).processes.len();
        match is_there {
            true => why(self.interpreter, &self.names, &self.state, process),
            false => None,
        }
    }

    /// Takes a possible step without looking.
    pub fn advance(&mut self, step: Step) -> Outcome {
        let (_, outcome) = self.execute(step, &mut ());
        self.names.follow(self.interpreter, &self.state);
        outcome
    }

    /// Takes a possible step and tells what happened. A step that cannot be completed leaves the
    /// state as it was.
    pub fn take(&mut self, step: Step) -> (StepRecord, Outcome) {
        let mut record = self.describe(step);
        let mut events = Vec::new();
        let (before, outcome) = self.execute(step, &mut events);
        self.names.follow(self.interpreter, &self.state);
        record.values = self.values(&events, &before);
        record.happenings = self.happenings(events, &before);
        record.changes = changes(self.interpreter, &self.names, &before, &self.state);
        record.holds = outcome.complete && self.interpreter.controller(&self.state).is_some();
        record.failure = outcome
            .failure
            .map(|failure| describe_failure(self.interpreter.program(), failure, step));
        (record, outcome)
    }

    /// A possible step before it is taken: who, where, with whom.
    pub fn describe(&self, step: Step) -> StepRecord {
        let program = self.interpreter.program();
        let transition = &program.transitions[step.transition.index()];
        let statement = &program.statements[transition.statement.index()];
        let partner = self
            .interpreter
            .partner(&self.state, step)
            .map(|(process, transition)| {
                let transition = &program.transitions[transition.index()];
                let statement = &program.statements[transition.statement.index()];
                Partner {
                    process: process as u32,
                    name: name_of_process(self.interpreter, &self.state, process),
                    statement: statement.text.clone(),
                    at: position(program, statement.origin),
                }
            });
        StepRecord {
            process: step.process,
            name: name_of_process(self.interpreter, &self.state, step.process as usize),
            transition: step.transition.0,
            choice: step.choice,
            statement: statement.text.clone(),
            at: position(program, statement.origin),
            partner,
            happenings: Vec::new(),
            changes: Vec::new(),
            continues: self.interpreter.controller(&self.state).is_some(),
            holds: false,
            failure: None,
            values: Vec::new(),
        }
    }

    /// Gives the state before, too.
    fn execute<W: Witness>(&mut self, step: Step, witness: &mut W) -> (Vec<u8>, Outcome) {
        let mut next = Vec::new();
        let outcome =
            self.interpreter
                .execute(&self.state, step, &mut next, &mut Vec::new(), witness);
        if outcome.complete {
            std::mem::swap(&mut self.state, &mut next);
        } else {
            next.clone_from(&self.state);
        }
        (next, outcome)
    }

    /// What a failed assertion reads, with the values at that moment.
    fn values(&self, events: &[Event], before: &[u8]) -> Vec<NamedValue> {
        let program = self.interpreter.program();
        let failed = events.iter().find_map(|event| match event {
            Event::Failed {
                process, values, ..
            } => Some((*process, values)),
            _ => None,
        });
        let Some((process, values)) = failed else {
            return Vec::new();
        };
        let shape = self.interpreter.shape(before);
        let entry = shape.processes.get(process as usize);
        let process_type = entry.map(|entry| entry.process_type);
        let named = values.iter().map(|(leaf, value)| NamedValue {
            name: program.expression_text(process_type, *leaf),
            value: (self.names).value(program, program.meaning(process_type, *leaf), *value),
        });
        named.collect()
    }

    /// What a process keeps aside for later is still in its queue: nobody is told how it is moved.
    fn without_moves(&mut self, events: Vec<Event>) -> Vec<Event> {
        let mut left = Vec::new();
        let mut events = events.into_iter().peekable();
        while let Some(event) = events.next() {
            let moved = match (&event, events.peek()) {
                (
                    Event::Received {
                        channel: from,
                        message,
                        ..
                    },
                    Some(Event::Sent {
                        channel: to,
                        message: sent,
                        ..
                    }),
                ) if message == sent => {
                    let aside = |queue, aside| self.names.kept_aside(queue) == Some(aside);
                    (aside(*from, *to) || aside(*to, *from)).then_some((*from, *to))
                }
                _ => None,
            };
            match (moved, &event) {
                (Some((from, to)), Event::Received { message, .. }) => {
                    self.messages.moved(from, to, message);
                    events.next();
                }
                _ => left.push(event),
            }
        }
        left
    }

    fn happenings(&mut self, events: Vec<Event>, before: &[u8]) -> Vec<Happening> {
        let program = self.interpreter.program();
        let named = |process: u32, process_type: ProcessTypeId| {
            let process_type = &program.process_types[process_type.index()];
            numbered(process_type, process as usize)
        };
        let happenings = self
            .without_moves(events)
            .into_iter()
            .filter_map(|event| {
                Some(match event {
                    Event::Failed { .. } => return None,
                    Event::Sent {
                        process,
                        channel,
                        channel_type,
                        message,
                    } => {
                        let rendezvous = program.channel_types[channel_type.index()].capacity == 0;
                        Happening::Sent(Message {
                            process,
                            channel: self.names.channel(channel as i32),
                            number: (!rendezvous).then(|| self.messages.sent(channel, &message)),
                            message: self.names.message(program, channel_type, &message),
                            rendezvous,
                        })
                    }
                    Event::Received {
                        process,
                        channel,
                        channel_type,
                        message,
                    } => {
                        let rendezvous = program.channel_types[channel_type.index()].capacity == 0;
                        Happening::Received(Message {
                            process,
                            channel: self.names.channel(channel as i32),
                            number: match rendezvous {
                                true => None,
                                false => self.messages.received(channel, &message),
                            },
                            message: self.names.message(program, channel_type, &message),
                            rendezvous,
                        })
                    }
                    Event::Started {
                        process,
                        process_type,
                    } => Happening::Started {
                        process,
                        name: named(process, process_type),
                    },
                    Event::Died { process } => {
                        let entry = self.interpreter.shape(before).processes[process as usize];
                        Happening::Died {
                            process,
                            name: named(process, entry.process_type),
                        }
                    }
                    Event::Printed(text) => Happening::Printed { text },
                })
            })
            .collect();
        let shape = self.interpreter.shape(&self.state);
        self.messages.settle(shape.channels.len(), |index| {
            contents(program, shape.channels[index], &self.state)
        });
        happenings
    }
}

/// Where something is in the source of a program.
pub fn position(program: &Program, origin: Origin) -> Position {
    let file = program.files.get(origin.file as usize);
    Position {
        file: file.cloned().unwrap_or_else(|| program.name.clone()),
        line: origin.line,
        column: origin.column,
    }
}

impl std::fmt::Display for Position {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "{}:{}:{}", self.file, self.line, self.column)
    }
}
