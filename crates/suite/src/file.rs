//! The file that says what is expected.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use mazurka_checker::{Config, Notation, notation_named};
use mazurka_scenario::figures::{parse_duration, parse_size};
use serde::Deserialize;
use toml::{Table, Value};

/// What the file is called.
pub const FILE: &str = "mazurka.toml";

/// The verdicts that can be expected of a model.
const OF_MODELS: [&str; 4] = ["holds", "violated", "inconclusive", "error"];
/// The verdicts that can be expected of a property.
const OF_PROPERTIES: [&str; 4] = ["holds", "violated", "inconclusive", "not decided"];

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

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    #[serde(default)]
    options: Table,
    #[serde(default, rename = "model")]
    models: Vec<Entry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    file: PathBuf,
    name: Option<String>,
    notation: Option<String>,
    #[serde(default)]
    options: Table,
    expect: Expect,
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
        let wrong = |reason: String| format!("{}: {reason}", path.display());
        let written: Written =
            toml::from_str(text).map_err(|error| wrong(error.to_string().trim_end().into()))?;
        if written.models.is_empty() {
            return Err(wrong("there is no [[model]]".into()));
        }
        let folder = path.parent().unwrap_or(Path::new(""));
        let models = written.models.into_iter().map(|entry| {
            let file = entry.file.display().to_string();
            let expected = entry.expected(folder, &written.options);
            expected.map_err(|reason| wrong(format!("{file}: {reason}")))
        });
        let models: Vec<Expected> = models.collect::<Result<_, _>>()?;
        for (number, model) in models.iter().enumerate() {
            if models[..number]
                .iter()
                .any(|known| known.name == model.name)
            {
                let name = &model.name;
                return Err(wrong(format!(
                    "there are two models called `{name}`; see `name`"
                )));
            }
        }
        Ok(Suite { models })
    }
}

impl Entry {
    fn expected(self, folder: &Path, common: &Table) -> Result<Expected, String> {
        self.expect.refuse_unknown()?;
        let notation = match &self.notation {
            None => None,
            Some(name) => {
                Some(notation_named(name).ok_or_else(|| format!("there is no notation `{name}`"))?)
            }
        };
        let mut options = common.clone();
        options.extend(self.options);
        Ok(Expected {
            name: self.name.unwrap_or_else(|| self.file.display().to_string()),
            file: folder.join(&self.file),
            notation,
            config: config(options)?,
            expect: self.expect,
        })
    }
}

impl Expect {
    /// A verdict that there is not would never come.
    fn refuse_unknown(&self) -> Result<(), String> {
        let (verdicts, known): (Vec<&String>, _) = match self {
            Expect::Whole(verdict) => (vec![verdict], OF_MODELS),
            Expect::Each(verdicts) => (verdicts.values().collect(), OF_PROPERTIES),
        };
        match verdicts
            .iter()
            .find(|verdict| !known.contains(&verdict.as_str()))
        {
            None => Ok(()),
            Some(verdict) => Err(format!(
                "`{verdict}` is not a verdict; expected one of {}",
                known.join(", ")
            )),
        }
    }
}

/// Options as they are typed after `mazurka check`: times and sizes may have units, the audit may be off.
fn config(mut options: Table) -> Result<Config, String> {
    if options.contains_key("checkpoint") {
        return Err("a suite does not save its searches: there is no option `checkpoint`".into());
    }
    let text_of = |options: &Table, name: &str| match options.get(name) {
        Some(Value::String(text)) => Some(text.clone()),
        _ => None,
    };
    let refused = |name: &'static str| move |reason: String| format!("{name}: {reason}");
    if let Some(text) = text_of(&options, "time") {
        let time = parse_duration(&text).map_err(refused("time"))?;
        options.insert("time".into(), Value::Float(time.as_secs_f64()));
    }
    if let Some(text) = text_of(&options, "memory") {
        let bytes = parse_size(&text).map_err(refused("memory"))?;
        let bytes = i64::try_from(bytes).map_err(|error| refused("memory")(error.to_string()))?;
        options.insert("memory".into(), Value::Integer(bytes));
    }
    let is_unaudited = text_of(&options, "audit").is_some_and(|text| text == "off");
    if is_unaudited {
        options.remove("audit");
    }
    let config = options.try_into::<Config>();
    let mut config = config.map_err(|error| error.to_string().trim_end().to_string())?;
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
    fn mistakes_are_named() {
        for (text, words) in [
            ("", "there is no [[model]]"),
            ("[[model]]\nfile = 'a.pml'", "missing field `expect`"),
            (
                "[[model]]\nfile = 'a.pml'\nexpect = 'hold'",
                "`hold` is not a verdict",
            ),
            (
                "[[model]]\nfile = 'a.pml'\nexpect = 'holds'\nfoo = 1",
                "unknown field `foo`",
            ),
            (
                "[options]\nserach = 'bfs'\n[[model]]\nfile = 'a'\nexpect = 'holds'",
                "unknown field `serach`",
            ),
            (
                "[options]\ntime = 'soon'\n[[model]]\nfile = 'a'\nexpect = 'holds'",
                "time: expected a duration",
            ),
            (
                "[options]\ncheckpoint = true\n[[model]]\nfile = 'a'\nexpect = 'holds'",
                "does not save",
            ),
            (
                "[[model]]\nfile = 'a'\nexpect = 'holds'\n[[model]]\nfile = 'a'\nexpect = 'holds'",
                "two models called `a`",
            ),
            (
                "[[model]]\nfile = 'a'\nnotation = 'x'\nexpect = 'holds'",
                "there is no notation `x`",
            ),
            ("[[model", "mazurka.toml: "),
        ] {
            let reason = refused(text);
            assert!(reason.contains(words), "{text}\n{reason}");
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
