//! Random formulas about random machines, multi-port and virtual ones: the simultaneous graph and every kind of set of
//! invisible steps give the verdict of the full product, by each search for cycles, and so for livelocks and
//! for acceptance marks. Each violation is judged anew by the definition of the property.
//!
//! `MACHINES` says how many systems of each notation, `MACHINES_SEED` where to begin; `scripts/simultaneous` and
//! `scripts/networks` run many.

use std::sync::atomic::AtomicBool;

use mazurka_differential::formula::formula;
use mazurka_differential::random::Random;
use mazurka_differential::{machines, network};
use mazurka_ltl::Formula;
use mazurka_model::{Claim, Expression, ExpressionId, Interpreter, Program};
use mazurka_reduce::{Chooser, Information, Persistent, Processors, Stubborn, Unsupported};
use mazurka_search::emptiness::{
    components, nested_depth_first, parallel_components, parallel_nested,
};
use mazurka_search::{Defect, Options, Report, StopReason, breadth_first, depth_first};
use mazurka_span::SourceMap;
use mazurka_temporal::{
    Cycles, Invisible, Lasso, NotShown, Product, ProductFailure, SparesLast, Structure, Watch,
    acceptance, claim_of, livelock, structured,
};

const FORMULAS: usize = 3;
const MOST_STATES: u64 = 3000;

static NEVER: AtomicBool = AtomicBool::new(false);

fn number(name: &str, default: u64) -> u64 {
    let given = std::env::var(name).ok();
    given.and_then(|text| text.parse().ok()).unwrap_or(default)
}

fn options() -> Options<'static> {
    Options {
        alone: 0,
        deadlock: false,
        failures: true,
        proviso: false,
        all: false,
        depth: None,
        memory: 1 << 30,
        deadline: None,
        interrupt: &NEVER,
    }
}

/// What a search says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Verdict {
    Violated,
    Holds,
    /// An error of the system ends an execution of which the property says more.
    Stopped,
}

#[derive(Default, Debug)]
struct Seen {
    systems: u64,
    held: u64,
    violated: u64,
    /// Properties that an error of the system keeps from being decided.
    stopped: u64,
    /// Formulas that say that something never happens.
    invariants: u64,
    /// Cycles through accepting places.
    accepted: u64,
    /// Programs made smaller.
    structured: u64,
    /// States of all products in full, with stubborn sets, and of the simultaneous graphs.
    full: u64,
    stubborn: u64,
    simultaneous: u64,
    /// And of those where it is found beforehand what must be explored in full.
    foreseen: u64,
}

/// A property: what is accepted is a violation.
struct Property<'p> {
    claim: Claim,
    watch: Watch,
    formula: Option<(&'p Formula, &'p [ExpressionId])>,
}

#[test]
fn formulas_about_multi_port_machines() {
    let first = number("MACHINES_SEED", 1);
    let count = number("MACHINES", 100);
    let mut seen = Seen::default();
    for seed in first..first + count {
        let system = machines::System::random(seed);
        let random = &mut Random::new(seed);
        let atoms = system.atoms(random);
        let mut text = system.text();
        for (number, formula) in formulas(random, &atoms).iter().enumerate() {
            text += &format!("ltl f{number} {{ {formula} }}\n");
        }
        let mut map = SourceMap::new();
        let compiled = mazurka_efsm::compile(&mut map, "m.efsm", text.as_bytes(), &[]);
        let compiled = compiled.unwrap_or_else(|errors| panic!("{errors:?}\n{text}"));
        let formulas = compiled.formulas.iter();
        let formulas: Vec<_> = formulas
            .map(|f| (f.formula.clone(), f.atoms.clone()))
            .collect();
        compare(
            compiled.program,
            random,
            &formulas,
            &format!("seed {seed}\n{text}"),
            &mut seen,
        );
    }
    finish(&seen);
}

