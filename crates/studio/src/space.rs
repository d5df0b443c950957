//! The states around the present one, and automata of processes.

use mazurka_checker::{Extent, Reduction, StateGraph};
use mazurka_draw::{Graph, Layout};
use mazurka_model::{Interpreter, Step};
use mazurka_scenario::{Snapshot, Walk};
use serde::{Deserialize, Serialize};

use crate::session::Session;
use crate::view::Trouble;

/// A picture has no more states.
const MOST_STATES: usize = 600;

/// The states around the present one begin this many steps before it, or fewer if it would not be among them.
const BEFORE: usize = 4;

/// A graph that was asked for, and where it begins.
#[derive(Debug)]
pub struct Space {
    base: Vec<Step>,
    graph: StateGraph,
}

/// Two graphs stand beside each other at most.
pub const SLOTS: usize = 2;

/// Which states to show.
#[derive(Clone, Copy, Debug, Deserialize)]
pub struct Ask {
    /// The most states.
    pub states: usize,
    /// The reduction.
    pub reduce: Reduction,
    /// Whether what it leaves out is shown.
    pub left_out: bool,
    /// From the initial state instead of the present one?
    pub from_start: bool,
    /// Which of two graphs it is, so that one can stand beside the other.
    pub slot: usize,
}

/// A graph as the page draws it.
#[derive(Clone, Debug, Serialize)]
pub struct GraphView {
    /// The width of everything.
    pub width: i32,
    /// The height of everything.
    pub height: i32,
    /// Edges and nodes.
    pub svg: String,
    /// Where the nodes are.
    pub places: Vec<(i32, i32)>,
    /// Of an automaton, the number of the location of each node.
    pub locations: Vec<u32>,
    /// How many states there are, and how many the reduction leaves.
    pub states: usize,
    /// How many the reduction leaves.
    pub kept: usize,
    /// Is every state there that can be reached?
    pub complete: bool,
}

impl Space {
    /// The steps from the initial state to where the graph begins, and from there to a node.
    pub fn way_to(&self, node: usize) -> Result<(&[Step], Vec<Step>), Trouble> {
        match node < self.graph.nodes.len() {
            true => Ok((&self.base, self.graph.steps_to(node))),
            false => Err(Trouble::new("there is no such state in the graph")),
        }
    }

    /// The node of a state.
    pub fn node_of(&self, state: &Snapshot) -> Option<usize> {
        let mut nodes = self.graph.nodes.iter();
        nodes.position(|node| node.state.as_ref() == Some(state))
    }
}

impl Session {
    /// The states around the present one.
    pub(crate) fn graph(&mut self, ask: Ask) -> Result<GraphView, Trouble> {
        let extent = Extent {
            reduce: ask.reduce,
            left_out: ask.left_out,
            states: ask.states.clamp(1, MOST_STATES),
        };
        let (steps, position) = self.steps();
        let taken = &steps[..position];
        // Two graphs that stand beside each other begin in the same state.
        let beside = self.spaces.first().and_then(Option::as_ref);
        let beside = beside.filter(|_| ask.slot > 0);
        let bases: Vec<Vec<Step>> = match (beside, ask.from_start) {
            (Some(beside), _) => vec![beside.base.clone()],
            (None, true) => vec![Vec::new()],
            (None, false) => {
                let before = (0..=BEFORE.min(position)).rev();
                before
                    .map(|back| taken[..position - back].to_vec())
                    .collect()
            }
        };
        let model = self.simulated()?;
        let present = model.simulation.state();
        let mut space = None;
        for base in bases {
            let walk = stand_at(&model.loaded().interpreter, &base)?;
            let graph = StateGraph::around(walk, extent);
            let graph = graph.map_err(|refusal| Trouble::new(refusal.reason))?;
            let made = space.insert(Space { base, graph });
            if made.node_of(&present).is_some() {
                break;
            }
        }
        let Some(space) = space else {
            unreachable!("there is somewhere to begin");
        };
        let graph = &space.graph;
        let name = &model.loaded().program().name;
        let drawn = Graph::of_states(name, graph);
        let mut view = view_of(&drawn, Vec::new());
        view.kept = graph.nodes.iter().filter(|node| node.kept).count();
        view.complete = graph.is_complete;
        if let Some(slot) = self.spaces.get_mut(ask.slot) {
            *slot = Some(space);
        }
        Ok(view)
    }

    /// The automaton of a type of process.
    pub(crate) fn automaton(&self, kind: &str) -> Result<GraphView, Trouble> {
        let program = self.simulated()?.loaded().program();
        match Graph::of_process(program, kind) {
            Some((graph, locations)) if graph.nodes.len() <= MOST_STATES => {
                Ok(view_of(&graph, locations))
            }
            Some((graph, _)) => Err(Trouble::new(format!(
                "an automaton of {} locations is too large for a picture",
                graph.nodes.len()
            ))),
            None => Err(Trouble::new(format!("there is no process {kind}"))),
        }
    }
}

/// Where these steps lead.
fn stand_at<'i>(interpreter: &'i Interpreter, steps: &[Step]) -> Result<Walk<'i>, Trouble> {
    let started = Walk::start(interpreter);
    let (mut walk, _) = started.map_err(|fault| Trouble::new(fault.to_string()))?;
    for step in steps {
        walk.enabled();
        walk.advance(*step);
    }
    walk.enabled();
    Ok(walk)
}

fn view_of(graph: &Graph, locations: Vec<u32>) -> GraphView {
    let layout = Layout::of(graph);
    GraphView {
        width: layout.width,
        height: layout.height,
        svg: layout.svg(),
        places: layout.nodes.iter().map(|node| (node.x, node.y)).collect(),
        locations,
        states: graph.nodes.len(),
        kept: graph.nodes.len(),
        complete: true,
    }
}
