//! One construct each, with its verdict; and the export says the same.

#[allow(dead_code)]
mod support;

use support::{agree, coarse, judge, program};

/// One block with one or more processes.
fn system(definitions: &str, processes: &str) -> String {
    format!("system s; {definitions} block b; {processes} endblock b; endsystem s;")
}

#[track_caller]
fn check(expected: &str, text: &str) {
    check_with(expected, text, &[]);
}

#[track_caller]
fn check_with(expected: &str, text: &str, defines: &[&str]) {
    let defines: Vec<String> = defines.iter().map(|define| define.to_string()).collect();
    let found = judge(program(text, &defines)).expect("a small system");
    let kinds: Vec<&str> = found.iter().map(String::as_str).collect();
    assert_eq!(kinds.join(" "), expected, "{text}");
    assert_eq!(agree(text, &defines), Some(coarse(&found)));
}

/// A process that sends signals, and one that receives.
fn pair(sent: &str, receiver: &str) -> String {
    system(
        "signal a, b, c, n(Integer);",
        &format!(
            "process p; dcl x Integer; start; {sent} nextstate done; state done comment 'end'; endstate; endprocess;
             process q; dcl y Integer := 0; timer t; {receiver} endprocess;"
        ),
    )
}

#[test]
fn a_state_that_is_marked_is_an_end() {
    check(
        "",
        &system(
            "",
            "process p; start; nextstate s; state s comment 'end'; endstate; endprocess;",
        ),
    );
    check(
        "deadlock",
        &system(
            "",
            "process p; start; nextstate s; state s; endstate; endprocess;",
        ),
    );
    check("", &system("", "process p; start; stop; endprocess;"));
}

#[test]
fn signals_come_in_order() {
    let receiver = "start; nextstate s1; state s1; input a; nextstate s2; endstate;
        state s2; input b; nextstate s3; endstate; state s3 comment 'end'; endstate;";
    check("", &pair("output a; output b;", receiver));
    // The second is passed over in the first state.
    check("deadlock", &pair("output b; output a;", receiver));
    check_with(
        "unexpected-input",
        &pair("output b; output a;", receiver),
        &["UNEXPECTED=report"],
    );
}

#[test]
fn saved_signals_keep_their_order_and_come_first() {
    let receiver = |last: &str| {
        format!(
            "start; nextstate s1; state s1; save a, b; input c; nextstate s2; endstate;
             state s2; input a; nextstate s3; endstate;
             state s3; input {last}; nextstate s4; endstate;
             state s4 comment 'end'; endstate;"
        )
    };
    check("", &pair("output a; output b; output c;", &receiver("b")));
    check(
        "deadlock",
        &pair("output b; output a; output c;", &receiver("b")),
    );
    let all = receiver("b").replace("save a, b", "save *");
    check("", &pair("output a; output b; output c;", &all));
}

#[test]
fn parameters_are_taken_or_dropped() {
    let receiver = "start; nextstate s; state s; input n(y); decision y; (3): nextstate fine; (else_is_wrong): nextstate s; enddecision; endstate;
        state fine comment 'end'; endstate;";
    let text = pair("task x := 2; output n(x + 1);", receiver)
        .replace("signal a", "synonym else_is_wrong Integer = 4; signal a");
    check("", &text);
    let text = pair("output n(5);", receiver)
        .replace("signal a", "synonym else_is_wrong Integer = 4; signal a");
    // No answer of the decision fits.
    check("error", &text);
}

#[test]
fn a_queue_is_bounded() {
    let receiver = "start; nextstate s; state s comment 'end'; endstate;";
    check(
        "",
        &pair("output a; output a; output a; output a;", receiver).replace(
            "state s comment 'end'; endstate;",
            "state s comment 'end'; input a; nextstate s; endstate;",
        ),
    );
    let known = receiver.replace("endstate", "input a; nextstate s; endstate");
    check_with(
        "overflow",
        &pair("output a; output a;", &known),
        &["QUEUE=1"],
    );
}

