//! The functions of a machine type, and what moves the network.

use super::Export;
use crate::code::{Code, add};
use crate::vfsm::plan::FreeStates;
use crate::vfsm::words;

impl Export<'_, '_> {
    /// Everything that a type of machine does.
    pub(super) fn machine_type(&self, code: &mut Code, number: usize) {
        let described = &self.plan.network.types[number];
        add!(code, "/* ---- {} ---- */\n", described.name);
        self.mapper(code, number);
        for output in self.plan.outputs_made(described) {
            self.output(code, number, output);
        }
        self.receiver(code, number);
        self.actor(code, number);
        self.round(code, number);
        self.settling(code, number);
    }

    /// Where the network may end: all machines in end states.
    fn end(&self, code: &mut Code) {
        let network = self.plan.network;
        code.add("bool network_may_end(const network *net)\n{");
        for machine in 0..network.machines.len() {
            let described = network.type_of(machine);
            let names = &self.ids.types[network.machines[machine].machine_type].states;
            let last = described.states.iter().zip(names);
            let last = last.filter(|(state, _)| state.end);
            let name = &self.ids.machines[machine];
            let last: Vec<String> = last
                .map(|(_, state)| format!("net->state[{name}] == {state}"))
                .collect();
            match (last.len(), described.states.len()) {
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

    /// What a message does, and whether it was expected.
    fn receiver(&self, code: &mut Code, number: usize) {
        let (plan, ids) = (self.plan, &self.ids.types[number]);
        let described = &plan.network.types[number];
        let heard: Vec<usize> = (0..described.events.len())
            .filter(|event| plan.is_heard(number, *event))
            .collect();
        if heard.is_empty() {
            return;
        }
        code.add("/* A message comes. */");
        add!(
            code,
            "static void {}(network *net, unsigned me, unsigned event)\n{{",
            ids.receive
        );
        let mut cases = Code::default();
        for event in heard {
            let alternatives = 0..described.events[event].alternatives.len();
            for alternative in alternatives {
                let states = plan.unexpected_in(described, event, alternative);
                if states.is_empty() {
                    continue;
                }
                add!(
                    cases,
                    "if (event == {} && chosen == {alternative}) {{",
                    ids.events[event]
                );
                cases.add("switch (net->state[me]) {");
                for state in states {
                    add!(cases, "case {}:", ids.states[state]);
                }
                cases.add(
                    "net->noticed = network_unexpected_input;\nbreak;\ndefault:\nbreak;\n}\n}",
                );
            }
        }
        match cases.text().is_empty() {
            true => add!(code, "(void){}(net, me, event);", ids.map),
            false => {
                add!(code, "unsigned chosen = {}(net, me, event);", ids.map);
                code.add(cases.text().trim_end());
            }
        }
        code.add("}\n");
    }

    /// What a free machine does of its own accord.
    fn actor(&self, code: &mut Code, number: usize) {
        let (plan, ids) = (self.plan, &self.ids.types[number]);
        let described = &plan.network.types[number];
        if described.spontaneous.is_empty() {
            return;
        }
        let groups = plan.free_states(described);
        let labels = |code: &mut Code, states: &[usize]| {
            states
                .iter()
                .for_each(|state| add!(code, "case {}:", ids.states[*state]));
        };
        code.add("/* How many things it can do of its own accord. */");
        add!(
            code,
            "static unsigned {}(const network *net, unsigned me)\n{{",
            ids.possible
        );
        code.add("switch (net->state[me]) {");
        for FreeStates { possible, states } in &groups {
            labels(code, states);
            add!(code, "return {};", possible.len());
        }
        code.add("default:\nreturn 0;\n}\n}\n");
        add!(
            code,
            "static void {}(network *net, unsigned me)\n{{",
            ids.act
        );
        if self.plan.chooses_freely(number) {
            add!(code, "unsigned count = {}(net, me);", ids.possible);
            add!(
                code,
                "unsigned chosen = count > 1 ? {}(net, me, count) : 0;",
                ids.free
            );
        }
        code.add("switch (net->state[me]) {");
        for FreeStates { possible, states } in &groups {
            labels(code, states);
            let change = |(mapping, alternative): (usize, usize)| {
                let alternative = &described.spontaneous[mapping].alternatives[alternative];
                (
                    words::changes(described, alternative),
                    self.change(number, alternative),
                )
            };
            match possible[..] {
                [only] => code.add_if_any(&change(only).1),
                _ => Self::alternatives(code, "chosen", possible.iter().copied().map(change)),
            }
            code.add("break;");
        }
        code.add("default:\nbreak;\n}\n}\n");
    }

    /// The loop around a state block.
    fn settling(&self, code: &mut Code, number: usize) {
        let ids = &self.ids.types[number];
        let rounds = self.plan.rounds_of(number);
        code.add("/* Executes states until none follows. One that comes back with the same register would come back for ever. */");
        add!(
            code,
            "static void {}(network *net, unsigned me)\n{{",
            ids.settle
        );
        add!(
            code,
            "unsigned state[{rounds}];\nnetwork_inputs inputs[{rounds}];\nunsigned round, before;"
        );
        add!(code, "for (round = 0; round < {rounds}; round++) {{");
        code.add("for (before = 0; before < round; before++) {");
        code.add("if (state[before] == net->state[me] && inputs[before] == net->inputs[me]) {");
        code.add("net->failure = network_unsettled;\nreturn;\n}\n}");
        code.add("state[round] = net->state[me];\ninputs[round] = net->inputs[me];");
        add!(code, "if (!{}(net, me)) {{", ids.round);
        code.add("net->inputs[me] &= ~net->pulses;\nreturn;\n}\n}\nnet->failure = network_unsettled;\n}\n");
    }

    /// Who can move, and what happens then.
    pub(super) fn movement(&self, code: &mut Code) {
        let plan = self.plan;
        code.add("/* ---- the network ---- */\n");
        self.possible(code);
        let has_queues = !plan.queues.is_empty();
        if has_queues {
            code.add(
                "/* The queue that a process takes its next message from, if there is one. */
                static unsigned next_queue(const network *net, unsigned process)
                {
                unsigned high = processes[process].high;
                unsigned low = processes[process].low;
                if (high != NONE && net->length[high] > 0) {
                return high;
                }
                return low != NONE && net->length[low] > 0 ? low : NONE;
                }
                ",
            );
        }
        let has_free =
            (0..plan.network.processes.len()).any(|p| plan.network.free_machine(p).is_some());
        code.add("/* The machine of a process that can execute, if there is one. */");
        code.add("static unsigned ready(const network *net, unsigned process)\n{");
        if has_queues {
            code.add("unsigned queue = next_queue(net, process);");
        }
        if has_free {
            code.add("unsigned free = processes[process].free;");
        }
        if has_queues {
            code.add("if (queue != NONE) {");
            code.add("return net->slots[queues[queue].first + net->head[queue]].machine;\n}");
        }
        match (has_free, has_queues) {
            (true, _) => code.add("return free != NONE && possible(net, free) > 0 ? free : NONE;"),
            (false, true) => code.add("return NONE;"),
            (false, false) => code.add("(void)net;\n(void)process;\nreturn NONE;"),
        }
        code.add("}\n");
        if !plan.orders.is_empty() {
            code.add(
                "/* Does the timer run, and wait for no other? */
                static bool may_expire(const network *net, unsigned timer)
                {
                unsigned order;
                for (order = 0; order < NETWORK_ORDERS; order++) {
                if (orders[order].second == timer && net->waits[order]) {
                return false;
                }
                }
                return net->running[timer];
                }
                ",
            );
        }
        code.add("bool network_can_move(const network *net, unsigned mover)\n{");
        code.add("unsigned processor, process, machine;");
        code.add(
            "if (net->failure != network_fine || mover >= NETWORK_MOVERS) {\nreturn false;\n}",
        );
        if plan.chooses_start {
            code.add("if (!net->started || mover < NETWORK_FIRST_MACHINE) {");
            code.add("return !net->started && mover < NETWORK_FIRST_MACHINE;\n}");
        }
        code.add("if (mover >= NETWORK_FIRST_TIMER) {");
        code.add(match (plan.timers.is_empty(), plan.orders.is_empty()) {
            (true, _) => "return false;\n}",
            (_, true) => "return net->running[mover - NETWORK_FIRST_TIMER];\n}",
            _ => "return may_expire(net, mover - NETWORK_FIRST_TIMER);\n}",
        });
        code.add("processor = processes[process_of[mover - NETWORK_FIRST_MACHINE]].processor;");
        add!(
            code,
            "for (process = 0; process < {}; process++) {{",
            plan.network.processes.len()
        );
        code.add(
            "if (processes[process].processor == processor) {
            machine = ready(net, process);
            if (machine != NONE) {
            return machine == mover - NETWORK_FIRST_MACHINE;
            }
            }
            }
            return false;
            }
            ",
        );
        self.transition(code);
        self.beginning(code);
        code.add("void network_move(network *net, unsigned mover)\n{");
        code.add("net->noticed = network_fine;");
        let starts = plan.network.starts.len();
        if plan.chooses_start {
            code.add("if (mover < NETWORK_FIRST_MACHINE) {");
            match starts {
                1 => code.add("start(net, 0);"),
                _ => add!(code, "start(net, network_choose(net, {starts}));"),
            }
            code.add("} else if (mover < NETWORK_FIRST_TIMER) {");
        } else {
            code.add("if (mover < NETWORK_FIRST_TIMER) {");
        }
        code.add("transition(net, mover - NETWORK_FIRST_MACHINE);");
        if !plan.timers.is_empty() {
            code.add("} else {\nexpire(net, mover - NETWORK_FIRST_TIMER);");
        }
        code.add("}\nif (net->moved != 0) {\nnet->moved(net, mover);\n}\n}\n");
        self.end(code);
        code.add("unsigned network_choose(const network *net, unsigned count)\n{");
        code.add("return net->choose != 0 ? net->choose(net, count) : 0;\n}");
    }

