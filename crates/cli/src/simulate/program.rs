//! `mazurka simulate -- PROGRAM`: one execution of a real program, step by step.

use std::path::Path;

use mazurka_checker::Random;
use mazurka_checker::figures::counted;
use mazurka_explore::{Config, EngineError, Session};
use mazurka_processes::{Explorer, Processes};
use mazurka_report::{end_of_program, state_of_program, steps_of_program};
use mazurka_scenario::{Columns, Scenario, ScenarioFiles, StepRecord, Style, step_text};

use super::conversation::{Answer, Conversation, converse};
use crate::Exit;
use crate::arguments::SimulateArguments;
use crate::explore::with_library;
use crate::terminal::{complain, print_part, style_of_output};
use crate::trouble::Trouble;

/// Runs the command.
pub fn simulate(arguments: &SimulateArguments) -> Result<Exit, Trouble> {
    let scenario = match &arguments.scenario {
        Some(path) => Some(scenario_of_program(path)?),
        None => None,
    };
    let explorer = match &scenario {
        Some(scenario) => Explorer::of_scenario(scenario, &arguments.program),
        None => Explorer::new(&arguments.program).config(Config {
            preload: arguments.preload,
            ..Config::default()
        }),
    };
    let session = with_library(explorer)?
        .session()
        .map_err(|error| Trouble::Usage(error.to_string()))?;
    let subject = arguments.program.first().map_or(Path::new(""), Path::new);
    let mut stepping = Stepping {
        session,
        files: ScenarioFiles::of_program(subject),
        style: style_of_output(),
        random: Random::new(arguments.seed.unwrap_or(0)),
        most_steps: arguments.steps,
    };
    if let Some(scenario) = &scenario {
        stepping.begin_along(scenario)?;
    }
    match arguments.seed {
        Some(_) if !arguments.interactive => stepping.run(arguments.steps)?,
        _ => converse(&mut stepping)?,
    }
    stepping.end()
}

fn scenario_of_program(path: &Path) -> Result<Scenario, Trouble> {
    let scenario = Scenario::open(path).map_err(Trouble::Usage)?;
    match scenario.model.is_program() {
        true => Ok(scenario),
        false => {
            let path = path.display();
            Err(Trouble::Usage(format!(
                "cannot follow the scenario {path}: it belongs to a model"
            )))
        }
    }
}

/// An execution and how it is told.
struct Stepping {
    session: Session<Processes>,
    files: ScenarioFiles,
    style: Style,
    random: Random,
    most_steps: usize,
}

fn failed(error: EngineError) -> Trouble {
    Trouble::Usage(error.0)
}

impl Conversation for Stepping {
    const HELP: &'static str = "\x20 NUMBER         take that step                   n, forward     take the next known step again
  b, back [N]    take the last step back, or N    goto N         go to where N steps are taken
  random [N]     take a step at random, or N      seed N         begin the random choices anew
  s, state       who waits, and all objects       l, list        print the steps taken
  save FILE      write the steps as a scenario    q, quit        end
Going back runs the program again.
";

    fn list(&mut self) -> Result<(), Trouble> {
        print_part(&steps_of_program(&mut self.session, self.style))
    }

    fn choices(&mut self) -> usize {
        self.session.choices().len()
    }

    fn take(&mut self, choice: usize) -> Result<Answer, Trouble> {
        let (pending, outcome) = &self.session.choices()[choice];
        let step = self.session.take(pending.actor, *outcome);
        self.tell(&step.map_err(failed)?)?;
        Ok(Answer::Steps)
    }

    fn run(&mut self, count: usize) -> Result<(), Trouble> {
        for _ in 0..count.min(self.most_steps) {
            let choices = self.choices();
            if choices == 0 {
                break;
            }
            let choice = self.random.below(choices);
            self.take(choice)?;
        }
        Ok(())
    }

    fn set_random(&mut self, random: Random) {
        self.random = random;
    }

    fn position(&self) -> (usize, usize) {
        (self.session.position(), self.session.length())
    }

    fn go_to(&mut self, position: usize) -> Result<(), Trouble> {
        self.session.go_to(position).map_err(failed)
    }

    fn forward(&mut self) -> Result<bool, Trouble> {
        let before = self.session.position();
        self.go_to(before + 1)?;
        let has_moved = self.session.position() > before;
        if has_moved && let Some(step) = self.session.run().steps.last() {
            self.tell(step)?;
        }
        Ok(has_moved)
    }

    /// Who stands where, and the values of all objects.
    fn state(&mut self) -> String {
        state_of_program(&mut self.session, self.style)
    }

    fn scenario(&mut self) -> Result<(Scenario, &ScenarioFiles), Trouble> {
        Ok((self.session.scenario(), &self.files))
    }

    fn other(&mut self, word: &str, _rest: &str) -> Result<Option<Answer>, Trouble> {
        match word {
            "l" | "list" => {
                let run = self.session.run();
                print_part(&mazurka_scenario::text(&run, None, self.style))?;
                Ok(Some(Answer::Nothing))
            }
            _ => Ok(None),
        }
    }
}

impl Stepping {
    fn begin_along(&mut self, scenario: &Scenario) -> Result<(), Trouble> {
        self.session.follow(scenario).map_err(failed)?;
        self.session.go_to(0).map_err(failed)?;
        let length = self.session.length();
        print_part(&format!(
            "a scenario of {}: n takes the next, b goes back, goto {length} goes to its end\n",
            counted(length as u64, "step")
        ))
    }

    fn tell(&self, step: &StepRecord) -> Result<(), Trouble> {
        let columns = Columns::to_come(&step.name, &step.at);
        let number = self.session.position();
        print_part(&step_text(number, step, columns, self.style))
    }

    /// Says how the execution ended.
    fn end(mut self) -> Result<Exit, Trouble> {
        let taken = counted(self.session.position() as u64, "step");
        let ending = end_of_program(&mut self.session, self.style);
        print_part(&format!("\nafter {taken}: {ending}\n"))?;
        if self.session.violations().is_empty() {
            return Ok(Exit::Holds);
        }
        match self.files.write(&self.session.scenario(), 0, 1) {
            Ok(path) => print_part(&format!("saved in {}\n", path.display()))?,
            Err(error) => complain(&format!("warning: cannot write the scenario: {error}\n")),
        }
        Ok(Exit::Violated)
    }
}
