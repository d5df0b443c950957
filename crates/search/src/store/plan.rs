//! How the states of one length are folded into a tree.
//!
//! A state is cut in two, and each part again, until there are only pieces of up to 32 bytes. Each piece
//! is a leaf; where a part was cut, a node joins its two parts. The first cut is the root.
//!
//! Where to cut decides how much the states share. If half of the bytes never change, and the cut is
//! between them and the rest, then every state has a right part of its own. So the cut is where
//! typical states have the fewest different parts to its left and to its right together
//! ([`cuts`]); in the middle if nothing is known of the states.

use std::ops::Range;

use super::leaves::{Piece, WORDS};

/// The bytes of a word.
const WORD: usize = 8;
/// The most bytes of a piece.
const PIECE_BYTES: usize = WORDS * WORD;
/// No tree is deeper: cuts are near the middle.
const DEEPEST: u32 = 64;

/// The tree of states of one length.
#[derive(Debug)]
pub struct Plan {
    /// The leaves.
    pub pieces: Vec<PlannedPiece>,
    /// The nodes but for the root: first the leaves in their order, then nodes that join two
    /// others, each behind the two.
    pub nodes: Vec<PlannedNode>,
    /// The two nodes of the root; the second is missing if there is only one leaf.
    pub left: usize,
    pub right: Option<usize>,
    /// The bytes of its states.
    bytes: usize,
    /// The piece that each byte is in.
    piece_of_byte: Vec<u16>,
    /// The piece that each word is in, if it is in one.
    piece_of_word: Vec<Option<u16>>,
    /// Where the state is cut: first into the parts of the root, then the left one, then the right one.
    pub cuts: Vec<usize>,
}

/// A piece of each state.
#[derive(Clone, Copy, Debug)]
pub struct PlannedPiece {
    /// Its first byte.
    start: usize,
    /// How many words it takes.
    pub words: usize,
    /// Which bits of them belong to it.
    mask: Piece,
    /// From which byte on each word is read, and by how many bits it is shifted then: no word is read beyond the end of the state.
    read: [(u32, u32); WORDS],
}

impl PlannedPiece {
    /// A part of the states of a length.
    fn new(part: Range<usize>, length: usize) -> PlannedPiece {
        let Range { start, end } = part;
        let mut mask = [0; WORDS];
        let mut read = [(0, 0); WORDS];
        for (number, (mask, read)) in mask.iter_mut().zip(&mut read).enumerate() {
            let bytes = (end - start).saturating_sub(number * WORD).min(WORD);
            *mask = u64::MAX.checked_shr(64 - 8 * bytes as u32).unwrap_or(0);
            let first = start + number * WORD;
            if bytes > 0 {
                let last = length.saturating_sub(WORD).min(first);
                *read = (last as u32, 8 * (first - last) as u32);
            }
        }
        PlannedPiece {
            start,
            words: (end - start).div_ceil(WORD),
            mask,
            read,
        }
    }

    /// The piece of a state.
    #[inline]
    pub fn of(&self, state: &[u8]) -> Piece {
        if state.len() < WORD {
            let mut piece = [0; WORDS];
            piece[0] = tail(state) >> (8 * self.start) & self.mask[0];
            return piece;
        }
        let mut piece = [0; WORDS];
        for (number, place) in piece.iter_mut().enumerate() {
            // The others are zero.
            if number >= self.words {
                break;
            }
            let (first, shift) = self.read[number];
            let first = first as usize;
            let bytes = state[first..first + WORD].try_into();
            *place = u64::from_le_bytes(bytes.expect("the bytes of a word")) >> shift
                & self.mask[number];
        }
        piece
    }
}

impl PlannedPiece {
    /// Writes the piece of a state into it.
    pub fn put(&self, piece: &Piece, state: &mut [u8]) {
        let bytes = piece.iter().zip(self.mask);
        let bytes =
            bytes.flat_map(|(word, mask)| word.to_le_bytes().into_iter().zip(mask.to_le_bytes()));
        let kept = bytes.filter(|(_, mask)| *mask != 0);
        for (place, (byte, _)) in state[self.start..].iter_mut().zip(kept) {
            *place = byte;
        }
    }
}

