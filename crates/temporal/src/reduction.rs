//! Stubborn sets that preserve formulas without `next`.
//!
//! A set of steps that is not everything must, beyond being stubborn, satisfy two conditions (Clarke, Grumberg
//! and Peled 1999, chapter 10: C2 and C3):
//!
//! - **Invisible.** None of its steps can change the truth of an atom: the atoms read what it does not
//!   write. Since every enabled step of our stubborn sets stays enabled and commutes with all that others
//!   can do first (the sets are persistent), a step can be brought forward without a state in
//!   between changing its labels, which is what the inconsistent labelling of Neele, Valmari and Willemse
//!   2020 breaks for weaker sets.
//! - **Not sticky.** Transitions are chosen beforehand such that every cycle of a process's graph has one of
//!   them, and a set that is not everything contains none (Kurshan, Levin, Minea, Peled and
//!   Yenigün 1998, static partial order reduction). A cycle of states contains a cycle of some process, or
//!   a process that is started, which is sticky too; so on every cycle some state is
//!   explored in full, and no step is put off for ever.
//!
//! The choice depends on the system's state alone, neither on the claim nor on the search. So what is
//! searched is the product of the claim with *one* reduced system, in both phases of a nested search and by all
//! workers; the traps of reductions that look at the stack (Siegel 2019) are not there.

use mazurka_model::{
    Base, Claim, Expression, ExpressionId, Field, Handshake, Instruction, Interpreter, LocationId,
    PlaceId, ProcessTypeId, Program, Step, TransitionId,
};
use mazurka_reduce::{Chooser, Stubborn};
use mazurka_search::Reduction;

use crate::errors::{Certain, is_error};
use crate::product::{Product, ProductStep, Watch, What};

/// Who sees to it that no step is put off for ever around a cycle.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Cycles {
    /// Sticky transitions, as said above. Right for every claim and every search.
    Sticky,
    /// A walk through the system beforehand, for simultaneous graphs (`foreseen.rs`); sticky transitions if it is too large. Right for
    /// every claim and every search.
    Foreseen,
    /// The search, by its proviso. Right for a claim that waits in one state for something that must never happen, depth-first by one worker or
    /// breadth-first: the product is then the system itself, and a step that makes the claim violated is visible.
    /// Whoever looks for cycles needs more: a search for these has no proviso.
    Search,
}

impl Cycles {
    /// Who is enough for a claim and this many workers. `is_model` says that the program searched is the model itself:
    /// of one with fewer states to store the search's proviso is not known to be enough.
    pub fn enough_for(claim: &Claim, watch: Watch, workers: usize, is_model: bool) -> Cycles {
        match workers == 1 && is_model && needs_no_cycles(claim, watch) {
            true => Cycles::Search,
            false => Cycles::Sticky,
        }
    }
}

/// Is what is looked for a state, not a cycle?
fn needs_no_cycles(claim: &Claim, watch: Watch) -> bool {
    is_invariant(claim) && !watch.marks && !watch.fair
}

/// Does a claim wait in one state for something that must never happen? One that waits for nothing, as that beside
/// which acceptance marks are looked for, does not.
fn is_invariant(claim: &Claim) -> bool {
    let mut waiting = claim.states.iter().filter(|state| !state.violated);
    let first = waiting.next();
    let is_one = waiting.next().is_none() && first.is_some_and(|state| !state.accepting);
    is_one && claim.states.iter().any(|state| state.violated)
}

/// Sets of invisible steps that stand for all.
#[derive(Debug)]
pub struct Invisible {
    chooser: Chooser,
    /// For each transition, may it be in a set that is not everything?
    allowed: Vec<bool>,
    /// Steps that are no run-time errors.
    certain: Certain,
    steps: Vec<Step>,
}

/// Why a reduction would not be sound.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NotSound(pub String);

impl Invisible {
    /// Prepares the reduction of a system that a claim watches.
    pub fn new(
        interpreter: &Interpreter,
        claim: &Claim,
        watch: Watch,
        refined: bool,
    ) -> Result<Invisible, NotSound> {
        let stubborn = Stubborn::new(interpreter, refined)
            .map_err(|unsupported| NotSound(format!("the model uses {}", unsupported.0)))?;
        let chooser = Chooser::Stubborn(Box::new(stubborn));
        Invisible::by(chooser, interpreter, claim, watch, Cycles::Sticky)
    }

