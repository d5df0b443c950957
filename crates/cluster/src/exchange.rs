//! Messages between workers, by timely dataflow.
//!
//! Each worker has the same small dataflow: an input, an exchange by the number of the receiver, and a queue behind it. The rounds of a
//! search are the times of the dataflow, so that timely's progress tracking says when all messages of a round have arrived, everywhere.
//! What is done with messages is not part of the dataflow: its operators may not borrow anything, and a search borrows a model.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::fmt;
use std::rc::Rc;
use std::time::{Duration, Instant};

use mazurka_search::divided::{self, Lost};
use serde::de::{Deserialize, Deserializer, Error, Visitor};
use serde::ser::{Serialize, Serializer};
use timely::WorkerConfig;
use timely::communication::allocator::{Allocator, AllocatorBuilder, Thread};
use timely::container::CapacityContainerBuilder;
use timely::dataflow::channels::pact;
use timely::dataflow::operators::generic::Operator;
use timely::dataflow::operators::{Input, Probe};
use timely::dataflow::{InputHandle, ProbeHandle};
use timely::worker::Worker;

use crate::health::Health;

/// Who has nothing else to do waits this long for messages.
const LONGEST_WAIT: Duration = Duration::from_millis(20);

/// The exchange of one worker.
pub(crate) struct Exchange<'h> {
    worker: Worker,
    /// None once it is closed.
    input: Option<InputHandle<u64, Messages>>,
    probe: ProbeHandle<u64>,
    arrived: Rc<RefCell<VecDeque<Message>>>,
    health: &'h Health,
}

type Messages = CapacityContainerBuilder<Vec<Message>>;

/// A message on its way.
#[derive(Clone)]
struct Message {
    to: u32,
    from: u32,
    bytes: Vec<u8>,
}

impl<'h> Exchange<'h> {
    /// Takes up its place among the workers.
    pub fn new(builder: AllocatorBuilder, health: &'h Health) -> Exchange<'h> {
        let allocator = match builder {
            AllocatorBuilder::Thread(_) => Allocator::Thread(Thread::default()),
            AllocatorBuilder::Process(process) => Allocator::Process(process.build()),
            AllocatorBuilder::Tcp(network) => Allocator::Tcp(network.build()),
        };
        let mut worker = Worker::new(WorkerConfig::default(), allocator, Some(Instant::now()));
        let arrived: Rc<RefCell<VecDeque<Message>>> = Rc::default();
        let queue = arrived.clone();
        let mut input = InputHandle::new();
        let probe = worker.dataflow(|scope| {
            let stream = scope.input_from(&mut input);
            let exchange = pact::Exchange::new(|message: &Message| u64::from(message.to));
            let arriving = stream.unary::<CapacityContainerBuilder<Vec<()>>, _, _, _>(
                exchange,
                "arrive",
                move |_, _| {
                    move |input, _output| {
                        input.for_each(|_, messages| queue.borrow_mut().extend(messages.drain(..)));
                    }
                },
            );
            arriving.probe().0
        });
        Exchange {
            worker,
            input: Some(input),
            probe,
            arrived,
            health,
        }
    }

    /// The search is over: waits until the others have heard all. After a loss nobody waits.
    pub fn close(mut self) -> Result<(), Lost> {
        self.input = None;
        while self.worker.has_dataflows() {
            if let Err(lost) = self.health.check() {
                for dataflow in self.worker.installed_dataflows() {
                    self.worker.drop_dataflow(dataflow);
                }
                return Err(lost);
            }
            self.worker.step_or_park(Some(LONGEST_WAIT));
        }
        Ok(())
    }
}

impl divided::Exchange for Exchange<'_> {
    fn index(&self) -> usize {
        self.worker.index()
    }

    fn workers(&self) -> usize {
        self.worker.peers()
    }

    fn send(&mut self, to: usize, bytes: Vec<u8>) {
        let message = Message {
            to: to as u32,
            from: self.worker.index() as u32,
            bytes,
        };
        if let Some(input) = &mut self.input {
            input.send(message);
        }
    }

    fn advance(&mut self, round: u64) {
        if let Some(input) = &mut self.input {
            input.advance_to(round);
        }
    }

    fn is_over(&self, round: u64) -> bool {
        !self.probe.less_than(&round)
    }

    fn step(&mut self, may_wait: bool) -> Result<(), Lost> {
        self.health.check()?;
        if let Some(input) = &mut self.input {
            input.flush();
        }
        match may_wait {
            true => self.worker.step_or_park(Some(LONGEST_WAIT)),
            false => self.worker.step(),
        };
        Ok(())
    }

    fn receive(&mut self) -> Option<(usize, Vec<u8>)> {
        let message = self.arrived.borrow_mut().pop_front()?;
        Some((message.from as usize, message.bytes))
    }
}

/// The bytes as a whole: one after the other they would take longer than all else.
impl Serialize for Message {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut all = Vec::with_capacity(self.bytes.len() + 8);
        all.extend(self.to.to_le_bytes());
        all.extend(self.from.to_le_bytes());
        all.extend(&self.bytes);
        to.serialize_bytes(&all)
    }
}

impl<'d> Deserialize<'d> for Message {
    fn deserialize<D: Deserializer<'d>>(from: D) -> Result<Message, D::Error> {
        struct Whole;

        impl Visitor<'_> for Whole {
            type Value = Message;

            fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
                out.write_str("a message")
            }

            fn visit_bytes<E: Error>(self, all: &[u8]) -> Result<Message, E> {
                let read = || {
                    let (to, rest) = all.split_first_chunk()?;
                    let (from, bytes) = rest.split_first_chunk()?;
                    Some(Message {
                        to: u32::from_le_bytes(*to),
                        from: u32::from_le_bytes(*from),
                        bytes: bytes.to_vec(),
                    })
                };
                read().ok_or_else(|| E::custom("a message that is none"))
            }
        }

        from.deserialize_bytes(Whole)
    }
}
