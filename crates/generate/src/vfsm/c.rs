//! A network as C99.
//!
//! `network.h` has the names and the state, `network.c` the machines and the run-time, `trace.c` what happens as text, `mapping.c` what a
//! person fills in. Helpers of the run-time that a network does not need are left out, since a compiler would complain.

mod machine;
mod trace;

use super::ids::Function;
use super::machine::{Language, Returns};
use super::plan::Plan;
use crate::code::{Code, add};
use crate::folder::{Folder, MARK};

const MAIN: &str = include_str!("../assets/main.c");
const TRACE: &str = include_str!("../assets/trace.h");
const MAKEFILE: &str = include_str!("../assets/Makefile");
const EXPLORE: &str = include_str!("../assets/explore.c");

/// What the run-time and the C library call their own.
const TAKEN: &[&str] = &[
    "network",
    "network_inputs",
    "network_failure",
    "network_message",
    "network_can_move",
    "network_choose",
    "network_init",
    "network_move",
    "network_may_end",
    "network_timer_started",
    "network_timer_stopped",
    "network_fine",
    "network_overflow",
    "network_unsettled",
    "network_unexpected_input",
    "network_wrong_choice",
    "first_timer",
    "start_timer",
    "stop_timer",
    "process_of",
    "choice_of",
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
];

