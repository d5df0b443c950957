//! Objects of the library, and those of a model, as variables, predicates and computations.
//!
//! An object is a variable of all machines. What a transition does with it becomes a part of its predicate, true where the
//! operation is possible, and the first statements of its computation. Nothing else can write the variable, so that
//! its value is always one of the object's. From there on, reports, reductions, exports and code know no difference.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use mazurka_span::{Diagnostic, Span, nearest};
use mazurka_syntax::{BinaryOperator, UnaryOperator};

use crate::ast::{
    Binary, Enumeration, Expression, ExpressionKind, Kind, Machine, Model, Name, Object, Operation,
    Pattern, Place, Sort, Statement, Transition, Unary, Use, Variable,
};
use crate::codes;

/// The model without objects. Those that it has stay listed, and so does what transitions do with them.
pub(super) fn expand(model: &Model, diagnostics: &mut Vec<Diagnostic>) -> Model {
    let mut expanded = model.clone();
    let mut expansion = Expansion {
        model,
        objects: HashMap::new(),
        diagnostics,
    };
    for kind in &model.kinds {
        expanded.enumerations.push(expansion.kind(kind));
    }
    for object in &model.objects {
        expansion.objects.insert(&object.name.text, object);
        expanded.globals.extend(expansion.variable(object));
    }
    for machine in &mut expanded.machines {
        expansion.machine(machine);
    }
    expanded
}

struct Expansion<'m, 'd> {
    model: &'m Model,
    objects: HashMap<&'m str, &'m Object>,
    diagnostics: &'d mut Vec<Diagnostic>,
}

/// What an operation is: where it is possible, and what it does.
#[derive(Default)]
struct Meaning {
    guard: Option<Expression>,
    effect: Vec<Statement>,
}

