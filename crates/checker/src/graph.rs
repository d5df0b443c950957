//! The graph of states around a state: all of it, or as far as it was asked for, and what a reduction would leave out.
//!
//! Breadth first, so that a graph that is cut shows what is near. A path through an atomic sequence is one edge, since nobody
//! else sees the states inside, and so is a set of independent steps.

use std::collections::{HashMap, HashSet, VecDeque};

use mazurka_model::{Interpreter, Step};
use mazurka_reduce::{Chooser, Simultaneous};
use mazurka_scenario::{Ending, Refusal, Snapshot, Walk};
use mazurka_search::{LONG_SEQUENCE, Reduction as _, System};

use crate::choice::{Property, Reduction};
use crate::plan::{chooser_of, simultaneous_of};
use crate::watched::Watched;

/// States and steps between them. Node 0 is where it starts.
#[derive(Clone, Debug, Default)]
pub struct StateGraph {
    /// The states.
    pub nodes: Vec<StateNode>,
    /// The steps.
    pub edges: Vec<StateEdge>,
    /// Is every state there that can be reached?
    pub is_complete: bool,
}

/// A state of a graph.
#[derive(Clone, Debug)]
pub struct StateNode {
    /// Its values; none for the node in which steps end that lead to no state.
    pub state: Option<Snapshot>,
    /// May the system stop here?
    pub end: bool,
    /// Can nothing happen here, though the system may not stop?
    pub deadlock: bool,
    /// Are all its steps in the graph?
    pub expanded: bool,
    /// Does the reduction leave it?
    pub kept: bool,
    /// The edge by which it was reached first.
    pub reached_by: Option<usize>,
}

/// A step of a graph, or several that are one for everybody else.
#[derive(Clone, Debug)]
pub struct StateEdge {
    /// Where it begins.
    pub from: usize,
    /// Where it leads.
    pub to: usize,
    /// Who does what.
    pub label: String,
    /// What is taken, in order.
    pub steps: Vec<Step>,
    /// Does the reduction leave it?
    pub kept: bool,
}

/// What to put into a graph.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Extent {
    /// The reduction, for deadlocks.
    pub reduce: Reduction,
    /// Whether what the reduction leaves out is in the graph too, marked as such.
    pub left_out: bool,
    /// The most states.
    pub states: usize,
}

/// What is drawn of the steps of a state.
enum Choice<'s> {
    Steps(Box<Chooser>),
    Sets(&'s Simultaneous<'s, Watched<'s>>),
}

impl StateGraph {
    /// The states that can be reached from where a walk stands.
    ///
    /// ```
    /// use mazurka_checker::{Besides, Extent, ModelText, Reduction, Simulation, StateGraph};
    ///
    /// let model = ModelText::from_source("lamp.pml", "bit on; active proctype P() { do :: on = 1 - on od }")?;
    /// let lamp = Simulation::new(&model, &Besides::default())?;
    /// let extent = Extent { reduce: Reduction::None, left_out: false, states: 100 };
    /// let graph = StateGraph::around(lamp.walk(), extent)?;
    /// assert!(graph.is_complete);
    /// assert_eq!((graph.nodes.len(), graph.edges.len()), (2, 2));
    /// # Ok::<(), mazurka_checker::Error>(())
    /// ```
    pub fn around(walk: Walk<'_>, extent: Extent) -> Result<StateGraph, Refusal> {
        let interpreter = walk.interpreter();
        let watched = Watched::new(interpreter, Property::All);
        let sets;
        let choice = match extent.reduce {
            Reduction::Simultaneous => {
                sets = simultaneous_of(&watched, interpreter, true)?;
                Choice::Sets(&sets)
            }
            asked => Choice::Steps(Box::new(chooser_of(asked, interpreter)?)),
        };
        let mut builder = Builder {
            interpreter,
            choice,
            extent,
            graph: StateGraph {
                is_complete: true,
                ..StateGraph::default()
            },
            numbers: HashMap::new(),
            error: None,
        };
        builder.explore(walk);
        let mut graph = builder.graph;
        graph.mark_kept();
        Ok(graph)
    }

