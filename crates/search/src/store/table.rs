//! A compact set of numbers, after Cleary (1984): what the place of an entry says already is not
//! stored in the entry.
//!
//! A number of `key_bits` bits is mixed by a permutation, so nothing is lost. The result is divided by
//! how many numbers there are for each bucket, a cache line: the quotient chooses the bucket, the
//! *remainder* is the entry. If the bucket is full the entry goes to its neighbour, then to other pairs
//! of buckets that the remainder chooses; which of them it is in is a part of the entry, so that the number
//! can be put together again. An entry is 32 bits wide as long as the remainder fits, which it does for
//! tens of millions of states, and 64 bits wide beyond.
//!
//! A large table that is full grows by a half or by a third in turn: twice as large, it would be half empty. The order of
//! entries stays the same, so growing goes through both tables from one end to the other.
//!
//! Each entry has room for two marks, which a search may use as it likes.

use std::fmt::Debug;
use std::io;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};

use super::{Crowded, Insertion};
use crate::checkpoint::{Sink, Source, damaged};
use crate::huge_pages::{self, Line, Zeroed};
use crate::prefetch::prefetch;

const MARK_BITS: u32 = 2;
const SHIFT_BITS: u32 = 4;
/// The last bucket that an entry may go to. The shift is stored plus one: no entry is zero.
const FARTHEST: usize = (1 << SHIFT_BITS) - 2;
const FIRST_BUCKETS: usize = 1 << 6;
/// A table of fewer buckets, which is 4 MiB, is small: when it grows it is doubled.
const MANY_BUCKETS: usize = 1 << 16;
/// The widest number.
pub const KEY_BITS: u32 = 64;
/// This many numbers move to another table together.
const MOVED_TOGETHER: usize = 32;
/// A table of fewer buckets is moved by one worker.
const MOVED_ALONE: usize = 1 << 12;
/// The bytes that a table takes for each entry while it grows, and much to spare.
const ROOM_FOR_ONE: u64 = 1 << 9;
/// Fewer bits are not mixed well.
const LEAST_KEY_BITS: u32 = 16;

/// A set of numbers below `1 << key_bits`.
#[derive(Debug)]
pub struct Table {
    key_bits: u32,
    entries: Entries,
}

#[derive(Debug)]
enum Entries {
    Narrow(Buckets<AtomicU32, 16>),
    Wide(Buckets<AtomicU64, 8>),
}

impl Table {
    /// An empty set.
    pub fn new(key_bits: u32) -> Table {
        Table::with(key_bits, FIRST_BUCKETS)
    }

    fn with(key_bits: u32, buckets: usize) -> Table {
        let key_bits = key_bits.clamp(LEAST_KEY_BITS.max(buckets.ilog2()), KEY_BITS);
        let entries = if is_narrow(key_bits, buckets) {
            Entries::Narrow(Buckets::new(key_bits, buckets))
        } else {
            // Half as many entries in a bucket.
            Entries::Wide(Buckets::new(key_bits, buckets * 2))
        };
        Table { key_bits, entries }
    }

    /// Puts a number in.
    #[inline]
    pub fn insert(&self, number: u64) -> Result<Insertion, Crowded> {
        self.insert_mixed(mix(number, self.key_bits))
    }

    #[inline]
    fn insert_mixed(&self, mixed: u64) -> Result<Insertion, Crowded> {
        match &self.entries {
            Entries::Narrow(buckets) => buckets.insert(mixed),
            Entries::Wide(buckets) => buckets.insert(mixed),
        }
    }

    /// Asks for the memory that a number is looked up in, and says where that is.
    #[inline]
    pub fn prefetch(&self, number: u64) -> u64 {
        let mixed = mix(number, self.key_bits);
        self.prefetch_mixed(mixed);
        mixed
    }

    /// Puts a number in, by where it is looked up.
    #[inline]
    pub fn insert_at(&self, place: u64) -> Result<Insertion, Crowded> {
        self.insert_mixed(place)
    }

