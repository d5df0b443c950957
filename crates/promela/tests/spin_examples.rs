//! Every example that comes with SPIN must parse, and what is printed of it must parse again to the same text.

use std::path::{Path, PathBuf};

use mazurka_promela::ast::{Sequence, Unit};
use mazurka_promela::{DiskLoader, MemoryLoader, parse};
use mazurka_span::{RenderOptions, SourceMap, has_errors, render};

const FOLDER: &str = "/usr/share/doc/spin/examples/Examples";

/// SPIN refuses this one too: it is a list of formulas, not a model.
const NOT_A_MODEL: &str = "patterns.pml";

fn models(folder: &Path, found: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return;
    };
    for entry in entries.flatten() {
        let path = entry.path();
        if path.is_dir() {
            models(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "pml")
            && !path.ends_with(NOT_A_MODEL)
        {
            found.push(path);
        }
    }
}

#[test]
fn all_parse() {
    let mut paths = Vec::new();
    models(Path::new(FOLDER), &mut paths);
    paths.sort();
    let mut failures = String::new();
    for path in &paths {
        let source = std::fs::read(path).unwrap();
        let mut map = SourceMap::new();
        let name = path.to_string_lossy();
        let (model, diagnostics) = parse(&mut map, &name, &source, &[], &DiskLoader);
        if has_errors(&diagnostics) {
            failures += &render(&map, &diagnostics, RenderOptions::default());
        }
        for unit in &model.units {
            if let Some(body) = body(unit) {
                failures += &reparse(&name, body);
            }
        }
    }
    assert!(failures.is_empty(), "{failures}");
    if paths.is_empty() {
        eprintln!("no examples of SPIN on this machine: nothing tested");
    }
}

fn body(unit: &Unit) -> Option<&Sequence> {
    match unit {
        Unit::Proctype(unit) => Some(&unit.body),
        Unit::Init(unit) => Some(&unit.body),
        Unit::Never(unit) => Some(&unit.body),
        Unit::Trace(unit) => Some(&unit.body),
        _ => None,
    }
}

/// Types, remote references and inlines need their context, so bodies that use them are left out.
fn reparse(name: &str, body: &Sequence) -> String {
    let text = body.to_string();
    let mut map = SourceMap::new();
    let source = format!("init {{ {text} }}");
    let (model, diagnostics) = parse(
        &mut map,
        name,
        source.as_bytes(),
        &[],
        &MemoryLoader::default(),
    );
    if has_errors(&diagnostics) {
        let needs_context = ["P0048", "P0043"];
        if diagnostics
            .iter()
            .all(|d| needs_context.contains(&d.code.id))
        {
            return String::new();
        }
        return render(&map, &diagnostics, RenderOptions::default());
    }
    let again = model
        .units
        .first()
        .and_then(self::body)
        .map(|body| body.to_string());
    if again.as_deref() == Some(&text) {
        return String::new();
    }
    format!("{name}: printed\n{text}\nparsed again as\n{again:?}\n")
}
