//! Why a formula is false of an execution: its atoms along the steps, and which part of it failed when.

use mazurka_ltl::{Formula, Word, formula_words};
use mazurka_scenario::{AtomAlong, Blamed, Explanation};
use mazurka_temporal::{Lasso, Property};

use crate::load::Loaded;

impl Loaded {
    /// Explains why a formula is false of an execution: what its atoms are along the steps, and which part of it fails where. Of an execution on
    /// which an atom has no value it is neither true nor false.
    pub(crate) fn explain_formula(&self, property: &Property, lasso: &Lasso<'_>) -> Explanation {
        if lasso.defines(&property.atoms).is_err() {
            return Explanation::default();
        }
        let (word, steps) = lasso.word(&property.atoms);
        let names = property.atoms.iter().enumerate();
        let names: Vec<String> = names
            .map(|(bit, atom)| {
                let written = property.words.get(bit).cloned();
                let text = || self.program().expression_text(None, *atom);
                without_brackets(written.unwrap_or_else(text))
            })
            .collect();
        let atoms = names.iter().enumerate().map(|(bit, name)| {
            let mut changes: Vec<(usize, bool)> = Vec::new();
            for (letter, step) in word.letters.iter().zip(&steps) {
                let value = letter >> bit & 1 != 0;
                if changes.last().is_none_or(|(_, before)| *before != value) {
                    changes.push((*step, value));
                }
            }
            AtomAlong {
                text: name.clone(),
                changes,
            }
        });
        let mut blame = Blame {
            word: &word,
            steps: &steps,
            names: &names,
            blamed: Vec::new(),
        };
        blame.is_false(&property.formula, 0);
        Explanation {
            atoms: atoms.collect(),
            blame: blame.blamed,
            ..Explanation::default()
        }
    }
}

/// The text of an expression that stands by itself.
fn without_brackets(text: String) -> String {
    let inner = text
        .strip_prefix('(')
        .and_then(|text| text.strip_suffix(')'));
    let mut depth = 0;
    let is_whole = inner.is_some_and(|inner| {
        inner.chars().all(|sign| {
            depth += match sign {
                '(' => 1,
                ')' => -1,
                _ => 0,
            };
            depth >= 0
        })
    });
    match inner.filter(|_| is_whole) {
        Some(inner) => inner.to_string(),
        None => text,
    }
}

/// Goes from a formula that is false to the part of it that makes it so.
struct Blame<'a> {
    word: &'a Word,
    /// For each position of the word, the number of steps before it.
    steps: &'a [usize],
    names: &'a [String],
    blamed: Vec<Blamed>,
}

impl Blame<'_> {
    fn truth(&self, formula: &Formula) -> Vec<bool> {
        self.word.truth(formula)
    }

    fn say(&mut self, formula: &Formula, position: usize, what: &str) {
        let blamed = Blamed {
            part: formula_words(formula, self.names),
            step: self.steps[position],
            what: what.into(),
        };
        if self.blamed.last() != Some(&blamed) {
            self.blamed.push(blamed);
        }
    }

    /// Positions from one on, in the order in which they come, each once.
    fn from(&self, position: usize) -> Vec<usize> {
        let mut positions: Vec<usize> = (position..self.word.letters.len()).collect();
        positions.extend(self.word.loop_from..position.max(self.word.loop_from));
        positions
    }

    /// The first position, from one on, where a formula is as wanted.
    fn first(&self, formula: &Formula, position: usize, wanted: bool) -> Option<usize> {
        let truth = self.truth(formula);
        let mut positions = self.from(position).into_iter();
        positions.find(|at| truth[*at] == wanted)
    }

    /// The formula is false at a position: why?
    fn is_false(&mut self, formula: &Formula, at: usize) {
        use Formula::*;
        match formula {
            Constant(_) | Atom(_) => self.say(formula, at, "is false"),
            Not(inner) => self.is_true(inner, at),
            And(left, right) => {
                let failing = match self.truth(left)[at] {
                    false => left,
                    true => right,
                };
                self.is_false(failing, at);
            }
            Or(left, right) => {
                self.is_false(left, at);
                self.is_false(right, at);
            }
            Implies(left, right) => {
                self.say(left, at, "is true");
                self.is_false(right, at);
            }
            Equivalent(left, right) => match self.truth(left)[at] {
                true => self.implies_not(left, right, at),
                false => self.implies_not(right, left, at),
            },
            Next(inner) => {
                let next = self.from(at).get(1).copied();
                self.is_false(inner, next.unwrap_or(self.word.loop_from));
            }
            Always(inner) => {
                if let Some(at) = self.first(inner, at, false) {
                    self.is_false(inner, at);
                }
            }
            Eventually(inner) => self.say(inner, at, "is false, and from there on for ever"),
            Until(left, right) => match self.first(right, at, true) {
                None => self.say(right, at, "is false, and from there on for ever"),
                Some(_) => self.ends_early(left, right, at),
            },
            WeakUntil(left, right) => self.ends_early(left, right, at),
            Release(_, right) => {
                if let Some(at) = self.first(right, at, false) {
                    self.is_false(right, at);
                }
            }
        }
    }

    fn implies_not(&mut self, holding: &Formula, failing: &Formula, at: usize) {
        self.say(holding, at, "is true");
        self.is_false(failing, at);
    }

    /// `left` does not hold until `right` does.
    fn ends_early(&mut self, left: &Formula, right: &Formula, at: usize) {
        if let Some(end) = self.first(left, at, false) {
            let what = "has not been true yet";
            self.say(right, end, what);
            self.is_false(left, end);
        }
    }

    /// The formula is true at a position, where it should not be: why?
    fn is_true(&mut self, formula: &Formula, at: usize) {
        use Formula::*;
        match formula {
            Not(inner) => self.is_false(inner, at),
            And(left, right) => {
                self.is_true(left, at);
                self.is_true(right, at);
            }
            Or(left, right) => {
                let holding = match self.truth(left)[at] {
                    true => left,
                    false => right,
                };
                self.is_true(holding, at);
            }
            Eventually(inner) => {
                if let Some(at) = self.first(inner, at, true) {
                    self.is_true(inner, at);
                }
            }
            Always(inner) => self.say(inner, at, "is true, and from there on for ever"),
            _ => self.say(formula, at, "is true"),
        }
    }
}