#[test]
fn timers_expire_or_are_reset() {
    let receiver = "start; set(now + 5, t); nextstate s; state s; input t; nextstate late; input a; reset(t); nextstate fine; endstate;
        state late comment 'end'; input a; nextstate late; endstate; state fine comment 'end'; input t; nextstate wrong; endstate; state wrong; endstate;";
    check("", &pair("output a;", receiver));
    // Without the reset it may expire later.
    check(
        "deadlock",
        &pair("output a;", &receiver.replace("reset(t);", "")),
    );
    let active = "start; set(now, t); decision active(t); (true): nextstate s; (false): nextstate wrong; enddecision;
        state s; input t; decision active(t); (true): nextstate wrong; (false): nextstate fine; enddecision; endstate;
        state fine comment 'end'; input a; nextstate fine; endstate; state wrong; endstate;";
    check("", &pair("output a;", active));
}

#[test]
fn every_instance_that_saves_has_a_queue_of_its_own() {
    // Whichever of the two gets it must answer.
    let processes = "process p; start; output a; nextstate waiting; state waiting; input c; stop; endstate; endprocess;
        process q(2, 2); start; nextstate s; state s comment 'end'; input a; output c to sender; nextstate s; save b; endstate; endprocess;";
    check("", &system("signal a, b, c;", processes));
}

#[test]
fn an_enabling_condition_saves() {
    let receiver = "start; nextstate s; state s; input a; provided y = 1; nextstate fine; input b; task y := 1; nextstate s; endstate;
        state fine comment 'end'; endstate;";
    check("", &pair("output a; output b;", receiver));
    check("deadlock", &pair("output a;", receiver));
}

#[test]
fn continuous_signals_wait_for_an_empty_queue() {
    let receiver = "start; nextstate s; state s; input a; task y := y + 1; nextstate s;
        provided y = 2; nextstate fine; endstate; state fine comment 'end'; input a; nextstate wrong; endstate; state wrong; endstate;";
    check("", &pair("output a; output a;", receiver));
    let ranked = "start; nextstate s; state s; input a; nextstate s; provided true; priority 2; nextstate wrong; provided y = 0; priority 1; nextstate fine; endstate;
        state fine comment 'end'; input a; nextstate fine; endstate; state wrong; endstate;";
    check("", &pair("output a;", ranked));
}

#[test]
fn spontaneous_transitions_and_free_choices() {
    let receiver = "start; nextstate s; state s; input none; nextstate fine; endstate; state fine comment 'end'; input a; nextstate fine; endstate;";
    check("", &pair("output a;", receiver));
    let choice = "start; decision any; ( ): nextstate fine; ( ): nextstate wrong; enddecision; state fine comment 'end'; input a; nextstate fine; endstate; state wrong; endstate;";
    check("deadlock", &pair("output a;", choice));
    let informal = choice
        .replace("decision any; ( )", "decision 'is it so'; ('yes')")
        .replace("; ( ): nextstate wrong", "; ('no'): nextstate wrong");
    check("deadlock", &pair("output a;", &informal));
}

#[test]
fn decisions_have_ranges() {
    let text = |value: i32| {
        system(
            "synonym low Integer = 2; syntype small = Integer constants 0:9 endsyntype;",
            &format!(
                "process p; dcl x small := {value}; start; decision x; (low:4, 7): nextstate s; (> 7): nextstate s; else: nextstate wrong; enddecision;
                 state s comment 'end'; endstate; state wrong; endstate; endprocess;"
            ),
        )
    };
    for (value, expected) in [
        (1, "deadlock"),
        (2, ""),
        (4, ""),
        (5, "deadlock"),
        (7, ""),
        (9, ""),
    ] {
        check(expected, &text(value));
    }
}

