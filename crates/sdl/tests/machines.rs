//! The export to machines with ports (`.efsm`) says the same as the system, or says what such machines cannot do.

#[path = "../../differential/src/random.rs"]
#[allow(dead_code)]
mod random;
#[allow(dead_code)]
mod support;

use std::collections::BTreeMap;

use mazurka_model::Program;
use mazurka_promela::MemoryLoader;
use mazurka_span::{RenderOptions, SourceMap, render};
use support::{coarse, judge, judge_within, program};

/// The system as machines, or the message why not.
fn machines(text: &str, defines: &[String]) -> Result<(String, Program), String> {
    let (mut map, loader) = (SourceMap::new(), MemoryLoader::default());
    let made = mazurka_sdl::efsm_with(&mut map, "m.sdl", text.as_bytes(), defines, &loader);
    let made = made.map_err(|told| {
        let errors = told.iter().filter(|one| one.is_error());
        errors.map(|one| one.message.clone()).collect::<String>()
    })?;
    let mut map = SourceMap::new();
    match mazurka_efsm::compile(&mut map, "m.efsm", made.as_bytes(), &[]) {
        Ok(compiled) => Ok((made, compiled.program)),
        Err(told) => {
            let told = render(&map, &told, RenderOptions::default());
            panic!("{told}\n{text}\n{made}")
        }
    }
}

/// Compares a system with its export; none if one of them is too large.
#[track_caller]
fn agree(text: &str, defines: &[String]) -> Result<Option<&'static str>, String> {
    let (made, machines) = machines(text, defines)?;
    let ours = judge(program(text, defines));
    let theirs = judge_within(machines, 100_000);
    let (Some(ours), Some(theirs)) = (ours, theirs) else {
        return Ok(None);
    };
    assert_eq!(coarse(&ours), coarse(&theirs), "\n{text}\n{made}");
    Ok(Some(coarse(&ours)))
}

fn pair(sent: &str, receiver: &str) -> String {
    format!(
        "system s; signal a, b, c, n(small), back; syntype small = Integer constants 0:5 endsyntype;
         newtype row array(small, small) endnewtype; block b;
         process p; dcl x small := 1, ok Boolean := false; start; {sent} nextstate done; state done comment 'end'; endstate; endprocess;
         process q; dcl y small := 0, r row; {receiver} endprocess; endblock; endsystem;"
    )
}

#[test]
fn what_machines_can_do_they_do_the_same() {
    let end = "state e comment 'end'; endstate; state wrong; endstate;";
    for (sent, receiver, expected) in [
        (
            "output a; output b;",
            "start; nextstate s; state s; input a; nextstate t; endstate; state t; input b; nextstate e; endstate;",
            "holds",
        ),
        (
            "output b; output a;",
            "start; nextstate s; state s; input a; nextstate t; endstate; state t; input b; nextstate e; endstate;",
            "deadlock",
        ),
        (
            "output n(x + 2);",
            "start; nextstate s; state s; input n(y); decision y; (3): nextstate e; else: nextstate wrong; enddecision; endstate;",
            "holds",
        ),
        (
            "output n(x + 5);",
            "start; nextstate s; state s; input n(y); nextstate e; endstate;",
            "error",
        ),
        (
            "output n(5);",
            "start; nextstate s; state s; input n(y); task y := y + 1; nextstate e; endstate;",
            "error",
        ),
        (
            "output n(5);",
            "start; nextstate s; state s; input n(y); task r(y) := 2, r(r(y)) := 3; decision r(2); (3): nextstate e; enddecision; endstate;",
            "holds",
        ),
        (
            "output a; output a; output a; output a; output a;",
            "start; nextstate s; state s; input a; nextstate e; endstate;",
            "error",
        ),
        (
            "output a;",
            "start; nextstate s; state s; input *; nextstate e; endstate;",
            "holds",
        ),
        (
            "output a;",
            "start; l: task y := y + 1; decision y < 3; (true): join l; (false): enddecision; nextstate s; state s; input a; decision y; (3): nextstate e; enddecision; endstate;",
            "holds",
        ),
        (
            "output a;",
            "start; decision any; ( ): nextstate s; ( ): nextstate wrong; enddecision; state s; input a; nextstate e; endstate;",
            "deadlock",
        ),
        (
            "output a;",
            "start; nextstate s; state s; input a; nextstate t; endstate; state t; provided y = 0; priority 1; nextstate e; provided true; priority 2; nextstate wrong; endstate;",
            "holds",
        ),
        (
            "output a;",
            "start; nextstate s; state s; input none; nextstate e; input a; nextstate e; endstate; state e; input a; nextstate -; endstate;",
            "holds",
        ),
        (
            "output a;",
            "start; nextstate s; state s; input a; decision sender = self; (true): nextstate wrong; (false): nextstate e; enddecision; endstate;",
            "holds",
        ),
        (
            "task x := if x = 1 then 4 else 2 fi, x := (x - 5) mod 4, x := x; decision x; (3): enddecision;",
            "start; nextstate e;",
            "holds",
        ),
        (
            "decision x / (x - 1) > 0; (true): else: enddecision;",
            "start; nextstate e;",
            "error",
        ),
        (
            "decision false and x / (x - 1) > 0; (true): else: enddecision;",
            "start; nextstate e;",
            "error",
        ),
        (
            "output a; output a;",
            "start; nextstate s; state s; input a; stop; endstate;",
            "holds",
        ),
    ] {
        let text = pair(sent, &format!("{receiver} {end}"));
        assert_eq!(agree(&text, &[]), Ok(Some(expected)), "{text}");
    }
}

