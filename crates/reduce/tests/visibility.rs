//! With a property that looks at the states, no edge hides from it how its atoms change: every change
//! that a step of the full graph makes is that of an edge of the simultaneous graph, and no other is.

use std::collections::BTreeSet;
use std::sync::Mutex;
use std::sync::atomic::AtomicBool;

use mazurka_differential::machines::System as Machines;
use mazurka_model::{
    BinaryOperator, Expression, ExpressionId, Interpreter, Place, PlaceId, Program,
};
use mazurka_reduce::{Simultaneous, StepSet};
use mazurka_search::{Options, Outcome, Over, Reduction, StopReason, System, depth_first};
use mazurka_span::SourceMap;

/// A system, with the changes of two atoms that its steps make.
struct Changes<'a, Y> {
    system: &'a Y,
    interpreter: &'a Interpreter,
    atoms: &'a [ExpressionId],
    seen: Mutex<BTreeSet<(u8, u8)>>,
}

impl<Y> Changes<'_, Y> {
    fn label(&self, state: &[u8]) -> u8 {
        let values = self.atoms.iter();
        values.fold(0, |label, atom| {
            let value = self.interpreter.value(state, usize::MAX, *atom);
            label * 2 + u8::from(value.is_ok_and(|value| value != 0))
        })
    }
}

impl<Y: System> Over for Changes<'_, Y> {
    type Beneath = Y;

    fn beneath(&self) -> &Y {
        self.system
    }

    fn taken(
        &self,
        state: &[u8],
        _: Y::Step,
        next: &[u8],
        outcome: Outcome<Y::Failure>,
    ) -> Outcome<Y::Failure> {
        if outcome.complete {
            let change = (self.label(state), self.label(next));
            self.seen.lock().unwrap().insert(change);
        }
        outcome
    }
}

struct SetsFirst;

impl<Y: System<Step = StepSet>> Reduction<Y> for SetsFirst {
    fn select(&mut self, _: &Y, _: &[u8], steps: &mut [StepSet]) -> usize {
        let chosen = steps.iter().position(|step| step.is_spare());
        chosen.unwrap_or(steps.len())
    }
}

/// The changes that are not stuttering, if everything was searched.
fn search<Y: System>(
    system: &Y,
    interpreter: &Interpreter,
    atoms: &[ExpressionId],
    run: impl FnOnce(&Changes<'_, Y>, &Options<'_>) -> StopReason,
) -> Option<BTreeSet<(u8, u8)>> {
    let recorder = Changes {
        system,
        interpreter,
        atoms,
        seen: Mutex::default(),
    };
    let interrupt = AtomicBool::new(false);
    let options = Options {
        deadlock: false,
        failures: false,
        proviso: true,
        all: true,
        depth: None,
        memory: 64 << 20,
        deadline: None,
        alone: 0,
        interrupt: &interrupt,
    };
    let stop = run(&recorder, &options);
    let mut seen = recorder.seen.into_inner().unwrap();
    seen.retain(|(before, after)| before != after);
    (stop == StopReason::Complete).then_some(seen)
}

/// `g0 == 1` and `g1 > 0`, as far as there are such variables.
fn atoms(program: &mut Program) -> Vec<ExpressionId> {
    let variables: Vec<(u32, mazurka_model::Kind)> =
        program.shared.iter().map(|v| (v.offset, v.kind)).collect();
    let mut atoms = Vec::new();
    for (position, (offset, kind)) in variables.into_iter().take(2).enumerate() {
        program.places.push(Place {
            base: mazurka_model::Base::Shared,
            offset,
            kind,
            indices: 0..0,
        });
        let place = PlaceId(program.places.len() as u32 - 1);
        let mut node = |expression| {
            program.expressions.push(expression);
            ExpressionId(program.expressions.len() as u32 - 1)
        };
        let value = node(Expression::Load(place));
        let right = node(Expression::Constant(1 - position as i32));
        let operator = [BinaryOperator::Equal, BinaryOperator::Greater][position];
        atoms.push(node(Expression::Binary(operator, value, right)));
    }
    atoms
}

#[test]
fn every_change_that_a_property_sees_is_an_edge() {
    let mut compared = 0;
    for seed in 30_000..32_000 {
        let text = Machines::random(seed).text();
        let compiled = mazurka_efsm::compile(&mut SourceMap::new(), "m.efsm", text.as_bytes(), &[]);
        let mut program = compiled.unwrap().program;
        let atoms = atoms(&mut program);
        if atoms.is_empty() {
            continue;
        }
        let interpreter = Interpreter::new(program);
        let full = search(&interpreter, &interpreter, &atoms, |system, options| {
            depth_first(system, &mut (), options, &mut ()).stop
        });
        let simultaneous = Simultaneous::new(&interpreter, &interpreter, true)
            .unwrap()
            .watching(&atoms);
        let reduced = search(&simultaneous, &interpreter, &atoms, |system, options| {
            depth_first(system, &mut SetsFirst, options, &mut ()).stop
        });
        if let Some(full) = full {
            assert_eq!(reduced, Some(full.clone()), "seed {seed}\n{text}");
            compared += usize::from(full.len() > 1);
        }
    }
    assert!(compared > 80, "{compared}");
}

/// With a claim on the number of leaders the graph of the election has one state more than the
/// paper's without, at most.
#[test]
fn a_claim_on_the_leaders_costs_a_state_at_most() {
    let text = include_str!("../../../examples/efsm/leader.efsm");
    for (nodes, most) in [(3, 38), (4, 46), (5, 54), (6, 62)] {
        let defines = [format!("N={nodes}")];
        let mut map = SourceMap::new();
        let compiled = mazurka_efsm::compile(&mut map, "leader.efsm", text.as_bytes(), &defines);
        let mut program = compiled.unwrap().program;
        let atoms = atoms(&mut program);
        let interpreter = Interpreter::new(program);
        let system = Simultaneous::new(&interpreter, &interpreter, true).unwrap();
        let system = system.watching(&atoms);
        let interrupt = AtomicBool::new(false);
        let options = Options {
            deadlock: true,
            failures: true,
            proviso: true,
            all: true,
            depth: None,
            memory: 64 << 20,
            deadline: None,
            alone: 0,
            interrupt: &interrupt,
        };
        let report = depth_first(&system, &mut SetsFirst, &options, &mut ());
        assert_eq!(report.stop, StopReason::Complete);
        assert!(report.violations.is_empty());
        assert!(
            report.statistics.states <= most,
            "{nodes}: {}",
            report.statistics.states
        );
    }
}
