//! Globals, channels, macros, structures and inlines of a random model.

use super::*;

impl Generator {
    pub(super) fn declare_globals(&mut self) {
        if self.has(Feature::Mtypes) {
            self.program.mtypes = (0..self.random.between(2, 3))
                .map(|number| format!("m{number}"))
                .collect();
        }
        if self.has(Feature::Structures) {
            self.declare_structure();
        }
        if self.sometimes(Feature::StructureMessages, 70) {
            self.declare_packet();
        }
        for _ in 0..self.random.between(1, 3) {
            let name = self.fresh("g");
            let declaration = self.variable(name, true);
            self.program.globals.push(declaration);
        }
        if self.sometimes(Feature::Hidden, 60) {
            self.declare_hidden();
        }
        if self.has(Feature::Buffered) || self.has(Feature::Rendezvous) {
            for _ in 0..self.random.between(1, 3) {
                let name = self.fresh("c");
                let declaration = self.channel(name, true);
                self.program.globals.push(declaration);
            }
        }
        if !self.channels.is_empty() {
            self.declare_channel_values();
        }
        if self.sometimes(Feature::ChannelMessages, 60) {
            self.declare_relay();
        }
        if self.has(Feature::Macros) {
            self.declare_macros();
        }
    }

    fn declare_structure(&mut self) {
        let nested = self.sometimes(Feature::NestedStructures, 80);
        let mut fields = self.structure_fields();
        if nested {
            let inner = self.structure_fields();
            self.program.structures.push(Structure {
                name: "Inner".to_string(),
                fields: inner,
            });
            fields.push(Declaration {
                prefix: None,
                kind: Type::Structure("Inner".to_string()),
                name: "inner".to_string(),
                length: self.sometimes(Feature::Arrays, 50).then_some(2),
                initial: None,
            });
        }
        self.program.structures.push(Structure {
            name: "Record".to_string(),
            fields,
        });
    }

    fn structure_fields(&mut self) -> Vec<Declaration> {
        let fields = (0..self.random.between(1, 2)).map(|number| {
            let kind = self.scalar_type();
            let length = self.sometimes(Feature::Arrays, 25).then_some(2);
            // SPIN's grammar has no arrays of `unsigned`.
            let length = length.filter(|_| !matches!(kind, Type::Unsigned(_)));
            Declaration {
                prefix: None,
                kind,
                name: format!("f{number}"),
                length,
                initial: None,
            }
        });
        fields.collect()
    }

    /// A structure that is sent as a whole, and a variable of it.
    fn declare_packet(&mut self) {
        let field = |kind, name: &str| Declaration {
            prefix: None,
            kind,
            name: name.to_string(),
            length: None,
            initial: None,
        };
        let mut fields = vec![field(Type::Byte, "f0"), field(Type::Bit, "f1")];
        fields[0].length = self.sometimes(Feature::Arrays, 50).then_some(2);
        fields[1].length = self.sometimes(Feature::BitArrays, 50).then_some(2);
        self.program.structures.push(Structure {
            name: "Packet".to_string(),
            fields,
        });
        let name = self.fresh("s");
        let kind = Type::Structure("Packet".to_string());
        self.variables.push(Variable {
            name: name.clone(),
            kind: kind.clone(),
            length: None,
            writable: true,
            hidden: false,
            global: true,
        });
        self.program.globals.push(field(kind, &name));
    }

    fn declare_hidden(&mut self) {
        let name = self.fresh("h");
        let kind = Type::Byte;
        let length =
            (self.has(Feature::HiddenReads) && self.sometimes(Feature::Arrays, 30)).then_some(2);
        self.variables.push(Variable {
            name: name.clone(),
            kind: kind.clone(),
            length,
            writable: true,
            hidden: true,
            global: true,
        });
        self.program.globals.push(Declaration {
            prefix: Some("hidden"),
            kind,
            name,
            length,
            initial: None,
        });
    }

    /// A channel that carries other channels, all of one shape.
    fn declare_relay(&mut self) {
        let carried: Vec<Channel> = self
            .channels
            .iter()
            .filter(|channel| channel.length.is_none())
            .cloned()
            .collect();
        if carried.is_empty() {
            return;
        }
        let shape = self.random.pick(&carried).shape.clone();
        let name = self.fresh("r");
        let initial = Some(Initial::Channel {
            capacity: 1,
            fields: vec![Type::Channel],
        });
        self.program.globals.push(Declaration {
            prefix: None,
            kind: Type::Channel,
            name: name.clone(),
            length: None,
            initial,
        });
        self.relay = Some((Place::plain(name), shape));
    }

    fn declare_macros(&mut self) {
        let value = Expression::Number(self.random.between(1, 3));
        self.program.macros.push(Macro {
            name: "LIMIT".to_string(),
            value,
        });
        self.numbers.push("LIMIT".to_string());
        if self.random.chance(60) {
            let value = self.condition(1, false);
            self.program.macros.push(Macro {
                name: "READY".to_string(),
                value,
            });
            self.conditions.push("READY".to_string());
        }
    }

    pub(super) fn scalar_type(&mut self) -> Type {
        let unsigned = if self.has(Feature::Unsigned) { 2 } else { 0 };
        let mtype = if self.has(Feature::Mtypes) { 2 } else { 0 };
        match self.random.weighted(&[
            (2, 0),
            (2, 1),
            (5, 2),
            (1, 3),
            (2, 4),
            (mtype, 5),
            (unsigned, 6),
        ]) {
            Some(0) => Type::Bit,
            Some(1) => Type::Bool,
            Some(3) => Type::Short,
            Some(4) => Type::Int,
            Some(5) => Type::Mtype,
            Some(6) => Type::Unsigned(self.random.between(1, 3) as u8),
            _ => Type::Byte,
        }
    }

