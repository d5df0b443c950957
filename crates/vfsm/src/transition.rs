//! One transition of one machine: everything from a received event until no state transition is
//! possible any more (section III.A of the paper).
//!
//! What a machine does depends on its state, its register, the event, and the alternatives that
//! the mappings leave open; on nothing else, because a send never waits. So all ways that a
//! transition may go can be listed once and for all, and that is done here: [`ways`] runs the
//! machine again and again, each time with the next combination of choices.
//!
//! What the paper leaves open is decided so (the book says why):
//!
//! 1. The mapping of the event changes the register.
//! 2. In the present state, the input actions are looked at in the order in which they stand; the
//!    outputs of each whose condition holds are made. Then the first next-state condition that
//!    holds is taken: exit outputs, new state, entry outputs; and all of 2 again.
//! 3. If none holds, the transition is over. Inputs inserted by `*` are deleted.
//!
//! A feedback event changes the register at once, in the middle of the outputs, and so does `clear`. If state and
//! register at the beginning of 2 were there before in the same transition, it need never end.

use mazurka_span::Span;

use crate::network::{InputAlternative, Network, Operation, OutputAlternative, Register, Type};

/// A state and a register.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Configuration {
    pub state: usize,
    pub register: Register,
}

/// What sets a transition off.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Trigger {
    /// An event from a queue.
    Event(usize),
    /// A free machine acts of its own accord.
    Free,
}

/// One way that a transition may go.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Way {
    /// What others can see, in order.
    pub effects: Vec<Effect>,
    pub ending: Ending,
    /// Did the event come where nothing is said about it?
    pub unexpected: bool,
    /// Everything that happened, for people.
    pub story: Vec<String>,
    /// The parts of the specification that had a hand in it.
    pub parts: Vec<Part>,
    /// The place in the source that tells most about it.
    pub span: Span,
    /// How likely it is, against other ways.
    pub weight: u64,
    /// What was chosen of the alternatives met, in this order.
    pub choices: Vec<u32>,
    /// How often the specification was executed: once, and once more after each change of state.
    pub rounds: usize,
}

/// What a transition does to queues and timers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Effect {
    /// Sends an event, by its number in the type of the receiver.
    Send {
        to: usize,
        event: usize,
    },
    Start(usize),
    Stop(usize),
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Ending {
    Settled(Configuration),
    /// It comes to this configuration again and again.
    Never(Configuration),
}

/// A part of the specification of a machine type that may be exercised.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum Part {
    /// State.
    State(usize),
    /// State, input action.
    Action(usize, usize),
    /// State, next-state transition.
    Next(usize, usize),
    /// Event, alternative.
    Event(usize, usize),
    /// Spontaneous mapping, alternative.
    Spontaneous(usize, usize),
    /// Output, alternative.
    Output(usize, usize),
}

/// More different ways than this are not listed.
const MOST_WAYS: usize = 1 << 12;
/// Nor are more combinations of choices tried.
const MOST_RUNS: usize = 1 << 16;

/// Weights are added up by whoever uses them.
const GREATEST_WEIGHT: u64 = 1_000_000_000_000;

/// There are too many ways to list them.
pub(crate) struct TooManyWays;

/// All ways that a transition of a machine may go. Ways that nobody can tell apart are one.
pub(crate) fn ways(
    network: &Network,
    machine: usize,
    from: Configuration,
    trigger: Trigger,
) -> Result<Vec<Way>, TooManyWays> {
    let mut ways: Vec<Way> = Vec::new();
    let mut choices = Choices::default();
    for _ in 0..MOST_RUNS {
        let mut way = Run::new(network, machine, from, &mut choices).transition(trigger);
        way.choices = choices.made();
        let same = ways.iter().position(|known| {
            (&known.effects, known.ending, known.unexpected)
                == (&way.effects, way.ending, way.unexpected)
        });
        match same {
            Some(known) => {
                let known = &mut ways[known];
                known.parts.extend(way.parts);
                known.parts.sort_unstable();
                known.parts.dedup();
                known.weight = (known.weight + way.weight).min(GREATEST_WEIGHT);
                known.rounds = known.rounds.max(way.rounds);
            }
            None if ways.len() == MOST_WAYS => return Err(TooManyWays),
            None => ways.push(way),
        }
        if !choices.next() {
            return Ok(ways);
        }
    }
    Err(TooManyWays)
}

