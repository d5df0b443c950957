//! What names mean: synonyms, types, signals, processes with their variables, states and queues.

use std::collections::HashMap;

use mazurka_model::{
    ChannelType, ChannelTypeId, Enumeration, Kind, LocationId, Meaning, MessageField, ProcessType,
    Variable,
};
use mazurka_span::Span;
use mazurka_syntax::Lower;

use super::{Line, Local, Lowerer, Process, QUEUE, SAVED, SENDER, Signal, Timer, Type, key, uses};
use crate::ast::{self, ActionKind, ExpressionKind, Name, States, TriggerKind, TypeKind};
use crate::codes;
use crate::routing;

/// A state names processes and channels by one byte.
const MOST_PROCESSES: u32 = 250;
const MOST_SIGNALS: usize = 250;

impl<'a> Lowerer<'a> {
    pub(super) fn declare(&mut self, defines: &[String]) {
        for (name, type_) in [
            ("boolean", Type::Boolean),
            ("integer", Type::Integer(None)),
            ("natural", Type::Integer(Some((0, i32::MAX)))),
            ("pid", Type::Pid),
            ("character", Type::Character),
            ("time", Type::Integer(None)),
            ("duration", Type::Integer(None)),
            (crate::expand::NUMBER, Type::Integer(None)),
        ] {
            self.types.insert(name.into(), type_);
        }
        let given = self.given(defines);
        self.constants_and_types(&given);
        let system = self.system;
        self.signal_names();
        for channel in &system.channels {
            for way in &channel.ways {
                self.ends_of(channel.scope, &way.from, &way.to);
                self.members(&way.signals);
                if way.from.is_none() && channel.scope == 0 && self.environment.is_none() {
                    let message = "signals from the environment: the system is open, and nothing is known of who sends them; `--define ENVIRONMENT=1` lets them come at any time while their receiver's queue is empty";
                    self.error(codes::OPEN_SYSTEM, way.span, message);
                }
            }
        }
        self.connections();
        for (block, described) in system.blocks.iter().enumerate() {
            for way in described.routes.iter().flat_map(|route| &route.ways) {
                self.members(&way.signals);
                for place in [&way.from, &way.to].into_iter().flatten() {
                    if !described
                        .processes
                        .iter()
                        .any(|p| routing::same(&p.name, place))
                    {
                        let known: Vec<String> =
                            described.processes.iter().map(|p| key(&p.name)).collect();
                        self.unknown(place, "process", known);
                    }
                }
            }
            for (channel, routes) in &described.connections {
                let is_it =
                    |c: &ast::Path| c.scope == described.scope && routing::same(&c.name, channel);
                if !system.channels.iter().any(is_it) {
                    let near = system
                        .channels
                        .iter()
                        .filter(|c| c.scope == described.scope);
                    let known = near.map(|channel| channel.name.to_string()).collect();
                    self.unknown(channel, "channel", known);
                }
                for route in routes {
                    if !described
                        .routes
                        .iter()
                        .any(|r| routing::same(&r.name, route))
                    {
                        let known = described.routes.iter().map(|route| route.name.to_string());
                        self.unknown(route, "signal route", known.collect());
                    }
                }
            }
            for (number, process) in described.processes.iter().enumerate() {
                self.process_names(process, (block, number));
            }
        }
        self.numbers();
        self.declare_instances();
        self.queue_type();
    }

    pub(super) fn declared_once(&mut self, names: &mut HashMap<String, Span>, name: &Name) {
        if names.insert(key(name), name.span).is_some() {
            let message = format!("`{name}` is declared twice");
            self.error(codes::DUPLICATE, name.span, message);
        }
    }

    fn ends_of(&mut self, scope: usize, from: &Option<Name>, to: &Option<Name>) {
        for place in [from, to].into_iter().flatten() {
            let system = self.system;
            let blocks = system.blocks.iter();
            let blocks = blocks.filter(|b| b.scope == scope).map(|b| &b.name);
            let inner = system.scopes.iter();
            let inner = inner.filter(|s| s.outer == scope).map(|s| &s.block);
            let known: Vec<String> = blocks.chain(inner).map(key).collect();
            if !known.contains(&key(place)) {
                self.unknown(place, "block", known);
            }
        }
    }

