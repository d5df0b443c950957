//! The front door: run a closure in all interleavings.

use std::time::Duration;

use mazurka_explore::{
    Dependency, Observer, Options, Reduction, Report, Strategy, explore as search,
};

use crate::coroutine::{Coroutines, STACK};

/// Explores a program exhaustively and panics if it goes wrong in some interleaving.
///
/// # Panics
///
/// If a violation is found, with its description, or if the exploration is not complete.
#[track_caller]
pub fn explore(program: impl Fn() + Sync) {
    let report = Explorer::new().run(program);
    if let Some(violation) = report.violations.first() {
        panic!("{}", violation.message);
    }
    assert_eq!(
        report.reason,
        mazurka_explore::StopReason::Complete,
        "the exploration is not complete"
    );
}

/// How to explore a program.
#[derive(Clone, Debug, Default)]
pub struct Explorer {
    options: Options,
    stack: Option<usize>,
}

impl Explorer {
    /// Exhaustively, with optimal dynamic partial-order reduction.
    pub fn new() -> Explorer {
        Explorer::default()
    }

    /// With all options at once.
    pub fn with(options: Options) -> Explorer {
        Explorer {
            options,
            stack: None,
        }
    }

    /// How equivalent interleavings are left out.
    pub fn reduction(mut self, reduction: Reduction) -> Explorer {
        self.options.reduction = reduction;
        self
    }

    /// What depends on what.
    pub fn dependency(mut self, dependency: Dependency) -> Explorer {
        self.options.dependency = dependency;
        self
    }

    /// Which executions are tried.
    pub fn strategy(mut self, strategy: Strategy) -> Explorer {
        self.options.strategy = strategy;
        self
    }

    /// Go on after a violation.
    pub fn all(mut self) -> Explorer {
        self.options.all = true;
        self
    }

    /// Cut executions after so many steps.
    pub fn depth(mut self, steps: u32) -> Explorer {
        self.options.depth = Some(steps);
        self
    }

    /// Only executions with at most so many preemptions; without other reduction.
    pub fn preemptions(mut self, bound: u32) -> Explorer {
        self.options.preemptions = Some(bound);
        self.options.reduction = Reduction::None;
        self
    }

    /// Stop after so many executions.
    pub fn executions(mut self, limit: u64) -> Explorer {
        self.options.executions = Some(limit);
        self
    }

    /// Stop after so much time.
    pub fn time(mut self, limit: Duration) -> Explorer {
        self.options.time = Some(limit);
        self
    }

    /// The seed of random strategies.
    pub fn seed(mut self, seed: u64) -> Explorer {
        self.options.seed = seed;
        self
    }

    /// How many bytes of stack each actor has.
    pub fn stack(mut self, bytes: usize) -> Explorer {
        self.stack = Some(bytes);
        self
    }

    /// Explores a program.
    pub fn run(&self, program: impl Fn() + Sync) -> Report {
        self.run_observed(program, &mut ())
    }

    /// Explores a program, and tells an observer about it.
    pub fn run_observed(&self, program: impl Fn() + Sync, observer: &mut dyn Observer) -> Report {
        let mut engine = Coroutines::new(&program, self.stack.unwrap_or(STACK));
        search(&mut engine, &self.options, observer)
    }
}
