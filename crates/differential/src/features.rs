//! What a generated model may contain.

use std::fmt;

use crate::random::Random;

/// A part of Promela that can be switched on and off.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Feature {
    Arrays,
    /// Arrays of `bit` and `bool`, whose elements are bytes.
    BitArrays,
    /// Indices that may be out of range. Not for SPIN: pan goes on and reads whatever lies behind the array.
    OutOfRange,
    Structures,
    /// A structure in a structure, in an array there.
    NestedStructures,
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
    /// Channels assigned to variables of channels, which are then used.
    ChannelVariables,
    /// Channels in structures.
    ChannelStructures,
    /// Variables of channels that hold none at first. Not for SPIN: using them ends pan.
    UnsetChannels,
    /// Channels of processes that may have ended, in variables and messages of others. Not for SPIN: pan takes the number for
    /// that of another channel.
    DeadChannels,
    /// Whole structures as messages.
    StructureMessages,
    /// `for (x in c)` over the messages of a channel.
    ForChannel,
    Sorted,
    RandomReceive,
    Copy,
    Polls,
    Probes,
    Evaluate,
    /// `xr` and `xs`. Not for SPIN, which refuses them where two processes promise the same, or next to an `else`.
    Exclusive,
    Goto,
    EndLabels,
    ProgressLabels,
    AcceptLabels,
    /// Labels of these three kinds in the middle of atomic and d_step sequences.
    InnerLabels,
    Atomic,
    DeterministicStep,
    Unless,
    Else,
    Timeout,
    For,
    Select,
    Assertions,
    Conditional,
    /// Processes started by `run`, with parameters.
    Run,
    /// `(run p())` as a condition.
    RunCondition,
    /// A process that starts processes of its own type.
    Recursion,
    /// `D_proctype`. Not for SPIN, which does not notice every choice in it.
    DeterministicProctype,
    RemoteVariables,
    RemoteLabels,
    /// Looks into processes that may not be there. Not for SPIN, which reads what lies there.
    RemoteDead,
    ProcessCount,
    /// `_last`
    Last,
    Provided,
    /// `enabled(pid)`; such a model has no rendezvous. Not for SPIN: for an `else` of the other process, pan looks at what the
    /// asking process could do.
    Enabled,
    /// `pc_value(pid)`. Not for SPIN: its value is SPIN's own numbering of states.
    PcValue,
    /// SPIN has them only in models without rendezvous.
    Priorities,
    SetPriority,
    Print,
    Inlines,
    Macros,
    /// Declarations in the middle of a body and in inner blocks.
    InnerDeclarations,
    /// Variables that are no part of the state; they are written and never read.
    Hidden,
    /// The words `local` and `show` before a declaration.
    Visibility,
    Blocks,
    /// Receives into variables narrower than the field. Not for SPIN: when pan takes such a step back, it puts the cut value
    /// back into the channel.
    Narrowing,
    /// Division by what may be zero. Not for SPIN: it ends pan.
    Division,
    Trace,
    Notrace,
    /// Formulas of temporal logic, with a name.
    Formulas,
    /// `X` in formulas. Not for SPIN, which is usually built without it.
    Next,
    /// Hand-written never claims.
    Never,
    /// Assertions in never claims.
    ClaimAssertions,
    /// Never claims that can come to their end.
    ClaimEnds,
    /// Looks into processes in formulas and never claims.
    ClaimRemotes,
    /// Channels in formulas and never claims.
    ClaimChannels,
    /// Conditions of formulas and never claims that may have no value. Not for SPIN.
    ClaimFaults,
    /// `np_`, `timeout`, `_last`, `_nr_pr`, `enabled` and `pc_value` in formulas and never claims. Not for SPIN, where each has its own
    /// meaning there.
    ClaimSystem,
    /// Hidden variables that are read. Not for SPIN, where they do not tell states apart even then.
    HiddenReads,
    /// Loops in atomic sequences, which may never end. Not for SPIN: pan runs into its depth limit.
    AtomicLoops,
    /// Loops in d_steps, which may never end. Not for SPIN: pan does not end then.
    StepLoops,
    /// Trace assertions over two channels or more, with parts that are never reached.
    TraceChannels,
    /// Channels of one place through which a process sends to itself.
    OnePlace,
    /// Receives into elements of arrays and fields of structures.
    ReceiveParts,
    /// Receives that assign what an index in them reads. Not for SPIN, which takes the index after the assignment when it
    /// goes back.
    ReceiveIndices,
    /// Structures that are local to a process.
    LocalStructures,
    /// Looks at elements of arrays and fields of structures of other processes.
    RemoteParts,
    /// Arrays of channels that are local to a process.
    LocalChannelArrays,
    /// Writes to `_`, which nobody reads.
    Scratch,
    /// `timeout` as a part of a condition.
    TimeoutParts,
}

