//! What annotations say about channels, written out in Promela: for SPIN, to which an annotation is a comment. What they say about variables changes
//! nothing, and is left out.
//!
//! A send becomes a selection of what may become of the message. Where the channel is not known by its name, it is compared with each
//! channel that an annotation is about.

use crate::ast::{
    Annotation, BinaryOperator, Declaration, Expr, ExprKind, Initializer, Model, Send, Sequence,
    Statement, StatementKind, Unit, Variable, VariableRef,
};
use crate::{FileLoader, build, codes, compile, parse};
use mazurka_span::{Diagnostic, SourceMap};

/// A channel that is declared with the model.
struct Channel {
    name: String,
    /// It, or all those of an array.
    elements: Vec<VariableRef>,
    capacity: Expr,
    annotation: Annotation,
}

/// The text of a model without its annotations, and with what they say written out; nothing if it has none. The arguments are those of
/// [`parse`].
pub fn spelled_out(
    map: &mut SourceMap,
    name: &str,
    source: &[u8],
    defines: &[String],
    loader: &dyn FileLoader,
) -> Option<Result<String, Vec<Diagnostic>>> {
    let (model, _) = parse(map, name, source, defines, loader);
    let first = model.units.iter().find_map(|unit| match unit {
        Unit::Declaration(declaration) => declaration.annotation.map(|_| declaration.span),
        _ => None,
    })?;
    if let Err(diagnostics) = compile(map, name, source, defines, loader) {
        return Some(Err(diagnostics));
    }
    let message = "the annotation cannot be written out: a name of a channel means something else in a process, or the length of an array is no number";
    let hidden = || vec![Diagnostic::error(codes::ANNOTATION, first, message)];
    let spelled = spell_out(model).ok_or_else(hidden);
    Some(spelled.map(|model| model.to_string()))
}

/// Takes the annotations of a model away and writes out what they say. None if a name of a channel means something else in a process, or
/// nobody knows how many channels an array has.
fn spell_out(mut model: Model) -> Option<Model> {
    let mut said = Vec::new();
    for unit in &mut model.units {
        if let Unit::Declaration(declaration) = unit {
            said.push(declaration.annotation.take().unwrap_or_default());
        }
    }
    // What is done with variables is written already.
    if said
        .iter()
        .all(|said| said.object.is_some() || *said == Annotation::default())
    {
        return Some(model);
    }
    let mut channels = Vec::new();
    let declarations = model.units.iter().filter_map(|unit| match unit {
        Unit::Declaration(declaration) => Some(declaration),
        _ => None,
    });
    for (declaration, annotation) in declarations.zip(said) {
        for variable in &declaration.variables {
            channels.extend(channel(variable, annotation)?);
        }
    }
    for unit in &mut model.units {
        match unit {
            Unit::Proctype(proctype) => {
                let mut parameters = proctype.parameters.iter();
                if parameters.any(|parameter| hides(parameter, &channels)) {
                    return None;
                }
                sequence(&mut proctype.body, &channels)?;
            }
            Unit::Init(init) => sequence(&mut init.body, &channels)?,
            _ => {}
        }
    }
    Some(model)
}

/// The channel that a variable is declared with, if it is. None if the length of its array cannot be told.
fn channel(variable: &Variable, annotation: Annotation) -> Option<Option<Channel>> {
    let Some(Initializer::Channel(channel)) = &variable.initializer else {
        return Some(None);
    };
    let name = variable.name.to_string();
    let elements = match &variable.array {
        None => vec![build::variable(&name)],
        Some(length) => {
            let ExprKind::Number(length) = &length.kind else {
                return None;
            };
            let numbers = (0..length.value).map(build::number);
            numbers.map(|at| build::element(&name, at)).collect()
        }
    };
    Some(Some(Channel {
        name,
        elements,
        capacity: channel.capacity.clone(),
        annotation,
    }))
}

/// Does a declaration inside a process give another meaning to the name of a channel?
fn hides(declaration: &Declaration, channels: &[Channel]) -> bool {
    let mut variables = declaration.variables.iter();
    variables.any(|variable| channels.iter().any(|c| c.name == variable.name.as_str()))
}

fn sequence(sequence: &mut Sequence, channels: &[Channel]) -> Option<()> {
    sequence
        .statements
        .iter_mut()
        .try_for_each(|inner| statement(inner, channels))
}

fn statement(within: &mut Statement, channels: &[Channel]) -> Option<()> {
    match &mut within.kind {
        StatementKind::Declaration(declaration) if hides(declaration, channels) => return None,
        StatementKind::Send(send) => {
            let options = ways(send, channels);
            send.sorted |= is_sorted(send, channels);
            if !options.is_empty() {
                let sent = build::statement(StatementKind::Send(send.clone()));
                let options = std::iter::once(vec![sent]).chain(options);
                within.kind = build::select(options.collect()).kind;
            }
        }
        StatementKind::If(options) | StatementKind::Do(options) => {
            let mut options = options.iter_mut();
            return options.try_for_each(|option| sequence(option, channels));
        }
        StatementKind::For { body, .. }
        | StatementKind::Atomic(body)
        | StatementKind::DStep(body)
        | StatementKind::Block(body) => return sequence(body, channels),
        StatementKind::Inline(call) => return sequence(&mut call.body, channels),
        StatementKind::Unless { main, escape } => {
            statement(main, channels)?;
            return statement(escape, channels);
        }
        _ => {}
    }
    Some(())
}

fn by_name<'c>(send: &Send, channels: &'c [Channel]) -> Option<&'c Channel> {
    let name = send.channel.name().as_str();
    let is_alone = send.channel.segments.len() == 1;
    channels.iter().find(|c| is_alone && c.name == name)
}

fn is_sorted(send: &Send, channels: &[Channel]) -> bool {
    by_name(send, channels).is_some_and(|channel| channel.annotation.sorted)
}

/// What may become of a message besides that it is put into the channel.
fn ways(send: &Send, channels: &[Channel]) -> Vec<Vec<Statement>> {
    let mut ways = Vec::new();
    let known = by_name(send, channels);
    for channel in channels {
        if known.is_some_and(|known| known.name != channel.name) {
            continue;
        }
        let is_it = |one: &VariableRef| {
            let sent_to = build::read(send.channel.clone());
            Some(build::equal(sent_to, build::read(one.clone())))
        };
        let conditions = match known {
            Some(_) => vec![None],
            None => channel.elements.iter().map(is_it).collect(),
        };
        for condition in conditions {
            if channel.annotation.duplicating {
                ways.push(vec![twice(send, channel, condition.clone())]);
            }
            if channel.annotation.lossy {
                ways.push(vec![condition.map_or_else(build::skip, build::condition)]);
            }
        }
    }
    ways
}

/// Where there is room for two, the message is sent twice.
fn twice(send: &Send, channel: &Channel, condition: Option<Expr>) -> Statement {
    let length = build::length(send.channel.clone());
    let behind = build::binary(BinaryOperator::Add, length, build::number(1));
    let has_room = build::binary(BinaryOperator::Less, behind, channel.capacity.clone());
    let guard = build::all(condition.into_iter().chain([has_room]));
    let sent = || {
        build::statement(StatementKind::Send(Send {
            sorted: send.sorted || channel.annotation.sorted,
            ..send.clone()
        }))
    };
    build::d_step(vec![build::condition(guard), sent(), sent()])
}
