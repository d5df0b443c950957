//! Machines with ports: the code does what the model does.
//!
//! `RUNS` says how many random runs of each, `SYSTEMS` how many random systems.

mod support;

use mazurka_differential::machines::System;
use mazurka_generate::Target;

use support::{Model, agree, build, examples, number, place};

#[test]
fn examples_as_c_agree_with_their_models() {
    examples_agree(Target::C);
}

#[test]
fn examples_as_rust_agree_with_their_models() {
    examples_agree(Target::Rust);
}

fn examples_agree(target: Target) {
    for path in examples("efsm") {
        let model = Model::open(&path);
        let stem = path.file_stem().unwrap().to_string_lossy();
        let built = build(&model, target, &place(&format!("efsm-{target:?}-{stem}")));
        match agree(&model, &built, number("RUNS", 20), 200) {
            Ok(steps) => eprintln!("{stem}: {steps} steps"),
            Err(difference) => panic!("{stem}: {difference}"),
        }
    }
}

#[test]
fn random_systems_as_c_agree_with_their_models() {
    random_systems_agree(Target::C, number("SYSTEMS", 20));
}

#[test]
fn random_systems_as_rust_agree_with_their_models() {
    random_systems_agree(Target::Rust, number("SYSTEMS", 10));
}

fn random_systems_agree(target: Target, systems: u64) {
    let mut compared = 0;
    for seed in 0..systems {
        let text = System::random(seed).text();
        let model = Model::new("random.efsm", &text).unwrap();
        let built = build(&model, target, &place(&format!("efsm-{target:?}-random")));
        match agree(&model, &built, 5, 60) {
            Ok(steps) => compared += steps,
            Err(difference) => panic!("seed {seed}: {difference}\n{text}"),
        }
    }
    assert!(compared > 100, "{compared}");
}

/// Mistakes put into the code by hand are found.
#[test]
fn a_mistake_in_the_code_is_found() {
    for (number, (file, right, wrong)) in MISTAKES.iter().enumerate() {
        let path = examples("efsm")
            .into_iter()
            .find(|path| path.ends_with(file));
        let model = Model::open(&path.unwrap());
        let place = place(&format!("efsm-c-mistake-{number}"));
        model.folder(Target::C).write(&place).unwrap();
        let code = place.join("network.c");
        let text = std::fs::read_to_string(&code).unwrap();
        assert!(text.contains(right), "{right}\n{text}");
        std::fs::write(&code, text.replacen(right, wrong, 1)).unwrap();
        let built = support::compile(&place, Target::C);
        match agree(&model, &built, 50, 100) {
            Err(difference) => eprintln!("{number}: {}", difference.lines().next().unwrap()),
            Ok(_) => panic!("not found: {wrong:?} instead of {right:?}"),
        }
    }
}

/// The example, what the code says, and what it says by mistake.
const MISTAKES: &[(&str, &str, &str)] = &[
    // Another value, another state, a comparison turned around.
    (
        "alternating-bit.efsm",
        "(me->data + 1) % 4",
        "(me->data + 1) % 3",
    ),
    (
        "connection.efsm",
        "me->state = Side_Open;",
        "me->state = Side_Idle;",
    ),
    (
        "leader.efsm",
        "me->heard != me->maximum",
        "me->heard == me->maximum",
    ),
    // A message stays in its port.
    ("leader.efsm", "net->length[port - 1]--;", ""),
    // A sender does not wait.
    (
        "alternating-bit.efsm",
        "net->length[port - 1] < ports[port - 1].capacity;",
        "net->length[port - 1] < ports[port - 1].capacity + 1;",
    ),
];

/// Numbers that wrap, values that are cut, errors: whatever a block can compute.
#[test]
fn arithmetic_is_that_of_the_model() {
    for target in [Target::C, Target::Rust] {
        arithmetic_agrees(target);
    }
}

fn arithmetic_agrees(target: Target) {
    for (number, text) in ARITHMETIC.iter().enumerate() {
        let model = Model::new("arithmetic.efsm", text).unwrap_or_else(|| panic!("{text}"));
        let built = build(
            &model,
            target,
            &place(&format!("efsm-{target:?}-arithmetic-{number}")),
        );
        if let Err(difference) = agree(&model, &built, 10, 60) {
            panic!("{difference}\n{text}");
        }
    }
}

