//! Processes that are alike up to their identity: what is found is what the full search finds, and identities of every state can be exchanged.
//!
//! `IDENTITY_MODELS` says how many random models are tried, `IDENTITY_SEED` from which on.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::time::Duration;

use mazurka_checker::{
    Besides, Checker, Config, ModelText, Order, Outcome, Property, Reduction, Share, Store, Switch,
    Symmetry, Verdict,
};
use mazurka_differential::alike;
use mazurka_differential::random::Random;
use mazurka_model::{Interpreter, Step};
use mazurka_scenario::ViolationKind;
use mazurka_search::{StopReason, settled_steps};

/// Larger models are left out.
const MOST_STATES: u64 = 20_000;
const TIME_TO_TRY: Duration = Duration::from_millis(400);

fn number(name: &str, usual: u64) -> u64 {
    let given = std::env::var(name).ok();
    given.and_then(|text| text.parse().ok()).unwrap_or(usual)
}

fn check(text: &str, config: Config) -> Option<Outcome> {
    let checker = Checker::from_source("alike.pml", text.to_string()).ok()?;
    checker.config(config).run().ok()
}

fn plain() -> Config {
    Config {
        property: Property::Safety,
        reduce: Reduction::None,
        optimize: Switch::Off,
        jobs: Some(1),
        all: true,
        audit: None,
        time: Some(TIME_TO_TRY),
        ..Config::default()
    }
}

fn with_identities() -> Config {
    Config {
        symmetry: Some(Symmetry::Identities),
        audit: Some(Share::ALL),
        time: Some(Duration::from_secs(10)),
        ..plain()
    }
}

/// Each violation by its kind and where it is; a deadlock may be of one process or of its twin.
fn kinds(outcome: &Outcome) -> BTreeSet<(&'static str, u32)> {
    let place = |violation: &mazurka_checker::Violation| match violation.kind() {
        ViolationKind::Deadlock | ViolationKind::NonprogressState => 0,
        _ => violation.record.at.as_ref().map_or(0, |at| at.line),
    };
    let violations = outcome.safety().unwrap().violations.iter();
    violations
        .map(|violation| (violation.kind().name(), place(violation)))
        .collect()
}

fn uses_identities(outcome: &Outcome) -> bool {
    let notes = &outcome.safety().unwrap().notes;
    notes.iter().any(|note| note.contains("by its identity"))
}

fn some_config(random: &mut Random) -> Config {
    Config {
        property: Property::Safety,
        search: match random.chance(12) {
            true => Order::BreadthFirst,
            false => Order::DepthFirst,
        },
        store: random.chance(20).then_some(Store::Compact),
        reduce: *random.pick(&[
            Reduction::Auto,
            Reduction::Auto,
            Reduction::None,
            Reduction::Stubborn,
            Reduction::Ample,
            Reduction::Persistent,
        ]),
        symmetry: Some(Symmetry::Identities),
        optimize: *random.pick(&[Switch::On, Switch::On, Switch::Off]),
        jobs: Some(1 + random.below(2) as u32),
        all: random.chance(60),
        audit: Some(if random.chance(50) {
            Share::ALL
        } else {
            Share::USUAL
        }),
        memory: Some(64 << 20),
        ..Config::default()
    }
}

