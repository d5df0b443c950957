//! States of which it is not known yet whether enough of their steps were taken.

use std::collections::VecDeque;

use crate::frontier::Batch;

/// States, in the order of their numbers, and what is known of them.
pub(super) struct Doubtful<S> {
    states: Vec<Batch>,
    entries: VecDeque<Entry>,
    /// The steps of each, those that were taken in front.
    steps: VecDeque<S>,
}

/// One of them.
#[derive(Clone, Copy)]
pub(super) struct Entry {
    /// Its number in its level.
    pub number: u64,
    /// Were its steps enough?
    pub is_enough: bool,
    all: usize,
    /// How many of its steps were taken.
    pub taken: usize,
}

impl<S> Doubtful<S> {
    pub fn new() -> Doubtful<S> {
        Doubtful {
            states: Vec::new(),
            entries: VecDeque::new(),
            steps: VecDeque::new(),
        }
    }

    /// Adds a state; the first ones of its steps were taken.
    pub fn push(&mut self, state: &[u8], number: u64, steps: &[S], taken: usize)
    where
        S: Copy,
    {
        super::push(&mut self.states, state);
        self.steps.extend(steps);
        self.entries.push_back(Entry {
            number,
            is_enough: false,
            all: steps.len(),
            taken,
        });
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.entries.len()
    }

    /// One of the steps of a state, by its place here, leads to a state that is still to be explored, or not. None if there is no such state.
    pub fn answer(&mut self, place: u64, is_open: bool) -> Option<()> {
        self.entries.get_mut(place as usize)?.is_enough |= is_open;
        Some(())
    }

    /// They are to be left now, the first ones first, as links need it.
    pub fn turn_round(&mut self) {
        self.states.reverse();
    }

    /// The next of them, as they were put in.
    pub fn next_states(&mut self) -> Option<Batch> {
        self.states.pop()
    }

    /// What is known of the next one, and its steps.
    pub fn next(&mut self, steps: &mut Vec<S>) -> Option<Entry> {
        let entry = self.entries.pop_front()?;
        steps.clear();
        steps.extend(self.steps.drain(..entry.all));
        Some(entry)
    }

    /// The bytes taken.
    pub fn bytes(&self) -> u64 {
        let states: u64 = self.states.iter().map(Batch::bytes).sum();
        let entries = self.entries.capacity() * size_of::<Entry>();
        let steps = self.steps.capacity() * size_of::<S>();
        states + (entries + steps) as u64
    }
}
