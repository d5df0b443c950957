//! What happens inside a step, for whoever wants to watch.

use crate::program::{ChannelTypeId, ExpressionId, FormatPart, Meaning, ProcessTypeId, Program};

/// Something that happened.
#[derive(Clone, PartialEq, Debug)]
pub enum Event {
    /// A message was sent.
    Sent {
        /// Who sent it.
        process: u32,
        /// The number of the channel.
        channel: u32,
        /// Its type.
        channel_type: ChannelTypeId,
        /// The fields.
        message: Vec<i32>,
    },
    /// A message was received, or looked at.
    Received {
        /// Who received it.
        process: u32,
        /// The number of the channel.
        channel: u32,
        /// Its type.
        channel_type: ChannelTypeId,
        /// The fields.
        message: Vec<i32>,
    },
    /// A process was started.
    Started {
        /// Its number.
        process: u32,
        /// Its type.
        process_type: ProcessTypeId,
    },
    /// A process ended.
    Died {
        /// Its number.
        process: u32,
    },
    /// Text was printed.
    Printed(String),
    /// An assertion failed.
    Failed {
        /// Whose it is.
        process: u32,
        /// What was asserted.
        expression: ExpressionId,
        /// What it reads, with the values at that moment; what has no value is left out.
        values: Vec<(ExpressionId, i32)>,
    },
}

/// Watches a step. The search watches nothing, with `()`, at no cost.
pub trait Witness {
    /// Is it worth the trouble to describe an event?
    fn is_interested(&self) -> bool;
    /// Something happened.
    fn event(&mut self, event: Event);
}

impl Witness for () {
    #[inline]
    fn is_interested(&self) -> bool {
        false
    }

    #[inline]
    fn event(&mut self, _: Event) {}
}

impl Witness for Vec<Event> {
    fn is_interested(&self) -> bool {
        true
    }

    fn event(&mut self, event: Event) {
        self.push(event);
    }
}

/// The text of a print.
pub(crate) fn format(program: &Program, parts: &[FormatPart], values: &[i32]) -> String {
    let mut text = String::new();
    let mut values = values.iter().copied();
    for part in parts {
        if let FormatPart::Text(plain) = part {
            text.push_str(plain);
            continue;
        }
        let value = values.next().unwrap_or(0);
        match part {
            FormatPart::Text(_) => {}
            FormatPart::Decimal => text.push_str(&value.to_string()),
            FormatPart::Unsigned => text.push_str(&(value as u32).to_string()),
            FormatPart::Character => text.push(char::from(value as u8)),
            FormatPart::Hexadecimal => text.push_str(&format!("{value:x}")),
            FormatPart::Octal => text.push_str(&format!("{value:o}")),
            FormatPart::Name(which) => {
                text.push_str(&program.name_of(Meaning::Enumeration(*which), value));
            }
        }
    }
    text
}
