//! Random programs: a few actors, each with a few operations on objects of all kinds. They run in
//! process, or by an interpreter in C as real processes.
#![allow(dead_code, unused_imports)]

#[path = "program/action.rs"]
mod action;
#[path = "program/text.rs"]
mod text;
#[path = "program/world.rs"]
mod world;

use action::{KINDS, action, used};
use text::text;

pub use action::{Action, NOT_IN_C};
pub use world::{performed, seen};

pub struct Random(pub u64);

impl Random {
    pub fn below(&mut self, limit: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (self.0 >> 33) as usize % limit
    }
}

#[derive(Clone, Debug)]
pub struct Program {
    actors: Vec<Vec<Action>>,
    capacity: u32,
    count: u32,
    parties: usize,
    /// The bound of a channel, if there is one.
    channel: Option<Bound>,
}

#[derive(Clone, Copy, Debug)]
enum Bound {
    Unbounded,
    Of(usize),
}

impl Program {
    /// One actor receives with a time limit, another sends, a third only drops its sender; and only one of them comes to its end.
    pub fn of_a_time_limit() -> Program {
        use Action::*;
        Program {
            actors: vec![
                vec![ChannelReceiveTimeout, Take],
                vec![Take],
                vec![ChannelReceiveTimeout, ChannelSend(0), Take],
            ],
            capacity: 1,
            count: 1,
            parties: 1,
            channel: Some(Bound::Unbounded),
        }
    }

    pub fn random(random: &mut Random) -> Program {
        // A few kinds at a time meet more often.
        let theme: Vec<usize> = (0..3 + random.below(3))
            .map(|_| random.below(KINDS))
            .collect();
        let actors = 2 + random.below(3);
        // Who reads beside others that read, and beside one who writes, shows only with four.
        let most = [5, 3, 1][actors - 2];
        Program::about(random, &theme, actors, most)
    }

    /// A small program with actions of these names, if another one is not wanted.
    pub fn wanted(random: &mut Random, names: Option<[&str; 2]>) -> Program {
        let Some(names) = names else {
            return Program::random(random);
        };
        Program::with(random, &names, 2, 3)
    }

    /// Some actors, each with `most` actions of these names at most.
    pub fn with(random: &mut Random, names: &[&str], actors: usize, most: usize) -> Program {
        let position = |name: &&str| Action::NAMES.iter().position(|known| known == name);
        let theme: Vec<usize> = names.iter().filter_map(position).collect();
        Program::about(random, &theme, actors, most)
    }

    fn about(random: &mut Random, theme: &[usize], actors: usize, most: usize) -> Program {
        let list = |random: &mut Random| {
            let length = 1 + random.below(most);
            (0..length).map(|_| action(random, theme, 0)).collect()
        };
        let actors = (0..actors).map(|_| list(random)).collect();
        Program {
            actors,
            capacity: 1 + random.below(2) as u32,
            count: random.below(3) as u32,
            parties: 1 + random.below(3),
            channel: theme.iter().any(|kind| (33..=37).contains(kind)).then(|| {
                match random.below(4) {
                    3 => Bound::Unbounded,
                    bound => Bound::Of(bound),
                }
            }),
        }
    }

    /// A program of these actors, with a queue for two messages.
    pub fn of(actors: Vec<Vec<Action>>) -> Program {
        Program {
            actors,
            capacity: 2,
            count: 1,
            parties: 2,
            channel: None,
        }
    }

    /// The kinds of its actions, as bits whose positions are those of [`Action::NAMES`]. What is done with a channel is nothing if there is
    /// none, or if a child does it.
    pub fn used(&self) -> u128 {
        self.actors.iter().fold(0, |all, actor| all | used(actor))
    }

    /// The arguments that make `crates/capi/tests/programs/random.c` the same program; there are
    /// no channels in it.
    pub fn text(&self) -> Option<Vec<String>> {
        if self.channel.is_some() {
            return None;
        }
        let mut arguments = vec![
            self.capacity.to_string(),
            self.count.to_string(),
            self.parties.to_string(),
        ];
        for actions in &self.actors {
            arguments.push(text(actions)?);
        }
        Some(arguments)
    }

    /// Starts its actors.
    pub fn run(&self) {
        world::run(self);
    }

    /// Does it use plain memory? Then values must not say what depends on what.
    pub fn has_cells(&self) -> bool {
        self.used() >> 45 & 0b11 != 0
    }
}
