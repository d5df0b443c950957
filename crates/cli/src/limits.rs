//! Limits as people type them.

use std::time::Duration;

use mazurka_checker::Share;

/// The share of the states that are audited; none for none.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Audited(pub Option<Share>);

/// A share of the states, such as `0.01`, or `off`.
pub fn parse_audit(text: &str) -> Result<Audited, String> {
    match text {
        "off" => Ok(Audited(None)),
        share => match share.parse() {
            Ok(share) => Ok(Audited(Some(share))),
            Err(reason) => Err(format!("{reason}, or off")),
        },
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
        return Err("a size must be at least one byte, and one that exists".into());
    }
    Ok(bytes as u64)
}

/// The bits of a fingerprint.
pub fn parse_fingerprint(text: &str) -> Result<u32, String> {
    match text.parse() {
        Ok(bits @ (40..=64 | 128)) => Ok(bits),
        _ => Err("expected a number from 40 to 64, or 128".into()),
    }
}

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
    Duration::try_from_secs_f64(total).map_err(|_| wrong())
}

#[cfg(test)]
mod tests {
    use super::*;

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
    fn shares() {
        assert_eq!(parse_audit("off"), Ok(Audited(None)));
        assert_eq!(parse_audit("1"), Ok(Audited(Some(Share::ALL))));
        assert!(parse_audit("0").is_ok());
        for wrong in ["", "on", "-1", "1.1", "nan", "2%"] {
            assert!(parse_audit(wrong).is_err(), "{wrong}");
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
