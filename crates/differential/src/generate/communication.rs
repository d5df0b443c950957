//! Sends, receives and polls of a random model.

use super::*;

impl Generator {
    pub(super) fn channel_place(
        &mut self,
        wanted: impl Fn(&Channel) -> bool,
    ) -> Option<(Place, Shape)> {
        let candidates: Vec<Channel> = self
            .channels
            .iter()
            .filter(|channel| wanted(channel))
            .cloned()
            .collect();
        if candidates.is_empty() {
            return None;
        }
        let channel = self.random.pick(&candidates).clone();
        let index = channel
            .length
            .map(|length| Box::new(self.index(&channel.name, length)));
        let fields = channel.field.map(|field| (field, None));
        Some((
            Place {
                name: channel.name,
                index,
                fields: fields.into_iter().collect(),
            },
            channel.shape,
        ))
    }

    /// A channel whose contents can be looked at: asking a rendezvous channel is an error in SPIN.
    pub(super) fn buffered_place(&mut self) -> Option<(Place, Shape)> {
        self.channel_place(|channel| channel.shape.capacity > 0)
    }

    /// A channel to send on or to receive from: of two, the one that lacks it more, lest most models block at once.
    fn balanced_place(&mut self, send: bool) -> Option<(Place, Shape)> {
        let weight = if send { 1 } else { -1 };
        let first = self.channel_place(|_| true)?;
        let second = self.channel_place(|_| true)?;
        let surplus = |place: &Place| weight * self.surplus.get(&place.name).copied().unwrap_or(0);
        let chosen = if surplus(&first.0) <= surplus(&second.0) {
            first
        } else {
            second
        };
        *self.surplus.entry(chosen.0.name.clone()).or_default() += weight;
        Some(chosen)
    }

    pub(super) fn send(&mut self) -> Option<Statement> {
        let (channel, shape) = self.balanced_place(true)?;
        Some(self.send_on(channel, &shape))
    }

    pub(super) fn send_on(&mut self, channel: Place, shape: &Shape) -> Statement {
        let sorted =
            self.sometimes(Feature::Sorted, 25) && shape.capacity > 0 && !shape.is_packet();
        let arguments = shape
            .fields
            .iter()
            .map(|field| self.field_value(field))
            .collect();
        Statement::Send {
            channel,
            sorted,
            arguments,
        }
    }

    fn field_value(&mut self, field: &Type) -> Expression {
        match field {
            Type::Mtype => self.mtype_value(),
            Type::Structure(_) => match self.packet() {
                Some(name) => Expression::read(name),
                None => Expression::Number(0),
            },
            // More than the field can hold, to see that it is cut to its width.
            _ if self.sometimes(Feature::Wrap, 5) => {
                Expression::Number(self.random.between(254, 258))
            }
            _ if self.random.chance(30) => {
                let value = self.value(1);
                Expression::binary("%", value, Expression::Number(3))
            }
            _ => self.simple_value(),
        }
    }

    pub(super) fn receive(&mut self) -> Option<Statement> {
        let (channel, shape) = self.balanced_place(false)?;
        Some(self.receive_on(channel, &shape))
    }

    pub(super) fn buffered_receive(&mut self) -> Option<Statement> {
        let (channel, shape) = self.buffered_place()?;
        Some(self.receive_on(channel, &shape))
    }

    pub(super) fn receive_on(&mut self, channel: Place, shape: &Shape) -> Statement {
        let buffered = shape.capacity > 0;
        let random = self.sometimes(Feature::RandomReceive, 30) && buffered;
        // With a rendezvous channel in the model, pan.m does not compile if a d_step begins with `?< >`.
        let copy = self.sometimes(Feature::Copy, 15) && buffered && !self.context.deterministic;
        if let (true, Some(packet)) = (shape.is_packet(), self.packet()) {
            return Statement::Receive {
                channel,
                random,
                copy,
                patterns: vec![Pattern::Store(Place::plain(packet))],
            };
        }
        let patterns = self.patterns(&channel, &shape.fields, true);
        Statement::Receive {
            channel,
            random,
            copy,
            patterns,
        }
    }

    pub(super) fn poll(&mut self) -> Option<Expression> {
        let (channel, shape) =
            self.channel_place(|channel| channel.shape.capacity > 0 && !channel.shape.is_packet())?;
        let random = self.sometimes(Feature::RandomReceive, 40);
        let patterns = self.patterns(&channel, &shape.fields, false);
        Some(Expression::Poll {
            channel,
            random,
            patterns,
        })
    }

