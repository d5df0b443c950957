//! What operations mean: when they are possible, what they are to their objects, what they do.
//! For all that concerns an object this is asked of `mazurka-objects`.

use mazurka_objects::history::{self, Past};
use mazurka_objects::real::{self, Effect, Kind, ObjectKind};

use crate::actor::ActorState;
use crate::kernel::Kernel;
use crate::operation::{ObjectId, Operation};
use crate::policy::Refinement;

impl Kernel {
    /// Whether the pending operation of an actor is possible now.
    #[inline]
    pub fn is_possible(&self, actor: usize) -> bool {
        let operation = &self.actors[actor].pending;
        if self.actors[actor].is_awaiting != 0 {
            let mut seen = operation.objects().zip(self.actors[actor].awaited);
            return seen.any(|(object, version)| self.object(object).version != version);
        }
        if !operation.kind.waits() {
            return true;
        }
        if operation.kind == Kind::JOIN {
            let target = self.actors.get(operation.argument as usize);
            return target.is_some_and(|target| target.state == ActorState::FINISHED);
        }
        let (object, second) = (self.object(operation.object), self.object(operation.second));
        real::is_possible(&operation.call(actor, 0), object, second)
    }

    /// What an operation would be if it were performed now, no matter by whom.
    #[inline]
    pub fn effect(&self, operation: &Operation) -> Effect {
        if operation.kind == Kind::TOSS {
            return Effect {
                choices: operation.argument.clamp(1, 1 << 20) as u32,
                ..Effect::default()
            };
        }
        let (object, second) = (self.object(operation.object), self.object(operation.second));
        let refined = self.policy.refined != Refinement::NONE;
        let mut effect = real::effect(&operation.call(0, 0), object, second, refined);
        // A variable that is waited for together with something else.
        if operation.second != ObjectId::NONE && object.kind == ObjectKind::VARIABLE {
            effect.second = real::watching(second);
        }
        effect
    }

    /// Performs an operation that is possible, and gives its result.
    #[inline]
    pub(crate) fn apply(&mut self, actor: usize, operation: &Operation, choice: u32) -> i64 {
        let call = operation.call(actor, choice);
        let object = &mut self.objects[operation.object.index()];
        let told = real::perform(&call, object);
        match operation.kind {
            Kind::TOSS => choice.into(),
            Kind::SEND | Kind::TRY_SEND => {
                let told = told.unwrap_or(0);
                if told > 0 && object.width > 0 {
                    let number = told as u32 - 1;
                    let slot = object.slots + number % object.bound * object.width;
                    self.words[slot as usize] = operation.argument as u64;
                }
                told
            }
            _ if operation.second == ObjectId::NONE => told.unwrap_or(0),
            _ => {
                let second = &mut self.objects[operation.second.index()];
                let beside = real::perform_beside(&call, second);
                beside.or(told).unwrap_or(0)
            }
        }
    }

    /// What the operation that an actor waits to perform will be to its object when it is
    /// possible. Nothing if that is not for others who use the object to decide.
    pub fn wish(&self, actor: usize) -> Option<Past> {
        let operation = &self.actors[actor].pending;
        // Who has not been notified waits for that, not for the mutex.
        if !real::waits_for_first(&operation.call(actor, 0), self.object(operation.second)) {
            return None;
        }
        let mut past = self.effect(operation).past;
        past.role = real::wish(operation.kind, past.role)?;
        Some(past)
    }

    /// Whether two operations of different actors, both possible, give the same results and leave
    /// the same state in either order, here and now.
    ///
    /// This is the conditional independence of sleep sets: it need not hold in any other state.
    pub fn commute_now(&self, one: (usize, &Operation), other: (usize, &Operation)) -> bool {
        let (a, b) = (one.1, other.1);
        // Two objects at once are left to the constant relation.
        if a.object != b.object || a.second != ObjectId::NONE || b.second != ObjectId::NONE {
            return false;
        }
        real::commute_now(
            &a.call(one.0, 0),
            &b.call(other.0, 0),
            self.object(a.object),
        )
    }

    /// The words of the message with this number, from when it is sent to when its slot is
    /// used again.
    pub fn message(&mut self, queue: ObjectId, number: u32) -> &mut [u64] {
        let object = self.object(queue);
        if object.bound == 0 {
            return &mut [];
        }
        let slot = (object.slots + number % object.bound * object.width) as usize;
        let end = slot + object.width as usize;
        self.words.get_mut(slot..end).unwrap_or_default()
    }

    /// Whether two steps that could come next may come in either order.
    #[inline]
    pub fn commute(a: (&Operation, &Effect), b: (&Operation, &Effect)) -> bool {
        let ((first, of_first), (second, of_second)) = (a, b);
        let meet = |x: ObjectId, y: ObjectId| x == y && x != ObjectId::NONE;
        // What is only watched is a variable that is read.
        let bears = |(watching, _): (&Operation, &Effect),
                     (other, of_other): (&Operation, &Effect)| {
            let mut watched = watching.more.iter();
            watched.all(|&object| {
                (!meet(object, other.object) || history::commute(&Past::READ, &of_other.past))
                    && (!meet(object, other.second)
                        || history::commute(&Past::READ, &of_other.second))
            })
        };
        let watch = first.more[0] != ObjectId::NONE || second.more[0] != ObjectId::NONE;
        if watch && !(bears(a, b) && bears(b, a)) {
            return false;
        }
        (!meet(first.object, second.object) || history::commute(&of_first.past, &of_second.past))
            && (!meet(first.object, second.second)
                || history::commute(&of_first.past, &of_second.second))
            && (!meet(first.second, second.object)
                || history::commute(&of_first.second, &of_second.past))
            && (!meet(first.second, second.second)
                || history::commute(&of_first.second, &of_second.second))
    }
}
