//! What the paper leaves open, pinned down: one test for each decision. The book lists them.

use std::collections::{BTreeSet, HashSet};

use mazurka_model::{Event, Fault, Interpreter};
use mazurka_span::SourceMap;

fn interpreter(text: &str) -> Interpreter {
    let mut map = SourceMap::new();
    match mazurka_vfsm::compile(&mut map, "model.vfsm", text.as_bytes()) {
        Ok(compiled) => Interpreter::new(compiled.program),
        Err(errors) => panic!("{errors:#?}\n{text}"),
    }
}

/// The labels of all machines in all states that can be reached, and all breaches on the way.
fn explore(text: &str) -> (BTreeSet<String>, BTreeSet<String>) {
    let interpreter = interpreter(text);
    let program = interpreter.program();
    let (mut places, mut breaches) = (BTreeSet::new(), BTreeSet::new());
    let mut first = Vec::new();
    interpreter.initial(&mut first, &mut ()).unwrap();
    let mut seen = HashSet::from([first.clone()]);
    let mut open = vec![first];
    while let Some(state) = open.pop() {
        for process in 0..interpreter.shape(&state).processes.len() {
            let location = interpreter.location(&state, process);
            let name = &program.process_types[interpreter.shape(&state).processes[process]
                .process_type
                .index()]
            .name;
            let label = &program.locations[location.index()].labels[0];
            places.insert(format!("{name} {label}"));
        }
        let mut steps = Vec::new();
        interpreter.enabled(&state, &mut steps);
        for step in steps {
            let mut next = Vec::new();
            let outcome = interpreter.execute(&state, step, &mut next, &mut Vec::new(), &mut ());
            if let Some(mazurka_model::Failure::Fault(Fault::Breach(kind, breach))) =
                outcome.failure
            {
                let message = &program.breaches[breach.index()].message;
                breaches.insert(format!("{}: {message}", kind.name()));
            }
            if outcome.complete && seen.insert(next.clone()) {
                open.push(next);
            }
        }
    }
    (places, breaches)
}

/// A free machine `m` of one step: it gives itself the input I_GO.
fn alone(body: &str) -> String {
    format!(
        "machine M {{ inputs I_GO, I_A, I_B; initial S_0; spontaneous in S_0: *I_GO; {body} }}
         machine SINK {{ inputs I; initial S; S {{ IA: I ? O; }} out O: nothing;
             on A: *I; on B: *I; on T: *I; }}
         network {{ queue 3; processor P {{ process Q {{ m: M; }} }}
                    processor R {{ process S {{ sink: SINK; }} }} }}"
    )
}

/// What the first step of a model sends, in order.
fn sent(text: &str) -> Vec<Vec<String>> {
    let interpreter = interpreter(text);
    let program = interpreter.program();
    let (mut state, mut steps) = (Vec::new(), Vec::new());
    interpreter.initial(&mut state, &mut ()).unwrap();
    interpreter.enabled(&state, &mut steps);
    let of_step = |step| {
        let mut events: Vec<Event> = Vec::new();
        interpreter.execute(&state, step, &mut Vec::new(), &mut Vec::new(), &mut events);
        let names = events.iter().filter_map(|event| match event {
            Event::Sent {
                channel_type,
                message,
                ..
            } => {
                let field = &program.channel_types[channel_type.index()].fields[0];
                Some(program.name_of(field.meaning, message[0]))
            }
            _ => None,
        });
        names.collect::<Vec<String>>()
    };
    steps.into_iter().map(of_step).collect()
}

#[test]
fn input_actions_come_before_exit_and_entry() {
    let text = alone(
        "S_0 { X: O_B; IA: I_GO ? O_A; NS: I_GO > S_1; } S_1 { E: O_T; }
         out O_A: send A to sink; out O_B: send B to sink; out O_T: send T to sink;",
    );
    assert_eq!(sent(&text), [["A", "B", "T"]]);
}

