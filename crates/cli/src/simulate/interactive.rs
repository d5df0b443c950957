//! `mazurka simulate --interactive`: one line, one command.

use mazurka_checker::{Random, Simulation};
use mazurka_scenario::{Explanation, StepRecord, state_text};

use super::Session;
use super::conversation::{
    Answer, Conversation, converse, number, number_or_one, print_range, save,
};
use crate::Exit;
use crate::terminal::print_part;
use crate::trouble::Trouble;

const HELP: &str = "\x20 NUMBER         take that step                   n, forward     take the next known step again
  b, back [N]    take the last step back, or N    goto N         go to where N steps are taken
  f, forced      go on while there is no choice   random [N]     take a step at random, or N; also: run
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

/// A session and what is asked of it.
struct Talk<'s> {
    session: &'s mut Session,
    interaction: Interaction,
}

impl Conversation for Talk<'_> {
    fn list(&mut self) -> Result<(), Trouble> {
        self.session.print_watched(&self.interaction)?;
        let choices = self.session.simulation.choices();
        print_part(&self.session.choices(&choices))
    }

    fn command(&mut self, word: &str, rest: &str) -> Result<Answer, Trouble> {
        let choices = self.session.simulation.choices();
        (self.session).command(word, rest, &choices, &mut self.interaction)
    }
}

impl Session {
    /// Lets the user choose, on a terminal or from a file.
    pub fn interact(mut self, interaction: Interaction) -> Result<Exit, Trouble> {
        converse(&mut Talk {
            session: &mut self,
            interaction,
        })?;
        self.end()
    }

    fn command(
        &mut self,
        word: &str,
        rest: &str,
        choices: &[StepRecord],
        interaction: &mut Interaction,
    ) -> Result<Answer, Trouble> {
        let number = || number(word, rest);
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
                let count = number_or_one(word, rest)?;
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
            "run" | "random" => {
                let count = number_or_one(word, rest)?;
                let wanted = self.simulation.position().saturating_add(count);
                self.go_on(interaction, |_, position, _| position < wanted)?;
            }
            "until" => {
                self.simulation.evaluate(rest)?;
                let most = (self.simulation.position()).saturating_add(interaction.most_steps);
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
                return save(&self.files, &self.simulation.scenario()?, rest);
            }
            choice => match choice.parse::<usize>() {
                Ok(number) if (1..=choices.len()).contains(&number) => {
                    self.take(number - 1)?;
                    if self.simulation.is_stuck() {
                        print_part("there is no next state; b goes back\n")?;
                        return Ok(Answer::Nothing);
                    }
                }
                _ => return print_range(choices.len()),
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
        let most = (self.simulation.position()).saturating_add(interaction.most_steps);
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
