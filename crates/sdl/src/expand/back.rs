//! `nextstate -` behind a label, or behind something that has states of its own: the state is named, once for each that the transition
//! begins in (Z.100 clause 2.6.8). Where transitions of several states join a label, what stands behind it is there once for each state.

use std::collections::HashSet;

use super::{Expander, key, named_states};
use crate::ast::{
    Action, ActionKind, Body, Expression, ExpressionKind, Name, Procedure, Process, State, States,
    Trigger,
};
use crate::walk;

impl Expander<'_> {
    /// The procedures that wait for signals, by themselves or in what they call.
    pub(super) fn find_waiting(&mut self, process: &Process) {
        let mut all: Vec<&Procedure> = self.procedures.iter().chain(&process.procedures).collect();
        let mut open = 0;
        while open < all.len() {
            all.extend(&all[open].procedures);
            open += 1;
        }
        let mut waiting: HashSet<String> = HashSet::new();
        loop {
            let before = waiting.len();
            for procedure in &all {
                let mut start = procedure.start.clone().unwrap_or_default();
                let waits = !procedure.states.is_empty() || !procedure.connections.is_empty();
                if waits || calls_one(&mut start, &waiting) {
                    waiting.insert(key(&procedure.name));
                }
            }
            if waiting.len() == before {
                break;
            }
        }
        self.waiting = waiting;
    }

    /// Do actions wait for signals on the way?
    pub(super) fn waits(&self, actions: &[Action]) -> bool {
        let mut body = Body {
            actions: actions.to_vec(),
            ..Body::default()
        };
        calls_one(&mut body, &self.waiting)
    }

    pub(super) fn name_the_way_back(&self, process: &mut Process) {
        for procedure in &mut process.procedures {
            self.name_the_way_back_in(procedure);
        }
        let Process {
            start,
            states,
            connections,
            ..
        } = process;
        self.name_in(start, states, connections);
    }

    pub(super) fn name_the_way_back_in(&self, procedure: &mut Procedure) {
        for inner in &mut procedure.procedures {
            self.name_the_way_back_in(inner);
        }
        let Procedure {
            start,
            states,
            connections,
            ..
        } = procedure;
        self.name_in(start, states, connections);
    }

    fn name_in(
        &self,
        start: &mut Option<Body>,
        states: &mut Vec<State>,
        connections: &mut Vec<Body>,
    ) {
        let triggers = states.iter().flat_map(|state| &state.triggers);
        let bodies = triggers.map(|trigger| &trigger.body);
        let bodies = start.iter().chain(bodies).chain(connections.iter());
        let bodies: Vec<Body> = bodies.cloned().collect();
        let dependent = dependent(&bodies);
        let concerns = |body: &Body| {
            let mut known = labels(body);
            known.extend(joined(body));
            known.iter().any(|label| dependent.contains(label))
        };
        let mut ways = Vec::new();
        // What begins in no state has nowhere to go back to.
        let mut nowhere = Way::new(None);
        if let Some(start) = start {
            nowhere.take(start, &dependent);
        }
        let is_free = |label: &String| !dependent.contains(label) && !is_made(label);
        let mut free: HashSet<String> = HashSet::new();
        let (own, others): (Vec<Body>, Vec<Body>) = (std::mem::take(connections).into_iter())
            .partition(|body| labels(body).iter().any(|label| dependent.contains(label)));
        connections.extend(others);
        for body in own {
            let first = body.actions.first().and_then(|first| first.label.as_ref());
            if first.is_some_and(|label| is_made(&key(label))) {
                connections.push(body);
                continue;
            }
            // Labels that do not lead back stay as they are.
            for label in labels(&body).into_iter().filter(is_free) {
                if let Some(mut actions) = behind(&body.actions, &label)
                    && !free.contains(&label)
                {
                    cut(&mut actions, &free);
                    let span = body.span;
                    let one = Body { actions, span };
                    free.extend(labels(&one));
                    connections.push(one);
                }
            }
        }
        for body in connections.iter_mut().filter(|body| concerns(body)) {
            nowhere.take(body, &dependent);
        }
        ways.push(nowhere);
        let own = named_states(states);
        let mut all = Vec::new();
        for mut state in std::mem::take(states) {
            let names: Vec<Name> = match &state.of {
                States::Named(names) => names.clone(),
                States::AllBut(but) => {
                    let is_meant = |name: &&Name| !but.iter().any(|other| key(other) == key(name));
                    own.iter().filter(is_meant).cloned().collect()
                }
            };
            let mut split: Vec<State> = Vec::new();
            for trigger in std::mem::take(&mut state.triggers) {
                let body = &trigger.body;
                let is_shared = !labels(body).is_empty() || self.waits(&body.actions);
                let has_to_be_split = (goes_back(body) && is_shared) || concerns(body);
                if !has_to_be_split {
                    state.triggers.push(trigger);
                    continue;
                }
                for (copy, name) in names.iter().enumerate() {
                    let same = |way: &Way| way.state.as_ref().map(key) == Some(key(name));
                    let place = ways.iter().position(same).unwrap_or_else(|| {
                        ways.push(Way::new(Some(name)));
                        ways.len() - 1
                    });
                    let mut trigger: Trigger = trigger.clone();
                    own_labels(&mut trigger.body, copy, &dependent);
                    ways[place].take(&mut trigger.body, &dependent);
                    split.push(State {
                        of: States::Named(vec![name.clone()]),
                        triggers: vec![trigger],
                        ..state.clone()
                    });
                }
            }
            all.push(state);
            all.extend(split);
        }
        *states = all;
        for mut way in ways {
            connections.extend(way.rest(&bodies, &dependent));
        }
    }
}

