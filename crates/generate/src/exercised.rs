//! Which parts of the state tables the executions of a check came to.

use std::collections::{HashMap, HashSet};

use mazurka_checker::{Loaded, Report};
use mazurka_scenario::Verdict;
use mazurka_span::Span;
use mazurka_vfsm::network::Network;

/// A part of a machine as results name it: what it is, and where it stands.
pub(crate) type Part = (String, Span);

/// What no execution came to, by the names of machines.
pub(crate) struct Exercised<'l> {
    loaded: &'l Loaded,
    missed: HashMap<String, HashSet<(u32, u32, String)>>,
}

impl<'l> Exercised<'l> {
    /// What a result says about a model; or why it says nothing.
    pub fn new(
        loaded: &'l Loaded,
        network: &Network,
        report: &Report,
    ) -> Result<Exercised<'l>, String> {
        let is_known = |name: &str| network.machines.iter().any(|m| m.name == name);
        if report.unreached.iter().any(|part| !is_known(&part.name)) {
            return Err("the result is not of this model".into());
        }
        if report.verdict == Verdict::Violated && report.unreached.is_empty() {
            let reason = "the search stopped at a violation, and the result does not say what was exercised; check with --all";
            return Err(reason.into());
        }
        let missed = report.unreached.iter().map(|unreached| {
            let parts = unreached.missed.iter().map(|part| {
                let what = part.text.split(':').next().unwrap_or_default();
                (part.at.line, part.at.column, what.trim().to_string())
            });
            (unreached.name.clone(), parts.collect())
        });
        Ok(Exercised {
            loaded,
            missed: missed.collect(),
        })
    }

    /// How many of these parts of a type of machine some machine of it came to, in words.
    pub fn told(&self, network: &Network, machine_type: usize, parts: &[Part]) -> String {
        let reached = parts.iter();
        let reached = reached.filter(|part| self.is_reached(network, machine_type, part));
        match (reached.count(), parts.len()) {
            (_, 0) => String::new(),
            (0, _) => "never".into(),
            (some, all) if some == all => "exercised".into(),
            (some, all) => format!("{some} of {all}"),
        }
    }

    fn is_reached(&self, network: &Network, machine_type: usize, (what, span): &Part) -> bool {
        let place = self.loaded.sources.location(*span);
        let (line, column) = place.map_or((1, 1), |at| (at.line, at.column));
        let key = (line, column, what.clone());
        let mut machines = network.machines.iter();
        machines.any(|machine| {
            let missed = self.missed.get(&machine.name);
            machine.machine_type == machine_type && missed.is_none_or(|m| !m.contains(&key))
        })
    }
}
