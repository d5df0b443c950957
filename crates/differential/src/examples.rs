//! SPIN's own examples: a list of what it says about each, and Mazurka held against that list.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::compare::{Comparison, compare};
use crate::mazurka;
use crate::outcome::{Counts, Outcome, kinds_text};
use crate::spin::{self, Limits};

/// Where Debian puts the examples.
pub const FOLDER: &str = "/usr/share/doc/spin/examples/Examples";

/// Models not to run, by the end of their path, with the reason.
const LEFT_OUT: &[(&str, &str)] = &[
    ("priorities.pml", "unbounded depth"),
    (
        "p108.pml",
        "needs a larger state vector than pan has by default",
    ),
    ("wordcount.pml", "reads standard input"),
    ("LTL/patterns.pml", "rejected by SPIN"),
];

const HEADER: &str = "\
# What SPIN says about its own examples; made by scripts/spin-examples.
# spin -a -o1 -o2 -o3 && gcc -O2 -DSAFETY -DNOREDUCE -DNOCLAIM pan.c && pan -c0 -n -m2000000
# path\tstates\ttransitions\tkinds of violation
# A line that begins with `!` names a model left out, and why.
";

/// One line of the list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Example {
    /// Relative to the folder of examples.
    pub path: String,
    pub counts: Counts,
}

/// Runs SPIN over every model under `folder` and returns the list as text; `observe` hears of each.
pub fn list(folder: &Path, limits: &Limits, observe: impl Fn(&str)) -> io::Result<String> {
    let mut text = HEADER.to_string();
    let mut left_out = String::new();
    for path in models(folder)? {
        let name = path
            .strip_prefix(folder)
            .unwrap_or(&path)
            .display()
            .to_string();
        match example(&path, &name, limits)? {
            Ok(counts) => {
                let kinds = kinds_text(&counts.kinds);
                let line = format!(
                    "{name}\t{}\t{}\t{kinds}\n",
                    counts.states, counts.transitions
                );
                observe(line.trim_end());
                text.push_str(&line);
            }
            Err(reason) => {
                let line = format!("!{name}\t{reason}\n");
                observe(line.trim_end());
                left_out.push_str(&line);
            }
        }
    }
    text.push_str(&left_out);
    Ok(text)
}

fn example(path: &Path, name: &str, limits: &Limits) -> io::Result<Result<Counts, String>> {
    if let Some((_, reason)) = LEFT_OUT
        .iter()
        .find(|(end, _)| Path::new(name).ends_with(end))
    {
        return Ok(Err(reason.to_string()));
    }
    let model = String::from_utf8_lossy(&fs::read(path)?).into_owned();
    Ok(match spin::verify(&model, path.parent(), limits) {
        Outcome::Counts(counts) if counts.truncated => {
            let why: Vec<&str> = counts.messages.keys().map(String::as_str).collect();
            Err(format!(
                "SPIN does not complete the search: {}",
                why.join("; ")
            ))
        }
        Outcome::Counts(counts) => Ok(counts),
        Outcome::Timeout => Err(format!(
            "SPIN needs more than {} s",
            limits.search.as_secs()
        )),
        other => Err(format!("{other}").replace(['\n', '\t'], " ")),
    })
}

/// Every `.pml` file under `folder`, in order.
fn models(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            found.extend(models(&path)?);
        } else if path.extension().is_some_and(|extension| extension == "pml") {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}

/// Reads a list.
pub fn parse(list: &str) -> Result<Vec<Example>, String> {
    let lines = list
        .lines()
        .filter(|line| !line.starts_with(['#', '!']) && !line.trim().is_empty());
    lines
        .map(|line| {
            let fields: Vec<&str> = line.split('\t').collect();
            let [path, states, transitions, kinds] = fields[..] else {
                return Err(format!("not a line of the list: {line}"));
            };
            let number = |text: &str| {
                text.parse::<u64>()
                    .map_err(|_| format!("not a number in: {line}"))
            };
            let counts = Counts {
                states: number(states)?,
                transitions: number(transitions)?,
                kinds: spin::kinds(kinds),
                ..Counts::default()
            };
            Ok(Example {
                path: path.to_string(),
                counts,
            })
        })
        .collect()
}

/// Runs Mazurka on one example of the list.
pub fn check(example: &Example, folder: &Path, binary: &Path, limit: Duration) -> Comparison {
    let found = mazurka::verify_file(binary, &folder.join(&example.path), limit);
    let found = found.unwrap_or_else(|error| Outcome::Crash(error.to_string()));
    compare(&Outcome::Counts(example.counts.clone()), &found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_its_own_lines() {
        let list = format!(
            "{HEADER}a/b.pml\t12\t20\tassertion,deadlock\nc.pml\t1\t1\t-\n!d.pml\ttoo large\n"
        );
        let examples = parse(&list).unwrap();
        assert_eq!(examples.len(), 2);
        assert_eq!(examples[0].counts.kinds, spin::kinds("deadlock,assertion"));
        assert!(examples[1].counts.kinds.is_empty());
    }
}
