//! What a search needs to know of a system.

use std::fmt::Debug;
use std::ops::Range;

/// A finite-branching transition system whose states are byte strings.
///
/// This is all that a search knows. It must be a pure function of the state: the same state
/// always has the same steps, in the same order, and the same step leads to the same state.
pub trait System: Sync {
    /// What happens between two states. A list of steps from the initial state is a scenario.
    type Step: Copy + PartialEq + Debug + Send + Sync;
    /// What can go wrong in a step.
    type Failure: Copy + PartialEq + Debug + Send + Sync;
    /// Memory that a worker keeps between steps.
    type Scratch: Default + Send;

    /// Makes the initial state.
    fn initial(&self, state: &mut Vec<u8>) -> Result<(), Self::Failure>;

    /// Appends the steps that are possible in a state, and says whether one of them leads on: a
    /// step may also do no more than fail.
    fn enabled(&self, state: &[u8], steps: &mut Vec<Self::Step>) -> bool;

    /// Does the same, knowing another state, mostly the one that this was reached from, and its steps: they
    /// are in `steps`, from `known.start` to before `known.end`, all of them in the order in which
    /// [`System::enabled`] put them there.
    fn enabled_beside(
        &self,
        _other: &[u8],
        _known: Range<usize>,
        state: &[u8],
        steps: &mut Vec<Self::Step>,
    ) -> bool {
        self.enabled(state, steps)
    }

    /// Makes `next` the state that a step leads to.
    fn execute(
        &self,
        scratch: &mut Self::Scratch,
        state: &[u8],
        step: Self::Step,
        next: &mut Vec<u8>,
    ) -> Outcome<Self::Failure>;

    /// Goes on in a passing state, in place, as long as exactly one step is possible and nothing is wrong with it. Appends the
    /// steps, at most this many, and marks what they carry out as [`System::cover`] does. All states on the way are passing; the
    /// last one need not be. To do nothing is always right.
    fn run_on(
        &self,
        _scratch: &mut Self::Scratch,
        _state: &mut Vec<u8>,
        _most: usize,
        _taken: &mut Vec<Self::Step>,
        _covered: &mut [bool],
    ) {
    }

    /// Is this a state in the middle of an atomic sequence? Nobody else can see it, so it is
    /// neither stored nor counted. One that no step leads on from is not passing any more:
    /// [`System::settle`] turns it into an ordinary state.
    fn is_passing(&self, state: &[u8]) -> bool;

    /// Ends the atomic sequence that a passing state is in.
    fn settle(&self, state: &mut [u8]);

    /// How many bytes at the end of each state do not tell it from others.
    fn ignored_suffix(&self) -> usize;

    /// May the system stop for ever in this state?
    fn is_valid_end(&self, state: &[u8]) -> bool;

    /// How many transitions the system's text has.
    fn transitions(&self) -> usize;

    /// Marks the transitions of the text that a step carries out.
    fn cover(&self, state: &[u8], step: Self::Step, covered: &mut [bool]);

    /// How much work has been done in steps that take far longer than others, counted in small steps. What bounds its own effort asks
    /// before and after a step.
    fn work(&self) -> u64 {
        0
    }

    /// What is needed, beyond their bytes, to understand the states made so far: a system that numbers
    /// what it meets has to number it in the same way when a search goes on.
    fn context(&self) -> Vec<u8> {
        Vec::new()
    }

    /// Learns what [`System::context`] said, before it has made a state. Says whether it could.
    fn restore(&self, context: &[u8]) -> bool {
        context.is_empty()
    }

    /// How many things were numbered so far, all of which [`System::context`] names in the order of their numbers. Where nothing is
    /// numbered, equal states are equal bytes in every process.
    fn names(&self) -> usize {
        0
    }

    /// Learns what [`System::context`] said in another process, and appends which numbers the things have here. Says whether it could.
    fn learn(&self, context: &[u8], _numbers: &mut Vec<u16>) -> bool {
        context.is_empty()
    }

