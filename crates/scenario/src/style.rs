//! How output looks: how wide, and with colours or without.

/// Width and colours.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Style {
    /// Use the colours of a terminal.
    pub colour: bool,
    /// The columns that a line should not exceed.
    pub width: usize,
}

impl Default for Style {
    fn default() -> Style {
        Style {
            colour: false,
            width: 100,
        }
    }
}

/// Colours that tell processes apart.
const PROCESS_COLOURS: [&str; 6] = ["36", "33", "35", "32", "34", "31"];

impl Style {
    /// Something that went wrong.
    pub fn error(&self, text: &str) -> String {
        self.paint("1;31", text)
    }

    /// Something that is as it should be.
    pub fn success(&self, text: &str) -> String {
        self.paint("1;32", text)
    }

    /// Something that is not decided.
    pub fn warning(&self, text: &str) -> String {
        self.paint("1;33", text)
    }

    /// A heading.
    pub fn heading(&self, text: &str) -> String {
        self.paint("1", text)
    }

    /// Something of less weight.
    pub fn faint(&self, text: &str) -> String {
        self.paint("2", text)
    }

    /// The name of a process.
    pub fn process(&self, number: u32, text: &str) -> String {
        self.paint(
            PROCESS_COLOURS[number as usize % PROCESS_COLOURS.len()],
            text,
        )
    }

    fn paint(&self, code: &str, text: &str) -> String {
        match self.colour {
            true if !text.is_empty() => format!("\x1b[{code}m{text}\x1b[0m"),
            _ => text.to_string(),
        }
    }
}

/// A text as lines of at most this many columns, broken behind a space or else a comma where there is one.
pub(crate) fn wrapped(text: &str, room: usize) -> Vec<String> {
    use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};
    let room = room.max(1);
    let mut lines = Vec::new();
    let mut line = String::new();
    for character in text.chars() {
        let width = character.width().unwrap_or(0);
        if line.width() + width > room {
            // A short piece alone on a line would only make it longer.
            let behind = |at: Option<usize>| at.map(|at| at + 1).filter(|at| *at > line.len() / 2);
            let within = |character: char| matches!(character, ',' | ';' | '.' | '_');
            let rest = behind(line.rfind(' ')).or_else(|| behind(line.rfind(within)));
            let rest = rest.map_or(String::new(), |at| line.split_off(at));
            lines.push(std::mem::replace(&mut line, rest).trim_end().to_string());
            if line.is_empty() && character == ' ' {
                continue;
            }
        }
        line.push(character);
    }
    lines.push(line);
    lines
}

/// The text with blanks behind it up to a number of terminal columns.
pub(crate) fn pad(text: &str, width: usize) -> String {
    use unicode_width::UnicodeWidthStr;
    format!("{text}{}", " ".repeat(width.saturating_sub(text.width())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_broken_between_words_if_it_can_be() {
        let text = "sends dr_on on Initiator.queue, which holds [cc_on]";
        let lines = [
            "sends dr_on on",
            "Initiator.queue,",
            "which holds",
            "[cc_on]",
        ];
        assert_eq!(wrapped(text, 16), lines);
        assert_eq!(wrapped("Initiator.queue", 10), ["Initiator.", "queue"]);
        assert_eq!(wrapped("abcdefgh", 3), ["abc", "def", "gh"]);
        assert_eq!(wrapped("", 3), [""]);
    }
}
