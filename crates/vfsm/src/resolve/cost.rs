//! Names in the cost of a state.

use mazurka_span::{Diagnostic, nearest};

use crate::ast;
use crate::codes;
use crate::network::Cost;

use super::{Names, Resolver};

impl Resolver<'_> {
    pub(super) fn cost(
        &mut self,
        cost: &ast::Cost,
        machines: &Names<'_>,
        processes: &Names<'_>,
    ) -> Option<Cost> {
        Some(match cost {
            ast::Cost::Number(number) => Cost::Number(*number),
            ast::Cost::Atom(machine, what) => {
                let number = machines.get(machine);
                let timer = number.and_then(|number| {
                    let timers = &self.network.type_of(number).timers;
                    timers.iter().position(|timer| timer.name == *what.text)
                });
                match (number, timer) {
                    (Some(machine), Some(timer)) => Cost::Running { machine, timer },
                    _ => Cost::Atom(self.atom(machine, what, machines)?),
                }
            }
            ast::Cost::Length(process, queue) => {
                let process = self.find(processes, process)?;
                let high = &*queue.text == "high";
                if !high && &*queue.text != "low" {
                    let message = format!("a process has no queue `{}`", queue.text);
                    let diagnostic = Diagnostic::error(codes::UNDECLARED, queue.span, message);
                    let near = nearest(&queue.text, ["high", "low"].into_iter());
                    let hint = near.map_or("it has `high` and `low`".into(), |near| {
                        format!("did you mean `{near}`?")
                    });
                    self.diagnostics.push(diagnostic.hint(hint));
                    return None;
                }
                Cost::Length { process, high }
            }
            ast::Cost::Not(inner) => Cost::Not(self.cost(inner, machines, processes)?.into()),
            ast::Cost::Binary(operator, left, right) => {
                let left = self.cost(left, machines, processes);
                let right = self.cost(right, machines, processes);
                Cost::Binary(*operator, left?.into(), right?.into())
            }
        })
    }
}