    #[inline]
    fn prefetch_mixed(&self, mixed: u64) {
        match &self.entries {
            Entries::Narrow(buckets) => prefetch(&buckets.buckets[buckets.split(mixed).0]),
            Entries::Wide(buckets) => prefetch(&buckets.buckets[buckets.split(mixed).0]),
        }
    }

    /// Takes the marks `clear` from a number that is in the set, gives it `set`, and says which it
    /// had.
    pub fn mark(&self, number: u64, clear: u8, set: u8) -> Option<u8> {
        self.mark_mixed(mix(number, self.key_bits), clear, set)
    }

    fn mark_mixed(&self, mixed: u64, clear: u8, set: u8) -> Option<u8> {
        match &self.entries {
            Entries::Narrow(buckets) => buckets.mark(mixed, clear, set),
            Entries::Wide(buckets) => buckets.mark(mixed, clear, set),
        }
    }

    /// Was there a number without room?
    pub fn is_full(&self) -> bool {
        match &self.entries {
            Entries::Narrow(buckets) => buckets.full.load(Ordering::Relaxed),
            Entries::Wide(buckets) => buckets.full.load(Ordering::Relaxed),
        }
    }

    /// A table that is larger by this many sizes, or one for wider numbers, filled by this many workers. `convert`
    /// says what becomes of a number, if it does not stay the same.
    pub fn rebuilt(
        &self,
        key_bits: u32,
        sizes: u32,
        workers: usize,
        convert: Option<&(dyn Fn(u64) -> u64 + Sync)>,
    ) -> Result<Table, Crowded> {
        let table = Table::with(key_bits, larger(self.buckets(), sizes));
        let failed = AtomicBool::new(false);
        in_parts(self.lines(), workers, |part| {
            // Numbers wait together until their memory has come.
            let mut waiting = [(0, 0); MOVED_TOGETHER];
            let mut count = 0;
            let put = |waiting: &[(u64, u8)]| {
                for (mixed, marks) in waiting {
                    if table.insert_mixed(*mixed).is_err() {
                        failed.store(true, Ordering::Relaxed);
                    }
                    if *marks != 0 {
                        table.mark_mixed(*mixed, 0, *marks);
                    }
                }
            };
            self.for_each_in(part, |mixed, marks| {
                let mixed = match convert {
                    None if table.key_bits == self.key_bits => mixed,
                    None => mix(unmix(mixed, self.key_bits), table.key_bits),
                    Some(convert) => mix(convert(unmix(mixed, self.key_bits)), table.key_bits),
                };
                table.prefetch_mixed(mixed);
                waiting[count] = (mixed, marks);
                count += 1;
                if count == MOVED_TOGETHER {
                    count = 0;
                    // If one has no room, what becomes of the others does not matter.
                    if !failed.load(Ordering::Relaxed) {
                        put(&waiting);
                    }
                }
            });
            put(&waiting[..count]);
        });
        match failed.into_inner() {
            true => Err(Crowded),
            false => Ok(table),
        }
    }

    /// All numbers, mixed, and their marks.
    fn for_each(&self, visit: impl FnMut(u64, u8)) {
        self.for_each_in(0..self.lines(), visit);
    }

    /// The numbers in some of the buckets, mixed, and their marks.
    fn for_each_in(&self, part: Range<usize>, visit: impl FnMut(u64, u8)) {
        match &self.entries {
            Entries::Narrow(buckets) => buckets.for_each_in(part, visit),
            Entries::Wide(buckets) => buckets.for_each_in(part, visit),
        }
    }

    /// The number of buckets.
    fn lines(&self) -> usize {
        match &self.entries {
            Entries::Narrow(buckets) => buckets.buckets.len(),
            Entries::Wide(buckets) => buckets.buckets.len(),
        }
    }

    /// Writes all numbers and their marks.
    pub fn save(&self, sink: &mut Sink<'_>) -> io::Result<()> {
        let mut count = 0;
        self.for_each(|_, _| count += 1);
        sink.number(count)?;
        let mut result = Ok(());
        self.for_each(|mixed, marks| {
            if result.is_ok() {
                let written = sink.word(unmix(mixed, self.key_bits));
                result = written.and_then(|()| sink.number(u64::from(marks)));
            }
        });
        result
    }

