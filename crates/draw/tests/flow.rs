//! Processes of SDL in their own symbols. `FLOW=FOLDER` writes the drawings of the examples there, to be looked at.

use mazurka_checker::ModelText;
use mazurka_draw::flow_svg;

fn drawn(text: &str, process: &str) -> Option<String> {
    let model = ModelText::from_source("model.sdl", text).unwrap();
    let flow = model
        .flow(process)
        .unwrap_or_else(|error| panic!("{error}"));
    flow.map(|flow| flow_svg(&flow))
}

const SYMBOLS: &str = "system s; signal a, b(Integer); block b;
    process p; dcl n Integer; timer t;
      procedure f; start; task n := 1; return; endprocedure;
      start; create q; nextstate idle;
      state idle;
        input a; provided n < 2; decision n; (0): output b(n + 1) to sender; (1:3): call f; else: stop; enddecision; again: task n := n + 1, 'informal <text>'; set(now + 1, t); nextstate -;
        priority input b(n); join again;
        save t; provided n = 1; priority 2; nextstate idle;
        input none; nextstate deep;
      endstate;
      state deep; substructure start; nextstate one; state one; input a; return; endstate; endsubstructure;
      state deep; connect; nextstate idle; endstate;
    endprocess;
    process q; start; stop; endprocess; endblock; endsystem;";

#[test]
fn every_symbol_has_its_shape() {
    let svg = drawn(SYMBOLS, "P").unwrap();
    for text in [
        "process p",
        "idle",
        "n &lt; 2",
        "b(n + 1) to sender",
        "(1:3)",
        "else",
        "again",
        "informal &lt;text&gt;",
        "set (now + 1, t)",
        "procedure f",
        "state deep",
        "n = 1; priority 2",
        "none",
    ] {
        assert!(svg.contains(text), "{text}: {svg}");
    }
    assert!(!svg.contains("sender to"));
    assert_eq!(drawn(SYMBOLS, "nobody"), None);
    let open = svg.matches("<g").count() - svg.matches("</g").count();
    assert_eq!(open, 0);
}

#[test]
fn drawings_of_examples_are_inside_their_frame() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/sdl");
    let mut count = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|ending| ending != "sdl") {
            continue;
        }
        let text = std::fs::read_to_string(&path).unwrap();
        let words: Vec<&str> = text
            .split([' ', ';', '(', '\n'])
            .filter(|word| !word.is_empty())
            .collect();
        for pair in words
            .windows(2)
            .filter(|pair| pair[0].eq_ignore_ascii_case("process"))
        {
            let Some(svg) = drawn(&text, pair[1]) else {
                continue;
            };
            count += 1;
            let number = |name: &str| -> i32 {
                let after = svg.split(&format!(" {name}=\"")).nth(1).unwrap();
                after.split('"').next().unwrap().parse().unwrap()
            };
            let (width, height) = (number("width"), number("height"));
            for place in svg.split("<text x=\"").skip(1) {
                let mut parts = place.split('"');
                let x: i32 = parts.next().unwrap().parse().unwrap();
                let y: i32 = parts.nth(1).unwrap().parse().unwrap();
                assert!(
                    (0..width).contains(&x) && (0..height).contains(&y),
                    "{x} {y} {path:?}"
                );
            }
            if let Ok(folder) = std::env::var("FLOW") {
                let name = format!(
                    "{folder}/{}-{}.svg",
                    path.file_stem().unwrap().to_string_lossy(),
                    pair[1]
                );
                std::fs::write(name, &svg).unwrap();
            }
        }
    }
    assert!(count > 6, "{count}");
    if let Ok(folder) = std::env::var("FLOW") {
        std::fs::write(
            format!("{folder}/symbols.svg"),
            drawn(SYMBOLS, "p").unwrap(),
        )
        .unwrap();
    }
}
