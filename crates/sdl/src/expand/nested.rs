//! States that have states, of OpenGEODE: each becomes its innermost states.
//!
//! A state `inner` of `outer` is called `outer.inner`. To enter `outer` is to join what its start does; what is said about `outer` is
//! said about all its innermost states, as far as they say nothing themselves; `return` goes on at the `connect` of `outer`. Procedures
//! `entry` and `exit` are called on the way, those of inner states first when a state is left. So does OpenGEODE (`Helper.flatten`, and
//! the code that its generators write).

use std::collections::{HashMap, HashSet};

use mazurka_span::{Diagnostic, Span};

use super::actions::action;
use super::back;
use super::parallel::Made;
use super::{key, named_states};
use crate::ast::{
    Action, ActionKind, Body, Composite, ExpressionKind, Name, Procedure, Process, State, States,
    Trigger, TriggerKind,
};
use crate::{codes, walk};

/// Puts the states inside states of a process in their places.
pub(super) fn flatten(process: &mut Process, made: &mut Made, diagnostics: &mut Vec<Diagnostic>) {
    if process.composites.is_empty() {
        for body in walk::bodies(process) {
            walk::actions(body, &mut |action| {
                if let ActionKind::History = action.kind {
                    action.kind = ActionKind::NextState(None);
                }
            });
        }
        for trigger in process.states.iter().flat_map(|state| &state.triggers) {
            if let TriggerKind::Exit(_) | TriggerKind::AnyExit = trigger.kind {
                let message = "`connect` belongs to a state that has states";
                let code = codes::UNKNOWN_NAME;
                diagnostics.push(Diagnostic::error(code, trigger.span, message));
            }
        }
        return;
    }
    let mut level = Level {
        path: String::new(),
        variables: HashMap::new(),
        procedures: HashMap::new(),
        made,
        diagnostics,
    };
    level.flatten(process);
    level.leads_somewhere(process);
}

/// A process, or what is inside a state.
pub(super) struct Level<'d> {
    /// The states around it.
    path: String,
    /// What variables and procedures of states are called in the process.
    variables: HashMap<String, Name>,
    procedures: HashMap<String, Name>,
    pub(super) made: &'d mut Made,
    pub(super) diagnostics: &'d mut Vec<Diagnostic>,
}

/// An innermost state, and what is called when it is left by what is said about a state around it.
#[derive(Clone)]
pub(super) struct Leaf {
    pub name: Name,
    pub leaving: Vec<Action>,
}

