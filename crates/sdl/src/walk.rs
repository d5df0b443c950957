//! Ways through the tree, to change it in place.

use crate::ast::{
    Action, ActionKind, Body, Expression, ExpressionKind, Name, Over, Procedure, Process, Question,
    Range, Trigger, TriggerKind,
};

/// The transitions of a process, without those of its procedures and of states inside states.
pub(crate) fn bodies(process: &mut Process) -> impl Iterator<Item = &mut Body> {
    let triggers = process.states.iter_mut().flat_map(|s| &mut s.triggers);
    let bodies = triggers.map(|trigger| &mut trigger.body);
    process
        .start
        .iter_mut()
        .chain(bodies)
        .chain(&mut process.connections)
}

/// The transitions of a procedure, without those of procedures inside it.
pub(crate) fn bodies_of_procedure(procedure: &mut Procedure) -> impl Iterator<Item = &mut Body> {
    let triggers = procedure.states.iter_mut().flat_map(|s| &mut s.triggers);
    let bodies = triggers.map(|trigger| &mut trigger.body);
    let whole = procedure.start.iter_mut().chain(bodies);
    whole.chain(&mut procedure.connections)
}

/// Every action of a transition, those inside others first.
pub(crate) fn actions(body: &mut Body, change: &mut dyn FnMut(&mut Action)) {
    for action in &mut body.actions {
        match &mut action.kind {
            ActionKind::Decision(_, answers) => {
                for answer in answers {
                    actions(&mut answer.body, change);
                }
            }
            ActionKind::For(_, _, body) => actions(body, change),
            _ => {}
        }
        change(action);
    }
}

/// Every expression of an action, without those of actions inside it.
pub(crate) fn expressions(kind: &mut ActionKind, change: &mut dyn FnMut(&mut Expression)) {
    let mut all = |values: &mut Vec<Expression>| {
        for value in values {
            expression(value, change);
        }
    };
    match kind {
        ActionKind::Output(output) => {
            all(&mut output.values);
            if let Some(to) = &mut output.to {
                expression(to, change);
            }
        }
        ActionKind::Set(_, values)
        | ActionKind::Reset(_, values)
        | ActionKind::Create(_, values)
        | ActionKind::Call(_, values) => all(values),
        ActionKind::Assign(target, value) => {
            expression(target, change);
            expression(value, change);
        }
        ActionKind::Return(Some(value))
        | ActionKind::Choose(value, ..)
        | ActionKind::Clear(value)
        | ActionKind::For(_, Over::Elements(value), _) => expression(value, change),
        ActionKind::For(_, Over::Range(first, last, _), _) => {
            expression(first, change);
            expression(last, change);
        }
        ActionKind::Decision(question, answers) => {
            if let Question::Value(value) = question {
                expression(value, change);
            }
            for range in answers
                .iter_mut()
                .flat_map(|a| a.ranges.iter_mut().flatten())
            {
                match range {
                    Range::Between(low, high) => {
                        expression(low, change);
                        expression(high, change);
                    }
                    Range::Compared(_, value) => expression(value, change),
                }
            }
        }
        _ => {}
    }
}

/// Every expression of what sets a transition off.
pub(crate) fn conditions(trigger: &mut Trigger, change: &mut dyn FnMut(&mut Expression)) {
    if let Some(provided) = &mut trigger.provided {
        expression(provided, change);
    }
    if let TriggerKind::Input(all) | TriggerKind::PriorityInput(all) = &mut trigger.kind {
        for target in all.iter_mut().flat_map(|s| s.targets.iter_mut().flatten()) {
            expression(target, change);
        }
    }
}

/// An expression and those inside it, which come first.
pub(crate) fn expression(whole: &mut Expression, change: &mut dyn FnMut(&mut Expression)) {
    match &mut whole.kind {
        ExpressionKind::Unary(_, inner)
        | ExpressionKind::Field(inner, _)
        | ExpressionKind::Tagged(_, inner)
        | ExpressionKind::Element(_, inner)
        | ExpressionKind::View(_, Some(inner))
        | ExpressionKind::Import(_, Some(inner))
        | ExpressionKind::Seen(_, _, Some(inner)) => expression(inner, change),
        ExpressionKind::Binary(_, left, right) => {
            expression(left, change);
            expression(right, change);
        }
        ExpressionKind::Conditional(condition, yes, no) => {
            for part in [condition, yes, no] {
                expression(part, change);
            }
        }
        ExpressionKind::Applied(base, values) => {
            expression(base, change);
            for value in values {
                expression(value, change);
            }
        }
        ExpressionKind::Call(_, values)
        | ExpressionKind::Aggregate(values)
        | ExpressionKind::Active(_, values) => {
            for value in values {
                expression(value, change);
            }
        }
        ExpressionKind::Record(parts) => {
            for (_, value) in parts {
                expression(value, change);
            }
        }
        _ => {}
    }
    change(whole);
}

/// A name made of two.
pub(crate) fn inside(outer: &str, name: &Name) -> Name {
    Name {
        text: format!("{outer}.{name}").as_str().into(),
        span: name.span,
    }
}

/// Puts other actions in the place of some; a label stays before them.
pub(crate) fn replace(body: &mut Body, others: &mut dyn FnMut(&Action) -> Option<Vec<Action>>) {
    let actions = std::mem::take(&mut body.actions);
    for mut action in actions {
        match &mut action.kind {
            ActionKind::Decision(_, answers) => {
                for answer in answers {
                    replace(&mut answer.body, others);
                }
            }
            ActionKind::For(_, _, body) => replace(body, others),
            _ => {}
        }
        match others(&action) {
            None => body.actions.push(action),
            Some(mut instead) => {
                if let Some(first) = instead.first_mut() {
                    first.label = action.label;
                }
                body.actions.extend(instead);
            }
        }
    }
}
