//! Systems in several files, and the dialect of OpenGEODE: data types in ASN.1, a process in a file of its own.

#[allow(dead_code)]
mod support;

use support::{computes, judged, judged_with, with};

const TYPES: &str = "Datamodel DEFINITIONS ::= BEGIN
    -- Boilerplate that nobody uses is not refused.
    T-Double ::= REAL (-1E10 .. 1E10)
    T-UInt32 ::= INTEGER (0 .. 4294967295)
    limit INTEGER ::= 2
    My-Int ::= INTEGER (0 .. limit)
    Light ::= ENUMERATED { off, on-hold(3), on }
    T-Boolean ::= BOOLEAN
    Row ::= SEQUENCE (SIZE(2)) OF My-Int
    Frame ::= SEQUENCE { number My-Int, flag T-Boolean, body Row }
END";

const STRUCTURE: &str = "-- A comment of the tool
    /* CIF Keep Specific Geode ASNFilename 'types.asn' */
    use Datamodel;
    system Lamp;
       /* CIF Keep Specific Geode PARAMNAMES p */
       signal press (T_Boolean);
       signal shine (Light);
       ;
       procedure measure; fpar in/out value My_Int; external;
       channel c
          from env to Lamp with press;
          from Lamp to env with shine;
       endchannel;
       block Lamp;
          signalroute r
             from env to Lamp with press;
             from Lamp to env with shine;
          connect c and r;
          process Lamp referenced;
       endblock;
    endsystem;";

fn process(answer: &str) -> String {
    format!(
        "/* CIF PROCESS (1, 2), (3, 4) */
    process Lamp;
    /* CIF TEXT (1, 2), (3, 4) */
    -- Variables
    dcl hold T_Boolean := false;
    dcl f Frame := {{ number 1, flag true, body {{ 1, 2 }} }};
    dcl v My_Int;
    timer later;
    /* CIF ENDTEXT */
    START;
        NEXTSTATE Off_State;
    STATE Off_State;
        INPUT press(hold);
            CALL writeln('pressed');
            TASK f.body(0) := f.number + 1, f.flag := hold;
            DECISION f.body(0) = 2 and f.body(1) = 2;
                (TRUE): CALL set_timer(1000, later); CALL measure(v); OUTPUT shine(on);
                (FALSE): {answer}
            ENDDECISION;
            NEXTSTATE On_State;
    ENDSTATE;
    STATE On_State;
        INPUT later;
            DECISION v; (limit): {answer} ELSE: ENDDECISION;
            OUTPUT shine(off);
            NEXTSTATE Off_State;
        INPUT press(hold);
            CALL reset_timer(later);
            NEXTSTATE -;
    ENDSTATE;
    STATE wrong;
    ENDSTATE;
    ENDPROCESS Lamp;"
    )
}

fn check(main: &str, process: &str) -> Result<&'static str, String> {
    let files = [
        ("m/types.asn", TYPES),
        ("m/system_structure.pr", STRUCTURE),
        ("m/lamp.pr", process),
    ];
    let loader = with(&files);
    let defines = ["ENVIRONMENT=1".to_string()];
    let source = files.iter().find(|(name, _)| *name == main).unwrap().1;
    judged_with(&loader, main, source, &defines)
}

#[test]
fn a_process_of_opengeode_is_read_with_its_system_and_its_types() {
    for main in ["m/system_structure.pr", "m/lamp.pr"] {
        let told = check(main, &process("CALL writeln('never');"));
        assert_eq!(told.as_deref(), Ok("holds"));
        // What is measured may be anything; a frame of three does not fit.
        let told = check(main, &process("TASK f.number := 3;"));
        assert_eq!(told.as_deref(), Ok("error"));
    }
}

#[test]
fn what_the_dialect_has_and_is_not_taken_is_refused_by_name() {
    for (from, to, what) in [
        ("dcl v My_Int;", "dcl v My_Int, u T_Double;", "REAL"),
        (
            "CALL writeln('pressed');",
            "TASK v := sqrt(v);",
            "`sqrt` is an operator of Real",
        ),
        ("CALL writeln('pressed');", "CALL nobody(1);", "`nobody`"),
    ] {
        let text = process("CALL writeln('never');").replace(from, to);
        let told = check("m/system_structure.pr", &text).unwrap_err();
        assert!(
            told.contains(what) && told.contains("m/lamp.pr"),
            "{what}: {told}"
        );
    }
    let text = process("")
        .replace("process Lamp;", "process Other;")
        .replace("ENDPROCESS Lamp", "ENDPROCESS Other");
    let told = check("m/system_structure.pr", &text).unwrap_err();
    assert!(told.contains("is referenced"), "{told}");
}

