//! Numbers as people read them and type them.

use std::time::Duration;

pub use mazurka_span::{counted, grouped};

/// A number that is only known roughly, with two digits that count: `1,856,166,246` as `1,900,000,000`.
pub fn rough(number: u64) -> String {
    let mut unit = 1;
    while number / unit >= 100 {
        unit *= 10;
    }
    grouped(number.saturating_add(unit / 2) / unit * unit)
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

/// A number of bytes, such as `4096`, `200M` or `4G`.
pub fn parse_size(text: &str) -> Result<u64, String> {
    let digits = text.trim_end_matches(|letter: char| letter.is_ascii_alphabetic());
    let unit = text[digits.len()..].to_ascii_lowercase();
    let unit = unit
        .strip_suffix("ib")
        .or(unit.strip_suffix('b'))
        .unwrap_or(&unit);
    let shift = match unit {
        "" => 0,
        "k" => 10,
        "m" => 20,
        "g" => 30,
        "t" => 40,
        _ => return Err("expected a size such as 200M or 4G".into()),
    };
    let number: f64 = digits
        .parse()
        .map_err(|_| "expected a size such as 200M or 4G")?;
    let bytes = number * (1u64 << shift) as f64;
    if !bytes.is_finite() || bytes < 1.0 || bytes >= u64::MAX as f64 {
        return Err("a size must be between one byte and what can be addressed".into());
    }
    Ok(bytes as u64)
}

/// Sums of longer times and the clock's could be more than there is room for.
const LONGEST: Duration = Duration::from_secs(1_000_000 * 86_400);

/// A time, such as `30s`, `5m`, `1h30m`; without a unit, seconds.
pub fn parse_duration(text: &str) -> Result<Duration, String> {
    let wrong = || "expected a duration such as 30s, 5m or 1h30m".to_string();
    let mut total = 0.0;
    let mut rest = text;
    while !rest.is_empty() {
        let after = rest.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
        let number: f64 = rest[..rest.len() - after.len()]
            .parse()
            .map_err(|_| wrong())?;
        let next = after.trim_start_matches(|c: char| c.is_ascii_alphabetic());
        total += number
            * match &after[..after.len() - next.len()] {
                "ms" => 0.001,
                "s" | "" => 1.0,
                "m" | "min" => 60.0,
                "h" => 3600.0,
                "d" => 86400.0,
                _ => return Err(wrong()),
            };
        rest = next;
    }
    if text.is_empty() {
        return Err(wrong());
    }
    let longest = || "a duration must be shorter than a million days".to_string();
    let duration = Duration::try_from_secs_f64(total).map_err(|_| longest())?;
    if duration >= LONGEST {
        return Err(longest());
    }
    Ok(duration)
}

#[cfg(test)]
mod tests {
    use super::*;

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

    #[test]
    fn sizes() {
        assert_eq!(parse_size("4096"), Ok(4096));
        assert_eq!(parse_size("200M"), Ok(200 << 20));
        assert_eq!(parse_size("1.5g"), Ok(3 << 29));
        assert_eq!(parse_size("4GiB"), Ok(4 << 30));
        for wrong in ["", "G", "-1", "3x", "0", "1e999", "nan", "4 G"] {
            assert!(parse_size(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn durations() {
        assert_eq!(parse_duration("30s"), Ok(Duration::from_secs(30)));
        assert_eq!(parse_duration("90"), Ok(Duration::from_secs(90)));
        assert_eq!(parse_duration("1h30m"), Ok(Duration::from_secs(5400)));
        assert_eq!(parse_duration("250ms"), Ok(Duration::from_millis(250)));
        for wrong in [
            "",
            "s",
            "-1s",
            "3 weeks",
            "1..2s",
            "99999999999999999999999h",
        ] {
            assert!(parse_duration(wrong).is_err(), "{wrong}");
        }
    }
}
