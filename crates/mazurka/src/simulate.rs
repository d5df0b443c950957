//! `mazurka simulate`: runs a model at random, as the user chooses, or along a scenario.

use std::io::{self, BufRead, IsTerminal};

use mazurka_checker::Loaded;
use mazurka_model::Step;
use mazurka_scenario::{
    Columns, Ending, Happening, StepRecord, Style, Walk, state_text, step_text, text_of_start,
};

use crate::Exit;
use crate::arguments::SimulateArguments;
use crate::random::{Random, fresh_seed};
use crate::show::{load_model, read_scenario, repeat};
use crate::terminal::{complain, print_part, style_of_output, warn};
use crate::trouble::Trouble;

/// Runs the command. The exit code tells whether the run met a violation.
pub fn simulate(arguments: &SimulateArguments) -> Result<Exit, Trouble> {
    let scenario = match &arguments.scenario {
        Some(path) => Some((read_scenario(path)?, path)),
        None => None,
    };
    let defines = match &scenario {
        Some((scenario, _)) if arguments.model.define.is_empty() => &scenario.model.defines,
        _ => &arguments.model.define,
    };
    let formula = scenario
        .as_ref()
        .and_then(|(scenario, _)| scenario.model.formula.as_deref());
    let loaded = load_model(&arguments.model.file, defines, formula)?;
    let steps = match &scenario {
        Some((scenario, path)) => {
            repeat(scenario, &loaded, path)?;
            scenario.steps()
        }
        None => Vec::new(),
    };
    if !arguments.quiet {
        warn(&loaded.sources, &loaded.warnings);
    }
    let Some(mut simulation) = Simulation::start(arguments, &loaded)? else {
        return Ok(Exit::Violated);
    };
    for step in steps {
        // The replay has shown that each step is possible; asking gives up control where needed.
        simulation.walk.enabled();
        simulation.take(step)?;
    }
    if arguments.interactive {
        simulation.interact()
    } else if scenario.is_some() && !arguments.go_on {
        simulation.end()
    } else {
        simulation.run_at_random(arguments)
    }
}

struct Simulation<'i> {
    walk: Walk<'i>,
    taken: usize,
    /// Did some step fail?
    failed: bool,
    /// Did a step fail so that there is no next state?
    stuck: bool,
    quiet: bool,
    columns: Columns,
    style: Style,
}

