//! Models of one construct each, and systems as books write them: the first comment of each says what is to be found. The exports to Promela
//! and, where machines with ports can do it, to `.efsm` say the same.
//!
//! ```text
//! /* expect: holds */
//! /* expect: overflow; define QUEUE=1 */
//! /* expect: refused `service` */
//! ```

#[allow(dead_code)]
mod support;

use std::path::{Path, PathBuf};

use mazurka_promela::MemoryLoader;
use mazurka_span::SourceMap;
use support::{coarse, exported, judge_within};

const MOST: usize = 60_000;

#[test]
fn models_are_judged_as_they_say() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/models");
    let mut models: Vec<PathBuf> = (std::fs::read_dir(folder).unwrap())
        .map(|entry| entry.unwrap().path())
        .collect();
    models.sort();
    assert!(models.len() > 80, "the models are not where they should be");
    let mut machines = 0;
    let complaints: Vec<String> = (models.iter())
        .filter_map(|model| match judged(model) {
            Ok(as_machines) => {
                machines += usize::from(as_machines);
                None
            }
            Err(complaint) => Some(format!("{}: {complaint}", model.display())),
        })
        .collect();
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
    assert!(machines > 20, "only {machines} as machines with ports");
}

/// Is a model what it says? And is it one that machines with ports can do?
fn judged(path: &Path) -> Result<bool, String> {
    let text = std::fs::read_to_string(path).unwrap();
    let first = text
        .strip_prefix("/* expect: ")
        .and_then(|rest| rest.split_once(" */"));
    let (said, _) = first.ok_or("its first comment says nothing")?;
    let mut parts = said.split("; define ");
    let expected = parts.next().unwrap_or_default();
    let defines: Vec<String> = parts.map(str::to_string).collect();
    let mut map = SourceMap::new();
    let compiled = mazurka_sdl::compile(&mut map, "model.sdl", text.as_bytes(), &defines);
    let program = match (compiled, expected.strip_prefix("refused ")) {
        (Ok(compiled), None) => compiled.program,
        (Ok(_), Some(_)) => return Err("it is not refused".into()),
        (Err(told), what) => {
            let mut errors = told.iter().filter(|one| one.is_error());
            let is_it = |what| {
                errors.any(|one| {
                    one.message.contains(what) && map.location(one.primary.span).is_some()
                })
            };
            return match what.is_some_and(is_it) {
                true => Ok(false),
                false => Err(format!("{told:#?}")),
            };
        }
    };
    let found = judge_within(program, MOST).ok_or("it is too large")?;
    let kinds: Vec<&str> = found.iter().map(String::as_str).collect();
    let said = match kinds.is_empty() {
        true => "holds".to_string(),
        false => kinds.join(" "),
    };
    if said != expected {
        return Err(format!("{said}, not {expected}"));
    }
    let (promela, program) = exported(&text, &defines);
    let theirs = judge_within(program, 10 * MOST).ok_or("its export is too large")?;
    if coarse(&theirs) != coarse(&found) {
        return Err(format!("{said}, but its export {theirs:?}\n{promela}"));
    }
    let (mut map, loader) = (SourceMap::new(), MemoryLoader::default());
    let made = mazurka_sdl::efsm_with(&mut map, "m.sdl", text.as_bytes(), &defines, &loader);
    let Ok(made) = made else { return Ok(false) };
    let compiled = mazurka_efsm::compile(&mut SourceMap::new(), "m.efsm", made.as_bytes(), &[]);
    let compiled = compiled.map_err(|told| format!("{told:#?}\n{made}"))?;
    let theirs = judge_within(compiled.program, 10 * MOST).ok_or("its machines are too large")?;
    match coarse(&theirs) == coarse(&found) {
        true => Ok(true),
        false => Err(format!("{said}, but its machines {theirs:?}\n{made}")),
    }
}
