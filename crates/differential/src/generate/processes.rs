//! Processes of a random model: who starts, who starts whom, and the overall form of a body.

use super::statements::push_statement;
use super::*;

impl Generator {
    pub(super) fn declare_processes(&mut self) {
        if self.has(Feature::Run) {
            for _ in 0..self.random.between(1, 2) {
                self.declare_worker();
            }
        }
        let mut instances = if self.workers.is_empty() {
            self.random.weighted(&[(3, 2), (6, 3), (1, 4)])
        } else {
            self.random.weighted(&[(4, 1), (5, 2), (2, 3)])
        }
        .unwrap_or(2);
        self.room = 4 - i64::from(instances);
        let init = self
            .random
            .chance(if self.workers.is_empty() { 20 } else { 60 });
        let position = self.random.below(2) as u32;
        let mut number = 0;
        while instances > 0 {
            if init && number == position {
                self.declare_process(Start::Init, number);
                instances -= 1;
            } else {
                let copies = if self.random.chance(25) {
                    instances.min(2)
                } else {
                    1
                };
                self.declare_process(Start::Active(copies), number);
                instances -= copies;
            }
            number += 1;
        }
    }

    /// A process started by `run`. Most end, so that pids and their memory are used again.
    fn declare_worker(&mut self) {
        let name = format!("W{}", self.workers.len());
        let mut declarations = Vec::new();
        let mut parameters = Vec::new();
        let (variables, channels) = (self.variables.len(), self.channels.len());
        for _ in 0..self.random.between(0, 2) {
            let (declaration, parameter) = self.parameter();
            declarations.push(declaration);
            parameters.push(parameter);
        }
        let recursive = self.sometimes(Feature::Recursion, 70);
        if recursive {
            self.workers.push(Worker {
                name: name.clone(),
                parameters: parameters.clone(),
            });
        }
        let budget = self.random.between(2, 5) as usize;
        let context = Context {
            budget,
            pids: None,
            ..Context::default()
        };
        let ends = self.random.chance(80);
        let (mut body, labels) = self.body(context, ends, false);
        if recursive {
            body.extend(self.guarded_run());
        }
        self.variables.truncate(variables);
        self.channels.truncate(channels);
        if !recursive {
            self.workers.push(Worker {
                name: name.clone(),
                parameters,
            });
        }
        self.remotes.push(Remote {
            process: name.clone(),
            pids: 0..0,
            variables: scalars(&body, self.has(Feature::RemoteParts)),
            labels,
        });
        let provided = (self.sometimes(Feature::Provided, 50))
            .then(|| self.provided_clause())
            .flatten();
        self.program.processes.push(Process {
            name,
            start: Start::Run,
            deterministic: false,
            parameters: declarations,
            priority: None,
            provided,
            body,
        });
    }

    fn parameter(&mut self) -> (Declaration, Parameter) {
        let name = self.fresh("p");
        let plain = |kind, name| Declaration {
            prefix: None,
            kind,
            name,
            length: None,
            initial: None,
        };
        if self.sometimes(Feature::ChannelParameters, 50) && !self.channels.is_empty() {
            let shape = self.random.pick(&self.channels.clone()).shape.clone();
            self.channels.push(Channel {
                name: name.clone(),
                length: None,
                field: None,
                shape: shape.clone(),
                global: false,
            });
            return (plain(Type::Channel, name), Parameter::Channel(shape));
        }
        let mtype = self.sometimes(Feature::Mtypes, 20);
        let kind = if mtype {
            Type::Mtype
        } else {
            self.random
                .pick(&[Type::Byte, Type::Bit, Type::Int])
                .clone()
        };
        self.variables.push(Variable {
            name: name.clone(),
            kind: kind.clone(),
            length: None,
            writable: true,
            hidden: false,
            global: false,
        });
        (
            plain(kind, name),
            if mtype {
                Parameter::Mtype
            } else {
                Parameter::Value
            },
        )
    }

    fn declare_process(&mut self, start: Start, number: u32) {
        let copies = if let Start::Active(copies) = start {
            copies
        } else {
            1
        };
        let pids = self.next_pid..self.next_pid + copies;
        self.next_pid += copies;
        let name = match start {
            Start::Init => "init".to_string(),
            _ => format!("P{number}"),
        };
        let (variables, channels) = (self.variables.len(), self.channels.len());
        let budget = self.random.between(3, 9) as usize;
        let context = Context {
            budget,
            pids: Some(pids.clone()),
            ..Context::default()
        };
        let ends = self.random.chance(45);
        let (body, labels) = self.body(context, ends, true);
        self.variables.truncate(variables);
        self.channels.truncate(channels);
        if start != Start::Init {
            self.remotes.push(Remote {
                process: name.clone(),
                pids,
                variables: scalars(&body, self.has(Feature::RemoteParts)),
                labels,
            });
        }
        let provided = (self.sometimes(Feature::Provided, 60))
            .then(|| self.provided_clause())
            .flatten();
        let provided = provided.filter(|_| start != Start::Init);
        let priority = self
            .sometimes(Feature::Priorities, 70)
            .then(|| self.random.between(1, 3) as u8);
        let deterministic =
            self.sometimes(Feature::DeterministicProctype, 25) && start != Start::Init;
        self.program.processes.push(Process {
            name,
            start,
            deterministic,
            parameters: Vec::new(),
            priority,
            provided,
            body,
        });
    }

