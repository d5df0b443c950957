//! Loops inside a step, by `join`, that have no end or in which something is chosen freely.
//!
//! SPIN keeps no states inside an atomic sequence: with every turn of such a loop it would have more ways to go. Each turn is a sequence of its
//! own there.

use std::collections::{HashMap, HashSet};

use mazurka_promela::ast::{ExprKind, Statement, StatementKind};

/// The labels of such loops. A part of the text has a label, and statements that end with jumps.
pub(super) fn turns<'s>(parts: &[(&'s str, &'s [Statement])]) -> HashSet<&'s str> {
    let known: HashSet<&str> = parts.iter().map(|(label, _)| *label).collect();
    let mut onward: HashMap<&str, Vec<&str>> = HashMap::new();
    let mut back: HashMap<&str, Vec<&str>> = HashMap::new();
    let mut always: HashMap<&str, Vec<&str>> = HashMap::new();
    let mut choosing = Vec::new();
    for (label, steps) in parts {
        let (mut jumps, mut chooses) = (Vec::new(), false);
        look(steps, &mut jumps, &mut chooses);
        if let Some(StatementKind::Goto(only)) = steps.last().map(|last| &last.kind)
            && jumps.len() == 1
        {
            always.insert(*label, vec![&*only.text]);
        }
        for to in jumps.into_iter().filter(|to| known.contains(to)) {
            onward.entry(label).or_default().push(to);
            back.entry(to).or_default().push(label);
        }
        if chooses {
            choosing.push(*label);
        }
    }
    let endless = |label: &&str| reached(label, &always).contains(label);
    choosing.extend(always.keys().copied().filter(endless));
    let mut all = HashSet::new();
    for label in choosing {
        if !all.contains(label) {
            let behind = reached(label, &back);
            all.extend(reached(label, &onward).intersection(&behind));
        }
    }
    all
}

/// What jumps lead to, from this label. The label itself is among it if one leads back.
fn reached<'s>(from: &'s str, jumps: &HashMap<&'s str, Vec<&'s str>>) -> HashSet<&'s str> {
    let (mut seen, mut open) = (HashSet::new(), vec![from]);
    while let Some(label) = open.pop() {
        let next = jumps.get(label).into_iter().flatten();
        open.extend(next.filter(|to| seen.insert(**to)));
    }
    seen
}

fn look<'s>(steps: &'s [Statement], jumps: &mut Vec<&'s str>, chooses: &mut bool) {
    for step in steps {
        match &step.kind {
            StatementKind::Goto(label) => jumps.push(&label.text),
            StatementKind::If(options) | StatementKind::Do(options) => {
                let options = options.iter().map(|option| &*option.statements);
                *chooses |= options.len() > 1 && options.clone().any(|option| !is_guarded(option));
                options.for_each(|option| look(option, jumps, chooses));
            }
            StatementKind::Select { .. } => *chooses = true,
            StatementKind::Atomic(inside) | StatementKind::DStep(inside) => {
                look(&inside.statements, jumps, chooses);
            }
            _ => {}
        }
    }
}

/// Does an option begin with a condition?
fn is_guarded(option: &[Statement]) -> bool {
    match option.first().map(|first| &first.kind) {
        Some(StatementKind::Else) => true,
        Some(StatementKind::Expression(condition)) => {
            !matches!(condition.kind, ExprKind::Number(_))
        }
        _ => false,
    }
}
