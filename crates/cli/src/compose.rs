//! `mazurka compose`: a model put together from parts that are reduced first.

use std::path::PathBuf;

use mazurka_checker::{Composed, Composition, CompositionOptions, Violation};
use mazurka_draw::{GraphForm, graph_of_composed};
use mazurka_report::text_of_composition;
use mazurka_scenario::ScenarioFiles;

use crate::Exit;
use crate::arguments::ComposeArguments;
use crate::terminal::{complain, print, style_of_output, warn};
use crate::trouble::Trouble;

/// Runs the command.
pub fn compose(arguments: &ComposeArguments) -> Result<Exit, Trouble> {
    let model = arguments.model.open()?;
    let names = |list: &String| {
        list.split(',')
            .map(|name| name.trim().to_string())
            .collect()
    };
    let options = CompositionOptions {
        parts: arguments.parts.iter().map(names).collect(),
        visible: arguments.visible.clone(),
        states: arguments.states,
    };
    let files = ScenarioFiles::of_model(&arguments.model.file);
    let files = files
        .named(arguments.scenario.as_deref())
        .map_err(|reason| Trouble::Usage(format!("--scenario {reason}")))?;
    let define = &arguments.model.define;
    let composition = Composition::of(&model, define, &options, arguments.whole)?;
    warn(&composition.model.sources, &composition.model.warnings);
    let first = composition.violations.first();
    let scenario = first.filter(|_| files.have_place());
    let scenario = scenario.and_then(|first| write_scenario(&composition, first, &files));
    match (arguments.form, &composition.composed) {
        (Some(form), Some(composed)) => print_graph(&composition, composed, form)?,
        _ => {
            let style = style_of_output();
            let told = text_of_composition(&composition, scenario.as_deref(), style)?;
            print(&told)?;
        }
    }
    Ok(Exit::of(composition.verdict))
}

/// Writes the scenario of a violation, and says where it is.
fn write_scenario(
    composition: &Composition,
    violation: &Violation,
    files: &ScenarioFiles,
) -> Option<PathBuf> {
    let written = files.write(&composition.scenario(violation), 0, 1);
    if let Some(warning) = files.warning_of(&written, 0) {
        complain(&format!("warning: {warning}\n"));
    }
    written.ok()
}

/// Prints what is left in the end.
fn print_graph(
    composition: &Composition,
    composed: &Composed,
    form: GraphForm,
) -> Result<(), Trouble> {
    let name = &composition.model.program().name;
    let graph = graph_of_composed(name, composed);
    print(&graph.print(form).map_err(Trouble::Usage)?)
}
