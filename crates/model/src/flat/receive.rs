//! Whether a receive is possible, in flat code.

use super::{Flat, Seat};
use crate::kind::Kind;
use crate::program::ReceiveId;

/// A receive, as far as its guard needs it.
#[derive(Clone, Copy, Debug)]
pub(super) struct FlatReceive {
    /// Is there flat code for all that it asks?
    pub is_known: bool,
    pub random: bool,
    pub keep: bool,
    pub fields: u32,
    /// What it asks of fields, a range.
    pub first: u32,
    pub end: u32,
}

impl FlatReceive {
    pub const UNKNOWN: FlatReceive = FlatReceive {
        is_known: false,
        random: false,
        keep: false,
        fields: 0,
        first: 0,
        end: 0,
    };
}

/// How messages lie in a channel.
#[derive(Clone, Debug)]
pub(super) struct Layout {
    pub message_bytes: u32,
    /// Where each field is, and how it is packed.
    pub fields: Vec<(u32, Kind)>,
}

impl Flat {
    /// The slot that a receive would take its message from, if it is possible, from the channel with this number. No answer where
    /// something is wrong with it.
    pub fn slot(
        &self,
        state: &[u8],
        seat: &Seat<'_>,
        receive: ReceiveId,
        number: i32,
    ) -> Option<Option<u32>> {
        let (channel, entry) = self.channel(seat, number)?;
        let receive = &self.receives[receive.index()];
        if channel.capacity == 0 {
            // It waits for a partner. To ask whether there is a message is an error.
            return (!receive.keep).then_some(None);
        }
        let length = channel.length(state, entry);
        if length == 0 {
            return Some(None);
        }
        let layout = &self.layouts[entry.channel_type.index()];
        let expected = layout.fields.len() as u32;
        if receive.fields != expected && !(receive.keep && receive.fields < expected) {
            return None;
        }
        let messages = entry.offset + channel.length_kind.bytes();
        let slots = if receive.random { length } else { 1 };
        for slot in 0..slots {
            let message = messages + slot * layout.message_bytes;
            if self.agrees((state, seat), receive, layout, message as usize)? {
                return Some(Some(slot));
            }
        }
        Some(None)
    }

    #[inline]
    fn agrees(
        &self,
        (state, seat): (&[u8], &Seat<'_>),
        receive: &FlatReceive,
        layout: &Layout,
        message: usize,
    ) -> Option<bool> {
        for (field, wanted) in &self.matches[receive.first as usize..receive.end as usize] {
            let (offset, kind) = layout.fields[*field as usize];
            if self.operand(state, seat, *wanted)? != kind.read(state, message + offset as usize) {
                return Some(false);
            }
        }
        Some(true)
    }
}