    /// The set that was written.
    pub fn load(key_bits: u32, source: &mut Source) -> io::Result<Table> {
        let mut table = Table::new(key_bits);
        let count = source.count(9)?;
        let room = (1 << 20) + ROOM_FOR_ONE * count as u64;
        for _ in 0..count {
            let (number, marks) = (source.word()?, source.number()?);
            if number.checked_shr(table.key_bits).unwrap_or(0) != 0 || marks >> MARK_BITS != 0 {
                return Err(damaged("an entry that is too wide"));
            }
            while table.insert(number).is_err() {
                // Numbers that were chosen to get into each other's way need more room than there is.
                table = (1..)
                    .take_while(|sizes| table.bytes_when(key_bits, *sizes) <= room)
                    .find_map(|sizes| table.rebuilt(key_bits, sizes, 1, None).ok())
                    .ok_or_else(|| damaged("entries that are in each other's way"))?;
            }
            if marks != 0 {
                table.mark(number, 0, marks as u8);
            }
        }
        Ok(table)
    }

    /// The bytes taken.
    pub fn bytes(&self) -> u64 {
        (self.lines() * 64) as u64
    }

    /// The bytes of such a table.
    pub fn bytes_when(&self, key_bits: u32, sizes: u32) -> u64 {
        let buckets = larger(self.buckets(), sizes);
        (buckets * 64) as u64 * if is_narrow(key_bits, buckets) { 1 } else { 2 }
    }

    /// Buckets, counting a wide one as half.
    fn buckets(&self) -> usize {
        match &self.entries {
            Entries::Narrow(buckets) => buckets.buckets.len(),
            Entries::Wide(buckets) => buckets.buckets.len() / 2,
        }
    }
}

/// The number of buckets, `sizes` sizes larger: powers of two, and among the large ones also halfway between
/// them.
fn larger(buckets: usize, sizes: u32) -> usize {
    (0..sizes).fold(buckets, |buckets, _| {
        if buckets < MANY_BUCKETS {
            buckets * 2
        } else if buckets.is_power_of_two() {
            buckets / 2 * 3
        } else {
            buckets / 3 * 4
        }
    })
}

/// How many numbers of this many bits there are for each bucket.
fn share(key_bits: u32, buckets: usize) -> u64 {
    (1u128 << key_bits).div_ceil(buckets as u128) as u64
}

/// Do entries fit into 32 bits?
fn is_narrow(key_bits: u32, buckets: usize) -> bool {
    share(key_bits, buckets) <= 1 << AtomicU32::REMAINDER_BITS
}

/// A table of entries of one width.
#[derive(Debug)]
struct Buckets<W, const N: usize> {
    /// An even number of them.
    buckets: Vec<Line<W, N>>,
    /// How many numbers there are for each bucket.
    share: u64,
    /// 2^64 by the share, rounded down.
    reciprocal: u64,
    /// Was there an entry without room?
    full: AtomicBool,
}

impl<W: Word, const N: usize> Buckets<W, N> {
    fn new(key_bits: u32, buckets: usize) -> Self {
        let share = share(key_bits, buckets);
        Buckets {
            buckets: huge_pages::zeroed(buckets),
            share,
            reciprocal: u64::try_from((1u128 << 64) / u128::from(share)).unwrap_or(u64::MAX),
            full: AtomicBool::new(false),
        }
    }

    #[inline]
    fn insert(&self, mixed: u64) -> Result<Insertion, Crowded> {
        let (home, remainder) = self.split(mixed);
        // Most are in the first bucket, or find room there.
        match self.insert_into(home, remainder, 0) {
            Some(insertion) => Ok(insertion),
            None => self.insert_elsewhere(home, remainder),
        }
    }

