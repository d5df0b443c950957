//! `mazurka simulate -- PROGRAM`: one execution of a real program, step by step.

use std::path::Path;

use mazurka_checker::Random;
use mazurka_checker::figures::counted;
use mazurka_explore::{EngineError, Pending, Session};
use mazurka_processes::{Explorer, Processes};
use mazurka_scenario::{
    Columns, Scenario, ScenarioFiles, StepRecord, Style, ViolationRecord, step_text,
};

use super::conversation::{Answer, Conversation, converse};
use crate::Exit;
use crate::arguments::SimulateArguments;
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
        None => Explorer::new(&arguments.program),
    };
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

/// A step that can be taken: whose, and which of its outcomes.
struct Choice {
    pending: Pending,
    outcome: u32,
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
        let choices = self.possible();
        let text = self.list_of(&choices);
        print_part(&text)
    }

    fn choices(&mut self) -> usize {
        self.possible().len()
    }

    fn take(&mut self, choice: usize) -> Result<Answer, Trouble> {
        let Choice { pending, outcome } = &self.possible()[choice];
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

    /// The steps that can be taken, one for each outcome.
    fn possible(&mut self) -> Vec<Choice> {
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

    fn tell(&self, step: &StepRecord) -> Result<(), Trouble> {
        let columns = Columns::to_come(&step.name, &step.at);
        let number = self.session.position();
        print_part(&step_text(number, step, columns, self.style))
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
