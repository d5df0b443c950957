//! The tree as compact Promela text, each statement on one line: `q!m(1,x)`.
//!
//! Scenarios show steps in this form. What is printed can be parsed again and gives the same tree, except that an expanded
//! `inline` is shown as its call.

use std::fmt::{self, Display, Formatter, Write};

use crate::ast::*;

/// A character constant as it could be written.
pub(crate) fn character(value: i32) -> String {
    match u8::try_from(value) {
        Ok(b'\n') => "'\\n'".to_string(),
        Ok(b'\r') => "'\\r'".to_string(),
        Ok(b'\t') => "'\\t'".to_string(),
        Ok(0x0c) => "'\\f'".to_string(),
        Ok(byte @ (b'\'' | b'\\')) => format!("'\\{}'", char::from(byte)),
        Ok(byte) if byte == b' ' || byte.is_ascii_graphic() => format!("'{}'", char::from(byte)),
        _ => value.to_string(),
    }
}

/// Items with a comma between them.
struct List<'a, T>(&'a [T]);

impl<T: Display> Display for List<'_, T> {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        for (index, item) in self.0.iter().enumerate() {
            if index > 0 {
                formatter.write_char(',')?;
            }
            write!(formatter, "{item}")?;
        }
        Ok(())
    }
}

/// `m(a,b)` or `m,a,b`.
fn message<T: Display>(
    formatter: &mut Formatter<'_>,
    arguments: &[T],
    tagged: bool,
) -> fmt::Result {
    match arguments.split_first() {
        Some((first, rest)) if tagged => write!(formatter, "{first}({})", List(rest)),
        _ => write!(formatter, "{}", List(arguments)),
    }
}

impl Display for VariableRef {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        for (position, segment) in self.segments.iter().enumerate() {
            if position > 0 {
                formatter.write_char('.')?;
            }
            write!(formatter, "{}", segment.name)?;
            if let Some(index) = &segment.index {
                write!(formatter, "[{index}]")?;
            }
        }
        Ok(())
    }
}

impl Display for ReceiveArgument {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        match &self.kind {
            ReceiveArgumentKind::Constant(expr) => write!(formatter, "{expr}"),
            ReceiveArgumentKind::Eval(expr) => write!(formatter, "eval({expr})"),
            ReceiveArgumentKind::Variable(variable) => write!(formatter, "{variable}"),
            ReceiveArgumentKind::Anything => formatter.write_char('_'),
        }
    }
}

impl Probe {
    /// As it is written.
    pub fn text(self) -> &'static str {
        match self {
            Probe::Empty => "empty",
            Probe::NotEmpty => "nempty",
            Probe::Full => "full",
            Probe::NotFull => "nfull",
        }
    }
}

impl Expr {
    /// How tightly the outermost operator binds.
    fn precedence(&self) -> u8 {
        match &self.kind {
            ExprKind::Binary { operator, .. } => operator.precedence(),
            ExprKind::Unary { .. } => 12,
            _ => 13,
        }
    }

    /// Prints with brackets if this binds less tightly than it must.
    fn print(&self, formatter: &mut Formatter<'_>, minimum: u8) -> fmt::Result {
        if self.precedence() < minimum {
            write!(formatter, "({self})")
        } else {
            write!(formatter, "{self}")
        }
    }
}

impl Display for Expr {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        match &self.kind {
            ExprKind::Number(number) => write!(formatter, "{number}"),
            ExprKind::Variable(variable) => write!(formatter, "{variable}"),
            ExprKind::Unary { operator, operand } => {
                formatter.write_str(operator.text())?;
                // `- -x` must not become `--x`, nor `!!x` a sorted send.
                let same = matches!(&operand.kind, ExprKind::Unary { operator: inner, .. } if inner == operator);
                operand.print(formatter, if same { 13 } else { 12 })
            }
            ExprKind::Binary {
                operator,
                left,
                right,
            } => {
                let (text, precedence) = (operator.text(), operator.precedence());
                left.print(formatter, precedence)?;
                let spaced = precedence <= 8;
                if spaced {
                    write!(formatter, " {text} ")?
                } else {
                    formatter.write_str(text)?
                }
                // `a - -b` must not become `a--b`.
                let sign = !spaced && matches!(right.kind, ExprKind::Unary { .. });
                right.print(formatter, if sign { 13 } else { precedence + 1 })
            }
            ExprKind::Conditional { condition, yes, no } => {
                write!(formatter, "({condition} -> {yes} : {no})")
            }
            ExprKind::Run {
                proctype,
                arguments,
                priority,
            } => {
                write!(formatter, "run {proctype}({})", List(arguments))?;
                match priority {
                    Some(priority) => write!(formatter, " priority {priority}"),
                    None => Ok(()),
                }
            }
            ExprKind::Length(channel) => write!(formatter, "len({channel})"),
            ExprKind::Probe { probe, channel } => write!(formatter, "{}({channel})", probe.text()),
            ExprKind::Poll {
                channel,
                random,
                arguments,
            } => {
                let mark = if *random { "??" } else { "?" };
                write!(formatter, "{channel}{mark}[{}]", List(arguments))
            }
            ExprKind::RemoteLabel {
                proctype,
                process,
                label,
            } => {
                remote(formatter, proctype, process)?;
                write!(formatter, "@{label}")
            }
            ExprKind::RemoteVariable {
                proctype,
                process,
                variable,
            } => {
                remote(formatter, proctype, process)?;
                write!(formatter, ":{variable}")
            }
            ExprKind::Timeout => formatter.write_str("timeout"),
            ExprKind::NonProgress => formatter.write_str("np_"),
            ExprKind::Enabled(process) => write!(formatter, "enabled({process})"),
            ExprKind::PcValue(process) => write!(formatter, "pc_value({process})"),
            ExprKind::GetPriority(process) => write!(formatter, "get_priority({process})"),
            ExprKind::Error => formatter.write_str("<error>"),
        }
    }
}