    #[inline(never)]
    fn insert_elsewhere(&self, home: usize, remainder: u64) -> Result<Insertion, Crowded> {
        let inserted = (1..=FARTHEST).find_map(|shift| {
            let bucket = self.elsewhere(home, remainder, shift);
            self.insert_into(bucket, remainder, shift)
        });
        if inserted.is_none() {
            self.full.store(true, Ordering::Relaxed);
        }
        inserted.ok_or(Crowded)
    }

    /// Puts an entry into a bucket, unless that is full of others.
    #[inline(always)]
    fn insert_into(&self, bucket: usize, remainder: u64, shift: usize) -> Option<Insertion> {
        let entry = entry_of(remainder, shift);
        let bucket = &self.buckets[bucket].0;
        let mut place = remainder as usize;
        for _ in 0..N {
            let slot = &bucket[place % N];
            let mut found = slot.get();
            if found == 0 {
                match slot.claim(entry) {
                    Ok(()) => return Some(Insertion::New),
                    Err(other) => found = other,
                }
            }
            if (found ^ entry) >> MARK_BITS == 0 {
                return Some(Insertion::Known);
            }
            place = place.wrapping_add(1);
        }
        None
    }

    fn mark(&self, mixed: u64, clear: u8, set: u8) -> Option<u8> {
        let (home, remainder) = self.split(mixed);
        for shift in 0..=FARTHEST {
            let entry = entry_of(remainder, shift);
            for slot in self.slots(home, remainder, shift) {
                match slot.get() {
                    0 => return None,
                    found if found >> MARK_BITS == entry >> MARK_BITS => {
                        return Some(slot.mark(clear, set));
                    }
                    _ => {}
                }
            }
        }
        None
    }

    /// The slots that an entry may be in if `shift` buckets before are full. It is in the first that was
    /// free, and the remainder says where to begin, so that few have to be looked at.
    #[inline]
    fn slots(&self, home: usize, remainder: u64, shift: usize) -> impl Iterator<Item = &W> {
        let bucket = &self.buckets[self.elsewhere(home, remainder, shift)];
        (0..N).map(move |number| &bucket.0[(remainder as usize).wrapping_add(number) % N])
    }

    /// The mixed numbers in some of the buckets, and their marks.
    fn for_each_in(&self, part: Range<usize>, mut visit: impl FnMut(u64, u8)) {
        for (number, bucket) in part.clone().zip(&self.buckets[part]) {
            for slot in &bucket.0 {
                let entry = slot.get();
                if entry == 0 {
                    continue;
                }
                let shift = ((entry >> MARK_BITS) as usize & ((1 << SHIFT_BITS) - 1)) - 1;
                let remainder = entry >> (MARK_BITS + SHIFT_BITS);
                // The way back is the way there.
                let home = self.elsewhere(number, remainder, shift);
                let mixed = home as u64 * self.share + remainder;
                visit(mixed, entry as u8 & ((1 << MARK_BITS) - 1));
            }
        }
    }

    /// The bucket that an entry goes to if `shift` others are full. The same again leads back.
    #[inline]
    fn elsewhere(&self, home: usize, remainder: u64, shift: usize) -> usize {
        let mut pair = home >> 1;
        if shift > 1 {
            let pairs = self.buckets.len() >> 1;
            let chosen = (remainder + 1)
                .wrapping_mul(FACTORS[1])
                .rotate_left(9 * (shift as u32 >> 1));
            let sum = high_product(chosen, pairs as u64) as usize;
            pair = if sum < pair { sum + pairs } else { sum } - pair;
        }
        pair << 1 | (home ^ shift) & 1
    }

    /// The bucket of a mixed number, and its remainder.
    #[inline]
    fn split(&self, mixed: u64) -> (usize, u64) {
        // The reciprocal is too small by less than one, so the quotient is by one at most.
        let quotient = high_product(mixed, self.reciprocal);
        let remainder = mixed - quotient * self.share;
        if remainder < self.share {
            (quotient as usize, remainder)
        } else {
            (quotient as usize + 1, remainder - self.share)
        }
    }
}

#[inline]
fn high_product(a: u64, b: u64) -> u64 {
    ((u128::from(a) * u128::from(b)) >> 64) as u64
}

