//! A system as C99.

mod effect;
mod trace;

use mazurka_model::{Base, Kind, PlaceId, ReceiveId, Variable};

use super::expression::{Value, Writer, number, of_kind};
use super::ids::{Ids, Reserved};
use super::layout::{Layout, is_port};
use crate::code::{Code, add};
use crate::folder::{Folder, MARK};

const MAIN: &str = include_str!("../assets/main.c");
const TRACE: &str = include_str!("../assets/trace.h");
const MAKEFILE: &str = include_str!("../assets/Makefile");
const EXPLORE: &str = include_str!("../assets/explore.c");

/// What the run-time and the C library call their own.
const TAKEN: &[&str] = &[
    "network_failure",
    "network_message",
    "network_can_move",
    "network_choose",
    "network_init",
    "network_move",
    "network_may_end",
    "network_fine",
    "network_overflow",
    "network_unexpected_input",
    "network_assertion",
    "network_runtime_error",
    "network_wrong_choice",
    "int8_t",
    "int16_t",
    "int32_t",
    "int64_t",
    "uint8_t",
    "uint16_t",
    "uint32_t",
    "uint64_t",
    "intptr_t",
    "uintptr_t",
    "intmax_t",
    "uintmax_t",
    "size_t",
    "ptrdiff_t",
    "wchar_t",
    "max_align_t",
    "bit_and",
    "bit_or",
    "bit_xor",
    "shift_left",
    "shift_right",
    "has_room",
    "comes_after",
    "is_empty",
    "has_message",
    "is_full",
];

/// Words of C, which no member of a structure can have for its name.
const WORDS: &[&str] = &[
    "auto", "break", "case", "char", "const", "continue", "default", "do", "double", "else",
    "enum", "extern", "float", "for", "goto", "if", "inline", "int", "long", "register",
    "restrict", "return", "short", "signed", "sizeof", "static", "struct", "switch", "typedef",
    "union", "unsigned", "void", "volatile", "while", "bool", "true", "false", "asm", "typeof",
    "linux", "unix",
];

/// Members of the network that are not those of the system.
const MEMBERS: &[&str] = &[
    "shared", "head", "length", "slots", "failure", "noticed", "choose", "moved", "user",
];

const RESERVED: Reserved = Reserved {
    words: WORDS,
    taken: TAKEN,
    types: &[],
    members: MEMBERS,
};

/// The folder with the code.
pub(super) fn folder(layout: &Layout<'_>) -> Folder {
    let export = Export {
        layout,
        ids: Ids::new(layout, &RESERVED),
    };
    let mut folder = Folder::default();
    folder.ours("network.h", export.header());
    folder.ours("network.c", export.source());
    folder.ours("mapping.h", export.mapping_header());
    let (template, functions) = export.template();
    folder.template("mapping.c", template, functions);
    folder.ours("trace.h", TRACE.into());
    folder.ours("trace.c", export.trace());
    folder.ours("main.c", MAIN.into());
    folder.ours("explore.c", EXPLORE.into());
    folder.ours("Makefile", MAKEFILE.into());
    folder
}

struct Export<'l, 'p> {
    layout: &'l Layout<'p>,
    ids: Ids,
}

/// The type of a variable.
fn type_of(kind: Kind) -> &'static str {
    match kind {
        Kind::Bit | Kind::Byte => "uint8_t",
        Kind::Short => "int16_t",
        _ => "int32_t",
    }
}

/// A value as it is stored in a variable of a kind.
fn stored(kind: Kind, value: &Value) -> String {
    let (least, greatest) = super::layout::range(kind);
    let fits = least <= value.least && value.greatest <= greatest;
    match kind {
        Kind::Bit if !fits => format!("(uint8_t)(({}) & 1)", value.text),
        Kind::Bit | Kind::Byte => format!("(uint8_t)({})", value.text),
        Kind::Short => format!("(int16_t)({})", value.text),
        _ => value.text.clone(),
    }
}

