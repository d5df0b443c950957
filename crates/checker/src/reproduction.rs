//! An audit that failed, read from the file that a check left behind: what it takes to see it again.

use serde::Deserialize;

use crate::checker::Checker;
use crate::config::Config;
use crate::error::Error;

/// What `MODEL.audit.json` says: the model, and how it was checked.
///
/// ```
/// use mazurka_checker::Reproduction;
///
/// let file = r#"{
///     "format": "mazurka-audit",
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
    sources: Vec<Source>,
    config: Config,
    findings: Vec<Finding>,
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

impl Reproduction {
    /// Reads the file, or says why it is none.
    pub fn from_json(text: &str) -> Result<Reproduction, String> {
        let read: Reproduction = serde_json::from_str(text).map_err(|error| error.to_string())?;
        match read.format == "mazurka-audit" && !read.sources.is_empty() {
            true => Ok(read),
            false => Err("it is not the report of an audit".into()),
        }
    }

    /// The checks that failed.
    pub fn checks(&self) -> Vec<&str> {
        let findings = self.findings.iter();
        findings.map(|finding| finding.check.as_str()).collect()
    }

    /// The same check once more. Refused if the model has several files, which have to be written to a folder first.
    pub fn checker(&self) -> Result<Checker, Error> {
        let [source] = &self.sources[..] else {
            let names: Vec<&str> = self.sources.iter().map(|file| &*file.name).collect();
            let names = names.join(", ");
            let reason =
                format!("the model has several files: {names}; write them and check there");
            return Err(Error::Usage(reason));
        };
        let checker = Checker::from_source(&source.name, source.text.as_bytes())?;
        // Whoever repeats it has no search to go on with.
        let config = Config {
            checkpoint: false,
            ..self.config.clone()
        };
        Ok(checker.config(config))
    }
}
