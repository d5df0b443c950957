//! A run of a model, told step by step.

use std::io;
use std::sync::Arc;

use mazurka_checker::{Loaded, ModelText, Random, Simulation};
use mazurka_model::Step;
use mazurka_scenario::{
    Columns, Explanation, Happening, ProcessAt, Scenario, ScenarioFiles, StepRecord, Style,
    ViolationKind, state_text, step_text, text_of_start,
};

use super::{Answer, Conversation, Printer, Stopped, refused};
use crate::stepping::{end_of_model, steps_of_model};

/// A simulation, and how it is told.
pub struct SteppedModel {
    /// The run.
    pub simulation: Simulation,
    /// Where scenarios are written.
    pub files: ScenarioFiles,
    /// Makes choices.
    pub random: Random,
    /// No more steps are taken at once.
    pub most_steps: usize,
    /// Only what the model prints is told.
    quiet: bool,
    columns: Columns,
    style: Style,
    print: Printer,
    watched: Vec<String>,
}

impl SteppedModel {
    /// Begins, and tells what happens before the first step; nothing if the initial state is already wrong.
    pub fn start(
        model: &ModelText,
        loaded: Loaded,
        files: ScenarioFiles,
        (random, most_steps): (Random, usize),
        (style, print, quiet): (Style, Printer, bool),
    ) -> Result<Option<SteppedModel>, Stopped> {
        let columns = Columns::of_program(loaded.program());
        let simulation = match Simulation::of(model, Arc::new(loaded)) {
            Ok(simulation) => simulation,
            Err(fault) => {
                let kind = style.error(ViolationKind::RuntimeError.name());
                print(&format!("{kind}: {fault}, in making the initial state\n"))?;
                return Ok(None);
            }
        };
        let start = simulation.start();
        match quiet {
            true => print_output(start, print)?,
            false => print(&text_of_start(start, columns, style))?,
        }
        Ok(Some(SteppedModel {
            simulation,
            files,
            random,
            most_steps,
            quiet,
            columns,
            style,
            print,
            watched: Vec::new(),
        }))
    }

    /// Stands at the beginning of a scenario, along which one can go.
    pub fn begin_along(&mut self, scenario: &Scenario) -> Result<(), Stopped> {
        self.simulation.follow(scenario)?;
        self.simulation.go_to(0);
        self.say_scenario()
    }

    /// Takes these steps, and tells each of them.
    pub fn take_all(&mut self, steps: impl IntoIterator<Item = Step>) -> Result<(), Stopped> {
        for step in steps {
            let record = self.simulation.take_step(step)?;
            self.tell(&record)?;
        }
        Ok(())
    }

    /// Takes steps at random, as many as may be taken, and tells each of them. A failed assertion does not end it.
    pub fn run_at_random(&mut self) -> Result<(), Stopped> {
        while self.simulation.position() < self.most_steps {
            let choices = self.simulation.choices().len();
            if choices == 0 {
                break;
            }
            self.take_step(choices)?;
        }
        Ok(())
    }

    /// Says how the run ended, and whether something was wrong with it.
    pub fn end(mut self) -> Result<bool, Stopped> {
        if !self.quiet {
            let text = end_of_model(&mut self.simulation, self.style);
            let state = state_text(&self.simulation.state(), self.style);
            let heading = self.style.heading("final state");
            self.say(&format!("\n{text}\n\n{heading}\n{state}"))?;
        }
        Ok(self.simulation.is_violated())
    }

    /// Takes one of some steps at random.
    fn take_step(&mut self, choices: usize) -> Result<(), Stopped> {
        let record = self.simulation.take(self.random.below(choices))?;
        self.tell(&record)
    }

    fn tell(&self, record: &StepRecord) -> Result<(), Stopped> {
        if self.quiet {
            return Ok(print_output(&record.happenings, self.print)?);
        }
        let number = self.simulation.position();
        self.say(&step_text(number, record, self.columns, self.style))
    }

    /// Takes steps at random until an expression holds.
    fn until(&mut self, expression: &str) -> Result<(), Stopped> {
        self.simulation.evaluate(expression)?;
        let value = |simulation: &Simulation| simulation.evaluate(expression).ok();
        self.go_on(|_, simulation| value(simulation) == Some(0))?;
        let what = match value(&self.simulation) {
            None | Some(0) => "does not hold",
            Some(_) => "holds",
        };
        let position = self.position().0;
        self.say(&format!("{expression} {what} after step {position}\n"))
    }

