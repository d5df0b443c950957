//! What transitions need and do, and what moves the system.

use mazurka_model::{Kind, PlaceId};

use super::{Export, stored};
use crate::code::{Code, add};
use crate::efsm::expression::{Value, Writer, truth};
use crate::efsm::ids::Ids;
use crate::efsm::layout::is_port;
use crate::efsm::statement::{Language, Trouble, block, has_word, used_helpers};

impl Language for Export<'_, '_> {
    const FOR_EVER: &'static str = "for (;;) {";
    const LEAVE: &'static str = "break;";
    const IS_BROKEN: &'static str = "*fault";
    const HAS_FAILED: &'static str = "net->failure != network_fine";

    fn ids(&self) -> &Ids {
        &self.ids
    }

    fn assign(&self, machine: usize, place: PlaceId, value: &Value) -> String {
        let kind = self.layout.program.places[place.index()].kind;
        let target = self.place(Some(machine), place);
        format!("{} = {};", target.text, stored(kind, value))
    }

    fn sent(&self, kind: Kind, value: &Value) -> String {
        stored(kind, value)
    }

    fn fail(trouble: Trouble) -> String {
        format!("net->failure = {};\nreturn;", name(trouble))
    }

    fn notice(trouble: Trouble) -> String {
        format!("net->noticed = {};", name(trouble))
    }

    fn only_if(condition: &str) -> String {
        format!("if ({condition}) {{")
    }

    fn too_many_rounds(most: u32) -> String {
        format!("if (++rounds > {most}) {{")
    }

    fn test(condition: &str) -> String {
        format!("test = {condition};")
    }

    fn drop(port: &str) -> String {
        format!("drop(net, {port});")
    }

    fn keep_first(port: &str) -> String {
        format!("got = *first(net, {port});")
    }

    fn ask_for_port(port: &str) -> String {
        format!("(void)exists({port}, fault);")
    }

    fn post(values: &[String], sorted: bool) -> String {
        let name = if sorted { "insert" } else { "post" };
        format!("{name}(net, {});", values.join(", "))
    }
}

fn name(trouble: Trouble) -> &'static str {
    match trouble {
        Trouble::Overflow => "network_overflow",
        Trouble::UnexpectedInput => "network_unexpected_input",
        Trouble::Assertion => "network_assertion",
        Trouble::RuntimeError => "network_runtime_error",
    }
}

impl Export<'_, '_> {
    pub(super) fn source(&self) -> String {
        let mut machines = Code::default();
        for (machine, _) in self.layout.machines() {
            self.guards(&mut machines, machine);
            self.effects(&mut machines, machine);
        }
        self.movement(&mut machines);
        let mut code = self.begin("the machines and their run-time.");
        code.add("#include \"network.h\"\n\n#include \"mapping.h\"\n");
        let helpers = used_helpers(machines.text(), self.helpers());
        if helpers.iter().any(|helper| has_word(helper, "ports")) {
            self.places_of_messages(&mut code);
        }
        for helper in helpers {
            code.add(helper);
        }
        code.into_text() + machines.text()
    }

    fn places_of_messages(&self, code: &mut Code) {
        code.add("/* Where the messages of a port are, and how many it holds. */");
        code.add("static const struct {\nunsigned first;\nunsigned capacity;\n} ports[NETWORK_PORTS] = {");
        let mut first = 0;
        for (number, channel_type) in self.layout.ports.iter().enumerate() {
            let capacity = self.layout.program.channel_types[*channel_type].capacity;
            let is_last = number + 1 == self.layout.ports.len();
            let end = if is_last { "" } else { "," };
            add!(code, "{{ {first}, {capacity} }}{end}");
            first += capacity;
        }
        code.add("};\n");
    }

