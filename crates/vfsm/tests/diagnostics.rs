//! Each diagnostic of the notation, by a text that earns it; and no text makes the front end panic.

use mazurka_span::SourceMap;
use proptest::prelude::*;

/// The codes that a text earns.
fn codes(text: &str) -> Vec<&'static str> {
    let mut map = SourceMap::new();
    let diagnostics = match mazurka_vfsm::compile(&mut map, "model.vfsm", text.as_bytes()) {
        Ok(compiled) => compiled.warnings,
        Err(errors) => errors,
    };
    diagnostics
        .iter()
        .map(|diagnostic| diagnostic.code.id)
        .collect()
}

const NETWORK: &str = "network { processor P { process Q { m: M; } } }";

#[test]
fn each_code() {
    let machine = |body: &str| format!("machine M {{ initial S; {body} }} {NETWORK}");
    let good = "inputs I; S { NS: I > S_2; } S_2 { } spontaneous in S: *I;";
    assert_eq!(codes(&machine(good)), [""; 0]);
    for (code, text) in [
        ("V0001", machine("S { } $")),
        ("V0002", machine("S { }") + "/* never closed"),
        ("V0004", machine("S { NS: > S; }")),
        (
            "V0005",
            machine(&format!(
                "inputs I; S {{ NS: {}I{} > S; }}",
                "(".repeat(300),
                ")".repeat(300)
            )),
        ),
        ("V0006", machine("S { }").replace("m: M;", "m: M; low 0;")),
        ("V0004", machine("S { } for i in 0..1 S2 { }")),
        ("V0004", machine("S { } for i in 0..1 { S[i] { }")),
        ("V0004", machine("S { }") + "const N = ;"),
        ("V0004", machine("S { }") + "const N = 1"),
        (
            "V0005",
            machine("S { }") + &format!("const N = {}1;", "(".repeat(300)),
        ),
        ("V0006", machine("S { }") + "const N = 1 / 0;"),
        ("V0006", machine("S { }") + "const N = 99999 * 99999;"),
        ("V0006", machine("S { } S[0 - 1] { }")),
        ("V0007", machine("S { }") + "include \"missing.vfsm\";"),
        ("V0010", machine("S { } S[i] { }")),
        ("V0010", machine("S { } use T;")),
        (
            "V0010",
            machine("S { }") + "table T { use T; } machine N { use T; }",
        ),
        ("V0010", machine("S { E: O; } out O: clear I_NONE;")),
        ("V0011", machine("S { }") + "const N = 1; const N = 1;"),
        ("V0011", machine("S { }") + "table T { } table T { }"),
        ("V0014", machine("S { }") + "for i in 0..2000000000 { }"),
        ("V0010", machine("S { NS: I_NONE > S; }")),
        ("V0010", machine("S { NS: true > T; }")),
        ("V0010", machine("S { E: O; } out O: send E to nobody;")),
        ("V0010", machine("S { }") + "invariant i: m.S_NONE;"),
        ("V0010", machine("S { }") + "ltl f: [] m.S_NONE;"),
        ("V0010", machine("S { }") + "ltl f: <> n.S;"),
        ("V0011", machine("S { }") + "ltl f: m.S; ltl f: m.S;"),
        ("V0004", machine("S { }") + "ltl f: [] <>;"),
        ("V0004", machine("S { }") + "ltl f: m.S U;"),
        ("V0004", machine("S { }") + "ltl f: m;"),
        (
            "V0005",
            machine("S { }") + &format!("ltl f: {}m.S;", "!".repeat(300)),
        ),
        (
            "V0005",
            machine("S { }") + &format!("ltl f: {}m.S;", "m.S & ".repeat(300)),
        ),
        ("V0011", machine("S { } S { }")),
        ("V0012", format!("machine M {{ S {{ }} }} {NETWORK}")),
        ("V0013", "machine M { initial S; S { } }".into()),
        (
            "V0015",
            machine("inputs I; S { NS: I > S; } spontaneous: +I -I;"),
        ),
        ("V0016", machine("S { E: O; } out O: send E to m;")),
        (
            "V0017",
            format!(
                "machine M {{ inputs I; initial S; S {{ IA: I ? O; }} out O: nothing; spontaneous: *I; }} {}",
                NETWORK.replace("m: M;", "m: M; n: M;")
            ),
        ),
        ("V0030", machine("S { } S_2 { }")),
        (
            "V0031",
            machine("inputs I; spontaneous: *I; S { IA: I ? O; }"),
        ),
        (
            "V0032",
            machine("inputs I; S { IA: I ? O; } out O: nothing; on E: *I;"),
        ),
        ("V0033", machine("inputs I; S { NS: I > S; }")),
        ("V0034", machine("inputs I; S { }")),
    ] {
        let found = codes(&text);
        assert!(found.contains(&code), "{code} not in {found:?}: {text}");
    }
}

