//! Messages and what a receive asks of them, as far as they are known before the program runs.

use std::cmp::Ordering;
use std::fmt;

/// One field of a message sent, or of what a receive asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Field {
    /// The receive takes whatever is there.
    Any,
    /// This value is sent, or asked for.
    Constant(i64),
    /// A value is sent or asked for, but it is not known which.
    Unknown,
}

/// A message, or what a receive asks of one, field by field.
///
/// Small enough to be copied freely: the constants of the first four fields are kept, if they fit
/// in 32 bits, and other constants count as unknown, which is safe.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Pattern {
    /// The fields that are not `Any`, a bit each; the last bit stands for all from 31 on.
    demanding: u32,
    /// The fields of which the constant is kept, a bit each.
    known: u32,
    /// These constants; zero elsewhere.
    constants: [i32; KEPT],
}

const KEPT: usize = 4;
const LAST: usize = 31;

impl Pattern {
    /// What a receive that takes anything asks for.
    pub const ANY: Pattern = Pattern {
        demanding: 0,
        known: 0,
        constants: [0; KEPT],
    };

    /// A message of which nothing is known, or a demand for one.
    pub const UNKNOWN: Pattern = Pattern {
        demanding: u32::MAX,
        known: 0,
        constants: [0; KEPT],
    };

    /// A pattern from all its fields, in order.
    pub fn new(fields: &[Field]) -> Pattern {
        let mut pattern = Pattern::ANY;
        for (index, field) in fields.iter().enumerate() {
            if *field == Field::Any {
                continue;
            }
            pattern.demanding |= 1 << index.min(LAST);
            if let Field::Constant(constant) = *field
                && index < KEPT
                && let Ok(constant) = i32::try_from(constant)
            {
                pattern.known |= 1 << index;
                pattern.constants[index] = constant;
            }
        }
        pattern
    }

    /// A message of which every field is known.
    pub fn message(fields: &[i64]) -> Pattern {
        let mut pattern = Pattern::ANY;
        for (index, field) in fields.iter().enumerate() {
            pattern.demanding |= 1 << index.min(LAST);
            if index < KEPT
                && let Ok(constant) = i32::try_from(*field)
            {
                pattern.known |= 1 << index;
                pattern.constants[index] = constant;
            }
        }
        pattern
    }

    /// Whether it asks for nothing, so that every message meets it.
    #[inline]
    pub fn is_any(self) -> bool {
        self.demanding == 0
    }

    /// Whether one message may meet both.
    #[inline]
    pub fn overlaps(self, other: Pattern) -> bool {
        self.known & other.known & !self.equal(other) == 0
    }

    /// Whether every message that meets `other` surely meets this.
    #[inline]
    pub fn accepts(self, other: Pattern) -> bool {
        self.demanding & !self.equal(other) == 0
    }

    /// Whether the message `met` may meet it while the message `missed` does not.
    #[inline]
    pub fn may_separate(self, met: Pattern, missed: Pattern) -> bool {
        let same = met.equal(missed) | self.equal(missed);
        self.overlaps(met) && self.demanding & !same != 0
    }

    /// Whether some message that meets this may come before one that meets `other` in the order of
    /// messages, which is that of the first field that differs. One of them is a message.
    #[inline]
    pub fn may_precede(self, other: Pattern) -> bool {
        for index in 0..KEPT {
            let bit = 1 << index;
            if self.known & other.known & bit == 0 {
                return (self.demanding | other.demanding) & bit != 0;
            }
            match self.constants[index].cmp(&other.constants[index]) {
                Ordering::Less => return true,
                Ordering::Greater => return false,
                Ordering::Equal => {}
            }
        }
        (self.demanding | other.demanding) >> KEPT != 0
    }

    /// Whether a message meets it; `None` if that hangs on a constant that is not known.
    pub fn matches(self, message: &[i64]) -> Option<bool> {
        let message = Pattern::message(message);
        if !self.overlaps(message) {
            Some(false)
        } else if self.accepts(message) {
            Some(true)
        } else {
            None
        }
    }

    /// The fields of a message of which every field is known; `None` if some are not.
    pub(crate) fn known_fields(self) -> Option<Vec<i64>> {
        let count = self.known.trailing_ones() as usize;
        (self.known == self.demanding).then(|| {
            self.constants[..count]
                .iter()
                .map(|&constant| constant.into())
                .collect()
        })
    }

    /// The fields in which both ask for the same known constant, a bit each.
    #[inline]
    fn equal(self, other: Pattern) -> u32 {
        let mut equal = 0;
        for index in 0..KEPT {
            equal |= u32::from(self.constants[index] == other.constants[index]) << index;
        }
        equal & self.known & other.known
    }
}

/// Its fields with commas between, `_` for any and `?` for unknown; what follows the last field
/// that is asked for is left out.
impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Pattern::ANY => return f.write_str("_"),
            Pattern::UNKNOWN => return f.write_str("?"),
            _ => {}
        }
        let count = u32::BITS - self.demanding.leading_zeros();
        for index in 0..count as usize {
            if index > 0 {
                f.write_str(",")?;
            }
            if self.known >> index & 1 == 1 {
                write!(f, "{}", self.constants[index])?;
            } else {
                f.write_str(if self.demanding >> index & 1 == 1 {
                    "?"
                } else {
                    "_"
                })?;
            }
        }
        Ok(())
    }
}

/// The same as displayed: the bits say less.
impl fmt::Debug for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Field::{Any, Constant, Unknown};

    #[test]
    fn constants_out_of_reach_are_unknown() {
        let far = Pattern::new(&[Any, Any, Any, Any, Constant(7)]);
        let large = Pattern::new(&[Constant(1 << 40)]);
        assert_eq!(far.to_string(), "_,_,_,_,?");
        assert_eq!(large.to_string(), "?");
        assert_eq!(large.matches(&[1 << 40]), None);
        assert!(far.overlaps(Pattern::message(&[0, 0, 0, 0, 8])));
        assert!(!far.accepts(Pattern::message(&[0, 0, 0, 0, 7])));
        assert!(!Pattern::message(&[0; 40]).accepts(Pattern::message(&[0; 40])));
    }

    #[test]
    fn order_is_that_of_the_first_difference() {
        let message = Pattern::message(&[1, 5]);
        assert!(message.may_precede(Pattern::message(&[2, 0])));
        assert!(message.may_precede(Pattern::message(&[1, 6])));
        assert!(!message.may_precede(message));
        assert!(!message.may_precede(Pattern::message(&[0, 9])));
        assert!(message.may_precede(Pattern::new(&[Constant(1), Unknown])));
        assert!(!message.may_precede(Pattern::new(&[Constant(0), Unknown])));
        assert!(Pattern::message(&[0; 5]).may_precede(Pattern::message(&[0; 5])));
    }
}
