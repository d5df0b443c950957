//! Random systems against their exports, both searched to the end. `SDL` says how many, `SDL_SEED` where to begin.

#[path = "../../differential/src/random.rs"]
#[allow(dead_code)]
mod random;
#[path = "../../differential/src/sdl.rs"]
mod sdl;
mod support;

use std::collections::BTreeMap;

#[test]
fn random_systems_and_their_exports_agree() {
    let number = |name: &str, default: u64| {
        let value = std::env::var(name).ok();
        value.and_then(|text| text.parse().ok()).unwrap_or(default)
    };
    let first = number("SDL_SEED", 1);
    let mut tally: BTreeMap<&str, u32> = BTreeMap::new();
    for seed in first..first + number("SDL", 120) {
        let text = sdl::system(seed);
        let defines: &[&str] = match seed % 4 {
            0 => &["QUEUE=2"],
            1 => &["QUEUE=2", "UNEXPECTED=report"],
            2 => &["QUEUE=3"],
            _ => &["QUEUE=1"],
        };
        let defines: Vec<String> = defines.iter().map(|define| define.to_string()).collect();
        let verdict = support::agree(&text, &defines).unwrap_or("too large");
        *tally.entry(verdict).or_default() += 1;
    }
    eprintln!("{tally:?}");
    assert!(tally.len() >= 3, "{tally:?}");
}
