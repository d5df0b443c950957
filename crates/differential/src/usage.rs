//! Which features a part of a model is made with.
//!
//! A feature belongs to a statement if it shows in the statement itself or in the declaration of something it names, and to the
//! part of the text around it if it governs that part: `atomic`, `unless`, `provided`, a priority. The names of a generated model
//! begin with a letter that says what they are for ([`crate::generate`]).

use std::collections::{BTreeMap, BTreeSet};

use crate::ast::*;
use crate::features::{Feature, Features};

/// What is known of a model while its text is written.
pub struct Usage<'p> {
    program: &'p Program,
    declared: BTreeMap<&'p str, (&'p Declaration, Scope)>,
    /// Channels that the trace assertion is about.
    traced: BTreeSet<&'p str>,
    /// The process whose text is written, and the channels it has promised to be alone with.
    process: Option<&'p Process>,
    exclusive: BTreeSet<&'p str>,
    /// Channels that the process both sends to and receives from.
    both_ways: BTreeSet<&'p str>,
    /// How many atomic and d_step sequences there are around.
    sequences: usize,
}

#[derive(Clone, Copy, PartialEq)]
enum Scope {
    Global,
    Parameter,
    Local,
}

impl<'p> Usage<'p> {
    pub fn new(program: &'p Program) -> Usage<'p> {
        let mut declared = BTreeMap::new();
        for global in &program.globals {
            declared.insert(global.name.as_str(), (global, Scope::Global));
        }
        for process in &program.processes {
            for parameter in &process.parameters {
                declared.insert(parameter.name.as_str(), (parameter, Scope::Parameter));
            }
            each(&process.body, &mut |statement| {
                if let Statement::Declare(local) = statement {
                    declared.insert(local.name.as_str(), (local, Scope::Local));
                }
            });
        }
        let mut traced = BTreeSet::new();
        if let Some(trace) = &program.trace {
            each(&trace.body, &mut |statement| {
                if let Statement::Send { channel, .. } | Statement::Receive { channel, .. } =
                    statement
                {
                    traced.insert(channel.name.as_str());
                }
            });
        }
        Usage {
            program,
            declared,
            traced,
            process: None,
            exclusive: BTreeSet::new(),
            both_ways: BTreeSet::new(),
            sequences: 0,
        }
    }

    /// From here to [`Usage::leave`] it is the text of a process.
    pub fn enter(&mut self, process: &'p Process) {
        self.process = Some(process);
        self.exclusive.clear();
        let (mut sent, mut received) = (BTreeSet::new(), BTreeSet::new());
        each(&process.body, &mut |statement| match statement {
            Statement::Exclusive(_, channel) => {
                self.exclusive.insert(channel.name.as_str());
            }
            Statement::Send { channel, .. } => {
                sent.insert(channel.name.as_str());
            }
            Statement::Receive { channel, .. } => {
                received.insert(channel.name.as_str());
            }
            _ => {}
        });
        self.both_ways = sent.intersection(&received).copied().collect();
    }

    /// What governs the whole process.
    pub fn leave(&mut self, process: &'p Process) -> Features {
        self.process = None;
        self.exclusive.clear();
        self.both_ways.clear();
        let mut features = Features::none();
        features.add(Feature::Run, process.start == Start::Run);
        features.add(Feature::DeterministicProctype, process.deterministic);
        features.add(Feature::Provided, process.provided.is_some());
        features.add(Feature::Priorities, process.priority.is_some());
        match &process.provided {
            Some(condition) => features.union(self.of_expression(condition)),
            None => features,
        }
    }

    pub fn begin(&mut self, statement: &Statement) {
        if is_sequence(statement) {
            self.sequences += 1;
        }
    }

    /// The features of a statement that has been written, without those of the statements in it.
    pub fn end(&mut self, statement: &'p Statement) -> Features {
        if is_sequence(statement) {
            self.sequences -= 1;
        }
        let own = self.of_statement(statement);
        // A d_step is one step: whoever executes it executes what is in it, as does a call of an inline.
        let inside = match statement {
            Statement::DeterministicStep(body) => Some(body),
            Statement::Call(name, _) => {
                let called = self
                    .program
                    .inlines
                    .iter()
                    .find(|inline| inline.name == *name);
                called.map(|inline| &inline.body)
            }
            _ => None,
        };
        let mut features = own;
        if let Some(body) = inside {
            each(body, &mut |inner| {
                features = features.union(self.of_statement(inner));
            });
        }
        features
    }

    /// A claim looks at every state.
    pub fn of_claim(&self, claim: &'p Claim) -> Features {
        let mut features = Features::none();
        let mut conditions = Vec::new();
        match claim {
            Claim::Formula { formula, .. } => {
                features.add(Feature::Formulas, true);
                features.add(Feature::Next, has_next(formula));
                atoms(formula, &mut conditions);
            }
            Claim::Never { body, .. } => {
                features.add(Feature::Never, true);
                each(body, &mut |statement| match statement {
                    Statement::Condition(condition) => conditions.push(condition),
                    Statement::Assert(condition) => {
                        features.add(Feature::ClaimAssertions, true);
                        conditions.push(condition);
                    }
                    Statement::Goto(label) if label == "ended" => {
                        features.add(Feature::ClaimEnds, true);
                    }
                    _ => {}
                });
            }
        }
        for condition in conditions {
            let inside = self.of_expression(condition);
            let among = |named: &[Feature]| named.iter().any(|feature| inside.has(*feature));
            use Feature::*;
            let claims = [
                (ClaimRemotes, &[RemoteVariables, RemoteLabels][..]),
                (ClaimChannels, &[Buffered, Rendezvous, UnsetChannels]),
                (
                    ClaimFaults,
                    &[Division, OutOfRange, RemoteDead, UnsetChannels],
                ),
                (
                    ClaimSystem,
                    &[ProcessCount, Last, Enabled, PcValue, Timeout],
                ),
            ];
            for (feature, of) in claims {
                if among(of) {
                    features.add(feature, true);
                }
            }
            if mentions(condition, "np_") {
                features.add(ClaimSystem, true);
            }
            features = features.union(inside);
        }
        features
    }

    fn of_statement(&self, statement: &Statement) -> Features {
        use Statement::*;
        let one = |feature: Feature| Features::none().with(feature);
        match statement {
            Declare(declaration) => self.of_declaration(declaration),
            Assign(place, value) if place.name == "_" => {
                self.of_expression(value).with(Feature::Scratch)
            }
            Assign(place, value) => {
                let both = self.of_place(place).union(self.of_expression(value));
                if !self.is_channel(place) {
                    let wraps = matches!(value, Expression::Binary("+", base, _)
                        if matches!(**base, Expression::Number(254..)));
                    return match wraps {
                        true => both.with(Feature::Wrap),
                        false => both,
                    };
                }
                let both = both.with(Feature::ChannelVariables);
                match value {
                    Expression::Read(source) if self.is_own(source) && !self.is_own(place) => {
                        both.with(Feature::DeadChannels)
                    }
                    _ => both,
                }
            }
            Increment(place) | Decrement(place) => {
                let wraps = self
                    .kind(place)
                    .is_some_and(|kind| matches!(kind, Type::Bit | Type::Bool | Type::Unsigned(_)));
                let features = self.of_place(place);
                match wraps {
                    true => features.with(Feature::Wrap),
                    false => features,
                }
            }
            Condition(condition) => {
                let mut features = self.of_expression(condition);
                let alone = matches!(condition, Expression::Predefined(_));
                features.add(
                    Feature::TimeoutParts,
                    features.has(Feature::Timeout) && !alone,
                );
                features
            }
            Else => one(Feature::Else),
            Assert(condition) => one(Feature::Assertions).union(self.of_expression(condition)),
            Print(arguments) => self.of_all(arguments).with(Feature::Print),
            Send {
                channel,
                sorted,
                arguments,
            } => {
                let mut features = self.of_channel(channel).union(self.of_all(arguments));
                features.add(Feature::Sorted, *sorted);
                for argument in arguments {
                    if let Expression::Read(place) = argument
                        && self.is_channel(place)
                    {
                        features.add(Feature::ChannelMessages, true);
                        if self.is_own(place) {
                            features.add(Feature::DeadChannels, true);
                        }
                    }
                    if matches!(argument, Expression::Number(254..)) {
                        features.add(Feature::Wrap, true);
                    }
                }
                features
            }
            Receive {
                channel,
                random,
                copy,
                patterns,
            } => {
                let mut features = self.of_channel(channel).union(self.of_patterns(patterns));
                features.add(Feature::RandomReceive, *random);
                features.add(Feature::Copy, *copy);
                let stored: Vec<&Place> = patterns
                    .iter()
                    .filter_map(|pattern| match pattern {
                        Pattern::Store(place) => Some(place),
                        _ => None,
                    })
                    .collect();
                let is_part = |place: &&Place| place.index.is_some() || !place.fields.is_empty();
                features.add(Feature::ReceiveParts, stored.iter().any(is_part));
                let indices = stored.iter().copied().chain([channel]).map(indices_of);
                let indices = indices.collect::<String>();
                let is_read = |place: &&Place| indices.contains(&place.name);
                features.add(Feature::ReceiveIndices, stored.iter().any(is_read));
                if self.narrows(channel, patterns) {
                    features.add(Feature::Narrowing, true);
                }
                features
            }
            Goto(_) => one(Feature::Goto),
            Label(name, _) => {
                let kinds = [
                    ("end", Feature::EndLabels),
                    ("progress", Feature::ProgressLabels),
                    ("accept", Feature::AcceptLabels),
                ];
                let kind = kinds.iter().find(|(word, _)| name.starts_with(word));
                let Some(&(_, kind)) = kind else {
                    return Features::none();
                };
                let mut features = one(kind);
                features.add(Feature::InnerLabels, self.sequences > 0);
                features
            }
            Atomic(body) => {
                let mut features = one(Feature::Atomic);
                features.add(Feature::AtomicLoops, has_loop(body));
                features
            }
            DeterministicStep(body) => {
                let mut features = one(Feature::DeterministicStep);
                features.add(Feature::StepLoops, has_loop(body));
                features
            }
            Braces(_) => one(Feature::Blocks),
            Unless(..) => one(Feature::Unless),
            For { variable, to, .. } => self
                .of_place(variable)
                .union(self.of_expression(to))
                .with(Feature::For),
            ForIn { array, .. } => {
                let array = Place::plain(array.clone());
                match self.is_channel(&array) {
                    true => self.of_channel(&array).with(Feature::ForChannel),
                    false => one(Feature::For).with(Feature::Arrays),
                }
            }
            Select { variable, to, .. } => self
                .of_place(variable)
                .union(self.of_expression(to))
                .with(Feature::Select),
            Run {
                tested,
                process,
                arguments,
                priority,
                ..
            } => {
                let mut features = self.of_all(arguments).with(Feature::Run);
                features.add(Feature::RunCondition, *tested);
                let own = self.process.is_some_and(|own| own.name == *process);
                features.add(Feature::Recursion, own);
                if priority.is_some() {
                    features.add(Feature::Priorities, true);
                }
                let channels = arguments.iter().any(
                    |argument| matches!(argument, Expression::Read(place) if self.is_channel(place)),
                );
                if channels {
                    features.add(Feature::ChannelParameters, true);
                }
                features
            }
            Call(_, arguments) => self.of_all(arguments).with(Feature::Inlines),
            SetPriority(pid, _) => self
                .of_expression(pid)
                .with(Feature::SetPriority)
                .with(Feature::Priorities),
            Exclusive(..) => one(Feature::Exclusive),
            Skip | Break | If(_) | Do(_) => Features::none(),
        }
    }

    fn of_declaration(&self, declaration: &Declaration) -> Features {
        let mut features = self.of_place(&Place::plain(declaration.name.clone()));
        if let Some(Initial::Value(value)) = &declaration.initial {
            features = features.union(self.of_expression(value));
        }
        features
    }

    /// A channel that is used.
    fn of_channel(&self, channel: &Place) -> Features {
        let mut features = self.of_place(channel);
        if self.exclusive.contains(channel.name.as_str()) {
            features.add(Feature::Exclusive, true);
        }
        if let Some(trace) = &self.program.trace
            && self.traced.contains(channel.name.as_str())
        {
            let feature = match trace.negated {
                true => Feature::Notrace,
                false => Feature::Trace,
            };
            features.add(feature, true);
            features.add(Feature::TraceChannels, self.traced.len() > 1);
        }
        if let Some((1, _)) = self.shape(channel)
            && self.both_ways.contains(channel.name.as_str())
        {
            features.add(Feature::OnePlace, true);
        }
        if let Some((_, fields)) = self.shape(channel) {
            let structured = fields
                .iter()
                .any(|field| matches!(field, Type::Structure(_)));
            features.add(Feature::StructureMessages, structured);
        }
        features
    }

    fn of_place(&self, place: &Place) -> Features {
        let mut features = Features::none();
        let indices = place
            .fields
            .iter()
            .map(|(_, index)| index)
            .chain([&place.index]);
        for index in indices.flatten() {
            features = features.union(self.of_expression(index));
        }
        features.add(Feature::Structures, !place.fields.is_empty());
        features.add(Feature::NestedStructures, place.fields.len() > 1);
        let Some(&(declared, scope)) = self.declared.get(place.name.as_str()) else {
            return features;
        };
        let mut lengths = vec![(declared.length, place.index.as_deref())];
        let declared_fields = self.path(place);
        for (field, (_, index)) in declared_fields.iter().zip(&place.fields) {
            lengths.push((field.length, index.as_deref()));
        }
        for (length, index) in lengths {
            if let (Some(length), Some(index)) = (length, index)
                && may_exceed(index, length)
            {
                features.add(Feature::OutOfRange, true);
            }
        }
        match declared.prefix {
            Some("hidden") => features.add(Feature::Hidden, true),
            Some(_) => features.add(Feature::Visibility, true),
            None => {}
        }
        if place.name.starts_with('t') {
            features.add(Feature::InnerDeclarations, true);
        }
        let is_local = scope == Scope::Local && !place.fields.is_empty();
        features.add(Feature::LocalStructures, is_local);
        let last = declared_fields.last().copied().unwrap_or(declared);
        let is_array = declared.length.is_some() || last.length.is_some();
        match &last.kind {
            Type::Channel => {
                features.add(Feature::ChannelArrays, declared.length.is_some());
                features.add(Feature::ChannelStructures, !place.fields.is_empty());
                features.add(Feature::LocalChannels, scope == Scope::Local);
                features.add(
                    Feature::LocalChannelArrays,
                    scope == Scope::Local && declared.length.is_some(),
                );
                if scope == Scope::Parameter {
                    features.add(Feature::ChannelParameters, true);
                }
                if place.name.starts_with('v') {
                    features.add(Feature::ChannelMessages, true);
                }
                if place.name.starts_with('u') {
                    features.add(Feature::UnsetChannels, true);
                    features.add(Feature::ChannelVariables, true);
                }
                if let Some((capacity, _)) = self.shape(place) {
                    features.add(Feature::Buffered, capacity > 0);
                    features.add(Feature::Rendezvous, capacity == 0);
                }
            }
            kind => {
                if is_array {
                    features.add(Feature::Arrays, true);
                    features.add(
                        Feature::BitArrays,
                        matches!(kind, Type::Bit | Type::Bool) && last.length.is_some(),
                    );
                }
                match kind {
                    Type::Mtype => features.add(Feature::Mtypes, true),
                    Type::Unsigned(_) => features.add(Feature::Unsigned, true),
                    _ => {}
                }
            }
        }
        features
    }

    fn of_all(&self, values: &[Expression]) -> Features {
        let parts = values.iter().map(|value| self.of_expression(value));
        parts.fold(Features::none(), Features::union)
    }

    fn of_patterns(&self, patterns: &[Pattern]) -> Features {
        patterns
            .iter()
            .fold(Features::none(), |all, pattern| match pattern {
                Pattern::Store(place) => all.union(self.of_place(place)),
                Pattern::Constant(value) => all.union(self.of_expression(value)),
                Pattern::Evaluate(value) => {
                    all.union(self.of_expression(value)).with(Feature::Evaluate)
                }
                Pattern::Ignore => all,
            })
    }

    fn of_expression(&self, expression: &Expression) -> Features {
        use Expression::*;
        let one = |feature: Feature| Features::none().with(feature);
        match expression {
            Number(_) => Features::none(),
            Name(name) if self.program.mtypes.contains(name) => one(Feature::Mtypes),
            Name(name) => {
                let known = self.program.macros.iter().find(|known| known.name == *name);
                let inside = known.map(|known| self.of_expression(&known.value));
                inside
                    .unwrap_or(Features::none())
                    .union(match known.is_some() {
                        true => one(Feature::Macros),
                        false => Features::none(),
                    })
            }
            Read(place) => {
                let mut features = self.of_place(place);
                let declared = self.declared.get(place.name.as_str());
                let is_hidden = declared.is_some_and(|known| known.0.prefix == Some("hidden"));
                features.add(Feature::HiddenReads, is_hidden);
                features
            }
            Unary(_, inner) => self.of_expression(inner),
            Binary(operator, left, right) => {
                let both = self.of_expression(left).union(self.of_expression(right));
                match (*operator, &**right) {
                    ("/" | "%", Number(_)) => both,
                    ("/" | "%", _) => both.with(Feature::Division),
                    _ => both,
                }
            }
            Conditional(condition, yes, no) => self
                .of_expression(condition)
                .union(self.of_expression(yes))
                .union(self.of_expression(no))
                .with(Feature::Conditional),
            Probe(_, channel) => self.of_channel(channel).with(Feature::Probes),
            Poll {
                channel,
                random,
                patterns,
            } => {
                let mut features = self.of_channel(channel).union(self.of_patterns(patterns));
                features.add(Feature::RandomReceive, *random);
                features.with(Feature::Polls)
            }
            RemoteVariable(process, pid, variable) => {
                let mut features = self.of_remote(process, pid).with(Feature::RemoteVariables);
                features.add(Feature::RemoteParts, variable.contains('['));
                features
            }
            RemoteLabel(process, pid, _) => {
                self.of_remote(process, pid).with(Feature::RemoteLabels)
            }
            Predefined("_nr_pr") => one(Feature::ProcessCount),
            Predefined("_last") => one(Feature::Last),
            Predefined("timeout") => one(Feature::Timeout),
            Predefined(_) => Features::none(),
            Query("enabled", pid) => self.of_expression(pid).with(Feature::Enabled),
            Query("pc_value", pid) => self.of_expression(pid).with(Feature::PcValue),
            Query(_, pid) => self.of_expression(pid).with(Feature::Priorities),
        }
    }

    /// Is the process certainly there? Those that were there at first are, for whoever comes after them.
    fn of_remote(&self, process: &str, pid: &Option<Box<Expression>>) -> Features {
        let mut first = 0;
        let mut certain = false;
        for known in &self.program.processes {
            let copies = match known.start {
                Start::Init => 1,
                Start::Active(copies) => i64::from(copies),
                Start::Run => 0,
            };
            if known.name == process {
                certain = match pid.as_deref() {
                    None => copies == 1,
                    Some(Expression::Number(pid)) => (first..first + copies).contains(pid),
                    Some(_) => false,
                };
            }
            first += copies;
        }
        let mut features = Features::none();
        features.add(Feature::RemoteDead, !certain);
        features
    }

    /// The declarations of the fields on the way to a part of a structure.
    fn path(&self, place: &Place) -> Vec<&'p Declaration> {
        let mut found = Vec::new();
        let Some((declared, _)) = self.declared.get(place.name.as_str()) else {
            return found;
        };
        let mut kind = &declared.kind;
        for (name, _) in &place.fields {
            let Type::Structure(structure) = kind else {
                break;
            };
            let known = &self.program.structures;
            let Some(structure) = known.iter().find(|known| known.name == *structure) else {
                break;
            };
            let Some(field) = structure.fields.iter().find(|field| field.name == *name) else {
                break;
            };
            found.push(field);
            kind = &field.kind;
        }
        found
    }

