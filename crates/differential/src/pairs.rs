//! How often two features of Promela meet in a model, on a path, and before a judge.

use crate::execution::{Executed, execute};
use crate::features::{Feature, Features};
use crate::generate::generate;
use crate::print::print_marked;
use crate::table::{Seen, Table};

/// Models that use both; of which one path executes both; whose counts and verdicts were compared with SPIN's; that were searched under
/// combinations of options, with the full search as judge; the same for a temporal property.
pub const COLUMNS: &[&str] = &["used", "executed", "spin", "reductions", "temporal"];

/// The empty table of Promela.
pub fn table() -> Table {
    let names = Feature::ALL.iter().map(|(_, name)| *name);
    Table::new(names.collect(), COLUMNS, known_reason)
}

/// Adds a model.
pub fn note(
    table: &mut Table,
    used: Features,
    executed: &Executed,
    spin: bool,
    reduced: bool,
    temporal: bool,
) {
    let paths: Vec<u128> = executed.paths.iter().map(|path| path.bits()).collect();
    let seen = [
        Seen::All(true),
        Seen::Paths(&paths),
        Seen::All(spin),
        Seen::All(reduced),
        Seen::All(temporal),
    ];
    table.note(used.bits(), &seen);
}

/// Adds the models of seeds without comparing them.
pub fn add(table: &mut Table, seeds: std::ops::Range<u64>) {
    for seed in seeds {
        let marked = print_marked(&generate(seed, crate::drive::features_of(seed)));
        let executed = execute(&marked, seed).unwrap_or_default();
        note(table, marked.all(), &executed, false, false, false);
    }
}

/// Why two features do not meet.
fn known_reason(one: &str, other: &str, column: &str) -> Option<&'static str> {
    use Feature::*;
    let (one, other) = (Feature::from_name(one)?, Feature::from_name(other)?);
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
