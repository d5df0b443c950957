//! The whole graph of a system, to be held against what is put together from parts.

use std::collections::HashMap;

use mazurka_model::Interpreter;

use crate::compose::{Options, Trouble};
use crate::lts::{ERROR, Lts, TAU};
use crate::open::{flags_of, name_of};
use crate::parts::{cut, instances};

/// The whole graph of a system.
#[derive(Clone, Debug)]
pub struct Plain {
    /// Its states and steps.
    pub lts: Lts,
    /// The names of its labels; that of label 1 comes first.
    pub names: Vec<String>,
}

/// Explores a system as a whole. Labels with the given names have the numbers that these have.
pub fn plain(
    interpreter: &Interpreter,
    options: &Options,
    names: &[String],
) -> Result<Plain, Trouble> {
    let mut state = Vec::new();
    let begun = interpreter.initial(&mut state, &mut ());
    begun.map_err(|fault| Trouble::Refused(format!("there is no initial state: {fault}")))?;
    let program = interpreter.program();
    let all = cut(
        interpreter,
        &state,
        std::slice::from_ref(&program.instances),
    )?;
    let mut visible = vec![false; program.instances.len()];
    for name in &options.visible {
        for instance in instances(program, name)? {
            visible[instance] = true;
        }
    }
    let mut plain = Plain {
        lts: Lts {
            initial: 1,
            flags: vec![0],
            edges: vec![Vec::new()],
        },
        names: names.to_vec(),
    };
    let mut numbers = HashMap::from([(state.clone(), 1)]);
    let mut states = vec![Vec::new(), state];
    let (mut steps, mut message, mut next) = (Vec::new(), Vec::new(), Vec::new());
    let mut at = 1;
    while at < states.len() {
        if at > options.states {
            return Err(Trouble::Limit("the whole system".into()));
        }
        let state = states[at].clone();
        steps.clear();
        interpreter.enabled(&state, &mut steps);
        let mut edges = Vec::new();
        for step in &steps {
            let outcome = interpreter.execute(&state, *step, &mut next, &mut message, &mut ());
            let to = match outcome.complete && outcome.failure.is_none() {
                false => ERROR,
                true => *numbers.entry(next.clone()).or_insert_with(|| {
                    states.push(next.clone());
                    states.len() as u32 - 1
                }),
            };
            let label = match visible[step.process as usize] {
                false => TAU,
                true => plain.label(name_of(interpreter, *step)),
            };
            edges.push((label, to));
        }
        edges.sort_unstable();
        edges.dedup();
        plain.lts.edges.push(edges);
        let flags = all
            .first()
            .map_or(0, |all| flags_of(interpreter, all, &state));
        plain.lts.flags.push(flags);
        at += 1;
    }
    plain.lts.forget_flags();
    Ok(plain)
}

impl Plain {
    fn label(&mut self, name: String) -> u32 {
        let known = self.names.iter().position(|known| *known == name);
        let position = known.unwrap_or_else(|| {
            self.names.push(name);
            self.names.len() - 1
        });
        position as u32 + 1
    }
}