#[test]
fn all_input_actions_that_hold_are_taken_and_the_first_state_transition() {
    let text = alone(
        "S_0 { IA: I_GO ? O_A; I_GO ? O_B; NS: I_A > S_1; I_GO > S_2; I_GO > S_1; } S_1 { } S_2 { }
         out O_A: send A to sink; out O_B: send B to sink;",
    );
    assert_eq!(sent(&text), [["A", "B"]]);
    let (places, _) = explore(&text);
    assert!(
        places.contains("m S_2") && !places.contains("m S_1"),
        "{places:?}"
    );
}

#[test]
fn a_register_is_kept_in_the_next_state_so_one_input_may_lead_on() {
    let text = alone("S_0 { NS: I_GO > S_1; } S_1 { NS: I_GO > S_2; } S_2 { }");
    let (places, _) = explore(&text);
    assert!(
        places.contains("m S_2") && !places.contains("m S_1"),
        "{places:?}"
    );
}

#[test]
fn an_input_stays_until_it_is_deleted_and_a_pulse_until_the_transition_is_over() {
    let text = alone(
        "S_0 { E: O_CLEAR; NS: I_GO > S_1; } S_1 { E: O_KEEP; NS: I_B > S_0; }
         out O_KEEP: feedback KEEP; out O_CLEAR: nothing; on KEEP: +I_A;",
    );
    let (places, _) = explore(&text);
    assert!(
        places.contains("m S_1 {I_A}") && !places.contains("m S_1"),
        "{places:?}"
    );
}

#[test]
fn feedback_changes_the_register_at_once() {
    let text = alone(
        "S_0 { IA: I_GO ? O_BACK; I_A ? O_A; NS: I_A > S_1; } S_1 { }
         on BACK: *I_A; out O_BACK: feedback BACK; out O_A: send A to sink;",
    );
    assert_eq!(sent(&text), [["A"]]);
}

#[test]
fn every_combination_of_alternatives_is_a_step() {
    let text = alone(
        "S_0 { IA: I_GO ? O_A, O_B; NS: I_GO > S_1; } S_1 { }
         out O_A: send A to sink | nothing; out O_B: send B to sink | nothing;",
    );
    let all: BTreeSet<Vec<String>> = sent(&text).into_iter().collect();
    assert_eq!(all.len(), 4, "{all:?}");
}

#[test]
fn a_machine_that_never_settles_is_reported() {
    let (_, breaches) = explore(&alone("S_0 { NS: I_GO > S_1; } S_1 { NS: I_GO > S_0; }"));
    let expected = "unsettled: m in S_0 acts of its own accord and may never settle: \
                    it comes back to S_0 {I_GO} in the same transition";
    assert_eq!(breaches, BTreeSet::from([expected.to_string()]));
}

#[test]
fn an_event_of_which_the_state_says_nothing_is_unexpected() {
    let text = alone(
        "S_0 { IA: I_GO ? O_A; NS: I_GO > S_1; } S_1 { }
         out O_A: send A to m; on A: *I_A;",
    );
    let (_, breaches) = explore(&text);
    let expected = "unexpected-input: m in S_1 receives A, but no condition of S_1 mentions I_A";
    assert_eq!(breaches, BTreeSet::from([expected.to_string()]));
    let tolerant = text.replace("on A: *I_A;", "on A: *I_A also in S_1;");
    assert_eq!(explore(&tolerant).1, BTreeSet::new());
    let nothing = text.replace("on A: *I_A;", "on A: nothing;");
    assert_eq!(explore(&nothing).1, BTreeSet::new());
}

#[test]
fn a_timer_started_twice_runs_once_and_an_expiry_in_the_queue_stays() {
    let text = alone(
        "S_0 { IA: I_GO ? O_ON, O_ON; NS: I_GO > S_1; } S_1 { NS: I_A > S_2; } S_2 { E: O_OFF; }
         timer T raises LATE; on LATE: *I_A anywhere;
         out O_ON: start T; out O_OFF: stop T;",
    );
    let (places, breaches) = explore(&text);
    assert!(places.contains("m S_2"), "{places:?}");
    assert_eq!(breaches, BTreeSet::new());
}

