//! `mazurka graph`: the graph of a process, or of all states, for other tools.

use std::collections::{HashMap, HashSet};
use std::fmt::Write;

use mazurka_checker::{Property, Reduction, Watched, chooser_of, simultaneous_of};
use mazurka_model::{Interpreter, Program, Step};
use mazurka_reduce::{Chooser, Simultaneous};
use mazurka_scenario::Walk;
use mazurka_search::{Reduction as _, System};
use serde::Serialize;

use crate::Exit;
use crate::arguments::{GraphArguments, GraphForm};
use crate::show::load_model;
use crate::terminal::{print, warn};
use crate::trouble::Trouble;

/// A path of so many steps through an atomic sequence might be a cycle.
const LONG_SEQUENCE: usize = 1000;

/// A graph to print. Node 0 is where it starts.
#[derive(Serialize, Debug, Default)]
struct Graph {
    name: String,
    nodes: Vec<Node>,
    edges: Vec<Edge>,
}

#[derive(Serialize, Debug)]
struct Node {
    label: String,
    /// May the process, or the system, end here?
    end: bool,
}

#[derive(Serialize, Debug)]
struct Edge {
    from: usize,
    to: usize,
    label: String,
}

/// Runs the command.
pub fn graph(arguments: &GraphArguments) -> Result<Exit, Trouble> {
    let loaded = load_model(&arguments.model.file, &arguments.model.define, None)?;
    warn(&loaded.sources, &loaded.warnings);
    let program = loaded.interpreter.program();
    let graph = match &arguments.process {
        Some(name) => graph_of_process(program, name)?,
        None => {
            let interpreter = &loaded.interpreter;
            let watched = Watched::new(interpreter, Property::All);
            let sets;
            let mut choice = match arguments.reduce {
                Reduction::Simultaneous => {
                    sets = simultaneous_of(&watched, interpreter, true)?;
                    Choice::Sets(&sets)
                }
                asked => Choice::Steps(Box::new(chooser_of(asked, interpreter)?)),
            };
            graph_of_states(interpreter, &mut choice, arguments.states)?
        }
    };
    print(&match arguments.form {
        GraphForm::Dot => graph.dot(),
        GraphForm::Aut => graph.aut(),
        GraphForm::Json => serde_json::to_string_pretty(&graph)
            .map(|text| text + "\n")
            .map_err(|error| Trouble::Internal(error.to_string()))?,
    })?;
    Ok(Exit::Holds)
}

fn graph_of_process(program: &Program, name: &str) -> Result<Graph, Trouble> {
    let process_type = program
        .process_types
        .iter()
        .find(|process| process.name == name);
    let Some(process_type) = process_type else {
        let names: Vec<&str> = program
            .process_types
            .iter()
            .map(|p| p.name.as_str())
            .collect();
        let message = format!("there is no process {name}; there are {}", names.join(", "));
        return Err(Trouble::Usage(message));
    };
    // The initial location comes first.
    let mut locations: Vec<u32> = process_type.locations.clone().collect();
    locations.sort_by_key(|location| *location != process_type.initial.0);
    let node_of: HashMap<u32, usize> = locations.iter().enumerate().map(|(n, l)| (*l, n)).collect();
    let mut graph = Graph {
        name: name.into(),
        ..Graph::default()
    };
    for number in &locations {
        let location = &program.locations[*number as usize];
        let mut label = format!("line {}", location.origin.line);
        // Of a machine, the others say what it waits for.
        let is_machine = process_type.machine || !program.instances.is_empty();
        let names = if is_machine { 1 } else { usize::MAX };
        for name in location.labels.iter().take(names) {
            let _ = write!(label, " {name}:");
        }
        graph.nodes.push(Node {
            label,
            end: location.end,
        });
    }
    let dead = graph.nodes.len();
    for number in &locations {
        for transition in program.locations[*number as usize].transitions.clone() {
            let transition = &program.transitions[transition as usize];
            let to = transition.target.map_or(dead, |target| node_of[&target.0]);
            let label = program.statements[transition.statement.index()]
                .text
                .clone();
            graph.edges.push(Edge {
                from: node_of[number],
                to,
                label,
            });
        }
    }
    if graph.edges.iter().any(|edge| edge.to == dead) {
        graph.nodes.push(Node {
            label: "dead".into(),
            end: true,
        });
    }
    Ok(graph)
}

/// What is drawn of the steps of a state.
enum Choice<'s> {
    Steps(Box<Chooser>),
    Sets(&'s Simultaneous<'s, Watched<'s>>),
}

