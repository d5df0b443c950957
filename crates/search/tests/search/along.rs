//! A known lasso, followed in another form of the system: an accepting cycle on it is found, and no other.

use mazurka_search::emptiness::along;
use mazurka_search::{Acceptance, Over};

use crate::support::{Graph, Way, graph};

/// A graph whose edges are steps with names, and some of whose nodes are accepting.
struct Named {
    graph: Graph,
    names: &'static str,
    accepting: Vec<u8>,
}

impl Over for Named {
    type Beneath = Graph;

    fn beneath(&self) -> &Graph {
        &self.graph
    }
}

impl Acceptance for Named {
    fn is_accepting(&self, state: &[u8]) -> bool {
        self.accepting.contains(&state[0])
    }
}

impl Named {
    fn new(edges: &[(u8, u8, Way)], names: &'static str, accepting: &[u8]) -> Named {
        assert_eq!(edges.len(), names.len());
        Named {
            graph: graph(edges, &[]),
            names,
            accepting: accepting.to_vec(),
        }
    }

    /// Follows the names of a lasso, of which those from `from` on repeat; behind them it stutters.
    fn along(&self, lasso: &str, from: usize) -> Option<(Vec<usize>, usize)> {
        let is_taken = |position, step: usize| {
            let name = self.names.as_bytes()[step];
            name == lasso.as_bytes().get(position).copied().unwrap_or(b'-')
        };
        let given_up = along(self, lasso.len(), from, is_taken, &|| true);
        assert_eq!(given_up, None);
        along(self, lasso.len(), from, is_taken, &|| false)
    }
}

/// After `a`, whoever reads `b` may go on to 2 or to 3; reading `x`, to 5.
const BRANCHING: [(u8, u8, Way); 8] = [
    (0, 1, Way::Plain),
    (1, 2, Way::Plain),
    (2, 1, Way::Plain),
    (1, 3, Way::Plain),
    (3, 4, Way::Plain),
    (4, 3, Way::Plain),
    (0, 5, Way::Plain),
    (5, 5, Way::Plain),
];

#[test]
fn one_of_several_ways_through_the_same_steps_is_accepted() {
    let system = Named::new(&BRANCHING, "abcbcbxx", &[3]);
    assert_eq!(system.along("abc", 1), Some((vec![0, 3, 4, 5], 2)));
}

#[test]
fn what_the_lasso_does_not_take_is_not_followed() {
    let system = Named::new(&BRANCHING, "abcbcbxx", &[5]);
    assert_eq!(system.along("abc", 1), None);
    assert_eq!(system.along("xx", 1), Some((vec![6, 7], 1)));
}

#[test]
fn a_cycle_may_take_the_steps_of_the_lasso_twice() {
    let edges = [(0, 1), (1, 2), (2, 3), (3, 4), (4, 1)];
    let edges = edges.map(|(from, to)| (from, to, Way::Plain));
    let system = Named::new(&edges, "abcbc", &[3]);
    assert_eq!(system.along("abc", 1), Some((vec![0, 1, 2, 3, 4, 1, 2], 3)));
}

#[test]
fn an_execution_that_stops_stays_at_its_end() {
    let edges = [(0, 1, Way::Plain), (1, 1, Way::Plain)];
    let system = Named::new(&edges, "a-", &[1]);
    assert_eq!(system.along("a", 1), Some((vec![0, 1], 1)));
}

#[test]
fn what_is_met_inside_an_atomic_sequence_does_not_accept() {
    let edges = [(0, 1, Way::Holds), (1, 0, Way::Plain)];
    let system = Named::new(&edges, "ab", &[1]);
    assert_eq!(system.along("ab", 0), None);
    let system = Named::new(&edges, "ab", &[0]);
    assert_eq!(system.along("ab", 0), Some((vec![0, 1], 0)));
}

#[test]
fn a_system_without_initial_state_has_no_cycle() {
    let mut system = Named::new(&[(0, 0, Way::Plain)], "a", &[0]);
    assert_eq!(system.along("a", 0), Some((vec![0], 0)));
    system.graph.broken = true;
    assert_eq!(system.along("a", 0), None);
}
