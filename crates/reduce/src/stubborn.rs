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

use mazurka_model::{Handshake, Interpreter, Step};
use mazurka_objects::{self as objects, Pattern, View, fifo, population, rendezvous, variable};

use crate::constancy::Constancy;
use crate::footprint::Footprints;
use crate::operation::{Action, NEWBORN, Object, Unsupported};

/// Chooses stubborn sets.
#[derive(Debug)]
pub struct Stubborn {
    footprints: Footprints,
    refined: bool,
    nodes: Vec<Node>,
    /// For each process, its first node; one more at the end.
    first_node: Vec<usize>,
    edges: Vec<u32>,
    stack: Vec<u32>,
    /// Nodes under way in the depth-first search: node and next edge.
    path: Vec<(u32, u32)>,
    components: Vec<Component>,
    counter: u32,
    /// For each process, its location.
    locations: Vec<u32>,
    /// For each node, the last one that drew it in, plus one.
    drawn_by: Vec<u32>,
    /// The node that draws others in, plus one.
    drawer: u32,
    /// Places worked out in this state, by process, operation and time.
    places: Vec<(u64, Place)>,
    /// Counts states, so that what was worked out in another one is not taken for this one's.
    stamp: u64,
    effort: Effort,
}

/// Whether the sets are worth their price: where a sample of states was hardly reduced, the next
/// ones are explored in full, which is always sound.
#[derive(Debug, Default)]
struct Effort {
    /// States still to be explored in full.
    pause: u32,
    /// States of the present sample.
    sampled: u32,
    /// Their steps.
    possible: u64,
    /// How many of these were chosen.
    chosen: u64,
}

impl Effort {
    const SAMPLE: u32 = 1024;
    const PAUSE: u32 = 1 << 16;

    fn is_pausing(&mut self) -> bool {
        self.pause = self.pause.saturating_sub(1);
        self.pause > 0
    }

    fn note(&mut self, possible: usize, chosen: usize) {
        self.sampled += 1;
        self.possible += possible as u64;
        self.chosen += chosen as u64;
        if self.sampled == Effort::SAMPLE {
            let in_vain = self.chosen * 100 > self.possible * 97;
            *self = Effort {
                pause: if in_vain { Effort::PAUSE } else { 0 },
                ..Effort::default()
            };
        }
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
/// How many processes there can be.
const PROCESSES: u32 = 255;

/// What an operation is performed on, in this state.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Place {
    Bytes(u32, u32),
    /// The channel of that number; `None` if any.
    Channel(Option<i32>),
    /// A channel that does not exist.
    Unborn,
    Other,
}

impl Stubborn {
    /// Prepares the analysis of a program, with refined or with constant dependency.
    pub fn new(interpreter: &Interpreter, refined: bool) -> Result<Stubborn, Unsupported> {
        let footprints = Footprints::of(interpreter.program());
        if let Some(unsupported) = footprints.unsupported {
            return Err(unsupported);
        }
        Ok(Stubborn {
            footprints,
            refined,
            nodes: Vec::new(),
            first_node: Vec::new(),
            edges: Vec::new(),
            stack: Vec::new(),
            path: Vec::new(),
            components: Vec::new(),
            counter: 0,
            locations: Vec::new(),
            drawn_by: Vec::new(),
            drawer: 0,
            places: Vec::new(),
            stamp: 0,
            effort: Effort::default(),
        })
    }

    /// Puts the steps of a stubborn set in front and says how many there are.
    pub fn select(&mut self, system: &Interpreter, state: &[u8], steps: &mut [Step]) -> usize {
        if steps.len() < 2 || self.effort.is_pausing() {
            return steps.len();
        }
        let chosen = self.choose(system, state, steps);
        self.effort.note(steps.len(), chosen);
        chosen
    }

