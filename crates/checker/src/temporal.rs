//! Temporal properties of a check: which ones, how they are searched, what is made of the result.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use mazurka_audit::{Audited, Most, Sought, finish, whole_graph, whole_graph_with_cycles};
use mazurka_ltl::{Formula, Strength, TooLarge, Untranslated};
use mazurka_model::{Claim, Expression, ExpressionId, Failure, Interpreter, Program, Step};
use mazurka_scenario::figures::counted;
use mazurka_scenario::{PropertyKind, Verdict, ViolationKind, ViolationRecord, position};
use mazurka_search::divided::{breadth_first_divided, cycles_divided};
use mazurka_search::emptiness::{
    along, components, nested_depth_first, parallel_components, parallel_nested, shorten,
};
use mazurka_search::store::Tree;
use mazurka_search::{
    Defect, Options, Report, Statistics, StopReason, Violation, breadth_first_in, depth_first,
    depth_first_in,
};
use mazurka_temporal::{
    Lasso, Product, ProductFailure, ProductStep, Property, Watch, What, acceptance, claim_until,
    fallible, follows_everything, livelock, round_inside, watcher,
};

use crate::audit::{Audit, is_small};
use crate::choice::{Order, Reduction, Switch};
use crate::config::Config;
use crate::error::Error;
use crate::load::{Loaded, own_name};
use crate::plan::{Task, Way};
use crate::shorten::Shortener;
use crate::store::Store;
use crate::supervisor::{Limits, Stage, Supervised};

/// The search that would tell was cut; the verdict does not depend on it.
const UNKNOWN_VACUITY: &str = "whether it holds only because a left side is never true was not decided: memory or time did not suffice for it";

/// A temporal property that was searched.
#[derive(Debug)]
pub(crate) struct Searched {
    pub name: String,
    pub kind: PropertyKind,
    pub verdict: Verdict,
    /// Does it hold even if the right side of every implication is false?
    pub vacuous: bool,
    /// What the reader should know about how it was checked.
    pub notes: Vec<String>,
    pub stop: StopReason,
    pub statistics: Statistics,
    pub found: Vec<Found>,
    /// A run-time error that ends an execution of which the property says more.
    pub stopped_by: Option<Stopped>,
    /// An execution of which the property says more, and sees nothing: it stays in an atomic sequence for ever.
    pub endless: Option<Found>,
    /// The reduction that was used.
    pub reduction: Reduction,
    /// What of the search was audited, and what came of it.
    pub audit: Audit,
}

/// The steps to a run-time error, which the last one of them is.
#[derive(Debug)]
pub(crate) struct Stopped {
    pub failure: Failure,
    pub steps: Vec<Step>,
    /// The same after fewer steps, unless the interpreter says otherwise, and whether it is known that there are none with fewer.
    pub shorter: Option<(Vec<Step>, bool)>,
}

/// A violation that was repeated and judged anew.
#[derive(Debug)]
pub(crate) struct Found {
    pub record: ViolationRecord,
    pub steps: Vec<Step>,
    pub loop_from: Option<usize>,
    /// How many steps there were before it was shortened.
    pub steps_found: usize,
    /// Is it known that no violation takes fewer?
    pub is_shortest: bool,
    /// Is the property neither true nor false, since a condition of it has no value?
    pub undefined: bool,
}

/// Checks a temporal property.
pub(crate) fn check(
    config: &Config,
    loaded: &Loaded,
    wanted: &Wanted<'_>,
    limits: &Limits,
    supervised: &Supervised<'_>,
) -> Result<Searched, Error> {
    let search = Search {
        config,
        loaded,
        limits,
        supervised,
    };
    let going_on = loaded.after_unexpected_inputs();
    let interpreter = going_on.as_ref().unwrap_or(&loaded.interpreter);
    search.check(interpreter, wanted)
}