/// Does work in this many parts at once, unless there is little of it.
fn in_parts(length: usize, parts: usize, work: impl Fn(Range<usize>) + Sync) {
    if length < MOVED_ALONE || parts < 2 {
        return work(0..length);
    }
    let bound = |part: usize| length * part / parts;
    std::thread::scope(|scope| {
        for part in 1..parts {
            let work = &work;
            scope.spawn(move || work(bound(part)..bound(part + 1)));
        }
        work(0..bound(1));
    });
}

#[inline]
fn entry_of(remainder: u64, shift: usize) -> u64 {
    (remainder << SHIFT_BITS | (shift as u64 + 1)) << MARK_BITS
}

/// An atomic word that holds an entry.
trait Word: Debug + Zeroed {
    /// The bits there are for a remainder.
    const REMAINDER_BITS: u32;
    fn get(&self) -> u64;
    /// Makes zero an entry, or says what is there.
    fn claim(&self, entry: u64) -> Result<(), u64>;
    /// Changes the marks and gives the old ones.
    fn mark(&self, clear: u8, set: u8) -> u8;
}

macro_rules! words {
    ($($atomic:ident $word:ident;)*) => {$(
        impl Word for $atomic {
            const REMAINDER_BITS: u32 = $word::BITS - MARK_BITS - SHIFT_BITS;

            #[inline]
            fn get(&self) -> u64 {
                u64::from(self.load(Ordering::Relaxed))
            }

            #[inline]
            fn claim(&self, entry: u64) -> Result<(), u64> {
                self.compare_exchange(0, entry as $word, Ordering::Relaxed, Ordering::Relaxed)
                    .map(|_| ())
                    .map_err(u64::from)
            }

            fn mark(&self, clear: u8, set: u8) -> u8 {
                let (clear, set) = ($word::from(clear), $word::from(set));
                let change = |word| Some(word & !clear | set);
                let before = self
                    .fetch_update(Ordering::AcqRel, Ordering::Acquire, change)
                    .unwrap_or_else(|word| word);
                before as u8 & ((1 << MARK_BITS) - 1)
            }
        }
    )*};
}

words! {
    AtomicU32 u32;
    AtomicU64 u64;
}

const FACTORS: [u64; 2] = [0x9e37_79b9_7f4a_7c15, 0xd6e8_feb8_6659_fd93];
const INVERSES: [u64; 2] = [inverse(FACTORS[0]), inverse(FACTORS[1])];

/// A permutation of the numbers of `bits` bits.
#[inline]
fn mix(number: u64, bits: u32) -> u64 {
    let mask = u64::MAX >> (64 - bits);
    let half = bits.div_ceil(2);
    let mut mixed = number;
    for factor in FACTORS {
        mixed = mixed.wrapping_mul(factor) & mask;
        mixed ^= mixed >> half;
    }
    mixed.wrapping_mul(FACTORS[0]) & mask
}

/// The inverse of [`mix`]. A shift by half of the bits or more undoes itself.
fn unmix(mixed: u64, bits: u32) -> u64 {
    let mask = u64::MAX >> (64 - bits);
    let half = bits.div_ceil(2);
    let mut number = mixed.wrapping_mul(INVERSES[0]) & mask;
    for inverse in INVERSES.iter().rev() {
        number ^= number >> half;
        number = number.wrapping_mul(*inverse) & mask;
    }
    number
}

