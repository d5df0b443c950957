//! How a temporal property is checked: which program is searched beside which claim, what may be left out, and by which search.

use mazurka_audit::Proviso;
use mazurka_ltl::Strength;
use mazurka_model::{Claim, Interpreter};
use mazurka_reduce::Unsupported;
use mazurka_temporal::{
    Cycles, Invisible, Product, ProductStep, SparesLast, Structure, Watch, structured,
};

use crate::choice::{Emptiness, Order, Reduction};
use crate::config::Config;
use crate::plan::AuditPlan;
use crate::plan::safety::chooser_for;
use crate::temporal::Wanted;

/// A claim about an interpreter, ready to be searched.
pub(crate) struct Task<'t> {
    /// The model, in which a violation is repeated.
    pub interpreter: &'t Interpreter,
    pub claim: &'t Claim,
    pub watch: Watch,
    /// Can a cycle be accepted at all, and is every cycle among accepting states?
    pub strength: Strength,
    /// Why no reduction is sound for it.
    pub irreducible: Option<&'static str>,
}

impl Task<'_> {
    /// Why nothing may be left out for a property, whatever the model is.
    pub fn irreducible(wanted: &Wanted<'_>, fair: bool) -> Option<&'static str> {
        match wanted {
            Wanted::Formula(property) if property.formula.has_next() => {
                Some("the formula has `next`")
            }
            Wanted::Never(_) => Some("a never claim may count steps"),
            _ => fair.then_some("fairness is asked for"),
        }
    }

    /// The reduction that a search used, if it left anything out.
    pub fn reduction_used(config: &Config, product: &Product<'_>, reduced: u64) -> Reduction {
        match product.has_sets() {
            true => Reduction::Simultaneous,
            false if reduced == 0 => Reduction::None,
            false if config.reduce == Reduction::Auto => Reduction::Stubborn,
            false => config.reduce,
        }
    }

    /// The program that is searched: the model, or one with fewer states and the same steps.
    pub fn structured(&self, config: &Config, notes: &mut Vec<String>) -> Option<Interpreter> {
        // A run of local steps counts as one, which is not what a shortest scenario means.
        let shortest = config.search == Order::BreadthFirst;
        let wanted = Structure {
            reset: config.is_on(config.reset),
            merge: config.is_on(config.merge) && !shortest,
            collapse: config.is_on(config.collapse) && !shortest,
        };
        let stutters = self.irreducible.is_none() && !self.watch.marks;
        let program = structured(self.interpreter, self.claim, wanted, stutters)?;
        // Of another program the search's proviso is not known to be enough, which costs these more than it saves.
        let sets_of_processes = matches!(
            config.reduce,
            Reduction::Persistent | Reduction::Ample | Reduction::Simultaneous
        );
        let cycles = Cycles::enough_for(self.claim, self.watch, workers(config), true);
        if sets_of_processes && cycles == Cycles::Search && self.irreducible.is_none() {
            let reduce = config.reduce.name();
            notes.push(format!(
                "--optimize on is not used: with --reduce {reduce}, this property is checked on the unchanged model"
            ));
            return None;
        }
        Some(program)
    }

    /// Who sees to it that no step is put off for ever.
    fn cycles(&self, config: &Config, searched: &Interpreter) -> Cycles {
        let is_model = std::ptr::eq(searched, self.interpreter);
        Cycles::enough_for(self.claim, self.watch, workers(config), is_model)
    }

    /// Does the search have to explore every step, sooner or later?
    pub fn needs_proviso(&self, config: &Config, searched: &Interpreter) -> bool {
        self.cycles(config, searched) == Cycles::Search
    }

    /// The search that finds what the claim accepts. A claim whose violations are finite is one more safety property.
    pub fn way(&self, config: &Config) -> Way {
        let several = config.temporal_jobs() > 1;
        let weak = self.strength == Strength::Weak && !self.watch.fair;
        match (self.strength, config.search, config.emptiness()) {
            (Strength::Terminal, ..) if config.cluster => Way::Divided { cycles: false },
            _ if config.cluster => Way::Divided { cycles: true },
            (Strength::Terminal, Order::BreadthFirst, _) => Way::BreadthFirst,
            (Strength::Terminal, ..) => Way::DepthFirst,
            (.., Emptiness::Components) => Way::Components { several },
            (.., Emptiness::Nested) => Way::Nested { several, weak },
        }
    }

    /// What of the search is audited.
    pub fn audit(&self, config: &Config) -> AuditPlan {
        AuditPlan::of_claim(config)
    }

    /// Who sees to it that no step is left out for ever.
    pub fn guardian(&self, config: &Config, searched: &Interpreter, reduction: &Maybe) -> Proviso {
        match (reduction, self.cycles(config, searched)) {
            (Maybe::No, _) => Proviso::Nobody,
            (_, Cycles::Search) => Proviso::Search,
            (Maybe::Chosen(_), Cycles::Sticky | Cycles::Foreseen) => Proviso::Choice,
            // What sets stand for is no choice among steps.
            (Maybe::Sets(_), Cycles::Sticky | Cycles::Foreseen) => Proviso::Nobody,
        }
    }

    /// The system with the claim: its simultaneous graph, if that is asked for and sound. What has to be found
    /// out for it ends when the time is over.
    pub fn product<'p>(
        &'p self,
        config: &Config,
        searched: &'p Interpreter,
        is_over: &dyn Fn() -> bool,
        notes: &mut Vec<String>,
    ) -> Product<'p> {
        let plain = || Product::new(searched, self.claim, self.watch);
        if config.reduce != Reduction::Simultaneous {
            return plain();
        }
        let refined = config.is_refined();
        let sets = match self.irreducible {
            Some(reason) => Err(reason.to_string()),
            None => {
                let (claim, watch) = (self.claim, self.watch);
                let cycles = match self.cycles(config, searched) {
                    Cycles::Sticky => Cycles::Foreseen,
                    cycles => cycles,
                };
                Product::simultaneous_within(searched, claim, watch, refined, cycles, is_over)
                    .map_err(|reason| reason.0)
            }
        };
        sets.unwrap_or_else(|reason| {
            notes.push(format!("nothing is reduced: {reason}"));
            plain()
        })
    }

    /// One reduction for each worker.
    pub fn reductions(
        &self,
        config: &Config,
        product: &Product<'_>,
        notes: &mut Vec<String>,
    ) -> Vec<Maybe> {
        let jobs = config.temporal_jobs() as usize;
        let none = || (0..jobs).map(|_| Maybe::No).collect();
        let asked = config.reduce != Reduction::Auto;
        match config.reduce {
            Reduction::Simultaneous if product.has_sets() => {
                return (0..jobs).map(|_| Maybe::Sets(SparesLast)).collect();
            }
            Reduction::None | Reduction::Simultaneous => return none(),
            _ => {}
        }
        let interpreter = product.interpreter();
        let made = |_| -> Result<Maybe, String> {
            if let Some(reason) = self.irreducible {
                return Err(reason.into());
            }
            let chooser = chooser_for(config, interpreter).map_err(Unsupported::of_model)?;
            let (claim, watch) = (self.claim, self.watch);
            let cycles = self.cycles(config, interpreter);
            let mut reduction = Invisible::by(chooser, interpreter, claim, watch, cycles)
                .map_err(|reason| reason.0)?;
            if !asked && !reduction.pays(interpreter) {
                return Err("hardly anything could be left out".into());
            }
            Ok(Maybe::Chosen(Box::new(reduction)))
        };
        let made: Result<Vec<Maybe>, String> = (0..jobs).map(made).collect();
        made.unwrap_or_else(|reason| {
            if asked {
                notes.push(format!("nothing is reduced: {reason}"));
            }
            none()
        })
    }
}

/// How many workers there are at least, with those of other members.
fn workers(config: &Config) -> usize {
    config.temporal_jobs() as usize + usize::from(config.cluster)
}

/// A search for what a claim accepts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Way {
    /// For a state, by the shortest way.
    BreadthFirst,
    /// For a state.
    DepthFirst,
    /// For a component with an accepting state.
    Components { several: bool },
    /// For a cycle through each accepting state; `weak` says that one search is enough.
    Nested { several: bool, weak: bool },
    /// By the members of a cluster: for a state, or for a cycle too.
    Divided { cycles: bool },
}

/// A reduction, or none.
pub(crate) enum Maybe {
    Chosen(Box<Invisible>),
    Sets(SparesLast),
    No,
}

impl mazurka_search::Reduction<Product<'_>> for Maybe {
    fn select(&mut self, product: &Product<'_>, state: &[u8], steps: &mut [ProductStep]) -> usize {
        match self {
            Maybe::Chosen(reduction) => reduction.select(product, state, steps),
            Maybe::Sets(sets) => sets.select(product, state, steps),
            Maybe::No => steps.len(),
        }
    }

    fn reduces(&self) -> bool {
        !matches!(self, Maybe::No)
    }
}
