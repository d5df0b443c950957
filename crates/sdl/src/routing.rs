//! Whom a signal can get to: over signal routes inside a block, over channels between blocks (Z.100 clauses 2.5.1, 2.5.2, 2.7.4).
//!
//! A block without signal routes has implicit ones between all its processes, and to the channels that lead to it: they carry every
//! signal that the receiver knows. One that knows a signal by an asterisk only (`input *`) gets it if nobody knows it by its name, or by
//! its address.

use std::collections::HashSet;

use crate::ast::{
    Action, ActionKind, Block, Body, Member, Name, Output, Path, Process, System, TriggerKind, Way,
};

/// A process that a signal can get to, and the way of a channel that delays it first, if one does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Receiver {
    /// By the numbers of its block and among its processes; none for the environment.
    pub process: Option<(usize, usize)>,
    /// By the numbers of the channel and among its ways.
    pub delayed: Option<(usize, usize)>,
}

/// All whom an output of a process can get to.
pub(crate) fn receivers(
    system: &System,
    (block, process): (usize, usize),
    output: &Output,
) -> Vec<Receiver> {
    let (signal, via) = (&*output.signal.text, &output.via);
    let addressed = output.to.is_some() || output.everybody;
    let mut found = Vec::new();
    let mut add = |receiver: Receiver| {
        if !found.contains(&receiver) {
            found.push(receiver);
        }
    };
    let direct = |process| Receiver {
        process: Some(process),
        delayed: None,
    };
    let is_implicit = |known: &String| known.eq_ignore_ascii_case(signal);
    if system.implicit.iter().any(is_implicit) {
        for (number, other) in system.blocks.iter().enumerate() {
            for (position, process) in other.processes.iter().enumerate() {
                if takes(process, signal) {
                    add(direct((number, position)));
                }
            }
        }
        return found;
    }
    let home = &system.blocks[block];
    let sender = &home.processes[process];
    let passes = |passed: &[&Name]| {
        via.is_empty()
            || via
                .iter()
                .any(|known| passed.iter().any(|name| same(known, name)))
    };
    if home.routes.is_empty() {
        for (number, other) in home.processes.iter().enumerate() {
            let known = addressed && knows_all(other) || names(system, other, signal);
            if via.is_empty() && known {
                add(direct((block, number)));
            }
        }
        for (number, channel) in channels_of(system, home.scope) {
            let journey = Journey {
                addressed,
                ..Journey::default()
            };
            along(
                system,
                Some(&home.name),
                number,
                channel,
                signal,
                journey,
                &mut |receiver, names| {
                    if passes(names) {
                        add(receiver);
                    }
                },
            );
        }
        if found.is_empty() && via.is_empty() {
            let all = home.processes.iter().enumerate();
            let all = all.filter(|(_, other)| knows_all(other));
            found.extend(all.map(|(number, _)| direct((block, number))));
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
                if let Some(number) = number.filter(|_| passes(&[&route.name])) {
                    add(direct((block, number)));
                }
                continue;
            }
            for (number, channel) in channels_of(system, home.scope) {
                if !are_connected(&home.connections, &channel.name, &route.name) {
                    continue;
                }
                let journey = Journey {
                    names: vec![&route.name],
                    addressed,
                    ..Journey::default()
                };
                along(
                    system,
                    Some(&home.name),
                    number,
                    channel,
                    signal,
                    journey,
                    &mut |receiver, names| {
                        if passes(names) {
                            add(receiver);
                        }
                    },
                );
            }
        }
    }
    found
}

/// All processes, by the numbers of their block and among its processes, that a signal from the environment can get to. When it gets
/// there does not depend on what delays it, since nobody knows when it was sent.
pub(crate) fn from_environment(system: &System, signal: &str) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    for (number, channel) in channels_of(system, 0) {
        let journey = Journey::default();
        along(
            system,
            None,
            number,
            channel,
            signal,
            journey,
            &mut |receiver, _| {
                if let Some(process) = receiver.process
                    && !found.contains(&process)
                {
                    found.push(process);
                }
            },
        );
    }
    found
}

/// Whom a signal gets to from the end of one way of a channel, and what delays it next.
pub(crate) fn onward(
    system: &System,
    (channel, position): (usize, usize),
    signal: &str,
) -> Vec<Receiver> {
    let mut found = Vec::new();
    let channel = &system.channels[channel];
    if let Some(way) = channel
        .ways
        .get(position)
        .filter(|way| carries(system, way, signal))
    {
        at_end(
            system,
            channel,
            way,
            signal,
            Journey {
                addressed: true,
                ..Journey::default()
            },
            &mut |receiver, _| {
                if !found.contains(&receiver) {
                    found.push(receiver);
                }
            },
        );
    }
    found
}

fn channels_of(system: &System, scope: usize) -> impl Iterator<Item = (usize, &Path)> {
    let channels = system.channels.iter().enumerate();
    channels.filter(move |(_, channel)| channel.scope == scope)
}

