//! The parts of a system, each explored with its ports open.
//!
//! The state of a part is its slice of a state of the system. What the part does is what the interpreter does in a state that has this slice, where
//! nobody else ever moves and all other ports are empty. A step that puts messages into ports of other parts is an *offer* to them. What
//! it does there depends on nothing but how many messages these ports hold, so it is tried for each such number, and two steps that
//! always do the same are one label. Whoever owns such a port takes part in the label: in each of its states it says what comes of it.
//!
//! Which messages can come is not known beforehand. What a part offers is noted, and all parts are explored further until nothing new is
//! offered: a part meets whatever the others may do alone, which is at least what they do together.

use std::collections::HashMap;

use mazurka_model::{Interpreter, Step};

use crate::compose::Trouble;
use crate::lts::{ERROR, FINAL, Lts, QUIET, TAU};
use crate::parts::Part;

/// The effects of a step on other ports are tried for at most this many combinations of fill levels.
const MOST_LEVELS: usize = 4096;
/// Up to this capacity a port is tried with every number of messages, and beyond it with those that make a difference.
const SMALL: u32 = 8;

/// What the steps of parts are called.
pub(crate) struct Labels {
    pub entries: Vec<Label>,
    shown: HashMap<String, u32>,
    offers: HashMap<Vec<u8>, u32>,
}

pub(crate) struct Label {
    /// The parts that take part in it, a bit for each. None if it is hidden or only shown.
    pub members: u64,
    /// What it is once all of them are put together.
    pub finally: u32,
    /// What is shown.
    pub name: String,
    /// A step that has this effect, and in which part and state of it.
    offer: Option<(usize, Vec<u8>, Step)>,
}

/// A part, explored.
#[derive(Default)]
pub(crate) struct OpenPart {
    pub slices: Vec<Vec<u8>>,
    numbers: HashMap<Vec<u8>, u32>,
    edges: Vec<Vec<(u32, u32, Option<Step>)>>,
    /// How many of its inputs each state has been given.
    given: Vec<Option<usize>>,
    /// What others offer it.
    inputs: Vec<u32>,
}

/// A step of a part: its label, the state it leads to (none is the error), and which it is.
type OwnStep = (u32, Option<Vec<u8>>, Step);

/// What a step comes to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Effect {
    Impossible,
    Fails,
    Leads,
}

pub(crate) struct Explorer<'i> {
    interpreter: &'i Interpreter,
    parts: &'i [Part],
    /// The initial state.
    initial: Vec<u8>,
    /// Whose steps are shown.
    visible: Vec<bool>,
    limit: usize,
    pub labels: Labels,
    pub open: Vec<OpenPart>,
    steps: Vec<Step>,
    message: Vec<i32>,
}

impl Labels {
    /// The label under which a step is shown.
    pub fn shown(&mut self, name: String) -> u32 {
        if let Some(known) = self.shown.get(&name) {
            return *known;
        }
        let number = self.entries.len() as u32;
        self.shown.insert(name.clone(), number);
        self.entries.push(Label {
            members: 0,
            finally: number,
            name,
            offer: None,
        });
        number
    }
}