/// A temporal property that is to be checked.
pub(crate) enum Wanted<'l> {
    Formula(&'l Property),
    Never(&'l Claim),
    Acceptance,
    Progress,
}

impl Wanted<'_> {
    /// Its name and its kind.
    pub fn name(&self) -> (&str, PropertyKind) {
        match self {
            Wanted::Formula(property) => (&property.name, PropertyKind::Ltl),
            Wanted::Never(never) => (&never.name, PropertyKind::Never),
            Wanted::Acceptance => (PropertyKind::Acceptance.name(), PropertyKind::Acceptance),
            Wanted::Progress => (PropertyKind::Progress.name(), PropertyKind::Progress),
        }
    }
}

/// The temporal properties that are asked for, or all of the model.
pub(crate) fn wanted<'l>(config: &Config, loaded: &'l Loaded) -> Result<Vec<Wanted<'l>>, Error> {
    let mut wanted = Vec::new();
    if !config.is_temporal() {
        wanted.extend(loaded.properties.iter().map(Wanted::Formula));
        wanted.extend(loaded.claims.iter().map(Wanted::Never));
        return Ok(wanted);
    }
    if config.ltl.is_some() {
        wanted.extend(loaded.properties.last().map(Wanted::Formula));
    }
    if let Some(name) = &config.claim {
        let name = &own_name(name);
        let formula = loaded.properties.iter().find(|known| known.name == *name);
        let never = loaded.claims.iter().find(|known| known.name == *name);
        match (formula, never) {
            (Some(formula), _) => wanted.push(Wanted::Formula(formula)),
            (None, Some(never)) => wanted.push(Wanted::Never(never)),
            (None, None) => {
                let known: Vec<&str> = loaded
                    .properties
                    .iter()
                    .map(|known| known.name.as_str())
                    .chain(loaded.claims.iter().map(|known| known.name.as_str()))
                    .collect();
                let known = match known.is_empty() {
                    true => "it has neither formulas nor claims".to_string(),
                    false => format!("it has {}", known.join(", ")),
                };
                return Err(Error::Usage(format!(
                    "--claim {name}: the model has no such formula or claim; {known}"
                )));
            }
        }
    }
    if config.acceptance {
        if !loaded.notation.has_acceptance_marks() {
            let message = "--acceptance: the VFSM notation has no acceptance marks; \
                           to say that something happens again and again, write `ltl NAME: []<> …;`";
            return Err(Error::Usage(message.into()));
        }
        wanted.push(Wanted::Acceptance);
    }
    if config.progress {
        wanted.push(Wanted::Progress);
    }
    Ok(wanted)
}

struct Search<'a, 's> {
    config: &'a Config,
    loaded: &'a Loaded,
    limits: &'a Limits,
    supervised: &'a Supervised<'s>,
}

impl Search<'_, '_> {
    fn check(&self, interpreter: &Interpreter, wanted: &Wanted<'_>) -> Result<Searched, Error> {
        let fair = self.config.fair;
        let watch = |marks: bool| Watch {
            marks,
            // As in SPIN: a system that stops has no livelock.
            stutter: !matches!(wanted, Wanted::Progress),
            fair,
            total: matches!(wanted, Wanted::Formula(_)),
        };
        let irreducible = Task::irreducible(wanted, fair);
        match wanted {
            Wanted::Formula(property) => self.formula(interpreter, property, watch(false)),
            Wanted::Never(never) => {
                let accepts = never.states.iter().any(|state| state.accepting);
                let marked = interpreter.program().locations.iter();
                let marked = marked.into_iter().any(|location| location.accept);
                let strength = match accepts || marked {
                    true => Strength::General,
                    false => Strength::Terminal,
                };
                let task = Task {
                    interpreter,
                    claim: never,
                    watch: watch(true),
                    strength,
                    irreducible,
                };
                self.claim(&never.name, PropertyKind::Never, &task, |_| Ok(()))
            }
            Wanted::Acceptance => {
                let task = Task {
                    interpreter,
                    claim: &acceptance(),
                    watch: watch(true),
                    strength: Strength::General,
                    irreducible,
                };
                let searched =
                    self.claim("acceptance", PropertyKind::Acceptance, &task, |_| Ok(()));
                let mut searched = searched?;
                let mut locations = interpreter.program().locations.iter();
                if !locations.any(|location| location.accept) {
                    let note = "nothing in the model is marked accept, so there is no such cycle";
                    searched.notes.push(note.into());
                }
                Ok(searched)
            }
            Wanted::Progress => {
                let mut program = interpreter.program().clone();
                let no_progress = ExpressionId(program.expressions.len() as u32);
                program.expressions.push(Expression::NoProgress);
                let task = Task {
                    interpreter: &Interpreter::new(program),
                    claim: &livelock(no_progress),
                    watch: watch(false),
                    strength: Strength::Weak,
                    irreducible,
                };
                self.claim("progress", PropertyKind::Progress, &task, |_| Ok(()))
            }
        }
    }

