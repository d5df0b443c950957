//! Whether a reduction is worth its price, found out before the search.
//!
//! A search for safety properties stops looking for smaller sets where it finds none. Under a claim that is not possible: what is left out
//! must not depend on the search. So a short walk tells beforehand, always the same one, and if hardly
//! anything can be left out, nothing is, in no state.

use std::collections::HashSet;

use mazurka_model::Interpreter;
use mazurka_search::{System, settled_steps};

use crate::reduction::Invisible;

/// The most states that are looked at.
const STATES: usize = 1 << 10;
/// After each this many it may be clear already that it pays.
const FEW_STATES: usize = 1 << 6;
/// Once this many in a row were met before, the walk has seen what there is; one step of a small system may take as long as all else.
const KNOWN_IN_A_ROW: usize = 1 << 7;
/// Steps of atomic sequences count as well, so that the walk ends.
const STEPS: usize = 1 << 13;

impl Invisible {
    /// Is there a state in a short walk through the system, or rather are there enough, in which steps can be left out?
    pub fn pays(&mut self, interpreter: &Interpreter) -> bool {
        self.walk(interpreter).0
    }

    /// Whether it pays, and how many steps it took to know.
    fn walk(&mut self, interpreter: &Interpreter) -> (bool, usize) {
        let mut scratch = <Interpreter as System>::Scratch::default();
        let (mut state, mut next, mut steps) = (Vec::new(), Vec::new(), Vec::new());
        let (mut states, mut possible, mut chosen) = (0, 0, 0);
        let (mut met, mut known_in_a_row) = (HashSet::new(), 0);
        let mut is_begun = false;
        let mut taken = 0;
        for number in 0..STEPS {
            if !is_begun && System::initial(interpreter, &mut state).is_err() {
                return (true, taken);
            }
            steps.clear();
            let leads_on = settled_steps(interpreter, &mut state, &mut steps);
            if !System::is_passing(interpreter, &state) {
                possible += steps.len();
                chosen += self.choose(interpreter, &state, &mut steps);
                states += 1;
                if states % FEW_STATES == 0 && chosen * 10 < possible * 9 {
                    return (true, taken);
                }
                known_in_a_row = match met.insert(state.clone()) {
                    true => 0,
                    false => known_in_a_row + 1,
                };
                if states == STATES || known_in_a_row == KNOWN_IN_A_ROW {
                    break;
                }
            }
            is_begun = leads_on && {
                let chance = (number as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 33;
                let step = steps[chance as usize % steps.len()];
                let outcome = System::execute(interpreter, &mut scratch, &state, step, &mut next);
                taken += 1;
                if outcome.failure.is_some() {
                    // A search will not be long. And the step may be one that never ends.
                    return (true, taken);
                }
                std::mem::swap(&mut state, &mut next);
                outcome.complete
            };
        }
        (chosen * 100 <= possible * 97, taken)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Watch, acceptance};

    /// The steps of such a walk may each be as long as a whole search.
    #[test]
    fn a_system_of_few_states_is_walked_a_short_way() {
        let model = "byte n; active proctype p() {\n\
            accept: do :: d_step { do :: n < 200 -> n++ :: else -> break od; n = 0 } od }";
        let interpreter = crate::tests::interpreter(model);
        let watch = Watch {
            marks: true,
            stutter: true,
            fair: false,
            total: true,
        };
        let reduction = Invisible::new(&interpreter, &acceptance(), watch, true);
        let (pays, taken) = reduction.expect("a reduction").walk(&interpreter);
        assert!(!pays);
        assert!(taken <= 2 * KNOWN_IN_A_ROW, "{taken} steps");
    }
}
