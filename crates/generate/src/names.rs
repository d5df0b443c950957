//! Names of the model as names of the code: kept as they are, as far as nothing else is called so.

use std::collections::HashSet;

/// The names that are taken.
#[derive(Clone, Debug)]
pub(crate) struct Names {
    taken: HashSet<String>,
}

impl Names {
    /// All names are free but these.
    pub fn without<'a>(taken: impl IntoIterator<Item = &'a str>) -> Names {
        Names {
            taken: taken.into_iter().map(str::to_string).collect(),
        }
    }

    /// A name that nobody else has: the one wanted, or the same with a number behind it.
    pub fn take(&mut self, wanted: impl Into<String>) -> String {
        let wanted = wanted.into();
        let mut name = wanted.clone();
        let mut number = 2;
        while !self.taken.insert(name.clone()) {
            name = format!("{wanted}_{number}");
            number += 1;
        }
        name
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_kept_unless_they_are_taken() {
        let mut names = Names::without(["int"]);
        assert_eq!(names.take("a"), "a");
        assert_eq!(names.take("a"), "a_2");
        assert_eq!(names.take("a"), "a_3");
        assert_eq!(names.take("int"), "int_2");
    }
}
