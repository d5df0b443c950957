//! Random networks of virtual finite state machines, and how to make one smaller.
//!
//! Every machine knows the same three events and the same three inputs, so that any machine can
//! send any event to any other. What the notation leaves open (free machines, priorities, timers,
//! feedback, alternatives) comes up in all combinations; errors are as welcome as anything else.
//! [`crate::notations`] counts which features meet.

use std::collections::BTreeMap;
use std::fmt::Write;

use crate::random::Random;

const EVENTS: usize = 3;
const INPUTS: usize = 3;
const OUTPUTS: usize = 3;

/// A network.
#[derive(Clone, Debug)]
pub struct Network {
    pub machines: Vec<Machine>,
    /// Processors, their processes by priority, the machines in each.
    pub processors: Vec<Vec<Vec<usize>>>,
    /// The length of all queues that say nothing else; four if it is not said.
    pub queue: Option<usize>,
    /// What is said of the high and the low queue of each process, which is known by its first machine.
    pub lengths: BTreeMap<usize, (Option<usize>, Option<usize>)>,
    /// The type of each machine: its own, or that of one before it.
    pub types: Vec<usize>,
    /// Whom each machine calls its partner.
    pub partners: Vec<Option<usize>>,
    /// Initial global states, if some are said: a state for each of some machines.
    pub starts: Vec<Vec<(usize, usize)>>,
    /// Pairs of machine and state that must never all come together.
    pub never: Vec<(usize, usize)>,
    /// A machine and an input: it has the input, or is in its first state, or another is not.
    pub inputs: Option<(usize, usize)>,
    /// Is what can be written once, for all machines, written once?
    pub folded: bool,
}

/// A machine and its type, which is its own.
#[derive(Clone, Debug)]
pub struct Machine {
    pub states: Vec<State>,
    /// For each event, the alternatives.
    pub events: Vec<Vec<Changes>>,
    /// Is every event fine in every state?
    pub tolerant: bool,
    /// Or in these states besides?
    pub also: Vec<usize>,
    /// For each output, the alternatives.
    pub outputs: Vec<Vec<Vec<Operation>>>,
    /// What a free machine may do, and where; everywhere if that is not said.
    pub spontaneous: Vec<(Vec<usize>, Vec<Changes>)>,
    pub timer: bool,
    /// How long the timer runs, if that is said.
    pub duration: Option<usize>,
    pub starts: usize,
}

/// Signs and inputs.
pub type Changes = Vec<(char, usize)>;

#[derive(Clone, Debug, Default)]
pub struct State {
    pub entry: Vec<usize>,
    pub exit: Vec<usize>,
    pub actions: Vec<(String, Vec<usize>)>,
    pub next: Vec<(String, usize)>,
    pub end: bool,
    pub progress: bool,
}

#[derive(Clone, Debug)]
pub enum Operation {
    Send(usize, usize),
    /// To the partner, whom the network names.
    SendPartner(usize),
    Start,
    Stop,
    Feedback(usize),
    Clear(usize),
}