    fn choose(&mut self, system: &Interpreter, state: &[u8], steps: &mut [Step]) -> usize {
        let after_timeout = steps
            .iter()
            .any(|step| self.footprints.transitions[step.transition.index()].timeout);
        if after_timeout {
            return steps.len();
        }
        self.collect_nodes(system, state, steps);
        let view = StateView { system, state };
        self.components.clear();
        self.counter = 0;
        for node in 0..self.nodes.len() as u32 {
            if self.nodes[node as usize].enabled > 0 && self.nodes[node as usize].index == NONE {
                self.visit(&view, steps, node);
                let smallest = self.components.iter().any(|c| c.enabled == 1 && !c.leaks);
                if smallest {
                    break;
                }
            }
        }
        let best = (0..self.components.len())
            .filter(|number| {
                let component = self.components[*number];
                component.enabled > 0 && !component.leaks
            })
            .min_by_key(|number| self.components[*number].enabled);
        let Some(best) = best else { return steps.len() };
        self.front(steps, best as u32)
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
                self.visit(&view, steps, node);
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
        self.first_node.clear();
        self.edges.clear();
        self.locations.clear();
        self.stamp += 1;
        let program = system.program();
        let processes = system.shape(state).processes.len();
        let places = processes * self.footprints.operations.len() * 2;
        if self.places.len() < places {
            self.places.resize(places, (0, Place::Other));
        }
        for process in 0..processes {
            self.first_node.push(self.nodes.len());
            let location = system.location(state, process);
            self.locations.push(location.0);
            for transition in program.locations[location.index()].transitions.clone() {
                self.nodes.push(Node {
                    process: process as u32,
                    transition,
                    enabled: 0,
                    edges: 0..0,
                    index: NONE,
                    low: NONE,
                    component: NONE,
                });
            }
        }
        self.first_node.push(self.nodes.len());
        self.drawn_by.clear();
        self.drawn_by.resize(self.nodes.len(), 0);
        for step in steps {
            let node = self.node_of(step.process as usize, step.transition.0);
            self.nodes[node].enabled += 1;
            if let Some((partner, transition)) = system.partner(state, *step) {
                let node = self.node_of(partner, transition.0);
                self.nodes[node].enabled += 1;
            }
        }
    }

    fn node_of(&self, process: usize, transition: u32) -> usize {
        let first = self.first_node[process];
        first + (transition - self.nodes[first].transition) as usize
    }

