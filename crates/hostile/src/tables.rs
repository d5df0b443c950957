//! Any bytes as state tables that a spreadsheet holds, for `export TABLES.csv --as vfsm`.

use mazurka_checker::{Besides, ModelText};
use mazurka_generate::{TableForm, from_tables, tables};

use crate::models::{Fate, vfsm};

const EXAMPLES: [&str; 3] = [
    include_str!("../../../examples/vfsm/handshake.vfsm"),
    include_str!("../../../examples/vfsm/remove-restore.vfsm"),
    include_str!("../../../examples/vfsm/voice-storage.vfsm"),
];

/// Reads the machines of tables. What is written of them is read like any network. It is none, since tables do not connect machines; so what
/// counts is whether the tables were taken.
pub fn table(bytes: &[u8]) -> Fate {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return Fate::Refused;
    };
    match from_tables(text) {
        Ok(machines) => {
            vfsm(machines.as_bytes());
            Fate::Ran(0)
        }
        Err(reason) => {
            assert!(!reason.is_empty(), "it is refused without a reason");
            Fate::Refused
        }
    }
}

/// The tables of some examples, with each sign that separates fields.
pub fn valid() -> Vec<Vec<u8>> {
    let mut files = Vec::new();
    for text in EXAMPLES {
        let model = ModelText::from_source("any.vfsm", text).expect("an example");
        let loaded = model.load(&Besides::default()).expect("an example");
        let csv = tables(&model, &loaded, TableForm::Csv, None).expect("the tables of a network");
        files.extend([",", "\t", ";"].map(|sign| separated_by(&csv, sign).into_bytes()));
    }
    files
}

/// The same table with another sign between the fields. What stands in quotation marks stays as it is.
fn separated_by(csv: &str, sign: &str) -> String {
    let quoted = csv.split('"').enumerate();
    let parts = quoted.map(|(number, part)| match number % 2 {
        0 => part.replace(',', sign),
        _ => part.into(),
    });
    parts.collect::<Vec<String>>().join("\"")
}