/// A machine that starts two timers at once, and where it may come to by their expiries.
fn timers(first: &str, second: &str) -> BTreeSet<String> {
    let text = alone(&format!(
        "S_0 {{ NS: I_GO > S_1; }} S_1 {{ E: O_ON; NS: I_A > S_A; I_B > S_B; }} S_A {{}} S_B {{}}
         timer T_A raises A {first}; timer T_B raises B {second};
         on A: +I_A anywhere; on B: +I_B anywhere; out O_ON: start T_A, start T_B;"
    ));
    let (mut places, breaches) = explore(&text);
    assert_eq!(breaches, BTreeSet::new());
    places.retain(|place| place.starts_with("m S_A") || place.starts_with("m S_B"));
    places
}

#[test]
fn a_timer_waits_for_one_that_was_started_before_and_takes_no_longer() {
    let has = |places: &BTreeSet<String>, state: &str| places.iter().any(|p| p.starts_with(state));
    for (first, second, b_may_win) in [
        ("", "", true),
        ("after 3", "", true),
        ("", "after 3", true),
        ("after 3", "after 2", true),
        ("after 3", "after 3", false),
        ("after 3", "after 4", false),
    ] {
        let places = timers(first, second);
        assert!(has(&places, "m S_A"), "{first}, {second}: {places:?}");
        let b_wins = has(&places, "m S_B");
        assert_eq!(b_wins, b_may_win, "{first}, {second}: {places:?}");
    }
}

/// What is stopped is waited for no more; what is started while it runs keeps its place; others of the network count too.
#[test]
fn timers_wait_across_machines_until_the_other_expires_or_stops() {
    let network = |outputs: &str| {
        format!(
            "machine M {{ inputs I_GO, I_T, I_S; initial S_0; spontaneous in S_0: *I_GO;
                 timer T raises TICK after 5;
                 S_0 {{ NS: I_GO > S_1; }} S_1 {{ E: {outputs}; NS: I_T > S_T; }} S_T {{}}
                 on TICK: +I_T anywhere;
                 out O_FIRST: start T, send GO to n; out O_STOP: stop T; out O_AGAIN: start T; }}
             machine N {{ inputs I_GO, I_T; initial S_0; timer T raises TICK after 5;
                 S_0 {{ NS: I_GO > S_1; }} S_1 {{ E: O_ON; NS: I_T > S_T; }} S_T {{}}
                 on GO: *I_GO; on TICK: +I_T anywhere; out O_ON: start T; }}
             network {{ processor P {{ process Q {{ m: M; }} process R {{ n: N; }} }} }}
             invariant first: n.S_T -> m.S_T;"
        )
    };
    assert_eq!(explore(&network("O_FIRST")).1, BTreeSet::new());
    assert_eq!(explore(&network("O_FIRST, O_AGAIN")).1, BTreeSet::new());
    assert!(!explore(&network("O_FIRST, O_STOP")).1.is_empty());
}

#[test]
fn a_process_of_lower_priority_waits_for_the_queues_and_the_free_machine_of_a_higher_one() {
    let text = "machine FREE { inputs I; initial S_0; S_0 { IA: I ? O; NS: I > S_1; } S_1 { }
            spontaneous in S_0: *I; out O: send E to low; }
        machine LOW { inputs I; initial S_0; S_0 { NS: I > S_1; } S_1 { }
            spontaneous in S_0: *I; on E: *I anywhere; }
        network { processor P { process HIGH { high: FREE; } process BELOW { low: LOW; } } }";
    let interpreter = interpreter(text);
    let (mut state, mut steps) = (Vec::new(), Vec::new());
    interpreter.initial(&mut state, &mut ()).unwrap();
    interpreter.enabled(&state, &mut steps);
    assert_eq!(
        steps.len(),
        1,
        "only the free machine of the higher process"
    );
    assert_eq!(steps[0].process, 0);
    let mut next = Vec::new();
    interpreter.execute(&state, steps[0], &mut next, &mut Vec::new(), &mut ());
    steps.clear();
    interpreter.enabled(&next, &mut steps);
    assert_eq!(
        steps.len(),
        1,
        "the message comes before what is spontaneous"
    );
}

