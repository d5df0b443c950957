//! Every format of every kind of result is well formed.

use mazurka_checker::{Checker, Config, Report, Written};
use mazurka_report::{Document, Format, Human, decided, human, render};
use mazurka_scenario::Style;
use serde_json::Value;

/// A model that holds, one with an unreached statement and a warning, one that is violated, one that is inconclusive, one with a mistake,
/// and one that is not there.
fn documents() -> Vec<Document> {
    let texts = [
        ("holds.pml", "active proctype P() { skip }"),
        (
            "odd <&>.pml",
            "byte x, spare; active proctype P() { if :: x == 1 -> x = 2 :: else fi }",
        ),
        (
            "wrong.pml",
            "byte x; active [2] proctype P() { x++; assert(x < 2) }\nltl small { [] (x < 2) }",
        ),
        (
            "long.pml",
            "int x; active proctype P() { do :: x++ :: x == 1000 -> x = 0 od }",
        ),
        ("typo.pml", "byte count; init { cuont = \"\u{1}\" }"),
    ];
    let config = Config {
        jobs: Some(1),
        depth: Some(50),
        ..Config::default()
    };
    let mut documents: Vec<Document> = texts
        .into_iter()
        .map(|(name, text)| {
            let checker = Checker::from_source(name, text)
                .unwrap()
                .config(config.clone());
            match checker.run() {
                Ok(outcome) => {
                    Document::checked(Report::of(&outcome, &config, &Default::default()))
                }
                Err(error) => Document::refused(name, &error),
            }
        })
        .collect();
    let missing = Checker::open("missing.pml").unwrap_err();
    documents.push(Document::refused("missing.pml", &missing));
    documents
}

/// Does a value fit a schema? The part of JSON Schema that ours uses; and no field may be left undescribed.
fn fits(schema: &Value, root: &Value, value: &Value, at: &str) -> Result<(), String> {
    if let Some(reference) = schema["$ref"].as_str() {
        let name = reference.trim_start_matches("#/$defs/");
        return fits(&root["$defs"][name], root, value, at);
    }
    if let Some(choices) = schema["oneOf"].as_array() {
        let fitting = choices.iter().map(|choice| fits(choice, root, value, at));
        let errors: Vec<String> = fitting.filter_map(Result::err).collect();
        return match errors.len() + 1 == choices.len() {
            true => Ok(()),
            false => Err(errors.join("; ")),
        };
    }
    if let Some(expected) = schema.get("const") {
        return (expected == value)
            .then_some(())
            .ok_or(format!("{at}: {value} is not {expected}"));
    }
    if let Some(known) = schema["enum"].as_array() {
        return known
            .contains(value)
            .then_some(())
            .ok_or(format!("{at}: {value}"));
    }
    let kind = match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(number) if number.is_f64() => "number",
        Value::Number(_) => "integer",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    };
    let is_kind = |expected: &Value| expected == kind || expected == "number" && kind == "integer";
    let is_fitting = match &schema["type"] {
        Value::Array(kinds) => kinds.iter().any(is_kind),
        expected => is_kind(expected),
    };
    if !is_fitting {
        return Err(format!("{at}: {value} is not {}", schema["type"]));
    }
    for item in value.as_array().into_iter().flatten() {
        fits(&schema["items"], root, item, &format!("{at}[]"))?;
    }
    let Some(fields) = value.as_object() else {
        return Ok(());
    };
    for name in schema["required"].as_array().into_iter().flatten() {
        let name = name.as_str().unwrap();
        fields
            .get(name)
            .ok_or(format!("{at}: there is no {name}"))?;
    }
    // The audit and the options are described elsewhere.
    let is_open = schema["properties"]
        .as_object()
        .is_none_or(|known| known.len() < 2);
    for (name, value) in fields {
        match schema["properties"].get(name) {
            Some(schema) => fits(schema, root, value, &format!("{at}.{name}"))?,
            None if is_open => {}
            None => return Err(format!("{at}.{name} is not described")),
        }
    }
    Ok(())
}

#[test]
fn json_is_as_the_schema_says() {
    let schema: Value =
        serde_json::from_str(include_str!("../../../docs/report.schema.json")).unwrap();
    let documents = documents();
    let singles = documents.iter().map(std::slice::from_ref);
    for documents in singles.chain([documents.as_slice()]) {
        let text = render(documents, Format::Json);
        let value: Value = serde_json::from_str(&text).unwrap();
        fits(&schema, &schema, &value, "").unwrap_or_else(|reason| panic!("{reason}\n{text}"));
    }
}

