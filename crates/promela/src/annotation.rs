//! What a comment before a declaration says about it: `/*@ lossy */ chan c = [2] of { byte };`, `/*@ semaphore */ byte s = 3;`.
//!
//! SPIN ignores it. Of a channel it changes what happens, so the same file is a model with ordinary channels there. Of a variable it says what is
//! done with it, so that is what SPIN does, too.

use std::fmt::{self, Display, Formatter};

use mazurka_span::nearest;

/// The words an annotation begins with. Any other comment is only a comment.
const CHANNEL_WORDS: [&str; 4] = ["lossy", "duplicating", "sorted", "reordering"];

/// The words for variables.
const OBJECTS: [(&str, Object); 5] = [
    ("mutex", Object::Mutex),
    ("semaphore", Object::Semaphore),
    ("counter", Object::Counter),
    ("barrier", Object::Barrier),
    ("object", Object::Own),
];

/// What a variable of few values is used as.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Object {
    /// Taken where it is free, and given back.
    Mutex,
    /// Taken from where something is left, and given back.
    Semaphore,
    /// Counts up and down.
    Counter,
    /// Counts who has come.
    Barrier,
    /// Anything.
    Own,
}

/// What a channel is like, or what a variable is used as.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Annotation {
    /// Whatever is sent may be lost; what finds no room is.
    pub lossy: bool,
    /// What is sent may arrive twice, the second copy directly behind the first.
    pub duplicating: bool,
    /// Every send is a sorted one: a queue with priorities.
    pub sorted: bool,
    /// It is not a channel, but a variable that is used as this.
    pub object: Option<Object>,
}

/// Is that what follows `/*@` in an annotation?
pub fn is_annotation(text: &str) -> bool {
    let first = words(text).next();
    first.is_some_and(|word| CHANNEL_WORDS.contains(&word) || object(word).is_some())
}

fn object(word: &str) -> Option<Object> {
    let mut known = OBJECTS.iter();
    known
        .find(|(name, _)| *name == word)
        .map(|(_, object)| *object)
}

/// Is it probably meant to be one, misspelt? Only what stands right before a channel, or a variable of few values, is.
pub(crate) fn is_misspelt(text: &str, behind: &str) -> bool {
    let is_before = |word: &str| {
        let rest = behind.trim_start().strip_prefix(word);
        rest.is_some_and(|rest| rest.starts_with(char::is_whitespace))
    };
    let Some(first) = words(text).next() else {
        return false;
    };
    // A sentence is a comment, whatever words are in it.
    let says_more =
        || words(text).count() == 2 && words(text).any(|word| CHANNEL_WORDS.contains(&word));
    is_before("chan") && (meant(first).is_some() || says_more())
        || ["bit", "bool", "byte"].into_iter().any(is_before) && meant_object(first).is_some()
}

/// The word for a variable that is nearest to one that is none.
fn meant_object(word: &str) -> Option<&'static str> {
    match word.to_ascii_lowercase().as_str() {
        "lock" | "mutual" => Some("mutex"),
        "sem" => Some("semaphore"),
        "obj" => Some("object"),
        _ => nearest(word, OBJECTS.iter().map(|(name, _)| *name)),
    }
}

/// The word that is nearest to one that says nothing about a channel. Ports of .efsm are said to be so in other words.
fn meant(word: &str) -> Option<&'static str> {
    match word.to_ascii_lowercase().as_str() {
        "loses" | "losing" | "loss" | "drops" | "unreliable" => Some("lossy"),
        "duplicates" | "duplicate" | "duplicated" | "dup" => Some("duplicating"),
        "reorders" | "reorder" => Some("reordering"),
        "sorts" | "sort" | "sorting" | "priority" => Some("sorted"),
        _ => nearest(word, CHANNEL_WORDS.into_iter()),
    }
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    let words = text.split(|c: char| !c.is_ascii_alphabetic());
    words.filter(|word| !word.is_empty())
}

/// Reads the text between `/*@` and `*/`, or says what is wrong with it.
pub(crate) fn read(text: &str) -> Result<Annotation, String> {
    let mut annotation = Annotation::default();
    for (position, word) in words(text).enumerate() {
        if let Some(object) = object(word) {
            if position > 0 {
                return Err(format!("`{word}` is said of a variable, and stands alone"));
            }
            annotation.object = Some(object);
            continue;
        }
        if annotation.object.is_some() {
            return Err(format!("`{word}` says nothing about a variable"));
        }
        let fact = match word {
            "lossy" => &mut annotation.lossy,
            "duplicating" => &mut annotation.duplicating,
            "sorted" => &mut annotation.sorted,
            "reordering" => {
                return Err(
                    "a channel of Promela cannot be `reordering`: ports of .efsm can".into(),
                );
            }
            _ => {
                let meant = meant(word).or_else(|| meant_object(word));
                let hint = meant.map(|meant| format!(": did you mean `{meant}`?"));
                let hint = hint.unwrap_or_default();
                return Err(format!(
                    "`{word}` says nothing about a channel or a variable{hint}"
                ));
            }
        };
        *fact = true;
    }
    Ok(annotation)
}

impl Display for Annotation {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        formatter.write_str("/*@")?;
        let said = OBJECTS
            .iter()
            .find(|(_, object)| Some(*object) == self.object);
        if let Some((name, _)) = said {
            write!(formatter, " {name}")?;
        }
        for (is_so, word) in [
            (self.lossy, "lossy"),
            (self.duplicating, "duplicating"),
            (self.sorted, "sorted"),
        ] {
            if is_so {
                write!(formatter, " {word}")?;
            }
        }
        formatter.write_str(" */")
    }
}
