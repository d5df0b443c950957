//! Processes that are alike: states that differ only in which of them does what are taken for one.
//!
//! Two processes of one type can be exchanged if nothing in the program tells one from the other. Then a state and the one in which
//! they have exchanged their frames go on in the same way, under other names (an automorphism of the state graph). So of all
//! states that differ only by such exchanges one is searched, the one whose frames are sorted. Every orbit has exactly one.
//!
//! What tells processes apart is their number, and what follows from it. So a type is *alike* only if
//!
//! - its processes do not ask for their own number, and nobody keeps the number that `run` gives;
//! - nobody names another process: no remote variable or label, no `enabled`, no priority, no `_last`;
//! - its processes make no channels, whose numbers would follow theirs.
//!
//! Parameters do not matter: they are part of the frame and are exchanged with it. The values of shared variables and the contents
//! of channels stay what they are, so a message or a variable must not carry the number of a process: it cannot, since nobody has it.
//!
//! One thing remains. Processes end in the reverse order of their birth, so one that is at its end and cannot end yet is not like one
//! that can. [`forget_ends`] makes a program in which no process ends: whoever has arrived at its end stays there, where it may
//! stay for ever. That is sound where ends cannot be noticed ([`Symmetry::of`] says when), and every step that is left is one of the
//! original. A deadlock of the changed program becomes one of the original when those processes end that can ([`with_ends`]).
//!
//! A process that is born late may be sorted before an older one, so a representative need not be a state of the model itself. A path of
//! representatives stands for a path of the model with as many steps, to one of the states that the last of them stands for ([`Symmetry::unfold`]).
//!
//! Partial-order reduction works on the states that are searched, as on any others; the proviso counts them as they are (Emerson, Jha and
//! Peled 1997; Bošnački and Scheffer 2015).

use std::sync::OnceLock;

use mazurka_model::{
    Base, Expression, ExpressionId, Instruction, Interpreter, Program, Shape, Step,
};
use mazurka_search::settled_steps;

use crate::identity::{Exchange, Identities, Layout};
use crate::operation::Unsupported;
use crate::used::Used;

/// The groups of this many shapes are kept.
const SHAPES_KEPT: usize = 256;

/// Which types of processes are alike.
#[derive(Debug)]
pub struct Symmetry {
    /// By the number of the type.
    alike: Vec<bool>,
    forgets_ends: bool,
    /// By the number of the shape.
    groups: Box<[OnceLock<Groups>]>,
    /// What tells processes apart, where that can be exchanged with them.
    identities: Option<Identities>,
    layouts: Box<[OnceLock<Layout>]>,
}

/// For each type that is alike and has several processes: the bytes of a frame, and where the frames are.
type Groups = Box<[(usize, Box<[Member]>)]>;

#[derive(Clone, Copy, Debug)]
struct Member {
    process: usize,
    frame: usize,
}

impl Symmetry {
    /// Finds the processes of a program that are alike. None if no type has several that can be exchanged; an error if there are several
    /// of a type, and the reason why they cannot be exchanged. `may_forget_ends` says whether a program in which processes do not end may
    /// be searched instead.
    pub fn of(program: &Program, may_forget_ends: bool) -> Result<Option<Symmetry>, Unsupported> {
        let several: Vec<bool> = several(program);
        if !several.contains(&true) {
            return Ok(None);
        }
        refuse_names(program)?;
        let mut reason = None;
        let mut alike = vec![false; several.len()];
        for number in (0..several.len()).filter(|number| several[*number]) {
            match refuse_identity(program, number) {
                Ok(()) => alike[number] = true,
                Err(unsupported) => reason = Some(unsupported),
            }
        }
        if !alike.contains(&true) {
            return reason.map_or(Ok(None), Err);
        }
        Symmetry::made(program, may_forget_ends, alike, None).map(Some)
    }

    /// The same, where processes may have an identity besides: their number, or a parameter.
    pub fn with_identities(
        program: &Program,
        may_forget_ends: bool,
    ) -> Result<Option<Symmetry>, Unsupported> {
        let several: Vec<bool> = several(program);
        if !several.contains(&true) {
            return Ok(None);
        }
        refuse_names(program)?;
        let identities = Identities::of(program)?;
        let is_alike = |number: usize| {
            let is_plain = !identities.has(number) && refuse_identity(program, number).is_ok();
            several[number] && is_plain
        };
        let alike = (0..several.len()).map(is_alike).collect();
        Symmetry::made(program, may_forget_ends, alike, Some(identities)).map(Some)
    }

