//! Temporal properties of a check: which ones, how they are searched, what is made of the result.

use std::sync::atomic::Ordering;
use std::time::Instant;

use mazurka_ltl::Strength;
use mazurka_model::{Claim, Expression, ExpressionId, Failure, Interpreter, Program, Step};
use mazurka_scenario::{ViolationKind, ViolationRecord};
use mazurka_search::emptiness::{
    components, nested_depth_first, parallel_components, parallel_nested, shorten,
};
use mazurka_search::store::Tree;
use mazurka_search::{
    Defect, Options, Report, Statistics, StopReason, Violation, breadth_first_in, depth_first_in,
};
use mazurka_temporal::{
    Cycles, Invisible, Lasso, Product, ProductFailure, ProductStep, Property, SparesLast,
    Structure, Watch, acceptance, claim_of, fallible, follows_everything, livelock, structured,
    watcher,
};

use crate::arguments::{self, CheckArguments, Dependency, Emptiness, Order, Store, Switch};
use crate::forecast::Forecast;
use crate::interrupt;
use crate::json::Verdict;
use crate::load::Loaded;
use crate::progress::Progress;
use crate::reduction::chooser_for;
use crate::trouble::Trouble;

/// A temporal property that was checked.
#[derive(Debug)]
pub struct Outcome {
    pub name: String,
    /// `ltl`, `never`, `acceptance` or `progress`.
    pub kind: &'static str,
    pub verdict: Verdict,
    /// Does it hold only because a left side of an implication never does?
    pub vacuous: bool,
    /// What the reader should know about how it was checked.
    pub notes: Vec<String>,
    pub stop: StopReason,
    pub statistics: Statistics,
    pub found: Vec<Found>,
    /// The reduction that was used.
    pub reduce: &'static str,
}

/// A violation that was repeated and judged anew.
#[derive(Debug)]
pub struct Found {
    pub record: Option<ViolationRecord>,
    /// A failure of a step that has nothing to do with the property.
    pub failure: Option<Failure>,
    pub steps: Vec<Step>,
    pub loop_from: Option<usize>,
    /// Is the property neither true nor false, since a condition of it has no value?
    pub undefined: bool,
}

/// Is a temporal property asked for, and nothing else?
pub fn is_asked_for(arguments: &CheckArguments) -> bool {
    arguments.ltl.is_some()
        || arguments.claim.is_some()
        || arguments.acceptance
        || arguments.progress
}

/// Checks the temporal properties that are asked for, or all of the model.
pub fn check(
    arguments: &CheckArguments,
    loaded: &Loaded,
    memory: u64,
    deadline: Option<Instant>,
) -> Result<Vec<Outcome>, Trouble> {
    let mut outcomes = Vec::new();
    for wanted in wanted(arguments, loaded)? {
        let search = Search {
            arguments,
            memory,
            deadline,
        };
        outcomes.push(search.check(loaded, &wanted)?);
    }
    Ok(outcomes)
}

enum Wanted<'l> {
    Formula(&'l Property),
    Never(&'l Claim),
    Acceptance,
    Progress,
}

fn wanted<'l>(arguments: &CheckArguments, loaded: &'l Loaded) -> Result<Vec<Wanted<'l>>, Trouble> {
    let mut wanted = Vec::new();
    if !is_asked_for(arguments) {
        wanted.extend(loaded.properties.iter().map(Wanted::Formula));
        wanted.extend(loaded.claims.iter().map(Wanted::Never));
        return Ok(wanted);
    }
    if arguments.ltl.is_some() {
        wanted.extend(loaded.properties.last().map(Wanted::Formula));
    }
    if let Some(name) = &arguments.claim {
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
                return Err(Trouble::Usage(format!(
                    "--claim {name}: the model has no such formula or claim; {known}"
                )));
            }
        }
    }
    if arguments.acceptance {
        if loaded.model.language == "vfsm" {
            let message = "--acceptance: the VFSM notation has no acceptance marks; \
                           what must happen again and again is said by `ltl NAME: []<> …;`";
            return Err(Trouble::Usage(message.into()));
        }
        wanted.push(Wanted::Acceptance);
    }
    if arguments.progress {
        wanted.push(Wanted::Progress);
    }
    Ok(wanted)
}

