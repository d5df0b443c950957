//! End, progress and accept labels of a random model, at the top of a body and deep inside.

use super::processes::{can_be_labelled, put_label};
use super::*;

impl Generator {
    /// Marks statements after the prologue; gives the labels that others may name, which are those at the top.
    pub(super) fn place_marks(&mut self, body: &mut Block, prologue: usize) -> Vec<String> {
        let mut labels = Vec::new();
        for statement in body.iter_mut().skip(prologue) {
            self.mark_inside(statement, false);
            let percent = match statement {
                Statement::Do(_) => 50,
                _ => 8,
            };
            labels.extend(self.mark(statement, percent));
        }
        labels
    }

    /// Puts a label on a statement, perhaps.
    fn mark(&mut self, statement: &mut Statement, percent: usize) -> Option<String> {
        let calm = self.calm && may_block(statement);
        let percent = if calm { 97 } else { percent };
        let end = self.sometimes(Feature::EndLabels, percent);
        let word = if calm && end {
            "end"
        } else if self.sometimes(Feature::ProgressLabels, 12) {
            "progress"
        } else if self.sometimes(Feature::AcceptLabels, 12) {
            "accept"
        } else if end {
            "end"
        } else {
            return None;
        };
        if !can_be_labelled(statement) {
            return None;
        }
        let label = self.fresh(word);
        put_label(statement, label.clone());
        Some(label)
    }

    /// Marks what is inside a statement, but for what comes first there: SPIN has no label on that.
    fn mark_inside(&mut self, statement: &mut Statement, sequence: bool) {
        use Statement::*;
        match statement {
            If(options) | Do(options) => {
                for option in options {
                    self.mark_block(option, sequence);
                }
            }
            Atomic(body) => self.mark_block(body, true),
            DeterministicStep(body) if self.has(Feature::InnerLabels) => {
                self.mark_block(body, true);
            }
            Braces(body) | For { body, .. } | ForIn { body, .. } => {
                self.mark_block(body, sequence);
            }
            Unless(main, escape) => {
                self.mark_block(main, sequence);
                self.mark_block(escape, sequence);
            }
            Label(_, inner) => self.mark_inside(inner, sequence),
            _ => {}
        }
    }

    fn mark_block(&mut self, block: &mut Block, sequence: bool) {
        for (position, statement) in block.iter_mut().enumerate() {
            self.mark_inside(statement, sequence);
            // A process that waits in the middle of an atomic sequence waits like any other.
            let wanted = match sequence {
                true => self.has(Feature::InnerLabels) || self.calm && may_block(statement),
                false => true,
            };
            if position > 0 && wanted {
                self.mark(statement, if sequence { 25 } else { 4 });
            }
        }
    }
}

/// May a process wait here?
fn may_block(statement: &Statement) -> bool {
    use Statement::*;
    match statement {
        Condition(_) | Send { .. } | Receive { .. } | If(_) | Do(_) | ForIn { .. } => true,
        Atomic(body) | Braces(body) | Unless(body, _) | DeterministicStep(body) => {
            body.first().is_some_and(may_block)
        }
        Label(_, inner) => may_block(inner),
        _ => false,
    }
}
