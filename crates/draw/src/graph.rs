//! Graphs of states and of processes, before anybody says where things are on paper.

use std::collections::HashMap;
use std::fmt::Write;

use mazurka_checker::{StateGraph, StateNode};
use mazurka_model::Program;
use mazurka_scenario::{Snapshot, choices, clean};
use serde::Serialize;

use crate::html::graph_page;
use crate::picture::graph_svg;
use crate::svg::width_of;

/// A state shows this many lines of values at most.
const LINES: usize = 5;
/// Lines of values are about so wide.
const LINE_WIDTH: i32 = 190;
/// If no more values than this differ anywhere in the graph, every state shows all of them.
const FEW: usize = 6;
/// Nobody sees anything in a picture of more nodes.
const DRAWN: usize = 2_000;

choices! {
    /// How a graph is printed.
    GraphForm {
        /// A picture.
        Svg "svg",
        /// A page with the picture.
        Html "html",
        /// For Graphviz.
        Dot "dot",
        /// For CADP, mCRL2 and their like.
        Aut "aut",
        /// With the values of all states.
        Json "json",
    }
}

/// A graph to draw or to print. Node 0 is where it starts.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Graph {
    /// Its name.
    pub name: String,
    /// Its nodes.
    pub nodes: Vec<Node>,
    /// Its edges.
    pub edges: Vec<Edge>,
}

/// A node.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Node {
    /// What it is called.
    pub label: String,
    /// May the process, or the system, end here?
    pub end: bool,
    /// What else is to be known.
    pub kind: NodeKind,
    /// Does a reduction leave it out?
    #[serde(skip_serializing_if = "is_false")]
    pub left_out: bool,
    /// The values of a state.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub state: Option<Snapshot>,
    /// The values worth a place in a picture.
    #[serde(skip)]
    pub lines: Vec<String>,
    /// Everything, in words.
    #[serde(skip)]
    pub details: String,
}

/// What is to be known of a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum NodeKind {
    /// Nothing.
    #[default]
    Usual,
    /// Nothing can happen here, though the system may not stop.
    Deadlock,
    /// Steps end here that lead to no state.
    Error,
    /// Not all its steps are in the graph.
    Open,
}

/// An edge.
#[derive(Clone, Debug, Serialize)]
pub struct Edge {
    /// Where it begins.
    pub from: usize,
    /// Where it leads.
    pub to: usize,
    /// What happens.
    pub label: String,
    /// Does a reduction leave it out?
    #[serde(skip_serializing_if = "is_false")]
    pub left_out: bool,
}

fn is_false(value: &bool) -> bool {
    !value
}

impl Graph {
    /// The graph of states.
    pub fn of_states(name: &str, states: &StateGraph) -> Graph {
        let shown = shown_names(states);
        let first = states.nodes.first().and_then(|node| node.state.as_ref());
        let values_of_first = first.map(values).unwrap_or_default();
        let nodes = states.nodes.iter().enumerate().map(|(number, node)| {
            let lines = match &node.state {
                Some(state) => lines(values(state), &shown, &values_of_first),
                None => Vec::new(),
            };
            Node {
                label: match node.state {
                    Some(_) => number.to_string(),
                    None => "error".into(),
                },
                end: node.end,
                kind: kind_of(node),
                left_out: !node.kept,
                details: node.state.as_ref().map(details).unwrap_or_default(),
                state: node.state.clone(),
                lines,
            }
        });
        let edges = states.edges.iter().map(|edge| Edge {
            from: edge.from,
            to: edge.to,
            label: edge.label.clone(),
            left_out: !edge.kept,
        });
        Graph {
            name: name.into(),
            nodes: nodes.collect(),
            edges: edges.collect(),
        }
    }

    /// The locations and transitions of a type of process, or which types there are if there is none of this name.
    pub fn of_named(program: &Program, name: &str) -> Result<Graph, String> {
        let known = Graph::of_process(program, name);
        known.map(|(graph, _)| graph).ok_or_else(|| {
            let names = program.process_types.iter().map(|p| p.name.as_str());
            let names: Vec<&str> = names.collect();
            format!("there is no process {name}; there are {}", names.join(", "))
        })
    }

    /// The locations and transitions of a type of process, and the number of each location in the program; nothing if there is no such type.
    pub fn of_process(program: &Program, name: &str) -> Option<(Graph, Vec<u32>)> {
        let process_type = program.process_types.iter().find(|p| p.name == name)?;
        // The initial location comes first.
        let mut locations: Vec<u32> = process_type.locations.clone().collect();
        locations.sort_by_key(|location| *location != process_type.initial.0);
        let numbered = locations.iter().enumerate();
        let node_of: HashMap<u32, usize> = numbered.map(|(n, l)| (*l, n)).collect();
        let mut graph = Graph {
            name: name.into(),
            ..Graph::default()
        };
        // Of a machine, the further labels say what it waits for.
        let is_machine = process_type.machine || !program.instances.is_empty();
        let names = if is_machine { 1 } else { usize::MAX };
        for number in &locations {
            let location = &program.locations[*number as usize];
            let mut label = format!("line {}", location.origin.line);
            for name in location.labels.iter().take(names) {
                let _ = write!(label, " {name}:");
            }
            graph.nodes.push(Node {
                label,
                end: location.end,
                ..Node::default()
            });
        }
        let dead = graph.nodes.len();
        for number in &locations {
            for transition in program.locations[*number as usize].transitions.clone() {
                let transition = &program.transitions[transition as usize];
                let statement = &program.statements[transition.statement.index()];
                graph.edges.push(Edge {
                    from: node_of[number],
                    to: transition.target.map_or(dead, |target| node_of[&target.0]),
                    label: statement.text.clone(),
                    left_out: false,
                });
            }
        }
        if graph.edges.iter().any(|edge| edge.to == dead) {
            graph.nodes.push(Node {
                label: "dead".into(),
                end: true,
                ..Node::default()
            });
        }
        Some((graph, locations))
    }

