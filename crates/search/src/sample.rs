//! A look at a system before it is searched.
//!
//! A store that compresses states does it better if it knows what they are like: which of their bytes
//! differ, and which together. A short random walk tells, with the same choices every time.

use std::time::{Duration, Instant};

use crate::random::Random;
use crate::sequence::settled_steps;
use crate::system::System;

/// The most steps of the walk.
const STEPS: usize = 1 << 13;
/// Of this many states on the way, one is kept.
const STRIDE: usize = 4;
/// After this many steps from the initial state the walk begins anew.
const LONGEST: usize = 1 << 11;
/// A system that shows less than this many different states in the first steps is so small that nothing has to be
/// known of it.
const FEWEST: usize = 1 << 6;
const FIRST_STEPS: usize = 1 << 9;
/// No more bytes of states are kept.
const MOST_BYTES: usize = 2 << 20;
/// The walk takes no longer than this: a single step may take as long as many states.
const LONGEST_TIME: Duration = Duration::from_millis(200);

/// Some states of a system, as far as they tell states apart; none of a small system. Only states that are
/// stored are among them.
pub(crate) fn sample<Y: System>(system: &Y) -> Vec<Vec<u8>> {
    let start = Instant::now();
    let mut random = Random::new(0);
    let mut scratch = Y::Scratch::default();
    let (mut state, mut next, mut steps) = (Vec::new(), Vec::new(), Vec::new());
    let mut met: Vec<Vec<u8>> = Vec::new();
    let mut bytes = 0;
    let mut is_begun = false;
    for number in 0..STEPS {
        if number == FIRST_STEPS {
            met.sort_unstable();
            met.dedup();
            if met.len() < FEWEST {
                return Vec::new();
            }
        }
        if start.elapsed() > LONGEST_TIME {
            break;
        }
        let begins = !is_begun || number % LONGEST == 0;
        if begins && system.initial(&mut state).is_err() {
            return Vec::new();
        }
        steps.clear();
        let leads_on = settled_steps(system, &mut state, &mut steps);
        if !system.is_passing(&state) && (number < FIRST_STEPS || number % STRIDE == 0) {
            let length = state.len() - system.ignored_suffix();
            bytes += length;
            if bytes > MOST_BYTES {
                break;
            }
            met.push(state[..length].to_vec());
        }
        is_begun = leads_on && {
            let step = steps[random.below(steps.len())];
            let outcome = system.execute(&mut scratch, &state, step, &mut next);
            std::mem::swap(&mut state, &mut next);
            outcome.complete
        };
    }
    met
}
