//! Weights of steps, for a probabilistic search.
//!
//! In every notation a weight is a comment, `/*@ weight 5 */`, in front of what it is about: a
//! statement, a transition, an alternative. So a model with weights is a model for every other tool.

use std::collections::{HashMap, HashSet};

use mazurka_model::{Interpreter, Program, Step, Transition};
use mazurka_promela::annotation::is_annotation;
use mazurka_span::{Code, Diagnostic, SourceFile, SourceMap, Span};

use crate::load::model_files;

/// What a weight begins with.
const OPENING: &str = "/*@";
/// Weights multiply where two processes step together, and are added up.
const GREATEST: u64 = 1_000_000;
const MISPLACED: Code = Code {
    id: "W0001",
    summary: "a weight that cannot be read, or belongs to no step",
};

/// A file, a line and a column.
type Place = (String, u32, u32);

/// How likely each transition is, against others that are possible at the same time.
#[derive(Clone, Debug)]
pub struct Weights(Vec<u64>);

impl Weights {
    /// One weight for each transition of a program.
    pub(crate) fn new(weights: Vec<u64>) -> Weights {
        Weights(weights)
    }

    /// The weight of a step; of two processes that step together, the product.
    pub fn of(&self, interpreter: &Interpreter, state: &[u8], step: Step) -> u64 {
        let partner = interpreter.partner(state, step);
        let partner = partner.map_or(1, |(_, transition)| self.0[transition.index()]);
        self.0[step.transition.index()] * partner
    }
}

/// The weights that the text of a model has, by where they belong. Whatever has none has the weight 1.
#[derive(Debug, Default)]
pub(crate) struct Annotations {
    places: HashMap<Place, u64>,
    errors: Vec<Diagnostic>,
    warnings: Vec<Diagnostic>,
}

impl Annotations {
    /// Weights in front of the statements of a program.
    pub fn of_statements(sources: &SourceMap, program: &Program) -> Annotations {
        let places = program.transitions.iter().map(|t| statement(program, t));
        Annotations::read(sources, places)
    }

    /// Weights in front of what begins at some offsets of the source.
    pub fn at_offsets(sources: &SourceMap, offsets: &HashSet<u32>) -> Annotations {
        let places = offsets.iter().filter_map(|offset| place(sources, *offset));
        Annotations::read(sources, places)
    }

    fn read(sources: &SourceMap, places: impl Iterator<Item = Place>) -> Annotations {
        let mut read = Annotations {
            places: places.map(|place| (place, 1)).collect(),
            ..Annotations::default()
        };
        for (file, start) in model_files(sources).flat_map(annotations) {
            let text = &file.text()[start..];
            let end = text.find("*/").map_or(text.len(), |end| end + 2);
            let base = file.base() + start as u32;
            let span = Span::new(base, base + end as u32);
            let Some(weight) = weight(&text[..end]) else {
                let message = format!("expected `/*@ weight N */`, N from 1 to {GREATEST}");
                read.errors
                    .push(Diagnostic::error(MISPLACED, span, message));
                continue;
            };
            let mut candidates = [blank(&text[end..]), inside(&text[end..])].into_iter();
            let place = candidates.find_map(|behind| {
                let place = place(sources, base + (end + behind) as u32)?;
                read.places.contains_key(&place).then_some(place)
            });
            match place {
                Some(place) => {
                    read.places.insert(place, weight);
                }
                // Not an error: the preprocessor may have left out what it is about.
                None => {
                    let message = "no step of the model begins after this weight";
                    read.warnings
                        .push(Diagnostic::warning(MISPLACED, span, message));
                }
            }
        }
        read
    }

    /// The weight of each transition of a program.
    pub fn of_transitions(&self, program: &Program) -> Weights {
        let weights = program.transitions.iter();
        Weights(
            weights
                .map(|t| self.places[&statement(program, t)])
                .collect(),
        )
    }

