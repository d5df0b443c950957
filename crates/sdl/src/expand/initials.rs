//! What a variable is at the start if its type says so (`default`, Z.100 clause 5.3.3.2), said where the variable is declared.

use mazurka_span::Diagnostic;

use super::key;
use crate::ast::{
    Block, Composite, Expression, Name, Procedure, Process, System, TypeKind, Variable,
};
use crate::codes;

/// Gives variables the first values of their types.
pub(super) fn fill(system: &mut System, diagnostics: &mut Vec<Diagnostic>) {
    let known = std::mem::take(&mut system.initials);
    if known.is_empty() {
        return;
    }
    for (name, _) in &known {
        let same = system
            .types
            .iter()
            .filter(|type_| key(&type_.name) == key(name));
        if same.count() > 1 {
            let message =
                format!("`default` of `{name}` is not supported: another type has its name");
            diagnostics.push(Diagnostic::error(codes::NOT_TAKEN, name.span, message));
        }
    }
    let of = |type_: &Name| {
        let mut type_ = type_.clone();
        // A part of a type has the first value of the whole.
        for _ in 0..=system.types.len() {
            if let Some((_, value)) = known.iter().find(|(name, _)| key(name) == key(&type_)) {
                return Some(value.clone());
            }
            let mut types = system.types.iter();
            let found = types.find(|other| key(&other.name) == key(&type_))?;
            let TypeKind::Range { of, .. } = &found.kind else {
                return None;
            };
            type_ = of.clone();
        }
        None
    };
    for block in &mut system.blocks {
        in_block(block, &of);
    }
    for procedure in &mut system.procedures {
        in_procedure(procedure, &of);
    }
}

type Of<'a> = &'a dyn Fn(&Name) -> Option<Expression>;

fn in_block(block: &mut Block, of: Of) {
    for process in &mut block.processes {
        in_process(process, of);
    }
    for inner in block.substructure.iter_mut().flat_map(|s| &mut s.blocks) {
        in_block(inner, of);
    }
}

fn in_process(process: &mut Process, of: Of) {
    for variable in process.variables.iter_mut().skip(process.parameters) {
        in_variable(variable, of);
    }
    for procedure in &mut process.procedures {
        in_procedure(procedure, of);
    }
    for Composite { inside, .. } in &mut process.composites {
        in_process(inside, of);
    }
}

fn in_procedure(procedure: &mut Procedure, of: Of) {
    for variable in &mut procedure.variables {
        in_variable(variable, of);
    }
    for inner in &mut procedure.procedures {
        in_procedure(inner, of);
    }
}

fn in_variable(variable: &mut Variable, of: Of) {
    if variable.initial.is_none() {
        variable.initial = of(&variable.type_name);
    }
}