    /// Channels around a block and inside it that are connected.
    fn connections(&mut self) {
        let system = self.system;
        for (number, scope) in system.scopes.iter().enumerate() {
            for (outer, inner) in &scope.connections {
                let ends = inner.iter().map(|inner| (inner, number + 1));
                for (name, at) in ends.chain([(outer, scope.outer)]) {
                    let is_it = |c: &ast::Path| c.scope == at && routing::same(&c.name, name);
                    if !system.channels.iter().any(is_it) {
                        let near = system.channels.iter().filter(|c| c.scope == at);
                        let known = near.map(|channel| channel.name.to_string()).collect();
                        self.unknown(name, "channel", known);
                    }
                }
            }
        }
    }

    fn members(&mut self, members: &[ast::Member]) {
        for member in members {
            let known = match member.list {
                true => (self.system.lists.iter()).any(|l| routing::same(&l.name, &member.name)),
                false => self.signal_named(&member.name).is_some(),
            };
            if !known {
                let lists = self.system.lists.iter();
                let (what, known) = match member.list {
                    true => (
                        "list of signals",
                        lists.map(|list| list.name.to_string()).collect(),
                    ),
                    false => ("signal", self.names_of_signals()),
                };
                self.unknown(&member.name, what, known);
            }
        }
    }

    pub(super) fn signal_named(&self, name: &Name) -> Option<usize> {
        let name = key(name);
        let mut signals = self.signals.iter();
        signals.position(|signal| {
            signal.timer_of.is_none()
                && signal.creates.is_none()
                && signal.name.eq_ignore_ascii_case(&name)
        })
    }

    pub(super) fn type_definition(&mut self, definition: &ast::TypeDefinition) {
        let name = key(&definition.name);
        if self.types.contains_key(&name) {
            let message = format!("`{}` is declared twice", definition.name);
            self.error(codes::DUPLICATE, definition.name.span, message);
            return;
        }
        let type_ = match &definition.kind {
            TypeKind::Literals(literals) => {
                let number = self.building.program.enumerations.len();
                self.enumerations.push(definition.name.to_string());
                let type_ = Type::Literal(number);
                let mut constants = Vec::new();
                for (value, literal) in literals.iter().enumerate() {
                    // Several types may have a literal of that name; which is meant has been seen before, where it can be.
                    let full = format!("{name}.{}", key(literal));
                    let twice = self.constants.insert(full, (value as i32, type_)).is_some();
                    match self.constants.get(&key(literal)) {
                        Some((_, Type::Literal(other))) if *other != number && !twice => {
                            self.ambiguous.insert(key(literal));
                        }
                        Some(_) => {
                            let message = format!("`{literal}` is declared twice");
                            self.error(codes::DUPLICATE, literal.span, message);
                        }
                        None => {
                            self.constants.insert(key(literal), (value as i32, type_));
                        }
                    }
                    constants.push((literal.to_string(), value as i32));
                }
                self.building.program.enumerations.push(Enumeration {
                    name: definition.name.to_string(),
                    constants,
                });
                type_
            }
            TypeKind::Range { of, bounds } => {
                let parent = self.type_named(of);
                match bounds {
                    None => parent,
                    Some(_) if matches!(parent, Type::Literal(_) | Type::Character) => {
                        let message = format!(
                            "a range of `{of}` is not supported: use the type itself, or a range of Integer"
                        );
                        self.error(codes::NOT_TAKEN, of.span, message);
                        parent
                    }
                    Some((low, high)) => {
                        self.expect_type(of.span, parent, Type::Integer(None));
                        let low = self.constant_value(low).map_or(0, |(value, _)| value);
                        let high = self.constant_value(high).map_or(low, |(value, _)| value);
                        if low > high {
                            let message = "a range without a value";
                            self.error(codes::OUT_OF_RANGE, definition.name.span, message);
                        }
                        Type::Integer(Some((low, high)))
                    }
                }
            }
            // Their parts have been put in their places.
            TypeKind::Structure(_) | TypeKind::Array { .. } | TypeKind::Row { .. } => Type::Unknown,
        };
        self.types.insert(name, type_);
    }