#[test]
fn formulas_about_virtual_machines() {
    let first = number("MACHINES_SEED", 1);
    let count = number("MACHINES", 100);
    let mut seen = Seen::default();
    for seed in first..first + count {
        let system = network::generate(seed);
        let random = &mut Random::new(seed);
        let atoms = system.atoms(random);
        let mut text = system.text();
        for (number, formula) in formulas(random, &atoms).iter().enumerate() {
            text += &format!("ltl f{number}: {formula};\n");
        }
        let mut map = SourceMap::new();
        let compiled = mazurka_vfsm::compile(&mut map, "m.vfsm", text.as_bytes());
        let compiled = compiled.unwrap_or_else(|errors| panic!("{errors:?}\n{text}"));
        let formulas = compiled.formulas.iter();
        let formulas: Vec<_> = formulas
            .map(|f| (f.formula.clone(), f.atoms.clone()))
            .collect();
        compare(
            compiled.program,
            random,
            &formulas,
            &format!("seed {seed}\n{text}"),
            &mut seen,
        );
    }
    finish(&seen);
}

fn formulas(random: &mut Random, atoms: &[String]) -> Vec<String> {
    let mut one = || {
        if random.chance(30) {
            let (a, b) = (random.pick(atoms).clone(), random.pick(atoms).clone());
            return format!("[] !(({a}) && ({b}))");
        }
        let size = 2 + random.below(7);
        formula(random, size, atoms)
    };
    (0..FORMULAS).map(|_| one()).collect()
}

fn finish(seen: &Seen) {
    eprintln!("{seen:?}");
    assert!(seen.violated > 0 && seen.held > 0 && seen.stopped > 0 && seen.accepted > 0);
    assert!(seen.stubborn < seen.full && seen.simultaneous < seen.full);
    assert!(seen.foreseen < seen.simultaneous, "{seen:?}");
}

/// All properties of one system.
fn compare(
    mut program: Program,
    random: &mut Random,
    formulas: &[(Formula, Vec<ExpressionId>)],
    case: &str,
    seen: &mut Seen,
) {
    let no_progress = ExpressionId(program.expressions.len() as u32);
    program.expressions.push(Expression::NoProgress);
    for location in &mut program.locations {
        location.accept = random.chance(10);
    }
    let interpreter = Interpreter::new(program);
    let all = Options {
        all: true,
        ..options()
    };
    let report = depth_first(&interpreter, &mut (), &all, &mut ());
    if report.stop != StopReason::Complete || report.statistics.states > MOST_STATES {
        return;
    }
    seen.systems += 1;
    let watch = |marks: bool, stutter: bool| Watch {
        marks,
        stutter,
        fair: false,
        total: true,
    };
    for (formula, atoms) in formulas {
        let property = Property {
            claim: claim_of("p", formula, atoms).expect("small").0,
            watch: watch(false, true),
            formula: Some((formula, atoms)),
        };
        agree(&interpreter, &property, case, seen);
    }
    let property = Property {
        claim: livelock(no_progress),
        watch: watch(false, false),
        formula: None,
    };
    agree(&interpreter, &property, case, seen);
    let property = Property {
        claim: acceptance(),
        watch: watch(true, true),
        formula: None,
    };
    let verdict = agree(&interpreter, &property, case, seen);
    seen.accepted += u64::from(verdict == Verdict::Violated);
}