impl Level<'_> {
    fn error(&mut self, span: Span, message: impl Into<String>) {
        let told = Diagnostic::error(codes::UNKNOWN_NAME, span, message);
        self.diagnostics.push(told);
    }

    /// Every way into and out of a state must have been described.
    fn leads_somewhere(&mut self, process: &mut Process) {
        let firsts = process.connections.iter().filter_map(|b| b.actions.first());
        let known: Vec<String> = firsts.filter_map(|a| a.label.as_ref()).map(key).collect();
        let mut wrong = Vec::new();
        for body in walk::bodies(process) {
            walk::actions(body, &mut |action| {
                let (label, what) = match &action.kind {
                    ActionKind::Leave(label) => (label.clone(), "`connect`"),
                    ActionKind::Join(label) if label.text.starts_with('[') => {
                        (label.clone(), "start")
                    }
                    _ => return,
                };
                if !known.contains(&key(&label)) {
                    wrong.push((action.span, what));
                }
                action.kind = ActionKind::Join(label);
            });
        }
        for (span, what) in wrong {
            let message = format!("the state that this leads into or out of has no {what} for it");
            self.error(span, message);
        }
    }

    pub(super) fn full(&self, name: &Name) -> Name {
        match self.path.is_empty() {
            true => name.clone(),
            false => walk::inside(&self.path, name),
        }
    }

    /// Gives the innermost states.
    fn flatten(&mut self, process: &mut Process) -> Vec<Leaf> {
        self.name_in_full(process);
        let mut inner: HashMap<String, Vec<Leaf>> = HashMap::new();
        let mut below: Vec<State> = Vec::new();
        let composites = std::mem::take(&mut process.composites);
        let mut own = named_states(&process.states);
        for composite in &composites {
            let name = self.full(&composite.name);
            if !own.iter().any(|known| key(known) == key(&name)) {
                own.push(name);
            }
        }
        for composite in composites {
            let name = key(&self.full(&composite.name));
            if inner.contains_key(&name) {
                let message = format!("the state `{}` is declared twice", composite.name);
                self.error(composite.name.span, message);
                continue;
            }
            let (leaves, mut inside) = match composite.aggregation {
                true => self.aggregate(composite),
                false => self.dissolve(composite),
            };
            inner.insert(name, leaves);
            below.append(&mut inside.states);
            process.variables.append(&mut inside.variables);
            process.timers.append(&mut inside.timers);
            process.procedures.append(&mut inside.procedures);
            process.connections.append(&mut inside.connections);
            process.viewed.append(&mut inside.viewed);
            process.imported.append(&mut inside.imported);
        }
        for body in walk::bodies(process) {
            enter(body, &inner);
        }
        self.no_way_back(process, &own, &inner);
        for state in std::mem::take(&mut process.states) {
            self.distribute(process, &state, &own, &inner, &below);
        }
        process.states.append(&mut below);
        let plain = own.iter().filter(|name| !inner.contains_key(&key(name)));
        let mut leaves: Vec<Leaf> = plain
            .map(|name| Leaf {
                name: name.clone(),
                leaving: Vec::new(),
            })
            .collect();
        for name in &own {
            leaves.extend(inner.remove(&key(name)).into_iter().flatten());
        }
        leaves
    }

    /// States, labels, variables and procedures of a state get names of their own in the process.
    pub(super) fn name_in_full(&mut self, process: &mut Process) {
        if !self.path.is_empty() {
            for variable in &mut process.variables {
                let full = self.full(&variable.name);
                self.variables.insert(key(&variable.name), full.clone());
                variable.name = full;
            }
            for procedure in &mut process.procedures {
                let full = self.full(&procedure.name);
                self.procedures.insert(key(&procedure.name), full.clone());
                procedure.name = full;
            }
        }
        for procedure in &mut process.procedures {
            self.rename_procedure(procedure);
        }
        for state in &mut process.states {
            let (States::Named(names) | States::AllBut(names)) = &mut state.of;
            for name in names {
                *name = self.full(name);
            }
            for trigger in &mut state.triggers {
                walk::conditions(trigger, &mut |expression| {
                    rename(&mut expression.kind, &self.variables, &self.procedures);
                });
            }
        }
        for body in walk::bodies(process) {
            walk::actions(body, &mut |action| {
                match &mut action.kind {
                    ActionKind::NextState(Some(name))
                    | ActionKind::Enter(name, _)
                    | ActionKind::Join(name) => *name = self.full(name),
                    _ => {}
                }
                if let Some(label) = &mut action.label {
                    *label = self.full(label);
                }
                self.rename_action(&mut action.kind);
            });
        }
    }

    fn rename_action(&self, kind: &mut ActionKind) {
        match kind {
            ActionKind::Call(name, _) => {
                if let Some(full) = self.procedures.get(&key(name)) {
                    *name = full.clone();
                }
            }
            ActionKind::For(name, ..) => {
                if let Some(full) = self.variables.get(&key(name)) {
                    *name = full.clone();
                }
            }
            ActionKind::Export(names) => {
                for name in names {
                    if let Some(full) = self.variables.get(&key(name)) {
                        *name = full.clone();
                    }
                }
            }
            _ => {}
        }
        walk::expressions(kind, &mut |expression| {
            rename(&mut expression.kind, &self.variables, &self.procedures);
        });
    }

    /// What a procedure sees around it; its own names mean something else.
    fn rename_procedure(&mut self, procedure: &mut Procedure) {
        let own = procedure.parameters.iter().map(|p| &p.variable.name);
        let own = own.chain(procedure.variables.iter().map(|variable| &variable.name));
        let mut variables = self.variables.clone();
        for name in own {
            variables.remove(&key(name));
        }
        let mut procedures = self.procedures.clone();
        for inner in &procedure.procedures {
            procedures.remove(&key(&inner.name));
        }
        let mut level = Level {
            path: String::new(),
            variables,
            procedures,
            made: self.made,
            diagnostics: self.diagnostics,
        };
        for inner in &mut procedure.procedures {
            level.rename_procedure(inner);
        }
        let triggers = procedure.states.iter_mut().flat_map(|s| &mut s.triggers);
        let mut bodies: Vec<&mut Body> = procedure.start.iter_mut().collect();
        for trigger in triggers {
            walk::conditions(trigger, &mut |expression| {
                rename(&mut expression.kind, &level.variables, &level.procedures);
            });
            bodies.push(&mut trigger.body);
        }
        for body in bodies {
            walk::actions(body, &mut |action| level.rename_action(&mut action.kind));
        }
    }

    /// What is inside a state.
    pub(super) fn inside(&mut self, full: &Name) -> Level<'_> {
        Level {
            path: full.to_string(),
            variables: self.variables.clone(),
            procedures: self.procedures.clone(),
            made: self.made,
            diagnostics: self.diagnostics,
        }
    }

    /// What is inside a state as a part of what is around it, and its innermost states.
    pub(super) fn dissolve(&mut self, composite: Composite) -> (Vec<Leaf>, Process) {
        let Composite {
            name,
            entries,
            exits,
            starts,
            mut inside,
            ..
        } = composite;
        let full = self.full(&name);
        let plain = starts.iter().any(|(entry, _)| entry.is_none());
        if !plain && entries.is_empty() {
            self.error(name.span, format!("the state `{name}` has no start"));
        }
        for (number, (entry, body)) in starts.iter().enumerate() {
            let known = |other: &Name| entry.as_ref().is_some_and(|e| key(e) == key(other));
            if let Some(entry) = entry
                && !entries.iter().any(known)
            {
                let message = format!("`{entry}` is not among the entry points of `{name}`");
                self.error(entry.span, message);
            }
            let mut before = starts[..number].iter();
            if before.any(|(other, _)| other.as_ref().map(key) == entry.as_ref().map(key)) {
                self.error(
                    body.span,
                    format!("the state `{name}` has this start twice"),
                );
            }
        }
        let has = |what: &str| inside.procedures.iter().any(|p| key(&p.name) == what);
        let (has_entry, has_exit) = (has("entry"), has("exit"));
        let mut inner = self.inside(&full);
        // Starts come first, so that they are found again.
        let labels: Vec<Name> = starts
            .iter()
            .map(|(entry, _)| start_label(&full, entry.as_ref()))
            .collect();
        let own = std::mem::take(&mut inside.connections);
        for (_, mut body) in starts {
            if has_entry {
                let called = named("entry", body.span);
                let call = action(ActionKind::Call(called, Vec::new()), body.span);
                body.actions.insert(0, call);
            }
            let first = action(ActionKind::Nothing, body.span);
            body.actions.insert(0, first);
            inside.connections.push(body);
        }
        inside.connections.extend(own);
        inner.returns(&mut inside, &full, &exits, has_exit);
        let leaves = inner.flatten(&mut inside);
        for (body, label) in inside.connections.iter_mut().zip(labels) {
            body.actions[0].label = Some(label);
        }
        let exit = has_exit.then(|| {
            let called = walk::inside(&full.text, &named("exit", name.span));
            action(ActionKind::Call(called, Vec::new()), name.span)
        });
        let leaves = leaves.into_iter().map(|leaf| Leaf {
            name: leaf.name,
            leaving: leaf.leaving.into_iter().chain(exit.clone()).collect(),
        });
        (leaves.collect(), inside)
    }

    /// A `return` inside a state leads to where the state is left.
    fn returns(&mut self, inside: &mut Process, full: &Name, exits: &[Name], has_exit: bool) {
        let mut wrong = Vec::new();
        for body in walk::bodies(inside) {
            walk::replace(body, &mut |ended| {
                let ActionKind::Return(value) = &ended.kind else {
                    return None;
                };
                let point = match value.as_ref().map(|value| &value.kind) {
                    Some(ExpressionKind::Name(point)) => Some(point),
                    _ => None,
                };
                if let Some(value) = value
                    && !point.is_some_and(|point| exits.iter().any(|e| key(e) == key(point)))
                {
                    let message = format!("an exit point of `{full}` is needed here");
                    wrong.push((value.span, message));
                }
                let mut all = Vec::new();
                if has_exit {
                    let called = named("exit", ended.span);
                    all.push(action(ActionKind::Call(called, Vec::new()), ended.span));
                }
                let left = ActionKind::Leave(exit_label(full, point, ended.span));
                all.push(action(left, ended.span));
                Some(all)
            });
        }
        for (span, message) in wrong {
            self.error(span, message);
        }
    }

    /// Back to a state that has states is in again, by a way that depends on which state it is: whoever joins a label before that would
    /// have to know.
    fn no_way_back(
        &mut self,
        process: &mut Process,
        own: &[Name],
        inner: &HashMap<String, Vec<Leaf>>,
    ) {
        let bodies: Vec<Body> = walk::bodies(process).map(|body| body.clone()).collect();
        let dependent = back::dependent(&bodies);
        let mut wrong = Vec::new();
        for state in &process.states {
            let (composite, _) = meant(state, own, inner);
            let Some(name) = composite.first() else {
                continue;
            };
            for body in state.triggers.iter().map(|trigger| &trigger.body) {
                let labels = back::labels(body);
                let leads = (back::joined(body).into_iter())
                    .any(|label| dependent.contains(&label) && !labels.contains(&label));
                let others = bodies.iter().filter(|other| other.span != body.span);
                let reached = others
                    .flat_map(back::joined)
                    .any(|label| labels.contains(&label));
                if leads || reached && labels.iter().any(|label| dependent.contains(label)) {
                    wrong.push((body.span, name.clone()));
                }
            }
        }
        for (span, name) in wrong {
            let message = format!(
                "`nextstate -` behind a label that several transitions come to is not supported for `{name}`, which has states: name the state"
            );
            let told = Diagnostic::error(codes::NOT_TAKEN, span, message);
            self.diagnostics.push(told);
        }
    }

    /// What is said about states, said about their innermost states.
    fn distribute(
        &mut self,
        process: &mut Process,
        state: &State,
        own: &[Name],
        inner: &HashMap<String, Vec<Leaf>>,
        below: &[State],
    ) {
        let (composite, plain) = meant(state, own, inner);
        // How often each transition is there already.
        let mut copies = vec![0; state.triggers.len()];
        let (exits, triggers): (Vec<_>, Vec<_>) = (state.triggers.iter().cloned().enumerate())
            .partition(|(_, t)| matches!(t.kind, TriggerKind::Exit(_) | TriggerKind::AnyExit));
        if let (true, Some((_, exit))) = (composite.is_empty(), exits.first()) {
            self.error(exit.span, "`connect` belongs to a state that has states");
        }
        if !plain.is_empty() || composite.is_empty() {
            let mut triggers = triggers.clone();
            for (number, trigger) in &mut triggers {
                back::own_labels(&mut trigger.body, copies[*number], &HashSet::new());
                copies[*number] += 1;
                walk::actions(&mut trigger.body, &mut |action| {
                    if let ActionKind::History = action.kind {
                        action.kind = ActionKind::NextState(None);
                    }
                });
            }
            process.states.push(State {
                of: States::Named(plain),
                triggers: triggers.into_iter().map(|(_, trigger)| trigger).collect(),
                ..state.clone()
            });
        }
        for name in &composite {
            for (number, exit) in &exits {
                self.connect(process, name, exit, &mut copies[*number]);
            }
        }
        for name in &composite {
            for leaf in &inner[&key(name)] {
                let triggers = triggers.iter().filter_map(|(number, trigger)| {
                    let mut trigger = left_over(trigger, leaf, below)?;
                    back::own_labels(&mut trigger.body, copies[*number], &HashSet::new());
                    copies[*number] += 1;
                    Some(leave(trigger, name, leaf))
                });
                let triggers = triggers.collect();
                process.states.push(State {
                    of: States::Named(vec![leaf.name.clone()]),
                    triggers,
                    ..state.clone()
                });
            }
        }
    }

    /// What is done when a state is left by its own `return`.
    fn connect(&mut self, process: &mut Process, name: &Name, exit: &Trigger, copies: &mut usize) {
        let labels: Vec<Name> = match &exit.kind {
            TriggerKind::Exit(points) if points.is_empty() => {
                vec![exit_label(name, None, exit.span)]
            }
            TriggerKind::Exit(points) => points
                .iter()
                .map(|point| exit_label(name, Some(point), point.span))
                .collect(),
            // Those that nothing else is said of.
            _ => {
                let begin = exit_label(name, None, exit.span);
                let begin = begin.text.trim_end_matches(']').to_string();
                let mut found = Vec::new();
                for body in walk::bodies(process) {
                    walk::actions(body, &mut |action| {
                        if let ActionKind::Leave(label) = &action.kind
                            && label.text.starts_with(&begin)
                        {
                            found.push(label.clone());
                        }
                    });
                }
                found
            }
        };
        for label in labels {
            let mut firsts = process.connections.iter().filter_map(|b| b.actions.first());
            if firsts.any(|first| first.label.as_ref().is_some_and(|l| key(l) == key(&label))) {
                continue;
            }
            let mut body = exit.body.clone();
            back::own_labels(&mut body, *copies, &HashSet::new());
            *copies += 1;
            walk::actions(&mut body, &mut |action| {
                // Back to the state that was left is in again.
                if let ActionKind::NextState(None) | ActionKind::History = action.kind {
                    action.kind = ActionKind::Join(start_label(name, None));
                }
            });
            let mut first = action(ActionKind::Nothing, exit.span);
            first.label = Some(label);
            body.actions.insert(0, first);
            process.connections.push(body);
        }
    }
}

