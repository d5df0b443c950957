//! Claims made from formulas.

use mazurka_ltl::{Buchi, Formula, Strength, TooLarge, Untranslated, translate_until};
use mazurka_model::{Claim, ClaimState, ClaimTransition, ExpressionId};

/// The claim that accepts the executions on which a formula is false, and how hard it is to find them. `atoms` says
/// what the atoms of the formula mean.
///
/// If a finite beginning is enough to see that the formula is false, the claim says so
/// at once: its accepting states are then *violated* ones.
pub fn claim_of(
    name: &str,
    formula: &Formula,
    atoms: &[ExpressionId],
) -> Result<(Claim, Strength), TooLarge> {
    claim_until(name, formula, atoms, &|| false).map_err(|_| TooLarge)
}

/// The same, but gives up as soon as `is_over` says so.
pub fn claim_until(
    name: &str,
    formula: &Formula,
    atoms: &[ExpressionId],
    is_over: &dyn Fn() -> bool,
) -> Result<(Claim, Strength), Untranslated> {
    let automaton = translate_until(&formula.negation(), is_over)?;
    let strength = automaton.strength();
    Ok((claim(name, &automaton, atoms, strength), strength))
}

/// The claim that accepts every execution: what accepts are then the marks of the system itself.
pub fn acceptance() -> Claim {
    let stay = ClaimTransition {
        positive: 0,
        negative: 0,
        assertion: None,
        target: 0,
    };
    Claim {
        name: "acceptance".into(),
        conditions: Vec::new(),
        states: vec![ClaimState {
            accepting: false,
            violated: false,
            transitions: vec![stay],
        }],
        sees_inside: false,
    }
}

/// The claim that accepts executions which make no progress from some moment on. `no_progress` is
/// the expression that says so of a state.
pub fn livelock(no_progress: ExpressionId) -> Claim {
    let to = |target, positive| ClaimTransition {
        positive,
        negative: 0,
        assertion: None,
        target,
    };
    Claim {
        name: "progress".into(),
        conditions: vec![no_progress],
        states: vec![
            ClaimState {
                accepting: false,
                violated: false,
                transitions: vec![to(0, 0), to(1, 1)],
            },
            ClaimState {
                accepting: true,
                violated: false,
                transitions: vec![to(1, 1)],
            },
        ],
        sees_inside: true,
    }
}

fn claim(name: &str, automaton: &Buchi, atoms: &[ExpressionId], strength: Strength) -> Claim {
    let states = automaton.states.iter().map(|state| ClaimState {
        accepting: state.accepting,
        violated: state.accepting && strength == Strength::Terminal,
        transitions: state
            .edges
            .iter()
            .map(|edge| ClaimTransition {
                positive: edge.condition.positive,
                negative: edge.condition.negative,
                assertion: None,
                target: edge.target as u32,
            })
            .collect(),
    });
    Claim {
        name: name.into(),
        conditions: atoms.to_vec(),
        states: states.collect(),
        sees_inside: false,
    }
}
