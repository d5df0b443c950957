//! `mazurka show`: prints a scenario, after replaying it.

use std::path::Path;

use mazurka_checker::figures::grouped;
use mazurka_checker::{Loaded, ModelText};
use mazurka_draw::{chart_page, chart_svg, mermaid, plantuml};
use mazurka_explore::{run_of, with_objects};
use mazurka_scenario::{Run, Scenario, chart, clean, text};

use crate::Exit;
use crate::arguments::{ScenarioForm, ShowArguments};
use crate::terminal::{complain, print, style_of_output};
use crate::trouble::Trouble;

/// Runs the command.
pub fn show(arguments: &ShowArguments) -> Result<Exit, Trouble> {
    let scenario = Scenario::open(&arguments.scenario).map_err(Trouble::Usage)?;
    if scenario.model.is_program() {
        return show_program(arguments, &scenario);
    }
    let named = arguments.model.as_deref();
    let model = ModelText::of_scenario(&scenario, &arguments.scenario, named)?;
    let loaded = model.load_for(&scenario)?;
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
        ScenarioForm::Json => scenario.run_json(run),
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

/// Replays a scenario, and warns if the model has changed.
pub fn repeat(scenario: &Scenario, loaded: &Loaded, path: &Path) -> Result<Run, Trouble> {
    let (run, warning) = loaded.repeat_file(scenario, path)?;
    if let Some(warning) = warning {
        complain(&format!("warning: {warning}\n"));
    }
    Ok(run)
}
