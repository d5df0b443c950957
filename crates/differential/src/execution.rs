//! Which features the executions of a model meet.
//!
//! A path executes a feature if it executes a transition that comes from a part of the text marked with it
//! ([`crate::print::Marked`]). Paths are random walks in the interpreter. What a claim is made with counts as executed on every path:
//! it is evaluated in every state. This is a proxy: a statement with two features counts for both, whichever of its parts
//! was evaluated.

use mazurka_model::Interpreter;
use mazurka_promela::{MemoryLoader, compile};
use mazurka_search::{System, settled_steps};
use mazurka_span::SourceMap;

use crate::features::{Feature, Features};
use crate::print::Marked;
use crate::random::Random;

/// The features met on each of some paths.
#[derive(Clone, Debug, Default)]
pub struct Executed {
    pub paths: Vec<Features>,
}

/// Paths of a model.
pub(crate) const PATHS: usize = 100;
const LONGEST: usize = 400;

/// Walks through the model; none if it is not accepted.
pub fn execute(marked: &Marked, seed: u64) -> Option<Executed> {
    let mut map = SourceMap::new();
    let loader = MemoryLoader::default();
    let compiled = compile(&mut map, "model.pml", marked.text.as_bytes(), &[], &loader);
    let program = compiled.ok()?.program;
    let lines = line_starts(&marked.text);
    let of_transition: Vec<Features> = program
        .transitions
        .iter()
        .map(|transition| {
            let origin = &program.statements[transition.statement.index()].origin;
            let line = lines.get((origin.line as usize).saturating_sub(1));
            let column = (origin.column as usize).saturating_sub(1);
            line.map_or(Features::none(), |line| marked.at(line + column))
        })
        .collect();
    let everywhere = claims(marked);
    let interpreter = Interpreter::new(program);
    let mut random = Random::new(seed ^ 0x7061_7468);
    let paths = (0..PATHS)
        .map(|_| {
            let mut met = everywhere;
            walk(&interpreter, &mut random, |transition| {
                met = met.union(of_transition[transition]);
            });
            met
        })
        .collect();
    Some(Executed { paths })
}

/// One random walk; `meet` is told the number of each transition that is taken.
pub(crate) fn walk(interpreter: &Interpreter, random: &mut Random, mut meet: impl FnMut(usize)) {
    let (mut state, mut next) = (Vec::new(), Vec::new());
    let (mut steps, mut scratch) = (Vec::new(), Vec::new());
    if System::initial(interpreter, &mut state).is_err() {
        return;
    }
    for _ in 0..LONGEST {
        steps.clear();
        settled_steps(interpreter, &mut state, &mut steps);
        // What goes wrong ends a path, so it is taken only where nothing else is left.
        loop {
            if steps.is_empty() {
                return;
            }
            let step = steps.swap_remove(random.below(steps.len()));
            let outcome = System::execute(interpreter, &mut scratch, &state, step, &mut next);
            if !outcome.complete && !steps.is_empty() {
                continue;
            }
            meet(step.transition.index());
            if let Some((_, transition)) = interpreter.partner(&state, step) {
                meet(transition.index());
            }
            if !outcome.complete {
                return;
            }
            break;
        }
        std::mem::swap(&mut state, &mut next);
    }
}

/// The features of formulas and never claims.
fn claims(marked: &Marked) -> Features {
    let claims = marked
        .marks
        .iter()
        .filter(|(_, features)| features.has(Feature::Formulas) || features.has(Feature::Never));
    claims.fold(Features::none(), |all, (_, features)| all.union(*features))
}

fn line_starts(text: &str) -> Vec<usize> {
    let ends = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n');
    std::iter::once(0)
        .chain(ends.map(|(at, _)| at + 1))
        .collect()
}
