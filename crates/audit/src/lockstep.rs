//! The program that is searched and the model, side by side.
//!
//! Structural reductions change a copy of the program: runs of local steps keep control, variables that nobody reads again are
//! set to 0. The steps are the same, and so is the layout of states, so a state of one program is a state of the other. From such a
//! state both must have the same continuations:
//!
//! - What the changed program does, the model does by the same steps.
//! - What the model does, the changed program does by the same steps in another order: those of a local run come at once,
//!   where the model may let others go first. If the walk ends before the run does, the model continues with the rest of it.
//!
//! Each time both must then be in the same state but for local variables, have met the same failures, be able to take
//! the same steps, and be allowed to end or not. Local variables may differ, since some are dead in one of them; a variable that is not dead after
//! all shows when it is read. A step inside a run that only the changed program has must not change what a claim sees.

use mazurka_model::{Failure, Interpreter, Step};

use crate::finding::{Finding, Kind, Tally, identity};
use crate::random::Random;

/// Inside one walk, a run of local steps that nobody has asked for is not followed further.
const LONGEST_RUN: usize = 256;
/// This many walks begin in the initial state where a search does not say which states it meets.
const WALKS_FROM_THE_START: u64 = 64;
/// They are so long.
const LENGTH_FROM_THE_START: usize = 200;

/// What a claim sees of a state; nothing if there is none.
pub(crate) type Labels<'l> = &'l dyn Fn(&[u8]) -> Vec<u8>;

/// The two programs.
#[derive(Clone, Copy)]
pub(crate) struct Pair<'p> {
    /// What is searched.
    pub searched: &'p Interpreter,
    /// What was to be searched.
    pub model: &'p Interpreter,
}

/// Who goes first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Way {
    /// What is searched walks, and the model follows.
    Searched,
    /// The model walks.
    Model,
}

impl Way {
    /// Both.
    pub const ALL: [Way; 2] = [Way::Searched, Way::Model];
}

/// Do both programs have the same continuations from this state, as far as a walk of this length each way shows?
pub(crate) fn check_structure(
    pair: Pair<'_>,
    state: &[u8],
    (ways, length): (&[Way], usize),
    labels: Labels<'_>,
    random: &mut Random,
    tally: &mut Tally,
) {
    for way in ways {
        let way = match way {
            Way::Searched => Pair::follow_searched,
            Way::Model => Pair::follow_model,
        };
        tally.walks += 1;
        tally.count(Kind::Structure);
        let mut walk = Vec::new();
        match way(pair, state, length, labels, random, &mut walk) {
            Ok(()) => {}
            Err(Trouble::Undecided) => tally.undecided += 1,
            Err(Trouble::Differs(message)) => {
                tally.fail(Finding {
                    kind: Kind::Structure,
                    message,
                    state: identity(pair.searched, state),
                    walk,
                    about: Vec::new(),
                });
                return;
            }
        }
    }
}

/// Compares both programs by walks from the initial state, for searches that have no reduction to audit them.
pub fn walk_from_the_start(searched: &Interpreter, model: &Interpreter) -> Tally {
    let mut tally = Tally::default();
    let mut state = Vec::new();
    if searched.initial(&mut state, &mut ()).is_err() {
        return tally;
    }
    let pair = Pair { searched, model };
    tally.states = 1;
    for seed in 0..WALKS_FROM_THE_START / 2 {
        let random = &mut Random::new(seed);
        let walks = (&Way::ALL[..], LENGTH_FROM_THE_START);
        check_structure(pair, &state, walks, &|_| Vec::new(), random, &mut tally);
    }
    tally
}

enum Trouble {
    Undecided,
    Differs(String),
}

fn differs<T>(message: impl Into<String>) -> Result<T, Trouble> {
    Err(Trouble::Differs(message.into()))
}

/// A program on its way.
struct Walker<'i> {
    interpreter: &'i Interpreter,
    state: Vec<u8>,
    possible: Vec<Step>,
    failures: Vec<Failure>,
    next: Vec<u8>,
    message: Vec<i32>,
}

impl<'i> Walker<'i> {
    fn new(interpreter: &'i Interpreter, state: &[u8]) -> Walker<'i> {
        Walker {
            interpreter,
            state: state.to_vec(),
            possible: Vec::new(),
            failures: Vec::new(),
            next: Vec::new(),
            message: Vec::new(),
        }
    }

    /// Finds what is possible. Whoever has control and cannot use it loses it.
    fn look(&mut self) {
        self.possible.clear();
        let leads_on = self.interpreter.enabled(&self.state, &mut self.possible);
        if !leads_on && self.is_passing() {
            self.interpreter.release(&mut self.state);
            self.possible.clear();
            self.interpreter.enabled(&self.state, &mut self.possible);
        }
    }

    fn is_passing(&self) -> bool {
        self.interpreter.controller(&self.state).is_some()
    }

    /// Takes a step, and says whether it leads anywhere. If it does not, nothing has happened.
    fn step(&mut self, step: Step) -> bool {
        let outcome = self.interpreter.execute(
            &self.state,
            step,
            &mut self.next,
            &mut self.message,
            &mut (),
        );
        if outcome.complete {
            self.failures.extend(outcome.failure);
            std::mem::swap(&mut self.state, &mut self.next);
        }
        outcome.complete
    }
}

impl Pair<'_> {
    /// A walk of the changed program, by the model.
    fn follow_searched(
        self,
        state: &[u8],
        length: usize,
        labels: Labels<'_>,
        random: &mut Random,
        walk: &mut Vec<Step>,
    ) -> Result<(), Trouble> {
        let mut searched = Walker::new(self.searched, state);
        let mut model = Walker::new(self.model, state);
        loop {
            searched.look();
            model.look();
            if !searched.is_passing() {
                self.compare(&searched, &model)?;
                if walk.len() >= length {
                    return Ok(());
                }
            } else if walk.len() >= length + LONGEST_RUN {
                return Err(Trouble::Undecided);
            }
            let Some(step) = random.pick(&searched.possible) else {
                return Ok(());
            };
            if !model.possible.contains(&step) {
                return differs("the model cannot take a step of the program that is searched");
            }
            let is_inside = searched.is_passing() && !model.is_passing();
            let seen = is_inside.then(|| labels(&searched.state));
            let ends = (searched.step(step), model.step(step));
            if ends.0 != ends.1 {
                return differs("a step fails in only one of the programs");
            }
            if !ends.0 {
                return Ok(());
            }
            walk.push(step);
            if seen.is_some_and(|seen| seen != labels(&searched.state)) {
                return differs("a step inside a local run changes what the claim sees");
            }
        }
    }

