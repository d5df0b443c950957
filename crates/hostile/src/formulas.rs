//! Any text as a formula, as an atom, as a cost.

use mazurka_ltl::{Formula, dot, formula_text, hoa, never, parse, text, translate};
use mazurka_model::{Interpreter, verify};
use mazurka_promela::{MemoryLoader, compile};
use mazurka_span::{RenderOptions, Snippet, Snippets, SourceMap, render};
use mazurka_vfsm::{Extras, compile_with};

use crate::models::Fate;

/// A model for formulas to be about.
const PROMELA: &str = "
#define p (x > 1)
#define q (x == 0)
#define r (len(c) == 2)
#define s (pair.left < 3)
#define t (flags[1] == 1)
mtype = { ping, pong };
byte x; bit flags[3]; chan c = [2] of { mtype, byte };
typedef Pair { short left; int right };
Pair pair;
active [2] proctype P() { byte mine; here: do :: c ! ping, x :: c ? _, mine; x = x + mine :: x = 0 od }
";
const EFSM: &str = "
machine Lamp(other: Lamp) { port in[2] { push } var n: byte; start final state Off; state On;
    Off -> On when n < 3 { n := n + 1; } !other.in.push; On -> Off ?in.push; Off -> Off ?in.push; }
system { lamp: Lamp(other); other: Lamp(lamp); }
";
const VFSM: &str = include_str!("../../../examples/vfsm/handshake.vfsm");

/// A formula over names (`mazurka ltl`).
pub fn ltl(source: &[u8]) -> Fate {
    let source = String::from_utf8_lossy(source);
    let Ok((formula, atoms)) = parse(&source) else {
        return Fate::Refused;
    };
    let name = formula_text(&formula, &atoms);
    let (again, atoms_again) = parse(&name).expect("what is printed can be read");
    assert_eq!(formula_text(&again, &atoms_again), name);
    if let Some(automaton) = automaton(&formula) {
        for text in [
            text(&automaton, &atoms),
            dot(&automaton, &atoms),
            hoa(&automaton, &name, &atoms),
            never(&automaton, &name, &atoms),
        ] {
            assert!(!text.is_empty());
        }
    }
    Fate::Ran(0)
}

fn automaton(formula: &Formula) -> Option<mazurka_ltl::Buchi> {
    translate(formula).ok()
}

/// A formula, and the cost of a guided search, in each notation.
pub fn formula(source: &[u8]) -> Fate {
    let formula = String::from_utf8_lossy(source);
    let ltl = format!("\nltl formula {{ {formula} }}\n");
    let guide = format!("\nltl guide {{ ({formula}) != 0 }}\n");
    let mut fate = Fate::Refused;
    for text in [&ltl, &guide] {
        let mut map = SourceMap::new();
        let model = format!("{PROMELA}{text}");
        let loader = MemoryLoader::default();
        match compile(&mut map, "any.pml", model.as_bytes(), &[], &loader) {
            Err(errors) => assert!(!render(&map, &errors, RenderOptions::default()).is_empty()),
            Ok(compiled) => {
                assert_eq!(verify(&compiled.program), Vec::new());
                let interpreter = Interpreter::new(compiled.program);
                for formula in &compiled.formulas {
                    judge(&interpreter, &formula.formula, &formula.atoms);
                }
                fate = Fate::Ran(1);
            }
        }
        let mut map = SourceMap::new();
        let model = format!("{EFSM}{text}");
        match mazurka_efsm::compile(&mut map, "any.efsm", model.as_bytes(), &[]) {
            Err(errors) => assert!(!render(&map, &errors, RenderOptions::default()).is_empty()),
            Ok(compiled) => {
                assert_eq!(verify(&compiled.program), Vec::new());
                let interpreter = Interpreter::new(compiled.program);
                for formula in &compiled.formulas {
                    judge(&interpreter, &formula.formula, &formula.atoms);
                }
                fate = Fate::Ran(1);
            }
        }
    }
    let snippet = Snippet {
        name: "--ltl",
        text: &formula,
    };
    for (formula, expression) in [(Some(snippet), None), (None, Some(snippet))] {
        let mut map = SourceMap::new();
        let extras = Extras {
            snippets: Snippets {
                formula,
                expression,
            },
            ..Default::default()
        };
        match compile_with(&mut map, "any.vfsm", VFSM.as_bytes(), &extras) {
            Err(errors) => assert!(!render(&map, &errors, RenderOptions::default()).is_empty()),
            Ok(compiled) => {
                assert_eq!(verify(&compiled.program), Vec::new());
                let interpreter = Interpreter::new(compiled.program);
                for formula in &compiled.formulas {
                    judge(&interpreter, &formula.formula, &formula.atoms);
                }
                let mut state = Vec::new();
                if let Some(guide) = compiled.guide
                    && interpreter.initial(&mut state, &mut ()).is_ok()
                {
                    let _ = interpreter.value(&state, usize::MAX, guide);
                }
                fate = Fate::Ran(1);
            }
        }
    }
    fate
}

/// Every atom has a value or a fault in the initial state, and there is an automaton, or a reason.
fn judge(interpreter: &Interpreter, formula: &Formula, atoms: &[mazurka_model::ExpressionId]) {
    let mut state = Vec::new();
    if interpreter.initial(&mut state, &mut ()).is_ok() {
        for atom in atoms {
            let _ = interpreter.holds(&state, *atom, false);
        }
    }
    if let Ok(automaton) = translate(&formula.negation()) {
        assert!(!automaton.states.is_empty());
    }
}

/// Formulas and costs that at least one of the models knows.
pub fn valid() -> Vec<Vec<u8>> {
    let patterns = include_str!("../../ltl/tests/patterns.txt").lines();
    let patterns = patterns.filter(|line| !line.is_empty() && !line.starts_with('#'));
    let own = [
        "[] (x < 3 -> <> (len(c) == 0))",
        "[] (P[0]@here && flags[1] == 0) U pair.left != 2",
        "p W (c?[ping, 1] || np_)",
        "x * 3 + pair.right / len(c)",
        "[] (lamp.n <= 3) && <> lamp@On",
        "always (lamp.n == 1 implies eventually other@Off)",
        "always eventually CALLER in S_READY",
    ];
    patterns
        .chain(own)
        .map(|text| text.as_bytes().to_vec())
        .collect()
}
