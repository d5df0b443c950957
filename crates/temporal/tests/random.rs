//! Random formulas about random models, cycles without progress and through accepting places: every way to look for a
//! violation finds one, or none does.
//!
//! Compared are the emptiness algorithms, one and two workers, with every reduction and none, with structural reductions and without, fair or
//! not. Each violation is judged anew by the definition of the property. `TEMPORAL_MODELS` says how many
//! models, `TEMPORAL_SEED` where to begin; `scripts/temporal` runs many.

use std::sync::atomic::AtomicBool;

use mazurka_differential::features::Features;
use mazurka_differential::generate::generate;
use mazurka_differential::print::print;
use mazurka_differential::random::Random;
use mazurka_ltl::{Formula, Strength};
use mazurka_model::{
    Base, BinaryOperator, Claim, Expression, ExpressionId, Interpreter, Place, PlaceId,
    ProcessTypeId, Program, Step,
};
use mazurka_promela::{MemoryLoader, compile};
use mazurka_reduce::{Chooser, Information, Persistent, Stubborn};
use mazurka_search::emptiness::{
    components, nested_depth_first, parallel_components, parallel_nested, shorten,
};
use mazurka_search::store::Tree;
use mazurka_search::{
    Defect, Options, Reduction, Report, StopReason, breadth_first, breadth_first_in, depth_first,
    depth_first_in, settled_steps,
};
use mazurka_span::SourceMap;
use mazurka_temporal::{
    Cycles, Invisible, Lasso, NotSound, Product, ProductFailure, ProductStep, SparesLast,
    Structure, Watch, acceptance, claim_of, livelock, structured,
};

fn number(name: &str, default: u64) -> u64 {
    let given = std::env::var(name).ok();
    given.and_then(|text| text.parse().ok()).unwrap_or(default)
}

static NEVER: AtomicBool = AtomicBool::new(false);

fn options() -> Options<'static> {
    Options {
        deadlock: false,
        failures: true,
        proviso: false,
        all: false,
        depth: None,
        memory: 1 << 30,
        deadline: None,
        alone: 0,
        interrupt: &NEVER,
    }
}

#[test]
fn all_searches_agree() {
    // Among the models from here on are some with run-time errors, which leave properties undecided.
    let first = number("TEMPORAL_SEED", 100);
    let count = number("TEMPORAL_MODELS", 25);
    let mut seen = Seen::default();
    for seed in first..first + count {
        let mut random = Random::new(seed);
        let features = match seed % 2 {
            0 => Features::default(),
            _ => Features::all(),
        };
        let text = print(&generate(seed, features));
        let mut map = SourceMap::new();
        let loader = MemoryLoader::default();
        let compiled = compile(&mut map, "model.pml", text.as_bytes(), &[], &loader);
        let Ok(compiled) = compiled else { continue };
        // What a formula of the model says may have no value where others than SPIN's features are drawn.
        let own: Vec<(Formula, Vec<ExpressionId>)> = match features == Features::default() {
            true => compiled.formulas.into_iter(),
            false => Vec::new().into_iter(),
        }
        .map(|property| (property.formula, property.atoms))
        .collect();
        let mut program = compiled.program;
        let atoms = atoms(&mut program, &mut random);
        marks(&mut program, &mut random);
        let no_progress = ExpressionId(program.expressions.len() as u32);
        program.expressions.push(Expression::NoProgress);
        let interpreter = Interpreter::new(program);
        if !is_small_and_sane(&interpreter) {
            continue;
        }
        seen.models += 1;
        for number in 0..6 + own.len() {
            let size = 2 + random.below(9);
            let next = random.chance(20);
            let (formula, atoms) = match number {
                0 => (invariant(&mut random, atoms.len()), &atoms),
                1..6 => {
                    let formula = formula(&mut random, size, atoms.len() as u32, next);
                    (formula, &atoms)
                }
                _ => (own[number - 6].0.clone(), &own[number - 6].1),
            };
            let (claim, strength) = claim_of("p", &formula, atoms).expect("small");
            for fair in [false, true] {
                let property = Property {
                    interpreter: &interpreter,
                    formula: Some((&formula, atoms)),
                    claim: &claim,
                    watch: Watch {
                        marks: false,
                        stutter: true,
                        fair,
                        total: true,
                    },
                    strength,
                    stutters: !fair && !formula.has_next(),
                    case: format!("seed {seed}, fair {fair}, {formula:?}\n{text}"),
                };
                property.check(&mut seen);
            }
        }
        for fair in [false, true] {
            // As the command line has it: a system that stops has no livelock, but it may stop
            // in an accepting state for ever.
            for (claim, marks) in [(&livelock(no_progress), false), (&acceptance(), true)] {
                let property = Property {
                    interpreter: &interpreter,
                    formula: None,
                    claim,
                    watch: Watch {
                        marks,
                        stutter: marks,
                        fair,
                        total: true,
                    },
                    strength: match marks {
                        true => Strength::General,
                        false => Strength::Weak,
                    },
                    stutters: !fair,
                    case: format!("seed {seed}, fair {fair}, {}\n{text}", claim.name),
                };
                let verdict = property.check(&mut seen);
                seen.marked += u32::from(verdict == Verdict::Violated);
            }
        }
    }
    eprintln!("{seen:?}");
    println!(
        "{{\"models\":{},\"combinations\":{},\"holding\":{},\"violated\":{},\"stopped\":{},\"disagreements\":0}}",
        seen.models, seen.searches, seen.held, seen.violated, seen.stopped
    );
    assert!(
        seen.violated > 0
            && seen.held > 0
            && seen.stopped > 0
            && seen.reduced > 0
            && seen.shortened > 0
            && seen.structured > 0
            && seen.marked > 0
            && seen.invariants > 0
    );
}

