//! A system and a claim that watches it, as one system.
//!
//! A state is the claim's state, a word about acceptance, and the system's state behind them. In each
//! step the claim moves by what is true before it, then the system moves: as in SPIN's verifier.
//! Where the system has stopped for good, it stutters: the claim goes on alone. Where the claim
//! has no move, the execution is of no interest.
//!
//! A claim does not see the states inside an atomic sequence, as in SPIN: it moves before the first step of one and
//! after the last. Only the search for a livelock looks inside: progress made there is progress.
//! These states are not stored, so what marks of processes accept there is handed on to the next stored
//! state by a flag.
//!
//! **Fairness** (Choueka 1974, as in SPIN): no process may be able to move for ever without ever moving.
//! The state counts how far it is in a round: 0, waiting for an accepting state; n, waiting
//! for process n-1 to move or to be unable to. At the end of a round the flag is set. Whether a process is
//! able to move is asked in stored states only: inside an atomic sequence of another process nobody is.
//!
//! What fails in the system is not what a claim looks for: after a failed assertion the execution goes on, and a run-time error is a dead
//! end (`errors.rs`).

use std::cell::RefCell;
use std::collections::HashSet;

use mazurka_model::{Claim, ExpressionId, Failure, Fault, Interpreter, Step};
use mazurka_reduce::{Simultaneous, StepSet};
use mazurka_search::{Acceptance, Outcome, System};

use crate::defined::fallible;
use crate::errors::{Certain, drop_misled, is_error};
use crate::foreseen::explored_in_full;
use crate::reduction::{Cycles, NotSound, allowed};

/// What of a system and a claim is to be found.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Watch {
    /// Do the acceptance marks of processes count, beside those of the claim?
    pub marks: bool,
    /// Does an execution that stops count, as one whose last state lasts for ever? It does for
    /// formulas and claims; a system that stops is no livelock.
    pub stutter: bool,
    /// Only executions that are fair to every process.
    pub fair: bool,
    /// Must every condition have a value in every state that the claim sees, whether it asks for it there or not? So it is for
    /// formulas (`defined.rs`).
    pub total: bool,
}

/// The product of a system and a claim.
#[derive(Debug)]
pub struct Product<'a> {
    interpreter: &'a Interpreter,
    claim: &'a Claim,
    watch: Watch,
    /// For each state of the claim, the conditions that its transitions ask for.
    asked: Vec<u64>,
    /// Sets of steps that stand for all.
    sets: Option<Simultaneous<'a, Interpreter>>,
    /// Are the steps that they stand for possible too?
    spares: bool,
    /// States of the system in which each step is taken by itself.
    full: HashSet<Box<[u8]>>,
    /// Steps that are no run-time errors.
    certain: Certain,
}

/// A step of both.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ProductStep {
    /// What the system does.
    pub what: What,
    /// The claim's transition, counted in its state.
    claim: u16,
    /// How far the round of fairness gets if it is under way: 0 if to its end.
    level: u16,
}

impl ProductStep {
    /// A step of the system that the claim does not see.
    pub fn unwatched(step: Step) -> ProductStep {
        ProductStep {
            what: What::Step(step),
            claim: UNSEEN,
            level: 0,
        }
    }
}

/// What the system does in a step of the product.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum What {
    /// It moves.
    Step(Step),
    /// It makes several moves, of which the claim sees the last state.
    Set(StepSet),
    /// It makes a move that the sets stand for, unless the search needs all.
    Spare(Step),
    /// It has stopped.
    Stutter,
    /// The claim is violated, before the system moves.
    Violation,
}

/// What can go wrong in a step.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum ProductFailure {
    /// A run-time error of the system: nobody can say how it goes on.
    System(Failure),
    /// The claim has come to its end.
    Violated,
    /// An assertion of the claim.
    Assertion(ExpressionId),
    /// A condition of the claim has no value.
    Fault(ExpressionId, Fault),
}

