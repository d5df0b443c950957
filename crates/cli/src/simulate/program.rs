//! `mazurka simulate -- PROGRAM`: one execution of a real program, step by step.

use std::path::Path;

use mazurka_checker::Random;
use mazurka_checker::figures::counted;
use mazurka_explore::{EngineError, Pending, Session};
use mazurka_processes::{Explorer, Processes};
use mazurka_scenario::{
    Columns, Scenario, ScenarioFiles, StepRecord, Style, ViolationRecord, step_text,
};

use super::conversation::{
    Answer, Conversation, converse, number, number_or_one, print_range, save,
};
use crate::Exit;
use crate::arguments::SimulateArguments;
use crate::terminal::{complain, print_part, style_of_output};
use crate::trouble::Trouble;

const HELP: &str = "\x20 NUMBER         take that step                   n, forward     take the next known step again
  b, back [N]    take the last step back, or N    goto N         go to where N steps are taken
  random [N]     take a step at random, or N      seed N         begin the random choices anew
  s, state       who waits, and all objects       l, list        print the steps taken
  save FILE      write the steps as a scenario    q, quit        end
Going back runs the program again.
";

/// Runs the command.
pub fn simulate(arguments: &SimulateArguments) -> Result<Exit, Trouble> {
    let explorer = Explorer::new(&arguments.program);
    let session = explorer
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
    if let Some(path) = &arguments.scenario {
        let scenario = Scenario::open(path).map_err(Trouble::Usage)?;
        stepping.begin_along(&scenario, path)?;
    }
    match arguments.seed {
        Some(_) if !arguments.interactive => {
            stepping.run(arguments.steps)?;
            stepping.end()
        }
        _ => {
            converse(&mut stepping)?;
            stepping.end()
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

/// A step that can be taken: whose, and which of its outcomes.
struct Choice {
    pending: Pending,
    outcome: u32,
}

fn failed(error: EngineError) -> Trouble {
    Trouble::Usage(error.0)
}

impl Conversation for Stepping {
    fn list(&mut self) -> Result<(), Trouble> {
        let choices = self.choices();
        let text = self.list_of(&choices);
        print_part(&text)
    }

    fn command(&mut self, word: &str, rest: &str) -> Result<Answer, Trouble> {
        let number = || number(word, rest);
        match word {
            "" => return Ok(Answer::Nothing),
            "q" | "quit" => return Ok(Answer::End),
            "h" | "help" | "?" => {
                print_part(HELP)?;
                return Ok(Answer::Nothing);
            }
            "s" | "state" => {
                let text = self.state();
                print_part(&text)?;
                return Ok(Answer::Nothing);
            }
            "l" | "list" => {
                let run = self.session.run();
                let text = mazurka_scenario::text(&run, None, self.style);
                print_part(&text)?;
                return Ok(Answer::Nothing);
            }
            "b" | "back" => {
                let count = number_or_one(word, rest)?;
                match self.session.position() {
                    0 => print_part("this is the beginning\n")?,
                    position => {
                        let target = position.saturating_sub(count);
                        self.session.go_to(target).map_err(failed)?;
                        print_part(&format!("back to step {target}\n"))?;
                    }
                }
            }
            "n" | "forward" => {
                let before = self.session.position();
                self.session.go_to(before + 1).map_err(failed)?;
                match self.session.position() > before {
                    true => self.tell_last()?,
                    false => print_part("no step is known from here on\n")?,
                }
            }
            "goto" => {
                self.session.go_to(number()?).map_err(failed)?;
                let (position, length) = (self.session.position(), self.session.length());
                print_part(&format!("step {position} of {length}\n"))?;
            }
            "run" | "random" => self.run(number_or_one(word, rest)?)?,
            "seed" => {
                self.random = Random::new(number()? as u64);
                return Ok(Answer::Nothing);
            }
            "save" if !rest.is_empty() => {
                return save(&self.files, &self.session.scenario(), rest);
            }
            choice => {
                let choices = self.choices();
                match choice.parse::<usize>() {
                    Ok(number) if (1..=choices.len()).contains(&number) => {
                        self.take(&choices[number - 1])?;
                    }
                    _ => return print_range(choices.len()),
                }
            }
        }
        Ok(Answer::Steps)
    }
}

impl Stepping {
    fn begin_along(&mut self, scenario: &Scenario, path: &Path) -> Result<(), Trouble> {
        if !scenario.model.is_program() {
            let path = path.display();
            return Err(Trouble::Usage(format!(
                "cannot follow the scenario {path}: it belongs to a model"
            )));
        }
        self.session.follow(scenario).map_err(failed)?;
        self.session.go_to(0).map_err(failed)?;
        let length = self.session.length();
        print_part(&format!(
            "a scenario of {}: n takes the next, b goes back, goto {length} goes to its end\n",
            counted(length as u64, "step")
        ))
    }

    /// The steps that can be taken, one for each outcome.
    fn choices(&mut self) -> Vec<Choice> {
        let pending = self.session.pending().into_iter();
        let possible = pending.filter(|pending| pending.is_enabled);
        let each = possible.flat_map(|pending| {
            (0..pending.choices).map(move |outcome| Choice {
                pending: pending.clone(),
                outcome,
            })
        });
        each.collect()
    }

    fn take(&mut self, choice: &Choice) -> Result<(), Trouble> {
        let step = self.session.take(choice.pending.actor, choice.outcome);
        let step = step.map_err(failed)?;
        self.tell(&step)
    }

    /// Takes steps at random as long as there are some.
    fn run(&mut self, steps: usize) -> Result<(), Trouble> {
        for _ in 0..steps.min(self.most_steps) {
            let choices = self.choices();
            if choices.is_empty() {
                break;
            }
            let choice = &choices[self.random.below(choices.len())];
            self.take(choice)?;
        }
        Ok(())
    }

    fn tell(&self, step: &StepRecord) -> Result<(), Trouble> {
        let columns = Columns::to_come(&step.name, &step.at);
        let number = self.session.position();
        print_part(&step_text(number, step, columns, self.style))
    }

    fn tell_last(&mut self) -> Result<(), Trouble> {
        match self.session.run().steps.last() {
            Some(step) => self.tell(step),
            None => Ok(()),
        }
    }

    /// The steps that can be taken, and who waits.
    fn list_of(&mut self, choices: &[Choice]) -> String {
        if choices.is_empty() {
            return format!("no step is possible: {}\n", self.ending());
        }
        let heading = self.style.heading("steps possible after");
        let mut text = format!("{heading} {}:\n", self.session.position());
        for (index, Choice { pending, outcome }) in choices.iter().enumerate() {
            let which = match pending.choices {
                1 => String::new(),
                _ => format!(", outcome {outcome}"),
            };
            let step = self.describe(pending);
            text += &format!("{:>4}) {step}{which}\n", index + 1);
        }
        for pending in self.session.pending() {
            if !pending.is_enabled {
                let step = self.describe(&pending);
                text += &format!("      {step}, waits\n");
            }
        }
        text
    }

    fn describe(&self, pending: &Pending) -> String {
        let name = self.style.process(pending.actor as u32, &pending.name);
        let at = pending.at.as_ref();
        let at = at.map_or(String::new(), |at| format!(" {}:{}", at.file, at.line));
        let object = pending.object.as_ref();
        let now = object.map_or(String::new(), |object| format!(" (now {})", object.value));
        format!("{name}{at}: {}{now}", pending.operation)
    }

    /// Who stands where, and the values of all objects.
    fn state(&mut self) -> String {
        let mut text = String::new();
        for pending in self.session.pending() {
            let waits = if pending.is_enabled { "" } else { ", waits" };
            text += &format!("  {}{waits}\n", self.describe(&pending));
        }
        for object in self.session.objects() {
            text += &format!("  {} = {}\n", object.name, object.value);
        }
        text
    }

    fn violation(&mut self) -> Option<ViolationRecord> {
        self.session.violations().into_iter().next()
    }

    fn ending(&mut self) -> String {
        match self.violation() {
            Some(violation) => format!(
                "{}: {}",
                self.style.error(violation.kind.name()),
                violation.message
            ),
            None if self.session.has_ended() => "all actors have ended".into(),
            None => "the execution could go on".into(),
        }
    }

    /// Says how the execution ended.
    fn end(mut self) -> Result<Exit, Trouble> {
        let taken = counted(self.session.position() as u64, "step");
        let ending = self.ending();
        print_part(&format!("\nafter {taken}: {ending}\n"))?;
        if self.violation().is_none() {
            return Ok(Exit::Holds);
        }
        match self.files.write(&self.session.scenario(), 0, 1) {
            Ok(path) => print_part(&format!("saved in {}\n", path.display()))?,
            Err(error) => complain(&format!("warning: cannot write the scenario: {error}\n")),
        }
        Ok(Exit::Violated)
    }
}