    /// Takes steps at random as long as there are some, and the question, which knows how many there are, says so.
    fn go_on(&mut self, may_go_on: impl Fn(usize, &Simulation) -> bool) -> Result<(), Stopped> {
        let most = self.position().0.saturating_add(self.most_steps);
        while self.position().0 < most {
            let choices = self.choices();
            if choices == 0 || !may_go_on(choices, &self.simulation) {
                break;
            }
            self.take_step(choices)?;
            if self.simulation.failure().is_some() {
                break;
            }
        }
        Ok(())
    }

    fn say_watched(&self) -> Result<(), Stopped> {
        for expression in &self.watched {
            self.say(&match self.simulation.value_text(expression) {
                Ok(value) => format!("{expression} = {value}\n"),
                Err(error) => format!("{error}\n"),
            })?;
        }
        Ok(())
    }

    /// What blocks a process, which is named by its number or its name, or each of those of a type.
    fn why(&self, named: &str) -> Result<String, Stopped> {
        let state = self.simulation.state();
        let processes = state.processes_named(named);
        let processes = processes.map_err(|reason| refused(format!("why {named}: {reason}")))?;
        let why = |process: &ProcessAt| match self.simulation.why(process.process as usize) {
            None => format!("{} can move\n", process.name),
            Some(waiting) => {
                let explanation = Explanation {
                    waiting: vec![waiting],
                    ..Explanation::default()
                };
                explanation.text(self.style)
            }
        };
        Ok(processes.into_iter().map(why).collect())
    }
}

impl Conversation for SteppedModel {
    const HELP: &'static str = "\x20 NUMBER         take that step                   n, forward     take the next known step again
  b, back [N]    take the last step back, or N    goto N         go to where N steps are taken
  f, forced      go on while there is no choice   random [N]     take a step at random, or N; also: run
  until EXPR     go on at random until it holds   seed N         begin the random choices anew
  p EXPR         print the value                  watch EXPR     print it after each command; without EXPR: stop
  s, state       print the state                  why PROCESS    say what blocks it
  save FILE      write the steps as a scenario    q, quit        end
";

    fn teller(&self) -> (Style, Printer) {
        (self.style, self.print)
    }

    fn list(&mut self) -> Result<(), Stopped> {
        self.say_watched()?;
        let steps = steps_of_model(&mut self.simulation, self.style);
        self.say(&steps)
    }

    fn choices(&mut self) -> usize {
        self.simulation.choices().len()
    }

    fn take(&mut self, choice: usize) -> Result<Answer, Stopped> {
        let record = self.simulation.take(choice)?;
        self.tell(&record)?;
        if !self.simulation.is_stuck() {
            return Ok(Answer::Steps);
        }
        self.say("there is no next state; b goes back\n")?;
        Ok(Answer::Nothing)
    }

    fn run(&mut self, count: usize) -> Result<(), Stopped> {
        let wanted = self.position().0.saturating_add(count);
        self.go_on(|_, simulation| simulation.position() < wanted)
    }

    fn set_random(&mut self, random: Random) {
        self.random = random;
    }

    fn position(&self) -> (usize, usize) {
        (self.simulation.position(), self.simulation.length())
    }

    fn go_to(&mut self, position: usize) -> Result<(), Stopped> {
        self.simulation.go_to(position);
        Ok(())
    }

    fn forward(&mut self) -> Result<bool, Stopped> {
        match self.simulation.forward() {
            Some(record) => self.tell(&record).map(|()| true),
            None => Ok(false),
        }
    }

    fn state(&mut self) -> String {
        state_text(&self.simulation.state(), self.style)
    }

    fn scenario(&mut self) -> Result<(Scenario, &ScenarioFiles), Stopped> {
        Ok((self.simulation.scenario()?, &self.files))
    }

    fn other(&mut self, word: &str, rest: &str) -> Result<Option<Answer>, Stopped> {
        match word {
            "f" | "forced" => {
                self.go_on(|choices, _| choices == 1)?;
                return Ok(Some(Answer::Steps));
            }
            "until" => {
                self.until(rest)?;
                return Ok(Some(Answer::Steps));
            }
            "p" | "print" => {
                let value = self.simulation.value_text(rest)?;
                self.say(&format!("{rest} = {value}\n"))?;
            }
            "watch" => {
                match rest {
                    "" => self.watched.clear(),
                    rest => {
                        self.simulation.evaluate(rest)?;
                        self.watched.push(rest.into());
                    }
                }
                self.say_watched()?;
            }
            "why" => self.say(&self.why(rest)?)?,
            _ => return Ok(None),
        }
        Ok(Some(Answer::Nothing))
    }
}

/// Prints what the model prints, as it is.
fn print_output(happenings: &[Happening], print: Printer) -> io::Result<()> {
    for happening in happenings {
        if let Happening::Printed { text } = happening {
            print(text)?;
        }
    }
    Ok(())
}
