//! How safety is checked: which program is searched, by which reduction, and what the end of the search proves.

use mazurka_audit::Proviso;
use mazurka_model::{BreachKind, Interpreter, Program, Step};
use mazurka_reduce::{
    Chooser, Independence, Information, Persistent, Processors, Runs, Simultaneous, Stubborn,
    Symmetry, Unsupported, forget_ends, hold_local_runs, reset_dead_variables_but,
};
use mazurka_scenario::Refusal;

use crate::choice::{self, Footprint, Order, Property, Reduction, Switch};
use crate::config::Config;
use crate::plan::AuditPlan;
use crate::store::Store;
use crate::watched::Watched;

/// A search for violations of safety that is sound.
#[derive(Debug)]
pub struct SafetyPlan {
    /// The order.
    pub order: Order,
    /// The store.
    pub store: Store,
    /// The reduction: what was asked for, or the best that is sound.
    pub reduction: Reduction,
    /// The number of threads.
    pub jobs: u32,
    /// What is looked for.
    pub property: Property,
    /// Are states without a next step looked for?
    pub deadlock: bool,
    /// Must a reduction explore every step, sooner or later? Not if only deadlocks are asked for.
    pub proviso: bool,
    /// Does the store tell all states apart? Only then the end of a search is a proof.
    pub lossless: bool,
    /// The program with fewer states to store. Its steps are those of the model, in which scenarios are replayed.
    pub structured: Option<Interpreter>,
    /// Which processes are alike, so that states that differ only in which of them does what are taken for one.
    pub symmetry: Option<Symmetry>,
    /// What is to be said about processes that are alike, or are not although somebody asked.
    pub(crate) symmetry_note: Option<String>,
    /// Does the reduction take queues to be long enough? An overflow is found if it is met, and may be missed.
    pub long_queues: bool,
    /// What of the search is audited.
    pub audit: AuditPlan,
    /// How each worker chooses among the steps of a state.
    pub(crate) choosers: Vec<Chosen>,
}

impl SafetyPlan {
    /// Decides, or says why what is asked for is not sound for this program.
    pub(super) fn new(config: &Config, interpreter: &Interpreter) -> Result<SafetyPlan, Refusal> {
        let Alike {
            symmetry,
            note: symmetry_note,
            structured,
        } = Alike::of(config, interpreter);
        let searched = structured.as_ref().unwrap_or(interpreter);
        let asked = asked(config, searched);
        let chosen = |_| Chosen::of(config, asked, searched);
        let choosers: Result<Vec<Chosen>, Refusal> = (0..config.jobs()).map(chosen).collect();
        let choosers = choosers?;
        let reduction = match config.reduce {
            Reduction::Simultaneous => {
                let watched = Watched::new(searched, config.property);
                simultaneous_of(&watched, searched, config.is_refined())?;
                Reduction::Simultaneous
            }
            _ => choosers
                .first()
                .map_or(Reduction::None, |chosen| chosen.name),
        };
        Ok(SafetyPlan {
            order: config.search,
            store: config.store(),
            reduction,
            jobs: config.jobs(),
            property: config.property,
            deadlock: matches!(
                config.property,
                Property::All | Property::Safety | Property::Deadlock
            ),
            proviso: config.property != Property::Deadlock,
            lossless: config.store().is_lossless(),
            long_queues: reduction == Reduction::Persistent
                && !is_overflow_asked(config)
                && may_overflow(interpreter),
            structured,
            symmetry,
            symmetry_note,
            audit: AuditPlan::of_safety(config),
            choosers,
        })
    }

    /// Who sees to it that no step is left out for ever.
    pub(crate) fn guardian(&self) -> Proviso {
        match self.proviso && self.reduction != Reduction::None {
            true => Proviso::Search,
            false => Proviso::Nobody,
        }
    }

    /// Does the search meet every state of the model, and no other?
    pub(crate) fn meets_every_state(&self) -> bool {
        self.lossless
            && self.structured.is_none()
            && self.symmetry.is_none()
            && self.reduction == Reduction::None
            && matches!(self.order, Order::DepthFirst | Order::BreadthFirst)
            && self.store == Store::Exact
    }
}

