//! What a generated model may contain.

use std::fmt;

use crate::random::Random;

/// A part of Promela that can be switched on and off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Feature {
    Arrays,
    /// Indices that may be out of range. Off unless asked for: pan goes on and reads whatever lies behind the array.
    OutOfRange,
    Structures,
    Mtypes,
    Unsigned,
    /// Arithmetic that wraps around in byte, short and unsigned variables.
    Wrap,
    Buffered,
    Rendezvous,
    ChannelArrays,
    ChannelParameters,
    LocalChannels,
    /// Channels sent through channels.
    ChannelMessages,
    Sorted,
    RandomReceive,
    Copy,
    Polls,
    Probes,
    Evaluate,
    Goto,
    EndLabels,
    Atomic,
    DeterministicStep,
    Unless,
    Timeout,
    For,
    Select,
    Assertions,
    Conditional,
    /// Processes started by `run`, with parameters.
    Run,
    RemoteVariables,
    RemoteLabels,
    ProcessCount,
    /// `_last`
    Last,
    Provided,
    /// `enabled(pid)`; such a model has no rendezvous. Off unless asked for: for an `else` of the other process, pan looks
    /// at what the asking process could do.
    Enabled,
    /// `pc_value(pid)`. Off unless asked for: its value is SPIN's own numbering of states.
    PcValue,
    /// Off unless asked for; such a model has no rendezvous.
    Priorities,
    Print,
    Inlines,
    Macros,
    /// Declarations in the middle of a body and in inner blocks.
    InnerDeclarations,
    Hidden,
    Blocks,
    /// Receives into variables narrower than the field. Off unless asked for: when pan takes such a step back, it puts the
    /// cut value back into the channel.
    Narrowing,
    /// Division by what may be zero. Off unless asked for: it ends pan.
    Division,
}

impl Feature {
    pub const ALL: &[(Feature, &str)] = &[
        (Feature::Arrays, "arrays"),
        (Feature::OutOfRange, "out-of-range"),
        (Feature::Structures, "structures"),
        (Feature::Mtypes, "mtypes"),
        (Feature::Unsigned, "unsigned"),
        (Feature::Wrap, "wrap"),
        (Feature::Buffered, "buffered"),
        (Feature::Rendezvous, "rendezvous"),
        (Feature::ChannelArrays, "channel-arrays"),
        (Feature::ChannelParameters, "channel-parameters"),
        (Feature::LocalChannels, "local-channels"),
        (Feature::ChannelMessages, "channel-messages"),
        (Feature::Sorted, "sorted"),
        (Feature::RandomReceive, "random-receive"),
        (Feature::Copy, "copy"),
        (Feature::Polls, "polls"),
        (Feature::Probes, "probes"),
        (Feature::Evaluate, "evaluate"),
        (Feature::Goto, "goto"),
        (Feature::EndLabels, "end-labels"),
        (Feature::Atomic, "atomic"),
        (Feature::DeterministicStep, "d-step"),
        (Feature::Unless, "unless"),
        (Feature::Timeout, "timeout"),
        (Feature::For, "for"),
        (Feature::Select, "select"),
        (Feature::Assertions, "assertions"),
        (Feature::Conditional, "conditional"),
        (Feature::Run, "run"),
        (Feature::RemoteVariables, "remote-variables"),
        (Feature::RemoteLabels, "remote-labels"),
        (Feature::ProcessCount, "process-count"),
        (Feature::Last, "last"),
        (Feature::Provided, "provided"),
        (Feature::Enabled, "enabled"),
        (Feature::PcValue, "pc-value"),
        (Feature::Priorities, "priorities"),
        (Feature::Print, "print"),
        (Feature::Inlines, "inlines"),
        (Feature::Macros, "macros"),
        (Feature::InnerDeclarations, "inner-declarations"),
        (Feature::Hidden, "hidden"),
        (Feature::Blocks, "blocks"),
        (Feature::Narrowing, "narrowing"),
        (Feature::Division, "division"),
    ];

    const OFF_UNLESS_ASKED: &[Feature] = &[
        Feature::OutOfRange,
        Feature::PcValue,
        Feature::Priorities,
        Feature::Narrowing,
        Feature::Enabled,
        Feature::Division,
    ];

    /// Features that make a model odd as a whole; each is drawn for few models.
    const RARE: &[Feature] = &[Feature::Last, Feature::Provided, Feature::Enabled];

    pub fn from_name(name: &str) -> Option<Feature> {
        Feature::ALL
            .iter()
            .find(|(_, known)| *known == name)
            .map(|&(feature, _)| feature)
    }
}

/// A set of features.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Features(u64);

impl Default for Features {
    fn default() -> Features {
        let mut all = Features::none();
        for &(feature, _) in Feature::ALL {
            all.set(feature, !Feature::OFF_UNLESS_ASKED.contains(&feature));
        }
        all
    }
}

impl Features {
    pub const fn none() -> Features {
        Features(0)
    }

    pub fn has(self, feature: Feature) -> bool {
        self.0 & (1 << feature as u32) != 0
    }

    pub fn set(&mut self, feature: Feature, on: bool) {
        let bit = 1 << feature as u32;
        self.0 = if on { self.0 | bit } else { self.0 & !bit };
    }

    pub fn with(mut self, feature: Feature) -> Features {
        self.set(feature, true);
        self
    }

    pub fn without(mut self, feature: Feature) -> Features {
        self.set(feature, false);
        self
    }

    /// The features of one model: a random part of those allowed.
    ///
    /// Models that use everything at once resemble one another; leaving features out makes the others meet more often
    /// (Groce et al., "Swarm testing", ISSTA 2012).
    pub fn draw(self, random: &mut Random) -> Features {
        let mut drawn = Features::none();
        for &(feature, _) in Feature::ALL {
            let percent = if Feature::RARE.contains(&feature) {
                8
            } else {
                60
            };
            // The number is drawn for every feature, so that switching one off leaves the others as they are.
            let lucky = random.chance(percent);
            drawn.set(feature, lucky && self.has(feature));
        }
        // pan has neither `enabled` nor priorities in a model with rendezvous channels.
        if drawn.has(Feature::Enabled) || drawn.has(Feature::Priorities) {
            drawn.set(Feature::Rendezvous, false);
        }
        drawn
    }

    /// Reads a comma-separated list of names.
    pub fn parse(names: &str) -> Result<Vec<Feature>, String> {
        let known = || {
            Feature::ALL
                .iter()
                .map(|(_, name)| *name)
                .collect::<Vec<_>>()
                .join(", ")
        };
        names
            .split(',')
            .map(|name| {
                Feature::from_name(name.trim())
                    .ok_or_else(|| format!("no feature `{name}`; there are: {}", known()))
            })
            .collect()
    }
}

impl fmt::Display for Features {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let names: Vec<&str> = Feature::ALL
            .iter()
            .filter(|(feature, _)| self.has(*feature))
            .map(|(_, name)| *name)
            .collect();
        f.write_str(&names.join(","))
    }
}
