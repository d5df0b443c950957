//! SARIF 2.1.0, which editors and code hosts show beside the source.

use std::collections::BTreeMap;

use mazurka_scenario::Position;
use serde_json::{Value, json};

use crate::Document;

const SCHEMA: &str = "https://json.schemastore.org/sarif-2.1.0.json";

/// Violations and errors have the level `error`, warnings and formulas that hold vacuously `warning`, unreached statements `note`. A model without a verdict, or an
/// internal error, makes the run unsuccessful, so that no results is not taken for no problems.
pub(crate) fn sarif(documents: &[Document]) -> String {
    let mut rules: BTreeMap<String, &str> = BTreeMap::new();
    let mut results = Vec::new();
    let mut notifications = Vec::new();
    for document in documents {
        for known in document.diagnostics() {
            let message = match &known.hint {
                Some(hint) => format!("{} ({hint})", known.message),
                None => known.message.clone(),
            };
            let places = (known.at.as_ref(), known.to.as_ref());
            rules.insert(known.code.clone(), "diagnostic");
            results.push(result(&known.code, known.severity.name(), &message, places));
        }
        match document {
            Document::Refused(refused) => {
                notifications.push(notification(document.model(), &refused.error.message));
            }
            Document::Checked(report) => {
                for violation in &report.violations {
                    let kind = violation.kind.name();
                    rules.insert(kind.into(), "violation");
                    let message = format!("{}: {}", violation.property, violation.message);
                    let at = violation.at.clone();
                    let at = at.unwrap_or_else(|| document.beginning());
                    let mut found = result(kind, "error", &message, (Some(&at), None));
                    found["properties"] = json!({
                        "property": violation.property,
                        "steps": violation.steps,
                        "scenario": violation.scenario,
                    });
                    results.push(found);
                }
                for (at, message) in document.undecided() {
                    rules.insert("not-decided".into(), "verdict");
                    let places = (Some(&at), None);
                    results.push(result("not-decided", "warning", &message, places));
                }
                for (at, message) in document.vacuous() {
                    rules.insert("vacuous".into(), "verdict");
                    results.push(result("vacuous", "warning", &message, (Some(&at), None)));
                }
                for (at, message) in document.unreached() {
                    rules.insert("unreached".into(), "coverage");
                    results.push(result("unreached", "note", &message, (Some(&at), None)));
                }
                if let Some(reason) = &report.reason {
                    notifications.push(notification(document.model(), reason));
                }
                for (name, message) in document.internal_errors() {
                    let message = format!("internal error: {name}: {message}");
                    notifications.push(notification(document.model(), &message));
                }
            }
        }
    }
    let rules: Vec<Value> = rules.iter().map(|(id, kind)| rule(id, kind)).collect();
    let is_done =
        |known: &Document| known.verdict().is_some() && known.internal_errors().next().is_none();
    let is_done = documents.iter().all(is_done);
    let log = json!({
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "Mazurka",
                "semanticVersion": env!("CARGO_PKG_VERSION"),
                "rules": rules,
            } },
            "invocations": [{
                "executionSuccessful": is_done,
                "toolExecutionNotifications": notifications,
            }],
            "columnKind": "unicodeCodePoints",
            "results": results,
        }],
    });
    // There is nothing in it that could fail.
    serde_json::to_string_pretty(&log).unwrap_or_default() + "\n"
}

/// A rule with its texts, which code hosts show beside its results.
fn rule(id: &str, kind: &str) -> Value {
    let mut rule = json!({ "id": id, "properties": { "tags": [kind] } });
    if let Some(page) = mazurka_explain::explain(id) {
        rule["shortDescription"] = json!({ "text": page.code.summary });
        rule["help"] = json!({ "text": page.to_string(), "markdown": page.text });
    }
    rule
}

fn result(
    rule: &str,
    level: &str,
    message: &str,
    (at, to): (Option<&Position>, Option<&Position>),
) -> Value {
    let mut value = json!({ "ruleId": rule, "level": level, "message": { "text": message } });
    if let Some(at) = at {
        let mut region = json!({ "startLine": at.line, "startColumn": at.column });
        if let Some(to) = to.filter(|to| (to.line, to.column) > (at.line, at.column)) {
            region["endLine"] = json!(to.line);
            region["endColumn"] = json!(to.column);
        }
        value["locations"] = json!([{ "physicalLocation": {
            "artifactLocation": { "uri": uri(&at.file) },
            "region": region,
        } }]);
    }
    value
}

fn notification(model: &str, message: &str) -> Value {
    json!({
        "level": "error",
        "message": { "text": format!("{model}: {message}") },
        "locations": [{ "physicalLocation": { "artifactLocation": { "uri": uri(model) } } }],
    })
}

/// A path as a relative reference, or as a `file:` address if it begins at the root.
fn uri(path: &str) -> String {
    let mut text = String::from(if path.starts_with('/') { "file://" } else { "" });
    for byte in path.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
                text.push(byte.into())
            }
            other => text += &format!("%{other:02X}"),
        }
    }
    text
}
