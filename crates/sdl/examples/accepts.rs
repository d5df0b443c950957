//! What the front end says of models, for `scripts/opengeode/compare`: a line for each path that is read.
//!
//! `accepted`, or who refuses and the first of its complaints: `syntax` (the parser), `by-name` (the parser knows it, and it is not
//! taken), `meaning` (what comes after the parser). With two numbers, a seed and how many, random systems are written into the folder
//! that comes third instead.

#[path = "../../differential/src/random.rs"]
#[allow(dead_code)]
mod random;
#[path = "../../differential/src/sdl.rs"]
#[allow(dead_code)]
mod sdl;

use std::io::{BufRead, Write};

use mazurka_sdl::codes;
use mazurka_span::{Diagnostic, SourceMap};

fn main() -> std::io::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if let [seed, count, folder] = &arguments[..] {
        let number = |text: &str| text.parse::<u64>().map_err(std::io::Error::other);
        let first = number(seed)?;
        for seed in first..first + number(count)? {
            std::fs::write(
                format!("{folder}/random-{seed}.sdl"),
                sdl::system(seed).text,
            )?;
        }
        return Ok(());
    }
    for path in std::io::stdin().lock().lines() {
        let source = std::fs::read(path?)?;
        let mut output = std::io::stdout().lock();
        writeln!(output, "{}", judged(&source).replace('\n', " "))?;
        output.flush()?;
    }
    Ok(())
}

fn judged(source: &[u8]) -> String {
    let mut map = SourceMap::new();
    let (_, told) = mazurka_sdl::parse(&mut map, "model.sdl", source);
    // What follows the first complaint about the grammar may be a consequence of it.
    let errors = || told.iter().filter(|one| one.is_error());
    let first = errors().find(|one| who(one) != "meaning");
    if let Some(one) = first.or(errors().next()) {
        return format!("{} {}", who(one), one.message);
    }
    match mazurka_sdl::compile(&mut map, "model.sdl", source, &[]) {
        Ok(_) => "accepted".to_string(),
        Err(told) => {
            let first = told.iter().find(|one| one.is_error());
            format!("meaning {}", first.map_or("", |one| &one.message))
        }
    }
}

/// Who complains. The parser also sees what the grammar does not say: numbers that are too large, and other names at an end.
fn who(one: &Diagnostic) -> &'static str {
    match one.code {
        codes::NOT_TAKEN => "by-name",
        codes::MALFORMED_NUMBER | codes::WRONG_END | codes::DUPLICATE | codes::NO_START => {
            "meaning"
        }
        _ => "syntax",
    }
}
