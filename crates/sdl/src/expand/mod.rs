//! From the tree as it was written to one of what is left when structures, arrays, procedures and what stands elsewhere are put in
//! their places: variables and parameters of signals that are single values or rows of them, transitions without calls.
//!
//! Program and export are both made of that tree. What a type of several values is made of is in [`types`], what is computed in
//! [`values`], what is done in [`actions`], and calls in [`procedures`].

mod actions;
mod addresses;
mod back;
mod blocks;
mod context;
mod conversions;
mod formulas;
mod initials;
mod locals;
mod loops;
mod nested;
mod operators;
mod parallel;
mod parts;
mod procedures;
mod remote;
mod rows;
mod signals;
mod types;
mod values;

use std::collections::{HashMap, HashSet};

use std::rc::Rc;

use mazurka_span::{Code, Diagnostic, Span};

use crate::ast::{
    Action, ActionKind, Binary, Block, Body, Expression, ExpressionKind, Name, Presence, Procedure,
    Process, State, States, Stimulus, System, Trigger, TriggerKind, TypeDefinition, TypeKind,
    Variable,
};
use crate::codes;
use context::{Access, Context, Scope};
use parallel::{Made, Part};
use types::Types;

/// The tree with everything in its place.
pub(crate) fn expand(
    system: &System,
    defines: &[String],
    diagnostics: &mut Vec<Diagnostic>,
) -> System {
    let mut whole = system.clone();
    let mut expander = Expander {
        types: Types::default(),
        signals: HashMap::new(),
        parameters: HashMap::new(),
        procedures: Vec::new(),
        scopes: HashMap::new(),
        spelt: HashMap::new(),
        diagnostics,
        sites: 0,
        added: Vec::new(),
        states: Vec::new(),
        connections: Vec::new(),
        own_states: Vec::new(),
        signatures: whole.signatures.iter().map(key).collect(),
        unsupported: whole.refused.iter().map(|(name, _)| key(name)).collect(),
        waiting: HashSet::new(),
        constants: HashMap::new(),
        parts: HashMap::new(),
        in_formula: false,
        depth: 0,
    };
    expander.put_in_place(&mut whole);
    initials::fill(&mut whole, expander.diagnostics);
    signals::scope(&mut whole);
    locals::scope(&mut whole);
    blocks::flatten(&mut whole, expander.diagnostics);
    let mut made = Made::default();
    for signal in &whole.signals {
        let parameters = signal.parameters.clone();
        made.signals.insert(key(&signal.name), parameters);
    }
    for process in whole
        .blocks
        .iter_mut()
        .flat_map(|block| &mut block.processes)
    {
        nested::flatten(process, &mut made, expander.diagnostics);
        let parts = std::mem::take(&mut made.parts);
        expander.parts.insert(key(&process.name), parts);
    }
    whole.types.append(&mut made.types);
    remote::by_signals(&mut whole, expander.diagnostics);
    whole.types = crate::asn1::in_order(std::mem::take(&mut whole.types));
    expander.take_constants(&mut whole);
    expander.types = Types::new(&whole, defines, expander.diagnostics);
    expander.procedures = std::mem::take(&mut whole.procedures);
    for signal in &mut whole.signals {
        let types: Vec<Name> = std::mem::take(&mut signal.parameters);
        for type_ in &types {
            let begin = signal.parameters.len();
            for presence in expander.types.presence(type_) {
                let moved = presence.into_iter().map(|one| Presence {
                    part: one.part + begin,
                    ..one
                });
                signal.parts.push(moved.collect());
            }
            signal.parameters.extend(expander.flat_types(type_));
        }
        expander.signals.insert(key(&signal.name), types);
    }
    for process in whole.blocks.iter().flat_map(|block| &block.processes) {
        let types = process.variables[..process.parameters].iter();
        let types = types.map(|variable| variable.type_name.clone()).collect();
        expander.parameters.insert(key(&process.name), types);
    }
    whole.types.retain(|definition| {
        use crate::ast::TypeKind as Kind;
        matches!(definition.kind, Kind::Literals(_))
            || !expander.types.is_compound(&definition.name)
    });
    for block in &mut whole.blocks {
        for process in &mut block.processes {
            let expanded = expander.process(process);
            *process = expanded;
        }
    }
    let formulas = std::mem::take(&mut whole.formulas).into_iter();
    whole.formulas = formulas
        .map(|(name, body)| (name, expander.formula(&body)))
        .collect();
    whole.asked_for = whole.asked_for.map(|asked| expander.formula(&asked));
    whole
}

