//! `mazurka graph`: the graph of a process, or of all states, for people and other tools.

use mazurka_checker::figures::counted;
use mazurka_checker::{Besides, Extent, StateGraph};
use mazurka_draw::{Graph, graph_page, graph_svg};
use mazurka_model::Program;
use mazurka_scenario::Walk;

use crate::Exit;
use crate::arguments::{GraphArguments, GraphForm};
use crate::check::open_model;
use crate::terminal::{print, warn};
use crate::trouble::Trouble;

/// Nobody sees anything in a picture of more nodes.
const DRAWN: usize = 2_000;

/// Runs the command.
pub fn graph(arguments: &GraphArguments) -> Result<Exit, Trouble> {
    let loaded = open_model(&arguments.model.file, arguments.model.notation)?.load(&Besides {
        define: &arguments.model.define,
        ..Besides::default()
    })?;
    warn(&loaded.sources, &loaded.warnings);
    let program = loaded.interpreter.program();
    let graph = match &arguments.process {
        Some(name) => graph_of_process(program, name)?,
        None => {
            let (walk, _) = Walk::start(&loaded.interpreter)
                .map_err(|fault| Trouble::Usage(format!("there is no initial state: {fault}")))?;
            let extent = Extent {
                reduce: arguments.reduce,
                left_out: arguments.left_out,
                states: arguments.states,
            };
            let states = StateGraph::around(walk, extent)?;
            if !states.is_complete {
                let limit = arguments.states;
                let limit = counted(limit as u64, "state");
                let message = format!("there are more than {limit}; see --states");
                return Err(Trouble::Usage(message));
            }
            Graph::of_states(&program.name, &states)
        }
    };
    if let (GraphForm::Svg | GraphForm::Html, true) = (arguments.form, graph.nodes.len() > DRAWN) {
        let count = graph.nodes.len();
        let form = arguments.form.name();
        let message = format!(
            "--as {form}: a picture of {count} nodes is too large to read; the limit is {DRAWN}. \
             `mazurka studio` shows the states around one, --as json has all"
        );
        return Err(Trouble::Usage(message));
    }
    print(&match arguments.form {
        GraphForm::Svg => graph_svg(&graph),
        GraphForm::Html => graph_page(&graph),
        GraphForm::Dot => graph.dot(),
        GraphForm::Aut => graph.aut(),
        GraphForm::Json => serde_json::to_string_pretty(&graph)
            .map(|text| text + "\n")
            .map_err(|error| Trouble::Internal(error.to_string()))?,
    })?;
    Ok(Exit::Holds)
}

fn graph_of_process(program: &Program, name: &str) -> Result<Graph, Trouble> {
    match Graph::of_process(program, name) {
        Some((graph, _)) => Ok(graph),
        None => {
            let names = program.process_types.iter().map(|p| p.name.as_str());
            let names: Vec<&str> = names.collect();
            let message = format!("there is no process {name}; there are {}", names.join(", "));
            Err(Trouble::Usage(message))
        }
    }
}
