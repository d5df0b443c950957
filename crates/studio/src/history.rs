//! Objects of a real program that are watched along a run.

use mazurka_model::Step;
use mazurka_scenario::NamedValue;

use crate::live::Values;
use crate::watch::WatchView;

/// A plot has no more points: for each of them the program is run.
const POINTS: usize = 500;

/// The values of all objects along a run.
#[derive(Debug, Default)]
pub struct History {
    steps: Vec<Step>,
    values: Values,
}

impl History {
    /// Forgets what is not so along these steps. Gives the first place whose values are wanted and not known, if there is one.
    pub fn missing(&mut self, steps: &[Step]) -> Option<usize> {
        let Values { from, objects } = &mut self.values;
        let common = self.steps.iter().zip(steps);
        let common = common.take_while(|(one, two)| one == two).count();
        objects.truncate((common + 1).saturating_sub(*from));
        self.steps = steps.to_vec();
        let next = *from + objects.len();
        let first = steps.len().saturating_sub(POINTS - 1);
        match objects.is_empty() {
            true => Some(first),
            false => (next <= steps.len()).then_some(next.max(first)),
        }
    }

    /// What was missing, or the end of it.
    pub fn add(&mut self, more: Values) {
        let Values { from, objects } = &mut self.values;
        match !objects.is_empty() && *from + objects.len() == more.from {
            true => objects.extend(more.objects),
            false => self.values = more,
        }
    }

    /// One object as the page shows it.
    pub fn view(&self, name: &str, position: usize) -> WatchView {
        let Values { from, objects } = &self.values;
        let texts: Vec<Option<&str>> = objects.iter().map(|all| value(all, name)).collect();
        let present = position.checked_sub(*from).and_then(|at| texts.get(at));
        let present = present.copied().flatten();
        let (values, words) = levels(&texts);
        WatchView {
            expression: name.into(),
            value: None,
            text: present.map(String::from),
            error: present.is_none().then(|| "it has no value here".into()),
            from: *from,
            values,
            words,
        }
    }
}

fn value<'a>(objects: &'a [NamedValue], name: &str) -> Option<&'a str> {
    let object = objects.iter().find(|object| object.name == name)?;
    Some(&object.value)
}

/// Values as heights of a plot: the numbers that they begin with, or else the place of each among those there are, which come as well.
fn levels(texts: &[Option<&str>]) -> (Vec<Option<i32>>, Vec<String>) {
    let known = texts.iter().flatten();
    if known.clone().all(|text| number(text).is_some()) {
        let numbers = texts.iter().map(|text| text.and_then(number));
        return (numbers.collect(), Vec::new());
    }
    let mut words: Vec<String> = Vec::new();
    for text in known {
        if words.iter().all(|word| word != text) {
            words.push((*text).into());
        }
    }
    let place = |text: &str| words.iter().position(|word| word == text);
    let places = texts.iter().map(|text| Some(place((*text)?)? as i32));
    (places.collect(), words)
}

/// `2` of `2 of 4 messages`.
fn number(text: &str) -> Option<i32> {
    text.split(' ').next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use mazurka_model::TransitionId;

    use super::*;

    fn step(process: u32) -> Step {
        Step {
            process,
            transition: TransitionId(0),
            choice: 0,
        }
    }

    fn values(from: usize, texts: &[&str]) -> Values {
        let objects = texts.iter().map(|text| {
            vec![NamedValue {
                name: "m".into(),
                value: (*text).into(),
            }]
        });
        Values {
            from,
            objects: objects.collect(),
        }
    }

    #[test]
    fn what_a_run_has_in_common_with_the_last_one_is_known() {
        let mut history = History::default();
        assert_eq!(history.missing(&[step(0), step(1)]), Some(0));
        history.add(values(0, &["free", "held by main", "free"]));
        assert_eq!(history.missing(&[step(0), step(1)]), None);
        assert_eq!(history.missing(&[step(0), step(2), step(2)]), Some(2));
        history.add(values(2, &["held by main", "held by actor 2"]));
        let view = history.view("m", 3);
        assert_eq!(view.text.as_deref(), Some("held by actor 2"));
        assert_eq!(view.values, [0, 1, 1, 2].map(Some));
        assert_eq!(view.words, ["free", "held by main", "held by actor 2"]);
        let unknown = history.view("nothing", 3);
        assert_eq!((unknown.text, unknown.values), (None, vec![None; 4]));
        // Of a long run the end is known.
        let long = vec![step(0); 2_000];
        assert_eq!(history.missing(&long), Some(1_501));
        history.add(values(1_990, &["7"; 11]));
        assert_eq!(history.missing(&long), None);
        assert_eq!(history.view("m", 3).text, None);
    }

    #[test]
    fn numbers_are_plotted_as_such() {
        let texts = [Some("0 of 4 messages"), None, Some("2 of 4 messages: 1, 3")];
        assert_eq!(levels(&texts), (vec![Some(0), None, Some(2)], Vec::new()));
    }
}
