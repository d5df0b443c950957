//! `mazurka show`: prints a scenario, after replaying it.

use std::path::{Path, PathBuf};

use mazurka_checker::figures::grouped;
use mazurka_checker::{Besides, Loaded, ModelText, NOTATIONS};
use mazurka_draw::{chart_page, chart_svg, mermaid, plantuml};
use mazurka_explore::{LANGUAGE, run_of, with_objects};
use mazurka_scenario::{Run, Scenario, chart, clean, text};
use serde::Serialize;

use crate::Exit;
use crate::arguments::{ScenarioForm, ShowArguments};
use crate::terminal::{complain, print, style_of_output};
use crate::trouble::Trouble;

/// Runs the command.
pub fn show(arguments: &ShowArguments) -> Result<Exit, Trouble> {
    let scenario = read_any_scenario(&arguments.scenario)?;
    if scenario.model.language == LANGUAGE {
        return show_program(arguments, &scenario);
    }
    check_language(&scenario, &arguments.scenario)?;
    let loaded = load_model_of(&scenario, &arguments.scenario, arguments.model.as_deref())?;
    let run = repeat(&scenario, &loaded, &arguments.scenario)?;
    print_run(arguments, &scenario, &run, &loaded.model.file)
}

/// A scenario of a real program is shown as it was told: running it again is `mazurka replay`.
fn show_program(arguments: &ShowArguments, scenario: &Scenario) -> Result<Exit, Trouble> {
    if arguments.model.is_some() {
        let message = "--model is for scenarios of models; this one is of a real program";
        return Err(Trouble::Usage(message.into()));
    }
    let run = run_of(scenario);
    let is_drawn = !matches!(
        arguments.form,
        ScenarioForm::Text | ScenarioForm::Msc | ScenarioForm::Json
    );
    let run = if is_drawn { with_objects(&run) } else { run };
    print_run(arguments, scenario, &run, &scenario.model.file)
}

fn print_run(
    arguments: &ShowArguments,
    scenario: &Scenario,
    run: &Run,
    file: &str,
) -> Result<Exit, Trouble> {
    let mut style = style_of_output();
    style.width = arguments.width.unwrap_or(style.width);
    let violation = scenario.violation.as_ref();
    print(&match arguments.form {
        ScenarioForm::Msc => chart(run, violation, style),
        ScenarioForm::Svg => chart_svg(run, violation, file),
        ScenarioForm::Html => chart_page(run, violation, file),
        ScenarioForm::Mermaid => mermaid(run, violation),
        ScenarioForm::Plantuml => plantuml(run, violation),
        ScenarioForm::Json => json(scenario, run)?,
        ScenarioForm::Text => {
            let steps = grouped(scenario.steps.len() as u64);
            let heading = format!("{}: a scenario of {steps} steps", clean(file));
            format!(
                "{}\n\n{}",
                style.heading(&heading),
                text(run, violation, style)
            )
        }
    })?;
    Ok(Exit::Holds)
}

/// Reads a scenario file of a model.
pub fn read_scenario(path: &Path) -> Result<Scenario, Trouble> {
    let scenario = read_any_scenario(path)?;
    check_language(&scenario, path)?;
    Ok(scenario)
}

fn unreadable(path: &Path, reason: &str) -> Trouble {
    let path = path.display();
    Trouble::Usage(format!("cannot read the scenario {path}: {reason}"))
}

fn read_any_scenario(path: &Path) -> Result<Scenario, Trouble> {
    let bytes = std::fs::read(path).map_err(|error| unreadable(path, &error.to_string()))?;
    Scenario::from_json(&bytes).map_err(|error| unreadable(path, &error.to_string()))
}

fn check_language(scenario: &Scenario, path: &Path) -> Result<(), Trouble> {
    match scenario.model.language.as_str() {
        language if NOTATIONS.iter().any(|known| known.name() == language) => Ok(()),
        LANGUAGE => {
            let reason = "it is of a real program: mazurka show, mazurka replay";
            Err(unreadable(path, reason))
        }
        language => {
            let reason = format!("models in {language} are not available yet");
            Err(unreadable(path, &reason))
        }
    }
}

/// Reads the model of a scenario: where the user says, or where the scenario says.
pub fn load_model_of(
    scenario: &Scenario,
    path: &Path,
    model: Option<&Path>,
) -> Result<Loaded, Trouble> {
    let file = match model {
        Some(model) => model.to_path_buf(),
        None => path
            .parent()
            .map_or_else(PathBuf::new, Path::to_path_buf)
            .join(&scenario.model.file),
    };
    load_model(
        &file,
        &scenario.model.defines,
        scenario.model.formula.as_deref(),
    )
}

/// Replays a scenario. One that does not replay is the fault of whoever changed the model or the scenario, or
/// else of this program.
pub fn repeat(scenario: &Scenario, loaded: &Loaded, path: &Path) -> Result<Run, Trouble> {
    let has_changed = loaded.has_changed_since(scenario);
    let replayed = loaded.repeat(scenario);
    let (path, file) = (path.display(), &loaded.model.file);
    match replayed {
        Ok(run) => {
            if has_changed {
                let what = format!("{file} has changed since {path} was made; it still replays");
                complain(&format!("warning: {what}\n"));
            }
            Ok(run)
        }
        Err(reason) if has_changed => Err(Trouble::Usage(format!(
            "{path} does not replay, because {file} is not as it was: {reason}"
        ))),
        Err(reason) => Err(Trouble::Usage(format!(
            "{path} does not replay, though {file} is as it was: {reason}\n\
             Either the scenario was changed, or this is a defect of Mazurka. Please report it if nobody changed it."
        ))),
    }
}

fn json(scenario: &Scenario, run: &Run) -> Result<String, Trouble> {
    #[derive(Serialize)]
    struct Shown<'a> {
        format: &'a str,
        version: u32,
        model: &'a mazurka_scenario::Model,
        violation: Option<&'a mazurka_scenario::ViolationRecord>,
        run: &'a Run,
    }
    let shown = Shown {
        format: "mazurka-run",
        version: scenario.version,
        model: &scenario.model,
        violation: scenario.violation.as_ref(),
        run,
    };
    let text = serde_json::to_string_pretty(&shown);
    text.map(|text| text + "\n")
        .map_err(|error| Trouble::Internal(error.to_string()))
}

/// Reads a model with macros `NAME` or `NAME=VALUE`, and the formula that a scenario is about.
pub fn load_model(
    file: &Path,
    define: &[String],
    formula: Option<&str>,
) -> Result<Loaded, Trouble> {
    let besides = Besides {
        define,
        formula,
        ..Besides::default()
    };
    Ok(ModelText::open(file)?.load(&besides)?)
}
