//! Runs a model with and without reductions and keeps what was found.
#![allow(dead_code, reason = "each test uses a part")]

pub mod targets;

use std::collections::BTreeSet;
use std::fmt::Debug;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use mazurka_model::{Failure, Interpreter, Program, Step};
use mazurka_promela::{MemoryLoader, compile};
use mazurka_reduce::{
    Chooser, Independence, Information, Persistent, Runs, Stubborn, Unsupported, hold_local_runs,
    reset_dead_variables,
};
use mazurka_search::{
    Options, Outcome, Over, Reduction, StopReason, breadth_first, breadth_first_in, depth_first,
    depth_first_in, depth_first_sleeping,
    store::{Bitstate, Compact, Tree},
};
use mazurka_span::SourceMap;

/// How many searches were compared with a full one.
pub static COMPARISONS: AtomicU64 = AtomicU64::new(0);

/// Every reduction of a Promela model against its full search; see [`compare_program`].
pub fn compare(name: &str, text: &str) -> Option<(u64, u64)> {
    let mut map = SourceMap::new();
    let compiled = compile(
        &mut map,
        "model.pml",
        text.as_bytes(),
        &[],
        &MemoryLoader::default(),
    );
    compare_program(&format!("{name}\n{text}"), compiled.ok()?.program)
}

/// Every reduction, both dependencies, all orders and the structural reductions against the full
/// search. Gives the states of the full search and of the reduced one; none if the program takes
/// too long.
pub fn compare_program(name: &str, program: Program) -> Option<(u64, u64)> {
    let interpreter = Interpreter::new(program);
    let full = search(&interpreter, Order::Depth, None, false);
    if full.stop != StopReason::Complete {
        return None;
    }
    structural(name, &interpreter, &full);
    let mut reduced = full.states;
    for refined in [true, false] {
        for kind in KINDS {
            let case = format!("{kind:?}, refined {refined}, {name}");
            let found = every_order(&case, &interpreter, kind, refined, &full, |found| {
                found.deadlocks.clone()
            });
            // Sleep sets by themselves save transitions alone.
            if kind == Kind::Independence && found.is_some() {
                assert_eq!(found, Some(full.states), "{case}");
            }
            if refined && kind == Kind::Stubborn {
                reduced = found.unwrap_or(full.states);
            }
        }
    }
    Some((full.states, reduced))
}

/// A reduction in all orders of search, with and without the proviso; `stuck` says in what the
/// deadlocks must agree. Gives the states of the depth-first search with the proviso; with sleep
/// sets, if they are all there is.
fn every_order<T: PartialEq + Debug>(
    name: &str,
    interpreter: &Interpreter,
    kind: Kind,
    refined: bool,
    full: &Found,
    stuck: impl Fn(&Found) -> T,
) -> Option<u64> {
    let mut choosers = [
        kind.of(interpreter, refined).ok()?,
        kind.of(interpreter, refined).ok()?,
    ];
    let mut states = None;
    for order in Order::ALL {
        // With all steps and nothing asleep it is the full search.
        if kind == Kind::Independence && order != Order::Sleeping {
            continue;
        }
        let is_of_the_search = matches!(
            order,
            Order::BreadthWorkers | Order::Fingerprints | Order::Bits
        );
        // What the search sees of a reduction is the same for all of them.
        if is_of_the_search && kind != Kind::Stubborn {
            continue;
        }
        // A fixed number of bits is almost certainly enough for this many states.
        if order == Order::Bits && full.states > 20_000 {
            continue;
        }
        for proviso in [false, true] {
            // Another store changes nothing but what is known of states, which the proviso asks.
            if !proviso && matches!(order, Order::Fingerprints | Order::Bits) {
                continue;
            }
            let case = format!("{order:?}, proviso {proviso}, {name}");
            let found = search_by(interpreter, order, &mut choosers, proviso);
            assert_eq!(found.stop, StopReason::Complete, "{case}");
            assert_eq!(stuck(&found), stuck(full), "{case}");
            if proviso {
                assert_eq!(found.failures, full.failures, "{case}");
                assert_eq!(found.reached, full.reached, "{case}");
            }
            if proviso && (order == Order::Depth || kind == Kind::Independence) {
                states = Some(found.states);
            }
        }
    }
    states
}

/// What chooses among steps.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Kind {
    Independence,
    Ample,
    Persistent(Information),
    Stubborn,
}

