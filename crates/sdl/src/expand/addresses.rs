//! Addresses that could be a variable or a process: `output a to p`, where both are called `p`. Z.100 lets things of different kinds have the
//! same name, and here does not say which is meant.

use std::collections::HashSet;

use mazurka_span::Diagnostic;

use super::key;
use crate::ast::{ActionKind, Body, ExpressionKind, Name, Procedure, Process, System, Variable};
use crate::{codes, walk};

/// Reports them, while processes have the names that they were given.
pub(super) fn check(system: &mut System, diagnostics: &mut Vec<Diagnostic>) {
    let names = (system.blocks.iter())
        .flat_map(|block| &block.processes)
        .map(|process| key(&process.name));
    let mut looking = Looking {
        processes: names.collect(),
        diagnostics,
    };
    let blocks = system.blocks.iter_mut();
    for process in blocks.flat_map(|block| &mut block.processes) {
        looking.in_process(process, &HashSet::new());
    }
    for procedure in &mut system.procedures {
        looking.in_procedure(procedure, &HashSet::new());
    }
}

/// All variables that there are, of all processes and procedures.
pub(super) fn variables(system: &System) -> HashSet<String> {
    let mut names = HashSet::new();
    for process in system.blocks.iter().flat_map(|block| &block.processes) {
        of_process(process, &mut names);
    }
    of_procedures(&system.procedures, &mut names);
    names
}

fn of_process(process: &Process, names: &mut HashSet<String>) {
    names.extend(process.variables.iter().map(|variable| key(&variable.name)));
    of_procedures(&process.procedures, names);
    for composite in &process.composites {
        of_process(&composite.inside, names);
    }
}

fn of_procedures(procedures: &[Procedure], names: &mut HashSet<String>) {
    for procedure in procedures {
        let parameters = procedure.parameters.iter().map(|one| &one.variable);
        let all = parameters.chain(&procedure.variables);
        names.extend(all.map(|variable| key(&variable.name)));
        of_procedures(&procedure.procedures, names);
    }
}

struct Looking<'d> {
    processes: HashSet<String>,
    diagnostics: &'d mut Vec<Diagnostic>,
}

impl Looking<'_> {
    fn in_process(&mut self, process: &mut Process, outer: &HashSet<String>) {
        let known = with(outer, &process.variables);
        for body in walk::bodies(process) {
            self.in_body(body, &known);
        }
        for procedure in &mut process.procedures {
            self.in_procedure(procedure, &known);
        }
        for composite in &mut process.composites {
            let inside = with(&known, &composite.inside.variables);
            for (_, body) in &mut composite.starts {
                self.in_body(body, &inside);
            }
            self.in_process(&mut composite.inside, &known);
        }
    }

    fn in_procedure(&mut self, procedure: &mut Procedure, outer: &HashSet<String>) {
        let mut known = with(outer, &procedure.variables);
        let parameters = procedure.parameters.iter();
        known.extend(parameters.map(|parameter| key(&parameter.variable.name)));
        for body in walk::bodies_of_procedure(procedure) {
            self.in_body(body, &known);
        }
        for inner in &mut procedure.procedures {
            self.in_procedure(inner, &known);
        }
    }

    fn in_body(&mut self, body: &mut Body, known: &HashSet<String>) {
        walk::actions(body, &mut |action| {
            if let ActionKind::Output(output) = &action.kind
                && let Some(ExpressionKind::Name(name)) = output.to.as_ref().map(|to| &to.kind)
                && known.contains(&key(name))
                && self.processes.contains(&key(name))
            {
                self.report(name);
            }
        });
    }

    fn report(&mut self, name: &Name) {
        let message = format!("`{name}` is a variable and a process: who gets this?");
        let told = Diagnostic::error(codes::DUPLICATE, name.span, message);
        self.diagnostics.push(told);
    }
}

fn with(outer: &HashSet<String>, variables: &[Variable]) -> HashSet<String> {
    let own = variables.iter().map(|variable| key(&variable.name));
    outer.iter().cloned().chain(own).collect()
}
