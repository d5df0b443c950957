//! Whole pictures: what they show, that they are well formed, and that nothing of a model is markup.

use mazurka_checker::{Checker, Extent, ModelText, Outcome, Reduction, Simulation, StateGraph};
use mazurka_draw::{
    ChartOptions, Drawing, Graph, chart_page, chart_svg, graph_page, graph_svg, mermaid, plantuml,
};
use mazurka_scenario::{Run, ViolationRecord};

const TALK: &str = r#"
chan q = [2] of { byte }; chan meet = [0] of { byte };
active proctype A() { q!1; q!2; printf("</text><script>alert(1)</script>"); meet!3 }
active proctype B() { byte x; meet?x; atomic { q?x; q?x }; run C(); assert(x == 1) }
proctype C() { skip }
"#;

fn violated(text: &str) -> (Run, ViolationRecord) {
    let checker = Checker::from_source("talk.pml", text).unwrap().jobs(1);
    let outcome: Outcome = checker.run().unwrap();
    let violation = outcome.violations().next().expect("it is violated");
    (outcome.run(violation).unwrap(), violation.record.clone())
}

/// Every tag is closed, and attributes are quoted: what a reader of XML needs.
fn assert_well_formed(text: &str) {
    let mut open: Vec<&str> = Vec::new();
    let mut rest = text;
    while let Some(start) = rest.find('<') {
        let end = start + rest[start..].find('>').expect("a tag ends");
        let tag = &rest[start + 1..end];
        rest = &rest[end + 1..];
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop(), Some(name));
        } else if !tag.ends_with('/') && !tag.starts_with(['!', '?']) {
            open.push(tag.split_whitespace().next().unwrap());
        }
        assert_eq!(tag.matches('"').count() % 2, 0, "{tag}");
    }
    assert_eq!(open, Vec::<&str>::new());
}

#[test]
fn a_chart_has_lifelines_arrows_boxes_and_the_violation() {
    let (run, violation) = violated(TALK);
    let svg = chart_svg(&run, Some(&violation), "talk <&>");
    assert_well_formed(&svg);
    for piece in [
        "class=\"life\"",
        "class=\"arrow\"",
        "class=\"atomic\"",
        "A[0]",
        "q!1",
        "meet!3",
        "C[2]",
        "✗ assertion",
        "talk &lt;&amp;&gt;",
    ] {
        assert!(svg.contains(piece), "{piece}:\n{svg}");
    }
}

#[test]
fn a_script_in_a_string_is_text_everywhere() {
    let (run, violation) = violated(TALK);
    let said = "alert(1)";
    for picture in [
        chart_svg(&run, Some(&violation), "</title><script>"),
        chart_page(&run, Some(&violation), "</title><script>"),
    ] {
        assert!(picture.contains(said));
        assert!(!picture.contains("<script>alert"), "{picture}");
        assert!(!picture.contains("</title><script>"));
    }
    let diagram = mermaid(&run, Some(&violation)) + &plantuml(&run, Some(&violation));
    assert!(!diagram.contains('<'));
}

#[test]
fn a_chart_that_grows_is_the_chart_of_the_whole() {
    let (run, _) = violated(TALK);
    let whole = Drawing::of(&run, ChartOptions::default());
    let mut grown = Drawing::new(&run, ChartOptions::default());
    for (number, step) in run.steps.iter().enumerate() {
        assert!(grown.has_room_for(step));
        grown.push(step);
        assert_eq!(grown.rows()[number], whole.rows()[number]);
    }
    assert_eq!(grown.stretches(), whole.stretches());
    assert_eq!(grown.columns(), whole.columns());
}

#[test]
fn processes_of_a_type_share_a_lifeline_when_they_are_folded() {
    let many = "byte x; active [40] proctype W() { x++; assert(x < 3) }";
    let (run, _) = violated(many);
    let options = ChartOptions {
        folded: vec!["W".into()],
        ..ChartOptions::default()
    };
    let folded = Drawing::of(&run, options);
    assert_eq!(folded.columns().len(), 1);
    assert!(folded.header().contains("W ×40"));
    let filter = ChartOptions {
        filter: "assert".into(),
        ..ChartOptions::default()
    };
    let filtered = Drawing::of(&run, filter);
    assert!(filtered.rows().len() < run.steps.len());
    assert!(filtered.rows().iter().all(|row| row.svg.contains("assert")));
}

#[test]
fn a_cycle_stands_in_a_frame() {
    let text = "bit x; active proctype P() { do :: x = 1 - x od } ltl p { <>[] (x == 0) }";
    let (run, violation) = violated(text);
    assert!(run.loop_from.is_some());
    let svg = chart_svg(&run, Some(&violation), "cycle");
    assert!(svg.contains("repeats for ever"), "{svg}");
    assert!(mermaid(&run, None).contains("loop for ever"));
}

#[test]
fn graphs_show_values_and_what_is_left_out() {
    let text = "byte x, y; active proctype P() { x = 1 } active proctype Q() { y = 1 }";
    let model = ModelText::from_source("two.pml", text).unwrap();
    let simulation = Simulation::new(&model, &Default::default()).unwrap();
    let extent = Extent {
        reduce: Reduction::Stubborn,
        left_out: true,
        states: 100,
    };
    let states = StateGraph::around(simulation.walk(), extent).unwrap();
    let graph = Graph::of_states("two <states>", &states);
    let svg = graph_svg(&graph);
    assert_well_formed(&svg);
    for piece in [
        "x=1 y=0",
        "P[0]: x = 1",
        "class=\"n out\"",
        "two &lt;states&gt;",
    ] {
        assert!(svg.contains(piece), "{piece}:\n{svg}");
    }
    assert!(graph_page(&graph).contains("x=1 y=0"));
    assert!(graph.dot().contains("x=1 y=0") && graph.dot().contains("style=dashed"));
    let json = serde_json::to_string(&graph).unwrap();
    assert!(json.contains("\"left_out\":true") && json.contains("\"name\":\"x\",\"value\":\"1\""));
}

#[test]
fn a_report_has_verdicts_charts_and_what_was_never_reached() {
    let text = "byte x; /* <script> */\nactive proctype P() {\n  if\n  :: x == 0 -> x = 1\n  :: x == 5 -> x = 2\n  fi\n}\nltl p { [] (x == 0) }\n";
    let checker = Checker::from_source("if.pml", text).unwrap().jobs(1);
    let outcome = checker.run().unwrap();
    let config = mazurka_checker::Config {
        all: true,
        ..Default::default()
    };
    let samples = [1, 2, 3].map(|number| mazurka_draw::Sample {
        seconds: f64::from(number),
        states: 10,
        bytes: 20,
        depth: 3,
    });
    let page = mazurka_draw::report(&outcome, &config, &samples);
    for piece in [
        "✓ holds",
        "✗ violated",
        "[] (x == 0)",
        "never reached: ",
        "class=\"never\"",
        "class=\"met\"",
        "&lt;script&gt;",
        "section class=\"run\"",
        "<td>all</td>",
        "states over time",
    ] {
        assert!(page.contains(piece), "{piece}:\n{page}");
    }
    assert!(!page.contains("http://") || page.contains("http://www.w3.org/2000/svg"));
}