/// The reduction that is tried. Only depth-first and breadth-first searches that remember every state see to it that nothing is put off
/// for ever.
fn asked(config: &Config, interpreter: &Interpreter) -> Reduction {
    let may_reduce = matches!(config.search, Order::DepthFirst | Order::BreadthFirst)
        && config.store().remembers()
        && config.deepen.is_none();
    match config.reduce {
        // Sets of steps are not chosen among steps.
        Reduction::Simultaneous => Reduction::None,
        Reduction::Auto if !may_reduce => Reduction::None,
        Reduction::Auto if has_machines(interpreter) => Reduction::Persistent,
        Reduction::Auto => Reduction::Stubborn,
        asked => asked,
    }
}

/// The reduction of one worker.
#[derive(Debug)]
pub(crate) struct Chosen {
    chooser: Chooser,
    name: Reduction,
    #[cfg(test)]
    is_wrong: bool,
}

#[cfg(test)]
thread_local! {
    /// An error that tests plant, to see that it is noticed: do the reductions that this thread makes take the steps of one process for enough?
    pub(crate) static IS_WRONG: std::cell::Cell<bool> = const { std::cell::Cell::new(false) };
}

impl Chosen {
    /// What was asked for, if it is sound for the model; `auto` is the best that is.
    fn of(config: &Config, asked: Reduction, interpreter: &Interpreter) -> Result<Chosen, Refusal> {
        let refined = config.is_refined();
        let overflow = is_overflow_asked(config);
        let chooser = match chooser(asked, interpreter, refined, information(config), overflow) {
            // Nothing is chosen, but what is independent must be known.
            Ok(Chooser::All) if config.sleep == Some(Switch::On) => {
                Independence::new(interpreter, refined).map(Chooser::Independence)
            }
            chooser => chooser,
        };
        match chooser {
            Ok(chooser) => Ok(Chosen {
                chooser,
                name: asked,
                #[cfg(test)]
                is_wrong: IS_WRONG.get(),
            }),
            Err(_) if config.reduce == Reduction::Auto => Ok(Chosen {
                chooser: Chooser::All,
                name: Reduction::None,
                #[cfg(test)]
                is_wrong: false,
            }),
            Err(unsupported) => {
                let option = match asked {
                    Reduction::None => "--sleep on".into(),
                    asked => format!("--reduce {asked}"),
                };
                Err(not_sound(&option, &unsupported))
            }
        }
    }
}

/// Must no overflow be missed?
fn is_overflow_asked(config: &Config) -> bool {
    matches!(
        config.property,
        Property::All | Property::Safety | Property::Overflow
    )
}

/// Is a message to a full queue an error in this notation?
fn may_overflow(interpreter: &Interpreter) -> bool {
    let mut breaches = interpreter.program().breaches.iter();
    breaches.any(|breach| breach.kind == BreachKind::Overflow)
}

fn not_sound(option: &str, unsupported: &Unsupported) -> Refusal {
    Refusal::new(match *unsupported {
        Unsupported::TOO_LARGE => format!(
            "{option} is not possible for a model of this size: it has {}; --reduce auto goes on without",
            unsupported.0
        ),
        Unsupported(what) => format!("{option} is not sound for this model: it uses {what}"),
    })
}

fn information(config: &Config) -> Information {
    match config.footprint {
        Some(Footprint::Machine) => Information::Machine,
        Some(Footprint::State) => Information::State,
        Some(Footprint::Run) | None => Information::Run,
    }
}

/// How the reduction that is asked for chooses, for temporal properties; an overflow on the way must be found.
pub(super) fn chooser_for(
    config: &Config,
    interpreter: &Interpreter,
) -> Result<Chooser, Unsupported> {
    let asked = match config.reduce {
        Reduction::Auto => Reduction::Stubborn,
        asked => asked,
    };
    let (refined, information) = (config.is_refined(), information(config));
    chooser(asked, interpreter, refined, information, true)
}

/// How a reduction of that name, with its defaults, chooses where deadlocks are looked for; all steps if it is none.
pub fn chooser_of(asked: Reduction, interpreter: &Interpreter) -> Result<Chooser, Refusal> {
    chooser(asked, interpreter, true, Information::Run, true)
        .map_err(|unsupported| not_sound(&format!("--reduce {asked}"), &unsupported))
}