/// The folder with the code.
pub(super) fn folder(plan: &Plan<'_>) -> Folder {
    let export = Export::new(plan, TAKEN);
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

type Export<'p, 'n> = super::machine::Export<'p, 'n, C>;

/// C99.
struct C;

impl Language for C {
    const END_OF_CASE: &'static str = "break;";
    const END_AFTER_ANSWER: &'static str = "";
    const WRONG_CHOICE: &'static str = "default:\nnet->failure = network_wrong_choice;\nbreak;\n}";
    const OTHERWISE_NOTHING: &'static str = "default:\nbreak;\n}";
    const CHOSEN: &'static str = "unsigned chosen = 0;\n(void)me;";
    const STATE: &'static str = "net->state[me]";

    fn comment(text: &str) -> String {
        format!("/* {text} */")
    }

    fn function(name: &str, parameters: &[&str], returns: Returns) -> String {
        let parameters = parameters.iter();
        let parameters: String = parameters
            .map(|name| format!(", unsigned {name}"))
            .collect();
        let result = match returns {
            Returns::Nothing => "void",
            Returns::Truth => "bool",
            Returns::Number => "unsigned",
        };
        format!("static {result} {name}(network *net{parameters})\n{{")
    }

    fn call(function: &str, arguments: &str) -> String {
        format!("{function}(net, {arguments})")
    }

    fn ask(function: &str) -> String {
        format!("{function}(net, me)")
    }

    fn ignore(call: &str) -> String {
        format!("(void){call};")
    }

    fn only_if(condition: &str) -> String {
        format!("if ({condition}) {{")
    }

    fn cases_of(value: &str) -> String {
        format!("switch ({value}) {{")
    }

    fn case(value: &str, comment: Option<&str>) -> String {
        match comment {
            Some(comment) => format!("case {value}: /* {comment} */"),
            None => format!("case {value}:"),
        }
    }

    fn answer(value: &str, _is_last: bool) -> String {
        format!("return {value};")
    }
}

impl Export<'_, '_> {
    fn begin(&self, what: &str) -> Code {
        let mut code = Code::default();
        add!(code, "/* {}: {what} {MARK} */", self.plan.name);
        code
    }

    fn wide(&self) -> bool {
        let mut types = self.plan.network.types.iter();
        types.any(|described| described.inputs.len() > 32)
    }

    fn header(&self) -> String {
        let (plan, ids) = (self.plan, &self.ids);
        let mut code = self.begin("the machines.");
        code.add(
            "#ifndef NETWORK_H\n#define NETWORK_H\n\n#include <stdbool.h>\n#include <stdint.h>\n",
        );
        enumeration(&mut code, "The machines.", &ids.machines);
        enumeration(&mut code, "The timers.", &ids.timers);
        let bits = if self.wide() { 64 } else { 32 };
        for (number, described) in plan.types() {
            let of_type = &ids.types[number];
            let name = &described.name;
            enumeration(&mut code, &format!("{name}: the states."), &of_type.states);
            for (bit, input) in of_type.inputs.iter().enumerate() {
                add!(code, "#define {input} (UINT{bits}_C(1) << {bit})");
            }
            if !of_type.inputs.is_empty() {
                code.add("");
            }
            enumeration(&mut code, &format!("{name}: the events."), &of_type.events);
            enumeration(&mut code, &format!("{name}: the timers."), &of_type.timers);
        }
        let slots: u32 = plan.queues.iter().map(|queue| queue.capacity).sum();
        add!(code, "#define NETWORK_MACHINES {}u", ids.machines.len());
        add!(code, "#define NETWORK_TIMERS {}u", ids.timers.len());
        if !plan.orders.is_empty() {
            add!(code, "#define NETWORK_ORDERS {}u", plan.orders.len());
        }
        add!(code, "#define NETWORK_QUEUES {}u", plan.queues.len());
        code.add("/* Who can move: machines and timers, in this order. */");
        if plan.chooses_start {
            code.add("/* Before them, whoever chooses the initial global state. */");
        }
        add!(
            code,
            "#define NETWORK_FIRST_MACHINE {}u",
            plan.before_machines()
        );
        code.add("#define NETWORK_FIRST_TIMER (NETWORK_FIRST_MACHINE + NETWORK_MACHINES)");
        code.add("#define NETWORK_MOVERS (NETWORK_FIRST_TIMER + NETWORK_TIMERS)\n");
        code.add("/* A virtual input register: a bit for each input. */");
        add!(code, "typedef uint{bits}_t network_inputs;\n");
        code.add(
            "/* What can go wrong. */
            enum network_failure {
            network_fine,
            network_overflow, /* a message to a full queue */
            network_unsettled, /* a transition that never ends */
            network_unexpected_input, /* an event where the state says nothing about it; the network goes on */
            network_wrong_choice /* a mapping returned a number that is none of its alternatives */
            };

            typedef struct {
            uint16_t machine;
            uint16_t event;
            } network_message;

            typedef struct network network;
            struct network {
            unsigned state[NETWORK_MACHINES];
            network_inputs inputs[NETWORK_MACHINES];
            network_inputs pulses; /* what leaves the register when the present transition is over */",
        );
        if !plan.timers.is_empty() {
            code.add("bool running[NETWORK_TIMERS];");
        }
        if !plan.orders.is_empty() {
            code.add("bool waits[NETWORK_ORDERS]; /* of two timers, does the second wait for the first? */");
        }
        if !plan.queues.is_empty() {
            code.add("unsigned head[NETWORK_QUEUES];\nunsigned length[NETWORK_QUEUES];");
            add!(code, "network_message slots[{slots}];");
        }
        code.add(
            "bool started;
            enum network_failure failure; /* once it is there, nothing moves any more */
            enum network_failure noticed; /* what the last step ran into and survived */
            unsigned (*choose)(const network *net, unsigned count); /* answers network_choose; 0 if there is none */
            void (*moved)(const network *net, unsigned mover); /* is told of each step, if there is one */
            void *user; /* yours */
            };

            /* The beginning: queues are empty, and timers are stopped. */
            void network_init(network *net);

            /* Can this machine or timer move? At most one machine of a processor can. */
            bool network_can_move(const network *net, unsigned mover);

            /* A transition of a machine, or the expiry of a timer. It must be able to move. */
            void network_move(network *net, unsigned mover);

            /* May the network end here, if nobody can move? */
            bool network_may_end(const network *net);

            /* A number below `count`, from whoever runs the network. */
            unsigned network_choose(const network *net, unsigned count);

            #endif",
        );
        code.into_text()
    }

    fn source(&self) -> String {
        let mut machines = Code::default();
        for (number, _) in self.plan.moving_types() {
            self.machine_type(&mut machines, number);
        }
        self.movement(&mut machines);
        let mut code = self.begin("the machines and their run-time.");
        code.add("#include \"network.h\"\n\n#include \"mapping.h\"\n\n#define NONE 0xFFFFu\n");
        self.tables(&mut code, machines.text());
        // A helper may need those before it.
        let mut kept: Vec<String> = Vec::new();
        let mut text = machines.text().to_string();
        let has_orders = !self.plan.orders.is_empty();
        for (name, helper) in HELPERS.iter().rev() {
            if text.contains(&format!("{name}(")) {
                let helper = without_orders(helper, has_orders);
                text += &helper;
                kept.push(helper);
            }
        }
        for helper in kept.iter().rev() {
            code.add(helper);
        }
        code.into_text() + machines.text()
    }

    /// Where machines, queues and processes are.
    fn tables(&self, code: &mut Code, users: &str) {
        let (plan, network) = (self.plan, self.plan.network);
        let list = |numbers: Vec<usize>| {
            let numbers: Vec<String> = numbers.iter().map(usize::to_string).collect();
            numbers.join(", ")
        };
        let queue = |process: usize, high: bool| {
            let queue = plan.queue(process, high);
            queue.map_or("NONE".into(), |number| number.to_string())
        };
        let processes = network.machines.iter().map(|m| m.process).collect();
        code.add("/* The process of each machine. */");
        add!(
            code,
            "static const unsigned process_of[NETWORK_MACHINES] = {{ {} }};\n",
            list(processes)
        );
        code.add("/* The processes, those of a processor together, highest priority first. */\nstatic const struct {");
        code.add("unsigned processor;\nunsigned high; /* its queues */\nunsigned low;\nunsigned free; /* the machine that acts of its own accord */");
        add!(code, "}} processes[{}] = {{", network.processes.len());
        for (number, process) in network.processes.iter().enumerate() {
            let free = network.free_machine(number);
            let free = free.map_or("NONE", |machine| &self.ids.machines[machine]);
            let (high, low) = (queue(number, true), queue(number, false));
            let end = if number + 1 == network.processes.len() {
                ""
            } else {
                ","
            };
            let name = &process.name;
            add!(
                code,
                "{{ {}, {high}, {low}, {free} }}{end} /* {name} */",
                process.processor
            );
        }
        code.add("};\n");
        if !plan.queues.is_empty() {
            code.add("/* Where the messages of a queue are, and how many it holds. */");
            code.add("static const struct {\nunsigned first;\nunsigned capacity;");
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
                    "{{ {first}, {} }}{end} /* {} */",
                    queue.capacity,
                    queue.name
                );
                first += queue.capacity;
            }
            code.add("};\n");
        }
        if !plan.orders.is_empty() {
            code.add("/* Timers with durations: if the second is started while the first runs, it waits for the first. */");
            code.add("static const struct {\nunsigned first;\nunsigned second;");
            code.add("} orders[NETWORK_ORDERS] = {");
            let timers = &self.ids.timers;
            for (number, order) in plan.orders.iter().enumerate() {
                let end = if number + 1 == plan.orders.len() {
                    ""
                } else {
                    ","
                };
                let (first, second) = (&timers[order.first], &timers[order.second]);
                add!(code, "{{ {first}, {second} }}{end}");
            }
            code.add("};\n");
        }
        if users.contains("first_timer[") {
            let first = (0..network.machines.len()).map(|machine| plan.first_timer(machine));
            code.add("/* The first timer of each machine. */");
            let first = list(first.collect());
            add!(
                code,
                "static const unsigned first_timer[NETWORK_MACHINES] = {{ {first} }};\n"
            );
        }
    }

    fn mapping_header(&self) -> String {
        let mut code = self.begin("what mapping.c has to have.");
        code.add("#ifndef MAPPING_H\n#define MAPPING_H\n\n#include \"network.h\"\n");
        for function in &self.plan.functions(&self.ids) {
            add!(code, "/* {} */\n{};", function.comment, signature(function));
        }
        code.add("\n#endif");
        code.into_text()
    }

    fn template(&self) -> (String, Vec<String>) {
        let mut code = Code::default();
        add!(
            code,
            "/* {}: the input mapper and the output functions. Yours: an export never replaces this file.",
            self.plan.name
        );
        let mut text = code.into_text();
        text += " *\n * `me` is the machine, one of those in network.h. A function that returns a number chooses one of the\n";
        text += " * alternatives of the model; what the alternative does to queues, timers and inputs is done for you. */\n";
        let mut code = Code::default();
        code.add("#include \"mapping.h\"");
        let functions = self.plan.functions(&self.ids);
        for function in &functions {
            add!(
                code,
                "\n/* {} */\n{}\n{{",
                function.comment,
                signature(function)
            );
            match &function.choices {
                Some(count) => {
                    add!(code, "(void)me;\nreturn network_choose(net, {count});");
                }
                None => {
                    code.add("(void)net;");
                    for parameter in &function.parameters {
                        add!(code, "(void){parameter};");
                    }
                }
            }
            code.add("}");
        }
        let names = functions.into_iter().map(|function| function.name);
        (text + code.text(), names.collect())
    }
}

