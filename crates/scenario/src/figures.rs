//! Numbers as people read them.

/// `1234567` as `1,234,567`.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index) % 3 == 0 {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A number that is only known roughly, with two digits that count: `1,856,166,246` as `1,900,000,000`.
pub fn rough(number: u64) -> String {
    let mut unit = 1;
    while number / unit >= 100 {
        unit *= 10;
    }
    grouped(number.saturating_add(unit / 2) / unit * unit)
}

/// A number of things.
pub fn counted(count: u64, noun: &str) -> String {
    let ending = match (count, noun.ends_with('s')) {
        (1, _) => "",
        (_, true) => "es",
        _ => "s",
    };
    format!("{} {noun}{ending}", grouped(count))
}

/// A number of bytes in a fitting unit.
pub fn bytes(number: u64) -> String {
    match number {
        0..1_024 => format!("{number} B"),
        1_024..1_048_576 => format!("{} kB", number >> 10),
        1_048_576..10_737_418_240 => format!("{} MB", number >> 20),
        _ => format!("{:.1} GB", number as f64 / (1u64 << 30) as f64),
    }
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
    fn rough_numbers() {
        assert_eq!(rough(7), "7");
        assert_eq!(rough(99), "99");
        assert_eq!(rough(149), "150");
        assert_eq!(rough(1_856_166_246), "1,900,000,000");
        assert_eq!(rough(u64::MAX), "18,000,000,000,000,000,000");
    }

    #[test]
    fn sizes_in_units() {
        assert_eq!(bytes(12), "12 B");
        assert_eq!(bytes(41 << 20), "41 MB");
        assert_eq!(bytes(12 << 30), "12.0 GB");
    }
}
