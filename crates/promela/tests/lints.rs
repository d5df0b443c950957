//! What is said of models that are right, and what is not: the idioms of the language are nobody's mistake.

use mazurka_promela::{MemoryLoader, compile};
use mazurka_span::SourceMap;

/// The codes of what is said of a model, in order.
fn codes(source: &str) -> Vec<&'static str> {
    let mut map = SourceMap::new();
    let loader = MemoryLoader::default();
    let compiled = compile(&mut map, "model.pml", source.as_bytes(), &[], &loader);
    let diagnostics = match compiled {
        Ok(compiled) => compiled.warnings,
        Err(diagnostics) => diagnostics,
    };
    diagnostics.iter().map(|it| it.code.id).collect()
}

#[test]
fn an_atomic_sequence_that_asks_first_does_not_block() {
    for condition in ["nempty(c)", "x < 3 && len(c) > 0", "x == 0 && c?[1]"] {
        let source = format!(
            "chan c = [2] of {{ byte }}; byte x;
             init {{ c!1; do :: atomic {{ {condition} -> c?x; x = 0 }} od }}"
        );
        assert!(codes(&source).is_empty(), "{condition}");
    }
    let about_another = "chan c = [2] of { byte }, d = [2] of { byte }; byte x;
        init { c!1; d!1; atomic { nempty(d) -> c?x; d?x } }";
    assert!(codes(about_another).contains(&"P0211"));
    let asks_later = "chan c = [2] of { byte }; byte x;
        init { c!1; atomic { x = 1; c?x; nempty(c) } }";
    assert_eq!(codes(asks_later), ["P0211"]);
}

#[test]
fn a_variable_that_does_not_fit_is_told_once() {
    let source = "chan c = [2] of { byte };
        init { short n = 1; c!n; c!n; c?_; c!n }";
    assert_eq!(codes(source), ["P0206"]);
}
