//! Random systems put together from parts, against the whole graph: the same up to what nobody outside can notice, and so with the same deadlocks and
//! the same visible traces; and every finding is repeated by the interpreter.
//!
//! `COMPOSE_MODELS` says how many systems, `COMPOSE_SEED` where to begin.

use std::collections::{BTreeSet, HashMap};

use mazurka_compose::{
    Composed, ERROR, Lts, Options, Plain, Stuck, TAU, Trouble, are_equivalent, compose, plain,
};
use mazurka_differential::machines::System;
use mazurka_model::{Breach, BreachKind, Instruction, Interpreter, Program, Step};
use mazurka_span::SourceMap;

fn number(name: &str, default: u64) -> u64 {
    let text = std::env::var(name).ok();
    text.and_then(|text| text.parse().ok()).unwrap_or(default)
}

/// The program as it is, and for parts by themselves, both without steps that only report an unexpected input.
fn programs(text: &str) -> (Interpreter, Interpreter) {
    let mut map = SourceMap::new();
    let source = text.as_bytes();
    let closed = mazurka_efsm::compile(&mut map, "m.efsm", source, &[]);
    let open = mazurka_efsm::compile_open(&mut map, "m.efsm", source, &[]);
    let silent = |mut program: Program| {
        let is_unexpected = |breach: &Breach| breach.kind == BreachKind::UnexpectedInput;
        for location in 0..program.locations.len() {
            // Such transitions come last.
            let transitions = program.locations[location].transitions.clone();
            let reports = |number: &u32| {
                let effect = program.transitions[*number as usize].effect.clone();
                matches!(program.code.get(effect.start as usize),
                    Some(Instruction::Stop(breach)) if effect.len() == 1
                        && is_unexpected(&program.breaches[breach.index()]))
            };
            let end = transitions.clone().find(reports).unwrap_or(transitions.end);
            program.locations[location].transitions = transitions.start..end;
        }
        Interpreter::new(program)
    };
    (
        silent(closed.unwrap().program),
        silent(open.unwrap().program),
    )
}

/// The states that a set of states and hidden steps lead to.
fn closure(lts: &Lts, states: impl IntoIterator<Item = u32>) -> BTreeSet<u32> {
    let mut closed = BTreeSet::new();
    let mut open: Vec<u32> = states.into_iter().collect();
    while let Some(state) = open.pop() {
        if closed.insert(state) {
            let edges = lts.edges[state as usize].iter();
            open.extend(edges.filter(|(label, _)| *label == TAU).map(|(_, to)| *to));
        }
    }
    closed
}

/// What can be seen in the end: how it may stop there.
fn ends(lts: &Lts, states: &BTreeSet<u32>) -> BTreeSet<(bool, u8)> {
    let stopped = states
        .iter()
        .filter(|state| lts.edges[**state as usize].is_empty());
    stopped
        .map(|state| (*state == ERROR, lts.flags[*state as usize]))
        .collect()
}

/// Do the two have the same visible traces, and stop in the same ways after each? By definition: sets of states, label by label.
fn have_same_traces(one: &Lts, other: &Lts, labels: usize) -> bool {
    let mut known = HashMap::new();
    let first = (closure(one, [one.initial]), closure(other, [other.initial]));
    let mut open = vec![first];
    while let Some((left, right)) = open.pop() {
        if left.is_empty() != right.is_empty() || ends(one, &left) != ends(other, &right) {
            return false;
        }
        if left.is_empty() || known.insert((left.clone(), right.clone()), ()).is_some() {
            continue;
        }
        for label in 1..=labels as u32 {
            let after = |lts: &Lts, states: &BTreeSet<u32>| {
                let edges = states.iter().flat_map(|state| &lts.edges[*state as usize]);
                let with = edges
                    .filter(|(other, _)| *other == label)
                    .map(|(_, to)| *to);
                closure(lts, with)
            };
            open.push((after(one, &left), after(other, &right)));
        }
    }
    true
}

