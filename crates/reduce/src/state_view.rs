//! A state as the analysis of dependencies looks at it: what a place is, what a channel tells, who is there.

use mazurka_model::{Interpreter, PlaceId};
use mazurka_objects::{Pattern, View, fifo, population};

/// How many processes there can be.
const PROCESSES: u32 = 255;

/// The state, as far as the analysis looks at it.
pub(crate) struct StateView<'a> {
    pub system: &'a Interpreter,
    pub state: &'a [u8],
}

impl StateView<'_> {
    /// The offset of a variable in its part of the state.
    pub fn offset(&self, process: usize, place: PlaceId) -> Option<u32> {
        let described = &self.system.program().places[place.index()];
        let mut offset = described.offset;
        for index in described.indices.clone() {
            let index = &self.system.program().indices[index as usize];
            let value = self
                .system
                .value(self.state, process, index.expression)
                .ok()?;
            let value = u32::try_from(value)
                .ok()
                .filter(|value| *value < index.length)?;
            offset += value * index.stride;
        }
        Some(offset)
    }

    pub fn load(&self, process: usize, place: PlaceId) -> Option<i32> {
        self.system.load(self.state, process, place).ok()
    }

    pub fn is_of_type(&self, process: usize, process_type: u32) -> bool {
        self.system.shape(self.state).processes[process]
            .process_type
            .0
            == process_type
    }

    pub fn channel(&self, number: i32, disorderly: bool) -> View {
        let Some(channel) = self.system.channel(self.state, number) else {
            return View::Unknown;
        };
        if channel.capacity == 0 {
            return View::Unknown;
        }
        let head = match channel.head() {
            Some(fields) => {
                let mut wide = [0i64; 4];
                for (wide, value) in wide.iter_mut().zip(fields) {
                    *wide = i64::from(*value);
                }
                Pattern::message(&wide[..fields.len()])
            }
            None => Pattern::UNKNOWN,
        };
        View::Fifo(fifo::View {
            length: channel.length,
            capacity: channel.capacity,
            head,
            disorderly,
        })
    }

    pub fn exists(&self, number: i32) -> bool {
        usize::try_from(number).is_ok_and(|number| {
            (1..=self.system.shape(self.state).channels.len()).contains(&number)
        })
    }

    pub fn population(&self) -> View {
        View::Population(population::View {
            count: self.system.shape(self.state).processes.len() as u32,
            limit: PROCESSES,
        })
    }

    pub fn is_rendezvous(&self, number: i32) -> bool {
        self.system.program().features.rendezvous && self.exists(number) && {
            let channel = self.system.shape(self.state).channels[number as usize - 1];
            let program = self.system.program();
            program.channel_types[channel.channel_type.index()].capacity == 0
        }
    }
}