    fn formula(
        &self,
        interpreter: &Interpreter,
        property: &Property,
        watch: Watch,
    ) -> Result<Searched, Error> {
        let irreducible = Task::irreducible(&Wanted::Formula(property), watch.fair);
        let Some((claim, strength)) = self.translated(property, &property.formula)? else {
            return Ok(self.not_translated(property));
        };
        let task = Task {
            interpreter,
            claim: &claim,
            watch,
            strength,
            irreducible,
        };
        let judge = |lasso: &Lasso<'_>| lasso.violates(&property.formula, &property.atoms);
        let mut outcome = self.claim(&property.name, PropertyKind::Ltl, &task, judge)?;
        if outcome.verdict == Verdict::Holds {
            self.look_for_atoms_without_value(property, &task, &mut outcome)?;
        }
        for found in &mut outcome.found {
            let record = &mut found.record;
            record.message = match found.undefined {
                true => format!("{} is not decided: {}", property.text, record.message),
                false => format!("{} is false: {}", property.text, record.message),
            };
        }
        if outcome.verdict != Verdict::Holds {
            return Ok(outcome);
        }
        for stronger in property.formula.without_consequents() {
            // Without its automaton, the formula holds all the same.
            let Ok(Some((claim, strength))) = self.translated(property, &stronger) else {
                outcome.notes.push(UNKNOWN_VACUITY.into());
                break;
            };
            let task = Task {
                claim: &claim,
                strength,
                ..task
            };
            let notes = &mut Vec::new();
            let structured = task.structured(self.config, notes);
            let searched = structured.as_ref().unwrap_or(task.interpreter);
            let is_over = || self.limits.are_over();
            let product = task.product(self.config, searched, &is_over, notes);
            let (report, audit) =
                self.search((&property.name, PropertyKind::Ltl), &product, &task, notes)?;
            outcome.audit.add(audit);
            let is_complete = report.stop == StopReason::Complete && report.dead_end.is_none();
            if is_complete && report.violations.is_empty() {
                outcome.vacuous = true;
                break;
            }
            if !is_complete && report.violations.is_empty() {
                outcome.notes.push(UNKNOWN_VACUITY.into());
                break;
            }
        }
        Ok(outcome)
    }

    /// The claim of a formula about the atoms of a property; none if the limits are over before it is made.
    fn translated(
        &self,
        property: &Property,
        formula: &Formula,
    ) -> Result<Option<(Claim, Strength)>, Error> {
        let are_over = || self.limits.are_over();
        match claim_until(&property.name, formula, &property.atoms, &are_over) {
            Ok(made) => Ok(Some(made)),
            Err(Untranslated::Stopped) => Ok(None),
            Err(Untranslated::TooLarge) => Err(Error::Usage(TooLarge.to_string())),
        }
    }

