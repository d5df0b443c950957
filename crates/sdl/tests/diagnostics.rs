//! Mistakes, and what is not taken: each with its code and its line.

use mazurka_sdl::compile;
use mazurka_span::SourceMap;

fn told(text: &str) -> Vec<String> {
    let mut map = SourceMap::new();
    let Err(diagnostics) = compile(&mut map, "model.sdl", text.as_bytes(), &[]) else {
        return Vec::new();
    };
    let errors = diagnostics
        .iter()
        .filter(|diagnostic| diagnostic.is_error());
    let told = errors.map(|diagnostic| {
        let line = map
            .location(diagnostic.primary.span)
            .map_or(0, |at| at.line);
        format!("{} {line}", diagnostic.code)
    });
    told.collect()
}

fn process(body: &str) -> String {
    format!(
        "system s; signal a, n(Integer); block b;\nprocess p; dcl x Integer; timer t; start; nextstate s; state s;\n{body}\nendstate; endprocess; endblock; endsystem;"
    )
}

#[test]
fn what_is_not_taken_is_refused_by_name() {
    for (text, what) in [
        ("input a; task x := f(2); nextstate s;", "operators"),
        ("input a; task x := now; nextstate s;", "`now`"),
        ("input a; task x := 2.5; nextstate s;", "Real"),
        ("input a; task x := float(x); nextstate s;", "`float`"),
        ("input a; task x := x * 1.5; nextstate s;", "Real"),
        ("input virtual a; nextstate s;", "`virtual`"),
        ("input a; macro m; nextstate s;", "`macro`"),
        ("input a; call f to sender; nextstate s;", "`to`"),
        ("input a; output <<system s>> a; nextstate s;", "`<<…>>`"),
        (
            "input a; provided x = 1 or any(Boolean); nextstate s;",
            "`any(…)`",
        ),
        ("input a; create this; nextstate s;", "`this`"),
        ("input a; output a to this; nextstate s;", "`this`"),
        ("input a; nextstate s: t;", "state types"),
        ("input a; task x := state; nextstate s;", "`state`"),
        ("input a; task x := input a to p; nextstate s;", "`input`"),
        (
            "input a; task x := unhandled input; nextstate s;",
            "`unhandled`",
        ),
        ("input a; provided any(Boolean); nextstate s;", "`any(…)`"),
        ("priority input a; provided x = 1; nextstate s;", "priority"),
        ("input a; output priority a; nextstate s;", "`priority`"),
        ("input a; task x := 'long'; nextstate s;", "Charstring"),
    ] {
        let mut map = SourceMap::new();
        let text = process(text);
        let errors = compile(&mut map, "model.sdl", text.as_bytes(), &[]).unwrap_err();
        let refused = errors.iter().any(|error| {
            error.code == mazurka_sdl::codes::NOT_TAKEN
                && error.message.contains(what)
                && map
                    .location(error.primary.span)
                    .is_some_and(|at| at.line == 3)
        });
        assert!(refused, "{text}\n{errors:#?}");
    }
    for (text, what) in [
        ("package p; interface a; endpackage;", "`interface`"),
        (
            "system s; block b; process p; start; stop; endprocess; substructure; endsubstructure; endblock; endsystem;",
            "a substructure",
        ),
        (
            "system s; block b; substructure x referenced; endblock; endsystem;",
            "`referenced`",
        ),
        (
            "system s; signal a; channel c from b to env with a; substructure; endsubstructure; endchannel; endsystem;",
            "`substructure`",
        ),
        (
            "system s; newtype t String(Integer, empty) endnewtype; endsystem;",
            "`String`",
        ),
        (
            "system s; block b; process p; state x : t; endstate; endprocess; endblock; endsystem;",
            "state types",
        ),
        (
            "system s; block b; process p : t; endblock; endsystem;",
            "process types",
        ),
        ("system s; block b : t; endsystem;", "block types"),
        ("system type s; endsystem type;", "`type`"),
        (
            "system s; block b; process type t; endprocess type; endblock; endsystem;",
            "`type`",
        ),
        (
            "system s; block b; process p inherits q; endprocess; endblock; endsystem;",
            "`inherits`",
        ),
        ("system s; block b; gate g; endblock; endsystem;", "`gate`"),
        ("system s; remote procedure f; endsystem;", "`remote`"),
        (
            "system s; block b; process p; imported procedure f; endprocess; endblock; endsystem;",
            "`imported`",
        ),
        (
            "system s; block b; process p; exported procedure f; endprocedure; endprocess; endblock; endsystem;",
            "`exported`",
        ),
        (
            "system s; block b; process p; signalroute r from env to q with a; start; stop; endprocess; endblock; endsystem;",
            "services",
        ),
        (
            "system s; block b; process p; monitor x Integer; endprocess; endblock; endsystem;",
            "`monitor`",
        ),
        (
            "system s; block b; process p; dcl x Integer renames y; endprocess; endblock; endsystem;",
            "`renames`",
        ),
        (
            "system s; signal a refinement; endrefinement; endsystem;",
            "`refinement`",
        ),
        (
            "system s; generator g; endgenerator; endsystem;",
            "`generator`",
        ),
        (
            "system s; newtype t literals a axioms a == a endnewtype; endsystem;",
            "`axioms`",
        ),
        (
            "system s; newtype t inherits u endnewtype; endsystem;",
            "`inherits`",
        ),
        (
            "system s; newtype t literals nameclass 'a' endnewtype; endsystem;",
            "`nameclass`",
        ),
        (
            "system s; syntype t = Integer constants 0:3, 5:6 endsyntype; endsystem;",
            "one range",
        ),
        (
            "system s; block b; process p; procedure f; start; call f; return; endprocedure; start; call f; stop; endprocess; endblock; endsystem;",
            "calls itself",
        ),
        (
            "system s; block type t; endblock type; endsystem;",
            "`type`",
        ),
        (
            "system s; newtype t literals a operators f: t -> t; endnewtype; block b; process p; dcl x t; start; task x := f(a); stop; endprocess; endblock; endsystem;",
            "the operator `f`",
        ),
        (
            "system s; newtype t string(Integer) endnewtype; endsystem;",
            "`String`",
        ),
        (
            "system s; newtype t bag(Integer) endnewtype; endsystem;",
            "`bag`",
        ),
        ("system s; signal a(Real); endsystem;", "`Real`"),
        ("system s; signal a(Charstring); endsystem;", "`Charstring`"),
        (
            "system s; newtype t powerset(Boolean) endnewtype; endsystem;",
            "`powerset`",
        ),
        (
            "system s; block b; process p; service v; endservice; endprocess; endblock; endsystem;",
            "`service`",
        ),
        (
            "system s; macrodefinition m; endmacro; endsystem;",
            "`macrodefinition`",
        ),
        (
            "system s; block b; block c; endblock; endblock; endsystem;",
            "blocks in a block",
        ),
        (
            "system s; block b; process p; state a via e; endstate; endprocess; endblock; endsystem;",
            "an entry point",
        ),
        (
            "system s; syntype t = Integer constants >= 0 endsyntype; endsystem;",
            "a comparison",
        ),
        (
            "system s; newtype t endnewtype; endsystem;",
            "nothing is said",
        ),
        (
            "system s; select if (true); endselect; endsystem;",
            "`select`",
        ),
    ] {
        let errors = compile(&mut SourceMap::new(), "m.sdl", text.as_bytes(), &[]).unwrap_err();
        let refused = errors.iter().any(|error| {
            error.code == mazurka_sdl::codes::NOT_TAKEN && error.message.contains(what)
        });
        assert!(refused, "{text}\n{errors:#?}");
    }
}

