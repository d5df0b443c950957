//! Lines of code, indented by the brackets in them.

/// Code under way.
#[derive(Default)]
pub(crate) struct Code {
    text: String,
    depth: usize,
}

impl Code {
    /// Adds lines. A line that begins with a closing bracket stands one step further left, and what comes after a line that ends
    /// with an opening one stands further right. Labels of a `switch` stand where the `switch` does. After text that ends with an end
    /// of line, an empty line follows.
    pub fn add(&mut self, lines: impl AsRef<str>) {
        for line in lines.as_ref().split('\n') {
            let line = line.trim();
            if line.starts_with(['}', ')', ']']) {
                self.depth = self.depth.saturating_sub(1);
            }
            let is_label = line.starts_with("case ") || line.starts_with("default:");
            let depth = self.depth - usize::from(is_label && self.depth > 0);
            if !line.is_empty() {
                self.text += &"    ".repeat(depth);
                self.text += line;
            }
            self.text.push('\n');
            if line.ends_with(['{', '(', '[']) {
                self.depth += 1;
            }
        }
    }

    /// Adds a statement, if there is one.
    pub fn add_if_any(&mut self, statement: &str) {
        if !statement.is_empty() {
            self.add(statement);
        }
    }

    pub fn text(&self) -> &str {
        &self.text
    }

    pub fn into_text(self) -> String {
        self.text
    }
}

/// A string of C.
pub(crate) fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for byte in text.bytes() {
        match byte {
            b'"' | b'\\' => quoted.extend(['\\', byte as char]),
            b' '..=b'~' => quoted.push(byte as char),
            // Octal digits end after three; those of hexadecimal numbers would not.
            _ => quoted += &format!("\\{byte:03o}"),
        }
    }
    quoted + "\""
}

/// Adds a line that is put together from parts.
macro_rules! add {
    ($code:expr, $($part:tt)*) => { $code.add(format!($($part)*)) };
}

pub(crate) use add;