    fn made(
        program: &Program,
        may_forget_ends: bool,
        alike: Vec<bool>,
        identities: Option<Identities>,
    ) -> Result<Symmetry, Unsupported> {
        let forgets_ends = may_end(program);
        if forgets_ends {
            if !may_forget_ends {
                return Err(Unsupported("processes that end"));
            }
            refuse_notice_of_ends(program)?;
        }
        let kept = match identities {
            Some(_) => SHAPES_KEPT,
            None => 0,
        };
        Ok(Symmetry {
            alike,
            forgets_ends,
            groups: (0..SHAPES_KEPT).map(|_| OnceLock::new()).collect(),
            identities,
            layouts: (0..kept).map(|_| OnceLock::new()).collect(),
        })
    }

    /// The same for a program with fewer states that was made of this one, and that is searched. What is done with identities is proved again.
    pub fn renewed(self, program: &Program) -> Result<Symmetry, Unsupported> {
        let Some(before) = &self.identities else {
            return Ok(self);
        };
        let identities = Identities::of(program)?;
        let mut types = 0..program.process_types.len();
        match types.all(|number| identities.has(number) == before.has(number)) {
            true => Ok(Symmetry {
                identities: Some(identities),
                ..self
            }),
            false => Err(Unsupported("no identities of processes")),
        }
    }

    /// Are identities of processes kept at this offset of the frames of a type?
    pub fn keeps_identity(&self, process_type: usize, offset: u32) -> bool {
        let keeps = |identities: &Identities| identities.keeps(process_type, offset);
        self.identities.as_ref().is_some_and(keeps)
    }

    /// Must [`forget_ends`] change the program before it is searched?
    pub fn forgets_ends(&self) -> bool {
        self.forgets_ends
    }

    /// The names of the types that are alike.
    pub fn names<'p>(&'p self, program: &'p Program) -> impl Iterator<Item = &'p str> {
        let types = program.process_types.iter().enumerate();
        let has = |number: usize| {
            let identities = self.identities.as_ref();
            identities.is_some_and(|identities| identities.has(number))
        };
        types
            .filter(move |(number, _)| self.alike[*number] || has(*number))
            .map(|(_, process)| process.name.as_str())
    }

    /// Puts the state that stands for it in the place of a state. One inside an atomic sequence is left as it is: it is not stored.
    #[inline]
    pub fn represent(&self, interpreter: &Interpreter, state: &mut [u8]) {
        if interpreter.controller(state).is_none() {
            self.sort_identities(interpreter, state, |_| {});
            self.sort(interpreter, state, |_, _| {});
        }
    }

    fn sort_identities(
        &self,
        interpreter: &Interpreter,
        state: &mut [u8],
        moved: impl FnMut(&[(usize, usize)]),
    ) {
        if let Some(identities) = &self.identities {
            let made;
            let layout = match self.layouts.get(number_of_shape(state)) {
                Some(kept) => {
                    kept.get_or_init(|| identities.layout(interpreter, interpreter.shape(state)))
                }
                None => {
                    made = identities.layout(interpreter, interpreter.shape(state));
                    &made
                }
            };
            identities.sort(interpreter, layout, state, moved);
        }
    }

    /// Two identities of a state that may be exchanged, if there are any: all pairs of neighbours.
    pub fn exchanges(&self, interpreter: &Interpreter, state: &[u8]) -> Vec<Exchange> {
        let Some(identities) = &self.identities else {
            return Vec::new();
        };
        let layout = identities.layout(interpreter, interpreter.shape(state));
        identities.pairs(interpreter, &layout, state)
    }

    /// The state in which two identities are exchanged.
    pub fn exchanged(
        &self,
        interpreter: &Interpreter,
        state: &[u8],
        exchange: &Exchange,
    ) -> Vec<u8> {
        let Some(identities) = &self.identities else {
            return state.to_vec();
        };
        let layout = identities.layout(interpreter, interpreter.shape(state));
        identities.exchanged(interpreter, &layout, state, exchange)
    }

