//! Spoils valid files: bytes, words and numbers, and whole pieces.

/// Numbers that programs forget to think of.
const EXTREMES: [&str; 14] = [
    "0",
    "-1",
    "1",
    "2",
    "63",
    "64",
    "255",
    "256",
    "65535",
    "65536",
    "2147483647",
    "4294967295",
    "9223372036854775807",
    "18446744073709551615",
];
/// The changes made to one file, at most.
const CHANGES: usize = 5;

/// Spoils files, each time in another way; the same seed does the same again.
#[derive(Clone, Debug)]
pub struct Mutator {
    random: u64,
}

impl Mutator {
    /// A mutator. Seeds that are near each other do different things.
    pub fn new(seed: u64) -> Mutator {
        Mutator {
            random: seed.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1,
        }
    }

    /// A number below `bound`, which is not zero.
    pub fn below(&mut self, bound: usize) -> usize {
        crate::models::draw(&mut self.random, bound)
    }

    /// The file with a few things wrong. `others` are further valid files, of which pieces are taken.
    pub fn spoil(&mut self, file: &[u8], others: &[Vec<u8>]) -> Vec<u8> {
        let mut file = file.to_vec();
        for _ in 0..=self.below(CHANGES) {
            self.change(&mut file, others);
        }
        file
    }

    fn change(&mut self, file: &mut Vec<u8>, others: &[Vec<u8>]) {
        let length = file.len();
        if length == 0 {
            file.push(self.below(256) as u8);
            return;
        }
        let at = self.below(length);
        match self.below(12) {
            0 => file[at] ^= 1 << self.below(8),
            1 => file[at] = self.below(256) as u8,
            2 => file[at] = [0, 1, 0x7f, 0x80, 0xff][self.below(5)],
            3 => file.truncate(at),
            4 => {
                let end = at + self.below((length - at).min(64)) + 1;
                file.drain(at..end);
            }
            5 => {
                let end = at + self.below((length - at).min(256)) + 1;
                let piece = file[at..end].to_vec();
                let place = self.below(length + 1);
                file.splice(place..place, piece);
            }
            6 | 7 => self.change_number(file, at),
            8 | 9 => self.exchange_words(file, at),
            10 => {
                // A number of seven bits to a byte that is as large as can be.
                let bytes = [&[0xff; 9][..], &[self.below(2) as u8]].concat();
                file.splice(at..(at + 1 + self.below(2)).min(length), bytes);
            }
            _ => {
                let Some(other) = (!others.is_empty()).then(|| &others[self.below(others.len())])
                else {
                    return;
                };
                if !other.is_empty() {
                    let from = self.below(other.len());
                    let end = from + self.below((other.len() - from).min(512)) + 1;
                    file.splice(at..at, other[from..end].iter().copied());
                }
            }
        }
    }

    /// Puts an extreme number in the place of the next one.
    fn change_number(&mut self, file: &mut Vec<u8>, at: usize) {
        let number = EXTREMES[self.below(EXTREMES.len())];
        let Some(start) = (at..file.len()).find(|at| file[*at].is_ascii_digit()) else {
            return;
        };
        let end = (start..file.len()).find(|at| !file[*at].is_ascii_digit());
        file.splice(start..end.unwrap_or(file.len()), number.bytes());
    }

    /// Puts one word of the file in the place of another.
    fn exchange_words(&mut self, file: &mut Vec<u8>, at: usize) {
        let from = self.below(file.len());
        let (old, new) = (word(file, at), word(file, from));
        let new = file[new].to_vec();
        file.splice(old, new);
    }
}

/// The word around a byte: letters, digits and underscores, or else what is between them.
fn word(file: &[u8], at: usize) -> std::ops::Range<usize> {
    let is_letter = |at: usize| file[at].is_ascii_alphanumeric() || file[at] == b'_';
    let kind = is_letter(at);
    let start = (0..at).rev().take_while(|at| is_letter(*at) == kind);
    let start = start.last().unwrap_or(at);
    let end = (at..file.len()).take_while(|at| is_letter(*at) == kind);
    start..end.last().unwrap_or(at) + 1
}
