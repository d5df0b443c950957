//! How often two features met in what a generator makes: a table with a line for each pair, and the reason where a count is zero.

use std::fmt::Write;

/// Why two features do not meet in a column, if that is known.
pub type Reason = fn(&str, &str, &str) -> Option<&'static str>;

/// The table of pairs; a feature with itself is a pair too. Sets of features are numbers whose bits are the positions in the list.
#[derive(Clone, Debug)]
pub struct Table {
    features: Vec<&'static str>,
    columns: &'static [&'static str],
    reason: Reason,
    /// For each pair a count for each column.
    counts: Vec<Vec<u32>>,
    /// How many models, or programs, were noted.
    pub models: u32,
}

/// What of a model counts in a column.
#[derive(Clone, Copy, Debug)]
pub enum Seen<'s> {
    /// All of its features, or none.
    All(bool),
    /// Those that one of these paths has.
    Paths(&'s [u128]),
}

impl Table {
    /// A table without counts.
    pub fn new(
        features: Vec<&'static str>,
        columns: &'static [&'static str],
        reason: Reason,
    ) -> Table {
        assert!(features.len() <= 128, "a set of features is a number");
        let size = features.len();
        Table {
            features,
            columns,
            reason,
            counts: vec![vec![0; columns.len()]; size * size],
            models: 0,
        }
    }

    /// Adds a model with its features, and what counts in each column.
    pub fn note(&mut self, used: u128, seen: &[Seen<'_>]) {
        assert_eq!(seen.len(), self.columns.len(), "something for each column");
        self.models += 1;
        let size = self.features.len();
        for (row, column) in pairs(size) {
            let both = 1u128 << row | 1u128 << column;
            if used & both != both {
                continue;
            }
            let counts = &mut self.counts[row * size + column];
            for (count, seen) in counts.iter_mut().zip(seen) {
                *count += u32::from(match seen {
                    Seen::All(is_seen) => *is_seen,
                    Seen::Paths(paths) => paths.iter().any(|path| path & both == both),
                });
            }
        }
    }

    /// Would a model with these features fill an empty place of this column?
    pub fn lacks(&self, used: u128, column: &str) -> bool {
        let Some(number) = self.columns.iter().position(|known| *known == column) else {
            return false;
        };
        let size = self.features.len();
        pairs(size).any(|(one, other)| {
            let both = 1u128 << one | 1u128 << other;
            used & both == both
                && self.counts[one * size + other][number] == 0
                && (self.reason)(self.features[one], self.features[other], column).is_none()
        })
    }

    /// Would one with these features fill an empty place of any column?
    pub fn wants(&self, used: u128) -> bool {
        self.columns.iter().any(|column| self.lacks(used, column))
    }

    /// Adds a table that was written before.
    pub fn add_table(&mut self, text: &str) -> Result<(), String> {
        let size = self.features.len();
        for line in text.lines() {
            if let Some(models) = line.strip_prefix("# models ") {
                let models = models.parse::<u32>();
                self.models += models.map_err(|error| format!("{line}: {error}"))?;
                continue;
            }
            let cells: Vec<&str> = line.split('\t').collect();
            let [one, other, numbers @ ..] = &cells[..] else {
                return Err(format!("{line}: not a line of the table"));
            };
            if *one == "feature" {
                continue;
            }
            let index = |name: &str| self.features.iter().position(|known| *known == name);
            let (Some(row), Some(column)) = (index(one), index(other)) else {
                return Err(format!("{line}: no such features"));
            };
            let counts = &mut self.counts[row * size + column];
            for (at, count) in counts.iter_mut().enumerate() {
                let cell = numbers.get(at).copied().unwrap_or_default();
                let number = cell.parse::<u32>();
                *count += number.map_err(|error| format!("{line}: {error}"))?;
            }
        }
        Ok(())
    }

    /// A line for each pair, with the reasons where a count is zero.
    pub fn to_text(&self) -> String {
        let mut text = format!("# models {}\n", self.models);
        let columns = self.columns.join("\t");
        writeln!(text, "feature\twith\t{columns}\twhy not").expect("a string");
        for (one, other, counts) in self.each() {
            let numbers: Vec<String> = counts.iter().map(u32::to_string).collect();
            let empty = self.columns.iter().zip(counts);
            let empty = empty.filter(|(_, count)| **count == 0);
            let mut reasons: Vec<&str> = empty
                .filter_map(|(column, _)| (self.reason)(one, other, column))
                .collect();
            reasons.dedup();
            let (numbers, reasons) = (numbers.join("\t"), reasons.join("; "));
            writeln!(text, "{one}\t{other}\t{numbers}\t{reasons}").expect("a string");
        }
        text
    }

    /// The places that are empty for no known reason: two features and a column.
    pub fn gaps(&self) -> Vec<(&'static str, &'static str, &'static str)> {
        let mut gaps = Vec::new();
        for (one, other, counts) in self.each() {
            for (column, count) in self.columns.iter().zip(counts) {
                if *count == 0 && (self.reason)(one, other, column).is_none() {
                    gaps.push((one, other, *column));
                }
            }
        }
        gaps
    }

    /// How many places of each column are empty, and which of them for no known reason.
    pub fn summary(&self) -> String {
        let mut text = String::new();
        let gaps = self.gaps();
        let size = self.features.len();
        let count = size * (size + 1) / 2;
        writeln!(text, "{} models, {count} pairs", self.models).expect("a string");
        for (number, column) in self.columns.iter().enumerate() {
            let empty = self.each().filter(|(.., counts)| counts[number] == 0);
            let gaps: Vec<_> = gaps.iter().filter(|gap| gap.2 == *column).collect();
            let known = empty.count() - gaps.len();
            writeln!(
                text,
                "{column}: {known} empty for a reason, {} without",
                gaps.len()
            )
            .expect("a string");
            for (one, other, _) in gaps.iter().take(20) {
                writeln!(text, "  {one} with {other}").expect("a string");
            }
        }
        text
    }

    fn each(&self) -> impl Iterator<Item = (&'static str, &'static str, &[u32])> + '_ {
        let size = self.features.len();
        pairs(size).map(move |(row, column)| {
            let counts = &self.counts[row * size + column];
            (self.features[row], self.features[column], &counts[..])
        })
    }
}

