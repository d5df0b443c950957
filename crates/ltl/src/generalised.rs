//! Generalised Büchi automata with marks on transitions, and how a formula becomes one.
//!
//! A state is a set of formulas that all have to hold from now on. Each formula gives, as a very
//! weak alternating automaton would, a list of *moves*: a condition on the present state and the
//! formulas that must hold next. The moves of a set are the combinations of its members' moves (Gastin and
//! Oddoux 2001, sections 3 and 4). For each `a U b` there is a mark: a transition carries it unless it
//! puts the `U` off. A run is accepted if it meets every mark again and again.

use std::collections::HashMap;

use crate::components::Components;
use crate::cube::Cube;
use crate::normal::{FALSE, Node, NodeId, Nodes};
use crate::translate::{Patience, Untranslated};

/// An automaton that accepts a run if it meets every mark again and again.
#[derive(Clone, PartialEq, Debug)]
pub struct Generalised {
    /// For each state, its transitions. The first state is the initial one.
    pub states: Vec<Vec<Transition>>,
    /// The number of marks.
    pub marks: u32,
    /// If states accept instead of transitions: for each state, whether it does. A run then has to
    /// meet such states again and again, and there are no marks.
    pub accepting: Option<Vec<bool>>,
}

/// A transition.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Transition {
    /// What must be true of the present state.
    pub condition: Cube,
    /// The next state.
    pub target: usize,
    /// The marks it carries, as bits.
    pub marks: u64,
}

/// A construction that would become larger than this is given up.
const MOST_TRANSITIONS: usize = 200_000;

/// Builds the automaton of a formula, or gives up if it becomes too large.
pub fn generalised(
    nodes: &Nodes,
    formula: NodeId,
    patience: Patience<'_>,
) -> Result<Generalised, Untranslated> {
    let mut builder = Builder {
        nodes,
        patience,
        untils: untils(nodes, formula),
        moves: HashMap::new(),
        numbers: HashMap::new(),
        open: Vec::new(),
    };
    if builder.untils.len() > 64 {
        return Err(Untranslated::TooLarge);
    }
    let initial = if formula == crate::normal::TRUE {
        Vec::new()
    } else {
        vec![formula]
    };
    builder.number(initial);
    let mut states = Vec::new();
    let mut total = 0;
    while let Some(set) = builder.open.get(states.len()).cloned() {
        let transitions = builder.transitions(&set)?;
        total += transitions.len();
        if total > MOST_TRANSITIONS {
            return Err(Untranslated::TooLarge);
        }
        states.push(transitions);
    }
    let mut automaton = Generalised {
        states,
        marks: builder.untils.len() as u32,
        accepting: None,
    };
    automaton.tidy(patience)?;
    Ok(automaton)
}

/// A condition on the present state, and what must hold next.
#[derive(Clone, PartialEq, Debug)]
struct Move {
    condition: Cube,
    next: Vec<NodeId>,
    /// The `U` formulas of the present set that it puts off, as bits.
    put_off: u64,
}

struct Builder<'n> {
    nodes: &'n Nodes,
    patience: Patience<'n>,
    untils: Vec<NodeId>,
    moves: HashMap<NodeId, Vec<Move>>,
    numbers: HashMap<Vec<NodeId>, usize>,
    /// The states in the order of their numbers.
    open: Vec<Vec<NodeId>>,
}

/// All `U` formulas inside a formula.
fn untils(nodes: &Nodes, formula: NodeId) -> Vec<NodeId> {
    let mut seen = vec![formula];
    let mut index = 0;
    while index < seen.len() {
        let parts = match nodes.node(seen[index]) {
            Node::True | Node::False | Node::Literal(..) => Vec::new(),
            Node::And(parts) | Node::Or(parts) => parts.clone(),
            Node::Next(inner) => vec![*inner],
            Node::Until(left, right) | Node::Release(left, right) => vec![*left, *right],
        };
        for part in parts {
            if !seen.contains(&part) {
                seen.push(part);
            }
        }
        index += 1;
    }
    seen.retain(|id| matches!(nodes.node(*id), Node::Until(..)));
    seen
}

