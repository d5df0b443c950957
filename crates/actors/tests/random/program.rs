//! Random programs: a few actors, each with a few operations on objects of all kinds. They run in
//! process, or by an interpreter in C as real processes.
#![allow(dead_code)]

use std::cell::{Cell, RefCell};
use std::sync::Arc;

use mazurka_actors::cell::UnsafeCell;
use mazurka_actors::sync::atomic::{AtomicBool, AtomicPtr, AtomicU32, Ordering, fence};
use mazurka_actors::sync::{Barrier, Condvar, Mutex, Once, OnceLock, RwLock, mpsc};
use mazurka_actors::{Queue, Semaphore, Variable, check, hint, thread, toss};

pub struct Random(pub u64);

impl Random {
    pub fn below(&mut self, limit: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (self.0 >> 33) as usize % limit
    }
}

#[derive(Clone, Debug)]
pub enum Action {
    Read(usize),
    Write(usize, i64),
    /// Write what has been seen so far, in few bits.
    Tell(usize),
    Add(usize, i64),
    FetchAdd(usize),
    Swap(usize, i64),
    CompareExchange(usize, i64, i64),
    Send(i64),
    TrySend(i64),
    Receive,
    TryReceive,
    Length,
    Take,
    TryTake,
    Release,
    Locked(usize, Vec<Action>),
    TryLocked(usize, Vec<Action>),
    KeepLocked(usize),
    ReadLocked(Vec<Action>),
    WriteLocked(Vec<Action>),
    TryReadLocked(Vec<Action>),
    TryWriteLocked(Vec<Action>),
    KeepReadLocked,
    Wait,
    WaitTimeout,
    NotifyOne,
    NotifyAll,
    Arrive,
    Toss(u32),
    Check(usize, i64),
    Spawn(Vec<Action>),
    SpawnAndJoin(Vec<Action>),
    Yield,
    ChannelSend(i64),
    ChannelTrySend(i64),
    ChannelReceive,
    ChannelTryReceive,
    ChannelReceiveTimeout,
    FetchOr(u32),
    FetchMax(u32),
    Once(Vec<Action>),
    SetOnce(i64),
    GetOnce,
    GetOrSetOnce(i64),
    /// In a scope, which waits for both.
    Scoped(Vec<Action>, Vec<Action>),
    /// Plain memory: accesses that nothing orders are a race.
    CellRead(usize),
    CellWrite(usize),
    Load(Ordering),
    Store(u32, Ordering),
    AddOrdered(Ordering),
    /// With this order where it succeeds.
    CompareExchangeOrdered(Ordering),
    Fence(Ordering),
    Park,
    ParkTimeout,
    /// Gives a sign to whoever was spawned before, to the parent, or to itself.
    Unpark,
    /// Waits in a loop until an atomic is not zero.
    WaitLoop,
    SpinLocked(Vec<Action>),
    Local,
    PointerLoad,
    PointerSwap(usize),
    /// Only if an atomic is not zero.
    IfSet(Vec<Action>),
}

/// How the names of actions begin that programs in C do not have; they are the last of all.
pub const NOT_IN_C: &[&str] = &[
    "channel",
    "fetch-or",
    "fetch-max",
    "once",
    "scope",
    "cell-",
    "load-",
    "store-",
    "add-",
    "exchange-",
    "fence-",
    "park",
    "unpark",
    "wait-loop",
    "spin-lock",
    "thread-local",
    "pointer-",
    "if-set",
];

impl Action {
    /// What each is called in the table of pairs, in the order in which they are drawn.
    pub const NAMES: [&str; KINDS] = [
        "read",
        "write",
        "write-seen",
        "add",
        "fetch-add",
        "swap",
        "compare-exchange",
        "send",
        "try-send",
        "receive",
        "try-receive",
        "length",
        "take",
        "try-take",
        "release",
        "lock",
        "try-lock",
        "keep-locked",
        "read-lock",
        "write-lock",
        "try-read-lock",
        "try-write-lock",
        "keep-read-locked",
        "wait",
        "wait-timeout",
        "notify-one",
        "notify-all",
        "barrier",
        "toss",
        "check",
        "spawn",
        "spawn-and-join",
        "yield",
        "channel-send",
        "channel-receive",
        "channel-try-send",
        "channel-try-receive",
        "channel-receive-timeout",
        "fetch-or",
        "fetch-max",
        "once",
        "once-set",
        "once-get",
        "once-get-or-set",
        "scope",
        "cell-read",
        "cell-write",
        "load-relaxed",
        "load-acquire",
        "store-relaxed",
        "store-release",
        "add-relaxed",
        "add-acquire-release",
        "exchange-acquire",
        "exchange-release",
        "fence-acquire",
        "fence-release",
        "fence-seq-cst",
        "park",
        "park-timeout",
        "unpark",
        "wait-loop",
        "spin-lock",
        "thread-local",
        "pointer-load",
        "pointer-swap",
        "if-set",
    ];

