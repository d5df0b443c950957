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

/// The text cut to a number of terminal columns, with `…` if something is missing.
pub(crate) fn cut(text: &str, width: usize) -> String {
    use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};
    if text.width() <= width {
        return text.to_string();
    }
    let mut cut = String::new();
    let mut used = 1;
    for character in text.chars() {
        used += character.width().unwrap_or(0);
        if used > width {
            break;
        }
        cut.push(character);
    }
    if width > 0 {
        cut.push('…');
    }
    cut
}

/// The text with blanks behind it up to a number of terminal columns.
pub(crate) fn pad(text: &str, width: usize) -> String {
    use unicode_width::UnicodeWidthStr;
    format!("{text}{}", " ".repeat(width.saturating_sub(text.width())))
}
