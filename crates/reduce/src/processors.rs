//! Persistent sets over processors and timers (Godefroid, Peled & Staskauskas 1996, figure 5).
//!
//! The algorithm works on *agents*: sets of processes of which the search takes all enabled steps or
//! none. Processes that look into each other's guards are one agent, so for a network of machines
//! the agents are the paper's processors and its timers. Starting from an agent with an enabled
//! step, every agent is drawn in that may, now or later, perform an operation that might interact
//! (▷) with one of those the agent performs next, or with what it waits for. The steps of the
//! smallest set found so are a persistent set.
//!
//! The conditions of figure 5 are all instances of ▷. That a queue of higher priority is empty is
//! an `empty` operation in the guard, which a send might interact with (2.a); a send might interact
//! with the `empty` of a guard elsewhere (2.b) and with a rival send (2.a); `expire` and `stop`,
//! and `start` too, are operations of a timer (2.b, 2.c, 2.d).
//!
//! A send for which there is no room is an error. The paper takes queues to be long enough; here a
//! send to a full queue draws in the receiver, so that every other error of an execution without
//! overflow is found. That no overflow is missed needs more: each receive would have to wait until
//! the queue is as full as it can be, so it draws in all who may ever send to that queue. This is
//! done only on demand, because it leaves little to be saved.
//!
//! What an agent does *next* is known in three qualities, the paper's per-VFSM, per-state and
//! run-time information: see [`Information`]. The program form has a transition for each way that a
//! machine may go, so what is learnt at run time, namely which transitions are enabled, says
//! exactly which operations follow; nothing is executed to find out.

mod analysis;

use mazurka_model::{Interpreter, Step};

use crate::bits::Bits;
use crate::operation::Unsupported;
use crate::persistent::Information;
use analysis::{Analysis, ObjectKind, OperationId};

/// Chooses persistent sets.
#[derive(Debug)]
pub struct Processors {
    analysis: Analysis,
    information: Information,
    /// For each process, its location in the present state.
    locations: Vec<u32>,
    /// For each object, what matters of its present value: a length, or whether a timer runs.
    views: Vec<u32>,
    /// For each agent, how many of the possible steps are its own.
    enabled: Vec<u32>,
    /// For each agent, the operations that might interact with what it does next, if worked out.
    disturbed_by: Vec<Bits>,
    is_known: Vec<bool>,
    /// For each agent: is it in the set that is being made?
    member: Vec<bool>,
    /// The members still to be looked at.
    open: Vec<usize>,
    best: Vec<bool>,
}

impl Processors {
    /// Prepares the analysis of a program in which processes meet only in channels, timers and
    /// locations that others ask for. Unless no `overflow` must be missed, the room in a queue
    /// counts as enough, as it does in the paper.
    pub fn new(
        interpreter: &Interpreter,
        information: Information,
        overflow: bool,
    ) -> Result<Processors, Unsupported> {
        let analysis = Analysis::of(interpreter.program(), overflow)?;
        let (agents, bound) = (analysis.agents.len(), analysis.bound);
        Ok(Processors {
            information,
            locations: Vec::new(),
            views: vec![0; analysis.objects.len()],
            enabled: vec![0; agents],
            disturbed_by: vec![Bits::new(bound); agents],
            is_known: vec![false; agents],
            member: vec![false; agents],
            open: Vec::new(),
            best: vec![false; agents],
            analysis,
        })
    }

