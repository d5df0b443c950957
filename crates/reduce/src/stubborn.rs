//! Stubborn sets by the relation ▷ (Godefroid & Pirottin 1993, definitions 9 and 11).
//!
//! The set is built from the transitions that processes have at their present locations. If one
//! is in the set, others have to be:
//!
//! - of an *enabled* one: all others of its process, its partners in a rendezvous, and of every
//!   other process each transition by which that process does, now or later, an operation that
//!   might interact with one of its own;
//! - of a *disabled* one: for one condition that is false now, each transition by which a process
//!   does, now or later, an operation that might make it true.
//!
//! That is a graph, and a stubborn set is a part of it that no edge leaves and that contains an
//! enabled transition. The smallest ones are strongly connected components found by one pass of
//! Tarjan's algorithm over all seeds, so nothing is worked out twice.

mod drawn;
mod effort;
mod far;

use std::sync::Arc;

use mazurka_model::{Handshake, Interpreter, Step};
use mazurka_objects::{fifo, variable};

use self::drawn::{Drawn, Wanted};
use self::effort::Effort;
use crate::bits::Bits;
use crate::footprint::{Condition, Footprint, Footprints};
use crate::operation::{Action, Object, Unsupported};
use crate::place::{Place, meet};
use crate::prospect::Prospect;
use crate::relations::{Relations, is_test};
use crate::state_view::StateView;
use crate::tables::Tables;

/// Chooses stubborn sets.
#[derive(Debug)]
pub struct Stubborn {
    footprints: Arc<Footprints>,
    relations: Relations,
    /// The operations that can change which message is the first of a channel that has messages.
    moves_head: Bits,
    /// For each location, is what its process does next nobody else's business?
    private: Vec<bool>,
    nodes: Vec<Node>,
    /// For each process, where its nodes are.
    standing: Vec<Standing>,
    edges: Vec<u32>,
    stack: Vec<u32>,
    /// Nodes under way in the depth-first search: node and next edge.
    path: Vec<(u32, u32)>,
    components: Vec<Component>,
    counter: u32,
    /// What processes may come to; none if that is not looked at.
    prospect: Option<Prospect>,
    /// Are transitions at later locations nodes too?
    far: bool,
    /// For each node, the last one that drew it in, plus one.
    drawn_by: Vec<u32>,
    /// The node that draws others in, plus one.
    drawer: u32,
    /// What was drawn in by operations that were asked about before.
    drawn: Drawn,
    /// The two nodes of each handshake that is possible.
    meetings: Vec<(usize, usize)>,
    /// For each node, the last walk back that came to it, and the number of that walk.
    walked: Vec<u32>,
    walk: u32,
    /// How far walks may still go in this state.
    walks_left: u32,
    open: Vec<u32>,
    /// The edges of the best condition of a disabled transition so far.
    best: Vec<u32>,
    /// The nodes of a component.
    members: Vec<u32>,
    /// For each step, the part it is in.
    parts: Vec<u32>,
    effort: Effort,
    /// The same for looking further.
    far_effort: Effort,
}

/// Where a process is, and its nodes.
#[derive(Clone, Debug)]
struct Standing {
    location: u32,
    /// The first of its transitions that are nodes, and its node.
    first_transition: u32,
    first_node: usize,
    /// The nodes of the transitions at its location.
    present: std::ops::Range<usize>,
    /// The first of them that is enabled, if there is one.
    lead: Option<usize>,
}

impl Standing {
    fn node_of(&self, transition: u32) -> usize {
        self.first_node + (transition - self.first_transition) as usize
    }
}

/// A transition at the present location of its process.
#[derive(Clone, Debug)]
struct Node {
    process: u32,
    transition: u32,
    /// How many steps it takes part in.
    enabled: u32,
    edges: std::ops::Range<u32>,
    index: u32,
    low: u32,
    component: u32,
}

#[derive(Clone, Copy, Debug)]
struct Component {
    /// How many steps its transitions take part in.
    enabled: u32,
    /// Does an edge lead from it to another one with enabled transitions?
    leaks: bool,
}

const NONE: u32 = u32::MAX;
/// Up to this many transitions of a location have an edge to each other.
const MOST_IN_FULL: usize = 64;

