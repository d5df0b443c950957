//! `mazurka show`: prints a scenario, after replaying it.

use std::path::Path;

use mazurka_checker::figures::counted;
use mazurka_checker::{Loaded, ModelText};
use mazurka_draw::{chart_page, chart_svg, mermaid, plantuml};
use mazurka_explore::{run_of, with_objects};
use mazurka_scenario::{Run, Scenario, View, chart_of, clean, state_text, text_of, text_of_end};

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
    let model = ModelText::of_scenario(&scenario, &arguments.scenario, named);
    let loaded = match model.and_then(|model| model.load_for(&scenario)) {
        Ok(loaded) => loaded,
        // A scenario outlives its model.
        Err(error) if scenario.is_told() && named.is_none() && arguments.state.is_none() => {
            let file = &scenario.model.file;
            let reason = Trouble::from(error).text();
            complain(&format!(
                "warning: {file} cannot be read any more; this is what the scenario says\n{reason}\n"
            ));
            return print_run(arguments, &scenario, &scenario.told(), None);
        }
        Err(error) => return Err(error.into()),
    };
    if let Some(number) = arguments.state {
        return print_state(&scenario, &loaded, number);
    }
    let (run, warning) = loaded.repeat_or_tell(&scenario, &arguments.scenario)?;
    if let Some(warning) = warning {
        complain(&format!("warning: {warning}\n"));
    }
    print_run(arguments, &scenario, &run, Some(&loaded))
}

/// All values after a number of steps.
fn print_state(scenario: &Scenario, loaded: &Loaded, number: usize) -> Result<Exit, Trouble> {
    let wrong = |reason| Trouble::Usage(format!("--state {number}: {reason}"));
    let state = loaded.state_after(scenario, number).map_err(wrong)?;
    let style = style_of_output();
    let heading = match number {
        0 => "the initial state".to_string(),
        _ => format!("the state after step {number}"),
    };
    let text = state_text(&state, style);
    print(&format!("{}\n{text}", style.heading(&heading)))?;
    Ok(Exit::Holds)
}

/// A scenario of a real program is shown as it was told: running it again is `mazurka replay`.
fn show_program(arguments: &ShowArguments, scenario: &Scenario) -> Result<Exit, Trouble> {
    for (option, is_given) in [
        ("--model", arguments.model.is_some()),
        ("--state", arguments.state.is_some()),
    ] {
        if is_given {
            let message = "is for scenarios of models; this one is of a real program";
            return Err(Trouble::Usage(format!("{option} {message}")));
        }
    }
    let run = run_of(scenario);
    let is_drawn = !matches!(
        arguments.form,
        ScenarioForm::Text | ScenarioForm::Msc | ScenarioForm::Json
    );
    let run = if is_drawn { with_objects(&run) } else { run };
    print_run(arguments, scenario, &run, None)
}

fn print_run(
    arguments: &ShowArguments,
    scenario: &Scenario,
    run: &Run,
    loaded: Option<&Loaded>,
) -> Result<Exit, Trouble> {
    let file = loaded.map_or(&scenario.model.file, |loaded| &loaded.model.file);
    let mut style = style_of_output();
    style.width = arguments.width.unwrap_or(style.width);
    let violation = scenario.violation.as_ref();
    let view = View {
        from: arguments.from,
        to: arguments.to,
        processes: arguments.process.clone(),
        messages: arguments.messages,
        changes: arguments.changes.clone(),
    };
    let seen = view.steps(run).map_err(Trouble::Usage)?;
    let is_whole = view.is_all();
    if !is_whole && !matches!(arguments.form, ScenarioForm::Text | ScenarioForm::Msc) {
        let message = "--from, --to, --process, --messages and --changes are for --as text and msc";
        return Err(Trouble::Usage(message.into()));
    }
    print(&match arguments.form {
        ScenarioForm::Msc => chart_of(run, &seen, violation, style),
        ScenarioForm::Svg => chart_svg(run, violation, file),
        ScenarioForm::Html => chart_page(run, violation, file),
        ScenarioForm::Mermaid => mermaid(run, violation),
        ScenarioForm::Plantuml => plantuml(run, violation),
        ScenarioForm::Json => scenario.run_json(run),
        ScenarioForm::Text => {
            let steps = counted(scenario.steps.len() as u64, "step");
            let heading = format!("{}: a scenario of {steps}", clean(file));
            let explanation = loaded.map(|loaded| loaded.explain(scenario, run));
            let about = (violation, &explanation.unwrap_or_default());
            let steps = text_of(run, &seen, about, style);
            let end = is_whole.then(|| text_of_end(run, style));
            let heading = style.heading(&heading);
            format!("{heading}\n\n{steps}{}", end.unwrap_or_default())
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
