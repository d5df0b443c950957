//! What operations mean: when they are possible, what they are to their objects, what they do.

use mazurka_objects::cell;
use mazurka_objects::history::{self, Past, Role};

use crate::actor::ActorState;
use crate::kernel::Kernel;
use crate::object::Object;
use crate::operation::{Kind, ObjectId, Operation};
use crate::policy::Refinement;
use crate::record::second_past;
use crate::refined::on_cell;

/// What an operation would be if it were performed now.
#[derive(Clone, Copy, Debug)]
pub struct Effect {
    /// What it would be to its object.
    pub past: Past,
    /// What it would be to its second object.
    pub second: Past,
    /// In how many ways it can end; at least one.
    pub choices: u32,
}

/// How a lock is held: by an owner, by readers. See [`Past::before`].
#[inline]
fn held(object: &Object) -> u32 {
    u32::from(object.owner != 0) | u32::from(object.sent != 0) << 1
}

impl Kernel {
    /// Whether the pending operation of an actor is possible now.
    #[inline]
    pub fn is_possible(&self, actor: usize) -> bool {
        let operation = &self.actors[actor].pending;
        if !operation.kind.waits() {
            return true;
        }
        let object = self.object(operation.object);
        match operation.kind {
            Kind::JOIN => {
                let target = operation.argument as usize;
                (self.actors.get(target)).is_some_and(|target| target.state == ActorState::FINISHED)
            }
            Kind::SEND => object.length() < object.bound || object.deaf != 0,
            Kind::RECEIVE => object.length() > 0 || object.senders == 0,
            Kind::TAKE => object.value > 0,
            Kind::LOCK | Kind::REACQUIRE_TIMED | Kind::READ_LOCK => object.owner == 0,
            Kind::WRITE_LOCK => object.owner == 0 && object.sent == 0,
            Kind::REACQUIRE => {
                object.owner == 0 && self.object(operation.second).actors & (1 << actor) == 0
            }
            Kind::PASS => object.value > operation.argument,
            _ => true,
        }
    }

    /// What an operation of an actor would be if it were performed now.
    #[inline]
    pub fn effect(&self, operation: &Operation) -> Effect {
        let object = self.object(operation.object);
        let mut effect = Effect {
            past: Past {
                blocking: operation.kind.waits(),
                ..Past::default()
            },
            second: Past::default(),
            choices: 1,
        };
        let past = &mut effect.past;
        match operation.kind {
            Kind::TOSS => effect.choices = operation.argument.clamp(1, 1 << 20) as u32,
            Kind::READ => past.role = Role::Read,
            Kind::ADD => past.role = Role::Add,
            Kind::WRITE if self.policy.refined != Refinement::NONE => {
                *past = Past::write(object.cell_width().wrap(operation.argument));
            }
            Kind::WRITE
            | Kind::FETCH_ADD
            | Kind::SWAP
            | Kind::FETCH_AND
            | Kind::FETCH_OR
            | Kind::FETCH_XOR
            | Kind::FETCH_MAX
            | Kind::FETCH_MIN => past.role = Role::Update,
            Kind::COMPARE_EXCHANGE => {
                let expected = object.cell_width().wrap(operation.argument);
                let succeeds = object.value == expected;
                past.role = if succeeds { Role::Update } else { Role::Read };
            }
            Kind::SEND | Kind::TRY_SEND => {
                let succeeds = object.length() < object.bound && object.deaf == 0;
                past.role = if succeeds { Role::Send } else { Role::SendMiss };
                past.number = object.sent;
            }
            Kind::RECEIVE | Kind::TRY_RECEIVE => {
                let succeeds = object.length() > 0;
                past.role = if succeeds {
                    Role::Receive
                } else {
                    Role::ReceiveMiss
                };
                past.number = object.received;
            }
            Kind::LENGTH => past.role = Role::Length,
            Kind::CLOSE_SENDER => past.role = Role::SenderClose,
            Kind::CLOSE_RECEIVER => past.role = Role::ReceiverClose,
            Kind::TAKE | Kind::TRY_TAKE | Kind::RELEASE => {
                let count = object.value.clamp(0, i64::from(u32::MAX)) as u32;
                let gives = operation.kind == Kind::RELEASE;
                if self.policy.refined != Refinement::NONE {
                    let refined = match gives {
                        true => Past::release(count, object.received),
                        false => Past::take(count, object.received),
                    };
                    effect.past = Past {
                        blocking: past.blocking,
                        ..refined
                    };
                    return effect;
                }
                past.role = match count {
                    _ if gives => Role::Release,
                    0 => Role::Look,
                    _ => Role::Take,
                };
                past.before = count;
            }
            Kind::LOCK | Kind::TRY_LOCK => {
                past.role = if object.owner == 0 {
                    Role::Lock
                } else {
                    Role::Look
                };
                past.before = held(object);
            }
            Kind::UNLOCK => {
                past.role = Role::Unlock;
                past.before = held(object);
            }
            Kind::READ_LOCK | Kind::TRY_READ_LOCK => {
                past.role = if object.owner == 0 {
                    Role::ReadLock
                } else {
                    Role::Look
                };
                past.before = held(object);
            }
            Kind::READ_UNLOCK => past.role = Role::ReadUnlock,
            Kind::WRITE_LOCK | Kind::TRY_WRITE_LOCK => {
                let succeeds = object.owner == 0 && object.sent == 0;
                past.role = if succeeds {
                    Role::WriteLock
                } else {
                    Role::Look
                };
                past.before = held(object);
            }
            Kind::WRITE_UNLOCK => past.role = Role::WriteUnlock,
            Kind::WAIT => {
                past.role = Role::Wait;
                effect.second = second_past(Role::Unlock);
            }
            Kind::REACQUIRE => {
                past.role = Role::Lock;
                past.before = held(object);
            }
            Kind::REACQUIRE_TIMED => {
                past.role = Role::Lock;
                past.before = held(object);
                effect.second = second_past(Role::EndWait);
            }
            Kind::NOTIFY_ONE => {
                let waiting = object.actors.count_ones();
                past.role = if waiting > 0 {
                    Role::Notify
                } else {
                    Role::NotifyNobody
                };
                effect.choices = waiting.max(1);
            }
            Kind::NOTIFY_ALL => {
                let waiting = object.actors != 0;
                past.role = if waiting {
                    Role::Notify
                } else {
                    Role::NotifyNobody
                };
            }
            Kind::ARRIVE => {
                past.role = Role::Arrive;
                past.before = object.value as u32;
            }
            _ => {}
        }
        if matches!(
            past.role,
            Role::Send
                | Role::Receive
                | Role::SendMiss
                | Role::ReceiveMiss
                | Role::Length
                | Role::ReceiverClose
        ) {
            past.capacity = object.bound;
            past.before = object.length();
        }
        effect
    }