#[test]
fn a_machine_with_too_many_configurations_is_refused() {
    let inputs: Vec<String> = (0..20).map(|n| format!("I{n}")).collect();
    let alternatives: Vec<String> = inputs.iter().map(|input| format!("+{input}")).collect();
    let text = format!(
        "machine M {{ inputs {}; initial S; S {{ IA: {} ? O; }} out O: nothing; spontaneous: {}; }} {NETWORK}",
        inputs.join(", "),
        inputs.join(" & "),
        alternatives.join(" | ")
    );
    assert_eq!(codes(&text), ["V0018"]);
}

#[test]
fn slips_are_explained() {
    let text =
        format!("machine M {{ inputs I_READY; initial S; S {{ NS: I_REDAY > S; }} }} {NETWORK}");
    let mut map = SourceMap::new();
    let errors = mazurka_vfsm::compile(&mut map, "model.vfsm", text.as_bytes()).unwrap_err();
    let hint = errors.iter().find_map(|error| error.hint.clone());
    assert_eq!(hint.as_deref(), Some("did you mean `I_READY`?"));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, ..ProptestConfig::default() })]

    #[test]
    fn any_bytes(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        let _ = mazurka_vfsm::compile(&mut SourceMap::new(), "model.vfsm", &bytes);
    }

    #[test]
    fn any_words(words in proptest::collection::vec(0..WORDS.len(), 0..80)) {
        let text: Vec<&str> = words.into_iter().map(|word| WORDS[word]).collect();
        let _ = mazurka_vfsm::compile(&mut SourceMap::new(), "model.vfsm", text.join(" ").as_bytes());
    }

    #[test]
    fn damaged_models(from in 0..2000usize, length in 0..60usize) {
        let model = include_str!("../../../examples/vfsm/handshake.vfsm");
        let from = from.min(model.len());
        let to = (from + length).min(model.len());
        if model.is_char_boundary(from) && model.is_char_boundary(to) {
            let text = format!("{}{}", &model[..from], &model[to..]);
            let _ = mazurka_vfsm::compile(&mut SourceMap::new(), "model.vfsm", text.as_bytes());
        }
    }
}

const WORDS: &[&str] = &[
    "machine",
    "network",
    "processor",
    "process",
    "initial",
    "end",
    "inputs",
    "timer",
    "raises",
    "on",
    "out",
    "send",
    "to",
    "start",
    "stop",
    "feedback",
    "nothing",
    "spontaneous",
    "in",
    "invariant",
    "ltl",
    "M",
    "m",
    "S",
    "I",
    "E",
    "X",
    "IA",
    "NS",
    "O",
    "{",
    "}",
    "(",
    ")",
    ":",
    ";",
    ",",
    "?",
    ">",
    "|",
    "&",
    "!",
    "+",
    "-",
    "*",
    ".",
    "=",
    "->",
    "3",
    "true",
];
