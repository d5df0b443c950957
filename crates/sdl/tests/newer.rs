//! Constructs that are put in their places before anything else: states inside states, loops, blocks inside blocks, variables of others,
//! operators of types. One each, with its verdict; and the export says the same.

#[allow(dead_code)]
mod support;

use support::{agree, coarse, judge, program};

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

fn system(definitions: &str, processes: &str) -> String {
    format!("system s; {definitions} block b; {processes} endblock b; endsystem s;")
}

/// A process that computes something and must end in the state `fine`.
fn computes(definitions: &str, variables: &str, start: &str) -> String {
    system(
        definitions,
        &format!(
            "process p; {variables} start; {start} state fine comment 'end'; endstate; state wrong; endstate; endprocess;"
        ),
    )
}

/// A decision that only the truth survives.
fn so(condition: &str) -> String {
    format!("decision {condition}; (true): nextstate fine; (false): nextstate wrong; enddecision;")
}

#[test]
fn loops_go_over_ranges_and_elements() {
    let small = "syntype small = Natural constants 0:20 endsyntype; syntype index = Natural constants 0:2 endsyntype; newtype row array(index, small) endnewtype;";
    let variables = "dcl sum small := 0, r row := (. 1, 2, 3 .), n small := 4;";
    for (work, sum) in [
        ("task for i in range(4): task sum := sum + i; endfor;", 6),
        ("task for i in range(2, 5): sum := sum + i endfor;", 9),
        ("task for i in range(1, 8, 3): sum := sum + i; endfor;", 12),
        ("task for i in range(n): sum := sum + 1, n := 0; endfor;", 4),
        ("task for i in range(3, 3): sum := 9; endfor;", 0),
        ("for e in r: sum := sum + e endfor;", 6),
        (
            "task for e in r: task for i in range(e): sum := sum + 1 endfor; endfor;",
            6,
        ),
        (
            "task for i in range(5): decision i; (0:2): task sum := sum + 1; else: enddecision; endfor;",
            3,
        ),
        (
            "task for i in range(9): decision i; (3): join done; else: task sum := sum + 1; enddecision; endfor; done: task sum := sum;",
            3,
        ),
    ] {
        let end = so(&format!("sum = {sum}"));
        check("", &computes(small, variables, &format!("{work} {end}")));
        let end = so(&format!("sum = {}", sum + 1));
        check(
            "deadlock",
            &computes(small, variables, &format!("{work} {end}")),
        );
    }
    // An error inside a loop is one.
    check(
        "error",
        &computes(
            small,
            variables,
            &format!("task for i in range(4): r(i) := 0 endfor; {}", so("true")),
        ),
    );
}

#[test]
fn a_loop_may_send_and_wait() {
    let text = system(
        "signal a, b;",
        "process p; dcl n Integer := 0;
           procedure one; start; output a; nextstate w; state w; input b; return; endstate; endprocedure;
           start; nextstate s; state s; input none; provided n = 0; task for i in range(2): call one; task n := n + 1; endfor;
             decision n; (2): nextstate -; else: nextstate wrong; enddecision; endstate;
           state wrong; endstate; state s comment 'end'; endstate; endprocess;
         process q; start; nextstate s; state s comment 'end'; input a; output b; nextstate -; endstate; endprocess;",
    );
    check("", &text);
}

/// A process with states inside states, and one that sends it signals.
fn nested(outer: &str, inner: &str, sent: &str) -> String {
    system(
        "signal a, b, c;",
        &format!(
            "process p; dcl n Integer := 0;
               state busy; substructure in (side); out (done);
                 dcl n Integer := 7;
                 procedure entry; start; task trace := trace * 10 + 1; return; endprocedure;
                 procedure exit; start; task trace := trace * 10 + 2; return; endprocedure;
                 start; nextstate one; start side; nextstate two;
                 {inner}
               endsubstructure;
               dcl trace Integer := 0;
               start; nextstate idle;
               state idle; input a; nextstate busy; input b; nextstate busy via side; endstate;
               {outer}
               state fine comment 'end'; endstate; state wrong; endstate; endprocess;
             process q; start; {sent} nextstate e; state e comment 'end'; endstate; endprocess;"
        ),
    )
}