    pub(super) fn type_named(&mut self, name: &Name) -> Type {
        if let Some(type_) = self.types.get(&key(name)).copied() {
            let mut cut = self.system.cut.iter();
            if cut.any(|cut| routing::same(cut, name)) && self.told.insert(key(name)) {
                let message = format!(
                    "`{name}` has values of more than 32 bits: here one that is beyond {} is an error",
                    i32::MAX
                );
                let told = mazurka_span::Diagnostic::warning(codes::INFORMAL, name.span, message);
                self.building.diagnostics.push(told);
            }
            return type_;
        }
        let known = [
            "real",
            "charstring",
            "string",
            "array",
            "powerset",
            "bit",
            "octet",
        ];
        let refused = self
            .system
            .refused
            .iter()
            .find(|(known, _)| routing::same(known, name));
        if let Some((_, reason)) = refused {
            let message = format!("the type `{name}` is not supported: {reason} (ASN.1)");
            self.error(codes::NOT_TAKEN, name.span, message);
        } else if known.contains(&&*key(name)) {
            let message = format!("the type `{name}` is not supported");
            self.error(codes::NOT_TAKEN, name.span, message);
        } else {
            let known: Vec<String> = self.types.keys().cloned().collect();
            self.unknown(name, "type", known);
        }
        Type::Unknown
    }

    fn signal_names(&mut self) {
        let mut names = HashMap::new();
        for signal in &self.system.signals {
            self.declared_once(&mut names, &signal.name);
            let parameters = signal.parameters.iter();
            let parameters = parameters.map(|name| self.type_named(name)).collect();
            self.signals.push(Signal {
                name: signal.name.to_string(),
                parameters,
                timer_of: None,
                creates: None,
            });
        }
        for list in &self.system.lists {
            self.members(&list.members);
        }
    }