    /// Two processes of a state that may be exchanged, if there are any: all pairs of neighbours.
    pub fn pairs(&self, interpreter: &Interpreter, state: &[u8]) -> Vec<(usize, usize)> {
        let groups = self.group(interpreter, state);
        let neighbours = |members: &[Member]| -> Vec<(usize, usize)> {
            members
                .windows(2)
                .map(|two| (two[0].process, two[1].process))
                .collect()
        };
        groups
            .iter()
            .flat_map(|(_, members)| neighbours(members))
            .collect()
    }

    /// The steps of the program that a path from representative to representative stands for.
    pub fn unfold(&self, interpreter: &Interpreter, path: &[Step]) -> Vec<Step> {
        let (mut state, mut next) = (Vec::new(), Vec::new());
        let (mut steps, mut message) = (Vec::new(), Vec::new());
        if interpreter.initial(&mut state, &mut ()).is_err() {
            return path.to_vec();
        }
        // Which process of the program each one of the representative is.
        let mut real: Vec<u32> = (0..count(interpreter, &state)).collect();
        self.follow(interpreter, &mut state, &mut real);
        let mut unfolded = Vec::new();
        for step in path {
            unfolded.push(renamed(*step, &real));
            let outcome = interpreter.execute(&state, *step, &mut next, &mut message, &mut ());
            if !outcome.complete {
                break;
            }
            std::mem::swap(&mut state, &mut next);
            // One that is started has the same number in both, and nobody ends.
            real.extend(real.len() as u32..count(interpreter, &state));
            if interpreter.controller(&state).is_some() {
                steps.clear();
                if !interpreter.enabled(&state, &mut steps) {
                    interpreter.release(&mut state);
                }
            }
            self.follow(interpreter, &mut state, &mut real);
        }
        unfolded
    }

    fn follow(&self, interpreter: &Interpreter, state: &mut [u8], real: &mut [u32]) {
        if interpreter.controller(state).is_none() {
            self.sort_identities(interpreter, state, |moves| {
                let old = real.to_vec();
                for (from, to) in moves {
                    real[*to] = old[*from];
                }
            });
            self.sort(interpreter, state, |a, b| real.swap(a, b));
        }
    }

    /// Sorts the frames of processes that are alike. Most are in order: one step moves a process or two.
    #[inline]
    fn sort(
        &self,
        interpreter: &Interpreter,
        state: &mut [u8],
        mut exchanged: impl FnMut(usize, usize),
    ) {
        let made;
        let groups = match self.groups.get(number_of_shape(state)) {
            Some(kept) => kept.get_or_init(|| self.group(interpreter, state)),
            None => {
                made = self.group(interpreter, state);
                &made
            }
        };
        for (bytes, members) in groups {
            for last in 1..members.len() {
                let mut place = last;
                while place > 0 && exchange(state, *bytes, &members[place - 1..=place]) {
                    exchanged(members[place - 1].process, members[place].process);
                    place -= 1;
                }
            }
        }
    }

    #[cold]
    fn group(&self, interpreter: &Interpreter, state: &[u8]) -> Groups {
        let shape = interpreter.shape(state);
        let group = |number: usize| {
            let members = members(shape, number);
            let bytes = interpreter.program().process_types[number].frame_bytes as usize;
            (members.len() > 1).then_some((bytes, members))
        };
        let alike = (0..self.alike.len()).filter(|number| self.alike[*number]);
        alike.filter_map(group).collect()
    }
}

fn number_of_shape(state: &[u8]) -> usize {
    usize::from(u16::from_le_bytes([state[0], state[1]]))
}

fn members(shape: &Shape, process_type: usize) -> Box<[Member]> {
    let all = shape.processes.iter().enumerate();
    all.filter(|(_, entry)| entry.process_type.index() == process_type)
        .map(|(process, entry)| Member {
            process,
            frame: entry.offset as usize,
        })
        .collect()
}

/// Exchanges the frames of two processes if they are not in order.
#[inline]
fn exchange(state: &mut [u8], bytes: usize, two: &[Member]) -> bool {
    let (before, after) = state.split_at_mut(two[1].frame);
    let first = &mut before[two[0].frame..two[0].frame + bytes];
    let second = &mut after[..bytes];
    let is_wrong = *first > *second;
    if is_wrong {
        first.swap_with_slice(second);
    }
    is_wrong
}

fn count(interpreter: &Interpreter, state: &[u8]) -> u32 {
    interpreter.shape(state).processes.len() as u32
}

