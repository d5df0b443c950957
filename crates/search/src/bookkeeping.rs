//! What all orders of search have in common: counting, limits, violations.

use std::sync::atomic::Ordering;
use std::time::Instant;

use crate::report::{Defect, Observer, Options, Report, Statistics, StopReason, Violation};
use crate::system::System;

/// Deadlocks are collected up to this number, and so are different failures; the rest is counted.
const VIOLATIONS_KEPT: usize = 64;
/// Limits are looked at, and the observer is told, once in so many steps.
const STEPS_BETWEEN_LOOKS: u32 = 1 << 12;

/// The state of a search apart from its order.
pub(crate) struct Bookkeeping<'a, Y: System> {
    pub options: &'a Options<'a>,
    pub statistics: Statistics,
    pub violations: Vec<Violation<Y::Step, Y::Failure>>,
    pub covered: Vec<bool>,
    /// Was some path cut at the depth limit?
    pub cut: bool,
    observer: &'a mut dyn Observer,
    started: Instant,
    until_look: u32,
}

impl<'a, Y: System> Bookkeeping<'a, Y> {
    pub fn new(system: &Y, options: &'a Options<'a>, observer: &'a mut dyn Observer) -> Self {
        Bookkeeping {
            options,
            statistics: Statistics::default(),
            violations: Vec::new(),
            covered: vec![false; system.transitions()],
            cut: false,
            observer,
            started: Instant::now(),
            until_look: STEPS_BETWEEN_LOOKS,
        }
    }

    /// Is it time for a look at the limits?
    #[inline]
    pub fn is_look_due(&mut self) -> bool {
        self.until_look -= 1;
        self.until_look == 0
    }

    /// Looks at the limits; a reason to stop ends the search.
    pub fn look(&mut self, bytes: u64) -> Result<(), StopReason> {
        self.until_look = STEPS_BETWEEN_LOOKS;
        self.statistics.elapsed = self.started.elapsed();
        self.statistics.store_bytes = bytes;
        self.observer.progress(&self.statistics);
        if self.options.interrupt.load(Ordering::Relaxed) {
            return Err(StopReason::Interrupted);
        }
        if self
            .options
            .deadline
            .is_some_and(|deadline| Instant::now() >= deadline)
        {
            return Err(StopReason::Time);
        }
        if bytes > self.options.memory {
            return Err(StopReason::Memory);
        }
        Ok(())
    }

    /// Notes a violation, unless it is of a kind not asked for. `steps` is called only for a
    /// violation that was not met before.
    pub fn violation(
        &mut self,
        defect: Defect<Y::Failure>,
        last: Option<Y::Step>,
        steps: impl FnOnce() -> Vec<Y::Step>,
    ) -> Result<(), StopReason> {
        let asked = match defect {
            Defect::Deadlock => self.options.deadlock,
            Defect::Failure(_) => self.options.failures,
        };
        if !asked {
            return Ok(());
        }
        self.statistics.violations += 1;
        let is_deadlock = defect == Defect::Deadlock;
        let is_known = !is_deadlock
            && self
                .violations
                .iter()
                .any(|known| known.defect == defect && known.steps.last().copied() == last);
        let kept = self
            .violations
            .iter()
            .filter(|known| (known.defect == Defect::Deadlock) == is_deadlock)
            .count();
        if !is_known && kept < VIOLATIONS_KEPT {
            self.violations.push(Violation {
                defect,
                steps: steps(),
            });
        }
        if self.options.all {
            Ok(())
        } else {
            Err(StopReason::Violation)
        }
    }

    /// The report of a search that ended for this reason.
    pub fn finish(mut self, result: Result<(), StopReason>, store_bytes: u64) -> Report<Y> {
        self.statistics.elapsed = self.started.elapsed();
        self.statistics.store_bytes = store_bytes;
        let stop = match result {
            Ok(()) if self.cut => StopReason::Depth,
            Ok(()) => StopReason::Complete,
            Err(reason) => reason,
        };
        Report {
            stop,
            statistics: self.statistics,
            violations: self.violations,
            covered: self.covered,
        }
    }
}
