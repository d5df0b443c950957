//! Any bytes as the file that a failed audit leaves behind.

use mazurka_checker::{Error, Reproduction};

use crate::configs::bounded;
use crate::models::Fate;

/// Reads the file, and checks once more what it says.
pub fn reproduction(bytes: &[u8]) -> Fate {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return Fate::Refused;
    };
    let reproduction = match Reproduction::from_json(text) {
        Ok(reproduction) => reproduction,
        Err(reason) => {
            assert!(!reason.is_empty());
            return Fate::Refused;
        }
    };
    let checks = reproduction.checks().len();
    let checker = reproduction.checker().map(|checker| {
        let config = bounded(reproduction.config().clone());
        checker.config(config)
    });
    match checker.and_then(|checker| checker.run()) {
        Ok(outcome) => {
            assert!(!outcome.has_failed_audit(), "{outcome}");
            Fate::Ran(checks)
        }
        Err(Error::Internal(reason)) => panic!("{reason}"),
        Err(reason) => {
            assert!(!reason.to_string().is_empty());
            Fate::Refused
        }
    }
}

/// Valid files, of models in two notations.
pub fn valid() -> Vec<Vec<u8>> {
    let machines = "machine A { port p[2] { m(byte) } var x: byte; start final state S; state T; \
                    S -> T !a.p.m(x); T -> S ?p.m(x); } system { a: A; }";
    let models = [
        (
            "p.pml",
            "promela",
            "byte x; active [2] proctype P() { x++; x-- }",
            "stubborn",
        ),
        ("p.efsm", "efsm", machines, "auto"),
    ];
    let file = |(name, language, text, reduce): (&str, &str, &str, &str)| {
        serde_json::json!({
            "format": "mazurka-audit",
            "version": "0.1.0",
            "model": { "file": name, "language": language },
            "sources": [{ "name": name, "text": text }],
            "config": { "reduce": reduce, "audit": 1.0, "jobs": 1 },
            "findings": [{ "property": "safety", "check": "pairs", "message": "…", "path": [], "walk": [], "about": [[], []] }],
        })
    };
    let files = models.map(file);
    files.map(|file| file.to_string().into_bytes()).to_vec()
}
