//! A generated model as Promela text.

use std::fmt::{self, Display, Write};

use crate::ast::*;

/// The text of a model, as SPIN and Mazurka read it.
pub fn print(program: &Program) -> String {
    let mut text = String::new();
    write_program(&mut text, program).expect("writing to a string does not fail");
    text
}

fn write_program(out: &mut String, program: &Program) -> fmt::Result {
    if !program.mtypes.is_empty() {
        writeln!(out, "mtype = {{ {} }};", program.mtypes.join(", "))?;
    }
    for Macro { name, value } in &program.macros {
        match value {
            Expression::Number(number) => writeln!(out, "#define {name} {number}")?,
            _ => writeln!(out, "#define {name} ({value})")?,
        }
    }
    for structure in &program.structures {
        let fields: Vec<String> = structure
            .fields
            .iter()
            .map(Declaration::to_string)
            .collect();
        writeln!(
            out,
            "typedef {} {{ {} }};",
            structure.name,
            fields.join("; ")
        )?;
    }
    for global in &program.globals {
        writeln!(out, "{global};")?;
    }
    for inline in &program.inlines {
        writeln!(
            out,
            "inline {}({}) {{",
            inline.name,
            inline.parameters.join(", ")
        )?;
        write_block(out, &inline.body, 1)?;
        writeln!(out, "}}")?;
    }
    for process in &program.processes {
        write_process(out, process)?;
    }
    Ok(())
}

fn write_process(out: &mut String, process: &Process) -> fmt::Result {
    match process.start {
        Start::Init => write!(out, "init")?,
        Start::Active(1) => write!(out, "active proctype {}", process.name)?,
        Start::Active(count) => write!(out, "active [{count}] proctype {}", process.name)?,
        Start::Run => write!(out, "proctype {}", process.name)?,
    }
    if process.start != Start::Init {
        let parameters: Vec<String> = process
            .parameters
            .iter()
            .map(Declaration::to_string)
            .collect();
        write!(out, "({})", parameters.join("; "))?;
    }
    if let Some(priority) = process.priority {
        write!(out, " priority {priority}")?;
    }
    if let Some(condition) = &process.provided {
        write!(out, " provided ({condition})")?;
    }
    writeln!(out, " {{")?;
    write_block(out, &process.body, 1)?;
    writeln!(out, "}}")
}

fn write_block(out: &mut String, block: &Block, depth: usize) -> fmt::Result {
    if block.is_empty() {
        return writeln!(out, "{}skip", indent(depth));
    }
    for (position, statement) in block.iter().enumerate() {
        out.push_str(&indent(depth));
        write_statement(out, statement, depth)?;
        out.push_str(if position + 1 < block.len() {
            ";\n"
        } else {
            "\n"
        });
    }
    Ok(())
}

fn indent(depth: usize) -> String {
    "\t".repeat(depth)
}

fn write_braces(out: &mut String, head: &str, body: &Block, depth: usize) -> fmt::Result {
    writeln!(out, "{head}{{")?;
    write_block(out, body, depth + 1)?;
    write!(out, "{}}}", indent(depth))
}

fn write_options(
    out: &mut String,
    words: [&str; 2],
    options: &[Block],
    depth: usize,
) -> fmt::Result {
    writeln!(out, "{}", words[0])?;
    for option in options {
        writeln!(out, "{}::", indent(depth))?;
        write_block(out, option, depth + 1)?;
    }
    write!(out, "{}{}", indent(depth), words[1])
}

fn write_statement(out: &mut String, statement: &Statement, depth: usize) -> fmt::Result {
    use Statement::*;
    match statement {
        Declare(declaration) => write!(out, "{declaration}"),
        Assign(place, value) => write!(out, "{place} = {value}"),
        Increment(place) => write!(out, "{place}++"),
        Decrement(place) => write!(out, "{place}--"),
        Condition(condition) => write!(out, "({condition})"),
        Skip => write!(out, "skip"),
        Else => write!(out, "else"),
        Assert(condition) => write!(out, "assert({condition})"),
        Print(arguments) => {
            let format = " %d".repeat(arguments.len());
            let arguments: String = arguments
                .iter()
                .map(|argument| format!(", {argument}"))
                .collect();
            write!(out, "printf(\"at{format}\\n\"{arguments})")
        }
        Send {
            channel,
            sorted,
            arguments,
        } => {
            write!(
                out,
                "{channel}{}{}",
                if *sorted { "!!" } else { "!" },
                list(arguments)
            )
        }
        Receive {
            channel,
            random,
            copy,
            patterns,
        } => {
            let operator = if *random { "??" } else { "?" };
            let [open, close] = if *copy { ["<", ">"] } else { ["", ""] };
            write!(out, "{channel}{operator}{open}{}{close}", list(patterns))
        }
        If(options) => write_options(out, ["if", "fi"], options, depth),
        Do(options) => write_options(out, ["do", "od"], options, depth),
        Break => write!(out, "break"),
        Goto(label) => write!(out, "goto {label}"),
        Label(name, inner) => {
            write!(out, "{name}: ")?;
            write_statement(out, inner, depth)
        }
        Atomic(body) => write_braces(out, "atomic ", body, depth),
        DeterministicStep(body) => write_braces(out, "d_step ", body, depth),
        Braces(body) => write_braces(out, "", body, depth),
        Unless(main, escape) => {
            write_unless_part(out, main, depth)?;
            write!(out, " unless ")?;
            write_unless_part(out, escape, depth)
        }
        For {
            variable,
            from,
            to,
            body,
        } => write_braces(
            out,
            &format!("for ({variable} : {from} .. {to}) "),
            body,
            depth,
        ),
        ForIn {
            variable,
            array,
            body,
        } => write_braces(out, &format!("for ({variable} in {array}) "), body, depth),
        Select { variable, from, to } => write!(out, "select ({variable} : {from} .. {to})"),
        Run {
            result,
            process,
            arguments,
            priority,
        } => {
            if let Some(place) = result {
                write!(out, "{place} = ")?;
            }
            write!(out, "run {process}({})", list(arguments))?;
            match priority {
                Some(priority) => write!(out, " priority {priority}"),
                None => Ok(()),
            }
        }
        Call(name, arguments) => write!(out, "{name}({})", list(arguments)),
        SetPriority(pid, priority) => write!(out, "set_priority({pid}, {priority})"),
    }
}