    /// A walk of the model, by the changed program.
    fn follow_model(
        self,
        state: &[u8],
        length: usize,
        labels: Labels<'_>,
        random: &mut Random,
        walk: &mut Vec<Step>,
    ) -> Result<(), Trouble> {
        let mut model = Walker::new(self.model, state);
        loop {
            model.look();
            let is_over = walk.len() >= length && !model.is_passing();
            if is_over || walk.len() >= length + LONGEST_RUN {
                break;
            }
            let Some(step) = random.pick(&model.possible) else {
                break;
            };
            if !model.step(step) {
                break;
            }
            walk.push(step);
        }
        if model.is_passing() {
            return Err(Trouble::Undecided);
        }
        let mut rest = walk.clone();
        let mut searched = Walker::new(self.searched, state);
        let mut added = 0;
        // Did the last step keep control in the model itself?
        let mut held: Option<bool> = None;
        loop {
            searched.look();
            let holder = self.searched.controller(&searched.state);
            let position = match holder {
                Some(holder) => rest.iter().position(|step| step.process as usize == holder),
                None if rest.is_empty() => break,
                None => Some(0),
            };
            let step = match position {
                Some(position) => rest.remove(position),
                // The walk has ended before the run has.
                None => {
                    let Some(step) = random.pick(&searched.possible) else {
                        return Err(Trouble::Undecided);
                    };
                    model.look();
                    if !model.possible.contains(&step) {
                        return differs("the model cannot go on with a local run");
                    }
                    added += 1;
                    if added > LONGEST_RUN || !model.step(step) {
                        return Err(Trouble::Undecided);
                    }
                    walk.push(step);
                    step
                }
            };
            if !searched.possible.contains(&step) {
                return differs("the program that is searched cannot take a step of the model");
            }
            // Inside an atomic sequence of the model the claim sees nothing anyway.
            let is_local = holder.is_some() && held == Some(false);
            held = Some(self.holds(&searched.state, step));
            let seen = is_local.then(|| labels(&searched.state));
            if !searched.step(step) {
                return differs("a step fails in the program that is searched, not in the model");
            }
            if seen.is_some_and(|seen| seen != labels(&searched.state)) {
                return differs("a step inside a local run changes what the claim sees");
            }
        }
        model.look();
        if model.is_passing() {
            return Err(Trouble::Undecided);
        }
        // Failures may have been met in another order.
        let by_text = |failures: &mut Vec<Failure>| {
            failures.sort_by_cached_key(|failure| format!("{failure:?}"));
        };
        by_text(&mut searched.failures);
        by_text(&mut model.failures);
        self.compare(&searched, &model)
    }

    /// Does a step keep control in the model itself, or hand it to the partner of a rendezvous?
    fn holds(self, state: &[u8], step: Step) -> bool {
        let partner = self.searched.partner(state, step);
        let mut transitions = [
            Some(step.transition),
            partner.map(|(_, transition)| transition),
        ]
        .into_iter()
        .flatten();
        transitions.any(|transition| self.model.program().transitions[transition.index()].holds)
    }

    /// Are both programs in the same state but for local variables, and can they do the same?
    fn compare(self, searched: &Walker<'_>, model: &Walker<'_>) -> Result<(), Trouble> {
        if searched.failures != model.failures {
            return differs(format!(
                "the program that is searched meets other failures than the model: {:?} instead of {:?}",
                searched.failures, model.failures
            ));
        }
        if !self.is_alike(&searched.state, &model.state) {
            return differs("the program that is searched comes to another state than the model");
        }
        if searched.possible != model.possible {
            return differs("the program that is searched can take other steps than the model");
        }
        let ends = (
            self.searched.is_valid_end(&searched.state),
            self.model.is_valid_end(&model.state),
        );
        match ends.0 == ends.1 {
            true => Ok(()),
            false => differs("only one of the programs may end here"),
        }
    }

    fn is_alike(self, searched: &[u8], model: &[u8]) -> bool {
        let shape = self.searched.shape(searched);
        if searched.len() != model.len() || searched[..2] != model[..2] {
            return false;
        }
        let types = &self.searched.program().process_types;
        let mut from = 0;
        let frames = shape.processes.iter().map(|process| {
            let start = process.offset as usize;
            start..start + types[process.process_type.index()].frame_bytes as usize
        });
        // Frames and channels stand in the order of their creation, so frames do too.
        for frame in frames {
            if searched[from..frame.start] != model[from..frame.start] {
                return false;
            }
            from = frame.end;
        }
        let location = |interpreter: &Interpreter, state: &[u8], process: usize| {
            interpreter.location(state, process)
        };
        searched[from..] == model[from..]
            && (0..shape.processes.len()).all(|process| {
                location(self.searched, searched, process) == location(self.model, model, process)
            })
    }
}