#[test]
fn json_has_diagnostics_and_what_was_not_reached() {
    let value: Value = serde_json::from_str(&render(&documents(), Format::Json)).unwrap();
    let models = value["models"].as_array().unwrap();
    let verdicts: Vec<&str> = models
        .iter()
        .map(|model| model["verdict"].as_str().unwrap())
        .collect();
    assert_eq!(
        verdicts,
        [
            "holds",
            "holds",
            "violated",
            "inconclusive",
            "error",
            "error"
        ]
    );
    assert_eq!(value["verdict"], "error");
    assert_eq!(models[1]["diagnostics"][0]["code"], "P0207");
    assert_eq!(models[1]["unreached"][0]["name"], "P");
    assert_eq!(models[4]["error"]["kind"], "model");
    assert_eq!(models[5]["error"]["kind"], "usage");
}

#[test]
fn each_property_has_its_own_figures() {
    let documents = documents();
    let known: Value = serde_json::from_str(&render(&documents[2..3], Format::Json)).unwrap();
    let properties = known["properties"].as_array().unwrap();
    let states = properties
        .iter()
        .map(|known| known["stats"]["states"].as_u64().unwrap());
    let states: Vec<u64> = states.collect();
    assert_eq!(states.len(), 2);
    assert!(states.iter().all(|count| *count > 0), "{states:?}");
    assert_eq!(known["stats"]["states"], states[0]);
    assert_eq!(documents[2].states(), states.iter().sum::<u64>());
}

#[test]
fn a_rule_of_sarif_says_what_it_means() {
    let sarif: Value = serde_json::from_str(&render(&documents(), Format::Sarif)).unwrap();
    let rules = sarif["runs"][0]["tool"]["driver"]["rules"]
        .as_array()
        .unwrap();
    for rule in rules {
        let id = rule["id"].as_str().unwrap();
        let help = rule["help"]["text"]
            .as_str()
            .unwrap_or_else(|| panic!("{id}"));
        let summary = rule["shortDescription"]["text"].as_str().unwrap();
        assert!(
            help.starts_with(&format!("{id}: {summary}\n")),
            "{id}: {help}"
        );
    }
}

#[test]
fn the_table_says_why_a_formula_is_open() {
    let model = "byte x = 1; active proctype P() { x = 0; x = 1 / x } ltl ends { <> (x == 2) }";
    let config = Config::default();
    let checker = Checker::from_source("open.pml", model).unwrap();
    let outcome = checker.config(config.clone()).run().unwrap();
    let mut report = Report::of(&outcome, &config, &Default::default());
    report.verdict = mazurka_checker::Verdict::Inconclusive;
    let table = mazurka_report::table(&[Document::checked(report)], Style::default());
    assert!(
        table.contains("ends: stopped by division by zero"),
        "{table}"
    );
}

#[test]
fn sarif_has_a_rule_and_a_place_for_each_result() {
    let text = render(&documents(), Format::Sarif);
    let log: Value = serde_json::from_str(&text).unwrap();
    let run = &log["runs"][0];
    let rules = run["tool"]["driver"]["rules"].as_array().unwrap();
    let results = run["results"].as_array().unwrap();
    assert!(results.len() >= 4, "{text}");
    for result in results {
        assert!(
            rules.iter().any(|rule| rule["id"] == result["ruleId"]),
            "{result}"
        );
        let place = &result["locations"][0]["physicalLocation"];
        assert!(
            place["region"]["startLine"]
                .as_u64()
                .is_some_and(|line| line > 0),
            "{result}"
        );
        let address = place["artifactLocation"]["uri"].as_str().unwrap();
        assert!(!address.contains([' ', '<', '&']), "{address}");
    }
    assert_eq!(run["invocations"][0]["executionSuccessful"], false);
}

/// Do elements close as they open, and is what must be escaped escaped?
fn is_well_formed(xml: &str) -> bool {
    let mut open = Vec::new();
    let body = xml.split_once("?>").unwrap().1;
    for part in body.split('<').skip(1) {
        let (tag, text) = part.split_once('>').unwrap();
        let escaped = |text: &str| {
            let rest = text.split('&').skip(1);
            rest.into_iter().all(|rest| {
                ["amp;", "lt;", "gt;", "quot;", "#"]
                    .iter()
                    .any(|known| rest.starts_with(known))
            })
        };
        if !escaped(tag)
            || !escaped(text)
            || text.contains('\u{1}')
            || tag.matches('"').count() % 2 == 1
        {
            return false;
        }
        let name = |tag: &str| tag.split([' ', '/']).next().unwrap_or_default().to_string();
        match (tag.strip_prefix('/'), tag.ends_with('/')) {
            (Some(closed), _) => {
                if open.pop() != Some(closed.to_string()) {
                    return false;
                }
            }
            (None, true) => {}
            (None, false) => open.push(name(tag)),
        }
    }
    open.is_empty()
}

