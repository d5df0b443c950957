//! Types of several values: what they are made of.

use std::collections::HashMap;

use mazurka_span::Diagnostic;

use super::key;
use crate::ast::{
    Binary, BinaryOperator, Expression, ExpressionKind, Name, Presence, System, TypeKind, Unary,
    UnaryOperator,
};
use crate::codes;

/// More single values than that are too many for one variable.
const MOST_VALUES: u64 = 1000;

/// What the types and constants of a system are.
#[derive(Default)]
pub(super) struct Types {
    kinds: HashMap<String, Shape>,
    constants: HashMap<String, i32>,
    /// What types without another range or name are called.
    roots: HashMap<String, Name>,
    /// The types that have a literal of that name.
    literals: HashMap<String, Vec<Name>>,
    /// The first literal of each enumeration.
    first_literals: HashMap<String, String>,
    /// All of them, and the numbers that ASN.1 gives them.
    enumerations: HashMap<String, Vec<String>>,
    numbers: HashMap<String, Vec<i32>>,
    choices: Vec<String>,
    /// What fields of these types are if nothing is said.
    defaults: HashMap<String, ExpressionKind>,
}

/// What values of a type are.
#[derive(Clone, Debug)]
pub(super) enum Shape {
    /// Single ones, from the least to the greatest if there are such.
    Single(Option<(i32, i32)>),
    /// Fields with their types.
    Structure(Vec<(Name, Name)>),
    /// Elements of that type, with indices from the first on.
    Array {
        first: i32,
        length: u32,
        element: Name,
    },
    /// A number of elements of that type, and as many of them, with indices from the first on. What is behind them is as at the start.
    Row {
        first: i32,
        most: u32,
        least: u32,
        length: Name,
        element: Name,
    },
}

/// What stands before the name of a field, and of the number of elements.
pub(super) const LENGTH: &str = "!.length";

/// The field that says whether an optional one is there.
pub(super) fn exists(field: &str) -> String {
    format!("{field}.exist")
}

/// A single value inside one of a type.
#[derive(Clone, Debug)]
pub(super) struct Leaf {
    /// The way through fields.
    pub suffix: String,
    pub type_name: Name,
    /// The lengths of the arrays on the way.
    pub lengths: Vec<u32>,
}

impl Leaf {
    /// The name of the variable that it is a part of: that of the whole, whose indices are given, and the way to it.
    pub fn name(&self, whole: &str, indices: usize) -> String {
        // The number of elements of elements is not that of the whole.
        match (self.suffix.ends_with(LENGTH), indices + self.lengths.len()) {
            (true, depth @ 1..) => format!("{whole}{}{depth}", self.suffix),
            _ => format!("{whole}{}", self.suffix),
        }
    }

    /// How often it is there.
    pub fn count(&self) -> usize {
        self.lengths.iter().product::<u32>() as usize
    }
}

impl Types {
    pub fn new(system: &System, defines: &[String], diagnostics: &mut Vec<Diagnostic>) -> Types {
        let mut types = Types::default();
        for (name, range) in [
            ("boolean", Some((0, 1))),
            ("character", Some((0, 127))),
            ("integer", None),
            ("natural", None),
            ("pid", None),
            ("time", None),
            ("duration", None),
            (super::NUMBER, None),
        ] {
            types.kinds.insert(name.into(), Shape::Single(range));
        }
        for define in defines {
            if let Some((name, value)) = define.split_once('=')
                && name.eq_ignore_ascii_case("integer")
                && let Some((low, high)) = super::range(value)
            {
                let natural = Some((low.max(0), high.max(0)));
                types
                    .kinds
                    .insert("integer".into(), Shape::Single(Some((low, high))));
                types.kinds.insert("natural".into(), Shape::Single(natural));
            } else if let Some((name, value)) = define.split_once('=')
                && let Ok(value) = value.parse()
            {
                types.constants.insert(name.to_ascii_lowercase(), value);
            }
        }
        for definition in &system.types {
            if let TypeKind::Literals(literals) = &definition.kind {
                if let Some(first) = literals.first() {
                    let of = key(&definition.name);
                    types.first_literals.insert(of, key(first));
                }
                let all = literals.iter().map(key).collect();
                types.enumerations.insert(key(&definition.name), all);
                for (number, literal) in literals.iter().enumerate() {
                    types.constants.entry(key(literal)).or_insert(number as i32);
                    let of = types.literals.entry(key(literal)).or_default();
                    of.push(definition.name.clone());
                }
            }
        }
        // One may be made of another that comes later.
        let mut before = usize::MAX;
        while before != types.constants.len() {
            before = types.constants.len();
            for synonym in &system.synonyms {
                let value = synonym.value.as_ref();
                if let Some(value) = value.and_then(|value| types.constant(value)) {
                    types.constants.entry(key(&synonym.name)).or_insert(value);
                }
            }
        }
        types.choices = system.choices.iter().map(key).collect();
        for (name, numbers) in &system.numbers {
            types.numbers.insert(key(name), numbers.clone());
        }
        for (name, value) in &system.defaults {
            types.defaults.insert(key(name), value.kind.clone());
        }
        for definition in &system.types {
            if let TypeKind::Range { of, .. } = &definition.kind {
                let root = types.root(of);
                types.roots.insert(key(&definition.name), root);
            }
            let shape = types.shape_of(&definition.kind, diagnostics);
            types.kinds.insert(key(&definition.name), shape);
        }
        for definition in &system.types {
            if types.is_compound(&definition.name) {
                let size = types.size(&definition.name, 0);
                if size.is_none_or(|size| size > MOST_VALUES) {
                    let (name, code) = (&definition.name, codes::TOO_LARGE);
                    let message = format!(
                        "a value of type `{name}` has more than {MOST_VALUES} parts, or is a part of itself"
                    );
                    diagnostics.push(Diagnostic::error(code, name.span, message));
                    let key = key(name);
                    types.kinds.insert(key, Shape::Single(None));
                }
            }
        }
        types
    }