    /// The weight at each offset.
    pub fn by_offset(&self, sources: &SourceMap, offsets: &HashSet<u32>) -> HashMap<u32, u64> {
        let weights = offsets.iter().filter_map(|offset| {
            let weight = self.places.get(&place(sources, *offset)?)?;
            Some((*offset, *weight))
        });
        weights.collect()
    }

    /// What is odd about them, unless something is wrong.
    pub fn into_warnings(self) -> Result<Vec<Diagnostic>, Vec<Diagnostic>> {
        match self.errors.is_empty() {
            true => Ok(self.warnings),
            false => Err(self.errors),
        }
    }
}

fn place(sources: &SourceMap, offset: u32) -> Option<Place> {
    let place = sources.location(Span::new(offset, offset))?;
    Some((place.file.to_string(), place.line, place.column))
}

/// Where the statement of a transition begins.
fn statement(program: &Program, transition: &Transition) -> Place {
    let origin = &program.statements[transition.statement.index()].origin;
    let file = program.files.get(origin.file as usize);
    (
        file.cloned().unwrap_or_default(),
        origin.line,
        origin.column,
    )
}

/// Where the annotations of a file begin.
fn annotations(file: &SourceFile) -> impl Iterator<Item = (&SourceFile, usize)> {
    let found = file.text().match_indices(OPENING);
    let is_live = |start: &usize| {
        let line = file.text()[..*start].rsplit('\n').next();
        let is_of_declaration = is_annotation(&file.text()[start + OPENING.len()..]);
        line.is_none_or(|line| !line.contains("//")) && !is_of_declaration
    };
    let starts = found.map(|(start, _)| start).filter(is_live);
    starts.map(move |start| (file, start))
}

/// The number in an annotation.
fn weight(comment: &str) -> Option<u64> {
    let inner = comment.strip_prefix(OPENING)?.strip_suffix("*/")?;
    let mut words = inner.split_ascii_whitespace();
    let weight = match (words.next(), words.next(), words.next()) {
        (Some("weight"), Some(number), None) => number.parse().ok()?,
        _ => return None,
    };
    (1..=GREATEST).contains(&weight).then_some(weight)
}

/// The length of the white space and the comments that a text begins with.
fn blank(text: &str) -> usize {
    let mut rest = text;
    loop {
        rest = rest.trim_start();
        let end = match rest.get(..2) {
            Some("//") => rest.find('\n'),
            Some("/*") => rest.find("*/").map(|end| end + 2),
            _ => return text.len() - rest.len(),
        };
        rest = end.map_or("", |end| &rest[end..]);
    }
}

/// Where the first statement is of a text that begins with an atomic sequence.
fn inside(text: &str) -> usize {
    let mut rest = &text[blank(text)..];
    for word in ["atomic", "d_step", "{"] {
        rest = rest.strip_prefix(word).unwrap_or(rest);
        rest = &rest[blank(rest)..];
    }
    text.len() - rest.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_weight_is_a_word_and_a_number() {
        assert_eq!(weight("/*@ weight 5 */"), Some(5));
        assert_eq!(weight("/*@weight 1000000*/"), Some(1_000_000));
        for wrong in ["/*@ weight */", "/*@ weight 0 */", "/*@ weight 1000001 */"] {
            assert_eq!(weight(wrong), None, "{wrong}");
        }
        assert_eq!(weight("/*@ wait 5 */"), None);
        assert_eq!(weight("/*@ weight 5 6 */"), None);
        assert_eq!(weight("/*@ weight 5"), None);
    }

    #[test]
    fn comments_are_blank() {
        assert_eq!(blank(" /* a */\n// b\n  x"), 16);
        assert_eq!(blank("x"), 0);
        assert_eq!(blank("// no end"), 9);
        assert_eq!(blank("é"), 0);
        assert_eq!(inside(" atomic { /* a */ x"), 18);
    }
}
