//! What `std` has and the mirrors lack: the list in the book is the true one.
//!
//! `surface.tsv` is made by `scripts/surface`. `BOOK=overwrite cargo test -p mazurka-actors --test surface` writes the list into the book.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// By module and type of `std`: a file of the mirrors, and how the blocks begin whose methods are those of the type.
fn place_of(module: &str, of: &str) -> (&'static str, Vec<String>) {
    let own = || vec![format!("impl<T> {of}<T> {{"), format!("impl {of} {{")];
    let generic = |what: &str| vec![format!("impl{what} {{")];
    match (module, of) {
        ("sync::atomic", "AtomicBool") => {
            let mut blocks = generic("<T: Word> Atomic<T>");
            blocks.extend(generic(" Atomic<bool>"));
            ("sync/atomic.rs", blocks)
        }
        ("sync::atomic", "AtomicPtr") => ("sync/atomic.rs", generic("<T: Word> Atomic<T>")),
        ("sync::atomic", "") => ("sync/atomic.rs", vec![]),
        ("sync::atomic", _) => {
            let mut blocks = generic("<T: Word> Atomic<T>");
            blocks.push("updates! {".into());
            blocks.push("        impl<T: Number> Atomic<T> {".into());
            ("sync/atomic.rs", blocks)
        }
        ("sync::mpsc", _) => ("sync/mpsc.rs", own()),
        ("sync", "Mutex") => ("sync/mutex.rs", both("Mutex")),
        ("sync", "RwLock") => ("sync/rwlock.rs", both("RwLock")),
        ("sync", "RwLockWriteGuard") => ("sync/rwlock.rs", own()),
        ("sync", "Condvar" | "WaitTimeoutResult") => ("sync/condvar.rs", own()),
        ("sync", "Barrier" | "BarrierWaitResult") => ("sync/barrier.rs", own()),
        ("sync", "LazyLock") => (
            "sync/lazy.rs",
            generic("<T: 'static, F: Fn() -> T> LazyLock<T, F>"),
        ),
        ("sync", _) => ("sync/once.rs", own()),
        ("thread", "LocalKey") => {
            let mut blocks = generic("<T: 'static> LocalKey<T>");
            blocks.extend(generic("<T: 'static> LocalKey<Cell<T>>"));
            blocks.extend(generic("<T: 'static> LocalKey<RefCell<T>>"));
            ("thread/local.rs", blocks)
        }
        ("thread", "Thread") => ("thread/park.rs", own()),
        ("thread", "Scope") => ("thread/scope.rs", generic("<'scope> Scope<'scope, '_>")),
        ("thread", "ScopedJoinHandle") => {
            ("thread/scope.rs", generic("<T> ScopedJoinHandle<'_, T>"))
        }
        ("thread", _) => ("thread.rs", own()),
        _ => ("hint.rs", vec![]),
    }
}

fn both(of: &str) -> Vec<String> {
    vec![
        format!("impl<T> {of}<T> {{"),
        format!("impl<T: ?Sized> {of}<T> {{"),
    ]
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The names that a block of code declares: functions, and lines of the macro of updates.
fn declared(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter_map(|line| {
        let line = line.trim_start();
        let function = (line.strip_prefix("pub fn "))
            .or(line.strip_prefix("pub const fn "))
            .or(line.strip_prefix("pub unsafe fn "));
        let update = line.split_once(" FETCH_").map(|(name, _)| name);
        let name = function.or(update)?;
        Some(name.split(['(', '<']).next().unwrap_or(name))
    })
}

/// The blocks of a file that begin with one of these lines.
fn blocks<'t>(text: &'t str, heads: &[String]) -> Vec<&'t str> {
    let mut found = vec![];
    for head in heads {
        let indent = head.len() - head.trim_start().len();
        let end = format!("\n{}}}\n", " ".repeat(indent));
        for (start, _) in text.match_indices(&format!("\n{head}\n")) {
            let rest = &text[start + 1..];
            found.push(&rest[..rest.find(&end).unwrap_or(rest.len())]);
        }
    }
    found
}

/// What is given on from `std`, in `pub use std::…;`.
fn given_on(text: &str) -> BTreeSet<&str> {
    let uses = text.split("pub use ").skip(1);
    let uses = uses.filter_map(|rest| rest.split_once(';').map(|(names, _)| names));
    uses.flat_map(|names| names.split(|letter: char| !letter.is_alphanumeric() && letter != '_'))
        .collect()
}

fn missing() -> String {
    let mut missing: BTreeMap<(String, String), Vec<String>> = BTreeMap::new();
    for line in include_str!("surface.tsv").lines() {
        let [module, of, name] = line.split('\t').collect::<Vec<_>>()[..] else {
            panic!("{line}");
        };
        let (file, heads) = place_of(module, of);
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src").join(file);
        let text = std::fs::read_to_string(source).unwrap();
        let is_there = match of {
            "" => declared(&text)
                .chain(given_on(&text))
                .any(|known| known == name),
            _ => {
                let blocks = blocks(&text, &heads);
                blocks
                    .iter()
                    .any(|block| declared(block).any(|known| known == name))
            }
        };
        if !is_there {
            // The numbers lack the same.
            let of = match of
                .strip_prefix("Atomic")
                .filter(|rest| !["Bool", "Ptr"].contains(rest))
            {
                Some(_) => "atomic numbers".to_string(),
                None => of.to_string(),
            };
            let names = missing.entry((module.to_string(), of)).or_default();
            if !names.contains(&name.to_string()) {
                names.push(name.to_string());
            }
        }
    }
    let mut list = String::new();
    for ((module, of), names) in missing {
        let of = if of.is_empty() {
            "functions".into()
        } else {
            of
        };
        let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
        list += &format!("- `{module}`, {of}: {}\n", names.join(", "));
    }
    list
}

#[test]
fn the_book_says_what_is_missing() {
    const BEGIN: &str = "<!-- surface -->\n";
    const END: &str = "<!-- end of surface -->";
    let path = root().join("docs/book/loom.md");
    let page = std::fs::read_to_string(&path).unwrap();
    let (before, rest) = page.split_once(BEGIN).expect("a place for the list");
    let (said, after) = rest.split_once(END).expect("its end");
    let missing = missing();
    if std::env::var_os("BOOK").is_some_and(|value| value == "overwrite") {
        let page = format!("{before}{BEGIN}{missing}{END}{after}");
        std::fs::write(&path, page).unwrap();
        return;
    }
    assert_eq!(said, missing);
}
