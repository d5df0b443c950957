//! Mirrors `std::sync::mpsc`.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::Rc;
use std::time::Duration;

use mazurka_runtime::{Kind, Object, ObjectId, ObjectKind, Operation};

use crate::coroutine::{make, perform, with_kernel};
use crate::objects::blank;

pub use std::sync::mpsc::{RecvError, RecvTimeoutError, SendError, TryRecvError, TrySendError};

/// The kernel knows how many messages there are, this is what they are.
type Messages<T> = Rc<RefCell<VecDeque<T>>>;

/// Mirrors its namesake.
pub struct Sender<T>(Half<T>);
/// Mirrors its namesake.
pub struct SyncSender<T>(Half<T>);
/// Mirrors its namesake.
pub struct Receiver<T>(Half<T>);

struct Half<T> {
    object: ObjectId,
    messages: Messages<T>,
    meeting: Option<Meeting>,
}

/// A channel without room, where sender and receiver meet: there is room for one message, but one
/// sender at a time uses it, and waits until the receiver says that it has taken the message.
#[derive(Clone, Copy)]
struct Meeting {
    /// The mutex of the senders.
    turn: ObjectId,
    /// The queue on which the receiver says so.
    taken: ObjectId,
    /// The semaphore on which the receiver says that it waits. A sender that only tries takes from
    /// it, and has then promised to send.
    waiting: ObjectId,
    /// The variable on which the receiver says that it is gone.
    gone: ObjectId,
}

impl<T> Clone for Half<T> {
    fn clone(&self) -> Half<T> {
        Half {
            object: self.object,
            messages: self.messages.clone(),
            meeting: self.meeting,
        }
    }
}

// SAFETY: all actors of an execution run on one thread, one at a time, so sending a half from one
// to another does not send it anywhere.
unsafe impl<T: Send> Send for Half<T> {}
// SAFETY: the same.
unsafe impl<T: Send> Sync for Half<T> {}

/// A queue without bound.
#[track_caller]
pub fn channel<T>() -> (Sender<T>, Receiver<T>) {
    let half = half(u32::MAX);
    (Sender(half.clone()), Receiver(half))
}

/// A bounded queue; if the bound is zero, a send waits until the message has been received.
#[track_caller]
pub fn sync_channel<T>(bound: usize) -> (SyncSender<T>, Receiver<T>) {
    let mut half = half(u32::try_from(bound.max(1)).unwrap_or(u32::MAX));
    if bound == 0 {
        half.meeting = Some(Meeting {
            turn: make(blank(ObjectKind::MUTEX)),
            taken: make(Object {
                bound: 1,
                senders: 1,
                ..blank(ObjectKind::QUEUE)
            }),
            waiting: make(blank(ObjectKind::SEMAPHORE)),
            gone: make(blank(ObjectKind::VARIABLE)),
        });
    }
    (SyncSender(half.clone()), Receiver(half))
}

#[track_caller]
fn half<T>(bound: u32) -> Half<T> {
    Half {
        object: make(Object {
            bound,
            senders: 1,
            ..blank(ObjectKind::QUEUE)
        }),
        messages: Rc::default(),
        meeting: None,
    }
}

impl<T> Half<T> {
    #[track_caller]
    fn send(&self, message: T) -> Result<(), SendError<T>> {
        let Some(meeting) = self.meeting else {
            return self.put(message);
        };
        perform(Operation::on(Kind::LOCK, meeting.turn));
        let sent = self.meet(meeting, message);
        perform(Operation::on(Kind::UNLOCK, meeting.turn));
        sent
    }

    /// Sends by the sender whose turn it is.
    #[track_caller]
    fn meet(&self, meeting: Meeting, message: T) -> Result<(), SendError<T>> {
        self.put(message)?;
        if perform(Operation::on(Kind::RECEIVE, meeting.taken)) == 0 {
            // The receiver has gone without it.
            let message = self.messages.borrow_mut().pop_back();
            return message.map_or(Ok(()), |message| Err(SendError(message)));
        }
        Ok(())
    }

    /// Sends if the receiver waits. If another sender has the turn, the receiver is not there for
    /// this one. That a receiver is about to wait does not make it wait, so there is always an
    /// execution in which it does not, yet.
    #[track_caller]
    fn try_to_meet(&self, meeting: Meeting, message: T) -> Result<(), TrySendError<T>> {
        if perform(Operation::on(Kind::TRY_LOCK, meeting.turn)) != 0 {
            let waits = perform(Operation::on(Kind::TRY_TAKE, meeting.waiting)) != 0;
            let sent = match waits {
                true => self.meet(meeting, message),
                false => Err(SendError(message)),
            };
            perform(Operation::on(Kind::UNLOCK, meeting.turn));
            return sent.or_else(|SendError(message)| self.refused(meeting, message));
        }
        self.refused(meeting, message)
    }

    #[track_caller]
    fn refused(&self, meeting: Meeting, message: T) -> Result<(), TrySendError<T>> {
        Err(match perform(Operation::on(Kind::READ, meeting.gone)) {
            0 => TrySendError::Full(message),
            _ => TrySendError::Disconnected(message),
        })
    }

    #[track_caller]
    fn put(&self, message: T) -> Result<(), SendError<T>> {
        match perform(Operation::on(Kind::SEND, self.object)) {
            0 => Err(SendError(message)),
            _ => {
                self.messages.borrow_mut().push_back(message);
                Ok(())
            }
        }
    }

    /// Receives by an operation of this kind. Who waits for a message can be met.
    #[track_caller]
    fn receive(&self, kind: Kind, waits: bool) -> Result<T, TryRecvError> {
        let Some(meeting) = self.meeting else {
            return self.get(kind);
        };
        let received = match waits {
            true => self.wait(meeting, kind),
            false => self.get(kind),
        };
        if received.is_ok() {
            perform(Operation::on(Kind::SEND, meeting.taken));
        }
        received
    }