/// Memory of a worker.
#[derive(Debug, Default)]
pub struct Scratch {
    message: Vec<i32>,
    next: Vec<u8>,
}

/// The claim's state (2 bytes), the flag (1), the level of fairness (2).
const PREFIX: usize = 5;
const FLAG: usize = 2;
const LEVEL: usize = 3;
/// The claim's transition in a step that only says that a condition has no value.
const FAULTY: u16 = u16::MAX;
/// The same in a step inside an atomic sequence, which the claim does not see.
const UNSEEN: u16 = u16::MAX - 1;

thread_local! {
    /// The system's steps, before they are combined with the claim's.
    static STEPS: RefCell<Vec<Step>> = const { RefCell::new(Vec::new()) };
    static SETS: RefCell<Vec<StepSet>> = const { RefCell::new(Vec::new()) };
    static ENABLED: RefCell<Vec<What>> = const { RefCell::new(Vec::new()) };
}

impl<'a> Product<'a> {
    /// The product of a system and a claim.
    pub fn new(interpreter: &'a Interpreter, claim: &'a Claim, watch: Watch) -> Product<'a> {
        let always = match watch.total {
            true => fallible(interpreter, &claim.conditions),
            false => 0,
        };
        let asked = claim.states.iter().map(|state| {
            state.transitions.iter().fold(always, |asked, transition| {
                let assertion = transition.assertion.map_or(0, |bit| 1 << bit);
                asked | transition.positive | transition.negative | assertion
            })
        });
        Product {
            interpreter,
            claim,
            watch,
            asked: asked.collect(),
            sets: None,
            spares: false,
            full: HashSet::new(),
            certain: Certain::default(),
        }
    }

    /// The product with the simultaneous graph of a system, where that is sound for the claim.
    ///
    /// No set has a transition that is visible, so the claim sees nothing of it but that the state lasts; nor one
    /// that is sticky, so on every cycle there is a state in which each step is taken by itself: the argument of
    /// [`Invisible`](crate::Invisible). With [`Cycles::Search`] the search sees to the latter, with
    /// [`SparesLast`](crate::SparesLast) and the proviso; with [`Cycles::Foreseen`] these states are found beforehand.
    pub fn simultaneous(
        interpreter: &'a Interpreter,
        claim: &'a Claim,
        watch: Watch,
        refined: bool,
        cycles: Cycles,
    ) -> Result<Product<'a>, NotSound> {
        Product::simultaneous_within(interpreter, claim, watch, refined, cycles, &|| false)
    }

    /// The same. What is to be found beforehand is looked for until this says that the time is over, and then done without.
    pub fn simultaneous_within(
        interpreter: &'a Interpreter,
        claim: &'a Claim,
        watch: Watch,
        refined: bool,
        cycles: Cycles,
        is_over: &dyn Fn() -> bool,
    ) -> Result<Product<'a>, NotSound> {
        let allowed = allowed(interpreter.program(), claim, watch, cycles)?;
        let apart = allowed.into_iter().map(|allowed| !allowed).collect();
        let sets = Simultaneous::new(interpreter, interpreter, refined)
            .map_err(|unsupported| NotSound(format!("the model uses {}", unsupported.0)))?;
        let sets = sets.keeping_apart(apart).ending_in_errors();
        let full = match cycles {
            Cycles::Foreseen => match explored_in_full(&sets, is_over) {
                Some(full) => full,
                None => {
                    let cycles = Cycles::Sticky;
                    return Product::simultaneous(interpreter, claim, watch, refined, cycles);
                }
            },
            Cycles::Sticky | Cycles::Search => HashSet::new(),
        };
        Ok(Product {
            sets: Some(sets),
            spares: cycles == Cycles::Search,
            full,
            certain: Certain::of(interpreter),
            ..Product::new(interpreter, claim, watch)
        })
    }

    /// Does it go over the simultaneous graph?
    pub fn has_sets(&self) -> bool {
        self.sets.is_some()
    }

    /// The system.
    pub fn interpreter(&self) -> &'a Interpreter {
        self.interpreter
    }

    /// How many bytes stand before the system's part of a state.
    pub const PREFIX: usize = PREFIX;

    /// Appends what the claim can see of a state of the system: of each condition whether it is false, true or without a value,
    /// and whether a process is at a mark, if marks count.
    pub fn labels(&self, system: &[u8], labels: &mut Vec<u8>) {
        let value = |condition: &ExpressionId| {
            let holds = self.interpreter.holds(system, *condition, false);
            holds.map_or(2, u8::from)
        };
        labels.extend(self.claim.conditions.iter().map(value));
        if self.watch.marks {
            labels.push(u8::from(self.has_mark(system)));
        }
    }

    /// The system's part of a state.
    #[inline]
    pub fn system_state(state: &[u8]) -> &[u8] {
        &state[PREFIX..]
    }

    /// The steps of the system in a list of steps of the product.
    pub fn system_steps(&self, steps: &[ProductStep]) -> Vec<Step> {
        let mut unfolded = Vec::new();
        for step in steps {
            match (step.what, &self.sets) {
                (What::Step(step) | What::Spare(step), _) => unfolded.push(step),
                (What::Set(set), Some(sets)) => unfolded.extend(sets.members(set).iter()),
                (What::Set(_), None) | (What::Stutter | What::Violation, _) => {}
            }
        }
        unfolded
    }

    /// Leaves out the steps of the system that would go on as if a guard without a value had one: no execution takes them.
    pub fn drop_misled(&self, steps: &mut Vec<Step>) {
        drop_misled(self.interpreter.program(), steps);
    }

    fn claim_state(state: &[u8]) -> usize {
        usize::from(u16::from_le_bytes([state[0], state[1]]))
    }

    fn level(state: &[u8]) -> u16 {
        u16::from_le_bytes([state[LEVEL], state[LEVEL + 1]])
    }

    /// Which of the conditions that a state of the claim asks for hold?
    fn conditions(
        &self,
        asked: u64,
        system: &[u8],
        stopped: bool,
    ) -> Result<u64, (ExpressionId, Fault)> {
        let mut holding = 0;
        let mut left = asked;
        while left != 0 {
            let bit = left.trailing_zeros();
            left &= left - 1;
            let condition = self.claim.conditions[bit as usize];
            let holds = self.interpreter.holds(system, condition, stopped);
            let holds = holds.map_err(|fault| (condition, fault))?;
            holding |= u64::from(holds) << bit;
        }
        Ok(holding)
    }

    /// Does a state accept, leaving fairness aside?
    fn accepts(&self, claim: usize, system: &[u8]) -> bool {
        self.claim.states[claim].accepting || self.watch.marks && self.has_mark(system)
    }

    fn has_mark(&self, system: &[u8]) -> bool {
        let locations = &self.interpreter.program().locations;
        (0..self.interpreter.shape(system).processes.len()).any(|process| {
            let location = self.interpreter.location(system, process);
            locations[location.index()].accept
        })
    }

    /// How far a round gets by a step, if it waits at `level`, which is not 0.
    fn advance(&self, system: &[u8], enabled: &[What], what: What, mut level: u16) -> u16 {
        let processes = self.interpreter.shape(system).processes.len();
        let passing = self.interpreter.controller(system).is_some();
        let single = |what: &What| match what {
            What::Step(step) | What::Spare(step) => Some(*step),
            What::Set(_) | What::Stutter | What::Violation => None,
        };
        let step = single(&what);
        loop {
            let process = usize::from(level - 1);
            if process >= processes {
                return 0;
            }
            let moves = step.is_some_and(|step| {
                step.process as usize == process
                    || step
                        .partner()
                        .is_some_and(|(partner, _)| partner == process)
            });
            let able = || {
                let mut own = enabled.iter().filter_map(single);
                own.any(|step| step.process as usize == process)
            };
            if !moves && (passing || able()) {
                return level;
            }
            level += 1;
        }
    }

    /// What the system can do.
    fn moves(&self, system: &[u8], moves: &mut Vec<What>) -> bool {
        let Some(sets) = &self.sets else {
            let mut steps = STEPS.take();
            steps.clear();
            let leads_on = self.interpreter.enabled(system, &mut steps);
            drop_misled(self.interpreter.program(), &mut steps);
            moves.extend(steps.iter().map(|step| What::Step(*step)));
            STEPS.set(steps);
            return leads_on;
        };
        let mut chosen = SETS.take();
        chosen.clear();
        let leads_on = sets.enabled(system, &mut chosen);
        let told_apart = system.len() - self.interpreter.ignored_suffix();
        let full = !self.full.is_empty() && self.full.contains(&system[..told_apart]);
        if full || self.stands_for_nothing(system, &chosen) {
            let mut steps = STEPS.take();
            steps.clear();
            steps.extend(chosen.iter().filter_map(|set| set.single()));
            drop_misled(self.interpreter.program(), &mut steps);
            moves.extend(steps.iter().map(|step| What::Step(*step)));
            STEPS.set(steps);
            SETS.set(chosen);
            return leads_on;
        }
        let needed = chosen.iter().filter(|set| self.spares || !set.is_spare());
        moves.extend(needed.map(|set| match set.single() {
            Some(step) if set.is_spare() => What::Spare(step),
            Some(step) => What::Step(step),
            None => What::Set(*set),
        }));
        SETS.set(chosen);
        leads_on
    }

    /// Is one of the steps an error already, or do all that stand for others end in one?
    fn stands_for_nothing(&self, system: &[u8], chosen: &[StepSet]) -> bool {
        let mut steps = chosen.iter().filter_map(|set| set.single());
        if steps.any(is_error) {
            return true;
        }
        let mut standing = chosen.iter().filter(|set| !set.is_spare());
        let is_reduced = chosen.iter().any(|set| set.is_spare());
        is_reduced
            && standing.all(|set| match set.single() {
                Some(step) => !self.certain.leads_on(self.interpreter, system, &[step]),
                // A set is made of steps that were tried.
                None => false,
            })
    }

    fn combine(
        &self,
        state: &[u8],
        enabled: &[What],
        leads_on: bool,
        steps: &mut Vec<ProductStep>,
    ) -> bool {
        let system = Product::system_state(state);
        let number = Product::claim_state(state);
        let level = Product::level(state).max(1);
        let level_after = |what: What| match self.watch.fair {
            true => self.advance(system, enabled, what, level),
            false => 0,
        };
        if !self.claim.sees_inside && self.interpreter.controller(system).is_some() {
            steps.extend(enabled.iter().map(|what| ProductStep {
                what: *what,
                claim: UNSEEN,
                level: level_after(*what),
            }));
            return leads_on;
        }
        let holding = match self.conditions(self.asked[number], system, !leads_on) {
            Ok(holding) => holding,
            Err(_) => {
                steps.push(ProductStep {
                    what: What::Violation,
                    claim: FAULTY,
                    level: 0,
                });
                return false;
            }
        };
        let mut any = false;
        let first = steps.len();
        let transitions = &self.claim.states[number].transitions;
        for (claim, transition) in transitions.iter().enumerate() {
            if !transition.is_enabled(holding) {
                continue;
            }
            let mut push = |what: What| {
                let level = level_after(what);
                let claim = claim as u16;
                steps.push(ProductStep { what, claim, level });
            };
            let fails = transition
                .assertion
                .is_some_and(|bit| holding >> bit & 1 == 0);
            if fails || self.claim.states[transition.target as usize].violated {
                push(What::Violation);
                // Whoever goes on first may never come back to see it.
                steps[first..].rotate_right(1);
                continue;
            }
            // Where somebody runs into an error the system has not stopped.
            let stutters = self.watch.stutter && !leads_on && enabled.is_empty();
            any |= leads_on || stutters;
            if stutters {
                push(What::Stutter);
            }
            for what in enabled {
                push(*what);
            }
        }
        any
    }

    /// Fills in what stands before the system's state.
    fn prefix(
        &self,
        before: &[u8],
        step: ProductStep,
        target: usize,
        system: &[u8],
    ) -> [u8; PREFIX] {
        let accepts = self.accepts(target, system);
        let passing = self
            .interpreter
            .controller(Product::system_state(before))
            .is_some();
        let handed_on = passing && before[FLAG] != 0;
        let (flag, level) = match (self.watch.fair, Product::level(before)) {
            (false, _) => (accepts, 0),
            (true, 0) if !accepts => (false, 0),
            (true, _) => (step.level == 0, step.level),
        };
        let [low, high] = (target as u16).to_le_bytes();
        let [level_low, level_high] = level.to_le_bytes();
        [
            low,
            high,
            u8::from(flag || handed_on),
            level_low,
            level_high,
        ]
    }
}