/// A set of small numbers: a word, or two where there are more.
pub trait Bits: Copy {
    /// The empty set.
    const NONE: Self;

    /// Adds a number.
    fn add(&mut self, number: usize);

    /// Takes the smallest number out.
    fn take(&mut self) -> Option<usize>;
}

macro_rules! bits {
    ($word:ty) => {
        impl Bits for $word {
            const NONE: $word = 0;

            #[inline(always)]
            fn add(&mut self, number: usize) {
                *self |= 1 << number;
            }

            #[inline(always)]
            fn take(&mut self) -> Option<usize> {
                let number = (*self != 0).then(|| self.trailing_zeros() as usize)?;
                *self &= *self - 1;
                Some(number)
            }
        }
    };
}

bits!(u64);
bits!(u128);

/// Less than a word of bytes, as a number.
#[cold]
fn tail(bytes: &[u8]) -> u64 {
    let bytes = bytes.iter().rev();
    bytes.fold(0, |word, byte| word << 8 | u64::from(*byte))
}

/// A node of the tree.
#[derive(Clone, Copy, Debug)]
pub struct PlannedNode {
    /// The two nodes it joins; of no meaning for a leaf.
    pub children: (u32, u32),
    /// The node that joins it; none if that is the root.
    pub parent: Option<u32>,
    /// The table that numbers it.
    pub table: Side,
}

/// Nodes directly below the root are numbered apart, so that their numbers are small.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Side {
    /// The left child of the root.
    Left,
    /// Its right child.
    Right,
    /// All others.
    Below,
}

impl Plan {
    /// The tree of states of a length, cut there; none if that does not make a tree.
    pub fn new(length: usize, cuts: Vec<usize>) -> Option<Plan> {
        let leaf = PlannedNode {
            children: (0, 0),
            parent: None,
            table: Side::Below,
        };
        // Each piece is short, so there are cuts enough, or it is no tree.
        if length > (cuts.len() + 1).saturating_mul(PIECE_BYTES) {
            return None;
        }
        let mut plan = Plan {
            pieces: Vec::new(),
            nodes: vec![leaf; cuts.len() + 1],
            left: 0,
            right: None,
            bytes: length,
            piece_of_byte: Vec::with_capacity(length),
            piece_of_word: Vec::new(),
            cuts: Vec::new(),
        };
        let mut rest = cuts.iter().copied();
        if length < 2 {
            plan.left = plan.join(0..length, &mut rest, DEEPEST)?;
        } else {
            let cut = rest.next().filter(|cut| (1..length).contains(cut))?;
            plan.left = plan.join(0..cut, &mut rest, DEEPEST)?;
            let right = plan.join(cut..length, &mut rest, DEEPEST)?;
            plan.nodes[right].table = Side::Right;
            plan.right = Some(right);
        }
        let left = plan.left;
        plan.nodes[left].table = Side::Left;
        plan.cuts = cuts;
        let piece = |word: &[u16]| {
            word.iter()
                .all(|piece| *piece == word[0])
                .then_some(word[0])
        };
        plan.piece_of_word = plan.piece_of_byte.chunks(WORD).map(piece).collect();
        (plan.pieces.len() == plan.cuts.len() + 1).then_some(plan)
    }

    /// How many bytes its states have.
    pub fn length(&self) -> usize {
        self.bytes
    }

    /// The pieces in which two states of the length differ, as a set of bits; there must not be more pieces
    /// than bits.
    #[inline]
    pub fn differing<B: Bits>(&self, a: &[u8], b: &[u8]) -> B {
        let mut differing = B::NONE;
        let ((words, rest), (others, other_rest)) = (a.as_chunks::<WORD>(), b.as_chunks());
        for (number, (a, b)) in words.iter().zip(others).enumerate() {
            let difference = u64::from_le_bytes(*a) ^ u64::from_le_bytes(*b);
            if difference != 0 {
                self.note(number, difference, &mut differing);
            }
        }
        if !rest.is_empty() {
            let difference = match (a.last_chunk(), b.last_chunk()) {
                // What was looked at already is shifted out.
                (Some(a), Some(b)) => {
                    let difference = u64::from_le_bytes(*a) ^ u64::from_le_bytes(*b);
                    difference >> (8 * (WORD - rest.len()))
                }
                _ => tail(rest) ^ tail(other_rest),
            };
            if difference != 0 {
                self.note(words.len(), difference, &mut differing);
            }
        }
        differing
    }