/// The network that a seed names.
pub fn generate(seed: u64) -> Network {
    let random = &mut Random::new(seed);
    let count = 2 + random.below(4);
    let mut processors: Vec<Vec<Vec<usize>>> = Vec::new();
    let mut free_taken: Vec<usize> = Vec::new();
    let mut machines: Vec<Machine> = Vec::new();
    let mut types = Vec::new();
    let kit = Kit::draw(random);
    for machine in 0..count {
        // A new processor, a new process on the last one, or the last process.
        let place = if processors.is_empty() {
            0
        } else {
            random.below(4)
        };
        match (place, processors.last_mut()) {
            (2, Some(processor)) => {
                let position = random.below(processor.len() + 1);
                processor.insert(position, vec![machine]);
                free_taken.clear();
            }
            (3, Some(processor)) => {
                let last = processor.len() - 1;
                free_taken = processor[last].clone();
                processor[last].push(machine);
            }
            _ => {
                processors.push(vec![vec![machine]]);
                free_taken.clear();
            }
        }
        let alone = !free_taken.iter().any(|m| {
            let known: &Machine = &machines[types[*m]];
            !known.spontaneous.is_empty()
        });
        let free = alone && random.chance(80);
        machines.push(machine_of(random, &kit, (machine, count), free));
        // Of one process at most one machine is free.
        let shared =
            (machine > 0 && kit.shared && random.chance(40)).then(|| types[random.below(machine)]);
        let shared =
            shared.filter(|shared: &usize| alone || machines[*shared].spontaneous.is_empty());
        types.push(shared.unwrap_or(machine));
    }
    let never = match random.chance(40) {
        true => (0..count.min(2))
            .map(|machine| (machine, random.below(2)))
            .collect(),
        false => Vec::new(),
    };
    // From numbers of their own, so that a seed goes on naming the same network.
    let marks = &mut Random::new(!seed);
    for state in machines
        .iter_mut()
        .flat_map(|m: &mut Machine| &mut m.states)
    {
        state.progress = marks.chance(12);
    }
    for operation in machines
        .iter_mut()
        .flat_map(|m: &mut Machine| &mut m.outputs)
        .flatten()
        .flatten()
    {
        if let Operation::Feedback(event) = *operation
            && marks.chance(50)
        {
            *operation = Operation::Clear(event % INPUTS);
        }
    }
    let folded = marks.chance(30);
    if marks.chance(60) {
        let timers = machines.iter_mut().filter(|machine| machine.timer);
        timers.for_each(|machine| machine.duration = marks.chance(80).then(|| 1 + marks.below(3)));
    }
    let mut lengths = BTreeMap::new();
    for process in processors.iter().flatten() {
        if kit.lengths && random.chance(50) {
            let length = |random: &mut Random| random.chance(60).then(|| 1 + random.below(2));
            lengths.insert(process[0], (length(random), length(random)));
        }
    }
    let queue = match kit.single {
        true => 1,
        false => 1 + random.below(3),
    };
    let starts = match kit.starts {
        true => (0..1 + random.below(2))
            .map(|_| {
                let all = (0..count).map(|machine| {
                    let states = machines[types[machine]].states.len();
                    (machine, random.below(states))
                });
                all.collect()
            })
            .collect(),
        false => Vec::new(),
    };
    Network {
        queue: (!kit.queue_unsaid || kit.single).then_some(queue),
        lengths,
        partners: (0..count)
            .map(|_| kit.partners.then(|| random.below(count)))
            .collect(),
        starts,
        never,
        inputs: (kit.inputs && random.chance(50))
            .then(|| (random.below(count), random.below(INPUTS))),
        machines,
        processors,
        types,
        folded,
    }
}

/// Which parts of the notation a network may have besides the plainest.
struct Kit {
    shared: bool,
    lengths: bool,
    queue_unsaid: bool,
    starts: bool,
    partners: bool,
    inputs: bool,
    /// Several outputs at once, and `true` and negations as conditions.
    wide: bool,
    /// Events that are tolerated in some states.
    also: bool,
    /// Alternatives and several states of what free machines do.
    choices: bool,
    /// Queues of one place, through which machines send to themselves.
    single: bool,
    /// Machines that know each event everywhere are common, or rare.
    tolerant: usize,
}

impl Kit {
    fn draw(random: &mut Random) -> Kit {
        let mut some = |percent: usize| random.chance(percent);
        Kit {
            shared: some(40),
            lengths: some(40),
            queue_unsaid: some(15),
            starts: some(25),
            partners: some(40),
            inputs: some(40),
            wide: some(40),
            also: some(40),
            choices: some(40),
            single: some(25),
            tolerant: if some(50) { 95 } else { 60 },
        }
    }
}