/// The choices of a run, as an odometer: each is replayed until the last that can be different.
#[derive(Default)]
struct Choices {
    /// What was chosen, out of how many.
    made: Vec<(usize, usize)>,
    at: usize,
}

impl Choices {
    fn choose(&mut self, of: usize) -> usize {
        if self.at == self.made.len() {
            self.made.push((0, of));
        }
        self.at += 1;
        self.made[self.at - 1].0
    }

    /// What was chosen where there was a choice.
    fn made(&self) -> Vec<u32> {
        let open = self.made.iter().filter(|(_, of)| *of > 1);
        open.map(|(chosen, _)| *chosen as u32).collect()
    }

    /// The next combination, if there is one.
    fn next(&mut self) -> bool {
        self.at = 0;
        while let Some((chosen, of)) = self.made.pop() {
            if chosen + 1 < of {
                self.made.push((chosen + 1, of));
                return true;
            }
        }
        false
    }
}

/// A transition under way.
struct Run<'n, 'c> {
    network: &'n Network,
    machine: usize,
    machine_type: &'n Type,
    choices: &'c mut Choices,
    state: usize,
    register: Register,
    pulses: Register,
    way: Way,
    /// How much the place in [`Way::span`] tells.
    telling: u8,
}

impl<'n, 'c> Run<'n, 'c> {
    fn new(
        network: &'n Network,
        machine: usize,
        from: Configuration,
        choices: &'c mut Choices,
    ) -> Self {
        let machine_type = network.type_of(machine);
        Run {
            network,
            machine,
            machine_type,
            choices,
            state: from.state,
            register: from.register,
            pulses: 0,
            way: Way {
                effects: Vec::new(),
                ending: Ending::Settled(from),
                unexpected: false,
                story: Vec::new(),
                parts: vec![Part::State(from.state)],
                span: machine_type.states[from.state].span,
                weight: 1,
                choices: Vec::new(),
                rounds: 0,
            },
            telling: 0,
        }
    }

    fn transition(mut self, trigger: Trigger) -> Way {
        match trigger {
            Trigger::Event(event) => self.receive(event),
            Trigger::Free => self.act(),
        }
        self.settle();
        self.way
    }

    /// The input mapper handles the event of a message.
    fn receive(&mut self, event: usize) {
        let described = &self.machine_type.events[event];
        let chosen = self.choices.choose(described.alternatives.len());
        let alternative = &described.alternatives[chosen];
        let state = &self.machine_type.states[self.state];
        let touched = alternative.touches();
        self.way.unexpected =
            touched != 0 && touched & state.mentions == 0 && !described.tolerated[self.state];
        self.way.parts.push(Part::Event(event, chosen));
        self.map(alternative);
    }

    /// A free machine gives itself an input, by one of the mappings that hold in its state.
    fn act(&mut self) {
        let state = self.state;
        let mappings = self.machine_type.spontaneous.iter().enumerate();
        let possible: Vec<(usize, usize)> = mappings
            .filter(|(_, mapping)| mapping.states[state])
            .flat_map(|(number, mapping)| {
                (0..mapping.alternatives.len()).map(move |alternative| (number, alternative))
            })
            .collect();
        let (number, chosen) = possible[self.choices.choose(possible.len())];
        self.way.parts.push(Part::Spontaneous(number, chosen));
        self.map(&self.machine_type.spontaneous[number].alternatives[chosen]);
    }

    /// An alternative of an input mapping changes the register.
    fn map(&mut self, alternative: &InputAlternative) {
        let (inserted, pulsed) = (alternative.insert, alternative.pulse);
        self.register = (self.register & !alternative.delete) | inserted | pulsed;
        self.pulses = (self.pulses & !(alternative.delete | inserted)) | pulsed;
        for (input, name) in self.machine_type.inputs.iter().enumerate() {
            for (sign, set) in [('+', inserted), ('-', alternative.delete), ('*', pulsed)] {
                if set >> input & 1 != 0 {
                    self.way.story.push(format!("{sign}{name}"));
                }
            }
        }
        self.point(alternative.span, 1);
        self.weigh(alternative.span);
    }

