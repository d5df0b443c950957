//! The functions of a machine type, and what moves the network.

use super::Export;
use crate::code::{Code, add};
use crate::vfsm::plan::FreeStates;
use crate::vfsm::words;

impl Export<'_, '_> {
    /// Everything that a type of machine does.
    pub(super) fn machine_type(&self, code: &mut Code, number: usize) {
        let described = &self.plan.network.types[number];
        self.mapper(code, number);
        for output in self.plan.outputs_made(described) {
            self.output(code, number, output);
        }
        self.receiver(code, number);
        self.actor(code, number);
        self.round(code, number);
        self.settling(code, number);
    }

    /// What a message does, and whether it was expected.
    fn receiver(&self, code: &mut Code, number: usize) {
        let (plan, ids) = (self.plan, &self.ids.types[number]);
        let described = &plan.network.types[number];
        if !plan.hears(number) {
            return;
        }
        code.add("/// A message comes.");
        add!(
            code,
            "fn {}(&mut self, me: usize, event: usize) {{",
            ids.receive
        );
        add!(
            code,
            "let chosen = self.{}(me, event);\nmatch (event, chosen, self.state[me]) {{",
            ids.map
        );
        for (event, mapped) in described.events.iter().enumerate() {
            for alternative in 0..mapped.alternatives.len() {
                let states = plan.unexpected_in(described, event, alternative);
                let states: Vec<&str> = states.iter().map(|s| ids.states[*s].as_str()).collect();
                if !states.is_empty() && plan.is_heard(number, event) {
                    let states = states.join(" | ");
                    add!(
                        code,
                        "({}, {alternative}, {states}) => self.noticed = Failure::UnexpectedInput,",
                        ids.events[event]
                    );
                }
            }
        }
        code.add("_ => {}\n}\n}\n");
    }

    /// What a free machine does of its own accord.
    fn actor(&self, code: &mut Code, number: usize) {
        let (plan, ids) = (self.plan, &self.ids.types[number]);
        let described = &plan.network.types[number];
        if described.spontaneous.is_empty() {
            return;
        }
        let groups = plan.free_states(described);
        let names = |states: &[usize]| {
            let names: Vec<&str> = states.iter().map(|s| ids.states[*s].as_str()).collect();
            names.join(" | ")
        };
        code.add("/// How many things it can do of its own accord.");
        add!(
            code,
            "fn {}(&self, me: usize) -> usize {{\nmatch self.state[me] {{",
            ids.possible
        );
        for FreeStates { possible, states } in &groups {
            add!(code, "{} => {},", names(states), possible.len());
        }
        code.add("_ => 0,\n}\n}\n");
        add!(code, "fn {}(&mut self, me: usize) {{", ids.act);
        match plan.chooses_freely(number) {
            true => {
                add!(code, "let count = self.{}(me);", ids.possible);
                add!(
                    code,
                    "let chosen = if count > 1 {{ self.mapping.{}(me, count) }} else {{ 0 }};",
                    ids.free
                );
            }
            false => code.add("let chosen = 0;"),
        }
        code.add("match (self.state[me], chosen) {");
        for FreeStates { possible, states } in &groups {
            for (choice, (mapping, alternative)) in possible.iter().enumerate() {
                let alternative = &described.spontaneous[*mapping].alternatives[*alternative];
                add!(
                    code,
                    "// {}\n({}, {choice}) => {{",
                    words::changes(described, alternative),
                    names(states)
                );
                code.add_if_any(&self.change(number, alternative));
                code.add("}");
            }
        }
        code.add("_ => self.failure = Failure::WrongChoice,\n}\n}\n");
    }

    /// The loop around a state block.
    fn settling(&self, code: &mut Code, number: usize) {
        let ids = &self.ids.types[number];
        let rounds = self.plan.rounds_of(number);
        code.add("/// Executes states until none follows. One that comes back with the same register would come back for ever.");
        add!(code, "fn {}(&mut self, me: usize) {{", ids.settle);
        add!(
            code,
            "let mut seen = [(0, 0); {rounds}];\nfor round in 0..{rounds} {{"
        );
        code.add("let now = (self.state[me], self.inputs[me]);\nif seen[..round].contains(&now) {\nbreak;\n}\nseen[round] = now;");
        add!(code, "if !self.{}(me) {{", ids.round);
        code.add("self.inputs[me] &= !self.pulses;\nreturn;\n}\n}\nself.failure = Failure::Unsettled;\n}\n");
    }

