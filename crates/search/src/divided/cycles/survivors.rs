//! What is left when all that is on no accepting cycle is taken away.

use std::collections::VecDeque;

use super::{Node, Trouble, Worker, garbled_message};
use crate::divided::Lost;
use crate::divided::summary::Summary;
use crate::frontier::{read_number, write_number};
use crate::system::{Acceptance, Reduction};

/// The number of states between two looks at what has arrived.
const LOOKED_AT_ONCE: usize = 1 << 12;
/// A message goes when it has this many bytes.
const MESSAGE_BYTES: usize = 1 << 14;

/// The own states that are left.
pub(super) struct Survivors {
    pub alive: Vec<bool>,
    /// How many steps lead from each to a state that is left.
    degrees: Vec<u32>,
    /// Which of them reach an accepting state that is left.
    reaches: Vec<bool>,
    /// For each, a step towards the nearest accepting state ahead.
    pub next: Vec<Option<Node>>,
    queue: VecDeque<u32>,
}

/// What goes from a state to those that lead to it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum News {
    /// It is gone.
    Gone,
    /// It reaches an accepting state.
    Reaches,
    /// It leads to an accepting state by the fewest steps.
    Leads,
}

impl Survivors {
    fn hear(&mut self, news: News, of: Node, number: u32, accepting: bool) -> Option<()> {
        let at = number as usize;
        if !*self.alive.get(at)? {
            return Some(());
        }
        match news {
            News::Gone => {
                self.degrees[at] = self.degrees[at].checked_sub(1)?;
                if self.degrees[at] == 0 {
                    self.alive[at] = false;
                    self.queue.push_back(number);
                }
            }
            News::Reaches => {
                if !std::mem::replace(&mut self.reaches[at], true) {
                    self.queue.push_back(number);
                }
            }
            News::Leads => {
                if self.next[at].is_none() {
                    self.next[at] = Some(of);
                    // An accepting state was the first to tell others.
                    if !accepting {
                        self.queue.push_back(number);
                    }
                }
            }
        }
        Some(())
    }
}

impl<Y: Acceptance, R: Reduction<Y>> Worker<'_, Y, R> {
    /// Takes away what is on no accepting cycle; nothing is left if there is none.
    pub(super) fn survivors(&mut self) -> Result<Option<Survivors>, Trouble> {
        let states = self.degrees.len();
        if self.sum(self.accepting.iter().filter(|accepts| **accepts).count() as u64)? == 0 {
            return Ok(None);
        }
        let mut left = Survivors {
            alive: vec![true; states],
            degrees: self.degrees.clone(),
            reaches: Vec::new(),
            next: Vec::new(),
            queue: VecDeque::new(),
        };
        for (number, degree) in left.degrees.iter().enumerate() {
            if *degree == 0 {
                left.alive[number] = false;
                left.queue.push_back(number as u32);
            }
        }
        loop {
            self.spread(&mut left, News::Gone)?;
            left.reaches = vec![false; states];
            self.begin_at_accepting(&mut left);
            for number in &left.queue {
                left.reaches[*number as usize] = true;
            }
            self.spread(&mut left, News::Reaches)?;
            for number in 0..states {
                if left.alive[number] && !left.reaches[number] {
                    left.alive[number] = false;
                    left.queue.push_back(number as u32);
                }
            }
            if self.sum(left.queue.len() as u64)? == 0 {
                break;
            }
        }
        let count = left.alive.iter().filter(|alive| **alive).count();
        if self.sum(count as u64)? == 0 {
            return Ok(None);
        }
        left.reaches = Vec::new();
        left.next = vec![None; states];
        self.begin_at_accepting(&mut left);
        self.spread(&mut left, News::Leads)?;
        Ok(Some(left))
    }

    fn begin_at_accepting(&self, left: &mut Survivors) {
        let both = left.alive.iter().zip(&self.accepting).enumerate();
        let starts = both.filter(|(_, (alive, accepting))| **alive && **accepting);
        left.queue.extend(starts.map(|(number, _)| number as u32));
    }

    /// The sum over all workers.
    pub(super) fn sum(&mut self, own: u64) -> Result<u64, Trouble> {
        let summary = |worker: &mut Self| Summary {
            met: own,
            ..worker.summary()
        };
        self.finish_turn(summary, |_, _, _| Err(garbled_message()))?;
        Ok(self.turns.summaries.iter().map(|of| of.met).sum())
    }

    /// Lets news go from the states in the queue to those that lead to them, as far as they go.
    fn spread(&mut self, left: &mut Survivors, news: News) -> Result<(), Trouble> {
        let mut messages = vec![Vec::new(); self.workers];
        loop {
            let mut looked_at = 0;
            while let Some(number) = left.queue.pop_front() {
                if self.turns.reason.is_some() {
                    left.queue.clear();
                    break;
                }
                let of = Node {
                    worker: self.me,
                    number,
                };
                for from in self.graph.of(number) {
                    if from.worker == self.me {
                        let accepts = self.accepting[from.number as usize];
                        left.hear(news, of, from.number, accepts)
                            .ok_or_else(garbled_message)?;
                        continue;
                    }
                    let message = &mut messages[from.worker as usize];
                    write_number(message, u64::from(from.number));
                    if news == News::Leads {
                        write_number(message, u64::from(number));
                    }
                    if message.len() >= MESSAGE_BYTES {
                        self.turns.send(from.worker as usize, message);
                        message.clear();
                    }
                }
                looked_at += 1;
                if looked_at % LOOKED_AT_ONCE == 0 {
                    if let Err(reason) = self.book.control.end_if_over() {
                        self.turns.halt(reason);
                    }
                    self.turns.breathe()?;
                    self.take(|worker, from, message| worker.hear(left, news, from, message))?;
                    self.tell();
                }
            }
            for (to, message) in messages.iter_mut().enumerate() {
                if !message.is_empty() {
                    self.turns.send(to, message);
                    message.clear();
                }
            }
            self.take(|worker, from, message| worker.hear(left, news, from, message))?;
            let is_busy = self.turns.has_sent() || !left.queue.is_empty();
            let summary = |worker: &mut Self| Summary {
                met: is_busy.into(),
                ..worker.summary()
            };
            self.finish_turn(summary, |worker, from, message| {
                worker.hear(left, news, from, message)
            })?;
            if self.turns.summaries.iter().all(|of| of.met == 0) {
                return Ok(());
            }
        }
    }

    /// Takes the news that another worker has sent.
    fn hear(
        &mut self,
        left: &mut Survivors,
        news: News,
        from: usize,
        mut message: &[u8],
    ) -> Result<(), Lost> {
        let mut next = || read_number(&mut message).and_then(|number| u32::try_from(number).ok());
        while let Some(number) = next() {
            let of = match news {
                News::Leads => next().ok_or_else(garbled_message)?,
                News::Gone | News::Reaches => 0,
            };
            let of = Node {
                worker: from as u32,
                number: of,
            };
            let accepts = self.accepting.get(number as usize).copied();
            let accepts = accepts.ok_or_else(garbled_message)?;
            let heard = left.hear(news, of, number, accepts);
            heard.ok_or_else(garbled_message)?;
        }
        Ok(())
    }
}
