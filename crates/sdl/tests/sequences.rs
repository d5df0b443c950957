//! Values whose number of elements changes, fields that may be there, constants of several values, and operators of OpenGEODE.

#[path = "../../differential/src/random.rs"]
#[allow(dead_code)]
mod random;
#[allow(dead_code)]
mod support;

use support::{agree, computes, judged_with, with};

const TYPES: &str = "
    N ::= INTEGER (0..3)
    List ::= SEQUENCE (SIZE (0..most)) OF N
    most INTEGER ::= 4
    Flags ::= SEQUENCE (SIZE (1..2)) OF BOOLEAN
    Fixed ::= SEQUENCE (SIZE (3)) OF N
    Bits ::= SEQUENCE (SIZE (2)) OF BOOLEAN
    Octets ::= OCTET STRING (SIZE (0..8))
    Text ::= IA5String (SIZE (0..8))
    Word ::= ENUMERATED { hello(12), world(13) }
    Words ::= SEQUENCE (SIZE (0..2)) OF Word
    Point ::= SEQUENCE { x N, y N }
    Points ::= SEQUENCE (SIZE (0..2)) OF Point
    Rows ::= SEQUENCE (SIZE (0..2)) OF List
    Some ::= SEQUENCE { a BOOLEAN OPTIONAL, b SEQUENCE { b-C BOOLEAN OPTIONAL } OPTIONAL, c N DEFAULT 2, w Word DEFAULT world }
    Nothing ::= NULL
    Which ::= CHOICE { nix Nothing, number N, rest Some }
    Same ::= ENUMERATED { number, rest, other }
    Named ::= INTEGER { one(1), two(2) } (0..3)
    Wide ::= INTEGER (0..4294967295)
    a-list List ::= { 1, 2, 3 }
    some-octets Octets ::= 'DEAD'H
    a-point Point ::= { x 1, y 2 }
    no-thing Nothing ::= NULL";

const VARIABLES: &str = "dcl l, k List := {1, 2}; dcl n Integer; dcl o Octets := 'abc'; dcl t Text := 'xy';
    dcl p Points, r Rows, f Fixed := {1, 2, 3}, b Bits := {true, false}, w Words := {hello, world};
    dcl s, u Some := {a true}; dcl c Which := number: 3; dcl z Nothing, m Named := two, g Flags, wide Wide, e Same;";

/// Is a condition true behind some actions?
fn holds(work: &str, condition: &str) {
    let start = format!(
        "{work} decision {condition}; (true): nextstate fine; (false): nextstate wrong; enddecision;"
    );
    let told = computes(TYPES, VARIABLES, &start);
    assert_eq!(told.as_deref(), Ok("holds"), "{work} {condition}");
}

/// Is doing that an error of the model?
fn fails(work: &str) {
    let told = computes(TYPES, VARIABLES, &format!("{work} nextstate fine;"));
    assert_eq!(told.as_deref(), Ok("error"), "{work}");
}

/// Is it refused, in these words?
fn refused(work: &str, what: &str) {
    let told = computes(TYPES, VARIABLES, &format!("{work} nextstate fine;"));
    let told = told.unwrap_err();
    assert!(told.contains(what), "{work}: {told}");
}

