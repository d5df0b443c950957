//! Which values may be identities: classes of storage that values flow between, by unification.
//!
//! Every byte of a variable, every field of a message, every dimension of an array and the number of a process is a node. Whatever copies or
//! compares unites two nodes. Whatever does anything else with a value marks its node, and with it the class, as ordinary.

use mazurka_model::Kind;

use crate::operation::Unsupported;

/// A node of the classes.
pub(super) type Node = u32;

/// What is known of the value of an expression.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Value {
    /// It was computed, counted or asked for.
    Ordinary,
    /// It stands in the text.
    Constant(i32),
    /// It was copied from there.
    Of(Node),
}

/// The classes, and what was found out about them.
#[derive(Debug, Default)]
pub(super) struct Kinds {
    parents: Vec<Node>,
    marks: Vec<(Node, Unsupported)>,
    constants: Vec<(Node, i32)>,
}

impl Kinds {
    /// New nodes, each a class of its own; gives the first.
    pub fn add(&mut self, count: u32) -> Node {
        let first = self.parents.len() as Node;
        self.parents.extend(first..first + count);
        first
    }

    /// What stands for the class of a node.
    pub fn class(&self, mut node: Node) -> Node {
        while self.parents[node as usize] != node {
            node = self.parents[node as usize];
        }
        node
    }

    /// Makes two classes one.
    pub fn unite(&mut self, a: Node, b: Node) {
        let (a, b) = (self.class(a), self.class(b));
        self.parents[a.max(b) as usize] = a.min(b);
    }

    /// The class has values that are no identities.
    pub fn mark(&mut self, node: Node, why: &'static str) {
        self.marks.push((node, Unsupported(why)));
    }

    /// A value is used in a way in which no identity is.
    pub fn ordinary(&mut self, value: Value, why: &'static str) {
        if let Value::Of(node) = value {
            self.mark(node, why);
        }
    }

    /// Two values are compared, or one is copied to where the other is.
    pub fn same(&mut self, a: Value, b: Value) {
        match (a, b) {
            (Value::Of(a), Value::Of(b)) => self.unite(a, b),
            (Value::Of(node), Value::Constant(value))
            | (Value::Constant(value), Value::Of(node)) => self.constants.push((node, value)),
            (Value::Of(node), Value::Ordinary) | (Value::Ordinary, Value::Of(node)) => {
                self.mark(node, "a computed value as the identity of a process");
            }
            _ => {}
        }
    }

    /// Why the values of a class are no identities, if they are not.
    pub fn refused(&self, class: Node) -> Option<Unsupported> {
        let mut marks = self.marks.iter();
        marks
            .find(|(node, _)| self.class(*node) == class)
            .map(|(_, why)| *why)
    }

    /// The constants that values of a class are compared with or replaced by, as they stand and as they are stored.
    pub fn fixed(&self, class: Node, kind: Option<Kind>) -> Vec<i32> {
        let constants = self.constants.iter();
        let own = constants.filter(|(node, _)| self.class(*node) == class);
        own.flat_map(|(_, value)| [*value, kind.map_or(*value, |kind| kind.cast(*value))])
            .collect()
    }
}
