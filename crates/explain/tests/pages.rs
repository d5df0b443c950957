//! Every code has a page, and what the page calls wrong earns the code.

use std::collections::BTreeSet;

use mazurka_checker::{Besides, Checker, Config, Error, ModelText, notation_named};
use mazurka_explain::{Page, explain, nearest, pages, verdicts, violations};
use mazurka_scenario::{Verdict, ViolationKind};

/// What cannot be shown: a text of four gigabytes.
const WITHOUT_EXAMPLE: [&str; 4] = ["P0007", "E0004", "V0003", "S0004"];

/// The examples of a page: what stands after the opening fence, and the text.
fn examples(page: &Page) -> Vec<(&'static str, String)> {
    let parts = page.text.split("```");
    let fenced = parts.skip(1).step_by(2);
    let fenced = fenced.map(|fenced| fenced.split_once('\n').unwrap_or((fenced, "")));
    fenced.map(|(kind, text)| (kind, unfolded(text))).collect()
}

/// `⟦3 × a#,⟧` is `a0,a1,a2,`.
fn unfolded(text: &str) -> String {
    let mut result = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('⟦') {
        let (repeated, after) = after.split_once('⟧').unwrap();
        let (count, what) = repeated.split_once(" × ").unwrap();
        result += before;
        for number in 0..count.parse::<u32>().unwrap() {
            result += &what.replace('#', &number.to_string());
        }
        rest = after;
    }
    result + rest
}

