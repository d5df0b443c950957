//! Numbers of things, as people read them.

/// `1234567` as `1,234,567`.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A number of things: `counted(1, "step")` is `1 step`, `counted(2, "step")` is `2 steps`.
pub fn counted(count: u64, noun: &str) -> String {
    let ending = match (count, noun.ends_with('s')) {
        (1, _) => "",
        (_, true) => "es",
        _ => "s",
    };
    format!("{} {noun}{ending}", grouped(count))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_in_groups() {
        assert_eq!(grouped(0), "0");
        assert_eq!(grouped(999), "999");
        assert_eq!(grouped(1000), "1,000");
        assert_eq!(grouped(251_409), "251,409");
        assert_eq!(grouped(1_234_567_890), "1,234,567,890");
    }

    #[test]
    fn one_and_many() {
        assert_eq!(counted(0, "state"), "0 states");
        assert_eq!(counted(1, "state"), "1 state");
        assert_eq!(counted(1000, "process"), "1,000 processes");
    }
}