    /// What is said of a formula whose automaton was not made in time.
    fn not_translated(&self, property: &Property) -> Searched {
        let is_interrupted = self.limits.stop.load(Ordering::Relaxed);
        Searched {
            name: property.name.clone(),
            kind: PropertyKind::Ltl,
            verdict: Verdict::Inconclusive,
            vacuous: false,
            notes: vec!["its automaton was not made in time; nothing was searched".into()],
            stop: match is_interrupted {
                true => StopReason::Interrupted,
                false => StopReason::Time,
            },
            statistics: Statistics::default(),
            found: Vec::new(),
            stopped_by: None,
            endless: None,
            reduction: Reduction::None,
            audit: Audit::none("nothing was searched"),
        }
    }

    /// Looks through what the automaton of a formula did not follow: an atom without a value is an error there too.
    fn look_for_atoms_without_value(
        &self,
        property: &Property,
        followed: &Task<'_>,
        outcome: &mut Searched,
    ) -> Result<(), Error> {
        let fallible = fallible(followed.interpreter, &property.atoms);
        if fallible == 0 || follows_everything(followed.claim) {
            return Ok(());
        }
        let numbered = property.atoms.iter().enumerate();
        let atoms = numbered.filter(|(bit, _)| fallible >> bit & 1 != 0);
        let claim = watcher(&property.name, atoms.map(|(_, atom)| *atom).collect());
        let task = Task {
            interpreter: followed.interpreter,
            claim: &claim,
            watch: Watch {
                fair: false,
                ..followed.watch
            },
            strength: Strength::Terminal,
            irreducible: None,
        };
        let second = self.claim(&property.name, PropertyKind::Ltl, &task, |_| Ok(()))?;
        outcome.verdict = match second.verdict {
            // There are no states behind an error, so each has been looked at.
            Verdict::NotDecided => Verdict::Holds,
            verdict => verdict,
        };
        outcome.audit.add(second.audit);
        outcome.stop = second.stop;
        outcome.found = second.found;
        outcome.notes.push(format!(
            "{} searched once more for atoms without a value",
            counted(second.statistics.states, "state")
        ));
        Ok(())
    }