    fn process_names(&mut self, process: &'a ast::Process, at: (usize, usize)) {
        let number = self.processes.len();
        if self
            .processes
            .iter()
            .any(|p| routing::same(&p.ast.name, &process.name))
        {
            let message = format!("`{}` is declared twice", process.name);
            self.error(codes::DUPLICATE, process.name.span, message);
        }
        let all = self.system.blocks.iter().flat_map(|block| &block.processes);
        let mut all = all.flat_map(routing::actions);
        let created = all.any(|action| {
            matches!(&action.kind, ActionKind::Create(name, _) if routing::same(name, &process.name))
        });
        let actions = routing::actions(process);
        let stops = actions
            .iter()
            .any(|action| matches!(action.kind, ActionKind::Stop));
        let count = match &process.count {
            None => 1,
            Some(count) => self.counted(count, 0, "at the start"),
        };
        // Nobody may ever create one.
        let created = created || count == 0;
        let most = process.most.as_ref();
        let most = most.map(|most| self.counted(most, count.max(1) as i32, "at most"));
        let slots = match (created, most) {
            (false, _) => count,
            (true, Some(most)) => most,
            (true, None) => count.max(self.instances),
        };
        if process.parameters > 0 && count > 0 {
            let message = format!(
                "`{}` has parameters, and {count} of it that nobody creates: they begin with what a variable begins with",
                process.name
            );
            let span = process.name.span;
            let note = mazurka_span::Diagnostic::warning(codes::INFORMAL, span, message);
            self.building.diagnostics.push(note);
        }
        let mut states: Vec<(String, String)> = Vec::new();
        for state in &process.states {
            if let States::Named(names) = &state.of {
                for name in names {
                    if !states.iter().any(|(_, known)| *known == key(name)) {
                        states.push((name.to_string(), key(name)));
                    }
                }
            }
        }
        for action in routing::actions(process) {
            if let ActionKind::NextState(Some(name)) = &action.kind
                && !states.iter().any(|(_, known)| *known == key(name))
            {
                // A state that nothing is said about has to be mentioned all the same.
                let known: Vec<String> = states.iter().map(|(_, name)| name.clone()).collect();
                self.unknown(name, "state", known);
            }
        }
        let triggers = process.states.iter().flat_map(|state| &state.triggers);
        let saves = triggers.clone().any(|trigger| {
            matches!(
                trigger.kind,
                TriggerKind::Save(_) | TriggerKind::SaveAll | TriggerKind::PriorityInput(_)
            ) || matches!(trigger.kind, TriggerKind::Input(_)) && trigger.provided.is_some()
        });
        let mut frame = if saves { SAVED + 1 } else { SENDER + 1 };
        let mut variables = HashMap::new();
        let mut names = HashMap::new();
        let mut described = vec![
            (
                String::from("queue"),
                QUEUE,
                Kind::Byte,
                Meaning::Channel,
                None,
            ),
            (
                String::from("sender"),
                SENDER,
                Kind::Byte,
                Meaning::Number,
                None,
            ),
        ];
        if saves {
            described.push((
                "saved signals".into(),
                SAVED,
                Kind::Byte,
                Meaning::Channel,
                None,
            ));
        }
        for variable in &process.variables {
            self.declared_once(&mut names, &variable.name);
            let type_ = self.type_named(&variable.type_name);
            let length = variable.length;
            if variable.revealed {
                // It is shared by all instances, with a place for each.
                let local = Local {
                    offset: self.shared,
                    type_,
                    length,
                    revealed_by: Some(number),
                };
                variables.insert(key(&variable.name), local);
                self.building.program.shared.push(Variable {
                    name: format!("{} of {}", variable.name, process.name),
                    offset: self.shared,
                    kind: type_.kind(),
                    length: (slots * length.unwrap_or(1) > 1).then(|| slots * length.unwrap_or(1)),
                    meaning: type_.meaning(),
                });
                self.shared += type_.kind().bytes() * length.unwrap_or(1) * slots;
                continue;
            }
            let offset = frame;
            let local = Local {
                offset,
                type_,
                length,
                revealed_by: None,
            };
            variables.insert(key(&variable.name), local);
            let name = variable.name.to_string();
            described.push((name, offset, type_.kind(), type_.meaning(), length));
            frame += type_.kind().bytes() * length.unwrap_or(1);
        }
        let asks = |asked: fn(&ExpressionKind) -> bool| uses::asks(process, asked);
        let mut kept = |name: &str, wanted: bool| {
            let offset = wanted.then_some(frame)?;
            described.push((name.into(), offset, Kind::Byte, Meaning::Number, None));
            frame += 1;
            Some(offset)
        };
        let parent = kept(
            "parent",
            created && asks(|kind| matches!(kind, ExpressionKind::Parent)),
        );
        let offspring = kept(
            "offspring",
            asks(|kind| matches!(kind, ExpressionKind::Offspring)),
        );
        let mut timers = Vec::new();
        for timer in &process.timers {
            let name = &timer.name;
            self.declared_once(&mut names, name);
            if self.signal_named(name).is_some() {
                let message = format!("`{name}` is a signal already");
                self.error(codes::DUPLICATE, name.span, message);
            }
            let parameters = timer.parameters.iter();
            let parameters: Vec<Type> = parameters.map(|name| self.type_named(name)).collect();
            let mut ranges = Vec::new();
            for (type_, name) in parameters.iter().zip(&timer.parameters) {
                ranges.push(match self.range_of(*type_) {
                    Some((low, high)) if i64::from(high) - i64::from(low) < 100 => (low, high),
                    _ => {
                        let message = format!(
                            "a parameter of a timer needs a type of at most 100 values: `{name}` has more"
                        );
                        self.error(codes::OUT_OF_RANGE, name.span, message);
                        (0, 0)
                    }
                });
            }
            let timer = Timer {
                signal: self.signals.len(),
                offset: frame,
                ranges,
            };
            let length = (!timer.ranges.is_empty()).then(|| timer.count());
            described.push((name.to_string(), frame, Kind::Bit, Meaning::Truth, length));
            frame += Kind::Bit.bytes() * timer.count();
            timers.push(timer);
            self.signals.push(Signal {
                name: name.to_string(),
                parameters,
                timer_of: Some(number),
                creates: None,
            });
        }
        let created_by = created.then_some(self.signals.len());
        if created {
            let given = process.variables[..].iter();
            let mut parameters = Vec::new();
            for variable in given {
                let local = variables[&key(&variable.name)];
                let length = local.length.unwrap_or(1) as usize;
                if parameters.len() < process.parameters {
                    parameters.extend(vec![local.type_; length]);
                }
            }
            self.signals.push(Signal {
                name: format!("create {}", process.name),
                parameters,
                timer_of: None,
                creates: Some(number),
            });
        }
        let exists = (created || stops).then_some(self.shared);
        if exists.is_some() {
            self.shared += slots;
        }
        self.building.program.process_types.push(ProcessType {
            variables: described
                .into_iter()
                .map(|(name, offset, kind, meaning, length)| Variable {
                    name,
                    offset,
                    kind,
                    length,
                    meaning,
                })
                .collect(),
            ..ProcessType::new(process.name.as_str(), LocationId(0))
        });
        self.processes.push(Process {
            ast: process,
            at,
            count,
            slots,
            bounded: most.is_some(),
            exists,
            created_by,
            parent,
            offspring,
            first: 0,
            first_channel: 0,
            variables,
            timers,
            states,
            saves,
            frame,
        });
    }

