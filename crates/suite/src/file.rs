//! The file that says what is expected.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use mazurka_checker::{Config, NOTATIONS, Notation, notation_named};
use mazurka_scenario::figures::{parse_duration, parse_size};
use serde::Deserialize;
use toml::{Table, Value};

use crate::places::{Section, Wrong, no_such};

/// What the file is called.
pub const FILE: &str = "mazurka.toml";

/// The verdicts that can be expected of a model.
const OF_MODELS: [&str; 4] = ["holds", "violated", "inconclusive", "error"];
/// The verdicts that can be expected of a property.
const OF_PROPERTIES: [&str; 4] = ["holds", "violated", "inconclusive", "not decided"];

/// Options of a check that a suite has not.
const REFUSED: [&str; 2] = ["checkpoint", "cluster"];
/// Options that have better names by now, which are taken all the same.
const OLDER: [&str; 2] = ["merge", "progress"];

/// Models and what is expected of them.
///
/// ```
/// use mazurka_suite::Suite;
///
/// let suite = Suite::parse("models/mazurka.toml".as_ref(), r#"
///     [options]
///     time = "30s"
///
///     [[model]]
///     file = "lock.pml"
///     expect = "holds"
///
///     [[model]]
///     file = "lock.pml"
///     name = "lock, broken"
///     options = { define = ["BROKEN"] }
///     expect = { safety = "violated" }
/// "#)?;
/// assert_eq!(suite.models[1].config.define, ["BROKEN"]);
/// assert_eq!(suite.models[0].file, std::path::Path::new("models/lock.pml"));
/// # Ok::<(), String>(())
/// ```
#[derive(Clone, Debug)]
pub struct Suite {
    /// In the order of the file.
    pub models: Vec<Expected>,
}

/// A model, how it is checked, and what is expected.
#[derive(Clone, Debug)]
pub struct Expected {
    /// What it is called: the name that is given, or else the file.
    pub name: String,
    /// Where it is.
    pub file: PathBuf,
    /// Its notation, if that is said.
    pub notation: Option<&'static dyn Notation>,
    /// How it is checked.
    pub config: Config,
    /// What is expected.
    pub expect: Expect,
}

/// What is expected of a model.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(untagged)]
pub enum Expect {
    /// This verdict on the whole, or `error`.
    Whole(String),
    /// This verdict of each property; those that are not named hold.
    Each(BTreeMap<String, String>),
}

impl Suite {
    /// Reads a suite: a file, or the file of that name in a folder.
    pub fn open(path: &Path) -> Result<Suite, String> {
        let path = match path.is_dir() {
            true => path.join(FILE),
            false => path.to_path_buf(),
        };
        let text = std::fs::read_to_string(&path).map_err(|error| {
            let hint = match error.kind() {
                io::ErrorKind::NotFound if path.ends_with(FILE) => {
                    "; this file names models and what is expected of them"
                }
                _ => "",
            };
            format!("cannot read {}: {error}{hint}", path.display())
        })?;
        Suite::parse(&path, &text)
    }

    /// Reads the text of a suite. Its models are where the path is.
    pub fn parse(path: &Path, text: &str) -> Result<Suite, String> {
        let folder = path.parent().unwrap_or(Path::new(""));
        let suite = Section::parse(text).and_then(|written| suite(folder, &written));
        suite.map_err(|wrong| wrong.text(&path.display().to_string(), text))
    }
}

fn suite(folder: &Path, written: &Section<'_>) -> Result<Suite, Wrong> {
    written.refuse_unknown("setting", &["options", "model"])?;
    let common = options(&written.table("options")?)?;
    let mut models: Vec<Expected> = Vec::new();
    for entry in written.tables("model")? {
        let model = expected(folder, &common, &entry)?;
        if models.iter().any(|known| known.name == model.name) {
            let at = match entry.get::<String>("name")? {
                Some(_) => entry.value_at("name"),
                None => entry.value_at("file"),
            };
            let name = &model.name;
            let reason = format!("there are two models called `{name}`; see `name`");
            return Err(Wrong::new(at, reason));
        }
        models.push(model);
    }
    match models.is_empty() {
        true => Err(Wrong::new(0..0, "there is no [[model]]")),
        false => Ok(Suite { models }),
    }
}