    /// As [`Invisible::new`], with the sets of any chooser: those that have a step that may not be in one
    /// become everything. Its sets must be persistent and depend on nothing but the state.
    pub fn by(
        chooser: Chooser,
        interpreter: &Interpreter,
        claim: &Claim,
        watch: Watch,
        cycles: Cycles,
    ) -> Result<Invisible, NotSound> {
        Ok(Invisible {
            chooser,
            allowed: allowed(interpreter.program(), claim, watch, cycles)?,
            certain: Certain::of(interpreter),
            steps: Vec::new(),
        })
    }

    /// Puts steps of the system that stand for all in front, and says how many there are.
    pub(crate) fn choose(
        &mut self,
        interpreter: &Interpreter,
        state: &[u8],
        steps: &mut [Step],
    ) -> usize {
        // Where there is an error already, steps may be missing.
        if steps.iter().any(|step| is_error(*step)) {
            return steps.len();
        }
        let allowed = &self.allowed;
        let is_allowed = |step: &Step| {
            let partner = interpreter.partner(state, *step);
            allowed[step.transition.index()]
                && partner.is_none_or(|(_, TransitionId(number))| allowed[number as usize])
        };
        let kept = match &mut self.chooser {
            Chooser::Stubborn(stubborn) => {
                stubborn.select_where(interpreter, state, steps, is_allowed)
            }
            chooser => {
                let kept = chooser.select(interpreter, state, steps);
                match steps[..kept].iter().all(is_allowed) {
                    true => kept,
                    false => steps.len(),
                }
            }
        };
        let stands =
            kept < steps.len() && self.certain.leads_on(interpreter, state, &steps[..kept]);
        if stands { kept } else { steps.len() }
    }
}

/// For each transition, may it be in a set that is not everything? Those that may are invisible and not
/// sticky, and an atomic sequence is as one step. If it continues with a rendezvous, what the receiver does
/// belongs to it too; who that is is not asked, it is not allowed.
pub(crate) fn allowed(
    program: &Program,
    claim: &Claim,
    watch: Watch,
    cycles: Cycles,
) -> Result<Vec<bool>, NotSound> {
    if watch.fair {
        return Err(NotSound("fairness is about single steps".into()));
    }
    if cycles == Cycles::Search && !needs_no_cycles(claim, watch) {
        let reason = "a search for cycles does not see to it that no step is put off for ever";
        return Err(NotSound(reason.into()));
    }
    let reads = Reads::of(program, claim)?;
    let sources = sources(program);
    let mut allowed: Vec<bool> = (0..program.transitions.len())
        .map(|number| !reads.sees(program, number, sources[number], watch.marks))
        .collect();
    if cycles == Cycles::Sticky {
        for sticky in sticky(program) {
            allowed[sticky] = false;
        }
    }
    let mut changed = true;
    while changed {
        changed = false;
        for (number, transition) in program.transitions.iter().enumerate() {
            let Some(target) = transition.target.filter(|_| transition.holds) else {
                continue;
            };
            let after = program.locations[target.index()].transitions.clone();
            let forbids = |next: u32| {
                let handshake = program.transitions[next as usize].handshake;
                let meets = program.features.rendezvous && matches!(handshake, Handshake::Sends(_));
                meets || !allowed[next as usize]
            };
            if allowed[number] && after.into_iter().any(forbids) {
                allowed[number] = false;
                changed = true;
            }
        }
    }
    Ok(allowed)
}

/// For each transition, the location that it leaves.
fn sources(program: &Program) -> Vec<Option<LocationId>> {
    let mut sources = vec![None; program.transitions.len()];
    for (number, location) in program.locations.iter().enumerate() {
        for transition in location.transitions.clone() {
            sources[transition as usize] = Some(LocationId(number as u32));
        }
    }
    sources
}

impl Reduction<Product<'_>> for Invisible {
    fn select(&mut self, product: &Product<'_>, state: &[u8], steps: &mut [ProductStep]) -> usize {
        self.steps.clear();
        for step in steps.iter() {
            if let What::Step(step) = step.what
                && !self.steps.contains(&step)
            {
                self.steps.push(step);
            }
        }
        let mut all = std::mem::take(&mut self.steps);
        let system = Product::system_state(state);
        let kept = self.choose(product.interpreter(), system, &mut all);
        self.steps = all;
        if kept == self.steps.len() {
            return steps.len();
        }
        let mut front = 0;
        for position in 0..steps.len() {
            let chosen = match steps[position].what {
                What::Step(step) => self.steps[..kept].contains(&step),
                What::Set(_) | What::Spare(_) | What::Stutter | What::Violation => true,
            };
            if chosen {
                steps[front..=position].rotate_right(1);
                front += 1;
            }
        }
        front
    }
}

/// Takes what stands for all first: for a product over a simultaneous graph.
#[derive(Clone, Copy, Debug, Default)]
pub struct SparesLast;

