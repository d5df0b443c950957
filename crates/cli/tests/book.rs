//! The book: its commands do what it says, its links lead somewhere, and the page of all commands is as the program has it.
//!
//! `BOOK=overwrite cargo test -p mazurka-cli --test book` writes the outputs and the page of commands anew.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Files that commands of the book name, besides the examples.
const FILES: [(&str, &str); 2] = [
    (
        "broken.pml",
        "byte total;\nactive proctype P() {\n    total++;\n    if :: total > 1 -> skip\n}\n",
    ),
    (
        "typo.pml",
        "byte count;\nactive proctype P() { cuont = 1 }\n",
    ),
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn is_overwriting() -> bool {
    std::env::var_os("BOOK").is_some_and(|value| value == "overwrite")
}

fn chapters() -> Vec<PathBuf> {
    let entries = fs::read_dir(root().join("docs/book")).unwrap();
    let paths = entries.map(|entry| entry.unwrap().path());
    let mut chapters: Vec<PathBuf> = paths
        .filter(|path| path.extension().is_some_and(|extension| extension == "md"))
        .collect();
    chapters.sort();
    chapters
}

fn copy_tree(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        match entry.path().is_dir() {
            true => copy_tree(&entry.path(), &target),
            false => {
                fs::copy(entry.path(), target).unwrap();
            }
        }
    }
}