impl Stubborn {
    /// Prepares the analysis of a program, with refined or with constant dependency.
    pub fn new(interpreter: &Interpreter, refined: bool) -> Result<Stubborn, Unsupported> {
        let footprints = Footprints::of(interpreter.program());
        if let Some(unsupported) = footprints.unsupported {
            return Err(unsupported);
        }
        let footprints = Arc::new(footprints);
        let mut moves_head = Bits::new(footprints.operations.len());
        for (number, operation) in footprints.operations.iter().enumerate() {
            if may_move_head(operation.action) {
                moves_head.insert(number as u32);
            }
        }
        let private = private_locations(interpreter, &footprints);
        Ok(Stubborn {
            private,
            prospect: Prospect::of(interpreter.program(), &footprints),
            far: false,
            relations: Relations::new(interpreter, footprints.clone(), refined),
            moves_head,
            nodes: Vec::new(),
            standing: Vec::new(),
            edges: Vec::new(),
            stack: Vec::new(),
            path: Vec::new(),
            components: Vec::new(),
            counter: 0,
            drawn_by: Vec::new(),
            drawer: 0,
            drawn: Drawn::new(interpreter.program(), &footprints),
            meetings: Vec::new(),
            walked: Vec::new(),
            walk: 0,
            walks_left: 0,
            open: Vec::new(),
            best: Vec::new(),
            members: Vec::new(),
            parts: Vec::new(),
            effort: Effort::default(),
            far_effort: Effort::default(),
            footprints,
        })
    }

    /// Puts the steps of a stubborn set in front and says how many there are.
    pub fn select(&mut self, system: &Interpreter, state: &[u8], steps: &mut [Step]) -> usize {
        let one_process = steps.iter().all(|step| step.process == steps[0].process);
        if one_process || self.effort.is_pausing() {
            return steps.len();
        }
        let mut chosen = self.choose(system, state, steps, |_| true);
        if chosen > 1 && !self.far_effort.is_pausing() {
            let near = chosen;
            chosen = self.choose_far(system, state, steps, near);
            self.far_effort.note(near, chosen, 256, 75);
        }
        self.effort.note(steps.len(), chosen, 1024, 97);
        chosen
    }

    /// As [`Stubborn::select`], but the steps of a set that is not everything are all
    /// `allowed`, and the choice depends on the state alone, whatever was asked before.
    pub fn select_where(
        &mut self,
        system: &Interpreter,
        state: &[u8],
        steps: &mut [Step],
        allowed: impl Fn(&Step) -> bool,
    ) -> usize {
        match steps.len() {
            0 | 1 => steps.len(),
            _ => self.choose(system, state, steps, allowed),
        }
    }

    fn choose(
        &mut self,
        system: &Interpreter,
        state: &[u8],
        steps: &mut [Step],
        allowed: impl Fn(&Step) -> bool,
    ) -> usize {
        let after_timeout = steps
            .iter()
            .any(|step| self.footprints.transitions[step.transition.index()].timeout);
        if after_timeout {
            return steps.len();
        }
        if let Some(position) = self.private_step(system, state, steps, &allowed) {
            steps[..=position].rotate_right(1);
            return 1;
        }
        match self.smallest(system, state, steps, allowed) {
            Some(best) => self.front(steps, best as u32),
            None => steps.len(),
        }
    }

    /// The smallest set that is not everything.
    fn smallest(
        &mut self,
        system: &Interpreter,
        state: &[u8],
        steps: &[Step],
        allowed: impl Fn(&Step) -> bool,
    ) -> Option<usize> {
        self.collect_nodes(system, state, steps);
        let view = StateView { system, state };
        self.components.clear();
        self.counter = 0;
        for node in 0..self.nodes.len() as u32 {
            if self.nodes[node as usize].enabled > 0 && self.nodes[node as usize].index == NONE {
                self.enter(&view, node);
                while let Some(number) = self.next_component(&view) {
                    if self.is_single(number, steps, &allowed) {
                        // No set is smaller, so the rest need not be looked at.
                        self.path.clear();
                        self.stack.clear();
                        return Some(number);
                    }
                }
                self.forbid(steps, &allowed);
            }
        }
        (0..self.components.len())
            .filter(|number| {
                let component = self.components[*number];
                component.enabled > 0 && !component.leaks
            })
            .min_by_key(|number| self.components[*number].enabled)
    }

