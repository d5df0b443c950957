//! A depth-first search in a file.

use std::io;

use super::{DepthFirst, Job, Left, Middle, Note, Stack};
use crate::checkpoint::{
    Sink, Source, damaged, load_book, load_numbers, load_path, numbered_steps, save_books,
    save_path, save_steps, states_along,
};
use crate::path::Frame;
use crate::sequence::{LONG_SEQUENCE, settle};
use crate::store::{Insertion, Store};
use crate::system::System;

/// Whether a worker had just arrived at a state, and whether that is an ordinary one by now.
const NOWHERE: u64 = 0;
const ARRIVED: u64 = 1;
const SETTLED: u64 = 2;

/// Writes a search whose workers have stopped.
pub(super) fn save<Y: System, R, S: Store>(
    crew: &[DepthFirst<'_, Y, R, S>],
    sink: &mut Sink<'_>,
) -> io::Result<()> {
    let first = &crew[0];
    let system = first.system;
    sink.number(crew.len() as u64)?;
    sink.bytes(&system.context())?;
    let books: Vec<_> = crew.iter().map(|worker| &worker.book).collect();
    save_books(system, &books, first.book.control.elapsed(), sink)?;
    let longest = crew.iter().map(|worker| worker.longest).min();
    sink.number(longest.unwrap_or(usize::MAX) as u64)?;
    first.shared.read().save(sink)?;
    first.pool.with_jobs(|jobs| {
        sink.number(jobs.len() as u64)?;
        for job in jobs {
            save_job(system, job, sink)?;
        }
        Ok(())
    })
}

/// Reads a search into workers who have not begun.
pub(super) fn load<Y: System, R, S: Store>(
    crew: &mut [DepthFirst<'_, Y, R, S>],
    source: &mut Source,
) -> io::Result<()> {
    if source.size()? != crew.len() {
        return Err(damaged("another number of workers"));
    }
    let system = crew[0].system;
    if !system.restore(&source.bytes()?) {
        return Err(damaged("states that the system does not understand"));
    }
    let elapsed = load_book(system, &mut crew[0].book, source)?;
    crew[0].book.control.set_before(elapsed);
    let longest = source.size()?;
    for worker in crew.iter_mut() {
        worker.longest = longest;
    }
    crew[0].shared.change(|store| store.load(source))?;
    let store = crew[0].shared.read();
    for _ in 0..source.count(1)? {
        let job = load_job(system, &*store, source)?;
        crew[0].pool.give(job);
    }
    Ok(())
}

fn save_job<Y: System>(system: &Y, job: &Job<Y::Step>, sink: &mut Sink<'_>) -> io::Result<()> {
    match job {
        Job::Start => sink.number(0),
        Job::Rest { path, states } => {
            sink.number(1)?;
            save_path(system, path, sink)?;
            sink.number(states.len() as u64)?;
            for left in states {
                sink.number(left.depth as u64)?;
                save_steps(system, &left.state, &left.steps, sink)?;
            }
            Ok(())
        }
        Job::Middle(middle) => {
            sink.number(2)?;
            save_path(system, &middle.before, sink)?;
            sink.number(match &middle.next {
                None => NOWHERE,
                Some(next) if system.is_passing(next) => ARRIVED,
                Some(_) => SETTLED,
            })?;
            sink.number(middle.stack.path.frames.len() as u64)?;
            for number in 0..middle.stack.path.frames.len() {
                save_frame(system, &middle.stack, number, sink)?;
            }
            let pending = middle.stack.path.chain_to(middle.stack.path.frames.len());
            sink.number(pending.len() as u64)
        }
    }
}

fn load_job<Y: System, S: Store>(
    system: &Y,
    store: &S,
    source: &mut Source,
) -> io::Result<Job<Y::Step>> {
    match source.number()? {
        0 => Ok(Job::Start),
        1 => {
            let path = load_path(system, source)?;
            let states = load_states(system, &path, source)?;
            Ok(Job::Rest { path, states })
        }
        2 => load_middle(system, store, source).map(|middle| Job::Middle(Box::new(middle))),
        _ => Err(damaged("work of an unknown kind")),
    }
}

/// The states on a path that have steps left.
fn load_states<Y: System>(
    system: &Y,
    path: &[Y::Step],
    source: &mut Source,
) -> io::Result<Vec<Left<Y::Step>>> {
    let mut saved = Vec::new();
    for _ in 0..source.count(2)? {
        let (depth, numbers) = (source.size()?, load_numbers(source)?);
        if saved.last().is_some_and(|(last, _)| *last >= depth) || depth > path.len() {
            return Err(damaged("states that are not on their path"));
        }
        saved.push((depth, numbers));
    }
    let mut states = Vec::new();
    let mut saved = saved.into_iter().peekable();
    states_along(system, path, |depth, state| {
        if let Some((_, numbers)) = saved.next_if(|(at, _)| *at == depth) {
            states.push(Left {
                depth,
                state: state.to_vec(),
                steps: numbered_steps(system, state, &numbers)?,
            });
        }
        Ok(())
    })?;
    Ok(states)
}

fn save_frame<Y: System>(
    system: &Y,
    stack: &Stack<Y::Step>,
    number: usize,
    sink: &mut Sink<'_>,
) -> io::Result<()> {
    let frame = &stack.path.frames[number];
    let steps = &stack.path.steps[frame.steps..stack.path.steps_end(number)];
    sink.number(stack.path.chain_to(number).len() as u64)?;
    save_steps(system, stack.path.state(number), steps, sink)?;
    for field in [
        (frame.next - frame.steps) as u64,
        (frame.limit - frame.steps) as u64,
        u64::from(frame.note.leads_away),
        u64::from(frame.leads_on),
        u64::from(frame.note.is_watched),
    ] {
        sink.number(field)?;
    }
    Ok(())
}

/// What a worker was in the middle of. The states are those that the steps lead to, whatever the file says.
fn load_middle<Y: System, S: Store>(
    system: &Y,
    store: &S,
    source: &mut Source,
) -> io::Result<Middle<Y::Step>> {
    let before = load_path(system, source)?;
    let arrival = source.number()?;
    let mut stack = Stack::new(system.ignored_suffix());
    // Where the last step led, as it was before it was settled.
    let mut state = Vec::new();
    states_along(system, &before, |_, reached| {
        state.clear();
        state.extend_from_slice(reached);
        Ok(())
    })?;
    let mut scratch = Y::Scratch::default();
    let mut next = Vec::new();
    let frames = source.count(7)?;
    for number in 0..frames {
        run_chain(system, &mut stack, &mut state, source)?;
        load_frame(system, store, &mut stack, &mut state, source)?;
        if number + 1 == frames && arrival == NOWHERE {
            break;
        }
        let frame = &stack.path.frames[number];
        let taken = stack.path.steps[frame.steps..frame.next].last();
        let step = *taken.ok_or_else(|| damaged("a state that was reached by no step"))?;
        if !system
            .execute(&mut scratch, &state, step, &mut next)
            .complete
        {
            return Err(damaged("a path that leads nowhere"));
        }
        std::mem::swap(&mut state, &mut next);
    }
    run_chain(system, &mut stack, &mut state, source)?;
    if arrival == SETTLED {
        settle(system, &mut state, &mut Vec::new());
    }
    let next = match (arrival, system.is_passing(&state)) {
        (NOWHERE, _) => None,
        (ARRIVED, true) | (SETTLED, false) => Some(state),
        _ => return Err(damaged("a state of another kind")),
    };
    Ok(Middle {
        before,
        stack,
        next,
    })
}

/// Goes on inside an atomic sequence as far as the search did in place: each time there was one step to take.
fn run_chain<Y: System>(
    system: &Y,
    stack: &mut Stack<Y::Step>,
    state: &mut Vec<u8>,
    source: &mut Source,
) -> io::Result<()> {
    let length = source.size()?;
    if length > LONG_SEQUENCE as usize {
        return Err(damaged("a sequence that is too long"));
    }
    let mut scratch = Y::Scratch::default();
    let (mut possible, mut next) = (Vec::new(), Vec::new());
    for _ in 0..length {
        possible.clear();
        system.enabled(state, &mut possible);
        let [step] = possible[..] else {
            return Err(damaged("a sequence with a choice"));
        };
        let outcome = system.execute(&mut scratch, state, step, &mut next);
        if !system.is_passing(state) || !outcome.complete {
            return Err(damaged("a sequence that leads nowhere"));
        }
        std::mem::swap(state, &mut next);
        stack.path.extend_chain([step]);
    }
    Ok(())
}

/// Reads a frame whose state is known, and settles that.
fn load_frame<Y: System, S: Store>(
    system: &Y,
    store: &S,
    stack: &mut Stack<Y::Step>,
    state: &mut [u8],
    source: &mut Source,
) -> io::Result<()> {
    settle(system, state, &mut Vec::new());
    let number = stack.path.frames.len() as u32;
    let (anchor, passing) = match stack.path.frames.last() {
        Some(last) if system.is_passing(state) => {
            let chain = stack.path.chain_to(number as usize).len() as u32;
            (last.anchor, last.passing + chain + 1)
        }
        _ => (number, 0),
    };
    let (nodes, steps) = (stack.nodes.len(), stack.path.steps.len());
    let mut hash = 0;
    if passing == 0 {
        let identity = &state[..state.len() - stack.ignored_suffix];
        let mut found = Vec::new();
        let key = store.fold(identity, None, &mut found);
        match key.and_then(|key| Ok((key, store.insert(key, identity)?))) {
            Ok((key, Insertion::Known)) => hash = store.hash(key),
            _ => return Err(damaged("a state that was met and is not stored")),
        }
        stack.nodes.extend(found);
    }
    let numbers = load_numbers(source)?;
    let possible = numbered_steps(system, state, &numbers)?;
    stack.path.steps.extend(possible);
    let within = |place: usize| match steps.checked_add(place) {
        Some(place) if place <= stack.path.steps.len() => Ok(place),
        _ => Err(damaged("more steps taken than there are")),
    };
    let mut frame = Frame {
        state: stack.path.states.len(),
        steps,
        next: within(source.size()?)?,
        limit: within(source.size()?)?,
        chain: stack.path.depth() - number as usize,
        anchor,
        passing,
        leads_on: false,
        is_whole: false,
        note: Note {
            nodes,
            hash,
            ..Note::default()
        },
    };
    frame.note.leads_away = source.flag()?;
    frame.leads_on = source.flag()?;
    frame.note.is_watched = source.flag()?;
    if frame.next > frame.limit || frame.note.is_watched && passing > 0 {
        return Err(damaged("more steps taken than there are"));
    }
    stack.path.states.extend_from_slice(state);
    stack.path.frames.push(frame);
    Ok(())
}
