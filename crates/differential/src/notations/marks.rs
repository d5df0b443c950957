//! The features of a model, by the parts of its text.

use std::ops::Range;

use mazurka_span::Span;

/// Sets of features are numbers, whose bits are the positions in a list of names.
#[derive(Clone, Debug)]
pub struct Marks {
    features: &'static [&'static str],
    /// The first byte of each line.
    lines: Vec<usize>,
    /// Parts lie in one another.
    parts: Vec<(Range<usize>, u128)>,
    /// What is declared or claimed counts wherever the model is.
    everywhere: u128,
}

impl Marks {
    pub fn new(features: &'static [&'static str], text: &str) -> Marks {
        let ends = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n');
        let ends = ends.map(|(at, _)| at + 1);
        Marks {
            features,
            lines: std::iter::once(0).chain(ends).collect(),
            parts: Vec::new(),
            everywhere: 0,
        }
    }

    /// Notes a feature of a part, or of the whole.
    pub fn add(&mut self, feature: &str, part: Option<Span>) {
        let position = self.features.iter().position(|known| *known == feature);
        let bit = 1u128 << position.unwrap_or_else(|| panic!("no feature {feature}"));
        match part {
            None => self.everywhere |= bit,
            Some(part) => {
                let range = part.start as usize..part.end as usize;
                self.parts.push((range, bit));
            }
        }
    }

    /// The features of all parts around a place, and those of the whole. Lines and columns count from one.
    pub fn at(&self, line: u32, column: u32) -> u128 {
        let start = self.lines.get((line as usize).saturating_sub(1));
        let place = start.map(|start| start + (column as usize).saturating_sub(1));
        let parts = self.parts.iter();
        let around = parts.filter(|(part, _)| place.is_some_and(|place| part.contains(&place)));
        around.fold(self.everywhere, |all, (_, features)| all | features)
    }

    pub fn all(&self) -> u128 {
        let parts = self.parts.iter();
        parts.fold(self.everywhere, |all, (_, features)| all | features)
    }
}
