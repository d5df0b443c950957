//! A depth-first search in a file.

use std::io;

use super::{DepthFirst, Frame, Job, Left, Middle, Stack};
use crate::checkpoint::{
    Sink, Source, damaged, load_book, load_path, load_steps, save_books, save_path, save_steps,
};
use crate::store::Store;
use crate::system::System;

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
    for _ in 0..source.number()? {
        let job = load_job(system, source)?;
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
                sink.bytes(&left.state)?;
                save_steps(system, &left.state, &left.steps, sink)?;
            }
            Ok(())
        }
        Job::Middle(middle) => {
            sink.number(2)?;
            save_path(system, &middle.before, sink)?;
            match &middle.next {
                Some(next) => {
                    sink.number(1)?;
                    sink.bytes(next)?;
                }
                None => sink.number(0)?,
            }
            sink.number(middle.stack.frames.len() as u64)?;
            for number in 0..middle.stack.frames.len() {
                save_frame(system, &middle.stack, number, sink)?;
            }
            Ok(())
        }
    }
}

fn load_job<Y: System>(system: &Y, source: &mut Source) -> io::Result<Job<Y::Step>> {
    match source.number()? {
        0 => Ok(Job::Start),
        1 => {
            let path = load_path(system, source)?;
            let mut states = Vec::new();
            for _ in 0..source.number()? {
                let depth = source.size()?;
                let state = source.bytes()?;
                let steps = load_steps(system, &state, source)?;
                states.push(Left {
                    depth,
                    state,
                    steps,
                });
            }
            Ok(Job::Rest { path, states })
        }
        2 => {
            let before = load_path(system, source)?;
            let next = match source.number()? {
                0 => None,
                _ => Some(source.bytes()?),
            };
            let mut stack = Stack {
                frames: Vec::new(),
                states: Vec::new(),
                nodes: Vec::new(),
                steps: Vec::new(),
                ignored_suffix: system.ignored_suffix(),
            };
            for _ in 0..source.number()? {
                load_frame(system, &mut stack, source)?;
            }
            Ok(Job::Middle(Box::new(Middle {
                before,
                stack,
                next,
            })))
        }
        _ => Err(damaged("work of an unknown kind")),
    }
}

fn save_frame<Y: System>(
    system: &Y,
    stack: &Stack<Y::Step>,
    number: usize,
    sink: &mut Sink<'_>,
) -> io::Result<()> {
    let frame = &stack.frames[number];
    let state = stack.state(number);
    let steps_end = stack
        .frames
        .get(number + 1)
        .map_or(stack.steps.len(), |next| next.steps);
    let nodes = stack.folded(number).nodes;
    sink.bytes(state)?;
    save_steps(system, state, &stack.steps[frame.steps..steps_end], sink)?;
    sink.number(nodes.len() as u64)?;
    for node in nodes {
        sink.number(u64::from(*node))?;
    }
    sink.word(frame.hash)?;
    for field in [
        (frame.next - frame.steps) as u64,
        (frame.limit - frame.steps) as u64,
        u64::from(frame.anchor),
        u64::from(frame.passing),
        u64::from(frame.leads_away),
        u64::from(frame.leads_on),
        u64::from(frame.is_watched),
    ] {
        sink.number(field)?;
    }
    Ok(())
}

fn load_frame<Y: System>(
    system: &Y,
    stack: &mut Stack<Y::Step>,
    source: &mut Source,
) -> io::Result<()> {
    let (states, nodes, steps) = (stack.states.len(), stack.nodes.len(), stack.steps.len());
    let state = source.bytes()?;
    stack.steps.extend(load_steps(system, &state, source)?);
    stack.states.extend(state);
    for _ in 0..source.number()? {
        stack.nodes.push(source.number()? as u32);
    }
    let frame = Frame {
        state: states,
        nodes,
        steps,
        hash: source.word()?,
        next: steps + source.size()?,
        limit: steps + source.size()?,
        anchor: source.number()? as u32,
        passing: source.number()? as u32,
        leads_away: source.number()? != 0,
        leads_on: source.number()? != 0,
        is_watched: source.number()? != 0,
        is_whole: false,
    };
    if frame.next > frame.limit || frame.limit > stack.steps.len() {
        return Err(damaged("more steps taken than there are"));
    }
    stack.frames.push(frame);
    Ok(())
}
