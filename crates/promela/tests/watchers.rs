//! Trace assertions and never claims that say more than they may.

use mazurka_promela::{MemoryLoader, compile};
use mazurka_span::SourceMap;

fn mistakes(watcher: &str) -> Vec<String> {
    let model = format!(
        "byte x; chan q = [1] of {{ byte }}; chan r = [1] of {{ byte, byte }};
         active proctype P() {{ q!1 }}
         {watcher}"
    );
    let mut map = SourceMap::new();
    let loader = MemoryLoader::default();
    match compile(&mut map, "model.pml", model.as_bytes(), &[], &loader) {
        Ok(_) => Vec::new(),
        Err(diagnostics) => diagnostics
            .iter()
            .map(|diagnostic| diagnostic.message.clone())
            .collect(),
    }
}

#[test]
fn a_trace_is_about_messages_and_nothing_else() {
    for body in [
        "x = 1",
        "q!1; x == 1",
        "q!x",
        "q?x",
        "q!!1",
        "q??1",
        "q?<1>",
        "skip; q!1",
        "byte y; q!1",
        "atomic { q!1; q!2 }",
        "accept: q!1",
    ] {
        for word in ["trace", "notrace"] {
            let found = mistakes(&format!("{word} {{ {body} }}"));
            assert_eq!(found.len(), 1, "{word} {body}: {found:?}");
            assert!(found[0].contains("trace"), "{word} {body}: {found:?}");
        }
    }
    let two = mistakes("trace { q!1 } notrace { q!2 }");
    assert_eq!(two, ["a model has one trace assertion at most"]);
}

#[test]
fn a_trace_may_be_any_sequence_of_messages() {
    for body in [
        "q!1; q?1",
        "q!_; r?_,2; r!1,_",
        "q!-1; q!3 - 1; q?-1",
        "do :: q!1 :: q!2 -> break od; q!3",
        "L: if :: q!1 -> goto L :: q!2 fi; end: q!3",
    ] {
        let found = mistakes(&format!("trace {{ {body} }}"));
        assert!(found.is_empty(), "{body}: {found:?}");
    }
}

#[test]
fn a_never_claim_only_looks() {
    let found = mistakes("never { byte n; do :: x == 1 -> n++ od }");
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].contains("variables of its own"), "{found:?}");
    let found = mistakes("never { do :: x == 1 -> x = 2 od }");
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].contains("only looks"), "{found:?}");
}
