//! Values of synonyms, and in which order synonyms and types are declared: whatever something is made of comes before it, wherever it stands.

use std::collections::{HashMap, HashSet};

use mazurka_span::Span;
use mazurka_syntax::Lower;

use super::{Lowerer, Type, key};
use crate::ast::{Expression, ExpressionKind, Name, Synonym, TypeDefinition, TypeKind};
use crate::{codes, walk};

const LONGEST_QUEUE: i32 = 1000;

/// Something that others may be made of.
enum Declared<'s> {
    Synonym(&'s Synonym),
    Type(&'s TypeDefinition),
}

impl Lowerer<'_> {
    /// What `--define` says: values of synonyms, and the bounds of everything.
    pub(super) fn given(&mut self, defines: &[String]) -> HashMap<String, i32> {
        let mut given: HashMap<String, i32> = HashMap::new();
        let bounds = |name: &str| match name {
            "queue" | "environment" => Some((1, LONGEST_QUEUE)),
            "instances" => Some((1, 100)),
            "reuse" => Some((0, 1)),
            _ => None,
        };
        for define in defines {
            let (name, value) = define.split_once('=').unwrap_or((define, "1"));
            let name = name.to_ascii_lowercase();
            let span = self
                .system
                .name
                .as_ref()
                .map_or(Span::default(), |n| n.span);
            if name == "integer" {
                match crate::expand::range(value) {
                    Some((low, high)) => {
                        let integer = Type::Integer(Some((low, high)));
                        let natural = Type::Integer(Some((low.max(0), high.max(0))));
                        self.types.insert("integer".into(), integer);
                        self.types.insert("natural".into(), natural);
                    }
                    None => {
                        let message = format!("`{define}`: a range is needed, such as 0..15");
                        self.error(codes::UNKNOWN_CONSTANT, span, message);
                    }
                }
                continue;
            }
            if name == "unexpected" && value.eq_ignore_ascii_case("report") {
                self.reports_unexpected = true;
                continue;
            }
            let Ok(value) = value.parse::<i32>() else {
                let message = format!("`{define}`: a number is needed behind the `=`");
                self.error(codes::UNKNOWN_CONSTANT, span, message);
                continue;
            };
            if let Some((low, high)) = bounds(&name) {
                if !(low..=high).contains(&value) {
                    let message = format!("`{define}`: a number from {low} to {high} is needed");
                    self.error(codes::OUT_OF_RANGE, span, message);
                }
                let value = value.clamp(low, high);
                match &*name {
                    "queue" => self.capacity = value as u32,
                    "environment" => self.environment = Some(value as u32),
                    "instances" => self.instances = value as u32,
                    _ => self.reuses = value == 1,
                }
            } else if self.system.synonyms.iter().any(|s| key(&s.name) == name) {
                given.insert(name, value);
            } else {
                let message = format!(
                    "there is no synonym `{name}`; `QUEUE`, `ENVIRONMENT`, `INSTANCES`, `REUSE`, `INTEGER=0..15` and `UNEXPECTED=report` can be given too"
                );
                self.error(codes::UNKNOWN_CONSTANT, span, message);
            }
        }
        given
    }

    pub(super) fn constants_and_types(&mut self, given: &HashMap<String, i32>) {
        let system = self.system;
        let mut names = HashMap::new();
        for synonym in &system.synonyms {
            self.declared_once(&mut names, &synonym.name);
        }
        let synonyms = system.synonyms.iter().map(Declared::Synonym);
        let types = system.types.iter().map(Declared::Type);
        let mut waiting: Vec<Declared<'_>> = synonyms.chain(types).collect();
        while !waiting.is_empty() {
            let open: HashSet<String> = waiting.iter().flat_map(Declared::names).collect();
            let is_ready = |one: &Declared<'_>| one.needs(given).iter().all(|n| !open.contains(n));
            let (ready, rest): (Vec<_>, Vec<_>) = waiting.into_iter().partition(is_ready);
            if ready.is_empty() {
                self.circular(&rest, given);
                return;
            }
            for one in ready {
                match one {
                    Declared::Synonym(synonym) => self.synonym(synonym, given),
                    Declared::Type(definition) => self.type_definition(definition),
                }
            }
            waiting = rest;
        }
    }

    /// None of these can be worked out: tells those that need themselves, by way of which others.
    fn circular(&mut self, open: &[Declared<'_>], given: &HashMap<String, i32>) {
        let of = |name: &str| {
            let mut all = open.iter();
            all.find(|one| one.names().iter().any(|known| known == name))
        };
        let mut told: HashSet<String> = HashSet::new();
        for one in open {
            let mut way: Vec<&Declared<'_>> = vec![one];
            loop {
                let last = way[way.len() - 1];
                let Some(next) = last.needs(given).iter().find_map(|name| of(name)) else {
                    break;
                };
                let first = way
                    .iter()
                    .position(|one| one.name().span == next.name().span);
                let Some(first) = first else {
                    way.push(next);
                    continue;
                };
                let circle = &way[first..];
                if !circle.iter().any(|one| told.contains(&key(one.name()))) {
                    let names = circle.iter().skip(1).chain([&circle[0]]);
                    let names: Vec<String> = names.map(|one| format!("`{}`", one.name())).collect();
                    let message = format!(
                        "`{}` needs itself: it is made of {}",
                        circle[0].name(),
                        names.join(", which is made of ")
                    );
                    self.error(codes::NOT_CONSTANT, circle[0].name().span, message);
                }
                told.extend(way.iter().map(|one| key(one.name())));
                break;
            }
        }
    }

    fn synonym(&mut self, synonym: &Synonym, given: &HashMap<String, i32>) {
        let name = &synonym.name;
        let value = match (given.get(&key(name)), &synonym.value) {
            (Some(value), _) => Some((*value, Type::Integer(None))),
            (None, Some(value)) => self.constant_value(value),
            (None, None) => {
                let message =
                    format!("`{name}` is external: give it a value by --define {name}=VALUE");
                self.error(codes::NOT_CONSTANT, name.span, message);
                None
            }
        };
        let Some((value, type_)) = value else {
            return;
        };
        if let Some(wanted) = &synonym.type_name {
            let wanted = self.type_named(wanted);
            self.expect_type(name.span, type_, wanted);
            if let Type::Integer(Some((low, high))) = wanted
                && !(low..=high).contains(&value)
            {
                let message = format!("`{name}` is {value}, and its type has {low} to {high}");
                self.error(codes::OUT_OF_RANGE, name.span, message);
            }
        }
        let before = self.constants.insert(key(name), (value, type_));
        if let Some((_, Type::Literal(_))) = before {
            let message = format!("`{name}` is declared twice");
            self.error(codes::DUPLICATE, name.span, message);
        }
    }
}

impl Declared<'_> {
    fn name(&self) -> &Name {
        match self {
            Declared::Synonym(synonym) => &synonym.name,
            Declared::Type(definition) => &definition.name,
        }
    }

    /// What it declares.
    fn names(&self) -> Vec<String> {
        match self {
            Declared::Synonym(synonym) => vec![key(&synonym.name)],
            Declared::Type(definition) => {
                let mut names = vec![key(&definition.name)];
                if let TypeKind::Literals(literals) = &definition.kind {
                    names.extend(literals.iter().map(key));
                }
                names
            }
        }
    }

    /// What it is made of.
    fn needs(&self, given: &HashMap<String, i32>) -> Vec<String> {
        match self {
            Declared::Synonym(synonym) => {
                let mut names: Vec<String> = synonym.type_name.iter().map(key).collect();
                if !given.contains_key(&key(&synonym.name)) {
                    names.extend(synonym.value.iter().flat_map(names_in));
                }
                names
            }
            Declared::Type(definition) => match &definition.kind {
                TypeKind::Range { of, bounds } => {
                    let bounds = bounds.iter().flat_map(|(low, high)| [low, high]);
                    let names = bounds.flat_map(names_in);
                    names.chain([key(of)]).collect()
                }
                _ => Vec::new(),
            },
        }
    }
}

fn names_in(value: &Expression) -> Vec<String> {
    let mut names = Vec::new();
    walk::expression(&mut value.clone(), &mut |part| {
        if let ExpressionKind::Name(name) = &part.kind {
            names.push(key(name));
        }
    });
    names
}
