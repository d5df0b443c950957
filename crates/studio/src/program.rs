//! A real program: the steps of a scenario as they were told, the source they name, and the program itself once somebody runs it.

use std::path::Path;
use std::sync::Arc;
use std::time::SystemTime;

use mazurka_explore::{Config, Leftover, Lifelines, Pending, Races, run_of};
use mazurka_model::{Step, TransitionId};
use mazurka_scenario::{
    Change, Happening, NamedValue, Position, ProcessAt, Scenario, Snapshot, StepRecord,
    ViolationKind,
};
use serde::Serialize;

use crate::branch::Branch;
use crate::history::History;
use crate::live::{Live, Schedule, Standing};
use crate::session::Session;
use crate::view::{Involved, Stack, StepView, Trouble, View};
use crate::waiting::{Blocked, Waiting};
use crate::watch::WatchView;

/// What is shown of a program's source is of these kinds, whatever a scenario names.
const SOURCES: [&str; 10] = [
    "c", "h", "cc", "cpp", "cxx", "hh", "hpp", "hxx", "rs", "inc",
];
/// A larger file is not shown.
const LARGEST: u64 = 2 << 20;
/// This many outcomes of an operation can be chosen from.
const MOST_OUTCOMES: u32 = 100;

/// What a session over a real program has besides.
#[derive(Debug)]
pub(crate) struct ProgramPart {
    /// The program and its arguments.
    command: Vec<String>,
    /// The scenario that it was opened with: it is run as it was run then.
    scenario: Option<Scenario>,
    /// The program, if it runs. A scenario alone must not start anything: somebody has to want it.
    live: Option<Live>,
    /// Objects have the same lifelines in all branches.
    lifelines: Lifelines,
    /// Where the program stood last.
    standing: Option<(Schedule, Standing)>,
    /// The file of the program when it was started.
    build: Option<Build>,
    /// The objects that are watched.
    pub watched: Vec<String>,
    /// Their values along the present run.
    history: History,
}

/// What tells one build of a program from the next: the size of its file, and when that was written.
type Build = (u64, SystemTime);

/// A real program as the page knows it.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct ProgramView {
    /// The program and its arguments.
    pub command: String,
    /// Does it run?
    pub runs: bool,
}

/// A step that can be taken.
struct Possible {
    actor: u8,
    outcome: u32,
    shown: StepView,
}

/// A session over a scenario of a real program, which is not run yet.
pub fn session(scenario: &Scenario) -> Session {
    let mut program = ProgramPart::new(scenario.model.file.clone(), scenario.model.defines.clone());
    program.scenario = Some(scenario.clone());
    let run = run_of(scenario);
    let records = program.with_objects(run.steps);
    let branch = Branch {
        name: match scenario.kind() {
            Some(kind) => kind.name().into(),
            None => "run 1".into(),
        },
        steps: records.iter().map(|record| step_of(record)).collect(),
        records,
        violation: scenario.violation.clone(),
        ..Branch::default()
    };
    Session::of_program(scenario.model.file.clone().into(), program, branch)
}

/// A session over a program that runs, before its first step.
pub fn running(path: &Path, arguments: &[String]) -> Result<Session, Trouble> {
    let program = ProgramPart::new(path.display().to_string(), arguments.to_vec());
    let branch = Branch {
        name: "run 1".into(),
        ..Branch::default()
    };
    let mut session = Session::of_program(path.into(), program, branch);
    session.start_program()?;
    Ok(session)
}