impl<'m> Expansion<'m, '_> {
    fn error(&mut self, code: mazurka_span::Code, span: Span, message: impl Into<String>) {
        let diagnostic = Diagnostic::error(code, span, message.into());
        self.diagnostics.push(diagnostic);
    }

    fn unknown(&mut self, lacks: &str, name: &Name, known: impl Iterator<Item = &'m str>) {
        let message = format!("{lacks} `{}`", name.text);
        let mut diagnostic = Diagnostic::error(codes::UNKNOWN_NAME, name.span, message);
        if let Some(near) = nearest(&name.text, known) {
            diagnostic = diagnostic.hint(format!("did you mean `{near}`?"));
        }
        self.diagnostics.push(diagnostic);
    }

    /// The states of a kind of object, as an enumeration.
    fn kind(&mut self, kind: &'m Kind) -> Enumeration {
        if kind.states.iter().filter(|state| state.start).count() != 1 {
            let message = format!("object {} needs one start state", kind.name.text);
            self.error(codes::NO_START, kind.name.span, message);
        }
        let mut names = HashSet::new();
        for operation in &kind.operations {
            if !names.insert(&operation.name.text) {
                let message = format!("`{}` is declared twice", operation.name.text);
                self.error(codes::DUPLICATE, operation.name.span, message);
            }
            let mut sources = HashSet::new();
            for (from, to) in &operation.edges {
                for name in [from, to] {
                    let mut states = kind.states.iter().map(|state| state.name.as_str());
                    if !states.clone().any(|state| state == name.as_str()) {
                        let lacks = format!("object {} has no state", kind.name.text);
                        self.unknown(&lacks, name, &mut states);
                    }
                }
                if !sources.insert(&from.text) {
                    let (operation, from_state) = (&operation.name.text, &from.text);
                    let message =
                        format!("`{operation}` says twice where it leads from {from_state}");
                    self.error(codes::DUPLICATE, from.span, message);
                }
            }
        }
        Enumeration {
            name: kind.name.clone(),
            values: kind.states.iter().map(|state| state.name.clone()).collect(),
        }
    }

    /// The variable that an object is.
    fn variable(&mut self, object: &'m Object) -> Option<Variable> {
        let span = object.name.span;
        let named = |text: &str| Name {
            text: text.into(),
            span,
        };
        let (type_name, initial) = match &object.sort {
            Sort::Mutex => (named("bool"), None),
            Sort::Barrier => (named("byte"), None),
            Sort::Counter => (named("byte"), object.initial.clone()),
            // It is free at first, unless something else is said.
            Sort::Semaphore => (
                named("byte"),
                object.initial.clone().or(object.bound.clone()),
            ),
            Sort::Own(kind) => {
                let Some(found) = self.kind_named(kind) else {
                    let known = self.model.kinds.iter().map(|kind| kind.name.as_str());
                    self.unknown("there is no kind of object", kind, known);
                    return None;
                };
                let mut states = found.states.iter();
                let start = states.find(|state| state.start).or(found.states.first())?;
                (kind.clone(), Some(name(&start.name.text, span)))
            }
        };
        Some(Variable {
            name: object.name.clone(),
            type_name,
            length: object.length.clone(),
            initial,
        })
    }

    fn kind_named(&self, name: &Name) -> Option<&'m Kind> {
        let mut kinds = self.model.kinds.iter();
        kinds.find(|kind| kind.name.text == name.text)
    }

    fn machine(&mut self, machine: &mut Machine) {
        let parameters = machine.parameters.iter().map(|p| p.name.text.clone());
        let ports = machine.ports.iter().map(|p| p.name.text.clone());
        let variables = machine.variables.iter().map(|v| v.name.text.clone());
        let own: HashSet<Arc<str>> = parameters.chain(ports).chain(variables).collect();
        let mut held: Vec<&'m Object> = Vec::new();
        for transition in &mut machine.transitions {
            self.keep_out(&own, transition);
            self.transition(&own, transition, &mut held);
        }
        for object in held {
            machine.variables.push(Variable {
                name: Name {
                    text: holds(object),
                    span: object.name.span,
                },
                type_name: Name {
                    text: "bool".into(),
                    span: object.name.span,
                },
                length: object.length.clone(),
                initial: None,
            });
        }
    }

    /// Puts what a transition does with objects into its predicate and its computation.
    fn transition(
        &mut self,
        own: &HashSet<Arc<str>>,
        transition: &mut Transition,
        held: &mut Vec<&'m Object>,
    ) {
        let mut effect = Vec::new();
        let mut used = HashSet::new();
        // Which element is meant is the same before the transition and in the middle of it.
        let uses = transition.uses.iter();
        let mut moving: HashSet<Arc<str>> = uses.map(|u| u.object.name.text.clone()).collect();
        let patterns = transition.receive.iter().flat_map(|r| &r.patterns);
        moving.extend(patterns.filter_map(|pattern| match pattern {
            Pattern::Store(place) => Some(place.name.text.clone()),
            Pattern::Ignore(_) | Pattern::Match(_) => None,
        }));
        for used_here in &transition.uses {
            if let Some(index) = &used_here.object.index
                && let Some(name) = names_in(index).find(|name| moving.contains(*name))
            {
                let message = format!(
                    "`{name}` changes in this transition: which element is meant must be known before"
                );
                self.error(codes::NOT_CONSTANT, index.span, message);
                continue;
            }
            let called = &used_here.object.name;
            let found = self.objects.get(called.as_str()).copied();
            let Some(object) = found.filter(|_| !own.contains(&called.text)) else {
                let known: Vec<&str> = self.objects.keys().copied().collect();
                self.unknown("there is no object", called, known.into_iter());
                continue;
            };
            if !used.insert(called.text.clone()) {
                let message = format!("a transition does one thing only with `{}`", called.text);
                self.error(codes::REPEATED_CLAUSE, used_here.span, message);
                continue;
            }
            if object.sort == Sort::Mutex && held.iter().all(|o| o.name.text != object.name.text) {
                held.push(object);
            }
            let Some(meaning) = self.meaning(object, used_here) else {
                continue;
            };
            transition.predicate = match (transition.predicate.take(), meaning.guard) {
                (Some(left), Some(right)) => Some(binary(BinaryOperator::And, left, right)),
                (left, right) => left.or(right),
            };
            effect.extend(meaning.effect);
        }
        effect.append(&mut transition.block);
        transition.block = effect;
    }

    fn meaning(&mut self, object: &'m Object, used: &Use) -> Option<Meaning> {
        let bound = || object.bound.clone().unwrap_or_else(|| number(1, used.span));
        let value = || read(&used.object, used.span);
        let changed = |operator| binary(operator, value(), number(1, used.span));
        let assign = |to| Statement::Assign(used.object.clone(), to);
        let below = || binary(BinaryOperator::Less, value(), bound());
        let above = || binary(BinaryOperator::Greater, value(), number(0, used.span));
        let waits = |guard, effect| {
            Some(Meaning {
                guard: Some(guard),
                effect,
            })
        };
        let more = || assign(changed(BinaryOperator::Add));
        let less = || assign(changed(BinaryOperator::Subtract));
        let known: &[&'static str] = match (&object.sort, used.operation.as_str()) {
            (Sort::Mutex, "lock") => {
                let free = Expression {
                    kind: ExpressionKind::Unary(
                        Unary::Value(UnaryOperator::Not),
                        Box::new(value()),
                    ),
                    span: used.span,
                };
                let holds = Statement::Assign(holding(object, used), truth(true, used.span));
                return waits(free, vec![assign(truth(true, used.span)), holds]);
            }
            (Sort::Mutex, "unlock") => {
                let place = holding(object, used);
                let effect = vec![
                    Statement::Assert(read(&place, used.span)),
                    Statement::Assign(place, truth(false, used.span)),
                    assign(truth(false, used.span)),
                ];
                return Some(Meaning {
                    guard: None,
                    effect,
                });
            }
            (Sort::Semaphore, "take") => return waits(above(), vec![less()]),
            (Sort::Semaphore, "release") => return waits(below(), vec![more()]),
            (Sort::Counter, "increase") => {
                return Some(Meaning {
                    guard: None,
                    effect: vec![Statement::Assert(below()), more()],
                });
            }
            (Sort::Counter, "decrease") => {
                return Some(Meaning {
                    guard: None,
                    effect: vec![Statement::Assert(above()), less()],
                });
            }
            (Sort::Barrier, "arrive") => return waits(below(), vec![more()]),
            (Sort::Barrier, "pass") => {
                let all = binary(BinaryOperator::Multiply, number(2, used.span), bound());
                let next = binary(BinaryOperator::Remainder, changed(BinaryOperator::Add), all);
                let open = binary(BinaryOperator::GreaterEqual, value(), bound());
                return waits(open, vec![assign(next)]);
            }
            (Sort::Own(kind), operation) => {
                let kind = self.kind_named(kind)?;
                let mut operations = kind.operations.iter();
                if let Some(found) = operations.find(|o| o.name.as_str() == operation) {
                    return Some(own_meaning(kind, found, used));
                }
                let known = kind.operations.iter().map(|o| o.name.as_str());
                let lacks = format!("object {} has no operation", kind.name.text);
                self.unknown(&lacks, &used.operation, known);
                return None;
            }
            (Sort::Mutex, _) => &["lock", "unlock"],
            (Sort::Semaphore, _) => &["take", "release"],
            (Sort::Counter, _) => &["increase", "decrease"],
            (Sort::Barrier, _) => &["arrive", "pass"],
        };
        let (sort, [first, second]) = (word(&object.sort), [known[0], known[1]]);
        let message = format!(
            "a {sort} has `{first}` and `{second}`, not `{}`",
            used.operation.text
        );
        self.error(codes::UNKNOWN_NAME, used.operation.span, message);
        None
    }

    /// An object is not written but by its operations.
    fn keep_out(&mut self, own: &HashSet<Arc<str>>, transition: &Transition) {
        let mut written = Vec::new();
        let patterns = transition.receive.iter().flat_map(|r| &r.patterns);
        written.extend(patterns.filter_map(|pattern| match pattern {
            Pattern::Store(place) => Some(place),
            Pattern::Ignore(_) | Pattern::Match(_) => None,
        }));
        places_written(&transition.block, &mut written);
        for place in written {
            let name = &place.name;
            if self.objects.contains_key(name.as_str()) && !own.contains(&name.text) {
                let message = format!(
                    "`{}` is an object: only `do {}.OPERATION` changes it",
                    name.text, name.text
                );
                self.error(codes::READ_ONLY, name.span, message);
            }
        }
    }
}