pub(crate) fn key(name: &Name) -> String {
    name.text.to_ascii_lowercase()
}

/// The type of what is counted, whatever the range of Integer is.
pub(crate) const NUMBER: &str = ".number";

/// What is a first value made of? Such as `3 in {1, 2, 3}` is computed by a transition, and must not say anything about variables.
fn kind_of_initial(process: &Process, initial: &Expression) -> Initial {
    let (mut computed, mut ground) = (false, true);
    crate::walk::expression(&mut initial.clone(), &mut |part| match &part.kind {
        ExpressionKind::Applied(..)
        | ExpressionKind::Field(..)
        | ExpressionKind::Aggregate(_)
        | ExpressionKind::Record(_)
        | ExpressionKind::Tagged(..)
        | ExpressionKind::Conditional(..)
        | ExpressionKind::View(..)
        | ExpressionKind::Import(..)
        | ExpressionKind::AnyOf(_)
        | ExpressionKind::Call(..)
        | ExpressionKind::Active(..)
        | ExpressionKind::Binary(
            Binary::In | Binary::Append | Binary::AndThen | Binary::OrElse,
            ..,
        ) => computed = true,
        ExpressionKind::Name(name) => {
            let mut variables = process.variables.iter();
            ground &= !variables.any(|variable| key(&variable.name) == key(name));
        }
        _ => {}
    });
    match computed {
        true if ground => Initial::Computed,
        true => Initial::OfVariables,
        false => Initial::Known,
    }
}

/// What the initial value of a variable is made of.
#[derive(PartialEq, Eq)]
enum Initial {
    /// What is known before the system runs.
    Known,
    /// What is computed at the start of the process.
    Computed,
    /// What needs other variables, which have no values yet (Z.100 clause 2.6.1.1).
    OfVariables,
}

/// `0..15`
pub(crate) fn range(text: &str) -> Option<(i32, i32)> {
    let (low, high) = text.split_once("..")?;
    let range = (low.trim().parse().ok()?, high.trim().parse().ok()?);
    (range.0 <= range.1).then_some(range)
}

struct Expander<'d> {
    types: Types,
    /// The types of the parameters of each signal, as written.
    signals: HashMap<String, Vec<Name>>,
    /// The types of the parameters of each process.
    parameters: HashMap<String, Vec<Name>>,
    procedures: Vec<Procedure>,
    /// What the names of the variables of each process mean, for formulas.
    scopes: HashMap<String, Scope>,
    /// The variables of processes as they are written, by their names in small letters.
    spelt: HashMap<String, String>,
    diagnostics: &'d mut Vec<Diagnostic>,
    /// How many calls and choices there were so far.
    sites: usize,
    /// Variables, states and transitions that calls add to the process at hand.
    added: Vec<Variable>,
    states: Vec<State>,
    connections: Vec<Body>,
    own_states: Vec<Name>,
    /// Operators of types of which the signature is known.
    signatures: HashSet<String>,
    /// Types that are refused where they are used.
    unsupported: HashSet<String>,
    /// Procedures that wait for signals.
    waiting: HashSet<String>,
    /// Constants of several values: their types and values.
    constants: HashMap<String, (Name, Expression)>,
    /// The parts of states of each process.
    parts: HashMap<String, Vec<Part>>,
    /// Is a formula being read?
    in_formula: bool,
    /// How many constants are being read.
    depth: u32,
}

