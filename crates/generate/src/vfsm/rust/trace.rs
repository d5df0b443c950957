//! What happens, as text.

use super::Export;
use crate::code::add;

impl Export<'_, '_> {
    pub(super) fn trace(&self) -> String {
        let plan = self.plan;
        let mut code = self.begin("what happens, as text.");
        code.add("use std::fmt::Write;\n\nuse crate::network::*;\n");
        add!(code, "const MODEL: &str = {:?};\n", plan.name);
        add!(
            code,
            "/// The names of those who move.\npub const MOVERS_NAMED: [&str; MOVERS] = {:?};\n",
            plan.movers()
        );
        code.add("struct Machine {\nname: &'static str,\nstates: &'static [&'static str],\ninputs: &'static [&'static str],\nevents: &'static [&'static str],\n/// In its process.\nis_alone: bool,\n}\n");
        code.add("const MACHINES_NAMED: [Machine; MACHINES] = [");
        for (number, machine) in plan.network.machines.iter().enumerate() {
            let described = plan.network.type_of(number);
            let states: Vec<&str> = described.states.iter().map(|s| s.name.as_str()).collect();
            let events: Vec<&str> = described.events.iter().map(|e| e.name.as_str()).collect();
            let is_alone = plan.network.processes[machine.process].machines.len() == 1;
            add!(
                code,
                "Machine {{\nname: {:?},\nstates: &{states:?},\ninputs: &{:?},\nevents: &{events:?},\nis_alone: {is_alone},\n}},",
                machine.name,
                described.inputs
            );
        }
        code.add("];\n");
        let queues: Vec<&str> = plan
            .queues
            .iter()
            .map(|queue| queue.name.as_str())
            .collect();
        add!(code, "const QUEUES_NAMED: [&str; QUEUES] = {queues:?};\n");
        let names: Vec<&str> = plan
            .orders
            .iter()
            .map(|order| order.name.as_str())
            .collect();
        let waits = match names.is_empty() {
            true => String::new(),
            false => {
                add!(
                    code,
                    "const ORDERS_NAMED: [&str; {}] = {names:?};\n",
                    names.len()
                );
                WAITS.into()
            }
        };
        code.add(REST.replace("WAITS\n", &waits));
        code.into_text()
    }
}

const WAITS: &str = "for (name, waits) in ORDERS_NAMED.iter().zip(&net.waits) {
let value = if *waits { \"yes\" } else { \"no\" };
let _ = write!(text, \"\\t{name}={value}\");
}
";

const REST: &str = "/// The state, in one line.
pub fn state<M: Mapping>(net: &Network<M>) -> String {
let mut text = String::from(\"state\");
for (number, machine) in MACHINES_NAMED.iter().enumerate() {
if !net.started {
break;
}
let _ = write!(text, \"\\t{}={}\", machine.name, machine.states[net.state[number]]);
let inputs = machine.inputs.iter().enumerate();
let inputs = inputs.filter(|(bit, _)| net.inputs[number] >> bit & 1 != 0);
let inputs: Vec<&str> = inputs.map(|(_, name)| *name).collect();
if !inputs.is_empty() {
let _ = write!(text, \" {{{}}}\", inputs.join(\", \"));
}
}
for (timer, running) in net.running.iter().enumerate() {
let value = if *running { \"running\" } else { \"stopped\" };
let _ = write!(text, \"\\t{}={value}\", MOVERS_NAMED[FIRST_TIMER + timer]);
}
WAITS
for (queue, name) in QUEUES_NAMED.iter().enumerate() {
let (first, capacity) = QUEUE_PLACES[queue];
let slots = (0..net.length[queue]).map(|place| first + (net.head[queue] + place) % capacity);
let messages = slots.map(|slot| {
let machine = &MACHINES_NAMED[net.slots[slot].machine as usize];
let event = machine.events[net.slots[slot].event as usize];
match machine.is_alone {
true => event.to_string(),
false => format!(\"{}.{event}\", machine.name),
}
});
let messages: Vec<String> = messages.collect();
let _ = write!(text, \"\\t{name}=[{}]\", messages.join(\", \"));
}
text + \"\\n\"
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
Failure::Unsettled => \"unsettled\",
Failure::UnexpectedInput => \"unexpected-input\",
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
