//! How each state of a level that a worker owns was reached: from which worker, from which of its states, by which choices.

use crate::links::Links;

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
    }
}
