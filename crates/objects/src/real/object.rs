//! Objects as they are kept: plain numbers, in memory that may be shared with the program.

use bytemuck::Zeroable;

use super::ObjectKind;
use super::cell::Width;

/// The present value of an object. Which fields mean something depends on its kind.
#[derive(Clone, Copy, Debug, Zeroable)]
#[repr(C)]
pub struct Object {
    /// The value of a variable, the count of a semaphore, the generation of a barrier.
    pub value: i64,
    /// Those who took a read-write lock for reading last, or who wait for a condition variable,
    /// one bit each.
    pub actors: u64,
    /// How many messages have been sent; how many have arrived at a barrier; how often a
    /// read-write lock is held for reading.
    pub sent: u32,
    /// How many messages have been received; how many have been taken from a semaphore.
    pub received: u32,
    /// The capacity of a queue, the size of a barrier, the bits of a variable if they are not 64.
    pub bound: u32,
    /// Where the slots of a queue begin in the words of messages.
    pub slots: u32,
    /// How many words a slot has; without slots, the program keeps the messages.
    pub width: u32,
    /// How many senders a queue has, if they are counted; [`Object::UNCOUNTED`] if not.
    pub senders: u32,
    /// How often it has been changed.
    pub version: u32,
    /// Padding.
    pub _more: u32,
    /// The actor that holds a mutex, or a read-write lock for writing, plus one.
    pub owner: u8,
    /// Whether the receiver of a queue is gone; whether a variable has no sign.
    pub deaf: u8,
    /// What it is.
    pub kind: ObjectKind,
    /// Whether a variable holds addresses, which differ from execution to execution.
    pub is_address: u8,
    /// Where it was made.
    pub place: u16,
    /// Its name in the table of names, or zero.
    pub name: u16,
}

impl Default for Object {
    fn default() -> Object {
        Object::zeroed()
    }
}

impl Object {
    /// The number of senders of a queue whose senders are not counted.
    pub const UNCOUNTED: u32 = u32::MAX;

    /// The width of a variable.
    #[inline]
    pub fn cell_width(&self) -> Width {
        Width {
            bits: if self.bound == 0 { 64 } else { self.bound },
            is_signed: self.deaf == 0,
        }
    }

    /// The number of messages in a queue.
    #[inline]
    pub fn length(&self) -> u32 {
        self.sent.wrapping_sub(self.received)
    }

    /// The actor that holds a mutex, or a read-write lock for writing.
    #[inline]
    pub fn holder(&self) -> Option<u32> {
        u32::from(self.owner).checked_sub(1)
    }

    /// What decides what is done with it ([`Outlook::ByValue`]): the value of a variable, who waits for a condition variable.
    ///
    /// [`Outlook::ByValue`]: super::Outlook::ByValue
    #[inline]
    pub fn content(&self) -> i64 {
        match self.kind {
            ObjectKind::CONDITION => self.actors as i64,
            _ => self.value,
        }
    }

    /// Gives it this [content](Object::content).
    pub fn put_content(&mut self, content: i64) {
        match self.kind {
            ObjectKind::CONDITION => self.actors = content as u64,
            _ => self.value = content,
        }
    }

    /// How a lock is held: by an owner, by readers. See [`Past::before`].
    ///
    /// [`Past::before`]: crate::history::Past::before
    #[inline]
    pub(crate) fn held(&self) -> u32 {
        u32::from(self.owner != 0) | u32::from(self.sent != 0) << 1
    }
}
