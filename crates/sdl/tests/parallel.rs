//! `state aggregation`: states of which several hold at once.

#[allow(dead_code)]
mod support;

use mazurka_span::{Snippet, Snippets, SourceMap};
use support::{agree, coarse, judge};

fn system(inside: &str) -> String {
    format!(
        "system s; signal go1(small), go2, away, done; syntype small = Natural constants 0:2 endsyntype;
        channel c from env to b with go1, go2, away; from b to env with done; endchannel;
        block b; process p; dcl n, x small;
        {inside}
        endprocess; endblock; endsystem;"
    )
}

fn verdict(inside: &str) -> Option<&'static str> {
    agree(&system(inside), &["ENVIRONMENT=1".into()])
}

const TWO: &str = "state aggregation on; substructure
    procedure entry; start; task n := 1; return; endprocedure;
    procedure exit; start; task n := 2; return; endprocedure;
    state left; substructure start; nextstate s; state s; input go1(x); nextstate t; state t; input go1; LEFT endsubstructure;
    state right; substructure start; nextstate s; state s; input go2; RIGHT endstate; endsubstructure;
    endsubstructure;
    start; nextstate on;
    state on; connect; CONNECT input away; OUT endstate;
    state wrong; input *; task x := 3; nextstate wrong; endstate;
    state over; endstate;";

fn two(parts: [&str; 4]) -> String {
    let [left, right, connect, out] = parts;
    TWO.replace("LEFT", left)
        .replace("RIGHT", right)
        .replace("CONNECT", connect)
        .replace("OUT", out)
}

#[test]
fn parts_are_in_states_of_their_own() {
    // When both have returned, the state is left by `connect`; its exit has been called.
    let end = "decision n; (2): nextstate over; else: nextstate wrong; enddecision;";
    let text = two(["return;", "return;", end, "nextstate over;"]);
    assert_eq!(verdict(&text), Some("holds"));
    let text = two(["return;", "return;", "nextstate wrong;", "nextstate over;"]);
    assert_eq!(verdict(&text), Some("error"));
    // One that never returns keeps it.
    let text = two([
        "return;",
        "nextstate -;",
        "nextstate wrong;",
        "nextstate over;",
    ]);
    assert_eq!(verdict(&text), Some("holds"));
    // Out of it by a signal that no part takes.
    let text = two(["return;", "nextstate -;", "stop;", "nextstate wrong;"]);
    assert_eq!(verdict(&text), Some("error"));
    // Back into it: in again, or where it was.
    for back in ["-", "-*", "on"] {
        let out = format!("nextstate {back};");
        let text = two(["nextstate s;", "nextstate s;", "stop;", &out]);
        assert_eq!(verdict(&text), Some("holds"));
    }
}

#[test]
fn a_signal_goes_to_the_part_that_takes_it() {
    // What the part says nothing about at the moment is passed over, and not taken outside.
    let text = "state aggregation on; substructure
        state left; substructure start; nextstate s; state s; input go1(x); nextstate t; state t; endsubstructure;
        state right; substructure start; nextstate s; state s; input go2; nextstate -; save away; endstate; state t; input away; nextstate s; endstate; endsubstructure;
        endsubstructure;
        start; nextstate on; state on comment 'end'; input go1; nextstate wrong; endstate;
        state wrong; input *; task x := 3; nextstate wrong; endstate;";
    assert_eq!(verdict(text), Some("holds"));
    let reported = ["ENVIRONMENT=1".to_string(), "UNEXPECTED=report".to_string()];
    assert_eq!(agree(&system(text), &reported), Some("error"));
    // The value of a signal that is passed over changes nothing.
    let text = text.replace(
        "state t; endsubstructure;",
        "state t; provided x = 2; nextstate t; endsubstructure;",
    );
    assert_eq!(verdict(&text), Some("holds"));
}

#[test]
fn conditions_hold_for_one_part() {
    let text = "state aggregation on; substructure
        state left; substructure start; nextstate s; state s; provided n = 1; task n := 2; nextstate t; endstate; state t; endstate; endsubstructure;
        state right; substructure start; nextstate s; state s; input go1(x); provided n = 0; task n := 1; nextstate s; input go2; provided n = 2; task n := 0; return; endstate; endsubstructure;
        endsubstructure;
        start; nextstate on; state on comment 'end'; endstate;";
    assert_eq!(verdict(text), Some("holds"));
    assert_eq!(
        verdict(&text.replace("task n := 0; return;", "task n := 3; return;")),
        Some("error")
    );
}

#[test]
fn what_parts_may_not_have_is_refused_by_name() {
    let with = |state: &str, outside: &str| {
        format!(
            "state aggregation on; substructure state left; substructure start; nextstate s; {state} endsubstructure; {outside} endsubstructure; start; nextstate on; state on; endstate;"
        )
    };
    for (state, outside, what) in [
        ("state s; input *; nextstate s;", "", "`*` for all signals"),
        ("state s; save *; endstate;", "", "`*` for all signals"),
        (
            "state s; priority input go2; nextstate s;",
            "",
            "`priority input`",
        ),
        (
            "state s comment 'accept'; endstate;",
            "",
            "a mark on a state",
        ),
        (
            "state s; endstate;",
            "state left; input away; nextstate left; endstate;",
            "what is said about a part",
        ),
        (
            "state s; endstate;",
            "start; nextstate s;",
            "a `start` of a `state aggregation`",
        ),
        (
            "state s; input go2; nextstate s;",
            "state r; substructure start; nextstate s; state s; input go2; nextstate s; endsubstructure;",
            "two parts",
        ),
        (
            "state s; endstate;",
            "state aggregation r; substructure endsubstructure;",
            "directly in another",
        ),
    ] {
        let mut map = SourceMap::new();
        let text = system(&with(state, outside));
        let told = mazurka_sdl::compile(
            &mut map,
            "s.sdl",
            text.as_bytes(),
            &["ENVIRONMENT=1".into()],
        );
        let told = told.err().unwrap_or_default();
        assert!(
            told.iter().any(|told| told.message.contains(what)),
            "{what}: {told:#?}"
        );
    }
}

#[test]
fn formulas_know_the_states_of_parts() {
    let text = system(&two([
        "return;",
        "nextstate -;",
        "stop;",
        "nextstate over;",
    ]));
    let mut map = SourceMap::new();
    for (formula, is_right) in [
        ("<> p at on.left.t", true),
        ("<> p at on.left", true),
        ("<> p at on", true),
        ("<> p at on.left.nowhere", false),
        ("<> p at on.middle", false),
    ] {
        let besides = Snippets {
            formula: Some(Snippet {
                name: "formula",
                text: formula,
            }),
            ..Snippets::default()
        };
        let loader = mazurka_promela::MemoryLoader::default();
        let defines = ["ENVIRONMENT=1".to_string()];
        let told = mazurka_sdl::compile_with(
            &mut map,
            "s.sdl",
            text.as_bytes(),
            &defines,
            &besides,
            &loader,
        );
        assert_eq!(told.is_ok(), is_right, "{formula}");
        if let Ok(compiled) = told {
            assert_eq!(coarse(&judge(compiled.program).unwrap()), "holds");
        }
    }
}