    /// Is a component a stubborn set of one step?
    fn is_single(&self, number: usize, steps: &[Step], allowed: &impl Fn(&Step) -> bool) -> bool {
        let component = self.components[number];
        let is_in = |step: &&Step| {
            let node = self.node_of(step.process as usize, step.transition.0);
            self.nodes[node].component == number as u32
        };
        component.enabled == 1 && !component.leaks && steps.iter().filter(is_in).all(allowed)
    }

    /// The only step of a process whose transitions, here, have to do with no other process: a stubborn set of one,
    /// found without looking at anything else.
    fn private_step(
        &self,
        system: &Interpreter,
        state: &[u8],
        steps: &[Step],
        allowed: impl Fn(&Step) -> bool,
    ) -> Option<usize> {
        let is_alone = |position: usize| {
            let process = steps[position].process;
            let before = position.checked_sub(1).map(|before| steps[before].process);
            let after = steps.get(position + 1).map(|after| after.process);
            before != Some(process) && after != Some(process)
        };
        (0..steps.len()).find(|position| {
            let step = &steps[*position];
            is_alone(*position)
                && self.private[system.location(state, step.process as usize).index()]
                && allowed(step)
        })
    }

    /// Puts another stubborn set behind the chosen steps, which are stubborn themselves, and says how
    /// many steps there are then. Two smallest sets have nothing in common.
    pub fn widen(
        &mut self,
        system: &Interpreter,
        state: &[u8],
        steps: &mut [Step],
        chosen: usize,
    ) -> usize {
        let mut parts = std::mem::take(&mut self.parts);
        let count = self.closed_parts(system, state, steps, &mut parts) as u32;
        let rest = &parts[chosen..];
        let size = |part: u32| rest.iter().filter(|other| **other == part).count();
        let next = (0..count)
            .filter(|part| size(*part) > 0)
            .min_by_key(|part| size(*part));
        let mut kept = chosen;
        for position in chosen..steps.len() {
            if next.is_none_or(|next| parts[position] == next) {
                steps[kept..=position].rotate_right(1);
                kept += 1;
            }
        }
        self.parts = parts;
        // What was left out in vain was not saved.
        let added = (kept - chosen) as u64;
        self.effort.chosen += added;
        self.far_effort.chosen += added;
        kept
    }

    /// Does the order of two possible steps make no difference in this state?
    pub fn independent(&mut self, system: &Interpreter, state: &[u8], a: Step, b: Step) -> bool {
        let view = StateView { system, state };
        self.relations.independent(&view, a, b)
    }

    /// All smallest closed sets: gives their number, and for each step the number of the set that it
    /// is in, or a greater one. Each is persistent, and steps of two of them are independent. None
    /// if every step has to be taken.
    pub(crate) fn closed_parts(
        &mut self,
        system: &Interpreter,
        state: &[u8],
        steps: &[Step],
        parts: &mut Vec<u32>,
    ) -> usize {
        parts.clear();
        parts.resize(steps.len(), NONE);
        let after_timeout = steps
            .iter()
            .any(|step| self.footprints.transitions[step.transition.index()].timeout);
        if after_timeout {
            return 0;
        }
        self.collect_nodes(system, state, steps);
        let view = StateView { system, state };
        self.components.clear();
        self.counter = 0;
        for node in 0..self.nodes.len() as u32 {
            if self.nodes[node as usize].enabled > 0 && self.nodes[node as usize].index == NONE {
                self.enter(&view, node);
                while self.next_component(&view).is_some() {}
            }
        }
        let mut numbers = vec![NONE; self.components.len()];
        let mut count = 0;
        for (number, component) in numbers.iter_mut().zip(&self.components) {
            if component.enabled > 0 && !component.leaks {
                *number = count;
                count += 1;
            }
        }
        for (part, step) in parts.iter_mut().zip(steps) {
            let node = self.node_of(step.process as usize, step.transition.0);
            *part = numbers[self.nodes[node].component as usize];
        }
        count as usize
    }

    /// Components with a step that is not allowed are of no use.
    fn forbid(&mut self, steps: &[Step], allowed: &impl Fn(&Step) -> bool) {
        for step in steps.iter().filter(|step| !allowed(step)) {
            let node = self.node_of(step.process as usize, step.transition.0);
            let component = self.nodes[node].component;
            if let Some(component) = self.components.get_mut(component as usize) {
                component.leaks = true;
            }
        }
    }