    /// Is a transition executable? One whose guard has no value is, and fails when it is taken.
    fn guards(&self, code: &mut Code, machine: usize) {
        let ids = &self.ids.machines[machine];
        let program = self.layout.program;
        let name = &program.process_types[machine].name;
        add!(
            code,
            "/* ---- {name} ---- */\n\n/* Is a transition executable, in a state that has it? */"
        );
        add!(
            code,
            "static bool {}(const network *net, unsigned number, unsigned transition, bool *fault)\n{{",
            ids.can
        );
        add!(
            code,
            "const struct {} *me = &net->{}[number];",
            ids.name,
            ids.member
        );
        code.add("(void)me;\n(void)fault;\nswitch (transition) {");
        for (position, transition) in self.layout.transitions(machine).enumerate() {
            let guard = truth(
                self,
                Some(machine),
                program.transitions[transition as usize].guard,
            );
            add!(
                code,
                "case {}: /* {} */",
                ids.transitions[position],
                self.told(transition)
            );
            add!(code, "return {};", guard.text);
        }
        code.add("default:\nreturn false;\n}\n}\n");
    }

    fn effects(&self, code: &mut Code, machine: usize) {
        let ids = &self.ids.machines[machine];
        let program = self.layout.program;
        let mut cases = Code::default();
        for (position, transition) in self.layout.transitions(machine).enumerate() {
            let described = &program.transitions[transition as usize];
            add!(
                cases,
                "case {}: /* {} */",
                ids.transitions[position],
                self.told(transition)
            );
            let first = program.process_types[machine].locations.start;
            let stops = block(
                self,
                &mut cases,
                machine,
                described.effect.start,
                described.effect.end,
            );
            if stops {
                continue;
            }
            if let Some(target) = described.target {
                add!(
                    cases,
                    "me->state = {};",
                    ids.states[(target.0 - first) as usize]
                );
            }
            cases.add("break;");
        }
        code.add("/* Takes a transition that is executable. */");
        add!(
            code,
            "static void {}(network *net, unsigned number, unsigned transition)\n{{",
            ids.take
        );
        add!(
            code,
            "struct {} *me = &net->{}[number];",
            ids.name,
            ids.member
        );
        let statements = without_comments(cases.text());
        for (word, declaration) in [
            ("fault", "bool broken = false;\nbool *fault = &broken;"),
            ("got", "network_message got;"),
            ("test", "bool test;"),
            ("rounds", "unsigned rounds = 0;"),
        ] {
            if has_word(&statements, word) {
                code.add(declaration);
            }
        }
        code.add("switch (transition) {");
        code.add(cases.text().trim_end());
        code.add("default:\n(void)me;\nnet->failure = network_wrong_choice;\nbreak;\n}\n}\n");
    }

