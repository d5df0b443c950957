//! Random formulas about random models: every way to look for a violation finds one, or none does.
//!
//! Compared are the emptiness algorithms, one and two workers, with and without reduction and structural reductions, fair or not. Each
//! violation is judged anew by the definition of the formula. `TEMPORAL_MODELS` says how many
//! models, `TEMPORAL_SEED` where to begin; `scripts/temporal` runs many.

use std::sync::atomic::AtomicBool;

use mazurka_differential::features::Features;
use mazurka_differential::generate::generate;
use mazurka_differential::print::print;
use mazurka_differential::random::Random;
use mazurka_ltl::{Formula, Strength};
use mazurka_model::{
    Base, BinaryOperator, Expression, ExpressionId, Interpreter, Place, PlaceId, ProcessTypeId,
    Program,
};
use mazurka_promela::{MemoryLoader, compile};
use mazurka_reduce::{Chooser, Information, Persistent};
use mazurka_search::emptiness::{components, nested_depth_first, parallel_nested, shorten};
use mazurka_search::{Defect, Options, Reduction, Report, StopReason, breadth_first, depth_first};
use mazurka_span::SourceMap;
use mazurka_temporal::{
    Cycles, Invisible, Lasso, Product, ProductFailure, ProductStep, Structure, Watch, acceptance,
    claim_of, livelock, structured,
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
        alone: Options::ALONE,
        interrupt: &NEVER,
    }
}

#[test]
fn all_searches_agree() {
    let first = number("TEMPORAL_SEED", 1);
    let count = number("TEMPORAL_MODELS", 25);
    let mut seen = Seen::default();
    for seed in first..first + count {
        let mut random = Random::new(seed);
        let text = print(&generate(seed, Features::default()));
        let mut map = SourceMap::new();
        let loader = MemoryLoader::default();
        let compiled = compile(&mut map, "model.pml", text.as_bytes(), &[], &loader);
        let Ok(compiled) = compiled else { continue };
        let mut program = compiled.program;
        let atoms = atoms(&mut program, &mut random);
        let no_progress = ExpressionId(program.expressions.len() as u32);
        program.expressions.push(Expression::NoProgress);
        let interpreter = Interpreter::new(program);
        if !is_small_and_sane(&interpreter) {
            continue;
        }
        seen.models += 1;
        for _ in 0..6 {
            let size = 2 + random.below(9);
            let next = random.chance(20);
            let formula = formula(&mut random, size, atoms.len() as u32, next);
            for fair in [false, true] {
                let case = format!("seed {seed}, fair {fair}, {formula:?}\n{text}");
                formula_case(&interpreter, &formula, &atoms, fair, &case, &mut seen);
            }
        }
        for fair in [false, true] {
            let case = format!("seed {seed}, fair {fair}\n{text}");
            // As the command line has it: a system that stops has no livelock, but it may stop
            // in an accepting state for ever.
            let watch = |marks| Watch {
                marks,
                stutter: marks,
                fair,
                assertions: false,
            };
            let progress = livelock(no_progress);
            let accepting = acceptance();
            for (claim, watch) in [(&progress, watch(false)), (&accepting, watch(true))] {
                let product = Product::new(&interpreter, claim, watch);
                let judge = |lasso: &Lasso<'_>| {
                    lasso.is_accepted(claim, watch.marks).expect(&case);
                    if fair {
                        lasso.is_fair().expect(&case);
                    }
                };
                let verdict = agree(&interpreter, &product, None, None, &case, &mut seen, judge);
                let wanted = Structure {
                    reset: true,
                    merge: true,
                    collapse: true,
                };
                if let Some(program) = structured(&interpreter, claim, wanted, false) {
                    let product = Product::new(&program, claim, watch);
                    let found = agree(&interpreter, &product, None, None, &case, &mut seen, judge);
                    assert_eq!(verdict, found, "structure: {case}");
                }
                if fair || !watch.marks {
                    continue;
                }
                for refined in [true, false] {
                    let reduction = || Invisible::new(&interpreter, claim, true, refined);
                    let mut reductions = pair(reduction);
                    let reductions = reductions.as_mut();
                    let reduced = agree(
                        &interpreter,
                        &product,
                        None,
                        reductions,
                        &case,
                        &mut seen,
                        judge,
                    );
                    assert_eq!(verdict, reduced, "acceptance, reduction: {case}");
                }
            }
        }
    }
    eprintln!("{seen:?}");
    assert!(
        seen.violated > 0
            && seen.held > 0
            && seen.reduced > 0
            && seen.shortened > 0
            && seen.structured > 0
    );
}