#[test]
fn junit_has_a_case_for_each_property() {
    let text = render(&documents(), Format::Junit);
    assert!(is_well_formed(&text), "{text}");
    assert_eq!(text.matches("<testsuite ").count(), 6, "{text}");
    assert!(
        text.contains("<testcase classname=\"wrong.pml\" name=\"small\" time=\""),
        "{text}"
    );
    let totals = "<testsuites name=\"mazurka\" tests=\"7\" failures=\"2\" errors=\"3\" skipped=\"0\" time=\"";
    assert!(text.contains(totals), "{text}");
    let of_one = "<testsuite name=\"wrong.pml\" tests=\"2\" failures=\"2\" errors=\"0\" skipped=\"0\" time=\"";
    assert!(text.contains(of_one), "{text}");
    assert_eq!(text.matches("<failure ").count(), 2, "{text}");
    assert_eq!(text.matches("<error ").count(), 3, "{text}");
}

#[test]
fn annotations_are_one_line_each() {
    let text = render(&documents(), Format::Github);
    for line in text.lines().filter(|line| line.starts_with("::")) {
        let (head, _) = line[2..].split_once("::").unwrap();
        let (level, _) = head.split_once(' ').unwrap();
        assert!(["error", "warning", "notice"].contains(&level), "{line}");
    }
    assert!(
        text.contains("::warning file=odd <&>.pml,line=1,col=9,title=P0207::"),
        "{text}"
    );
    assert!(
        text.contains("title=unreached::no execution of P comes to: x = 2"),
        "{text}"
    );
    // What a search did not come to that did not come to its end may still be reached.
    let searched = "title=unreached::in the part that was searched, P does not come to: x = 0";
    assert!(text.contains(searched), "{text}");
}

#[test]
fn the_table_ends_with_how_many_there_are() {
    let text = render(&documents(), Format::Human);
    assert_eq!(text.lines().count(), 7);
    assert!(
        text.ends_with("6 models: 2 hold, 1 violated, 1 inconclusive, 2 errors\n"),
        "{text}"
    );
}

/// Nobody who reads only one of the formats takes it for a formula that says something.
#[test]
fn a_formula_that_holds_vacuously_is_told_in_every_format() {
    let model = "byte x; active proctype P() { x = 1 }\nltl idle { [] ((x == 2) -> <> (x == 1)) }";
    let config = Config::default();
    let checker = Checker::from_source("idle.pml", model).unwrap();
    let outcome = checker.config(config.clone()).run().unwrap();
    let report = Report::of(&outcome, &config, &Default::default());
    let documents = [Document::checked(report)];
    for format in [Format::Junit, Format::Sarif, Format::Github, Format::Json] {
        let text = render(&documents, format);
        assert!(text.contains("vacuous"), "{text}");
    }
    // It is shown at the formula, not where the model begins.
    let sarif: serde_json::Value =
        serde_json::from_str(&render(&documents, Format::Sarif)).unwrap();
    let place = &sarif["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["region"];
    assert_eq!(
        (&place["startLine"], &place["startColumn"]),
        (&2.into(), &12.into())
    );
    let github = render(&documents, Format::Github);
    assert!(github.contains("line=2,col=12"), "{github}");
}

#[test]
fn what_is_decided_while_others_wait_is_one_line() {
    let model = "byte x; active [2] proctype P() { x++; assert(x < 2) }\nltl small { [] (x < 2) }";
    let checker = Checker::from_source("wrong.pml", model).unwrap();
    let outcome = checker.jobs(1).run().unwrap();
    let told = decided(&outcome.properties[0], "ltl small", Style::default());
    let (verdict, figures) = told.split_once(" — ").unwrap();
    assert_eq!(verdict, "safety: violated");
    let words = "; assertion after 3 steps; next: ltl small\n";
    assert!(figures.ends_with(words), "{told}");
}

#[test]
fn quiet_is_verdicts_and_where_scenarios_are() {
    let config = Config::default();
    let model = "byte x; active [2] proctype P() { x++; assert(x < 2) }\nltl small { [] (x < 2) }";
    let checker = Checker::from_source("wrong.pml", model).unwrap();
    let outcome = checker.jobs(1).run().unwrap();
    let written = Written {
        scenarios: vec![Some("-wrong.scenario.json".into()), None],
        ..Written::default()
    };
    let text = human(
        &Human {
            outcome: &outcome,
            config: &config,
            written: &written,
            quiet: true,
            audited: false,
        },
        Style::default(),
    );
    let lines: Vec<&str> = text.lines().collect();
    let [whole, safety, small, place] = lines[..] else {
        panic!("{text}");
    };
    assert!(whole.starts_with("wrong.pml: violated — "), "{text}");
    assert!(safety.starts_with("  safety: violated — "), "{text}");
    assert!(small.starts_with("  ltl small: violated — "), "{text}");
    assert_eq!(place, "for more: mazurka show ./-wrong.scenario.json");
}
