//! Weights of steps, for a probabilistic search.
//!
//! In every notation a weight is a comment, `/*@ weight 5 */`, in front of what it is about: a
//! statement, a transition, an alternative. So a model with weights is a model for every other tool.

use std::collections::HashMap;

use mazurka_model::{Interpreter, Step, Transition};
use mazurka_span::{Code, Diagnostic, SourceFile, SourceMap, Span};
use mazurka_vfsm::{Extras, compile_with};

use crate::error::Error;
use crate::load::{Loaded, model_files};
use crate::supervisor::Supervised;

/// What a weight begins with.
const OPENING: &str = "/*@";
/// Weights multiply where two processes step together, and are added up.
const GREATEST: u64 = 1_000_000;
const MISPLACED: Code = Code {
    id: "W0001",
    summary: "a weight that cannot be read, or belongs to no step",
};

/// A file, a line and a column.
type Place<'s> = (&'s str, u32, u32);

/// How likely each transition is, against others that are possible at the same time.
#[derive(Debug)]
pub(crate) struct Weights(Vec<u64>);

impl Weights {
    /// Reads the weights of a model. Whatever has none has the weight 1.
    pub fn read(loaded: &Loaded, supervised: &Supervised<'_>) -> Result<Weights, Error> {
        let (sources, program) = (&loaded.sources, loaded.interpreter.program());
        let at = |offset: u32| {
            let place = sources.location(Span::new(offset, offset))?;
            Some((place.file, place.line, place.column))
        };
        let statement = |transition: &Transition| {
            let origin = &program.statements[transition.statement.index()].origin;
            let file = program.files.get(origin.file as usize);
            (file.map_or("", String::as_str), origin.line, origin.column)
        };
        let mut places: HashMap<Place<'_>, u64> = match &loaded.weighable {
            Some(offsets) => offsets.iter().filter_map(|o| Some((at(*o)?, 1))).collect(),
            None => program
                .transitions
                .iter()
                .map(|t| (statement(t), 1))
                .collect(),
        };
        let (mut errors, mut warnings) = (Vec::new(), Vec::new());
        for (file, start) in model_files(sources).flat_map(annotations) {
            let text = &file.text()[start..];
            let end = text.find("*/").map_or(text.len(), |end| end + 2);
            let base = file.base() + start as u32;
            let span = Span::new(base, base + end as u32);
            let Some(weight) = weight(&text[..end]) else {
                let message = format!("expected `/*@ weight N */`, N from 1 to {GREATEST}");
                errors.push(Diagnostic::error(MISPLACED, span, message));
                continue;
            };
            let mut candidates = [blank(&text[end..]), inside(&text[end..])].into_iter();
            let place = candidates.find_map(|behind| {
                let place = at(base + (end + behind) as u32)?;
                places.contains_key(&place).then_some(place)
            });
            match place {
                Some(place) => {
                    places.insert(place, weight);
                }
                None => {
                    let message = "no step of the model begins behind this weight";
                    warnings.push(Diagnostic::warning(MISPLACED, span, message));
                }
            }
        }
        if !errors.is_empty() {
            return Err(Error::diagnostics(sources.clone(), errors));
        }
        // Not an error: the preprocessor may have left out what it is about.
        supervised.lock().warn(sources, &warnings);
        let Some(offsets) = &loaded.weighable else {
            let weights = program.transitions.iter().map(|t| places[&statement(t)]);
            return Ok(Weights(weights.collect()));
        };
        // In a network a transition takes several alternatives, so its weight is worked out with it.
        let weights = offsets.iter().filter_map(|o| Some((*o, places[&at(*o)?])));
        let extras = Extras {
            weights: weights.collect(),
            ..Default::default()
        };
        let mut copy = SourceMap::new();
        let source = &sources.files()[0];
        let again = compile_with(&mut copy, source.name(), source.text().as_bytes(), &extras);
        let again = again.map_err(|_| Error::Internal("the model changed".into()))?;
        Ok(Weights(again.weights))
    }

    /// The weight of a step; of two processes that step together, the product.
    pub fn of(&self, interpreter: &Interpreter, state: &[u8], step: Step) -> u64 {
        let partner = interpreter.partner(state, step);
        let partner = partner.map_or(1, |(_, transition)| self.0[transition.index()]);
        self.0[step.transition.index()] * partner
    }
}

/// Where the annotations of a file begin.
fn annotations(file: &SourceFile) -> impl Iterator<Item = (&SourceFile, usize)> {
    let found = file.text().match_indices(OPENING);
    let is_live = |start: &usize| {
        let line = file.text()[..*start].rsplit('\n').next();
        line.is_none_or(|line| !line.contains("//"))
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
