//! What random programs work on, and how each action is performed.

use std::cell::{Cell, RefCell};
use std::sync::Arc;

use mazurka_actors::cell::UnsafeCell;
use mazurka_actors::sync::atomic::{AtomicBool, AtomicPtr, AtomicU32, Ordering, fence};
use mazurka_actors::sync::{Barrier, Condvar, Mutex, Once, OnceLock, RwLock, mpsc};
use mazurka_actors::{Queue, Semaphore, Variable, check, hint, thread, toss};

use super::{Action, Bound, Program};

/// Starts the actors of a program.
pub fn run(program: &Program) {
    SEEN.with_borrow_mut(Vec::clear);
    PERFORMED.set(0);
    let needs_mirrors = program.used() >> 38 & !(1 << 6) != 0;
    let world = Arc::new(World {
        variables: (0..2).map(|_| Variable::new(0)).collect(),
        queue: Queue::new(program.capacity),
        semaphore: Semaphore::new(program.count),
        mutexes: (0..2).map(|_| Mutex::new(())).collect(),
        lock: RwLock::new(()),
        condition: Condvar::new(),
        barrier: Barrier::new(program.parties),
        mirrors: needs_mirrors.then(|| Mirrors {
            atomic: AtomicU32::new(0),
            once: Once::new(),
            cell: OnceLock::new(),
            spin: AtomicBool::new(false),
            pointer: AtomicPtr::new(pointer_to(0)),
            plain: program.has_cells().then(plain),
        }),
    });
    let mut receiver = None;
    let mut sender = None;
    if let Some(bound) = program.channel {
        let (s, r) = match bound {
            Bound::Of(bound) => {
                let (sender, receiver) = mpsc::sync_channel(bound);
                (Sender::Bounded(sender), receiver)
            }
            Bound::Unbounded => {
                let (sender, receiver) = mpsc::channel();
                (Sender::Unbounded(sender), receiver)
            }
        };
        sender = Some(s);
        receiver = Some(r);
    }
    let mut before = None;
    for actions in &program.actors {
        let (world, actions) = (world.clone(), actions.clone());
        let own = Own {
            sender: sender.clone(),
            receiver: receiver.take(),
            other: before.take(),
        };
        let child = thread::spawn(move || {
            for action in &actions {
                perform(&world, action, &own);
            }
        });
        before = Some(child.thread().clone());
    }
}

struct World {
    variables: Vec<Variable>,
    queue: Queue,
    semaphore: Semaphore,
    mutexes: Vec<Mutex<()>>,
    lock: RwLock<()>,
    condition: Condvar,
    barrier: Barrier,
    mirrors: Option<Mirrors>,
}

/// What programs in C do not have; it is there for those who use it.
struct Mirrors {
    atomic: AtomicU32,
    once: Once,
    cell: OnceLock<i64>,
    spin: AtomicBool,
    pointer: AtomicPtr<u32>,
    plain: Option<Arc<Plain>>,
}

/// Plain memory.
struct Plain([UnsafeCell<u32>; 2]);

// SAFETY: who uses the cells is checked, and nobody follows their pointers.
unsafe impl Sync for Plain {}
// SAFETY: the same.
unsafe impl Send for Plain {}

/// What pointers point to: the addresses are the same in all executions.
static POINTED_TO: [u32; 2] = [0, 1];

fn pointer_to(number: usize) -> *mut u32 {
    std::ptr::from_ref(&POINTED_TO[number]).cast_mut()
}

mazurka_actors::statics! {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    static GUARDED: Mutex<i64> = Mutex::new(0);
}

mazurka_actors::thread_local! {
    static LOCAL: Cell<i64> = const { Cell::new(0) };
}

thread_local! {
    /// What each actor has seen.
    static SEEN: RefCell<Vec<i64>> = const { RefCell::new(vec![]) };
    /// The kinds of actions that were performed.
    static PERFORMED: Cell<u128> = const { Cell::new(0) };
    /// The cells of this execution are dropped in the next one, where nobody can be in a race with that.
    static KEPT: RefCell<Option<Arc<Plain>>> = const { RefCell::new(None) };
}

fn see(value: i64) {
    SEEN.with_borrow_mut(|seen| {
        let actor = thread::id();
        seen.resize(seen.len().max(actor + 1), 0);
        seen[actor] = seen[actor].wrapping_mul(31).wrapping_add(value + 7);
    });
}

#[derive(Clone)]
enum Sender {
    Bounded(mpsc::SyncSender<i64>),
    Unbounded(mpsc::Sender<i64>),
}

impl Sender {
    fn send(&self, value: i64) -> bool {
        match self {
            Sender::Bounded(sender) => sender.send(value).is_ok(),
            Sender::Unbounded(sender) => sender.send(value).is_ok(),
        }
    }

