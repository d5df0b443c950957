//! Smaller statements and blocks.

use super::declaration_variants;
use super::expressions::{list_variants, pattern_list_variants, place_variants, value_variants};
use crate::ast::*;

/// Every block that is one step smaller.
pub fn block_variants(block: &Block) -> Vec<Block> {
    let mut found = Vec::new();
    if block.len() >= 4 {
        let middle = block.len() / 2;
        found.push(block[middle..].to_vec());
        found.push(block[..middle].to_vec());
    }
    for position in 0..block.len() {
        let mut shorter = block.clone();
        shorter.remove(position);
        found.push(shorter);
    }
    for (position, statement) in block.iter().enumerate() {
        for replacement in statement_variants(statement) {
            let mut changed = block.clone();
            changed.splice(position..=position, replacement);
            found.push(changed);
        }
    }
    found
}

/// What may stand in place of a statement: often nothing but its parts, hence several statements.
fn statement_variants(statement: &Statement) -> Vec<Block> {
    use Statement::*;
    let one = |statement: Statement| vec![statement];
    let mut found: Vec<Block> = Vec::new();
    match statement {
        Declare(declaration) => {
            found.extend(
                declaration_variants(declaration)
                    .into_iter()
                    .map(|smaller| one(Declare(smaller))),
            );
        }
        Assign(place, value) => {
            found.extend(
                value_variants(value)
                    .into_iter()
                    .map(|value| one(Assign(place.clone(), value))),
            );
            found.extend(
                place_variants(place)
                    .into_iter()
                    .map(|place| one(Assign(place, value.clone()))),
            );
        }
        Condition(condition) => {
            found.extend(
                value_variants(condition)
                    .into_iter()
                    .map(|condition| one(Condition(condition))),
            );
        }
        Assert(condition) => {
            found.extend(
                value_variants(condition)
                    .into_iter()
                    .map(|condition| one(Assert(condition))),
            );
        }
        Print(arguments) if !arguments.is_empty() => found.push(one(Print(Vec::new()))),
        Send {
            channel,
            sorted,
            arguments,
        } => {
            let send = |channel: &Place, sorted, arguments| {
                one(Send {
                    channel: channel.clone(),
                    sorted,
                    arguments,
                })
            };
            if *sorted {
                found.push(send(channel, false, arguments.clone()));
            }
            found.extend(
                list_variants(arguments)
                    .into_iter()
                    .map(|arguments| send(channel, *sorted, arguments)),
            );
            found.extend(
                place_variants(channel)
                    .iter()
                    .map(|channel| send(channel, *sorted, arguments.clone())),
            );
        }
        Receive {
            channel,
            random,
            copy,
            patterns,
        } => {
            let receive = |channel: &Place, random, copy, patterns| {
                one(Receive {
                    channel: channel.clone(),
                    random,
                    copy,
                    patterns,
                })
            };
            if *random {
                found.push(receive(channel, false, *copy, patterns.clone()));
            }
            if *copy {
                found.push(receive(channel, *random, false, patterns.clone()));
            }
            for patterns in pattern_list_variants(patterns) {
                found.push(receive(channel, *random, *copy, patterns));
            }
            for channel in place_variants(channel) {
                found.push(receive(&channel, *random, *copy, patterns.clone()));
            }
        }
        If(options) => {
            found.extend(options.iter().map(without_else));
            found.extend(
                option_variants(options)
                    .into_iter()
                    .map(|options| one(If(options))),
            );
        }
        Do(options) => {
            found.extend(options.iter().map(without_else));
            found.push(one(If(options.clone())));
            found.extend(
                option_variants(options)
                    .into_iter()
                    .map(|options| one(Do(options))),
            );
        }
        Label(name, inner) => {
            found.push(one(inner.as_ref().clone()));
            for mut smaller in statement_variants(inner) {
                // The label stays on the first of what remains.
                if !smaller.is_empty() {
                    smaller[0] = Label(name.clone(), Box::new(smaller[0].clone()));
                    found.push(smaller);
                }
            }
        }
        Atomic(body) => {
            found.push(body.clone());
            found.extend(
                block_variants(body)
                    .into_iter()
                    .map(|body| one(Atomic(body))),
            );
        }
        DeterministicStep(body) => {
            found.push(body.clone());
            found.push(one(Atomic(body.clone())));
            found.extend(
                block_variants(body)
                    .into_iter()
                    .map(|body| one(DeterministicStep(body))),
            );
        }
        Braces(body) => {
            found.push(body.clone());
            found.extend(
                block_variants(body)
                    .into_iter()
                    .map(|body| one(Braces(body))),
            );
        }
        Unless(main, escape) => {
            found.push(main.clone());
            found.push(escape.clone());
            found.extend(
                block_variants(main)
                    .into_iter()
                    .map(|main| one(Unless(main, escape.clone()))),
            );
            found.extend(
                block_variants(escape)
                    .into_iter()
                    .map(|escape| one(Unless(main.clone(), escape))),
            );
        }
        For {
            variable,
            from,
            to,
            body,
        } => {
            found.push(body.clone());
            for body in block_variants(body) {
                found.push(one(For {
                    variable: variable.clone(),
                    from: from.clone(),
                    to: to.clone(),
                    body,
                }));
            }
            for to in value_variants(to) {
                found.push(one(For {
                    variable: variable.clone(),
                    from: from.clone(),
                    to,
                    body: body.clone(),
                }));
            }
        }
        ForIn {
            variable,
            array,
            body,
        } => {
            found.push(body.clone());
            for body in block_variants(body) {
                found.push(one(ForIn {
                    variable: variable.clone(),
                    array: array.clone(),
                    body,
                }));
            }
        }
        Select { variable, from, to } => {
            found.push(one(Assign(variable.clone(), from.clone())));
            for to in value_variants(to) {
                found.push(one(Select {
                    variable: variable.clone(),
                    from: from.clone(),
                    to,
                }));
            }
        }
        Run {
            result,
            tested,
            process,
            arguments,
            priority,
        } => {
            let run = |result: &Option<Place>, arguments, priority| {
                one(Run {
                    result: result.clone(),
                    tested: *tested,
                    process: process.clone(),
                    arguments,
                    priority,
                })
            };
            if *tested {
                found.push(one(Run {
                    result: None,
                    tested: false,
                    process: process.clone(),
                    arguments: arguments.clone(),
                    priority: *priority,
                }));
            }
            if result.is_some() {
                found.push(run(&None, arguments.clone(), *priority));
            }
            if priority.is_some() {
                found.push(run(result, arguments.clone(), None));
            }
            found.extend(
                list_variants(arguments)
                    .into_iter()
                    .map(|arguments| run(result, arguments, *priority)),
            );
        }
        Call(name, arguments) => {
            found.extend(
                list_variants(arguments)
                    .into_iter()
                    .map(|arguments| one(Call(name.clone(), arguments))),
            );
        }
        SetPriority(..) | Exclusive(..) | Increment(_) | Decrement(_) | Skip | Else | Print(_)
        | Break | Goto(_) => {}
    }
    found
}

