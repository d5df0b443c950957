//! Turns: all workers do a part of the work, send each other what comes of it, and go on together when all of that has arrived.
//!
//! Who is ahead may send messages of the next turn already; they wait. At the end of a turn each worker says how far it is, so that all
//! decide alike what comes next.

use std::collections::VecDeque;

use crate::divided::summary::{Summary, number_of, reason_of};
use crate::divided::{Exchange, Lost, garbled_message};
use crate::frontier::{read_number, write_number};
use crate::report::StopReason;

/// A worker that has sent this many bytes waits until others have taken most of what was sent: what is under way stays bounded.
const ROUND_BYTES: u64 = 4 << 20;
/// It may be ahead of the slowest by this many rounds.
const ROUNDS_AHEAD: u64 = 2;
/// The rounds of a turn.
const TURN: u64 = 1 << 24;

const DATA: u8 = 0;
const SUMMARY: u8 = 1;
const HALT: u8 = 2;

/// The conversation of one worker with all others.
pub(super) struct Turns<'w> {
    exchange: &'w mut dyn Exchange,
    turn: u64,
    round: u64,
    /// The bytes sent, in all and in the round at hand.
    pub sent: u64,
    sent_in_round: u64,
    /// Was anything sent in this turn?
    has_sent: bool,
    arrived: VecDeque<(usize, Vec<u8>)>,
    /// What others sent in the next turn.
    early: VecDeque<(usize, Vec<u8>)>,
    /// What all said at the end of the last turn.
    pub summaries: Vec<Summary>,
    /// What they have said of this one.
    heard: Vec<Option<Summary>>,
    /// Why somebody has to end.
    pub reason: Option<StopReason>,
    /// Has this worker said how far it is? Then it sends nothing before the next turn.
    is_closed: bool,
    /// Has it told the others that the search has to end?
    has_halted: bool,
}

impl<'w> Turns<'w> {
    pub fn new(exchange: &'w mut dyn Exchange) -> Turns<'w> {
        let workers = exchange.workers();
        Turns {
            exchange,
            turn: 0,
            round: 0,
            sent: 0,
            sent_in_round: 0,
            has_sent: false,
            arrived: VecDeque::new(),
            early: VecDeque::new(),
            summaries: vec![Summary::default(); workers],
            heard: vec![None; workers],
            reason: None,
            is_closed: false,
            has_halted: false,
        }
    }

    /// The number of this worker.
    pub fn me(&self) -> usize {
        self.exchange.index()
    }

    pub fn workers(&self) -> usize {
        self.exchange.workers()
    }

    /// Was anything sent to others in this turn?
    pub fn has_sent(&self) -> bool {
        self.has_sent
    }

    /// Sends something in this turn.
    pub fn send(&mut self, to: usize, body: &[u8]) {
        self.has_sent = true;
        self.sent += body.len() as u64;
        self.sent_in_round += body.len() as u64;
        self.send_as(DATA, to, body);
    }

    /// The same to all, this worker among them.
    pub fn send_to_all(&mut self, body: &[u8]) {
        for to in 0..self.workers() {
            self.send(to, body);
        }
    }

    /// The search has to end, for all.
    pub fn halt(&mut self, reason: StopReason) {
        let reason = *self.reason.get_or_insert(reason);
        if !self.is_closed && !std::mem::replace(&mut self.has_halted, true) {
            for to in 0..self.workers() {
                self.send_as(HALT, to, &[number_of(reason) as u8]);
            }
        }
    }

    fn send_as(&mut self, kind: u8, to: usize, body: &[u8]) {
        let mut message = vec![kind];
        write_number(&mut message, self.turn);
        message.extend_from_slice(body);
        self.exchange.send(to, message);
    }

    /// Lets messages move.
    pub fn breathe(&mut self) -> Result<(), Lost> {
        self.exchange.step(false)?;
        self.collect()?;
        if self.sent_in_round >= ROUND_BYTES {
            self.sent_in_round = 0;
            self.round += 1;
            self.exchange.advance(self.turn * TURN + self.round);
            let least = self.turn * TURN + self.round.saturating_sub(ROUNDS_AHEAD);
            while !self.exchange.is_over(least) {
                self.exchange.step(true)?;
                self.collect()?;
            }
        }
        Ok(())
    }

    /// The next message of this turn, and who sent it.
    pub fn next(&mut self) -> Option<(usize, Vec<u8>)> {
        self.arrived.pop_front()
    }

    /// This worker sends no more in this turn.
    pub fn close(&mut self, summary: &Summary) {
        let mut bytes = Vec::new();
        summary.write(&mut bytes);
        for to in 0..self.workers() {
            self.send_as(SUMMARY, to, &bytes);
        }
        self.exchange.advance((self.turn + 1) * TURN);
        self.is_closed = true;
    }

    /// Has all that was sent in this turn arrived? Waits a little.
    pub fn is_over(&mut self) -> Result<bool, Lost> {
        let is_over = self.exchange.is_over((self.turn + 1) * TURN);
        if !is_over {
            self.exchange.step(true)?;
        }
        self.collect()?;
        Ok(is_over)
    }

    /// Goes to the next turn.
    pub fn go_on(&mut self) -> Result<(), Lost> {
        let heard: Option<Vec<Summary>> = self.heard.iter_mut().map(Option::take).collect();
        self.summaries = heard.ok_or_else(garbled_message)?;
        if !self.arrived.is_empty() {
            return Err(garbled_message());
        }
        self.turn += 1;
        self.round = 0;
        self.sent_in_round = 0;
        self.has_sent = false;
        self.is_closed = false;
        for (from, message) in std::mem::take(&mut self.early) {
            self.sort(from, message)?;
        }
        Ok(())
    }

    fn collect(&mut self) -> Result<(), Lost> {
        while let Some((from, message)) = self.exchange.receive() {
            self.sort(from, message)?;
        }
        Ok(())
    }

    fn sort(&mut self, from: usize, message: Vec<u8>) -> Result<(), Lost> {
        let (kind, mut rest) = message.split_first().ok_or_else(garbled_message)?;
        let turn = read_number(&mut rest).ok_or_else(garbled_message)?;
        if turn == self.turn + 1 {
            self.early.push_back((from, message));
            return Ok(());
        }
        if turn != self.turn {
            return Err(garbled_message());
        }
        match *kind {
            DATA => {
                let body = message.len() - rest.len();
                let mut message = message;
                message.drain(..body);
                self.arrived.push_back((from, message));
            }
            SUMMARY => {
                let summary = Summary::read(&mut rest).ok_or_else(garbled_message)?;
                self.heard[from] = Some(summary);
            }
            HALT => {
                let number = rest.first().copied().map(u64::from);
                let reason = number.and_then(reason_of).ok_or_else(garbled_message)?;
                self.reason.get_or_insert(reason);
            }
            _ => return Err(garbled_message()),
        }
        Ok(())
    }
}
