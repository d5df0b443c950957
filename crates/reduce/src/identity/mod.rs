//! Processes that are alike up to their identity: states that differ only in which identity does what are taken for one.
//!
//! An identity is the number of a process (`_pid`) or a parameter that never changes. Where identities are only copied, compared with each
//! other, sent, received, and used as indices of arrays, two of them can be exchanged: the frames of their processes, the elements of the
//! arrays that belong to them, and one for the other wherever the values are kept. Everything then goes on in the same way (an automorphism of
//! the state graph). That nothing else is done with them is proved by [`flow`]: a class of values, closed under copying and comparing, is
//! given up as soon as one of them is computed, ordered, tested or kept where not every identity has room.
//!
//! A constant at the place of an identity fixes that identity: it is not exchanged.
//!
//! Where processes are started one after the other, by a process of which there is one, exchanges begin when no more will be started.
//! Whatever is done before makes the state from which the search goes on in that way, and need not be symmetric: orbits of the states that
//! are reachable from it are what is searched.

mod action;
mod flow;
mod kinds;
mod storage;

use mazurka_model::{Instruction, Kind, Program};

use self::flow::Flow;
use self::kinds::{Node, Value};
use self::storage::Family;
pub use action::Exchange;
pub(crate) use action::Layout;

use crate::operation::Unsupported;

/// The identities of the processes of a program.
#[derive(Debug)]
pub(crate) struct Identities {
    groups: Vec<Group>,
    /// Processes that start others, and where they have not started all.
    starters: Vec<Starter>,
}

/// A class of values that are identities.
#[derive(Debug)]
struct Group {
    sources: Vec<Source>,
    /// How they are kept; none if only processes have them.
    kind: Option<Kind>,
    /// The greatest that all variables and arrays have room for.
    greatest: i32,
    fixed: Vec<i32>,
    /// Where values of the class are kept.
    cells: Vec<Family>,
    /// Arrays with such indices, and which of their dimensions.
    arrays: Vec<(Family, Vec<bool>)>,
    /// Arrays of channels with such indices.
    channels: Vec<Family>,
    /// The fields of messages that hold such values, by type of channel.
    fields: Vec<Vec<u32>>,
}

/// Where the identity of a process comes from.
#[derive(Clone, Debug)]
struct Source {
    process_type: usize,
    /// The parameter; none if it is the number of the process.
    parameter: Option<(u32, Kind)>,
    node: Node,
}

#[derive(Debug)]
struct Starter {
    process_type: usize,
    /// By location of the type, from its first: may it still start somebody?
    starts: Vec<bool>,
}

impl Identities {
    /// Finds groups of processes that are alike up to their identity, or says why there is none.
    pub fn of(program: &Program) -> Result<Identities, Unsupported> {
        if program.monitor.is_some() {
            return Err(Unsupported("an assertion about the order of messages"));
        }
        let is_machine = program.process_types.iter().any(|one| one.machine);
        if is_machine || !program.instances.is_empty() {
            return Err(Unsupported("machines"));
        }
        let births = Births::of(program);
        let starters = births.starters(program);
        let mut flow = Flow::new(program);
        for number in 0..program.process_types.len() {
            let first = program.process_types[number].locations.start;
            let starter = starters.iter().find(|one| one.process_type == number);
            flow.process(number, |location| {
                starter.is_none_or(|one| !one.starts[(location - first) as usize])
            });
        }
        flow.births();
        let sources = sources(program, &births, &starters, &mut flow);
        flow.storage.settle(&mut flow.kinds);
        fix_zeros(&mut flow, &sources);
        let channels = channels(&mut flow);
        refuse_strangers(&mut flow, &sources);
        let mut groups: Vec<Group> = Vec::new();
        let mut reason = None;
        for source in &sources {
            let class = flow.kinds.class(source.node);
            // One identity is enough.
            let mut taken = groups.iter().flat_map(|group| &group.sources);
            if taken.any(|other| other.process_type == source.process_type) {
                continue;
            }
            let is_same = |group: &&mut Group| flow.kinds.class(group.sources[0].node) == class;
            if let Some(group) = groups.iter_mut().find(is_same) {
                group.sources.push(source.clone());
                continue;
            }
            match group(program, &flow, &channels, source, class) {
                Ok(group) => groups.push(group),
                Err(unsupported) => {
                    reason.get_or_insert(unsupported);
                }
            }
        }
        if groups.is_empty() {
            return Err(reason.unwrap_or(Unsupported("no identities of processes")));
        }
        Ok(Identities { groups, starters })
    }

    /// Is it a type whose processes have an identity?
    pub fn has(&self, process_type: usize) -> bool {
        let sources = self.groups.iter().flat_map(|group| &group.sources);
        sources
            .map(|source| source.process_type)
            .any(|other| other == process_type)
    }

    /// Are identities kept at this offset of the frames of a type?
    pub fn keeps(&self, process_type: usize, offset: u32) -> bool {
        let cells = self.groups.iter().flat_map(|group| &group.cells);
        let is_there = |family: &Family| {
            let cells = family.cells();
            family.region == Some(process_type as u32)
                && cells.iter().any(|(start, _)| *start == offset)
        };
        cells.into_iter().any(is_there)
    }
}