/// What an operation of a kind of the model's own is.
fn own_meaning(kind: &Kind, operation: &Operation, used: &Use) -> Meaning {
    let is_in = |state: &Name| {
        let value = read(&used.object, used.span);
        binary(BinaryOperator::Equal, value, name(&state.text, used.span))
    };
    let leads_to = |to: &Name| Statement::Assign(used.object.clone(), name(&to.text, used.span));
    // What leads from or to no state was told already.
    let is_state = |name: &Name| kind.states.iter().any(|state| state.name.text == name.text);
    let edges = operation.edges.iter();
    let edges: Vec<_> = edges
        .filter(|(from, to)| is_state(from) && is_state(to))
        .collect();
    let guard = match edges.len() == kind.states.len() {
        true => None,
        false => edges
            .iter()
            .map(|(from, _)| is_in(from))
            .reduce(|left, right| binary(BinaryOperator::Or, left, right)),
    };
    let is_one_target = edges
        .windows(2)
        .all(|pair| pair[0].1.text == pair[1].1.text);
    let effect = match edges.first() {
        Some((_, to)) if is_one_target => vec![leads_to(to)],
        _ => {
            let changes = edges.iter().rev().filter(|(from, to)| from.text != to.text);
            changes.fold(Vec::new(), |otherwise, (from, to)| {
                vec![Statement::If(is_in(from), vec![leads_to(to)], otherwise)]
            })
        }
    };
    Meaning { guard, effect }
}