#[test]
fn mistakes_are_told_where_they_are() {
    for (body, expected) in [
        ("input a; nextstate s;", vec![]),
        ("input z; nextstate s;", vec!["S0021 3"]),
        ("input a; nextstate z;", vec!["S0021 3"]),
        ("input a; task z := 1; nextstate s;", vec!["S0021 3"]),
        ("input a; task x := true; nextstate s;", vec!["S0022 3"]),
        ("input a; task x := 1;", vec!["S0031 3"]),
        (
            "input a; nextstate s; input a; nextstate s;",
            vec!["S0032 3"],
        ),
        ("input a; create z; nextstate s;", vec!["S0021 3"]),
        ("input a; call z; nextstate s;", vec!["S0021 3"]),
        ("input a; return;", vec!["S0031 3"]),
        ("input a; task x(1) := 2; nextstate s;", vec!["S0022 3"]),
        (
            "input a; task x := any(Integer); nextstate s;",
            vec!["S0024 3"],
        ),
        (
            "input a; task x := offspring; nextstate s;",
            vec!["S0022 3"],
        ),
        (
            "input a; output n; nextstate s;",
            vec!["S0025 3", "S0029 3"],
        ),
        ("input n(x, x); nextstate s;", vec!["S0025 3"]),
        ("input a; join z;", vec!["S0021 3"]),
        ("input a; set(now + 1, z); nextstate s;", vec!["S0021 3"]),
        (
            "input a; task x := 99999999999; nextstate s;",
            vec!["S0003 3"],
        ),
        ("input a; task x := $; nextstate s;", vec!["S0001 3"]),
        ("input a; z: nextstate -;", vec![]),
        ("input a; export(x); nextstate s;", vec!["S0021 3"]),
        ("input a; task x := view(y); nextstate s;", vec!["S0021 3"]),
        (
            "input a; task x := import(y); nextstate s;",
            vec!["S0021 3"],
        ),
        ("input a; nextstate s via e;", vec!["S0021 3"]),
        ("connect; nextstate s;", vec!["S0021 3"]),
        (
            "input a; task for i in x: x := 1 endfor; nextstate s;",
            vec!["S0022 3"],
        ),
        (
            "input a; task x := present(x); nextstate s;",
            vec!["S0022 3"],
        ),
        ("input a; task x := foo: 1; nextstate s;", vec!["S0022 3"]),
        (
            "input a; task x := if x in x then 1 else 2 fi; nextstate s;",
            vec!["S0022 3"],
        ),
        ("input a nextstate s;", vec!["S0010 3"]),
        ("input a; output a to; nextstate s;", vec!["S0010 3"]),
        (
            "input a; decision x; ( ): stop; enddecision;",
            vec!["S0010 3"],
        ),
    ] {
        assert_eq!(told(&process(body)), expected, "{body}");
    }
    let both = "system s; signal a; block b; process p;\ndcl q PId; start; output a to q; stop; endprocess; process Q; start; stop; endprocess; endblock; endsystem;";
    assert_eq!(told(both), ["S0020 2"]);
    let inside = both.replace(
        "dcl q PId; start; output a to q",
        "procedure f; fpar q PId; start; output a to q; return; endprocedure; start; call f(self)",
    );
    assert_eq!(told(&inside), ["S0020 2"]);
    let elsewhere = both.replace(
        "endsystem",
        "block c; process q; start; stop; endprocess; endblock; endsystem",
    );
    assert_eq!(told(&elsewhere), ["S0020 2"]);
    let synonym = |text: &str| {
        format!(
            "system s; {text} block b; process p; start; stop; endprocess; endblock; endsystem;"
        )
    };
    for (text, expected) in [
        (
            "synonym n small = 4; syntype small = Integer constants 0:3 endsyntype;",
            "S0024 1",
        ),
        (
            "synonym red Integer = 4; newtype t literals red endnewtype;",
            "S0020 1",
        ),
        ("synonym m Integer = n; synonym n Integer = m;", "S0023 1"),
        ("synonym m nothing = 1;", "S0021 1"),
    ] {
        assert_eq!(told(&synonym(text))[0], expected, "{text}");
    }
    let open = "system s; signal a;\nchannel c from env to b with a; endchannel; block b; process p; start; stop; endprocess; endblock; endsystem;";
    assert_eq!(told(open), ["S0030 2"]);
    assert_eq!(
        told("system s; block b; process p; endprocess; endblock; endsystem;"),
        ["S0026 1"]
    );
    assert_eq!(told("system s; endsystem;"), ["S0027 1"]);
    assert_eq!(
        told("system s; block b referenced; endsystem;"),
        ["S0021 1"]
    );
    assert_eq!(
        told("system s; block b; process p; start; stop; endprocess q; endblock; endsystem;"),
        ["S0013 1"]
    );
}

