//! What happens, as text.

use super::Export;
use crate::code::{Code, add, quoted};

const END: &str = include_str!("../../assets/trace-end.c");

impl Export<'_, '_> {
    pub(super) fn trace(&self) -> String {
        let plan = self.plan;
        let mut code = self.begin("what happens, as text.");
        code.add("#include \"trace.h\"\n");
        add!(
            code,
            "static const char *const model = {};\n",
            quoted(&plan.name)
        );
        code.add("static const char *const failures[] = { \"\", \"overflow\", \"unsettled\", \"unexpected-input\", \"wrong-choice\" };\n");
        strings(&mut code, "movers", &plan.movers());
        let mut tables = Vec::new();
        for (number, described) in plan.types() {
            let mut table = |word: &str, names: Vec<String>| {
                let name = format!("{word}_{number}");
                match names.is_empty() {
                    true => "NULL".into(),
                    false => {
                        strings(&mut code, &name, &names);
                        name
                    }
                }
            };
            let states = table(
                "states",
                described.states.iter().map(|s| s.name.clone()).collect(),
            );
            let inputs = table("inputs", described.inputs.clone());
            let events = table(
                "events",
                described.events.iter().map(|e| e.name.clone()).collect(),
            );
            let count = described.inputs.len();
            tables.push((number, format!("{states}, {inputs}, {count}, {events}")));
        }
        code.add("static const struct {\nconst char *name;\nconst char *const *states;\nconst char *const *inputs;");
        code.add("unsigned input_count;\nconst char *const *events;\nbool is_alone; /* in its process */");
        code.add("} machines[NETWORK_MACHINES] = {");
        for (number, machine) in plan.network.machines.iter().enumerate() {
            let table = tables
                .iter()
                .find(|(known, _)| *known == machine.machine_type);
            let table = table.map_or("", |(_, table)| table);
            let is_alone = plan.network.processes[machine.process].machines.len() == 1;
            let end = if number + 1 == plan.network.machines.len() {
                ""
            } else {
                ","
            };
            add!(
                code,
                "{{ {}, {table}, {is_alone} }}{end}",
                quoted(&machine.name)
            );
        }
        code.add("};\n");
        if !plan.queues.is_empty() {
            code.add(
                "static const struct {\nconst char *name;\nunsigned first;\nunsigned capacity;",
            );
            code.add("} queues[NETWORK_QUEUES] = {");
            let mut first = 0;
            for (number, queue) in plan.queues.iter().enumerate() {
                let end = if number + 1 == plan.queues.len() {
                    ""
                } else {
                    ","
                };
                add!(
                    code,
                    "{{ {}, {first}, {} }}{end}",
                    quoted(&queue.name),
                    queue.capacity
                );
                first += queue.capacity;
            }
            code.add("};\n");
        }
        self.state(&mut code);
        code.into_text() + END
    }

    fn state(&self, code: &mut Code) {
        let plan = self.plan;
        code.add(
            "const char *trace_mover(unsigned mover)
            {
            return movers[mover];
            }

            void trace_state(FILE *out, const network *net)
            {
            unsigned machine, input;",
        );
        if !plan.timers.is_empty() {
            code.add("unsigned timer;");
        }
        if !plan.orders.is_empty() {
            code.add("unsigned order;");
        }
        if !plan.queues.is_empty() {
            code.add("unsigned queue, place;");
        }
        code.add(
            "fputs(\"state\", out);
            for (machine = 0; net->started && machine < NETWORK_MACHINES; machine++) {
            const char *between = \" {\";
            fprintf(out, \"\\t%s=%s\", machines[machine].name, machines[machine].states[net->state[machine]]);
            for (input = 0; input < machines[machine].input_count; input++) {
            if ((net->inputs[machine] >> input & 1) != 0) {
            fprintf(out, \"%s%s\", between, machines[machine].inputs[input]);
            between = \", \";
            }
            }
            fputs(net->inputs[machine] != 0 ? \"}\" : \"\", out);
            }",
        );
        if !plan.timers.is_empty() {
            code.add("for (timer = 0; timer < NETWORK_TIMERS; timer++) {");
            code.add("fprintf(out, \"\\t%s=%s\", movers[NETWORK_FIRST_TIMER + timer], net->running[timer] ? \"running\" : \"stopped\");\n}");
        }
        if !plan.orders.is_empty() {
            let names: Vec<String> = plan.orders.iter().map(|o| o.name.clone()).collect();
            code.add("for (order = 0; order < NETWORK_ORDERS; order++) {");
            strings(code, "orders", &names);
            code.add("fprintf(out, \"\\t%s=%s\", orders[order], net->waits[order] ? \"yes\" : \"no\");\n}");
        }
        if !plan.queues.is_empty() {
            code.add(
                "for (queue = 0; queue < NETWORK_QUEUES; queue++) {
                fprintf(out, \"\\t%s=[\", queues[queue].name);
                for (place = 0; place < net->length[queue]; place++) {
                unsigned slot = (net->head[queue] + place) % queues[queue].capacity;
                const network_message *message = &net->slots[queues[queue].first + slot];
                machine = message->machine;
                fputs(place > 0 ? \", \" : \"\", out);
                if (!machines[machine].is_alone) {
                fprintf(out, \"%s.\", machines[machine].name);
                }
                fputs(machines[machine].events[message->event], out);
                }
                fputc(']', out);
                }",
            );
        }
        code.add("fputc('\\n', out);\n}\n");
    }
}

fn strings(code: &mut Code, name: &str, strings: &[String]) {
    let strings: Vec<String> = strings.iter().map(|text| quoted(text)).collect();
    add!(
        code,
        "static const char *const {name}[] = {{ {} }};",
        strings.join(", ")
    );
}