    fn last(&self, place: &Place) -> Option<&'p Declaration> {
        let declared = self.declared.get(place.name.as_str()).map(|known| known.0);
        self.path(place).last().copied().or(declared)
    }

    fn kind(&self, place: &Place) -> Option<&'p Type> {
        self.last(place).map(|declared| &declared.kind)
    }

    fn is_channel(&self, place: &Place) -> bool {
        self.kind(place) == Some(&Type::Channel)
    }

    /// Does the channel belong to the process that names it, and end with it?
    fn is_own(&self, place: &Place) -> bool {
        let declared = self.declared.get(place.name.as_str());
        declared.is_some_and(|(_, scope)| *scope == Scope::Local) && self.is_channel(place)
    }

    /// The capacity and the fields of the channel that a place is declared with.
    fn shape(&self, place: &Place) -> Option<(u32, &'p [Type])> {
        match &self.last(place)?.initial {
            Some(Initial::Channel { capacity, fields }) => Some((*capacity, fields)),
            _ => None,
        }
    }

    fn narrows(&self, channel: &Place, patterns: &[Pattern]) -> bool {
        let Some((_, fields)) = self.shape(channel) else {
            return false;
        };
        fields.iter().zip(patterns).any(|(field, pattern)| {
            let Pattern::Store(place) = pattern else {
                return false;
            };
            let width = match fields.len() {
                1 => field.width().max(8),
                _ => field.width(),
            };
            self.kind(place).is_some_and(|kind| kind.width() < width)
        })
    }
}