impl<'i> Explorer<'i> {
    pub fn new(
        interpreter: &'i Interpreter,
        parts: &'i [Part],
        initial: Vec<u8>,
        visible: Vec<bool>,
        limit: usize,
    ) -> Explorer<'i> {
        let hidden = Label {
            members: 0,
            finally: TAU,
            name: String::new(),
            offer: None,
        };
        Explorer {
            interpreter,
            parts,
            initial,
            visible,
            limit,
            labels: Labels {
                entries: vec![hidden],
                shown: HashMap::new(),
                offers: HashMap::new(),
            },
            open: Vec::new(),
            steps: Vec::new(),
            message: Vec::new(),
        }
    }

    /// Explores all parts until nothing new is offered.
    pub fn explore(&mut self) -> Result<(), Trouble> {
        for part in self.parts {
            let mut open = OpenPart::default();
            // The error.
            open.add(Vec::new());
            open.add(part.slice(&self.initial));
            self.open.push(open);
        }
        loop {
            let mut is_done = true;
            for part in 0..self.parts.len() {
                let mut state = 1;
                while state < self.open[part].slices.len() {
                    is_done &= !self.explore_state(part, state)?;
                    state += 1;
                }
            }
            if is_done {
                return Ok(());
            }
        }
    }

    /// Gives a state what it has not been given yet. Was there anything?
    fn explore_state(&mut self, part: usize, state: usize) -> Result<bool, Trouble> {
        let given = self.open[part].given[state];
        if given == Some(self.open[part].inputs.len()) {
            return Ok(false);
        }
        let slice = self.open[part].slices[state].clone();
        if given.is_none() {
            for (label, to, step) in self.own_steps(part, &slice)? {
                let to = self.open[part].number(to);
                self.open[part].edges[state].push((label, to, Some(step)));
            }
        }
        let first = given.unwrap_or(0);
        let inputs = self.open[part].inputs[first..].to_vec();
        self.open[part].given[state] = Some(first + inputs.len());
        for label in inputs {
            if let Some(to) = self.input(part, &slice, label) {
                let to = self.open[part].number(to);
                self.open[part].edges[state].push((label, to, None));
            }
        }
        // The first is the error, which is no state of the part.
        if self.open[part].slices.len() - 1 > self.limit {
            let name = self.parts[part].name.clone();
            return Err(Trouble::Limit(format!("part {name} alone")));
        }
        Ok(true)
    }

    /// The state of the system in which only this part differs from the beginning.
    fn around(&self, part: usize, slice: &[u8]) -> Vec<u8> {
        let mut state = self.initial.clone();
        self.parts[part].put(slice, &mut state);
        state
    }

    /// Carries out a transition of a process, as far as it goes.
    fn carry_out(&mut self, state: &[u8], step: Step, next: &mut Vec<u8>) -> Effect {
        self.steps.clear();
        self.interpreter.enabled(state, &mut self.steps);
        let same = |one: &&Step| one.process == step.process && one.transition == step.transition;
        let Some(step) = self.steps.iter().find(same).copied() else {
            next.clear();
            next.extend_from_slice(state);
            return Effect::Impossible;
        };
        let outcome = self
            .interpreter
            .execute(state, step, next, &mut self.message, &mut ());
        match outcome.complete && outcome.failure.is_none() {
            true => Effect::Leads,
            false => Effect::Fails,
        }
    }

    /// What a part does by itself in a state.
    fn own_steps(&mut self, part: usize, slice: &[u8]) -> Result<Vec<OwnStep>, Trouble> {
        let state = self.around(part, slice);
        let mut steps = Vec::new();
        self.interpreter.enabled(&state, &mut steps);
        let parts = self.parts;
        steps.retain(|step| parts[part].processes.contains(&(step.process as usize)));
        let mut found = Vec::new();
        for step in steps {
            let mut next = Vec::new();
            let effect = self.carry_out(&state, step, &mut next);
            let to = (effect == Effect::Leads).then(|| parts[part].slice(&next));
            let touched = self.touched(part, &state, step, (effect, &next));
            let shown = match self.visible[step.process as usize] {
                true => self.labels.shown(name_of(self.interpreter, step)),
                false => TAU,
            };
            let label = match touched.is_empty() {
                true => shown,
                false => self.offer(part, slice, step, &touched, shown)?,
            };
            found.push((label, to, step));
        }
        Ok(found)
    }

    /// The ports of others that a step of a part puts messages into, or that it looks for room in.
    fn touched(
        &mut self,
        part: usize,
        state: &[u8],
        step: Step,
        (effect, next): (Effect, &[u8]),
    ) -> Vec<usize> {
        let parts = self.parts;
        let own = parts[part].slice(next);
        let others: Vec<usize> = (0..self.channels())
            .filter(|channel| !parts[part].channels.contains(channel))
            .collect();
        let mut touched: Vec<usize> = Vec::new();
        let mut after = Vec::new();
        // Which ports it fills, if those are full that it filled before.
        let mut filled = next.to_vec();
        loop {
            let has_more = |channel: &&usize| {
                !touched.contains(*channel) && self.length(&filled, **channel) > 0
            };
            let more: Vec<usize> = others.iter().filter(has_more).copied().collect();
            if more.is_empty() {
                break;
            }
            touched.extend(more);
            let full = self.with_levels(state, touched.iter().map(|c| (*c, self.capacity(*c))));
            self.carry_out(&full, step, &mut after);
            std::mem::swap(&mut filled, &mut after);
        }
        // Those where it makes a difference that they are full, one or several together: the places of a port that reorders.
        let mut differs = |full: &[usize]| {
            let full = self.with_levels(state, full.iter().map(|c| (*c, self.capacity(*c))));
            let now = self.carry_out(&full, step, &mut after);
            now != effect || parts[part].slice(&after) != own
        };
        loop {
            let is_new = |channel: &&usize| !touched.contains(*channel);
            let mut together: Vec<usize> = others.iter().filter(is_new).copied().collect();
            if together.is_empty() || !differs(&together) {
                break;
            }
            // As few of them as do.
            let mut position = 0;
            while position < together.len() {
                let one = together.remove(position);
                if !differs(&together) {
                    together.insert(position, one);
                    position += 1;
                }
            }
            touched.extend(together);
        }
        touched.sort_unstable();
        touched
    }

    /// The label of a step that puts messages into ports of others: what it does for each number of messages that these hold.
    fn offer(
        &mut self,
        part: usize,
        slice: &[u8],
        step: Step,
        touched: &[usize],
        shown: u32,
    ) -> Result<u32, Trouble> {
        let state = self.around(part, slice);
        let mut next = Vec::new();
        self.carry_out(&state, step, &mut next);
        let levels = touched
            .iter()
            .map(|c| self.levels(*c, self.length(&next, *c)));
        let levels: Vec<Vec<u32>> = levels.collect();
        let combinations: usize = levels.iter().map(Vec::len).product();
        if combinations > MOST_LEVELS {
            let message = format!(
                "a step of {} depends on too many ports of others: put it into one part with them",
                self.parts[part].name
            );
            return Err(Trouble::Refused(message));
        }
        let mut effects = Vec::with_capacity(combinations);
        let mut own: Option<Vec<u8>> = None;
        for number in 0..combinations {
            let filled = self.with_levels(&state, chosen(touched, &levels, number));
            let effect = self.carry_out(&filled, step, &mut next);
            let mut contents = Vec::new();
            if effect == Effect::Leads {
                let slice = self.parts[part].slice(&next);
                if own.get_or_insert_with(|| slice.clone()) != &slice {
                    return Err(self.not_understood(part));
                }
                contents.extend(touched.iter().map(|c| next[self.bytes(*c)].to_vec()));
            }
            effects.push((effect, contents));
        }
        // What is possible where all is empty is what may be possible elsewhere.
        if effects[0].0 != Effect::Leads && own.is_some() || effects[0].0 == Effect::Impossible {
            return Err(self.not_understood(part));
        }
        let owner = |channel: usize| {
            let mut parts = self.parts.iter();
            parts.position(|part| part.channels.contains(&channel))
        };
        let owners: Vec<usize> = touched.iter().filter_map(|c| owner(*c)).collect();
        if !is_by_parts(&levels, &owners, &effects) {
            return Err(self.not_understood(part));
        }
        let mut signature = Vec::new();
        signature.extend(shown.to_le_bytes());
        signature.extend((part as u32).to_le_bytes());
        for channel in touched {
            signature.extend((*channel as u32).to_le_bytes());
        }
        signature.extend(u32::MAX.to_le_bytes());
        for (effect, contents) in &effects {
            signature.push(*effect as u8);
            signature.extend(contents.iter().flatten());
        }
        if let Some(known) = self.labels.offers.get(&signature) {
            return Ok(*known);
        }
        let members = owners.iter().fold(1 << part, |all, owner| all | 1 << owner);
        let number = self.labels.entries.len() as u32;
        self.labels.offers.insert(signature, number);
        self.labels.entries.push(Label {
            members,
            finally: shown,
            name: String::new(),
            offer: Some((part, slice.to_vec(), step)),
        });
        for (other, open) in self.open.iter_mut().enumerate() {
            if other != part && members >> other & 1 != 0 {
                open.inputs.push(number);
            }
        }
        Ok(number)
    }

    fn not_understood(&self, part: usize) -> Trouble {
        let name = &self.parts[part].name;
        Trouble::Refused(format!(
            "what a step of {name} does with ports of others is not understood: put it into one part with them"
        ))
    }

    /// What comes of an offer in a state of a part: none if it is not possible, and otherwise the next state, or none where something goes wrong.
    fn input(&mut self, part: usize, slice: &[u8], label: u32) -> Option<Option<Vec<u8>>> {
        let (from, sender, step) = self.labels.entries[label as usize].offer.clone()?;
        let mut state = self.around(from, &sender);
        self.parts[part].put(slice, &mut state);
        let mut next = Vec::new();
        match self.carry_out(&state, step, &mut next) {
            Effect::Impossible => None,
            Effect::Fails => Some(None),
            Effect::Leads => Some(Some(self.parts[part].slice(&next))),
        }
    }

    /// The graph of a part, and the step of each of its edges that is its own.
    pub fn graph(&self, part: usize) -> (Lts, Vec<Vec<Option<Step>>>) {
        let open = &self.open[part];
        let mut lts = Lts {
            initial: 1,
            ..Lts::default()
        };
        let mut steps = Vec::new();
        for (number, slice) in open.slices.iter().enumerate() {
            let mut edges = open.edges[number].clone();
            edges.sort_unstable_by_key(|(label, to, _)| (*label, *to));
            edges.dedup_by_key(|(label, to, _)| (*label, *to));
            lts.edges
                .push(edges.iter().map(|(label, to, _)| (*label, *to)).collect());
            steps.push(edges.iter().map(|(.., step)| *step).collect());
            lts.flags.push(match number as u32 {
                ERROR => 0,
                _ => flags_of(
                    self.interpreter,
                    &self.parts[part],
                    &self.around(part, slice),
                ),
            });
        }
        lts.forget_flags();
        (lts, steps)
    }

    fn channels(&self) -> usize {
        self.interpreter.shape(&self.initial).channels.len()
    }

    fn length(&self, state: &[u8], channel: usize) -> u32 {
        let length = self.interpreter.length(state, channel as i32 + 1);
        length.unwrap_or(0)
    }

    fn capacity(&self, channel: usize) -> u32 {
        let entry = self.interpreter.shape(&self.initial).channels[channel];
        self.interpreter.program().channel_types[entry.channel_type.index()].capacity
    }

    /// Where a channel is in a state.
    fn bytes(&self, channel: usize) -> std::ops::Range<usize> {
        let entry = self.interpreter.shape(&self.initial).channels[channel];
        let described = &self.interpreter.program().channel_types[entry.channel_type.index()];
        entry.offset as usize..(entry.offset + described.bytes()) as usize
    }

    /// How many messages a port is tried with where a step puts `sent` of them into it when it is empty. A step looks for room for what it sends and for
    /// no more, so a port that has room for all of it and more is like an empty one.
    fn levels(&self, channel: usize, sent: u32) -> Vec<u32> {
        let capacity = self.capacity(channel);
        (0..=capacity)
            .filter(|level| {
                capacity <= SMALL || *level == 0 || capacity - level <= SMALL.max(sent + 1)
            })
            .collect()
    }

    /// The state with these numbers of messages in these channels, whatever they are.
    fn with_levels(&self, state: &[u8], levels: impl IntoIterator<Item = (usize, u32)>) -> Vec<u8> {
        let mut state = state.to_vec();
        for (channel, level) in levels {
            let entry = self.interpreter.shape(&self.initial).channels[channel];
            let described = &self.interpreter.program().channel_types[entry.channel_type.index()];
            let kind = described.length_kind();
            kind.write(&mut state, entry.offset as usize, level as i32);
        }
        state
    }
}

