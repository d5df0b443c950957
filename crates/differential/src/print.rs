//! A generated model as Promela text.

use std::fmt::{self, Display, Write};
use std::ops::Range;

use crate::ast::*;
use crate::features::{Feature, Features};
use crate::usage::Usage;

/// The text of a model, as SPIN and Mazurka read it.
pub fn print(program: &Program) -> String {
    written(program, None).text
}

/// The text of a model, and which parts of it are made with which features.
pub fn print_marked(program: &Program) -> Marked {
    let output = written(program, Some(Usage::new(program)));
    Marked {
        text: output.text,
        marks: output.marks,
    }
}

/// A text and the features of its parts; parts lie in one another.
#[derive(Clone, Debug)]
pub struct Marked {
    pub text: String,
    pub marks: Vec<(Range<usize>, Features)>,
}

impl Marked {
    /// The features of all parts around a place in the text.
    pub fn at(&self, place: usize) -> Features {
        let around = self.marks.iter().filter(|(part, _)| part.contains(&place));
        around.fold(Features::none(), |all, (_, features)| all.union(*features))
    }

    /// The features of all parts.
    pub fn all(&self) -> Features {
        let marks = self.marks.iter();
        marks.fold(Features::none(), |all, (_, features)| all.union(*features))
    }
}

/// Text that grows, with marks if somebody wants them.
struct Output<'p> {
    text: String,
    usage: Option<Usage<'p>>,
    marks: Vec<(Range<usize>, Features)>,
}

impl Write for Output<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.text.write_str(text)
    }
}

impl<'p> Output<'p> {
    /// Notes the features of what was written since `start`.
    fn mark(&mut self, start: usize, features: impl FnOnce(&mut Usage<'p>) -> Features) {
        if let Some(usage) = &mut self.usage {
            self.marks.push((start..self.text.len(), features(usage)));
        }
    }
}

fn written<'p>(program: &'p Program, usage: Option<Usage<'p>>) -> Output<'p> {
    let mut out = Output {
        text: String::new(),
        usage,
        marks: Vec::new(),
    };
    write_program(&mut out, program).expect("writing to a string does not fail");
    out
}

fn write_program<'p>(out: &mut Output<'p>, program: &'p Program) -> fmt::Result {
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
        let start = out.text.len();
        write_block(out, &inline.body, 1)?;
        out.mark(start, |_| Features::none().with(Feature::Inlines));
        writeln!(out, "}}")?;
    }
    for process in &program.processes {
        write_process(out, process)?;
    }
    if let Some(Trace { negated, body }) = &program.trace {
        let word = if *negated { "notrace " } else { "trace " };
        write_braces(out, word, body, 0)?;
        writeln!(out)?;
    }
    for claim in &program.claims {
        let start = out.text.len();
        match claim {
            Claim::Formula { name, formula } => writeln!(out, "ltl {name} {{ {formula} }}")?,
            Claim::Never { name, body } => {
                write_braces(out, &format!("never {name} "), body, 0)?;
                writeln!(out)?;
            }
        }
        out.mark(start, |usage| usage.of_claim(claim));
    }
    Ok(())
}

fn write_process<'p>(out: &mut Output<'p>, process: &'p Process) -> fmt::Result {
    let start = out.text.len();
    if let Some(usage) = &mut out.usage {
        usage.enter(process);
    }
    let word = match process.deterministic {
        true => "D_proctype",
        false => "proctype",
    };
    match process.start {
        Start::Init => write!(out, "init")?,
        Start::Active(1) => write!(out, "active {word} {}", process.name)?,
        Start::Active(count) => write!(out, "active [{count}] {word} {}", process.name)?,
        Start::Run => write!(out, "{word} {}", process.name)?,
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
    writeln!(out, "}}")?;
    out.mark(start, |usage| usage.leave(process));
    Ok(())
}

fn write_block<'p>(out: &mut Output<'p>, block: &'p Block, depth: usize) -> fmt::Result {
    if block.is_empty() {
        return writeln!(out, "{}skip", indent(depth));
    }
    for (position, statement) in block.iter().enumerate() {
        out.text.push_str(&indent(depth));
        let start = out.text.len();
        write_statement(out, statement, depth)?;
        // A jump is part of what comes before it.
        if let Some(Statement::Goto(_)) = block.get(position + 1) {
            out.mark(start, |_| Features::none().with(Feature::Goto));
        }
        out.text.push_str(if position + 1 < block.len() {
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

fn write_braces<'p>(
    out: &mut Output<'p>,
    head: &str,
    body: &'p Block,
    depth: usize,
) -> fmt::Result {
    writeln!(out, "{head}{{")?;
    write_block(out, body, depth + 1)?;
    write!(out, "{}}}", indent(depth))
}

fn write_options<'p>(
    out: &mut Output<'p>,
    words: [&str; 2],
    options: &'p [Block],
    depth: usize,
) -> fmt::Result {
    writeln!(out, "{}", words[0])?;
    for option in options {
        writeln!(out, "{}::", indent(depth))?;
        write_block(out, option, depth + 1)?;
    }
    write!(out, "{}{}", indent(depth), words[1])
}

fn write_statement<'p>(
    out: &mut Output<'p>,
    statement: &'p Statement,
    depth: usize,
) -> fmt::Result {
    let start = out.text.len();
    if let Some(usage) = &mut out.usage {
        usage.begin(statement);
    }
    write_plain(out, statement, depth)?;
    out.mark(start, |usage| usage.end(statement));
    Ok(())
}

fn write_plain<'p>(out: &mut Output<'p>, statement: &'p Statement, depth: usize) -> fmt::Result {
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
            tested,
            process,
            arguments,
            priority,
        } => {
            if let Some(place) = result {
                write!(out, "{place} = ")?;
            }
            let [open, close] = if *tested { ["(", ")"] } else { ["", ""] };
            write!(out, "{open}run {process}({})", list(arguments))?;
            if let Some(priority) = priority {
                write!(out, " priority {priority}")?;
            }
            write!(out, "{close}")
        }
        Call(name, arguments) => write!(out, "{name}({})", list(arguments)),
        SetPriority(pid, priority) => write!(out, "set_priority({pid}, {priority})"),
        Exclusive(word, channel) => write!(out, "{word} {channel}"),
    }
}

/// One side of `unless`: an atomic block stands alone, so that an escape around atomic is seen as such, and so does a loop.
fn write_unless_part<'p>(out: &mut Output<'p>, body: &'p Block, depth: usize) -> fmt::Result {
    match body.as_slice() {
        [
            statement @ (Statement::Atomic(_) | Statement::DeterministicStep(_) | Statement::Do(_)),
        ] => write_statement(out, statement, depth),
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
        if let Some(prefix) = self.prefix {
            write!(f, "{prefix} ")?;
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
        for (field, index) in &self.fields {
            write!(f, ".{field}")?;
            if let Some(index) = index {
                write!(f, "[{index}]")?;
            }
        }
        Ok(())
    }
}

impl Display for Formula {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Formula::Atom(condition) => write!(f, "({condition})"),
            Formula::Unary(operator, inner) => write!(f, "({operator} {inner})"),
            Formula::Binary(operator, left, right) => write!(f, "({left} {operator} {right})"),
        }
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
