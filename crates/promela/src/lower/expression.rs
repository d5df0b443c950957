//! Expressions and references to variables.

use mazurka_model::{
    Base, ChannelTest, Expression, ExpressionId, Index, Kind, Place, PlaceId, ProcessTypeId,
};
use mazurka_span::{Diagnostic, Span};

use crate::ast::{Expr, ExprKind, Name, Probe, VariableRef};

use super::problem;
use super::symbols::{Symbol, Type};
use super::{LabelReference, Lowerer};

/// What a reference refers to.
pub(super) enum Reference {
    /// A single value.
    Place(PlaceId),
    /// A structure: where it starts, what it is, and the indices on the way.
    Structure {
        base: Base,
        offset: u32,
        structure: usize,
        indices: Vec<Index>,
    },
    /// A constant of an `mtype`.
    Constant(i32),
    /// Something that is computed.
    Computed(Expression),
    /// `_priority`
    Priority,
    /// `_`
    Nowhere,
    /// An error was reported.
    Unknown,
}

/// Variables that every model has: one number each.
const PREDEFINED: [&str; 4] = ["_pid", "_nr_pr", "_last", "_priority"];

impl Lowerer<'_> {
    /// The program's form of an expression that is not a `run`.
    pub(super) fn expression(&mut self, expr: &Expr) -> ExpressionId {
        let node = match &expr.kind {
            ExprKind::Number(number) => Expression::Constant(number.value),
            ExprKind::Variable(reference) => return self.read(reference),
            ExprKind::Unary { operator, operand } => {
                let operand = self.expression(operand);
                Expression::Unary(operator.of_program(), operand)
            }
            ExprKind::Binary {
                operator,
                left,
                right,
            } => {
                let left = self.expression(left);
                let right = self.expression(right);
                operator.expression(left, right)
            }
            ExprKind::Conditional { condition, yes, no } => {
                let condition = self.expression(condition);
                let yes = self.expression(yes);
                let no = self.expression(no);
                Expression::Conditional(condition, yes, no)
            }
            ExprKind::Run { .. } => {
                let message = "`run` must stand alone, or alone on the right of an assignment";
                self.error(problem::MISPLACED_RUN, expr.span, message);
                Expression::Constant(0)
            }
            ExprKind::Length(channel) => {
                let channel = self.channel(channel);
                Expression::Channel(ChannelTest::Length, channel)
            }
            ExprKind::Probe { probe, channel } => {
                let channel = self.channel(channel);
                let test = match probe {
                    Probe::Empty => ChannelTest::Empty,
                    Probe::NotEmpty => ChannelTest::NotEmpty,
                    Probe::Full => ChannelTest::Full,
                    Probe::NotFull => ChannelTest::NotFull,
                };
                Expression::Channel(test, channel)
            }
            ExprKind::Poll {
                channel,
                random,
                arguments,
            } => {
                let receive = self.poll(channel, *random, arguments);
                Expression::CanReceive(receive)
            }
            ExprKind::RemoteLabel {
                proctype,
                process,
                label,
            } => {
                return self.remote_label(proctype, process.as_deref(), label, expr.span);
            }
            ExprKind::RemoteVariable {
                proctype,
                process,
                variable,
            } => {
                let Some(process_type) = self.process_named(proctype) else {
                    return self.constant(0);
                };
                let process = process.as_ref().map(|process| self.expression(process));
                let found = self.remote_symbol(process_type, variable.name());
                let Some(symbol) = found else {
                    return self.constant(0);
                };
                let base = Base::Remote(process_type, process);
                match self.follow(&symbol, base, variable) {
                    Reference::Place(place) => Expression::Load(place),
                    _ => {
                        self.error(
                            problem::WHOLE_STRUCTURE,
                            variable.span,
                            "a single value is needed here",
                        );
                        Expression::Constant(0)
                    }
                }
            }
            ExprKind::Timeout => Expression::Timeout,
            ExprKind::NonProgress => Expression::NoProgress,
            ExprKind::Enabled(operand) => {
                self.enabled_at = Some(expr.span);
                let operand = self.expression(operand);
                Expression::Enabled(operand)
            }
            ExprKind::PcValue(operand) => {
                let operand = self.expression(operand);
                Expression::LocationOf(operand)
            }
            ExprKind::GetPriority(operand) => {
                let operand = self.expression(operand);
                Expression::PriorityOf(operand)
            }
            ExprKind::Error => Expression::Constant(0),
        };
        self.expression_node(node)
    }

    /// The value of a reference.
    pub(super) fn read(&mut self, reference: &VariableRef) -> ExpressionId {
        let node = match self.resolve(reference) {
            Reference::Place(place) => Expression::Load(place),
            Reference::Constant(value) => Expression::Constant(value),
            Reference::Computed(expression) => expression,
            Reference::Priority => {
                let own = self.expression_node(Expression::SelfProcess);
                Expression::PriorityOf(own)
            }
            Reference::Structure { .. } => {
                self.error(
                    problem::WHOLE_STRUCTURE,
                    reference.span,
                    "a whole structure where a value is needed",
                );
                Expression::Constant(0)
            }
            Reference::Nowhere => {
                self.error(
                    problem::WRITE_ONLY,
                    reference.span,
                    "`_` can only be written",
                );
                Expression::Constant(0)
            }
            Reference::Unknown => Expression::Constant(0),
        };
        self.expression_node(node)
    }

    /// The value of a reference that must be a channel.
    pub(super) fn channel(&mut self, reference: &VariableRef) -> ExpressionId {
        let name = reference.name();
        let symbol = self.find(name).cloned();
        let is_constant = self.names.constants.contains_key(&name.text);
        if is_constant || symbol.is_none() && PREDEFINED.contains(&name.as_str()) {
            let message = format!("`{name}` is not a channel");
            self.error(problem::BAD_CHANNEL, reference.span, message);
            return self.constant(0);
        }
        if let Some(Symbol {
            of: Type::Scalar { meaning, .. },
            span,
            ..
        }) = symbol
            && meaning != mazurka_model::Meaning::Channel
        {
            let message = format!("`{}` is not a channel", reference.name());
            let diagnostic = Diagnostic::error(problem::BAD_CHANNEL, reference.span, message);
            self.diagnostics
                .push(diagnostic.also(span, "declared here"));
            return self.constant(0);
        }
        self.read(reference)
    }

    /// Is it a variable that holds a channel?
    pub(super) fn is_channel(&self, reference: &VariableRef) -> bool {
        let symbol = self.find(reference.name());
        let is_channel = |symbol: &Symbol| {
            let meaning = mazurka_model::Meaning::Channel;
            matches!(symbol.of, Type::Scalar { meaning: found, .. } if found == meaning)
        };
        reference.segments.len() == 1 && symbol.is_some_and(is_channel)
    }

    /// The variable of that name that can be seen from here.
    pub(super) fn find(&self, name: &Name) -> Option<&Symbol> {
        let local = self
            .current
            .and_then(|id| self.names.processes[id.index()].scopes.find(&name.text));
        local.or_else(|| self.names.globals.find(&name.text))
    }

    /// What a reference refers to.
    pub(super) fn resolve(&mut self, reference: &VariableRef) -> Reference {
        let name = reference.name();
        let constant = self
            .names
            .constants
            .get(&name.text)
            .map(|(value, _)| *value);
        let symbol = self.find(name).cloned();
        let is_plain =
            constant.is_some() || symbol.is_none() && PREDEFINED.contains(&name.as_str());
        if let (true, Some(index)) = (is_plain, &reference.segments[0].index) {
            let message = format!("`{name}` is not an array");
            self.error(problem::NOT_AN_ARRAY, index.span, message);
            return Reference::Unknown;
        }
        if let Some(value) = constant {
            return Reference::Constant(value);
        }
        if let Some(symbol) = symbol {
            return self.follow(&symbol, symbol.base, reference);
        }
        match name.as_str() {
            "_" => Reference::Nowhere,
            "_pid" => Reference::Computed(Expression::SelfProcess),
            "_nr_pr" => Reference::Computed(Expression::ProcessCount),
            "_last" => Reference::Computed(Expression::LastProcess),
            "_priority" => Reference::Priority,
            _ => {
                let mut known: Vec<String> =
                    self.names.globals.names().map(str::to_owned).collect();
                known.extend(self.names.constants.keys().map(|name| name.to_string()));
                if let Some(id) = self.current {
                    known.extend(
                        self.names.processes[id.index()]
                            .scopes
                            .names()
                            .map(str::to_owned),
                    );
                }
                known.extend(["true", "false", "skip", "break", "timeout"].map(String::from));
                let known = known.iter().map(String::as_str);
                self.unknown(
                    problem::UNDECLARED,
                    name.span,
                    "variable",
                    name.as_str(),
                    known,
                );
                Reference::Unknown
            }
        }
    }

    /// Follows indices and fields from a variable on.
    fn follow(&mut self, symbol: &Symbol, base: Base, reference: &VariableRef) -> Reference {
        let (mut of, mut length, mut offset) = (symbol.of, symbol.length, symbol.offset);
        let mut indices: Vec<Index> = Vec::new();
        for (position, segment) in reference.segments.iter().enumerate() {
            if position > 0 {
                let Type::Structure(index) = of else {
                    let message =
                        format!("`{}` has no fields", reference.segments[position - 1].name);
                    self.error(problem::NO_SUCH_FIELD, segment.name.span, message);
                    return Reference::Unknown;
                };
                let structure = &self.names.structures[index];
                let Some(member) = structure
                    .members
                    .iter()
                    .find(|m| m.name == segment.name.text)
                else {
                    let known: Vec<_> = structure.members.iter().map(|m| m.name.clone()).collect();
                    let name = segment.name.as_str();
                    let message = format!("`{}` has no field `{name}`", structure.name);
                    let known = known.iter().map(|name| &**name);
                    let span = segment.name.span;
                    self.unknown_in_words(problem::NO_SUCH_FIELD, span, message, name, known);
                    return Reference::Unknown;
                };
                (of, length) = (member.of, member.length);
                offset += member.offset;
            }
            match (&segment.index, length) {
                (Some(index), Some(length)) => {
                    let stride = self.type_bytes(of);
                    match self.try_constant_index(index) {
                        Some(value) if (0..length as i32).contains(&value) => {
                            offset += value as u32 * stride
                        }
                        _ => {
                            let expression = self.expression(index);
                            indices.push(Index {
                                expression,
                                length,
                                stride,
                            });
                        }
                    }
                }
                (None, Some(_)) => {
                    let message = format!("`{}` is an array and needs an index", segment.name);
                    self.error(problem::MISSING_INDEX, segment.name.span, message);
                    return Reference::Unknown;
                }
                (Some(index), None) => {
                    if self.try_constant_index(index) != Some(0) {
                        let message = format!("`{}` is not an array", segment.name);
                        self.error(problem::NOT_AN_ARRAY, index.span, message);
                        return Reference::Unknown;
                    }
                }
                (None, None) => {}
            }
        }
        match of {
            Type::Scalar { kind, .. } => Reference::Place(self.place(base, offset, kind, indices)),
            Type::Structure(structure) => Reference::Structure {
                base,
                offset,
                structure,
                indices,
            },
        }
    }

    /// The value of an index that is written as a number.
    fn try_constant_index(&self, index: &Expr) -> Option<i32> {
        match &index.kind {
            ExprKind::Number(number) => Some(number.value),
            _ => None,
        }
    }

    pub(super) fn place(
        &mut self,
        base: Base,
        offset: u32,
        kind: Kind,
        indices: Vec<Index>,
    ) -> PlaceId {
        let start = self.program.indices.len() as u32;
        let range = if indices.is_empty() {
            0..0
        } else {
            start..start + indices.len() as u32
        };
        self.program.indices.extend(indices);
        self.push_place(Place {
            base,
            offset,
            kind,
            indices: range,
        })
    }

    /// All single values that a structure consists of, in the order of [`Lowerer::message_fields`].
    pub(super) fn leaves(
        &mut self,
        base: Base,
        offset: u32,
        structure: usize,
        indices: &[Index],
        span: Span,
    ) -> Vec<PlaceId> {
        let mut places = Vec::new();
        if !self.can_be_passed(Type::Structure(structure), span) {
            return places;
        }
        for member in self.names.structures[structure].members.clone() {
            let stride = self.type_bytes(member.of);
            for element in 0..member.length.unwrap_or(1) {
                let offset = offset + member.offset + element * stride;
                match member.of {
                    Type::Scalar { kind, .. } => {
                        places.push(self.place(base, offset, kind, indices.to_vec()))
                    }
                    Type::Structure(inner) => {
                        places.extend(self.leaves(base, offset, inner, indices, span))
                    }
                }
            }
        }
        places
    }

    /// The values of an argument: one, or all of a structure.
    pub(super) fn values(&mut self, expr: &Expr) -> Vec<ExpressionId> {
        if let ExprKind::Variable(reference) = &expr.kind
            && let Some(Type::Structure(_)) = self.find(reference.name()).map(|symbol| symbol.of)
            && let Reference::Structure {
                base,
                offset,
                structure,
                indices,
            } = self.resolve(reference)
        {
            return self
                .leaves(base, offset, structure, &indices, expr.span)
                .into_iter()
                .map(|place| self.expression_node(Expression::Load(place)))
                .collect();
        }
        vec![self.expression(expr)]
    }

    fn remote_symbol(&mut self, process_type: ProcessTypeId, name: &Name) -> Option<Symbol> {
        let visible = &self.names.processes[process_type.index()].visible;
        let found = visible.get(&name.text).cloned();
        if found.is_none() && name.as_str() == "_pid" {
            let message = "the number of another process is not asked for by its `_pid`";
            let hint = "it is the number in the brackets: what `run` returned, or the place among the `active` ones";
            let diagnostic = Diagnostic::error(problem::UNDECLARED, name.span, message);
            self.diagnostics.push(diagnostic.hint(hint));
        } else if found.is_none() {
            let known: Vec<_> = visible.keys().cloned().collect();
            let known = known.iter().map(|name| &**name);
            self.unknown(
                problem::UNDECLARED,
                name.span,
                "variable of that proctype",
                name.as_str(),
                known,
            );
        }
        found
    }

    fn remote_label(
        &mut self,
        proctype: &Name,
        process: Option<&Expr>,
        label: &Name,
        span: Span,
    ) -> ExpressionId {
        let Some(process_type) = self.process_named(proctype) else {
            return self.constant(0);
        };
        let process = process.map(|process| self.expression(process));
        let expression = self.expression_node(Expression::At {
            process_type,
            process,
            number: 0,
        });
        self.label_references.push(LabelReference {
            expression,
            process_type,
            label: label.text.clone(),
            span,
        });
        expression
    }

    /// Now that all places are numbered, labels can be looked up.
    pub(super) fn settle_label_references(&mut self) {
        for reference in std::mem::take(&mut self.label_references) {
            let numbers = &self.names.processes[reference.process_type.index()].label_numbers;
            match numbers.get(&reference.label) {
                Some(found) => {
                    let node = &mut self.program.expressions[reference.expression.index()];
                    if let Expression::At { number, .. } = node {
                        *number = *found;
                    }
                }
                None => {
                    let known: Vec<_> = numbers.keys().cloned().collect();
                    let known = known.iter().map(|name| &**name);
                    self.unknown(
                        problem::UNKNOWN_LABEL,
                        reference.span,
                        "label",
                        &reference.label,
                        known,
                    );
                }
            }
        }
    }
}
