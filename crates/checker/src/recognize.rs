//! Which notation a text is in.

use std::path::Path;

use crate::notation::{EFSM, Notation, Promela, SDL, Vfsm, notation_of};

/// The notation of a model: the ending of its name tells, or else its first words. What says nothing else is Promela, as SPIN takes any
/// file.
pub(crate) fn recognize(name: &Path, source: &[u8]) -> &'static dyn Notation {
    let extension = name.extension().and_then(|extension| extension.to_str());
    extension
        .and_then(notation_of)
        .unwrap_or_else(|| by_words(&String::from_utf8_lossy(source)))
}

/// The words that Promela cannot begin with: it has none of them, and a macro would be defined before.
fn by_words(source: &str) -> &'static dyn Notation {
    let mut words = Words(source);
    match words.next().map(str::to_ascii_lowercase).as_deref() {
        // `system NAME;` is a heading here, and `system {` a list there.
        Some("system" | "block" | "package") => match words.0.find([';', '{']) {
            Some(at) if words.0[at..].starts_with(';') => &SDL,
            _ => &EFSM,
        },
        // A part of a system of SDL, or what it uses.
        Some("use" | "process") => &SDL,
        Some("const" | "enum" | "var") => &EFSM,
        Some("network") => &Vfsm,
        // Machines are joined by a network here and by a system there.
        Some("machine") => match words.any(|word| word == "network") {
            true => &Vfsm,
            false => &EFSM,
        },
        _ => &Promela,
    }
}

/// The words and signs of a text without its comments.
struct Words<'a>(&'a str);

impl<'a> Iterator for Words<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        loop {
            let rest = self.0.trim_start();
            let after = |mark: &str| rest.find(mark).map_or("", |at| &rest[at + mark.len()..]);
            if rest.starts_with("/*") {
                self.0 = after("*/");
            } else if rest.starts_with("//") || rest.starts_with("--") {
                self.0 = after("\n");
            } else {
                let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '#';
                let sign = rest.chars().next()?.len_utf8();
                let end = rest.find(|c| !is_part(c)).unwrap_or(rest.len()).max(sign);
                let (word, left) = rest.split_at(end);
                self.0 = left;
                return Some(word);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ending_of_a_name_comes_before_words() {
        let of = |name: &str, text: &str| recognize(Path::new(name), text.as_bytes()).name();
        assert_eq!(of("model.spin", "mtype = { a }"), "promela");
        assert_eq!(of("lift", "/* SDL */ system lift;"), "sdl");
        assert_eq!(of("model.efsm", "mtype = { a }"), "efsm");
    }

    #[test]
    fn first_words_tell() {
        let of = |text: &str| by_words(text).name();
        for (text, name) in [
            ("", "promela"),
            (
                "/* machine */ // system\nactive proctype P() { skip }",
                "promela",
            ),
            ("#define machine proctype\nmachine P() { skip }", "promela"),
            ("/* never closed", "promela"),
            ("++ machine", "promela"),
            ("machine A { state S }\nsystem { A }", "efsm"),
            ("const N = 3\nmachine A {}", "efsm"),
            ("// a comment\nmachine A { }\nnetwork N { }", "vfsm"),
            ("SYSTEM s;\nblock b;", "sdl"),
            ("system { a: A; }\nmachine A {}", "efsm"),
            ("-- a comment\nuse types;\nsystem s;", "sdl"),
            ("/* CIF PROCESS (1, 2) */\nprocess p;\nstart;", "sdl"),
            ("system s; block b; process p; start; nextstate x;", "sdl"),
        ] {
            assert_eq!(of(text), name, "{text}");
        }
    }
}
