//! Channels in the state vector: looking at messages, putting them in, taking them out.
//!
//! A channel is its length followed by its slots, oldest message first. Free slots are zero, so
//! that equal contents are equal bytes.

use crate::evaluate::{Environment, evaluate};
use crate::fault::Fault;
use crate::instruction::{Field, Receive};
use crate::program::{ChannelType, Program, ReceiveId};
use crate::shape::ChannelEntry;

/// A channel of a state.
#[derive(Clone, Copy)]
pub(crate) struct ChannelView<'a> {
    pub channel_type: &'a ChannelType,
    pub entry: ChannelEntry,
    state: &'a [u8],
}

/// The channel with the given number, which counts from 1.
#[inline]
pub(crate) fn channel<'a>(env: &Environment<'a>, number: i32) -> Option<ChannelView<'a>> {
    let Some(entry) = usize::try_from(number.wrapping_sub(1))
        .ok()
        .and_then(|index| env.shape.channels.get(index))
    else {
        env.fail(Fault::NoChannel(number));
        return None;
    };
    Some(ChannelView {
        channel_type: &env.program.channel_types[entry.channel_type.index()],
        entry: *entry,
        state: env.state,
    })
}

impl ChannelView<'_> {
    /// The number of messages.
    #[inline]
    pub fn length(&self) -> u32 {
        match self.channel_type.capacity {
            0 => 0,
            _ => self
                .channel_type
                .length_kind()
                .read(self.state, self.entry.offset as usize) as u32,
        }
    }

    /// How many messages make it full. A rendezvous channel has room for the one in transit.
    #[inline]
    pub fn room(&self) -> u32 {
        self.channel_type.capacity.max(1)
    }

    /// Do sender and receiver have to meet?
    #[inline]
    pub fn is_rendezvous(&self) -> bool {
        self.channel_type.capacity == 0
    }

    /// The value of a field of the message in a slot.
    #[inline]
    pub fn field(&self, slot: u32, field: usize) -> i32 {
        let described = &self.channel_type.fields[field];
        let offset = slot_offset(self.channel_type, self.entry, slot) + described.offset as usize;
        described.kind.read(self.state, offset)
    }
}

/// The slot that a receive would take its message from, if it is possible without a partner.
pub(crate) fn can_receive(env: &Environment<'_>, receive: ReceiveId) -> Option<u32> {
    let receive = &env.program.receives[receive.index()];
    let number = evaluate(env, receive.channel);
    let channel = channel(env, number)?;
    if channel.is_rendezvous() {
        if receive.keep {
            env.fail(Fault::RendezvousPoll);
        }
        return None;
    }
    let length = channel.length();
    if length == 0 || !has_fields(env, &channel, receive) {
        return None;
    }
    let last = if receive.random { length } else { 1 };
    (0..last).find(|slot| matches(env, receive, |field| channel.field(*slot, field)))
}

/// Do the constant fields of a receive agree with a message?
#[inline]
pub(crate) fn matches(
    env: &Environment<'_>,
    receive: &Receive,
    value: impl Fn(usize) -> i32,
) -> bool {
    fields(env.program, receive)
        .iter()
        .enumerate()
        .all(|(position, field)| match field {
            Field::Match(expression) => evaluate(env, *expression) == value(position),
            Field::Bind(_) | Field::Discard => true,
        })
}

/// Has the receive as many fields as the channel? One that only looks may leave the last ones out.
pub(crate) fn has_fields(
    env: &Environment<'_>,
    channel: &ChannelView<'_>,
    receive: &Receive,
) -> bool {
    let expected = channel.channel_type.fields.len();
    let found = receive.fields.len();
    let fits = found == expected || (receive.keep && found < expected);
    if !fits {
        env.fail(Fault::WrongMessage {
            expected: expected as u32,
            found: found as u32,
        });
    }
    fits
}

/// What a receive does with each field.
#[inline]
pub(crate) fn fields<'a>(program: &'a Program, receive: &Receive) -> &'a [Field] {
    &program.fields[receive.fields.start as usize..receive.fields.end as usize]
}

/// The offset of a slot.
#[inline]
pub(crate) fn slot_offset(channel_type: &ChannelType, entry: ChannelEntry, slot: u32) -> usize {
    (entry.offset + channel_type.length_kind().bytes() + slot * channel_type.message_bytes) as usize
}

/// Puts a message into a channel that has room.
pub(crate) fn insert(
    state: &mut [u8],
    channel_type: &ChannelType,
    entry: ChannelEntry,
    message: &[i32],
    sorted: bool,
) {
    let kind = channel_type.length_kind();
    let length = kind.read(state, entry.offset as usize) as u32;
    let slot = if sorted {
        (0..length)
            .find(|slot| is_greater(state, channel_type, entry, *slot, message))
            .unwrap_or(length)
    } else {
        length
    };
    let start = slot_offset(channel_type, entry, slot);
    let end = slot_offset(channel_type, entry, length);
    state.copy_within(start..end, start + channel_type.message_bytes as usize);
    for (field, value) in channel_type.fields.iter().zip(message) {
        field
            .kind
            .write(state, start + field.offset as usize, *value);
    }
    kind.write(state, entry.offset as usize, length as i32 + 1);
}

/// Takes the message out of a slot and closes the gap.
pub(crate) fn remove(state: &mut [u8], channel_type: &ChannelType, entry: ChannelEntry, slot: u32) {
    let kind = channel_type.length_kind();
    let length = kind.read(state, entry.offset as usize) as u32;
    let start = slot_offset(channel_type, entry, slot);
    let last = slot_offset(channel_type, entry, length - 1);
    let message = channel_type.message_bytes as usize;
    state.copy_within(start + message..last + message, start);
    state[last..last + message].fill(0);
    kind.write(state, entry.offset as usize, length as i32 - 1);
}

/// Is the message in the slot greater than the given one, comparing fields from the first on?
fn is_greater(
    state: &[u8],
    channel_type: &ChannelType,
    entry: ChannelEntry,
    slot: u32,
    message: &[i32],
) -> bool {
    let start = slot_offset(channel_type, entry, slot);
    channel_type
        .fields
        .iter()
        .map(|field| field.kind.read(state, start + field.offset as usize))
        .gt(message.iter().copied())
}