impl OpenPart {
    fn add(&mut self, slice: Vec<u8>) -> u32 {
        let number = self.slices.len() as u32;
        self.numbers.insert(slice.clone(), number);
        self.slices.push(slice);
        self.edges.push(Vec::new());
        self.given.push(None);
        number
    }

    /// The number of a state, which may be new, or of the error.
    fn number(&mut self, slice: Option<Vec<u8>>) -> u32 {
        let Some(slice) = slice else { return ERROR };
        match self.numbers.get(&slice) {
            Some(known) => *known,
            None => self.add(slice),
        }
    }
}

/// What a step is called where it is shown.
pub(crate) fn name_of(interpreter: &Interpreter, step: Step) -> String {
    let program = interpreter.program();
    let statement = program.transitions[step.transition.index()].statement;
    let text = &program.statements[statement.index()].text;
    format!("{}: {text}", program.instances[step.process as usize])
}

/// Is every machine of a part where it may end, and is there no message in its ports?
pub(crate) fn flags_of(interpreter: &Interpreter, part: &Part, state: &[u8]) -> u8 {
    let program = interpreter.program();
    let may_end =
        |process: &usize| program.locations[interpreter.location(state, *process).index()].end;
    let is_empty = |channel: &usize| interpreter.length(state, *channel as i32 + 1) == Some(0);
    let is_final = part.processes.iter().all(may_end);
    let is_quiet = part.channels.iter().all(is_empty);
    (u8::from(is_final) * FINAL) | (u8::from(is_quiet) * QUIET)
}

