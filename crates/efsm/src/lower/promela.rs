//! A model as Promela, so that SPIN can check it as well.
//!
//! A machine becomes a process type, the ports of all its instances an array of channels, a state a
//! label, a transition a `d_step`. What Promela has no word for becomes an assertion: an overflow, an
//! unexpected input. Names get a prefix, since the words of one language may be those of another.
//! A formula becomes one about the time after all instances have started.
//! SPIN's verifier tells a nonprogress state when asked for empty channels at the end (`pan -q`).

use std::fmt::Write;

use mazurka_model::Kind;

use super::{Lowerer, Type};
use crate::ast::{self, Binary, Expression, ExpressionKind, Pattern, Statement, Unary};

/// What names mean where an expression stands.
#[derive(Clone, Copy)]
struct Scope<'s> {
    machine: Option<usize>,
    /// Loop variables: name and what it is called.
    loops: &'s [(String, String)],
}

impl Lowerer<'_> {
    /// The text of a model that was lowered without an error.
    pub(super) fn promela(&mut self) -> String {
        let model = self.model;
        let mut text = format!(
            "/* {} as Promela. Check with pan -q. */\n\n",
            self.program.name
        );
        let mut messages: Vec<&str> = Vec::new();
        for machine in &self.machines {
            for message in machine.ports.iter().flat_map(|port| &port.messages) {
                if !messages.contains(&message.name.as_str()) {
                    messages.push(&message.name);
                }
            }
        }
        let names: Vec<String> = messages.iter().map(|name| format!("t_{name}")).collect();
        if !names.is_empty() {
            let _ = writeln!(text, "mtype = {{ {} }};", names.join(", "));
        }
        for machine in self.machines.iter().filter(|machine| machine.count > 0) {
            for port in &machine.ports {
                let channel = &self.program.channel_types[port.channel_type.index()];
                let fields = channel.fields[1..].iter();
                let fields: Vec<&str> = fields.map(|field| type_of(field.kind)).collect();
                let mut types = vec!["mtype"];
                types.extend(fields);
                let _ = writeln!(
                    text,
                    "chan c_{}_{}[{}] = [{}] of {{ {} }};",
                    machine.name,
                    port.name,
                    machine.count,
                    channel.capacity,
                    types.join(", ")
                );
            }
        }
        let scope = Scope {
            machine: None,
            loops: &[],
        };
        for variable in &model.globals {
            let local = self.globals[&variable.name.text];
            let declared = self.declaration(scope, "g", variable, local.type_, local.length);
            let _ = writeln!(text, "{declared};");
        }
        if self.overflows() {
            // Nothing happens after an overflow, and that is no deadlock.
            text += "bit broken = 0;\n\n";
            text += "active proctype Broken() {\nend:\tdo\n\t:: (broken)\n\tod\n}\n";
        }
        for number in 0..model.machines.len() {
            if self.machines[number].count > 0 {
                text += &self.proctype(number);
            }
        }
        if !model.formulas.is_empty() {
            text += "\nbool started = false;\n";
        }
        text += "\ninit {\n\tatomic {\n";
        for number in 0..self.machines.len() {
            for instance in &model.instances {
                if instance.machine.text == self.machines[number].name {
                    text += &self.runs(number, instance);
                }
            }
        }
        if !model.formulas.is_empty() {
            text += "\t\tstarted = true\n";
        }
        text += "\t}\n}\n";
        // A formula is about executions from the moment on at which all instances are there.
        for formula in &model.formulas {
            let body = self.print(scope, &formula.body);
            let name = &formula.name.text;
            let _ = writeln!(text, "\nltl {name} {{ !started W (started && ({body})) }}");
        }
        text
    }

    /// Can a port of this capacity overflow?
    fn may_overflow(&self, capacity: u32) -> bool {
        self.most_messages
            .is_none_or(|most| most > u64::from(capacity))
    }

    fn overflows(&self) -> bool {
        let machines = self.machines.iter().filter(|machine| machine.count > 0);
        let mut ports = machines.flat_map(|machine| &machine.ports);
        ports.any(|port| {
            let channel = &self.program.channel_types[port.channel_type.index()];
            self.may_overflow(channel.capacity)
        })
    }

    fn declaration(
        &self,
        scope: Scope<'_>,
        prefix: &str,
        variable: &ast::Variable,
        type_: Type,
        length: Option<u32>,
    ) -> String {
        let mut text = format!("{} {prefix}_{}", type_of(type_.kind()), variable.name.text);
        if let Some(length) = length {
            let _ = write!(text, "[{length}]");
        }
        if let Some(initial) = &variable.initial {
            let _ = write!(text, " = {}", self.print(scope, initial));
        }
        text
    }

    fn runs(&mut self, machine: usize, instance: &ast::Instance) -> String {
        let parameters = self.machines[machine].parameters.clone();
        let instances = self.instances[&instance.name.text];
        let mut text = String::new();
        for number in 0..instances.count.unwrap_or(1) {
            let counter = instance
                .count
                .as_ref()
                .map(|(name, _)| (name.text.as_str(), number as i32));
            let mut values = vec![(instances.first + number).to_string()];
            for (argument, wanted) in instance.arguments.iter().zip(&parameters) {
                values.push(self.argument(argument, counter, *wanted).to_string());
            }
            let name = &instance.machine.text;
            let _ = writeln!(text, "\t\trun M_{name}({});", values.join(", "));
        }
        text
    }

    fn proctype(&self, number: usize) -> String {
        let machine = &self.model.machines[number];
        let mut parameters = vec!["byte self".to_string()];
        for (parameter, type_) in machine
            .parameters
            .iter()
            .zip(&self.machines[number].parameters)
        {
            parameters.push(format!(
                "{} v_{}",
                type_of(type_.kind()),
                parameter.name.text
            ));
        }
        let name = &machine.name.text;
        let provided = match self.overflows() {
            true => " provided (!broken)",
            false => "",
        };
        let parameters = parameters.join("; ");
        let mut text = format!("\nproctype M_{name}({parameters}){provided} {{\n");
        let scope = Scope {
            machine: Some(number),
            loops: &[],
        };
        for variable in &machine.variables {
            let local = self.machines[number].locals[&variable.name.text];
            let declared = self.declaration(scope, "v", variable, local.type_, local.length);
            let _ = writeln!(text, "\t{declared};");
        }
        let mut loops = 0;
        let mut bodies = String::new();
        for state in &machine.states {
            let mut labels = String::new();
            for (marked, prefix) in [
                (state.last, "end"),
                (state.progress, "progress"),
                (state.accept, "accept"),
            ] {
                if marked {
                    let _ = write!(labels, "{prefix}_{}: ", state.name.text);
                }
            }
            let _ = writeln!(bodies, "{labels}S_{}:", state.name.text);
            let mut options = String::new();
            for transition in &machine.transitions {
                if transition.from.text == state.name.text {
                    options += &self.option(number, transition, &mut loops);
                }
            }
            options += &self.unexpected(number, &state.name.text);
            if options.is_empty() {
                bodies += "\tfalse;\n";
            } else {
                let _ = write!(bodies, "\tif\n{options}\tfi;\n");
            }
        }
        for counter in 0..loops {
            let _ = writeln!(text, "\tint l_{counter};");
        }
        let start = machine.states.iter().find(|state| state.start);
        if let Some(start) = start.filter(|start| start.name != machine.states[0].name) {
            let _ = writeln!(text, "\tgoto S_{};", start.name.text);
        }
        text + &bodies + "}\n"
    }

    fn option(&self, machine: usize, transition: &ast::Transition, loops: &mut usize) -> String {
        let scope = Scope {
            machine: Some(machine),
            loops: &[],
        };
        let mut guards = Vec::new();
        let mut effect = String::new();
        if let Some(predicate) = &transition.predicate {
            guards.push(self.print(scope, predicate));
        }
        if let Some(receive) = &transition.receive {
            let channel = self.own(machine, &receive.port.text);
            let (poll, bind) = self.patterns(scope, machine, receive);
            guards.push(format!("{channel}?[{poll}]"));
            let _ = writeln!(effect, "\t\t{channel}?{bind};");
        }
        self.print_block(scope, &transition.block, &mut effect, loops);
        for (position, send) in transition.sends.iter().enumerate() {
            let (channel, values, waits, capacity) = self.print_send(scope, send);
            if waits {
                guards.push(format!("len({channel}) < {capacity}"));
            }
            if waits && position == 0 || !self.may_overflow(capacity) {
                let _ = writeln!(effect, "\t\t{channel}!{values};");
            } else {
                let _ = writeln!(effect, "\t\tif");
                let full = format!("broken || len({channel}) >= {capacity}");
                let _ = writeln!(effect, "\t\t:: ({full}) -> assert(broken); broken = 1");
                let _ = writeln!(effect, "\t\t:: else -> {channel}!{values}\n\t\tfi;");
            }
        }
        let guard = match guards.is_empty() {
            true => "true".to_string(),
            false => guards.join(" && "),
        };
        let to = &transition.to.text;
        format!("\t:: d_step {{ ({guard}) ->\n{effect}\t\tskip }}; goto S_{to}\n")
    }

    /// The option of a state for each message that it does not expect.
    fn unexpected(&self, machine: usize, state: &str) -> String {
        let mut text = String::new();
        for port in &self.machines[machine].ports {
            let expected: Vec<&str> = self.model.machines[machine]
                .transitions
                .iter()
                .filter(|transition| transition.from.text == state)
                .filter_map(|transition| transition.receive.as_ref())
                .filter(|receive| receive.port.text == port.name)
                .map(|receive| receive.message.text.as_str())
                .collect();
            let width = self.width(port);
            for message in &port.messages {
                if !expected.is_empty() && !expected.contains(&message.name.as_str()) {
                    let channel = self.own(machine, &port.name);
                    let rest = ",_".repeat(width);
                    let _ = writeln!(
                        text,
                        "\t:: d_step {{ {channel}?[t_{}{rest}] -> assert(false) }}; goto S_{state}",
                        message.name
                    );
                }
            }
        }
        text
    }

    /// How many fields the messages of a port have besides their name.
    fn width(&self, port: &super::Port) -> usize {
        let channel_type = &self.program.channel_types[port.channel_type.index()];
        channel_type.fields.len() - 1
    }

    fn own(&self, machine: usize, port: &str) -> String {
        format!("c_{}_{port}[self]", self.machines[machine].name)
    }

    /// What a receive asks for, to look and to take.
    fn patterns(
        &self,
        scope: Scope<'_>,
        machine: usize,
        receive: &ast::Receive,
    ) -> (String, String) {
        let port = self.machines[machine]
            .ports
            .iter()
            .find(|port| port.name == receive.port.text);
        let width = port.map_or(0, |port| self.width(port));
        let mut poll = vec![format!("t_{}", receive.message.text)];
        let mut bind = poll.clone();
        for pattern in &receive.patterns {
            match pattern {
                Pattern::Ignore(_) => {
                    poll.push("_".into());
                    bind.push("_".into());
                }
                Pattern::Match(value) => {
                    let value = format!("eval({})", self.print(scope, value));
                    poll.push(value.clone());
                    bind.push(value);
                }
                Pattern::Store(place) => {
                    poll.push("_".into());
                    bind.push(self.print_place(scope, place));
                }
            }
        }
        poll.resize(width + 1, "_".into());
        bind.resize(width + 1, "_".into());
        (poll.join(","), bind.join(","))
    }

    fn print_send(&self, scope: Scope<'_>, send: &ast::Send) -> (String, String, bool, u32) {
        let target = self.print(scope, &send.target);
        let machine = self.machine_of(scope, &send.target);
        let port = machine.and_then(|machine| {
            let mut ports = self.machines[machine].ports.iter();
            ports.find(|port| port.name == send.port.text)
        });
        let (Some(machine), Some(port)) = (machine, port) else {
            return (String::new(), String::new(), false, 0);
        };
        let capacity = self.program.channel_types[port.channel_type.index()].capacity;
        let channel = format!("c_{}_{}[{target}]", self.machines[machine].name, port.name);
        let mut values = vec![format!("t_{}", send.message.text)];
        values.extend(send.values.iter().map(|value| self.print(scope, value)));
        values.resize(self.width(port) + 1, "0".into());
        (channel, values.join(","), port.waits, capacity)
    }

    /// The machine of the instance that an expression names.
    fn machine_of(&self, scope: Scope<'_>, expression: &Expression) -> Option<usize> {
        let name = match &expression.kind {
            ExpressionKind::Name(name) => name,
            ExpressionKind::Index(name, _) => &name.text,
            _ => return None,
        };
        let local = scope
            .machine
            .and_then(|m| self.machines[m].locals.get(name));
        match local.or_else(|| self.globals.get(name)) {
            Some(local) => match local.type_ {
                Type::Machine(number) => Some(number),
                _ => None,
            },
            None => self.instances.get(name).map(|found| found.machine),
        }
    }

    fn print_block(
        &self,
        scope: Scope<'_>,
        statements: &[Statement],
        text: &mut String,
        loops: &mut usize,
    ) {
        for statement in statements {
            match statement {
                Statement::Assign(place, value) => {
                    let place = self.print_place(scope, place);
                    let _ = writeln!(text, "\t\t{place} = {};", self.print(scope, value));
                }
                Statement::Assert(claim) => {
                    let _ = writeln!(text, "\t\tassert({});", self.print(scope, claim));
                }
                Statement::If(condition, then, otherwise) => {
                    let condition = self.print(scope, condition);
                    let _ = writeln!(text, "\t\tif\n\t\t:: ({condition}) ->");
                    self.print_block(scope, then, text, loops);
                    text.push_str("\t\tskip\n\t\t:: else ->\n");
                    self.print_block(scope, otherwise, text, loops);
                    text.push_str("\t\tskip\n\t\tfi;\n");
                }
                Statement::While(condition, body) => {
                    let condition = self.print(scope, condition);
                    let _ = writeln!(text, "\t\tdo\n\t\t:: ({condition}) ->");
                    self.print_block(scope, body, text, loops);
                    text.push_str("\t\tskip\n\t\t:: else -> break\n\t\tod;\n");
                }
                Statement::For(variable, from, to, body) => {
                    let name = format!("l_{loops}");
                    *loops += 1;
                    let _ = writeln!(text, "\t\t{name} = {};", self.print(scope, from));
                    let mut inner = scope.loops.to_vec();
                    inner.push((variable.text.clone(), name.clone()));
                    let scope = Scope {
                        machine: scope.machine,
                        loops: &inner,
                    };
                    let end = self.print(scope, to);
                    let _ = writeln!(text, "\t\tdo\n\t\t:: ({name} < {end}) ->");
                    self.print_block(scope, body, text, loops);
                    let _ = writeln!(text, "\t\t{name} = {name} + 1");
                    let _ = writeln!(text, "\t\t:: else -> break\n\t\tod;\n\t\t{name} = 0;");
                }
            }
        }
    }

    fn print_place(&self, scope: Scope<'_>, place: &ast::Place) -> String {
        let name = self.print_name(scope, &place.name.text);
        match &place.index {
            Some(index) => format!("{name}[{}]", self.print(scope, index)),
            None => name,
        }
    }

    fn print_name(&self, scope: Scope<'_>, name: &str) -> String {
        let counted = scope.loops.iter().rev().find(|(known, _)| known == name);
        if let Some((_, called)) = counted {
            return called.clone();
        }
        let own = scope
            .machine
            .is_some_and(|machine| self.machines[machine].locals.contains_key(name));
        if own {
            return format!("v_{name}");
        }
        if self.globals.contains_key(name) {
            return format!("g_{name}");
        }
        if let Some((value, _)) = self.constants.get(name) {
            return value.to_string();
        }
        match self.instances.get(name) {
            Some(instances) => instances.first.to_string(),
            None => name.into(),
        }
    }

    fn print(&self, scope: Scope<'_>, expression: &Expression) -> String {
        match &expression.kind {
            ExpressionKind::Number(value) => value.to_string(),
            ExpressionKind::Truth(value) => i32::from(*value).to_string(),
            ExpressionKind::Name(name) => self.print_name(scope, name),
            ExpressionKind::Index(name, index) => {
                let index = self.print(scope, index);
                let own = scope
                    .machine
                    .is_some_and(|machine| self.machines[machine].locals.contains_key(&name.text));
                if own || self.globals.contains_key(&name.text) {
                    return format!("{}[{index}]", self.print_name(scope, &name.text));
                }
                match self
                    .instances
                    .get(&name.text)
                    .map_or(0, |found| found.first)
                {
                    0 => index,
                    first => format!("({first} + {index})"),
                }
            }
            ExpressionKind::Unary(operator, operand) => {
                let sign = match operator {
                    Unary::Not => "!",
                    Unary::Negate => "-",
                    Unary::Complement => "~",
                    Unary::Always => "[] ",
                    Unary::Eventually => "<> ",
                    Unary::Next => "X ",
                };
                format!("({sign}{})", self.print(scope, operand))
            }
            ExpressionKind::Binary(operator, left, right) => format!(
                "({} {} {})",
                self.print(scope, left),
                sign_of(*operator),
                self.print(scope, right)
            ),
            ExpressionKind::Length(port) => match (&port.kind, scope.machine) {
                (ExpressionKind::Name(name), Some(machine)) => {
                    format!("len({})", self.own(machine, name))
                }
                (ExpressionKind::Member(instance, port), _) => {
                    let number = self.print(scope, instance);
                    let machine = self.machine_of(scope, instance).unwrap_or(0);
                    let name = &self.machines[machine].name;
                    format!("len(c_{name}_{}[{number}])", port.text)
                }
                _ => "0".into(),
            },
            ExpressionKind::Member(instance, member) => {
                format!("{}:v_{}", self.process(scope, instance), member.text)
            }
            ExpressionKind::At(instance, state) => {
                format!("{}@S_{}", self.process(scope, instance), state.text)
            }
            ExpressionKind::Wrong => "0".into(),
        }
    }

    /// The process of an instance, as a remote reference names it.
    fn process(&self, scope: Scope<'_>, instance: &Expression) -> String {
        let machine = self.machine_of(scope, instance).unwrap_or(0);
        let described = &self.machines[machine];
        let number = self.print(scope, instance);
        // Before it come `init` and the process that stops all others after an overflow.
        let first = described.first_process + 1 + u32::from(self.overflows());
        format!("M_{}[{first} + {number}]", described.name)
    }
}

fn type_of(kind: Kind) -> &'static str {
    match kind {
        Kind::Bit => "bit",
        Kind::Byte => "byte",
        Kind::Short => "short",
        Kind::Int | Kind::Unsigned(_) => "int",
    }
}

fn sign_of(operator: Binary) -> &'static str {
    match operator {
        Binary::Add => "+",
        Binary::Subtract => "-",
        Binary::Multiply => "*",
        Binary::Divide => "/",
        Binary::Remainder => "%",
        Binary::ShiftLeft => "<<",
        Binary::ShiftRight => ">>",
        Binary::BitAnd => "&",
        Binary::BitOr => "|",
        Binary::BitXor => "^",
        Binary::Equal => "==",
        Binary::NotEqual => "!=",
        Binary::Less => "<",
        Binary::LessEqual => "<=",
        Binary::Greater => ">",
        Binary::GreaterEqual => ">=",
        Binary::And => "&&",
        Binary::Or => "||",
        Binary::Implies => "->",
        Binary::Equivalent => "<->",
        Binary::Until => "U",
        Binary::WeakUntil => "W",
        Binary::Release => "V",
    }
}