    /// Which transitions are executable, and what happens then.
    fn movement(&self, code: &mut Code) {
        let (layout, program) = (self.layout, self.layout.program);
        let mut most = 1;
        code.add("/* ---- the network ---- */\n\n/* The transitions of a machine that are executable. */");
        for (machine, _) in layout.machines() {
            let ids = &self.ids.machines[machine];
            let locations = &program.process_types[machine].locations;
            let locations = &program.locations[locations.start as usize..locations.end as usize];
            let first = layout.transitions(machine).start;
            let ranges = locations.iter().map(|location| {
                let range = &location.transitions;
                most = most.max(range.len());
                format!("{{ {}, {} }}", range.start - first, range.end - first)
            });
            let ranges: Vec<String> = ranges.collect();
            add!(
                code,
                "static unsigned {}_executable(const network *net, unsigned number, unsigned *list)\n{{",
                ids.can
            );
            add!(
                code,
                "static const struct {{\nunsigned first;\nunsigned end;\n}} of_state[{}] = {{ {} }};",
                ranges.len(),
                ranges.join(", ")
            );
            add!(
                code,
                "unsigned state = net->{}[number].state;\nunsigned transition, count = 0;",
                ids.member
            );
            code.add("for (transition = of_state[state].first; transition < of_state[state].end; transition++) {");
            code.add("bool fault = false;");
            add!(
                code,
                "bool can = {}(net, number, transition, &fault);",
                ids.can
            );
            code.add("if (can || fault) {\nlist[count++] = transition;\n}\n}\nreturn count;\n}\n");
        }
        add!(code, "#define MOST_EXECUTABLE {most}\n");
        code.add(
            "static unsigned executable(const network *net, unsigned mover, unsigned *list)\n{",
        );
        code.add("switch (mover) {");
        for (process, (machine, number)) in layout.instances.iter().enumerate() {
            let ids = &self.ids.machines[*machine];
            add!(
                code,
                "case {process}: /* {} */\nreturn {}_executable(net, {number}, list);",
                layout.instance(process),
                ids.can
            );
        }
        code.add("default:\nreturn 0;\n}\n}\n");
        code.add(
            "bool network_can_move(const network *net, unsigned mover)
            {
            unsigned list[MOST_EXECUTABLE];
            return net->failure == network_fine && executable(net, mover, list) > 0;
            }
            ",
        );
        code.add("void network_move(network *net, unsigned mover)\n{");
        code.add("unsigned list[MOST_EXECUTABLE];\nunsigned count = executable(net, mover, list);\nunsigned chosen = 0;\nbool fault = false;");
        code.add("net->noticed = network_fine;\nif (count == 0) {\nreturn;\n}\nswitch (mover) {");
        for (process, (machine, number)) in layout.instances.iter().enumerate() {
            let ids = &self.ids.machines[*machine];
            add!(code, "case {process}: /* {} */", layout.instance(process));
            add!(
                code,
                "chosen = count > 1 ? {}(net, {number}, list, count) : 0;",
                ids.choose
            );
            code.add("if (chosen >= count) {\nnet->failure = network_wrong_choice;\nbreak;\n}");
            add!(
                code,
                "(void){}(net, {number}, list[chosen], &fault);",
                ids.can
            );
            code.add("if (fault) {\nnet->failure = network_runtime_error;\nbreak;\n}");
            add!(code, "{}(net, {number}, list[chosen]);", ids.take);
            add!(code, "{}(net, {number}, list[chosen]);\nbreak;", ids.moved);
        }
        code.add("default:\nbreak;\n}\nif (net->moved != 0) {\nnet->moved(net, mover);\n}\n}\n");
        code.add("unsigned network_choose(const network *net, unsigned count)\n{");
        code.add("return net->choose != 0 ? net->choose(net, count) : 0;\n}\n");
        self.end(code);
        self.beginning(code);
    }

    /// Where the network may end: all machines in final states, and no message left.
    fn end(&self, code: &mut Code) {
        let (layout, program) = (self.layout, self.layout.program);
        code.add("bool network_may_end(const network *net)\n{");
        if !layout.ports.is_empty() {
            code.add("unsigned port;\nfor (port = 0; port < NETWORK_PORTS; port++) {\nif (net->length[port] > 0) {\nreturn false;\n}\n}");
        }
        for (machine, number) in &layout.instances {
            let ids = &self.ids.machines[*machine];
            let locations = &program.process_types[*machine].locations;
            let locations = &program.locations[locations.start as usize..locations.end as usize];
            let states = locations.iter().zip(&ids.states);
            let last = states.filter(|(location, _)| location.end);
            let last =
                last.map(|(_, state)| format!("net->{}[{number}].state == {state}", ids.member));
            let last: Vec<String> = last.collect();
            match (last.len(), locations.len()) {
                (0, _) => {
                    code.add("(void)net;\nreturn false;\n}\n");
                    return;
                }
                (some, all) if some == all => {}
                _ => add!(code, "if (!({})) {{\nreturn false;\n}}", last.join(" || ")),
            }
        }
        code.add("(void)net;\nreturn true;\n}\n");
    }

