//! What people are told about their mistakes. Each snapshot is a mistake and all that is said about it.

mod support;

use support::diagnose;

macro_rules! mistakes {
    ($($name:ident $source:expr;)*) => {
        $(#[test]
        fn $name() {
            insta::assert_snapshot!(stringify!($name), diagnose($source));
        })*
    };
}

mistakes! {
    assignment_for_comparison "init { if :: (x = 1) -> skip fi }";
    missing_fi "init { if :: a -> b; x = 1 }\nproctype P() { skip }";
    missing_od "active proctype P() {\n  do\n  :: x > 0 -> x--\n}\ninit { skip }";
    od_for_fi "init { if :: a -> b od; x = 1 }";
    missing_brace "proctype P() {\n  x = 1;\n  if :: a :: b fi\nproctype Q() { skip }";
    stray_brace "proctype P() { skip }}\nbyte x;";
    missing_option "init { do x = 1; break od }";
    misspelt_keyword "proctpye P() { skip }\ninit { atomc { skip }; got L; prinft(\"x\") }";
    missing_semicolon "init { x = 1 y = 2; z = 3 }";
    several_errors "init { x = ; y = 2; z = ) + 1; q!; a = 3 }\nbyte ;\nbyte ok;";
    empty_body "init { }";
    statement_at_top_level "byte x;\nx = 1;\ninit { skip }";
    unknown_type "init { T x; foo = 1 }\ntypedef T { byte a }";
    label_before_declaration "init { L: byte x; x = 1 }";
    negated_probe "chan q = [1] of { byte };\ninit { !empty(q) -> full(q) == 1 }";
    keyword_as_name "byte len;\ninit { run = 1 }";
    line_ends_too_early "init {\n  x = y\n    + 1\n}";
    c_style_for "init { for (i = 0; i < 3; i++) { skip } }";
    inline_arguments "inline f(a, b) { a = b }\ninit { f(1) }";
    inline_recursion "inline g(a) { f(a) }\ninline f(a) { x = a; g(a) }\ninit { f(1); y = 2 }";
    inline_before_definition "init { f(1) }\ninline f(a) { x = a }";
    error_in_inline "inline f(a) { x = a + }\ninit { f(1); f(2) }";
    error_in_macro "#define M(a) a +\n#define N M(1)\ninit { x = N; y = N }";
    return_without_value "inline f() { return 1 }\ninit { f() }";
    embedded_c "c_decl { int x; };\ninit { c_code { if (x) { printf(\"}\"); } }; c_expr { x } -> skip }";
    unknown_characters "init { x = 1 $ 2; y = `3; z = \u{3b1} }";
    unterminated_string "init { printf(\"hello); x = 1 }";
    unterminated_comment "init { skip }\n/* and so on";
    numbers "init { x = 0x10; y = 99999999999; z = 4294967295; w = -2147483648 }";
    bad_formula "byte x;\nltl p { [] x + (<> y) }\nltl q { x U }\nltl { a b }";
    directives "#inclde \"x\"\n#if (\n#endif\n#endif\n#define F(a) a\ninit { x = F(1, 2) + F }\n#error stop here\n#if 1";
    mtype_in_body "init { mtype = { a, b }; skip }";
    parameter_with_value "proctype P(byte a = 1) { skip }";
    c_style_if "init { byte i; if (i == 0) { i = 1 } else if (i == 1) { i = 2 } else { i = 3 }; i = 4 }";
    c_style_function "void f(int a) { skip }\nint g() { skip }\ninit { f(1) }";
    several_dimensions "byte a[2][3];\ninit { skip }";
    number_of_processes "active proctype[2] P() { skip }";
    parentheses_for_braces "byte x; init { atomic(x = 1) }";
    fraction "init { int x; x = 3.5 }";
    constant "const int N = 3;\nenum { a, b };\ninit { skip }";
    not_in_spin "proctype P(byte a, byte b;) { skip }\nchan q = [1] of { byte }, r = [2] of { bit };";
}

#[test]
fn no_mistake_is_ever_reported_twice() {
    let text = diagnose("inline f(a) { a = = 1 }\ninit { f(x); f(x); f(x) }");
    assert_eq!(text.matches("error").count(), 1, "{text}");
}
