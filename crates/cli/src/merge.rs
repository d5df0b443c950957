//! `mazurka merge`: the results of the parts of a swarm as one.

use std::path::Path;

use mazurka_checker::Order;
use serde_json::{Value, json};

use crate::Exit;
use crate::arguments::MergeArguments;
use crate::terminal::print;
use crate::trouble::Trouble;

/// What has to be the same in all parts, as far as options say it.
const SAME: [&str; 4] = ["search", "store", "property", "define"];

/// Runs the command.
pub fn merge(arguments: &MergeArguments) -> Result<Exit, Trouble> {
    let mut all: Option<Value> = None;
    for path in &arguments.results {
        let result = read(path).map_err(|reason| trouble(path, &reason))?;
        all = Some(match all {
            None => result,
            Some(before) => {
                if let Some(reason) = mismatch(&before["options"], &result["options"]) {
                    return Err(trouble(path, &reason));
                }
                join(before, &result)
            }
        });
    }
    let all = all.unwrap_or(Value::Null);
    let text =
        serde_json::to_string_pretty(&all).map_err(|error| Trouble::Internal(error.to_string()))?;
    print(&format!("{text}\n"))?;
    Ok(match all["verdict"].as_str() {
        Some("violated") => Exit::Violated,
        Some("holds") => Exit::Holds,
        _ => Exit::Inconclusive,
    })
}

fn trouble(path: &Path, reason: &str) -> Trouble {
    Trouble::Usage(format!("cannot merge {}: {reason}", path.display()))
}

/// Reads a result, or says why it is none.
fn read(path: &Path) -> Result<Value, String> {
    let text = std::fs::read_to_string(path).map_err(|error| error.to_string())?;
    let result: Value = serde_json::from_str(&text).map_err(|error| error.to_string())?;
    let options = &result["options"];
    let is_of_program = options["program"].is_array();
    if !result["verdict"].is_string() || !result["stats"].is_object() || is_of_program {
        return Err("it is not a result of check --json".into());
    }
    let lacks_shard = options["search"] == Order::Swarm.name() && !options["shard"].is_string();
    if !options["model"].is_string() || lacks_shard {
        return Err(
            "an older version of Mazurka wrote it, which does not say of which model and shard \
             it is; check again"
                .into(),
        );
    }
    Ok(result)
}

/// Why a result with the options `new` is not of the same swarm as what there is before it, or is there already.
fn mismatch(before: &Value, new: &Value) -> Option<String> {
    let text = |options: &Value, name: &str| options[name].as_str().unwrap_or("").to_string();
    let (model, other) = (text(before, "model"), text(new, "model"));
    if model != other {
        return Some(format!(
            "it is of the model {other}, and what is before it is of {model}"
        ));
    }
    if let Some(option) = SAME.iter().find(|name| before[**name] != new[**name]) {
        return Some(format!(
            "it is of another search: --{option} is not the same"
        ));
    }
    let (known, shards) = (text(before, "shard"), text(new, "shard"));
    let twice = shards_of(&shards).find(|shard| shards_of(&known).any(|known| known == *shard))?;
    Some(format!("shard {twice} is there already"))
}

/// The shards of a result, which are several if it was merged.
fn shards_of(text: &str) -> impl Iterator<Item = &str> {
    text.split(", ").filter(|shard| !shard.is_empty())
}

/// Two results as one. Violated if one is; a part alone never proves that a property holds, and
/// parts of a swarm together do not either.
fn join(mut all: Value, other: &Value) -> Value {
    let violated = [&all, other]
        .iter()
        .any(|part| part["verdict"] == "violated");
    let verdict = if violated { "violated" } else { "inconclusive" };
    all["verdict"] = json!(verdict);
    all["complete"] = json!(false);
    if !violated && all["reason"].is_null() {
        all["reason"] = other["reason"].clone();
    }
    if let (Some(violations), Some(more)) = (
        all["violations"].as_array_mut(),
        other["violations"].as_array(),
    ) {
        violations.extend(more.iter().cloned());
    }
    let shard = |part: &Value| part["options"]["shard"].as_str().map(String::from);
    if let (Some(shards), Some(more)) = (shard(&all), shard(other)) {
        all["options"]["shard"] = json!(format!("{shards}, {more}"));
    }
    if let Some(properties) = all["properties"].as_array_mut() {
        for property in properties {
            property["verdict"] = json!(verdict);
        }
    }
    let stats = &mut all["stats"];
    for sum in ["matched", "jobs"] {
        let total = stats[sum].as_u64().unwrap_or(0) + other["stats"][sum].as_u64().unwrap_or(0);
        stats[sum] = json!(total);
    }
    // Parts meet mostly the same states, so the number of different ones is at least the greatest.
    for greatest in ["states", "depth", "state_bytes", "store_bytes"] {
        let number = |part: &Value| part[greatest].as_u64().unwrap_or(0);
        stats[greatest] = json!(number(stats).max(number(&other["stats"])));
    }
    let number = |stats: &Value, name: &str| stats[name].as_u64().unwrap_or(0);
    stats["transitions"] = json!(number(stats, "states") + number(stats, "matched"));
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    fn part(verdict: &str, states: u64) -> Value {
        json!({
            "verdict": verdict,
            "complete": false,
            "reason": "out of time",
            "properties": [{"name": "safety", "verdict": verdict}],
            "violations": if verdict == "violated" { vec![json!({"kind": "deadlock"})] } else { vec![] },
            "stats": {"states": states, "matched": 10, "transitions": states + 10, "jobs": 1},
        })
    }

    #[test]
    fn one_part_that_is_violated_is_enough() {
        let all = join(part("inconclusive", 5), &part("violated", 9));
        assert_eq!(all["verdict"], "violated");
        assert_eq!(all["properties"][0]["verdict"], "violated");
        assert_eq!(all["violations"].as_array().map(Vec::len), Some(1));
        assert_eq!(all["stats"]["states"], 9);
        assert_eq!(all["stats"]["matched"], 20);
    }

    #[test]
    fn parts_that_found_nothing_prove_nothing() {
        let all = join(part("holds", 5), &part("holds", 9));
        assert_eq!(all["verdict"], "inconclusive");
    }
}
