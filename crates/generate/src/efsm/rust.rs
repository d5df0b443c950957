//! A system as Rust: `src/network.rs` has the machines and the run-time, `src/trace.rs` what happens as text, `src/mapping.rs` what a
//! person fills in.

mod effect;
mod trace;

use mazurka_model::{Kind, PlaceId, ReceiveId, Variable};

use super::expression::{Value, Writer, number, of_kind};
use super::ids::{Ids, Reserved};
use super::layout::{Layout, is_port, range};
use crate::code::{Code, add};
use crate::folder::{Folder, MARK};

const MAIN: &str = include_str!("../assets/main.rs");
const CARGO: &str = include_str!("../assets/Cargo.toml.txt");

/// Names and forms that come from the model are kept as they are.
const ALLOWED: &str = "#![allow(non_upper_case_globals, non_snake_case, non_camel_case_types, dead_code, unused_variables, unused_mut, unused_parens, unused_assignments)]
#![allow(unreachable_code, unreachable_patterns, unused_comparisons)]
#![allow(clippy::single_match, clippy::match_single_binding, clippy::identity_op, clippy::needless_return, clippy::nonminimal_bool, clippy::eq_op)]
#![allow(clippy::collapsible_else_if, clippy::collapsible_if, clippy::overly_complex_bool_expr, clippy::erasing_op, clippy::self_assignment)]
#![allow(clippy::manual_range_contains, clippy::too_many_arguments, clippy::match_like_matches_macro, clippy::int_plus_one, clippy::double_parens)]
#![allow(clippy::if_same_then_else, clippy::bool_comparison, clippy::neg_multiply, clippy::precedence, clippy::modulo_one, clippy::new_without_default)]
#![allow(clippy::upper_case_acronyms, clippy::assign_op_pattern, clippy::while_let_loop, clippy::needless_bool, clippy::absurd_extreme_comparisons)]
#![allow(clippy::useless_conversion, clippy::implicit_saturating_sub, clippy::never_loop, clippy::needless_late_init, clippy::zero_prefixed_literal)]";

const RESERVED: Reserved = Reserved {
    words: &[
        "as", "async", "await", "break", "const", "continue", "crate", "dyn", "else", "enum",
        "extern", "false", "fn", "for", "gen", "if", "impl", "in", "let", "loop", "match", "mod",
        "move", "mut", "pub", "ref", "return", "self", "Self", "static", "struct", "super",
        "trait", "true", "try", "type", "unsafe", "use", "where", "while", "abstract", "become",
        "box", "do", "final", "macro", "override", "priv", "typeof", "unsized", "virtual", "yield",
        "union", "raw", "safe", "_",
    ],
    taken: &[
        "MOVERS",
        "PORTS",
        "PORT_PLACES",
        "SLOTS",
        "MOST_EXECUTABLE",
        "bit_and",
        "bit_or",
        "bit_xor",
        "shift_left",
        "shift_right",
        "rest_of",
        "has_room",
        "is_empty",
        "has_message",
        "is_full",
        "can_move",
        "choose",
    ],
    types: &[
        "Network",
        "Message",
        "Failure",
        "Mapping",
        "Shared",
        "M",
        "Clone",
        "Copy",
        "PartialEq",
        "Eq",
        "Debug",
        "Default",
        "bool",
        "u8",
        "i8",
        "u16",
        "i16",
        "u32",
        "i32",
        "u64",
        "i64",
        "usize",
        "isize",
        "str",
        "char",
        "f32",
        "f64",
        "u128",
        "i128",
    ],
    members: &[
        "shared", "head", "length", "slots", "failure", "noticed", "mapping",
    ],
};

/// The folder with the code.
pub(super) fn folder(layout: &Layout<'_>) -> Folder {
    let export = Export {
        layout,
        ids: Ids::new(layout, &RESERVED),
    };
    let mut folder = Folder::default();
    folder.ours("src/network.rs", export.source());
    let (template, functions) = export.template();
    folder.template("src/mapping.rs", template, functions);
    folder.ours("src/trace.rs", export.trace());
    folder.ours("src/main.rs", MAIN.into());
    folder.ours("Cargo.toml", CARGO.into());
    folder
}

struct Export<'l, 'p> {
    layout: &'l Layout<'p>,
    ids: Ids,
}

/// The type of a variable.
fn type_of(kind: Kind) -> &'static str {
    match kind {
        Kind::Bit | Kind::Byte => "u8",
        Kind::Short => "i16",
        _ => "i32",
    }
}

/// A value as it is stored in a variable of a kind.
fn stored(kind: Kind, value: &Value) -> String {
    let (least, greatest) = range(kind);
    let fits = least <= value.least && value.greatest <= greatest;
    if let Some(literal) = value.literal() {
        return kind.cast(literal).to_string();
    }
    match kind {
        Kind::Bit if !fits => format!("(({}) & 1) as u8", value.text),
        Kind::Bit | Kind::Byte => format!("({}) as u8", value.text),
        Kind::Short => format!("({}) as i16", value.text),
        _ => value.text.clone(),
    }
}

