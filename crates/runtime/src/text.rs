//! Places in the source, names and messages, numbered in memory that processes can share.

use bytemuck::Zeroable;

const ENTRIES: usize = 1 << 14;
const BYTES: usize = 1 << 21;
/// A longer text is cut.
const LONGEST: usize = 1 << 12;

/// A table of texts. Number 0 is the empty text, and what is said when the table is full.
#[derive(Clone, Copy, Zeroable)]
#[repr(C)]
pub struct Texts {
    count: u32,
    used: u32,
    // A place is found by the address of its file name and its line, without looking at the name.
    index: [u16; 2 * ENTRIES],
    entries: [Entry; ENTRIES],
    bytes: [u8; BYTES],
}

#[derive(Clone, Copy, Zeroable)]
#[repr(C)]
struct Entry {
    key: u64,
    line: u32,
    start: u32,
    length: u32,
    column: u32,
    /// Whether it is a place in compiled code: a row of addresses, until it is resolved.
    is_code: u32,
    /// Whether it has been resolved.
    is_resolved: u32,
    /// The number of a text that says more about it.
    more: u32,
    _padding: u32,
}

impl Texts {
    /// The number of a place in the source. `key` tells files apart, such as the address of the
    /// name: as long as the program runs, one key means one name.
    #[inline]
    pub fn place(
        &mut self,
        key: u64,
        line: u32,
        file: impl FnOnce() -> (u32, &'static str),
    ) -> u16 {
        let hash = (key ^ u64::from(line) << 32).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let mut slot = (hash >> 40) as usize % self.index.len();
        loop {
            let number = self.index[slot];
            if number == 0 {
                let (column, name) = file();
                let number = self.add(key, line, column, name);
                self.index[slot] = number;
                return number;
            }
            let entry = &self.entries[usize::from(number) % ENTRIES];
            if entry.key == key && entry.line == line && entry.is_code == 0 {
                return number;
            }
            slot = (slot + 1) % self.index.len();
        }
    }

    /// The number of a place in compiled code, told apart from others by a key: the address of an
    /// instruction and of those that called the functions it is in, the inner ones first.
    #[inline]
    pub fn code(&mut self, key: u64, row: &[u64]) -> u16 {
        let mut slot = (key >> 40) as usize % self.index.len();
        loop {
            let number = self.index[slot];
            if number == 0 {
                let (number, start) = (self.count as usize + 1, self.used as usize);
                let length = size_of_val(row);
                if number >= ENTRIES || start + length > BYTES {
                    return 0;
                }
                for (word, place) in row.iter().zip(self.bytes[start..].chunks_exact_mut(8)) {
                    place.copy_from_slice(&word.to_ne_bytes());
                }
                self.entries[number] = Entry {
                    key,
                    line: 0,
                    start: start as u32,
                    length: length as u32,
                    column: 0,
                    is_code: 1,
                    is_resolved: 0,
                    more: 0,
                    _padding: 0,
                };
                self.count += 1;
                self.used += length as u32;
                self.index[slot] = number as u16;
                return number as u16;
            }
            let entry = &self.entries[usize::from(number) % ENTRIES];
            if entry.is_code != 0 && entry.key == key {
                return number;
            }
            slot = (slot + 1) % self.index.len();
        }
    }

    /// The addresses of a place in compiled code that has not been resolved.
    pub fn unresolved(&self, number: u16) -> Option<Vec<u64>> {
        let entry = &self.entries[usize::from(number) % ENTRIES];
        if entry.is_code == 0 || entry.is_resolved != 0 {
            return None;
        }
        let words = self.text(number).chunks_exact(8);
        Some(
            words
                .map(|word| word.try_into().map_or(0, u64::from_ne_bytes))
                .collect(),
        )
    }

    /// How many texts there are; they have the numbers from one on.
    pub fn count(&self) -> u16 {
        (self.count as usize).min(ENTRIES - 1) as u16
    }

    /// A place in compiled code is this one in the source; line 0 if that is not known.
    pub fn resolve(&mut self, number: u16, file: &str, line: u32) {
        let named = self.name(file);
        let (start, length) = {
            let name = &self.entries[usize::from(named) % ENTRIES];
            (name.start, name.length)
        };
        let entry = &mut self.entries[usize::from(number) % ENTRIES];
        entry.is_resolved = 1;
        entry.line = line;
        if named != 0 {
            (entry.start, entry.length) = (start, length);
        }
    }

    /// Another text says more about a place.
    pub fn explain(&mut self, number: u16, more: u16) {
        self.entries[usize::from(number) % ENTRIES].more = more.into();
    }

    /// The text that says more about a place: in compiled code a line for each function on the stack, the inner ones first.
    pub fn explanation(&self, number: u16) -> String {
        self.get(self.entries[usize::from(number) % ENTRIES].more as u16)
    }

    /// The same where the name is not known for ever.
    pub fn place_of(&mut self, key: u64, line: u32, column: u32, file: &str) -> u16 {
        let known = |entry: &Entry| entry.key == key && entry.line == line && entry.is_code == 0;
        let found = self.entries[..self.count as usize + 1]
            .iter()
            .position(known);
        found.map_or_else(|| self.add(key, line, column, file), |number| number as u16)
    }

    /// The number of a text; texts are not told apart from places in files of the same name.
    pub fn name(&mut self, text: &str) -> u16 {
        let found = (1..=self.count as usize).find(|&number| {
            let entry = &self.entries[number % ENTRIES];
            entry.key == 0 && self.text(number as u16) == text.as_bytes()
        });
        found.map_or_else(|| self.add(0, 0, 0, text), |number| number as u16)
    }

    fn add(&mut self, key: u64, line: u32, column: u32, text: &str) -> u16 {
        let bytes = &text.as_bytes()[..text.len().min(LONGEST)];
        let (number, start) = (self.count as usize + 1, self.used as usize);
        if number >= ENTRIES || start + bytes.len() > BYTES {
            return 0;
        }
        self.bytes[start..start + bytes.len()].copy_from_slice(bytes);
        self.entries[number] = Entry {
            key,
            line,
            start: start as u32,
            length: bytes.len() as u32,
            column,
            is_code: 0,
            is_resolved: 0,
            more: 0,
            _padding: 0,
        };
        self.count += 1;
        self.used += bytes.len() as u32;
        number as u16
    }

    fn text(&self, number: u16) -> &[u8] {
        let entry = &self.entries[usize::from(number) % ENTRIES];
        let end = entry.start as usize + entry.length as usize;
        self.bytes
            .get(entry.start as usize..end)
            .unwrap_or_default()
    }

    /// The text with this number.
    pub fn get(&self, number: u16) -> String {
        String::from_utf8_lossy(self.text(number)).into_owned()
    }

    /// File, line and column of a place, if it is known and tells the user something: what Rust does at the end of a scope, such as
    /// giving back a lock, happens somewhere in its own library.
    pub fn position(&self, number: u16) -> Option<(String, u32, u32)> {
        let entry = &self.entries[usize::from(number) % ENTRIES];
        if number == 0 || entry.line == 0 {
            return None;
        }
        let file = self.get(number);
        let is_library = OF_RUST.iter().any(|folder| file.contains(folder));
        (!is_library).then_some((file, entry.line, entry.column))
    }
}

/// Where the source of Rust's own library lies, wherever it was built.
const OF_RUST: [&str; 3] = [
    "/library/core/src/",
    "/library/alloc/src/",
    "/library/std/src/",
];