/// The text of a source file that a step names, if it is one and is there.
pub fn source(path: &str) -> Option<String> {
    let file = Path::new(path);
    let kind = file.extension()?.to_str()?;
    let metadata = std::fs::metadata(file).ok()?;
    // A pipe or a device might never end.
    if !SOURCES.contains(&kind) || !metadata.is_file() || metadata.len() > LARGEST {
        return None;
    }
    let bytes = std::fs::read(file).ok()?;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

impl ProgramPart {
    fn new(program: String, arguments: Vec<String>) -> ProgramPart {
        ProgramPart {
            command: std::iter::once(program).chain(arguments).collect(),
            scenario: None,
            live: None,
            lifelines: Lifelines::default(),
            standing: None,
            build: None,
            watched: Vec::new(),
            history: History::default(),
        }
    }

    /// The same program, as if nothing had been run yet.
    pub fn anew(&self) -> ProgramPart {
        let (program, arguments) = self.command.split_first().unzip();
        ProgramPart {
            scenario: self.scenario.clone(),
            watched: self.watched.clone(),
            ..ProgramPart::new(
                program.cloned().unwrap_or_default(),
                arguments.unwrap_or_default().to_vec(),
            )
        }
    }

    /// Is the file of the program another than when it was started?
    pub fn is_built_anew(&self) -> bool {
        self.runs() && self.build.is_some() && self.present_build() != self.build
    }

    fn present_build(&self) -> Option<Build> {
        let file = std::fs::metadata(self.command.first()?).ok()?;
        Some((file.len(), file.modified().ok()?))
    }

    /// What happened before the first step: the first actor began, and objects are drawn as if they had always been there.
    pub fn start(&self) -> Vec<Happening> {
        self.lifelines.start()
    }

    pub fn runs(&self) -> bool {
        self.live.is_some()
    }

    pub fn view(&self) -> ProgramView {
        ProgramView {
            command: quoted(&self.command),
            runs: self.runs(),
        }
    }

    /// The program and its arguments, once somebody has wanted it to run.
    pub fn command(&self) -> Result<Vec<String>, Trouble> {
        match self.runs() {
            true => Ok(self.command.clone()),
            false => Err(Trouble::new("the program does not run yet")),
        }
    }

    /// Explores as the scenario was made that the program was opened with.
    pub fn as_it_was_run(&self, config: Config) -> Config {
        let Some(scenario) = &self.scenario else {
            return config;
        };
        let is_livelock = scenario.kind() == Some(ViolationKind::Livelock);
        Config {
            exit_codes: scenario.kind() == Some(ViolationKind::Crash),
            left_behind: match scenario.kind() {
                Some(ViolationKind::LeftBehind) => Some(Leftover::All),
                _ => config.left_behind,
            },
            // What goes on for longer than that was one.
            livelock: is_livelock,
            depth: match is_livelock {
                true => Some(scenario.steps().len() as u32),
                false => config.depth,
            },
            spurious: scenario.model.spurious,
            races: match scenario.model.racing.is_empty() {
                true => Races::Report,
                false => Races::Ignore,
            },
            ..config
        }
    }

    /// Gives the objects of these steps their lifelines.
    pub fn with_objects(&mut self, records: Vec<StepRecord>) -> Vec<Arc<StepRecord>> {
        let records = records.into_iter().map(|mut record| {
            self.lifelines.add(&mut record);
            Arc::new(record)
        });
        records.collect()
    }

    /// Begins to run the program.
    pub fn start_running(&mut self) -> Result<(), Trouble> {
        if self.live.is_none() {
            self.build = self.present_build();
            self.live = Some(
                Live::start(self.command.clone(), self.scenario.clone()).map_err(Trouble::new)?,
            );
        }
        Ok(())
    }

    /// Where the program stands after these steps.
    pub fn stand_at(&mut self, steps: &[Step]) -> Result<&Standing, Trouble> {
        let schedule = schedule_of(steps);
        if self.standing.as_ref().is_none_or(|(at, _)| *at != schedule) {
            let standing = self.ask(|live| live.stand_at(&schedule))?;
            self.standing = Some((schedule, standing));
        }
        match &self.standing {
            Some((_, standing)) => Ok(standing),
            None => unreachable!("the program has just been stopped there"),
        }
    }

    /// Asks the program that runs; once more if somebody has ended its processes.
    fn ask<T>(&mut self, question: impl Fn(&Live) -> Result<T, String>) -> Result<T, Trouble> {
        let live = self.live.as_ref();
        let live = live.ok_or_else(|| Trouble::new("the program does not run yet"))?;
        if let Ok(answer) = question(live) {
            return Ok(answer);
        }
        let again = Live::start(self.command.clone(), self.scenario.clone());
        let again = self.live.insert(again.map_err(Trouble::new)?);
        question(again).map_err(Trouble::new)
    }

    /// The objects that are watched, along the steps of the present run.
    fn watches(&mut self, steps: &[Step], position: usize) -> Result<Vec<WatchView>, Trouble> {
        if self.watched.is_empty() {
            return Ok(Vec::new());
        }
        if let Some(from) = self.history.missing(steps) {
            let schedule = schedule_of(steps);
            let more = self.ask(|live| live.values(&schedule, from))?;
            self.history.add(more);
        }
        let watched = self.watched.iter();
        let views = watched.map(|name| self.history.view(name, position));
        Ok(views.collect())
    }

    /// Takes one of the possible steps; with it comes what happened.
    pub fn take(
        &mut self,
        steps: &[Step],
        choice: usize,
    ) -> Result<(StepRecord, Standing), Trouble> {
        let before = self.stand_at(steps)?;
        let objects = before.objects.clone();
        let possible = possible(before).into_iter().nth(choice);
        let taken = possible.ok_or_else(|| Trouble::new("there is no such step"))?;
        let mut steps = steps.to_vec();
        steps.push(Step {
            process: taken.actor.into(),
            transition: TransitionId(0),
            choice: taken.outcome,
        });
        let standing = self.stand_at(&steps)?.clone();
        let record = standing.run.steps.last().cloned();
        let mut record = record.ok_or_else(|| Trouble::new("the program did not take the step"))?;
        record.changes = changes(&objects, &standing.objects);
        self.lifelines.add(&mut record);
        Ok((record, standing))
    }

    /// How many steps are possible.
    pub fn count(&mut self, steps: &[Step]) -> Result<usize, Trouble> {
        Ok(possible(self.stand_at(steps)?).len())
    }

    /// What is to be seen where the program stands.
    pub fn look(&mut self, run: &[Step], position: usize, view: &mut View) -> Result<(), Trouble> {
        view.watches = self.watches(run, position)?;
        let steps = &run[..position];
        // What the last step changed is not in a scenario.
        if let (Some((_, before)), true) = (steps.split_last(), view.changes.is_empty()) {
            let objects = self.stand_at(before)?.objects.clone();
            view.changes = changes(&objects, &self.stand_at(steps)?.objects);
        }
        let standing = self.stand_at(steps)?;
        let possible = possible(standing).into_iter();
        view.choices = possible.map(|possible| possible.shown).collect();
        view.waiting = standing.pending.iter().filter_map(waiting).collect();
        view.circle = standing.circle.iter().map(|actor| *actor as u32).collect();
        let known = standing.pending.iter();
        let known = known.filter(|actor| !actor.stack.is_empty());
        view.stacks = known.map(stack).collect();
        view.ending = match (&standing.violation, view.choices.is_empty()) {
            (_, false) => "open",
            _ if standing.has_ended => "end",
            (Some(violation), _) if violation.kind != ViolationKind::Deadlock => "failed",
            _ => "deadlock",
        };
        view.state = Some(Snapshot {
            processes: standing.pending.iter().map(place).collect(),
            variables: standing.objects.clone(),
            channels: Vec::new(),
        });
        Ok(())
    }

    /// The files of operations that are about to be done.
    pub fn files(&self) -> Vec<String> {
        let standing = self.standing.iter();
        let pending = standing.flat_map(|(_, standing)| &standing.pending);
        let places = pending.filter_map(|pending| pending.at.as_ref());
        places.map(|place| place.file.clone()).collect()
    }
}

/// A command as a shell would be given it, so that nobody takes one argument for two, or reads one that is not there. A scenario of a
/// test names no program.
fn quoted(command: &[String]) -> String {
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "-_./=:,+@%".contains(letter);
    let words = command.iter().map(|word| {
        if !word.is_empty() && word.chars().all(is_plain) {
            return word.clone();
        }
        let letters = word.chars().map(|letter| match letter {
            '\'' => "'\\''".into(),
            '"' | '\\' => letter.to_string(),
            other => other.escape_debug().to_string(),
        });
        format!("'{}'", letters.collect::<String>())
    });
    match command.first().is_some_and(|program| program.is_empty()) {
        true => String::new(),
        false => words.collect::<Vec<String>>().join(" "),
    }
}

/// A step of a real program: whose it is, its kind of operation, and its outcome.
pub fn step_of(record: &StepRecord) -> Step {
    Step {
        process: record.process,
        transition: TransitionId(record.transition),
        choice: record.choice,
    }
}

fn schedule_of(steps: &[Step]) -> Schedule {
    let steps = steps.iter();
    // A scenario with other actors than there can be is refused when it is followed.
    steps
        .map(|step| (u8::try_from(step.process).unwrap_or(u8::MAX), step.choice))
        .collect()
}

/// The steps that can be taken: none where something has gone wrong, for there the execution ends.
fn possible(standing: &Standing) -> Vec<Possible> {
    let is_over = standing.violation.is_some();
    let able = standing.pending.iter();
    let able = able.filter(|pending| pending.is_enabled && !is_over);
    let steps = able.flat_map(|pending| {
        let several = pending.choices > 1;
        (0..pending.choices.min(MOST_OUTCOMES)).map(move |outcome| {
            let (file, line) = match &pending.at {
                Some(at) => (at.file.clone(), at.line),
                None => (String::new(), 0),
            };
            let statement = match several {
                true => format!("{}: {outcome}", pending.operation),
                false => pending.operation.clone(),
            };
            Possible {
                actor: pending.actor as u8,
                outcome,
                shown: StepView {
                    process: pending.actor as u32,
                    name: pending.name.clone(),
                    statement,
                    file,
                    line,
                    partner: None,
                    message: None,
                    continues: false,
                    holds: false,
                    failure: None,
                    said: Vec::new(),
                },
            }
        })
    });
    steps.collect()
}

/// Who could move does not wait, even if nobody moves any more since something has gone wrong.
fn waiting(pending: &Pending) -> Option<Waiting> {
    let reason = pending.reason.clone()?;
    Some(Waiting {
        process: pending.actor as u32,
        statements: vec![Blocked {
            statement: pending.operation.clone(),
            line: pending.at.as_ref().map_or(0, |at| at.line),
            reason,
        }],
    })
}

/// The actors that a message says did something somewhere: `by actor 2 (run at race.c:8)`. Of two that race, both may have ended,
/// and then nothing else tells where they were.
pub fn involved<'a>(
    message: &str,
    happenings: impl Iterator<Item = &'a Happening>,
) -> Vec<Involved> {
    let mut all: Vec<Involved> = Vec::new();
    for happening in happenings {
        let Happening::Started { process, name } = happening else {
            continue;
        };
        let Some((_, told)) = message.split_once(&format!("by {name} (")) else {
            continue;
        };
        let frames = frames(told);
        let inner = frames.first().and_then(|frame| position_in(frame));
        if let Some((file, line)) = inner
            && all.iter().all(|known| known.process != *process)
        {
            all.push(Involved {
                process: *process,
                name: name.clone(),
                file,
                line,
                functions: frames,
            });
        }
    }
    all
}