/// Marks some places of processes as accepting and some as progress.
fn marks(program: &mut Program, random: &mut Random) {
    for location in &mut program.locations {
        location.accept = random.chance(10);
        location.progress = random.chance(20);
    }
}

/// Two things are never so at once.
fn invariant(random: &mut Random, atoms: usize) -> Formula {
    let [left, right] = [0; 2].map(|_| Box::new(Formula::Atom(random.below(atoms) as u32)));
    Formula::Always(Box::new(Formula::Not(Box::new(Formula::And(left, right)))))
}

#[derive(Default, Debug)]
struct Seen {
    models: u32,
    held: u32,
    violated: u32,
    /// Properties that a run-time error keeps from being decided.
    stopped: u32,
    /// Searches in which a reduction left something out.
    reduced: u32,
    /// Counterexamples that were made shorter.
    shortened: u32,
    /// Programs made smaller.
    structured: u32,
    /// Cycles without progress, or through accepting places.
    marked: u32,
    /// Searches that were compared with one another.
    searches: u32,
    /// Formulas for which the search sees to it that nothing is put off for ever.
    invariants: u32,
}

fn is_small_and_sane(interpreter: &Interpreter) -> bool {
    let options = Options {
        all: true,
        memory: 1 << 26,
        ..options()
    };
    let report = depth_first(interpreter, &mut (), &options, &mut ());
    report.stop == StopReason::Complete && report.statistics.states < 3000
}

/// What is looked for in a model.
struct Property<'p> {
    interpreter: &'p Interpreter,
    formula: Option<(&'p Formula, &'p [ExpressionId])>,
    claim: &'p Claim,
    watch: Watch,
    strength: Strength,
    /// Can it not tell how long a state lasts?
    stutters: bool,
    case: String,
}