/// May an index be beyond an array? A generated index is a number, a remainder, or the variable of a loop over the array.
fn may_exceed(index: &Expression, length: u32) -> bool {
    match index {
        Expression::Number(number) => *number >= i64::from(length),
        Expression::Binary("%", _, bound) => {
            matches!(**bound, Expression::Number(bound) if bound > i64::from(length))
        }
        _ => false,
    }
}

fn is_sequence(statement: &Statement) -> bool {
    matches!(
        statement,
        Statement::Atomic(_) | Statement::DeterministicStep(_)
    )
}

/// Has a sequence a loop that only its own conditions end?
fn has_loop(body: &[Statement]) -> bool {
    let mut found = false;
    each(body, &mut |statement| {
        found |= matches!(statement, Statement::Do(_));
    });
    found
}

/// All indices of a place, as text.
fn indices_of(place: &Place) -> String {
    let fields = place.fields.iter().map(|(_, index)| index);
    let indices = fields.chain([&place.index]).flatten();
    indices.map(|index| format!("{index} ")).collect()
}

fn mentions(expression: &Expression, word: &str) -> bool {
    expression.to_string().contains(word)
}

fn has_next(formula: &Formula) -> bool {
    match formula {
        Formula::Atom(_) => false,
        Formula::Unary(operator, inner) => *operator == "X" || has_next(inner),
        Formula::Binary(_, left, right) => has_next(left) || has_next(right),
    }
}

fn atoms<'f>(formula: &'f Formula, found: &mut Vec<&'f Expression>) {
    match formula {
        Formula::Atom(condition) => found.push(condition),
        Formula::Unary(_, inner) => atoms(inner, found),
        Formula::Binary(_, left, right) => {
            atoms(left, found);
            atoms(right, found);
        }
    }
}

/// Visits every statement of a block, inner ones too.
fn each<'b>(block: &'b [Statement], visit: &mut dyn FnMut(&'b Statement)) {
    for statement in block {
        visit(statement);
        match statement {
            Statement::If(options) | Statement::Do(options) => {
                for option in options {
                    each(option, visit);
                }
            }
            Statement::Atomic(body) | Statement::DeterministicStep(body) => each(body, visit),
            Statement::Braces(body) => each(body, visit),
            Statement::For { body, .. } | Statement::ForIn { body, .. } => each(body, visit),
            Statement::Unless(main, escape) => {
                each(main, visit);
                each(escape, visit);
            }
            Statement::Label(_, inner) => each(std::slice::from_ref(&**inner), visit),
            _ => {}
        }
    }
}
