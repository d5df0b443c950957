//! A whole model as text, with a line for each statement.
//!
//! What is printed can be parsed again and gives the same tree, except that an expanded `inline` is a block, and that what is
//! not of the model ([`Unit::Expression`]) is left out.

use std::fmt::{self, Display, Formatter, Write};

use crate::ast::*;

impl Display for Model {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        let mut printer = Printer {
            text: String::new(),
            depth: 0,
        };
        for unit in &self.units {
            printer.unit(unit)?;
        }
        formatter.write_str(&printer.text)
    }
}

struct Printer {
    text: String,
    depth: usize,
}

impl Printer {
    fn unit(&mut self, unit: &Unit) -> fmt::Result {
        match unit {
            Unit::Mtype(mtype) => {
                let set = mtype.set.as_ref().map(|set| format!(":{set}"));
                let names: Vec<&str> = mtype.names.iter().map(Name::as_str).collect();
                let set = set.unwrap_or_default();
                writeln!(self.text, "mtype{set} = {{ {} }};", names.join(", "))
            }
            Unit::Declaration(declaration) => writeln!(self.text, "{declaration};"),
            Unit::Typedef(typedef) => {
                let fields: Vec<String> =
                    typedef.fields.iter().map(Declaration::to_string).collect();
                let fields = fields.join("; ");
                writeln!(self.text, "typedef {} {{ {fields} }};", typedef.name)
            }
            Unit::Proctype(proctype) => self.proctype(proctype),
            Unit::Init(init) => {
                self.text.push_str("\ninit");
                self.clause("priority", &init.priority)?;
                self.body(&init.body)
            }
            Unit::Never(never) => {
                self.text.push_str("\nnever");
                if let Some(name) = &never.name {
                    write!(self.text, " {name}")?;
                }
                self.body(&never.body)
            }
            Unit::Trace(trace) => {
                let word = if trace.negated { "notrace" } else { "trace" };
                write!(self.text, "\n{word}")?;
                self.body(&trace.body)
            }
            Unit::Ltl(ltl) => {
                let name = ltl.name.as_ref().map(|name| format!("{name} "));
                let name = name.unwrap_or_default();
                writeln!(self.text, "\nltl {name}{{ {} }}", ltl.formula)
            }
            // Every call has been expanded.
            Unit::Expression(_) | Unit::Inline(_) => Ok(()),
        }
    }

    fn proctype(&mut self, proctype: &Proctype) -> fmt::Result {
        self.text.push('\n');
        if let Some(active) = &proctype.active {
            self.text.push_str("active ");
            if let Some(count) = &active.count {
                write!(self.text, "[{count}] ")?;
            }
        }
        let word = match proctype.deterministic {
            true => "D_proctype",
            false => "proctype",
        };
        let parameters = proctype.parameters.iter().map(Declaration::to_string);
        let parameters: Vec<String> = parameters.collect();
        let parameters = parameters.join("; ");
        write!(self.text, "{word} {}({parameters})", proctype.name)?;
        self.clause("priority", &proctype.priority)?;
        if let Some(provided) = &proctype.provided {
            write!(self.text, " provided ({provided})")?;
        }
        self.body(&proctype.body)
    }

    fn clause(&mut self, word: &str, value: &Option<Expr>) -> fmt::Result {
        match value {
            Some(value) => write!(self.text, " {word} {value}"),
            None => Ok(()),
        }
    }

    fn body(&mut self, body: &Sequence) -> fmt::Result {
        self.text.push_str(" {\n");
        self.inside(&body.statements)?;
        self.text.push_str("}\n");
        Ok(())
    }

    fn line(&mut self) {
        self.text.extend(std::iter::repeat_n('\t', self.depth));
    }

    /// The statements of a block, one level deeper.
    fn inside(&mut self, statements: &[Statement]) -> fmt::Result {
        self.depth += 1;
        for (index, statement) in statements.iter().enumerate() {
            self.line();
            self.statement(statement)?;
            let is_last = index + 1 == statements.len();
            self.text.push_str(if is_last { "\n" } else { ";\n" });
        }
        self.depth -= 1;
        Ok(())
    }

    fn statement(&mut self, statement: &Statement) -> fmt::Result {
        for label in &statement.labels {
            write!(self.text, "{label}: ")?;
        }
        match &statement.kind {
            StatementKind::If(options) => self.options("if", options, "fi"),
            StatementKind::Do(options) => self.options("do", options, "od"),
            StatementKind::Atomic(body) => self.block("atomic {", body),
            StatementKind::DStep(body) => self.block("d_step {", body),
            StatementKind::Block(body) => self.block("{", body),
            StatementKind::Inline(call) => self.block("{", &call.body),
            StatementKind::For {
                variable,
                range,
                body,
            } => {
                let head = match range {
                    ForRange::Interval { from, to } => {
                        format!("for ({variable} : {from} .. {to}) {{")
                    }
                    ForRange::In(container) => format!("for ({variable} in {container}) {{"),
                };
                self.block(&head, body)
            }
            StatementKind::Unless { main, escape } => {
                self.statement(main)?;
                self.text.push_str(" unless ");
                self.statement(escape)
            }
            simple => write!(self.text, "{simple}"),
        }
    }

    fn block(&mut self, open: &str, body: &Sequence) -> fmt::Result {
        writeln!(self.text, "{open}")?;
        self.inside(&body.statements)?;
        self.line();
        self.text.push('}');
        Ok(())
    }

    fn options(&mut self, open: &str, options: &[Sequence], close: &str) -> fmt::Result {
        writeln!(self.text, "{open}")?;
        for option in options {
            self.line();
            self.text.push_str(":: ");
            self.option(option)?;
        }
        self.line();
        self.text.push_str(close);
        Ok(())
    }

    /// The guard stands behind the `::`, with an arrow if it is a plain condition.
    fn option(&mut self, option: &Sequence) -> fmt::Result {
        let Some((guard, rest)) = option.statements.split_first() else {
            return writeln!(self.text);
        };
        self.depth += 1;
        self.statement(guard)?;
        self.depth -= 1;
        if rest.is_empty() {
            return writeln!(self.text);
        }
        let plain = matches!(
            guard.kind,
            StatementKind::Expression(_) | StatementKind::Else
        );
        self.text.push_str(if plain { " ->\n" } else { ";\n" });
        self.inside(rest)
    }
}