impl Builder<'_> {
    fn number(&mut self, set: Vec<NodeId>) -> usize {
        if let Some(known) = self.numbers.get(&set) {
            return *known;
        }
        self.open.push(set.clone());
        self.numbers.insert(set, self.open.len() - 1);
        self.open.len() - 1
    }

    /// The moves of one formula.
    fn moves_of(&mut self, id: NodeId) -> Result<Vec<Move>, Untranslated> {
        if let Some(known) = self.moves.get(&id) {
            return Ok(known.clone());
        }
        let nowhere = |condition| Move {
            condition,
            next: Vec::new(),
            put_off: 0,
        };
        let moves = match self.nodes.node(id).clone() {
            Node::True => vec![nowhere(Cube::TRUE)],
            Node::False => Vec::new(),
            Node::Literal(atom, positive) => vec![nowhere(Cube::literal(atom, positive))],
            Node::And(parts) => self.moves_of_all(&parts)?,
            Node::Or(parts) => {
                let mut all = Vec::new();
                for part in parts {
                    all.extend(self.moves_of(part)?);
                }
                all
            }
            Node::Next(inner) => self
                .alternatives(inner)?
                .into_iter()
                .map(|next| Move {
                    condition: Cube::TRUE,
                    next,
                    put_off: 0,
                })
                .collect(),
            Node::Until(left, right) => {
                let mut moves = self.moves_of(right)?;
                let stays = self.moves_of(left)?;
                moves.extend(product(&stays, &[put_off(id)])?);
                moves
            }
            Node::Release(left, right) => {
                let mut leaves = self.moves_of(left)?;
                leaves.push(put_off(id));
                let holds = self.moves_of(right)?;
                product(&holds, &leaves)?
            }
        };
        let moves = least(moves, self.patience)?;
        self.moves.insert(id, moves.clone());
        Ok(moves)
    }

    fn moves_of_all(&mut self, parts: &[NodeId]) -> Result<Vec<Move>, Untranslated> {
        let mut all = vec![Move {
            condition: Cube::TRUE,
            next: Vec::new(),
            put_off: 0,
        }];
        for part in parts {
            let moves = self.moves_of(*part)?;
            all = least(product(&all, &moves)?, self.patience)?;
        }
        Ok(all)
    }

    /// The sets of formulas that a formula is a disjunction of.
    fn alternatives(&self, id: NodeId) -> Result<Vec<Vec<NodeId>>, Untranslated> {
        match self.nodes.node(id) {
            Node::True => Ok(vec![Vec::new()]),
            Node::False => Ok(Vec::new()),
            Node::Or(parts) => {
                let mut all = Vec::new();
                for part in parts {
                    all.extend(self.alternatives(*part)?);
                }
                Ok(all)
            }
            Node::And(parts) => {
                let mut all = vec![Vec::new()];
                for part in parts {
                    let more = self.alternatives(*part)?;
                    if all.len() * more.len() > MOST_TRANSITIONS {
                        return Err(Untranslated::TooLarge);
                    }
                    all = all
                        .iter()
                        .flat_map(|set| more.iter().map(|other| union(set, other)))
                        .collect();
                }
                Ok(all)
            }
            _ => Ok(vec![vec![id]]),
        }
    }

    /// The transitions of a set of formulas.
    fn transitions(&mut self, set: &[NodeId]) -> Result<Vec<Transition>, Untranslated> {
        let mut moves = vec![Move {
            condition: Cube::TRUE,
            next: Vec::new(),
            put_off: 0,
        }];
        for id in set {
            let mut own = self.moves_of(*id)?;
            if let Some(number) = self.untils.iter().position(|until| until == id) {
                for own in &mut own {
                    own.put_off |= u64::from(own.next.contains(id)) << number;
                }
            }
            moves = least(product(&moves, &own)?, self.patience)?;
        }
        let mut marked: Vec<(Move, u64)> = Vec::new();
        for next in moves {
            self.patience.check()?;
            if next.next.contains(&FALSE) {
                continue;
            }
            let marks = self.marks(&next)?;
            // A transition with more room, fewer obligations and more marks makes this one
            // superfluous.
            let covers = |(a, a_marks): &(Move, u64), (b, b_marks): &(Move, u64)| {
                b.condition.implies(a.condition)
                    && is_subset(&a.next, &b.next)
                    && b_marks & !a_marks == 0
            };
            let candidate = (next, marks);
            if !marked.iter().any(|other| covers(other, &candidate)) {
                marked.retain(|other| !covers(&candidate, other));
                marked.push(candidate);
            }
        }
        let transitions = marked.into_iter().map(|(next, marks)| Transition {
            condition: next.condition,
            target: self.number(next.next),
            marks,
        });
        let mut transitions: Vec<_> = transitions.collect();
        transitions.sort_unstable();
        Ok(transitions)
    }

    /// Which `U` formulas a move does not put off.
    fn marks(&mut self, step: &Move) -> Result<u64, Untranslated> {
        let mut marks = 0;
        for (number, until) in self.untils.clone().into_iter().enumerate() {
            let is_put_off = step.next.contains(&until)
                && !self.moves_of(until)?.iter().any(|own| {
                    step.condition.implies(own.condition)
                        && !own.next.contains(&until)
                        && is_subset(&own.next, &step.next)
                });
            if !is_put_off {
                marks |= 1 << number;
            }
        }
        Ok(marks)
    }
}

