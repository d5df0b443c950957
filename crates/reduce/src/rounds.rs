//! Rounds over the locations of a program, until nothing changes any more.

use std::ops::Range;

/// Visits all numbers again and again, until a whole round changes nothing; a visit says whether it has changed anything.
///
/// It goes down and up in turn. What lies ahead travels against the steps: in rounds that only go down, a long chain of steps
/// backwards would take a round for each of its locations.
pub(crate) fn until_stable(numbers: Range<usize>, mut visit: impl FnMut(usize) -> bool) {
    loop {
        let mut changed = false;
        for number in numbers.clone().rev() {
            changed |= visit(number);
        }
        if !changed {
            return;
        }
        changed = false;
        for number in numbers.clone() {
            changed |= visit(number);
        }
        if !changed {
            return;
        }
    }
}
