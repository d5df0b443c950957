//! Random systems of multi-port machines, small enough to be explored in full, and smaller ones like them.

use crate::random::Random;

/// A system of machines that send to each other, with all that the notation has.
#[derive(Clone, Debug)]
pub struct System {
    pub globals: usize,
    pub machines: Vec<Machine>,
}

/// A machine with one instance.
#[derive(Clone, Debug)]
pub struct Machine {
    pub ports: Vec<Port>,
    pub states: usize,
    pub last: Vec<bool>,
    pub progress: Vec<bool>,
    pub transitions: Vec<Transition>,
}

#[derive(Clone, Debug)]
pub struct Port {
    pub capacity: usize,
    pub waits: bool,
    pub messages: usize,
}

#[derive(Clone, Debug)]
pub struct Transition {
    pub from: usize,
    pub to: usize,
    pub predicate: Option<String>,
    /// Port, message, and what is done with its field.
    pub receive: Option<(usize, usize, Pattern)>,
    pub block: Vec<String>,
    /// Machine, port, message and value.
    pub sends: Vec<(usize, usize, usize, String)>,
}

#[derive(Clone, Copy, Debug)]
pub enum Pattern {
    Store,
    Ignore,
    Match(u64),
}

impl System {
    /// A system for each seed.
    pub fn random(seed: u64) -> System {
        let mut random = Random::new(seed);
        let globals = random.below(3);
        let count = 2 + random.below(3);
        // Some systems never test, some never wait, so that each part is also met alone.
        let predicates = [0, 20, 50][random.below(3)];
        let waiting = [0, 50, 100][random.below(3)];
        let mut machines: Vec<Machine> = (0..count)
            .map(|_| {
                let ports = 1 + usize::from(random.chance(35));
                let states = 2 + random.below(3);
                Machine {
                    ports: (0..ports)
                        .map(|_| Port {
                            capacity: 1 + random.below(3),
                            waits: random.chance(waiting),
                            messages: 1 + random.below(2),
                        })
                        .collect(),
                    states,
                    last: (0..states).map(|_| random.chance(40)).collect(),
                    progress: vec![false; states],
                    transitions: Vec::new(),
                }
            })
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
                let transition =
                    transition(&mut random, &machines, globals, number, from, predicates);
                machines[number].transitions.push(transition);
            }
        }
        // From numbers of their own, so that a seed goes on naming the same system.
        let random = &mut Random::new(!seed);
        for machine in &mut machines {
            for mark in &mut machine.progress {
                *mark = random.chance(12);
            }
        }
        System { globals, machines }
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
            let machine = random.below(self.machines.len());
            let value = random.below(3);
            match random.below(4 + self.globals) {
                0 => {
                    let variable = ["x", "y"][random.below(2)];
                    format!("i{machine}.{variable} == {value}")
                }
                1 => {
                    let port = random.below(self.machines[machine].ports.len());
                    format!("len(i{machine}.p{port}) > 0")
                }
                2 | 3 => {
                    let state = random.below(self.machines[machine].states);
                    format!("i{machine} at S{state}")
                }
                global => format!("g{} == {value}", global - 4),
            }
        };
        (0..3).map(|_| atom()).collect()
    }

    /// The text of the system.
    pub fn text(&self) -> String {
        let mut text = String::new();
        for global in 0..self.globals {
            text += &format!("var g{global}: byte;\n");
        }
        for (number, machine) in self.machines.iter().enumerate() {
            text += &format!("machine M{number} {{\n");
            for (port, described) in machine.ports.iter().enumerate() {
                let waits = if described.waits { " waits" } else { "" };
                let messages: Vec<String> = (0..described.messages)
                    .map(|message| format!("m{message}(byte)"))
                    .collect();
                text += &format!(
                    "  port p{port}[{}]{waits} {{ {} }}\n",
                    described.capacity,
                    messages.join(", ")
                );
            }
            text += "  var x, y: byte;\n";
            for state in 0..machine.states {
                let start = if state == 0 { "start " } else { "" };
                let last = if machine.last[state] { "final " } else { "" };
                let progress = match machine.progress[state] {
                    true => "progress ",
                    false => "",
                };
                text += &format!("  {start}{last}{progress}state S{state};\n");
            }
            for transition in &machine.transitions {
                text += &transition.text();
            }
            text += "}\n";
        }
        text += "system {\n";
        for number in 0..self.machines.len() {
            text += &format!("  i{number}: M{number};\n");
        }
        text + "}\n"
    }
}

