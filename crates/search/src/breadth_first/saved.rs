//! A breadth-first search in a file.

use std::io;

use super::{BreadthFirst, Place, Work};
use crate::checkpoint::{Sink, Source, damaged, load_book, save_books};
use crate::frontier::Batch;
use crate::links::Links;
use crate::store::Store;
use crate::system::System;

/// Writes a search whose workers have stopped.
pub(super) fn save<Y: System, R, S: Store>(
    crew: &[BreadthFirst<'_, Y, R, S>],
    place: &Place,
    sink: &mut Sink<'_>,
) -> io::Result<()> {
    let first = &crew[0];
    sink.bytes(&first.system.context())?;
    let books: Vec<_> = crew.iter().map(|worker| &worker.book).collect();
    save_books(first.system, &books, first.book.control.elapsed(), sink)?;
    first.shared.read().save(sink)?;
    sink.number(u64::from(place.has_failed))?;
    sink.number(place.levels.len() as u64)?;
    for links in place.levels.iter().chain([&place.links]) {
        sink.number(links.len() as u64)?;
        for part in links {
            part.save(sink)?;
        }
    }
    sink.number(place.work.len() as u64)?;
    for work in &place.work {
        sink.number(work.first)?;
        sink.number(work.done)?;
        work.batch.save(sink)?;
    }
    sink.number(place.met.len() as u64)?;
    for batch in &place.met {
        batch.save(sink)?;
    }
    Ok(())
}

/// Reads a search into workers who have not begun.
pub(super) fn load<Y: System, R, S: Store>(
    crew: &mut [BreadthFirst<'_, Y, R, S>],
    source: &mut Source,
) -> io::Result<Place> {
    let first = &mut crew[0];
    if !first.system.restore(&source.bytes()?) {
        return Err(damaged("states that the system does not understand"));
    }
    let elapsed = load_book(first.system, &mut first.book, source)?;
    first.book.control.set_before(elapsed);
    first.shared.change(|store| store.load(source))?;
    let mut place = Place {
        has_failed: source.flag()?,
        is_read: true,
        ..Place::default()
    };
    // The states of the level before that of the links, which is at first the initial state.
    let (mut parents, mut states) = (1, 1);
    for _ in 0..=source.count(1)? {
        let mut links = Vec::new();
        (parents, states) = (states, 0);
        for _ in 0..source.count(2)? {
            let part = Links::load(source, parents)?;
            place.link_bytes += part.bytes();
            states += part.count();
            links.push(part);
        }
        place.levels.push(links);
    }
    place.links = place.levels.pop().unwrap_or_default();
    let is_state = |state: &[u8]| first.system.is_state(state);
    for _ in 0..source.count(4)? {
        let (first, done) = (source.number()?, source.number()?);
        let batch = Batch::load(source, is_state)?;
        let is_there = first
            .checked_add(batch.count())
            .is_some_and(|end| end <= parents);
        if done > batch.count() || !is_there {
            return Err(damaged("states that are not in their level"));
        }
        place.work.push(Work { first, done, batch });
    }
    let mut met = 0;
    for _ in 0..source.count(2)? {
        let batch = Batch::load(source, is_state)?;
        met += batch.count();
        place.met.push(batch);
    }
    if met != states {
        return Err(damaged("states without a link, or links without a state"));
    }
    Ok(place)
}
