//! How diagnostics look.

use insta::assert_snapshot;
use mazurka_span::{
    Code, Diagnostic, Expansion, ExpansionKind, RenderOptions, SourceMap, Span, render,
};

const CODE: Code = Code {
    id: "T0001",
    summary: "a test",
};

fn map() -> SourceMap {
    let mut map = SourceMap::new();
    map.add(
        "a.pml",
        b"#define M x + \xff 1\nfirst line\nsecond M line\n",
    )
    .unwrap();
    map
}

#[test]
fn shows_labels_and_hint() {
    let map = map();
    let diagnostic = Diagnostic::error(CODE, Span::new(20, 25), "something is wrong")
        .label("this one")
        .also(Span::new(31, 37), "because of that")
        .hint("do better");
    assert_snapshot!(render(&map, &[diagnostic], RenderOptions::default()));
}

#[test]
fn shows_expansions_once() {
    let mut map = map();
    let context = map.add_expansion(Expansion {
        kind: ExpansionKind::Macro,
        name: "M".into(),
        call: Span::new(38, 39),
        definition: None,
    });
    let diagnostic = Diagnostic::warning(CODE, Span::new(12, 13).in_context(context), "odd");
    let twice = [diagnostic.clone(), diagnostic];
    assert_snapshot!(render(&map, &twice, RenderOptions::default()));
}

#[test]
fn counts_what_it_does_not_show() {
    let map = map();
    let many: Vec<Diagnostic> = (0..6)
        .map(|at| Diagnostic::error(CODE, Span::new(20 + at, 21 + at), format!("number {at}")))
        .collect();
    let options = RenderOptions {
        limit: 1,
        ..RenderOptions::default()
    };
    assert_snapshot!(render(&map, &many, options));
}

#[test]
fn survives_odd_places() {
    let map = map();
    for (start, end) in [(0, 0), (44, 44), (45, 45), (0, 45), (17, 20), (1000, 2000)] {
        let diagnostic = Diagnostic::error(CODE, Span::new(start, end), "here");
        let options = RenderOptions {
            colour: true,
            ..RenderOptions::default()
        };
        assert!(render(&map, &[diagnostic], options).contains("here"));
    }
}
