//! The objects of a state that operations are performed on, and whether two may be the same.

/// What an operation is performed on, in this state.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Place {
    Bytes(u32, u32),
    /// The channel of that number; `None` if any.
    Channel(Option<i32>),
    /// One of the channels whose numbers, modulo 64, are in this set. They all exist.
    Channels(u64),
    /// A channel that does not exist.
    Unborn,
    Other,
}

/// May two operations be performed on the same object?
pub(crate) fn meet(a: Place, b: Place) -> bool {
    match (a, b) {
        (Place::Bytes(start, end), Place::Bytes(from, to)) => start < to && from < end,
        (Place::Channel(a), Place::Channel(b)) => a.is_none() || b.is_none() || a == b,
        (Place::Channels(set), Place::Channel(known))
        | (Place::Channel(known), Place::Channels(set)) => {
            known.is_none_or(|number| set >> (number % 64) & 1 != 0)
        }
        (Place::Channels(a), Place::Channels(b)) => a & b != 0,
        (Place::Channels(_), Place::Unborn) | (Place::Unborn, Place::Channels(_)) => false,
        (Place::Unborn, Place::Channel(known)) | (Place::Channel(known), Place::Unborn) => {
            known.is_none()
        }
        _ => true,
    }
}