/// The labels behind which it matters in which state a transition began.
pub(super) fn dependent(bodies: &[Body]) -> HashSet<String> {
    let mut open: Vec<(String, Body)> = Vec::new();
    for body in bodies {
        for label in labels(body).into_iter().filter(|label| !is_made(label)) {
            let actions = behind(&body.actions, &label);
            // One inside a loop is left by the end of the loop.
            let actions = actions.unwrap_or_else(|| body.actions.clone());
            let span = body.span;
            open.push((label, Body { actions, span }));
        }
    }
    let mut found = HashSet::new();
    loop {
        let before = found.len();
        open.retain(|(label, body)| {
            let leads = joined(body).iter().any(|label| found.contains(label));
            let depends = leads || goes_back(body);
            if depends {
                found.insert(label.clone());
            }
            !depends
        });
        if found.len() == before {
            return found;
        }
    }
}

/// A copy of a transition has labels of its own, but for these; to join them from elsewhere is to join those of the first.
pub(super) fn own_labels(body: &mut Body, copy: usize, but: &HashSet<String>) {
    if copy == 0 {
        return;
    }
    let known = labels(body);
    let rename = |name: &mut Name| {
        let label = key(name);
        if known.contains(&label) && !but.contains(&label) {
            name.text = format!("{}.{copy}", name.text).as_str().into();
        }
    };
    walk::actions(body, &mut |action| {
        if let Some(label) = &mut action.label {
            rename(label);
        }
        if let ActionKind::Join(label) = &mut action.kind {
            rename(label);
        }
    });
}

/// Is it a label of a state that has states, which nobody wrote?
fn is_made(label: &str) -> bool {
    label.starts_with('[')
}

/// The transitions that begin in a state.
struct Way {
    state: Option<Name>,
    /// The labels that stand in them.
    known: HashSet<String>,
    /// The labels that they lead to.
    wanted: Vec<String>,
}

impl Way {
    fn new(state: Option<&Name>) -> Way {
        Way {
            state: state.cloned(),
            known: HashSet::new(),
            wanted: Vec::new(),
        }
    }

    /// Makes a transition one of this state.
    fn take(&mut self, body: &mut Body, dependent: &HashSet<String>) {
        let of = self.state.as_ref().map_or("start".into(), key);
        let rename = |name: &mut Name| -> Option<String> {
            let known = key(name);
            if !dependent.contains(&known) {
                return None;
            }
            name.text = format!("{} of {of}", name.text).as_str().into();
            Some(known)
        };
        walk::actions(body, &mut |action| {
            if let Some(label) = &mut action.label {
                self.known.extend(rename(label));
            }
            match &mut action.kind {
                ActionKind::Join(label) => self.wanted.extend(rename(label)),
                ActionKind::NextState(next @ None) => *next = self.state.clone(),
                _ => {}
            }
        });
    }