impl System for Product<'_> {
    type Step = ProductStep;
    type Failure = ProductFailure;
    type Scratch = Scratch;

    fn initial(&self, state: &mut Vec<u8>) -> Result<(), ProductFailure> {
        let failure = |fault| ProductFailure::System(Failure::Fault(fault));
        self.interpreter.initial(state, &mut ()).map_err(failure)?;
        let accepts = self.accepts(0, state);
        let flag = u8::from(accepts && !self.watch.fair);
        state.splice(0..0, [0, 0, flag, 0, 0]);
        Ok(())
    }

    fn enabled(&self, state: &[u8], steps: &mut Vec<ProductStep>) -> bool {
        let system = Product::system_state(state);
        let mut enabled = ENABLED.take();
        enabled.clear();
        let leads_on = self.moves(system, &mut enabled);
        // A process that holds control and cannot move has to lose it first.
        let settles = !leads_on && self.interpreter.controller(system).is_some();
        let any = !settles && self.combine(state, &enabled, leads_on, steps);
        ENABLED.set(enabled);
        any
    }

    /// A run-time error of the system says nothing about the claim.
    fn is_dead_end(failure: &ProductFailure) -> bool {
        matches!(failure, ProductFailure::System(_))
    }

    /// A claim does not see how such an execution goes on, nor is it known who is ignored in it.
    fn minds_endless_sequences(&self) -> bool {
        !self.claim.sees_inside || self.watch.fair
    }

    fn execute(
        &self,
        scratch: &mut Scratch,
        state: &[u8],
        step: ProductStep,
        next: &mut Vec<u8>,
    ) -> Outcome<ProductFailure> {
        let system = Product::system_state(state);
        let number = Product::claim_state(state);
        let failed = |failure| Outcome {
            failure: Some(failure),
            complete: false,
        };
        if step.claim == FAULTY {
            let stopped = !self.moves(system, &mut Vec::new());
            return failed(match self.conditions(self.asked[number], system, stopped) {
                Err((condition, fault)) => ProductFailure::Fault(condition, fault),
                Ok(_) => ProductFailure::Violated,
            });
        }
        let transitions = &self.claim.states[number].transitions;
        let transition = transitions.get(usize::from(step.claim));
        let target = transition.map_or(number, |transition| transition.target as usize);
        let mut outcome = Outcome {
            failure: None,
            complete: true,
        };
        match step.what {
            What::Violation => {
                return failed(
                    match transition.and_then(|transition| transition.assertion) {
                        Some(bit) if !self.claim.states[target].violated => {
                            ProductFailure::Assertion(self.claim.conditions[usize::from(bit)])
                        }
                        _ => ProductFailure::Violated,
                    },
                );
            }
            What::Stutter => {
                scratch.next.clear();
                scratch.next.extend_from_slice(system);
            }
            What::Set(set) => {
                let Some(sets) = &self.sets else {
                    return failed(ProductFailure::Violated);
                };
                let done = sets.execute(&mut scratch.message, system, set, &mut scratch.next);
                outcome.failure = done.failure.map(ProductFailure::System);
                outcome.complete = done.complete;
            }
            What::Step(step) | What::Spare(step) => {
                let done = self.interpreter.execute(
                    system,
                    step,
                    &mut scratch.next,
                    &mut scratch.message,
                    &mut (),
                );
                let error = done.failure.filter(|_| done.is_error());
                outcome.failure = error.map(ProductFailure::System);
                outcome.complete = error.is_none();
            }
        }
        next.clear();
        if outcome.complete {
            next.extend_from_slice(&self.prefix(state, step, target, &scratch.next));
        }
        next.extend_from_slice(&scratch.next);
        outcome
    }

    #[inline]
    fn is_passing(&self, state: &[u8]) -> bool {
        self.interpreter
            .controller(Product::system_state(state))
            .is_some()
    }

    fn settle(&self, state: &mut [u8]) {
        self.interpreter.release(&mut state[PREFIX..]);
    }

    fn ignored_suffix(&self) -> usize {
        self.interpreter.ignored_suffix()
    }

    fn work(&self) -> u64 {
        System::work(self.interpreter)
    }

    /// Only the system numbers what it meets.
    fn context(&self) -> Vec<u8> {
        System::context(self.interpreter)
    }

    fn names(&self) -> usize {
        System::names(self.interpreter)
    }

    fn learn(&self, context: &[u8], numbers: &mut Vec<u16>) -> bool {
        System::learn(self.interpreter, context, numbers)
    }

    fn rename(&self, state: &mut [u8], numbers: &[u16]) -> bool {
        let system = state.get_mut(PREFIX..);
        system.is_some_and(|system| System::rename(self.interpreter, system, numbers))
    }

    fn essence(&self, state: &[u8]) -> (u64, usize) {
        let (essence, numbers) = self.interpreter.essence(Product::system_state(state));
        let [low, high, flag, level_low, level_high] = state[..PREFIX] else {
            return (essence, numbers);
        };
        let prefix = [low, high, flag, level_low, level_high, 0, 0, 0];
        let mixed = u64::from_le_bytes(prefix).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (essence.rotate_left(17) ^ mixed, PREFIX + numbers)
    }

    fn is_state(&self, state: &[u8]) -> bool {
        state.len() >= PREFIX
            && Product::claim_state(state) < self.claim.states.len()
            && state[FLAG] <= 1
            && System::is_state(self.interpreter, Product::system_state(state))
    }

    /// A claim is about executions, not about where they may end.
    fn is_valid_end(&self, _: &[u8]) -> bool {
        true
    }

    fn transitions(&self) -> usize {
        self.interpreter.transitions()
    }

    #[inline]
    fn cover(&self, state: &[u8], step: ProductStep, covered: &mut [bool]) {
        let system = Product::system_state(state);
        match (step.what, &self.sets) {
            (What::Step(step) | What::Spare(step), _) => {
                self.interpreter.cover(system, step, covered)
            }
            (What::Set(set), Some(sets)) => sets.cover(system, set, covered),
            (What::Set(_), None) | (What::Stutter | What::Violation, _) => {}
        }
    }
}

impl Acceptance for Product<'_> {
    #[inline]
    fn is_accepting(&self, state: &[u8]) -> bool {
        // An atomic sequence that never ends shows nothing to the claim; it is a dead end.
        state[FLAG] != 0 && (self.claim.sees_inside || !self.is_passing(state))
    }
}
