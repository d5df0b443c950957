//! Random formulas of temporal logic, as text that every notation reads.

use crate::random::Random;

/// A formula of about that many operators and atoms over the given atoms, without `next`.
pub fn formula(random: &mut Random, size: usize, atoms: &[String]) -> String {
    if size <= 1 {
        return format!("({})", random.pick(atoms));
    }
    if size == 2 || random.chance(35) {
        let inner = formula(random, size - 1, atoms);
        return match random.below(5) {
            0 => format!("!{inner}"),
            1 | 2 => format!("([] {inner})"),
            _ => format!("(<> {inner})"),
        };
    }
    let left = 1 + random.below(size - 2);
    let right = formula(random, size - 1 - left, atoms);
    let left = formula(random, left, atoms);
    let operator = *random.pick(&["&&", "||", "->", "<->", "U", "W", "V"]);
    format!("({left} {operator} {right})")
}
