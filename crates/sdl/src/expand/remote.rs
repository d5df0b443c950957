//! Variables that are exported and imported (Z.100 clause 4.13), by the signals that the clause describes: who imports asks and waits,
//! saving everything else; who exports answers in every state, with the value that was exported last.

use mazurka_span::{Diagnostic, Span};

use super::actions::action;
use super::key;
use crate::ast::{
    Action, ActionKind, Body, Expression, ExpressionKind, Name, Output, Parameter, Procedure,
    Process, Signal, State, States, Stimulus, System, Trigger, TriggerKind, Variable,
};
use crate::{codes, walk};

/// Makes procedures of imports and assignments of exports.
pub(super) fn by_signals(system: &mut System, diagnostics: &mut Vec<Diagnostic>) {
    let mut remotes: Vec<(Name, Name)> = Vec::new();
    for process in system.blocks.iter().flat_map(|block| &block.processes) {
        for variable in &process.variables {
            let Some(known) = &variable.exported else {
                continue;
            };
            if !remotes.iter().any(|(other, _)| key(other) == key(known)) {
                remotes.push((known.clone(), variable.type_name.clone()));
            }
        }
    }
    // Nobody answers what nobody asks.
    let mut asked: Vec<String> = Vec::new();
    for process in processes(system) {
        every_body(process, &mut |body| {
            walk::actions(body, &mut |one| {
                walk::expressions(&mut one.kind, &mut |expression| {
                    if let ExpressionKind::Import(name, _) = &expression.kind {
                        asked.push(key(name));
                    }
                });
            });
        });
    }
    for (name, type_) in &remotes {
        if !asked.contains(&key(name)) {
            continue;
        }
        for (signal, parameters) in [(query(name), vec![]), (reply(name), vec![type_.clone()])] {
            system.implicit.push(key(&signal));
            system.signals.push(Signal {
                name: signal,
                parameters,
                parts: Vec::new(),
            });
        }
    }
    for process in processes(system) {
        exports(process, &asked, diagnostics);
        imports(process, &remotes, diagnostics);
    }
}

fn processes(system: &mut System) -> impl Iterator<Item = &mut Process> {
    let blocks = system.blocks.iter_mut();
    blocks.flat_map(|block| &mut block.processes)
}

fn query(name: &Name) -> Name {
    of("query", name)
}

fn reply(name: &Name) -> Name {
    of("reply", name)
}

fn of(what: &str, name: &Name) -> Name {
    Name {
        text: format!("{what} {}", key(name)).as_str().into(),
        span: name.span,
    }
}

/// What was exported last.
fn copy_of(name: &Name) -> Name {
    Name {
        text: format!("{name}.exported").as_str().into(),
        span: name.span,
    }
}

fn value(name: Name) -> Expression {
    Expression {
        span: name.span,
        kind: ExpressionKind::Name(name),
    }
}

fn bodies_of(procedure: &mut Procedure, change: &mut dyn FnMut(&mut Body)) {
    let triggers = procedure.states.iter_mut().flat_map(|s| &mut s.triggers);
    let bodies = triggers.map(|trigger| &mut trigger.body);
    for body in bodies.chain(&mut procedure.start) {
        change(body);
    }
    for inner in &mut procedure.procedures {
        bodies_of(inner, change);
    }
}

fn every_body(process: &mut Process, change: &mut dyn FnMut(&mut Body)) {
    for body in walk::bodies(process) {
        change(body);
    }
    for procedure in &mut process.procedures {
        bodies_of(procedure, change);
    }
}

fn exports(process: &mut Process, asked: &[String], diagnostics: &mut Vec<Diagnostic>) {
    let exported: Vec<Variable> = (process.variables.iter())
        .filter(|variable| variable.exported.is_some())
        .cloned()
        .collect();
    every_body(process, &mut |body| {
        walk::replace(body, &mut |one| {
            let ActionKind::Export(names) = &one.kind else {
                return None;
            };
            let mut all = Vec::new();
            for name in names {
                if !exported.iter().any(|known| key(&known.name) == key(name)) {
                    let message = format!("`{name}` is not an exported variable");
                    let code = codes::UNKNOWN_NAME;
                    diagnostics.push(Diagnostic::error(code, name.span, message));
                    continue;
                }
                let assigned = ActionKind::Assign(value(copy_of(name)), value(name.clone()));
                all.push(action(assigned, one.span));
            }
            if all.is_empty() {
                all.push(action(ActionKind::Nothing, one.span));
            }
            Some(all)
        });
    });
    process
        .variables
        .extend(exported.into_iter().map(|variable| Variable {
            name: copy_of(&variable.name),
            revealed: false,
            ..variable
        }));
    // The variable itself is not what others get.
    for variable in &mut process.variables {
        let is_copy = variable.name.text.ends_with(".exported");
        let exported = variable.exported.take();
        variable.exported = exported.filter(|name| is_copy && asked.contains(&key(name)));
    }
}

