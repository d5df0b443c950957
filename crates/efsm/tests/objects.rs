//! Objects: what each operation does, from each value that the object can have, and what is wrong with their use.

use std::collections::BTreeSet;

use mazurka_model::{Base, Interpreter, PlaceId};
use mazurka_objects::semaphore;
use mazurka_span::SourceMap;

/// The program of a model where one machine may do everything with one object `o` at any time.
fn interpreter(declaration: &str, operations: &[&str]) -> Interpreter {
    let lines = operations.iter().map(|o| format!("S -> S do o.{o};\n"));
    let lines: String = lines.collect();
    let text = format!("{declaration}\nmachine M {{ start state S;\n{lines}}} system {{ m: M; }}");
    let compiled = mazurka_efsm::compile(&mut SourceMap::new(), "m.efsm", text.as_bytes(), &[]);
    Interpreter::new(compiled.unwrap_or_else(|e| panic!("{e:?}")).program)
}

/// Every way from a value of the object to the next: the operation by its place among them, or a failure.
fn ways(declaration: &str, operations: &[&str]) -> BTreeSet<(i32, usize, Option<i32>)> {
    let interpreter = interpreter(declaration, operations);
    let places = &interpreter.program().places;
    let object = places.iter().position(|place| place.base == Base::Shared);
    let object = PlaceId(object.expect("an object") as u32);
    let value = |state: &[u8]| interpreter.load(state, 0, object).unwrap();
    let mut first = Vec::new();
    interpreter.initial(&mut first, &mut ()).unwrap();
    let (mut open, mut seen) = (vec![first.clone()], BTreeSet::from([first]));
    let mut ways = BTreeSet::new();
    while let Some(state) = open.pop() {
        let mut steps = Vec::new();
        interpreter.enabled(&state, &mut steps);
        for step in steps {
            let mut next = Vec::new();
            let outcome = interpreter.execute(&state, step, &mut next, &mut Vec::new(), &mut ());
            let operation = step.transition.index();
            if outcome.failure.is_some() {
                ways.insert((value(&state), operation, None));
                continue;
            }
            ways.insert((value(&state), operation, Some(value(&next))));
            if seen.insert(next.clone()) {
                open.push(next);
            }
        }
    }
    ways
}

/// The same as a set, as an object of the library does it.
fn ways_of(
    values: std::ops::Range<i32>,
    perform: impl Fn(usize, i32) -> Option<Option<i32>>,
) -> BTreeSet<(i32, usize, Option<i32>)> {
    let mut ways = BTreeSet::new();
    for value in values {
        for operation in 0..2 {
            if let Some(next) = perform(operation, value) {
                ways.insert((value, operation, next));
            }
        }
    }
    ways
}

#[test]
fn a_semaphore_does_what_the_library_says() {
    for bound in 1..=4 {
        let expected = ways_of(0..bound + 1, |operation, count| {
            let operation = [semaphore::Operation::Take, semaphore::Operation::Release][operation];
            let done = semaphore::perform(operation, bound as u32, count as u32);
            done.map(|(_, next)| Some(next as i32))
        });
        let found = ways(&format!("semaphore o({bound});"), &["take", "release"]);
        assert_eq!(found, expected);
        let found = ways(&format!("semaphore o({bound}) = 0;"), &["take", "release"]);
        assert_eq!(found, expected);
    }
}

#[test]
fn a_mutex_is_for_one_and_who_does_not_hold_it_fails() {
    let expected = [(0, 0, Some(1)), (0, 1, None), (1, 1, Some(0))];
    assert_eq!(ways("mutex o;", &["lock", "unlock"]), expected.into());
}

#[test]
fn a_counter_fails_at_its_ends() {
    let expected = ways_of(0..4, |operation, count| {
        let next = count + [1, -1][operation];
        Some((0..=3).contains(&next).then_some(next))
    });
    let found = ways("counter o(3) = 2;", &["increase", "decrease"]);
    assert_eq!(found, expected);
}

#[test]
fn a_barrier_lets_all_go_when_all_have_come() {
    for bound in 1..=3 {
        let expected = ways_of(0..2 * bound, |operation, count| {
            let comes = count < bound;
            (comes == (operation == 0)).then_some(Some((count + 1) % (2 * bound)))
        });
        let found = ways(&format!("barrier o({bound});"), &["arrive", "pass"]);
        assert_eq!(found, expected);
    }
}

#[test]
fn an_object_of_the_models_own_does_what_its_table_says() {
    let declaration = "object Door { start state open; state shut, locked;
            turn: shut -> locked, locked -> shut; push: open -> shut, shut -> open; slam: open -> shut, shut -> shut;
            break_it: open -> open, shut -> open, locked -> open; }
        shared o: Door;";
    let operations = ["turn", "push", "slam", "break_it"];
    let expected = [
        (0, 1, 1),
        (0, 2, 1),
        (0, 3, 0),
        (1, 0, 2),
        (1, 1, 0),
        (1, 2, 1),
        (1, 3, 0),
        (2, 0, 1),
        (2, 3, 0),
    ];
    let expected = expected.map(|(from, operation, to)| (from, operation, Some(to)));
    assert_eq!(ways(declaration, &operations), expected.into());
}

#[test]
fn the_largest_objects_are_right_at_their_ends() {
    let found = ways("semaphore o(255);", &["take", "release"]);
    assert_eq!(found.len(), 2 * 255);
    assert!(found.contains(&(254, 1, Some(255))));
    let found = ways("barrier o(127);", &["arrive", "pass"]);
    assert!(found.contains(&(253, 1, Some(0))));
    assert_eq!(found.len(), 254);
}