    /// Tarjan's algorithm from one node, without recursion.
    fn visit(&mut self, view: &StateView<'_>, steps: &[Step], root: u32) {
        self.enter(view, steps, root);
        while let Some((node, next)) = self.path.last().copied() {
            let range = self.nodes[node as usize].edges.clone();
            if next < range.end {
                if let Some(last) = self.path.last_mut() {
                    last.1 += 1;
                }
                let target = self.edges[next as usize];
                if self.nodes[target as usize].index == NONE {
                    self.enter(view, steps, target);
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
            }
        }
    }

    fn enter(&mut self, view: &StateView<'_>, steps: &[Step], node: u32) {
        let start = self.edges.len() as u32;
        self.drawer = node + 1;
        if self.nodes[node as usize].enabled > 0 {
            self.edges_of_enabled(view, steps, node as usize);
        } else {
            self.edges_of_disabled(view, node as usize);
        }
        let entered = &mut self.nodes[node as usize];
        entered.edges = start..self.edges.len() as u32;
        entered.index = self.counter;
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
        let mut members = Vec::new();
        while let Some(node) = self.stack.pop() {
            self.nodes[node as usize].component = number;
            component.enabled += self.nodes[node as usize].enabled;
            members.push(node);
            if node == root {
                break;
            }
        }
        for member in members {
            for edge in self.nodes[member as usize].edges.clone() {
                let target = self.nodes[self.edges[edge as usize] as usize].component;
                if target != number {
                    let other = self.components[target as usize];
                    component.leaks |= other.enabled > 0 || other.leaks;
                }
            }
        }
        self.components.push(component);
    }

    fn edges_of_enabled(&mut self, view: &StateView<'_>, steps: &[Step], node: usize) {
        let process = self.nodes[node].process as usize;
        let transition = self.nodes[node].transition;
        for other in self.first_node[process]..self.first_node[process + 1] {
            if other != node {
                self.draw(other as u32);
            }
        }
        for step in steps {
            if let Some((partner, number)) = view.system.partner(view.state, *step) {
                let sender = self.node_of(step.process as usize, step.transition.0);
                let receiver = self.node_of(partner, number.0);
                if sender == node {
                    self.draw(receiver as u32);
                } else if receiver == node {
                    self.draw(sender as u32);
                }
            }
        }
        let own = self.footprints.transitions[transition as usize].own.len();
        for position in 0..own {
            let footprint = &self.footprints.transitions[transition as usize];
            let operation = footprint.own[position];
            let now = position < footprint.first
                || footprint.once[position]
                    && self.is_untouched(view, process, transition, position);
            self.draw_in(view, process, operation, now, None);
        }
    }

    /// Does no other operation of a transition change the object of the one at a position? Then that
    /// one, though not the first, finds the object as it is now.
    fn is_untouched(
        &mut self,
        view: &StateView<'_>,
        process: usize,
        transition: u32,
        position: usize,
    ) -> bool {
        let operation = self.footprints.transitions[transition as usize].own[position];
        let place = self.place(view, process, operation, false);
        let own = self.footprints.transitions[transition as usize].own.len();
        (0..own).all(|other| {
            let number = self.footprints.transitions[transition as usize].own[other];
            let described = self.footprints.operations[number as usize];
            other == position
                || !changes(described.action)
                || matches!(
                    described.object,
                    Object::Remote { .. } | Object::Presence { .. } | Object::Population
                )
                || described.object != Object::Everything
                    && !meet(place, self.place(view, process, number, false))
        })
    }

    fn edges_of_disabled(&mut self, view: &StateView<'_>, node: usize) {
        let process = self.nodes[node].process as usize;
        let transition = self.nodes[node].transition as usize;
        if self.footprints.transitions[transition].timeout {
            // It cannot happen before a step of the set does.
            return;
        }
        let start = self.edges.len();
        let mut best: Option<Vec<u32>> = None;
        let mut weigh = |this: &mut Stubborn| {
            let found: Vec<u32> = this.edges.drain(start..).collect();
            // The next condition is weighed by itself.
            for edge in &found {
                this.drawn_by[*edge as usize] = 0;
            }
            let weight = |edges: &Vec<u32>| {
                edges
                    .iter()
                    .map(|edge| this.nodes[*edge as usize].enabled)
                    .sum::<u32>()
            };
            if best
                .as_ref()
                .is_none_or(|best| weight(&found) < weight(best))
            {
                best = Some(found);
            }
        };
        let process_type = view.system.shape(view.state).processes[process]
            .process_type
            .index();
        for number in 0..self.footprints.transitions[transition].conditions.len() {
            let condition = &self.footprints.transitions[transition].conditions[number];
            let is_false = match condition.expression {
                Some(_) if self.may_meet(view, process, transition) => {
                    self.is_waiting_half(view, process, transition)
                }
                Some(expression) => view
                    .system
                    .value(view.state, process, expression)
                    .is_ok_and(|v| v == 0),
                // An else or a statement that can be escaped from: another one is possible.
                None => self.is_kept_back(view, node),
            };
            if !is_false {
                continue;
            }
            let (operations, local) = (condition.operations.clone(), condition.local);
            for operation in operations {
                if self.waits_behind_head(view, process, operation) {
                    // As long as the first message stays, nothing else helps.
                    self.draw_in_some(view, process, operation, true, Some(node), may_move_head);
                } else {
                    self.draw_in(view, process, operation, true, Some(node));
                }
            }
            if local {
                self.draw_in_siblings(node);
            }
            weigh(self);
        }
        if let Some(condition) = self.footprints.provided[process_type].clone() {
            let is_false = condition.expression.is_some_and(|expression| {
                view.system
                    .value(view.state, process, expression)
                    .is_ok_and(|v| v == 0)
            });
            if is_false {
                for operation in condition.operations {
                    let number = self
                        .footprints
                        .operations
                        .iter()
                        .position(|o| *o == operation);
                    if let Some(number) = number {
                        self.draw_in(view, process, number as u32, true, Some(node));
                    }
                }
                if condition.local {
                    self.draw_in_siblings(node);
                }
                weigh(self);
            }
        }
        match best {
            Some(edges) => self.edges.extend(edges),
            // Nothing explains it: everything might enable it.
            None => self
                .edges
                .extend((0..self.nodes.len() as u32).filter(|n| *n != node as u32)),
        }
    }

    /// Is this the receive of a message that is not the first of a channel with messages?
    fn waits_behind_head(&mut self, view: &StateView<'_>, process: usize, operation: u32) -> bool {
        let receives_head = matches!(
            self.footprints.operations[operation as usize].action,
            Action::Channel(
                fifo::Operation::Receive(fifo::Place::Head, _)
                    | fifo::Operation::Poll(fifo::Place::Head, _)
            )
        );
        self.refined
            && receives_head
            && match self.place(view, process, operation, true) {
                Place::Channel(Some(number)) => view
                    .system
                    .channel(view.state, number)
                    .is_some_and(|channel| channel.length > 0),
                _ => false,
            }
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
        let siblings = self.first_node[process]..self.first_node[process + 1];
        is_allowed
            && holds(transition.guard)
            && self.nodes[siblings]
                .iter()
                .any(|sibling| sibling.enabled > 0)
    }

    /// Is the transition on a rendezvous channel?
    fn may_meet(&self, view: &StateView<'_>, process: usize, transition: usize) -> bool {
        let program = view.system.program();
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
        for other in self.first_node[process]..self.first_node[process + 1] {
            if other != node {
                self.draw(other as u32);
            }
        }
    }

    /// Adds an edge to each transition by which another process does, now or later, something
    /// that might interact with the operation. `own_too` names the node that asks if also its own
    /// process counts.
    fn draw_in(
        &mut self,
        view: &StateView<'_>,
        process: usize,
        operation: u32,
        now: bool,
        own_too: Option<usize>,
    ) {
        self.draw_in_some(view, process, operation, now, own_too, |_| true);
    }

    /// The same, of those operations that are wanted.
    fn draw_in_some(
        &mut self,
        view: &StateView<'_>,
        process: usize,
        operation: u32,
        now: bool,
        own_too: Option<usize>,
        wanted: impl Fn(Action) -> bool,
    ) {
        let a = by(
            self.footprints.operations[operation as usize].action,
            process,
        );
        let place = self.place(view, process, operation, now);
        let rendezvous = match place {
            Place::Channel(Some(number)) => view.is_rendezvous(number),
            _ => false,
        };
        let mut a_view = None;
        for other in 0..self.locations.len() {
            if other == process && own_too.is_none() {
                continue;
            }
            let mut next = 0;
            while let Some(rival) = self.rival_at(operation, other, next) {
                next = rival + 1;
                let b = by(self.footprints.operations[rival as usize].action, other);
                let a_view =
                    *a_view.get_or_insert_with(|| self.view(view, process, operation, place, now));
                if !wanted(b) || !self.interacts(a, b, rendezvous, &a_view) {
                    continue;
                }
                for node in self.first_node[other]..self.first_node[other + 1] {
                    if Some(node) == own_too || self.drawn_by[node] == self.drawer {
                        continue;
                    }
                    let transition = self.nodes[node].transition as usize;
                    let footprint = &self.footprints.transitions[transition];
                    if footprint.timeout {
                        continue;
                    }
                    let (at_once, later) = (
                        footprint.now.contains(rival),
                        footprint.later.contains(rival),
                    );
                    let meets = (later && meet(place, self.place(view, other, rival, false)))
                        || (at_once && meet(place, self.place(view, other, rival, true)));
                    if meets {
                        self.draw(node as u32);
                    }
                }
            }
        }
    }

    /// The first rival of an operation, from a number on, that a process may ever perform.
    #[inline]
    fn rival_at(&self, operation: u32, process: usize, from: u32) -> Option<u32> {
        let future = &self.footprints.future[self.locations[process] as usize];
        self.footprints.rivals[operation as usize].common_from(future, from)
    }

    /// Adds an edge, unless there is one already.
    #[inline]
    fn draw(&mut self, node: u32) {
        if self.drawn_by[node as usize] != self.drawer {
            self.drawn_by[node as usize] = self.drawer;
            self.edges.push(node);
        }
    }

    /// What an operation of a process is performed on, worked out once in each state.
    #[inline]
    fn place(&mut self, view: &StateView<'_>, process: usize, operation: u32, now: bool) -> Place {
        let slot = (process * self.footprints.operations.len() + operation as usize) * 2
            + usize::from(now);
        let (stamp, known) = self.places[slot];
        if stamp == self.stamp {
            return known;
        }
        let place = self.find_place(view, process, operation, now);
        self.places[slot] = (self.stamp, place);
        place
    }

    fn find_place(&self, view: &StateView<'_>, process: usize, operation: u32, now: bool) -> Place {
        let limit = if now {
            Constancy::Standing
        } else {
            Constancy::Instance
        };
        match self.footprints.operations[operation as usize].object {
            Object::Memory {
                place,
                start,
                end,
                kind,
                hidden,
                constancy,
            } => {
                let base = if hidden { 1 << 24 } else { 0 };
                if constancy <= limit
                    && end - start > kind.bytes()
                    && let Some(offset) = view.offset(process, place)
                {
                    return Place::Bytes(base + offset, base + offset + kind.bytes());
                }
                Place::Bytes(base + start, base + end)
            }
            Object::Channel { name, constancy } | Object::Readiness { name, constancy } => {
                let number = match constancy <= limit {
                    true => view.system.value(view.state, process, name).ok(),
                    false => None,
                };
                // One that does not exist may come to be.
                Place::Channel(number.filter(|number| view.exists(*number)))
            }
            Object::Unborn => Place::Unborn,
            Object::Remote { .. }
            | Object::Presence { .. }
            | Object::Population
            | Object::Everything => Place::Other,
        }
    }

    /// What is known of the object's value, if the operation happens in this state.
    fn view(
        &self,
        view: &StateView<'_>,
        process: usize,
        operation: u32,
        place: Place,
        now: bool,
    ) -> View {
        if !now || !self.refined {
            return View::Unknown;
        }
        match (self.footprints.operations[operation as usize].object, place) {
            (
                Object::Memory {
                    place,
                    kind,
                    start,
                    end,
                    constancy,
                    ..
                },
                _,
            ) if constancy <= Constancy::Standing || end - start == kind.bytes() => {
                match view.load(process, place) {
                    Some(value) => View::Variable(variable::View {
                        value: i64::from(value),
                        domain: domain(kind),
                    }),
                    None => View::Unknown,
                }
            }
            (Object::Channel { .. }, Place::Channel(Some(number))) => {
                view.channel(number, self.footprints.disorderly)
            }
            (Object::Population, _) => view.population(),
            _ => View::Unknown,
        }
    }

    fn interacts(&self, a: Action, b: Action, rendezvous: bool, a_view: &View) -> bool {
        match (a, b) {
            (Action::Variable(a), Action::Variable(b)) => objects::might_interact(
                objects::Operation::Variable(a),
                objects::Operation::Variable(b),
                a_view,
            ),
            (Action::Channel(a), Action::Channel(b)) => {
                if rendezvous {
                    return halves_interact(a, b);
                }
                if !self.refined {
                    // Unrefined: all operations on a channel but two tests are dependent.
                    return !(is_test(a) && is_test(b));
                }
                objects::might_interact(
                    objects::Operation::Fifo(a),
                    objects::Operation::Fifo(b),
                    a_view,
                )
            }
            (Action::Population(a), Action::Population(b)) => objects::might_interact(
                objects::Operation::Population(a),
                objects::Operation::Population(b),
                a_view,
            ),
            // A channel appears or vanishes, or one of them may be anything.
            _ => true,
        }
    }
}

/// The state, as far as the analysis looks at it.
struct StateView<'a> {
    system: &'a Interpreter,
    state: &'a [u8],
}

impl StateView<'_> {
    /// The offset of a variable in its part of the state.
    fn offset(&self, process: usize, place: mazurka_model::PlaceId) -> Option<u32> {
        let described = &self.system.program().places[place.index()];
        let mut offset = described.offset;
        for index in described.indices.clone() {
            let index = &self.system.program().indices[index as usize];
            let value = self
                .system
                .value(self.state, process, index.expression)
                .ok()?;
            let value = u32::try_from(value)
                .ok()
                .filter(|value| *value < index.length)?;
            offset += value * index.stride;
        }
        Some(offset)
    }