/// The functions at the beginning of a text, up to the parenthesis that closes: names of functions and files have some, too.
fn frames(told: &str) -> Vec<String> {
    let mut open = 1;
    let end = told.find(|letter| {
        open += i32::from(letter == '(') - i32::from(letter == ')');
        open == 0
    });
    let frames = told[..end.unwrap_or(0)].split(", called by ");
    frames.map(String::from).collect()
}

/// The file and the line at the end of `run at race.c:8`.
fn position_in(frame: &str) -> Option<(String, u32)> {
    let (_, place) = frame.rsplit_once(" at ")?;
    let (file, line) = place.rsplit_once(':')?;
    Some((file.into(), line.parse().ok()?))
}

fn stack(pending: &Pending) -> Stack {
    Stack {
        process: pending.actor as u32,
        functions: pending.stack.clone(),
    }
}

fn place(pending: &Pending) -> ProcessAt {
    ProcessAt {
        process: pending.actor as u32,
        name: pending.name.clone(),
        at: pending.at.clone().unwrap_or(Position {
            file: String::new(),
            line: 0,
            column: 0,
        }),
        state: None,
        awaits: None,
        next: vec![pending.operation.clone()],
        may_end: false,
        holds: false,
    }
}

fn changes(before: &[NamedValue], after: &[NamedValue]) -> Vec<Change> {
    let changed = after.iter().filter_map(|now| {
        let old = before.iter().find(|one| one.name == now.name);
        let is_same = old.is_some_and(|old| old.value == now.value);
        (!is_same).then(|| Change {
            name: now.name.clone(),
            old: old.map(|old| old.value.clone()),
            new: now.value.clone(),
        })
    });
    changed.collect()
}

