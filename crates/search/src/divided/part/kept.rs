//! A part of a search as it is written down, level by level, and taken up again.

use std::io;
use std::time::Duration;

use super::{LEFT, Part, ask};
use crate::checkpoint::{MOST_COUNTED, Sink, Source, damaged};
use crate::divided::archive::Records;
use crate::divided::arrivals::Arrivals;
use crate::divided::trace::Found;
use crate::divided::{Lost, Trouble};
use crate::frontier::Batch;
use crate::report::Statistics;
use crate::store::{Folded, Insertion, Store};
use crate::system::{Reduction, System};

/// What was written of one worker.
pub(in crate::divided) struct Written {
    pub records: Box<dyn Records>,
    pub note: Note,
    /// Which numbers the things have here that it has numbered.
    numbers: Vec<u16>,
}

/// What is noted with a commit.
pub(in crate::divided) struct Note {
    statistics: Statistics,
    elapsed: Duration,
    cut: bool,
    covered: Vec<bool>,
    found: Vec<Found>,
}

impl Written {
    pub fn new(records: Box<dyn Records>, note: &[u8]) -> io::Result<Written> {
        let note = Note::load(&mut Source::new(
            io::Cursor::new(note.to_vec()),
            note.len() as u64,
        ))?;
        Ok(Written {
            records,
            note,
            numbers: Vec::new(),
        })
    }
}

impl Note {
    fn load(source: &mut Source) -> io::Result<Note> {
        let mut statistics = Statistics::default();
        for number in counted(&mut statistics) {
            *number = source.number()?;
            if *number > MOST_COUNTED {
                return Err(damaged("more than can be counted"));
            }
        }
        let elapsed = Duration::from_nanos(source.number()?);
        let cut = source.flag()?;
        let covered = source.bytes()?.iter().map(|byte| *byte != 0).collect();
        let found = source.bytes()?;
        let (mut rest, mut all) = (&found[..], Vec::new());
        while !rest.is_empty() {
            let found = Found::read(&mut rest);
            all.push(found.ok_or_else(|| damaged("a violation that is none"))?);
        }
        Ok(Note {
            statistics,
            elapsed,
            cut,
            covered,
            found: all,
        })
    }
}

/// What is counted of a worker.
fn counted(of: &mut Statistics) -> [&mut u64; 7] {
    [
        &mut of.states,
        &mut of.matched,
        &mut of.depth,
        &mut of.atomic_steps,
        &mut of.state_bytes,
        &mut of.reduced,
        &mut of.violations,
    ]
}

impl<'a, Y: System, R: Reduction<Y>, S: Store> Part<'a, Y, R, S> {
    /// Writes the level at hand, none of whose states has been left.
    pub fn save_level(&mut self, sink: &mut Sink<'_>) -> io::Result<()> {
        sink.number(self.depth as u64)?;
        // Another process may have written the levels before, with numbers of its own.
        sink.number(u64::from(self.written == 0))?;
        let context = self.system.context();
        sink.bytes(&context[self.written..])?;
        self.written = context.len();
        sink.number(self.work.len() as u64)?;
        for batch in self.work.iter().rev() {
            batch.save(sink)?;
        }
        match self.levels.last() {
            Some(arrivals) => arrivals.save(sink),
            None => Arrivals::default().save(sink),
        }
    }

    /// Writes what was counted and found before the level at hand.
    pub fn save_note(&self, sink: &mut Sink<'_>) -> io::Result<()> {
        let mut statistics = self.book.statistics;
        for number in counted(&mut statistics) {
            sink.number(*number)?;
        }
        sink.number(self.book.control.elapsed().as_nanos() as u64)?;
        sink.number(u64::from(self.book.cut))?;
        let covered: Vec<u8> = self.book.covered.iter().map(|of| (*of).into()).collect();
        sink.bytes(&covered)?;
        let mut found = Vec::new();
        for of in &self.found {
            of.write(&mut found);
        }
        sink.bytes(&found)
    }

    /// Takes up its part of a search that was written up to this level: by itself or, if it has to be divided anew, by all who
    /// were there. Shows each level when it is there.
    pub fn restore(
        &mut self,
        written: &mut [Written],
        (level, divides): (u64, bool),
        mut show: impl FnMut(&mut Self) -> io::Result<()>,
    ) -> Result<(), Trouble> {
        let mut found = Vec::new();
        // Where the states of the level before are now, for each worker that had them.
        let mut before: Vec<Vec<(usize, u64)>> = Vec::new();
        for depth in 0..=level {
            let mut next = vec![0; self.workers];
            let mut places = Vec::new();
            let mut series = Vec::new();
            for (number, part) in written.iter_mut().enumerate() {
                let mut source = part.records.next().map_err(lost)?;
                if source.number().map_err(lost)? != depth {
                    return Err(lost(damaged("another level")));
                }
                if source.flag().map_err(lost)? {
                    part.numbers.clear();
                }
                let context = source.bytes().map_err(lost)?;
                if !self.system.learn(&context, &mut part.numbers) {
                    return Err(lost(damaged("states that the system does not understand")));
                }
                let states = self.load_states(&mut source, part).map_err(lost)?;
                let arrivals = Arrivals::load(&mut source).map_err(lost)?;
                let count: u64 = states.iter().map(Batch::count).sum();
                if arrivals.count() != if depth == 0 { 0 } else { count } {
                    return Err(lost(damaged("another number of links")));
                }
                let mut owners = Vec::new();
                let mut at = Vec::new();
                for batch in &states {
                    let mut reader = batch.read();
                    let mut state = Vec::new();
                    for _ in 0..batch.count() {
                        reader.next(&mut state);
                        let owner = self.owner(self.identity(&state)).0;
                        owners.push(owner);
                        at.push((owner, next[owner]));
                        next[owner] += 1;
                        if owner == self.me {
                            self.admit(&state, depth < level)?;
                        } else if !divides {
                            return Err(lost(damaged("a state of somebody else")));
                        }
                    }
                }
                if !divides {
                    self.arrivals = arrivals;
                } else if depth > 0 {
                    self.relink(&arrivals, &owners, &before, |of| {
                        let known = series.iter().position(|known| *known == (number, of));
                        known.unwrap_or_else(|| {
                            series.push((number, of));
                            series.len() - 1
                        })
                    })?;
                }
                places.push(at);
            }
            // Who has noted a violation need not own the state.
            let noted = written.iter().flat_map(|part| &part.note.found);
            for of in noted.filter(|of| of.place.level as u64 == depth) {
                found.push(match divides {
                    false => of.clone(),
                    true => {
                        let owned = places.get(of.place.owner);
                        let at = owned.and_then(|of_owner| of_owner.get(of.place.number as usize));
                        let at = at.ok_or_else(|| lost(damaged("a violation nowhere")))?;
                        of.at(at.0, at.1)
                    }
                });
            }
            before = places;
            self.next_level();
            if depth == 0 {
                // Nothing leads to the initial state.
                self.levels.clear();
                self.link_bytes = 0;
            }
            show(self).map_err(lost)?;
        }
        self.take_notes(written, found, divides).map_err(lost)
    }