#[test]
fn states_have_states() {
    let inner = "state one; input b; task n := n + 1; return; input a; return done; endstate; state two; input c; nextstate one; endstate;";
    let outer = |plain: &str, done: &str, c: &str| {
        format!("state busy; connect; {plain} connect done; {done} input c; {c} endstate;")
    };
    // In by the start, out by the plain return: entry, exit.
    let fine = so("trace = 12 and n = 0");
    let text = nested(
        &outer(&fine, "nextstate wrong;", "nextstate wrong;"),
        inner,
        "output a; output b;",
    );
    check("", &text);
    let text = nested(
        &outer("nextstate wrong;", &fine, "nextstate wrong;"),
        inner,
        "output a; output a;",
    );
    check("", &text);
    // What is said about the outer state is done in the inner one, unless that says something itself.
    let text = nested(
        &outer("nextstate wrong;", "nextstate wrong;", &fine),
        inner,
        "output a; output c;",
    );
    check("", &text);
    let fine = so("trace = 12");
    let text = nested(
        &outer(&fine, "nextstate wrong;", "nextstate wrong;"),
        inner,
        "output b; output c; output b;",
    );
    check("", &text);
    // Back to the outer state is in again; back to where it was is not.
    let again = "decision n; (0): task n := 1; nextstate -; else: nextstate fine; enddecision;";
    let text = nested(
        &outer(&so("trace = 1212"), "nextstate wrong;", again),
        inner,
        "output a; output c; output b;",
    );
    check("", &text);
    let there = again.replace("nextstate -", "nextstate -*");
    let text = nested(
        &outer(&so("trace = 122"), "nextstate wrong;", &there),
        inner,
        "output a; output c; output b;",
    );
    check("", &text);
    // Nothing is said about a signal: passed over inside too.
    let text = nested(
        &outer(&fine, "nextstate wrong;", "nextstate wrong;"),
        "state one; input b; return; endstate; state two; endstate;",
        "output a; output a; output b;",
    );
    check("", &text);
    check_with("unexpected-input", &text, &["UNEXPECTED=report"]);
}

#[test]
fn states_are_nested_twice() {
    let text = system(
        "signal a, b, c, d;",
        "process p; dcl trace Integer := 0;
           state outer; substructure
             procedure exit; start; task trace := trace * 10 + 1; return; endprocedure;
             state inner; substructure
               procedure exit; start; task trace := trace * 10 + 2; return; endprocedure;
               start; nextstate deep; state deep; input a; return; save b; endstate;
             endsubstructure;
             start; nextstate inner;
             state inner; connect; nextstate after; input c; nextstate after; endstate;
             state after; input b; return; endstate;
           endsubstructure;
           start; nextstate outer;
           state outer; connect; decision trace; (21): nextstate fine; else: nextstate wrong; enddecision; input d; decision trace; (21): nextstate fine; else: nextstate wrong; enddecision; endstate;
           state fine comment 'end'; endstate; state wrong; endstate; endprocess;
         process q; start; output b; output a; nextstate e; state e comment 'end'; endstate; endprocess;",
    );
    check("", &text);
    check(
        "",
        &text.replace("output b; output a;", "output b; output c;"),
    );
    check("", &text.replace("output b; output a;", "output d;"));
    check(
        "deadlock",
        &text.replace("output b; output a;", "output b;"),
    );
}

