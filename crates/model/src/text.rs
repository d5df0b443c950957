//! The text form of a program, for people who want to see what a model became.

use std::fmt::{self, Write};

use crate::expression::{Expression, UnaryOperator};
use crate::instruction::{Field, Instruction, Receive, Send};
use crate::monitor::Monitor;
use crate::program::{
    Base, BreachId, ExpressionId, Handshake, Location, Place, PlaceId, ProcessType, ProcessTypeId,
    Program, ReceiveId, SendId, Transition, TransitionId, Variable,
};

impl fmt::Display for Program {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(out, "program {}", self.name)?;
        for enumeration in &self.enumerations {
            write!(out, "names {} {{", enumeration.name)?;
            for (name, value) in &enumeration.constants {
                write!(out, " {name}={value}")?;
            }
            writeln!(out, " }}")?;
        }
        for channel in &self.channel_types {
            write!(out, "channel {}: {} of {{", channel.name, channel.capacity)?;
            for field in &channel.fields {
                write!(out, " {}", field.kind)?;
            }
            writeln!(out, " }}")?;
        }
        variables(out, "shared", &self.shared)?;
        variables(out, "hidden", &self.hidden)?;
        if let Some(monitor) = &self.monitor {
            write_monitor(out, self, monitor)?;
        }
        writeln!(out, "start")?;
        effect(out, self, None, self.start.clone(), "  ")?;
        for (number, process_type) in self.process_types.iter().enumerate() {
            writeln!(out)?;
            process(out, self, ProcessTypeId(number as u32), process_type)?;
        }
        Ok(())
    }
}

impl Program {
    /// An expression as the given type of process reads it.
    pub fn expression_text(
        &self,
        process_type: Option<ProcessTypeId>,
        expression: ExpressionId,
    ) -> String {
        let mut text = String::new();
        write_expression(&mut text, self, process_type, expression);
        text
    }

    /// A place in source-like text.
    pub fn place_text(&self, process_type: Option<ProcessTypeId>, place: PlaceId) -> String {
        place_text(self, process_type, place)
    }
}

fn write_monitor(
    out: &mut fmt::Formatter<'_>,
    program: &Program,
    monitor: &Monitor,
) -> fmt::Result {
    let word = if monitor.forbids { "not" } else { "only" };
    writeln!(out, "messages {word}")?;
    for (number, state) in monitor.states.iter().enumerate() {
        writeln!(out, "  {number}:{}", if state.end { " end" } else { "" })?;
        for event in &state.events {
            let sign = if event.sends { '!' } else { '?' };
            let fields = event.fields.iter().map(|field| match field {
                Some(value) => value.to_string(),
                None => "_".into(),
            });
            writeln!(
                out,
                "    {}{sign}{} -> {}",
                program.expression_text(None, event.channel),
                fields.collect::<Vec<_>>().join(","),
                event.target
            )?;
        }
    }
    Ok(())
}

fn variables(out: &mut fmt::Formatter<'_>, word: &str, list: &[Variable]) -> fmt::Result {
    for variable in list {
        write!(out, "{word} {}: {}", variable.name, variable.kind)?;
        if let Some(length) = variable.length {
            write!(out, "[{length}]")?;
        }
        writeln!(out, " @{}", variable.offset)?;
    }
    Ok(())
}

fn process(
    out: &mut fmt::Formatter<'_>,
    program: &Program,
    id: ProcessTypeId,
    process_type: &ProcessType,
) -> fmt::Result {
    write!(
        out,
        "process {} at {}",
        process_type.name, process_type.initial
    )?;
    if let Some(condition) = process_type.provided {
        write!(
            out,
            " provided {}",
            program.expression_text(Some(id), condition)
        )?;
    }
    writeln!(out)?;
    variables(out, "  local", &process_type.variables)?;
    effect(out, program, Some(id), process_type.start.clone(), "  ")?;
    for number in process_type.locations.clone() {
        location(out, program, id, number)?;
    }
    Ok(())
}

fn location(
    out: &mut fmt::Formatter<'_>,
    program: &Program,
    id: ProcessTypeId,
    number: u32,
) -> fmt::Result {
    let location: &Location = &program.locations[number as usize];
    write!(out, "  l{number} #{}", location.number)?;
    for label in &location.labels {
        write!(out, " {label}:")?;
    }
    for (mark, set) in [
        ("end", location.end),
        ("accept", location.accept),
        ("progress", location.progress),
    ] {
        if set {
            write!(out, " {mark}")?;
        }
    }
    if location.marks != 0 {
        write!(out, " marks {:#x}", location.marks)?;
    }
    writeln!(out)?;
    for number in location.transitions.clone() {
        transition(out, program, id, TransitionId(number))?;
    }
    Ok(())
}

