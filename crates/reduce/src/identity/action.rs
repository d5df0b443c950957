//! Exchanges identities in a state, and puts them in order.

use mazurka_model::{ChannelType, HEADER_BYTES, Interpreter, Kind, Shape};

use super::storage::Family;
use super::{Group, Identities};

/// Two identities of a state that may be exchanged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exchange {
    group: usize,
    values: (u8, u8),
    /// The processes that change places.
    pub processes: Vec<(usize, usize)>,
}

/// Where everything is in the states of one shape.
#[derive(Debug)]
pub(crate) struct Layout {
    groups: Vec<Placed>,
    /// Where the location of who starts processes is; none if he is not there.
    starters: Option<Vec<(usize, Kind)>>,
}

#[derive(Debug)]
struct Placed {
    sources: Vec<Members>,
    /// Where values are kept: in the shared variables that are no elements of arrays of the group, and all.
    alone: Vec<usize>,
    cells: Vec<usize>,
    arrays: Vec<Array>,
    channels: Vec<Array>,
    /// Of each channel with identities in its messages: where it is, its type, and whether it is an element of such an array.
    queues: Vec<(usize, usize)>,
}

#[derive(Debug)]
struct Members {
    /// The numbers of the processes, and where their frames are.
    all: Vec<(usize, usize)>,
    bytes: usize,
    parameter: Option<(usize, Kind)>,
    /// What each byte of a frame is.
    parts: Vec<Part>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Part {
    Plain,
    /// An identity begins.
    Cell,
    /// It belongs to an identity, or to an array that is ordered by identities.
    Beside,
}

#[derive(Debug)]
struct Array {
    offset: usize,
    kind: Kind,
    dimensions: Vec<(usize, u32, bool)>,
    holds_identities: bool,
}

/// An identity that can be exchanged, and which process of each source has it.
struct Holder {
    value: u8,
    members: Vec<Option<usize>>,
}

type Renaming = [u8; 256];

impl Array {
    fn at(family: &Family, start: usize, which: &[bool], holds_identities: bool) -> Array {
        let dimensions = family.dimensions.iter().zip(which);
        Array {
            offset: start + family.offset as usize,
            kind: family.kind,
            dimensions: dimensions
                .map(|(one, own)| (one.stride as usize, one.length, *own))
                .collect(),
            holds_identities,
        }
    }

    /// The offsets of all elements, and of those that they become.
    fn moves(&self, renaming: &Renaming) -> Vec<(usize, usize)> {
        let mut moves = vec![(self.offset, self.offset)];
        for (stride, length, own) in &self.dimensions {
            let renamed = |index: u32| match (own, renaming.get(index as usize)) {
                (true, Some(to)) => u32::from(*to),
                _ => index,
            };
            let wider = |(from, to): &(usize, usize)| {
                let (from, to) = (*from, *to);
                let element = move |index: u32| {
                    let target = renamed(index) as usize;
                    (from + index as usize * stride, to + target * stride)
                };
                (0..*length).map(element).collect::<Vec<_>>()
            };
            moves = moves.iter().flat_map(wider).collect();
        }
        moves
    }

    /// The elements that belong to one identity alone.
    fn of(&self, value: u8) -> Vec<usize> {
        let mut offsets = vec![self.offset];
        for (stride, length, own) in &self.dimensions {
            let indices = match own {
                true => u32::from(value)..u32::from(value) + 1,
                false => 0..*length,
            };
            let wider = |offset: &usize| {
                let offset = *offset;
                let all = indices.clone();
                all.map(move |index| offset + index as usize * stride)
                    .collect::<Vec<_>>()
            };
            offsets = offsets.iter().flat_map(wider).collect();
        }
        offsets
    }
}

impl Identities {
    /// Where everything is.
    pub fn layout(&self, interpreter: &Interpreter, shape: &Shape) -> Layout {
        let program = interpreter.program();
        let starter = |number: usize| {
            let mut all = shape.processes.iter();
            let entry = all.find(|entry| entry.process_type.index() == number)?;
            let slot = program.process_types[number].location;
            Some(((entry.offset + slot.offset) as usize, slot.kind))
        };
        let starters = self.starters.iter();
        Layout {
            groups: self
                .groups
                .iter()
                .map(|group| group.layout(interpreter, shape))
                .collect(),
            starters: starters.map(|one| starter(one.process_type)).collect(),
        }
    }

