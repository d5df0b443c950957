//! Integers have no bounds in Z.100: a result that does not fit into 32 bits is an error, never another number.

#[allow(dead_code)]
mod support;

use mazurka_sdl::compile;
use mazurka_span::SourceMap;
use support::{agree, coarse, computes, judge, program};

/// A process that computes something: with these variables, and this done at its start.
fn system(variables: &str, start: &str) -> String {
    format!(
        "system s; syntype small = Integer constants -5:5 endsyntype; syntype wide = Integer constants 0:100000 endsyntype;
         block b; process p; dcl {variables}; start; {start} state fine comment 'end'; endstate; state wrong; endstate; endprocess; endblock; endsystem;"
    )
}

#[track_caller]
fn check(expected: &str, variables: &str, start: &str) {
    let text = system(variables, start);
    let found = judge(program(&text, &[])).expect("a small system");
    assert_eq!(coarse(&found), expected, "{text}\n{found:?}");
    assert_eq!(agree(&text, &[]), Some(expected));
}

/// The value of an expression of `x` and `y`, which are what they are here.
#[track_caller]
fn gives(expected: &str, x: &str, y: &str, expression: &str, value: &str) {
    check(
        expected,
        &format!("x Integer := {x}, y Integer := {y}"),
        &format!(
            "decision {expression}; ({value}): nextstate fine; else: nextstate wrong; enddecision;"
        ),
    );
}

const MOST: &str = "2147483647";
const LEAST: &str = "-2147483647 - 1";

#[test]
fn what_does_not_fit_is_an_error() {
    for (x, y, expression) in [
        (MOST, "1", "x + 1"),
        (MOST, "1", "1 + x"),
        (MOST, "1", "x + y"),
        (LEAST, "-1", "x + y"),
        (LEAST, "-1", "x + (-1)"),
        (LEAST, "1", "x - 1"),
        (LEAST, "1", "x - y"),
        ("0", LEAST, "x - y"),
        ("0", LEAST, "-y"),
        ("0", LEAST, "abs(y)"),
        ("65536", "32768", "x * y"),
        ("65536", "32768", "x * 32768"),
        ("-65536", "32769", "x * y"),
        ("65536", "-32769", "x * y"),
        ("-65536", "-32768", "x * y"),
        ("-65536", "-32768", "x * (-32768)"),
        (LEAST, "-1", "x * y"),
        // What is divided is computed, whatever it is divided by.
        (MOST, "-1", "(x + 1) mod y"),
        (MOST, "-1", "(x + 1) rem y"),
        ("1", "31", "shift_left(x, y)"),
        ("-2", "31", "shift_left(x, y)"),
        ("-1", "32", "shift_left(x, y)"),
        ("1", "1000", "shift_left(x, y)"),
        ("-1", LEAST, "x * y"),
        (LEAST, "-1", "x * (-1)"),
        (LEAST, "-1", "x / y"),
        (LEAST, "-1", "x / (-1)"),
        ("3", "21", "power(x, y)"),
        (
            "3",
            "21",
            "power(x, 4) * power(x, 4) * power(x, 4) * power(x, 4) * power(x, 4)",
        ),
        ("1", "31", "shift_left(x, y)"),
        ("3", "30", "shift_left(x, 30)"),
        ("3", "40", "shift_left(x, y)"),
        ("3", "-1", "shift_left(x, y)"),
        ("1", "1", "2147483647 + 1"),
    ] {
        let variables = format!("x Integer := {x}, y Integer := {y}");
        let start = format!(
            "decision {expression}; (0): nextstate fine; else: nextstate fine; enddecision;"
        );
        let text = system(&variables, &start);
        let found = judge(program(&text, &[])).expect("a small system");
        assert_eq!(
            coarse(&found),
            "error",
            "{expression} of {x} and {y}: {found:?}"
        );
        if !expression.contains("power(x, 4)") && !expression.contains("power(x, y)") {
            assert_eq!(agree(&text, &[]), Some("error"));
        }
    }
}