fn transition(
    out: &mut fmt::Formatter<'_>,
    program: &Program,
    id: ProcessTypeId,
    number: TransitionId,
) -> fmt::Result {
    let transition: &Transition = &program.transitions[number.index()];
    write!(out, "    {number}:")?;
    if transition.group != 0 {
        write!(out, " group {}", transition.group)?;
    }
    if transition.otherwise {
        write!(out, " otherwise")?;
    }
    if program.expressions[transition.guard.index()] != Expression::Constant(1) {
        write!(
            out,
            " when {}",
            program.expression_text(Some(id), transition.guard)
        )?;
    }
    if transition.handshake != Handshake::Apart {
        write!(out, " may meet")?;
    }
    match transition.target {
        Some(target) => write!(out, " goto {target}")?,
        None => write!(out, " end")?,
    }
    if transition.holds {
        write!(out, " holds control")?;
    }
    let statement = &program.statements[transition.statement.index()];
    let origin = statement.origin;
    let file = program
        .files
        .get(origin.file as usize)
        .map_or("?", String::as_str);
    writeln!(
        out,
        "  // {file}:{}:{} {}",
        origin.line, origin.column, statement.text
    )?;
    effect(out, program, Some(id), transition.effect.clone(), "      ")
}

fn effect(
    out: &mut fmt::Formatter<'_>,
    program: &Program,
    id: Option<ProcessTypeId>,
    range: std::ops::Range<u32>,
    indent: &str,
) -> fmt::Result {
    for number in range {
        let text = instruction_text(program, id, &program.code[number as usize]);
        writeln!(out, "{indent}{number}: {text}")?;
    }
    Ok(())
}

fn instruction_text(
    program: &Program,
    id: Option<ProcessTypeId>,
    instruction: &Instruction,
) -> String {
    let expression = |e: ExpressionId| program.expression_text(id, e);
    let list = |range: &std::ops::Range<u32>| {
        program.lists[range.start as usize..range.end as usize]
            .iter()
            .map(|e| expression(*e))
            .collect::<Vec<_>>()
            .join(", ")
    };
    match instruction {
        Instruction::Assign(place, value) => {
            format!(
                "{} := {}",
                place_text(program, id, *place),
                expression(*value)
            )
        }
        Instruction::Send(send) => send_text(program, id, *send),
        Instruction::Receive(receive) => receive_text(program, id, *receive),
        Instruction::NewChannel(place, channel_type) => format!(
            "{} := new {}",
            place_text(program, id, *place),
            program.channel_types[channel_type.index()].name
        ),
        Instruction::Run {
            process_type,
            arguments,
            priority,
            result,
        } => {
            let target = result.map_or(String::new(), |p| {
                format!("{} := ", place_text(program, id, p))
            });
            format!(
                "{target}run {}({}) priority {priority}",
                program.process_types[process_type.index()].name,
                list(arguments)
            )
        }
        Instruction::Die => "die".into(),
        Instruction::Assert(claim) => format!("assert {}", expression(*claim)),
        Instruction::Print(format, arguments) => format!("print #{format}({})", list(arguments)),
        Instruction::SetPriority(process, priority) => {
            format!(
                "priority of {} := {}",
                expression(*process),
                expression(*priority)
            )
        }
        Instruction::Jump(target) => format!("jump {target}"),
        Instruction::JumpUnless(condition, target) => {
            format!("unless {} jump {target}", expression(*condition))
        }
        Instruction::Stuck => "stuck".into(),
        Instruction::Breach(breach) => format!("report {}", breach_text(program, *breach)),
        Instruction::Stop(breach) => format!("stop with {}", breach_text(program, *breach)),
        Instruction::Enter(location) => format!("start at {location}"),
    }
}

fn breach_text(program: &Program, breach: BreachId) -> String {
    let breach = &program.breaches[breach.index()];
    format!("{}: {}", breach.kind.name(), breach.message)
}

fn send_text(program: &Program, id: Option<ProcessTypeId>, send: SendId) -> String {
    let Send {
        channel,
        values,
        sorted,
    } = &program.sends[send.index()];
    let values = program.lists[values.start as usize..values.end as usize]
        .iter()
        .map(|e| program.expression_text(id, *e))
        .collect::<Vec<_>>()
        .join(", ");
    let mark = if *sorted { "!!" } else { "!" };
    format!("{}{mark}{values}", program.expression_text(id, *channel))
}

fn receive_text(program: &Program, id: Option<ProcessTypeId>, receive: ReceiveId) -> String {
    let Receive {
        channel,
        fields,
        random,
        keep,
    } = &program.receives[receive.index()];
    let fields = program.fields[fields.start as usize..fields.end as usize]
        .iter()
        .map(|field| match field {
            Field::Bind(place) => place_text(program, id, *place),
            Field::Match(value) => format!("eval({})", program.expression_text(id, *value)),
            Field::Discard => "_".into(),
        })
        .collect::<Vec<_>>()
        .join(", ");
    let mark = if *random { "??" } else { "?" };
    let (open, close) = if *keep { ("<", ">") } else { ("", "") };
    format!(
        "{}{mark}{open}{fields}{close}",
        program.expression_text(id, *channel)
    )
}