    /// Have all processes been started?
    fn is_over(&self, layout: &Layout, state: &[u8]) -> bool {
        let Some(places) = &layout.starters else {
            return false;
        };
        let starts = |((offset, kind), starter): (&(usize, Kind), &super::Starter)| {
            starter.starts[kind.read(state, *offset) as usize]
        };
        !places.iter().zip(&self.starters).any(starts)
    }

    /// Puts the identities of a state in order, and tells the processes that change places: from where to where.
    pub fn sort(
        &self,
        interpreter: &Interpreter,
        layout: &Layout,
        state: &mut [u8],
        mut moved: impl FnMut(&[(usize, usize)]),
    ) {
        if !self.is_over(layout, state) {
            return;
        }
        for (group, placed) in self.groups.iter().zip(&layout.groups) {
            for holders in placed.holders(group, interpreter, state) {
                let mut keys: Vec<(Vec<u8>, u8)> = holders
                    .iter()
                    .map(|one| {
                        (
                            placed.key(interpreter, group, state, &holders, one),
                            one.value,
                        )
                    })
                    .collect();
                if keys.is_sorted() {
                    continue;
                }
                keys.sort();
                let mut renaming = unchanged();
                for ((_, from), to) in keys.iter().zip(&holders) {
                    renaming[usize::from(*from)] = to.value;
                }
                let moves = placed.rename(group, interpreter, state, &holders, &renaming);
                moved(&moves);
            }
        }
    }

    /// The pairs of neighbours among the identities of a state that may be exchanged.
    pub fn pairs(&self, interpreter: &Interpreter, layout: &Layout, state: &[u8]) -> Vec<Exchange> {
        let mut pairs = Vec::new();
        if !self.is_over(layout, state) {
            return pairs;
        }
        for (number, (group, placed)) in self.groups.iter().zip(&layout.groups).enumerate() {
            for holders in placed.holders(group, interpreter, state) {
                for two in holders.windows(2) {
                    let members = two[0].members.iter().zip(&two[1].members);
                    let processes = placed.sources.iter().zip(members);
                    pairs.push(Exchange {
                        group: number,
                        values: (two[0].value, two[1].value),
                        processes: processes
                            .filter_map(|(source, (a, b))| {
                                Some((source.all[(*a)?].0, source.all[(*b)?].0))
                            })
                            .collect(),
                    });
                }
            }
        }
        pairs
    }