impl Expander<'_> {
    fn error(&mut self, code: Code, span: Span, message: impl Into<String>) {
        self.diagnostics
            .push(Diagnostic::error(code, span, message));
    }

    /// Constants of several values stand where they are used.
    fn take_constants(&mut self, system: &mut System) {
        for (name, type_, value) in std::mem::take(&mut system.constants) {
            self.constants.insert(key(&name), (type_, value));
        }
        let types = &system.types;
        system.synonyms.retain_mut(|synonym| {
            if let (Some(type_), Some(value)) = (&synonym.type_name, &mut synonym.value)
                && is_single(types, type_)
                && let ExpressionKind::Aggregate(octets) = &value.kind
                && let Some(number) = values::number_of_octets(octets, value.span)
            {
                *value = number;
            }
            let several = match synonym.value.as_ref().map(|value| &value.kind) {
                Some(
                    ExpressionKind::Aggregate(_)
                    | ExpressionKind::Record(_)
                    | ExpressionKind::Tagged(..),
                ) => true,
                // The value of a type of ASN.1 that has only that one.
                Some(ExpressionKind::Null) => {
                    let type_ = synonym.type_name.as_ref();
                    type_.is_some_and(|type_| !is_single(types, type_))
                }
                _ => false,
            };
            match (&synonym.type_name, &synonym.value) {
                (Some(type_), Some(value)) if several => {
                    let constant = (type_.clone(), value.clone());
                    self.constants.insert(key(&synonym.name), constant);
                    false
                }
                _ => true,
            }
        });
    }

    /// Puts definitions from beside the system where they are referenced.
    fn put_in_place(&mut self, system: &mut System) {
        let blocks = std::mem::take(&mut system.blocks_beside);
        let processes = std::mem::take(&mut system.processes_beside);
        let procedures = std::mem::take(&mut system.procedures_beside);
        for block in &mut system.blocks {
            self.put_block_in_place(block, &blocks, &processes, &procedures, 0);
        }
        self.put_procedures_in_place(&mut system.procedures, &procedures);
        let mut there: Vec<String> = Vec::new();
        for block in &system.blocks {
            names_inside(block, &mut there);
        }
        let used = |name: &Name| there.contains(&key(name));
        let unused = blocks.iter().map(|block| &block.name);
        let unused = unused.chain(processes.iter().map(|process| &process.name));
        let unused: Vec<Name> = unused.filter(|name| !used(name)).cloned().collect();
        for name in unused {
            let message =
                format!("`{name}` is defined beside the system, and nobody references it");
            self.error(codes::UNKNOWN_NAME, name.span, message);
        }
    }

    fn put_block_in_place(
        &mut self,
        block: &mut Block,
        blocks: &[Block],
        processes: &[Process],
        procedures: &[Procedure],
        depth: u32,
    ) {
        if block.referenced {
            match blocks
                .iter()
                .find(|other| key(&other.name) == key(&block.name))
            {
                Some(found) if depth < 50 => *block = found.clone(),
                _ => return self.missing("block", &block.name),
            }
        }
        for process in &mut block.processes {
            if process.referenced {
                let mut others = processes.iter();
                let found = others.find(|other| key(&other.name) == key(&process.name));
                let Some(found) = found else {
                    self.missing("process", &process.name);
                    continue;
                };
                let (count, most) = (process.count.take(), process.most.take());
                *process = found.clone();
                process.count = process.count.take().or(count);
                process.most = process.most.take().or(most);
            }
            self.put_procedures_in_place(&mut process.procedures, procedures);
        }
        let inner = block.substructure.iter_mut();
        for inner in inner.flat_map(|substructure| &mut substructure.blocks) {
            self.put_block_in_place(inner, blocks, processes, procedures, depth + 1);
        }
    }

    fn put_procedures_in_place(&mut self, all: &mut [Procedure], beside: &[Procedure]) {
        for procedure in all.iter_mut().filter(|procedure| procedure.referenced) {
            let mut others = beside.iter();
            match others.find(|other| key(&other.name) == key(&procedure.name)) {
                Some(found) => *procedure = found.clone(),
                None => self.missing("procedure", &procedure.name),
            }
        }
    }

    fn missing(&mut self, what: &str, name: &Name) {
        let message = format!(
            "the {what} `{name}` is referenced, and its definition is neither in this file nor in one of that name beside it"
        );
        self.error(codes::UNKNOWN_NAME, name.span, message);
    }

    fn process(&mut self, process: &Process) -> Process {
        self.find_waiting(process);
        let mut process = process.clone();
        let mut everywhere = std::mem::take(&mut self.procedures);
        for procedure in &mut everywhere {
            self.name_the_way_back_in(procedure);
        }
        self.procedures = everywhere;
        self.name_the_way_back(&mut process);
        let process = &process;
        self.added = Vec::new();
        self.states = Vec::new();
        self.connections = Vec::new();
        self.own_states = named_states(&process.states);
        let mut scope = Scope::default();
        let mut variables = Vec::new();
        let mut parameters = 0;
        let mut first = Vec::new();
        for (number, variable) in process.variables.iter().enumerate() {
            let access = Access::whole(key(&variable.name), &variable.type_name);
            let spelt = variable.name.to_string();
            self.spelt.insert(key(&variable.name), spelt);
            scope.insert(key(&variable.name), access.clone());
            let mut flat = self.flat_variables(&variable.name, &access);
            for one in &mut flat {
                one.revealed = variable.revealed;
            }
            if number < process.parameters {
                for one in &flat {
                    parameters += one.length.unwrap_or(1) as usize;
                }
            }
            match &variable.initial {
                Some(initial)
                    if self.types.is_compound(&variable.type_name)
                        || kind_of_initial(process, initial) == Initial::Computed =>
                {
                    let target = Expression {
                        span: variable.name.span,
                        kind: ExpressionKind::Name(variable.name.clone()),
                    };
                    first.push(Action {
                        label: None,
                        span: variable.name.span,
                        kind: ActionKind::Assign(target, initial.clone()),
                    });
                }
                Some(initial) if kind_of_initial(process, initial) == Initial::OfVariables => {
                    let message =
                        "the initial value of a variable cannot be computed from variables";
                    self.error(codes::NOT_CONSTANT, initial.span, message);
                }
                initial => {
                    let mut initial = initial.clone();
                    if let Some(value) = &mut initial {
                        let nowhere = Context::of_process(Scope::default(), Vec::new());
                        self.settle(&nowhere, value, &variable.type_name);
                    }
                    for one in flat.iter_mut().filter(|_| initial.is_some()) {
                        one.initial = initial.clone();
                    }
                }
            }
            variables.extend(flat);
        }
        let mut context = Context::of_process(scope.clone(), process.procedures.clone());
        context.viewed = Rc::new(process.viewed.clone());
        self.scopes.insert(key(&process.name), scope);
        let mut expanded = Process {
            variables,
            parameters,
            procedures: Vec::new(),
            ..process.clone()
        };
        if let Some(start) = &mut expanded.start {
            first.append(&mut start.actions);
            start.actions = self.actions(&context, &first);
        }
        expanded.states = self.expanded_states(&context, &process.states, &self.own_states.clone());
        for body in &mut expanded.connections {
            body.actions = self.actions(&context, &body.actions);
        }
        expanded.states.append(&mut self.states);
        expanded.connections.append(&mut self.connections);
        expanded.variables.append(&mut self.added);
        let states = named_states(&expanded.states);
        for variable in &process.variables {
            if let Some(known) = &variable.exported {
                let access = Access::whole(key(&variable.name), &variable.type_name);
                let span = variable.name.span;
                let values = self.elements(&access, span);
                expanded
                    .states
                    .push(remote::answers(known, values, &states, span));
            }
        }
        expanded
    }

    fn expanded_states(&mut self, context: &Context, states: &[State], own: &[Name]) -> Vec<State> {
        let mut expanded = Vec::new();
        for state in states {
            let names = match &state.of {
                States::Named(names) => names.clone(),
                States::AllBut(but) => own
                    .iter()
                    .filter(|name| !but.iter().any(|other| key(other) == key(name)))
                    .cloned()
                    .collect(),
            };
            let names: Vec<Name> = names.iter().map(|name| context.state(name)).collect();
            let of = match &state.of {
                States::AllBut(but) if context.is_process() && self.states.is_empty() => {
                    States::AllBut(but.clone())
                }
                _ => States::Named(names),
            };
            let triggers = state.triggers.iter();
            let triggers = triggers
                .map(|trigger| self.trigger(context, trigger))
                .collect();
            expanded.push(State {
                of,
                marks: state.marks.clone(),
                triggers,
                span: state.span,
            });
        }
        // What a call adds while states are read is not meant by their asterisks either.
        for (state, written) in expanded.iter_mut().zip(states) {
            if let States::AllBut(but) = &written.of
                && let States::AllBut(_) = state.of
                && !self.states.is_empty()
            {
                let named = own
                    .iter()
                    .filter(|name| !but.iter().any(|other| key(other) == key(name)));
                state.of = States::Named(named.cloned().collect());
            }
        }
        expanded
    }

    fn trigger(&mut self, context: &Context, trigger: &Trigger) -> Trigger {
        let mut stimuli = |all: &[Stimulus]| -> Vec<Stimulus> {
            all.iter().map(|one| self.stimulus(context, one)).collect()
        };
        let kind = match &trigger.kind {
            TriggerKind::Input(all) => TriggerKind::Input(stimuli(all)),
            TriggerKind::PriorityInput(all) => TriggerKind::PriorityInput(stimuli(all)),
            other => other.clone(),
        };
        let provided = trigger.provided.as_ref();
        let provided = provided.map(|condition| self.plain(context, condition));
        Trigger {
            kind,
            provided,
            body: Body {
                actions: self.actions(context, &trigger.body.actions),
                span: trigger.body.span,
            },
            span: trigger.span,
        }
    }

    fn stimulus(&mut self, context: &Context, stimulus: &Stimulus) -> Stimulus {
        let types = self.signals.get(&key(&stimulus.signal)).cloned();
        let Some(types) = types else {
            // A timer, or unknown; its parameters are single values.
            let targets = stimulus.targets.iter();
            let targets = targets.map(|target| target.as_ref().map(|t| self.plain(context, t)));
            return Stimulus {
                signal: stimulus.signal.clone(),
                targets: targets.collect(),
            };
        };
        let mut targets = Vec::new();
        for (number, target) in stimulus.targets.iter().enumerate() {
            let Some(type_) = types.get(number) else {
                targets.push(target.clone());
                continue;
            };
            match target {
                None => targets.extend(vec![None; self.flat_types(type_).len()]),
                Some(target) => {
                    if self.has_conditions(context, target) {
                        let message = "an optional field or an alternative takes no parameter of a signal: put a variable here, and a `task` behind it";
                        self.error(codes::NOT_TAKEN, target.span, message);
                    }
                    let all = self.target(context, target, Some(type_));
                    targets.extend(all.into_iter().map(Some));
                }
            }
        }
        Stimulus {
            signal: stimulus.signal.clone(),
            targets,
        }
    }
}

/// The names of a block, of blocks in it and of processes.
fn names_inside(block: &Block, names: &mut Vec<String>) {
    names.push(key(&block.name));
    names.extend(block.processes.iter().map(|process| key(&process.name)));
    for inner in block.substructure.iter().flat_map(|s| &s.blocks) {
        names_inside(inner, names);
    }
}

/// The states that are named: those that something is said about.
fn named_states(states: &[State]) -> Vec<Name> {
    let mut found: Vec<Name> = Vec::new();
    for state in states {
        if let States::Named(names) = &state.of {
            for name in names {
                if !found.iter().any(|known| key(known) == key(name)) {
                    found.push(name.clone());
                }
            }
        }
    }
    found
}

/// Does a type, as it is written, have single values?
fn is_single(types: &[TypeDefinition], name: &Name) -> bool {
    let mut name = name;
    for _ in 0..=types.len() {
        let found = types.iter().find(|known| key(&known.name) == key(name));
        match found.map(|found| &found.kind) {
            Some(TypeKind::Range { of, .. }) => name = of,
            Some(TypeKind::Literals(_)) | None => return true,
            Some(_) => return false,
        }
    }
    true
}
