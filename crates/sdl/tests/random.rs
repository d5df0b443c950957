//! Random systems against their exports, both searched to the end. `SDL` says how many, `SDL_SEED` where to begin.

#[path = "../../differential/src/random.rs"]
#[allow(dead_code)]
mod random;
#[path = "../../differential/src/sdl.rs"]
#[allow(dead_code)]
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
        let system = sdl::system(seed);
        let verdict = support::agree(&system.text, &system.defines).unwrap_or("too large");
        *tally.entry(verdict).or_default() += 1;
    }
    eprintln!("{tally:?}");
    assert!(tally.len() >= 3, "{tally:?}");
}
