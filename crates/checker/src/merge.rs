//! The reports of the parts of a swarm as one.

use mazurka_scenario::{PropertyKind, ReportedProperty, Verdict};
use serde_json::Value;

use crate::choice::Order;
use crate::report::Report;

impl Report {
    /// Reads a report, or says why it is none.
    pub fn from_json(text: &str) -> Result<Report, String> {
        let known: Value = serde_json::from_str(text).unwrap_or_default();
        if known["format"] == "mazurka-reports" {
            return Err(
                "it has the results of several models: check each part of a swarm by itself".into(),
            );
        }
        let is_of_program = known["options"]["program"].is_array();
        if !known["verdict"].is_string() || !known["stats"].is_object() || is_of_program {
            return Err("it is not a result of check --json".into());
        }
        let older = "it was written by an older version of Mazurka and does not name its model and shard; check again";
        let report: Report = serde_json::from_value(known).map_err(|_| older.to_string())?;
        let is_swarm = report.options.search == Order::Swarm;
        match is_swarm && report.options.shard.is_none() {
            true => Err(older.into()),
            false => Ok(report),
        }
    }

    /// Joins two reports, property by property: violated if it is in one, and it holds if one part has proved that. What a swarm looks
    /// for is proved by no part, nor by all together. Refused if they are not of the same search, or if a part is there already.
    pub fn merge(mut self, other: &Report) -> Result<Report, String> {
        if let Some(reason) = self.mismatch(other) {
            return Err(reason);
        }
        for property in &mut self.properties {
            join(property, &other.properties);
        }
        let known =
            |more: &&ReportedProperty| !self.properties.iter().any(|one| is_same(one, more));
        let more: Vec<ReportedProperty> = other.properties.iter().filter(known).cloned().collect();
        self.properties.extend(more);
        for property in &mut self.properties {
            if property.kind == PropertyKind::Safety && property.verdict == Verdict::Holds {
                property.verdict = Verdict::Inconclusive;
            }
            // What the parts did together stands in the figures of all.
            property.stats = None;
        }
        self.verdict = Verdict::overall(self.properties.iter().map(|property| property.verdict));
        self.complete = false;
        if self.verdict != Verdict::Violated && self.reason.is_none() {
            self.reason.clone_from(&other.reason);
        }
        self.violations.extend(other.violations.iter().cloned());
        if let (Some(shards), Some(more)) = (&mut self.options.shard, &other.options.shard) {
            *shards += &format!(", {more}");
        }
        let (stats, more) = (&mut self.stats, &other.stats);
        // The numbers of a file may be any.
        stats.matched = stats.matched.saturating_add(more.matched);
        stats.jobs = stats.jobs.saturating_add(more.jobs);
        // Parts meet mostly the same states, so the number of different ones is at least the greatest.
        stats.states = stats.states.max(more.states);
        stats.depth = stats.depth.max(more.depth);
        stats.state_bytes = stats.state_bytes.max(more.state_bytes);
        stats.store_bytes = stats.store_bytes.max(more.store_bytes);
        stats.transitions = stats.states.saturating_add(stats.matched);
        Ok(self)
    }

    /// Why another report is not of the same swarm, or is there already.
    fn mismatch(&self, other: &Report) -> Option<String> {
        let (before, new) = (&self.options, &other.options);
        if before.model != new.model {
            return Some(format!(
                "it is a result for the model {}, the ones before it are for {}",
                new.model, before.model
            ));
        }
        if let (Some(one), Some(other)) = (&before.model_hash, &new.model_hash)
            && one != other
        {
            let model = &new.model;
            return Some(format!("{model} had another text when it was checked"));
        }
        let same = [
            ("search", before.search == new.search),
            ("store", before.store == new.store),
            ("seed", before.seed == new.seed),
            ("property", before.property == new.property),
            ("define", before.define == new.define),
        ];
        if let Some((option, _)) = same.iter().find(|(_, is_same)| !is_same) {
            return Some(format!(
                "it belongs to another search: --{option} is not the same"
            ));
        }
        let known = shards_of(before.shard.as_deref());
        let count = |shard: &str| shard.split_once('/').map(|(_, count)| count.to_string());
        let other_count = shards_of(new.shard.as_deref())
            .find(|shard| known.clone().any(|known| count(known) != count(shard)));
        if let Some(shard) = other_count {
            let known = shards_of(before.shard.as_deref())
                .next()
                .unwrap_or_default();
            return Some(format!("shard {shard} is of another division than {known}"));
        }
        let twice =
            shards_of(new.shard.as_deref()).find(|shard| known.clone().any(|k| k == *shard));
        twice.map(|shard| format!("shard {shard} is given twice"))
    }
}