struct Search<'a> {
    arguments: &'a CheckArguments,
    memory: u64,
    deadline: Option<Instant>,
}

/// A claim about an interpreter, ready to be searched.
struct Task<'t> {
    /// The model, in which a violation is repeated.
    interpreter: &'t Interpreter,
    claim: &'t Claim,
    watch: Watch,
    /// Can a cycle be accepted at all, and is every cycle among accepting states?
    strength: Strength,
    /// Why no reduction is sound for it.
    irreducible: Option<&'static str>,
}

impl Task<'_> {
    /// The program that is searched: the model, or one with fewer states and the same steps.
    fn structured(
        &self,
        arguments: &CheckArguments,
        notes: &mut Vec<String>,
    ) -> Option<Interpreter> {
        let is_on = |switch: Option<Switch>| switch.unwrap_or(arguments.optimize) == Switch::On;
        // A run of local steps counts as one, which is not what a shortest scenario means.
        let shortest = arguments.search == Order::BreadthFirst;
        let wanted = Structure {
            reset: is_on(arguments.reset),
            merge: is_on(arguments.merge) && !shortest,
            collapse: is_on(arguments.collapse) && !shortest,
        };
        let stutters = self.irreducible.is_none() && !self.watch.marks;
        let program = structured(self.interpreter, self.claim, wanted, stutters)?;
        // Of another program the search's proviso is not known to be enough, which costs these more than it saves.
        let sets_of_processes = matches!(
            arguments.reduce,
            arguments::Reduction::Persistent
                | arguments::Reduction::Ample
                | arguments::Reduction::Simultaneous
        );
        let workers = arguments.temporal_jobs() as usize;
        let cycles = Cycles::enough_for(self.claim, self.watch, workers, true);
        if sets_of_processes && cycles == Cycles::Search && self.irreducible.is_none() {
            let reduce = arguments.reduce.name();
            notes.push(format!(
                "--optimize on is not used: what must never happen is looked for in the model itself with --reduce {reduce}"
            ));
            return None;
        }
        Some(program)
    }
}

