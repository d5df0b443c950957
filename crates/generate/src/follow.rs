//! The trace of a program, repeated in the model.
//!
//! After each step a trace says who moved, where everything is then, and who can move next. In the model, the same process takes the
//! step that leads there. If none does, or if others can move there, the program does not do what the model says.

use std::collections::BTreeSet;

use mazurka_model::{Interpreter, Step};
use mazurka_scenario::{Snapshot, Standing, ViolationKind, Walk};

/// A state as a trace tells it: names with their values.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub struct State(Vec<(String, String)>);

/// How far a trace could be followed.
#[derive(Clone, Debug)]
pub struct Followed {
    /// The steps of the model.
    pub steps: Vec<Step>,
    /// Where the program did what the model does not, in words.
    pub difference: Option<String>,
}

impl State {
    /// The state of a model. Variables that traces do not have, such as parameters, are left out by `has`.
    pub fn of(snapshot: &Snapshot, has: &dyn Fn(&str) -> bool) -> State {
        let mut values = Vec::new();
        let mut add = |name: &str, value: String| {
            if has(name) {
                values.push((name.to_string(), value));
            }
        };
        for process in &snapshot.processes {
            // A timer is a process, but only whether it runs is told.
            let is_variable = snapshot.variables.iter().any(|v| v.name == process.name);
            if let (Some(state), false) = (&process.state, is_variable) {
                add(&process.name, state.clone());
            }
        }
        for variable in &snapshot.variables {
            add(&variable.name, variable.value.clone());
        }
        for channel in &snapshot.channels {
            add(&channel.name, format!("[{}]", channel.messages.join(", ")));
        }
        values.sort();
        State(values)
    }

    /// Reads what comes after the word `state`.
    pub fn read(text: &str) -> State {
        let parts = text.split('\t').filter(|part| !part.is_empty());
        let mut values: Vec<(String, String)> = parts
            .map(|part| part.split_once('=').unwrap_or((part, "")))
            .map(|(name, value)| (name.to_string(), value.to_string()))
            .collect();
        values.sort();
        State(values)
    }

    /// The names that it has values for.
    pub fn names(&self) -> impl Iterator<Item = String> + use<'_> {
        self.0.iter().map(|(name, _)| name.clone())
    }

    /// What is different in another state.
    fn differences(&self, other: &State) -> String {
        let mine = self.0.iter().filter(|value| !other.0.contains(value));
        let mine: Vec<String> = mine
            .map(|(name, value)| format!("{name} = {value}"))
            .collect();
        match mine.is_empty() {
            true => "less than the model has".into(),
            false => mine.join(", "),
        }
    }
}

/// What the trace says of one step.
#[derive(Default)]
struct Told {
    mover: u32,
    name: String,
    noticed: Option<String>,
    failed: Option<String>,
    state: State,
    able: BTreeSet<u32>,
}

/// Takes the steps of a trace in the model. An error is about a text that is no trace.
pub fn follow(interpreter: &Interpreter, trace: &str) -> Result<Followed, String> {
    let (beginning, steps) = read(trace)?;
    let states = steps
        .iter()
        .map(|told| &told.state)
        .chain([&beginning.state]);
    let known: BTreeSet<String> = states.flat_map(State::names).collect();
    let has = |name: &str| known.contains(name);
    let (mut walk, _) = Walk::start(interpreter).map_err(|fault| fault.to_string())?;
    let mut followed = Followed {
        steps: Vec::new(),
        difference: compare(&mut walk, &beginning, &has, "in the initial state"),
    };
    let mut standing = walk.into_standing();
    for (number, told) in steps.iter().enumerate() {
        if followed.difference.is_some() {
            break;
        }
        let place = format!("in step {}, by {}", number + 1, told.name);
        match find(interpreter, &standing, told, &has) {
            Ok(step) => {
                let mut walk = Walk::at(interpreter, standing);
                walk.enabled();
                walk.advance(step);
                followed.steps.push(step);
                if told.failed.is_none() {
                    followed.difference = compare(&mut walk, told, &has, &place);
                }
                standing = walk.into_standing();
            }
            Err(difference) => followed.difference = Some(format!("{place}: {difference}")),
        }
    }
    Ok(followed)
}

