//! `mazurka simulate --interactive`: a model, one line, one command.

use mazurka_checker::{Random, Simulation};
use mazurka_report::steps_of_model;
use mazurka_scenario::{Explanation, Scenario, ScenarioFiles, state_text};

use super::Session;
use super::conversation::{Answer, Conversation};
use crate::terminal::print_part;
use crate::trouble::Trouble;

/// A session and what is asked of it, besides its simulation.
pub struct Interaction<'s> {
    pub session: &'s mut Session,
    pub random: Random,
    pub watched: Vec<String>,
    pub most_steps: usize,
}

impl Conversation for Interaction<'_> {
    const HELP: &'static str = "\x20 NUMBER         take that step                   n, forward     take the next known step again
  b, back [N]    take the last step back, or N    goto N         go to where N steps are taken
  f, forced      go on while there is no choice   random [N]     take a step at random, or N; also: run
  until EXPR     go on at random until it holds   seed N         begin the random choices anew
  p EXPR         print the value                  watch EXPR     print it after each command; without EXPR: stop
  s, state       print the state                  why PROCESS    say what blocks it
  save FILE      write the steps as a scenario    q, quit        end
";

    fn list(&mut self) -> Result<(), Trouble> {
        self.print_watched()?;
        let style = self.session.style;
        print_part(&steps_of_model(&mut self.session.simulation, style))
    }

    fn choices(&mut self) -> usize {
        self.session.simulation.choices().len()
    }

    fn take(&mut self, choice: usize) -> Result<Answer, Trouble> {
        self.session.take(choice)?;
        if !self.session.simulation.is_stuck() {
            return Ok(Answer::Steps);
        }
        print_part("there is no next state; b goes back\n")?;
        Ok(Answer::Nothing)
    }

    fn run(&mut self, count: usize) -> Result<(), Trouble> {
        let wanted = self.position().0.saturating_add(count);
        self.go_on(|_, simulation| simulation.position() < wanted)
    }

    fn set_random(&mut self, random: Random) {
        self.random = random;
    }

    fn position(&self) -> (usize, usize) {
        let simulation = &self.session.simulation;
        (simulation.position(), simulation.length())
    }

    fn go_to(&mut self, position: usize) -> Result<(), Trouble> {
        self.session.simulation.go_to(position);
        Ok(())
    }

    fn forward(&mut self) -> Result<bool, Trouble> {
        match self.session.simulation.forward() {
            Some(record) => self.session.tell(&record).map(|()| true),
            None => Ok(false),
        }
    }

    fn state(&mut self) -> String {
        state_text(&self.session.simulation.state(), self.session.style)
    }

    fn scenario(&mut self) -> Result<(Scenario, &ScenarioFiles), Trouble> {
        Ok((self.session.simulation.scenario()?, &self.session.files))
    }

    fn other(&mut self, word: &str, rest: &str) -> Result<Option<Answer>, Trouble> {
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
                let value = self.session.simulation.evaluate(rest)?;
                print_part(&format!("{rest} = {value}\n"))?;
            }
            "watch" => {
                match rest {
                    "" => self.watched.clear(),
                    rest => {
                        self.session.simulation.evaluate(rest)?;
                        self.watched.push(rest.into());
                    }
                }
                self.print_watched()?;
            }
            "why" => print_part(&self.why(rest)?)?,
            _ => return Ok(None),
        }
        Ok(Some(Answer::Nothing))
    }
}

impl Interaction<'_> {
    /// Takes steps at random until an expression holds.
    fn until(&mut self, expression: &str) -> Result<(), Trouble> {
        self.session.simulation.evaluate(expression)?;
        let value = |simulation: &Simulation| simulation.evaluate(expression).ok();
        self.go_on(|_, simulation| value(simulation) == Some(0))?;
        let what = match value(&self.session.simulation) {
            None | Some(0) => "does not hold",
            Some(_) => "holds",
        };
        let position = self.position().0;
        print_part(&format!("{expression} {what} after step {position}\n"))
    }

    /// Takes steps at random as long as there are some, and the question, which knows how many there are, says so.
    fn go_on(&mut self, may_go_on: impl Fn(usize, &Simulation) -> bool) -> Result<(), Trouble> {
        let most = self.position().0.saturating_add(self.most_steps);
        while self.position().0 < most {
            let choices = self.choices();
            if choices == 0 || !may_go_on(choices, &self.session.simulation) {
                break;
            }
            self.session.take(self.random.below(choices))?;
            if self.session.simulation.failure().is_some() {
                break;
            }
        }
        Ok(())
    }

    fn print_watched(&self) -> Result<(), Trouble> {
        for expression in &self.watched {
            let text = match self.session.simulation.evaluate(expression) {
                Ok(value) => format!("{expression} = {value}\n"),
                Err(error) => format!("{error}\n"),
            };
            print_part(&text)?;
        }
        Ok(())
    }

    /// What blocks a process, which is named by its number or its name.
    fn why(&self, named: &str) -> Result<String, Trouble> {
        let state = self.session.simulation.state();
        let process = state.process(named);
        let process = process.map_err(|reason| Trouble::Usage(format!("why {named}: {reason}")))?;
        Ok(
            match self.session.simulation.why(process.process as usize) {
                None => format!("{} can move\n", process.name),
                Some(waiting) => {
                    let explanation = Explanation {
                        waiting: vec![waiting],
                        ..Explanation::default()
                    };
                    explanation.text(self.session.style)
                }
            },
        )
    }
}
