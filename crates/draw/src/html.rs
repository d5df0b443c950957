//! Pages that stand alone: a chart with a slider and the values at each step, and graphs.
//!
//! Nothing is fetched from anywhere, and nothing that a model says is markup or script: text is escaped, data is JSON in which no tag can begin.

use mazurka_scenario::figures::counted;
use mazurka_scenario::{Happening, Run, StepRecord, ViolationRecord};
use serde_json::{Value, json};

use crate::chart::{ChartOptions, Drawing};
use crate::graph::Graph;
use crate::layered::Layout;
use crate::svg::{escape, style};

/// A longer run is shown from the middle, to its end.
const STEPS: usize = 20_000;

/// What a page of ours says near its beginning.
pub(crate) const MARK: &str = "<meta name=\"generator\" content=\"Mazurka\">";

const PAGE_STYLE: &str = include_str!("page.css");
const PAGE_SCRIPT: &str = include_str!("page.js");

/// A page of a run.
pub fn chart_page(run: &Run, violation: Option<&ViolationRecord>, title: &str) -> String {
    let body = format!(
        "<h1>{}</h1>\n{}",
        escape(title),
        chart_section(run, violation)
    );
    document(title, &body)
}

/// A page of a graph.
pub fn graph_page(graph: &Graph) -> String {
    let layout = Layout::of(graph);
    let nodes = counted(graph.nodes.len() as u64, "node");
    let edges = counted(graph.edges.len() as u64, "edge");
    let body = format!(
        "<h1>{}</h1>\n<p class=\"quiet\">{nodes}, {edges}. Hold the pointer over a node for all its values.</p>\n<div class=\"scroll\">{}</div>\n",
        escape(&graph.name),
        embedded(layout.width, layout.height, &layout.svg(), &graph.name)
    );
    document(&graph.name, &body)
}

/// A run as a part of a page: a chart, a slider, and the values at each step.
pub fn chart_section(run: &Run, violation: Option<&ViolationRecord>) -> String {
    let cut;
    let run = match run.steps.len() > STEPS {
        false => run,
        true => {
            let first = run.steps.len() - STEPS;
            cut = Run {
                skipped: run.skipped + first,
                steps: run.steps[first..].to_vec(),
                ..run.clone()
            };
            &cut
        }
    };
    let drawing = Drawing::of(run, ChartOptions::default());
    let mut svg = drawing.lifelines(0, drawing.total_height());
    for stretch in drawing.stretches() {
        svg += &stretch.svg;
    }
    for row in drawing.rows() {
        svg += &format!(
            "<g class=\"step\" data-step=\"{}\"><rect class=\"hit\" x=\"0\" y=\"{}\" width=\"100%\" height=\"{}\"/>{}</g>\n",
            row.step, row.y, row.height, row.svg
        );
    }
    let frame = drawing.loop_frame(run.loop_from);
    let height = frame.as_ref().map_or(0, |frame| frame.to + 8);
    svg += frame.as_ref().map_or("", |frame| frame.svg.as_str());
    let height = height.max(drawing.total_height());
    let width = drawing.total_width();
    let wrong = violation.map_or(String::new(), |violation| {
        let text = format!("{}: {}", violation.kind, violation.message);
        format!("<p class=\"wrong\">✗ {}</p>", escape(&text))
    });
    let last = run.skipped + run.steps.len();
    format!(
        "<section class=\"run\">{wrong}\n\
         <p class=\"walk\"><button type=\"button\" data-go=\"-1\" title=\"Step back (←)\">◀ Back</button> <button type=\"button\" data-go=\"1\" title=\"Step forward (→)\">Step ▶</button> \
         <input type=\"range\" aria-label=\"step\" min=\"{}\" max=\"{last}\" value=\"{last}\"> <output></output></p>\n\
         <div class=\"beside\"><div class=\"scroll chart\"><div class=\"names\">{}</div>{}</div><div class=\"now\" aria-live=\"polite\"></div></div>\n\
         <script type=\"application/json\" class=\"data\">{}</script></section>\n",
        run.skipped,
        // The names stay in sight while the chart is scrolled under them.
        embedded(
            width,
            drawing.header_height(),
            &drawing.all_names(),
            "names"
        ),
        embedded(width, height, &svg, "message sequence chart"),
        json_for_script(&data(run))
    )
}

/// A page around a body.
pub fn document(title: &str, body: &str) -> String {
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n{MARK}\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<meta name=\"color-scheme\" content=\"light dark\">\n<title>{}</title>\n<style>{}{PAGE_STYLE}</style>\n</head>\n\
         <body>\n<main>\n{body}</main>\n<script>{PAGE_SCRIPT}</script>\n</body>\n</html>\n",
        escape(title),
        style()
    )
}

/// JSON that may stand inside a script element: no tag and no comment begins in it.
pub fn json_for_script(value: &Value) -> String {
    let text = value.to_string();
    text.replace('<', "\\u003c")
        .replace('>', "\\u003e")
        .replace('&', "\\u0026")
        .replace('\u{2028}', "\\u2028")
        .replace('\u{2029}', "\\u2029")
}

fn embedded(width: i32, height: i32, svg: &str, title: &str) -> String {
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"mz\" role=\"img\" aria-label=\"{}\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\">{svg}</svg>",
        escape(title)
    )
}

/// The values at the beginning, and what each step changes.
fn data(run: &Run) -> Value {
    let initial = run.initial.as_ref().map(|state| {
        let variables = state.variables.iter();
        let variables = variables.map(|variable| json!([variable.name, variable.value]));
        let channels = state.channels.iter();
        let channels = channels
            .map(|channel| json!([channel.name, format!("[{}]", channel.messages.join(", "))]));
        variables.chain(channels).collect::<Vec<_>>()
    });
    json!({
        "skipped": run.skipped,
        "loop": run.loop_from,
        // The values at the beginning of what is shown are not known if something is left out.
        "initial": if run.skipped == 0 { initial } else { None },
        "steps": run.steps.iter().map(step).collect::<Vec<_>>(),
    })
}

fn step(step: &StepRecord) -> Value {
    let changes = step.changes.iter();
    let said = step.happenings.iter().map(|happening| match happening {
        Happening::Printed { text } => format!("prints “{}”", text.trim_end()),
        Happening::Started { name, .. } => format!("starts {name}"),
        Happening::Died { name, .. } => format!("{name} ends"),
        Happening::Sent(message) => format!("sends {} on {}", message.message, message.channel),
        Happening::Received(message) => {
            format!("receives {} from {}", message.message, message.channel)
        }
    });
    let at = match step.at.line {
        0 => String::new(),
        line => format!("{}:{line}", step.at.file),
    };
    json!([
        step.name,
        step.statement,
        at,
        changes
            .map(|change| json!([change.name, change.new]))
            .collect::<Vec<_>>(),
        said.collect::<Vec<_>>(),
        step.failure,
    ])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn data_closes_no_script() {
        let text = json_for_script(&json!({"x": "</script><!--<script>\u{2028}&amp;"}));
        assert!(!text.contains(['<', '>', '&', '\u{2028}']));
        let back: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(back["x"], "</script><!--<script>\u{2028}&amp;");
    }
}
