//! Calls: what a procedure does stands where it is called.
//!
//! Variables of a procedure become variables of the process, its states become states of the process, once for each place where it is
//! called. Since no procedure is called while it is under way (recursion is refused), its variables are there once.

use std::rc::Rc;

use mazurka_span::{Diagnostic, Span};

use super::actions::action;
use super::context::{Access, Context, Level};
use super::{Expander, key, named_states};
use crate::ast::{
    Action, ActionKind, Answer, Body, Expression, ExpressionKind, Name, Procedure, Question,
};
use crate::codes;

/// A procedure, and what is known where it is declared.
struct Known {
    procedure: Procedure,
    levels: Vec<Level>,
}

/// What is printed is nothing to the system.
const PRINTED: &[&str] = &["write", "writeln"];

/// `call set_timer(1000, t)` and `call reset_timer(t)`, as OpenGEODE writes them.
fn timed(name: &Name, values: &[Expression]) -> Option<ActionKind> {
    let timer = match (&*key(name), values) {
        ("set_timer", [_, timer]) | ("reset_timer", [timer]) => timer,
        _ => return None,
    };
    let ExpressionKind::Name(timer) = &timer.kind else {
        return None;
    };
    Some(match values.len() {
        2 => ActionKind::Set(timer.clone(), Vec::new()),
        _ => ActionKind::Reset(timer.clone(), Vec::new()),
    })
}

