//! The choices of a verification that have names.

use mazurka_scenario::choices;

choices! {
    /// The order of a search.
    Order {
        /// Depth first.
        DepthFirst "dfs",
        /// Breadth first: shortest scenarios.
        BreadthFirst "bfs",
        /// Depth first without remembering anything but the path.
        Stack "stack",
        /// Random choices.
        Random "random",
        /// Random, sends first.
        Biased "biased",
        /// Random, receives first.
        Scatter "scatter",
        /// States of least cost first.
        Guided "guided",
        /// Random by weights.
        Probabilistic "probabilistic",
        /// Many small bitstate searches, each another way.
        Swarm "swarm",
    }

    /// How equivalent interleavings are left out.
    Reduction {
        /// The best that is sound.
        Auto "auto",
        /// Nothing is left out.
        None "none",
        /// Ample sets.
        Ample "ample",
        /// Persistent sets.
        Persistent "persistent",
        /// Stubborn sets.
        Stubborn "stubborn",
        /// Independent steps at the same time.
        Simultaneous "simultaneous",
    }

    /// On or off.
    Switch {
        /// On.
        On "on",
        /// Off.
        Off "off",
    }

    /// Whether states that differ only in which of several processes does what are taken for one.
    Symmetry {
        /// Where it is proved that the processes are alike.
        Auto "auto",
        /// The same, and where they are proved to be alike up to their number or a parameter, and to what is kept by it.
        Identities "identities",
        /// Never.
        Off "off",
    }

    /// The dependency relation of a reduction.
    Dependency {
        /// By kind of operation and by value.
        Refined "refined",
        /// The same in every state.
        Constant "constant",
    }

    /// What persistent sets know of processes.
    Footprint {
        /// What they may do from where they are now, in the present state.
        Run "run",
        /// What they may do from where they are now.
        State "state",
        /// What they may ever do.
        Machine "machine",
    }

    /// What to look for.
    Property {
        /// Safety, and then every formula and claim of the model.
        All "all",
        /// Everything but temporal properties.
        Safety "safety",
        /// Deadlocks.
        Deadlock "deadlock",
        /// Assertions.
        Assertion "assertion",
        /// Queues that are full.
        Overflow "overflow",
        /// Messages about which nothing is said.
        UnexpectedInput "unexpected-input",
        /// Conditions on every state.
        Invariant "invariant",
    }

    /// How cycles are looked for.
    Emptiness {
        /// By a second search from every accepting state.
        Nested "nested",
        /// By strongly connected components.
        Components "scc",
    }
}

impl Order {
    /// Does it walk through the model again and again, and never end by itself?
    pub(crate) fn is_walk(self) -> bool {
        use Order::{Biased, Probabilistic, Random, Scatter};
        matches!(self, Random | Biased | Scatter | Probabilistic)
    }
}

impl Property {
    /// Is an unexpected input one of the violations?
    pub(crate) fn asks_for_unexpected_input(self) -> bool {
        matches!(
            self,
            Property::All | Property::Safety | Property::UnexpectedInput
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use mazurka_scenario::Choice;

    #[test]
    fn names_are_read_back() {
        for order in Order::ALL {
            assert_eq!(order.name().parse(), Ok(*order));
            let written = serde_json::to_string(order).unwrap();
            assert_eq!(written, format!("\"{order}\""));
        }
        assert!("depth".parse::<Order>().is_err());
    }
}