#[test]
fn what_comes_behind_an_inner_decision_goes_on_behind_the_outer() {
    let text = "process p; dcl x Integer := 0; start; decision x; (0): decision x; (0): task x := 1; else: enddecision; task x := x + 1; else: enddecision;
        decision x; (2): nextstate e; else: nextstate wrong; enddecision; state e comment 'end'; endstate; state wrong; endstate; endprocess;";
    check("", &system("", text));
}

#[test]
fn a_range_is_kept() {
    let text = "process p; dcl x small := 3; start; task x := x + 1; nextstate s; state s comment 'end'; endstate; endprocess;";
    let small = |high: i32| format!("syntype small = Natural constants 0:{high} endsyntype;");
    check("error", &system(&small(3), text));
    check("", &system(&small(4), text));
}

#[test]
fn labels_and_joins() {
    let text = "process p; dcl x Integer := 0; start; again: task x := x + 1; decision x < 3; (true): join again; (false): enddecision;
        decision x; (3): nextstate s; enddecision; state s comment 'end'; endstate; endprocess;";
    check("", &system("", text));
}

#[test]
fn asterisk_states_and_inputs() {
    let receiver = "start; nextstate s1; state *(fine); input a; nextstate s2; endstate; state s2; input *; nextstate fine; endstate;
        state s1; endstate; state fine comment 'end'; endstate;";
    check("", &pair("output a; output b;", receiver));
    check("deadlock", &pair("output b; output b;", receiver));
}

#[test]
fn addresses() {
    let server = "process q(2, 2); dcl who PId; start; nextstate s; state s comment 'end'; input a; output b to sender; nextstate s; input c; nextstate s; endstate; endprocess;";
    let client = |output: &str| {
        format!(
            "process p; start; {output} nextstate w; state w; input b; decision sender = self; (true): nextstate wrong; (false): nextstate fine; enddecision; endstate;
             state fine comment 'end'; endstate; state wrong; endstate; endprocess;"
        )
    };
    let signals = "signal a, b, c;";
    check(
        "",
        &system(signals, &format!("{server} {}", client("output a to q;"))),
    );
    check(
        "",
        &system(signals, &format!("{server} {}", client("output a;"))),
    );
    // To nobody: it is lost.
    check(
        "deadlock",
        &system(
            signals,
            &format!("{server} {}", client("output a to null;")),
        ),
    );
    check(
        "",
        &system(
            signals,
            &format!("{server} {}", client("output c to q; output a to q;")),
        ),
    );
}

#[test]
fn routes_and_channels() {
    let text = |delay: &str| {
        format!(
            "system s; signal a, b; signallist all_of_them = a, b;
             channel c {delay} from left to right with (all_of_them); endchannel c;
             channel d nodelay from left to right with a; endchannel d;
             block left; signalroute r from p to env with a, b; signalroute r2 from p to env with a; connect c and r; connect d and r2;
               process p; start; output b via r; output a via r2; nextstate s; state s comment 'end'; endstate; endprocess; endblock left;
             block right; signalroute r from env to q with a, b; signalroute r2 from env to q with a; connect c and r; connect d and r2;
               process q; start; nextstate s; state s; input b; nextstate t; input a; nextstate u; endstate;
               state t; input a; nextstate fine; endstate; state u; endstate; state fine comment 'end'; endstate; endprocess; endblock right;
             endsystem s;"
        )
    };
    // Over the channel that delays, the first may be overtaken.
    check("deadlock", &text(""));
    check("", &text("nodelay"));
}

#[test]
fn to_the_environment() {
    let text = "system s; signal a; channel c from b to env with a; endchannel c;
        block b; process p; start; output a; nextstate s; state s comment 'end'; endstate; endprocess; endblock b; endsystem s;";
    check("", text);
}

#[test]
fn literals_and_conditions() {
    let text = "process p; dcl c colour := green, n Natural := 0; start; task c := if c = green then red else blue fi, n := (7 mod 4) - (7 rem 4);
        decision c = red and not (n > 0) or false => true; (true): nextstate s; (false): nextstate wrong; enddecision;
        state s comment 'end'; endstate; state wrong; endstate; endprocess;";
    check(
        "",
        &system(
            "newtype colour literals red, green, blue endnewtype colour;",
            text,
        ),
    );
}

