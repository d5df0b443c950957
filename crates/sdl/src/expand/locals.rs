//! Types and synonyms that a block or a process declares are known there alone (Z.100 clause 2.2.2): one whose name is declared elsewhere
//! too is called by both names, `block_type`.

use std::collections::{HashMap, HashSet};

use super::{blocks, key};
use crate::ast::{
    ActionKind, Block, Body, Composite, Expression, ExpressionKind, Name, Procedure, Process,
    State, System, TypeKind, Variable,
};
use crate::walk;

/// New names of types and synonyms, which share one class of names here.
type Renamed = HashMap<String, Name>;

pub(super) fn scope(system: &mut System) {
    let types = system.types.iter().map(|definition| &definition.name);
    let synonyms = system.synonyms.iter().map(|synonym| &synonym.name);
    let all: Vec<String> = types.chain(synonyms).map(key).collect();
    let mut seen = HashSet::new();
    let twice: HashSet<&String> = all.iter().filter(|name| !seen.insert(*name)).collect();
    if twice.is_empty() {
        return;
    }
    let mut scoper = Scoper {
        twice: twice.into_iter().cloned().collect(),
        taken: all.iter().cloned().collect(),
    };
    let mut blocks = std::mem::take(&mut system.blocks);
    for block in &mut blocks {
        scoper.in_block(system, block);
    }
    system.blocks = blocks;
}

struct Scoper {
    /// The names that are declared more than once.
    twice: HashSet<String>,
    taken: HashSet<String>,
}

impl Scoper {
    fn in_block(&mut self, system: &mut System, block: &mut Block) {
        // What is declared inside hides what is declared around it.
        for inner in block.substructure.iter_mut().flat_map(|s| &mut s.blocks) {
            self.in_block(system, inner);
            block.own.extend(inner.own.iter().cloned());
        }
        for process in &mut block.processes {
            let own = std::mem::take(&mut process.own);
            let renamed = self.declared(system, &process.name, &own);
            if !renamed.is_empty() {
                in_definitions(system, &own, &renamed);
                in_process(process, &renamed);
            }
            block.own.extend(own);
        }
        let renamed = self.declared(system, &block.name, &block.own);
        if !renamed.is_empty() {
            in_definitions(system, &block.own, &renamed);
            in_block(block, &renamed);
        }
    }

    /// Gives the types and synonyms that are declared here, and elsewhere too, names of their own.
    fn declared(&mut self, system: &mut System, place: &Name, own: &[Name]) -> Renamed {
        let mut renamed = Renamed::new();
        let types = system.types.iter_mut().map(|one| &mut one.name);
        let synonyms = system.synonyms.iter_mut().map(|one| &mut one.name);
        for name in types.chain(synonyms) {
            let here = own.iter().any(|own| own.span == name.span);
            if !here || !self.twice.contains(&key(name)) {
                continue;
            }
            // A second one in the same place has the same name, and is told.
            if let Some(first) = renamed.get(&key(name)) {
                name.text = first.text.clone();
                continue;
            }
            let text = blocks::fresh(format!("{place}_{name}"), &self.taken);
            self.taken.insert(text.to_ascii_lowercase());
            let other = Name {
                text: text.as_str().into(),
                span: name.span,
            };
            renamed.insert(key(name), other.clone());
            *name = other;
        }
        renamed
    }
}

/// What is declared here may use what is declared here.
fn in_definitions(system: &mut System, own: &[Name], renamed: &Renamed) {
    let here: HashSet<_> = own.iter().map(|name| name.span).collect();
    for definition in &mut system.types {
        if here.contains(&definition.name.span) {
            in_type(&mut definition.kind, renamed);
        }
    }
    for synonym in &mut system.synonyms {
        if here.contains(&synonym.name.span) {
            synonym
                .type_name
                .iter_mut()
                .for_each(|of| rename(of, renamed));
            synonym
                .value
                .iter_mut()
                .for_each(|of| in_value(of, renamed));
        }
    }
    for (_, of, value) in &mut system.constants {
        if here.contains(&of.span) {
            rename(of, renamed);
            in_value(value, renamed);
        }
    }
    for signal in &mut system.signals {
        if here.contains(&signal.name.span) {
            all(&mut signal.parameters, renamed);
        }
    }
    for procedure in &mut system.procedures {
        if here.contains(&procedure.name.span) {
            in_procedure(procedure, renamed);
        }
    }
}