    /// The steps from node 0 to a node.
    pub fn steps_to(&self, node: usize) -> Vec<Step> {
        let mut edges = Vec::new();
        let mut at = node;
        while let Some(edge) = self.nodes.get(at).and_then(|node| node.reached_by) {
            edges.push(edge);
            at = self.edges[edge].from;
        }
        let edges = edges.into_iter().rev();
        edges
            .flat_map(|edge| self.edges[edge].steps.iter().copied())
            .collect()
    }

    /// A state is left by a reduction if a path of steps that are left leads to it.
    fn mark_kept(&mut self) {
        let mut left = vec![Vec::new(); self.nodes.len()];
        for edge in self.edges.iter().filter(|edge| edge.kept) {
            left[edge.from].push(edge.to);
        }
        let mut unseen = vec![0];
        while let Some(node) = unseen.pop() {
            if !std::mem::replace(&mut self.nodes[node].kept, true) {
                unseen.extend(&left[node]);
            }
        }
        for edge in &mut self.edges {
            edge.kept &= self.nodes[edge.from].kept;
        }
    }
}

struct Builder<'i> {
    interpreter: &'i Interpreter,
    choice: Choice<'i>,
    extent: Extent,
    graph: StateGraph,
    numbers: HashMap<Vec<u8>, usize>,
    /// The node in which steps end that lead to no state.
    error: Option<usize>,
}

impl<'i> Builder<'i> {
    fn explore(&mut self, mut walk: Walk<'i>) {
        self.numbers.insert(self.identity(&walk), 0);
        self.push(Some(&mut walk), None);
        let mut unexplored = VecDeque::from([(0, walk)]);
        while let Some((from, walk)) = unexplored.pop_front() {
            let mut passing = HashSet::new();
            let mut expanded = true;
            let mut paths = vec![(walk, Vec::new(), Vec::new(), true)];
            while let Some((mut walk, labels, steps, kept)) = paths.pop() {
                for (edge, edge_kept) in self.edges_of(&mut walk) {
                    let mut labels: Vec<String> = labels.clone();
                    let mut steps: Vec<Step> = steps.clone();
                    let kept = kept && edge_kept;
                    let (mut next, label, complete) = follow(&walk, &edge);
                    labels.push(label);
                    steps.extend(edge);
                    if !complete {
                        let to = self.error.unwrap_or_else(|| self.push(None, None));
                        self.error = Some(to);
                        self.connect(from, to, labels, steps, kept);
                        continue;
                    }
                    // Gives up control where the process that has it is blocked.
                    next.enabled();
                    if self.interpreter.controller(next.state()).is_some() {
                        let is_new = labels.len() < LONG_SEQUENCE as usize
                            || passing.insert(next.state().to_vec());
                        if is_new {
                            paths.push((next, labels, steps, kept));
                        }
                        continue;
                    }
                    let identity = self.identity(&next);
                    if let Some(to) = self.numbers.get(&identity) {
                        self.connect(from, *to, labels, steps, kept);
                    } else if self.graph.nodes.len() >= self.extent.states {
                        self.graph.is_complete = false;
                        expanded = false;
                    } else {
                        let reached_by = Some(self.graph.edges.len());
                        let to = self.push(Some(&mut next), reached_by);
                        self.numbers.insert(identity, to);
                        self.connect(from, to, labels, steps, kept);
                        unexplored.push_back((to, next));
                    }
                }
            }
            self.graph.nodes[from].expanded = expanded;
        }
    }

    fn identity(&self, walk: &Walk<'_>) -> Vec<u8> {
        self.interpreter.identity(walk.state()).to_vec()
    }

    fn push(&mut self, walk: Option<&mut Walk<'i>>, reached_by: Option<usize>) -> usize {
        let ending = walk.map(|walk| (walk.ending(), walk.snapshot(), walk));
        self.graph.nodes.push(match ending {
            Some((ending, state, walk)) => StateNode {
                state: Some(state),
                end: self.interpreter.is_valid_end(walk.state()),
                deadlock: matches!(ending, Ending::Deadlock | Ending::Nonprogress),
                expanded: false,
                kept: false,
                reached_by,
            },
            None => StateNode {
                state: None,
                end: false,
                deadlock: false,
                expanded: true,
                kept: false,
                reached_by: Some(self.graph.edges.len()),
            },
        });
        self.graph.nodes.len() - 1
    }

