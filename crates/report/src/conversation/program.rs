//! One execution of a real program, told step by step.

use mazurka_checker::Random;
use mazurka_explore::{Engine, Session};
use mazurka_scenario::figures::counted;
use mazurka_scenario::{Columns, Scenario, ScenarioFiles, StepRecord, Style, step_text, text};

use super::{Answer, Conversation, Printer, Stopped};
use crate::stepping::{end_of_program, state_of_program, steps_of_program};

/// An execution, and how it is told.
pub struct SteppedProgram<E> {
    /// The execution.
    pub session: Session<E>,
    /// Where scenarios are written.
    pub files: ScenarioFiles,
    /// Makes choices.
    pub random: Random,
    /// No more steps are taken at once.
    pub most_steps: usize,
    /// How it looks.
    pub style: Style,
    /// Where it is printed.
    pub print: Printer,
}

impl<E: Engine> SteppedProgram<E> {
    /// Stands at the beginning of a scenario, along which one can go.
    pub fn begin_along(&mut self, scenario: &Scenario) -> Result<(), Stopped> {
        self.session.follow(scenario)?;
        self.session.go_to(0)?;
        self.say_scenario()
    }

    /// Says how the execution ended, and whether something was wrong with it.
    pub fn end(&mut self) -> Result<bool, Stopped> {
        let taken = counted(self.session.position() as u64, "step");
        let ending = end_of_program(&mut self.session, self.style);
        self.say(&format!("\nafter {taken}: {ending}\n"))?;
        Ok(!self.session.violations().is_empty())
    }

    fn tell(&self, step: &StepRecord) -> Result<(), Stopped> {
        let columns = Columns::to_come(&step.name, &step.at);
        let number = self.session.position();
        self.say(&step_text(number, step, columns, self.style))
    }
}

impl<E: Engine> Conversation for SteppedProgram<E> {
    const HELP: &'static str = "\x20 NUMBER         take that step                   n, forward     take the next known step again
  b, back [N]    take the last step back, or N    goto N         go to where N steps are taken
  random [N]     take a step at random, or N      seed N         begin the random choices anew
  s, state       who waits, and all objects       l, list        print the steps taken
  save FILE      write the steps as a scenario    q, quit        end
Going back runs the program again.
";

    fn teller(&self) -> (Style, Printer) {
        (self.style, self.print)
    }

    fn list(&mut self) -> Result<(), Stopped> {
        let steps = steps_of_program(&mut self.session, self.style);
        self.say(&steps)
    }

    fn choices(&mut self) -> usize {
        self.session.choices().len()
    }

    fn take(&mut self, choice: usize) -> Result<Answer, Stopped> {
        let (pending, outcome) = &self.session.choices()[choice];
        let step = self.session.take(pending.actor, *outcome)?;
        self.tell(&step)?;
        Ok(Answer::Steps)
    }

    fn run(&mut self, count: usize) -> Result<(), Stopped> {
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

    fn go_to(&mut self, position: usize) -> Result<(), Stopped> {
        Ok(self.session.go_to(position)?)
    }

    fn forward(&mut self) -> Result<bool, Stopped> {
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

    fn scenario(&mut self) -> Result<(Scenario, &ScenarioFiles), Stopped> {
        Ok((self.session.scenario(), &self.files))
    }

    fn other(&mut self, word: &str, _rest: &str) -> Result<Option<Answer>, Stopped> {
        match word {
            "l" | "list" => {
                let run = self.session.run();
                self.say(&text(&run, None, self.style))?;
                Ok(Some(Answer::Nothing))
            }
            _ => Ok(None),
        }
    }
}
