//! Formulas as they are written.

/// A formula has at most this many atoms.
pub const MOST_ATOMS: usize = 64;

/// A formula of linear temporal logic over numbered atoms.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Formula {
    /// A literal truth value.
    Constant(bool),
    /// An atom, numbered below [`MOST_ATOMS`].
    Atom(u32),
    /// Not.
    Not(Box<Formula>),
    /// Both.
    And(Box<Formula>, Box<Formula>),
    /// At least one.
    Or(Box<Formula>, Box<Formula>),
    /// If the left side, then the right.
    Implies(Box<Formula>, Box<Formula>),
    /// Both or none.
    Equivalent(Box<Formula>, Box<Formula>),
    /// In the next state.
    Next(Box<Formula>),
    /// From now on for ever.
    Always(Box<Formula>),
    /// Now or some time later.
    Eventually(Box<Formula>),
    /// The right side some time, the left side until then.
    Until(Box<Formula>, Box<Formula>),
    /// The left side until the right side, or for ever.
    WeakUntil(Box<Formula>, Box<Formula>),
    /// The right side up to and including the moment the left side holds, or for ever.
    Release(Box<Formula>, Box<Formula>),
}

impl Formula {
    /// The formula that is true where this one is not.
    pub fn negation(&self) -> Formula {
        match self {
            Formula::Not(inner) => (**inner).clone(),
            other => Formula::Not(Box::new(other.clone())),
        }
    }

    /// The parts directly below.
    pub fn operands(&self) -> Vec<&Formula> {
        use Formula::*;
        match self {
            Constant(_) | Atom(_) => Vec::new(),
            Not(inner) | Next(inner) | Always(inner) | Eventually(inner) => vec![inner],
            And(left, right)
            | Or(left, right)
            | Implies(left, right)
            | Equivalent(left, right)
            | Until(left, right)
            | WeakUntil(left, right)
            | Release(left, right) => vec![left, right],
        }
    }

    /// Does it speak of the next state? Then stuttering changes its truth.
    pub fn has_next(&self) -> bool {
        matches!(self, Formula::Next(_)) || self.operands().into_iter().any(Formula::has_next)
    }

    /// The number of operators and atoms.
    pub fn size(&self) -> usize {
        1 + self
            .operands()
            .into_iter()
            .map(Formula::size)
            .sum::<usize>()
    }

    /// The atoms in it, as bits.
    pub fn atoms(&self) -> u64 {
        match self {
            Formula::Atom(atom) => 1 << atom,
            _ => self
                .operands()
                .into_iter()
                .fold(0, |atoms, operand| atoms | operand.atoms()),
        }
    }

    /// For each implication that can make the formula true by its left side being false, the
    /// formula with that implication replaced by the negation of its left side. If one of these
    /// holds as well, the right side does not matter: the formula holds vacuously (Beer,
    /// Ben-David, Eisner and Rodeh 1997).
    pub fn without_consequents(&self) -> Vec<Formula> {
        let mut found = Vec::new();
        self.replace_consequents(true, &|formula| formula, &mut found);
        found
    }

    fn replace_consequents(
        &self,
        positive: bool,
        around: &dyn Fn(Formula) -> Formula,
        found: &mut Vec<Formula>,
    ) {
        use Formula::*;
        match self {
            Constant(_) | Atom(_) | Equivalent(..) => {}
            Not(inner) => {
                inner.replace_consequents(!positive, &|part| around(Not(part.into())), found);
            }
            Next(inner) => {
                inner.replace_consequents(positive, &|part| around(Next(part.into())), found);
            }
            Always(inner) => {
                inner.replace_consequents(positive, &|part| around(Always(part.into())), found);
            }
            Eventually(inner) => {
                let around = |part: Formula| around(Eventually(part.into()));
                inner.replace_consequents(positive, &around, found);
            }
            Implies(left, right) => {
                if positive {
                    found.push(around(left.negation()));
                }
                let in_left = |part: Formula| around(Implies(part.into(), right.clone()));
                left.replace_consequents(!positive, &in_left, found);
                let in_right = |part: Formula| around(Implies(left.clone(), part.into()));
                right.replace_consequents(positive, &in_right, found);
            }
            And(left, right)
            | Or(left, right)
            | Until(left, right)
            | WeakUntil(left, right)
            | Release(left, right) => {
                let rebuilt = |left: Box<Formula>, right: Box<Formula>| match self {
                    And(..) => And(left, right),
                    Or(..) => Or(left, right),
                    Until(..) => Until(left, right),
                    WeakUntil(..) => WeakUntil(left, right),
                    _ => Release(left, right),
                };
                let in_left = |part: Formula| around(rebuilt(part.into(), right.clone()));
                left.replace_consequents(positive, &in_left, found);
                let in_right = |part: Formula| around(rebuilt(left.clone(), part.into()));
                right.replace_consequents(positive, &in_right, found);
            }
        }
    }
}
