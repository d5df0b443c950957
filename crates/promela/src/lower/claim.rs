//! Never claims and formulas: from syntax to automata and formulas over the program's expressions.

use std::collections::HashMap;

use mazurka_ltl::{Formula, MOST_ATOMS};
use mazurka_model::{
    Claim, ClaimState, ClaimTransition, Expression, ExpressionId, Instruction, LocationId,
    MOST_CONDITIONS, ProcessType, ProcessTypeId, TransitionId,
};
use mazurka_span::Span;

use crate::Property;
use crate::ast::{self, FormulaKind, FormulaOperator, Never};

use super::statement::Body;
use super::{Lowerer, Process, problem};

/// An atomic sequence of a claim with more statements than this is refused.
const LONGEST_SEQUENCE: usize = 64;

impl Lowerer<'_> {
    /// A formula over expressions of the program.
    pub(super) fn formula(&mut self, ltl: &ast::Ltl, name: String) -> Property {
        let mut atoms = Atoms::default();
        let formula = self.formula_part(&ltl.formula, &mut atoms);
        if atoms.expressions.len() > MOST_ATOMS {
            let message = format!("a formula with more than {MOST_ATOMS} different conditions");
            self.error(problem::TOO_LARGE, ltl.formula_span, message);
        }
        Property {
            name,
            formula,
            atoms: atoms.expressions,
            words: atoms.texts,
            text: self.as_written(ltl.formula_span, ltl.text.clone()),
            start: ltl.formula_span.start,
        }
    }

    fn formula_part(&mut self, formula: &ast::Formula, atoms: &mut Atoms) -> Formula {
        let mut inside = |part: &ast::Formula| Box::new(self.formula_part(part, atoms));
        match &formula.kind {
            FormulaKind::Not(operand) => Formula::Not(inside(operand)),
            FormulaKind::Next(operand) => Formula::Next(inside(operand)),
            FormulaKind::Always(operand) => Formula::Always(inside(operand)),
            FormulaKind::Eventually(operand) => Formula::Eventually(inside(operand)),
            FormulaKind::Binary {
                operator,
                left,
                right,
            } => {
                let (left, right) = (inside(left), inside(right));
                match operator {
                    FormulaOperator::And => Formula::And(left, right),
                    FormulaOperator::Or => Formula::Or(left, right),
                    FormulaOperator::Implies => Formula::Implies(left, right),
                    FormulaOperator::Equivalent => Formula::Equivalent(left, right),
                    FormulaOperator::Until => Formula::Until(left, right),
                    FormulaOperator::WeakUntil => Formula::WeakUntil(left, right),
                    FormulaOperator::Release => Formula::Release(left, right),
                }
            }
            FormulaKind::Atom(expr) => {
                let expression = self.expression(expr);
                if let Expression::Constant(value) = self.program.expressions[expression.index()] {
                    return Formula::Constant(value != 0);
                }
                let text = expr.to_string();
                let written = self.as_written(expr.span, text.clone());
                let number = *atoms.numbers.entry(text).or_insert_with(|| {
                    atoms.expressions.push(expression);
                    atoms.texts.push(written);
                    atoms.expressions.len() - 1
                });
                // Too many are reported by the caller.
                Formula::Atom(number.min(MOST_ATOMS - 1) as u32)
            }
        }
    }

    /// A never claim as an automaton. It is read as a process, which is then taken apart again.
    pub(super) fn never(&mut self, never: &Never, name: String) -> Option<Claim> {
        let at = never.span.at_start();
        self.read_apart(&never.body, name.clone(), |lowerer, id| {
            lowerer.automaton(id, name, at)
        })
    }

    /// Reads a sequence as a process of which nothing is left but what `take` makes of it.
    pub(super) fn read_apart<T>(
        &mut self,
        body: &ast::Sequence,
        name: String,
        take: impl FnOnce(&mut Self, ProcessTypeId) -> Option<T>,
    ) -> Option<T> {
        let id = ProcessTypeId(self.names.processes.len() as u32);
        let statements = self.program.statements.len();
        let locations = self.program.locations.len();
        let transitions = self.program.transitions.len();
        self.names.processes.push(Process::default());
        let initial = LocationId(locations as u32);
        let process_type = ProcessType::new(name, initial);
        self.program.process_types.push(process_type);
        self.current = Some(id);
        self.names.processes[id.index()].scopes.enter();
        let mut reader = Body::new(self);
        let sequence = reader.whole(body);
        let Body {
            mut graph,
            labels,
            gotos,
            ..
        } = reader;
        let mut taken = None;
        if let Some(sequence) = sequence {
            self.link_labels(id, &mut graph, &labels, &gotos);
            graph.tie_up();
            self.emit(id, &graph, &labels, sequence);
            taken = take(self, id);
        }
        self.current = None;
        self.names.processes.pop();
        self.program.process_types.pop();
        self.program.statements.truncate(statements);
        self.statement_spans.truncate(statements);
        self.program.locations.truncate(locations);
        self.program.transitions.truncate(transitions);
        taken
    }

    fn automaton(&mut self, id: ProcessTypeId, name: String, span: Span) -> Option<Claim> {
        let described = &self.program.process_types[id.index()];
        if !described.variables.is_empty() {
            let variable = &described.variables[0].name;
            let message = format!(
                "a never claim cannot have variables of its own, as `{variable}` is: it only looks at the system"
            );
            self.error(problem::BAD_CLAIM, span, message);
            return None;
        }
        let (range, initial) = (described.locations.clone(), described.initial);
        let mut conditions = Conditions::default();
        let mut states = Vec::new();
        // The initial location first.
        let number = |location: u32| match location {
            location if location == initial.0 => 0,
            location if location < initial.0 => location - range.start + 1,
            location => location - range.start,
        };
        let mut order: Vec<u32> = range.clone().collect();
        order.sort_by_key(|location| number(*location));
        for location in order {
            let described = &self.program.locations[location as usize];
            let violated = described.transitions.clone().any(|transition| {
                let code = &self.program.transitions[transition as usize].effect;
                self.program.code[code.start as usize..code.end as usize]
                    .contains(&Instruction::Die)
            });
            let mut state = ClaimState {
                accepting: described.accept,
                violated,
                transitions: Vec::new(),
            };
            if !violated {
                let start = ClaimTransition {
                    positive: 0,
                    negative: 0,
                    assertion: None,
                    target: 0,
                };
                let mut path = Vec::new();
                let outcome =
                    self.claim_transitions(location, start, &mut conditions, &mut state, &mut path);
                if let Err((at, message)) = outcome {
                    let span = at.map_or(span, |at| {
                        let statement = self.program.transitions[at.index()].statement;
                        self.statement_spans[statement.index()]
                    });
                    self.error(problem::BAD_CLAIM, span, message);
                    return None;
                }
                for transition in &mut state.transitions {
                    transition.target = number(transition.target);
                }
            }
            states.push(state);
        }
        Some(Claim {
            name,
            conditions: conditions.expressions,
            states,
            sees_inside: false,
        })
    }

    /// The transitions of a location; an atomic sequence is one transition.
    fn claim_transitions(
        &self,
        location: u32,
        before: ClaimTransition,
        conditions: &mut Conditions,
        state: &mut ClaimState,
        path: &mut Vec<u32>,
    ) -> Result<(), (Option<TransitionId>, &'static str)> {
        if path.len() > LONGEST_SEQUENCE {
            return Err((None, "an atomic sequence of a never claim that is too long"));
        }
        path.push(location);
        let mut others = 0;
        // Is there an option that can always be taken?
        let mut always = false;
        for index in self.program.locations[location as usize]
            .transitions
            .clone()
        {
            let at = Some(TransitionId(index));
            let transition = &self.program.transitions[index as usize];
            let mut next = before;
            if transition.otherwise {
                if always {
                    continue;
                }
                next.negative |= others;
            } else if self.program.expressions[transition.guard.index()] != Expression::Constant(1)
            {
                let bit = conditions
                    .bit(transition.guard)
                    .map_err(|message| (at, message))?;
                next.positive |= 1 << bit;
                others |= 1 << bit;
            } else {
                always = true;
            }
            let code = transition.effect.start as usize..transition.effect.end as usize;
            for instruction in &self.program.code[code] {
                match instruction {
                    Instruction::Assert(claim) if next.assertion.is_none() => {
                        let bit = conditions.bit(*claim).map_err(|message| (at, message))?;
                        next.assertion = Some(bit);
                    }
                    Instruction::Print(..) => {}
                    _ => {
                        let message = "a never claim only looks: it cannot change anything";
                        return Err((at, message));
                    }
                }
            }
            if next.positive & next.negative != 0 {
                continue;
            }
            let Some(target) = transition.target else {
                continue;
            };
            let ends = self.program.locations[target.index()]
                .transitions
                .is_empty();
            if transition.holds && !ends && !self.ends_claim(target) {
                self.claim_transitions(target.0, next, conditions, state, path)?;
            } else {
                next.target = target.0;
                state.transitions.push(next);
            }
        }
        path.pop();
        Ok(())
    }

    /// Is this the location where a claim ends?
    fn ends_claim(&self, location: LocationId) -> bool {
        let described = &self.program.locations[location.index()];
        described.transitions.clone().any(|transition| {
            let code = &self.program.transitions[transition as usize].effect;
            self.program.code[code.start as usize..code.end as usize].contains(&Instruction::Die)
        })
    }
}

#[derive(Default)]
struct Atoms {
    numbers: HashMap<String, usize>,
    expressions: Vec<ExpressionId>,
    texts: Vec<String>,
}

#[derive(Default)]
struct Conditions {
    expressions: Vec<ExpressionId>,
}

impl Conditions {
    fn bit(&mut self, expression: ExpressionId) -> Result<u8, &'static str> {
        let known = self
            .expressions
            .iter()
            .position(|known| *known == expression);
        let bit = known.unwrap_or_else(|| {
            self.expressions.push(expression);
            self.expressions.len() - 1
        });
        match bit < MOST_CONDITIONS {
            true => Ok(bit as u8),
            false => Err("a never claim with more than 64 conditions"),
        }
    }
}