/// Who starts whom.
struct Births {
    /// How many the start of the program makes, by type; none if that is not certain.
    first: Option<Vec<u32>>,
    /// The types that start processes of each type.
    by: Vec<Vec<usize>>,
}

impl Births {
    fn of(program: &Program) -> Births {
        let types = program.process_types.len();
        let mut by = vec![Vec::new(); types];
        let code =
            |range: std::ops::Range<u32>| &program.code[range.start as usize..range.end as usize];
        let mut is_certain = true;
        for (number, process) in program.process_types.iter().enumerate() {
            let is_run = |one: &Instruction| matches!(one, Instruction::Run { .. });
            is_certain &= !code(process.start.clone()).iter().any(is_run);
            for location in process.locations.clone() {
                for transition in program.locations[location as usize].transitions.clone() {
                    let effect = program.transitions[transition as usize].effect.clone();
                    for instruction in code(effect) {
                        if let Instruction::Run { process_type, .. } = instruction {
                            by[process_type.index()].push(number);
                        }
                    }
                }
            }
        }
        by.iter_mut().for_each(|all| all.dedup());
        let mut first = vec![0; types];
        for instruction in code(program.start.clone()) {
            match instruction {
                Instruction::Run { process_type, .. } => first[process_type.index()] += 1,
                Instruction::Jump(_) | Instruction::JumpUnless(..) => is_certain = false,
                _ => {}
            }
        }
        Births {
            first: is_certain.then_some(first),
            by,
        }
    }

    fn first(&self, number: usize) -> Option<u32> {
        self.first.as_ref().map(|first| first[number])
    }

    /// The only process that starts those of a type.
    fn starter(&self, number: usize) -> Option<usize> {
        let [starter] = self.by[number][..] else {
            return None;
        };
        let is_one = self.first(starter) == Some(1) && self.by[starter].is_empty();
        (is_one && self.first(number) == Some(0)).then_some(starter)
    }

    fn starters(&self, program: &Program) -> Vec<Starter> {
        let mut types: Vec<usize> = (0..self.by.len())
            .filter_map(|number| self.starter(number))
            .collect();
        types.sort_unstable();
        types.dedup();
        types
            .into_iter()
            .map(|number| Starter {
                process_type: number,
                starts: may_start(program, number),
            })
            .collect()
    }
}

/// The locations of a type from which it may come to start a process.
fn may_start(program: &Program, number: usize) -> Vec<bool> {
    let locations = program.process_types[number].locations.clone();
    let mut starts = vec![false; locations.len()];
    loop {
        let mut changed = false;
        for location in locations.clone() {
            let at = (location - locations.start) as usize;
            if starts[at] {
                continue;
            }
            let mut all = program.locations[location as usize].transitions.clone();
            starts[at] = all.any(|transition| {
                let transition = &program.transitions[transition as usize];
                let effect = transition.effect.start as usize..transition.effect.end as usize;
                let is_run = |one: &Instruction| matches!(one, Instruction::Run { .. });
                let target = transition.target;
                program.code[effect].iter().any(is_run)
                    || target.is_some_and(|to| starts[(to.0 - locations.start) as usize])
            });
            changed |= starts[at];
        }
        if !changed {
            return starts;
        }
    }
}

/// Whatever may be the identity of a process: its number if it asks for it, or else a parameter that never changes.
fn sources(
    program: &Program,
    births: &Births,
    starters: &[Starter],
    flow: &mut Flow<'_>,
) -> Vec<Source> {
    let mut sources = Vec::new();
    for number in 0..program.process_types.len() {
        let is_started = births
            .starter(number)
            .is_some_and(|starter| starters.iter().any(|one| one.process_type == starter));
        let is_first =
            births.first(number).is_some_and(|count| count > 1) && births.by[number].is_empty();
        if !is_first && !is_started || flow.started[number] {
            continue;
        }
        if flow.asks[number] {
            sources.push(Source {
                process_type: number,
                parameter: None,
                node: flow.numbers[number],
            });
            continue;
        }
        for place in program.process_types[number].parameters.clone() {
            let place = &program.places[place.index()];
            let family = flow
                .storage
                .family(program, &mut flow.kinds, number as u32, place);
            let Some(family) = family.filter(|family| family.dimensions.is_empty()) else {
                continue;
            };
            let ends = |family: &Family| family.offset + family.kind.bytes();
            let is_written = flow.written.iter().any(|other| {
                let mut cells = other.cells().into_iter();
                other.region == family.region
                    && cells.any(|(offset, _)| {
                        offset < ends(&family) && family.offset < offset + other.kind.bytes()
                    })
            });
            if !is_written {
                sources.push(Source {
                    process_type: number,
                    parameter: Some((family.offset, family.kind)),
                    node: family.content,
                });
            }
        }
    }
    sources
}

