//! An audit that failed or an internal error, read from the file that a check left behind: what it takes to see it again.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use serde::Deserialize;

use crate::checker::Checker;
use crate::config::Config;
use crate::error::Error;
use crate::load::ModelText;
use crate::notation::notation_named;
use crate::plan::Plan;

/// What `MODEL.audit.json` and `MODEL.defect.json` say: the model, and how it was checked.
///
/// ```
/// use mazurka_checker::Reproduction;
///
/// let file = r#"{
///     "format": "mazurka-audit",
///     "model": { "language": "promela" },
///     "sources": [{ "name": "p.pml", "text": "active proctype P() { skip }" }],
///     "config": { "reduce": "stubborn" },
///     "findings": [{ "property": "safety", "check": "pairs", "message": "…" }]
/// }"#;
/// let reproduction = Reproduction::from_json(file).unwrap();
/// assert_eq!(reproduction.checks(), ["pairs"]);
/// // This version of Mazurka has no such defect.
/// assert!(!reproduction.checker()?.run()?.has_failed_audit());
/// # Ok::<(), mazurka_checker::Error>(())
/// ```
#[derive(Deserialize, Clone, Debug)]
pub struct Reproduction {
    format: String,
    model: Model,
    sources: Vec<Source>,
    config: Config,
    /// Of an audit.
    #[serde(default)]
    findings: Vec<Finding>,
}

#[derive(Deserialize, Clone, Debug)]
struct Model {
    language: String,
}

#[derive(Deserialize, Clone, Debug)]
struct Source {
    name: String,
    text: String,
}

#[derive(Deserialize, Clone, Debug)]
struct Finding {
    check: String,
}

impl Checker {
    /// What is to be checked, and how: what the caller says or, for the report of a failed audit or an internal error, what that says.
    pub fn of_file(
        file: &Path,
        config: Config,
        is_notation_named: bool,
        open: impl FnOnce() -> Result<ModelText, Error>,
    ) -> Result<(Checker, Config), Error> {
        let Some(reproduction) = Reproduction::open(file) else {
            Plan::refuse_contradictions(&config)?;
            return Ok((Checker::of(open()?).config(config.clone()), config));
        };
        if config != Config::default() || is_notation_named {
            let file = file.display();
            let message = format!(
                "{file} is a report of Mazurka, which says itself how the model is checked"
            );
            return Err(Error::Usage(message));
        }
        let config = reproduction.config().clone();
        Plan::refuse_contradictions(&config)?;
        Ok((reproduction.checker()?, config))
    }
}

impl Reproduction {
    /// Reads a file if it is such a report; none if it is anything else, such as a model.
    pub fn open(path: &Path) -> Option<Reproduction> {
        if !path.is_file() {
            return None;
        }
        let mut beginning = [0; 16];
        let mut file = File::open(path).ok()?;
        let length = file.read(&mut beginning).ok()?;
        // It is JSON, which no model is.
        if !beginning[..length].trim_ascii_start().starts_with(b"{") {
            return None;
        }
        Reproduction::from_json(&std::fs::read_to_string(path).ok()?).ok()
    }

    /// Reads the file, or says why it is none.
    pub fn from_json(text: &str) -> Result<Reproduction, String> {
        let read: Reproduction = serde_json::from_str(text).map_err(|error| error.to_string())?;
        let is_known = ["mazurka-audit", "mazurka-defect"].contains(&read.format.as_str());
        match is_known && !read.sources.is_empty() {
            true => Ok(read),
            false => Err("it is not the report of a failed audit or an internal error".into()),
        }
    }

    /// The checks of the audit that failed.
    pub fn checks(&self) -> Vec<&str> {
        let findings = self.findings.iter();
        findings.map(|finding| finding.check.as_str()).collect()
    }

    /// How the model was checked.
    pub fn config(&self) -> &Config {
        &self.config
    }

    /// The same check once more.
    pub fn checker(&self) -> Result<Checker, Error> {
        // The model itself is the first of its files.
        let Some((model, others)) = self.sources.split_first() else {
            return Err(Error::Usage("the report has no model".into()));
        };
        let language = &self.model.language;
        let notation = notation_named(language)
            .ok_or_else(|| Error::Usage(format!("there is no notation `{language}`")))?;
        let text = ModelText::from_source(&model.name, model.text.as_bytes())?;
        let others = others.iter().map(|file| (&*file.name, &*file.text));
        let checker = Checker::of(text.with_files(notation, others));
        // Whoever repeats it has no search to go on with.
        let config = Config {
            checkpoint: false,
            ..self.config.clone()
        };
        Ok(checker.config(config))
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use mazurka_scenario::{ScenarioFiles, Verdict};

    use super::*;
    use crate::files::Written;
    use crate::plan::IS_WRONG;

    /// The first process takes its steps before the second looks, if only those of one process are taken.
    const MODEL: &str = "#include \"shared.pml\"
        active proctype P() { x = 1; x = 2 }
        active proctype Q() { assert(x != 1) }";

    /// From a reduction that is wrong to the verdict of a usual check, to the file beside the model, and from the file alone back.
    #[test]
    fn a_planted_error_is_followed_to_its_file_and_back() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        let model = path("model.pml");
        fs::write(&model, MODEL).unwrap();
        fs::write(path("shared.pml"), "byte x;").unwrap();
        let config = Config::default();

        IS_WRONG.set(true);
        let outcome = Checker::open(&model).unwrap().run().unwrap();
        assert_eq!(outcome.verdict(), Verdict::Inconclusive, "{outcome}");
        assert!(outcome.has_failed_audit());
        let files = ScenarioFiles::of_model(&model);
        let written = Written::write(&outcome, &config, &files, &model);
        let file = written.audit_report.expect("a file");
        assert_eq!(file, path("model.pml.audit.json"));

        fs::remove_file(&model).unwrap();
        fs::remove_file(path("shared.pml")).unwrap();
        let reproduction = Reproduction::open(&file).expect("a report");
        let outcome = reproduction.checker().unwrap().run().unwrap();
        assert_eq!(outcome.verdict(), Verdict::Inconclusive, "{outcome}");
        let findings = outcome.properties.iter();
        let failed = findings.flat_map(|property| &property.audit.tally.findings);
        let failed: Vec<&str> = failed.map(|finding| finding.kind.name()).collect();
        assert!(!failed.is_empty());
        assert!(
            reproduction
                .checks()
                .iter()
                .any(|check| failed.contains(check)),
            "{failed:?} instead of {:?}",
            reproduction.checks()
        );

        // With a reduction that is right, the same file shows what the model does.
        IS_WRONG.set(false);
        let outcome = reproduction.checker().unwrap().run().unwrap();
        assert_eq!(outcome.verdict(), Verdict::Violated);
        assert!(!outcome.has_failed_audit());
    }

    #[test]
    fn what_is_no_report_is_not_taken_for_one() {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in [
            ("model.pml", "active proctype P() { skip }"),
            ("model.json", "{ \"format\": \"mazurka-scenario\" }"),
            ("empty", ""),
        ] {
            let path = folder.path().join(name);
            fs::write(&path, text).unwrap();
            assert!(Reproduction::open(&path).is_none(), "{name}");
        }
        assert!(Reproduction::open(folder.path()).is_none());
    }
}
