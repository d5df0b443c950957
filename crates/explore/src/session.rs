//! One execution of a real program as data: who can move, take a step, go back, look at the objects.
//!
//! A program cannot be undone, so going back is running it again along the steps that are left. An execution stands still after its
//! steps because everybody is asleep then, as in a search for which the rest is explored elsewhere.

use mazurka_runtime::{
    ACTORS, Actor, ActorState, Ending, Kernel, Kind, ObjectId, ObjectKind, Order, Planned, STEPS,
};
use mazurka_scenario::figures::counted;
use mazurka_scenario::{Model, NamedValue, Position, Run, Scenario, StepRecord, ViolationRecord};

use crate::account::{account, intention, model_of, record_of, scenario_of, schedule_of, shown};
use crate::engine::{Engine, EngineError};
use crate::exploration::Launcher;
use crate::options::Judgement;
use crate::violation::{actor_name, circle_from, holder, judge, object_name};

/// An execution that goes where the caller wants.
///
/// `mazurka_actors::Explorer::session` and `mazurka_processes::Explorer::session` begin one.
#[derive(Debug)]
pub struct Session<E> {
    engine: E,
    /// What its scenarios say of the program.
    model: Model,
    /// The steps taken, and those that were taken back.
    schedule: Vec<(u8, u32)>,
    /// How many of them are taken.
    position: usize,
}

/// An actor that stands before an operation.
#[derive(Clone, PartialEq, Debug)]
pub struct Pending {
    /// The actor's number: with the choice, what [`Session::take`] needs.
    pub actor: usize,
    /// Its name.
    pub name: String,
    /// The operation in words.
    pub operation: String,
    /// Where in the source, if that is known.
    pub at: Option<Position>,
    /// The functions that it is in, as far as they are known, the inner ones first: `take at program.c:12`.
    pub stack: Vec<String>,
    /// How many outcomes the operation can have.
    pub choices: u32,
    /// The object of the operation and its present value, if it has one.
    pub object: Option<NamedValue>,
    /// Is the operation possible now? If not, the actor waits.
    pub is_enabled: bool,
    /// What the actor waits for, with the values that keep it waiting, if it does: `waits for b, held by actor 2`.
    pub reason: Option<String>,
}

impl<E: Engine> Session<E> {
    /// Stands before the first step of a program.
    pub fn new(launcher: &impl Launcher<Engine = E>) -> Result<Session<E>, EngineError> {
        let mut model = model_of(&launcher.command());
        launcher.complete(&mut model);
        let mut session = Session {
            engine: launcher.relaunch()?,
            model,
            schedule: Vec::new(),
            position: 0,
        };
        session.go_to(0)?;
        Ok(session)
    }

    /// How many steps are taken.
    pub fn position(&self) -> usize {
        self.position
    }

    /// How many steps are known: those taken, and those that [`Session::go_to`] would take again.
    pub fn length(&self) -> usize {
        self.schedule.len()
    }

    /// The actor and the choice of each step taken.
    pub fn schedule(&self) -> &[(u8, u32)] {
        &self.schedule[..self.position]
    }

    /// The actors that have not ended, and what each is about to do; those that wait as well.
    pub fn pending(&mut self) -> Vec<Pending> {
        let kernel = &*self.engine.kernel();
        let is_over = kernel.failed > 0;
        let actors = kernel.actors.iter().enumerate();
        let standing = actors.filter(|(_, actor)| actor.state == ActorState::PENDING);
        let described = standing.map(|(number, actor)| {
            let place = kernel.texts.position(actor.pending.place);
            let can_move = kernel.enabled >> number & 1 == 1;
            Pending {
                actor: number,
                name: actor_name(kernel, number),
                operation: intention(kernel, &actor.pending),
                at: place.map(|(file, line, column)| Position { file, line, column }),
                stack: lines_of(&kernel.texts.explanation(actor.pending.place)),
                object: named_value(kernel, actor.pending.object),
                choices: kernel.effect(&actor.pending).choices,
                is_enabled: !is_over && can_move,
                reason: (!can_move).then(|| reason(kernel, number)),
            }
        });
        described.collect()
    }

    /// The steps that can be taken, one for each outcome: who would take it, and the number of the outcome.
    pub fn choices(&mut self) -> Vec<(Pending, u32)> {
        let pending = self.pending().into_iter();
        let possible = pending.filter(|pending| pending.is_enabled);
        let each = possible.flat_map(|pending| {
            (0..pending.choices).map(move |outcome| (pending.clone(), outcome))
        });
        each.collect()
    }

