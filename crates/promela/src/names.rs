//! Names that Promela and SPIN's verifier accept, for those who translate to Promela.

use std::collections::{HashMap, HashSet};

use crate::keyword::Keyword;

/// Names that are no keywords of Promela, because SPIN knows them or because its verifier is a C program.
const RESERVED: &[&str] = &[
    "_",
    "_last",
    "_nr_pr",
    "_pid",
    "_priority",
    "STDIN",
    "in",
    "U",
    "V",
    "W",
    "X",
    "always",
    "eventually",
    "until",
    "stronguntil",
    "weakuntil",
    "release",
    "next",
    "implies",
    "equivalent",
    "auto",
    "case",
    "char",
    "const",
    "continue",
    "default",
    "double",
    "enum",
    "extern",
    "float",
    "long",
    "main",
    "now",
    "register",
    "restrict",
    "signed",
    "sizeof",
    "static",
    "struct",
    "switch",
    "this",
    "uchar",
    "uint",
    "ulong",
    "union",
    "ushort",
    "void",
    "volatile",
    "while",
];

/// The names of a model that is being made. Two things never share one, whatever kinds they are of.
///
/// SPIN's verifier is a C program in which some variables of a model become global ones, so what is translated should have a
/// prefix for its kind that is not to be found there (`state_…` and `q_…` are).
#[derive(Clone, Debug, Default)]
pub struct Names {
    taken: HashSet<String>,
    given: HashMap<[String; 3], String>,
}

impl Names {
    /// Without those that the translation uses for things of its own.
    pub fn without(taken: &[&str]) -> Names {
        Names {
            taken: taken.iter().map(|name| name.to_string()).collect(),
            given: HashMap::new(),
        }
    }

    /// A name like the one wanted that nothing else has and that SPIN accepts.
    ///
    /// ```
    /// let mut names = mazurka_promela::Names::default();
    /// assert_eq!(names.fresh("line"), "line");
    /// assert_eq!(names.fresh("line"), "line_");
    /// assert_eq!(names.fresh("timeout"), "timeout_");
    /// ```
    pub fn fresh(&mut self, wanted: &str) -> String {
        let mut name = wanted.to_string();
        while is_reserved(&name) || !self.taken.insert(name.clone()) {
            name.push('_');
        }
        name
    }

    /// The name of something of a kind, by the parts of its name in the other notation, some of which may be empty: the same for the
    /// same thing.
    ///
    /// ```
    /// let mut names = mazurka_promela::Names::default();
    /// assert_eq!(names.given("port", "a_b", "c"), "port_a_b_c");
    /// assert_eq!(names.given("port", "a", "b_c"), "port_a_b_c_");
    /// assert_eq!(names.given("port", "a_b", "c"), "port_a_b_c");
    /// assert_eq!(names.given("", "run", ""), "run_");
    /// ```
    pub fn given(&mut self, kind: &str, first: &str, second: &str) -> String {
        let parts = [kind, first, second];
        let key = parts.map(String::from);
        if let Some(given) = self.given.get(&key) {
            return given.clone();
        }
        let wanted = parts.into_iter().filter(|part| !part.is_empty());
        let name = self.fresh(&wanted.collect::<Vec<_>>().join("_"));
        self.given.insert(key, name.clone());
        name
    }
}

fn is_reserved(name: &str) -> bool {
    Keyword::from_text(name).is_some() || RESERVED.contains(&name)
}