    /// The graph as text in one of the forms, unless it is too large for that.
    pub fn print(&self, form: GraphForm) -> Result<String, String> {
        let count = self.nodes.len();
        if matches!(form, GraphForm::Svg | GraphForm::Html) && count > DRAWN {
            return Err(format!(
                "--as {form}: a picture of {count} nodes is too large to read; the limit is {DRAWN}. \
                 `mazurka studio` shows the states around one, --as json has all"
            ));
        }
        Ok(match form {
            GraphForm::Dot => self.dot(),
            GraphForm::Svg => graph_svg(self),
            GraphForm::Html => graph_page(self),
            GraphForm::Aut => self.aut(),
            GraphForm::Json => {
                let text = serde_json::to_string_pretty(self);
                text.map_err(|error| error.to_string())? + "\n"
            }
        })
    }

    /// For Graphviz.
    pub fn dot(&self) -> String {
        let mut text = format!(
            "digraph {} {{\n  node [shape=circle];\n",
            quoted(&self.name)
        );
        for (number, node) in self.nodes.iter().enumerate() {
            let mut label = node.label.clone();
            for line in &node.lines {
                label += &format!("\n{line}");
            }
            let mut attributes = format!("label={}", quoted(&label));
            match (node.end, node.lines.is_empty()) {
                (true, true) => attributes += ", shape=doublecircle",
                (true, false) => attributes += ", shape=box, peripheries=2",
                (false, true) => {}
                (false, false) => attributes += ", shape=box",
            }
            if !node.details.is_empty() {
                attributes += &format!(", tooltip={}", quoted(&node.details));
            }
            if node.kind != NodeKind::Usual {
                attributes += ", color=red";
            }
            if node.left_out {
                attributes += ", style=dashed";
            }
            let _ = writeln!(text, "  n{number} [{attributes}];");
        }
        for edge in &self.edges {
            let style = if edge.left_out { ", style=dashed" } else { "" };
            let Edge {
                from, to, label, ..
            } = edge;
            let _ = writeln!(text, "  n{from} -> n{to} [label={}{style}];", quoted(label));
        }
        text + "}\n"
    }

    /// For CADP, mCRL2 and their like.
    pub fn aut(&self) -> String {
        let mut text = format!("des (0, {}, {})\n", self.edges.len(), self.nodes.len());
        for edge in &self.edges {
            let _ = writeln!(
                text,
                "({}, {}, {})",
                edge.from,
                quoted(&edge.label),
                edge.to
            );
        }
        text
    }
}

fn quoted(text: &str) -> String {
    let text = text.replace('\\', "\\\\").replace('"', "\\\"");
    format!("\"{}\"", text.replace('\n', "\\n").replace('\r', ""))
}

fn kind_of(node: &StateNode) -> NodeKind {
    match node {
        StateNode { state: None, .. } => NodeKind::Error,
        StateNode { deadlock: true, .. } => NodeKind::Deadlock,
        StateNode {
            expanded: false, ..
        } => NodeKind::Open,
        _ => NodeKind::Usual,
    }
}

/// Variables, channels and, of machines, states.
fn values(state: &Snapshot) -> Vec<(String, String)> {
    let machines = state.processes.iter().filter_map(|process| {
        let state = process.state.clone()?;
        Some((process.name.clone(), state))
    });
    let variables = state.variables.iter();
    let variables = variables.map(|variable| (variable.name.clone(), variable.value.clone()));
    let channels = state.channels.iter().map(|channel| {
        let messages = format!("[{}]", channel.messages.join(" "));
        (channel.name.clone(), messages)
    });
    machines.chain(variables).chain(channels).collect()
}

/// The names of the values that differ from state to state.
fn shown_names(states: &StateGraph) -> Vec<String> {
    let mut all = states.nodes.iter().filter_map(|node| node.state.as_ref());
    let first: HashMap<String, String> = all.next().map(values).into_iter().flatten().collect();
    let mut differing: Vec<String> = Vec::new();
    for (name, value) in all.flat_map(values) {
        if first.get(&name) != Some(&value) && !differing.contains(&name) {
            differing.push(name);
        }
    }
    differing
}

/// The values of a state as a few lines: all that differ anywhere, or else those that differ from the first state.
fn lines(
    values: Vec<(String, String)>,
    shown: &[String],
    first: &[(String, String)],
) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let few = shown.len() <= FEW;
    for pair in values {
        if !shown.contains(&pair.0) || (!few && first.contains(&pair)) {
            continue;
        }
        let text = clean(&format!("{}={}", pair.0, pair.1));
        match lines.last_mut() {
            Some(line) if width_of(line) + width_of(&text) < LINE_WIDTH => {
                line.push(' ');
                line.push_str(&text);
            }
            _ => lines.push(text),
        }
    }
    if lines.len() > LINES {
        lines.truncate(LINES - 1);
        lines.push("…".into());
    }
    lines
}

fn details(state: &Snapshot) -> String {
    let mut text = String::new();
    for process in &state.processes {
        let place = match &process.state {
            Some(state) => state.clone(),
            None => format!("line {}", process.at.line),
        };
        let _ = writeln!(text, "{} at {place}", process.name);
    }
    for (name, value) in values(state) {
        let _ = writeln!(text, "{name} = {value}");
    }
    text
}
