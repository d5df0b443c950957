//! One line, one command: what stepping through a model and through a program have in common.

use std::io::{self, BufRead, IsTerminal};
use std::path::Path;

use mazurka_checker::Random;
use mazurka_checker::figures::counted;
use mazurka_scenario::{Scenario, ScenarioFiles};

use crate::terminal::print_part;
use crate::trouble::Trouble;

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

    /// Prints the possible steps.
    fn list(&mut self) -> Result<(), Trouble>;

    /// How many steps are possible.
    fn choices(&mut self) -> usize;

    /// Takes one of the possible steps and prints it.
    fn take(&mut self, choice: usize) -> Result<Answer, Trouble>;

    /// Takes this many steps at random, as long as there are some.
    fn run(&mut self, count: usize) -> Result<(), Trouble>;

    /// Begins the random choices anew.
    fn set_random(&mut self, random: Random);

    /// How many steps are taken, and how many are known.
    fn position(&self) -> (usize, usize);

    /// Goes to where this many steps are taken.
    fn go_to(&mut self, position: usize) -> Result<(), Trouble>;

    /// Takes the next known step and prints it, unless there is none.
    fn forward(&mut self) -> Result<bool, Trouble>;

    /// The present state.
    fn state(&mut self) -> String;

    /// The steps taken, and where they are written.
    fn scenario(&mut self) -> Result<(Scenario, &ScenarioFiles), Trouble>;

    /// Does what a word asks for that not all conversations know.
    fn other(&mut self, word: &str, rest: &str) -> Result<Option<Answer>, Trouble>;
}

/// Does what the first word of a line asks for; the rest of the line says more.
fn command<C: Conversation>(with: &mut C, word: &str, rest: &str) -> Result<Answer, Trouble> {
    match word {
        "" => return Ok(Answer::Nothing),
        "q" | "quit" => return Ok(Answer::End),
        "h" | "help" | "?" => {
            print_part(C::HELP)?;
            return Ok(Answer::Nothing);
        }
        "s" | "state" => {
            let text = with.state();
            print_part(&text)?;
            return Ok(Answer::Nothing);
        }
        "b" | "back" => {
            let count = number_or_one(word, rest)?;
            match with.position() {
                (0, _) => print_part("this is the beginning\n")?,
                (position, _) => {
                    let target = position.saturating_sub(count);
                    with.go_to(target)?;
                    print_part(&format!("back to step {target}\n"))?;
                }
            }
        }
        "n" | "forward" => {
            if !with.forward()? {
                print_part("no step is known from here on\n")?;
            }
        }
        "goto" => {
            with.go_to(number(word, rest)?)?;
            let (position, length) = with.position();
            print_part(&format!("step {position} of {length}\n"))?;
        }
        "run" | "random" => with.run(number_or_one(word, rest)?)?,
        "seed" => {
            with.set_random(Random::new(number(word, rest)? as u64));
            return Ok(Answer::Nothing);
        }
        "save" if !rest.is_empty() => {
            let (scenario, files) = with.scenario()?;
            save(files, &scenario, rest)?;
            return Ok(Answer::Nothing);
        }
        word => {
            if let Some(answer) = with.other(word, rest)? {
                return Ok(answer);
            }
            let choices = with.choices();
            match word.parse::<usize>() {
                Ok(number) if (1..=choices).contains(&number) => return with.take(number - 1),
                _ => print_range(choices)?,
            }
            return Ok(Answer::Nothing);
        }
    }
    Ok(Answer::Steps)
}

/// Lets the user choose, on a terminal or from a file, to the end.
pub fn converse(with: &mut impl Conversation) -> Result<(), Trouble> {
    let mut lines = io::stdin().lock().lines();
    let is_terminal = io::stdin().is_terminal();
    let mut is_listing = true;
    loop {
        if is_listing {
            with.list()?;
        }
        if is_terminal {
            print_part("step, b(ack), s(tate), h(elp), q(uit)> ")?;
        }
        let Some(line) = lines.next() else {
            return Ok(());
        };
        let line =
            line.map_err(|error| Trouble::Usage(format!("cannot read standard input: {error}")))?;
        let (word, rest) = line.trim().split_once(' ').unwrap_or((line.trim(), ""));
        is_listing = match command(with, word, rest.trim()) {
            Ok(Answer::Steps) => true,
            Ok(Answer::Nothing) => false,
            Ok(Answer::End) => return Ok(()),
            Err(Trouble::Output(error)) => return Err(Trouble::Output(error)),
            Err(trouble) => {
                print_part(&format!("{}\n", trouble.text()))?;
                false
            }
        };
    }
}

/// The number behind a word.
fn number(word: &str, rest: &str) -> Result<usize, Trouble> {
    let number = rest.parse::<usize>();
    number.map_err(|_| Trouble::Usage(format!("{word}: expected a number, not `{rest}`")))
}

/// The number behind a word, or one if nothing is there.
fn number_or_one(word: &str, rest: &str) -> Result<usize, Trouble> {
    match rest {
        "" => Ok(1),
        _ => number(word, rest),
    }
}

/// What can be answered where no such step is possible.
fn print_range(choices: usize) -> Result<(), Trouble> {
    let answer = match choices {
        0 => "no step is possible: b, s, h or q\n".to_string(),
        last => format!("a number from 1 to {last}, or b, s, h or q\n"),
    };
    print_part(&answer)
}

/// Writes the steps to a file that the user names, and says so.
fn save(files: &ScenarioFiles, scenario: &Scenario, file: &str) -> Result<(), Trouble> {
    let named = files.clone().named(Some(Path::new(file)));
    let written = named.and_then(|files| {
        let written = files.write(scenario, 0, 1);
        written.map_err(|error| format!("{file}: {error}"))
    });
    print_part(&match written {
        Ok(_) => {
            let steps = counted(scenario.steps.len() as u64, "step");
            format!("saved in {file}: {steps}\n")
        }
        Err(reason) => format!("cannot write {reason}\n"),
    })
}
