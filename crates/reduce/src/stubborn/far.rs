//! Stubborn sets over all transitions that processes may come to, not only over those at their present locations.
//!
//! Without this, whoever may *later* do something that interacts is drawn in with what he can do now. Here the later
//! transition itself is drawn in: it is disabled, and what has to happen before it can be less (see [`Prospect`](crate::prospect::Prospect)).
//! The graph is larger, so it is looked at only where the other did not give a single step, and only as long as it pays.

use mazurka_model::{Interpreter, Step};

use super::{NONE, Stubborn};
use crate::state_view::StateView;

/// This many transitions are walked over in a state to see what a condition costs. Beyond that all cost the same, which is as
/// right, if not as good.
const LONGEST_WALKS: u32 = 1 << 15;

impl Stubborn {
    /// Looks for a smaller set than one that is found already, among the transitions at later locations too.
    pub(super) fn choose_far(
        &mut self,
        system: &Interpreter,
        state: &[u8],
        steps: &mut [Step],
        found: usize,
    ) -> usize {
        let Some(prospect) = &self.prospect else {
            return found;
        };
        let is_timeout = |step: &Step| {
            let footprint = &self.footprints.transitions[step.transition.index()];
            footprint.timeout
        };
        let processes = system.shape(state).processes.len();
        let mut locations = (0..processes).map(|process| system.location(state, process).0);
        if steps.iter().any(is_timeout) || locations.any(|location| prospect.may_start(location)) {
            return found;
        }
        self.far = true;
        self.walks_left = LONGEST_WALKS;
        let best = self.smallest(system, state, steps, |_| true);
        self.far = false;
        match best {
            Some(best) if (self.components[best].enabled as usize) < found => {
                self.front(steps, best as u32)
            }
            _ => found,
        }
    }

    /// Adds an edge to each transition at another location than the present one that does something that was
    /// found to interact.
    pub(super) fn draw_in_distant(&mut self, other: usize, own_too: Option<usize>) {
        let Some(prospect) = self.prospect.as_ref().filter(|_| self.far) else {
            return;
        };
        let standing = &self.standing[other];
        for transition in &prospect.ahead[standing.location as usize] {
            let node = standing.node_of(*transition);
            let is_new = Some(node) != own_too && self.drawn_by[node] != self.drawer;
            let footprint = &self.footprints.transitions[*transition as usize];
            if is_new && self.relations.found_in(&footprint.all) {
                self.drawn_by[node] = self.drawer;
                self.edges.push(node as u32);
            }
        }
    }

    /// A transition that its process has still to come to: either one of those that lead there has to happen
    /// first, or somebody has to make a condition true that is false now. Only a condition that the process
    /// itself cannot change by moving is known to be the same when it gets there.
    pub(super) fn edges_of_distant(&mut self, view: &StateView<'_>, node: usize) {
        let process = self.nodes[node].process as usize;
        let transition = self.nodes[node].transition;
        let start = self.edges.len();
        let mut least = None;
        if let Some(prospect) = &self.prospect {
            let standing = &self.standing[process];
            for earlier in prospect.before(transition, standing.location) {
                let earlier = standing.node_of(earlier);
                if self.drawn_by[earlier] != self.drawer {
                    self.drawn_by[earlier] = self.drawer;
                    self.edges.push(earlier as u32);
                }
            }
        }
        self.weigh(start, &mut least);
        let footprints = self.footprints.clone();
        let footprint = &footprints.transitions[transition as usize];
        let may_meet = self.may_meet(view, process, transition as usize);
        for condition in footprint.conditions.iter().filter(|_| !may_meet) {
            let Some(expression) = condition.expression else {
                continue;
            };
            match view.system.value(view.state, process, expression) {
                Ok(0) if !condition.local => {
                    self.draw_in_causes(view, node, condition);
                    self.weigh(start, &mut least);
                }
                Ok(_) => {}
                // As soon as it is evaluated there is a step, whatever the conditions behind it.
                Err(_) => break,
            }
        }
        self.edges.append(&mut self.best);
    }

    /// What it costs to have a node in the set and, if its process has still to come to it, what leads there; as far
    /// as that is not in it yet.
    pub(super) fn weight_far(&mut self, node: u32) -> u64 {
        const ENABLED: u64 = 1 << 16;
        self.walk += 1;
        let mut open = std::mem::take(&mut self.open);
        open.push(node);
        let mut weight = 0;
        while let Some(node) = open.pop() {
            if self.walks_left == 0 {
                open.clear();
                weight = u64::from(u32::MAX);
                break;
            }
            self.walks_left -= 1;
            if std::mem::replace(&mut self.walked[node as usize], self.walk) == self.walk {
                continue;
            }
            let described = &self.nodes[node as usize];
            weight += match self.components.get(described.component as usize) {
                // Then the set is not the smallest.
                Some(other) if other.enabled > 0 || other.leaks => u64::from(u32::MAX),
                Some(_) => 0,
                // It is under way, and most likely in the same component.
                None if described.index != NONE => 0,
                None => {
                    let standing = &self.standing[described.process as usize];
                    if let Some(prospect) = &self.prospect
                        && !standing.present.contains(&(node as usize))
                    {
                        let before = prospect.before(described.transition, standing.location);
                        open.extend(before.map(|earlier| standing.node_of(earlier) as u32));
                    }
                    1 + u64::from(described.enabled) * ENABLED
                }
            };
        }
        self.open = open;
        weight
    }
}
