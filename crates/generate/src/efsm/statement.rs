//! What transitions do, as statements: jumps become `if` and `while` again.

use mazurka_model::{BreachKind, Expression, ExpressionId, Field, Instruction, ReceiveId, SendId};

use super::expression::{Value, Writer, is_port_number, number, truth};
use super::ids::Ids;
use super::layout::is_port;
use crate::code::{Code, add};

/// A block of more rounds than this does not end.
const MOST_ROUNDS: u32 = 5_000_000;

/// What ends a transition, or is only noticed.
#[derive(Clone, Copy)]
pub(super) enum Trouble {
    Overflow,
    UnexpectedInput,
    Assertion,
    RuntimeError,
}

/// How a language writes statements.
pub(super) trait Language: Writer {
    fn ids(&self) -> &Ids;
    /// An assignment. A value is cut to what the variable can hold.
    fn assign(&self, machine: usize, place: mazurka_model::PlaceId, value: &Value) -> String;
    /// A value as it stands in a field of a message.
    fn sent(&self, kind: mazurka_model::Kind, value: &Value) -> String;
    /// The end of the transition, and of the network.
    fn fail(trouble: Trouble) -> String;
    /// What the network survives.
    fn notice(trouble: Trouble) -> String;
    /// The beginning of a conditional statement; a bracket that closes ends it.
    fn only_if(condition: &str) -> String;
    /// The beginning of a statement that is repeated for ever, and the way out of it.
    const FOR_EVER: &'static str;
    const LEAVE: &'static str;
    /// The condition that a counter of rounds, which is increased, is too great.
    fn too_many_rounds(most: u32) -> String;
    /// A condition that may have no value, kept as `test`.
    fn test(condition: &str) -> String;
    const IS_BROKEN: &'static str;
    const HAS_FAILED: &'static str;
    /// The first message leaves a port, and is kept as `got` or not.
    fn drop(port: &str) -> String;
    fn keep_first(port: &str) -> String;
    /// Is there no such port? That breaks the transition.
    fn ask_for_port(port: &str) -> String;
    /// A message goes into a port: behind the others, or in its order among them.
    fn post(values: &[String], sorted: bool) -> String;
}

/// Instructions as statements. Says whether nothing can come after them.
pub(super) fn block<L: Language>(
    language: &L,
    code: &mut Code,
    machine: usize,
    first: u32,
    end: u32,
) -> bool {
    let program = language.layout().program;
    let mut at = first;
    while at < end {
        match &program.code[at as usize] {
            Instruction::Assign(place, value) => {
                let value = number(language, Some(machine), *value);
                store(language, code, machine, *place, &value);
            }
            Instruction::Receive(id) => receive(language, code, machine, *id),
            Instruction::Send(id) => send(language, code, machine, *id),
            Instruction::Assert(claim) => {
                let claim = truth(language, Some(machine), *claim);
                let claim = tested(language, code, claim);
                code.add(L::only_if(&not(&claim)));
                code.add(L::notice(Trouble::Assertion));
                code.add("}");
            }
            Instruction::Stop(breach) => {
                code.add(L::fail(match program.breaches[breach.index()].kind {
                    BreachKind::Overflow => Trouble::Overflow,
                    _ => Trouble::UnexpectedInput,
                }));
                return true;
            }
            Instruction::JumpUnless(condition, behind) => {
                at = branch(language, code, machine, at, *condition, *behind);
                continue;
            }
            other => unreachable!("machines do not do {other:?}"),
        }
        at += 1;
    }
    false
}

fn not(condition: &str) -> String {
    format!("!({condition})")
}

/// An `if` or a `while`. Says where to go on.
fn branch<L: Language>(
    language: &L,
    code: &mut Code,
    machine: usize,
    at: u32,
    condition: ExpressionId,
    behind: u32,
) -> u32 {
    let program = language.layout().program;
    let condition = truth(language, Some(machine), condition);
    let last = match behind > at + 1 {
        true => Some(&program.code[behind as usize - 1]),
        false => None,
    };
    match last {
        Some(Instruction::Jump(top)) if *top == at => {
            code.add(L::FOR_EVER);
            let condition = tested(language, code, condition);
            code.add(L::only_if(&not(&condition)));
            add!(code, "{}\n}}", L::LEAVE);
            code.add(L::too_many_rounds(MOST_ROUNDS));
            code.add(L::fail(Trouble::RuntimeError));
            code.add("}");
            block(language, code, machine, at + 1, behind - 1);
            code.add("}");
            behind
        }
        Some(Instruction::Jump(end)) if *end >= behind => {
            let condition = tested(language, code, condition);
            if behind - 1 == at + 1 {
                code.add(L::only_if(&not(&condition)));
            } else {
                code.add(L::only_if(&condition));
                block(language, code, machine, at + 1, behind - 1);
                code.add("} else {");
            }
            block(language, code, machine, behind, *end);
            code.add("}");
            *end
        }
        _ => {
            let condition = tested(language, code, condition);
            code.add(L::only_if(&condition));
            block(language, code, machine, at + 1, behind);
            code.add("}");
            behind
        }
    }
}

/// A condition that has a value: what has none ends the transition before it is asked.
fn tested<L: Language>(_: &L, code: &mut Code, condition: Value) -> String {
    if !condition.faults {
        return condition.text;
    }
    code.add(L::test(&condition.text));
    stop_if_broken::<L>(code);
    "test".into()
}