    /// Moves the steps of a component to the front, keeping their order.
    fn front(&self, steps: &mut [Step], component: u32) -> usize {
        let chosen = |step: &Step| {
            let node = self.node_of(step.process as usize, step.transition.0);
            self.nodes[node].component == component
        };
        let mut kept = 0;
        for position in 0..steps.len() {
            if chosen(&steps[position]) {
                steps[kept..=position].rotate_right(1);
                kept += 1;
            }
        }
        kept
    }

    fn collect_nodes(&mut self, system: &Interpreter, state: &[u8], steps: &[Step]) {
        self.nodes.clear();
        self.standing.clear();
        self.edges.clear();
        self.relations.enter(&StateView { system, state });
        let program = system.program();
        for (process, entry) in system.shape(state).processes.iter().enumerate() {
            let location = system.location(state, process);
            let present = program.locations[location.index()].transitions.clone();
            let process_type = entry.process_type.0;
            let transitions = match &self.prospect {
                Some(prospect) if self.far => prospect.transitions[process_type as usize].clone(),
                _ => present.clone(),
            };
            let first_node = self.nodes.len();
            let node_of = |transition: u32| first_node + (transition - transitions.start) as usize;
            self.standing.push(Standing {
                location: location.0,
                first_transition: transitions.start,
                first_node,
                present: match present.is_empty() {
                    true => first_node..first_node,
                    false => node_of(present.start)..node_of(present.end),
                },
                lead: None,
            });
            self.nodes.extend(transitions.map(|transition| Node {
                process: process as u32,
                transition,
                enabled: 0,
                edges: 0..0,
                index: NONE,
                low: NONE,
                component: NONE,
            }));
        }
        self.drawn_by.clear();
        self.drawn_by.resize(self.nodes.len(), 0);
        if self.far {
            self.walked.clear();
            self.walked.resize(self.nodes.len(), 0);
            self.walk = 0;
        }
        self.meetings.clear();
        for step in steps {
            let node = self.enable(step.process as usize, step.transition.0);
            if let Some((partner, transition)) = system.partner(state, *step) {
                let other = self.enable(partner, transition.0);
                self.meetings.push((node, other));
            }
        }
    }

    /// Notes that there is a step of a transition, and gives its node.
    fn enable(&mut self, process: usize, transition: u32) -> usize {
        let node = self.node_of(process, transition);
        self.nodes[node].enabled += 1;
        let lead = &mut self.standing[process].lead;
        *lead = Some(lead.map_or(node, |lead| lead.min(node)));
        node
    }

    fn node_of(&self, process: usize, transition: u32) -> usize {
        self.standing[process].node_of(transition)
    }

    /// Tarjan's algorithm, without recursion, from the node entered last: goes on until a component is complete, and gives
    /// its number. All that its edges lead to is complete before.
    fn next_component(&mut self, view: &StateView<'_>) -> Option<usize> {
        while let Some((node, next)) = self.path.last().copied() {
            let range = self.nodes[node as usize].edges.clone();
            if next < range.end {
                if let Some(last) = self.path.last_mut() {
                    last.1 += 1;
                }
                let target = self.edges[next as usize];
                if self.nodes[target as usize].index == NONE {
                    self.enter(view, target);
                } else if self.nodes[target as usize].component == NONE {
                    let low = self.nodes[target as usize].index;
                    let node = &mut self.nodes[node as usize];
                    node.low = node.low.min(low);
                }
                continue;
            }
            self.path.pop();
            let low = self.nodes[node as usize].low;
            if let Some((parent, _)) = self.path.last() {
                let parent = &mut self.nodes[*parent as usize];
                parent.low = parent.low.min(low);
            }
            if low == self.nodes[node as usize].index {
                self.close(node);
                return Some(self.components.len() - 1);
            }
        }
        None
    }

