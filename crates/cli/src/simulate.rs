//! `mazurka simulate`: runs a model at random, as the user chooses, or along a scenario; a real program as well.

mod conversation;
mod interactive;
#[cfg(target_os = "linux")]
mod program;

use std::path::Path;
use std::sync::Arc;

use mazurka_checker::figures::counted;
use mazurka_checker::{Besides, Loaded, ModelText, Random, Simulation};
use mazurka_report::end_of_model;
use mazurka_scenario::{
    Columns, Happening, Scenario, ScenarioFiles, StepRecord, Style, ViolationKind, state_text,
    step_text, text_of_start,
};

use self::conversation::converse;
use self::interactive::Interaction;
use crate::Exit;
use crate::arguments::SimulateArguments;
use crate::model::open_model;
use crate::show::repeat;
use crate::terminal::{complain, print_part, style_of_output, warn};
use crate::trouble::Trouble;

/// Runs the command. The exit code tells whether the run met a violation.
pub fn simulate(arguments: &SimulateArguments) -> Result<Exit, Trouble> {
    let Some(file) = &arguments.file else {
        #[cfg(target_os = "linux")]
        return program::simulate(arguments);
        #[cfg(not(target_os = "linux"))]
        return Err(Trouble::Usage("there is no model".into()));
    };
    let scenario = match &arguments.scenario {
        Some(path) => {
            let scenario = Scenario::open(path).map_err(Trouble::Usage)?;
            Some((scenario, path))
        }
        None => None,
    };
    let defines = match &scenario {
        Some((scenario, _)) if arguments.define.is_empty() => &scenario.model.defines,
        _ => &arguments.define,
    };
    let formula = scenario
        .as_ref()
        .and_then(|(scenario, _)| scenario.model.formula.as_deref());
    let model = match &scenario {
        Some((scenario, path)) => ModelText::of_scenario(scenario, path, Some(file))?,
        None => open_model(file, arguments.notation)?,
    };
    let loaded = model.load(&Besides {
        define: defines,
        formula,
        ..Besides::default()
    })?;
    if let Some((scenario, path)) = &scenario {
        repeat(scenario, &loaded, path)?;
    }
    if !arguments.quiet {
        warn(&loaded.sources, &loaded.warnings);
    }
    if let Some(trace) = &arguments.follow {
        return follow(arguments, file, &model, loaded, trace);
    }
    let Some(mut session) = Session::start(arguments, file, &model, loaded)? else {
        return Ok(Exit::Violated);
    };
    if arguments.interactive {
        if let Some((scenario, _)) = &scenario {
            session.simulation.follow(scenario)?;
            session.simulation.go_to(0);
            let length = session.simulation.length();
            let steps = counted(length as u64, "step");
            print_part(&format!(
                "a scenario of {steps}: n takes the next, b goes back, goto {length} goes to its end\n"
            ))?;
        }
        let seed = arguments.seed.unwrap_or_else(Random::fresh_seed);
        converse(&mut Interaction {
            session: &mut session,
            random: Random::new(seed),
            watched: Vec::new(),
            most_steps: arguments.steps,
        })?;
        return session.end();
    }
    for step in scenario.iter().flat_map(|(scenario, _)| scenario.steps()) {
        let record = session.simulation.take_step(step)?;
        session.tell(&record)?;
    }
    if scenario.is_some() && !arguments.go_on {
        session.end()
    } else {
        session.run_at_random(arguments)
    }
}

/// Repeats what exported code did, and saves it as a scenario.
fn follow(
    arguments: &SimulateArguments,
    file: &Path,
    model: &ModelText,
    loaded: Loaded,
    trace: &Path,
) -> Result<Exit, Trouble> {
    let wrong = |reason: String| Trouble::Usage(format!("{}: {reason}", trace.display()));
    let text = std::fs::read_to_string(trace).map_err(|error| wrong(error.to_string()))?;
    let followed = mazurka_generate::follow(&loaded.interpreter, &text).map_err(wrong)?;
    let Some(mut session) = Session::start(arguments, file, model, loaded)? else {
        return Ok(Exit::Violated);
    };
    for step in followed.steps {
        let record = session.simulation.take_step(step)?;
        session.tell(&record)?;
    }
    let steps = session.simulation.length() as u64;
    if steps > 0 && session.files.have_place() {
        let scenario = session.simulation.scenario()?;
        let saved = session.files.write(&scenario, 0, 1);
        let saved = saved.map_err(|error| Trouble::Usage(error.to_string()))?;
        let steps = counted(steps, "step");
        print_part(&format!("saved in {}: {steps}\n", saved.display()))?;
    }
    match followed.difference {
        Some(difference) => {
            let kind = session.style.error("the code and the model differ");
            print_part(&format!("{kind}: {difference}\n"))?;
            Ok(Exit::Violated)
        }
        // What the run came to is told; the exit code says that the two agree.
        None => session.end().map(|_| Exit::Holds),
    }
}