    /// Only what is global may stand in it.
    fn provided_clause(&mut self) -> Option<Expression> {
        match self.random.below(8) {
            0 if self.has(Feature::ProcessCount) => {
                let count = Expression::Number(self.random.between(2, 4));
                return Some(Expression::binary(
                    "<",
                    Expression::Predefined("_nr_pr"),
                    count,
                ));
            }
            1 | 2 if self.has(Feature::Probes) => {
                // SPIN's grammar has no `empty` and the like here.
                let (channel, _) = self.buffered_place()?;
                let operator = *self.random.pick(&["<", ">", "=="]);
                let length = Expression::Probe("len", channel);
                return Some(Expression::binary(operator, length, Expression::Number(1)));
            }
            3 if self.has(Feature::Polls) => return self.poll(),
            _ => {}
        }
        let place = self.numeric_place(|variable| variable.global && !variable.hidden)?;
        let operator = *self.random.pick(&["!=", "<", "=="]);
        let value = Expression::Read(place);
        let value = match self.sometimes(Feature::Division, 20) {
            true => Expression::binary("/", Expression::Number(6), value),
            false => value,
        };
        Some(Expression::binary(
            operator,
            value,
            Expression::Number(self.random.between(0, 2)),
        ))
    }

    /// A body and the labels in it: declarations, then `run`s that happen once, then statements and perhaps a loop.
    fn body(&mut self, context: Context, ends: bool, first: bool) -> (Block, Vec<String>) {
        let outer = std::mem::replace(&mut self.context, context);
        let mut body = Vec::new();
        for _ in 0..self.random.between(0, 2) {
            let name = self.fresh("l");
            body.push(Statement::Declare(self.variable(name, false)));
        }
        if self.sometimes(Feature::RemoteParts, 60) {
            body.push(Statement::Declare(self.local_array()));
        }
        let published = self.sometimes(Feature::DeadChannels, if first { 30 } else { 80 });
        if self.sometimes(Feature::LocalChannels, 30) && !self.channels.is_empty() || published {
            body.extend(self.own_channel(published));
        }
        if self.relay.is_some() && self.random.chance(60) {
            body.push(Statement::Declare(self.declare_via()));
        }
        if self.sometimes(Feature::Exclusive, 40) {
            body.extend(self.promise());
        }
        if first && !self.workers.is_empty() {
            self.start_workers(&mut body);
        }
        if self.sometimes(Feature::Goto, 60) {
            let count = self.random.between(1, 2);
            self.context.labels = (0..count).map(|number| format!("L{number}")).collect();
            self.context.repeating = true;
        }
        let prologue = body.len();
        let before = self.random.between(0, 2) as usize;
        let after = self.random.between(0, 2) as usize;
        let mut rest = Vec::new();
        if before > 0 || ends {
            rest.extend(self.block(before.max(1)));
        }
        if !ends || self.random.chance(30) {
            rest.push(self.repetition());
        }
        if after > 0 {
            rest.extend(self.block(after));
        }
        rest.into_iter()
            .for_each(|statement| push_statement(&mut body, statement));
        let mut labels = self.place_labels(&mut body, prologue);
        labels.extend(self.place_marks(&mut body, prologue));
        self.context = outer;
        (body, labels)
    }

    /// An array whose elements others may look at.
    fn local_array(&mut self) -> Declaration {
        let name = self.fresh("l");
        self.variables.push(Variable {
            name: name.clone(),
            kind: Type::Byte,
            length: Some(2),
            writable: true,
            hidden: false,
            global: false,
        });
        Declaration {
            prefix: None,
            kind: Type::Byte,
            name,
            length: Some(2),
            initial: None,
        }
    }

    fn declare_via(&mut self) -> Declaration {
        let name = self.fresh("v");
        self.context.via = Some(name.clone());
        Declaration {
            prefix: None,
            kind: Type::Channel,
            name,
            length: None,
            initial: None,
        }
    }

    fn start_workers(&mut self, body: &mut Block) {
        let copies = self.context.pids.as_ref().map_or(1, |pids| pids.len()) as i64;
        // A process that is alone has no one to meet.
        let least = if self.room == 3 { 2 } else { 0 };
        let count = self.random.between(least, 2).min(self.room / copies);
        self.room -= count * copies;
        let mut starts: Block = (0..count).filter_map(|_| self.run()).collect();
        if count == 2 && self.sometimes(Feature::Atomic, 50) {
            starts = vec![Statement::Atomic(starts)];
        }
        body.extend(starts);
    }