    /// What a message must look like. SPIN allows each variable once, not one that the channel's index reads, and no
    /// look into other processes.
    fn patterns(&mut self, channel: &Place, fields: &[Type], store: bool) -> Vec<Pattern> {
        let mut used: Vec<String> = Vec::new();
        let mut stored: Vec<String> = Vec::new();
        if let Some(index) = &channel.index {
            let text = index.to_string();
            used.extend(
                self.variables
                    .iter()
                    .map(|variable| variable.name.clone())
                    .filter(|name| text.contains(name)),
            );
        }
        let mut patterns: Vec<Pattern> = fields
            .iter()
            .map(|field| {
                let mtype = *field == Type::Mtype;
                // What an inline stores to may be narrower than the field, or be stored to twice.
                let fits = store && !self.context.inlined;
                if self.random.chance(60) && fits {
                    let taken = used.clone();
                    // pan keeps the only field of a message in a byte at least.
                    let width = if fields.len() == 1 {
                        field.width().max(8)
                    } else {
                        field.width()
                    };
                    let narrowing = self.has(Feature::Narrowing);
                    let parts = self.has(Feature::ReceiveParts);
                    let own_indices = self.has(Feature::ReceiveIndices);
                    let place = self.place(|variable| {
                        let is_part = variable.length.is_some()
                            || matches!(variable.kind, Type::Structure(_));
                        variable.writable
                            && (variable.kind == Type::Mtype) == mtype
                            && !variable.hidden
                            && (!is_part || parts)
                            && (!taken.contains(&variable.name) || own_indices && !is_part)
                            && (narrowing || is_part || variable.kind.width() >= width)
                    });
                    let index = channel.index.as_deref();
                    let place = match index {
                        Some(Expression::Binary("%", variable, _))
                            if own_indices && !mtype && self.random.chance(60) =>
                        {
                            match &**variable {
                                Expression::Read(own) if self.is_index(&own.name) => {
                                    Some(own.clone())
                                }
                                _ => place,
                            }
                        }
                        _ => place,
                    };
                    let place = place.filter(|place| {
                        let text = place.to_string();
                        let indices = text.split('[').skip(1).collect::<String>();
                        let fits = narrowing || self.kind_of(place).width() >= width;
                        let again = stored.contains(&place.name);
                        let own = taken.iter().any(|name| indices.contains(&**name));
                        fits && !again && (own_indices || !own)
                    });
                    if let Some(mut place) = place {
                        if own_indices
                            && let Some(index) = &mut place.index
                            && let Some(own) = stored.last()
                            && self.random.chance(60)
                            && self.is_index(own)
                        {
                            **index = Expression::binary(
                                "%",
                                Expression::read(own.clone()),
                                Expression::Number(2),
                            );
                        }
                        let text = place.to_string();
                        let names = self.variables.iter().map(|variable| variable.name.clone());
                        used.extend(names.filter(|name| text.contains(name)));
                        stored.push(place.name.clone());
                        return Pattern::Store(place);
                    }
                }
                match self.random.below(4) {
                    0 | 1 if mtype => Pattern::Constant(self.mtype_constant()),
                    0 if self.has(Feature::Evaluate) && !mtype => Pattern::Evaluate(
                        self.within(|context| context.pids = None, |inner| inner.value(1)),
                    ),
                    0 if self.has(Feature::Evaluate) => Pattern::Evaluate(self.mtype_value()),
                    1 => Pattern::Constant(Expression::Number(self.random.between(0, 2))),
                    _ => Pattern::Ignore,
                }
            })
            .collect();
        // Taking back `c?x,eval(x)`, pan puts the new value of x into both fields; and it asks about channels only after
        // the message has left.
        let stored: Vec<String> = patterns
            .iter()
            .filter_map(|pattern| match pattern {
                Pattern::Store(place) => Some(place.name.clone()),
                _ => None,
            })
            .collect();
        for pattern in &mut patterns {
            if let Pattern::Evaluate(expression) = pattern {
                let text = expression.to_string();
                let asks = ["len(", "empty(", "full("]
                    .iter()
                    .any(|ask| text.contains(ask));
                if asks
                    || text.contains('[') && text.contains('?')
                    || stored.iter().any(|name| text.contains(name))
                {
                    *pattern = Pattern::Ignore;
                }
            }
        }
        patterns
    }

    /// Is it a variable that may be written, and is never below zero?
    fn is_index(&self, name: &str) -> bool {
        let mut known = self.variables.iter();
        known.any(|variable| {
            variable.name == name
                && variable.writable
                && variable.length.is_none()
                && matches!(variable.kind, Type::Byte | Type::Bit | Type::Unsigned(_))
        })
    }

    /// Puts a channel into the relay, or takes one out and uses it at once. In braces, so that no label can come between:
    /// using a channel variable before it holds a channel ends pan.
    pub(super) fn relayed(&mut self) -> Option<Statement> {
        let (relay, shape) = self.relay.clone()?;
        let via = self.context.via.clone();
        if let Some(via) = via.filter(|_| self.random.chance(50)) {
            let take = Statement::Receive {
                channel: relay,
                random: false,
                copy: false,
                patterns: vec![Pattern::Store(Place::plain(via.clone()))],
            };
            let used = Place::plain(via);
            let action = if self.random.chance(50) {
                self.send_on(used, &shape)
            } else {
                self.receive_on(used, &shape)
            };
            return Some(Statement::Braces(vec![take, action]));
        }
        let wanted = shape.clone();
        // What a process puts there of its own may be taken when it has ended.
        let dead = self.has(Feature::DeadChannels);
        let (carried, _) =
            self.channel_place(|channel| (channel.global || dead) && channel.shape == wanted)?;
        Some(Statement::Send {
            channel: relay,
            sorted: false,
            arguments: vec![Expression::Read(carried)],
        })
    }
}
