//! Objects of a real program as lifelines of a chart: an operation is a message to its object.

use mazurka_runtime::{ACTORS, Kind};
use mazurka_scenario::{Happening, Message, Partner, Run, StepRecord};

use crate::account::{first_actor, wording};

/// A chart has no more lifelines of objects; operations on others stand beside their actor.
const OBJECTS: usize = 24;

/// The same run with a lifeline for each object. Messages through queues stay arrows between actors.
pub fn with_objects(run: &Run) -> Run {
    let mut run = run.clone();
    let mut lifelines = Lifelines::default();
    for step in &mut run.steps {
        lifelines.add(step);
    }
    run.start = lifelines.start();
    run
}

/// The lifelines of objects, in the order in which they were first used.
#[derive(Clone, Debug, Default)]
pub struct Lifelines {
    objects: Vec<String>,
}

impl Lifelines {
    /// Makes a message to its object of the operation in a step.
    pub fn add(&mut self, step: &mut StepRecord) {
        let Some((object, label)) = operation(step) else {
            return;
        };
        let known = self.objects.iter().position(|known| *known == object);
        let number = known.unwrap_or(self.objects.len());
        if number >= OBJECTS {
            return;
        }
        if number == self.objects.len() {
            self.objects.push(object.clone());
        }
        step.partner = Some(Partner {
            process: (ACTORS + number) as u32,
            name: object,
            statement: String::new(),
            at: step.at.clone(),
        });
        step.happenings.push(Happening::Sent(Message {
            process: step.process,
            channel: label,
            message: String::new(),
            number: None,
            rendezvous: true,
        }));
    }

    /// What happens before the first step: the first actor begins, and the objects are there.
    pub fn start(&self) -> Vec<Happening> {
        let objects = self.objects.iter().enumerate();
        let started = objects.map(|(number, name)| Happening::Started {
            process: (ACTORS + number) as u32,
            name: name.clone(),
        });
        std::iter::once(first_actor()).chain(started).collect()
    }
}

/// The object of a step and what is done to it, if it is not a message.
fn operation(step: &StepRecord) -> Option<(String, String)> {
    let kind = Kind(u8::try_from(step.transition).ok()?);
    let is_message =
        |happening: &Happening| matches!(happening, Happening::Sent(_) | Happening::Received(_));
    if step.happenings.iter().any(is_message) {
        return None;
    }
    let (object, more) = wording(kind, &step.statement)?;
    Some((object.into(), format!("{}{more}", kind.name())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_object_of_an_operation_is_told_from_what_is_done_to_it() {
        for (kind, statement, expected) in [
            (Kind::LOCK, "lock mutex 0", Some(("mutex 0", ""))),
            (Kind::WRITE, "write x 5", Some(("x", " 5"))),
            (Kind::READ, "read x: 3", Some(("x", ": 3"))),
            (
                Kind::FETCH_ADD,
                "fetch-add my x 1: was 2",
                Some(("my x", " 1: was 2")),
            ),
            (Kind::SPAWN, "spawn actor 1", None),
            (Kind::TOSS, "toss 3: 1", None),
        ] {
            let statement = match statement.split_once(' ') {
                Some((_, rest)) => format!("{} {rest}", kind.name()),
                None => statement.to_string(),
            };
            assert_eq!(wording(kind, &statement), expected, "{statement}");
        }
    }
}
