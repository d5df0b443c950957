//! Fragments of OpenGEODE's grammar: what its parser takes, ours takes too, or it refuses it by name. `scripts/opengeode/compare` gives the
//! same file to OpenGEODE's own parser.

use std::collections::HashMap;

use mazurka_sdl::codes;
use mazurka_span::SourceMap;

#[test]
fn what_opengeode_reads_is_read_or_refused_by_name() {
    let mut frames = HashMap::new();
    let (mut taken, mut by_name) = (0, 0);
    for line in include_str!("opengeode.txt").lines() {
        let Some((place, fragment)) = line.split_once(" | ") else {
            frames.extend(line.split_once(" = "));
            continue;
        };
        let source = frames[place].replace("{}", fragment);
        let mut map = SourceMap::new();
        let (_, told) = mazurka_sdl::parse(&mut map, "model.pr", source.as_bytes());
        let first = told.iter().find(|one| one.is_error());
        match first.map(|one| one.code) {
            None => taken += 1,
            Some(codes::NOT_TAKEN) => by_name += 1,
            Some(_) => panic!("{line}: {first:?}"),
        }
    }
    assert!(
        taken > 200 && by_name > 30,
        "{taken} taken, {by_name} refused"
    );
}
