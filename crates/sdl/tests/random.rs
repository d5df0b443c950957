//! Random systems against their exports, both searched to the end. `SDL` says how many, `SDL_SEED` where to begin.

#[path = "../../differential/src/random.rs"]
#[allow(dead_code)]
mod random;
#[path = "../../differential/src/sdl.rs"]
#[allow(dead_code)]
mod sdl;
#[allow(dead_code)]
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

/// Words are left out, doubled and exchanged: whatever comes of it is told about, and nothing is too much.
#[test]
fn spoiled_systems_are_survived() {
    for seed in 1..9 {
        let text = sdl::system(seed).text;
        let words: Vec<&str> = text
            .split_inclusive([' ', ';', '(', ')', '\n', '!'])
            .collect();
        let mut random = random::Random::new(seed);
        for _ in 0..60 {
            let mut spoiled = words.clone();
            for _ in 0..1 + random.below(3) {
                let (one, other) = (random.below(words.len()), random.below(words.len()));
                let one = one.min(spoiled.len() - 1);
                match random.below(3) {
                    0 => {
                        spoiled.remove(one);
                    }
                    1 => spoiled.insert(one, words[other]),
                    _ => spoiled[one] = words[other],
                }
            }
            let mut map = mazurka_span::SourceMap::new();
            let source = spoiled.concat();
            let told = mazurka_sdl::compile(&mut map, "m.sdl", source.as_bytes(), &[]);
            if let Err(told) = told {
                assert!(told.iter().any(|one| one.is_error()), "{source}");
            }
        }
    }
}