#[derive(Default, Debug)]
struct Seen {
    models: u32,
    held: u32,
    violated: u32,
    /// Searches in which a reduction left something out.
    reduced: u32,
    /// Counterexamples that were made shorter.
    shortened: u32,
    /// Programs made smaller.
    structured: u32,
}

fn is_small_and_sane(interpreter: &Interpreter) -> bool {
    let options = Options {
        all: true,
        ..options()
    };
    let report = depth_first(interpreter, &mut (), &options, &mut ());
    let only_assertions = report.violations.iter().all(|violation| {
        matches!(
            violation.defect,
            Defect::Failure(mazurka_model::Failure::Assertion(_)) | Defect::Deadlock
        )
    });
    report.stop == StopReason::Complete && only_assertions && report.statistics.states < 3000
}

fn formula_case(
    interpreter: &Interpreter,
    formula: &Formula,
    atoms: &[ExpressionId],
    fair: bool,
    case: &str,
    seen: &mut Seen,
) {
    let (claim, strength) = claim_of("p", formula, atoms).expect("small");
    let watch = Watch {
        marks: false,
        stutter: true,
        fair,
        assertions: false,
    };
    let product = Product::new(interpreter, &claim, watch);
    let judge = |lasso: &Lasso<'_>| {
        lasso.violates(formula, atoms).expect(case);
        lasso.is_accepted(&claim, false).expect(case);
        if fair {
            lasso.is_fair().expect(case);
        }
    };
    let strength = Some(strength);
    let verdict = agree(interpreter, &product, strength, None, case, seen, judge);
    let stutters = !fair && !formula.has_next();
    for refined in [true, false] {
        let sets = Product::simultaneous(interpreter, &claim, watch, refined, Cycles::Sticky);
        if let Some(sets) = sets.ok().filter(|_| stutters) {
            let found = agree(interpreter, &sets, strength, None, case, seen, judge);
            assert_eq!(verdict, found, "simultaneous: {case}");
        }
    }
    let ample = || Persistent::ample(interpreter, true);
    let persistent = || Persistent::new(interpreter, true, Information::Run);
    for sets in [&ample as &dyn Fn() -> _, &persistent] {
        let reduction = || {
            let chooser = Chooser::Persistent(sets().map_err(|_| ())?);
            Invisible::by(chooser, interpreter, &claim, false, Cycles::Sticky).map_err(|_| ())
        };
        if let Some(mut pair) = pair(reduction).filter(|_| stutters) {
            let pair = Some(&mut pair);
            let found = agree(interpreter, &product, strength, pair, case, seen, judge);
            assert_eq!(verdict, found, "sets of processes: {case}");
        }
    }
    let mut programs = vec![None];
    for merge in [false, true] {
        let wanted = Structure {
            reset: true,
            merge,
            collapse: merge,
        };
        programs.push(structured(interpreter, &claim, wanted, stutters));
    }
    for (number, program) in programs.iter().enumerate() {
        if number > 0 {
            let Some(program) = program else { continue };
            seen.structured += 1;
            let product = Product::new(program, &claim, watch);
            let found = agree(interpreter, &product, strength, None, case, seen, judge);
            assert_eq!(verdict, found, "structure {number}: {case}");
        }
        let program = program.as_ref().unwrap_or(interpreter);
        let product = Product::new(program, &claim, watch);
        for refined in [true, false] {
            let reduction = || Invisible::new(program, &claim, false, refined);
            let Some(mut reductions) = pair(reduction).filter(|_| stutters) else {
                continue;
            };
            let reductions = Some(&mut reductions);
            let found = agree(
                interpreter,
                &product,
                strength,
                reductions,
                case,
                seen,
                judge,
            );
            assert_eq!(verdict, found, "reduction, structure {number}: {case}");
        }
    }
}

