//! Automata and formulas as text: for people, for dot, for other tools, for SPIN.

use std::fmt::Write;

use crate::buchi::Buchi;
use crate::cube::Cube;
use crate::formula::Formula;

/// The formula with the names of its atoms, in signs, every grouping shown. It can be read back.
pub fn formula_text(formula: &Formula, atoms: &[String]) -> String {
    written(formula, &|atom| atom_text(atom, atoms))
}

/// The same for people: an atom of several words stands in parentheses like every other part, and alone without.
pub fn formula_words(formula: &Formula, atoms: &[String]) -> String {
    let name = |atom: u32| atoms.get(atom as usize).cloned();
    let name = |atom: u32| name(atom).unwrap_or_else(|| format!("p{atom}"));
    match formula {
        Formula::Atom(atom) => name(*atom),
        _ => written(formula, &|atom| match name(atom) {
            name if name.contains(' ') => format!("({name})"),
            name => name,
        }),
    }
}

fn written(formula: &Formula, atom_text: &dyn Fn(u32) -> String) -> String {
    use Formula::*;
    let inside = |part: &Formula| match part {
        Constant(_) | Atom(_) => written(part, atom_text),
        _ => format!("({})", written(part, atom_text)),
    };
    match formula {
        Constant(value) => value.to_string(),
        Atom(atom) => atom_text(*atom),
        Not(inner) => format!("! {}", inside(inner)),
        Next(inner) => format!("X {}", inside(inner)),
        Always(inner) => format!("[] {}", inside(inner)),
        Eventually(inner) => format!("<> {}", inside(inner)),
        And(left, right) => format!("{} && {}", inside(left), inside(right)),
        Or(left, right) => format!("{} || {}", inside(left), inside(right)),
        Implies(left, right) => format!("{} -> {}", inside(left), inside(right)),
        Equivalent(left, right) => format!("{} <-> {}", inside(left), inside(right)),
        Until(left, right) => format!("{} U {}", inside(left), inside(right)),
        WeakUntil(left, right) => format!("{} W {}", inside(left), inside(right)),
        Release(left, right) => format!("{} V {}", inside(left), inside(right)),
    }
}

fn atom_text(atom: u32, atoms: &[String]) -> String {
    match atoms.get(atom as usize) {
        Some(name) if name.contains(' ') => format!("{{{name}}}"),
        Some(name) => name.clone(),
        None => format!("p{atom}"),
    }
}

/// A condition, with signs for "and", "not" and "true".
fn condition_text(
    condition: Cube,
    literal: impl Fn(u32, bool) -> String,
    and: &str,
    all: &str,
) -> String {
    let literals: Vec<String> = (0..64)
        .filter_map(|atom| {
            match (
                condition.positive >> atom & 1,
                condition.negative >> atom & 1,
            ) {
                (1, _) => Some(literal(atom, true)),
                (_, 1) => Some(literal(atom, false)),
                _ => None,
            }
        })
        .collect();
    match literals.is_empty() {
        true => all.into(),
        false => literals.join(and),
    }
}

fn readable(condition: Cube, atoms: &[String]) -> String {
    let literal = |atom: u32, positive: bool| {
        let sign = if positive { "" } else { "!" };
        format!("{sign}{}", atom_text(atom, atoms))
    };
    condition_text(condition, literal, " && ", "true")
}

/// One line for each state and transition.
pub fn text(automaton: &Buchi, atoms: &[String]) -> String {
    let mut text = String::new();
    for (number, state) in automaton.states.iter().enumerate() {
        let mut marks = Vec::new();
        if number == 0 {
            marks.push("initial");
        }
        if state.accepting {
            marks.push("accepting");
        }
        let marks = match marks.is_empty() {
            true => String::new(),
            false => format!(" ({})", marks.join(", ")),
        };
        let _ = writeln!(text, "state {number}{marks}");
        for edge in &state.edges {
            let condition = readable(edge.condition, atoms);
            let _ = writeln!(text, "  {condition} -> {}", edge.target);
        }
    }
    text
}

/// A graph for dot.
pub fn dot(automaton: &Buchi, atoms: &[String]) -> String {
    let quoted = |text: &str| text.replace('\\', "\\\\").replace('"', "\\\"");
    let mut text = String::from("digraph buchi {\n  rankdir=LR;\n  start [shape=point];\n");
    for (number, state) in automaton.states.iter().enumerate() {
        let shape = if state.accepting {
            "doublecircle"
        } else {
            "circle"
        };
        let _ = writeln!(text, "  {number} [shape={shape}];");
    }
    text += "  start -> 0;\n";
    for (number, state) in automaton.states.iter().enumerate() {
        for edge in &state.edges {
            let label = quoted(&readable(edge.condition, atoms));
            let _ = writeln!(text, "  {number} -> {} [label=\"{label}\"];", edge.target);
        }
    }
    text + "}\n"
}

/// The Hanoi omega-automata format, version 1.
pub fn hoa(automaton: &Buchi, name: &str, atoms: &[String]) -> String {
    let quoted = |text: &str| text.replace('\\', "\\\\").replace('"', "\\\"");
    let names: Vec<String> = atoms
        .iter()
        .map(|a| format!(" \"{}\"", quoted(a)))
        .collect();
    let mut text = format!(
        "HOA: v1\nname: \"{}\"\ntool: \"mazurka\"\nStates: {}\nStart: 0\nAP: {}{}\nacc-name: Buchi\nAcceptance: 1 Inf(0)\nproperties: trans-labels explicit-labels state-acc\n--BODY--\n",
        quoted(name),
        automaton.states.len(),
        atoms.len(),
        names.concat(),
    );
    let literal = |atom: u32, positive: bool| match positive {
        true => atom.to_string(),
        false => format!("!{atom}"),
    };
    for (number, state) in automaton.states.iter().enumerate() {
        let mark = if state.accepting { " {0}" } else { "" };
        let _ = writeln!(text, "State: {number}{mark}");
        for edge in &state.edges {
            let label = condition_text(edge.condition, literal, "&", "t");
            let _ = writeln!(text, "[{label}] {}", edge.target);
        }
    }
    text + "--END--\n"
}

/// A never claim in Promela.
pub fn never(automaton: &Buchi, name: &str, atoms: &[String]) -> String {
    let label = |number: usize| {
        let state = &automaton.states[number];
        let loops = state
            .edges
            .iter()
            .any(|edge| edge.condition == Cube::TRUE && edge.target == number);
        match (state.accepting, number) {
            (true, _) if loops => format!("accept_all_{number}"),
            (true, 0) => "accept_init".to_string(),
            (true, number) => format!("accept_S{number}"),
            (false, 0) => "T0_init".to_string(),
            (false, number) => format!("T0_S{number}"),
        }
    };
    let literal = |atom: u32, positive: bool| {
        let name = atoms
            .get(atom as usize)
            .map_or_else(|| format!("p{atom}"), |name| name.clone());
        format!("{}({name})", if positive { "" } else { "!" })
    };
    let mut text = format!("never {{ /* {} */\n", name.replace("*/", "* /"));
    for (number, state) in automaton.states.iter().enumerate() {
        let _ = writeln!(text, "{}:", label(number));
        if state.edges.is_empty() {
            text += "\tfalse;\n";
            continue;
        }
        text += "\tdo\n";
        for edge in &state.edges {
            let condition = condition_text(edge.condition, literal, " && ", "true");
            let _ = writeln!(text, "\t:: {condition} -> goto {}", label(edge.target));
        }
        text += "\tod;\n";
    }
    text + "}\n"
}