/// An element that does not exist reads as 0. All do exist that have the only identity of a process as index, where that is one of the group that the
/// values are of: no other is exchanged.
fn fix_zeros(flow: &mut Flow<'_>, sources: &[Source]) {
    for read in std::mem::take(&mut flow.reads) {
        let content = flow.kinds.class(read.array.content);
        let mut indices = read.array.dimensions.iter().zip(&read.indices);
        let exists = indices.all(|(dimension, index)| {
            let own = |source: &&Source| {
                let at = source.parameter.map(|(offset, _)| offset);
                *index == Some((source.process_type, at))
            };
            let is_only = sources.iter().find(own).is_some_and(|source| {
                let others = sources.iter();
                let others = others.filter(|other| other.process_type == source.process_type);
                others.count() == 1
            });
            is_only && flow.kinds.class(dimension.node) == content
        });
        if !exists {
            flow.kinds.same(Value::Of(content), Value::Constant(0));
        }
    }
}

/// The arrays of channels that last, whose elements do nothing but name their channel. Every other variable that names a channel is ordinary.
fn channels(flow: &mut Flow<'_>) -> Vec<Family> {
    let mut found = Vec::new();
    for name in flow.names.clone() {
        let class = flow.kinds.class(name);
        let families = flow.storage.families.iter();
        let own: Vec<&Family> = families
            .filter(|family| flow.kinds.class(family.content) == class)
            .collect();
        let is_apart = match own[..] {
            [family] => {
                let dimensions = flow.storage.families.iter().flat_map(|one| &one.dimensions);
                let mut nodes = dimensions.map(|one| one.node).chain(flow.numbers.clone());
                let fields = flow.all_fields();
                flow.names_last
                    && family.region.is_none()
                    && family.dimensions.len() == 1
                    && flow.kinds.refused(class).is_none()
                    && flow.kinds.fixed(class, None).is_empty()
                    && !flow.written.contains(family)
                    && !nodes.any(|node| flow.kinds.class(node) == class)
                    && !fields
                        .iter()
                        .any(|(node, _)| flow.kinds.class(*node) == class)
            }
            _ => false,
        };
        match is_apart {
            true if found.contains(own[0]) => {}
            true => found.push(own[0].clone()),
            false => {
                let why = "the identity of a process as the name of a channel";
                flow.kinds.ordinary(Value::Of(name), why);
            }
        }
    }
    found
}

/// Numbers of processes that are no source are not exchanged, so they must not be among identities.
fn refuse_strangers(flow: &mut Flow<'_>, sources: &[Source]) {
    for (number, node) in flow.numbers.clone().into_iter().enumerate() {
        let is_source = sources
            .iter()
            .any(|one| one.process_type == number && one.parameter.is_none());
        if flow.asks[number] && !is_source {
            flow.kinds
                .mark(node, "the number of a process that is not like others");
        }
    }
}

fn group(
    program: &Program,
    flow: &Flow<'_>,
    channels: &[Family],
    source: &Source,
    class: Node,
) -> Result<Group, Unsupported> {
    if let Some(unsupported) = flow.kinds.refused(class) {
        return Err(unsupported);
    }
    let is_own = |node: Node| flow.kinds.class(node) == class;
    let families = &flow.storage.families;
    let cells: Vec<Family> = families
        .iter()
        .filter(|family| is_own(family.content))
        .cloned()
        .collect();
    let fields = flow.all_fields();
    let own_fields = fields.iter().filter(|(node, _)| is_own(*node));
    let mut all = cells
        .iter()
        .map(|family| family.kind)
        .chain(own_fields.map(|(_, kind)| *kind));
    let kind = all.next();
    if all.any(|other| Some(other) != kind) {
        return Err(Unsupported("identities in variables of several types"));
    }
    let mut greatest = kind.map_or(255, most);
    let mut arrays = Vec::new();
    let mut of_channels = Vec::new();
    for family in families {
        let which: Vec<bool> = family
            .dimensions
            .iter()
            .map(|one| is_own(one.node))
            .collect();
        if !which.contains(&true) {
            continue;
        }
        for (dimension, _) in family
            .dimensions
            .iter()
            .zip(&which)
            .filter(|(_, own)| **own)
        {
            greatest = greatest.min(dimension.length as i32 - 1);
        }
        match channels.contains(family) {
            true => of_channels.push(family.clone()),
            false => arrays.push((family.clone(), which)),
        }
    }
    let fields = program.channel_types.iter().zip(&flow.fields);
    let fields = fields.map(|(described, first)| {
        let all = 0..described.fields.len() as u32;
        all.filter(|position| is_own(first + position)).collect()
    });
    Ok(Group {
        sources: vec![source.clone()],
        kind,
        greatest,
        fixed: flow.kinds.fixed(class, kind),
        cells,
        arrays,
        channels: of_channels,
        fields: fields.collect(),
    })
}

/// The greatest value of a kind that is the same when it is read again, as far as identities go.
fn most(kind: Kind) -> i32 {
    match kind {
        Kind::Bit => 1,
        Kind::Unsigned(bits) if bits < 8 => (1 << bits) - 1,
        _ => 255,
    }
}