    /// Searches for executions that a claim accepts, and judges them.
    fn claim(
        &self,
        name: &str,
        kind: PropertyKind,
        task: &Task<'_>,
        judge: impl Fn(&Lasso<'_>) -> Result<(), mazurka_temporal::NotShown>,
    ) -> Result<Searched, Error> {
        let mut notes = Vec::new();
        let structured = task.structured(self.config, &mut notes);
        let searched = structured.as_ref().unwrap_or(task.interpreter);
        let is_over = || self.limits.are_over();
        let product = task.product(self.config, searched, &is_over, &mut notes);
        if self.config.store() != Store::Exact {
            let store = self.config.store().name();
            notes.push(format!(
                "every state is stored: --store {store} is not used"
            ));
        }
        if self.config.deepen.is_some() {
            notes.push("the depth is not bounded: --deepen is not used".into());
        }
        let (report, mut audit) = self.search((name, kind), &product, task, &mut notes)?;
        let mut found = Vec::new();
        let mut shortener = Shortener::new(self.limits, false);
        if self.config.search == Order::BreadthFirst {
            shortener = shortener.thorough();
        }
        for violation in &report.violations {
            let steps_found = steps_in(task, &product, violation);
            let shorter = self.shorter(&product, violation, report.statistics.states);
            let violation = shorter.as_ref().unwrap_or(violation);
            let mut shown =
                confirmed(name, kind, task, &product, violation, &judge).map_err(|reason| {
                    Error::Internal(format!(
                        "the search found a violation of {name} that is not one: {reason}"
                    ))
                })?;
            if let Some((shorter, is_shortest)) = self.shorter_way(task, violation, &mut shortener)
                && let Ok(shorter) = confirmed(name, kind, task, &plain(task), &shorter, &judge)
                && shorter.steps.len() <= shown.steps.len()
            {
                shown = shorter;
                shown.is_shortest = is_shortest;
            }
            if let Some(shorter) = self.shorter_cycle(task, &shown, report.statistics.states)
                && let Ok(shorter) = confirmed(name, kind, task, &plain(task), &shorter, &judge)
                && shorter.steps.len() < shown.steps.len()
            {
                shown = shorter;
            }
            if let Some(nearest) = self.nearest_cycle(task, &shown, &mut shortener)
                && let Ok(nearest) = confirmed(name, kind, task, &plain(task), &nearest, &judge)
                && nearest.steps.len() < shown.steps.len()
            {
                shown = nearest;
            }
            shown.steps_found = steps_found;
            found.push(shown);
        }
        let stopped_by = match &report.dead_end {
            Some(end) if found.is_empty() => self.stopped(task, &product, end, &mut shortener),
            _ => None,
        };
        let endless = match &report.dead_end {
            Some(end) if found.is_empty() && matches!(end.defect, Defect::Cycle(_)) => {
                let steps = product.system_steps(&end.steps);
                endless(name, task.interpreter, steps)
                    .or_else(|| self.endless_from_the_beginning(name, task))
            }
            _ => None,
        };
        let verdict = match report.stop {
            _ if !found.is_empty() => Verdict::Violated,
            StopReason::Complete if report.dead_end.is_some() => Verdict::NotDecided,
            StopReason::Complete => Verdict::Holds,
            _ => Verdict::Inconclusive,
        };
        let is_small = is_small(&report.statistics);
        if self.config.audit.is_some() && verdict == Verdict::Holds && is_small {
            let model = Product::new(task.interpreter, task.claim, task.watch);
            let whole = match task.strength {
                Strength::Terminal => whole_graph(&model, Sought::FAILURES, Most::USUAL),
                _ => whole_graph_with_cycles(&model, Most::USUAL),
            };
            audit.tally.compare(&whole, None);
        }
        audit.locate(searched, self.limits);
        Ok(Searched {
            name: name.into(),
            kind,
            verdict,
            vacuous: false,
            notes,
            stop: report.stop,
            reduction: Task::reduction_used(self.config, &product, report.statistics.reduced),
            statistics: report.statistics,
            found,
            stopped_by,
            endless,
            audit,
        })
    }

    fn search<'p>(
        &self,
        (name, kind): (&str, PropertyKind),
        product: &Product<'p>,
        task: &Task<'_>,
        notes: &mut Vec<String>,
    ) -> Result<(Report<Product<'p>>, Audit), Error> {
        let config = self.config;
        let options = Options {
            deadlock: false,
            failures: true,
            proviso: task.needs_proviso(config, product.interpreter()),
            all: config.all,
            depth: config.depth,
            memory: self.limits.memory,
            deadline: self.limits.deadline,
            alone: Options::ALONE,
            interrupt: &self.limits.stop,
        };
        let plan = task.audit(config);
        let searched = product.interpreter();
        let model = match plan.unaudited().is_some() || std::ptr::eq(searched, task.interpreter) {
            true => None,
            false => searched
                .beside(task.interpreter.program().clone())
                .map(Arc::new),
        };
        let reductions = task.reductions(config, product, notes).into_iter();
        let audited = reductions.map(|reduction| {
            let guardian = task.guardian(config, searched, &reduction);
            Audited::new(reduction, plan.auditor(model.as_ref(), guardian, false))
        });
        let mut workers: Vec<Audited<_, ProductStep>> = audited.collect();
        let workers = &mut workers[..];
        self.supervised.begin(&Stage {
            property: name,
            kind,
            order: config.search,
            store: config.store(),
            memory: self.limits.memory,
        });
        let mut observer = self.supervised.observer();
        let seen = &mut observer;
        let report = match task.way(config) {
            Way::BreadthFirst => breadth_first_in(product, Tree::new(), workers, &options, seen),
            Way::DepthFirst => depth_first_in(product, Tree::new(), workers, &options, seen),
            Way::Components { several: true } => {
                parallel_components(product, workers, &options, seen)
            }
            Way::Components { several: false } => {
                components(product, &mut workers[0], &options, seen)
            }
            // It tells how far it is only when it is done.
            Way::Nested {
                several: true,
                weak,
            } => parallel_nested(product, workers, weak, &options, &mut ()),
            Way::Nested {
                several: false,
                weak,
            } => nested_depth_first(product, &mut workers[0], weak, &options, seen),
            Way::Divided { cycles } => {
                let company = self.supervised.company(self.loaded);
                let company = company.map_err(Error::Usage)?;
                let report = match cycles {
                    true => cycles_divided(product, workers, &options, seen, &*company),
                    false => breadth_first_divided(product, workers, &options, seen, &*company),
                };
                report.map_err(|lost| Error::Lost(lost.0))?
            }
        };
        self.supervised.end(report.stop);
        let is_complete = report.stop == StopReason::Complete;
        let tally = finish(product, workers, is_complete).unwrap_or_default();
        Ok((report, Audit::new(plan.unaudited(), tally)))
    }

