//! All source text of one run, in one space of offsets, and the expansions of that text.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use crate::{ExpansionId, Span};

/// What stands in the text of a file for each byte that is not UTF-8: a character that means nothing in any notation.
pub const NOT_UTF8: char = '\x1a';

/// This number of calls before a piece of text is looked at to see whether it is a part of one.
const NESTED_CALLS: usize = 64;

/// Files laid end to end, so that a `u32` pair says both which file and where; and the table of expansions.
#[derive(Clone, Debug, Default)]
pub struct SourceMap {
    files: Vec<SourceFile>,
    expansions: Vec<Expansion>,
    /// The end of the longest call that begins at an offset, of calls that stand in the text as it is.
    calls: BTreeMap<u32, u32>,
}

/// A file of the source map, by its number.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct FileId(pub u32);

/// A text and its name.
#[derive(Clone, Debug)]
pub struct SourceFile {
    name: String,
    text: String,
    base: u32,
    line_starts: Vec<u32>,
    /// Then a column is a difference. Lines may be millions of characters long.
    is_ascii: bool,
}

/// One use of a macro or an `inline`.
#[derive(Clone, Debug)]
pub struct Expansion {
    /// What was expanded.
    pub kind: ExpansionKind,
    /// Its name.
    pub name: Arc<str>,
    /// Where it was used; this may itself lie inside another expansion.
    pub call: Span,
    /// The name in the definition, if there is one in the source.
    pub definition: Option<Span>,
}

/// What is expanded in place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ExpansionKind {
    /// A macro of the preprocessor.
    Macro,
    /// An `inline`.
    Inline,
}

/// A place for people: lines and columns count from one, columns in characters.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Location<'a> {
    /// The name of the file.
    pub file: &'a str,
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1, in characters.
    pub column: u32,
}

/// The source does not fit into the 4 GiB that spans can address.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SourceTooLarge;

impl SourceMap {
    /// An empty one.
    pub fn new() -> SourceMap {
        SourceMap::default()
    }

    /// Adds a file of any bytes. A byte that is not part of valid UTF-8 becomes the control character 0x1A, so that offsets
    /// stay true and no notation takes it for anything. In a file without a line feed, lines end with a carriage return, as they did
    /// on old machines.
    pub fn add(&mut self, name: &str, bytes: &[u8]) -> Result<FileId, SourceTooLarge> {
        // One byte is left between files, so that the end of one is not the start of the next.
        let base = self
            .files
            .last()
            .map_or(0, |file| u64::from(file.end()) + 1);
        if base + bytes.len() as u64 >= u64::from(u32::MAX) {
            return Err(SourceTooLarge);
        }
        let mut text = String::with_capacity(bytes.len());
        for chunk in bytes.utf8_chunks() {
            text.push_str(chunk.valid());
            text.extend(chunk.invalid().iter().map(|_| NOT_UTF8));
        }
        if !text.contains('\n') && text.contains('\r') {
            text = text.replace('\r', "\n");
        }
        let line_starts = std::iter::once(0)
            .chain(text.match_indices('\n').map(|(at, _)| at as u32 + 1))
            .collect();
        let id = FileId(self.files.len() as u32);
        self.files.push(SourceFile {
            name: name.to_string(),
            is_ascii: text.is_ascii(),
            text,
            base: base as u32,
            line_starts,
        });
        Ok(id)
    }

    /// A file by its number.
    pub fn file(&self, id: FileId) -> &SourceFile {
        &self.files[id.0 as usize]
    }

    /// All files, in the order in which they were added.
    pub fn files(&self) -> &[SourceFile] {
        &self.files
    }

    /// The file a span lies in. `None` only if no file was ever added, or the span is of another map.
    pub fn file_of(&self, span: Span) -> Option<&SourceFile> {
        let after = self.files.partition_point(|file| file.base <= span.start);
        let file = self.files.get(after.checked_sub(1)?)?;
        (span.end <= file.end()).then_some(file)
    }

    /// The text of a span; empty if the span is not of this map.
    pub fn text(&self, span: Span) -> &str {
        self.file_of(span)
            .and_then(|file| {
                let local = |offset: u32| (offset - file.base) as usize;
                file.text.get(local(span.start)..local(span.end))
            })
            .unwrap_or("")
    }

    /// Where a span starts, as spelled.
    pub fn location(&self, span: Span) -> Option<Location<'_>> {
        self.file_of(span).map(|file| file.location(span.start))
    }

    /// Adds an expansion.
    pub fn add_expansion(&mut self, expansion: Expansion) -> ExpansionId {
        let call = expansion.call;
        if call.context == ExpansionId::NONE {
            let end = self.calls.entry(call.start).or_default();
            *end = call.end.max(*end);
        }
        self.expansions.push(expansion);
        ExpansionId(self.expansions.len() as u32)
    }

    /// An expansion by its number; none for text that stands as it is.
    pub fn expansion(&self, id: ExpansionId) -> Option<&Expansion> {
        self.expansions.get((id.0 as usize).checked_sub(1)?)
    }

    /// The expansions a span came through, innermost first.
    pub fn expansion_chain(&self, span: Span) -> impl Iterator<Item = &Expansion> {
        std::iter::successors(self.expansion(span.context), |expansion| {
            self.expansion(expansion.call.context)
        })
    }

    /// The place in the source that, after all expansions, put this text there: the outermost call, or the span itself.
    pub fn outermost(&self, span: Span) -> Span {
        self.expansion_chain(span)
            .last()
            .map_or(span, |expansion| expansion.call)
    }

    /// Is this text, which stands as it is, the call of an expansion or a part of it?
    pub fn is_in_call(&self, span: Span) -> bool {
        // Calls lie in each other only as arguments, so few begin between this one and the one around it.
        let mut before = self.calls.range(..=span.start).rev().take(NESTED_CALLS);
        before.any(|(_, end)| span.end <= *end)
    }

    /// The smallest span that covers both. Ends that were expanded differently are replaced by the calls that made them,
    /// up to an expansion they share.
    pub fn join(&self, first: Span, second: Span) -> Span {
        if first.context != second.context {
            let lifted: Vec<Span> = self.lifts(first).collect();
            let common = self
                .lifts(second)
                .find_map(|b| Some((*lifted.iter().find(|a| a.context == b.context)?, b)));
            return match common {
                Some((a, b)) => self.join(a, b),
                None => first,
            };
        }
        let start = first.start.min(second.start);
        let joined = Span {
            start,
            end: first.end.max(second.end),
            context: first.context,
        };
        // An `#include` in between: there is no text that covers both.
        if self.file_of(joined).is_none() {
            first
        } else {
            joined
        }
    }

    fn lifts(&self, span: Span) -> impl Iterator<Item = Span> {
        std::iter::once(span).chain(self.expansion_chain(span).map(|expansion| expansion.call))
    }
}

