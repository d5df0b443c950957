//! Declarations: constants, types, variables.

use std::sync::Arc;

use mazurka_model::{
    Base, ChannelType, ChannelTypeId, Enumeration, Instruction, Kind, Meaning, MessageField, Place,
    Variable,
};
use mazurka_span::Span;

use crate::annotation::Annotation;
use crate::ast::{
    ChannelInitializer, Declaration, Initializer, MtypeDeclaration, Name, TypeKind, TypeName,
    Typedef, Visibility,
};

use super::Lowerer;
use super::problem;
use super::symbols::{Initial, Member, Structure, Symbol, Type};

/// No array is longer, and no part of the state larger.
const LARGEST: i32 = 1 << 20;
/// No structure that is passed as a whole has more single values. SPIN takes about 250.
const MOST_VALUES: u32 = 4096;

/// No structure contains others to a greater depth.
const HIGHEST: u32 = 64;

impl Lowerer<'_> {
    /// `mtype = { … }`. SPIN numbers the names of one declaration from the last; a second declaration goes on.
    pub(super) fn mtype(&mut self, declaration: &MtypeDeclaration) {
        let which = self.enumeration(declaration.set.as_ref(), true);
        for name in declaration.names.iter().rev() {
            if self.names.constants.contains_key(&name.text) {
                self.error(
                    problem::REDECLARED,
                    name.span,
                    format!("`{name}` is declared twice"),
                );
                continue;
            }
            let constants = &mut self.program.enumerations[which as usize].constants;
            let value = constants.len() as i32 + 1;
            if value > 255 {
                self.error(
                    problem::TOO_LARGE,
                    name.span,
                    "an mtype has at most 255 names",
                );
                return;
            }
            constants.push((name.to_string(), value));
            self.names
                .constants
                .insert(name.text.clone(), (value, which));
        }
    }

    fn enumeration(&mut self, set: Option<&Name>, declaring: bool) -> u32 {
        let Some(set) = set else { return 0 };
        let known = self
            .program
            .enumerations
            .iter()
            .position(|e| e.name == set.as_str());
        if let Some(known) = known {
            return known as u32;
        }
        if !declaring {
            let names: Vec<String> = self
                .program
                .enumerations
                .iter()
                .skip(1)
                .map(|e| e.name.clone())
                .collect();
            let known = names.iter().map(String::as_str);
            self.unknown(problem::UNDECLARED, set.span, "mtype", set.as_str(), known);
        }
        self.program.enumerations.push(Enumeration {
            name: set.to_string(),
            constants: Vec::new(),
        });
        self.program.enumerations.len() as u32 - 1
    }

    pub(super) fn typedef(&mut self, definition: &Typedef) {
        let mut members: Vec<Member> = Vec::new();
        let mut bytes = 0;
        for declaration in &definition.fields {
            for variable in &declaration.variables {
                if members
                    .iter()
                    .any(|member| member.name == variable.name.text)
                {
                    let message = format!("`{}` is declared twice", variable.name);
                    self.error(problem::REDECLARED, variable.name.span, message);
                }
                let Some((of, length)) = self.variable_type(declaration, variable) else {
                    continue;
                };
                let initial = self.initial(variable, length);
                members.push(Member {
                    name: variable.name.text.clone(),
                    of,
                    is_bit: matches!(declaration.type_name.kind, TypeKind::Bit | TypeKind::Bool),
                    length,
                    offset: bytes,
                    initial,
                });
                bytes += self.type_bytes(of) * length.unwrap_or(1);
                if bytes > LARGEST as u32 {
                    self.error(
                        problem::TOO_LARGE,
                        variable.span,
                        "the structure is too large",
                    );
                    bytes = 0;
                }
            }
        }
        let heights = members.iter().map(|member| match member.of {
            Type::Structure(index) => self.names.structures[index].height,
            Type::Scalar { .. } => 0,
        });
        let height = heights.max().unwrap_or(0) + 1;
        let values = members.iter().fold(0, |values: u32, member| {
            let each = self.type_values(member.of);
            values.saturating_add(each.saturating_mul(member.length.unwrap_or(1)))
        });
        if height > HIGHEST {
            let message = "structures are nested too deeply";
            self.error(problem::TOO_LARGE, definition.name.span, message);
            members.clear();
        }
        let index = self.names.structures.len();
        self.names.structures.push(Structure {
            height: height.min(HIGHEST),
            name: definition.name.text.clone(),
            members,
            bytes,
            values,
        });
        if self
            .names
            .structure_names
            .insert(definition.name.text.clone(), index)
            .is_some()
        {
            let message = format!("`{}` is defined twice", definition.name);
            self.error(problem::REDECLARED, definition.name.span, message);
        }
    }

    pub(super) fn type_bytes(&self, of: Type) -> u32 {
        match of {
            Type::Scalar { kind, .. } => kind.bytes(),
            Type::Structure(index) => self.names.structures[index].bytes,
        }
    }

    fn type_values(&self, of: Type) -> u32 {
        match of {
            Type::Scalar { .. } => 1,
            Type::Structure(index) => self.names.structures[index].values,
        }
    }

    /// Can all values of that type go into one message, or be arguments of a process? Reports it if they are too many.
    pub(super) fn can_be_passed(&mut self, of: Type, span: Span) -> bool {
        let values = self.type_values(of);
        if values > MOST_VALUES {
            let message = format!(
                "a structure of {values} values is too large for a message: at most {MOST_VALUES} can be passed at once"
            );
            self.error(problem::TOO_LARGE, span, message);
        }
        values <= MOST_VALUES
    }

    /// The type of a variable and, for an array, its length.
    pub(super) fn variable_type(
        &mut self,
        declaration: &Declaration,
        variable: &crate::ast::Variable,
    ) -> Option<(Type, Option<u32>)> {
        let found = self.sound_type(declaration, variable);
        if found.is_none() {
            self.refused.insert(variable.name.text.clone());
        }
        found
    }

    fn sound_type(
        &mut self,
        declaration: &Declaration,
        variable: &crate::ast::Variable,
    ) -> Option<(Type, Option<u32>)> {
        let length = match &variable.array {
            Some(bound) => match self.try_constant(bound) {
                // SPIN takes 8 for the length when the variable that gives it starts with nothing.
                Some(0) if matches!(bound.kind, crate::ast::ExprKind::Variable(_)) => Some(8),
                _ => {
                    Some(self.bounded_constant(bound, "the length of an array", 1, LARGEST)? as u32)
                }
            },
            None => None,
        };
        let mut of = self.type_of(&declaration.type_name)?;
        if let Type::Scalar { kind, .. } = &mut of {
            let hidden = declaration.visibility == Some(Visibility::Hidden);
            match kind {
                // As in SPIN's verifier, bits are packed only if they stand alone.
                Kind::Bit if length.is_some() || hidden => *kind = Kind::Byte,
                Kind::Unsigned(_) if hidden => *kind = Kind::Byte,
                Kind::Unsigned(bits) => {
                    if let Some(width) = &variable.width {
                        *bits =
                            self.bounded_constant(width, "the width of an unsigned", 1, 31)? as u8;
                    }
                }
                _ => {}
            }
        }
        if self
            .type_bytes(of)
            .checked_mul(length.unwrap_or(1))
            .is_none_or(|bytes| bytes > LARGEST as u32)
        {
            self.error(
                problem::TOO_LARGE,
                variable.span,
                "the variable is too large",
            );
            return None;
        }
        let is_channel = matches!(
            of,
            Type::Scalar {
                meaning: Meaning::Channel,
                ..
            }
        );
        if let (Some(Initializer::Channel(channel)), false) = (&variable.initializer, is_channel) {
            let message = format!("`{}` is not a `chan`", variable.name);
            self.error(problem::BAD_CHANNEL, channel.span, message);
            return None;
        }
        Some((of, length))
    }

    fn type_of(&mut self, name: &TypeName) -> Option<Type> {
        let scalar = |kind, meaning| Some(Type::Scalar { kind, meaning });
        match &name.kind {
            TypeKind::Bit => scalar(Kind::Bit, Meaning::Number),
            TypeKind::Bool => scalar(Kind::Bit, Meaning::Truth),
            TypeKind::Byte => scalar(Kind::Byte, Meaning::Number),
            TypeKind::Pid => scalar(Kind::Byte, Meaning::Process),
            TypeKind::Short => scalar(Kind::Short, Meaning::Number),
            TypeKind::Int => scalar(Kind::Int, Meaning::Number),
            TypeKind::Unsigned => scalar(Kind::Unsigned(1), Meaning::Number),
            TypeKind::Mtype(set) => {
                let which = self.enumeration(set.as_ref(), false);
                scalar(Kind::Byte, Meaning::Enumeration(which))
            }
            TypeKind::Chan => scalar(Kind::Byte, Meaning::Channel),
            TypeKind::User(user) => match self.names.structure_names.get(&user.text) {
                Some(index) => Some(Type::Structure(*index)),
                None => {
                    let known: Vec<Arc<str>> = self.names.structure_names.keys().cloned().collect();
                    let known = known.iter().map(|name| &**name);
                    self.unknown(problem::UNDECLARED, user.span, "type", user.as_str(), known);
                    None
                }
            },
        }
    }

    /// What a variable starts with, as declared.
    pub(super) fn initial(
        &mut self,
        variable: &crate::ast::Variable,
        length: Option<u32>,
    ) -> Initial {
        match &variable.initializer {
            None => Initial::Zero,
            Some(Initializer::Expression(expr)) => Initial::Value(expr.clone()),
            Some(Initializer::List { elements, span }) => {
                let length = length.unwrap_or(1) as usize;
                if elements.len() > length {
                    self.warn(
                        problem::BAD_INITIALISER,
                        *span,
                        "the list has more elements than the variable: the rest is not used",
                    );
                }
                let used = elements.len().min(length);
                Initial::List(elements[..used].to_vec())
            }
            Some(Initializer::Channel(channel)) => {
                match self.new_channel_type(&variable.name, channel) {
                    Some(channel_type) => Initial::Channel(channel_type),
                    None => Initial::Zero,
                }
            }
        }
    }

    fn new_channel_type(
        &mut self,
        name: &Name,
        channel: &ChannelInitializer,
    ) -> Option<ChannelTypeId> {
        let capacity =
            self.bounded_constant(&channel.capacity, "the size of a channel", 0, LARGEST)?;
        let mut fields = Vec::new();
        for field in &channel.fields {
            let of = self.type_of(field)?;
            if matches!(field.kind, TypeKind::Unsigned) {
                self.error(
                    problem::BAD_CHANNEL,
                    field.span,
                    "unsigned cannot be a field of a message",
                );
            }
            if !self.can_be_passed(of, field.span) {
                return None;
            }
            self.message_fields(of, &mut fields);
        }
        if let [only] = fields.as_mut_slice()
            && only.kind == Kind::Bit
        {
            // As in SPIN's verifier, a message of a single bit is a byte.
            only.kind = Kind::Byte;
        }
        let mut offset = 0;
        for field in &mut fields {
            field.offset = offset;
            offset += field.kind.bytes();
        }
        if (offset as u64) * (capacity as u64) > LARGEST as u64 {
            self.error(problem::TOO_LARGE, channel.span, "the channel is too large");
            return None;
        }
        Some(self.channel_type(ChannelType {
            name: name.to_string(),
            capacity: capacity as u32,
            fields,
            message_bytes: offset,
            forms: Vec::new(),
        }))
    }

    /// The scalar fields that a field of a message consists of: each element of an array is one of its own.
    fn message_fields(&self, of: Type, fields: &mut Vec<MessageField>) {
        match of {
            Type::Scalar { kind, meaning } => fields.push(MessageField {
                kind,
                offset: 0,
                meaning,
            }),
            Type::Structure(index) => {
                for member in &self.names.structures[index].members {
                    let of = match member.of {
                        Type::Scalar { meaning, .. } if member.is_bit => Type::Scalar {
                            kind: Kind::Bit,
                            meaning,
                        },
                        of => of,
                    };
                    for _ in 0..member.length.unwrap_or(1) {
                        self.message_fields(of, fields);
                    }
                }
            }
        }
    }

    /// A variable of the whole model.
    pub(super) fn declare_shared(
        &mut self,
        declaration: &Declaration,
        start: &mut Vec<Instruction>,
    ) {
        let hidden = declaration.visibility == Some(Visibility::Hidden);
        for variable in &declaration.variables {
            let Some((of, length)) = self.variable_type(declaration, variable) else {
                continue;
            };
            let initial = self.initial(variable, length);
            let (base, offset) = if hidden {
                (Base::Hidden, self.program.hidden_bytes)
            } else {
                (Base::Shared, self.program.shared_bytes)
            };
            let bytes = self.type_bytes(of) * length.unwrap_or(1);
            if offset + bytes > LARGEST as u32 {
                self.error(
                    problem::TOO_LARGE,
                    variable.span,
                    "the shared variables are too large",
                );
                self.refused.insert(variable.name.text.clone());
                continue;
            }
            match base {
                Base::Hidden => self.program.hidden_bytes += bytes,
                _ => self.program.shared_bytes += bytes,
            }
            let mut described = Vec::new();
            self.describe(&variable.name.text, of, length, offset, &mut described);
            match base {
                Base::Hidden => self.program.hidden.extend(described),
                _ => self.program.shared.extend(described),
            }
            let mut symbol = self.symbol(variable, of, length, base, offset, &initial);
            if let Some(annotation) = declaration.annotation {
                symbol.annotation = annotation;
                match annotation.object {
                    // What a step does with it is worth a table.
                    Some(_) => self.program.objects.push((offset, offset + bytes)),
                    None => self.annotate(&symbol, start),
                }
            }
            if self.names.constants.contains_key(&variable.name.text) {
                self.redeclared(&variable.name, None);
            }
            self.initialise(&symbol, &initial, start);
            if let Some(before) = self.names.globals.declare(symbol) {
                self.redeclared(&variable.name, Some(before.span));
            }
        }
    }

    pub(super) fn redeclared(&mut self, name: &Name, before: Option<Span>) {
        let mut diagnostic = mazurka_span::Diagnostic::error(
            problem::REDECLARED,
            name.span,
            format!("`{name}` is declared twice"),
        );
        if let Some(before) = before {
            diagnostic = diagnostic.also(before, "declared here before");
        }
        self.diagnostics.push(diagnostic);
    }

    pub(super) fn symbol(
        &mut self,
        variable: &crate::ast::Variable,
        of: Type,
        length: Option<u32>,
        base: Base,
        offset: u32,
        initial: &Initial,
    ) -> Symbol {
        let constant = match initial {
            Initial::Value(expr) if length.is_none() => self.try_constant(expr),
            Initial::Zero => Some(0),
            _ => None,
        };
        let channel = match initial {
            Initial::Channel(channel_type) => Some(*channel_type),
            _ => None,
        };
        Symbol {
            name: variable.name.text.clone(),
            of,
            length,
            base,
            offset,
            span: variable.name.span,
            constant,
            channel,
            annotation: Annotation::default(),
        }
    }

    /// The instructions that give a new variable its value. Memory is zero to begin with.
    pub(super) fn initialise(
        &mut self,
        symbol: &Symbol,
        initial: &Initial,
        code: &mut Vec<Instruction>,
    ) {
        self.initialise_part(
            symbol.base,
            symbol.of,
            symbol.length,
            symbol.offset,
            initial,
            code,
        );
    }

    fn initialise_part(
        &mut self,
        base: Base,
        of: Type,
        length: Option<u32>,
        offset: u32,
        initial: &Initial,
        code: &mut Vec<Instruction>,
    ) {
        let stride = self.type_bytes(of);
        for element in 0..length.unwrap_or(1) {
            let offset = offset + element * stride;
            match of {
                Type::Structure(index) => {
                    if let Initial::Value(expr) = initial {
                        self.warn(
                            problem::BAD_INITIALISER,
                            expr.span,
                            "a structure has no initialiser: this one is not used",
                        );
                    }
                    for member in self.names.structures[index].members.clone() {
                        let offset = offset + member.offset;
                        self.initialise_part(
                            base,
                            member.of,
                            member.length,
                            offset,
                            &member.initial,
                            code,
                        );
                    }
                }
                Type::Scalar { kind, .. } => {
                    let place = Place {
                        base,
                        offset,
                        kind,
                        indices: 0..0,
                    };
                    let instruction = match initial {
                        Initial::Zero => continue,
                        Initial::Value(expr) => {
                            let value = self.expression(expr);
                            Instruction::Assign(self.push_place(place), value)
                        }
                        Initial::List(elements) => {
                            match elements.get(element as usize).or(elements.last()) {
                                Some(expr) => {
                                    let value = self.constant_value(expr).unwrap_or(0);
                                    let value = self.constant(value);
                                    Instruction::Assign(self.push_place(place), value)
                                }
                                None => continue,
                            }
                        }
                        Initial::Channel(channel_type) => {
                            Instruction::NewChannel(self.push_place(place), *channel_type)
                        }
                    };
                    code.push(instruction);
                }
            }
        }
    }

    /// The leaves of a variable, for people.
    pub(super) fn describe(
        &self,
        name: &str,
        of: Type,
        length: Option<u32>,
        offset: u32,
        described: &mut Vec<Variable>,
    ) {
        match of {
            Type::Scalar { kind, meaning } => described.push(Variable {
                name: name.to_owned(),
                offset,
                kind,
                length,
                meaning,
            }),
            Type::Structure(index) => {
                let structure = &self.names.structures[index];
                for element in 0..length.unwrap_or(1) {
                    let name = match length {
                        Some(_) => format!("{name}[{element}]"),
                        None => name.to_owned(),
                    };
                    let start = offset + element * structure.bytes;
                    for member in &structure.members {
                        let name = format!("{name}.{}", member.name);
                        self.describe(
                            &name,
                            member.of,
                            member.length,
                            start + member.offset,
                            described,
                        );
                    }
                }
            }
        }
    }
}
