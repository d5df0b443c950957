//! A real program that runs as far as the page asks.
//!
//! It has a thread of its own: its processes end with the thread that started them, and those that answer the page come and go.

use std::sync::mpsc::{Receiver, Sender, channel};

use mazurka_explore::Pending;
#[cfg(target_os = "linux")]
use mazurka_processes::Explorer;
use mazurka_scenario::{NamedValue, Run, Scenario, ViolationRecord};

/// The actor and the choice of each step.
pub type Schedule = Vec<(u8, u32)>;

/// A program that is held between two steps.
#[derive(Debug)]
pub struct Live {
    questions: Sender<(Schedule, Sender<Answer>)>,
}

type Answer = Result<Standing, String>;

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
    pub fn stand_at(&self, schedule: &[(u8, u32)]) -> Answer {
        let gone = || "the program is gone".to_string();
        let (answer, answered) = channel();
        let question = (schedule.to_vec(), answer);
        self.questions.send(question).map_err(|_| gone())?;
        answered.recv().map_err(|_| gone())?
    }
}

#[cfg(target_os = "linux")]
fn serve(
    command: Vec<String>,
    scenario: Option<Scenario>,
    started: &Sender<Result<(), String>>,
    asked: &Receiver<(Schedule, Sender<Answer>)>,
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
    for (schedule, answer) in asked {
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
}

#[cfg(not(target_os = "linux"))]
fn serve(
    _: Vec<String>,
    _: Option<Scenario>,
    started: &Sender<Result<(), String>>,
    _: &Receiver<(Schedule, Sender<Answer>)>,
) {
    let _ = started.send(Err("real programs run on Linux only".into()));
}