    /// What stands behind labels that only other transitions have.
    fn rest(&mut self, bodies: &[Body], dependent: &HashSet<String>) -> Vec<Body> {
        let mut all = Vec::new();
        while let Some(label) = self.wanted.pop() {
            if self.known.contains(&label) {
                continue;
            }
            let mut places = bodies.iter();
            let found = places.find_map(|body| Some((behind(&body.actions, &label)?, body.span)));
            let Some((mut actions, span)) = found else {
                continue;
            };
            let elsewhere =
                |label: &String| self.known.contains(label) || !dependent.contains(label);
            let mut there = labels(&Body {
                actions: actions.clone(),
                span,
            });
            there.retain(elsewhere);
            cut(&mut actions, &there.into_iter().collect());
            let mut body = Body { actions, span };
            self.take(&mut body, dependent);
            all.push(body);
        }
        all
    }
}

/// What is done from a label on, to the end of the transition.
fn behind(actions: &[Action], label: &str) -> Option<Vec<Action>> {
    for (number, action) in actions.iter().enumerate() {
        if action.label.as_ref().is_some_and(|own| key(own) == label) {
            return Some(actions[number..].to_vec());
        }
        let ActionKind::Decision(_, answers) = &action.kind else {
            continue;
        };
        let mut answers = answers.iter();
        let found = answers.find_map(|answer| behind(&answer.body.actions, label));
        if let Some(mut found) = found {
            if !found.last().is_some_and(ends) {
                found.extend_from_slice(&actions[number + 1..]);
            }
            return Some(found);
        }
    }
    None
}

fn ends(action: &Action) -> bool {
    use ActionKind as Kind;
    matches!(
        action.kind,
        Kind::NextState(_) | Kind::Enter(..) | Kind::Join(_) | Kind::Stop | Kind::Return(_)
    )
}

/// Where something is there already, it is joined.
fn cut(actions: &mut Vec<Action>, known: &HashSet<String>) {
    for number in 0..actions.len() {
        let action = &mut actions[number];
        if let Some(label) = action
            .label
            .as_ref()
            .filter(|own| known.contains(&key(own)))
        {
            *action = super::actions::action(ActionKind::Join(label.clone()), action.span);
            actions.truncate(number + 1);
            return;
        }
        if let ActionKind::Decision(_, answers) = &mut action.kind {
            for answer in answers {
                cut(&mut answer.body.actions, known);
            }
        }
    }
}

fn calls_one(body: &mut Body, known: &HashSet<String>) -> bool {
    let mut found = false;
    walk::actions(body, &mut |action| {
        let mut ask = |name: &Name| found |= known.contains(&key(name));
        if let ActionKind::Call(name, _) = &action.kind {
            ask(name);
        }
        walk::expressions(&mut action.kind, &mut |expression: &mut Expression| {
            match &expression.kind {
                ExpressionKind::Call(name, _) => ask(name),
                // OpenGEODE calls a procedure with a value without `call`.
                ExpressionKind::Applied(base, _) => {
                    if let ExpressionKind::Name(name) = &base.kind {
                        ask(name);
                    }
                }
                _ => {}
            }
        });
    });
    found
}

pub(super) fn labels(body: &Body) -> Vec<String> {
    let mut found = Vec::new();
    walk::actions(&mut body.clone(), &mut |action| {
        found.extend(action.label.as_ref().map(key))
    });
    found
}

pub(super) fn joined(body: &Body) -> Vec<String> {
    let mut found = Vec::new();
    walk::actions(&mut body.clone(), &mut |action| {
        if let ActionKind::Join(label) = &action.kind {
            found.push(key(label));
        }
    });
    found
}

pub(super) fn goes_back(body: &Body) -> bool {
    let mut found = false;
    walk::actions(&mut body.clone(), &mut |action| {
        let back = matches!(action.kind, ActionKind::NextState(None));
        found |= back || matches!(action.kind, ActionKind::History);
    });
    found
}
