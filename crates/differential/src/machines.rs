//! Random systems of multi-port machines, small enough to be explored in full, and smaller ones like them.
//!
//! Everything that the notation has comes up, and each system has a part of it (swarm testing): what every system has resembles every
//! other. [`crate::notations`] counts which features meet.

mod objects;

use crate::random::Random;
use objects::Objects;

/// A system of machines that send to each other.
#[derive(Clone, Debug)]
pub struct System {
    kit: Kit,
    pub globals: usize,
    pub machines: Vec<Machine>,
    objects: Option<Objects>,
}

/// Which parts of the notation a system may have besides the plainest.
#[derive(Clone, Copy, Debug)]
struct Kit {
    /// How many transitions of a hundred have a predicate, and how many ports wait.
    predicates: usize,
    waiting: usize,
    /// Whether the system should rather hold: machines may stop anywhere, and take what comes.
    calm: bool,
    constants: bool,
    enumerations: bool,
    arrays: bool,
    /// Indices that may be out of range, and divisors that may be zero.
    faults: bool,
    /// `bool`, `short` and `int` variables.
    types: bool,
    initial: bool,
    /// Machines with a number, and with another machine, as parameter.
    parameters: bool,
    peers: bool,
    /// Two instances of one machine.
    instances: bool,
    /// Messages with no field and with two.
    fields: bool,
    /// `&&` and `||`.
    logic: bool,
    accept: bool,
    asserts: bool,
    /// Ports of one place, through which machines send to themselves.
    single: bool,
}

/// A machine.
#[derive(Clone, Debug)]
pub struct Machine {
    pub ports: Vec<Port>,
    pub states: usize,
    pub last: Vec<bool>,
    pub progress: Vec<bool>,
    pub accept: Vec<bool>,
    pub transitions: Vec<Transition>,
    /// The type of `y`.
    kind: &'static str,
    /// What `x` is at first, if it is said.
    initial: Option<usize>,
    /// The parameter `me`.
    numbered: bool,
    /// The machine that the parameter `peer` is an instance of.
    peer: Option<usize>,
    /// The number of instances, if they are an array.
    instances: Option<usize>,
}

#[derive(Clone, Debug)]
pub struct Port {
    /// One if nothing is said.
    pub capacity: Option<usize>,
    pub waits: bool,
    /// May it lose what is sent?
    pub loses: bool,
    /// May it have twice what is sent once?
    pub duplicates: bool,
    /// The word for the order of its messages, if it is not that of the sends.
    pub order: &'static str,
    /// Of each message the number of fields. The second field has the type of an enumeration, if there is one.
    pub messages: Vec<usize>,
}

#[derive(Clone, Debug)]
pub struct Transition {
    pub from: usize,
    pub to: usize,
    pub predicate: Option<String>,
    /// What is done with objects.
    pub uses: Vec<String>,
    /// Port, message, and what is done with its fields.
    pub receive: Option<(usize, usize, Vec<String>)>,
    pub block: Vec<String>,
    /// Instance, port, message and values.
    pub sends: Vec<(String, usize, usize, Vec<String>)>,
}