#[test]
fn outputs_of_several_processes_come_between() {
    // Two signals of one transition need not stand together in a queue.
    let text = "process p; start; output a; output b; nextstate s; state s comment 'end'; endstate; endprocess;
        process o; start; output c; nextstate s; state s comment 'end'; endstate; endprocess;
        process q; start; nextstate s; state s comment 'end'; input a; nextstate t; input c; nextstate s; input b; nextstate s; endstate;
        state t; input b; nextstate s; input c; nextstate wrong; endstate; state wrong; input b; nextstate wrong; endstate; endprocess;";
    check("deadlock", &system("signal a, b, c;", text));
}

/// Nobody sends `c`, so the export has no option for it; the join still needs what stands there.
#[test]
fn a_join_may_name_a_label_behind_a_signal_that_nobody_sends() {
    check(
        "",
        &pair(
            "output a;",
            "start; nextstate s;
             state s comment 'end'; input a; join l; input c; l: task y := 1; nextstate s; endstate;",
        ),
    );
}

#[test]
fn a_join_may_name_a_label_behind_an_asterisk_that_takes_nothing() {
    check(
        "",
        &pair(
            "output a;",
            "start; nextstate s;
             state s comment 'end'; input a; join l; input *; task y := 2; decision y; (2): l: task y := 1; nextstate s; else: stop; enddecision; endstate;",
        ),
    );
}

#[test]
fn a_process_that_stopped_has_no_queue() {
    // The sender goes on after the receiver has stopped: nothing overflows.
    let text = pair(
        "output c; output a; output a; output a; output a; output a; output a;",
        "start; nextstate s; state s; input a; nextstate s; input c; stop; endstate;",
    );
    check_with("overflow", &text, &["QUEUE=2"]);
    let slow = system(
        "signal a, c, ready;",
        "process p; start; output c; nextstate w; state w; input ready; output a; output a; output a; output a; stop; endstate; endprocess;
         process q; start; nextstate s; state s; input a; nextstate s; input c; output ready; stop; endstate; endprocess;",
    );
    check_with("", &slow, &["QUEUE=1"]);
}

#[test]
fn what_is_sent_to_one_that_stopped_is_lost() {
    let text = system(
        "signal hello(PId), a, late;",
        "process q; start; output hello(self); output late; stop; endprocess;
         process p; dcl who PId; start; nextstate w; state w; input hello(who); nextstate x; endstate;
           state x; input late; nextstate y; endstate;
           state y; provided true; output a to who; output a to who; output a to who; nextstate e; endstate; state e comment 'end'; endstate; endprocess;",
    )
    .replace("stop; endprocess", "nextstate z; state z comment 'end'; input a; stop; endstate; endprocess");
    // The first makes it stop; a queue of one may hold the second before that.
    check_with("overflow", &text, &["QUEUE=1"]);
    check_with("", &text, &["QUEUE=3"]);
}

/// A process that creates others.
fn parent(numbers: &str, child: &str, actions: &str) -> String {
    system(
        "signal a(Integer), done, go; syntype small = Integer constants 0:3 endsyntype;",
        &format!(
            "process p; dcl who PId, n small := 0; start; {actions}
               state w; input done; nextstate e; endstate; state e comment 'end'; input done; nextstate e; endstate; state wrong; endstate; endprocess;
             process q{numbers}; {child} endprocess;"
        ),
    )
}

