//! Every mistake is told at its place, and one does not hide another.

use mazurka_span::{SourceMap, has_errors};

/// The codes of what is wrong with a model, each with its line.
fn complaints(text: &str) -> Vec<String> {
    let mut map = SourceMap::new();
    let found = match mazurka_efsm::compile(&mut map, "m.efsm", text.as_bytes(), &[]) {
        Ok(compiled) => compiled.warnings,
        Err(errors) => errors,
    };
    found
        .iter()
        .map(|diagnostic| {
            let line = map
                .location(diagnostic.primary.span)
                .map_or(0, |at| at.line);
            format!("{} {line}", diagnostic.code)
        })
        .collect()
}

/// A model with one machine of the given body.
fn machine(body: &str) -> String {
    format!("machine M {{\n{body}\n}}\nsystem {{ m: M; }}\n")
}

#[test]
fn mistakes_are_told_where_they_are() {
    let cases: &[(&str, &[&str])] = &[
        ("start state A;", &[]),
        ("state A;", &["E0029 1"]),
        ("start state A; start state B;", &["E0029 1"]),
        ("start state A;\nA -> B;", &["E0021 3"]),
        ("start state A;\nA -> A\nA -> A;", &["E0010 4"]),
        ("start state A;\nA -> A when x;", &["E0021 3"]),
        ("start state A;\nvar x: bite;", &["E0021 3"]),
        ("start state A;\nvar x: byte;\nvar x: bool;", &["E0020 4"]),
        ("start state A;\nvar x: byte[0];", &["E0025 3"]),
        (
            "start state A;\nvar x: byte[2];\nA -> A { x := 1; }",
            &["E0026 4"],
        ),
        (
            "start state A;\nvar x: byte[2];\nA -> A { x[2] := 1; }",
            &["E0025 4"],
        ),
        (
            "start state A;\nvar x: byte;\nA -> A { y := 1; z := 2; }",
            &["E0021 4", "E0021 4"],
        ),
        (
            "start state A;\nvar x: byte;\nA -> A { x := m; }",
            &["E0023 4"],
        ),
        ("start state A;\nport p { a }\nA -> A ?p.b;", &["E0021 4"]),
        ("start state A;\nport p { a }\nA -> A ?q.a;", &["E0021 4"]),
        (
            "start state A;\nport p { a(byte) }\nA -> A !m.p.a;",
            &["E0028 4"],
        ),
        (
            "start state A;\nport p { a }\nA -> A !m.p.a { };",
            &["E0012 4"],
        ),
        (
            "start state A;\nport p[0] { a }\nA -> A !m.p.a;",
            &["E0025 3"],
        ),
        (
            "start state A;\nA -> A { for i in 0..2 { i := 1; } }",
            &["E0027 3"],
        ),
        ("start state A;\nA -> A when 99999999999;", &["E0003 3"]),
        ("start state A;\nA -> A when $;", &["E0001 3"]),
        ("start state A;\nA -> A when m at A;", &["E0022 3"]),
        ("start state A; /* for ever", &["E0002 2", "E0010 4"]),
    ];
    for (body, expected) in cases {
        let mut found = complaints(&machine(body));
        found.sort();
        let mut expected: Vec<String> = expected.iter().map(|code| code.to_string()).collect();
        expected.sort();
        assert_eq!(found, expected, "{body}");
    }
}

#[test]
fn mistakes_are_told_in_words_that_help() {
    let cases = [
        ("start state A;\nA -> B;", "machine M has no state `B`"),
        ("start state A;\nA -> A ?p.b;", "machine M has no port `p`"),
        (
            "start state A; port p { a }\nA -> A ?p.b;",
            "port p has no message `b`",
        ),
        (
            "start state A; port p { a }\nA -> A ?p.a;",
            "nobody sends `a` to port `p` of machine M",
        ),
        (
            "start state A; port p { a }\nA -> A !n.p.a;",
            "there is no variable, constant or instance `n`",
        ),
        (
            "start state A; var x: byte;\nA -> A { assert x = 1; }",
            "`=` is not an operator here: for equality, write `==`",
        ),
        (
            "start state A; var x: byte;\nA -> A when x = 1;",
            "`=` is not an operator here: for equality, write `==`",
        ),
        (
            "start state A; var x: byte;\nA -> A { x = 1; }",
            "`=` is not an operator here: to assign, write `:=`",
        ),
    ];
    for (body, expected) in cases {
        let mut map = SourceMap::new();
        let model = machine(body);
        let found = match mazurka_efsm::compile(&mut map, "m.efsm", model.as_bytes(), &[]) {
            Ok(compiled) => compiled.warnings,
            Err(errors) => errors,
        };
        let [first, ..] = found.as_slice() else {
            panic!("{body}: nothing is said");
        };
        let hint = first.hint.as_ref();
        let hint = hint.map_or(String::new(), |hint| format!(": {hint}"));
        assert_eq!(format!("{}{hint}", first.message), expected, "{body}");
    }
}