    fn load(&self, process: usize, place: mazurka_model::PlaceId) -> Option<i32> {
        self.system.load(self.state, process, place).ok()
    }

    fn channel(&self, number: i32, disorderly: bool) -> View {
        let Some(channel) = self.system.channel(self.state, number) else {
            return View::Unknown;
        };
        if channel.capacity == 0 {
            return View::Unknown;
        }
        let head = match channel.head() {
            Some(fields) => {
                let mut wide = [0i64; 4];
                for (wide, value) in wide.iter_mut().zip(fields) {
                    *wide = i64::from(*value);
                }
                Pattern::message(&wide[..fields.len()])
            }
            None => Pattern::UNKNOWN,
        };
        View::Fifo(fifo::View {
            length: channel.length,
            capacity: channel.capacity,
            head,
            disorderly,
        })
    }

    fn exists(&self, number: i32) -> bool {
        self.system.channel(self.state, number).is_some()
    }

    fn population(&self) -> View {
        View::Population(population::View {
            count: self.system.shape(self.state).processes.len() as u32,
            limit: PROCESSES,
        })
    }

    fn is_rendezvous(&self, number: i32) -> bool {
        self.system.program().features.rendezvous
            && self
                .system
                .channel(self.state, number)
                .is_some_and(|channel| channel.capacity == 0)
    }
}

