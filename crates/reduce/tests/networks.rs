//! Persistent sets over processors and timers, ample and stubborn sets, and simultaneous graphs, against the full search on
//! random networks of virtual finite state machines: the same deadlock states, and with the
//! proviso the same failures and the same transitions.
//!
//! `NETWORKS` says how many, `NETWORK_SEED` where to begin; `scripts/networks` runs many.

mod graphs;
mod support;

use mazurka_differential::network::{Network, generate};
use mazurka_model::Interpreter;
use mazurka_reduce::{Chooser, Information, Persistent, Processors, Stubborn};
use mazurka_search::StopReason;
use mazurka_span::SourceMap;
use support::{Found, Order, search, search_by};

fn number(name: &str, default: u64) -> u64 {
    let text = std::env::var(name).ok();
    text.and_then(|text| text.parse().ok()).unwrap_or(default)
}

#[test]
fn every_reduction_finds_what_the_full_search_finds() {
    let first = number("NETWORK_SEED", 1);
    let count = number("NETWORKS", 400);
    let mut sums = [0; 4];
    let mut compared = 0;
    for seed in first..first + count {
        let network = generate(seed);
        match compare(&network.text()) {
            Ok(Some(transitions)) => {
                compared += 1;
                for (sum, transitions) in sums.iter_mut().zip(transitions) {
                    *sum += transitions;
                }
            }
            Ok(None) => {}
            Err(_) => {
                let (network, problem) = shrink(network);
                panic!("seed {seed}: {problem}\n{}", network.text());
            }
        }
    }
    eprintln!("{compared} networks; transitions in full, machine, state, run: {sums:?}");
    assert!(compared * 2 > count, "{compared} of {count}");
}

/// Networks made to catch a reduction that leaves too much out, one to a file.
#[test]
fn traps_in_files() {
    for (name, text) in support::traps("vfsm") {
        let found = compare(&text);
        assert!(matches!(found, Ok(Some(_))), "{name}: {found:?}");
    }
}

/// The transitions of the full search and of the three footprints; none if the network is too
/// large. A difference is told in words.
fn compare(text: &str) -> Result<Option<[u64; 4]>, String> {
    let mut map = SourceMap::new();
    let compiled = mazurka_vfsm::compile(&mut map, "network.vfsm", text.as_bytes());
    let interpreter = match compiled {
        Ok(compiled) => Interpreter::new(compiled.program),
        Err(errors) => return Err(format!("does not compile: {errors:?}")),
    };
    let full = search(&interpreter, Order::Depth, None, false);
    if full.stop != StopReason::Complete {
        return Ok(None);
    }
    let mut transitions = [full.transitions, 0, 0, 0];
    let all = [Information::Machine, Information::State, Information::Run];
    for (number, information) in all.into_iter().enumerate() {
        for overflow in [true, false] {
            let sets = || {
                let sets = Processors::new(&interpreter, information, overflow);
                sets.map(|sets| Chooser::Processors(Box::new(sets)))
            };
            let mut sets = match (sets(), sets()) {
                (Ok(one), Ok(other)) => [one, other],
                // Timers with durations ask about each other.
                (Err(_), _) if text.contains(" after ") => continue,
                (Err(unsupported), _) | (_, Err(unsupported)) => return Err(unsupported.0.into()),
            };
            let name = format!("{information:?}, overflow {overflow}");
            transitions[number + 1] = check(&interpreter, &full, &mut sets, overflow, &name)?;
        }
    }
    for refined in [true, false] {
        let stubborn = || Stubborn::new(&interpreter, refined).map(Box::new);
        if let (Ok(one), Ok(other)) = (stubborn(), stubborn()) {
            let mut stubborn = [Chooser::Stubborn(one), Chooser::Stubborn(other)];
            let name = format!("stubborn, refined {refined}");
            check(&interpreter, &full, &mut stubborn, true, &name)?;
        }
    }
    for refined in [true, false] {
        let ample = || Persistent::ample(&interpreter, refined);
        if let (Ok(one), Ok(other)) = (ample(), ample()) {
            let mut ample = [Chooser::Persistent(one), Chooser::Persistent(other)];
            let name = format!("ample, refined {refined}");
            check(&interpreter, &full, &mut ample, true, &name)?;
        }
    }
    check_simultaneous(&interpreter)?;
    Ok(Some(transitions))
}

/// The simultaneous graph has the deadlocks of the full one, and with the proviso the failures and
/// transitions.
fn check_simultaneous(interpreter: &Interpreter) -> Result<(), String> {
    let full = graphs::full(interpreter);
    if full.stop != StopReason::Complete {
        return Ok(());
    }
    for (refined, breadth) in [(true, false), (true, true), (false, false)] {
        for proviso in [false, true] {
            let case = format!("simultaneous, refined {refined}, breadth {breadth}");
            let found = graphs::simultaneous(interpreter, refined, breadth, proviso);
            let Some(found) = found else { continue };
            if found.stuck != full.stuck {
                return Err(format!("{case}, proviso {proviso}: other deadlocks"));
            }
            if proviso && (found.failures != full.failures || found.covered != full.covered) {
                return Err(format!("{case}: other failures or transitions"));
            }
        }
    }
    Ok(())
}

fn check(
    interpreter: &Interpreter,
    full: &Found,
    reductions: &mut [Chooser],
    overflow: bool,
    name: &str,
) -> Result<u64, String> {
    let mut transitions = 0;
    for order in Order::ALL {
        for proviso in [false, true] {
            let found = search_by(interpreter, order, reductions, proviso);
            let case = format!("{name}, {order:?}, proviso {proviso}");
            if found.deadlocks != full.deadlocks {
                return Err(format!("{case}: other deadlocks"));
            }
            let failures = |found: &Found| {
                let mut failures = found.failures.clone();
                failures.retain(|failure| overflow || !failure.contains("Overflow"));
                failures
            };
            if proviso && failures(&found) != failures(full) {
                return Err(format!("{case}: other failures"));
            }
            if proviso && found.reached != full.reached {
                return Err(format!("{case}: other transitions"));
            }
            if found.transitions > full.transitions {
                return Err(format!("{case}: more transitions"));
            }
            if order == Order::Depth && proviso {
                transitions = found.transitions;
            }
        }
    }
    Ok(transitions)
}

/// Makes a network smaller as long as something is wrong with it.
fn shrink(mut network: Network) -> (Network, String) {
    let mut problem = compare(&network.text()).unwrap_err();
    loop {
        let smaller = network.smaller().into_iter().find_map(|smaller| {
            let problem = compare(&smaller.text()).err()?;
            (!problem.starts_with("does not compile")).then_some((smaller, problem))
        });
        match smaller {
            Some(found) => (network, problem) = found,
            None => return (network, problem),
        }
    }
}
