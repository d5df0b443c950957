//! A stretch of source text, and how it came to be where it is.

use std::fmt;

/// The bytes `start..end` of the global offset space of a [`SourceMap`](crate::SourceMap).
///
/// A span says where something is *spelled*. When the spelling was copied elsewhere by a macro or an `inline`, `context`
/// names the expansion that did so; the chain of expansions is kept once, in the source map, so that a span stays small.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Span {
    /// The first byte.
    pub start: u32,
    /// The byte behind the last.
    pub end: u32,
    /// The expansion that it comes from.
    pub context: ExpansionId,
}

impl Span {
    /// A span of text that stands as it is.
    pub fn new(start: u32, end: u32) -> Span {
        Span {
            start,
            end: end.max(start),
            context: ExpansionId::NONE,
        }
    }

    /// The same text, as copied by `context`.
    pub fn in_context(self, context: ExpansionId) -> Span {
        Span { context, ..self }
    }

    /// How many bytes it has.
    pub fn len(self) -> usize {
        (self.end - self.start) as usize
    }

    /// Has it no bytes?
    pub fn is_empty(self) -> bool {
        self.start == self.end
    }

    /// The empty span just before this one.
    pub fn at_start(self) -> Span {
        Span {
            end: self.start,
            ..self
        }
    }

    /// The empty span just after this one.
    pub fn at_end(self) -> Span {
        Span {
            start: self.end,
            ..self
        }
    }

    /// Whether both are the same text, however it was expanded.
    pub fn same_text(self, other: Span) -> bool {
        self.start == other.start && self.end == other.end
    }
}

impl fmt::Debug for Span {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}..{}", self.start, self.end)?;
        if self.context != ExpansionId::NONE {
            write!(formatter, "#{}", self.context.0)?;
        }
        Ok(())
    }
}

/// Names one expansion of a macro or an `inline` in a [`SourceMap`](crate::SourceMap).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct ExpansionId(pub u32);

impl ExpansionId {
    /// The context of text that stands in the source as it is.
    pub const NONE: ExpansionId = ExpansionId(0);
}