fn without_else(option: &Block) -> Block {
    option
        .iter()
        .filter(|statement| **statement != Statement::Else)
        .cloned()
        .collect()
}

/// Fewer options, or the same with one made smaller.
fn option_variants(options: &[Block]) -> Vec<Vec<Block>> {
    let mut found = Vec::new();
    if options.len() > 1 {
        for position in 0..options.len() {
            let mut fewer = options.to_vec();
            fewer.remove(position);
            found.push(fewer);
        }
    }
    for (position, option) in options.iter().enumerate() {
        for smaller in block_variants(option) {
            let mut changed = options.to_vec();
            changed[position] = smaller;
            found.push(changed);
        }
    }
    found
}

/// Visits every statement of a block, inner ones too.
pub fn for_each(block: &mut Block, visit: &mut dyn FnMut(&mut Statement)) {
    for statement in block {
        visit(statement);
        inner_blocks(statement, &mut |inner| for_each(inner, visit));
    }
}

fn inner_blocks(statement: &mut Statement, visit: &mut dyn FnMut(&mut Block)) {
    use Statement::*;
    match statement {
        If(options) | Do(options) => options.iter_mut().for_each(visit),
        Atomic(body) | DeterministicStep(body) | Braces(body) => visit(body),
        For { body, .. } | ForIn { body, .. } => visit(body),
        Unless(main, escape) => {
            visit(main);
            visit(escape);
        }
        Label(_, inner) => inner_blocks(inner, visit),
        _ => {}
    }
}