fn put_off(id: NodeId) -> Move {
    Move {
        condition: Cube::TRUE,
        next: vec![id],
        put_off: 0,
    }
}

/// Both moves at once, in all combinations.
fn product(first: &[Move], second: &[Move]) -> Result<Vec<Move>, Untranslated> {
    if first.len() * second.len() > MOST_TRANSITIONS {
        return Err(Untranslated::TooLarge);
    }
    let mut all = Vec::new();
    for a in first {
        for b in second {
            if let Some(condition) = a.condition.and(b.condition) {
                let next = union(&a.next, &b.next);
                let put_off = a.put_off | b.put_off;
                all.push(Move {
                    condition,
                    next,
                    put_off,
                });
            }
        }
    }
    Ok(all)
}

/// The moves that no other makes superfluous.
fn least(moves: Vec<Move>, patience: Patience<'_>) -> Result<Vec<Move>, Untranslated> {
    if moves.len() > MOST_TRANSITIONS / 10 {
        return Err(Untranslated::TooLarge);
    }
    let covers = |a: &Move, b: &Move| {
        b.condition.implies(a.condition)
            && is_subset(&a.next, &b.next)
            && a.put_off & !b.put_off == 0
    };
    let mut kept: Vec<Move> = Vec::new();
    for candidate in moves {
        patience.check()?;
        if !kept.iter().any(|other| covers(other, &candidate)) {
            kept.retain(|other| !covers(&candidate, other));
            kept.push(candidate);
        }
    }
    Ok(kept)
}

fn union(first: &[NodeId], second: &[NodeId]) -> Vec<NodeId> {
    let mut both = [first, second].concat();
    both.sort_unstable();
    both.dedup();
    both
}

fn is_subset(first: &[NodeId], second: &[NodeId]) -> bool {
    first.iter().all(|id| second.contains(id))
}

impl Generalised {
    /// All marks.
    pub fn all_marks(&self) -> u64 {
        match self.marks {
            64 => u64::MAX,
            marks => (1 << marks) - 1,
        }
    }

    /// Makes the automaton smaller without changing its language: merges states with the same
    /// transitions, forgets marks that do not matter, removes states from which nothing is accepted.
    pub fn tidy(&mut self, patience: Patience<'_>) -> Result<(), Untranslated> {
        loop {
            self.normalise_marks();
            let before = self.states.len();
            self.join_conditions(patience)?;
            self.merge_equal();
            self.drop_unreached();
            if self.states.len() == before {
                return Ok(());
            }
        }
    }

    /// Removes states from which nothing is accepted, and marks outside accepting components.
    fn normalise_marks(&mut self) {
        let components = Components::of(self.states.len(), |state| {
            self.states[state].iter().map(|t| t.target)
        });
        let mut marks_of = vec![0u64; components.count];
        let mut has_cycle = vec![false; components.count];
        let mut has_accepting = vec![self.accepting.is_none(); components.count];
        for (state, transitions) in self.states.iter().enumerate() {
            let component = components.number[state];
            has_accepting[component] |= self.is_accepting(state);
            for transition in transitions {
                if components.number[transition.target] == component {
                    marks_of[component] |= transition.marks;
                    has_cycle[component] = true;
                }
            }
        }
        let all = self.all_marks();
        let accepting: Vec<bool> = (0..components.count)
            .map(|number| has_cycle[number] && marks_of[number] == all && has_accepting[number])
            .collect();
        // Components are numbered from the leaves up.
        let mut useful = accepting.clone();
        let mut order: Vec<usize> = (0..self.states.len()).collect();
        order.sort_by_key(|state| components.number[*state]);
        for state in order {
            let component = components.number[state];
            let leads = |t: &Transition| useful[components.number[t.target]];
            if self.states[state].iter().any(leads) {
                useful[component] = true;
            }
        }
        for (state, transitions) in self.states.iter_mut().enumerate() {
            let component = components.number[state];
            transitions.retain(|t| useful[components.number[t.target]]);
            for transition in transitions.iter_mut() {
                let stays = components.number[transition.target] == component;
                if !(stays && accepting[component]) {
                    transition.marks = 0;
                }
            }
            transitions.sort_unstable();
            transitions.dedup();
            if let Some(marked) = &mut self.accepting {
                marked[state] &= accepting[component];
            }
        }
        self.accept_where_it_cannot_be_avoided(&components, &accepting);
    }

