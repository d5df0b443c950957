//! The actions of a transition: states between them, and a transition for each.

use mazurka_span::Span;

use super::value::{constant, plain};
use super::{Export, none_of};
use crate::ast::{Action, ActionKind, Answer, Name, Question};
use crate::lower::process::{default_of, is_of_one_state};
use crate::lower::{Type, key};

impl Export<'_, '_> {
    /// Writes actions that begin in a state; what comes behind all of them is in `after`.
    pub(super) fn actions(&mut self, from: &str, actions: &[Action], after: Option<&str>) {
        let Some((action, rest)) = actions.split_first() else {
            if let Some(after) = after {
                self.link(from, after);
            }
            return;
        };
        let mut from = from.to_string();
        if let Some(label) = &action.label {
            let label = self.label(&key(label));
            self.link(&from, &label);
            if !self.labels.insert(label.clone()) {
                return;
            }
            from = label;
        }
        match &action.kind {
            ActionKind::NextState(name) => {
                if let Some(to) = self.state_named(name.as_ref()) {
                    self.link(&from, &to);
                }
            }
            ActionKind::Join(label) => {
                let label = self.label(&key(label));
                self.link(&from, &label);
            }
            ActionKind::Stop => {
                let stops = self.stops();
                self.compute(&from, "Stopped", "", &stops);
            }
            ActionKind::Decision(question, answers) => {
                let behind = match (rest.is_empty(), after) {
                    (true, after) => after.map(str::to_string),
                    (false, _) => Some(self.place()),
                };
                self.decision(&from, question, answers, behind.as_deref());
                if let Some(behind) = behind.filter(|_| !rest.is_empty()) {
                    self.actions(&behind, rest, after);
                }
            }
            ActionKind::Output(output) => {
                // The end of a transition is one step with the output before it.
                let last = rest.first().filter(|next| next.label.is_none());
                let end = match last.map(|next| &next.kind) {
                    Some(ActionKind::Stop) => Some("Stopped".to_string()),
                    Some(ActionKind::NextState(name)) => self.state_named(name.as_ref()),
                    _ => None,
                };
                let is_end = end.is_some();
                let to = end.unwrap_or_else(|| self.place());
                self.resting.insert(to.clone());
                self.output(&from, &to, output);
                if !is_end {
                    self.actions(&to, rest, after);
                }
            }
            kind => {
                let to = self.place();
                self.simple(&from, &to, kind, action.span);
                self.actions(&to, rest, after);
            }
        }
    }

    /// A state by its name, or the one that the transition began in.
    fn state_named(&self, name: Option<&Name>) -> Option<String> {
        let states = &self.lowerer.processes[self.process].states;
        let number = match name {
            Some(name) => states.iter().position(|(_, known)| *known == key(name)),
            None => self.state,
        };
        let (name, _) = states.get(number?)?;
        Some(format!("S_{}", plain(name)))
    }

    /// What is done when a process stops.
    pub(super) fn stops(&self) -> Vec<String> {
        let exists = self.lowerer.processes[self.process].exists;
        exists
            .iter()
            .map(|_| "stopped[me - 1] := true;".to_string())
            .collect()
    }

    fn label(&self, label: &str) -> String {
        match (is_of_one_state(label), self.state) {
            (true, Some(state)) => format!("L_{}_of_{state}", plain(label)),
            _ => format!("L_{}", plain(label)),
        }
    }

    fn simple(&mut self, from: &str, to: &str, kind: &ActionKind, span: Span) {
        let mut block = Vec::new();
        match kind {
            ActionKind::Assign(target, value) => {
                let text = self.value(value, &mut block);
                self.store(target, &text, Type::Unknown, &mut block);
            }
            ActionKind::Clear(target) => {
                let type_ = self.type_of(target);
                let first = constant(default_of(type_), type_);
                self.store(target, &first, type_, &mut block);
            }
            ActionKind::Choose(target, low, high) => {
                let type_ = self.type_of(target);
                for value in *low..=*high {
                    let mut block = Vec::new();
                    self.store(target, &constant(value, type_), type_, &mut block);
                    self.compute(from, to, "", &block);
                }
                return;
            }
            ActionKind::Unexpected(_) if self.lowerer.reports_unexpected => {
                block.push("assert false;".into());
            }
            ActionKind::Informal | ActionKind::Nothing | ActionKind::Unexpected(_) => {}
            ActionKind::Set(..) | ActionKind::Reset(..) => self.refuse(span, "a timer"),
            ActionKind::Create(..) => self.refuse(span, "`create`"),
            _ => self.refuse(span, "this"),
        }
        self.compute(from, to, "", &block);
    }

    fn decision(
        &mut self,
        from: &str,
        question: &Question,
        answers: &[Answer],
        behind: Option<&str>,
    ) {
        // What is computed on the way is computed before the choice.
        let mut block = Vec::new();
        let mut guards: Vec<String> = Vec::new();
        for answer in answers {
            if let (Question::Value(value), Some(ranges)) = (question, &answer.ranges) {
                let guard = self.ranges(value, ranges, &mut block);
                guards.push(guard);
            }
        }
        let none = none_of(&guards);
        let mut from = from.to_string();
        if !block.is_empty() {
            let next = self.place();
            self.compute(&from, &next, "", &block);
            from = next;
        }
        let mut guards = guards.into_iter();
        for answer in answers {
            let place = self.place();
            let guard = match (question, &answer.ranges) {
                (Question::Any | Question::Only, _) => String::new(),
                (Question::Value(_), None) => none.clone(),
                (Question::Value(_), Some(_)) => guards.next().unwrap_or_default(),
            };
            self.compute(&from, &place, &guard, &[]);
            self.actions(&place, &answer.body.actions, behind);
        }
        let has_else = answers.iter().any(|answer| answer.ranges.is_none());
        if let (Question::Value(_), false) = (question, has_else) {
            self.compute(&from, "Stopped", &none, &["assert false;".into()]);
        }
    }
}
