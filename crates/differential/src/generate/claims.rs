//! Formulas, never claims and trace assertions of a random model.

use super::*;

impl Generator {
    pub(super) fn declare_claims(&mut self) {
        self.context = Context {
            claim: true,
            ..Context::default()
        };
        if self.has(Feature::Formulas) {
            for number in 0..self.random.between(1, 2) {
                let size = self.random.between(2, 7) as usize;
                let formula = self.formula(size);
                self.program.claims.push(Claim::Formula {
                    name: format!("formula{number}"),
                    formula,
                });
            }
        }
        if self.sometimes(Feature::Never, 60) {
            let body = self.never();
            self.program.claims.push(Claim::Never {
                name: "watch".to_string(),
                body,
            });
        }
    }

    fn formula(&mut self, size: usize) -> Formula {
        if size <= 1 {
            return Formula::Atom(self.claim_condition());
        }
        if size == 2 || self.random.chance(35) {
            let next = usize::from(self.has(Feature::Next));
            let operators = [(1, "!"), (3, "[]"), (2, "<>"), (next, "X")];
            let operator = self.random.weighted(&operators).unwrap_or("[]");
            return Formula::Unary(operator, Box::new(self.formula(size - 1)));
        }
        let left = 1 + self.random.below(size - 2);
        let right = Box::new(self.formula(size - 1 - left));
        let left = Box::new(self.formula(left));
        let operator = *self
            .random
            .pick(&["&&", "||", "->", "->", "<->", "U", "W", "V"]);
        Formula::Binary(operator, left, right)
    }

    /// A condition on the system as a whole.
    fn claim_condition(&mut self) -> Expression {
        let special = match self.random.below(10) {
            0 | 1 if self.has(Feature::ClaimRemotes) => self.claim_remote(),
            2 | 3 if self.has(Feature::ClaimChannels) => self.claim_channel(),
            4 | 5 if self.has(Feature::ClaimFaults) => self.claim_fault(),
            6 if self.has(Feature::ClaimSystem) => Some(self.claim_system()),
            _ => None,
        };
        special.unwrap_or_else(|| self.claim_comparison())
    }

    fn claim_comparison(&mut self) -> Expression {
        let operator = *self.random.pick(&["==", "!=", "<", ">"]);
        let value = Expression::Number(self.random.between(0, 2));
        let hidden = self.hidden_place(30);
        match hidden.or_else(|| self.numeric_place(|variable| !variable.hidden)) {
            Some(place) => Expression::binary(operator, Expression::Read(place), value),
            None => Expression::Number(1),
        }
    }

    fn claim_remote(&mut self) -> Option<Expression> {
        // A process may have ended whose variable is asked for.
        if self.has(Feature::RemoteDead) && self.random.chance(50) {
            let variable = self.remote_variable()?;
            let value = Expression::Number(self.random.between(0, 2));
            return Some(Expression::binary("==", variable, value));
        }
        self.remote_label()
    }

    fn claim_channel(&mut self) -> Option<Expression> {
        if self.sometimes(Feature::Polls, 35) {
            return self.poll();
        }
        let (channel, _) = self.buffered_place()?;
        // SPIN negates a formula, and its grammar has no negated `empty`.
        if self.random.chance(50) && !self.features.are_for_spin() {
            let name = *self.random.pick(&["empty", "nempty", "full", "nfull"]);
            return Some(Expression::Probe(name, channel));
        }
        let count = Expression::Number(self.random.between(0, 2));
        let length = Expression::Probe("len", channel);
        Some(Expression::binary("==", length, count))
    }

    /// A condition that has no value where a variable is 0, or an index too large.
    fn claim_fault(&mut self) -> Option<Expression> {
        let place = self.numeric_place(|variable| !variable.hidden)?;
        let operator = *self.random.pick(&["/", "%"]);
        let divided = Expression::binary(operator, Expression::Number(6), Expression::Read(place));
        let value = Expression::Number(self.random.between(0, 3));
        Some(Expression::binary("!=", divided, value))
    }

    fn claim_system(&mut self) -> Expression {
        let pid = Box::new(Expression::Number(self.random.between(0, 2)));
        let number = Expression::Number(self.random.between(0, 3));
        match self.random.below(6) {
            0 => Expression::Predefined("np_"),
            1 => Expression::Predefined("timeout"),
            2 => Expression::binary("==", Expression::Predefined("_last"), number),
            3 if !self.has(Feature::Rendezvous) => Expression::Query("enabled", pid),
            4 => Expression::binary(">", Expression::Query("pc_value", pid), number),
            _ => Expression::binary("<=", Expression::Predefined("_nr_pr"), number),
        }
    }