#[test]
fn random_models_agree() {
    let (models, first) = (number("IDENTITY_MODELS", 100), number("IDENTITY_SEED", 1));
    let (mut compared, mut alike, mut held, mut read) = (0, 0, 0, 0);
    let (mut states, mut fewer) = (0, 0);
    for seed in first..first + models {
        let text = alike::model(seed);
        let Some(full) = check(&text, plain()) else {
            continue;
        };
        read += 1;
        let safety = full.safety().unwrap();
        if safety.stop != StopReason::Complete || safety.statistics.states > MOST_STATES {
            continue;
        }
        let expected = kinds(&full);
        held += u64::from(expected.is_empty());
        let mut random = Random::new(seed);
        let mut configs = vec![with_identities()];
        configs.extend((0..2).map(|_| some_config(&mut random)));
        for (position, config) in configs.into_iter().enumerate() {
            let Some(outcome) = check(&text, config.clone()) else {
                continue;
            };
            let safety = outcome.safety().unwrap();
            let told = format!("seed {seed}, {config:?}\n{text}\n{:?}", safety.reason);
            if uses_identities(&outcome) && position == 0 {
                states += full.safety().unwrap().statistics.states;
                fewer += safety.statistics.states;
            }
            alike += u64::from(uses_identities(&outcome));
            compared += 1;
            let is_violated = !safety.violations.is_empty();
            assert_eq!(is_violated, !expected.is_empty(), "{told}");
            assert!(!outcome.has_failed_audit(), "{told}");
            if config.store.is_none() && !is_violated {
                assert_eq!(safety.verdict, Verdict::Holds, "{told}");
            }
            let found = kinds(&outcome);
            match config.all {
                true => assert_eq!(found, expected, "{told}"),
                false => assert!(found.is_subset(&expected), "{told}"),
            }
        }
    }
    println!(
        "{read} models read, {compared} comparisons, {alike} with identities, {held} models hold; {fewer} of {states} states"
    );
    assert!(alike * 5 > compared, "{alike} of {compared}");
}

fn interpreter(text: &str) -> Option<(Interpreter, mazurka_reduce::Symmetry)> {
    let model = ModelText::from_source("alike.pml", text.to_string()).ok()?;
    let mut program = model.load(&Besides::default()).ok()?.program().clone();
    let symmetry = mazurka_reduce::Symmetry::with_identities(&program, true).ok()??;
    if symmetry.forgets_ends() {
        mazurka_reduce::forget_ends(&mut program);
    }
    Some((Interpreter::new(program), symmetry))
}

/// All states between steps; none if there are too many.
fn states(interpreter: &Interpreter) -> Option<Vec<Vec<u8>>> {
    let (mut state, mut next, mut message) = (Vec::new(), Vec::new(), Vec::new());
    interpreter.initial(&mut state, &mut ()).ok()?;
    let mut seen = HashSet::from([state.clone()]);
    let mut open = vec![state];
    let mut whole = Vec::new();
    while let Some(mut state) = open.pop() {
        let mut steps = Vec::new();
        settled_steps(interpreter, &mut state, &mut steps);
        if interpreter.controller(&state).is_none() {
            whole.push(state.clone());
        }
        for step in steps {
            let outcome = interpreter.execute(&state, step, &mut next, &mut message, &mut ());
            if outcome.complete && seen.insert(next.clone()) {
                open.push(next.clone());
            }
        }
        if seen.len() as u64 > MOST_STATES {
            return None;
        }
    }
    whole.sort();
    whole.dedup();
    Some(whole)
}

/// By brute force: for every state and every exchange of identities the steps are the same under other names, end in the same way and lead to
/// the exchanged states. And what stands for a state is one of its orbit.
fn exchange_everywhere(text: &str) -> Option<(usize, usize, usize)> {
    let (interpreter, symmetry) = interpreter(text)?;
    let all = states(&interpreter)?;
    let mut orbits: HashMap<Vec<u8>, usize> = HashMap::new();
    let mut representatives = HashSet::new();
    let mut checked = 0;
    for state in &all {
        for exchange in symmetry.exchanges(&interpreter, state) {
            compare(&interpreter, &symmetry, state, &exchange, text);
            checked += 1;
        }
        let mut stands = state.clone();
        symmetry.represent(&interpreter, &mut stands);
        let orbit = orbits.len();
        if !orbits.contains_key(state) {
            let mut open = vec![state.clone()];
            orbits.insert(state.clone(), orbit);
            while let Some(member) = open.pop() {
                for exchange in symmetry.exchanges(&interpreter, &member) {
                    let other = symmetry.exchanged(&interpreter, &member, &exchange);
                    if !orbits.contains_key(&other) {
                        orbits.insert(other.clone(), orbit);
                        open.push(other);
                    }
                }
                for (a, b) in symmetry.pairs(&interpreter, &member) {
                    let other = with_frames_exchanged(&interpreter, &member, a, b);
                    if !orbits.contains_key(&other) {
                        orbits.insert(other.clone(), orbit);
                        open.push(other);
                    }
                }
            }
        }
        assert_eq!(orbits.get(&stands), orbits.get(state), "{text}");
        let mut again = stands.clone();
        symmetry.represent(&interpreter, &mut again);
        assert_eq!(again, stands, "{text}");
        representatives.insert(stands);
    }
    let met: HashSet<usize> = all.iter().map(|state| orbits[state]).collect();
    assert!(met.len() <= representatives.len());
    (checked > 0).then_some((all.len(), representatives.len(), met.len()))
}

