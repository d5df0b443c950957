//! `mazurka simulate -- PROGRAM`: one execution of a real program, step by step.

use std::path::Path;

use mazurka_checker::Random;
use mazurka_explore::Config;
use mazurka_processes::Explorer;
use mazurka_report::{Conversation, SteppedProgram};
use mazurka_scenario::{Scenario, ScenarioFiles};

use super::converse;
use crate::Exit;
use crate::arguments::SimulateArguments;
use crate::explore::with_library;
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
        None => Explorer::new(&arguments.program).config(Config {
            preload: arguments.preload,
            ..Config::default()
        }),
    };
    let session = with_library(explorer)?
        .session()
        .map_err(|error| Trouble::Usage(error.to_string()))?;
    let subject = arguments.program.first().map_or(Path::new(""), Path::new);
    let mut stepped = SteppedProgram {
        session,
        files: ScenarioFiles::of_program_run(subject),
        random: Random::new(arguments.seed.unwrap_or(0)),
        most_steps: arguments.steps,
        style: style_of_output(),
        print: print_part,
    };
    if let Some(scenario) = &scenario {
        stepped.begin_along(scenario)?;
    }
    match arguments.seed {
        Some(_) if !arguments.interactive => stepped.run(arguments.steps)?,
        _ => converse(&mut stepped)?,
    }
    if !stepped.end()? {
        return Ok(Exit::Holds);
    }
    match stepped.files.write(&stepped.session.scenario(), 0, 1) {
        Ok(path) => print_part(&format!("saved in {}\n", path.display()))?,
        Err(error) => complain(&format!("warning: cannot write the scenario: {error}\n")),
    }
    Ok(Exit::Violated)
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