const ARITHMETIC: &[&str] = &[
    // Every operator, with large numbers.
    "machine M { var a: int = 2147483647; var b: int = 3; var c: int; var s: short; var y: byte; var t: bool;
        start state S;
        S -> S { c := a + b; } S -> S { c := a - b - b - b; } S -> S { c := a * a; } S -> S { c := -c; a := b; b := c; }
        S -> S { c := a / b; } S -> S { c := a % b; } S -> S { c := a & b; } S -> S { c := a | b; } S -> S { c := a ^ b; }
        S -> S { c := a << b; } S -> S { c := a >> b; } S -> S { c := ~a; } S -> S { s := a; y := a; t := a > b; }
        S -> S { s := s + 30000; y := y + 200; t := !t; } S -> S { c := (a < b) + (a <= b) + (a == b) + (a != b) + (a >= b); }
        S -> S when c > 0 && y < 100 || t { c := y * s; }
     } system { m: M; }",
    // A division by zero and an index out of range, in a block and in a guard.
    "machine M { var a: byte[3]; var i: byte; start state S; state T;
        S -> S { i := i + 1; } S -> S { a[i] := i; } S -> T when a[i] == 0 && 6 / (i - 2) > 0; T -> S { i := 0; }
     } system { m: M; n: M; }",
    // Loops and branches in each other; names that are words of C or Rust.
    "enum Colour { red, int2 } var register: byte; machine struct { var rounds, test, got, fault, me, net, number: byte; port switch[2] { goto(byte, Colour), auto } var for2: int; var long: byte[4];
        var c: Colour; start state state2; state default;
        state2 -> default { for i in 0..4 { if i % 2 == 0 { long[i] := i; } else { while for2 < i { for2 := for2 + 1; } } } register := register + 1; }
            !double.switch.goto(for2, red);
        default -> state2 ?switch.goto(for2, c) { if c == red { for2 := 0; } } default -> state2 ?switch.auto { assert register < 9; }
     } system { double: struct; char: struct; }",
    // A loop that does not end.
    "machine M { var a: int; start state S; state T; S -> T { while a == 0 { a := 0; } } } system { m: M; }",
    // Ports that are full, with and without waiting, of instances that are worked out.
    "const N = 3; machine M(me: byte) { port in[2] { go(byte) } port slow[1] waits { go2(short, bool) } var to: byte; var n: short; var b: bool;
        start state S;
        S -> S { to := (to + 1) % 4; } S -> S when to < N !m[to].in.go(me); S -> S !m[to].slow.go2(n - 1, b);
        S -> S ?in.go(to); S -> S ?slow.go2(n, b) { b := !b; } S -> S when len(in) > 0 ?slow.go2(=0, _);
     } system { m[i < N]: M(i); }",
    // A port that nobody uses.
    "machine M { port in[2] { go(byte) } var n: byte; start state S; S -> S { n := n + 1; } } system { m: M; }",
    // Ports that are sorted and ports that reorder, with values that are cut, and names that look like those of their places.
    "machine M(me: byte) { port in[3] sorted { urgent, go(short, bool), late(byte) } port any[2] loses reorders { m(byte), n } port any_2 { m } var n: int; var x: short; var b: bool;
        start state S; state T;
        S -> T when len(in) < 2 { n := n * 5 + 7; } !m[1 - me].in.go(n * 1000, b) !m[1 - me].any.m(n); S -> T when len(in) < 3 !m[me].in.late(n + 300) !m[1 - me].any.n;
        T -> S when len(in) == 0 !m[me].in.urgent !m[me].any.m(3); T -> S { b := !b; };
        S -> S ?in.go(x, b) { n := n + x; } S -> S ?in.urgent; S -> T ?in.late(_); T -> T ?in.urgent;  T -> T ?in.go(x, _); T -> S ?in.late(_) !m[me].in.urgent;
        S -> S ?any.m(=3); T -> T ?any.m(n); S -> S ?any.n; T -> T ?any.n; S -> T ?any.m(_); S -> S when len(any) == 2 ?any.n !m[1 - me].any_2.m; S -> S ?any_2.m; T -> T ?any_2.m;
     } system { m[i < 2]: M(i); }",
];