impl Feature {
    pub const ALL: &[(Feature, &str)] = &[
        (Feature::Arrays, "arrays"),
        (Feature::BitArrays, "bit-arrays"),
        (Feature::OutOfRange, "out-of-range"),
        (Feature::Structures, "structures"),
        (Feature::NestedStructures, "nested-structures"),
        (Feature::Mtypes, "mtypes"),
        (Feature::Unsigned, "unsigned"),
        (Feature::Wrap, "wrap"),
        (Feature::Buffered, "buffered"),
        (Feature::Rendezvous, "rendezvous"),
        (Feature::ChannelArrays, "channel-arrays"),
        (Feature::ChannelParameters, "channel-parameters"),
        (Feature::LocalChannels, "local-channels"),
        (Feature::ChannelMessages, "channel-messages"),
        (Feature::ChannelVariables, "channel-variables"),
        (Feature::ChannelStructures, "channel-structures"),
        (Feature::UnsetChannels, "unset-channels"),
        (Feature::DeadChannels, "dead-channels"),
        (Feature::StructureMessages, "structure-messages"),
        (Feature::ForChannel, "for-channel"),
        (Feature::Sorted, "sorted"),
        (Feature::RandomReceive, "random-receive"),
        (Feature::Copy, "copy"),
        (Feature::Polls, "polls"),
        (Feature::Probes, "probes"),
        (Feature::Evaluate, "evaluate"),
        (Feature::Exclusive, "exclusive"),
        (Feature::Goto, "goto"),
        (Feature::EndLabels, "end-labels"),
        (Feature::ProgressLabels, "progress-labels"),
        (Feature::AcceptLabels, "accept-labels"),
        (Feature::InnerLabels, "labels-in-sequences"),
        (Feature::Atomic, "atomic"),
        (Feature::DeterministicStep, "d-step"),
        (Feature::Unless, "unless"),
        (Feature::Else, "else"),
        (Feature::Timeout, "timeout"),
        (Feature::For, "for"),
        (Feature::Select, "select"),
        (Feature::Assertions, "assertions"),
        (Feature::Conditional, "conditional"),
        (Feature::Run, "run"),
        (Feature::RunCondition, "run-condition"),
        (Feature::Recursion, "recursion"),
        (Feature::DeterministicProctype, "d-proctype"),
        (Feature::RemoteVariables, "remote-variables"),
        (Feature::RemoteLabels, "remote-labels"),
        (Feature::RemoteDead, "remote-dead"),
        (Feature::ProcessCount, "process-count"),
        (Feature::Last, "last"),
        (Feature::Provided, "provided"),
        (Feature::Enabled, "enabled"),
        (Feature::PcValue, "pc-value"),
        (Feature::Priorities, "priorities"),
        (Feature::SetPriority, "set-priority"),
        (Feature::Print, "print"),
        (Feature::Inlines, "inlines"),
        (Feature::Macros, "macros"),
        (Feature::InnerDeclarations, "inner-declarations"),
        (Feature::Hidden, "hidden"),
        (Feature::Visibility, "local-show"),
        (Feature::Blocks, "blocks"),
        (Feature::Narrowing, "narrowing"),
        (Feature::Division, "division"),
        (Feature::Trace, "trace"),
        (Feature::Notrace, "notrace"),
        (Feature::Formulas, "ltl"),
        (Feature::Next, "next"),
        (Feature::Never, "never"),
        (Feature::ClaimAssertions, "claim-assertions"),
        (Feature::ClaimEnds, "claim-ends"),
        (Feature::ClaimRemotes, "claim-remotes"),
        (Feature::ClaimChannels, "claim-channels"),
        (Feature::ClaimFaults, "claim-faults"),
        (Feature::ClaimSystem, "claim-system"),
        (Feature::HiddenReads, "hidden-reads"),
        (Feature::AtomicLoops, "loops-in-atomic"),
        (Feature::StepLoops, "loops-in-d-step"),
        (Feature::TraceChannels, "trace-channels"),
        (Feature::OnePlace, "one-place"),
        (Feature::ReceiveParts, "receive-parts"),
        (Feature::ReceiveIndices, "receive-indices"),
        (Feature::LocalStructures, "local-structures"),
        (Feature::RemoteParts, "remote-parts"),
        (Feature::LocalChannelArrays, "local-channel-arrays"),
        (Feature::Scratch, "scratch"),
        (Feature::TimeoutParts, "timeout-parts"),
    ];