    /// Lets an actor take its step, with this choice of the outcome. Steps that were taken back and are not the same are forgotten.
    pub fn take(&mut self, actor: usize, choice: u32) -> Result<StepRecord, EngineError> {
        let pending = self.pending();
        let asked = pending.iter().find(|pending| pending.actor == actor);
        let Some(asked) = asked.filter(|asked| asked.is_enabled && choice < asked.choices) else {
            return Err(EngineError(format!(
                "actor {actor} cannot take a step with choice {choice} here"
            )));
        };
        let step = (asked.actor as u8, choice);
        if self.schedule.get(self.position) != Some(&step) {
            self.schedule.truncate(self.position);
            self.schedule.push(step);
        }
        self.go_to(self.position + 1)?;
        let steps = account(self.engine.kernel()).steps;
        let last = steps.into_iter().nth(self.position - 1);
        last.ok_or_else(|| EngineError("the program did not take the step".into()))
    }

    /// Takes the last step back; false at the beginning.
    pub fn back(&mut self) -> Result<bool, EngineError> {
        match self.position.checked_sub(1) {
            Some(before) => self.go_to(before).map(|()| true),
            None => Ok(false),
        }
    }

    /// Goes to where this many steps are taken, or as far as steps are known, by running the program again.
    pub fn go_to(&mut self, position: usize) -> Result<(), EngineError> {
        let target = position.min(self.schedule.len()).min(STEPS - 1);
        let kernel = self.engine.kernel();
        kernel.forget_numbers();
        for (planned, &(actor, choice)) in kernel.schedule.iter_mut().zip(&self.schedule[..target])
        {
            *planned = Planned::new(actor.into(), choice);
        }
        kernel.planned = target as u32;
        kernel.depth = 0;
        kernel.policy.sleep = u64::MAX;
        kernel.policy.sleep_from = target as u32;
        kernel.policy.order = Order::STEADY;
        kernel.stop_at_failure = 1;
        self.engine.run()?;
        self.engine.put_into_words();
        let kernel = self.engine.kernel();
        if kernel.ending == Ending::MISMATCH || (kernel.length as usize) < target {
            let step = kernel.length + 1;
            return Err(EngineError(format!(
                "the program does not repeat itself: it differs at step {step}"
            )));
        }
        self.position = target;
        Ok(())
    }

    /// The present values of the objects: the value of a variable, who holds a lock, how many messages are in a queue.
    pub fn objects(&mut self) -> Vec<NamedValue> {
        let kernel = &*self.engine.kernel();
        let mut values = Vec::new();
        // Objects of threads are known by where they are, those of earlier executions too: only what this one uses has a value.
        let used = kernel.trace().iter().map(|record| record.operation.object);
        let standing = kernel.actors.iter();
        let standing = standing.filter(|actor| actor.state == ActorState::PENDING);
        let mut used: Vec<ObjectId> = used
            .chain(standing.map(|actor| actor.pending.object))
            .filter(|id| *id != ObjectId::NONE && kernel.addresses.address(*id).is_some())
            .collect();
        used.sort_by_key(|id| id.index());
        used.dedup();
        values.extend(used.iter().filter_map(|id| named_value(kernel, *id)));
        for maker in 0..(kernel.population as usize).min(ACTORS) {
            if kernel.actors[maker].state == ActorState::ABSENT {
                continue;
            }
            for count in 0..usize::from(kernel.actors[maker].objects).min(ObjectId::LISTED) {
                values.extend(named_value(kernel, ObjectId::new(maker, count)));
            }
        }
        values
    }

    /// The actors that wait for each other in a circle, each for what the next one holds; none if there is no circle.
    pub fn circle(&mut self) -> Vec<usize> {
        let kernel = &*self.engine.kernel();
        (0..ACTORS)
            .find_map(|actor| circle_from(kernel, actor))
            .unwrap_or_default()
    }

    /// The violations that the execution shows where it stands.
    pub fn violations(&mut self) -> Vec<ViolationRecord> {
        let found = judge(self.engine.kernel(), &Judgement::default());
        found.iter().map(record_of).collect()
    }

    /// Has every actor ended?
    pub fn has_ended(&mut self) -> bool {
        self.engine.kernel().ending == Ending::COMPLETE
    }

    /// The steps taken and what happened in them.
    pub fn run(&mut self) -> Run {
        account(self.engine.kernel())
    }

    /// The steps taken as a scenario, to be written to a file. It says what went wrong at its end, if anything did.
    pub fn scenario(&mut self) -> Scenario {
        let violation = self.violations().into_iter().next();
        scenario_of(
            self.engine.kernel(),
            violation,
            self.position,
            self.model.clone(),
        )
    }