fn machine_of(
    random: &mut Random,
    kit: &Kit,
    (own, machines): (usize, usize),
    free: bool,
) -> Machine {
    let count = 2 + random.below(3);
    // Half of the machines are acyclic, so that their footprints shrink on the way.
    let acyclic = random.chance(50);
    let timer = random.chance(30);
    let states = (0..count)
        .map(|number| {
            let mut state = State {
                end: random.chance(50),
                ..State::default()
            };
            let outputs = |random: &mut Random| {
                let more = usize::from(kit.wide && random.chance(30));
                (0..1 + more).map(|_| random.below(OUTPUTS)).collect()
            };
            if random.chance(50) {
                state.entry = outputs(random);
            }
            if random.chance(20) {
                state.exit = outputs(random);
            }
            for _ in 0..random.below(2) {
                let condition = condition(random, kit);
                state.actions.push((condition, outputs(random)));
            }
            for _ in 0..random.below(3) {
                let target = match acyclic {
                    true if number + 1 == count => continue,
                    true => number + 1 + random.below(count - number - 1),
                    false => random.below(count),
                };
                state.next.push((condition(random, kit), target));
            }
            state
        })
        .collect();
    let outputs = (0..OUTPUTS)
        .map(|_| {
            let alternatives = 1 + random.below(2);
            let alternative = |random: &mut Random| {
                (0..random.below(5) / 2)
                    .map(|_| operation(random, kit, (own, machines), timer))
                    .collect()
            };
            (0..alternatives).map(|_| alternative(random)).collect()
        })
        .collect();
    Machine {
        states,
        events: (0..EVENTS)
            .map(|_| (0..1 + random.below(2)).map(|_| changes(random)).collect())
            .collect(),
        tolerant: random.chance(kit.tolerant),
        also: match kit.also && random.chance(60) {
            true => vec![random.below(count)],
            false => Vec::new(),
        },
        outputs,
        spontaneous: match free {
            true => (0..1 + random.below(3))
                .map(|_| spontaneous(random, kit, count))
                .collect(),
            false => Vec::new(),
        },
        timer,
        duration: None,
        starts: if random.chance(10) { 2 } else { 1 },
    }
}

fn spontaneous(random: &mut Random, kit: &Kit, count: usize) -> (Vec<usize>, Vec<Changes>) {
    let places = match kit.choices {
        true => random.below(3),
        false => 1,
    };
    let mut places: Vec<usize> = (0..places).map(|_| random.below(count)).collect();
    places.sort_unstable();
    places.dedup();
    let ways = 1 + usize::from(kit.choices && random.chance(40));
    (places, (0..ways).map(|_| changes(random)).collect())
}

fn operation(
    random: &mut Random,
    kit: &Kit,
    (own, machines): (usize, usize),
    timer: bool,
) -> Operation {
    if kit.single && random.chance(40) {
        return Operation::Send(random.below(EVENTS), own);
    }
    if kit.partners && random.chance(25) {
        return Operation::SendPartner(random.below(EVENTS));
    }
    match random.below(10) {
        0..=5 => Operation::Send(random.below(EVENTS), random.below(machines)),
        6 if timer => Operation::Stop,
        7 | 8 if timer => Operation::Start,
        9 => Operation::Feedback(random.below(EVENTS)),
        _ => Operation::Send(0, random.below(machines)),
    }
}

fn condition(random: &mut Random, kit: &Kit) -> String {
    let input = |random: &mut Random| {
        let negation = if random.chance(6) { "!" } else { "" };
        format!("{negation}I{}", random.below(INPUTS))
    };
    match random.below(4) {
        3 if kit.wide && random.chance(40) => match random.below(3) {
            0 => "true".into(),
            1 => format!("!({} & {})", input(random), input(random)),
            _ => format!(
                "({} | {}) & {}",
                input(random),
                input(random),
                input(random)
            ),
        },
        0 => format!("{} & {}", input(random), input(random)),
        1 => format!("({} | {})", input(random), input(random)),
        _ => input(random),
    }
}

fn changes(random: &mut Random) -> Changes {
    let mut changes: Changes = Vec::new();
    for input in 0..INPUTS {
        if random.chance(45) {
            changes.push((*random.pick(&['*', '*', '*', '*', '*', '+', '-']), input));
        }
    }
    changes
}