#[cfg(test)]
mod tests {
    use mazurka_scenario::Happening;

    use mazurka_explore::{Config, Leftover};
    use mazurka_scenario::Scenario;

    use super::{ProgramPart, involved, quoted};

    /// Otherwise a check would say that what the scenario shows does not happen.
    #[test]
    fn a_check_looks_for_what_the_scenario_shows() {
        let config_of = |kind: &str| {
            let text = format!(
                r#"{{"format": "mazurka-scenario", "version": 1,
                "model": {{"file": "a", "language": "program", "defines": [], "hash": "", "optimize": false}},
                "violation": {{"property": "safety", "kind": "{kind}", "message": "", "at": null}},
                "steps": [{{"process": 0, "transition": 3, "choice": 0, "name": "main", "file": "", "line": 0, "statement": ""}}]}}"#
            );
            let mut program = ProgramPart::new("a".into(), Vec::new());
            program.scenario = Some(Scenario::from_json(text.as_bytes()).unwrap());
            program.as_it_was_run(Config::default())
        };
        let deadlock = config_of("deadlock");
        assert!(!deadlock.exit_codes && !deadlock.livelock && deadlock.left_behind.is_none());
        assert!(config_of("crash").exit_codes);
        assert_eq!(config_of("left-behind").left_behind, Some(Leftover::All));
        let livelock = config_of("livelock");
        assert_eq!((livelock.livelock, livelock.depth), (true, Some(1)));
    }

    #[test]
    fn a_command_shows_where_its_arguments_begin() {
        let shown = |words: &[&str]| {
            let words: Vec<String> = words.iter().map(|word| word.to_string()).collect();
            quoted(&words)
        };
        assert_eq!(shown(&["./a", "-n", "3"]), "./a -n 3");
        assert_eq!(shown(&["./a b", "", "it's"]), r"'./a b' '' 'it'\''s'");
        assert_eq!(shown(&["a", "x\n\u{202e}y"]), r"a 'x\n\u{202e}y'");
        assert_eq!(shown(&[""]), "");
    }

    #[test]
    fn both_that_race_are_found_with_where_they_were() {
        let started = |process: u32, name: &str| Happening::Started {
            process,
            name: name.into(),
        };
        let all = [
            started(0, "main"),
            started(1, "actor 1"),
            started(2, "actor 2"),
            started(12, "actor 12"),
        ];
        let message = "read of 4 bytes at x by actor 12 (add(int) at a (1).cpp:8, called by run at a (1).cpp:14) \
                       is not ordered with the write by actor 1 (run at dir/b.c:9)";
        let found = involved(message, all.iter());
        let found: Vec<_> = found
            .iter()
            .map(|one| {
                (
                    one.process,
                    one.file.as_str(),
                    one.line,
                    one.functions.len(),
                )
            })
            .collect();
        assert_eq!(found, [(1, "dir/b.c", 9, 1), (12, "a (1).cpp", 8, 2)]);
        let unknown =
            "write of x by actor 1 (somewhere), which main has given back (main at a.c:3)";
        assert_eq!(involved(unknown, all.iter()), []);
    }
}