fn expected(folder: &Path, common: &Table, entry: &Section<'_>) -> Result<Expected, Wrong> {
    let known = ["file", "name", "notation", "options", "expect"];
    entry.refuse_unknown("setting of a model", &known)?;
    let lacks = |name: &str| Wrong::new(entry.at(), format!("this model has no `{name}`"));
    let file: PathBuf = entry.get("file")?.ok_or_else(|| lacks("file"))?;
    let expect: Expect = match entry.get("expect") {
        Ok(expect) => expect.ok_or_else(|| lacks("expect"))?,
        Err(_) => {
            let reason = "expected a verdict, or a table with one for each property";
            return Err(Wrong::new(entry.value_at("expect"), reason));
        }
    };
    let at = || entry.value_at("expect");
    expect
        .refuse_unknown()
        .map_err(|reason| Wrong::new(at(), reason))?;
    let notation = match entry.get::<String>("notation")? {
        None => None,
        Some(name) => Some(notation_named(&name).ok_or_else(|| {
            let known: Vec<&str> = NOTATIONS.iter().map(|known| known.name()).collect();
            let reason = no_such("notation", &name, &known);
            Wrong::new(entry.value_at("notation"), reason)
        })?),
    };
    let mut all = common.clone();
    all.extend(options(&entry.table("options")?)?);
    let name: Option<String> = entry.get("name")?;
    Ok(Expected {
        name: name.unwrap_or_else(|| file.display().to_string()),
        file: folder.join(&file),
        notation,
        config: config(all).map_err(|reason| Wrong::new(entry.at(), reason))?,
        expect,
    })
}

impl Expect {
    /// A verdict that there is not would never come.
    fn refuse_unknown(&self) -> Result<(), String> {
        let (verdicts, known): (Vec<&String>, _) = match self {
            Expect::Whole(verdict) => (vec![verdict], OF_MODELS),
            Expect::Each(verdicts) => (verdicts.values().collect(), OF_PROPERTIES),
        };
        let mut verdicts = verdicts.into_iter();
        match verdicts.find(|verdict| !known.contains(&verdict.as_str())) {
            None => Ok(()),
            Some(verdict) => Err(no_such("verdict", verdict, &known)),
        }
    }
}

/// Options as they are written, each looked at by itself, where it stands.
fn options(written: &Section<'_>) -> Result<Table, Wrong> {
    let mut options = Table::new();
    for (name, value) in written.iter() {
        if REFUSED.contains(&name.as_str()) {
            let reason = format!(
                "a suite runs its searches to their ends, by itself: there is no option `{name}`"
            );
            return Err(Wrong::new(written.name_at(name), reason));
        }
        let alone = Table::from_iter([(name.clone(), value.clone())]);
        config(alone).map_err(|reason| {
            if let Some((_, mut known)) = unknown("field", &reason) {
                known.retain(|known| !REFUSED.contains(known) && !OLDER.contains(known));
                return Wrong::new(written.name_at(name), no_such("option", name, &known));
            }
            let reason = match unknown("variant", &reason) {
                Some((value, known)) => no_such("choice", value, &known),
                None => reason,
            };
            Wrong::new(written.value_at(name), format!("{name}: {reason}"))
        })?;
        options.insert(name.clone(), value.clone());
    }
    Ok(options)
}

/// If a message says that there is no such field or variant: which, and those that there are, which it lists.
fn unknown<'r>(what: &str, reason: &'r str) -> Option<(&'r str, Vec<&'r str>)> {
    let listed = reason.strip_prefix("unknown ")?.strip_prefix(what)?;
    let mut words = listed.split('`').skip(1).step_by(2);
    Some((words.next()?, words.collect()))
}

