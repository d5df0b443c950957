//! Errors planted into what a search relies on: the audit notices each of them.

mod support;

use std::ops::Range;
use std::sync::atomic::AtomicBool;

use mazurka_audit::{Audited, Auditor, Kind, Proviso, Share, Tally, finish, locate};
use mazurka_model::{Interpreter, Step};
use mazurka_promela::{MemoryLoader, compile};
use mazurka_reduce::{Chooser, SetsFirst, Simultaneous, Stubborn};
use mazurka_search::store::{Crowded, Folded, Insertion, Store, Tree};
use mazurka_search::{Reduction, StopReason, depth_first_in};
use mazurka_span::SourceMap;
use mazurka_temporal::{Product, ProductStep, Watch, claim_of};
use support::{Order, audit, audit_in, options, program};

/// A reduction that says what it likes.
struct Liar {
    /// The process whose steps are always enough.
    enough: Option<u32>,
    independent: bool,
}

const HONEST: Liar = Liar {
    enough: None,
    independent: false,
};

impl Liar {
    fn choose<S>(&self, steps: &mut [S], process: impl Fn(&S) -> Option<u32>) -> usize {
        let is_chosen = |step: &S| self.enough.is_some() && process(step) == self.enough;
        steps.sort_by_key(|step| !is_chosen(step));
        match steps.iter().filter(|step| is_chosen(step)).count() {
            0 => steps.len(),
            chosen => chosen,
        }
    }
}

impl Reduction<Interpreter> for Liar {
    fn select(&mut self, _: &Interpreter, _: &[u8], steps: &mut [Step]) -> usize {
        self.choose(steps, |step| Some(step.process))
    }

    fn independent(&mut self, _: &Interpreter, _: &[u8], _: Step, _: Step) -> bool {
        self.independent
    }
}

impl Reduction<Product<'_>> for Liar {
    fn select(&mut self, _: &Product<'_>, _: &[u8], steps: &mut [ProductStep]) -> usize {
        let process = |step: &ProductStep| match step.what {
            mazurka_temporal::What::Step(step) => Some(step.process),
            _ => self.enough,
        };
        self.choose(steps, process)
    }
}

fn interpreter(text: &str) -> Interpreter {
    Interpreter::new(program(text).unwrap())
}

#[track_caller]
fn notices(tally: &Tally, kind: Kind) {
    let is_noticed = tally.findings.iter().any(|finding| finding.kind == kind);
    assert!(is_noticed, "{kind:?}: {tally:?}");
    assert!(tally.failures > 0);
}

#[track_caller]
fn passes(tally: &Tally) {
    assert!(tally.findings.is_empty(), "{tally:?}");
    assert!(tally.states > 0);
}

const WRITERS: &str = "byte x; active proctype P() { x = 1 } active proctype Q() { x = 2 }";
const STRANGERS: &str =
    "byte x, y; active proctype P() { x = 1; x = 2 } active proctype Q() { y = 2; y = 1 }";

#[test]
fn a_pair_that_is_not_independent() {
    let lie = || Liar {
        independent: true,
        ..HONEST
    };
    for order in [Order::DepthFirst, Order::Sleeping, Order::BreadthFirst] {
        notices(&audit(&interpreter(WRITERS), None, lie, order), Kind::Pair);
        passes(&audit(&interpreter(STRANGERS), None, lie, order));
    }
}

#[test]
fn pairs_that_fail_otherwise() {
    let lie = || Liar {
        independent: true,
        ..HONEST
    };
    let guard = "byte x = 1; active proctype P() { end: (1 / x) > 2 }
        active proctype Q() { x = 0 }";
    let assertion = "byte x; active proctype P() { assert(x == 0) } active proctype Q() { x = 1 }";
    let atomic = "byte x; active proctype P() { atomic { skip; x = 1; x = 3 } }
        active proctype Q() { atomic { skip; x = x + 1 } }";
    let rendezvous = "chan c = [0] of { byte }; byte x;
        active proctype P() { c!1 } active proctype Q() { c?_ } active proctype R() { c?_; x = 1 }
        active proctype S() { if :: c!2 :: x == 1 fi }";
    for text in [assertion, atomic, rendezvous] {
        let tally = audit(&interpreter(text), None, lie, Order::DepthFirst);
        notices(&tally, Kind::Pair);
    }
    // To be possible is to fail here: the step that only fails is the one that a set must not forget.
    let enough = || Liar {
        enough: Some(1),
        ..HONEST
    };
    let zero = guard
        .replace("byte x = 1", "byte x = 0")
        .replace("x = 0 }", "x = 1 }");
    let tally = audit(&interpreter(&zero), None, enough, Order::DepthFirst);
    notices(&tally, Kind::Set);
}

