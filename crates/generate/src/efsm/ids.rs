//! The names of the code.

use mazurka_model::{Expression, Meaning, ReceiveId};

use super::layout::{Layout, is_port};
use crate::names::Names;

/// What the names of a model must not be called in a language.
pub(super) struct Reserved {
    /// Words of the language.
    pub words: &'static [&'static str],
    /// What the run-time and the library call their own.
    pub taken: &'static [&'static str],
    /// Types of the run-time.
    pub types: &'static [&'static str],
    /// Members of the network that are not those of the system.
    pub members: &'static [&'static str],
}

/// The names of the code.
pub(super) struct Ids {
    pub shared: Vec<String>,
    pub machines: Vec<MachineIds>,
    /// For each type of port, the names of its messages.
    pub messages: Vec<Vec<String>>,
}

#[derive(Default)]
pub(super) struct MachineIds {
    /// The structure.
    pub name: String,
    /// The array of its instances, a member of the network.
    pub member: String,
    pub states: Vec<String>,
    pub variables: Vec<String>,
    pub transitions: Vec<String>,
    pub choose: String,
    pub moved: String,
    pub can: String,
    pub take: String,
}

impl Ids {
    pub fn new(layout: &Layout<'_>, reserved: &Reserved) -> Ids {
        let words = reserved.words;
        let program = layout.program;
        let mut names = Names::without(reserved.taken.iter().chain(words).copied());
        let mut members = Names::without(reserved.members.iter().chain(words).copied());
        let mut tags = Names::without(reserved.types.iter().chain(words).copied());
        let mut machines = Vec::new();
        for (number, machine) in program.process_types.iter().enumerate() {
            let name = &machine.name;
            let mut own = Names::without(words.iter().copied().chain(["state"]));
            let locations = &program.locations
                [machine.locations.start as usize..machine.locations.end as usize];
            let states = locations
                .iter()
                .map(|location| names.take(format!("{name}_{}", location.labels[0])));
            let states = states.collect();
            let variables = machine
                .variables
                .iter()
                .map(|variable| match is_port(variable) {
                    // A place of a port that reorders has a number behind a point.
                    true => names.take(format!("{name}_port_{}", variable.name.replace('.', "_"))),
                    false => own.take(variable.name.clone()),
                });
            let variables = variables.collect();
            let transitions = layout.transitions(number).enumerate();
            let transitions = transitions
                .map(|(position, _)| names.take(format!("{name}_transition_{position}")));
            machines.push(MachineIds {
                member: members.take(name.clone()),
                states,
                variables,
                transitions: transitions.collect(),
                choose: names.take(format!("{name}_choose")),
                moved: names.take(format!("{name}_moved")),
                can: names.take(format!("{name}_can")),
                take: names.take(format!("{name}_take")),
                name: tags.take(name.clone()),
            });
        }
        let messages = program.channel_types.iter().map(|channel| {
            let prefix = channel.name.replace('.', "_");
            let Some(Meaning::Enumeration(which)) = channel.fields.first().map(|f| f.meaning)
            else {
                return Vec::new();
            };
            let constants = program.enumerations[which as usize].constants.iter();
            constants
                .map(|(message, _)| names.take(format!("{prefix}_{message}")))
                .collect()
        });
        let messages = messages.collect();
        let mut shared = Names::without(words.iter().copied());
        Ids {
            shared: program
                .shared
                .iter()
                .map(|variable| shared.take(variable.name.clone()))
                .collect(),
            machines,
            messages,
        }
    }

    /// The name of a message of the port that a receive takes from.
    pub fn message(
        &self,
        layout: &Layout<'_>,
        scope: Option<usize>,
        receive: ReceiveId,
        tag: i32,
    ) -> String {
        let program = layout.program;
        let channel = program.receives[receive.index()].channel;
        let mut found = None;
        if let Expression::Load(place) = program.expressions[channel.index()] {
            let (_, variable, _) = layout.variable(scope, &program.places[place.index()]);
            found = scope.map(|machine| layout.port(machine, variable).0);
        }
        let channel_type = found.and_then(|channel| layout.ports.get(channel as usize - 1));
        let messages = channel_type.map(|number| &self.messages[*number]);
        let name = messages.and_then(|messages| messages.get(tag as usize - 1));
        name.cloned().unwrap_or_else(|| tag.to_string())
    }
}
