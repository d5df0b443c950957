//! Statements made of others: choices, loops, d_steps and escapes.

use super::statements::push_statement;
use super::*;

impl Generator {
    fn option_guard(&mut self) -> Statement {
        let communication = match self.random.below(10) {
            0..=2 => self.receive(),
            3 | 4 => self.send(),
            5 => self.relayed(),
            6 | 7 => return self.assignment(),
            _ => None,
        };
        communication.unwrap_or_else(|| self.guard())
    }

    /// An option that begins with `guard`. What it declares is not in scope in the next one.
    fn option(&mut self, guard: Statement) -> Block {
        let mut option = vec![guard];
        // An option of the guard alone is common in real models, and a special case of every lowering.
        if self.random.chance(85) {
            let length = self.random.between(1, 2) as usize;
            let rest = self.within(|context| context.depth -= 1, |inner| inner.block(length));
            rest.into_iter()
                .for_each(|statement| push_statement(&mut option, statement));
        }
        let left = matches!(option.last(), Some(Statement::Break | Statement::Goto(_)));
        if self.random.chance(20) && !left && !self.context.deterministic && !self.context.inlined {
            option.extend(self.leave());
        }
        option
    }

    /// `otherwise`: an `else` may be among the options. Not at the head of an escape: SPIN refuses a state that inherits
    /// a second one.
    pub(super) fn selection(&mut self, otherwise: bool) -> Statement {
        let count = self.random.between(1, 3);
        let deterministic = self.context.deterministic;
        Statement::If(self.within(
            |_| (),
            |inner| {
                let mut options: Vec<Block> = (0..count)
                    .map(|_| {
                        let guard = if deterministic {
                            inner.quiet_guard()
                        } else {
                            inner.option_guard()
                        };
                        inner.option(guard)
                    })
                    .collect();
                if deterministic || (inner.random.chance(45) && otherwise) {
                    let option = inner.option(Statement::Else);
                    let position = inner.random.below(options.len() + 1);
                    options.insert(position, option);
                }
                options
            },
        ))
    }

    /// The guard of an option inside a d_step, next to an `else`: a condition or a receive that does not meet anyone.
    fn quiet_guard(&mut self) -> Statement {
        if self.random.chance(25)
            && let Some(receive) = self.buffered_receive()
        {
            return receive;
        }
        Statement::Condition(self.condition(2, true))
    }

    pub(super) fn repetition(&mut self) -> Statement {
        let count = self.random.between(1, 3);
        Statement::Do(self.within(
            |context| {
                context.breakable = true;
                context.repeating = true;
            },
            |inner| {
                let mut options: Vec<Block> = (0..count)
                    .map(|_| {
                        let guard = inner.option_guard();
                        inner.option(guard)
                    })
                    .collect();
                match inner.random.below(4) {
                    0 => options.push(vec![Statement::Else, Statement::Break]),
                    1 => options.push(vec![Statement::Break]),
                    2 => {
                        let guard = inner.guard();
                        options.push(vec![guard, Statement::Break]);
                    }
                    _ => {}
                }
                options
            },
        ))
    }

    pub(super) fn for_loop(&mut self) -> Option<Statement> {
        let locals: Vec<String> = self
            .variables
            .iter()
            .filter(|variable| {
                matches!(variable.kind, Type::Byte | Type::Int | Type::Short)
                    && variable.length.is_none()
                    && variable.writable
                    && !variable.hidden
                    && !variable.global
            })
            .map(|variable| variable.name.clone())
            .collect();
        if locals.is_empty() {
            return None;
        }
        let name = self.random.pick(&locals).clone();
        let array = self
            .variables
            .iter()
            .find(|variable| variable.length.is_some())
            .map(|array| array.name.clone());
        let array = array.filter(|_| self.random.chance(60));
        let length = self.random.between(1, 2) as usize;
        let safe = self.safe_indices.len();
        // The body must not touch the loop variable, or the loop might never end.
        self.set_writable(&name, false);
        if let Some(array) = &array {
            self.safe_indices.push((array.clone(), name.clone()));
        }
        let body = self.within(
            |context| {
                context.breakable = !context.deterministic;
                context.repeating = true;
                // A jump away and back would find the loop variable in the middle.
                context.labels.clear();
            },
            |inner| inner.block(length),
        );
        self.safe_indices.truncate(safe);
        self.set_writable(&name, true);
        let variable = Place::plain(name);
        Some(match array {
            Some(array) => Statement::ForIn {
                variable,
                array,
                body,
            },
            None => {
                let from = self.random.between(0, 1);
                let to = Expression::Number(from + self.random.between(0, 2));
                Statement::For {
                    variable,
                    from: Expression::Number(from),
                    to,
                    body,
                }
            }
        })
    }

    fn set_writable(&mut self, name: &str, writable: bool) {
        for variable in self
            .variables
            .iter_mut()
            .filter(|variable| variable.name == name)
        {
            variable.writable = writable;
        }
    }