    fn shape_of(&self, kind: &TypeKind, diagnostics: &mut Vec<Diagnostic>) -> Shape {
        match kind {
            TypeKind::Literals(literals) => Shape::Single(Some((0, literals.len() as i32 - 1))),
            TypeKind::Range { of, bounds: None } => self.shape(of),
            TypeKind::Range {
                bounds: Some((low, high)),
                ..
            } => {
                let bounds = self.constant(low).zip(self.constant(high));
                Shape::Single(bounds.filter(|(low, high)| low <= high))
            }
            TypeKind::Structure(fields) => {
                for (number, (name, _)) in fields.iter().enumerate() {
                    if fields[..number]
                        .iter()
                        .any(|(other, _)| key(other) == key(name))
                    {
                        let message = format!("the field `{name}` is declared twice");
                        diagnostics.push(Diagnostic::error(codes::DUPLICATE, name.span, message));
                    }
                }
                Shape::Structure(fields.clone())
            }
            TypeKind::Array { index, element } => {
                let range = match self.shape(index) {
                    Shape::Single(range) => range,
                    _ => None,
                };
                let length = range.map(|(low, high)| i64::from(high) - i64::from(low) + 1);
                let Some((range, length)) = range.zip(length.filter(|n| *n <= MOST_VALUES as i64))
                else {
                    let message = format!(
                        "an array needs an index with a range of at most {MOST_VALUES} values: `{index}` has none"
                    );
                    diagnostics.push(Diagnostic::error(codes::OUT_OF_RANGE, index.span, message));
                    return Shape::Single(None);
                };
                Shape::Array {
                    first: range.0,
                    length: length as u32,
                    element: element.clone(),
                }
            }
            TypeKind::Row {
                first,
                length,
                element,
            } => match self.shape(length) {
                Shape::Single(Some((least, most))) => Shape::Row {
                    first: *first,
                    least: least.max(0) as u32,
                    most: most.clamp(0, MOST_VALUES as i32) as u32,
                    length: length.clone(),
                    element: element.clone(),
                },
                _ => Shape::Single(None),
            },
        }
    }

    /// A type of at most this many elements, which nobody wrote.
    pub fn row(&mut self, element: &Name, most: u32) -> Name {
        let text = format!("row of {most} {}", key(element));
        let name = Name {
            text: text.as_str().into(),
            span: element.span,
        };
        let length = Name {
            text: super::NUMBER.into(),
            span: element.span,
        };
        let shape = Shape::Row {
            first: 0,
            least: 0,
            most,
            length,
            element: element.clone(),
        };
        self.kinds.insert(key(&name), shape);
        name
    }

    pub fn shape(&self, name: &Name) -> Shape {
        let known = self.kinds.get(&key(name));
        known.cloned().unwrap_or(Shape::Single(None))
    }

    /// The type that another is a part of, or another name for.
    pub fn root(&self, name: &Name) -> Name {
        self.roots.get(&key(name)).unwrap_or(name).clone()
    }

    /// Is a value of that type one of several?
    pub fn is_choice(&self, name: &Name) -> bool {
        self.choices.contains(&key(&self.root(name)))
    }