impl SourceFile {
    /// Its name, usually its path.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The global offset of the first byte.
    pub fn base(&self) -> u32 {
        self.base
    }

    /// The global offset after the last byte.
    pub fn end(&self) -> u32 {
        self.base + self.text.len() as u32
    }

    /// Which line (from zero) a global offset is on.
    pub(crate) fn line_index(&self, offset: u32) -> usize {
        let local = offset - self.base;
        self.line_starts.partition_point(|&start| start <= local) - 1
    }

    /// The local offset at which a line (from zero) starts; the end of the text for lines after the last.
    pub(crate) fn line_start(&self, line: usize) -> usize {
        self.line_starts
            .get(line)
            .map_or(self.text.len(), |&start| start as usize)
    }

    fn location(&self, offset: u32) -> Location<'_> {
        // There is no line behind the last line feed: what is missing at the end is shown behind the last line.
        let is_behind = offset == self.end() && self.text.ends_with('\n');
        let line = self.line_index(offset - u32::from(is_behind));
        let start = self.line_start(line);
        let end = (offset - self.base) as usize;
        let column = match self.is_ascii {
            true => end - start,
            false => {
                let before = self.text.get(start..end);
                before.map_or(0, |text| text.chars().count())
            }
        };
        Location {
            file: &self.name,
            line: line as u32 + 1,
            column: column as u32 + 1,
        }
    }
}

impl fmt::Display for Location<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}:{}:{}", self.file, self.line, self.column)
    }
}

impl fmt::Display for SourceTooLarge {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("the source is larger than 4 GiB")
    }
}

impl std::error::Error for SourceTooLarge {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn locates_in_several_files() {
        let mut map = SourceMap::new();
        map.add("a", b"one\ntwo").unwrap();
        let b = map.add("b", "αβ\nγ".as_bytes()).unwrap();
        let base = map.file(b).base();
        assert_eq!(map.location(Span::new(4, 7)).unwrap().to_string(), "a:2:1");
        assert_eq!(map.text(Span::new(4, 7)), "two");
        let span = Span::new(base + 2, base + 4);
        assert_eq!(map.location(span).unwrap().to_string(), "b:1:2");
        assert_eq!(map.text(span), "β");
        assert_eq!(map.location(map_end(&map, 0)).unwrap().to_string(), "a:2:4");
    }

    #[test]
    fn lines_may_end_with_a_carriage_return() {
        let mut map = SourceMap::new();
        map.add("old", b"one\rtwo\r").unwrap();
        assert_eq!(
            map.location(Span::new(4, 7)).unwrap().to_string(),
            "old:2:1"
        );
        assert_eq!(map.file(FileId(0)).text(), "one\ntwo\n");
        let mixed = map.add("mixed", b"one\r\ntwo\rthree\r\n").unwrap();
        assert_eq!(map.file(mixed).text(), "one\r\ntwo\rthree\r\n");
    }

    #[test]
    fn the_end_of_a_file_is_on_its_last_line() {
        let mut map = SourceMap::new();
        map.add("a", b"one\ntwo\n").unwrap();
        map.add("b", b"").unwrap();
        assert_eq!(map.location(map_end(&map, 0)).unwrap().to_string(), "a:2:5");
        assert_eq!(map.location(map_end(&map, 1)).unwrap().to_string(), "b:1:1");
    }

    fn map_end(map: &SourceMap, file: u32) -> Span {
        let end = map.file(FileId(file)).end();
        Span::new(end, end)
    }

    #[test]
    fn keeps_offsets_of_invalid_utf8() {
        let mut map = SourceMap::new();
        let file = map.add("a", b"a\xff\xfeb").unwrap();
        assert_eq!(map.file(file).text(), "a\x1a\x1ab");
    }

    #[test]
    fn joins_through_expansions() {
        let mut map = SourceMap::new();
        map.add("a", b"#define M 12345\nx = M + y").unwrap();
        let call = Span::new(20, 21);
        let expansion = map.add_expansion(Expansion {
            kind: ExpansionKind::Macro,
            name: "M".into(),
            call,
            definition: None,
        });
        let body = Span::new(10, 15).in_context(expansion);
        assert_eq!(map.text(map.join(Span::new(16, 17), body)), "x = M");
        assert_eq!(map.text(map.join(body, Span::new(24, 25))), "M + y");
        assert_eq!(map.outermost(body), call);
        assert!(map.is_in_call(call) && !map.is_in_call(Span::new(16, 21)));
    }

    #[test]
    fn foreign_spans_are_harmless() {
        let map = SourceMap::new();
        assert_eq!(map.text(Span::new(3, 9)), "");
        assert!(map.location(Span::new(3, 9)).is_none());
    }
}