#[test]
fn what_fits_is_what_it_is() {
    for (x, y, expression, value) in [
        ("2147483646", "1", "x + y", MOST),
        ("-2147483647", "-1", "x + y", LEAST),
        ("-1", MOST, "x - y", LEAST),
        (MOST, "1", "(x - 1) + 1", MOST),
        (LEAST, MOST, "x + y", "-1"),
        ("65536", "-32768", "x * y", LEAST),
        ("65535", "32768", "x * y", "2147450880"),
        ("-65536", "32768", "x * y", LEAST),
        (LEAST, "0", "x * y", "0"),
        (LEAST, "1", "x * y", LEAST),
        ("0", LEAST, "x * y", "0"),
        (LEAST, "2", "x / y", "-1073741824"),
        (LEAST, "-1", "x rem y", "0"),
        ("-1", "31", "shift_left(x, y)", LEAST),
        ("-2", "30", "shift_left(x, y)", LEAST),
        ("0", "1000", "shift_left(x, y)", "0"),
        (LEAST, "-1", "x mod y", "0"),
        ("0", "0", "-2147483648", LEAST),
        // Z.100 annex D: never negative, whatever the divisor is.
        ("7", "4", "x mod y", "3"),
        ("-7", "4", "x mod y", "1"),
        ("7", "-4", "x mod y", "3"),
        ("-7", "-4", "x mod y", "1"),
        ("-8", "-4", "x mod y", "0"),
        ("1500000000", "2000000000", "x mod y", "1500000000"),
        ("-1500000000", "2000000000", "x mod y", "500000000"),
        ("-7", "4", "x rem y", "-3"),
        ("7", "-4", "x rem y", "3"),
        ("-7", "2", "x / y", "-3"),
        ("3", "4", "power(x, 4)", "81"),
        ("1", "30", "shift_left(x, y)", "1073741824"),
        ("0", "40", "shift_left(x, y)", "0"),
        ("-1", "40", "shift_right(x, y)", "-1"),
        ("5", "40", "shift_right(x, y)", "0"),
        ("-5", "1", "shift_right(x, y)", "-3"),
    ] {
        gives("holds", x, y, expression, value);
    }
}

/// The operators of a range are those of the type that it is a part of: only what is stored has to lie in it.
#[test]
fn a_range_is_looked_at_where_a_value_is_stored() {
    let two = "x small := 5, y small := 5";
    let more = "decision x * y + x; (30): nextstate fine; else: nextstate wrong; enddecision;";
    check("holds", two, more);
    check("holds", two, "task x := x + 5 - 5; nextstate fine;");
    check("error", two, "task x := x + 1; nextstate fine;");
    check(
        "error",
        "n Natural := 0",
        "task n := n - 1; nextstate fine;",
    );
    check(
        "holds",
        "n Natural := 0",
        "task n := n - 1 + 1; nextstate fine;",
    );
    let much = "task w := w * w / w; nextstate fine;";
    check("error", "w wide := 100000", much);
    check("holds", "w wide := 40000", much);
}

/// Where nothing is evaluated, nothing is wrong.
#[test]
fn a_branch_that_is_not_taken_is_not_computed() {
    let most = "x Integer := 2147483647, b Boolean := false";
    let start = |value: &str| {
        format!("decision {value}; (0): nextstate fine; else: nextstate wrong; enddecision;")
    };
    check("holds", most, &start("if b then x + 1 else 0 fi"));
    check("error", most, &start("if b then 0 else x + 1 fi"));
    let then = "decision b and then x + 1 > 0; (false): nextstate fine; else: nextstate wrong; enddecision;";
    check("holds", most, then);
    check("error", most, &then.replace("and then", "and"));
}