/// The system whose steps are sets of independent steps, if that is sound for the model.
pub fn simultaneous_of<'s>(
    watched: &'s Watched<'_>,
    interpreter: &'s Interpreter,
    refined: bool,
) -> Result<Simultaneous<'s, Watched<'s>>, Refusal> {
    Simultaneous::new(watched, interpreter, refined)
        .map_err(|unsupported| not_sound("--reduce simultaneous", &unsupported))
}

fn chooser(
    asked: Reduction,
    interpreter: &Interpreter,
    refined: bool,
    information: Information,
    overflow: bool,
) -> Result<Chooser, Unsupported> {
    Ok(match asked {
        Reduction::Stubborn => Chooser::Stubborn(Box::new(Stubborn::new(interpreter, refined)?)),
        // The agents of a network of machines are its processors.
        Reduction::Persistent if has_machines(interpreter) => {
            let processors = Processors::new(interpreter, information, overflow)?;
            Chooser::Processors(Box::new(processors))
        }
        Reduction::Persistent => {
            Chooser::Persistent(Persistent::new(interpreter, refined, information)?)
        }
        Reduction::Ample => Chooser::Persistent(Persistent::ample(interpreter, refined)?),
        _ => Chooser::All,
    })
}

/// Is it a network of machines? One transition of a machine is one step already, and it has no
/// variables: there is nothing to merge or to reset.
pub(super) fn has_machines(interpreter: &Interpreter) -> bool {
    let mut types = interpreter.program().process_types.iter();
    types.any(|process| process.machine)
}

/// Which processes are alike, what is to be said about it, and the program that is searched.
struct Alike {
    symmetry: Option<Symmetry>,
    note: Option<String>,
    structured: Option<Interpreter>,
}

impl Alike {
    /// Only searches that remember states have use for it; sleeping steps and sets of steps would have to be renamed with their processes.
    fn of(config: &Config, interpreter: &Interpreter) -> Alike {
        let may_use = matches!(config.search, Order::DepthFirst | Order::BreadthFirst)
            && config.store().remembers()
            && config.deepen.is_none()
            && config.sleep != Some(Switch::On)
            && config.reduce != Reduction::Simultaneous;
        let asked = config.symmetry();
        let is_asked = config
            .symmetry
            .is_some_and(|one| one != choice::Symmetry::Off);
        let none = |note| Alike {
            symmetry: None,
            note,
            structured: structured(config, interpreter, None),
        };
        if asked == choice::Symmetry::Off || !may_use {
            let reason = "it needs --search dfs or bfs and a store that remembers every state, \
                          without --deepen, --sleep on and --reduce simultaneous";
            return none(is_asked.then(|| format!("symmetry was not used: {reason}")));
        }
        // Where steps are counted, the ends of processes count.
        let may_forget_ends = config.search != Order::BreadthFirst;
        let mut reason = None;
        if asked == choice::Symmetry::Identities {
            // What a reduction takes for granted was found out about states that are reachable; those that stand for others need not be.
            let found = match config.reduce {
                Reduction::None => {
                    let found = Alike::by_identities(config, interpreter, may_forget_ends);
                    found.map_err(Unsupported::of_model)
                }
                _ => Err("they need --reduce none".to_string()),
            };
            match found {
                Ok(Some(alike)) => return alike,
                Ok(None) => return none(None),
                Err(why) => reason = Some(why),
            }
        }
        match Symmetry::of(interpreter.program(), may_forget_ends) {
            Ok(Some(symmetry)) => {
                let mut note = note_of(&symmetry, interpreter.program(), "");
                if let Some(why) = reason {
                    note = format!("{note}; identities were not used: {why}");
                }
                Alike {
                    structured: structured(config, interpreter, Some(&symmetry)),
                    symmetry: Some(symmetry),
                    note: Some(note),
                }
            }
            Ok(None) => none(None),
            Err(unsupported) => {
                let why = reason.unwrap_or_else(|| unsupported.of_model());
                let note = || format!("symmetry was not used: {why}");
                none(is_asked.then(note))
            }
        }
    }