    /// The position of its name.
    fn number(&self) -> usize {
        use Action::*;
        match self {
            Read(_) => 0,
            Write(..) => 1,
            Tell(_) => 2,
            Add(..) => 3,
            FetchAdd(_) => 4,
            Swap(..) => 5,
            CompareExchange(..) => 6,
            Send(_) => 7,
            TrySend(_) => 8,
            Receive => 9,
            TryReceive => 10,
            Length => 11,
            Take => 12,
            TryTake => 13,
            Release => 14,
            Locked(..) => 15,
            TryLocked(..) => 16,
            KeepLocked(_) => 17,
            ReadLocked(_) => 18,
            WriteLocked(_) => 19,
            TryReadLocked(_) => 20,
            TryWriteLocked(_) => 21,
            KeepReadLocked => 22,
            Wait => 23,
            WaitTimeout => 24,
            NotifyOne => 25,
            NotifyAll => 26,
            Arrive => 27,
            Toss(_) => 28,
            Check(..) => 29,
            Spawn(_) => 30,
            SpawnAndJoin(_) => 31,
            Yield => 32,
            ChannelSend(_) => 33,
            ChannelReceive => 34,
            ChannelTrySend(_) => 35,
            ChannelTryReceive => 36,
            ChannelReceiveTimeout => 37,
            FetchOr(_) => 38,
            FetchMax(_) => 39,
            Once(_) => 40,
            SetOnce(_) => 41,
            GetOnce => 42,
            GetOrSetOnce(_) => 43,
            Scoped(..) => 44,
            CellRead(_) => 45,
            CellWrite(_) => 46,
            Load(Ordering::Relaxed) => 47,
            Load(_) => 48,
            Store(_, Ordering::Relaxed) => 49,
            Store(..) => 50,
            AddOrdered(Ordering::Relaxed) => 51,
            AddOrdered(_) => 52,
            CompareExchangeOrdered(Ordering::Acquire) => 53,
            CompareExchangeOrdered(_) => 54,
            Fence(Ordering::Acquire) => 55,
            Fence(Ordering::Release) => 56,
            Fence(_) => 57,
            Park => 58,
            ParkTimeout => 59,
            Unpark => 60,
            WaitLoop => 61,
            SpinLocked(_) => 62,
            Local => 63,
            PointerLoad => 64,
            PointerSwap(_) => 65,
            IfSet(_) => 66,
        }
    }

    /// The actions inside.
    fn blocks(&self) -> Vec<&[Action]> {
        use Action::*;
        match self {
            Locked(_, block) | TryLocked(_, block) => vec![block],
            ReadLocked(block)
            | WriteLocked(block)
            | TryReadLocked(block)
            | TryWriteLocked(block)
            | Spawn(block)
            | SpawnAndJoin(block)
            | Once(block)
            | SpinLocked(block)
            | IfSet(block) => {
                vec![block]
            }
            Scoped(one, other) => vec![one, other],
            _ => Vec::new(),
        }
    }
}

/// The kinds of all actions, as bits.
fn used(actions: &[Action]) -> u128 {
    actions.iter().fold(0, |all, action| {
        let inside = action.blocks().into_iter().map(used);
        inside.fold(all | 1 << action.number(), |all, inside| all | inside)
    })
}

#[derive(Clone, Debug)]
pub struct Program {
    actors: Vec<Vec<Action>>,
    capacity: u32,
    count: u32,
    parties: usize,
    /// The bound of a channel, if there is one.
    channel: Option<Bound>,
}

#[derive(Clone, Copy, Debug)]
enum Bound {
    Unbounded,
    Of(usize),
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

impl Program {
    /// One actor receives with a time limit, another sends, a third only drops its sender; and only one of them comes to its end.
    pub fn of_a_time_limit() -> Program {
        use Action::*;
        Program {
            actors: vec![
                vec![ChannelReceiveTimeout, Take],
                vec![Take],
                vec![ChannelReceiveTimeout, ChannelSend(0), Take],
            ],
            capacity: 1,
            count: 1,
            parties: 1,
            channel: Some(Bound::Unbounded),
        }
    }

