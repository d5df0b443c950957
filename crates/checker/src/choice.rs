//! The choices of a verification that have names.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// A choice among named values.
pub trait Choice: Copy + 'static {
    /// All values, in the order in which people should see them.
    const ALL: &'static [Self];

    /// As it is typed and written.
    fn name(self) -> &'static str;
}

/// A name that is none of those known.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnknownName(String);

impl fmt::Display for UnknownName {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "`{}` is not among the known names", self.0)
    }
}

impl std::error::Error for UnknownName {}

/// Declares an enumeration together with the names of its values; the first is the default.
macro_rules! choices {
    ($($(#[$doc:meta])* $name:ident {
        $(#[$first_doc:meta])* $first:ident $first_text:literal,
        $($(#[$value_doc:meta])* $value:ident $text:literal,)*
    })*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
        pub enum $name {
            $(#[$first_doc])*
            #[default]
            #[serde(rename = $first_text)]
            $first,
            $($(#[$value_doc])* #[serde(rename = $text)] $value,)*
        }

        impl $name {
            /// As it is typed and written.
            pub fn name(self) -> &'static str {
                match self {
                    $name::$first => $first_text,
                    $($name::$value => $text,)*
                }
            }
        }

        impl Choice for $name {
            const ALL: &'static [$name] = &[$name::$first, $($name::$value,)*];

            fn name(self) -> &'static str {
                $name::name(self)
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
                out.pad(self.name())
            }
        }

        impl FromStr for $name {
            type Err = UnknownName;

            fn from_str(text: &str) -> Result<$name, UnknownName> {
                let mut all = $name::ALL.iter().copied();
                all.find(|value| value.name() == text).ok_or_else(|| UnknownName(text.into()))
            }
        }
    )*};
}

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

    /// How states are remembered.
    Store {
        /// All of every state, compressed.
        Exact "exact",
        /// A fingerprint of every state.
        Compact "compact",
        /// A few bits of every state, in fixed memory.
        Bitstate "bitstate",
        /// As many states as fixed memory takes.
        Cache "cache",
        /// Nothing.
        None "none",
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_back() {
        for order in Order::ALL {
            assert_eq!(order.name().parse(), Ok(*order));
            let written = serde_json::to_string(order).unwrap();
            assert_eq!(written, format!("\"{order}\""));
        }
        assert!("depth".parse::<Order>().is_err());
        assert_eq!(Store::default(), Store::Exact);
    }
}
