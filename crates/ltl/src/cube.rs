//! Conjunctions of literals.

/// A conjunction of atoms and negated atoms; the empty one is true. Atoms are numbered below 64.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Cube {
    /// The atoms that must hold.
    pub positive: u64,
    /// The atoms that must not.
    pub negative: u64,
}

impl Cube {
    /// No condition.
    pub const TRUE: Cube = Cube {
        positive: 0,
        negative: 0,
    };

    /// One atom or its negation.
    pub fn literal(atom: u32, positive: bool) -> Cube {
        let bit = 1 << atom;
        match positive {
            true => Cube {
                positive: bit,
                negative: 0,
            },
            false => Cube {
                positive: 0,
                negative: bit,
            },
        }
    }

    /// Both conditions, unless they contradict each other.
    #[inline]
    pub fn and(self, other: Cube) -> Option<Cube> {
        let both = Cube {
            positive: self.positive | other.positive,
            negative: self.negative | other.negative,
        };
        (both.positive & both.negative == 0).then_some(both)
    }

    /// Is the other true whenever this one is?
    #[inline]
    pub fn implies(self, other: Cube) -> bool {
        other.positive & !self.positive == 0 && other.negative & !self.negative == 0
    }

    /// Is it true where exactly these atoms are?
    #[inline]
    pub fn holds(self, valuation: u64) -> bool {
        self.positive & !valuation == 0 && self.negative & valuation == 0
    }

    /// The one cube that is the disjunction of two that differ in the sign of one atom.
    pub fn joined(self, other: Cube) -> Option<Cube> {
        let difference = self.positive ^ other.positive;
        let opposite = difference.is_power_of_two() && difference == self.negative ^ other.negative;
        opposite.then_some(Cube {
            positive: self.positive & other.positive,
            negative: self.negative & other.negative,
        })
    }
}
