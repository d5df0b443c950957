//! The tables of pairs that are kept: every two features of a notation met, on a path and before every judge, or the reason stands there.
//! `scripts/combinations` and `scripts/notations` make them.

use std::path::Path;

use mazurka_differential::notations::Notation;
use mazurka_differential::pairs;
use mazurka_differential::table::Table;

/// Reads a table of this folder and holds it to what it must have.
fn is_full(file: &str, empty: &Table) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(file);
    let text = std::fs::read_to_string(&path).expect("the table is there");
    let mut table = empty.clone();
    table.add_table(&text).expect("a table");
    assert!(table.models > 0);
    assert!(table.gaps().is_empty(), "{file}: {:?}", table.gaps());
    // Reasons and features are those of today.
    assert_eq!(table.to_text(), text, "{file} is to be made again");
}

#[test]
fn every_pair_of_promela_met() {
    is_full("pairs.tsv", &pairs::table());
}

#[test]
fn every_pair_of_machines_met() {
    is_full("pairs-efsm.tsv", &Notation::Efsm.table());
    is_full("pairs-vfsm.tsv", &Notation::Vfsm.table());
}

#[test]
fn every_pair_of_sdl_met() {
    is_full("pairs-sdl.tsv", &Notation::Sdl.table());
}
