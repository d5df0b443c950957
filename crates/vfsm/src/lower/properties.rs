//! Invariants: checked at the end of each transition that can change them.

use mazurka_model::{BreachKind, Expression, ExpressionId, Instruction};

use crate::automaton::Edge;
use crate::network::{Atom, Claim, Network};
use crate::transition::Configuration;

use super::Lowering;

/// Do all invariants hold in the initial global states?
pub(super) fn holds_at_start(network: &Network) -> bool {
    let mut starts = network.starts.iter();
    starts.all(|start| violated_at(network, start).is_empty())
}

/// The invariants that an initial global state violates.
fn violated_at(network: &Network, start: &[usize]) -> Vec<usize> {
    let known = |atom: Atom| {
        let state = start[atom.machine()];
        Some(is_true_of(atom, Configuration { state, register: 0 }))
    };
    let invariants = network.invariants.iter().enumerate();
    invariants
        .filter(|(_, invariant)| invariant.claim.knowing(&known) == Claim::Constant(false))
        .map(|(number, _)| number)
        .collect()
}

impl Lowering<'_> {
    pub(super) fn check_invariants_at(&mut self, start: &[usize]) {
        for invariant in violated_at(self.network, start) {
            let breach = self.invariant_breach(invariant, "from the start on");
            self.builder.emit(Instruction::Breach(breach));
        }
    }

    /// At the end of its transition the machine is in another configuration, which the state does
    /// not show yet: what is known of it is put into the invariant.
    pub(super) fn check_invariants(
        &mut self,
        machine: usize,
        before: Configuration,
        edge: &Edge,
        after: Configuration,
    ) {
        let cause = self.words.cause(machine, before, edge, after);
        for number in 0..self.network.invariants.len() {
            let invariant = &self.network.invariants[number];
            let mut atoms = Vec::new();
            invariant.claim.atoms(&mut atoms);
            let changed = atoms.iter().any(|atom| {
                atom.machine() == machine && is_true_of(*atom, before) != is_true_of(*atom, after)
            });
            if !changed {
                continue;
            }
            let known = |atom: Atom| (atom.machine() == machine).then(|| is_true_of(atom, after));
            let rest = invariant.claim.knowing(&known);
            let breach = match rest {
                Claim::Constant(true) => continue,
                _ => self.invariant_breach(number, &cause),
            };
            if rest != Claim::Constant(false) {
                let violated = self.claim(&Claim::Not(Box::new(rest)));
                let behind = self.builder.here() + 2;
                self.builder.emit(Instruction::JumpUnless(violated, behind));
            }
            self.builder.emit(Instruction::Breach(breach));
        }
    }

    fn invariant_breach(&mut self, number: usize, cause: &str) -> mazurka_model::BreachId {
        let invariant = &self.network.invariants[number];
        let text = self.words.text(invariant.span);
        let message = format!("invariant {} is violated: {text}; {cause}", invariant.name);
        self.breach(BreachKind::Invariant, message, invariant.span)
    }

    /// A claim as an expression.
    pub(super) fn claim(&mut self, claim: &Claim) -> ExpressionId {
        if let Some(known) = self.claims.get(claim) {
            return *known;
        }
        let expression = match claim {
            Claim::Constant(value) => self.builder.constant(i32::from(*value)),
            Claim::Atom(Atom::In { machine, state }) => self.is_in(*machine, *state),
            Claim::Atom(Atom::Has { machine, input }) => {
                let process = self.builder.constant(self.process_number(*machine));
                let mark = *input;
                self.builder
                    .expression(Expression::Marked { process, mark })
            }
            Claim::Not(inner) => {
                let inner = self.claim(inner);
                self.builder.not(inner)
            }
            Claim::And(parts) => self.parts(parts, Expression::And, true),
            Claim::Or(parts) => self.parts(parts, Expression::Or, false),
        };
        self.claims.insert(claim.clone(), expression);
        expression
    }

    fn parts(
        &mut self,
        parts: &[Claim],
        join: fn(ExpressionId, ExpressionId) -> Expression,
        neutral: bool,
    ) -> ExpressionId {
        let mut whole = None;
        for part in parts {
            let part = self.claim(part);
            whole = Some(match whole {
                None => part,
                Some(before) => self.builder.expression(join(before, part)),
            });
        }
        whole.unwrap_or_else(|| self.builder.constant(i32::from(neutral)))
    }
}

fn is_true_of(atom: Atom, configuration: Configuration) -> bool {
    match atom {
        Atom::In { state, .. } => configuration.state == state,
        Atom::Has { input, .. } => configuration.register >> input & 1 != 0,
    }
}