fn remote(
    formatter: &mut Formatter<'_>,
    proctype: &Name,
    process: &Option<Box<Expr>>,
) -> fmt::Result {
    match process {
        Some(process) => write!(formatter, "{proctype}[{process}]"),
        None => write!(formatter, "{proctype}"),
    }
}

impl Display for Number {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        match self.spelling {
            NumberSpelling::Decimal => write!(formatter, "{}", self.value),
            NumberSpelling::Character => formatter.write_str(&character(self.value)),
            NumberSpelling::True => formatter.write_str("true"),
            NumberSpelling::False => formatter.write_str("false"),
            NumberSpelling::Skip => formatter.write_str("skip"),
        }
    }
}

impl Display for TypeName {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        formatter.write_str(match &self.kind {
            TypeKind::Bit => "bit",
            TypeKind::Bool => "bool",
            TypeKind::Byte => "byte",
            TypeKind::Pid => "pid",
            TypeKind::Short => "short",
            TypeKind::Int => "int",
            TypeKind::Unsigned => "unsigned",
            TypeKind::Mtype(None) => "mtype",
            TypeKind::Mtype(Some(set)) => return write!(formatter, "mtype:{set}"),
            TypeKind::Chan => "chan",
            TypeKind::User(name) => return write!(formatter, "{name}"),
        })
    }
}

impl Display for Declaration {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        if let Some(annotation) = &self.annotation {
            write!(formatter, "{annotation} ")?;
        }
        formatter.write_str(match self.visibility {
            Some(Visibility::Hidden) => "hidden ",
            Some(Visibility::Show) => "show ",
            Some(Visibility::Local) => "local ",
            None => "",
        })?;
        write!(formatter, "{} {}", self.type_name, List(&self.variables))
    }
}

impl Display for Variable {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}", self.name)?;
        if let Some(width) = &self.width {
            write!(formatter, ":{width}")?;
        }
        if let Some(array) = &self.array {
            write!(formatter, "[{array}]")?;
        }
        match &self.initializer {
            None => Ok(()),
            Some(Initializer::Expression(expr)) => write!(formatter, " = {expr}"),
            Some(Initializer::List { elements, .. }) => {
                write!(formatter, " = {{{}}}", List(elements))
            }
            Some(Initializer::Channel(channel)) => {
                write!(
                    formatter,
                    " = [{}] of {{{}}}",
                    channel.capacity,
                    List(&channel.fields)
                )
            }
        }
    }
}

impl Display for Sequence {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        for (index, statement) in self.statements.iter().enumerate() {
            if index > 0 {
                formatter.write_str("; ")?;
            }
            write!(formatter, "{statement}")?;
        }
        Ok(())
    }
}

/// With its labels; see [`StatementKind`] for without.
impl Display for Statement {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        for label in &self.labels {
            write!(formatter, "{label}: ")?;
        }
        write!(formatter, "{}", self.kind)
    }
}