    /// Puts the steps of a persistent set in front and says how many there are.
    pub fn select(&mut self, system: &Interpreter, state: &[u8], steps: &mut [Step]) -> usize {
        if steps.len() < 2 {
            return steps.len();
        }
        self.enabled.fill(0);
        for step in steps.iter() {
            let agent = self.analysis.agent_of.get(step.process as usize);
            match agent {
                Some(agent) if !self.analysis.starts[step.transition.index()] => {
                    self.enabled[*agent] += 1;
                }
                _ => return steps.len(),
            }
        }
        if self.enabled.iter().filter(|count| **count > 0).count() < 2 {
            return steps.len();
        }
        self.look_at(system, state);
        let mut least = steps.len() as u32;
        for agent in 0..self.enabled.len() {
            if self.enabled[agent] > 0
                && self.enabled[agent] < least
                && let Some(count) = self.closure(agent, steps, least)
            {
                least = count;
                std::mem::swap(&mut self.best, &mut self.member);
                if least == 1 {
                    break;
                }
            }
        }
        if least as usize == steps.len() {
            return steps.len();
        }
        let mut kept = 0;
        for position in 0..steps.len() {
            if self.best[self.analysis.agent_of[steps[position].process as usize]] {
                steps[kept..=position].rotate_right(1);
                kept += 1;
            }
        }
        kept
    }

    /// Reads from the state what the present sets depend on.
    fn look_at(&mut self, system: &Interpreter, state: &[u8]) {
        self.is_known.fill(false);
        self.locations.clear();
        let processes = 0..self.analysis.agent_of.len();
        self.locations
            .extend(processes.map(|process| system.location(state, process).0));
        for (view, object) in self.views.iter_mut().zip(&self.analysis.objects) {
            *view = match object.kind {
                ObjectKind::Channel { number, .. } => system.length(state, number).unwrap_or(0),
                ObjectKind::Timer { offset } => u32::from(state[offset] != 0),
                ObjectKind::Presence => 0,
            };
        }
    }

    /// Makes `member` the agents that have to go with one of them, and counts their steps. None if
    /// there are as many as in a set that is known.
    fn closure(&mut self, first: usize, steps: &[Step], limit: u32) -> Option<u32> {
        self.member.fill(false);
        self.member[first] = true;
        self.open.clear();
        self.open.push(first);
        let mut count = self.enabled[first];
        while let Some(agent) = self.open.pop() {
            if !self.is_known[agent] {
                self.work_out(agent, steps);
            }
            for other in 0..self.enabled.len() {
                if self.member[other] || !self.may_disturb(other, agent) {
                    continue;
                }
                self.member[other] = true;
                self.open.push(other);
                count += self.enabled[other];
                if count >= limit {
                    return None;
                }
            }
        }
        Some(count)
    }

    /// May an agent, now or later, do something that might interact with what another does next?
    #[inline]
    fn may_disturb(&self, agent: usize, other: usize) -> bool {
        let disturbing = &self.disturbed_by[other];
        self.analysis.agents[agent].iter().any(|process| {
            let process = *process as usize;
            let future = match self.information {
                Information::Machine => &self.analysis.ever[process],
                Information::State | Information::Run => {
                    &self.analysis.future[self.locations[process] as usize]
                }
            };
            future.meets(disturbing)
        })
    }

    /// The operations that might interact with what an agent does next.
    fn work_out(&mut self, agent: usize, steps: &[Step]) {
        let mut disturbing = std::mem::take(&mut self.disturbed_by[agent]);
        disturbing.clear();
        if self.enabled[agent] == 0 {
            // It waits for a message on one of its queues, or for being started.
            for operation in &self.analysis.awaited[agent] {
                disturbing.join(self.rivals(*operation));
            }
        }
        for step in steps {
            if self.analysis.agent_of[step.process as usize] != agent {
                continue;
            }
            let transition = &self.analysis.transitions[step.transition.index()];
            for operation in &transition.guard {
                disturbing.join(self.rivals(*operation));
            }
            let process = step.process as usize;
            let next: &[OperationId] = match self.information {
                Information::Run => &transition.effect,
                Information::State => &self.analysis.future_list[self.locations[process] as usize],
                Information::Machine => &self.analysis.ever_list[process],
            };
            for operation in next {
                disturbing.join(self.rivals(*operation));
            }
        }
        self.disturbed_by[agent] = disturbing;
        self.is_known[agent] = true;
    }

    /// The operations that might interact with one, in the present value of its object.
    #[inline]
    fn rivals(&self, operation: OperationId) -> &Bits {
        let described = &self.analysis.operations[operation.0 as usize];
        &described.rivals[self.views[described.object as usize] as usize]
    }
}