    fn enter(&mut self, view: &StateView<'_>, node: u32) {
        let start = self.edges.len() as u32;
        self.drawer = node + 1;
        self.nodes[node as usize].index = self.counter;
        let process = self.nodes[node as usize].process as usize;
        if !self.standing[process].present.contains(&(node as usize)) {
            self.edges_of_distant(view, node as usize);
        } else if self.nodes[node as usize].enabled > 0 {
            self.edges_of_enabled(view, node as usize);
        } else {
            self.edges_of_disabled(view, node as usize);
        }
        let entered = &mut self.nodes[node as usize];
        entered.edges = start..self.edges.len() as u32;
        entered.low = self.counter;
        self.counter += 1;
        self.stack.push(node);
        self.path.push((node, start));
    }

    /// A component is complete: everything on the stack from its root on.
    fn close(&mut self, root: u32) {
        let number = self.components.len() as u32;
        let mut component = Component {
            enabled: 0,
            leaks: false,
        };
        let mut members = std::mem::take(&mut self.members);
        while let Some(node) = self.stack.pop() {
            self.nodes[node as usize].component = number;
            component.enabled += self.nodes[node as usize].enabled;
            members.push(node);
            if node == root {
                break;
            }
        }
        for member in members.drain(..) {
            for edge in self.nodes[member as usize].edges.clone() {
                let target = self.nodes[self.edges[edge as usize] as usize].component;
                if target != number {
                    let other = self.components[target as usize];
                    component.leaks |= other.enabled > 0 || other.leaks;
                }
            }
        }
        self.members = members;
        self.components.push(component);
    }

    fn edges_of_enabled(&mut self, view: &StateView<'_>, node: usize) {
        let process = self.nodes[node].process as usize;
        let transition = self.nodes[node].transition;
        let Standing { present, lead, .. } = self.standing[process].clone();
        match lead {
            // All who are enabled are in one component: where there are many, one of them knows the others.
            Some(lead) if present.len() > MOST_IN_FULL && node != lead => self.draw(lead as u32),
            _ => {
                for other in present.filter(|other| *other != node) {
                    self.draw(other as u32);
                }
            }
        }
        for meeting in 0..self.meetings.len() {
            let (sender, receiver) = self.meetings[meeting];
            if sender == node {
                self.draw(receiver as u32);
            } else if receiver == node {
                self.draw(sender as u32);
            }
        }
        let footprints = self.footprints.clone();
        let footprint = &footprints.transitions[transition as usize];
        for (position, operation) in footprint.own.iter().enumerate() {
            if position < footprint.first {
                self.draw_in(view, process, *operation, true, None, None);
            } else if footprint.once[position] {
                let now = self.is_untouched(view, process, transition, position);
                self.draw_in(view, process, *operation, now, None, None);
            }
        }
        if footprint.own.len() > footprint.first {
            self.draw_in_after(view, process, transition, footprint);
        }
    }

    /// Adds an edge to each transition by which another process does, now or later, something that
    /// might interact with what a transition does after its first operations.
    fn draw_in_after(
        &mut self,
        view: &StateView<'_>,
        process: usize,
        transition: u32,
        footprint: &Footprint,
    ) {
        let mut each = self.far;
        for other in 0..self.standing.len() {
            if other == process || each {
                continue;
            }
            let future = &self.footprints.future[self.standing[other].location as usize];
            let relations = &mut self.relations;
            match relations.find_after(view, process, transition, other, future) {
                Some(false) => continue,
                Some(true) => {}
                None => each = true,
            }
            for node in self.standing[other].present.clone() {
                let footprint = &self.footprints.transitions[self.nodes[node].transition as usize];
                if each || footprint.timeout {
                    continue;
                }
                if self.relations.found_in(&footprint.later) {
                    self.draw(node as u32);
                } else {
                    // It may be another element that it means now.
                    each |= self.relations.found_in(&footprint.now);
                }
            }
        }
        if each {
            for operation in footprint.after() {
                self.draw_in(view, process, operation, false, None, None);
            }
        }
    }

    /// Does no earlier operation of a transition change the object of the one at a position? Then that
    /// one, though not the first, finds the object as it is now. Operations stand in the order of
    /// the instructions, and no jump leads back over one that is performed once.
    fn is_untouched(
        &mut self,
        view: &StateView<'_>,
        process: usize,
        transition: u32,
        position: usize,
    ) -> bool {
        let footprints = self.footprints.clone();
        let own = &footprints.transitions[transition as usize].own;
        let place = self.relations.place(view, process, own[position], false);
        own[..position].iter().all(|number| {
            let described = footprints.operations[*number as usize];
            // The same operation once more is the same one: it is performed once.
            *number == own[position]
                || !changes(described.action, &self.footprints.tables)
                || matches!(
                    described.object,
                    Object::Remote { .. } | Object::Presence(_) | Object::Population
                )
                || described.object != Object::Everything
                    && !meet(place, self.relations.place(view, process, *number, false))
        })
    }