fn places_written<'s>(statements: &'s [Statement], written: &mut Vec<&'s Place>) {
    for statement in statements {
        match statement {
            Statement::Assign(place, _) => written.push(place),
            Statement::If(_, then, otherwise) => {
                places_written(then, written);
                places_written(otherwise, written);
            }
            Statement::While(_, body) | Statement::For(_, _, _, body) => {
                places_written(body, written);
            }
            Statement::Assert(_) => {}
        }
    }
}

/// The names in an expression over values.
fn names_in(expression: &Expression) -> Box<dyn Iterator<Item = &Arc<str>> + '_> {
    match &expression.kind {
        ExpressionKind::Name(name) => Box::new(std::iter::once(name)),
        ExpressionKind::Index(name, index) => {
            Box::new(std::iter::once(&name.text).chain(names_in(index)))
        }
        ExpressionKind::Unary(_, operand) => names_in(operand),
        ExpressionKind::Binary(_, left, right) => Box::new(names_in(left).chain(names_in(right))),
        _ => Box::new(std::iter::empty()),
    }
}

fn word(sort: &Sort) -> &'static str {
    match sort {
        Sort::Mutex => "mutex",
        Sort::Semaphore => "semaphore",
        Sort::Counter => "counter",
        Sort::Barrier => "barrier",
        Sort::Own(_) => "object",
    }
}

/// Where a machine keeps whether it holds a mutex.
fn holds(object: &Object) -> Arc<str> {
    format!("{}_held", object.name.text).into()
}

fn holding(object: &Object, used: &Use) -> Place {
    Place {
        name: Name {
            text: holds(object),
            span: used.span,
        },
        index: used.object.index.clone(),
    }
}

fn read(place: &Place, span: Span) -> Expression {
    let kind = match &place.index {
        Some(index) => ExpressionKind::Index(place.name.clone(), index.clone()),
        None => ExpressionKind::Name(place.name.text.clone()),
    };
    Expression { kind, span }
}

fn name(text: &Arc<str>, span: Span) -> Expression {
    let kind = ExpressionKind::Name(text.clone());
    Expression { kind, span }
}

fn number(value: i32, span: Span) -> Expression {
    let kind = ExpressionKind::Number(value);
    Expression { kind, span }
}

fn truth(value: bool, span: Span) -> Expression {
    let kind = ExpressionKind::Truth(value);
    Expression { kind, span }
}

fn binary(operator: BinaryOperator, left: Expression, right: Expression) -> Expression {
    let span = left.span;
    let operator = Binary::Value(operator);
    let kind = ExpressionKind::Binary(operator, Box::new(left), Box::new(right));
    Expression { kind, span }
}