    /// What moves machines and timers.
    pub(super) fn network(&self, code: &mut Code) {
        let plan = self.plan;
        let machines = |number: usize| {
            let machines = plan.machines_of(number).into_iter();
            let machines: Vec<&str> = machines.map(|m| self.ids.machines[m].as_str()).collect();
            machines.join(" | ")
        };
        code.add("/// How many things a machine can do of its own accord.\nfn possible(&self, machine: usize) -> usize {\nmatch machine {");
        for (number, described) in plan.types() {
            if !described.spontaneous.is_empty() {
                add!(
                    code,
                    "{} => self.{}(machine),",
                    machines(number),
                    self.ids.types[number].possible
                );
            }
        }
        code.add("_ => 0,\n}\n}\n");
        code.add("/// A transition: from a message, or an impulse of its own, to where no state follows.\nfn transition(&mut self, me: usize) {");
        code.add("let queue = self.next_queue(process_of[me]);\nlet event = queue.map(|queue| {\nlet (first, capacity) = QUEUE_PLACES[queue];");
        code.add("let event = self.slots[first + self.head[queue]].event as usize;\nself.head[queue] = (self.head[queue] + 1) % capacity;\nself.length[queue] -= 1;\nevent\n});");
        code.add("self.pulses = 0;\nmatch me {");
        for (number, described) in plan.moving_types() {
            let ids = &self.ids.types[number];
            add!(code, "{} => {{\nmatch event {{", machines(number));
            match plan.hears(number) {
                true => add!(code, "Some(event) => self.{}(me, event),", ids.receive),
                false => code.add("Some(_) => {}"),
            }
            match described.spontaneous.is_empty() {
                true => code.add("None => {}"),
                false => add!(code, "None => self.{}(me),", ids.act),
            }
            add!(code, "}}\nself.{}(me);\n}}", ids.settle);
        }
        code.add("_ => {}\n}\n}\n");
        code.add("/// A timer is up.\nfn expire(&mut self, timer: usize) {\nself.running[timer] = false;");
        let has_orders = !plan.orders.is_empty();
        if has_orders {
            code.add("self.forget_orders(timer);");
        }
        code.add("match timer {");
        for (number, (machine, timer)) in plan.timers.iter().enumerate() {
            let described = &plan.network.machines[*machine];
            let event = plan.network.type_of(*machine).timers[*timer].event;
            let event = &self.ids.types[described.machine_type].events[event];
            let queue = plan.queue(described.process, false);
            let (timer, machine) = (&self.ids.timers[number], &self.ids.machines[*machine]);
            add!(code, "{timer} => self.post({queue:?}, {machine}, {event}),");
        }
        code.add("_ => {}\n}\n}");
        if !plan.timers.is_empty() {
            for (name, running) in [("start", true), ("stop", false)] {
                let told = if running { "started" } else { "stopped" };
                let orders = match (has_orders, running) {
                    (false, _) => "",
                    (_, true) => "self.note_orders(timer);\n",
                    (_, false) => "self.forget_orders(timer);\n",
                };
                add!(
                    code,
                    "\nfn {name}_timer(&mut self, timer: usize) {{\n{orders}self.running[timer] = {running};\nself.mapping.network_timer_{told}(timer);\n}}"
                );
            }
        }
        if has_orders {
            code.add(ORDERS);
        }
    }
}

const ORDERS: &str = "
/// Does the timer run, and wait for no other?
fn may_expire(&self, timer: usize) -> bool {
let mut orders = ORDERS.iter().zip(&self.waits);
self.running[timer] && !orders.any(|((_, second), waits)| *second == timer && *waits)
}

/// A timer that is about to run waits for those that run already and take no longer.
fn note_orders(&mut self, timer: usize) {
for (number, (first, second)) in ORDERS.iter().enumerate() {
if *second == timer && !self.running[timer] {
self.waits[number] = self.running[*first];
}
}
}

/// A timer that does not run waits for nobody, and nobody waits for it.
fn forget_orders(&mut self, timer: usize) {
for (number, (first, second)) in ORDERS.iter().enumerate() {
if *first == timer || *second == timer {
self.waits[number] = false;
}
}
}";