impl Property<'_> {
    /// Is it violated? Asks in every way.
    fn check(&self, seen: &mut Seen) -> Verdict {
        let Property { claim, watch, .. } = *self;
        let product = Product::new(self.interpreter, claim, watch);
        let verdict = self.agree("full", &product, None, seen);
        match verdict {
            Verdict::Violated => seen.violated += 1,
            Verdict::Holds => seen.held += 1,
            Verdict::Stopped => seen.stopped += 1,
        }
        self.reduced("", self.interpreter, verdict, seen);
        if Cycles::enough_for(claim, watch, 1, true) == Cycles::Search && self.stutters {
            seen.invariants += 1;
            self.with_proviso(verdict, seen);
        }
        for all in [false, true] {
            let wanted = Structure {
                reset: true,
                merge: all,
                collapse: all,
            };
            let stutters = self.stutters && !watch.marks;
            let Some(program) = structured(self.interpreter, claim, wanted, stutters) else {
                continue;
            };
            seen.structured += 1;
            let product = Product::new(&program, claim, watch);
            let how = format!("structure, all {all}");
            let found = self.agree(&how, &product, None, seen);
            assert_eq!(verdict, found, "{how}: {}", self.case);
            self.reduced(&how, &program, verdict, seen);
        }
        verdict
    }

    /// Every reduction, with sticky transitions.
    fn reduced(&self, how: &str, program: &Interpreter, verdict: Verdict, seen: &mut Seen) {
        let Property { claim, watch, .. } = *self;
        if !self.stutters {
            let refused = Invisible::new(program, claim, watch, true);
            assert!(refused.is_err() || !watch.fair, "{}", self.case);
            return;
        }
        let product = Product::new(program, claim, watch);
        for (name, chooser) in CHOOSERS {
            let reduction =
                || Invisible::by(chooser(program)?, program, claim, watch, Cycles::Sticky);
            let Ok(reductions) = reduction().and_then(|one| Ok([one, reduction()?])) else {
                continue;
            };
            let how = format!("{how} {name}");
            let found = self.agree(&how, &product, Some(reductions), seen);
            assert_eq!(verdict, found, "{how}: {}", self.case);
        }
        for refined in [true, false] {
            let sets = Product::simultaneous(program, claim, watch, refined, Cycles::Sticky);
            let Ok(sets) = sets else { continue };
            let how = format!("{how} simultaneous, refined {refined}");
            let found = self.agree(&how, &sets, None, seen);
            assert_eq!(verdict, found, "{how}: {}", self.case);
        }
    }

    /// Every reduction, with the proviso of a search for what must never happen.
    fn with_proviso(&self, verdict: Verdict, seen: &mut Seen) {
        let Property {
            claim,
            watch,
            interpreter,
            ..
        } = *self;
        let options = Options {
            proviso: true,
            ..options()
        };
        let mut both = |how: &str, product: &Product<'_>, reduction: &mut dyn FnMut() -> Chosen| {
            let depth = depth_first(product, &mut reduction(), &options, &mut ());
            let breadth = breadth_first(product, &mut reduction(), &options, &mut ());
            for (order, report) in [("depth-first", depth), ("breadth-first", breadth)] {
                let how = format!("{how}, {order}");
                assert_eq!(
                    self.judged(&how, product, &report, seen),
                    verdict,
                    "{how}: {}",
                    self.case
                );
            }
        };
        let product = Product::new(interpreter, claim, watch);
        for (name, chooser) in CHOOSERS {
            let reduction = || {
                Invisible::by(
                    chooser(interpreter)?,
                    interpreter,
                    claim,
                    watch,
                    Cycles::Search,
                )
            };
            if reduction().is_ok() {
                both(name, &product, &mut || {
                    Chosen::Sets(Box::new(reduction().expect("as before")))
                });
            }
        }
        for refined in [true, false] {
            let sets = Product::simultaneous(interpreter, claim, watch, refined, Cycles::Search);
            if let Ok(sets) = sets {
                both("simultaneous", &sets, &mut || Chosen::Spares(SparesLast));
            }
        }
    }

    /// Is there a violation? Asks all searches.
    fn agree(
        &self,
        how: &str,
        product: &Product<'_>,
        reductions: Option<[Invisible; 2]>,
        seen: &mut Seen,
    ) -> Verdict {
        let options = options();
        let mut workers = match reductions {
            None => [Chosen::All, Chosen::All],
            Some(reductions) => reductions.map(|reduction| Chosen::Sets(Box::new(reduction))),
        };
        let two = parallel_nested(product, &mut workers, false, &options, &mut ());
        let one = parallel_nested(product, &mut workers[..1], false, &options, &mut ());
        let two_scc = parallel_components(product, &mut workers, &options, &mut ());
        let one_scc = parallel_components(product, &mut workers[..1], &options, &mut ());
        let weak = self.strength == Strength::Weak && !self.watch.fair;
        let two_weak =
            weak.then(|| parallel_nested(product, &mut workers, true, &options, &mut ()));
        let is_terminal = self.strength == Strength::Terminal;
        let two_plain = is_terminal.then(|| {
            let depth = depth_first_in(product, Tree::new(), &mut workers, &options, &mut ());
            let breadth = breadth_first_in(product, Tree::new(), &mut workers, &options, &mut ());
            [depth, breadth]
        });
        let [mut shared, _] = workers;
        let nested = nested_depth_first(product, &mut shared, false, &options, &mut ());
        seen.reduced += u32::from(nested.statistics.reduced > 0);
        let scc = components(product, &mut shared, &options, &mut ());
        let mut reports = vec![
            ("nested", nested),
            ("scc", scc),
            ("nested by a worker", one),
            ("nested by two", two),
            ("scc by a worker", one_scc),
            ("scc by two", two_scc),
        ];
        reports.extend(two_weak.map(|report| ("weak by two", report)));
        reports.extend(
            two_plain
                .into_iter()
                .flatten()
                .map(|report| ("plain by two", report)),
        );
        if weak {
            let report = nested_depth_first(product, &mut shared, true, &options, &mut ());
            reports.push(("weak", report));
        }
        if is_terminal {
            let report = depth_first(product, &mut shared, &options, &mut ());
            reports.push(("depth-first", report));
            let report = breadth_first(product, &mut shared, &options, &mut ());
            reports.push(("breadth-first", report));
        }
        let verdict = verdict(&reports[0].1);
        for (search, report) in &reports {
            let how = format!("{how}, {search}");
            assert_eq!(
                self.judged(&how, product, report, seen),
                verdict,
                "{how}: {}",
                self.case
            );
        }
        verdict
    }

    /// Was a violation found? Replays it, and makes it shorter.
    fn judged(
        &self,
        how: &str,
        product: &Product<'_>,
        report: &Report<Product<'_>>,
        seen: &mut Seen,
    ) -> Verdict {
        seen.searches += 1;
        if let Some(end) = &report.dead_end {
            let steps = product.system_steps(&end.steps);
            self.is_error(how, &end.defect, &steps);
        }
        for violation in &report.violations {
            match violation.defect {
                Defect::Cycle(from) => {
                    self.judge(how, product, &violation.steps, from);
                    let shorter = shorten(product, &violation.steps, from, 5000, &|| false);
                    if let Some((steps, from)) = shorter {
                        seen.shortened += 1;
                        assert!(steps.len() < violation.steps.len(), "{how}: {}", self.case);
                        self.judge(&format!("{how}, shorter"), product, &steps, from);
                    }
                }
                Defect::Failure(ProductFailure::Violated) => {
                    let steps = product.system_steps(&violation.steps);
                    let lasso = Lasso::replay(self.interpreter, &steps, None);
                    lasso.unwrap_or_else(|reason| panic!("{how}: {reason}: {}", self.case));
                }
                ref other => panic!("{how}: {other:?}: {}", self.case),
            }
        }
        verdict(report)
    }

    /// Takes the steps to a run-time error in the model itself.
    fn is_error(&self, how: &str, defect: &Defect<ProductFailure>, steps: &[Step]) {
        let Defect::Failure(ProductFailure::System(failure)) = defect else {
            panic!("{how}: {defect:?}: {}", self.case);
        };
        let (mut state, mut next, mut possible) = (Vec::new(), Vec::new(), Vec::new());
        if self.interpreter.initial(&mut state, &mut ()).is_err() {
            return;
        }
        for (number, step) in steps.iter().enumerate() {
            possible.clear();
            settled_steps(self.interpreter, &mut state, &mut possible);
            assert!(possible.contains(step), "{how}: {}", self.case);
            let outcome =
                self.interpreter
                    .execute(&state, *step, &mut next, &mut Vec::new(), &mut ());
            let is_last = number + 1 == steps.len();
            assert_eq!(outcome.is_error(), is_last, "{how}: {}", self.case);
            assert!(
                !is_last || outcome.failure == Some(*failure),
                "{how}: {}",
                self.case
            );
            std::mem::swap(&mut state, &mut next);
        }
    }

    /// Asks the property itself whether a cycle violates it.
    fn judge(&self, how: &str, product: &Product<'_>, steps: &[ProductStep], from: usize) {
        let mut from = product.system_steps(&steps[..from]).len();
        let mut steps = product.system_steps(steps);
        let lasso = Lasso::replay_structured(self.interpreter, &mut steps, &mut from);
        let judged = lasso.and_then(|lasso| {
            lasso.is_accepted(self.claim, self.watch.marks)?;
            if let Some((formula, atoms)) = self.formula {
                lasso.violates(formula, atoms)?;
            }
            if self.watch.fair {
                lasso.is_fair()?;
            }
            Ok(())
        });
        judged.unwrap_or_else(|reason| panic!("{how}: {reason}: {}", self.case));
    }
}