fn with_frames_exchanged(interpreter: &Interpreter, state: &[u8], a: usize, b: usize) -> Vec<u8> {
    let shape = interpreter.shape(state);
    let (one, other) = (shape.processes[a], shape.processes[b]);
    let bytes = interpreter.program().process_types[one.process_type.index()].frame_bytes as usize;
    let (one, other) = (one.offset as usize, other.offset as usize);
    let mut exchanged = state.to_vec();
    exchanged[one..one + bytes].copy_from_slice(&state[other..other + bytes]);
    exchanged[other..other + bytes].copy_from_slice(&state[one..one + bytes]);
    exchanged
}

fn compare(
    interpreter: &Interpreter,
    symmetry: &mazurka_reduce::Symmetry,
    state: &[u8],
    exchange: &mazurka_reduce::Exchange,
    text: &str,
) {
    let other = symmetry.exchanged(interpreter, state, exchange);
    let back = symmetry.exchanged(interpreter, &other, exchange);
    assert_eq!(back, state, "{text}");
    let name = |process: usize| {
        let mut pairs = exchange.processes.iter();
        let found = pairs.find_map(|(a, b)| match process {
            _ if process == *a => Some(*b),
            _ if process == *b => Some(*a),
            _ => None,
        });
        found.unwrap_or(process)
    };
    let renamed = |step: &Step| Step {
        process: name(step.process as usize) as u32,
        choice: match step.partner() {
            Some((partner, position)) => {
                Step::meeting(name(partner), position) | step.choice & Step::SECOND
            }
            None => step.choice,
        },
        ..*step
    };
    let (mut steps, mut others) = (Vec::new(), Vec::new());
    interpreter.enabled(state, &mut steps);
    interpreter.enabled(&other, &mut others);
    assert_eq!(steps.len(), others.len(), "{text}");
    let is_end = interpreter.is_valid_end(state);
    assert_eq!(is_end, interpreter.is_valid_end(&other), "{text}");
    let (mut next, mut image, mut message) = (Vec::new(), Vec::new(), Vec::new());
    for step in &steps {
        let renamed = renamed(step);
        assert!(others.contains(&renamed), "{text}");
        let outcome = interpreter.execute(state, *step, &mut next, &mut message, &mut ());
        let exchanged = interpreter.execute(&other, renamed, &mut image, &mut message, &mut ());
        assert_eq!(outcome, exchanged, "{text}");
        if outcome.complete {
            interpreter.release(&mut next);
            interpreter.release(&mut image);
            let next = symmetry.exchanged(interpreter, &next, exchange);
            assert_eq!(next, image, "{text}");
        }
    }
}

#[test]
fn identities_can_be_exchanged_everywhere() {
    let (models, first) = (number("IDENTITY_MODELS", 100), number("IDENTITY_SEED", 1));
    let (mut tried, mut states, mut stand, mut orbits) = (0, 0, 0, 0);
    for seed in first..first + models {
        if let Some(found) = exchange_everywhere(&alike::model(seed)) {
            tried += 1;
            states += found.0;
            stand += found.1;
            orbits += found.2;
        }
    }
    println!("{tried} models: {states} states, {stand} stand for them, {orbits} orbits");
    assert!(tried * 5 > models, "{tried}");
}