/// The inverse of an odd number modulo 2^64, by Newton's iteration.
const fn inverse(odd: u64) -> u64 {
    let mut inverse = odd;
    let mut round = 0;
    while round < 6 {
        inverse = inverse.wrapping_mul(2u64.wrapping_sub(odd.wrapping_mul(inverse)));
        round += 1;
    }
    inverse
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn mixing_can_be_undone() {
        for bits in [16, 17, 31, 32, 40, 57, 64] {
            for number in [0, 1, 2, 77, 12345, u64::MAX, 0x1234_5678_9abc_def0] {
                let number = number & (u64::MAX >> (64 - bits));
                let mixed = mix(number, bits);
                assert!(mixed <= u64::MAX >> (64 - bits));
                assert_eq!(unmix(mixed, bits), number);
            }
        }
    }

    #[test]
    fn every_bucket_has_its_share_of_numbers() {
        for bits in [16, 24, 38, 63, 64] {
            for buckets in [64, 96, 128, 3 << 10] {
                let table = Buckets::<AtomicU64, 8>::new(bits, buckets);
                let most = u64::MAX >> (64 - bits);
                let ends = [0, 1, most / 3, most / 2, most - 1, most];
                let edges = (1..buckets as u64).flat_map(|b| {
                    let edge = b * table.share;
                    [edge - 1, edge, edge + 1]
                });
                for number in ends.into_iter().chain(edges).filter(|n| *n <= most) {
                    let (home, remainder) = table.split(number);
                    assert!(home < buckets && remainder < table.share);
                    assert_eq!(home as u64 * table.share + remainder, number);
                    for shift in 0..=FARTHEST {
                        let there = table.elsewhere(home, remainder, shift);
                        assert!(there < buckets);
                        assert_eq!(table.elsewhere(there, remainder, shift), home);
                    }
                }
            }
        }
    }

    /// Numbers of the form in which they come: two small counters side by side.
    fn pairs(count: u64, bits: u32) -> impl Iterator<Item = u64> {
        let half = bits / 2;
        (0..count).map(move |i| ((i % 701) << half) | ((i * i) % 1009))
    }

    #[test]
    fn a_table_is_a_set_and_keeps_its_marks_when_it_grows() {
        for (bits, workers) in [(24, 1), (46, 3), (64, 2)] {
            let mut table = Table::new(bits);
            let mut set = HashSet::new();
            for (index, number) in pairs(300_000, bits).enumerate() {
                let insertion = loop {
                    match table.insert(number) {
                        Ok(insertion) => break insertion,
                        Err(Crowded) => table = table.rebuilt(bits, 1, workers, None).unwrap(),
                    }
                };
                assert_eq!(insertion == Insertion::New, set.insert(number), "{number}");
                if index % 3 == 0 {
                    table.mark(number, 0, 1 + (number % 3) as u8).unwrap();
                }
            }
            assert!(table.lines() > MOVED_ALONE);
            let mut found = HashSet::new();
            table.for_each(|mixed, _| assert!(found.insert(unmix(mixed, table.key_bits))));
            assert_eq!(found, set);
            let is_marked = pairs(300_000, bits).step_by(3).collect::<HashSet<u64>>();
            for number in &set {
                let mark = if is_marked.contains(number) {
                    1 + (number % 3) as u8
                } else {
                    0
                };
                assert_eq!(table.mark(*number, 0, 0), Some(mark));
            }
            assert_eq!(table.mark(5 << (bits / 2) | 1023, 0, 0), None);
        }
    }

    #[test]
    fn a_table_is_well_filled_when_it_is_full() {
        for power in [12, 16, 20] {
            for sizes in [0, 1] {
                let buckets = larger(1 << (power - 4), sizes);
                let table = Table::with(38, buckets);
                let mut count = 0;
                for number in 0.. {
                    if table.insert((number << 17) | (number % 127)).is_err() {
                        break;
                    }
                    count += 1;
                }
                let load = f64::from(count) / (buckets * 16) as f64;
                assert!(table.is_full());
                assert!((0.75..0.97).contains(&load), "{buckets} buckets: {load}");
            }
        }
    }

    #[test]
    fn of_two_workers_one_is_first() {
        let table = Table::with(38, 1 << 12);
        let new = |order: fn(u64) -> u64| {
            let insert = |n| table.insert(order(n) * 77).unwrap() == Insertion::New;
            (0..50_000).filter(|n| insert(*n)).count()
        };
        std::thread::scope(|scope| {
            let up = scope.spawn(|| new(|n| n));
            let down = scope.spawn(|| new(|n| 49_999 - n));
            assert_eq!(up.join().unwrap() + down.join().unwrap(), 50_000);
        });
    }
}
