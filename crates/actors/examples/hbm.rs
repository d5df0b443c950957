//! The Heart-Beat Monitor of `examples/hbm`, in process: `hbm [INTERVALS]`, 9 by default.
//!
//! Property 3 asks for the least number of intervals to resource suspension. It is 10: in 9, no
//! environment brings it about, which takes an exploration of all of them. The program is the one in C,
//! with two actors and two queues, and has as many executions; a message is a number here.

use std::sync::Arc;
use std::time::Instant;

use mazurka_actors::{Explorer, Queue, check, thread, toss};

const ENTRIES: usize = 5;
const PERIOD: i64 = 10;
const ON_TIME: i64 = 5;
const STAGE_2: i64 = 80;
const STAGE_3: i64 = 80;
const FAST: i64 = 5;
const SLOW: i64 = 9;
const TICK: i64 = -1;

#[derive(Clone, Copy, Default)]
struct Entry {
    sent: Option<i64>,
    received: Option<i64>,
    processed: bool,
}

struct Monitor {
    stage: u8,
    count: u8,
    entered: i64,
    last: usize,
    entries: [Entry; ENTRIES],
}

impl Monitor {
    fn new() -> Monitor {
        Monitor {
            stage: 1,
            count: 0,
            entered: 0,
            last: ENTRIES - 1,
            entries: Default::default(),
        }
    }

    fn receive(&mut self, index: usize, sent: i64, received: i64) {
        let entry = &mut self.entries[index];
        if entry.sent == Some(sent) {
            entry.received = Some(received);
        }
    }

    fn process(&mut self, on_time: bool, now: i64) {
        if on_time {
            self.count = self.count.saturating_sub(1);
            return;
        }
        if self.stage == 1 && self.count >= 1 {
            (self.stage, self.entered) = (2, now);
        }
        if self.count <= 1 {
            self.count += 1;
        }
        if self.stage == 2 && self.count == 2 && now - self.entered >= STAGE_2 {
            (self.stage, self.entered) = (3, now);
        }
        if self.count <= 2 && self.stage != 2 {
            self.count += 1;
        }
    }

    /// One interval: the index of the next heart-beat, and whether suspension is triggered.
    fn interval(&mut self, now: i64) -> (usize, bool) {
        if self.stage == 3 && now - self.entered >= STAGE_3 {
            (self.stage, self.entered) = (1, now);
        }
        for index in 0..ENTRIES {
            let entry = &mut self.entries[index];
            if let (Some(sent), Some(received)) = (entry.sent, entry.received.take()) {
                entry.processed = true;
                self.process(received - sent <= ON_TIME, now);
            }
        }
        let next = (self.last + 1) % ENTRIES;
        let entry = self.entries[next];
        if entry.sent.is_some() && !entry.processed {
            self.process(false, now);
        }
        self.entries[next] = Entry {
            sent: Some(now),
            ..Entry::default()
        };
        self.last = next;
        (next, self.count == 3)
    }
}

/// A message is its index, when it was sent and when it came back, in one number.
fn packed(index: usize, sent: i64, received: i64) -> i64 {
    index as i64 | sent << 8 | received << 32
}

fn unpacked(message: i64) -> (usize, i64, i64) {
    let word = |shift: u32, bits: u32| message >> shift & ((1 << bits) - 1);
    (word(0, 8) as usize, word(8, 24), word(32, 24))
}

/// Process B: loses, delays and sends back; see `anything` in `examples/hbm/hbm.c`.
fn environment(a_to_b: &Queue, b_to_a: &Queue, intervals: i64) {
    let mut stored: Vec<i64> = vec![];
    for interval in 0..intervals {
        let message = a_to_b.receive();
        let (index, now, _) = unpacked(message);
        let send_back = |stored: &mut Vec<i64>, count: usize| {
            for message in stored.drain(..count) {
                let (index, sent, _) = unpacked(message);
                b_to_a.send(packed(index, sent, now + FAST));
            }
        };
        let is_overdue =
            |&message: &i64| unpacked(message).1 <= now - (ENTRIES as i64 - 1) * PERIOD;
        let least = usize::from(stored.first().is_some_and(is_overdue));
        let ways = stored.len() - least + 1;
        let further = if interval + 1 == intervals { 1 } else { 2 };
        let choice = toss((2 + further * ways) as u32) as usize;
        if choice < 2 {
            let all = stored.len();
            send_back(&mut stored, all);
            let delay = if choice == 0 { SLOW } else { FAST };
            b_to_a.send(packed(index, now, now + delay));
        } else {
            send_back(&mut stored, least + (choice - 2) % ways);
            if choice - 2 < ways {
                stored.push(message);
            }
        }
        b_to_a.send(TICK);
    }
}

fn program(intervals: i64) {
    let a_to_b = Arc::new(Queue::new(1));
    let b_to_a = Arc::new(Queue::new(ENTRIES as u32 + 2));
    let other = (a_to_b.clone(), b_to_a.clone());
    thread::spawn_named("B", move || environment(&other.0, &other.1, intervals));
    let mut monitor = Monitor::new();
    for interval in 0.. {
        let now = interval * PERIOD;
        let (index, suspended) = monitor.interval(now);
        if suspended {
            check(false, "resource suspension");
        }
        if interval == intervals {
            return;
        }
        a_to_b.send(packed(index, now, 0));
        loop {
            match b_to_a.receive() {
                TICK => break,
                message => {
                    let (index, sent, received) = unpacked(message);
                    monitor.receive(index, sent, received);
                }
            }
        }
    }
}

fn main() {
    let intervals = std::env::args().nth(1);
    let intervals = intervals.map_or(9, |text| text.parse().expect("a number of intervals"));
    let began = Instant::now();
    let report = Explorer::new().run(|| program(intervals));
    println!(
        "{:?}: {} executions, {} transitions, {:.1} s",
        report.stop,
        report.statistics.executions,
        report.statistics.transitions,
        began.elapsed().as_secs_f64()
    );
    for violation in &report.violations {
        println!("{}", violation.record.message);
    }
}