/// The same step under the names that processes have in the program.
fn renamed(step: Step, real: &[u32]) -> Step {
    let choice = match step.partner() {
        Some((partner, position)) => {
            Step::meeting(real[partner] as usize, position) | step.choice & Step::SECOND
        }
        None => step.choice,
    };
    Step {
        process: real[step.process as usize],
        choice,
        ..step
    }
}

/// Takes the ends of processes out of a program: their guards are never true.
pub fn forget_ends(program: &mut Program) {
    let never = ExpressionId(program.expressions.len() as u32);
    program.expressions.push(Expression::Constant(0));
    for number in 0..program.transitions.len() {
        if ends(program, number) {
            program.transitions[number].guard = never;
        }
    }
}

/// The steps to a state of the program, and the ends of those processes that can end there.
pub fn with_ends(interpreter: &Interpreter, mut steps: Vec<Step>) -> Vec<Step> {
    let (mut state, mut next) = (Vec::new(), Vec::new());
    let (mut possible, mut message) = (Vec::new(), Vec::new());
    if interpreter.initial(&mut state, &mut ()).is_err() {
        return steps;
    }
    let mut taken = 0;
    loop {
        possible.clear();
        settled_steps(interpreter, &mut state, &mut possible);
        if taken == steps.len() {
            let end = possible
                .iter()
                .find(|step| ends(interpreter.program(), step.transition.index()));
            match end {
                Some(end) => steps.push(*end),
                None => return steps,
            }
        }
        let outcome = interpreter.execute(&state, steps[taken], &mut next, &mut message, &mut ());
        taken += 1;
        if !outcome.complete {
            return steps;
        }
        std::mem::swap(&mut state, &mut next);
    }
}

/// Does a transition end its process?
fn ends(program: &Program, transition: usize) -> bool {
    let effect = program.transitions[transition].effect.clone();
    program.code[effect.start as usize..effect.end as usize].contains(&Instruction::Die)
}

/// Which types may have several processes at the same time, or one after the other.
fn several(program: &Program) -> Vec<bool> {
    let types = program.process_types.len();
    let mut several = vec![false; types];
    // Whoever is started several times, or by somebody of whom there are several.
    loop {
        let mut counts = vec![0; types];
        count_runs(program, program.start.clone(), 1, &mut counts);
        for (number, process) in program.process_types.iter().enumerate() {
            for location in process.locations.clone() {
                for transition in program.locations[location as usize].transitions.clone() {
                    let effect = program.transitions[transition as usize].effect.clone();
                    let code = &program.code[effect.start as usize..effect.end as usize];
                    // A long process is looked through for few of its steps.
                    if !code
                        .iter()
                        .any(|code| matches!(code, Instruction::Run { .. }))
                    {
                        continue;
                    }
                    let is_again = several[number] || leads_back(program, location);
                    count_runs(program, effect, 1 + usize::from(is_again), &mut counts);
                }
            }
        }
        let found: Vec<bool> = counts.into_iter().map(|count| count > 1).collect();
        if found == several {
            return several;
        }
        several = found;
    }
}

fn count_runs(program: &Program, code: std::ops::Range<u32>, times: usize, counts: &mut [usize]) {
    let code = &program.code[code.start as usize..code.end as usize];
    // An effect with jumps may go round.
    let jumps = |one: &Instruction| matches!(one, Instruction::Jump(_));
    let times = times + usize::from(code.iter().any(jumps));
    for instruction in code {
        if let Instruction::Run { process_type, .. } = instruction {
            counts[process_type.index()] += times;
        }
    }
}

/// Can a process come back to a location?
fn leads_back(program: &Program, location: u32) -> bool {
    let mut seen = vec![false; program.locations.len()];
    let mut open = vec![location];
    while let Some(next) = open.pop() {
        for transition in program.locations[next as usize].transitions.clone() {
            let Some(target) = program.transitions[transition as usize].target else {
                continue;
            };
            if target.0 == location {
                return true;
            }
            if !std::mem::replace(&mut seen[target.index()], true) {
                open.push(target.0);
            }
        }
    }
    false
}