    /// Adds the pieces of the bytes that are not zero in a word of differences.
    #[inline]
    fn note<B: Bits>(&self, number: usize, mut difference: u64, differing: &mut B) {
        if let Some(piece) = self.piece_of_word[number] {
            differing.add(usize::from(piece));
            return;
        }
        while difference != 0 {
            let byte = difference.trailing_zeros() / 8;
            difference &= !(0xff << (8 * byte));
            differing.add(usize::from(
                self.piece_of_byte[number * WORD + byte as usize],
            ));
        }
    }

    /// Plans the tree over a part of the state, and says which node is its top.
    fn join(
        &mut self,
        part: Range<usize>,
        cuts: &mut impl Iterator<Item = usize>,
        deepest: u32,
    ) -> Option<usize> {
        let deepest = deepest.checked_sub(1)?;
        if part.len() <= PIECE_BYTES {
            let number = self.pieces.len();
            self.piece_of_byte.resize(part.end, number as u16);
            self.pieces.push(PlannedPiece::new(part, self.bytes));
            return Some(number);
        }
        let cut = cuts
            .next()
            .filter(|cut| part.contains(cut) && *cut > part.start)?;
        let left = self.join(part.start..cut, cuts, deepest)?;
        let right = self.join(cut..part.end, cuts, deepest)?;
        let number = self.nodes.len();
        self.nodes[left].parent = Some(number as u32);
        self.nodes[right].parent = Some(number as u32);
        self.nodes.push(PlannedNode {
            children: (left as u32, right as u32),
            parent: None,
            table: Side::Below,
        });
        Some(number)
    }
}

/// Where to cut states of a length, as [`Plan::cuts`] has it. `typical` are some of them; `first`, if it is
/// there, is the first cut of similar states.
pub fn cuts(length: usize, typical: &[&[u8]], first: Option<usize>) -> Vec<usize> {
    let mut cuts = Vec::new();
    if length >= 2 {
        let learned = best_cut(0..length, typical, 1..length);
        let first = first.filter(|cut| *cut < length);
        let cut = learned.or(first).unwrap_or_else(|| middle(&(0..length)));
        cuts.push(cut);
        cut_part(0..cut, typical, &mut cuts);
        cut_part(cut..length, typical, &mut cuts);
    }
    cuts
}

fn cut_part(part: Range<usize>, typical: &[&[u8]], cuts: &mut Vec<usize>) {
    if part.len() <= PIECE_BYTES {
        return;
    }
    // No more pieces than there have to be.
    let spare = part.len().div_ceil(PIECE_BYTES) * PIECE_BYTES - part.len();
    let middle = middle(&part);
    let allowed = middle - spare.min(PIECE_BYTES) / 2..middle + spare.min(PIECE_BYTES) / 2 + 1;
    let cut = best_cut(part.clone(), typical, allowed).unwrap_or(middle);
    cuts.push(cut);
    cut_part(part.start..cut, typical, cuts);
    cut_part(cut..part.end, typical, cuts);
}

/// The cut that makes as many pieces on either side.
fn middle(part: &Range<usize>) -> usize {
    let pieces = part.len().div_ceil(PIECE_BYTES).max(2);
    part.start + part.len() * pieces.div_ceil(2) / pieces
}