/// Is there a violation? Asks all searches.
fn agree(
    original: &Interpreter,
    product: &Product<'_>,
    strength: Option<Strength>,
    reductions: Option<&mut [Invisible; 2]>,
    case: &str,
    seen: &mut Seen,
    judge: impl Fn(&Lasso<'_>),
) -> bool {
    let options = options();
    let mut workers = match reductions {
        None => [Maybe(None), Maybe(None)],
        Some(reductions) => reductions
            .each_mut()
            .map(|reduction| Maybe(Some(reduction))),
    };
    let two = parallel_nested(product, &mut workers, &options, &mut ());
    let one = parallel_nested(product, &mut workers[..1], &options, &mut ());
    let [mut shared, _] = workers;
    let nested = nested_depth_first(product, &mut shared, false, &options, &mut ());
    seen.reduced += u32::from(nested.statistics.reduced > 0);
    let scc = components(product, &mut shared, &options, &mut ());
    let mut reports = vec![
        ("nested", nested),
        ("scc", scc),
        ("a worker", one),
        ("two workers", two),
    ];
    match strength {
        Some(Strength::Terminal) => {
            let report = depth_first(product, &mut shared, &options, &mut ());
            reports.push(("depth-first", report));
            let report = breadth_first(product, &mut shared, &options, &mut ());
            reports.push(("breadth-first", report));
        }
        Some(Strength::Weak) if !case.contains("fair true") => {
            let report = nested_depth_first(product, &mut shared, true, &options, &mut ());
            reports.push(("weak", report));
        }
        _ => {}
    }
    let verdict = violated(&reports[0].1);
    match verdict {
        true => seen.violated += 1,
        false => seen.held += 1,
    }
    for (how, report) in &reports {
        assert_eq!(violated(report), verdict, "{how} against nested: {case}");
        for violation in &report.violations {
            let mut steps = product.system_steps(&violation.steps);
            match violation.defect {
                Defect::Cycle(start) => {
                    let mut from = product.system_steps(&violation.steps[..start]).len();
                    let lasso = Lasso::replay_structured(original, &mut steps, &mut from);
                    judge(&lasso.unwrap_or_else(|reason| panic!("{how}: {reason}: {case}")));
                    let shorter = shorten(product, &violation.steps, start, 5000);
                    let Some((steps, from)) = shorter else {
                        continue;
                    };
                    seen.shortened += 1;
                    assert!(steps.len() < violation.steps.len(), "{how}: {case}");
                    let mut from = product.system_steps(&steps[..from]).len();
                    let mut steps = product.system_steps(&steps);
                    let lasso = Lasso::replay_structured(original, &mut steps, &mut from);
                    judge(&lasso.unwrap_or_else(|reason| panic!("shorter: {reason}: {case}")));
                }
                Defect::Failure(ProductFailure::Violated) => {
                    let lasso = Lasso::replay(original, &steps, None);
                    lasso.unwrap_or_else(|reason| panic!("{how}: {reason}: {case}"));
                }
                ref other => panic!("{how}: {other:?}: {case}"),
            }
        }
    }
    verdict
}

/// A reduction for each of two workers.
fn pair<E>(reduction: impl Fn() -> Result<Invisible, E>) -> Option<[Invisible; 2]> {
    Some([reduction().ok()?, reduction().ok()?])
}

fn violated(report: &Report<Product<'_>>) -> bool {
    match report.stop {
        StopReason::Violation => true,
        StopReason::Complete => false,
        other => panic!("{other:?}"),
    }
}

struct Maybe<'r>(Option<&'r mut Invisible>);

impl Reduction<Product<'_>> for Maybe<'_> {
    fn select(&mut self, product: &Product<'_>, state: &[u8], steps: &mut [ProductStep]) -> usize {
        match &mut self.0 {
            Some(reduction) => reduction.select(product, state, steps),
            None => steps.len(),
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
