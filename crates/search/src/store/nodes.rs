//! A table that numbers pairs: the inner nodes of the tree.
//!
//! A node is a pair of 32-bit words. Equal nodes get the same number, numbers count from zero,
//! and a number stays the same when the table grows, since other nodes refer to it.
//!
//! A lookup is one miss of the processor's cache: nodes and their numbers lie side by side in
//! buckets of a cache line.

use std::io;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

use rapidhash::{RapidHashMap, RapidHashSet};

use super::Crowded;
use crate::apart::Apart;
use crate::checkpoint::{Sink, Source, damaged};
use crate::huge_pages;

/// Numbers must fit into the keys of roots.
pub const NUMBER_BITS: u32 = 29;
/// The nodes in a bucket: as many as a cache line takes.
const PLACES: usize = 5;
const FIRST_BUCKETS: usize = 1 << 8;

/// Numbers by node.
#[derive(Debug)]
pub struct Nodes {
    /// Open addressing, bucket by bucket.
    buckets: Vec<Bucket>,
    /// Zero marks an empty place, so the node zero has its own.
    zero: AtomicU32,
    /// How many numbers were given out.
    count: Apart<AtomicU32>,
}

/// A cache line. It fills from the front.
#[derive(Debug, Default)]
#[repr(align(64))]
struct Bucket {
    nodes: [AtomicU64; PLACES],
    /// Of each node, its number plus one; zero as long as nobody has numbered it.
    numbers: [AtomicU32; PLACES],
}

impl Nodes {
    /// An empty table.
    pub fn new() -> Nodes {
        Nodes {
            buckets: huge_pages::table(FIRST_BUCKETS),
            zero: AtomicU32::new(0),
            count: Apart(AtomicU32::new(0)),
        }
    }

    /// The number of a node, which is a new one if the node was not met before.
    #[inline]
    pub fn number(&self, node: u64) -> Result<u32, Crowded> {
        if node == 0 {
            return Ok(self.number_in(&self.zero));
        }
        let mut home = home(node, self.buckets.len());
        loop {
            let bucket = &self.buckets[home];
            for (place, number) in bucket.nodes.iter().zip(&bucket.numbers) {
                let mut found = place.load(Ordering::Relaxed);
                if found == 0 {
                    found = self.claim(place, node)?;
                }
                if found == node {
                    return Ok(self.number_in(number));
                }
            }
            home = after(home, self.buckets.len());
        }
    }

    /// Puts a node into an empty place, and says which node is there then: another worker may have
    /// been faster.
    #[cold]
    fn claim(&self, place: &AtomicU64, node: u64) -> Result<u64, Crowded> {
        if self.is_full() {
            return Err(Crowded);
        }
        let claimed = place.compare_exchange(0, node, Ordering::Relaxed, Ordering::Relaxed);
        Ok(claimed.map_or_else(|other| other, |_| node))
    }

    /// The number in a place. If two workers number a node at once one of them wins; the number of
    /// the other is lost.
    #[inline]
    fn number_in(&self, place: &AtomicU32) -> u32 {
        match place.load(Ordering::Relaxed) {
            0 => self.give_number(place),
            number => number - 1,
        }
    }

    #[cold]
    fn give_number(&self, place: &AtomicU32) -> u32 {
        let number = self.count.fetch_add(1, Ordering::Relaxed);
        match place.compare_exchange(0, number + 1, Ordering::Relaxed, Ordering::Relaxed) {
            Ok(_) => number,
            Err(other) => other - 1,
        }
    }

    /// How many nodes there are.
    pub fn count(&self) -> u32 {
        self.count.load(Ordering::Relaxed)
    }

    /// Is there no room for another node? An eighth of the places stays free, more than there are
    /// workers who might take one at the same time.
    #[inline]
    pub fn is_full(&self) -> bool {
        self.count() as usize >= self.buckets.len() * PLACES / 8 * 7
    }

    /// The bytes that growing takes in addition.
    pub fn bytes_to_grow(&self) -> u64 {
        // The old buckets are freed only when the new ones are filled.
        self.bytes() / 2 * 3
    }

    /// Makes the table larger by a half. Not possible once numbers run out.
    pub fn grow(&mut self) -> bool {
        let room = self.buckets.len() / 2 * 3;
        if room * PLACES > 1 << NUMBER_BITS {
            return false;
        }
        let mut buckets: Vec<Bucket> = huge_pages::table(room);
        for bucket in &mut self.buckets {
            for (node, number) in bucket.nodes.iter_mut().zip(&mut bucket.numbers) {
                let (node, number) = (*node.get_mut(), *number.get_mut());
                if node == 0 {
                    break;
                }
                let mut home = home(node, room);
                let place = loop {
                    let free = |place: &usize| *buckets[home].nodes[*place].get_mut() == 0;
                    match (0..PLACES).find(free) {
                        Some(place) => break place,
                        None => home = after(home, room),
                    }
                };
                *buckets[home].nodes[place].get_mut() = node;
                *buckets[home].numbers[place].get_mut() = number;
            }
        }
        self.buckets = buckets;
        true
    }

