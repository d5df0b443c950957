//! `mazurka simulate`: runs a model at random, as the user chooses, or along a scenario; a real program as well.

#[cfg(target_os = "linux")]
mod program;

use std::io::{self, IsTerminal};
use std::path::Path;

use mazurka_checker::figures::counted;
use mazurka_checker::{Besides, Loaded, ModelText, Random};
use mazurka_report::{Conversation, SteppedModel};
use mazurka_scenario::{Scenario, ScenarioFiles};

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
    let seed = arguments.seed.unwrap_or_else(Random::fresh_seed);
    let Some(mut stepped) = start(arguments, file, seed, &model, loaded)? else {
        return Ok(Exit::Violated);
    };
    if arguments.interactive {
        if let Some((scenario, _)) = &scenario {
            stepped.begin_along(scenario)?;
        }
        converse(&mut stepped)?;
        return exit_of(stepped.end()?);
    }
    let known = scenario.iter();
    stepped.take_all(known.flat_map(|(scenario, _)| scenario.steps()))?;
    if scenario.is_none() || arguments.go_on {
        run_at_random(arguments, seed, &mut stepped)?;
    }
    exit_of(stepped.end()?)
}

/// Lets the user choose, on a terminal or from a file.
fn converse(with: &mut impl Conversation) -> Result<(), Trouble> {
    let input = io::stdin();
    Ok(with.converse(input.lock(), input.is_terminal())?)
}

fn exit_of(is_violated: bool) -> Result<Exit, Trouble> {
    Ok(match is_violated {
        true => Exit::Violated,
        false => Exit::Holds,
    })
}

/// Begins; nothing if the initial state is already wrong.
fn start(
    arguments: &SimulateArguments,
    file: &Path,
    seed: u64,
    model: &ModelText,
    loaded: Loaded,
) -> Result<Option<SteppedModel>, Trouble> {
    let files = ScenarioFiles::of_simulation(file);
    let choosing = (Random::new(seed), arguments.steps);
    let telling = (
        style_of_output(),
        print_part as mazurka_report::Printer,
        arguments.quiet,
    );
    Ok(SteppedModel::start(
        model, loaded, files, choosing, telling,
    )?)
}

/// Runs on at random, and saves a run that goes wrong.
fn run_at_random(
    arguments: &SimulateArguments,
    seed: u64,
    stepped: &mut SteppedModel,
) -> Result<(), Trouble> {
    if !arguments.quiet {
        print_part(&format!("seed {seed}\n"))?;
    } else if arguments.seed.is_none() {
        complain(&format!("seed {seed}\n"));
    }
    stepped.run_at_random()?;
    if stepped.simulation.is_violated() && stepped.files.have_place() {
        let scenario = stepped.simulation.scenario_of_violation()?;
        match stepped.files.write(&scenario, 0, 1) {
            Ok(path) if !arguments.quiet => {
                let steps = counted(scenario.steps.len() as u64, "step");
                print_part(&format!("saved in {}: {steps}\n", path.display()))?;
            }
            Ok(_) => {}
            Err(error) => complain(&format!("warning: cannot write the scenario: {error}\n")),
        }
    }
    Ok(())
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
    let Some(mut stepped) = start(arguments, file, 0, model, loaded)? else {
        return Ok(Exit::Violated);
    };
    stepped.take_all(followed.steps)?;
    let steps = stepped.simulation.length() as u64;
    if steps > 0 && stepped.files.have_place() {
        let scenario = stepped.simulation.scenario()?;
        let saved = stepped.files.write(&scenario, 0, 1);
        let saved = saved.map_err(|error| Trouble::Usage(error.to_string()))?;
        let steps = counted(steps, "step");
        print_part(&format!("saved in {}: {steps}\n", saved.display()))?;
    }
    match followed.difference {
        Some(difference) => {
            let kind = style_of_output().error("the code and the model differ");
            print_part(&format!("{kind}: {difference}\n"))?;
            Ok(Exit::Violated)
        }
        // What the run came to is told; the exit code says that the two agree.
        None => {
            stepped.end()?;
            Ok(Exit::Holds)
        }
    }
}