/// An action as one of that process.
fn by(action: Action, process: usize) -> Action {
    use population::Operation::End;
    match action {
        Action::Population(End(number)) if number != NEWBORN => {
            Action::Population(End(process as u32))
        }
        action => action,
    }
}

fn meet(a: Place, b: Place) -> bool {
    match (a, b) {
        (Place::Bytes(start, end), Place::Bytes(from, to)) => start < to && from < end,
        (Place::Channel(a), Place::Channel(b)) => a.is_none() || b.is_none() || a == b,
        (Place::Unborn, Place::Channel(known)) | (Place::Channel(known), Place::Unborn) => {
            known.is_none()
        }
        _ => true,
    }
}

/// Do two operations on a rendezvous channel have to do with each other? A send and a receive
/// that could be its other half do; nothing else, since the channel has no contents.
fn halves_interact(a: fifo::Operation, b: fifo::Operation) -> bool {
    use fifo::Operation::{Receive, Send, SortedSend};
    let half = |operation| match operation {
        Send(message) | SortedSend(message) => Some(rendezvous::Operation::OfferSend(message)),
        Receive(_, pattern) => Some(rendezvous::Operation::OfferReceive(pattern)),
        _ => None,
    };
    match (half(a), half(b)) {
        (Some(a), Some(b)) => rendezvous::dependent(a, b),
        _ => false,
    }
}