/// Two blocks, the first of which is made of two.
fn substructure(delay: &str, sent: &str) -> String {
    format!(
        "system s; signal a, b, c;
         channel away {delay} from left to right with a, b; from right to left with c; endchannel;
         block left; substructure left;
           channel up {delay} from one to env with a; from env to one with c; endchannel;
           channel up2 nodelay from two to env with b; endchannel;
           channel across {delay} from one to two with a; endchannel;
           connect away and up, up2;
           block one; process p; start; {sent} nextstate w; state w; input c; nextstate fine; endstate; state fine comment 'end'; endstate; endprocess; endblock;
           block two; process q; start; nextstate s; state s comment 'end'; input a; output b; nextstate s; endstate; endprocess; endblock;
         endsubstructure left; endblock left;
         block right; process r; start; nextstate s; state s; input a; nextstate s; input b; output c; nextstate e; endstate; state e comment 'end'; input a; nextstate e; input b; nextstate e; endstate; endprocess; endblock;
         endsystem;"
    )
}

#[test]
fn blocks_are_made_of_blocks() {
    for delay in ["", "nodelay"] {
        check("", &substructure(delay, "output a via across;"));
        check("deadlock", &substructure(delay, "output a via up;"));
        check(
            "",
            &substructure(delay, "output a via up; output a via across;"),
        );
        // By itself it takes either way.
        check("deadlock", &substructure(delay, "output a;"));
        // More than the channels hold.
        check_with(
            "deadlock overflow",
            &substructure(delay, "output a via up; output a via up;"),
            &["QUEUE=1"],
        );
    }
}

#[test]
fn processes_of_two_blocks_have_the_same_name() {
    let block = |name: &str, own: &str, other: &str| {
        format!(
            "block {name}; process p; start; output {own}; nextstate s; state s; input {other}; nextstate e; endstate; state e comment 'end'; endstate; endprocess; endblock;"
        )
    };
    let text = format!(
        "system s; signal a, b; channel x nodelay from l to r with a; from r to l with b; endchannel; {} {} endsystem;",
        block("l", "a", "b"),
        block("r", "b", "a")
    );
    check("", &text);
}

#[test]
fn variables_are_revealed_and_viewed() {
    let text = |seen: &str, count: &str| {
        system(
            "signal go(PId);",
            &format!(
                "process p{count}; dcl revealed x Integer := 1; start; output go(self); task x := 2; nextstate e; state e comment 'end'; endstate; endprocess;
                 process q; viewed x Integer; dcl who PId; start; nextstate s; state s; input go(who); decision {seen}; (2): nextstate fine; else: nextstate wrong; enddecision; endstate;
                 state fine comment 'end'; input go; nextstate -; endstate; state wrong; endstate; endprocess;"
            ),
        )
    };
    // What comes behind the output may not have happened yet.
    check("deadlock", &text("view(x, who)", ""));
    check("deadlock", &text("view(x)", ""));
    check(
        "",
        &text(
            "view(x, who) + (if view(x, who) = 1 then 1 else 0 fi)",
            "(2, 2)",
        ),
    );
    check("deadlock error", &text("view(x, null)", ""));
    check("deadlock error", &text("view(x, self)", ""));
    // A condition is asked again when what it sees has changed.
    let waits = text("2", "")
        .replace(
            "decision 2; (2): nextstate fine; else: nextstate wrong; enddecision;",
            "nextstate t;",
        )
        .replace(
            "state fine",
            "state t; provided view(x, who) = 2; nextstate fine; endstate; state fine",
        );
    check("", &waits);
}

#[test]
fn variables_are_exported_and_imported() {
    let text = |work: &str, value: &str| {
        system(
            "signal go; remote x Integer;",
            &format!(
                "process p; dcl exported y as x Integer := 1; start; {work} nextstate e; state e comment 'end'; endstate; endprocess;
                 process q; imported x Integer; dcl n Integer; start; nextstate s; state s; input go; task n := import(x, sender) * 10; task n := n + import(x);
                 decision n; ({value}): nextstate fine; else: nextstate wrong; enddecision; endstate;
                 state fine comment 'end'; endstate; state wrong; endstate; endprocess;"
            ),
        )
    };
    // What is not exported is not seen.
    check("", &text("task y := 2; output go;", "11"));
    check("", &text("task y := 2; export(y); output go;", "22"));
    check(
        "deadlock",
        &text("task y := 2; output go; export(y);", "11"),
    );
    // One who waits for an answer gives none.
    let both = |name: &str| {
        format!(
            "process {name}; dcl exported v as x{name} Integer; imported xp, xq Integer; dcl n Integer; start; task n := import({}); nextstate e; state e comment 'end'; endstate; endprocess;",
            if name == "p" { "xq" } else { "xp" }
        )
    };
    check(
        "deadlock",
        &system(
            "remote xp, xq Integer;",
            &format!("{} {}", both("p"), both("q")),
        ),
    );
}

