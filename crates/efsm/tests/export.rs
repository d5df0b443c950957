//! What is exported is one tree: what is printed is read as what was meant.

use mazurka_promela::MemoryLoader;
use mazurka_span::{SourceMap, has_errors};

#[test]
fn exports_of_the_examples_are_read_as_they_were_made() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/efsm");
    let mut count = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "efsm") {
            continue;
        }
        let source = std::fs::read(&path).unwrap();
        let mut map = SourceMap::new();
        let exported = mazurka_efsm::promela(&mut map, "model.efsm", &source, &[]).unwrap();
        let (model, told) = mazurka_promela::parse(
            &mut SourceMap::new(),
            "exported.pml",
            exported.as_bytes(),
            &[],
            &MemoryLoader::default(),
        );
        assert!(!has_errors(&told), "{told:?}");
        let (_, printed) = exported.split_once("*/\n\n").unwrap();
        assert_eq!(model.to_string(), printed, "{}", path.display());
        count += 1;
    }
    assert!(count >= 5);
}