/// Joins what another part says of a property to what is known of it.
fn join(property: &mut ReportedProperty, others: &[ReportedProperty]) {
    let says_more = |verdict| match verdict {
        Verdict::Violated => 2,
        Verdict::Holds => 1,
        Verdict::Inconclusive | Verdict::NotDecided => 0,
    };
    if let Some(other) = others.iter().find(|other| is_same(property, other))
        && says_more(other.verdict) > says_more(property.verdict)
    {
        *property = other.clone();
    }
}

fn is_same(one: &ReportedProperty, other: &ReportedProperty) -> bool {
    (one.kind, &one.name) == (other.kind, &other.name)
}

/// The shards of a report, which are several if it was merged.
fn shards_of(text: Option<&str>) -> impl Iterator<Item = &str> + Clone {
    text.unwrap_or_default()
        .split(", ")
        .filter(|shard| !shard.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Checker, Config};

    /// Part `shard` of two of a swarm.
    fn part(model: &str, shard: &str) -> Report {
        // Where nothing is wrong, time ends it; a violation ends it at once, when the machine gets to it.
        let milliseconds = if model == RIGHT { 20 } else { 60_000 };
        let config = Config {
            search: Order::Swarm,
            shard: Some(shard.into()),
            time: Some(std::time::Duration::from_millis(milliseconds)),
            ..Config::default()
        };
        let checker = Checker::from_source("p.pml", model).unwrap();
        let outcome = checker.config(config.clone()).run().unwrap();
        Report::of(&outcome, &config, &Default::default())
    }

    const RIGHT: &str = "byte x; active proctype P() { x++ }";

    #[test]
    fn one_part_that_is_violated_is_enough() {
        let (right, mut wrong) = (
            part(RIGHT, "1/2"),
            part("active proctype P() { assert(0) }", "2/2"),
        );
        wrong
            .options
            .model_hash
            .clone_from(&right.options.model_hash);
        let states = right.stats.states.max(wrong.stats.states);
        let matched = right.stats.matched + wrong.stats.matched;
        let all = right.merge(&wrong).unwrap();
        assert_eq!(all.verdict, Verdict::Violated);
        assert_eq!(all.properties[0].verdict, Verdict::Violated);
        assert_eq!(all.violations.len(), wrong.violations.len());
        assert_eq!((all.stats.states, all.stats.matched), (states, matched));
        assert_eq!(all.options.shard.as_deref(), Some("1/2, 2/2"));
        assert!(all.merge(&wrong).unwrap_err().contains("2/2"));
    }

    #[test]
    fn each_property_has_its_own_verdict() {
        const MODEL: &str = "byte x; active proctype P() { x = 1; assert(x == 2); x = 3 } ltl p { [] (x < 5) } ltl q { [] (x < 2) }";
        let all = part(MODEL, "1/2").merge(&part(MODEL, "2/2")).unwrap();
        let verdicts: Vec<(&str, Verdict)> = all
            .properties
            .iter()
            .map(|property| (property.name.as_str(), property.verdict))
            .collect();
        let (violated, holds) = (Verdict::Violated, Verdict::Holds);
        assert_eq!(
            verdicts,
            [("safety", violated), ("p", holds), ("q", violated)]
        );
        assert_eq!(all.verdict, violated);
    }

    #[test]
    fn parts_are_of_one_search() {
        let first = part(RIGHT, "1/2");
        let refused = |other: &Report| first.clone().merge(other).unwrap_err();
        let edited = part("byte x; active proctype P() { assert(x == 1) }", "2/2");
        assert!(refused(&edited).contains("another text"));
        assert!(refused(&part(RIGHT, "2/3")).contains("another division"));
        let mut other_seed = part(RIGHT, "2/2");
        other_seed.options.seed = Some(9);
        assert!(refused(&other_seed).contains("--seed"));
    }

    #[test]
    fn numbers_of_a_file_may_be_any() {
        let [mut first, mut second] = [part(RIGHT, "1/2"), part(RIGHT, "2/2")];
        for part in [&mut first, &mut second] {
            (part.stats.matched, part.stats.states) = (u64::MAX, u64::MAX);
            part.stats.jobs = u32::MAX;
        }
        let all = first.merge(&second).unwrap();
        assert_eq!(
            (all.stats.transitions, all.stats.jobs),
            (u64::MAX, u32::MAX)
        );
    }

    #[test]
    fn parts_that_found_nothing_prove_nothing() {
        let mut parts = [part(RIGHT, "1/2"), part(RIGHT, "2/2")];
        parts
            .iter_mut()
            .for_each(|part| part.verdict = Verdict::Holds);
        let [first, second] = parts;
        assert_eq!(first.merge(&second).unwrap().verdict, Verdict::Inconclusive);
    }
}