impl System {
    /// A system for each seed.
    pub fn random(seed: u64) -> System {
        let mut random = Random::new(seed);
        let globals = random.below(3);
        let count = 2 + random.below(3);
        let mut some = |percent: usize| random.chance(percent);
        let kit = Kit {
            predicates: 0,
            waiting: 0,
            calm: some(60),
            constants: some(40),
            enumerations: some(40),
            arrays: some(40),
            faults: some(12),
            types: some(40),
            initial: some(40),
            parameters: some(40),
            peers: some(40),
            instances: some(30),
            fields: some(40),
            logic: some(40),
            accept: some(40),
            asserts: some(50),
            single: some(25),
        };
        // Some systems never test, some never wait, so that each part is also met alone.
        let kit = Kit {
            predicates: [0, 20, 50][random.below(3)],
            waiting: match kit.calm {
                true => [50, 100, 100][random.below(3)],
                false => [0, 50, 100][random.below(3)],
            },
            ..kit
        };
        let mut machines: Vec<Machine> = (0..count)
            .map(|_| machine(&mut random, &kit, count))
            .collect();
        for number in 0..count {
            let states = machines[number].states;
            let transitions = states + random.below(3);
            for position in 0..transitions {
                let from = if position < states {
                    position
                } else {
                    random.below(states)
                };
                if from > 0 && position < states && random.chance(20) {
                    continue;
                }
                let scene = Scene {
                    kit: &kit,
                    globals,
                    machines: &machines,
                    own: number,
                };
                let transition = scene.transition(&mut random, from);
                machines[number].transitions.push(transition);
            }
        }
        if kit.calm {
            machines.iter_mut().for_each(Machine::take_all);
        }
        // From numbers of their own, so that a seed goes on naming the same system.
        let marks = &mut Random::new(!seed);
        if marks.chance(25) {
            for port in machines.iter_mut().flat_map(|machine| &mut machine.ports) {
                if marks.chance(60) {
                    (port.waits, port.loses) = (false, true);
                }
            }
        }
        let lines = &mut Random::new(seed ^ 0x6c69_6e65);
        if lines.chance(30) {
            for port in machines.iter_mut().flat_map(|machine| &mut machine.ports) {
                port.duplicates = lines.chance(50);
            }
        }
        let orders = &mut Random::new(seed ^ 0x6f72_6465);
        if orders.chance(35) {
            for port in machines.iter_mut().flat_map(|machine| &mut machine.ports) {
                port.order = ["", " sorted", " reorders"][orders.below(3)];
            }
        }
        let shared = &mut Random::new(seed ^ 0x6f62_6a65);
        let objects = shared.chance(40).then(|| Objects::random(shared));
        if let Some(objects) = &objects {
            let transitions = machines.iter_mut().flat_map(|m| &mut m.transitions);
            for transition in transitions.filter(|t| t.from != t.to || t.receive.is_none()) {
                transition.uses = objects.uses(shared);
            }
        }
        System {
            kit,
            globals,
            machines,
            objects,
        }
    }

    /// Systems with a little less in them.
    pub fn smaller(&self) -> Vec<System> {
        let mut all = Vec::new();
        for machine in 0..self.machines.len() {
            for transition in 0..self.machines[machine].transitions.len() {
                let mut less = self.clone();
                less.machines[machine].transitions.remove(transition);
                all.push(less);
                let with = |change: &dyn Fn(&mut Transition)| {
                    let mut less = self.clone();
                    change(&mut less.machines[machine].transitions[transition]);
                    less
                };
                let full = &self.machines[machine].transitions[transition];
                if full.predicate.is_some() {
                    all.push(with(&|t| t.predicate = None));
                }
                for used in 0..full.uses.len() {
                    all.push(with(&|t| {
                        t.uses.remove(used);
                    }));
                }
                if full.receive.is_some() {
                    all.push(with(&|t| t.receive = None));
                }
                if !full.block.is_empty() {
                    all.push(with(&|t| t.block.clear()));
                }
                if !full.sends.is_empty() {
                    all.push(with(&|t| {
                        t.sends.pop();
                    }));
                }
            }
        }
        all
    }

    /// Conditions on its states that a formula may ask about.
    pub fn atoms(&self, random: &mut Random) -> Vec<String> {
        let mut atom = || {
            let number = random.below(self.machines.len());
            let machine = &self.machines[number];
            let instance = match machine.instances {
                Some(count) => format!("i{number}[{}]", random.below(count)),
                None => format!("i{number}"),
            };
            let value = random.below(3);
            match random.below(4 + self.globals) {
                0 => {
                    let variable = ["x", "y"][random.below(2)];
                    format!("{instance}.{variable} == {value}")
                }
                1 => {
                    let port = random.below(machine.ports.len());
                    format!("len({instance}.p{port}) > 0")
                }
                2 | 3 => {
                    let state = random.below(machine.states);
                    format!("{instance} at S{state}")
                }
                global => format!("g{} == {value}", global - 4),
            }
        };
        (0..3).map(|_| atom()).collect()
    }

