//! What the tests share.
#![allow(dead_code)]

use mazurka_promela::ast::{Model, Sequence, Unit};
use mazurka_promela::{MemoryLoader, parse};
use mazurka_span::{Diagnostic, RenderOptions, SourceMap, render};

pub fn parse_text(source: &[u8]) -> (SourceMap, Model, Vec<Diagnostic>) {
    let mut map = SourceMap::new();
    let (model, diagnostics) = parse(&mut map, "test.pml", source, &[], &MemoryLoader::default());
    (map, model, diagnostics)
}

/// All diagnostics as text.
pub fn diagnose(source: &str) -> String {
    let (map, _, diagnostics) = parse_text(source.as_bytes());
    render(&map, &diagnostics, RenderOptions::default())
}

/// The statements of the last body, one per line; there must be no diagnostics.
pub fn statements(source: &str) -> String {
    let (map, model, diagnostics) = parse_text(source.as_bytes());
    let problems = render(&map, &diagnostics, RenderOptions::default());
    assert!(problems.is_empty(), "{problems}");
    let body = model.units.iter().rev().find_map(body).expect("a body");
    let lines: Vec<String> = body
        .statements
        .iter()
        .map(|statement| statement.to_string())
        .collect();
    lines.join("\n")
}

pub fn body(unit: &Unit) -> Option<&Sequence> {
    match unit {
        Unit::Proctype(unit) => Some(&unit.body),
        Unit::Init(unit) => Some(&unit.body),
        Unit::Never(unit) => Some(&unit.body),
        Unit::Trace(unit) => Some(&unit.body),
        _ => None,
    }
}