impl Reduction<Product<'_>> for SparesLast {
    fn select(&mut self, _: &Product<'_>, _: &[u8], steps: &mut [ProductStep]) -> usize {
        let mut front = 0;
        for position in 0..steps.len() {
            if !matches!(steps[position].what, What::Spare(_)) {
                steps[front..=position].rotate_right(1);
                front += 1;
            }
        }
        front
    }
}

/// What the conditions of a claim read.
#[derive(Debug, Default)]
pub(crate) struct Reads {
    /// Bytes of the shared variables: from, to.
    shared: Vec<(u32, u32)>,
    /// Bytes of frames of a process type.
    frames: Vec<(ProcessTypeId, u32, u32)>,
    /// Locations of a process type, by number.
    locations: Vec<(ProcessTypeId, u32)>,
    /// Facts that hold in locations, by number.
    facts: u64,
    /// Whether anybody is in a location that is marked as progress.
    progress: bool,
    /// Any channel.
    channels: bool,
    /// Which processes there are.
    population: bool,
}

impl Reads {
    /// What a claim reads, if that can be said.
    pub(crate) fn of(program: &Program, claim: &Claim) -> Result<Reads, NotSound> {
        let mut reads = Reads::default();
        for condition in &claim.conditions {
            reads.expression(program, *condition)?;
        }
        Ok(reads)
    }

    /// Does it read variables of processes?
    pub(crate) fn looks_into_processes(&self) -> bool {
        !self.frames.is_empty()
    }

    /// Does it ask where processes are, or which there are?
    pub(crate) fn looks_at_places(&self) -> bool {
        self.population || !self.locations.is_empty()
    }

    fn expression(&mut self, program: &Program, id: ExpressionId) -> Result<(), NotSound> {
        match program.expressions[id.index()] {
            Expression::Constant(_) => Ok(()),
            Expression::Load(place) => self.place(program, place),
            Expression::Unary(_, operand) => self.expression(program, operand),
            Expression::Binary(_, left, right)
            | Expression::And(left, right)
            | Expression::Or(left, right) => {
                self.expression(program, left)?;
                self.expression(program, right)
            }
            Expression::Conditional(condition, yes, no) => {
                self.expression(program, condition)?;
                self.expression(program, yes)?;
                self.expression(program, no)
            }
            Expression::Channel(_, operand) => {
                self.channels = true;
                self.expression(program, operand)
            }
            Expression::CanReceive(receive) => {
                self.channels = true;
                let receive = &program.receives[receive.index()];
                self.expression(program, receive.channel)?;
                let fields = receive.fields.start as usize..receive.fields.end as usize;
                for field in &program.fields[fields] {
                    if let Field::Match(value) = field {
                        self.expression(program, *value)?;
                    }
                }
                Ok(())
            }
            Expression::ProcessCount => {
                self.population = true;
                Ok(())
            }
            Expression::At {
                process_type,
                process,
                number,
            } => {
                self.population = true;
                self.locations.push((process_type, number));
                process.map_or(Ok(()), |process| self.expression(program, process))
            }
            Expression::NoProgress => {
                self.population = true;
                self.progress = true;
                Ok(())
            }
            Expression::Marked { process, mark } => {
                self.population = true;
                self.facts |= 1 << mark;
                self.expression(program, process)
            }
            Expression::SelfProcess
            | Expression::LastProcess
            | Expression::Youngest
            | Expression::Timeout
            | Expression::Enabled(_)
            | Expression::LocationOf(_)
            | Expression::PriorityOf(_) => Err(NotSound(
                "the property asks about more than variables, channels and labels".into(),
            )),
        }
    }

    fn place(&mut self, program: &Program, id: PlaceId) -> Result<(), NotSound> {
        let place = &program.places[id.index()];
        let (from, to) = extent(program, id);
        match place.base {
            Base::Shared => self.shared.push((from, to)),
            Base::Remote(process_type, process) => {
                self.population = true;
                self.frames.push((process_type, from, to));
                if let Some(process) = process {
                    self.expression(program, process)?;
                }
            }
            Base::Hidden | Base::Local => {
                return Err(NotSound("the property reads hidden variables".into()));
            }
        }
        let indices = place.indices.start as usize..place.indices.end as usize;
        for index in &program.indices[indices] {
            self.expression(program, index.expression)?;
        }
        Ok(())
    }