fn agree(
    interpreter: &Interpreter,
    property: &Property<'_>,
    case: &str,
    seen: &mut Seen,
) -> Verdict {
    let case = &format!("{}, {:?}, {case}", property.claim.name, property.formula);
    let (claim, watch) = (&property.claim, property.watch);
    let judge = |how: &str, product: &Product<'_>, report: &Report<Product<'_>>| {
        judge(interpreter, property, how, product, report, case)
    };
    let options = options();
    let product = Product::new(interpreter, claim, watch);
    let full = nested_depth_first(&product, &mut (), false, &options, &mut ());
    let verdict = judge("full", &product, &full);
    match verdict {
        Verdict::Violated => seen.violated += 1,
        Verdict::Holds => seen.held += 1,
        Verdict::Stopped => seen.stopped += 1,
    }
    // What is seen until a violation is found says nothing.
    let states = |report: &Report<Product<'_>>| match verdict {
        Verdict::Violated => 0,
        Verdict::Holds | Verdict::Stopped => report.statistics.states,
    };
    seen.full += states(&full);
    for refined in [true, false] {
        let Ok(mut invisible) = Invisible::new(interpreter, claim, watch, refined) else {
            seen.stubborn += states(&full);
            seen.simultaneous += states(&full);
            seen.foreseen += states(&full);
            continue;
        };
        let how = format!("stubborn, refined {refined}");
        let found = nested_depth_first(&product, &mut invisible, false, &options, &mut ());
        assert_eq!(judge(&how, &product, &found), verdict, "{how}: {case}");
        for cycles in [Cycles::Sticky, Cycles::Foreseen] {
            let how = format!("simultaneous, refined {refined}, {cycles:?}");
            let sets = Product::simultaneous(interpreter, claim, watch, refined, cycles);
            let sets = sets.unwrap_or_else(|reason| panic!("{}: {case}", reason.0));
            let simultaneous = nested_depth_first(&sets, &mut (), false, &options, &mut ());
            assert_eq!(judge(&how, &sets, &simultaneous), verdict, "{how}: {case}");
            let found_scc = components(&sets, &mut (), &options, &mut ());
            let scc = judge(&how, &sets, &found_scc);
            assert_eq!(scc, verdict, "components, {how}: {case}");
            let several = parallel_nested(&sets, &mut [(), ()], false, &options, &mut ());
            let several = judge(&how, &sets, &several);
            assert_eq!(several, verdict, "workers, {how}: {case}");
            let several = parallel_components(&sets, &mut [(), ()], &options, &mut ());
            let several = judge(&how, &sets, &several);
            assert_eq!(several, verdict, "components by workers, {how}: {case}");
            match cycles {
                _ if !refined => {}
                Cycles::Foreseen => seen.foreseen += states(&simultaneous),
                _ => seen.simultaneous += states(&simultaneous),
            }
        }
        if refined {
            seen.stubborn += states(&found);
        }
    }
    for ((how, one), (_, other)) in choosers(interpreter).into_iter().zip(choosers(interpreter)) {
        let reduction = |chooser| {
            Invisible::by(chooser, interpreter, claim, watch, Cycles::Sticky)
                .unwrap_or_else(|reason| panic!("{}: {case}", reason.0))
        };
        let workers = &mut [reduction(one), reduction(other)];
        let nested = nested_depth_first(&product, &mut workers[0], false, &options, &mut ());
        let scc = components(&product, &mut workers[0], &options, &mut ());
        let several = parallel_nested(&product, workers, false, &options, &mut ());
        let scc_of_several = parallel_components(&product, workers, &options, &mut ());
        for (search, report) in [
            ("nested", nested),
            ("components", scc),
            ("workers", several),
            ("components by workers", scc_of_several),
        ] {
            let found = judge(how, &product, &report);
            assert_eq!(found, verdict, "{search}, {how}: {case}");
        }
    }
    let all = Structure {
        reset: true,
        merge: true,
        collapse: true,
    };
    if let Some(program) = structured(interpreter, claim, all, !watch.marks) {
        seen.structured += 1;
        let product = Product::new(&program, claim, watch);
        let full = nested_depth_first(&product, &mut (), false, &options, &mut ());
        let mut reports = vec![("full", judge("structure", &product, &full))];
        for (how, chooser) in choosers(&program) {
            let mut reduction = Invisible::by(chooser, &program, claim, watch, Cycles::Sticky)
                .unwrap_or_else(|reason| panic!("{}: {case}", reason.0));
            let found = nested_depth_first(&product, &mut reduction, false, &options, &mut ());
            reports.push((how, judge(how, &product, &found)));
        }
        let sets = Product::simultaneous(&program, claim, watch, true, Cycles::Sticky);
        if let Ok(sets) = sets {
            let found = nested_depth_first(&sets, &mut (), false, &options, &mut ());
            reports.push(("simultaneous", judge("simultaneous", &sets, &found)));
        }
        for (how, found) in reports {
            assert_eq!(found, verdict, "structure, {how}: {case}");
        }
    }
    if Cycles::enough_for(claim, watch, 1, true) == Cycles::Sticky {
        for (how, chooser) in choosers(interpreter) {
            let refused = Invisible::by(chooser, interpreter, claim, watch, Cycles::Search);
            assert!(refused.is_err(), "{how}: {case}");
        }
        let refused = Product::simultaneous(interpreter, claim, watch, true, Cycles::Search);
        assert!(refused.is_err(), "{case}");
        return verdict;
    }
    // The search has to see to it that nothing is put off for ever.
    seen.invariants += 1;
    let options = Options {
        proviso: true,
        ..options
    };
    for (how, chooser) in choosers(interpreter) {
        let mut reduction = Invisible::by(chooser, interpreter, claim, watch, Cycles::Search)
            .unwrap_or_else(|reason| panic!("{}: {case}", reason.0));
        let found = depth_first(&product, &mut reduction, &options, &mut ());
        assert_eq!(
            judge(how, &product, &found),
            verdict,
            "depth, {how}: {case}"
        );
        let found = breadth_first(&product, &mut reduction, &options, &mut ());
        assert_eq!(
            judge(how, &product, &found),
            verdict,
            "breadth, {how}: {case}"
        );
    }
    for refined in [true, false] {
        let sets = Product::simultaneous(interpreter, claim, watch, refined, Cycles::Search);
        let Ok(sets) = sets else { continue };
        let how = &format!("simultaneous, refined {refined}");
        let found = depth_first(&sets, &mut SparesLast, &options, &mut ());
        assert_eq!(judge(how, &sets, &found), verdict, "depth, {how}: {case}");
        let found = breadth_first(&sets, &mut SparesLast, &options, &mut ());
        assert_eq!(judge(how, &sets, &found), verdict, "breadth, {how}: {case}");
    }
    verdict
}

