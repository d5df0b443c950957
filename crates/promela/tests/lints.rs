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

#[test]
fn a_message_of_another_length_is_told_where_it_is_sent_and_where_it_is_received() {
    for (statement, is_wrong) in [
        ("c!1,2", false),
        ("c!1", true),
        ("c!1,2,3", true),
        ("c?x,_", false),
        ("c?x", true),
        ("c?x,_,_", true),
        ("c?<x>", false),
        ("c?<x,_,_>", true),
    ] {
        let source =
            format!("chan c = [2] of {{ byte, byte }}; byte x; init {{ x = 1; {statement} }}");
        let expected: &[&str] = if is_wrong { &["P0205"] } else { &[] };
        assert_eq!(codes(&source), expected, "{statement}");
    }
    let whole = "typedef T { byte a, b }; T t; chan c = [1] of { byte, byte };
        init { t.a = 1; c!t; c?t }";
    assert!(!codes(whole).contains(&"P0205"));
}

#[test]
fn a_constant_does_not_fit_wherever_it_goes() {
    for source in [
        "byte b; init { b = 200 + 100 }",
        "byte a[2]; init { a[1] = 300 }",
        "typedef T { byte b[2] }; typedef U { T t }; U u; init { u.t.b[1] = 300 }",
        "proctype P(int i; byte b) { b = i } init { run P(300, 300) }",
    ] {
        assert_eq!(codes(source), ["P0200"], "{source}");
    }
    for fits in [
        "byte b = 256 - 1; proctype P(short s) { b = s } init { run P(300) }",
        "int least = -2147483648; init { least = least + 1 }",
    ] {
        assert!(codes(fits).is_empty(), "{fits}");
    }
}

#[test]
fn nothing_leads_out_of_a_loop_without_a_break() {
    let source = |inside: &str| format!("byte x; init {{ do :: x = 1 {inside} od; x = 2 }}");
    assert_eq!(codes(&source("")), ["P0203"]);
    assert_eq!(codes(&source(":: do :: break od")), ["P0203"]);
    for inside in [
        ":: break",
        ":: if :: x == 1 -> break :: else fi",
        ":: atomic { x == 1; break }",
    ] {
        assert!(codes(&source(inside)).is_empty(), "{inside}");
    }
    let escaped = "byte x; init { { do :: x = 1 od } unless { x == 1 }; x = 2 }";
    assert!(codes(escaped).is_empty());
}

#[test]
fn a_number_that_a_variable_never_holds_is_told_where_it_is_compared() {
    let source = |condition: &str| {
        format!(
            "#define N 256\ntypedef T {{ bit b }} T t; byte x; bool on; short s; unsigned u : 3; pid a[2];
             ltl p {{ [] ({condition}) }}
             active proctype P() {{ x++; on = true; s++; u++; t.b = 1; a[1] = 0;
                 if :: {condition} -> skip :: x == 1 fi }}"
        )
    };
    for condition in [
        "x == 300",
        "x != -1",
        "x > 255 + 1",
        "-1 == x",
        "300 <= x",
        "x < -1",
        "on == 2",
        "u == 8",
        "t.b == 2",
        "a[1] == 256",
        "x == N",
        "s > 40000",
        "!(x == 300)",
        "x == 1 || s == 40000",
        "x + 1 == 2 && x == 256",
    ] {
        assert_eq!(codes(&source(condition)), ["P0200"; 2], "{condition}");
    }
    for condition in [
        "x < 256",
        "x < N",
        "x >= 0",
        "x <= 255",
        "x > -1",
        "x < 0",
        "x + 1 == 256",
        "s == -1",
        "u == 7",
        "on == true",
        "x == s",
        "x - 1 == -1",
    ] {
        assert!(codes(&source(condition)).is_empty(), "{condition}");
    }
}

#[test]
fn an_atomic_sequence_blocks_inside_its_selections_too() {
    let source = |inside: &str| {
        format!("chan c = [1] of {{ byte }}; byte x; init {{ atomic {{ x = 1; {inside} }} c?x }}")
    };
    for inside in [
        "c!1; x = 2",
        "if :: x == 1 -> skip fi",
        "if :: c?1 :: c?2 fi",
        "{ x == 1; x = 2 }",
        "do :: x == 1 -> break od",
    ] {
        assert_eq!(codes(&source(inside)), ["P0211"], "{inside}");
    }
    for inside in [
        "if :: x == 1 -> skip :: else fi",
        "if :: x = 1 :: c!1 fi",
        "if :: x < 3 -> x = 2 :: x >= 3 fi",
        "{ x = 2; x++ }",
        "c!1",
    ] {
        assert!(codes(&source(inside)).is_empty(), "{inside}");
    }
}

#[test]
fn constants_and_assignments_as_guards_are_told_wherever_they_are_written() {
    let source = |guards: &str| {
        format!("#define N 3\nmtype = {{ red }}; byte x; init {{ x = 1; if :: {guards} fi }}")
    };
    for (guards, expected) in [
        ("red -> skip", vec!["P0202"]),
        ("!0 -> skip :: else", vec!["P0202"]),
        ("!1 -> skip :: x == 1", vec!["P0202"]),
        ("1 == 1 -> skip :: else", vec!["P0202"]),
        ("true && true -> skip :: else", vec!["P0202"]),
        ("N > 2 -> skip :: else", vec![]),
        ("atomic { x = 2; x = 1 } :: else", vec!["P0201"]),
        ("d_step { x = 2; x = 1 } :: x == 3", vec![]),
        ("atomic { x = 2; x = 1 } :: atomic { x = 3; x = 1 }", vec![]),
        ("atomic { 7 -> skip }", vec!["P0202"]),
    ] {
        assert_eq!(codes(&source(guards)), expected, "{guards}");
    }
}