#[test]
fn types_have_operators() {
    let types = "newtype point struct x, y Integer; operators sum: point -> Integer; twice: Integer -> Integer;
        operator sum; fpar p point; returns Integer; start; return p!x + p!y; endoperator sum;
        operator twice; fpar n Integer; returns r Integer; start; task r := n; task r := r * 2; return; endoperator; endnewtype;
        newtype colour literals red, green, blue operators ordering; endnewtype;";
    let variables = "dcl p point := (. 3, 4 .), n Integer := -5, c colour := green;";
    for condition in [
        "sum(p) = 7",
        "twice(sum(p)) = 14",
        "abs(n) = 5",
        "num(c) = 1",
        "c > red and c < blue",
        "n in { 1, -5 }",
        "not (n in { 1, 5 })",
        "n = 1 or else n < 0",
        "n < 0 and then c = green",
        "n > 0 => c = red",
    ] {
        check("", &computes(types, variables, &so(condition)));
    }
    // What is not needed is not computed.
    let zero = "dcl z Integer := 0;";
    check("", &computes(types, zero, &so("z = 0 or else 1 / z = 0")));
    check("error", &computes(types, zero, &so("z = 0 or 1 / z = 0")));
}

#[test]
fn literals_of_several_types_may_have_the_same_name() {
    let types = "newtype one literals a, b, c endnewtype; newtype two literals x, c, a endnewtype;";
    let variables = "dcl o one := c, t two := c;";
    for condition in [
        "num(o) = 2 and num(t) = 1",
        "o = c and t = c",
        "t > x and c = t",
        "t in { a, c }",
    ] {
        check("", &computes(types, variables, &so(condition)));
    }
    check(
        "",
        &computes(
            types,
            variables,
            &format!(
                "task t := a; decision t; (c): nextstate wrong; (a): {} else: nextstate wrong; enddecision;",
                so("num(t) = 2")
            ),
        ),
    );
}

#[test]
fn everybody_gets_a_signal() {
    let text = system(
        "signal a;",
        "process p; start; output a to all; nextstate e; state e comment 'end'; endstate; endprocess;
         process q(2, 2); start; nextstate s; state s; input a; nextstate e; endstate; state e comment 'end'; endstate; endprocess;
         process r; start; nextstate s; state s; input a; stop; endstate; endprocess;",
    );
    check("", &text);
    check("deadlock", &text.replace(" to all", ""));
}

#[test]
fn options_of_transitions_are_decided() {
    check(
        "",
        &computes(
            "synonym size Integer = 3;",
            "",
            "alternative size; (1:2): nextstate wrong; (3): nextstate fine; else: nextstate wrong; endalternative;",
        ),
    );
}

#[test]
fn the_way_back_is_known_behind_a_procedure_with_states_and_a_label() {
    let text = system(
        "signal a, b, c;",
        "process p; dcl n Integer := 0;
           procedure wait; start; nextstate w; state w; input b; return; save *; endstate; endprocedure;
           start; nextstate one;
           state one, two; input a; again: task n := n + 1; decision n mod 2; (1): join again; else: enddecision; call wait; nextstate -; endstate;
           state one; input c; nextstate two; endstate; state two; input c; decision n; (4): nextstate fine; else: nextstate wrong; enddecision; endstate;
           state fine comment 'end'; endstate; state wrong; endstate; endprocess;
         process q; start; output a; output b; output c; output a; output b; output c; nextstate e; state e comment 'end'; endstate; endprocess;",
    );
    check_with("", &text, &["QUEUE=8"]);
}

