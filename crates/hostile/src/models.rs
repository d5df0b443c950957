//! Any bytes as a model, in each notation.
//!
//! The bytes either do not compile, and then there are diagnostics that can be shown, or they give a program without a flaw
//! that can be printed and run.

use std::time::{Duration, Instant};

use mazurka_model::{Event, Interpreter, Program, Step, verify};
use mazurka_promela::{MemoryLoader, compile};
use mazurka_span::{Diagnostic, RenderOptions, SourceMap, has_errors, render};

/// The length of the walk.
const STEPS: usize = 200;
/// Possible steps that are tried in each state; only one is followed.
const TRIED: usize = 8;
/// The bytes of states that one walk may write.
const WORK: usize = 64 << 20;
/// When a walk ends in any case.
const TIME: Duration = Duration::from_secs(2);

/// How far a model came.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fate {
    /// It was refused.
    Refused,
    /// It has no initial state, because of an error in an initial value.
    Unborn,
    /// It ran for this many steps.
    Ran(usize),
}

/// Compiles a Promela model and runs it at random. Panics if something is wrong with Mazurka.
pub fn promela(source: &[u8]) -> Fate {
    let mut map = SourceMap::new();
    let compiled = compile(&mut map, "any.pml", source, &[], &MemoryLoader::default());
    let compiled = compiled.map(|compiled| (compiled.program, compiled.warnings));
    judge(&map, compiled, seed(source))
}

/// The same for a network of virtual finite state machines, which is exported as well.
pub fn vfsm(source: &[u8]) -> Fate {
    let mut map = SourceMap::new();
    let compiled = mazurka_vfsm::compile(&mut map, "any.vfsm", source);
    if compiled.is_ok() {
        let (mut map, nothing) = (SourceMap::new(), mazurka_vfsm::Extras::default());
        let text = mazurka_vfsm::export_promela(&mut map, "any.vfsm", source, &nothing);
        assert!(text.is_ok_and(|text| !text.is_empty()), "no export");
    }
    let compiled = compiled.map(|compiled| (compiled.program, compiled.warnings));
    judge(&map, compiled, seed(source))
}

/// The same for a system of multi-port machines, which is exported as well.
pub fn efsm(source: &[u8]) -> Fate {
    let mut map = SourceMap::new();
    let compiled = mazurka_efsm::compile(&mut map, "any.efsm", source, &[]);
    if compiled.is_ok() {
        // Not everything can be exported, but then there is a reason.
        let mut map = SourceMap::new();
        if let Err(reasons) = mazurka_efsm::promela(&mut map, "any.efsm", source, &[]) {
            show(&map, &reasons);
        }
    }
    let compiled = compiled.map(|compiled| (compiled.program, compiled.warnings));
    judge(&map, compiled, seed(source))
}

/// The same for a system in SDL, which is exported as well.
pub fn sdl(source: &[u8]) -> Fate {
    let mut map = SourceMap::new();
    let compiled = mazurka_sdl::compile(&mut map, "any.sdl", source, &[]);
    if compiled.is_ok() {
        let mut map = SourceMap::new();
        if let Err(reasons) = mazurka_sdl::promela(&mut map, "any.sdl", source, &[]) {
            show(&map, &reasons);
        }
    }
    let compiled = compiled.map(|compiled| (compiled.program, compiled.warnings));
    judge(&map, compiled, seed(source))
}

pub(crate) fn show(map: &SourceMap, diagnostics: &[Diagnostic]) {
    assert!(has_errors(diagnostics), "refused without a reason");
    let text = render(map, diagnostics, RenderOptions::default());
    assert!(!text.is_empty(), "refused without a word");
}

pub(crate) fn judge(
    map: &SourceMap,
    compiled: Result<(Program, Vec<Diagnostic>), Vec<Diagnostic>>,
    seed: u64,
) -> Fate {
    match compiled {
        Err(diagnostics) => {
            show(map, &diagnostics);
            Fate::Refused
        }
        Ok((program, warnings)) => {
            assert!(!has_errors(&warnings), "accepted with an error");
            render(map, &warnings, RenderOptions::default());
            let flaws = verify(&program);
            assert!(flaws.is_empty(), "{flaws:?}");
            if program.code.len() < 10_000 {
                let _ = program.to_string();
            }
            walk(&Interpreter::new(program), seed)
        }
    }
}

/// Walks at random. In each state some more steps are tried, so that a short walk sees much.
fn walk(interpreter: &Interpreter, mut random: u64) -> Fate {
    let mut state = Vec::new();
    let mut events: Vec<Event> = Vec::new();
    if interpreter.initial(&mut state, &mut events).is_err() {
        return Fate::Unborn;
    }
    let (mut next, mut chosen) = (Vec::new(), Vec::new());
    let mut steps: Vec<Step> = Vec::new();
    let mut message = Vec::new();
    let mut work = 0;
    let start = Instant::now();
    for length in 0..STEPS {
        interpreter.is_valid_end(&state);
        steps.clear();
        let mut possible = interpreter.enabled(&state, &mut steps);
        if !possible && interpreter.controller(&state).is_some() {
            interpreter.release(&mut state);
            steps.clear();
            possible = interpreter.enabled(&state, &mut steps);
        }
        assert!(!possible || !steps.is_empty(), "a step that is not there");
        chosen.clear();
        for _ in 0..steps.len().min(TRIED) {
            // A single step may be long.
            if start.elapsed() > TIME {
                return Fate::Ran(length);
            }
            let step = steps.swap_remove(draw(&mut random, steps.len()));
            interpreter.partner(&state, step);
            events.clear();
            let outcome = interpreter.execute(&state, step, &mut next, &mut message, &mut events);
            assert!(
                outcome.complete || outcome.failure.is_some(),
                "nothing happened, and nothing is wrong"
            );
            work += next.len();
            if outcome.complete && (chosen.is_empty() || draw(&mut random, 2) == 0) {
                std::mem::swap(&mut chosen, &mut next);
            }
        }
        if chosen.is_empty() || work > WORK || start.elapsed() > TIME {
            return Fate::Ran(length);
        }
        std::mem::swap(&mut state, &mut chosen);
    }
    Fate::Ran(STEPS)
}

/// A number below `bound`.
pub(crate) fn draw(random: &mut u64, bound: usize) -> usize {
    *random ^= *random << 13;
    *random ^= *random >> 7;
    *random ^= *random << 17;
    (*random % bound as u64) as usize
}

/// The same bytes take the same walk (FNV-1a).
pub(crate) fn seed(source: &[u8]) -> u64 {
    let hash = source.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3)
    });
    hash | 1
}