/// The step of the model that does what the trace tells, or what the model does instead.
fn find(
    interpreter: &Interpreter,
    standing: &Standing,
    told: &Told,
    has: &dyn Fn(&str) -> bool,
) -> Result<Step, String> {
    let possible = Walk::at(interpreter, standing.clone()).enabled();
    let mut instead = Vec::new();
    for step in possible
        .into_iter()
        .filter(|step| step.process == told.mover)
    {
        let mut walk = Walk::at(interpreter, standing.clone());
        walk.enabled();
        let outcome = walk.advance(step);
        let kind = outcome.failure.map(ViolationKind::from);
        let name = kind.map_or("nothing", ViolationKind::name);
        let is_failure = told.failed.as_deref() == Some(name) && outcome.is_error();
        if is_failure {
            return Ok(step);
        }
        if told.failed.is_some() || !outcome.complete {
            instead.push(match outcome.complete {
                true => "it goes well".into(),
                false => format!("it fails with {name}"),
            });
            continue;
        }
        let state = State::of(&walk.snapshot(), has);
        let notices = matches!(
            kind,
            Some(ViolationKind::UnexpectedInput | ViolationKind::Assertion)
        );
        if state != told.state {
            instead.push(state.differences(&told.state));
        } else if notices && told.noticed.is_none() || kind.is_none() && told.noticed.is_some() {
            let noticed = told.noticed.as_deref().unwrap_or("nothing");
            instead.push(format!("it notices {name}, not {noticed}"));
        } else {
            return Ok(step);
        }
    }
    instead.dedup();
    Err(match instead.is_empty() {
        true => "in the model it cannot move".into(),
        false => format!("in the model, {}", instead.join("; or ")),
    })
}

/// Is the state as the trace says, and can the same move?
fn compare(
    walk: &mut Walk<'_>,
    told: &Told,
    has: &dyn Fn(&str) -> bool,
    place: &str,
) -> Option<String> {
    let state = State::of(&walk.snapshot(), has);
    if state != told.state {
        let (model, program) = (
            state.differences(&told.state),
            told.state.differences(&state),
        );
        return Some(format!(
            "{place}: in the model, {model}; in the program, {program}"
        ));
    }
    let able: BTreeSet<u32> = walk.enabled().iter().map(|step| step.process).collect();
    (able != told.able).then(|| {
        let names = |movers: BTreeSet<&u32>| {
            let snapshot = walk.snapshot();
            let name = |mover: &u32| match snapshot.processes.get(*mover as usize) {
                Some(process) => process.name.clone(),
                None => format!("number {mover}"),
            };
            let names: Vec<String> = movers.into_iter().map(name).collect();
            match names.is_empty() {
                true => "nobody".into(),
                false => names.join(", "),
            }
        };
        let model = names(able.difference(&told.able).collect());
        let program = names(told.able.difference(&able).collect());
        format!("{place}: afterwards only the model lets {model} move, only the program {program}")
    })
}

/// The state at the beginning, and the steps.
fn read(trace: &str) -> Result<(Told, Vec<Told>), String> {
    let mut lines = trace.lines();
    let first = lines.next().unwrap_or_default();
    if first.split('\t').next() != Some("mazurka-trace") {
        return Err("it is no trace: it does not begin with `mazurka-trace`".into());
    }
    if first.split('\t').nth(1) != Some("1") {
        return Err("it is a trace of another version than 1".into());
    }
    let mut told = vec![Told::default()];
    for (number, line) in lines.enumerate() {
        let (word, rest) = line.split_once('\t').unwrap_or((line, ""));
        let wrong = || format!("line {}: `{line}` is not understood", number + 2);
        let mover = |text: &str| text.parse().map_err(|_| wrong());
        let Some(last) = told.last_mut() else {
            return Err(wrong());
        };
        match word {
            "state" => last.state = State::read(rest),
            "can" => {
                let movers = rest.split('\t').filter(|text| !text.is_empty());
                last.able = movers.map(mover).collect::<Result<_, _>>()?;
            }
            "notices" => last.noticed = Some(rest.into()),
            "fails" => last.failed = Some(rest.into()),
            "step" => {
                let (number, name) = rest.split_once('\t').unwrap_or((rest, rest));
                told.push(Told {
                    mover: mover(number)?,
                    name: name.into(),
                    ..Told::default()
                });
            }
            _ => return Err(wrong()),
        }
    }
    let beginning = told.remove(0);
    Ok((beginning, told))
}