    /// How many things a machine can do of its own accord.
    fn possible(&self, code: &mut Code) {
        let free: Vec<_> = self
            .plan
            .types()
            .filter(|(_, t)| !t.spontaneous.is_empty())
            .collect();
        if free.is_empty() {
            return;
        }
        code.add("/* How many things a machine can do of its own accord. */");
        code.add(
            "static unsigned possible(const network *net, unsigned machine)\n{\nswitch (machine) {",
        );
        for (number, _) in free {
            self.labels(code, number);
            add!(
                code,
                "return {}(net, machine);",
                self.ids.types[number].possible
            );
        }
        code.add("default:\nreturn 0;\n}\n}\n");
    }

    /// A label for each machine of a type.
    fn labels(&self, code: &mut Code, machine_type: usize) {
        for machine in self.plan.machines_of(machine_type) {
            add!(code, "case {}:", self.ids.machines[machine]);
        }
    }

    /// A whole transition of a machine, and the expiry of a timer.
    fn transition(&self, code: &mut Code) {
        let plan = self.plan;
        let has_queues = !plan.queues.is_empty();
        code.add("/* A transition: from a message, or an impulse of its own, to where no state follows. */");
        code.add("static void transition(network *net, unsigned me)\n{");
        if has_queues {
            code.add("unsigned queue = next_queue(net, process_of[me]);\nunsigned event = NONE;");
            code.add("if (queue != NONE) {");
            code.add("event = net->slots[queues[queue].first + net->head[queue]].event;");
            code.add("net->head[queue] = (net->head[queue] + 1) % queues[queue].capacity;");
            code.add("net->length[queue]--;\n}");
        }
        code.add("net->pulses = 0;\nswitch (me) {");
        for (number, described) in plan.types() {
            let ids = &self.ids.types[number];
            let (hears, is_free) = (plan.hears(number), !described.spontaneous.is_empty());
            if !hears && !is_free {
                continue;
            }
            self.labels(code, number);
            match (hears, is_free) {
                (true, true) => {
                    add!(
                        code,
                        "if (event == NONE) {{\n{}(net, me);\n}} else {{",
                        ids.act
                    );
                    add!(code, "{}(net, me, event);\n}}", ids.receive);
                }
                (true, false) => add!(code, "{}(net, me, event);", ids.receive),
                _ => add!(code, "{}(net, me);", ids.act),
            }
            add!(code, "{}(net, me);\nbreak;", ids.settle);
        }
        code.add("default:\nbreak;\n}\n}\n");
        if plan.timers.is_empty() {
            return;
        }
        code.add("/* A timer is up. */\nstatic void expire(network *net, unsigned timer)\n{");
        code.add("net->running[timer] = false;");
        if !plan.orders.is_empty() {
            code.add("forget_orders(net, timer);");
        }
        code.add("switch (timer) {");
        for (number, (machine, timer)) in plan.timers.iter().enumerate() {
            let described = &plan.network.machines[*machine];
            let event = plan.network.type_of(*machine).timers[*timer].event;
            let event = &self.ids.types[described.machine_type].events[event];
            let queue = plan.queue(described.process, false).unwrap_or_default();
            add!(code, "case {}:", self.ids.timers[number]);
            add!(
                code,
                "post(net, {queue}, {}, {event});\nbreak;",
                self.ids.machines[*machine]
            );
        }
        code.add("default:\nbreak;\n}\n}\n");
    }

