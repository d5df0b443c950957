//! Which states are on the current path.
//!
//! A hash table of frame numbers with open addressing; the states themselves are on the stack. A
//! removed entry is filled by those behind it, so the table never has to be cleaned.

/// The frames of the current path by the hash of their states.
#[derive(Debug)]
pub(crate) struct PathSet {
    /// Zero, or half of the hash above the number of the frame plus one.
    slots: Vec<u64>,
    count: usize,
}

impl PathSet {
    pub fn new() -> PathSet {
        PathSet {
            slots: vec![0; 1 << 10],
            count: 0,
        }
    }

    /// Is there a frame with this hash that `is_equal`?
    #[inline]
    pub fn contains(&self, hash: u64, is_equal: impl Fn(usize) -> bool) -> bool {
        let mask = self.slots.len() - 1;
        let mut slot = home(hash) & mask;
        loop {
            let entry = self.slots[slot];
            if entry == 0 {
                return false;
            }
            if entry >> 32 == hash >> 32 && is_equal(entry as u32 as usize - 1) {
                return true;
            }
            slot = (slot + 1) & mask;
        }
    }

    /// Adds a frame. `hash_of` gives the hashes of those that are there, should they have to move.
    pub fn insert(&mut self, hash: u64, frame: usize, hash_of: impl Fn(usize) -> u64) {
        if self.count * 2 >= self.slots.len() {
            let slots = vec![0; self.slots.len() * 2];
            let old = std::mem::replace(&mut self.slots, slots);
            for entry in old.into_iter().filter(|entry| *entry != 0) {
                self.put(hash_of(entry as u32 as usize - 1), entry);
            }
        }
        self.count += 1;
        self.put(hash, hash & !0xffff_ffff | (frame as u64 + 1));
    }

    fn put(&mut self, hash: u64, entry: u64) {
        let mask = self.slots.len() - 1;
        let mut slot = home(hash) & mask;
        while self.slots[slot] != 0 {
            slot = (slot + 1) & mask;
        }
        self.slots[slot] = entry;
    }

    /// Removes a frame.
    pub fn remove(&mut self, hash: u64, frame: usize, hash_of: impl Fn(usize) -> u64) {
        let mask = self.slots.len() - 1;
        let mut hole = home(hash) & mask;
        while self.slots[hole] as u32 as usize != frame + 1 {
            hole = (hole + 1) & mask;
        }
        self.count -= 1;
        let mut slot = hole;
        loop {
            slot = (slot + 1) & mask;
            let entry = self.slots[slot];
            if entry == 0 {
                break;
            }
            // An entry may move to the hole unless that is in front of where it belongs.
            let home = home(hash_of(entry as u32 as usize - 1)) & mask;
            if slot.wrapping_sub(home) & mask >= slot.wrapping_sub(hole) & mask {
                self.slots[hole] = entry;
                hole = slot;
            }
        }
        self.slots[hole] = 0;
    }

    pub fn bytes(&self) -> u64 {
        (self.slots.len() * 8) as u64
    }
}

/// Where a hash belongs. The hash of a key that counts states is no good in its low bits: neighbours on
/// the path would be neighbours here.
#[inline]
fn home(hash: u64) -> usize {
    ((hash ^ hash >> 32).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_come_and_go_as_on_a_stack() {
        let mut set = PathSet::new();
        let mut hashes: Vec<u64> = Vec::new();
        let mut seed = 3u64;
        for _ in 0..200_000 {
            seed = seed
                .wrapping_mul(6364136223846793005)
                .wrapping_add(1442695040888963407);
            let hash = (seed >> 40) % 3000 * 0x0123_4567_89ab;
            assert_eq!(
                set.contains(hash, |frame| hashes[frame] == hash),
                hashes.contains(&hash)
            );
            if seed >> 60 < 9 {
                if !hashes.contains(&hash) {
                    set.insert(hash, hashes.len(), |frame| hashes[frame]);
                    hashes.push(hash);
                }
            } else if let Some(last) = hashes.last() {
                set.remove(*last, hashes.len() - 1, |frame| hashes[frame]);
                hashes.pop();
            }
        }
        assert!(hashes.len() > 600, "{}", hashes.len());
    }

    /// Two frames that belong into the last place, of which the second lies in the first one then: when the table grows, it comes before
    /// the older one, and must not hide it when it goes.
    #[test]
    fn an_older_frame_is_found_after_the_table_has_grown() {
        let all = (1u64..).map(|number| number << 32 | number);
        let last = all.clone().filter(|hash| home(*hash) & 0x7ff == 0x3ff);
        let others = all.filter(|hash| (0x100..0x300).contains(&(home(*hash) & 0x3ff)));
        let hashes: Vec<u64> = last.take(2).chain(others.take(600)).collect();
        let mut set = PathSet::new();
        for (frame, hash) in hashes.iter().enumerate() {
            set.insert(*hash, frame, |frame| hashes[frame]);
        }
        assert!(set.slots.len() > 1 << 10, "it has grown");
        for frame in (1..hashes.len()).rev() {
            set.remove(hashes[frame], frame, |frame| hashes[frame]);
        }
        assert!(set.contains(hashes[0], |frame| frame == 0));
    }
}
