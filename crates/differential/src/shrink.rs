//! Making a model that shows a disagreement small.
//!
//! Greedy, in the manner of delta debugging: try every way to leave something out, keep the first that still fails, go
//! on until no single step does. Trees rather than text are cut, so that most candidates are well-formed; those that are
//! not, SPIN rejects, and the predicate with it.

mod expressions;
mod statements;

use std::time::{Duration, Instant};

use crate::ast::*;
use expressions::value_variants;
use statements::block_variants;

/// When to be content with what has been reached.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    pub attempts: usize,
    pub time: Duration,
}

impl Default for Effort {
    fn default() -> Effort {
        Effort {
            attempts: 4000,
            time: Duration::from_secs(300),
        }
    }
}

/// The smallest model found that still fails. The same model and predicate give the same answer, unless time runs out.
pub fn shrink(
    program: &Program,
    effort: Effort,
    mut fails: impl FnMut(&Program) -> bool,
) -> Program {
    let deadline = Instant::now() + effort.time;
    let mut best = program.clone();
    let mut attempts = 0;
    loop {
        let mut improved = false;
        let mut position = 0;
        let mut candidates = variants(&best);
        while position < candidates.len() {
            if attempts >= effort.attempts || Instant::now() >= deadline {
                return best;
            }
            attempts += 1;
            if fails(&candidates[position]) {
                best = candidates.swap_remove(position);
                // Stay at the same place: what follows it has moved there.
                candidates = variants(&best);
                improved = true;
            } else {
                position += 1;
            }
        }
        if !improved {
            return best;
        }
    }
}

/// Every model that is one step smaller, the largest steps first.
fn variants(program: &Program) -> Vec<Program> {
    let mut found = Vec::new();
    let mut offer = |change: &dyn Fn(&mut Program)| {
        let mut candidate = program.clone();
        change(&mut candidate);
        found.push(candidate);
    };
    for number in 0..program.processes.len() {
        offer(&|candidate| {
            candidate.processes.remove(number);
        });
    }
    for number in 0..program.inlines.len() {
        offer(&|candidate| {
            candidate.inlines.remove(number);
        });
    }
    for number in 0..program.macros.len() {
        offer(&|candidate| {
            candidate.macros.remove(number);
        });
    }
    for number in 0..program.globals.len() {
        offer(&|candidate| {
            candidate.globals.remove(number);
        });
    }
    for number in 0..program.structures.len() {
        offer(&|candidate| {
            candidate.structures.remove(number);
        });
    }
    for number in 0..program.mtypes.len() {
        offer(&|candidate| {
            candidate.mtypes.remove(number);
        });
    }
    for number in 0..program.claims.len() {
        offer(&|candidate| {
            candidate.claims.remove(number);
        });
    }
    if let Some(trace) = &program.trace {
        offer(&|candidate| candidate.trace = None);
        for body in block_variants(&trace.body) {
            offer(&|candidate| {
                candidate.trace = Some(Trace {
                    negated: trace.negated,
                    body: body.clone(),
                });
            });
        }
    }
    for (number, claim) in program.claims.iter().enumerate() {
        for smaller in claim_variants(claim) {
            offer(&|candidate| candidate.claims[number] = smaller.clone());
        }
    }
    for (number, structure) in program.structures.iter().enumerate() {
        for field in 0..structure.fields.len() {
            offer(&|candidate| {
                candidate.structures[number].fields.remove(field);
            });
        }
    }
    for (number, process) in program.processes.iter().enumerate() {
        for smaller in process_variants(process) {
            offer(&|candidate| candidate.processes[number] = smaller.clone());
        }
        for parameter in 0..process.parameters.len() {
            offer(&|candidate| remove_parameter(candidate, number, parameter));
        }
    }
    for (number, inline) in program.inlines.iter().enumerate() {
        for body in block_variants(&inline.body) {
            offer(&|candidate| candidate.inlines[number].body = body.clone());
        }
    }
    for (number, global) in program.globals.iter().enumerate() {
        for smaller in declaration_variants(global) {
            offer(&|candidate| candidate.globals[number] = smaller.clone());
        }
    }
    found
}

