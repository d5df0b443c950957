//! What an actor of a random program can do.

use mazurka_actors::sync::atomic::Ordering;

use super::Random;

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
    /// On an atomic that is a static.
    StaticAdd,
    /// Under a mutex that is a static.
    StaticLocked(Vec<Action>),
    /// Waits in a loop for one of two atomics.
    WaitLoopTwo,
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
    "static-",
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
        "static-add",
        "static-lock",
        "wait-loop-two",
    ];

    /// The position of its name.
    pub fn number(&self) -> usize {
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
            StaticAdd => 67,
            StaticLocked(_) => 68,
            WaitLoopTwo => 69,
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
            | StaticLocked(block)
            | IfSet(block) => {
                vec![block]
            }
            Scoped(one, other) => vec![one, other],
            _ => Vec::new(),
        }
    }
}

/// The kinds of all actions, as bits.
pub fn used(actions: &[Action]) -> u128 {
    actions.iter().fold(0, |all, action| {
        let inside = action.blocks().into_iter().map(used);
        inside.fold(all | 1 << action.number(), |all, inside| all | inside)
    })
}

/// How many kinds of actions there are.
pub const KINDS: usize = 70;

/// One of these kinds, or any.
pub fn action(random: &mut Random, theme: &[usize], depth: usize) -> Action {
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
        67 => StaticAdd,
        68 => StaticLocked(block(random)),
        69 => WaitLoopTwo,
        _ => FetchAdd(variable),
    }
}