fn imports(process: &mut Process, remotes: &[(Name, Name)], diagnostics: &mut Vec<Diagnostic>) {
    let mut wanted: Vec<Procedure> = Vec::new();
    let imported = process.imported.clone();
    every_body(process, &mut |body| {
        walk::actions(body, &mut |one| {
            walk::expressions(&mut one.kind, &mut |expression| {
                let ExpressionKind::Import(name, from) = &expression.kind else {
                    return;
                };
                let known = remotes.iter().find(|(known, _)| key(known) == key(name));
                let declared = imported.iter().any(|(known, _)| key(known) == key(name));
                let Some((_, type_)) = known.filter(|_| declared) else {
                    let message = match declared {
                        false => {
                            format!("`{name}` is not among the variables that are `imported` here")
                        }
                        true => format!("nobody exports `{name}`"),
                    };
                    let code = codes::UNKNOWN_NAME;
                    diagnostics.push(Diagnostic::error(code, name.span, message));
                    expression.kind = ExpressionKind::Wrong;
                    return;
                };
                let procedure = import(name, type_, from.is_some());
                let call = procedure.name.clone();
                if !wanted.iter().any(|known| key(&known.name) == key(&call)) {
                    wanted.push(procedure);
                }
                let from = from.iter().map(|from| (**from).clone()).collect();
                expression.kind = ExpressionKind::Call(call, from);
            });
        });
    });
    process.procedures.extend(wanted);
}

/// Asks, and waits for the answer.
fn import(name: &Name, type_: &Name, addressed: bool) -> Procedure {
    let span = name.span;
    let named = |text: &str| Name {
        text: text.into(),
        span,
    };
    let variable = |text: &str, type_name: Name| Variable {
        name: named(text),
        type_name,
        length: None,
        initial: None,
        revealed: false,
        exported: None,
    };
    let from = addressed.then(|| value(named("from whom")));
    let ask = action(
        ActionKind::Output(output(query(name), Vec::new(), from)),
        span,
    );
    let wait = action(ActionKind::NextState(Some(named("waits"))), span);
    let body = |actions| Body { actions, span };
    let answered = TriggerKind::Input(vec![Stimulus {
        signal: reply(name),
        targets: vec![Some(value(named("value")))],
    }]);
    let done = action(ActionKind::Return(Some(value(named("value")))), span);
    let trigger = |kind, actions| Trigger {
        kind,
        provided: None,
        body: body(actions),
        span,
    };
    Procedure {
        name: of(if addressed { "import" } else { "import some" }, name),
        parameters: addressed
            .then(|| Parameter {
                variable: variable("from whom", named("PId")),
                out: false,
            })
            .into_iter()
            .collect(),
        returns: Some((None, type_.clone())),
        variables: vec![variable("value", type_.clone())],
        procedures: Vec::new(),
        start: Some(body(vec![ask, wait])),
        states: vec![State {
            of: States::Named(vec![named("waits")]),
            marks: Vec::new(),
            triggers: vec![
                trigger(answered, vec![done]),
                trigger(TriggerKind::SaveAll, Vec::new()),
            ],
            span,
        }],
        connections: Vec::new(),
        external: false,
        referenced: false,
    }
}

fn output(signal: Name, values: Vec<Expression>, to: Option<Expression>) -> Output {
    Output {
        signal,
        values,
        to,
        via: Vec::new(),
        all: false,
        everybody: false,
    }
}

/// What answers for an exported variable, whose single values these are, in all states but those that wait for an answer themselves.
pub(super) fn answers(known: &Name, values: Vec<Expression>, states: &[Name], span: Span) -> State {
    let sender = Expression {
        kind: ExpressionKind::Sender,
        span,
    };
    let sent: Action = action(
        ActionKind::Output(output(reply(known), values, Some(sender))),
        span,
    );
    let back = action(ActionKind::NextState(None), span);
    let asked = TriggerKind::Input(vec![Stimulus {
        signal: query(known),
        targets: Vec::new(),
    }]);
    let of = states
        .iter()
        .filter(|name| !name.text.starts_with("import "));
    State {
        of: States::Named(of.cloned().collect()),
        marks: Vec::new(),
        triggers: vec![Trigger {
            kind: asked,
            provided: None,
            body: Body {
                actions: vec![sent, back],
                span,
            },
            span,
        }],
        span,
    }
}
