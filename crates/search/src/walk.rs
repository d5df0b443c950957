//! Random walks: the memory-less search of paper 003, type 4.
//!
//! A walk goes from the initial state to wherever no step leads on, or as far as it may, and then
//! begins again. It never knows that it is done, so it ends by a violation or by a limit.

use crate::bookkeeping::{Bookkeeping, Control};
use crate::preference::Preference;
use crate::random::Random;
use crate::report::{Defect, Observer, Options, Report, Statistics, StopReason};
use crate::sequence::settled_steps;
use crate::system::System;

/// A walk is this long at most, unless told otherwise.
const LONGEST_WALK: usize = 10_000;
/// Of this many choices between steps that are preferred and others, one goes to any.
const ONE_IN: usize = 8;

/// Walks at random until a violation is met or a limit is reached. States are counted each time
/// they are met.
pub fn random_walk<Y: System>(
    system: &Y,
    preference: Preference,
    seed: u64,
    options: &Options<'_>,
    observer: &mut dyn Observer,
) -> Report<Y> {
    let likes = |step: &&Y::Step| preference.likes(system.traffic(**step));
    // Mostly one of those preferred.
    let choose = |random: &mut Random, _: &[u8], steps: &[Y::Step]| {
        let liked = steps.iter().filter(likes).count();
        if liked > 0 && random.below(ONE_IN) > 0 {
            let number = random.below(liked);
            return steps.iter().filter(likes).nth(number).copied();
        }
        match steps.len() {
            0 => None,
            count => Some(steps[random.below(count)]),
        }
    };
    walk(system, &choose, seed, options, observer)
}

/// Walks at random, each step as likely as its weight says against those of the others that are possible.
/// A step of weight zero is never taken.
pub fn weighted_walk<Y: System>(
    system: &Y,
    weight: &dyn Fn(&[u8], Y::Step) -> u64,
    seed: u64,
    options: &Options<'_>,
    observer: &mut dyn Observer,
) -> Report<Y> {
    let choose = |random: &mut Random, state: &[u8], steps: &[Y::Step]| {
        let total: u64 = steps.iter().map(|step| weight(state, *step)).sum();
        let mut drawn = match total {
            0 => return None,
            total => random.below(total as usize) as u64,
        };
        let is_drawn = |step: &&Y::Step| {
            let weight = weight(state, **step);
            let is_drawn = drawn < weight;
            drawn = drawn.saturating_sub(weight);
            is_drawn
        };
        steps.iter().find(is_drawn).copied()
    };
    walk(system, &choose, seed, options, observer)
}

/// Chooses a step of those possible in a state, if there is one.
type Choice<'c, S> = dyn Fn(&mut Random, &[u8], &[S]) -> Option<S> + 'c;

fn walk<Y: System>(
    system: &Y,
    choose: &Choice<'_, Y::Step>,
    seed: u64,
    options: &Options<'_>,
    observer: &mut dyn Observer,
) -> Report<Y> {
    let control = Control::new(options, 1);
    let mut watch = |statistics: &Statistics| observer.progress(statistics);
    let mut walk = Walk {
        system,
        choose,
        random: Random::new(seed),
        book: Bookkeeping::new(system, &control, 0, Some(&mut watch)),
        taken: Vec::new(),
        scratch: Y::Scratch::default(),
    };
    loop {
        if let Err(reason) = walk.walk() {
            control.halt(reason);
            break;
        }
    }
    control.merge(vec![walk.book], 0, 0.0)
}

struct Walk<'a, Y: System> {
    system: &'a Y,
    choose: &'a Choice<'a, Y::Step>,
    random: Random,
    book: Bookkeeping<'a, Y>,
    /// The steps of this walk.
    taken: Vec<Y::Step>,
    scratch: Y::Scratch,
}

impl<Y: System> Walk<'_, Y> {
    /// One walk.
    fn walk(&mut self) -> Result<(), StopReason> {
        let longest = self.book.options.depth.unwrap_or(LONGEST_WALK);
        let mut state = Vec::new();
        let mut next = Vec::new();
        let mut steps = Vec::new();
        self.taken.clear();
        if let Err(failure) = self.system.initial(&mut state) {
            self.book
                .violation(Defect::Failure(failure), None, Vec::new)?;
            return Err(StopReason::Violation);
        }
        while self.taken.len() < longest {
            if self.book.is_look_due() {
                let bytes = self.taken.capacity() * size_of::<Y::Step>();
                self.book.look(bytes as u64, 0)?;
            }
            steps.clear();
            let leads_on = settled_steps(self.system, &mut state, &mut steps);
            let statistics = &mut self.book.statistics;
            statistics.states += 1;
            statistics.state_bytes = statistics.state_bytes.max(state.len() as u64);
            statistics.depth = statistics.depth.max(self.taken.len() as u64);
            if !leads_on && !self.system.is_valid_end(&state) {
                let identity = &state[..state.len() - self.system.ignored_suffix()];
                self.book.deadlock(identity, || self.taken.clone())?;
            }
            let Some(step) = (self.choose)(&mut self.random, &state, &steps) else {
                return Ok(());
            };
            self.system.cover(&state, step, &mut self.book.covered);
            let outcome = self
                .system
                .execute(&mut self.scratch, &state, step, &mut next);
            self.taken.push(step);
            if let Some(failure) = outcome.failure {
                self.book
                    .violation(Defect::Failure(failure), Some(step), || self.taken.clone())?;
            }
            if !outcome.complete {
                return Ok(());
            }
            std::mem::swap(&mut state, &mut next);
        }
        Ok(())
    }
}