    /// Performs an operation that is possible, and gives its result.
    #[inline]
    pub(crate) fn apply(&mut self, actor: usize, operation: &Operation, choice: u32) -> i64 {
        let object = &mut self.objects[operation.object.index()];
        if let Some(on_cell) = on_cell(operation) {
            let (told, value) = cell::apply(on_cell, object.cell_width(), object.value);
            object.value = value;
            return told.unwrap_or(0);
        }
        match operation.kind {
            Kind::TOSS => choice.into(),
            Kind::SEND | Kind::TRY_SEND => self.send(operation),
            Kind::RECEIVE | Kind::TRY_RECEIVE => self.receive(operation),
            Kind::LENGTH => object.length().into(),
            Kind::CLOSE_SENDER => {
                if object.senders != Object::UNCOUNTED {
                    object.senders = object.senders.saturating_sub(1);
                }
                0
            }
            Kind::CLOSE_RECEIVER => {
                object.deaf = 1;
                0
            }
            Kind::TAKE | Kind::TRY_TAKE => {
                let taken = object.value > 0;
                object.value -= i64::from(taken);
                object.received = object.received.wrapping_add(taken.into());
                taken.into()
            }
            Kind::RELEASE => {
                object.value = object.value.saturating_add(1);
                0
            }
            Kind::LOCK | Kind::TRY_LOCK | Kind::REACQUIRE => {
                let free = object.owner == 0;
                if free {
                    object.owner = actor as u8 + 1;
                }
                free.into()
            }
            Kind::REACQUIRE_TIMED => {
                object.owner = actor as u8 + 1;
                let waiting = &mut self.objects[operation.second.index()].actors;
                let notified = *waiting & (1 << actor) == 0;
                *waiting &= !(1 << actor);
                notified.into()
            }
            Kind::UNLOCK | Kind::WRITE_UNLOCK => {
                object.owner = 0;
                0
            }
            Kind::READ_LOCK | Kind::TRY_READ_LOCK => {
                let free = object.owner == 0;
                if free {
                    object.actors |= 1 << actor;
                    object.sent += 1;
                }
                free.into()
            }
            Kind::READ_UNLOCK => {
                object.actors &= !(1 << actor);
                object.sent = object.sent.saturating_sub(1);
                0
            }
            Kind::WRITE_LOCK | Kind::TRY_WRITE_LOCK => {
                let free = object.owner == 0 && object.sent == 0;
                if free {
                    object.owner = actor as u8 + 1;
                }
                free.into()
            }
            Kind::WAIT => {
                object.actors |= 1 << actor;
                self.objects[operation.second.index()].owner = 0;
                0
            }
            Kind::NOTIFY_ONE => {
                let mut candidates = object.actors;
                for _ in 0..choice {
                    candidates &= candidates.wrapping_sub(1);
                }
                let woken = candidates & candidates.wrapping_neg();
                object.actors &= !woken;
                // Which actor was woken, plus one.
                i64::from(64 - woken.leading_zeros())
            }
            Kind::NOTIFY_ALL => std::mem::take(&mut object.actors) as i64,
            Kind::ARRIVE => {
                object.sent += 1;
                let last = object.sent >= object.bound;
                if last {
                    object.sent = 0;
                    object.value += 1;
                }
                last.into()
            }
            _ => 0,
        }
    }

    /// The result is the number of the message plus one, or zero if it was not sent.
    fn send(&mut self, operation: &Operation) -> i64 {
        let object = &mut self.objects[operation.object.index()];
        if object.length() >= object.bound || object.deaf != 0 {
            return 0;
        }
        let number = object.sent;
        object.sent += 1;
        if object.width > 0 {
            let slot = object.slots + number % object.bound * object.width;
            self.words[slot as usize] = operation.argument as u64;
        }
        i64::from(number) + 1
    }

    /// The result is the number of the message plus one, or zero if there was none.
    fn receive(&mut self, operation: &Operation) -> i64 {
        let object = &mut self.objects[operation.object.index()];
        if object.length() == 0 {
            return 0;
        }
        let number = object.received;
        object.received += 1;
        i64::from(number) + 1
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
        (!meet(first.object, second.object) || history::commute(&of_first.past, &of_second.past))
            && (!meet(first.object, second.second)
                || history::commute(&of_first.past, &of_second.second))
            && (!meet(first.second, second.object)
                || history::commute(&of_first.second, &of_second.past))
            && (!meet(first.second, second.second)
                || history::commute(&of_first.second, &of_second.second))
    }
}
