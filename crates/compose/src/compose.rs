//! Parts, explored alone, made small, put together two by two, and what that says about the system.

use std::collections::VecDeque;
use std::fmt;

use mazurka_model::{Interpreter, Step};

use crate::lts::{ERROR, FINAL, Lts, QUIET, TAU, product};
use crate::open::Explorer;
use crate::parts::{cut, instances};
use crate::path::{MadeOf, Node};

/// What to put together, and how.
#[derive(Clone, Debug)]
pub struct Options {
    /// The names of the machines of each part. Machines that are not named are parts of their own, but for those that share a variable.
    pub parts: Vec<Vec<String>>,
    /// The machines whose steps are to be seen in the end.
    pub visible: Vec<String>,
    /// No graph may have more states than this.
    pub states: usize,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            parts: Vec::new(),
            visible: Vec::new(),
            states: 200_000,
        }
    }
}

/// Why there is no answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Trouble {
    /// It is not known to be right for this system.
    Refused(String),
    /// What is named has too many states.
    Limit(String),
    /// A finding does not lead back to steps of the system.
    Internal(String),
}

/// A graph before and after it was made smaller.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PartSizes {
    /// Which machines.
    pub name: String,
    /// How many states it has by itself.
    pub states: usize,
    /// How many steps.
    pub transitions: usize,
    /// How many states are left.
    pub states_left: usize,
    /// How many steps are left.
    pub transitions_left: usize,
}

/// Two graphs put together, before and after that was made smaller.
pub type Stage = PartSizes;

/// How a system comes to a stop.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Stuck {
    /// Nothing is possible, no message is left, and some machine may not end.
    Deadlock,
    /// Nothing is possible, and messages are left.
    Nonprogress,
    /// Something goes wrong in the last step.
    Error,
}

/// A way in which the system comes to a stop that it should not come to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finding {
    /// Which.
    pub stuck: Stuck,
    /// Steps of the system that lead there.
    pub steps: Vec<Step>,
}

/// What came of putting a system together.
#[derive(Clone, Debug)]
pub struct Composed {
    /// The parts.
    pub parts: Vec<PartSizes>,
    /// What was put together, in this order.
    pub stages: Vec<Stage>,
    /// What is left in the end.
    pub lts: Lts,
    /// The names of its labels; that of label 1 comes first.
    pub names: Vec<String>,
    /// One way to each kind of stop that there is.
    pub findings: Vec<Finding>,
}

impl Lts {
    /// How the system comes to a stop in a state, if it does and should not.
    pub fn stuck(&self, state: u32) -> Option<Stuck> {
        let flags = self.flags[state as usize];
        match () {
            () if state == ERROR => Some(Stuck::Error),
            () if !self.edges[state as usize].is_empty() || flags == FINAL | QUIET => None,
            () if flags & QUIET != 0 => Some(Stuck::Deadlock),
            () => Some(Stuck::Nonprogress),
        }
    }

    /// May the system end in a state, where it comes to a stop?
    pub fn ends_well(&self, state: u32) -> bool {
        let stops = self.edges[state as usize].is_empty();
        stops && self.flags[state as usize] == FINAL | QUIET
    }
}

impl Composed {
    /// The states of the largest graph on the way.
    pub fn largest(&self) -> usize {
        let sizes = self.parts.iter().chain(&self.stages);
        sizes.map(|one| one.states).max().unwrap_or(0)
    }
}