/// Anything is told about, and nothing is too much.
#[test]
fn any_text_is_survived() {
    let text = std::fs::read_to_string(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../examples/sdl/alternating-bit.sdl"
    ))
    .unwrap();
    let words: Vec<&str> = text.split_inclusive([' ', ';', '(', '\n']).collect();
    for gone in 0..words.len() {
        let mut shorter = words.clone();
        shorter.remove(gone);
        let _ = compile(
            &mut SourceMap::new(),
            "m.sdl",
            shorter.concat().as_bytes(),
            &[],
        );
        let mut swapped = words.clone();
        swapped.swap(gone, (gone * 7 + 3) % words.len());
        let _ = compile(
            &mut SourceMap::new(),
            "m.sdl",
            swapped.concat().as_bytes(),
            &[],
        );
    }
    for end in (0..text.len()).step_by(7) {
        let cut = text.get(..end).unwrap_or_default();
        let _ = compile(&mut SourceMap::new(), "m.sdl", cut.as_bytes(), &[]);
    }
    let deep = format!("system s; synonym n Integer = {}1;", "(".repeat(100_000));
    let _ = compile(&mut SourceMap::new(), "m.sdl", deep.as_bytes(), &[]);
}

#[test]
fn what_is_nearly_right_is_suggested() {
    let system = |wrong: &str| {
        format!(
            "system s; signal Connect_it, Release; block b; signalroute way from Caller to Caller with Connect_it, Release;
            process Caller; dcl Counter Integer; timer Patience; start; nextstate Talking;
            state Talking; input Connect_it; {wrong} nextstate Talking; endstate; endprocess;
            process Worker(0, 2); start; stop; endprocess; endblock; endsystem;"
        )
    };
    for (wrong, right) in [
        ("output conect_it;", "Connect_it"),
        ("set(now + 1, patiense);", "Patience"),
        ("task countr := 1;", "Counter"),
        ("create Workr;", "Worker"),
        ("nextstate Talking; input Releas;", "Release"),
        ("nextstate talkng; input Release;", "Talking"),
    ] {
        let text = system(wrong);
        let told = compile(&mut SourceMap::new(), "m.sdl", text.as_bytes(), &[]).unwrap_err();
        let hint = format!("did you mean `{right}`?");
        let hints = told.iter().filter_map(|one| one.hint.as_deref());
        let hints: Vec<&str> = hints.collect();
        let found = hints.iter().any(|found| found.eq_ignore_ascii_case(&hint));
        assert!(found, "{wrong}: {hints:?}");
    }
}