#[test]
fn arrays_of_structures_are_made_element_by_element() {
    let types = "syntype i = Natural constants 1:2 endsyntype; newtype pair struct x, y Integer; endnewtype; newtype row array(i, pair) endnewtype; newtype rows array(i, row) endnewtype;";
    let variables = "dcl r row := (. (. 1, 2 .), (. 3, 4 .) .), t rows, p pair;";
    for condition in [
        "r(1)!x = 1 and r(1)!y = 2 and r(2)!x = 3 and r(2)!y = 4",
        "r = (. (. 1, 2 .), (. 3, 4 .) .)",
    ] {
        check("", &computes(types, variables, &so(condition)));
    }
    let work = format!(
        "task t := (. r .), t(2)(1)!y := 9, p := t(1)(2); {}",
        so("p!x = 3 and p!y = 4 and t(2)(1)!x = 1 and t(2)(1)!y = 9 and t(2)(2) = p and t(1) = r")
    );
    check("", &computes(types, variables, &work));
}

/// Z.100 clause 2.8: a timer is active until its signal is taken, also while that waits in the queue or is saved.
#[test]
fn a_timer_is_active_until_its_signal_is_taken() {
    let text = system(
        "signal g;",
        "process p; timer t; start; output g to self; set(now + 1, t); nextstate s;
           state s; input g; provided not active(t); output g to self; set(now + 1, t); nextstate s; input t; ACTIONS nextstate s; endstate; endprocess;",
    );
    // Whenever it is looked at, the timer is active, and one more comes each time.
    let again = "output g to self; set(now + 1, t);";
    check_with("overflow", &text.replace("ACTIONS", again), &["QUEUE=2"]);
    check_with("", &text.replace("ACTIONS", ""), &["QUEUE=2"]);
    let numbered = "process p; dcl n small; timer t(small); start; set(now, t(1)); set(now, t(2)); nextstate s;
        state s; save t; provided true; task n := 1; decision active(t(n)) and active(t(2)) and not active(t(3)); (true): nextstate w; (false): nextstate wrong; enddecision; endstate;
        state w; input t(n); decision active(t(n)); (true): nextstate wrong; (false): decision active(t(3 - n)); (true): nextstate w; (false): nextstate e; enddecision; enddecision; endstate;
        state e comment 'end'; endstate; state wrong; endstate; endprocess;";
    check(
        "",
        &system(
            "syntype small = Natural constants 1:3 endsyntype;",
            numbered,
        ),
    );
}

/// Signals of a block are its own, also where another block, or the system, has one of the same name.
#[test]
fn signals_of_two_blocks_have_the_same_name() {
    let block = |name: &str, parameter: &str, taken: &str| {
        format!(
            "block {name}; signal a{parameter}, own; signallist l = a, own; signalroute r from p to q with (l);
             process p; start; output a{value}; output own; stop; endprocess;
             process q; dcl x Integer; start; nextstate s; state s; save own; input a{taken}; nextstate t; endstate;
             state t; input own; nextstate e; endstate; state e comment 'end'; endstate; endprocess; endblock;",
            value = if parameter.is_empty() { "" } else { "(3)" },
        )
    };
    let text = |second: &str| {
        let first = block("one", "", "");
        format!("system s; signal a(Boolean); {first} {second} endsystem;")
    };
    let second = block("two", "(Integer)", "(x)");
    check("", &text(&second));
    check("deadlock", &text(&second.replace("output own;", "")));
    // The same name twice in one block is a mistake.
    let twice = text(&second.replace("signal a(Integer)", "signal a(Integer), a"));
    let told = mazurka_sdl::compile(&mut Default::default(), "m.sdl", twice.as_bytes(), &[]);
    assert!(told.is_err());
}