impl Expander<'_> {
    /// A call; the variable that has the value, if one is wanted.
    pub(super) fn call(
        &mut self,
        context: &Context,
        name: &Name,
        values: &[Expression],
        wanted: Option<Span>,
        span: Span,
        all: &mut Vec<Action>,
    ) -> Option<Access> {
        let is_it = |known: &&Procedure| key(&known.name) == key(name);
        let near = context.levels.iter().enumerate().rev();
        let near = near.filter_map(|(level, all)| {
            let found = all.procedures.iter().find(is_it)?;
            Some((found.clone(), level + 1))
        });
        let everywhere = self.procedures.iter().find(is_it);
        let known = near
            .chain(everywhere.map(|found| (found.clone(), 0)))
            .next();
        let Some((procedure, depth)) = known else {
            if PRINTED.contains(&&*key(name)) {
                let message = format!("`{name}`: nothing happens here");
                self.diagnostics
                    .push(Diagnostic::warning(codes::INFORMAL, span, message));
                all.push(action(ActionKind::Nothing, span));
                return None;
            }
            if let Some(kind) = timed(name, values) {
                all.push(action(kind, span));
                return None;
            }
            let message = format!("there is no procedure `{name}`");
            self.error(codes::UNKNOWN_NAME, name.span, message);
            return None;
        };
        if context.called.contains(&key(name)) {
            let message = format!("`{name}` calls itself: recursive procedures are not supported");
            self.error(codes::NOT_TAKEN, name.span, message);
            return None;
        }
        if procedure.parameters.len() != values.len() {
            let (count, found) = (procedure.parameters.len(), values.len());
            let message = format!("`{name}` has {count} parameters, not {found}");
            self.error(codes::WRONG_COUNT, span, message);
            return None;
        }
        if wanted.is_some() && procedure.returns.is_none() {
            let message = format!("`{name}` returns no value");
            self.error(codes::WRONG_TYPE, name.span, message);
            return None;
        }
        let known = Known {
            procedure,
            levels: context.levels[..depth].to_vec(),
        };
        self.inline(context, &known, values, span, all)
    }

    fn inline(
        &mut self,
        context: &Context,
        known: &Known,
        values: &[Expression],
        span: Span,
        all: &mut Vec<Action>,
    ) -> Option<Access> {
        self.sites += 1;
        let site = self.sites;
        let procedure = &known.procedure;
        let name = &procedure.name;
        // It sees what stands around it, not what its caller sees.
        let around = known.levels.last().map(|level| (*level.scope).clone());
        let mut scope = around.unwrap_or_default();
        let mut own = Vec::new();
        let mut gone = Vec::new();
        for (parameter, value) in procedure.parameters.iter().zip(values) {
            let variable = &parameter.variable;
            if parameter.out {
                let before = self.diagnostics.len();
                let Some(access) = self.access(context, value) else {
                    if self.diagnostics.len() == before {
                        let message = "an `in/out` parameter needs a variable";
                        self.error(codes::WRONG_TYPE, value.span, message);
                    }
                    continue;
                };
                if self.has_conditions(context, value) {
                    let message = "an optional field or an alternative is no `in/out` parameter here: put a variable in its place";
                    self.error(codes::NOT_TAKEN, value.span, message);
                }
                if !access.is_fixed() {
                    let message = "an `in/out` parameter needs a variable that is known before: not an element whose index is computed";
                    self.error(codes::NOT_TAKEN, value.span, message);
                }
                if key(&access.type_name) != key(&variable.type_name)
                    && (self.types.is_compound(&access.type_name)
                        || self.types.is_compound(&variable.type_name))
                {
                    let message =
                        format!("a variable of type {} is needed here", variable.type_name);
                    self.error(codes::WRONG_TYPE, value.span, message);
                }
                scope.insert(key(&variable.name), access);
                continue;
            }
            // Text, and what else is not supported, may be given to what is done outside.
            let type_ = key(&variable.type_name);
            if procedure.external && (type_ == "charstring" || self.unsupported.contains(&type_)) {
                continue;
            }
            let value = self.hoist(context, value, all, &mut gone);
            let access = self.variable_of(procedure, &variable.name, &variable.type_name);
            let targets = self.elements(&access, span);
            let values = self.values_of(context, &value, &variable.type_name);
            self.assign_elements(&variable.type_name, targets, values, span, all);
            scope.insert(key(&variable.name), access.clone());
            own.push(access);
        }
        for access in gone {
            self.forget(&access, span, all);
        }
        let mut result = None;
        if let Some((variable, type_)) = &procedure.returns {
            let access = self.temporary(type_, span);
            if let Some(variable) = variable {
                scope.insert(key(variable), access.clone());
            }
            result = Some(access);
        }
        if procedure.external {
            self.outside(procedure, &scope, result.as_ref(), span, all);
            self.end_of_call(own, None, span, all);
            return result;
        }
        let mut called = context.called.clone();
        called.push(key(name));
        let has_states = !procedure.states.is_empty() || !procedure.connections.is_empty();
        let mut inside = Context {
            scope: Rc::default(),
            levels: known.levels.clone(),
            called,
            prefix: format!("{}.{site}.", name.text),
            has_states,
            ret: None,
            result: result.clone(),
            viewed: context.viewed.clone(),
        };
        let label = inside.label(&Name {
            text: "return".into(),
            span,
        });
        inside.ret = Some(label.clone());
        for variable in &procedure.variables {
            let access = self.variable_of(procedure, &variable.name, &variable.type_name);
            scope.insert(key(&variable.name), access.clone());
            inside.scope = Rc::new(scope.clone());
            if let Some(initial) = &variable.initial {
                let targets = self.elements(&access, span);
                let values = self.values_of(&inside, initial, &variable.type_name);
                self.assign_elements(&variable.type_name, targets, values, span, all);
            }
            own.push(access);
        }
        inside.scope = Rc::new(scope);
        inside.levels.push(Level {
            procedures: Rc::new(procedure.procedures.clone()),
            scope: inside.scope.clone(),
        });
        let Some(start) = &procedure.start else {
            let message = format!("procedure `{name}` has no start transition");
            self.error(codes::NO_START, name.span, message);
            return result;
        };
        let body = Body {
            actions: self.actions(&inside, &start.actions),
            span: start.span,
        };
        let answer = Answer {
            ranges: None,
            body,
            span,
        };
        all.push(action(
            ActionKind::Decision(Question::Only, vec![answer]),
            span,
        ));
        let states = named_states(&procedure.states);
        let expanded = self.expanded_states(&inside, &procedure.states, &states);
        self.states.extend(expanded);
        for body in &procedure.connections {
            let actions = self.actions(&inside, &body.actions);
            let span = body.span;
            self.connections.push(Body { actions, span });
        }
        self.end_of_call(own, Some(label), span, all);
        result
    }

    /// Where a call leads back to.
    fn end_of_call(
        &mut self,
        own: Vec<Access>,
        label: Option<Name>,
        span: Span,
        all: &mut Vec<Action>,
    ) {
        let mut back = action(ActionKind::Nothing, span);
        back.label = label;
        all.push(back);
        for access in own {
            self.forget(&access, span, all);
        }
    }

    /// The variable of a procedure; it is there once in a process.
    fn variable_of(&mut self, procedure: &Procedure, name: &Name, type_: &Name) -> Access {
        let path = format!("{}.{}", key(&procedure.name), key(name));
        let access = Access::whole(path, type_);
        for variable in self.flat_variables(name, &access) {
            if !self
                .added
                .iter()
                .any(|known| known.name.text == variable.name.text)
            {
                self.added.push(variable);
            }
        }
        access
    }

    /// `return`, with a value or without.
    pub(super) fn give_back(
        &mut self,
        context: &Context,
        value: Option<&Expression>,
        span: Span,
        all: &mut Vec<Action>,
    ) {
        let Some(label) = context.ret.clone() else {
            let message = "`return` stands in procedures only: a process ends with `stop`";
            self.error(codes::UNFINISHED, span, message);
            return;
        };
        match (value, context.result.clone()) {
            (Some(value), Some(access)) => {
                let targets = self.elements(&access, span);
                let values = self.values_of(context, value, &access.type_name);
                self.assign_elements(&access.type_name, targets, values, span, all);
            }
            (Some(_), None) => {
                let message = "this procedure returns no value";
                self.error(codes::WRONG_TYPE, span, message);
            }
            (None, _) => {}
        }
        all.push(action(ActionKind::Join(label), span));
    }

    /// A procedure that is written elsewhere may give its results any value.
    fn outside(
        &mut self,
        procedure: &Procedure,
        scope: &super::context::Scope,
        result: Option<&Access>,
        span: Span,
        all: &mut Vec<Action>,
    ) {
        let name = &procedure.name;
        let message =
            format!("`{name}` is external: whatever it gives may be any value of its type");
        self.diagnostics
            .push(Diagnostic::warning(codes::INFORMAL, span, message));
        for parameter in procedure
            .parameters
            .iter()
            .filter(|parameter| parameter.out)
        {
            if let Some(access) = scope.get(&key(&parameter.variable.name)) {
                self.choose(&access.clone(), span, all);
            }
        }
        if let Some(access) = result {
            self.choose(access, span, all);
        }
    }
}