/// What a line of a shell prints, on both outputs.
fn run(line: &str, folder: &Path) -> String {
    let program = Path::new(env!("CARGO_BIN_EXE_mazurka"));
    let path = std::env::var("PATH").unwrap_or_default();
    let path = format!("{}:{path}", program.parent().unwrap().display());
    let output = Command::new("sh")
        .args(["-c", &format!("{{ {line}\n}} 2>&1")])
        .current_dir(folder)
        .env("PATH", path)
        .env("COLUMNS", "100")
        .env_remove("CLICOLOR_FORCE")
        .output()
        .unwrap();
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// A text without what is another at each run: times, rates and the memory that states take.
fn steady(text: &str) -> String {
    let mut words: Vec<String> = Vec::new();
    for word in text.split(' ') {
        let number = word.trim_start_matches(['(', '~']).replace(',', "");
        words.push(match number.parse::<f64>() {
            Ok(_) => "#".to_string(),
            Err(_) => word.to_string(),
        });
    }
    let units = ["s", "s,", "kB", "MB", "GB", "bytes", "s\n", "kB\n", "MB\n"];
    let mut result = Vec::new();
    for (at, word) in words.iter().enumerate() {
        let is_measured = words.get(at + 1).is_some_and(|unit| {
            let unit = unit.split('\n').next().unwrap_or_default();
            units.contains(&unit)
        });
        let original = text.split(' ').nth(at).unwrap_or_default();
        result.push(match is_measured && word == "#" {
            true => "#".to_string(),
            false => original.to_string(),
        });
    }
    result.join(" ")
}

/// Is this what is expected? A line `...` stands for any lines.
fn fits(expected: &str, found: &str) -> bool {
    let (expected, found) = (steady(expected), steady(found));
    let expected: Vec<&str> = expected.trim_end().lines().map(str::trim_end).collect();
    let found: Vec<&str> = found.trim_end().lines().map(str::trim_end).collect();
    fits_lines(&expected, &found)
}

fn fits_lines(expected: &[&str], found: &[&str]) -> bool {
    match (expected.split_first(), found.split_first()) {
        (None, None) => true,
        (Some((&"...", rest)), _) => {
            (0..=found.len()).any(|skipped| fits_lines(rest, &found[skipped..]))
        }
        (Some((line, rest)), Some((other, others))) => line == other && fits_lines(rest, others),
        _ => false,
    }
}

/// One block of a chapter as the program has it: commands and their outputs.
fn replay(block: &str, folder: &Path, complaints: &mut Vec<String>) -> String {
    let mut result = String::new();
    let mut rest = block;
    while let Some(command) = rest.strip_prefix("$ ") {
        let (line, after) = command.split_once('\n').unwrap_or((command, ""));
        let end = match after.starts_with("$ ") {
            true => 0,
            false => after.find("\n$ ").map_or(after.len(), |at| at + 1),
        };
        let (expected, next) = after.split_at(end);
        result += &format!("$ {line}\n");
        // A command without output is only named, but it must work.
        let found = run(line, folder);
        let is_wrong = found.starts_with("error: ") || found.contains("internal error");
        if expected.trim().is_empty() {
            if is_wrong {
                complaints.push(format!("$ {line}\n{found}"));
            }
            result += expected;
        } else if fits(expected, &found) {
            result += expected;
        } else {
            complaints.push(format!("$ {line}\n{found}"));
            result += found.trim_end();
            result += "\n";
        }
        rest = next;
    }
    result + rest
}

#[test]
fn commands_do_what_the_book_says() {
    let folder = std::env::temp_dir().join(format!("mazurka-book-{}", std::process::id()));
    copy_tree(&root().join("examples"), &folder.join("examples"));
    for (name, text) in FILES {
        fs::write(folder.join(name), text).unwrap();
    }
    // The tutorial is about the model that it begins with.
    let tutorial = fs::read_to_string(root().join("docs/book/tutorial.md")).unwrap();
    let model = tutorial.split("```promela\n").nth(1).unwrap();
    let model = model.split("```").next().unwrap();
    fs::write(folder.join("payment.pml"), model).unwrap();
    let mut complaints = Vec::new();
    for chapter in chapters() {
        if chapter.ends_with("commands.md") {
            continue;
        }
        let text = fs::read_to_string(&chapter).unwrap();
        let mut result = String::new();
        let mut rest = text.as_str();
        while let Some((before, after)) = rest.split_once("```console\n") {
            let (block, next) = after.split_once("```").unwrap();
            let before_count = complaints.len();
            let replayed = match block.starts_with("$ mazurka") {
                true => replay(block, &folder, &mut complaints),
                false => block.to_string(),
            };
            for complaint in &mut complaints[before_count..] {
                *complaint = format!("{}: {complaint}", chapter.display());
            }
            result += &format!("{before}```console\n{replayed}```");
            rest = next;
        }
        result += rest;
        if is_overwriting() {
            fs::write(&chapter, result).unwrap();
        }
    }
    let _ = fs::remove_dir_all(&folder);
    assert!(
        complaints.is_empty() || is_overwriting(),
        "{}",
        complaints.join("\n")
    );
}

/// The page of all commands, made of what the program says of itself.
fn commands_page() -> String {
    let mut page = String::from(
        "# Commands\n\nMade of the definitions of the command line: see `crates/cli/tests/book.rs`. `-h` shows what matters most.\n",
    );
    let overview = run("mazurka --help", &root());
    let listed = overview.split("Commands:\n").nth(1).unwrap();
    let listed = listed.split("\n\n").next().unwrap();
    let names = listed.lines().filter_map(|line| {
        let name = line.strip_prefix("  ")?.split(' ').next()?;
        (!name.is_empty() && name != "help").then_some(name)
    });
    page += &format!("\n## mazurka\n\n```text\n{overview}```\n");
    for name in names {
        // What a compiler is told goes to the compiler.
        let help = match name {
            "cc" | "c++" => run(&format!("mazurka help {name}"), &root()),
            _ => run(&format!("mazurka {name} --help"), &root()),
        };
        let lines: Vec<&str> = help.trim_end().lines().map(str::trim_end).collect();
        page += &format!(
            "\n## mazurka {name}\n\n```text\n{}\n```\n",
            lines.join("\n")
        );
    }
    page
}

#[test]
fn the_page_of_commands_is_current() {
    let path = root().join("docs/book/commands.md");
    let page = commands_page();
    if is_overwriting() {
        fs::write(&path, &page).unwrap();
    }
    let written = fs::read_to_string(&path).unwrap_or_default();
    assert!(
        written == page,
        "docs/book/commands.md is not current: BOOK=overwrite cargo test -p mazurka-cli --test book"
    );
}

/// The targets of the links of a page, without what is inside code.
fn links(text: &str) -> Vec<String> {
    let mut links = Vec::new();
    let mut in_code = false;
    for line in text.lines() {
        if line.trim_start().starts_with("```") {
            in_code = !in_code;
        }
        if in_code || line.starts_with("    ") {
            continue;
        }
        let parts = line.split('`').step_by(2);
        let line: String = parts.collect();
        for part in line.split("](").skip(1) {
            let target = part.split(')').next().unwrap_or_default();
            links.push(target.to_string());
        }
    }
    links
}

/// As a heading is named in a link.
fn anchor(heading: &str) -> String {
    let heading = heading.trim_start_matches('#').trim().to_lowercase();
    let letters = heading.chars().filter_map(|letter| match letter {
        ' ' => Some('-'),
        '-' | '_' => Some(letter),
        letter if letter.is_alphanumeric() => Some(letter),
        _ => None,
    });
    letters.collect()
}

#[test]
fn links_lead_somewhere() {
    let mut pages = chapters();
    for folder in [
        "", "docs", "scripts", "examples", "bench", "editors", "fuzz",
    ] {
        let entries = fs::read_dir(root().join(folder)).unwrap();
        let paths = entries.map(|entry| entry.unwrap().path());
        pages.extend(paths.filter(|path| path.extension().is_some_and(|kind| kind == "md")));
    }
    let mut broken = Vec::new();
    for page in pages {
        let text = fs::read_to_string(&page).unwrap();
        for link in links(&text) {
            if link.contains("://") || link.starts_with("mailto:") || link.is_empty() {
                continue;
            }
            let (file, fragment) = link.split_once('#').unwrap_or((&link, ""));
            let target = match file.is_empty() {
                true => page.clone(),
                false => page.parent().unwrap().join(file),
            };
            let has_fragment = fragment.is_empty()
                || fs::read_to_string(&target).is_ok_and(|text| {
                    let mut headings = text.lines().filter(|line| line.starts_with('#'));
                    headings.any(|heading| anchor(heading) == fragment)
                });
            if !target.exists() || !has_fragment {
                broken.push(format!("{}: {link}", page.display()));
            }
        }
    }
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}

#[test]
fn every_chapter_is_listed() {
    let folder = root().join("docs/book");
    let names = chapters().into_iter().filter_map(|path| {
        let name = path.file_name()?.to_str()?.to_string();
        (name != "README.md" && name != "SUMMARY.md").then_some(name)
    });
    let names: BTreeSet<String> = names.collect();
    for list in ["README.md", "SUMMARY.md"] {
        let text = fs::read_to_string(folder.join(list)).unwrap();
        let listed: BTreeSet<String> = links(&text).into_iter().collect();
        for name in &names {
            assert!(listed.contains(name), "{list} does not have {name}");
        }
    }
}