    /// What SPIN does not have, or gets wrong in a way that is known (`docs/spin-differences.md`). Off unless asked for.
    pub const NOT_FOR_SPIN: &[Feature] = &[
        Feature::OutOfRange,
        Feature::UnsetChannels,
        Feature::DeadChannels,
        Feature::RemoteDead,
        Feature::Enabled,
        Feature::PcValue,
        Feature::Priorities,
        Feature::SetPriority,
        Feature::Narrowing,
        Feature::Division,
        Feature::Exclusive,
        Feature::DeterministicProctype,
        Feature::Trace,
        Feature::Notrace,
        Feature::Next,
        Feature::ClaimFaults,
        Feature::ClaimSystem,
        Feature::HiddenReads,
        Feature::AtomicLoops,
        Feature::StepLoops,
        Feature::TraceChannels,
        Feature::ReceiveIndices,
    ];

    /// Features by which models fail; were they common, hardly any model would hold.
    const FAULTS: &[Feature] = &[
        Feature::OutOfRange,
        Feature::UnsetChannels,
        Feature::DeadChannels,
        Feature::RemoteDead,
        Feature::Division,
        Feature::DeterministicProctype,
        Feature::ClaimFaults,
        Feature::StepLoops,
    ];

    /// Features that make a model odd as a whole; each is drawn for few models.
    const RARE: &[Feature] = &[
        Feature::Last,
        Feature::Provided,
        Feature::Enabled,
        Feature::PcValue,
        Feature::Priorities,
        Feature::Narrowing,
        Feature::Trace,
        Feature::Notrace,
        Feature::ClaimAssertions,
        Feature::HiddenReads,
        Feature::AtomicLoops,
        Feature::TraceChannels,
        Feature::ReceiveIndices,
    ];

