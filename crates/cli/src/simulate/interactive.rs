//! `mazurka simulate --interactive`: one line, one command.

use std::io::{self, BufRead, IsTerminal};
use std::path::Path;

use mazurka_checker::figures::counted;
use mazurka_checker::{Random, Simulation};
use mazurka_scenario::{Explanation, StepRecord, state_text};

use super::Session;
use crate::Exit;
use crate::terminal::print_part;
use crate::trouble::Trouble;

const HELP: &str = "\
  NUMBER         take that step                   n, forward     take the next known step again
  b, back [N]    take the last step back, or N    goto N         go to where N steps are taken
  f, forced      go on while there is no choice   run N          take N steps at random
  until EXPR     go on at random until it holds   seed N         begin the random choices anew
  p EXPR         print the value                  watch EXPR     print it after each command; without EXPR: stop
  s, state       print the state                  why PROCESS    say what blocks it
  save FILE      write the steps as a scenario    q, quit        end
";

/// What is asked of a session, besides its simulation.
pub struct Interaction {
    random: Random,
    watched: Vec<String>,
    most_steps: usize,
}

impl Interaction {
    pub fn new(seed: u64, most_steps: usize) -> Interaction {
        Interaction {
            random: Random::new(seed),
            watched: Vec::new(),
            most_steps,
        }
    }
}

/// Does the session end, or what is shown next?
enum Answer {
    /// The possible steps.
    Steps,
    /// Nothing.
    Nothing,
    End,
}

impl Session {
    /// Lets the user choose, on a terminal or from a file.
    pub fn interact(mut self, mut interaction: Interaction) -> Result<Exit, Trouble> {
        let mut lines = io::stdin().lock().lines();
        let is_terminal = io::stdin().is_terminal();
        let mut listing = true;
        loop {
            let choices = self.simulation.choices();
            if listing {
                self.print_watched(&interaction)?;
                print_part(&self.choices(&choices))?;
            }
            if is_terminal {
                print_part("step, b(ack), s(tate), h(elp), q(uit)> ")?;
            }
            let line = match lines.next() {
                None => return self.end(),
                Some(line) => line.map_err(|error| {
                    Trouble::Usage(format!("cannot read standard input: {error}"))
                })?,
            };
            let (word, rest) = line.trim().split_once(' ').unwrap_or((line.trim(), ""));
            listing = match self.command(word, rest.trim(), &choices, &mut interaction) {
                Ok(Answer::Steps) => true,
                Ok(Answer::Nothing) => false,
                Ok(Answer::End) => return self.end(),
                Err(Trouble::Output(error)) => return Err(Trouble::Output(error)),
                Err(trouble) => {
                    print_part(&format!("{}\n", trouble.text()))?;
                    false
                }
            };
        }
    }