#[test]
fn messages_inside_a_process_come_first() {
    let text = "machine A { inputs I_GO, I_LOW, I_HIGH; initial S_0;
            S_0 { IA: I_GO ? O; NS: I_LOW > S_LOW; I_HIGH > S_HIGH; } S_LOW { } S_HIGH { }
            timer T raises LOW;
            spontaneous in S_0: *I_GO; on LOW: *I_LOW anywhere; on HIGH: *I_HIGH anywhere;
            out O: start T, send HIGH to a; }
        network { queue 1; processor P { process Q { a: A; } } }";
    let (places, breaches) = explore(text);
    assert!(
        places.contains("a S_HIGH") && !places.contains("a S_LOW"),
        "{places:?}"
    );
    assert_eq!(breaches, BTreeSet::new());
}

#[test]
fn invariants_are_checked_between_transitions_and_at_the_start() {
    let body = "S_0 { NS: I_GO > S_1; } S_1 { NS: I_GO > S_2; } S_2 { }";
    let between = alone(body) + "invariant never: !m.S_1;";
    assert_eq!(explore(&between).1, BTreeSet::new());
    let after = alone(body) + "invariant never: !(m.S_2 & sink.S);";
    let expected = "invariant: invariant never is violated: !(m.S_2 & sink.S); \
                    m in S_0 acts of its own accord and goes to S_2";
    assert_eq!(explore(&after).1, BTreeSet::from([expected.to_string()]));
    let start = alone(body) + "invariant never: !m.S_0;";
    let expected = "invariant: invariant never is violated: !m.S_0; from the start on";
    assert_eq!(explore(&start).1, BTreeSet::from([expected.to_string()]));
}

#[test]
fn every_initial_state_is_a_beginning() {
    let text = "machine M { initial S_0, S_1; S_0 { } S_1 { } }
        network { processor P { process Q { a: M; b: M; } } }";
    let (places, _) = explore(text);
    let all = ["a S_0", "a S_1", "b S_0", "b S_1"];
    assert!(
        all.iter().all(|place| places.contains(*place)),
        "{places:?}"
    );
    let chosen = text.replace("network {", "network { start a in S_1, b in S_0;");
    let (places, _) = explore(&chosen);
    assert!(!places.contains("a S_0"), "{places:?}");
}

/// Eighteen inputs that stay have 262,144 combinations, but they come one after the other.
#[test]
fn combinations_that_are_never_met_are_not_listed() {
    let inputs: Vec<String> = (0..18).map(|n| format!("I{n}")).collect();
    let states = (0..18).map(|n| format!("S{n} {{ X: O{n}; NS: J{n} > S{}; }}", n + 1));
    let states: Vec<String> = states.collect();
    let outputs = (0..18).map(|n| format!("out O{n}: send E{n} to m;"));
    let outputs: Vec<String> = outputs.collect();
    let events = (0..18).map(|n| format!("on E{n}: +I{n};"));
    let events: Vec<String> = events.collect();
    let acts = (0..18).map(|n| format!("spontaneous in S{n}: *J{n};"));
    let acts: Vec<String> = acts.collect();
    let pulses: Vec<String> = (0..18).map(|n| format!("J{n}")).collect();
    let text = format!(
        "machine M {{ inputs {}; initial S; end S, T; S {{ NS: {} > T; }} T {{ }} {} }}
         machine N {{ inputs {}; initial S0; end S18; {} S18 {{ }} {} {} }}
         network {{ queue 2; processor A {{ process P {{ m: M; }} }} processor B {{ process Q {{ n: N; }} }} }}",
        inputs.join(", "), inputs.join(" & "), events.join(" "),
        pulses.join(", "),
        states.join(" "), acts.join(" "), outputs.join(" "),
    );
    let mut map = mazurka_span::SourceMap::new();
    let compiled = mazurka_vfsm::compile(&mut map, "model.vfsm", text.as_bytes());
    let compiled = compiled.unwrap_or_else(|errors| panic!("{errors:?}"));
    let machine = &compiled.program.process_types[0];
    assert_eq!(machine.locations.len(), 19);
}