#[test]
fn processes_create_others() {
    let child = "fpar x, y small; start; decision x + y; (3): output done to parent; nextstate e; else: nextstate wrong; enddecision;
        state e comment 'end'; endstate; state wrong; endstate;";
    check("", &parent("(0, 1)", child, "create q(1, 2); nextstate w;"));
    check(
        "deadlock",
        &parent("(0, 1)", child, "create q(1, 1); nextstate w;"),
    );
    // Nobody can be created any more: the offspring is null.
    let two = "create q(1, 2); task who := offspring; create q(1, 2); decision offspring = null and who /= null; (true): nextstate w; (false): nextstate wrong; enddecision;";
    check("", &parent("(0, 1)", child, two));
    check("deadlock", &parent("(0, 2)", child, two));
    // Out of the range of a parameter.
    check(
        "error",
        &parent("(0, 1)", child, "create q(1, 4); nextstate w;"),
    );
    // At the start nobody is there, so the signal is lost.
    let lost = "output go; create q(1, 2); nextstate w;";
    let taken = child.replace(
        "state e comment 'end'; endstate;",
        "state e comment 'end'; input go; nextstate wrong; endstate;",
    );
    check("", &parent("(0, 1)", &taken, lost));
    check(
        "deadlock",
        &parent("(0, 1)", &taken, "create q(1, 2); output go; nextstate w;"),
    );
}

#[test]
fn instances_that_stopped_leave_their_identity() {
    let child = "start; output done to parent; stop;";
    let twice = "create q; nextstate w1; state w1; input done; create q; nextstate w; endstate;";
    check("overflow", &parent("(0, 1)", child, twice));
    check("", &parent("(0, 2)", child, twice));
    check_with("", &parent("(0, 1)", child, twice), &["REUSE=1", "QUEUE=2"]);
    // Without a bound, as many as were asked for.
    check("", &parent("", child, twice));
    check_with("overflow", &parent("", child, twice), &["INSTANCES=2"]);
    // With its variables as they were at first.
    let counting = "dcl k small := 1; start; decision k; (1): task k := 2; output done to parent; stop; else: nextstate wrong; enddecision; state wrong; endstate;";
    check_with(
        "",
        &parent("(0, 1)", counting, twice),
        &["REUSE=1", "QUEUE=2"],
    );
}

#[test]
fn priority_inputs_come_before_others() {
    let receiver = |first: &str| {
        format!(
            "start; nextstate s0; state s0; save *; provided len_is; nextstate s1; endstate;
             state s1; {first} input b; nextstate s2; input a; nextstate wrong; input c; nextstate wrong; endstate;
             state s2; input a; nextstate fine; input c; nextstate wrong; endstate;
             state fine comment 'end'; input c; nextstate fine; endstate; state wrong; endstate;"
        )
        .replace("save *; provided len_is; nextstate s1;", "save a, b; input c; nextstate s1;")
    };
    check(
        "",
        &pair("output a; output b; output c;", &receiver("priority")),
    );
    check(
        "deadlock",
        &pair("output a; output b; output c;", &receiver("")),
    );
    // Of two, the one that came first.
    let two = "start; nextstate s0; state s0; save a, b, n; input c; nextstate s1; endstate;
        state s1; priority input b; nextstate s2; priority input n(y); nextstate wrong; input a; nextstate wrong; endstate;
        state s2; input a; nextstate s3; priority input n(y); nextstate s4; endstate;
        state s3; endstate; state s4; input a; nextstate fine; endstate; state fine comment 'end'; endstate; state wrong; endstate;";
    check("", &pair("output a; output b; output n(1); output c;", two));
    check(
        "deadlock",
        &pair("output a; output n(1); output b; output c;", two),
    );
}

#[test]
fn an_output_goes_all_ways() {
    let text = |via: &str| {
        format!(
            "system s; signal a; block b; signalroute r1 from p to q with a; signalroute r2 from p to r with a;
             process p; start; output a {via}; nextstate e; state e comment 'end'; endstate; endprocess;
             process q; start; nextstate w; state w; input a; nextstate e; endstate; state e comment 'end'; endstate; endprocess;
             process r; start; nextstate w; state w; input a; nextstate e; endstate; state e comment 'end'; endstate; endprocess; endblock; endsystem;"
        )
    };
    check("", &text("via all r1, r2"));
    check("deadlock", &text("via r1, r2"));
}

