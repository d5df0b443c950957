//! What libFuzzer found, as it found it: `found/TARGET-WHAT`.

use std::path::Path;

use mazurka_hostile as hostile;

#[test]
fn what_was_found_is_mended() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/found");
    let mut count = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let bytes = std::fs::read(&path).unwrap();
        match name.split('-').next() {
            Some("ltl") => hostile::formulas::ltl(&bytes),
            Some("result") => hostile::results::result(&bytes),
            _ => panic!("{name}: which target is that of?"),
        };
        count += 1;
    }
    assert!(count >= 2);
}