type MakeChooser = fn(&Interpreter) -> Result<Chooser, NotSound>;

/// Every way to choose sets of steps.
const CHOOSERS: [(&str, MakeChooser); 4] = [
    ("stubborn, refined", |program| stubborn(program, true)),
    ("stubborn", |program| stubborn(program, false)),
    ("ample", |program| {
        let sets = Persistent::ample(program, true);
        sets.map(Chooser::Persistent)
            .map_err(|reason| NotSound(reason.0.into()))
    }),
    ("persistent", |program| {
        let sets = Persistent::new(program, true, Information::Run);
        sets.map(Chooser::Persistent)
            .map_err(|reason| NotSound(reason.0.into()))
    }),
];

fn stubborn(program: &Interpreter, refined: bool) -> Result<Chooser, NotSound> {
    let sets = Stubborn::new(program, refined).map_err(|reason| NotSound(reason.0.into()))?;
    Ok(Chooser::Stubborn(Box::new(sets)))
}

/// What a search says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Verdict {
    Violated,
    Holds,
    /// A run-time error ends an execution of which the property says more.
    Stopped,
}

fn verdict(report: &Report<Product<'_>>) -> Verdict {
    match report.stop {
        StopReason::Violation => Verdict::Violated,
        StopReason::Complete if report.dead_end.is_some() => Verdict::Stopped,
        StopReason::Complete => Verdict::Holds,
        other => panic!("{other:?}"),
    }
}