fn are_connected(connections: &[(Name, Vec<Name>)], outer: &Name, inner: &Name) -> bool {
    let mut connections = connections.iter();
    connections.any(|(known, all)| same(known, outer) && all.iter().any(|one| same(one, inner)))
}

/// What a signal has passed.
#[derive(Clone, Default)]
struct Journey<'s> {
    names: Vec<&'s Name>,
    delayed: Option<(usize, usize)>,
    /// Has it an address, so that all who may know it count?
    addressed: bool,
}

/// Every way of a channel from a block, or from around all of them.
fn along<'s>(
    system: &'s System,
    from: Option<&Name>,
    number: usize,
    channel: &'s Path,
    signal: &str,
    mut journey: Journey<'s>,
    add: &mut dyn FnMut(Receiver, &[&Name]),
) {
    journey.names.push(&channel.name);
    // Blocks are nested less deeply than that.
    if journey.names.len() > 300 {
        return;
    }
    for (position, way) in channel.ways.iter().enumerate() {
        let begins = match from {
            Some(from) => is(&way.from, from),
            None => way.from.is_none(),
        };
        if !begins || !carries(system, way, signal) {
            continue;
        }
        let mut journey = journey.clone();
        if channel.delays && journey.delayed.is_none() {
            journey.delayed = Some((number, position));
        }
        at_end(system, channel, way, signal, journey, add);
    }
}

/// Where a way of a channel leads to: processes, channels inside a block, or channels around one.
fn at_end<'s>(
    system: &'s System,
    channel: &'s Path,
    way: &'s Way,
    signal: &str,
    journey: Journey<'s>,
    add: &mut dyn FnMut(Receiver, &[&Name]),
) {
    let scope = channel.scope;
    let Some(to) = &way.to else {
        if scope == 0 {
            let receiver = Receiver {
                process: None,
                delayed: None,
            };
            return add(receiver, &journey.names);
        }
        let around = &system.scopes[scope - 1];
        for (number, outer) in channels_of(system, around.outer) {
            if are_connected(&around.connections, &outer.name, &channel.name) {
                let from = Some(&around.block);
                along(system, from, number, outer, signal, journey.clone(), add);
            }
        }
        return;
    };
    for (inner, inside) in system.scopes.iter().enumerate() {
        if inside.outer != scope || !same(&inside.block, to) {
            continue;
        }
        for (number, next) in channels_of(system, inner + 1) {
            if are_connected(&inside.connections, &channel.name, &next.name) {
                along(system, None, number, next, signal, journey.clone(), add);
            }
        }
    }
    let is_it = |block: &Block| block.scope == scope && same(&block.name, to);
    let Some(other) = system.blocks.iter().position(is_it) else {
        return;
    };
    let target = &system.blocks[other];
    let mut processes = target.processes.iter();
    let named = processes.any(|process| names(system, process, signal));
    for (process, described) in target.processes.iter().enumerate() {
        let reached = match target.routes.is_empty() {
            true => {
                let others = journey.addressed || !named;
                names(system, described, signal) || others && knows_all(described)
            }
            false => target.routes.iter().any(|route| {
                are_connected(&target.connections, &channel.name, &route.name)
                    && ways(system, route, signal)
                        .any(|way| way.from.is_none() && is(&way.to, &described.name))
            }),
        };
        if reached {
            let receiver = Receiver {
                process: Some((other, process)),
                delayed: journey.delayed,
            };
            add(receiver, &journey.names);
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

/// Does a process say anything about a signal by its name?
fn names(system: &System, process: &Process, signal: &str) -> bool {
    let signal_set = signals_of(system, &process.signals);
    let mut triggers = process.states.iter().flat_map(|state| &state.triggers);
    signal_set.contains(&signal.to_ascii_lowercase())
        || triggers.any(|trigger| match &trigger.kind {
            TriggerKind::Input(stimuli) | TriggerKind::PriorityInput(stimuli) => stimuli
                .iter()
                .any(|stimulus| stimulus.signal.text.eq_ignore_ascii_case(signal)),
            TriggerKind::Save(members) => {
                signals_of(system, members).contains(&signal.to_ascii_lowercase())
            }
            _ => false,
        })
}

/// Does a process say something about all signals, by an asterisk?
fn knows_all(process: &Process) -> bool {
    let mut triggers = process.states.iter().flat_map(|state| &state.triggers);
    triggers.any(|trigger| matches!(trigger.kind, TriggerKind::AnyInput | TriggerKind::SaveAll))
}

/// Does a process take a signal by name?
fn takes(process: &Process, signal: &str) -> bool {
    let mut triggers = process.states.iter().flat_map(|state| &state.triggers);
    triggers.any(|trigger| match &trigger.kind {
        TriggerKind::Input(stimuli) => {
            let mut stimuli = stimuli.iter();
            stimuli.any(|stimulus| stimulus.signal.text.eq_ignore_ascii_case(signal))
        }
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