    /// Writes all nodes with their numbers.
    pub fn save(&self, sink: &mut Sink<'_>) -> io::Result<()> {
        let places = self.buckets.iter().flat_map(|bucket| {
            let nodes = bucket.nodes.iter().map(|node| node.load(Ordering::Relaxed));
            nodes.zip(&bucket.numbers)
        });
        let zero = std::iter::once((0, &self.zero));
        let numbered = zero.chain(places).filter_map(|(node, number)| {
            let number = number.load(Ordering::Relaxed).checked_sub(1)?;
            Some((node, number))
        });
        Given::save(self.count(), numbered.clone().count(), sink)?;
        for (node, number) in numbered {
            sink.word(node)?;
            sink.number(u64::from(number))?;
        }
        Ok(())
    }

    /// The nodes with these numbers, found by a walk over all of them.
    pub fn with_numbers(&self, wanted: &RapidHashSet<u32>) -> RapidHashMap<u32, u64> {
        let places = self.buckets.iter().flat_map(|bucket| {
            let nodes = bucket.nodes.iter().map(|node| node.load(Ordering::Relaxed));
            nodes.zip(&bucket.numbers)
        });
        let zero = std::iter::once((0, &self.zero));
        let numbered = zero.chain(places).filter_map(|(node, number)| {
            let number = number.load(Ordering::Relaxed).checked_sub(1)?;
            wanted.contains(&number).then_some((number, node))
        });
        numbered.collect()
    }

    /// The table that was written.
    pub fn load(source: &mut Source) -> io::Result<Nodes> {
        let mut nodes = Nodes::new();
        let mut given = Given::load(source, 9)?;
        *nodes.count.get_mut() = given.room();
        while nodes.is_full() {
            if !nodes.grow() {
                return Err(damaged("too many nodes"));
            }
        }
        for _ in 0..given.count {
            let (node, number) = (source.word()?, given.take(source.number()?)?);
            *nodes.count.get_mut() = number;
            if nodes.number(node) != Ok(number) {
                return Err(damaged("a node with another number"));
            }
        }
        *nodes.count.get_mut() = given.room();
        Ok(nodes)
    }

    /// The bytes taken.
    pub fn bytes(&self) -> u64 {
        size_of_val(self.buckets.as_slice()) as u64
    }
}

/// Numbers that were given out, as they come from a file.
///
/// A few numbers belong to nobody, those of workers who came second. But to most of them something in the file must belong, and
/// to none two things: otherwise a short file could ask for much memory, and fill a table that counts numbers.
pub(crate) struct Given {
    taken: Vec<bool>,
    /// How many things follow.
    pub count: usize,
}

/// This many numbers may belong to nobody, and as many again as there are things.
const MOST_LOST: usize = 1 << 16;

impl Given {
    pub fn save(numbers: u32, count: usize, sink: &mut Sink<'_>) -> io::Result<()> {
        sink.number(u64::from(numbers))?;
        sink.number(count as u64)
    }

    /// Reads how many numbers there are, and how many things of at least this many bytes that have one.
    pub fn load(source: &mut Source, bytes: u64) -> io::Result<Given> {
        let numbers = source.size()?;
        let count = source.count(bytes)?;
        if numbers > 2 * count + MOST_LOST || numbers > 1 << NUMBER_BITS {
            return Err(damaged("too many numbers"));
        }
        Ok(Given {
            taken: vec![false; numbers],
            count,
        })
    }

    /// How many numbers there are.
    pub fn room(&self) -> u32 {
        self.taken.len() as u32
    }

    /// A number, if it was given out, and only once.
    pub fn take(&mut self, number: u64) -> io::Result<u32> {
        let place = usize::try_from(number)
            .ok()
            .and_then(|n| self.taken.get_mut(n));
        match place {
            Some(taken) if !*taken => {
                *taken = true;
                Ok(number as u32)
            }
            _ => Err(damaged("a number that was not given out")),
        }
    }
}

/// The bucket where a node is looked for first.
#[inline]
fn home(node: u64, buckets: usize) -> usize {
    // Both halves of a product are well mixed only together.
    let product = u128::from(node ^ 0x2d35_8dcc_aa6c_78a5) * 0x8bb8_4b93_962e_acc9;
    let mixed = (product >> 64) as u64 ^ product as u64;
    ((u128::from(mixed) * buckets as u128) >> 64) as usize
}

/// The bucket after this one.
#[inline]
fn after(bucket: usize, buckets: usize) -> usize {
    if bucket + 1 == buckets { 0 } else { bucket + 1 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_count_and_stay() {
        let mut nodes = Nodes::new();
        for node in 0..100_000u64 {
            let pair = ((node * node) << 20) | (node % 7);
            let number = loop {
                match nodes.number(pair) {
                    Ok(number) => break number,
                    Err(Crowded) => assert!(nodes.grow()),
                }
            };
            assert_eq!(u64::from(number), node);
        }
        for node in 0..100_000u64 {
            assert_eq!(
                nodes.number(((node * node) << 20) | (node % 7)),
                Ok(node as u32)
            );
        }
    }

    #[test]
    fn workers_agree_on_numbers() {
        let mut nodes = Nodes::new();
        for _ in 0..6 {
            nodes.grow();
        }
        let numbers = |order: fn(u64) -> u64| {
            let mut numbers = vec![0; 10_000];
            for step in 0..10_000 {
                let node = order(step);
                numbers[node as usize] = nodes.number(node << 7).unwrap();
            }
            numbers
        };
        std::thread::scope(|scope| {
            let up = scope.spawn(|| numbers(|step| step));
            let down = scope.spawn(|| numbers(|step| 9_999 - step));
            assert_eq!(up.join().unwrap(), down.join().unwrap());
        });
    }
}
