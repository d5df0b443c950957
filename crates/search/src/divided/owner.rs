//! Who owns a state, and how states of one worker become states of another.

use rapidhash::v3::{RapidSecrets, rapidhash_v3_seeded};

use crate::system::System;

/// Not a number that the store mixes with, so that the states of one worker are spread in its tables as all are.
static OWNERS: RapidSecrets = RapidSecrets::seed_cpp(0x6d61_7a75_726b_6121);

/// Who of that many workers owns a state, of which the part that tells it from others is given, and its hash. Both are the same in every
/// process.
#[inline]
pub(super) fn owner<Y: System>(system: &Y, identity: &[u8], workers: usize) -> (usize, u64) {
    let (essence, numbers) = system.essence(identity);
    let hash = rapidhash_v3_seeded(&identity[numbers..], &OWNERS) ^ essence;
    let product = u128::from(hash) * 0x9e37_79b9_7f4a_7c15;
    let mixed = (product >> 64) as u64 ^ product as u64;
    let owner = (u128::from(mixed) * workers as u128) >> 64;
    (owner as usize, mixed)
}

/// What workers have told each other of the things that a system numbers.
pub(super) struct Names {
    /// How much of the context each worker was told, and of which names.
    told: Vec<(usize, usize)>,
    /// Which numbers the things have here that other workers have numbered.
    numbers: Vec<Vec<u16>>,
}

impl Names {
    pub fn new(workers: usize) -> Names {
        Names {
            told: vec![(0, 0); workers],
            numbers: vec![Vec::new(); workers],
        }
    }

    /// What was numbered here since this worker was told last.
    pub fn news<Y: System>(&mut self, system: &Y, to: usize) -> Vec<u8> {
        let mut context = Vec::new();
        let (names, length) = &mut self.told[to];
        // Others of this process may number more in the meantime; that is told next time.
        let now = system.names();
        if now != *names {
            context = system.context();
            let known = std::mem::replace(length, context.len());
            context.drain(..known);
            *names = now;
        }
        context
    }

    /// Learns what another worker has numbered. Says whether that makes sense.
    pub fn learn<Y: System>(&mut self, system: &Y, from: usize, news: &[u8]) -> bool {
        system.learn(news, &mut self.numbers[from])
    }

    /// Gives a state that another worker has sent the numbers that its things have here. Says whether it is a state: whoever sends what is
    /// none is not one of the members, or its memory is broken.
    #[inline]
    pub fn rename<Y: System>(&self, system: &Y, from: usize, state: &mut [u8]) -> bool {
        let numbers = &self.numbers[from];
        let is_known = match numbers.is_empty() {
            true => system.names() == 0,
            false => system.rename(state, numbers),
        };
        is_known && state.len() >= system.ignored_suffix() && system.is_state(state)
    }
}