    fn connect(
        &mut self,
        from: usize,
        to: usize,
        labels: Vec<String>,
        steps: Vec<Step>,
        kept: bool,
    ) {
        self.graph.edges.push(StateEdge {
            from,
            to,
            label: labels.join("; "),
            steps,
            kept,
        });
    }

    /// The edges of a state, each a step or a set of steps, and whether the reduction leaves them.
    fn edges_of(&mut self, walk: &mut Walk<'_>) -> Vec<(Vec<Step>, bool)> {
        let mut steps = walk.enabled();
        let is_passing = self.interpreter.controller(walk.state()).is_some();
        match &mut self.choice {
            Choice::Steps(chooser) => {
                let mut chosen = steps.len();
                if !is_passing && !steps.is_empty() {
                    chosen = chooser.select(self.interpreter, walk.state(), &mut steps);
                }
                if !self.extent.left_out {
                    steps.truncate(chosen);
                }
                let steps = steps.into_iter().enumerate();
                steps
                    .map(|(number, step)| (vec![step], number < chosen))
                    .collect()
            }
            Choice::Sets(system) => {
                let mut sets = Vec::new();
                system.enabled(walk.state(), &mut sets);
                let kept = sets.into_iter().filter(|set| !set.is_spare());
                let kept: Vec<Vec<Step>> = kept.map(|set| system.members(set).to_vec()).collect();
                let others = steps.into_iter().filter(|_| self.extent.left_out);
                let others = others.map(|step| vec![step]);
                let others: Vec<_> = others.filter(|single| !kept.contains(single)).collect();
                let kept = kept.into_iter().map(|set| (set, true));
                kept.chain(others.into_iter().map(|step| (step, false)))
                    .collect()
            }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::load::{Besides, ModelText};
    use crate::simulation::Simulation;

    fn graph(text: &str, extent: Extent) -> StateGraph {
        let model = ModelText::from_source("model.pml", text).unwrap();
        let simulation = Simulation::new(&model, &Besides::default()).unwrap();
        StateGraph::around(simulation.walk(), extent).unwrap()
    }

    const TWO: &str = "byte x, y; active proctype P() { x = 1 } active proctype Q() { y = 1 }";
    const ALL: Extent = Extent {
        reduce: Reduction::None,
        left_out: false,
        states: 1000,
    };

    #[test]
    fn what_a_reduction_leaves_is_marked_in_the_whole_graph() {
        let full = graph(TWO, ALL);
        let stubborn = Extent {
            reduce: Reduction::Stubborn,
            ..ALL
        };
        let reduced = graph(TWO, stubborn);
        let both = graph(
            TWO,
            Extent {
                left_out: true,
                ..stubborn
            },
        );
        assert!(reduced.nodes.len() < full.nodes.len());
        assert_eq!(both.nodes.len(), full.nodes.len());
        let kept = both.nodes.iter().filter(|node| node.kept).count();
        assert_eq!(kept, reduced.nodes.len());
        assert!(full.nodes.iter().all(|node| node.kept && node.expanded));
    }

    #[test]
    fn a_graph_that_is_cut_says_so_and_knows_the_way_to_its_states() {
        let cut = graph(TWO, Extent { states: 3, ..ALL });
        assert!(!cut.is_complete && cut.nodes.len() == 3);
        assert!(cut.nodes.iter().any(|node| !node.expanded));
        let model = ModelText::from_source("model.pml", TWO).unwrap();
        for (number, node) in cut.nodes.iter().enumerate() {
            let mut simulation = Simulation::new(&model, &Besides::default()).unwrap();
            for step in cut.steps_to(number) {
                simulation.take_step(step).unwrap();
            }
            assert_eq!(Some(simulation.state()), node.state);
        }
    }

    #[test]
    fn deadlocks_and_steps_that_fail_are_told_apart() {
        let stuck = graph("byte x; active proctype P() { x == 1 }", ALL);
        assert!(stuck.nodes[0].deadlock);
        let fails = graph("byte x; active proctype P() { x = 1 / x }", ALL);
        assert!(fails.nodes.iter().any(|node| node.state.is_none()));
    }
}