/// The allowed cut of a part for which the states have the fewest different left and right parts.
fn best_cut(part: Range<usize>, typical: &[&[u8]], allowed: Range<usize>) -> Option<usize> {
    let count = typical.len();
    if count == 0 {
        return None;
    }
    // In order, two states that do not agree up to a cut stand for one more left part; in the order of
    // their last bytes, two that do not agree from a cut on for one more right part.
    let mut parts: Vec<&[u8]> = typical.iter().map(|state| &state[part.clone()]).collect();
    let (mut left, mut right) = (vec![1; part.len() + 1], vec![1; part.len() + 1]);
    parts.sort_unstable();
    for pair in parts.windows(2) {
        let same = pair[0].iter().zip(pair[1]).take_while(|(a, b)| a == b);
        left[same.count() + 1..]
            .iter_mut()
            .for_each(|left| *left += 1);
    }
    parts.sort_unstable_by(|a, b| a.iter().rev().cmp(b.iter().rev()));
    for pair in parts.windows(2) {
        let same = pair[0].iter().rev().zip(pair[1].iter().rev());
        let same = same.take_while(|(a, b)| a == b).count();
        right[..part.len() - same]
            .iter_mut()
            .for_each(|right| *right += 1);
    }
    // If nearly all in a sample are different there are many more that are not in it.
    let estimate = |different: usize| different as f64 / (count + 1 - different) as f64;
    let price = |cut: &usize| {
        let place = cut - part.start;
        estimate(left[place]) + estimate(right[place])
    };
    allowed.min_by(|a, b| price(a).total_cmp(&price(b)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_leaf_is_below_the_root_and_parents_come_later() {
        for length in 0..300 {
            let plan = Plan::new(length, cuts(length, &[], None)).unwrap();
            assert!(plan.pieces.iter().all(|piece| piece.words <= WORDS));
            let tops: Vec<usize> = (0..plan.nodes.len())
                .filter(|node| plan.nodes[*node].parent.is_none())
                .collect();
            let mut expected = vec![plan.left];
            expected.extend(plan.right);
            expected.sort_unstable();
            assert_eq!(tops, expected, "{length}");
            for (number, node) in plan.nodes.iter().enumerate() {
                assert!(node.parent.is_none_or(|parent| parent as usize > number));
            }
        }
    }

    #[test]
    fn every_byte_is_in_one_piece() {
        for length in 0..300 {
            let plan = Plan::new(length, cuts(length, &[], None)).unwrap();
            let none = vec![0; length];
            for byte in 0..length {
                let mut state = none.clone();
                state[byte] = 0x81;
                let differs = |piece: &&PlannedPiece| piece.of(&state) != piece.of(&none);
                assert_eq!(plan.pieces.iter().filter(differs).count(), 1);
                let number = plan
                    .pieces
                    .iter()
                    .position(|piece| differs(&piece))
                    .unwrap();
                assert_eq!(plan.differing::<u128>(&state, &none), 1 << number);
                if number < 64 {
                    assert_eq!(plan.differing::<u64>(&none, &state), 1 << number);
                }
                let words = plan.pieces.iter().flat_map(|piece| piece.of(&state));
                assert_eq!(words.filter(|word| *word != 0).count(), 1);
            }
        }
    }

    #[test]
    fn the_cut_is_in_the_middle_of_what_differs() {
        // Ten bytes that never change, then four that do, each for itself.
        let numbers = (0..2_000u32).map(|number| number.wrapping_mul(0x9e37_79b9) >> 20);
        let states: Vec<Vec<u8>> = numbers
            .map(|number| {
                let changing = [0, 3, 6, 9].map(|shift| (number >> shift) as u8 & 7);
                [&[5; 10][..], &changing].concat()
            })
            .collect();
        let states: Vec<&[u8]> = states.iter().map(Vec::as_slice).collect();
        assert_eq!(cuts(14, &states, None), [12]);
        assert_eq!(cuts(14, &[], None), [7]);
        assert_eq!(cuts(14, &[], Some(12)), [12]);
        assert_eq!(cuts(11, &[], Some(12)), [5]);
    }

    #[test]
    fn cuts_that_make_no_tree_are_refused() {
        assert!(Plan::new(40, vec![20]).is_some());
        for cuts in [vec![], vec![0], vec![40], vec![41], vec![2], vec![20, 10]] {
            assert!(Plan::new(40, cuts).is_none());
        }
    }
}
