//! States that somebody else wrote: in a file that may be damaged, or forged.
//!
//! The interpreter trusts the states it has made. Bytes from elsewhere must first be shown to have the form of a state: whether
//! the state can be reached is another question.

use crate::interpreter::Interpreter;
use crate::shape::{CONTROL_OFFSET, HEADER_BYTES, ShapeId};

impl Interpreter {
    /// Have these bytes the form of a state, so that everything that can be asked of a state can be asked of them?
    pub fn is_state(&self, state: &[u8]) -> bool {
        let Some((number, _)) = state.split_first_chunk() else {
            return false;
        };
        let Some(shape) = self.shapes().known(ShapeId(u16::from_le_bytes(*number))) else {
            return false;
        };
        let program = self.program();
        if state.len() != (shape.visible_bytes + program.hidden_bytes) as usize
            || state.len() < HEADER_BYTES as usize
            || usize::from(state[CONTROL_OFFSET]) > shape.processes.len()
        {
            return false;
        }
        let are_processes = shape.processes.iter().all(|entry| {
            let process_type = &program.process_types[entry.process_type.index()];
            let slot = process_type.location;
            let offset = (entry.offset + slot.offset) as usize;
            let location = slot.kind.read(state, offset) as u32;
            (location as usize) < process_type.locations.len()
        });
        let are_channels = shape.channels.iter().all(|entry| {
            let channel_type = &program.channel_types[entry.channel_type.index()];
            channel_type.capacity == 0 || {
                let kind = channel_type.length_kind();
                kind.read(state, entry.offset as usize) as u32 <= channel_type.capacity
            }
        });
        are_processes && are_channels
    }
}