    /// An atomic sequence that never ends, with the steps that lead into it: several workers, or one that goes breadth first, do not
    /// know them.
    fn endless_from_the_beginning(&self, name: &str, task: &Task<'_>) -> Option<Found> {
        let options = Options {
            deadlock: false,
            failures: true,
            proviso: false,
            all: false,
            depth: None,
            memory: self.limits.memory,
            deadline: self.limits.deadline,
            alone: Options::ALONE,
            interrupt: &self.limits.stop,
        };
        let product = plain(task);
        let report = depth_first(&product, &mut (), &options, &mut ());
        let end = report
            .dead_end
            .filter(|end| matches!(end.defect, Defect::Cycle(_)))?;
        endless(name, task.interpreter, product.system_steps(&end.steps))
    }

    /// A run-time error, as the system's steps.
    fn stopped(
        &self,
        task: &Task<'_>,
        product: &Product<'_>,
        end: &Violation<ProductStep, ProductFailure>,
        shortener: &mut Shortener<'_>,
    ) -> Option<Stopped> {
        let Defect::Failure(ProductFailure::System(failure)) = end.defect else {
            return None;
        };
        let shorter = self.shorter_way(task, end, shortener);
        Some(Stopped {
            failure,
            steps: product.system_steps(&end.steps),
            shorter: shorter
                .map(|(shorter, shortest)| (plain(task).system_steps(&shorter.steps), shortest)),
        })
    }

    /// The same violation by a shorter way into a shorter cycle, if there is one at hand.
    fn shorter(
        &self,
        product: &Product<'_>,
        violation: &Violation<ProductStep, ProductFailure>,
        states: u64,
    ) -> Option<Violation<ProductStep, ProductFailure>> {
        let Defect::Cycle(from) = violation.defect else {
            return None;
        };
        if self.config.shorten == Switch::Off {
            return None;
        }
        let budget = states.clamp(STATES_TO_SHORTEN, MOST_STATES_TO_SHORTEN) as usize;
        let is_over = || self.limits.are_over();
        let (steps, from) = shorten(product, &violation.steps, from, budget, &is_over)?;
        let defect = Defect::Cycle(from);
        Some(Violation { defect, steps })
    }

    /// The same by single steps of the system. A search over steps that are joined, or over some of them, counts and takes others.
    fn shorter_cycle(
        &self,
        task: &Task<'_>,
        shown: &Found,
        states: u64,
    ) -> Option<Violation<ProductStep, ProductFailure>> {
        if self.config.shorten == Switch::Off {
            return None;
        }
        let product = plain(task);
        let known = &shown.steps;
        let (steps, from) = along(
            &product,
            known.len(),
            shown.loop_from?,
            |position, step| match (step.what, known.get(position)) {
                (What::Step(step) | What::Spare(step), Some(known)) => step == *known,
                (What::Stutter, None) => true,
                _ => false,
            },
            &|| self.limits.are_over(),
        )?;
        let defect = Defect::Cycle(from);
        self.shorter(&product, &Violation { defect, steps }, states)
    }