    /// Can a transition change what is read?
    fn sees(
        &self,
        program: &Program,
        number: usize,
        source: Option<LocationId>,
        marks: bool,
    ) -> bool {
        let transition = &program.transitions[number];
        let statement = &program.statements[transition.statement.index()];
        let own = statement.process_type;
        let location = |id: LocationId| &program.locations[id.index()];
        let ends = (source.map(location), transition.target.map(location));
        let may_change = match ends {
            (Some(from), Some(to)) => {
                let asked = |number| self.locations.contains(&(own, number));
                marks && (from.accept || to.accept)
                    || from.number != to.number && (asked(from.number) || asked(to.number))
                    || (from.marks ^ to.marks) & self.facts != 0
                    || self.progress && from.progress != to.progress
            }
            // Whoever ends leaves the population, which is looked at below.
            (Some(from), None) => {
                marks && from.accept
                    || self.locations.contains(&(own, from.number))
                    || from.marks & self.facts != 0
                    || self.progress && from.progress
            }
            (None, _) => true,
        };
        if may_change {
            return true;
        }
        let code = transition.effect.start as usize..transition.effect.end as usize;
        let writes = |place: PlaceId| self.is_written(program, own, place);
        program.code[code]
            .iter()
            .any(|instruction| match instruction {
                Instruction::Assign(place, _) => writes(*place),
                // The number of a channel that is gone may be given out again.
                Instruction::NewChannel(place, _) => self.channels || writes(*place),
                Instruction::Send(_) => self.channels,
                Instruction::Receive(receive) => {
                    let fields = program.receives[receive.index()].fields.clone();
                    let fields = &program.fields[fields.start as usize..fields.end as usize];
                    self.channels
                        || fields.iter().any(|field| match field {
                            Field::Bind(place) => writes(*place),
                            Field::Match(_) | Field::Discard => false,
                        })
                }
                // A process that starts brings its channels along.
                Instruction::Run { result, .. } => {
                    self.population || marks || self.channels || result.is_some_and(writes)
                }
                Instruction::Enter(_) => true,
                Instruction::Die => self.population || marks || self.channels,
                Instruction::SetPriority(..)
                | Instruction::Assert(_)
                | Instruction::Print(..)
                | Instruction::Jump(_)
                | Instruction::JumpUnless(..)
                | Instruction::Breach(_)
                | Instruction::Stop(_)
                | Instruction::Stuck => false,
            })
    }

    fn is_written(&self, program: &Program, own: ProcessTypeId, id: PlaceId) -> bool {
        let (from, to) = extent(program, id);
        let meets = |low: u32, high: u32| from < high && low < to;
        match program.places[id.index()].base {
            Base::Shared => self.shared.iter().any(|(low, high)| meets(*low, *high)),
            Base::Hidden => false,
            Base::Local => self
                .frames
                .iter()
                .any(|(of, low, high)| *of == own && meets(*low, *high)),
            Base::Remote(of, _) => self
                .frames
                .iter()
                .any(|(read, low, high)| *read == of && meets(*low, *high)),
        }
    }
}

/// The bytes that a place can be, whatever its indices are.
fn extent(program: &Program, id: PlaceId) -> (u32, u32) {
    let place = &program.places[id.index()];
    let indices = place.indices.start as usize..place.indices.end as usize;
    let spread: u32 = program.indices[indices]
        .iter()
        .map(|index| (index.length - 1) * index.stride)
        .sum();
    let end = place.offset + spread + place.kind.bytes();
    (place.offset, end)
}

/// Transitions such that every cycle of a process has one of them: those that close a cycle in a
/// depth-first walk. Those that start a process are among them.
fn sticky(program: &Program) -> Vec<usize> {
    const ON_PATH: u8 = 1;
    const DONE: u8 = 2;
    let mut found = Vec::new();
    let mut colours = vec![0u8; program.locations.len()];
    for root in 0..program.locations.len() {
        if colours[root] != 0 {
            continue;
        }
        colours[root] = ON_PATH;
        let mut path = vec![(root, program.locations[root].transitions.clone())];
        while let Some((location, rest)) = path.last_mut() {
            let location = *location;
            let Some(number) = rest.next() else {
                colours[location] = DONE;
                path.pop();
                continue;
            };
            let Some(target) = program.transitions[number as usize].target else {
                continue;
            };
            match colours[target.index()] {
                ON_PATH => found.push(number as usize),
                DONE => {}
                _ => {
                    colours[target.index()] = ON_PATH;
                    let next = program.locations[target.index()].transitions.clone();
                    path.push((target.index(), next));
                }
            }
        }
    }
    for (number, transition) in program.transitions.iter().enumerate() {
        let code = transition.effect.start as usize..transition.effect.end as usize;
        let starts = |instruction: &Instruction| matches!(instruction, Instruction::Run { .. });
        if program.code[code].iter().any(starts) {
            found.push(number);
        }
    }
    found
}
