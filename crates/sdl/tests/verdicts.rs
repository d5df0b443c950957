//! One construct each, with its verdict; and the export says the same.

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