    /// A literal that several types have, by a name that only one has.
    pub fn literal_of(&self, literal: &Name, wanted: &Name) -> Option<Name> {
        let types = self.literals.get(&key(literal))?;
        let root = self.root(wanted);
        (types.len() > 1 && types.iter().any(|type_| key(type_) == key(&root))).then(|| Name {
            text: format!("{}.{}", key(&root), key(literal)).as_str().into(),
            span: literal.span,
        })
    }

    /// The literal of a type that is written as a number: `newtype bit literals 0, 1`.
    pub fn numbered(&self, number: i32, wanted: &Name, span: mazurka_span::Span) -> Option<Name> {
        let text = number.to_string().as_str().into();
        let name = Name { text, span };
        let only = self.type_of_literal(&name);
        let is_it = only.is_some_and(|only| key(&only) == key(&self.root(wanted)));
        match is_it {
            true => Some(name),
            false => self.literal_of(&name, wanted),
        }
    }

    /// The numbers that ASN.1 gives to the literals of a type, if they are not 0, 1, 2 and so on.
    pub fn numbers(&self, name: &Name) -> Option<Vec<i32>> {
        self.numbers.get(&key(&self.root(name))).cloned()
    }

    /// The literals of an enumeration.
    pub fn literals(&self, name: &Name) -> Vec<String> {
        let known = self.enumerations.get(&key(&self.root(name)));
        known.cloned().unwrap_or_default()
    }

    /// The only type that has a literal of that name.
    pub fn type_of_literal(&self, literal: &Name) -> Option<Name> {
        match &self.literals.get(&key(literal))?[..] {
            [only] => Some(only.clone()),
            _ => None,
        }
    }

    /// The value that a variable of a type of single values has if nothing else is said.
    pub fn first_value(&self, name: &Name) -> ExpressionKind {
        if let Some(value) = self.defaults.get(&key(name)) {
            return value.clone();
        }
        let root = self.root(name);
        match &*key(&root) {
            "boolean" => ExpressionKind::Truth(false),
            "pid" => ExpressionKind::Null,
            "character" => ExpressionKind::Text("\0".into()),
            _ => match (self.first_literals.get(&key(&root)), self.shape(name)) {
                (Some(literal), _) => ExpressionKind::Name(Name {
                    text: format!("{}.{literal}", key(&root)).as_str().into(),
                    span: name.span,
                }),
                (None, Shape::Single(Some((low, high)))) => {
                    ExpressionKind::Number(0.clamp(low, high))
                }
                _ => ExpressionKind::Number(0),
            },
        }
    }

    pub fn is_compound(&self, name: &Name) -> bool {
        !matches!(self.shape(name), Shape::Single(_))
    }

    fn size(&self, name: &Name, depth: u32) -> Option<u64> {
        if depth > 20 {
            return None;
        }
        match self.shape(name) {
            Shape::Single(_) => Some(1),
            Shape::Structure(fields) => {
                let mut sum = 0u64;
                for (_, type_) in &fields {
                    sum = sum.saturating_add(self.size(type_, depth + 1)?);
                }
                Some(sum)
            }
            Shape::Array {
                length, element, ..
            } => Some(
                self.size(&element, depth + 1)?
                    .saturating_mul(length.into()),
            ),
            Shape::Row { most, element, .. } => {
                let elements = self.size(&element, depth + 1)?;
                Some(elements.saturating_mul(most.into()).saturating_add(1))
            }
        }
    }

    /// Has it a default?
    pub fn default_of(&self, name: &Name) -> Option<&ExpressionKind> {
        self.defaults.get(&key(name))
    }

    /// How many single values a type has.
    pub fn width(&self, name: &Name) -> usize {
        let leaves = self.leaves(name);
        let counts = leaves.iter().map(Leaf::count);
        counts.sum()
    }

    /// Where a single value of an element stands among those of all elements: one part of all elements comes after the other.
    pub fn place(&self, element: &Name, count: usize, number: usize, part: usize) -> usize {
        let mut begin = 0;
        for leaf in self.leaves(element) {
            if part < begin + leaf.count() {
                return begin * count + number * leaf.count() + part - begin;
            }
            begin += leaf.count();
        }
        part
    }