/// A simulation and how it is told.
struct Session {
    simulation: Simulation,
    /// Where scenarios are written.
    files: ScenarioFiles,
    quiet: bool,
    columns: Columns,
    style: Style,
}

impl Session {
    /// Begins; nothing if the initial state is already wrong.
    fn start(
        arguments: &SimulateArguments,
        file: &Path,
        model: &ModelText,
        loaded: Loaded,
    ) -> Result<Option<Session>, Trouble> {
        let (style, quiet) = (style_of_output(), arguments.quiet);
        let columns = Columns::of_program(loaded.program());
        let simulation = match Simulation::of(model, Arc::new(loaded)) {
            Ok(simulation) => simulation,
            Err(fault) => {
                let kind = style.error(ViolationKind::RuntimeError.name());
                print_part(&format!("{kind}: {fault}, in making the initial state\n"))?;
                return Ok(None);
            }
        };
        let session = Session {
            simulation,
            files: ScenarioFiles::of_simulation(file),
            quiet,
            columns,
            style,
        };
        let start = session.simulation.start();
        match quiet {
            true => print_output(start)?,
            false => print_part(&text_of_start(start, columns, style))?,
        }
        Ok(Some(session))
    }

    fn run_at_random(mut self, arguments: &SimulateArguments) -> Result<Exit, Trouble> {
        let seed = arguments.seed.unwrap_or_else(Random::fresh_seed);
        if !self.quiet {
            print_part(&format!("seed {seed}\n"))?;
        } else if arguments.seed.is_none() {
            complain(&format!("seed {seed}\n"));
        }
        let mut random = Random::new(seed);
        while self.simulation.position() < arguments.steps {
            let choices = self.simulation.choices().len();
            if choices == 0 {
                break;
            }
            self.take(random.below(choices))?;
        }
        if self.simulation.is_violated() && self.files.have_place() {
            let scenario = self.simulation.scenario_of_violation()?;
            let written = self.files.write(&scenario, 0, 1);
            match written {
                Ok(path) if !self.quiet => {
                    let steps = counted(scenario.steps.len() as u64, "step");
                    print_part(&format!("saved in {}: {steps}\n", path.display()))?;
                }
                Ok(_) => {}
                Err(error) => complain(&format!("warning: cannot write the scenario: {error}\n")),
            }
        }
        self.end()
    }

    /// Takes a step and prints it.
    fn take(&mut self, choice: usize) -> Result<(), Trouble> {
        let record = self.simulation.take(choice)?;
        self.tell(&record)
    }

    fn tell(&self, record: &StepRecord) -> Result<(), Trouble> {
        if self.quiet {
            return print_output(&record.happenings);
        }
        let number = self.simulation.position();
        print_part(&step_text(number, record, self.columns, self.style))
    }

    /// Says how the run ended.
    fn end(mut self) -> Result<Exit, Trouble> {
        if !self.quiet {
            let text = end_of_model(&mut self.simulation, self.style);
            let state = state_text(&self.simulation.state(), self.style);
            let heading = self.style.heading("final state");
            print_part(&format!("\n{text}\n\n{heading}\n{state}"))?;
        }
        Ok(match self.simulation.is_violated() {
            true => Exit::Violated,
            false => Exit::Holds,
        })
    }
}

/// Prints what the model prints, as it is.
fn print_output(happenings: &[Happening]) -> Result<(), Trouble> {
    for happening in happenings {
        if let Happening::Printed { text } = happening {
            print_part(text)?;
        }
    }
    Ok(())
}