const KINDS: [Kind; 6] = [
    Kind::Independence,
    Kind::Ample,
    Kind::Persistent(Information::Machine),
    Kind::Persistent(Information::State),
    Kind::Persistent(Information::Run),
    Kind::Stubborn,
];

impl Kind {
    fn of(self, interpreter: &Interpreter, refined: bool) -> Result<Chooser, Unsupported> {
        Ok(match self {
            Kind::Independence => Chooser::Independence(Independence::new(interpreter, refined)?),
            Kind::Ample => Chooser::Persistent(Persistent::ample(interpreter, refined)?),
            Kind::Persistent(information) => {
                Chooser::Persistent(Persistent::new(interpreter, refined, information)?)
            }
            Kind::Stubborn => Chooser::Stubborn(Box::new(Stubborn::new(interpreter, refined)?)),
        })
    }
}

/// The structural reductions, alone and together with every reduction.
fn structural(name: &str, interpreter: &Interpreter, full: &Found) {
    for (reset, runs) in [
        (false, Some(Runs::Straight)),
        (false, Some(Runs::Any)),
        (true, None),
        (true, Some(Runs::Any)),
    ] {
        let mut program = interpreter.program().clone();
        if let Some(runs) = runs {
            hold_local_runs(&mut program, runs);
        }
        if reset {
            reset_dead_variables(&mut program);
        }
        assert_eq!(mazurka_model::verify(&program), Vec::new(), "{name}");
        let changed = Interpreter::new(program);
        let name = format!("reset {reset}, runs {runs:?}, {name}");
        let alone = search(&changed, Order::Depth, None, true);
        assert_eq!(alone.stop, StopReason::Complete, "{name}");
        // Deadlock states that differ only in dead variables become one.
        let stuck = |found: &Found| match reset {
            true => usize::from(!found.deadlocks.is_empty()),
            false => found.deadlocks.len(),
        };
        let has_fault = |found: &Found| found.failures.iter().any(|text| text.contains("Fault"));
        if has_fault(full) {
            // Who runs into a fault in the middle of a run keeps control: what others would do meanwhile is not seen.
            assert!(has_fault(&alone), "{name}");
            assert!(alone.failures.is_subset(&full.failures), "{name}");
        } else {
            assert_eq!(stuck(&alone), stuck(full), "{name}");
            assert_eq!(alone.failures, full.failures, "{name}");
            assert_eq!(alone.reached, full.reached, "{name}");
        }
        let together = match reset && runs.is_some() {
            true => &KINDS[..],
            false => &[Kind::Stubborn],
        };
        for kind in together {
            every_order(
                &format!("{kind:?}, {name}"),
                &changed,
                *kind,
                true,
                &alone,
                stuck,
            );
        }
    }
}

/// A system that remembers in which states it got stuck and what failed.
struct Recorder<'a> {
    interpreter: &'a Interpreter,
    deadlocks: Mutex<BTreeSet<Vec<u8>>>,
    failures: Mutex<BTreeSet<String>>,
}

impl Over for Recorder<'_> {
    type Beneath = Interpreter;

    fn beneath(&self) -> &Interpreter {
        self.interpreter
    }

    fn taken(&self, _: &[u8], step: Step, _: &[u8], outcome: Outcome<Failure>) -> Outcome<Failure> {
        if let Some(failure) = outcome.failure {
            let statement =
                self.interpreter.program().transitions[step.transition.index()].statement;
            self.failures
                .lock()
                .unwrap()
                .insert(format!("{statement} {failure:?}"));
        }
        outcome
    }

    fn ended(&self, state: &[u8], is_valid: bool) -> bool {
        if !is_valid {
            let identity = self.interpreter.identity(state).to_vec();
            self.deadlocks.lock().unwrap().insert(identity);
        }
        is_valid
    }
}

struct Through<'s>(&'s mut Chooser);

impl Reduction<Recorder<'_>> for Through<'_> {
    fn select(&mut self, system: &Recorder<'_>, state: &[u8], steps: &mut [Step]) -> usize {
        self.0.select(system.interpreter, state, steps)
    }

    fn widen(
        &mut self,
        system: &Recorder<'_>,
        state: &[u8],
        steps: &mut [Step],
        chosen: usize,
    ) -> usize {
        self.0.widen(system.interpreter, state, steps, chosen)
    }