    /// What a feature is of no use without. A feature that others need comes after them.
    const NEEDS: &[(Feature, &[Feature])] = &[
        (Feature::BitArrays, &[Feature::Arrays]),
        (Feature::OutOfRange, &[Feature::Arrays]),
        (Feature::NestedStructures, &[Feature::Structures]),
        (
            Feature::DeadChannels,
            &[Feature::LocalChannels, Feature::Run, Feature::Atomic],
        ),
        (
            Feature::ForChannel,
            &[Feature::StructureMessages, Feature::Buffered],
        ),
        (Feature::Sorted, &[Feature::Buffered]),
        (Feature::RandomReceive, &[Feature::Buffered]),
        (Feature::Copy, &[Feature::Buffered]),
        (Feature::Polls, &[Feature::Buffered]),
        (Feature::Recursion, &[Feature::Run, Feature::Atomic]),
        (Feature::RunCondition, &[Feature::Run]),
        (Feature::ChannelParameters, &[Feature::Run]),
        (
            Feature::RemoteDead,
            &[
                Feature::RemoteVariables,
                Feature::RemoteLabels,
                Feature::Run,
            ],
        ),
        (Feature::ClaimAssertions, &[Feature::Never]),
        (Feature::ClaimEnds, &[Feature::Never]),
        (Feature::Next, &[Feature::Formulas]),
        (Feature::ClaimSystem, &[Feature::Formulas]),
        (Feature::ClaimFaults, &[Feature::Formulas]),
        (Feature::HiddenReads, &[Feature::Hidden]),
        (Feature::AtomicLoops, &[Feature::Atomic]),
        (Feature::StepLoops, &[Feature::DeterministicStep]),
        (Feature::TraceChannels, &[Feature::Trace]),
        (Feature::OnePlace, &[Feature::Buffered]),
        (
            Feature::ReceiveIndices,
            &[Feature::ReceiveParts, Feature::Buffered],
        ),
        (Feature::ReceiveParts, &[Feature::Arrays]),
        (Feature::LocalStructures, &[Feature::Structures]),
        (Feature::RemoteParts, &[Feature::RemoteVariables]),
        (
            Feature::LocalChannelArrays,
            &[Feature::LocalChannels, Feature::ChannelArrays],
        ),
        (Feature::TimeoutParts, &[Feature::Timeout]),
        (Feature::Trace, &[Feature::Buffered]),
        (Feature::Notrace, &[Feature::Buffered]),
    ];

    pub fn from_name(name: &str) -> Option<Feature> {
        Feature::ALL
            .iter()
            .find(|(_, known)| *known == name)
            .map(|&(feature, _)| feature)
    }
}

/// A set of features.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Features(u128);

/// Those that SPIN can judge.
impl Default for Features {
    fn default() -> Features {
        let mut all = Features::none();
        for &(feature, _) in Feature::ALL {
            all.set(feature, !Feature::NOT_FOR_SPIN.contains(&feature));
        }
        all
    }
}

impl Features {
    pub const fn none() -> Features {
        Features(0)
    }

    /// Everything that Mazurka reads.
    pub fn all() -> Features {
        let features = Feature::ALL.iter();
        features.fold(Features::none(), |all, &(feature, _)| all.with(feature))
    }

    /// Can SPIN be asked about a model that has these?
    pub fn are_for_spin(self) -> bool {
        !Feature::NOT_FOR_SPIN
            .iter()
            .any(|feature| self.has(*feature))
    }

    /// As a number, whose bits are the positions in [`Feature::ALL`].
    pub fn bits(self) -> u128 {
        self.0
    }

    pub fn has(self, feature: Feature) -> bool {
        self.0 & (1u128 << feature as u32) != 0
    }

    pub fn set(&mut self, feature: Feature, on: bool) {
        let bit = 1u128 << feature as u32;
        self.0 = if on { self.0 | bit } else { self.0 & !bit };
    }

    /// Adds a feature under a condition, and never takes one away.
    pub fn add(&mut self, feature: Feature, when: bool) {
        if when {
            self.set(feature, true);
        }
    }

    pub fn union(self, others: Features) -> Features {
        Features(self.0 | others.0)
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
        self.draw_with(random, Features::none())
    }

    /// The same, with some features that are wanted in any case.
    pub fn draw_with(self, random: &mut Random, wanted: Features) -> Features {
        let mut drawn = Features::none();
        for &(feature, _) in Feature::ALL {
            let percent = match feature {
                // Without it nearly every model ends in a deadlock.
                Feature::EndLabels => 85,
                _ if Feature::FAULTS.contains(&feature) => 8,
                _ if Feature::RARE.contains(&feature) => 15,
                _ => 50,
            };
            // The number is drawn for every feature, so that switching one off leaves the others as they are.
            let lucky = random.chance(percent);
            drawn.set(feature, (lucky || wanted.has(feature)) && self.has(feature));
        }
        for (feature, needs) in Feature::NEEDS {
            if drawn.has(*feature) {
                for needed in needs.iter().filter(|needed| self.has(**needed)) {
                    drawn.set(*needed, true);
                }
            }
        }
        // There is no `enabled` in a model with rendezvous channels.
        if drawn.has(Feature::Enabled) {
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