/// What is refused or wrong hides nothing that comes after it.
#[test]
fn each_mistake_is_told_by_itself() {
    let text = "system s;
        macro foo;
        block type bt; endblock type;
        signal a;
        newtype t struct x Integer; axioms x == x; endnewtype;
        block b;
        process p;
        dcl y Integer;
        service v; start; task y := 1; endservice;
        start;
        task y = 3;
        output a
        nextstate t;
        state t;
        input a; task y := ; nextstate t;
        state v; input a; taks y := 2; task y := y +* 2; nextstate t;
        state w; input a; task y := 1; taks y := 2; nextstate t;
        input *; decision y; (1): task y 2; (2 3): stop; enddecision; nextstate t;
        endprocess;
        process q; start; task { y := 1; } nextstate u; endprocess;
        endblock;
        endsystem;";
    let expected = [
        "S0012 2", "S0012 3", "S0012 5", "S0012 9", "S0010 11", "S0010 13", "S0010 15", "S0010 16",
        "S0010 16", "S0010 17", "S0010 18", "S0010 18", "S0010 20",
    ];
    assert_eq!(told(text), expected);
}

/// What comes behind a refused procedure is read as if it were not there.
#[test]
fn an_exported_procedure_is_refused_alone() {
    for procedure in [
        "exported procedure f; fpar in/out x Integer; referenced;",
        "exported procedure f; fpar in/out x Integer; dcl y Integer; start; return; endprocedure f;",
        "exported procedure f referenced;",
    ] {
        let text = format!(
            "system s; block b; process p;\n{procedure}\nprocedure g; start; return; endprocedure; start; call g; stop; endprocess; endblock; endsystem;"
        );
        assert_eq!(told(&text), ["S0012 2"], "{text}");
    }
}

/// A first value is computed or refused, and never passed over.
#[test]
fn a_first_value_of_several_parts_is_not_dropped() {
    for value in [
        "(. 5 .)",
        "{ 5, 6 }",
        "{ a 1 }",
        "a : 5",
        "{}",
        "length(q)",
        "num(q)",
        "exist(q)",
        "q!a",
        "q(1)",
        "view(q)",
        "if q = 0 then 1 else 2 fi",
    ] {
        let text = format!(
            "system s; block b; process p;\ndcl q Integer, x Integer :=\n{value}; start; stop; endprocess; endblock; endsystem;"
        );
        assert!(!told(&text).is_empty(), "{text}");
    }
}

fn messages(text: &str) -> String {
    let mut map = SourceMap::new();
    let told = compile(&mut map, "model.sdl", text.as_bytes(), &[]).unwrap_err();
    format!("{told:?}")
}

#[test]
fn a_decision_that_is_not_ended_is_told_as_such() {
    let told = messages(&process(
        "input a; decision x; (0): nextstate s; (1): stop;",
    ));
    assert!(
        told.contains("an answer, `else` or `enddecision`"),
        "{told}"
    );
}

#[test]
fn a_name_that_is_meant_is_told_as_it_is_written() {
    let text = "system s; block b; process p; dcl Counter Integer; start; task Countr := 1; stop; endprocess; endblock; endsystem;";
    let told = messages(text);
    assert!(told.contains("did you mean `Counter`?"), "{told}");
}

/// Nor is that of a constant or a bound.
#[test]
fn what_must_be_known_is_not_dropped() {
    for value in ["any(Integer)", "length(4)", "num(4)", "1 + f(2)", "4!a"] {
        for definition in [
            format!("synonym n Integer = {value};"),
            format!("syntype n = Integer constants 0:{value} endsyntype;"),
            format!("block c; process q({value}, 3); start; stop; endprocess; endblock;"),
        ] {
            let text = format!(
                "system s;\n{definition}\nblock b; process p; start; stop; endprocess; endblock; endsystem;"
            );
            assert!(!told(&text).is_empty(), "{text}");
        }
    }
}
