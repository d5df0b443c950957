//! Who gets a signal, and new instances.

use mazurka_promela::ast::{Expr, Statement};
use mazurka_promela::build;

use super::behaviour::in_range;
use super::{Export, is_alive};
use crate::ast::{BinaryOperator, Expression, ExpressionKind, Name, Output};
use crate::routing;

impl Export<'_, '_> {
    pub(super) fn output(&mut self, output: &Output) -> Vec<Statement> {
        let lowerer = self.lowerer;
        let Some(signal) = lowerer.signal_named(&output.signal) else {
            return Vec::new();
        };
        let at = lowerer.processes[self.process].at;
        let mut receivers = routing::receivers(lowerer.system, at, output);
        let mut pid = None;
        if let Some(to) = &output.to {
            let named = match &to.kind {
                ExpressionKind::Name(name) => lowerer.process_named(name),
                _ => None,
            };
            match named {
                Some(process) => {
                    let wanted = Some(lowerer.processes[process].at);
                    receivers.retain(|receiver| receiver.process == wanted);
                }
                None => pid = Some(self.value(to)),
            }
        }
        let values: Vec<Expr> = output
            .values
            .iter()
            .map(|value| self.value(value))
            .collect();
        let mut steps: Vec<Statement> = Vec::new();
        for (value, type_) in values.iter().zip(&lowerer.signals[signal].parameters) {
            steps.extend(in_range(value.clone(), *type_));
        }
        let own = build::binary(BinaryOperator::Add, build::value("me"), build::number(1));
        if output.everybody {
            for receiver in &receivers {
                let mut processes = lowerer.processes.iter();
                let to = processes.position(|process| Some(process.at) == receiver.process);
                let Some(to) = to else {
                    continue;
                };
                for number in 0..lowerer.processes[to].slots {
                    let me = (lowerer.processes[to].first + number) as i32;
                    let send = self.send_signal(receiver, signal, me, &own, &values);
                    steps.push(match lowerer.processes[to].exists.is_some() {
                        true => build::select(vec![
                            vec![build::condition(is_alive(build::number(me))), send],
                            vec![build::otherwise()],
                        ]),
                        false => send,
                    });
                }
            }
            steps.push(build::skip());
            return steps;
        }
        let mut options = Vec::new();
        let mut always = false;
        for receiver in receivers {
            let Some(at) = receiver.process else {
                always = true;
                match &pid {
                    None => options.push(vec![build::skip()]),
                    Some(pid) if lowerer.has_environment() => {
                        let environment = build::number(lowerer.environment_pid());
                        let there = build::equal(pid.clone(), environment);
                        options.push(vec![build::condition(there)]);
                    }
                    Some(_) => {}
                }
                continue;
            };
            let mut processes = lowerer.processes.iter();
            let Some(to) = processes.position(|process| process.at == at) else {
                continue;
            };
            let dynamic = lowerer.processes[to].exists.is_some();
            always = always || !dynamic;
            for number in 0..lowerer.processes[to].slots {
                let me = (lowerer.processes[to].first + number) as i32;
                let there = pid
                    .iter()
                    .map(|pid| build::equal(pid.clone(), build::number(me + 1)));
                let mut guards: Vec<Expr> = there.collect();
                if dynamic {
                    guards.push(is_alive(build::number(me)));
                }
                let guard = match guards.is_empty() {
                    true => build::skip(),
                    false => build::condition(build::all(guards)),
                };
                let send = self.send_signal(&receiver, signal, me, &own, &values);
                options.push(vec![guard, send]);
            }
        }
        if pid.is_some() || !always {
            options.push(vec![build::otherwise()]);
        }
        steps.push(build::select(options));
        steps
    }

    /// A signal goes to an instance, or to the channel that delays it.
    fn send_signal(
        &mut self,
        receiver: &routing::Receiver,
        signal: usize,
        me: i32,
        own: &Expr,
        values: &[Expr],
    ) -> Statement {
        let to = build::number(me + 1);
        let message = self.message(signal, own.clone(), to, values.to_vec());
        let line = receiver.delayed.and_then(|way| {
            let mut lines = self.lowerer.lines.iter();
            lines.position(|line| line.of == way)
        });
        let queue = match line {
            Some(line) => build::variable(&self.line_name(line)),
            None => build::element("queues", build::number(me)),
        };
        self.send_to(build::number(me), queue, line.is_some(), message)
    }

    pub(super) fn create(&mut self, name: &Name, values: &[Expression]) -> Vec<Statement> {
        let lowerer = self.lowerer;
        let Some(to) = lowerer.process_named(name) else {
            return Vec::new();
        };
        let described = &lowerer.processes[to];
        let signal = described.created_by.unwrap_or(0);
        let mut steps = Vec::new();
        let values: Vec<Expr> = values.iter().map(|value| self.value(value)).collect();
        for (value, type_) in values.iter().zip(&lowerer.signals[signal].parameters) {
            steps.extend(in_range(value.clone(), *type_));
        }
        let keeps = lowerer.processes[self.process].offspring.is_some();
        let offspring = |pid: i32| {
            let kept = build::assign(build::variable("offspring"), build::number(pid));
            keeps.then_some(kept)
        };
        let own = build::binary(BinaryOperator::Add, build::value("me"), build::number(1));
        let mut used = Vec::new();
        let mut options = Vec::new();
        let mut stopped = Vec::new();
        for number in 0..described.slots {
            let me = (described.first + number) as i32;
            let state = || build::read(build::element("alive", build::number(me)));
            let free = match lowerer.reuses {
                true => build::not(is_alive(build::number(me))),
                false => build::equal(state(), build::number(super::super::NEVER)),
            };
            stopped.push(build::equal(state(), build::number(super::super::STOPPED)));
            let mut guards: Vec<Expr> = used.clone();
            guards.push(free.clone());
            used.push(build::not(free));
            let message = self.message(signal, own.clone(), build::number(0), values.clone());
            let mut option = vec![
                build::condition(build::all(guards)),
                build::assign(
                    build::element("alive", build::number(me)),
                    build::number(super::super::ALIVE),
                ),
                build::send(build::element("queues", build::number(me)), message),
            ];
            option.extend(offspring(me + 1));
            options.push(option);
        }
        let fine = match described.bounded {
            true => build::not(build::any(stopped)),
            false => build::truth(false),
        };
        let mut none = vec![build::otherwise(), build::assert(fine)];
        none.extend(offspring(0));
        options.push(none);
        steps.push(build::select(options));
        steps
    }
}