    /// Gives a state of another process the numbers that its things have here, by what [`System::learn`] appended. Says whether it could.
    fn rename(&self, _state: &mut [u8], _numbers: &[u16]) -> bool {
        true
    }

    /// What the numbers in a state stand for, as a number that is the same in every process, and how many bytes at the beginning of
    /// the state are such numbers.
    fn essence(&self, _state: &[u8]) -> (u64, usize) {
        (0, 0)
    }

    /// Have these bytes the form of a state, so that all of this can be asked of them? States that were saved are asked for it
    /// before they are used: the file may be damaged, or forged. A system whose searches are saved must be able to tell.
    fn is_state(&self, _state: &[u8]) -> bool {
        true
    }

    /// Does a failure only mean that nobody can say how the execution goes on, so that it is not what is looked for? Such a dead end is
    /// noted, and the search goes on elsewhere.
    fn is_dead_end(_failure: &Self::Failure) -> bool {
        false
    }

    /// Does an atomic sequence that never ends keep anybody from saying how the execution goes on? Then it is a dead end, too.
    fn minds_endless_sequences(&self) -> bool {
        false
    }

    /// Does a step send or receive a message?
    fn traffic(&self, _step: Self::Step) -> Traffic {
        Traffic::Neither
    }
}

/// What a step does with messages.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Traffic {
    /// It puts one into a channel.
    Sends,
    /// It takes one out.
    Receives,
    /// It does neither, or both at once.
    Neither,
}

/// A system some of whose executions are to be found: those that come to accepting states again
/// and again.
pub trait Acceptance: System {
    /// Is this an accepting state? Asked only of states that are not passing; what was met inside
    /// the atomic sequence that led to one must be known to it.
    fn is_accepting(&self, state: &[u8]) -> bool;
}

/// What a step led to.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Outcome<F> {
    /// What went wrong, if anything.
    pub failure: Option<F>,
    /// Is there a next state?
    pub complete: bool,
}

/// Chooses a part of the possible steps that stands for all of them.
pub trait Reduction<Y: System> {
    /// Puts the steps that have to be explored in front and says how many there are. All of them
    /// is always right.
    fn select(&mut self, system: &Y, state: &[u8], steps: &mut [Y::Step]) -> usize;

    /// The first `chosen` steps, all taken by now, do not suffice for the property: puts more of them
    /// behind these and says how many there are then. The rest, in any order, comes last.
    fn widen(
        &mut self,
        _system: &Y,
        _state: &[u8],
        steps: &mut [Y::Step],
        _chosen: usize,
    ) -> usize {
        steps.len()
    }

    /// Does taking two steps of different processes that are both possible in this state, in either
    /// order, lead to the same state, and does neither make the other impossible? Also if one of them
    /// begins an atomic sequence. To say no is always right.
    fn independent(&mut self, _system: &Y, _state: &[u8], _a: Y::Step, _b: Y::Step) -> bool {
        false
    }

    /// Does it ever choose less than all?
    fn reduces(&self) -> bool {
        true
    }

    /// Does it always leave all steps as they are, in their order? To say no is always right.
    fn is_idle(&self) -> bool {
        false
    }

    /// States, of those it was asked about, that are to be looked up in the store when the search is over, without
    /// what does not tell them from others: whoever audits a search keeps some.
    fn remembered(&self) -> &[Box<[u8]>] {
        &[]
    }

    /// The store gave this back for the remembered state of that number.
    fn looked_up(&mut self, _number: usize, _found: &Lookup) {}
}

/// What a store has to say, at the end of a search, about a state that was put into it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Lookup {
    /// It does not know it.
    Lost,
    /// It knows it; what it keeps is not enough to give it back.
    Known,
    /// It knows it, and gives it back as this.
    Unpacked(Vec<u8>),
}

/// No reduction.
impl<Y: System> Reduction<Y> for () {
    #[inline]
    fn select(&mut self, _: &Y, _: &[u8], steps: &mut [Y::Step]) -> usize {
        steps.len()
    }

    fn reduces(&self) -> bool {
        false
    }

    fn is_idle(&self) -> bool {
        true
    }
}