    /// The text of the system.
    pub fn text(&self) -> String {
        let mut text = String::new();
        if self.kit.constants {
            text += "const K = 3;\n";
        }
        if self.kit.enumerations {
            text += "enum Colour { red, green }\n";
        }
        for global in 0..self.globals {
            text += &format!("var g{global}: byte;\n");
        }
        if let Some(objects) = &self.objects {
            text += &objects.text();
        }
        for (number, machine) in self.machines.iter().enumerate() {
            text += &machine.text(number, &self.kit);
        }
        text += "system {\n";
        for (number, machine) in self.machines.iter().enumerate() {
            let count = machine.instances.map(|count| format!("[k < {count}]"));
            let mut arguments = Vec::new();
            if machine.numbered {
                let value = if count.is_some() { "k" } else { "1" };
                arguments.push(value.to_string());
            }
            if let Some(peer) = machine.peer {
                let index = self.machines[peer].instances.map(|count| match count {
                    1 => "[0]",
                    _ => "[1]",
                });
                arguments.push(format!("i{peer}{}", index.unwrap_or_default()));
            }
            let arguments = match arguments.is_empty() {
                true => String::new(),
                false => format!("({})", arguments.join(", ")),
            };
            let count = count.unwrap_or_default();
            text += &format!("  i{number}{count}: M{number}{arguments};\n");
        }
        text + "}\n"
    }
}

fn machine(random: &mut Random, kit: &Kit, count: usize) -> Machine {
    let ports = 1 + usize::from(random.chance(35));
    let states = 2 + random.below(3);
    let ports = (0..ports)
        .map(|_| Port {
            capacity: match random.below(4) {
                0 => None,
                _ if kit.single => Some(1),
                more => Some(more),
            },
            waits: random.chance(kit.waiting),
            loses: false,
            duplicates: false,
            order: "",
            messages: (0..1 + random.below(2))
                .map(|_| match kit.fields {
                    true => random.below(3),
                    false => 1,
                })
                .collect(),
        })
        .collect();
    let mut marks = |percent: usize| (0..states).map(|_| random.chance(percent)).collect();
    Machine {
        ports,
        states,
        last: marks(if kit.calm { 100 } else { 40 }),
        progress: marks(12),
        accept: marks(if kit.accept { 15 } else { 0 }),
        transitions: Vec::new(),
        kind: match kit.types {
            true => ["byte", "short", "int"][random.below(3)],
            false => "byte",
        },
        initial: (kit.initial && random.chance(50)).then(|| random.below(3)),
        numbered: kit.parameters && random.chance(60),
        peer: (kit.peers && random.chance(60)).then(|| random.below(count)),
        // Four machines with two instances each are many states.
        instances: (kit.instances && random.chance(40)).then(|| match count {
            2 => 1 + random.below(2),
            _ => 1 + usize::from(random.chance(20)),
        }),
    }
}

impl Machine {
    /// In each state every message that the state says nothing about is taken, and nothing happens.
    fn take_all(&mut self) {
        for state in 0..self.states {
            for (port, described) in self.ports.iter().enumerate() {
                for (message, fields) in described.messages.iter().enumerate() {
                    let mut known = self.transitions.iter();
                    let takes = |transition: &Transition| {
                        let receive = transition.receive.as_ref();
                        let is_it = receive.is_some_and(|(p, m, _)| (*p, *m) == (port, message));
                        transition.from == state && is_it
                    };
                    if known.any(takes) {
                        continue;
                    }
                    self.transitions.push(Transition {
                        from: state,
                        to: state,
                        predicate: None,
                        uses: Vec::new(),
                        receive: Some((port, message, vec!["_".into(); *fields])),
                        block: Vec::new(),
                        sends: Vec::new(),
                    });
                }
            }
        }
    }

    fn text(&self, number: usize, kit: &Kit) -> String {
        let mut parameters = Vec::new();
        if self.numbered {
            parameters.push("me: byte".to_string());
        }
        if let Some(peer) = self.peer {
            parameters.push(format!("peer: M{peer}"));
        }
        let parameters = match parameters.is_empty() {
            true => String::new(),
            false => format!("({})", parameters.join(", ")),
        };
        let mut text = format!("machine M{number}{parameters} {{\n");
        for (port, described) in self.ports.iter().enumerate() {
            let waits = match (described.waits, described.loses) {
                (true, _) => " waits",
                (false, true) => " loses",
                (false, false) => "",
            };
            let messages = described.messages.iter().enumerate();
            let messages: Vec<String> = messages
                .map(|(message, fields)| match fields {
                    0 => format!("m{message}"),
                    1 => format!("m{message}(byte)"),
                    _ if kit.enumerations => format!("m{message}(byte, Colour)"),
                    _ => format!("m{message}(byte, bool)"),
                })
                .collect();
            let capacity = match described.capacity {
                None => String::new(),
                Some(3) if kit.constants => "[K]".into(),
                Some(capacity) => format!("[{capacity}]"),
            };
            let messages = messages.join(", ");
            let duplicates = if described.duplicates {
                " duplicates"
            } else {
                ""
            };
            let order = described.order;
            text +=
                &format!("  port p{port}{capacity}{waits}{duplicates}{order} {{ {messages} }}\n");
        }
        match self.initial {
            Some(value) => text += &format!("  var x: byte = {value};\n"),
            None => text += "  var x: byte;\n",
        }
        text += &format!("  var y: {};\n", self.kind);
        if kit.arrays {
            text += "  var a: byte[2];\n";
        }
        if kit.types {
            text += "  var b: bool = true;\n";
        }
        if kit.enumerations {
            text += "  var c: Colour;\n";
        }
        for state in 0..self.states {
            let mark = |is_marked: bool, word: &'static str| if is_marked { word } else { "" };
            let start = mark(state == 0, "start ");
            let last = mark(self.last[state], "final ");
            let progress = mark(self.progress[state], "progress ");
            let accept = mark(self.accept[state], "accept ");
            text += &format!("  {start}{last}{progress}{accept}state S{state};\n");
        }
        for transition in &self.transitions {
            text += &transition.text();
        }
        text + "}\n"
    }
}

