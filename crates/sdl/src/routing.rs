//! Whom a signal can get to: over signal routes inside a block, over channels between blocks (Z.100 clauses 2.5.1, 2.5.2, 2.7.4).
//!
//! A block without signal routes has implicit ones between all its processes, and to the channels that lead to it: they carry every
//! signal that the receiver knows.

use std::collections::HashSet;

use crate::ast::{
    Action, ActionKind, Block, Body, Member, Name, Path, Process, System, TriggerKind, Way,
};

/// A process that a signal can get to, and the way of the channel that delays it, if one does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Receiver {
    /// By the numbers of its block and among its processes; none for the environment.
    pub process: Option<(usize, usize)>,
    /// By the numbers of the channel and among its ways.
    pub delayed: Option<(usize, usize)>,
}

/// All whom a signal from a process can get to.
pub(crate) fn receivers(
    system: &System,
    (block, process): (usize, usize),
    signal: &str,
    via: &[Name],
) -> Vec<Receiver> {
    let home = &system.blocks[block];
    let sender = &home.processes[process];
    let passes = |name: &Name| via.is_empty() || via.iter().any(|known| same(known, name));
    let mut found = Vec::new();
    let mut add = |receiver: Receiver| {
        if !found.contains(&receiver) {
            found.push(receiver);
        }
    };
    if home.routes.is_empty() {
        for (number, other) in home.processes.iter().enumerate() {
            if via.is_empty() && knows(system, other, signal) {
                add(Receiver {
                    process: Some((block, number)),
                    delayed: None,
                });
            }
        }
        for (number, channel) in system.channels.iter().enumerate() {
            if passes(&channel.name) {
                along(system, Some(home), number, channel, signal, &mut add);
            }
        }
        return found;
    }
    for route in &home.routes {
        for way in ways(system, route, signal) {
            if !is(&way.from, &sender.name) {
                continue;
            }
            if let Some(to) = &way.to {
                let number = home.processes.iter().position(|p| same(&p.name, to));
                if let Some(number) = number.filter(|_| passes(&route.name)) {
                    add(Receiver {
                        process: Some((block, number)),
                        delayed: None,
                    });
                }
                continue;
            }
            for (number, channel) in system.channels.iter().enumerate() {
                let connected = home.connections.iter().any(|(known, routes)| {
                    same(known, &channel.name) && routes.iter().any(|r| same(r, &route.name))
                });
                if connected && (passes(&route.name) || passes(&channel.name)) {
                    along(system, Some(home), number, channel, signal, &mut add);
                }
            }
        }
    }
    found
}

/// All processes, by the numbers of their block and among its processes, that a signal from the environment can get to. When it gets
/// there does not depend on what delays it, since nobody knows when it was sent.
pub(crate) fn from_environment(system: &System, signal: &str) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    for (number, channel) in system.channels.iter().enumerate() {
        along(system, None, number, channel, signal, &mut |receiver| {
            if let Some(process) = receiver.process
                && !found.contains(&process)
            {
                found.push(process);
            }
        });
    }
    found
}

/// The processes at the other end of a channel.
fn along(
    system: &System,
    home: Option<&Block>,
    number: usize,
    channel: &Path,
    signal: &str,
    add: &mut impl FnMut(Receiver),
) {
    for (position, way) in channel.ways.iter().enumerate() {
        let begins = match home {
            Some(home) => is(&way.from, &home.name),
            None => way.from.is_none(),
        };
        if !carries(system, way, signal) || !begins {
            continue;
        }
        let delayed = channel.delays.then_some((number, position));
        let Some(to) = &way.to else {
            add(Receiver {
                process: None,
                delayed: None,
            });
            continue;
        };
        let Some(other) = system.blocks.iter().position(|b| same(&b.name, to)) else {
            continue;
        };
        let target = &system.blocks[other];
        for (process, described) in target.processes.iter().enumerate() {
            let reached = match target.routes.is_empty() {
                true => knows(system, described, signal),
                false => target.routes.iter().any(|route| {
                    let connected = target.connections.iter().any(|(known, routes)| {
                        same(known, &channel.name) && routes.iter().any(|r| same(r, &route.name))
                    });
                    connected
                        && ways(system, route, signal)
                            .any(|way| way.from.is_none() && is(&way.to, &described.name))
                }),
            };
            if reached {
                add(Receiver {
                    process: Some((other, process)),
                    delayed,
                });
            }
        }
    }
}

pub(crate) fn same(left: &Name, right: &Name) -> bool {
    left.text.eq_ignore_ascii_case(&right.text)
}

fn is(place: &Option<Name>, name: &Name) -> bool {
    place.as_ref().is_some_and(|place| same(place, name))
}

fn ways<'s>(system: &'s System, path: &'s Path, signal: &str) -> impl Iterator<Item = &'s Way> {
    let signal = signal.to_ascii_lowercase();
    (path.ways.iter()).filter(move |way| carries(system, way, &signal))
}

fn carries(system: &System, way: &Way, signal: &str) -> bool {
    signals_of(system, &way.signals).contains(&signal.to_ascii_lowercase())
}

/// The signals of a list, in small letters, with those of the lists in it.
pub(crate) fn signals_of(system: &System, members: &[Member]) -> HashSet<String> {
    let mut found = HashSet::new();
    let mut lists = HashSet::new();
    let mut open: Vec<&Member> = members.iter().collect();
    while let Some(member) = open.pop() {
        let name = member.name.text.to_ascii_lowercase();
        if !member.list {
            found.insert(name);
        } else if lists.insert(name) {
            let list = system
                .lists
                .iter()
                .find(|list| same(&list.name, &member.name));
            open.extend(list.iter().flat_map(|list| &list.members));
        }
    }
    found
}

/// Does a process say anything about a signal, by name or by an asterisk?
fn knows(system: &System, process: &Process, signal: &str) -> bool {
    let mut triggers = process.states.iter().flat_map(|state| &state.triggers);
    triggers.any(|trigger| match &trigger.kind {
        TriggerKind::Input(stimuli) | TriggerKind::PriorityInput(stimuli) => stimuli
            .iter()
            .any(|stimulus| stimulus.signal.text.eq_ignore_ascii_case(signal)),
        TriggerKind::Save(members) => {
            signals_of(system, members).contains(&signal.to_ascii_lowercase())
        }
        TriggerKind::AnyInput | TriggerKind::SaveAll => true,
        _ => false,
    })
}

/// Every action of a process.
pub(crate) fn actions(process: &Process) -> Vec<&Action> {
    let triggers = process.states.iter().flat_map(|state| &state.triggers);
    let bodies = triggers.map(|trigger| &trigger.body);
    process
        .start
        .iter()
        .chain(bodies)
        .chain(&process.connections)
        .flat_map(actions_of)
        .collect()
}

/// Every action of a transition.
pub(crate) fn actions_of(body: &Body) -> Vec<&Action> {
    let mut open = vec![body];
    let mut found = Vec::new();
    while let Some(body) = open.pop() {
        for action in &body.actions {
            if let ActionKind::Decision(_, answers) = &action.kind {
                open.extend(answers.iter().map(|answer| &answer.body));
            }
            found.push(action);
        }
    }
    found
}