#[test]
fn sequences_grow_and_shrink() {
    holds(
        "",
        "length(l) = 2 and l(1) = 2 and l = {1, 2} and l /= {1} and k = l",
    );
    holds("task l := l // {3};", "l = {1, 2, 3} and length(l) = 3");
    holds("task l := {};", "length(l) = 0 and l = {} and not (0 in l)");
    holds("task l := k // {0} // {1};", "l = {1, 2, 0, 1}");
    holds("task l := k(1, 1) // k;", "l = {2, 1, 2}");
    holds("task n := 1, l := k(n, n) // k(0, n - 1);", "l = {2, 1}");
    holds("task l := l(0, 0), l := l // l;", "l = {1, 1}");
    holds(
        "task l := if length(k) > 5 then k else {} fi;",
        "length(l) = 0",
    );
    holds(
        "task l := if length(k) > 1 then k(1, length(k) - 1) else {} fi;",
        "l = {2}",
    );
    holds("task l(1) := 3;", "l = {1, 3} and 3 in l and not (2 in l)");
    holds(
        "task n := a_list(1, 2)(0);",
        "n = 2 and length(a_list) = 3 and a_list(0, 1) = {1, 2}",
    );
    holds(
        "task l := f;",
        "l = {1, 2, 3} and f(0, 1) = k and length(f) = 3",
    );
    holds(
        "",
        "length(g) = 1 and 3 in {1, 2, 3} and k in {{0}, {1, 2}}",
    );
    for work in [
        "task n := l(2);",
        "task n := -1, n := l(n);",
        "task l(2) := 1;",
        "task l := l // l // l;",
        "task n := length(l(1, 2));",
        "task n := 3, l := l(n, 1);",
        "task l := l(1, length(l));",
        "task g := g // g // {true};",
    ] {
        fails(work);
    }
    refused(
        "task l := {1, 2, 3, 0, 1};",
        "`List` has 0 to 4 elements, not 5",
    );
    refused("task g := {};", "`Flags` has 1 to 2 elements, not 0");
    refused("task f := l;", "`Fixed` has always 3 elements");
    refused("task n := length(n);", "`length` is asked of");
    refused("task l := n // n;", "`//` needs");
    refused("task n := l;", "a value of type Integer is needed here");
}

#[test]
fn loops_go_over_what_is_there() {
    holds("task for x in l: n := n + x; endfor;", "n = 3");
    holds("task for x in l(1, 1): n := n * 10 + x; endfor;", "n = 2");
    holds("task for x in a_list: n := n * 10 + x; endfor;", "n = 123");
    holds("task l := {}; task for x in l: n := 1; endfor;", "n = 0");
}

#[test]
fn strings_are_sequences_of_octets_or_characters() {
    holds(
        "task o := o // 'de';",
        "o(4) = 101 and length(o) = 5 and o(1, 2) = 'bc' and o = 'abcde'",
    );
    holds("task o := some_octets;", "o(0) = 222 and length(o) = 2");
    holds(
        "task t := t // 'z';",
        "t = 'xyz' and t(1) = 'y' and length('four') = 4",
    );
    holds(
        "decision o; ('x'): task n := 1; ('abc'): task n := 2; else: enddecision;",
        "n = 2",
    );
    refused(
        "decision o; ('x'): ('a' : 'b'): enddecision;",
        "have no ranges",
    );
    fails("decision o; ('x'): enddecision;");
}

#[test]
fn elements_may_have_parts() {
    holds(
        "task p := {{x 1, y 2}}, p := p // {{x 3, y 0}};",
        "p(1).x = 3 and p(0).y = 2 and p(1) = {x 3, y 0}",
    );
    holds(
        "task p := {a_point}, p(0).y := 3;",
        "p(0) = {x 1, y 3} and a_point.y = 2 and {x 1, y 3} in p",
    );
    holds(
        "task r := {{1}, {2, 3}}, r(0) := r(1) // {0};",
        "r(0) = {2, 3, 0} and r(1)(0) = 2 and length(r(0)) = 3",
    );
    fails("task r := {{1}}, n := r(0)(1);");
    fails("task r := {{1}}, n := r(1)(0);");
    holds(
        "task b := b and {true, true}, b := b or {false, true};",
        "b = {true, true}",
    );
}

#[test]
fn fields_may_be_there() {
    holds(
        "",
        "exist(s.a) and not exist(s.b) and s.c = 2 and s.w = world",
    );
    holds(
        "task u.b.b_c := true;",
        "exist(u.b) and exist(u.b.b_c) and exist(u.a)",
    );
    holds(
        "task u := {b {b_c true}}, u := {c 1};",
        "u.c = 1 and not exist(u.b.b_c) and u = {c 1}",
    );
    holds(
        "task c := rest: {a false}, c.rest.c := 1;",
        "present(c) = rest and c = (rest: {a false, c 1})",
    );
    holds(
        "task c := nix: no_thing, z := no_thing;",
        "present(c) = nix",
    );
    fails("task c.rest.c := 1;");
    refused(
        "decision exist(s.c); (true): else: enddecision;",
        "`exist` is asked of an optional field",
    );
    refused("task s := {d 1};", "each field of `Some` needs one value");
}

