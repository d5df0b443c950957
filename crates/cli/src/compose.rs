//! `mazurka compose`: a model put together from parts that are reduced first.

use std::collections::HashMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};

use mazurka_checker::figures::counted;
use mazurka_checker::{
    Composed, Composition, CompositionOptions, PartSizes, ReducedGraph, Stuck, TAU, Verdict,
    Violation,
};
use mazurka_draw::{Edge, Graph, GraphForm, Node, NodeKind};
use mazurka_scenario::{ScenarioFiles, text};

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
        _ => print(&told(&composition, scenario.as_deref())?)?,
    }
    Ok(Exit::of(composition.verdict))
}

/// The whole result, in words.
fn told(composition: &Composition, scenario: Option<&Path>) -> Result<String, Trouble> {
    let file = &composition.model.model.file;
    let verdict = composition.verdict;
    let mut told = match (verdict, &composition.reason) {
        (_, Some(reason)) => {
            format!("{file}: {verdict}: {reason}; see --states and --part\n")
        }
        (Verdict::Holds, _) => format!(
            "{file}: {verdict} (deadlocks and errors were looked for, unexpected inputs were not)\n"
        ),
        _ => format!("{file}: {verdict}\n"),
    };
    if let Some(composed) = &composition.composed {
        told += "\n";
        let lines = composed.parts.iter().map(|part| ("part", part));
        let stages = composed.stages.iter().map(|stage| ("together", stage));
        for (what, sizes) in lines.chain(stages) {
            told += &line(what, sizes);
        }
        let largest = counted(composed.largest() as u64, "state");
        let left = counted(composed.lts.states() as u64, "state");
        let steps = counted(composed.lts.transitions() as u64, "step");
        let _ = writeln!(
            told,
            "largest graph: {largest}; left in the end: {left}, {steps}"
        );
    }
    if let Some(whole) = &composition.whole {
        told += &line("for comparison", whole);
    }
    let style = style_of_output();
    for violation in &composition.violations {
        let run = composition.run(violation)?;
        told += "\n";
        told += &text(&run, Some(&violation.record), style);
    }
    if let Some(path) = scenario {
        let _ = writeln!(told, "\nscenario of the first: {}", path.display());
    }
    Ok(told)
}

fn line(what: &str, sizes: &PartSizes) -> String {
    format!(
        "{what} {}: {}, {}; {} left, {}\n",
        sizes.name,
        counted(sizes.states as u64, "state"),
        counted(sizes.transitions as u64, "step"),
        counted(sizes.states_left as u64, "state"),
        counted(sizes.transitions_left as u64, "step"),
    )
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
    let graph = graph_of(name, &composed.lts, &composed.names);
    print(&graph.print(form).map_err(Trouble::Usage)?)
}

/// The states that can be reached, in the order in which they are.
fn graph_of(name: &str, left: &ReducedGraph, names: &[String]) -> Graph {
    let mut numbers = HashMap::from([(left.initial, 0)]);
    let mut order = vec![left.initial];
    let mut edges = Vec::new();
    let mut from = 0;
    while let Some(state) = order.get(from).copied() {
        for (label, to) in &left.edges[state as usize] {
            let to = *numbers.entry(*to).or_insert_with(|| {
                order.push(*to);
                order.len() - 1
            });
            let label = match *label {
                TAU => "tau".into(),
                shown => names[shown as usize - 1].clone(),
            };
            edges.push(Edge {
                from,
                to,
                label,
                left_out: false,
            });
        }
        from += 1;
    }
    let nodes = order.iter().enumerate().map(|(number, state)| {
        let stuck = left.stuck(*state);
        Node {
            label: match stuck {
                Some(Stuck::Error) => "error".into(),
                _ => number.to_string(),
            },
            end: left.ends_well(*state),
            kind: match stuck {
                Some(Stuck::Error) => NodeKind::Error,
                Some(Stuck::Deadlock | Stuck::Nonprogress) => NodeKind::Deadlock,
                None => NodeKind::Usual,
            },
            ..Node::default()
        }
    });
    Graph {
        name: name.into(),
        nodes: nodes.collect(),
        edges,
    }
}
