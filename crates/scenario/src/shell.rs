//! Commands as a user would type them.

use std::ffi::OsStr;

/// Words as a shell takes them back.
///
/// ```
/// use std::ffi::OsStr;
///
/// let words = ["mazurka", "check", "my model.pml"].map(OsStr::new);
/// assert_eq!(mazurka_scenario::shell_command(words), "mazurka check 'my model.pml'");
/// ```
pub fn shell_command<'w>(words: impl IntoIterator<Item = &'w OsStr>) -> String {
    let words: Vec<String> = words.into_iter().map(quoted).collect();
    words.join(" ")
}

fn quoted(word: &OsStr) -> String {
    let text = word.to_string_lossy();
    let plain = |c: char| c.is_ascii_alphanumeric() || "_-./=:,+@%".contains(c);
    if !text.is_empty() && text.chars().all(plain) {
        return text.into_owned();
    }
    format!("'{}'", text.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_that_need_quotes() {
        let words = ["./a", "", "b c", "it's", "$x", "--n=1"].map(OsStr::new);
        let shown = r"./a '' 'b c' 'it'\''s' '$x' --n=1";
        assert_eq!(shell_command(words), shown);
    }
}
