//! Where values are kept: the bytes of variables, and the elements of arrays, as nodes of the classes.

use std::collections::BTreeMap;

use mazurka_model::{Base, Kind, Place, Program};

use super::kinds::{Kinds, Node};

/// An array with more elements is not looked through.
const MOST_CELLS: usize = 4096;

/// The part of a state that a place is in: the shared variables, or the frame of a type of process.
pub(super) type Region = Option<u32>;

/// One dimension of an array.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Dimension {
    pub stride: u32,
    pub length: u32,
    /// What its indices are.
    pub node: Node,
}

/// A variable, or an array of them, as some process uses it.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Family {
    pub region: Region,
    pub offset: u32,
    pub kind: Kind,
    pub dimensions: Vec<Dimension>,
    /// What its values are.
    pub content: Node,
}

impl Family {
    fn is_shaped_as(&self, other: &Family) -> bool {
        let shape = |family: &Family| -> Vec<(u32, u32)> {
            let all = family.dimensions.iter();
            all.map(|one| (one.stride, one.length)).collect()
        };
        (self.offset, self.kind, shape(self)) == (other.offset, other.kind, shape(other))
    }

    /// The offsets of all elements, and the index in each dimension.
    pub fn cells(&self) -> Vec<(u32, Vec<u32>)> {
        let mut cells = vec![(self.offset, Vec::new())];
        for dimension in &self.dimensions {
            let wider = |(offset, indices): &(u32, Vec<u32>)| {
                let (offset, indices) = (*offset, indices.clone());
                let element = move |index: u32| {
                    let mut indices = indices.clone();
                    indices.push(index);
                    (offset + index * dimension.stride, indices)
                };
                (0..dimension.length).map(element).collect::<Vec<_>>()
            };
            cells = cells.iter().flat_map(wider).collect();
        }
        cells
    }

    fn is_large(&self) -> bool {
        let cells = self.dimensions.iter().map(|one| one.length as usize);
        cells.fold(1usize, usize::saturating_mul) > MOST_CELLS
    }
}

/// All storage that is in use.
#[derive(Debug, Default)]
pub(super) struct Storage {
    shared: Node,
    frames: Vec<Node>,
    pub families: Vec<Family>,
}

impl Storage {
    pub fn new(program: &Program, kinds: &mut Kinds) -> Storage {
        let frames = program.process_types.iter();
        Storage {
            shared: kinds.add(program.shared_bytes),
            frames: frames.map(|one| kinds.add(one.frame_bytes)).collect(),
            families: Vec::new(),
        }
    }

    fn node(&self, region: Region, offset: u32) -> Node {
        offset + region.map_or(self.shared, |number| self.frames[number as usize])
    }

    /// Where a place of a process is kept, if that is followed.
    pub fn family(
        &mut self,
        program: &Program,
        kinds: &mut Kinds,
        process_type: u32,
        place: &Place,
    ) -> Option<Family> {
        let region = match place.base {
            Base::Shared => None,
            Base::Local => Some(process_type),
            Base::Hidden | Base::Remote(..) => return None,
        };
        let indices = &program.indices[place.indices.start as usize..place.indices.end as usize];
        let dimension = |index: &mazurka_model::Index| Dimension {
            stride: index.stride,
            length: index.length,
            node: 0,
        };
        let mut family = Family {
            region,
            offset: place.offset,
            kind: place.kind,
            dimensions: indices.iter().map(dimension).collect(),
            content: self.node(region, place.offset),
        };
        let is_known = |known: &&Family| known.region == region && known.is_shaped_as(&family);
        if let Some(known) = self.families.iter().find(is_known) {
            return Some(known.clone());
        }
        let first = kinds.add(family.dimensions.len() as u32);
        let nodes = family.dimensions.iter_mut().zip(first..);
        nodes.for_each(|(dimension, node)| dimension.node = node);
        if family.is_large() {
            kinds.mark(family.content, "large arrays");
            let dimensions = family.dimensions.iter();
            dimensions.for_each(|one| kinds.mark(one.node, "large arrays"));
            return Some(family);
        }
        for (offset, _) in family.cells() {
            for byte in offset..offset + family.kind.bytes() {
                kinds.unite(family.content, self.node(region, byte));
            }
        }
        self.families.push(family.clone());
        Some(family)
    }

    /// Compares all that lies at the same place. An element that is named by a constant fixes that index; whatever else overlaps is ordinary.
    pub fn settle(&self, kinds: &mut Kinds) {
        let mut owners: BTreeMap<(Region, u32), Vec<(usize, u32)>> = BTreeMap::new();
        for (number, family) in self.families.iter().enumerate() {
            for (offset, _) in family.cells() {
                for byte in offset..offset + family.kind.bytes() {
                    let all = owners.entry((family.region, byte)).or_default();
                    all.push((number, offset));
                }
            }
        }
        for all in owners.values() {
            for (position, one) in all.iter().enumerate() {
                for other in &all[position + 1..] {
                    self.compare(kinds, *one, *other);
                }
            }
        }
    }

    fn compare(&self, kinds: &mut Kinds, one: (usize, u32), other: (usize, u32)) {
        let (a, b) = (&self.families[one.0], &self.families[other.0]);
        let is_same = one.1 == other.1 && a.kind == b.kind && one.0 != other.0;
        let (element, array) = match a.dimensions.is_empty() {
            true => (a, b),
            false => (b, a),
        };
        if is_same && element.dimensions.is_empty() && array.dimensions.len() == 1 {
            let dimension = array.dimensions[0];
            let index = (element.offset - array.offset) / dimension.stride;
            let index = super::kinds::Value::Constant(index as i32);
            return kinds.same(super::kinds::Value::Of(dimension.node), index);
        }
        const WHY: &str = "an array in different ways";
        for family in [a, b] {
            kinds.mark(family.content, WHY);
            let dimensions = family.dimensions.iter();
            dimensions.for_each(|one| kinds.mark(one.node, WHY));
        }
    }
}
