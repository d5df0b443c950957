//! Channels as values: in variables and structures, assigned and promised.

use super::*;

impl Generator {
    /// Places for channels beyond those that are declared with one.
    pub(super) fn declare_channel_values(&mut self) {
        if self.sometimes(Feature::ChannelStructures, 80) {
            self.declare_holder();
        }
        if self.sometimes(Feature::UnsetChannels, 80) {
            let shape = self.random.pick(&self.channels.clone()).shape.clone();
            let name = self.fresh("u");
            self.channels.push(Channel {
                name: name.clone(),
                length: None,
                field: None,
                shape,
                global: true,
            });
            self.program.globals.push(Declaration {
                prefix: None,
                kind: Type::Channel,
                name,
                length: None,
                initial: None,
            });
        }
    }

    /// A structure with a channel of its own.
    fn declare_holder(&mut self) {
        let shape = match self.random.chance(60) {
            true => self.random.pick(&self.channels.clone()).shape.clone(),
            false => self.shape(),
        };
        let field = |kind, name: &str, initial| Declaration {
            prefix: None,
            kind,
            name: name.to_string(),
            length: None,
            initial,
        };
        let initial = Initial::Channel {
            capacity: shape.capacity,
            fields: shape.fields.clone(),
        };
        self.program.structures.push(Structure {
            name: "Holder".to_string(),
            fields: vec![
                field(Type::Channel, "channel", Some(initial)),
                field(Type::Byte, "f0", None),
            ],
        });
        let kind = Type::Structure("Holder".to_string());
        let name = self.fresh("b");
        self.variables.push(Variable {
            name: name.clone(),
            kind: kind.clone(),
            length: None,
            writable: true,
            hidden: false,
            global: true,
        });
        self.channels.push(Channel {
            name: name.clone(),
            length: None,
            field: Some("channel".to_string()),
            shape,
            global: true,
        });
        self.program.globals.push(field(kind, &name, None));
    }

    /// A channel that a process makes for itself; `published`, a global variable names it from then on.
    pub(super) fn own_channel(&mut self, published: bool) -> Block {
        let name = self.fresh("d");
        let mut declaration = self.channel(name.clone(), false);
        let mut block = Vec::new();
        let globals: Vec<Channel> = self
            .channels
            .iter()
            .filter(|channel| channel.global && channel.length.is_none())
            .cloned()
            .collect();
        let published = published && !globals.is_empty();
        if published {
            let target = self.random.pick(&globals).clone();
            let shape = target.shape;
            declaration.initial = Some(Initial::Channel {
                capacity: shape.capacity,
                fields: shape.fields.clone(),
            });
            let own = self.channels.last_mut().expect("it was just declared");
            own.shape = shape;
            let place = Place {
                name: target.name,
                index: None,
                fields: target
                    .field
                    .map(|field| (field, None))
                    .into_iter()
                    .collect(),
            };
            let own = Place {
                name,
                index: declaration
                    .length
                    .map(|_| Box::new(Expression::Number(self.random.between(0, 1)))),
                fields: Vec::new(),
            };
            block.push(Statement::Assign(place, Expression::Read(own)));
        }
        block.insert(0, Statement::Declare(declaration));
        block
    }

    /// One channel in place of another of the same form.
    pub(super) fn channel_assignment(&mut self) -> Option<Statement> {
        let (target, shape) = self.channel_place(|_| true)?;
        let known = self.channels.iter().rev();
        let is_global = known
            .into_iter()
            .find(|channel| channel.name == target.name)
            .is_some_and(|channel| channel.global);
        // A channel of a process that has ended must not be named by others, unless that is wanted.
        let dead = self.has(Feature::DeadChannels);
        let name = target.name.clone();
        let (source, _) = self.channel_place(|channel| {
            channel.shape == shape && (channel.global || !is_global || dead) && channel.name != name
        })?;
        Some(Statement::Assign(target, Expression::Read(source)))
    }

    /// A variable of the structure that is sent as a whole.
    pub(super) fn packet(&mut self) -> Option<String> {
        let packet = Type::Structure("Packet".to_string());
        let known = self.variables.iter();
        let packets: Vec<String> = known
            .filter(|variable| variable.kind == packet && variable.length.is_none())
            .map(|variable| variable.name.clone())
            .collect();
        (!packets.is_empty()).then(|| self.random.pick(&packets).clone())
    }

    /// `for (s in c)`: every message is received and sent again.
    pub(super) fn for_channel(&mut self) -> Option<Statement> {
        let packet = self.packet()?;
        let (channel, _) = self.channel_place(|channel| {
            // Its messages must be known where it is declared.
            channel.shape.is_packet()
                && channel.shape.capacity > 0
                && channel.length.is_none()
                && channel.field.is_none()
                && channel.name.starts_with(['c', 'd'])
        })?;
        let body = self.within(
            |context| {
                context.breakable = true;
                context.repeating = true;
                context.labels.clear();
            },
            |inner| inner.block(1),
        );
        Some(Statement::ForIn {
            variable: Place::plain(packet),
            array: channel.name,
            body,
        })
    }

    /// `xr` or `xs`, true or not: nothing is made of it.
    pub(super) fn promise(&mut self) -> Option<Statement> {
        let (channel, _) = self.channel_place(|channel| {
            channel.global && channel.length.is_none() && channel.field.is_none()
        })?;
        let word = *self.random.pick(&["xr", "xs"]);
        Some(Statement::Exclusive(word, channel))
    }
}
