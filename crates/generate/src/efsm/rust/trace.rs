//! What happens, as text.

use mazurka_model::Variable;

use super::Export;
use crate::code::{Code, add};
use crate::efsm::layout::{is_port, meaning};

impl Export<'_, '_> {
    pub(super) fn trace(&self) -> String {
        let (layout, program) = (self.layout, self.layout.program);
        let mut code = self.begin("what happens, as text.");
        code.add("use std::fmt::Write;\n\nuse crate::network::*;\n");
        add!(code, "const MODEL: &str = {:?};\n", layout.name);
        let names = (0..layout.instances.len()).map(|process| layout.instance(process));
        let names: Vec<&str> = names.collect();
        add!(
            code,
            "/// The names of those who move.\npub const MOVERS_NAMED: [&str; MOVERS] = {names:?};"
        );
        for (machine, _) in layout.machines() {
            let locations = &program.process_types[machine].locations;
            let locations = &program.locations[locations.start as usize..locations.end as usize];
            let states = locations.iter().map(|location| location.labels[0].as_str());
            let states: Vec<&str> = states.collect();
            add!(code, "const STATES_{machine}: &[&str] = &{states:?};");
        }
        code.add("/// For each kind of port the names of its messages and what their values are.");
        add!(
            code,
            "const KINDS: [&[(&str, &[u32])]; {}] = [",
            program.channel_types.len()
        );
        for channel in &program.channel_types {
            let fields = channel.fields.first();
            let names = match fields.map(|field| field.meaning) {
                Some(mazurka_model::Meaning::Enumeration(which)) => {
                    program.enumerations[which as usize].constants.as_slice()
                }
                _ => &[],
            };
            let messages = names.iter().enumerate().map(|(tag, (name, _))| {
                let form = channel.forms.get(tag).map_or(&[][..], |form| form);
                let form: Vec<u32> = form.iter().map(|m| meaning(*m)).collect();
                format!("({name:?}, &{form:?})")
            });
            let messages: Vec<String> = messages.collect();
            add!(code, "&[{}],", messages.join(", "));
        }
        code.add("];\n");
        self.value(&mut code);
        self.state(&mut code);
        code.add(REST);
        code.into_text()
    }

    /// How values are written: numbers, truth, the names of enumerations.
    fn value(&self, code: &mut Code) {
        code.add("/// A value: 0 is a number, 1 is true or false, then come the enumerations.");
        code.add("fn value(meaning: u32, value: i32) -> String {\nlet name = match (meaning, value) {\n(1, 0) => \"false\",\n(1, 1) => \"true\",");
        for (number, enumeration) in self.layout.program.enumerations.iter().enumerate() {
            for (name, value) in &enumeration.constants {
                add!(code, "({}, {value}) => {name:?},", number + 2);
            }
        }
        code.add("_ => return value.to_string(),\n};\nname.to_string()\n}\n");
    }

    fn state(&self, code: &mut Code) {
        let (layout, program) = (self.layout, self.layout.program);
        code.add("/// The state, in one line.\npub fn state<M: Mapping>(net: &Network<M>) -> String {\nlet mut text = String::from(\"state\");");
        self.variables(code, "", "net.shared", &program.shared, &self.ids.shared);
        for (process, (machine, number)) in layout.instances.iter().enumerate() {
            let (ids, name) = (&self.ids.machines[*machine], layout.instance(process));
            let owner = format!("net.{}[{number}]", ids.member);
            add!(
                code,
                "put(&mut text, {name:?}, STATES_{machine}[{owner}.state]);"
            );
            let variables = &program.process_types[*machine].variables;
            self.variables(code, &format!("{name}."), &owner, variables, &ids.variables);
        }
        for (port, channel_type) in layout.ports.iter().enumerate() {
            let name = layout.port_shown(port as i32 + 1);
            add!(
                code,
                "text += &messages(net, {name:?}, {port}, {channel_type});"
            );
        }
        code.add("text + \"\\n\"\n}\n");
    }

    fn variables(
        &self,
        code: &mut Code,
        before: &str,
        owner: &str,
        variables: &[Variable],
        names: &[String],
    ) {
        let shown = variables.iter().zip(names);
        for (variable, name) in shown.filter(|(variable, _)| !is_port(variable)) {
            for element in 0..variable.length.unwrap_or(1) {
                let index = variable.length;
                let index = index.map_or(String::new(), |_| format!("[{element}]"));
                let shown = format!("{before}{}{index}", variable.name);
                add!(
                    code,
                    "put(&mut text, {shown:?}, &value({}, i32::from({owner}.{name}{index})));",
                    meaning(variable.meaning)
                );
            }
        }
    }
}

const REST: &str = "fn put(text: &mut String, name: &str, value: &str) {
let _ = write!(text, \"\\t{name}={value}\");
}

/// The messages of a port.
fn messages<M: Mapping>(net: &Network<M>, name: &str, port: usize, kind: usize) -> String {
let (first, capacity) = PORT_PLACES[port];
let slots = (0..net.length[port]).map(|place| first + (net.head[port] + place) % capacity);
let messages = slots.map(|slot| {
let field = &net.slots[slot].field;
let (name, form) = KINDS[kind][field[0] as usize - 1];
let values = form.iter().zip(&field[1..]);
let values: Vec<String> = values.map(|(meaning, of)| value(*meaning, *of)).collect();
match values.is_empty() {
true => name.to_string(),
false => format!(\"{name}({})\", values.join(\",\")),
}
});
let messages: Vec<String> = messages.collect();
format!(\"\\t{name}=[{}]\", messages.join(\", \"))
}

fn who_can<M: Mapping>(net: &Network<M>) -> String {
let movers = (0..MOVERS).filter(|mover| net.can_move(*mover));
let movers: String = movers.map(|mover| format!(\"\\t{mover}\")).collect();
format!(\"can{movers}\\n\")
}

fn named(failure: Failure) -> &'static str {
match failure {
Failure::Fine => \"\",
Failure::Overflow => \"overflow\",
Failure::UnexpectedInput => \"unexpected-input\",
Failure::Assertion => \"assertion\",
Failure::RuntimeError => \"runtime-error\",
Failure::WrongChoice => \"wrong-choice\",
}
}

/// The beginning of a trace.
pub fn begin<M: Mapping>(net: &Network<M>) -> String {
format!(\"mazurka-trace\\t1\\t{MODEL}\\n{}{}\", state(net), who_can(net))
}

/// A step that was taken.
pub fn step<M: Mapping>(net: &Network<M>, mover: usize) -> String {
let mut text = format!(\"step\\t{mover}\\t{}\\n\", MOVERS_NAMED[mover]);
if net.noticed != Failure::Fine {
let _ = writeln!(text, \"notices\\t{}\", named(net.noticed));
}
if net.failure != Failure::Fine {
let _ = writeln!(text, \"fails\\t{}\", named(net.failure));
return text;
}
text + &state(net) + &who_can(net)
}";
