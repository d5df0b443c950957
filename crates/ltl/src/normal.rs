//! Formulas in negation normal form, shared and simplified.
//!
//! Nodes live in a table and are built by functions that simplify: Etessami and Holzmann 2000
//! (section 3: pure eventualities and universalities), Somenzi and Bloem 2000 (section 2: rewriting
//! by syntactic implication). `<> a` is `true U a`, `[] a` is `false R a`.

use std::collections::HashMap;

use crate::formula::Formula;

/// The number of a node.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct NodeId(pub u32);

/// A formula in negation normal form.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Node {
    /// True.
    True,
    /// False.
    False,
    /// An atom, or its negation.
    Literal(u32, bool),
    /// All of these, at least two, sorted.
    And(Vec<NodeId>),
    /// One of these, at least two, sorted.
    Or(Vec<NodeId>),
    /// In the next state.
    Next(NodeId),
    /// The second some time, the first until then.
    Until(NodeId, NodeId),
    /// The second up to and including the moment of the first, or for ever.
    Release(NodeId, NodeId),
}

/// The table of nodes.
#[derive(Debug)]
pub struct Nodes {
    nodes: Vec<Node>,
    known: HashMap<Node, NodeId>,
    negations: HashMap<NodeId, NodeId>,
    implied: HashMap<(NodeId, NodeId), bool>,
    /// Pure eventualities: true of a word if true of one of its suffixes.
    eventual: Vec<bool>,
    /// Pure universalities: true of all suffixes of a word if true of the word.
    universal: Vec<bool>,
}

/// True.
pub const TRUE: NodeId = NodeId(0);
/// False.
pub const FALSE: NodeId = NodeId(1);

impl Default for Nodes {
    fn default() -> Nodes {
        let mut nodes = Nodes {
            nodes: Vec::new(),
            known: HashMap::new(),
            negations: HashMap::new(),
            implied: HashMap::new(),
            eventual: Vec::new(),
            universal: Vec::new(),
        };
        nodes.intern(Node::True);
        nodes.intern(Node::False);
        nodes
    }
}