    pub fn random(random: &mut Random) -> Program {
        // A few kinds at a time meet more often.
        let theme: Vec<usize> = (0..3 + random.below(3))
            .map(|_| random.below(KINDS))
            .collect();
        let actors = 2 + random.below(2);
        let most = if actors == 2 { 5 } else { 3 };
        Program::about(random, &theme, actors, most)
    }

    /// A small program with actions of these names, if another one is not wanted.
    pub fn wanted(random: &mut Random, names: Option<[&str; 2]>) -> Program {
        let Some(names) = names else {
            return Program::random(random);
        };
        let position = |name| Action::NAMES.iter().position(|known| *known == name);
        let theme: Vec<usize> = names.into_iter().filter_map(position).collect();
        Program::about(random, &theme, 2, 3)
    }

    fn about(random: &mut Random, theme: &[usize], actors: usize, most: usize) -> Program {
        let list = |random: &mut Random| {
            let length = 1 + random.below(most);
            (0..length).map(|_| action(random, theme, 0)).collect()
        };
        let actors = (0..actors).map(|_| list(random)).collect();
        Program {
            actors,
            capacity: 1 + random.below(2) as u32,
            count: random.below(3) as u32,
            parties: 1 + random.below(3),
            channel: theme.iter().any(|kind| (33..=37).contains(kind)).then(|| {
                match random.below(4) {
                    3 => Bound::Unbounded,
                    bound => Bound::Of(bound),
                }
            }),
        }
    }

    /// A program of these actors, with a queue for two messages.
    pub fn of(actors: Vec<Vec<Action>>) -> Program {
        Program {
            actors,
            capacity: 2,
            count: 1,
            parties: 2,
            channel: None,
        }
    }

    /// The kinds of its actions, as bits whose positions are those of [`Action::NAMES`]. What is done with a channel is nothing if there is
    /// none, or if a child does it.
    pub fn used(&self) -> u128 {
        self.actors.iter().fold(0, |all, actor| all | used(actor))
    }

    /// The arguments that make `crates/capi/tests/programs/random.c` the same program; there are
    /// no channels in it.
    pub fn text(&self) -> Option<Vec<String>> {
        if self.channel.is_some() {
            return None;
        }
        let mut arguments = vec![
            self.capacity.to_string(),
            self.count.to_string(),
            self.parties.to_string(),
        ];
        for actions in &self.actors {
            arguments.push(text(actions)?);
        }
        Some(arguments)
    }

