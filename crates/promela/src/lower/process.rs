//! Process types: parameters, local variables, bodies, and which processes run at the start.

use std::sync::Arc;

use mazurka_model::{
    Base, Instruction, Kind, LocationId, Meaning, Place, PlaceId, ProcessType, ProcessTypeId, Slot,
    Variable,
};

use mazurka_span::Diagnostic;

use crate::ast::{self, Declaration, ExprKind, FormulaKind, Model, Name};

use super::statement::Body;
use super::survey::{Part, each_operand, each_part};
use super::symbols::{Initial, Symbol, Type};
use super::{Lowerer, Process, ProcessUnit, problem, process_units};

const LARGEST_FRAME: u32 = 1 << 20;

impl Lowerer<'_> {
    /// Gives every process type a number, so that they can refer to each other.
    pub(super) fn register_processes(&mut self, model: &Model) {
        for unit in process_units(model) {
            let (name, span) = match unit {
                ProcessUnit::Proctype(proctype) => (proctype.name.text.clone(), proctype.name.span),
                ProcessUnit::Init(init) => (Arc::from("init"), init.keyword),
            };
            let id = ProcessTypeId(self.names.processes.len() as u32);
            self.names.processes.push(Process::default());
            let process_type = ProcessType::new(&*name, LocationId(0));
            self.program.process_types.push(process_type);
            if self.names.process_names.insert(name.clone(), id).is_some() {
                let name = Name { text: name, span };
                self.redeclared(&name, None);
            }
        }
    }

    /// The processes that exist from the start, in the order of the text.
    pub(super) fn start_processes(&mut self, model: &Model, start: &mut Vec<Instruction>) {
        let mut total = 0;
        for (number, unit) in process_units(model).enumerate() {
            let process_type = ProcessTypeId(number as u32);
            let (count, priority) = match unit {
                ProcessUnit::Init(init) => {
                    self.parameters(process_type, &[]);
                    (1, init.priority.as_ref())
                }
                ProcessUnit::Proctype(proctype) => {
                    self.parameters(process_type, &proctype.parameters);
                    let Some(active) = &proctype.active else {
                        continue;
                    };
                    let count = match &active.count {
                        Some(count) => {
                            self.bounded_constant(count, "the number of processes", 0, 255)
                        }
                        None => Some(1),
                    };
                    // With a wrong number there is one error, not also that nobody is active.
                    (count.unwrap_or(1), proctype.priority.as_ref())
                }
            };
            let priority = priority
                .and_then(|p| self.bounded_constant(p, "a priority", 1, 255))
                .unwrap_or(1);
            // The parameters of a process that is active from the start are zero.
            let zero = self.constant(0);
            let arguments = vec![zero; self.names.processes[number].parameter_count];
            for _ in 0..count {
                let arguments = self.push_list(arguments.clone());
                start.push(Instruction::Run {
                    process_type,
                    arguments,
                    priority: priority as u8,
                    result: None,
                });
            }
            total += count;
        }
        if total == 0 && !self.names.processes.is_empty() {
            let span = model
                .units
                .first()
                .map_or(Default::default(), ast::Unit::span);
            let message = "no process is active at the start: there is neither an `init` nor an `active` proctype";
            let mut proctypes = model.units.iter().filter_map(|unit| match unit {
                ast::Unit::Proctype(proctype) => Some(&proctype.name),
                _ => None,
            });
            let hint = match proctypes.next() {
                Some(name) => {
                    format!("write `active proctype {name}`, or `init {{ run {name}() }}`")
                }
                None => "write `init { … }`".to_string(),
            };
            let diagnostic = Diagnostic::error(problem::NO_PROCESS, span, message).hint(hint);
            self.diagnostics.push(diagnostic);
        }
    }

    fn parameters(&mut self, id: ProcessTypeId, parameters: &[Declaration]) {
        self.current = Some(id);
        self.names.processes[id.index()].scopes.enter();
        for declaration in parameters {
            for variable in &declaration.variables {
                let Some((of, length)) = self.variable_type(declaration, variable) else {
                    continue;
                };
                if length.is_some() {
                    self.error(
                        problem::PARAMETER_TYPE,
                        variable.span,
                        "an array cannot be a parameter",
                    );
                }
                if variable.initializer.is_some() {
                    self.error(
                        problem::BAD_INITIALISER,
                        variable.span,
                        "a parameter has no initialiser",
                    );
                }
                let Some(symbol) = self.declare_local(variable, of, None, &Initial::Zero) else {
                    continue;
                };
                let places = match of {
                    Type::Scalar { kind, .. } => {
                        vec![self.place(Base::Local, symbol.offset, kind, Vec::new())]
                    }
                    Type::Structure(structure) => {
                        self.leaves(Base::Local, symbol.offset, structure, &[], variable.span)
                    }
                };
                self.names.processes[id.index()].parameter_count += places.len();
                self.program.process_types[id.index()]
                    .parameters
                    .extend(places);
            }
        }
        self.current = None;
    }

    /// A variable of the process at hand.
    pub(super) fn declare_local(
        &mut self,
        variable: &ast::Variable,
        of: Type,
        length: Option<u32>,
        initial: &Initial,
    ) -> Option<Symbol> {
        let id = self.current?;
        let offset = self.names.processes[id.index()].frame_bytes;
        let bytes = self.type_bytes(of) * length.unwrap_or(1);
        if offset + bytes > LARGEST_FRAME {
            self.error(
                problem::TOO_LARGE,
                variable.span,
                "the variables of the process are too large",
            );
            self.refused.insert(variable.name.text.clone());
            return None;
        }
        let mut described = Vec::new();
        self.describe(&variable.name.text, of, length, offset, &mut described);
        self.program.process_types[id.index()]
            .variables
            .extend(described);
        let symbol = self.symbol(variable, of, length, Base::Local, offset, initial);
        if self.names.constants.contains_key(&variable.name.text) {
            self.redeclared(&variable.name, None);
        }
        let process = &mut self.names.processes[id.index()];
        process.frame_bytes += bytes;
        process
            .visible
            .entry(symbol.name.clone())
            .or_insert_with(|| symbol.clone());
        if let Some(before) = process.scopes.declare(symbol.clone()) {
            self.redeclared(&variable.name, Some(before.span));
        }
        Some(symbol)
    }

    /// A variable of the process at hand that has no name.
    pub(super) fn unnamed_local(&mut self, kind: Kind) -> PlaceId {
        let index = self.current.map_or(0, |id| id.index());
        let offset = self.names.processes[index].frame_bytes;
        self.names.processes[index].frame_bytes += kind.bytes();
        self.program.process_types[index].variables.push(Variable {
            name: "counter".into(),
            offset,
            kind,
            length: None,
            meaning: Meaning::Number,
        });
        self.push_place(Place {
            base: Base::Local,
            offset,
            kind,
            indices: 0..0,
        })
    }

    /// Reads the bodies of all processes.
    pub(super) fn processes(&mut self, model: &Model) {
        self.collect_label_references(model);
        for (number, unit) in process_units(model).enumerate() {
            let (body, provided, deterministic) = match unit {
                ProcessUnit::Proctype(proctype) => (
                    &proctype.body,
                    proctype.provided.as_ref(),
                    proctype.deterministic,
                ),
                ProcessUnit::Init(init) => (&init.body, None, false),
            };
            let id = ProcessTypeId(number as u32);
            self.current = Some(id);
            let mut reader = Body::new(self);
            let sequence = reader.whole(body);
            let Body {
                mut graph,
                labels,
                gotos,
                start,
                ..
            } = reader;
            let provided = provided.map(|condition| self.expression(condition));
            let start = self.emit_code(start);
            if let Some(sequence) = sequence {
                self.link_labels(id, &mut graph, &labels, &gotos);
                graph.tie_up();
                self.emit(id, &graph, &labels, sequence);
            }
            let priority = self.features().priority;
            let process = &mut self.names.processes[id.index()];
            let described = &mut self.program.process_types[id.index()];
            described.start = start;
            described.provided = provided;
            described.deterministic = deterministic;
            let kind = match described.locations.len() {
                0..=256 => Kind::Byte,
                257..=65536 => Kind::Unsigned(16),
                _ => Kind::Int,
            };
            described.location = Slot {
                offset: process.frame_bytes,
                kind,
            };
            process.frame_bytes += kind.bytes();
            if priority {
                described.priority = Some(Slot {
                    offset: process.frame_bytes,
                    kind: Kind::Byte,
                });
                process.frame_bytes += 1;
            }
            described.frame_bytes = process.frame_bytes;
            process.scopes.leave();
        }
        self.current = None;
    }

    /// Which labels are referred to from elsewhere: a jump that carries one becomes a place.
    fn collect_label_references(&mut self, model: &Model) {
        let mut found: Vec<(Arc<str>, Arc<str>)> = Vec::new();
        for unit in &model.units {
            let body = match unit {
                ast::Unit::Proctype(proctype) => {
                    if let Some(condition) = &proctype.provided {
                        labels_in(condition, &mut found);
                    }
                    &proctype.body
                }
                ast::Unit::Init(init) => &init.body,
                ast::Unit::Never(never) => &never.body,
                ast::Unit::Ltl(ltl) => {
                    labels_in_formula(&ltl.formula, &mut found);
                    continue;
                }
                ast::Unit::Expression(expr) => {
                    labels_in(expr, &mut found);
                    continue;
                }
                _ => continue,
            };
            for statement in &body.statements {
                each_part(statement, &mut |part| match part {
                    Part::Expr(expr) => labels_in(expr, &mut found),
                    Part::Reference(reference) => {
                        for index in reference.segments.iter().filter_map(|s| s.index.as_deref()) {
                            labels_in(index, &mut found);
                        }
                    }
                    Part::SetPriority => {}
                });
            }
        }
        for (proctype, label) in found {
            if let Some(id) = self.names.process_names.get(&proctype) {
                self.names.processes[id.index()].referred_labels.push(label);
            }
        }
    }
}

/// The labels that an expression refers to, each with its proctype.
pub(super) fn labels_of(expr: &ast::Expr) -> Vec<(Arc<str>, Arc<str>)> {
    let mut found = Vec::new();
    labels_in(expr, &mut found);
    found
}

fn labels_in(expr: &ast::Expr, found: &mut Vec<(Arc<str>, Arc<str>)>) {
    if let ExprKind::RemoteLabel {
        proctype, label, ..
    } = &expr.kind
    {
        found.push((proctype.text.clone(), label.text.clone()));
    }
    each_operand(expr, &mut |operand| labels_in(operand, found));
}

fn labels_in_formula(formula: &ast::Formula, found: &mut Vec<(Arc<str>, Arc<str>)>) {
    match &formula.kind {
        FormulaKind::Atom(expr) => labels_in(expr, found),
        FormulaKind::Not(operand)
        | FormulaKind::Next(operand)
        | FormulaKind::Always(operand)
        | FormulaKind::Eventually(operand) => labels_in_formula(operand, found),
        FormulaKind::Binary { left, right, .. } => {
            labels_in_formula(left, found);
            labels_in_formula(right, found);
        }
    }
}