#[test]
fn mistakes_of_systems_are_told() {
    let node = "machine N(n: byte, next: N) { start state A; }\n";
    let cases: &[(&str, &[&str])] = &[
        ("system { a: N(1, a); }", &[]),
        ("", &["E0030 1"]),
        ("system { a: N(1); }", &["E0028 2"]),
        ("system { a: N(1, b); }", &["E0021 2"]),
        ("system { a[i < 2]: N(i, a[i + 1]); }", &["E0025 2"]),
        ("system { a[i < 0]: N(i, a[0]); }", &["E0025 2"]),
        (
            "system { a[i < 200]: N(i, a[i]); b[i < 200]: N(i, a[i]); }",
            &["E0031 2"],
        ),
        ("system { a: X; }", &["E0021 2", "E0030 2"]),
        ("const C = D;\nsystem { a: N(1, a); }", &["E0024 2"]),
        ("const C = 1 / 0;\nsystem { a: N(1, a); }", &["E0033 2"]),
        (
            "system { a: N(1, a); }\nltl p { [] (a.n == 1) && <> a at B }",
            &["E0021 3"],
        ),
        (
            "system { a: N(1, a); }\nltl p { [] (a.n == 1) -> <> a at A }",
            &[],
        ),
        (
            "system { a: N(1, a); }\nltl p { <> a at A }\nltl p { [] (a.m == 1) }",
            &["E0020 4", "E0021 4"],
        ),
        (
            "system { a: N(1, a); }\nltl p { [] (len(a.in) == 1) }",
            &["E0021 3"],
        ),
        (
            "system { a: N(1, a); }\nltl p { a.n == (<> a at A) }",
            &["E0013 3"],
        ),
        ("system { a: N(1, a) }", &["E0010 2"]),
    ];
    for (system, expected) in cases {
        let mut found = complaints(&format!("{node}{system}"));
        found.sort();
        let mut expected: Vec<String> = expected.iter().map(|code| code.to_string()).collect();
        expected.sort();
        assert_eq!(found, expected, "{system}");
    }
}

#[test]
fn constants_can_be_defined_from_outside() {
    let text = b"const N = 1; machine M { start state A; } system { m[i < N]: M; }";
    let compile = |define: &str| {
        let defines = [define.to_string()];
        mazurka_efsm::compile(&mut SourceMap::new(), "m.efsm", text, &defines)
    };
    assert_eq!(compile("N=7").unwrap().program.instances.len(), 7);
    assert!(has_errors(&compile("M=7").unwrap_err()));
    assert!(has_errors(&compile("N=x").unwrap_err()));
}

/// Whatever is cut out of a model or doubled in it, nothing panics and every program is well formed.
#[test]
fn any_text_is_survived() {
    let text = include_str!("../../../examples/efsm/sliding-window.efsm");
    let words: Vec<&str> = text.split_inclusive([' ', '\n', '(', ';', '.']).collect();
    for number in 0..words.len() {
        let mut less = words.clone();
        less.remove(number);
        let mut more = words.clone();
        more.insert(number, words[(number * 7) % words.len()]);
        for words in [less, more] {
            let text = words.concat();
            let result =
                mazurka_efsm::compile(&mut SourceMap::new(), "m.efsm", text.as_bytes(), &[]);
            if let Ok(compiled) = result {
                assert_eq!(mazurka_model::verify(&compiled.program), Vec::new());
            }
        }
    }
    for deep in [
        "(".repeat(100_000),
        "machine M { start state A; A -> A when ".to_string() + &"!".repeat(100_000),
        "machine M { start state A; A -> A ".to_string() + &"{ if x ".repeat(50_000),
        "const A = 1".to_string() + &"+ 1".repeat(100_000) + ";",
        "ltl p { ".to_string() + &"a -> ".repeat(100_000),
        "{".repeat(100_000),
    ] {
        assert!(mazurka_efsm::compile(&mut SourceMap::new(), "m", deep.as_bytes(), &[]).is_err());
    }
}