/// Every way to choose sets that is known for the system.
fn choosers(interpreter: &Interpreter) -> Vec<(&'static str, Chooser)> {
    let mut all = Vec::new();
    let mut push = |how, chooser: Result<Chooser, Unsupported>| {
        if let Ok(chooser) = chooser {
            all.push((how, chooser));
        }
    };
    let stubborn = Stubborn::new(interpreter, true);
    push("stubborn", stubborn.map(Box::new).map(Chooser::Stubborn));
    let machines = interpreter.program().process_types.iter();
    let are_virtual = machines.into_iter().any(|process| process.machine);
    for information in [Information::Machine, Information::State, Information::Run] {
        let sets = match are_virtual {
            true => Processors::new(interpreter, information, true)
                .map(Box::new)
                .map(Chooser::Processors),
            false => Persistent::new(interpreter, true, information).map(Chooser::Persistent),
        };
        push("persistent", sets);
    }
    let ample = Persistent::ample(interpreter, true);
    push("ample", ample.map(Chooser::Persistent));
    all
}

/// Was a violation found? Replays it and asks the property itself.
fn judge(
    interpreter: &Interpreter,
    property: &Property<'_>,
    how: &str,
    product: &Product<'_>,
    report: &Report<Product<'_>>,
    case: &str,
) -> Verdict {
    for violation in &report.violations {
        let mut steps = product.system_steps(&violation.steps);
        let sound = |lasso: Result<_, NotShown>| {
            lasso.unwrap_or_else(|reason| panic!("{how}: {reason}: {case}"))
        };
        match violation.defect {
            Defect::Cycle(from) => {
                let mut from = product.system_steps(&violation.steps[..from]).len();
                let lasso = Lasso::replay_structured(interpreter, &mut steps, &mut from);
                let lasso: Lasso<'_> = sound(lasso);
                let accepted = lasso.is_accepted(&property.claim, property.watch.marks);
                accepted.expect(case);
                if let Some((formula, atoms)) = property.formula {
                    lasso.violates(formula, atoms).expect(case);
                }
            }
            Defect::Failure(ProductFailure::Violated) => {
                let lasso = sound(Lasso::replay(interpreter, &steps, None));
                lasso.is_accepted(&property.claim, false).expect(case);
            }
            ref other => panic!("{how}: {other:?}: {case}"),
        }
    }
    match report.stop {
        StopReason::Violation => Verdict::Violated,
        StopReason::Complete if report.dead_end.is_some() => Verdict::Stopped,
        StopReason::Complete => Verdict::Holds,
        other => panic!("{how}: {other:?}: {case}"),
    }
}
