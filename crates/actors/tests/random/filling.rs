//! A table of pairs that random programs fill. `MAZURKA_FILL` names one to go on with: then only programs that fill an empty place of it
//! are looked at, and they are made for that. `MAZURKA_PAIRS` says where the table is written.

use std::path::Path;

use crate::table::{Seen, Table};

/// Programs with both; of which one execution performs both; that were compared with all interleavings.
pub const COLUMNS: &[&str] = &["used", "executed", "compared"];

pub struct Filling {
    table: Table,
    /// Only what is missing is looked for.
    fills: bool,
    /// How many programs were asked for.
    asked: usize,
}

impl Filling {
    /// Goes on with a table, or begins one.
    pub fn new(mut table: Table) -> Filling {
        let from = std::env::var_os("MAZURKA_FILL");
        if let Some(path) = &from {
            let text = std::fs::read_to_string(path).expect("a table to go on with");
            table.add_table(&text).expect("a table");
        }
        Filling {
            table,
            fills: from.is_some(),
            asked: 0,
        }
    }

    /// Is nothing missing any more, where only that is looked for?
    pub fn is_done(&self) -> bool {
        self.fills && self.table.gaps().is_empty()
    }

    /// Two that have not met and should be in the next program: each gap in turn, because not every program with both shows both.
    pub fn missing(&mut self) -> Option<[&'static str; 2]> {
        if !self.fills {
            return None;
        }
        let gaps = self.table.gaps();
        self.asked += 1;
        let gap = gaps.get(self.asked % gaps.len().max(1))?;
        Some([gap.0, gap.1])
    }

    /// Is a program with these actions looked at?
    pub fn wants(&self, used: u128) -> bool {
        !self.fills || self.table.wants(used)
    }

    /// Adds a program that was compared, and what each of its executions performed.
    pub fn note(&mut self, used: u128, performed: impl IntoIterator<Item = u128>) {
        let performed: Vec<u128> = performed.into_iter().collect();
        let seen = [Seen::All(true), Seen::Paths(&performed), Seen::All(true)];
        self.table.note(used, &seen);
    }

    /// Writes the table, if that is wanted.
    pub fn write(&self) {
        if let Some(path) = std::env::var_os("MAZURKA_PAIRS") {
            std::fs::write(path, self.table.to_text()).expect("a table can be written");
            eprint!("{}", self.table.summary());
        }
    }
}

/// Holds a table that is kept to what it must have: no place is empty without a reason, and features and reasons are those of today.
pub fn assert_full(mut empty: Table, file: &str) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../differential");
    let text = std::fs::read_to_string(folder.join(file)).expect("the table is there");
    empty.add_table(&text).expect("a table");
    assert_eq!(empty.gaps(), Vec::new());
    assert_eq!(empty.to_text(), text, "it is to be made again");
}
