//! Which steps to try first (paper 003, "Organizing a Partial Search").

use crate::random::Random;
use crate::system::{Reduction, System, Traffic};

/// Which steps to try first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Preference {
    /// None: at random.
    Random,
    /// Sends, so that many messages are under way (West's biased random walk).
    Sends,
    /// Receives, toward empty channels and deadlock (scatter search).
    Receives,
}

impl Preference {
    pub(crate) fn likes(self, traffic: Traffic) -> bool {
        match self {
            Preference::Random => false,
            Preference::Sends => traffic == Traffic::Sends,
            Preference::Receives => traffic == Traffic::Receives,
        }
    }
}

/// Puts the steps of each state into a random order, those preferred first; leaves none out.
#[derive(Debug)]
pub struct Ordered {
    preference: Preference,
    random: Random,
}

impl Ordered {
    /// An order that the seed repeats.
    pub fn new(preference: Preference, seed: u64) -> Ordered {
        Ordered {
            preference,
            random: Random::new(seed),
        }
    }
}

impl<Y: System> Reduction<Y> for Ordered {
    fn select(&mut self, system: &Y, _: &[u8], steps: &mut [Y::Step]) -> usize {
        self.random.shuffle(steps);
        steps.sort_by_key(|step| !self.preference.likes(system.traffic(*step)));
        steps.len()
    }

    fn reduces(&self) -> bool {
        false
    }
}