    /// The states of a level, with the numbers that things have here.
    fn load_states(&self, source: &mut Source, part: &Written) -> io::Result<Vec<Batch>> {
        let has_names = self.system.names() > 0;
        let mut states = Vec::new();
        for _ in 0..source.count(2)? {
            let read = Batch::load(source, |_| true)?;
            let mut batch = Batch::default();
            let (mut reader, mut state, mut renamed) = (read.read(), Vec::new(), Vec::new());
            for _ in 0..read.count() {
                reader.next(&mut state);
                renamed.clone_from(&state);
                let is_known = !has_names || self.system.rename(&mut renamed, &part.numbers);
                if !is_known || !self.system.is_state(&renamed) {
                    return Err(damaged("a state that is none"));
                }
                batch.push(&renamed);
            }
            batch.close();
            states.push(batch);
        }
        Ok(states)
    }

    /// Puts a state of its own back where it was.
    fn admit(&mut self, state: &[u8], is_left: bool) -> Result<(), Trouble> {
        let identity = &state[..state.len() - self.system.ignored_suffix()];
        let (control, nodes, marks) = (self.book.control, &mut self.nodes, self.marks);
        let insertion = ask(control, &mut self.store, |store| {
            let from = Folded {
                state: &self.parent.state,
                nodes: &self.parent.nodes,
            };
            let key = store.fold(identity, Some(from), nodes)?;
            let insertion = store.insert(key, identity)?;
            if marks && is_left {
                store.mark(key, 0, LEFT);
            }
            Ok(insertion)
        })?;
        if insertion == Insertion::Known {
            return Err(lost(damaged("a state twice")));
        }
        self.parent.state.clear();
        self.parent.state.extend_from_slice(identity);
        std::mem::swap(&mut self.parent.nodes, &mut self.nodes);
        self.book.statistics.states += 1;
        self.met_bytes += super::push(&mut self.met, state);
        Ok(())
    }

    /// Notes how its states of a level were reached, of those that one worker had. The parents of each series still follow each
    /// other: they were numbered anew in the order of their old numbers.
    fn relink(
        &mut self,
        arrivals: &Arrivals,
        owners: &[usize],
        before: &[Vec<(usize, u64)>],
        mut number_of: impl FnMut(u32) -> usize,
    ) -> Result<(), Trouble> {
        let (me, workers, old) = (self.me, self.workers, before.len());
        let mut owners = owners.iter();
        let mut is_right = true;
        let linked = &mut self.arrivals;
        arrivals.each(|series, parent, choices| {
            if owners.next() != Some(&me) {
                return;
            }
            let sender = series as usize % old;
            let Some((owner, number)) = before[sender].get(parent as usize) else {
                is_right = false;
                return;
            };
            let series = owner + workers * number_of(series);
            linked.push(series as u32, *number, choices);
        });
        match is_right {
            true => Ok(()),
            false => Err(lost(damaged("a wrong link"))),
        }
    }

    /// What was counted and found. If the search was divided anew, the first worker takes what cannot be divided.
    fn take_notes(
        &mut self,
        written: &[Written],
        found: Vec<Found>,
        divides: bool,
    ) -> io::Result<()> {
        let is_first = self.me == 0 || !divides;
        let mut elapsed = Duration::ZERO;
        for part in written {
            let note = &part.note;
            if note.covered.len() != self.book.covered.len() {
                return Err(damaged("another number of transitions"));
            }
            let statistics = &mut self.book.statistics;
            statistics.depth = statistics.depth.max(note.statistics.depth);
            statistics.state_bytes = statistics.state_bytes.max(note.statistics.state_bytes);
            self.book.cut |= note.cut;
            elapsed = elapsed.max(note.elapsed);
            if is_first {
                statistics.matched += note.statistics.matched;
                statistics.atomic_steps += note.statistics.atomic_steps;
                statistics.reduced += note.statistics.reduced;
                statistics.violations += note.statistics.violations;
                for (covered, was) in self.book.covered.iter_mut().zip(&note.covered) {
                    *covered |= was;
                }
            }
        }
        self.book.control.set_before(elapsed);
        if is_first {
            self.found = found;
        }
        Ok(())
    }
}

fn lost(error: io::Error) -> Trouble {
    Trouble::Lost(Lost(format!("the search cannot be resumed: {error}")))
}