    fn beginning(&self, code: &mut Code) {
        let (layout, program) = (self.layout, self.layout.program);
        code.add(
            "void network_init(network *net)\n{\nstatic const network nothing;\n*net = nothing;",
        );
        let mut assign = |owner: String,
                          names: &[String],
                          variables: &[mazurka_model::Variable],
                          values: &[i32]| {
            for (number, variable) in variables.iter().enumerate() {
                if is_port(variable) {
                    continue;
                }
                let first = layout.element(variables, number);
                for element in 0..variable.length.unwrap_or(1) {
                    let value = values[first + element as usize];
                    let index = variable
                        .length
                        .map_or(String::new(), |_| format!("[{element}]"));
                    if value != 0 {
                        add!(code, "{owner}.{}{index} = {value};", names[number]);
                    }
                }
            }
        };
        assign(
            "net->shared".into(),
            &self.ids.shared,
            &program.shared,
            &layout.shared,
        );
        for (process, (machine, number)) in layout.instances.iter().enumerate() {
            let ids = &self.ids.machines[*machine];
            let owner = format!("net->{}[{number}]", ids.member);
            let variables = &program.process_types[*machine].variables;
            assign(owner, &ids.variables, variables, &layout.locals[process]);
        }
        for (machine, number) in &layout.instances {
            let (ids, described) = (
                &self.ids.machines[*machine],
                &program.process_types[*machine],
            );
            let initial = (described.initial.0 - described.locations.start) as usize;
            if initial > 0 {
                add!(
                    code,
                    "net->{}[{number}].state = {};",
                    ids.member,
                    ids.states[initial]
                );
            }
        }
        code.add("}");
    }

