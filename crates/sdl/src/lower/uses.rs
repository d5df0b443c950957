//! What expressions of a process ask for.

use crate::ast::{
    ActionKind, Expression, ExpressionKind, Process, Question, Range, Trigger, TriggerKind,
};
use crate::routing;

/// Does any expression of a process have a part like that?
pub(super) fn asks(process: &Process, asked: fn(&ExpressionKind) -> bool) -> bool {
    let triggers = process.states.iter().flat_map(|state| &state.triggers);
    let is_asked = |expression: &Expression| has(expression, asked);
    let in_trigger = |trigger: &Trigger| {
        let targets = match &trigger.kind {
            TriggerKind::Input(all) | TriggerKind::PriorityInput(all) => &all[..],
            _ => &[],
        };
        let mut targets = targets
            .iter()
            .flat_map(|stimulus| &stimulus.targets)
            .flatten();
        trigger.provided.iter().any(is_asked) || targets.any(is_asked)
    };
    let actions = routing::actions(process).into_iter();
    triggers.into_iter().any(in_trigger)
        || actions
            .flat_map(|action| expressions(&action.kind))
            .any(is_asked)
}

pub(super) fn expressions(kind: &ActionKind) -> Vec<&Expression> {
    match kind {
        ActionKind::Assign(target, value) => vec![target, value],
        ActionKind::Output(output) => output.values.iter().chain(&output.to).collect(),
        ActionKind::Set(_, values)
        | ActionKind::Reset(_, values)
        | ActionKind::Create(_, values)
        | ActionKind::Call(_, values) => values.iter().collect(),
        ActionKind::Return(value) => value.iter().collect(),
        ActionKind::Choose(target, ..) | ActionKind::Clear(target) => vec![target],
        ActionKind::Decision(question, answers) => {
            let mut all = Vec::new();
            if let Question::Value(value) = question {
                all.push(value);
            }
            for range in answers
                .iter()
                .flat_map(|answer| answer.ranges.iter().flatten())
            {
                match range {
                    Range::Between(low, high) => all.extend([low, high]),
                    Range::Compared(_, value) => all.push(value),
                }
            }
            all
        }
        // These have been put in their places before.
        ActionKind::For(..)
        | ActionKind::Export(_)
        | ActionKind::Leave(_)
        | ActionKind::Enter(..)
        | ActionKind::History => Vec::new(),
        ActionKind::Informal
        | ActionKind::NextState(_)
        | ActionKind::Stop
        | ActionKind::Join(_)
        | ActionKind::Unexpected(_)
        | ActionKind::Nothing => Vec::new(),
    }
}

pub(super) fn has(expression: &Expression, asked: fn(&ExpressionKind) -> bool) -> bool {
    let mut open = vec![expression];
    while let Some(expression) = open.pop() {
        if asked(&expression.kind) {
            return true;
        }
        match &expression.kind {
            ExpressionKind::Unary(_, inner) | ExpressionKind::Element(_, inner) => open.push(inner),
            ExpressionKind::Binary(_, left, right) => open.extend([&**left, &**right]),
            ExpressionKind::Conditional(condition, yes, no) => {
                open.extend([&**condition, &**yes, &**no]);
            }
            ExpressionKind::Applied(base, values) => {
                open.push(base);
                open.extend(values);
            }
            ExpressionKind::Active(_, values) => open.extend(values),
            ExpressionKind::Seen(_, _, of) => open.extend(of.as_deref()),
            _ => {}
        }
    }
    false
}