impl Nodes {
    /// A node by its number.
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.0 as usize]
    }

    /// The normal form of a formula, or of its negation.
    pub fn normal(&mut self, formula: &Formula, positive: bool) -> NodeId {
        let truth = |value: bool| if value { TRUE } else { FALSE };
        match formula {
            Formula::Constant(value) => truth(*value == positive),
            Formula::Atom(atom) => self.intern(Node::Literal(*atom, positive)),
            Formula::Not(inner) => self.normal(inner, !positive),
            Formula::And(left, right) | Formula::Or(left, right) => {
                let parts = vec![self.normal(left, positive), self.normal(right, positive)];
                match matches!(formula, Formula::And(..)) == positive {
                    true => self.and(parts),
                    false => self.or(parts),
                }
            }
            Formula::Implies(left, right) => {
                let parts = vec![self.normal(left, !positive), self.normal(right, positive)];
                if positive {
                    self.or(parts)
                } else {
                    self.and(parts)
                }
            }
            Formula::Equivalent(left, right) => {
                let both = vec![self.normal(left, true), self.normal(right, positive)];
                let none = vec![self.normal(left, false), self.normal(right, !positive)];
                let parts = vec![self.and(both), self.and(none)];
                self.or(parts)
            }
            Formula::Next(inner) => {
                let inner = self.normal(inner, positive);
                self.next(inner)
            }
            Formula::Always(inner) | Formula::Eventually(inner) => {
                let inner = self.normal(inner, positive);
                match matches!(formula, Formula::Eventually(_)) == positive {
                    true => self.until(TRUE, inner),
                    false => self.release(FALSE, inner),
                }
            }
            Formula::Until(left, right) | Formula::Release(left, right) => {
                let left = self.normal(left, positive);
                let right = self.normal(right, positive);
                match matches!(formula, Formula::Until(..)) == positive {
                    true => self.until(left, right),
                    false => self.release(left, right),
                }
            }
            // a W b is b R (a || b); its negation is !b U (!a && !b).
            Formula::WeakUntil(left, right) => {
                let left = self.normal(left, positive);
                let right = self.normal(right, positive);
                if positive {
                    let either = self.or(vec![left, right]);
                    self.release(right, either)
                } else {
                    let both = self.and(vec![left, right]);
                    self.until(right, both)
                }
            }
        }
    }

    fn intern(&mut self, node: Node) -> NodeId {
        if let Some(known) = self.known.get(&node) {
            return *known;
        }
        let id = NodeId(self.nodes.len() as u32);
        let eventual = |nodes: &Nodes, id: &NodeId| nodes.eventual[id.0 as usize];
        let universal = |nodes: &Nodes, id: &NodeId| nodes.universal[id.0 as usize];
        let (e, u) = match &node {
            Node::True | Node::False => (true, true),
            Node::Literal(..) => (false, false),
            Node::And(parts) | Node::Or(parts) => (
                parts.iter().all(|part| eventual(self, part)),
                parts.iter().all(|part| universal(self, part)),
            ),
            Node::Next(inner) => (eventual(self, inner), universal(self, inner)),
            Node::Until(left, right) => (
                *left == TRUE || eventual(self, left) && eventual(self, right),
                universal(self, left) && universal(self, right),
            ),
            Node::Release(left, right) => (
                eventual(self, left) && eventual(self, right),
                *left == FALSE || universal(self, left) && universal(self, right),
            ),
        };
        self.eventual.push(e);
        self.universal.push(u);
        self.nodes.push(node.clone());
        self.known.insert(node, id);
        id
    }

    fn is_eventual(&self, id: NodeId) -> bool {
        self.eventual[id.0 as usize]
    }

    fn is_universal(&self, id: NodeId) -> bool {
        self.universal[id.0 as usize]
    }

    /// Both a pure eventuality and a pure universality: as true now as at any other time.
    fn is_timeless(&self, id: NodeId) -> bool {
        self.is_eventual(id) && self.is_universal(id)
    }

    /// The negation of a node.
    pub fn negation(&mut self, id: NodeId) -> NodeId {
        if let Some(known) = self.negations.get(&id) {
            return *known;
        }
        let negation = match self.node(id).clone() {
            Node::True => FALSE,
            Node::False => TRUE,
            Node::Literal(atom, positive) => self.intern(Node::Literal(atom, !positive)),
            Node::And(parts) => {
                let parts = parts.into_iter().map(|part| self.negation(part)).collect();
                self.or(parts)
            }
            Node::Or(parts) => {
                let parts = parts.into_iter().map(|part| self.negation(part)).collect();
                self.and(parts)
            }
            Node::Next(inner) => {
                let inner = self.negation(inner);
                self.next(inner)
            }
            Node::Until(left, right) => {
                let (left, right) = (self.negation(left), self.negation(right));
                self.release(left, right)
            }
            Node::Release(left, right) => {
                let (left, right) = (self.negation(left), self.negation(right));
                self.until(left, right)
            }
        };
        self.negations.insert(id, negation);
        negation
    }

    /// In the next state.
    pub fn next(&mut self, inner: NodeId) -> NodeId {
        if self.is_timeless(inner) {
            return inner;
        }
        self.intern(Node::Next(inner))
    }

    /// All of the parts.
    pub fn and(&mut self, parts: Vec<NodeId>) -> NodeId {
        self.junction(parts, true)
    }

    /// One of the parts.
    pub fn or(&mut self, parts: Vec<NodeId>) -> NodeId {
        self.junction(parts, false)
    }

    /// Conjunction and disjunction are each other's mirror image; `all` says which one it is.
    fn junction(&mut self, parts: Vec<NodeId>, all: bool) -> NodeId {
        let (neutral, absorbing) = if all { (TRUE, FALSE) } else { (FALSE, TRUE) };
        let mut flat: Vec<NodeId> = Vec::new();
        for part in parts {
            match (self.node(part), all) {
                (Node::And(inner), true) | (Node::Or(inner), false) => flat.extend(inner),
                _ => flat.push(part),
            }
        }
        flat.sort_unstable();
        flat.dedup();
        flat.retain(|part| *part != neutral);
        if flat.contains(&absorbing) {
            return absorbing;
        }
        if let Some(joined) = self.join_two(&flat, all) {
            return self.junction(joined, all);
        }
        // Drop what another part makes superfluous, and notice contradictions.
        let mut index = 0;
        while index < flat.len() {
            let part = flat[index];
            let negation = self.negation(part);
            let mut superfluous = false;
            for other in flat.clone() {
                if other == part {
                    continue;
                }
                let contradicts = match all {
                    true => self.implies(other, negation),
                    false => self.implies(negation, other),
                };
                if contradicts {
                    return absorbing;
                }
                superfluous |= match all {
                    true => self.implies(other, part),
                    false => self.implies(part, other),
                };
            }
            if superfluous {
                flat.remove(index);
            } else {
                index += 1;
            }
        }
        match flat.len() {
            0 => neutral,
            1 => flat[0],
            _ if all => self.intern(Node::And(flat)),
            _ => self.intern(Node::Or(flat)),
        }
    }

    /// Two parts that can be one: `[] a && [] b` is `[] (a && b)`, and the like.
    fn join_two(&mut self, parts: &[NodeId], all: bool) -> Option<Vec<NodeId>> {
        for (index, first) in parts.iter().enumerate() {
            for (other, second) in parts.iter().enumerate().skip(index + 1) {
                let joined = match (self.node(*first).clone(), self.node(*second).clone()) {
                    (Node::Next(a), Node::Next(b)) => {
                        let inner = self.junction(vec![a, b], all);
                        self.next(inner)
                    }
                    (Node::Until(a, b), Node::Until(c, d)) if all && b == d => {
                        let left = self.and(vec![a, c]);
                        self.until(left, b)
                    }
                    (Node::Until(a, b), Node::Until(c, d)) if !all && a == c => {
                        let right = self.or(vec![b, d]);
                        self.until(a, right)
                    }
                    (Node::Release(a, b), Node::Release(c, d)) if all && a == c => {
                        let right = self.and(vec![b, d]);
                        self.release(a, right)
                    }
                    (Node::Release(a, b), Node::Release(c, d)) if !all && b == d => {
                        let left = self.or(vec![a, c]);
                        self.release(left, b)
                    }
                    // [] <> a || [] <> b, and <> [] a && <> [] b.
                    (Node::Release(FALSE, a), Node::Release(FALSE, b)) if !all => {
                        match (self.node(a).clone(), self.node(b).clone()) {
                            (Node::Until(TRUE, a), Node::Until(TRUE, b)) => {
                                let inner = self.or(vec![a, b]);
                                let inner = self.until(TRUE, inner);
                                self.release(FALSE, inner)
                            }
                            _ => continue,
                        }
                    }
                    (Node::Until(TRUE, a), Node::Until(TRUE, b)) if all => {
                        match (self.node(a).clone(), self.node(b).clone()) {
                            (Node::Release(FALSE, a), Node::Release(FALSE, b)) => {
                                let inner = self.and(vec![a, b]);
                                let inner = self.release(FALSE, inner);
                                self.until(TRUE, inner)
                            }
                            _ => continue,
                        }
                    }
                    _ => continue,
                };
                let mut rest = parts.to_vec();
                rest.remove(other);
                rest[index] = joined;
                return Some(rest);
            }
        }
        None
    }

    /// The right some time, the left until then.
    pub fn until(&mut self, left: NodeId, right: NodeId) -> NodeId {
        if right == TRUE || right == FALSE || left == FALSE || self.is_eventual(right) {
            return right;
        }
        if self.implies(left, right) {
            return right;
        }
        let unless_right = self.negation(right);
        if left != TRUE && self.implies(unless_right, left) {
            return self.until(TRUE, right);
        }
        // a U (b U c) is b U c where a implies b.
        if let Node::Until(inner, _) = *self.node(right)
            && self.implies(left, inner)
        {
            return right;
        }
        // (a U b) U c is a U c where c is no more than b: (a U b) U b is a U b.
        if let Node::Until(_, inner) = *self.node(left)
            && inner == right
        {
            return left;
        }
        if let (Node::Next(a), Node::Next(b)) = (self.node(left).clone(), self.node(right).clone())
        {
            let inner = self.until(a, b);
            return self.next(inner);
        }
        if let (TRUE, Node::Next(inner)) = (left, self.node(right).clone()) {
            let inner = self.until(TRUE, inner);
            return self.next(inner);
        }
        // What is timeless need not wait: a U (b && c) is (a U b) && c.
        if let Node::And(parts) = self.node(right).clone() {
            let (timeless, rest): (Vec<_>, Vec<_>) =
                parts.into_iter().partition(|part| self.is_timeless(*part));
            if !timeless.is_empty() {
                let rest = self.and(rest);
                let mut parts = timeless;
                parts.push(self.until(left, rest));
                return self.and(parts);
            }
        }
        if let Node::Or(parts) = self.node(right).clone() {
            let (eventual, rest): (Vec<_>, Vec<_>) =
                parts.into_iter().partition(|part| self.is_eventual(*part));
            if left == TRUE && !eventual.is_empty() {
                let rest = self.or(rest);
                let mut parts = eventual;
                parts.push(self.until(left, rest));
                return self.or(parts);
            }
        }
        self.intern(Node::Until(left, right))
    }

    /// The right up to and including the moment of the left, or for ever.
    pub fn release(&mut self, left: NodeId, right: NodeId) -> NodeId {
        if right == TRUE || right == FALSE || left == TRUE || self.is_universal(right) {
            return right;
        }
        if self.implies(right, left) {
            return right;
        }
        let unless_right = self.negation(right);
        if left != FALSE && self.implies(left, unless_right) {
            return self.release(FALSE, right);
        }
        if let Node::Release(inner, _) = *self.node(right)
            && self.implies(inner, left)
        {
            return right;
        }
        if let Node::Release(_, inner) = *self.node(left)
            && inner == right
        {
            return left;
        }
        if let (Node::Next(a), Node::Next(b)) = (self.node(left).clone(), self.node(right).clone())
        {
            let inner = self.release(a, b);
            return self.next(inner);
        }
        if let (FALSE, Node::Next(inner)) = (left, self.node(right).clone()) {
            let inner = self.release(FALSE, inner);
            return self.next(inner);
        }
        if let Node::Or(parts) = self.node(right).clone() {
            let (timeless, rest): (Vec<_>, Vec<_>) =
                parts.into_iter().partition(|part| self.is_timeless(*part));
            if !timeless.is_empty() {
                let rest = self.or(rest);
                let mut parts = timeless;
                parts.push(self.release(left, rest));
                return self.or(parts);
            }
        }
        if let Node::And(parts) = self.node(right).clone() {
            let (universal, rest): (Vec<_>, Vec<_>) =
                parts.into_iter().partition(|part| self.is_universal(*part));
            if left == FALSE && !universal.is_empty() {
                let rest = self.and(rest);
                let mut parts = universal;
                parts.push(self.release(left, rest));
                return self.and(parts);
            }
        }
        self.intern(Node::Release(left, right))
    }

    /// Is the second true whenever the first is, as far as their form shows?
    pub fn implies(&mut self, first: NodeId, second: NodeId) -> bool {
        if first == second || first == FALSE || second == TRUE {
            return true;
        }
        if first == TRUE || second == FALSE {
            return false;
        }
        if let Some(known) = self.implied.get(&(first, second)) {
            return *known;
        }
        // Each rule goes to smaller formulas, so this ends.
        let result = self.implies_by_form(first, second);
        self.implied.insert((first, second), result);
        result
    }

    fn implies_by_form(&mut self, first: NodeId, second: NodeId) -> bool {
        let (a, b) = (self.node(first).clone(), self.node(second).clone());
        if let Node::Or(parts) = &a
            && parts.iter().all(|part| self.implies(*part, second))
        {
            return true;
        }
        if let Node::And(parts) = &b
            && parts.iter().all(|part| self.implies(first, *part))
        {
            return true;
        }
        if let Node::And(parts) = &a
            && parts.iter().any(|part| self.implies(*part, second))
        {
            return true;
        }
        if let Node::Or(parts) = &b
            && parts.iter().any(|part| self.implies(first, *part))
        {
            return true;
        }
        if let (Node::Next(a), Node::Next(b)) = (&a, &b)
            && self.implies(*a, *b)
        {
            return true;
        }
        if let (Node::Until(a, b), Node::Until(c, d)) = (&a, &b)
            && self.implies(*a, *c)
            && self.implies(*b, *d)
        {
            return true;
        }
        if let (Node::Release(a, b), Node::Release(c, d)) = (&a, &b)
            && self.implies(*a, *c)
            && self.implies(*b, *d)
        {
            return true;
        }
        // x implies a U b if it implies b; a U b implies x if both do.
        if let Node::Until(_, right) = &b
            && self.implies(first, *right)
        {
            return true;
        }
        if let Node::Until(left, right) = &a
            && self.implies(*left, second)
            && self.implies(*right, second)
        {
            return true;
        }
        // x implies a R b if it implies both; a R b implies x if b does.
        if let Node::Release(left, right) = &b
            && self.implies(first, *left)
            && self.implies(first, *right)
        {
            return true;
        }
        if let Node::Release(_, right) = &a
            && self.implies(*right, second)
        {
            return true;
        }
        // A universality implies that it holds next; an eventuality is implied by its being next.
        if let Node::Next(inner) = &b
            && self.is_universal(first)
            && self.implies(first, *inner)
        {
            return true;
        }
        if let Node::Next(inner) = &a
            && self.is_eventual(second)
            && self.implies(*inner, second)
        {
            return true;
        }
        // A universality implies [] of what it implies; <> of what implies an eventuality implies it.
        if let Node::Release(FALSE, inner) = &b
            && self.is_universal(first)
            && self.implies(first, *inner)
        {
            return true;
        }
        if let Node::Until(TRUE, inner) = &a
            && self.is_eventual(second)
            && self.implies(*inner, second)
        {
            return true;
        }
        false
    }
}