/// Puts a system together from its parts.
pub fn compose(interpreter: &Interpreter, options: &Options) -> Result<Composed, Trouble> {
    let mut initial = Vec::new();
    let begun = interpreter.initial(&mut initial, &mut ());
    begun.map_err(|fault| Trouble::Refused(format!("there is no initial state: {fault}")))?;
    let program = interpreter.program();
    let mut visible = vec![false; program.instances.len()];
    for name in &options.visible {
        for instance in instances(program, name)? {
            visible[instance] = true;
        }
    }
    let parts = cut(interpreter, &initial, &options.parts)?;
    let mut explorer = Explorer::new(interpreter, &parts, initial, visible, options.states);
    explorer.explore()?;
    let mut nodes = Vec::new();
    for (number, part) in parts.iter().enumerate() {
        let (lts, steps) = explorer.graph(number);
        nodes.push(Node::new(
            part.name.clone(),
            1 << number,
            lts,
            MadeOf::Part(steps),
        ));
    }
    let labels = explorer.labels.entries;
    let sizes_of_parts = nodes.iter().map(sizes).collect();
    let mut stages = Vec::new();
    while nodes.len() > 1 {
        let members_of = |label: u32| labels[label as usize].members;
        let (one, other) = next_pair(&nodes, members_of);
        let right = nodes.remove(other);
        let left = nodes.remove(one);
        let members = left.members | right.members;
        let name = format!("{},{}", left.name, right.name);
        let is_of = |label: u32| {
            let of = members_of(label);
            (of & left.members != 0, of & right.members != 0)
        };
        let hidden = |label: u32| match members_of(label) & !members {
            0 => labels[label as usize].finally,
            _ => label,
        };
        let two = (&left.smallest, &right.smallest);
        let Some(put) = product(two, is_of, hidden, options.states) else {
            return Err(Trouble::Limit(name));
        };
        let made_of = MadeOf::Two(Box::new((left, right)), put.moves);
        let node = Node::new(name, members, put.lts, made_of);
        stages.push(sizes(&node));
        nodes.push(node);
    }
    let Some(mut whole) = nodes.pop() else {
        return Err(Trouble::Refused("there are no machines".into()));
    };
    let findings = findings(&mut whole)?;
    let mut lts = whole.smallest;
    let mut shown: Vec<u32> = lts
        .edges
        .iter()
        .flatten()
        .map(|(label, _)| *label)
        .collect();
    shown.retain(|label| *label != TAU);
    shown.sort_unstable();
    shown.dedup();
    for edges in &mut lts.edges {
        for (label, _) in edges.iter_mut().filter(|(label, _)| *label != TAU) {
            *label = shown.partition_point(|known| known < label) as u32 + 1;
        }
        edges.sort_unstable();
    }
    let names = shown
        .iter()
        .map(|label| labels[*label as usize].name.clone());
    Ok(Composed {
        parts: sizes_of_parts,
        stages,
        lts,
        names: names.collect(),
        findings,
    })
}

fn sizes(node: &Node) -> PartSizes {
    PartSizes {
        name: node.name.clone(),
        states: node.raw.states(),
        transitions: node.raw.transitions(),
        states_left: node.smallest.states(),
        transitions_left: node.smallest.transitions(),
    }
}

/// The two graphs to put together next: of those that have a label in common the two that are smallest together.
fn next_pair(nodes: &[Node], members_of: impl Fn(u32) -> u64) -> (usize, usize) {
    let partners: Vec<u64> = nodes
        .iter()
        .map(|node| {
            let labels = node.smallest.edges.iter().flatten();
            labels.fold(0, |all, (label, _)| all | members_of(*label))
        })
        .collect();
    let pairs =
        (0..nodes.len()).flat_map(|one| (one + 1..nodes.len()).map(move |other| (one, other)));
    let cost = |(one, other): &(usize, usize)| {
        let (left, right) = (&nodes[*one], &nodes[*other]);
        let meet = partners[*one] & right.members != 0 || partners[*other] & left.members != 0;
        (!meet, left.smallest.states() * right.smallest.states())
    };
    pairs.min_by_key(cost).unwrap_or((0, 1))
}

/// One way to each kind of stop, a shortest one in what is left in the end.
fn findings(whole: &mut Node) -> Result<Vec<Finding>, Trouble> {
    let lts = &whole.smallest;
    let mut ways: Vec<(Stuck, Vec<(u32, u32)>)> = Vec::new();
    let mut reached: Vec<Option<(u32, (u32, u32))>> = vec![None; lts.flags.len()];
    let mut is_known = vec![false; lts.flags.len()];
    is_known[lts.initial as usize] = true;
    let mut open = VecDeque::from([lts.initial]);
    while let Some(state) = open.pop_front() {
        let edges = &lts.edges[state as usize];
        let stuck = lts.stuck(state);
        if let Some(stuck) = stuck.filter(|stuck| ways.iter().all(|(known, _)| known != stuck)) {
            let mut way = Vec::new();
            let mut at = state;
            while let Some((from, edge)) = reached[at as usize] {
                way.push(edge);
                at = from;
            }
            way.reverse();
            ways.push((stuck, way));
        }
        for edge in edges {
            if !std::mem::replace(&mut is_known[edge.1 as usize], true) {
                reached[edge.1 as usize] = Some((state, *edge));
                open.push_back(edge.1);
            }
        }
    }
    ways.sort_by_key(|(stuck, _)| *stuck);
    let findings = ways.into_iter().map(|(stuck, way)| {
        let steps = whole.steps_along(&way, stuck != Stuck::Error);
        let steps =
            steps.ok_or_else(|| Trouble::Internal(format!("a {stuck} does not lead back")))?;
        Ok(Finding { stuck, steps })
    });
    findings.collect()
}

impl fmt::Display for Stuck {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Stuck::Deadlock => "deadlock",
            Stuck::Nonprogress => "nonprogress-state",
            Stuck::Error => "error",
        })
    }
}

impl fmt::Display for Trouble {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Trouble::Refused(message) | Trouble::Internal(message) => out.write_str(message),
            Trouble::Limit(what) => write!(out, "there are too many states: {what}"),
        }
    }
}
