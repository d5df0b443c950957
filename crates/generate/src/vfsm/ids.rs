//! The names of the code, and the functions that a person fills in.

use super::plan::Plan;
use super::words;
use crate::names::Names;

/// The names of the code.
pub(super) struct Ids {
    pub machines: Vec<String>,
    pub timers: Vec<String>,
    pub types: Vec<TypeIds>,
}

#[derive(Default)]
pub(super) struct TypeIds {
    /// What the functions of the type begin with.
    pub name: String,
    pub states: Vec<String>,
    pub inputs: Vec<String>,
    pub events: Vec<String>,
    pub timers: Vec<String>,
    /// The functions that a person fills in.
    pub outputs: Vec<String>,
    pub maps: Vec<String>,
    pub free: String,
    /// The functions that make an output.
    pub makes: Vec<String>,
    pub map: String,
    pub receive: String,
    pub possible: String,
    pub act: String,
    pub round: String,
    pub settle: String,
}

impl Ids {
    /// Names for a network, all but those that are taken.
    pub fn new(plan: &Plan<'_>, taken: &[&str]) -> Ids {
        let mut names = Names::without(taken.iter().copied());
        let mut types = Vec::new();
        for described in &plan.network.types {
            let name = &described.name;
            // What people use comes first, so that its names are kept.
            types.push(TypeIds {
                name: name.clone(),
                states: each(&mut names, name, described.states.iter().map(|s| &s.name)),
                inputs: each(&mut names, name, described.inputs.iter()),
                events: each(&mut names, name, described.events.iter().map(|e| &e.name)),
                timers: each(&mut names, name, described.timers.iter().map(|t| &t.name)),
                ..TypeIds::default()
            });
        }
        for (described, ids) in plan.network.types.iter().zip(&mut types) {
            let mut function = |word: &str, of: &str| names.take(format!("{}{word}{of}", ids.name));
            let outputs = described.outputs.iter();
            ids.outputs = outputs
                .clone()
                .map(|o| function("_out_", &o.name))
                .collect();
            let events = described.events.iter();
            ids.maps = events.map(|e| function("_map_", &e.name)).collect();
            ids.free = function("_spontaneous", "");
            ids.makes = outputs.map(|o| function("_make_", &o.name)).collect();
            ids.map = function("_map", "");
            ids.receive = function("_receive", "");
            ids.possible = function("_possible", "");
            ids.act = function("_act", "");
            ids.round = function("_round", "");
            ids.settle = function("_settle", "");
        }
        let machines = plan.network.machines.iter();
        let machines = machines.map(|m| names.take(format!("machine_{}", m.name)));
        let machines = machines.collect();
        let timers = plan.timers.iter().map(|(machine, timer)| {
            let timer = &plan.network.type_of(*machine).timers[*timer].name;
            let machine = &plan.network.machines[*machine].name;
            names.take(format!("timer_{machine}_{timer}"))
        });
        Ids {
            timers: timers.collect(),
            machines,
            types,
        }
    }
}

fn each<'a>(
    names: &mut Names,
    prefix: &str,
    wanted: impl Iterator<Item = &'a String>,
) -> Vec<String> {
    let wanted = wanted.map(|name| names.take(format!("{prefix}_{name}")));
    wanted.collect()
}

/// A function that a person fills in.
pub(super) struct Function {
    pub name: String,
    pub comment: String,
    /// What it is told: a machine or a timer, and how many alternatives there are, if that is not always the same.
    pub parameters: Vec<&'static str>,
    /// How many alternatives it chooses among; none if it chooses nothing.
    pub choices: Option<String>,
}

impl Plan<'_> {
    /// The functions that a person fills in.
    pub fn functions(&self, ids: &Ids) -> Vec<Function> {
        let (plan, mut functions) = (self, Vec::new());
        for (number, described) in plan.moving_types() {
            let ids = &ids.types[number];
            for (event, mapped) in described.events.iter().enumerate() {
                let count = mapped.alternatives.len();
                if count > 1 && (plan.is_heard(number, event) || plan.is_fed_back(described, event))
                {
                    let told = mapped
                        .alternatives
                        .iter()
                        .map(|a| words::changes(described, a));
                    let told = words::numbered(told);
                    functions.push(Function {
                        name: ids.maps[event].clone(),
                        comment: format!("{} receives {}. {told}", described.name, mapped.name),
                        parameters: vec!["me"],
                        choices: Some(count.to_string()),
                    });
                }
            }
            if plan.chooses_freely(number) {
                let mut told = Vec::new();
                for (state, known) in described.states.iter().enumerate() {
                    let possible = plan.free_in(described, state);
                    let possible = possible.iter().map(|(mapping, alternative)| {
                        words::changes(
                            described,
                            &described.spontaneous[*mapping].alternatives[*alternative],
                        )
                    });
                    if possible.len() > 1 {
                        told.push(format!("in {}: {}", known.name, words::numbered(possible)));
                    }
                }
                functions.push(Function {
                    name: ids.free.clone(),
                    comment: format!("{} acts. {}", described.name, told.join(". ")),
                    parameters: vec!["me", "count"],
                    choices: Some("count".into()),
                });
            }
            for output in plan.outputs_made(described) {
                let made = &described.outputs[output];
                let told = made
                    .alternatives
                    .iter()
                    .map(|a| words::operations(described, a));
                let alternatives = made.alternatives.len() > 1;
                let told = match alternatives {
                    true => words::numbered(told),
                    false => told.collect(),
                };
                functions.push(Function {
                    name: ids.outputs[output].clone(),
                    comment: format!("{} makes {}. {told}", described.name, made.name),
                    parameters: vec!["me"],
                    choices: alternatives.then(|| made.alternatives.len().to_string()),
                });
            }
        }
        for (name, what) in [
            (
                "network_timer_started",
                "A timer starts, or goes on if it was running. When it is up, let it move if it can: its number among those who move is this one behind that of the first timer.",
            ),
            (
                "network_timer_stopped",
                "A timer stops, or was not running.",
            ),
        ] {
            if !plan.timers.is_empty() {
                functions.push(Function {
                    name: name.into(),
                    comment: what.into(),
                    parameters: vec!["timer"],
                    choices: None,
                });
            }
        }
        functions
    }
}
