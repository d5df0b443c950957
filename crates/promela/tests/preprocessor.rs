//! Macros, conditions and includes.

mod support;

use std::collections::HashMap;

use mazurka_promela::{MemoryLoader, parse};
use mazurka_span::{RenderOptions, SourceMap, render};
use support::statements;

#[test]
fn macros_expand_as_in_c() {
    let check = |text: &str, expected: &str| assert_eq!(statements(text), expected);
    check("#define A 1\ninit { x = A }", "x = 1");
    check(
        "#define F(a, b) (a + b)\ninit { x = F(1, F(2, 3)) }",
        "x = 1+(2+3)",
    );
    check("#define F(a) a\ninit { F = F (2) }", "F = 2");
    check("#define F (a)\ninit { x = F }", "x = a");
    check("#define f f + 1\ninit { x = f }", "x = f+1");
    check("#define a b\n#define b a\ninit { x = a + b }", "x = a+b");
    check(
        "#define f(x) g(x)\n#define g(x) x\ninit { x = f(f(1)) }",
        "x = 1",
    );
    check("#define J(a, b) a##b\ninit { x = J(y, 1) }", "x = y1");
    check(
        "#define S(a) printf(#a)\ninit { S(b + 1) }",
        "printf(\"b + 1\")",
    );
    check(
        "#define V(f, ...) printf(f, __VA_ARGS__)\ninit { V(\"%d\", 1, 2) }",
        "printf(\"%d\",1,2)",
    );
    check(
        "#define LONG x = \\\n 1; \\\n y = 2\ninit { LONG }",
        "x = 1\ny = 2",
    );
    check(
        "#define NOTHING\ninit { x = 1\nNOTHING y = 2 }",
        "x = 1\ny = 2",
    );
    check("#define F(a, b) a + b\ninit { x = F(1,\n2) }", "x = 1+2");
    check("#define A 1\n#undef A\ninit { x = A }", "x = A");
    check("#define if_ if :: \ninit { if_ true fi }", "if :: true fi");
}

#[test]
fn conditions() {
    let check = |condition: &str, expected: bool| {
        let text = format!(
            "#define N 3\n#if {condition}\n#define R 1\n#else\n#define R 0\n#endif\ninit {{ x = R }}"
        );
        assert_eq!(
            statements(&text),
            format!("x = {}", u8::from(expected)),
            "{condition}"
        );
    };
    check("N == 3 && !M", true);
    check("defined(N) && !defined M", true);
    check("(N << 2) - 1 == 0xb && 010 == 8", true);
    check("N > 3 ? 1 : 0", false);
    check("-1 < 0 || 1 / 1", true);
    let nested = "#ifdef A\n#if 1\n#else\n#endif\nbroken (\n#elif 1\n#ifndef A\ninit { x }\n#endif\n#else\n( \n#endif";
    assert_eq!(statements(nested), "x");
}

#[test]
fn defines_of_the_caller() {
    let mut map = SourceMap::new();
    let defines = ["A".to_string(), "B=x + 2".to_string(), "C(y)=y".to_string()];
    let source = b"init { x = A + B + C(3) }";
    let (model, diagnostics) = parse(
        &mut map,
        "a.pml",
        source,
        &defines,
        &MemoryLoader::default(),
    );
    assert!(diagnostics.is_empty());
    let body = support::body(&model.units[0]).unwrap();
    assert_eq!(body.to_string(), "x = 1+x+2+3");
}

fn with_files(source: &str, files: &[(&str, &str)]) -> String {
    let mut map = SourceMap::new();
    let files: HashMap<String, Vec<u8>> = files
        .iter()
        .map(|(name, text)| (name.to_string(), text.as_bytes().to_vec()))
        .collect();
    let loader = MemoryLoader { files };
    let (model, diagnostics) = parse(&mut map, "dir/main.pml", source.as_bytes(), &[], &loader);
    let text = render(&map, &diagnostics, RenderOptions::default());
    let bodies: Vec<String> = model
        .units
        .iter()
        .filter_map(support::body)
        .map(|body| body.to_string())
        .collect();
    text + &bodies.join("\n")
}

#[test]
fn includes_are_relative() {
    let files = [
        ("dir/sub/a.h", "#include \"b.h\"\n"),
        ("dir/sub/b.h", "init { x = ONE }\n"),
    ];
    assert_eq!(
        with_files("#define ONE 1\n#include \"sub/a.h\"\n", &files),
        "x = 1"
    );
}

#[test]
fn includes_end() {
    let text = with_files(
        "#include \"a.h\"\n#include \"a.h\"\n",
        &[("dir/a.h", "#include \"a.h\"\n#include \"a.h\"\n")],
    );
    assert!(text.contains("include each other too deeply"), "{text}");
    assert!(with_files("#include \"no.h\"", &[]).contains("P0010"));
}