    /// Processes that are alike up to their identity, which is proved for the model and for the program that is searched.
    fn by_identities(
        config: &Config,
        interpreter: &Interpreter,
        may_forget_ends: bool,
    ) -> Result<Option<Alike>, Unsupported> {
        let found = Symmetry::with_identities(interpreter.program(), may_forget_ends)?;
        let Some(symmetry) = found else {
            return Ok(None);
        };
        let structured = structured(config, interpreter, Some(&symmetry));
        let searched = structured.as_ref().unwrap_or(interpreter);
        let symmetry = symmetry.renewed(searched.program())?;
        let up_to = ", and what is kept by its identity,";
        Ok(Some(Alike {
            note: Some(note_of(&symmetry, searched.program(), up_to)),
            symmetry: Some(symmetry),
            structured,
        }))
    }
}

fn note_of(symmetry: &Symmetry, program: &Program, up_to: &str) -> String {
    let names: Vec<&str> = symmetry.names(program).collect();
    format!(
        "states that differ only in which process of {}{up_to} does what count once; --symmetry off counts them all",
        names.join(", ")
    )
}

/// The program with fewer states to store, as far as the switches allow it. A monitor watches single steps, so that none may be merged.
fn structured(
    config: &Config,
    interpreter: &Interpreter,
    symmetry: Option<&Symmetry>,
) -> Option<Interpreter> {
    let mut program = interpreter.program().clone();
    let mut changes = 0;
    if symmetry.is_some_and(Symmetry::forgets_ends) {
        forget_ends(&mut program);
        changes += 1;
    }
    if !has_machines(interpreter) && program.monitor.is_none() {
        changes += shorten_runs(config, &mut program, symmetry);
    }
    (changes > 0).then(|| Interpreter::new(program))
}

/// Resets variables and merges steps, and says how often.
fn shorten_runs(config: &Config, program: &mut Program, symmetry: Option<&Symmetry>) -> usize {
    let mut changes = 0;
    if config.is_on(config.reset) {
        // A reset would make one identity unlike the others.
        let keeps = |number: usize, offset: u32| {
            symmetry.is_some_and(|symmetry| symmetry.keeps_identity(number, offset))
        };
        changes += reset_dead_variables_but(program, &keeps);
    }
    // A run of local steps counts as one, which is not what a shortest scenario means, nor a weight.
    let counts_steps = matches!(config.search, Order::BreadthFirst | Order::Probabilistic)
        || config.deepen.is_some();
    if !counts_steps {
        if config.is_on(config.merge) {
            changes += hold_local_runs(program, Runs::Straight);
        }
        if config.is_on(config.collapse) {
            changes += hold_local_runs(program, Runs::Any);
        }
    }
    changes
}

impl mazurka_search::Reduction<Watched<'_>> for Chosen {
    #[inline]
    fn select(&mut self, system: &Watched<'_>, state: &[u8], steps: &mut [Step]) -> usize {
        #[cfg(test)]
        if self.is_wrong {
            steps.sort_by_key(|step| step.process);
            return steps.partition_point(|step| step.process == steps[0].process);
        }
        self.chooser.select(system.interpreter(), state, steps)
    }

    fn widen(
        &mut self,
        system: &Watched<'_>,
        state: &[u8],
        steps: &mut [Step],
        chosen: usize,
    ) -> usize {
        self.chooser
            .widen(system.interpreter(), state, steps, chosen)
    }

    fn independent(&mut self, system: &Watched<'_>, state: &[u8], a: Step, b: Step) -> bool {
        self.chooser.independent(system.interpreter(), state, a, b)
    }

    fn reduces(&self) -> bool {
        self.chooser.reduces()
    }

    fn is_idle(&self) -> bool {
        self.chooser.is_idle()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_limit_is_not_called_unsound() {
        let told = |unsupported| not_sound("--reduce stubborn", &unsupported).reason;
        assert_eq!(
            told(Unsupported("priorities")),
            "--reduce stubborn is not sound for this model: it uses priorities"
        );
        assert_eq!(
            told(Unsupported::TOO_LARGE),
            "--reduce stubborn is not possible for a model of this size: it has too many operations to compare each with each; --reduce auto goes on without"
        );
    }
}
