//! What is wrong with the names of a model whose syntax is wrong too.
//!
//! One mistake should not hide another. But a declaration that could not be read must not make every use of its names an error, so a
//! name is called unknown only if nothing in the text looks like its declaration.

use std::collections::HashSet;

use mazurka_span::{Code, Diagnostic, SourceMap, Span, has_errors};

use crate::ast::Model;
use crate::{codes, lower};

/// What is told about names.
const ABOUT_NAMES: [Code; 4] = [
    lower::problem::UNDECLARED,
    lower::problem::NO_SUCH_FIELD,
    lower::problem::UNKNOWN_PROCTYPE,
    lower::problem::UNKNOWN_LABEL,
];

/// Words after which a name is used, not declared.
const BEFORE_USES: [&str; 16] = [
    "run", "goto", "assert", "return", "else", "do", "if", "od", "fi", "unless", "eval", "in",
    "provided", "skip", "break", "timeout",
];

/// Adds what is wrong with names to what is wrong with the syntax.
pub(crate) fn add_names(map: &SourceMap, model: &Model, diagnostics: &mut Vec<Diagnostic>) {
    // What the preprocessor did not find may have held any declaration.
    let of_preprocessor = codes::INCLUDE_NOT_FOUND.id..=codes::BAD_PASTE.id;
    let is_cut = |known: &Diagnostic| known.is_error() && of_preprocessor.contains(&known.code.id);
    if !has_errors(diagnostics) || diagnostics.iter().any(is_cut) {
        return;
    }
    let mut found = Vec::new();
    lower::lower(map, model, &mut found);
    found.retain(|known| known.is_error() && ABOUT_NAMES.contains(&known.code));
    if found.is_empty() {
        return;
    }
    let declared = declared(map);
    // What is wrong by its syntax is told once.
    let told: HashSet<Span> = diagnostics.iter().map(|known| known.primary.span).collect();
    let is_unknown = |known: &Diagnostic| {
        let span = known.primary.span;
        !told.contains(&span) && !declared.contains(map.text(span))
    };
    diagnostics.extend(found.into_iter().filter(is_unknown));
}

/// The names that look declared: after another word, in a list, before a colon.
fn declared(map: &SourceMap) -> HashSet<&str> {
    let mut declared = HashSet::new();
    for file in map.files() {
        let tokens = tokens(file.text());
        for (at, (token, line)) in tokens.iter().enumerate() {
            if !is_word(token) {
                continue;
            }
            let before = at.checked_sub(1).map_or("", |before| tokens[before].0);
            let after = tokens.get(at + 1).map_or("", |after| after.0);
            // A word at the end of the line before belongs to another statement: nobody breaks a declaration there.
            let follows = at > 0 && tokens[at - 1].1 == *line && is_word(before);
            let in_list =
                matches!(before, "," | "{") && matches!(after, "," | "}" | "=" | "[" | ";");
            let in_list = in_list && (before == "," || after != "=");
            if follows && !BEFORE_USES.contains(&before) || in_list || after == ":" {
                declared.insert(*token);
            }
        }
    }
    declared
}

fn is_word(token: &str) -> bool {
    token.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
}

/// Words and single characters with their lines, without spaces, comments and what is quoted.
fn tokens(text: &str) -> Vec<(&str, usize)> {
    let mut tokens = Vec::new();
    let (mut rest, mut line) = (text, 0);
    while let Some(first) = rest.chars().next() {
        let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let length = if is_part(first) {
            rest.find(|c| !is_part(c)).unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            rest.find("*/").map_or(rest.len(), |end| end + 2)
        } else if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if first == '"' {
            let end = rest[1..].find(['"', '\n']);
            end.map_or(rest.len(), |end| end + 2)
        } else {
            first.len_utf8()
        };
        let (token, after) = rest.split_at(length);
        let is_comment = token.starts_with("/*") || token.starts_with("//");
        if !is_comment && first != '"' && !first.is_whitespace() {
            tokens.push((token, line));
        }
        line += token.matches('\n').count();
        rest = after;
    }
    tokens
}

#[cfg(test)]
mod tests {
    use mazurka_span::SourceMap;

    use crate::{MemoryLoader, compile};

    /// The codes that a text earns, with the text that each is about.
    fn told(text: &str) -> Vec<String> {
        let mut map = SourceMap::new();
        let loader = MemoryLoader::default();
        let wrong = compile(&mut map, "m.pml", text.as_bytes(), &[], &loader).unwrap_err();
        let told = wrong.iter();
        told.map(|known| format!("{} {}", known.code, map.text(known.primary.span)))
            .collect()
    }

    #[test]
    fn syntax_does_not_hide_names() {
        assert_eq!(
            told("byte count; init { count = ; cuont = 1 }"),
            ["P0030 ;", "P0100 cuont"]
        );
        assert_eq!(
            told("proctype P() { skip } init { 1 2; run Q(); goto L }"),
            ["P0030 2", "P0110 Q", "P0113 L"]
        );
        assert_eq!(told("byte x; init { asert(x) }"), ["P0043 asert"]);
        // Neither what is quoted nor the end of the line before declares anything.
        assert_eq!(
            told("byte x; init { printf(\"the total is\"); x = total; x = ; }"),
            ["P0100 total", "P0030 ;"]
        );
        assert_eq!(
            told("byte x, y; init {\n x = ;\n x = y\n totl = 1 }"),
            ["P0030 ;", "P0100 totl"]
        );
    }

    #[test]
    fn what_could_not_be_read_is_not_unknown() {
        for text in [
            "byte a b; init { a = 1; b = 2 }",
            "mtype = { red; green }; init { byte x; x = red }",
            "#include \"x.h\"\ninit { x = 1 }",
        ] {
            let told = told(text);
            assert!(
                told.iter().all(|known| known.starts_with("P00")),
                "{told:?}"
            );
        }
    }
}