    pub(super) fn select(&mut self) -> Option<Statement> {
        let place = self.numeric_place(|variable| {
            matches!(variable.kind, Type::Byte | Type::Int | Type::Short)
                && variable.length.is_none()
                && variable.writable
                && !variable.hidden
        })?;
        let from = self.random.between(0, 1);
        let to = match self.random.chance(75) {
            true => Expression::Number(from + self.random.between(0, 2)),
            false => Expression::binary("%", self.simple_value(), Expression::Number(3)),
        };
        Some(Statement::Select {
            variable: place,
            from: Expression::Number(from),
            to,
        })
    }

    /// A loop in a d_step: nothing in it waits, and it may never end.
    pub(super) fn step_loop(&mut self) -> Statement {
        let count = self.random.between(1, 2);
        Statement::Do(self.within(
            |context| context.repeating = true,
            |inner| {
                let mut options: Vec<Block> = (0..count)
                    .map(|_| {
                        let guard = inner.quiet_guard();
                        let mut option = inner.option(guard);
                        if inner.random.chance(40) {
                            option.push(Statement::Break);
                        }
                        option
                    })
                    .collect();
                options.push(vec![Statement::Else, Statement::Break]);
                options
            },
        ))
    }

    /// A message that a process sends to itself through one place, where others may come between.
    pub(super) fn own_message(&mut self) -> Option<Statement> {
        let (channel, shape) = self.channel_place(|channel| channel.shape.capacity == 1)?;
        let send = self.send_on(channel.clone(), &shape);
        let mut option = vec![send];
        if self.random.chance(40) {
            let between = self.assignment();
            option.push(between);
        }
        option.push(self.receive_on(channel.clone(), &shape));
        let mut options = vec![option];
        if self.random.chance(50) {
            let receive = self.receive_on(channel.clone(), &shape);
            let mut other = vec![receive];
            if self.random.chance(50) {
                other.push(self.send_on(channel, &shape));
            }
            options.push(other);
        }
        Some(Statement::If(options))
    }

    pub(super) fn deterministic_step(&mut self) -> Statement {
        let length = self.random.between(1, 3) as usize;
        let block = self.within(
            |context| {
                context.deterministic = true;
                context.breakable = false;
                context.labels.clear();
            },
            |inner| {
                // Only what comes first may wait.
                let first = match inner.random.below(4) {
                    0 => Some(inner.guard()),
                    1 => inner.buffered_receive(),
                    _ => None,
                };
                let mut block: Block = first.into_iter().chain(inner.block(length)).collect();
                // pan lets a d_step that begins like this run between the halves of a rendezvous.
                let early = matches!(
                    block.first(),
                    Some(Statement::Assert(_) | Statement::Print { .. } | Statement::Call(..))
                );
                if early && inner.has(Feature::Rendezvous) {
                    block.insert(0, Statement::Skip);
                }
                block
            },
        );
        Statement::DeterministicStep(block)
    }

    pub(super) fn unless(&mut self) -> Statement {
        let length = self.random.between(1, 3) as usize;
        let main = self.within(|_| (), |inner| inner.block(length));
        let escape = self.within(
            |_| (),
            |inner| {
                let guard = match inner.random.below(4) {
                    0 => inner.receive(),
                    1 => Some(inner.selection(false)),
                    _ => None,
                };
                // When a rendezvous among the alternatives of an escape finds no partner, pan forgets that another one was
                // possible and executes the main sequence as well.
                let meets = |option: &Block| matches!(option.first(), Some(Statement::Send { .. }));
                let guard = guard.filter(|guard| match guard {
                    Statement::If(options) => {
                        !inner.has(Feature::Rendezvous) || !options.iter().any(meets)
                    }
                    _ => true,
                });
                let guard = guard.unwrap_or_else(|| inner.guard());
                inner.option(guard)
            },
        );
        // Behind a loop with a label and without braces, SPIN takes a break for one of that loop.
        let main = match &main[..] {
            [Statement::Do(_)] if escape.iter().any(has_loop) => vec![Statement::Braces(main)],
            _ => main,
        };
        match self.random.below(6) {
            0 if self.has(Feature::Atomic) => {
                Statement::Unless(vec![Statement::Atomic(main)], escape)
            }
            1 if self.has(Feature::Atomic) => {
                Statement::Unless(main, vec![Statement::Atomic(escape)])
            }
            // Behind a loop without braces SPIN takes no other.
            2 | 3 if !escape.iter().any(has_loop) => {
                let main = self.within(|_| (), |inner| inner.repetition());
                Statement::Unless(vec![main], escape)
            }
            _ => Statement::Unless(main, escape),
        }
    }
}

fn has_loop(statement: &Statement) -> bool {
    use Statement::*;
    match statement {
        Do(_) | For { .. } | ForIn { .. } | Select { .. } | Break | Call(..) => true,
        If(options) => options.iter().flatten().any(has_loop),
        Atomic(body) | Braces(body) | DeterministicStep(body) => body.iter().any(has_loop),
        Unless(main, escape) => main.iter().chain(escape).any(has_loop),
        Label(_, inner) => has_loop(inner),
        _ => false,
    }
}