/// One side of `unless`: an atomic block stands alone, so that an escape around atomic is seen as such.
fn write_unless_part(out: &mut String, body: &Block, depth: usize) -> fmt::Result {
    match body.as_slice() {
        [statement @ (Statement::Atomic(_) | Statement::DeterministicStep(_))] => {
            write_statement(out, statement, depth)
        }
        _ => write_braces(out, "", body, depth),
    }
}

fn list<T: Display>(items: &[T]) -> String {
    items
        .iter()
        .map(T::to_string)
        .collect::<Vec<_>>()
        .join(", ")
}

impl Display for Declaration {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        if self.hidden {
            write!(f, "hidden ")?;
        }
        write!(f, "{} {}", self.kind, self.name)?;
        if let Type::Unsigned(width) = self.kind {
            write!(f, " : {width}")?;
        }
        if let Some(length) = self.length {
            write!(f, "[{length}]")?;
        }
        match &self.initial {
            None => Ok(()),
            Some(Initial::Value(value)) => write!(f, " = {value}"),
            Some(Initial::Elements(values)) => write!(f, " = {{ {} }}", list(values)),
            Some(Initial::Channel { capacity, fields }) => {
                write!(f, " = [{capacity}] of {{ {} }}", list(fields))
            }
        }
    }
}

impl Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            Type::Bit => "bit",
            Type::Bool => "bool",
            Type::Byte => "byte",
            Type::Short => "short",
            Type::Int => "int",
            Type::Mtype => "mtype",
            Type::Unsigned(_) => "unsigned",
            Type::Channel => "chan",
            Type::Structure(name) => name,
        })
    }
}

impl Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}", self.name)?;
        if let Some(index) = &self.index {
            write!(f, "[{index}]")?;
        }
        if let Some((field, index)) = &self.field {
            write!(f, ".{field}")?;
            if let Some(index) = index {
                write!(f, "[{index}]")?;
            }
        }
        Ok(())
    }
}

impl Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Pattern::Store(place) => write!(f, "{place}"),
            Pattern::Constant(value) => write!(f, "{value}"),
            Pattern::Evaluate(value) => write!(f, "eval({value})"),
            Pattern::Ignore => write!(f, "_"),
        }
    }
}

impl Display for Expression {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let pid_of = |pid: &Option<Box<Expression>>| match pid {
            Some(pid) => format!("[{pid}]"),
            None => String::new(),
        };
        match self {
            Expression::Number(number) => write!(f, "{number}"),
            Expression::Name(name) => write!(f, "{name}"),
            Expression::Read(place) => write!(f, "{place}"),
            Expression::Unary(operator, inner) => write!(f, "{operator}({inner})"),
            Expression::Binary(operator, left, right) => {
                write!(f, "{} {operator} {}", Operand(left), Operand(right))
            }
            Expression::Conditional(condition, yes, no) => {
                write!(f, "({condition} -> {yes} : {no})")
            }
            Expression::Probe(name, channel) => write!(f, "{name}({channel})"),
            Expression::Poll {
                channel,
                random,
                patterns,
            } => {
                write!(
                    f,
                    "{channel}{}[{}]",
                    if *random { "??" } else { "?" },
                    list(patterns)
                )
            }
            Expression::RemoteVariable(process, pid, name) => {
                write!(f, "{process}{}:{name}", pid_of(pid))
            }
            Expression::RemoteLabel(process, pid, label) => {
                write!(f, "{process}{}@{label}", pid_of(pid))
            }
            Expression::Predefined(name) => write!(f, "{name}"),
            Expression::Query(name, pid) => write!(f, "{name}({pid})"),
        }
    }
}

/// An expression under an operator. Everything that is not a word or a call is put in brackets: precedence is the
/// business of the parser's own tests, and a shrunk model must not change its meaning by regrouping.
struct Operand<'a>(&'a Expression);

impl Display for Operand<'_> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        use Expression::*;
        match self.0 {
            Binary(..) | Unary(..) | Poll { .. } => write!(f, "({})", self.0),
            Number(number) if *number < 0 => write!(f, "({number})"),
            _ => write!(f, "{}", self.0),
        }
    }
}