/// The states that something is said about: those that have states, and the others.
fn meant(
    state: &State,
    own: &[Name],
    inner: &HashMap<String, Vec<Leaf>>,
) -> (Vec<Name>, Vec<Name>) {
    let meant: Vec<Name> = match &state.of {
        States::Named(names) => names.clone(),
        States::AllBut(but) => {
            let is_meant = |name: &&Name| !but.iter().any(|other| key(other) == key(name));
            own.iter().filter(is_meant).cloned().collect()
        }
    };
    (meant.into_iter()).partition(|name| inner.contains_key(&key(name)))
}

fn named(text: &str, span: Span) -> Name {
    Name {
        text: text.into(),
        span,
    }
}

/// The label of what is done when a state is entered.
pub(super) fn start_label(full: &Name, entry: Option<&Name>) -> Name {
    let entry = entry.map_or(String::new(), |entry| format!(" {}", key(entry)));
    named(&format!("[{}.start{entry}]", key(full)), full.span)
}

/// The label of what is done when a state is left.
pub(super) fn exit_label(full: &Name, point: Option<&Name>, span: Span) -> Name {
    let point = point.map_or(String::new(), |point| format!(" {}", key(point)));
    named(&format!("[{}.exit{point}]", key(full)), span)
}

fn rename(
    kind: &mut ExpressionKind,
    variables: &HashMap<String, Name>,
    procedures: &HashMap<String, Name>,
) {
    let (name, known) = match kind {
        ExpressionKind::Name(name) => (name, variables),
        // OpenGEODE calls a procedure with a value without `call`.
        ExpressionKind::Applied(base, _) => match &mut base.kind {
            ExpressionKind::Name(name) if !variables.contains_key(&key(name)) => (name, procedures),
            _ => return,
        },
        ExpressionKind::Call(name, _) => (name, procedures),
        _ => return,
    };
    if let Some(full) = known.get(&key(name)) {
        name.text = full.text.clone();
    }
}