    /// If every cycle of a component goes through an accepting state, all its states may accept.
    fn accept_where_it_cannot_be_avoided(&mut self, components: &Components, accepting: &[bool]) {
        let Some(marked) = self.accepting.clone() else {
            return;
        };
        let inner = Components::of(self.states.len(), |state| {
            let stays = |t: &&Transition| {
                let target = t.target;
                !marked[state]
                    && !marked[target]
                    && components.number[target] == components.number[state]
            };
            let targets: Vec<usize> = self.states[state]
                .iter()
                .filter(stays)
                .map(|t| t.target)
                .collect();
            targets.into_iter()
        });
        let mut avoidable = vec![false; components.count];
        for (state, transitions) in self.states.iter().enumerate() {
            for transition in transitions {
                if !marked[state]
                    && !marked[transition.target]
                    && inner.number[state] == inner.number[transition.target]
                {
                    avoidable[components.number[state]] = true;
                }
            }
        }
        if let Some(marked) = &mut self.accepting {
            for (state, marked) in marked.iter_mut().enumerate() {
                let component = components.number[state];
                *marked |= accepting[component] && !avoidable[component];
            }
        }
    }

    /// Does the state itself accept?
    pub fn is_accepting(&self, state: usize) -> bool {
        self.accepting.as_ref().is_some_and(|marked| marked[state])
    }

    /// Two transitions that differ in the sign of one atom are one.
    fn join_conditions(&mut self, patience: Patience<'_>) -> Result<(), Untranslated> {
        let mut states = self.states.iter_mut();
        states.try_for_each(|transitions| join_conditions(transitions, patience))
    }

    fn merge_equal(&mut self) {
        loop {
            let mut known: HashMap<(&Vec<Transition>, bool), usize> = HashMap::new();
            let mut representative = vec![0; self.states.len()];
            let mut merged = false;
            for (state, transitions) in self.states.iter().enumerate() {
                let key = (transitions, self.is_accepting(state));
                representative[state] = *known.entry(key).or_insert(state);
                merged |= representative[state] != state;
            }
            if !merged {
                return;
            }
            for transitions in &mut self.states {
                for transition in transitions.iter_mut() {
                    transition.target = representative[transition.target];
                }
                transitions.sort_unstable();
                transitions.dedup();
            }
            self.drop_unreached();
        }
    }

    fn drop_unreached(&mut self) {
        let mut numbers: Vec<Option<usize>> = vec![None; self.states.len()];
        let mut order = vec![0];
        numbers[0] = Some(0);
        let mut index = 0;
        while index < order.len() {
            for transition in &self.states[order[index]] {
                if numbers[transition.target].is_none() {
                    numbers[transition.target] = Some(order.len());
                    order.push(transition.target);
                }
            }
            index += 1;
        }
        if let Some(marked) = &mut self.accepting {
            *marked = order.iter().map(|state| marked[*state]).collect();
        }
        let mut states = Vec::new();
        for state in order {
            let mut transitions = std::mem::take(&mut self.states[state]);
            for transition in &mut transitions {
                transition.target = numbers[transition.target].unwrap_or(0);
            }
            transitions.sort_unstable();
            states.push(transitions);
        }
        self.states = states;
    }
}

/// Joins transitions that differ only in the sign of one atom, and drops covered ones.
pub(crate) fn join_conditions(
    transitions: &mut Vec<Transition>,
    patience: Patience<'_>,
) -> Result<(), Untranslated> {
    let covers = |a: &Transition, b: &Transition| {
        a.target == b.target && b.condition.implies(a.condition) && b.marks & !a.marks == 0
    };
    let mut changed = true;
    while changed {
        changed = false;
        patience.check()?;
        'pairs: for first in 0..transitions.len() {
            for second in 0..transitions.len() {
                if first == second {
                    continue;
                }
                let (a, b) = (transitions[first], transitions[second]);
                if covers(&a, &b) {
                    transitions.remove(second);
                    changed = true;
                    break 'pairs;
                }
                if a.target == b.target
                    && a.marks == b.marks
                    && let Some(joined) = a.condition.joined(b.condition)
                {
                    transitions[first].condition = joined;
                    transitions.remove(second);
                    changed = true;
                    break 'pairs;
                }
            }
        }
    }
    transitions.sort_unstable();
    Ok(())
}
