//! One line, one command: what stepping through a model and through a program have in common.

use std::io::{self, BufRead, IsTerminal};
use std::path::Path;

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
    /// Prints the possible steps.
    fn list(&mut self) -> Result<(), Trouble>;

    /// Does what the first word of a line asks for; the rest of the line says more.
    fn command(&mut self, word: &str, rest: &str) -> Result<Answer, Trouble>;
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
        is_listing = match with.command(word, rest.trim()) {
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
pub fn number(word: &str, rest: &str) -> Result<usize, Trouble> {
    let number = rest.parse::<usize>();
    number.map_err(|_| Trouble::Usage(format!("{word}: expected a number, not `{rest}`")))
}

/// The number behind a word, or one if nothing is there.
pub fn number_or_one(word: &str, rest: &str) -> Result<usize, Trouble> {
    match rest {
        "" => Ok(1),
        _ => number(word, rest),
    }
}

/// What can be answered where no such step is possible.
pub fn print_range(choices: usize) -> Result<Answer, Trouble> {
    let answer = match choices {
        0 => "no step is possible: b, s, h or q\n".to_string(),
        last => format!("a number from 1 to {last}, or b, s, h or q\n"),
    };
    print_part(&answer)?;
    Ok(Answer::Nothing)
}

/// Writes the steps to a file that the user names, and says so.
pub fn save(files: &ScenarioFiles, scenario: &Scenario, file: &str) -> Result<Answer, Trouble> {
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
    })?;
    Ok(Answer::Nothing)
}