/// Models in which identities are not what they seem: something is wrong for one of them only, or for neither.
const NEARLY: &[&str] = &[
    // What is computed comes to where identities are.
    "byte w, x; active [2] proctype P() { end: do :: x < 2 -> w = x + 0; x++ :: w == _pid -> assert(_pid == 0 || x < 2 || w != 1); w = 9 od }",
    "byte w, x; active [2] proctype P() { byte z; end: do :: x < 2 -> z = (x == 1); w = z; x++ :: w == _pid -> assert(w != x) ; w = 9 od }",
    "byte w; chan q = [2] of { byte }; active [2] proctype P() { q!_pid; w = len(q); assert(w != _pid || nfull(q)) }",
    "byte w = 9; active [2] proctype P() { w = _nr_pr - 1; if :: w == _pid -> w = 9; assert(false) :: else fi; end: false }",
    "byte w = 9; byte f[2]; active [2] proctype P() { f[_pid] = 1; w = f[_pid]; if :: w == _pid -> assert(f[w] == 0) :: else fi; end: false }",
    // The counter of a loop is left where it was.
    "byte f[2], w = 9; active [2] proctype P() { byte i; d_step { i = 0; do :: i < 1 -> f[i] = 0; i++ :: else -> break od }; w = i; assert(w != _pid) }",
    "byte f[2], s; active [2] proctype P() { byte i; atomic { for (i : 0 .. 1) { s = s + f[i] } }; f[_pid] = 1; assert(f[i - 1] == 0 || i - 1 == _pid) }",
    "byte f[3], o = 9; active [2] proctype P() { byte i; i = _pid; f[i] = 1; i++; o = i; assert(o != 1 || f[o] == 0) }",
    // Elements that do not exist read as 0.
    "byte f[2] = 9, o = 9; active [2] proctype P() { byte w = 7; w = f[o]; if :: w == _pid -> assert(_pid == 1) :: else fi; end: false }",
    // Constants.
    "byte x; active [2] proctype P() { x++; assert(x == 1 || _pid != 1) ; end: false }",
    "byte f[2]; active [2] proctype P() { f[_pid] = 1; assert(f[0] == 1 || f[1] == 0); end: false }",
    "byte o; active [2] proctype P() { end: do :: o == _pid -> o = 7; assert(_pid == 0) od }",
    "byte o = 1; active [2] proctype P() { end: do :: o == _pid -> o = 7; assert(_pid == 0) od }",
    "byte o = 9; active [3] proctype P() { byte w; atomic { o == 9 -> o = _pid }; w == _pid; assert(_pid == 0); end: false }",
    "chan q = [1] of { byte }; active [3] proctype P() { byte w; end: do :: q!_pid :: q?eval(w) -> assert(w == _pid) :: q?1 -> assert(_pid != 2) od }",
    "chan q = [3] of { byte }; active [3] proctype P() { byte w; q!!_pid; nempty(q); q?<w>; assert(w == 0 || w == _pid || len(q) < 3); end: false }",
    "byte o = 9; active [2] proctype P() { if :: _pid -> o = 1 :: else -> o = 2 fi; assert(o == 1 || _pid == 0); end: false }",
    "byte o = 9; active [2] proctype P() { atomic { o == 9 -> o = _pid }; assert(o <= _pid); end: false }",
    "byte o = 9; active [2] proctype P() { o = (o == 9 -> _pid : 0); assert(o == 0 || o == _pid); end: false }",
    // There is not room for every identity.
    "bit o; byte x; active [3] proctype P() { o = _pid; x++; assert(o == _pid || x > 1); end: false }",
    "byte f[2]; active [3] proctype P() { f[_pid] = 1; end: false }",
    "short s = 256; byte o = 9; active [2] proctype P() { o = s; s = 9; assert(o != _pid); end: false }",
    "byte o = 256; active [2] proctype P() { if :: o == _pid -> assert(_pid == 1) :: else fi; end: false }",
    // Arrays that are used in several ways.
    "byte f[2]; byte x; active [2] proctype P() { f[_pid] = 1; f[x] = 2; x = 1; assert(f[_pid] != 2 || _pid == 0); end: false }",
    "typedef r { byte a[2] }; r f[2]; byte x; active [2] proctype P() { f[_pid].a[_pid] = 1; x++; x == 2; assert(f[_pid].a[1] == _pid); end: false }",
    "typedef r { byte a[2]; byte b }; r f[2]; byte x; active [2] proctype P() { byte w; f[_pid].b = _pid; f[_pid].a[w] = 1; w = _pid; x++; x == 2; assert(f[w].a[w] == 1); end: false }",
    // Parameters that change, that several have, and that init looks at.
    "byte o = 9; proctype P(byte id) { id = 1 - id; atomic { o == 9 -> o = id }; assert(o == id || id == 1); end: false } init { atomic { run P(0); run P(1) } }",
    "byte f[2]; proctype P(byte id) { f[id] = f[id] + 1; assert(f[id] == 1); end: false } init { atomic { run P(0); run P(0); run P(1) } }",
    "byte f[3]; proctype P(byte id) { f[id] == 1 -> f[id] = 2; assert(id == 0); end: false } init { byte i; atomic { run P(0); run P(1) }; f[1] = 1; end: false }",
    "byte f[3]; proctype P(byte id) { f[id] == 1 -> f[id] = 2; assert(id == 1); end: false } init { byte i; run P(0); f[0] = 1; run P(1); end: false }",
    "byte f[3], o = 9; proctype P(byte id, other) { f[id] = 1; o = other; assert(f[o] == 0 || id == 0); end: false } init { atomic { run P(0, 1); run P(1, 0) } }",
    "byte f[3], o = 9; proctype P(byte id, other) { f[id] = 1; o = other; assert(f[o] == 0 || id == 0); end: false } init { atomic { run P(0, 1); run P(1, 1) } }",
    "byte f[3]; proctype P(byte id) { f[id]++; if :: id == 0 -> run P(2) :: else fi; end: false } init { atomic { run P(0); run P(1) }; f[2] == 1; assert(f[1] == 1); end: false }",
    // Others with numbers.
    "byte o = 9; active proctype Q() { o = _pid; end: false } active [2] proctype P() { o == _pid; assert(false) }",
    "byte o = 9; proctype P(byte id) { o == id; assert(id == 1); end: false } init { atomic { run P(0); run P(1) }; o = _pid; end: false }",
    "byte f[3]; active [2] proctype P() { f[_pid] = 1; end: false } active proctype Q() { byte w = 1; f[w] == 1; assert(f[0] == 1); end: false }",
    "byte f[2]; active [2] proctype P() { f[_pid] = 1; end: false } active proctype Q() { byte w; f[w] == 1; assert(f[1] == 1); end: false }",
    // Channels of identities.
    "chan r[2] = [1] of { byte }; active [2] proctype P() { byte w; r[_pid]!_pid; w = r[_pid]; assert(w == 1); end: false }",
    "chan r[2] = [1] of { byte }; active [2] proctype P() { r[_pid]!_pid; assert(nfull(r[_pid]) || r[_pid] < 2); end: false }",
    "chan r[2] = [1] of { byte }; chan c; active [2] proctype P() { byte w; end: do :: r[_pid]?w -> assert(_pid == 0) od } init { c = r[1]; c!1; end: false }",
    "chan r[2] = [1] of { byte }; active [2] proctype P() { byte w; end: do :: r[_pid]?w -> assert(_pid == 0) od } init { byte w; w = 1; r[w]!1; end: false }",
    "chan r[2] = [1] of { byte }; active [2] proctype P() { byte w; r[_pid]!_pid; r[_pid]?w; assert(w == _pid); end: false } init { r[1] = r[0]; end: false }",
    "chan r[2] = [1] of { byte }; byte x; active [2] proctype P() { byte w; r[w]!_pid; x++; assert(x < 2 || len(r[0]) == 1); end: false }",
    "chan a = [1] of { byte }; chan b = [2] of { byte }; chan r[2]; active [2] proctype P() { (r[1] != 0); r[_pid]!_pid; r[_pid]!_pid; assert(_pid == 1); end: false } init { atomic { r[0] = a; r[1] = b }; end: false }",
    // What chooses, orders and ends.
    "byte o = 9; active [2] proctype P() { d_step { if :: o = _pid :: o = 0 fi }; assert(o != 1 || _pid == 1); end: false }",
    "byte o = 9; chan z = [0] of { byte }; active [2] proctype P() { byte w; if :: z!_pid :: z?w; o = w fi; assert(o == 9 || o == 0 || w == 0); end: false }",
    "byte x; active [2] proctype P() provided (_pid == 0 || x == 1) { x++; assert(x == 1 || _pid == 1); end: false }",
    "byte f[2]; active [2] proctype P() { f[_pid] = 1; timeout; assert(_pid == 1); end: false }",
    "byte o = 9, x; active [2] proctype P() { x++; x == 2; o = _pid } active proctype Q() { end: _nr_pr == 2 -> assert(o == 0) }",
    "hidden byte o = 9; byte x; active [2] proctype P() { o = _pid; x++; assert(o == _pid || x == 2); end: false }",
    "byte o = 9; active [2] proctype P() { byte s[2]; byte i; s[_pid] = 1; i = 1; assert(s[i] == 0 || o == 9); o = _pid; assert(s[o] == 1); end: false }",
];