    /// Any violation of the property by a cycle that takes fewer steps. The one that was found may be far from it.
    fn nearest_cycle(
        &self,
        task: &Task<'_>,
        shown: &Found,
        shortener: &mut Shortener<'_>,
    ) -> Option<Violation<ProductStep, ProductFailure>> {
        if self.config.shorten == Switch::Off || self.config.all {
            return None;
        }
        // To stay where the system has stopped is a step of the product.
        let stays = usize::from(shown.loop_from? == shown.steps.len());
        let (steps, from) = shortener.cycle(&plain(task), shown.steps.len() + stays)?;
        let defect = Defect::Cycle(from);
        Some(Violation { defect, steps })
    }

    /// The same violation, which is one whatever happens after it, after fewer steps; and whether there are none with fewer.
    fn shorter_way(
        &self,
        task: &Task<'_>,
        violation: &Violation<ProductStep, ProductFailure>,
        shortener: &mut Shortener<'_>,
    ) -> Option<(Violation<ProductStep, ProductFailure>, bool)> {
        let Defect::Failure(failure) = violation.defect else {
            return None;
        };
        if self.config.shorten == Switch::Off {
            return None;
        }
        let shorter = shortener.claim(&plain(task), failure, &violation.steps)?;
        let (defect, steps) = (violation.defect.clone(), shorter.steps);
        Some((Violation { defect, steps }, shorter.shortest))
    }
}

/// The system and the claim as they are, without reduction.
fn plain<'t>(task: &Task<'t>) -> Product<'t> {
    Product::new(task.interpreter, task.claim, task.watch)
}

/// Looking for a shorter counterexample may store this many states, even if the search itself stored fewer.
const STATES_TO_SHORTEN: u64 = 20_000;
/// It never stores more than this.
const MOST_STATES_TO_SHORTEN: u64 = 1_000_000;

/// How many steps of the model a violation takes. A cycle that was found in a structured program may have to be entered a second time.
fn steps_in(
    task: &Task<'_>,
    product: &Product<'_>,
    violation: &Violation<ProductStep, ProductFailure>,
) -> usize {
    let mut steps = product.system_steps(&violation.steps);
    let single = steps.len();
    let Defect::Cycle(from) = violation.defect else {
        return single;
    };
    let mut from = product.system_steps(&violation.steps[..from]).len();
    match Lasso::replay_structured(task.interpreter, &mut steps, &mut from) {
        Ok(_) => steps.len(),
        // Whether it is a violation is asked elsewhere.
        Err(_) => single,
    }
}