impl Search<'_> {
    fn check(&self, loaded: &Loaded, wanted: &Wanted<'_>) -> Result<Outcome, Trouble> {
        let fair = self.arguments.fair;
        let watch = |marks: bool| Watch {
            marks,
            // As in SPIN: a system that stops has no livelock.
            stutter: !matches!(wanted, Wanted::Progress),
            fair,
            assertions: true,
            total: matches!(wanted, Wanted::Formula(_)),
        };
        let irreducible = fair.then_some("fairness is asked for");
        match wanted {
            Wanted::Formula(property) => self.formula(loaded, property, watch(false)),
            Wanted::Never(never) => {
                let accepts = never.states.iter().any(|state| state.accepting);
                let marked = loaded.interpreter.program().locations.iter();
                let marked = marked.into_iter().any(|location| location.accept);
                let strength = match accepts || marked {
                    true => Strength::General,
                    false => Strength::Terminal,
                };
                let task = Task {
                    interpreter: &loaded.interpreter,
                    claim: never,
                    watch: watch(true),
                    strength,
                    irreducible: Some("a never claim may count steps"),
                };
                self.claim(&never.name, "never", &task, |_| Ok(()))
            }
            Wanted::Acceptance => {
                let task = Task {
                    interpreter: &loaded.interpreter,
                    claim: &acceptance(),
                    watch: watch(true),
                    strength: Strength::General,
                    irreducible,
                };
                self.claim("acceptance", "acceptance", &task, |_| Ok(()))
            }
            Wanted::Progress => {
                let mut program = loaded.interpreter.program().clone();
                let no_progress = ExpressionId(program.expressions.len() as u32);
                program.expressions.push(Expression::NoProgress);
                let task = Task {
                    interpreter: &Interpreter::new(program),
                    claim: &livelock(no_progress),
                    watch: watch(false),
                    strength: Strength::Weak,
                    irreducible,
                };
                self.claim("progress", "progress", &task, |_| Ok(()))
            }
        }
    }

    fn formula(
        &self,
        loaded: &Loaded,
        property: &Property,
        watch: Watch,
    ) -> Result<Outcome, Trouble> {
        let too_large = |error| Trouble::Usage(format!("formula {}: {error}", property.name));
        let irreducible = if property.formula.has_next() {
            Some("the formula has `next`")
        } else {
            watch.fair.then_some("fairness is asked for")
        };
        let (claim, strength) =
            claim_of(&property.name, &property.formula, &property.atoms).map_err(too_large)?;
        let task = Task {
            interpreter: &loaded.interpreter,
            claim: &claim,
            watch,
            strength,
            irreducible,
        };
        let judge = |lasso: &Lasso<'_>| lasso.violates(&property.formula, &property.atoms);
        let mut outcome = self.claim(&property.name, "ltl", &task, judge)?;
        if outcome.verdict == Verdict::Holds {
            self.look_for_atoms_without_value(loaded, property, &task, &mut outcome)?;
        }
        for found in &mut outcome.found {
            if let Some(record) = &mut found.record {
                record.message = match found.undefined {
                    true => format!("{} is not decided: {}", property.text, record.message),
                    false => format!("{} is false: {}", property.text, record.message),
                };
            }
        }
        if outcome.verdict != Verdict::Holds {
            return Ok(outcome);
        }
        for stronger in property.formula.without_consequents() {
            let (claim, strength) =
                claim_of(&property.name, &stronger, &property.atoms).map_err(too_large)?;
            let task = Task {
                claim: &claim,
                strength,
                ..task
            };
            let notes = &mut Vec::new();
            let structured = task.structured(self.arguments, notes);
            let searched = structured.as_ref().unwrap_or(task.interpreter);
            let product = self.product(searched, &task, notes);
            let report = self.search(&product, &task, notes);
            if report.stop == StopReason::Complete && report.violations.is_empty() {
                outcome.vacuous = true;
                break;
            }
        }
        Ok(outcome)
    }

    /// Looks through what the automaton of a formula did not follow: an atom without a value is an error there too.
    fn look_for_atoms_without_value(
        &self,
        loaded: &Loaded,
        property: &Property,
        followed: &Task<'_>,
        outcome: &mut Outcome,
    ) -> Result<(), Trouble> {
        let fallible = fallible(&loaded.interpreter, &property.atoms);
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
        let second = self.claim(&property.name, "ltl", &task, |_| Ok(()))?;
        outcome.verdict = second.verdict;
        outcome.stop = second.stop;
        outcome.found = second.found;
        outcome.notes.push(format!(
            "{} states were searched once more for atoms without a value",
            second.statistics.states
        ));
        Ok(())
    }

    /// Searches for executions that a claim accepts, and judges them.
    fn claim(
        &self,
        name: &str,
        kind: &'static str,
        task: &Task<'_>,
        judge: impl Fn(&Lasso<'_>) -> Result<(), mazurka_temporal::NotShown>,
    ) -> Result<Outcome, Trouble> {
        let mut notes = Vec::new();
        let structured = task.structured(self.arguments, &mut notes);
        let searched = structured.as_ref().unwrap_or(task.interpreter);
        let product = self.product(searched, task, &mut notes);
        if self.arguments.store() != Store::Exact {
            let store = self.arguments.store().name();
            notes.push(format!(
                "every state is stored: --store {store} is not used"
            ));
        }
        if self.arguments.deepen.is_some() {
            notes.push("the depth is not bounded: --deepen is not used".into());
        }
        let report = self.search(&product, task, &mut notes);
        let mut found = Vec::new();
        for violation in &report.violations {
            let shorter = self.shorter(&product, violation, report.statistics.states);
            let violation = shorter.as_ref().unwrap_or(violation);
            found.push(
                confirmed(name, kind, task, &product, violation, &judge).map_err(|reason| {
                    Trouble::Internal(format!(
                        "the search found a violation of {name} that is none: {reason}"
                    ))
                })?,
            );
        }
        let verdict = match report.stop {
            _ if !found.is_empty() => Verdict::Violated,
            StopReason::Complete => Verdict::Holds,
            _ => Verdict::Inconclusive,
        };
        Ok(Outcome {
            name: name.into(),
            kind,
            verdict,
            vacuous: false,
            notes,
            stop: report.stop,
            reduce: match product.has_sets() {
                true => arguments::Reduction::Simultaneous,
                false if report.statistics.reduced == 0 => arguments::Reduction::None,
                false if self.arguments.reduce == arguments::Reduction::Auto => {
                    arguments::Reduction::Stubborn
                }
                false => self.arguments.reduce,
            }
            .name(),
            statistics: report.statistics,
            found,
        })
    }

    /// Who sees to it that no step is put off for ever.
    fn cycles(&self, searched: &Interpreter, task: &Task<'_>) -> Cycles {
        let is_model = std::ptr::eq(searched, task.interpreter);
        let workers = self.arguments.temporal_jobs() as usize;
        Cycles::enough_for(task.claim, task.watch, workers, is_model)
    }

    /// The system with the claim: its simultaneous graph, if that is asked for and sound.
    fn product<'t>(
        &self,
        searched: &'t Interpreter,
        task: &Task<'t>,
        notes: &mut Vec<String>,
    ) -> Product<'t> {
        let plain = || Product::new(searched, task.claim, task.watch);
        if self.arguments.reduce != arguments::Reduction::Simultaneous {
            return plain();
        }
        let refined = self.arguments.dependency != Some(Dependency::Constant);
        let sets = match task.irreducible {
            Some(reason) => Err(reason.to_string()),
            None => {
                let (claim, watch) = (task.claim, task.watch);
                let cycles = match self.cycles(searched, task) {
                    Cycles::Sticky => Cycles::Foreseen,
                    cycles => cycles,
                };
                Product::simultaneous(searched, claim, watch, refined, cycles)
                    .map_err(|reason| reason.0)
            }
        };
        sets.unwrap_or_else(|reason| {
            notes.push(format!("nothing is reduced: {reason}"));
            plain()
        })
    }

    fn search<'p>(
        &self,
        product: &Product<'p>,
        task: &Task<'_>,
        notes: &mut Vec<String>,
    ) -> Report<Product<'p>> {
        let arguments = self.arguments;
        let options = Options {
            deadlock: false,
            failures: true,
            proviso: self.cycles(product.interpreter(), task) == Cycles::Search,
            all: arguments.all,
            depth: arguments.depth,
            memory: self.memory,
            deadline: self.deadline,
            alone: Options::ALONE,
            interrupt: interrupt::watch(),
        };
        let forecast = Forecast::new(arguments, self.memory);
        let mut progress = Progress::new(arguments.quiet || arguments.json, forecast);
        let jobs = arguments.temporal_jobs() as usize;
        let mut reductions = self.reductions(product, task, notes);
        let weak = task.strength == Strength::Weak && !task.watch.fair;
        let (workers, progress_seen) = (&mut reductions[..], &mut progress);
        let report = match (task.strength, arguments.search, arguments.emptiness()) {
            (Strength::Terminal, Order::BreadthFirst, _) => {
                breadth_first_in(product, Tree::new(), workers, &options, progress_seen)
            }
            (Strength::Terminal, ..) => {
                depth_first_in(product, Tree::new(), workers, &options, progress_seen)
            }
            (.., Emptiness::Components) if jobs > 1 => {
                parallel_components(product, workers, &options, progress_seen)
            }
            (.., Emptiness::Components) => {
                components(product, &mut workers[0], &options, progress_seen)
            }
            (.., Emptiness::Nested) if jobs > 1 => {
                // It tells how far it is only when it is done.
                parallel_nested(product, workers, weak, &options, &mut ())
            }
            (.., Emptiness::Nested) => {
                nested_depth_first(product, &mut workers[0], weak, &options, progress_seen)
            }
        };
        progress.clear();
        report
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
        let budget = states.clamp(STATES_TO_SHORTEN, MOST_STATES_TO_SHORTEN) as usize;
        let interrupt = interrupt::watch();
        let is_over = || {
            interrupt.load(Ordering::Relaxed)
                || self.deadline.is_some_and(|at| Instant::now() >= at)
        };
        let (steps, from) = shorten(product, &violation.steps, from, budget, &is_over)?;
        let defect = Defect::Cycle(from);
        Some(Violation { defect, steps })
    }

    /// One reduction for each worker.
    fn reductions(
        &self,
        product: &Product<'_>,
        task: &Task<'_>,
        notes: &mut Vec<String>,
    ) -> Vec<Maybe> {
        let jobs = self.arguments.temporal_jobs() as usize;
        let none = || (0..jobs).map(|_| Maybe::No).collect();
        let asked = self.arguments.reduce != arguments::Reduction::Auto;
        match self.arguments.reduce {
            arguments::Reduction::Simultaneous if product.has_sets() => {
                return (0..jobs).map(|_| Maybe::Sets(SparesLast)).collect();
            }
            arguments::Reduction::None | arguments::Reduction::Simultaneous => return none(),
            _ => {}
        }
        let interpreter = product.interpreter();
        let made = |_| -> Result<Maybe, String> {
            if let Some(reason) = task.irreducible {
                return Err(reason.into());
            }
            let chooser = chooser_for(self.arguments, interpreter)
                .map_err(|unsupported| format!("the model uses {}", unsupported.0))?;
            let (claim, watch) = (task.claim, task.watch);
            let cycles = self.cycles(interpreter, task);
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

/// A reduction, or none.
enum Maybe {
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

/// Looking for a shorter counterexample may store so many states, even if the search itself stored fewer.
const STATES_TO_SHORTEN: u64 = 20_000;
/// It never stores more than this.
const MOST_STATES_TO_SHORTEN: u64 = 1_000_000;

/// Replays a violation and asks the property itself.
fn confirmed(
    name: &str,
    kind: &'static str,
    task: &Task<'_>,
    product: &Product<'_>,
    violation: &Violation<ProductStep, ProductFailure>,
    judge: &impl Fn(&Lasso<'_>) -> Result<(), mazurka_temporal::NotShown>,
) -> Result<Found, mazurka_temporal::NotShown> {
    let steps = product.system_steps(&violation.steps);
    let mut found = Found {
        record: None,
        failure: None,
        steps,
        loop_from: None,
        undefined: false,
    };
    // Neither is a failure of the system's last step.
    let own_kind = match kind {
        "ltl" => ViolationKind::Ltl,
        _ => ViolationKind::Never,
    };
    let (record_kind, message) = match violation.defect {
        Defect::Failure(ProductFailure::System(failure)) => {
            found.failure = Some(failure);
            return Ok(found);
        }
        Defect::Cycle(from) => {
            let mut from = product.system_steps(&violation.steps[..from]).len();
            let lasso = Lasso::replay_structured(task.interpreter, &mut found.steps, &mut from)?;
            found.loop_from = Some(from);
            lasso.is_accepted(task.claim, task.watch.marks)?;
            judge(&lasso)?;
            if task.watch.fair {
                lasso.is_fair()?;
            }
            let what = match kind {
                "ltl" => "",
                "progress" => "a cycle without progress: ",
                "never" => "the claim accepts this execution: ",
                _ => "an acceptance cycle: ",
            };
            let how = match from == found.steps.len() {
                true => format!("after {from} steps the system stops"),
                false => format!(
                    "after {from} steps the system repeats {} for ever{}",
                    found.steps.len() - from,
                    movers(task.interpreter.program(), &found.steps[from..])
                ),
            };
            let kind = match kind {
                "ltl" => ViolationKind::Ltl,
                "progress" => ViolationKind::NonProgressCycle,
                _ => ViolationKind::AcceptanceCycle,
            };
            (kind, format!("{what}{how}"))
        }
        Defect::Failure(ProductFailure::Violated) => {
            let lasso = Lasso::replay(task.interpreter, &found.steps, None)?;
            lasso.is_accepted(task.claim, false)?;
            if task.watch.total {
                lasso.defines(&task.claim.conditions)?;
            }
            match kind {
                "ltl" => (own_kind, "whatever happens after this".to_string()),
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
            ("runtime-error", format!("{text} has no value: {fault}"))
        }
        Defect::Deadlock => (ViolationKind::Deadlock, "the system stops".to_string()),
    };
    found.record = Some(ViolationRecord {
        property: name.into(),
        kind: record_kind,
        message,
        at: None,
    });
    Ok(found)
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