/// All states that others can see, as far as a reduction leaves them. A path through an atomic
/// sequence is one edge, and so is a set of independent steps.
fn graph_of_states(
    interpreter: &Interpreter,
    choice: &mut Choice<'_>,
    limit: usize,
) -> Result<Graph, Trouble> {
    let program = interpreter.program();
    let mut graph = Graph {
        name: program.name.clone(),
        ..Graph::default()
    };
    let (walk, _) = Walk::start(interpreter)
        .map_err(|fault| Trouble::Usage(format!("there is no initial state: {fault}")))?;
    let mut numbers = HashMap::from([(interpreter.identity(walk.state()).to_vec(), 0)]);
    graph.nodes.push(node(interpreter, walk.state(), 0));
    let mut unexplored = vec![walk];
    let mut error = None;
    while let Some(walk) = unexplored.pop() {
        let from = numbers[interpreter.identity(walk.state())];
        let mut passing = HashSet::new();
        let mut paths = vec![(walk, Vec::new())];
        while let Some((mut walk, labels)) = paths.pop() {
            for edge in edges(interpreter, &mut walk, choice) {
                let mut labels: Vec<String> = labels.clone();
                let (next, label, complete) = follow(&walk, &edge);
                labels.push(label);
                let mut next = next;
                if !complete {
                    let to = *error.get_or_insert_with(|| {
                        graph.nodes.push(Node {
                            label: "error".into(),
                            end: false,
                        });
                        graph.nodes.len() - 1
                    });
                    graph.edges.push(Edge {
                        from,
                        to,
                        label: labels.join("; "),
                    });
                    continue;
                }
                // Gives up control where the process that has it is blocked.
                next.enabled();
                if interpreter.controller(next.state()).is_some() {
                    let is_new =
                        labels.len() < LONG_SEQUENCE || passing.insert(next.state().to_vec());
                    if is_new {
                        paths.push((next, labels));
                    }
                    continue;
                }
                let identity = interpreter.identity(next.state()).to_vec();
                let fresh = graph.nodes.len();
                let to = *numbers.entry(identity).or_insert(fresh);
                if to == fresh {
                    if fresh >= limit {
                        let message = format!("there are more than {limit} states; see --states");
                        return Err(Trouble::Usage(message));
                    }
                    graph.nodes.push(node(interpreter, next.state(), fresh));
                    unexplored.push(next);
                }
                graph.edges.push(Edge {
                    from,
                    to,
                    label: labels.join("; "),
                });
            }
        }
    }
    Ok(graph)
}

/// The edges of a state: each a step, or a set of steps.
fn edges(
    interpreter: &Interpreter,
    walk: &mut Walk<'_>,
    choice: &mut Choice<'_>,
) -> Vec<Vec<Step>> {
    let mut steps = walk.enabled();
    let is_passing = interpreter.controller(walk.state()).is_some();
    match choice {
        Choice::Steps(chooser) => {
            if !is_passing && !steps.is_empty() {
                let chosen = chooser.select(interpreter, walk.state(), &mut steps);
                steps.truncate(chosen);
            }
            steps.into_iter().map(|step| vec![step]).collect()
        }
        Choice::Sets(system) => {
            let mut chosen = Vec::new();
            system.enabled(walk.state(), &mut chosen);
            chosen
                .into_iter()
                .filter(|set| !set.is_spare())
                .map(|set| system.members(set).to_vec())
                .collect()
        }
    }
}

/// Takes the steps of an edge, and gives its label and whether it leads to a state.
fn follow<'i>(walk: &Walk<'i>, edge: &[Step]) -> (Walk<'i>, String, bool) {
    let mut next = walk.clone();
    let mut labels = Vec::new();
    let mut complete = true;
    for step in edge {
        // Gives up control where the process that has it is blocked.
        next.enabled();
        let record = next.describe(*step);
        labels.push(format!("{}: {}", record.name, record.statement));
        complete = next.advance(*step).complete;
        if !complete {
            break;
        }
    }
    let label = match labels.as_slice() {
        [single] => single.clone(),
        _ => format!("{{{}}}", labels.join(", ")),
    };
    (next, label, complete)
}

fn node(interpreter: &Interpreter, state: &[u8], number: usize) -> Node {
    Node {
        label: number.to_string(),
        end: interpreter.is_valid_end(state),
    }
}

impl Graph {
    /// For Graphviz.
    fn dot(&self) -> String {
        let mut text = format!(
            "digraph {} {{\n  node [shape=circle];\n",
            quoted(&self.name)
        );
        for (number, node) in self.nodes.iter().enumerate() {
            let shape = if node.end { ", shape=doublecircle" } else { "" };
            let _ = writeln!(text, "  n{number} [label={}{shape}];", quoted(&node.label));
        }
        for Edge { from, to, label } in &self.edges {
            let _ = writeln!(text, "  n{from} -> n{to} [label={}];", quoted(label));
        }
        text + "}\n"
    }

    /// For CADP, mCRL2 and their like.
    fn aut(&self) -> String {
        let mut text = format!("des (0, {}, {})\n", self.edges.len(), self.nodes.len());
        for Edge { from, to, label } in &self.edges {
            let _ = writeln!(text, "({from}, {}, {to})", quoted(label));
        }
        text
    }
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}
