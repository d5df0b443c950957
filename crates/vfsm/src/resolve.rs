//! Names to numbers: the syntax tree becomes a [`Network`].

mod cost;
mod machine;
mod wiring;

use std::collections::HashMap;

use mazurka_span::{Code, Diagnostic, Span, has_errors, nearest};

use crate::ast::{Cost, Model, Name};
use crate::codes;
use crate::network::Network;

/// The network of a model, if nothing is wrong with it.
pub(crate) fn resolve(
    model: &Model,
    guide: Option<&Cost>,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<Network> {
    let mut resolver = Resolver {
        diagnostics,
        network: Network::default(),
    };
    resolver.types(model);
    resolver.wiring(model, guide);
    let network = resolver.network;
    (!has_errors(diagnostics)).then_some(network)
}

struct Resolver<'d> {
    diagnostics: &'d mut Vec<Diagnostic>,
    network: Network,
}

/// Names of one kind and their numbers.
struct Names<'m> {
    what: &'static str,
    numbers: HashMap<&'m str, usize>,
}

impl Names<'_> {
    fn get(&self, name: &Name) -> Option<usize> {
        self.numbers.get(&*name.text).copied()
    }
}

impl Resolver<'_> {
    fn error(&mut self, code: Code, span: Span, message: impl Into<String>) {
        self.diagnostics
            .push(Diagnostic::error(code, span, message));
    }

    /// Numbers names in the order in which they stand; one that stands twice is an error.
    fn number<'m>(
        &mut self,
        what: &'static str,
        names: impl Iterator<Item = &'m Name>,
    ) -> Names<'m> {
        let mut numbers = HashMap::new();
        let mut spans: Vec<Span> = Vec::new();
        for name in names {
            if let Some(first) = numbers.get(&*name.text) {
                let first: usize = *first;
                let message = format!("{what} `{}` is declared twice", name.text);
                let diagnostic = Diagnostic::error(codes::REDECLARED, name.span, message)
                    .also(spans[first], "the first time");
                self.diagnostics.push(diagnostic);
            }
            let number = spans.len();
            numbers.entry(&*name.text).or_insert(number);
            spans.push(name.span);
        }
        Names { what, numbers }
    }

    /// The number of a name; an unknown one is an error.
    fn find(&mut self, names: &Names<'_>, name: &Name) -> Option<usize> {
        let found = names.get(name);
        if found.is_none() {
            let message = format!("there is no {} `{}`", names.what, name.text);
            let mut diagnostic = Diagnostic::error(codes::UNDECLARED, name.span, message);
            let mut known: Vec<&str> = names.numbers.keys().copied().collect();
            known.sort_unstable();
            if let Some(near) = nearest(&name.text, known.into_iter()) {
                diagnostic = diagnostic.hint(format!("did you mean `{near}`?"));
            }
            self.diagnostics.push(diagnostic);
        }
        found
    }

    fn find_all(&mut self, names: &Names<'_>, list: &[Name]) -> Vec<usize> {
        list.iter()
            .filter_map(|name| self.find(names, name))
            .collect()
    }
}