impl Transition {
    fn text(&self) -> String {
        let mut text = format!("  S{} -> S{}", self.from, self.to);
        if let Some(predicate) = &self.predicate {
            text += &format!(" when {predicate}");
        }
        if let Some((port, message, pattern)) = &self.receive {
            let pattern = match pattern {
                Pattern::Store => "x".into(),
                Pattern::Ignore => "_".into(),
                Pattern::Match(value) => format!("={value}"),
            };
            text += &format!(" ?p{port}.m{message}({pattern})");
        }
        if !self.block.is_empty() {
            text += &format!(" {{ {} }}", self.block.join(" "));
        }
        for (machine, port, message, value) in &self.sends {
            text += &format!(" !i{machine}.p{port}.m{message}({value})");
        }
        text + ";\n"
    }
}

fn transition(
    random: &mut Random,
    machines: &[Machine],
    globals: usize,
    own: usize,
    from: usize,
    predicates: usize,
) -> Transition {
    let states = machines[own].states;
    let receives = random.chance(55);
    let mut transition = Transition {
        from,
        // Mostly onwards, or nothing would ever end.
        to: if random.chance(65) {
            (from + 1).min(states - 1)
        } else {
            random.below(states)
        },
        predicate: None,
        receive: None,
        block: Vec::new(),
        sends: Vec::new(),
    };
    if random.chance(predicates) {
        transition.predicate = Some(predicate(random, globals));
    }
    if receives {
        let port = random.below(machines[own].ports.len());
        let message = random.below(machines[own].ports[port].messages);
        let pattern = match random.below(4) {
            0 => Pattern::Ignore,
            1 => Pattern::Match(random.below(2) as u64),
            _ => Pattern::Store,
        };
        transition.receive = Some((port, message, pattern));
    }
    if random.chance(40) {
        let statement = statement(random, globals);
        transition.block.push(statement);
    }
    let sends = match random.below(10) {
        0..=3 => 0,
        9 => 2,
        _ => 1,
    };
    for _ in 0..sends {
        let machine = random.below(machines.len());
        let port = random.below(machines[machine].ports.len());
        let message = random.below(machines[machine].ports[port].messages);
        let value = ["0", "1", "x", "y"][random.below(4)].to_string();
        transition.sends.push((machine, port, message, value));
    }
    transition
}

fn variable(random: &mut Random, globals: usize) -> String {
    match random.below(2 + globals) {
        0 => "x".into(),
        1 => "y".into(),
        global => format!("g{}", global - 2),
    }
}

fn predicate(random: &mut Random, globals: usize) -> String {
    let variable = variable(random, globals);
    let operator = ["==", "!=", "<", ">="][random.below(4)];
    let value = random.below(3);
    match random.below(6) {
        0 => format!("len(p0) {operator} {value}"),
        1 => format!("!({variable} {operator} {value})"),
        _ => format!("{variable} {operator} {value}"),
    }
}

/// Values stay below 3, so that there are few states.
fn statement(random: &mut Random, globals: usize) -> String {
    let target = variable(random, globals);
    let other = variable(random, globals);
    match random.below(7) {
        0 => format!("{target} := {};", random.below(3)),
        1 => format!("{target} := ({other} + 1) % 3;"),
        2 => format!("if {other} > 0 {{ {target} := 0; }} else {{ {target} := 1; }}"),
        3 => format!("assert {target} != {};", 1 + random.below(2)),
        4 => format!(
            "for i in 0..{} {{ {target} := ({target} + i) % 3; }}",
            random.below(4)
        ),
        5 => format!("while {target} > 1 {{ {target} := {target} - 1; }}"),
        _ => format!("{target} := 1 - {target} % 2;"),
    }
}
