use crate::exact::{Abstract, Comparison, Exact};
use Operation::*;
use mazurka_objects::fifo::{
    Operation, Place, Value, View, apply, dependent, dependent_in, might_interact,
};
use mazurka_objects::{Field, Outcome, Pattern};

/// A channel to enumerate: how long it is, what its messages are made of, and which operations
/// there are on it.
#[derive(Clone, Copy)]
pub struct Channel {
    pub capacity: usize,
    pub fields: usize,
    pub letters: i64,
    pub disorderly: bool,
}

/// Channels with one field of three values and with two such fields.
pub fn channels(disorderly: bool, letters: i64, longest: usize) -> Vec<Channel> {
    let with = |fields, letters, longest: usize| {
        (1..=longest).map(move |capacity| Channel {
            capacity,
            fields,
            letters,
            disorderly,
        })
    };
    with(1, 3, 3).chain(with(2, letters, longest)).collect()
}

pub type Table = fn(Operation, Operation, &View) -> bool;

/// Exact, whatever is unknown, but for copies and polls from anywhere.
#[test]
fn orderly() {
    let channels = channels(false, 3, 2);
    let (conditional, interaction) =
        compare(&channels, apply, dependent_in, might_interact, rivals);
    expect_coarser_anywhere(&conditional, 0, "channel, conditional");
    expect_coarser_anywhere(&interaction, 28_064, "channel, interaction");
}

/// Safe also when a field has two values only. Then an unknown constant that is not the one is the
/// other, which the table does not use.
#[test]
fn orderly_of_two_values() {
    let channels = channels(false, 2, 3);
    let (conditional, interaction) =
        compare(&channels, apply, dependent_in, might_interact, rivals);
    expect_coarser_anywhere(&conditional, 0, "channel of two values, conditional");
    interaction.expect_coarser(13_470, "channel of two values, interaction");
}

/// With everything known, only a sorted send with a receive from anywhere is coarser.
#[test]
fn disorderly() {
    let channels = channels(true, 2, 3);
    let (conditional, interaction) =
        compare(&channels, apply, dependent_in, might_interact, rivals);
    for entry in conditional.coarser_though_known() {
        assert!(sorted_and_anywhere(entry), "{entry}");
    }
    conditional.expect_coarser(5_634, "disorderly channel, conditional");
    interaction.expect_coarser(92_307, "disorderly channel, interaction");
}

/// Coarser where a field would have to be less than the least value, or greater than the greatest.
#[test]
fn constant() {
    let constant = compare_constant(apply, dependent);
    constant.expect_coarser(12, "channel, constant");
}

/// Counting sends, and receives of the head, as rivals takes entries away from ▷ and adds none.
#[test]
fn rivalry_only_sharpens() {
    for channel in channels(false, 3, 2) {
        let exact = Exact::new(channel.operations(), channel.values(), apply);
        let bare = exact.interactions(|_, _, _| false, |_, _| true);
        for view in channel.views(&exact.values) {
            let orderly = |(_, operation): &(usize, &Operation)| !operation.is_disorderly();
            for (a, &of_a) in exact.operations.iter().enumerate().filter(orderly) {
                for (b, &of_b) in exact.operations.iter().enumerate().filter(orderly) {
                    let entry = might_interact(of_a, of_b, &view.known);
                    let needed = view.numbers.iter().any(|&v| bare[a][v][b]);
                    assert!(needed || !entry, "{of_a} | {of_b} | {:?}", view.known);
                }
            }
        }
    }
}

/// Asserts that this many entries are coarser, all with an operation that looks anywhere.
pub fn expect_coarser_anywhere(comparison: &Comparison, count: usize, what: &str) {
    for entry in &comparison.coarser {
        assert!(entry.contains("Anywhere"), "{what}: {entry}");
    }
    comparison.expect_coarser(count, what);
}

