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
        ("input a; call f; nextstate s;", "`call`"),
        ("input a; create q; nextstate s;", "`create`"),
        ("input a; output a via all r; nextstate s;", "`all`"),
        ("input a; task x(1) := 2; nextstate s;", "arrays"),
        ("input a; task x := now; nextstate s;", "`now`"),
        ("input a; task x := offspring; nextstate s;", "`offspring`"),
        ("input a; task x := any(Integer); nextstate s;", "`any`"),
        ("input a; export(x); nextstate s;", "`export`"),
        ("priority input a; nextstate s;", "`priority`"),
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
        ("package p; endpackage;", "`package`"),
        ("use p; system s; endsystem;", "`use`"),
        (
            "system s; block b; substructure; endsubstructure; endblock; endsystem;",
            "`substructure`",
        ),
        (
            "system s; block b; process p; procedure f; endprocedure; endprocess; endblock; endsystem;",
            "`procedure`",
        ),
        (
            "system s; block b; process p; fpar x Integer; endprocess; endblock; endsystem;",
            "`fpar`",
        ),
        (
            "system s; block type t; endblock type; endsystem;",
            "`type`",
        ),
        ("system s; block b referenced; endsystem;", "`referenced`"),
        (
            "system s; newtype t struct x Integer; endnewtype; endsystem;",
            "`struct`",
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