    pub fn run(&self) {
        SEEN.with_borrow_mut(Vec::clear);
        PERFORMED.set(0);
        let needs_mirrors = self.used() >> 38 & !(1 << 6) != 0;
        let world = Arc::new(World {
            variables: (0..2).map(|_| Variable::new(0)).collect(),
            queue: Queue::new(self.capacity),
            semaphore: Semaphore::new(self.count),
            mutexes: (0..2).map(|_| Mutex::new(())).collect(),
            lock: RwLock::new(()),
            condition: Condvar::new(),
            barrier: Barrier::new(self.parties),
            mirrors: needs_mirrors.then(|| Mirrors {
                atomic: AtomicU32::new(0),
                once: Once::new(),
                cell: OnceLock::new(),
                spin: AtomicBool::new(false),
                pointer: AtomicPtr::new(pointer_to(0)),
                plain: self.has_cells().then(plain),
            }),
        });
        let mut receiver = None;
        let mut sender = None;
        if let Some(bound) = self.channel {
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
        for actions in &self.actors {
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

    /// Does it use plain memory? Then values must not say what depends on what.
    pub fn has_cells(&self) -> bool {
        self.used() >> 45 & 0b11 != 0
    }
}

/// Actions as letters, digits and blocks.
fn text(actions: &[Action]) -> Option<String> {
    use Action::*;
    let mut all = String::new();
    for action in actions {
        all += &match action {
            Read(v) => format!("r{v}"),
            Write(v, value) => format!("w{v}{value}"),
            Tell(v) => format!("t{v}"),
            Add(v, value) => format!("a{v}{value}"),
            FetchAdd(v) => format!("f{v}"),
            Swap(v, value) => format!("s{v}{value}"),
            CompareExchange(v, old, new) => format!("c{v}{old}{new}"),
            Send(value) => format!("S{value}"),
            TrySend(value) => format!("T{value}"),
            Receive => "R".into(),
            TryReceive => "Q".into(),
            Length => "L".into(),
            Take => "P".into(),
            TryTake => "U".into(),
            Release => "V".into(),
            Locked(m, block) => format!("m{m}({})", text(block)?),
            TryLocked(m, block) => format!("n{m}({})", text(block)?),
            KeepLocked(m) => format!("k{m}"),
            ReadLocked(block) => format!("d({})", text(block)?),
            WriteLocked(block) => format!("e({})", text(block)?),
            TryReadLocked(block) => format!("g({})", text(block)?),
            TryWriteLocked(block) => format!("h({})", text(block)?),
            KeepReadLocked => "K".into(),
            Wait => "W".into(),
            WaitTimeout => "X".into(),
            NotifyOne => "o".into(),
            NotifyAll => "O".into(),
            Arrive => "b".into(),
            Toss(choices) => format!("!{choices}"),
            Check(v, value) => format!("?{v}{value}"),
            Spawn(block) => format!("y({})", text(block)?),
            SpawnAndJoin(block) => format!("Y({})", text(block)?),
            Yield => ".".into(),
            ChannelSend(_)
            | ChannelTrySend(_)
            | ChannelReceive
            | ChannelTryReceive
            | ChannelReceiveTimeout
            | FetchOr(_)
            | FetchMax(_)
            | Once(_)
            | SetOnce(_)
            | GetOnce
            | GetOrSetOnce(_)
            | Scoped(..)
            | CellRead(_)
            | CellWrite(_)
            | Load(_)
            | Store(..)
            | AddOrdered(_)
            | CompareExchangeOrdered(_)
            | Fence(_)
            | Park
            | ParkTimeout
            | Unpark
            | WaitLoop
            | SpinLocked(_)
            | Local
            | PointerLoad
            | PointerSwap(_)
            | IfSet(_) => return None,
        };
    }
    Some(all)
}

const KINDS: usize = 67;

fn action(random: &mut Random, theme: &[usize], depth: usize) -> Action {
    use Action::*;
    let variable = random.below(2);
    let value = random.below(2) as i64;
    let block = |random: &mut Random| {
        if depth > 1 {
            return vec![];
        }
        (0..random.below(3))
            .map(|_| action(random, theme, depth + 1))
            .collect()
    };
    match theme[random.below(theme.len())] {
        0 => Read(variable),
        1 => Write(variable, value),
        2 => Tell(variable),
        3 => Add(variable, value + 1),
        4 => FetchAdd(variable),
        5 => Swap(variable, value),
        6 => CompareExchange(variable, value, 1 - value),
        7 => Send(value),
        8 => TrySend(value),
        9 => Receive,
        10 => TryReceive,
        11 => Length,
        12 => Take,
        13 => TryTake,
        14 => Release,
        15 => Locked(variable, block(random)),
        16 => TryLocked(variable, block(random)),
        17 => KeepLocked(variable),
        18 => ReadLocked(block(random)),
        19 => WriteLocked(block(random)),
        20 => TryReadLocked(block(random)),
        21 => TryWriteLocked(block(random)),
        22 => KeepReadLocked,
        23 => Wait,
        24 => WaitTimeout,
        25 => NotifyOne,
        26 => NotifyAll,
        27 => Arrive,
        28 => Toss(2),
        29 => Check(variable, value),
        30 if depth == 0 => Spawn(block(random)),
        31 if depth == 0 => SpawnAndJoin(block(random)),
        32 => Yield,
        33 => ChannelSend(value),
        34 => ChannelReceive,
        35 => ChannelTrySend(value),
        36 => ChannelTryReceive,
        37 => ChannelReceiveTimeout,
        38 => FetchOr(1 << value),
        39 => FetchMax(value as u32 + 1),
        40 => Once(block(random)),
        41 => SetOnce(value),
        42 => GetOnce,
        43 => GetOrSetOnce(value),
        44 if depth == 0 => Scoped(block(random), block(random)),
        45 => CellRead(variable),
        46 => CellWrite(variable),
        47 => Load(Ordering::Relaxed),
        48 => Load(Ordering::Acquire),
        49 => Store(value as u32, Ordering::Relaxed),
        50 => Store(value as u32, Ordering::Release),
        51 => AddOrdered(Ordering::Relaxed),
        52 => AddOrdered(Ordering::AcqRel),
        53 => CompareExchangeOrdered(Ordering::Acquire),
        54 => CompareExchangeOrdered(Ordering::Release),
        55 => Fence(Ordering::Acquire),
        56 => Fence(Ordering::Release),
        57 => Fence(Ordering::SeqCst),
        58 => Park,
        59 => ParkTimeout,
        60 => Unpark,
        61 => WaitLoop,
        62 => SpinLocked(block(random)),
        63 => Local,
        64 => PointerLoad,
        65 => PointerSwap(variable),
        66 => IfSet(block(random)),
        _ => FetchAdd(variable),
    }
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