#[test]
fn what_only_seems_an_identity_is_respected() {
    let mut used = 0;
    for text in NEARLY {
        let Some(full) = check(text, plain()) else {
            panic!("{text}");
        };
        let expected = kinds(&full);
        for reduce in [Reduction::Auto, Reduction::None] {
            let optimize = match reduce {
                Reduction::Auto => Switch::On,
                _ => Switch::Off,
            };
            let config = Config {
                reduce,
                optimize,
                ..with_identities()
            };
            let outcome = check(text, config).expect("it is checked");
            assert!(!outcome.has_failed_audit(), "{text}");
            assert_eq!(kinds(&outcome), expected, "{reduce:?}\n{text}");
            used += u64::from(uses_identities(&outcome));
        }
    }
    println!(
        "identities were exchanged in {used} of {} runs",
        2 * NEARLY.len()
    );
}

/// Models where identities are found, and what a model lacks where they are not.
#[test]
fn the_reason_is_a_note() {
    let cases = [
        ("byte f[2]; active [2] proctype P() { f[_pid] = 1; end: false }", "by its identity"),
        (
            "chan q = [2] of { byte, byte }; proctype P(byte id) { byte w; q!1,id; q?1,w; q!2,w; q?2,eval(id); end: false }
             init { byte i; atomic { for (i : 1 .. 3) { run P(i) } } }",
            "by its identity",
        ),
        (
            "chan r[3] = [1] of { byte }; byte o = 9; active [3] proctype P() { byte w; end: do :: r[_pid]?w; o = w :: r[o]!_pid od }",
            "by its identity",
        ),
        ("byte f[2]; active [2] proctype P() { f[1 - _pid] = 1; end: false }", "computation"),
        ("byte f[2], x; active [2] proctype P() { f[_pid] = 1; f[x] = 1; x++; end: false }", "computation"),
        ("byte o; short p; active [2] proctype P() { o = _pid; p = o; end: false }", "several types"),
        ("chan q = [2] of { byte }; active [2] proctype P() { q!!_pid; end: false }", "sorted"),
    ];
    for (text, word) in cases {
        let Some(outcome) = check(text, with_identities()) else {
            panic!("{text}");
        };
        let notes = &outcome.safety().unwrap().notes;
        assert!(
            notes.iter().any(|note| note.contains(word)),
            "{text}: {notes:?}"
        );
        let outcome = check(text, Config::default()).unwrap();
        assert!(!uses_identities(&outcome), "{text}");
    }
}
