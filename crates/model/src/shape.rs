//! Shapes: which processes and channels exist, and where each is in the state vector.
//!
//! Processes and channels come and go, so their offsets differ from state to state. But a
//! model has few different populations. Each is interned once as a [`Shape`] with all offsets
//! worked out, and a state begins with the number of its shape. A process that starts or dies
//! moves the state from one shape to another along an edge that is found once and then cached.
//!
//! A population is a stack: only the youngest process can die, and it takes the channels that
//! were made for it along. Two states are equal as byte strings exactly if they have the same
//! population, made in the same order, and the same contents.

use std::collections::HashMap;
use std::sync::{Mutex, OnceLock};

use crate::program::{ChannelTypeId, ProcessTypeId, Program};

/// The bytes before the shared variables: the shape, the process in control, the last process.
pub const HEADER_BYTES: u32 = 4;
/// Offset of the number, plus one, of the process that holds control; zero if none does.
pub const CONTROL_OFFSET: usize = 2;
/// Offset of the number of the process that made the last step.
pub const LAST_OFFSET: usize = 3;
/// The most processes that can be alive, and the most channels, as in SPIN.
pub const POPULATION_LIMIT: usize = 255;

/// This many shapes have a place from the beginning.
const FIRST: u16 = 256;

/// A shape's number, which is also its first two bytes in the state.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct ShapeId(pub u16);

/// A population.
#[derive(Debug)]
pub struct Shape {
    /// Processes in the order of their numbers.
    pub processes: Vec<ProcessEntry>,
    /// Channels; channel number `n` is at index `n - 1`.
    pub channels: Vec<ChannelEntry>,
    /// Bytes of a state without the hidden variables, which come last.
    pub visible_bytes: u32,
    /// A number that is the same for equal populations in every process, whatever their numbers are there.
    pub essence: u64,
    /// By offset.
    owners: Vec<Owner>,
    members: Vec<Member>,
    grown: Box<[OnceLock<ShapeId>]>,
    shrunk: OnceLock<ShapeId>,
}

/// Where a process is.
#[derive(Clone, Copy, Debug)]
pub struct ProcessEntry {
    /// Its type.
    pub process_type: ProcessTypeId,
    /// The offset of its frame.
    pub offset: u32,
}

/// Where a channel is.
#[derive(Clone, Copy, Debug)]
pub struct ChannelEntry {
    /// Its type.
    pub channel_type: ChannelTypeId,
    /// The offset of its length; messages follow.
    pub offset: u32,
}

/// Whose a byte of a state is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Owner {
    /// It is in the frame of this process.
    Process(u8),
    /// It is at this offset in the shared variables.
    Shared(u32),
    /// It is in a channel.
    Channel,
    /// It is in the header, or hidden.
    Nobody,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Member {
    Process(ProcessTypeId),
    Channel(ChannelTypeId),
}

/// All shapes met so far. Reading is free of locks; only a new shape takes one.
#[derive(Debug)]
pub struct Shapes {
    /// The shapes of most models.
    first: Box<[OnceLock<Shape>]>,
    /// Those of models with more: nine megabytes, made when they are needed.
    further: OnceLock<Box<[OnceLock<Shape>]>>,
    interned: Mutex<HashMap<Vec<Member>, ShapeId>>,
    sizes: Sizes,
}

/// What a population can become too large for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PopulationLimit {
    /// More than 255 processes.
    Processes,
    /// More than 255 channels.
    Channels,
    /// More than 65,535 different populations.
    Shapes,
}

#[derive(PartialEq, Eq, Debug)]
struct Sizes {
    shared: u32,
    frames: Vec<u32>,
    channels: Vec<u32>,
}

impl Sizes {
    fn of(program: &Program) -> Sizes {
        let frames = program.process_types.iter();
        Sizes {
            shared: program.shared_bytes,
            frames: frames.map(|process| process.frame_bytes).collect(),
            channels: program.channel_types.iter().map(|c| c.bytes()).collect(),
        }
    }
}

impl Shapes {
    /// The shapes of a program; at first only the empty population, which has number 0.
    pub fn new(program: &Program) -> Shapes {
        let sizes = Sizes::of(program);
        let shapes = Shapes {
            first: (0..FIRST).map(|_| OnceLock::new()).collect(),
            further: OnceLock::new(),
            interned: Mutex::new(HashMap::new()),
            sizes,
        };
        shapes
            .intern(Vec::new())
            .expect("the empty population is within every limit");
        shapes
    }

    /// Is more than half of the room for shapes taken?
    pub fn is_crowded(&self) -> bool {
        let interned = self.interned.lock();
        let interned = interned.expect("no panic happens while the lock is held");
        interned.len() > usize::from(u16::MAX) / 2
    }

