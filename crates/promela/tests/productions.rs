//! What `spin -a` accepts is accepted: a small model or two for each production of SPIN's grammar.

use mazurka_promela::{MemoryLoader, compile};
use mazurka_span::{RenderOptions, SourceMap, render};

/// Refused on purpose; docs/spin-differences.md says why.
const REFUSED_HERE: &[&str] = &[
    "c_code",
    "c_decl",
    "c_expr",
    "c_state",
    "c_track",
    "init-twice",
    "len-of-byte",
    "ltl-precedence",
    "ltl-unparenthesised",
    "never-assignment",
    "remote-pid",
    "remote-undefined-variable",
    "run-in-assert",
    "run-in-expression",
    "run-twice-in-expression",
];

/// Accepted though SPIN refuses them; docs/spin-differences.md has the classes.
const ACCEPTED_HERE: &[&str] = &[
    "array-initialiser-negative",
    "channel-assign",
    "channel-size-name",
    "channel-uninitialised",
    "declaration-hides",
    "inline-label",
    "label-like-variable",
    "ltl-next",
    "ltl-probe",
    "mtype-after-use",
    "np-in-process",
    "printm-number",
    "proctype-parameters-hidden",
    "proctype-parameters-trailing",
    "receive-all-parentheses",
    "receive-too-many",
    "scalar-initialiser-list",
    "semicolon-first",
    "send-too-many",
    "struct-array-of-structures-in-message",
    "struct-array-parameter",
    "undeclared-once-declared-later",
    "unless-do-break-in-escape",
    "unsigned-no-width",
    "width-of-byte",
    "width-of-int",
];

#[test]
fn what_spin_accepts_is_accepted() {
    let text = include_str!("productions.txt");
    let (mut complaints, mut count) = (Vec::new(), 0);
    for section in text.split("\n== ").skip(1) {
        let (heading, model) = section.split_once('\n').unwrap_or((section, ""));
        let (name, spin) = heading.split_once(' ').expect("a name and yes or no");
        let wanted = match spin {
            _ if REFUSED_HERE.contains(&name) => false,
            _ if ACCEPTED_HERE.contains(&name) => true,
            spin => spin == "yes",
        };
        let mut map = SourceMap::new();
        let loader = MemoryLoader::default();
        let compiled = compile(&mut map, "model.pml", model.as_bytes(), &[], &loader);
        count += 1;
        match compiled {
            Ok(_) if !wanted => complaints.push(format!("{name}: accepted here, not by SPIN")),
            Err(errors) if wanted => {
                let said = render(&map, &errors, RenderOptions::default());
                complaints.push(format!("{name}: refused here: {said}"));
            }
            _ => {}
        }
    }
    assert!(count > 350, "{count}");
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}