fn place_text(program: &Program, id: Option<ProcessTypeId>, place: PlaceId) -> String {
    let Place {
        base,
        offset,
        kind,
        indices,
    } = &program.places[place.index()];
    let mut text = match base {
        Base::Shared | Base::Hidden | Base::Local => String::new(),
        Base::Remote(process_type, process) => {
            let described = &program.process_types[process_type.index()];
            let which = process.map_or(String::new(), |e| {
                format!("[{}]", program.expression_text(id, e))
            });
            format!("{}{which}:", described.name)
        }
    };
    match program.variable(id, place) {
        Some(variable) => {
            text.push_str(&variable.name);
            let element = (offset - variable.offset) / variable.kind.bytes();
            if variable.length.is_some() && indices.is_empty() {
                let _ = write!(text, "[{element}]");
            }
        }
        None => {
            let _ = write!(text, "{kind}@{offset}");
        }
    }
    for index in &program.indices[indices.start as usize..indices.end as usize] {
        let _ = write!(text, "[{}]", program.expression_text(id, index.expression));
    }
    text
}

fn write_expression(
    out: &mut String,
    program: &Program,
    id: Option<ProcessTypeId>,
    expression: ExpressionId,
) {
    let text = |e: ExpressionId| program.expression_text(id, e);
    match program.expressions[expression.index()] {
        Expression::Constant(value) => {
            let _ = write!(out, "{value}");
        }
        Expression::Load(place) => out.push_str(&place_text(program, id, place)),
        Expression::Unary(operator, operand) => {
            let symbol = match operator {
                UnaryOperator::Not => "!",
                UnaryOperator::Negate => "-",
                UnaryOperator::Complement => "~",
            };
            let _ = write!(out, "{symbol}{}", text(operand));
        }
        Expression::Binary(operator, left, right) => {
            let _ = write!(
                out,
                "({} {} {})",
                text(left),
                operator.symbol(),
                text(right)
            );
        }
        Expression::And(left, right) => {
            let _ = write!(out, "({} && {})", text(left), text(right));
        }
        Expression::Or(left, right) => {
            let _ = write!(out, "({} || {})", text(left), text(right));
        }
        Expression::Conditional(condition, yes, no) => {
            let _ = write!(out, "({} -> {} : {})", text(condition), text(yes), text(no));
        }
        Expression::Channel(test, channel) => {
            let _ = write!(out, "{}({})", test.name(), text(channel));
        }
        Expression::CanReceive(receive) => {
            let _ = write!(out, "can({})", receive_text(program, id, receive));
        }
        Expression::SelfProcess => out.push_str("_pid"),
        Expression::ProcessCount => out.push_str("_nr_pr"),
        Expression::LastProcess => out.push_str("_last"),
        Expression::Youngest => out.push_str("youngest"),
        Expression::Timeout => out.push_str("timeout"),
        Expression::NoProgress => out.push_str("np_"),
        Expression::Enabled(process) => {
            let _ = write!(out, "enabled({})", text(process));
        }
        Expression::LocationOf(process) => {
            let _ = write!(out, "pc_value({})", text(process));
        }
        Expression::PriorityOf(process) => {
            let _ = write!(out, "get_priority({})", text(process));
        }
        Expression::Marked { process, mark } => {
            let _ = write!(out, "marked({}, {mark})", text(process));
        }
        Expression::At {
            process_type,
            process,
            number,
        } => {
            let described = &program.process_types[process_type.index()];
            let name = &described.name;
            let locations = described.locations.start as usize..described.locations.end as usize;
            let mut locations = program.locations[locations].iter();
            let label = locations
                .find(|location| location.number == number)
                .and_then(|location| location.labels.first());
            let which = process.map_or(String::new(), |e| format!("[{}]", text(e)));
            // Where processes have names of their own, so do their states in formulas.
            let instance = process.and_then(|e| match program.expressions[e.index()] {
                Expression::Constant(number) => {
                    program.instances.get(usize::try_from(number).ok()?)
                }
                _ => None,
            });
            let _ = match label {
                Some(label) if described.machine => write!(out, "{name}.{label}"),
                Some(label) if instance.is_some() => {
                    write!(out, "{} at {label}", instance.map_or("", String::as_str))
                }
                Some(label) => write!(out, "{name}{which}@{label}"),
                None => write!(out, "{name}{which}@#{number}"),
            };
        }
    }
}