impl Writer for Export<'_, '_> {
    fn layout(&self) -> &Layout<'_> {
        self.layout
    }

    fn place(&self, scope: Option<usize>, place: PlaceId) -> Value {
        let program = self.layout.program;
        let described = &program.places[place.index()];
        let (is_shared, variable, element) = self.layout.variable(scope, described);
        let machine = scope.unwrap_or(0);
        let (known, name): (&Variable, String) = match is_shared {
            true => (
                &program.shared[variable],
                format!("net->shared.{}", self.ids.shared[variable]),
            ),
            false => {
                let known = &program.process_types[machine].variables[variable];
                let name = &self.ids.machines[machine].variables[variable];
                if is_port(known) {
                    return Value::number(
                        format!("{name}(number)"),
                        1,
                        self.layout.ports.len() as i64,
                    );
                }
                (known, format!("me->{name}"))
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
                    true => format!("{name}[{}]", index.text),
                    false => format!("{name}[at({}, {length}, fault)]", index.text),
                }
            }
        };
        debug_assert!(matches!(described.base, Base::Shared | Base::Local));
        of_kind(text, known.kind).faulting(faults)
    }

    fn call(&self, function: &str, arguments: &[&str]) -> String {
        format!("{function}({})", arguments.join(", "))
    }

    fn number_of_truth(&self, truth: &str) -> String {
        format!("({truth} ? 1 : 0)")
    }

    fn conditional(&self, condition: &str, yes: &str, no: &str) -> String {
        format!("{condition} ? {yes} : {no}")
    }

    fn begins(&self, scope: Option<usize>, receive: ReceiveId, channel: &str, tag: i32) -> String {
        let message = self.ids.message(self.layout, scope, receive, tag);
        format!("begins(net, {channel}, {message})")
    }

    fn field(&self, channel: &str, field: usize) -> String {
        format!("first(net, {channel})->field[{field}]")
    }
}

impl Export<'_, '_> {
    fn begin(&self, what: &str) -> Code {
        let mut code = Code::default();
        add!(code, "/* {}: {what} {MARK} */", self.layout.name);
        code
    }

    /// The statement of a transition, in a comment.
    fn told(&self, transition: u32) -> String {
        let program = self.layout.program;
        let statement = program.transitions[transition as usize].statement;
        let text = &program.statements[statement.index()].text;
        text.replace("*/", "* /").replace("/*", "/ *")
    }

    fn header(&self) -> String {
        let (layout, ids) = (self.layout, &self.ids);
        let program = layout.program;
        let mut code = self.begin("the machines.");
        code.add(
            "#ifndef NETWORK_H\n#define NETWORK_H\n\n#include <stdbool.h>\n#include <stdint.h>\n",
        );
        let mut shown = Vec::new();
        for (number, count) in layout.machines() {
            let (machine, of_machine) = (&program.process_types[number], &ids.machines[number]);
            add!(
                code,
                "/* {}: the states. */\nenum {{\n{}\n}};\n",
                machine.name,
                of_machine.states.join(",\n")
            );
            if !of_machine.transitions.is_empty() {
                add!(code, "/* {}: the transitions. */\nenum {{", machine.name);
                let last = of_machine.transitions.len() - 1;
                for (position, transition) in layout.transitions(number).enumerate() {
                    let end = if position == last { "" } else { "," };
                    add!(
                        code,
                        "{}{end} /* {} */",
                        of_machine.transitions[position],
                        self.told(transition)
                    );
                }
                code.add("};\n");
            }
            for (variable, name) in machine.variables.iter().zip(&of_machine.variables) {
                if is_port(variable) {
                    let position = machine
                        .variables
                        .iter()
                        .position(|v| v.offset == variable.offset);
                    let (first, step) = layout.port(number, position.unwrap_or(0));
                    let channel_type = layout.ports[first as usize - 1];
                    let messages = &ids.messages[channel_type];
                    add!(
                        code,
                        "/* The number of a port of an instance, and what it takes. */"
                    );
                    add!(
                        code,
                        "#define {name}(number) ({first} + (int32_t)(number) * {step})"
                    );
                    if !messages.is_empty() && !shown.contains(&channel_type) {
                        shown.push(channel_type);
                        let (first, rest) = (&messages[0], messages[1..].iter());
                        let rest: String = rest.map(|name| format!(",\n{name}")).collect();
                        add!(code, "enum {{\n{first} = 1{rest}\n}};");
                    }
                    code.add("");
                }
            }
            add!(
                code,
                "/* {count} of it. */\nstruct {} {{\nunsigned state;",
                of_machine.name
            );
            for (variable, name) in machine.variables.iter().zip(&of_machine.variables) {
                if !is_port(variable) {
                    code.add(declared(variable, name));
                }
            }
            code.add("};\n");
        }
        let ports = layout
            .ports
            .iter()
            .map(|number| &program.channel_types[*number]);
        let slots: u32 = ports.map(|channel| channel.capacity).sum();
        add!(
            code,
            "#define NETWORK_MOVERS {}u /* the instances */",
            layout.instances.len()
        );
        add!(code, "#define NETWORK_PORTS {}u\n", layout.ports.len());
        code.add(
            "/* What can go wrong. */
            enum network_failure {
            network_fine,
            network_overflow, /* a message to a full port */
            network_unexpected_input, /* a message where the state says nothing about it */
            network_assertion, /* an assertion does not hold; the network goes on */
            network_runtime_error, /* a division by zero, an index out of range, a block that does not end */
            network_wrong_choice /* a function of yours returned a number that is none of those possible */
            };

            /* A message: its name, and its values. */
            typedef struct {",
        );
        add!(
            code,
            "int32_t field[{}];\n}} network_message;\n",
            layout.fields()
        );
        code.add("typedef struct network network;\nstruct network {");
        if !program.shared.is_empty() {
            code.add("struct {");
            for (variable, name) in program.shared.iter().zip(&ids.shared) {
                code.add(declared(variable, name));
            }
            code.add("} shared;");
        }
        for (number, count) in layout.machines() {
            let of_machine = &ids.machines[number];
            add!(
                code,
                "struct {} {}[{count}];",
                of_machine.name,
                of_machine.member
            );
        }
        if !layout.ports.is_empty() {
            code.add("unsigned head[NETWORK_PORTS];\nunsigned length[NETWORK_PORTS];");
            add!(code, "network_message slots[{slots}];");
        }
        code.add(
            "enum network_failure failure; /* once it is there, nothing moves any more */
            enum network_failure noticed; /* what the last step ran into and survived */
            unsigned (*choose)(const network *net, unsigned count); /* answers network_choose; 0 if there is none */
            void (*moved)(const network *net, unsigned mover); /* is told of each step, if there is one */
            void *user; /* yours */
            };

            /* The beginning. */
            void network_init(network *net);

            /* Has this instance a transition that is executable? */
            bool network_can_move(const network *net, unsigned mover);

            /* One transition of an instance. It must be able to move. */
            void network_move(network *net, unsigned mover);

            /* May the network end here, if nobody can move? */
            bool network_may_end(const network *net);

            /* A number below `count`, from whoever runs the network. */
            unsigned network_choose(const network *net, unsigned count);

            #endif",
        );
        code.into_text()
    }