/// A function that a person fills in, as C declares it.
fn signature(function: &Function) -> String {
    let parameters = function.parameters.iter();
    let parameters: String = parameters
        .map(|name| format!(", unsigned {name}"))
        .collect();
    let result = match function.choices {
        Some(_) => "unsigned",
        None => "void",
    };
    format!("{result} {}(network *net{parameters})", function.name)
}

fn enumeration(code: &mut Code, comment: &str, names: &[String]) {
    if !names.is_empty() {
        add!(
            code,
            "/* {comment} */\nenum {{\n{}\n}};\n",
            names.join(",\n")
        );
    }
}

/// Part of the run-time of a network in which timers may have to wait for each other, or not.
fn without_orders(helper: &str, has_orders: bool) -> String {
    let lines = helper.lines().filter(|line| {
        let is_about = ["note_orders(net", "forget_orders(net"].map(|call| line.contains(call));
        has_orders || !is_about.contains(&true)
    });
    lines.map(|line| format!("{line}\n")).collect()
}

/// Parts of the run-time, each with its name. One may use those before it.
const HELPERS: &[(&str, &str)] = &[
    (
        "has",
        "/* Is one of these inputs in the register? */
        static bool has(const network *net, unsigned me, network_inputs inputs)
        {
        return (net->inputs[me] & inputs) != 0;
        }
        ",
    ),
    (
        "change",
        "/* A mapping changes the register. */
        static void change(network *net, unsigned me, network_inputs removed, network_inputs inserted, network_inputs pulsed)
        {
        net->inputs[me] = (net->inputs[me] & ~removed) | inserted | pulsed;
        net->pulses = (net->pulses & ~(removed | inserted)) | pulsed;
        }
        ",
    ),
    (
        "post",
        "/* A message goes into a queue. */
        static void post(network *net, unsigned queue, unsigned machine, unsigned event)
        {
        network_message *slot;
        if (net->length[queue] == queues[queue].capacity) {
        net->failure = network_overflow;
        return;
        }
        slot = &net->slots[queues[queue].first + (net->head[queue] + net->length[queue]) % queues[queue].capacity];
        slot->machine = (uint16_t)machine;
        slot->event = (uint16_t)event;
        net->length[queue]++;
        }
        ",
    ),
    (
        "send",
        "/* Inside a process a message goes to its high queue, else to the low one. */
        static void send(network *net, unsigned me, unsigned machine, unsigned event)
        {
        unsigned process = process_of[machine];
        unsigned queue = process == process_of[me] ? processes[process].high : processes[process].low;
        post(net, queue, machine, event);
        }
        ",
    ),
    (
        "note_orders",
        "/* A timer that is about to run waits for those that run already and take no longer. */
        static void note_orders(network *net, unsigned timer)
        {
        unsigned order;
        for (order = 0; order < NETWORK_ORDERS; order++) {
        if (orders[order].second == timer && !net->running[timer]) {
        net->waits[order] = net->running[orders[order].first];
        }
        }
        }
        ",
    ),
    (
        "forget_orders",
        "/* A timer that does not run waits for nobody, and nobody waits for it. */
        static void forget_orders(network *net, unsigned timer)
        {
        unsigned order;
        for (order = 0; order < NETWORK_ORDERS; order++) {
        if (orders[order].first == timer || orders[order].second == timer) {
        net->waits[order] = false;
        }
        }
        }
        ",
    ),
    (
        "start_timer",
        "static void start_timer(network *net, unsigned timer)
        {
        note_orders(net, timer);
        net->running[timer] = true;
        network_timer_started(net, timer);
        }
        ",
    ),
    (
        "stop_timer",
        "static void stop_timer(network *net, unsigned timer)
        {
        net->running[timer] = false;
        forget_orders(net, timer);
        network_timer_stopped(net, timer);
        }
        ",
    ),
];