#[test]
fn conditions_and_messages_are_exact_too() {
    let text = |condition: &str, value: &str| {
        format!(
            "system s; signal a, n(Integer); block b;
             process p; dcl x Integer := 2147483647; start; output a; output n({value}); nextstate e; state e comment 'end'; endstate; endprocess;
             process q; dcl y Integer := 2147483647; start; nextstate s; state s; input a; provided {condition}; nextstate t; endstate;
             state t; input n(y); nextstate e; endstate; state e comment 'end'; endstate; endprocess; endblock; endsystem;"
        )
    };
    for (condition, value, expected) in [
        ("y > 0", "x", "holds"),
        ("y + 1 > 0", "x", "error"),
        ("y > 0", "x + 1", "error"),
    ] {
        assert_eq!(agree(&text(condition, value), &[]), Some(expected));
    }
}

#[test]
fn numbers_of_asn_1_may_have_more_bits_than_there_are() {
    let types = "Large ::= INTEGER (0 .. 4294967295) Huge ::= INTEGER (-9223372036854775808 .. 9223372036854775807) Word ::= INTEGER (-2147483648 .. 2147483647)";
    for (variables, start, expected) in [
        (
            "dcl x Large := 2147483647;",
            "task x := x + 1; nextstate fine;",
            "error",
        ),
        (
            "dcl x Large := 2147483646;",
            "task x := x + 1; nextstate fine;",
            "holds",
        ),
        (
            "dcl x Large := 0;",
            "task x := x - 1; nextstate fine;",
            "error",
        ),
        (
            "dcl x Huge := -2147483648;",
            "task x := x - 1; nextstate fine;",
            "error",
        ),
        (
            "dcl x Huge := -2147483647;",
            "task x := x - 1; nextstate fine;",
            "holds",
        ),
        (
            "dcl x Word := -2147483648;",
            "task x := -x; nextstate fine;",
            "error",
        ),
        (
            "dcl x Word := -2147483648;",
            "task x := x + 1; nextstate fine;",
            "holds",
        ),
    ] {
        assert_eq!(
            computes(types, variables, start),
            Ok(expected),
            "{variables} {start}"
        );
    }
    let told = computes(types, "dcl x Large := 4294967295;", "nextstate fine;").unwrap_err();
    assert!(told.contains("S0003"), "{told}");
}

/// What is known before the system runs is refused with its place.
#[test]
fn constants_that_do_not_fit_are_refused() {
    for (text, code, line) in [
        ("synonym n Integer =\n2147483648;", "S0003", 2),
        ("synonym n Integer =\n2147483647 + 1;", "S0024", 2),
        ("synonym n Integer =\n65536 * 65536;", "S0024", 2),
        ("synonym n Integer =\n-2147483648 - 1;", "S0024", 2),
        (
            "syntype t = Integer constants 0:\n2147483647 + 1 endsyntype;",
            "S0024",
            2,
        ),
    ] {
        let text = format!(
            "system s; {text} block b; process p; start; stop; endprocess; endblock; endsystem;"
        );
        let mut map = SourceMap::new();
        let errors = compile(&mut map, "m.sdl", text.as_bytes(), &[]).unwrap_err();
        let first = &errors[0];
        let at = map.location(first.primary.span).map(|at| at.line);
        assert_eq!(
            (first.code.to_string(), at),
            (code.to_string(), Some(line)),
            "{text}"
        );
    }
}

/// Every result is looked at in the export, so an expression may become too large: it is refused, and the check is not.
#[test]
fn an_export_that_becomes_too_large_is_refused() {
    let text = system(
        "x Integer := 3, y Integer := 21",
        "decision power(x, y); (0): nextstate fine; else: nextstate fine; enddecision;",
    );
    assert_eq!(
        judge(program(&text, &[])).map(|found| coarse(&found)),
        Some("error")
    );
    let told = mazurka_sdl::promela(&mut SourceMap::new(), "m.sdl", text.as_bytes(), &[]);
    let told = told.unwrap_err();
    assert!(
        told.iter()
            .any(|one| one.is_error() && one.message.contains("too large"))
    );
}
