//! How often two features meet in a model, on a path, and before a judge.

use std::fmt::Write;

use crate::execution::{Executed, execute};
use crate::features::{Feature, Features};
use crate::generate::generate;
use crate::print::print_marked;

/// Counts of one pair.
#[derive(Clone, Copy, Debug, Default)]
pub struct Count {
    /// Models that use both.
    pub used: u32,
    /// Models of which one path executes both.
    pub executed: u32,
    /// Models with both whose counts and verdicts were compared with SPIN's.
    pub spin: u32,
    /// Models with both that were searched under combinations of options, with the full search as judge.
    pub reduced: u32,
    /// The same for a temporal property.
    pub temporal: u32,
}

/// The table of pairs; a feature with itself is a pair too.
#[derive(Clone, Debug)]
pub struct Pairs {
    counts: Vec<Count>,
    pub models: u32,
}

impl Default for Pairs {
    fn default() -> Pairs {
        let size = Feature::ALL.len();
        Pairs {
            counts: vec![Count::default(); size * size],
            models: 0,
        }
    }
}

impl Pairs {
    /// Adds a model.
    pub fn note(
        &mut self,
        used: Features,
        executed: &Executed,
        spin: bool,
        reduced: bool,
        temporal: bool,
    ) {
        self.models += 1;
        let size = Feature::ALL.len();
        for (row, &(one, _)) in Feature::ALL.iter().enumerate() {
            if !used.has(one) {
                continue;
            }
            for (column, &(other, _)) in Feature::ALL.iter().enumerate().skip(row) {
                if !used.has(other) {
                    continue;
                }
                let count = &mut self.counts[row * size + column];
                let both = |path: &Features| path.has(one) && path.has(other);
                count.used += 1;
                count.executed += u32::from(executed.paths.iter().any(both));
                count.spin += u32::from(spin);
                count.reduced += u32::from(reduced);
                count.temporal += u32::from(temporal);
            }
        }
    }

    /// Adds the models of seeds without comparing them.
    pub fn add(&mut self, seeds: std::ops::Range<u64>) {
        for seed in seeds {
            let marked = print_marked(&generate(seed, crate::drive::features_of(seed)));
            let executed = execute(&marked, seed).unwrap_or_default();
            self.note(marked.all(), &executed, false, false, false);
        }
    }

    /// Adds a table that was written before.
    pub fn add_table(&mut self, text: &str) -> Result<(), String> {
        let size = Feature::ALL.len();
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
            let index = |name: &str| Feature::ALL.iter().position(|(_, known)| *known == name);
            let (Some(row), Some(column)) = (index(one), index(other)) else {
                return Err(format!("{line}: no such features"));
            };
            let number = |at: usize| {
                let cell = numbers.get(at).copied().unwrap_or_default();
                let number = cell.parse::<u32>();
                number.map_err(|error| format!("{line}: {error}"))
            };
            let count = &mut self.counts[row * size + column];
            count.used += number(0)?;
            count.executed += number(1)?;
            count.spin += number(2)?;
            count.reduced += number(3)?;
            count.temporal += number(4)?;
        }
        Ok(())
    }

    /// A line for each pair, with the reason where a count is zero.
    pub fn to_text(&self) -> String {
        let mut text = format!("# models {}\n", self.models);
        text.push_str("feature\twith\tused\texecuted\tspin\treductions\ttemporal\twhy not\n");
        for (one, other, count) in self.each() {
            let (first, second) = (name(one), name(other));
            let Count {
                used,
                executed,
                spin,
                reduced,
                temporal,
            } = count;
            let reason = reasons(one, other, count);
            writeln!(
                text,
                "{first}\t{second}\t{used}\t{executed}\t{spin}\t{reduced}\t{temporal}\t{reason}"
            )
            .expect("writing to a string does not fail");
        }
        text
    }

    /// How many pairs have a count of zero, and of how many of them no reason is known.
    pub fn summary(&self) -> String {
        let mut text = String::new();
        type Column = fn(&Count) -> u32;
        let columns: [(&str, Column); 5] = [
            ("used", |count| count.used),
            ("executed", |count| count.executed),
            ("spin", |count| count.spin),
            ("reductions", |count| count.reduced),
            ("temporal", |count| count.temporal),
        ];
        let pairs: Vec<(Feature, Feature, Count)> = self.each().collect();
        writeln!(text, "{} models, {} pairs", self.models, pairs.len()).expect("a string");
        for (column, of) in columns {
            let empty = pairs.iter().filter(|(.., count)| of(count) == 0);
            let (known, unknown): (Vec<_>, Vec<_>) =
                empty.partition(|(one, other, _)| known_reason(*one, *other, column).is_some());
            writeln!(
                text,
                "{column}: {} empty for a reason, {} without",
                known.len(),
                unknown.len()
            )
            .expect("a string");
            for (one, other, _) in unknown.iter().take(20) {
                writeln!(text, "  {} with {}", name(*one), name(*other)).expect("a string");
            }
        }
        text
    }

    fn each(&self) -> impl Iterator<Item = (Feature, Feature, Count)> + '_ {
        let size = Feature::ALL.len();
        (0..size).flat_map(move |row| {
            (row..size).map(move |column| {
                let (one, other) = (Feature::ALL[row].0, Feature::ALL[column].0);
                (one, other, self.counts[row * size + column])
            })
        })
    }
}

fn name(feature: Feature) -> &'static str {
    let known = Feature::ALL.iter().find(|(known, _)| *known == feature);
    known.map_or("", |(_, name)| name)
}

fn reasons(one: Feature, other: Feature, count: Count) -> String {
    let columns = [
        ("used", count.used),
        ("executed", count.executed),
        ("spin", count.spin),
        ("reductions", count.reduced),
        ("temporal", count.temporal),
    ];
    let empty = columns.iter().filter(|(_, count)| *count == 0);
    let mut found: Vec<&str> = empty
        .filter_map(|(column, _)| known_reason(one, other, column))
        .collect();
    found.dedup();
    found.join("; ")
}

/// Why two features do not meet.
fn known_reason(one: Feature, other: Feature, column: &str) -> Option<&'static str> {
    use Feature::*;
    let is = |a: Feature, b: Feature| (one, other) == (a, b) || (one, other) == (b, a);
    let has = |feature: Feature| one == feature || other == feature;
    if is(Trace, Notrace) {
        return Some("a model has one of the two");
    }
    if is(Rendezvous, Enabled) {
        return Some("refused: there is no enabled() where there are rendezvous channels");
    }
    if column == "spin" && Feature::NOT_FOR_SPIN.iter().any(|feature| has(*feature)) {
        return Some("SPIN has it not, or otherwise: see the feature");
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_is_read_back() {
        let mut pairs = Pairs::default();
        pairs.add(0..20);
        let mut twice = pairs.clone();
        twice.add_table(&pairs.to_text()).expect("a table");
        assert_eq!(twice.models, 40);
        assert!(
            twice.counts.iter().zip(&pairs.counts).all(|(both, one)| {
                both.used == 2 * one.used && both.executed == 2 * one.executed
            })
        );
        assert!(twice.add_table("arrays\tarrays\tmany").is_err());
        assert!(twice.add_table("arrays\tnone\t1").is_err());
    }
}