    /// Begins anew and takes the steps of a scenario.
    pub fn follow(&mut self, scenario: &Scenario) -> Result<(), EngineError> {
        let schedule = schedule_of(scenario);
        self.stand_at(
            schedule.ok_or_else(|| EngineError("the scenario has too many actors".into()))?,
        )
    }

    /// Begins anew and takes these steps, given by actor and choice.
    pub fn stand_at(&mut self, schedule: Vec<(u8, u32)>) -> Result<(), EngineError> {
        if schedule
            .iter()
            .any(|(actor, _)| usize::from(*actor) >= ACTORS)
        {
            return Err(EngineError(format!("there are at most {ACTORS} actors")));
        }
        if schedule.len() >= STEPS {
            return Err(EngineError(format!("a run has fewer than {STEPS} steps")));
        }
        self.schedule = schedule;
        self.go_to(self.schedule.len())
    }
}

fn lines_of(text: &str) -> Vec<String> {
    text.lines().map(String::from).collect()
}

/// The name of an object and its value in words.
fn named_value(kernel: &Kernel, id: ObjectId) -> Option<NamedValue> {
    (id != ObjectId::NONE).then(|| NamedValue {
        name: object_name(kernel, id),
        value: value(kernel, id),
    })
}

/// Why an actor that cannot move cannot.
fn reason(kernel: &Kernel, number: usize) -> String {
    let actor = &kernel.actors[number];
    let operation = &actor.pending;
    let with_value = |id: ObjectId| match (object_name(kernel, id), value(kernel, id)) {
        (name, value) if value.is_empty() => name,
        (name, value) => format!("{name} ({value})"),
    };
    if actor.is_awaiting == Actor::SLEEPS {
        let what = object_name(kernel, operation.object);
        return format!("sleeps until it is woken at {what}");
    }
    if actor.loops() {
        let read: Vec<String> = operation.objects().map(with_value).collect();
        return format!("loops until somebody changes {}", read.join(" or "));
    }
    match operation.kind {
        Kind::JOIN => {
            let awaited = operation.argument as usize;
            return format!("waits for the end of {}", actor_name(kernel, awaited));
        }
        Kind::REACQUIRE if kernel.object(operation.second).actors >> number & 1 == 1 => {
            let condition = object_name(kernel, operation.second);
            return format!("waits to be notified of {condition}");
        }
        _ if operation.object == ObjectId::NONE => return "waits".into(),
        _ => {}
    }
    let name = object_name(kernel, operation.object);
    match kernel.object(operation.object).kind {
        ObjectKind::MUTEX | ObjectKind::RWLOCK => {
            format!("waits for {name}{}", holder(kernel, operation.object))
        }
        _ => match value(kernel, operation.object) {
            value if value.is_empty() => format!("waits for {name}"),
            value => format!("waits for {name}, which is {value}"),
        },
    }
}

/// The messages in a queue, as far as the kernel knows them: the first word of each.
fn messages(kernel: &Kernel, id: ObjectId) -> String {
    const MOST: u32 = 8;
    let queue = kernel.object(id);
    if queue.width == 0 || queue.bound == 0 || queue.length() == 0 {
        return String::new();
    }
    let known = (0..queue.length().min(MOST)).filter_map(|place| {
        let number = queue.received.wrapping_add(place);
        let slot = queue.slots + number % queue.bound * queue.width;
        kernel.words.get(slot as usize)
    });
    let known: Vec<String> = known.map(|word| (*word as i64).to_string()).collect();
    let more = if queue.length() > MOST { ", …" } else { "" };
    format!(": {}{more}", known.join(", "))
}

fn value(kernel: &Kernel, id: ObjectId) -> String {
    let object = kernel.object(id);
    match object.kind {
        ObjectKind::QUEUE => format!(
            "{} of {}{}",
            object.length(),
            counted(object.bound.into(), "message"),
            messages(kernel, id)
        ),
        ObjectKind::MUTEX | ObjectKind::RWLOCK => match holder(kernel, id) {
            held if held.is_empty() => "free".into(),
            held => held.trim_start_matches(", ").into(),
        },
        ObjectKind::CONDITION => match object.actors.count_ones() {
            1 => "1 actor waits".into(),
            waiting => format!("{waiting} actors wait"),
        },
        ObjectKind::BARRIER => format!("{} of {} have arrived", object.sent, object.bound),
        // The others are numbers.
        _ => shown(kernel, id, object.value),
    }
}
