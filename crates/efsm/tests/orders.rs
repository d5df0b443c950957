//! Ports whose messages are not taken in the order in which they were sent: sorted ones, and ones that reorder.

mod support;

use std::collections::BTreeSet;

/// The names of the states in which all machines can stop, and the number of failures on the way.
fn ends(text: &str) -> (BTreeSet<Vec<String>>, usize) {
    let mut ends = BTreeSet::new();
    let failures = support::walk(text, |interpreter, state, steps| {
        if steps.is_empty() {
            let processes = 0..interpreter.shape(state).processes.len();
            let name = |process| {
                let location = interpreter.location(state, process);
                interpreter.program().locations[location.index()].labels[0].clone()
            };
            ends.insert(processes.map(name).collect());
        }
    });
    (ends, failures)
}

fn states(ends: &[&[&str]]) -> BTreeSet<Vec<String>> {
    let end = |names: &&[&str]| names.iter().map(|name| name.to_string()).collect();
    ends.iter().map(end).collect()
}

/// One who has sent everything wakes one who then takes it.
fn taken(port: &str, sent: &str, machine: &str) -> (BTreeSet<Vec<String>>, usize) {
    ends(&format!(
        "machine A {{ start state S; state T; S -> T {sent} !b.go.now; }}
        machine B {{ port go {{ now }} port p[3] {port} start state S; {machine} }}
        system {{ a: A; b: B; }}"
    ))
}

const TWO: &str = "{ m, n }";
const EITHER: &str = "state G, M, N, MN, NM; S -> G ?go.now; G -> M ?p.m; G -> N ?p.n; M -> MN ?p.n; N -> NM ?p.m; M -> M when false ?p.m; N -> N when false ?p.n;";

#[test]
fn messages_come_as_they_were_sent() {
    let (ends, failures) = taken(TWO, "!b.p.n !b.p.m", EITHER);
    assert_eq!((ends, failures), (states(&[&["T", "NM"]]), 0));
}

#[test]
fn a_sorted_port_gives_the_earlier_declared_first() {
    for sent in ["!b.p.n !b.p.m", "!b.p.m !b.p.n"] {
        let (ends, failures) = taken(&format!("sorted {TWO}"), sent, EITHER);
        assert_eq!((ends, failures), (states(&[&["T", "MN"]]), 0));
    }
}

#[test]
fn a_port_that_reorders_gives_any() {
    for sent in ["!b.p.n !b.p.m", "!b.p.m !b.p.n"] {
        let (ends, failures) = taken(&format!("reorders {TWO}"), sent, EITHER);
        let any = states(&[&["T", "MN"], &["T", "NM"]]);
        assert_eq!((ends, failures), (any, 0));
    }
}

/// A pattern passes over what it does not fit, which in a queue would stand in the way.
#[test]
fn a_pattern_finds_its_message_behind_others() {
    let machine = "state G, D; S -> G ?go.now; G -> D ?p.m(=2);";
    let sent = "!b.p.m(1) !b.p.m(2)";
    let (ends, failures) = taken("reorders { m(byte) }", sent, machine);
    assert_eq!((ends, failures), (states(&[&["T", "D"]]), 0));
    let (ends, failures) = taken("{ m(byte) }", sent, machine);
    assert_eq!((ends, failures), (states(&[&["T", "G"]]), 0));
}

/// Values that do not fit are cut before they are compared: 300 is 44.
#[test]
fn what_is_kept_is_sorted() {
    for (field, sent, first) in [
        ("byte", "!b.p.m(100) !b.p.m(x)", 44),
        ("byte", "!b.p.m(x) !b.p.m(100)", 44),
        ("short", "!b.p.m(100) !b.p.m(x * 200)", -5536),
        ("int", "!b.p.m(100) !b.p.m(x)", 100),
        ("bool", "!b.p.m(true) !b.p.m(x)", 0),
    ] {
        let (ends, failures) = ends(&format!(
            "var x: int = 300;
            machine A {{ start state S; state T; S -> T {sent} !b.go.now; }}
            machine B {{ port go {{ now }} port p[3] sorted {{ m({field}) }} start state S; state G, D, E; S -> G ?go.now; G -> D ?p.m(={first}); D -> E ?p.m(_); }}
            system {{ a: A; b: B; }}"
        ));
        assert_eq!(
            (ends, failures),
            (states(&[&["T", "E"]]), 0),
            "{field} {sent}"
        );
    }
}

#[test]
fn both_have_the_bounds_of_a_queue() {
    for order in ["", "sorted", "reorders"] {
        let text = |how: &str| {
            format!(
                "machine A {{ start state S; state T, U, V; S -> T !b.p.m; T -> U !b.p.n; U -> V !b.p.m; }}
                machine B {{ port p[2] {how} {order} {{ m, n }} start state S; }}
                system {{ a: A; b: B; }}"
            )
        };
        assert_eq!(ends(&text("waits")), (states(&[&["U", "S"]]), 0), "{order}");
        assert_eq!(ends(&text("loses")), (states(&[&["V", "S"]]), 0), "{order}");
        assert_eq!(ends(&text("")), (states(&[]), 1), "{order}");
        assert_eq!(ends(&text("duplicates")), (states(&[]), 4), "{order}");
    }
}

/// Whatever is there may be the next, and so it is unexpected where the state says nothing about it.
#[test]
fn an_unexpected_message_need_not_be_the_first() {
    let machine = "state G, M; S -> G ?go.now; G -> M ?p.m;";
    let (_, failures) = taken(&format!("reorders {TWO}"), "!b.p.m !b.p.n", machine);
    assert_eq!(failures, 1);
    let (_, failures) = taken(TWO, "!b.p.m !b.p.n", machine);
    assert_eq!(failures, 0);
}

#[test]
fn the_length_counts_all_places() {
    let machine = "state G, L, M, E; S -> G ?go.now; G -> L when len(p) == 2; L -> M ?p.n; M -> E when len(p) == 1;";
    let (ends, failures) = taken("reorders { n }", "!b.p.n !b.p.n", machine);
    assert_eq!((ends, failures), (states(&[&["T", "E"]]), 0));
}