    fn independent(&mut self, system: &Recorder<'_>, state: &[u8], a: Step, b: Step) -> bool {
        self.0.independent(system.interpreter, state, a, b)
    }
}

pub struct Found {
    pub stop: StopReason,
    pub states: u64,
    pub transitions: u64,
    pub deadlocks: BTreeSet<Vec<u8>>,
    pub failures: BTreeSet<String>,
    /// Statements reached; transitions are copies of statements.
    pub reached: BTreeSet<u32>,
}

#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Order {
    Depth,
    Breadth,
    /// Depth-first with sleep sets.
    Sleeping,
    /// Depth-first by two workers.
    Workers,
    /// Breadth-first by two workers.
    BreadthWorkers,
    /// Depth-first by two workers, who store fingerprints.
    Fingerprints,
    /// Depth-first with a few bits for each state, enough to tell them apart.
    Bits,
}

impl Order {
    pub const ALL: [Order; 7] = [
        Order::Depth,
        Order::Breadth,
        Order::Sleeping,
        Order::Workers,
        Order::BreadthWorkers,
        Order::Fingerprints,
        Order::Bits,
    ];
}

pub fn search(
    interpreter: &Interpreter,
    order: Order,
    reduction: Option<&mut Chooser>,
    proviso: bool,
) -> Found {
    let choosers = reduction.map_or(&mut [][..], std::slice::from_mut);
    search_by(interpreter, order, choosers, proviso)
}

pub fn search_by(
    interpreter: &Interpreter,
    order: Order,
    choosers: &mut [Chooser],
    proviso: bool,
) -> Found {
    COMPARISONS.fetch_add(1, Ordering::Relaxed);
    let recorder = Recorder {
        interpreter,
        deadlocks: Mutex::default(),
        failures: Mutex::default(),
    };
    let interrupt = AtomicBool::new(false);
    let options = Options {
        deadlock: true,
        failures: true,
        proviso,
        all: true,
        depth: Some(100_000),
        // Larger models are left out by size, not by time, so that every run compares the same.
        memory: if choosers.is_empty() {
            4 << 20
        } else {
            1 << 30
        },
        deadline: None,
        alone: 0,
        interrupt: &interrupt,
    };
    let mut through: Vec<Through<'_>> = choosers.iter_mut().map(Through).collect();
    let report = match (&mut through[..], order) {
        ([], _) => depth_first(&recorder, &mut (), &options, &mut ()),
        ([one, ..], Order::Depth) => depth_first(&recorder, one, &options, &mut ()),
        ([one, ..], Order::Breadth) => breadth_first(&recorder, one, &options, &mut ()),
        ([one, ..], Order::Sleeping) => depth_first_sleeping(&recorder, one, &options, &mut ()),
        (all, Order::Workers) => depth_first_in(&recorder, Tree::new(), all, &options, &mut ()),
        (all, Order::BreadthWorkers) => {
            breadth_first_in(&recorder, Tree::new(), all, &options, &mut ())
        }
        (all, Order::Fingerprints) => {
            depth_first_in(&recorder, Compact::new(64), all, &options, &mut ())
        }
        ([one, ..], Order::Bits) => {
            let one = std::slice::from_mut(one);
            depth_first_in(
                &recorder,
                Bitstate::new(1 << 20, 3, 1),
                one,
                &options,
                &mut (),
            )
        }
    };
    let program = interpreter.program();
    let reached = (0..report.covered.len())
        .filter(|number| report.covered[*number])
        .map(|number| program.transitions[number].statement.0)
        .collect();
    Found {
        stop: report.stop,
        states: report.statistics.states,
        transitions: report.statistics.transitions(),
        deadlocks: recorder.deadlocks.into_inner().unwrap(),
        failures: recorder.failures.into_inner().unwrap(),
        reached,
    }
}

/// The files of `tests/traps` with this ending, by path and text. There is at least one.
pub fn traps(ending: &str) -> Vec<(String, String)> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/traps");
    let entries = std::fs::read_dir(folder).expect("the folder of traps");
    let paths = entries.map(|entry| entry.expect("a file").path());
    let paths = paths.filter(|path| path.extension().is_some_and(|suffix| suffix == ending));
    let traps: Vec<(String, String)> = paths
        .map(|path| {
            let text = std::fs::read_to_string(&path).expect("a model");
            (path.display().to_string(), text)
        })
        .collect();
    assert!(!traps.is_empty(), "no traps end in {ending}");
    traps
}