/// Objects of an array are apart; an operation comes before the receive in the text, and is one step with it.
#[test]
fn operations_are_one_step_with_the_rest() {
    let text = "semaphore o[2](1); mutex m;
        machine A { port p { go } var x: byte = 1; start state S; state T; final state U;
            S -> T when x == 1 do o[x].take, m.lock { x := 0; } !a.p.go;
            T -> U when o[0] == 1 && o[1] == 0 do o[x].take, m.unlock ?p.go { assert o[0] == 0; } }
        system { a: A; }";
    let compiled = mazurka_efsm::compile(&mut SourceMap::new(), "m.efsm", text.as_bytes(), &[]);
    let interpreter = Interpreter::new(compiled.unwrap().program);
    let mut state = Vec::new();
    interpreter.initial(&mut state, &mut ()).unwrap();
    for _ in 0..2 {
        let mut steps = Vec::new();
        interpreter.enabled(&state, &mut steps);
        assert_eq!(steps.len(), 1);
        let mut next = Vec::new();
        let outcome = interpreter.execute(&state, steps[0], &mut next, &mut Vec::new(), &mut ());
        assert!(outcome.failure.is_none());
        state = next;
    }
    assert!(interpreter.is_valid_end(&state));
}

#[test]
fn mistakes_with_objects_are_told_where_they_are() {
    let machine = "machine M { var own: byte; start state S; S -> S";
    let cases: &[(&str, &str, &[&str])] = &[
        ("mutex o;", "do o.lock", &[]),
        ("mutex o;", "do o.take", &["E0021 2"]),
        ("mutex o;", "do p.lock", &["E0021 2"]),
        ("mutex o, o;", "do o.lock", &["E0020 1"]),
        ("mutex o;", "do o.lock, o.unlock", &["E0012 2"]),
        ("mutex o;", "?p.m do o.lock", &["E0012 2"]),
        ("mutex o;", "{ o := true; }", &["E0027 2"]),
        ("mutex own;", "do own.lock", &["E0021 2"]),
        ("mutex o[2];", "do o.lock", &["E0026 2"]),
        ("mutex o;", "do o[1].lock", &["E0026 2"]),
        (
            "mutex o[2];",
            "do o[own].lock ?p.m(own)",
            &["E0024 2", "E0021 2"],
        ),
        (
            "semaphore s(1); mutex o[2];",
            "do s.take, o[s].lock",
            &["E0024 2"],
        ),
        ("semaphore o(0);", "do o.take", &["E0025 1"]),
        ("semaphore o(256);", "do o.take", &["E0025 1"]),
        ("semaphore o(2) = 3;", "do o.take", &["E0025 1"]),
        ("semaphore o;", "do o.take", &["E0010 1"]),
        ("barrier o(128);", "do o.pass", &["E0025 1"]),
        ("shared o: Door;", "do o.open", &["E0021 1"]),
        (
            "object D { state a; go: a -> a; } shared o: D;",
            "do o.go",
            &["E0029 1"],
        ),
        (
            "object D { start state a; go: a -> b; } shared o: D;",
            "do o.go",
            &["E0021 1"],
        ),
        (
            "object D { start state a; go: a -> a, a -> a; } shared o: D;",
            "do o.go",
            &["E0020 1"],
        ),
        (
            "object D { start state a; go: a -> a; go: a -> a; } shared o: D;",
            "do o.go",
            &["E0020 1"],
        ),
        (
            "object D { start state a; go: a -> a; } shared o: D;",
            "do o.went",
            &["E0021 2"],
        ),
        (
            "object D { start state own; go: own -> own; } shared o: D;",
            "do o.go",
            &["E0020 2", "E0023 2"],
        ),
    ];
    for (declared, used, expected) in cases {
        let end = if used.ends_with('}') { "" } else { ";" };
        let text = format!("{declared}\n{machine} {used}{end} }} system {{ m: M; }}");
        let mut map = SourceMap::new();
        let found = match mazurka_efsm::compile(&mut map, "m.efsm", text.as_bytes(), &[]) {
            Ok(compiled) => compiled.warnings,
            Err(errors) => errors,
        };
        let line =
            |d: &mazurka_span::Diagnostic| map.location(d.primary.span).map_or(0, |at| at.line);
        let mut found: Vec<String> = found
            .iter()
            .map(|d| format!("{} {}", d.code, line(d)))
            .collect();
        found.dedup();
        assert_eq!(found, *expected, "{text}");
    }
}

/// What a machine waits for in its first state, as a deadlock tells it.
fn awaited(transitions: &str) -> Option<String> {
    let text = format!(
        "object Door {{ start state open; state shut; push: open -> shut, shut -> open; close: open -> shut; }}
        mutex m; counter c(3); semaphore s(1); shared d: Door;
        machine M {{ port p {{ go }} var x: byte; start state S; {transitions} }} system {{ m1: M; }}"
    );
    let compiled = mazurka_efsm::compile(&mut SourceMap::new(), "m.efsm", text.as_bytes(), &[]);
    let program = compiled.unwrap_or_else(|e| panic!("{e:?}")).program;
    let location = program.process_types[0].initial;
    program.locations[location.index()].labels.get(1).cloned()
}

#[test]
fn nobody_waits_for_what_never_waits() {
    for (transition, expected) in [
        ("S -> S do s.take;", "s.take"),
        ("S -> S do m.lock, c.increase;", "m.lock"),
        ("S -> S do m.unlock, d.close;", "d.close"),
        ("S -> S when x > 0 do c.decrease;", "a predicate"),
        ("S -> S do d.push ?p.go;", "p.go"),
        ("S -> S do d.push !m1.p.go;", "room to send"),
    ] {
        assert_eq!(
            awaited(transition).as_deref(),
            Some(expected),
            "{transition}"
        );
    }
}