impl Transition {
    fn text(&self) -> String {
        let listed = |values: &[String]| match values.is_empty() {
            true => String::new(),
            false => format!("({})", values.join(", ")),
        };
        let mut text = format!("  S{} -> S{}", self.from, self.to);
        if let Some(predicate) = &self.predicate {
            text += &format!(" when {predicate}");
        }
        if !self.uses.is_empty() {
            text += &format!(" do {}", self.uses.join(", "));
        }
        if let Some((port, message, patterns)) = &self.receive {
            text += &format!(" ?p{port}.m{message}{}", listed(patterns));
        }
        if !self.block.is_empty() {
            text += &format!(" {{ {} }}", self.block.join(" "));
        }
        for (instance, port, message, values) in &self.sends {
            text += &format!(" !{instance}.p{port}.m{message}{}", listed(values));
        }
        text + ";\n"
    }
}

/// What a transition may name.
struct Scene<'s> {
    kit: &'s Kit,
    globals: usize,
    machines: &'s [Machine],
    own: usize,
}

impl Scene<'_> {
    fn transition(&self, random: &mut Random, from: usize) -> Transition {
        let own = &self.machines[self.own];
        let receives = random.chance(55);
        let mut transition = Transition {
            from,
            // Mostly onwards, or nothing would ever end.
            to: if random.chance(65) {
                (from + 1).min(own.states - 1)
            } else {
                random.below(own.states)
            },
            predicate: None,
            uses: Vec::new(),
            receive: None,
            block: Vec::new(),
            sends: Vec::new(),
        };
        if random.chance(self.kit.predicates) {
            transition.predicate = Some(self.predicate(random));
        }
        if receives {
            let port = random.below(own.ports.len());
            let message = random.below(own.ports[port].messages.len());
            let fields = own.ports[port].messages[message];
            let patterns = (0..fields).map(|field| self.pattern(random, field));
            transition.receive = Some((port, message, patterns.collect()));
        }
        if random.chance(40) {
            for _ in 0..1 + usize::from(random.chance(20)) {
                transition.block.push(self.statement(random));
            }
        }
        let sends = match random.below(10) {
            0..=3 => 0,
            9 => 2,
            _ => 1,
        };
        for _ in 0..sends {
            let send = self.send(random);
            transition.sends.push(send);
        }
        transition
    }

    fn pattern(&self, random: &mut Random, field: usize) -> String {
        match (random.below(5), field) {
            (0, _) => "_".into(),
            (1, 0) => format!("={}", random.below(2)),
            (2, 0) if self.kit.logic => "=(x + 1) % 2".into(),
            (3, 0) if self.kit.arrays => "a[1]".into(),
            (_, 0) => "x".into(),
            (1 | 2, _) if self.kit.enumerations => "=green".into(),
            (_, _) if self.kit.enumerations => "c".into(),
            (1 | 2, _) => "=true".into(),
            (3, _) if self.kit.types => "b".into(),
            (_, _) => "_".into(),
        }
    }

    fn send(&self, random: &mut Random) -> (String, usize, usize, Vec<String>) {
        let peer = self.machines[self.own].peer.filter(|_| random.chance(50));
        let machine = match peer {
            Some(peer) => peer,
            None if self.kit.single && random.chance(50) => self.own,
            None => random.below(self.machines.len()),
        };
        let instance = match (peer, self.machines[machine].instances) {
            (Some(_), _) => "peer".into(),
            (None, Some(2)) if random.chance(50) => format!("i{machine}[x % 2]"),
            (None, Some(count)) => format!("i{machine}[{}]", random.below(count)),
            (None, None) => format!("i{machine}"),
        };
        let ports = &self.machines[machine].ports;
        let port = random.below(ports.len());
        let message = random.below(ports[port].messages.len());
        let values = (0..ports[port].messages[message]).map(|field| match field {
            0 => self.value(random),
            _ if self.kit.enumerations => ["red", "green", "c"][random.below(3)].to_string(),
            _ => ["true", "false", "x > 0"][random.below(3)].to_string(),
        });
        (instance, port, message, values.collect())
    }

    fn value(&self, random: &mut Random) -> String {
        let own = &self.machines[self.own];
        match random.below(6) {
            0 if own.numbered => "me".into(),
            1 if self.kit.arrays => "a[0]".into(),
            // What does not fit is cut.
            other => ["0", "1", "x", "y % 3", "1", "x"][other].to_string(),
        }
    }

    fn variable(&self, random: &mut Random) -> String {
        match random.below(2 + self.globals) {
            0 => "x".into(),
            1 => "y".into(),
            global => format!("g{}", global - 2),
        }
    }

    /// Something to read, a number below 3.
    fn operand(&self, random: &mut Random) -> String {
        let own = &self.machines[self.own];
        match random.below(7) {
            0 if own.numbered => "me".into(),
            1 if self.kit.arrays => format!("a[{}]", random.below(2)),
            2 if self.kit.arrays && self.kit.faults => "a[x]".into(),
            2 if self.kit.arrays => "a[x % 2]".into(),
            3 if self.kit.faults => "2 / x".into(),
            3 => "x / 2".into(),
            4 if self.kit.constants => "(K - 1)".into(),
            _ => self.variable(random),
        }
    }

    fn predicate(&self, random: &mut Random) -> String {
        let operator = ["==", "!=", "<", ">="][random.below(4)];
        let value = random.below(3);
        match random.below(8) {
            0 => {
                let port = random.below(self.machines[self.own].ports.len());
                format!("len(p{port}) {operator} {value}")
            }
            1 => format!("!({} {operator} {value})", self.operand(random)),
            2 if self.kit.enumerations => {
                format!(
                    "c {} {}",
                    ["==", "!="][random.below(2)],
                    ["red", "green"][random.below(2)]
                )
            }
            3 if self.kit.types => "b".into(),
            3 | 4 if self.kit.logic => {
                let (one, other) = (self.operand(random), self.operand(random));
                let joint = ["&&", "||"][random.below(2)];
                format!("({one} {operator} {value} {joint} {other} > 0)")
            }
            _ => format!("{} {operator} {value}", self.operand(random)),
        }
    }

    /// Values stay below 3, so that there are few states.
    fn statement(&self, random: &mut Random) -> String {
        let target = match random.below(5) {
            0 if self.kit.arrays && self.kit.faults => "a[x]".into(),
            0 if self.kit.arrays => format!("a[{}]", random.below(2)),
            _ => self.variable(random),
        };
        let other = self.operand(random);
        let modulus = if self.kit.constants { "K" } else { "3" };
        match random.below(10) {
            0 => format!("{target} := {};", random.below(3)),
            1 => format!("{target} := ({other} + 1) % {modulus};"),
            2 => format!("if {other} > 0 {{ {target} := 0; }} else {{ {target} := 1; }}"),
            3 if self.kit.asserts && self.kit.calm => format!("assert {target} < 3;"),
            3 if self.kit.asserts => format!("assert {target} != {};", 1 + random.below(2)),
            4 => format!(
                "for i in 0..{} {{ {target} := ({target} + i) % {modulus}; }}",
                random.below(4)
            ),
            5 => format!("while {target} > 1 {{ {target} := {target} - 1; }}"),
            6 if self.kit.enumerations => {
                ["c := green;", "c := red;", "if c == red { c := green; }"][random.below(3)].into()
            }
            7 if self.kit.types => format!("b := {other} > 1;"),
            8 if self.kit.logic => format!("{target} := -({other} - 2) & 1;"),
            _ => format!("{target} := 1 - {target} % 2;"),
        }
    }
}
