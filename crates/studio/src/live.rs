//! A real program that runs as far as the page asks.
//!
//! It has a thread of its own: its processes end with the thread that started them, and those that answer the page come and go.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::{Duration, Instant};

use mazurka_explore::Pending;
#[cfg(target_os = "linux")]
use mazurka_processes::Explorer;
use mazurka_scenario::{NamedValue, Run, Scenario, ViolationRecord};

/// The actor and the choice of each step.
pub type Schedule = Vec<(u8, u32)>;

/// A program that is held between two steps.
#[derive(Debug)]
pub struct Live {
    questions: Sender<Question>,
}

/// Looking at values along a run takes no longer than this, unless one execution does.
const PATIENCE: Duration = Duration::from_millis(700);

enum Question {
    /// Stand after these steps.
    Stand(Schedule, Sender<Result<Standing, String>>),
    /// The values after each number of these steps, from this one on.
    Values(Schedule, usize, Sender<Result<Values, String>>),
}

/// The objects and their values at several places of a run.
#[derive(Clone, Debug, Default)]
pub struct Values {
    /// How many steps are taken at the first of these places.
    pub from: usize,
    /// One entry for each place.
    pub objects: Vec<Vec<NamedValue>>,
}

/// An execution that stands still.
#[derive(Clone, Debug)]
pub struct Standing {
    /// The steps taken.
    pub run: Run,
    /// Who stands before which operation.
    pub pending: Vec<Pending>,
    /// The objects and their values.
    pub objects: Vec<NamedValue>,
    /// The actors that wait for each other in a circle.
    pub circle: Vec<usize>,
    /// What has gone wrong.
    pub violation: Option<ViolationRecord>,
    /// Has every actor ended?
    pub has_ended: bool,
    /// The steps as a file has them.
    pub scenario: Scenario,
}

impl Live {
    /// Starts a program, given with its arguments, as it was run in a scenario, if there is one, and holds it before its first step.
    pub fn start(command: Vec<String>, scenario: Option<Scenario>) -> Result<Live, String> {
        let (questions, asked) = channel();
        let (started, is_started) = channel();
        std::thread::spawn(move || serve(command, scenario, &started, &asked));
        match is_started.recv() {
            Ok(Ok(())) => Ok(Live { questions }),
            Ok(Err(reason)) => Err(reason),
            Err(_) => Err("the program could not be started".into()),
        }
    }

    /// Runs the program again up to these steps.
    pub fn stand_at(&self, schedule: &[(u8, u32)]) -> Result<Standing, String> {
        let (answer, answered) = channel();
        self.ask(Question::Stand(schedule.to_vec(), answer))?;
        answered.recv().map_err(|_| gone())?
    }

    /// The values after each number of steps, from some number on or, if that takes too long, from a later one.
    pub fn values(&self, schedule: &[(u8, u32)], from: usize) -> Result<Values, String> {
        let (answer, answered) = channel();
        self.ask(Question::Values(schedule.to_vec(), from, answer))?;
        answered.recv().map_err(|_| gone())?
    }

    fn ask(&self, question: Question) -> Result<(), String> {
        self.questions.send(question).map_err(|_| gone())
    }
}

fn gone() -> String {
    "the program is gone".into()
}

#[cfg(target_os = "linux")]
fn serve(
    command: Vec<String>,
    scenario: Option<Scenario>,
    started: &Sender<Result<(), String>>,
    asked: &Receiver<Question>,
) {
    let explorer = match &scenario {
        Some(scenario) => Explorer::of_scenario(scenario, &[]),
        None => Explorer::new(command),
    };
    let mut session = match explorer.session() {
        Ok(session) => session,
        Err(error) => {
            // Whoever asked has gone if nobody hears it.
            let _ = started.send(Err(error.to_string()));
            return;
        }
    };
    let _ = started.send(Ok(()));
    for question in asked {
        match question {
            Question::Stand(schedule, answer) => {
                let stood = session.stand_at(schedule).map_err(|error| error.0);
                let _ = answer.send(stood.map(|()| Standing {
                    run: session.run(),
                    pending: session.pending(),
                    objects: session.objects(),
                    circle: session.circle(),
                    violation: session.violations().into_iter().next(),
                    has_ended: session.has_ended(),
                    scenario: session.scenario(),
                }));
            }
            Question::Values(schedule, from, answer) => {
                let began = Instant::now();
                let mut values = Values::default();
                // What is nearest to the end is seen first.
                let places = (from..=schedule.len()).rev();
                let all = places
                    .take_while(|_| began.elapsed() < PATIENCE)
                    .try_for_each(|place| {
                        session.stand_at(schedule[..place].to_vec())?;
                        values.from = place;
                        values.objects.push(session.objects());
                        Ok(())
                    });
                values.objects.reverse();
                let all = all.map_err(|error: mazurka_explore::EngineError| error.0);
                let _ = answer.send(all.map(|()| values));
            }
        }
    }
}

#[cfg(not(target_os = "linux"))]
fn serve(
    _: Vec<String>,
    _: Option<Scenario>,
    started: &Sender<Result<(), String>>,
    _: &Receiver<Question>,
) {
    let _ = started.send(Err("real programs run on Linux only".into()));
}