    fn counted(&mut self, count: &ast::Expression, least: i32, when: &str) -> u32 {
        match self.constant_value(count) {
            Some((value, _)) if (least..=MOST_PROCESSES as i32).contains(&value) => value as u32,
            Some(_) => {
                let message = format!("there are from {least} to 250 instances {when}");
                self.error(codes::OUT_OF_RANGE, count.span, message);
                1
            }
            None => 1,
        }
    }

    /// The least and the greatest value of a type, if they are known.
    pub(super) fn range_of(&self, type_: Type) -> Option<(i32, i32)> {
        match type_ {
            Type::Boolean => Some((0, 1)),
            Type::Character => Some((0, 127)),
            Type::Integer(range) => range.filter(|(_, high)| *high != i32::MAX),
            Type::Literal(number) => {
                let literals = self.building.program.enumerations[number].constants.len();
                Some((0, literals as i32 - 1))
            }
            Type::Pid | Type::Unknown => None,
        }
    }

    /// Shared variables that say which instances exist.
    fn declare_instances(&mut self) {
        let enumerations = &mut self.building.program.enumerations;
        let number = enumerations.len() as u32;
        if (self.processes.iter()).any(|process| process.exists.is_some()) {
            let constant = |name: &str, value: i32| (name.to_string(), value);
            enumerations.push(Enumeration {
                name: "instances".into(),
                constants: vec![
                    constant("(not created)", super::NEVER),
                    constant("there", super::ALIVE),
                    constant("stopped", super::STOPPED),
                ],
            });
        }
        for process in &self.processes {
            let Some(offset) = process.exists else {
                continue;
            };
            self.building.program.shared.push(Variable {
                name: format!("instances of {}", process.ast.name),
                offset,
                kind: Kind::Byte,
                length: Some(process.slots),
                meaning: Meaning::Enumeration(number),
            });
        }
        self.building.program.shared_bytes = self.shared;
    }