#[test]
fn a_set_that_is_not_persistent() {
    let lie = || Liar {
        enough: Some(0),
        ..HONEST
    };
    // Only in the third step does Q do what P depends on.
    let later = "byte x, y; active proctype P() { x = 1 }
        active proctype Q() { y = 1; y = 2; y = 3; x = 2 }";
    // R may take the message that Q is to take, once it is ready to.
    let receiver = "chan c = [0] of { byte }; byte y;
        active proctype P() { c!1 } active proctype Q() { c?_ }
        active proctype R() { y = 1; end: c?_ }";
    for text in [WRITERS, later, receiver] {
        for order in [Order::DepthFirst, Order::BreadthFirst, Order::TwoWorkers] {
            notices(&audit(&interpreter(text), None, lie, order), Kind::Set);
        }
    }
    passes(&audit(
        &interpreter(STRANGERS),
        None,
        lie,
        Order::DepthFirst,
    ));
}

#[test]
fn a_step_that_is_forgotten_around_a_cycle() {
    let text = "byte x, y; active proctype P() { do :: x = 1 :: x = 0 od }
        active proctype Q() { y = 1; assert(false) }";
    let system = interpreter(text);
    let enough = || Liar {
        enough: Some(0),
        ..HONEST
    };
    passes(&audit(&system, None, enough, Order::DepthFirst));
    // The same without the proviso of the search.
    let interrupt = AtomicBool::new(false);
    let mut options = options(&interrupt);
    options.proviso = false;
    let auditor = Auditor::new(Share::ALL, None, Proviso::Search);
    let mut crew = [Audited::new(enough(), Some(auditor))];
    let report = depth_first_in(&system, Tree::new(), &mut crew, &options, &mut ());
    assert_eq!(report.stop, StopReason::Complete);
    let tally = finish(&system, &mut crew, true).unwrap();
    notices(&tally, Kind::Proviso);
}

#[test]
fn a_variable_that_is_not_dead() {
    let model = "byte y; active proctype P() { byte x; x = 1; y = 5; y = x }";
    let reset = "byte y; active proctype P() { byte x; x = 0; y = 5; y = x }";
    let unread = "byte y; active proctype P() { byte x; x = 1; y = 5; y = 7 }";
    let (model, reset) = (program(model).unwrap(), program(reset).unwrap());
    let searched = Interpreter::new(reset);
    let tally = audit(&searched, Some(&model), || HONEST, Order::DepthFirst);
    notices(&tally, Kind::Structure);
    let unread = program(unread).unwrap();
    let dead = unread.clone();
    let tally = audit(
        &Interpreter::new(dead),
        Some(&unread),
        || HONEST,
        Order::DepthFirst,
    );
    passes(&tally);
}

#[test]
fn a_run_that_is_not_local() {
    let text = "byte x, y; active proctype P() { x = 1; x = 2; x = 3 }
        active proctype Q() { end: x == 1 -> y = 1 }";
    let model = program(text).unwrap();
    let mut changed = model.clone();
    let first = changed.locations[changed.process_types[0].initial.index()]
        .transitions
        .start;
    changed.transitions[first as usize].holds = true;
    let searched = Interpreter::new(changed);
    let tally = audit(&searched, Some(&model), || HONEST, Order::DepthFirst);
    notices(&tally, Kind::Structure);
}

/// A store that does not look at one byte.
struct Careless {
    tree: Tree,
    byte: Range<usize>,
}

impl Careless {
    fn blurred(&self, state: &[u8]) -> Vec<u8> {
        let mut state = state.to_vec();
        if let Some(bytes) = state.get_mut(self.byte.clone()) {
            bytes.fill(0);
        }
        state
    }
}

impl Store for Careless {
    type Key = <Tree as Store>::Key;

    fn fold(
        &self,
        state: &[u8],
        _: Option<Folded<'_>>,
        nodes: &mut Vec<u32>,
    ) -> Result<Self::Key, Crowded> {
        self.tree.fold(&self.blurred(state), None, nodes)
    }

    fn insert(&self, key: Self::Key, state: &[u8]) -> Result<Insertion, Crowded> {
        self.tree.insert(key, state)
    }

    fn grow(&mut self, room: u64) -> bool {
        self.tree.grow(room)
    }

    fn bytes(&self) -> u64 {
        self.tree.bytes()
    }

    fn hash(&self, key: Self::Key) -> u64 {
        self.tree.hash(key)
    }

    fn unpack(&self, keys: &[Self::Key]) -> Option<Vec<Vec<u8>>> {
        self.tree.unpack(keys)
    }
}

#[test]
fn a_store_that_loses_a_byte() {
    let system = interpreter(STRANGERS);
    for (byte, is_noticed) in [(4..5, true), (5..6, true), (500..501, false)] {
        for order in [Order::DepthFirst, Order::BreadthFirst] {
            let tree = Tree::new();
            let byte = byte.clone();
            let tally = audit_in(&system, None, || HONEST, order, Careless { tree, byte });
            match is_noticed {
                true => notices(&tally, Kind::Store),
                false => passes(&tally),
            }
        }
    }
}