    /// Which single values say whether others are there.
    pub fn presence(&self, name: &Name) -> Vec<Vec<Presence>> {
        match self.shape(name) {
            Shape::Single(_) => vec![Vec::new()],
            Shape::Structure(fields) => {
                let mut all: Vec<Vec<Presence>> = Vec::new();
                let is_choice = self.is_choice(name);
                for (number, (field, type_)) in fields.iter().enumerate() {
                    let begin = all.len();
                    let before = number.checked_sub(1).map(|before| &fields[before].0);
                    let own = match before {
                        Some(_) if is_choice => Some((0, number as i32 - 1)),
                        Some(before) if key(before) == exists(&key(field)) => Some((begin - 1, 1)),
                        _ => None,
                    };
                    for inner in self.presence(type_) {
                        let mut inner = moved(inner, &|part| part + begin);
                        if let Some((part, value)) = own {
                            let (low, high) = (value, value);
                            inner.push(Presence { part, low, high });
                        }
                        all.push(inner);
                    }
                }
                all
            }
            Shape::Array {
                length, element, ..
            } => self.presence_of_elements(&element, length as usize),
            Shape::Row { most, element, .. } => {
                let mut all = vec![Vec::new()];
                let width = self.width(&element);
                let elements = self.presence_of_elements(&element, most as usize);
                let mut number_of = vec![0; elements.len()];
                for number in 0..most as usize {
                    for part in 0..width {
                        number_of[self.place(&element, most as usize, number, part)] = number;
                    }
                }
                for (inner, number) in elements.into_iter().zip(number_of) {
                    let mut inner = moved(inner, &|part| part + 1);
                    inner.push(Presence {
                        part: 0,
                        low: number as i32 + 1,
                        high: i32::MAX,
                    });
                    all.push(inner);
                }
                all
            }
        }
    }

    fn presence_of_elements(&self, element: &Name, count: usize) -> Vec<Vec<Presence>> {
        let one = self.presence(element);
        let mut all = vec![Vec::new(); one.len() * count];
        for number in 0..count {
            for (part, inner) in one.iter().enumerate() {
                let place = |part| self.place(element, count, number, part);
                all[place(part)] = moved(inner.clone(), &place);
            }
        }
        all
    }

    pub fn leaves(&self, name: &Name) -> Vec<Leaf> {
        match self.shape(name) {
            Shape::Single(_) => vec![Leaf {
                suffix: String::new(),
                type_name: name.clone(),
                lengths: Vec::new(),
            }],
            Shape::Structure(fields) => {
                let mut all = Vec::new();
                for (field, type_) in &fields {
                    all.extend(self.leaves(type_).into_iter().map(|leaf| Leaf {
                        suffix: format!("!{}{}", key(field), leaf.suffix),
                        ..leaf
                    }));
                }
                all
            }
            Shape::Array {
                length, element, ..
            } => {
                let mut all = self.leaves(&element);
                for leaf in &mut all {
                    leaf.lengths.insert(0, length);
                }
                all
            }
            Shape::Row {
                most,
                length,
                element,
                ..
            } => {
                let mut all = vec![Leaf {
                    suffix: LENGTH.into(),
                    type_name: length,
                    lengths: Vec::new(),
                }];
                all.extend(self.leaves(&element).into_iter().map(|mut leaf| {
                    leaf.lengths.insert(0, most);
                    leaf
                }));
                all
            }
        }
    }

    /// The value of an expression over constants, if it is a number.
    pub fn constant(&self, expression: &Expression) -> Option<i32> {
        match &expression.kind {
            ExpressionKind::Number(value) => Some(*value),
            ExpressionKind::Truth(value) => Some(i32::from(*value)),
            ExpressionKind::Name(name) => self.constants.get(&key(name)).copied(),
            ExpressionKind::Text(text) if text.chars().count() == 1 => {
                text.chars().next().map(|c| c as i32)
            }
            ExpressionKind::Unary(Unary::Value(UnaryOperator::Minus), inner) => {
                self.constant(inner)?.checked_neg()
            }
            ExpressionKind::Binary(Binary::Value(operator), left, right) => {
                let (left, right) = (self.constant(left)?, self.constant(right)?);
                match operator {
                    BinaryOperator::Add => left.checked_add(right),
                    BinaryOperator::Subtract => left.checked_sub(right),
                    BinaryOperator::Multiply => left.checked_mul(right),
                    BinaryOperator::Divide => left.checked_div(right),
                    BinaryOperator::Remainder => left.checked_rem(right),
                    _ => None,
                }
            }
            _ => None,
        }
    }
}

/// The same about parts that stand elsewhere.
fn moved(of: Vec<Presence>, by: &dyn Fn(usize) -> usize) -> Vec<Presence> {
    let all = of.into_iter().map(|one| Presence {
        part: by(one.part),
        ..one
    });
    all.collect()
}
