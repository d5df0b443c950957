//! Blocks that are made of blocks (Z.100 clause 3.2.2), put into one list; and processes of the same name in different blocks.

use std::collections::{HashMap, HashSet};

use mazurka_span::Diagnostic;

use super::{addresses, key};
use crate::ast::{
    ActionKind, Block, ExpressionKind, Name, Path, Procedure, Process, Scope, System,
};
use crate::walk;

/// Leaves the innermost blocks, with the channels of all levels; each knows the scope that it stands in.
pub(super) fn flatten(system: &mut System, diagnostics: &mut Vec<Diagnostic>) {
    let blocks = std::mem::take(&mut system.blocks);
    level(system, blocks, 0);
    addresses::check(system, diagnostics);
    names_of_their_own(system);
}

fn level(system: &mut System, blocks: Vec<Block>, scope: usize) {
    for mut block in blocks {
        block.scope = scope;
        let Some(substructure) = block.substructure.take() else {
            system.blocks.push(block);
            continue;
        };
        system.scopes.push(Scope {
            block: block.name.clone(),
            outer: scope,
            connections: substructure.connections,
        });
        let inner = system.scopes.len();
        let channels = substructure.channels.into_iter();
        system.channels.extend(channels.map(|channel| Path {
            scope: inner,
            ..channel
        }));
        level(system, substructure.blocks, inner);
    }
}

/// A process whose name another block has too is called by both names, `block_process`. No process and no variable has that name, so that
/// an address still means who it meant.
fn names_of_their_own(system: &mut System) {
    let mut count: HashMap<String, usize> = HashMap::new();
    for block in &system.blocks {
        for process in &block.processes {
            *count.entry(key(&process.name)).or_default() += 1;
        }
    }
    let mut taken = addresses::variables(system);
    taken.extend(count.keys().cloned());
    for block in &mut system.blocks {
        let mut renamed: HashMap<String, Name> = HashMap::new();
        for process in &block.processes {
            let name = key(&process.name);
            if count[&name] < 2 || renamed.contains_key(&name) {
                continue;
            }
            let text = fresh(format!("{}_{}", block.name, process.name), &taken);
            taken.insert(text.to_ascii_lowercase());
            let span = process.name.span;
            let text = text.as_str().into();
            renamed.insert(name, Name { text, span });
        }
        if renamed.is_empty() {
            continue;
        }
        for way in block.routes.iter_mut().flat_map(|route| &mut route.ways) {
            for place in [&mut way.from, &mut way.to].into_iter().flatten() {
                rename(place, &renamed);
            }
        }
        for process in &mut block.processes {
            rename(&mut process.name, &renamed);
            in_process(process, &renamed);
        }
    }
}

/// The name, with a number behind it if it is taken.
pub(super) fn fresh(name: String, taken: &HashSet<String>) -> String {
    let numbered = (2..).map(|number| format!("{name}_{number}"));
    let mut all = std::iter::once(name.clone()).chain(numbered);
    let free = all.find(|name| !taken.contains(&name.to_ascii_lowercase()));
    free.unwrap_or(name)
}

fn rename(name: &mut Name, renamed: &HashMap<String, Name>) {
    if let Some(other) = renamed.get(&key(name)) {
        name.text = other.text.clone();
    }
}

fn in_process(process: &mut Process, renamed: &HashMap<String, Name>) {
    for body in walk::bodies(process) {
        walk::actions(body, &mut |action| in_action(&mut action.kind, renamed));
    }
    for procedure in &mut process.procedures {
        in_procedure(procedure, renamed);
    }
    for composite in &mut process.composites {
        for (_, body) in &mut composite.starts {
            walk::actions(body, &mut |action| in_action(&mut action.kind, renamed));
        }
        in_process(&mut composite.inside, renamed);
    }
}

fn in_procedure(procedure: &mut Procedure, renamed: &HashMap<String, Name>) {
    for body in walk::bodies_of_procedure(procedure) {
        walk::actions(body, &mut |action| in_action(&mut action.kind, renamed));
    }
    for inner in &mut procedure.procedures {
        in_procedure(inner, renamed);
    }
}

fn in_action(kind: &mut ActionKind, renamed: &HashMap<String, Name>) {
    match kind {
        ActionKind::Create(name, _) => rename(name, renamed),
        ActionKind::Output(output) => {
            if let Some(ExpressionKind::Name(name)) = output.to.as_mut().map(|to| &mut to.kind) {
                rename(name, renamed);
            }
        }
        _ => {}
    }
}