fn process_variants(process: &Process) -> Vec<Process> {
    let mut found = Vec::new();
    if let Start::Active(copies) = process.start
        && copies > 1
    {
        found.push(Process {
            start: Start::Active(copies - 1),
            ..process.clone()
        });
    }
    if process.provided.is_some() {
        found.push(Process {
            provided: None,
            ..process.clone()
        });
    }
    if process.deterministic {
        found.push(Process {
            deterministic: false,
            ..process.clone()
        });
    }
    if let Some(condition) = &process.provided {
        found.extend(
            value_variants(condition)
                .into_iter()
                .map(|condition| Process {
                    provided: Some(condition),
                    ..process.clone()
                }),
        );
    }
    if process.priority.is_some() {
        found.push(Process {
            priority: None,
            ..process.clone()
        });
    }
    found.extend(
        block_variants(&process.body)
            .into_iter()
            .map(|body| Process {
                body,
                ..process.clone()
            }),
    );
    found
}

fn claim_variants(claim: &Claim) -> Vec<Claim> {
    match claim {
        Claim::Formula { name, formula } => formula_variants(formula)
            .into_iter()
            .map(|formula| Claim::Formula {
                name: name.clone(),
                formula,
            })
            .collect(),
        Claim::Never { name, body } => block_variants(body)
            .into_iter()
            .map(|body| Claim::Never {
                name: name.clone(),
                body,
            })
            .collect(),
    }
}

fn formula_variants(formula: &Formula) -> Vec<Formula> {
    use Formula::*;
    let mut found = Vec::new();
    match formula {
        Atom(condition) => found.extend(value_variants(condition).into_iter().map(Atom)),
        Unary(operator, inner) => {
            found.push(inner.as_ref().clone());
            let smaller = formula_variants(inner).into_iter();
            found.extend(smaller.map(|inner| Unary(operator, Box::new(inner))));
        }
        Binary(operator, left, right) => {
            found.extend([left.as_ref().clone(), right.as_ref().clone()]);
            let smaller = formula_variants(left).into_iter();
            found.extend(smaller.map(|left| Binary(operator, Box::new(left), right.clone())));
            let smaller = formula_variants(right).into_iter();
            found.extend(smaller.map(|right| Binary(operator, left.clone(), Box::new(right))));
        }
    }
    found
}

/// Takes a parameter away, and the argument from every `run`.
fn remove_parameter(program: &mut Program, process: usize, parameter: usize) {
    program.processes[process].parameters.remove(parameter);
    let name = program.processes[process].name.clone();
    for other in &mut program.processes {
        statements::for_each(&mut other.body, &mut |statement| {
            if let Statement::Run {
                process, arguments, ..
            } = statement
                && *process == name
                && parameter < arguments.len()
            {
                arguments.remove(parameter);
            }
        });
    }
}

fn declaration_variants(declaration: &Declaration) -> Vec<Declaration> {
    let mut found = Vec::new();
    match &declaration.initial {
        None => {}
        Some(Initial::Channel { capacity, fields }) => {
            let smaller = [0, capacity.saturating_sub(1)];
            for capacity in smaller.into_iter().filter(|smaller| smaller < capacity) {
                let initial = Some(Initial::Channel {
                    capacity,
                    fields: fields.clone(),
                });
                found.push(Declaration {
                    initial,
                    ..declaration.clone()
                });
            }
        }
        Some(_) => found.push(Declaration {
            initial: None,
            ..declaration.clone()
        }),
    }
    if declaration.prefix.is_some() {
        found.push(Declaration {
            prefix: None,
            ..declaration.clone()
        });
    }
    if !matches!(
        declaration.kind,
        Type::Byte | Type::Mtype | Type::Channel | Type::Structure(_)
    ) {
        found.push(Declaration {
            kind: Type::Byte,
            ..declaration.clone()
        });
    }
    if let Some(length @ 2..) = declaration.length
        && !matches!(declaration.initial, Some(Initial::Elements(_)))
    {
        found.push(Declaration {
            length: Some(length - 1),
            ..declaration.clone()
        });
    }
    found
}
