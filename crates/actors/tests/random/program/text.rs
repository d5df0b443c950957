//! A random program as the interpreter in C reads it.

use super::Action;

/// Actions as letters, digits and blocks.
pub fn text(actions: &[Action]) -> Option<String> {
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
            | IfSet(_)
            | StaticAdd
            | StaticLocked(_)
            | WaitLoopTwo => return None,
        };
    }
    Some(all)
}