    /// Numbers processes and channels in the order in which they are made.
    fn numbers(&mut self) {
        let (mut processes, mut channels) = (0, 1);
        for process in &mut self.processes {
            process.first = processes;
            process.first_channel = channels;
            processes += process.slots;
            channels += process.slots * (1 + u32::from(process.saves));
        }
        for (number, channel) in self.system.channels.iter().enumerate() {
            for (position, way) in channel.ways.iter().enumerate() {
                if channel.delays && (way.to.is_some() || channel.scope != 0) {
                    // Each way is a queue of its own; two are told apart by where they lead.
                    let to = way.to.as_ref().map_or("env".into(), |to| to.to_string());
                    let name = match channel.ways.len() {
                        1 => channel.name.to_string(),
                        _ => format!("{} to {to}", channel.name),
                    };
                    self.lines.push(Line {
                        of: (number, position),
                        name,
                        channel: channels,
                    });
                    channels += 1;
                    processes += 1;
                }
            }
        }
        let span = self
            .system
            .name
            .as_ref()
            .map_or(Span::default(), |n| n.span);
        if self.processes.is_empty() {
            self.error(codes::NO_PROCESS, span, "the system has no process");
        }
        if channels > MOST_PROCESSES || processes > MOST_PROCESSES {
            let message =
                format!("{processes} processes and {channels} queues: at most 250 can be");
            self.error(codes::TOO_LARGE, span, message);
        }
        if self.signals.len() > MOST_SIGNALS {
            let message = format!(
                "{} signals and timers: at most 250 can be",
                self.signals.len()
            );
            self.error(codes::TOO_LARGE, span, message);
        }
    }

    /// All queues are alike: the number of the signal, its sender, its receiver if channels delay, its parameters.
    fn queue_type(&mut self) {
        let names = self.building.program.enumerations.len() as u32;
        let constants = self.signals.iter().enumerate();
        self.building.program.enumerations.push(Enumeration {
            name: "signal".into(),
            constants: constants
                .map(|(number, signal)| (signal.name.clone(), number as i32 + 1))
                .collect(),
        });
        let mut kinds = vec![
            (Kind::Byte, Meaning::Enumeration(names)),
            (Kind::Byte, Meaning::Process),
        ];
        let delays = !self.lines.is_empty();
        if delays {
            kinds.push((Kind::Byte, Meaning::Process));
        }
        let most = self.signals.iter().map(|s| s.parameters.len()).max();
        for position in 0..most.unwrap_or(0) {
            let signals = self.signals.iter();
            let mut types: Vec<Type> = signals
                .filter_map(|signal| signal.parameters.get(position).copied())
                .collect();
            types.dedup();
            let widest = types.iter().map(|type_| type_.kind());
            let widest = widest.max_by_key(|kind| (kind.bytes(), *kind != Kind::Bit));
            kinds.push(match types.as_slice() {
                [one] => (one.kind(), one.meaning()),
                _ => (widest.unwrap_or(Kind::Byte), Meaning::Number),
            });
        }
        let mut offset = 0;
        let mut fields = Vec::new();
        for (kind, meaning) in kinds {
            fields.push(MessageField {
                kind,
                offset,
                meaning,
            });
            offset += kind.bytes();
        }
        let head = if delays { 2 } else { 1 };
        let forms = self.signals.iter().map(|signal| {
            let parameters = signal.parameters.iter().map(|type_| type_.meaning());
            // Whose it is and for whom: nobody wrote these.
            std::iter::repeat_n(Meaning::Process, head)
                .chain(parameters)
                .collect()
        });
        self.building.program.channel_types.push(ChannelType {
            name: "queue".into(),
            capacity: self.longest(),
            fields,
            message_bytes: offset,
            forms: forms.collect(),
        });
        self.queue = ChannelTypeId(0);
    }

    /// Where the parameters begin among the fields of a message.
    pub(super) fn head(&self) -> usize {
        if self.lines.is_empty() { 2 } else { 3 }
    }

    pub(super) fn width(&self) -> usize {
        self.building.program.channel_types[self.queue.index()]
            .fields
            .len()
    }
}