    /// The state in which two identities are exchanged.
    pub fn exchanged(
        &self,
        interpreter: &Interpreter,
        layout: &Layout,
        state: &[u8],
        exchange: &Exchange,
    ) -> Vec<u8> {
        let mut state = state.to_vec();
        let (a, b) = exchange.values;
        let mut renaming = unchanged();
        renaming[usize::from(a)] = b;
        renaming[usize::from(b)] = a;
        let (group, placed) = (&self.groups[exchange.group], &layout.groups[exchange.group]);
        let all = placed.holders(group, interpreter, &state);
        let mut all = all.iter();
        let own = all.find(|holders| holders.iter().any(|one| one.value == a));
        if let Some(holders) = own {
            placed.rename(group, interpreter, &mut state, holders, &renaming);
        }
        state
    }
}

fn unchanged() -> Renaming {
    std::array::from_fn(|value| value as u8)
}

impl Group {
    fn layout(&self, interpreter: &Interpreter, shape: &Shape) -> Placed {
        let program = interpreter.program();
        // Where the parts of the state begin that are laid out like the region of a family.
        let starts = |family: &Family| -> Vec<usize> {
            match family.region {
                None => vec![HEADER_BYTES as usize],
                Some(number) => {
                    let all = shape.processes.iter();
                    let own = all.filter(|one| one.process_type.0 == number);
                    own.map(|one| one.offset as usize).collect()
                }
            }
        };
        let mut arrays = Vec::new();
        for (family, which) in &self.arrays {
            let holds = self.cells.contains(family);
            let all = starts(family).into_iter();
            arrays.extend(all.map(|start| Array::at(family, start, which, holds)));
        }
        let channels = self.channels.iter();
        let channels = channels
            .map(|family| Array::at(family, HEADER_BYTES as usize, &[true], false))
            .collect();
        let (mut cells, mut alone) = (Vec::new(), Vec::new());
        for family in &self.cells {
            let is_array = self.arrays.iter().any(|(array, _)| array == family);
            for start in starts(family) {
                let own = family.cells().into_iter();
                let own: Vec<usize> = own.map(|(offset, _)| start + offset as usize).collect();
                if family.region.is_none() && !is_array {
                    alone.extend(&own);
                }
                cells.extend(own);
            }
        }
        for all in [&mut cells, &mut alone] {
            all.sort_unstable();
            all.dedup();
        }
        let queues = shape.channels.iter();
        let queues = queues
            .map(|entry| (entry.offset as usize, entry.channel_type.index()))
            .filter(|(_, number)| !self.fields[*number].is_empty())
            .filter(|(_, number)| program.channel_types[*number].capacity > 0)
            .collect();
        Placed {
            sources: self
                .sources
                .iter()
                .map(|source| self.members(interpreter, shape, source))
                .collect(),
            alone,
            cells,
            arrays,
            channels,
            queues,
        }
    }

    fn members(&self, interpreter: &Interpreter, shape: &Shape, source: &super::Source) -> Members {
        let number = source.process_type;
        let bytes = interpreter.program().process_types[number].frame_bytes as usize;
        let mut parts = vec![Part::Plain; bytes];
        let region = Some(number as u32);
        for family in self.cells.iter().filter(|one| one.region == region) {
            for (offset, _) in family.cells() {
                let end = offset + family.kind.bytes();
                parts[offset as usize..end as usize].fill(Part::Beside);
                parts[offset as usize] = Part::Cell;
            }
        }
        for (family, _) in self.arrays.iter().filter(|(one, _)| one.region == region) {
            for (offset, _) in family.cells() {
                let end = offset + family.kind.bytes();
                parts[offset as usize..end as usize].fill(Part::Beside);
            }
        }
        let all = shape.processes.iter().enumerate();
        Members {
            all: all
                .filter(|(_, entry)| entry.process_type.index() == number)
                .map(|(process, entry)| (process, entry.offset as usize))
                .collect(),
            bytes,
            parameter: source
                .parameter
                .map(|(offset, kind)| (offset as usize, kind)),
            parts,
        }
    }
}

impl Placed {
    /// The identities of a state that can be exchanged with each other. None if some process has one for which there is not room everywhere,
    /// or that another one has.
    fn holders(&self, group: &Group, interpreter: &Interpreter, state: &[u8]) -> Vec<Vec<Holder>> {
        let mut found: Vec<Holder> = Vec::new();
        for (number, source) in self.sources.iter().enumerate() {
            for (position, (process, frame)) in source.all.iter().enumerate() {
                let value = match source.parameter {
                    Some((offset, kind)) => kind.read(state, frame + offset),
                    None => *process as i32,
                };
                if !(0..=group.greatest).contains(&value) {
                    return Vec::new();
                }
                let value = value as u8;
                let known = found.iter().position(|one| one.value == value);
                let holder = known.unwrap_or_else(|| {
                    found.push(Holder {
                        value,
                        members: vec![None; self.sources.len()],
                    });
                    found.len() - 1
                });
                if found[holder].members[number].replace(position).is_some() {
                    return Vec::new();
                }
            }
        }
        found.retain(|one| !group.fixed.contains(&i32::from(one.value)));
        found.sort_by_key(|one| one.value);
        let mut alike: Vec<Vec<Holder>> = Vec::new();
        for holder in found {
            let has = |one: &Holder| -> Vec<bool> {
                one.members.iter().map(|member| member.is_some()).collect()
            };
            let own = has(&holder);
            match alike.iter_mut().find(|others| has(&others[0]) == own) {
                Some(others) => others.push(holder),
                None => alike.push(vec![holder]),
            }
        }
        alike
            .retain(|holders| holders.len() > 1 && self.have_channels(interpreter, state, holders));
        alike
    }