    fn run(&mut self) -> Option<Statement> {
        if self.workers.is_empty() {
            return None;
        }
        let number = self.random.below(self.workers.len());
        let name = self.workers[number].name.clone();
        let parameters = std::mem::take(&mut self.workers[number].parameters);
        let arguments: Option<Vec<Expression>> = parameters
            .iter()
            .map(|parameter| self.argument(parameter))
            .collect();
        self.workers[number].parameters = parameters;
        let arguments = arguments?;
        let result = match self.random.chance(20) {
            true => self.numeric_place(|variable| {
                variable.writable && variable.kind == Type::Byte && !variable.hidden
            }),
            false => None,
        };
        let priority = self
            .sometimes(Feature::Priorities, 50)
            .then(|| self.random.between(1, 3) as u8);
        let tested = self.sometimes(Feature::RunCondition, 40) && result.is_none();
        Some(Statement::Run {
            result,
            tested,
            process: name,
            arguments,
            priority,
        })
    }

    fn argument(&mut self, parameter: &Parameter) -> Option<Expression> {
        match parameter {
            Parameter::Value => Some(self.value(1)),
            // Not a variable: SPIN 6.5.2 calls an mtype variable here an argument of the wrong type.
            Parameter::Mtype => Some(self.mtype_constant()),
            Parameter::Channel(shape) => {
                let fitting: Vec<Channel> = self
                    .channels
                    .iter()
                    .filter(|channel| channel.shape == *shape)
                    .cloned()
                    .collect();
                if fitting.is_empty() {
                    return None;
                }
                let channel = self.random.pick(&fitting).clone();
                let index = channel
                    .length
                    .map(|length| Box::new(self.index(&channel.name, length)));
                let fields = channel.field.map(|field| (field, None));
                Some(Expression::Read(Place {
                    name: channel.name,
                    index,
                    fields: fields.into_iter().collect(),
                }))
            }
        }
    }

    /// A `run` that may be reached again and again: only while there are few processes.
    pub(super) fn guarded_run(&mut self) -> Option<Statement> {
        let run = self.run()?;
        let few = Expression::binary(
            "<",
            Expression::Predefined("_nr_pr"),
            Expression::Number(self.random.between(3, 4)),
        );
        let alternative = match self.random.chance(50) {
            true => vec![Statement::Else],
            false => vec![self.guard()],
        };
        let start = vec![Statement::Condition(few), run];
        // Between the test and the start another process may be started; atomic keeps the number bounded.
        Some(Statement::If(vec![
            vec![Statement::Atomic(start)],
            alternative,
        ]))
        .filter(|_| self.has(Feature::Atomic) && !self.context.atomic)
    }

    /// Puts every label that a goto may name on some statement after the prologue.
    fn place_labels(&mut self, body: &mut Block, prologue: usize) -> Vec<String> {
        let labels = self.context.labels.clone();
        for label in &labels {
            let positions: Vec<usize> = (prologue..body.len())
                .filter(|&at| can_be_labelled(&body[at]))
                .collect();
            if positions.is_empty() {
                body.push(Statement::Skip);
            }
            let position = if positions.is_empty() {
                body.len() - 1
            } else {
                *self.random.pick(&positions)
            };
            // Now and then into an atomic block, so that a goto enters it in the middle.
            let inside = self.random.chance(30);
            let target = match &mut body[position] {
                Statement::Atomic(inner)
                    if inside && inner.len() > 1 && inner.last().is_some_and(can_be_labelled) =>
                {
                    inner.last_mut().expect("it has a last statement")
                }
                other => other,
            };
            put_label(target, label.clone());
        }
        labels
    }
}

/// The variables at the beginning of a body that others may look at; with `parts`, elements of arrays too.
fn scalars(body: &Block, parts: bool) -> Vec<String> {
    let locals = body.iter().map_while(|statement| match statement {
        Statement::Declare(declaration) => Some(declaration),
        _ => None,
    });
    let looked_at = |local: &&Declaration| {
        let scalar = !matches!(local.kind, Type::Channel | Type::Mtype | Type::Structure(_));
        scalar && (parts || local.length.is_none())
    };
    locals
        .filter(looked_at)
        .map(|local| match local.length {
            Some(length) => format!("{}[{}]", local.name, length - 1),
            None => local.name.clone(),
        })
        .collect()
}

/// Not a d_step either, for SPIN takes a goto to its label for a jump into it; nor a second label on `unless`, which
/// it calls placed incorrectly.
pub(super) fn can_be_labelled(statement: &Statement) -> bool {
    use Statement::*;
    match statement {
        Declare(_) | Exclusive(..) | Goto(_) | Break | Else | DeterministicStep(_) => false,
        Label(_, inner) => !matches!(**inner, Unless(..) | Label(..)),
        _ => true,
    }
}

pub(super) fn put_label(statement: &mut Statement, label: String) {
    let inner = std::mem::replace(statement, Statement::Skip);
    *statement = Statement::Label(label, Box::new(inner));
}
