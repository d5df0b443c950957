//! How each state of a level that a worker owns was reached: from which worker, from which of its states, by which choices.

use std::io;

use crate::checkpoint::{Sink, Source, damaged};
use crate::links::{Links, read_link};

/// The links of the states of one level, in the order in which they arrived. Each series of links comes from one worker, whose
/// parents follow each other.
#[derive(Default)]
pub(super) struct Arrivals {
    /// Which series the next states belong to, and how many of them.
    runs: Vec<(u32, u64)>,
    /// The series that there are.
    series: Vec<(u32, Links)>,
    count: u64,
}

impl Arrivals {
    #[inline]
    pub fn push(&mut self, series: u32, parent: u64, choices: &[u32]) {
        match self.runs.last_mut() {
            Some((last, count)) if *last == series => *count += 1,
            _ => self.runs.push((series, 1)),
        }
        let known = self.series.iter().position(|(known, _)| *known == series);
        let place = known.unwrap_or_else(|| {
            self.series.push((series, Links::default()));
            self.series.len() - 1
        });
        self.series[place].1.push(parent, choices);
        self.count += 1;
    }

    /// How many states there are.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// No more states arrive.
    pub fn close(&mut self) {
        self.runs.shrink_to_fit();
        self.series.shrink_to_fit();
        for (_, links) in &mut self.series {
            links.close();
        }
    }

    /// The bytes taken.
    pub fn bytes(&self) -> u64 {
        let series = self.series.iter().map(|(_, links)| links.bytes());
        series.sum::<u64>() + (self.runs.capacity() * size_of::<(u32, u64)>()) as u64
    }

    /// Shows how each state was reached, in the order of their numbers.
    pub fn each(&self, mut show: impl FnMut(u32, u64, &[u32])) {
        let mut rests: Vec<(&[u8], u64)> = self
            .series
            .iter()
            .map(|(_, links)| (links.as_bytes(), 0))
            .collect();
        let mut choices = Vec::new();
        for (series, count) in &self.runs {
            let known = self.series.iter().position(|(known, _)| known == series);
            let Some((rest, parent)) = known.and_then(|known| rests.get_mut(known)) else {
                return;
            };
            for _ in 0..*count {
                choices.clear();
                let Some(distance) = read_link(rest, |choice| choices.push(choice as u32)) else {
                    return;
                };
                *parent += distance;
                show(*series, *parent, &choices);
            }
        }
    }

    /// Writes links that are closed.
    pub fn save(&self, sink: &mut Sink<'_>) -> io::Result<()> {
        sink.number(self.runs.len() as u64)?;
        for (series, count) in &self.runs {
            sink.number(u64::from(*series))?;
            sink.number(*count)?;
        }
        sink.number(self.series.len() as u64)?;
        for (series, links) in &self.series {
            sink.number(u64::from(*series))?;
            links.save(sink)?;
        }
        Ok(())
    }

    /// The links that were written. Where they lead is not known here.
    pub fn load(source: &mut Source) -> io::Result<Arrivals> {
        let mut arrivals = Arrivals::default();
        for _ in 0..source.count(2)? {
            let (series, count) = (source.small()?, source.number()?);
            arrivals.runs.push((series, count));
            let sum = arrivals.count.checked_add(count);
            arrivals.count = sum.ok_or_else(|| damaged("more than can be counted"))?;
        }
        for _ in 0..source.count(3)? {
            let series = source.small()?;
            arrivals
                .series
                .push((series, Links::load(source, u64::MAX)?));
        }
        for (number, (series, links)) in arrivals.series.iter().enumerate() {
            let runs = arrivals.runs.iter().filter(|(of, _)| of == series);
            let count: u64 = runs.map(|(_, count)| count).sum();
            let is_twice = arrivals.series[..number].iter().any(|(of, _)| of == series);
            if count != links.count() || is_twice {
                return Err(damaged("another number of links"));
            }
        }
        let counted: u64 = arrivals.series.iter().map(|(_, links)| links.count()).sum();
        match counted == arrivals.count {
            true => Ok(arrivals),
            false => Err(damaged("another number of links")),
        }
    }

    /// How a state was reached: the series, the number of the parent, the choices.
    pub fn find(&self, number: u64) -> Option<(u32, u64, Vec<u32>)> {
        let mut left = number;
        let mut before: Vec<u64> = vec![0; self.series.len()];
        for (series, count) in &self.runs {
            let known = self.series.iter().position(|(known, _)| known == series)?;
            if left < *count {
                let links = &self.series[known].1;
                let (parent, choices) = links.find(before[known] + left)?;
                return Some((*series, parent, choices));
            }
            left -= count;
            before[known] += count;
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_came_from_where_is_found_again() {
        let mut arrivals = Arrivals::default();
        let of = |number: u64| ((number / 7 % 3) as u32, number / 2, [number as u32 % 9]);
        for number in 0..1000 {
            let (series, parent, choices) = of(number);
            arrivals.push(series, parent, &choices);
        }
        arrivals.close();
        assert_eq!(arrivals.count(), 1000);
        for number in 0..1000 {
            let (series, parent, choices) = of(number);
            assert_eq!(
                arrivals.find(number),
                Some((series, parent, choices.to_vec()))
            );
        }
        assert_eq!(arrivals.find(1000), None);
        let mut bytes = Vec::new();
        let mut sink = Sink::new(&mut bytes);
        arrivals.save(&mut sink).expect("there is room");
        sink.finish().expect("there is room");
        let length = bytes.len() as u64;
        let read = Arrivals::load(&mut Source::new(io::Cursor::new(bytes), length));
        let mut number = 0;
        read.expect("what was written")
            .each(|series, parent, choices| {
                let expected = of(number);
                assert_eq!(
                    (series, parent, choices),
                    (expected.0, expected.1, &expected.2[..])
                );
                number += 1;
            });
        assert_eq!(number, 1000);
    }
}