    /// Places that follow each other by conditions, several of which may be true at once.
    fn never(&mut self) -> Block {
        let count = self.random.between(1, 3);
        let names: Vec<String> = (0..count)
            .map(|number| match self.random.chance(40) {
                true => format!("accept_{number}"),
                false => format!("S{number}"),
            })
            .collect();
        let ends = self.sometimes(Feature::ClaimEnds, 60);
        let mut body: Block = Vec::new();
        for name in &names {
            let is_loop = self.random.chance(60);
            let mut options: Vec<Block> = (0..self.random.between(1, 3))
                .map(|_| self.never_option(&names, is_loop, ends))
                .collect();
            match self.random.below(5) {
                0 => options.push(vec![Statement::Else, Statement::Goto(names[0].clone())]),
                1 if is_loop => options.push(vec![Statement::Condition(Expression::Number(1))]),
                _ => {}
            }
            let choice = match is_loop {
                true => Statement::Do(options),
                false => Statement::If(options),
            };
            body.push(Statement::Label(name.clone(), Box::new(choice)));
        }
        if ends {
            let last = Box::new(Statement::Skip);
            body.push(Statement::Label("ended".to_string(), last));
        } else {
            // An `if` without a jump must not fall out of the claim.
            body.push(Statement::Goto(names[0].clone()));
        }
        body
    }

    fn never_option(&mut self, names: &[String], is_loop: bool, ends: bool) -> Block {
        let condition = Statement::Condition(self.claim_condition());
        let mut option = vec![condition];
        if self.sometimes(Feature::ClaimAssertions, 40) {
            let asserted = Statement::Assert(self.claim_condition());
            option = match self.sometimes(Feature::Atomic, 50) {
                true => vec![Statement::Atomic(vec![option.remove(0), asserted])],
                false => vec![option.remove(0), asserted],
            };
        }
        if ends && self.random.chance(15) {
            option.push(Statement::Goto("ended".to_string()));
        } else if !is_loop || self.random.chance(40) {
            option.push(Statement::Goto(self.random.pick(names).clone()));
        }
        option
    }

    pub(super) fn declare_trace(&mut self) {
        let wanted = self.sometimes(Feature::Trace, 80);
        let unwanted = self.sometimes(Feature::Notrace, 80);
        if !wanted && !unwanted {
            return;
        }
        let plain: Vec<Channel> = self
            .channels
            .iter()
            .filter(|channel| {
                channel.length.is_none()
                    && channel.field.is_none()
                    && channel.name.starts_with('c')
                    && !channel.shape.is_packet()
            })
            .cloned()
            .collect();
        if plain.is_empty() {
            return;
        }
        let channel = self.random.pick(&plain).clone();
        let others: Vec<Channel> = (plain.iter())
            .filter(|other| other.name != channel.name)
            .cloned()
            .collect();
        let other = match others.is_empty() || !self.sometimes(Feature::TraceChannels, 90) {
            true => None,
            false => Some(self.random.pick(&others).clone()),
        };
        let mut options: Vec<Block> = vec![vec![self.event(&channel, true)]];
        if self.random.chance(50) {
            let second = self.event(&channel, false);
            match self.random.chance(60) {
                true => options.push(vec![second]),
                false => options[0].push(second),
            }
        }
        // The other channel is spoken of among the options, behind them where nothing leads, or in both places.
        let place = self.random.below(3);
        if let (Some(other), 0 | 1) = (&other, place) {
            let sent = self.random.chance(60);
            let event = self.event(other, sent);
            options.push(vec![event]);
        }
        let repeated = Statement::Do(options);
        let repeated = match self.random.chance(70) {
            true => Statement::Label("end_trace".to_string(), Box::new(repeated)),
            false => repeated,
        };
        let mut body = match (unwanted, self.random.chance(30)) {
            // What must not happen comes to an end.
            (true, _) => vec![self.event(&channel, true), self.event(&channel, true)],
            (false, true) => vec![self.event(&channel, true), repeated],
            (false, false) => vec![repeated],
        };
        if let (Some(other), 1 | 2) = (&other, place) {
            let sent = self.random.chance(60);
            let event = self.event(other, sent);
            match unwanted {
                true => body.insert(self.random.below(body.len() + 1), event),
                false => body.push(event),
            }
        }
        self.program.trace = Some(Trace {
            negated: unwanted,
            body,
        });
    }

    /// A message that is sent, or received.
    fn event(&mut self, channel: &Channel, sent: bool) -> Statement {
        let place = Place::plain(channel.name.clone());
        let fields = channel.shape.fields.clone();
        let values: Vec<Expression> = fields
            .iter()
            .map(|field| match field {
                _ if self.random.chance(70) => Expression::Name("_".to_string()),
                Type::Mtype => self.mtype_constant(),
                _ => Expression::Number(self.random.between(0, 1)),
            })
            .collect();
        match sent {
            true => Statement::Send {
                channel: place,
                sorted: false,
                arguments: values,
            },
            false => Statement::Receive {
                channel: place,
                random: false,
                copy: false,
                patterns: values.into_iter().map(Pattern::Constant).collect(),
            },
        }
    }
}