    /// Executes the specification until no state transition is possible.
    fn settle(&mut self) {
        let mut seen: Vec<Configuration> = Vec::new();
        loop {
            let now = Configuration {
                state: self.state,
                register: self.register,
            };
            if seen.contains(&now) {
                self.way.ending = Ending::Never(now);
                return;
            }
            seen.push(now);
            self.way.rounds = seen.len();
            self.input_actions();
            if !self.next_state() {
                self.way.ending = Ending::Settled(Configuration {
                    state: self.state,
                    register: self.register & !self.pulses,
                });
                return;
            }
        }
    }

    fn input_actions(&mut self) {
        let state = &self.machine_type.states[self.state];
        for (number, action) in state.actions.iter().enumerate() {
            if action.condition.holds(self.register) {
                self.way.parts.push(Part::Action(self.state, number));
                self.point(action.span, 2);
                self.outputs(&action.outputs);
            }
        }
    }

    /// Takes the first state transition that is possible.
    fn next_state(&mut self) -> bool {
        let state = &self.machine_type.states[self.state];
        let possible = state
            .next
            .iter()
            .position(|next| next.condition.holds(self.register));
        let Some(number) = possible else {
            return false;
        };
        let next = &state.next[number];
        self.way.parts.push(Part::Next(self.state, number));
        self.point(next.span, 3);
        self.weigh(next.span);
        self.outputs(&state.exit);
        self.state = next.target;
        let entered = &self.machine_type.states[self.state];
        self.way.parts.push(Part::State(self.state));
        self.way.story.push(format!("> {}", entered.name));
        self.outputs(&entered.entry);
        true
    }

    fn outputs(&mut self, outputs: &[usize]) {
        for output in outputs {
            let described = &self.machine_type.outputs[*output];
            let chosen = self.choices.choose(described.alternatives.len());
            self.way.parts.push(Part::Output(*output, chosen));
            let alternative = &described.alternatives[chosen];
            self.way.story.push(match described.alternatives.len() {
                1 => described.name.clone(),
                _ => format!("{} ({})", described.name, self.told(alternative)),
            });
            if let Some(span) = alternative.span {
                self.weigh(span);
            }
            for operation in &alternative.operations {
                self.operate(operation);
            }
        }
    }

    /// What an alternative does, as it is written.
    fn told(&self, alternative: &OutputAlternative) -> String {
        let machine_type = self.machine_type;
        let told = alternative.operations.iter().map(|operation| {
            let (word, name) = match operation {
                Operation::Start(timer) => ("start", &machine_type.timers[*timer].name),
                Operation::Stop(timer) => ("stop", &machine_type.timers[*timer].name),
                Operation::Feedback(event) => ("feedback", &machine_type.events[*event].name),
                Operation::Clear(input) => ("clear", &machine_type.inputs[*input as usize]),
                Operation::Send { role, event } => {
                    return format!("send {event} to {}", machine_type.roles[*role].name);
                }
            };
            format!("{word} {name}")
        });
        match alternative.operations.len() {
            0 => "nothing".into(),
            _ => told.collect::<Vec<_>>().join(", "),
        }
    }

    fn operate(&mut self, operation: &Operation) {
        match operation {
            Operation::Start(timer) => self.way.effects.push(Effect::Start(*timer)),
            Operation::Stop(timer) => self.way.effects.push(Effect::Stop(*timer)),
            Operation::Send { role, event } => {
                let to = self.network.machines[self.machine].partners[*role];
                let events = &self.network.type_of(to).events;
                if let Some(event) = events.iter().position(|known| known.name == *event) {
                    self.way.effects.push(Effect::Send { to, event });
                }
            }
            Operation::Feedback(event) => {
                let described = &self.machine_type.events[*event];
                let chosen = self.choices.choose(described.alternatives.len());
                self.way.parts.push(Part::Event(*event, chosen));
                self.way.story.push(format!("feedback {}", described.name));
                self.map(&described.alternatives[chosen]);
            }
            Operation::Clear(input) => {
                self.register &= !(1 << input);
                self.pulses &= !(1 << input);
                let name = &self.machine_type.inputs[*input as usize];
                self.way.story.push(format!("-{name}"));
            }
        }
    }

    fn weigh(&mut self, span: Span) {
        let weight = self.network.weight(span.start);
        self.way.weight = self.way.weight.saturating_mul(weight).min(GREATEST_WEIGHT);
    }

    fn point(&mut self, span: Span, telling: u8) {
        if telling > self.telling {
            (self.way.span, self.telling) = (span, telling);
        }
    }
}