#[test]
fn the_environment_sends_if_that_is_asked_for() {
    let text = "system s; signal a(Boolean), b; channel c from env to k with a; from k to env with b; endchannel;
        block k; process p; dcl x Boolean; start; nextstate s; state s; input a(x); decision x; (true): output b to sender; nextstate s; (false): nextstate t; enddecision; endstate;
        state t comment 'end'; endstate; endprocess; endblock; endsystem;";
    check_with("", text, &["ENVIRONMENT=1"]);
    check_with("", text, &["ENVIRONMENT=2", "QUEUE=2"]);
    check_with(
        "unexpected-input",
        text,
        &["ENVIRONMENT=1", "UNEXPECTED=report"],
    );
}

#[test]
fn timers_have_parameters_and_durations() {
    let receiver = "start; set(now + 5, u(1)); set(now + 5, u(2)); reset(u(1)); set(v); nextstate s;
        state s; input u(y); decision y = 2 and not active(u(2)) and not active(u(1)); (true): nextstate s2; (false): nextstate wrong; enddecision; save v; endstate;
        state s2; input v; nextstate fine; endstate; state fine comment 'end'; endstate; state wrong; endstate;";
    let text = pair("", receiver)
        .replace("timer t;", "timer u(small), v := 10;")
        .replace(
            "signal a",
            "syntype small = Natural constants 0:3 endsyntype; signal a",
        );
    check("", &text);
    check("deadlock", &text.replace("reset(u(1));", ""));
    check(
        "error",
        &text.replace("set(now + 5, u(2))", "set(now + 5, u(y + 4))"),
    );
}

#[test]
fn a_connection_is_reached_by_joins() {
    let receiver = "start; nextstate s; connection l: task y := y + 1; join m; endconnection;
        connection m: decision y; (1): nextstate fine; else: nextstate wrong; enddecision; endconnection;
        state s; input a; join l; endstate; state fine comment 'end'; endstate; state wrong; endstate;";
    check("", &pair("output a;", receiver));
}

#[test]
fn procedures_are_called() {
    let receiver = |call: &str| {
        format!(
            "procedure f; fpar in k Integer, in/out r Integer; dcl l Integer := 1; start; task l := l + k; decision l; (> 3): return; else: enddecision; task r := r + l; return; endprocedure;
             procedure twice; fpar in k Integer; returns Integer; start; return k * 2; endprocedure;
             start; nextstate s; state s, s9; input a; {call} decision y; (3): nextstate -; else: nextstate wrong; enddecision; input b; nextstate fine; endstate;
             state fine comment 'end'; endstate; state wrong; endstate;"
        )
    };
    check("", &pair("output a; output b;", &receiver("call f(2, y);")));
    check(
        "deadlock",
        &pair("output a; output b;", &receiver("call f(1, y);")),
    );
    check(
        "deadlock",
        &pair("output a; output b;", &receiver("call f(3, y);")),
    );
    check(
        "",
        &pair(
            "output a; output b;",
            &receiver("task y := call twice(call twice(1)) - 1;"),
        ),
    );
    check(
        "",
        &pair(
            "output a; output b;",
            &receiver("call f(0, y); call f(call twice(y) - 1, y);"),
        ),
    );
}

#[test]
fn procedures_wait_for_signals() {
    let receiver = "procedure await; fpar in/out r Integer; start; nextstate w; state w; input n(r); return; input c; nextstate -; endstate; endprocedure;
        start; nextstate s; state s; input a; call await(y); decision y; (5): nextstate t; else: nextstate wrong; enddecision; endstate;
        state t; input b; call await(y); nextstate fine; endstate;
        state *(fine); input none; provided y = 9; nextstate wrong; endstate;
        state fine comment 'end'; endstate; state wrong; endstate;";
    check(
        "",
        &pair("output a; output n(5); output b; output n(9);", receiver),
    );
    // What the procedure says nothing about is passed over there.
    check(
        "deadlock",
        &pair("output a; output b; output n(5);", receiver),
    );
    check("deadlock", &pair("output a; output n(4);", receiver));
}

