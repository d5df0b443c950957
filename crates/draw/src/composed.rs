//! The graph of a model that is put together from parts that are reduced first.

use std::collections::HashMap;

use mazurka_checker::{Composed, Stuck, TAU};

use crate::graph::{Edge, Graph, Node, NodeKind};

/// What is left in the end: the states that can be reached, in the order in which they are.
pub fn graph_of_composed(name: &str, composed: &Composed) -> Graph {
    let (left, names) = (&composed.lts, &composed.names);
    let mut numbers = HashMap::from([(left.initial, 0)]);
    let mut order = vec![left.initial];
    let mut edges = Vec::new();
    let mut from = 0;
    while let Some(state) = order.get(from).copied() {
        for (label, to) in &left.edges[state as usize] {
            let to = *numbers.entry(*to).or_insert_with(|| {
                order.push(*to);
                order.len() - 1
            });
            let label = match *label {
                TAU => "tau".into(),
                shown => names[shown as usize - 1].clone(),
            };
            edges.push(Edge {
                from,
                to,
                label,
                left_out: false,
            });
        }
        from += 1;
    }
    let nodes = order.iter().enumerate().map(|(number, state)| {
        let stuck = left.stuck(*state);
        Node {
            label: match stuck {
                Some(Stuck::Error) => "error".into(),
                _ => number.to_string(),
            },
            end: left.ends_well(*state),
            kind: match stuck {
                Some(Stuck::Error) => NodeKind::Error,
                Some(Stuck::Deadlock | Stuck::Nonprogress) => NodeKind::Deadlock,
                None => NodeKind::Usual,
            },
            ..Node::default()
        }
    });
    Graph {
        name: name.into(),
        nodes: nodes.collect(),
        edges,
    }
}
