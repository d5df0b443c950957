//! Who gets a signal: one transition for each of those who can, and machines for the channels that delay.

use std::fmt::Write;

use super::value::{in_range, type_name};
use super::{Export, Step, none_of};
use crate::ast::{ExpressionKind, Output};
use crate::routing;

impl Export<'_, '_> {
    pub(super) fn output(&mut self, from: &str, to: &str, output: &Output) {
        let lowerer = self.lowerer;
        let Some(signal) = lowerer.signal_named(&output.signal) else {
            return;
        };
        let mut block = Vec::new();
        let mut values = vec!["me".to_string()];
        for (value, type_) in output
            .values
            .iter()
            .zip(&lowerer.signals[signal].parameters)
        {
            let text = self.value(value, &mut block);
            block.extend(in_range(&text, *type_));
            values.push(text);
        }
        let at = lowerer.processes[self.process].at;
        let mut receivers = routing::receivers(lowerer.system, at, output);
        let mut pid = None;
        match output.to.as_ref().map(|to| &to.kind) {
            Some(ExpressionKind::Name(name)) if lowerer.process_named(name).is_some() => {
                let wanted = lowerer
                    .process_named(name)
                    .map(|process| lowerer.processes[process].at);
                receivers.retain(|receiver| receiver.process == wanted);
            }
            Some(_) => pid = output.to.as_ref().map(|to| self.guard(to)),
            None => {}
        }
        if output.everybody {
            let span = output.signal.span;
            self.refuse(span, "an output to all");
        }
        if to == "Stopped" {
            block.extend(self.stops());
        }
        let name = self.signal_name(signal);
        let mut guards = Vec::new();
        let mut always = false;
        for receiver in receivers {
            let Some(at) = receiver.process else {
                always = true;
                if pid.is_none() {
                    self.compute(from, to, "", &block);
                }
                continue;
            };
            let found = lowerer
                .processes
                .iter()
                .position(|process| process.at == at);
            let Some(found) = found else { continue };
            let described = &lowerer.processes[found];
            always |= described.exists.is_none();
            for number in 0..described.slots {
                let id = described.first + number + 1;
                let mut guard: Vec<String> =
                    pid.iter().map(|pid| format!("{pid} == {id}")).collect();
                if described.exists.is_some() {
                    guard.push(format!("!stopped[{}]", id - 1));
                }
                let guard = guard.join(" && ");
                let mut values = values.clone();
                let queue = match receiver.delayed {
                    None => format!("{}[{number}]", self.instances(found)),
                    Some(way) => {
                        values.insert(1, id.to_string());
                        let line = lowerer.lines.iter().position(|line| line.of == way);
                        format!("line_{}", line.unwrap_or(0))
                    }
                };
                self.step(Step {
                    from,
                    to,
                    when: &guard,
                    block: &block,
                    send: &format!("!{queue}.in.{name}({})", values.join(", ")),
                    ..Step::default()
                });
                guards.push(guard);
            }
        }
        if pid.is_some() || !always {
            let guard = none_of(&guards);
            self.compute(from, to, &guard, &block);
        }
    }

    /// What delays the signals of one way of a channel.
    pub(super) fn line(&mut self, line: usize) -> String {
        let lowerer = self.lowerer;
        let mut signals: Vec<usize> = Vec::new();
        let mut transitions = String::new();
        for (signal, described) in lowerer.signals.iter().enumerate() {
            if described.timer_of.is_some() || described.creates.is_some() {
                continue;
            }
            let count = described.parameters.len();
            let fields: Vec<String> = (0..count).map(|n| format!("f_{signal}_{n}")).collect();
            for hop in lowerer.hops(line) {
                if hop
                    .signals
                    .as_ref()
                    .is_some_and(|known| !known.contains(&signal))
                {
                    continue;
                }
                if hop.next.is_none() && !lowerer.expected(hop.process).contains(&signal) {
                    continue;
                }
                if !signals.contains(&signal) {
                    signals.push(signal);
                }
                let (name, to) = (self.signal_name(signal), &lowerer.processes[hop.process]);
                for number in 0..to.slots {
                    let id = to.first + number + 1;
                    let taken =
                        [vec!["from".to_string(), format!("={id}")], fields.clone()].concat();
                    let mut sent = [vec!["from".to_string()], fields.clone()].concat();
                    let queue = match hop.next {
                        None => format!("{}[{number}]", self.instances(hop.process)),
                        Some(next) => {
                            sent.insert(1, id.to_string());
                            format!("line_{next}")
                        }
                    };
                    let (taken, sent) = (taken.join(", "), sent.join(", "));
                    let receive = format!("?in.{name}({taken})");
                    let send = format!("!{queue}.in.{name}({sent})");
                    let turn = if self.has_turns() {
                        " when turn == 0"
                    } else {
                        ""
                    };
                    let mut add = |when: &str, send: &str| {
                        let _ =
                            writeln!(transitions, "    Run -> Run{turn}{when} {receive} {send};");
                    };
                    match to.exists.is_some() && hop.next.is_none() {
                        false => add("", &send),
                        true => {
                            add(&format!(" && !stopped[{}]", id - 1), &send);
                            add(&format!(" && stopped[{}]", id - 1), "");
                        }
                    }
                }
            }
        }
        let messages: Vec<String> = (signals.iter())
            .map(|signal| self.message(*signal, &["byte", "byte"]))
            .collect();
        let mut text = format!("machine Line_{line} {{\n");
        let (room, messages) = (lowerer.capacity, messages.join(", "));
        let _ = writeln!(text, "    port in[{room}] {{ {messages} }}");
        text += "    var from: byte;\n";
        for signal in signals {
            for (number, type_) in lowerer.signals[signal].parameters.iter().enumerate() {
                let _ = writeln!(text, "    var f_{signal}_{number}: {};", type_name(*type_));
            }
        }
        text + "    start final state Run;\n" + &transitions + "}\n\n"
    }
}