/// Carries out steps, and says how it ends.
fn replay(interpreter: &Interpreter, steps: &[Step]) -> Option<Stuck> {
    let (mut state, mut next, mut message) = (Vec::new(), Vec::new(), Vec::new());
    interpreter.initial(&mut state, &mut ()).ok()?;
    let mut enabled = Vec::new();
    for (number, step) in steps.iter().enumerate() {
        enabled.clear();
        interpreter.enabled(&state, &mut enabled);
        assert!(enabled.contains(step), "step {number} is not possible");
        let outcome = interpreter.execute(&state, *step, &mut next, &mut message, &mut ());
        if !outcome.complete || outcome.failure.is_some() {
            return (number + 1 == steps.len()).then_some(Stuck::Error);
        }
        std::mem::swap(&mut state, &mut next);
    }
    enabled.clear();
    interpreter.enabled(&state, &mut enabled);
    let is_stuck = enabled.is_empty() && !interpreter.is_valid_end(&state);
    is_stuck.then(|| match interpreter.has_messages(&state) {
        true => Stuck::Nonprogress,
        false => Stuck::Deadlock,
    })
}

/// The kinds of stop in the whole graph.
fn stops(plain: &Plain) -> BTreeSet<Stuck> {
    let lts = &plain.lts;
    let states = (1..lts.flags.len()).filter(|state| lts.edges[*state].is_empty());
    let stuck = states.filter_map(|state| match lts.flags[state] {
        3 => None,
        flags if flags & 2 != 0 => Some(Stuck::Deadlock),
        _ => Some(Stuck::Nonprogress),
    });
    let mut stops: BTreeSet<Stuck> = stuck.collect();
    if lts.can_fail() {
        stops.insert(Stuck::Error);
    }
    stops
}

fn agree(
    text: &str,
    options: &Options,
    (closed, open): (&Interpreter, &Interpreter),
) -> Result<Option<(Composed, Plain)>, String> {
    let composed = match compose(open, options) {
        Ok(composed) => composed,
        Err(Trouble::Internal(message)) => return Err(message),
        Err(_) => return Ok(None),
    };
    let Ok(whole) = plain(closed, options, &composed.names) else {
        return Ok(None);
    };
    if !are_equivalent(&composed.lts, &whole.lts) {
        return Err("not equivalent".into());
    }
    let same = have_same_traces(&composed.lts, &whole.lts, whole.names.len());
    if !same {
        return Err("other traces".into());
    }
    let found: BTreeSet<Stuck> = composed
        .findings
        .iter()
        .map(|finding| finding.stuck)
        .collect();
    if found != stops(&whole) {
        return Err(format!("{found:?} instead of {:?}", stops(&whole)));
    }
    for finding in &composed.findings {
        if replay(closed, &finding.steps) != Some(finding.stuck) {
            return Err(format!("{} does not replay\n{text}", finding.stuck));
        }
    }
    Ok(Some((composed, whole)))
}

#[test]
fn what_is_put_together_is_the_whole() {
    let first = number("COMPOSE_SEED", 1);
    let count = number("COMPOSE_MODELS", 300);
    let (mut compared, mut stuck, mut failing, mut several) = (0, 0, 0, 0);
    let (mut full, mut left) = (0, 0);
    for seed in first..first + count {
        let system = System::random(seed);
        let text = system.text();
        let (closed, open) = programs(&text);
        let instances = closed.program().instances.clone();
        let some = |bit: u64| -> Vec<String> {
            let chosen = instances.iter().enumerate();
            chosen
                .filter(|(number, _)| seed >> (*number as u64 + bit) & 1 != 0)
                .map(|(_, name)| name.clone())
                .collect()
        };
        let parts = match seed % 3 {
            0 => vec![some(2)],
            _ => Vec::new(),
        };
        let options = Options {
            parts: parts.into_iter().filter(|part| !part.is_empty()).collect(),
            visible: some(1),
            states: 20_000,
        };
        match agree(&text, &options, (&closed, &open)) {
            Ok(None) => {}
            Ok(Some((composed, whole))) => {
                compared += 1;
                several += u64::from(composed.parts.len() > 1);
                full += whole.lts.states();
                left += composed.lts.states();
                let has =
                    |wanted: &[Stuck]| composed.findings.iter().any(|f| wanted.contains(&f.stuck));
                stuck += u64::from(has(&[Stuck::Deadlock, Stuck::Nonprogress]));
                failing += u64::from(has(&[Stuck::Error]));
            }
            Err(reason) => panic!("seed {seed}, {options:?}: {reason}\n{text}"),
        }
    }
    eprintln!(
        "{compared} of {count} systems, {several} of several parts, {stuck} get stuck, {failing} fail: \
         {full} states as a whole, {left} left in the end"
    );
    assert!(compared * 2 > count && several * 4 > count);
    assert!(stuck * 10 > count && failing * 10 > count);
}