fn in_type(kind: &mut TypeKind, renamed: &Renamed) {
    match kind {
        TypeKind::Literals(_) => {}
        TypeKind::Range { of, bounds } => {
            rename(of, renamed);
            if let Some((low, high)) = bounds {
                in_value(low, renamed);
                in_value(high, renamed);
            }
        }
        TypeKind::Structure(fields) => {
            fields.iter_mut().for_each(|(_, of)| rename(of, renamed));
        }
        TypeKind::Array { index, element } => {
            rename(index, renamed);
            rename(element, renamed);
        }
        TypeKind::Row {
            length, element, ..
        } => {
            rename(length, renamed);
            rename(element, renamed);
        }
    }
}

fn in_block(block: &mut Block, renamed: &Renamed) {
    for process in &mut block.processes {
        in_process(process, renamed);
    }
    for inner in block.substructure.iter_mut().flat_map(|s| &mut s.blocks) {
        in_block(inner, renamed);
    }
}

fn in_process(process: &mut Process, renamed: &Renamed) {
    let renamed = &without(renamed, &process.variables);
    for number in [&mut process.count, &mut process.most] {
        number.iter_mut().for_each(|value| in_value(value, renamed));
    }
    in_variables(&mut process.variables, renamed);
    for timer in &mut process.timers {
        all(&mut timer.parameters, renamed);
    }
    for (_, of) in process.viewed.iter_mut().chain(&mut process.imported) {
        rename(of, renamed);
    }
    for procedure in &mut process.procedures {
        in_procedure(procedure, renamed);
    }
    in_states(&mut process.states, renamed);
    for body in process.start.iter_mut().chain(&mut process.connections) {
        in_body(body, renamed);
    }
    for Composite { inside, starts, .. } in &mut process.composites {
        for (_, body) in starts {
            in_body(body, renamed);
        }
        in_process(inside, renamed);
    }
}

fn in_procedure(procedure: &mut Procedure, renamed: &Renamed) {
    let renamed = &mut without(renamed, &procedure.variables);
    for parameter in &mut procedure.parameters {
        rename(&mut parameter.variable.type_name, renamed);
    }
    if let Some((_, of)) = &mut procedure.returns {
        rename(of, renamed);
    }
    for parameter in &procedure.parameters {
        renamed.remove(&key(&parameter.variable.name));
    }
    in_variables(&mut procedure.variables, renamed);
    for inner in &mut procedure.procedures {
        in_procedure(inner, renamed);
    }
    in_states(&mut procedure.states, renamed);
    for body in procedure.start.iter_mut().chain(&mut procedure.connections) {
        in_body(body, renamed);
    }
}

/// Without the names that variables have here.
fn without(renamed: &Renamed, variables: &[Variable]) -> Renamed {
    let mut renamed = renamed.clone();
    for variable in variables {
        renamed.remove(&key(&variable.name));
    }
    renamed
}

fn in_variables(variables: &mut [Variable], renamed: &Renamed) {
    for variable in variables {
        rename(&mut variable.type_name, renamed);
        let initial = variable.initial.iter_mut();
        initial.for_each(|value| in_value(value, renamed));
    }
}

fn in_states(states: &mut [State], renamed: &Renamed) {
    for trigger in states.iter_mut().flat_map(|state| &mut state.triggers) {
        walk::conditions(trigger, &mut |value| one_value(value, renamed));
        in_body(&mut trigger.body, renamed);
    }
}

fn in_body(body: &mut Body, renamed: &Renamed) {
    walk::actions(body, &mut |action| {
        walk::expressions(&mut action.kind, &mut |value| one_value(value, renamed));
        if let ActionKind::For(variable, ..) = &action.kind
            && renamed.contains_key(&key(variable))
        {
            // The variable of the loop is meant inside; it is put back.
            let back = renamed[&key(variable)].clone();
            let back = Renamed::from([(key(&back), variable.clone())]);
            if let ActionKind::For(_, _, body) = &mut action.kind {
                in_body(body, &back);
            }
        }
    });
}

fn in_value(value: &mut Expression, renamed: &Renamed) {
    walk::expression(value, &mut |value| one_value(value, renamed));
}

fn one_value(value: &mut Expression, renamed: &Renamed) {
    match &mut value.kind {
        ExpressionKind::Name(name) | ExpressionKind::AnyOf(name) => rename(name, renamed),
        _ => {}
    }
}

fn all(names: &mut [Name], renamed: &Renamed) {
    names.iter_mut().for_each(|name| rename(name, renamed));
}

fn rename(name: &mut Name, renamed: &Renamed) {
    if let Some(other) = renamed.get(&key(name)) {
        name.text = other.text.clone();
    }
}