impl Display for StatementKind {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        match self {
            StatementKind::Declaration(declaration) => write!(formatter, "{declaration}"),
            StatementKind::Exclusive { access, channels } => {
                let word = if *access == Exclusive::Receive {
                    "xr"
                } else {
                    "xs"
                };
                write!(formatter, "{word} {}", List(channels))
            }
            StatementKind::Assign { target, value } => write!(formatter, "{target} = {value}"),
            StatementKind::Increment(variable) => write!(formatter, "{variable}++"),
            StatementKind::Decrement(variable) => write!(formatter, "{variable}--"),
            StatementKind::Assert(expr) => write!(formatter, "assert({expr})"),
            StatementKind::Printf { format, arguments } => {
                write!(formatter, "printf(\"{}\"", format.text)?;
                for argument in arguments {
                    write!(formatter, ",{argument}")?;
                }
                formatter.write_char(')')
            }
            StatementKind::Printm(expr) => write!(formatter, "printm({expr})"),
            StatementKind::Send(send) => {
                write!(
                    formatter,
                    "{}{}",
                    send.channel,
                    if send.sorted { "!!" } else { "!" }
                )?;
                message(formatter, &send.arguments, send.tagged)
            }
            StatementKind::Receive(receive) => {
                write!(
                    formatter,
                    "{}{}",
                    receive.channel,
                    if receive.random { "??" } else { "?" }
                )?;
                formatter.write_str(if receive.peek { "<" } else { "" })?;
                message(formatter, &receive.arguments, receive.tagged)?;
                formatter.write_str(if receive.peek { ">" } else { "" })
            }
            StatementKind::Expression(expr) => write!(formatter, "{expr}"),
            StatementKind::Else => formatter.write_str("else"),
            StatementKind::Goto(label) => write!(formatter, "goto {label}"),
            StatementKind::Break => formatter.write_str("break"),
            StatementKind::If(options) => choice(formatter, "if", options, "fi"),
            StatementKind::Do(options) => choice(formatter, "do", options, "od"),
            StatementKind::For {
                variable,
                range,
                body,
            } => {
                match range {
                    ForRange::Interval { from, to } => {
                        write!(formatter, "for ({variable} : {from} .. {to})")?
                    }
                    ForRange::In(container) => {
                        write!(formatter, "for ({variable} in {container})")?
                    }
                }
                write!(formatter, " {{ {body} }}")
            }
            StatementKind::Select {
                variable, from, to, ..
            } => {
                write!(formatter, "select ({variable} : {from} .. {to})")
            }
            StatementKind::Atomic(body) => write!(formatter, "atomic {{ {body} }}"),
            StatementKind::DStep(body) => write!(formatter, "d_step {{ {body} }}"),
            StatementKind::Block(body) => write!(formatter, "{{ {body} }}"),
            StatementKind::Inline(call) => {
                if let Some(result) = &call.result {
                    write!(formatter, "{result} = ")?;
                }
                write!(formatter, "{}({})", call.name, List(&call.arguments))
            }
            StatementKind::Unless { main, escape } => write!(formatter, "{main} unless {escape}"),
            StatementKind::SetPriority { process, priority } => {
                write!(formatter, "set_priority({process},{priority})")
            }
            StatementKind::Error => formatter.write_str("<error>"),
        }
    }
}

fn choice(
    formatter: &mut Formatter<'_>,
    open: &str,
    options: &[Sequence],
    close: &str,
) -> fmt::Result {
    formatter.write_str(open)?;
    for option in options {
        write!(formatter, " :: {option}")?;
    }
    write!(formatter, " {close}")
}

impl FormulaOperator {
    /// As it is written.
    pub fn text(self) -> &'static str {
        match self {
            FormulaOperator::And => "&&",
            FormulaOperator::Or => "||",
            FormulaOperator::Implies => "->",
            FormulaOperator::Equivalent => "<->",
            FormulaOperator::Until => "U",
            FormulaOperator::WeakUntil => "W",
            FormulaOperator::Release => "V",
        }
    }
}

impl Display for Formula {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        let prefix = |formatter: &mut Formatter<'_>, text: &str, operand: &Formula| {
            formatter.write_str(text)?;
            operand.print_operand(formatter)
        };
        match &self.kind {
            FormulaKind::Atom(expr) => write!(formatter, "{expr}"),
            FormulaKind::Not(operand) => prefix(formatter, "!", operand),
            FormulaKind::Next(operand) => prefix(formatter, "X ", operand),
            FormulaKind::Always(operand) => prefix(formatter, "[]", operand),
            FormulaKind::Eventually(operand) => prefix(formatter, "<>", operand),
            FormulaKind::Binary {
                operator,
                left,
                right,
            } => {
                left.print_operand(formatter)?;
                write!(formatter, " {} ", operator.text())?;
                right.print_operand(formatter)
            }
        }
    }
}

impl Formula {
    /// With brackets around everything that has an operator between its parts: people disagree on what binds tighter.
    fn print_operand(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        let simple = match &self.kind {
            FormulaKind::Atom(expr) => expr.precedence() > 12,
            FormulaKind::Binary { .. } => false,
            // `!!p` would be a sorted send.
            FormulaKind::Not(_) => false,
            _ => true,
        };
        if simple {
            write!(formatter, "{self}")
        } else {
            write!(formatter, "({self})")
        }
    }
}