/// The levels of a combination by its number; number 0 is that all are empty.
fn chosen<'l>(
    touched: &'l [usize],
    levels: &'l [Vec<u32>],
    mut number: usize,
) -> impl Iterator<Item = (usize, u32)> + 'l {
    touched.iter().zip(levels).map(move |(channel, levels)| {
        let level = levels[number % levels.len()];
        number /= levels.len();
        (*channel, level)
    })
}

/// Does a step do with the ports of several parts what it does with those of each where those of the others are empty?
fn is_by_parts(levels: &[Vec<u32>], owners: &[usize], effects: &[(Effect, Vec<Vec<u8>>)]) -> bool {
    let strides: Vec<usize> = levels
        .iter()
        .scan(1, |stride, levels| {
            let own = *stride;
            *stride *= levels.len();
            Some(own)
        })
        .collect();
    // The same combination, with the ports of all other parts empty.
    let alone = |number: usize, owner: usize| -> usize {
        let digits = levels.iter().zip(&strides).zip(owners);
        let kept = digits.filter(|(_, of)| **of == owner);
        kept.map(|((levels, stride), _)| number / stride % levels.len() * stride)
            .sum()
    };
    (0..effects.len()).all(|number| {
        let by_parts: Vec<&(Effect, Vec<Vec<u8>>)> = owners
            .iter()
            .map(|owner| &effects[alone(number, *owner)])
            .collect();
        let is_one = |effect| by_parts.iter().any(|(one, _)| *one == effect);
        let expected = match () {
            () if is_one(Effect::Impossible) => Effect::Impossible,
            () if is_one(Effect::Fails) => Effect::Fails,
            () => Effect::Leads,
        };
        let (effect, contents) = &effects[number];
        let have_same =
            |(channel, bytes): (usize, &Vec<u8>)| by_parts[channel].1.get(channel) == Some(bytes);
        *effect == expected && contents.iter().enumerate().all(have_same)
    })
}