impl Network {
    /// The text of the model.
    pub fn text(&self) -> String {
        let mut text = String::new();
        let inputs = match self.folded {
            true => {
                let _ = writeln!(text, "const LAST = {};", INPUTS - 1);
                if let Some(queue) = self.queue {
                    let _ = writeln!(text, "const LENGTH = {queue};");
                }
                text += "table COMMON { for i in 0..LAST { inputs I[i]; } }\n";
                "use COMMON;"
            }
            false => "inputs I0, I1, I2;",
        };
        for (number, machine) in self.machines.iter().enumerate() {
            if self.types.contains(&number) {
                machine.print(number, inputs, &mut text);
            }
        }
        text += "network {\n";
        match self.queue {
            Some(_) if self.folded => text += "    queue LENGTH;\n",
            Some(queue) => {
                let _ = writeln!(text, "    queue {queue};");
            }
            None => {}
        }
        for (number, processor) in self.processors.iter().enumerate() {
            let _ = writeln!(text, "    processor R{number} {{");
            for process in processor {
                let instance = |m: &usize| {
                    let partner = self.partners[*m].filter(|_| self.of(*m).has_partner());
                    let partner = partner.map(|partner| format!("(partner = m{partner})"));
                    format!("m{m}: M{}{}; ", self.types[*m], partner.unwrap_or_default())
                };
                let machines: String = process.iter().map(instance).collect();
                let (high, low) = self.lengths.get(&process[0]).copied().unwrap_or_default();
                let high = high.map(|length| format!("high {length}; "));
                let low = low.map(|length| format!("low {length}; "));
                let (high, low) = (high.unwrap_or_default(), low.unwrap_or_default());
                let _ = writeln!(
                    text,
                    "        process P{} {{ {high}{low}{machines}}}",
                    process[0]
                );
            }
            text += "    }\n";
        }
        for start in &self.starts {
            let all: Vec<String> = start.iter().map(|(m, s)| format!("m{m} in S{s}")).collect();
            let _ = writeln!(text, "    start {};", all.join(", "));
        }
        text += "}\n";
        if !self.never.is_empty() {
            let atoms: Vec<String> = self
                .never
                .iter()
                .map(|(m, s)| format!("m{m}.S{s}"))
                .collect();
            let _ = writeln!(text, "invariant never: !({});", atoms.join(" & "));
        }
        if let Some((machine, input)) = self.inputs {
            let other = (machine + 1) % self.types.len();
            let _ = writeln!(
                text,
                "invariant kept: m{machine}.I{input} -> m{machine}.S0 | !m{other}.S1;"
            );
        }
        text
    }

    /// The type of a machine.
    fn of(&self, machine: usize) -> &Machine {
        &self.machines[self.types[machine]]
    }

    /// Conditions on its states that a formula may ask about.
    pub fn atoms(&self, random: &mut Random) -> Vec<String> {
        let mut atom = || {
            let machine = random.below(self.types.len());
            match random.chance(25) {
                true => format!("m{machine}.I{}", random.below(INPUTS)),
                false => {
                    let states = self.of(machine).states.len();
                    format!("m{machine}.S{}", random.below(states))
                }
            }
        };
        (0..3).map(|_| atom()).collect()
    }

    /// Networks with one thing less.
    pub fn smaller(&self) -> Vec<Network> {
        let mut all = Vec::new();
        let mut less = |change: &dyn Fn(&mut Network)| {
            let mut network = self.clone();
            change(&mut network);
            all.push(network);
        };
        if !self.never.is_empty() {
            less(&|network| network.never.clear());
        }
        if self.inputs.is_some() {
            less(&|network| network.inputs = None);
        }
        if self.folded {
            less(&|network| network.folded = false);
        }
        if !self.starts.is_empty() {
            less(&|network| network.starts.clear());
        }
        if !self.lengths.is_empty() {
            less(&|network| network.lengths.clear());
        }
        for number in 0..self.machines.len() {
            for machine in self.machines[number].smaller() {
                let mut network = self.clone();
                network.machines[number] = machine;
                all.push(network);
            }
        }
        all
    }
}

impl Machine {
    fn has_partner(&self) -> bool {
        let mut operations = self.outputs.iter().flatten().flatten();
        operations.any(|operation| matches!(operation, Operation::SendPartner(_)))
    }