/// Can the operation change which message is the first of a channel that has messages?
fn may_move_head(action: Action) -> bool {
    use fifo::Operation::{Receive, SortedSend};
    !matches!(action, Action::Channel(operation) if !matches!(operation, Receive(..) | SortedSend(_)))
}

/// Can the operation change its object?
fn changes(action: Action) -> bool {
    match action {
        Action::Variable(operation) => {
            use variable::Operation::{Read, Test};
            !matches!(operation, Read | Test(..))
        }
        Action::Channel(operation) => !is_test(operation),
        Action::Population(_) => true,
    }
}

fn is_test(operation: fifo::Operation) -> bool {
    use fifo::Operation::{Receive, Send, SortedSend};
    !matches!(operation, Send(_) | SortedSend(_) | Receive(..))
}

fn domain(kind: mazurka_model::Kind) -> variable::Domain {
    use mazurka_model::Kind;
    let (low, high) = match kind {
        Kind::Bit => (0, 1),
        Kind::Byte => (0, 255),
        Kind::Short => (-32768, 32767),
        Kind::Int | Kind::Unsigned(32) => (i64::from(i32::MIN), i64::from(i32::MAX)),
        Kind::Unsigned(bits) => (0, (1 << bits) - 1),
    };
    variable::Domain { low, high }
}
