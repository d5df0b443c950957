//! Random formulas and words, and SPIN as the outside judge.
#![allow(dead_code)]

use std::collections::HashMap;
use std::process::Command;

use mazurka_ltl::{Buchi, Cube, Edge, Formula, State, Word, formula_text, parse};

/// A small generator of random numbers (SplitMix64).
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    pub fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit as u64) as usize
    }

    /// A formula of this size over this many atoms.
    pub fn formula(&mut self, size: usize, atoms: u32, next: bool) -> Formula {
        use Formula::*;
        if size <= 1 {
            return Atom(self.below(atoms as usize) as u32);
        }
        if size == 2 || self.below(3) == 0 {
            let inner = Box::new(self.formula(size - 1, atoms, next));
            return match self.below(if next { 5 } else { 4 }) {
                0 => Not(inner),
                1 | 2 if self.below(2) == 0 => Always(inner),
                1..=3 => Eventually(inner),
                _ => Next(inner),
            };
        }
        let left = 1 + self.below(size - 2);
        let right = Box::new(self.formula(size - 1 - left, atoms, next));
        let left = Box::new(self.formula(left, atoms, next));
        match self.below(8) {
            0 | 1 => And(left, right),
            2 | 3 => Or(left, right),
            4 => Implies(left, right),
            5 => Release(left, right),
            6 if self.below(4) == 0 => Equivalent(left, right),
            6 if self.below(2) == 0 => WeakUntil(left, right),
            _ => Until(left, right),
        }
    }

    /// A word of prefix and cycle.
    pub fn word(&mut self, atoms: u32) -> Word {
        let length = 1 + self.below(7);
        let mask = (1 << atoms) - 1;
        Word {
            letters: (0..length).map(|_| self.next() & mask).collect(),
            loop_from: self.below(length),
        }
    }
}

/// The names of atoms.
pub fn names() -> Vec<String> {
    ["p", "q", "r", "s", "t", "a", "b"]
        .map(String::from)
        .to_vec()
}

/// The formula without `W`, which `spin -f` takes for a part of an atom.
fn without_weak_until(formula: &Formula) -> Formula {
    use Formula::*;
    let inside = |part: &Formula| Box::new(without_weak_until(part));
    match formula {
        Constant(_) | Atom(_) => formula.clone(),
        Not(inner) => Not(inside(inner)),
        Next(inner) => Next(inside(inner)),
        Always(inner) => Always(inside(inner)),
        Eventually(inner) => Eventually(inside(inner)),
        And(left, right) => And(inside(left), inside(right)),
        Or(left, right) => Or(inside(left), inside(right)),
        Implies(left, right) => Implies(inside(left), inside(right)),
        Equivalent(left, right) => Equivalent(inside(left), inside(right)),
        Until(left, right) => Until(inside(left), inside(right)),
        Release(left, right) => Release(inside(left), inside(right)),
        WeakUntil(left, right) => {
            let either = Or(inside(left), inside(right));
            Release(inside(right), Box::new(either))
        }
    }
}

/// The automaton that `spin -f` makes, or `None` if it cannot in time.
pub fn spin(formula: &Formula) -> Option<Buchi> {
    let text = &formula_text(&without_weak_until(formula), &names());
    let output = Command::new("timeout")
        .args(["1", "spin", "-f", text])
        .output()
        .expect("spin is installed");
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    if !output.status.success() || !printed.contains("never") {
        return None;
    }
    Some(read_never(&printed))
}

pub fn spin_is_installed() -> bool {
    Command::new("spin").arg("-V").output().is_ok()
}

/// Reads a never claim of the form that `spin -f` prints.
fn read_never(text: &str) -> Buchi {
    let start = text.find("*/").map_or(0, |at| at + 2);
    let lines: Vec<&str> = text[start..].lines().map(str::trim).collect();
    let label_of = |line: &str| {
        line.strip_suffix(':')
            .filter(|label| label.chars().all(|c| c.is_alphanumeric() || c == '_'))
            .map(str::to_string)
    };
    // Labels that follow each other name the same state.
    let mut numbers: HashMap<String, usize> = HashMap::new();
    let mut states: Vec<State> = Vec::new();
    let mut after_label = false;
    for line in lines.iter().filter(|line| !line.is_empty()) {
        let label = label_of(line);
        if let Some(label) = &label {
            if !after_label {
                states.push(State {
                    accepting: false,
                    edges: Vec::new(),
                });
            }
            let number = states.len() - 1;
            states[number].accepting |= label.starts_with("accept");
            numbers.insert(label.clone(), number);
        }
        after_label = label.is_some();
    }
    let mut current = None;
    for line in lines {
        if let Some(label) = label_of(line) {
            current = Some(numbers[label.as_str()]);
        } else if let Some(option) = line.strip_prefix("::") {
            let number = current.expect("an option belongs to a state");
            if option.trim() == "false" {
                continue;
            }
            // What ends the claim accepts everything from there on.
            let (condition, target) = match option.split_once("-> goto") {
                Some((condition, target)) => (condition, Some(numbers[target.trim()])),
                None => {
                    let inside = option
                        .trim()
                        .strip_prefix("atomic {")
                        .unwrap_or_else(|| panic!("{text}"));
                    (inside.split("->").next().unwrap(), None)
                }
            };
            let target = target.unwrap_or_else(|| {
                states.push(State {
                    accepting: true,
                    edges: Vec::new(),
                });
                let last = states.len() - 1;
                states[last].edges.push(Edge {
                    condition: Cube::TRUE,
                    target: last,
                });
                last
            });
            let (formula, atoms) = parse(condition.trim()).expect(condition);
            for condition in cubes(&formula, &atoms, true) {
                states[number].edges.push(Edge { condition, target });
            }
        } else if line == "skip"
            && let Some(number) = current
        {
            states[number].edges.push(Edge {
                condition: Cube::TRUE,
                target: number,
            });
        }
    }
    Buchi { states }
}

/// The cubes of a propositional formula, or of its negation; atoms are named as by [`names`].
fn cubes(formula: &Formula, atoms: &[String], positive: bool) -> Vec<Cube> {
    match formula {
        Formula::Constant(value) if *value == positive => vec![Cube::TRUE],
        Formula::Constant(_) => Vec::new(),
        Formula::Not(inner) => cubes(inner, atoms, !positive),
        Formula::Atom(atom) => {
            let name = &atoms[*atom as usize];
            let number = names().iter().position(|known| known == name).expect(name);
            vec![Cube::literal(number as u32, positive)]
        }
        Formula::And(left, right) | Formula::Or(left, right) => {
            let right = cubes(right, atoms, positive);
            let left = cubes(left, atoms, positive);
            if matches!(formula, Formula::And(..)) != positive {
                return [left, right].concat();
            }
            left.iter()
                .flat_map(|a| right.iter().filter_map(|b| a.and(*b)))
                .collect()
        }
        other => panic!("{other:?}"),
    }
}