    fn edges_of_disabled(&mut self, view: &StateView<'_>, node: usize) {
        let process = self.nodes[node].process as usize;
        let transition = self.nodes[node].transition as usize;
        let footprints = self.footprints.clone();
        let footprint = &footprints.transitions[transition];
        if footprint.timeout {
            // It cannot happen before a step of the set does.
            return;
        }
        let start = self.edges.len();
        let mut least = None;
        let process_type = view.system.shape(view.state).processes[process]
            .process_type
            .index();
        let is_only =
            footprint.conditions.len() == 1 && footprints.provided[process_type].is_none();
        for condition in &footprint.conditions {
            if least == Some(0) {
                break;
            }
            let is_false = match condition.expression {
                Some(_) if self.may_meet(view, process, transition) => {
                    self.is_waiting_half(view, process, transition)
                }
                Some(expression) => match view.system.value(view.state, process, expression) {
                    Ok(value) => value == 0,
                    // As soon as it is evaluated there is a step, whatever the conditions behind it.
                    Err(_) => break,
                },
                // An else or a statement that can be escaped from: another one is possible.
                None => self.is_kept_back(view, node),
            };
            if is_false {
                self.draw_in_causes(view, node, condition);
                if is_only {
                    return;
                }
                self.weigh(start, &mut least);
            }
        }
        if let Some(condition) = &footprints.provided[process_type]
            && least != Some(0)
        {
            let is_false = condition.expression.is_some_and(|expression| {
                view.system
                    .value(view.state, process, expression)
                    .is_ok_and(|v| v == 0)
            });
            if is_false {
                self.draw_in_causes(view, node, condition);
                self.weigh(start, &mut least);
            }
        }
        match least {
            Some(_) => self.edges.append(&mut self.best),
            // Nothing explains it: everything might enable it.
            None => self
                .edges
                .extend((0..self.nodes.len() as u32).filter(|n| *n != node as u32)),
        }
    }

    /// Adds an edge to each transition by which a process does something that might make a condition
    /// true.
    fn draw_in_causes(&mut self, view: &StateView<'_>, node: usize, condition: &Condition) {
        let process = self.nodes[node].process as usize;
        for operation in &condition.operations {
            // As long as the first message stays, nothing else helps who waits behind it.
            let behind_head = self.waits_behind_head(view, process, *operation);
            self.draw_in(view, process, *operation, true, Some(node), behind_head);
        }
        if condition.local {
            self.draw_in_siblings(node);
        }
    }

    /// Keeps the edges drawn since `start` if they are the best so far, and takes them away: the
    /// next condition is weighed by itself.
    fn weigh(&mut self, start: usize, least: &mut Option<u64>) {
        let mut weight = 0;
        for edge in start..self.edges.len() {
            let node = self.edges[edge];
            weight += self.weight(node);
            self.drawn_by[node as usize] = 0;
        }
        if least.is_none_or(|least| weight < least) {
            *least = Some(weight);
            self.best.clear();
            self.best.extend_from_slice(&self.edges[start..]);
        }
        self.edges.truncate(start);
    }

    /// What it costs to have a node in the set.
    fn weight(&mut self, node: u32) -> u64 {
        match self.far {
            true => self.weight_far(node),
            false => u64::from(self.nodes[node as usize].enabled),
        }
    }

    /// Is this the receive of a message that is not the first of a channel with messages?
    fn waits_behind_head(
        &mut self,
        view: &StateView<'_>,
        process: usize,
        operation: u32,
    ) -> Option<Wanted> {
        let receives_head = matches!(
            self.footprints.operations[operation as usize].action,
            Action::Channel(
                fifo::Operation::Receive(fifo::Place::Head, _)
                    | fifo::Operation::Copy(fifo::Place::Head, _)
            )
        );
        let is_behind = self.relations.refined
            && receives_head
            && match self.relations.place(view, process, operation, true) {
                Place::Channel(Some(number)) => view
                    .system
                    .channel(view.state, number)
                    // In a channel for one message the next one comes only after the first is gone, and what takes the first away
                    // leaves the channel empty, which by itself helps nobody: then who sends is asked for, and not who takes.
                    .is_some_and(|channel| channel.length > 0 && channel.capacity > 1),
                _ => false,
            };
        is_behind.then_some(Wanted::MovesHead)
    }

