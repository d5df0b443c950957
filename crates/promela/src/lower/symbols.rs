//! Types, variables and the scopes in which names mean something.

use std::collections::HashMap;
use std::sync::Arc;

use mazurka_model::{Base, Kind, Meaning};
use mazurka_span::Span;

use crate::annotation::Annotation;

/// The type of a variable or field, apart from being an array.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Type {
    Scalar {
        kind: Kind,
        meaning: Meaning,
    },
    /// Index of a [`Structure`].
    Structure(usize),
}

/// A `typedef`.
#[derive(Clone, Debug)]
pub(super) struct Structure {
    pub name: Arc<str>,
    pub members: Vec<Member>,
    pub bytes: u32,
    /// How many single values it consists of.
    pub values: u32,
    /// How deeply structures are nested in it.
    pub height: u32,
}

/// A field of a structure.
#[derive(Clone, Debug)]
pub(super) struct Member {
    pub name: Arc<str>,
    pub of: Type,
    /// Is it declared as a `bit` or a `bool`? In an array these are bytes, but not in a message.
    pub is_bit: bool,
    pub length: Option<u32>,
    pub offset: u32,
    pub initial: Initial,
}

/// The value a variable starts with.
#[derive(Clone, Debug)]
pub(super) enum Initial {
    Zero,
    /// Each element gets this value.
    Value(crate::ast::Expr),
    /// Element by element.
    List(Vec<crate::ast::Expr>),
    /// Each element gets a channel of its own.
    Channel(mazurka_model::ChannelTypeId),
}

/// A variable.
#[derive(Clone, Debug)]
pub(super) struct Symbol {
    pub name: Arc<str>,
    pub of: Type,
    pub length: Option<u32>,
    pub base: Base,
    pub offset: u32,
    pub span: Span,
    /// The constant it starts with, for array bounds and counts.
    pub constant: Option<i32>,
    /// The channel type it starts with, for loops over its messages.
    pub channel: Option<mazurka_model::ChannelTypeId>,
    /// What was said about the channels it starts with.
    pub annotation: Annotation,
}

/// Names of one stretch of text between braces.
#[derive(Clone, Debug, Default)]
pub(super) struct Scopes {
    open: Vec<HashMap<Arc<str>, Symbol>>,
    /// Identifies the open scopes, for labels.
    path: Vec<u32>,
    opened: u32,
}

impl Scopes {
    pub fn enter(&mut self) {
        self.open.push(HashMap::new());
        self.path.push(self.opened);
        self.opened += 1;
    }

    pub fn leave(&mut self) {
        self.open.pop();
        self.path.pop();
    }

    /// The innermost variable of that name.
    pub fn find(&self, name: &str) -> Option<&Symbol> {
        self.open.iter().rev().find_map(|scope| scope.get(name))
    }

    /// All variables.
    pub fn symbols_mut(&mut self) -> impl Iterator<Item = &mut Symbol> {
        self.open.iter_mut().flat_map(HashMap::values_mut)
    }

    /// Adds a variable to the innermost scope; gives back the one that was there before.
    pub fn declare(&mut self, symbol: Symbol) -> Option<Symbol> {
        let scope = self.open.last_mut()?;
        scope.insert(symbol.name.clone(), symbol)
    }

    /// All names that can be seen.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.open
            .iter()
            .flat_map(|scope| scope.keys().map(|name| &**name))
    }

    /// The open scopes.
    pub fn path(&self) -> &[u32] {
        &self.path
    }
}