fn pairs(size: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..size).flat_map(move |row| (row..size).map(move |column| (row, column)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table() -> Table {
        let reason: Reason =
            |one, other, column| ((one, other, column) == ("a", "b", "used")).then_some("never");
        Table::new(vec!["a", "b", "c"], &["used", "met"], reason)
    }

    #[test]
    fn pairs_are_counted() {
        let mut table = table();
        table.note(0b101, &[Seen::All(true), Seen::Paths(&[0b001, 0b100])]);
        table.note(0b111, &[Seen::All(true), Seen::Paths(&[0b011])]);
        let text = table.to_text();
        assert!(text.contains("a\tc\t2\t0\t\n"), "{text}");
        assert!(text.contains("a\tb\t1\t1\t\n"), "{text}");
        assert!(table.lacks(0b101, "met") && !table.lacks(0b011, "met"));
        assert!(table.wants(0b101) && !table.wants(0b011));
        assert!(table.gaps().contains(&("b", "c", "met")));
    }

    #[test]
    fn what_is_empty_has_its_reason() {
        let mut table = table();
        for alone in [0b001, 0b010] {
            table.note(alone, &[Seen::All(true), Seen::All(true)]);
        }
        assert!(!table.gaps().contains(&("a", "b", "used")));
        assert!(!table.lacks(0b011, "used"));
        assert!(table.to_text().contains("a\tb\t0\t0\tnever\n"));
    }

    #[test]
    fn a_table_is_read_back() {
        let mut table = table();
        table.note(0b111, &[Seen::All(true), Seen::All(false)]);
        let text = table.to_text();
        table.add_table(&text).expect("a table");
        assert_eq!(table.models, 2);
        assert!(table.to_text().contains("b\tc\t2\t0"));
        assert!(table.add_table("a\ta\tmany").is_err());
        assert!(table.add_table("a\tnone\t1").is_err());
    }
}