    /// Do the channels of these identities exist, and are they of one type?
    fn have_channels(&self, interpreter: &Interpreter, state: &[u8], holders: &[Holder]) -> bool {
        let shape = interpreter.shape(state);
        self.channels.iter().all(|array| {
            let entry = |holder: &Holder| {
                let number = array.kind.read(state, array.of(holder.value)[0]);
                let index = usize::try_from(number.wrapping_sub(1)).ok()?;
                Some((index, shape.channels.get(index)?.channel_type))
            };
            let entries: Option<Vec<_>> = holders.iter().map(entry).collect();
            let Some(mut entries) = entries else {
                return false;
            };
            entries.sort_by_key(|(index, _)| *index);
            let two = |two: &[(usize, _)]| two[0].0 != two[1].0 && two[0].1 == two[1].1;
            entries.windows(2).all(two)
        })
    }

    fn channel<'i>(
        &self,
        interpreter: &'i Interpreter,
        state: &[u8],
        array: &Array,
        value: u8,
    ) -> Option<(usize, &'i ChannelType, usize)> {
        let number = array.kind.read(state, array.of(value)[0]);
        let index = usize::try_from(number.wrapping_sub(1)).ok()?;
        let entry = interpreter.shape(state).channels.get(index)?;
        let number = entry.channel_type.index();
        let described = &interpreter.program().channel_types[number];
        Some((entry.offset as usize, described, number))
    }

    /// What is to be said of an identity without the names of others: what its processes do, what is its own, and what names it.
    fn key(
        &self,
        interpreter: &Interpreter,
        group: &Group,
        state: &[u8],
        holders: &[Holder],
        holder: &Holder,
    ) -> Vec<u8> {
        let mut key = Vec::new();
        let own = i32::from(holder.value);
        let name = |value: i32, key: &mut Vec<u8>| match value {
            _ if value == own => key.push(1),
            _ if holders.iter().any(|one| i32::from(one.value) == value) => key.push(2),
            _ => {
                key.push(0);
                key.extend(value.to_le_bytes());
            }
        };
        for (source, member) in self.sources.iter().zip(&holder.members) {
            let Some(member) = member else { continue };
            let frame = source.all[*member].1;
            for (offset, part) in source.parts.iter().enumerate() {
                match (part, group.kind) {
                    (Part::Cell, Some(kind)) => name(kind.read(state, frame + offset), &mut key),
                    (Part::Plain, _) => key.push(state[frame + offset]),
                    _ => {}
                }
            }
        }
        for array in &self.arrays {
            for offset in array.of(holder.value) {
                let value = array.kind.read(state, offset);
                match array.holds_identities {
                    true => name(value, &mut key),
                    false => key.extend(value.to_be_bytes()),
                }
            }
        }
        let mut passed = Vec::new();
        for array in &self.channels {
            let found = self.channel(interpreter, state, array, holder.value);
            if let Some((offset, described, number)) = found {
                let length = length(state, offset, described);
                key.push(length as u8);
                for slot in 0..length {
                    for (field, described_field) in described.fields.iter().enumerate() {
                        let at = slot_offset(offset, described, slot, field);
                        let value = described_field.kind.read(state, at);
                        match group.fields[number].contains(&(field as u32)) {
                            true => name(value, &mut key),
                            false => key.extend(value.to_be_bytes()),
                        }
                    }
                }
            }
            let all = holders.iter();
            let others = all.filter_map(|one| self.channel(interpreter, state, array, one.value));
            passed.extend(others.map(|(offset, ..)| offset));
        }
        if let Some(kind) = group.kind {
            for offset in &self.alone {
                key.push(u8::from(kind.read(state, *offset) == own));
            }
        }
        for (offset, number) in self.queues.iter().filter(|one| !passed.contains(&one.0)) {
            let described = &interpreter.program().channel_types[*number];
            for slot in 0..length(state, *offset, described) {
                for field in &group.fields[*number] {
                    let at = slot_offset(*offset, described, slot, *field as usize);
                    let kind = described.fields[*field as usize].kind;
                    key.push(u8::from(kind.read(state, at) == own));
                }
            }
        }
        key
    }

