//! How the text of an argument becomes a value, and what is said where it does not.

use std::str::FromStr;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use mazurka_checker::{Choice, NOTATIONS, Notation, known_extensions};

use crate::terminal::LEAST_WIDTH;

/// A number, in words that say what is wrong with another.
pub fn whole<T: FromStr>(text: &str) -> Result<T, String> {
    let expected = match text.starts_with('-') {
        true => "expected a number that is not negative",
        false => "expected a whole number, and not too large a one",
    };
    text.parse().map_err(|_| expected.into())
}

/// A number of columns that something can be told in.
pub fn parse_width(text: &str) -> Result<usize, String> {
    let columns = text.parse::<usize>().ok();
    let enough = columns.filter(|&columns| columns >= LEAST_WIDTH);
    enough.ok_or_else(|| format!("expected a number of columns, {LEAST_WIDTH} or more"))
}

/// What a model may be called.
pub fn model_help(what: &str) -> String {
    let known = known_extensions();
    format!("{what}: {known}; any other file is recognized by its first words; - is standard input")
}

/// Reads the name of a notation.
pub fn notation() -> impl TypedValueParser<Value = &'static dyn Notation> {
    let names = PossibleValuesParser::new(NOTATIONS.iter().map(|notation| notation.name()));
    names.map(|name| {
        let mut all = NOTATIONS.into_iter();
        all.find(|known| known.name() == name)
            .unwrap_or(NOTATIONS[0])
    })
}

/// Reads one of the names of a choice.
pub fn choice<C: Choice + Send + Sync>() -> impl TypedValueParser<Value = C> {
    let names = PossibleValuesParser::new(C::ALL.iter().map(|value| value.name()));
    names.map(|name| {
        let mut all = C::ALL.iter().copied();
        all.find(|value| value.name() == name).unwrap_or(C::ALL[0])
    })
}