fn stop_if_broken<L: Language>(code: &mut Code) {
    code.add(L::only_if(L::IS_BROKEN));
    code.add(L::fail(Trouble::RuntimeError));
    code.add("}");
}

fn store<L: Language>(
    language: &L,
    code: &mut Code,
    machine: usize,
    place: mazurka_model::PlaceId,
    value: &Value,
) {
    code.add(language.assign(machine, place, value));
    if value.faults || language.place(Some(machine), place).faults {
        stop_if_broken::<L>(code);
    }
}

fn receive<L: Language>(language: &L, code: &mut Code, machine: usize, receive: ReceiveId) {
    let program = language.layout().program;
    let described = &program.receives[receive.index()];
    let channel = number(language, Some(machine), described.channel);
    let fields = &program.fields[described.fields.start as usize..described.fields.end as usize];
    if !fields.iter().any(|field| matches!(field, Field::Bind(_))) {
        code.add(L::drop(&channel.text));
        return;
    }
    code.add(L::keep_first(&channel.text));
    code.add(L::drop(&channel.text));
    for (position, field) in fields.iter().enumerate() {
        if let Field::Bind(place) = field {
            let value = Value::number(
                format!("got.field[{position}]"),
                i32::MIN.into(),
                i32::MAX.into(),
            );
            store(language, code, machine, *place, &value);
        }
    }
}

fn send<L: Language>(language: &L, code: &mut Code, machine: usize, send: SendId) {
    let layout = language.layout();
    let program = layout.program;
    let described = &program.sends[send.index()];
    let channel = number(language, Some(machine), described.channel);
    let mut faults = channel.faults;
    let (channel_type, name) = sent_to(language, machine, described.channel);
    let kinds = &program.channel_types[channel_type].fields;
    let mut values = vec![name.unwrap_or_else(|| channel.text.clone())];
    let list = described.values.start as usize..described.values.end as usize;
    for (position, (value, field)) in program.lists[list].iter().zip(kinds).enumerate() {
        let value = number(language, Some(machine), *value);
        faults |= value.faults;
        let messages = &language.ids().messages[channel_type];
        let message = messages.get((value.least - 1).max(0) as usize);
        values.push(match (position, message) {
            (0, Some(message)) => message.clone(),
            _ => language.sent(field.kind, &value),
        });
    }
    values.resize(layout.fields() + 1, "0".into());
    let exists = is_port_number(language, &channel) && !faults;
    if !exists {
        // Nobody to send to is an error, and so is a value that is none.
        code.add(L::ask_for_port(&values[0]));
        stop_if_broken::<L>(code);
    }
    code.add(L::post(&values, described.sorted));
    if faults {
        stop_if_broken::<L>(code);
    }
    code.add(L::only_if(L::HAS_FAILED));
    code.add("return;\n}");
}

/// The type of the ports that a send can go to; all of them are alike.
fn sent_to<L: Language>(
    language: &L,
    machine: usize,
    channel: ExpressionId,
) -> (usize, Option<String>) {
    let layout = language.layout();
    let program = layout.program;
    match program.expressions[channel.index()] {
        Expression::Constant(number) => {
            let at = usize::try_from(number - 1).unwrap_or(0);
            (layout.ports[at], port_name(language, at))
        }
        Expression::Conditional(_, channel, _) => (sent_to(language, machine, channel).0, None),
        Expression::Binary(_, first, _) => (sent_to(language, machine, first).0, None),
        _ => {
            let Expression::Load(place) = program.expressions[channel.index()] else {
                return (layout.ports[0], None);
            };
            let (_, variable, _) = layout.variable(Some(machine), &program.places[place.index()]);
            let first = layout.port(machine, variable).0;
            (layout.ports[first as usize - 1], None)
        }
    }
}

/// The port of an instance by its name.
fn port_name<L: Language>(language: &L, at: usize) -> Option<String> {
    let layout = language.layout();
    for (machine, count) in layout.machines() {
        let variables = &layout.program.process_types[machine].variables;
        for (position, _) in variables.iter().enumerate().filter(|(_, v)| is_port(v)) {
            let (first, step) = layout.port(machine, position);
            let mut numbers = 0..count as i32;
            if let Some(number) = numbers.find(|number| first + number * step == at as i32 + 1) {
                let name = &language.ids().machines[machine].variables[position];
                return Some(format!("{name}({number})"));
            }
        }
    }
    None
}

/// Statements that are used, with what they use: `name(` in the code keeps a helper. One may use those before it.
pub(super) fn used_helpers(code: &str, helpers: Vec<(&'static str, String)>) -> Vec<String> {
    let mut text = code.to_string();
    let mut kept = Vec::new();
    for (name, helper) in helpers.into_iter().rev() {
        if text.contains(&format!("{name}(")) {
            text += &helper;
            kept.push(helper);
        }
    }
    kept.reverse();
    kept
}

/// Is this word in the code, not as the name of a member?
pub(super) fn has_word(code: &str, word: &str) -> bool {
    let is_letter = |c: char| c.is_ascii_alphanumeric() || c == '_';
    code.match_indices(word).any(|(at, _)| {
        let before = code[..at].chars().next_back();
        let after = code[at + word.len()..].chars().next();
        !before.is_some_and(|c| is_letter(c) || c == '>' || c == '.')
            && !after.is_some_and(is_letter)
    })
}