/// The codes that an example earns, errors marked.
fn codes(page: &Page, kind: &str, text: &str) -> BTreeSet<(&'static str, bool)> {
    let folder = std::env::temp_dir().join(format!("mazurka-explain-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join(format!("{}.pml", page.code.id));
    let text = text.replace("\"model.pml\"", &format!("\"{}.pml\"", page.code.id));
    std::fs::write(&path, text).unwrap();
    let (_, given) = kind.split_once(" with ").unwrap_or((kind, ""));
    let formula = given.strip_prefix("--ltl ");
    let define: Vec<String> = match formula {
        None if !given.is_empty() => vec![given.to_string()],
        _ => Vec::new(),
    };
    let model = ModelText::open_as(&path, notation_named(page.notation)).unwrap();
    let loaded = model.load(&Besides {
        define: &define,
        formula,
        ..Besides::default()
    });
    let diagnostics = match loaded {
        Ok(loaded) => loaded.warnings,
        Err(Error::Diagnostics(wrong)) => wrong.diagnostics,
        Err(other) => panic!("{}: {other}", page.code),
    };
    let _ = std::fs::remove_file(&path);
    let found = diagnostics.iter();
    found
        .map(|known| (known.code.id, known.is_error()))
        .collect()
}

#[test]
fn every_code_has_a_page_whose_example_earns_it() {
    let mut complaints = Vec::new();
    for page in pages() {
        let id = page.code.id;
        let examples = examples(&page);
        if page
            .text
            .split("```")
            .next()
            .unwrap_or_default()
            .trim()
            .len()
            < 20
        {
            complaints.push(format!("{id}: there is no page"));
            continue;
        }
        let is_shown = examples
            .first()
            .is_some_and(|(kind, _)| kind.starts_with("wrong"));
        if is_shown == WITHOUT_EXAMPLE.contains(&id) {
            complaints.push(format!(
                "{id}: there should be an example first: {is_shown}"
            ));
        }
        for (kind, text) in examples {
            let found = codes(&page, kind, &text);
            let has = found.iter().any(|(known, _)| *known == id);
            let wrong = kind.starts_with("wrong");
            let is_right = !has && !found.iter().any(|(_, is_error)| *is_error);
            if wrong && !has || !wrong && !is_right {
                complaints.push(format!("{id}: {kind}: {found:?}"));
            }
        }
    }
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

#[test]
fn every_page_is_of_a_code() {
    let known: BTreeSet<&str> = pages().map(|page| page.code.id).collect();
    for text in [
        include_str!("../pages/promela.md"),
        include_str!("../pages/vfsm.md"),
        include_str!("../pages/efsm.md"),
        include_str!("../pages/sdl.md"),
    ] {
        for heading in text.lines().filter_map(|line| line.strip_prefix("## ")) {
            assert!(known.contains(heading), "{heading}");
        }
    }
}

#[test]
fn repetitions_are_unfolded() {
    assert_eq!(unfolded("a⟦3 × b#,⟧c"), "ab0,b1,b2,c");
}

/// Kinds of violation that only real programs have, and two whose smallest examples are long.
const WITHOUT_MODEL: [&str; 8] = [
    "invariant",
    "unsettled",
    "crash",
    "divergence",
    "livelock",
    "left-behind",
    "data-race",
    "use-after-free",
];

#[test]
fn every_kind_of_violation_has_a_page_whose_example_shows_it() {
    let pages: Vec<Page> = violations().collect();
    let named: Vec<&str> = pages.iter().map(|page| page.code.id).collect();
    let kinds: Vec<&str> = ViolationKind::ALL.iter().map(|kind| kind.name()).collect();
    assert_eq!(named, kinds);
    for page in pages {
        let id = page.code.id;
        assert!(page.code.summary.contains(' '), "{id}");
        let examples = examples(&page);
        assert_eq!(examples.is_empty(), WITHOUT_MODEL.contains(&id), "{id}");
        for (how, text) in examples {
            let name = match how.ends_with(".efsm") {
                true => "example.efsm",
                false => "example.pml",
            };
            let config = Config {
                acceptance: how.ends_with("--acceptance"),
                progress: how.ends_with("--livelock"),
                ..Config::default()
            };
            let checker = Checker::from_source(name, text).unwrap().config(config);
            let outcome = checker
                .run()
                .unwrap_or_else(|error| panic!("{id}: {error}"));
            let found: Vec<_> = outcome.violations().map(|known| known.kind()).collect();
            match how.starts_with("wrong") {
                true => assert!(
                    found.iter().any(|kind| kind.name() == id),
                    "{id}: {outcome}"
                ),
                false => assert!(outcome.holds(), "{id}: {outcome}"),
            }
        }
    }
}

/// What reports say besides the verdicts.
const BESIDES: [&str; 2] = ["vacuous", "unreached"];

#[test]
fn every_verdict_has_a_page_whose_example_shows_it() {
    let known = [
        Verdict::Holds,
        Verdict::Violated,
        Verdict::Inconclusive,
        Verdict::NotDecided,
    ];
    let known = known.map(|verdict| explain(verdict.name()).unwrap().code.id);
    let named: Vec<&str> = verdicts().map(|page| page.code.id).collect();
    assert_eq!(named, [known.as_slice(), BESIDES.as_slice()].concat());
    for page in verdicts() {
        let id = page.code.id;
        for (how, text) in examples(&page) {
            let depth = how.strip_prefix("wrong with --depth ");
            let config = Config {
                depth: depth.map(|depth| depth.parse().unwrap()),
                ..Config::default()
            };
            let checker = Checker::from_source("p.pml", text).unwrap().config(config);
            let outcome = checker
                .run()
                .unwrap_or_else(|error| panic!("{id}: {error}"));
            let mut properties = outcome.properties.iter();
            let shown = match id {
                "vacuous" => properties.any(|known| known.vacuous),
                "unreached" => outcome.holds() && !outcome.unreached().is_empty(),
                "not-decided" => properties.any(|known| known.verdict == Verdict::NotDecided),
                _ => outcome.verdict().name() == id && outcome.unreached().is_empty(),
            };
            assert!(shown, "{id}: {outcome}");
        }
    }
}

#[test]
fn what_was_meant_is_guessed() {
    assert_eq!(nearest("dead"), Some("deadlock"));
    assert_eq!(nearest("DEAD"), Some("deadlock"));
    assert_eq!(nearest("asertion"), Some("assertion"));
    assert_eq!(nearest("inconclusiv"), Some("inconclusive"));
    // Several begin so.
    assert_eq!(nearest("P0"), None);
    assert_eq!(nearest(""), None);
    assert_eq!(nearest("X0001"), None);
}

/// Messages that nobody takes are reported wherever the machines are.
#[test]
fn messages_are_left_where_no_state_is_final() {
    let model = "machine A(b: B) { start state S; state E; S -> E !b.in.x; }
        machine B { port in[3] { x } start state S; }
        system { a: A(b); b: B; }";
    let outcome = Checker::from_source("left.efsm", model)
        .unwrap()
        .run()
        .unwrap();
    let kinds: Vec<_> = outcome.violations().map(|it| it.kind()).collect();
    assert!(
        kinds.contains(&ViolationKind::NonprogressState),
        "{outcome}"
    );
}