/// Which steps are taken.
enum Chosen {
    All,
    Sets(Box<Invisible>),
    Spares(SparesLast),
}

impl Reduction<Product<'_>> for Chosen {
    fn select(&mut self, product: &Product<'_>, state: &[u8], steps: &mut [ProductStep]) -> usize {
        match self {
            Chosen::All => steps.len(),
            Chosen::Sets(reduction) => reduction.select(product, state, steps),
            Chosen::Spares(spares) => spares.select(product, state, steps),
        }
    }
}

/// Conditions on shared variables, and places of processes.
fn atoms(program: &mut Program, random: &mut Random) -> Vec<ExpressionId> {
    let push = |program: &mut Program, expression: Expression| {
        program.expressions.push(expression);
        ExpressionId(program.expressions.len() as u32 - 1)
    };
    let mut atoms = Vec::new();
    while atoms.len() < 3 {
        let scalars: Vec<_> = program
            .shared
            .iter()
            .filter(|variable| variable.length.is_none())
            .map(|variable| (variable.offset, variable.kind))
            .collect();
        if random.chance(30) || scalars.is_empty() {
            let which = random.below(program.process_types.len());
            let range = program.process_types[which].locations.clone();
            let location = range.start as usize + random.below(range.len().max(1));
            let number = program.locations[location].number;
            let at = Expression::At {
                process_type: ProcessTypeId(which as u32),
                process: None,
                number,
            };
            atoms.push(push(program, at));
            continue;
        }
        let (offset, kind) = *random.pick(&scalars);
        program.places.push(Place {
            base: Base::Shared,
            offset,
            kind,
            indices: 0..0,
        });
        let place = PlaceId(program.places.len() as u32 - 1);
        let load = push(program, Expression::Load(place));
        let constant = push(program, Expression::Constant(random.below(3) as i32));
        let operator = *random.pick(&[BinaryOperator::Equal, BinaryOperator::Greater]);
        let compare = Expression::Binary(operator, load, constant);
        atoms.push(push(program, compare));
    }
    atoms
}

fn formula(random: &mut Random, size: usize, atoms: u32, next: bool) -> Formula {
    use Formula::*;
    if size <= 1 {
        return Atom(random.below(atoms as usize) as u32);
    }
    if size == 2 || random.chance(35) {
        let inner = Box::new(formula(random, size - 1, atoms, next));
        return match random.below(if next { 6 } else { 5 }) {
            0 => Not(inner),
            1 | 2 => Always(inner),
            3 | 4 => Eventually(inner),
            _ => Next(inner),
        };
    }
    let left = 1 + random.below(size - 2);
    let right = Box::new(formula(random, size - 1 - left, atoms, next));
    let left = Box::new(formula(random, left, atoms, next));
    match random.below(7) {
        0 => And(left, right),
        1 => Or(left, right),
        2 | 3 => Implies(left, right),
        4 => Release(left, right),
        5 => WeakUntil(left, right),
        _ => Until(left, right),
    }
}
