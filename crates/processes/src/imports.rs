//! Functions of other libraries that a threaded program calls: what they do to memory is not seen.

use std::collections::HashSet;
use std::ffi::OsStr;
use std::process::Command;

use crate::symbols::ask;

/// How many are named.
const NAMED: usize = 6;

/// What there is to say about the functions that a program takes from libraries that nobody instrumented; nothing if it takes none
/// that uses memory of the program.
pub(crate) fn unseen(program: &OsStr) -> Option<String> {
    let listed = ask(
        Command::new("nm")
            .args(["-D", "--undefined-only"])
            .arg(program),
        "",
    );
    let names = listed
        .lines()
        .filter_map(|line| line.split(' ').next_back());
    let names = names.map(|name| name.split('@').next().unwrap_or(name));
    let mut unseen: Vec<&str> = names.filter(|name| is_unseen(name)).collect();
    if !unseen.is_empty() {
        let seen = seen_elsewhere(program);
        unseen.retain(|name| !seen.contains(*name));
    }
    let is_cpp = |name: &&str| name.starts_with("_Z");
    let has_cpp = unseen.iter().any(is_cpp);
    unseen.retain(|name| !is_cpp(name));
    unseen.sort_unstable();
    unseen.dedup();
    let mut words: Vec<String> = unseen
        .iter()
        .take(NAMED)
        .map(|name| (*name).into())
        .collect();
    if unseen.len() > NAMED {
        words.push(format!("{} more", unseen.len() - NAMED));
    }
    if has_cpp {
        words.push("functions of the C++ library".into());
    }
    let words = words.join(", ");
    (!words.is_empty()).then(|| format!("what these do to memory was not looked at: {words}"))
}

/// What there is to say of how a program was compiled, which what is equivalent depends on.
pub(crate) fn level(program: &OsStr) -> Option<String> {
    let sections = ask(Command::new("readelf").arg("-SW").arg(program), "");
    let words = "it was compiled with optimization, so accesses that the compiler has merged or left out are not seen";
    sections
        .contains(" mazurka_optimized ")
        .then(|| words.into())
}

/// The functions of the libraries among those that the program is linked with that are instrumented as well.
fn seen_elsewhere(program: &OsStr) -> HashSet<String> {
    let libraries = ask(Command::new("ldd").arg(program), "");
    let paths = libraries
        .lines()
        .filter_map(|line| line.split_whitespace().find(|word| word.contains('/')));
    let mut seen = HashSet::new();
    for path in paths {
        let listed = ask(Command::new("nm").arg("-D").arg(path), "");
        if !listed.contains(" U __tsan_") {
            continue;
        }
        let names =
            listed
                .lines()
                .filter_map(|line| match *line.split_whitespace().collect::<Vec<_>>() {
                    [_, "T" | "W", name] => name.split('@').next(),
                    _ => None,
                });
        seen.extend(names.map(String::from));
    }
    seen
}

fn is_unseen(name: &str) -> bool {
    // Ours may be missing: a mark that no file of the program has.
    crate::library::known(name).is_none() && !name.starts_with("mazurka_")
}

#[cfg(test)]
mod tests {
    use super::is_unseen;

    #[test]
    fn what_uses_memory_is_told() {
        assert!(is_unseen("deflate") && is_unseen("BZ2_bzCompress"));
        for known in [
            "exit",
            "memcpy",
            "sigismember",
            "__cxa_throw",
            "_Znwm",
            "_ZdlPvm",
        ] {
            assert!(!is_unseen(known), "{known}");
        }
    }
}