    /// Parts of the run-time, each with its name. One may use those before it.
    fn helpers(&self) -> Vec<(&'static str, String)> {
        let fields = self.layout.fields();
        let parameters: String = (0..fields)
            .map(|field| format!(", int32_t field{field}"))
            .collect();
        let stores: String = (0..fields)
            .map(|field| format!("slot->field[{field}] = field{field};\n"))
            .collect();
        let mut helpers: Vec<(&'static str, String)> = ARITHMETIC
            .iter()
            .map(|(name, text)| (*name, (*text).to_string()))
            .collect();
        helpers.push((
            "post",
            format!(
                "/* A message goes into a port. */
                static void post(network *net, int32_t port{parameters})
                {{
                unsigned at = (unsigned)port - 1;
                network_message *slot;
                if (net->length[at] == ports[at].capacity) {{
                net->failure = network_runtime_error;
                return;
                }}
                slot = &net->slots[ports[at].first + (net->head[at] + net->length[at]) % ports[at].capacity];
                {stores}net->length[at]++;
                }}
                "
            ),
        ));
        let differs: String = (0..fields)
            .map(|field| {
                format!(
                    "if (a->field[{field}] != b->field[{field}]) {{\nreturn a->field[{field}] > b->field[{field}];\n}}\n"
                )
            })
            .collect();
        helpers.push((
            "comes_after",
            format!(
                "/* Does a message come after another in the order of a sorted port? */
                static bool comes_after(const network_message *a, const network_message *b)
                {{
                {differs}return false;
                }}
                "
            ),
        ));
        let stores: String = (0..fields)
            .map(|field| format!("message.field[{field}] = field{field};\n"))
            .collect();
        helpers.push((
            "insert",
            format!(
                "/* A message goes into a sorted port, before the first that comes after it. */
                static void insert(network *net, int32_t port{parameters})
                {{
                unsigned at = (unsigned)port - 1;
                unsigned place = net->length[at];
                network_message message;
                network_message *slots = &net->slots[ports[at].first];
                if (place == ports[at].capacity) {{
                net->failure = network_runtime_error;
                return;
                }}
                {stores}while (place > 0 && comes_after(&slots[(net->head[at] + place - 1) % ports[at].capacity], &message)) {{
                slots[(net->head[at] + place) % ports[at].capacity] = slots[(net->head[at] + place - 1) % ports[at].capacity];
                place--;
                }}
                slots[(net->head[at] + place) % ports[at].capacity] = message;
                net->length[at]++;
                }}
                "
            ),
        ));
        helpers
    }
}

/// Code without what is said in comments.
fn without_comments(code: &str) -> String {
    let parts = code.split("/*");
    let parts = parts.map(|part| part.split_once("*/").map_or(part, |(_, code)| code));
    parts.collect()
}

/// What C leaves open when numbers are too large, and what ports are asked.
const ARITHMETIC: &[(&str, &str)] = &[
    (
        "below",
        "/* Is this the number of one of the instances? */
        static bool below(int32_t number, int32_t count)\n{\nreturn number >= 0 && number < count;\n}\n",
    ),
    ("add", "static int32_t add(int32_t a, int32_t b)\n{\nreturn (int32_t)((uint32_t)a + (uint32_t)b);\n}\n"),
    ("subtract", "static int32_t subtract(int32_t a, int32_t b)\n{\nreturn (int32_t)((uint32_t)a - (uint32_t)b);\n}\n"),
    ("multiply", "static int32_t multiply(int32_t a, int32_t b)\n{\nreturn (int32_t)((uint32_t)a * (uint32_t)b);\n}\n"),
    ("negate", "static int32_t negate(int32_t a)\n{\nreturn (int32_t)(0u - (uint32_t)a);\n}\n"),
    ("complement", "static int32_t complement(int32_t a)\n{\nreturn (int32_t)~(uint32_t)a;\n}\n"),
    ("bit_and", "static int32_t bit_and(int32_t a, int32_t b)\n{\nreturn (int32_t)((uint32_t)a & (uint32_t)b);\n}\n"),
    ("bit_or", "static int32_t bit_or(int32_t a, int32_t b)\n{\nreturn (int32_t)((uint32_t)a | (uint32_t)b);\n}\n"),
    ("bit_xor", "static int32_t bit_xor(int32_t a, int32_t b)\n{\nreturn (int32_t)((uint32_t)a ^ (uint32_t)b);\n}\n"),
    ("shift_left", "/* Only the last five bits of the distance count. */\nstatic int32_t shift_left(int32_t a, int32_t b)\n{\nreturn (int32_t)((uint32_t)a << ((uint32_t)b & 31));\n}\n"),
    (
        "shift_right",
        "static int32_t shift_right(int32_t a, int32_t b)\n{\nunsigned distance = (uint32_t)b & 31;\nuint32_t shifted = (uint32_t)a >> distance;
        if (a < 0 && distance > 0) {\nshifted |= ~(UINT32_MAX >> distance);\n}\nreturn (int32_t)shifted;\n}\n",
    ),
    (
        "divide",
        "static int32_t divide(int32_t a, int32_t b, bool *fault)\n{\nif (b == 0) {\n*fault = true;\nreturn 0;\n}
        return a == INT32_MIN && b == -1 ? a : a / b;\n}\n",
    ),
    (
        "rest_of",
        "static int32_t rest_of(int32_t a, int32_t b, bool *fault)\n{\nif (b == 0) {\n*fault = true;\nreturn 0;\n}
        return b == -1 ? 0 : a % b;\n}\n",
    ),
    (
        "at",
        "/* An index, if there is such an element. */
        static unsigned at(int32_t index, int32_t length, bool *fault)\n{\nif (index < 0 || index >= length) {\n*fault = true;\nreturn 0;\n}
        return (unsigned)index;\n}\n",
    ),
    (
        "exists",
        "/* Is there a port of this number? */
        static bool exists(int32_t port, bool *fault)\n{\nif (port < 1 || port > (int32_t)NETWORK_PORTS) {\n*fault = true;\n}\nreturn !*fault;\n}\n",
    ),
    ("length", "static int32_t length(const network *net, int32_t port, bool *fault)\n{\nreturn exists(port, fault) ? (int32_t)net->length[port - 1] : 0;\n}\n"),
    ("has_room", "static bool has_room(const network *net, int32_t port, bool *fault)\n{\nreturn exists(port, fault) && net->length[port - 1] < ports[port - 1].capacity;\n}\n"),
    (
        "first",
        "/* The first message of a port. */
        static const network_message *first(const network *net, int32_t port)\n{\nreturn &net->slots[ports[port - 1].first + net->head[port - 1]];\n}\n",
    ),
    (
        "begins",
        "/* Is there a message, and is it this one? */
        static bool begins(const network *net, int32_t port, int32_t message)\n{\nreturn net->length[port - 1] > 0 && first(net, port)->field[0] == message;\n}\n",
    ),
    (
        "drop",
        "/* The first message leaves a port. */
        static void drop(network *net, int32_t port)\n{\nnet->head[port - 1] = (net->head[port - 1] + 1) % ports[port - 1].capacity;\nnet->length[port - 1]--;\n}\n",
    ),
];