impl<'i> Simulation<'i> {
    /// Begins; nothing if the initial state is already wrong.
    fn start(
        arguments: &SimulateArguments,
        loaded: &'i Loaded,
    ) -> Result<Option<Simulation<'i>>, Trouble> {
        let (style, quiet) = (style_of_output(), arguments.quiet);
        let columns = Columns::of_program(loaded.interpreter.program());
        match Walk::start(&loaded.interpreter) {
            Ok((walk, happenings)) => {
                let (failed, stuck) = (false, false);
                let simulation = Simulation {
                    walk,
                    taken: 0,
                    failed,
                    stuck,
                    quiet,
                    columns,
                    style,
                };
                if quiet {
                    simulation.print_output(&happenings)?;
                } else {
                    print_part(&text_of_start(&happenings, columns, style))?;
                }
                Ok(Some(simulation))
            }
            Err(fault) => {
                let kind = style.error("runtime-error");
                print_part(&format!(
                    "{kind}: {fault}, while the initial state is made\n"
                ))?;
                Ok(None)
            }
        }
    }

    fn run_at_random(mut self, arguments: &SimulateArguments) -> Result<Exit, Trouble> {
        let seed = arguments.seed.unwrap_or_else(fresh_seed);
        if !self.quiet {
            print_part(&format!("seed {seed}\n"))?;
        } else if arguments.seed.is_none() {
            complain(&format!("seed {seed}\n"));
        }
        let mut random = Random::new(seed);
        while self.taken < arguments.steps && !self.stuck {
            let steps = self.walk.enabled();
            if steps.is_empty() {
                break;
            }
            self.take(steps[random.below(steps.len())])?;
        }
        self.end()
    }

    /// Takes a step and prints it.
    fn take(&mut self, step: Step) -> Result<(), Trouble> {
        let (record, outcome) = self.walk.take(step);
        self.taken += 1;
        self.failed |= outcome.failure.is_some();
        self.stuck = !outcome.complete;
        if self.quiet {
            return self.print_output(&record.happenings);
        }
        print_part(&step_text(self.taken, &record, self.columns, self.style))
    }

    /// Prints what the model prints, as it is.
    fn print_output(&self, happenings: &[Happening]) -> Result<(), Trouble> {
        for happening in happenings {
            if let Happening::Printed { text } = happening {
                print_part(text)?;
            }
        }
        Ok(())
    }

    /// Says how the run ended.
    fn end(mut self) -> Result<Exit, Trouble> {
        let ending = self.walk.ending();
        let is_violation = self.failed || ending == Ending::Deadlock;
        if !self.quiet {
            let text = self.ending_text(ending);
            let state = state_text(&self.walk.snapshot(), self.style);
            let heading = self.style.heading("final state");
            print_part(&format!("\n{text}\n\n{heading}\n{state}"))?;
        }
        Ok(if is_violation {
            Exit::Violated
        } else {
            Exit::Holds
        })
    }

    fn ending_text(&self, ending: Ending) -> String {
        let after = match self.taken {
            1 => "after 1 step".to_string(),
            taken => format!("after {taken} steps"),
        };
        let (style, failed) = (self.style, self.failed);
        match ending {
            _ if self.stuck => format!("{} {after}", style.error("runtime-error")),
            Ending::Deadlock => format!("{} {after}: invalid end state", style.error("deadlock")),
            Ending::ValidEnd => format!("{} {after}: valid end state", style.success("ended")),
            _ if failed => format!(
                "stopped {after}, {}",
                style.error("with a failed assertion")
            ),
            _ => format!("stopped {after}: the run could go on"),
        }
    }

    /// Lets the user choose, on a terminal or from a file.
    fn interact(mut self) -> Result<Exit, Trouble> {
        let mut history: Vec<(Walk<'i>, usize, bool)> = Vec::new();
        let mut lines = io::stdin().lock().lines();
        let is_terminal = io::stdin().is_terminal();
        let mut listing = true;
        loop {
            let steps = self.walk.enabled();
            if listing {
                print_part(&self.choices(&steps))?;
            }
            if is_terminal {
                print_part("step, b(ack), s(tate), q(uit)> ")?;
            }
            let line = match lines.next() {
                None => return self.end(),
                Some(line) => line.map_err(|error| {
                    Trouble::Usage(format!("cannot read standard input: {error}"))
                })?,
            };
            listing = true;
            match line.trim() {
                "" => listing = false,
                "q" | "quit" => return self.end(),
                "s" | "state" => {
                    print_part(&state_text(&self.walk.snapshot(), self.style))?;
                    listing = false;
                }
                "b" | "back" => match history.pop() {
                    Some((walk, taken, failed)) => {
                        (self.walk, self.taken, self.failed) = (walk, taken, failed);
                        self.stuck = false;
                        print_part(&format!("back to step {taken}\n"))?;
                    }
                    None => print_part("this is the beginning\n")?,
                },
                choice => match choice.parse::<usize>() {
                    Ok(number) if (1..=steps.len()).contains(&number) => {
                        history.push((self.walk.clone(), self.taken, self.failed));
                        self.take(steps[number - 1])?;
                        if self.stuck {
                            print_part("there is no next state; b goes back\n")?;
                        }
                    }
                    _ => {
                        let answer = match steps.len() {
                            0 => "no step is possible: b, s or q\n".to_string(),
                            last => format!("a number from 1 to {last}, or b, s or q\n"),
                        };
                        print_part(&answer)?;
                        listing = false;
                    }
                },
            }
        }
    }

    fn choices(&self, steps: &[Step]) -> String {
        if steps.is_empty() {
            let may_end = self.walk.interpreter().is_valid_end(self.walk.state());
            let end = if may_end {
                "a valid end state"
            } else {
                "a deadlock"
            };
            return format!("no step is possible: {end}\n");
        }
        let mut text = format!(
            "{} {}:\n",
            self.style.heading("steps possible after"),
            self.taken
        );
        for (index, step) in steps.iter().enumerate() {
            let StepRecord {
                name,
                process,
                statement,
                at,
                partner,
                ..
            } = self.walk.describe(*step);
            let name = self.style.process(process, &name);
            let with = partner.map_or(String::new(), |partner| format!(" with {}", partner.name));
            text += &format!(
                "{:>4}) {name} line {}: {statement}{with}\n",
                index + 1,
                at.line
            );
        }
        text
    }
}