    /// Are the populations of a program laid out in the same way?
    pub fn fit(&self, program: &Program) -> bool {
        self.sizes == Sizes::of(program)
    }

    /// The empty population.
    pub fn empty(&self) -> ShapeId {
        ShapeId(0)
    }

    /// A shape by number.
    #[inline]
    pub fn get(&self, id: ShapeId) -> &Shape {
        self.place(id)
            .get()
            .expect("a shape's number is given out after it is stored")
    }

    #[inline]
    fn place(&self, id: ShapeId) -> &OnceLock<Shape> {
        self.first
            .get(id.0 as usize)
            .unwrap_or_else(|| self.further(id))
    }

    /// The place of a shape that is not among the first.
    #[cold]
    fn further(&self, id: ShapeId) -> &OnceLock<Shape> {
        let table = self
            .further
            .get_or_init(|| (FIRST..=u16::MAX).map(|_| OnceLock::new()).collect());
        &table[(id.0 - FIRST) as usize]
    }

    /// The shape of a state.
    #[inline]
    pub fn of(&self, state: &[u8]) -> &Shape {
        self.get(ShapeId(u16::from_le_bytes([state[0], state[1]])))
    }

    /// A shape by a number that may not have been given out.
    pub(crate) fn known(&self, id: ShapeId) -> Option<&Shape> {
        self.place(id).get()
    }

    /// The population with one more process.
    pub fn with_process(
        &self,
        id: ShapeId,
        process_type: ProcessTypeId,
    ) -> Result<ShapeId, PopulationLimit> {
        self.grow(id, process_type.index(), Member::Process(process_type))
    }

    /// The population with one more channel.
    pub fn with_channel(
        &self,
        id: ShapeId,
        channel_type: ChannelTypeId,
    ) -> Result<ShapeId, PopulationLimit> {
        let edge = self.sizes.frames.len() + channel_type.index();
        self.grow(id, edge, Member::Channel(channel_type))
    }

    /// The population without its youngest process and that one's channels.
    pub fn without_youngest(&self, id: ShapeId) -> ShapeId {
        let shape = self.get(id);
        *shape.shrunk.get_or_init(|| {
            let mut members = shape.members.clone();
            while let Some(Member::Channel(_)) = members.last() {
                members.pop();
            }
            members.pop();
            self.intern(members)
                .expect("a part of a population was interned before it")
        })
    }

    /// The populations met so far, in the order of their numbers.
    pub fn save(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        let further = self.further.get().into_iter().flatten();
        let table = self.first.iter().chain(further);
        for shape in table.map_while(OnceLock::get) {
            bytes.extend((shape.members.len() as u32).to_le_bytes());
            for member in &shape.members {
                let (kind, number) = match member {
                    Member::Process(number) => (0, number.0),
                    Member::Channel(number) => (1, number.0),
                };
                bytes.push(kind);
                bytes.extend(number.to_le_bytes());
            }
        }
        bytes
    }

    /// Meets the populations that were saved, so that they have the same numbers again. Possible
    /// before others were met; says whether it was.
    pub fn restore(&self, bytes: &[u8]) -> bool {
        let mut expected = 0u32..;
        let is_same = |id: ShapeId| expected.next() == Some(u32::from(id.0));
        self.meet(bytes, is_same).is_some()
    }

    /// Meets populations that another process saved, and appends their numbers here, in the order of their numbers there. Says whether
    /// that was possible.
    pub fn learn(&self, bytes: &[u8], numbers: &mut Vec<u16>) -> bool {
        let note = |id: ShapeId| {
            numbers.push(id.0);
            true
        };
        self.meet(bytes, note).is_some()
    }

    /// How many populations were met.
    pub fn count(&self) -> usize {
        let interned = self.interned.lock();
        interned
            .expect("no panic happens while the lock is held")
            .len()
    }

    /// Meets populations that were saved as long as `go_on` agrees with their numbers.
    fn meet(&self, mut bytes: &[u8], mut go_on: impl FnMut(ShapeId) -> bool) -> Option<()> {
        let word = |bytes: &mut &[u8]| {
            let (word, rest) = bytes.split_first_chunk()?;
            *bytes = rest;
            Some(u32::from_le_bytes(*word))
        };
        while !bytes.is_empty() {
            let mut members = Vec::new();
            for _ in 0..word(&mut bytes)? {
                let (kind, rest) = bytes.split_first()?;
                bytes = rest;
                let number = word(&mut bytes)?;
                let (member, known) = match kind {
                    0 => (
                        Member::Process(ProcessTypeId(number)),
                        self.sizes.frames.len(),
                    ),
                    1 => (
                        Member::Channel(ChannelTypeId(number)),
                        self.sizes.channels.len(),
                    ),
                    _ => return None,
                };
                if number as usize >= known {
                    return None;
                }
                members.push(member);
            }
            // A population grows by one at a time, so that without its last member was met before. Who claims otherwise
            // could make us lay out large populations by few bytes.
            if let Some((_, before)) = members.split_last()
                && !self.is_interned(before)
            {
                return None;
            }
            if !go_on(self.intern(members).ok()?) {
                return None;
            }
        }
        Some(())
    }

