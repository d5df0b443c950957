//! Ports that wait, and ports that lose messages: what is sent is kept or lost, and lost for certain where there is no room. Ports that have twice what is sent once.

mod support;

use std::collections::BTreeSet;

/// Where the machines are, and how many messages are in each port.
type Reached = BTreeSet<(Vec<u32>, Vec<u32>)>;

/// What can be reached, and the number of failures on the way.
fn reached(text: &str) -> (Reached, usize) {
    let mut reached = BTreeSet::new();
    let failures = support::walk(text, |interpreter, state, _| {
        let processes = interpreter.shape(state).processes.len();
        let place = |process| {
            interpreter.program().locations[interpreter.location(state, process).index()].number
        };
        let places: Vec<u32> = (0..processes).map(place).collect();
        let lengths: Vec<u32> = (1..).map_while(|c| interpreter.length(state, c)).collect();
        reached.insert((places, lengths));
    });
    (reached, failures)
}

fn states<const P: usize, const C: usize>(states: &[([u32; P], [u32; C])]) -> Reached {
    let states = states.iter();
    states
        .map(|(places, lengths)| (places.to_vec(), lengths.to_vec()))
        .collect()
}

#[test]
fn what_is_sent_is_kept_or_lost() {
    let text = "machine A { start state S; S -> S !b.p.m; }
        machine B { port p[2] loses { m } start state S; S -> S ?p.m; }
        system { a: A; b: B; }";
    let all = states(&[([0, 0], [0]), ([0, 0], [1]), ([0, 0], [2])]);
    assert_eq!(reached(text), (all, 0));
}

#[test]
fn a_message_may_be_lost_where_another_is_kept() {
    let text = "machine A { start state S; state T; S -> T !b.p.m !b.q.m !b.p.m; }
        machine B { port p[1] loses { m } port q[1] loses { m } start state S; }
        system { a: A; b: B; }";
    let mut all = states(&[([0, 0], [0, 0])]);
    for (p, q) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
        all.insert((vec![1, 0], vec![p, q]));
    }
    assert_eq!(reached(text), (all, 0));
}

/// There is room for what is sent, since the transition has taken a message itself.
#[test]
fn room_counts_when_it_is_needed() {
    let text = "machine M { port p[1] loses { m } start state S; state T; state U;
        S -> T !m.p.m; T -> U ?p.m !m.p.m; }
        system { m: M; }";
    let all = states(&[([0], [0]), ([1], [0]), ([1], [1]), ([2], [0]), ([2], [1])]);
    assert_eq!(reached(text), (all, 0));
}

/// Where a message goes is worked out in the transition, after it was found possible.
#[test]
fn the_port_is_the_one_that_is_sent_to() {
    let text = "var to: B;
        machine A { start state S; state T, U; S -> T { to := b2; } !to.p.m; T -> U { to := b1; } !to.p.m; }
        machine B { port p[1] loses { m } start state S; }
        system { a: A; b1: B; b2: B; }";
    let mut all = states(&[
        ([0, 0, 0], [0, 0]),
        ([1, 0, 0], [0, 0]),
        ([1, 0, 0], [0, 1]),
    ]);
    for (one, two) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
        all.insert((vec![2, 0, 0], vec![one, two]));
    }
    assert_eq!(reached(text), (all, 0));
}

/// The same with a port whose senders wait: who is sent to is known only in the transition, so it may overflow.
#[test]
fn a_shared_variable_is_no_fixed_instance() {
    let text = "var to: B;
        machine A { start state S; state T, U; S -> T { to := b2; } !to.p.m; T -> U { to := b1; } U -> U { to := b2; } !to.p.m; }
        machine B { port p[1] waits { m } start state S; }
        system { a: A; b1: B; b2: B; }";
    let (all, failures) = reached(text);
    assert!(all.contains(&(vec![2, 0, 0], vec![0, 1])), "{all:?}");
    assert_eq!(failures, 1);
}

#[test]
fn what_is_sent_may_arrive_twice() {
    let text = "machine A { start state S; state T; S -> T !b.p.m; }
        machine B { port p[3] duplicates { m } start state S; }
        system { a: A; b: B; }";
    let all = states(&[([0, 0], [0]), ([1, 0], [1]), ([1, 0], [2])]);
    assert_eq!(reached(text), (all, 0));
}

#[test]
fn a_copy_without_room_is_lost_but_what_is_sent_overflows() {
    let text = "machine A { start state S; S -> S !b.p.m; }
        machine B { port p[1] duplicates { m } start state S; }
        system { a: A; b: B; }";
    let (all, failures) = reached(text);
    assert_eq!(all, states(&[([0, 0], [0]), ([0, 0], [1])]));
    assert_eq!(failures, 2);
}

#[test]
fn a_line_may_lose_and_duplicate() {
    let text = "machine A { start state S; state T; S -> T !b.p.m; }
        machine B { port p[2] loses duplicates { m } start state S; }
        system { a: A; b: B; }";
    let all = states(&[([0, 0], [0]), ([1, 0], [0]), ([1, 0], [1]), ([1, 0], [2])]);
    assert_eq!(reached(text), (all, 0));
}

#[test]
fn who_waits_waits_for_one_place() {
    let text = "machine A { start state S; S -> S !b.p.m; }
        machine B { port p[1] waits duplicates { m } start state S; S -> S ?p.m; }
        system { a: A; b: B; }";
    let all = states(&[([0, 0], [0]), ([0, 0], [1])]);
    assert_eq!(reached(text), (all, 0));
}

/// A send that waits looks for room before its transition takes a message, also where there are never more messages than places.
#[test]
fn a_full_port_makes_its_own_reader_wait() {
    let text = |first: &str| {
        format!(
            "machine A {{ start state S; state T; {first} }}
            machine B {{ port p[1] waits {{ m }} start state S; state T; S -> T ?p.m !b.p.m; }}
            system {{ a: A; b: B; }}"
        )
    };
    let all = states(&[([0, 0], [0]), ([1, 0], [1])]);
    assert_eq!(reached(&text("S -> T !b.p.m;")), (all.clone(), 0));
    // The same without a bound on the messages.
    let endless = text("S -> T !b.p.m; T -> T !b.p.m;");
    assert_eq!(reached(&endless), (all, 0));
}