#[test]
fn channels_that_delay_and_addresses() {
    let text = |delay: &str| {
        format!(
            "system s; signal a, b, n(Boolean); signallist all_of_them = a, b, n;
             channel c {delay} from left to right with (all_of_them); endchannel c;
             channel d nodelay from left to right with a; from right to left with b; endchannel d;
             block left; signalroute r from p to env with a, b, n; signalroute r2 from p to env with a; from env to p with b; connect c and r; connect d and r2;
               process p; start; output n(true) via r; output a via r2; nextstate s; state s; input b; nextstate e; endstate; state e comment 'end'; endstate; endprocess; endblock left;
             block right; signalroute r from env to q with a, b, n; signalroute r2 from env to q with a; from q to env with b; connect c and r; connect d and r2;
               process q(1, 1); dcl v Boolean; start; nextstate s; state s; input n(v); nextstate t; input a; nextstate u; endstate;
               state t; input a; output b to sender; nextstate fine; endstate; state u; endstate; state fine comment 'end'; endstate; endprocess; endblock right;
             endsystem s;"
        )
    };
    assert_eq!(agree(&text(""), &[]), Ok(Some("deadlock")));
    assert_eq!(agree(&text("nodelay"), &[]), Ok(Some("holds")));
}

#[test]
fn what_machines_cannot_do_is_refused_by_name() {
    let state = |inside: &str| format!("start; nextstate s; state s; {inside} endstate;");
    for (receiver, what) in [
        (state("save a;"), "`save`"),
        (
            state("input a; provided y = 1; nextstate s;"),
            "the condition of an input",
        ),
        (state("priority input a; nextstate s;"), "`priority input`"),
        (
            format!("timer t; {}", state("input t, a; nextstate s;")),
            "a timer",
        ),
        (
            state("input a; nextstate s; provided y mod 2 = 1; nextstate s;"),
            "computed in steps",
        ),
    ] {
        let told = agree(&pair("output a;", &receiver), &[]).unwrap_err();
        assert!(told.contains(what) && told.contains(".efsm"), "{told}");
    }
    let large = pair(
        "output a;",
        "dcl z Integer := 1; start; task z := z * z; nextstate s; state s; input a; nextstate s; endstate;",
    );
    assert!(agree(&large, &[]).unwrap_err().contains("32 bits"));
}

/// A system of what machines with ports can do: two processes with a few states, that send each other signals, count and decide.
fn simple_system(random: &mut random::Random) -> String {
    let mut text = "system s; signal a, b, n(small); syntype small = Integer constants 0:3 endsyntype; block k; ".to_string();
    let action = |random: &mut random::Random, depth: usize| -> String {
        fn one(random: &mut random::Random, depth: usize) -> String {
            let values = [
                "x",
                "0",
                "3 - x",
                "(x + 1) mod 4",
                "x + 1",
                "if x > 1 then 1 else x fi",
            ];
            match random.below(7) {
                0 => "output a;".into(),
                1 => "output b;".into(),
                2 => format!("output n({});", values[random.below(values.len())]),
                3 => "output a to sender;".into(),
                4 if depth > 0 => format!(
                    "decision {}; (0): {} (1:2): {} else: {} enddecision;",
                    ["x", "(x + 2) mod 3"][random.below(2)],
                    one(random, depth - 1),
                    one(random, depth - 1),
                    one(random, depth - 1)
                ),
                5 if depth > 0 => format!(
                    "decision any; ( ): {} ( ): {} enddecision;",
                    one(random, depth - 1),
                    one(random, depth - 1)
                ),
                _ => format!("task x := {};", values[random.below(values.len())]),
            }
        }
        one(random, depth)
    };
    for process in ["p", "q"] {
        text += &format!(
            "process {process}; dcl x small; start; {} nextstate s0; ",
            action(random, 1)
        );
        for state in 0..3 {
            let end = ["", "comment 'end'"][random.below(2)];
            text += &format!("state s{state} {end}; ");
            // Everybody knows every signal, so that it can get there.
            for signal in ["a", "b", "n(x)"] {
                if state > 0 && random.below(3) == 0 {
                    continue;
                }
                let last = match random.below(12) {
                    0 => "stop;".to_string(),
                    1 => "nextstate -;".into(),
                    next => format!("nextstate s{};", next % 3),
                };
                let actions: String = (0..random.below(3)).map(|_| action(random, 1)).collect();
                text += &format!("input {signal}; {actions} {last} ");
            }
            match random.below(6) {
                0 => text += "provided x = 1; task x := 2; nextstate -; ",
                1 => text += "input none; nextstate s0; ",
                _ => {}
            }
            text += "endstate; ";
        }
        text += "endprocess; ";
    }
    text + "endblock; endsystem;"
}

/// `SDL` says how many, `SDL_SEED` where to begin.
#[test]
fn random_systems_and_their_machines_agree() {
    let number = |name: &str, default: u64| {
        let value = std::env::var(name).ok();
        value.and_then(|text| text.parse().ok()).unwrap_or(default)
    };
    let first = number("SDL_SEED", 1);
    let mut tally: BTreeMap<&str, u32> = BTreeMap::new();
    for seed in first..first + number("SDL", 60) {
        let text = simple_system(&mut random::Random::new(seed));
        let unexpected =
            [vec![], vec!["UNEXPECTED=report".to_string()]][(seed % 2) as usize].clone();
        let defines = [vec!["QUEUE=2".to_string()], unexpected].concat();
        let verdict = agree(&text, &defines).expect("nothing that machines cannot do");
        // SPIN's notation is asked as well.
        support::agree(&text, &defines);
        *tally.entry(verdict.unwrap_or("too large")).or_default() += 1;
    }
    eprintln!("{tally:?}");
    assert!(tally.len() >= 3, "{tally:?}");
}
