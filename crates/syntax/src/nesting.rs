//! A limit on recursion.

/// How deep a parser has gone, and how deep it may. With a limit, recursion over the text and over the tree is safe.
#[derive(Clone, Copy, Debug)]
pub struct Nesting {
    depth: u32,
    most: u32,
}

impl Nesting {
    /// At the top.
    pub fn new(most: u32) -> Nesting {
        Nesting { depth: 0, most }
    }

    /// Goes deeper by a weight, to be taken back by `leave`, unless that is too deep.
    #[must_use]
    pub fn enter(&mut self, weight: u32) -> bool {
        let fits = self.depth + weight <= self.most;
        if fits {
            self.depth += weight;
        }
        fits
    }

    /// Takes back an `enter` that succeeded.
    pub fn leave(&mut self, weight: u32) {
        self.depth -= weight;
    }

    /// The limit.
    pub fn most(self) -> u32 {
        self.most
    }
}
