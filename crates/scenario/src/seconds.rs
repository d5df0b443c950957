//! A time as a number of seconds, for `#[serde(with = "mazurka_scenario::seconds")]`.

use std::time::Duration;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Writes it.
pub fn serialize<S: Serializer>(time: &Option<Duration>, to: S) -> Result<S::Ok, S::Error> {
    time.map(|time| time.as_secs_f64()).serialize(to)
}

/// Reads it.
pub fn deserialize<'d, D: Deserializer<'d>>(from: D) -> Result<Option<Duration>, D::Error> {
    let seconds = Option::<f64>::deserialize(from)?;
    let time = seconds.map(Duration::try_from_secs_f64).transpose();
    time.map_err(serde::de::Error::custom)
}
