//! What transitions need and do, and what moves the system.

use mazurka_model::{BreachKind, Expression, Field, Instruction, PlaceId, ReceiveId, SendId};

use super::{Export, stored};
use crate::code::{Code, add};
use crate::efsm::expression::{Value, Writer, is_port_number, number, truth};
use crate::efsm::layout::is_port;

/// A block of more rounds than this does not end.
const MOST_ROUNDS: u32 = 5_000_000;

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
        if !self.layout.ports.is_empty() {
            code.add("/* Where the messages of a port are, and how many it holds. */");
            code.add("static const struct {\nunsigned first;\nunsigned capacity;\n} ports[NETWORK_PORTS] = {");
            let mut first = 0;
            for (number, channel_type) in self.layout.ports.iter().enumerate() {
                let capacity = self.layout.program.channel_types[*channel_type].capacity;
                let end = if number + 1 == self.layout.ports.len() {
                    ""
                } else {
                    ","
                };
                add!(code, "{{ {first}, {capacity} }}{end}");
                first += capacity;
            }
            code.add("};\n");
        }
        let mut kept = Vec::new();
        let mut text = machines.text().to_string();
        for (name, helper) in self.helpers().into_iter().rev() {
            if text.contains(&format!("{name}(")) {
                text += &helper;
                kept.push(helper);
            }
        }
        for helper in kept.into_iter().rev() {
            code.add(helper);
        }
        code.into_text() + machines.text()
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
            let stops = self.block(
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

    /// Instructions as statements: jumps become `if` and `while` again. Says whether nothing can come after them.
    fn block(&self, code: &mut Code, machine: usize, first: u32, end: u32) -> bool {
        let program = self.layout.program;
        let mut at = first;
        while at < end {
            match &program.code[at as usize] {
                Instruction::Assign(place, value) => {
                    let value = number(self, Some(machine), *value);
                    self.store(code, machine, *place, &value);
                }
                Instruction::Receive(receive) => self.receive(code, machine, *receive),
                Instruction::Send(send) => self.send(code, machine, *send),
                Instruction::Assert(claim) => {
                    let claim = truth(self, Some(machine), *claim);
                    let claim = self.tested(code, claim);
                    add!(
                        code,
                        "if (!({claim})) {{\nnet->noticed = network_assertion;\n}}"
                    );
                }
                Instruction::Stop(breach) => {
                    let failure = match program.breaches[breach.index()].kind {
                        BreachKind::Overflow => "network_overflow",
                        _ => "network_unexpected_input",
                    };
                    add!(code, "net->failure = {failure};\nreturn;");
                    return true;
                }
                Instruction::JumpUnless(condition, behind) => {
                    at = self.branch(code, machine, at, *condition, *behind);
                    continue;
                }
                other => unreachable!("machines do not do {other:?}"),
            }
            at += 1;
        }
        false
    }

    /// An `if` or a `while`. Says where to go on.
    fn branch(
        &self,
        code: &mut Code,
        machine: usize,
        at: u32,
        condition: mazurka_model::ExpressionId,
        behind: u32,
    ) -> u32 {
        let program = self.layout.program;
        let condition = truth(self, Some(machine), condition);
        let last = match behind > at + 1 {
            true => Some(&program.code[behind as usize - 1]),
            false => None,
        };
        match last {
            Some(Instruction::Jump(top)) if *top == at => {
                code.add("for (;;) {");
                let condition = self.tested(code, condition);
                add!(code, "if (!({condition})) {{\nbreak;\n}}");
                add!(code, "if (++rounds > {MOST_ROUNDS}) {{");
                code.add("net->failure = network_runtime_error;\nreturn;\n}");
                self.block(code, machine, at + 1, behind - 1);
                code.add("}");
                behind
            }
            Some(Instruction::Jump(end)) if *end >= behind => {
                let condition = self.tested(code, condition);
                if behind - 1 == at + 1 {
                    add!(code, "if (!({condition})) {{");
                } else {
                    add!(code, "if ({condition}) {{");
                    self.block(code, machine, at + 1, behind - 1);
                    code.add("} else {");
                }
                self.block(code, machine, behind, *end);
                code.add("}");
                *end
            }
            _ => {
                let condition = self.tested(code, condition);
                add!(code, "if ({condition}) {{");
                self.block(code, machine, at + 1, behind);
                code.add("}");
                behind
            }
        }
    }

    /// A condition that has a value: what has none ends the transition before it is asked.
    fn tested(&self, code: &mut Code, condition: Value) -> String {
        if !condition.faults {
            return condition.text;
        }
        add!(code, "test = {};", condition.text);
        self.stop_if_broken(code);
        "test".into()
    }

    fn stop_if_broken(&self, code: &mut Code) {
        code.add("if (*fault) {\nnet->failure = network_runtime_error;\nreturn;\n}");
    }

    fn store(&self, code: &mut Code, machine: usize, place: PlaceId, value: &Value) {
        let kind = self.layout.program.places[place.index()].kind;
        let target = self.place(Some(machine), place);
        add!(code, "{} = {};", target.text, stored(kind, value));
        if value.faults || target.faults {
            self.stop_if_broken(code);
        }
    }

    fn receive(&self, code: &mut Code, machine: usize, receive: ReceiveId) {
        let program = self.layout.program;
        let described = &program.receives[receive.index()];
        let channel = number(self, Some(machine), described.channel);
        let fields =
            &program.fields[described.fields.start as usize..described.fields.end as usize];
        if !fields.iter().any(|field| matches!(field, Field::Bind(_))) {
            add!(code, "drop(net, {});", channel.text);
            return;
        }
        add!(
            code,
            "got = *first(net, {0});\ndrop(net, {0});",
            channel.text
        );
        for (position, field) in fields.iter().enumerate() {
            if let Field::Bind(place) = field {
                let value = Value::number(
                    format!("got.field[{position}]"),
                    i32::MIN.into(),
                    i32::MAX.into(),
                );
                self.store(code, machine, *place, &value);
            }
        }
    }

    fn send(&self, code: &mut Code, machine: usize, send: SendId) {
        let program = self.layout.program;
        let described = &program.sends[send.index()];
        let channel = number(self, Some(machine), described.channel);
        let mut faults = channel.faults;
        let (channel_type, name) = self.sent_to(machine, described.channel);
        let kinds = &program.channel_types[channel_type].fields;
        let mut values = vec![name.unwrap_or_else(|| channel.text.clone())];
        let list = described.values.start as usize..described.values.end as usize;
        for (position, (value, field)) in program.lists[list].iter().zip(kinds).enumerate() {
            let value = number(self, Some(machine), *value);
            faults |= value.faults;
            let message = self.ids.messages[channel_type].get((value.least - 1).max(0) as usize);
            values.push(match (position, message) {
                (0, Some(message)) => message.clone(),
                _ => stored(field.kind, &value),
            });
        }
        values.resize(self.layout.fields() + 1, "0".into());
        let exists = is_port_number(self, &channel) && !faults;
        if !exists {
            // Nobody to send to is an error, and so is a value that is none.
            add!(code, "test = exists({}, fault);", values[0]);
            self.stop_if_broken(code);
            code.add("(void)test;");
        }
        add!(code, "post(net, {});", values.join(", "));
        if faults {
            self.stop_if_broken(code);
        }
        code.add("if (net->failure != network_fine) {\nreturn;\n}");
    }

    /// The type of the ports that a send can go to; all of them are alike.
    fn sent_to(
        &self,
        machine: usize,
        channel: mazurka_model::ExpressionId,
    ) -> (usize, Option<String>) {
        let program = self.layout.program;
        match program.expressions[channel.index()] {
            Expression::Constant(number) => {
                let at = usize::try_from(number - 1).unwrap_or(0);
                (self.layout.ports[at], self.port_name(at))
            }
            Expression::Conditional(_, channel, _) => (self.sent_to(machine, channel).0, None),
            Expression::Binary(_, first, _) => (self.sent_to(machine, first).0, None),
            _ => {
                let Expression::Load(place) = program.expressions[channel.index()] else {
                    return (self.layout.ports[0], None);
                };
                let (_, variable, _) = self
                    .layout
                    .variable(Some(machine), &program.places[place.index()]);
                let first = self.layout.port(machine, variable).0;
                (self.layout.ports[first as usize - 1], None)
            }
        }
    }

    /// The port of an instance by its name.
    fn port_name(&self, at: usize) -> Option<String> {
        for (machine, count) in self.layout.machines() {
            let variables = &self.layout.program.process_types[machine].variables;
            for (position, variable) in variables.iter().enumerate().filter(|(_, v)| is_port(v)) {
                debug_assert!(is_port(variable));
                let (first, step) = self.layout.port(machine, position);
                let mut numbers = 0..count as i32;
                if let Some(number) = numbers.find(|number| first + number * step == at as i32 + 1)
                {
                    return Some(format!(
                        "{}({number})",
                        self.ids.machines[machine].variables[position]
                    ));
                }
            }
        }
        None
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
        self.beginning(code);
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
        helpers
    }
}

/// Is this word in the code, not as the name of a member?
fn has_word(code: &str, word: &str) -> bool {
    let is_letter = |c: char| c.is_ascii_alphanumeric() || c == '_';
    code.match_indices(word).any(|(at, _)| {
        let before = code[..at].chars().next_back();
        let after = code[at + word.len()..].chars().next();
        !before.is_some_and(|c| is_letter(c) || c == '>' || c == '.')
            && !after.is_some_and(is_letter)
    })
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