/// Whatever names or orders processes.
fn refuse_names(program: &Program) -> Result<(), Unsupported> {
    let used = Used::by(program);
    if program.features.priority {
        return Err(Unsupported("priorities"));
    }
    if program.features.last {
        return Err(Unsupported("_last"));
    }
    for expression in used.expressions(program) {
        match expression {
            Expression::At { .. }
            | Expression::Marked { .. }
            | Expression::Enabled(_)
            | Expression::LocationOf(_)
            | Expression::PriorityOf(_) => {
                return Err(Unsupported("a look at another process"));
            }
            _ => {}
        }
    }
    let is_remote = |place| matches!(base(program, place), Base::Remote(..));
    match used.places().any(is_remote) {
        true => Err(Unsupported("a variable of another process")),
        false => Ok(()),
    }
}

fn base(program: &Program, place: mazurka_model::PlaceId) -> Base {
    program.places[place.index()].base
}

/// Whatever tells the processes of a type apart.
fn refuse_identity(program: &Program, number: usize) -> Result<(), Unsupported> {
    let used = Used::by_type(program, number);
    let mut expressions = used.expressions(program);
    if expressions.any(|expression| matches!(expression, Expression::SelfProcess)) {
        return Err(Unsupported("_pid"));
    }
    let is_kept = |instruction: &Instruction| {
        matches!(instruction, Instruction::Run { process_type, result: Some(_), .. }
            if process_type.index() == number)
    };
    if program.code.iter().any(is_kept) {
        return Err(Unsupported("the number of a process that is started"));
    }
    match makes_channels(program, number) {
        true => Err(Unsupported("channels that belong to a process")),
        false => Ok(()),
    }
}

/// The code of a type: what starts a process, and all effects.
fn code_of(program: &Program, number: usize) -> impl Iterator<Item = &Instruction> {
    let process = &program.process_types[number];
    let locations = process.locations.clone();
    let effects = locations.flat_map(|location| {
        let transitions = program.locations[location as usize].transitions.clone();
        transitions.map(|transition| program.transitions[transition as usize].effect.clone())
    });
    std::iter::once(process.start.clone())
        .chain(effects)
        .flat_map(|code| &program.code[code.start as usize..code.end as usize])
}

fn makes_channels(program: &Program, number: usize) -> bool {
    let is_new = |code: &Instruction| matches!(code, Instruction::NewChannel(..));
    code_of(program, number).any(is_new)
}

/// Can a process come to its end?
fn may_end(program: &Program) -> bool {
    (0..program.process_types.len()).any(|number| {
        let process = &program.process_types[number];
        let mut seen = vec![false; program.locations.len()];
        let mut open = vec![process.initial.0];
        while let Some(location) = open.pop() {
            if std::mem::replace(&mut seen[location as usize], true) {
                continue;
            }
            for transition in program.locations[location as usize].transitions.clone() {
                if ends(program, transition as usize) {
                    return true;
                }
                let target = program.transitions[transition as usize].target;
                open.extend(target.map(|target| target.0));
            }
        }
        false
    })
}

/// Whatever would notice that a process has ended.
fn refuse_notice_of_ends(program: &Program) -> Result<(), Unsupported> {
    if program.features.timeout {
        return Err(Unsupported("timeout, which waits for processes to end"));
    }
    let used = Used::by(program);
    let mut expressions = used.expressions(program);
    if expressions.any(|expression| matches!(expression, Expression::ProcessCount)) {
        return Err(Unsupported("_nr_pr"));
    }
    let types = 0..program.process_types.len();
    if types.clone().any(|number| makes_channels(program, number)) {
        return Err(Unsupported("channels that end with their process"));
    }
    // The number of one that has ended is given to the next.
    let is_run = |code: &Instruction| matches!(code, Instruction::Run { .. });
    let mut all = types.clone();
    if !all.any(|number| code_of(program, number).any(is_run)) {
        return Ok(());
    }
    let is_number = |expression: &Expression| matches!(expression, Expression::SelfProcess);
    let is_kept = |code: &Instruction| {
        matches!(
            code,
            Instruction::Run {
                result: Some(_),
                ..
            }
        )
    };
    let knows = |number: usize| {
        let used = Used::by_type(program, number);
        let mut expressions = used.expressions(program);
        expressions.any(is_number) || code_of(program, number).any(is_kept)
    };
    match types.into_iter().any(knows) {
        true => Err(Unsupported("numbers of processes that are given again")),
        false => Ok(()),
    }
}
