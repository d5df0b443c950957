//! What a comment before the declaration of a channel says about it: `/*@ lossy */ chan c = [2] of { byte };`.
//!
//! SPIN ignores it, so the same file is a model with ordinary channels there.

use std::fmt::{self, Display, Formatter};

use mazurka_span::nearest;

/// The words an annotation begins with. Any other comment is only a comment.
const CHANNEL_WORDS: [&str; 4] = ["lossy", "duplicating", "sorted", "reordering"];

/// What a channel is like.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Annotation {
    /// Whatever is sent may be lost; what finds no room is.
    pub lossy: bool,
    /// What is sent may arrive twice, the second copy directly behind the first.
    pub duplicating: bool,
    /// Every send is a sorted one: a queue with priorities.
    pub sorted: bool,
}

/// Is that what follows `/*@` in an annotation of channels?
pub fn is_about_channels(text: &str) -> bool {
    let first = words(text).next();
    first.is_some_and(|word| CHANNEL_WORDS.contains(&word))
}

/// Is it probably meant to be one, misspelt? Only what stands right before a channel is.
pub(crate) fn is_misspelt(text: &str, behind: &str) -> bool {
    let before_channel = behind.trim_start().strip_prefix("chan");
    let is_before = before_channel.is_some_and(|rest| rest.starts_with(char::is_whitespace));
    is_before && words(text).next().and_then(meant).is_some()
}

/// The word that is nearest to one that says nothing about a channel. Ports of .efsm are said to be so in other words.
fn meant(word: &str) -> Option<&'static str> {
    match word.to_ascii_lowercase().as_str() {
        "loses" | "losing" | "loss" | "drops" => Some("lossy"),
        "duplicates" | "duplicate" | "duplicated" => Some("duplicating"),
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
    for word in words(text) {
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
                let hint = meant(word).map(|meant| format!(": did you mean `{meant}`?"));
                let hint = hint.unwrap_or_default();
                return Err(format!("`{word}` says nothing about a channel{hint}"));
            }
        };
        *fact = true;
    }
    Ok(annotation)
}

impl Display for Annotation {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        formatter.write_str("/*@")?;
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