/// To go to a state that has states is to join what its start does.
fn enter(body: &mut Body, inner: &HashMap<String, Vec<Leaf>>) {
    walk::actions(body, &mut |action| match &action.kind {
        ActionKind::NextState(Some(state)) if inner.contains_key(&key(state)) => {
            action.kind = ActionKind::Join(start_label(state, None));
        }
        ActionKind::Enter(state, entry) if inner.contains_key(&key(state)) => {
            action.kind = ActionKind::Join(start_label(state, Some(entry)));
        }
        _ => {}
    });
}

/// What is said about an outer state, as far as its innermost state says nothing.
fn left_over(trigger: &Trigger, leaf: &Leaf, below: &[State]) -> Option<Trigger> {
    let applies = |state: &&State| match &state.of {
        States::Named(names) => names.iter().any(|name| key(name) == key(&leaf.name)),
        States::AllBut(_) => false,
    };
    let mut said: Vec<String> = Vec::new();
    let mut all = false;
    for inner in below.iter().filter(applies).flat_map(|s| &s.triggers) {
        match &inner.kind {
            TriggerKind::Input(stimuli) | TriggerKind::PriorityInput(stimuli) => {
                said.extend(stimuli.iter().map(|stimulus| key(&stimulus.signal)));
            }
            TriggerKind::Save(members) => {
                said.extend(members.iter().map(|member| key(&member.name)));
            }
            TriggerKind::AnyInput | TriggerKind::SaveAll => all = true,
            _ => {}
        }
    }
    let is_free = |name: &Name| !all && !said.contains(&key(name));
    let mut trigger = trigger.clone();
    let remains = match &mut trigger.kind {
        TriggerKind::Input(stimuli) | TriggerKind::PriorityInput(stimuli) => {
            stimuli.retain(|stimulus| is_free(&stimulus.signal));
            !stimuli.is_empty()
        }
        TriggerKind::Save(members) => {
            members.retain(|member| is_free(&member.name));
            !members.is_empty()
        }
        TriggerKind::AnyInput | TriggerKind::SaveAll => !all,
        _ => true,
    };
    remains.then_some(trigger)
}

/// A transition out of an outer state begins with what is done when the inner one is left. Back to the outer state is in again, unless it
/// goes back to where it was.
fn leave(mut trigger: Trigger, outer: &Name, leaf: &Leaf) -> Trigger {
    if let TriggerKind::Save(_) | TriggerKind::SaveAll = trigger.kind {
        return trigger;
    }
    let mut goes_back = false;
    walk::actions(&mut trigger.body, &mut |action| match action.kind {
        ActionKind::NextState(None) => {
            action.kind = ActionKind::Join(start_label(outer, None));
        }
        ActionKind::History => {
            goes_back = true;
            action.kind = ActionKind::NextState(None);
        }
        _ => {}
    });
    let clears = |action: &Action| matches!(action.kind, ActionKind::Clear(_));
    let calls: Vec<Action> = (leaf.leaving.iter())
        .filter(|action| !goes_back || !clears(action))
        .cloned()
        .collect();
    trigger.body.actions.splice(..0, calls);
    trigger
}