    fn mapping_header(&self) -> String {
        let mut code = self.begin("what mapping.c has to have.");
        code.add("#ifndef MAPPING_H\n#define MAPPING_H\n\n#include \"network.h\"\n");
        for (number, _) in self.layout.machines() {
            for (comment, signature, _) in self.functions(number) {
                add!(code, "/* {comment} */\n{signature};");
            }
        }
        code.add("\n#endif");
        code.into_text()
    }

    fn template(&self) -> (String, Vec<String>) {
        let mut code = Code::default();
        add!(
            code,
            "/* {}: what machines choose and what they do to the world. Yours: an export never replaces this file. */",
            self.layout.name
        );
        code.add("#include \"mapping.h\"");
        let mut functions = Vec::new();
        for (number, _) in self.layout.machines() {
            for (comment, signature, body) in self.functions(number) {
                add!(code, "\n/* {comment} */\n{signature}\n{{\n{body}\n}}");
            }
            let ids = &self.ids.machines[number];
            functions.extend([ids.choose.clone(), ids.moved.clone()]);
        }
        (code.into_text(), functions)
    }

    /// The functions that a person fills in: what is said of each, its signature and what it does at first.
    fn functions(&self, machine: usize) -> [(String, String, &'static str); 2] {
        let ids = &self.ids.machines[machine];
        let name = &self.layout.program.process_types[machine].name;
        [
            (
                format!(
                    "Several transitions of a {name} are executable: which is taken? The place of one in the list."
                ),
                format!(
                    "unsigned {}(network *net, unsigned number, const unsigned *transitions, unsigned count)",
                    ids.choose
                ),
                "(void)number;\n(void)transitions;\nreturn network_choose(net, count);",
            ),
            (
                format!("A {name} has taken a transition."),
                format!(
                    "void {}(network *net, unsigned number, unsigned transition)",
                    ids.moved
                ),
                "(void)net;\n(void)number;\n(void)transition;",
            ),
        ]
    }
}

/// A variable as a member of a structure.
fn declared(variable: &Variable, name: &str) -> String {
    match variable.length {
        None => format!("{} {name};", type_of(variable.kind)),
        Some(length) => format!("{} {name}[{length}];", type_of(variable.kind)),
    }
}