/// Whether an entry is of a sorted send and a receive from anywhere, with two messages or more.
pub fn sorted_and_anywhere(entry: &str) -> bool {
    entry.contains("SortedSend")
        && entry.contains("Receive(Anywhere")
        && !entry.contains("length: 1")
}

/// Two sends while there is room, and two receives of the head that are both possible.
pub fn rivals(a: Operation, b: Operation, value: &Value) -> bool {
    let send = |operation| matches!(operation, Send(_) | SortedSend(_));
    let takes = |operation| {
        matches!(operation, Receive(Place::Head, _)) && !apply(operation, value).is_empty()
    };
    send(a) && send(b) && value.messages.len() < value.capacity || takes(a) && takes(b)
}

/// Compares the conditional and the interaction table over some channels.
pub fn compare(
    channels: &[Channel],
    apply: fn(Operation, &Value) -> Vec<Outcome<Value>>,
    dependent_in: Table,
    might_interact: Table,
    rivals: fn(Operation, Operation, &Value) -> bool,
) -> (Comparison, Comparison) {
    let mut conditional = Comparison::default();
    let mut interaction = Comparison::default();
    for channel in channels {
        let exact = Exact::new(channel.operations(), channel.values(), apply);
        let (groups, views) = (
            channel.groups(&exact.operations),
            channel.views(&exact.values),
        );
        let in_value = |a, b, v| exact.dependent_in(a, b, v);
        conditional.add(&groups, &views, dependent_in, in_value);
        let interacts = exact.interactions(rivals, |_, _| true);
        interaction.add(&groups, &views, might_interact, |a, b, v| {
            interacts[a][v][b]
        });
    }
    (conditional, interaction)
}

/// Compares the constant table, which is for all capacities: safe for all, and as coarse as told
/// for the longest, in which shows whatever shows in a shorter one.
pub fn compare_constant(
    apply: fn(Operation, &Value) -> Vec<Outcome<Value>>,
    dependent: fn(Operation, Operation) -> bool,
) -> Comparison {
    let mut longest = Comparison::default();
    for channel in channels(true, 2, 3) {
        let exact = Exact::new(channel.operations(), channel.values(), apply);
        let all = [Abstract {
            known: (),
            numbers: (0..exact.values.len()).collect(),
        }];
        let in_value = |a, b, v| exact.dependent_in(a, b, v);
        let groups = channel.groups(&exact.operations);
        let mut constant = Comparison::default();
        constant.add(&groups, &all, |a, b, _| dependent(a, b), in_value);
        if channel.capacity == 3 {
            longest.entries += constant.entries;
            longest.coarser.extend(constant.coarser);
        }
    }
    longest
}

impl Channel {
    /// All operations with known arguments.
    pub fn operations(self) -> Vec<Operation> {
        let messages = self.lists(&self.constants(), self.fields);
        let mut fields = self.constants();
        fields.push(Field::Any);
        self.with(&messages, &self.lists(&fields, self.fields))
    }

    /// All operations, with unknown arguments as well, and which operations each may be.
    pub fn groups(self, concrete: &[Operation]) -> Vec<Abstract<Operation>> {
        let mut fields = self.constants();
        fields.push(Field::Unknown);
        let messages = self.lists(&fields, self.fields);
        fields.push(Field::Any);
        let patterns = self.lists(&fields, self.fields);
        let instances = |fields: &[Field]| -> Vec<Pattern> {
            let mut instances = vec![vec![]];
            for field in fields {
                let choices = match field {
                    Field::Unknown => self.constants(),
                    _ => vec![*field],
                };
                instances = extend(&instances, &choices);
            }
            instances
                .iter()
                .map(|fields| Pattern::new(fields))
                .collect()
        };
        let group = |known: Operation, instances: Vec<Operation>| Abstract {
            known,
            numbers: (0..concrete.len())
                .filter(|&n| instances.contains(&concrete[n]))
                .collect(),
        };
        let mut groups = vec![];
        for fields in &messages {
            for make in self.sends() {
                let instances = instances(fields).into_iter().map(make).collect();
                groups.push(group(make(Pattern::new(fields)), instances));
            }
        }
        for fields in &patterns {
            for make in self.looks() {
                let instances = instances(fields).into_iter().map(make).collect();
                groups.push(group(make(Pattern::new(fields)), instances));
            }
        }
        for test in TESTS {
            groups.push(group(test, vec![test]));
        }
        groups
    }

