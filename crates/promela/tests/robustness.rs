//! Whatever the input: no panic, no hang, no exhausted stack. Random input is in `any_bytes.rs`.

mod support;

use std::time::{Duration, Instant};

use mazurka_span::{RenderOptions, render};
use support::parse_text;

/// Parses, renders, prints and drops in a thread with the smallest usual stack.
fn survive(source: Vec<u8>) -> String {
    std::thread::Builder::new()
        .stack_size(2 << 20)
        .spawn(move || {
            let start = Instant::now();
            let (map, model, diagnostics) = parse_text(&source);
            let text = render(&map, &diagnostics, RenderOptions::default());
            for unit in &model.units {
                if let Some(body) = support::body(unit) {
                    body.to_string();
                }
            }
            drop(model.clone());
            assert!(start.elapsed() < Duration::from_secs(20), "too slow");
            text
        })
        .unwrap()
        .join()
        .expect("no panic")
}

#[test]
fn deep_nesting_is_refused() {
    let deep = |open: &str, middle: &str, close: &str| {
        let text = format!(
            "init {{ {}{middle}{} }}",
            open.repeat(10_000),
            close.repeat(10_000)
        );
        let problems = survive(text.into_bytes());
        assert!(problems.contains("P0034"), "{open}: {problems}");
        assert_eq!(problems.matches("error[").count(), 1, "{problems}");
    };
    deep("(", "x", ")");
    deep("{", "x", "}");
    deep("if :: ", "x", " fi");
    deep("do :: atomic { ", "x", " } od");
    deep("!(", "x", ")");
    deep("- ", "x", "");
    deep("a[", "x", "]");
    deep("(a -> b : ", "x", ")");
    deep("for (i : 1 .. 2) { ", "x", " }");
    deep("skip unless { ", "x", " }");
    deep("run P(", "x", ")");
    let message = format!(
        "init {{ q?{}x{} }}",
        "a(".repeat(10_000),
        ")".repeat(10_000)
    );
    assert!(survive(message.into_bytes()).contains("P0034"));
    let formula = format!("ltl {{ {}p{} }}", "[](".repeat(10_000), ")".repeat(10_000));
    assert!(survive(formula.into_bytes()).contains("P0034"));
}

#[test]
fn what_is_allowed_fits_the_stack() {
    for (open, close) in [
        ("{", "}"),
        ("if :: ", " fi"),
        ("(", ")"),
        ("L: atomic { ", " } unless { x }"),
    ] {
        let text = format!("init {{ {}x{} }}", open.repeat(80), close.repeat(80));
        assert_eq!(survive(text.into_bytes()), "", "{open}");
    }
}

#[test]
fn long_is_not_deep() {
    let sum = |length| format!("init {{ x = 1{} }}", " + 1".repeat(length)).into_bytes();
    assert_eq!(survive(sum(900)), "");
    assert!(survive(sum(100_000)).contains("P0034"));
    let close = format!("{}]", " + 1".repeat(100));
    let index = format!("init {{ x = {}1{} }}", "a[".repeat(100), close.repeat(100));
    assert!(survive(index.into_bytes()).contains("P0034"));
    assert_eq!(
        survive(format!("init {{ {}skip }}", "L: ".repeat(50_000)).into_bytes()),
        ""
    );
    assert_eq!(
        survive(format!("init {{ {}skip }}", "x = 1; ".repeat(50_000)).into_bytes()),
        ""
    );
}

#[test]
fn explosions_are_refused() {
    let mut macros = String::from("#define M0 x x\n");
    let mut inlines = String::from("inline f0(a) { a = 1; a = 2 }\n");
    for level in 1..30 {
        let below = level - 1;
        macros += &format!("#define M{level} M{below} M{below}\n");
        inlines += &format!("inline f{level}(a) {{ f{below}(a); f{below}(a) }}\n");
    }
    assert!(survive((macros + "init { M29 }").into_bytes()).contains("P0020"));
    assert!(survive((inlines + "init { f29(x) }").into_bytes()).contains("P0040"));
    let chain: String = (0..5000)
        .map(|n| format!("#define C{n} C{}\n", n + 1))
        .collect();
    assert!(survive((chain + "init { C0 }").into_bytes()).contains("P0020"));
    let calls = format!(
        "#define F(a) a a\ninit {{ x = {}1{} }}",
        "F(".repeat(5000),
        ")".repeat(5000)
    );
    assert!(survive(calls.into_bytes()).contains("P0020"));
    let open = format!("#define F(a) a\ninit {{ x = {} }}", "F(".repeat(20_000));
    assert!(survive(open.into_bytes()).contains("P0019"));
}

#[test]
fn odd_bytes() {
    for source in [
        &b""[..],
        b"\0",
        b"\xff\xfe",
        b"\\",
        b"#",
        b"#define",
        b"\"",
        b"'",
        b"/*",
        b"//",
        b"init {",
        b"ltl",
        b"inline f(",
    ] {
        survive(source.to_vec());
    }
    assert!(survive(b"init { \xff }".to_vec()).contains("P0001"));
}