/// Replays a violation and asks the property itself.
fn confirmed(
    name: &str,
    kind: PropertyKind,
    task: &Task<'_>,
    product: &Product<'_>,
    violation: &Violation<ProductStep, ProductFailure>,
    judge: &impl Fn(&Lasso<'_>) -> Result<(), mazurka_temporal::NotShown>,
) -> Result<Found, mazurka_temporal::NotShown> {
    let roomy = task.interpreter.with_room();
    let interpreter = roomy.as_ref().unwrap_or(task.interpreter);
    let steps = product.system_steps(&violation.steps);
    let mut found = Found {
        record: ViolationRecord {
            property: name.into(),
            kind: ViolationKind::Ltl,
            message: String::new(),
            at: None,
        },
        steps,
        loop_from: None,
        steps_found: 0,
        is_shortest: false,
        undefined: false,
    };
    // Neither is a failure of the system's last step.
    let own_kind = match kind {
        PropertyKind::Ltl => ViolationKind::Ltl,
        _ => ViolationKind::Never,
    };
    let (record_kind, message) = match violation.defect {
        // A search notes it, and goes on.
        Defect::Failure(ProductFailure::System(_)) => {
            let reason = "a run-time error says nothing about the property";
            return Err(mazurka_temporal::NotShown(reason.into()));
        }
        Defect::Cycle(from) => {
            let mut from = product.system_steps(&violation.steps[..from]).len();
            let lasso = Lasso::replay_structured(interpreter, &mut found.steps, &mut from)?;
            found.loop_from = Some(from);
            lasso.is_accepted(task.claim, task.watch.marks)?;
            judge(&lasso)?;
            if task.watch.fair {
                lasso.is_fair()?;
            }
            let what = match kind {
                PropertyKind::Ltl => "",
                PropertyKind::Progress => "a cycle without progress: ",
                PropertyKind::Never => "the claim accepts this execution: ",
                _ => "an acceptance cycle: ",
            };
            let how = match from == found.steps.len() {
                true => format!("after {} the system stops", counted(from as u64, "step")),
                false => {
                    let repeated = match found.steps.len() - from {
                        1 => "the next step repeats".into(),
                        many => format!("the next {} repeat", counted(many as u64, "step")),
                    };
                    let movers = movers(task.interpreter.program(), &found.steps[from..]);
                    let from = counted(from as u64, "step");
                    format!("after {from}, {repeated} for ever{movers}")
                }
            };
            let kind = match kind {
                PropertyKind::Ltl => ViolationKind::Ltl,
                PropertyKind::Progress => ViolationKind::NonProgressCycle,
                _ => ViolationKind::AcceptanceCycle,
            };
            (kind, format!("{what}{how}"))
        }
        Defect::Failure(ProductFailure::Violated) => {
            let lasso = Lasso::replay(interpreter, &found.steps, None)?;
            lasso.is_accepted(task.claim, false)?;
            if task.watch.total {
                lasso.defines(&task.claim.conditions)?;
            }
            match kind {
                PropertyKind::Ltl => (own_kind, "whatever happens after this".to_string()),
                _ => (own_kind, "the claim comes to its end".to_string()),
            }
        }
        Defect::Failure(ProductFailure::Assertion(assertion)) => {
            let lasso = Lasso::replay(task.interpreter, &found.steps, None)?;
            lasso.fails_assertion(task.claim, assertion)?;
            let program = task.interpreter.program();
            let text = program.expression_text(None, assertion);
            (own_kind, format!("assertion of the claim violated: {text}"))
        }
        Defect::Failure(ProductFailure::Fault(condition, fault)) => {
            let lasso = Lasso::replay(task.interpreter, &found.steps, None)?;
            lasso.lacks_value(condition)?;
            found.undefined = true;
            let text = task.interpreter.program().expression_text(None, condition);
            (
                ViolationKind::RuntimeError,
                format!("{text} has no value: {fault}"),
            )
        }
        Defect::Deadlock => (ViolationKind::Deadlock, "the system stops".to_string()),
    };
    found.record.kind = record_kind;
    found.record.message = message;
    Ok(found)
}

/// An atomic sequence that never ends, if the steps lead into one.
fn endless(name: &str, interpreter: &Interpreter, steps: Vec<Step>) -> Option<Found> {
    let program = interpreter.program();
    let steps_found = steps.len();
    let (steps, from) = round_inside(interpreter, steps).ok()?;
    let statement = program.transitions[steps.last()?.transition.index()].statement;
    let origin = program.statements[statement.index()].origin;
    Some(Found {
        record: ViolationRecord {
            property: name.into(),
            kind: ViolationKind::Unsettled,
            message: "an atomic sequence that never ends".into(),
            at: Some(position(program, origin)),
        },
        steps,
        loop_from: Some(from),
        steps_found,
        is_shortest: false,
        undefined: false,
    })
}

/// Which machines make these steps, if the model is one of machines.
fn movers(program: &Program, steps: &[Step]) -> String {
    let mut names: Vec<&str> = Vec::new();
    for step in steps {
        let statement = program.transitions[step.transition.index()].statement;
        let process_type = program.statements[statement.index()].process_type;
        let described = &program.process_types[process_type.index()];
        let instance = program.instances.get(step.process as usize);
        let name = instance.unwrap_or(&described.name);
        if program.has_states(process_type) && !names.contains(&name.as_str()) {
            names.push(name);
        }
    }
    match names.is_empty() {
        true => String::new(),
        false => format!(", by {}", names.join(", ")),
    }
}
