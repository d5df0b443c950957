//! Which features the executions of a model meet: random walks, as for Promela ([`crate::execution`]).

use mazurka_model::{Interpreter, Program};
use mazurka_span::SourceMap;

use super::{Marks, Model, Notation};
use crate::execution::{PATHS, walk};
use crate::random::Random;

/// The features met on each of some paths; none if the model is not accepted.
pub fn paths(model: &Model, marks: &Marks, seed: u64) -> Vec<u128> {
    let Some((program, of)) = transitions(model, marks) else {
        return Vec::new();
    };
    let interpreter = Interpreter::new(program);
    let random = &mut Random::new(seed ^ 0x7061_7468);
    (0..PATHS)
        .map(|_| {
            let mut met = 0;
            walk(&interpreter, random, |transition| {
                met |= of.get(transition).copied().unwrap_or(0);
            });
            met
        })
        .collect()
}

/// The program, and the features of each of its transitions.
fn transitions(model: &Model, marks: &Marks) -> Option<(Program, Vec<u128>)> {
    let mut map = SourceMap::new();
    let (text, name) = (model.text(), "model");
    let text = text.as_bytes();
    let program = match model.notation() {
        Notation::Efsm => {
            mazurka_efsm::compile(&mut map, name, text, model.defines())
                .ok()?
                .program
        }
        Notation::Sdl => {
            mazurka_sdl::compile(&mut map, name, text, model.defines())
                .ok()?
                .program
        }
        Notation::Vfsm => {
            // A transition of the program is a whole way through several parts of a machine.
            let compiled = mazurka_vfsm::compile(&mut map, name, text).ok()?;
            let coverage = compiled.coverage;
            let of_part = |part: &u32| {
                let origin = &coverage.parts[*part as usize].origin;
                marks.at(origin.line, origin.column)
            };
            let of = coverage.by_transition.iter();
            let of = of.map(|parts| parts.iter().map(of_part).fold(marks.at(0, 0), |a, b| a | b));
            return Some((compiled.program, of.collect()));
        }
    };
    let of = program.transitions.iter().map(|transition| {
        let origin = &program.statements[transition.statement.index()].origin;
        marks.at(origin.line, origin.column)
    });
    let of = of.collect();
    Some((program, of))
}