impl Writer for Export<'_, '_> {
    fn layout(&self) -> &Layout<'_> {
        self.layout
    }

    fn place(&self, scope: Option<usize>, place: PlaceId) -> Value {
        let (text, kind, faults) = self.spot(scope, place);
        let Some(kind) = kind else {
            return Value::number(text, 1, self.layout.ports.len() as i64);
        };
        let text = match type_of(kind) {
            "i32" => text,
            _ => format!("i32::from({text})"),
        };
        of_kind(text, kind).faulting(faults)
    }

    fn call(&self, function: &str, arguments: &[&str]) -> String {
        match arguments.split_first() {
            Some((&"net", rest)) => format!("self.{function}({})", rest.join(", ")),
            _ => format!("{function}({})", arguments.join(", ")),
        }
    }

    fn number_of_truth(&self, truth: &str) -> String {
        format!("i32::from({truth})")
    }

    fn conditional(&self, condition: &str, yes: &str, no: &str) -> String {
        format!("if {condition} {{ {yes} }} else {{ {no} }}")
    }

    fn begins(&self, scope: Option<usize>, receive: ReceiveId, channel: &str, tag: i32) -> String {
        let message = self.ids.message(self.layout, scope, receive, tag);
        format!("self.begins({channel}, {message})")
    }

    fn field(&self, channel: &str, field: usize) -> String {
        format!("self.first({channel}).field[{field}]")
    }
}

impl Export<'_, '_> {
    /// Where a variable or an element of one is, and its kind; none for a port, whose number it then is. May it be nowhere?
    fn spot(&self, scope: Option<usize>, place: PlaceId) -> (String, Option<Kind>, bool) {
        let program = self.layout.program;
        let described = &program.places[place.index()];
        let (is_shared, variable, element) = self.layout.variable(scope, described);
        let machine = scope.unwrap_or(0);
        let (known, name): (&Variable, String) = match is_shared {
            true => (
                &program.shared[variable],
                format!("self.shared.{}", self.ids.shared[variable]),
            ),
            false => {
                let known = &program.process_types[machine].variables[variable];
                let ids = &self.ids.machines[machine];
                let name = &ids.variables[variable];
                if is_port(known) {
                    return (format!("{name}(number)"), None, false);
                }
                (known, format!("self.{}[number].{name}", ids.member))
            }
        };
        let mut faults = false;
        let text = match (known.length, described.indices.is_empty()) {
            (None, _) => name,
            (Some(_), true) => format!("{name}[{element}]"),
            (Some(length), false) => {
                let index = &program.indices[described.indices.start as usize];
                let index = number(self, scope, index.expression);
                let fits = index.least >= 0 && index.greatest < i64::from(length) && !index.faults;
                faults = !fits;
                match fits {
                    true => format!("{name}[({}) as usize]", index.text),
                    false => format!("{name}[at({}, {length}, fault)]", index.text),
                }
            }
        };
        (text, Some(known.kind), faults)
    }

    fn begin(&self, what: &str) -> Code {
        let mut code = Code::default();
        add!(code, "//! {}: {what} {MARK}", self.layout.name);
        code.add(ALLOWED);
        code.add("");
        code
    }

    /// The statement of a transition, in a comment.
    fn told(&self, transition: u32) -> String {
        let program = self.layout.program;
        let statement = program.transitions[transition as usize].statement;
        let text = &program.statements[statement.index()].text;
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    /// The functions that a person fills in: what is said of each, its name, its parameters and what it does at first.
    fn functions(&self, machine: usize) -> [Function; 2] {
        let ids = &self.ids.machines[machine];
        let name = &self.layout.program.process_types[machine].name;
        [
            Function {
                comment: format!(
                    "Several transitions of a {name} are executable: which is taken? The place of one in the list."
                ),
                name: ids.choose.clone(),
                parameters: ["number: usize", "transitions: &[usize]"],
                returns: " -> usize",
                body: "self.runner.choose(transitions.len())",
            },
            Function {
                comment: format!("A {name} has taken a transition."),
                name: ids.moved.clone(),
                parameters: ["number: usize", "transition: usize"],
                returns: "",
                body: "",
            },
        ]
    }

    fn template(&self) -> (String, Vec<String>) {
        let mut code = Code::default();
        add!(
            code,
            "//! {}: what machines choose and what they do to the world. Yours: an export never replaces this file.",
            self.layout.name
        );
        code.add("\n#![allow(non_snake_case)]\n\nuse crate::network::Mapping;\n");
        code.add("/// Whoever runs the network.\npub trait Runner {\n/// A number below `count`.\nfn choose(&mut self, count: usize) -> usize;\n}\n");
        code.add(
            "/// What the machines act on.\npub struct World<R> {\npub runner: R,\n}\n\nimpl<R: Runner> Mapping for World<R> {",
        );
        let mut names = Vec::new();
        let mut before = "";
        for (machine, _) in self.layout.machines() {
            for function in self.functions(machine) {
                let mut signature = function.signature();
                for parameter in ["number", "transition"] {
                    let (used, unused) = (
                        format!("{parameter}: usize"),
                        format!("_{parameter}: usize"),
                    );
                    signature = signature.replace(&used, &unused);
                }
                add!(code, "{before}/// {}", function.comment);
                match function.body {
                    "" => add!(code, "{signature} {{}}"),
                    body => add!(code, "{signature} {{\n{body}\n}}"),
                }
                names.push(function.name);
                before = "\n";
            }
        }
        code.add("}");
        (code.into_text(), names)
    }
}

/// A function that a person fills in.
struct Function {
    comment: String,
    name: String,
    parameters: [&'static str; 2],
    returns: &'static str,
    body: &'static str,
}

impl Function {
    fn signature(&self) -> String {
        let [first, second] = self.parameters;
        format!(
            "fn {}(&mut self, {first}, {second}){}",
            self.name, self.returns
        )
    }
}
