//! A file of settings with the places of what stands in it, so that a mistake can be shown where it is.

use std::ops::Range;

use mazurka_span::nearest;
use serde::de::DeserializeOwned;
use toml::de::{DeTable, DeValue};
use toml::{Spanned, Table, Value};

/// What is wrong, and where.
#[derive(Debug)]
pub(crate) struct Wrong {
    at: Range<usize>,
    reason: String,
}

impl Wrong {
    pub fn new(at: Range<usize>, reason: impl Into<String>) -> Wrong {
        let reason = reason.into();
        Wrong { at, reason }
    }

    /// `mazurka.toml:3:1: there is no option …`, and the line.
    pub fn text(&self, file: &str, text: &str) -> String {
        let Wrong { at, reason } = self;
        let start = at.start.min(text.len());
        let before = &text[..start];
        let number = before.matches('\n').count() + 1;
        let begins = before.rfind('\n').map_or(0, |end| end + 1);
        let line = text[begins..].lines().next().unwrap_or_default();
        let column = before[begins..].chars().count();
        let wide = text.get(start..at.end).unwrap_or_default();
        let wide = wide.lines().next().map_or(0, |line| line.chars().count());
        let (line, marks) = (line.replace('\t', " "), "^".repeat(wide.max(1)));
        let margin = " ".repeat(number.to_string().len());
        format!(
            "{file}:{number}:{}: {reason}\n  {number} | {line}\n  {margin} | {}{marks}",
            column + 1,
            " ".repeat(column),
        )
    }
}

impl From<toml::de::Error> for Wrong {
    fn from(error: toml::de::Error) -> Wrong {
        Wrong::new(error.span().unwrap_or(0..0), error.message().trim_end())
    }
}

/// A table and where its keys and values are.
#[derive(Clone)]
pub(crate) struct Section<'t> {
    values: Table,
    places: DeTable<'t>,
    /// Where it begins.
    at: Range<usize>,
}

impl<'t> Section<'t> {
    /// The whole of a file.
    pub fn parse(text: &'t str) -> Result<Section<'t>, Wrong> {
        let values: Table = toml::from_str(text).map_err(|error| match repeated(&error, text) {
            Some(wrong) => wrong,
            None => error.into(),
        })?;
        let places = DeTable::parse(text)?;
        Ok(Section {
            values,
            at: places.span(),
            places: places.into_inner(),
        })
    }

    /// Where it begins.
    pub fn at(&self) -> Range<usize> {
        self.at.clone()
    }

    /// Names and values.
    pub fn iter(&self) -> impl Iterator<Item = (&String, &Value)> {
        self.values.iter()
    }

    /// Where a name stands.
    pub fn name_at(&self, name: &str) -> Range<usize> {
        let mut names = self.places.keys();
        let place = names.find(|known| known.get_ref() == name);
        place.map_or(self.at(), Spanned::span)
    }

    /// Where the value of a name stands.
    pub fn value_at(&self, name: &str) -> Range<usize> {
        self.place(name).map_or(self.at(), Spanned::span)
    }

    fn place(&self, name: &str) -> Option<&Spanned<DeValue<'t>>> {
        let mut all = self.places.iter();
        all.find_map(|(known, value)| (known.get_ref() == name).then_some(value))
    }

    /// The value of a name, if there is one.
    pub fn get<T: DeserializeOwned>(&self, name: &str) -> Result<Option<T>, Wrong> {
        let value = self.values.get(name).cloned();
        let value = value.map(Value::try_into).transpose();
        value.map_err(|error: toml::de::Error| Wrong::new(self.value_at(name), error.message()))
    }

    /// A table of it; an empty one if there is none.
    pub fn table(&self, name: &str) -> Result<Section<'t>, Wrong> {
        match (self.values.get(name), self.place(name)) {
            (Some(Value::Table(values)), Some(place)) => Ok(of_table(values, place)),
            (None, _) => Ok(Section {
                values: Table::new(),
                places: DeTable::new(),
                at: self.at(),
            }),
            _ => Err(Wrong::new(self.value_at(name), "expected a table")),
        }
    }

    /// All tables of a name, as `[[name]]` has them.
    pub fn tables(&self, name: &str) -> Result<Vec<Section<'t>>, Wrong> {
        let wrong = |at| Wrong::new(at, format!("expected [[{name}]]"));
        let (values, places) = match (self.values.get(name), self.place(name)) {
            (None, _) => return Ok(Vec::new()),
            (Some(Value::Array(values)), Some(place)) => {
                (values, place.get_ref().as_array().into_iter().flatten())
            }
            _ => return Err(wrong(self.value_at(name))),
        };
        let both = values.iter().zip(places);
        both.map(|(value, place)| match value {
            Value::Table(values) => Ok(of_table(values, place)),
            _ => Err(wrong(place.span())),
        })
        .collect()
    }

    /// Refuses names that mean nothing, with the nearest that does.
    pub fn refuse_unknown(&self, what: &str, known: &[&str]) -> Result<(), Wrong> {
        let mut names = self.values.keys();
        match names.find(|name| !known.contains(&name.as_str())) {
            None => Ok(()),
            Some(name) => Err(Wrong::new(self.name_at(name), no_such(what, name, known))),
        }
    }
}

/// `[model]` twice: of what there may be several, each is written with two brackets.
fn repeated(error: &toml::de::Error, text: &str) -> Option<Wrong> {
    let at = error.span()?;
    let is_alone = text.get(..at.start)?.ends_with('[') && text.get(at.end..)?.starts_with(']');
    let name = text.get(at.clone())?;
    (error.message().starts_with("duplicate key") && is_alone).then(|| {
        let reason =
            format!("there is [{name}] already: where there are several, each is [[{name}]]");
        Wrong::new(at, reason)
    })
}

fn of_table<'t>(values: &Table, place: &Spanned<DeValue<'t>>) -> Section<'t> {
    Section {
        values: values.clone(),
        places: place.get_ref().as_table().cloned().unwrap_or_default(),
        at: place.span(),
    }
}

/// There is nothing of this name: which did you mean?
pub(crate) fn no_such(what: &str, name: &str, known: &[&str]) -> String {
    // Whoever writes `timeout` means `time`.
    let begins = |known: &&&str| known.len() > 2 && name.starts_with(**known);
    let near = nearest(name, known.iter().copied());
    let meant = match near.or_else(|| known.iter().find(begins).copied()) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("there are {}", known.join(", ")),
    };
    format!("there is no {what} `{name}`; {meant}")
}