    /// Declares a variable and brings it into scope.
    pub(super) fn variable(&mut self, name: String, global: bool) -> Declaration {
        let mut kind = self.scalar_type();
        let mut length = None;
        if self.sometimes(Feature::Arrays, 25) && !matches!(kind, Type::Unsigned(_)) {
            length = Some(self.random.between(2, 3) as u32);
            if self.sometimes(Feature::BitArrays, 30) {
                kind = Type::Bit;
            }
        }
        if length.is_some()
            && matches!(kind, Type::Bit | Type::Bool)
            && !self.has(Feature::BitArrays)
        {
            kind = Type::Byte;
        }
        let structured = global || self.has(Feature::LocalStructures);
        if structured && self.has(Feature::Structures) && self.random.chance(25) {
            kind = Type::Structure("Record".to_string());
        }
        let initial = match (&kind, length) {
            (Type::Structure(_), _) => None,
            (_, Some(length)) if self.random.chance(25) && kind != Type::Mtype => {
                let values = (0..length).map(|_| self.random.between(0, 1)).collect();
                Some(Initial::Elements(values))
            }
            (_, Some(_)) => None,
            (Type::Mtype, None) => Some(Initial::Value(self.mtype_constant())),
            (_, None) if self.random.chance(40) => {
                let highest = if matches!(kind, Type::Bit | Type::Bool | Type::Unsigned(_)) {
                    1
                } else {
                    3
                };
                Some(Initial::Value(Expression::Number(
                    self.random.between(0, highest),
                )))
            }
            _ => None,
        };
        self.variables.push(Variable {
            name: name.clone(),
            kind: kind.clone(),
            length,
            writable: true,
            hidden: false,
            global,
        });
        let prefix = match self.sometimes(Feature::Visibility, 30) && global {
            true => Some(*self.random.pick(&["local", "show"])),
            false => None,
        };
        Declaration {
            prefix,
            kind,
            name,
            length,
            initial,
        }
    }

    /// Declares a channel and brings it into scope.
    pub(super) fn channel(&mut self, name: String, global: bool) -> Declaration {
        let mut shape = self.shape();
        let arrays = match global {
            true => self.sometimes(Feature::ChannelArrays, 25),
            false => self.sometimes(Feature::LocalChannelArrays, 60),
        };
        let length = arrays.then_some(2);
        if length.is_some() {
            // Two queues have many more contents together than one twice as long.
            shape.capacity = shape.capacity.min(1);
        }
        let initial = Some(Initial::Channel {
            capacity: shape.capacity,
            fields: shape.fields.clone(),
        });
        self.channels.push(Channel {
            name: name.clone(),
            length,
            field: None,
            shape,
            global,
        });
        Declaration {
            prefix: None,
            kind: Type::Channel,
            name,
            length,
            initial,
        }
    }

    pub(super) fn shape(&mut self) -> Shape {
        let packets = self.program.structures.iter();
        let packets = packets
            .filter(|structure| structure.name == "Packet")
            .count();
        let one = self.has(Feature::OnePlace);
        if packets > 0 && self.random.chance(40) {
            let capacity = match self.has(Feature::Buffered) {
                true if one => 1,
                true => self.random.between(1, 2) as u32,
                false => 0,
            };
            let fields = vec![Type::Structure("Packet".to_string())];
            return Shape { capacity, fields };
        }
        let rendezvous = self.random.chance(45);
        let mut capacity = match (self.has(Feature::Rendezvous), self.has(Feature::Buffered)) {
            (true, true) if rendezvous => 0,
            (true, false) => 0,
            _ if one => 1,
            _ => self.random.weighted(&[(5, 1), (3, 2), (1, 3)]).unwrap_or(1),
        };
        let mut fields = Vec::new();
        if self.sometimes(Feature::Mtypes, 60) {
            fields.push(Type::Mtype);
        }
        for _ in 0..self.random.between(0, 2) {
            fields.push(match self.random.below(6) {
                0 => Type::Bit,
                1 => Type::Bool,
                2 => Type::Short,
                3 => Type::Int,
                _ => Type::Byte,
            });
        }
        if fields.is_empty() {
            fields.push(Type::Byte);
        }
        if fields.len() > 1 {
            capacity = capacity.min(2);
        }
        Shape { capacity, fields }
    }

    pub(super) fn declare_inlines(&mut self) {
        if !self.has(Feature::Inlines) {
            return;
        }
        let name = "helper".to_string();
        let count = self.random.between(1, 2) as usize;
        let parameters: Vec<String> = ["a", "b"]
            .iter()
            .take(count)
            .map(|name| name.to_string())
            .collect();
        let never_blocks = self.random.chance(50) || self.calm;
        let body = self.within(
            |context| {
                context.budget = 3;
                context.inlined = true;
                context.deterministic = never_blocks;
                context.repeating = true;
            },
            |generator| {
                for (number, parameter) in parameters.iter().enumerate() {
                    generator.variables.push(Variable {
                        name: parameter.clone(),
                        kind: Type::Byte,
                        length: None,
                        writable: number == 0,
                        hidden: false,
                        global: false,
                    });
                }
                let length = generator.random.between(1, 3) as usize;
                generator.block(length)
            },
        );
        self.program.inlines.push(Inline {
            name: name.clone(),
            parameters,
            body,
        });
        self.inlines.push(InlineSignature {
            name,
            parameters: count,
            never_blocks,
        });
    }
}
