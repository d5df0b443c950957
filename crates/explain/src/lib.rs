//! What the diagnostics of all notations mean, the kinds of violation, and the verdicts.
//!
//! Each code of the tables of the front ends has a page: what it means, an example that earns it and often one that does not. The pages
//! are in `pages`, one file for each notation, one for the kinds of violation and one for the verdicts; a test compiles or checks every
//! example.
//!
//! ```
//! let page = mazurka_explain::explain("p0100").unwrap();
//! assert!(page.to_string().starts_with("P0100: a name that is not declared\n"));
//! ```

#![forbid(unsafe_code)]
#![deny(missing_docs)]

mod spin;

use std::fmt;

use mazurka_span::Code;

pub use spin::option_of_spin;

/// The pages of a notation and the tables that they are about.
const NOTATIONS: [(&str, &str, &[&[Code]]); 4] = [
    (
        "promela",
        include_str!("../pages/promela.md"),
        &[
            mazurka_promela::codes::ALL,
            mazurka_promela::MEANINGS,
            mazurka_promela::LINTS,
        ],
    ),
    (
        "vfsm",
        include_str!("../pages/vfsm.md"),
        &[mazurka_vfsm::codes::ALL],
    ),
    (
        "efsm",
        include_str!("../pages/efsm.md"),
        &[mazurka_efsm::codes::ALL],
    ),
    (
        "sdl",
        include_str!("../pages/sdl.md"),
        &[mazurka_sdl::codes::ALL],
    ),
];

/// The pages of the kinds of violation.
const VIOLATIONS: &str = include_str!("../pages/violations.md");

/// The pages of verdicts, and of what else a report says of a model.
const VERDICTS: &str = include_str!("../pages/verdicts.md");

/// What a diagnostic, a kind of violation or a verdict means.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Page {
    /// Its code.
    pub code: Code,
    /// The notation that it belongs to; of a kind of violation, `violations`, and of a verdict, `verdicts`.
    pub notation: &'static str,
    /// The page without its heading, as Markdown: examples are in fences that say `wrong` or `right`.
    pub text: &'static str,
}

/// The page of a code, in capitals or not, of a kind of violation or of a verdict, whose words may be apart as in a report.
pub fn explain(code: &str) -> Option<Page> {
    let code = code.trim().replace(' ', "-");
    let mut known = all();
    known.find(|page| page.code.id.eq_ignore_ascii_case(&code))
}

/// Every page.
fn all() -> impl Iterator<Item = Page> {
    pages().chain(named())
}

/// Those of what has a name instead of a code.
fn named() -> impl Iterator<Item = Page> {
    violations().chain(verdicts())
}

/// The same, or a sentence that says that there is no such page, and what may have been meant.
pub fn page(code: &str) -> Result<Page, String> {
    explain(code).ok_or_else(|| {
        let hint = nearest(code).map_or(String::new(), |near| format!("did you mean {near}? "));
        format!(
            "there is no diagnostic, violation or verdict {code}; {hint}`mazurka explain` lists them"
        )
    })
}

/// A line for each page.
pub fn list() -> String {
    let lines = all().map(|page| format!("{}  {}\n", page.code.id, page.code.summary));
    lines.collect()
}

/// What somebody may have meant who asks for a page that there is not: the one name or code that begins so, or the nearest.
pub fn nearest(code: &str) -> Option<&'static str> {
    let known = all().map(|page| page.code.id);
    let mut beginning = known.filter(|id| {
        let beginning = id.get(..code.len());
        beginning.is_some_and(|beginning| beginning.eq_ignore_ascii_case(code))
    });
    match (beginning.next(), beginning.next()) {
        (Some(only), None) => Some(only),
        // A code is near to many others, which mean something else.
        _ => {
            let names = named().map(|page| page.code.id);
            mazurka_span::nearest(&code.to_ascii_lowercase(), names)
        }
    }
}

/// The pages of the kinds of violation, as reports name them.
pub fn violations() -> impl Iterator<Item = Page> {
    with_summaries("violations", VIOLATIONS)
}

/// The pages of verdicts, and of what else a report says: statements that were not reached, formulas that hold vacuously.
pub fn verdicts() -> impl Iterator<Item = Page> {
    with_summaries("verdicts", VERDICTS)
}

/// Pages whose headings are a name and what it says in short.
fn with_summaries(notation: &'static str, text: &'static str) -> impl Iterator<Item = Page> {
    text.split("\n## ").skip(1).map(move |section| {
        let (heading, text) = section.split_once('\n').unwrap_or((section, ""));
        let (id, summary) = heading.split_once(": ").unwrap_or((heading, ""));
        Page {
            code: Code { id, summary },
            notation,
            text: text.trim(),
        }
    })
}

/// The pages of all diagnostics, in the order of their codes within each notation.
pub fn pages() -> impl Iterator<Item = Page> {
    NOTATIONS.into_iter().flat_map(|(notation, text, tables)| {
        let codes = tables.iter().copied().flatten();
        codes.map(move |code| Page {
            code: *code,
            notation,
            text: section(text, code.id).unwrap_or_default(),
        })
    })
}

/// What stands under a heading.
fn section<'a>(text: &'a str, heading: &str) -> Option<&'a str> {
    let mut sections = text.split("\n## ").skip(1);
    sections
        .find_map(|section| section.strip_prefix(heading)?.strip_prefix('\n'))
        .map(str::trim)
}

/// As people read it in a terminal.
impl fmt::Display for Page {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(out, "{}: {}\n", self.code.id, self.code.summary)?;
        let mut in_example = false;
        for line in self.text.lines() {
            match line.strip_prefix("```") {
                Some("") => in_example = false,
                Some(kind) => {
                    in_example = true;
                    let (word, rest) = kind.split_once(' ').unwrap_or((kind, ""));
                    let heading = if word == "wrong" {
                        "For example"
                    } else {
                        "Instead"
                    };
                    let space = if rest.is_empty() { "" } else { " " };
                    writeln!(out, "{heading}{space}{rest}:\n")?;
                }
                None if in_example => writeln!(out, "    {line}")?,
                None => writeln!(out, "{line}")?,
            }
        }
        Ok(())
    }
}