#[test]
fn structures_and_arrays() {
    let definitions = "syntype three = Integer constants 1:3 endsyntype; newtype point struct x, y Integer; b Boolean; endnewtype;
        newtype row array(three, Integer) endnewtype; newtype board array(three, point) endnewtype; signal put(point, row);";
    let text = |actions: &str| {
        system(
            definitions,
            &format!(
                "process p; dcl q, r point, v, w row, m board, i Integer := 2; start; task q := (. 1, 2, true .); {actions} output put(q, v); nextstate e; state e comment 'end'; endstate; endprocess;
                 process o; dcl q point, v row; start; nextstate s; state s; input put(q, v); decision q!x + v(2); (7): nextstate e; else: nextstate s; enddecision; endstate; state e comment 'end'; endstate; endprocess;"
            ),
        )
    };
    check("", &text("task v := (. 0 .), v(i) := 6;"));
    check("deadlock", &text("task v := (. 6 .), v(i) := 0;"));
    check(
        "",
        &text("task m(i) := q, m(i)!x := 4, q := m(2), v(2) := 3;"),
    );
    check(
        "",
        &text(
            "task w(2) := 6, v := w, r := q; decision v = w and r = q and v /= (. 1 .); (true): enddecision;",
        ),
    );
    check("error", &text("task v(i + 2) := 1;"));
    check("error", &text("task m(i - 2)!y := 1;"));
    check("error", &text("task i := m(i + 2)!y;"));
}

#[test]
fn characters_and_free_choices() {
    let text = |test: &str| {
        system(
            "syntype digit = Integer constants 2:4 endsyntype; newtype colour literals red, green endnewtype; newtype pair struct c colour; b Boolean; endnewtype;",
            &format!(
                "process p; dcl c Character := 'x', t Time := 3, d Duration, k digit, z pair; start; task c := if c < 'y' then 'a' else 'b' fi, k := any(digit), z := any(pair);
                 decision {test}; (true): nextstate e; (false): nextstate wrong; enddecision; state e comment 'end'; endstate; state wrong; endstate; endprocess;"
            ),
        )
    };
    check("", &text("c = 'a' and k >= 2 and k <= 4 and t - 3 = d"));
    check("deadlock", &text("k /= 4"));
    check("deadlock", &text("z!c = green or z!b"));
    check("", &text("any(Boolean) or true"));
}

#[test]
fn what_others_wrote_may_give_anything() {
    let receiver = |answer: &str| {
        format!(
            "procedure read; fpar in/out b Integer; external; procedure check; fpar in/out b truth; external;
             start; nextstate s; state s; input a; call check(g); decision g; (true): nextstate fine; (false): nextstate {answer}; enddecision; endstate;
             state fine comment 'end'; endstate; state wrong; endstate;"
        )
        .replace("procedure read; fpar in/out b Integer; external;", "dcl g truth;")
    };
    let text = |answer: &str| {
        pair("output a;", &receiver(answer))
            .replace("signal a", "syntype truth = Boolean endsyntype; signal a")
    };
    check("", &text("fine"));
    check("deadlock", &text("wrong"));
}

#[test]
fn definitions_stand_elsewhere() {
    let text = "package types; syntype small = Natural constants 0:2 endsyntype; signal a(small); endpackage; use types;
        system s; block b referenced; endsystem;
        block b; process p referenced; process q(1, 1) referenced; endblock;
        process p; start; output a(1); nextstate e; state e comment 'end'; endstate; endprocess;
        process <<block b>> q; dcl x small; start; nextstate w; state w; input a(x); nextstate e; endstate; state e comment 'end'; endstate; endprocess;";
    check("", text);
    check("error", &text.replace("a(1)", "a(3)"));
}