#[test]
fn a_choice_is_one_of_several() {
    let types = "N ::= INTEGER (0..9) Empty ::= SEQUENCE { } Kind ::= ENUMERATED { number, other }
        Pair ::= SEQUENCE { x N, y BOOLEAN }
        Which ::= CHOICE { number N, pair Pair, nothing Empty }
        Several ::= SEQUENCE (SIZE(2)) OF Which";
    let variables = "dcl w, v Which, k Kind, n N, s Which_selection := pair, r Several, e Empty;";
    let so = |work: &str, condition: &str| {
        let end = format!(
            "{work} decision {condition}; (true): nextstate fine; (false): nextstate wrong; enddecision;"
        );
        computes(types, variables, &end).unwrap_or_else(|told| panic!("{told}"))
    };
    for (work, condition) in [
        (
            "task w := number: 5;",
            "present(w) = number and w.number = 5",
        ),
        (
            "task w := pair: { x 3, y true };",
            "w.pair.x = 3 and w!pair!y and present(w) /= number",
        ),
        (
            "task w := pair: { 3, true }, w := number: 2, v := number: 2;",
            "w = v",
        ),
        (
            "task w := pair: { 3, true }; task v := nothing: { };",
            "w /= v and present(v) = nothing",
        ),
        (
            "task r := { number: 4, pair: { 1, false } };",
            "present(r(1)) = pair and r(0).number = 4",
        ),
        ("task s := present(w);", "s = number and k = number"),
        (
            "task w := pair: { 1, true }; decision present(w); (number): task n := 1; (pair): task n := 2; (nothing): enddecision;",
            "n = 2",
        ),
        (
            "task for one in r: decision present(one); (number): n := n + 1; else: enddecision; endfor;",
            "n = 2",
        ),
    ] {
        assert_eq!(so(work, condition), "holds", "{work} {condition}");
        assert_eq!(
            so(work, &format!("not ({condition})")),
            "deadlock",
            "{work} {condition}"
        );
    }
    for (work, what) in [
        ("task w := missing: 5;", "no alternative `missing`"),
        ("task n := number: 5;", "not one of several"),
        ("task n := present(n);", "CHOICE"),
        ("task w := number: true;", "Integer is needed"),
    ] {
        let told = computes(types, variables, &format!("{work} nextstate fine;")).unwrap_err();
        assert!(told.contains(what), "{work}: {told}");
    }
}

#[test]
fn octets_are_written_by_their_digits_too() {
    let types = "Octets ::= OCTET STRING (SIZE (0..4))";
    let variables = "dcl o Octets := '0aFF4'H;";
    let so = |condition: &str| {
        let start = format!(
            "decision {condition}; (true): nextstate fine; (false): nextstate wrong; enddecision;"
        );
        computes(types, variables, &start)
    };
    let condition = "length(o) = 3 and o(0) = 10 and o(1) = 255 and o(2) = 64 and o /= \"abc\" and o = '0AFF40'H";
    assert_eq!(so(condition), Ok("holds"));
    assert!(so("o = '0G'H").is_err());
    assert!(so("o = '01'B").is_err());
}

#[test]
fn processes_of_several_folders_make_one_system() {
    let process = |name: &str, own: &str, other: &str| {
        format!(
            "/* CIF PROCESS (1, 2), (3, 4) */ process {name}; dcl v Small; start; output {own}(1); nextstate w; state w; input {other}(v); nextstate fine; endstate; state fine comment 'end'; endstate; endprocess {name};"
        )
    };
    let main = "/* CIF Keep Specific Geode ASNFilename 'ping/types.asn' */ use Dv; system both; signal a(Small), b(Small);
        channel c nodelay from one to two with a; from two to one with b; endchannel;
        block one; process ping referenced; endblock; block two; process Pong referenced; endblock; endsystem;";
    let loader = with(&[
        (
            "m/ping/types.asn",
            "Dv DEFINITIONS ::= BEGIN Small ::= INTEGER (0..3) END",
        ),
        ("m/ping/ping.pr", &process("ping", "a", "b")),
        ("m/pong/SDL/src/pong.pr", &process("Pong", "b", "a")),
    ]);
    assert_eq!(judged(&loader, "m/both.sdl", main), Ok("holds"));
}

#[test]
fn a_procedure_may_stand_beside_its_process() {
    let main = "system s; block b; process p; dcl n Integer := 1; procedure twice referenced; start; call twice(n); decision n; (2): nextstate fine; else: nextstate wrong; enddecision;
        state fine comment 'end'; endstate; state wrong; endstate; endprocess; endblock; endsystem;";
    let twice = "procedure <<process p>> twice; fpar in/out x Integer; start; task x := x * 2; return; endprocedure;";
    let loader = with(&[("twice.pr", twice)]);
    assert_eq!(judged(&loader, "s.sdl", main), Ok("holds"));
}

