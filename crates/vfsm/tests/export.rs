//! What is exported is one tree: what is printed is read as what was meant.

use mazurka_promela::MemoryLoader;
use mazurka_span::{SourceMap, has_errors};
use mazurka_vfsm::Extras;

#[test]
fn exports_of_the_examples_are_read_as_they_were_made() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/vfsm");
    let mut count = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "vfsm") {
            continue;
        }
        let source = std::fs::read(&path).unwrap();
        let mut map = SourceMap::new();
        let exported =
            mazurka_vfsm::export_promela(&mut map, "model.vfsm", &source, &Extras::default())
                .unwrap();
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

/// Names of machines that are words of Promela, or that the translation has for things of its own.
#[test]
fn machines_may_have_any_name() {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../examples/vfsm/handshake.vfsm"
    );
    let source = std::fs::read_to_string(path).unwrap();
    for name in [
        "c",
        "init",
        "run",
        "timeout",
        "network",
        "started",
        "deadlock",
        "watched_0",
    ] {
        let renamed = source.replace("caller", name);
        let mut map = SourceMap::new();
        let exported = mazurka_vfsm::export_promela(
            &mut map,
            "model.vfsm",
            renamed.as_bytes(),
            &Extras::default(),
        );
        let compiled = mazurka_promela::compile(
            &mut SourceMap::new(),
            "exported.pml",
            exported.unwrap().as_bytes(),
            &[],
            &MemoryLoader::default(),
        );
        assert!(compiled.is_ok(), "{name}: {:?}", compiled.err());
    }
}