    /// Gives identities other names, and tells the processes that change places.
    fn rename(
        &self,
        group: &Group,
        interpreter: &Interpreter,
        state: &mut [u8],
        holders: &[Holder],
        renaming: &Renaming,
    ) -> Vec<(usize, usize)> {
        let old = state.to_vec();
        let new = |value: u8| renaming[usize::from(value)];
        let mut moves = Vec::new();
        for holder in holders {
            let becomes = holders.iter().find(|one| one.value == new(holder.value));
            let Some(becomes) = becomes else { continue };
            let members = holder.members.iter().zip(&becomes.members);
            for (source, (from, to)) in self.sources.iter().zip(members) {
                let (Some(from), Some(to)) = (from, to) else {
                    continue;
                };
                let (from, to) = (source.all[*from], source.all[*to]);
                moves.push((from.0, to.0));
                state[to.1..to.1 + source.bytes]
                    .copy_from_slice(&old[from.1..from.1 + source.bytes]);
            }
            for array in &self.channels {
                let from = self.channel(interpreter, &old, array, holder.value);
                let to = self.channel(interpreter, &old, array, becomes.value);
                if let (Some((from, described, _)), Some((to, ..))) = (from, to) {
                    let bytes = described.bytes() as usize;
                    state[to..to + bytes].copy_from_slice(&old[from..from + bytes]);
                }
            }
        }
        // Arrays in frames have moved with their frames.
        let old = state.to_vec();
        for array in &self.arrays {
            let bytes = array.kind.bytes() as usize;
            for (from, to) in array.moves(renaming) {
                state[to..to + bytes].copy_from_slice(&old[from..from + bytes]);
            }
        }
        let rename = |state: &mut [u8], kind: Kind, offset: usize| {
            if let Ok(value) = u8::try_from(kind.read(state, offset)) {
                kind.write(state, offset, i32::from(new(value)));
            }
        };
        if let Some(kind) = group.kind {
            for offset in &self.cells {
                rename(state, kind, *offset);
            }
        }
        for (offset, number) in &self.queues {
            let described = &interpreter.program().channel_types[*number];
            for slot in 0..length(state, *offset, described) {
                for field in &group.fields[*number] {
                    let at = slot_offset(*offset, described, slot, *field as usize);
                    rename(state, described.fields[*field as usize].kind, at);
                }
            }
        }
        moves
    }
}

fn length(state: &[u8], offset: usize, described: &ChannelType) -> usize {
    match described.capacity {
        0 => 0,
        _ => described.length_kind().read(state, offset) as usize,
    }
}

fn slot_offset(offset: usize, described: &ChannelType, slot: usize, field: usize) -> usize {
    let first = offset + described.length_kind().bytes() as usize;
    first + slot * described.message_bytes as usize + described.fields[field].offset as usize
}