    #[track_caller]
    fn wait(&self, meeting: Meeting, kind: Kind) -> Result<T, TryRecvError> {
        perform(Operation::on(Kind::RELEASE, meeting.waiting));
        let received = self.get(kind);
        let is_promised = perform(Operation::on(Kind::TRY_TAKE, meeting.waiting)) == 0;
        match received {
            Err(TryRecvError::Empty) if is_promised => self.get(Kind::RECEIVE),
            _ => received,
        }
    }

    #[track_caller]
    fn get(&self, kind: Kind) -> Result<T, TryRecvError> {
        if perform(Operation::on(kind, self.object)) != 0 {
            let message = self.messages.borrow_mut().pop_front();
            return message.ok_or(TryRecvError::Disconnected);
        }
        let senders = with_kernel(|kernel| kernel.object(self.object).senders);
        Err(if senders == 0 {
            TryRecvError::Disconnected
        } else {
            TryRecvError::Empty
        })
    }

    fn another(&self) -> Half<T> {
        if crate::coroutine::is_exploring() {
            with_kernel(|kernel| kernel.objects[self.object.index()].senders += 1);
        }
        self.clone()
    }

    #[track_caller]
    fn close(&self, kind: Kind) {
        if !crate::coroutine::is_closing() {
            perform(Operation::on(kind, self.object));
        }
    }
}

impl<T> Sender<T> {
    /// Appends a message.
    #[track_caller]
    pub fn send(&self, message: T) -> Result<(), SendError<T>> {
        self.0.send(message)
    }
}

impl<T> SyncSender<T> {
    /// Appends a message, when there is room.
    #[track_caller]
    pub fn send(&self, message: T) -> Result<(), SendError<T>> {
        self.0.send(message)
    }

    /// Appends a message, if there is room; if the bound is zero, if the receiver waits for one.
    #[track_caller]
    pub fn try_send(&self, message: T) -> Result<(), TrySendError<T>> {
        if let Some(meeting) = self.0.meeting {
            return self.0.try_to_meet(meeting, message);
        }
        if perform(Operation::on(Kind::TRY_SEND, self.0.object)) != 0 {
            self.0.messages.borrow_mut().push_back(message);
            return Ok(());
        }
        let deaf = with_kernel(|kernel| kernel.object(self.0.object).deaf != 0);
        Err(if deaf {
            TrySendError::Disconnected(message)
        } else {
            TrySendError::Full(message)
        })
    }
}

impl<T> Receiver<T> {
    /// Takes the first message, when there is one.
    #[track_caller]
    pub fn recv(&self) -> Result<T, RecvError> {
        self.0.receive(Kind::RECEIVE, true).map_err(|_| RecvError)
    }

    /// Takes the first message, if there is one.
    #[track_caller]
    pub fn try_recv(&self) -> Result<T, TryRecvError> {
        self.0.receive(Kind::TRY_RECEIVE, false)
    }

    /// Takes the first message, unless time is over, which may be at any moment at which there
    /// is none.
    #[track_caller]
    pub fn recv_timeout(&self, _: Duration) -> Result<T, RecvTimeoutError> {
        let received = self.0.receive(Kind::TRY_RECEIVE, true);
        received.map_err(|error| match error {
            TryRecvError::Empty => RecvTimeoutError::Timeout,
            TryRecvError::Disconnected => RecvTimeoutError::Disconnected,
        })
    }

    /// All messages until there is no sender left.
    pub fn iter(&self) -> impl Iterator<Item = T> + '_ {
        std::iter::from_fn(|| self.recv().ok())
    }
}

impl<T> Receiver<T> {
    /// The messages that are there.
    pub fn try_iter(&self) -> impl Iterator<Item = T> + '_ {
        std::iter::from_fn(|| self.try_recv().ok())
    }
}

impl<T: 'static> IntoIterator for Receiver<T> {
    type Item = T;
    type IntoIter = Box<dyn Iterator<Item = T>>;

    fn into_iter(self) -> Self::IntoIter {
        Box::new(std::iter::from_fn(move || self.recv().ok()))
    }
}

impl<'r, T> IntoIterator for &'r Receiver<T> {
    type Item = T;
    type IntoIter = Box<dyn Iterator<Item = T> + 'r>;

    fn into_iter(self) -> Self::IntoIter {
        Box::new(self.iter())
    }
}

// A clone is not a visible operation: as long as there is one sender, another changes nothing
// that anybody could see.
impl<T> Clone for Sender<T> {
    fn clone(&self) -> Sender<T> {
        Sender(self.0.another())
    }
}

impl<T> Clone for SyncSender<T> {
    fn clone(&self) -> SyncSender<T> {
        SyncSender(self.0.another())
    }
}

impl<T> Drop for Sender<T> {
    #[track_caller]
    fn drop(&mut self) {
        self.0.close(Kind::CLOSE_SENDER);
    }
}

impl<T> Drop for SyncSender<T> {
    #[track_caller]
    fn drop(&mut self) {
        self.0.close(Kind::CLOSE_SENDER);
    }
}

impl<T> Drop for Receiver<T> {
    #[track_caller]
    fn drop(&mut self) {
        self.0.close(Kind::CLOSE_RECEIVER);
        if let Some(meeting) = self.0.meeting
            && !crate::coroutine::is_closing()
        {
            perform(Operation::on(Kind::CLOSE_SENDER, meeting.taken));
            perform(Operation::on(Kind::WRITE, meeting.gone).with(1));
        }
    }
}
