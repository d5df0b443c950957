//! What happens, as text.

use mazurka_model::{Meaning, Variable};

use super::Export;
use crate::code::{Code, add, quoted};
use crate::efsm::layout::{is_port, meaning};

const END: &str = include_str!("../../assets/trace-end.c");

impl Export<'_, '_> {
    pub(super) fn trace(&self) -> String {
        let (layout, program) = (self.layout, self.layout.program);
        let mut code = self.begin("what happens, as text.");
        code.add("#include \"trace.h\"\n");
        add!(
            code,
            "static const char *const model = {};\n",
            quoted(&layout.name)
        );
        code.add("static const char *const failures[] = {");
        code.add("\"\", \"overflow\", \"unexpected-input\", \"assertion\", \"runtime-error\", \"wrong-choice\"\n};\n");
        let names: Vec<String> = (0..layout.instances.len())
            .map(|p| quoted(layout.instance(p)))
            .collect();
        add!(
            code,
            "static const char *const movers[] = {{ {} }};",
            names.join(", ")
        );
        for (machine, _) in layout.machines() {
            let locations = &program.process_types[machine].locations;
            let locations = &program.locations[locations.start as usize..locations.end as usize];
            let states: Vec<String> = locations
                .iter()
                .map(|location| quoted(&location.labels[0]))
                .collect();
            add!(
                code,
                "static const char *const states_{machine}[] = {{ {} }};",
                states.join(", ")
            );
        }
        code.add("\nconst char *trace_mover(unsigned mover)\n{\nreturn movers[mover];\n}\n");
        let mut body = Code::default();
        self.state(&mut body);
        self.values(&mut code, body.text());
        code.add(body.text());
        code.into_text() + END
    }

    /// How values are written: numbers, truth, the names of enumerations.
    fn values(&self, code: &mut Code, users: &str) {
        let program = self.layout.program;
        if !users.contains("write_value(") && !users.contains("write_port(") {
            return;
        }
        code.add("/* A value: 0 is a number, 1 is true or false, then come the enumerations. */");
        code.add("static void write_value(FILE *out, unsigned meaning, int32_t value)\n{");
        code.add("const char *name = NULL;\nswitch (meaning) {\ncase 1:");
        code.add("name = value == 0 ? \"false\" : value == 1 ? \"true\" : NULL;\nbreak;");
        for (number, enumeration) in program.enumerations.iter().enumerate() {
            add!(
                code,
                "case {}: /* {} */\nswitch (value) {{",
                number + 2,
                enumeration.name
            );
            let mut known = Vec::new();
            for (name, value) in &enumeration.constants {
                if !known.contains(value) {
                    known.push(*value);
                    add!(code, "case {value}:\nname = {};\nbreak;", quoted(name));
                }
            }
            code.add("default:\nbreak;\n}\nbreak;");
        }
        code.add("default:\nbreak;\n}\nif (name != NULL) {\nfputs(name, out);\n} else {");
        code.add("fprintf(out, \"%ld\", (long)value);\n}\n}\n");
        if !users.contains("write_port(") {
            return;
        }
        code.add("/* The messages of a port. */");
        code.add("static void write_port(FILE *out, const network *net, const char *name, unsigned port, unsigned first, unsigned capacity, unsigned kind)\n{");
        code.add("unsigned place, field;\nfprintf(out, \"\\t%s=[\", name);");
        code.add("for (place = 0; place < net->length[port]; place++) {");
        code.add("const network_message *message = &net->slots[first + (net->head[port] + place) % capacity];");
        code.add("const unsigned *form = NULL;\nunsigned count = 0;");
        code.add("fputs(place > 0 ? \", \" : \"\", out);\nswitch (kind) {");
        for (number, channel) in program.channel_types.iter().enumerate() {
            let Some(Meaning::Enumeration(names)) = channel.fields.first().map(|f| f.meaning)
            else {
                continue;
            };
            add!(
                code,
                "case {number}: /* {} */\nwrite_value(out, {}, message->field[0]);",
                channel.name,
                names + 2
            );
            code.add("switch (message->field[0]) {");
            for (tag, form) in channel.forms.iter().enumerate() {
                if !form.is_empty() {
                    let meanings: Vec<String> =
                        form.iter().map(|m| meaning(*m).to_string()).collect();
                    add!(
                        code,
                        "case {}: {{\nstatic const unsigned meanings[] = {{ {} }};",
                        tag + 1,
                        meanings.join(", ")
                    );
                    add!(
                        code,
                        "form = meanings;\ncount = {};\nbreak;\n}}",
                        form.len()
                    );
                }
            }
            code.add("default:\nbreak;\n}\nbreak;");
        }
        code.add("default:\nbreak;\n}\nfor (field = 0; field < count; field++) {");
        code.add("fputc(field == 0 ? '(' : ',', out);\nwrite_value(out, form[field], message->field[field + 1]);\n}");
        code.add("fputs(count > 0 ? \")\" : \"\", out);\n}\nfputc(']', out);\n}\n");
    }

    fn state(&self, code: &mut Code) {
        let (layout, program) = (self.layout, self.layout.program);
        code.add("void trace_state(FILE *out, const network *net)\n{\nfputs(\"state\", out);");
        self.variables(code, "", "net->shared", &program.shared, &self.ids.shared);
        for (process, (machine, number)) in layout.instances.iter().enumerate() {
            let (ids, name) = (&self.ids.machines[*machine], layout.instance(process));
            let owner = format!("net->{}[{number}]", ids.member);
            let shown = quoted(&format!("\t{name}=%s"));
            add!(
                code,
                "fprintf(out, {shown}, states_{machine}[{owner}.state]);"
            );
            let variables = &program.process_types[*machine].variables;
            self.variables(code, &format!("{name}."), &owner, variables, &ids.variables);
        }
        let mut first = 0;
        for (port, channel_type) in layout.ports.iter().enumerate() {
            let capacity = program.channel_types[*channel_type].capacity;
            let name = quoted(&layout.port_shown(port as i32 + 1));
            add!(
                code,
                "write_port(out, net, {name}, {port}, {first}, {capacity}, {channel_type});"
            );
            first += capacity;
        }
        code.add("fputc('\\n', out);\n}\n");
    }

    fn variables(
        &self,
        code: &mut Code,
        before: &str,
        owner: &str,
        variables: &[Variable],
        names: &[String],
    ) {
        for (variable, name) in variables
            .iter()
            .zip(names)
            .filter(|(variable, _)| !is_port(variable))
        {
            for element in 0..variable.length.unwrap_or(1) {
                let index = variable
                    .length
                    .map_or(String::new(), |_| format!("[{element}]"));
                let shown = quoted(&format!("\t{before}{}{index}=", variable.name));
                add!(
                    code,
                    "fputs({shown}, out);\nwrite_value(out, {}, {owner}.{name}{index});",
                    meaning(variable.meaning)
                );
            }
        }
    }
}