    /// All sequences of messages that fit.
    pub fn values(self) -> Vec<Value> {
        let letters: Vec<i64> = (0..self.letters).collect();
        let mut messages = vec![vec![]];
        for _ in 0..self.fields {
            messages = extend(&messages, &letters);
        }
        let mut all = vec![vec![]];
        let mut longest = all.clone();
        for _ in 0..self.capacity {
            longest = extend(&longest, &messages);
            all.extend(longest.clone());
        }
        let value = |messages| Value {
            capacity: self.capacity,
            messages,
        };
        all.into_iter().map(value).collect()
    }

    /// All views, with all, some or nothing of the head known, and the values seen so.
    fn views(self, values: &[Value]) -> Vec<Abstract<View>> {
        let mut fields = self.constants();
        fields.push(Field::Unknown);
        let mut views = vec![];
        for length in 0..=self.capacity {
            for head in self.lists(&fields, if length == 0 { 0 } else { self.fields }) {
                let head = Pattern::new(&head);
                let seen = |value: &Value| {
                    let matches = |message: &Vec<i64>| head.overlaps(Pattern::message(message));
                    value.messages.len() == length && value.messages.first().is_none_or(matches)
                };
                let known = View {
                    disorderly: self.disorderly,
                    ..View::new(length as u32, self.capacity as u32, head)
                };
                let numbers = (0..values.len()).filter(|&v| seen(&values[v])).collect();
                views.push(Abstract { known, numbers });
            }
        }
        views
    }

    fn constants(self) -> Vec<Field> {
        (0..self.letters).map(Field::Constant).collect()
    }

    fn lists(self, fields: &[Field], length: usize) -> Vec<Vec<Field>> {
        (0..length).fold(vec![vec![]], |lists, _| extend(&lists, fields))
    }

    fn with(self, messages: &[Vec<Field>], patterns: &[Vec<Field>]) -> Vec<Operation> {
        let of = |makes: Vec<fn(Pattern) -> Operation>, lists: &[Vec<Field>]| -> Vec<Operation> {
            let pairs = makes
                .iter()
                .flat_map(|make| lists.iter().map(move |list| (make, list)));
            pairs.map(|(make, list)| make(Pattern::new(list))).collect()
        };
        [
            of(self.sends(), messages),
            of(self.looks(), patterns),
            TESTS.to_vec(),
        ]
        .concat()
    }

    fn sends(self) -> Vec<fn(Pattern) -> Operation> {
        if self.disorderly {
            vec![Send, SortedSend]
        } else {
            vec![Send]
        }
    }

    fn looks(self) -> Vec<fn(Pattern) -> Operation> {
        let mut looks: Vec<fn(Pattern) -> Operation> = vec![
            |pattern| Receive(Place::Head, pattern),
            |pattern| Copy(Place::Head, pattern),
            |pattern| Poll(Place::Head, pattern),
            |pattern| Copy(Place::Anywhere, pattern),
            |pattern| Poll(Place::Anywhere, pattern),
        ];
        if self.disorderly {
            looks.push(|pattern| Receive(Place::Anywhere, pattern));
        }
        looks
    }
}

const TESTS: [Operation; 5] = [Length, Empty, NotEmpty, Full, NotFull];

/// Every list with every item at its end.
fn extend<T: Clone>(lists: &[Vec<T>], items: &[T]) -> Vec<Vec<T>> {
    let longer = |list: &Vec<T>| {
        let list = list.clone();
        items
            .iter()
            .map(move |item| [list.clone(), vec![item.clone()]].concat())
    };
    lists.iter().flat_map(longer).collect()
}