/// Options as they are typed after `mazurka check`: times and sizes may have units, the audit may be off.
fn config(mut options: Table) -> Result<Config, String> {
    let text_of = |options: &Table, name: &str| match options.get(name) {
        Some(Value::String(text)) => Some(text.clone()),
        _ => None,
    };
    if let Some(text) = text_of(&options, "time") {
        let time = parse_duration(&text)?;
        options.insert("time".into(), Value::Float(time.as_secs_f64()));
    }
    if let Some(text) = text_of(&options, "memory") {
        let bytes = parse_size(&text)?;
        let bytes = i64::try_from(bytes).map_err(|error| error.to_string())?;
        options.insert("memory".into(), Value::Integer(bytes));
    }
    let is_unaudited = text_of(&options, "audit").is_some_and(|text| text == "off");
    if is_unaudited {
        options.remove("audit");
    }
    let config = options.try_into::<Config>();
    let mut config = config.map_err(|error| error.message().trim_end().to_string())?;
    if is_unaudited {
        config.audit = None;
    }
    Ok(config)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(text: &str) -> String {
        Suite::parse(Path::new("mazurka.toml"), text).unwrap_err()
    }

    #[test]
    fn mistakes_are_named_where_they_are() {
        let model = "[[model]]\nfile = 'a.pml'\nexpect = 'holds'\n";
        let with = |text: &str| format!("{text}\n{model}");
        for (text, words) in [
            (String::new(), "mazurka.toml:1:1: there is no [[model]]"),
            (
                "[[model]]\nfile = 'a.pml'".into(),
                ":1:1: this model has no `expect`",
            ),
            (
                "[[model]]\nexpect = 'holds'".into(),
                ":1:1: this model has no `file`",
            ),
            (
                "[[model]]\nfile = 'a.pml'\nexpect = 'hold'".into(),
                ":3:10: there is no verdict `hold`; did you mean `holds`?\n  3 | expect = 'hold'\n    |          ^^^^^^",
            ),
            (
                "[[model]]\nfile = 'a.pml'\nexpect = { safety = 'ok' }".into(),
                ":3:10: there is no verdict `ok`; there are holds, violated, inconclusive, not decided",
            ),
            (
                "[[model]]\nfile = 'a.pml'\nexpect = 3".into(),
                ":3:10: expected a verdict, or",
            ),
            (
                "[[model]]\nfle = 'a.pml'\nexpect = 'holds'".into(),
                ":2:1: there is no setting of a model `fle`; did you mean `file`?\n  2 | fle = 'a.pml'\n    | ^^^",
            ),
            (
                with("[option]\ntime = 3"),
                ":1:2: there is no setting `option`; did you mean `options`?",
            ),
            (
                with("[options]\nserach = 'bfs'"),
                ":2:1: there is no option `serach`; did you mean `search`?",
            ),
            (
                with("[options]\nsearch = 'bsf'"),
                ":2:10: search: there is no choice `bsf`; did you mean `bfs`?",
            ),
            (
                with("[options]\ntimeout = 3"),
                ":2:1: there is no option `timeout`; did you mean `time`?",
            ),
            (
                with("[options]\ncheck-point = true"),
                ":2:1: there is no option `check-point`; there are define, ",
            ),
            (with("[options]\njobs = 'two'"), ":2:8: jobs: "),
            (
                with("[options]\ntime = 'soon'"),
                ":2:8: time: expected a duration",
            ),
            (with("options = 3"), ":1:11: expected a table"),
            (
                with("[options]\ncheckpoint = true"),
                ":2:1: a suite runs its searches to their ends, by itself: there is no option `checkpoint`",
            ),
            (
                format!("{model}{model}"),
                ":5:8: there are two models called `a.pml`",
            ),
            (
                format!("{model}notation = 'promla'"),
                ":4:12: there is no notation `promla`; did you mean `promela`?",
            ),
            (
                format!("{model}options = {{ serach = 'bfs' }}"),
                ":4:13: there is no option `serach`",
            ),
            ("model = 3".into(), ":1:9: expected [[model]]"),
            ("[[model".into(), ":1:8: "),
            (
                "[model]\nfile = 'a.pml'\n[model]\nfile = 'b.pml'\n".into(),
                ":3:2: there is [model] already: where there are several, each is [[model]]",
            ),
            (
                "[[model]]\nfile = 'a.pml'\nfile = 'b.pml'\n".into(),
                ":3:1: duplicate key",
            ),
        ] {
            let reason = refused(&text);
            assert!(reason.contains(words), "{text}\n{reason}");
        }
    }

    #[test]
    fn every_option_that_a_message_lists_is_taken() {
        let model = "[[model]]\nfile = 'a.pml'\nexpect = 'holds'\n";
        let reason = refused(&format!("[options]\nxyzzy = 1\n{model}"));
        let (_, listed) = reason.split_once("there are ").unwrap();
        let listed: Vec<&str> = listed.lines().next().unwrap().split(", ").collect();
        assert!(listed.contains(&"search") && listed.contains(&"livelock"));
        for name in listed {
            // Of the wrong type for all, so that what is wrong is the value.
            let reason = refused(&format!("[options]\n{name} = {{ x = [] }}\n{model}"));
            assert!(reason.contains(&format!("{name}: ")), "{reason}");
        }
    }

    #[test]
    fn options_of_a_model_come_before_those_of_all() {
        let text = "[options]\nsearch = 'bfs'\nmemory = '2M'\naudit = 'off'\nlivelock = true\n\
                    [[model]]\nfile = 'a.pml'\noptions = { search = 'dfs', merge-steps = 'off' }\nexpect = 'holds'";
        let suite = Suite::parse(Path::new("mazurka.toml"), text).unwrap();
        let config = &suite.models[0].config;
        assert_eq!(config.search.name(), "dfs");
        assert_eq!((config.memory, config.audit), (Some(2 << 20), None));
        assert!(config.progress && config.merge.is_some());
    }
}
