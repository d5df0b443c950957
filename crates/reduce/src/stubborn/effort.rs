//! Whether looking for smaller sets pays.

/// Whether the sets are worth their price: where a sample of states was hardly reduced, the next
/// ones are explored in full, which is always sound.
#[derive(Debug, Default)]
pub(super) struct Effort {
    /// States still to be explored in full.
    pause: u32,
    /// States of the present sample.
    sampled: u32,
    /// Their steps.
    possible: u64,
    /// How many of these were chosen.
    pub chosen: u64,
    /// How many samples in a row were in vain.
    in_vain: u32,
}

impl Effort {
    /// The first pause. It is twice as long after each sample in vain.
    const PAUSE: u32 = 1 << 16;
    const MOST_DOUBLINGS: u32 = 6;

    pub fn is_pausing(&mut self) -> bool {
        self.pause = self.pause.saturating_sub(1);
        self.pause > 0
    }

    /// Notes how many of the possible steps were chosen; after a sample of states, `worth` is the share of them, in
    /// per cent, that may be chosen at most if it is to go on.
    pub fn note(&mut self, possible: usize, chosen: usize, sample: u32, worth: u64) {
        self.sampled += 1;
        self.possible += possible as u64;
        self.chosen += chosen as u64;
        if self.sampled == sample {
            let in_vain = self.chosen * 100 > self.possible * worth;
            *self = match in_vain {
                true => Effort {
                    pause: Effort::PAUSE << self.in_vain.min(Effort::MOST_DOUBLINGS),
                    in_vain: self.in_vain + 1,
                    ..Effort::default()
                },
                false => Effort::default(),
            };
        }
    }
}