/// The texts of a drawing stand in any order, and a word of Z.100 may be a name.
#[test]
fn what_models_of_opengeode_write_is_read() {
    let process = |name: &str, inside: &str| {
        format!(
            "system {name}; block {name}; process {name}; {inside} endprocess {name}; endblock; endsystem {name};"
        )
    };
    let end = "state e comment 'end'; endstate; state wrong; endstate;";
    let variables_first = format!(
        "dcl x Integer := 1, y Integer; procedure f; dcl z Integer := 2; fpar in a Integer; returns Integer; start; return a + z; endprocedure; start; task y := f(x); decision y; (3): nextstate e; else: nextstate wrong; enddecision; {end}"
    );
    let computed = format!(
        "dcl a Boolean := 3 in {{1, 2, 3}}, b Boolean := 0 in {{1, 2}} or else 1 > 2; start; decision a and not b; (true): nextstate e; (false): nextstate wrong; enddecision; {end}"
    );
    let external = format!(
        "procedure f; fpar in a Boolean; returns Boolean external; dcl a Boolean; start; task a := f(a); nextstate e; {end}"
    );
    let named = format!("start; nextstate e; {end}");
    let words = format!(
        "timer reset; dcl error Integer := 1; start;; set(now + 1, reset); task 'text';; \"more\" error := error + 1 nextstate service; state service;; input reset; decision error; (2): nextstate e; else: nextstate wrong; enddecision; endstate; {end}"
    );
    for (name, inside) in [
        ("p", variables_first),
        ("p", computed),
        ("p", external),
        ("operators", named),
        ("p", words),
    ] {
        let text = process(name, &inside);
        assert_eq!(judged(&with(&[]), "s.pr", &text), Ok("holds"), "{text}");
    }
    let told = judged(
        &with(&[]),
        "s.pr",
        &process(
            "p",
            "dcl x Integer := 1, b Boolean := x in {1, 2}; start; stop;",
        ),
    );
    assert!(told.is_err());
}

/// `'1F'H` is a number where one is wanted.
#[test]
fn numbers_may_be_written_with_hexadecimal_digits() {
    let types =
        "Octet ::= INTEGER (0..255) Large ::= INTEGER (0..65535) Octets ::= OCTET STRING (SIZE(2))";
    let variables =
        "dcl o Octet := '1F'H, l Large, s Octets := '0102'H; synonym top Octet = 'FF'H;";
    for (start, verdict) in [
        (
            "task l := 'FFFF'H; decision o = '1F'H and l = 65535 and '0A'H < o and s = '0102'H; (true): nextstate fine; (false): nextstate wrong; enddecision;",
            "holds",
        ),
        (
            "task o := top - '0E'H; decision o; (top): nextstate wrong; ('F1'H): nextstate fine; enddecision;",
            "holds",
        ),
        (
            "decision '100'H = 256 and '5'H = 5; (true): nextstate fine; (false): nextstate wrong; enddecision;",
            "holds",
        ),
        ("task o := '0100'H; nextstate fine;", "error"),
    ] {
        assert_eq!(computes(types, variables, start), Ok(verdict), "{start}");
    }
    let told = computes(types, variables, "task l := '0102030405'H; nextstate fine;");
    assert!(told.is_err());
}

#[test]
fn not_of_a_sequence_is_that_of_its_elements() {
    let types =
        "Flags ::= SEQUENCE (SIZE(3)) OF BOOLEAN Numbers ::= SEQUENCE (SIZE(2)) OF INTEGER (0..3)";
    let variables = "dcl f Flags := { true, false, true }, g Flags, n Numbers;";
    let start = "task g := not f; task f := f or not { true, true, false }; decision g = { false, true, false } and f = { true, false, true }; (true): nextstate fine; (false): nextstate wrong; enddecision;";
    assert_eq!(computes(types, variables, start), Ok("holds"));
    assert!(computes(types, variables, "task n := not n; nextstate fine;").is_err());
}

#[test]
fn a_synonym_may_be_null() {
    let types = "Nothing ::= NULL Either ::= CHOICE { no Nothing, yes BOOLEAN }";
    let variables = "synonym none_ Nothing = null; dcl n Nothing := none_, e Either := no : none_;";
    let start = "decision present(e); (no): nextstate fine; else: nextstate wrong; enddecision;";
    assert_eq!(computes(types, variables, start), Ok("holds"));
}
