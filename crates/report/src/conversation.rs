//! Stepping by hand: one line, one command. What stepping through a model and through a program have in common.

mod model;
mod program;

use std::io::{self, BufRead};
use std::path::Path;

use mazurka_checker::{Error, Random};
use mazurka_explore::EngineError;
use mazurka_scenario::figures::counted;
use mazurka_scenario::{Scenario, ScenarioFiles, Style, clean_lines};
use mazurka_span::RenderOptions;

pub use self::model::SteppedModel;
pub use self::program::SteppedProgram;

/// Prints a part of what is told, at once.
pub type Printer = fn(&str) -> io::Result<()>;

/// Why nothing more is told.
#[derive(Debug)]
pub enum Stopped {
    /// It cannot be printed.
    Output(io::Error),
    /// What was asked for cannot be.
    Refused(Error),
}

/// What is shown next?
pub enum Answer {
    /// The possible steps.
    Steps,
    /// Nothing.
    Nothing,
    /// It is the end.
    End,
}

/// Something that is stepped through.
pub trait Conversation {
    /// What can be typed.
    const HELP: &'static str;

    /// How it is told, and where to.
    fn teller(&self) -> (Style, Printer);

    /// Prints the possible steps.
    fn list(&mut self) -> Result<(), Stopped>;

    /// How many steps are possible.
    fn choices(&mut self) -> usize;

    /// Takes one of the possible steps and prints it.
    fn take(&mut self, choice: usize) -> Result<Answer, Stopped>;

    /// Takes this many steps at random, as long as there are some.
    fn run(&mut self, count: usize) -> Result<(), Stopped>;

    /// Begins the random choices anew.
    fn set_random(&mut self, random: Random);

    /// How many steps are taken, and how many are known.
    fn position(&self) -> (usize, usize);

    /// Goes to where this many steps are taken.
    fn go_to(&mut self, position: usize) -> Result<(), Stopped>;

    /// Takes the next known step and prints it, unless there is none.
    fn forward(&mut self) -> Result<bool, Stopped>;

    /// The present state.
    fn state(&mut self) -> String;

    /// The steps taken, and where they are written.
    fn scenario(&mut self) -> Result<(Scenario, &ScenarioFiles), Stopped>;

    /// Does what a word asks for that not all conversations know.
    fn other(&mut self, word: &str, rest: &str) -> Result<Option<Answer>, Stopped>;

    /// Prints something.
    fn say(&self, text: &str) -> Result<(), Stopped> {
        Ok((self.teller().1)(text)?)
    }

    /// Says that there is a scenario to go along, from its beginning.
    fn say_scenario(&self) -> Result<(), Stopped> {
        let length = self.position().1;
        let steps = counted(length as u64, "step");
        self.say(&format!(
            "a scenario of {steps}: n takes the next, b goes back, goto {length} goes to its end\n"
        ))
    }

    /// Lets somebody choose to the end of what is typed, after a prompt for each line if one is wanted.
    fn converse(&mut self, typed: impl BufRead, has_prompt: bool) -> Result<(), Stopped>
    where
        Self: Sized,
    {
        let mut lines = typed.lines();
        let mut is_listing = true;
        loop {
            if is_listing {
                self.list()?;
            }
            if has_prompt {
                self.say("step, b(ack), s(tate), h(elp), q(uit)> ")?;
            }
            let Some(line) = lines.next() else {
                return Ok(());
            };
            let line =
                line.map_err(|error| refused(format!("cannot read standard input: {error}")))?;
            let (word, rest) = line.trim().split_once(' ').unwrap_or((line.trim(), ""));
            is_listing = match command(self, word, rest.trim()) {
                Ok(Answer::Steps) => true,
                Ok(Answer::Nothing) => false,
                Ok(Answer::End) => return Ok(()),
                Err(Stopped::Output(error)) => return Err(Stopped::Output(error)),
                Err(Stopped::Refused(error)) => {
                    self.say(&format!("{}\n", reason(&error, self.teller().0)))?;
                    false
                }
            };
        }
    }
}