    /// The initial global states.
    fn beginning(&self, code: &mut Code) {
        let (plan, ids) = (self.plan, &self.ids);
        code.add("/* The initial global states: for each machine its state. */");
        let starts = plan.network.starts.len();
        add!(
            code,
            "static const unsigned starts[{starts}][NETWORK_MACHINES] = {{"
        );
        for (number, start) in plan.network.starts.iter().enumerate() {
            let states = start.iter().enumerate().map(|(machine, state)| {
                let machine_type = plan.network.machines[machine].machine_type;
                ids.types[machine_type].states[*state].as_str()
            });
            let states: Vec<&str> = states.collect();
            let end = if number + 1 == starts { "" } else { "," };
            add!(code, "{{ {} }}{end}", states.join(", "));
        }
        code.add("};\n");
        code.add("static void start(network *net, unsigned which)\n{\nunsigned machine;");
        add!(
            code,
            "if (which >= {starts}) {{\nnet->failure = network_wrong_choice;\nreturn;\n}}"
        );
        code.add("for (machine = 0; machine < NETWORK_MACHINES; machine++) {");
        code.add("net->state[machine] = starts[which][machine];\n}\nnet->started = true;\n}\n");
        code.add(
            "void network_init(network *net)\n{\nstatic const network nothing;\n*net = nothing;",
        );
        if !plan.chooses_start {
            code.add("start(net, 0);");
        }
        code.add("}\n");
    }
}