    fn command(
        &mut self,
        word: &str,
        rest: &str,
        choices: &[StepRecord],
        interaction: &mut Interaction,
    ) -> Result<Answer, Trouble> {
        let number = || {
            let number = rest.parse::<usize>();
            number.map_err(|_| Trouble::Usage(format!("{word}: expected a number, not `{rest}`")))
        };
        match word {
            "" => return Ok(Answer::Nothing),
            "q" | "quit" => return Ok(Answer::End),
            "h" | "help" | "?" => {
                print_part(HELP)?;
                return Ok(Answer::Nothing);
            }
            "s" | "state" => {
                print_part(&state_text(&self.simulation.state(), self.style))?;
                return Ok(Answer::Nothing);
            }
            "b" | "back" => {
                let count = if rest.is_empty() { 1 } else { number()? };
                let position = self.simulation.position();
                match position {
                    0 => print_part("this is the beginning\n")?,
                    _ => {
                        let target = position.saturating_sub(count);
                        self.simulation.go_to(target);
                        print_part(&format!("back to step {target}\n"))?;
                    }
                }
            }
            "n" | "forward" => match self.simulation.forward() {
                Some(record) => self.tell(&record)?,
                None => print_part("no step is known from here on\n")?,
            },
            "goto" => {
                self.simulation.go_to(number()?);
                let (position, length) = (self.simulation.position(), self.simulation.length());
                print_part(&format!("step {position} of {length}\n"))?;
            }
            "f" | "forced" => self.go_on(interaction, |choices, _, _| choices == 1)?,
            "run" => {
                let wanted = self.simulation.position() + number()?;
                self.go_on(interaction, |_, position, _| position < wanted)?;
            }
            "until" => {
                self.simulation.evaluate(rest)?;
                let most = self.simulation.position() + interaction.most_steps;
                self.go_on(interaction, |_, position, simulation| {
                    position < most && simulation.evaluate(rest).is_ok_and(|value| value == 0)
                })?;
                let holds = self.simulation.evaluate(rest).is_ok_and(|value| value != 0);
                let what = if holds { "holds" } else { "does not hold" };
                print_part(&format!(
                    "{rest} {what} after step {}\n",
                    self.simulation.position()
                ))?;
            }
            "seed" => {
                let seed = number()? as u64;
                interaction.random = Random::new(seed);
                return Ok(Answer::Nothing);
            }
            "p" | "print" => {
                let value = self.simulation.evaluate(rest)?;
                print_part(&format!("{rest} = {value}\n"))?;
                return Ok(Answer::Nothing);
            }
            "watch" => {
                match rest {
                    "" => interaction.watched.clear(),
                    rest => {
                        self.simulation.evaluate(rest)?;
                        interaction.watched.push(rest.into());
                    }
                }
                self.print_watched(interaction)?;
                return Ok(Answer::Nothing);
            }
            "why" => {
                print_part(&self.why(rest)?)?;
                return Ok(Answer::Nothing);
            }
            "save" if !rest.is_empty() => {
                let scenario = self.simulation.scenario()?;
                let named = self.files.clone().named(Some(Path::new(rest)));
                let written = named.and_then(|files| {
                    let written = files.write(&scenario, 0, 1);
                    written.map_err(|error| format!("{rest}: {error}"))
                });
                if let Err(reason) = written {
                    print_part(&format!("cannot write {reason}\n"))?;
                    return Ok(Answer::Nothing);
                }
                let steps = counted(self.simulation.position() as u64, "step");
                print_part(&format!("saved in {rest}: {steps}\n"))?;
                return Ok(Answer::Nothing);
            }
            choice => match choice.parse::<usize>() {
                Ok(number) if (1..=choices.len()).contains(&number) => {
                    self.take(number - 1)?;
                    if self.simulation.is_stuck() {
                        print_part("there is no next state; b goes back\n")?;
                        return Ok(Answer::Nothing);
                    }
                }
                _ => {
                    let answer = match choices.len() {
                        0 => "no step is possible: b, s, h or q\n".to_string(),
                        last => format!("a number from 1 to {last}, or b, s, h or q\n"),
                    };
                    print_part(&answer)?;
                    return Ok(Answer::Nothing);
                }
            },
        }
        Ok(Answer::Steps)
    }

    /// Takes steps at random as long as there are some, and the question, which knows how many there are and how many are taken, says so.
    fn go_on(
        &mut self,
        interaction: &mut Interaction,
        mut may_go_on: impl FnMut(usize, usize, &Simulation) -> bool,
    ) -> Result<(), Trouble> {
        let most = self.simulation.position() + interaction.most_steps;
        while self.simulation.position() < most {
            let choices = self.simulation.choices().len();
            let position = self.simulation.position();
            if choices == 0 || !may_go_on(choices, position, &self.simulation) {
                break;
            }
            self.take(interaction.random.below(choices))?;
            if self.simulation.failure().is_some() {
                break;
            }
        }
        Ok(())
    }

    fn print_watched(&self, interaction: &Interaction) -> Result<(), Trouble> {
        for expression in &interaction.watched {
            let text = match self.simulation.evaluate(expression) {
                Ok(value) => format!("{expression} = {value}\n"),
                Err(error) => format!("{error}\n"),
            };
            print_part(&text)?;
        }
        Ok(())
    }

    /// What blocks a process, which is named by its number or its name.
    fn why(&self, named: &str) -> Result<String, Trouble> {
        let state = self.simulation.state();
        let mut processes = state.processes.iter();
        let found = processes.find(|process| {
            process.name == named
                || process.process.to_string() == named
                || process.name.split('[').next() == Some(named)
        });
        let Some(process) = found else {
            let known = state.processes.iter().map(|process| process.name.as_str());
            let known = known.collect::<Vec<_>>().join(", ");
            return Err(Trouble::Usage(format!(
                "why {named}: there is no such process; there are {known}"
            )));
        };
        Ok(match self.simulation.why(process.process as usize) {
            None => format!("{} can move\n", process.name),
            Some(waiting) => {
                let explanation = Explanation {
                    waiting: vec![waiting],
                    ..Explanation::default()
                };
                explanation.text(self.style)
            }
        })
    }
}
