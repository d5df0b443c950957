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
        ("input a; output a to all; nextstate s;", "`to all`"),
        ("input a; task x := f(2); nextstate s;", "operators"),
        ("input a; task x := now; nextstate s;", "`now`"),
        ("input a; export(x); nextstate s;", "`export`"),
        ("input a; create this; nextstate s;", "`this`"),
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
            "system s; block b; substructure; endsubstructure; endblock; endsystem;",
            "`substructure`",
        ),
        (
            "system s; block b; process p; procedure f referenced; endprocess; endblock; endsystem;",
            "`referenced`",
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
            "system s; newtype t struct x Integer; operators f: t -> t; endnewtype; endsystem;",
            "`operators`",
        ),
        (
            "system s; newtype t powerset(Boolean) endnewtype; endsystem;",
            "`powerset`",
        ),
        (
            "system s; block b; process p; dcl revealed x Integer; endprocess; endblock; endsystem;",
            "`revealed`",
        ),
        (
            "system s; block b; process p; signalset a; endprocess; endblock; endsystem;",
            "`signalset`",
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
        ("input a; z: nextstate -;", vec!["S0012 3"]),
        ("input a nextstate s;", vec!["S0010 3"]),
    ] {
        assert_eq!(told(&process(body)), expected, "{body}");
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