#[test]
fn numbers_of_literals_are_those_of_the_types() {
    holds(
        "",
        "num(w(0)) = 12 and num(world) = 13 and hello in w and m = 2",
    );
    holds(
        "task w := {val(13, Word)}, e := to_enum(present(c), Same);",
        "w = {world} and e = number",
    );
    holds(
        "task c := rest: {}, e := rest;",
        "to_selector(e, Which) = present(c)",
    );
    fails("task n := 5, w := {val(n, Word)};");
}

#[test]
fn operators_of_whole_numbers() {
    holds(
        "task n := 3;",
        "power(2, n) = 8 and power(n, 2) = 9 and shift_left(1, n) = 8 and shift_right(8, 2) = 2",
    );
    holds("", "fix(3) = 3 and abs(-2) = 2 and chr(65) = 65");
    fails("task n := -1, n := power(2, n);");
    refused("task n := power(2, 40);", "the exponent is from 0 to 31");
    refused("task n := floor(2);", "`floor` is an operator of Real");
    // Beyond 32 bits it is an error, not another value.
    fails("task wide := 2147483647, n := 1, wide := wide + n;");
    refused("task wide := 4294967295;", "32 bits");
}

/// Whatever comes from outside, or from a procedure that is written elsewhere, has the form of its type.
#[test]
fn values_from_outside_have_the_form_of_their_types() {
    let system = "system s; use dv comment 'types.asn';
        signal a(Small), b(Which); procedure any_of; fpar in what Charstring, in/out x Small; external;
        channel c from env to b with a, b; endchannel;
        block b; process p; dcl x, y Small, w Which;
        start; call any_of('now', y); CONDITION nextstate s;
        state s comment 'end'; input a(x); decision OF; (true): nextstate s; (false): nextstate bad; enddecision;
            input b(w); decision present(w) = n and w /= (n: 0); (true): nextstate bad; (false): nextstate s; enddecision;
        state bad; endstate; endprocess; endblock; endsystem;";
    let types = "Dv DEFINITIONS ::= BEGIN Small ::= SEQUENCE (SIZE (0..2)) OF BOOLEAN Which ::= CHOICE { n INTEGER (0..0), m BOOLEAN } END";
    let loader = with(&[("types.asn", types)]);
    let defines = ["ENVIRONMENT=1".to_string()];
    for (condition, of, verdict) in [
        (
            "",
            "x = {} or x = {true} or x = {false} or length(x) = 2",
            "holds",
        ),
        ("", "x /= {true, true}", "deadlock"),
        (
            "decision y = {} or y = {true} or y = {false} or length(y) = 2; (true): enddecision;",
            "true",
            "holds",
        ),
        (
            "decision y = {} or length(y) = 2; (true): enddecision;",
            "true",
            "error",
        ),
    ] {
        let text = system.replace("CONDITION", condition).replace("OF", of);
        // The state that nobody should reach has no way out: it takes signals, so it is asked for by an error.
        let text = text.replace(
            "state bad; endstate;",
            "state bad; input a; task x := x(0, 5); nextstate bad; endstate;",
        );
        let verdict = if verdict == "deadlock" {
            "error"
        } else {
            verdict
        };
        let told = judged_with(&loader, "s.pr", &text, &defines);
        assert_eq!(told.as_deref(), Ok(verdict), "{condition} {of}");
    }
}

