//! `nextstate -` behind something that has states of its own: the state is named, once for each that the transition begins in.

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
                if !procedure.states.is_empty() || calls_one(&mut start, &waiting) {
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
        let own = named_states(&process.states);
        let mut joined: Vec<(usize, String)> = Vec::new();
        for (number, body) in walk::bodies(process).enumerate() {
            walk::actions(body, &mut |action| {
                if let ActionKind::Join(label) = &action.kind {
                    joined.push((number, key(label)));
                }
            });
        }
        // Transitions are numbered as `walk::bodies` does.
        let mut number = usize::from(process.start.is_some());
        let mut states = Vec::new();
        for mut state in std::mem::take(&mut process.states) {
            let names: Vec<Name> = match &state.of {
                States::Named(names) => names.clone(),
                States::AllBut(but) => {
                    let is_meant = |name: &&Name| !but.iter().any(|other| key(other) == key(name));
                    own.iter().filter(is_meant).cloned().collect()
                }
            };
            let mut split: Vec<State> = Vec::new();
            for mut trigger in std::mem::take(&mut state.triggers) {
                let this = number;
                number += 1;
                let labels = labels(&mut trigger.body);
                let elsewhere = |label: &String| {
                    let mut joined = joined.iter();
                    joined.any(|(place, known)| *place != this && known == label)
                };
                let shared = labels.iter().any(elsewhere);
                let needed = !labels.is_empty() || self.waits(&trigger.body.actions);
                if !goes_back(&mut trigger.body) || !needed || shared {
                    state.triggers.push(trigger);
                    continue;
                }
                for (copy, name) in names.iter().enumerate() {
                    let trigger = settled(&trigger, name, copy);
                    split.push(State {
                        of: States::Named(vec![name.clone()]),
                        triggers: vec![trigger],
                        ..state.clone()
                    });
                }
            }
            states.push(state);
            states.extend(split);
        }
        process.states = states;
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

fn labels(body: &mut Body) -> Vec<String> {
    let mut found = Vec::new();
    walk::actions(body, &mut |action| {
        found.extend(action.label.as_ref().map(key))
    });
    found
}

fn goes_back(body: &mut Body) -> bool {
    let mut found = false;
    walk::actions(body, &mut |action| {
        found |= matches!(action.kind, ActionKind::NextState(None));
    });
    found
}

/// The same for one state, with labels of its own.
fn settled(trigger: &Trigger, state: &Name, copy: usize) -> Trigger {
    let mut trigger = trigger.clone();
    let known = labels(&mut trigger.body);
    let rename = |name: &mut Name| {
        if copy > 0 && known.contains(&key(name)) {
            name.text = format!("{}.{copy}", name.text).as_str().into();
        }
    };
    walk::actions(&mut trigger.body, &mut |action| {
        if let Some(label) = &mut action.label {
            rename(label);
        }
        match &mut action.kind {
            ActionKind::Join(label) => rename(label),
            ActionKind::NextState(next @ None) => *next = Some(state.clone()),
            _ => {}
        }
    });
    trigger
}
