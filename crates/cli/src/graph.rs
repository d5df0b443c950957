//! `mazurka graph`: the graph of a process, or of all states, for people and other tools.

use mazurka_checker::figures::counted;
use mazurka_checker::{Extent, StateGraph};
use mazurka_draw::{Graph, GraphForm, flow_svg};
use mazurka_scenario::Walk;

use crate::Exit;
use crate::arguments::GraphArguments;
use crate::terminal::print;
use crate::trouble::Trouble;

/// Runs the command.
pub fn graph(arguments: &GraphArguments) -> Result<Exit, Trouble> {
    let (model, loaded) = arguments.model.load()?;
    if let (Some(name), GraphForm::Svg) = (&arguments.process, arguments.form)
        && let Some(flow) = model.flow(name)?
    {
        print(&flow_svg(&flow))?;
        return Ok(Exit::Holds);
    }
    let program = loaded.interpreter.program();
    let graph = match &arguments.process {
        Some(name) => Graph::of_named(program, name).map_err(Trouble::Usage)?,
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
    print(&graph.print(arguments.form).map_err(Trouble::Usage)?)?;
    Ok(Exit::Holds)
}