/// Searches the product of a model and its first formula.
fn audit_claim(text: &str, enough: Option<u32>, structure: bool) -> Tally {
    let mut map = SourceMap::new();
    let loader = MemoryLoader::default();
    let compiled = compile(&mut map, "model.pml", text.as_bytes(), &[], &loader).unwrap();
    let property = &compiled.formulas[0];
    let (claim, _) = claim_of("p", &property.formula, &property.atoms).unwrap();
    let mut changed = compiled.program.clone();
    if structure {
        let first = changed.locations[changed.process_types[0].initial.index()]
            .transitions
            .start;
        changed.transitions[first as usize].holds = true;
    }
    let searched = Interpreter::new(changed);
    let model = searched.beside(compiled.program).unwrap();
    let watch = Watch {
        stutter: true,
        ..Watch::default()
    };
    let product = Product::new(&searched, &claim, watch);
    let interrupt = AtomicBool::new(false);
    let auditor = Auditor::new(
        Share::ALL,
        structure.then(|| std::sync::Arc::new(model)),
        Proviso::Choice,
    );
    let liar = Liar { enough, ..HONEST };
    let mut crew = [Audited::new(liar, Some(auditor))];
    let options = options(&interrupt);
    depth_first_in(&product, Tree::new(), &mut crew, &options, &mut ());
    finish(&product, &mut crew, true).unwrap()
}

#[test]
fn a_step_that_the_claim_sees() {
    let text =
        "byte x, y; active proctype P() { x = 1; x = 2 } active proctype Q() { y = 1; y = 2 }
        ltl p { [] (x < 2) }";
    notices(&audit_claim(text, Some(0), false), Kind::Visibility);
    passes(&audit_claim(text, Some(1), false));
    // Not the truth of the atom changes, but whether it has any.
    let value = "byte x = 1, y; active proctype P() { x = 0 } active proctype Q() { y = 1 }
        ltl p { [] ((4 / x) == 4 || y < 7) }";
    notices(&audit_claim(value, Some(0), false), Kind::Visibility);
}

#[test]
fn a_choice_that_forgets_a_step() {
    let text = "byte x, y; active proctype P() { do :: x = 1 :: x = 0 od }
        active proctype Q() { y = 1 }
        ltl p { [] (y == 0) }";
    notices(&audit_claim(text, Some(0), false), Kind::Proviso);
}

/// Where a step fails and leads nowhere, what was left out is not missed: there is a violation.
#[test]
fn a_choice_that_fails() {
    let text = "byte x, y; active proctype P() { x = 1; x = 1 / y }
        active proctype Q() { byte z; z = 1 }
        ltl p { [] (x < 7) }";
    passes(&audit_claim(text, Some(0), false));
}

#[test]
fn a_local_run_that_the_claim_sees() {
    let text = "byte x, y; active proctype P() { byte l; l = 1; x = 1; l = 2 }
        active proctype Q() { y = 1 }
        ltl p { [] (x == 0 || y == 0) }";
    notices(&audit_claim(text, None, true), Kind::Structure);
}

#[test]
fn simultaneous_sets_pass() {
    let text = "byte x, y, z; active proctype P() { x = 1; atomic { x = 2; x = 3 } }
        active proctype Q() { if :: y = 2 :: y = 1 fi; y = 4 } active proctype R() { z = 1; z = 2 }";
    let system = interpreter(text);
    let sets = Simultaneous::new(&system, &system, true).unwrap();
    let interrupt = AtomicBool::new(false);
    let auditor = Auditor::new(Share::ALL, None, Proviso::Search);
    let mut crew = [Audited::new(SetsFirst, Some(auditor))];
    let options = options(&interrupt);
    depth_first_in(&sets, Tree::new(), &mut crew, &options, &mut ());
    let tally = finish(&sets, &mut crew, true).unwrap();
    passes(&tally);
    assert!(tally.checked(Kind::Simultaneous) > 0);
}

#[test]
fn the_way_to_a_state_is_found() {
    let system = interpreter(WRITERS);
    let interrupt = AtomicBool::new(false);
    let lie = || Liar {
        enough: Some(0),
        ..HONEST
    };
    let tally = audit(&system, None, lie, Order::DepthFirst);
    let target = &tally.findings[0].state;
    let options = options(&interrupt);
    assert_eq!(locate(&system, &mut (), target, &options), Some(Vec::new()));
    let stubborn = Stubborn::new(&system, true).unwrap();
    let mut chooser = Chooser::Stubborn(Box::new(stubborn));
    assert_eq!(locate(&system, &mut chooser, &[1, 2, 3], &options), None);
}