    fn print(&self, number: usize, inputs: &str, text: &mut String) {
        let names = |letter: &str, list: &[usize]| -> String {
            list.iter()
                .map(|n| format!("{letter}{n}"))
                .collect::<Vec<_>>()
                .join(", ")
        };
        let _ = writeln!(text, "machine M{number} {{\n    {inputs}");
        let _ = writeln!(
            text,
            "    initial {};",
            names("S", &(0..self.starts).collect::<Vec<_>>())
        );
        if self.timer {
            let duration = self.duration.map(|duration| format!(" after {duration}"));
            let duration = duration.unwrap_or_default();
            let _ = writeln!(text, "    timer T raises E2{duration};");
        }
        for (number, state) in self.states.iter().enumerate() {
            if state.end {
                let _ = writeln!(text, "    end S{number};");
            }
            if state.progress {
                let _ = writeln!(text, "    progress S{number};");
            }
            let _ = writeln!(text, "    S{number} {{");
            if !state.entry.is_empty() {
                let _ = writeln!(text, "        E: {};", names("O", &state.entry));
            }
            if !state.exit.is_empty() {
                let _ = writeln!(text, "        X: {};", names("O", &state.exit));
            }
            for (condition, output) in &state.actions {
                let outputs = names("O", output);
                let _ = writeln!(text, "        IA: {condition} ? {outputs};");
            }
            for (condition, target) in &state.next {
                let _ = writeln!(text, "        NS: {condition} > S{target};");
            }
            text.push_str("    }\n");
        }
        let print_changes = |changes: &Changes| match changes.is_empty() {
            true => "nothing".to_string(),
            false => changes
                .iter()
                .map(|(sign, input)| format!("{sign}I{input} "))
                .collect(),
        };
        for (number, alternatives) in self.events.iter().enumerate() {
            let list: Vec<String> = alternatives.iter().map(print_changes).collect();
            let anywhere = match (self.tolerant, self.also.is_empty()) {
                (true, _) => " anywhere".into(),
                (false, true) => String::new(),
                (false, false) => format!(" also in {}", names("S", &self.also)),
            };
            let _ = writeln!(text, "    on E{number}: {}{anywhere};", list.join(" | "));
        }
        for (states, alternatives) in &self.spontaneous {
            let places = match states.is_empty() {
                true => String::new(),
                false => format!(" in {}", names("S", states)),
            };
            let list: Vec<String> = alternatives.iter().map(print_changes).collect();
            let _ = writeln!(text, "    spontaneous{places}: {};", list.join(" | "));
        }
        for (number, alternatives) in self.outputs.iter().enumerate() {
            let print = |operations: &Vec<Operation>| match operations.is_empty() {
                true => "nothing".to_string(),
                false => {
                    let list: Vec<String> = operations.iter().map(Operation::text).collect();
                    list.join(", ")
                }
            };
            let list: Vec<String> = alternatives.iter().map(print).collect();
            let _ = writeln!(text, "    out O{number}: {};", list.join(" | "));
        }
        text.push_str("}\n");
    }

    fn smaller(&self) -> Vec<Machine> {
        let mut all = Vec::new();
        let mut push = |change: &dyn Fn(&mut Machine)| {
            let mut machine = self.clone();
            change(&mut machine);
            all.push(machine);
        };
        for number in 0..self.spontaneous.len() {
            push(&|machine| drop(machine.spontaneous.remove(number)));
        }
        for (number, state) in self.states.iter().enumerate() {
            for item in 0..state.next.len() {
                push(&|machine| drop(machine.states[number].next.remove(item)));
            }
            for item in 0..state.actions.len() {
                push(&|machine| drop(machine.states[number].actions.remove(item)));
            }
            if !state.entry.is_empty() {
                push(&|machine| machine.states[number].entry.clear());
            }
            if !state.exit.is_empty() {
                push(&|machine| machine.states[number].exit.clear());
            }
        }
        for (number, alternatives) in self.outputs.iter().enumerate() {
            for (alternative, operations) in alternatives.iter().enumerate() {
                if alternatives.len() > 1 {
                    push(&|machine| drop(machine.outputs[number].remove(alternative)));
                }
                for operation in 0..operations.len() {
                    push(&|machine| {
                        machine.outputs[number][alternative].remove(operation);
                    });
                }
            }
        }
        for (number, alternatives) in self.events.iter().enumerate() {
            for (alternative, changes) in alternatives.iter().enumerate() {
                if alternatives.len() > 1 {
                    push(&|machine| drop(machine.events[number].remove(alternative)));
                }
                for change in 0..changes.len() {
                    push(&|machine| {
                        machine.events[number][alternative].remove(change);
                    });
                }
            }
        }
        all
    }
}

impl Operation {
    fn text(&self) -> String {
        match self {
            Operation::Send(event, machine) => format!("send E{event} to m{machine}"),
            Operation::SendPartner(event) => format!("send E{event} to partner"),
            Operation::Start => "start T".into(),
            Operation::Stop => "stop T".into(),
            Operation::Feedback(event) => format!("feedback E{event}"),
            Operation::Clear(input) => format!("clear I{input}"),
        }
    }
}