    fn grow(&self, id: ShapeId, edge: usize, member: Member) -> Result<ShapeId, PopulationLimit> {
        let shape = self.get(id);
        if let Some(known) = shape.grown[edge].get() {
            return Ok(*known);
        }
        let mut members = shape.members.clone();
        members.push(member);
        let grown = self.intern(members)?;
        Ok(*shape.grown[edge].get_or_init(|| grown))
    }

    fn is_interned(&self, members: &[Member]) -> bool {
        let interned = self.interned.lock();
        let interned = interned.expect("no panic happens while the lock is held");
        interned.contains_key(members)
    }

    fn intern(&self, members: Vec<Member>) -> Result<ShapeId, PopulationLimit> {
        let mut interned = self
            .interned
            .lock()
            .expect("no panic happens while the lock is held");
        if let Some(id) = interned.get(&members) {
            return Ok(*id);
        }
        let shape = self.lay_out(members.clone())?;
        let id = ShapeId(u16::try_from(interned.len()).map_err(|_| PopulationLimit::Shapes)?);
        self.place(id)
            .set(shape)
            .expect("each number is given out once");
        interned.insert(members, id);
        Ok(id)
    }

    fn lay_out(&self, members: Vec<Member>) -> Result<Shape, PopulationLimit> {
        let mut offset = HEADER_BYTES + self.sizes.shared;
        let mut processes = Vec::new();
        let mut channels = Vec::new();
        for member in &members {
            match *member {
                Member::Process(process_type) => {
                    processes.push(ProcessEntry {
                        process_type,
                        offset,
                    });
                    offset += self.sizes.frames[process_type.index()];
                }
                Member::Channel(channel_type) => {
                    channels.push(ChannelEntry {
                        channel_type,
                        offset,
                    });
                    offset += self.sizes.channels[channel_type.index()];
                }
            }
        }
        if processes.len() > POPULATION_LIMIT {
            return Err(PopulationLimit::Processes);
        }
        if channels.len() > POPULATION_LIMIT {
            return Err(PopulationLimit::Channels);
        }
        let mut owners = vec![Owner::Nobody; HEADER_BYTES as usize];
        owners.extend((0..self.sizes.shared).map(Owner::Shared));
        let mut process = 0..=u8::MAX;
        for member in &members {
            let (owner, bytes) = match *member {
                Member::Process(process_type) => (
                    process.next().map_or(Owner::Nobody, Owner::Process),
                    self.sizes.frames[process_type.index()],
                ),
                Member::Channel(channel_type) => {
                    (Owner::Channel, self.sizes.channels[channel_type.index()])
                }
            };
            owners.resize(owners.len() + bytes as usize, owner);
        }
        let edges = self.sizes.frames.len() + self.sizes.channels.len();
        Ok(Shape {
            processes,
            channels,
            visible_bytes: offset,
            essence: essence(&members),
            owners,
            members,
            grown: (0..edges).map(|_| OnceLock::new()).collect(),
            shrunk: OnceLock::new(),
        })
    }
}

/// The same number for equal populations, and hardly for others.
fn essence(members: &[Member]) -> u64 {
    members.iter().fold(0x9e37_79b9_7f4a_7c15, |sum, member| {
        let number = match member {
            Member::Process(number) => u64::from(number.0) << 1,
            Member::Channel(number) => u64::from(number.0) << 1 | 1,
        };
        let mixed = (sum ^ number).wrapping_mul(0xff51_afd7_ed55_8ccd);
        (mixed ^ mixed >> 32).wrapping_mul(0xc4ce_b9fe_1a85_ec53) ^ mixed >> 29
    })
}

impl Shape {
    /// The offset of a process's frame.
    #[inline]
    pub fn frame(&self, process: usize) -> usize {
        self.processes[process].offset as usize
    }

    /// Whose the byte at an offset is.
    #[inline]
    pub(crate) fn owner(&self, offset: usize) -> Owner {
        self.owners.get(offset).copied().unwrap_or(Owner::Nobody)
    }
}