/// Does what the first word of a line asks for; the rest of the line says more.
fn command<C: Conversation>(with: &mut C, word: &str, rest: &str) -> Result<Answer, Stopped> {
    match word {
        "" => return Ok(Answer::Nothing),
        "q" | "quit" => return Ok(Answer::End),
        "h" | "help" | "?" => {
            with.say(C::HELP)?;
            return Ok(Answer::Nothing);
        }
        "s" | "state" => {
            let text = with.state();
            with.say(&text)?;
            return Ok(Answer::Nothing);
        }
        "b" | "back" => {
            let count = number_or_one(word, rest)?;
            match with.position() {
                (0, _) => with.say("this is the beginning\n")?,
                (position, _) => {
                    let target = position.saturating_sub(count);
                    with.go_to(target)?;
                    with.say(&format!("back to step {target}\n"))?;
                }
            }
        }
        "n" | "forward" => {
            if !with.forward()? {
                with.say("no step is known from here on\n")?;
            }
        }
        "goto" => {
            with.go_to(number(word, rest)?)?;
            let (position, length) = with.position();
            with.say(&format!("step {position} of {length}\n"))?;
        }
        "run" | "random" => with.run(number_or_one(word, rest)?)?,
        "seed" => {
            with.set_random(Random::new(number(word, rest)? as u64));
            return Ok(Answer::Nothing);
        }
        "save" if !rest.is_empty() => {
            let (scenario, files) = with.scenario()?;
            let saved = save(files, &scenario, rest);
            with.say(&saved)?;
            return Ok(Answer::Nothing);
        }
        word => {
            if let Some(answer) = with.other(word, rest)? {
                return Ok(answer);
            }
            let choices = with.choices();
            match word.parse::<usize>() {
                Ok(number) if (1..=choices).contains(&number) => return with.take(number - 1),
                _ => with.say(&range(choices))?,
            }
            return Ok(Answer::Nothing);
        }
    }
    Ok(Answer::Steps)
}

/// The number behind a word.
fn number(word: &str, rest: &str) -> Result<usize, Stopped> {
    let number = rest.parse::<usize>();
    number.map_err(|_| refused(format!("{word}: expected a number, not `{rest}`")))
}

/// The number behind a word, or one if nothing is there.
fn number_or_one(word: &str, rest: &str) -> Result<usize, Stopped> {
    match rest {
        "" => Ok(1),
        _ => number(word, rest),
    }
}

/// What can be answered where no such step is possible.
fn range(choices: usize) -> String {
    match choices {
        0 => "no step is possible: b, s, h or q\n".to_string(),
        last => format!("a number from 1 to {last}, or b, s, h or q\n"),
    }
}

/// Writes the steps to a file that the user names, and says so.
fn save(files: &ScenarioFiles, scenario: &Scenario, file: &str) -> String {
    let named = files.clone().named(Some(Path::new(file)));
    let written = named.and_then(|files| {
        let written = files.keep(scenario);
        written.map_err(|error| format!("{file}: {error}"))
    });
    match written {
        Ok(_) => {
            let steps = counted(scenario.steps.len() as u64, "step");
            format!("saved in {file}: {steps}\n")
        }
        Err(reason) => format!("cannot write {reason}\n"),
    }
}

/// What is wrong with what was typed.
fn reason(error: &Error, style: Style) -> String {
    match error {
        Error::Diagnostics(wrong) => {
            let options = RenderOptions {
                colour: style.colour,
                ..RenderOptions::default()
            };
            wrong.render(options).trim_end().to_string()
        }
        Error::Usage(message) | Error::Lost(message) | Error::Internal(message) => {
            clean_lines(message)
        }
    }
}

fn refused(reason: String) -> Stopped {
    Stopped::Refused(Error::Usage(reason))
}

impl From<io::Error> for Stopped {
    fn from(error: io::Error) -> Stopped {
        Stopped::Output(error)
    }
}

impl From<Error> for Stopped {
    fn from(error: Error) -> Stopped {
        Stopped::Refused(error)
    }
}

impl From<EngineError> for Stopped {
    fn from(error: EngineError) -> Stopped {
        refused(error.0)
    }
}