    fn try_send(&self, value: i64) -> i64 {
        match self {
            Sender::Bounded(sender) => match sender.try_send(value) {
                Ok(()) => 0,
                Err(mpsc::TrySendError::Full(_)) => 1,
                Err(mpsc::TrySendError::Disconnected(_)) => 2,
            },
            Sender::Unbounded(sender) => match sender.send(value) {
                Ok(()) => 0,
                Err(_) => 2,
            },
        }
    }
}

/// What an actor has of its own.
struct Own {
    sender: Option<Sender>,
    receiver: Option<mpsc::Receiver<i64>>,
    /// To whom it gives signs, if not to itself.
    other: Option<thread::Thread>,
}

impl Own {
    /// A child has neither end of a channel.
    fn child() -> Own {
        Own {
            sender: None,
            receiver: None,
            other: Some(thread::current()),
        }
    }
}

/// Two cells, each of which is known by the line on which it is made.
fn plain() -> Arc<Plain> {
    let one = UnsafeCell::new(0);
    let other = UnsafeCell::new(0);
    let plain = Arc::new(Plain([one, other]));
    let before = KEPT.replace(Some(plain.clone()));
    drop(before);
    plain
}

fn perform(world: &Arc<World>, action: &Action, own: &Own) {
    use Action::*;
    let (sender, receiver) = (own.sender.as_ref(), own.receiver.as_ref());
    let run = |actions: &[Action]| {
        for action in actions {
            perform(world, action, own);
        }
    };
    let variable = |number: &usize| &world.variables[*number];
    let mirrors = || world.mirrors.as_ref().expect("what is used is there");
    let plain = |number: &usize| {
        let plain = mirrors().plain.as_ref().expect("what is used is there");
        &plain.0[*number]
    };
    let is_nothing = match action {
        ChannelSend(_) | ChannelTrySend(_) => sender.is_none(),
        ChannelReceive | ChannelTryReceive | ChannelReceiveTimeout => receiver.is_none(),
        _ => false,
    };
    if !is_nothing {
        PERFORMED.set(PERFORMED.get() | 1 << action.number());
    }
    match action {
        Read(v) => see(variable(v).read()),
        Write(v, value) => variable(v).write(*value),
        Tell(v) => {
            let seen = SEEN.with_borrow(|seen| seen.get(thread::id()).copied().unwrap_or(0));
            variable(v).write(seen & 3);
        }
        Add(v, value) => variable(v).add(*value),
        FetchAdd(v) => see(variable(v).fetch_add(1)),
        Swap(v, value) => see(variable(v).swap(*value)),
        CompareExchange(v, old, new) => see(variable(v).compare_exchange(*old, *new)),
        Send(value) => world.queue.send(*value),
        TrySend(value) => see(world.queue.try_send(*value).into()),
        Receive => see(world.queue.receive()),
        TryReceive => see(world.queue.try_receive().map_or(-1, |value| value)),
        Length => see(world.queue.length() as i64),
        Take => world.semaphore.take(),
        TryTake => see(world.semaphore.try_take().into()),
        Release => world.semaphore.release(),
        Locked(m, actions) => {
            let _guard = world.mutexes[*m].lock().unwrap();
            run(actions);
        }
        TryLocked(m, actions) => {
            let guard = world.mutexes[*m].try_lock();
            see(guard.is_ok().into());
            if guard.is_ok() {
                run(actions);
            }
        }
        KeepLocked(m) => std::mem::forget(world.mutexes[*m].lock()),
        ReadLocked(actions) => {
            let _guard = world.lock.read().unwrap();
            run(actions);
        }
        WriteLocked(actions) => {
            let _guard = world.lock.write().unwrap();
            run(actions);
        }
        TryReadLocked(actions) => {
            let guard = world.lock.try_read();
            see(guard.is_ok().into());
            if guard.is_ok() {
                run(actions);
            }
        }
        TryWriteLocked(actions) => {
            let guard = world.lock.try_write();
            see(guard.is_ok().into());
            if guard.is_ok() {
                run(actions);
            }
        }
        KeepReadLocked => std::mem::forget(world.lock.read()),
        Wait => {
            let guard = world.mutexes[0].lock().unwrap();
            drop(world.condition.wait(guard));
        }
        WaitTimeout => {
            let guard = world.mutexes[0].lock().unwrap();
            let limit = std::time::Duration::from_secs(1);
            let (guard, result) = world.condition.wait_timeout(guard, limit).unwrap();
            see(result.timed_out().into());
            drop(guard);
        }
        NotifyOne => world.condition.notify_one(),
        NotifyAll => world.condition.notify_all(),
        Arrive => see(world.barrier.wait().is_leader().into()),
        Toss(choices) => see(toss(*choices).into()),
        Check(v, value) => {
            let seen = variable(v).read();
            see(seen);
            check(seen != *value, "not so");
        }
        Spawn(actions) => {
            let (world, actions, own) = (world.clone(), actions.clone(), Own::child());
            thread::spawn(move || {
                actions
                    .iter()
                    .for_each(|action| perform(&world, action, &own))
            });
        }
        SpawnAndJoin(actions) => {
            let (world, actions, own) = (world.clone(), actions.clone(), Own::child());
            let child = thread::spawn(move || {
                actions
                    .iter()
                    .for_each(|action| perform(&world, action, &own));
            });
            child.join().unwrap();
        }
        Yield => thread::yield_now(),
        ChannelSend(value) => {
            if let Some(sender) = sender {
                see(sender.send(*value).into());
            }
        }
        ChannelTrySend(value) => {
            if let Some(sender) = sender {
                see(sender.try_send(*value));
            }
        }
        ChannelReceive => {
            if let Some(receiver) = receiver {
                see(receiver.recv().unwrap_or(-1));
            }
        }
        ChannelTryReceive => {
            if let Some(receiver) = receiver {
                see(receiver.try_recv().unwrap_or(-1));
            }
        }
        ChannelReceiveTimeout => {
            if let Some(receiver) = receiver {
                let limit = std::time::Duration::from_secs(1);
                see(receiver.recv_timeout(limit).unwrap_or(-1));
            }
        }
        FetchOr(bits) => see(mirrors().atomic.fetch_or(*bits, Ordering::SeqCst).into()),
        FetchMax(value) => see(mirrors().atomic.fetch_max(*value, Ordering::SeqCst).into()),
        Once(actions) => mirrors().once.call_once(|| run(actions)),
        SetOnce(value) => see(mirrors().cell.set(*value).is_ok().into()),
        GetOnce => see(mirrors().cell.get().copied().unwrap_or(-1)),
        GetOrSetOnce(value) => see(*mirrors().cell.get_or_init(|| *value)),
        Scoped(one, other) => {
            let (first, second) = (Own::child(), Own::child());
            let child = |actions: &[Action], own: &Own| {
                for action in actions {
                    perform(world, action, own);
                }
            };
            thread::scope(|scope| {
                scope.spawn(|| child(one, &first));
                scope.spawn(|| child(other, &second));
            });
        }
        CellRead(cell) => plain(cell).with(|_| ()),
        CellWrite(cell) => plain(cell).with_mut(|_| ()),
        Load(order) => see(mirrors().atomic.load(*order).into()),
        Store(value, order) => mirrors().atomic.store(*value, *order),
        AddOrdered(order) => see(mirrors().atomic.fetch_add(1, *order).into()),
        CompareExchangeOrdered(order) => {
            let result = mirrors()
                .atomic
                .compare_exchange(0, 1, *order, Ordering::Relaxed);
            see(result.is_ok().into());
        }
        Fence(order) => fence(*order),
        Park => thread::park(),
        ParkTimeout => thread::park_timeout(std::time::Duration::from_secs(1)),
        Unpark => match &own.other {
            Some(other) => other.unpark(),
            None => thread::current().unpark(),
        },
        WaitLoop => {
            while mirrors().atomic.load(Ordering::Acquire) == 0 {
                thread::yield_now();
            }
        }
        SpinLocked(actions) => {
            let spin = &mirrors().spin;
            while spin
                .compare_exchange(false, true, Ordering::Acquire, Ordering::Relaxed)
                .is_err()
            {
                hint::spin_loop();
            }
            run(actions);
            spin.store(false, Ordering::Release);
        }
        Local => see(LOCAL.replace(1)),
        PointerLoad => {
            let pointer = mirrors().pointer.load(Ordering::Acquire);
            see(i64::from(pointer == pointer_to(1)));
        }
        PointerSwap(number) => {
            let new = pointer_to(*number);
            let old = mirrors().pointer.swap(new, Ordering::AcqRel);
            see(i64::from(old == pointer_to(1)));
        }
        StaticAdd => see(COUNT.fetch_add(1, Ordering::SeqCst).into()),
        StaticLocked(actions) => {
            let mut guarded = GUARDED.lock().unwrap();
            *guarded += 1;
            see(*guarded);
            run(actions);
        }
        WaitLoopTwo => {
            let (one, other) = (&mirrors().atomic, &mirrors().spin);
            while one.load(Ordering::Acquire) == 0 && !other.load(Ordering::Acquire) {
                thread::yield_now();
            }
        }
        IfSet(actions) => {
            if mirrors().atomic.load(Ordering::Acquire) != 0 {
                run(actions);
            }
        }
    }
}

/// The kinds of actions that the last execution performed.
pub fn performed() -> u128 {
    PERFORMED.get()
}

/// What the actors have seen, by their numbers.
pub fn seen() -> u64 {
    SEEN.with_borrow(|seen| {
        let mix = |hash: u64, value: &i64| {
            (hash ^ *value as u64)
                .wrapping_mul(0x9e37_79b9_7f4a_7c15)
                .rotate_left(29)
        };
        seen.iter().fold(0, mix)
    })
}