#[test]
fn strings_of_sdl_have_a_greatest_length() {
    let system = |work: &str| {
        format!("system s; syntype small = Natural constants 0:2 endsyntype;
            newtype list String(small, nothing) constants size(0:3) endnewtype;
            signal g(list); block b; process p; dcl q, r list, x small;
            start; task q := mkstring(1) // mkstring(2); output g(q); task q := nothing; nextstate a;
            state a; input g(r); {work} nextstate a;
            endprocess; endblock; endsystem;")
    };
    let held = "decision r(1) = 1 and r(2) = 2 and length(r) = 2 and substring(r, 2, 1) = mkstring(2) and first(r) = 1 and last(r) = 2 and q = nothing; (true): enddecision;";
    assert_eq!(agree(&system(held), &[]), Some("deadlock"));
    assert_eq!(
        agree(&system("task x := 0, x := r(x);"), &[]),
        Some("error")
    );
    assert_eq!(agree(&system("task x := r(3);"), &[]), Some("error"));
    assert_eq!(agree(&system("task x := first(q);"), &[]), Some("error"));
}

#[test]
fn integer_may_have_a_range() {
    let text = "system s; block b; process p; dcl x Integer; start; nextstate a; state a; input none; task x := x + 1; nextstate a; endstate; endprocess; endblock; endsystem;";
    assert_eq!(agree(text, &["INTEGER=0..7".into()]), Some("error"));
    let text = text.replace("x + 1", "(x + 1) mod 8");
    assert_eq!(agree(&text, &["INTEGER=0..7".into()]), Some("holds"));
    let mut map = mazurka_span::SourceMap::new();
    let told = mazurka_sdl::compile(&mut map, "s.sdl", text.as_bytes(), &["INTEGER=7".into()]);
    assert!(
        told.unwrap_err()
            .iter()
            .any(|told| told.message.contains("a range is needed"))
    );
}

/// What is divided by zero is an error in the export too, whatever the compiler makes of it.
#[test]
fn divisions_by_zero_are_errors_of_the_export() {
    let text = "system s; block b; process p; dcl x, y Integer := 1; start; nextstate a; state a; input none; task x := y / x, x := x - 1; nextstate a; endstate; endprocess; endblock; endsystem;";
    assert_eq!(agree(text, &[]), Some("error"));
    assert!(support::exported(text, &[]).0.contains("nothing["));
}

/// Words of the system or of its types are left out, doubled and exchanged: whatever comes of it is told about.
#[test]
fn spoiled_types_and_systems_are_survived() {
    let system = format!(
        "system s; use dv comment 'types.asn'; signal a(List), b(Some); channel c from env to b with a, b; endchannel; block b; process p; {VARIABLES}
        start; task l := l(0, 1) // {{ 1 }} , s.b.b_c := true, c.rest.c := power(2, n); decision o; ('x'): else: enddecision; task for x in r(0): n := n + x; endfor; nextstate on;
        state aggregation on; substructure state left; substructure start; nextstate i; state i; input a(l); return; endsubstructure; endsubstructure;
        state on; connect; nextstate -; endstate; endprocess; endblock; endsystem;"
    );
    let types = format!("Dv DEFINITIONS ::= BEGIN {TYPES} END");
    let split = |text: &str| -> Vec<String> {
        let parts = text.split_inclusive([' ', ';', '(', ')', '\n', ',', '.', '{', '}']);
        parts.map(str::to_string).collect()
    };
    let (system, types) = (split(&system), split(&types));
    let mut random = random::Random::new(7);
    for round in 0..400 {
        let mut texts = [system.clone(), types.clone()];
        let words = &mut texts[round % 2];
        for _ in 0..1 + random.below(3) {
            let (one, other) = (random.below(words.len()), random.below(words.len()));
            match random.below(3) {
                0 => {
                    words.remove(one);
                }
                1 => words.insert(one, words[other].clone()),
                _ => words[one] = words[other].clone(),
            }
        }
        let [system, types] = texts.map(|words| words.concat());
        let loader = with(&[("types.asn", &types)]);
        let mut map = mazurka_span::SourceMap::new();
        let told = mazurka_sdl::compile_with(
            &mut map,
            "s.pr",
            system.as_bytes(),
            &["ENVIRONMENT=1".to_string()],
            &mazurka_span::Snippets::default(),
            &loader,
        );
        if let Err(told) = told {
            assert!(told.iter().any(|one| one.is_error()), "{system}\n{types}");
        }
    }
}
