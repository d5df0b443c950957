//! Signals and lists of signals that a block declares are known in that block alone (Z.100 clause 2.2.2): one whose name is declared
//! elsewhere too is called by both names, `block_signal`.

use std::collections::HashMap;

use super::{blocks, key};
use crate::ast::{
    ActionKind, Block, Body, Member, Name, Path, Procedure, Process, State, System, TriggerKind,
};
use crate::walk;

/// New names, of signals and of lists.
#[derive(Default)]
struct Renamed {
    signals: HashMap<String, Name>,
    lists: HashMap<String, Name>,
}

pub(super) fn scope(system: &mut System) {
    let mut blocks = std::mem::take(&mut system.blocks);
    for block in &mut blocks {
        in_block(system, block);
    }
    system.blocks = blocks;
}

fn in_block(system: &mut System, block: &mut Block) {
    // What is declared inside hides what is declared around it.
    for inner in block.substructure.iter_mut().flat_map(|s| &mut s.blocks) {
        in_block(system, inner);
    }
    let signals = system.signals.iter_mut().map(|signal| &mut signal.name);
    let lists = system.lists.iter_mut().map(|list| &mut list.name);
    let renamed = Renamed {
        signals: own_names(&block.name, &block.own, signals.collect()),
        lists: own_names(&block.name, &block.own, lists.collect()),
    };
    if renamed.signals.is_empty() && renamed.lists.is_empty() {
        return;
    }
    for list in &mut system.lists {
        if block.own.iter().any(|own| own.span == list.name.span) {
            in_members(&mut list.members, &renamed);
        }
    }
    uses(block, &renamed);
}

/// Gives the names that are declared here, and elsewhere too, names of their own.
fn own_names(block: &Name, own: &[Name], mut declared: Vec<&mut Name>) -> HashMap<String, Name> {
    let mut renamed: HashMap<String, Name> = HashMap::new();
    let all: Vec<String> = declared.iter().map(|name| key(name)).collect();
    for name in own {
        let mut found = declared.iter_mut();
        let Some(found) = found.find(|known| known.span == name.span && key(known) == key(name))
        else {
            continue;
        };
        if all.iter().filter(|known| **known == key(name)).count() < 2 {
            continue;
        }
        let taken = all
            .iter()
            .cloned()
            .chain(renamed.values().map(key))
            .collect();
        let text = blocks::fresh(format!("{block}_{name}"), &taken);
        found.text = text.as_str().into();
        renamed.insert(key(name), (*found).clone());
    }
    renamed
}

fn uses(block: &mut Block, renamed: &Renamed) {
    in_paths(&mut block.routes, renamed);
    for process in &mut block.processes {
        in_process(process, renamed);
    }
    if let Some(substructure) = &mut block.substructure {
        in_paths(&mut substructure.channels, renamed);
        for inner in &mut substructure.blocks {
            uses(inner, renamed);
        }
    }
}

fn in_paths(paths: &mut [Path], renamed: &Renamed) {
    for way in paths.iter_mut().flat_map(|path| &mut path.ways) {
        in_members(&mut way.signals, renamed);
    }
}

fn in_members(members: &mut [Member], renamed: &Renamed) {
    for member in members {
        let known = match member.list {
            true => &renamed.lists,
            false => &renamed.signals,
        };
        rename(&mut member.name, known);
    }
}

fn rename(name: &mut Name, known: &HashMap<String, Name>) {
    if let Some(other) = known.get(&key(name)) {
        name.text = other.text.clone();
    }
}

fn in_process(process: &mut Process, renamed: &Renamed) {
    // A timer of that name is meant, where there is one.
    let mut signals = renamed.signals.clone();
    for timer in &process.timers {
        signals.remove(&key(&timer.name));
    }
    let renamed = &Renamed {
        signals,
        lists: renamed.lists.clone(),
    };
    in_states(&mut process.states, renamed);
    in_members(&mut process.signals, renamed);
    for body in process.start.iter_mut().chain(&mut process.connections) {
        in_body(body, renamed);
    }
    for procedure in &mut process.procedures {
        in_procedure(procedure, renamed);
    }
    for composite in &mut process.composites {
        for (_, body) in &mut composite.starts {
            in_body(body, renamed);
        }
        in_process(&mut composite.inside, renamed);
    }
}

fn in_procedure(procedure: &mut Procedure, renamed: &Renamed) {
    in_states(&mut procedure.states, renamed);
    for body in procedure.start.iter_mut().chain(&mut procedure.connections) {
        in_body(body, renamed);
    }
    for inner in &mut procedure.procedures {
        in_procedure(inner, renamed);
    }
}

fn in_states(states: &mut [State], renamed: &Renamed) {
    for trigger in states.iter_mut().flat_map(|state| &mut state.triggers) {
        match &mut trigger.kind {
            TriggerKind::Input(stimuli) | TriggerKind::PriorityInput(stimuli) => {
                for stimulus in stimuli {
                    rename(&mut stimulus.signal, &renamed.signals);
                }
            }
            TriggerKind::Save(members) => in_members(members, renamed),
            _ => {}
        }
        in_body(&mut trigger.body, renamed);
    }
}

fn in_body(body: &mut Body, renamed: &Renamed) {
    walk::actions(body, &mut |action| {
        if let ActionKind::Output(output) = &mut action.kind {
            rename(&mut output.signal, &renamed.signals);
        }
    });
}