    /// Does only another transition of its location keep this one from being enabled?
    fn is_kept_back(&self, view: &StateView<'_>, node: usize) -> bool {
        let process = self.nodes[node].process as usize;
        let program = view.system.program();
        let transition = &program.transitions[self.nodes[node].transition as usize];
        let process_type = view.system.shape(view.state).processes[process].process_type;
        let holds = |expression| {
            view.system
                .value(view.state, process, expression)
                .is_ok_and(|value| value != 0)
        };
        let is_allowed = program.process_types[process_type.index()]
            .provided
            .is_none_or(holds);
        let siblings = self.standing[process].present.clone();
        is_allowed
            && holds(transition.guard)
            && self.nodes[siblings]
                .iter()
                .any(|sibling| sibling.enabled > 0)
    }

    /// Is the transition on a rendezvous channel?
    fn may_meet(&self, view: &StateView<'_>, process: usize, transition: usize) -> bool {
        let program = view.system.program();
        if !program.features.rendezvous {
            return false;
        }
        let channel = match program.transitions[transition].handshake {
            Handshake::Apart => return false,
            Handshake::Sends(send) => program.sends[send.index()].channel,
            Handshake::Receives(receive) => program.receives[receive.index()].channel,
        };
        view.system
            .value(view.state, process, channel)
            .is_ok_and(|number| view.is_rendezvous(number))
    }

    /// Does the transition wait for the other half of a rendezvous, and for nothing else?
    fn is_waiting_half(&self, view: &StateView<'_>, process: usize, transition: usize) -> bool {
        let program = view.system.program();
        let process_type = view.system.shape(view.state).processes[process].process_type;
        let is_allowed = match program.process_types[process_type.index()].provided {
            Some(condition) => view
                .system
                .value(view.state, process, condition)
                .is_ok_and(|value| value != 0),
            None => true,
        };
        let is_escapable = self.footprints.transitions[transition]
            .conditions
            .iter()
            .any(|condition| condition.expression.is_none());
        is_allowed && !is_escapable
    }

    fn draw_in_siblings(&mut self, node: usize) {
        let process = self.nodes[node].process as usize;
        for other in self.standing[process].present.clone() {
            if other != node {
                self.draw(other as u32);
            }
        }
    }
}

/// The locations all of whose transitions neither do nor ask anything that another process might have to do with.
fn private_locations(interpreter: &Interpreter, footprints: &Footprints) -> Vec<bool> {
    let program = interpreter.program();
    let mut private = vec![false; program.locations.len()];
    for (process_type, provided) in program.process_types.iter().zip(&footprints.provided) {
        for location in process_type.locations.clone() {
            let mut transitions = program.locations[location as usize].transitions.clone();
            private[location as usize] = provided.is_none()
                && transitions.all(|transition| {
                    let footprint = &footprints.transitions[transition as usize];
                    let handshake = program.transitions[transition as usize].handshake;
                    let conditions = &footprint.conditions;
                    handshake == Handshake::Apart
                        && !footprint.timeout
                        && footprint.own.is_empty()
                        && footprint.tests.is_empty()
                        && conditions
                            .iter()
                            .all(|condition| condition.operations.is_empty())
                });
        }
    }
    private
}

/// Can the operation change which message is the first of a channel that has messages?
fn may_move_head(action: Action) -> bool {
    use fifo::Operation::{Receive, SortedSend};
    !matches!(action, Action::Channel(operation) if !matches!(operation, Receive(..) | SortedSend(_)))
}

/// Can the operation change its object?
fn changes(action: Action, tables: &Tables) -> bool {
    match action {
        Action::Table(number) => tables.changes(number),
        Action::Variable(operation) => {
            use variable::Operation::{Await, Read, Test};
            !matches!(operation, Read | Test(..) | Await(..))
        }
        Action::Channel(operation) => !is_test(operation),
        Action::Population(_) => true,
    }
}
